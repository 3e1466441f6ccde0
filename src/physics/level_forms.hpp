// The matrices of a level as plain arrays, for sums over operations.
#pragma once
#include <cstddef>
#include <vector>

#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/physics/little_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// n x n, row-major.
struct CyclotomicMatrix {
  std::size_t n = 0;
  std::vector<Cyclotomic> entries;

  explicit CyclotomicMatrix(std::size_t size) : n(size), entries(size * size) {}
  Cyclotomic& operator()(std::size_t i, std::size_t j) { return entries[i * n + j]; }
  const Cyclotomic& operator()(std::size_t i, std::size_t j) const { return entries[i * n + j]; }
  CyclotomicMatrix conjugate() const;
  friend CyclotomicMatrix operator*(const CyclotomicMatrix& A, const CyclotomicMatrix& B);
  friend CyclotomicMatrix operator*(const Cyclotomic& c, const CyclotomicMatrix& A);
};

struct LevelForms {
  std::vector<CyclotomicMatrix> operations, antiunitary;
};
/// The matrices of all operations on a level.
LevelForms level_forms(const LittleGroup& little, std::size_t level, const Task& task);

}  // namespace intertwine
