// Proved orders of permutation groups from generators. scripts/bench sets GAP's Size beside them.
#include <benchmark/benchmark.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

using namespace intertwine;

namespace {

void prove_order(benchmark::State& state, std::size_t degree, const std::vector<Permutation>& generators,
                 const Integer& order) {
  for (auto _ : state) {
    const StabilizerChain chain(degree, generators);
    if (chain.order() != order) {
      state.SkipWithError("wrong order");
      break;
    }
  }
}

void add(const std::string& name, std::size_t degree, std::vector<Permutation> generators, const Integer& order) {
  benchmark::RegisterBenchmark(("order/" + name).c_str(), [=](benchmark::State& state) {
    prove_order(state, degree, generators, order);
  })->Unit(benchmark::kMicrosecond);
}

std::vector<Permutation> random_generators(std::size_t degree, bool even, Rng& rng) {
  std::vector<Permutation> result;
  while (result.size() < 2) {
    Permutation g = random_permutation(degree, rng);
    if (!even || g.is_even()) result.push_back(std::move(g));
  }
  // Two random permutations generate A_n or S_n except with probability about 1/n [Dixon 1969]; the bench checks.
  if (!even && result[0].is_even() && result[1].is_even()) return random_generators(degree, even, rng);
  return result;
}

const bool registered = [] {
  const auto groups = nlohmann::json::parse(std::ifstream(INTERTWINE_TEST_DATA "/groups.json"));
  const auto structure = nlohmann::json::parse(std::ifstream(INTERTWINE_TEST_DATA "/group_structure.json"));
  const auto& facts = structure.contains("groups") ? structure["groups"] : structure;
  std::map<std::string, std::string> orders;
  for (const auto& fact : facts)
    orders[fact["name"]] = fact["order"].is_string() ? fact["order"].get<std::string>() : fact["order"].dump();
  for (const std::string name : {"M24", "HS", "McL", "Co3", "W(E8)", "Rubik3x3x3", "J1", "PSU(3,5)", "S5wrS4"})
    for (const auto& g : groups) {
      if (g["name"] != name) continue;
      std::vector<Permutation> generators;
      for (const auto& text : g["generators"])
        generators.push_back(parse_permutation(text.get<std::string>(), g["degree"]));
      add(name, g["degree"], std::move(generators), Integer(orders.at(name)));
    }
  const FiniteGroup S100 = symmetric_group(100);
  add("S100", 100, S100.generators(), factorial(100));
  const FiniteGroup W = wreath_product(symmetric_group(20), symmetric_group(5));
  add("S20wrS5", 100, W.generators(), pow(factorial(20), 5) * factorial(5));
  Rng rng(7);
  add("S1000", 1000, random_generators(1000, false, rng), factorial(1000));
  add("A1000", 1000, random_generators(1000, true, rng), factorial(1000) / 2);
  return true;
}();

}  // namespace
