// One function of several lambdas, for std::visit.
#pragma once

namespace intertwine {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // clang 15 deduces no aggregates

}  // namespace intertwine
