// Weight tables: codes in memory.
#include "intertwine/tables/weight_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/tables/code_counter.hpp"

namespace intertwine {

const char* const table_convention =
    "y = W x with W[i, j] from input basis vector j to output basis vector i, row-major; rho(g) e_i = "
    "+-e_{g(i)}, left "
    "actions; W rho_in(g) = rho_out(g) W";

namespace {

class MemoryRows final : public CodeRows {
 public:
  MemoryRows(std::uint64_t rows, std::uint64_t cols, Codes codes)
      : rows_(rows), cols_(cols), codes_(std::move(codes)) {}
  std::uint64_t rows() const override { return rows_; }
  std::uint64_t cols() const override { return cols_; }
  const Codes* in_memory() const override { return &codes_; }

  void row(std::uint64_t i, std::span<std::int32_t> out) const override {
    if (i >= rows_ || out.size() != cols_)
      throw DomainError(
          fmt::format("row {} into {} codes: the table is {} x {} (rows 0-based)", i, out.size(), rows_, cols_));
    std::visit(
        [&](const auto& codes) {
          std::copy_n(codes.begin() + static_cast<std::ptrdiff_t>(i * cols_), cols_, out.begin());
        },
        codes_);
  }

  void for_each_row(unsigned bytes_per_code, const RowSink& sink, const Task& task) const override {
    const unsigned width = codes_.index() == 0 ? 1 : 4;
    if (bytes_per_code != width) return CodeRows::for_each_row(bytes_per_code, sink, task);
    const auto bytes = std::visit([](const auto& codes) { return std::as_bytes(std::span(codes)); }, codes_);
    for (std::uint64_t i = 0; i < rows_; ++i) {
      task.progress("reading the table", i + 1, rows_);
      sink(i, bytes.subspan(i * cols_ * width, cols_ * width));
    }
  }

