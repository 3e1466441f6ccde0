// What a SparseBasis holds.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "intertwine/numeric/sparse_basis.hpp"

namespace intertwine {

struct SparseBasis::Data {
  struct Entry {
    std::uint32_t row, col;
    double value;
  };
  struct Term {
    std::uint32_t col, parameter;
    double value;
  };
  std::uint64_t rows = 0, cols = 0;
  std::vector<std::uint64_t> element_ptr, row_ptr;
  std::vector<Entry> entries;  ///< of element k: [element_ptr[k], element_ptr[k + 1]), by rows and columns
  std::vector<Term> terms;     ///< of row i: [row_ptr[i], row_ptr[i + 1]), by columns and parameters
  std::vector<double> squared_norms;

  std::uint64_t params() const { return element_ptr.size() - 1; }

  /// The Cholesky factor of the Gram matrix, made on first use.
  struct Factor;
  const Factor& factor() const;

 private:
  mutable std::once_flag factor_once_;
  mutable std::shared_ptr<const Factor> factor_;
};

}  // namespace intertwine
