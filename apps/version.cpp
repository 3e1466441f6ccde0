// `version`: what was built, of what, and what it runs on.
#include <flint/flint.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmp.h>
#include <boost/version.hpp>

#include <string>
#include <utility>
#include <vector>

#include "help.hpp"
#include "intertwine/numeric/instruction_set.hpp"
#include "intertwine/version.hpp"

namespace intertwine::embedded {
extern const char* const commit;
}

namespace intertwine::app {

namespace {

std::string compiler() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#elif defined(__GNUC__)
  return "GCC " __VERSION__;
#else
  return "unknown compiler";
#endif
}

/// Names and versions.
std::vector<std::pair<std::string, std::string>> libraries() {
  const auto dotted = [](auto... numbers) { return fmt::format("{}", fmt::join({numbers...}, ".")); };
  return {
      {"Boost", dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"GMP", gmp_version},
      {"FLINT", FLINT_VERSION},
      {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"nlohmann_json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
      {"CLI11", CLI11_VERSION}};
}

Document version_document() {
  Json versions = Json::object();
  for (const auto& [name, number] : libraries()) versions[name] = number;
  return Document("version")
      .add("commit", embedded::commit)
      .add("compiler", compiler())
      .add("libraries", versions)
      .add("instruction_set", to_string(instruction_set()));
}

}  // namespace

std::string version_text() {
  const std::string commit = embedded::commit;
  std::string all;
  for (const auto& [name, number] : libraries()) all += (all.empty() ? "" : ", ") + name + ' ' + number;
  return fmt::format("intertwine {}{}\n  compiler         {}\n  libraries        {}\n  instruction set  {}\n",
                     INTERTWINE_VERSION, commit.empty() ? "" : " (commit " + commit + ")", compiler(), all,
                     to_string(instruction_set()));
}

void add_version(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("version", "the version, its commit, its libraries and the instruction set in use");
  command->callback([&context] {
    context.require_formats("version", {Format::text, Format::json});
    context.deliver([](Format format, unsigned) -> Answer {
      if (format == Format::json) return version_document();
      return version_text();
    });
  });
}

}  // namespace intertwine::app
