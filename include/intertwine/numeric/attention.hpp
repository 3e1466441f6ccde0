// Attention over positions and a group, forward and backward: the scores are never stored.
//
//   o[b, i, r, h] = sum over (j, g) of softmax( q[b, i, query_of[r], h] . (k[b, j, g, h] + e[h, entry(r, c, g)]) ) v[b, j, g, h]
//
// over the pairs of positions i, j with the difference c, and entry(r, c, g) = difference[r, c] + element[r, g]. Positions, rows and elements
// are numbers from 0; b counts the batch and h the heads. The backward pass by rows is that of [Dao et al. 2022].
#pragma once
#include <cstdint>
#include <span>

namespace intertwine {

/// The positions that attend to each other, and the entries of the encoding that each row of scores sees. Arrays belong
/// to the caller.
struct AttentionPattern {
  std::uint64_t positions = 0, rows = 0, elements = 0, differences = 0, entries = 0;
  std::span<const std::int64_t> first;       ///< [positions + 1]: the pairs of position i are first[i] to first[i + 1]
  std::span<const std::int64_t> key;         ///< [pairs]: the position j, or -1: nothing is there
  std::span<const std::int64_t> code;        ///< [pairs]: the difference c
  std::span<const std::int64_t> query_of;    ///< [rows]: the element whose query a row takes
  std::span<const std::int64_t> difference;  ///< [rows, differences]; -1: the row does not see this difference
  std::span<const std::int64_t> element;     ///< [rows, elements]
};

struct AttentionSizes {
  std::uint64_t batch = 0, heads = 0;
  std::uint64_t width = 0;        ///< the width of q, k and e
  std::uint64_t value_width = 0;  ///< the width of v and o
};

/// The input: q, k [batch, positions, elements, heads, width], v [batch, positions, elements, heads, value_width],
/// e [heads, entries, width].
template <class T>
struct AttentionInput {
  std::span<const T> q, k, v, e;
};

/// The output: o [batch, positions, rows, heads, value_width], and for the backward pass the largest score of each row
/// and the sum of exp(score - largest), [batch, positions, rows, heads, 2]. A row that sees nothing gives 0.
template <class T>
struct AttentionOutput {
  std::span<T> o, sums;
};

/// The gradients have the shapes of the input; every number is written.
template <class T>
struct AttentionGradients {
  std::span<T> q, k, v, e;
};

/// T is float or double. Cost: batch heads pairs rows elements (2 width + value_width) multiplications; memory is that of a few arrays of one
/// head and of the scores of one position, on each thread. Threads and instruction sets change no bit of the result.
/// \throws DomainError if a span has another length than its shape, or a number of the pattern is out of range.
template <class T>
void attention(const AttentionPattern& pattern, const AttentionSizes& sizes, const AttentionInput<T>& in,
               const AttentionOutput<T>& out, unsigned threads = 1);

/// The gradients of sum(do . o), where `out` is what attention() gave. Twice to three times the cost.
/// \throws DomainError as attention()
template <class T>
void attention_gradients(const AttentionPattern& pattern, const AttentionSizes& sizes, const AttentionInput<T>& in,
                         const AttentionOutput<const T>& out, std::span<const T> d_o,
                         const AttentionGradients<T>& gradients, unsigned threads = 1);

}  // namespace intertwine
