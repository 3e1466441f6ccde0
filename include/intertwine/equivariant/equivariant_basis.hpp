// The exact, minimal, certified basis of Hom_G(V, U) and of the invariant bias.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/equivariant/tied_table.hpp"
#include "intertwine/exact/sparse_matrix.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// What is proved of a basis, and how.
struct Certificate {
  Integer character_dimension;  ///< dim Hom of the site patterns, counted by `route`; equals the number of
                                ///< parameters
  Integer bias_character_dimension;  ///< the same for the bias
  bool commutes = false;  ///< W rho_V(g) = rho_U(g) W for every generator g and every basis element
  bool every_entry_checked =
      false;                 ///< commutation was checked entry by entry; otherwise it follows from the count
  bool independent = false;  ///< the basis elements have disjoint non-empty supports
  std::string route;         ///< "burnside-elements", "burnside-cycle-types" or "stabilizer-chain"
};

struct BasisOptions {
  /// One pattern for the whole of V and U, as a table needs it, even where that repeats blocks: 64*perm +
  /// sign has the common multiplicity 1 and 64 copies of perm then stand in its pattern.
  bool single_pattern = false;
  /// Entries times generators up to which commutation is checked entry by entry (beyond, the count proves
  /// it).
  std::uint64_t max_checked = 4'000'000'000;
};

/// An ordered basis of Hom_G(V, U), the linear maps W with W rho_V(g) = rho_U(g) W, and of the invariants of
/// U.
///
/// V = V_1 (x) K^a + ... is kept as site representations with multiplicities: the basis of Hom(a V_1, b U_1)
/// is that of Hom(V_1, U_1), the site pattern, times b x a blocks of free scalars. Immutable; copies share.
class EquivariantBasis {
 public:
  /// Hom between the parts of V and U that share one multiplicity each.
  struct Block {
    std::uint64_t multiplicity_in, multiplicity_out;
    Representation source, target;  ///< the sites, multiplicities taken out
    OrbitalPattern pattern;         ///< dim target rows, dim source columns
  };
  struct BiasBlock {
    std::uint64_t multiplicity;
    Representation target;
    OrbitalPattern pattern;  ///< one column
  };

  const Representation& source() const;
  const Representation& target() const;
  /// dim Hom_G(V, U), multiplicities counted.
  Integer dimension() const;
  /// Parameters of the site patterns.
  std::uint64_t params() const;
  std::uint64_t bias_params() const;
  /// dim of the invariants of U, multiplicities counted.
  Integer bias_dimension() const;
  const std::vector<Block>& blocks() const;
  const std::vector<BiasBlock>& bias_blocks() const;
  const Certificate& certificate() const;

  /// The only block's pattern. \throws DomainError if there are several (see BasisOptions::single_pattern).
  const OrbitalPattern& pattern() const;
  const OrbitalPattern& bias_pattern() const;
  /// Basis element k of the only block, on the sites: entries 0, 1, -1. O(size log size). \throws DomainError
  /// if k >= params().
  SparseMatrix operator[](std::uint64_t k) const;
  /// All elements of the only block, in one pass over the entries. \throws LimitError through `task`.
  std::vector<SparseMatrix> elements(const Task& task = {}) const;

  /// The header of the tied table of the only block: sizes, orbit sizes, bias codes and the metadata of the
  /// file format.
  TableHeader table_header() const;

 private:
  struct State;
  explicit EquivariantBasis(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
  friend EquivariantBasis equivariant_basis(const Representation&, const Representation&, const Task&,
                                            const BasisOptions&);
};

/// The basis of Hom_G(V, U), proved complete before it is returned.
///
/// \throws DomainError if V and U belong to different groups; LimitError through `task`, before the work
/// where it can. \par Method  OrbitalPattern for every block, then hom_dimension by an independent route,
/// then the check of every entry. \par Cost    O(n) an orbit of rows and random stabilizer element; the check
/// O(m n) a generator.
EquivariantBasis equivariant_basis(const Representation& V, const Representation& U, const Task& task = {},
                                   const BasisOptions& options = {});

/// Why entry (i, j) of every equivariant matrix is zero: an element of the group that fixes the entry and
/// negates it. Empty if there is none. Cost: a search through the orbit of the entry.
std::optional<Permutation> vanishing_witness(const Representation& V, const Representation& U,
                                             MatrixEntry entry, const Task& task = {});

/// The sentence that fixes the orientation in table files.
extern const char* const table_convention;

}  // namespace intertwine
