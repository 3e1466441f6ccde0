// Parses representations of classical groups and of their products with finite ones.
#include "intertwine/io/continuous_expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <optional>
#include <utility>

#include "intertwine/classical/linear_molecules.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/edit_distance.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/io/o3_irreps.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "io/expressions/expression_cursor.hpp"
#include "io/expressions/group_factors.hpp"
#include "io/expressions/representation_file.hpp"
#include "io/expressions/word_list.hpp"

namespace intertwine {

namespace {

/// Typed modules of no real type are real only inside real(...); those in files are so by themselves.
enum class RealModules { by_name, implied };

class ContinuousParser : ExpressionCursor {
 public:
  ContinuousParser(std::string_view text, const Task& task, RealModules modules)
      : ExpressionCursor(text), task_(task), modules_(modules) {}

  ContinuousRepresentation parse(const ContinuousGroup& G) {
    ContinuousRepresentation V = sum(G);
    if (peek('x')) fail("x joins groups; representations are multiplied by *, as in vector * vector", at_);
    if (peek('\'')) fail("the dual of V is written V* or dual(V)", at_);
    if (!at_end()) fail("unexpected text after the representation; join representations by +, * or #", at_);
    return V;
  }

 private:
  ContinuousRepresentation sum(const ContinuousGroup& G) {
    ContinuousRepresentation V = term(G);
    while (accept_plus()) V = V + term(G);
    return V;
  }

  /// The end of the term that begins here: before the next '+', ',' or closing bracket outside of brackets.
  std::size_t end_of_term() const {
    std::size_t open = 0, i = at_;
    for (; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '(' || c == '[' || c == '{' || c == '<') ++open;
      if (open == 0 && (c == '+' || c == ',' || c == ')' || text_.substr(i).starts_with("⊕"))) break;
      if (c == ')' || c == ']' || c == '}' || c == '>') open -= open > 0 ? 1 : 0;
    }
    return i;
  }

  ContinuousRepresentation term(const ContinuousGroup& G) {
    skip();
    const std::size_t start = at_, end = end_of_term();
    const auto operands = split({text_.substr(start, end - start), start}, [](std::string_view text, std::size_t i) {
      return text[i] == '#' ? std::size_t{1} : text.substr(i).starts_with("⊠") ? 3U : std::size_t{0};
    });
    if (operands.size() == 1) return product(G);
    if (operands.size() != G.factors().size())
      fail(fmt::format("{} representations are joined by '#', but {} has {} factor{}", operands.size(), G.name(),
                       G.factors().size(), G.factors().size() == 1 ? "" : "s"),
           start);
    std::vector<ContinuousRepresentation> parts;
    for (std::size_t k = 0; k < operands.size(); ++k) parts.push_back(operand(G.factors()[k], operands[k]));
    at_ = end;
    return external_product(G, parts);
  }

  ContinuousRepresentation operand(const ContinuousGroup::Factor& factor, const Excerpt& part) {
    if (part.text.empty()) fail("expected a representation beside '#'", part.start);
    return within(text_, part, [&] {
      if (const auto* finite = std::get_if<FiniteGroup>(&factor))
        return finite_representation(parse_representation(*finite, part.text, task_));
      ContinuousParser inner(part.text, task_, modules_);
      inner.depth_ = depth_;
      return inner.parse(ContinuousGroup({factor}));
    });
  }

