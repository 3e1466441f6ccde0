// The common part of equivariant linear layers y = W x + b, wherever they run.
//
// Shapes, row-major: x [batch, in, N], y [batch, out, M], theta [P, out, in], bias [Q, out].
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/tables/weight_block.hpp"

namespace intertwine {

enum class LayerForm { dense, lookup, implicit, fft, isotypic, diagram };
std::string to_string(LayerForm form);

enum class LayerMode {
  automatic,  ///< dense or lookup, whichever should be faster: the choice never changes a bit. A LayerPlan takes implicit where W would
              ///< have more than 2^28 entries and few parameters in a row
  fastest,    ///< any form
  dense,
  lookup,
  implicit,
  fft,
  isotypic,
  diagram
};
/// "automatic", "fastest", or the name of a form. \throws DomainError naming these.
LayerMode parse_layer_mode(std::string_view name);

struct LayerOptions {
  LayerMode mode = LayerMode::automatic;
  unsigned threads = 1;
  double uses = 1;  ///< how many products are expected before theta changes: what materialising is spread over
};

/// A layer of the processor or of a device. Arrays are handed over as the layer names them: spans, whose lengths are checked,
/// where the host can see them; addresses where it cannot (on a device). An empty gradient (a null address) is left out, the
/// others are overwritten. How parameters get in is no part of it, for that is where the two differ by nature: on the processor a
/// layer is a value and with_parameters() makes another, on a device set_parameters() copies on a stream. Nor is what a layer
/// computes: that is checked by tests/laws/equivariant_layer.hpp, one law for all.
template <class L>
concept EquivariantLayer =
    requires(const L& layer, std::uint64_t batch, LayerForm form, const typename L::Options& options,
             typename L::Input in, typename L::Output out, typename L::Gradient gradient) {
      typename L::Number;
      { layer.channels() } -> std::same_as<Multiplicity>;
      { layer.inputs() } -> std::same_as<std::uint64_t>;
      { layer.outputs() } -> std::same_as<std::uint64_t>;
      { layer.forms() } -> std::same_as<std::vector<LayerForm>>;
      { layer.pick(batch, options) } -> std::same_as<LayerForm>;
      { layer.expected_seconds(form, batch, options) } -> std::same_as<double>;
      // x, y; then x, dy, dx, dtheta, dbias. Both return the form that ran.
      { layer.forward(batch, in, out, options) } -> std::same_as<LayerForm>;
      { layer.backward(batch, in, in, out, gradient, gradient, options) } -> std::same_as<LayerForm>;
    };

}  // namespace intertwine
