// Sparse matrices of rational numbers.
#include "intertwine/exact/sparse_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

bool before(const SparseMatrix::Entry& a, const SparseMatrix::Entry& b) {
  return std::pair(a.row, a.col) < std::pair(b.row, b.col);
}

/// Appends sorted entries, those of equal place added up and zeros left out.
void append_sums(std::vector<SparseMatrix::Entry>& sorted, std::vector<SparseMatrix::Entry>& out) {
  for (auto e = sorted.begin(); e != sorted.end();) {
    SparseMatrix::Entry sum = std::move(*e);
    while (++e != sorted.end() && e->row == sum.row && e->col == sum.col) sum.value += e->value;
    if (sum.value != 0) out.push_back(std::move(sum));
  }
}

}  // namespace

SparseMatrix::SparseMatrix(std::uint64_t rows, std::uint64_t cols, std::vector<Entry> entries)
    : rows_(rows), cols_(cols) {
  for (const Entry& e : entries)
    if (e.row >= rows || e.col >= cols)
      throw DomainError(
          fmt::format("SparseMatrix: entry ({}, {}) is outside a {} x {} matrix (0-based)", e.row, e.col, rows, cols));
  const auto bad = [](const Entry& a, const Entry& b) { return !before(a, b); };
  if (std::ranges::adjacent_find(entries, bad) == entries.end() &&
      std::ranges::none_of(entries, [](const Entry& e) { return e.value == 0; })) {
    entries_ = std::move(entries);  // a copy of many would be the larger part of the work
    return;
  }
  std::stable_sort(entries.begin(), entries.end(), before);
  append_sums(entries, entries_);
}

Rational SparseMatrix::operator()(std::uint64_t i, std::uint64_t j) const {
  if (i >= rows_ || j >= cols_)
    throw DomainError(
        fmt::format("SparseMatrix: entry ({}, {}) is outside a {} x {} matrix (0-based)", i, j, rows_, cols_));
  const Entry key{i, j, Rational()};
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), key, before);
  return at != entries_.end() && at->row == i && at->col == j ? at->value : Rational(0);
}

SparseMatrix SparseMatrix::transpose() const {
  std::vector<Entry> entries;
  entries.reserve(entries_.size());
  for (const Entry& e : entries_) entries.push_back({e.col, e.row, e.value});
  return {cols_, rows_, std::move(entries)};
}

std::vector<Rational> SparseMatrix::apply(std::span<const Rational> v) const {
  if (v.size() != cols_)
    throw DomainError(
        fmt::format("a vector of length {} cannot be multiplied by a matrix of {} columns", v.size(), cols_));
  std::vector<Rational> result(rows_, Rational(0));
  for (const Entry& e : entries_) result[e.row] += e.value * v[e.col];
  return result;
}

SparseMatrix SparseMatrix::times(const SparseMatrix& B, const Task& task) const {
  const SparseMatrix& A = *this;
  if (A.cols_ != B.rows_)
    throw DomainError(fmt::format("product of a {} x {} and a {} x {} matrix", A.rows_, A.cols_, B.rows_, B.cols_));
  SparseMatrix result(A.rows_, B.cols_, {});
  std::vector<SparseMatrix::Entry> row;  // row by row: what is not yet added up is a row's
  for (auto a = A.entries_.begin(); a != A.entries_.end();) {
    row.clear();
    for (const std::uint64_t i = a->row; a != A.entries_.end() && a->row == i; ++a) {
      task.poll();
      const SparseMatrix::Entry key{a->col, 0, Rational()};
      for (auto b = std::lower_bound(B.entries_.begin(), B.entries_.end(), key, before);
           b != B.entries_.end() && b->row == a->col; ++b)
        row.push_back({i, b->col, a->value * b->value});
    }
    std::sort(row.begin(), row.end(), before);
    append_sums(row, result.entries_);
  }
  return result;
}

SparseMatrix operator+(const SparseMatrix& A, const SparseMatrix& B) {
  if (A.rows_ != B.rows_ || A.cols_ != B.cols_)
    throw DomainError(fmt::format("sum of a {} x {} and a {} x {} matrix", A.rows_, A.cols_, B.rows_, B.cols_));
  std::vector<SparseMatrix::Entry> entries(A.entries_);
  entries.insert(entries.end(), B.entries_.begin(), B.entries_.end());
  return {A.rows_, A.cols_, std::move(entries)};
}

SparseMatrix operator*(const Rational& c, const SparseMatrix& A) {
  if (c == 0) return {A.rows_, A.cols_, {}};
  SparseMatrix result = A;
  for (auto& e : result.entries_) e.value *= c;
  return result;
}

RationalMatrix to_dense(const SparseMatrix& A, const Task& task) {
  const std::uint64_t places = A.cols() == 0 ? 0 : std::min(A.rows(), ~std::uint64_t{0} / 8 / A.cols()) * A.cols();
  task.require_memory(8 * places, fmt::format("a dense matrix of {} x {}", A.rows(), A.cols()));
  Integer common = 1;
  for (const SparseMatrix::Entry& e : A.entries()) {
    task.poll();
    if (const Integer d = denominator(e.value); d != 1) common = lcm(common, d);
  }
  IntegerMatrix multiples(A.rows(), A.cols());
  for (const SparseMatrix::Entry& e : A.entries()) {
    task.poll();
    multiples.set(e.row, e.col, Integer(numerator(e.value) * (common / denominator(e.value))));
  }
  return {std::move(multiples), common};
}

}  // namespace intertwine
