// Representations as sums of irreducible ones, by characters.
#pragma once
#include <vector>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/characters/schur_index.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// The character of V on the classes of the table. \throws DomainError unless V's group is that of the table.
ClassFunction character_of(const Representation& V, const CharacterTable& table, const Task& task = {});

enum class BaseField { complex, real, rational };

/// An irreducible constituent. Over the real numbers a character of indicator 1 is one by itself; one of indicator 0
/// together with its conjugate, and twice one of indicator -1, are the characters of irreducible representations. Over
/// the rational numbers it is the sum of all algebraic conjugates, as often as the Schur index says.
struct Constituent {
  std::vector<std::size_t>
      irreps;            ///< rows of the table: one, or those conjugate over the field, the least first
  Integer degree;        ///< over the field asked for
  Integer multiplicity;  ///< > 0
  /// Over the real and the rational numbers: `degree` is index times the sum of the degrees of `irreps`. 1 over the
  /// complex numbers.
  SchurIndex index;
};

/// V as a sum of irreducible representations, rows increasing. The degrees times multiplicities add up to dim V, which
/// is checked. \throws DomainError as character_of, or if V is not over the field asked for; LimitError if a Schur index
/// over Q is not decided.
std::vector<Constituent> decompose(const Representation& V, const CharacterTable& table, BaseField over,
                                   const Task& task = {});

}  // namespace intertwine
