#include "symmetric.hpp"

#include <algorithm>

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
  if (context.json) return context.print(json);
  context.out << text;
}

std::string wrapped(const std::string& sum, unsigned columns) {
  const std::size_t width = std::max(columns, 40u);
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

std::string latex_parts(const Partition& lambda) {
  if (lambda.empty()) return "\\emptyset";
  const std::string parts = to_string(lambda);
  return parts.substr(1, parts.size() - 2);
}

std::string latex_coefficient(const Rational& c, bool first) {
  const Rational size = abs(c);
  std::string text = c < 0 ? (first ? "-" : " - ") : first ? "" : " + ";
  if (denominator(size) != 1)
    text +=
        "\\frac{" + to_string(Integer(numerator(size))) + "}{" + to_string(Integer(denominator(size))) + "} ";
  else if (size != 1)
    text += to_string(size) + " ";
  return text;
}

std::string to_latex(const SchurSum& f) {
  std::string text;
  for (const SchurTerm& term : f)
    text += latex_coefficient(Rational(term.coefficient), text.empty()) + "s_{" +
            latex_parts(term.partition) + "}";
  return text.empty() ? "0" : text;
}

std::string to_latex(const Bitableau& b) {
  const auto list = [](const std::vector<int>& indices) {
    std::string text;
    for (const int i : indices) text += (text.empty() ? "" : ",") + std::to_string(i + 1);
    return text;
  };
  std::string text;
  for (const Minor& minor : b.minors()) text += "(" + list(minor.rows) + " \\mid " + list(minor.cols) + ")";
  return text.empty() ? "1" : text;
}

std::string to_latex(const MatrixPolynomial& f) {
  const std::string comma = f.size.rows > 9 || f.size.cols > 9 ? "," : "";
  std::string text;
  for (auto term = f.terms.rbegin(); term != f.terms.rend(); ++term) {
    std::string monomial;
    for (std::size_t k = 0; k < term->first.size(); ++k) {
      const unsigned exponent = term->first[k];
      if (exponent == 0) continue;
      const auto cols = static_cast<std::size_t>(f.size.cols);
      monomial += (monomial.empty() ? "x_{" : " x_{") + std::to_string(k / cols + 1) + comma +
                  std::to_string(k % cols + 1) + "}";
      if (exponent > 1) monomial += "^{" + std::to_string(exponent) + "}";
    }
    std::string factor = latex_coefficient(Rational(term->second), text.empty());
    if (monomial.empty() && abs(term->second) == 1) factor += "1";
    text += factor + monomial;
  }
  return text.empty() ? "0" : text;
}

std::string sum_text(const SchurSum& f, bool latex, unsigned width) {
  return wrapped(latex ? to_latex(f) : to_string(f), width);
}

void add_format(CLI::App& command, bool& latex) {
  command.add_flag("--latex", latex, "the same as --format latex");
  command
      .add_option_function<std::string>(
          "--format", [&latex](const std::string& format) { latex = format == "latex"; }, "text or latex")
      ->check(CLI::IsMember({"text", "latex"}))
      ->type_name("FORMAT");
}

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
