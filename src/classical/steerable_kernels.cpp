// Steerable kernels on R^n under classical groups.
#include "intertwine/classical/steerable_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "continuous_functors.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/classical/orthonormal_form.hpp"
#include "intertwine/combinatorics/exponents.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine {

namespace {

using Node = ContinuousNode;
using Family = ClassicalGroup::Family;

/// The names of the factors of H, but `text` for factor number `factor`.
std::string product_name(const ContinuousGroup& H, std::size_t factor, const std::string& text) {
  std::string name;
  for (std::size_t f = 0; f < H.factors().size(); ++f)
    name += (f == 0 ? "" : " x ") + (f == factor ? text : ContinuousGroup({H.factors()[f]}).name());
  return name;
}

/// V restricted to the stabilizer of the last axis: SO(n), O(n) or Spin(n) in factor number `factor` becomes that of n
/// - 1. Spin(2) is the circle that covers SO(2) twice: SO(2) by name, whose vector is a half turn for every turn of the
/// plane.
class StabilizerRestriction {
 public:
  StabilizerRestriction(const EuclideanGroup& group, const Task& task)
      : factor_(group.factor()),
        task_(task),
        is_double_circle_(group.rotations() == ClassicalGroup(Family::Spin, 3)),
        single_({smaller(group.rotations())}),
        all_(replaced(group)) {}

  ContinuousRepresentation of(const Node& node) const { return of(node, node.group.is_product() ? all_ : single_); }
  std::string name() const { return is_double_circle_ ? product_name(all_, factor_, "Spin(2)") : all_.name(); }

