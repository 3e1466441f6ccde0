// Irreducible representations of supersolvable groups by monomial matrices.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "intertwine/characters/monomial_representations.hpp"
#include "intertwine/representations/irreducible.hpp"

namespace intertwine {

/// The stabilizer of the line of the first basis vector, and the linear character by which it acts there.
struct MonomialLine {
  /// Linear characters share one list: the thousands of a large cyclic group would have a copy each.
  std::shared_ptr<const std::vector<Permutation>> generators;
  std::vector<std::uint32_t> exponents;  ///< of roots of unity, the values at the generators
  std::vector<std::size_t> moving;       ///< generators of the series that make the orbit longer
  std::vector<std::uint32_t> orbit;  ///< the points, in mixed radix by the exponents of these, the first one fastest
};

/// All of them, by the rows of the character table. In the basis of the images of one vector under coset representatives of
/// the stabilizer H of its line every matrix has entries in the values of the linear character l by which H acts on the
/// line; the representation is induced from l, so that l occurs once in its restriction to H.
///
/// \par Proof  the images of the generators of a chief series satisfy the relations that these have in the group and that
///             define it (p-th powers and conjugates as words along the series), and all traces are compared with the rows of
///             the table.
class MonomialIrreducibles {
 public:
  /// Nothing if the group is not supersolvable, or has more than 2^31 elements.
  static std::optional<MonomialIrreducibles> find(const CharacterTable& table, const Task& task);

  /// The entries of the matrices of this row are roots of unity whose orders divide this number.
  std::uint32_t order(std::size_t row) const;
  /// The image of row `source` under zeta -> zeta^k, k coprime to its order, as the representation of row `row`, whose
  /// character must be the image of that of `source`. `construction` and `over_character_field` are not set.
  IrreducibleRepresentation operator()(std::size_t row, std::size_t source, std::uint32_t k) const;

  const CharacterTable& table() const;
  /// The element takes basis vector v of this row to zeta^exponent times basis vector `point`, by entry v.
  std::vector<MonomialEntry> images(std::size_t row, const Permutation& g) const;
  const MonomialLine& line(std::size_t row) const;
  /// An element that takes the first basis vector to basis vector v.
  Permutation representative(std::size_t row, std::size_t v) const;

  struct Shared;

 private:
  explicit MonomialIrreducibles(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}
  std::shared_ptr<const Shared> shared_;
};

}  // namespace intertwine
