// The loops that every level shares, written over a vector type. Included only by kernels_<level>.cpp, inside an
// unnamed namespace, so that no two levels share a symbol.
//
// A vector type S for numbers T: V, width (numbers in V), zero, load, store, broadcast, add, fma(a, b, c) = a b + c
// rounded once. Vectors<T, width> has all of it but fma, which no compiler makes of a product and a sum. Attention
// needs also multiply, where_above(a, b, x, y) = a > b ? x : y, and times_power_of_two(v, n), n an integer that 1.5
// 2^(bits of T) was added to.

using kernels::DftStage;
using kernels::LookupCall;
using kernels::panel;
using kernels::Run;

inline float bf16_number(std::uint16_t bits) {
  const std::uint32_t wide = std::uint32_t{bits} << 16;
  float out;
  __builtin_memcpy(&out, &wide, 4);
  return out;
}

/// One number: where vectors leave some over, and on processors without vectors.
template <class Number>
struct Single {
  using T = Number;
  using V = Number;
  static constexpr int width = 1;
  static V zero() { return 0; }
  static V load(const T* p) { return *p; }
  static void store(T* p, V v) { *p = v; }
  static V broadcast(T x) { return x; }
  static V add(V a, V b) { return a + b; }
  static V subtract(V a, V b) { return a - b; }
  static V fma(V a, V b, V c) {
    if constexpr (sizeof(T) == 4)
      return __builtin_fmaf(a, b, c);
    else
      return __builtin_fma(a, b, c);
  }
};

template <class Number, int numbers>
struct Vectors {
  using T = Number;
  static constexpr int width = numbers;
  typedef T V __attribute__((vector_size(numbers * sizeof(T))));
  static V zero() { return V{}; }
  typedef T Anywhere __attribute__((vector_size(numbers * sizeof(T)), aligned(sizeof(T)), may_alias));
  static V load(const T* p) { return *reinterpret_cast<const Anywhere*>(p); }
  static void store(T* p, V v) { *reinterpret_cast<Anywhere*>(p) = v; }
  static V broadcast(T x) { return x - V{}; }  // -0 - 0 is -0
  static V add(V a, V b) { return a + b; }
  static V subtract(V a, V b) { return a - b; }
  static V multiply(V a, V b) { return a * b; }
  static V where_above(V a, V b, V x, V y) { return a > b ? x : y; }
  typedef decltype(V{} > V{}) Bits;
  static V times_power_of_two(V v, V n) {
    return reinterpret_cast<V>(reinterpret_cast<Bits>(v) + (reinterpret_cast<Bits>(n) << (sizeof(T) == 4 ? 23 : 52)));
  }
  static V load_data(const T* p) { return load(p); }
  static T number(T x) { return x; }
  static T number(std::uint16_t x) { return bf16_number(x); }
};

template <class T>
inline void expand_plain(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
                         const T* table, T* out, std::size_t out_stride) {
  for (std::size_t i = 0; i < rows; ++i, codes += code_stride, out += out_stride) {
    std::size_t j = 0;
    for (; j + 8 <= cols; j += 8) {
      std::uint64_t eight;
      __builtin_memcpy(&eight, codes + j, 8);
      for (int k = 0; k < 8; ++k) out[j + k] = table[(eight >> (8 * k)) & 0xff];
    }
    for (; j < cols; ++j) out[j] = table[codes[j]];
  }
}

template <class T>
void expand_wide(const std::uint16_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
                 const T* table, T* out, std::size_t out_stride) {
  for (std::size_t i = 0; i < rows; ++i, codes += code_stride, out += out_stride)
    for (std::size_t j = 0; j < cols; ++j) out[j] = table[codes[j]];
}

// Eight loads and one store: hardware gathers are slower, and stores of single numbers too.
inline void expand_wide_floats(const std::uint16_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
                               const float* table, float* out, std::size_t out_stride) {
  using Eight = Vectors<float, 8>;
  for (std::size_t i = 0; i < rows; ++i, codes += code_stride, out += out_stride) {
    std::size_t j = 0;
    for (; j + 8 <= cols; j += 8) {
      std::uint64_t a, b;
      __builtin_memcpy(&a, codes + j, 8);
      __builtin_memcpy(&b, codes + j + 4, 8);
      const Eight::V eight = {table[a & 0xffff], table[(a >> 16) & 0xffff], table[(a >> 32) & 0xffff], table[a >> 48],
                              table[b & 0xffff], table[(b >> 16) & 0xffff], table[(b >> 32) & 0xffff], table[b >> 48]};
      __builtin_memcpy(out + j, &eight, sizeof eight);  // at the baseline it is no argument of a function
    }
    for (; j < cols; ++j) out[j] = table[codes[j]];
  }
}

