// One side of the matrix of a tensor property: the places of the tensor that each of its rows or columns stands for.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/task.hpp"

namespace intertwine {

/// Classes of places that hold the same number, as 23 and 32 of a symmetric pair. The first place names its class.
struct TensorIndex {
  std::vector<std::vector<std::vector<std::size_t>>> classes;  ///< a place is a list of axes 0, 1, 2
  std::vector<std::string> names;                              ///< "4", or "23" in full
};

/// \param dimension  1: no index; 3: one; 6: a symmetric pair in Voigt's order; 9: a pair, Voigt's six and then 32, 31, 21;
/// 10: a symmetric triple 111, 222, 333, 233, 223, 133, 113, 122, 112, 123; 21: a symmetric pair of symmetric pairs
/// \param in_full  symmetric pairs are named by both their axes
TensorIndex tensor_index(std::size_t dimension, bool in_full = false);

/// How a matrix R(i, j) acts on the index, row by row. Classes of more than one place carry the factor.
template <class Number, class Matrix>
std::vector<Number> action_on_index(const TensorIndex& index, const Matrix& R, const Number& factor,
                                    const Task& task = {}) {
  std::vector<Number> entries;
  for (const auto& to : index.classes) {
    task.poll();
    for (const auto& from : index.classes) {
      Number sum(0);
      for (const auto& place : from) {
        Number product(1);
        for (std::size_t k = 0; k < place.size(); ++k) product = product * R(to.front()[k], place[k]);
        sum = sum + product;
      }
      if (to.size() > 1) sum = sum * factor;
      if (from.size() > 1) sum = sum / factor;
      entries.push_back(std::move(sum));
    }
  }
  return entries;
}

}  // namespace intertwine
