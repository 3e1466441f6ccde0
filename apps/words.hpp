// The meaning of the words of a command line, and the message where they can have none.
#pragma once
#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

namespace intertwine::app {

struct Command;

/// The name that a word stands for: a command's name, a synonym or the beginning of one that belongs to one command only.
/// Capitals, underscores and joined words are read as in CharacterTable, character_table. Empty if it stands for none.
std::string command_meant(const std::string& word);

/// The arguments with the command by its name, `COMMAND help` as `COMMAND --help`.
std::vector<std::string> meant(const CLI::App& program, std::span<const std::string> arguments);

/// The command that these words, as meant() gives them, name; null if they name none, or one that tells of the others.
const Command* command_among(const CLI::App& program, std::span<const std::string> words);

/// One sentence about a command line that CLI11 refused.
std::string usage_error(const CLI::App& program, const CLI::ParseError& e, std::span<const std::string> arguments);

/// The words of a line as a shell takes them, with single quotes only.
std::vector<std::string> shell_words(std::string_view line);

/// One sentence about a word that is no command.
std::string unknown_command(const std::string& word);

}  // namespace intertwine::app
