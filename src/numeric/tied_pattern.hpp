// Tied entries made ready for numbers.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "intertwine/numeric/prepared_pattern.hpp"

namespace intertwine::numeric_detail {

struct PatternData;

/// The codes of one array of weights with the order in which its gradients are summed. Immutable, cheap to copy, safe
/// to use from many threads. Memory: one, two or four bytes an entry, the fewest that hold the codes that occur (none of its own where the codes are shared), up to 1.5 more where
/// rows resemble each other, and one more once few rows were multiplied by look-up a second time (see product.hpp).
class TiedPattern {
 public:
  /// `codes` as in TiedEntries: 0, 1+k for +theta_k, 1+params+k for -theta_k.
  /// \throws DomainError if there are not rows * cols codes, or one is above 2 params.
  TiedPattern(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, Codes codes);
  /// The pattern of codes that others hold too: they are copied only where fewer bytes hold them.
  TiedPattern(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, std::shared_ptr<const Codes> codes);
  /// The pattern of codes that lie elsewhere: they are read once, in the fewest bytes. \throws LimitError through
  /// `task`.
  TiedPattern(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, const CodeRows& codes, const Task& task);

  std::uint64_t rows() const;
  std::uint64_t cols() const;
  std::uint64_t params() const;
  bool has_signs() const;  ///< some entry is -theta_k
  std::span<const std::int64_t> orbit_size() const;
  /// 0-based. \throws DomainError outside the array.
  std::uint32_t code(std::uint64_t row, std::uint64_t col) const;
  /// The way gradients are summed, as PreparedPattern::reduction() says it.
  std::string reduction() const;
  std::uint64_t stored_bytes() const;
  /// The pattern of the transposed array: the same parameters.
  TiedPattern transposed() const;

  const PatternData& data() const { return *data_; }

 private:
  explicit TiedPattern(std::shared_ptr<const PatternData> data) : data_(std::move(data)) {}
  std::shared_ptr<const PatternData> data_;
};

/// materialise() and reduce_gradient() for arrays whose sizes were checked.
template <class T>
void write_weights(const TiedPattern& pattern, Multiplicity channels, const T* theta, T* W, std::uint64_t row_stride,
                   unsigned threads);
template <class T>
void sum_gradients(const TiedPattern& pattern, Multiplicity channels, const T* dW, SumOf<T>* dtheta,
                   std::uint64_t row_stride, unsigned threads);

}  // namespace intertwine::numeric_detail
