// Conjugacy classes and character tables from permutation generators. scripts/bench sets GAP beside them.
#include <benchmark/benchmark.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/groups/named_groups.hpp"

using namespace intertwine;

namespace {

using Generators = std::vector<Permutation>;

/// A fresh group every time, so that its order is proved anew.
void classes(benchmark::State& state, std::size_t degree, const Generators& generators, std::size_t count) {
  for (auto _ : state)
    if (conjugacy_classes(FiniteGroup(degree, generators)).size() != count) {
      state.SkipWithError("wrong number of classes");
      break;
    }
}

void table(benchmark::State& state, std::size_t degree, const Generators& generators, std::size_t count) {
  for (auto _ : state)
    if (character_table(FiniteGroup(degree, generators)).size() != count) {
      state.SkipWithError("wrong number of characters");
      break;
    }
}

void add(const std::string& name, std::size_t degree, const Generators& generators, std::size_t count) {
  benchmark::RegisterBenchmark(("classes/" + name).c_str(), [=](benchmark::State& state) {
    classes(state, degree, generators, count);
  })->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark(("table/" + name).c_str(), [=](benchmark::State& state) {
    table(state, degree, generators, count);
  })->Unit(benchmark::kMicrosecond);
}

const bool registered = [] {
  // Numbers of classes from the ATLAS of Finite Groups and GAP; for wreath products and W(D_n) see class_formula.
  std::map<std::string, std::size_t> counts{{"D4", 5},
                                            {"Q8", 5},
                                            {"A4", 4},
                                            {"SL(2,3)", 7},
                                            {"SmallGroup(32,6)", 11},
                                            {"S5", 7},
                                            {"M11", 10},
                                            {"M24", 26},
                                            {"J1", 15},
                                            {"J2", 21},
                                            {"M23", 17},
                                            {"PSL(3,5)", 30},
                                            {"HS", 24},
                                            {"PSL(5,2)", 27},
                                            {"W(E7)", 60},
                                            {"W(E8)", 112},
                                            {"McL", 24},
                                            {"Co3", 42},
                                            {"C5wrC5", 649},
                                            {"Rubik2x2x2", 270},
                                            {"S5wrS4", 490},
                                            {"Syl3(S27)", 1683},
                                            {"B8", 185},
                                            {"W(D6)", 37},
                                            {"C4wrS4", 105},
                                            {"D200", 103},
                                            {"C60", 60},
                                            {"3^(1+4)+", 83},
                                            {"SmallGroup(625,12)", 145},
                                            {"SmallGroup(256,5000)", 112},
                                            {"Syl2(S16)", 230}};
  // All groups whose tables tests/data/character_tables holds: scripts/bench takes a mean over them.
  for (const auto& table : nlohmann::json::parse(std::ifstream(INTERTWINE_TEST_DATA "/character_tables/index.json")))
    counts.emplace(table["name"], table["classes"]);
  const auto groups = nlohmann::json::parse(std::ifstream(INTERTWINE_TEST_DATA "/groups.json"));
  for (const auto& g : groups) {
    const auto at = counts.find(g["name"]);
    if (at == counts.end()) continue;
    Generators generators;
    for (const auto& text : g["generators"])
      generators.push_back(parse_permutation(text.get<std::string>(), g["degree"]));
    add(at->first, g["degree"], generators, at->second);
  }
  add("S20", 20, symmetric_group(20).generators(), 627);
  add("S25", 25, symmetric_group(25).generators(), 1958);
  return true;
}();

}  // namespace
