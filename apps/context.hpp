// What every command shares: the global options, the task they bound, and how answers and errors are written.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine::app {

using Json = nlohmann::ordered_json;

/// The options of DESIGN: --json, --output, --threads, --seed, --quiet, --progress, --max-memory,
/// --time-limit; and where a command writes.
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

  std::ostream& out;  ///< the answer
  std::ostream& err;  ///< progress and errors
  Task task;          ///< made by start() from the options

  Context(std::ostream& out_stream, std::ostream& err_stream) : out(out_stream), err(err_stream) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  /// Gives back what start() took of the process: its signals and its seed.
  ~Context();
  /// Called once after parsing: builds the task, seeds, arms Ctrl-C.
  void start();
  /// Removes a progress bar that is on the screen.
  void finish_progress() const;
  /// 130 after Ctrl-C, 143 after SIGTERM: 128 and the number of the signal that stopped the work.
  int interrupted_status() const;

  /// Writes an answer: pretty JSON to `out`.
  void print(const Json& json) const;
  /// True if `out` can show colours to a person.
  bool colours() const;
  /// Columns of the terminal behind `out`, 80 where there is none.
  unsigned width() const;

 private:
  struct Process;  // what is changed of the process while a command runs
  std::shared_ptr<Process> process_;
  mutable bool bar_shown_ = false;
  void draw_bar(std::string_view phase, std::uint64_t done, std::uint64_t total);
};

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

/// "1.5GiB", "800M", "100000" as bytes. \throws ParseError.
std::uint64_t parse_bytes(const std::string& text);

}  // namespace intertwine::app
