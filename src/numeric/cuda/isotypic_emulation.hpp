// The isotypic form of the GPU on the processor: the same plan, with products in loops.
#pragma once
#include <array>
#include <stdexcept>
#include <vector>

#include "numeric/cuda/emulation.hpp"
#include "numeric/cuda/isotypic_plan.hpp"

namespace intertwine::numeric_detail::cuda {

template <class T, class Sum>
class IsotypicEmulation {
 public:
  IsotypicEmulation(const IsotypicDecomposition& decomposition, Multiplicity channels, u64 batch)
      : plan_(isotypic_plan(decomposition.data(), channels, batch)), batch_(batch) {
    for (const double x : ordered_in(decomposition.data())) arrays_[array_in].push_back(from_number<T>(x));
    for (const double x : ordered_out_inverse(decomposition.data()))
      arrays_[array_out_inverse].push_back(from_number<T>(x));
    // Numbers that no step writes must not be read: they are not a number.
    arrays_[array_x1].assign(batch * channels.in * plan_.cols, from_number<T>(nan()));
    arrays_[array_y1].assign(batch * channels.out * plan_.rows, from_number<T>(nan()));
    arrays_[array_weights].assign(plan_.weights, from_number<T>(nan()));
    dweights_.assign(plan_.weights, static_cast<Sum>(nan()));
  }

  const IsotypicPlan& plan() const { return plan_; }

  std::vector<T> forward(const std::vector<T>& theta, const std::vector<T>& x) {
    emulate_block_weights(plan_.blocks, theta.data(), arrays_[array_weights].data());
    arrays_[array_x] = x;
    arrays_[array_y].assign(batch_ * plan_.out * plan_.rows, from_number<T>(nan()));
    isotypic_forward(plan_, Do{*this});
    return arrays_[array_y];
  }
  /// dx, and the gradient of theta'; after forward(), whose weights it takes.
  std::pair<std::vector<T>, std::vector<Sum>> backward(const std::vector<T>& x, const std::vector<T>& dy,
                                                       bool add = false) {
    arrays_[array_x] = x;
    arrays_[array_y] = dy;
    isotypic_backward(plan_, true, true, add, Do{*this});
    std::vector<Sum> dtheta(plan_.params * plan_.out * plan_.in, static_cast<Sum>(nan()));
    emulate_block_gradients(plan_.blocks, dweights_.data(), dtheta.data());
    return {arrays_[array_x], dtheta};
  }

 private:
  static constexpr float nan() { return __builtin_nanf(""); }

  struct Do {
    IsotypicEmulation& e;
    void product(const Gemm& g) const { e.multiply(g, e.arrays_[g.c.array]); }
    void weights(const Gemm& g) const { e.multiply(g, e.dweights_); }
    void blocks(const std::vector<Gemm>& all) const {
      for (const Gemm& g : all) product(g);
    }
    void clear(unsigned array) const { e.arrays_[array].assign(e.arrays_[array].size(), T{}); }
  };

  template <class Out>
  void multiply(const Gemm& g, std::vector<Out>& c) {
    const std::vector<T>&a = arrays_[g.a.array], &b = arrays_[g.b.array];
    if (!within(g, a.size(), b.size(), c.size())) throw std::out_of_range("a product leaves its arrays");
    emulate_gemm<T, Sum, Out>(g, a.data(), b.data(), c.data());
  }

  IsotypicPlan plan_;
  u64 batch_;
  std::array<std::vector<T>, isotypic_arrays> arrays_;
  std::vector<Sum> dweights_;
};

}  // namespace intertwine::numeric_detail::cuda
