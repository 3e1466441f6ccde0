// Irreducible representations by explicit matrices.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A subgroup H and a linear character l of it that occurs once in an irreducible representation R restricted to H: R
/// has one line of vectors with h w = l(h) w. Every map from R to V is known by the image of w.
struct MultiplicityOneSeed {
  std::vector<Permutation> generators;  ///< the generators of H
  std::vector<Cyclotomic> values;       ///< the values of l at them
  FieldMatrix vector;                   ///< w, dim R x 1
};

/// An irreducible representation over an explicit field, verified: its images are those of an invariant subspace of a
/// representation, and its traces are the character.
struct IrreducibleRepresentation {
  std::size_t row;                ///< the row of the character in the table
  Representation representation;  ///< over representation.field()
  MultiplicityOneSeed seed;
  /// "Young's natural form", "induced from a linear character of a subgroup of index 5", ...
  std::string construction;
  /// The field is the character field; otherwise there is no such representation, because the Schur index is not 1, or none was found.
  bool over_character_field;
  /// If the basis vectors are the standard polytabloids of a shape, in the order of the tableaux: the shape.
  std::optional<Partition> shape = {};
};

/// Matrices for the irreducible character number k (0-based) of the table, over its character field wherever it can be realized
/// there, otherwise over a field of least degree, its Schur index; over a real one if the indicator is 1. With small entries.
///
/// \par Method   Sym(n): Specht modules (Young's natural form). Alt(n), n >= 8: their restrictions, and halves of those
///               whose partition is its own conjugate. Supersolvable groups: the monomial matrices built along a chief
///               series [Baum & Clausen 1994] where the character field holds their entries; from rank 17 on, where the
///               field K of the linear character has the right degree, K as a space over it. Otherwise a subgroup H, of
///               index at most 20,000, or 300,000 where there is no other, and a linear character l of it that occurs once in
///               the character chi are searched for among stabilizers, centralizers, normalizers, normal, abelian and random subgroups; all rows share
///               the search. In the module M induced from l, chi occurs once, in the span of the images of its spherical
///               function. If [G : H] = chi(1), M itself is taken: its matrices are monomial. Otherwise a basis of short
///               vectors is chosen that is short together with its dual; over quadratic fields by reduction over their
///               integers. In large modules only coordinates at some 2 chi(1) cosets are computed, which determine a
///               vector of the constituent. Matrices over a larger field than there need
///               be are brought down by Galois descent, one cyclic extension of prime degree after the other, for which
///               norm equations are solved (norm_equation.hpp); where that would be in a rank above 500, a module in which chi
///               occurs twice is taken instead if there is one over Q(chi), and split by a vector that a 2 x 2 matrix of
///               determinant 0 makes of the spherical one, over a field of least degree. One realization serves all Galois conjugates of chi.
///               If no such H is found and the stabilizers of a point and of two points act irreducibly, the
///               matrices of the first are extended. If the rank would be above 700 and chi is an exterior or
///               symmetric power of a smaller row, or a product of two, over the same field, so are its
///               matrices.
/// \par Proof    The matrices along a chief series satisfy its power and conjugation relations, which define the group,
///               and all their traces are those of the table. Otherwise <chi|_H, l> = 1 is an integer below the prime
///               modulo which it is computed. On the chosen subspace
///               rho(s) C = C R(s) holds exactly. Its traces are compared with chi at all classes modulo one prime p
///               that does not divide |G| and exceeds chi(1): modulo such primes the irreducible characters are
///               independent, so that the character is chi. Where M is irreducible, Frobenius reciprocity is the
///               proof; for Alt(n) the branching from Sym(n), and one trace for halves.
/// \par Cost     the search looks at some 10^6 elements for every row: all those of subgroups up to 20,000, of larger ones
///               their classes; an image of M of dimension n costs n products; lattice reduction in rank
///               chi(1) [K : Q] dominates above rank 100: rank 176 takes half a second; a norm equation in degree 24 one.
///               If the equation is not solved, or the Schur index not decided, the field stays larger. Above rank 200,
///               and over Q above degree 300, bases are adapted to a subgroup where one is found (rank 324 takes half a
///               second), and the matrices are integral where the integers of the field are Z[a] and the lattice that
///               is found, or its product with an ideal, is free; their numbers are long where lattices are not
///               reduced. In lower ranks they may have denominators where an ideal is not principal.
/// \throws DomainError unless k < table.size(); LimitError by the task's limits or saying what was not found.
IrreducibleRepresentation irreducible_representation(const CharacterTable& table, std::size_t k, const Task& task = {});
/// All of them, in the order of the table; searches are shared.
std::vector<IrreducibleRepresentation> irreducible_representations(const CharacterTable& table, const Task& task = {});

