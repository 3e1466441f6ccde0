// Patterns of tied entries from the orbitals of a group.
#include "intertwine/equivariant/orbital_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "column_move.hpp"
#include "intertwine/error.hpp"
#include "parity_union.hpp"
#include "stabilizer_words.hpp"

namespace intertwine {

namespace {

constexpr std::uint32_t unseen = ~std::uint32_t{0};

}  // namespace

OrbitalPattern::OrbitalPattern(std::uint64_t rows, std::uint64_t cols, std::vector<SignedPermutation> row_images,
                               std::vector<SignedPermutation> col_images, const Integer& group_order, unsigned patience,
                               const Task& task)
    : rows_(rows), cols_(cols), row_images_(std::move(row_images)), col_images_(std::move(col_images)) {
  if (row_images_.size() != col_images_.size())
    throw DomainError(fmt::format("OrbitalPattern: {} row images but {} column images; one of each for every generator",
                                  row_images_.size(), col_images_.size()));
  if (rows > max_degree || cols > max_degree)
    throw LimitError(
        fmt::format("a pattern of {} x {} entries exceeds the limit of 2^31 - 1 rows and columns", rows, cols));
  for (std::size_t k = 0; k < row_images_.size(); ++k)
    if (row_images_[k].degree() != rows || col_images_[k].degree() != cols)
      throw DomainError(fmt::format("OrbitalPattern: the images of generator {} have degrees {} and {}, not {} and {}",
                                    k + 1, row_images_[k].degree(), col_images_[k].degree(), rows, cols));
  task.require_memory(rows * 32 + cols * 64 + task.threads() * (row_images_.size() + 6) * (rows + cols) * 16,
                      "the orbits of the entries");
  for (std::size_t k = 0; k < row_images_.size(); ++k) {
    row_inverses_.push_back(row_images_[k].inverse());
    col_inverses_.push_back(col_images_[k].inverse());
  }
  build_row_tree();
  task.require_memory(first_row_.size() * cols * 4 + rows * 32, "the labels of the first rows of all orbits");
  labels_.resize(first_row_.size() * cols);
  label_orbits(group_order, patience, task);
}

void OrbitalPattern::build_row_tree() {
  const auto m = static_cast<std::uint32_t>(rows_);
  // A spanning forest of the graph row -> g row that prefers generators whose column permutation is cheap to
  // copy along.
  std::vector<std::uint64_t> cost;
  for (const SignedPermutation& g : col_images_) cost.push_back(ColumnMove(g).cost());
  std::vector<std::uint32_t> by_cost(row_images_.size());
  std::iota(by_cost.begin(), by_cost.end(), 0U);
  std::stable_sort(by_cost.begin(), by_cost.end(), [&](auto a, auto b) { return cost[a] < cost[b]; });
  ParityUnion joined(m);
  struct Edge {
    std::uint32_t from, to;
    std::int32_t generator;
  };
  std::vector<Edge> edges;
  std::vector<std::uint32_t> start(m + 1, 0);
  for (const std::uint32_t k : by_cost)
    for (std::uint32_t p = 0; p < m; ++p) {
      const std::uint32_t q = row_images_[k](p).point();
      if (!joined.join(p, q, false)) continue;
      edges.push_back({p, q, static_cast<std::int32_t>(2 * k)});
      ++start[p + 1];
      ++start[q + 1];
    }
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1), neighbour(2 * edges.size());
  std::vector<std::int32_t> via(2 * edges.size());
  for (const Edge& e : edges) {
    neighbour[next[e.from]] = e.to;
    via[next[e.from]++] = e.generator;
    neighbour[next[e.to]] = e.from;
    via[next[e.to]++] = e.generator + 1;
  }

  steps_.assign(m, {unseen, -1});
  orbit_of_row_.assign(m, unseen);
  subtree_.assign(m, 1);
  place_.assign(m, 0);
  order_.reserve(m);
  std::vector<std::uint32_t> breadth, stack;
  std::vector<std::uint32_t> children;
  for (std::uint32_t r = 0; r < m; ++r) {
    if (orbit_of_row_[r] != unseen) continue;
    const auto orbit = static_cast<std::uint32_t>(first_row_.size());
    first_row_.push_back(r);
    breadth.assign(1, r);
    orbit_of_row_[r] = orbit;
    for (std::size_t head = 0; head < breadth.size(); ++head) {
      const std::uint32_t p = breadth[head];
      for (std::uint32_t e = start[p]; e < start[p + 1]; ++e) {
        const std::uint32_t q = neighbour[e];
        if (orbit_of_row_[q] != unseen) continue;
        orbit_of_row_[q] = orbit;
        steps_[q] = {p, via[e]};
        breadth.push_back(q);
      }
    }
    for (std::size_t i = breadth.size(); i-- > 1;) subtree_[steps_[breadth[i]].parent] += subtree_[breadth[i]];
    orbit_length_.push_back(static_cast<std::uint32_t>(breadth.size()));
    stack.assign(1, r);
    while (!stack.empty()) {
      const std::uint32_t p = stack.back();
      stack.pop_back();
      place_[p] = static_cast<std::uint32_t>(order_.size());
      order_.push_back(p);
      children.clear();
      for (std::uint32_t e = start[p]; e < start[p + 1]; ++e)
        if (neighbour[e] != steps_[p].parent) children.push_back(neighbour[e]);
      std::sort(children.begin(), children.end(),
                [&](auto a, auto b) { return std::pair(subtree_[b], b) < std::pair(subtree_[a], a); });
      stack.insert(stack.end(), children.begin(), children.end());  // the smallest subtree is popped first
    }
  }
}

