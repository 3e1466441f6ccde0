// Refines ordered partitions of points.
#include "point_partition.hpp"

#include <algorithm>
#include <numeric>

#include "colour_table.hpp"
#include "groups/mixed.hpp"

namespace intertwine {

PointPartition initial_partition(const SearchTable& table) {
  const std::uint32_t n = table.points();
  PointPartition p;
  p.elements.resize(n);
  p.place.resize(n);
  p.cell.resize(n);
  p.length.resize(n);
  std::iota(p.elements.begin(), p.elements.end(), Point{0});
  const auto kind = [&](Point x) { return table.kind(x); };
  std::ranges::stable_sort(p.elements, {}, kind);
  for (std::uint32_t begin = 0; begin < n; begin += p.length[begin], ++p.cells) {
    std::uint32_t end = begin;
    for (; end < n && kind(p.elements[end]) == kind(p.elements[begin]); ++end) p.cell[p.elements[end]] = begin;
    p.length[begin] = end - begin;
  }
  for (std::uint32_t at = 0; at < n; ++at) p.place[p.elements[at]] = at;
  return p;
}

void PointPartition::move_to_end(std::uint32_t c, std::span<const Point> points) {
  for (std::uint32_t end = c + length[c]; const Point x : points) {  // any place there
    const std::uint32_t from = place[x], to = --end;
    std::swap(elements[from], elements[to]);
    place[elements[from]] = from;
    place[x] = to;
  }
  for (auto at = c + length[c] - static_cast<std::uint32_t>(points.size()); const Point x : points) {
    elements[at] = x;
    place[x] = at++;
  }
}

void PointPartition::split_off(std::uint32_t c, std::uint32_t from) {
  const std::uint32_t end = c + length[c];
  for (std::uint32_t at = from; at < end; ++at) cell[elements[at]] = from;
  length[from] = end - from;
  length[c] = from - c;
  ++cells;
  cuts.push_back(from);
}

void PointPartition::join_until(std::size_t cuts_left) {
  for (; cuts.size() > cuts_left; cuts.pop_back(), --cells) {
    const std::uint32_t from = cuts.back(), c = cell[elements[from - 1]];
    for (std::uint32_t at = from; at < from + length[from]; ++at) cell[elements[at]] = c;
    length[c] += length[from];
  }
}

void Refiner::push(std::uint32_t cell) {
  if (waiting_[cell] != 0) return;
  waiting_[cell] = 1;
  queue_.push_back(cell);
}

/// Splits the cell beginning at `first` by the weights of its points, which are not all equal, in increasing order. `weighted` are the points of the cell
/// whose weights are not 0: what it costs.
void Refiner::split(PointPartition& p, std::uint32_t first, std::span<Point> weighted) {
  const std::uint32_t length = p.length[first], light = length - static_cast<std::uint32_t>(weighted.size());
  const auto weight = [this](Point x) { return weight_[x]; };
  std::ranges::sort(weighted, [&](Point x, Point y) { return std::pair(weight(x), x) < std::pair(weight(y), y); });
  p.move_to_end(first, weighted);
  parts_.assign(1, first);  // where they begin
  for (std::uint32_t at = light == 0 ? 1 : 0; at < weighted.size(); ++at)
    if (at == 0 || weight(weighted[at]) != weight(weighted[at - 1])) parts_.push_back(first + light + at);
  const bool was_waiting = waiting_[first] != 0;
  for (std::size_t k = parts_.size(); k-- > 1;) p.split_off(first, parts_[k]);
  push_parts(p, was_waiting);
}

/// The cells in parts_ were one, which waited or not.
void Refiner::push_parts(const PointPartition& p, bool was_waiting) {
  const std::uint32_t largest = *std::ranges::max_element(parts_, {}, [&](std::uint32_t c) { return p.length[c]; });
  // All parts but one tell what the old cell, already used or no more needed, and they all would.
  for (const std::uint32_t part : parts_)
    if (was_waiting || part != largest) push(part);
}

namespace {

constexpr std::uint64_t plain_weight = mixed(0);

std::uint64_t seen_in(std::uint32_t cell, std::uint64_t weight) { return mixed(weight + cell * 0x9e3779b97f4a7c15U); }

}  // namespace

/// The weights by the points in splitter_, and what they touch, in a plain table.
void Refiner::weigh_plainly() {
  std::size_t touches = 1;  // and one place that is written in vain
  for (const Point y : splitter_) touches += table_.neighbours(y).size();
  touched_.resize(std::min(touches, weight_.size() + 1));
  Point* end = touched_.data();
  for (const Point y : splitter_)
    for (const Point x : table_.neighbours(y)) {
      *end = x;
      end += weight_[x] == 0 ? 1 : 0;
      weight_[x] += plain_weight;
    }
  touched_.resize(static_cast<std::size_t>(end - touched_.data()));
}

/// The cells and weights of the touched points, as a sum. Points in cells of several points stay in touched_, their
/// cells in met_cells_.
std::uint64_t Refiner::gather(const PointPartition& p, std::uint64_t seen) {
  std::size_t kept = 0;
  for (const Point x : touched_) {
    const std::uint64_t weight = weight_[x];
    if (weight == 0 || taken_[x] != 0) continue;  // twice if its weight was 0 on the way
    const std::uint32_t cell = p.cell[x];
    seen += seen_in(cell, weight);
    if (p.length[cell] == 1) {
      weight_[x] = 0;
      continue;
    }
    taken_[x] = 1;
    if (met_[cell]++ == 0) {
      met_cells_.push_back(cell);
      met_weight_[cell] = weight;
    }
    if (weight != met_weight_[cell]) uneven_[cell] = 1;
    touched_[kept++] = x;
  }
  touched_.resize(kept);
  return seen;
}

/// Splits the cells of the touched points that were gathered, if `same`; their weights are 0 again then.
void Refiner::split_gathered(PointPartition& p, bool same) {
  std::erase_if(met_cells_, [&](std::uint32_t cell) {
    const bool is_split = same && (uneven_[cell] != 0 || met_[cell] < p.length[cell]);
    uneven_[cell] = 0;
    if (!is_split) met_[cell] = 0;
    return !is_split;
  });
  if (!met_cells_.empty()) {
    std::ranges::sort(met_cells_);
    by_cell_.resize(touched_.size());
    std::uint32_t begin = 0;
    for (const std::uint32_t cell : met_cells_) met_[cell] = begin += met_[cell];  // the end of its points
    const std::uint32_t end = begin;
    for (const Point x : touched_)
      if (std::uint32_t& to = met_[p.cell[x]]; to != 0) by_cell_[--to] = x;
    for (std::size_t k = 0; k < met_cells_.size(); ++k) {
      const std::size_t from = met_[met_cells_[k]], to = k + 1 < met_cells_.size() ? met_[met_cells_[k + 1]] : end;
      split(p, met_cells_[k], std::span(by_cell_).subspan(from, to - from));
    }
    for (const std::uint32_t cell : met_cells_) met_[cell] = 0;
    met_cells_.clear();
  }
  for (const Point x : touched_) weight_[x] = taken_[x] = 0;
  touched_.clear();
}

/// The sum of gather(), without weights, for a splitter of one point y in a plain table, whose neighbours have one
/// weight.
std::uint64_t Refiner::meet_neighbours(const PointPartition& p, Point y, std::uint64_t seen) {
  for (const Point x : table_.neighbours(y)) {
    const std::uint32_t cell = p.cell[x];
    if (p.length[cell] == 1)
      seen += lone_hash_[cell];
    else if (met_[cell]++ == 0)
      met_cells_.push_back(cell);
  }
  for (const std::uint32_t cell : met_cells_)
    seen += seen_in(cell, plain_weight * met_[cell]);  // how many, as a weight
  return seen;
}

/// Splits the cells with neighbours of y and others, if `same`: the neighbours are the part behind.
void Refiner::split_met(PointPartition& p, Point y, bool same) {
  std::erase_if(met_cells_, [&](std::uint32_t cell) {
    const bool is_split = same && met_[cell] < p.length[cell];
    met_[cell] = is_split ? cell + p.length[cell] : 0;  // what is behind are neighbours
    return !is_split;
  });
  if (met_cells_.empty()) return;
  for (const Point x : table_.neighbours(y)) {
    std::uint32_t& end = met_[p.cell[x]];
    if (end == 0) continue;
    const std::uint32_t from = p.place[x];
    const Point other = p.elements[--end];
    p.elements[from] = other;
    p.place[other] = from;
    p.elements[end] = x;
    p.place[x] = end;
  }
  std::ranges::sort(met_cells_);
  for (const std::uint32_t first : met_cells_) {
    const std::uint32_t part = met_[first], end = first + p.length[first];
    met_[first] = 0;
    std::reverse(p.elements.begin() + part, p.elements.begin() + end);  // ascending
    for (std::uint32_t at = part; at < end; ++at) p.place[p.elements[at]] = at;
    const bool was_waiting = waiting_[first] != 0;
    p.split_off(first, part);
    parts_.assign({first, part});
    push_parts(p, was_waiting);
  }
  met_cells_.clear();
}

Refiner::Refiner(const SearchTable& table)
    : table_(table),
      weight_(table.points()),
      waiting_(table.points()),
      met_(table.points()),
      met_weight_(table.points()),
      uneven_(table.points()),
      taken_(table.points()) {
  if (!table.is_plain()) return;
  lone_hash_.reserve(table.points());
  for (std::uint32_t cell = 0; cell < table.points(); ++cell) lone_hash_.push_back(seen_in(cell, plain_weight));
}

bool Refiner::run(PointPartition& p, Trace* record, const Trace* expected, const Task& task) {
  const ColourTable* dense = table_.dense();
  const std::uint32_t middle = dense == nullptr ? 0 : dense->row_points(), n = table_.points();
  const bool is_plain = table_.is_plain();
  std::size_t step = 0;
  bool same = true;
  // After a sum that was not expected, nothing is split any more.
  const auto note = [&](std::uint64_t seen) {
    if (record != nullptr) record->push_back(seen);
    if (expected != nullptr) same = step < expected->size() && (*expected)[step] == seen;
    ++step;
  };
  const auto split_touched = [&](std::uint64_t seed) {
    note(gather(p, seed));
    split_gathered(p, same);
  };
  while (same && !queue_.empty() && !p.is_discrete()) {
    task.poll();
    const std::uint32_t cell = queue_.front();
    queue_.pop_front();
    waiting_[cell] = 0;
    const std::uint64_t seed = mixed(cell) + p.length[cell];
    if (is_plain && p.length[cell] == 1) {
      const Point y = p.elements[cell];
      note(meet_neighbours(p, y, seed));
      split_met(p, y, same);
      continue;
    }
    splitter_.assign(p.elements.begin() + cell, p.elements.begin() + cell + p.length[cell]);
    if (is_plain) {
      weigh_plainly();
    } else if (dense == nullptr) {
      for (const Point y : splitter_) table_.add_unusual(y, weight_, touched_);
    } else {
      for (const Point y : splitter_) dense->add_colours(y, weight_);
      for (Point x = cell < middle ? middle : 0; x < (cell < middle ? n : middle); ++x)
        if (weight_[x] != 0) touched_.push_back(x);
    }
    split_touched(seed);
    if (!table_.has_signs() || !same) continue;
    for (const Point y : splitter_) {
      weight_[y ^ 1] = 1;
      touched_.push_back(y ^ 1);
    }
    split_touched(~mixed(cell));
  }
  for (const std::uint32_t cell : queue_) waiting_[cell] = 0;
  queue_.clear();
  return same && (expected == nullptr || step == expected->size());
}

void Refiner::refine_all(PointPartition& p, Trace& trace, const Task& task) {
  for (std::uint32_t first = 0; first < p.size(); first += p.length[first]) push(first);
  run(p, &trace, nullptr, task);
}

void Refiner::single_out(PointPartition& p, Point x) {
  const std::uint32_t first = p.cell[x], last = first + p.length[first] - 1;
  p.move_to_end(first, std::span(&x, 1));
  p.split_off(first, last);
  push(last);
}

void Refiner::individualize(PointPartition& p, Point x, Trace& trace, const Task& task) {
  single_out(p, x);
  run(p, &trace, nullptr, task);
}

bool Refiner::individualize_like(PointPartition& p, Point x, const Trace& expected, const Task& task) {
  single_out(p, x);
  return run(p, nullptr, &expected, task);
}

}  // namespace intertwine
