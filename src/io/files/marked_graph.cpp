// Reads GML and GraphML as the node-link document that says the same.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "intertwine/error.hpp"
#include "io/files/foreign_graph.hpp"

namespace intertwine {

namespace {

using nlohmann::json;

constexpr std::string_view marked_blanks = " \t\r\n";

/// Readers of marked text share the place, with the number of its line for errors.
class MarkedText {
 public:
  MarkedText(std::string_view text, const Task& task) : text_(text), task_(task) {}

 protected:
  [[noreturn]] void refuse(const std::string& what) const {
    const auto lines = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw DomainError(fmt::format("line {} {}", lines + 1, what));
  }
  bool done() const { return at_ >= text_.size(); }
  char here() const { return text_[at_]; }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(marked_blanks, at_), text_.size()); }
  /// Text up to this mark, which is passed.
  std::string_view until(std::string_view mark, const char* what) {
    const std::size_t end = text_.find(mark, at_);
    if (end == std::string_view::npos) refuse(fmt::format("begins {} that does not end", what));
    const std::string_view part = text_.substr(at_, end - at_);
    at_ = end + mark.size();
    return part;
  }
  /// A word that ends before one of these characters or at the end.
  std::string_view word(std::string_view ends) {
    const std::size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
    const std::string_view part = text_.substr(at_, end - at_);
    at_ = end;
    return part;
  }
  /// Text with the five named entities of XML and GML.
  std::string plain(std::string_view text) const {
    constexpr std::pair<std::string_view, char> entities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    std::string result;
    for (std::size_t k = 0; k < text.size();) {
      bool found = false;
      for (const auto& [name, letter] : entities)
        if (text.substr(k).starts_with(name)) {
          result += letter;
          k += name.size();
          found = true;
          break;
        }
      if (!found) result += text[k++];
    }
    return result;
  }

  std::string_view text_;
  const Task& task_;
  std::size_t at_ = 0;
};

/// Key and value pairs; a value is a number, a text in quotation marks, or pairs in square brackets.
class GmlText : MarkedText {
 public:
  using MarkedText::MarkedText;

  json read() {
    for (skip_rest(); !done(); skip_rest()) {
      const std::string key(word(" \t\r\n[\"#"));
      skip_rest();
      if (key == "graph") return graph();
      if (key.empty()) refuse("has no key where one is expected");
      value(0);
    }
    throw DomainError("there is no 'graph [ ... ]' in it, which GML has");
  }

 private:
  void skip_rest() {
    for (skip_blanks(); !done() && here() == '#'; skip_blanks()) at_ = std::min(text_.find('\n', at_), text_.size());
  }
  json value(unsigned depth) {
    task_.poll();
    if (done()) refuse("ends where a value is expected");
    if (here() == '"') {
      ++at_;
      return plain(until("\"", "a text"));
    }
    if (here() == '[') return pairs(depth + 1);
    const std::string_view text = word(" \t\r\n[]\"#");
    double number = 0;
    const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto [end, status] = std::from_chars(begin, text.data() + text.size(), number);
    if (text.empty() || status != std::errc() || end != text.data() + text.size())
      refuse(fmt::format("has '{}' where a number, a text or [ is expected", text.substr(0, 40)));
    return std::string(text);
  }
  /// The pairs in brackets, as an object; of equal keys the last one counts.
  json pairs(unsigned depth) {
    constexpr unsigned most_brackets = 16;
    if (depth > most_brackets) refuse("has brackets in brackets more than 16 times");
    ++at_;
    json object = json::object();
    for (skip_rest(); !done() && here() != ']'; skip_rest()) {
      const std::string key(word(" \t\r\n[]\"#"));
      if (key.empty()) refuse("has no key where one is expected");
      skip_rest();
      object[key] = value(depth);
    }
    if (done()) refuse("is the last one, and brackets are open");
    ++at_;
    return object;
  }
  json graph() {
    if (done() || here() != '[') refuse("has no [ behind 'graph'");
    ++at_;
    json document{{"nodes", json::array()}, {"links", json::array()}};
    for (skip_rest(); !done() && here() != ']'; skip_rest()) {
      const std::string key(word(" \t\r\n[]\"#"));
      if (key.empty()) refuse("has no key where one is expected");
      skip_rest();
      json one = value(1);
      if (key == "directed") document["directed"] = one == "1";
      if (key != "node" && key != "edge") continue;
      if (!one.is_object()) refuse(fmt::format("has no [ behind '{}'", key));
      for (const char* drawn : {"graphics", "LabelGraphics"}) one.erase(drawn);
      document[key == "node" ? "nodes" : "links"].push_back(std::move(one));
    }
    if (done()) refuse("is the last one, and brackets are open");
    use_labels(document);
    return document;
  }
  /// Vertices are called by their labels where these tell all of them apart, as NetworkX does.
  static void use_labels(json& document) {
    std::map<std::string, std::string> names;
    std::set<std::string> different;
    for (const json& node : document["nodes"]) {
      if (!node.contains("id") || !node["id"].is_string()) throw DomainError("a node has no id");
      if (!node.contains("label") || !node["label"].is_string()) return;
      different.insert(node["label"].get<std::string>());
      names.emplace(node["id"].get<std::string>(), node["label"].get<std::string>());
    }
    if (different.size() != document["nodes"].size()) return;
    for (json& node : document["nodes"]) {
      node["id"] = node["label"];
      node.erase("label");
    }
    for (json& link : document["links"])
      for (const char* end : {"source", "target"})
        if (link.contains(end) && link[end].is_string()) {
          const auto name = names.find(link[end].get<std::string>());
          if (name != names.end()) link[end] = name->second;
        }
  }
};

