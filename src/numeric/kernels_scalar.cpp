// Every processor: the reference. Fused multiply-adds are exact here too, by a function call where the processor
// has no such instruction.
#include "numeric/kernels.hpp"

namespace intertwine {
namespace {

#include "numeric/kernels_body.hpp"

inline float bf16_number(std::uint16_t bits) {
  const std::uint32_t wide = std::uint32_t{bits} << 16;
  float out;
  __builtin_memcpy(&out, &wide, 4);
  return out;
}

template <class Number>
struct One {
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
  static V load_data(const T* p) { return *p; }
  static T number(T x) { return x; }
  static V load_data(const std::uint16_t* p) { return bf16_number(*p); }
  static T number(std::uint16_t x) { return bf16_number(x); }
};

template <class Number>
struct Lanes {
  using T = Number;
  struct Sums {
    T at[16];
  };
  struct Codes {
    std::uint8_t at[16];
  };
  using Mask = Codes;
  static Sums zero() { return {}; }
  static Codes codes(const std::uint8_t* p) {
    Codes out;
    __builtin_memcpy(out.at, p, 16);
    return out;
  }
  template <class Data>
  static Sums data(const Data* p) {
    Sums out;
    for (int l = 0; l < 16; ++l) out.at[l] = One<T>::number(p[l]);
    return out;
  }
  static Mask above(const Codes& code, int bound) {
    Mask out;
    for (int l = 0; l < 16; ++l) out.at[l] = code.at[l] > bound;
    return out;
  }
  static Mask equal(const Codes& code, int value) {
    Mask out;
    for (int l = 0; l < 16; ++l) out.at[l] = code.at[l] == value;
    return out;
  }
  static Codes subtract(Codes code, const Mask& mask, int amount) {
    for (int l = 0; l < 16; ++l)
      code.at[l] = static_cast<std::uint8_t>(code.at[l] - (mask.at[l] ? amount : 0));
    return code;
  }
  static Sums negate(Sums value, const Mask& mask) {
    for (int l = 0; l < 16; ++l) value.at[l] = mask.at[l] ? -value.at[l] : value.at[l];
    return value;
  }
  static Sums add_where(Sums sum, const Mask& mask, const Sums& value) {
    for (int l = 0; l < 16; ++l) sum.at[l] = mask.at[l] ? sum.at[l] + value.at[l] : sum.at[l];
    return sum;
  }
  static void store(T* p, const Sums& sum) { __builtin_memcpy(p, sum.at, sizeof sum.at); }
};

template <class T>
void expand(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
            const T* table, unsigned, T* out, std::size_t out_stride, bool) {
  expand_plain(codes, code_stride, rows, cols, table, out, out_stride);
}

}  // namespace

const kernels::Kernels& kernels::scalar() {
  static constinit const Kernels table = {
      {expand<float>, expand_wide<float>, bins<Lanes<float>, float>, add_runs<One<float>, float>,
       orbit_sums<One<float>>, 4, multiply<One<float>, 4, 4>, 0, 0, nullptr, 0, 0, nullptr, dft<One<float>>},
      {expand<double>, expand_wide<double>, bins<Lanes<double>, double>, add_runs<One<double>, double>,
       orbit_sums<One<double>>, 4, multiply<One<double>, 4, 4>, 0, 0, nullptr, 0, 0, nullptr,
       dft<One<double>>},
      expand<std::uint16_t>,
      bins<Lanes<float>, std::uint16_t>,
      add_runs<One<float>, std::uint16_t>};
  return table;
}

}  // namespace intertwine