 private:
  std::uint64_t rows_, cols_;
  Codes codes_;
};

const char* kind_name(bool tied) { return tied ? "tied entries" : "sparse elements"; }

template <class Entries>
const Entries& entries_of(const WeightPattern& pattern) {
  if (const auto* entries = std::get_if<Entries>(&pattern.entries)) return *entries;
  throw DomainError(
      fmt::format("the table has {}, not {}", kind_name(pattern.is_tied()), kind_name(!pattern.is_tied())));
}

}  // namespace

void CodeRows::for_each_row(unsigned bytes_per_code, const RowSink& sink, const Task& task) const {
  std::vector<std::int32_t> codes(cols());
  const auto each = [&](auto code) {
    using Code = decltype(code);
    std::vector<Code> narrow(sizeof(Code) < 4 ? codes.size() : 0);
    for (std::uint64_t i = 0; i < rows(); ++i) {
      task.progress("reading the table", i + 1, rows());
      row(i, codes);
      if constexpr (sizeof(Code) == 4) {
        sink(i, std::as_bytes(std::span(codes)));
      } else {
        for (const std::int32_t wide : codes)
          if (wide < 0 || wide > std::numeric_limits<Code>::max())
            throw DomainError(fmt::format("row {} has the code {}, which does not fit {}", i, wide,
                                          sizeof(Code) == 1 ? "one byte" : "two bytes"));
        std::transform(codes.begin(), codes.end(), narrow.begin(),
                       [](std::int32_t wide) { return static_cast<Code>(wide); });
        sink(i, std::as_bytes(std::span(narrow)));
      }
    }
  };
  if (bytes_per_code == 1) return each(std::uint8_t{});
  if (bytes_per_code == 2) return each(std::uint16_t{});
  each(std::int32_t{});
}

void CodeRows::for_rows(std::span<const std::uint64_t> wanted, const CodeSink& sink, const Task& task) const {
  std::vector<std::int32_t> codes(cols());
  for (const std::uint64_t i : wanted) {
    task.poll();
    row(i, codes);
    sink(i, codes);
  }
}

std::shared_ptr<const CodeRows> code_rows(std::uint64_t rows, std::uint64_t cols, Codes codes) {
  const std::size_t count = std::visit([](const auto& items) { return items.size(); }, codes);
  std::uint64_t entries = 0;
  if (__builtin_mul_overflow(rows, cols, &entries) || entries != count)
    throw DomainError(fmt::format("{} codes for a table of {} x {} entries", count, rows, cols));
  return std::make_shared<MemoryRows>(rows, cols, std::move(codes));
}

template <class Code>
std::vector<Code> read_codes(const CodeRows& rows, const Task& task) {
  const std::uint64_t row_bytes = rows.cols() * sizeof(Code);
  task.require_memory(rows.rows() * row_bytes, fmt::format("a table of {} x {} codes", rows.rows(), rows.cols()));
  std::vector<Code> codes(rows.rows() * rows.cols());
  const auto bytes = std::as_writable_bytes(std::span(codes));
  rows.for_each_row(
      sizeof(Code),
      [&](std::uint64_t row, std::span<const std::byte> part) {
        if (row >= rows.rows() || part.size() != row_bytes)
          throw DomainError(fmt::format("row {} of {} bytes, in a table of {} rows of {} bytes", row, part.size(),
                                        rows.rows(), row_bytes));
        std::copy(part.begin(), part.end(), bytes.begin() + static_cast<std::ptrdiff_t>(row * row_bytes));
      },
      task);
  return codes;
}
template std::vector<std::uint8_t> read_codes(const CodeRows&, const Task&);
template std::vector<std::uint16_t> read_codes(const CodeRows&, const Task&);
template std::vector<std::int32_t> read_codes(const CodeRows&, const Task&);

Codes all_codes(const CodeRows& rows, std::uint64_t params, const Task& task) {
  const bool narrow = code_bytes(params) == 1;
  const Codes* there = rows.in_memory();
  if (there != nullptr && there->index() == (narrow ? 0 : 1)) return *there;
  if (narrow) return read_codes<std::uint8_t>(rows, task);
  return read_codes<std::int32_t>(rows, task);
}

TiedEntries tied_entries(std::shared_ptr<const CodeRows> codes, std::uint64_t params, const Task& task) {
  CodeCounter counter(params, codes->rows() * codes->cols(), code_bytes(params));
  codes->for_each_row(
      code_bytes(params),
      [&](std::uint64_t, std::span<const std::byte> part) {
        if (const auto bad = counter.add(part))
          throw DomainError(fmt::format("the code {} is outside 0..{}", *bad, 2 * params));
      },
      task);
  TiedEntries out{std::vector<std::int64_t>(params), std::move(codes)};
  for (std::uint64_t k = 0; k < params; ++k) out.orbit_size[k] = counter.total(k);
  return out;
}

void set_integers(SparseElements& elements, std::span<const std::string> integers) {
  elements.value.clear();
  elements.exact = {};
  for (std::size_t e = 0; e < integers.size(); ++e) {
    const std::string& text = integers[e];
    const char *first = text.data(), *last = first + text.size();
    std::int64_t exact = 0;
    double value = 0;
    if (std::from_chars(first, last, exact).ec == std::errc{}) {
      value = static_cast<double>(exact);
    } else {
      elements.exact.large.emplace(e, text);
      exact = 0;
      if (std::from_chars(first, last, value).ec != std::errc{})
        value = std::numeric_limits<double>::infinity() * (text.starts_with('-') ? -1 : 1);
    }
    elements.exact.coordinates.push_back(exact);
    elements.value.push_back(value);
  }
  if (!elements.first_beyond_double()) elements.exact.coordinates.clear();
}

std::string SparseElements::integer(std::size_t e) const {
  if (exact.degree != 1) throw DomainError("the values of the table are in " + exact.field + ", not integers");
  if (const auto found = exact.large.find(e); found != exact.large.end()) return found->second;
  return std::to_string(exact.coordinates.empty() ? static_cast<std::int64_t>(value[e]) : exact.coordinates[e]);
}

std::optional<std::size_t> SparseElements::first_beyond_double() const {
  if (exact.degree != 1) return std::nullopt;
  for (std::size_t e = 0; e < exact.coordinates.size(); ++e)
    if (exact.coordinates[e] > max_exact_double || exact.coordinates[e] < -max_exact_double || exact.large.contains(e))
      return e;
  return std::nullopt;
}

const TiedEntries& WeightPattern::tied() const { return entries_of<TiedEntries>(*this); }
const SparseElements& WeightPattern::sparse() const { return entries_of<SparseElements>(*this); }

std::vector<double> WeightPattern::squared_norms() const {
  if (is_tied()) return {tied().orbit_size.begin(), tied().orbit_size.end()};
  const SparseElements& elements = sparse();
  std::vector<double> out(params, 0);
  for (std::uint64_t k = 0; k < params; ++k)
    for (std::int64_t e = elements.start[k]; e < elements.start[k + 1]; ++e)
      out[k] += elements.value[static_cast<std::size_t>(e)] * elements.value[static_cast<std::size_t>(e)];
  return out;
}

}  // namespace intertwine
