// JSON answers of the program that can be proved again, beside the files of tables.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/io/verify_table.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/tables/weight_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Reads what to_json writes of irreducible representations, unknown keys left aside: the group and the rows of its character
/// table by their expression and numbers, the matrices and seeds as they stand. Over the real and the rational numbers
/// `complex` has the same matrices as `form`: those over the complex numbers are not in the file. That the matrices are
/// what they should be is for verify() to prove; that they are a representation is proved here.
/// \param name  what messages call the text, for example a file name
/// \throws FileError naming the place, for text that is no such document, a group other than its generators say, rows that do
/// not exist, expressions that refer to files; VerificationError for matrices that are no representation; LimitError.
IrreducibleForms parse_irreducible_forms(std::string_view text, const std::string& name,
                                         const Task& task = {});

/// What verify() can prove of a file.
using Provable = std::variant<WeightTable, PolynomialMaps, IrreducibleForms>;

/// Reads a file by what it says it is: polynomial maps or irreducible representations as to_json writes them (a JSON object with
/// this "command", or with the key "monomials" or "irreps"), or a table.
/// \throws as parse_polynomial_maps, parse_irreducible_forms and read_table
Provable read_provable(const std::filesystem::path& path, const Task& task = {});

/// What was proved again: of a table a record, of answers that they hold.
using Proved = std::variant<TableProof, PolynomialMaps, IrreducibleForms>;

/// read_provable() and verify(); messages name the file. \throws VerificationError for a claim that fails; FileError also where
/// what the file says is no mathematics at all (it is damaged); LimitError
Proved verify_file(const std::filesystem::path& path, const Task& task = {});

/// What verify() has proved of them, a line each, and as a JSON object.
std::string proof_text(const PolynomialMaps& F);
std::string proof_text(const IrreducibleForms& forms);
std::string proof_json(const PolynomialMaps& F);
std::string proof_json(const IrreducibleForms& forms);

}  // namespace intertwine