template <class T>
void expand(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols, const T* table,
            unsigned, T* out, std::size_t out_stride, bool) {
  expand_plain(codes, code_stride, rows, cols, table, out, out_stride);
}

// Through S::Table<tables>, which holds the table in registers. Vectors of AVX-512 store a part of themselves.
template <class S, int tables>
void expand_table(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
                  const typename S::T* entries, typename S::T* out, std::size_t out_stride, bool stream) {
  const typename S::template Table<tables> table(entries);
  stream = stream && reinterpret_cast<std::uintptr_t>(out) % sizeof(typename S::V) == 0 && out_stride % S::width == 0;
  for (std::size_t i = 0; i < rows; ++i, codes += code_stride, out += out_stride) {
    std::size_t j = 0;
    if (stream)
      for (; j + S::width <= cols; j += S::width) S::stream(out + j, table.look_up(codes + j));
    for (; j + S::width <= cols; j += S::width) S::store(out + j, table.look_up(codes + j));
    if constexpr (S::stores_parts) {
      if (j < cols) S::store_first(out + j, cols - j, table.look_up_first(codes + j, cols - j));
    } else {
      for (; j < cols; ++j) out[j] = entries[codes[j]];
    }
  }
  if (stream) S::end_of_stream();
}

// In up to `most` registers, by the length of the table.
template <class S, int most>
void expand_in_registers(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
                         const typename S::T* table, unsigned entries, typename S::T* out, std::size_t out_stride,
                         bool stream) {
  if (entries <= S::width) return expand_table<S, 1>(codes, code_stride, rows, cols, table, out, out_stride, stream);
  if (entries <= 2 * S::width)
    return expand_table<S, 2>(codes, code_stride, rows, cols, table, out, out_stride, stream);
  if constexpr (most >= 4)
    if (entries <= 4 * S::width)
      return expand_table<S, 4>(codes, code_stride, rows, cols, table, out, out_stride, stream);
  expand_plain(codes, code_stride, rows, cols, table, out, out_stride);
}

// rows x (vectors * width) numbers of C in registers.
template <class S, int rows, int vectors>
inline void multiply_tile(std::size_t depth, const typename S::T* a, const typename S::T* b, typename S::T* c,
                          std::size_t c_stride, bool accumulate) {
  typename S::V sum[rows][vectors];
  for (int i = 0; i < rows; ++i)
    for (int v = 0; v < vectors; ++v) sum[i][v] = accumulate ? S::load(c + i * c_stride + v * S::width) : S::zero();
  for (std::size_t k = 0; k < depth; ++k, a += rows, b += panel) {
    typename S::V right[vectors];
    for (int v = 0; v < vectors; ++v) right[v] = S::load(b + v * S::width);
    for (int i = 0; i < rows; ++i) {
      const typename S::V left = S::broadcast(a[i]);
      for (int v = 0; v < vectors; ++v) sum[i][v] = S::fma(left, right[v], sum[i][v]);
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int v = 0; v < vectors; ++v) S::store(c + i * c_stride + v * S::width, sum[i][v]);
}

template <class S, int rows, int vectors>
inline void multiply_rows(std::size_t depth, const typename S::T* a, const typename S::T* b, typename S::T* c,
                          std::size_t c_stride, bool accumulate) {
  for (std::size_t j = 0; j < panel; j += vectors * S::width)
    multiply_tile<S, rows, vectors>(depth, a, b + j, c + j, c_stride, accumulate);
}

template <class S, int rows, int vectors>
inline void multiply_some(unsigned wanted, std::size_t depth, const typename S::T* a, const typename S::T* b,
                          typename S::T* c, std::size_t c_stride, bool accumulate) {
  if (wanted == rows) return multiply_rows<S, rows, vectors>(depth, a, b, c, c_stride, accumulate);
  if constexpr (rows > 1) multiply_some<S, rows - 1, vectors>(wanted, depth, a, b, c, c_stride, accumulate);
}

template <class S, int height, int vectors>
void multiply(std::size_t depth, const typename S::T* a, const typename S::T* b, typename S::T* c, std::size_t c_stride,
              unsigned rows, unsigned cols, bool accumulate) {
  if (cols == panel) return multiply_some<S, height, vectors>(rows, depth, a, b, c, c_stride, accumulate);
  alignas(64) typename S::T tile[height * panel] = {};
  if (accumulate)
    for (unsigned i = 0; i < rows; ++i)
      for (unsigned j = 0; j < cols; ++j) tile[i * panel + j] = c[i * c_stride + j];
  multiply_some<S, height, vectors>(rows, depth, a, b, tile, panel, accumulate);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < cols; ++j) c[i * c_stride + j] = tile[i * panel + j];
}

