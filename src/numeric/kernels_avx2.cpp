// x86-64 with AVX2 and FMA; compiled with these switched on, and called only where the processor has them.
#include "numeric/kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace intertwine {
namespace {

#include "numeric/attention_body.hpp"
#include "numeric/edge_product_body.hpp"
#include "numeric/kernels_body.hpp"
#include "numeric/point_polynomial_body.hpp"

struct CodeLanes {
  using Codes = __m128i;
  using Mask = __m128i;  // all bits of a byte
  static Codes codes(const std::uint8_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
  static Mask above(Codes code, int bound) {  // codes stay below 128 here
    return _mm_cmpgt_epi8(code, _mm_set1_epi8(static_cast<char>(bound)));
  }
  static Mask equal(Codes code, int value) { return _mm_cmpeq_epi8(code, _mm_set1_epi8(static_cast<char>(value))); }
  static Codes subtract(Codes code, Mask mask, int amount) {
    return _mm_sub_epi8(code, _mm_and_si128(mask, _mm_set1_epi8(static_cast<char>(amount))));
  }
};

inline __m256i eight_codes(const std::uint8_t* p) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
}

/// The lanes below `count`, for vectors with parts.
inline __m256i first_floats(std::size_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
inline __m256i first_doubles(std::size_t count) {
  return _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<long long>(count)), _mm256_setr_epi64x(0, 1, 2, 3));
}

struct Floats : Vectors<float, 8> {
  static constexpr int accumulators = 8;
  static constexpr int lookup_batch = 2;
  static constexpr bool stores_parts = false;
  static V fma(V a, V b, V c) { return _mm256_fmadd_ps(a, b, c); }
  using Vectors::load_data;
  static V load_data(const std::uint16_t* p) {
    const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
  }
  static void stream(T* p, V v) { _mm256_stream_ps(p, v); }
  static V load_first(const T* p, std::size_t count) { return _mm256_maskload_ps(p, first_floats(count)); }
  static void store_first(T* p, std::size_t count, V v) { _mm256_maskstore_ps(p, first_floats(count), v); }
  static void end_of_stream() { _mm_sfence(); }
  static V part(__m128i mask, int half) {
    return _mm256_castsi256_ps(_mm256_cvtepi8_epi32(half ? _mm_srli_si128(mask, 8) : mask));
  }
  static V negate_where(V mask, V value) { return _mm256_xor_ps(value, _mm256_and_ps(mask, _mm256_set1_ps(-0.0F))); }
  // Adding +0 where the mask is off changes nothing: a sum that began with +0 is never -0.
  static V add_where(V sum, V mask, V value) { return sum + _mm256_and_ps(mask, value); }

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

struct Doubles : Vectors<double, 4> {
  static V fma(V a, V b, V c) { return _mm256_fmadd_pd(a, b, c); }
  static V load_first(const T* p, std::size_t count) { return _mm256_maskload_pd(p, first_doubles(count)); }
  static void store_first(T* p, std::size_t count, V v) { _mm256_maskstore_pd(p, first_doubles(count), v); }
  static V part(__m128i mask, int quarter) {
    alignas(16) std::int8_t bytes[16];
    _mm_store_si128(reinterpret_cast<__m128i*>(bytes), mask);
    int four;
    __builtin_memcpy(&four, bytes + 4 * quarter, 4);
    return _mm256_castsi256_pd(_mm256_cvtepi8_epi64(_mm_cvtsi32_si128(four)));
  }
  static V negate_where(V mask, V value) { return _mm256_xor_pd(value, _mm256_and_pd(mask, _mm256_set1_pd(-0.0))); }
  static V add_where(V sum, V mask, V value) { return sum + _mm256_and_pd(mask, value); }
};

}  // namespace

const kernels::Kernels& kernels::avx2() {
  static constinit const Kernels table = {
      {expand_in_registers<Floats, 4>, expand_wide_floats, bins<Floats, CodeLanes, float>, add_runs<Floats, float>,
       orbit_sums<Floats>, 3, multiply<Floats, 3, 4>, 1, 2, multiply_few<Floats, 1, 2>, 16, 0,
       lookup_in_registers<Floats>, dft<Floats>, attention_kernels<Floats>, edge_kernels<Floats>,
       polynomial_kernels<Floats>},
      {expand<double>, expand_wide<double>, bins<Doubles, CodeLanes, double>, add_runs<Doubles, double>,
       orbit_sums<Doubles>, 3, multiply<Doubles, 3, 4>, 0, 0, nullptr, 0, 0, nullptr, dft<Doubles>,
       attention_kernels<Doubles>, edge_kernels<Doubles>, polynomial_kernels<Doubles>},
      expand<std::uint16_t>,
      bins<Floats, CodeLanes, std::uint16_t>,
      add_runs<Floats, std::uint16_t>};
  return table;
}

}  // namespace intertwine
#endif
