// Representations as sums of irreducible ones, by characters.
#pragma once
#include <vector>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// The character of V on the classes of the table. \throws DomainError unless V's group is that of the table.
ClassFunction character_of(const Representation& V, const CharacterTable& table, const Task& task = {});

enum class BaseField { complex, real };

/// An irreducible constituent. Over the real numbers a character of indicator 1 is one by itself; one of indicator 0
/// together with its conjugate, and twice one of indicator -1, are the characters of irreducible representations.
struct Constituent {
  std::size_t irrep;     ///< row of the table; of a conjugate pair the first one
  std::size_t partner;   ///< over the reals the row of the conjugate character, else irrep itself
  Integer degree;        ///< over the field asked for
  Integer multiplicity;  ///< > 0
};

/// V as a sum of irreducible representations, rows increasing. The degrees times multiplicities add up to dim V, which
/// is checked. \throws DomainError as character_of.
std::vector<Constituent> decompose(const Representation& V, const CharacterTable& table, BaseField over,
                                   const Task& task = {});

}  // namespace intertwine
