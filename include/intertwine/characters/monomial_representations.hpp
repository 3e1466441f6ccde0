// All irreducible representations of a supersolvable group by monomial matrices.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/groups/supersolvable_series.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// False only for groups that are not supersolvable, as their classes tell, or of more than 2^31 elements.
bool may_be_supersolvable(const ConjugacyClasses& classes);

/// Matrices with one entry other than 0 in every column, a root of unity: column v has zeta^exponent in row `point`.
struct MonomialEntry {
  std::uint32_t point, exponent;
};

/// The irreducible representations of N_0 < N_1 < ... < N_n = G, one for every orbit of G on those of N_i, by the
/// images of h_1, ..., h_i; those of G are all of them. Entries are powers of a root of unity of order roots() = |G|.
///
/// \par Method  Let F represent the orbit of an irreducible representation of N = N_i, T its stabilizer in G, given
///              by elements t along the series with matrices X_t, X_t F(n) X_t^-1 = F(t n t^-1), and h = h_(i+1), p
///              the index. If T contains an element t = h m, m in N, then F extends in p ways, h to s X_t F(m)^-1
///              with the p-th roots s of a root of unity that a comparison of one column of h^p gives. T permutes the
///              extensions by k -> a k + b modulo p; their orbits and stabilizers follow the series of T from below.
///              Otherwise F has p conjugates under the powers of h and induces one irreducible representation, with
///              the stabilizer T N_(i+1); t takes h^k (x) v to (t h t^-1)^k (x) X_t v. No matrix is ever compared
///              with another one in more than a column, none is diagonalized.
/// \par Cost    O(sum of degrees * log^2 |G|) operations on entries, the sum over the irreducible representations of
///              G, and as much memory; primes p among the factors cost O(p) operations more for every step.
/// \par Source  [Conlon 1990; Baum & Clausen 1994; Clausen & Baum 1993, ch. 7]
class MonomialRepresentations {
 public:
  /// \throws LimitError if |G| exceeds 2^31 or there are more than `most` representations, or by the task's limits.
  MonomialRepresentations(const SupersolvableSeries& series, std::size_t most, const Task& task);

  MonomialRepresentations(const MonomialRepresentations&) = delete;
  MonomialRepresentations& operator=(const MonomialRepresentations&) = delete;

  /// It must outlive this object.
  const SupersolvableSeries& series() const { return series_; }
  std::uint32_t roots() const { return roots_; }
  /// Step i < n leads from N_i to N_(i+1).
  struct Node {
    std::uint32_t degree;
    std::uint32_t below;                 ///< the node of N_i that it lies over
    bool extends;                        ///< the node below, with the same degree; otherwise it is induced from there
    std::vector<MonomialEntry> entries;  ///< images of h_1, ..., h_(i+1), degree entries each
  };
  /// The nodes of N_i, 0 <= i <= n; the entries are kept for i = n only.
  const std::vector<Node>& level(std::size_t i) const { return levels_[i]; }
  const std::vector<Node>& irreducibles() const { return levels_.back(); }
  /// The matrix of a word in node R of N_i applied to one basis vector.
  MonomialEntry apply(const Node& R, std::span<const SupersolvableSeries::Letter> word, MonomialEntry v) const;

 private:
  const SupersolvableSeries& series_;
  std::uint32_t roots_ = 1;
  std::vector<std::vector<Node>> levels_;
};

/// The row of every irreducible representation in a table of the same group, found and proved by all traces.
/// \throws InternalError if one is not there.
std::vector<std::size_t> table_rows(const MonomialRepresentations& all, const CharacterTable& table, const Task& task);

}  // namespace intertwine
