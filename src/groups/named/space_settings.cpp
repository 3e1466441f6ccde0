// Space groups by their Hermann-Mauguin symbols. [Hahn 2002]
#include "groups/named/space_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <unordered_map>
#include <utility>

#include "groups/named/space_symbols.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/space_groups.hpp"

namespace intertwine {

namespace embedded {
extern const std::string_view space_settings_txt;  ///< "number|Hall|choices|CIF names|full names|short names" a line
}

namespace named {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}
bool is_separate(std::string_view choice) { return choice.find_first_of("12HR") == 0; }

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// "P 2_1/C" and "P2(1)/c" are P21/c: the first letter is that of the lattice, the others are small.
std::string squeezed(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (!is_blank(c) && c != '_' && c != '(' && c != ')') result += result.empty() ? c : lower(c);
  return result;
}
/// The text with one blank wherever it has some.
std::string with_blanks(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (is_blank(c) && (result.empty() || result.back() == ' ')) continue;
    if (c != '_') result += is_blank(c) ? ' ' : result.empty() ? c : lower(c);
  }
  if (result.ends_with(' ')) result.pop_back();
  return result;
}

std::vector<ListedSetting> read_table() {
  std::vector<ListedSetting> result;
  for (const std::string_view line : split(embedded::space_settings_txt, '\n')) {
    std::array<std::string_view, 6> columns{};
    std::string_view rest = line;
    for (std::string_view& column : columns) {
      const std::size_t end = std::min(rest.find('|'), rest.size());
      column = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    ListedSetting setting;
    std::from_chars(columns[0].data(), columns[0].data() + columns[0].size(), setting.number);
    setting.hall = columns[1];
    setting.choices = split(columns[2], ',');
    setting.names = split(columns[3], ',');
    for (const std::string_view name : split(columns[4], ',')) setting.names.push_back(name);
    setting.shorts = split(columns[5], ',');
    setting.usual = space_symbols[setting.number - 1].hall == setting.hall;
    result.push_back(std::move(setting));
  }
  return result;
}

/// The symbols of the table without blanks, and those that are printed with them.
struct SymbolIndex {
  std::unordered_map<std::string, std::vector<const ListedSetting*>> settings;
  std::unordered_map<std::string, bool> printed;

  SymbolIndex() {
    const auto add = [&](std::string_view name, const ListedSetting& setting) {
      std::vector<const ListedSetting*>& known = settings[squeezed(name)];
      if (std::ranges::find(known, &setting) == known.end()) known.push_back(&setting);
    };
    for (const ListedSetting& setting : listed_settings()) {
      for (const std::string_view name : setting.names) {
        add(name, setting);
        printed[with_blanks(name)] = true;
      }
      for (const std::string_view name : setting.shorts) add(name, setting);
    }
  }
};
const SymbolIndex& symbol_index() {
  static const SymbolIndex index;
  return index;
}

/// "F d -3 m:2", "R 3 HR" and "F d -3 m Z" to the symbol and "2", "H", "2": what chooses an origin or axes.
std::pair<std::string_view, std::string_view> symbol_and_choice(std::string_view text) {
  if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
    std::string_view choice = text.substr(colon + 1);
    while (!choice.empty() && is_blank(choice.front())) choice.remove_prefix(1);
    while (!choice.empty() && is_blank(choice.back())) choice.remove_suffix(1);
    return {text.substr(0, colon), choice};
  }
  // These endings are those of the Inorganic Crystal Structure Database.
  for (const auto& [ending, choice] :
       {std::pair{"S", "1"}, {"Z", "2"}, {"HR", "H"}, {"RS", "R"}, {"H", "H"}, {"R", "R"}}) {
    const std::string_view word(ending);
    if (text.size() > word.size() + 1 && text.ends_with(word) && is_blank(text[text.size() - word.size() - 1]))
      return {text.substr(0, text.size() - word.size() - 1), choice};
  }
  return {text, {}};
}

/// An open bracket is a slip, except in a name that tables print so: "C 2 2 21a)" of CCP4.
bool brackets_are_closed(std::string_view symbol, const std::vector<const ListedSetting*>& settings) {
  if (std::ranges::count(symbol, '(') == std::ranges::count(symbol, ')')) return true;
  const auto without_blanks = [](std::string_view text) {
    std::string result(text);
    std::erase_if(result, is_blank);
    return result;
  };
  return std::ranges::any_of(settings, [&](const ListedSetting* setting) {
    return std::ranges::any_of(
        setting->names, [&](std::string_view name) { return same_word(without_blanks(name), without_blanks(symbol)); });
  });
}

