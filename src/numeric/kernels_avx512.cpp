// x86-64 with AVX-512 F, BW, VL, DQ; compiled with these switched on, and called only where the processor has them.
// VBMI is used where `vbmi` says so.
#include "numeric/kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace intertwine {
namespace {

#include "numeric/attention_body.hpp"
#include "numeric/edge_product_body.hpp"
#include "numeric/kernels_body.hpp"
#include "numeric/point_polynomial_body.hpp"

#define INTERTWINE_VBMI __attribute__((target("avx512vbmi")))

inline __m512i sixteen_codes(const std::uint8_t* p) {
  return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

inline __m512i eight_codes(const std::uint8_t* p) {
  return _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
}

inline __mmask16 first(std::size_t count) { return static_cast<__mmask16>((1U << count) - 1U); }

struct Floats : Vectors<float, 16> {
  static constexpr int accumulators = 16;
  static constexpr int lookup_batch = 8;
  static constexpr bool stores_parts = true;
  static V fma(V a, V b, V c) { return _mm512_fmadd_ps(a, b, c); }
  using Vectors::load_data;
  static V load_data(const std::uint16_t* p) {
    const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
    return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
  }
  static void stream(T* p, V v) { _mm512_stream_ps(p, v); }
  static void end_of_stream() { _mm_sfence(); }
  static void store_first(T* p, std::size_t count, V v) { _mm512_mask_storeu_ps(p, first(count), v); }
  static V load_first(const T* p, std::size_t count) { return _mm512_maskz_loadu_ps(first(count), p); }
  static __mmask16 part(__mmask16 mask, int) { return mask; }
  static V negate_where(__mmask16 mask, V value) {
    return _mm512_mask_xor_ps(value, mask, value, _mm512_set1_ps(-0.0F));
  }
  static V add_where(V sum, __mmask16 mask, V value) { return _mm512_mask_add_ps(sum, mask, sum, value); }
  // 16 entries a register.
  template <int tables>
  struct Table {
    __m512 part[tables];
    explicit Table(const float* entries) {
      for (int k = 0; k < tables; ++k) part[k] = _mm512_loadu_ps(entries + 16 * k);
    }
    __m512 find(__m512i code) const {
      if constexpr (tables == 1) return _mm512_permutexvar_ps(code, part[0]);
      const __m512 low = _mm512_permutex2var_ps(part[0], code, part[1 % tables]);
      if constexpr (tables <= 2) return low;
      const __m512 high = _mm512_permutex2var_ps(part[2 % tables], code, part[3 % tables]);
      return _mm512_mask_mov_ps(low, _mm512_test_epi32_mask(code, _mm512_set1_epi32(32)), high);
    }
    __m512 look_up(const std::uint8_t* codes) const { return find(sixteen_codes(codes)); }
    __m512 look_up_first(const std::uint8_t* codes, std::size_t count) const {
      return find(_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(first(count), codes)));
    }
  };
};

struct Doubles : Vectors<double, 8> {
  static constexpr int accumulators = 16;
  static constexpr int lookup_batch = 4;
  static constexpr bool stores_parts = false;
  static V fma(V a, V b, V c) { return _mm512_fmadd_pd(a, b, c); }
  static void stream(T* p, V v) { _mm512_stream_pd(p, v); }
  static __mmask8 eight(std::size_t count) { return static_cast<__mmask8>(first(count)); }
  static void store_first(T* p, std::size_t count, V v) { _mm512_mask_storeu_pd(p, eight(count), v); }
  static V load_first(const T* p, std::size_t count) { return _mm512_maskz_loadu_pd(eight(count), p); }
  static void end_of_stream() { _mm_sfence(); }
  static __mmask8 part(__mmask16 mask, int half) { return static_cast<__mmask8>(half ? mask >> 8 : mask); }
  static V negate_where(__mmask8 mask, V value) { return _mm512_mask_xor_pd(value, mask, value, _mm512_set1_pd(-0.0)); }
  static V add_where(V sum, __mmask8 mask, V value) { return _mm512_mask_add_pd(sum, mask, sum, value); }
  template <int tables>
  struct Table {
    __m512d part[tables];
    explicit Table(const double* entries) {
      for (int k = 0; k < tables; ++k) part[k] = _mm512_loadu_pd(entries + 8 * k);
    }
    __m512d find(__m512i code) const {
      if constexpr (tables == 1) return _mm512_permutexvar_pd(code, part[0]);
      return _mm512_permutex2var_pd(part[0], code, part[1 % tables]);
    }
    __m512d look_up(const std::uint8_t* codes) const { return find(eight_codes(codes)); }
  };
};

struct CodeLanes {
  using Codes = __m128i;
  using Mask = __mmask16;
  static Codes codes(const std::uint8_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
  static Mask above(Codes code, int bound) {
    return _mm_cmpgt_epu8_mask(code, _mm_set1_epi8(static_cast<char>(bound)));
  }
  static Mask equal(Codes code, int value) {
    return _mm_cmpeq_epi8_mask(code, _mm_set1_epi8(static_cast<char>(value)));
  }
  static Codes subtract(Codes code, Mask mask, int amount) {
    return _mm_mask_sub_epi8(code, mask, code, _mm_set1_epi8(static_cast<char>(amount)));
  }
};

// A table of at most 256 entries of `bytes` bytes as byte planes: plane b holds byte b of every entry. 64 codes are
// looked up at once in every plane, and the planes interleaved.
template <int bytes, int parts>
struct Planes {
  __m512i plane[bytes][parts];

