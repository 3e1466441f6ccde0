// What a product should cost on this processor.
#pragma once
#include "intertwine/numeric/layer.hpp"
#include "intertwine/numeric/machine_rates.hpp"

namespace intertwine::numeric_detail {

struct ProductSize {
  std::uint64_t rows, cols, params;
  Multiplicity channels;
  std::uint64_t batch;
  std::uint64_t entries;  ///< that an orbit sum reads: M N, or those of the elements
  unsigned code_bytes;    ///< 0 for a general basis
  bool strided;           ///< panels run through channels, so that codes are looked up one by one
  bool in_registers;      ///< the look-up needs no memory
  bool materialised;      ///< W is there already
};

/// Of a product of `rows` vectors with outputs x inputs weights that are there already.
template <class T>
double product_seconds(std::uint64_t rows, std::uint64_t outputs, std::uint64_t inputs);

/// Of dense, lookup and implicit; the other forms know their own.
template <class T>
double expected_seconds(LayerForm form, const ProductSize& size, double uses);

}  // namespace intertwine::numeric_detail
