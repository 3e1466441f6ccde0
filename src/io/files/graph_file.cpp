// Reads graphs and other files with symmetries.
#include "intertwine/io/graph_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/npy.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"
#include "io/files/foreign_graph.hpp"

namespace intertwine {

namespace {

using nlohmann::json;

constexpr std::uint64_t max_bytes = std::uint64_t{1} << 28U;
constexpr std::uint64_t max_vertices = 1'000'000;

/// One graph on its way; every error names the file.
class GraphReader {
 public:
  /// \param complement  may a dense graph be read by the pairs that are no edges, which have the same automorphisms?
  GraphReader(const std::filesystem::path& path, const Task& task, bool complement = true)
      : path_(path), task_(task), may_complement_(complement) {}

  GraphFile read() {
    std::string kind = path_.extension().string();
    std::ranges::transform(kind, kind.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    static constexpr std::array<std::pair<std::string_view, void (GraphReader::*)()>, 12> readers{
        {{".g6", &GraphReader::graph6},
         {".s6", &GraphReader::graph6},
         {".json", &GraphReader::object},
         {".col", &GraphReader::dimacs},
         {".dimacs", &GraphReader::dimacs},
         {".edges", &GraphReader::edge_list},
         {".edgelist", &GraphReader::edge_list},
         {".mtx", &GraphReader::matrix_market},
         {".gml", &GraphReader::gml},
         {".graphml", &GraphReader::graphml},
         {".txt", &GraphReader::edge_list},
         {".npy", &GraphReader::matrix}}};
    const auto reader = std::ranges::find(readers, kind, [](const auto& r) { return r.first; });
    if (reader == readers.end())
      fail(
          fmt::format("the extension '{}' is that of no graph; use .g6, .s6, .json, .edges, .edgelist, .txt, .col, "
                      ".dimacs, .mtx, .gml, .graphml or .npy",
                      kind));
    std::error_code status;
    if (!std::filesystem::is_regular_file(path_, status)) fail("there is no such file; check the name");
    (this->*reader->second)();
    const std::size_t points = points_ == 0 ? graph_.vertices : points_;
    return {std::move(graph_), points, std::move(labels_)};
  }
  GraphFile read_rows(bool signs) {
    std::error_code status;
    if (!std::filesystem::is_regular_file(path_, status)) fail("there is no such file; check the name");
    rows_and_columns(signs);
    const std::size_t points = graph_.vertices;
    return {std::move(graph_), points, {}};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(fmt::format("{}: {}", path_.string(), what));
  }
  [[noreturn]] void fail_at(std::size_t line, const std::string& what) const {
    fail(fmt::format("line {} {}", line, what));
  }

  void start(std::uint64_t n) {
    if (n == 0) fail("the graph has no vertices");
    if (n > max_vertices)
      throw LimitError(fmt::format("{}: {} vertices are more than the limit of {}", path_.string(), n, max_vertices));
    graph_.vertices = static_cast<std::size_t>(n);
  }
  void reserve(std::uint64_t edges) {
    task_.require_memory(edges * sizeof(LabelledGraph::Edge), "the graph");
    graph_.edges.reserve(static_cast<std::size_t>(edges));
  }
  /// The label that the file gives a vertex itself; 0 is none.
  std::uint32_t& loop(std::uint64_t v) {
    if (graph_.colours.empty()) graph_.colours.assign(graph_.vertices, 0);
    return graph_.colours[static_cast<std::size_t>(v)];
  }
  struct Edge {
    std::uint32_t from, to, label;
    std::uint32_t place;  ///< in the file: a line, or a number in a list; a file has less than 2^32 bytes
    Edge(std::uint64_t a, std::uint64_t b, std::uint32_t what, std::size_t where)
        : from(narrow(a)), to(narrow(b)), label(what), place(static_cast<std::uint32_t>(where)) {}
    /// A number beyond all graphs stays beyond them.
    static std::uint32_t narrow(std::uint64_t v) { return static_cast<std::uint32_t>(std::min(v, max_vertices)); }
  };
  /// Before edges are listed: they are sorted beside themselves.
  void ask_for(std::uint64_t edges) { task_.require_memory(2 * edges * sizeof(Edge), "the graph"); }
  /// Takes each edge once. `clash` is told the first place where an edge has another label than before.
  template <class F>
  void take(std::vector<Edge> edges, bool directed, F clash) {
    graph_.directed = directed;
    if (!directed)
      for (Edge& e : edges) std::tie(e.from, e.to) = std::minmax({e.from, e.to});
    const auto ends = [](const Edge& e) { return std::pair(e.from, e.to); };
    if (!std::ranges::is_sorted(edges, {}, ends)) std::ranges::stable_sort(edges, {}, ends);
    task_.poll();
    const Edge *before = nullptr, *wrong = nullptr;
    reserve(edges.size());
    for (const Edge& e : edges) {
      if (before == nullptr || before->from != e.from || before->to != e.to) {
        before = &e;
        if (e.from == e.to)
          loop(e.from) = e.label;
        else
          graph_.edges.push_back({e.from, e.to, e.label});
      } else if (before->label != e.label && (wrong == nullptr || e.place < wrong->place)) {
        wrong = &e;
      }
    }
    if (wrong != nullptr) clash(wrong->place);
  }

  // --- graph6 and digraph6: bits of the adjacency matrix, six a character, as nauty's manual has them ---
  void graph6() {
    std::string text = read_file(path_, max_bytes);
    std::string_view rest = text;
    for (const std::string_view head : {">>graph6<<", ">>digraph6<<", ">>sparse6<<"})
      if (rest.starts_with(head)) rest.remove_prefix(head.size());
    const std::size_t end = rest.find_first_of("\r\n");
    if (end != std::string_view::npos) {
      if (rest.find_first_not_of("\r\n \t", end) != std::string_view::npos)
        fail("more than one graph; give each a file of its own");
      rest = rest.substr(0, end);
    }
    if (rest.starts_with(';'))
      fail("incremental sparse6 says what differs from another graph; write graph6 or sparse6");
    if (rest.starts_with(':')) return sparse6(rest.substr(1));
    const bool directed = rest.starts_with('&');
    if (directed) rest.remove_prefix(1);
    for (const char c : rest)
      if (c < 63 || c > 126) fail("graph6 consists of the characters from ? to ~");
    const std::uint64_t n = graph6_number(rest);
    // The length is compared before anything of that size is made.
    if (n > max_vertices) start(n);
    const std::uint64_t bits = directed ? n * n : n * (n - 1) / 2;
    if (n > 0 && rest.size() != (bits + 5) / 6)
      fail(fmt::format("a graph of {} vertices has {} characters after its size, not {}", n, (bits + 5) / 6,
                       rest.size()));
    start(n);
    graph_.directed = directed;
    std::uint64_t set = 0;
    for (const char c : rest) set += static_cast<unsigned>(std::popcount(static_cast<unsigned>(c - 63)));
    const bool complement = may_complement_ && !directed && 2 * set > bits;
    reserve(complement ? bits - set : set);
    std::uint64_t at = 0;
    for (std::uint64_t j = 0; j < n; ++j) {
      task_.poll();
      for (std::uint64_t i = 0; i < (directed ? n : j); ++i, ++at) {
        const auto six = static_cast<unsigned>(rest[static_cast<std::size_t>(at / 6)] - 63);
        const bool is_set = ((six >> (5 - at % 6)) & 1U) != 0;
        if (is_set == complement) continue;
        if (i == j)
          loop(i) = 1;
        else
          graph_.edges.push_back({static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(i), 1});
      }
    }
  }
  /// Edges by their larger ends: a bit that says whether the larger end is the next one, and the smaller end, or a later larger end.
  void sparse6(std::string_view rest) {
    for (const char c : rest)
      if (c < 63 || c > 126) fail("sparse6 consists of the characters from ? to ~");
    const std::uint64_t n = graph6_number(rest);
    start(n);
    const auto width = static_cast<std::uint64_t>(std::bit_width(n - 1)), bits = 6 * std::uint64_t{rest.size()};
    const auto bit = [&](std::uint64_t at) {
      return (static_cast<unsigned>(rest[static_cast<std::size_t>(at / 6)] - 63) >> (5 - at % 6)) & 1U;
    };
    std::vector<Edge> edges;
    ask_for(bits / (width + 1));
    for (std::uint64_t at = 0, v = 0; at + width < bits;) {
      if (at % 4096 == 0) task_.poll();
      v += bit(at++);
      std::uint64_t x = 0;
      for (std::uint64_t k = 0; k < width; ++k) x = x << 1U | bit(at++);
      if (v >= n || x >= n) break;  // what fills the last character
      if (x > v)
        v = x;
      else
        edges.emplace_back(v, x, 1, 0);
    }
    take(std::move(edges), false, [](std::size_t) {});
  }
  std::uint64_t graph6_number(std::string_view& rest) const {
    const auto take = [&](std::size_t characters) {
      if (rest.size() < characters) fail("the text ends within the number of vertices");
      std::uint64_t n = 0;
      for (std::size_t k = 0; k < characters; ++k) n = n << 6U | static_cast<std::uint64_t>(rest[k] - 63);
      rest.remove_prefix(characters);
      return n;
    };
    if (!rest.starts_with('~')) return take(1);
    rest.remove_prefix(1);
    if (!rest.starts_with('~')) return take(3);
    rest.remove_prefix(1);
    return take(6);
  }

  // --- Lines of words ---
  template <class F>
  void for_each_line(std::string_view text, F f) {
    const auto between = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ';'; };
    std::vector<std::string_view> words;
    for (std::size_t number = 1; !text.empty(); ++number) {
      if (number % 1024 == 0) task_.poll();
      const std::size_t end = std::min(text.find('\n'), text.size());
      words.clear();
      for (std::size_t at = 0; at < end;) {
        const std::size_t begin = at;
        while (at < end && !between(text[at])) ++at;
        if (at > begin) words.push_back(text.substr(begin, at - begin));
        while (at < end && between(text[at])) ++at;
      }
      if (!words.empty()) f(number, words);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  std::uint64_t vertex(std::size_t line, std::string_view word, std::uint64_t first) const {
    std::uint64_t v = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), v);
    if (status != std::errc() || end != word.data() + word.size())
      fail_at(line,
              fmt::format("has '{}' where a vertex is expected, a whole number from {} on", word.substr(0, 40), first));
    if (v < first) fail_at(line, fmt::format("has the vertex {}; vertices are numbered from {}", v, first));
    return v - first;
  }
  std::uint32_t label(std::string_view text) {
    return names_.try_emplace(std::string(text), static_cast<std::uint32_t>(names_.size()) + 2).first->second;
  }
  void put_all(std::vector<Edge> edges, bool directed) {
    for (const Edge& e : edges)
      if (e.from >= graph_.vertices || e.to >= graph_.vertices)
        fail_at(e.place, fmt::format("has a vertex beyond the {} of the graph", graph_.vertices));
    take(std::move(edges), directed,
         [&](std::size_t line) { fail_at(line, "gives an edge another label than a line before"); });
  }

