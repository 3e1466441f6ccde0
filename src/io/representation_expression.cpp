#include "intertwine/io/representation_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <unordered_set>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/io/edit_distance.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/kernel_sites.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "io/exact_entries.hpp"
#include "representation_file.hpp"
#include "representations/node.hpp"

namespace intertwine {

namespace {

/// Grammar:
///   sum      = external { "+" external }
///   external = product { "#" product }             operands are representations of the direct factors, in
///   order product  = { integer "*" } power { "*" power } power    = atom { "^" integer } atom     = "(" sum
///   ")" | name [ "(" arguments ")" ]
class Parser {
 public:
  Parser(std::string_view text, const std::filesystem::path& directory, const Task& task)
      : text_(text), directory_(directory), task_(task) {}

  Representation parse(const FiniteGroup& G) {
    Representation V = sum(G);
    if (!at_end()) {
      if (text_[at_] == ')') fail("this ')' has no '(' before it", at_);
      fail("unexpected text after the representation; join representations by +, * or #", at_);
    }
    return V;
  }

 private:
  using Rule = Representation (Parser::*)(const FiniteGroup&, std::size_t start);
  struct Name {
    std::string_view name, usage;
    Rule rule;
  };
  static const std::array<Name, 25> names;
  friend std::string known_names();
  static constexpr unsigned deepest = 200;

  // Characters and numbers.

  [[noreturn]] void fail(const std::string& message, std::size_t position) const {
    throw ParseError(message, std::string(text_), position);
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool at_end() {
    skip();
    return at_ == text_.size();
  }
  bool peek(char c) {
    skip();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool accept(char c) {
    if (!peek(c)) return false;
    ++at_;
    return true;
  }
  void expect(char c, const char* where) {
    if (!accept(c)) fail(fmt::format("expected '{}' {}", c, where), at_);
  }
  bool peek_digit() {
    skip();
    return at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]));
  }
  std::uint64_t number(std::uint64_t largest, const char* what) {
    if (!peek_digit()) fail(fmt::format("expected {}, a number from 0 to {}", what, largest), at_);
    const std::size_t start = at_;
    std::uint64_t value = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
      if (value > (largest - digit) / 10)
        fail(fmt::format("the number is too large: {} is at most {}", what, largest), start);
      value = 10 * value + digit;
    }
    return value;
  }
  unsigned small_number(const char* what) {
    return static_cast<unsigned>(number(std::numeric_limits<unsigned>::max(), what));
  }

