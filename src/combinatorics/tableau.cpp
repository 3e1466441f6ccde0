// Semistandard and standard tableaux of straight and skew shapes.
#include "intertwine/combinatorics/tableau.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "intertwine/error.hpp"

namespace intertwine {

Tableau::Tableau(std::vector<std::vector<int>> rows) : rows_(std::move(rows)) {
  while (!rows_.empty() && rows_.back().empty()) rows_.pop_back();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (i > 0 && rows_[i].size() > rows_[i - 1].size())
      throw DomainError("Tableau: row " + std::to_string(i) + " is longer than the row above it");
    for (const int entry : rows_[i])
      if (entry < 0)
        throw DomainError("Tableau: the entry " + std::to_string(entry) + " in row " + std::to_string(i) +
                          " is negative");
  }
}

Partition Tableau::shape() const {
  std::vector<int> parts;
  for (const auto& row : rows_) parts.push_back(static_cast<int>(row.size()));
  return Partition(std::move(parts));
}

std::vector<int> Tableau::content(int n, const Task& task) const {
  if (n < 0) throw DomainError("content: the number of letters " + std::to_string(n) + " is negative");
  task.require_memory(sizeof(int) * static_cast<std::uint64_t>(n), "the content of a tableau");
  std::vector<int> count(n);
  for (const auto& row : rows_)
    for (const int entry : row) {
      if (entry >= n)
        throw DomainError("content: the entry " + std::to_string(entry) + " is not below " + std::to_string(n));
      ++count[entry];
    }
  return count;
}

bool Tableau::is_semistandard() const {
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (std::size_t j = 0; j < rows_[i].size(); ++j) {
      if (j > 0 && rows_[i][j] < rows_[i][j - 1]) return false;
      if (i > 0 && rows_[i][j] <= rows_[i - 1][j]) return false;
    }
  return true;
}

bool Tableau::is_standard() const {
  if (!is_semistandard()) return false;
  std::vector<int> entries;
  for (const auto& row : rows_) entries.insert(entries.end(), row.begin(), row.end());
  std::sort(entries.begin(), entries.end());
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (entries[k] != static_cast<int>(k)) return false;
  return true;
}

Tableau Tableau::transposed() const {
  std::vector<std::vector<int>> columns(rows_.empty() ? 0 : rows_[0].size());
  for (const auto& row : rows_)
    for (std::size_t j = 0; j < row.size(); ++j) columns[j].push_back(row[j]);
  return Tableau(std::move(columns));
}

std::string to_string(const Tableau& T) {
  std::string text;
  for (std::size_t i = 0; i < T.rows().size(); ++i) {
    if (i > 0) text += '\n';
    for (std::size_t j = 0; j < T.rows()[i].size(); ++j) {
      if (j > 0) text += ' ';
      text += std::to_string(T.rows()[i][j] + 1);
    }
  }
  return text;
}

namespace {

void require_moderate(const Partition& shape, const char* function) {
  if (shape.weight() > 1'000'000)
    throw LimitError(std::string(function) + ": the partition has weight " + std::to_string(shape.weight()) +
                     "; the limit is 1000000");
}

Integer hook_product(const Partition& shape) {
  Integer product = 1;
  for (const auto& row : hook_lengths(shape))
    for (const int h : row) product *= h;
  return product;
}

void require_count(const char* function, const Integer& count, std::size_t limit) {
  if (count > limit)
    throw LimitError(std::string(function) + ": there are " + to_string(count) + " tableaux, more than the limit " +
                     std::to_string(limit));
}

/// The corners of a shape: rows whose last cell can be taken away.
std::vector<int> corners(const std::vector<int>& shape) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] > (i + 1 < shape.size() ? shape[i + 1] : 0)) rows.push_back(static_cast<int>(i));
  return rows;
}

/// Calls visit(inner) for the shapes inner with outer/inner a horizontal strip (of `size` cells if size >=
/// 0), rows lexicographic, at most `length` rows.
template <class Visit>
void for_each_interlacing(const std::vector<int>& outer, int length, int size, const Visit& visit,
                          const Task& task = {}) {
  const int rows = static_cast<int>(outer.size());
  if (rows > length + 1) return;
  std::vector<int> inner(rows);
  const auto low = [&](int i) { return i + 1 < rows ? outer[i + 1] : 0; };
  for (int i = 0; i < rows; ++i) inner[i] = low(i);
  if (rows == length + 1 && rows > 0 && low(rows - 1) > 0) return;
  const auto high = [&](int i) { return i < length ? outer[i] : low(i); };
  const int total = std::accumulate(outer.begin(), outer.end(), 0);
  for (;;) {
    task.poll();
    if (size < 0 || total - std::accumulate(inner.begin(), inner.end(), 0) == size) visit(inner);
    int i = rows - 1;
    while (i >= 0 && inner[i] == high(i)) inner[i] = low(i), --i;
    if (i < 0) return;
    ++inner[i];
  }
}