template <class S, int rows, int panels>
inline void multiply_few_tile(std::size_t depth, const typename S::T* a, const typename S::T* b, std::size_t b_stride,
                              typename S::T* const* c, std::size_t c_stride, bool accumulate) {
  constexpr int vectors = panel / S::width;
  typename S::V sum[rows][panels][vectors];
  for (int i = 0; i < rows; ++i)
    for (int p = 0; p < panels; ++p)
      for (int v = 0; v < vectors; ++v)
        sum[i][p][v] = accumulate ? S::load(c[p] + i * c_stride + v * S::width) : S::zero();
  for (std::size_t k = 0; k < depth; ++k, a += rows, b += panel)
    for (int p = 0; p < panels; ++p)
      for (int v = 0; v < vectors; ++v) {
        const typename S::V right = S::load(b + p * b_stride + v * S::width);
        for (int i = 0; i < rows; ++i) sum[i][p][v] = S::fma(S::broadcast(a[i]), right, sum[i][p][v]);
      }
  for (int i = 0; i < rows; ++i)
    for (int p = 0; p < panels; ++p)
      for (int v = 0; v < vectors; ++v) S::store(c[p] + i * c_stride + v * S::width, sum[i][p][v]);
}

template <class S, int most, int panels>
void multiply_few(unsigned rows, std::size_t depth, const typename S::T* a, const typename S::T* b,
                  std::size_t b_stride, typename S::T* const* c, std::size_t c_stride, bool accumulate) {
  if (rows == most) return multiply_few_tile<S, most, panels>(depth, a, b, b_stride, c, c_stride, accumulate);
  if constexpr (most > 1) multiply_few<S, most - 1, panels>(rows, depth, a, b, b_stride, c, c_stride, accumulate);
}

// S::load_data turns stored numbers (perhaps bfloat16) into numbers.
template <class S, class Data>
void add_runs(const Run* runs, std::size_t count, const Data* row, typename S::T* slots) {
  for (const Run* run = runs; run != runs + count; ++run) {
    const Data* from = row + run->from;
    typename S::T* to = slots + run->to;
    std::size_t k = 0;
    for (; k + S::width <= run->length; k += S::width)
      S::store(to + k, S::add(S::load(to + k), S::load_data(from + k)));
    for (; k < run->length; ++k) to[k] += S::number(from[k]);
  }
}

template <class S, int vectors, bool minus>
inline void orbit_sums_block(const std::uint32_t* places, std::size_t count, const typename S::T* x, std::size_t stride,
                             const typename S::T* start, typename S::T* out) {
  typename S::V sum[vectors];
  for (int v = 0; v < vectors; ++v) sum[v] = start == nullptr ? S::zero() : S::load(start + v * S::width);
  for (std::size_t p = 0; p < count; ++p) {
    const typename S::T* from = x + places[p] * stride;
    for (int v = 0; v < vectors; ++v)
      sum[v] = minus ? S::subtract(sum[v], S::load(from + v * S::width)) : S::add(sum[v], S::load(from + v * S::width));
  }
  for (int v = 0; v < vectors; ++v) S::store(out + v * S::width, sum[v]);
}

template <class S, bool minus>
inline void orbit_sums_signed(const std::uint32_t* places, std::size_t count, const typename S::T* x,
                              std::size_t stride, std::size_t width, const typename S::T* start, typename S::T* out) {
  constexpr int vectors = 8;
  const auto from = [&](std::size_t c) { return start == nullptr ? nullptr : start + c; };
  std::size_t c = 0;
  for (; c + vectors * S::width <= width; c += vectors * S::width)
    orbit_sums_block<S, vectors, minus>(places, count, x + c, stride, from(c), out + c);
  for (; c + S::width <= width; c += S::width)
    orbit_sums_block<S, 1, minus>(places, count, x + c, stride, from(c), out + c);
  for (; c < width; ++c) {
    typename S::T sum = start == nullptr ? typename S::T{0} : start[c];
    for (std::size_t p = 0; p < count; ++p)
      sum = minus ? sum - x[places[p] * stride + c] : sum + x[places[p] * stride + c];
    out[c] = sum;
  }
}

