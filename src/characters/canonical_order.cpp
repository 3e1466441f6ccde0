// The order of columns as a function of the group: colours of rows and columns refine each other; columns that stay
// equal are told apart one after the other, trying what each choice leads to.
#include <algorithm>
#include <numeric>

#include "table_data.hpp"

namespace intertwine {

namespace {

using Colours = std::vector<std::uint32_t>;

std::uint64_t mixed(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15ULL;
  return h ^ (h >> 31);
}

class Refinement {
 public:
  Refinement(const ConjugacyClasses& classes, const std::map<std::uint32_t, Colours>& maps,
             const RawTable& table, const Task& task)
      : n_(classes.size()), maps_(maps), table_(table), task_(task) {
    std::vector<std::pair<std::uint64_t, Integer>> first;
    for (std::size_t c = 0; c < n_; ++c) first.emplace_back(classes[c].element_order, classes[c].size);
    abelian_ = classes.group().order() == n_;
    rows_.assign(n_, 0);
    columns_ = ranked(first);
  }

  /// The columns in order.
  Colours run() {
    by_powers();
    if (!discrete()) {
      number_values();
      refine();
      while (!discrete()) individualize();
    }
    Colours order(n_);
    for (std::size_t c = 0; c < n_; ++c) order[columns_[c]] = static_cast<std::uint32_t>(c);
    return order;
  }

 private:
  /// Keys to colours in their order: the number of keys that are smaller.
  template <class Key>
  static Colours ranked(const std::vector<Key>& keys) {
    Colours order(keys.size()), result(keys.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && keys[order[i - 1]] < keys[order[i]]) rank = static_cast<std::uint32_t>(i);
      result[order[i]] = rank;
    }
    return result;
  }

  static std::size_t cells(const Colours& colours) {
    Colours sorted = colours;
    std::sort(sorted.begin(), sorted.end());
    return static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
  }
  bool discrete() const { return cells(columns_) == n_; }

  /// Values become numbers that do not depend on the order of the pool.
  void number_values() {
    std::vector<std::uint32_t> order(table_.pool.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return table_.pool[a] < table_.pool[b]; });
    std::vector<std::uint32_t> number(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) number[order[k]] = static_cast<std::uint32_t>(k);
    value_.reserve(table_.values.size());
    for (const std::uint32_t v : table_.values) value_.push_back(number[v]);
  }

  void by_powers() {
    for (std::size_t before = 0, now = cells(columns_); before != now && now != n_; now = cells(columns_)) {
      before = now;
      power_step();
    }
  }

  void power_step() {
    std::vector<Colours> key(n_);
    for (std::size_t c = 0; c < n_; ++c) {
      key[c].push_back(columns_[c]);
      for (const auto& [p, map] : maps_) key[c].push_back(columns_[map[c]]);
    }
    for (const auto& [p, map] : maps_) {
      std::vector<Colours> roots(n_);
      for (std::size_t c = 0; c < n_; ++c) roots[map[c]].push_back(columns_[c]);
      for (std::size_t c = 0; c < n_; ++c) {
        std::sort(roots[c].begin(), roots[c].end());
        key[c].push_back(static_cast<std::uint32_t>(roots[c].size()));
        key[c].insert(key[c].end(), roots[c].begin(), roots[c].end());
      }
    }
    columns_ = ranked(key);
  }

  /// Rows by the values in every colour of columns and the other way round, until nothing changes.
  void refine() {
    std::size_t before = 0;
    for (std::size_t now = cells(columns_) + cells(rows_); now != before;
         now = cells(columns_) + cells(rows_)) {
      before = now;
      task_.poll();
      std::vector<std::pair<std::uint32_t, std::uint64_t>> row(n_), column(n_);
      for (std::size_t i = 0; i < n_; ++i) {
        row[i].first = rows_[i];
        for (std::size_t c = 0; c < n_; ++c)
          row[i].second += mixed(mixed(value_[i * n_ + c], 1 + columns_[c]), 7);
      }
      rows_ = ranked(row);
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t c = 0; c < n_; ++c)
          column[c].second += mixed(mixed(value_[i * n_ + c], 1 + rows_[i]), 11);
      for (std::size_t c = 0; c < n_; ++c) column[c].first = columns_[c];
      columns_ = ranked(column);
      power_step();
    }
  }

  /// What the colours look like, for comparing choices.
  std::uint64_t trace() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t c = 0; c < n_; ++c)
        sum += mixed(mixed(mixed(value_[i * n_ + c], 1 + rows_[i]), 1 + columns_[c]), 13);
    return sum;
  }

  void individualize() {
    Colours count(n_ + 1, 0);
    for (const std::uint32_t c : columns_) ++count[c];
    std::uint32_t colour = 0;
    while (count[colour] <= 1) ++colour;
    const Colours old_rows = rows_, old_columns = columns_;
    Colours best_rows, best_columns;
    std::uint64_t best = 0;
    // In abelian groups elements that look alike are taken for images of one another under automorphisms.
    const bool all = !abelian_ && n_ * n_ * count[colour] <= 4'000'000;
    for (std::size_t c = 0; c < n_; ++c) {
      if (old_columns[c] != colour) continue;
      rows_ = old_rows;
      columns_ = old_columns;
      for (std::size_t d = 0; d < n_; ++d)
        if (d != c && columns_[d] == colour) ++columns_[d];
      refine();
      const std::uint64_t now = trace();
      if (best_columns.empty() || now < best) best = now, best_rows = rows_, best_columns = columns_;
      if (!all) break;
    }
    rows_ = std::move(best_rows);
    columns_ = std::move(best_columns);
  }

  std::size_t n_;
  bool abelian_ = false;
  const std::map<std::uint32_t, Colours>& maps_;
  const RawTable& table_;
  const Task& task_;
  std::vector<std::uint32_t> value_;
  Colours rows_, columns_;
};

}  // namespace

std::vector<std::uint32_t> canonical_columns(
    const ConjugacyClasses& classes, const std::map<std::uint32_t, std::vector<std::uint32_t>>& power_maps,
    const RawTable& table, const Task& task) {
  return Refinement(classes, power_maps, table, task).run();
}

}  // namespace intertwine
