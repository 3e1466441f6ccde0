// The correspondences of Robinson, Schensted and Knuth.
#include "intertwine/combinatorics/rsk.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using Rows = std::vector<std::vector<int>>;

/// Row insertion. `strict` (dual RSK) bumps the first entry >= letter, otherwise the first > letter. Returns
/// the row that grew.
int insert(Rows& rows, int letter, bool strict) {
  for (std::size_t i = 0;; ++i) {
    if (i == rows.size()) rows.emplace_back();
    auto& row = rows[i];
    const auto at =
        strict ? std::lower_bound(row.begin(), row.end(), letter) : std::upper_bound(row.begin(), row.end(), letter);
    if (at == row.end()) {
      row.push_back(letter);
      return static_cast<int>(i);
    }
    std::swap(*at, letter);
  }
}

/// Takes the last cell of row i out and returns the letter that the matching insertion brought in.
int remove(Rows& rows, int i, bool strict) {
  int letter = rows[i].back();
  rows[i].pop_back();
  while (i-- > 0) {
    auto& row = rows[i];
    const auto at =
        strict ? std::upper_bound(row.begin(), row.end(), letter) : std::lower_bound(row.begin(), row.end(), letter);
    std::swap(*(at - 1), letter);
  }
  return letter;
}

void require_matrix(const ContingencyTable& A, const char* function) {
  std::int64_t total = 0;
  for (std::size_t i = 0; i < A.size(); ++i) {
    if (A[i].size() != A[0].size())
      throw DomainError(std::string(function) + ": row " + std::to_string(i) +
                        " of the matrix has another length than row 0");
    for (const int a : A[i]) {
      if (a < 0)
        throw DomainError(std::string(function) + ": the entry " + std::to_string(a) + " in row " + std::to_string(i) +
                          " is negative");
      total += a;
    }
  }
  if (total > 1'000'000)
    throw LimitError(std::string(function) + ": the entries add up to " + std::to_string(total) +
                     "; the limit is 1000000");
}

TableauPair insert_all(const ContingencyTable& A, bool dual) {
  Rows P, Q;
  for (std::size_t i = 0; i < A.size(); ++i) {
    const int columns = static_cast<int>(A[i].size());
    for (int j = 0; j < columns; ++j)
      for (int copy = 0; copy < A[i][j]; ++copy) {
        const int grown = insert(P, j, dual);
        Q.resize(P.size());
        Q[grown].push_back(static_cast<int>(i));
      }
  }
  return {Tableau(std::move(P)), Tableau(std::move(Q))};
}

ContingencyTable remove_all(const TableauPair& pair, int rows, int cols, bool dual, const char* function) {
  if (rows < 0 || cols < 0) throw DomainError(std::string(function) + ": the matrix has a negative side");
  const std::string name = function;
  if (pair.insertion.shape() != pair.recording.shape())
    throw DomainError(name + ": the two tableaux have different shapes");
  if (!(dual ? pair.insertion.transposed() : pair.insertion).is_semistandard())
    throw DomainError(name + ": the insertion tableau is not semistandard");
  if (!pair.recording.is_semistandard()) throw DomainError(name + ": the recording tableau is not semistandard");
  pair.insertion.content(cols);
  pair.recording.content(rows);
  ContingencyTable A(rows, std::vector<int>(cols));
  Rows P = pair.insertion.rows(), Q = pair.recording.rows();
  for (int i = rows - 1; i >= 0; --i)
    for (;;) {
      // The cell furthest right among those that hold i came last.
      int row = -1;
      for (std::size_t r = 0; r < Q.size() && row < 0; ++r)
        if (!Q[r].empty() && Q[r].back() == i) row = static_cast<int>(r);
      if (row < 0) break;
      Q[row].pop_back();
      ++A[i][remove(P, row, dual)];
    }
  return A;
}

void require_margins(const std::vector<int>& rows, const std::vector<int>& columns, const char* function) {
  std::int64_t r = 0, c = 0;
  for (const int a : rows) {
    if (a < 0) throw DomainError(std::string(function) + ": the row sum " + std::to_string(a) + " is negative");
    r += a;
  }
  for (const int a : columns) {
    if (a < 0) throw DomainError(std::string(function) + ": the column sum " + std::to_string(a) + " is negative");
    c += a;
  }
  if (r != c)
    throw DomainError(std::string(function) + ": the row sums add up to " + std::to_string(r) +
                      " and the column sums to " + std::to_string(c));
}

