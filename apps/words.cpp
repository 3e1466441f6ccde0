// Reads the words of a command line, and offers near ones where they have no meaning.
#include "words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <utility>

#include "commands.hpp"
#include "help.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/edit_distance.hpp"
#include "intertwine/io/group_expression.hpp"

namespace intertwine::app {

namespace {

/// "CharacterTable" and "character_table" as "character-table".
std::string plain(const std::string& word) {
  std::string text;
  for (std::size_t k = 0; k < word.size(); ++k) {
    const auto c = static_cast<unsigned char>(word[k]);
    if (k > 0 && std::isupper(c) && std::islower(static_cast<unsigned char>(word[k - 1]))) text += '-';
    text += c == '_' ? '-' : static_cast<char>(std::tolower(c));
  }
  return text;
}

/// The commands that have a name or synonym which begins with the word; the only one where it is a whole name.
std::vector<std::string> candidates(const std::string& word) {
  const std::string given = plain(word);
  std::set<std::string> found;
  for (const Command& command : commands()) {
    std::vector<std::string> names = words_of(command.synonyms);
    names.emplace_back(command.name);
    for (const std::string& name : names) {
      if (name == given) return {std::string(command.name)};
      if (!given.empty() && name.starts_with(given)) found.insert(std::string(command.name));
    }
  }
  return {found.begin(), found.end()};
}

/// The place of the first word that is no option and no value of one.
std::size_t place_of_command(const CLI::App& program, std::span<const std::string> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word.empty() || word[0] != '-') return i;
    const CLI::Option* option = program.get_option_no_throw(word);
    if (option && option->get_expected_min() > 0) ++i;
  }
  return arguments.size();
}

/// The name that is near, the first of the nearest; empty if none is: a third of the letters may be wrong, of up to five one, of more
/// two: shell is not help.
std::string nearest_of(const std::vector<std::string>& names, const std::string& word) {
  std::string nearest;
  std::size_t best = std::min<std::size_t>(word.size() < 6 ? 2 : 4, 2 * ((word.size() + 1) / 3)) + 1;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance < best) best = distance, nearest = name;
  }
  return nearest;
}

std::string advice_of(std::span<const Elsewhere> table, const std::string& word) {
  for (const Elsewhere& entry : table)
    for (const std::string& known : words_of(entry.words))
      if (known == word) return std::string(entry.advice);
  return {};
}

/// The command that tells the contents of a file: molecule for .xyz, crystal for .cif, verify for tables, automorphisms
/// of graphs; empty for other words.
std::string command_of_file(const std::string& word) {
  static constexpr std::pair<std::string_view, const char*> table[] = {
      {".xyz", "molecule"},         {".cif", "crystal"},       {".vasp", "crystal"},         {".safetensors", "verify"},
      {".npz", "verify"},           {".h5", "verify"},         {".g6", "automorphisms"},     {".s6", "automorphisms"},
      {".edges", "automorphisms"},  {".col", "automorphisms"}, {".dimacs", "automorphisms"}, {".gml", "automorphisms"},
      {".graphml", "automorphisms"}};
  for (const auto& [ending, command] : table)
    if (word.ends_with(ending)) return command;
  return {};
}

bool is_drawing(const std::string& word) {
  const std::vector<std::string> words = words_of(drawing_words);
  return std::find(words.begin(), words.end(), plain(word)) != words.end();
}

/// convert and export are words for expand and tie, and mean table where a table is named.
bool is_conversion(const std::string& word) { return word == "convert" || word == "export" || word == "transform"; }

