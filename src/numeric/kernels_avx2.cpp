// x86-64 with AVX2 and FMA; compiled with these switched on, and called only where the processor has them.
#include "numeric/kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace intertwine {
namespace {

#include "numeric/kernels_body.hpp"

inline __m256 bf16_numbers(const std::uint16_t* p) {
  const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
}

inline __m256i eight_codes(const std::uint8_t* p) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
}

struct Floats {
  using T = float;
  using V = __m256;
  static constexpr int width = 8;
  static constexpr int accumulators = 8;
  static constexpr int lookup_batch = 2;
  static V zero() { return _mm256_setzero_ps(); }
  static V load(const T* p) { return _mm256_loadu_ps(p); }
  static void store(T* p, V v) { _mm256_storeu_ps(p, v); }
  static V broadcast(T x) { return _mm256_set1_ps(x); }
  static V add(V a, V b) { return _mm256_add_ps(a, b); }
  static V subtract(V a, V b) { return _mm256_sub_ps(a, b); }
  static V fma(V a, V b, V c) { return _mm256_fmadd_ps(a, b, c); }
  static V load_data(const T* p) { return load(p); }
  static T number(T x) { return x; }
  static V load_data(const std::uint16_t* p) { return bf16_numbers(p); }
  static T number(std::uint16_t x) {
    return _mm_cvtss_f32(_mm_castsi128_ps(_mm_cvtsi32_si128(static_cast<int>(std::uint32_t{x} << 16))));
  }

  // 8 entries a register; bits 3 and 4 of the code choose between registers.
  template <int tables>
  struct Table {
    __m256 part[tables];
    explicit Table(const float* entries) {
      for (int k = 0; k < tables; ++k) part[k] = _mm256_loadu_ps(entries + 8 * k);
    }
    __m256 find(__m256i code) const {
      if constexpr (tables == 1) return _mm256_permutevar8x32_ps(part[0], code);
      const __m256 bit3 = _mm256_castsi256_ps(_mm256_slli_epi32(code, 28));
      const __m256 low = _mm256_blendv_ps(_mm256_permutevar8x32_ps(part[0], code),
                                          _mm256_permutevar8x32_ps(part[1 % tables], code), bit3);
      if constexpr (tables == 2) return low;
      const __m256 high = _mm256_blendv_ps(_mm256_permutevar8x32_ps(part[2 % tables], code),
                                           _mm256_permutevar8x32_ps(part[3 % tables], code), bit3);
      return _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(code, 27)));
    }
    __m256 look_up(const std::uint8_t* codes) const { return find(eight_codes(codes)); }
  };
};

struct Doubles {
  using T = double;
  using V = __m256d;
  static constexpr int width = 4;
  static V zero() { return _mm256_setzero_pd(); }
  static V load(const T* p) { return _mm256_loadu_pd(p); }
  static void store(T* p, V v) { _mm256_storeu_pd(p, v); }
  static V broadcast(T x) { return _mm256_set1_pd(x); }
  static V add(V a, V b) { return _mm256_add_pd(a, b); }
  static V subtract(V a, V b) { return _mm256_sub_pd(a, b); }
  static V fma(V a, V b, V c) { return _mm256_fmadd_pd(a, b, c); }
  static V load_data(const T* p) { return load(p); }
  static T number(T x) { return x; }
};

struct CodeLanes {
  using Codes = __m128i;
  using Mask = __m128i;  // all bits of a byte
  static Codes codes(const std::uint8_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
  static Mask above(Codes code, int bound) {  // codes stay below 128 here
    return _mm_cmpgt_epi8(code, _mm_set1_epi8(static_cast<char>(bound)));
  }
  static Mask equal(Codes code, int value) {
    return _mm_cmpeq_epi8(code, _mm_set1_epi8(static_cast<char>(value)));
  }
  static Codes subtract(Codes code, Mask mask, int amount) {
    return _mm_sub_epi8(code, _mm_and_si128(mask, _mm_set1_epi8(static_cast<char>(amount))));
  }
};

struct FloatLanes : CodeLanes {
  using T = float;
  struct Sums {
    __m256 at[2];
  };
  static Sums zero() { return {{_mm256_setzero_ps(), _mm256_setzero_ps()}}; }
  static Sums data(const float* p) { return {{_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}}; }
  static Sums data(const std::uint16_t* p) { return {{bf16_numbers(p), bf16_numbers(p + 8)}}; }
  static __m256 wide(Mask mask, int half) {
    return _mm256_castsi256_ps(_mm256_cvtepi8_epi32(half ? _mm_srli_si128(mask, 8) : mask));
  }
  static Sums negate(Sums value, Mask mask) {
    for (int h = 0; h < 2; ++h)
      value.at[h] = _mm256_xor_ps(value.at[h], _mm256_and_ps(wide(mask, h), _mm256_set1_ps(-0.0F)));
    return value;
  }
  // Adding +0 where the mask is off changes nothing: a sum that began with +0 is never -0.
  static Sums add_where(Sums sum, Mask mask, const Sums& value) {
    for (int h = 0; h < 2; ++h)
      sum.at[h] = _mm256_add_ps(sum.at[h], _mm256_and_ps(wide(mask, h), value.at[h]));
    return sum;
  }
  static void store(float* p, const Sums& sum) {
    _mm256_storeu_ps(p, sum.at[0]);
    _mm256_storeu_ps(p + 8, sum.at[1]);
  }
};

struct DoubleLanes : CodeLanes {
  using T = double;
  struct Sums {
    __m256d at[4];
  };
  static Sums zero() {
    return {{_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()}};
  }
  static Sums data(const double* p) {
    return {{_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4), _mm256_loadu_pd(p + 8), _mm256_loadu_pd(p + 12)}};
  }
  static __m256d wide(Mask mask, int quarter) {
    alignas(16) std::int8_t bytes[16];
    _mm_store_si128(reinterpret_cast<__m128i*>(bytes), mask);
    int four;
    __builtin_memcpy(&four, bytes + 4 * quarter, 4);
    return _mm256_castsi256_pd(_mm256_cvtepi8_epi64(_mm_cvtsi32_si128(four)));
  }
  static Sums negate(Sums value, Mask mask) {
    for (int q = 0; q < 4; ++q)
      value.at[q] = _mm256_xor_pd(value.at[q], _mm256_and_pd(wide(mask, q), _mm256_set1_pd(-0.0)));
    return value;
  }
  static Sums add_where(Sums sum, Mask mask, const Sums& value) {
    for (int q = 0; q < 4; ++q)
      sum.at[q] = _mm256_add_pd(sum.at[q], _mm256_and_pd(wide(mask, q), value.at[q]));
    return sum;
  }
  static void store(double* p, const Sums& sum) {
    for (int q = 0; q < 4; ++q) _mm256_storeu_pd(p + 4 * q, sum.at[q]);
  }
};

