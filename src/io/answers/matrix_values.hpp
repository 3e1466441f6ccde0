// The parts of answers that have matrices.
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/io/json_writer.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Before a matrix of V is made and written: asks for its entries, and for a cell of text for each.
/// \param written  the bytes that are written already
void require_matrix(const Representation& V, std::uint64_t written, const Task& task);

/// The rows as doubles; pairs of these where the field is not real.
void write_numbers(JsonWriter& json, const RootMatrix& A);
/// "matrices" and "numbers". Entry (i, k) is that of the exact matrix times sqrt(norms[i] / norms[k]), and the same
/// number in doubles.
void write_unitary(JsonWriter& json, const std::vector<RootMatrix>& matrices);

}  // namespace intertwine
