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

/// Splits the cell beginning at `first` by the weights of its points, in increasing order, and hashes what it sees. `weighted` are
/// the points of the cell whose weights are not 0: what it costs.
void Refiner::split(PointPartition& p, std::uint32_t first, std::span<Point> weighted, std::uint64_t& seen) {
  const std::uint32_t length = p.length[first], light = length - static_cast<std::uint32_t>(weighted.size());
  const auto weight = [this](Point x) { return weight_[x]; };
  const std::uint64_t common = weighted.empty() ? 0 : weight(weighted[0]);
  if ((light == 0 || weighted.empty()) &&
      std::ranges::all_of(weighted, [&](Point x) { return weight(x) == common; })) {
    seen = mixed(seen ^ common);
    return;
  }
  std::ranges::sort(weighted,
                    [&](Point x, Point y) { return std::pair(weight(x), x) < std::pair(weight(y), y); });
  p.move_to_end(first, weighted);
  std::vector<std::uint32_t>& parts = parts_;  // where they begin
  parts.assign(1, first);
  if (light > 0) seen = mixed(mixed(seen) + light);
  for (std::uint32_t from = 0; from < weighted.size();) {
    std::uint32_t to = from;
    const std::uint64_t value = weight(weighted[from]);
    while (to < weighted.size() && weight(weighted[to]) == value) ++to;
    if (light + from > 0) parts.push_back(first + light + from);
    seen = mixed(mixed(seen ^ value) + light + to);
    from = to;
  }
  const bool was_waiting = waiting_[first] != 0;
  for (std::size_t k = parts.size(); k-- > 1;) p.split_off(first, parts[k]);
  const std::uint32_t largest =
      *std::ranges::max_element(parts, {}, [&](std::uint32_t c) { return p.length[c]; });
  // All parts but one tell what the old cell, already used or no more needed, and they all would.
  for (const std::uint32_t part : parts)
    if (was_waiting || part != largest) push(part);
}

/// Splits every cell with its beginning in [begin, end) that has more than one point.
std::uint64_t Refiner::split_side(PointPartition& p, std::uint32_t begin, std::uint32_t end,
                                  std::uint64_t seen) {
  for (std::uint32_t first = begin; first < end;) {
    const std::uint32_t next = first + p.length[first];
    if (next - first > 1) {
      by_cell_.clear();
      for (const Point x : p.points_of(first))
        if (weight_[x] != 0) by_cell_.push_back(x);
      split(p, first, by_cell_, seen);
    } else {
      seen = mixed(seen ^ weight_[p.elements[first]]);
    }
    first = next;
  }
  return seen;
}

/// The same for the cells of the touched points alone, whose weights are 0 again then. Cells of one point are told apart by a sum, so that only the others need
/// an order.
std::uint64_t Refiner::split_touched(PointPartition& p, std::uint64_t seen) {
  std::size_t kept = 0;
  for (const Point x : touched_) {
    const std::uint32_t cell = p.cell[x];
    if (p.length[cell] == 1) {
      if (weight_[x] != 0) seen += mixed(cell ^ mixed(weight_[x]));
      weight_[x] = 0;
    } else if (weight_[x] != 0 && taken_[x] == 0) {  // twice if its weight was 0 on the way
      taken_[x] = 1;
      if (met_[cell]++ == 0) met_cells_.push_back(cell);
      touched_[kept++] = x;
    }
  }
  touched_.resize(kept);
  std::ranges::sort(met_cells_);
  by_cell_.resize(kept);
  std::uint32_t begin = 0;
  for (const std::uint32_t cell : met_cells_) met_[cell] = begin += met_[cell];  // the end of its points
  for (const Point x : touched_) by_cell_[--met_[p.cell[x]]] = x;
  for (std::size_t k = 0; k < met_cells_.size(); ++k) {
    const std::uint32_t first = met_cells_[k], from = met_[first],
                        to = k + 1 < met_cells_.size() ? met_[met_cells_[k + 1]]
                                                       : static_cast<std::uint32_t>(kept);
    seen = mixed(seen ^ first);
    split(p, first, std::span(by_cell_).subspan(from, to - from), seen);
  }
  for (const std::uint32_t cell : met_cells_) met_[cell] = 0;
  for (const Point x : touched_) weight_[x] = taken_[x] = 0;
  met_cells_.clear();
  touched_.clear();
  return seen;
}

bool Refiner::run(PointPartition& p, Trace* record, const Trace* expected, const Task& task) {
  const ColourTable* dense = table_.dense();
  const std::uint32_t middle = dense == nullptr ? 0 : dense->row_points(), n = table_.points();
  std::size_t step = 0;
  bool same = true;
  const auto note = [&](std::uint64_t seen) {
    if (record != nullptr) record->push_back(seen);
    if (expected != nullptr) same = step < expected->size() && (*expected)[step] == seen;
    ++step;
  };
  while (same && !queue_.empty() && !p.is_discrete()) {
    task.poll();
    const std::uint32_t cell = queue_.front();
    queue_.pop_front();
    waiting_[cell] = 0;
    splitter_.assign(p.elements.begin() + cell, p.elements.begin() + cell + p.length[cell]);
    if (dense == nullptr) {
      for (const Point y : splitter_) table_.add_unusual(y, weight_, touched_);
      note(split_touched(p, mixed(cell) + splitter_.size()));
    } else {
      const bool is_row = cell < middle;
      const std::uint32_t begin = is_row ? middle : 0, end = is_row ? n : middle;
      for (const Point y : splitter_) dense->add_colours(y, weight_);
      note(split_side(p, begin, end, mixed(cell) + splitter_.size()));
      std::fill(weight_.begin() + begin, weight_.begin() + end, 0);
    }
    if (!table_.has_signs() || !same) continue;
    for (const Point y : splitter_) {
      weight_[y ^ 1] = 1;
      touched_.push_back(y ^ 1);
    }
    note(split_touched(p, ~mixed(cell)));
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
