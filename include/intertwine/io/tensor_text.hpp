// Tensor properties of crystals by the names of their groups.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/io/tensor_axes.hpp"
#include "intertwine/physics/raman_tensors.hpp"
#include "intertwine/physics/tensor_projection.hpp"
#include "intertwine/physics/tensor_properties.hpp"

namespace intertwine {

/// A point group by its Schoenflies symbol (D4, C3, S4 too, which other expressions take for abstract groups), its international
/// symbol (4mm, -42m, 32) or an expression that means one. \throws ParseError, DomainError
FiniteGroup parse_point_group(std::string_view text);
/// The same, or the double group of a point group, "double(Oh)".
FiniteGroup parse_point_or_double_group(std::string_view text);

/// Classes with axes of their own (class_with_axes): -62m, 31m, 112/m.
/// Also C∞, C∞v, C∞h, D∞, D∞h (or Coo, Coov, …), K, Kh and isotropic: C8, …, I and Ih have the same tensors, whose rank is at most 4.
TensorReport tensor_report(std::string_view property, std::string_view group, const Task& task = {});

/// Does this name of a property mean Raman tensors, which are one form for every species?
bool means_raman(std::string_view property);
/// \throws ParseError, DomainError as parse_point_group, and for groups without end and magnetic ones
RamanReport raman_report(std::string_view group, const Task& task = {});

/// A matrix of this shape from a file: .npy, or text with a row in every line, its numbers between blanks or commas; what is
/// behind # is left. \throws FileError naming the line, DomainError for another shape
std::vector<double> read_tensor(const std::filesystem::path& path, std::size_t rows, std::size_t cols);

/// A line for every property: its name, its meaning, its matrix, its synonyms.
std::string known_tensor_properties();

}  // namespace intertwine
