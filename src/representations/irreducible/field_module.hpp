// Irreducible representations on the field of a linear character, as a vector space over the field of their own
// character.
//
// Let H be normal in G, l a linear character of H, K its field, and chi the character that l induces. If the values
// of chi are in F and [K : F] = [G : H], then G/H moves l as the group A of K over F does: for k in A the basis
// vector of one coset is of character k(l). The maps T_k that take e_1 to such vectors and are semilinear with k
// commute with G. Where roots of unity make them a group, K itself, as the vectors sum of T_k(a e_1), is the
// representation over F: h takes a to l(h) a, and an element outside H takes a to a root of unity times k(a). In
// powers of a root of unity b as the basis, h with l(h) = b has the companion matrix of b over F. No lattice is
// reduced, and nothing is searched for.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "intertwine/representations/irreducible.hpp"
#include "monomial_irreducibles.hpp"

namespace intertwine {

class FieldModule {
 public:
  /// For row `source`, in terms of its monomial matrices: nothing unless K over F has the degree of the row, or where
  /// the maps T_k are no group by roots of unity alone.
  /// \param automorphisms  of K over F, as units modulo the order of the row
  /// \par Proof  the compositions T_j T_k = T_jk and g T_k = T_k g are compared at all basis vectors, for all
  ///                generators.
  static std::optional<FieldModule> find(const MonomialIrreducibles& monomial, std::size_t source,
                                         const std::vector<std::uint32_t>& automorphisms, const Task& task);

  /// The image under zeta -> zeta^k, k coprime to the order of the source, as the representation of row `row`, whose
  /// character must be the image of that of the source. The seed is 1 in K, which elements that act as automorphisms
  /// fix.
  IrreducibleRepresentation operator()(std::size_t row, std::uint32_t k) const;

  struct Data;

 private:
  explicit FieldModule(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

}  // namespace intertwine
