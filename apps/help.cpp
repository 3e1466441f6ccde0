// Formats help: options and examples in the width of the terminal.
#include "help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "commands.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/physics/crystal.hpp"
#include "intertwine/version.hpp"
#include "page.hpp"
#include "run_program.hpp"
#include "samples.hpp"
#include "words.hpp"

namespace intertwine::embedded {
extern const std::string_view conventions_md, formats_md, continuous_md, molecules_md, README_md;
}

namespace intertwine::app {

namespace {

constexpr std::size_t option_column = 24, widest = 110;

/// A name and what it means, in two columns.
std::string row(const std::string& name, std::string_view meaning, std::size_t column, std::size_t width) {
  std::string text = "  " + name;
  const std::size_t used = letters(text);
  if (meaning.empty()) return text + '\n';
  text += used + 2 > column ? '\n' + std::string(column, ' ') : std::string(column - used, ' ');
  return text + filled(meaning, column, column, width) + '\n';
}

/// The place where the second column of a line begins: after two spaces within it; 0 if it has none.
std::size_t second_column(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  const std::size_t gap = first == std::string::npos ? first : line.find("  ", first);
  const std::size_t next = gap == std::string::npos ? gap : line.find_first_not_of(' ', gap);
  return next == std::string::npos ? 0 : next;
}

/// Paragraphs filled; lines of examples as they are, lines in columns broken in their last column.
std::string paragraphs(const std::string& text, std::size_t width) {
  std::istringstream lines(text);
  std::string result, paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) result += filled(paragraph, 0, 0, width) + '\n';
    paragraph.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    const std::size_t column = second_column(line);
    const bool heading = line.ends_with(':') && line.find(' ') == std::string::npos;
    if (line.starts_with("  intertwine ") || line.empty() || heading) {
      end_paragraph();
      result += line + '\n';
    } else if (column > 0) {
      end_paragraph();
      result +=
          line.substr(0, column) + filled(line.substr(column), letters(line.substr(0, column)), column, width) + '\n';
    } else if (line.starts_with("  ")) {
      end_paragraph();
      result += "  " + filled(line, 2, 2, width) + '\n';
    } else {
      paragraph += line + ' ';
    }
  }
  end_paragraph();
  return result;
}

std::string meaning_of(const CLI::Option& option) {
  std::string text = option.get_description();
  if (option.get_required() && !option.get_lnames().empty()) text += " (required)";
  if (!option.get_default_str().empty()) text += fmt::format(" (default: {})", option.get_default_str());
  return text;
}

class Formatter : public CLI::FormatterBase {
 public:
  explicit Formatter(const Context& context) : context_(context) {}

  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    const std::size_t width = std::clamp<std::size_t>(context_.width(), 40, widest);
    return app->get_parent() == nullptr ? of_program(*app, width) : of_command(*app, width);
  }

 private:
  std::string heading(const std::string& text) const {
    return context_.colours() ? "\x1b[1m" + text + "\x1b[0m\n" : text + '\n';
  }

  static std::string options(const CLI::App& app, std::size_t width) {
    std::string text;
    for (const CLI::Option* option : app.get_options())
      text += row(option_words(*option), meaning_of(*option), option_column, width);
    return text;
  }

  std::string of_program(const CLI::App& program, std::size_t width) const {
    std::string text = "usage: intertwine COMMAND ... [options]\n\n" + filled(program.get_description(), 0, 0, width) +
                       "\n\n" + heading("Commands (the beginning of a name is enough):");
    for (const CLI::App* command : program.get_subcommands(nullptr))
      text += row(command->get_name(), command->get_description(), 20, width);
    return text + '\n' + heading("Options of every command:") + options(program, width) + '\n' +
           paragraphs(program.get_footer(), width);
  }

  std::string of_command(const CLI::App& command, std::size_t width) const {
    std::string text = "usage: intertwine " + synopsis(command) + " [options]\n\n" +
                       filled(command.get_description(), 0, 0, width) + "\n\n";
    for (const Command& known : commands())
      if (known.name == command.get_name() && !known.synonyms.empty()) {
        std::string words;
        for (const std::string& word : words_of(known.synonyms)) words += (words.empty() ? "" : ", ") + word;
        text += filled("Also called: " + words + ".", 0, 2, width) + "\n\n";
      }
    text += heading("Options (those of every command are in `intertwine help`):") + options(command, width) + '\n' +
            paragraphs(command.get_footer(), width);
    const std::string shown = example_output(command.get_name());
    return shown.empty() ? text : text + '\n' + shown;
  }

  const Context& context_;
};

struct HelpOptions {
  std::string topic;
};

struct Topic {
  const char *name, *meaning;
  std::string (*text)();
  bool markdown = false;
};

std::string page(std::string_view markdown) { return std::string(markdown); }

/// The page begins with that of the example, which it includes.
std::string molecules_page() {
  const std::string_view rest = embedded::molecules_md;
  return page(embedded::README_md) + page(rest.substr(rest.find("\n```\n") + 5));
}

const Topic topics[] = {
    {"groups", "how groups are written",
     [] {
       return "Groups:\n" + known_groups() + "Continuous groups, for " + continuous_commands() + ":\n" +
              meanings_of_continuous_groups();
     }},
    {"representations", "how representations are written",
     [] { return "Representations:\n" + known_representations() + '\n'; }},
    {"conventions", "what is left and right, how things are numbered, what names mean",
     [] { return page(embedded::conventions_md); }, true},
    {"formats", "the files that are written and read", [] { return page(embedded::formats_md); }, true},
    {"continuous", "SO(3), O(n), the Lorentz group, Spin(n): their groups, representations and answers",
     [] { return page(embedded::continuous_md); }, true},
    {"molecules", "molecules from files, their vibrations and the tables of point groups", molecules_page, true},
    {"commands-as-markdown", "", nullptr}};

