// What every representation must satisfy as matrices. The text of the law that fails, or the empty text.
#pragma once
#include <catch2/catch.hpp>
#include <string>

#include "intertwine/exact/matrix.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/representations/representation.hpp"

namespace laws {

/// A matrix with small random entries, some of them fractions.
inline intertwine::RationalMatrix random_matrix(std::size_t rows, std::size_t cols, intertwine::Rng& rng) {
  intertwine::IntegerMatrix A(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) A.set(i, j, static_cast<long>(rng.below(11)) - 5);
  return {A, intertwine::Integer(1 + rng.below(4))};
}

/// \tparam Rep  has the interface of a Representation.
template <class Rep>
std::string broken_matrix_law(const Rep& V, intertwine::Rng& rng, int trials) {
  using namespace intertwine;
  const FiniteGroup& G = V.group();
  const std::size_t n = V.dimension();
  const RationalMatrix one = V.matrix(Permutation::identity(G.degree()));
  if (!(one == RationalMatrix::identity(n))) return "the identity maps to the identity";
  const auto matrices = V.generator_matrices();
  if (matrices.size() != G.generators().size()) return "there is one matrix a generator";
  for (std::size_t k = 0; k < matrices.size(); ++k)
    if (!(matrices[k] == V.matrix(G.generators()[k]))) return "generator_matrices are those of the generators";
  for (int trial = 0; trial < trials; ++trial) {
    const Permutation g = G.random_element(rng), h = G.random_element(rng);
    const RationalMatrix A = V.matrix(g), B = V.matrix(h);
    if (A.rows() != n || A.cols() != n) return "matrices are dimension x dimension";
    if (!(A * B == V.matrix(g * h))) return "rho(g) rho(h) = rho(gh)";
    if (V.character(g) != Cyclotomic(A.trace())) return "the character is the trace";
    const RationalMatrix X = random_matrix(n, rng.below(4), rng);
    if (!(V.apply(g, X) == A * X)) return "apply(g, X) = rho(g) X";
    if (V.is_monomial()) {
      const SignedPermutation image = V.image(g);
      IntegerMatrix M(n, n);
      for (Point j = 0; j < n; ++j) M.set(image(j).point(), j, static_cast<long>(image(j).sign()));
      if (!(A == RationalMatrix(M))) return "the matrix is that of the signed permutation";
    }
  }
  return {};
}

inline void require_matrix_representation(const intertwine::Representation& V, intertwine::Rng& rng, int trials = 2) {
  CAPTURE(V.to_string().substr(0, 200), V.group().name(), V.dimension());
  REQUIRE(broken_matrix_law(V, rng, trials) == "");
}

}  // namespace laws