/// Calls visit(row) for the rows with this sum and row[j] <= most[j], lexicographically decreasing.
template <class Visit>
void for_each_row(int sum, const std::vector<int>& most, const Visit& visit) {
  const int n = static_cast<int>(most.size());
  std::vector<std::int64_t> room(n + 1);
  for (int j = n - 1; j >= 0; --j) room[j] = room[j + 1] + most[j];
  if (room[0] < sum) return;
  std::vector<int> row(n);
  const auto refill = [&](int j, int left) {
    for (; j < n; ++j) {
      row[j] = std::min(left, most[j]);
      left -= row[j];
    }
  };
  refill(0, sum);
  for (;;) {
    visit(row);
    // The last place that can give one up to the places after it.
    int j = n - 1, left = 0;
    for (; j >= 0; left += row[j--])
      if (row[j] > 0 && room[j + 1] >= left + 1) break;
    if (j < 0) return;
    --row[j];
    refill(j + 1, left + 1);
  }
}

void fill_tables(const std::vector<int>& row_sums, std::vector<int>& left, ContingencyTable& table,
                 std::vector<ContingencyTable>& out, const Task& task) {
  task.poll();
  if (table.size() == row_sums.size()) {
    out.push_back(table);
    return;
  }
  for_each_row(row_sums[table.size()], left, [&](const std::vector<int>& row) {
    for (std::size_t j = 0; j < row.size(); ++j) left[j] -= row[j];
    table.push_back(row);
    fill_tables(row_sums, left, table, out, task);
    table.pop_back();
    for (std::size_t j = 0; j < row.size(); ++j) left[j] += row[j];
  });
}

}  // namespace

TableauPair rsk(const ContingencyTable& A) {
  require_matrix(A, "rsk");
  return insert_all(A, false);
}

ContingencyTable rsk_inverse(const TableauPair& pair, int rows, int cols) {
  return remove_all(pair, rows, cols, false, "rsk_inverse");
}

TableauPair dual_rsk(const ContingencyTable& A) {
  require_matrix(A, "dual_rsk");
  for (const auto& row : A)
    for (const int a : row)
      if (a > 1) throw DomainError("dual_rsk: the entry " + std::to_string(a) + " is neither 0 nor 1");
  return insert_all(A, true);
}

ContingencyTable dual_rsk_inverse(const TableauPair& pair, int rows, int cols) {
  return remove_all(pair, rows, cols, true, "dual_rsk_inverse");
}

std::vector<ContingencyTable> contingency_tables(const std::vector<int>& row_sums, const std::vector<int>& column_sums,
                                                 std::size_t max_count, const Task& task) {
  const Integer count = number_of_contingency_tables(row_sums, column_sums, task);
  if (count > max_count)
    throw LimitError("contingency_tables: there are " + to_string(count) + " tables, more than the limit " +
                     std::to_string(max_count));
  std::vector<ContingencyTable> result;
  std::vector<int> left = column_sums;
  ContingencyTable table;
  fill_tables(row_sums, left, table, result, task);
  return result;
}

Integer number_of_contingency_tables(const std::vector<int>& row_sums, const std::vector<int>& column_sums,
                                     const Task& task) {
  require_margins(row_sums, column_sums, "number_of_contingency_tables");
  std::vector<int> start = column_sums;
  std::sort(start.begin(), start.end());
  std::map<std::vector<int>, Integer> ways{{start, 1}};
  // A node of the map, the sums and the number.
  const std::uint64_t bytes = 128 + column_sums.size() * sizeof(int);
  for (std::size_t i = 0; i < row_sums.size(); ++i) {
    std::map<std::vector<int>, Integer> next;
    for (const auto& entry : ways)
      for_each_row(row_sums[i], entry.first, [&](const std::vector<int>& row) {
        task.progress("counting tables", i, row_sums.size());
        std::vector<int> rest = entry.first;
        for (std::size_t j = 0; j < row.size(); ++j) rest[j] -= row[j];
        std::sort(rest.begin(), rest.end());
        Integer& count = next[rest];
        if (count == 0 && next.size() % 1024 == 0)
          task.require_memory((ways.size() + next.size()) * bytes, "the multisets of column sums");
        count += entry.second;
      });
    ways = std::move(next);
  }
  Integer total = 0;
  for (const auto& [left, count] : ways) total += count;
  return total;
}

}  // namespace intertwine