 private:
  ClassicalGroup smaller(const ClassicalGroup& G) const {
    return {is_double_circle_ ? Family::SO : G.family(), G.dimension() - 1};
  }
  ContinuousGroup replaced(const EuclideanGroup& group) const {
    auto factors = group.point_group().factors();
    factors[factor_] = single_.factors().front();
    return ContinuousGroup(std::move(factors));
  }
  /// The harmonic polynomials in n variables of degree l: by their degree in the other n - 1.
  ContinuousRepresentation harmonics(unsigned l) const {
    if (std::get<ClassicalGroup>(single_.factors().front()).dimension() == 1)  // C + C x, and no more
      return l == 0 ? trivial_representation(single_)
                    : trivial_representation(single_) + natural_representation(single_);
    const unsigned turns = is_double_circle_ ? 2 : 1;
    ContinuousRepresentation sum = harmonic_representation(single_, 0);
    for (unsigned k = 1; k <= l; ++k) sum = sum + harmonic_representation(single_, turns * k);
    return sum;
  }
  /// The module of n is one of n - 1, which has no other but what a reflection makes of it, and then both as often.
  ContinuousRepresentation spinors(std::uint64_t dimension) const {
    const ContinuousRepresentation S =
        is_double_circle_ ? natural_representation(single_) : spinor_representation(single_);
    return dimension / S.dimension() * S;
  }
  /// The irreducible representations of n - 1 whose partitions interlace with that of n [Weyl 1946]; of O(n) those
  /// whose diagrams lack a horizontal strip.
  ContinuousRepresentation interlacing(const ClassicalGroup& G, const Node::Irrep& irrep) const {
    if (irrep.is_spin)
      throw DomainError(
          "of fields with half-integral weights kernels are found for spinor, spinor(+) and spinor(-) alone, "
          "and products with them");
    const int n = static_cast<int>(G.dimension());
    const bool whole = G.family() == ClassicalGroup::Family::O;
    const int rows = whole ? irrep.shape.length() : std::min(n / 2, (n - 1) / 2);
    std::vector<int> mu(static_cast<std::size_t>(rows));
    std::optional<ContinuousRepresentation> sum;
    const auto add = [&] {
      const Partition label(mu), columns = label.conjugate();
      if (whole && columns[0] + columns[1] > n - 1) return;
      // With both halves of SO(2m) each label of SO(2m - 1) occurs twice; a half of SO(2m) in SO(2m + 1) has the other
      // beside it.
      const bool twice = !whole && n % 2 == 0 && irrep.half == 0 && irrep.shape.length() == n / 2;
      ContinuousRepresentation V = irreducible_representation(single_, label.parts(), task_);
      if (twice) V = 2 * V;
      sum = sum ? *sum + V : V;
      if (whole || n % 2 == 0 || label.length() < rows) return;
      std::vector<int> other = label.parts();
      other.back() = -other.back();
      if (const auto W = irreducible_representation(single_, other, task_); !(W == V)) sum = *sum + W;
    };
    const auto choose = [&](const auto& self, int k) -> void {
      if (k == rows) return add();
      for (mu[static_cast<std::size_t>(k)] = irrep.shape[k]; mu[static_cast<std::size_t>(k)] >= irrep.shape[k + 1];
           --mu[static_cast<std::size_t>(k)])
        self(self, k + 1);
    };
    choose(choose, 0);
    return *sum;
  }
  ContinuousRepresentation of(const Node& node, const ContinuousGroup& G) const {
    const auto part = [&](std::size_t k) { return of(*node.parts[k]); };
    if (auto functor = same_functor<ContinuousRepresentation>(node, part, task_)) return *functor;
    if (node.is<Node::Spinor>()) return spinors(node.dimension);
    if (const auto* own = node.as<Node::Harmonic>()) return harmonics(own->degree);
    if (const auto* own = node.as<Node::Irrep>()) return interlacing(node.classical(), *own);
    if (node.is<Node::Vector>()) return harmonics(1);
    if (node.is<Node::Determinant>()) return determinant_representation(G);
    if (node.is<Node::Adjoint>()) return part(0);
    if (!node.is<Node::External>()) return trivial_representation(G);
    std::vector<ContinuousRepresentation> parts;
    for (std::size_t k = 0; k < node.parts.size(); ++k)
      parts.push_back(k == factor_ ? of(*node.parts[k], single_) : ContinuousRepresentation(node.parts[k]));
    return external_product(G, parts);
  }
  std::size_t factor_;
  const Task& task_;
  bool is_double_circle_;
  ContinuousGroup single_, all_;
};

/// Harmonics of higher degree do not occur in V: it is contained in sums of products of so many vectors and of
/// determinants. A spinor counts as a vector, since two make one.
std::uint64_t degree_bound(const Node& node, std::size_t factor) {
  return additive_bound(node, factor, [](const Node& leaf) -> std::uint64_t {
    if (leaf.is<Node::Given>())
      throw DomainError(
          "fields are of representations that restrict to the stabilizer of a point by their expressions: "
          "write "
          "them by vector, harmonic(l) and irrep(..), not by matrices");
    return leaf.is<Node::Vector>() || leaf.is<Node::Spinor>() ? 1 : 0;
  });
}

/// harmonic(L) of the factor that turns space, trivial for the others.
ContinuousRepresentation harmonics_of(const EuclideanGroup& group, unsigned degree) {
  const ContinuousRepresentation H = harmonic_representation(ContinuousGroup({group.rotations()}), degree);
  if (!group.point_group().is_product()) return H;
  std::vector<ContinuousRepresentation> parts;
  for (const auto& factor : group.point_group().factors())
    parts.push_back(parts.size() == group.factor() ? H : trivial_representation(ContinuousGroup({factor})));
  return external_product(group.point_group(), parts);
}

/// eta_L(x) in the basis h_i of harmonic(L): the equivariant vector sum of f_k(x) f_k over an orthonormal basis. Row i
/// has its coordinate number i by its coefficients at monomials.
RationalMatrix harmonic_vector(const EuclideanGroup& group, unsigned degree, std::size_t monomials, const Task& task) {
  const ContinuousRepresentation H = harmonic_representation(ContinuousGroup({group.rotations()}), degree);
  OrthonormalForm form = orthonormal_form(H, PolarAxis::z, task);
  const auto d = static_cast<std::size_t>(H.dimension());
  std::vector<Rational> entries(d * monomials), scales(d * d);
  for (const auto& e : H.node().part_of()->submodule(task).entries) entries[e.col * monomials + e.monomial] = e.value;
  for (std::size_t k = 0; k < d; ++k) scales[k * d + k] = 1 / form.norms[k];
  return form.columns * RationalMatrix(d, d, scales) * form.columns.transpose() * RationalMatrix(d, monomials, entries);
}

/// The multiple with integers without a common factor, the first positive.
SparseMatrix primitive_multiple(const SparseMatrix& A) {
  Integer bottom = 1, content = 0;
  for (const auto& e : A.entries()) bottom = lcm(bottom, Integer(denominator(e.value)));
  for (const auto& e : A.entries()) content = gcd(content, Integer(numerator(e.value * Rational(bottom))));
  return Rational(A.entries().front().value < 0 ? Integer(-bottom) : bottom, content) * A;
}

/// W (eta_L(x) (x) 1).
SparseMatrix kernel_polynomial(const SparseMatrix& W, const RationalMatrix& eta, std::uint64_t m, std::uint64_t n) {
  std::vector<SparseMatrix::Entry> entries;
  for (const auto& e : W.entries())
    for (std::size_t a = 0; a < eta.cols(); ++a)
      if (eta.numerator().sign(e.col / n, a) != 0)
        entries.push_back({a, e.row * n + e.col % n, e.value * eta(e.col / n, a)});
  return primitive_multiple(SparseMatrix(eta.cols(), m * n, std::move(entries)));
}

/// The coefficients of one kernel, monomial by monomial, as maps V -> U.
std::vector<SparseMatrix> coefficient_maps(const SparseMatrix& kernel, std::uint64_t m, std::uint64_t n) {
  std::vector<std::vector<SparseMatrix::Entry>> entries(kernel.rows());
  for (const auto& e : kernel.entries()) entries[e.row].push_back({e.col / n, e.col % n, e.value});
  std::vector<SparseMatrix> out;
  for (auto& list : entries) out.emplace_back(m, n, std::move(list));
  return out;
}

/// The action of generators on kernels: rho_U(g) kappa(x) beside kappa(g x) rho_V(g), or the derivative of both.
class KernelCheck {
 public:
  KernelCheck(const SteerableKernels& kernels, const Task& task)
      : kernels_(kernels),
        left_(kernels.target.generator_matrices(task)),
        right_(kernels.source.generator_matrices(task)) {}

