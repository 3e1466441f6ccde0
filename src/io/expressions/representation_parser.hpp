// The parser behind parse_representation: the algebra is in representation_expression.cpp, the named representations are
// in representation_names.cpp.
#pragma once
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"
#include "io/expressions/expression_cursor.hpp"

namespace intertwine {

/// Grammar:
///   sum      = external { "+" external | "-" external }     V - W where that is a representation
///   external = product { "#" product }                operands are representations of the direct factors, in order
///   product  = { integer "*" } power { "*" power }
///   power    = atom { "^" integer }
///   atom     = "(" sum ")" | name [ "(" arguments ")" ]
class RepresentationParser : ExpressionCursor {
 public:
  RepresentationParser(std::string_view text, const Task& task) : ExpressionCursor(text), task_(task) {}

  Representation parse(const FiniteGroup& G) {
    Representation V = sum(G);
    if (!at_end()) {
      if (text_[at_] == ')') fail("this ')' has no '(' before it", at_);
      fail(text_[at_] == 'x'    ? "x joins groups; representations are multiplied by *, as in perm * perm, and "
                                  "# is for those of two factors"
           : text_[at_] == '\'' ? "the dual of V is written V* or dual(V)"
                                : "unexpected text after the representation; join representations by +, -, * or #",
           at_);
    }
    return V;
  }

 private:
  using Rule = Representation (*)(RepresentationParser&, const FiniteGroup&, std::size_t start);
  struct Name {
    std::string_view name, usage;
    Rule rule;
    std::string_view meaning;  ///< one line
  };
  static const std::array<Name, 32> names;
  friend std::string known_representations();
  friend std::vector<std::string> representation_name_examples();
  /// The name that another system's word stands for; the word itself if it is none.
  static std::string_view canonical(std::string_view name);
  static constexpr unsigned deepest = 200;

  void expect(char c, const char* where) { TextCursor::expect(c, fmt::format("expected '{}' {}", c, where)); }
  std::uint64_t number(std::uint64_t largest, const char* what) {
    if (!peek_digit()) fail(fmt::format("expected {}, a number from 0 to {}", what, largest), at_);
    const std::size_t start = at_;
    const auto value = TextCursor::number(largest);
    if (!value) fail(fmt::format("the number is too large: {} is at most {}", what, largest), start);
    return *value;
  }
  unsigned small_number(const char* what) {
    return static_cast<unsigned>(number(std::numeric_limits<unsigned>::max(), what));
  }

  /// Bounds the recursion.
  class Nesting {
   public:
    Nesting(RepresentationParser& parser, std::size_t position) : parser_(parser) {
      if (++parser_.depth_ > deepest)
        parser_.fail(fmt::format("the expression is nested more than {} levels deep", deepest), position);
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    RepresentationParser& parser_;
  };

  // The algebra; # is also written ⊠.

  Representation sum(const FiniteGroup& G);
  Representation external(const FiniteGroup& G);
  Representation operand(const FiniteGroup& G, bool first);
  /// A x B x C may be a product of products; the operands then belong to its leaves.
  Representation nested_external(const FiniteGroup& G, bool& first);
  void append_leaves(const FiniteGroup& G, std::vector<FiniteGroup>& leaves);
  /// Positions of the '#' of the term that begins here: those outside brackets before the next '+', '-', ',' or
  /// ')'.
  std::vector<std::size_t> hashes_of_term() const;
  /// Does something begin at i, after spaces, that an operator may stand before?
  bool operand_follows(std::size_t i) const;
  Representation product(const FiniteGroup& G);
  bool row_follows(const FiniteGroup& G);
  /// The number in front of a product: 16 of 16*perm and 16perm; 1 where there is none. A 1 alone is the trivial representation.
  std::optional<std::uint64_t> multiplicity(const FiniteGroup& G);
  Representation power(const FiniteGroup& G);
  Representation atom(const FiniteGroup& G);
  static std::string unknown(std::string_view name);

  // Arguments.
  template <class F>
  Representation in_brackets(F arguments) {
    expect('(', "with the arguments");
    Representation V = arguments();
    expect(')', "after the arguments");
    return V;
  }
  void comma();
  /// A list of numbers between two brackets.
  std::vector<unsigned> parts();
  /// "<(1,2,3),(1,2)>" on the points of G.
  FiniteGroup generated_group(const FiniteGroup& G);
  Permutation permutation(std::size_t from, std::size_t to, std::size_t degree) const;

  // These functions read names whose meaning a line of the table does not say. `start` is where the name begins.

  Representation orbit(const FiniteGroup& G);
  Representation induced(const FiniteGroup& G);
  /// A number that is followed by '*'.
  bool multiplicity_follows() const;
  Representation character(const FiniteGroup& G, std::size_t start);
  Representation power_of(const FiniteGroup& G, Representation (*functor)(unsigned, const Representation&));
  Representation rep(const FiniteGroup& G, std::size_t start);
  Representation defining(const FiniteGroup& G);
  Representation tensors(const FiniteGroup& G, std::size_t start);
  Representation pseudovector(const FiniteGroup& G, std::size_t start);
  std::string word_of_row();
  std::string sign_of_row(const FiniteGroup& G, std::size_t at, const std::string& name);
  CharacterTable table_of(const FiniteGroup& G);
  std::optional<Representation> species(const FiniteGroup& G, std::string_view name);
  Representation irreducible(const FiniteGroup& G, std::size_t start);
  void check_character(const CharacterTable& table, std::size_t row);
  Representation kernel(const FiniteGroup& G);
  Representation schur(const FiniteGroup& G, std::size_t start);
  Representation specht(const FiniteGroup& G, std::size_t start);
  Representation from_file(const FiniteGroup& G);
  /// "[[2,-1,3],[1,2,3]]", one list of signed 1-based images a generator; then a dimension, needed when there
  /// are none. Or "[[[0,-1],[1,-1/2]]]", one matrix a generator.
  Representation from_lists(const FiniteGroup& G, std::size_t start);
  bool list_of_lists_follows();
  SignedPermutation signed_list();

  const Task& task_;
  unsigned depth_ = 0;
  std::vector<CharacterTable> tables_;  ///< the tables of the groups whose irreducible representations occur
};

}  // namespace intertwine
