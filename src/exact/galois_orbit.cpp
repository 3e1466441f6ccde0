// The action of Galois groups on cyclotomic numbers: orbits, conjugates and traces.
#include "exact/galois_orbit.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

void UnitSubgroup::add(std::uint32_t k) {
  if (contains(k)) return;
  generators_.push_back(k);
  const std::size_t old = elements_.size();
  for (std::uint32_t power = k; !contains(power); power = unit_product(power, k, n_))
    for (std::size_t i = 0; i < old; ++i) {
      const std::uint32_t next = unit_product(elements_[i], power, n_);
      elements_.push_back(next);
      has_[next] = 1;
    }
}

GaloisOrbit galois_orbit(std::uint32_t n, std::span<const std::uint32_t> G, const Cyclotomic& x, std::size_t most,
                         const std::function<void(Cyclotomic&&)>& found) {
  GaloisOrbit orbit{0, UnitSubgroup(n), false};
  std::vector<std::uint32_t> first;  // the k that gave an image
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash;
  std::vector<std::uint8_t> known(n + std::size_t{1});  // the cosets of `fixing` that `first` represents
  const auto mark = [&](std::uint32_t k) {
    for (const std::uint32_t h : orbit.fixing.elements()) known[unit_product(k, h, n)] = 1;
  };
  // Two units with the same image differ by one that fixes x.
  const auto quotient = [&](std::uint32_t k, const Cyclotomic& image) -> std::optional<std::uint32_t> {
    const auto [begin, end] = by_hash.equal_range(image.hash());
    for (auto at = begin; at != end; ++at) {
      const std::uint32_t h = unit_product(k, inverse_modulo(at->second, n), n);
      if (x.galois_conjugate(h) == x) return h;
    }
    return std::nullopt;
  };
  for (const std::uint32_t k : G) {
    if (known[k] != 0) continue;
    Cyclotomic image = x.galois_conjugate(k);
    if (const auto h = quotient(k, image)) {
      orbit.fixing.add(*h);
      for (const std::uint32_t j : first) mark(j);
      continue;
    }
    if (orbit.size == most) return orbit;
    by_hash.emplace(image.hash(), k);
    first.push_back(k);
    ++orbit.size;
    mark(k);
    found(std::move(image));
  }
  orbit.complete = true;
  return orbit;
}

std::vector<Cyclotomic> Cyclotomic::conjugates() const {
  if (is_rational()) return {*this};
  const std::uint32_t n = conductor();
  std::vector<Cyclotomic> result;
  galois_orbit(n, units(n), *this, n, [&](Cyclotomic&& image) { result.push_back(std::move(image)); });
  return result;
}

Rational Cyclotomic::trace() const {
  const std::uint32_t n = conductor(), phi = static_cast<std::uint32_t>(totient(n));
  Rational result = 0;
  for (const auto& [e, c] : terms()) {
    const std::uint32_t order = n / std::gcd(n, e);  // of zeta^e; its trace is mu(order) phi(n) / phi(order)
    result += c * moebius(order) * static_cast<int>(phi / totient(order));
  }
  return result;
}

}  // namespace intertwine
