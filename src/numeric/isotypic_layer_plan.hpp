// The isotypic form without its parameters: two changes of basis around the products of the blocks.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "intertwine/numeric/isotypic.hpp"
#include "intertwine/numeric/layer_plan.hpp"

namespace intertwine::numeric_detail {

template <class T>
struct IsotypicBases;

/// Immutable, cheap to copy. Parameters are theta' [P', out, in], those of a block lie together.
template <class T>
class IsotypicLayerPlan {
 public:
  IsotypicLayerPlan(IsotypicDecomposition decomposition, Multiplicity channels);
  IsotypicLayerPlan with_channels(Multiplicity channels) const;

  const IsotypicDecomposition& decomposition() const;
  Multiplicity channels() const { return channels_; }
  std::uint64_t inputs() const { return channels_.in * decomposition().cols(); }
  std::uint64_t outputs() const { return channels_.out * decomposition().rows(); }
  std::uint64_t parameters() const;
  /// The layers of the blocks; none where a side has no copy.
  const std::vector<std::optional<LayerPlan<T>>>& blocks() const { return blocks_; }

  /// multiply(i, rows, x, y) is the product of block i.
  using BlockProduct = std::function<void(std::size_t, std::uint64_t, std::span<const T>, std::span<T>)>;
  void apply(std::uint64_t batch, const T* x, T* y, unsigned threads, const BlockProduct& multiply) const;
  void apply(std::uint64_t batch, const T* x, std::span<const T> theta, T* y, unsigned threads) const;
  /// dx and dtheta, null where not wanted; then theta and x may be null too.
  void gradients(std::uint64_t batch, const T* x, const T* dy, const T* theta, T* dx, T* dtheta,
                 unsigned threads) const;

  double expected_seconds(std::uint64_t batch) const;
  double operations(std::uint64_t batch) const;

 private:
  IsotypicLayerPlan(std::shared_ptr<const IsotypicBases<T>> bases, Multiplicity channels);
  std::shared_ptr<const IsotypicBases<T>> bases_;
  Multiplicity channels_;
  std::vector<std::optional<LayerPlan<T>>> blocks_;
};

}  // namespace intertwine::numeric_detail