/// Elements of XML with attributes: graph, node, edge, data, key.
class GraphmlText : MarkedText {
 public:
  using MarkedText::MarkedText;

  json read() {
    json document{{"nodes", json::array()}, {"links", json::array()}};
    bool begun = false;
    json* current = nullptr;
    while (next_tag()) {
      if (name_ == "hyperedge" || name_ == "port")
        refuse(fmt::format("has <{}>, and graphs here have vertices and edges alone", name_));
      if (name_ == "graph") {
        if (std::exchange(begun, true)) refuse("begins a second graph; put one into each file");
        document["directed"] = attribute("edgedefault") == "directed";
      } else if (name_ == "node" || name_ == "edge") {
        const bool node = name_ == "node";
        json one = json::object();
        for (const char* key : {"id", "source", "target"})
          if (attributes_.contains(key) && (node || key != std::string_view("id"))) one[key] = attributes_[key];
        if (node && !one.contains("id")) refuse("has a <node> without id");
        if (!node && !(one.contains("source") && one.contains("target")))
          refuse("has an <edge> without source and target");
        if (attributes_.contains("directed") &&
            (attributes_["directed"] == "true") != document.value("directed", false))
          refuse("has an edge that is directed otherwise than the graph");
        json& list = document[node ? "nodes" : "links"];
        list.push_back(std::move(one));
        current = &list.back();
      } else if (name_ == "/node" || name_ == "/edge") {
        current = nullptr;
      } else if (name_ == "data" && !empty_) {
        const std::string key = attribute("key"), text = plain(until("</data>", "<data>"));
        if (current != nullptr && key != "id" && key != "source" && key != "target") (*current)["data " + key] = text;
      }
      if (empty_ && (name_ == "node" || name_ == "edge")) current = nullptr;
    }
    if (!begun) throw DomainError("there is no <graph> in it, which GraphML has");
    return document;
  }

 private:
  std::string attribute(const std::string& key) const {
    const auto found = attributes_.find(key);
    return found == attributes_.end() ? "" : found->second;
  }
  /// The next element: its name, "/name" where it ends, and its attributes. False at the end of the text.
  bool next_tag() {
    for (;;) {
      task_.poll();
      at_ = std::min(text_.find('<', at_), text_.size());
      if (done()) return false;
      if (text_.substr(at_).starts_with("<!--"))
        until("-->", "a comment");
      else if (text_.substr(at_).starts_with("<?") || text_.substr(at_).starts_with("<!"))
        until(">", "a declaration");
      else
        break;
    }
    ++at_;
    name_ = std::string(word(" \t\r\n>"));
    attributes_.clear();
    empty_ = name_.ends_with('/') && name_.size() > 1;
    if (empty_) name_.pop_back();
    for (skip_blanks(); !done() && here() != '>'; skip_blanks()) {
      if (here() == '/') {
        empty_ = true;
        ++at_;
        continue;
      }
      const std::string key(word("= \t\r\n>"));
      skip_blanks();
      if (done() || here() != '=')
        refuse(fmt::format("has '{}' where attribute=\"value\" is expected", key.substr(0, 40)));
      ++at_;
      skip_blanks();
      if (done() || (here() != '"' && here() != '\'')) refuse("has a value without quotation marks");
      const char mark = text_[at_++];
      attributes_[key] = plain(until(std::string_view(&mark, 1), "a value"));
    }
    if (done()) refuse("begins an element that does not end");
    ++at_;
    return true;
  }

  std::string name_;
  std::map<std::string, std::string> attributes_;
  bool empty_ = false;
};

}  // namespace

ForeignGraph read_gml(std::string_view text, std::uint64_t most, const Task& task) {
  return read_node_link(GmlText(text, task).read(), most, task);
}

ForeignGraph read_graphml(std::string_view text, std::uint64_t most, const Task& task) {
  return read_node_link(GraphmlText(text, task).read(), most, task);
}

}  // namespace intertwine
