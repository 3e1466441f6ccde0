// The exact, minimal, certified basis of Hom_G(V, U) and of the invariant bias.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/equivariant/sparse_table.hpp"
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
      false;  ///< commutation was checked entry by entry; otherwise it follows from the count, or
              ///< from the checked factors of every element where nothing is tied
  bool independent = false;  ///< the basis elements have disjoint non-empty supports, in the canonical order
  std::string
      route;  ///< "burnside-elements", "burnside-cycle-types", "burnside-classes" or "stabilizer-chain"
};

/// A basis of one block: tied entries where both sides are monomial, sparse matrices otherwise.
class BlockElements {
 public:
  BlockElements(OrbitalPattern pattern)
      : elements_(std::move(pattern)) {}  // NOLINT(google-explicit-constructor)
  BlockElements(IntertwinerSpace space)
      : elements_(std::move(space)) {}  // NOLINT(google-explicit-constructor)

  bool is_tied() const { return std::holds_alternative<OrbitalPattern>(elements_); }
  /// \throws DomainError unless is_tied().
  const OrbitalPattern& pattern() const;
  /// \throws DomainError if is_tied().
  const IntertwinerSpace& space() const;
  std::uint64_t rows() const;
  std::uint64_t cols() const;
  std::uint64_t params() const;

 private:
  std::variant<OrbitalPattern, IntertwinerSpace> elements_;
};

struct BasisOptions {
  /// One pattern for the whole of V and U, as a table needs it, even where that repeats blocks: 64*perm +
  /// sign has the common multiplicity 1 and 64 copies of perm then stand in its pattern.
  bool single_pattern = false;
  /// Entries times generators (products of entries where nothing is tied) up to which commutation is checked
  /// entry by entry; beyond, the count or the factors of the elements prove it.
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
    BlockElements elements;         ///< dim target rows, dim source columns
  };
  struct BiasBlock {
    std::uint64_t multiplicity;
    Representation target;
    BlockElements elements;  ///< one column
  };

  const Representation& source() const;
  const Representation& target() const;
  /// dim Hom_G(V, U), multiplicities counted.
  Integer dimension() const;
  /// The field of the entries: the smallest with those of V and U in it.
  AbelianField field() const;
  /// Parameters of the site patterns.
  std::uint64_t params() const;
  std::uint64_t bias_params() const;
  /// dim of the invariants of U, multiplicities counted.
  Integer bias_dimension() const;
  const std::vector<Block>& blocks() const;
  const std::vector<BiasBlock>& bias_blocks() const;
  const Certificate& certificate() const;
  /// All blocks are tied: kind "signed-orbit" of the table format; otherwise "sparse-basis".
  bool is_tied() const;

  /// The only block's basis. \throws DomainError if there are several (see BasisOptions::single_pattern), or
  /// none because V or U has dimension 0.
  const BlockElements& block_elements() const;
  const BlockElements& bias_elements() const;
  /// The only block's pattern. \throws DomainError also if it is not tied.
  const OrbitalPattern& pattern() const { return block_elements().pattern(); }
  const OrbitalPattern& bias_pattern() const { return bias_elements().pattern(); }
  /// Basis element k of the only block, on the sites; entries 0, 1, -1 if it is tied. O(size log size). \throws DomainError
  /// if k >= params(); LimitError if it has more than 10^8 entries.
  SparseMatrix operator[](std::uint64_t k) const;
  /// All elements of the only block, in one pass over the entries. \throws LimitError through `task`.
  std::vector<SparseMatrix> elements(const Task& task = {}) const;

  /// The header of the tied table of the only block: sizes, orbit sizes, bias codes and the metadata of the
  /// file format. \throws DomainError unless the block and its bias are tied.
  TableHeader table_header() const;
  /// The whole table of a basis that is not tied. \throws DomainError if it is, or the field is not real; LimitError for more than 2^31 - 1
  /// rows or columns.
  SparseTable sparse_table() const;

 private:
  std::map<std::string, std::string> metadata() const;
  struct State;
  explicit EquivariantBasis(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
  friend EquivariantBasis equivariant_basis(const Representation&, const Representation&, const Task&,
                                            const BasisOptions&);
};

/// The basis of Hom_G(V, U), proved complete before it is returned.
///
/// \throws DomainError if V and U belong to different groups; LimitError through `task`, before the work
/// where it can.
/// \par Method  hom_dimension by an independent route, OrbitalPattern for every block, then the check of every entry.
/// \par Cost  O(n) an orbit of rows and random stabilizer element; the check O(m n) a generator.
EquivariantBasis equivariant_basis(const Representation& V, const Representation& U, const Task& task = {},
                                   const BasisOptions& options = {});

/// Why entry (i, j) of every equivariant matrix is zero: an element of the group that fixes the entry and
/// negates it. Empty if there is none. Cost: a search through the orbit of the entry.
std::optional<Permutation> vanishing_witness(const Representation& V, const Representation& U,
                                             MatrixEntry entry, const Task& task = {});

/// The sentence that fixes the orientation in table files.
extern const char* const table_convention;

}  // namespace intertwine
