// The exact, minimal basis of one Hom_G(V, U) with its certificate, and its proof for finite groups.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/exact/sparse_matrix.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// Why every basis element W commutes: W rho_V(g) = rho_U(g) W for every generator g.
enum class Commutation {
  every_entry,  ///< checked, entry by entry
  by_count,   ///< follows for tied entries: an element is never more than an orbit of entries, and as many elements as
              ///< orbits were counted, so that each is a whole orbit
  by_factors  ///< follows: elements are put together from maps that were checked
};
std::string_view to_string(Commutation commutation);  ///< "every-entry", "by-count", "by-factors"

/// Why the basis elements are independent.
enum class Independence {
  /// Follows for tied entries: each entry belongs to one element, and no element is empty (checked).
  disjoint_supports,
  leading_entries,  ///< checked: the first entries of all elements lie at different places
  rank,             ///< checked: their rank modulo a prime, or over the field
  unchecked         ///< not known: there were too many entries for the rank
};
std::string_view to_string(Independence independence);  ///< "disjoint-supports", "leading-entries", "rank", "unchecked"

/// The facts proved of the basis of one Hom, and the ways in which they are proved.
struct HomCertificate {
  /// dim Hom, counted by `route`, which knows nothing of the elements; there are as many elements.
  Integer dimension;
  /// "burnside-elements", "burnside-cycle-types", "burnside-classes", "stabilizer-chain" or "weyl-characters"; of
  /// products of groups several, with commas.
  std::string route;
  Commutation commutation = Commutation::every_entry;
  Independence independence = Independence::disjoint_supports;
};

/// A basis of Hom_G(V, U), proved complete: tied entries where both sides are monomial, sparse matrices otherwise.
/// Immutable; copies share.
class HomBasis {
 public:
  using Elements = std::variant<OrbitalPattern, IntertwinerSpace>;
  HomBasis(Elements elements, HomCertificate certificate);

  std::uint64_t rows() const;
  std::uint64_t cols() const;
  std::uint64_t params() const;
  const HomCertificate& certificate() const;

  bool is_tied() const;
  /// \throws DomainError unless is_tied().
  const OrbitalPattern& pattern() const;
  /// \throws DomainError if is_tied().
  const IntertwinerSpace& space() const;
  /// The elements as matrices over a field, whatever their form. \throws DomainError unless the field has theirs in it
  IntertwinerSpace over(const AbelianField& field, const Task& task = {}) const;
  /// Basis element k; entries 0, 1, -1 if it is tied. O(size log size). \throws DomainError if k >= params(), or the
  /// field is not Q; LimitError if it has more than 10^8 entries.
  SparseMatrix operator[](std::uint64_t k) const;
  /// All elements, in one pass over the entries. \throws DomainError if the field is not Q; LimitError through `task`.
  std::vector<SparseMatrix> elements(const Task& task = {}) const;
  /// The elements as a weight table stores them. Codes of tied entries are carried along the orbits as they are asked
  /// for, and kept in memory where rows are asked for at random and take at most 256 MiB and a quarter of the task's
  /// memory. \param field  of the coefficients of sparse elements. \throws as over
  WeightPattern weight_pattern(const AbelianField& field, const Task& task = {}) const;

 private:
  struct State {
    Elements elements;
    HomCertificate certificate;
  };
  std::shared_ptr<const State> state_;
};

/// The basis of Hom_G(V, U), the linear maps W with W rho_V(g) = rho_U(g) W, proved complete before it is returned.
///
/// \param max_checked  entries times generators (products of entries where nothing is tied) up to which commutation is
/// checked entry by entry; beyond, the count or the factors of the elements prove it
/// \throws DomainError if V and U belong to different groups; LimitError through `task`, before the work where it can.
/// \par Method  hom_dimension by an independent route, OrbitalPattern or intertwiner_space, then the check of every
/// entry.
/// \par Cost  O(n) an orbit of rows and random stabilizer element; the check O(m n) a generator.
HomBasis hom_basis(const Representation& V, const Representation& U, const Task& task = {},
                   std::uint64_t max_checked = 4'000'000'000);

/// Why entry (i, j) of every equivariant matrix is zero: an element of the group that fixes the entry and
/// negates it. Empty if there is none. Cost: a search through the orbit of the entry.
std::optional<Permutation> vanishing_witness(const Representation& V, const Representation& U, MatrixEntry entry,
                                             const Task& task = {});

}  // namespace intertwine
