#include "equivariant/group_action.hpp"

#include <algorithm>

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

ExactAction::ExactAction(const Representation& V, const Representation& U, const Permutation& g) {
  if (U.is_monomial())
    left_ = monomial_side(U, g);
  else
    left_.matrix = U.matrix(g);
  if (V.is_monomial())
    right_ = monomial_side(V, g);
  else
    right_.matrix = V.matrix(g.inverse());
}

RationalMatrix ExactAction::operator()(const RationalMatrix& W) const {
  const auto signed_rows = [](const RationalMatrix& X, const Side& side) {
    if (!side.negates) return X.select_rows(side.source);
    const RationalMatrix parts[] = {X, Rational(-1) * X};
    return vertical_stack(parts).select_rows(side.source);
  };
  const auto signed_cols = [](const RationalMatrix& X, const Side& side) {
    if (!side.negates) return X.select_cols(side.source);
    const RationalMatrix parts[] = {X, Rational(-1) * X};
    return horizontal_stack(parts).select_cols(side.source);
  };
  const RationalMatrix half = left_.matrix ? *left_.matrix * W : signed_rows(W, left_);
  return right_.matrix ? half * *right_.matrix : signed_cols(half, right_);
}

RealAction::Sparse RealAction::sparse(const Representation& V, const Permutation& g) {
  Sparse result;
  if (V.is_monomial()) {
    const SignedPermutation inverse =
        V.image(g).inverse();  // row j of rho(g) has its entry in column g^{-1}(j)
    for (Point j = 0; j < inverse.degree(); ++j) {
      result.col.push_back(inverse(j).point());
      result.value.push_back(inverse(j).sign());
      result.begin.push_back(result.col.size());
    }
    return result;
  }
  const RationalMatrix matrix = V.matrix(g);
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < matrix.cols(); ++j) {
      if (matrix.numerator().sign(i, j) == 0) continue;
      result.col.push_back(static_cast<std::uint32_t>(j));
      result.value.push_back(static_cast<double>(matrix(i, j)));
    }
    result.begin.push_back(result.col.size());
  }
  return result;
}

RealAction::RealAction(const Representation& V, const Representation& U, const Permutation& g)
    : left_(sparse(U, g)), right_(sparse(V, g.inverse())) {}

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
