// Graphs as tables for the search of automorphisms.
#include "graph_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "groups/mixed.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

constexpr std::uint32_t no_colour = ~std::uint32_t{0};
constexpr std::uint32_t poll_mask = 0xfff;  // lists are short: one poll for many

void check(const LabelledGraph& graph) {
  if (graph.vertices == 0) throw DomainError("a graph without vertices has no group here: give at least one vertex");
  if (graph.vertices >= no_colour) throw LimitError("a graph has at most 2^32 - 2 vertices");
  if (!graph.colours.empty() && graph.colours.size() != graph.vertices)
    throw DomainError(fmt::format("{} colours are not those of {} vertices: give one for each, or none",
                                  graph.colours.size(), graph.vertices));
  for (const auto& e : graph.edges) {
    if (e.from >= graph.vertices || e.to >= graph.vertices)
      throw DomainError(fmt::format("the edge from {} to {} has an end that is none of the vertices 0 ... {}", e.from,
                                    e.to, graph.vertices - 1));
    if (e.from == e.to)
      throw DomainError(fmt::format("there is a loop at the vertex {}: say so by the colour of the vertex", e.from));
  }
}

std::uint64_t entry_hash(std::uint32_t place, std::uint32_t colour) { return mixed(mixed(place) ^ colour); }

}  // namespace

