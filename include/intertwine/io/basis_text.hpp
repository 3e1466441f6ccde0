// Parts of what is said of certified bases: their elements, the captions of their pictures, the largest group.
#pragma once
#include <string>

#include "intertwine/equivariant/closure.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The caption of a picture of its table.
PictureText picture_text(const BasisNames& names, const WeightBlock& table);

namespace hom {

/// A line for every element of the only or the first block: "B1: +[1,1] -3/2[2,1]", from 1.
/// \throws DomainError if V or U has dimension 0
std::string elements_text(const Basis& basis, const Task& task = {});

/// The caption of a picture of the table of the only block, with the names of the summands of a continuous group.
PictureText picture_text(const BasisNames& names, const WeightBlock& table, const Basis& basis);

}  // namespace hom

/// One line.
std::string to_text(const LargestGroup& largest);

}  // namespace intertwine