template <int tables>
void expand_table(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
                  const float* entries, float* out, std::size_t out_stride, bool stream) {
  const Floats::Table<tables> table(entries);
  stream = stream && reinterpret_cast<std::uintptr_t>(out) % 32 == 0 && out_stride % 8 == 0;
  for (std::size_t i = 0; i < rows; ++i, codes += code_stride, out += out_stride) {
    std::size_t j = 0;
    if (stream)
      for (; j + 8 <= cols; j += 8) _mm256_stream_ps(out + j, table.look_up(codes + j));
    for (; j + 8 <= cols; j += 8) _mm256_storeu_ps(out + j, table.look_up(codes + j));
    for (; j < cols; ++j) out[j] = entries[codes[j]];
  }
  if (stream) _mm_sfence();
}

void expand_floats(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
                   const float* table, unsigned entries, float* out, std::size_t out_stride, bool stream) {
  if (entries <= 8) return expand_table<1>(codes, code_stride, rows, cols, table, out, out_stride, stream);
  if (entries <= 16) return expand_table<2>(codes, code_stride, rows, cols, table, out, out_stride, stream);
  if (entries <= 32) return expand_table<4>(codes, code_stride, rows, cols, table, out, out_stride, stream);
  expand_plain(codes, code_stride, rows, cols, table, out, out_stride);
}

template <class T>
void expand(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
            const T* table, unsigned, T* out, std::size_t out_stride, bool) {
  expand_plain(codes, code_stride, rows, cols, table, out, out_stride);
}

// Eight loads and one store: hardware gathers are slower, and stores of single numbers too.
void expand_wide_floats(const std::uint16_t* codes, std::size_t code_stride, std::size_t rows,
                        std::size_t cols, const float* table, float* out, std::size_t out_stride) {
  for (std::size_t i = 0; i < rows; ++i, codes += code_stride, out += out_stride) {
    std::size_t j = 0;
    for (; j + 8 <= cols; j += 8) {
      std::uint64_t a, b;
      __builtin_memcpy(&a, codes + j, 8);
      __builtin_memcpy(&b, codes + j + 4, 8);
      const __m128 low =
          _mm_set_ps(table[a >> 48], table[(a >> 32) & 0xffff], table[(a >> 16) & 0xffff], table[a & 0xffff]);
      const __m128 high =
          _mm_set_ps(table[b >> 48], table[(b >> 32) & 0xffff], table[(b >> 16) & 0xffff], table[b & 0xffff]);
      _mm256_storeu_ps(out + j, _mm256_set_m128(high, low));
    }
    for (; j < cols; ++j) out[j] = table[codes[j]];
  }
}

void lookup_floats(const LookupCall<float>& call) {
  if (call.entries <= 8) return lookup_with<Floats, 1>(call);
  lookup_with<Floats, 2>(call);
}

}  // namespace

const kernels::Kernels& kernels::avx2() {
  static constinit const Kernels table = {
      {expand_floats, expand_wide_floats, bins<FloatLanes, float>, add_runs<Floats, float>,
       orbit_sums<Floats>, 3, multiply<Floats, 3, 4>, 1, 2, multiply_few<Floats, 1, 2>, 16, 0, lookup_floats,
       dft<Floats>},
      {expand<double>, expand_wide<double>, bins<DoubleLanes, double>, add_runs<Doubles, double>,
       orbit_sums<Doubles>, 3, multiply<Doubles, 3, 4>, 0, 0, nullptr, 0, 0, nullptr, dft<Doubles>},
      expand<std::uint16_t>,
      bins<FloatLanes, std::uint16_t>,
      add_runs<Floats, std::uint16_t>};
  return table;
}

}  // namespace intertwine
#endif