  /// Reads a multiplicity as RepresentationParser does, and e3nn's 16x1o; says whether an x stood behind it.
  std::optional<std::uint64_t> multiplicity(bool& by_degree) {
    const std::size_t start = at_;
    std::optional<std::uint64_t> result;
    while (peek_digit()) {
      const std::size_t from = at_;
      const std::uint64_t k = number(std::numeric_limits<std::uint32_t>::max(), "a multiplicity");
      const std::uint64_t all = result.value_or(1) * k;
      if (all > std::numeric_limits<std::uint32_t>::max()) fail("the multiplicity exceeds 2^32 - 1", start);
      // 1 is the trivial representation, and 1o one by its degree.
      if ((k == 1 && ends_factor(at_) && !peek('*')) || parity_follows()) {
        at_ = from;
        return result;
      }
      result = all;
      if (accept('x')) {
        if (!peek_digit()) fail("x joins groups; behind a multiplicity stands a degree, as in e3nn's 16x1o", at_ - 1);
        by_degree = true;
        break;
      }
      if (name_follows()) break;
      if (!accept('*'))
        fail(ends_factor(at_)
                 ? fmt::format("a number is a multiplicity, as in {0}*vector; representations have names, as "
                               "harmonic({0}), and 1 is the trivial one",
                               k)
                 : "expected '*' after a multiplicity, as in 16*vector",
             at_);
    }
    return result;
  }
  /// The o or e of 1o.
  bool parity_follows() const {
    const auto at = [&](std::size_t i) { return i < text_.size() ? text_[i] : ' '; };
    return (at(at_) == 'o' || at(at_) == 'e') && !std::isalnum(static_cast<unsigned char>(at(at_ + 1))) &&
           at(at_ + 1) != '(';
  }
  /// e3nn's names of irreducible representations: 1o, 2e; of SO(3) without a letter too, behind a multiplicity.
  ContinuousRepresentation by_degree(const ContinuousGroup& G) {
    const std::size_t start = (skip(), at_);
    const unsigned degree = small("a degree");
    const char letter = parity_follows() ? text_[at_++] : char{0};
    try {
      return o3_irreducible(G, degree, letter);
    } catch (const DomainError& e) {
      fail(e.what(), start);
    }
  }

  ContinuousRepresentation product(const ContinuousGroup& G) {
    bool degree_follows = false;
    const auto copies = multiplicity(degree_follows);
    ContinuousRepresentation V = degree_follows ? by_degree(G) : power(G);
    while (accept_times()) {
      if (peek_digit() && !degree_ahead()) fail("a multiplicity comes first: write 3*vector, not vector*3", at_);
      V = V * power(G);
    }
    return !copies || (degree_follows && *copies == 1) ? V : *copies * V;
  }
  /// Do digits with o or e behind them stand here?
  bool degree_ahead() {
    const std::size_t start = (skip(), at_);
    digits();
    const bool found = at_ > start && parity_follows();
    at_ = start;
    return found;
  }

  ContinuousRepresentation power(const ContinuousGroup& G) {
    return with_powers(atom(G), [&] { return small("an exponent"); });
  }

  ContinuousRepresentation atom(const ContinuousGroup& G) {
    skip();
    const std::size_t start = at_;
    if (++depth_ > deepest_continuous)
      fail(fmt::format("the expression is nested more than {} levels deep", deepest_continuous), start);
    ContinuousRepresentation V = accept('(') ? bracketed(G) : named(G, start);
    --depth_;
    return V;
  }
  ContinuousRepresentation bracketed(const ContinuousGroup& G) {
    ContinuousRepresentation V = sum(G);
    expect(')', "expected ')' to close the bracket");
    return V;
  }

  ContinuousRepresentation named(const ContinuousGroup& G, std::size_t start) {
    if (degree_ahead()) return by_degree(G);
    if (accept('1')) return trivial_representation(G);
    if (accept_exterior()) return power_of(G, alt);
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) ++at_;
    const std::string_view written = text_.substr(start, at_ - start), name = canonical(written);
    if (name.empty()) fail("expected a representation, for example vector, harmonic(2) or sym(2, vector)", start);
    if (name == "trivial") return trivial_representation(G);
    if (name == "dual" || name == "real" || name == "realform") {
      expect('(', "expected '(' with the argument");
      if (name == "real" && !G.is_product())
        if (auto V = real_module(G)) return *V;
      const ContinuousRepresentation V = bracketed(G);
      return name == "dual" ? dual(V) : name == "real" ? restriction_of_scalars(V) : real_form(V, task_);
    }
    const bool functor_name = name == "sym" || name == "alt" || name == "schur";
    if (G.is_product() && is_known(name) && !functor_name)
      fail(fmt::format("{} belongs to one factor; over {} join one representation for each factor by #, for "
                       "example {}",
                       name, G.name(), natural_representation(G).to_string()),
           start);
    if (name == "vector") return natural_representation(G);
    if (name == "det") return determinant_representation(G);
    if (name == "adjoint") return adjoint_representation(G);
    if (name == "parity") return parity(G, start);
    if (name == "spinor") return spinor(G, start);
    if (name == "irrep") return irrep(G, start);
    if (name == "rep") return rep(G, start);
    if (name == "sym") return power_of(G, sym);
    if (name == "alt") return power_of(G, alt);
    if (name == "schur" || name == "harmonic") return functor(G, name);
    fail(unknown(written), start);
  }