  /// Bounds the recursion.
  class Nesting {
   public:
    Nesting(Parser& parser, std::size_t position) : parser_(parser) {
      if (++parser_.depth_ > deepest)
        parser_.fail(fmt::format("the expression is nested more than {} levels deep", deepest), position);
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  // The algebra.

  Representation sum(const FiniteGroup& G) {
    std::vector<Representation> terms = {external(G)};
    while (accept('+')) terms.push_back(external(G));
    return direct_sum(terms);
  }

  Representation external(const FiniteGroup& G) {
    const std::vector<std::size_t> hashes = hashes_of_term();
    if (hashes.empty()) return product(G);
    std::vector<FiniteGroup> groups;
    for (const FiniteGroup::Factor& factor : G.direct_factors()) groups.push_back(factor.group);
    if (groups.empty())
      fail(fmt::format("'#' joins representations of direct factors, but {} is not given as a direct product",
                       G.name()),
           hashes[0]);
    if (groups.size() == hashes.size() + 1) {
      std::vector<Representation> operands;
      for (const FiniteGroup& factor : groups) operands.push_back(operand(factor, operands.empty()));
      return external_product(operands, G);
    }
    groups.clear();
    append_leaves(G, groups);
    if (groups.size() != hashes.size() + 1)
      fail(fmt::format("{} representations are joined by '#', but {} has {} direct factors",
                       hashes.size() + 1, G.name(), G.direct_factors().size()),
           hashes[0]);
    bool first = true;
    return nested_external(G, first);
  }

  Representation operand(const FiniteGroup& G, bool first) {
    if (!first) expect('#', "between representations of direct factors");
    return product(G);
  }

  /// A x B x C may be a product of products; the operands then belong to its leaves.
  Representation nested_external(const FiniteGroup& G, bool& first) {
    if (G.direct_factors().empty()) {
      const bool now = std::exchange(first, false);
      return operand(G, now);
    }
    const Nesting nesting(*this, at_);
    std::vector<Representation> operands;
    for (const FiniteGroup::Factor& factor : G.direct_factors())
      operands.push_back(nested_external(factor.group, first));
    return external_product(operands, G);
  }
  void append_leaves(const FiniteGroup& G, std::vector<FiniteGroup>& leaves) {
    const Nesting nesting(*this, at_);
    if (G.direct_factors().empty()) leaves.push_back(G);
    for (const FiniteGroup::Factor& factor : G.direct_factors()) append_leaves(factor.group, leaves);
  }

  /// Positions of the '#' of the term that begins here: those outside brackets before the next '+', ',' or
  /// ')'.
  std::vector<std::size_t> hashes_of_term() const {
    std::vector<std::size_t> hashes;
    std::size_t open = 0;
    for (std::size_t i = at_; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '@') {  // a file name may contain anything
        const bool quoted = i + 1 < text_.size() && text_[i + 1] == '"';
        const std::size_t end = text_.find(quoted ? '"' : ')', i + (quoted ? 2 : 1));
        if (end == std::string_view::npos) break;
        i = quoted ? end : end - 1;
      } else if (c == '(' || c == '[' || c == '{' || c == '<') {
        ++open;
      } else if (c == ')' || c == ']' || c == '}' || c == '>') {
        if (open == 0) break;
        --open;
      } else if (open == 0) {
        if (c == '+' || c == ',') break;
        if (c == '#') hashes.push_back(i);
      }
    }
    return hashes;
  }

  Representation product(const FiniteGroup& G) {
    bool multiple = false;
    const std::size_t start = at_;
    Integer multiplicity = 1;
    while (peek_digit()) {
      multiplicity *= number(std::numeric_limits<std::uint64_t>::max(), "a multiplicity");
      multiple = true;
      if (multiplicity > std::numeric_limits<std::uint64_t>::max())
        fail("the multiplicity exceeds 2^64 - 1", start);
      expect('*', "after a multiplicity, as in 16*perm");
    }
    std::vector<Representation> factors = {power(G)};
    while (accept('*')) {
      if (peek_digit()) fail("a multiplicity comes first: write 3*perm, not perm*3", at_);
      factors.push_back(power(G));
    }
    Representation V = tensor_product(factors);
    return multiple ? static_cast<std::uint64_t>(multiplicity) * V : V;
  }

  Representation power(const FiniteGroup& G) {
    Representation V = atom(G);
    while (accept('^')) V = tensor_power(V, small_number("an exponent"));
    return V;
  }