template <class S>
void orbit_sums(const std::uint32_t* places, std::size_t count, const typename S::T* x, std::size_t stride,
                std::size_t width, const typename S::T* start, bool minus, typename S::T* out) {
  if (minus) return orbit_sums_signed<S, true>(places, count, x, stride, width, start, out);
  orbit_sums_signed<S, false>(places, count, x, stride, width, start, out);
}

// Sixteen codes at once, as C has them; whether something holds for each of them is a C::Mask, and S::part(mask, h) the part of
// it for vector h of the numbers beside them, for S::negate_where and S::add_where.
template <class S, class C, class Data, int params, int vectors, bool signs>
inline void bins_block(const std::uint8_t* codes, const Data* data, typename S::V (&sum)[params][vectors]) {
  constexpr int parts = 16 / S::width;
  for (int v = 0; v < vectors; v += parts) {
    typename C::Codes code = C::codes(codes + v * S::width);
    typename S::V value[parts];
    for (int h = 0; h < parts; ++h) value[h] = S::load_data(data + (v + h) * S::width);
    if constexpr (signs) {
      const typename C::Mask negative = C::above(code, params);
      for (int h = 0; h < parts; ++h) value[h] = S::negate_where(S::part(negative, h), value[h]);
      code = C::subtract(code, negative, params);
    }
    for (int k = 0; k < params; ++k) {
      const typename C::Mask mask = C::equal(code, k + 1);
      for (int h = 0; h < parts; ++h) sum[k][v + h] = S::add_where(sum[k][v + h], S::part(mask, h), value[h]);
    }
  }
}

template <class S, class C, class Data, int params, bool signs>
void bins_fixed(const std::uint8_t* codes, std::size_t code_stride, const Data* data, std::size_t stride,
                std::size_t rows, std::size_t cols, typename S::T* sums) {
  constexpr std::size_t lanes = params <= 4 ? 32 : 16;
  constexpr int vectors = lanes / S::width;
  typename S::V sum[params][vectors];
  for (int k = 0; k < params; ++k)
    for (int v = 0; v < vectors; ++v) sum[k][v] = S::zero();
  for (std::size_t i = 0; i < rows; ++i, codes += code_stride, data += stride) {
    std::size_t j = 0;
    for (; j + lanes <= cols; j += lanes) bins_block<S, C, Data, params, vectors, signs>(codes + j, data + j, sum);
    if (j == cols) continue;
    alignas(64) std::uint8_t last_codes[lanes] = {};
    alignas(64) Data last_data[lanes] = {};
    for (std::size_t k = 0; j + k < cols; ++k) {
      last_codes[k] = codes[j + k];
      last_data[k] = data[j + k];
    }
    bins_block<S, C, Data, params, vectors, signs>(last_codes, last_data, sum);
  }
  for (int k = 0; k < params; ++k) {
    alignas(64) typename S::T lane[lanes];
    for (int v = 0; v < vectors; ++v) S::store(lane + v * S::width, sum[k][v]);
    typename S::T total = 0;
    for (std::size_t l = 0; l < lanes; ++l) total += lane[l];
    sums[k] = total;
  }
}

template <class S, class C, class Data, int params = kernels::max_bins>
void bins(const std::uint8_t* codes, std::size_t code_stride, const Data* data, std::size_t stride, std::size_t rows,
          std::size_t cols, unsigned wanted, bool signs, typename S::T* sums) {
  if (wanted == params) {
    if (signs) return bins_fixed<S, C, Data, params, true>(codes, code_stride, data, stride, rows, cols, sums);
    return bins_fixed<S, C, Data, params, false>(codes, code_stride, data, stride, rows, cols, sums);
  }
  if constexpr (params > 1)
    bins<S, C, Data, params - 1>(codes, code_stride, data, stride, rows, cols, wanted, signs, sums);
}

