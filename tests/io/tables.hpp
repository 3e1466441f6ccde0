// Tables for the tests of files and pictures, made without any group, and a folder that goes away.
#pragma once
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>

#include "intertwine/tables/weight_block.hpp"
#include "support/random.hpp"

namespace test_tables {

using namespace intertwine;

/// A new folder under the system's temporary one, removed at the end of the scope.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "intertwine-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

/// Codes of `count` entries, in which each of `params` parameters occurs; count >= params.
inline Codes random_codes(std::uint64_t count, std::uint64_t params, Rng& rng) {
  std::vector<std::int32_t> codes(count);
  for (std::uint64_t k = 0; k < count; ++k)
    codes[k] = static_cast<std::int32_t>(k < params ? 1 + k + params * rng.below(2) : rng.below(2 * params + 1));
  for (std::uint64_t k = count; k > 1; --k) std::swap(codes[k - 1], codes[rng.below(k)]);
  if (code_bytes(params) == 4) return codes;
  return std::vector<std::uint8_t>(codes.begin(), codes.end());
}

inline std::int32_t code_at(const Codes& codes, std::uint64_t k) {
  return std::visit([k](const auto& items) { return static_cast<std::int32_t>(items[k]); }, codes);
}

/// The codes of a pattern, wherever they are.
inline Codes codes_of(const WeightPattern& pattern) { return all_codes(*pattern.tied().codes, pattern.params); }

/// The pattern of these codes, orbit sizes counted.
inline WeightPattern tied_pattern(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, Codes codes) {
  return {rows, cols, params, tied_entries(code_rows(rows, cols, std::move(codes)), params)};
}

inline TiedEntries& tied(WeightPattern& pattern) { return std::get<TiedEntries>(pattern.entries); }
inline SparseElements& sparse(WeightPattern& pattern) { return std::get<SparseElements>(pattern.entries); }

inline WeightBlock random_table(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, std::uint64_t bias_params,
                                Rng& rng) {
  WeightBlock table;
  table.channels = {1 + rng.below(5), 1 + rng.below(5)};
  table.bias = tied_pattern(rows, 1, bias_params, random_codes(rows, bias_params, rng));
  table.weights = tied_pattern(rows, cols, params, random_codes(rows * cols, params, rng));
  table.metadata = {
      {"group", R"({"expression": "S4", "order": "24"})"}, {"rep_in", "perm^2"}, {"rep_out", "perm ⊗ sign"}};
  return table;
}

/// The equivariant maps of S_n on n points: theta_0 on the diagonal, theta_1 off it; one bias parameter.
inline WeightBlock diagonal_table(std::uint64_t n) {
  std::vector<std::uint8_t> codes(n * n, 2);
  for (std::uint64_t i = 0; i < n; ++i) codes[i * n + i] = 1;
  WeightBlock table;
  table.weights = tied_pattern(n, n, 2, codes);
  table.bias = tied_pattern(n, 1, 1, std::vector<std::uint8_t>(n, 1));
  return table;
}

/// Rows of a table in memory, which are handed out in any order, and with faults.
class Rows : public CodeRows {
 public:
  Rows(const WeightPattern& pattern, std::vector<std::uint64_t> order)
      : rows_(pattern.rows), cols_(pattern.cols), codes_(codes_of(pattern)), order_(std::move(order)) {}
  std::uint64_t rows() const override { return rows_; }
  std::uint64_t cols() const override { return cols_; }
  void row(std::uint64_t i, std::span<std::int32_t> out) const override {
    for (std::uint64_t j = 0; j < cols_; ++j) out[j] = code_at(codes_, i * cols_ + j);
  }
  void for_each_row(unsigned width, const RowSink& sink, const Task&) const override {
    std::vector<std::byte> bytes(cols_ * width);
    for (const std::uint64_t i : order_) {
      for (std::uint64_t j = 0; j < cols_; ++j) {  // little-endian: the first bytes of a wider code
        const auto code = code_at(codes_, (i % rows_) * cols_ + j);
        std::memcpy(&bytes[j * width], &code, width);
      }
      sink(i, std::span(bytes).first(bytes.size() - cut));
    }
  }
  void for_rows(std::span<const std::uint64_t> wanted, const CodeSink& sink, const Task&) const override {
    std::vector<std::int32_t> codes(cols_);
    for (const std::uint64_t i : order_) {
      if (!std::binary_search(wanted.begin(), wanted.end(), i)) continue;
      row(i, codes);
      sink(i, codes);
    }
  }
  std::size_t cut = 0;  ///< bytes missing at the end of each row

