// Representations of continuous groups as expressions.
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/classical/continuous_power.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <map>

#include "combinatorics/exponents.hpp"
#include "continuous_node.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/schur_functor.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine {

namespace {

using Kind = ContinuousNode::Kind;
constexpr std::uint64_t largest_dimension = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void too_large() {
  throw LimitError(fmt::format("the representation has more than {} dimensions, the most that tables have",
                               largest_dimension));
}

std::uint64_t bounded_product(std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > largest_dimension / b) too_large();
  return a * b;
}

/// C(n, k), or the limit is exceeded: every product on the way is smaller than the answer.
std::uint64_t bounded_binomial(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  k = std::min(k, n - k);
  Integer value = 1;
  for (std::uint64_t j = 1; j <= k; ++j) {
    value = value * Integer(n - k + j) / Integer(j);
    if (value > largest_dimension) too_large();
  }
  return static_cast<std::uint64_t>(value);
}

std::uint64_t functor_dimension(std::uint64_t d, const char* what) {
  if (d > ContinuousRepresentation::max_functor_dimension)
    throw LimitError(fmt::format("{} has dimension {}; functors of continuous groups have at most {}", what,
                                 d, ContinuousRepresentation::max_functor_dimension));
  return d;
}

void require_degree(unsigned k, const char* what) {
  constexpr unsigned most = 200;
  if (k > most)
    throw LimitError(fmt::format("{} has the degree {}; degrees are at most {} here", what, k, most));
}

ContinuousNode node_of(Kind kind, const ContinuousGroup& group, std::uint64_t dimension,
                       ContinuousNodes parts = {}, std::uint64_t number = 0) {
  return {kind, group, dimension, std::move(parts), number, {}, {}, {}, {}, {}};
}

ContinuousRepresentation made(ContinuousNode node) {
  return ContinuousRepresentation(std::make_shared<const ContinuousNode>(std::move(node)));
}

const ClassicalGroup& only_classical(const ContinuousGroup& G, const char* what) {
  if (G.is_product() || !std::holds_alternative<ClassicalGroup>(G.factors().front()))
    throw DomainError(fmt::format(
        "{} belongs to one classical group, not to {}; join the representations of the factors by #", what,
        G.name()));
  return std::get<ClassicalGroup>(G.factors().front());
}

/// Checks the dimension d of sym, alt or schur of V. Functors over products of groups are sums of functors of the
/// factors, found without eliminations of their size.
std::uint64_t functor_dimension(const ContinuousRepresentation& V, std::uint64_t d, const char* what) {
  if (V.group().is_product()) {
    if (d > ContinuousRepresentation::max_product_functor_dimension)
      throw LimitError(fmt::format("{} has dimension {}; functors over products of groups have at most {}",
                                   what, d, ContinuousRepresentation::max_product_functor_dimension));
    return d;
  }
  only_classical(V.group(), what);
  return functor_dimension(d, what);
}

void require_same(const ContinuousRepresentation& V, const ContinuousRepresentation& W) {
  if (!(V.group() == W.group()))
    throw DomainError(fmt::format("the representations belong to different groups, {} and {}",
                                  V.group().name(), W.group().name()));
  static_cast<void>(common_scalars(V, W));
}

using Exponents = std::map<std::vector<unsigned>, Rational>;

/// Sum of the second derivatives in all coordinates but the last, with the signs of the form.
Exponents laplacian_without_last(const Exponents& polynomial, const ClassicalGroup& G) {
  Exponents out;
  for (const auto& term : polynomial)
    for_each_second_derivative(term.first, [&](std::size_t i, const auto& b, std::uint64_t factor) {
      if (i + 1 < G.dimension()) out[b] += term.second * Rational(G.form(static_cast<unsigned>(i))) * factor;
    });
  return out;
}

