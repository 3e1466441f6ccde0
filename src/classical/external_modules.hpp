// Representations of products as sums of external products of expressions: what their characters are, without any matrix.
#pragma once
#include <memory>
#include <vector>

#include "continuous_node.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// multiplicity times the external product of expressions, one for each factor. Those are for characters alone: of functors nothing but the shape and the part is filled in.
struct ExternalModule {
  ContinuousNodes parts;
  Integer multiplicity = 1;
};
/// A representation of a product of groups as the sum of such, up to isomorphism: S_shape of a sum by Littlewood-Richardson coefficients, of a product by
/// Kronecker coefficients [Macdonald 1995]. \throws LimitError as require_few_terms, or through `task`
std::vector<ExternalModule> external_modules(const ContinuousNode& node, const Task& task);

}  // namespace intertwine
