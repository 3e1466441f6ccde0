// Searches for automorphisms of a table by refined partitions.
#include "automorphism_search.hpp"

#include <algorithm>
#include <bit>
#include <compare>
#include <iterator>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "intertwine/exact/integer_product.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

using Images = std::vector<Point>;

/// Stabilizers of known symmetries are found where the base has at most this many points.
constexpr std::size_t max_known_base = 64;
/// After so many failures, and one for every base point, another path is looked at.
constexpr std::uint64_t max_quick_failures = 20;
/// How far below the path exchanges are tried.
constexpr std::size_t exchange_depth = 3;

/// Classes of points, with sizes and marks.
class PointClasses {
 public:
  explicit PointClasses(std::size_t n) : parent_(n), size_(n, 1), marked_(n) {
    std::iota(parent_.begin(), parent_.end(), Point{0});
  }
  Point root(Point x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  std::uint32_t size(Point x) { return size_[root(x)]; }
  bool is_marked(Point x) { return marked_[root(x)] != 0; }
  void mark(Point x, bool marked) { marked_[root(x)] = marked ? 1 : 0; }
  /// Makes the classes invariant under g; true if any were joined.
  bool join(const MovedPoints& g) {
    bool joined = false;
    for (const auto& [x, y] : g) {
      Point a = root(x), b = root(y);
      if (a == b) continue;
      if (size_[a] < size_[b]) std::swap(a, b);
      parent_[b] = a;
      size_[a] += size_[b];
      marked_[a] |= marked_[b];
      joined = true;
    }
    return joined;
  }

 private:
  std::vector<Point> parent_;
  std::vector<std::uint32_t> size_;
  std::vector<std::uint8_t> marked_;
};

/// The cells of several points of a partition that is only cut.
class OpenCells {
 public:
  explicit OpenCells(const PointPartition& partition) : partition_(partition) {
    for (std::uint32_t c = 0; c < partition.size(); c += partition.length[c]) add(c);
  }
  void add_cut_since(std::size_t cuts) {
    for (std::size_t k = cuts; k < partition_.cuts.size(); ++k) {
      const std::uint32_t c = partition_.cuts[k];
      add(c);
      add(partition_.cell[partition_.elements[c - 1]]);
    }
  }
  /// The cell of two points that was cut last, so that a part is told apart before others are; if there is none the first of the largest, or of the shortest.
  /// `had_choice` is set where these are different. The partition is not discrete.
  std::uint32_t next(bool largest, bool& had_choice) {
    for (; !pairs_.empty(); pairs_.pop_back())
      if (partition_.length[pairs_.back()] == 2) return pairs_.back();
    const auto is_old = [this](const auto& entry) {
      return partition_.length[std::get<2>(entry)] != std::get<0>(entry);
    };
    while (is_old(*longer_.begin())) longer_.erase(longer_.begin());
    while (is_old(*longer_.rbegin())) longer_.erase(std::prev(longer_.end()));
    auto first = longer_.lower_bound({std::get<0>(*longer_.rbegin()), 0, 0});
    while (is_old(*first)) first = longer_.erase(first);
    had_choice = had_choice || std::get<0>(*first) != std::get<0>(*longer_.begin());
    return std::get<2>(largest ? *first : *longer_.begin());
  }

 private:
  void add(std::uint32_t c) {
    if (partition_.length[c] == 2) pairs_.push_back(c);
    if (partition_.length[c] > 2) longer_.emplace(partition_.length[c], --stamp_, c);
  }

  const PointPartition& partition_;
  std::vector<std::uint32_t> pairs_;  ///< they may be points since
  std::uint32_t stamp_ = ~std::uint32_t{0};
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>
      longer_;  ///< length and cell; it may be shorter since
};

/// The leading 32 bits of a product, each factor rounded down to them, and how many follow: enough to compare by.
class RoundedProduct {
 public:
  void multiply(std::uint32_t factor) {
    leading_ *= factor;
    const auto excess = static_cast<unsigned>(std::max(0, static_cast<int>(std::bit_width(leading_)) - 32));
    leading_ >>= excess;
    following_ += excess;
  }
  friend auto operator<=>(const RoundedProduct&, const RoundedProduct&) = default;