/// R, whose character is row number `row` of the table, as a value with the text "irrep(k)", k = row + 1: its traces are read
/// from the table.
Representation named_irreducible(const Representation& R, const CharacterTable& table, std::size_t row);

/// Proves an irreducible representation from the images of the generators, whatever made it: they extend to a
/// homomorphism (matrix_representation); its traces at all classes, and what the representation says of itself there, are
/// the values of its row, which has norm 1, so that it is irreducible; the matrix at every representative is that of a
/// word in the generators; the seed is what it should be, and single. The table's classes are taken for true.
/// \throws VerificationError naming the first claim that fails; DomainError if the groups differ; LimitError where
///         matrix_representation has one.
/// \par Cost  orbits of vectors that span the space over Q, and for every class a product of matrices.
void verify(const IrreducibleRepresentation& R, const CharacterTable& table, const Task& task = {});

/// An irreducible representation over the real or the rational numbers. Over the complex numbers it is the sum of the
/// characters `rows`, each taken `multiplicity` times (their Schur index).
struct IrreducibleForm {
  std::vector<std::size_t> rows;  ///< increasing
  std::size_t multiplicity;
  Representation representation;
};

/// The irreducible representation over the real numbers that R is part of: R itself if it is real, otherwise R over
/// the real subfield of its field, of twice the degree: R with its conjugate, or R twice if it is quaternionic. The
/// matrices are over a real number field.
/// \throws LimitError if R is real and was realized over no real field.
IrreducibleForm real_form(const IrreducibleRepresentation& R, const CharacterTable& table);
/// The irreducible representation over Q that R is part of, by restriction of scalars.
/// \throws LimitError unless the degree of the field of R over that of its character is the Schur index.
IrreducibleForm rational_form(const IrreducibleRepresentation& R, const CharacterTable& table);

/// A row of a table without matrices, and why.
struct MissingForm {
  std::size_t row;
  std::string reason;
};

/// Irreducible representations over one field, by matrices.
struct IrreducibleForms {
  struct Entry {
    IrreducibleRepresentation complex;  ///< the representation of which the form is made
    IrreducibleForm form;               ///< over the complex numbers the same
  };
  CharacterTable table;
  BaseField over;
  std::vector<Entry> entries;        ///< in the order of the table
  std::vector<MissingForm> missing;  ///< rows that belong to none of them, increasing
};
/// All of them: one for every family of rows that are conjugate over the field. Rows that are not found are `missing`.
IrreducibleForms irreducible_forms(const CharacterTable& table, BaseField over, const Task& task = {});
/// The one that row k (0-based) is part of. \throws DomainError unless k < table.size().
IrreducibleForms irreducible_form(const CharacterTable& table, std::size_t k, BaseField over, const Task& task = {});

/// Proves every entry: over the complex numbers verify(entry.complex); otherwise that the images of the generators of
/// entry.form extend to a homomorphism, over a field of real or rational numbers, and that decompose() finds in it one
/// irreducible representation, once, made of the rows with the multiplicity stated.
/// \throws VerificationError naming the first claim that fails
void verify(const IrreducibleForms& forms, const Task& task = {});

}  // namespace intertwine