  Representation atom(const FiniteGroup& G) {
    skip();
    const std::size_t start = at_;
    const Nesting nesting(*this, start);
    if (accept('(')) {
      Representation V = sum(G);
      expect(')', "to close the bracket");
      return V;
    }
    while (at_ < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (name.empty()) fail("expected a representation, for example perm, sign or sym(2, perm)", start);
    for (const Name& known : names)
      if (known.name == name) return (this->*known.rule)(G, start);
    fail(unknown(name), start);
  }

  static std::string unknown(std::string_view name) {
    std::string lower(name.substr(0, 40));
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const Name* nearest = &names[0];
    for (const Name& known : names)
      if (edit_distance(lower, known.name) < edit_distance(lower, nearest->name)) nearest = &known;
    return fmt::format("there is no representation named '{}'; the nearest known one is {}",
                       name.substr(0, 40), nearest->usage);
  }

  // Arguments.

  template <class F>
  Representation in_brackets(F arguments) {
    expect('(', "with the arguments");
    Representation V = arguments();
    expect(')', "after the arguments");
    return V;
  }
  void comma() { expect(',', "before the next argument"); }

  /// A list of numbers between two brackets.
  template <class F>
  void list(char open, char close, F element) {
    expect(open, "to begin the list");
    if (accept(close)) return;
    do element();
    while (accept(','));
    expect(close, "to end the list");
  }
  std::vector<unsigned> parts() {
    std::vector<unsigned> result;
    list('[', ']', [&] {
      const std::size_t position = (skip(), at_);
      result.push_back(small_number("a part"));
      if (result.back() == 0) fail("parts are positive", position);
    });
    return result;
  }

  /// "<(1,2,3),(1,2)>" on the points of G.
  FiniteGroup generated_group(const FiniteGroup& G) {
    if (!peek('<')) fail("expected a group given by generators, for example <(1,2,3),(1,2)>", at_);
    const std::size_t start = at_++;
    std::vector<Permutation> generators;
    if (accept('>')) return FiniteGroup(G.degree(), {});
    for (;;) {
      const std::size_t from = at_;
      std::size_t open = 0;
      while (at_ < text_.size() && (open != 0 || (text_[at_] != ',' && text_[at_] != '>'))) {
        if (text_[at_] == '(') ++open;
        if (text_[at_] == ')' && open != 0) --open;
        ++at_;
      }
      if (at_ == text_.size()) fail("the list of generators is not closed with '>'", start);
      task_.require_memory((generators.size() + 1) * G.degree() * sizeof(Point),
                           "the generators in the expression");
      generators.push_back(permutation(from, at_, G.degree()));
      if (text_[at_++] == '>') return FiniteGroup(G.degree(), std::move(generators));
    }
  }
  Permutation permutation(std::size_t from, std::size_t to, std::size_t degree) const {
    try {
      Permutation g = parse_permutation(text_.substr(from, to - from), degree);
      if (g.degree() != degree) fail(fmt::format("the group has {} points", degree), from);
      return g;
    } catch (const ParseError& e) {
      if (e.text() == text_) throw;
      fail(e.what(), from + e.position());
    }
  }

  // One rule a name. `start` is where the name begins.

  Representation rule_trivial(const FiniteGroup& G, std::size_t) { return trivial_representation(G); }
  Representation rule_perm(const FiniteGroup& G, std::size_t) {
    return natural_permutation_representation(G);
  }
  Representation rule_sign(const FiniteGroup& G, std::size_t) { return sign_representation(G); }
  Representation rule_regular(const FiniteGroup& G, std::size_t) {
    static_cast<void>(G.chain(task_));
    return regular_representation(G);
  }
  Representation rule_tuples(const FiniteGroup& G, std::size_t) {
    return in_brackets([&] { return tuple_action(G, small_number("the length k")); });
  }
  Representation rule_arrangements(const FiniteGroup& G, std::size_t) {
    return in_brackets([&] { return arrangement_action(G, small_number("the length k")); });
  }
  Representation rule_subsets(const FiniteGroup& G, std::size_t) {
    return in_brackets([&] { return subset_action(G, small_number("the size k")); });
  }
  Representation rule_orbit(const FiniteGroup& G, std::size_t) {
    return in_brackets([&] {
      std::vector<Point> set;
      std::unordered_set<Point> seen;
      list('{', '}', [&] {
        const std::size_t position = (skip(), at_);
        const std::uint64_t x = number(std::numeric_limits<std::uint64_t>::max(), "a point");
        if (x == 0 || x > G.degree())
          fail(fmt::format("{} is not among the points 1 to {}", x, G.degree()), position);
        set.push_back(static_cast<Point>(x - 1));
        if (!seen.insert(set.back()).second)
          fail(fmt::format("the point {} is in the set twice", x), position);
      });
      return set_orbit_action(G, set, task_);
    });
  }
  Representation rule_partitions(const FiniteGroup& G, std::size_t) {
    return in_brackets([&] { return set_partition_action(G, parts(), task_); });
  }
  Representation rule_cosets(const FiniteGroup& G, std::size_t) {
    return in_brackets([&] { return coset_action(G, generated_group(G), task_); });
  }
  Representation rule_induced(const FiniteGroup& G, std::size_t) {
    return in_brackets([&] {
      const FiniteGroup H = generated_group(G);
      comma();
      if (peek_digit() && !multiplicity_follows())
        fail(
            "the number of an irreducible representation needs matrices over cyclotomic fields in general, "
            "which "
            "this version does not have; give a representation of the subgroup, for example "
            "induced(<(1,2,3)>, "
            "trivial)",
            at_);
      return induction(sum(H), G, task_);
    });
  }
  /// A number that is followed by '*'.
  bool multiplicity_follows() const {
    std::size_t i = at_;
    while (i < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[i])) ||
                                std::isspace(static_cast<unsigned char>(text_[i]))))
      ++i;
    return i < text_.size() && text_[i] == '*';
  }
  Representation rule_restricted(const FiniteGroup& G, std::size_t) {
    return in_brackets([&] {
      const FiniteGroup larger = generated_group(G);
      comma();
      return restriction(sum(larger), G);
    });
  }
  Representation rule_character(const FiniteGroup& G, std::size_t start) {
    std::vector<int> signs;
    list('(', ')', [&] {
      const std::size_t position = (skip(), at_);
      const bool minus = accept('-'), plus = !minus && accept('+'), digit = peek_digit();
      if ((!minus && !plus && !digit) || (digit && number(max_degree, "a sign") != 1))
        fail("a sign is +, -, 1 or -1", position);
      signs.push_back(minus ? -1 : 1);
    });
    if (signs.size() != G.generators().size())
      fail(fmt::format("{} signs are given, but {} has {} generators", signs.size(), G.name(),
                       G.generators().size()),
           start);
    return linear_character(G, signs);
  }
  Representation rule_dual(const FiniteGroup& G, std::size_t) {
    return in_brackets([&] { return dual(sum(G)); });
  }
  Representation rule_sym(const FiniteGroup& G, std::size_t) {
    return in_brackets([&] {
      const unsigned k = small_number("the degree k");
      comma();
      return sym(k, sum(G));
    });
  }
  Representation rule_alt(const FiniteGroup& G, std::size_t) {
    return in_brackets([&] {
      const unsigned k = small_number("the degree k");
      comma();
      return alt(k, sum(G));
    });
  }

  [[noreturn]] void refuse(std::string_view what, std::size_t start) const {
    fail(fmt::format("{} needs matrices over cyclotomic fields in general, which this version does not have; "
                     "there are std, specht(3,1), coordinates and rep(@file.json) over Q",
                     what),
         start);
  }
  Representation rule_std(const FiniteGroup& G, std::size_t) { return standard_representation(G); }
  Representation rule_coordinates(const FiniteGroup& G, std::size_t) { return coordinate_representation(G); }
  /// kernel(3,3), and kernel(3,3, R) with the action on the axes.
  Representation rule_kernel(const FiniteGroup& G, std::size_t) {
    return in_brackets([&] {
      std::vector<std::uint64_t> sizes = {small_number("the size of an axis")};
      while (accept(',')) {
        if (skip(); at_ == text_.size() || text_[at_] < '0' || text_[at_] > '9')
          return kernel_sites(sum(G), sizes, task_);
        sizes.push_back(small_number("the size of an axis"));
      }
      return kernel_sites(G, sizes, task_);
    });
  }
  Representation rule_irrep(const FiniteGroup&, std::size_t start) { refuse("irrep(k)", start); }
  Representation rule_schur(const FiniteGroup& G, std::size_t start) {
    return in_brackets([&] {
      const std::vector<unsigned> lambda = parts();
      comma();
      const bool column = std::all_of(lambda.begin(), lambda.end(), [](unsigned part) { return part == 1; });
      if (lambda.size() > 1 && !column)
        fail(
            "schur needs a partition with one row or one column: Schur functors of other shapes are not "
            "among this "
            "version's representations",
            start);
      const Representation V = sum(G);
      if (lambda.size() == 1) return sym(lambda[0], V);
      return alt(static_cast<unsigned>(lambda.size()), V);
    });
  }
  Representation rule_specht(const FiniteGroup& G, std::size_t start) {
    return in_brackets([&]() -> Representation {
      std::vector<unsigned> lambda;
      if (peek('['))
        lambda = parts();
      else
        do lambda.push_back(small_number("a part"));
        while (accept(','));
      std::uint64_t weight = 0;
      for (std::size_t i = 0; i < lambda.size(); ++i) {
        if (lambda[i] == 0 || (i != 0 && lambda[i] > lambda[i - 1]))
          fail("a partition has positive, weakly decreasing parts", start);
        weight += lambda[i];
      }
      if (weight != G.degree())
        fail(fmt::format("Specht modules of partitions of {} belong to groups on {} points; {} permutes {}",
                         weight, weight, G.name(), G.degree()),
             start);
      return specht_module(G, Partition(std::vector<int>(lambda.begin(), lambda.end())), task_);
    });
  }

  Representation rule_rep(const FiniteGroup& G, std::size_t start) {
    return in_brackets([&] { return accept('@') ? from_file(G) : from_lists(G, start); });
  }
  Representation from_file(const FiniteGroup& G) {
    const std::size_t start = at_;
    const bool quoted = accept('"');
    const std::size_t from = at_;
    const std::size_t to = text_.find(quoted ? '"' : ')', from);
    if (to == std::string_view::npos)
      fail(quoted ? "the file name is not closed with '\"'" : "expected ')' after the file name", start);
    std::string_view name = text_.substr(from, to - from);
    while (!quoted && !name.empty() && std::isspace(static_cast<unsigned char>(name.back())))
      name.remove_suffix(1);
    if (name.empty()) fail("expected a file name after '@'", start);
    at_ = quoted ? to + 1 : to;
    return read_representation(G, directory_ / std::filesystem::path(name), task_);
  }
  /// "[[2,-1,3],[1,2,3]]", one list of signed 1-based images a generator; then a dimension, needed when there
  /// are none. Or "[[[0,-1],[1,-1/2]]]", one matrix a generator.
  Representation from_lists(const FiniteGroup& G, std::size_t start) {
    std::vector<SignedPermutation> images;
    std::vector<RationalMatrix> matrices;
    list('[', ']', [&] {
      const std::size_t position = (skip(), at_);
      const bool is_matrix = list_of_lists_follows();
      if (is_matrix ? !images.empty() : !matrices.empty())
        fail("matrices and lists of images cannot be mixed", position);
      if (is_matrix)
        matrices.push_back(matrix());
      else
        images.push_back(signed_list());
    });
    if (!matrices.empty()) return matrix_representation(G, matrices, {}, task_);
    if (images.size() != G.generators().size())
      fail(fmt::format("{} images are given, but {} has {} generators", images.size(), G.name(),
                       G.generators().size()),
           start);
    std::uint64_t dimension = images.empty() ? 0 : images[0].degree();
    if (accept(',')) {
      const std::size_t position = (skip(), at_);
      const std::uint64_t stated = number(max_degree, "the dimension");
      if (!images.empty() && stated != dimension)
        fail(fmt::format("the lists have {} entries", dimension), position);
      dimension = stated;
    }
    if (images.empty()) return dimension * trivial_representation(G);
    for (const SignedPermutation& image : images)
      if (image.degree() != dimension)
        fail(fmt::format("the lists have different lengths, {} and {}", dimension, image.degree()), start);
    return monomial_representation(G, std::move(images), {}, task_);
  }
  bool list_of_lists_follows() {
    const std::size_t start = at_;
    const bool result = accept('[') && peek('[');
    at_ = start;
    return result;
  }
  /// "[[0,-1],[1,-1/2]]", a list of rows.
  RationalMatrix matrix() {
    const std::size_t start = (skip(), at_);
    std::size_t rows = 0, cols = 0;
    std::vector<Rational> entries;
    list('[', ']', [&] {
      const std::size_t before = entries.size(), position = (skip(), at_);
      list('[', ']', [&] { entries.push_back(rational()); });
      if (rows++ == 0) cols = entries.size();
      if (entries.size() - before != cols)
        fail(fmt::format("the rows have different lengths, {} and {}", cols, entries.size() - before),
             position);
    });
    if (rows != cols) fail(fmt::format("the matrix is {} x {}, not square", rows, cols), start);
    return matrix_of_entries(rows, cols, entries);
  }
  Rational rational() {
    skip();
    const std::size_t start = at_;
    const auto digits = [&] {
      const std::size_t from = at_;
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
      if (at_ == from) fail("expected an exact number p or p/q", start);
    };
    if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
    digits();
    if (at_ < text_.size() && text_[at_] == '/') {
      ++at_;
      digits();
    }
    try {
      return parse_rational(std::string(text_.substr(start, at_ - start)));
    } catch (const ParseError&) {
      fail("expected an exact number p or p/q", start);
    }
  }
  SignedPermutation signed_list() {
    const std::size_t start = (skip(), at_);
    std::vector<SignedPoint> points;
    list('[', ']', [&] {
      const bool negative = accept('-');
      const std::size_t position = (skip(), at_);
      const std::uint64_t x = number(max_degree, "a basis vector (1-based, with a sign)");
      if (x == 0) fail("basis vectors are numbered from 1", position);
      points.emplace_back(static_cast<Point>(x - 1), negative);
    });
    try {
      return SignedPermutation(std::move(points));
    } catch (const DomainError& e) {
      fail(fmt::format("the list is no signed permutation: {}", e.what()), start);
    }
  }

  std::string_view text_;
  const std::filesystem::path& directory_;
  const Task& task_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