/// Lists of entries, one a vertex, by increasing places.
struct GraphTable::Lists {
  struct Entry {
    std::uint32_t place, colour;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::vector<std::size_t> begin;
  std::vector<Entry> entries;
  std::span<const Entry> operator[](std::uint32_t v) const {
    return std::span(entries).subspan(begin[v], begin[v + 1] - begin[v]);
  }
  /// The entry (v, x) as (x, v).
  Lists transposed() const;
};

GraphTable::Lists GraphTable::Lists::transposed() const {
  Lists other;
  other.begin.assign(begin.size(), 0);
  for (const Entry& e : entries) ++other.begin[e.place + 1];
  std::partial_sum(other.begin.begin(), other.begin.end(), other.begin.begin());
  other.entries.resize(entries.size());
  std::vector<std::size_t> at(other.begin.begin(), other.begin.end() - 1);
  for (std::uint32_t v = 0; v + 1 < begin.size(); ++v)
    for (const Entry& e : (*this)[v]) other.entries[at[e.place]++] = {v, e.colour};
  return other;
}

/// For every vertex what joins it to others. `goes_back` says of every colour whether it is that of both directions.
GraphTable::Lists GraphTable::lists_of(const LabelledGraph& graph, std::vector<std::uint8_t>& goes_back,
                                       const Task& task) {
  const auto n = static_cast<std::uint32_t>(graph.vertices);
  Lists ends;
  ends.begin.assign(std::size_t{n} + 1, 0);
  for (const auto& e : graph.edges) {
    ++ends.begin[e.from + 1];
    if (!graph.directed) ++ends.begin[e.to + 1];
  }
  std::partial_sum(ends.begin.begin(), ends.begin.end(), ends.begin.begin());
  ends.entries.resize(ends.begin.back());
  std::vector<std::size_t> at(ends.begin.begin(), ends.begin.end() - 1);
  for (const auto& e : graph.edges) {
    ends.entries[at[e.from]++] = {e.to, e.label};
    if (!graph.directed) ends.entries[at[e.to]++] = {e.from, e.label};
  }
  task.poll();
  // Edges in order make lists in order, and so does transposing; the lists of an undirected graph are their own transposed ones.
  bool in_order = true;
  for (std::uint32_t v = 0; v < n && in_order; ++v)
    in_order = std::ranges::is_sorted(ends[v], {}, &Lists::Entry::place);
  Lists back;
  if (graph.directed)
    ends = (back = ends.transposed()).transposed();
  else if (!in_order)
    ends = ends.transposed();
  for (std::uint32_t v = 0; v < n; ++v) {
    const auto list = ends[v];
    const auto twice = std::ranges::adjacent_find(list, {}, &Lists::Entry::place);
    if (twice != list.end()) throw DomainError(fmt::format("the edge from {} to {} is given twice", v, twice->place));
  }
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> known;
  std::pair<std::uint64_t, std::uint64_t> last;
  std::uint32_t number = no_colour;
  // The colour of labels there and back; 0 is no edge, an edge's label is counted from 1.
  const auto colour = [&](std::uint64_t there, std::uint64_t here) {
    if (number != no_colour && last == std::pair(there, here)) return number;
    last = {there, here};
    number = known.try_emplace(last, static_cast<std::uint32_t>(known.size())).first->second;
    if (number == goes_back.size()) goes_back.push_back(there == here ? 1 : 0);
    return number;
  };
  if (!graph.directed) {
    for (Lists::Entry& e : ends.entries) {
      const std::uint64_t label = e.colour + std::uint64_t{1};
      e.colour = colour(label, label);
    }
    return ends;
  }
  Lists joined;
  joined.begin.reserve(std::size_t{n} + 1);
  joined.begin.push_back(0);
  joined.entries.reserve(2 * ends.entries.size());
  for (std::uint32_t v = 0; v < n; ++v) {
    if ((v & poll_mask) == 0) task.poll();
    const auto there = ends[v], here = back[v];
    for (std::size_t i = 0, j = 0; i < there.size() || j < here.size();) {
      const std::uint32_t a = i < there.size() ? there[i].place : no_colour,
                          b = j < here.size() ? here[j].place : no_colour;
      const std::uint64_t to = a <= b ? there[i++].colour + std::uint64_t{1} : 0;
      const std::uint64_t from = b <= a ? here[j++].colour + std::uint64_t{1} : 0;
      joined.entries.push_back({std::min(a, b), colour(to, from)});
    }
    joined.begin.push_back(joined.entries.size());
  }
  return joined;
}

/// By vertex the first one of its class; of a class with edges inside their colour.
struct GraphTable::Twins {
  std::vector<std::uint32_t> first, inside;
};

GraphTable::Twins GraphTable::twins(const Lists& lists, const std::vector<std::uint32_t>& colours,
                                    const std::vector<std::uint8_t>& goes_back, const Task& task) {
  const auto n = static_cast<std::uint32_t>(lists.begin.size() - 1);
  std::vector<std::uint64_t> hash(n);
  for (std::uint32_t v = 0; v < n; ++v) {
    hash[v] = mixed(colours[v]);
    for (const Lists::Entry& e : lists[v]) hash[v] += entry_hash(e.place, e.colour);
  }
  task.poll();
  Twins classes{std::vector<std::uint32_t>(n), std::vector<std::uint32_t>(n, no_colour)};
  std::iota(classes.first.begin(), classes.first.end(), 0U);
  // Without edges inside: equal lists.
  std::vector<std::uint32_t> order = classes.first;
  std::ranges::sort(order, {}, [&](std::uint32_t v) { return std::pair(hash[v], v); });
  for (std::uint32_t i = 1; i < n; ++i) {
    const std::uint32_t u = classes.first[order[i - 1]], v = order[i];
    if (hash[u] == hash[v] && colours[u] == colours[v] && std::ranges::equal(lists[u], lists[v])) classes.first[v] = u;
  }
  // With edges inside: lists that are equal but for the edge between.
  const auto alike = [&](std::uint32_t u, std::uint32_t v) {
    const auto a = lists[u], b = lists[v];
    for (std::size_t i = 0, j = 0;; ++i, ++j) {
      if (i < a.size() && a[i].place == v) ++i;
      if (j < b.size() && b[j].place == u) ++j;
      if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
      if (!(a[i] == b[j])) return false;
    }
  };
  for (std::uint32_t u = 0; u < n; ++u) {
    if ((u & poll_mask) == 0) task.poll();
    if (classes.first[u] != u) continue;
    for (const Lists::Entry& e : lists[u]) {
      const std::uint32_t v = e.place;
      if (v < u || classes.first[v] != v || goes_back[e.colour] == 0 || colours[u] != colours[v] ||
          hash[u] + entry_hash(u, e.colour) != hash[v] + entry_hash(v, e.colour))
        continue;
      if (!alike(u, v)) continue;
      classes.first[v] = u;
      classes.inside[u] = e.colour;
    }
  }
  return classes;
}

GraphTable::GraphTable(const LabelledGraph& graph, const Task& task) {
  check(graph);
  const std::size_t n = graph.vertices, m = graph.edges.size();
  task.require_memory(48 * m + 112 * n, "the search for the automorphisms of a graph");
  std::vector<std::uint8_t> goes_back;
  const Lists lists = lists_of(graph, goes_back, task);
  std::vector<std::uint32_t> colours = graph.colours;
  colours.resize(n, 0);
  merge(lists, twins(lists, colours, goes_back, task), colours);
}

/// Leaves the first vertex of every class.
void GraphTable::merge(const Lists& lists, const Twins& classes, const std::vector<std::uint32_t>& colours) {
  const auto n = static_cast<std::uint32_t>(colours.size());
  std::vector<std::uint32_t> point(n);
  for (std::uint32_t v = 0; v < n; ++v) {
    if (classes.first[v] == v) {
      point[v] = static_cast<std::uint32_t>(lines_.members.size());
      lines_.members.emplace_back();
    }
    lines_.members[point[classes.first[v]]].push_back(v);
  }
  lines_.full_lines = n;
  std::map<std::tuple<std::uint32_t, std::size_t, std::uint32_t>, std::uint32_t> kinds;
  for (const auto& members : lines_.members)
    kinds.try_emplace({colours[members[0]], members.size(), classes.inside[members[0]]}, 0);
  std::uint32_t count = 0;
  for (auto& [what, number] : kinds) number = count++;
  for (const auto& members : lines_.members)
    kind_.push_back(kinds.at({colours[members[0]], members.size(), classes.inside[members[0]]}));
  const bool plain = std::ranges::all_of(lists.entries, [](const auto& e) { return e.colour == 0; });
  const bool all = lines_.members.size() == n;
  begin_.reserve(lines_.members.size() + 1);
  begin_.push_back(0);
  if (all) neighbours_.reserve(lists.entries.size());
  for (const auto& members : lines_.members) {
    for (const Lists::Entry& e : lists[members[0]]) {
      if (!all && classes.first[e.place] != e.place) continue;
      neighbours_.push_back(point[e.place]);
      if (!plain) colours_.push_back(e.colour);
    }
    begin_.push_back(neighbours_.size());
  }
}

void GraphTable::add_unusual(Point y, std::span<std::uint64_t> weight, std::vector<Point>& touched) const {
  std::uint32_t known = no_colour;  // the colour that `hash` is of: mostly that of the entry before
  std::uint64_t hash = 0;
  const std::span<const Point> near = neighbours(y);
  const std::span<const std::uint32_t> colour = colours(y);
  for (std::size_t k = 0; k < near.size(); ++k) {
    if (colour[k] != known) {
      known = colour[k];
      hash = mixed(known);
    }
    if (weight[near[k]] == 0) touched.push_back(near[k]);
    weight[near[k]] += hash;
  }
}

bool GraphTable::preserved_by(std::span<const Point> g, std::span<const Point> moved,
                              std::vector<std::uint32_t>& scratch) const {
  // A moved point has as many edges as its image, and they all go to such of the same colour; the edges of fixed points that move are those of moved ones.
  if (is_plain()) {
    // By point when it was last a neighbour; the time comes last.
    if (scratch.empty() || scratch.back() > ~std::uint32_t{0} - moved.size())
      scratch.assign(std::size_t{points()} + 1, 0);
    std::uint32_t& now = scratch.back();
    for (const Point y : moved) {
      const auto from = neighbours(y), to = neighbours(g[y]);
      if (from.size() != to.size()) return false;
      ++now;
      for (const Point x : to) scratch[x] = now;
      if (!std::ranges::all_of(from, [&](Point x) { return scratch[g[x]] == now; })) return false;
    }
    return true;
  }
  scratch.resize(points(), no_colour);
  std::vector<std::uint32_t>& seen = scratch;  // colours of the edges at an image, by their other ends
  for (const Point y : moved) {
    const auto from = neighbours(y), to = neighbours(g[y]);
    if (from.size() != to.size()) return false;
    const auto here = colours(y), there = colours(g[y]);
    for (std::size_t k = 0; k < to.size(); ++k) seen[to[k]] = there[k];
    bool same = true;
    for (std::size_t k = 0; same && k < from.size(); ++k) same = seen[g[from[k]]] == here[k];
    for (const Point x : to) seen[x] = no_colour;
    if (!same) return false;
  }
  return true;
}

}  // namespace intertwine
