// Every command shown in the pages of the project prints what the page says. A command stands in a block
//
//   ```console
//   $ intertwine basis S5
//   its output, stdout and stderr together, and "[exit status N]" if N is not 0
//   ```
//
// (a last line "..." leaves out the rest)
// of README.md, docs/ or examples/, or in a file of tests/apps/golden. INTERTWINE_UPDATE_GOLDEN=1 writes the
// outputs into the pages instead; what changed is then seen in the difference.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "apps/program.hpp"
#include "intertwine/physics/crystal.hpp"
#include "support/paths.hpp"

using namespace test_apps;
using intertwine::has_space_group_search;

namespace {

const std::filesystem::path project = project_folder();

std::vector<std::filesystem::path> pages() {
  std::vector<std::filesystem::path> result = {project / "README.md"};
  for (const char* folder : {"docs", "examples", "tests/apps/golden"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(project / folder))
      if (entry.path().extension() == ".md" &&
          (has_space_group_search() || entry.path().parent_path().filename() != "crystals"))
        result.push_back(entry.path());
  std::sort(result.begin(), result.end());
  return result;
}

/// Times are not compared, nor what else depends on the machine: its instruction set, its rates, and the form that is fastest
/// there.
std::string without_times(std::string text) {
  static const std::vector<std::pair<std::regex, std::string>> machine = {
      {std::regex(R"((  time  +)[0-9.]+ [^\n]+)"), "$1-"},
      {std::regex(R"(("seconds": )[0-9.e+-]+)"), "$1-"},
      {std::regex(R"((  (?:materialise|reduce \([a-z]+\)) )[^\n]+)"), "$1-"},
      {std::regex(R"((  (?:forward|backward), [a-z]+ +[0-9]+ )[^\n]+)"), "$1-"},
      {std::regex(R"([0-9.]+ (GB|GFLOP)/s)"), "- $1/s"},
      {std::regex(R"(\b(?:scalar|avx2|avx512)\b)"), "-"}};
  for (const auto& [pattern, replacement] : machine) text = std::regex_replace(text, pattern, replacement);
  return text;
}

std::string output_of(const std::string& command, const std::filesystem::path& folder) {
  const Run r = run_line(command, folder);
  return r.out + (r.status == 0 ? "" : "[exit status " + std::to_string(r.status) + "]\n");
}

struct Replay {
  std::string page;  ///< with the outputs of now
  std::size_t commands = 0;
};

/// The first lines of `output`, as many as are shown before a last line "...".
std::string abbreviated(const std::string& output, const std::vector<std::string>& shown) {
  if (shown.empty() || shown.back() != "...") return output;
  std::istringstream lines(output);
  std::string result, line;
  for (std::size_t k = 1; k < shown.size() && std::getline(lines, line); ++k) result += line + "\n";
  return result + "...\n";
}

/// Runs the commands of a page in a copy of its folder.
Replay replay(const std::filesystem::path& page) {
  const Folder work;
  for (const auto& entry : std::filesystem::directory_iterator(page.parent_path()))
    if (entry.is_regular_file() && entry.path().extension() != ".md")
      std::filesystem::copy(entry.path(), work.path() / entry.path().filename());
  Replay result;
  std::istringstream lines(contents(page));
  bool block = false;
  std::string command;
  std::vector<std::string> shown;
  const auto answer = [&] {
    if (!command.empty()) result.page += abbreviated(output_of(command, work.path()), shown);
    result.commands += command.empty() ? 0 : 1;
    command.clear();
    shown.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```") || line.starts_with("$ ")) answer();
    if (line.starts_with("```")) block = line == "```console";
    if (command.empty())
      result.page += line + "\n";
    else
      shown.push_back(line);
    if (block && line.starts_with("$ intertwine ")) command = line.substr(2);
  }
  return result;
}

}  // namespace

TEST_CASE("the pages show what the program prints", "[apps][quick]") {
  ::unsetenv("COLUMNS");  // pages are as wide as they are where there is no terminal
  const bool update = std::getenv("INTERTWINE_UPDATE_GOLDEN") != nullptr;
  std::size_t commands = 0;
  for (const auto& page : pages()) {
    CAPTURE(page);
    const std::string stated = contents(page);
    const Replay now = replay(page);
    commands += now.commands;
    const bool same = without_times(now.page) == without_times(stated);
    if (update && !same) write(page, now.page);
    if (!update) CHECK(without_times(now.page) == without_times(stated));
  }
  REQUIRE(commands >= 12);
}

TEST_CASE("every example has a page with a command", "[apps][quick]") {
  std::size_t examples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(project / "examples")) {
    if (!entry.is_directory()) continue;
    CAPTURE(entry.path());
    REQUIRE(contents(entry.path() / "README.md").find("\n$ intertwine ") != std::string::npos);
    ++examples;
  }
  REQUIRE(examples >= 8);
}

TEST_CASE("times are all that golden runs leave out", "[apps][quick]") {
  REQUIRE(without_times("  time         1.3 ms\n") == without_times("  time         20 µs\n"));
  REQUIRE(without_times("\"seconds\": 1.5e-05,\n") == without_times("\"seconds\": 2,\n"));
  REQUIRE(without_times("  forward, fft                4     2.2 µs      53 ns  product  <- picked\n") ==
          without_times("  forward, fft                4      17 ns     5.1 ns  copy\n"));
  REQUIRE(without_times("  forward, fft                4     2.2 µs\n") !=
          without_times("  forward, dense              4     2.2 µs\n"));
  REQUIRE(without_times("  backward, dense             4     2.2 µs\n") !=
          without_times("  backward, dense             8     2.2 µs\n"));
  REQUIRE(without_times("  dimension    2 weights\n") != without_times("  dimension    3 weights\n"));
}
