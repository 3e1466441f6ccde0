// The loops are compiled for several instruction sets and chosen at run time.
#include "gram.hpp"

#include <algorithm>

#if defined(__clang__)
#define INTERTWINE_AVX512 "avx512f,avx512dq"
#else
#define INTERTWINE_AVX512 "avx512f,avx512dq,prefer-vector-width=512"
#endif

namespace intertwine {

namespace {

/// sums[j] += sum over i < rows of a[i] * b[i * stride + j], j < gram_width.
template <class In, class Sum>
[[gnu::always_inline]] inline void add_products(Sum* sums, const In* a, const In* b, std::size_t stride,
                                                std::size_t rows) {
  constexpr std::size_t part = 128 / sizeof(Sum) * 2;  // as many sums as fit the registers
  static_assert(gram_width % part == 0);
  for (std::size_t from = 0; from < gram_width; from += part) {
    Sum local[part];
    for (std::size_t j = 0; j < part; ++j) local[j] = sums[from + j];
    for (std::size_t i = 0; i < rows; ++i) {
      const Sum factor = a[i];
      const In* row = b + i * stride + from;
      for (std::size_t j = 0; j < part; ++j) local[j] += factor * row[j];
    }
    for (std::size_t j = 0; j < part; ++j) sums[from + j] = local[j];
  }
}

template <class In, class Sum>
using AddProducts = void (*)(Sum*, const In*, const In*, std::size_t, std::size_t);

template <class In, class Sum>
void add_products_anywhere(Sum* sums, const In* a, const In* b, std::size_t stride, std::size_t rows) {
  add_products(sums, a, b, stride, rows);
}

#if defined(__x86_64__)
template <class In, class Sum>
[[gnu::target("avx2")]] void add_products_avx2(Sum* sums, const In* a, const In* b, std::size_t stride,
                                               std::size_t rows) {
  add_products(sums, a, b, stride, rows);
}
template <class In, class Sum>
[[gnu::target(INTERTWINE_AVX512)]] void add_products_avx512(Sum* sums, const In* a, const In* b, std::size_t stride,
                                                            std::size_t rows) {
  add_products(sums, a, b, stride, rows);
}
#endif

template <class In, class Sum>
AddProducts<In, Sum> best_loop() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return add_products_avx512<In, Sum>;
  if (__builtin_cpu_supports("avx2")) return add_products_avx2<In, Sum>;
#endif
  return add_products_anywhere<In, Sum>;
}

/// Squares of gram_width columns c and gram_width columns d by themselves, in the order of d and then of c; rows are taken in
/// blocks that stay in the cache, and reduce(sums) is called after every 2048 of them.
template <class In, class Sum, class Reduce, class Visit>
void blocked(const GramProblem<In>& g, const Task& task, Reduce reduce, const Visit& visit) {
  constexpr std::size_t block = 128;
  static const AddProducts<In, Sum> loop = best_loop<In, Sum>();
  const std::size_t blocks = (g.columns + gram_width - 1) / gram_width;
  task.share(blocks * (blocks + 1) / 2, 1, [&](std::uint64_t begin, std::uint64_t end_of_range) {
    std::vector<Sum> sums(gram_width * gram_width);
    std::size_t d = 0;  // square number d (d + 1) / 2 + c, c <= d
    while ((d + 1) * (d + 2) / 2 <= begin) ++d;
    for (std::size_t square = begin, c = begin - d * (d + 1) / 2; square < end_of_range; ++square) {
      const std::size_t first = d * gram_width, start = c * gram_width;
      const std::size_t end = std::min(start + gram_width, g.columns);
      std::ranges::fill(sums, Sum{0});
      for (std::size_t from = 0; from < g.rows; from += block) {
        task.poll();
        const std::size_t rows = std::min(block, g.rows - from);
        for (std::size_t i = start; i < end; ++i) {
          if (g.last(i) <= first) continue;
          Sum* const at = sums.data() + (i - start) * gram_width;
          loop(at, g.a.data() + i * g.rows + from, g.b.data() + from * g.stride + first, g.stride, rows);
          if ((from / block + 1) % 16 == 0) reduce(at);
        }
      }
      for (std::size_t i = start; i < end; ++i)
        if (g.last(i) > first)
          visit(i, first, std::min(gram_width, g.columns - first), sums.data() + (i - start) * gram_width);
      if (++c > d) c = 0, ++d;
    }
  });
}

}  // namespace

void gram(const GramProblem<std::uint32_t>& problem, const Task& task,
          const std::function<void(std::size_t, std::size_t, std::size_t, const std::uint32_t*)>& visit) {
  blocked<std::uint32_t, std::uint32_t>(
      problem, task, [](std::uint32_t*) {}, visit);
}

void gram(const GramProblem<std::uint64_t>& problem, const Task& task,
          const std::function<void(std::size_t, std::size_t, std::size_t, const std::uint64_t*)>& visit) {
  blocked<std::uint64_t, std::uint64_t>(
      problem, task, [](std::uint64_t*) {}, visit);
}

void gram_modulo(const GramProblem<std::uint32_t>& problem, std::uint32_t p, const Task& task,
                 const std::function<void(std::size_t, std::size_t, std::size_t, const std::uint64_t*)>& visit) {
  // 2048 products below 2^52 and a residue fit a sum of 64 bits.
  const auto reduce = [p](std::uint64_t* sums) {
    for (std::size_t j = 0; j < gram_width; ++j) sums[j] %= p;
  };
  blocked<std::uint32_t, std::uint64_t>(problem, task, reduce, visit);
}

}  // namespace intertwine
