// A monomial representation as the sum of the modules on the orbits of its basis vectors.
#pragma once
#include <span>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// V is the direct sum of modules, one on every orbit of basis vectors up to signs. Those that are the same, with the orbits numbered
/// and signs chosen suitably, are of one kind. A representation that is not monomial, or has one orbit only, is one
/// module on all its vectors.
class OrbitModules {
 public:
  /// \par Cost  a walk along every orbit, and comparisons with those of the same length before it that mostly end soon.
  OrbitModules(const Representation& V, const Task& task);

  const std::vector<Representation>& kinds() const { return kinds_; }
  /// How many orbits are of this kind.
  std::size_t count(std::size_t kind) const { return counts_[kind]; }
  /// An orbit.
  struct Place {
    std::size_t kind;
    std::vector<SignedPoint> vectors;  ///< the basis vectors of the module as vectors of V; none: V itself
  };
  /// In the order of their first vectors.
  const std::vector<Place>& places() const { return places_; }
  /// blocks[k] for every orbit of kind k, side by side in the order of the orbits: its rows are those of the vectors of the orbit.
  /// All blocks are over K.
  FieldMatrix side_by_side(std::span<const FieldMatrix> blocks, const AbelianField& K) const;

 private:
  std::uint64_t dimension_;
  std::vector<Representation> kinds_;
  std::vector<std::size_t> counts_;
  std::vector<Place> places_;
};

}  // namespace intertwine
