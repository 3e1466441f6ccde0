// Schur indices of irreducible characters, global and local.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/exact/abelian_field.hpp"

namespace intertwine {

/// The index of a character over the completions of its field at one rational prime.
struct LocalIndex {
  std::uint32_t prime;
  std::uint32_t index;
  friend bool operator==(const LocalIndex&, const LocalIndex&) = default;
};

/// The Schur index m of an irreducible character chi over a field K: the component of chi of the group algebra over K is a matrix
/// algebra over a division algebra D of dimension m^2 over its centre K(chi), and an irreducible representation over K has
/// the character m times the sum of the conjugates of chi over K.
struct SchurIndex {
  std::uint32_t index = 1;         ///< m: the least common multiple of the local indices
  std::uint32_t real = 1;          ///< over the real completions of K(chi): 1 or 2; 1 if there are none
  std::vector<LocalIndex> finite;  ///< the primes with an index above 1, increasing
  /// Primes at which nothing was decided because a subgroup was too large, with the number that the index there divides.
  /// Then `index` is only a divisor of m.
  std::vector<LocalIndex> undecided;
  friend bool operator==(const SchurIndex&, const SchurIndex&) = default;
};

/// The dimensions of the division algebra D of an irreducible character chi over Q.
struct DivisionAlgebra {
  Integer over_centre;     ///< m^2, over Q(chi)
  Integer over_rationals;  ///< m^2 [Q(chi) : Q]
  friend bool operator==(const DivisionAlgebra&, const DivisionAlgebra&) = default;
};
/// From the index over Q and the number of the conjugates of chi, itself among them. Nothing if a prime is undecided.
std::optional<DivisionAlgebra> division_algebra(const SchurIndex& over_q, std::size_t conjugates);

/// The Schur index of character number `row` over Q, proved.
///
/// \par Method  Over R by the Frobenius-Schur indicator. At a prime p it divides p - 1 (2 if p = 2), and all completions of Q(chi)
///              above p have the same one [Benard 1972; Yamada 1974]. For a prime q its q-part is 1
///              if q does not divide chi(1); if chi(1) has the full p-part of |G|; if Q(chi) has no q-th roots of unity
///              [Benard & Schacher 1972]; for p = 2 if Q_2(chi) contains i; or if for a cyclic subgroup and a linear character
///              l of it q divides neither the multiplicity of l in chi nor [Q_p(chi, l) : Q_p(chi)]. Where this
///              leaves p = 2 alone and Q(chi) has an odd number of primes above 2, the sum of all invariants, 0, decides. Otherwise
///              it is that of a cyclotomic algebra, in the group algebra of a section of a subgroup H = \<c> Q that is the
///              product of a cyclic group of order prime to q and a Sylow q-subgroup of its normalizer, for a
///              character theta with q dividing neither (chi, theta) nor [Q_p(chi, theta) : Q_p(chi)]. There is one
///              for some c by the theorem of Brauer and Witt, and the local index of a cyclotomic algebra is
///              given by the cocycle.
/// \par Source  [Isaacs 1976, ch. 10; Yamada 1974; Olteanu 2007 for the way; Benard 1976]
/// \par Cost    the classes of the elements of H and a search of some |H| log |H| products for every section of H; groups
///              whose subgroups H have more than 200,000 elements have undecided primes.
/// \throws DomainError unless row < table.size(); LimitError by the task's limits.
SchurIndex schur_index(const CharacterTable& table, std::size_t row, const Task& task = {});
/// The Schur indices of many rows, in the order of `rows`. The subgroups are searched once for all of them.
std::vector<SchurIndex> schur_indices(const CharacterTable& table, std::span<const std::size_t> rows,
                                      const Task& task = {});
/// For all rows, in the order of the table.
std::vector<SchurIndex> schur_indices(const CharacterTable& table, const Task& task = {});

/// The index over a larger field: m_p over K is m_p / gcd(m_p, [K_p(chi) : Q_p(chi)]), and over the real completions it is 1
/// unless K is real.
/// \param over_q  schur_index(table, row)
SchurIndex schur_index_over(const AbelianField& K, const SchurIndex& over_q, const CharacterTable& table,
                            std::size_t row);

}  // namespace intertwine
