// Every processor: the reference. Fused multiply-adds are exact here too, by a function call where the processor
// has no such instruction.
#include "numeric/kernels.hpp"

#include <type_traits>

namespace intertwine {
namespace {

#include "numeric/attention_body.hpp"
#include "numeric/edge_product_body.hpp"
#include "numeric/kernels_body.hpp"
#include "numeric/point_polynomial_body.hpp"

struct CodeLanes {
  struct Codes {
    std::uint8_t at[16];
  };
  using Mask = Codes;
  static Codes codes(const std::uint8_t* p) {
    Codes out;
    __builtin_memcpy(out.at, p, 16);
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
    for (int l = 0; l < 16; ++l) code.at[l] = static_cast<std::uint8_t>(code.at[l] - (mask.at[l] ? amount : 0));
    return code;
  }
};

template <class Number>
struct One : Single<Number> {
  using T = Number;
  using V = Number;
  static V multiply(V a, V b) { return a * b; }
  static V where_above(V a, V b, V x, V y) { return a > b ? x : y; }
  static V times_power_of_two(V v, V n) {
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits, turns;
    __builtin_memcpy(&bits, &v, sizeof v);
    __builtin_memcpy(&turns, &n, sizeof n);
    bits += turns << (sizeof(T) == 4 ? 23 : 52);
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
  }
  static V load_data(const T* p) { return *p; }
  static T number(T x) { return x; }
  static V load_data(const std::uint16_t* p) { return bf16_number(*p); }
  static T number(std::uint16_t x) { return bf16_number(x); }
  static bool part(const CodeLanes::Mask& mask, int lane) { return mask.at[lane] != 0; }
  static V negate_where(bool mask, V value) { return mask ? -value : value; }
  static V add_where(V sum, bool mask, V value) { return mask ? sum + value : sum; }
};

}  // namespace

const kernels::Kernels& kernels::scalar() {
  static constinit const Kernels table = {
      {expand<float>, expand_wide_floats, bins<One<float>, CodeLanes, float>, add_runs<One<float>, float>,
       orbit_sums<One<float>>, 4, multiply<One<float>, 4, 4>, 0, 0, nullptr, 0, 0, nullptr, dft<One<float>>,
       attention_kernels<One<float>>, edge_kernels<One<float>>, polynomial_kernels<One<float>>},
      {expand<double>, expand_wide<double>, bins<One<double>, CodeLanes, double>, add_runs<One<double>, double>,
       orbit_sums<One<double>>, 4, multiply<One<double>, 4, 4>, 0, 0, nullptr, 0, 0, nullptr, dft<One<double>>,
       attention_kernels<One<double>>, edge_kernels<One<double>>, polynomial_kernels<One<double>>},
      expand<std::uint16_t>,
      bins<One<float>, CodeLanes, std::uint16_t>,
      add_runs<One<float>, std::uint16_t>};
  return table;
}

}  // namespace intertwine
