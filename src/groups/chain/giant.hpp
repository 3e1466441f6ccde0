// Recognition of Sym(n) and Alt(n) on all n points by the order, for every n >= 3 (StabilizerChain::is_giant
// is about how the chain is held, and may be false).
#pragma once
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

inline bool is_symmetric(const StabilizerChain& chain) {
  const std::size_t n = chain.degree();
  return n >= 3 && chain.length() + 1 >= n && chain.order() == factorial(n);
}

/// The alternating group is the only subgroup of index 2.
inline bool is_alternating(const StabilizerChain& chain) {
  const std::size_t n = chain.degree();
  return n >= 3 && chain.length() + 2 >= n && chain.order() * 2 == factorial(n);
}

}  // namespace intertwine
