// Reads graphs as other programs write them.
#include "io/files/foreign_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using nlohmann::json;

void require_vertices(std::uint64_t n, std::uint64_t most) {
  if (n == 0) throw DomainError("the graph has no vertices");
  if (n > most) throw LimitError(fmt::format("{} vertices are more than the limit of {}", n, most));
}

/// A vertex as its own file calls it: a text as it is, other values as JSON has them.
std::string name_of(const json& id) { return id.is_string() ? id.get<std::string>() : id.dump(); }

/// The members of an object without these, as JSON; nothing for none.
std::string others(const json& object, std::initializer_list<std::string_view> without) {
  json rest = json::object();
  for (const auto& [key, value] : object.items())
    if (std::ranges::find(without, key) == without.end()) rest[key] = value;
  return rest.empty() ? "" : rest.dump();
}

/// Puts the edges of each pair together. Without directions the smaller end comes first.
void join_parallel(ForeignGraph& graph) {
  std::vector<ForeignGraph::Edge>& edges = graph.edges;
  if (!graph.directed)
    for (auto& e : edges) std::tie(e.from, e.to) = std::pair(std::min(e.from, e.to), std::max(e.from, e.to));
  std::ranges::sort(edges, {}, [](const auto& e) { return std::tie(e.from, e.to, e.label); });
  std::vector<ForeignGraph::Edge> joined;
  bool parallel = false;
  for (auto& e : edges) {
    if (joined.empty() || std::tie(joined.back().from, joined.back().to) != std::tie(e.from, e.to)) {
      joined.push_back(std::move(e));
      parallel = false;
      continue;
    }
    // A list keeps labels apart that contain one another.
    std::string& label = joined.back().label;
    if (!parallel) label = "[" + json(label).dump();
    label += "," + json(e.label).dump();
    parallel = true;
  }
  edges = std::move(joined);
}

/// The lines and numbers of a Matrix Market file.
class MatrixMarket {
 public:
  MatrixMarket(std::string_view text, std::uint64_t most, const Task& task) : text_(text), most_(most), task_(task) {}

  ForeignGraph read() {
    heading();
    std::vector<std::string_view> words = numbers();
    const std::size_t wanted = coordinates_ ? 3 : 2;
    if (words.size() != wanted)
      fail(fmt::format("has {} words where {} are expected", words.size(),
                       coordinates_ ? "rows, columns and the number of entries" : "rows and columns"));
    const std::uint64_t rows = whole(words[0]), columns = whole(words[1]);
    if (rows != columns)
      throw DomainError(
          fmt::format("the matrix is {} x {}; rows and columns of a square one are permuted together", rows, columns));
    require_vertices(rows, most_);
    graph_.vertices = static_cast<std::size_t>(rows);
    graph_.directed = symmetry_ != Symmetry::symmetric;
    if (coordinates_)
      sparse(whole(words[2]));
    else
      dense();
    if (!text_.empty() && !numbers().empty()) fail("goes on after the last entry");
    return std::move(graph_);
  }

 private:
  enum class Symmetry { general, symmetric, skew };

