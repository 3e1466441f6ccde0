// The loops of products along edges, written over a vector type as in kernels_body.hpp; kernels_<level>.cpp includes
// this. Every number is a chain of fused multiply-adds in an order that the table fixes; sums over channels run
// in edges_at_once lanes, channel c in lane c mod edges_at_once. So no level changes a bit.

using kernels::EdgeBlock;
using kernels::EdgeLists;
using kernels::edges_at_once;
using kernels::EdgeStep;
using kernels::EdgeTerm;

/// The operand that moves in a derivative: none, the other end of the edge, or the centre; y and w move in both.
enum class EdgeMove { none, other, center };

inline constexpr int widest_edge_tile = 9;  // components of the centre that are done together

/// The first `count` numbers at p, and zeros. Vectors of several numbers have load_first and store_first, which touch no
/// others.
template <class S, bool whole>
inline typename S::V load_some(const typename S::T* p, std::size_t count) {
  if constexpr (whole)
    return S::load(p);
  else
    return S::load_first(p, count);
}

template <class S, bool whole>
inline void store_some(typename S::T* p, std::size_t count, typename S::V v) {
  if constexpr (whole)
    S::store(p, v);
  else
    S::store_first(p, count, v);
}

/// An edge and a path: rows begin at the first component that the path has, numbers of matrices are edges_at_once
/// apart.
template <class T>
struct EdgeRows {
  const T *center, *center_along, *other, *other_along, *w, *w_along, *matrix, *matrix_along;
  T *sums, *d_w;
  std::size_t channels, center_dim, other_dim;
};

template <class S, EdgeMove move, int D, int vectors, bool whole>
inline void edge_tile(const EdgeRows<typename S::T>& r, std::size_t from, std::size_t c, std::size_t count) {
  using V = typename S::V;
  constexpr bool along = move != EdgeMove::none;
  const std::size_t C = r.channels, row = r.center_dim * edges_at_once;
  V q[D][vectors], q_along[along ? D : 1][vectors];
  for (int k = 0; k < D; ++k)
    for (int v = 0; v < vectors; ++v) {
      q[k][v] = S::zero();
      if constexpr (along) q_along[k][v] = S::zero();
    }
  const typename S::T *a = r.matrix + from * edges_at_once, *x = r.other + c;
  const typename S::T* a_along = along ? r.matrix_along + from * edges_at_once : nullptr;
  const typename S::T* x_along = move == EdgeMove::other ? r.other_along + c : nullptr;
  for (std::size_t o = 0; o < r.other_dim; ++o, a += row, x += C) {
    V left[vectors], left_along[vectors];
    for (int v = 0; v < vectors; ++v) left[v] = load_some<S, whole>(x + v * S::width, count);
    if constexpr (move == EdgeMove::other)
      for (int v = 0; v < vectors; ++v) left_along[v] = load_some<S, whole>(x_along + v * S::width, count);
    for (int k = 0; k < D; ++k) {
      const V right = S::broadcast(a[k * edges_at_once]);
      for (int v = 0; v < vectors; ++v) q[k][v] = S::fma(right, left[v], q[k][v]);
      if constexpr (along) {
        const V right_along = S::broadcast(a_along[k * edges_at_once]);
        for (int v = 0; v < vectors; ++v) {
          q_along[k][v] = S::fma(right_along, left[v], q_along[k][v]);
          if constexpr (move == EdgeMove::other) q_along[k][v] = S::fma(right, left_along[v], q_along[k][v]);
        }
      }
    }
    if constexpr (along) a_along += row;
    if constexpr (move == EdgeMove::other) x_along += C;
  }
  for (int v = 0; v < vectors; ++v) {
    const std::size_t at = c + v * S::width;
    if (r.sums != nullptr) {
      const V w = load_some<S, whole>(r.w + at, count);
      const V w_along = along ? load_some<S, whole>(r.w_along + at, count) : S::zero();
      for (int k = 0; k < D; ++k) {
        typename S::T* to = r.sums + (from + k) * C + at;
        V sum = load_some<S, whole>(to, count);
        if constexpr (along)
          sum = S::fma(w, q_along[k][v], S::fma(w_along, q[k][v], sum));
        else
          sum = S::fma(w, q[k][v], sum);
        store_some<S, whole>(to, count, sum);
      }
    }
    if constexpr (move != EdgeMove::other)
      if (r.d_w != nullptr) {
        V sum = from == 0 ? S::zero() : load_some<S, whole>(r.d_w + at, count);
        for (int k = 0; k < D; ++k) {
          const std::size_t place = (from + k) * C + at;
          if constexpr (along) {
            sum = S::fma(load_some<S, whole>(r.center + place, count), q_along[k][v], sum);
            sum = S::fma(load_some<S, whole>(r.center_along + place, count), q[k][v], sum);
          } else {
            sum = S::fma(load_some<S, whole>(r.center + place, count), q[k][v], sum);
          }
        }
        store_some<S, whole>(r.d_w + at, count, sum);
      }
  }
}

