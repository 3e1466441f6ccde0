// Reads the generators in files of GAP: assignments, lists, permutations, matrices and Group(...), and nothing else of
// the language.
#include "io/expressions/gap_generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "intertwine/error.hpp"
#include "text_cursor.hpp"

namespace intertwine {

namespace {

using nlohmann::json;

constexpr int deepest_list = 8;

/// A value of GAP: cycles and numbers as they are written, lists and groups by what they hold.
struct GapValue {
  enum class Kind { permutation, number, list, group };
  Kind kind;
  std::string text;
  std::vector<GapValue> items;
  std::uint64_t degree = 0;  ///< of permutations the largest point
};

class GapReader : TextCursor {
 public:
  using Kind = GapValue::Kind;
  GapReader(std::string_view text, const std::string& name) : TextCursor(text), name_(name) {}

  /// The generators of the one group, or the one list of generators.
  GapValue generators() {
    while (!at_end()) statement();
    std::vector<const GapValue*> found;
    for (const Kind kind : {Kind::group, Kind::list}) {
      for (const GapValue& value : made_)
        if (value.kind == kind && generates(value)) found.push_back(&value);
      if (!found.empty()) break;
    }
    if (found.empty()) refuse("there is no list of generators and no Group(...)", 0);
    if (found.size() > 1)
      refuse(fmt::format("the file makes {} {}; keep the one that is meant", found.size(),
                         found[0]->kind == Kind::group ? "groups" : "lists of generators"),
             0);
    return *found[0];
  }

 private:
  [[noreturn]] void refuse(const std::string& what, std::size_t at) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw FileError(at == 0 ? fmt::format("{}: {}", name_, what) : fmt::format("{}: line {}: {}", name_, line, what));
  }

  static bool is_matrix(const GapValue& value) {
    return value.kind == Kind::list && !value.items.empty() &&
           std::ranges::all_of(value.items, [](const GapValue& row) {
             return row.kind == Kind::list && !row.items.empty() &&
                    std::ranges::all_of(row.items, [](const GapValue& x) { return x.kind == Kind::number; });
           });
  }
  /// Is it a list of permutations, or one of matrices?
  static bool generates(const GapValue& value) {
    if (value.items.empty()) return value.kind == Kind::group;
    const bool permutations = value.items.front().kind == Kind::permutation;
    return std::ranges::all_of(
        value.items, [&](const GapValue& g) { return permutations ? g.kind == Kind::permutation : is_matrix(g); });
  }

  void statement() {
    if (accept(';')) return;
    std::string variable;
    skip();
    const std::size_t start = at_;
    if (const std::string_view name = word(); !name.empty()) {
      if (accept(":="))
        variable = name;
      else if (name != "return")
        at_ = start;
    }
    skip();
    const std::size_t from = at_;
    const std::string_view first = word();
    const bool known = variables_.contains(std::string(first));  // G; and H := G make nothing new
    at_ = from;
    GapValue value = expression(0);
    if (!accept(';') && !at_end()) refuse(fmt::format("expected ';' before '{}'", letter()), at_);
    if (!variable.empty()) variables_.insert_or_assign(variable, value);
    if (!known) made_.push_back(std::move(value));
  }

  std::string_view word() {
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    if (at_ > start && is_digit(text_[start])) at_ = start;
    return text_.substr(start, at_ - start);
  }

  GapValue expression(int depth) {
    skip();
    const std::size_t start = at_;
    if (depth > deepest_list) refuse("lists are nested too deeply", at_);
    if (peek('(')) return permutation();
    if (accept('[')) return {Kind::list, {}, items(']', depth), 0};
    const std::string_view name = word();
    if (name == "Group" || name == "GroupWithGenerators") {
      if (!accept('(')) refuse("Group takes its generators in parentheses", at_);
      return group(items(')', depth), start);
    }
    if (!name.empty() && !peek('(')) {
      const auto known = variables_.find(std::string(name));
      if (known == variables_.end()) refuse(fmt::format("{} has no value", name), start);
      return known->second;
    }
    at_ = start;
    return number();
  }

  std::vector<GapValue> items(char close, int depth) {
    std::vector<GapValue> list;
    if (accept(close)) return list;
    do list.push_back(expression(depth + 1));
    while (accept(','));
    if (!accept(close)) refuse(fmt::format("expected ',' or '{}'", close), at_);
    return list;
  }

