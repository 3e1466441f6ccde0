// The common part of all commands: the global options, the task they bound, and the writing of answers and errors.
#pragma once
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/io/format.hpp"
#include "intertwine/io/json_writer.hpp"
#include "intertwine/io/record.hpp"
#include "intertwine/machine.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/task.hpp"
#include "streams.hpp"

namespace intertwine::app {

using Json = nlohmann::ordered_json;

class Document;

/// A text from a stranger on one line of a terminal, with other characters for those that move its cursor, change its
/// colours or turn the direction of writing: it must not look like the verdict of another file.
std::string one_line(std::string_view text);

/// The answer of a command in one form: a text, or a function that writes it piece by piece.
class Answer {
 public:
  Answer(std::string text);                         // NOLINT(google-explicit-constructor)
  Answer(Document document);                        // NOLINT(google-explicit-constructor)
  Answer(std::function<void(std::ostream&)> write)  // NOLINT(google-explicit-constructor)
      : write_([write = std::move(write)](std::ostream& out, std::optional<double>) { write(out); }) {}
  /// \param seconds  a document has them as its last key
  void write(std::ostream& out, std::optional<double> seconds = {}) const { write_(out, seconds); }

 private:
  std::function<void(std::ostream&, std::optional<double>)> write_;
};

/// The options that every command has, and where a command writes.
struct Context {
  bool json = false;
  bool quiet = false;
  bool timings = false;
  std::string format;       ///< as given; empty: text
  bool standalone = false;  ///< LaTeX as a whole document
  std::string color = "auto";
  std::vector<std::string> outputs;
  unsigned threads = 1;
  std::uint64_t seed = 0;
  bool seed_given = false;
  std::string progress = "auto";
  std::string max_memory, max_disk;
  double time_limit = 0;

  std::streambuf* const terminal;  ///< the buffer that `out` writes to in the end
  std::ostream out;                ///< the answer
  std::ostream& err;               ///< progress and errors
  Task task;                       ///< made by start() from the options
  Streams streams;                 ///< the streams that - stands for

