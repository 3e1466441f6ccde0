#include "run_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <ostream>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/edit_distance.hpp"
#include "intertwine/version.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

constexpr AddCommand commands[] = {
    add_group,         add_classes,       add_chartable, add_decompose, add_molien,          add_basis,
    add_tie,           add_symmetrize,    add_verify,    add_run,       add_bench_layer,     add_lr,
    add_skew,          add_plethysm,      add_kronecker, add_cauchy,    add_coordinate_ring, add_straighten,
    add_determinantal, add_schur_functor, add_irreps,    add_branch,    add_expand,          add_polynomials,
    add_kernels};

int report(std::ostream& err, const std::string& message, int status) {
  err << "intertwine: error: " << message << '\n';
  return status;
}

bool continues_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The message, then the text with a caret under the trouble.
int report(std::ostream& err, const ParseError& e) {
  constexpr std::size_t width = 76;
  const std::string& text = e.text();
  const std::size_t at = std::min(e.position(), text.size());
  std::size_t from = text.size() > width && at > width / 2 ? at - width / 2 : 0;  // a window around the caret
  while (from > 0 && continues_letter(text[from])) --from;
  std::size_t to = std::min(text.size(), from + width);
  while (to < text.size() && continues_letter(text[to])) ++to;
  std::string shown = text.substr(from, to - from);
  const std::string_view before = std::string_view(shown).substr(0, at - from);
  auto column =
      before.size() - static_cast<std::size_t>(std::count_if(before.begin(), before.end(), continues_letter));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }, ' ');
  if (from > 0) shown = "..." + shown, column += 3;
  if (to < text.size()) shown += "...";
  report(err, e.what(), 2);
  if (!text.empty()) err << "  " << shown << "\n  " << std::string(column, ' ') << "^\n";
  return 2;
}

/// The first word that is no option and no value of one.
std::string first_word(const CLI::App& program, std::span<const std::string> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word.empty() || word[0] != '-') return word;
    const CLI::Option* option = program.get_option_no_throw(word);
    if (option && option->get_expected_min() > 0) ++i;
  }
  return {};
}

/// The name that is at most two letters away, the first of the nearest; empty if none is.
std::string nearest_of(const std::vector<std::string>& names, const std::string& word) {
  std::string nearest;
  std::size_t best = 5;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance < best) best = distance, nearest = name;
  }
  return nearest;
}

std::string unknown_command(const CLI::App& program, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands(nullptr)) names.push_back(command->get_name());
  const std::string nearest = nearest_of(names, word);
  return fmt::format("there is no command '{}'{}; run intertwine --help", word,
                     nearest.empty() ? "" : "; did you mean " + nearest + "?");
}

/// "; did you mean --in?" if an option is near.
std::string nearest_option(const CLI::App& program, const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* app : {&command, &program})
    for (const CLI::Option* option : app->get_options())
      names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  const std::string nearest = nearest_of(names, word.substr(word.find_first_not_of('-')));
  return nearest.empty() ? "" : "; did you mean --" + nearest + "?";
}

/// What is wrong with the options, in our words where newcomers come by.
std::string complaint(const CLI::App& program, const CLI::App& command, const CLI::ParseError& e) {
  const std::string text = e.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&e)) {
    const auto left = program.remaining(true);
    const auto option = std::find_if(left.begin(), left.end(), [](const std::string& word) {
      return word.size() > 1 && word[0] == '-' && word.find_first_not_of('-') != std::string::npos;
    });
    if (option != left.end())
      return fmt::format("there is no option {}{}", *option, nearest_option(program, command, *option));
    if (!left.empty())
      return fmt::format("'{}' is one argument too many; put an expression with spaces in quotes",
                         left.front());
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&e)) {
    const std::string name = text.substr(0, text.find(':'));
    return text.find("At Most") != std::string::npos ? name + " is given twice" : name + " needs a value";
  }
  if (dynamic_cast<const CLI::RequiredError*>(&e)) return text.substr(0, text.find(' ')) + " is missing";
  return text;
}

