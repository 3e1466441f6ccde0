// Products along edges. Every operation is one walk over the edges, node by node, at whose nodes sums are made: at the
// targets for the product, at the sources for the gradients. Both walks run one table, in two orientations.
#include "intertwine/numeric/edge_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "intertwine/error.hpp"
#include "numeric/kernels.hpp"
#include "numeric/parallel.hpp"
#include "numeric/tables.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace intertwine {

using namespace numeric_detail;

namespace {

constexpr std::uint64_t most_components = std::uint64_t{1} << 24;
constexpr std::uint64_t edges_of_a_share = 256;

template <class T>
struct TermLists {
  std::vector<std::uint32_t> first{0};
  std::vector<kernels::EdgeTerm<T>> terms;

  void close() { first.push_back(static_cast<std::uint32_t>(terms.size())); }
  kernels::EdgeLists<T> view() const { return {first.size() - 1, first.data(), terms.data()}; }
};

/// A table as one walk sees it.
struct Orientation {
  std::vector<kernels::EdgeStep> steps;
  std::uint64_t matrices = 0;  ///< numbers of the matrices of an edge
  std::uint64_t center_rows = 0, other_rows = 0;
  TermLists<float> matrices_f32, back_f32;
  TermLists<double> matrices_f64, back_f64;

