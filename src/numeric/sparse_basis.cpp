#include "intertwine/numeric/sparse_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "intertwine/error.hpp"
#include "numeric/parallel.hpp"
#include "numeric/tables.hpp"

namespace intertwine {

struct SparseBasis::Data {
  struct Entry {
    std::uint32_t row, col;
    double value;
  };
  struct Term {
    std::uint32_t col, parameter;
    double value;
  };
  std::uint64_t rows = 0, cols = 0;
  std::vector<std::uint64_t> element_ptr, row_ptr;
  std::vector<Entry> entries;  ///< of element k: [element_ptr[k], element_ptr[k + 1]), by rows and columns
  std::vector<Term> terms;     ///< of row i: [row_ptr[i], row_ptr[i + 1]), by columns and parameters
};

SparseBasis::SparseBasis(std::uint64_t rows, std::uint64_t cols, std::span<const std::int64_t> ptr,
                         std::span<const std::int32_t> row, std::span<const std::int32_t> col,
                         std::span<const double> val) {
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  if (rows > most || cols > most)
    throw DomainError(fmt::format("SparseBasis: {} x {} is too large", rows, cols));
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
  data->row_ptr.assign(rows + 1, 0);
  for (std::size_t e = 0; e < val.size(); ++e) {
    const auto i = static_cast<std::int64_t>(row[e]), j = static_cast<std::int64_t>(col[e]);
    if (i < 0 || j < 0 || static_cast<std::uint64_t>(i) >= rows || static_cast<std::uint64_t>(j) >= cols)
      throw DomainError(
          fmt::format("SparseBasis: entry {} lies at ({}, {}), outside {} x {}", e, i, j, rows, cols));
    data->entries.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), val[e]});
    ++data->row_ptr[static_cast<std::size_t>(i) + 1];
  }
  for (std::uint64_t i = 0; i < rows; ++i) data->row_ptr[i + 1] += data->row_ptr[i];
  data->terms.resize(val.size());
  std::vector<std::uint64_t> next(data->row_ptr.begin(), data->row_ptr.end() - 1);
  for (std::size_t k = 0; k + 1 < ptr.size(); ++k) {
    const auto first = data->entries.begin() + ptr[k], last = data->entries.begin() + ptr[k + 1];
    std::stable_sort(first, last, [](const auto& a, const auto& b) {
      return std::tie(a.row, a.col) < std::tie(b.row, b.col);
    });
    for (auto entry = first; entry != last; ++entry)
      data->terms[next[entry->row]++] = {entry->col, static_cast<std::uint32_t>(k), entry->value};
  }
  for (std::uint64_t i = 0; i < rows; ++i)
    std::stable_sort(data->terms.begin() + static_cast<std::ptrdiff_t>(data->row_ptr[i]),
                     data->terms.begin() + static_cast<std::ptrdiff_t>(data->row_ptr[i + 1]),
                     [](const auto& a, const auto& b) { return a.col < b.col; });
  data_ = std::move(data);
}

std::uint64_t SparseBasis::rows() const { return data_->rows; }
std::uint64_t SparseBasis::cols() const { return data_->cols; }
std::uint64_t SparseBasis::params() const { return data_->element_ptr.size() - 1; }
std::uint64_t SparseBasis::entries() const { return data_->entries.size(); }

namespace {

void check_sizes(const char* function, const SparseBasis& basis, Multiplicity channels, std::uint64_t theta,
                 std::uint64_t array) {
  using numeric_detail::checked_product;
  const std::uint64_t parameters = checked_product({basis.params(), channels.out, channels.in}, "theta");
  const std::uint64_t entries =
      checked_product({channels.out, basis.rows(), channels.in, basis.cols()}, "the array of weights");
  if (theta != parameters || array != entries)
    throw DomainError(fmt::format(
        "{}: theta has {} entries and the array of weights {}; [{}, {}, {}] and [{}, {}, {}, {}] are needed",
        function, theta, array, basis.params(), channels.out, channels.in, channels.out, basis.rows(),
        channels.in, basis.cols()));
}

}  // namespace

template <class T>
void materialise(const SparseBasis& basis, Multiplicity channels, std::span<const T> theta, std::span<T> W,
                 unsigned threads) {
  check_sizes("materialise", basis, channels, theta.size(), W.size());
  const SparseBasis::Data& data = basis.data();
  const std::uint64_t pairs = channels.out * channels.in;
  numeric_detail::parallel_for(threads, channels.out * data.rows, [&](std::uint64_t task) {
    const std::uint64_t out = task / data.rows, i = task % data.rows;
    for (std::uint64_t in = 0; in < channels.in; ++in) {
      T* row = W.data() + (task * channels.in + in) * data.cols;
      std::fill(row, row + data.cols, T{0});
      const std::uint64_t pair = out * channels.in + in;
      for (std::uint64_t t = data.row_ptr[i]; t < data.row_ptr[i + 1];) {
        const std::uint32_t col = data.terms[t].col;
        double sum = 0;
        for (; t < data.row_ptr[i + 1] && data.terms[t].col == col; ++t)
          sum += data.terms[t].value * static_cast<double>(theta[data.terms[t].parameter * pairs + pair]);
        row[col] = static_cast<T>(sum);
      }
    }
  });
}

template <class T>
void reduce(const SparseBasis& basis, Multiplicity channels, std::span<const T> dW, std::span<T> dtheta,
            unsigned threads) {
  check_sizes("reduce", basis, channels, dtheta.size(), dW.size());
  const SparseBasis::Data& data = basis.data();
  const std::uint64_t pairs = channels.out * channels.in, stride = channels.in * data.cols;
  numeric_detail::parallel_for(threads, basis.params(), [&](std::uint64_t k) {
    for (std::uint64_t pair = 0; pair < pairs; ++pair) {
      const std::uint64_t block = pair / channels.in * data.rows * stride + pair % channels.in * data.cols;
      double sum = 0;
      for (std::uint64_t e = data.element_ptr[k]; e < data.element_ptr[k + 1]; ++e) {
        const auto& entry = data.entries[e];
        sum += entry.value * static_cast<double>(dW[block + entry.row * stride + entry.col]);
      }
      dtheta[k * pairs + pair] = static_cast<T>(sum);
    }
  });
}

template void materialise<float>(const SparseBasis&, Multiplicity, std::span<const float>, std::span<float>,
                                 unsigned);
template void materialise<double>(const SparseBasis&, Multiplicity, std::span<const double>,
                                  std::span<double>, unsigned);
template void reduce<float>(const SparseBasis&, Multiplicity, std::span<const float>, std::span<float>,
                            unsigned);
template void reduce<double>(const SparseBasis&, Multiplicity, std::span<const double>, std::span<double>,
                             unsigned);

}  // namespace intertwine
