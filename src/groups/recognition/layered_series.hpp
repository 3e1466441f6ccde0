// Normal series of solvable groups with elementary abelian layers.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "intertwine/groups/polycyclic_series.hpp"

namespace intertwine {

/// A polycyclic series of a solvable group G whose generators come in layers, from below: the layers before one
/// generate a normal subgroup M of G, those up to it a normal subgroup N, and N/M is a vector space over the field
/// with p elements with the generators of the layer as a basis.
class LayeredSeries : public PolycyclicSeries {
 public:
  struct Layer {
    std::uint32_t first, dimension;  ///< its generators are first, ..., first + dimension - 1
    std::uint32_t prime;
  };

  /// The series; nothing if G is not solvable.
  ///
  /// \par Method  The derived series from below. Powers of the generators of a derived subgroup give the powers of
  /// its Sylow
  ///              subgroups modulo the next one. Each layer is what the conjugates of one generator span.
  static std::optional<LayeredSeries> find(const FiniteGroup& G, const Task& task = {});

  /// From below.
  const std::vector<Layer>& layers() const { return layers_; }
  /// The coordinates in a layer of an element of its N. \throws InternalError if the element is not in N.
  std::vector<std::uint32_t> coordinates(const Layer& layer, const Permutation& g) const;

 private:
  using PolycyclicSeries::PolycyclicSeries;
  /// A layer that is spanned by the conjugates of g, whose p-th power is in the series and which commute modulo the
  /// series.
  void append_layer(const FiniteGroup& G, const Permutation& g, std::uint32_t p, const Task& task);

  std::vector<Layer> layers_;
};

}  // namespace intertwine