/// The basis of harmonic polynomials: Laplace's equation as a recursion in the powers of the last coordinate.
void fill_harmonic(ContinuousNode& node) {
  const ClassicalGroup& G = node.classical();
  const unsigned n = G.dimension();
  const auto exponents = exponents_of(n, node.number);
  std::map<std::vector<unsigned>, std::uint32_t> place;
  for (std::size_t m = 0; m < exponents.size(); ++m)
    place.emplace(exponents[m], static_cast<std::uint32_t>(m));
  ContinuousNode::Submodule module;
  module.selected.assign(exponents.size(), -1);
  std::uint32_t col = 0;
  for (std::size_t m = 0; m < exponents.size(); ++m) {
    const unsigned first = exponents[m].back();
    if (first > 1) continue;
    module.selected[m] = col;
    Exponents layer{{exponents[m], 1}};
    for (unsigned power = first; !layer.empty(); power += 2) {
      Exponents next = laplacian_without_last(layer, G);
      for (const auto& [a, value] : layer) module.entries.push_back({place.at(a), col, value});
      layer.clear();
      const Rational scale = Rational(-G.form(n - 1)) / Rational((power + 1) * (power + 2));
      for (auto& [a, value] : next) {
        if (value == 0) continue;
        std::vector<unsigned> b = a;
        b.back() = power + 2;
        layer.emplace(std::move(b), value * scale);
      }
    }
    ++col;
  }
  node.lazy_submodule = std::make_shared<const ContinuousNode::LazySubmodule>(std::move(module));
}

/// ad(X) B = X B - B X in the basis of the Lie algebra; a coordinate is the entry at the first place of its basis vector.
void fill_adjoint(ContinuousNode& node, const std::vector<SparseMatrix>& basis) {
  const std::uint32_t n = node.classical().dimension();
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> coordinate;
  for (const SparseMatrix& B : basis)
    coordinate.emplace(std::pair(B.entries()[0].row, B.entries()[0].col),
                       static_cast<std::uint32_t>(coordinate.size()));
  for (std::uint32_t col = 0; col < basis.size(); ++col)
    for (const auto& e : basis[col].entries()) {
      const auto i = static_cast<std::uint32_t>(e.row), j = static_cast<std::uint32_t>(e.col);
      for (std::uint32_t k = 0; k < n; ++k) {
        if (const auto found = coordinate.find({k, j}); found != coordinate.end())
          node.linear.push_back({k, i, found->second, col, e.value});
        if (const auto found = coordinate.find({i, k}); found != coordinate.end())
          node.linear.push_back({j, k, found->second, col, -e.value});
      }
    }
}

}  // namespace

const ContinuousGroup& ContinuousRepresentation::group() const { return node_->group; }
std::uint64_t ContinuousRepresentation::dimension() const { return node_->dimension; }

std::pair<std::uint64_t, ContinuousRepresentation> ContinuousRepresentation::as_multiple() const {
  if (node_->kind != Kind::multiple) return {1, *this};
  return {node_->number, ContinuousRepresentation(node_->parts[0])};
}

std::vector<std::pair<std::uint64_t, ContinuousRepresentation>> ContinuousRepresentation::summands() const {
  if (dimension() == 0) return {};
  if (node_->kind != Kind::sum) return {as_multiple()};
  std::vector<std::pair<std::uint64_t, ContinuousRepresentation>> out;
  for (const auto& part : node_->parts)
    for (auto& summand : ContinuousRepresentation(part).summands()) out.push_back(std::move(summand));
  return out;
}

std::vector<std::pair<std::uint64_t, ContinuousRepresentation>> ContinuousRepresentation::parts() const {
  std::vector<std::pair<std::uint64_t, ContinuousRepresentation>> out;
  for (auto& summand : summands()) {
    if (!out.empty() && out.back().first == 1 && summand.first == 1)
      out.back().second = out.back().second + summand.second;
    else
      out.push_back(std::move(summand));
  }
  return out;
}

