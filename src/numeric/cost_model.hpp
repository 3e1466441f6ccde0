// What a product should cost on this processor. The rates are measured once a process, for each type and level.
#pragma once
#include "intertwine/numeric/tied_linear.hpp"

namespace intertwine::numeric_detail {

struct Rates {
  double flops;      ///< floating-point operations a second of a product in cache
  double bytes;      ///< bytes a second that are read and written by a large copy
  double expanded;   ///< weights a second looked up and stored, in cache
  double looked_up;  ///< weights a second looked up from registers and multiplied with one row
  double added;      ///< numbers a second added to an orbit sum
};

template <class T>
const Rates& measured_rates();

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