std::vector<int> trimmed(std::vector<int> shape) {
  while (!shape.empty() && shape.back() == 0) shape.pop_back();
  return shape;
}

/// Fills the tableaux of this shape from the largest letter down. `content` is empty for any content.
void fill_semistandard(const std::vector<int>& shape, int n, const std::vector<int>& content,
                       std::vector<std::vector<int>>& rows, std::vector<Tableau>& out, const Task& task) {
  for (;; --n) {
    task.poll();
    if (shape.empty()) {
      for (int letter = 0; letter < n && !content.empty(); ++letter)
        if (content[letter] != 0) return;
      out.emplace_back(rows);
      return;
    }
    if (n == 0) return;
    // That the last letter does not occur is the last case of all; it is no call, for there may be many letters.
    bool without = false;
    for_each_interlacing(
        shape, n - 1, content.empty() ? -1 : content[n - 1],
        [&](const std::vector<int>& inner) {
          if ((without = inner == shape)) return;
          for (std::size_t i = 0; i < shape.size(); ++i)
            for (int j = inner[i]; j < shape[i]; ++j) rows[i][j] = n - 1;
          fill_semistandard(trimmed(inner), n - 1, content, rows, out, task);
        },
        task);
    if (!without) return;
  }
}

std::vector<std::vector<int>> blank(const Partition& shape) {
  std::vector<std::vector<int>> rows;
  for (const int part : shape) rows.emplace_back(part);
  return rows;
}

}  // namespace

Integer number_of_standard_tableaux(const Partition& shape) {
  require_moderate(shape, "number_of_standard_tableaux");
  return factorial(shape.weight()) / hook_product(shape);
}

Integer number_of_semistandard_tableaux(const Partition& shape, int n) {
  if (n < 0) throw DomainError("number_of_semistandard_tableaux: n = " + std::to_string(n) + " is negative");
  require_moderate(shape, "number_of_semistandard_tableaux");
  if (shape.length() > n) return 0;
  Integer product = 1;
  for (int i = 0; i < shape.length(); ++i)
    for (int j = 0; j < shape[i]; ++j) product *= std::int64_t{n} + cell_content(i, j);
  return product / hook_product(shape);
}

std::vector<Tableau> standard_tableaux(const Partition& shape, std::size_t max_count, const Task& task) {
  require_count("standard_tableaux", number_of_standard_tableaux(shape), max_count);
  // Depth-first over the rows of the largest entries, with an explicit stack of the corner choices.
  std::vector<Tableau> result;
  std::vector<int> left = shape.parts();
  auto rows = blank(shape);
  std::vector<int> chosen;  // chosen[d]: the row that holds the entry weight-1-d
  int row = 0;              // the first row to try for the next entry
  const auto next_corner = [&](int from) {
    for (const int r : corners(left))
      if (r >= from) return r;
    return -1;
  };
  for (;;) {
    task.poll();
    const int depth = static_cast<int>(chosen.size());
    const int r = depth == shape.weight() ? -1 : next_corner(row);
    if (depth == shape.weight()) result.emplace_back(rows);
    if (r >= 0) {
      rows[r][--left[r]] = shape.weight() - 1 - depth;
      chosen.push_back(r);
      row = 0;
      continue;
    }
    if (chosen.empty()) return result;
    row = chosen.back() + 1;
    ++left[chosen.back()];
    chosen.pop_back();
  }
}

std::vector<Tableau> semistandard_tableaux(const Partition& shape, int n, std::size_t max_count, const Task& task) {
  require_count("semistandard_tableaux", number_of_semistandard_tableaux(shape, n), max_count);
  std::vector<Tableau> result;
  auto rows = blank(shape);
  if (shape.length() <= n) fill_semistandard(shape.parts(), shape.empty() ? 0 : n, {}, rows, result, task);
  return result;
}

std::vector<Tableau> semistandard_tableaux(const Partition& shape, const std::vector<int>& content,
                                           std::size_t max_count, const Task& task) {
  require_count("semistandard_tableaux", kostka_number(shape, content, task), max_count);
  std::vector<Tableau> result;
  auto rows = blank(shape);
  if (std::accumulate(content.begin(), content.end(), std::int64_t{0}) == shape.weight())
    fill_semistandard(shape.parts(), static_cast<int>(content.size()), content, rows, result, task);
  return result;
}

Integer rank_standard(const Tableau& T, const Task& task) {
  if (!T.is_standard()) throw DomainError("rank_standard: the tableau is not standard");
  std::vector<int> shape = T.shape().parts();
  std::vector<int> row_of(T.shape().weight());
  for (std::size_t i = 0; i < T.rows().size(); ++i)
    for (const int entry : T.rows()[i]) row_of[entry] = static_cast<int>(i);
  Integer rank = 0;
  for (int entry = static_cast<int>(row_of.size()) - 1; entry > 0; --entry) {
    for (const int r : corners(shape)) {
      task.poll();
      if (r >= row_of[entry]) break;
      --shape[r];
      rank += number_of_standard_tableaux(Partition(shape));
      ++shape[r];
    }
    --shape[row_of[entry]];
  }
  return rank;
}

