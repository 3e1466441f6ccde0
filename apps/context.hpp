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
#include "intertwine/io/format.hpp"
#include "intertwine/representations/decomposition.hpp"
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

  /// Before the work: the extensions of --output are refused unless they stand for one of these formats.
  void require_formats(const std::string& command, const std::vector<Format>& formats) const;
  /// Writes the files, each in the format of its extension and as wide as it gets (width 0), then prints the answer: in JSON
  /// with --json, else in the format `printed`.
  void deliver(const std::function<std::string(Format, unsigned width)>& answer,
               Format printed = Format::text) const;
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
void add_classes(CLI::App& app, Context& context);
void add_chartable(CLI::App& app, Context& context);
void add_decompose(CLI::App& app, Context& context);
void add_molien(CLI::App& app, Context& context);
void add_irreps(CLI::App& app, Context& context);
void add_basis(CLI::App& app, Context& context);
void add_kernels(CLI::App& app, Context& context);
void add_tie(CLI::App& app, Context& context);
void add_symmetrize(CLI::App& app, Context& context);
void add_verify(CLI::App& app, Context& context);
void add_run(CLI::App& app, Context& context);
void add_bench_layer(CLI::App& app, Context& context);

/// The argument GROUP.
void add_group_argument(CLI::App& command, std::string& group);
/// Option --format.
void add_format(CLI::App& command, Format& format, const std::vector<Format>& formats);
/// Option --over.
void add_over(CLI::App& command, BaseField& over, const std::string& help);
/// CLI11 takes -3 for a huge number, and gives bounds in digits that nobody reads.
CLI::Validator whole_number(unsigned least);

/// The row of irreducible character number k, from 1. \throws DomainError
std::size_t irreducible_row(const CharacterTable& table, std::size_t k);

/// A JSON document put together from what the library writes.
class Document {
 public:
  /// {"intertwine": VERSION, "command": name}
  explicit Document(const std::string& command);
  Document& add(const std::string& key, const Json& value) { return add_text(key, value.dump(2)); }
  /// A value that is JSON already.
  Document& add_text(const std::string& key, const std::string& value);
  /// All keys of an object.
  Document& add_all(const std::string& object);
  std::string str() const { return text_ + "\n}\n"; }

 private:
  std::string text_;
};

/// "1.3 ms", "2.1 s".
std::string format_seconds(double seconds);

/// A list with ", " or lines as a block of lines for --help: two spaces in front, broken at about 100 columns.
std::string indented(const std::string& list);

}  // namespace intertwine::app
