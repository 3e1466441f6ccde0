// `completion`: scripts that complete commands, options, groups and representations; `man`: manual pages.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "commands.hpp"
#include "help.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/physics/tensor_properties.hpp"
#include "intertwine/version.hpp"
#include "words.hpp"

namespace intertwine::app {

namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// Names of groups, continuous ones where the command takes them; those with translations are for kernels.
std::vector<std::string> groups_for(const std::string& command, const std::string& kind) {
  std::vector<std::string> words = group_name_examples();
  const std::vector<std::string> taking = names_of_continuous_commands();
  if (kind == "SUBGROUP" || std::find(taking.begin(), taking.end(), command) == taking.end()) return words;
  for (const std::string& name : continuous_group_examples())
    if ((name == "SE(3)") == (command == "kernels")) words.push_back(name);
  return words;
}

/// The words that an option takes: those of its check, as {complex,real}, or those that its kind of value has.
std::vector<std::string> values_of(const CLI::Option& option, const std::string& command) {
  const std::string type = option.get_type_name();
  std::vector<std::string> words;
  if (const std::size_t open = type.find('{'); open != std::string::npos) {
    std::istringstream listed(type.substr(open + 1, type.find('}') - open - 1));
    for (std::string word; std::getline(listed, word, ',');) words.push_back(word);
    return words;
  }
  const std::string kind = option.get_positional() ? option.get_name(true) : type;
  if (kind == "GROUP" || kind == "SUBGROUP") return groups_for(command, kind);
  if (kind == "REP" || kind == "IN" || kind == "OUT" || kind == "R") return representation_name_examples();
  if (kind == "SHELL") return {"bash", "zsh", "fish"};
  if (kind == "PROPERTY")
    for (const TensorProperty& property : tensor_properties()) words.emplace_back(property.name);
  if (kind == "TOPIC") {
    words = help_topics();
    for (const Command& known : commands()) words.emplace_back(known.name);
  }
  return words;
}

/// The words that may follow a command: those of the options that need no name, and the names of all.
std::vector<std::string> words_after(const CLI::App& command, const CLI::App& program) {
  std::set<std::string> words;
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional())
      for (const std::string& word : values_of(*option, command.get_name())) words.insert(word);
  std::vector<std::string> result(words.begin(), words.end());
  for (const CLI::App* app : {&command, &program})
    for (const std::string& name : option_names(*app)) result.push_back(name);
  return result;
}

/// Every option of the app with words of its own: its names, as a pattern of the shell, and the words.
std::vector<std::pair<std::string, std::vector<std::string>>> options_with_words(const CLI::App& app) {
  std::vector<std::pair<std::string, std::vector<std::string>>> result;
  for (const CLI::Option* option : app.get_options()) {
    std::string names;
    for (const std::string& name : option->get_lnames()) names += (names.empty() ? "--" : "|--") + name;
    std::vector<std::string> words = values_of(*option, app.get_name());
    if (!names.empty() && !words.empty()) result.emplace_back(names, std::move(words));
  }
  return result;
}

/// In single quotes, as all three shells take it.
std::string in_quotes(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + in_quotes(word);
  return text;
}

