// The loops of attention, written over a vector type as in kernels_body.hpp, after which kernels_<level>.cpp includes this. Every sum is a chain
// of fused multiply-adds in the order of its terms, so that no level changes a bit.

using kernels::RowProducts;

template <class S, int rows, int vectors, bool shared>
inline void row_products_tile(const RowProducts<typename S::T>& p, std::size_t i, std::size_t j) {
  const typename S::T* a = p.a + i * p.a_row;
  const typename S::T* b = p.b + (shared ? 0 : i * p.b_row) + j;
  typename S::T* c = p.c + i * p.c_row + j;
  typename S::V sum[rows][vectors], right[vectors];
  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < vectors; ++v) sum[r][v] = p.accumulate ? S::load(c + r * p.c_row + v * S::width) : S::zero();
  for (std::size_t k = 0; k < p.depth; ++k, a += p.a_depth, b += p.b_depth)
    for (int r = 0; r < rows; ++r) {
      const typename S::V left = S::broadcast(a[r * p.a_row]);
      for (int v = 0; v < vectors; ++v) {
        if (!shared || r == 0) right[v] = S::load(b + (shared ? 0 : r * p.b_row) + v * S::width);
        sum[r][v] = S::fma(left, right[v], sum[r][v]);
      }
    }
  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < vectors; ++v) S::store(c + r * p.c_row + v * S::width, sum[r][v]);
}

template <class S, int vectors, bool shared>
inline void row_products_columns(const RowProducts<typename S::T>& p, std::size_t j) {
  std::size_t i = 0;
  for (; i + 4 <= p.rows; i += 4) row_products_tile<S, 4, vectors, shared>(p, i, j);
  for (; i < p.rows; ++i) row_products_tile<S, 1, vectors, shared>(p, i, j);
}

template <class S, bool shared>
inline void row_products_all(const RowProducts<typename S::T>& p) {
  std::size_t j = 0;
  for (; j + 2 * S::width <= p.cols; j += 2 * S::width) row_products_columns<S, 2, shared>(p, j);
  for (; j < p.cols; j += S::width) row_products_columns<S, 1, shared>(p, j);
}

template <class S>
void row_products(const RowProducts<typename S::T>& p) {
  if (p.b_row == 0)
    row_products_all<S, true>(p);
  else
    row_products_all<S, false>(p);
}

template <class T>
struct Exponential;
// x = n log 2 + r, and a Taylor polynomial of r, which is less than 0.35. `magic` added to a number rounds it to an integer in its low bits.
template <>
struct Exponential<float> {
  static constexpr int terms = 7;
  static constexpr float magic = 0x1.8p23F, per_log2 = 0x1.715476p+0F, high = 0x1.62e430p-1F, low = -0x1.05c610p-29F,
                         least = -87.0F;
};
template <>
struct Exponential<double> {
  static constexpr int terms = 13;
  static constexpr double magic = 0x1.8p52, per_log2 = 0x1.71547652b82fep+0, high = 0x1.62e42fefa39efp-1,
                          low = 0x1.abc9e3b39803fp-56, least = -708.0;
};

template <class T>
constexpr T inverse_factorial(int n) {
  T product = 1;
  for (int k = 2; k <= n; ++k) product *= static_cast<T>(k);
  return 1 / product;
}

/// 0 below what normal numbers can hold; what is no number stays none.
template <class S>
void exponentials(std::size_t count, typename S::T* x, typename S::T shift) {
  using T = typename S::T;
  using E = Exponential<T>;
  for (std::size_t k = 0; k < count; k += S::width) {
    const typename S::V least = S::broadcast(E::least), wanted = S::subtract(S::load(x + k), S::broadcast(shift));
    const typename S::V value = S::where_above(least, wanted, least, wanted);
    const typename S::V turns = S::fma(value, S::broadcast(E::per_log2), S::broadcast(E::magic));
    const typename S::V n = S::subtract(turns, S::broadcast(E::magic));
    const typename S::V r = S::fma(n, S::broadcast(-E::low), S::fma(n, S::broadcast(-E::high), value));
    typename S::V sum = S::zero();
    for (int t = E::terms; t >= 0; --t) sum = S::fma(sum, r, S::broadcast(inverse_factorial<T>(t)));
    S::store(x + k, S::where_above(least, wanted, S::zero(), S::times_power_of_two(sum, turns)));
  }
}

template <class S>
typename S::T largest(std::size_t count, const typename S::T* x) {
  typename S::V found = S::broadcast(x[0]);
  std::size_t k = 0;
  for (; k + S::width <= count; k += S::width) {
    const typename S::V value = S::load(x + k);
    found = S::where_above(value, found, value, found);
  }
  typename S::T lanes[S::width];
  S::store(lanes, found);
  typename S::T most = lanes[0];
  for (int l = 1; l < S::width; ++l) most = lanes[l] > most ? lanes[l] : most;
  for (; k < count; ++k) most = x[k] > most ? x[k] : most;
  return most;
}

/// x[k] = weight[k] (x[k] - mean): the gradient of a score.
template <class S>
void weigh(std::size_t count, const typename S::T* weight, typename S::T mean, typename S::T* x) {
  for (std::size_t k = 0; k < count; k += S::width)
    S::store(x + k, S::multiply(S::load(weight + k), S::subtract(S::load(x + k), S::broadcast(mean))));
}

template <class S>
constexpr kernels::Attention<typename S::T> attention_kernels = {row_products<S>, exponentials<S>, largest<S>,
                                                                 weigh<S>};