namespace {

/// "[[0,-1/2],[1/2,0]]" of each.
std::vector<std::string> matrix_texts(const ContinuousNode& node) {
  std::vector<std::string> out;
  for (const SparseMatrix& A : node.given->images) {
    std::vector<std::vector<std::string>> rows(node.dimension, std::vector<std::string>(node.dimension, "0"));
    for (const auto& e : given_entries(A, node.given->field).entries)
      rows[e.row][e.col] = intertwine::to_string(e.value);
    std::string text;
    for (const auto& row : rows) text += fmt::format("{}[{}]", text.empty() ? "" : ",", fmt::join(row, ","));
    out.push_back("[" + text + "]");
  }
  return out;
}

/// The name of a complex module, which stands for itself where it is real.
std::string real_text(std::string name, bool is_real) {
  return is_real ? std::move(name) : "real(" + std::move(name) + ")";
}

/// Two complex conjugate modules in one real one: a partition of n/2 rows of a connected orthogonal group.
bool has_both_halves(const ContinuousNode& node) {
  const ClassicalGroup& G = node.classical();
  return G.is_orthogonal() && G.family() != ClassicalGroup::Family::O && G.dimension() % 2 == 0 &&
         node.number == 0 && 2 * node.shape.length() == static_cast<int>(G.dimension());
}

/// How tightly the text binds: 0 a sum, 1 an external product, 2 a product or a multiple, 3 a power, 4 an atom.
std::string text_of(const ContinuousNode& node, int least);

std::string irrep_text(const ContinuousNode& node) {
  if (node.number == real_form_number) return "realform(" + text_of(*node.parts[0]->parts[0], 0) + ")";
  if (node.number >= spin_irrep_number) {
    const unsigned type = node.classical().dimension() % 8;
    return real_text(fmt::format("irrep([{}])", fmt::join(spin_highest_weights(node).front(), ",")),
                     type == 0 || type == 1 || type == 7);
  }
  std::vector<int> rows = node.shape.parts();
  if (node.number == 2) rows.back() = -rows.back();
  return real_text(fmt::format("irrep([{}] as partition)", fmt::join(rows, ",")), !has_both_halves(node)) +
         (node.number == 3 ? " of -X^T" : "");
}

std::string spinor_text(const ContinuousNode& node) {
  const unsigned type = node.classical().dimension() % 8;
  return real_text(node.number == 0   ? "spinor"
                   : node.number == 1 ? "spinor(+)"
                                      : "spinor(-)",
                   type < 3 || type > 5);
}

std::string text_of(const ContinuousNode& node, int least) {
  std::string text;
  int binds = 4;
  const auto join = [&](const char* between, int inner) {
    for (const auto& part : node.parts) text += (text.empty() ? "" : between) + text_of(*part, inner);
  };
  switch (node.kind) {
    case Kind::trivial:
      text = "trivial";
      break;
    case Kind::vector:
      text = "vector";
      break;
    case Kind::determinant:
      text = "det";
      break;
    case Kind::harmonic:
      text = fmt::format("harmonic({})", node.number);
      break;
    case Kind::irrep:
      text = irrep_text(node);
      break;
    case Kind::spinor:
      text = spinor_text(node);
      break;
    case Kind::adjoint:
      text = node.number == 0 ? "adjoint" : "adjoint of -X^T";
      break;
    case Kind::given:
      text =
          fmt::format("rep([{}]){}", fmt::join(matrix_texts(node), ","), node.number == 0 ? "" : " of -X^T");
      break;
    case Kind::finite:
      text = node.finite->to_string(TextForm::checked);
      if (text.find_first_of("+#") != std::string::npos) text = "(" + text + ")";
      break;
    case Kind::dual:
      text = "dual(" + text_of(*node.parts[0], 0) + ")";
      break;
    case Kind::sym:
      text = fmt::format("sym({}, {})", node.number, text_of(*node.parts[0], 0));
      break;
    case Kind::alt:
      text = fmt::format("alt({}, {})", node.number, text_of(*node.parts[0], 0));
      break;
    case Kind::schur:
      text = fmt::format("schur({}, {})", to_string(node.shape), text_of(*node.parts[0], 0));
      break;
    case Kind::real:
      text = "real(" + text_of(*node.parts[0], 0) + ")";
      break;
    case Kind::sum:
      join(" + ", 1), binds = 0;
      break;
    case Kind::external:
      join(" # ", 2), binds = 1;
      break;
    case Kind::multiple:
      text = fmt::format("{}*{}", node.number, text_of(*node.parts[0], 3)), binds = 2;
      break;
    case Kind::product:
      join("*", 3), binds = 2;
      break;
    case Kind::power:
      text = fmt::format("{}^{}", text_of(*node.parts[0], 4), node.number), binds = 3;
      break;
  }
  return binds < least ? "(" + text + ")" : text;
}

}  // namespace

