// The common part of `basis` and `tie`: a group, an input and an output representation, and what is said of
// their basis.
#pragma once
#include <span>
#include <string>

#include "context.hpp"
#include "intertwine/io/basis_text.hpp"

namespace intertwine::app {

using LayerOptions = BasisNames;

/// Adds GROUP, --in (perm if left out) and --out (that of --in if left out: complete() says so once all is parsed).
void add_layer_options(CLI::App& command, LayerOptions& options);
void complete(LayerOptions& options);

struct TimedBasis {
  EquivariantBasis basis;
  double seconds;  ///< from the expressions to the certified basis
};

/// Parses the expressions and computes the certified basis; for a convolution kernel of the given size, the input is
/// multiplied by its sites.
TimedBasis make_layer(const LayerOptions& options, const Context& context, bool single_pattern,
                      std::span<const std::uint64_t> kernel = {});

}  // namespace intertwine::app
