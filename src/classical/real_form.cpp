// Real forms of irreducible representations of SU(n) and U(n).
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "continuous_functors.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"

namespace intertwine {

namespace {

/// Multiplication by x + i y in the coordinates of real(V).
SparseMatrix complex_scalar(std::uint64_t n, const Rational& x, const Rational& y) {
  std::vector<SparseMatrix::Entry> entries;
  for (std::uint64_t k = 0; k < n; k += 2) {
    entries.push_back({k, k, x});
    entries.push_back({k + 1, k + 1, x});
    entries.push_back({k, k + 1, -y});
    entries.push_back({k + 1, k, y});
  }
  return {n, n, std::move(entries)};
}

/// x^2 + y^2 = b, if that is found among small numbers.
std::optional<std::pair<Rational, Rational>> as_two_squares(const Rational& b, const Task& task) {
  const Integer n = numerator(b) * denominator(b);  // b times the square of its denominator
  constexpr std::uint64_t most = 1'000'000;
  for (std::uint64_t x = 0; x <= most && Integer(x) * Integer(x) <= n; ++x) {
    if (x % 1024 == 0) task.poll();
    const Integer rest = n - Integer(x) * Integer(x), y = sqrt(rest);
    if (y * y == rest) {
      const Integer d = denominator(b);
      return std::pair(Rational(Integer(x), d), Rational(y, d));
    }
  }
  return std::nullopt;
}

/// The antilinear maps of V that commute with the group, of which there are two where V is its own conjugate; J^2 = b
/// for the first one.
std::pair<SparseMatrix, Rational> antilinear_map(const ContinuousRepresentation& V, const ContinuousRepresentation& R,
                                                 const Task& task) {
  const IntertwinerSpace maps = hom_basis(R, R, task).space();
  const std::uint64_t n = R.dimension();
  const SparseMatrix i = complex_scalar(n, 0, 1);
  std::optional<SparseMatrix> J;
  for (std::uint64_t k = 0; k < maps.params() && !J; ++k)
    if (SparseMatrix W = maps[k] + i.times(maps[k].times(i, task), task); !W.entries().empty()) J = std::move(W);
  if (continuous_hom_dimension(V, V, task).dimension != 1)
    throw DomainError(
        fmt::format("{} is not irreducible; real forms are those of irreducible representations", V.to_string()));
  if (!J)
    throw DomainError(fmt::format("{} is not isomorphic to its conjugate, and has no real form: take real({})",
                                  V.to_string(), V.to_string()));
  const Rational b = J->times(*J, task)(0, 0);
  if (b < 0)
    throw DomainError(
        fmt::format("{} is quaternionic, and has no real form: real({}) is irreducible", V.to_string(), V.to_string()));
  return {std::move(*J), b};
}

}  // namespace

ContinuousRepresentation real_form(const ContinuousRepresentation& V, const Task& task) {
  if (V.scalars() != Scalars::complex) return V;
  if (const auto product = in_last_factor(V, [&](const ContinuousRepresentation& W) { return real_form(W, task); }))
    return *product;
  if (V.group().is_product())
    throw DomainError(
        fmt::format("realform(V) over a product is taken where the last factor alone is complex, of external "
                    "products V # W; "
                    "{} over {} is none: take real(V)",
                    V.to_string(), V.group().name()));
  if (!V.field().is_rational())
    throw DomainError(
        fmt::format("realform(V) is for V by rational matrices, and {} is over {}: take real(V), or the irreducible "
                    "representation of the same weight",
                    V.to_string(), V.field().to_string()));
  const ContinuousRepresentation R = restriction_of_scalars(V);
  if (R.dimension() > ContinuousRepresentation::max_functor_dimension)
    throw LimitError(fmt::format("real forms are found in real(V) of at most {} dimensions, not {}",
                                 ContinuousRepresentation::max_functor_dimension, R.dimension()));
  const auto [J, b] = antilinear_map(V, R, task);
  const auto root = as_two_squares(b, task);
  if (!root)
    throw LimitError(
        fmt::format("{} has no real form by rational matrices that is found: {} is no sum of two small squares",
                    V.to_string(), to_string(b)));
  // K = J / (x + i y) has the square 1, and the real form is what it leaves fixed, the image of 1 + K.
  const std::uint64_t n = R.dimension();
  const SparseMatrix image =
      complex_scalar(n, 1, 0) + complex_scalar(n, root->first / b, -root->second / b).times(J, task);
  std::vector<Rational> rows(n * n);
  for (const auto& e : image.entries()) rows[e.col * n + e.row] = e.value;
  const Echelon basis = reduced_echelon(RationalMatrix(n, n, rows), task);
  ContinuousNode::Submodule module;
  module.selected.assign(n, -1);
  for (std::size_t k = 0; k < basis.pivots.size(); ++k) module.selected[basis.pivots[k]] = static_cast<std::int64_t>(k);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < basis.pivots.size(); ++k)
      if (basis.matrix.numerator().sign(k, j) != 0)
        module.entries.push_back({static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(k), basis.matrix(k, j)});
  const std::uint64_t d = basis.pivots.size();
  if (2 * d != n) throw InternalError("a real form has not half the dimension");
  std::vector<SparseMatrix::Entry> entries;
  for (const auto& e : module.entries) entries.push_back({e.monomial, e.col, e.value});
  const SparseMatrix inclusion(n, d, std::move(entries));
  const ContinuousRepresentation form =
      made({ContinuousNode::RealForm{ContinuousNode::PartOf(std::move(module))}, V.group(), d, {R.handle()}});
  const auto whole = R.generator_matrices(task), own = form.generator_matrices(task);
  for (std::size_t g = 0; g < whole.size(); ++g)
    if (!(whole[g].times(inclusion, task) == inclusion.times(own[g], task)))
      throw InternalError("a real form is not invariant");
  return form;
}

}  // namespace intertwine
