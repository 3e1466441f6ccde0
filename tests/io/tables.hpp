// Tables for the tests of files and pictures, made without any group, and a folder that goes away.
#pragma once
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>

#include "intertwine/equivariant/tied_table.hpp"
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
    codes[k] =
        static_cast<std::int32_t>(k < params ? 1 + k + params * rng.below(2) : rng.below(2 * params + 1));
  for (std::uint64_t k = count; k > 1; --k) std::swap(codes[k - 1], codes[rng.below(k)]);
  if (code_bytes(params) == 4) return codes;
  return std::vector<std::uint8_t>(codes.begin(), codes.end());
}

inline std::int32_t code_at(const Codes& codes, std::uint64_t k) {
  return std::visit([k](const auto& items) { return static_cast<std::int32_t>(items[k]); }, codes);
}

inline TiedTable random_table(std::uint64_t rows, std::uint64_t cols, std::uint64_t params,
                              std::uint64_t bias_params, Rng& rng) {
  TiedTable table;
  TableHeader& header = table.header;
  header.rows = rows;
  header.cols = cols;
  header.params = params;
  header.bias_params = bias_params;
  header.multiplicity_in = 1 + rng.below(5);
  header.multiplicity_out = 1 + rng.below(5);
  header.bias_code = random_codes(rows, bias_params, rng);
  header.metadata = {
      {"group", R"({"expression": "S4", "order": "24"})"}, {"rep_in", "perm^2"}, {"rep_out", "perm ⊗ sign"}};
  table.weight_code = random_codes(rows * cols, params, rng);
  header.orbit_size.assign(params, 0);
  for (std::uint64_t k = 0; k < rows * cols; ++k) {
    const auto code = static_cast<std::uint64_t>(code_at(table.weight_code, k));
    if (code != 0) ++header.orbit_size[(code - 1) % params];
  }
  return table;
}

/// The equivariant maps of S_n on n points: theta_0 on the diagonal, theta_1 off it; one bias parameter.
inline TiedTable diagonal_table(std::uint64_t n) {
  TiedTable table;
  table.header.rows = table.header.cols = n;
  table.header.params = 2;
  table.header.bias_params = 1;
  table.header.orbit_size = {static_cast<std::int64_t>(n), static_cast<std::int64_t>(n * n - n)};
  table.header.bias_code = std::vector<std::uint8_t>(n, 1);
  std::vector<std::uint8_t> codes(n * n, 2);
  for (std::uint64_t i = 0; i < n; ++i) codes[i * n + i] = 1;
  table.weight_code = codes;
  return table;
}

/// Rows of a table in memory.
class Rows : public CodeRows {
 public:
  explicit Rows(const TiedTable& table) : table_(table) {}
  std::uint64_t rows() const override { return table_.header.rows; }
  std::uint64_t cols() const override { return table_.header.cols; }
  void row(std::uint64_t i, std::span<std::int32_t> out) const override {
    for (std::uint64_t j = 0; j < cols(); ++j) out[j] = code_at(table_.weight_code, i * cols() + j);
  }

 private:
  const TiedTable& table_;
};

inline bool same(const TableHeader& a, const TableHeader& b) {
  return a.rows == b.rows && a.cols == b.cols && a.params == b.params && a.bias_params == b.bias_params &&
         a.multiplicity_in == b.multiplicity_in && a.multiplicity_out == b.multiplicity_out &&
         a.orbit_size == b.orbit_size && a.bias_code == b.bias_code;
}

}  // namespace test_tables