  // Reads 64 * parts entries: tables have room for them.
  INTERTWINE_VBMI void fill(const void* entries) {
    alignas(64) std::uint8_t split[bytes][64 * parts];
    const auto* from = static_cast<const std::uint8_t*>(entries);
    for (int v = 0; v < bytes * parts; ++v) {
      const __m512i some = _mm512_loadu_si512(from + 64 * v);
      constexpr int each = 64 / bytes;  // entries of a vector
      for (int b = 0; b < bytes; ++b) {
        if constexpr (bytes == 4)
          _mm_store_si128(reinterpret_cast<__m128i*>(split[b] + each * v),
                          _mm512_cvtepi32_epi8(_mm512_srli_epi32(some, static_cast<unsigned>(8 * b))));
        else
          _mm256_store_si256(reinterpret_cast<__m256i*>(split[b] + each * v),
                             _mm512_cvtepi16_epi8(_mm512_srli_epi16(some, static_cast<unsigned>(8 * b))));
      }
    }
    for (int b = 0; b < bytes; ++b)
      for (int p = 0; p < parts; ++p) plane[b][p] = _mm512_load_si512(split[b] + 64 * p);
  }

  INTERTWINE_VBMI __m512i find(int b, __m512i code, __mmask64 high) const {
    if constexpr (parts == 1) return _mm512_permutexvar_epi8(code, plane[b][0]);
    const __m512i low = _mm512_permutex2var_epi8(plane[b][0], code, plane[b][1 % parts]);
    if constexpr (parts == 2) return low;
    return _mm512_mask_mov_epi8(low, high, _mm512_permutex2var_epi8(plane[b][2 % parts], code, plane[b][3 % parts]));
  }
};

template <int parts>
struct PlaneFloats : Planes<4, parts> {
  // Four vectors of 16 numbers. Interleaving works within 128-bit lanes, so the codes are transposed (as a 4 x 4 matrix
  // of dwords) beforehand.
  INTERTWINE_VBMI void look_up(__m512i code, __m512i out[4]) const {
    code = _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), code);
    const __mmask64 high = _mm512_movepi8_mask(code);
    const __m512i b0 = this->find(0, code, high), b1 = this->find(1, code, high);
    const __m512i b2 = this->find(2, code, high), b3 = this->find(3, code, high);
    const __m512i low01 = _mm512_unpacklo_epi8(b0, b1), high01 = _mm512_unpackhi_epi8(b0, b1);
    const __m512i low23 = _mm512_unpacklo_epi8(b2, b3), high23 = _mm512_unpackhi_epi8(b2, b3);
    out[0] = _mm512_unpacklo_epi16(low01, low23);
    out[1] = _mm512_unpackhi_epi16(low01, low23);
    out[2] = _mm512_unpacklo_epi16(high01, high23);
    out[3] = _mm512_unpackhi_epi16(high01, high23);
  }
};