std::string without_breaks(const std::string& text) {
  std::string result = text;
  std::replace(result.begin(), result.end(), '\n', ' ');
  return result;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

/// Lines of a `case` over "command option": the words that stand behind an option. `before` and `after` are around
/// them.
std::string cases_of_options(const CLI::App& program, const std::string& before, const std::string& after) {
  std::string text;
  const auto add = [&](const CLI::App& app, const std::string& command) {
    for (const auto& [names, words] : options_with_words(app)) {
      std::string pattern;
      std::istringstream each(names);
      for (std::string name; std::getline(each, name, '|');)
        pattern += (pattern.empty() ? "" : "|") + command + "' " + name + "'";
      text += fmt::format("    {}) {}{}{} ;;\n", pattern, before, list(words), after);
    }
  };
  for (const CLI::App* command : program.get_subcommands(nullptr)) {
    add(*command, command->get_name());
    text += fmt::format("    {}' --format') {}{}{} ;;\n", command->get_name(), before,
                        list(formats_of(command->get_name())), after);
  }
  add(program, "*");
  return text;
}

std::string bash_script(const CLI::App& program) {
  std::string text =
      "# bash completion of intertwine; made by `intertwine completion bash`\n"
      "_intertwine() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= k words=()\n"
      "  [[ $word == = ]] && word=\n"
      "  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  for ((k = 1; k < COMP_CWORD; ++k)); do\n"
      "    [[ ${COMP_WORDS[k]} == -* ]] || { command=${COMP_WORDS[k]}; break; }\n"
      "  done\n"
      "  COMPREPLY=()\n"
      "  case $command in\n"
      "    '') words=(" +
      list(command_names()) + " " + list(option_names(program)) + ") ;;\n";
  for (const CLI::App* command : program.get_subcommands(nullptr))
    text += fmt::format("    {}) words=({}) ;;\n", command->get_name(), list(words_after(*command, program)));
  return text + "  esac\n  case \"$command $before\" in\n" + cases_of_options(program, "words=(", ")") +
         "  esac\n"
         "  local candidate\n"
         "  for candidate in \"${words[@]}\"; do\n"
         "    [[ $candidate == \"$word\"* ]] && COMPREPLY+=(\"$(printf %q \"$candidate\")\")\n"
         "  done\n"
         "  ((${#COMPREPLY[@]})) || COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "}\n"
         "complete -o filenames -o noquote -F _intertwine intertwine 2>/dev/null || complete -F _intertwine "
         "intertwine\n";
}

std::string zsh_script(const CLI::App& program) {
  std::string text =
      "#compdef intertwine\n"
      "# zsh completion of intertwine; made by `intertwine completion zsh`\n"
      "_intertwine() {\n"
      "  local command= before=${words[CURRENT-1]} k\n"
      "  compset -P '--*=' && before=${IPREFIX%=}\n"
      "  for ((k = 2; k < CURRENT; ++k)); do\n"
      "    [[ ${words[k]} == -* ]] || { command=${words[k]}; break; }\n"
      "  done\n"
      "  case \"$command $before\" in\n" +
      cases_of_options(program, "compadd -- ", "; return") +
      "  esac\n"
      "  case $command in\n"
      "    '')\n      local -a names=(";
  for (const CLI::App* command : program.get_subcommands(nullptr))
    text += "\n        " + in_quotes(command->get_name() + ":" + without_breaks(command->get_description()));
  text += ")\n      _describe command names; compadd -- " + list(option_names(program)) + " ;;\n";
  for (const CLI::App* command : program.get_subcommands(nullptr))
    text +=
        fmt::format("    {}) compadd -- {}; _files ;;\n", command->get_name(), list(words_after(*command, program)));
  return text +
         "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _intertwine ]; then _intertwine \"$@\"; else compdef _intertwine intertwine; fi\n";
}

std::string fish_options(const CLI::App& app, const std::string& condition) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    std::string names;
    for (const std::string& name : option->get_lnames()) names += " -l " + name;
    for (const std::string& name : option->get_snames()) names += " -s " + name;
    if (names.empty()) continue;
    const bool of_commands = names.starts_with(" -l format");  // each has its own
    std::string words;
    for (const std::string& word : of_commands ? std::vector<std::string>() : values_of(*option, app.get_name()))
      words += (words.empty() ? "" : " ") + in_quotes(word);
    text += fmt::format("complete -c intertwine{}{}{} -d {}\n", condition, names,
                        option->get_items_expected_max() == 0 ? std::string()
                        : words.empty()                       ? " -r"
                                                              : " -x -a " + in_quotes(words),
                        in_quotes(without_breaks(option->get_description())));
  }
  return text;
}