  /// Group(a, b), Group([a, b]) and Group([a, b], ()), whose second argument is the identity.
  GapValue group(std::vector<GapValue> given, std::size_t start) {
    const bool listed = !given.empty() && given[0].kind == Kind::list && !is_matrix(given[0]);
    GapValue made{Kind::group, {}, listed ? given[0].items : std::move(given), 0};
    if (listed && given.size() > 2) refuse("Group takes a list of generators and, perhaps, the identity", start);
    if (!generates(made))
      refuse("Group takes permutations such as (1,2,3)(4,5), or matrices such as [[0,-1],[1,0]]", start);
    return made;
  }

  GapValue permutation() {
    GapValue value{Kind::permutation, {}, {}, 0};
    const std::size_t start = at_;
    while (accept('(')) {
      std::string cycle;
      if (!peek(')')) do {
          skip();
          const std::size_t from = at_;
          const auto point = number_of_point();
          value.degree = std::max(value.degree, point);
          cycle += (cycle.empty() ? "" : ",") + std::string(text_.substr(from, at_ - from));
        } while (accept(','));
      if (!accept(')')) refuse("expected ',' or ')' in a cycle", at_);
      if (!cycle.empty()) value.text += "(" + cycle + ")";
    }
    if (peek('*') || peek('^')) refuse("products and powers of permutations are not read; write the cycles", start);
    if (value.text.empty()) value.text = "()";
    return value;
  }
  std::uint64_t number_of_point() {
    if (!peek_digit()) refuse("a cycle has whole numbers from 1", at_);
    const auto point = TextCursor::number(std::uint64_t{1} << 40U);
    if (!point || *point == 0) refuse("points are numbered from 1", at_);
    return *point;
  }

  /// A number as it is written, 1/2 or E(3)^2-1, up to the comma or bracket behind it.
  GapValue number() {
    const std::size_t start = at_;
    int open = 0;
    while (at_ < text_.size() && text_[at_] != ';' && (open > 0 || (text_[at_] != ',' && text_[at_] != ']'))) {
      open += (text_[at_] == '(') - (text_[at_] == ')');
      if (open < 0) break;
      ++at_;
    }
    std::string written;
    for (const char c : text_.substr(start, at_ - start))
      if (!is_space(c)) written += c;
    if (written.find("Z(") != std::string::npos)
      refuse("matrices over finite fields are read from JSON, {\"field\": \"GF(q)\", \"generators\": [...]}", start);
    const bool looks_like_one =
        !written.empty() && (is_digit(written[0]) || written[0] == '-' || written.starts_with("E("));
    if (!looks_like_one)
      refuse(fmt::format("'{}' is no permutation, matrix or number; groups with a name are written as such",
                         written.substr(0, 40)),
             start);
    return {Kind::number, std::move(written), {}, 0};
  }

  const std::string& name_;
  std::map<std::string, GapValue> variables_;
  std::vector<GapValue> made_;
};

/// The text without comments and without the \ at which GAP breaks lines; lines keep their numbers.
std::string plain(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '#') i = std::min(text.find('\n', i), text.size());
    if (i < text.size() && text[i] != '\\') result += text[i];
  }
  return result;
}

}  // namespace

json group_document_of_gap(std::string_view text, const std::string& name) {
  const std::string read = plain(text);
  const GapValue found = GapReader(read, name).generators();
  json generators = json::array();
  std::uint64_t degree = 1;
  bool matrices = false, rational = true;
  for (const GapValue& g : found.items) {
    degree = std::max(degree, g.degree);
    matrices = g.kind == GapValue::Kind::list;
    if (!matrices) {
      generators.push_back(g.text);
      continue;
    }
    json rows = json::array();
    for (const GapValue& row : g.items) {
      rows.push_back(json::array());
      for (const GapValue& x : row.items) {
        rational = rational && x.text.find('E') == std::string::npos;
        rows.back().push_back(x.text);
      }
    }
    generators.push_back(std::move(rows));
  }
  if (matrices) return {{"field", rational ? "Q" : "cyclotomic"}, {"generators", std::move(generators)}};
  return {{"degree", degree}, {"generators", std::move(generators)}};
}

}  // namespace intertwine
