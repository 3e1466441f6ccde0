// Actions of finitely presented groups on few points, and abelian quotients of their kernels.
#include "groups/named/infinite_quotient.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/modular_matrix.hpp"

namespace intertwine {

namespace {

/// A table of the images of points under letters: generator k in column 2 k, its inverse in column 2 k + 1.
class SmallActionSearch {
 public:
  SmallActionSearch(const Presentation& P, std::size_t most, std::uint64_t steps,
                    const std::function<bool(const CosetTable&)>& found, const Task& task)
      : width_(2 * P.generators.size()), most_(most), steps_(steps), found_(found), task_(task) {
    for (const Word& w : P.relators) {
      auto& columns = relators_.emplace_back();
      for (const std::int32_t x : w)
        columns.push_back(2 * (static_cast<std::size_t>(std::abs(x)) - 1) + (x < 0 ? 1 : 0));
    }
  }

  void run() {
    Table start{1, std::vector<int>(width_ * most_, -1)};
    if (close(start)) extend(start);
  }

 private:
  struct Table {
    std::size_t points;
    std::vector<int> to;
  };
  int at(const Table& t, int point, std::size_t x) const { return t.to[static_cast<std::size_t>(point) * width_ + x]; }
  /// False if it contradicts what is there.
  bool join(Table& t, int from, std::size_t x, int image) const {
    int &there = t.to[static_cast<std::size_t>(from) * width_ + x],
        &back = t.to[static_cast<std::size_t>(image) * width_ + (x ^ 1)];
    if ((there >= 0 && there != image) || (back >= 0 && back != from)) return false;
    there = image;
    back = from;
    return true;
  }

  /// Enters what follows from the relators at all points; false if they do not hold.
  bool close(Table& t) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& w : relators_)
        for (int point = 0; point < static_cast<int>(t.points); ++point) {
          int front = point, back = point;
          std::size_t i = 0, j = w.size();
          while (i < j && at(t, front, w[i]) >= 0) front = at(t, front, w[i++]);
          while (i < j && at(t, back, w[j - 1] ^ 1) >= 0) back = at(t, back, w[--j] ^ 1);
          if (i == j && front != back) return false;
          if (i + 1 != j) continue;
          if (!join(t, front, w[i], back)) return false;
          changed = true;
        }
    }
    return true;
  }

  /// No other base point gives a smaller table, as far as both are known.
  bool is_first_of_its_class(const Table& t) const {
    for (int base = 1; base < static_cast<int>(t.points); ++base) {
      std::vector<int> number(t.points, -1), point{base};
      number[static_cast<std::size_t>(base)] = 0;
      bool decided = false;
      for (std::size_t p = 0; p < t.points && !decided; ++p)
        for (std::size_t x = 0; x < width_ && !decided; ++x) {
          const int here = at(t, static_cast<int>(p), x), other = at(t, point[p], x);
          if (here < 0 || other < 0) {
            decided = true;
            continue;
          }
          int& renamed = number[static_cast<std::size_t>(other)];
          if (renamed < 0) {
            renamed = static_cast<int>(point.size());
            point.push_back(other);
          }
          if (renamed < here) return false;
          decided = renamed > here;
        }
    }
    return true;
  }

  void extend(const Table& t) {
    if (done_ || steps_ == 0) return;
    --steps_;
    task_.poll();
    const auto end = t.to.begin() + static_cast<std::ptrdiff_t>(t.points * width_);
    const auto gap = static_cast<std::size_t>(std::find(t.to.begin(), end, -1) - t.to.begin());
    if (gap == t.points * width_) return finish(t);
    const auto from = static_cast<int>(gap / width_);
    for (std::size_t image = 0; image < std::min(t.points + 1, most_); ++image) {
      Table next = t;
      next.points = std::max(t.points, image + 1);
      if (join(next, from, gap % width_, static_cast<int>(image)) && close(next) && is_first_of_its_class(next))
        extend(next);
    }
  }

  void finish(const Table& t) {
    CosetTable result;
    result.cosets = t.points;
    for (std::size_t x = 0; x < width_; x += 2) {
      auto& action = result.actions.emplace_back();
      for (int c = 0; c < static_cast<int>(t.points); ++c) action.push_back(static_cast<Point>(at(t, c, x)));
    }
    done_ = found_(result);
  }

  std::size_t width_, most_;
  std::uint64_t steps_;
  const std::function<bool(const CosetTable&)>& found_;
  const Task& task_;
  std::vector<std::vector<std::size_t>> relators_;
  bool done_ = false;
};