  ContinuousRepresentation parity(const ContinuousGroup& G, std::size_t start) {
    if (std::get<ClassicalGroup>(G.factors().front()).family() != ClassicalGroup::Family::O)
      fail(fmt::format("parity is the sign of the component of an orthogonal group O(n) or O(p,q), and {} is none",
                       G.name()),
           start);
    return determinant_representation(G);
  }
  /// Reads spinor) or irrep(..)) behind "real(", where that is complex; takes no step, and gives nothing, for other texts.
  std::optional<ContinuousRepresentation> real_module(const ContinuousGroup& G) {
    skip();
    const std::size_t start = at_;
    const bool is_spinor = text_.substr(at_).starts_with("spinor");
    if (G.is_complex() || (!is_spinor && !text_.substr(at_).starts_with("irrep"))) return std::nullopt;
    at_ += is_spinor ? 6 : 5;
    const RealModules before = std::exchange(modules_, RealModules::implied);
    ContinuousRepresentation V = is_spinor ? spinor(G, start) : irrep(G, start);
    modules_ = before;
    if (accept(')')) return V;
    at_ = start;
    return std::nullopt;
  }

  /// Maps and layers of groups other than SU(n) and U(n) are over the real numbers: a complex module goes there as real(..) alone.
  ContinuousRepresentation over_the_reals(ContinuousRepresentation V, const Integer& complex_dimension,
                                          std::size_t start) const {
    if (modules_ == RealModules::by_name && complex_dimension != V.dimension()) {
      const std::string_view written = trimmed({text_.substr(start, at_ - start), start}).text;
      fail(fmt::format("{0} of {1} is C^{2}, which has no real matrices of that size; as a representation over "
                       "the real numbers, R^{3}, it is written real({0})",
                       written, V.group().name(), to_string(complex_dimension), V.dimension()),
           start);
    }
    return V;
  }

  ContinuousRepresentation spinor(const ContinuousGroup& G, std::size_t start) {
    const auto& classical = std::get<ClassicalGroup>(G.factors().front());
    if (classical == ClassicalGroup(ClassicalGroup::Family::SU, 2)) return natural_representation(G);
    if (classical.family() == ClassicalGroup::Family::SO && classical.positive() == classical.dimension() &&
        classical.dimension() > 2)
      fail(fmt::format("the spinor does not descend to {0}; take Spin({1}), for kernels ISpin({1}){2}", G.name(),
                       classical.dimension(), classical.dimension() == 3 ? ", or SU(2), whose spinor is C^2" : ""),
           start);
    if (classical.family() != ClassicalGroup::Family::Spin)
      fail(fmt::format("spinors are of Spin(n) and SU(2), not of {}", G.name()), start);
    int half = 0;
    if (accept('(')) {
      half = accept('+') ? 1 : accept('-') ? -1 : 0;
      if (half == 0) fail("a half of the spinor is spinor(+) or spinor(-)", at_);
      expect(')', "expected ')' after the sign");
    }
    const unsigned n = classical.dimension(), size = half == 0 ? n / 2 : n / 2 - 1;
    try {
      // For n = 2 modulo 4 the halves are conjugate, and either of them is the whole over the reals.
      return over_the_reals(spinor_representation(G, n % 4 == 2 ? 0 : half), Integer(1) << size, start);
    } catch (const DomainError& e) {
      fail(e.what(), start);
    }
  }