std::string ContinuousRepresentation::to_string() const { return text_of(*node_, 0); }

bool operator==(const ContinuousRepresentation& V, const ContinuousRepresentation& U) {
  return V.node_ == U.node_ || (V.group() == U.group() && V.to_string() == U.to_string());
}

ContinuousRepresentation trivial_representation(const ContinuousGroup& G) {
  return made(node_of(Kind::trivial, G, 1));
}

ContinuousRepresentation natural_representation(const ContinuousGroup& G, bool real) {
  std::vector<ContinuousRepresentation> operands;
  for (const ContinuousGroup::Factor& factor : G.factors()) {
    if (const auto* finite = std::get_if<FiniteGroup>(&factor))
      operands.push_back(finite_representation(natural_permutation_representation(*finite)));
    else
      operands.push_back(made(
          node_of(Kind::vector, ContinuousGroup({factor}), std::get<ClassicalGroup>(factor).dimension())));
    if (real) operands.back() = restriction_of_scalars(operands.back());
  }
  return G.is_product() ? external_product(G, operands) : operands.front();
}

ContinuousRepresentation determinant_representation(const ContinuousGroup& G) {
  only_classical(G, "det");
  return made(node_of(Kind::determinant, G, 1));
}

ContinuousRepresentation adjoint_representation(const ContinuousGroup& G) {
  const ClassicalGroup& classical = only_classical(G, "adjoint");
  const ContinuousRepresentation V = natural_representation(G);
  const bool symplectic = classical.family() == ClassicalGroup::Family::Sp;
  const ContinuousRepresentation whole = classical.is_orthogonal() ? alt(2, V)
                                         : symplectic              ? sym(2, V)
                                                                   : V * dual(V);
  const std::vector<SparseMatrix> basis = classical.lie_algebra();
  ContinuousNode node = node_of(Kind::adjoint, G, basis.size(), {whole.handle()});
  fill_adjoint(node, basis);
  return made(std::move(node));
}

ContinuousRepresentation harmonic_representation(const ContinuousGroup& G, unsigned degree) {
  const ClassicalGroup& classical = only_classical(G, "harmonic(l)");
  if (!classical.is_orthogonal())
    throw DomainError(
        fmt::format("harmonic(l) is a representation of orthogonal groups, not of {}", G.name()));
  require_degree(degree, "harmonic(l)");
  const std::uint64_t n = classical.dimension();
  const std::uint64_t all = bounded_binomial(n + degree - 1, degree),
                      trace = degree < 2 ? 0 : bounded_binomial(n + degree - 3, degree - 2);
  functor_dimension(all / (n < 4 ? 4 : 1), "harmonic(l)");  // Sym^l is written down on the way
  ContinuousNode node = node_of(Kind::harmonic, G, functor_dimension(all - trace, "harmonic(l)"), {}, degree);
  fill_harmonic(node);
  return made(std::move(node));
}

ContinuousRepresentation finite_representation(const Representation& V) {
  if (V.dimension() > largest_dimension) too_large();
  ContinuousNode node = node_of(Kind::finite, ContinuousGroup({V.group()}), V.dimension());
  node.finite = V;
  return made(std::move(node));
}

ContinuousRepresentation external_product(const ContinuousGroup& G,
                                          const std::vector<ContinuousRepresentation>& V) {
  if (V.size() != G.factors().size())
    throw DomainError(fmt::format("{} has {} factors, and {} representations are joined by #", G.name(),
                                  G.factors().size(), V.size()));
  std::uint64_t dimension = 1;
  ContinuousNodes parts;
  for (std::size_t k = 0; k < V.size(); ++k) {
    if (V[k].group().is_product() || !(V[k].group().factors().front() == G.factors()[k]))
      throw DomainError(
          fmt::format("representation {} of an external product belongs to {}, not to factor {} of {}", k + 1,
                      V[k].group().name(), k + 1, G.name()));
    dimension = bounded_product(dimension, V[k].dimension());
    parts.push_back(V[k].handle());
  }
  require_one_kind_of_scalars(V);
  return made(node_of(Kind::external, G, dimension, std::move(parts)));
}

