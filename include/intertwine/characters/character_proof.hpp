// The data from which a stranger can prove a character table (docs/formats.md, "Proofs of character tables").
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/groups/order_proof.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Every irreducible character as an integral combination of characters induced from linear characters of subgroups. The
/// combinations are generalized characters, so that those of norm 1 and positive degree are irreducible.
struct CharacterProof {
  /// A linear character: generator j of subgroups[subgroup] has the value exp(2 pi i exponents[j] / order).
  struct Linear {
    std::size_t subgroup;
    std::uint32_t order;
    std::vector<std::uint32_t> exponents;
  };
  OrderProof order;
  std::vector<std::vector<Permutation>> subgroups;  ///< their generators
  std::vector<Linear> linear;
  /// For every row of the table pairs of a number in `linear` and a coefficient that is not 0.
  std::vector<std::vector<std::pair<std::size_t, Integer>>> combinations;
};

/// \par Method  Subgroups are tried until their linear characters, induced, span all generalized characters: G and the centralizers of elements as long
///              as they are small, cyclic subgroups, then \<z> x P for a p'-element z and a Sylow p-subgroup P of its centralizer with the maximal
///              subgroups of these, and their maximal subgroups: they suffice, for such groups are nilpotent, so that their characters are induced from
///              linear ones of subgroups that maximal subgroups lead to [Brauer 1953]. Lattice reduction finds small coefficients. The table is taken
///              for true: the proof shows whether it is.
/// \par Cost    some products for every element of every subgroup tried; lattice reduction in as many dimensions as there are rows.
/// \throws LimitError by the task's limits.
CharacterProof character_proof(const CharacterTable& table, const Task& task = {});

/// A character table as a stranger states it, with its proof.
struct CharacterClaim {
  GroupClaim group;                           ///< its proof is what `proof.order` would be
  std::vector<std::vector<Cyclotomic>> rows;  ///< values in the order of the classes
  std::vector<int> indicators;
  std::map<std::uint64_t, std::vector<std::uint64_t>> power_maps;
  std::vector<std::vector<Permutation>> subgroups;
  std::vector<CharacterProof::Linear> linear;
  std::vector<std::vector<std::pair<std::uint64_t, Integer>>> combinations;
};

/// Proves the table from its proof: the order and the classes of the group; that every row is the stated combination of induced linear characters, of
/// norm 1 and positive degree, so that it is irreducible; no two rows are equal, and they are as many as classes. Indicators and power maps follow from the
/// classes of powers. No table is computed.
/// \throws VerificationError for the first claim that fails; LimitError by the task's limits.
/// \par Cost  the elements of every subgroup are listed and sorted into classes; a product for every class and term of a combination.
void verify(const CharacterClaim& claim, const Task& task = {});

/// Is <f, f> = 1 for a generalized character with these values on the classes, and what is the mean of f(g^2), given the values on the squares?
/// Both for proofs of characters that come without a table.
bool has_norm_one(const std::vector<Cyclotomic>& values, const GroupClaim& group);
Cyclotomic mean_value(const std::vector<Cyclotomic>& on_squares, const GroupClaim& group);

}  // namespace intertwine
