// Runs a command line from its words to the exit status.
#include "run_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <ostream>
#include <string_view>

#include "commands.hpp"
#include "help.hpp"
#include "intertwine/error.hpp"
#include "watch.hpp"
#include "words.hpp"

namespace intertwine::app {

namespace {

/// Was the answer asked for in JSON? Asked of the words, since they may be what is wrong.
bool wants_json(std::span<const std::string> arguments) {
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (arguments[k] == "--json" || arguments[k] == "--format=json" ||
        (arguments[k] == "--format" && k + 1 < arguments.size() && arguments[k + 1] == "json"))
      return true;
  return false;
}

/// The limit of memory, for what is read before the options are.
std::uint64_t memory_of(std::span<const std::string> arguments) {
  constexpr std::string_view option = "--max-memory";
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k] == option && k + 1 < arguments.size()) return memory_limit(arguments[k + 1]);
    if (arguments[k].starts_with(std::string(option) + "="))
      return memory_limit(arguments[k].substr(option.size() + 1));
  }
  return memory_limit("");
}

/// Reports errors: a line on stderr, or with --json a document there.
class Reporter {
 public:
  Reporter(Context& context, std::span<const std::string> arguments) : context_(context) {
    context.json = wants_json(arguments);
  }

  int operator()(const std::string& message, int status) const {
    stop_watch();  // one message is enough
    context_.err << context_.error_text(message, status);
    return status;
  }
  int operator()(const ParseError& e) const;

 private:
  Context& context_;
};

/// How the options of the program mend an error of the library.
std::string_view option_for(Remedy remedy) {
  switch (remedy) {
    case Remedy::none:
      return "";
    case Remedy::memory:
      return "; raise --max-memory";
    case Remedy::disk:
      return "; raise --max-disk";
    case Remedy::time:
      return "; raise --time-limit";
    case Remedy::embedding:
      return " (--embedding)";
    case Remedy::matrix:
      return " (--matrix)";
    case Remedy::tolerance:
      return " (--tolerance)";
    case Remedy::cluster:
      return " (--cluster)";
    case Remedy::single_table:
      return " (tie --single)";
    case Remedy::field:
      return " (decompose --over)";
    case Remedy::proof:
      return " (--proof)";
    case Remedy::exact:
      return " (--exact)";
    case Remedy::method:
      return " (--method auto)";
  }
  return "";
}
std::string sentence(const Error& e) { return std::string(e.what()).append(option_for(e.remedy())); }

bool continues_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The message, then the text with a caret under the trouble.
int Reporter::operator()(const ParseError& e) const {
  stop_watch();
  // Files that stand for standard input have the name that they were given.
  const std::string text = context_.streams.shown(e.text());
  const std::size_t at = std::min(context_.streams.shown(e.text().substr(0, e.position())).size(), text.size());
  if (context_.json) {
    const Json error{{"status", 2}, {"message", context_.streams.shown(e.what())}, {"text", text}, {"position", at}};
    context_.err << Document("error").add("error", error).str();
    return 2;
  }
  constexpr std::size_t width = 76;
  std::size_t from = text.size() > width && at > width / 2 ? at - width / 2 : 0;  // a window around the caret
  while (from > 0 && continues_letter(text[from])) --from;
  std::size_t to = std::min(text.size(), from + width);
  while (to < text.size() && continues_letter(text[to])) ++to;
  std::string shown = text.substr(from, to - from);
  const std::string_view before = std::string_view(shown).substr(0, at - from);
  auto column = before.size() - static_cast<std::size_t>(std::count_if(before.begin(), before.end(), continues_letter));
  shown = one_line(shown);
  if (from > 0) shown = "..." + shown, column += 3;
  if (to < text.size()) shown += "...";
  (*this)(std::string(e.what()), 2);
  if (!text.empty()) context_.err << "  " << shown << "\n  " << std::string(column, ' ') << "^\n";
  return 2;
}

