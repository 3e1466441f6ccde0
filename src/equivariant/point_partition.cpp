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
  return p;
}

void Refiner::push(std::uint32_t cell) {
  if (waiting_[cell] != 0) return;
  waiting_[cell] = 1;
  queue_.push_back(cell);
}

/// Splits the cell beginning at `first` by the weights of its points, in increasing order of the weights, and
/// hashes what it sees.
void Refiner::split(PointPartition& p, std::uint32_t first, std::uint64_t& seen) {
  const std::uint32_t length = p.length[first];
  const auto begin = p.elements.begin() + first;
  const auto weight = [this](Point x) { return weight_[x]; };
  const std::uint64_t common = weight(*begin);
  if (std::all_of(begin, begin + length, [&](Point x) { return weight(x) == common; })) {
    seen = mixed(seen ^ common);
    return;
  }
  const auto rest = std::partition(begin, begin + length, [&](Point x) { return weight(x) == 0; });
  std::sort(rest, begin + length, [&](Point x, Point y) { return weight(x) < weight(y); });
  const bool was_waiting = waiting_[first] != 0;
  std::uint32_t largest = first;
  p.length[first] = 0;
  for (std::uint32_t from = 0; from < length;) {
    std::uint32_t to = from;
    const std::uint64_t value = weight(begin[from]);
    for (; to < length && weight(begin[to]) == value; ++to) p.cell[begin[to]] = first + from;
    p.length[first + from] = to - from;
    if (to - from > p.length[largest]) largest = first + from;
    if (from != 0) ++p.cells;
    seen = mixed(mixed(seen ^ value) + to);
    from = to;
  }
  // All parts but one tell what the old cell, already used or no more needed, and they all would.
  for (std::uint32_t part = first; part < first + length; part += p.length[part])
    if (was_waiting || part != largest) push(part);
}

/// Splits every cell with its beginning in [begin, end) that has more than one point.
std::uint64_t Refiner::split_side(PointPartition& p, std::uint32_t begin, std::uint32_t end,
                                  std::uint64_t seen) {
  for (std::uint32_t first = begin; first < end;) {
    const std::uint32_t next = first + p.length[first];
    if (next - first > 1)
      split(p, first, seen);
    else
      seen = mixed(seen ^ weight_[p.elements[first]]);
    first = next;
  }
  return seen;
}

/// The same for the cells of the touched points alone, whose weights are 0 again then. Cells of one point are told apart by a sum, so that only the others need
/// an order.
std::uint64_t Refiner::split_touched(PointPartition& p, std::uint64_t seen) {
  for (const Point x : touched_) {
    const std::uint32_t cell = p.cell[x];
    if (p.length[cell] == 1) {
      if (weight_[x] != 0) seen += mixed(cell ^ mixed(weight_[x]));
      weight_[x] = 0;
    } else if (met_[cell] == 0) {
      met_[cell] = 1;
      met_cells_.push_back(cell);
    }
  }
  std::ranges::sort(met_cells_);
  for (const std::uint32_t first : met_cells_) {
    met_[first] = 0;
    seen = mixed(seen ^ first);
    split(p, first, seen);
  }
  for (const Point x : touched_) weight_[x] = 0;
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
  const std::uint32_t first = p.cell[x], length = p.length[first];
  const auto begin = p.elements.begin() + first;
  std::iter_swap(begin, std::find(begin, begin + length, x));
  p.length[first] = 1;
  p.length[first + 1] = length - 1;
  ++p.cells;
  for (std::uint32_t k = 1; k < length; ++k) p.cell[begin[k]] = first + 1;
  push(first);
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
