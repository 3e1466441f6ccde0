// Orthonormal bases of harmonic polynomials.
#include "intertwine/classical/orthonormal_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "continuous_node.hpp"
#include "intertwine/combinatorics/exponents.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"

namespace intertwine {

namespace {

using Node = ContinuousNode;
/// Coefficients by exponents.
using HarmonicPolynomial = std::map<std::vector<unsigned>, Rational>;

HarmonicPolynomial product_of_polynomials(const HarmonicPolynomial& p, const HarmonicPolynomial& q) {
  HarmonicPolynomial out;
  for (const auto& [a, x] : p)
    for (const auto& [b, y] : q) {
      std::vector<unsigned> sum = a;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += b[i];
      out[sum] += x * y;
    }
  return out;
}

/// The real and the imaginary part of (x + iy)^m in the first two of n variables.
std::pair<HarmonicPolynomial, HarmonicPolynomial> planar_power(unsigned n, unsigned m) {
  std::pair<HarmonicPolynomial, HarmonicPolynomial> out;
  for (unsigned k = 0; k <= m; ++k) {
    std::vector<unsigned> a(n, 0);
    a[0] = m - k;
    a[1] = k;
    (k % 2 == 0 ? out.first : out.second)[a] = Rational(binomial(m, k)) * (k % 4 < 2 ? 1 : -1);
  }
  return out;
}

/// r^(l-m) times derivative number m of the Legendre polynomial P_l at z/r: sum over k of
/// (-1)^k 2^-l C(l, k) C(2l - 2k, l) (l - 2k)! / (l - 2k - m)! r^2k z^(l - 2k - m).
HarmonicPolynomial zonal_factor(unsigned l, unsigned m) {
  const HarmonicPolynomial square{{{2, 0, 0}, 1}, {{0, 2, 0}, 1}, {{0, 0, 2}, 1}};
  HarmonicPolynomial out, power{{{0, 0, 0}, 1}};
  for (unsigned k = 0; 2 * k + m <= l; ++k, power = product_of_polynomials(power, square)) {
    const Rational scale = Rational(
        (k % 2 == 0 ? Integer(1) : Integer(-1)) * binomial(l, k) * binomial(2 * l - 2 * k, l) * factorial(l - 2 * k),
        (Integer(1) << l) * factorial(l - 2 * k - m));
    for (const auto& [a, value] : power) {
      std::vector<unsigned> b = a;
      b[2] += l - 2 * k - m;
      out[b] += scale * value;
    }
  }
  return out;
}

/// The spherical harmonics of degree l by their rational parts, m = -l, ..., l.
std::vector<HarmonicPolynomial> spherical_harmonics(unsigned l, PolarAxis axis) {
  std::vector<HarmonicPolynomial> out(2 * std::size_t{l} + 1);
  for (unsigned m = 0; m <= l; ++m) {
    const HarmonicPolynomial zonal = zonal_factor(l, m);
    const auto [real, imaginary] = planar_power(3, m);
    out[l + m] = product_of_polynomials(real, zonal);
    if (m > 0) out[l - m] = product_of_polynomials(imaginary, zonal);
  }
  if (axis == PolarAxis::z) return out;
  for (HarmonicPolynomial& p : out) {  // x, y, z become z, x, y
    HarmonicPolynomial turned;
    for (const auto& [a, value] : p) turned.emplace(std::vector<unsigned>{a[1], a[2], a[0]}, value);
    p = std::move(turned);
  }
  return out;
}

/// a! = a_1! ... a_n! for the monomial x^a given by the increasing list of its variables.
Integer factorial_of_exponents(const std::vector<std::uint32_t>& variables) {
  Integer product = 1;
  for (std::size_t i = 0, run = 0; i < variables.size(); ++i) {
    run = i > 0 && variables[i] == variables[i - 1] ? run + 1 : 1;
    product *= run;
  }
  return product;
}

OrthonormalForm own_basis(std::uint64_t n) {
  return {RationalMatrix::identity(n), std::vector<Rational>(n, Rational(1))};
}

unsigned degree_of(const Node& harmonic) { return harmonic.as<Node::Harmonic>()->degree; }

/// Polynomials in the basis of harmonic(l): their coefficients at the monomials that know its elements.
RationalMatrix harmonic_coordinates(const Node& node, const std::vector<HarmonicPolynomial>& list) {
  const auto monomials = exponents_of(node.classical().dimension(), degree_of(node));
  const std::size_t d = list.size();
  const std::vector<std::int64_t>& selected = node.part_of()->submodule().selected;
  std::vector<Rational> entries(d * d);
  for (std::size_t m = 0; m < monomials.size(); ++m) {
    if (selected[m] < 0) continue;
    for (std::size_t k = 0; k < d; ++k)
      if (const auto found = list[k].find(monomials[m]); found != list[k].end())
        entries[static_cast<std::size_t>(selected[m]) * d + k] = found->second;
  }
  return {d, d, entries};
}

/// The basis of harmonic(l) made orthogonal for <x^a, x^b> = a! / l! where a = b, otherwise 0, which the group leaves
/// fixed.
OrthonormalForm orthogonalized_harmonics(const Node& node, const Task& task) {
  const auto d = static_cast<std::size_t>(node.dimension);
  const auto monomials = index_lists(node.classical().dimension(), degree_of(node), false);
  std::vector<Rational> weight;
  for (const auto& list : monomials) weight.emplace_back(factorial_of_exponents(list));
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, Rational>>> at;  // monomial -> basis vectors
  for (const auto& e : node.part_of()->submodule(task).entries) at[e.monomial].emplace_back(e.col, e.value);
  std::vector<std::vector<Rational>> gram(d, std::vector<Rational>(d)), f(d, std::vector<Rational>(d));
  for (const auto& [m, list] : at)
    for (const auto& [i, x] : list)
      for (const auto& [j, y] : list) gram[i][j] += weight[m] * x * y;
  OrthonormalForm form{{}, std::vector<Rational>(d)};
  for (std::size_t k = 0; k < d; ++k) {
    task.progress("making harmonics orthogonal", k, d);
    f[k][k] = 1;
    std::vector<Rational> image = gram[k];  // <h_k, h_i>
    for (std::size_t j = 0; j < k; ++j) {
      Rational c = 0;
      for (std::size_t i = 0; i <= j; ++i) c += f[j][i] * image[i];
      if (c == 0) continue;
      c /= form.norms[j];
      for (std::size_t i = 0; i <= j; ++i) f[k][i] -= c * f[j][i];
    }
    for (std::size_t i = 0; i <= k; ++i)
      for (std::size_t j = 0; j <= k; ++j) form.norms[k] += f[k][i] * gram[i][j] * f[k][j];
  }
  // At the first axis only x_1^l is not 0, and the first basis vector alone has it: there the squares are to add up to
  // 1.
  Rational sum = 0;
  for (std::size_t k = 0; k < d; ++k) sum += f[k][0] * f[k][0] / form.norms[k];
  std::vector<Rational> entries(d * d);
  for (std::size_t k = 0; k < d; ++k) {
    form.norms[k] *= sum;
    for (std::size_t i = 0; i < d; ++i) entries[i * d + k] = f[k][i];
  }
  form.columns = RationalMatrix(d, d, entries);
  return form;
}

OrthonormalForm harmonic_form(const Node& node, PolarAxis axis, const Task& task) {
  const unsigned n = node.classical().dimension(), l = degree_of(node);
  if (n == 3) {
    OrthonormalForm form{harmonic_coordinates(node, spherical_harmonics(l, axis)), {}};
    for (int m = -static_cast<int>(l); m <= static_cast<int>(l); ++m) {
      const auto size = static_cast<unsigned>(std::abs(m));
      form.norms.push_back(m == 0 ? Rational(1) : Rational(factorial(l + size), 2 * factorial(l - size)));
    }
    return form;
  }
  if (n == 2 && l > 0) {
    const auto [real, imaginary] = planar_power(2, l);
    return {harmonic_coordinates(node, {real, imaginary}), {1, 1}};
  }
  return orthogonalized_harmonics(node, task);
}

class Orthonormalization {
 public:
  Orthonormalization(PolarAxis axis, const Task& task) : axis_(axis), task_(task) {}

