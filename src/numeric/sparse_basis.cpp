// Patterns of sparse elements made ready for numbers.
#include "numeric/sparse_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "intertwine/error.hpp"
#include "numeric/eigen.hpp"
#include "numeric/parallel.hpp"
#include "numeric/tables.hpp"

namespace intertwine::numeric_detail {

namespace {

// Calls f(first, last) for each run of items that `same` says belong to one place.
template <class Item, class Same, class F>
void for_places(const Item* first, const Item* last, const Same& same, const F& f) {
  while (first != last) {
    const Item* next = first;
    while (next != last && same(*first, *next)) ++next;
    f(first, next);
    first = next;
  }
}

std::vector<double> norms_of(const SparseBasis::Data& data) {
  std::vector<double> out(data.params(), 0.0);
  for (std::uint64_t k = 0; k < out.size(); ++k)
    for_places(
        data.entries.data() + data.element_ptr[k], data.entries.data() + data.element_ptr[k + 1],
        [](const auto& a, const auto& b) { return a.row == b.row && a.col == b.col; },
        [&](const auto* first, const auto* last) {
          double sum = 0;
          for (; first != last; ++first) sum += first->value;
          out[k] += sum * sum;
        });
  return out;
}

}  // namespace

SparseBasis::SparseBasis(std::uint64_t rows, std::uint64_t cols, std::span<const std::int64_t> ptr,
                         std::span<const std::int32_t> row, std::span<const std::int32_t> col,
                         std::span<const double> val) {
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  if (rows > most || cols > most) throw DomainError(fmt::format("SparseBasis: {} x {} is too large", rows, cols));
  if (row.size() != val.size() || col.size() != val.size())
    throw DomainError(
        fmt::format("SparseBasis: {} rows, {} columns and {} values", row.size(), col.size(), val.size()));
  const bool ends = !ptr.empty() && ptr.front() == 0 && static_cast<std::uint64_t>(ptr.back()) == val.size();
  if (!ends || !std::is_sorted(ptr.begin(), ptr.end()) || ptr.size() > most)
    throw DomainError("SparseBasis: ptr must run from 0 to the number of entries without decreasing");
  auto data = std::make_shared<Data>();
  data->rows = rows;
  data->cols = cols;
  data->element_ptr.assign(ptr.begin(), ptr.end());
  for (std::size_t e = 0; e < val.size(); ++e) {
    const auto i = static_cast<std::int64_t>(row[e]), j = static_cast<std::int64_t>(col[e]);
    if (i < 0 || j < 0 || static_cast<std::uint64_t>(i) >= rows || static_cast<std::uint64_t>(j) >= cols)
      throw DomainError(fmt::format("SparseBasis: entry {} lies at ({}, {}), outside {} x {}", e, i, j, rows, cols));
    data->entries.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), val[e]});
  }
  for (std::size_t k = 0; k + 1 < ptr.size(); ++k)
    std::stable_sort(data->entries.begin() + ptr[k], data->entries.begin() + ptr[k + 1],
                     [](const auto& a, const auto& b) { return std::tie(a.row, a.col) < std::tie(b.row, b.col); });
  data->by_row_ = data->rows_of(false);
  data->squared_norms = norms_of(*data);
  data_ = std::move(data);
}

SparseBasis::Data::Rows SparseBasis::Data::rows_of(bool transpose) const {
  Rows out;
  out.ptr.assign((transpose ? cols : rows) + 1, 0);
  for (const Entry& entry : entries) ++out.ptr[(transpose ? entry.col : entry.row) + std::size_t{1}];
  for (std::size_t i = 0; i + 1 < out.ptr.size(); ++i) out.ptr[i + 1] += out.ptr[i];
  out.terms.resize(entries.size());
  std::vector<std::uint64_t> next(out.ptr.begin(), out.ptr.end() - 1);
  for (std::uint64_t k = 0; k < params(); ++k)
    for (std::uint64_t e = element_ptr[k]; e < element_ptr[k + 1]; ++e) {
      const auto [row, col] =
          transpose ? std::pair(entries[e].col, entries[e].row) : std::pair(entries[e].row, entries[e].col);
      out.terms[next[row]++] = {col, static_cast<std::uint32_t>(k), entries[e].value};
    }
  for (std::size_t i = 0; i + 1 < out.ptr.size(); ++i)
    std::stable_sort(out.terms.begin() + static_cast<std::ptrdiff_t>(out.ptr[i]),
                     out.terms.begin() + static_cast<std::ptrdiff_t>(out.ptr[i + 1]),
                     [](const auto& a, const auto& b) { return a.col < b.col; });
  return out;
}

const SparseBasis::Data::Rows& SparseBasis::Data::by_column() const {
  std::call_once(column_once_, [this] { by_column_ = rows_of(true); });
  return by_column_;
}

std::uint64_t SparseBasis::rows() const { return data_->rows; }
std::uint64_t SparseBasis::cols() const { return data_->cols; }
std::uint64_t SparseBasis::params() const { return data_->params(); }
std::uint64_t SparseBasis::entries() const { return data_->entries.size(); }
std::span<const double> SparseBasis::squared_norms() const { return data_->squared_norms; }

