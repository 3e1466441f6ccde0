// Products along the edges of a graph, with weights given for every edge: the messages of networks on points in space.
//
//   L(x, y, w, g) = sum over edges e, paths p, channels c of
//                   w[e, p, c] C^p_ijk x[source e, i, c] y[e, j] g[target e, k, c]
//
// A path p takes a range of components i, j, k, and C^p are the numbers of a bilinear map there. L is linear in each of
// its four operands: the product is its gradient in g, and all derivatives of every order are sums of such gradients.
// Arrays are x [nodes, in, channels], y [edges, edge], w [edges, paths, channels], g and the product
// [nodes, out, channels]; channels stand last, so that vectors run over them.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

namespace intertwine {

/// A graph with its edges in two orders, by target and by source. Arrays belong to the caller.
struct EdgeGraph {
  std::uint64_t nodes = 0;
  std::span<const std::int64_t> source, target;  ///< [edges]
  /// [nodes + 1] and [edges]: the edges with target n are by_target[target_first[n]] to
  /// by_target[target_first[n + 1] - 1], in increasing order
  std::span<const std::int64_t> target_first, by_target;
  std::span<const std::int64_t> source_first, by_source;
};

/// The place of a path among the components of its operands.
struct EdgePath {
  std::uint64_t in = 0, in_dim = 0;      ///< components of x
  std::uint64_t edge = 0, edge_dim = 0;  ///< components of y
  std::uint64_t out = 0, out_dim = 0;    ///< components of the product
};

/// One number C^path_ijk; i, j, k count from 0 within the ranges of the path.
struct EdgeCoupling {
  std::uint64_t path = 0, i = 0, j = 0, k = 0;
  double value = 0;
};

/// How many components operands have.
struct EdgeSizes {
  std::uint64_t in = 0, edge = 0, out = 0;
};

/// x, y and w, or directions in which they move.
template <class T>
struct EdgeOperands {
  std::span<const T> x, y, w;
};

/// Gradients in x, y and w; an empty span is left out. Every number of the others is written.
template <class T>
struct EdgeGradients {
  std::span<T> x, y, w;
};

/// The table of a product. T is float or double; threads and instruction sets change no bit of any result.
class EdgeProduct {
 public:
  /// \throws DomainError if a path leaves the components, or a coupling its path; if two couplings have one place.
  EdgeProduct(const EdgeSizes& sizes, std::span<const EdgePath> paths, std::span<const EdgeCoupling> couplings);

  const EdgeSizes& sizes() const;
  std::uint64_t paths() const;

  /// The product: [nodes, out, channels]. A node that is no target has 0. Cost: for every edge the numbers of
  /// couplings, and channels times in_dim out_dim for every path.
  /// \throws DomainError if a span has another length than its shape, or the graph a number out of range
  template <class T>
  void apply(const EdgeGraph& graph, std::uint64_t channels, const EdgeOperands<T>& at, std::span<T> out,
             unsigned threads = 1) const;

  /// The gradients of L in x, y and w. Twice to three times the cost.
  /// \throws DomainError as apply()
  template <class T>
  void gradients(const EdgeGraph& graph, std::uint64_t channels, const EdgeOperands<T>& at, std::span<const T> g,
                 const EdgeGradients<T>& gradients, unsigned threads = 1) const;

  /// The derivative of apply() along a direction of x, y and w.
  /// \throws DomainError as apply()
  template <class T>
  void apply_along(const EdgeGraph& graph, std::uint64_t channels, const EdgeOperands<T>& at,
                   const EdgeOperands<T>& direction, std::span<T> out, unsigned threads = 1) const;

  /// The derivative of gradients() along a direction of x, y and w; g stays.
  /// \throws DomainError as apply()
  template <class T>
  void gradients_along(const EdgeGraph& graph, std::uint64_t channels, const EdgeOperands<T>& at, std::span<const T> g,
                       const EdgeOperands<T>& direction, const EdgeGradients<T>& gradients, unsigned threads = 1) const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

}  // namespace intertwine
