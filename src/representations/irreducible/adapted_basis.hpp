// Bases of irreducible constituents of induced modules in which a subgroup acts by small blocks.
//
// Let chi be an irreducible character of G with values in K, and H a subgroup; psi a constituent over K of its restriction, m times in it, and l a
// linear character with values 1 and -1 of a subgroup U of H that occurs once in every absolutely irreducible part of psi. The vectors u of the psi-part
// that U moves by l are m-dimensional over the field of endomorphisms of psi; each generates one copy of psi under H, and the same combinations of its
// images are a basis in which H acts by the same matrices. Only lattices of the rank of psi have to be reduced, however
// large chi is. The other elements of G act by matrices whose denominators are those of the inner products of these
// vectors u, and of the short bases of the psi.
#pragma once
#include <memory>
#include <optional>
#include <span>

#include "adapted_subgroup.hpp"
#include "spherical.hpp"

namespace intertwine {

class AdaptedBasis {
 public:
  /// For the constituent of row `row` that v generates. Nothing if no subgroup serves.
  /// \param places  cosets that should determine a vector of the constituent; nothing where they show not to
  static std::optional<AdaptedBasis> find(const SphericalVector& v, const GaloisTable& table, std::size_t row,
                                          const AbelianField& K, std::span<const std::size_t> places, const Task& task);

  /// The images under g of the vectors of the basis at these cosets, one vector a column.
  FieldMatrix images(const Permutation& g, std::span<const std::size_t> at, const Task& task = {}) const;

 private:
  struct Data;
  explicit AdaptedBasis(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

}  // namespace intertwine
