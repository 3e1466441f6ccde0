// Pairs of a subgroup and a linear character of it that occurs once in an irreducible character, or twice over a smaller field.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/characters/linear_characters.hpp"
#include "intertwine/characters/modular_characters.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A character table modulo a prime p = 1 mod the exponent of the group, and how the Galois group permutes its rows.
/// Characters are independent modulo p, so that equal residues mean equal characters.
class GaloisTable {
 public:
  using Element = PrimeField::Element;
  explicit GaloisTable(const CharacterTable& table);
  GaloisTable(const GaloisTable&) = delete;
  GaloisTable& operator=(const GaloisTable&) = delete;

  const CharacterTable& table() const { return table_; }
  const ModularCharacters& space() const { return space_; }
  const ModularCharacters::Vector& row(std::size_t i) const { return rows_[i]; }
  /// Row i is the image of row `source`, the first one of its family, under zeta -> zeta^automorphism.
  struct Member {
    std::size_t source;
    std::uint32_t automorphism;
  };
  const Member& member(std::size_t i) const { return members_[i]; }
  /// The smallest n with all values of row i in Q(zeta_n).
  std::uint32_t conductor(std::size_t i) const { return conductors_[i]; }
  /// [Q(chi, zeta_r) : Q(chi)] for row i; r must divide the exponent.
  std::uint32_t extension_degree(std::size_t i, std::uint32_t r) const;
  /// The units modulo r, increasing, by which zeta_r -> zeta_r^k fixes row i, whose values must be in Q(zeta_r).
  std::vector<std::uint32_t> fixing(std::size_t i, std::uint32_t r) const;

 private:
  void find_families();

  CharacterTable table_;
  PowerTable powers_;
  ModularCharacters space_;
  std::vector<ModularCharacters::Vector> rows_;
  std::vector<Member> members_;
  std::vector<std::uint32_t> conductors_;           ///< the conductors of the rows
  std::vector<std::vector<std::uint32_t>> fixing_;  ///< the k modulo the conductor that fix each of the first rows
};

/// H <= G and a linear character l of H, of which <chi|_H, l> is known: 1 unless something else is said.
struct LinearPair {
  std::shared_ptr<const LinearCharacters> linear;  ///< the linear characters of H
  std::uint32_t order;                             ///< l has values zeta_order^k
  std::vector<std::uint32_t> exponents;            ///< the exponents k at the cosets of H'
  std::uint64_t index;                             ///< [G : H]
  std::uint32_t extension;                         ///< [Q(chi, l) : Q(chi)]

  const FiniteGroup& subgroup() const { return linear->group(); }
  std::uint32_t exponent_at(const Permutation& h) const { return exponents[linear->coset_of(h)]; }
};

/// Subgroups of larger index are looked at for rows that no other one serves, and never those of an index above largest_index().
constexpr unsigned usual_index = 20'000;
/// 300,000, or less where the representatives of the cosets would not fit into some 400 MB.
std::uint64_t largest_index(const FiniteGroup& G);

/// The pairs found for a row.
struct FoundPairs {
  std::optional<LinearPair> once;
  /// If `once` needs an extension that the indicator does not ask for: the pair of least index with l over Q(chi) and
  /// <chi|_H, l> = 2.
  std::optional<LinearPair> twice;
};

/// The best pairs found for each of the rows, each the first one of its family; nothing where none was found. Best is
/// an index up to usual_index, then the smallest extension, then an index equal to the degree (chi is then induced), then the
/// smallest index. Deterministic, and the pairs of a row do not depend on the other rows.
///
/// <chi|_H, l> is a sum over the elements of H, or over its conjugacy classes where it is large.
std::vector<FoundPairs> multiplicity_one_pairs(const GaloisTable& table, const std::vector<std::size_t>& rows,
                                               const Task& task);

}  // namespace intertwine
