// Matrices side by side or on top of each other, by pointers: what is stacked is often large and made of parts of other values.
#pragma once
#include <span>
#include <vector>

#include "intertwine/exact/matrix.hpp"

namespace intertwine {

enum class Stacking { vertical, horizontal };

/// \throws DomainError if widths, or heights, differ.
IntegerMatrix stacked(Stacking way, std::span<const IntegerMatrix* const> parts);
RationalMatrix stacked(Stacking way, std::span<const RationalMatrix* const> parts);

template <class Matrix>
std::vector<const Matrix*> pointers_to(std::span<const Matrix> parts) {
  std::vector<const Matrix*> result;
  for (const Matrix& part : parts) result.push_back(&part);
  return result;
}

}  // namespace intertwine
