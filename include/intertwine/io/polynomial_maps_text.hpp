// Equivariant polynomial maps read from JSON (docs/formats.md).
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/hom/equivariant_maps.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Reads the JSON of their records; keys that it does not know are left aside, and added to `claims`. Group and
/// representations are what their expressions say; that the maps are equivariant, independent and complete is for
/// verify() to prove.
/// \param name  what messages call the text, for example a file name
/// \throws FileError naming the place, for text that is no such document: of another convention, with sizes that do not
/// agree, indices that do not exist, maps that are not well-formed or are not as many as the certificate says, expressions
/// that cannot be read or refer to files; LimitError through `task`.
hom::AnyPolynomials parse_polynomial_maps(std::string_view text, const std::string& name, const Task& task = {},
                                          std::vector<std::string>* claims = nullptr);
/// The polynomial maps of a file of at most 256 MiB.
hom::AnyPolynomials read_polynomial_maps(const std::filesystem::path& path, const Task& task = {});

}  // namespace intertwine