// S::Table<tables> holds a look-up table in registers; S::look_up reads `width` codes.
template <class S, int tables, int batch, int panels>
inline void lookup_tile(const LookupCall<typename S::T>& call, const std::uint8_t* codes, std::size_t first_row,
                        std::size_t first_column) {
  using T = typename S::T;
  constexpr int vectors = panel / S::width;
  typename S::V sum[batch][panels][vectors];
  for (int b = 0; b < batch; ++b)
    for (int p = 0; p < panels; ++p)
      for (int v = 0; v < vectors; ++v) sum[b][p][v] = S::zero();
  const std::size_t panel_codes = call.cols * panel;
  for (std::size_t c = 0; c < call.channels; ++c) {
    typename S::template Table<tables> table(call.table + c * call.table_stride);
    const T* x = call.x + first_row * call.x_stride + c * call.cols;
    const std::uint8_t* code = codes;
    for (std::size_t j = 0; j < call.cols; ++j, code += panel) {
      typename S::V factor[batch];
      for (int b = 0; b < batch; ++b) factor[b] = S::broadcast(x[b * call.x_stride + j]);
      for (int p = 0; p < panels; ++p)
        for (int v = 0; v < vectors; ++v) {
          const typename S::V weight = table.look_up(code + p * panel_codes + v * S::width);
          for (int b = 0; b < batch; ++b) sum[b][p][v] = S::fma(factor[b], weight, sum[b][p][v]);
        }
    }
  }
  for (int b = 0; b < batch; ++b)
    for (int p = 0; p < panels; ++p) {
      T* y = call.y + (first_row + b) * call.y_stride + first_column + p * panel;
      const std::size_t left = call.width - first_column - p * panel;
      if (left >= panel) {
        for (int v = 0; v < vectors; ++v) S::store(y + v * S::width, sum[b][p][v]);
        continue;
      }
      alignas(64) T last[panel];
      for (int v = 0; v < vectors; ++v) S::store(last + v * S::width, sum[b][p][v]);
      for (std::size_t k = 0; k < left; ++k) y[k] = last[k];
    }
}

// All rows in tiles of `batch` rows and `panels` panels; what is left over in smaller tiles.
template <class S, int tables, int batch, int panels>
inline void lookup_panels(const LookupCall<typename S::T>& call, std::size_t row, std::size_t& at) {
  for (; at + panels <= call.panels; at += panels)
    lookup_tile<S, tables, batch, panels>(call, call.codes + at * call.cols * panel, row, at * panel);
  if constexpr (panels > 1) lookup_panels<S, tables, batch, panels / 2>(call, row, at);
}

template <class S, int tables, int batch>
inline void lookup_rows(const LookupCall<typename S::T>& call, std::size_t& row) {
  constexpr int at_once = S::accumulators / (batch * (panel / S::width));
  for (; row + batch <= call.batch; row += batch) {
    std::size_t at = 0;
    lookup_panels<S, tables, batch, (at_once >= 4 ? 4 : at_once >= 2 ? 2 : 1)>(call, row, at);
  }
  if constexpr (batch > 1) lookup_rows<S, tables, batch / 2>(call, row);
}

template <class S, int tables>
inline void lookup_with(const LookupCall<typename S::T>& call) {
  std::size_t row = 0;
  lookup_rows<S, tables, S::lookup_batch>(call, row);
}

// Tables of at most two registers.
template <class S>
void lookup_in_registers(const LookupCall<typename S::T>& call) {
  if (call.entries <= S::width) return lookup_with<S, 1>(call);
  lookup_with<S, 2>(call);
}

template <class S>
struct Complex {
  typename S::V re, im;
};

template <class S>
inline Complex<S> plus(Complex<S> a, Complex<S> b) {
  return {S::add(a.re, b.re), S::add(a.im, b.im)};
}
template <class S>
inline Complex<S> minus(Complex<S> a, Complex<S> b) {
  return {S::subtract(a.re, b.re), S::subtract(a.im, b.im)};
}
template <class S>
inline Complex<S> times(Complex<S> a, typename S::V re, typename S::V im, typename S::V minus_im) {
  return {S::fma(a.re, re, S::fma(a.im, minus_im, S::zero())), S::fma(a.re, im, S::fma(a.im, re, S::zero()))};
}

/// The butterfly q of long vectors.
template <class S>
struct DftPlace {
  const DftStage<typename S::T>& stage;
  std::size_t q;
  Complex<S> load(std::size_t k, std::size_t l) const {
    const std::size_t at = (q + k * stage.count) * stage.length + l;
    return {S::load(stage.re + at), S::load(stage.im + at)};
  }
  void store(std::size_t j, std::size_t l, Complex<S> value) const {
    const typename S::T* twiddle = stage.twiddles + 2 * (stage.radix * q + j);
    const std::size_t at = (q * stage.radix + j) * stage.length + l;
    const Complex<S> turned =
        times<S>(value, S::broadcast(twiddle[0]), S::broadcast(twiddle[1]), S::broadcast(-twiddle[1]));
    S::store(stage.out_re + at, turned.re);
    S::store(stage.out_im + at, turned.im);
  }
};

