// Groups of units modulo n as Galois groups of Q(zeta_n), and their orbits on numbers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "intertwine/exact/cyclotomic.hpp"

namespace intertwine {

using Units = std::vector<std::uint32_t>;  // residues modulo n, increasing

/// a b modulo n; 1 stands for the only residue modulo 1.
inline std::uint32_t unit_product(std::uint64_t a, std::uint64_t b, std::uint32_t n) {
  return n == 1 ? 1 : static_cast<std::uint32_t>(a * b % n);
}

/// A growing subgroup of (Z/n)^*.
class UnitSubgroup {
 public:
  explicit UnitSubgroup(std::uint32_t n) : n_(n), has_(n + std::size_t{1}), elements_{1} { has_[1] = 1; }
  bool contains(std::uint32_t k) const { return has_[k] != 0; }
  void add(std::uint32_t k);
  /// In no order.
  const std::vector<std::uint32_t>& elements() const { return elements_; }
  const std::vector<std::uint32_t>& generators() const { return generators_; }

 private:
  std::uint32_t n_;
  std::vector<std::uint8_t> has_;
  std::vector<std::uint32_t> elements_, generators_;
};

struct GaloisOrbit {
  std::size_t size = 0;
  UnitSubgroup fixing;    // the units that fix the number
  bool complete = false;  // else there are more than `most` images, and `fixing` may lack elements
};

/// The images of x under zeta -> zeta^k, k in a group G of units modulo n, a multiple of the conductor.
/// \param found  is given every different image once, x first, in the order of the least k giving them
/// Cost: O(n) for each of the images and of log |G| more, O(|G| log |G|) for the rest.
GaloisOrbit galois_orbit(
    std::uint32_t n, std::span<const std::uint32_t> G, const Cyclotomic& x, std::size_t most,
    const std::function<void(Cyclotomic&&)>& found = [](Cyclotomic&&) {});

}  // namespace intertwine
