// The action of one group element on Hom(V, U).
#include "equivariant/group_action.hpp"

#include <algorithm>
#include <map>

#include "intertwine/error.hpp"

namespace intertwine {

ExactAction::Side ExactAction::monomial_side(const Representation& V, const Permutation& g) {
  const SignedPermutation image = V.image(g);
  Side side;
  side.source.resize(image.degree());
  side.negates = !image.is_unsigned();
  // e_i goes to sign(i) e_{g(i)}: row g(i) of rho(g) W is sign(i) times row i of W; and column g(i) of W rho(g)^{-1},
  // the matrix being orthogonal, is sign(i) times column i.
  for (Point i = 0; i < image.degree(); ++i)
    side.source[image(i).point()] = i + (image(i).negative() ? image.degree() : 0);
  return side;
}

ExactAction::Side ExactAction::matrix_side(const Representation& V, const Permutation& g, const AbelianField& K) {
  FieldMatrix matrix = V.field_matrix(g);
  // A rational factor acts on all coordinates of W at once.
  if (matrix.is_rational()) return {{}, false, matrix.to_rational()};
  return {{}, false, matrix.over(K)};
}

ExactAction::ExactAction(const Representation& V, const Representation& U, const Permutation& g, const AbelianField& K)
    : left_(U.is_monomial() ? monomial_side(U, g) : matrix_side(U, g, K)),
      right_(V.is_monomial() ? monomial_side(V, g) : matrix_side(V, g.inverse(), K)) {}

FieldMatrix ExactAction::operator()(const FieldMatrix& W) const {
  const auto signed_rows = [](const FieldMatrix& X, const Side& side) {
    if (!side.negates) return X.select_rows(side.source);
    const FieldMatrix parts[] = {X, Cyclotomic(-1) * X};
    return vertical_stack(parts).select_rows(side.source);
  };
  const auto signed_cols = [](const FieldMatrix& X, const Side& side) {
    if (!side.negates) return X.select_cols(side.source);
    const FieldMatrix parts[] = {X, Cyclotomic(-1) * X};
    return horizontal_stack(parts).select_cols(side.source);
  };
  const FieldMatrix half = left_.matrix ? *left_.matrix * W : signed_rows(W, left_);
  return right_.matrix ? half * *right_.matrix : signed_cols(half, right_);
}

RealAction::Sparse RealAction::sparse(const Representation& V, const Permutation& g, const Task& task) {
  Sparse result;
  if (V.is_monomial()) {
    const SignedPermutation inverse = V.image(g).inverse();  // row j of rho(g) has its entry in column g^{-1}(j)
    for (Point j = 0; j < inverse.degree(); ++j) {
      result.col.push_back(inverse(j).point());
      result.value.push_back(inverse(j).sign());
      result.begin.push_back(result.col.size());
    }
    return result;
  }
  if (!V.field().is_real())
    throw DomainError("double precision is for real matrices; those of " + V.to_string() + " are over " +
                      V.field().to_string());
  const FieldMatrix matrix = V.field_matrix(g);
  const RationalMatrix& coefficients = matrix.coefficients();
  const std::size_t degree = matrix.field().degree();
  std::map<std::vector<Rational>, double> known;  // few numbers differ, and rounding one takes its time
  std::vector<Rational> entry(degree);
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    task.poll();
    for (std::size_t j = 0; j < matrix.cols(); ++j) {
      bool zero = true;
      for (std::size_t t = 0; t < degree && zero; ++t)
        zero = coefficients.numerator().sign(i, t * matrix.cols() + j) == 0;
      if (zero) continue;
      result.col.push_back(static_cast<std::uint32_t>(j));
      if (degree == 1) {
        result.value.push_back(static_cast<double>(coefficients(i, j)));
        continue;
      }
      for (std::size_t t = 0; t < degree; ++t) entry[t] = coefficients(i, t * matrix.cols() + j);
      const auto [at, fresh] = known.try_emplace(entry, 0);
      if (fresh) at->second = matrix(i, j).to_complex().real();
      result.value.push_back(at->second);
    }
    result.begin.push_back(result.col.size());
  }
  return result;
}

RealAction::RealAction(const Representation& V, const Representation& U, const Permutation& g, const Task& task)
    : left_(sparse(U, g, task)), right_(sparse(V, g.inverse(), task)) {}

std::vector<double> RealAction::operator()(const std::vector<double>& W, const Task& task) const {
  const std::size_t m = left_.rows(), n = right_.rows();
  std::vector<double> result(m * n, 0.0);
  const std::uint64_t products = n * left_.col.size() / std::max<std::size_t>(m, 1) + right_.col.size();
  task.share(m, 1 + (std::uint64_t{1} << 16U) / std::max<std::uint64_t>(products, 1),
             [&](std::uint64_t first, std::uint64_t last) {
               std::vector<double> row(n);
               for (std::size_t i = first; i < last; ++i) {
                 // Row i of rho_U(g) W, then times rho_V(g)^{-1}.
                 std::ranges::fill(row, 0.0);
                 for (std::size_t e = left_.begin[i]; e < left_.begin[i + 1]; ++e) {
                   const double factor = left_.value[e];
                   const double* from = W.data() + std::size_t{left_.col[e]} * n;
                   for (std::size_t j = 0; j < n; ++j) row[j] += factor * from[j];
                 }
                 double* const out = result.data() + i * n;
                 for (std::size_t j = 0; j < n; ++j) {
                   const double x = row[j];
                   for (std::size_t e = right_.begin[j]; e < right_.begin[j + 1]; ++e)
                     out[right_.col[e]] += right_.value[e] * x;
                 }
               }
             });
  return result;
}

}  // namespace intertwine