// Vectors are stored through types that may alias everything: what is read from a struct stays in registers only if the
// struct is a function's own.

template <class S, EdgeMove move, int D>
void edge_channels(const EdgeRows<typename S::T>& given, std::size_t from) {
  const EdgeRows<typename S::T> r = given;
  constexpr int sums = move == EdgeMove::none ? D : 2 * D, least = sizeof(typename S::V) == 64 ? 12 : 5;
  constexpr int vectors = S::width > 1 && sums <= least ? 2 : 1;
  std::size_t c = 0;
  for (; c + vectors * S::width <= r.channels; c += vectors * S::width)
    edge_tile<S, move, D, vectors, true>(r, from, c, S::width);
  if constexpr (vectors > 1)
    if (c + S::width <= r.channels) {
      edge_tile<S, move, D, 1, true>(r, from, c, S::width);
      c += S::width;
    }
  if (c < r.channels) edge_tile<S, move, D, 1, S::width == 1>(r, from, c, r.channels - c);
}

template <class S, EdgeMove move>
void edge_path(const EdgeRows<typename S::T>& r) {
  using Channels = void (*)(const EdgeRows<typename S::T>&, std::size_t);
  static constexpr Channels of[widest_edge_tile] = {
      edge_channels<S, move, 1>, edge_channels<S, move, 2>, edge_channels<S, move, 3>,
      edge_channels<S, move, 4>, edge_channels<S, move, 5>, edge_channels<S, move, 6>,
      edge_channels<S, move, 7>, edge_channels<S, move, 8>, edge_channels<S, move, 9>};
  for (std::size_t from = 0; from < r.center_dim; from += widest_edge_tile) {
    const std::size_t left = r.center_dim - from;
    of[(left < widest_edge_tile ? left : widest_edge_tile) - 1](r, from);
  }
}

/// A path whose matrix is a multiple of the identity.
template <class S, EdgeMove move, bool whole>
inline void edge_identity_tile(const EdgeRows<typename S::T>& r, std::size_t c, std::size_t count) {
  using V = typename S::V;
  constexpr bool along = move != EdgeMove::none;
  const V a = S::broadcast(*r.matrix), a_along = along ? S::broadcast(*r.matrix_along) : S::zero();
  V factor = S::zero(), factor_along = S::zero();
  if (r.sums != nullptr) {
    const V w = load_some<S, whole>(r.w + c, count);
    factor = S::multiply(w, a);
    if constexpr (along) factor_along = S::fma(load_some<S, whole>(r.w_along + c, count), a, S::multiply(w, a_along));
  }
  V dots = S::zero(), dots_along = S::zero();
  for (std::size_t k = 0; k < r.center_dim; ++k) {
    const std::size_t place = k * r.channels + c;
    const V x = load_some<S, whole>(r.other + place, count);
    if (r.sums != nullptr) {
      V sum = S::fma(along ? factor_along : factor, x, load_some<S, whole>(r.sums + place, count));
      if constexpr (move == EdgeMove::other)
        sum = S::fma(factor, load_some<S, whole>(r.other_along + place, count), sum);
      store_some<S, whole>(r.sums + place, count, sum);
    }
    if constexpr (move != EdgeMove::other)
      if (r.d_w != nullptr) {
        dots = S::fma(load_some<S, whole>(r.center + place, count), x, dots);
        if constexpr (along) dots_along = S::fma(load_some<S, whole>(r.center_along + place, count), x, dots_along);
      }
  }
  if constexpr (move != EdgeMove::other)
    if (r.d_w != nullptr) {
      const V sum = along ? S::fma(a_along, dots, S::multiply(a, dots_along)) : S::multiply(a, dots);
      store_some<S, whole>(r.d_w + c, count, sum);
    }
}

template <class S, EdgeMove move>
void edge_identity(const EdgeRows<typename S::T>& given) {
  const EdgeRows<typename S::T> r = given;
  std::size_t c = 0;
  for (; c + S::width <= r.channels; c += S::width) edge_identity_tile<S, move, true>(r, c, S::width);
  if (c < r.channels) edge_identity_tile<S, move, S::width == 1>(r, c, r.channels - c);
}

/// The gradients of the numbers (o, from), ..., (o + I - 1, from + D - 1) of a matrix, in edges_at_once lanes.
template <class S, bool along, int D, int I>
struct MatrixTile {
  using T = typename S::T;
  using V = typename S::V;
  V sum[I][D];