  OrthonormalForm of(const Node& node) const {
    const auto part = [&] { return of(*node.parts[0]); };
    const auto own_basis_of = [&] { return own_basis(node.dimension); };
    const auto product = [&] {
      OrthonormalForm form = own_basis(1);
      for (const auto& factor : node.factors()) form = beside(form, of(*factor));
      return form;
    };
    const auto unknown = [&]() -> OrthonormalForm {
      throw DomainError(
          fmt::format("no orthonormal basis of {} is known; write it by harmonic(l), sums and tensor products",
                      made(node).to_string()));
    };
    return std::visit(
        Overloaded{
            [&](const Node::Trivial&) { return own_basis_of(); }, [&](const Node::Vector&) { return own_basis_of(); },
            [&](const Node::Determinant&) { return own_basis_of(); },
            [&](const Node::Spinor&) { return own_basis_of(); }, [&](const Node::Adjoint&) { return own_basis_of(); },
            [&](const Node::Finite& own) {
              if (!own.V.is_monomial())
                throw DomainError(
                    fmt::format("{} does not act by signed permutations, and no orthonormal basis of it is known",
                                own.V.to_string()));
              return own_basis_of();
            },
            [&](const Node::Harmonic&) { return harmonic_form(node, axis_, task_); },
            [&](const Node::Dual&) {
              OrthonormalForm form = part();  // the columns of T^-T
              form.columns = inverse(form.columns, task_).transpose();
              for (Rational& norm : form.norms) norm = 1 / norm;
              return form;
            },
            [&](const Node::Sum&) { return sum(node.parts); },
            [&](const Node::Multiple& own) { return sum(ContinuousNodes(own.times, node.parts[0])); },
            [&](const Node::Product&) { return product(); }, [&](const Node::Power&) { return product(); },
            [&](const Node::External&) { return product(); },
            [&](const Node::Functor& own) {
              return own.name == Node::Functor::Name::schur ? unknown() : power(own, node.dimension, part());
            },
            [&](const Node::Real&) {
              const Node& inner = *node.parts[0];
              return inner.is<Node::Vector>() || inner.is<Node::Determinant>() ? own_basis_of() : unknown();
            },
            [&](const Node::Irrep&) { return unknown(); }, [&](const Node::RealForm&) { return unknown(); },
            [&](const Node::Given&) { return unknown(); }},
        node.form);
  }

