#include "character_commands.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace intertwine::app {

Json to_json(const Cyclotomic& a) {
  if (a.is_rational()) return to_string(a);
  Json terms = Json::array();
  for (const auto& [e, c] : a.terms()) terms.push_back({to_string(c), std::to_string(e)});
  for (auto& term : terms) term[1] = std::stoul(term[1].get<std::string>());
  return {{"n", a.conductor()}, {"c", terms}};
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line +=
          c == 0 ? fmt::format("  {:<{}}", row[c], widths[c]) : fmt::format("  {:>{}}", row[c], widths[c]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

Json to_json(const FieldMatrix& A) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < A.rows(); ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < A.cols(); ++j) row.push_back(to_json(A(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

CharacterTable table_of(const FiniteGroup& G, const Context& context) {
  return character_table(G, context.task);
}

}  // namespace intertwine::app
