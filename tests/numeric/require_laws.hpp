// The laws of tests/laws/equivariant_layer.hpp as assertions of Catch.
#pragma once
#include <catch2/catch.hpp>

#include "laws/equivariant_layer.hpp"

namespace laws {

template <class Subject>
void require_laws_of(const Subject& layer, double bound, Rng& rng) {
  check_layer(layer, bound, rng, [](bool right, const std::string& law) {
    INFO(law);
    REQUIRE(right);
  });
}

/// Of a layer of the processor.
template <EquivariantLayer L>
void require_laws(const L& layer, double bound, Rng& rng) {
  require_laws_of(OnProcessor<L>{layer}, bound, rng);
  if constexpr (requires { layer.plan(); }) {
    INFO("by the plan");
    require_laws_of(OnPlan<typename L::Number>{layer.plan()}, bound, rng);
  }
}

}  // namespace laws
