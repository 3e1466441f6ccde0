// The program's words about itself: help in the width of the terminal, topics, manual pages, completion, versions.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "context.hpp"

namespace intertwine::app {

void add_help(CLI::App& app, Context& context);
void add_version(CLI::App& app, Context& context);
void add_completion(CLI::App& app, Context& context);
void add_man(CLI::App& app, Context& context);

/// The formatter of --help and `help`.
std::shared_ptr<CLI::FormatterBase> help_formatter(const Context& context);

/// The synopsis of a command: "basis GROUP [IN] [OUT]".
std::string synopsis(const CLI::App& command);

/// Is it a page that `help` shows, and no command?
bool is_help_topic(const std::string& word);
std::vector<std::string> help_topics();

/// The option as help shows it: "-o,--output FILE", "--in IN".
std::string option_words(const CLI::Option& option);

/// The output of the example of a command: its first lines, times left out; empty if it has none.
std::string example_output(const std::string& command);

/// A greeting for somebody who gives no word: five commands to try, and where more is.
std::string greeting();

/// The version, the commit, the libraries and the instruction set that layers run on.
std::string version_text();

/// The table of commands as README.md has it.
std::string markdown_table(const CLI::App& program);

/// The script that completes commands, options, groups and representations. \param shell  bash, zsh or fish
std::string completion_script(const CLI::App& program, const std::string& shell);

/// A manual page in troff: of the program, or of one command.
std::string manual_page(const CLI::App& app);

}  // namespace intertwine::app
