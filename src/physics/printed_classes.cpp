// Names of classes as tables print them.
#include "intertwine/physics/printed_classes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/physics/point_group_table.hpp"

namespace intertwine {

namespace {

constexpr std::string_view sigma = "σ";

/// "C4³", "σv′" and "sigma_v'" as "C4^3" and "σv'": one spelling for what keyboards and printers write.
std::string plain_name(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> spellings[] = {
      {"⁰", "0"},   {"¹", "1"},       {"²", "2"}, {"³", "3"}, {"⁴", "4"}, {"⁵", "5"},
      {"⁶", "6"},   {"⁷", "7"},       {"⁸", "8"}, {"⁹", "9"}, {"′", "'"}, {"″", "''"},
      {"\"", "''"}, {"sigma", sigma}, {"_", ""},  {" ", ""},  {"{", ""},  {"}", ""}};
  std::string result;
  bool raised = false;
  while (!text.empty()) {
    const auto spelling = std::ranges::find_if(spellings, [&](const auto& s) { return text.starts_with(s.first); });
    const bool superscript = spelling != std::end(spellings) && spelling - std::begin(spellings) < 10;
    if (superscript && !raised) result += '^';
    raised = superscript;
    if (spelling == std::end(spellings)) {
      result += text[0];
      text.remove_prefix(1);
    } else {
      result += spelling->second;
      text.remove_prefix(spelling->first.size());
    }
  }
  // An s is a σ where it stands for a mirror, behind the size of the class.
  const std::size_t letter = std::min(result.find_first_not_of("0123456789"), result.size());
  if (result.compare(letter, 1, "s") == 0) result.replace(letter, 1, sigma);
  return result;
}

std::string without_size(const std::string& name) {
  const std::size_t letter = name.find_first_not_of("0123456789");
  return letter == std::string::npos ? name : name.substr(letter);
}
std::string without_axes(const std::string& name) { return name.substr(0, name.find('(')); }

/// The classes that a name may mean: its columns in `printed`.
std::map<std::string, std::set<std::size_t>> meanings(const CharacterTable& table, const PrintedClasses& printed) {
  std::map<std::string, std::set<std::size_t>> result;
  const std::vector<std::string> columns = table.class_names();
  for (std::size_t k = 0; k < printed.names.size(); ++k) {
    const std::string name = plain_name(printed.names[k]);
    for (const std::string& one : {name, without_size(name), without_axes(name), without_axes(without_size(name))})
      result[one].insert(k);
    if (name.find('(') == std::string::npos) continue;
    std::string axes_alone = without_size(name);  // σv(yz) is σv'(yz), whose axes tell it from σv(xz)
    std::erase(axes_alone, '\'');
    result[axes_alone].insert(k);
  }
  for (std::size_t k = 0; k < printed.names.size(); ++k) result[columns[printed.numbers[k]]] = {k};
  return result;
}

std::string list_of(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

/// The printed names in the order of the columns.
std::vector<std::string> names_of_columns(const PrintedClasses& printed) {
  std::vector<std::string> result(printed.names.size());
  for (std::size_t k = 0; k < printed.names.size(); ++k) result[printed.numbers[k]] = printed.names[k];
  return result;
}

std::vector<Cyclotomic> to_columns(const PrintedClasses& printed, const std::vector<Cyclotomic>& values) {
  std::vector<Cyclotomic> result(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) result[printed.numbers[k]] = values[k];
  return result;
}

/// C4 and D3 are names of point groups too, whose tables are printed by powers of a turn. Groups of prime order have
/// the order of ours.
bool has_point_group_of_its_name(const FiniteGroup& G) {
  const auto* cyclic = G.structure().as<structure::Cyclic>();
  const auto* dihedral = G.structure().as<structure::Dihedral>();
  return (cyclic != nullptr && cyclic->n > 1 && !is_prime(cyclic->n)) || (dihedral != nullptr && dihedral->n > 1);
}

/// Such values are the same in every order that begins with the identity.
bool is_constant_but_for_the_first(const std::vector<Cyclotomic>& values) {
  return std::adjacent_find(values.begin() + (values.empty() ? 0 : 1), values.end(), std::not_equal_to<>()) ==
         values.end();
}

/// A list as people and programs write it, [9, −1] or {"E": 9}, as words: blanks alone between values, names with a
/// colon behind them, a plain minus.
std::string plain_list(std::string_view text) {
  const auto within = [&](char open, char close) {
    const std::size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
    if (first == last || first == std::string_view::npos || text[first] != open || text[last] != close) return false;
    text = text.substr(first + 1, last - first - 1);
    return true;
  };
  const bool quoted = within('{', '}');  // elsewhere a quotation mark is two primes
  within('[', ']');
  constexpr std::string_view minus = "−";
  std::string result;
  while (!text.empty()) {
    if (text.starts_with(minus)) {
      result += '-';
      text.remove_prefix(minus.size());
      continue;
    }
    const char c = text[0];
    text.remove_prefix(1);
    if (c == ':' || c == '=') {
      result.erase(result.find_last_not_of(' ') + 1);
      result += ':';
      text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    } else if (c != '"' || !quoted) {
      result += c == ',' || c == ';' || c == '\t' || c == '\r' || c == '\n' ? ' ' : c;
    }
  }
  return result;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(' '); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(' ', end);
  }
  return words;
}

}  // namespace

PrintedClasses printed_classes(const CharacterTable& table, const Task& task) {
  PrintedClasses result;
  if (table.group().structure().as<structure::PointGroup>() != nullptr) {
    for (const PointGroupTable::Column& column : printed_columns(table, task)) {
      result.numbers.push_back(column.number);
      result.names.push_back(to_string(column.label));
    }
    return result;
  }
  result.names = table.class_names();
  result.numbers.resize(table.size());
  std::iota(result.numbers.begin(), result.numbers.end(), std::size_t{0});
  return result;
}

ClassOrder class_order(std::string_view name) {
  if (name == "classes") return ClassOrder::classes;
  if (name == "printed") return ClassOrder::printed;
  throw DomainError(
      fmt::format("an order of classes is 'printed', that of printed tables, or 'classes', that of the columns of the "
                  "table, not '{}'",
                  name.substr(0, 40)));
}

ClassFunction class_function(const CharacterTable& table, std::vector<Cyclotomic> values,
                             std::optional<ClassOrder> order, const Task& task) {
  if (order == ClassOrder::classes) return {table, std::move(values)};
  const PrintedClasses printed = printed_classes(table, task);
  if (values.size() != table.size())
    throw DomainError(fmt::format("{} has {} classes, {}, and there are {} values", table.group().name(), table.size(),
                                  list_of(printed.names), values.size()));
  if (has_point_group_of_its_name(table.group()) && !is_constant_but_for_the_first(values))
    throw DomainError(
        fmt::format("the table of {0} has the classes {1}, and the point group of the same name is printed in another "
                    "order: give the values by name, {{\"{2}\": {3}, ...}}, take the point group, point({0}), or say "
                    "order='classes' for the columns of this table",
                    table.group().name(), list_of(printed.names), printed.names[0], to_string(values[0])));
  std::vector<Cyclotomic> columns = to_columns(printed, values);
  if (!order && columns != values) {
    throw DomainError(
        fmt::format("the classes of {} are {} in printed tables, and {} as columns of this table: give the "
                    "values by name, "
                    "{{\"{}\": {}, ...}}, or say order='printed' or order='classes'",
                    table.group().name(), list_of(printed.names), list_of(names_of_columns(printed)), printed.names[0],
                    to_string(values[0])));
  }
  return {table, std::move(columns)};
}

bool order_matters(const ClassFunction& f, const Task& task) {
  const std::vector<Cyclotomic>& values = f.values();
  return (has_point_group_of_its_name(f.table().group()) && !is_constant_but_for_the_first(values)) ||
         to_columns(printed_classes(f.table(), task), values) != values;
}

ClassFunction class_function(const CharacterTable& table, const std::vector<std::pair<std::string, Cyclotomic>>& values,
                             const Task& task) {
  const PrintedClasses printed = printed_classes(table, task);
  const auto known = meanings(table, printed);
  std::vector<std::optional<Cyclotomic>> given(table.size());
  const auto refuse = [&](const std::string& what) {
    throw DomainError(fmt::format("the classes of {} are {}, and each has one value: {}", table.group().name(),
                                  list_of(printed.names), what));
  };
  for (const auto& [name, value] : values) {
    const auto exact = known.find(name);  // "2a"
    const auto found = exact == known.end() ? known.find(plain_name(name)) : exact;
    if (found == known.end()) refuse(fmt::format("'{}' is none of them", name.substr(0, 40)));
    if (found->second.size() > 1) refuse(fmt::format("'{}' may be several of them", name.substr(0, 40)));
    std::optional<Cyclotomic>& place = given[*found->second.begin()];
    if (place) refuse(fmt::format("{} has two", printed.names[*found->second.begin()]));
    place = value;
  }
  std::vector<Cyclotomic> list;
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (!given[k]) refuse(fmt::format("{} has none", printed.names[k]));
    list.push_back(*given[k]);
  }
  return {table, to_columns(printed, list)};
}