  /// The vertices of a list, numbered as they first occur: whole numbers, or names none of which is one.
  class Vertices {
   public:
    std::uint32_t operator()(std::uint64_t name) {
      if (name >= small) return number_of(large_[name], name, numbers_);
      if (name >= small_.size()) small_.resize(std::max<std::size_t>(name + 1, 2 * small_.size()));
      return number_of(small_[static_cast<std::size_t>(name)], name, numbers_);
    }
    std::uint32_t operator()(std::string_view name) {
      std::string text(name);
      return number_of(named_[text], text, names_);
    }
    std::size_t size() const { return numbers_.size() + names_.size(); }
    const std::vector<std::uint64_t>& numbers() const { return numbers_; }
    const std::vector<std::string>& names() const { return names_; }

   private:
    static constexpr std::uint64_t small = 4 * max_vertices;
    template <class Name>
    static std::uint32_t number_of(std::uint32_t& place, const Name& name, std::vector<Name>& names) {
      if (place == 0) {
        names.push_back(name);
        place = static_cast<std::uint32_t>(names.size());
      }
      return place - 1;
    }
    std::vector<std::uint32_t> small_;  // number + 1 of those below `small`, 0 of what did not occur
    std::unordered_map<std::uint64_t, std::uint32_t> large_;
    std::unordered_map<std::string, std::uint32_t> named_;
    std::vector<std::uint64_t> numbers_;
    std::vector<std::string> names_;
  };

