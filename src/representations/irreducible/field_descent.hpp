// Representations over smaller fields than those of their matrices.
//
// Let rho be an irreducible representation over K with character chi, F = Q(chi), and E a field between F and K over which chi
// has Schur index 1. Step by step, from K = K_0 to K_1, ..., each the field fixed by an automorphism s of prime order l of the one before:
//
// 1. The conjugate s(rho) has the character chi again, so that there is X with rho X = X s(rho), unique up to a factor. It takes the seed of
//    s(rho) to the vector of the same kind in rho, and the same words take both to bases. X is scaled by the shortest number of the lattice
//    that makes it integral.
// 2. X s(X) ... s^(l-1)(X) commutes with rho: it is a number c of the fixed field. A representation over that field exists
//    if and only if c = a s(a) ... s^(l-1)(a) for an a in K_0: a norm equation, which has a solution because the index is 1.
// 3. With X / a in place of X the product is 1, and the vectors v with X s(v) = v are a space over the fixed field
//    that has the dimension of rho (Hilbert 90, Speiser) and is kept by rho. Traces v + X s(v) + X s(X) s^2(v) + ... of integral
//    vectors are a lattice in it that the group keeps, where rho is integral; a short basis is chosen as for
//    constituents of induced modules.
//
// A character whose index is m > 1 is brought to a field E of degree m over F which splits it, among the subfields of K, or to the
// compositum of F and a cyclic field of degree m over Q, for which K is enlarged first. E is real if the character is that of a real
// representation. [Glasby & Howlett 1997 for finite fields; Fieker 2004]
#pragma once
#include <optional>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/characters/schur_index.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A basis of a form over `field` of the space of a representation over the field of `columns`: a regular matrix.
struct FieldDescent {
  AbelianField field;
  FieldMatrix columns;

  /// zeta -> zeta^k
  FieldDescent galois_conjugate(std::int64_t k) const { return {field, columns.galois_conjugate(k)}; }
};

/// Is the representation over a field of the degree of its character field times the Schur index, real if the indicator is 1?
bool is_over_least_field(const IrreducibleRepresentation& R, const CharacterTable& table, const SchurIndex& index);

/// Such fields: that of the character, or composita with cyclic fields of small conductor, as many as are useful to try.
std::vector<AbelianField> least_fields(const CharacterTable& table, std::size_t row, const SchurIndex& index,
                                       const Task& task);

/// A form of R over such a field; nothing if a norm equation was not solved.
std::optional<FieldDescent> descent_to_least_field(const IrreducibleRepresentation& R, const CharacterTable& table,
                                                   const SchurIndex& index, const Task& task);

/// R in that form, verified: the form is kept by the generators.
IrreducibleRepresentation descended(const IrreducibleRepresentation& R, const FieldDescent& descent,
                                    const CharacterTable& table, const Task& task);

}  // namespace intertwine