  template <bool whole>
  void add(const EdgeRows<T>& r, std::size_t from, std::size_t o, std::size_t c, std::size_t count) {
    const V w = load_some<S, whole>(r.w + c, count);
    const V w_along = along ? load_some<S, whole>(r.w_along + c, count) : S::zero();
    V left[D];
    for (int k = 0; k < D; ++k) {
      const std::size_t place = (from + k) * r.channels + c;
      const V x = load_some<S, whole>(r.center + place, count);
      left[k] = along ? S::fma(w_along, x, S::multiply(w, load_some<S, whole>(r.center_along + place, count)))
                      : S::multiply(w, x);
    }
    for (int i = 0; i < I; ++i) {
      const V right = load_some<S, whole>(r.other + (o + i) * r.channels + c, count);
      for (int k = 0; k < D; ++k) sum[i][k] = S::fma(left[k], right, sum[i][k]);
    }
  }

  static void run(const EdgeRows<T>& r, std::size_t from, std::size_t o, T* d_matrix) {
    for (std::size_t lane = 0; lane < edges_at_once; lane += S::width) {
      MatrixTile tile;
      for (int i = 0; i < I; ++i)
        for (int k = 0; k < D; ++k) tile.sum[i][k] = S::zero();
      std::size_t c = lane;
      for (; c + S::width <= r.channels; c += edges_at_once) tile.template add<true>(r, from, o, c, S::width);
      if (c < r.channels) tile.template add<S::width == 1>(r, from, o, c, r.channels - c);
      for (int i = 0; i < I; ++i)
        for (int k = 0; k < D; ++k)
          S::store(d_matrix + ((o + i) * r.center_dim + from + k) * edges_at_once + lane, tile.sum[i][k]);
    }
  }
};

template <class S, bool along, int D>
void matrix_gradients_columns(const EdgeRows<typename S::T>& given, std::size_t from, typename S::T* d_matrix) {
  const EdgeRows<typename S::T> r = given;
  constexpr int registers = sizeof(typename S::V) == 64 ? 28 : 14;
  constexpr int fit = (registers - D) / (D + 1), rows = fit < 1 ? 1 : fit > 3 ? 3 : fit;
  std::size_t o = 0;
  for (; o + rows <= r.other_dim; o += rows) MatrixTile<S, along, D, rows>::run(r, from, o, d_matrix);
  if constexpr (rows > 2)
    for (; o + 2 <= r.other_dim; o += 2) MatrixTile<S, along, D, 2>::run(r, from, o, d_matrix);
  if constexpr (rows > 1)
    for (; o < r.other_dim; ++o) MatrixTile<S, along, D, 1>::run(r, from, o, d_matrix);
}

template <class S, bool along>
void matrix_gradients(const EdgeRows<typename S::T>& r, typename S::T* d_matrix) {
  using Columns = void (*)(const EdgeRows<typename S::T>&, std::size_t, typename S::T*);
  static constexpr Columns of[widest_edge_tile] = {
      matrix_gradients_columns<S, along, 1>, matrix_gradients_columns<S, along, 2>,
      matrix_gradients_columns<S, along, 3>, matrix_gradients_columns<S, along, 4>,
      matrix_gradients_columns<S, along, 5>, matrix_gradients_columns<S, along, 6>,
      matrix_gradients_columns<S, along, 7>, matrix_gradients_columns<S, along, 8>,
      matrix_gradients_columns<S, along, 9>};
  for (std::size_t from = 0; from < r.center_dim; from += widest_edge_tile) {
    const std::size_t left = r.center_dim - from;
    of[(left < widest_edge_tile ? left : widest_edge_tile) - 1](r, from, d_matrix);
  }
}

/// The gradient of the one number of a multiple of the identity.
template <class S, bool along>
void identity_gradient(const EdgeRows<typename S::T>& given, typename S::T* d_matrix) {
  const EdgeRows<typename S::T> r = given;
  using Tile = MatrixTile<S, along, 1, 1>;
  for (std::size_t lane = 0; lane < edges_at_once; lane += S::width) {
    Tile tile;
    tile.sum[0][0] = S::zero();
    for (std::size_t k = 0; k < r.center_dim; ++k) {
      std::size_t c = lane;
      for (; c + S::width <= r.channels; c += edges_at_once) tile.template add<true>(r, k, k, c, S::width);
      if (c < r.channels) tile.template add<S::width == 1>(r, k, k, c, r.channels - c);
    }
    S::store(d_matrix + lane, tile.sum[0][0]);
  }
}