 private:
  std::uint64_t following_ = 0, leading_ = 1;
};

/// A node of the first path: the cell and the point individualized there.
struct Level {
  Point base = 0;
  std::uint32_t cell = 0, candidates = 0;  ///< the base point's cell, and its length
  std::size_t cuts = 0;                    ///< the cuts of the partition
  /// The trace of the refinement after individualizing the base point.
  Trace trace;
  std::uint32_t orbit = 0;  ///< length of the base point's orbit under the automorphisms fixing the points above
};

/// There is one partition: cut along the first path, joined again from its end up to the node whose candidates are tried, cut on the way down
/// from there and joined again on the way back.
class Search {
 public:
  Search(const SearchTable& table, std::uint64_t max_nodes, const Task& task)
      : table_(table), refiner_(table), classes_(table.points()), max_nodes_(max_nodes), task_(task) {}

  std::optional<Automorphisms> run(const std::vector<Images>& known) {
    node_ = initial_partition(table_);
    Trace root_trace;
    refiner_.refine_all(node_, root_trace, task_);
    const std::size_t root_cuts = node_.cuts.size();
    RoundedProduct leaves;
    const bool had_choice = extend_path(false, leaves, nullptr);
    max_failures_ = had_choice ? path_.size() + max_quick_failures : ~std::uint64_t{0};
    auto result = complete(known);
    if (result || nodes_ > max_nodes_) return result;
    // In a strongly regular graph the short cells have the fewer candidates; of the points of a plane few generic ones fix all the others, and on
    // one of its lines many fix nothing beyond. The tree has at most as many leaves as the product of the cells' lengths.
    node_.join_until(root_cuts);
    const std::vector<Level> shortest = std::exchange(path_, {});
    RoundedProduct fewer;
    extend_path(true, fewer, &leaves);
    if (!(fewer < leaves)) {
      node_.join_until(root_cuts);
      path_ = shortest;
      Trace again;
      for (const Level& level : path_) refiner_.individualize(node_, level.base, again, task_);
    }
    max_failures_ = ~std::uint64_t{0};
    return complete(known);
  }

 private:
  /// Completes all levels of the path, at whose end the partition is.
  std::optional<Automorphisms> complete(const std::vector<Images>& known) {
    leaf_ = node_.elements;
    leaf_place_ = node_.place;
    found_.resize(leaf_.size());
    std::iota(found_.begin(), found_.end(), Point{0});
    cut_.resize(leaf_.size());
    classes_ = PointClasses(leaf_.size());
    generators_.clear();
    held_ = failures_ = 0;
    const auto by_level = sort_known(known);
    std::vector<Integer> orbits;
    for (std::size_t k = path_.size(); k-- > 0;) {
      for (const Images& g : by_level[k]) {
        MovedPoints moved;
        for (Point x = 0; x < g.size(); ++x)
          if (g[x] != x) moved.emplace_back(x, g[x]);
        accept(std::move(moved));
      }
      node_.join_until(path_[k].cuts);
      if (!complete_level(k)) return std::nullopt;
      orbits.emplace_back(path_[k].orbit);
    }
    return Automorphisms{leaf_.size(), std::move(generators_), product_of(std::move(orbits))};
  }

  /// Individualizes points until every cell is a point, or `leaves` exceeds the bound. Was there a choice between lengths?
  bool extend_path(bool largest, RoundedProduct& leaves, const RoundedProduct* bound) {
    OpenCells open(node_);
    bool had_choice = false;
    while (!node_.is_discrete() && (bound == nullptr || !(*bound < leaves))) {
      Level level;
      level.cell = open.next(largest, had_choice);
      level.base = node_.elements[level.cell];
      level.candidates = node_.length[level.cell];
      level.cuts = node_.cuts.size();
      leaves.multiply(level.candidates);
      refiner_.individualize(node_, level.base, level.trace, task_);
      open.add_cut_since(level.cuts);
      path_.push_back(std::move(level));
    }
    return had_choice;
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
      for (const Permutation& g : StabilizerChain(table_.points(), generators, base, task_).strong_generators())
        known.emplace_back(g.images().begin(), g.images().end());
    }
    for (Images& g : known) {
      const auto moved = std::ranges::find_if(path_, [&](const Level& level) { return g[level.base] != level.base; });
      if (moved != path_.end()) by_level[static_cast<std::size_t>(moved - path_.begin())].push_back(std::move(g));
    }
    return by_level;
  }

