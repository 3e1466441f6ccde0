// Reductive groups and their representations as people write them: "SU(3) x U(1)", "2*irrep([1,1])^2 + sym(3, vector)".
#pragma once
#include <string>
#include <string_view>

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/reductive/axial_character.hpp"
#include "intertwine/reductive/finite_embedding.hpp"
#include "intertwine/reductive/lie_group.hpp"

namespace intertwine {

/// Is this meant for a reductive group, and not for a finite one? True if it begins with the name of one: SU, U, SL, GL, SO, Spin, Sp
/// with one number, in parentheses or not (SL(2,3) and U3(3) are finite), Lie(...), G2, F4, E6, E7, E8, or one of the first names alone, which
/// parse_lie_group refuses with what is missing.
bool names_lie_group(std::string_view text);

/// Is every factor of a product one that parse_lie_group takes by its name?
bool names_only_lie_groups(std::string_view text);

/// A product of SU(n), SL(n), U(n), GL(n), SO(n), Spin(n), Sp(n), G2, F4, E6, E7, E8 and Lie(TYPE), TYPE being such as A5 or A2 x A1 x T1.
/// \throws ParseError with the position of the trouble; LimitError for ranks beyond RootSystem::max_rank.
/// \par Example  parse_lie_group("SU(3) x U(1)")
LieGroup parse_lie_group(std::string_view text);

/// Names trivial, vector, adjoint, spinor, harmonic(l), irrep([labels]), irrep([parts] as partition), dual(R), sym(k, R), alt(k, R),
/// schur([2,1], R); R + S, R * S, R^k and 3*R. \throws ParseError with the position; DomainError and LimitError as the functions
/// of reductive/.
LieCharacter parse_lie_representation(const LieGroup& G, std::string_view text, const Task& task = {});

/// The character of an expression over O(n), on a finite subgroup: trivial, vector, adjoint, parity (or det),
/// harmonic(l), irrep([parts] as partition), and the algebra.
/// \throws ParseError with the position; LimitError for functors of weight above 200
ClassFunction parse_orthogonal_representation(const OrthogonalEmbedding& f, std::string_view text,
                                              const Task& task = {});

/// The character of an expression over C∞v, or D∞h if `centre`: trivial, vector and harmonic(l) of R^3, parity (or
/// det), irrep(Πu), and the algebra.
/// \param of_orthogonal  representations of O(3), which are restricted: irrep([l] as partition) for names
/// \throws ParseError with the position; LimitError for degrees above 10000
AxialCharacter parse_axial_representation(bool centre, std::string_view text, bool of_orthogonal = false,
                                          const Task& task = {});
/// The representation by matrices (classical/linear_molecules.hpp). \throws LimitError also for degrees beyond what
/// matrices are made for
ContinuousRepresentation parse_axial_matrices(bool centre, std::string_view text, const Task& task = {});

/// Forms of names for --help, one a line.
std::string known_lie_groups();
std::string known_lie_representations();

}  // namespace intertwine
