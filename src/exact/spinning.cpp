// Spins vectors under matrices to the subspaces that they generate.
#include "intertwine/exact/spinning.hpp"

#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/prime_field.hpp"

namespace intertwine {

std::optional<SpinWords> spin(std::span<const ModularMatrix> matrices, const ModularMatrix& seed, const Task& task) {
  const PrimeField field(seed.prime());
  IncrementalEchelon echelon(field, seed.rows());
  if (!echelon.insert(field.column(seed, 0))) return std::nullopt;
  SpinWords words{{0}, {0}};
  std::vector<ModularMatrix> vectors{seed};
  for (std::size_t head = 0; head < vectors.size(); ++head) {
    task.poll();
    for (std::size_t k = 0; k < matrices.size() && vectors.size() < seed.rows(); ++k) {
      ModularMatrix image = matrices[k] * vectors[head];
      if (!echelon.insert(field.column(image, 0))) continue;
      vectors.push_back(std::move(image));
      words.parent.push_back(head);
      words.generator.push_back(k);
    }
  }
  return words;
}

}  // namespace intertwine