  template <class T>
  const TermLists<T>& matrices_of() const {
    if constexpr (sizeof(T) == 4)
      return matrices_f32;
    else
      return matrices_f64;
  }
  template <class T>
  const TermLists<T>& back_of() const {
    if constexpr (sizeof(T) == 4)
      return back_f32;
    else
      return back_f64;
  }
};

/// C^p_ijk = value if i = k, and j is always the same, for every i: one number in place of a matrix.
bool is_identity(const EdgePath& path, std::span<const EdgeCoupling> couplings) {
  if (path.in_dim != path.out_dim || couplings.size() != path.in_dim) return false;
  return std::all_of(couplings.begin(), couplings.end(), [&](const EdgeCoupling& c) {
    return c.i == c.k && c.j == couplings.front().j && c.value == couplings.front().value;
  });
}

/// The couplings come sorted by path; `of_path` are their ranges.
Orientation orient(const EdgeSizes& sizes, std::span<const EdgePath> paths,
                   const std::vector<std::vector<EdgeCoupling>>& of_path, bool at_target) {
  Orientation o;
  o.center_rows = at_target ? sizes.out : sizes.in;
  o.other_rows = at_target ? sizes.in : sizes.out;
  std::vector<std::vector<std::pair<std::uint64_t, double>>> to_matrices, to_components(sizes.edge);
  for (std::uint64_t p = 0; p < paths.size(); ++p) {
    const EdgePath& path = paths[p];
    if (of_path[p].empty()) continue;
    const bool identity = is_identity(path, of_path[p]);
    const std::uint64_t center_dim = at_target ? path.out_dim : path.in_dim,
                        other_dim = at_target ? path.in_dim : path.out_dim;
    const auto narrow = [](std::uint64_t n) { return static_cast<std::uint32_t>(n); };
    o.steps.push_back({narrow(at_target ? path.out : path.in), narrow(center_dim),
                       narrow(at_target ? path.in : path.out), narrow(other_dim), narrow(p), narrow(o.matrices),
                       identity});
    to_matrices.resize(o.matrices + (identity ? 1 : center_dim * other_dim));
    for (const EdgeCoupling& c : of_path[p]) {
      const std::uint64_t center = at_target ? c.k : c.i, other = at_target ? c.i : c.k;
      const std::uint64_t place = o.matrices + (identity ? 0 : other * center_dim + center);
      if (identity && c.i > 0) continue;
      to_matrices[place].emplace_back(path.edge + c.j, c.value);
      to_components[path.edge + c.j].emplace_back(place, c.value);
    }
    o.matrices = to_matrices.size();
  }
  const auto fill = [](auto& lists, const auto& from) {
    for (const auto& list : from) {
      for (const auto& [at, value] : list)
        lists.terms.push_back(
            {static_cast<std::uint32_t>(at), static_cast<decltype(lists.terms.front().value)>(value)});
      lists.close();
    }
  };
  fill(o.matrices_f32, to_matrices);
  fill(o.matrices_f64, to_matrices);
  fill(o.back_f32, to_components);
  fill(o.back_f64, to_components);
  return o;
}

void require_range(std::uint64_t from, std::uint64_t count, std::uint64_t bound, std::uint64_t path, const char* what) {
  if (from > bound || count > bound - from)
    throw DomainError(fmt::format("path {} takes the components {} to {} of {}, which has {}", path, from, from + count,
                                  what, bound));
}

void require_numbers(std::uint64_t length, std::uint64_t wanted, const char* name) {
  if (length != wanted)
    throw DomainError(fmt::format("edge product: {} has {} numbers, and its shape has {}", name, length, wanted));
}

void require_indices(std::span<const std::int64_t> numbers, std::uint64_t bound, const char* name) {
  for (const std::int64_t x : numbers)
    if (x < 0 || static_cast<std::uint64_t>(x) >= bound)
      throw DomainError(
          fmt::format("edge product: {} has the number {}, and they go from 0 to {} - 1", name, x, bound));
}

/// One order of the edges: that at `ends`.
void require_order(const EdgeGraph& graph, std::span<const std::int64_t> first, std::span<const std::int64_t> order,
                   std::span<const std::int64_t> ends, const char* name) {
  require_numbers(first.size(), graph.nodes + 1, name);
  require_numbers(order.size(), ends.size(), name);
  if (first.front() != 0 || first.back() != static_cast<std::int64_t>(order.size()) ||
      !std::is_sorted(first.begin(), first.end()))
    throw DomainError(fmt::format("edge product: {} does not increase from 0 to the number of edges", name));
  require_indices(order, ends.size(), name);
  for (std::uint64_t n = 0; n < graph.nodes; ++n)
    for (std::int64_t k = first[n]; k < first[n + 1]; ++k)
      if (ends[order[k]] != static_cast<std::int64_t>(n) || (k > first[n] && order[k] <= order[k - 1]))
        throw DomainError(fmt::format("edge product: {} does not list the edges of node {} in order", name, n));
}

/// Results of many megabytes come on fresh pages, whose first touch takes longer than the product: large pages are asked
/// for, which changes nothing else.
template <class T>
void prefer_large_pages([[maybe_unused]] std::span<T> results) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21, least = 2 * page;
  if (results.size_bytes() < least) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(results.data()), end = begin + results.size_bytes();
  const std::uintptr_t first = (begin + page - 1) / page * page, last = end / page * page;
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // advice: an error does no harm
#endif
}

struct Walk {
  const Orientation& table;
  std::span<const std::int64_t> first, order, centers, others;
};

/// The arrays that a walk reads and writes; empty spans are left out.
template <class T>
struct WalkArrays {
  std::span<const T> center, other, y, w, center_along, other_along, y_along, w_along;
  std::span<T> sums, d_y, d_w;
};

template <class T>
T* data_or_null(std::span<T> s) {
  return s.empty() ? nullptr : s.data();
}

