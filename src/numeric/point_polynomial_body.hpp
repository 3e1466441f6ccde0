// The loops of polynomials of points, written over a vector type as in kernels_body.hpp; kernels_<level>.cpp includes
// this. Vectors run over channels, and some points are done together, so that a coefficient is read once for them.
// Every number is a chain of fused multiply-adds in an order that the program and the points fix: no level changes a
// bit.

using kernels::PolynomialBlock;
using kernels::PolynomialLeaf;
using kernels::PolynomialStep;

/// Numbers with `moves` directions e_1, e_2, ... whose squares are 0. A whole one has a part for every set of
/// directions, in the order of bits. An argument has one for no direction and one for each.
template <class S, int moves>
struct Jets {
  using T = typename S::T;
  using V = typename S::V;
  static constexpr int parts = 1 << moves, top = parts - 1, given = 1 + moves;
  static constexpr int points = static_cast<int>(kernels::polynomial_lanes) / parts;

  /// sum += a b
  static void add_product(V* sum, const V* a, const V* b) {
    for (int s = 0; s < parts; ++s) {
      sum[s] = S::fma(a[s], b[0], sum[s]);
      for (int m = 0; m < moves; ++m)
        if ((s >> m & 1) != 0) sum[s] = S::fma(a[s ^ 1 << m], b[1 + m], sum[s]);
    }
  }
  /// sum += a b for two arguments
  static void add_product_of_given(V* sum, const V* a, const V* b) {
    sum[0] = S::fma(a[0], b[0], sum[0]);
    for (int m = 0; m < moves; ++m) {
      sum[1 << m] = S::fma(a[0], b[1 + m], sum[1 << m]);
      sum[1 << m] = S::fma(a[1 + m], b[0], sum[1 << m]);
      for (int k = 0; k < m; ++k) {
        V& both = sum[1 << m | 1 << k];
        both = S::fma(a[1 + m], b[1 + k], both);
        both = S::fma(a[1 + k], b[1 + m], both);
      }
    }
  }
  /// The last part of a b, of a whole number and an argument.
  static V last_of_product(const V* a, const V* b) {
    V sum = S::multiply(a[top], b[0]);
    for (int m = 0; m < moves; ++m) sum = S::fma(a[top ^ 1 << m], b[1 + m], sum);
    return sum;
  }
  /// sum + the last part of a b, of two whole numbers, or an argument b.
  static V add_last(V sum, const V* a, const V* b) {
    for (int s = 0; s < parts; ++s) sum = S::fma(a[top ^ s], b[s], sum);
    return sum;
  }
  static V add_last_of_given(V sum, const V* a, const V* b) {
    sum = S::fma(a[top], b[0], sum);
    for (int m = 0; m < moves; ++m) sum = S::fma(a[top ^ 1 << m], b[1 + m], sum);
    return sum;
  }
  static void add_given(V* sum, const V* a) {
    sum[0] = S::add(sum[0], a[0]);
    for (int m = 0; m < moves; ++m) sum[1 << m] = S::add(sum[1 << m], a[1 + m]);
  }
};

template <class S>
inline typename S::V load_row(const typename S::T* p, std::size_t count) {
  if constexpr (S::width == 1)
    return S::load(p);
  else
    return count == S::width ? S::load(p) : S::load_first(p, count);
}

template <class S>
inline void store_row(typename S::T* p, std::size_t count, typename S::V v) {
  if constexpr (S::width == 1)
    S::store(p, v);
  else if (count == S::width)
    S::store(p, v);
  else
    S::store_first(p, count, v);
}

/// [entry][given]: sums of weights and of their directions.
template <class S, int moves>
void polynomial_coefficients(const PolynomialBlock<typename S::T>& b, typename S::T* to) {
  const auto& lists = b.program.coefficients;
  for (std::size_t e = 0; e < lists.count; ++e)
    for (int m = 0; m <= moves; ++m, to += S::width) {
      typename S::V sum = S::zero();
      for (std::uint32_t k = lists.first[e]; k < lists.first[e + 1]; ++k) {
        const EdgeTerm<typename S::T>& term = lists.terms[k];
        sum = S::fma(S::broadcast(term.value), load_row<S>(b.w[m] + term.from * b.channels, b.width), sum);
      }
      S::store(to, sum);
    }
}