Tableau unrank_standard(const Partition& shape, Integer rank, const Task& task) {
  if (rank < 0 || rank >= number_of_standard_tableaux(shape))
    throw DomainError("unrank_standard: the rank " + to_string(rank) + " is out of range for " + to_string(shape));
  std::vector<int> left = shape.parts();
  auto rows = blank(shape);
  for (int entry = shape.weight() - 1; entry >= 0; --entry)
    for (const int r : corners(left)) {
      task.poll();
      --left[r];
      const Integer count = number_of_standard_tableaux(Partition(left));
      if (rank < count) {
        rows[r][left[r]] = entry;
        break;
      }
      rank -= count;
      ++left[r];
    }
  return Tableau(std::move(rows));
}

Integer rank_semistandard(const Tableau& T, int n, const Task& task) {
  if (!T.is_semistandard()) throw DomainError("rank_semistandard: the tableau is not semistandard");
  std::vector<int> shape = T.shape().parts();
  const auto largest = [&] {
    int entry = -1;
    for (std::size_t i = 0; i < shape.size(); ++i) entry = std::max(entry, T.rows()[i][shape[i] - 1]);
    return entry;
  };
  if (largest() >= n) throw DomainError(fmt::format("rank_semistandard: the entry {} is not below {}", largest(), n));
  Integer rank = 0;
  while (!shape.empty()) {
    // Those with a letter beyond the largest of T come before it.
    const int letter = largest();
    rank += number_of_semistandard_tableaux(Partition(shape), n) -
            number_of_semistandard_tableaux(Partition(shape), letter + 1);
    std::vector<int> inner = shape;
    for (std::size_t i = 0; i < shape.size(); ++i)
      while (inner[i] > 0 && T.rows()[i][inner[i] - 1] == letter) --inner[i];
    for_each_interlacing(
        shape, letter, -1,
        [&](const std::vector<int>& other) {
          if (other < inner) rank += number_of_semistandard_tableaux(Partition(other), letter);
        },
        task);
    shape = trimmed(inner);
    n = letter;
  }
  return rank;
}

Tableau unrank_semistandard(const Partition& shape, int n, Integer rank, const Task& task) {
  if (rank < 0 || rank >= number_of_semistandard_tableaux(shape, n))
    throw DomainError("unrank_semistandard: the rank " + to_string(rank) + " is out of range for " + to_string(shape) +
                      " and n = " + std::to_string(n));
  std::vector<int> left = shape.parts();
  auto rows = blank(shape);
  while (!left.empty()) {
    // Those with entries below m come last: the least m for which the tableau is one of them.
    const Integer all = number_of_semistandard_tableaux(Partition(left), n), at_least = all - rank;
    int low = 1, high = n;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (number_of_semistandard_tableaux(Partition(left), middle) < at_least)
        low = middle + 1;
      else
        high = middle;
    }
    rank -= all - number_of_semistandard_tableaux(Partition(left), low);
    n = low - 1;  // the largest letter
    std::vector<int> chosen;
    for_each_interlacing(
        left, n, -1,
        [&](const std::vector<int>& inner) {
          if (!chosen.empty()) return;
          const Integer count = number_of_semistandard_tableaux(Partition(inner), n);
          if (rank < count) {
            chosen = inner;
          } else {
            rank -= count;
          }
        },
        task);
    for (std::size_t i = 0; i < left.size(); ++i)
      for (int j = chosen[i]; j < left[i]; ++j) rows[i][j] = n;
    left = trimmed(chosen);
  }
  return Tableau(std::move(rows));
}

Integer kostka_number(const Partition& shape, const std::vector<int>& content, const Task& task) {
  std::int64_t total = 0;
  for (const int c : content) {
    if (c < 0) throw DomainError("kostka_number: the content " + std::to_string(c) + " is negative");
    total += c;
  }
  if (total != shape.weight()) return 0;
  std::vector<int> sizes;
  std::copy_if(content.begin(), content.end(), std::back_inserter(sizes), [](int c) { return c > 0; });
  std::sort(sizes.begin(), sizes.end());  // large strips off first: few shapes remain
  if (!shape.dominates(Partition(std::vector<int>(sizes.rbegin(), sizes.rend())))) return 0;
  std::map<std::vector<int>, Integer> ways{{shape.parts(), 1}};
  for (int k = static_cast<int>(sizes.size()) - 1; k >= 0; --k) {
    std::map<std::vector<int>, Integer> next;
    for (const auto& entry : ways) {
      // A node of the map, the parts and the number.
      task.require_memory((ways.size() + next.size()) * (128 + 4 * shape.parts().size()),
                          "the shapes between partitions");
      for_each_interlacing(
          entry.first, k, sizes[k], [&](const std::vector<int>& inner) { next[trimmed(inner)] += entry.second; }, task);
    }
    ways = std::move(next);
  }
  const auto found = ways.find({});
  return found == ways.end() ? Integer(0) : found->second;
}

}  // namespace intertwine
