// Inner products of many columns at once, in words.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "intertwine/task.hpp"

namespace intertwine {

/// a[c * rows + i] and b[i * stride + d] are entries of two matrices with `rows` rows and `columns` columns; visit is
/// called for c < columns and blocks of columns d = first, ..., first + count - 1 with the sums over i of a(i, c) b(i, d).
/// Only blocks with first + count > c and first < last(c) are computed. Blocks are visited from any thread of the task.
template <class Word>
struct GramProblem {
  std::size_t rows, columns, stride;  ///< stride a multiple of gram_width, entries beyond `columns` 0
  std::vector<Word> a, b;
  std::function<std::size_t(std::size_t)> last;
};
inline constexpr std::size_t gram_width = 64;

/// Modulo 2^32.
void gram(const GramProblem<std::uint32_t>& problem, const Task& task,
          const std::function<void(std::size_t, std::size_t, std::size_t, const std::uint32_t*)>& visit);
/// Modulo 2^64.
void gram(const GramProblem<std::uint64_t>& problem, const Task& task,
          const std::function<void(std::size_t, std::size_t, std::size_t, const std::uint64_t*)>& visit);
/// For entries below p < 2^26: sums that agree with the inner products modulo p.
void gram_modulo(const GramProblem<std::uint32_t>& problem, std::uint32_t p, const Task& task,
                 const std::function<void(std::size_t, std::size_t, std::size_t, const std::uint64_t*)>& visit);

}  // namespace intertwine