std::string fish_script(const CLI::App& program) {
  std::string text =
      "# fish completion of intertwine; made by `intertwine completion fish`\n" + fish_options(program, "");
  for (const CLI::App* command : program.get_subcommands(nullptr)) {
    text += fmt::format("complete -c intertwine -n __fish_use_subcommand -f -a {} -d {}\n", command->get_name(),
                        in_quotes(without_breaks(command->get_description())));
    const std::string condition = fmt::format(" -n '__fish_seen_subcommand_from {}'", command->get_name());
    for (const CLI::Option* option : command->get_options())
      if (option->get_positional())
        for (const std::string& value : values_of(*option, command->get_name()))
          text += fmt::format("complete -c intertwine{} -a {}\n", condition, in_quotes(in_quotes(value)));
    text += fish_options(*command, condition) + fmt::format("complete -c intertwine{} -l format -x -a {}\n", condition,
                                                            in_quotes(list(formats_of(command->get_name()))));
  }
  return text;
}

/// A text in troff: what would be a request or an escape is kept from being one.
std::string troff(const std::string& text) {
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool line_begins = k == 0 || text[k - 1] == '\n';
    if (line_begins && (text[k] == '.' || text[k] == '\'')) result += "\\&";
    result += text[k] == '\\' ? std::string("\\e") : text[k] == '-' ? std::string("\\-") : std::string(1, text[k]);
  }
  return result;
}

std::string troff_options(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options())
    text += fmt::format(".TP\n.B {}\n{}\n", troff(option_words(*option)), troff(option->get_description()));
  return text;
}

}  // namespace

std::string completion_script(const CLI::App& program, const std::string& shell) {
  if (shell == "bash") return bash_script(program);
  if (shell == "zsh") return zsh_script(program);
  if (shell == "fish") return fish_script(program);
  throw DomainError("completion is for bash, zsh or fish, not " + shell);
}

std::string manual_page(const CLI::App& app) {
  const bool whole = app.get_parent() == nullptr;
  const std::string name = whole ? "intertwine" : "intertwine-" + app.get_name();
  std::string text =
      fmt::format(".TH {} 1 \"\" \"intertwine {}\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B intertwine {}\n", troff(name),
                  INTERTWINE_VERSION, troff(name), troff(app.get_description()),
                  whole ? "COMMAND ... [options]" : troff(synopsis(app)) + " [options]");
  if (whole) {
    text += ".SH COMMANDS\n";
    for (const CLI::App* command : app.get_subcommands(nullptr))
      text += fmt::format(".TP\n.B {}\n{}\n", troff(command->get_name()), troff(command->get_description()));
  }
  text += ".SH OPTIONS\n" + troff_options(app) + ".SH DESCRIPTION\n.nf\n" + troff(app.get_footer()) + "\n.fi\n";
  if (const std::string shown = whole ? "" : example_output(app.get_name()); !shown.empty())
    text += ".SH EXAMPLE\n.nf\n" + troff(shown) + ".fi\n";
  return text + (whole ? "" : ".SH SEE ALSO\n.BR intertwine (1), for the options of every command\n");
}

void add_completion(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("completion", "a script that completes commands, options and names in a shell");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  command->footer(
      "bash reads it from a file in ~/.local/share/bash-completion/completions, fish from one in "
      "~/.config/fish/completions, zsh from a file _intertwine in a folder of $fpath; an installed package "
      "brings all three.\nExamples:\n  intertwine completion bash\n  intertwine completion fish");
  command->callback([shell, &app, &context] {
    context.require_text();
    context.deliver([&](Format, unsigned) { return completion_script(app, *shell); });
  });
}

void add_man(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("man", "a manual page, as man reads it: of the program or of a command");
  const auto name = std::make_shared<std::string>();
  command->add_option("TOPIC", *name, "a command");
  command->footer("Examples:\n  intertwine man\n  intertwine man basis");
  command->callback([name, &app, &context] {
    context.require_text();
    const std::string meant = name->empty() ? "" : command_meant(*name);
    if (!name->empty() && meant.empty()) throw DomainError(unknown_command(*name));
    context.deliver([&](Format, unsigned) { return manual_page(meant.empty() ? app : *app.get_subcommand(meant)); });
  });
}

}  // namespace intertwine::app
