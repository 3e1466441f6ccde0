// Random numbers and matrices over abelian fields.
#pragma once
#include <vector>

#include "exact/random_matrix.hpp"
#include "intertwine/exact/field_matrix.hpp"

namespace test_exact {

/// Rational, quadratic, cyclotomic and other fields, each once.
inline std::vector<intertwine::AbelianField> some_fields() {
  using namespace intertwine;
  std::vector<AbelianField> result;
  for (const char* text : {"1", "E(4)", "E(5)+E(5)^4", "E(8)-E(8)^3", "E(8)+E(8)^3", "E(3)", "E(7)+E(7)^6", "E(5)",
                           "E(8)", "E(24)+E(24)^23", "E(13)+E(13)^3+E(13)^9", "E(12)", "E(9)"}) {
    const Cyclotomic x = parse_cyclotomic(text);
    result.push_back(AbelianField::generated_by({&x, 1}));
  }
  return result;
}

inline std::vector<intertwine::Rational> random_coordinates(intertwine::Rng& rng, std::size_t m) {
  std::vector<intertwine::Rational> result;
  for (std::size_t t = 0; t < m; ++t)
    result.emplace_back(random_integer(rng), intertwine::Integer(1 + rng.below(rng.below(3) == 0 ? 6 : 1)));
  return result;
}

inline intertwine::FieldMatrix random_over(intertwine::Rng& rng, const intertwine::AbelianField& K, std::size_t rows,
                                           std::size_t cols) {
  return {K, random_any(rng, rows, K.degree() * cols), cols};
}

}  // namespace test_exact