/// The options that every command has.
void add_options(CLI::App& program, Context& context) {
  program.add_flag("--json", context.json, "print one JSON document, errors too: the same as --format json");
  program
      .add_option("--format", context.format,
                  "how the answer is printed: text, json and, where a command has them, latex, gap, sage, "
                  "magma, csv, markdown, html or lean")
      ->check(known_words(format_names()))
      ->type_name("NAME");
  program.add_flag_callback(
      "--latex", [&context] { context.format = "latex"; }, "the same as --format latex");
  program.add_flag("--standalone", context.standalone, "LaTeX as a whole document, not as a part to \\input");
  program
      .add_option("--output,-o", context.outputs,
                  "also write a file, in the format of its extension; repeat it for several files; - writes "
                  "to standard output alone, in the format of --format")
      ->allow_extra_args(false)
      ->type_name("FILE");
  program.add_flag("--timings", context.timings, "say in JSON how many seconds the work took");
  program.add_option("--threads", context.threads, "upper bound on threads; answers do not depend on it")
      ->check(whole_number(1))
      ->type_name("N");
  program.add_option("--seed", context.seed, "seed of randomized algorithms; answers do not depend on it")
      ->check(whole_number(0))
      ->type_name("N");
  program.add_flag("--quiet,-q", context.quiet,
                   "nothing but errors on stderr, and no report where a file holds the answer");
  program.add_option("--progress", context.progress, "progress bar on stderr: auto (on a terminal), always or never")
      ->check(known_words({"auto", "always", "never"}))
      ->type_name("WHEN");
  program
      .add_option("--color,--colour", context.color,
                  "colours: auto (on a terminal, unless NO_COLOR is set), always or never")
      ->check(known_words({"auto", "always", "never"}))
      ->type_name("WHEN");
  program
      .add_option("--max-memory", context.max_memory,
                  "memory the work may use, for example 800M or 4GiB (default: 3/4 of what is free)")
      ->type_name("SIZE");
  program
      .add_option("--max-disk", context.max_disk,
                  "disk that the files may take together (default: what their file systems have free)")
      ->type_name("SIZE");
  program.add_option("--time-limit", context.time_limit, "the work stops after so many seconds (0: no limit)")
      ->type_name("SECONDS");
}

int run(std::span<const std::string> arguments, Context& context, const Reporter& report) {
  CLI::App program{
      "Exact equivariant bases, weight-tying tables and representation theory of finite groups, of compact "
      "and reductive Lie groups and of GL(m) x GL(n)."};
  program.name("intertwine");
  program.formatter(help_formatter(context));
  program.set_help_flag("--help,-h", "what the program or the command does");
  program.set_version_flag("--version,-V", version_text, "the version, its commit and its libraries");
  program.require_subcommand(1);
  program.fallthrough();
  program.footer(
      "A word - or @- for a file is standard input. Brackets and stars go in quotes, since shells read them: "
      "'[2,1]', '16*perm'.\nPages: intertwine help groups, representations, conventions, formats, "
      "continuous, molecules; completion of shells: intertwine help completion.\nExamples:\n  intertwine "
      "basis S4 perm^2 perm^2\n  intertwine tie 'p4m(8,8)' '16*perm' '32*perm' --output layer.safetensors "
      "--output layer.svg\n"
      "  intertwine verify layer.safetensors\nExit status: 0 done, 1 internal fault, 2 wrong input, 3 a "
      "limit was reached, 4 a verification failed, 130 Ctrl-C.");
  add_options(program, context);
  program.parse_complete_callback([&] {
    context.seed_given = program.get_option("--seed")->count() > 0;
    context.start();
  });
  std::vector<std::string> words = meant(program, arguments);
  // The others would cost more than many an answer.
  const Command* only = command_among(program, words);
  for (const Command& command : commands())
    if (only == nullptr || only == &command) command.add(program, context);
  for (CLI::App* command : program.get_subcommands(nullptr)) command->validate_positionals();
  const auto written = [&] {
    context.streams.close_output(context.out);
    context.out.flush();
    return context.out ? 0
                       : report("the answer could not be written to stdout: what it leads to is full, or has ended", 2);
  };
  if (arguments.empty()) {
    context.out << greeting();
    return written();
  }
  context.streams.open_input(words, memory_of(arguments));
  context.streams.rename(context.out);
  try {
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    context.finish_progress();
    return written();
  } catch (const CLI::CallForVersion& e) {
    context.out << version_text();
    return written();
  } catch (const CLI::Success& e) {  // --help
    program.exit(e, context.out, context.err);
    return written();
  } catch (const CLI::ParseError& e) {
    return report(usage_error(program, e, words), 2);
  } catch (...) {
    context.finish_progress();
    throw;
  }
}

}  // namespace

int run_program(std::span<const std::string> arguments, std::ostream& out, std::ostream& err) {
  const std::string fault = "; this is a fault of intertwine, please report it with the command that you ran";
  Context context(out, err);
  const Reporter report(context, arguments);
  try {
    return run(arguments, context, report);
  } catch (const ParseError& e) {
    return report(e);
  } catch (const VerificationError& e) {
    return report(sentence(e), 4);
  } catch (const LimitError& e) {
    return report(sentence(e), 3);
  } catch (const Interrupted& e) {
    return report(e.what(), context.interrupted_status());
  } catch (const InternalError& e) {
    return report(e.what() + fault, 1);
  } catch (const Error& e) {
    return report(sentence(e), 2);
  } catch (const std::bad_alloc&) {
    return report("out of memory; lower the request or set --max-memory", 3);
  } catch (const std::exception& e) {
    return report(e.what() + fault, 1);
  }
}

}  // namespace intertwine::app