/// to[k] = the sum of the terms of list k, in edges_at_once lanes.
template <class S>
void edge_lists(const EdgeLists<typename S::T>& given, const typename S::T* from, typename S::T* to) {
  const EdgeLists<typename S::T> lists = given;
  for (std::size_t lane = 0; lane < edges_at_once; lane += S::width)
    for (std::size_t k = 0; k < lists.count; ++k) {
      typename S::V sum = S::zero();
      for (std::uint32_t t = lists.first[k]; t < lists.first[k + 1]; ++t)
        sum =
            S::fma(S::broadcast(lists.terms[t].value), S::load(from + lists.terms[t].from * edges_at_once + lane), sum);
      S::store(to + k * edges_at_once + lane, sum);
    }
}

/// The matrices of all edges of a block, edge l in lane l.
template <class S>
void edge_matrices(const EdgeBlock<typename S::T>& b, const typename S::T* y, typename S::T* columns,
                   typename S::T* matrices) {
  for (std::size_t j = 0; j < b.components; ++j)
    for (std::size_t l = 0; l < edges_at_once; ++l)
      columns[j * edges_at_once + l] = l < b.count ? y[b.edge[l] * b.components + j] : 0;
  edge_lists<S>(b.matrices, columns, matrices);
}

/// Brings a row into the cache: those of edges lie anywhere, and each is used once.
template <bool written, class T>
inline void ahead(const T* array, std::size_t at, std::size_t count) {
  if (array == nullptr) return;
  for (std::size_t c = 0; c < count; c += 64 / sizeof(T)) __builtin_prefetch(array + at + c, written);
}

template <class S, EdgeMove move>
void edges_block(const EdgeBlock<typename S::T>& b) {
  using T = typename S::T;
  constexpr bool along = move != EdgeMove::none;
  T* columns = b.scratch;
  T* matrices = columns + b.components * edges_at_once;
  T* matrices_along = matrices + b.matrices.count * edges_at_once;
  T* d_matrices = matrices_along + b.matrices.count * edges_at_once;
  if (b.y != nullptr) edge_matrices<S>(b, b.y, columns, matrices);
  if (along && b.y_along != nullptr) edge_matrices<S>(b, b.y_along, columns, matrices_along);
  const bool products = b.sums != nullptr || b.d_w != nullptr;
  for (std::size_t l = 0; l < b.count; ++l) {
    for (std::size_t p = 0; p < b.step_count; ++p) {
      const EdgeStep& s = b.steps[p];
      const std::size_t C = b.channels, weights = (b.edge[l] * b.paths + s.weight) * C;
      const std::size_t center = (b.center[l] * b.center_rows + s.center) * C,
                        other = (b.other[l] * b.other_rows + s.other) * C;
      const auto row = [](const T* array, std::size_t at) { return array == nullptr ? nullptr : array + at; };
      const EdgeRows<T> r = {row(b.at_center, center),
                             row(b.center_along, center),
                             row(b.at_other, other),
                             row(b.other_along, other),
                             row(b.w, weights),
                             row(b.w_along, weights),
                             matrices + s.matrix * edges_at_once + l,
                             matrices_along + s.matrix * edges_at_once + l,
                             b.sums == nullptr ? nullptr : b.sums + center,
                             b.d_w == nullptr ? nullptr : b.d_w + weights,
                             C,
                             s.center_dim,
                             s.other_dim};
      const std::size_t next = (b.edge[l + kernels::edges_ahead] * b.paths + s.weight) * C;
      ahead<false>(b.w, next, C);
      ahead<false>(b.w_along, next, C);
      ahead<true>(b.d_w, next, C);
      if (products) s.identity ? edge_identity<S, move>(r) : edge_path<S, move>(r);
      if constexpr (move != EdgeMove::other)
        if (b.d_y != nullptr) {
          T* to = d_matrices + s.matrix * edges_at_once;
          s.identity ? identity_gradient<S, along>(r, to) : matrix_gradients<S, along>(r, to);
        }
    }
    if constexpr (move != EdgeMove::other)
      if (b.d_y != nullptr) {
        edge_lists<S>(b.back, d_matrices, columns);
        for (std::size_t j = 0; j < b.components; ++j) {
          T* lanes = columns + j * edges_at_once;
          for (std::size_t half = edges_at_once / 2; half > 0; half /= 2)
            for (std::size_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
          b.d_y[b.edge[l] * b.components + j] = lanes[0];
        }
      }
  }
}

template <class S>
constexpr kernels::Edges<typename S::T> edge_kernels = {edges_block<S, EdgeMove::none>, edges_block<S, EdgeMove::other>,
                                                        edges_block<S, EdgeMove::center>};
