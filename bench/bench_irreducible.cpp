// Complete sets of irreducible matrices from permutation generators, each verified. The counter `height` is the largest
// numerator or denominator in the images of the generators, `degree` the largest degree of a field over Q.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/matrix_representations.hpp"

using namespace intertwine;

namespace {

using Generators = std::vector<Permutation>;

/// The sum of the squares of the degrees is |G|, and the images of the generators have the traces of the table.
bool plausible(const std::vector<IrreducibleRepresentation>& list, const CharacterTable& table) {
  Integer sum = 0;
  for (const auto& R : list) {
    const Integer d = R.representation.dimension();
    sum += d * d;
    for (const Permutation& s : table.group().generators())
      if (!(R.representation.field_matrix(s).trace() == table(R.row, table.classes().index_of(s)))) return false;
  }
  return sum == table.group().order();
}

void complete_set(benchmark::State& state, std::size_t degree, const Generators& generators) {
  Integer height = 0;
  std::size_t field = 1;
  for (auto _ : state) {
    const CharacterTable table = character_table(FiniteGroup(degree, generators));
    const auto list = irreducible_representations(table);
    state.PauseTiming();
    if (!plausible(list, table)) {
      state.SkipWithError("wrong traces");
      break;
    }
    for (const auto& R : list) {
      field = std::max(field, R.representation.field().degree());
      for (const Permutation& s : generators) height = std::max(height, R.representation.field_matrix(s).height());
    }
    state.ResumeTiming();
  }
  state.counters["height"] = height.convert_to<double>();
  state.counters["degree"] = static_cast<double>(field);
}

/// The images of all adjacent transpositions.
void specht_generators(benchmark::State& state, const Partition& shape, std::uint64_t dimension) {
  const auto n = static_cast<std::size_t>(shape.weight());
  std::vector<Permutation> transpositions;
  for (Point i = 0; i + 1 < n; ++i) {
    std::vector<Point> images;
    for (Point x = 0; x < n; ++x) images.push_back(x == i ? i + 1 : x == i + 1 ? i : x);
    transpositions.emplace_back(std::move(images));
  }
  for (auto _ : state) {
    const Representation V = specht_module(FiniteGroup(n, transpositions), shape);
    for (const RationalMatrix& A : V.generator_matrices())
      if (A.rows() != dimension) state.SkipWithError("wrong dimension");
  }
}

const bool registered = [] {
  const std::set<std::string> names{"A5",
                                    "A6",
                                    "S6",
                                    "PSL(2,7)",
                                    "PSL(2,8)",
                                    "B4",
                                    "S4wrS2",
                                    "W(F4)",
                                    "SL(2,5)",
                                    "GL(2,3)",
                                    "2^(1+4)+",
                                    "2^(1+4)-",
                                    "A7",
                                    "S7",
                                    "M11",
                                    "PSL(2,11)",
                                    "PSU(3,3)",
                                    "M12",
                                    "SmallGroup(648,532)",
                                    "C5wrC5"};
  for (const auto& g : nlohmann::json::parse(std::ifstream(INTERTWINE_TEST_DATA "/groups.json"))) {
    if (!names.contains(g["name"])) continue;
    Generators generators;
    for (const auto& text : g["generators"])
      generators.push_back(parse_permutation(text.get<std::string>(), g["degree"]));
    const std::size_t degree = g["degree"];
    benchmark::RegisterBenchmark(("irreps/" + g["name"].get<std::string>()).c_str(), [=](benchmark::State& state) {
      complete_set(state, degree, generators);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("specht/[4,3,2,1]", [](benchmark::State& state) {
    specht_generators(state, Partition({4, 3, 2, 1}), 768);
  })->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