const std::array<Parser::Name, 25> Parser::names = {{
    {"trivial", "trivial", &Parser::rule_trivial},
    {"perm", "perm", &Parser::rule_perm},
    {"sign", "sign", &Parser::rule_sign},
    {"regular", "regular", &Parser::rule_regular},
    {"tuples", "tuples(k)", &Parser::rule_tuples},
    {"arrangements", "arrangements(k)", &Parser::rule_arrangements},
    {"subsets", "subsets(k)", &Parser::rule_subsets},
    {"orbit", "orbit({1,2,5})", &Parser::rule_orbit},
    {"partitions", "partitions([2,2,1])", &Parser::rule_partitions},
    {"cosets", "cosets(<(1,2,3)>)", &Parser::rule_cosets},
    {"induced", "induced(<(1,2,3)>, R)", &Parser::rule_induced},
    {"restricted", "restricted(<(1,2,3),(1,2)>, R)", &Parser::rule_restricted},
    {"character", "character(1,-1)", &Parser::rule_character},
    {"dual", "dual(R)", &Parser::rule_dual},
    {"sym", "sym(k, R)", &Parser::rule_sym},
    {"alt", "alt(k, R)", &Parser::rule_alt},
    {"rep", "rep(@file.json)", &Parser::rule_rep},
    {"rep", "rep([[2,-1,3],[1,2,3]])", &Parser::rule_rep},
    {"rep", "rep([[[0,-1],[1,-1]]])", &Parser::rule_rep},
    {"std", "std", &Parser::rule_std},
    {"specht", "specht(3,1)", &Parser::rule_specht},
    {"coordinates", "coordinates", &Parser::rule_coordinates},
    {"kernel", "kernel(3,3)", &Parser::rule_kernel},
    {"schur", "schur([k], R), schur([1,1,...], R)", &Parser::rule_schur},
    {"irrep", "irrep(k)", &Parser::rule_irrep},
}};

std::string known_names() {
  std::string text;
  for (const auto& known : Parser::names)
    if (known.name != "irrep") text += (text.empty() ? "" : ", ") + std::string(known.usage);
  return text;
}

}  // namespace

Representation parse_representation(const FiniteGroup& G, std::string_view text,
                                    const std::filesystem::path& directory, const Task& task) {
  return Parser(text, directory, task).parse(G);
}

std::string known_representations() {
  return known_names() + "; R^k, 3*R, R*R, R + R, (R), R # R over direct products";
}

}  // namespace intertwine