template <int parts>
INTERTWINE_VBMI void expand_planes(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows,
                                   std::size_t cols, const float* entries, float* out, std::size_t out_stride,
                                   bool stream) {
  PlaneFloats<parts> table;
  table.fill(entries);
  stream = stream && reinterpret_cast<std::uintptr_t>(out) % 64 == 0 && out_stride % 16 == 0;
  __m512i four[4];
  for (std::size_t i = 0; i < rows; ++i, codes += code_stride, out += out_stride) {
    std::size_t j = 0;
    for (; j + 64 <= cols; j += 64) {
      table.look_up(_mm512_loadu_si512(codes + j), four);
      for (int v = 0; v < 4; ++v) {
        if (stream)
          _mm512_stream_si512(reinterpret_cast<__m512i*>(out + j + 16 * v), four[v]);
        else
          _mm512_storeu_si512(out + j + 16 * v, four[v]);
      }
    }
    for (; j < cols; ++j) out[j] = entries[codes[j]];
  }
  if (stream) _mm_sfence();
}

template <int parts>
INTERTWINE_VBMI void expand16_planes(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows,
                                     std::size_t cols, const std::uint16_t* entries, std::uint16_t* out,
                                     std::size_t out_stride) {
  Planes<2, parts> table;
  table.fill(entries);
  const __m512i order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
  for (std::size_t i = 0; i < rows; ++i, codes += code_stride, out += out_stride) {
    std::size_t j = 0;
    for (; j + 64 <= cols; j += 64) {
      const __m512i code = _mm512_permutexvar_epi64(order, _mm512_loadu_si512(codes + j));
      const __mmask64 high = _mm512_movepi8_mask(code);
      const __m512i b0 = table.find(0, code, high), b1 = table.find(1, code, high);
      _mm512_storeu_si512(out + j, _mm512_unpacklo_epi8(b0, b1));
      _mm512_storeu_si512(out + j + 32, _mm512_unpackhi_epi8(b0, b1));
    }
    for (; j < cols; ++j) out[j] = entries[codes[j]];
  }
}

constexpr std::size_t worth_planes = 1024;  // entries that pay for filling the planes

template <bool vbmi>
void expand_floats(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
                   const float* table, unsigned entries, float* out, std::size_t out_stride, bool stream) {
  if constexpr (vbmi)
    if (entries > 2 * Floats::width && rows * cols >= worth_planes) {
      if (entries <= 64) return expand_planes<1>(codes, code_stride, rows, cols, table, out, out_stride, stream);
      if (entries <= 128) return expand_planes<2>(codes, code_stride, rows, cols, table, out, out_stride, stream);
      return expand_planes<4>(codes, code_stride, rows, cols, table, out, out_stride, stream);
    }
  expand_in_registers<Floats, 4>(codes, code_stride, rows, cols, table, entries, out, out_stride, stream);
}

template <bool vbmi>
void expand16(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
              const std::uint16_t* table, unsigned entries, std::uint16_t* out, std::size_t out_stride, bool) {
  if constexpr (vbmi)
    if (rows * cols >= worth_planes) {
      if (entries <= 32) {  // a smaller table has less room than a plane reads
        std::uint16_t plane[64] = {};
        for (unsigned e = 0; e < entries; ++e) plane[e] = table[e];
        return expand16_planes<1>(codes, code_stride, rows, cols, plane, out, out_stride);
      }
      if (entries <= 64) return expand16_planes<1>(codes, code_stride, rows, cols, table, out, out_stride);
      if (entries <= 128) return expand16_planes<2>(codes, code_stride, rows, cols, table, out, out_stride);
      return expand16_planes<4>(codes, code_stride, rows, cols, table, out, out_stride);
    }
  expand_plain(codes, code_stride, rows, cols, table, out, out_stride);
}

