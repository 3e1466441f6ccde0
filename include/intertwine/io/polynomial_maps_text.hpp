// Equivariant polynomial maps as JSON, which is read back (docs/formats.md), and for people.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "intertwine/classical/continuous_polynomials.hpp"
#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/hom/equivariant_maps.hpp"
#include "intertwine/io/format.hpp"
#include "intertwine/io/json_writer.hpp"
#include "intertwine/io/sheet.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// One pretty-printed object without a newline at the end.
std::string to_json(const PolynomialMaps& F);
std::string to_json(const ContinuousPolynomialMaps& F);
/// Its members, of which a monomial or a term is held at a time.
void write_json(JsonWriter& json, const PolynomialMaps& F);
void write_json(JsonWriter& json, const ContinuousPolynomialMaps& F);
/// How many there are and why no more, then all coordinates of all maps; only the first if they have more than 5000 terms.
/// \param time  how long it took, as people read it; may be empty
std::string to_text(const PolynomialMaps& F, unsigned width = 80, std::string_view time = {});
std::string to_text(const ContinuousPolynomialMaps& F, unsigned width = 80, std::string_view time = {});
/// A line for every map. \throws LimitError if they have more than 5000 terms.
std::string to_latex(const PolynomialBasis& F);
/// A line for every output of every map.
Sheet to_sheet(const PolynomialMaps& F);
Sheet to_sheet(const ContinuousPolynomialMaps& F);
/// A list of the maps, each the list of its coordinates: polynomials over the least cyclotomic field with the coefficients.
/// \throws InternalError unless it is a system of computer algebra
std::string to_system(Format system, const PolynomialBasis& F, const Task& task = {});

/// Reads what to_json writes; keys that it does not know are left aside, and added to `claims`. Group and representations are what their expressions say; that the
/// maps are equivariant, independent and complete is for verify() to prove.
/// \param name  what messages call the text, for example a file name
/// \throws FileError naming the place, for text that is no such document: of another convention, with sizes that do not
/// agree, indices that do not exist, maps that are not well-formed or are not as many as the certificate says, expressions
/// that cannot be read or refer to files; LimitError through `task`.
hom::AnyPolynomials parse_polynomial_maps(std::string_view text, const std::string& name,
                                          const Task& task = {}, std::vector<std::string>* claims = nullptr);
/// The polynomial maps of a file of at most 256 MiB.
hom::AnyPolynomials read_polynomial_maps(const std::filesystem::path& path, const Task& task = {});

}  // namespace intertwine
