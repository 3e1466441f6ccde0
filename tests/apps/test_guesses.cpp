// What people type from memory of other tools does what they meant, or is told what to type: tests/apps/guesses.txt.
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "apps/program.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/physics/crystal.hpp"
#include "support/paths.hpp"

using namespace test_apps;
using intertwine::has_space_group_search;

namespace {

const std::filesystem::path project = project_folder();

struct Guess {
  std::string line;
  int status;
  std::string says;
};

std::vector<Guess> guesses() {
  std::istringstream lines(contents(project / "tests/apps/guesses.txt"));
  std::vector<Guess> result;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("  ")) {
      REQUIRE_FALSE(result.empty());
      result.back().status = line[2] - '0';
      result.back().says = line.substr(4);
    } else {
      result.push_back({line, -1, {}});
    }
  }
  return result;
}

/// The files that guesses name.
void fill(const Folder& folder) {
  REQUIRE(run({"tie", "S4", "-o", "layer.safetensors", "-q"}, folder.path()).status == 0);
  intertwine::write_npy(folder.file("x.npy"), {{2, 4}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}});
  intertwine::write_npy(folder.file("w.npy"), {{4, 4}, std::vector<double>(16, 0.5)});
  write(folder.path() / "a.json", "[[1, 2], [3, 4]]");
  write(folder.path() / "s3.json", R"x({"degree": 3, "generators": ["(1,2,3)", "(1,2)"]})x");
  std::filesystem::copy(project / "examples/graphs/petersen.g6", folder.path() / "petersen.g6");
  std::filesystem::copy(project / "examples/molecules/water.xyz", folder.path() / "water.xyz");
  std::filesystem::copy(project / "examples/crystals/rutile.cif", folder.path() / "rutile.cif");
  for (const char* file : {"mixed_perovskite.cif", "zinc_blende.cell"})
    std::filesystem::copy(project / "examples/crystals" / file, folder.path() / file);
  std::filesystem::copy(project / "examples/crystals/MnF2.mcif", folder.path() / "MnF2.mcif");
  std::filesystem::copy(project / "examples/sdp/petersen.dat-s", folder.path() / "petersen.dat-s");
}

/// Is it one sentence, perhaps with the text and a caret below?
bool is_one_error(const std::string& text) {
  const std::string begin = "intertwine: error: ";
  const std::size_t end = text.find('\n');
  if (end == std::string::npos || !text.starts_with(begin)) return text.starts_with("{\n");  // --json
  const auto lines = std::count(text.begin(), text.end(), '\n');
  return lines == 1 || (lines == 3 && text.ends_with("^\n"));
}

}  // namespace

TEST_CASE("guesses do what was meant or are told what to type", "[apps][quick]") {
  const Folder folder;
  fill(folder);
  std::size_t done = 0, named = 0;
  for (const Guess& guess : guesses()) {
    const auto has = [&](const char* word) { return guess.line.find(word) != std::string::npos; };
    if (guess.status == 0 && !has_space_group_search() && (has(".cif") || has(".cell") || has("P_2c4") || has("og:")))
      continue;
    const Run r = run_line(guess.line, folder.path());
    CAPTURE(guess.line, r.status, r.out.substr(0, 2000));
    CHECK(r.status == guess.status);
    CHECK(r.out.find(guess.says) != std::string::npos);
    if (guess.status != 0) CHECK(is_one_error(r.out));
    (guess.status == 0 ? done : named) += 1;
  }
  REQUIRE(done + named >= 300);
  REQUIRE(done >= 190);
}
