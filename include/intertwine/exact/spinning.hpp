// Spinning: the smallest subspace that holds a vector and is kept by matrices, as words in the matrices.
// [Parker 1984; Holt, Eick & O'Brien 2005, 7.4]
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "intertwine/exact/modular_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Words in matrices: vector j of a spun basis is matrix generator[j] times vector parent[j] < j; vector 0 is the seed,
/// where parent and generator are 0.
struct SpinWords {
  std::vector<std::size_t> parent, generator;
  std::size_t size() const { return parent.size(); }
};

/// Words that take the seed (n x 1) to a basis of the smallest space with it in it that the matrices keep modulo p;
/// nothing if the seed is 0. Breadth first, so that words are as short as can be. If matrices and seed are residues of
/// matrices over a number field, the vectors of the same words are independent there; they span all that the seed
/// generates unless p is unlucky, which shows in a matrix that leads out of the span.
/// \par Cost  a product of a matrix and a vector, and O(n dim) for every vector and matrix.
std::optional<SpinWords> spin(std::span<const ModularMatrix> matrices, const ModularMatrix& seed,
                              const Task& task = {});

/// The vectors of the words, for all columns of `seeds` at once: result[j] is word j on them. apply(k, X) is matrix k times X,
/// asked for once for all vectors that as many steps lead to, a matrix being the last.
template <class Matrix, class Apply>
std::vector<Matrix> apply_words(const SpinWords& words, const Matrix& seeds, const Apply& apply, const Task& task) {
  std::vector<Matrix> vectors(words.size(), seeds);
  std::vector<std::size_t> steps(words.size(), 0);
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> together;
  for (std::size_t j = 1; j < words.size(); ++j) {
    steps[j] = steps[words.parent[j]] + 1;
    together[{steps[j], words.generator[j]}].push_back(j);
  }
  const std::size_t width = seeds.cols();
  for (const auto& [step, list] : together) {
    task.poll();
    std::vector<Matrix> parents;
    for (const std::size_t j : list) parents.push_back(vectors[words.parent[j]]);
    const Matrix images = apply(step.second, horizontal_stack(parents));
    for (std::size_t k = 0; k < list.size(); ++k) vectors[list[k]] = images.block(0, k * width, images.rows(), width);
  }
  return vectors;
}

}  // namespace intertwine
