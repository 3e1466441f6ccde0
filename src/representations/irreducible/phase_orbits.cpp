// Orbits of monomial matrices on lines of basis vectors.
#include "phase_orbits.hpp"

namespace intertwine {

PhaseOrbits::PhaseOrbits(std::span<const std::vector<MonomialEntry>> images, std::span<const std::uint32_t> steps,
                         std::uint32_t order, std::size_t dimension)
    : orbit(dimension, ~std::uint32_t{0}), exponent(dimension, 0) {
  const std::uint32_t none = ~std::uint32_t{0};
  std::vector<std::size_t> list;
  for (std::size_t first = 0; first < dimension; ++first) {
    if (orbit[first] != none) continue;
    const auto number = static_cast<std::uint32_t>(start.size());
    orbit[first] = number;
    list.assign(1, first);
    char good = 1;
    for (std::size_t at = 0; at < list.size(); ++at)
      for (std::size_t k = 0; k < images.size(); ++k) {
        const MonomialEntry& image = images[k][list[at]];
        const std::uint32_t phase = (exponent[list[at]] + image.exponent + order - steps[k]) % order;
        if (orbit[image.point] == none) {
          orbit[image.point] = number;
          exponent[image.point] = phase;
          list.push_back(image.point);
        } else if (exponent[image.point] != phase) {
          good = 0;
        }
      }
    start.push_back(first);
    length.push_back(list.size());
    consistent.push_back(good);
  }
}

}  // namespace intertwine
