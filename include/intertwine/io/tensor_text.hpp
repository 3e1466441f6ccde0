// Tensor properties of crystals: the names of their groups in, the forms of tensors out as text, JSON, LaTeX.
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

/// The form of a tensor, and what it was asked for by.
struct TensorReport {
  TensorForm form;
  std::string group;     ///< "D4h", "C∞v"
  std::string standing;  ///< the point group that stands for one without end; else empty
  std::optional<TensorProjection> projection = {};  ///< of a tensor that was given
  std::optional<TensorForm> turned = {};            ///< the form in axes that were asked for
  std::string axes = {};                            ///< these axes as they were written
};
/// Classes with axes of their own (class_with_axes): -62m, 31m, 112/m.
/// Also C∞, C∞v, C∞h, D∞, D∞h (or Coo, Coov, …), K, Kh and isotropic: C8, …, I and Ih have the same tensors, whose rank is at most 4.
TensorReport tensor_report(std::string_view property, std::string_view group, const Task& task = {});

/// The Raman tensors of a point group, and its names.
struct RamanReport {
  std::vector<RamanSpecies> species;
  std::string group;            ///< "D4h"
  std::string hermann_mauguin;  ///< "4/mmm"
};
/// Does this name of a property mean Raman tensors, which are one form for every species?
bool means_raman(std::string_view property);
/// \throws ParseError, DomainError as parse_point_group, and for groups without end and magnetic ones
RamanReport raman_report(std::string_view group, const Task& task = {});

/// A matrix of this shape from a file: .npy, or text with a row in every line, its numbers between blanks or commas; what is
/// behind # is left. \throws FileError naming the line, DomainError for another shape
std::vector<double> read_tensor(const std::filesystem::path& path, std::size_t rows, std::size_t cols);

std::string to_text(const TensorReport& report);
std::string to_text(const RamanReport& report);
/// A JSON object.
std::string to_json(const TensorReport& report);
std::string to_json(const RamanReport& report);
/// A matrix in LaTeX; of Raman tensors one for every partner.
std::string to_latex(const TensorReport& report);
std::string to_latex(const RamanReport& report);
/// A line for every property: its name, its meaning, its matrix, its synonyms.
std::string known_tensor_properties();

}  // namespace intertwine