/// The regular action of the group that permutations generate; nothing if it has more than `most` elements.
std::optional<CosetTable> regular_table(const CosetTable& action, std::size_t most, const Task& task) {
  using Element = std::vector<Point>;
  std::map<Element, Point> number;
  std::vector<Element> elements(1);
  for (Point c = 0; c < action.cosets; ++c) elements[0].push_back(c);
  number.emplace(elements[0], 0);
  CosetTable result;
  result.actions.resize(action.actions.size());
  for (std::size_t e = 0; e < elements.size(); ++e) {
    task.poll();
    for (std::size_t k = 0; k < action.actions.size(); ++k) {
      Element product;
      for (const Point c : elements[e]) product.push_back(action.actions[k][c]);
      const auto [place, is_new] = number.emplace(std::move(product), static_cast<Point>(elements.size()));
      if (is_new) elements.push_back(place->first);
      result.actions[k].push_back(place->second);
    }
    if (elements.size() > most) return std::nullopt;
  }
  result.cosets = elements.size();
  return result;
}

}  // namespace

void for_each_small_action(const Presentation& P, std::size_t most, std::uint64_t steps,
                           const std::function<bool(const CosetTable&)>& found, const Task& task) {
  SmallActionSearch(P, most, steps, found, task).run();
}

std::size_t free_abelian_rank(const Presentation& P, const CosetTable& table, const Task& task) {
  const std::size_t n = P.generators.size(), k = table.cosets;
  std::vector<std::vector<Point>> back(n, std::vector<Point>(k));
  for (std::size_t x = 0; x < n; ++x)
    for (Point c = 0; c < k; ++c) back[x][table.actions[x][c]] = c;
  IntegerMatrix loops(P.relators.size() * k, n * k);
  for (std::size_t r = 0; r < P.relators.size(); ++r)
    for (Point c = 0; c < k; ++c) {
      std::map<std::size_t, long> edges;
      Point at = c;
      for (const std::int32_t letter : P.relators[r]) {
        const auto x = static_cast<std::size_t>(std::abs(letter)) - 1;
        if (letter < 0) at = back[x][at];
        edges[x * k + at] += letter > 0 ? 1 : -1;
        if (letter > 0) at = table.actions[x][at];
      }
      for (const auto& [edge, times] : edges) loops.set(r * k + c, edge, times);
    }
  const std::size_t cycles = n * k - (k - 1);
  constexpr std::uint64_t prime = (std::uint64_t{1} << 31) - 1;
  const RationalMatrix rational(std::move(loops));
  if (const auto modular = ModularMatrix::reduce(prime, rational); modular->rank(task) == cycles) return 0;
  return cycles - matrix_rank(rational, task);
}

std::optional<InfiniteQuotient> infinite_quotient(const Presentation& P, const Task& task) {
  constexpr std::size_t most_points = 8, most_columns = 500;
  constexpr std::uint64_t most_steps = 20'000;
  std::map<std::size_t, std::vector<CosetTable>> by_order;
  for_each_small_action(
      P, most_points, most_steps,
      [&](const CosetTable& action) {
        if (auto core = regular_table(action, most_columns / P.generators.size(), task))
          by_order[core->cosets].push_back(*std::move(core));
        return false;
      },
      task);
  std::size_t left = 20;
  for (const auto& [order, cores] : by_order)
    for (const CosetTable& core : cores) {
      if (left-- == 0) return std::nullopt;
      if (const std::size_t rank = free_abelian_rank(P, core, task)) return InfiniteQuotient{order, rank};
    }
  return std::nullopt;
}

}  // namespace intertwine
