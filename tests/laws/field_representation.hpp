// What every representation must satisfy as matrices over its field. The text of the law that fails, or the empty text.
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/representations/representation.hpp"

namespace laws {

/// A matrix with small random coordinates over K, some of them fractions.
inline intertwine::FieldMatrix random_field_matrix(const intertwine::AbelianField& K, std::size_t rows,
                                                   std::size_t cols, intertwine::Rng& rng) {
  intertwine::IntegerMatrix A(rows, K.degree() * cols);
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) A.set(i, j, static_cast<long>(rng.below(7)) - 3);
  return {K, intertwine::RationalMatrix(A, intertwine::Integer(1 + rng.below(3))), cols};
}

inline std::string broken_field_law(const intertwine::Representation& V, intertwine::Rng& rng, int trials) {
  using namespace intertwine;
  const FiniteGroup& G = V.group();
  const std::size_t n = V.dimension();
  const AbelianField& K = V.field();
  const FieldMatrix one = FieldMatrix::identity(K, n);
  if (!(V.field_matrix(Permutation::identity(G.degree())) == one)) return "the identity maps to the identity";
  for (int trial = 0; trial < trials; ++trial) {
    const Permutation g = G.random_element(rng), h = G.random_element(rng);
    const FieldMatrix A = V.field_matrix(g);
    if (A.rows() != n || A.cols() != n) return "matrices are dimension x dimension";
    if (!(A.field() == K)) return "matrices are over field()";
    if (!(A * V.field_matrix(h) == V.field_matrix(g * h))) return "rho(g) rho(h) = rho(gh)";
    if (V.character(g) != A.trace()) return "the character is the trace";
    if (V.character(g) != V.character(h * g * h.inverse())) return "the character is a class function";
    for (const AbelianField& L : {AbelianField(), K, AbelianField::cyclotomic(4)}) {
      const FieldMatrix X = random_field_matrix(L, n, rng.below(3), rng);
      if (!(V.apply(g, X) == A * X)) return "apply(g, X) = rho(g) X over " + L.to_string();
    }
    const Representation D = dual(V);
    if (!(D.field_matrix(g).transpose() * A == one)) return "the dual is the inverse transpose";
    if (D.character(g) != V.character(g.inverse())) return "the character of the dual is that of the inverse";
  }
  return {};
}

inline void require_field_representation(const intertwine::Representation& V, intertwine::Rng& rng, int trials = 2) {
  CAPTURE(V.to_string().substr(0, 200), V.group().name(), V.dimension(), V.field().to_string());
  REQUIRE(broken_field_law(V, rng, trials) == "");
}

}  // namespace laws
