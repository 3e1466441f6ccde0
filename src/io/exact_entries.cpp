#include "io/exact_entries.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "io/text.hpp"

namespace intertwine {

namespace {

using nlohmann::json;

Rational number(const json& value, std::size_t row, std::size_t col) {
  const auto fail = [&](const std::string& why) -> MatrixFault {
    return {fmt::format("row {}, entry {} is no exact number: {}; write \"p\" or \"p/q\"", row + 1, col + 1,
                        why)};
  };
  if (value.is_number_unsigned()) return Rational(value.get<std::uint64_t>());
  if (value.is_number_integer()) return Rational(value.get<std::int64_t>());
  if (!value.is_string()) throw fail(shown(value.dump(-1, ' ', true, json::error_handler_t::replace), 40));
  try {
    return parse_rational(value.get_ref<const std::string&>());
  } catch (const ParseError&) {
    throw fail(shown(value.get_ref<const std::string&>(), 40));
  }
}

const json& checked_row(const json& rows, std::size_t i, std::size_t dimension) {
  if (!rows[i].is_array() || rows[i].size() != dimension)
    throw MatrixFault{fmt::format("row {} is no list of {} entries", i + 1, dimension)};
  return rows[i];
}

}  // namespace

RationalMatrix matrix_of_entries(std::size_t rows, std::size_t cols, const std::vector<Rational>& entries) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;
  Integer common = 1;
  for (const Rational& x : entries) {
    const Integer d = denominator(x);
    if (d == 1 || common % d == 0) continue;
    common = lcm(common, d);
    if ((msb(common) / 8 + 1) * entries.size() > most_bytes)
      throw LimitError(fmt::format(
          "a {} x {} matrix needs more than 1 GiB once its entries have a common denominator", rows, cols));
  }
  return {rows, cols, entries};
}

RationalMatrix rational_matrix_from_json(const json& rows, std::size_t dimension) {
  if (!rows.is_array() || rows.size() != dimension)
    throw MatrixFault{fmt::format("is no list of {0} rows of {0} entries", dimension)};
  std::vector<Rational> entries;
  for (std::size_t i = 0; i < dimension; ++i) {
    const json& row = checked_row(rows, i, dimension);
    for (std::size_t j = 0; j < dimension; ++j) entries.push_back(number(row[j], i, j));
  }
  return matrix_of_entries(dimension, dimension, entries);
}

std::vector<std::vector<std::uint32_t>> field_matrix_from_json(const json& rows, std::uint32_t q) {
  if (!rows.is_array()) throw MatrixFault{"is no list of rows"};
  std::vector<std::vector<std::uint32_t>> matrix;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const json& row = checked_row(rows, i, rows.size());
    matrix.emplace_back();
    for (std::size_t j = 0; j < rows.size(); ++j) {
      if (!row[j].is_number_unsigned() || row[j].get<std::uint64_t>() >= q)
        throw MatrixFault{fmt::format("row {}, entry {} is no whole number from 0 to {}", i + 1, j + 1,
                                      std::uint64_t{q} - 1)};
      matrix.back().push_back(static_cast<std::uint32_t>(row[j].get<std::uint64_t>()));
    }
  }
  return matrix;
}

}  // namespace intertwine
