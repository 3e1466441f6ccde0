// The certified basis of Hom(V, U) for groups of every kind, and its weight table.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/equivariant/hom_basis.hpp"
#include "intertwine/hom/group.hpp"
#include "intertwine/hom/group_representation.hpp"
#include "intertwine/tables/weight_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine::hom {

struct BasisOptions {
  /// One pattern for the whole of V and U, even where that repeats blocks: 64*perm + sign has the common multiplicity 1
  /// and 64 copies of perm then stand in its pattern.
  bool single_pattern = false;
  /// Bases of finite groups take it as hom_basis does; those of classical groups are always checked entry by entry.
  std::uint64_t max_checked = 4'000'000'000;
};

/// The facts proved of all blocks and biases together.
struct Certificate {
  Integer character_dimension;       ///< dim Hom of the site patterns; equals the number of parameters
  Integer bias_character_dimension;  ///< dim Hom of the bias; equals the number of its parameters
  bool commutes = true;              ///< every element commutes with the group, in one of the ways of Commutation
  bool every_entry_checked = true;   ///< for all of them it was Commutation::every_entry
  bool independent = true;           ///< for none of them it was Independence::unchecked
  /// How the two dimensions were counted, each route once: "burnside-elements, stabilizer-chain".
  std::string route, bias_route;
};

/// An ordered basis of Hom_G(V, U), the linear maps W with W rho_V(g) = rho_U(g) W, and of the invariants of U, proved
/// complete.
///
/// V = V_1 (x) K^a + ... is kept as parts, site representations with multiplicities, in the order of its summands.
/// Neighbours of one multiplicity make one part, for classical groups those of multiplicity 1. The basis of Hom(a V_1,
/// b U_1) is that of Hom(V_1, U_1), the site pattern, times b x a blocks of free scalars. Immutable; copies share.
class Basis {
 public:
  /// Hom between a part of V and a part of U, on the sites, and the invariants of the target.
  struct Block {
    Multiplicity channels;
    Representation source, target;  ///< the sites: columns and rows
    HomBasis weights, bias;         ///< the bias has one column

    /// The field of the entries: the smallest with those of source and target in it.
    AbelianField field() const;
    /// The block as a weight table. \throws DomainError if the field of a finite group's representations is not real;
    /// LimitError for more than 2^31 - 1 rows or columns, or through `task`; as with_proof
    WeightBlock table(const TableOptions& options = {}, const Task& task = {}) const;
  };
  /// The invariants of a part of U.
  struct Bias {
    std::uint64_t multiplicity;
    Representation target;
    HomBasis basis;  ///< one column
  };

  const Representation& source() const;  ///< V: columns
  const Representation& target() const;  ///< U: rows
  /// One for each pair of a part of U and one of V, those of the first part of U first; none if V or U has dimension 0.
  const std::vector<Block>& blocks() const;
  /// One for each part of U.
  const std::vector<Bias>& biases() const;
  const Certificate& certificate() const;

  /// dim Hom(V, U) and the dimension of the invariants of U, multiplicities counted.
  Integer dimension() const;
  Integer bias_dimension() const;
  /// Parameters of the site patterns.
  std::uint64_t params() const;
  std::uint64_t bias_params() const;
  /// The sums of the dimensions of the sites, once for each part: rows and columns of the patterns side by side.
  std::uint64_t rows() const;
  std::uint64_t cols() const;
  /// The number of parts of V: blocks() has so many for each part of U.
  std::size_t inputs() const;
  /// The field of the entries: the smallest with those of V and U in it.
  AbelianField field() const;
  /// Has V or U dimension 0, so that there is no table?
  bool is_empty() const { return blocks().empty(); }
  /// Are there several blocks, which no single pattern holds without repeating itself?
  bool is_several() const { return blocks().size() > 1; }
  /// All blocks are tied, every entry zero or plus or minus one parameter: kind "signed-orbit" of the table format;
  /// otherwise "sparse-basis". Of classical groups none is.
  bool is_tied() const;
  /// Is the isotypic form of its tables known? It is where there is a character table, of finite groups.
  bool has_isotypic_form() const;

  /// The basis between the sums of the sites of all parts, each once: one pattern that has every block once, for
  /// pictures and symmetries. This basis itself if there is one block. \throws as equivariant_basis
  Basis sites(const Task& task = {}) const;
  /// The basis of one pattern for the whole of V and U (BasisOptions::single_pattern): this one where it has one block,
  /// computed again where it has several. \throws as equivariant_basis
  Basis single(const Task& task = {}) const;
  /// The weight table, a block for each of the basis. \throws DomainError if V or U has dimension 0; as Block::table
  WeightTable table(const TableOptions& options = {}, const Task& task = {}) const;

 private:
  struct State;
  explicit Basis(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
  friend Basis equivariant_basis(const Representation&, const Representation&, const BasisOptions&, const Task&);
};

/// The basis, proved complete before it is returned.
/// \throws DomainError if the groups differ, for representations that are known by their characters only, and for real
/// ones beside complex ones; LimitError through `task`, before the work where it can
/// \par Method  hom_basis for every block, finite or classical.
Basis equivariant_basis(const Representation& V, const Representation& U, const BasisOptions& options = {},
                        const Task& task = {});

/// Proves a basis from its elements alone, whatever its certificate says: all blocks and biases, and that they have
/// dim Hom_G(V, U) and the dimension of the invariants of U for V and U as a whole, counted again.
/// \throws VerificationError naming the first claim that fails
void verify(const Basis& basis, const Task& task = {});

/// The group of a table as JSON text. Finite groups give degree, order and generators; others the exact matrices of
/// their generators on the natural representation. verify(table) compares these with the expression.
/// \param scalars  real: of SU(n) and U(n) the real representation
std::string group_json(const Group& G, Scalars scalars = Scalars::complex, const Task& task = {});

}  // namespace intertwine::hom
