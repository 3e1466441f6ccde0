// What every command shares: the global options, the task they bound, and how answers and errors are written.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine::app {

using Json = nlohmann::ordered_json;

/// The options of DESIGN: --json, --output, --threads, --seed, --quiet, --progress, --max-memory,
/// --time-limit.
struct Context {
  bool json = false;
  bool quiet = false;
  std::vector<std::string> outputs;
  unsigned threads = 1;
  std::uint64_t seed = 0;
  bool seed_given = false;
  std::string progress = "auto";
  std::string max_memory;
  double time_limit = 0;

  Task task;  ///< made by start() from the options
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();
  /// Called once after parsing: builds the task, seeds, arms Ctrl-C.
  void start();
  /// Removes a progress bar that is on the screen.
  void finish_progress() const;
};

/// Before anything is opened: standard streams that the caller closed are kept from being files of ours, and
/// what the system would kill for (a full disk, a reader that went away) becomes an error or a clean end.
void prepare_process();

/// 130 after Ctrl-C, 143 after SIGTERM: 128 and the number of the signal that stopped the work.
int interrupted_status();

/// A command: adds its subcommand to the program; the callback it sets runs it.
using AddCommand = void (*)(CLI::App&, Context&);
void add_group(CLI::App& app, Context& context);
void add_basis(CLI::App& app, Context& context);
void add_tie(CLI::App& app, Context& context);
void add_symmetrize(CLI::App& app, Context& context);
void add_verify(CLI::App& app, Context& context);
void add_run(CLI::App& app, Context& context);
void add_bench_layer(CLI::App& app, Context& context);

/// {"intertwine": VERSION, "command": name}.
Json answer(const std::string& command);

/// "1 weight", "15 weights", "0 biases".
std::string counted(const std::string& number, const std::string& one, const std::string& many);

/// "1.3 ms", "2.1 s".
std::string format_seconds(double seconds);

/// A list with ", " or lines as a block of lines for --help: two spaces in front, broken at about 100 columns.
std::string indented(const std::string& list);

/// Writes an answer: pretty JSON to stdout.
void print(const Json& json);

/// True if stdout can show colours to a person.
bool colour_terminal();
/// Columns of the terminal, 80 where unknown.
unsigned terminal_width();

/// "1.5GiB", "800M", "100000" as bytes. \throws ParseError.
std::uint64_t parse_bytes(const std::string& text);

}  // namespace intertwine::app
