#include "automorphism_search.hpp"

#include <algorithm>
#include <numeric>

#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

using Images = std::vector<Point>;

/// Bytes for each of the points of all partitions on the first path: the path, a way down beside it, and the generators.
constexpr std::uint64_t bytes_held = 12 + 12 + 4;
/// Stabilizers of known symmetries are found where the base has at most this many points.
constexpr std::size_t max_known_base = 64;

/// Classes of points, with sizes.
class PointClasses {
 public:
  explicit PointClasses(std::size_t n) : parent_(n), size_(n, 1) {
    std::iota(parent_.begin(), parent_.end(), Point{0});
  }
  Point root(Point x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  std::uint32_t size(Point x) { return size_[root(x)]; }
  /// Makes the classes invariant under g; true if any were joined.
  bool join(std::span<const Point> g) {
    bool joined = false;
    for (Point x = 0; x < g.size(); ++x) {
      Point a = root(x), b = root(g[x]);
      if (a == b) continue;
      if (size_[a] < size_[b]) std::swap(a, b);
      parent_[b] = a;
      size_[a] += size_[b];
      joined = true;
    }
    return joined;
  }

 private:
  std::vector<Point> parent_;
  std::vector<std::uint32_t> size_;
};

/// A node of the first path: its partition, and the point individualized there.
struct Level {
  PointPartition partition;
  Point base = 0;
  Trace trace;  ///< of the refinement after individualizing the base point
  std::uint32_t orbit =
      0;  ///< length of the base point's orbit under the automorphisms fixing the points above

  std::uint32_t cell() const { return partition.cell[base]; }
  std::uint32_t candidates() const { return partition.length[cell()]; }
};

class Search {
 public:
  Search(const SearchTable& table, std::uint64_t max_nodes, const Task& task)
      : table_(table), refiner_(table), classes_(table.points()), max_nodes_(max_nodes), task_(task) {}

  std::optional<Automorphisms> run(std::vector<Images> known) {
    if (!build_first_path()) return std::nullopt;
    const auto by_level = sort_known(std::move(known));
    Automorphisms result{{}, 1};
    for (std::size_t k = path_.size(); k-- > 0;) {
      for (const Images& g : by_level[k]) accept(g);
      if (!complete_level(k)) return std::nullopt;
      result.order *= path_[k].orbit;
    }
    result.generators = std::move(generators_);
    return result;
  }

 private:
  /// Individualizes points until every cell is a point. False if the path needs too much memory.
  bool build_first_path() {
    leaf_ = initial_partition(table_);
    Trace root_trace;
    refiner_.refine_all(leaf_, root_trace, task_);
    while (!leaf_.is_discrete()) {
      const std::uint64_t held = (path_.size() + 1) * leaf_.size();
      if (held > max_path_points) return false;
      task_.require_memory(bytes_held * held, "the search for the largest group of the table");
      Level level;
      level.partition = leaf_;
      level.base = leaf_.elements[shortest_cell(leaf_)];
      refiner_.individualize(leaf_, level.base, level.trace, task_);
      path_.push_back(std::move(level));
    }
    return true;
  }

  /// The first of the shortest cells with more than one point.
  static std::uint32_t shortest_cell(const PointPartition& p) {
    std::uint32_t best = p.size();
    for (std::uint32_t first = 0; first < p.size(); first += p.length[first])
      if (p.length[first] > 1 && (best == p.size() || p.length[first] < p.length[best])) best = first;
    return best;
  }

  /// Known automorphisms by the first level whose base point they move, with elements that generate the
  /// stabilizers where these are cheap.
  std::vector<std::vector<Images>> sort_known(std::vector<Images> known) const {
    std::vector<std::vector<Images>> by_level(path_.size());
    if (!known.empty() && path_.size() > 1 && path_.size() <= max_known_base) {
      std::vector<Permutation> generators;
      std::vector<Point> base;
      for (Images& g : known) generators.push_back(Permutation(std::move(g)));
      for (const Level& level : path_) base.push_back(level.base);
      known.clear();
      for (const Permutation& g :
           StabilizerChain(table_.points(), generators, base, task_).strong_generators())
        known.emplace_back(g.images().begin(), g.images().end());
    }
    for (Images& g : known) {
      const auto moved =
          std::ranges::find_if(path_, [&](const Level& level) { return g[level.base] != level.base; });
      if (moved != path_.end())
        by_level[static_cast<std::size_t>(moved - path_.begin())].push_back(std::move(g));
    }
    return by_level;
  }

  /// A generator that joins no orbits is not needed: the group is generated level by level by elements that
  /// carry the base point to all of its orbit.
  void accept(const Images& g) {
    if (classes_.join(g)) generators_.push_back(g);
  }