bool is_group(const std::string& word) {
  try {
    parse_finite_group(word);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// "--time-limit SECONDS" for --timeout, "--in" for --ni; empty if nothing is near.
std::string option_meant(const CLI::App& program, const CLI::App& command, const std::string& word) {
  std::string name = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  name = name.substr(0, name.find('='));
  if (!word.starts_with("--") && name.size() > 1 && std::isdigit(static_cast<unsigned char>(name[1])))
    name.resize(1);  // -j4
  std::vector<std::string> names;
  for (const CLI::App* app : {&command, &program})
    for (const CLI::Option* option : app->get_options())
      names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  if (const std::string advice = advice_of(options_elsewhere(), name); !advice.empty()) {
    if (!advice.starts_with("--")) return advice;
    const std::string first = advice.substr(2, advice.find_first_of(" ,") - 2);
    if (std::find(names.begin(), names.end(), first) != names.end()) return advice;
  }
  std::vector<std::string> longer;
  for (const std::string& known : names)
    if (name.size() > 1 && known.starts_with(name)) longer.push_back(known);
  const std::string nearest = longer.size() == 1 ? longer.front() : nearest_of(names, name);
  return nearest.empty() ? "" : "--" + nearest;
}

/// "; did you mean --output FILE?", or a sentence of advice.
std::string suggestion(const std::string& meant) {
  return meant.empty() ? "" : meant.starts_with("--") ? "; did you mean " + meant + "?" : "; " + meant;
}

/// Why a word that was left over is not the positional argument that it stands in the place of: "DEGREE: Value 99999 not in range ..."; or "".
std::string refused_by_positional(CLI::App& command, const std::string& word) {
  for (CLI::Option* option : command.get_options()) {
    if (!option->get_positional() || option->count() > 0) continue;
    try {
      for (int i = 0;; ++i) {
        std::string value = word;
        if (const std::string why = (*option->get_validator(i))(value); !why.empty())
          return option->get_name(true) + ": " + why;
      }
    } catch (const CLI::OptionNotFound&) {  // no more validators
    }
  }
  return {};
}

std::string extra_argument(const CLI::App& program, const std::string& word) {
  const auto& formats = format_names();
  if (std::find(formats.begin(), formats.end(), word) != formats.end())
    return fmt::format("'{0}' is one argument too many; a format is given as --format {0}", word);
  if (names_a_file(word))
    return fmt::format("'{0}' is one argument too many; a file to write is given as --output {0}", word);
  for (CLI::App* command : program.get_subcommands())
    if (const std::string why = refused_by_positional(*command, word); !why.empty()) return why;
  return fmt::format("'{}' is one argument too many; put an expression with spaces in quotes", word);
}

/// The complaint about the options, in our words where newcomers come by.
std::string complaint(const CLI::App& program, const CLI::App& command, const CLI::ParseError& e) {
  const std::string text = e.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&e)) {
    const auto left = program.remaining(true);
    const auto option = std::find_if(left.begin(), left.end(), [](const std::string& word) {
      return word.size() > 1 && word[0] == '-' && word.find_first_not_of('-') != std::string::npos;
    });
    if (option != left.end()) {
      return fmt::format("there is no option {}{}", *option, suggestion(option_meant(program, command, *option)));
    }
    if (!left.empty()) return extra_argument(program, left.front());
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&e)) {
    const std::string name = text.substr(0, text.find(':'));
    return text.find("At Most") != std::string::npos ? name + " is given twice" : name + " needs a value";
  }
  if (dynamic_cast<const CLI::RequiredError*>(&e)) {
    const std::string name = text.substr(0, text.find(' '));
    const CLI::Option* option = command.get_option_no_throw(name);
    return name + " is missing" + (option ? ": " + option->get_description() : "");
  }
  return text;
}

}  // namespace

std::string command_meant(const std::string& word) {
  if (!advice_of(commands_elsewhere(), plain(word)).empty()) return {};
  const auto found = candidates(word);
  return found.size() == 1 ? found.front() : std::string();
}