  /// A generator that joins no orbits is not needed: the group is generated level by level by elements that
  /// carry the base point to all of its orbit.
  void accept(MovedPoints g) {
    if (!classes_.join(g)) return;
    held_ += g.size();
    task_.require_memory(held_ * sizeof(g[0]), "the generators of the automorphisms");
    generators_.push_back(std::move(g));
  }

  MovedPoints found() {
    std::ranges::sort(moved_);
    MovedPoints g;
    for (const Point x : moved_)
      if (found_[x] != x) g.emplace_back(x, found_[x]);
    return g;
  }

  std::vector<Point> candidates_at(const Level& level) const {
    const auto points = node_.points_of(level.cell);
    return {points.begin(), points.end()};
  }

  /// Decides for every candidate at node k of the path whether an automorphism that fixes the base points
  /// above carries the base point to it. Those below have been completed. False if the budget is used up.
  bool complete_level(std::size_t k) {
    Level& level = path_[k];
    std::vector<Point>
        excluded;  // if no automorphism carries the base point to y, none carries it into y's orbit, which is marked
    std::vector<Point> listed;  // when the first one did not join all others, which it mostly does
    for (std::size_t tried = 0, next = 0; classes_.size(level.base) < level.candidates; ++tried, ++next) {
      if (tried == 1) listed = candidates_at(level), next = 0;
      const auto candidates = tried == 0 ? node_.points_of(level.cell) : std::span<const Point>(listed);
      while (next < candidates.size() &&
             (classes_.root(candidates[next]) == classes_.root(level.base) || classes_.is_marked(candidates[next])))
        ++next;
      if (next == candidates.size()) break;
      const Point x = candidates[next];
      start_ = level.cuts;
      const Outcome outcome = descend(k, x);
      node_.join_until(level.cuts);
      if (outcome == Outcome::budget) return false;
      if (outcome == Outcome::found) {
        accept(found());
      } else {
        classes_.mark(x, true);
        excluded.push_back(x);
      }
      forget_found();
    }
    for (const Point x : excluded) classes_.mark(x, false);
    level.orbit = classes_.size(level.base);
    return true;
  }

  enum class Outcome { found, none, open, budget };

  /// A node on the way down whose candidates are tried, one of them now.
  struct Trial {
    std::size_t cuts;                    ///< the cuts of the partition
    std::vector<Point> candidates;       ///< ascending; listed once the first one failed
    std::vector<std::uint8_t> excluded;  ///< by candidate: it fails
    std::uint32_t failed = 0;            ///< how many
  };

  /// The partition looks like that of node k of the path; looks below for an automorphism that carries the path to it, and
  /// the base point of level k to x. Puts it into found_. The partition stays cut.
  Outcome descend(std::size_t k, Point x) {
    images_.clear();
    trials_.clear();
    for (Outcome outcome = visit(k, x);; outcome = visit(k + trials_.size(), x)) {
      if (outcome == Outcome::open) {
        images_.push_back(x);
        trials_.push_back({node_.cuts.size(), {}, {}});
        // An automorphism near the identity is likelier, and cheaper to check.
        const Level& level = path_[k + trials_.size()];
        x = node_.cell[level.base] == level.cell ? level.base : node_.elements[level.cell];
        continue;
      }
      while (outcome == Outcome::none && !trials_.empty()) {
        if (const auto next = next_candidate(path_[k + trials_.size()], trials_.back(), x)) {
          x = *next;
          outcome = Outcome::open;
        } else {
          x = images_.back();
          images_.pop_back();
          trials_.pop_back();
        }
      }
      if (outcome == Outcome::found) nodes_ -= trials_.size() + 1;
      if (outcome != Outcome::open) return outcome;
    }
  }

