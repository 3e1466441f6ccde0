// The options that every command has, the handling of signals, and the writing of answers.
#include "context.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <ext/stdio_filebuf.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <utility>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/faults.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/row_name.hpp"
#include "intertwine/io/structure_file.hpp"
#include "intertwine/random.hpp"
#include "intertwine/version.hpp"
#include "run_program.hpp"
#include "watch.hpp"

namespace intertwine::app {

namespace {

std::atomic<const Task*> running{nullptr};
std::atomic<int> caught{0};

[[noreturn]] void end_by(int signal) {
  discard_everything();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  std::_Exit(128 + signal);
}

/// The first one asks the work to stop; a second one does not wait for it.
void on_interrupt(int signal) {
  const Task* task = running.load();
  if (!task || caught.exchange(signal) != 0) end_by(signal);
  task->cancel();
  watch_signal(signal);
}

/// The reader of a pipe went away: end as every filter does, without leaving a temporary file.
void on_broken_pipe(int signal) { end_by(signal); }

/// \returns what was done about the signal before
struct sigaction handle(int signal, void (*handler)(int)) {
  struct sigaction action {
  }, before{};
  action.sa_handler = handler;
  // Handlers let their own signal through, so that the second one is heard, and may raise it.
  action.sa_flags = SA_NODEFER;
  sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup means it
  return before;
}

constexpr int stopping[] = {SIGINT, SIGTERM, SIGHUP};

/// The file descriptor behind a stream of the process, -1 for any other stream.
int descriptor_of(const std::streambuf* stream) {
  if (stream == std::cout.rdbuf()) return STDOUT_FILENO;
  return stream == std::cerr.rdbuf() ? STDERR_FILENO : -1;
}

bool is_terminal(const std::streambuf* stream) { return isatty(descriptor_of(stream)) != 0; }

unsigned columns(const std::streambuf* stream) {
  if (const char* columns = std::getenv("COLUMNS"); columns && std::atoi(columns) > 20)
    return static_cast<unsigned>(std::min(std::atoi(columns), 1000));
  winsize size{};
  if (ioctl(descriptor_of(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col;
  return 80;
}

}  // namespace

std::uint64_t memory_limit(const std::string& option) {
  if (!option.empty()) return parse_bytes(option);
  static const std::uint64_t at_start = default_memory();  // asked twice, and not at once
  return at_start;
}

struct Context::Process {
  std::uint64_t seed = default_seed.load();
  struct sigaction handlers[std::size(stopping)]{};
};

std::optional<double> Context::seconds() const {
  if (!timings) return {};
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

void Context::start() {
  started_ = std::chrono::steady_clock::now();
  if (color != "auto" && color != "always" && color != "never")
    throw ParseError("--color takes auto, always or never", color, 0);
  json = json || format == "json";
  if (standalone && format != "latex" &&
      std::none_of(outputs.begin(), outputs.end(), [](const auto& file) { return file.ends_with(".tex"); }))
    throw DomainError("--standalone makes a whole document of LaTeX: --latex or --output FILE.tex");
  streams.open_output(outputs, json ? "json" : format, out);
  if (progress != "auto" && progress != "always" && progress != "never")
    throw ParseError("--progress takes auto, always or never", progress, 0);
  if (std::isnan(time_limit) || time_limit < 0)
    throw DomainError("--time-limit takes a positive number of seconds, or 0 for no limit");
  if (!max_disk.empty()) disk_.emplace(parse_bytes(max_disk));
  const bool bar = !quiet && (progress == "always" || (progress == "auto" && is_terminal(err.rdbuf())));
  task = Task(memory_limit(max_memory), time_limit,
              bar ? Task::Progress([this](auto phase, auto done, auto total) { draw_bar(phase, done, total); })
                  : Task::Progress(),
              {}, threads);
  process_ = std::make_shared<Process>();
  if (seed_given) default_seed.store(seed);
  caught = 0;
  running = &task;
  const std::string clear = bar ? "\r\x1b[K" : "";
  Bounds bounds{task.memory(), time_limit, {}, {}, {}};
  // The sentences of Task's errors, ready for a handler that may not put any together.
  bounds.out_of_memory =
      clear + error_text(fmt::format("the work takes more memory than the limit of {}; raise --max-memory",
                                     format_bytes(task.memory())),
                         3);
  bounds.out_of_time =
      clear + error_text(fmt::format("the time limit of {} s was reached; raise --time-limit", time_limit), 3);
  for (const int signal : stopping)
    bounds.stopped.emplace_back(signal, clear + error_text("interrupted: no unfinished file is left", 128 + signal));
  start_watch(task, std::move(bounds));
  for (std::size_t k = 0; k < std::size(stopping); ++k) process_->handlers[k] = handle(stopping[k], on_interrupt);
}

Context::~Context() {
  if (!process_) return;
  stop_watch();
  for (std::size_t k = 0; k < std::size(stopping); ++k) sigaction(stopping[k], &process_->handlers[k], nullptr);
  running = nullptr;
  default_seed.store(process_->seed);
}

std::string Context::error_text(const std::string& message, int status) const {
  const std::string text = streams.shown(message);
  return json ? Document("error").add("error", Json{{"status", status}, {"message", text}}).str()
              : "intertwine: error: " + one_line(text) + "\n";
}

std::string one_line(std::string_view text) {
  // How many bytes at a place are one control character of UTF-8: U+0000 to 1F, 7F to 9F, 202A to 202E, 2066 to 2069.
  const auto control_bytes = [&](std::size_t at) -> std::size_t {
    const auto byte = [&](std::size_t k) { return at + k < text.size() ? text[at + k] & 0xFF : 0; };
    const auto within = [](int x, int least, int most) { return least <= x && x <= most; };
    if (byte(0) < 32 || byte(0) == 127) return 1;
    if (byte(0) == 0xC2 && within(byte(1), 0x80, 0x9F)) return 2;
    if (byte(0) != 0xE2) return 0;
    return (byte(1) == 0x80 && within(byte(2), 0xAA, 0xAE)) || (byte(1) == 0x81 && within(byte(2), 0xA6, 0xA9)) ? 3 : 0;
  };
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t control = control_bytes(at);
    const bool blank = text[at] == '\n' || text[at] == '\t';
    out += control == 0 ? text[at] : blank ? ' ' : '?';
    at += std::max<std::size_t>(control, 1);
  }
  return out;
}

void Context::draw_bar(std::string_view phase, std::uint64_t done, std::uint64_t total) {
  std::string line;
  if (total == 0) {
    line = fmt::format("{} {}", phase, done);
  } else {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const auto filled = static_cast<std::size_t>(30 * share);
    line = fmt::format("{:<24} [{}{}] {:3.0f}%", phase, std::string(filled, '#'), std::string(30 - filled, ' '),
                       100 * share);
  }
  const std::size_t width = columns(err.rdbuf()) - 1;
  if (line.size() > width) line.resize(width);  // a line that wraps could not be drawn over
  err << '\r' << line << "\x1b[K" << std::flush;
  bar_shown_ = true;
}

void prepare_process() {
#ifdef __GLIBC__
  // Growing lists would otherwise be mapped and given back time and again, and every page be cleared by the kernel each time.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
#endif
  // A table would otherwise be opened as number 1 and the answer be written into it.
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // open() takes the smallest number. Writing to stdout then fails, and is reported.
    if (open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY) != descriptor) std::_Exit(1);
  }
  allow_watch();
  throw_faults_of_libraries();  // what ulimit or the machine does not give is an error as any other
  handle(SIGPIPE, on_broken_pipe);
  handle(SIGXFSZ, SIG_IGN);  // too large a file is an error of write()
}

int Context::interrupted_status() const { return 128 + (caught != 0 ? caught.load() : SIGINT); }

void Context::finish_progress() const {
  if (bar_shown_) err << "\r\x1b[K" << std::flush;
  bar_shown_ = false;
}

Answer::Answer(std::string text)
    : write_([text = std::move(text)](std::ostream& out, std::optional<double>) { out << text; }) {}

Answer::Answer(Document document)
    : write_([document = std::move(document)](std::ostream& out, std::optional<double> seconds) {
        document.write(out, seconds);
      }) {}

Document::Document(const std::string& command) { add("intertwine", INTERTWINE_VERSION).add("command", command); }

Document& Document::add_piece(JsonPiece members) {
  pieces_.push_back(std::move(members));
  return *this;
}

Document& Document::add_piece(const std::string& key, JsonPiece value) {
  return add_piece([key, value = std::move(value)](JsonWriter& json) { value(json.key(key)); });
}

Document& Document::add_text(const std::string& key, const std::string& value) {
  return add_piece([=](JsonWriter& json) { json.key(key).value(value); });
}

Document& Document::add_all(const std::string& object) {
  return add_piece([=](JsonWriter& json) { json.members(object); });
}

Document& Document::add_all(const Record& record, const Task& task) { return add_piece(record.fields(task)); }

void Document::write(std::ostream& out, std::optional<double> seconds) const {
  JsonWriter json(out);
  json.open_object();
  for (const JsonPiece& piece : pieces_) piece(json);
  if (seconds) json.key("seconds").value(json_text(Json(*seconds), -1));
  json.close();
  out << '\n';
}

std::string Document::str() const {
  std::ostringstream text;
  write(text);
  return std::move(text).str();
}

std::string indented(const std::string& list) {
  constexpr std::size_t width = 100;
  std::string text = "  ";
  std::size_t column = 2;
  for (std::size_t at = 0; at < list.size();) {
    // The next item, with the ", " or "; " or the end of the line that closes it.
    std::size_t end = at, open = 0;
    while (end < list.size() && list[end] != '\n' && (open != 0 || (list[end] != ',' && list[end] != ';'))) {
      open += list[end] == '(' || list[end] == '[' || list[end] == '<' ? 1 : 0;
      open -= open != 0 && (list[end] == ')' || list[end] == ']' || list[end] == '>') ? 1 : 0;
      ++end;
    }
    const bool line_ends = end < list.size() && list[end] == '\n';
    if (end < list.size() && !line_ends) ++end;
    if (column + end - at > width && column > 2) text += "\n  ", column = 2;
    const std::size_t from = column == 2 ? std::min(list.find_first_not_of(' ', at), end) : at;
    text += list.substr(from, end - from);
    column += end - from;
    at = end;
    if (line_ends && ++at < list.size()) text += "\n  ", column = 2;
  }
  return text;
}

std::string format_seconds(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 1e-5) return fmt::format("{:.1f} µs", seconds * 1e6);
  if (seconds < 1e-3) return fmt::format("{:.0f} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

void Context::require_formats(const std::string& command, const std::vector<Format>& formats,
                              const std::optional<std::vector<Format>>& files, bool draws) {
  for (const std::string& file : outputs)
    if (!draws || !is_picture(file))
      format_of_file(file, files.value_or(formats), draws ? command + " draws .svg, .png and .html, and" : command);
  if (!json && !streams.writes() && outputs.empty())
    for (const Format of_file : files.value_or(formats))
      if (is_of_arrays(of_file) && to_string(of_file) == format)
        throw DomainError(
            fmt::format("{0} is for files and pipes: --output NAME{1}, or --output - --format {0}", format,
                        std::find_if(format_table().begin(), format_table().end(), [&](const FormatName& known) {
                          return known.format == of_file;
                        })->extension));
  printed_ = printed_format(formats);
}

std::vector<Format> with_arrays(std::vector<Format> formats) {
  formats.insert(formats.end(), {Format::npy, Format::npz});
  return formats;
}

std::vector<Format> with_lean(std::vector<Format> formats) {
  formats.push_back(Format::lean);
  return formats;
}

Format Context::printed_format(const std::vector<Format>& formats) const {
  const bool asked = (json || !format.empty()) && !streams.writes();
  return asked ? parse_format(json ? "json" : format, formats) : formats.front();
}

bool Context::writes(Format wanted) const {
  return printed_ == wanted || std::any_of(outputs.begin(), outputs.end(),
                                           [&](const std::string& file) { return format_of_file(file) == wanted; });
}

void Context::require_json(const std::string& option) const {
  if (!writes(Format::json))
    throw DomainError(option + " is written in JSON: --json, --format json or --output FILE.json");
}

void Context::require_text() {
  any_file_ = true;
  if (json || !format.empty())
    if (!streams.writes()) printed_ = parse_format(json ? "json" : format, {Format::text});
}

void Context::require_text_or_json() {
  if (!format.empty() && !streams.writes()) parse_format(format, {Format::text, Format::json});
}

void Context::deliver(const std::function<Answer(Format, unsigned)>& part) {
  const auto answer = [&](Format how, unsigned columns_of_text) {
    if (!standalone || how != Format::latex) return part(how, columns_of_text);
    return Answer([body = part(how, columns_of_text)](std::ostream& to) {
      to << latex_document().first;
      body.write(to);
      to << latex_document().second;
    });
  };
  for (const std::string& file : outputs) save(file, answer(any_file_ ? Format::text : format_of_file(file), 0));
  finish_progress();
  if (!silent() && !streams.writes()) print(answer(printed_, std::max(width(), 40U)));
}

std::vector<std::string> structure_outputs(Context& context) {
  std::vector<std::string> files, others;
  for (const std::string& file : context.outputs) (names_structure(file) ? files : others).push_back(file);
  context.outputs = std::move(others);
  return files;
}

void Context::save(const std::string& file, const Answer& answer) const {
  write_file(file, [&](std::ostream& to) {
    const auto renaming = streams.renaming(to.rdbuf());
    if (!renaming) return answer.write(to, seconds());
    std::ostream text(renaming.get());
    text.exceptions(to.exceptions());  // the error of the file system comes through
    answer.write(text, seconds());
    if (!text.flush()) to.setstate(std::ios::badbit);
  });
}

void Context::open_picture(std::string& file, const std::string& option) {
  draws_ = draws_ || !file.empty();
  std::vector<std::string> files{file};
  streams.open_output(files, json ? "json" : format, out, option);
  file = files.front();
}

void Context::print(const Answer& answer) {
  if (time_limit == 0 && max_memory.empty()) return answer.write(out, seconds());
  // A limit that is reached on the way leaves no half of an answer: it waits on the disk until it is whole.
  __gnu_cxx::stdio_filebuf<char> whole(unnamed_temporary_file(), std::ios::in | std::ios::out | std::ios::binary);
  std::iostream written(&whole);
  answer.write(written, seconds());
  written.flush();
  if (!written || !written.seekg(0))
    throw FileError("the answer could not be written to a temporary file; is the disk full?");
  stop_watch();  // who reads slowly is no reason to cut the answer
  pass_on(written, out);
}

Answer answer_in(Format format, unsigned width, const Document& document, const Record& record, const Task& task) {
  if (format == Format::json) return Document(document).add_all(record, task);
  if (format == Format::csv && record.csv)
    return Answer([csv = record.csv, &task](std::ostream& out) { csv(out, task); });
  return in_format(record, format, width, task);
}

void deliver_answer(Context& context, const std::string& command, const Record& record) {
  context.deliver(
      [&](Format format, unsigned width) { return answer_in(format, width, Document(command), record, context.task); });
}

void add_argument(CLI::App& command, const std::string& name, std::string& value, const std::string& help) {
  command.add_option(name, value, help)->type_name("")->required();
}

void add_group_argument(CLI::App& command, std::string& group) {
  add_argument(command, "GROUP", group, "a group expression, see `intertwine group --help`");
}

void add_table_argument(CLI::App& command, std::string& file) {
  add_argument(command, "FILE", file, "a .safetensors, .npz or .json table");
}

void add_over(CLI::App& command, BaseField& over, const std::string& help) {
  command
      .add_option_function<std::string>(
          "--over", [&over](const std::string& name) { over = base_field(name); }, help)
      ->check(CLI::IsMember({"complex", "real", "rational"}))
      ->type_name("FIELD");
}

CLI::Validator known_words(const std::vector<std::string>& words) {
  return {[](std::string&) { return std::string(); }, fmt::format("{{{}}}", fmt::join(words, ","))};
}

CLI::Validator whole_number(unsigned least) {
  return {[least](std::string& text) {
            const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            return digits && text.size() < 20 && (least == 0 || text.find_first_not_of('0') != std::string::npos)
                       ? std::string()
                       : fmt::format("takes a whole number from {} on", least);
          },
          ""};
}

CLI::Validator expression() {
  return {[](std::string& text) {
            const auto& formats = format_names();
            for (const char* operation : {"x", "wr", "×", ":"})
              if (text == operation) return "'" + text + "' joins groups; put an expression with spaces in quotes";
            if (names_a_file(text)) return "'" + text + "' names a file; files are written by --output";
            if (std::find(formats.begin(), formats.end(), text) != formats.end())
              return "'" + text + "' is a format; formats are given by --format";
            return std::string();
          },
          ""};
}

CLI::Validator file_name() {
  return {[](std::string& text) { return names_a_file(text) ? "" : "'" + text + "' names no file, as w.npy does"; },
          ""};
}

CLI::Validator partition() {
  return {[](std::string& text) {
            try {
              parse_partition(text);
            } catch (const Error& e) {
              return std::string(e.what());
            }
            return std::string();
          },
          ""};
}

bool Context::colours() const {
  return color == "always" || (color == "auto" && is_terminal(terminal) && std::getenv("NO_COLOR") == nullptr);
}

unsigned Context::width() const { return columns(terminal); }

}  // namespace intertwine::app