  [[noreturn]] void fail(const std::string& what) const { throw DomainError(fmt::format("line {} {}", line_, what)); }
  std::string_view next_line() {
    ++line_;
    if (line_ % 1024 == 0) task_.poll();
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    return line;
  }
  static std::vector<std::string_view> words_of(std::string_view line) {
    constexpr std::string_view between = " \t\r";
    std::vector<std::string_view> words;
    for (std::size_t at = line.find_first_not_of(between); at != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(between, at), line.size());
      words.push_back(line.substr(at, end - at));
      at = line.find_first_not_of(between, end);
    }
    return words;
  }
  /// The words of the next line that is neither empty nor a comment; none at the end.
  std::vector<std::string_view> numbers() {
    while (!text_.empty()) {
      const std::string_view line = next_line();
      if (line.starts_with('%')) continue;
      std::vector<std::string_view> words = words_of(line);
      if (!words.empty()) return words;
    }
    return {};
  }
  std::uint64_t whole(std::string_view word) const {
    std::uint64_t n = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (status != std::errc() || end != word.data() + word.size())
      fail(fmt::format("has '{}' where a whole number is expected", word.substr(0, 40)));
    return n;
  }
  double value(std::string_view word) const {
    double x = 0;
    const char* const begin = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto [end, status] = std::from_chars(begin, word.data() + word.size(), x);
    if (status != std::errc() || end != word.data() + word.size() || !std::isfinite(x))
      fail(fmt::format("has '{}' where a number is expected", word.substr(0, 40)));
    return x;
  }

  void heading() {
    std::string head(next_line());
    std::ranges::transform(head, head.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    const std::vector<std::string_view> words = words_of(head);
    const auto one_of = [&](std::size_t k, std::initializer_list<std::string_view> known) {
      if (words.size() != 5 || std::ranges::find(known, words[k]) == known.end())
        throw DomainError(
            "the first line is '%%MatrixMarket matrix coordinate real general', where array may stand for "
            "coordinate, integer or pattern for real, and symmetric or skew-symmetric for general");
    };
    one_of(0, {"%%matrixmarket"});
    one_of(1, {"matrix"});
    one_of(2, {"coordinate", "array"});
    one_of(3, {"real", "integer", "pattern"});
    one_of(4, {"general", "symmetric", "skew-symmetric"});
    coordinates_ = words[2] == "coordinate";
    pattern_ = words[3] == "pattern";
    symmetry_ = words[4] == "general"     ? Symmetry::general
                : words[4] == "symmetric" ? Symmetry::symmetric
                                          : Symmetry::skew;
    if (pattern_ && (!coordinates_ || symmetry_ == Symmetry::skew))
      throw DomainError("a pattern has coordinates, and is general or symmetric");
  }

  void put(std::uint64_t row, std::uint64_t column, double x) {
    if (x == 0) return;
    const auto i = static_cast<std::uint32_t>(row), j = static_cast<std::uint32_t>(column);
    graph_.edges.push_back({i, j, fmt::format("{}", x)});
    if (symmetry_ == Symmetry::skew) graph_.edges.push_back({j, i, fmt::format("{}", -x)});
  }
  void sparse(std::uint64_t entries) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (std::uint64_t k = 0; k < entries; ++k) {
      const std::vector<std::string_view> words = numbers();
      if (words.empty()) throw DomainError(fmt::format("the file ends after {} of {} entries", k, entries));
      if (words.size() != (pattern_ ? 2 : 3))
        fail(fmt::format("has {} words; an entry is a row, a column{}", words.size(), pattern_ ? "" : " and a number"));
      std::uint64_t row = whole(words[0]), column = whole(words[1]);
      if (row < 1 || column < 1 || row > graph_.vertices || column > graph_.vertices)
        fail(fmt::format("has the place ({}, {}) outside of the matrix", row, column));
      if (symmetry_ == Symmetry::skew && row == column) fail("has an entry on the diagonal, which is 0");
      put(row - 1, column - 1, pattern_ ? 1 : value(words[2]));
      if (symmetry_ != Symmetry::general && row < column) std::swap(row, column);
      seen.emplace_back(row, column);
    }
    std::ranges::sort(seen);
    if (const auto twice = std::ranges::adjacent_find(seen); twice != seen.end())
      throw DomainError(fmt::format("the entry ({}, {}) is given twice", twice->first, twice->second));
  }
  void dense() {
    for (std::uint64_t j = 0; j < graph_.vertices; ++j)
      for (std::uint64_t i = symmetry_ == Symmetry::general ? 0 : j + (symmetry_ == Symmetry::skew ? 1 : 0);
           i < graph_.vertices; ++i) {
        const std::vector<std::string_view> words = numbers();
        if (words.empty()) throw DomainError("the file ends before the last entry of the matrix");
        if (words.size() != 1) fail(fmt::format("has {} words; an array has one entry a line", words.size()));
        put(i, j, value(words[0]));
      }
  }

  std::string_view text_;
  std::uint64_t most_;
  const Task& task_;
  std::size_t line_ = 0;
  bool coordinates_ = true, pattern_ = false;
  Symmetry symmetry_ = Symmetry::general;
  ForeignGraph graph_;
};

}  // namespace

ForeignGraph read_node_link(const json& document, std::uint64_t most, const Task& task) {
  const auto flag = [&](const char* key) {
    if (document.contains(key) && !document[key].is_boolean())
      throw DomainError(fmt::format("\"{}\" must be true or false", key));
    return document.value(key, false);
  };
  ForeignGraph graph;
  graph.directed = flag("directed");
  flag("multigraph");
  const json& nodes = document["nodes"];
  if (!nodes.is_array()) throw DomainError("\"nodes\" must be an array of objects with an \"id\"");
  require_vertices(nodes.size(), most);
  graph.vertices = nodes.size();
  std::unordered_map<std::string, std::uint32_t> places;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (!nodes[k].is_object() || !nodes[k].contains("id"))
      throw DomainError(fmt::format("nodes[{}] must be an object with an \"id\"", k));
    graph.names.push_back(name_of(nodes[k]["id"]));
    if (!places.emplace(graph.names.back(), static_cast<std::uint32_t>(k)).second)
      throw DomainError(fmt::format("nodes[{}] has the id {} of another node", k, graph.names.back()));
    graph.colours.push_back(others(nodes[k], {"id"}));
  }
  const char* const key = document.contains("links") ? "links" : "edges";
  if (!document.contains(key) || !document[key].is_array())
    throw DomainError("\"links\" must be an array of objects with \"source\" and \"target\"");
  const json& links = document[key];
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (k % 1024 == 0) task.poll();
    const auto end = [&](const char* which) {
      if (!links[k].is_object() || !links[k].contains(which))
        throw DomainError(fmt::format("{}[{}] must be an object with \"source\" and \"target\"", key, k));
      const auto found = places.find(name_of(links[k][which]));
      if (found == places.end())
        throw DomainError(fmt::format("{}[{}] has the {} {}, which is the id of no node", key, k, which,
                                      name_of(links[k][which]).substr(0, 40)));
      return found->second;
    };
    const std::uint32_t from = end("source"), to = end("target");
    graph.edges.push_back({from, to, others(links[k], {"source", "target", "key"})});
  }
  join_parallel(graph);
  return graph;
}

ForeignGraph read_matrix_market(std::string_view text, std::uint64_t most, const Task& task) {
  return MatrixMarket(text, most, task).read();
}

}  // namespace intertwine
