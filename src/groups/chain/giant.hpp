// Recognition of Sym(n) and Alt(n) on all n points by the order, for every n >= 3 (StabilizerChain::is_giant
// is about how the chain is held, and may be false).
#pragma once
#include <bit>

#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

/// A group of this order on n points is Sym(n). (n! has more than n (log2 n - 2) bits: the product is seldom needed.)
inline bool is_symmetric(std::size_t n, const Integer& order) {
  const auto size = static_cast<std::size_t>(std::bit_width(n));
  return n >= 3 && (size < 3 || msb(order) >= n * (size - 3)) && order == factorial(n);
}
inline bool is_symmetric(const StabilizerChain& chain) { return is_symmetric(chain.degree(), chain.order()); }

/// The alternating group is the only subgroup of index 2.
inline bool is_alternating(std::size_t n, const Integer& order) { return is_symmetric(n, order * 2); }
inline bool is_alternating(const StabilizerChain& chain) { return is_alternating(chain.degree(), chain.order()); }

}  // namespace intertwine