/// Rows of some points: number (row, one of several arrays, point) at ((row * arrays + array) * lanes + point). Points
/// that are none have zeros.
template <class S>
void read_points(const PolynomialBlock<typename S::T>& b, const typename S::T* array, std::size_t rows,
                 std::size_t first, std::size_t lanes, std::size_t stride, typename S::T* to) {
  for (std::size_t n = 0; n < lanes; ++n) {
    if (first + n >= b.count) {
      for (std::size_t k = 0; k < rows; ++k) S::store(to + (k * stride + n) * S::width, S::zero());
      continue;
    }
    const typename S::T* from = array + b.points[first + n] * rows * b.channels;
    for (std::size_t k = 0; k < rows; ++k)
      S::store(to + (k * stride + n) * S::width, load_row<S>(from + k * b.channels, b.width));
  }
}

template <class S>
void write_points(const PolynomialBlock<typename S::T>& b, const typename S::T* from, std::size_t row, std::size_t rows,
                  std::size_t first, std::size_t lanes, typename S::T* array) {
  for (std::size_t n = 0; n < lanes && first + n < b.count; ++n)
    store_row<S>(array + (b.points[first + n] * rows + row) * b.channels, b.width, S::load(from + n * S::width));
}

/// By the rule of Horner: a place of the tree is its own coefficient and the sum of children times their variables.
template <class S, int moves>
void polynomial_values(const PolynomialBlock<typename S::T>& given) {
  using T = typename S::T;
  using V = typename S::V;
  using J = Jets<S, moves>;
  constexpr std::size_t W = S::width, N = J::points, level_size = kernels::polynomial_lanes * W;
  const PolynomialBlock<T> b = given;
  T* coefficients = b.scratch;
  T* x = coefficients + b.program.coefficients.count * J::given * W;
  T* sums = x + b.in * J::given * N * W;
  polynomial_coefficients<S, moves>(b, coefficients);
  const auto argument = [&](std::uint32_t variable, std::size_t n, V* to) {
    for (int m = 0; m < J::given; ++m) to[m] = S::load(x + ((variable * J::given + m) * N + n) * W);
  };
  for (std::size_t first = 0; first < b.count; first += N) {
    for (int m = 0; m < J::given; ++m) read_points<S>(b, b.x[m], b.in, first, N, J::given * N, x + m * N * W);
    const T* c = coefficients;
    const PolynomialLeaf* leaf = b.program.leaves;
    const auto next_coefficient = [&](V* to) {
      for (int m = 0; m < J::given; ++m, c += W) to[m] = S::load(c);
    };
    for (const PolynomialStep *step = b.program.steps, *end = step + b.program.step_count; step != end; ++step) {
      T* level = sums + step->level * level_size;
      V t[N][J::parts], coefficient[J::given];
      for (std::size_t n = 0; n < N; ++n)
        for (int s = 0; s < J::parts; ++s) t[n][s] = step->inner ? S::load(level + (n * J::parts + s) * W) : S::zero();
      if (step->own != 0) {
        next_coefficient(coefficient);
        for (std::size_t n = 0; n < N; ++n) J::add_given(t[n], coefficient);
      }
      for (const PolynomialLeaf* last = leaf + step->leaves; leaf != last; ++leaf) {
        next_coefficient(coefficient);
        for (std::size_t n = 0; n < N; ++n) {
          V v[J::given];
          argument(leaf->variable, n, v);
          J::add_product_of_given(t[n], coefficient, v);
        }
      }
      if (step->level == 0) {
        for (std::size_t n = 0; n < N; ++n) S::store(level + n * W, t[n][J::top]);
        write_points<S>(b, level, step->variable, b.out, first, N, b.value);
        continue;
      }
      T* parent = level - level_size;
      for (std::size_t n = 0; n < N; ++n) {
        V v[J::given], sum[J::parts];
        argument(step->variable, n, v);
        for (int s = 0; s < J::parts; ++s) sum[s] = step->first ? S::zero() : S::load(parent + (n * J::parts + s) * W);
        J::add_product(sum, t[n], v);
        for (int s = 0; s < J::parts; ++s) S::store(parent + (n * J::parts + s) * W, sum[s]);
      }
    }
  }
}

