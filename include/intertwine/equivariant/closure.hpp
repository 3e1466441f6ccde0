// The largest group that a table of weights is equivariant to.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "intertwine/combinatorics/signed_permutation.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/tables/weight_block.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// All symmetries of a table of codes, as permutations of its lines.
struct TableClosure {
  /// Without signs: acts on M + N points, row i being point i and column j point M + j.
  /// With signs: on 2M + 2N points, the row vectors +-e_i and then the column vectors +-f_j: +e_i is point
  /// 2i, -e_i point 2i + 1, +f_j point 2(M + j), -f_j point 2(M + j) + 1 (SignedPoint::code of line M + j).
  FiniteGroup group;
  Integer order;   ///< |group|, proved by the search; asking the group itself would build its stabilizer chain
  bool has_signs;  ///< which of the two it is
};

struct ClosureOptions {
  /// Symmetries that are already known, usually the images of a group's generators on rows and on columns in
  /// the same order. They change no answer, only the time.
  std::vector<SignedPermutation> row_images, col_images;
  /// Asks for the group with signs even if neither the table nor the known symmetries have a minus.
  bool with_signs = false;
  /// Larger tables (M N entries) are not tried.
  std::uint64_t max_entries = 20'000'000;
  /// Nodes of the search tree that lead nowhere, with those on the way, before it gives up; a node costs O(M N) at worst, O(M + N) often.
  std::uint64_t max_nodes = 1'000'000;
};

/// The group of all pairs (s, t) with W[s i, t j] = W[i, j] for every entry, where W is the M x N table of codes
/// (see WeightBlock) with P parameters: the equivariance group of the general W of this pattern, parameters being
/// independent. For a permutation representation pattern it is the 2-closure of G on rows and columns together
/// and contains G's image; it also preserves the bias pattern of G.
///
/// If the table has minus codes, a known symmetry has a minus or with_signs is set, s and t are signed
/// permutations, W[s i, t j] = sign(s, i) sign(t, j) W[i, j]. The order then counts pairs of signed
/// permutation matrices (S, T) with S W = W T, each once: (-1, -1) is always one of them and so the order is
/// even, -1 on a row of zeros alone is one, and a symmetry and its negative are two. The bias is not looked at.
///
/// Pairs, not permutations of one set: a table P = 1 without zeros has S_M x S_N, a table whose entries are
/// all different only the identity.
///
/// \return nothing if the table is too large, or max_nodes or a limit of `task` is reached: never part of a
///         group.
/// \throws DomainError if a code is outside 0 ... 2P, or a known symmetry has the wrong degree or is none;
///         Interrupted through `task`.
/// \par Method  Equal lines (up to sign) are merged, their permutations are known. Then a backtrack search
///         over equitable partitions: a first path of individualized lines to a discrete partition, and for
///         every node on it, from the leaf up, one line of every orbit of the group found so far is either
///         carried to by an automorphism or excluded by an exhausted subtree. The order is the product of the
///         orbit lengths. Partitions are compared by hashes, which can only cost time; automorphisms are
///         checked entry by entry. [McKay 1981; Leon 1991]
/// \par Cost  Memory 8 bytes an entry and 28 bytes for every line and level of the search, at most 450 MiB of
///         these. O(M N log(M + N)) for a refinement; few nodes where the classes are orbits of a group with
///         small stabilizers, exponential at worst.
/// \par Example  the pattern of Rubik(3), perm -> perm, 48 x 48: order 8! 3^8 12! 2^12, the group of all
///         assemblies, 12 times the cube group.
std::optional<TableClosure> table_closure(const CodeRows& table, std::uint64_t params,
                                          const ClosureOptions& options = {}, const Task& task = {});

/// The group of pairs that known symmetries generate, on the points of a TableClosure with the same has_signs;
/// generator k is the pair of images k. \throws DomainError if the numbers of images or their degrees differ, or
/// an image has a minus and has_signs is false.
FiniteGroup paired_group(std::uint64_t rows, std::uint64_t cols, const std::vector<SignedPermutation>& row_images,
                         const std::vector<SignedPermutation>& col_images, bool has_signs);

/// The order of paired_group for the images of generators of a group of order `group_order`. One chain on the
/// points of a side where the group acts faithfully there, up to three otherwise.
Integer paired_order(std::uint64_t rows, std::uint64_t cols, const std::vector<SignedPermutation>& row_images,
                     const std::vector<SignedPermutation>& col_images, bool has_signs, const Integer& group_order,
                     const Task& task = {});

/// The known facts of the closure of the table of Hom_G(V, U).
struct LargestGroup {
  Integer order;
  std::optional<Integer> index;  ///< the index of the image of G in it, where that was found as well
};
/// Found from the table's codes and the images of G's generators; nothing for tables of more than 4,000,000 entries and where
/// it takes longer than `seconds`.
/// \param pattern  of tied entries, V and U monomial
std::optional<LargestGroup> largest_group(const WeightPattern& pattern, const Representation& V,
                                          const Representation& U, double seconds, const Task& task = {});

}  // namespace intertwine