struct SparseBasis::Data::Factor {
  intertwine_eigen::LLT<Matrix> gram;
};

const SparseBasis::Data::Factor& SparseBasis::Data::factor() const {
  constexpr std::uint64_t most = 16384;
  if (params() > most)
    throw LimitError(fmt::format("project: the Gram matrix of {} elements is too large to be factored (at most {})",
                                 params(), most));
  std::call_once(factor_once_, [&] {
    Matrix gram = Matrix::Zero(static_cast<std::ptrdiff_t>(params()), static_cast<std::ptrdiff_t>(params()));
    for (std::uint64_t i = 0; i < rows; ++i)
      for_places(
          by_row_.terms.data() + by_row_.ptr[i], by_row_.terms.data() + by_row_.ptr[i + 1],
          [](const auto& a, const auto& b) { return a.col == b.col; },
          [&](const auto* first, const auto* last) {
            for (const auto* a = first; a != last; ++a)
              for (const auto* b = first; b != last; ++b)
                gram(static_cast<std::ptrdiff_t>(a->parameter), static_cast<std::ptrdiff_t>(b->parameter)) +=
                    a->value * b->value;
          });
    // Elements of very different sizes are no reason to call a basis dependent: pivots are compared with their own.
    auto factor = std::make_shared<Factor>(Factor{intertwine_eigen::LLT<Matrix>(gram)});
    bool independent = factor->gram.info() == intertwine_eigen::Success;
    for (std::ptrdiff_t k = 0; independent && k < gram.rows(); ++k) {
      const double pivot = factor->gram.matrixLLT()(k, k);
      independent = pivot * pivot > 1e-13 * gram(k, k);
    }
    if (!independent)
      throw DomainError(
          "project: the elements of the basis are linearly dependent, so the nearest parameters are not "
          "determined");
    factor_ = std::move(factor);
  });
  return *factor_;
}

namespace {

template <class T>
double number(T x) {
  return static_cast<double>(to_number(x));
}

template <class T>
T rounded(double x) {
  return from_number<T>(x);
}

}  // namespace

template <class T>
void write_weights(const SparseBasis& basis, Multiplicity channels, const T* theta, T* W, std::uint64_t row_stride,
                   unsigned threads) {
  const SparseBasis::Data& data = basis.data();
  const std::uint64_t pairs = channels.out * channels.in;
  parallel_for(threads, channels.out * data.rows, [&](std::uint64_t task) {
    const std::uint64_t out = task / data.rows, i = task % data.rows;
    for (std::uint64_t in = 0; in < channels.in; ++in) {
      T* row = W + task * row_stride + in * data.cols;
      std::fill(row, row + data.cols, T{});
      const std::uint64_t pair = out * channels.in + in;
      const SparseBasis::Data::Rows& rows = data.by_row();
      for (std::uint64_t t = rows.ptr[i]; t < rows.ptr[i + 1];) {
        const std::uint32_t col = rows.terms[t].col;
        double sum = 0;
        for (; t < rows.ptr[i + 1] && rows.terms[t].col == col; ++t)
          sum += rows.terms[t].value * number(theta[rows.terms[t].parameter * pairs + pair]);
        row[col] = rounded<T>(sum);
      }
    }
  });
}

template <class T>
void sum_gradients(const SparseBasis& basis, Multiplicity channels, const T* dW, SumOf<T>* dtheta,
                   std::uint64_t row_stride, unsigned threads) {
  const SparseBasis::Data& data = basis.data();
  const std::uint64_t pairs = channels.out * channels.in;
  parallel_for(threads, basis.params(), [&](std::uint64_t k) {
    for (std::uint64_t pair = 0; pair < pairs; ++pair) {
      const T* block = dW + pair / channels.in * data.rows * row_stride + pair % channels.in * data.cols;
      double sum = 0;
      for (std::uint64_t e = data.element_ptr[k]; e < data.element_ptr[k + 1]; ++e) {
        const auto& entry = data.entries[e];
        sum += entry.value * number(block[entry.row * row_stride + entry.col]);
      }
      dtheta[k * pairs + pair] = static_cast<SumOf<T>>(sum);
    }
  });
}

void SparseBasis::solve_gram(std::vector<double>& right, std::uint64_t width) const {
  if (right.empty()) return;
  intertwine_eigen::Map<RowMajorMatrix> columns(right.data(), static_cast<std::ptrdiff_t>(params()),
                                                static_cast<std::ptrdiff_t>(width));
  columns = data_->factor().gram.solve(columns).eval();
}

#define INTERTWINE_FOR(T)                                                                                  \
  template void write_weights<T>(const SparseBasis&, Multiplicity, const T*, T*, std::uint64_t, unsigned); \
  template void sum_gradients<T>(const SparseBasis&, Multiplicity, const T*, SumOf<T>*, std::uint64_t, unsigned);
INTERTWINE_FOR(float)
INTERTWINE_FOR(double)
INTERTWINE_FOR(Bf16)
INTERTWINE_FOR(Half)
#undef INTERTWINE_FOR

}  // namespace intertwine::numeric_detail