  /// irrep([1,1]), irrep([2,1] as partition), irrep(8) or irrep(10*).
  ContinuousRepresentation irrep(const ContinuousGroup& G, std::size_t start) {
    expect('(', "irrep takes a highest weight, as in irrep([1,0]), or a partition, as in irrep([2,1] as partition)");
    try {
      const auto& classical = std::get<ClassicalGroup>(G.factors().front());
      if (peek_digit()) {
        const std::uint64_t dimension = number(100'000, "a dimension");
        skip();
        const bool bar = text_.substr(at_).starts_with("bar");
        if (bar) at_ += 3;
        const bool dual = bar || accept('*');
        expect(')', "expected ')' after the dimension, as in irrep(8) and irrep(10*)");
        const Weight weight = weight_of_dimension(lie_group_of(classical), dimension, dual, task_);
        return over_the_reals(irreducible_of_weight(G, weight, task_), Integer(dimension), start);
      }
      const std::vector<int> list = labels();
      skip();
      const bool partition = text_.substr(at_).starts_with("as");
      if (partition) {
        at_ += 2;
        skip();
        if (!text_.substr(at_).starts_with("partition")) fail("expected 'as partition'", at_);
        at_ += 9;
      }
      expect(')', "expected ')' after the highest weight");
      ContinuousRepresentation V =
          partition ? irreducible_representation(G, list, task_) : irreducible_of_weight(G, list, task_);
      if (classical.family() == ClassicalGroup::Family::O) return V;
      const LieGroup lie = lie_group_of(classical);
      return over_the_reals(std::move(V), lie.type().dimension(partition ? lie.weight_of_partition(list) : list),
                            start);
    } catch (const DomainError& e) {
      fail(e.what(), start);
    }
  }
  /// rep(@file.json), or rep([[[0,-1],[1,0]]]): a matrix for each generator.
  ContinuousRepresentation rep(const ContinuousGroup& G, std::size_t start) {
    expect('(', "rep takes the matrices of the generators, as in rep(@file.json)");
    MatrixImages given;
    if (accept('@')) {
      const bool quoted = accept('"');
      const std::size_t from = at_, to = text_.find(quoted ? '"' : ')', from);
      if (to == std::string_view::npos) fail("the file name is not closed", from);
      std::string_view name = text_.substr(from, to - from);
      while (!quoted && !name.empty() && is_blank(name.back())) name.remove_suffix(1);
      if (name.empty()) fail("expected a file name after '@'", from);
      at_ = quoted ? to + 1 : to;
      given = read_matrix_images(std::filesystem::path(name), task_);
    } else {
      list('[', ']', [&] { given.images.push_back(matrix(task_)); });
    }
    expect(')', "expected ')' after the matrices");
    try {
      return given.generators ? matrix_representation(G, *given.generators, given.images, task_)
                              : matrix_representation(G, given.images, task_);
    } catch (const DomainError& e) {
      fail(e.what(), start);
    }
  }

  /// "[1,0,-2]"
  std::vector<int> labels() {
    expect('[', "expected a list in brackets, as in [1,0]");
    std::vector<int> list;
    if (accept(']')) return list;
    do {
      if (list.size() > 2 * ClassicalGroup::max_dimension) fail("the list is too long", at_);
      const bool minus = accept('-');
      const auto value = static_cast<int>(number(1'000'000, "a label"));
      list.push_back(minus ? -value : value);
    } while (accept(','));
    expect(']', "expected ',' or ']' in the list");
    return list;
  }

  ContinuousRepresentation functor(const ContinuousGroup& G, std::string_view name) {
    expect('(', "expected '(' with the arguments");
    if (name == "harmonic") {
      const unsigned degree = small("a degree");
      expect(')', "expected ')' after the degree");
      return harmonic_representation(G, degree);
    }
    const Partition shape = partition();
    expect(',', "expected ',' before the representation");
    return schur_power(shape, bracketed(G), task_);
  }

  /// sym(2, V), Sym^2(V), Sym^2 V, Sym²V.
  ContinuousRepresentation power_of(const ContinuousGroup& G,
                                    ContinuousRepresentation (*powers)(unsigned, const ContinuousRepresentation&)) {
    const auto degree = [&] { return small("a degree"); };
    if (const auto above = superscript()) return powers(*above, atom(G));
    if (accept('^')) {
      const unsigned k = exponent(degree);
      return powers(k, atom(G));
    }
    expect('(', "expected '(' with the arguments");
    const unsigned k = degree();
    if (peek(')'))
      fail(fmt::format("the power of what? Write sym({0}, {1}) or alt({0}, {1})", k,
                       natural_representation(G).to_string()),
           at_);
    expect(',', "expected ',' before the representation");
    return powers(k, bracketed(G));
  }

  /// Our word for a name of other systems and textbooks.
  static std::string_view canonical(std::string_view name) {
    static constexpr std::string_view synonyms =
        "V=vector fundamental=vector defining=vector triv=trivial scalar=trivial scalars=trivial Sym=sym "
        "symmetric=sym Alt=alt ext=alt Ext=alt exterior=alt wedge=alt Lambda=alt Schur=schur Dual=dual "
        "Adjoint=adjoint adj=adjoint Ad=adjoint";
    const std::string_view meant = meaning_of(synonyms, name);
    return meant.empty() ? name : meant;
  }

  Partition partition() {
    skip();
    const std::size_t start = at_;
    expect('[', "expected a partition such as [2,1]");
    while (at_ < text_.size() && text_[at_] != ']') ++at_;
    if (at_ == text_.size()) fail("the partition is not closed with ']'", start);
    ++at_;
    return within(text_, {text_.substr(start, at_ - start), start},
                  [&] { return parse_partition(std::string(text_.substr(start, at_ - start))); });
  }

  std::uint64_t number(std::uint64_t largest, const char* what) {
    if (!peek_digit()) fail(fmt::format("expected {}, a number from 0 to {}", what, largest), at_);
    const std::size_t start = at_;
    const auto value = TextCursor::number(largest);
    if (!value) fail(fmt::format("the number is too large: {} is at most {}", what, largest), start);
    return *value;
  }
  unsigned small(const char* what) { return static_cast<unsigned>(number(1'000'000, what)); }

  static constexpr std::array<std::string_view, 14> names = {"vector", "adjoint", "det",      "parity", "spinor",
                                                             "sym",    "alt",     "dual",     "schur",  "harmonic",
                                                             "irrep",  "real",    "realform", "rep"};
  static bool is_known(std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); }
  static std::string unknown(std::string_view name) {
    std::string lower(name.substr(0, 40));
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::string message = fmt::format("continuous groups have no representation named '{}'", name.substr(0, 40));
    for (const std::string_view other : {"sign", "sgn", "pseudoscalar"})
      if (lower == other)
        return message + "; that by the determinant, -1 for reflections, is det, and trivial of groups without them";
    for (const std::string_view other : {"pseudovector", "axialvector", "axial"})
      if (lower == other) return message + "; vectors that mirrors do not turn round are vector*det";
    const auto nearest = std::min_element(names.begin(), names.end(), [&](std::string_view a, std::string_view b) {
      return edit_distance(lower, a) < edit_distance(lower, b);
    });
    if (edit_distance(lower, *nearest) <= 2) return fmt::format("{}; did you mean {}?", message, *nearest);
    return message +
           "; there are trivial, vector, adjoint, det, harmonic(l), irrep([..]), sym(k, V), alt(k, V), "
           "schur([2,1], V), dual(V) and real(V)";
  }

  const Task& task_;
  RealModules modules_;
  unsigned depth_ = 0;
};

}  // namespace

ContinuousRepresentation parse_representation(const ContinuousGroup& G, std::string_view text, const Task& task) {
  if (const auto centre = centre_of_linear_molecule(G)) return parse_axial_matrices(*centre, text, task);
  return ContinuousParser(text, task, RealModules::by_name).parse(G);
}

ContinuousRepresentation parse_stored_representation(const ContinuousGroup& G, std::string_view text,
                                                     const Task& task) {
  if (const auto centre = centre_of_linear_molecule(G)) return parse_axial_matrices(*centre, text, task);
  return ContinuousParser(text, task, RealModules::implied).parse(G);
}

}  // namespace intertwine