// Tables of more than 32 entries: 64 codes are two inputs of a panel.
template <int parts, int batch>
INTERTWINE_VBMI void lookup_planes_rows(const LookupCall<float>& call, std::size_t row, std::size_t p,
                                        const PlaneFloats<parts>* tables) {
  __m512 sum[batch][2];
  for (int b = 0; b < batch; ++b) sum[b][0] = sum[b][1] = _mm512_setzero_ps();
  const std::uint8_t* panel_codes = call.codes + p * call.cols * panel;
  for (std::size_t c = 0; c < call.channels; ++c) {
    PlaneFloats<parts> table;
    if (tables != nullptr)
      table = *tables;
    else
      table.fill(call.table + c * call.table_stride);
    const float* x = call.x + row * call.x_stride + c * call.cols;
    for (std::size_t j = 0; j < call.cols; j += 2) {
      const bool two = j + 1 < call.cols;
      const std::uint8_t* codes = panel_codes + j * panel;
      __m512i weights[4];
      table.look_up(two ? _mm512_loadu_si512(codes) : _mm512_maskz_loadu_epi8(0xffffffffU, codes), weights);
      for (int b = 0; b < batch; ++b) {
        const __m512 left = _mm512_set1_ps(x[b * call.x_stride + j]);
        for (int v = 0; v < 2; ++v) sum[b][v] = _mm512_fmadd_ps(left, _mm512_castsi512_ps(weights[v]), sum[b][v]);
        if (!two) continue;
        const __m512 right = _mm512_set1_ps(x[b * call.x_stride + j + 1]);
        for (int v = 0; v < 2; ++v) sum[b][v] = _mm512_fmadd_ps(right, _mm512_castsi512_ps(weights[2 + v]), sum[b][v]);
      }
    }
  }
  const std::size_t left = call.width - p * panel;
  for (int b = 0; b < batch; ++b) {
    float* y = call.y + (row + b) * call.y_stride + p * panel;
    for (std::size_t v = 0; v < 2; ++v)
      _mm512_mask_storeu_ps(
          y + 16 * v, left >= 16 * (v + 1) ? __mmask16{0xffff} : first(left > 16 * v ? left - 16 * v : 0), sum[b][v]);
  }
}

template <int parts>
INTERTWINE_VBMI void lookup_planes(const LookupCall<float>& call) {
  PlaneFloats<parts> table;
  if (call.channels == 1) table.fill(call.table);
  const PlaneFloats<parts>* tables = call.channels == 1 ? &table : nullptr;
  for (std::size_t p = 0; p < call.panels; ++p) {
    std::size_t row = 0;
    for (; row + 4 <= call.batch; row += 4) lookup_planes_rows<parts, 4>(call, row, p, tables);
    for (; row + 2 <= call.batch; row += 2) lookup_planes_rows<parts, 2>(call, row, p, tables);
    if (row < call.batch) lookup_planes_rows<parts, 1>(call, row, p, tables);
  }
}

template <bool vbmi>
void lookup_floats(const LookupCall<float>& call) {
  if constexpr (vbmi) {
    if (call.entries > 128) return lookup_planes<4>(call);
    if (call.entries > 64) return lookup_planes<2>(call);
    if (call.entries > 32) return lookup_planes<1>(call);
  }
  lookup_in_registers<Floats>(call);
}

// A table of doubles is not written past the cache: `stream` is for floats.
void expand_doubles(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
                    const double* table, unsigned entries, double* out, std::size_t out_stride, bool) {
  expand_in_registers<Doubles, 2>(codes, code_stride, rows, cols, table, entries, out, out_stride, false);
}

template <bool vbmi>
constinit const kernels::Kernels table_of = {
    {expand_floats<vbmi>, expand_wide_floats, bins<Floats, CodeLanes, float>, add_runs<Floats, float>,
     orbit_sums<Floats>, 12, multiply<Floats, 12, 2>, 3, 4, multiply_few<Floats, 3, 4>, 32, vbmi ? 256 : 0,
     lookup_floats<vbmi>, dft<Floats>, attention_kernels<Floats>, edge_kernels<Floats>, polynomial_kernels<Floats>},
    {expand_doubles, expand_wide<double>, bins<Doubles, CodeLanes, double>, add_runs<Doubles, double>,
     orbit_sums<Doubles>, 6, multiply<Doubles, 6, 4>, 2, 2, multiply_few<Doubles, 2, 2>, 16, 0,
     lookup_in_registers<Doubles>, dft<Doubles>, attention_kernels<Doubles>, edge_kernels<Doubles>,
     polynomial_kernels<Doubles>},
    expand16<vbmi>,
    bins<Floats, CodeLanes, std::uint16_t>,
    add_runs<Floats, std::uint16_t>};

}  // namespace

const kernels::Kernels& kernels::avx512(bool vbmi) { return vbmi ? table_of<true> : table_of<false>; }

}  // namespace intertwine
#endif