  void run(const SteerableKernels::Degree& part, std::size_t k, std::uint64_t number) const {
    const std::uint64_t m = kernels_.target.dimension(), n = kernels_.source.dimension();
    const auto maps = coefficient_maps(part.kernels[k], m, n);
    std::size_t g = 0;
    for (std::size_t f = 0; f < kernels_.group.point_group().factors().size(); ++f) {
      const auto& factor = kernels_.group.point_group().factors()[f];
      const bool turns = f == kernels_.group.factor();
      if (const auto* finite = std::get_if<FiniteGroup>(&factor)) {
        for (std::size_t i = 0; i < finite->generators().size(); ++i, ++g) fixed(maps, g, number);
        continue;
      }
      const auto& classical = std::get<ClassicalGroup>(factor);
      for (const SparseMatrix& X : classical.lie_generators())
        derivative(part, maps, turns ? &X : nullptr, g++, number);
      for (const std::vector<int>& signs : classical.component_generators()) {
        std::vector<SparseMatrix> turned = maps;
        for (std::size_t a = 0; a < maps.size() && turns; ++a) {
          int sign = 1;
          for (std::size_t i = 0; i < signs.size(); ++i)
            if (part.monomials[a][i] % 2 != 0) sign *= signs[i];
          turned[a] = Rational(sign) * maps[a];
        }
        compare(maps, turned, g++, number);
      }
    }
  }