ClassFunction parse_class_function(const CharacterTable& table, std::string_view given, const Task& task) {
  const std::string text = plain_list(given);
  const std::vector<std::string_view> words = words_of(text);
  const bool named =
      std::ranges::any_of(words, [](std::string_view word) { return word.find(':') != std::string_view::npos; });
  if (!named) {
    std::vector<Cyclotomic> values;
    for (const std::string_view word : words) values.push_back(parse_cyclotomic(word, task));
    return class_function(table, std::move(values), ClassOrder::printed, task);
  }
  std::vector<std::pair<std::string, Cyclotomic>> values;
  for (const std::string_view word : words) {
    const std::size_t colon = word.rfind(':');
    if (colon == std::string_view::npos)
      throw ParseError(
          fmt::format("'{}' has no name, as the others have; write CLASS:VALUE for every class", word.substr(0, 40)),
          text, static_cast<std::size_t>(word.data() - text.data()));
    values.emplace_back(word.substr(0, colon), parse_cyclotomic(word.substr(colon + 1), task));
  }
  return class_function(table, values, task);
}

std::string values_by_name(const ClassFunction& f, const Task& task) {
  const PrintedClasses printed = printed_classes(f.table(), task);
  std::string result;
  for (std::size_t k = 0; k < printed.names.size(); ++k)
    result += fmt::format("{}{}:{}", k == 0 ? "" : " ", printed.names[k], to_string(f[printed.numbers[k]]));
  return result;
}

}  // namespace intertwine