bool has_choice(const ListedSetting& setting, std::string_view choice) {
  return std::ranges::any_of(setting.choices, [&](std::string_view one) {
    return same_word(one, choice) || (is_separate(one) && choice.size() == 1 && same_word(one.substr(0, 1), choice));
  });
}

/// One of several settings that a symbol stands for: the usual one, or the one with its origin at a centre or
/// hexagonal axes.
const ListedSetting* preferred(const std::vector<const ListedSetting*>& settings) {
  if (settings.size() == 1) return settings[0];
  const auto usual = std::ranges::find_if(settings, [](const auto* s) { return s->usual; });
  if (usual != settings.end()) return *usual;
  const ListedSetting* found = nullptr;
  for (const ListedSetting* setting : settings) {
    if (setting->choices.empty() || std::string_view("2H").find(setting->choices[0][0]) == std::string_view::npos)
      continue;
    if (found != nullptr) return nullptr;
    found = setting;
  }
  return found;
}

std::string either(const std::vector<const ListedSetting*>& settings) {
  std::string result;
  for (std::size_t i = 0; i < settings.size(); ++i)
    result += fmt::format("{}{} (number {})",
                          i == 0                     ? ""
                          : i + 1 == settings.size() ? " or "
                                                     : ", ",
                          settings[i]->name(), settings[i]->number);
  return result;
}

/// "C 2 = B 1 1 2 = B 2": the symbol of the number, that of the setting, and shorter ones.
std::optional<SymbolMeaning> equal_symbols(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, '=');
  const auto meant = find_symbol(parts.size() > 1 ? parts[1] : "");
  if (!meant) return {};
  for (const std::string_view part : parts) {
    const auto other = find_symbol(part);
    if (!other) return {};
    if (other->setting->number != meant->setting->number)
      throw DomainError(fmt::format("'{}' has symbols of two space groups: {}", text.substr(0, 60),
                                    either({other->setting, meant->setting})));
  }
  return meant;
}

}  // namespace

std::string ListedSetting::name() const {
  std::string result(names[0]);
  if (!choices.empty() && is_separate(choices[0])) result += fmt::format(":{}", choices[0][0]);
  return result;
}

const std::vector<ListedSetting>& listed_settings() {
  static const std::vector<ListedSetting> table = read_table();
  return table;
}

bool is_listed_hall(std::string_view text) {
  const std::string wanted = with_blanks(text);
  return std::ranges::any_of(listed_settings(), [&](const ListedSetting& s) { return wanted == s.hall; });
}

const ListedSetting& setting_with_choice(unsigned number, std::string_view choice) {
  std::vector<std::string_view> known;
  for (const ListedSetting& setting : listed_settings()) {
    if (setting.number != number) continue;
    for (const std::string_view one : setting.choices) {
      if (same_word(one, choice)) return setting;
      known.push_back(one);
    }
  }
  throw DomainError(fmt::format(
      "space group {} has no setting {}:{}; {}", number, number, choice.substr(0, 20),
      known.empty() ? "it has no choice of axes or origin"
                    : fmt::format("there are {}:{}", number, fmt::join(known, fmt::format(", {}:", number)))));
}

std::optional<SymbolMeaning> find_symbol(std::string_view text) {
  const SymbolIndex& index = symbol_index();
  if (text.find('=') != std::string_view::npos) return equal_symbols(text);
  const auto parts = symbol_and_choice(text);
  const std::string_view symbol = parts.first, choice = parts.second;
  auto found = index.settings.find(squeezed(symbol));
  if (found == index.settings.end() || !brackets_are_closed(symbol, found->second)) return {};
  std::vector<const ListedSetting*> settings = found->second;
  if (!choice.empty()) {
    std::erase_if(settings, [&](const ListedSetting* s) { return !has_choice(*s, choice); });
    if (settings.empty())
      throw DomainError(fmt::format("'{}' has no choice '{}' of origin or axes; it may be {}", symbol.substr(0, 40),
                                    choice.substr(0, 20), either(found->second)));
  }
  const ListedSetting* setting = preferred(settings);
  if (setting == nullptr)
    throw DomainError(fmt::format("'{}' may be {}; write one of these", text.substr(0, 60), either(settings)));
  return SymbolMeaning{setting, index.printed.contains(with_blanks(symbol))};
}

}  // namespace named

