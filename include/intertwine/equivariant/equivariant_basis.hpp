// The exact, minimal, certified basis of Hom_G(V, U) and of the invariant bias.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/exact/sparse_matrix.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/tables/weight_table.hpp"

namespace intertwine {

/// Why every basis element W commutes: W rho_V(g) = rho_U(g) W for every generator g.
enum class Commutation {
  every_entry,  ///< checked, entry by entry
  by_count,  ///< follows for tied entries: an element is never more than an orbit of entries, and as many elements as
             ///< orbits were counted, so that each is a whole orbit
  by_factors  ///< follows: elements are put together from maps that were checked
};
std::string_view to_string(Commutation commutation);  ///< "every-entry", "by-count", "by-factors"

/// Why the basis elements are independent.
enum class Independence {
  disjoint_supports,  ///< follows for tied entries: each entry belongs to one element, and no element is empty (checked)
  leading_entries,  ///< checked: the first entries of all elements lie at different places
  rank,             ///< checked: their rank modulo a prime, or over the field
  unchecked         ///< not known: there were too many entries for the rank
};
std::string_view to_string(
    Independence independence);  ///< "disjoint-supports", "leading-entries", "rank", "unchecked"

/// The facts proved of the basis of one Hom, and the ways in which they are proved.
struct HomCertificate {
  Integer
      dimension;  ///< dim Hom, counted by `route`, which knows nothing of the elements; there are as many elements
  std::string
      route;  ///< "burnside-elements", "burnside-cycle-types", "burnside-classes" or "stabilizer-chain"
  Commutation commutation = Commutation::every_entry;
  Independence independence = Independence::disjoint_supports;
};

/// The facts proved of all blocks and biases together.
struct Certificate {
  Integer character_dimension;       ///< dim Hom of the site patterns; equals the number of parameters
  Integer bias_character_dimension;  ///< dim Hom of the bias; equals the number of its parameters
  bool commutes = true;  ///< every element commutes with the group, in one of the ways of Commutation
  bool every_entry_checked = true;  ///< for all of them it was Commutation::every_entry
  bool independent = true;          ///< for none of them it was Independence::unchecked
  std::string route,
      bias_route;  ///< how the two dimensions were counted, each route once: "burnside-elements,
                   ///< stabilizer-chain"
};

/// A basis of Hom_G(V, U), proved complete: tied entries where both sides are monomial, sparse matrices otherwise.
/// Immutable; copies share.
class HomBasis {
 public:
  const Representation& source() const;  ///< V: columns
  const Representation& target() const;  ///< U: rows
  std::uint64_t rows() const;
  std::uint64_t cols() const;
  std::uint64_t params() const;
  const HomCertificate& certificate() const;

  bool is_tied() const;
  /// \throws DomainError unless is_tied().
  const OrbitalPattern& pattern() const;
  /// \throws DomainError if is_tied().
  const IntertwinerSpace& space() const;
  /// Basis element k; entries 0, 1, -1 if it is tied. O(size log size). \throws DomainError if k >= params(), or the field
  /// is not Q; LimitError if it has more than 10^8 entries.
  SparseMatrix operator[](std::uint64_t k) const;
  /// All elements, in one pass over the entries. \throws DomainError if the field is not Q; LimitError through `task`.
  std::vector<SparseMatrix> elements(const Task& task = {}) const;

 private:
  struct State;
  explicit HomBasis(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
  friend class EquivariantBasis;
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
/// V = V_1 (x) K^a + ... is kept as parts, site representations with multiplicities, in the order of its summands, of which neighbours
/// with the same multiplicity make one part: the basis of Hom(a V_1, b U_1)
/// is that of Hom(V_1, U_1), the site pattern, times b x a blocks of free scalars. Immutable; copies share.
class EquivariantBasis {
 public:
  /// Hom between a part of V and a part of U, on the sites, and the invariants of the target.
  struct Block {
    Multiplicity channels;
    HomBasis weights, bias;
    /// The block as a weight table. Codes are carried along the orbits as they are asked for, and kept in memory where
    /// rows are asked for at random and take at most 256 MiB and a quarter of the task's memory.
    /// \throws DomainError if the field is not real; LimitError for more than 2^31 - 1 rows or columns, or through `task`; as
    /// with_proof
    WeightBlock table(const TableOptions& options = {}, const Task& task = {}) const;
  };
  struct BiasBlock {
    std::uint64_t multiplicity;
    HomBasis bias;  ///< one column
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
  /// One for each pair of a part of U and one of V, those of the first part of U first; none if V or U has dimension 0.
  const std::vector<Block>& blocks() const;
  /// One for each part of U.
  const std::vector<BiasBlock>& bias_blocks() const;
  const Certificate& certificate() const;
  /// The basis between the sums of the sites of all parts, each once: one pattern that has every block once, for pictures and symmetries. This basis itself
  /// if there is one block. \throws as equivariant_basis
  EquivariantBasis sites(const Task& task = {}) const;
  /// All blocks are tied: kind "signed-orbit" of the table format; otherwise "sparse-basis".
  bool is_tied() const;

  /// The basis of one pattern for the whole of V and U (BasisOptions::single_pattern): this one where it has one block,
  /// computed again where it has several. \throws as equivariant_basis
  EquivariantBasis single(const Task& task = {}) const;
  /// The weight table, whose blocks repeat no pattern. \throws DomainError if V or U has dimension 0; as Block::table
  WeightTable table(const TableOptions& options = {}, const Task& task = {}) const;

 private:
  struct State;
  explicit EquivariantBasis(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  static HomBasis prove(const Representation& source, const Representation& target, const Task& task,
                        const BasisOptions& options);
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

/// Proves a basis from its elements alone, whatever its certificate says: basis_methods.hpp says how, and at what cost.
/// \throws VerificationError naming the first claim that fails.
void verify(const HomBasis& basis, const Task& task = {});
/// All blocks and biases, and that they have dim Hom_G(V, U) and the dimension of the invariants of U for V and U as a
/// whole, counted again.
void verify(const EquivariantBasis& basis, const Task& task = {});

/// Why entry (i, j) of every equivariant matrix is zero: an element of the group that fixes the entry and
/// negates it. Empty if there is none. Cost: a search through the orbit of the entry.
std::optional<Permutation> vanishing_witness(const Representation& V, const Representation& U,
                                             MatrixEntry entry, const Task& task = {});

}  // namespace intertwine