template <class T>
void run_walk(const Walk& walk, const EdgeGraph& graph, const EdgeSizes& sizes, std::uint64_t paths,
              std::uint64_t channels, const WalkArrays<T>& a, void (*kernel)(const kernels::EdgeBlock<T>&),
              unsigned threads) {
  const Orientation& table = walk.table;
  prefer_large_pages(a.sums);
  prefer_large_pages(a.d_w);
  // Paths without couplings have gradients, too: zeros.
  if (table.steps.size() < paths) std::fill(a.d_w.begin(), a.d_w.end(), T{});
  std::vector<std::uint64_t> shares{0};  // of nodes
  for (std::uint64_t n = 1, from = 0; n <= graph.nodes; ++n)
    if (n == graph.nodes || walk.first[n] - walk.first[from] >= static_cast<std::int64_t>(edges_of_a_share)) {
      shares.push_back(n);
      from = n;
    }
  kernels::EdgeBlock<T> block = {};
  block.channels = channels;
  block.paths = paths;
  block.step_count = table.steps.size();
  block.components = sizes.edge;
  block.steps = table.steps.data();
  block.matrices = table.matrices_of<T>().view();
  block.back = table.back_of<T>().view();
  block.center_rows = table.center_rows;
  block.other_rows = table.other_rows;
  block.at_center = data_or_null(a.center);
  block.at_other = data_or_null(a.other);
  block.y = data_or_null(a.y);
  block.w = data_or_null(a.w);
  block.center_along = data_or_null(a.center_along);
  block.other_along = data_or_null(a.other_along);
  block.y_along = data_or_null(a.y_along);
  block.w_along = data_or_null(a.w_along);
  block.sums = data_or_null(a.sums);
  block.d_y = data_or_null(a.d_y);
  block.d_w = data_or_null(a.d_w);
  parallel_for(threads, shares.size() - 1, [&](std::uint64_t share) {
    const std::uint64_t begin = shares[share], end = shares[share + 1], row = table.center_rows * channels;
    if (!a.sums.empty()) std::fill_n(a.sums.data() + begin * row, (end - begin) * row, T{});
    Buffer<T> scratch(std::max<std::size_t>(1, kernels::edge_scratch(sizes.edge, table.matrices)));
    std::uint64_t edge[kernels::edges_at_once + kernels::edges_ahead], center[kernels::edges_at_once],
        other[kernels::edges_at_once];
    kernels::EdgeBlock<T> mine = block;
    mine.edge = edge;
    mine.center = center;
    mine.other = other;
    mine.scratch = scratch.data();
    const auto last = static_cast<std::uint64_t>(walk.first[end]);
    for (auto k = static_cast<std::uint64_t>(walk.first[begin]); k < last; k += mine.count) {
      mine.count = std::min<std::uint64_t>(kernels::edges_at_once, last - k);
      for (std::uint64_t l = 0; l < mine.count; ++l) {
        edge[l] = static_cast<std::uint64_t>(walk.order[k + l]);
        center[l] = static_cast<std::uint64_t>(walk.centers[edge[l]]);
        other[l] = static_cast<std::uint64_t>(walk.others[edge[l]]);
      }
      for (std::uint64_t l = mine.count; l < mine.count + kernels::edges_ahead; ++l)
        edge[l] = static_cast<std::uint64_t>(walk.order[std::min(k + l, last - 1)]);
      kernel(mine);
    }
  });
}

}  // namespace

struct EdgeProduct::Data {
  EdgeSizes sizes;
  std::uint64_t paths = 0;
  Orientation at_target, at_source;

  Walk by_target(const EdgeGraph& g) const { return {at_target, g.target_first, g.by_target, g.target, g.source}; }
  Walk by_source(const EdgeGraph& g) const { return {at_source, g.source_first, g.by_source, g.source, g.target}; }

  std::uint64_t nodes_of(const EdgeGraph& g, std::uint64_t channels, std::uint64_t rows) const {
    return checked_product({g.nodes, rows, channels}, "numbers of an edge product");
  }
  template <class T>
  void check(const EdgeGraph& g, std::uint64_t channels, const EdgeOperands<T>& at) const {
    const std::uint64_t edges = g.source.size();
    require_numbers(at.x.size(), nodes_of(g, channels, sizes.in), "x");
    require_numbers(at.y.size(), checked_product({edges, sizes.edge}, "numbers of y"), "y");
    require_numbers(at.w.size(), checked_product({edges, paths, channels}, "numbers of w"), "w");
  }
  void check(const EdgeGraph& g) const {
    require_numbers(g.target.size(), g.source.size(), "target");
    require_indices(g.source, g.nodes, "source");
    require_indices(g.target, g.nodes, "target");
    require_order(g, g.target_first, g.by_target, g.target, "by_target");
    require_order(g, g.source_first, g.by_source, g.source, "by_source");
  }
  template <class T>
  static void check(const EdgeOperands<T>& at, const EdgeGradients<T>& gradients) {
    if (!gradients.x.empty()) require_numbers(gradients.x.size(), at.x.size(), "the gradient of x");
    if (!gradients.y.empty()) require_numbers(gradients.y.size(), at.y.size(), "the gradient of y");
    if (!gradients.w.empty()) require_numbers(gradients.w.size(), at.w.size(), "the gradient of w");
  }
};