std::string usage_error(const CLI::App& program, const CLI::ParseError& e,
                        std::span<const std::string> arguments) {
  const auto parsed = program.get_subcommands();
  if (!parsed.empty())
    return fmt::format("{}; run intertwine {} --help", complaint(program, *parsed.front(), e),
                       parsed.front()->get_name());
  const std::string word = first_word(program, arguments);
  if (!word.empty()) return unknown_command(program, word);
  if (dynamic_cast<const CLI::RequiredError*>(&e)) return "no command; run intertwine --help";
  return complaint(program, program, e) + "; run intertwine --help";
}

int run(std::span<const std::string> arguments, Context& context) {
  CLI::App program{
      "Exact equivariant bases, weight-tying tables and representation theory of finite groups."};
  program.name("intertwine");
  program.set_version_flag("--version", INTERTWINE_VERSION);
  program.require_subcommand(1);
  program.fallthrough();
  program.footer(
      "Examples:\n  intertwine basis S4 --in perm^2 --out perm^2\n  intertwine tie 'p4m(8,8)' --in '16*perm' "
      "--out '32*perm' --output layer.safetensors --output layer.svg\n"
      "  intertwine verify layer.safetensors\nExit status: 0 done, 1 internal fault, 2 wrong input, 3 a "
      "limit was reached,\n4 a verification failed, 130 Ctrl-C. Every command has a --help of its own.");
  program.add_flag("--json", context.json, "print one JSON document to stdout");
  program
      .add_option("--output,-o", context.outputs,
                  "also write a file, in the format of its extension; repeat it for several files")
      ->allow_extra_args(false)
      ->type_name("FILE");
  program.add_option("--threads", context.threads, "upper bound on threads (exact work uses one)")
      ->check(whole_number(1))
      ->type_name("N");
  auto* seed =
      program
          .add_option("--seed", context.seed, "seed of randomized algorithms; answers do not depend on it")
          ->check(whole_number(0))
          ->type_name("N");
  program.add_flag("--quiet,-q", context.quiet, "nothing on stderr but errors");
  program
      .add_option("--progress", context.progress,
                  "progress bar on stderr: auto (on a terminal), always or never")
      ->type_name("WHEN");
  program
      .add_option("--max-memory", context.max_memory,
                  "memory the work may use, for example 800M or 4GiB (default: 3/4 of the machine's)")
      ->type_name("SIZE");
  program
      .add_option("--time-limit", context.time_limit, "the work stops after so many seconds (0: no limit)")
      ->type_name("SECONDS");
  program.parse_complete_callback([&] {
    context.seed_given = seed->count() > 0;
    context.start();
  });
  for (const auto add : commands) add(program, context);
  const auto written = [&] {
    context.out.flush();
    return context.out ? 0 : report(context.err, "the answer could not be written to stdout", 2);
  };
  try {
    program.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    context.finish_progress();
    return written();
  } catch (const CLI::Success& e) {  // --help, --version
    program.exit(e, context.out, context.err);
    return written();
  } catch (const CLI::ParseError& e) {
    return report(context.err, usage_error(program, e, arguments), 2);
  } catch (...) {
    context.finish_progress();
    throw;
  }
}

}  // namespace

int run_program(std::span<const std::string> arguments, std::ostream& out, std::ostream& err) {
  const std::string fault = "; this is a fault of intertwine, please report it with the command that you ran";
  Context context(out, err);
  try {
    return run(arguments, context);
  } catch (const ParseError& e) {
    return report(err, e);
  } catch (const VerificationError& e) {
    return report(err, e.what(), 4);
  } catch (const LimitError& e) {
    return report(err, e.what(), 3);
  } catch (const Interrupted& e) {
    return report(err, e.what(), context.interrupted_status());
  } catch (const InternalError& e) {
    return report(err, e.what() + fault, 1);
  } catch (const Error& e) {
    return report(err, e.what(), 2);
  } catch (const std::bad_alloc&) {
    return report(err, "out of memory; lower the request or set --max-memory", 3);
  } catch (const std::exception& e) {
    return report(err, e.what() + fault, 1);
  }
}

}  // namespace intertwine::app
