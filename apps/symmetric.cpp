#include "symmetric.hpp"

#include <algorithm>
#include <iostream>

#include "intertwine/io/table_file.hpp"

namespace intertwine::app {

Json to_json(const Partition& lambda) { return Json(lambda.parts()); }

Json to_json(const Bitableau& b) {
  Json rows = Json::array(), columns = Json::array();
  const auto from_one = [](std::vector<int> indices) {
    for (int& i : indices) ++i;
    return indices;
  };
  for (const Minor& minor : b.minors()) {
    rows.push_back(from_one(minor.rows));
    columns.push_back(from_one(minor.cols));
  }
  return {{"rows", std::move(rows)}, {"columns", std::move(columns)}};
}

Json to_json(const SchurSum& f) {
  Json terms = Json::array();
  for (const SchurTerm& term : f)
    terms.push_back({{"partition", to_json(term.partition)}, {"multiplicity", to_string(term.coefficient)}});
  return terms;
}

void finish(const Json& json, const std::string& text, Context& context) {
  for (const std::string& file : context.outputs)
    write_file(file, file.ends_with(".json") ? json.dump(2) + "\n" : text);
  context.finish_progress();
  if (context.json) return print(json);
  std::cout << text;
}

std::string wrapped(const std::string& sum) {
  const std::size_t width = std::max(terminal_width(), 40u);
  std::string text;
  std::size_t line = 0;  // where the current line begins
  for (std::size_t at = 0; at < sum.size();) {
    std::size_t next = at + 1;
    while (next < sum.size() && sum.compare(next, 3, " + ") != 0 && sum.compare(next, 3, " - ") != 0) ++next;
    if (!text.empty() && text.size() - line + (next - at) > width) {
      text += "\n ";
      line = text.size() - 1;
    }
    text.append(sum, at, next - at);
    at = next;
  }
  return text + "\n";
}

std::string to_latex(const SchurSum& f) {
  if (f.size() == 0) return "0";
  std::string text;
  for (const SchurTerm& term : f) {
    const bool negative = term.coefficient < 0;
    const Integer size = negative ? Integer(-term.coefficient) : term.coefficient;
    text += text.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
    if (size != 1) text.append(to_string(size)).append(" ");
    std::string parts = to_string(term.partition);
    parts = parts.substr(1, parts.size() - 2);
    text.append("s_{").append(parts.empty() ? "\\emptyset" : parts).append("}");
  }
  return text;
}

std::string sum_text(const SchurSum& f, bool latex) { return wrapped(latex ? to_latex(f) : to_string(f)); }

void add_box(CLI::App& command, Box& box) {
  command.add_option("--rows", box.rows, "keep only partitions with at most this many rows")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--cols", box.cols, "keep only partitions with at most this many columns")
      ->check(CLI::NonNegativeNumber);
}

void add_matrix_size(CLI::App& command, MatrixSize& size) {
  command.add_option("--rows", size.rows, "rows of the generic matrix")
      ->required()
      ->check(CLI::NonNegativeNumber);
  command.add_option("--cols", size.cols, "columns of the generic matrix")
      ->required()
      ->check(CLI::NonNegativeNumber);
}

std::string side_by_side(const Bitableau& b) {
  if (b.minors().empty()) return "1\n";
  const auto line = [](const std::vector<int>& indices) {
    std::string text;
    for (const int i : indices) text.append(text.empty() ? "" : " ").append(std::to_string(i + 1));
    return text;
  };
  std::size_t width = 0;
  for (const Minor& minor : b.minors()) width = std::max(width, line(minor.rows).size());
  std::string text;
  for (const Minor& minor : b.minors()) {
    std::string left = line(minor.rows);
    left.resize(width, ' ');
    text.append(left).append(" | ").append(line(minor.cols)).append("\n");
  }
  return text;
}

}  // namespace intertwine::app