std::string topic_names() {
  std::string text;
  for (const Topic& topic : topics)
    if (topic.text) text += (text.empty() ? "" : ", ") + std::string(topic.name);
  return text;
}

std::string help_on(const HelpOptions& options, const CLI::App& program, std::size_t width, bool bold) {
  if (options.topic.empty()) return program.get_formatter()->make_help(&program, "", CLI::AppFormatMode::Normal);
  for (const Topic& topic : topics)
    if (options.topic == topic.name || (options.topic == "reps" && topic.name == std::string("representations")))
      return !topic.text                    ? markdown_table(program)
             : topic.markdown && width != 0 ? page_text(topic.text(), std::min(width, widest), bold)
                                            : topic.text();
  const std::string command = command_meant(options.topic);
  if (command.empty())
    throw DomainError(
        fmt::format("there is no help on '{}'; topics are the commands and {}", options.topic, topic_names()));
  return program.get_subcommand(command)->help();
}

}  // namespace

std::vector<std::string> help_topics() {
  std::vector<std::string> names;
  for (const Topic& topic : topics)
    if (topic.text) names.emplace_back(topic.name);
  return names;
}

bool is_help_topic(const std::string& word) {
  const std::vector<std::string> names = help_topics();
  return std::find(names.begin(), names.end(), word) != names.end();
}

std::string option_words(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : option.get_snames()) text += (text.empty() ? "-" : ",-") + name;
  if (!option.get_lnames().empty()) text += (text.empty() ? "--" : ",--") + option.get_lnames().front();
  const std::string place = option.get_positional() ? option.get_name(true) : std::string();
  if (text.empty()) return place;
  const std::string type = option.get_type_name().substr(0, option.get_type_name().find(':'));
  const bool number = type == "INT" || type == "UINT" || type == "FLOAT";  // CLI11's words
  const std::string value = !place.empty() ? place : option.get_items_expected_max() == 0 ? "" : number ? "N" : type;
  return value.empty() ? text : text + ' ' + value;
}

std::string synopsis(const CLI::App& command) {
  std::string text = command.get_name();
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional())
      text += option->get_required() ? ' ' + option->get_name(true) : " [" + option->get_name(true) + ']';
  return text;
}

std::string example_output(const std::string& name) {
  constexpr std::size_t most_lines = 12;
  for (const Command& command : commands()) {
    if (command.name != name || command.example.empty()) continue;
    std::vector<std::string> words = shell_words(command.example);
    if (name == "bench-layer") return {};  // takes its time, and tells of this machine
    if (name == "crystal" && !has_space_group_search()) return {};
    std::optional<Samples> samples;
    if (std::any_of(words.begin(), words.end(), names_a_file)) words = samples.emplace().placed(words);
    std::ostringstream out, err;
    if (run_program(words, out, err) != 0) throw InternalError("the example of " + name + " fails: " + err.str());
    std::string text = fmt::format("$ intertwine {}\n", command.example);
    std::istringstream lines(samples ? samples->shown(out.str()) : out.str());
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("  time ")) continue;
      if (++count > most_lines) return text + "...\n";
      text += line + '\n';
    }
    return text;
  }
  return {};
}

std::string markdown_table(const CLI::App& program) {
  std::string text = "| command | answers | for example |\n|---|---|---|\n";
  const auto cell = [](std::string_view words) {
    std::string result;
    for (const char c : words) result += c == '|' ? std::string("\\|") : std::string(1, c);
    return result;
  };
  for (const Command& command : commands()) {
    if (!command.listed) continue;
    const CLI::App& app = *program.get_subcommand(std::string(command.name));
    text += fmt::format("| `{}` | {} | {} |\n", cell(synopsis(app)), cell(app.get_description()),
                        command.example.empty() ? "" : fmt::format("`intertwine {}`", cell(command.example)));
  }
  return text;
}

void add_help(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("help", "what a command does, and pages on groups, representations, conventions and formats");
  const auto options = std::make_shared<HelpOptions>();
  command->add_option("TOPIC", options->topic, "a command, or one of " + topic_names());
  std::string footer = "Topics:\n";
  for (const Topic& topic : topics)
    if (topic.text) footer += fmt::format("  {:<22}{}\n", topic.name, topic.meaning);
  command->footer(footer + "Examples:\n  intertwine help basis\n  intertwine help groups");
  command->callback([options, &app, &context] {
    context.require_text();
    context.deliver(
        [&](Format, unsigned width) { return help_on(*options, app, width, width != 0 && context.colours()); });
  });
}

std::string greeting() {
  return fmt::format(
      "Intertwine {}: exact groups, representations and equivariant maps. Five things to try:\n\n"
      "  intertwine basis S4 perm^2                    the layers between graphs on four nodes\n"
      "  intertwine chartable Oh                       the characters of a cube's symmetries\n"
      "  intertwine decompose 'SO(3)' 'vector*vector'  what a 3 x 3 tensor consists of\n"
      "  intertwine tensor elastic Oh                  the elastic constants of a cubic crystal\n"
      "  intertwine lr '[2,1]' '[2,1]'                 a product of Schur functions\n\n"
      "All commands: intertwine help. One command: intertwine help basis. Groups: intertwine help groups.\n",
      INTERTWINE_VERSION);
}

std::shared_ptr<CLI::FormatterBase> help_formatter(const Context& context) {
  return std::make_shared<Formatter>(context);
}

}  // namespace intertwine::app
