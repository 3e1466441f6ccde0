// The parser behind parse_finite_group: products, powers, generators and files are in group_expression.cpp, groups by
// name in group_families.cpp.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/task.hpp"
#include "io/expressions/group_cursor.hpp"
#include "io/expressions/group_file.hpp"
#include "io/expressions/group_names.hpp"

namespace intertwine {

/// Recursive descent over: product = wreath {"x" wreath}; wreath = tight {"wr" tight}; tight = power {(":" | "o") power};
/// power = operand ["^" number];
/// operand = "(" product ")" | "<" permutations or a presentation ">" | "@" file | "aut(@" file ")" | name [parameters].
class GroupParser : GroupCursor {
 public:
  GroupParser(std::string_view text, const Task& task) : GroupCursor(text), task_(task) {}
  FiniteGroup parse();

 private:
  static constexpr int max_depth = 100;

  static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
  static bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z') || c == '_'; }
  std::string_view trimmed() const {
    std::string_view whole = text_;
    while (!whole.empty() && is_space(whole.front())) whole.remove_prefix(1);
    while (!whole.empty() && is_space(whole.back())) whole.remove_suffix(1);
    return whole;
  }
  void expect(char c, std::size_t opened) {
    if (accept(c)) return;
    if (at_ == text_.size()) fail(fmt::format("this bracket is not closed with '{}'", c), opened);
    fail(fmt::format("expected '{}'", c), at_);
  }

  /// The operator `word`, unless it is the beginning of a longer word.
  bool accept_operator(std::string_view word);
  void count_operator();

  /// All groups built so far count against one limit, so that a short text cannot ask for much work.
  FiniteGroup spent(FiniteGroup G) {
    entries_ += G.degree() * std::max<std::size_t>(1, G.generators().size());
    if (entries_ > 2 * max_named_entries)
      throw LimitError(fmt::format("the parts of the group expression need more than the limit of {} images in all",
                                   2 * max_named_entries));
    return G;
  }

  FiniteGroup product();
  FiniteGroup wreath();
  /// product_action(G wr H): in a longer chain the last wr is the one meant.
  FiniteGroup product_action(std::size_t start);
  /// G : H and G o H, which bind tighter than wr and x.
  FiniteGroup tight();
  /// The direct product if a factor is trivial; C7:C3(2) says how the generator of C3 acts; otherwise the one that is not direct, where there is one only.
  FiniteGroup semidirect_product(const FiniteGroup& N, std::size_t at);
  FiniteGroup central_product(const FiniteGroup& A, std::size_t at);
  /// The one group that is meant. \param by  what they differ by
  FiniteGroup the_one(const std::vector<FiniteGroup>& found, const std::string& written, std::string_view by,
                      std::size_t at);
  FiniteGroup power();

  FiniteGroup operand();
  /// 2^(1+4)+, 2^{1+4}_+, 2_+^{1+4}, 2^1+4+.
  std::optional<FiniteGroup> extraspecial(std::size_t start);

  /// 2.A7, 3.A6, 2.S5-, 2.M12; 2.Oh is double(Oh).
  std::optional<FiniteGroup> central_extension(std::size_t start);
  /// Is it a Schoenflies symbol that names no other group?
  static bool is_point_group(std::string_view word);
  /// 2.L2(7) is SL(2,7).
  FiniteGroup double_cover(std::size_t start);

  FiniteGroup bracketed();
  void deeper(std::size_t at) {
    if (++depth_ > max_depth) fail(fmt::format("brackets are nested more than {} deep", max_depth), at);
  }
  std::size_t open(std::string_view word, std::size_t start) {
    if (peek() != '(')
      fail(fmt::format("{} needs its parameters in parentheses, for example {}", word, example_of_function(word)),
           start);
    deeper(at_);
    return at_++;
  }

  FiniteGroup permutations();
  /// <a,b | a^2, b^3, (a*b)^7>: its name is what was typed, without needless spaces.
  FiniteGroup presentation();
  FiniteGroup gap_group(std::size_t start);
  FiniteGroup explicit_group(std::vector<Permutation> generators);
  /// Permutations with commas between. The largest point is found before anything of its size is allocated.
  std::vector<Permutation> generator_list();
  /// Skips one cycle and returns the largest point in it.
  std::uint64_t skip_cycle();

  /// A name after @, in quotes where it has spaces or brackets.
  std::filesystem::path file_name();
  FiniteGroup file() { return spent(read_group_file(file_name(), task_)); }
  /// aut(@graph): its name is that of the generators, since files change; Aut(Q8).
  FiniteGroup automorphisms(std::size_t start);

  /// Letters and digits, for parameters such as E6 and C3v.
  std::string_view symbol() {
    peek();
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    if (at_ == start) fail("expected a symbol", start);
    return text_.substr(start, at_ - start);
  }

  /// A family's own refusal of its parameters becomes a ParseError at `start`.
  template <class F>
  FiniteGroup built(std::size_t start, F family) {
    try {
      return spent(family());
    } catch (const DomainError& e) {
      fail(e.what(), start);
    }
  }

  FiniteGroup named(std::size_t start);
  /// Letters and digits that follow without a space, but for an operator as in C2xC3: p4g is not p4 and g.
  void take_rest_of_word();
  [[noreturn]] void unknown(std::size_t start, std::string_view word, std::string_view letters,
                            std::string_view digits);
  [[noreturn]] void ambiguous_dihedral(std::size_t start, std::string_view digits);
  FiniteGroup indexed(std::size_t start, std::string_view letters, std::size_t digits_at);
  /// SD16, Mod16, He3, F20.
  FiniteGroup by_order(std::size_t start, std::string_view family, std::uint64_t n);
  /// F20 and F21 by their orders, F5 and F9 are AGL(1,5) and AGL(1,9): no Frobenius group has a prime power as its order.
  FiniteGroup frobenius(std::size_t start, std::uint64_t n);
  /// Z6, SymmetricGroup(4): the name of the group is the one that it has here.
  FiniteGroup alias(std::size_t start, std::string_view family, std::string_view digits);
  /// L2(7), PSL2(7), SL_2(5), U3(3), Sp4(3): the dimension before the bracket. L, U and S are the ATLAS's names of PSL, PSU and PSp.
  FiniteGroup family_with_dimension(std::size_t start, std::string_view letters, std::string_view dimension);
  static TwoParameters family_of_matrices(std::string_view letters);
  FiniteGroup orthogonal(std::size_t start, std::string_view letters, std::string_view dimension);
  FiniteGroup function(std::size_t start, std::string_view word);
  std::function<FiniteGroup()> family_with_parameters(std::string_view word);
  /// A point group in brackets, its Schoenflies symbol for m-3m, 2, -42m or what was written.
  std::string point_symbol();
  /// The star behind a point group that makes Oh* its double group.
  bool doubled();
  /// young([3,2]): S3 x S2.
  std::function<FiniteGroup()> young();

  const Task& task_;
  int depth_ = 0;
  std::size_t operators_ = 0;
  std::uint64_t entries_ = 0;
};

}  // namespace intertwine
