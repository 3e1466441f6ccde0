// JSON answers of the program that can be proved again, beside the files of tables.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "intertwine/characters/character_proof.hpp"
#include "intertwine/classical/continuous_polynomials.hpp"
#include "intertwine/classical/steerable_kernels.hpp"
#include "intertwine/equivariant/mackey_basis.hpp"
#include "intertwine/equivariant/point_kernels.hpp"
#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/io/verify_table.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/representation_proof.hpp"
#include "intertwine/tables/diagram_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Reads what to_json writes of irreducible representations: the group and the rows of its character
/// table by their expression and numbers, the matrices and seeds as they stand. Over the real and the rational numbers
/// `complex` has the same matrices as `form`: those over the complex numbers are not in the file. That the matrices are
/// what they should be is for verify() to prove; that they are a representation is proved here.
/// \param name  what messages call the text, for example a file name
/// \param claims  the writer's word is added: keys that nothing here looks at ("irreps.orthonormal"), and names of rows that are not ours
/// \throws FileError naming the place, for text that is no such document, rows that do not exist, expressions that refer to files;
/// VerificationError for matrices that are no representation, a group other than its generators say, and for an order, indicators and fields that
/// are others; LimitError.
IrreducibleForms parse_irreducible_forms(std::string_view text, const std::string& name, const Task& task = {},
                                         std::vector<std::string>* claims = nullptr);

/// A character table, or irreducible representations, with a proof (docs/formats.md, "Proofs of character tables").
struct ProofFile {
  std::string group;  ///< the group as the file calls it
  std::variant<CharacterClaim, MatricesClaim> claim;
  /// The text of the file, for what it says of representations beyond the proof.
  std::string text;
  std::vector<std::string> claims;  ///< the keys that nothing here checks
};

/// The facts proved of one file. All of them hold when verify() returns.
struct ProvedCharacters {
  std::string group;
  Integer order;
  std::size_t classes, characters;  ///< how many there are, and how many of them are in the file
  bool matrices;                    ///< representations, not characters alone
  std::vector<std::string> claims;  ///< the other statements of the file, which nothing here checks: the writer's word
};

/// \throws FileError naming the place for text that is no such document; LimitError
ProofFile parse_proof_file(std::string text, const std::string& name, const Task& task = {});
/// Proves what the file claims from its proof: verify(CharacterClaim) or verify(MatricesClaim), and the name of the group where this program knows it. Of
/// representations also what the file says of rows and seeds, as verify(IrreducibleForms) does.
/// \throws VerificationError naming the first claim that fails; FileError; LimitError
ProvedCharacters verify(const ProofFile& file, const Task& task = {});

/// The answers that verify() can prove.
using Provable = std::variant<WeightTable, DiagramTable, PolynomialMaps, ContinuousPolynomialMaps, IrreducibleForms,
                              ProofFile, SteerableKernels, PointKernels, KernelSpace>;

/// Reads a file by what it says it is: polynomial maps, kernels, irreducible representations or character tables as to_json writes them (a JSON object with
/// this "command", or with the key "monomials", "double_cosets", "irreps" or "irreducibles"), or a table. Character tables need a proof.
/// \param claims  of answers that hold none themselves the writer's word is added: the keys that nothing looks at
/// \throws as parse_polynomial_maps, parse_space_kernels, parse_irreducible_forms, parse_proof_file and read_table
Provable read_provable(const std::filesystem::path& path, const Task& task = {},
                       std::vector<std::string>* claims = nullptr);

/// The proved answers: of a table a record of the proof, of other answers the answer itself.
using Proved = std::variant<TableProof, DiagramProof, PolynomialMaps, ContinuousPolynomialMaps, IrreducibleForms,
                            ProvedCharacters, SteerableKernels, PointKernels, KernelSpace>;

/// read_provable() and verify(); messages name the file. \throws VerificationError for a claim that fails; FileError also where
/// what the file says is no mathematics at all (it is damaged); LimitError
Proved verify_file(const std::filesystem::path& path, const Task& task = {},
                   std::vector<std::string>* claims = nullptr);

}  // namespace intertwine
