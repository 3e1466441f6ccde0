// Reads files of exact matrices.
#include "intertwine/io/exact_matrix_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include <nlohmann/json.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/exact/exact_offer.hpp"
#include "intertwine/io/table_file.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"
#include "io/expressions/exact_entries.hpp"

namespace intertwine {

namespace {

using nlohmann::json;

/// Entry (i, j): a rational number, or another one where `all` are taken.
std::variant<Rational, Cyclotomic> entry(const json& value, const std::string& name, std::size_t i, std::size_t j,
                                         bool all, const Task& task) {
  const auto refuse = [&](const std::string& why) {
    throw FileError(fmt::format("{}: entry ({}, {}) (0-based) {}", name, i, j, why));
  };
  if (value.is_number_unsigned()) return Rational(value.get<std::uint64_t>());
  if (value.is_number_integer()) return Rational(value.get<std::int64_t>());
  constexpr double largest_exact = 9007199254740992;  // beyond it a double may be another integer than the file has
  if (value.is_number() && std::abs(value.get<double>()) > largest_exact)
    refuse("is a large integer or a decimal number; write it exactly, as a string of digits");
  if (value.is_number())
    refuse(fmt::format("is a decimal number; write it exactly, as the string \"{}\" if that is meant",
                       exact_offer(value.dump())));
  if (all && value.is_object())
    if (auto number = cyclotomic_from_json(value, task)) return *number;
  if (!value.is_string()) refuse("is no number; entries are integers or strings like \"-5/2\"");
  const auto& text = value.get_ref<const std::string&>();
  try {
    const bool plain = text.find_first_not_of("0123456789/+-") == std::string::npos &&
                       text.find_first_of("+-", 1) == std::string::npos;
    if (all && !plain) return parse_cyclotomic(text, task);
    return parse_rational(text);
  } catch (const ParseError& e) {
    refuse(fmt::format("is \"{}\": {}", shown(text), e.what()));
  } catch (const LimitError& e) {
    task.poll();
    throw LimitError(fmt::format("{}: entry ({}, {}) (0-based): {}", name, i, j, e.what()), e.remedy());
  }
  throw InternalError("read_exact_matrix: an entry was neither read nor refused");
}

struct MatrixEntries {
  std::size_t rows, cols;
  std::vector<Rational> rational;  ///< row by row, 0 where there is another number
  std::vector<std::pair<std::size_t, Cyclotomic>> others;
};

MatrixEntries read_entries(const std::filesystem::path& path, bool all, const Task& task) {
  constexpr std::uint64_t most_bytes_of_matrix = 256U << 20, bytes_in_memory = 24;
  const std::string name = shown_path(path), text = read_file(path, most_bytes_of_matrix);
  task.require_memory(bytes_in_memory * text.size(), "the matrix of " + name);
  const json document = parse_strict_json(text, name, {all ? 5U : 3U});
  if (!document.is_array()) throw FileError(name + ": it is no list of rows like [[\"1\", \"-1/2\"], [\"0\", \"3\"]]");
  MatrixEntries entries{document.size(), 0, {}, {}};
  std::size_t& cols = entries.cols;
  for (std::size_t i = 0; i < document.size(); ++i) {
    const json& row = document[i];
    if (!row.is_array()) throw FileError(fmt::format("{}: row {} (0-based) is no list", name, i));
    if (i == 0) cols = row.size();
    if (row.size() != cols)
      throw FileError(fmt::format("{}: row {} (0-based) has {} entries, the first row {}", name, i, row.size(), cols));
    for (std::size_t j = 0; j < cols; ++j) {
      auto number = entry(row[j], name, i, j, all, task);
      if (auto* other = std::get_if<Cyclotomic>(&number))
        entries.others.emplace_back(entries.rational.size(), std::move(*other));
      entries.rational.push_back(number.index() == 0 ? std::move(std::get<Rational>(number)) : Rational());
    }
    task.poll();
  }
  return entries;
}

}  // namespace

RationalMatrix read_exact_matrix(const std::filesystem::path& path, const Task& task) {
  const MatrixEntries entries = read_entries(path, false, task);
  return {entries.rows, entries.cols, entries.rational};
}

FieldMatrix read_field_matrix(const std::filesystem::path& path, const Task& task) {
  const MatrixEntries entries = read_entries(path, true, task);
  if (entries.others.empty()) return RationalMatrix(entries.rows, entries.cols, entries.rational);
  task.require_memory(entries.rational.size() * sizeof(Cyclotomic), "the matrix of " + shown_path(path));
  std::vector<Cyclotomic> numbers(entries.rational.begin(), entries.rational.end());
  for (const auto& [k, number] : entries.others) numbers[k] = number;
  return matrix_of_entries(entries.rows, entries.cols, numbers);
}

std::string exact_matrix_json(const FieldMatrix& A) {
  const bool rational = A.field().is_rational();
  std::string text = "[";
  for (std::size_t i = 0; i < A.rows(); ++i) {
    text += i == 0 ? "\n  [" : ",\n  [";
    for (std::size_t j = 0; j < A.cols(); ++j)
      text += fmt::format("{}\"{}\"", j == 0 ? "" : ", ",
                          rational ? to_string(A.coefficients()(i, j)) : to_string(A(i, j)));
    text += ']';
  }
  return text + (A.rows() == 0 ? "]\n" : "\n]\n");
}

}  // namespace intertwine
