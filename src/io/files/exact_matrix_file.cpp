#include "intertwine/io/exact_matrix_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/table_file.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

using nlohmann::json;

Rational entry(const json& value, const std::string& name, std::size_t i, std::size_t j) {
  const auto refuse = [&](const std::string& why) {
    throw FileError(fmt::format("{}: entry ({}, {}) (0-based) {}", name, i, j, why));
  };
  if (value.is_number_unsigned()) return Rational(value.get<std::uint64_t>());
  if (value.is_number_integer()) return Rational(value.get<std::int64_t>());
  if (value.is_number()) refuse("is a decimal number; write it exactly, as a string like \"1/10\"");
  if (!value.is_string()) refuse("is no number; entries are integers or strings like \"-5/2\"");
  const auto& text = value.get_ref<const std::string&>();
  try {
    return parse_rational(text);
  } catch (const ParseError& e) {
    refuse(fmt::format("is \"{}\": {}", shown(text), e.what()));
  }
  throw InternalError("read_exact_matrix: an entry was neither read nor refused");
}

}  // namespace

RationalMatrix read_exact_matrix(const std::filesystem::path& path, const Task& task) {
  constexpr std::uint64_t largest_file = 256U << 20, bytes_in_memory = 24;
  const std::string name = shown_path(path), text = read_file(path, largest_file);
  task.require_memory(bytes_in_memory * text.size(), "the matrix of " + name);
  const json document = parse_strict_json(text, name, {3});
  if (!document.is_array())
    throw FileError(name + ": it is no list of rows like [[\"1\", \"-1/2\"], [\"0\", \"3\"]]");
  std::vector<Rational> entries;
  std::size_t cols = 0;
  for (std::size_t i = 0; i < document.size(); ++i) {
    const json& row = document[i];
    if (!row.is_array()) throw FileError(fmt::format("{}: row {} (0-based) is no list", name, i));
    if (i == 0) cols = row.size();
    if (row.size() != cols)
      throw FileError(
          fmt::format("{}: row {} (0-based) has {} entries, the first row {}", name, i, row.size(), cols));
    for (std::size_t j = 0; j < cols; ++j) entries.push_back(entry(row[j], name, i, j));
    task.poll();
  }
  return {document.size(), cols, entries};
}

std::string exact_matrix_json(const RationalMatrix& A) {
  std::string text = "[";
  for (std::size_t i = 0; i < A.rows(); ++i) {
    text += i == 0 ? "\n  [" : ",\n  [";
    for (std::size_t j = 0; j < A.cols(); ++j)
      text += fmt::format("{}\"{}\"", j == 0 ? "" : ", ", to_string(A(i, j)));
    text += ']';
  }
  return text + (A.rows() == 0 ? "]\n" : "\n]\n");
}

}  // namespace intertwine