void OrbitalPattern::label_orbits(const Integer& group_order, unsigned patience, const Task& task) {
  // Orbits are joined side by side, with words for each thread, and numbered in order.
  const bool alone = task.threads() == 1 || first_row_.size() == 1;
  const std::uint64_t grain = 4, together = alone ? 1 : grain * task.threads();
  std::vector<StabilizerWords> words;
  words.emplace_back(row_images_, col_images_);
  while (words.size() * grain < together) words.push_back(words[0]);
  const auto join_orbit = [&](std::uint32_t orbit, StabilizerWords& from) -> std::optional<ParityUnion> {
    if (from.empty() || (group_order != 0 && group_order == orbit_length_[orbit])) return std::nullopt;
    ParityUnion joined(cols_);
    std::vector<SignedPoint> cols;
    from.start(first_row_[orbit]);
    const auto join = [&](bool negative) {
      task.poll();
      bool changed = false;
      for (std::uint32_t c = 0; c < cols_; ++c)
        changed = joined.join(c, cols[c].point(), cols[c].negative() != negative) || changed;
      return changed;
    };
    if (from.number_of_generators() <= patience) {
      for (std::size_t k = 0; k < from.number_of_generators(); ++k) join(from.generator(k, cols));
    } else {
      // An element of the stabilizer that joins nothing new is evidence that nothing is left to join.
      for (unsigned idle = 0; idle < patience;) idle = join(from.next(cols)) ? 0 : idle + 1;
    }
    return joined;
  };
  for (std::uint64_t next = 0; next < first_row_.size(); next += together) {
    task.progress("joining orbits", next, first_row_.size());
    std::vector<std::optional<ParityUnion>> joined(std::min<std::uint64_t>(together, first_row_.size() - next));
    task.share(joined.size(), grain, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t k = first; k < last; ++k)
        joined[k] = join_orbit(static_cast<std::uint32_t>(next + k), words[first / grain]);
    });
    for (std::uint64_t k = 0; k < joined.size(); ++k)
      number_labels(static_cast<std::uint32_t>(next + k), joined[k] ? &*joined[k] : nullptr);
  }
}

/// Numbers the classes of columns of one row orbit; every column by itself if there are none.
void OrbitalPattern::number_labels(std::uint32_t orbit, ParityUnion* joined) {
  const std::uint32_t r = first_row_[orbit];
  std::int32_t* const labels = labels_.data() + orbit * cols_;
  for (std::uint32_t c = 0; c < cols_; ++c) {
    const auto [top, negative] = joined ? joined->find(c) : std::pair(c, false);
    if (top != c) {
      labels[c] = negative && !vanishes(labels[top]) ? -labels[top] : labels[top];
    } else if (joined && joined->is_zero(c)) {
      if (vanishing_.size() >= max_params)
        throw LimitError("more than 2^30 - 1 orbits of entries vanish; split the representation");
      labels[c] = std::numeric_limits<std::int32_t>::min() + static_cast<std::int32_t>(vanishing_.size());
      vanishing_.push_back({r, c});
    } else {
      if (params() >= max_params)
        throw LimitError(
            "more than 2^30 - 1 parameters: the table would not fit its index type; split the "
            "representation");
      labels[c] = static_cast<std::int32_t>(++params_);
    }
  }
}

std::vector<std::int64_t> OrbitalPattern::orbit_size(const Task& task) const {
  task.require_memory(4 * labels_.size() + 8 * params_, "the sizes of the orbits of entries");
  std::vector<std::int64_t> sizes(params_, 0);
  for (std::size_t orbit = 0; orbit < first_row_.size(); ++orbit)
    for (const std::int32_t label : labels_of_orbit(orbit))
      if (!vanishes(label)) sizes[static_cast<std::size_t>(std::abs(label)) - 1] += orbit_length_[orbit];
  return sizes;
}

std::vector<MatrixEntry> OrbitalPattern::smallest_entries() const {
  std::vector<MatrixEntry> entries;
  entries.reserve(params_);
  for (std::size_t orbit = 0; orbit < first_row_.size(); ++orbit)
    for (std::size_t c = 0; c < cols_; ++c)
      if (labels_of_orbit(orbit)[c] == static_cast<std::int64_t>(entries.size()) + 1)
        entries.push_back({first_row_[orbit], c});
  return entries;
}

std::int64_t OrbitalPattern::label(std::uint64_t i, std::uint64_t j) const {
  if (i >= rows_ || j >= cols_)
    throw DomainError(fmt::format("entry ({}, {}) is outside the {} x {} matrix (0-based)", i, j, rows_, cols_));
  auto row = static_cast<std::uint32_t>(i);
  SignedPoint col(static_cast<Point>(j));
  while (steps_[row].generator >= 0) {
    const Step step = steps_[row];
    const auto k = static_cast<std::size_t>(step.generator / 2);
    const bool forward = step.generator % 2 == 0;
    col = (forward ? col_inverses_ : col_images_)[k](col);
    col = col.flipped((forward ? row_images_ : row_inverses_)[k](step.parent).negative());
    row = step.parent;
  }
  const std::int64_t label = labels_of_orbit(orbit_of_row_[row])[col.point()];
  return vanishes(static_cast<std::int32_t>(label)) ? 0 : col.sign() * label;
}

bool OrbitalPattern::is_canonical() const {
  std::int64_t last = 0;
  for (std::size_t orbit = 0; orbit < first_row_.size(); ++orbit)
    for (const std::int32_t label : labels_of_orbit(orbit)) {
      if (vanishes(label) || std::abs(label) <= last) continue;
      if (label != last + 1) return false;
      ++last;
    }
  return last == static_cast<std::int64_t>(params_);
}

}  // namespace intertwine
