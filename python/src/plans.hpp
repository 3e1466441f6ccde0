// The plans of equivariant layers as Python holds them, and arrays that others own: what the bindings of `numeric` and
// the handlers of XLA share.
#pragma once
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/numeric/layer_plan.hpp"

namespace intertwine::python {

enum Number : int { float32, float64, float16, bfloat16 };

/// A table with channels and a mode: products of both precisions. The patterns are shared by all plans made of one with
/// `with_channels`, and the codes with the table.
class Plan {
 public:
  Plan(PreparedTable table, Multiplicity channels, LayerMode mode)
      : table_(std::move(table)),
        mode_(mode),
        single_(LayerPlan<float>(table_).with_channels(channels)),
        double_(LayerPlan<double>(table_).with_channels(channels)) {
    check();
  }
  Plan(const Plan& other, Multiplicity channels, LayerMode mode)
      : table_(other.table_),
        mode_(mode),
        single_(other.single_.with_channels(channels)),
        double_(other.double_.with_channels(channels)) {
    check();
  }
  Plan(const Plan& other) : Plan(other, other.single_.channels(), other.mode_) {}

  const PreparedPattern& pattern(bool bias) const { return bias ? table_.bias() : table_.weights(); }
  Multiplicity channels(bool bias) const { return {single_.channels().out, bias ? 1 : single_.channels().in}; }
  LayerOptions options(unsigned threads) const {
    LayerOptions o;
    o.mode = mode_;
    o.threads = threads;
    return o;
  }
  /// For these products together, all the threads of PyTorch or one. Every loop that is shared starts threads, in some
  /// 30 microseconds: what is done before a few loops have begun is done alone.
  template <class T>
  LayerOptions options(unsigned threads, std::uint64_t batch, bool applies, bool transposes, bool reduces) const {
    constexpr double least = 2e-4,
                     least_work = 1e5;  // so little takes no form that long: no rate is measured for it
    const LayerPlan<T>& p = plan<T>();
    if (threads <= 1 ||
        2.0 * static_cast<double>(batch) * static_cast<double>(p.inputs()) * static_cast<double>(p.outputs()) <
            least_work)
      return options(1);
    const auto seconds = [&](LayerProduct product, bool asked) {
      return asked ? p.expected_seconds(product, p.pick(product, batch, options(1)), batch) : 0;
    };
    const double all = seconds(LayerProduct::apply, applies) + seconds(LayerProduct::apply_transposed, transposes) +
                       seconds(LayerProduct::outer, reduces);
    return options(all >= least ? threads : 1);
  }
  template <class T>
  const LayerPlan<T>& plan() const {
    if constexpr (std::is_same_v<T, float>)
      return single_;
    else
      return double_;
  }
  std::string form() const { return form_ < 0 ? "" : to_string(static_cast<LayerForm>(form_.load())); }
  void ran(LayerForm form) const { form_ = static_cast<int>(form); }

 private:
  /// \throws DomainError if the form that is forced is not there
  void check() const {
    if (mode_ != LayerMode::automatic && mode_ != LayerMode::fastest) single_.pick(LayerProduct::apply, 1, options(1));
  }
  PreparedTable table_;
  LayerMode mode_;
  LayerPlan<float> single_;
  LayerPlan<double> double_;
  mutable std::atomic<int> form_{-1};
};

using Address = std::uintptr_t;
using Strides = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

template <class T>
T* at(Address address) {
  return reinterpret_cast<T*>(address);
}

template <class T>
Strided<T> array(Address address, std::uint64_t batch, std::uint64_t channels, std::uint64_t dim,
                 const Strides& strides) {
  if (address == 0) return {};
  const auto [b, c, e] = strides;
  if (batch == 0 || channels == 0 || dim == 0) return Strided<T>(at<T>(address), 0);
  return {std::span<T>(at<T>(address), (batch - 1) * b + (channels - 1) * c + (dim - 1) * e + 1),
          ArrayStrides{b, c, e}};
}

template <class T>
std::span<T> list(Address address, std::uint64_t count) {
  return address == 0 ? std::span<T>() : std::span<T>(at<T>(address), count);
}

/// work(T()) for the precision `number` of products.
template <class Work>
void in_precision(int number, const Work& work) {
  if (number == float32) return work(float());
  if (number == float64) return work(double());
  throw DomainError("products take float32 and float64");
}

}  // namespace intertwine::python
