// The Fourier form: weights that are the same along every translation of a torus (circulant, block circulant) are diagonal
// in the Fourier basis, but for the channels.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "numeric/kernels.hpp"
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
  /// The seconds that the transforms of so many real rows should take, at so many operations a second.
  double seconds(std::uint64_t rows, double flops) const;

  /// sink(r) is what takes the transform of row r of x [rows, points], sum_g x_g exp(-2 pi i f.g): it is called with (k, re, im) for
  /// every frequency number k. Different r at once.
  template <class Sink>
  void analyse(std::uint64_t rows, const T* x, unsigned threads, const Sink& sink) const;
  /// y [rows, points] from its transform, times points(): source(r), called with k, gives the pair (re, im) of row r.
  template <class Source>
  void synthesise(std::uint64_t rows, T* y, unsigned threads, const Source& source) const;

 private:
  /// Complex sequences, two real ones each, that are transformed at once: as many as a vector has numbers, unless rows are few and
  /// fill vectors by themselves, which they do not in the stages of large primes and of short last sides.
  std::uint64_t lanes_for(std::uint64_t rows) const {
    constexpr std::uint64_t lanes = kernels::longest_vector;
    const bool few = rows <= std::clamp<std::uint64_t>(points() / 10, 2, 2 * lanes);
    const bool fills = static_cast<double>(ceil_div(rows, 2)) * single_ <=
                       static_cast<double>(lanes * ceil_div(rows, 2 * lanes)) * operations_;
    return few && fills ? 1 : lanes;
  }
  struct Stage {
    std::uint64_t radix, count, stride, inner, outer;
    std::vector<T> roots, twiddles;
    std::vector<T> spread;  ///< the twiddles of a single sequence, where it has short vectors
  };
  struct Work {
    Work(std::uint64_t points, std::uint64_t sequences) : lanes(sequences), size(points * lanes), memory(4 * size) {}
    std::uint64_t lanes, size;
    Buffer<T> memory;
    T* re(unsigned which) { return memory.data() + 2 * which * size; }
    T* im(unsigned which) { return re(which) + size; }
  };
  static void spread_out(Stage& stage);
  /// of(r) of the rows of a block.
  template <class Of>
  static auto each_row(std::uint64_t first, std::uint64_t count, const Of& of) {
    std::vector<decltype(of(first))> rows;
    rows.reserve(count);
    for (std::uint64_t r = 0; r < count; ++r) rows.push_back(of(first + r));
    return rows;
  }
  /// Transforms what is in re(0), im(0); returns where the result is. Backwards by exchanging the parts.
  unsigned transform(Work& work, bool backwards) const;

  Torus torus_;
  std::vector<Stage> stages_;
  std::vector<std::uint32_t> frequencies_, opposite_;
  double operations_ = 0;
  double single_ = 0;  ///< the operations where a vector holds one sequence: empty places count
};

/// The weights of a layer in the Fourier basis, or their transpose: y = W x, or x = W^T y.
template <class T>
class FourierWeights {
 public:
  FourierWeights(const PatternData& pattern, std::shared_ptr<const TorusTransform<T>> transform, Multiplicity channels,
                 bool transpose, const T* theta, unsigned threads);
  void multiply(std::uint64_t batch, const T* x, T* y, unsigned threads) const;

 private:
  std::shared_ptr<const TorusTransform<T>> transform_;
  std::uint64_t in_, out_;  ///< the inputs and outputs of this product: channels times blocks
  bool narrow_ = false;     ///< panels would be filled up with zeros for the most part
  Buffer<T> panels_;        ///< [frequency][panel][2 in][panel] as real matrices; [frequency][out][in] pairs if narrow
};

/// dtheta [P, out, in] = the sums over the entries of dW = sum over the batch of dy x^T, by correlation.
template <class T>
void fourier_gradient(const PatternData& pattern, const TorusTransform<T>& transform, Multiplicity channels,
                      std::uint64_t batch, const T* x, const T* dy, T* dtheta, unsigned threads);

/// Floating-point operations of multiply().
template <class T>
double fourier_operations(const PatternData& pattern, const TorusTransform<T>& transform, Multiplicity channels,
                          std::uint64_t batch);

/// The seconds that multiply() should take, the transform of the weights left out; see cost_model.hpp.
template <class T>
double fourier_seconds(const PatternData& pattern, const TorusTransform<T>& transform, Multiplicity channels,
                       std::uint64_t batch);

}  // namespace intertwine::numeric_detail
