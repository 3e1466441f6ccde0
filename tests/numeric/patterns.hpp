// Random patterns, and the plainest possible reference of everything the kernels do.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "intertwine/numeric/instruction_set.hpp"
#include "intertwine/numeric/layer.hpp"
#include "numeric/sparse_basis.hpp"
#include "numeric/tied_pattern.hpp"
#include "support/random.hpp"

namespace test_patterns {

using namespace intertwine;
using numeric_detail::SparseBasis;
using numeric_detail::TiedPattern;

struct Shape {
  std::uint64_t rows, cols, params;
};

/// Shapes that lie on the borders of what kernels treat apart: tails, table sizes, code widths, emptiness.
inline const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {0, 0, 0},     {0, 5, 1},      {5, 0, 2},       {1, 1, 1},        {3, 4, 0},       {5, 5, 2},     {7, 13, 3},
      {16, 32, 1},   {33, 31, 4},    {40, 65, 5},     {64, 64, 7},      {70, 129, 8},    {65, 66, 9},   {31, 100, 15},
      {100, 37, 16}, {64, 96, 31},   {50, 77, 32},    {67, 80, 63},     {80, 90, 64},    {90, 70, 100}, {128, 130, 127},
      {60, 61, 128}, {100, 99, 200}, {77, 130, 1000}, {100, 101, 5000}, {120, 95, 40000}};
  return all;
}

enum class Kind { dense, plus, sparse, none };  // any code; no minus signs; mostly zeros; only zeros

inline Codes random_codes(const Shape& shape, Kind kind, Rng& rng) {
  std::vector<std::int32_t> codes(shape.rows * shape.cols, 0);
  for (auto& code : codes) {
    const std::uint64_t bound = kind == Kind::plus ? shape.params + 1 : 2 * shape.params + 1;
    if (kind == Kind::none || (kind == Kind::sparse && rng.below(10) != 0)) continue;
    code = static_cast<std::int32_t>(rng.below(bound));
  }
  if (code_bytes(shape.params) == 4) return codes;
  return std::vector<std::uint8_t>(codes.begin(), codes.end());
}

inline TiedPattern random_pattern(const Shape& shape, Kind kind, Rng& rng) {
  return TiedPattern(shape.rows, shape.cols, shape.params, random_codes(shape, kind, rng));
}

inline double uniform(Rng& rng) { return static_cast<double>(rng() >> 11) / 9007199254740992.0 * 2 - 1; }

template <class T>
std::vector<T> random_numbers(std::uint64_t count, Rng& rng) {
  std::vector<T> out(count);
  for (T& x : out) {
    x = from_number<T>(uniform(rng));
  }
  return out;
}

/// Small integers: every sum of theirs is exact.
template <class T>
std::vector<T> random_integers(std::uint64_t count, Rng& rng) {
  std::vector<T> out(count);
  for (T& x : out) x = from_number<T>(static_cast<int>(rng.below(15)) - 7);
  return out;
}

/// W [out, M, in, N], entry by entry.
template <class T>
std::vector<T> reference_weights(const TiedPattern& p, Multiplicity c, const std::vector<T>& theta) {
  std::vector<T> W;
  for (std::uint64_t co = 0; co < c.out; ++co)
    for (std::uint64_t i = 0; i < p.rows(); ++i)
      for (std::uint64_t ci = 0; ci < c.in; ++ci)
        for (std::uint64_t j = 0; j < p.cols(); ++j) {
          const std::uint64_t code = p.code(i, j), P = p.params();
          const auto at = [&](std::uint64_t k) { return theta[(k * c.out + co) * c.in + ci]; };
          W.push_back(code == 0 ? T{} : code <= P ? at(code - 1) : -at(code - 1 - P));
        }
  return W;
}

/// dtheta in double, and the sum of the absolute values of what was added (a bound for rounding).
inline std::pair<std::vector<double>, std::vector<double>> reference_reduction(const TiedPattern& p, Multiplicity c,
                                                                               const std::vector<double>& dW) {
  std::vector<double> out(p.params() * c.out * c.in, 0.0), size(out);
  std::size_t at = 0;
  for (std::uint64_t co = 0; co < c.out; ++co)
    for (std::uint64_t i = 0; i < p.rows(); ++i)
      for (std::uint64_t ci = 0; ci < c.in; ++ci)
        for (std::uint64_t j = 0; j < p.cols(); ++j, ++at) {
          const std::uint64_t code = p.code(i, j), P = p.params();
          if (code == 0) continue;
          const std::uint64_t k = code <= P ? code - 1 : code - 1 - P;
          out[(k * c.out + co) * c.in + ci] += code <= P ? dW[at] : -dW[at];
          size[(k * c.out + co) * c.in + ci] += std::abs(dW[at]);
        }
  return {out, size};
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// The levels of this processor.
inline std::vector<InstructionSet> levels() {
  std::vector<InstructionSet> out;
  for (const auto level : {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512})
    if (level <= best_instruction_set()) out.push_back(level);
  return out;
}

/// Forces a level for a scope.
class Level {
 public:
  explicit Level(InstructionSet level) { force_instruction_set(level); }
  ~Level() { force_instruction_set(std::nullopt); }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
};

/// Rows are shifts of one another, in blocks; `rows` may be put in any order. Codes are 1 + (j - i mod n) of the block.
inline TiedPattern circulant(std::uint64_t n, std::uint64_t blocks, bool shuffled, bool signs, Rng& rng) {
  const std::uint64_t params = n * blocks, size = n * blocks;
  std::vector<std::uint64_t> order(size);
  for (std::uint64_t i = 0; i < size; ++i) order[i] = i;
  if (shuffled)
    for (std::uint64_t i = size; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  std::vector<std::int32_t> codes;
  for (const std::uint64_t i : order)
    for (std::uint64_t j = 0; j < size; ++j) {
      const std::uint64_t block = (j / n + blocks - i / n) % blocks, k = block * n + (j % n + n - i % n) % n;
      codes.push_back(static_cast<std::int32_t>(1 + k + (signs && j % n < i % n ? params : 0)));
    }
  Codes narrow = codes;
  if (code_bytes(params) == 1) narrow = std::vector<std::uint8_t>(codes.begin(), codes.end());
  return TiedPattern(size, size, params, narrow);
}

}  // namespace test_patterns