namespace {

/// "227" or "227:1", 227 and the choice; nothing if the text does not begin with a number.
std::optional<std::pair<std::string_view, std::string_view>> number_and_choice(std::string_view text) {
  const std::size_t end = std::min(text.find(':'), text.size());
  std::string_view number = text.substr(0, end);
  if (number.empty() || number.find_first_not_of("0123456789", number[0] == '-' ? 1 : 0) != std::string_view::npos ||
      number == "-")
    return {};
  return std::pair{number, text.substr(std::min(end + 1, text.size()))};
}

std::string described(const SpaceGroup& group) {
  const auto setting = listed_setting(group);
  return setting ? fmt::format("{} (number {})", setting->name, setting->number) : "a setting that no table lists";
}

[[noreturn]] void refuse_symbol(std::string_view text) {
  throw DomainError(fmt::format(
      "'{}' is no Hermann-Mauguin symbol of a space group, such as Fm-3m, P 21/c or 'P 31 2 1', and no Hall "
      "symbol, such as '-F 4 2 3'",
      text.substr(0, 40)));
}

}  // namespace

SpaceGroup SpaceGroup::named(std::string_view text) {
  while (!text.empty() && named::is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && named::is_blank(text.back())) text.remove_suffix(1);
  if (text.starts_with("hall:")) return from_hall(text.substr(5));
  if (const auto number = number_and_choice(text)) {
    if (number->first.size() > 3 || number->first[0] == '-')
      throw DomainError(fmt::format("there is no space group number {}; they are numbered from 1 to 230",
                                    number->first.substr(0, 40)));
    const auto value = static_cast<unsigned>(std::stoul(std::string(number->first)));
    SpaceGroup usual = numbered(value);
    return number->first.size() == text.size() ? usual
                                               : from_hall(named::setting_with_choice(value, number->second).hall);
  }
  const bool by_symbol = text.starts_with("hm:");
  const auto symbol = named::find_symbol(by_symbol ? text.substr(3) : text);
  const bool may_be_hall = !by_symbol && (text.starts_with('-') || (text.size() > 1 && named::is_blank(text[1])));
  if (!symbol && !may_be_hall) refuse_symbol(text);
  std::optional<SpaceGroup> hall;
  if (may_be_hall) try {
      hall = from_hall(text);
    } catch (const ParseError& e) {
      if (!symbol)
        throw ParseError(fmt::format("'{}' is no Hermann-Mauguin symbol of a space group, and no Hall symbol: {}",
                                     text.substr(0, 40), e.what()),
                         std::string(text), e.position());
    }
  if (!symbol) return *hall;
  SpaceGroup result = from_hall(symbol->setting->hall);
  // A name as CIF files print it is that name: Hall's notation would take "P 3 2 1" too, but no table of Hall
  // symbols has a group so.
  if (!hall || *hall == result || (symbol->as_printed && !named::is_listed_hall(text))) return result;
  throw DomainError(
      fmt::format("'{0}' is the Hermann-Mauguin symbol of {1} (number {2}) and a Hall symbol of {3}; write "
                  "'hm:{0}' for the "
                  "one or 'hall:{0}' for the other",
                  text, symbol->setting->name(), symbol->setting->number, described(*hall)));
}

unsigned space_group_number(std::string_view name) {
  const auto symbol = named::find_symbol(name);
  if (!symbol)
    throw DomainError(fmt::format(
        "'{}' is no Hermann-Mauguin symbol of a space group, such as Fm-3m, P2_1/c or I4_1/amd", name.substr(0, 40)));
  return symbol->setting->number;
}

std::optional<SpaceSetting> listed_setting(const SpaceGroup& group) {
  if (group.kind() != "space") return {};
  using Key = std::vector<int>;
  const auto key_of = [](const SpaceGroup& G) {
    std::vector<Key> rows;
    for (const SpaceOperation& g : G.operations()) {
      Key row;
      for (const auto& line : g.W) row.insert(row.end(), line.begin(), line.end());
      row.insert(row.end(), g.w.begin(), g.w.end());
      rows.push_back(std::move(row));
    }
    for (const auto& t : G.centring()) rows.emplace_back(t.begin(), t.end());
    std::ranges::sort(rows);
    Key key;
    for (const Key& row : rows) key.insert(key.end(), row.begin(), row.end());
    return key;
  };
  static const std::map<Key, const named::ListedSetting*> settings = [&] {
    std::map<Key, const named::ListedSetting*> result;
    for (const named::ListedSetting& setting : named::listed_settings())
      result.emplace(key_of(SpaceGroup::from_hall(setting.hall)), &setting);
    return result;
  }();
  const auto found = settings.find(key_of(group));
  if (found == settings.end()) return {};
  return SpaceSetting{found->second->number, found->second->name(), found->second->hall};
}

std::string readable_hall(const SpaceGroup& group) {
  try {
    if (SpaceGroup::named(group.hall()) == group) return group.hall();
  } catch (const Error&) {  // it is a Hermann-Mauguin symbol, too
  }
  return "hall:" + group.hall();
}

}  // namespace intertwine
