#include "point_partition.hpp"

#include <algorithm>
#include <numeric>

#include "colour_table.hpp"
#include "exact/mixed.hpp"

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
    for (; end < n && kind(p.elements[end]) == kind(p.elements[begin]); ++end)
      p.cell[p.elements[end]] = begin;
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

/// Splits the cell beginning at `first` by the weights of its points, in increasing order. `weighted` are the points of the cell whose weights are
/// not 0: what it costs.
void Refiner::split(PointPartition& p, std::uint32_t first, std::span<Point> weighted) {
  const std::uint32_t length = p.length[first], light = length - static_cast<std::uint32_t>(weighted.size());
  const auto weight = [this](Point x) { return weight_[x]; };
  if (light == 0 && std::ranges::all_of(weighted, [&](Point x) { return weight(x) == weight(weighted[0]); }))
    return;
  std::ranges::sort(weighted,
                    [&](Point x, Point y) { return std::pair(weight(x), x) < std::pair(weight(y), y); });
  p.move_to_end(first, weighted);
  parts_.assign(1, first);  // where they begin
  for (std::uint32_t at = light == 0 ? 1 : 0; at < weighted.size(); ++at)
    if (at == 0 || weight(weighted[at]) != weight(weighted[at - 1])) parts_.push_back(first + light + at);
  const bool was_waiting = waiting_[first] != 0;
  for (std::size_t k = parts_.size(); k-- > 1;) p.split_off(first, parts_[k]);
  const std::uint32_t largest =
      *std::ranges::max_element(parts_, {}, [&](std::uint32_t c) { return p.length[c]; });
  // All parts but one tell what the old cell, already used or no more needed, and they all would.
  for (const std::uint32_t part : parts_)
    if (was_waiting || part != largest) push(part);
}

/// What is seen: the cells and weights of the touched points, as a sum. Puts those of cells of several points into by_cell_.
std::uint64_t Refiner::gather(const PointPartition& p, std::uint64_t seen) {
  std::size_t kept = 0;
  for (const Point x : touched_) {
    if (weight_[x] == 0 || taken_[x] != 0) continue;  // twice if its weight was 0 on the way
    const std::uint32_t cell = p.cell[x];
    seen += mixed(weight_[x] + cell * 0x9e3779b97f4a7c15U);
    if (p.length[cell] == 1) {
      weight_[x] = 0;
      continue;
    }
    taken_[x] = 1;
    if (met_[cell]++ == 0) met_cells_.push_back(cell);
    touched_[kept++] = x;
  }
  touched_.resize(kept);
  return seen;
}

/// Splits the cells of the touched points that were gathered, if `same`; their weights are 0 again then.
void Refiner::split_gathered(PointPartition& p, bool same) {
  if (same) {
    std::ranges::sort(met_cells_);
    by_cell_.resize(touched_.size());
    std::uint32_t begin = 0;
    for (const std::uint32_t cell : met_cells_) met_[cell] = begin += met_[cell];  // the end of its points
    for (const Point x : touched_) by_cell_[--met_[p.cell[x]]] = x;
    for (std::size_t k = 0; k < met_cells_.size(); ++k) {
      const std::size_t from = met_[met_cells_[k]],
                        to = k + 1 < met_cells_.size() ? met_[met_cells_[k + 1]] : by_cell_.size();
      split(p, met_cells_[k], std::span(by_cell_).subspan(from, to - from));
    }
  }
  for (const std::uint32_t cell : met_cells_) met_[cell] = 0;
  for (const Point x : touched_) weight_[x] = taken_[x] = 0;
  met_cells_.clear();
  touched_.clear();
}

bool Refiner::run(PointPartition& p, Trace* record, const Trace* expected, const Task& task) {
  const ColourTable* dense = table_.dense();
  const std::uint32_t middle = dense == nullptr ? 0 : dense->row_points(), n = table_.points();
  std::size_t step = 0;
  bool same = true;
  // Where what is seen is not what was expected nothing is split any more.
  const auto note = [&](std::uint64_t seed) {
    const std::uint64_t seen = gather(p, seed);
    if (record != nullptr) record->push_back(seen);
    if (expected != nullptr) same = step < expected->size() && (*expected)[step] == seen;
    ++step;
    split_gathered(p, same);
  };
  while (same && !queue_.empty() && !p.is_discrete()) {
    task.poll();
    const std::uint32_t cell = queue_.front();
    queue_.pop_front();
    waiting_[cell] = 0;
    splitter_.assign(p.elements.begin() + cell, p.elements.begin() + cell + p.length[cell]);
    if (dense == nullptr) {
      for (const Point y : splitter_) table_.add_unusual(y, weight_, touched_);
    } else {
      for (const Point y : splitter_) dense->add_colours(y, weight_);
      for (Point x = cell < middle ? middle : 0; x < (cell < middle ? n : middle); ++x)
        if (weight_[x] != 0) touched_.push_back(x);
    }
    note(mixed(cell) + splitter_.size());
    if (!table_.has_signs() || !same) continue;
    for (const Point y : splitter_) {
      weight_[y ^ 1] = 1;
      touched_.push_back(y ^ 1);
    }
    note(~mixed(cell));
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
