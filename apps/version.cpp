// `version`: what was built, of what, and what it runs on.
#include <flint/flint.h>
#include <fmt/format.h>
#include <gmp.h>
#include <boost/version.hpp>

#include "help.hpp"
#include "intertwine/numeric/instruction_set.hpp"
#include "intertwine/version.hpp"

namespace intertwine::embedded {
extern const char* const commit;
}

namespace intertwine::app {

std::string version_text() {
  std::string compiler = "unknown compiler";
#if defined(__clang__)
  compiler = "Clang " __clang_version__;
#elif defined(__GNUC__)
  compiler = "GCC " __VERSION__;
#endif
  const std::string commit = embedded::commit;
  return fmt::format(
      "intertwine {}{}\n  compiler         {}\n  libraries        Boost {}.{}.{}, GMP {}, FLINT {}, fmt "
      "{}.{}.{}, nlohmann_json {}.{}.{}, CLI11 {}\n  instruction set  {}\n",
      INTERTWINE_VERSION, commit.empty() ? "" : " (commit " + commit + ")", compiler, BOOST_VERSION / 100000,
      BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100, gmp_version, FLINT_VERSION, FMT_VERSION / 10000,
      FMT_VERSION / 100 % 100, FMT_VERSION % 100, NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
      NLOHMANN_JSON_VERSION_PATCH, CLI11_VERSION, to_string(instruction_set()));
}

void add_version(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("version", "the version, its commit, its libraries and the instruction set in use");
  command->callback([&context] {
    context.require_formats("version", {Format::text});
    context.deliver([](Format, unsigned) { return version_text(); });
  });
}

}  // namespace intertwine::app
