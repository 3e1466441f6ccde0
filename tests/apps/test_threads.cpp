// The same bytes for every number of threads: answers and files.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "program.hpp"

using namespace test_apps;

namespace {

/// What a command prints and writes.
std::vector<std::string> outcome(std::vector<std::string> words, const std::string& threads) {
  const Folder folder;
  words.insert(words.end(), {"--threads", threads});
  const Run r = run(words, folder.path());
  CAPTURE(words, r.err);
  REQUIRE(r.status == 0);
  std::vector<std::string> result{r.out};
  for (const std::string& name : folder.names()) result.push_back(contents(folder.path() / name));
  return result;
}

void require_same_bytes(const std::vector<std::vector<std::string>>& commands) {
  for (const auto& words : commands) {
    const auto one = outcome(words, "1");
    for (const char* threads : {"2", "3", "8"}) REQUIRE(outcome(words, threads) == one);
  }
}

}  // namespace

TEST_CASE("answers are the same bytes for every number of threads", "[apps][quick]") {
  require_same_bytes({
      {"chartable", "S6", "--json"},
      {"chartable", "C60", "--json"},
      {"chartable", "M11", "--method", "class-matrices", "--json"},
      {"irreps", "A5", "--json"},
      {"irreps", "SL(2,3)", "--json"},
      {"basis", "S4", "--in", "perm^2", "--out", "perm^2", "--elements", "--json"},
      {"basis", "C5", "--in", "std*irrep(2)", "--out", "std", "--elements", "--json"},
      {"tie", "p4m(6,6)", "-o", "t.safetensors", "--json"},
      {"tie", "B3", "--in", "perm^2", "--out", "perm*sign", "-o", "t.safetensors", "-o", "t.json", "--json"},
      {"tie", "pixels(D4,10,10)", "--no-closure", "-o", "t.npz", "--json"},
      {"lr", "[4,3,2,1]", "[4,3,2,1]", "--json"},
      {"plethysm", "[2,1]", "[3,1]", "--json"},
      {"decompose", "S4", "--rep", "perm^2", "--basis", "--json"},
  });
}

TEST_CASE("larger answers are the same bytes for every number of threads", "[apps][slow][.]") {
  require_same_bytes({
      {"chartable", "S20", "--json"},
      {"chartable", "W(E8)", "--json"},
      {"chartable", "M24", "--json"},
      {"chartable", "C5 wr C5", "--json"},
      {"chartable", "C500", "--json"},
      {"irreps", "M11", "--json"},
      {"irreps", "W(F4)", "--json"},
      {"basis", "M24", "--in", "perm^2", "--out", "perm^2", "--json"},
      {"basis", "S7", "--in", "std^2", "--out", "std^2", "--elements", "--json"},
      {"tie", "p4m(24,24)", "-o", "t.safetensors", "--json"},
      {"tie", "S40", "--in", "perm^2", "--out", "perm^2", "-o", "t.safetensors", "--json"},
      {"lr", "[6,5,4,3,2,1]", "[6,5,4,3,2,1]", "--json"},
  });
}