std::vector<std::string> meant(const CLI::App& program, std::span<const std::string> arguments) {
  std::vector<std::string> words(arguments.begin(), arguments.end());
  const std::size_t at = place_of_command(program, arguments);
  if (at == words.size()) return words;
  if (is_help_topic(words[at]) && command_meant(words[at]).empty())
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), "help");
  std::string name = command_meant(words[at]);
  // restrict S5 S4 is of characters, restrict '[2,1]' S4 of a Schur functor.
  if (name == "chartable" && words[at].starts_with("restrict") && at + 1 < words.size() &&
      words[at + 1].starts_with("["))
    name = "branch";
  // The command of its kind tells the contents of a file: point-group water.xyz, info layer.npz.
  const std::string file_command = at + 1 < words.size() ? command_of_file(words[at + 1]) : "";
  if (file_command == "verify" && (is_drawing(words[at]) || is_conversion(plain(words[at]))))
    words[at] = "table";
  else if (!file_command.empty() && !is_drawing(words[at]) &&
           (name == "group" || !advice_of(commands_elsewhere(), plain(words[at])).empty()))
    words[at] = file_command;
  else if (!name.empty())
    words[at] = name;
  if (at + 2 == words.size() && words[at + 1] == "help" && words[at] != "help" && words[at] != "man")
    words[at + 1] = "--help";
  return words;
}

const Command* command_among(const CLI::App& program, std::span<const std::string> words) {
  const std::size_t at = place_of_command(program, words);
  if (at == words.size()) return nullptr;
  // The word behind -qo is its value, which place_of_command() does not know.
  for (const std::string& word : words.first(at))
    if (word.starts_with('-') && !program.get_option_no_throw(word.substr(0, word.find('=')))) return nullptr;
  for (const Command& command : commands())
    if (words[at] == command.name && command.listed) return &command;
  return nullptr;
}

std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  bool quoted = false, in_word = false;
  for (const char c : line) {
    if (c == ' ' && !quoted) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'')
      quoted = !quoted;
    else
      words.back() += c;
  }
  return words;
}

std::string unknown_command(const std::string& word) {
  if (const std::string command = command_of_file(word); !command.empty())
    return fmt::format("'{0}' is a file, no command; say what to do with it, for example intertwine {1} {0}", word,
                       command);
  const std::string there_is_none = fmt::format("there is no command '{}'; ", word.substr(0, 40));
  if (const std::string advice = advice_of(commands_elsewhere(), plain(word)); !advice.empty())
    return there_is_none + advice;
  if (const auto found = candidates(word); found.size() > 1)
    return fmt::format("'{}' is not one command; it may be {}", word, fmt::join(found, ", "));
  if (is_group(word))
    return fmt::format("'{0}' is a group, no command; say what to do with it, for example intertwine group '{0}'",
                       word);
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    names.emplace_back(command.name);
    for (const std::string& synonym : words_of(command.synonyms)) names.push_back(synonym);
  }
  const std::string nearest = nearest_of(names, plain(word));
  return there_is_none + (nearest.empty() ? "run intertwine --help"
                                          : "did you mean " + command_meant(nearest) + "?; run intertwine --help");
}

std::string usage_error(const CLI::App& program, const CLI::ParseError& e, std::span<const std::string> arguments) {
  const auto parsed = program.get_subcommands();
  if (!parsed.empty())
    return fmt::format("{}; run intertwine {} --help", complaint(program, *parsed.front(), e),
                       parsed.front()->get_name());
  const std::size_t at = place_of_command(program, arguments);
  if (at < arguments.size()) return unknown_command(arguments[at]);
  for (const std::string& word : arguments)
    if (word.starts_with("-") && !program.get_option_no_throw(word))
      if (const std::string near = option_meant(program, program, word); !near.empty())
        return fmt::format("there is no option {}{}; run intertwine --help", word, suggestion(near));
  if (dynamic_cast<const CLI::RequiredError*>(&e)) return "no command; run intertwine --help";
  return complaint(program, program, e) + "; run intertwine --help";
}

}  // namespace intertwine::app
