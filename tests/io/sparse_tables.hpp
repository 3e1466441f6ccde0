// Sparse bases for the tests of files, made without any group.
#pragma once
#include <algorithm>
#include <set>

#include "intertwine/equivariant/sparse_table.hpp"
#include "support/random.hpp"

namespace test_tables {

/// 2 x 3, two elements and one of the bias: 2 E_00 - 3 E_12, E_01 + 5 E_10, and (1, -1).
inline intertwine::SparseTable small_sparse_table() {
  intertwine::SparseTable table;
  table.rows = 2;
  table.cols = 3;
  table.params = 2;
  table.bias_params = 1;
  table.multiplicity_in = 4;
  table.start = {0, 2, 4};
  table.row = {0, 1, 0, 1};
  table.col = {0, 2, 1, 0};
  table.value = intertwine::IntegerMatrix{{2, -3, 1, 5}};
  table.bias_start = {0, 2};
  table.bias_row = {0, 1};
  table.bias_value = intertwine::IntegerMatrix{{1, -1}};
  table.metadata = {{"group", R"({"expression": "S4", "order": "24"})"}, {"rep_out", "std ⊗ sign"}};
  return table;
}

/// Elements of one to five entries with values from -9 to 9.
inline intertwine::SparseTable random_sparse_table(std::uint64_t rows, std::uint64_t cols,
                                                   std::uint64_t params, std::uint64_t bias_params,
                                                   intertwine::Rng& rng) {
  const auto places = [&](std::uint64_t size) {
    std::set<std::uint64_t> out;
    const std::uint64_t count = 1 + rng.below(5);
    for (std::uint64_t k = 0; k < count; ++k) out.insert(rng.below(size));
    return out;
  };
  const auto values = [&](std::size_t count) {
    intertwine::IntegerMatrix out(1, count);
    for (std::size_t e = 0; e < count; ++e) {
      const long value = 1 + static_cast<long>(rng.below(9));
      out.set(0, e, rng.below(2) == 0 ? value : -value);
    }
    return out;
  };
  intertwine::SparseTable table;
  table.rows = rows;
  table.cols = cols;
  table.params = params;
  table.bias_params = bias_params;
  table.multiplicity_in = 1 + rng.below(5);
  table.multiplicity_out = 1 + rng.below(5);
  table.start = {0};
  table.bias_start = {0};
  for (std::uint64_t k = 0; k < params; ++k) {
    for (const std::uint64_t place : places(rows * cols)) {
      table.row.push_back(static_cast<std::int32_t>(place / cols));
      table.col.push_back(static_cast<std::int32_t>(place % cols));
    }
    table.start.push_back(static_cast<std::int64_t>(table.row.size()));
  }
  for (std::uint64_t k = 0; k < bias_params; ++k) {
    for (const std::uint64_t place : places(rows)) table.bias_row.push_back(static_cast<std::int32_t>(place));
    table.bias_start.push_back(static_cast<std::int64_t>(table.bias_row.size()));
  }
  table.value = values(table.row.size());
  table.bias_value = values(table.bias_row.size());
  table.metadata = {{"rep_in", "std"}};
  return table;
}

/// What the digest covers: the elements.
inline bool same_elements(const intertwine::SparseTable& a, const intertwine::SparseTable& b) {
  return a.params == b.params && a.bias_params == b.bias_params && a.start == b.start && a.row == b.row &&
         a.col == b.col && a.value == b.value && a.bias_start == b.bias_start && a.bias_row == b.bias_row &&
         a.bias_value == b.bias_value;
}

inline bool same(const intertwine::SparseTable& a, const intertwine::SparseTable& b) {
  return same_elements(a, b) && a.rows == b.rows && a.cols == b.cols &&
         a.multiplicity_in == b.multiplicity_in && a.multiplicity_out == b.multiplicity_out;
}

}  // namespace test_tables