 private:
  [[noreturn]] static void fail(std::size_t g, std::uint64_t number) {
    throw VerificationError(fmt::format("kernel {} (0-based) is not equivariant under generator {}", number, g));
  }
  void fixed(const std::vector<SparseMatrix>& maps, std::size_t g, std::uint64_t number) const {
    compare(maps, maps, g, number);
  }
  void compare(const std::vector<SparseMatrix>& maps, const std::vector<SparseMatrix>& turned, std::size_t g,
               std::uint64_t number) const {
    for (std::size_t a = 0; a < maps.size(); ++a)
      if (!(left_[g] * maps[a] == turned[a] * right_[g])) fail(g, number);
  }
  void derivative(const SteerableKernels::Degree& part, const std::vector<SparseMatrix>& maps, const SparseMatrix* X,
                  std::size_t g, std::uint64_t number) const {
    std::map<std::vector<unsigned>, SparseMatrix> defect;
    const auto add = [&](const std::vector<unsigned>& exponents, const SparseMatrix& A) {
      const auto [found, fresh] = defect.emplace(exponents, A);
      if (!fresh) found->second = found->second + A;
    };
    for (std::size_t a = 0; a < maps.size(); ++a) {
      if (maps[a].entries().empty()) continue;
      add(part.monomials[a], left_[g] * maps[a] + Rational(-1) * (maps[a] * right_[g]));
      if (X == nullptr) continue;
      for (const auto& e : X->entries()) {  // (X x)_p = sum of X(p, q) x_q
        const unsigned power = part.monomials[a][e.row];
        if (power == 0) continue;
        std::vector<unsigned> moved = part.monomials[a];
        --moved[e.row];
        ++moved[e.col];
        add(moved, Rational(-static_cast<long>(power)) * e.value * maps[a]);
      }
    }
    for (const auto& [exponents, A] : defect)
      if (!A.entries().empty()) fail(g, number);
  }

  const SteerableKernels& kernels_;
  std::vector<SparseMatrix> left_, right_;
};

/// Is the sum of the second derivatives of every entry 0?
bool is_harmonic(const SteerableKernels::Degree& part, const SparseMatrix& kernel) {
  std::map<std::pair<std::vector<unsigned>, std::uint64_t>, Rational> sums;
  for (const auto& e : kernel.entries())
    for_each_second_derivative(part.monomials[e.row], [&](std::size_t, const auto& less, std::uint64_t factor) {
      sums[{less, e.col}] += e.value * factor;
    });
  return std::all_of(sums.begin(), sums.end(), [](const auto& sum) { return sum.second == 0; });
}

bool kernels_are_independent(const SteerableKernels::Degree& part, const Task& task) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> places;
  for (const SparseMatrix& A : part.kernels)
    for (const auto& e : A.entries()) places.emplace(std::pair(e.row, e.col), places.size());
  std::vector<Rational> entries(part.kernels.size() * places.size());
  for (std::size_t k = 0; k < part.kernels.size(); ++k)
    for (const auto& e : part.kernels[k].entries()) entries[k * places.size() + places.at({e.row, e.col})] = e.value;
  return matrix_rank(RationalMatrix(part.kernels.size(), places.size(), entries), task) == part.kernels.size();
}

}  // namespace

EuclideanGroup::EuclideanGroup(ContinuousGroup H, std::size_t factor) : H_(std::move(H)), factor_(factor) {
  const auto* G = factor < H_.factors().size() ? std::get_if<ClassicalGroup>(&H_.factors()[factor]) : nullptr;
  if (G == nullptr || !G->is_orthogonal() || G->positive() != G->dimension())
    throw DomainError("a Euclidean group is given by the factor that turns R^n, which is SO(n), O(n) or Spin(n)");
  if (G->dimension() < 2)
    throw DomainError(
        fmt::format("kernels on R^{} have no angles; Euclidean groups start with n = 2 here", G->dimension()));
}

std::string EuclideanGroup::name() const {
  const Family family = rotations().family();
  return product_name(H_, factor_,
                      fmt::format("{}({})",
                                  family == Family::SO  ? "SE"
                                  : family == Family::O ? "E"
                                                        : "ISpin",
                                  dimension()));
}