/// All butterflies of short vectors, the outputs j of all of them next to each other.
template <class S>
struct ShortDftPlace {
  const DftStage<typename S::T>& stage;
  std::size_t step;  ///< from input to input
  Complex<S> load(std::size_t k, std::size_t l) const {
    return {S::load(stage.re + k * step + l), S::load(stage.im + k * step + l)};
  }
  void store(std::size_t j, std::size_t l, Complex<S> value) const {
    const typename S::T* twiddle = stage.twiddles + 2 * j * step + l;
    const typename S::V sine = S::load(twiddle + step);
    const Complex<S> turned = times<S>(value, S::load(twiddle), sine, S::subtract(S::zero(), sine));
    S::store(stage.out_re + j * step + l, turned.re);
    S::store(stage.out_im + j * step + l, turned.im);
  }
};

/// The numbers from `first` to `last` of the vectors of a place.
template <class S, class Place>
inline void butterflies(const Place& place, std::size_t first, std::size_t last) {
  const std::size_t radix = place.stage.radix;
  if (radix == 2) {
    for (std::size_t l = first; l < last; l += S::width) {
      const Complex<S> a = place.load(0, l), b = place.load(1, l);
      place.store(0, l, plus<S>(a, b));
      place.store(1, l, minus<S>(a, b));
    }
    return;
  }
  if (radix == 4) {
    for (std::size_t l = first; l < last; l += S::width) {
      const Complex<S> a = place.load(0, l), b = place.load(1, l), c = place.load(2, l), d = place.load(3, l);
      const Complex<S> even = plus<S>(a, c), odd = plus<S>(b, d), left = minus<S>(a, c), right = minus<S>(b, d);
      const Complex<S> turned{right.im, S::subtract(S::zero(), right.re)};  // times -i
      place.store(0, l, plus<S>(even, odd));
      place.store(1, l, plus<S>(left, turned));
      place.store(2, l, minus<S>(even, odd));
      place.store(3, l, minus<S>(left, turned));
    }
    return;
  }
  const typename S::T* roots = place.stage.roots;
  for (std::size_t j = 0; j < radix; ++j)
    for (std::size_t l = first; l < last; l += S::width) {
      Complex<S> sum = place.load(0, l);
      for (std::size_t k = 1, at = j; k < radix; ++k, at = at + j >= radix ? at + j - radix : at + j) {
        const Complex<S> value = place.load(k, l);
        const typename S::V re = S::broadcast(roots[2 * at]), im = S::broadcast(roots[2 * at + 1]);
        sum.re = S::fma(S::broadcast(-roots[2 * at + 1]), value.im, S::fma(re, value.re, sum.re));
        sum.im = S::fma(im, value.re, S::fma(re, value.im, sum.im));
      }
      place.store(j, l, sum);
    }
}

/// to [count][radix][length] of from [radix][count][length].
template <class T>
inline void put_in_order(std::size_t radix, std::size_t count, std::size_t length, const T* from, T* to) {
  const auto in_order = [&](std::size_t r, std::size_t n) {
    for (std::size_t q = 0; q < count; ++q)
      for (std::size_t j = 0; j < r; ++j)
        for (std::size_t l = 0; l < n; ++l) to[(q * r + j) * n + l] = from[(j * count + q) * n + l];
  };
  if (radix == 4 && length == 1)
    in_order(4, 1);
  else if (radix == 4 && length == 4)
    in_order(4, 4);
  else
    in_order(radix, length);
}

template <class S>
void dft(const DftStage<typename S::T>& stage) {
  using T = typename S::T;
  if (!kernels::is_short(stage.length)) {
    for (std::size_t q = 0; q < stage.count; ++q) butterflies<S>(DftPlace<S>{stage, q}, 0, stage.length);
    return;
  }
  const std::size_t step = stage.count * stage.length, vectors = step / S::width * S::width;
  butterflies<S>(ShortDftPlace<S>{stage, step}, 0, vectors);
  butterflies<Single<T>>(ShortDftPlace<Single<T>>{stage, step}, vectors, step);
  put_in_order(stage.radix, stage.count, stage.length, stage.out_re, stage.re);
  put_in_order(stage.radix, stage.count, stage.length, stage.out_im, stage.im);
}
