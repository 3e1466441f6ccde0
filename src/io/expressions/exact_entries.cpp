// Matrices of exact numbers from JSON.
#include "io/expressions/exact_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "intertwine/error.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

using nlohmann::json;

/// {"n": 5, "c": [["1", 1], ["1", 4]]} as the text 1*E(5)^1+1*E(5)^4, which the one parser of numbers then judges.
/// Nothing if it is not of this form. \throws ParseError for coefficients that are no rational numbers.
std::optional<std::string> cyclotomic_text(const json& value) {
  if (value.size() != 2 || !value.contains("n") || !value.contains("c")) return {};
  const json &n = value["n"], &terms = value["c"];
  if (!n.is_number_unsigned() || n.get<std::uint64_t>() == 0 || n.get<std::uint64_t>() > Cyclotomic::max_conductor ||
      !terms.is_array() || terms.size() > n.get<std::uint64_t>())
    return {};
  std::string text = "0";
  for (const json& term : terms) {
    if (!term.is_array() || term.size() != 2 || !term[0].is_string() || !term[1].is_number_unsigned()) return {};
    const auto& coefficient = term[0].get_ref<const std::string&>();
    if (term[1].get<std::uint64_t>() >= n.get<std::uint64_t>()) return {};
    const std::string rational = to_string(parse_rational(coefficient));
    text += fmt::format("{}{}*E({})^{}", rational[0] == '-' ? "" : "+", rational, n.get<std::uint64_t>(),
                        term[1].get<std::uint64_t>());
  }
  return text;
}

}  // namespace

std::optional<Cyclotomic> cyclotomic_from_json(const json& value, const Task& task) {
  if (value.is_number_unsigned()) return Rational(value.get<std::uint64_t>());
  if (value.is_number_integer()) return Rational(value.get<std::int64_t>());
  try {
    if (value.is_string()) return parse_cyclotomic(value.get_ref<const std::string&>(), task);
    if (value.is_object())
      if (const auto text = cyclotomic_text(value)) return parse_cyclotomic(*text, task);
  } catch (const ParseError&) {
    // no number
  }
  return {};
}

namespace {

/// `forms` says how entries are written.
template <class Number>
Number number(const json& value, std::size_t row, std::size_t col, const char* forms, const Task& task) {
  const auto fail = [&](const std::string& why) -> MatrixFault {
    return {fmt::format("row {}, entry {} is no exact number: {}; write {}", row + 1, col + 1, why, forms)};
  };
  if constexpr (std::is_same_v<Number, Cyclotomic>) {
    if (const auto found = cyclotomic_from_json(value, task)) return *found;
  } else {
    if (value.is_number_unsigned()) return Rational(value.get<std::uint64_t>());
    if (value.is_number_integer()) return Rational(value.get<std::int64_t>());
    try {
      if (value.is_string()) return parse_rational(value.get_ref<const std::string&>());
    } catch (const ParseError&) {
      // said below
    }
  }
  throw fail(shown(value.is_string() ? value.get_ref<const std::string&>()
                                     : value.dump(-1, ' ', true, json::error_handler_t::replace),
                   40));
}

const json& checked_row(const json& rows, std::size_t i, std::size_t dimension) {
  if (!rows[i].is_array() || rows[i].size() != dimension)
    throw MatrixFault{fmt::format("row {} is no list of {} entries", i + 1, dimension)};
  return rows[i];
}

template <class Number>
std::vector<Number> entries_of(const json& rows, std::size_t dimension, const char* forms, const Task& task) {
  if (!rows.is_array() || rows.size() != dimension)
    throw MatrixFault{fmt::format("is no list of {0} rows of {0} entries", dimension)};
  std::vector<Number> entries;
  for (std::size_t i = 0; i < dimension; ++i) {
    const json& row = checked_row(rows, i, dimension);
    task.poll();
    for (std::size_t j = 0; j < dimension; ++j) entries.push_back(number<Number>(row[j], i, j, forms, task));
  }
  return entries;
}

/// Refuses matrices that are small as text and large over one denominator.
class CommonDenominator {
 public:
  CommonDenominator(std::size_t rows, std::size_t cols, std::size_t degree)
      : rows_(rows), cols_(cols), coordinates_(rows * cols * degree) {}
  void add(const Rational& x) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;
    const Integer d = denominator(x);
    if (d == 1 || common_ % d == 0) return;
    common_ = lcm(common_, d);
    if ((msb(common_) / 8 + 1) * coordinates_ > most_bytes)
      throw LimitError(fmt::format("a {} x {} matrix needs more than 1 GiB once its entries have a common denominator",
                                   rows_, cols_));
  }

 private:
  std::size_t rows_, cols_;
  std::uint64_t coordinates_;
  Integer common_ = 1;
};

}  // namespace

RationalMatrix matrix_of_entries(std::size_t rows, std::size_t cols, const std::vector<Rational>& entries) {
  CommonDenominator common(rows, cols, 1);
  for (const Rational& x : entries) common.add(x);
  return {rows, cols, entries};
}

FieldMatrix matrix_of_entries(std::size_t rows, std::size_t cols, const std::vector<Cyclotomic>& entries) {
  constexpr std::uint64_t most_coordinates = std::uint64_t{1} << 25;
  const AbelianField K = AbelianField::generated_by(entries);
  if (K.degree() > most_coordinates / std::max<std::size_t>(entries.size(), 1))
    throw LimitError(fmt::format("a {} x {} matrix over {}, of degree {}, has more than 2^25 coordinates", rows, cols,
                                 K.to_string(), K.degree()));
  CommonDenominator common(rows, cols, K.degree());
  for (const Cyclotomic& x : entries) {
    if (x.small_integer() != nullptr) continue;
    for (const auto& [exponent, coefficient] : x.terms()) common.add(coefficient);
  }
  return {rows, cols, entries};
}

FieldMatrix matrix_from_json(const json& rows, std::size_t dimension, const Task& task) {
  return matrix_of_entries(dimension, dimension,
                           entries_of<Cyclotomic>(rows, dimension, "\"p\", \"p/q\" or \"E(5)+E(5)^4\"", task));
}

RationalMatrix rational_matrix_from_json(const json& rows, std::size_t dimension, const Task& task) {
  return matrix_of_entries(dimension, dimension, entries_of<Rational>(rows, dimension, "\"p\" or \"p/q\"", task));
}

std::vector<std::vector<std::uint32_t>> field_matrix_from_json(const json& rows, std::uint32_t q) {
  if (!rows.is_array()) throw MatrixFault{"is no list of rows"};
  std::vector<std::vector<std::uint32_t>> matrix;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const json& row = checked_row(rows, i, rows.size());
    matrix.emplace_back();
    for (std::size_t j = 0; j < rows.size(); ++j) {
      if (!row[j].is_number_unsigned() || row[j].get<std::uint64_t>() >= q)
        throw MatrixFault{
            fmt::format("row {}, entry {} is no whole number from 0 to {}", i + 1, j + 1, std::uint64_t{q} - 1)};
      matrix.back().push_back(static_cast<std::uint32_t>(row[j].get<std::uint64_t>()));
    }
  }
  return matrix;
}

}  // namespace intertwine