  Context(std::ostream& out_stream, std::ostream& err_stream)
      : terminal(out_stream.rdbuf()), out(terminal), err(err_stream) {
    out.setstate(out_stream.rdstate());
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  /// Gives back what start() took of the process: its signals and its seed.
  ~Context();
  /// Called once after parsing: builds the task, seeds, arms Ctrl-C.
  void start();
  /// A line for stderr, or with --json a document.
  std::string error_text(const std::string& message, int status) const;
  /// Removes a progress bar that is on the screen.
  void finish_progress() const;
  /// 130 after Ctrl-C, 143 after SIGTERM: 128 and the number of the signal that stopped the work.
  int interrupted_status() const;

  /// Before the work: --format and the extensions of --output are refused unless they are among these formats. The
  /// first one is printed where none is asked for; `files`, if given, are those of --output.
  /// \param draws  files may be pictures as well, .html too, which the command draws by itself
  void require_formats(const std::string& command, const std::vector<Format>& formats,
                       const std::optional<std::vector<Format>>& files = {}, bool draws = false);
  /// A picture was drawn, which --quiet takes for the answer.
  void drew() { draws_ = true; }
  /// For a command that writes files by itself: the format that is printed, one of these, the first where none is asked
  /// for.
  Format printed_format(const std::vector<Format>& formats) const;
  /// Is the answer printed in this format, or is a file written in it? After require_formats.
  bool writes(Format format) const;
  /// Before the work of an option whose answer is in JSON alone: refused where neither what is printed nor a file is
  /// JSON.
  void require_json(const std::string& option) const;
  /// Before the work of a command whose answer is a text that others read, as man does: files have any name.
  void require_text();
  /// Before the work of a command that writes files by itself: --format must be text or json.
  void require_text_or_json();
  /// Writes the files, each in the format of its extension and as wide as it gets (width 0), then prints the answer in
  /// the format asked for, unless silent().
  void deliver(const std::function<Answer(Format, unsigned width)>& answer);
  /// Prints it on the way, or under --time-limit and --max-memory when it is whole: these bind the writing too, not the
  /// reader.
  void print(const Answer& answer);
  /// Writes a file.
  void save(const std::string& file, const Answer& answer) const;
  /// - as the value of an option that names a picture: standard output, as --output - writes there.
  void open_picture(std::string& file, const std::string& option);
  /// With --quiet nothing is printed where files hold the answer, or a picture of it.
  bool silent() const { return quiet && !json && (draws_ || !outputs.empty()); }
  /// True if `out` can show colours to a person.
  bool colours() const;
  /// Columns of the terminal behind `out`, 80 where there is none.
  unsigned width() const;

 private:
  std::optional<DiskBound> disk_;
  Format printed_ = Format::text;
  bool any_file_ = false;  ///< after require_text: every file gets text
  bool draws_ = false;
  std::chrono::steady_clock::time_point started_;
  /// Since start(), with --timings; otherwise the same question has the same answer, byte by byte.
  std::optional<double> seconds() const;
  struct Process;  // what is changed of the process while a command runs
  std::shared_ptr<Process> process_;
  mutable bool bar_shown_ = false;
  void draw_bar(std::string_view phase, std::uint64_t done, std::uint64_t total);
};

/// Takes the files whose names say structures (.cif, .xyz, .vasp, POSCAR) out of --output.
std::vector<std::string> structure_outputs(Context& context);
/// With files of arrays of numbers, for programs that compute.
std::vector<Format> with_arrays(std::vector<Format> formats);
/// With files that Lean proves.
std::vector<Format> with_lean(std::vector<Format> formats);
/// The formats in which answers are written.
inline const std::vector<Format> all_formats = {Format::text, Format::json,     Format::latex,
                                                Format::gap,  Format::sage,     Format::magma,
                                                Format::csv,  Format::markdown, Format::html};

/// A command: adds its subcommand to the program; the callback it sets runs it.
using AddCommand = void (*)(CLI::App&, Context&);
void add_group(CLI::App& app, Context& context);
void add_automorphisms(CLI::App& app, Context& context);
void add_classes(CLI::App& app, Context& context);
void add_chartable(CLI::App& app, Context& context);
void add_decompose(CLI::App& app, Context& context);
void add_molien(CLI::App& app, Context& context);
void add_irreps(CLI::App& app, Context& context);
void add_clebsch_gordan(CLI::App& app, Context& context);
void add_molecule(CLI::App& app, Context& context);
void add_crystal(CLI::App& app, Context& context);
void add_tensor(CLI::App& app, Context& context);
void add_sdp(CLI::App& app, Context& context);
void add_basis(CLI::App& app, Context& context);
void add_kernels(CLI::App& app, Context& context);
void add_tie(CLI::App& app, Context& context);
void add_symmetrize(CLI::App& app, Context& context);
void add_verify(CLI::App& app, Context& context);
void add_table(CLI::App& app, Context& context);
void add_init(CLI::App& app, Context& context);
void add_run(CLI::App& app, Context& context);
void add_bench_layer(CLI::App& app, Context& context);

/// A word that has to be given; GROUP; FILE, a table.
void add_argument(CLI::App& command, const std::string& name, std::string& value, const std::string& help);
void add_group_argument(CLI::App& command, std::string& group);
void add_table_argument(CLI::App& command, std::string& file);
/// An option and the word for its value in --help.
template <class Value>
CLI::Option* add_value(CLI::App& command, const std::string& name, const std::string& word, Value& value,
                       const std::string& help) {
  return command.add_option(name, value, help)->type_name(word);
}
/// An option whose value is checked as it is read.
template <class Value>
CLI::Option* add_checked(CLI::App& command, const std::string& name, Value& value, CLI::Validator check,
                         const std::string& help) {
  return command.add_option(name, value, help)->check(std::move(check));
}
/// Option --over.
void add_over(CLI::App& command, BaseField& over, const std::string& help);
/// Lets an option know the words that it takes, for completion; who reads them says what is wrong with others.
CLI::Validator known_words(const std::vector<std::string>& words);
/// CLI11 takes -3 for a huge number, and gives bounds in digits that nobody reads.
CLI::Validator whole_number(unsigned least);

/// Refuses words that name a file or a format: they are no expressions, and belong to --output and --format.
CLI::Validator expression();
/// Takes what names a file, so that it finds its place among other words.
CLI::Validator file_name();
/// Refuses what is no partition, so that partitions find their place among other words.
CLI::Validator partition();

/// A JSON document put together from what the library writes.
class Document {
 public:
  /// {"intertwine": VERSION, "command": name}
  explicit Document(const std::string& command);
  Document& add(const std::string& key, const Json& value) { return add_text(key, json_text(value)); }
  /// A value that is JSON already.
  Document& add_text(const std::string& key, const std::string& value);
  /// A value that is written when its turn comes.
  Document& add_piece(const std::string& key, JsonPiece value);
  /// All keys of an object.
  Document& add_all(const std::string& object);
  /// All keys of an answer, written when their turn comes. What can fail is done here; an answer that the record only
  /// speaks of must live until then.
  Document& add_all(const Record& record, const Task& task);
  void write(std::ostream& out, std::optional<double> seconds = {}) const;
  std::string str() const;

 private:
  Document& add_piece(JsonPiece members);

  std::vector<JsonPiece> pieces_;
};

/// A record in a format; its JSON keys follow those of `document`. What it speaks of must live until the answer is
/// written.
Answer answer_in(Format format, unsigned width, const Document& document, const Record& record, const Task& task);
/// Delivers an answer of a command.
void deliver_answer(Context& context, const std::string& command, const Record& record);

/// The bytes that --max-memory states, or the bound without it.
std::uint64_t memory_limit(const std::string& option);

/// "1.3 ms", "2.1 s".
std::string format_seconds(double seconds);

/// A list with ", " or lines as a block of lines for --help: two spaces in front, broken at about 100 columns.
std::string indented(const std::string& list);

}  // namespace intertwine::app
