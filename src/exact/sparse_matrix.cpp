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

}  // namespace

SparseMatrix::SparseMatrix(std::uint64_t rows, std::uint64_t cols, std::vector<Entry> entries)
    : rows_(rows), cols_(cols) {
  for (const Entry& e : entries)
    if (e.row >= rows || e.col >= cols)
      throw DomainError(fmt::format("SparseMatrix: entry ({}, {}) is outside a {} x {} matrix (0-based)",
                                    e.row, e.col, rows, cols));
  std::stable_sort(entries.begin(), entries.end(), before);
  for (Entry& e : entries) {
    if (!entries_.empty() && entries_.back().row == e.row && entries_.back().col == e.col)
      entries_.back().value += e.value;
    else
      entries_.push_back(std::move(e));
  }
  std::erase_if(entries_, [](const Entry& e) { return e.value == 0; });
}

Rational SparseMatrix::operator()(std::uint64_t i, std::uint64_t j) const {
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
        fmt::format("SparseMatrix::apply: a vector of length {} for {} columns", v.size(), cols_));
  std::vector<Rational> result(rows_, Rational(0));
  for (const Entry& e : entries_) result[e.row] += e.value * v[e.col];
  return result;
}

SparseMatrix operator*(const SparseMatrix& A, const SparseMatrix& B) {
  if (A.cols_ != B.rows_)
    throw DomainError(
        fmt::format("product of a {} x {} and a {} x {} matrix", A.rows_, A.cols_, B.rows_, B.cols_));
  std::vector<SparseMatrix::Entry> entries;
  for (const auto& a : A.entries_) {
    const SparseMatrix::Entry key{a.col, 0, Rational()};
    for (auto b = std::lower_bound(B.entries_.begin(), B.entries_.end(), key, before);
         b != B.entries_.end() && b->row == a.col; ++b)
      entries.push_back({a.row, b->col, a.value * b->value});
  }
  return {A.rows_, B.cols_, std::move(entries)};
}

SparseMatrix operator+(const SparseMatrix& A, const SparseMatrix& B) {
  if (A.rows_ != B.rows_ || A.cols_ != B.cols_)
    throw DomainError(
        fmt::format("sum of a {} x {} and a {} x {} matrix", A.rows_, A.cols_, B.rows_, B.cols_));
  std::vector<SparseMatrix::Entry> entries(A.entries_);
  entries.insert(entries.end(), B.entries_.begin(), B.entries_.end());
  return {A.rows_, A.cols_, std::move(entries)};
}

SparseMatrix operator*(const Rational& c, const SparseMatrix& A) {
  std::vector<SparseMatrix::Entry> entries(A.entries_);
  for (auto& e : entries) e.value *= c;
  return {A.rows_, A.cols_, std::move(entries)};
}

}  // namespace intertwine