  /// Individualizes x in the cell of level k.
  Outcome visit(std::size_t k, Point x) {
    if (++nodes_ > max_nodes_ || failures_ > max_failures_) return Outcome::budget;
    if (!refiner_.individualize_like(node_, x, path_[k].trace, task_)) return failed();
    if (matches() || ((images_.size() < exchange_depth || std::has_single_bit(images_.size())) && is_exchange()))
      return Outcome::found;
    return k + 1 == path_.size() ? failed() : Outcome::open;
  }

  Outcome failed() {
    ++failures_;
    return Outcome::none;
  }

  /// After x failed. Nothing if all others fail too.
  std::optional<Point> next_candidate(const Level& level, Trial& trial, Point x) {
    node_.join_until(trial.cuts);
    task_.poll();
    if (level.orbit == level.candidates) return std::nullopt;  // all fail as x does
    if (trial.candidates.empty()) {
      trial.candidates = candidates_at(level);
      std::ranges::sort(trial.candidates);
      trial.excluded.assign(level.candidates, 0);
    }
    trial.failed += exclude_orbit(x, trial);
    // If h carries the path to this node, so do all products of h with automorphisms that fix the path, and
    // they carry the base point to `orbit` different candidates: this many less one must not fail.
    if (trial.failed > level.candidates - level.orbit) return std::nullopt;
    const auto left = std::ranges::find(trial.excluded, 0);
    if (left == trial.excluded.end()) return std::nullopt;
    return trial.candidates[static_cast<std::size_t>(left - trial.excluded.begin())];
  }

  static Point image(const MovedPoints& g, Point x) {
    const auto at = std::ranges::lower_bound(g, x, {}, &MovedPoints::value_type::first);
    return at != g.end() && at->first == x ? at->second : x;
  }

  /// Marks the orbit of y under the generators that fix the images chosen so far: these points, candidates like y, fail as y does.
  /// Its length.
  std::uint32_t exclude_orbit(Point y, Trial& trial) const {
    std::vector<const MovedPoints*> fixing;
    for (const MovedPoints& g : generators_) {
      task_.poll();
      if (std::ranges::all_of(images_, [&](Point x) { return image(g, x) == x; })) fixing.push_back(&g);
    }
    const auto mark = [&](Point x) {
      const auto at = std::ranges::lower_bound(trial.candidates, x) - trial.candidates.begin();
      return std::exchange(trial.excluded[static_cast<std::size_t>(at)], std::uint8_t{1}) == 0;
    };
    std::vector<Point> orbit{y};
    mark(y);
    for (std::size_t next = 0; next < orbit.size(); ++next)
      for (const MovedPoints* g : fixing)
        if (const Point z = image(*g, orbit[next]); mark(z)) orbit.push_back(z);
    return static_cast<std::uint32_t>(orbit.size());
  }

  /// Does the map that carries the points of the path's partition to those of this one place by place, and
  /// fixes what is not yet told apart, preserve the table? Puts it into found_. Cells that were not cut since both ways
  /// parted are the same in both.
  bool matches() {
    if (lies_apart(suspect_)) return false;  // mostly what told them apart one step above still does
    const std::size_t cut_off = mark_affected();
    forget_found();
    bool same = true;
    for (std::size_t k = 0; same && k < affected_.size(); ++k)
      // The rest of a cell is right if all that was cut off is.
      same = (k >= cut_off && node_.length[affected_[k]] > 1) || matches(affected_[k]);
    for (const std::uint32_t c : affected_) cut_[c] = 0;
    return same && table_.preserved_by(found_, moved_, scratch_);
  }