  /// Edges between the numbers of vertices become edges between their places: by their size or their letters, or their
  /// names below `n`.
  void place(std::vector<Edge>& edges, const Vertices& vertices, std::optional<std::uint64_t> n) {
    const std::vector<std::uint64_t>& names = vertices.numbers();
    if (n) {
      for (const Edge& e : edges)
        if (const std::uint64_t name = std::max(names[e.from], names[e.to]); name >= *n)
          fail_at(e.place,
                  fmt::format("has the vertex {}; '# vertices {}' says that they are 0 to {}, and without it they are "
                              "those that occur",
                              name, *n, *n - 1));
      for (Edge& e : edges) e = {names[e.from], names[e.to], e.label, e.place};
      return;
    }
    if (!vertices.names().empty()) return put_in_order(edges, vertices.names());
    put_in_order(edges, names);
  }
  template <class Name>
  void put_in_order(std::vector<Edge>& edges, const std::vector<Name>& names) {
    std::vector<std::uint32_t> order(names.size()), places(names.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::ranges::sort(order, {}, [&](std::uint32_t k) -> const Name& { return names[k]; });
    labels_.reserve(names.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      places[order[k]] = static_cast<std::uint32_t>(k);
      labels_.push_back(fmt::format("{}", names[order[k]]));
    }
    for (Edge& e : edges) e = {places[e.from], places[e.to], e.label, e.place};
  }

  /// The label of an edge: the words behind its ends, none for none. Several are those of a dictionary of Python, as
  /// NetworkX writes it.
  std::uint32_t label_of(std::size_t line, const std::vector<std::string_view>& words) {
    if (words.size() == 2) return 1;
    const std::string_view text(words[2].data(),
                                static_cast<std::size_t>(words.back().data() + words.back().size() - words[2].data()));
    if (text == "{}") return 1;
    if (words.size() > 3 && !(text.starts_with('{') && text.ends_with('}')))
      fail_at(line, fmt::format("has {} words; an edge is two vertices, and a label if it has one", words.size()));
    return label(text);
  }

  /// "0 1", "0 1 label", "a b {'weight': 2}"; # begins a comment, which may say "# directed" or "# vertices 12".
  void edge_list() {
    const std::string text = read_file(path_, max_bytes);
    bool directed = false;
    std::optional<std::uint64_t> n;
    std::size_t named_line = 0;  // the first line whose vertices are names
    std::string first_name;
    Vertices vertices;
    std::vector<Edge> edges;
    const auto is_number = [](std::string_view word) {
      return word.find_first_not_of("0123456789") == std::string_view::npos;
    };
    const auto vertex_at = [&](std::size_t line, std::string_view word) {
      if (named_line == 0 && edges.empty() && vertices.size() == 0 && !n && !is_number(word)) {
        named_line = line;
        first_name = word;
      }
      if (named_line == 0) return vertices(vertex(line, word, 0));
      if (is_number(word))
        fail(
            fmt::format("line {} has '{}' and line {} has '{}' where a vertex is expected; vertices are all whole "
                        "numbers or all names, and a heading stands behind #",
                        named_line, first_name.substr(0, 40), line, word.substr(0, 40)));
      return vertices(word);
    };
    ask_for(1 + static_cast<std::uint64_t>(std::ranges::count(text, '\n')));
    for_each_line(text, [&](std::size_t line, const std::vector<std::string_view>& words) {
      if (words[0].starts_with('#')) {
        if (words.size() == 2 && words[1] == "directed") directed = true;
        if (words.size() == 3 && words[1] == "vertices") n = std::max(n.value_or(0), vertex(line, words[2], 0));
        return;
      }
      if (words.size() == 1) fail_at(line, "has 1 word; an edge is two vertices, and a label if it has one");
      const std::uint32_t from = vertex_at(line, words[0]), to = vertex_at(line, words[1]);
      edges.emplace_back(from, to, label_of(line, words), line);
      if (vertices.size() > max_vertices) start(vertices.size());
    });
    if (n && named_line != 0)
      fail_at(named_line, fmt::format("has the vertex '{}'; '# vertices {}' says that they are 0 to {}",
                                      first_name.substr(0, 40), *n, *n - 1));
    start(n.value_or(vertices.size()));
    place(edges, vertices, n);
    put_all(std::move(edges), directed);
  }

  // --- What other programs write ---
  /// Takes a graph whose reader says what is wrong without the name of the file.
  template <class Read>
  void foreign(Read read) {
    const ForeignGraph g = [&]() -> ForeignGraph {
      try {
        return read();
      } catch (const DomainError& e) {
        fail(e.what());
      }
    }();
    start(g.vertices);
    ask_for(g.edges.size());
    std::vector<Edge> edges;
    for (const ForeignGraph::Edge& e : g.edges)
      edges.emplace_back(e.from, e.to, e.label.empty() ? 1 : label(e.label), 0);
    take(std::move(edges), g.directed, [&](std::size_t) { fail("an edge is given twice"); });
    labels_ = g.names;
    if (std::ranges::any_of(g.colours, [](const std::string& colour) { return !colour.empty(); }))
      colours(json(g.colours));
  }
  void matrix_market() {
    const std::string text = read_file(path_, max_bytes);
    foreign([&] { return read_matrix_market(text, max_vertices, task_); });
  }

  void gml() {
    const std::string text = read_file(path_, max_bytes);
    foreign([&] { return read_gml(text, max_vertices, task_); });
  }
  void graphml() {
    const std::string text = read_file(path_, max_bytes);
    foreign([&] { return read_graphml(text, max_vertices, task_); });
  }

  /// "c comment", "p edge 5 4", "e 1 2", "n 1 colour"; vertices from 1.
  void dimacs() {
    const std::string text = read_file(path_, max_bytes);
    bool begun = false;
    std::vector<Edge> edges;
    ask_for(1 + static_cast<std::uint64_t>(std::ranges::count(text, '\n')));
    for_each_line(text, [&](std::size_t line, const std::vector<std::string_view>& words) {
      if (words[0].starts_with('c')) return;
      if (words[0] == "p" && words.size() == 4 && !begun) {
        start(vertex(line, words[2], 0));
        begun = true;
      } else if (words[0] == "e" && words.size() == 3) {
        edges.emplace_back(vertex(line, words[1], 1), vertex(line, words[2], 1), 1, line);
      } else if (words[0] == "n" && words.size() == 3) {
        const std::uint64_t v = vertex(line, words[1], 1);
        edges.emplace_back(v, v, label(words[2]), line);
      } else {
        fail_at(line, "is none of 'p edge N M' (once), 'e U V', 'n V COLOUR' and 'c COMMENT'");
      }
    });
    if (!begun) fail("the line 'p edge N M' is missing");
    put_all(std::move(edges), false);
  }

  /// {"vertices": 5, "edges": [[0,1], [1,2,"double"]], "directed": false, "colours": ["C","H",...]}
  void object() {
    const json document = parse_strict_json(read_file(path_, max_bytes), path_.string(), {16, max_bytes});
    if (!document.is_object()) fail("the file must be an object with \"vertices\" and \"edges\"");
    if (document.contains("nodes")) return foreign([&] { return read_node_link(document, max_vertices, task_); });
    for (const auto& [key, value] : document.items())
      if (key != "vertices" && key != "edges" && key != "hyperedges" && key != "directed" && key != "colours")
        fail(fmt::format("the key \"{}\" is not known; a graph has vertices, edges or hyperedges, directed, colours",
                         key.substr(0, 40)));
    if (!document.contains("vertices") || !document["vertices"].is_number_unsigned())
      fail("\"vertices\" must be the number of vertices");
    start(document["vertices"].get<std::uint64_t>());
    if (document.contains("hyperedges")) return hypergraph(document);
    const bool directed = document.value("directed", json(false)) == json(true);
    if (document.contains("directed") && !document["directed"].is_boolean()) fail("\"directed\" must be true or false");
    if (!document.contains("edges") || !document["edges"].is_array())
      fail("\"edges\" must be an array of pairs of vertices");
    const json& edges = document["edges"];
    ask_for(edges.size());
    std::vector<Edge> all;
    for (std::size_t k = 0; k < edges.size(); ++k) {
      const json& e = edges[k];
      const auto is_vertex = [&](const json& v) {
        return v.is_number_unsigned() && v.get<std::uint64_t>() < graph_.vertices;
      };
      if (!e.is_array() || (e.size() != 2 && e.size() != 3) || !is_vertex(e[0]) || !is_vertex(e[1]))
        fail(fmt::format("edges[{}] must be two vertices from 0 to {}, and a label if it has one", k,
                         graph_.vertices - 1));
      all.emplace_back(e[0].get<std::uint64_t>(), e[1].get<std::uint64_t>(), e.size() == 3 ? label(e[2].dump()) : 1, k);
    }
    take(std::move(all), directed,
         [&](std::size_t k) { fail(fmt::format("edges[{}] gives an edge another label than an entry before", k)); });
    if (document.contains("colours")) colours(document["colours"]);
  }
  /// {"vertices": 7, "hyperedges": [[0,1,2], ...]}
  void hypergraph(const json& document) {
    if (document.contains("edges") || document.contains("directed"))
      fail(
          "a hypergraph has \"hyperedges\" alone, which have no direction; edges are hyperedges of two "
          "vertices");
    const json& list = document["hyperedges"];
    if (!list.is_array()) fail("\"hyperedges\" must be an array of lists of vertices");
    std::vector<std::vector<std::uint32_t>> hyperedges;
    for (std::size_t k = 0; k < list.size(); ++k) {
      std::vector<std::uint32_t> hyperedge;
      bool right = list[k].is_array();
      for (std::size_t i = 0; right && i < list[k].size(); ++i) {
        const json& v = list[k][i];
        right = v.is_number_unsigned() && v.get<std::uint64_t>() < graph_.vertices;
        if (right) hyperedge.push_back(v.get<std::uint32_t>());
      }
      std::vector<std::uint32_t> sorted = hyperedge;
      std::ranges::sort(sorted);
      if (!right || std::ranges::adjacent_find(sorted) != sorted.end())
        fail(fmt::format("hyperedges[{}] must be a list of different vertices from 0 to {}", k, graph_.vertices - 1));
      hyperedges.push_back(std::move(hyperedge));
    }
    if (document.contains("colours")) colours(document["colours"]);
    points_ = graph_.vertices;
    graph_ = LabelledGraph::from_hyperedges(graph_.vertices, std::move(hyperedges), graph_.colours, task_);
    if (graph_.vertices > max_vertices) start(graph_.vertices);
  }
  void colours(const json& list) {
    if (!list.is_array() || list.size() != graph_.vertices)
      fail(fmt::format("\"colours\" must be an array of {} colours, one for each vertex", graph_.vertices));
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> seen;  // a colour and what a loop says
    for (std::size_t i = 0; i < graph_.vertices; ++i) {
      std::uint32_t& at = loop(i);
      at = seen.try_emplace({list[i].dump(), at}, static_cast<std::uint32_t>(seen.size()) + 1).first->second;
    }
  }

  void matrix() {
    const NpyArray array = read_npy(path_, task_);
    if (array.shape.size() != 2 || array.shape[0] != array.shape[1])
      fail(
          fmt::format("the array has the shape {}; rows and columns of a square matrix are permuted together, "
                      "those of another one apart: aut(@{}, rows)",
                      shape_text(array.shape), path_.filename().string()));
    start(array.shape[0]);
    std::visit(
        [&](const auto& values) {
          const auto distinct = distinct_values(values);
          graph_ = LabelledGraph::from_labels(graph_.vertices, labels_of(values, distinct), task_);
        },
        array.values);
  }
  template <class Values>
  Values distinct_values(const Values& values) const {
    for (const auto x : values)
      if (x != x) fail("the matrix has entries that are not numbers");
    Values distinct(values.begin(), values.end());
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    return distinct;
  }
  template <class Values>
  std::vector<std::uint32_t> labels_of(const Values& values, const Values& distinct) const {
    task_.require_memory(4 * values.size(), "the labels of the matrix");
    std::vector<std::uint32_t> labels(values.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      labels[k] = static_cast<std::uint32_t>(std::ranges::lower_bound(distinct, values[k]) - distinct.begin());
    return labels;
  }

  void rows_and_columns(bool signs) {
    const NpyArray array = read_npy(path_, task_);
    if (array.shape.size() != 2)
      fail(fmt::format("the array has the shape {}; a matrix is needed", shape_text(array.shape)));
    const std::uint64_t rows = array.shape[0], columns = array.shape[1];
    if (rows == 0 || columns == 0) fail("the matrix has no entries");
    start((signs ? 2 : 1) * (rows + columns));
    std::visit(
        [&](const auto& values) {
          using Value = typename std::decay_t<decltype(values)>::value_type;
          using Wide = std::conditional_t<std::is_unsigned_v<Value>, std::int32_t, Value>;  // -x is of it, too
          const std::vector<Wide> entries(values.begin(), values.end());
          std::vector<Wide> all = entries;
          for (const Wide x : entries) {
            if (!signs) break;
            if (std::is_integral_v<Wide> && x == std::numeric_limits<Wide>::min())
              fail(fmt::format("the entry {} has no negative in the type of the array; take a larger one", x));
            all.push_back(static_cast<Wide>(-x));
          }
          const std::vector<Wide> distinct = distinct_values(all);
          std::vector<std::uint32_t> negatives;
          if (signs) {
            std::vector<Wide> opposite;
            for (const Wide x : distinct) opposite.push_back(static_cast<Wide>(-x));
            negatives = labels_of(opposite, distinct);
          }
          graph_ = LabelledGraph::from_matrix(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
                                              labels_of(entries, distinct), negatives, task_);
        },
        array.values);
  }

  std::filesystem::path path_;
  const Task& task_;
  bool may_complement_;
  LabelledGraph graph_;
  std::size_t points_ = 0;  ///< 0: all vertices
  std::vector<std::string> labels_;
  std::map<std::string, std::uint32_t> names_;
};

}  // namespace

GraphFile read_graph_file(const std::filesystem::path& path, const Task& task) {
  return GraphReader(path, task).read();
}

bool names_graph(const std::filesystem::path& path) {
  static const std::set<std::string> known = {".g6",  ".s6",  ".col", ".dimacs",  ".edges",
                                              ".mtx", ".gml", ".txt", ".graphml", ".edgelist"};
  return known.contains(path.extension().string());
}

GraphFile read_plain_graph(const std::filesystem::path& path, const Task& task) {
  const std::string name = shown_path(path);
  if (path.extension() == ".npy")
    throw FileError(name + " holds a matrix, whose numbers do not say what an edge is; write .edges or .mtx");
  GraphFile file = GraphReader(path, task, false).read();
  if (file.points != file.graph.vertices) throw FileError(name + " holds a hypergraph; a graph is needed");
  if (file.graph.directed) throw FileError(name + " holds a graph with directions; one without is needed");
  return file;
}

Automorphisms file_automorphisms(const GraphFile& file, const Task& task) {
  Automorphisms found = automorphisms(file.graph, task).restricted(file.points);
  found.labels = file.labels;
  return found;
}

GraphFile read_matrix_graph(const std::filesystem::path& path, bool signs, const Task& task) {
  return GraphReader(path, task).read_rows(signs);
}

}  // namespace intertwine
