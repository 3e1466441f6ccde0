// Certified bases and the proofs of their tables as text and JSON. JSON is one pretty-printed object without a newline at
// the end; integers that may be large are strings in it.
#pragma once
#include <string>
#include <string_view>

#include "intertwine/classical/continuous_basis.hpp"
#include "intertwine/equivariant/closure.hpp"
#include "intertwine/equivariant/equivariant_basis.hpp"
#include "intertwine/hom/equivariant_maps.hpp"
#include "intertwine/io/json_writer.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/verify_table.hpp"

namespace intertwine {

/// The expressions of a basis as they were typed: shorter for people than what a file contains.
struct BasisNames {
  std::string group, in, out;
};

/// Sizes, dimensions and field, every block with what is proved of it, and the certificate.
std::string to_json(const EquivariantBasis& basis);
/// The basis for people, with the reasons why entries have no parameter. \param time  how long it took; may be empty
std::string to_text(const EquivariantBasis& basis, const BasisNames& names, std::string_view time = {},
                    const Task& task = {});

/// The elements of the first block as lists of [row, column, value], entries in row-major order, from 0.
/// \throws DomainError if V or U has dimension 0 (also below)
JsonPiece elements_json(const EquivariantBasis& basis, const Task& task = {});
/// A line for every element of the first block: "B1: +[1,1] -3/2[2,1]", from 1.
std::string elements_text(const EquivariantBasis& basis, const Task& task = {});

/// A basis for a continuous group: sizes, dimensions, the certificate; of several blocks each has its own.
std::string to_json(const ContinuousBlocks& basis);
std::string to_text(const ContinuousBlocks& basis, const BasisNames& names, std::string_view time = {});
/// The elements of a space in the same forms.
JsonPiece elements_json(const IntertwinerSpace& space);
std::string elements_text(const IntertwinerSpace& space);

/// The caption of a picture of its table.
PictureText picture_text(const BasisNames& names, const WeightBlock& table);
/// The caption for a continuous group, with the names of the summands.
PictureText picture_text(const BasisNames& names, const WeightBlock& table, const ContinuousBasis& basis);

namespace hom {

/// The forms above for a group of any kind.
std::string to_json(const Basis& basis);
std::string to_text(const Basis& basis, const BasisNames& names, std::string_view time = {},
                    const Task& task = {});
/// The lines "features": how x and y lie, of a classical group where there are several blocks, as in "x [batch, 40] = 16 x trivial, 8 x
/// vector".
std::string features(const Basis& basis);
/// The elements of the only or the first block.
JsonPiece elements_json(const Basis& basis, const Task& task = {});
std::string elements_text(const Basis& basis, const Task& task = {});
/// The caption of a picture of the table of the only block.
PictureText picture_text(const BasisNames& names, const WeightBlock& table, const Basis& basis);

}  // namespace hom

/// One line.
std::string to_text(const LargestGroup& largest);

std::string proof_json(const BlockProof& proof);
/// The facts proved, a line each.
std::string proof_text(const BlockProof& proof);
/// The facts proved of a table: those of its only block, or a line for each of several.
std::string proof_json(const TableProof& proof);
std::string proof_text(const TableProof& proof);

}  // namespace intertwine