 private:
  OrthonormalForm sum(const ContinuousNodes& summands) const {
    std::vector<RationalMatrix> blocks;
    OrthonormalForm form;
    for (const auto& summand : summands) {
      const OrthonormalForm one = of(*summand);
      blocks.push_back(one.columns);
      form.norms.insert(form.norms.end(), one.norms.begin(), one.norms.end());
    }
    form.columns = direct_sum(std::span<const RationalMatrix>(blocks));
    return form;
  }
  static OrthonormalForm beside(const OrthonormalForm& a, const OrthonormalForm& b) {
    OrthonormalForm out{kronecker_product(a.columns, b.columns), {}};
    for (const Rational& x : a.norms)
      for (const Rational& y : b.norms) out.norms.push_back(x * y);
    return out;
  }
  /// Monomials of orthonormal vectors: of norm a! / k! in Sym^k, 1 in Lambda^k.
  static OrthonormalForm power(const Node::Functor& functor, std::uint64_t dimension, const OrthonormalForm& base) {
    if (!(base.columns == RationalMatrix::identity(base.norms.size())) ||
        std::any_of(base.norms.begin(), base.norms.end(), [](const Rational& x) { return x != 1; }))
      throw DomainError(
          "orthonormal bases of sym(k, V) and alt(k, V) are known where V has an orthonormal basis itself, "
          "as vector has");
    OrthonormalForm out = own_basis(dimension);
    if (functor.name == Node::Functor::Name::alt) return out;
    const auto lists = index_lists(base.norms.size(), functor.degree(), false);
    for (std::size_t m = 0; m < lists.size(); ++m)
      out.norms[m] = Rational(factorial_of_exponents(lists[m]), factorial(functor.degree()));
    return out;
  }
  PolarAxis axis_;
  const Task& task_;
};

}  // namespace

SignedRoot OrthonormalForm::entry(std::size_t i, std::size_t k) const {
  return SignedRoot(columns(i, k)) / SignedRoot::of_signed_square(norms[k]);
}

OrthonormalForm orthonormal_form(const ContinuousRepresentation& V, PolarAxis axis, const Task& task) {
  for (const auto& factor : V.group().factors())
    if (const auto* classical = std::get_if<ClassicalGroup>(&factor);
        classical != nullptr && (!classical->is_orthogonal() || classical->positive() != classical->dimension()))
      throw DomainError(fmt::format("orthonormal bases are for SO(n) and O(n), not for {}", classical->name()));
  constexpr std::uint64_t largest = 2000;
  if (V.dimension() > largest)
    throw LimitError(fmt::format(
        "an orthonormal basis of a representation of dimension {} was asked for; at most {} is written down",
        V.dimension(), largest));
  return Orthonormalization(axis, task).of(V.node());
}

}  // namespace intertwine