  /// Decides for every candidate at node k of the path whether an automorphism that fixes the base points
  /// above carries the base point to it. Those below have been completed. False if the budget is used up.
  bool complete_level(std::size_t k) {
    Level& level = path_[k];
    const std::uint32_t cell = level.cell();
    std::vector<Point> excluded;
    for (std::uint32_t at = cell; at < cell + level.candidates(); ++at) {
      const Point x = level.partition.elements[at];
      const Point root = classes_.root(x);
      if (root == classes_.root(level.base)) continue;
      // If no automorphism carries the base point to y, none carries it into y's orbit.
      if (std::ranges::any_of(excluded, [&](Point y) { return classes_.root(y) == root; })) continue;
      images_.clear();
      switch (descend(level.partition, k, x)) {
        case Outcome::found:
          accept(found_);
          break;
        case Outcome::none:
          excluded.push_back(x);
          break;
        case Outcome::budget:
          return false;
      }
    }
    level.orbit = classes_.size(level.base);
    return true;
  }

  enum class Outcome { found, none, budget };

  /// `node` looks like node k of the path; looks below for an automorphism that carries the path to it, and
  /// the base point of level k to x. Puts it into found_.
  Outcome descend(PointPartition node, std::size_t k, Point x) {
    if (++nodes_ > max_nodes_) return Outcome::budget;
    if (!refiner_.individualize_like(node, x, path_[k].trace, task_)) return Outcome::none;
    if (matches(node, k + 1)) return Outcome::found;
    if (k + 1 == path_.size()) return Outcome::none;
    images_.push_back(x);
    const Outcome outcome = try_candidates(node, k + 1);
    images_.pop_back();
    return outcome;
  }

  Outcome try_candidates(const PointPartition& node, std::size_t k) {
    const Level& level = path_[k];
    const std::uint32_t cell = level.cell(), count = level.candidates();
    std::vector<Point> candidates(node.elements.begin() + cell, node.elements.begin() + cell + count);
    // An automorphism near the identity is likelier, and cheaper to check.
    const auto same = std::ranges::find(candidates, level.base);
    if (same != candidates.end()) std::iter_swap(candidates.begin(), same);
    // If h carries the path to this node, so do all products of h with automorphisms that fix the path, and
    // they carry the base point to `orbit` different candidates: this many less one must not fail.
    std::uint32_t failed = 0;
    std::vector<std::uint8_t> excluded(node.size(), 0);
    for (const Point y : candidates) {
      if (excluded[y] != 0) continue;
      const Outcome outcome = descend(node, k, y);
      if (outcome != Outcome::none) return outcome;
      failed += exclude_orbit(y, excluded);
      if (failed > count - level.orbit) return Outcome::none;
    }
    return Outcome::none;
  }

  /// Marks the orbit of y under the generators that fix the images chosen so far: these points fail as y does.
  /// Its length.
  std::uint32_t exclude_orbit(Point y, std::vector<std::uint8_t>& excluded) const {
    std::vector<const Images*> fixing;
    for (const Images& g : generators_)
      if (std::ranges::all_of(images_, [&](Point x) { return g[x] == x; })) fixing.push_back(&g);
    std::vector<Point> orbit{y};
    excluded[y] = 1;
    for (std::size_t next = 0; next < orbit.size(); ++next)
      for (const Images* g : fixing) {
        const Point z = (*g)[orbit[next]];
        if (excluded[z] == 0) orbit.push_back(z);
        excluded[z] = 1;
      }
    return static_cast<std::uint32_t>(orbit.size());
  }

  /// Does the map that carries the points of the path's partition k to those of `node` place by place, and
  /// fixes what is not yet told apart, preserve the table? Puts it into found_.
  bool matches(const PointPartition& node, std::size_t k) {
    const PointPartition& first = k == path_.size() ? leaf_ : path_[k].partition;
    found_.resize(node.size());
    for (std::uint32_t place = 0; place < node.size();) {
      const std::uint32_t length = first.length[place];
      if (length == 1) {
        found_[first.elements[place]] = node.elements[place];
      } else {
        for (std::uint32_t at = place; at < place + length; ++at) {
          const Point x = first.elements[at];
          if (node.cell[x] != place) return false;
          found_[x] = x;
        }
      }
      place += length;
    }
    return table_.preserved_by(found_);
  }

  const SearchTable& table_;
  Refiner refiner_;
  std::vector<Level> path_;
  PointPartition leaf_;
  PointClasses classes_;            ///< orbits of the generators
  std::vector<Images> generators_;  ///< all fix the base points above the level that is being completed
  std::vector<Point> images_;  ///< the points individualized on the way to the node, below the common part
  Images found_;
  std::uint64_t max_nodes_, nodes_ = 0;
  const Task& task_;
};

}  // namespace

std::optional<Automorphisms> automorphisms(const SearchTable& table, std::vector<std::vector<Point>> known,
                                           std::uint64_t max_nodes, const Task& task) {
  return Search(table, max_nodes, task).run(std::move(known));
}

}  // namespace intertwine
