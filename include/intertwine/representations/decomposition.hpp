// Representations as sums of irreducible ones, by characters.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/characters/schur_index.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// The character of V on the classes of the table. \throws DomainError unless V's group is that of the table.
ClassFunction character_of(const Representation& V, const CharacterTable& table, const Task& task = {});

enum class BaseField { complex, real, rational };
/// "complex", "real", "rational".
std::string to_string(BaseField field);
/// \throws DomainError for other names.
BaseField base_field(std::string_view name);

/// An irreducible constituent. Over the real numbers a character of indicator 1 is one by itself; one of indicator 0
/// together with its conjugate, and twice one of indicator -1, are the characters of irreducible representations. Over
/// the rational numbers it is the sum of all algebraic conjugates, as often as the Schur index says.
struct Constituent {
  std::vector<std::size_t> irreps;  ///< rows of the table: one, or those conjugate over the field, the least first
  Integer degree;                   ///< over the field asked for
  Integer multiplicity;             ///< > 0
  /// Over the real and the rational numbers: `degree` is index times the sum of the degrees of `irreps`. 1 over the
  /// complex numbers.
  SchurIndex index;
};

/// V as a sum of irreducible representations, rows increasing. The degrees times multiplicities add up to dim V, which
/// is checked. \throws DomainError as character_of, or if V is not over the field asked for; LimitError if a Schur index
/// over Q is not decided.
std::vector<Constituent> decompose(const Representation& V, const CharacterTable& table, BaseField over,
                                   const Task& task = {});
/// A character as a sum of irreducible ones, likewise. \throws DomainError if it is no character, naming an irreducible
/// one that would occur a negative number of times or a fraction, or none of a representation over the field
std::vector<Constituent> decompose(const ClassFunction& f, BaseField over, const Task& task = {});
/// "X.2 + X.3": the names of rows.
std::string row_names(const CharacterTable& table, const std::vector<std::size_t>& rows);

/// How often an irreducible representation occurs in Sym^k V, k = 0, 1, ...
struct MolienReport {
  std::string group;
  std::string representation;  ///< V, as it was asked for
  std::uint64_t dimension;     ///< the dimension of V
  std::string target;          ///< W, or the name of an irreducible character
  /// The row of the irreducible character in its table; none: W was asked for.
  std::optional<std::size_t> row;
  MolienSeries series;
};

}  // namespace intertwine
