// The time that a product should take on this processor.
#pragma once
#include <string_view>

#include "intertwine/numeric/layer.hpp"
#include "intertwine/numeric/machine_rates.hpp"

namespace intertwine::numeric_detail {

struct ProductSize {
  std::uint64_t rows = 0, cols = 0, params = 0;
  std::uint64_t entries = 1;  ///< the entries of a look-up table
  Multiplicity channels;
  std::uint64_t batch = 0;
  double additions = 0;       ///< that an orbit sum takes for a row of W on average,
  double occurring = 0;       ///< and parameters in it
  unsigned code_bytes = 0;    ///< 0 for a general basis
  bool strided = false;       ///< panels run through channels, so that codes are looked up one by one
  bool in_registers = false;  ///< the look-up needs no memory
  bool materialised = false;  ///< W is there already
  bool streamed = false;      ///< W is made a block at a time and not kept
};

/// The seconds of a product of `rows` vectors with outputs x inputs weights that are there already.
template <class T>
double product_seconds(std::uint64_t rows, std::uint64_t outputs, std::uint64_t inputs);

/// The seconds of the forms dense, lookup and implicit; the other forms know their own.
template <class T>
double expected_seconds(LayerForm form, const ProductSize& size, double uses);

/// The seconds of dtheta by way of dW, whose entries are summed as `reduction` says.
template <class T>
double gradient_seconds(const ProductSize& size, std::string_view reduction);

}  // namespace intertwine::numeric_detail