EdgeProduct::EdgeProduct(const EdgeSizes& sizes, std::span<const EdgePath> paths,
                         std::span<const EdgeCoupling> couplings) {
  if (std::max({sizes.in, sizes.edge, sizes.out, paths.size(), couplings.size()}) > most_components)
    throw DomainError(fmt::format("an edge product has at most {} components, paths and couplings", most_components));
  std::uint64_t numbers = 0;
  for (std::uint64_t p = 0; p < paths.size(); ++p) {
    require_range(paths[p].in, paths[p].in_dim, sizes.in, p, "x");
    require_range(paths[p].edge, paths[p].edge_dim, sizes.edge, p, "y");
    require_range(paths[p].out, paths[p].out_dim, sizes.out, p, "the product");
    numbers += checked_product({paths[p].in_dim, paths[p].out_dim}, "numbers of a path");
    if (numbers > most_components)
      throw DomainError(fmt::format("the matrices of an edge have more than {} numbers", most_components));
  }
  std::vector<std::vector<EdgeCoupling>> of_path(paths.size());
  for (const EdgeCoupling& c : couplings) {
    if (c.path >= paths.size() || c.i >= paths[c.path].in_dim || c.j >= paths[c.path].edge_dim ||
        c.k >= paths[c.path].out_dim)
      throw DomainError(fmt::format("the coupling ({}, {}, {}) lies outside of path {}", c.i, c.j, c.k, c.path));
    of_path[c.path].push_back(c);
  }
  const auto place = [](const EdgeCoupling& c) { return std::tuple(c.i, c.k, c.j); };
  for (auto& list : of_path) {
    std::sort(list.begin(), list.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    const auto twice = std::adjacent_find(list.begin(), list.end(),
                                          [&](const auto& a, const auto& b) { return place(a) == place(b); });
    if (twice != list.end())
      throw DomainError(fmt::format("the coupling ({}, {}, {}) of path {} is given twice", twice->i, twice->j, twice->k,
                                    twice->path));
  }
  auto data = std::make_shared<Data>();
  data->sizes = sizes;
  data->paths = paths.size();
  data->at_target = orient(sizes, paths, of_path, true);
  data->at_source = orient(sizes, paths, of_path, false);
  data_ = std::move(data);
}

const EdgeSizes& EdgeProduct::sizes() const { return data_->sizes; }
std::uint64_t EdgeProduct::paths() const { return data_->paths; }

template <class T>
void EdgeProduct::apply(const EdgeGraph& graph, std::uint64_t channels, const EdgeOperands<T>& at, std::span<T> out,
                        unsigned threads) const {
  const Data& d = *data_;
  d.check(graph);
  d.check(graph, channels, at);
  require_numbers(out.size(), d.nodes_of(graph, channels, d.sizes.out), "the product");
  WalkArrays<T> arrays;
  arrays.other = at.x;
  arrays.y = at.y;
  arrays.w = at.w;
  arrays.sums = out;
  run_walk(d.by_target(graph), graph, d.sizes, d.paths, channels, arrays, kernels::arithmetic<T>().edges.plain,
           threads);
}

template <class T>
void EdgeProduct::apply_along(const EdgeGraph& graph, std::uint64_t channels, const EdgeOperands<T>& at,
                              const EdgeOperands<T>& direction, std::span<T> out, unsigned threads) const {
  const Data& d = *data_;
  d.check(graph);
  d.check(graph, channels, at);
  d.check(graph, channels, direction);
  require_numbers(out.size(), d.nodes_of(graph, channels, d.sizes.out), "the product");
  WalkArrays<T> arrays;
  arrays.other = at.x;
  arrays.y = at.y;
  arrays.w = at.w;
  arrays.other_along = direction.x;
  arrays.y_along = direction.y;
  arrays.w_along = direction.w;
  arrays.sums = out;
  run_walk(d.by_target(graph), graph, d.sizes, d.paths, channels, arrays, kernels::arithmetic<T>().edges.along_other,
           threads);
}

template <class T>
void EdgeProduct::gradients(const EdgeGraph& graph, std::uint64_t channels, const EdgeOperands<T>& at,
                            std::span<const T> g, const EdgeGradients<T>& gradients, unsigned threads) const {
  const Data& d = *data_;
  d.check(graph);
  d.check(graph, channels, at);
  Data::check(at, gradients);
  require_numbers(g.size(), d.nodes_of(graph, channels, d.sizes.out), "g");
  WalkArrays<T> arrays;
  arrays.center = at.x;
  arrays.other = g;
  arrays.y = at.y;
  arrays.w = at.w;
  arrays.sums = gradients.x;
  arrays.d_y = gradients.y;
  arrays.d_w = gradients.w;
  run_walk(d.by_source(graph), graph, d.sizes, d.paths, channels, arrays, kernels::arithmetic<T>().edges.plain,
           threads);
}

template <class T>
void EdgeProduct::gradients_along(const EdgeGraph& graph, std::uint64_t channels, const EdgeOperands<T>& at,
                                  std::span<const T> g, const EdgeOperands<T>& direction,
                                  const EdgeGradients<T>& gradients, unsigned threads) const {
  const Data& d = *data_;
  d.check(graph);
  d.check(graph, channels, at);
  d.check(graph, channels, direction);
  Data::check(at, gradients);
  require_numbers(g.size(), d.nodes_of(graph, channels, d.sizes.out), "g");
  WalkArrays<T> arrays;
  arrays.center = at.x;
  arrays.other = g;
  arrays.y = at.y;
  arrays.w = at.w;
  arrays.center_along = direction.x;
  arrays.y_along = direction.y;
  arrays.w_along = direction.w;
  arrays.sums = gradients.x;
  arrays.d_y = gradients.y;
  arrays.d_w = gradients.w;
  run_walk(d.by_source(graph), graph, d.sizes, d.paths, channels, arrays, kernels::arithmetic<T>().edges.along_center,
           threads);
}

#define INTERTWINE_EDGE_PRODUCT(T)                                                                                     \
  template void EdgeProduct::apply<T>(const EdgeGraph&, std::uint64_t, const EdgeOperands<T>&, std::span<T>, unsigned) \
      const;                                                                                                           \
  template void EdgeProduct::apply_along<T>(const EdgeGraph&, std::uint64_t, const EdgeOperands<T>&,                   \
                                            const EdgeOperands<T>&, std::span<T>, unsigned) const;                     \
  template void EdgeProduct::gradients<T>(const EdgeGraph&, std::uint64_t, const EdgeOperands<T>&, std::span<const T>, \
                                          const EdgeGradients<T>&, unsigned) const;                                    \
  template void EdgeProduct::gradients_along<T>(const EdgeGraph&, std::uint64_t, const EdgeOperands<T>&,               \
                                                std::span<const T>, const EdgeOperands<T>&, const EdgeGradients<T>&,   \
                                                unsigned) const;
INTERTWINE_EDGE_PRODUCT(float)
INTERTWINE_EDGE_PRODUCT(double)
#undef INTERTWINE_EDGE_PRODUCT

}  // namespace intertwine