ContinuousRepresentation operator+(const ContinuousRepresentation& V, const ContinuousRepresentation& W) {
  require_same(V, W);
  if (V.dimension() + W.dimension() > largest_dimension) too_large();
  ContinuousNodes parts;
  for (const auto* side : {&V, &W}) {
    if (side->node().kind == Kind::sum)
      parts.insert(parts.end(), side->node().parts.begin(), side->node().parts.end());
    else
      parts.push_back(side->handle());
  }
  return made(node_of(Kind::sum, V.group(), V.dimension() + W.dimension(), std::move(parts)));
}

ContinuousRepresentation operator*(const ContinuousRepresentation& V, const ContinuousRepresentation& W) {
  require_same(V, W);
  ContinuousNodes parts;
  for (const auto* side : {&V, &W}) {
    if (side->node().kind == Kind::product)
      parts.insert(parts.end(), side->node().parts.begin(), side->node().parts.end());
    else
      parts.push_back(side->handle());
  }
  return made(
      node_of(Kind::product, V.group(), bounded_product(V.dimension(), W.dimension()), std::move(parts)));
}

ContinuousRepresentation operator*(std::uint64_t k, const ContinuousRepresentation& V) {
  return made(node_of(Kind::multiple, V.group(), bounded_product(k, V.dimension()), {V.handle()}, k));
}

ContinuousRepresentation tensor_power(const ContinuousRepresentation& V, unsigned k) {
  std::uint64_t dimension = 1;
  for (unsigned j = 0; j < k && V.dimension() > 1; ++j) dimension = bounded_product(dimension, V.dimension());
  if (V.dimension() == 0 && k > 0) dimension = 0;
  require_degree(k, "V^k");
  return made(node_of(Kind::power, V.group(), dimension, {V.handle()}, k));
}

ContinuousRepresentation dual(const ContinuousRepresentation& V) {
  return made(node_of(Kind::dual, V.group(), V.dimension(), {V.handle()}));
}

ContinuousRepresentation sym(unsigned k, const ContinuousRepresentation& V) {
  require_degree(k, "sym(k, V)");
  const std::uint64_t n = V.dimension(), d = n == 0 ? (k == 0 ? 1 : 0) : bounded_binomial(n + k - 1, k);
  return made(node_of(Kind::sym, V.group(), functor_dimension(V, d, "sym(k, V)"), {V.handle()}, k));
}

ContinuousRepresentation alt(unsigned k, const ContinuousRepresentation& V) {
  const std::uint64_t d = functor_dimension(V, bounded_binomial(V.dimension(), k), "alt(k, V)");
  return made(node_of(Kind::alt, V.group(), d, {V.handle()}, k));
}

std::optional<PowerOf<ContinuousRepresentation>> power_of(const ContinuousRepresentation& V) {
  const ContinuousNode& node = V.node();
  if (node.kind == Kind::finite) {
    const auto power = power_of(*node.finite);
    if (!power) return {};
    return PowerOf<ContinuousRepresentation>{finite_representation(power->base), power->exponent,
                                             power->symmetric};
  }
  if (node.kind != Kind::sym && node.kind != Kind::alt) return {};
  return PowerOf<ContinuousRepresentation>{ContinuousRepresentation(node.parts[0]),
                                           static_cast<unsigned>(node.number), node.kind == Kind::sym};
}

ContinuousRepresentation schur_power(const Partition& shape, const ContinuousRepresentation& V,
                                     const Task& task) {
  constexpr std::uint64_t largest_base = 1000;
  if (V.dimension() > largest_base)
    throw LimitError(fmt::format("schur({}, V) takes V of dimension at most {} here, not {}",
                                 to_string(shape), largest_base, V.dimension()));
  const Integer d = SchurFunctor(shape).dimension(static_cast<int>(V.dimension()));
  if (d > largest_dimension) too_large();
  ContinuousNode node =
      node_of(Kind::schur, V.group(), functor_dimension(V, static_cast<std::uint64_t>(d), "schur(shape, V)"),
              {V.handle()});
  node.shape = shape;
  task.poll();
  return made(std::move(node));
}

}  // namespace intertwine