/// One walk of the tree: monomials on the way down, and on the way up the derivative of the rest in each place. A
/// coefficient has the derivative g times its monomial.
template <class S, int moves, bool weights>
void polynomial_gradients(const PolynomialBlock<typename S::T>& given) {
  using T = typename S::T;
  using V = typename S::V;
  using J = Jets<S, moves>;
  constexpr std::size_t W = S::width, N = J::points, level_size = kernels::polynomial_lanes * W;
  const PolynomialBlock<T> b = given;
  const std::size_t entries = b.program.coefficients.count;
  T* coefficients = b.scratch;
  T* d_coefficients = coefficients + entries * J::given * W;
  T* x = d_coefficients + entries * W;
  T* d_x = x + b.in * J::given * N * W;
  T* g = d_x + b.in * N * W;
  T* monomials = g + b.out * N * W;
  T* rests = monomials + (b.program.levels + 1) * level_size;
  polynomial_coefficients<S, moves>(b, coefficients);
  if constexpr (weights)
    for (std::size_t e = 0; e < entries; ++e) S::store(d_coefficients + e * W, S::zero());
  for (std::size_t n = 0; n < N; ++n)
    for (int s = 0; s < J::parts; ++s)
      S::store(monomials + (n * J::parts + s) * W, s == 0 ? S::broadcast(1) : S::zero());
  const auto argument = [&](std::uint32_t variable, std::size_t n, V* to) {
    for (int m = 0; m < J::given; ++m) to[m] = S::load(x + ((variable * J::given + m) * N + n) * W);
  };
  const auto whole = [&](const T* level, std::size_t n, V* to) {
    for (int s = 0; s < J::parts; ++s) to[s] = S::load(level + (n * J::parts + s) * W);
  };
  for (std::size_t first = 0; first < b.count; first += N) {
    for (int m = 0; m < J::given; ++m) read_points<S>(b, b.x[m], b.in, first, N, J::given * N, x + m * N * W);
    read_points<S>(b, b.g, b.out, first, N, N, g);
    for (std::size_t k = 0; k < b.in * N; ++k) S::store(d_x + k * W, S::zero());
    const T* c = coefficients;
    T* d_c = d_coefficients;
    const std::uint32_t *output = b.program.outputs, *closed = b.program.closed;
    const PolynomialLeaf* leaf = b.program.leaves;
    // Entries of one monomial: its coefficient in the sum over outputs, and the derivatives of theirs.
    const auto gather = [&](std::uint32_t count, V(*sum)[J::given], const V* monomial) {
      for (std::size_t n = 0; n < N; ++n)
        for (int m = 0; m < J::given; ++m) sum[n][m] = S::zero();
      for (std::uint32_t k = 0; k < count; ++k, ++output, c += J::given * W, d_c += W) {
        const T* row = g + *output * N * W;
        V coefficient[J::given];
        for (int m = 0; m < J::given; ++m) coefficient[m] = S::load(c + m * W);
        V slope = weights ? S::load(d_c) : S::zero();
        for (std::size_t n = 0; n < N; ++n) {
          const V of_output = S::load(row + n * W);
          for (int m = 0; m < J::given; ++m) sum[n][m] = S::fma(coefficient[m], of_output, sum[n][m]);
          if constexpr (weights) slope = S::fma(of_output, monomial[n], slope);
        }
        if constexpr (weights) S::store(d_c, slope);
      }
    };
    for (const PolynomialStep *step = b.program.steps, *end = step + b.program.step_count; step != end; ++step) {
      T* level = monomials + step->level * level_size;
      T* rest = rests + step->level * level_size;
      V m[N][J::parts], d[N][J::parts], sum[N][J::given], last[N];
      for (std::size_t n = 0; n < N; ++n) {
        if (step->level == 0) {
          whole(level, n, m[n]);
        } else {
          V before[J::parts], v[J::given];
          whole(level - level_size, n, before);
          argument(step->variable, n, v);
          for (int s = 0; s < J::parts; ++s) m[n][s] = S::zero();
          J::add_product(m[n], before, v);
          for (int s = 0; s < J::parts; ++s) S::store(level + (n * J::parts + s) * W, m[n][s]);
        }
        for (int s = 0; s < J::parts; ++s) d[n][s] = S::zero();
        last[n] = m[n][J::top];
      }
      if (step->own != 0) {
        gather(step->own, sum, last);
        for (std::size_t n = 0; n < N; ++n) J::add_given(d[n], sum[n]);
      }
      for (const PolynomialLeaf* stop = leaf + step->leaves; leaf != stop; ++leaf) {
        if constexpr (weights)
          for (std::size_t n = 0; n < N; ++n) {
            V v[J::given];
            argument(leaf->variable, n, v);
            last[n] = J::last_of_product(m[n], v);
          }
        gather(leaf->entries, sum, last);
        T* to = d_x + leaf->variable * N * W;
        for (std::size_t n = 0; n < N; ++n) {
          V v[J::given];
          argument(leaf->variable, n, v);
          J::add_product_of_given(d[n], sum[n], v);
          S::store(to + n * W, J::add_last_of_given(S::load(to + n * W), m[n], sum[n]));
        }
      }
      for (std::size_t n = 0; n < N; ++n)
        for (int s = 0; s < J::parts; ++s) S::store(rest + (n * J::parts + s) * W, d[n][s]);
      for (std::uint32_t k = 0; k < step->closes; ++k, rest -= level_size, level -= level_size) {
        const std::uint32_t variable = *closed++;
        T* to = d_x + variable * N * W;
        for (std::size_t n = 0; n < N; ++n) {
          V whole_rest[J::parts], before[J::parts], sum_before[J::parts], v[J::given];
          whole(rest, n, whole_rest);
          whole(level - level_size, n, before);
          whole(rest - level_size, n, sum_before);
          argument(variable, n, v);
          S::store(to + n * W, J::add_last(S::load(to + n * W), before, whole_rest));
          J::add_product(sum_before, whole_rest, v);
          for (int s = 0; s < J::parts; ++s) S::store(rest - level_size + (n * J::parts + s) * W, sum_before[s]);
        }
      }
    }
    if (b.d_x != nullptr)
      for (std::size_t k = 0; k < b.in; ++k) write_points<S>(b, d_x + k * N * W, k, b.in, first, N, b.d_x);
  }
  if constexpr (weights) {
    const auto& lists = b.program.back;
    for (std::size_t k = 0; k < lists.count; ++k) {
      V sum = S::zero();
      for (std::uint32_t e = lists.first[k]; e < lists.first[k + 1]; ++e)
        sum = S::fma(S::broadcast(lists.terms[e].value), S::load(d_coefficients + lists.terms[e].from * W), sum);
      store_row<S>(b.d_w + k * b.width, b.width, sum);
    }
  }
}

template <class S, int moves>
void polynomial_gradients_wanted(const PolynomialBlock<typename S::T>& b) {
  b.d_w != nullptr ? polynomial_gradients<S, moves, true>(b) : polynomial_gradients<S, moves, false>(b);
}

template <class S>
constexpr kernels::Polynomials<typename S::T> polynomial_kernels = {
    S::width,
    {polynomial_values<S, 0>, polynomial_values<S, 1>, polynomial_values<S, 2>},
    {polynomial_gradients_wanted<S, 0>, polynomial_gradients_wanted<S, 1>, polynomial_gradients_wanted<S, 2>}};
