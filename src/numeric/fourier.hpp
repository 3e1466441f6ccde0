// The Fourier form: weights that are the same along every translation of a torus (circulant, block circulant) are diagonal
// in the Fourier basis, but for the channels.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "numeric/pattern_data.hpp"
#include "numeric/tables.hpp"

namespace intertwine::numeric_detail {

/// The largest torus under whose translations the pattern is invariant, rows and columns being numbered (block, point of the
/// torus); of at least four points and at most four sides, each at least 2. Cost: one pass over the codes where there is
/// one, and little for each numbering that is none.
std::optional<Torus> find_torus(const PatternData& pattern);

/// Transforms of real functions on a torus.
template <class T>
class TorusTransform {
 public:
  explicit TorusTransform(Torus torus);

  std::uint64_t points() const { return torus_.points; }
  /// One frequency of each pair f, -f; where f = -f the transform of a real function is real.
  const std::vector<std::uint32_t>& frequencies() const { return frequencies_; }
  std::uint32_t opposite(std::uint64_t f) const { return opposite_[f]; }
  /// Floating-point operations of one complex transform.
  double operations() const { return operations_; }

  /// Calls emit(k, r, re, im) for row r of x [rows, points] and frequency number k: sum_g x_g exp(-2 pi i f.g). Different r at once.
  template <class Emit>
  void analyse(std::uint64_t rows, const T* x, unsigned threads, const Emit& emit) const;
  /// y [rows, points] from its transform, fetch(k, r, re, im), times points().
  template <class Fetch>
  void synthesise(std::uint64_t rows, T* y, unsigned threads, const Fetch& fetch) const;

 private:
  static constexpr std::uint64_t lanes = 16;  ///< complex sequences transformed at once: two real ones each
  struct Stage {
    std::uint64_t radix, count, stride, inner, outer;
    std::vector<T> roots, twiddles;
  };
  struct Work {
    explicit Work(std::uint64_t points) : size(points * lanes), memory(4 * size) {}
    std::uint64_t size;
    Buffer<T> memory;
    T* re(unsigned which) { return memory.data() + 2 * which * size; }
    T* im(unsigned which) { return re(which) + size; }
  };
  /// Transforms what is in re(0), im(0); returns where the result is. Backwards by exchanging the parts.
  unsigned transform(Work& work, bool backwards) const;

  Torus torus_;
  std::vector<Stage> stages_;
  std::vector<std::uint32_t> frequencies_, opposite_;
  double operations_ = 0;
};

/// The weights of a layer in the Fourier basis, or their transpose: y = W x, or x = W^T y.
template <class T>
class FourierWeights {
 public:
  FourierWeights(const PatternData& pattern, std::shared_ptr<const TorusTransform<T>> transform,
                 Multiplicity channels, bool transpose, const T* theta, unsigned threads);
  void multiply(std::uint64_t batch, const T* x, T* y, unsigned threads) const;

 private:
  std::shared_ptr<const TorusTransform<T>> transform_;
  std::uint64_t in_, out_;  ///< of this product: channels times blocks
  bool narrow_ = false;     ///< panels would be filled up with zeros for the most part
  Buffer<T>
      panels_;  ///< [frequency][panel][2 in][panel] as real matrices; [frequency][out][in] pairs if narrow
};

/// dtheta [P, out, in] = the sums over the entries of dW = sum over the batch of dy x^T, by correlation.
template <class T>
void fourier_gradient(const PatternData& pattern, const TorusTransform<T>& transform, Multiplicity channels,
                      std::uint64_t batch, const T* x, const T* dy, T* dtheta, unsigned threads);

/// Floating-point operations of multiply().
template <class T>
double fourier_operations(const PatternData& pattern, const TorusTransform<T>& transform,
                          Multiplicity channels, std::uint64_t batch);

/// What multiply() should take, the transform of the weights left out; see cost_model.hpp.
template <class T>
double fourier_seconds(const PatternData& pattern, const TorusTransform<T>& transform, Multiplicity channels,
                       std::uint64_t batch);

}  // namespace intertwine::numeric_detail