  /// Puts the cells cut since both ways parted, so many, and then those that they were cut off from into affected_, and marks them.
  std::size_t mark_affected() {
    affected_.assign(node_.cuts.begin() + static_cast<std::ptrdiff_t>(start_), node_.cuts.end());
    const std::size_t cut_off = affected_.size();
    for (const std::uint32_t c : affected_) cut_[c] = 1;
    for (std::size_t k = 0; k < cut_off; ++k)  // what they were cut off from
      if (const std::uint32_t c = node_.cell[node_.elements[affected_[k] - 1]]; cut_[c] == 0) {
        cut_[c] = 1;
        affected_.push_back(c);
      }
    return cut_off;
  }

  /// Mostly two parts of a graph change places: the points that are cells of their own on the path go to those here, and where that makes chains
  /// a -> b -> ... -> z, z goes to a. Puts it into found_, if with all other points fixed it preserves the table.
  bool is_exchange() {
    if (table_.has_signs()) return false;
    mark_affected();
    forget_found();
    for (const std::uint32_t c : affected_)
      if (node_.length[c] == 1) {
        found_[leaf_[c]] = node_.elements[c];
        moved_.push_back(leaf_[c]);
      }
    for (std::size_t k = 0, given = moved_.size(); k < given; ++k) {
      const Point a = moved_[k];
      const std::uint32_t c = node_.cell[a];
      if (cut_[c] != 0 && node_.length[c] == 1) continue;  // no chain begins at an image
      Point z = a;
      while (found_[z] != z) z = found_[z];
      found_[z] = a;
      moved_.push_back(z);
    }
    for (const std::uint32_t c : affected_) cut_[c] = 0;
    return table_.preserved_by(found_, moved_, scratch_);
  }

  /// Is x in a cell here and in another one on the path, and they are not both points?
  bool lies_apart(Point x) const {
    const std::uint32_t here = node_.cell[x], there = node_.cell[node_.elements[leaf_place_[x]]];
    return here != there && (node_.length[here] > 1 || node_.length[there] > 1);
  }

  bool matches(std::uint32_t c) {
    const std::uint32_t length = node_.length[c];
    for (std::uint32_t at = c; at < c + length; ++at) {
      const Point x = node_.elements[at];
      const std::uint32_t there = node_.cell[node_.elements[leaf_place_[x]]];  // the cell of x on the path
      if (cut_[there] == 0 || (length == 1 ? node_.length[there] > 1 : there != c)) {
        suspect_ = x;
        return false;
      }
      if (length > 1) continue;
      found_[leaf_[at]] = x;
      moved_.push_back(leaf_[at]);
    }
    return true;
  }

  void forget_found() {
    for (const Point x : moved_) found_[x] = x;
    moved_.clear();
  }

  const SearchTable& table_;
  Refiner refiner_;
  std::vector<Level> path_;
  PointPartition node_;
  std::vector<Point> leaf_;                ///< the points as they lie at the end of the path
  std::vector<std::uint32_t> leaf_place_;  ///< by point: where
  std::size_t start_ = 0;                  ///< the cuts at the node of the path where the way down begins
  std::vector<std::uint32_t> affected_;    ///< the cells cut since
  Point suspect_ = 0;
  std::vector<std::uint8_t> cut_;        ///< by cell: it is among them
  PointClasses classes_;                 ///< orbits of the generators
  std::vector<MovedPoints> generators_;  ///< all fix the base points above the level that is being completed
  std::uint64_t held_ = 0;               ///< their lengths together
  std::vector<Point> images_;            ///< the points individualized on the way to the node, below the common part
  std::vector<Trial> trials_;            ///< where the candidates below each of them are tried
  Images found_;                         ///< the identity but for `moved_`
  std::vector<Point> moved_;
  std::vector<std::uint32_t> scratch_;  ///< the scratch space of the table
  std::uint64_t max_nodes_, nodes_ = 0, max_failures_ = 0, failures_ = 0;
  const Task& task_;
};

}  // namespace

std::optional<Automorphisms> automorphisms(const SearchTable& table, std::vector<std::vector<Point>> known,
                                           std::uint64_t max_nodes, const Task& task) {
  return Search(table, max_nodes, task).run(known);
}

}  // namespace intertwine
