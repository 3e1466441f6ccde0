// Representations of continuous groups as expressions.
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/classical/continuous_power.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <map>

#include "continuous_node.hpp"
#include "intertwine/classical/linear_molecules.hpp"
#include "intertwine/combinatorics/exponents.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/schur_functor.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine {

namespace {

using Node = ContinuousNode;
constexpr std::uint64_t largest_dimension = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void too_large() {
  throw LimitError(
      fmt::format("the representation has more than {} dimensions, the most that tables have", largest_dimension));
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
    throw LimitError(fmt::format("{} has dimension {}; functors of continuous groups have at most {}", what, d,
                                 ContinuousRepresentation::max_functor_dimension));
  return d;
}

void require_degree(unsigned k, const char* what) {
  constexpr unsigned most = 200;
  if (k > most) throw LimitError(fmt::format("{} has the degree {}; degrees are at most {} here", what, k, most));
}

const ClassicalGroup& only_classical(const ContinuousGroup& G, const char* what) {
  if (G.is_product() || !std::holds_alternative<ClassicalGroup>(G.factors().front()))
    throw DomainError(fmt::format(
        "{} belongs to one classical group, not to {}; join the representations of the factors by #", what, G.name()));
  return std::get<ClassicalGroup>(G.factors().front());
}

/// Checks the dimension d of sym, alt or schur of V. Functors over products of groups are sums of functors of the
/// factors, found without eliminations of their size.
std::uint64_t functor_dimension(const ContinuousRepresentation& V, std::uint64_t d, const char* what) {
  if (V.group().is_product()) {
    if (d > ContinuousRepresentation::max_product_functor_dimension)
      throw LimitError(fmt::format("{} has dimension {}; functors over products of groups have at most {}", what, d,
                                   ContinuousRepresentation::max_product_functor_dimension));
    return d;
  }
  only_classical(V.group(), what);
  return functor_dimension(d, what);
}

void require_same(const ContinuousRepresentation& V, const ContinuousRepresentation& W) {
  if (!(V.group() == W.group()))
    throw DomainError(
        fmt::format("the representations belong to different groups, {} and {}", V.group().name(), W.group().name()));
  static_cast<void>(common_scalars(V, W));
}

/// The parts of both, one after the other, of sums or products themselves.
template <class Operation>
ContinuousNodes joined_parts(const ContinuousRepresentation& V, const ContinuousRepresentation& W) {
  ContinuousNodes parts;
  for (const ContinuousRepresentation* side : {&V, &W}) {
    if (side->node().is<Operation>())
      parts.insert(parts.end(), side->node().parts.begin(), side->node().parts.end());
    else
      parts.push_back(side->handle());
  }
  return parts;
}

Partition row(unsigned k) { return k == 0 ? Partition() : Partition({static_cast<int>(k)}); }

ContinuousRepresentation functor(Node::Functor::Name name, const Partition& shape, const ContinuousRepresentation& V,
                                 std::uint64_t dimension) {
  return made({Node::Functor{name, shape}, V.group(), dimension, {V.handle()}});
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
Node::Submodule harmonic_module(const ClassicalGroup& G, unsigned degree) {
  const unsigned n = G.dimension();
  const auto exponents = exponents_of(n, degree);
  std::map<std::vector<unsigned>, std::uint32_t> place;
  for (std::size_t m = 0; m < exponents.size(); ++m) place.emplace(exponents[m], static_cast<std::uint32_t>(m));
  Node::Submodule module;
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
  return module;
}

/// ad(X) B = X B - B X in the basis of the Lie algebra; a coordinate is the entry at the first place of its basis
/// vector.
Node::Adjoint adjoint_action(const std::vector<SparseMatrix>& basis, std::uint32_t n) {
  Node::Adjoint out;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> coordinate;
  for (const SparseMatrix& B : basis)
    coordinate.emplace(std::pair(B.entries()[0].row, B.entries()[0].col),
                       static_cast<std::uint32_t>(coordinate.size()));
  for (std::uint32_t col = 0; col < basis.size(); ++col)
    for (const auto& e : basis[col].entries()) {
      const auto i = static_cast<std::uint32_t>(e.row), j = static_cast<std::uint32_t>(e.col);
      for (std::uint32_t k = 0; k < n; ++k) {
        if (const auto found = coordinate.find({k, j}); found != coordinate.end())
          out.entries.push_back({k, i, found->second, col, e.value});
        if (const auto found = coordinate.find({i, k}); found != coordinate.end())
          out.entries.push_back({j, k, found->second, col, -e.value});
      }
    }
  return out;
}

}  // namespace

const ContinuousGroup& ContinuousRepresentation::group() const { return node_->group; }
std::uint64_t ContinuousRepresentation::dimension() const { return node_->dimension; }

std::pair<std::uint64_t, ContinuousRepresentation> ContinuousRepresentation::as_multiple() const {
  const auto* multiple = node_->as<Node::Multiple>();
  if (multiple == nullptr) return {1, *this};
  return {multiple->times, ContinuousRepresentation(node_->parts[0])};
}

std::vector<std::pair<std::uint64_t, ContinuousRepresentation>> ContinuousRepresentation::summands() const {
  if (dimension() == 0) return {};
  if (!node_->is<Node::Sum>()) return {as_multiple()};
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
std::vector<std::string> matrix_texts(const Node::GivenMatrices& given, std::uint64_t dimension) {
  std::vector<std::string> out;
  for (const SparseMatrix& A : given.images) {
    std::vector<std::vector<std::string>> rows(dimension, std::vector<std::string>(dimension, "0"));
    for (const auto& e : given_entries(A, given.field).entries) rows[e.row][e.col] = intertwine::to_string(e.value);
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

std::string irrep_text(const Node& node, const Node::Irrep& irrep) {
  const ClassicalGroup& G = node.classical();
  const unsigned n = G.dimension();
  if (irrep.is_spin)
    return real_text(
        fmt::format("irrep([{}])", fmt::join(spin_highest_weights(irrep.shape, irrep.half, n).front(), ",")),
        n % 8 == 0 || n % 8 == 1 || n % 8 == 7);
  std::vector<int> rows = irrep.shape.parts();
  if (irrep.half < 0) rows.back() = -rows.back();
  // Two complex conjugate modules in one real one: a partition of n/2 rows of a connected orthogonal group.
  const bool both = G.is_orthogonal() && G.family() != ClassicalGroup::Family::O && n % 2 == 0 && irrep.half == 0 &&
                    !irrep.is_twisted && 2 * irrep.shape.length() == static_cast<int>(n);
  return real_text(fmt::format("irrep([{}] as partition)", fmt::join(rows, ",")), !both) +
         (irrep.is_twisted ? " of -X^T" : "");
}

std::string spinor_text(int half, unsigned n) {
  return real_text(half == 0 ? "spinor" : half > 0 ? "spinor(+)" : "spinor(-)", n % 8 < 3 || n % 8 > 5);
}

/// Its text, in parentheses where it binds less tightly than `least`: 0 a sum, 1 an external product, 2 a product or a
/// multiple, 3 a power, 4 an atom.
std::string text_of(const Node& node, int least) {
  if (!node.written.empty()) return node.written;
  const auto part = [&](int inner) { return text_of(*node.parts[0], inner); };
  const auto all = [&](const char* between, int inner) {
    std::string text;
    for (const auto& one : node.parts) text += (text.empty() ? "" : between) + text_of(*one, inner);
    return text;
  };
  int binds = 4;
  std::string text = std::visit(
      Overloaded{[](const Node::Trivial&) { return std::string("trivial"); },
                 [](const Node::Vector&) { return std::string("vector"); },
                 [](const Node::Determinant&) { return std::string("det"); },
                 [](const Node::Harmonic& own) { return fmt::format("harmonic({})", own.degree); },
                 [&](const Node::Irrep& own) { return irrep_text(node, own); },
                 [&](const Node::RealForm&) { return "realform(" + text_of(*node.parts[0]->parts[0], 0) + ")"; },
                 [&](const Node::Spinor& own) { return spinor_text(own.half, node.classical().dimension()); },
                 [](const Node::Adjoint& own) { return std::string(own.is_twisted ? "adjoint of -X^T" : "adjoint"); },
                 [&](const Node::Given& own) {
                   return fmt::format("rep([{}]){}", fmt::join(matrix_texts(*own.matrices, node.dimension), ","),
                                      own.is_twisted ? " of -X^T" : "");
                 },
                 [](const Node::Finite& own) {
                   const std::string name = own.V.to_string(TextForm::checked);
                   return name.find_first_of("+#") == std::string::npos ? name : "(" + name + ")";
                 },
                 [&](const Node::Dual&) { return "dual(" + part(0) + ")"; },
                 [&](const Node::Real&) { return "real(" + part(0) + ")"; },
                 [&](const Node::Functor& own) {
                   using Name = Node::Functor::Name;
                   return own.name == Name::schur
                              ? fmt::format("schur({}, {})", to_string(own.shape), part(0))
                              : fmt::format("{}({}, {})", own.name == Name::sym ? "sym" : "alt", own.degree(), part(0));
                 },
                 [&](const Node::Sum&) { return binds = 0, all(" + ", 1); },
                 [&](const Node::External&) { return binds = 1, all(" # ", 2); },
                 [&](const Node::Multiple& own) { return binds = 2, fmt::format("{}*{}", own.times, part(3)); },
                 [&](const Node::Product&) { return binds = 2, all("*", 3); },
                 [&](const Node::Power& own) { return binds = 3, fmt::format("{}^{}", part(4), own.exponent); }},
      node.form);
  return binds < least ? "(" + text + ")" : text;
}

}  // namespace

std::string ContinuousRepresentation::to_string() const { return text_of(*node_, 0); }

bool operator==(const ContinuousRepresentation& V, const ContinuousRepresentation& U) {
  return V.node_ == U.node_ || (V.group() == U.group() && V.to_string() == U.to_string());
}

ContinuousRepresentation trivial_representation(const ContinuousGroup& G) { return made({Node::Trivial{}, G, 1}); }

ContinuousRepresentation natural_representation(const ContinuousGroup& G, bool real) {
  if (const auto centre = centre_of_linear_molecule(G)) return axial_harmonic(*centre, 1);
  std::vector<ContinuousRepresentation> operands;
  for (const ContinuousGroup::Factor& factor : G.factors()) {
    if (const auto* finite = std::get_if<FiniteGroup>(&factor))
      operands.push_back(finite_representation(natural_permutation_representation(*finite)));
    else
      operands.push_back(
          made({Node::Vector{}, ContinuousGroup({factor}), std::get<ClassicalGroup>(factor).dimension()}));
    if (real) operands.back() = restriction_of_scalars(operands.back());
  }
  return G.is_product() ? external_product(G, operands) : operands.front();
}

ContinuousRepresentation determinant_representation(const ContinuousGroup& G) {
  only_classical(G, "det");
  return made({Node::Determinant{}, G, 1});
}

ContinuousRepresentation adjoint_representation(const ContinuousGroup& G) {
  const ClassicalGroup& classical = only_classical(G, "adjoint");
  const ContinuousRepresentation V = natural_representation(G);
  const bool symplectic = classical.family() == ClassicalGroup::Family::Sp;
  const ContinuousRepresentation whole = classical.is_orthogonal() ? alt(2, V) : symplectic ? sym(2, V) : V * dual(V);
  const std::vector<SparseMatrix> basis = classical.lie_algebra();
  return made({adjoint_action(basis, classical.dimension()), G, basis.size(), {whole.handle()}});
}

ContinuousRepresentation harmonic_representation(const ContinuousGroup& G, unsigned degree) {
  const ClassicalGroup& classical = only_classical(G, "harmonic(l)");
  if (!classical.is_orthogonal())
    throw DomainError(fmt::format("harmonic(l) is a representation of orthogonal groups, not of {}", G.name()));
  require_degree(degree, "harmonic(l)");
  const std::uint64_t n = classical.dimension();
  const std::uint64_t all = bounded_binomial(n + degree - 1, degree),
                      trace = degree < 2 ? 0 : bounded_binomial(n + degree - 3, degree - 2);
  functor_dimension(all / (n < 4 ? 4 : 1), "harmonic(l)");  // Sym^l is written down on the way
  const std::uint64_t d = functor_dimension(all - trace, "harmonic(l)");
  const ContinuousRepresentation power = functor(Node::Functor::Name::sym, row(degree), natural_representation(G), all);
  return made({Node::Harmonic{Node::PartOf(harmonic_module(classical, degree)), degree}, G, d, {power.handle()}});
}

ContinuousRepresentation finite_representation(const Representation& V) {
  if (V.dimension() > largest_dimension) too_large();
  return made({Node::Finite{V}, ContinuousGroup({V.group()}), V.dimension()});
}

ContinuousRepresentation external_product(const ContinuousGroup& G, const std::vector<ContinuousRepresentation>& V) {
  if (V.size() != G.factors().size())
    throw DomainError(fmt::format("{} has {} factors, and {} representations are joined by #", G.name(),
                                  G.factors().size(), V.size()));
  std::uint64_t dimension = 1;
  ContinuousNodes parts;
  for (std::size_t k = 0; k < V.size(); ++k) {
    if (V[k].group().is_product() || !(V[k].group().factors().front() == G.factors()[k]))
      throw DomainError(fmt::format("representation {} of an external product belongs to {}, not to factor {} of {}",
                                    k + 1, V[k].group().name(), k + 1, G.name()));
    dimension = bounded_product(dimension, V[k].dimension());
    parts.push_back(V[k].handle());
  }
  require_one_kind_of_scalars(V);
  return made({Node::External{}, G, dimension, std::move(parts)});
}

ContinuousRepresentation renamed(const ContinuousRepresentation& V, const ContinuousGroup& G, std::string name) {
  if (V.group().factors() != G.factors())
    throw DomainError(fmt::format("renamed: {} and {} have different factors", V.group().name(), G.name()));
  Node node = V.node();
  node.group = G;
  node.written = std::move(name);
  return made(std::move(node));
}

ContinuousRepresentation operator+(const ContinuousRepresentation& V, const ContinuousRepresentation& W) {
  require_same(V, W);
  if (V.dimension() + W.dimension() > largest_dimension) too_large();
  return made({Node::Sum{}, V.group(), V.dimension() + W.dimension(), joined_parts<Node::Sum>(V, W)});
}

ContinuousRepresentation operator*(const ContinuousRepresentation& V, const ContinuousRepresentation& W) {
  require_same(V, W);
  const std::uint64_t d = bounded_product(V.dimension(), W.dimension());
  return made({Node::Product{}, V.group(), d, joined_parts<Node::Product>(V, W)});
}

ContinuousRepresentation operator*(std::uint64_t k, const ContinuousRepresentation& V) {
  return made({Node::Multiple{k}, V.group(), bounded_product(k, V.dimension()), {V.handle()}});
}

ContinuousRepresentation tensor_power(const ContinuousRepresentation& V, unsigned k) {
  std::uint64_t dimension = 1;
  for (unsigned j = 0; j < k && V.dimension() > 1; ++j) dimension = bounded_product(dimension, V.dimension());
  if (V.dimension() == 0 && k > 0) dimension = 0;
  require_degree(k, "V^k");
  return made({Node::Power{k}, V.group(), dimension, {V.handle()}});
}

ContinuousRepresentation dual(const ContinuousRepresentation& V) {
  return made({Node::Dual{}, V.group(), V.dimension(), {V.handle()}});
}

ContinuousRepresentation sym(unsigned k, const ContinuousRepresentation& V) {
  require_degree(k, "sym(k, V)");
  const std::uint64_t n = V.dimension(), d = n == 0 ? (k == 0 ? 1 : 0) : bounded_binomial(n + k - 1, k);
  return functor(Node::Functor::Name::sym, row(k), V, functor_dimension(V, d, "sym(k, V)"));
}

ContinuousRepresentation alt(unsigned k, const ContinuousRepresentation& V) {
  const std::uint64_t d = functor_dimension(V, bounded_binomial(V.dimension(), k), "alt(k, V)");
  return functor(Node::Functor::Name::alt, row(k).conjugate(), V, d);
}

std::optional<PowerOf<ContinuousRepresentation>> power_of(const ContinuousRepresentation& V) {
  const ContinuousNode& node = V.node();
  if (const auto* finite = node.as<Node::Finite>()) {
    const auto power = power_of(finite->V);
    if (!power) return {};
    return PowerOf<ContinuousRepresentation>{finite_representation(power->base), power->exponent, power->symmetric};
  }
  const auto* own = node.as<Node::Functor>();
  if (own == nullptr || own->name == Node::Functor::Name::schur) return {};
  return PowerOf<ContinuousRepresentation>{ContinuousRepresentation(node.parts[0]), own->degree(),
                                           own->name == Node::Functor::Name::sym};
}

ContinuousRepresentation schur_power(const Partition& shape, const ContinuousRepresentation& V, const Task& task) {
  constexpr std::uint64_t largest_base = 1000;
  if (V.dimension() > largest_base)
    throw LimitError(fmt::format("schur({}, V) takes V of dimension at most {} here, not {}", to_string(shape),
                                 largest_base, V.dimension()));
  const Integer d = SchurFunctor(shape).dimension(static_cast<int>(V.dimension()));
  if (d > largest_dimension) too_large();
  task.poll();
  return functor(Node::Functor::Name::schur, shape, V,
                 functor_dimension(V, static_cast<std::uint64_t>(d), "schur(shape, V)"));
}

}  // namespace intertwine
