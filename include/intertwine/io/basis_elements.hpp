// The elements of a basis of Hom(V, U) and of the invariants of U, entry by entry: what LaTeX, tables, systems of computer algebra and
// arrays of numbers are written from. They are those of `basis --elements` and of the weight table, one pattern each side.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// W = theta_1 B_1 + ... + theta_P B_P and b = beta_1 c_1 + ... + beta_Q c_Q. A value.
struct BasisElements {
  struct Entry {
    std::uint64_t row, col;  ///< from 0
    Cyclotomic value;
  };
  /// Matrices of one size by their entries that are not 0, in row-major order.
  struct Family {
    std::uint64_t rows = 0, cols = 0;
    std::vector<std::vector<Entry>> elements;
  };
  std::string title;  ///< "Hom(perm, std) of S4"
  Family weights;
  Family bias;  ///< the elements of the bias, of one column
};

namespace hom {

/// The elements of the only block. \throws DomainError if V or U has dimension 0, or there are several blocks, whose
/// elements are those of BasisOptions::single_pattern; LimitError through `task`: some 100 bytes an entry
BasisElements basis_elements(const Basis& basis, const Task& task = {});

}  // namespace hom

}  // namespace intertwine
