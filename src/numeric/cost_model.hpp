// What a product should cost on this processor.
#pragma once
#include "intertwine/numeric/machine_rates.hpp"
#include "intertwine/numeric/tied_linear.hpp"

namespace intertwine::numeric_detail {

struct ProductSize {
  std::uint64_t rows, cols, params;
  Multiplicity channels;
  std::uint64_t batch;
  unsigned code_bytes;
  bool in_registers;  ///< the look-up needs no memory
  bool materialised;  ///< W is there already
};

template <class T>
double expected_seconds(LayerForm form, const ProductSize& size, double uses);

}  // namespace intertwine::numeric_detail