 private:
  std::uint64_t rows_, cols_;
  Codes codes_;
  std::vector<std::uint64_t> order_;
};

/// 2 x 3, two elements and one of the bias: 2 E_00 - 3 E_12, E_01 + 5 E_10, and (1, -1).
inline WeightBlock small_sparse_table() {
  WeightBlock table;
  table.channels.in = 4;
  table.weights = {2, 3, 2, SparseElements{{0, 2, 4}, {0, 1, 0, 1}, {0, 2, 1, 0}, {2, -3, 1, 5}, {}}};
  table.bias = {2, 1, 1, SparseElements{{0, 2}, {0, 1}, {0, 0}, {1, -1}, {}}};
  table.metadata = {{"group", R"({"expression": "S4", "order": "24"})"}, {"rep_out", "std ⊗ sign"}};
  return table;
}

/// Elements of one to five entries with values from -9 to 9.
inline WeightPattern random_elements(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, Rng& rng) {
  WeightPattern out{rows, cols, params, SparseElements{}};
  SparseElements& elements = sparse(out);
  elements.start = {0};
  for (std::uint64_t k = 0; k < params; ++k) {
    std::set<std::uint64_t> places;
    const std::uint64_t count = 1 + rng.below(5);
    for (std::uint64_t e = 0; e < count; ++e) places.insert(rng.below(rows * cols));
    for (const std::uint64_t place : places) {
      elements.row.push_back(static_cast<std::int32_t>(place / cols));
      elements.col.push_back(static_cast<std::int32_t>(place % cols));
      const double value = 1 + static_cast<double>(rng.below(9));
      elements.value.push_back(rng.below(2) == 0 ? value : -value);
    }
    elements.start.push_back(static_cast<std::int64_t>(elements.row.size()));
  }
  return out;
}

inline WeightBlock random_sparse_table(std::uint64_t rows, std::uint64_t cols, std::uint64_t params,
                                       std::uint64_t bias_params, Rng& rng) {
  WeightBlock table;
  table.channels = {1 + rng.below(5), 1 + rng.below(5)};
  table.weights = random_elements(rows, cols, params, rng);
  table.bias = random_elements(rows, 1, bias_params, rng);
  table.metadata = {{"rep_in", "std"}};
  return table;
}

inline bool same(const WeightPattern& a, const WeightPattern& b) {
  if (a.params != b.params || a.is_tied() != b.is_tied()) return false;
  if (a.is_tied()) return a.tied().orbit_size == b.tied().orbit_size && codes_of(a) == codes_of(b);
  const SparseElements &x = a.sparse(), &y = b.sparse();
  return x.start == y.start && x.row == y.row && x.col == y.col && x.value == y.value &&
         x.exact.field == y.exact.field && x.exact.generator == y.exact.generator && x.exact.degree == y.exact.degree &&
         x.exact.coordinates == y.exact.coordinates && x.exact.large == y.exact.large;
}

/// What the digest covers: the entries.
inline bool same_elements(const WeightBlock& a, const WeightBlock& b) {
  return same(a.weights, b.weights) && same(a.bias, b.bias);
}

inline bool same(const WeightBlock& a, const WeightBlock& b) {
  return same_elements(a, b) && a.weights.rows == b.weights.rows && a.weights.cols == b.weights.cols &&
         a.channels == b.channels;
}

}  // namespace test_tables
