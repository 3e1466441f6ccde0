// The one table of commands: from it come the program, its help, the completion of shells, the manual pages and the table of
// README.md. The code that adds a command states its answer, its options and their order without
// names.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "context.hpp"

namespace intertwine::app {

struct Command {
  std::string_view name;
  AddCommand add;
  std::string_view synonyms;  ///< the words that users of other tools say, with spaces between
  std::string_view
      example;  ///< the words after `intertwine`, as a shell takes them; `help` shows what they print, unless they name files
  bool listed = true;  ///< in the table of README.md
};
std::span<const Command> commands();

/// The formats that a command prints, and those of its files, which --output - writes: for completion.
std::vector<std::string> formats_of(std::string_view command);

/// A hint for users of other tools: words that they look for and do not find, and the way here.
struct Elsewhere {
  std::string_view words, advice;
};
std::span<const Elsewhere> commands_elsewhere();
/// The commands looked for elsewhere that draw.
inline constexpr std::string_view drawing_words = "draw plot picture visualize visualise image svg";
std::span<const Elsewhere> options_elsewhere();

/// The words of a list in a table.
std::vector<std::string> words_of(std::string_view list);

}  // namespace intertwine::app
