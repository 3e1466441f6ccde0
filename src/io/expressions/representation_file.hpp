// Files with the images of a group's generators, rep(@file.json).
#pragma once
#include <filesystem>
#include <optional>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// {"type": "permutation" | "signed", "degree": m, "images": [[...], ...]}, one list a generator, in their
/// order. Permutation lists are 0-based; signed ones are 1-based with a sign. \throws FileError naming the
/// file and what is wrong in it; DomainError if the images are no representation.
Representation read_representation(const FiniteGroup& G, const std::filesystem::path& path, const Task& task);

/// Images of the generators that a group has, or of others that come with them.
struct MatrixImages {
  std::vector<FieldMatrix> images;
  std::optional<std::vector<FieldMatrix>> generators;
};
/// The matrices of {"type": "matrix", "dimension": d, "images": [[...], ...]}, perhaps with "generators": matrices of one size. \throws FileError
MatrixImages read_matrix_images(const std::filesystem::path& path, const Task& task);

}  // namespace intertwine
