// The program: parses, calls the library, prints. Exit status 0 done, 1 internal fault, 2 wrong input, 3 a
// stated limit, 4 a verification failed, 130 interrupted.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <new>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/version.hpp"
#include "symmetric.hpp"

namespace {

using namespace intertwine;

constexpr app::AddCommand commands[] = {
    app::add_group,      app::add_basis,        app::add_tie,       app::add_verify, app::add_lr,
    app::add_skew,       app::add_plethysm,     app::add_kronecker, app::add_cauchy, app::add_coordinate_ring,
    app::add_straighten, app::add_determinantal};

int report(const std::string& message, int status) {
  std::cerr << "intertwine: error: " << message << '\n';
  return status;
}

/// The message, then the text with a caret under the trouble.
int report(const ParseError& e) {
  std::string shown = e.text();
  std::size_t at = std::min(e.position(), shown.size());
  constexpr std::size_t width = 76;
  if (shown.size() > width) {  // a window around the caret
    const std::size_t from = at > width / 2 ? at - width / 2 : 0;
    shown = (from > 0 ? "..." : "") + shown.substr(from, width);
    at = at - from + (from > 0 ? 3 : 0);
  }
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 32; }, ' ');
  report(e.what(), 2);
  std::cerr << "  " << shown << "\n  " << std::string(at, ' ') << "^\n";
  return 2;
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

/// CLI11's complaint, with the nearest command where the first word is none.
std::string usage_error(const CLI::App& program, const CLI::ParseError& e, int argc, char** argv) {
  std::string word;
  for (int i = 1; i < argc && word.empty(); ++i)
    if (argv[i][0] != '-') word = argv[i];
  std::string nearest;
  std::size_t best = 3;
  bool known = false;
  for (const CLI::App* command : program.get_subcommands(nullptr)) {
    const std::size_t distance = edit_distance(word, command->get_name());
    known = known || distance == 0;
    if (distance < best) {
      best = distance;
      nearest = command->get_name();
    }
  }
  if (word.empty()) return "no command; run intertwine --help";
  if (!known)
    return fmt::format("there is no command {}{}; run intertwine --help", word,
                       nearest.empty() ? "" : " (did you mean " + nearest + "?)");
  return fmt::format("{}; run intertwine {} --help", e.what(), word);
}

int run(int argc, char** argv) {
  app::Context context;
  CLI::App program{
      "Exact equivariant bases, weight-tying tables and representation theory of finite groups."};
  program.name("intertwine");
  program.set_version_flag("--version", INTERTWINE_VERSION);
  program.require_subcommand(1);
  program.fallthrough();
  program.footer(
      "Examples:\n  intertwine basis S4 --in perm^2 --out perm^2\n  intertwine tie 'p4m(8,8)' --in 16*perm "
      "--out 32*perm --output layer.safetensors --output layer.svg\n"
      "  intertwine verify layer.safetensors\nExit status: 0 done, 1 internal fault, 2 wrong input, 3 a "
      "limit was reached, 4 a verification failed.");
  program.add_flag("--json", context.json, "print one JSON document to stdout");
  program
      .add_option("--output,-o", context.outputs,
                  "also write a file (the format follows the extension); may be repeated")
      ->allow_extra_args(false);
  program.add_option("--threads", context.threads, "upper bound on threads (this version uses one)")
      ->check(CLI::PositiveNumber);
  auto* seed = program.add_option("--seed", context.seed,
                                  "seed of randomized algorithms; answers do not depend on it");
  program.add_flag("--quiet,-q", context.quiet, "nothing on stderr but errors");
  program.add_option("--progress", context.progress, "progress bar: auto, always or never");
  program.add_option("--max-memory", context.max_memory,
                     "memory the work may use, for example 800M or 4GiB (default: 3/4 of the machine's)");
  program.add_option("--time-limit", context.time_limit, "seconds after which the work stops")
      ->check(CLI::NonNegativeNumber);
  program.parse_complete_callback([&] {
    context.seed_given = seed->count() > 0;
    context.start();
  });
  for (const auto add : commands) add(program, context);
  try {
    program.parse(argc, argv);
    context.finish_progress();
    std::cout.flush();
    if (!std::cout) return report("the answer could not be written to stdout", 2);
    return 0;
  } catch (const CLI::Success& e) {  // --help, --version
    return program.exit(e);
  } catch (const CLI::ParseError& e) {
    return report(usage_error(program, e, argc, argv), 2);
  } catch (...) {
    context.finish_progress();
    throw;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const ParseError& e) {
    return report(e);
  } catch (const VerificationError& e) {
    return report(e.what(), 4);
  } catch (const LimitError& e) {
    return report(e.what(), 3);
  } catch (const Interrupted& e) {
    return report(e.what(), 130);
  } catch (const InternalError& e) {
    return report(std::string(e.what()) +
                      "; this is a fault of intertwine, please report it with the command that you ran",
                  1);
  } catch (const Error& e) {
    return report(e.what(), 2);
  } catch (const std::bad_alloc&) {
    return report("out of memory; lower the request or set --max-memory", 3);
  } catch (const std::exception& e) {
    return report(std::string(e.what()) +
                      "; this is a fault of intertwine, please report it with the command that you ran",
                  1);
  }
}