std::uint64_t SteerableKernels::params() const {
  std::uint64_t sum = 0;
  for (const Degree& part : degrees) sum += part.params();
  return sum;
}

StabilizerCount count_by_stabilizer(const EuclideanGroup& group, const ContinuousRepresentation& V,
                                    const ContinuousRepresentation& U, const Task& task) {
  const StabilizerRestriction restriction(group, task);
  return {continuous_hom_dimension(restriction.of(V.node()), restriction.of(U.node()), task), restriction.name()};
}

SteerableKernels steerable_kernels(const EuclideanGroup& group, const ContinuousRepresentation& V,
                                   const ContinuousRepresentation& U, const Task& task) {
  for (const auto* side : {&V, &U})
    if (!(side->group() == group.point_group()))
      throw DomainError(fmt::format("{} is a representation of {}; kernels of {} take those of {}", side->to_string(),
                                    side->group().name(), group.name(), group.point_group().name()));
  const auto [in, source] = V.as_multiple();
  const auto [out_channels, target] = U.as_multiple();
  auto [count, stabilizer] = count_by_stabilizer(group, source, target, task);
  SteerableKernels out{group, source, target, {out_channels, in}, {}, std::move(count), std::move(stabilizer)};
  const std::uint64_t most = degree_bound(source.node(), group.factor()) + degree_bound(target.node(), group.factor());
  for (unsigned degree = 0; degree <= most && out.by_stabilizer.dimension > out.params(); ++degree) {
    task.progress("kernels by degree", degree, most + 1);
    const IntertwinerSpace maps = hom_basis(harmonics_of(group, degree) * source, target, task).space();
    if (maps.params() == 0) continue;
    SteerableKernels::Degree part{degree, exponents_of(group.dimension(), degree), {}};
    const RationalMatrix eta = harmonic_vector(group, degree, part.monomials.size(), task);
    task.require_memory(maps.nonzeros() * part.monomials.size() * 64, "the polynomials of steerable kernels");
    for (std::uint64_t k = 0; k < maps.params(); ++k)
      part.kernels.push_back(kernel_polynomial(maps[k], eta, target.dimension(), source.dimension()));
    out.degrees.push_back(std::move(part));
  }
  try {
    verify(out, task);
  } catch (const VerificationError& e) {
    throw InternalError(e.what());
  }
  return out;
}

void verify(const SteerableKernels& kernels, const Task& task) {
  const KernelCheck check(kernels, task);
  std::uint64_t number = 0;
  for (std::size_t p = 0; p < kernels.degrees.size(); ++p) {
    const SteerableKernels::Degree& part = kernels.degrees[p];
    if (p > 0 && kernels.degrees[p - 1].degree >= part.degree)
      throw VerificationError(fmt::format("the degree {} follows the degree {}, and degrees increase", part.degree,
                                          kernels.degrees[p - 1].degree));
    if (!are_exponents_of(part.monomials, kernels.group.dimension(), part.degree))
      throw VerificationError(
          fmt::format("the kernels of degree {} are not given at all monomials of this degree", part.degree));
    for (std::size_t k = 0; k < part.kernels.size(); ++k) {
      task.progress("checking kernels", number, kernels.params());
      // Multiples of one another by powers of r are the same kernel on a sphere; of harmonic ones there are none.
      if (!is_harmonic(part, part.kernels[k]))
        throw VerificationError(fmt::format("kernel {} (0-based) is not harmonic", number));
      check.run(part, k, number++);
    }
    if (!kernels_are_independent(part, task))
      throw VerificationError(fmt::format("the kernels of degree {} are linearly dependent", part.degree));
  }
  const Integer count = count_by_stabilizer(kernels.group, kernels.source, kernels.target, task).count.dimension;
  if (count != kernels.params() || kernels.by_stabilizer.dimension != count)
    throw VerificationError(
        fmt::format("there are {} kernels, but the stabilizer of a point counts {}", kernels.params(), count.str()));
}

}  // namespace intertwine
