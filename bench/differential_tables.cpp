// Tables of groups read from stdin, one "name<TAB>group expression" a line, as GAP input with the CPU times they took, of
// groups up to the order given, within the seconds given: scripts/compare-gap asks GAP for the same. Every table is made three times: from the expression, from its generators
// alone, and from random generators on renumbered points; the three must be equal.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <numeric>
#include <string>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/random.hpp"
#include "intertwine/task.hpp"

using namespace intertwine;

namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// CPU seconds of one call, the mean over as many as take 20 ms.
template <typename Work>
double seconds_of(Work work) {
  const double start = cpu_seconds();
  unsigned runs = 0;
  double spent = 0;
  while (spent < 0.02) work(), ++runs, spent = cpu_seconds() - start;
  return spent / runs;
}

template <typename List, typename Text>
std::string list_of(const List& list, Text text) {
  std::string result = "[";
  for (const auto& item : list) result += (result.size() > 1 ? "," : "") + std::string(text(item));
  return result + "]";
}

std::vector<std::size_t> numbers_below(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// Random elements that generate G, with its points renumbered.
FiniteGroup disguised(const FiniteGroup& G, Rng& rng) {
  std::vector<Point> images(G.degree());
  std::iota(images.begin(), images.end(), Point{0});
  for (std::size_t i = images.size(); i > 1; --i) std::swap(images[i - 1], images[rng.below(i)]);
  const Permutation renumber{std::move(images)};
  std::vector<Permutation> generators;
  do {
    const Permutation g = G.random_element(rng);
    generators.push_back(renumber * g * renumber.inverse());
  } while (FiniteGroup(G.degree(), generators).order() != G.order());
  return {G.degree(), std::move(generators)};
}

bool same(const CharacterTable& a, const CharacterTable& b) {
  if (a.size() != b.size() || a.power_maps() != b.power_maps()) return false;
  for (std::size_t c = 0; c < a.size(); ++c)
    if (a.classes()[c].size != b.classes()[c].size || a.classes()[c].element_order != b.classes()[c].element_order)
      return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a.row(i) != b.row(i) || a.indicator(i) != b.indicator(i)) return false;
  return true;
}

std::string answer(const std::string& name, const std::string& expression, const Integer& largest, double limit) {
  const Task task(0, limit, {});
  const FiniteGroup G = parse_finite_group(expression);
  if (G.order() > largest) return fmt::format("# {}: order {}\n", name, G.order().str());
  const std::vector<Permutation> generators = G.generators();
  const auto plain = [&] { return FiniteGroup(G.degree(), generators); };
  const CharacterTable table = character_table(plain(), task);
  Rng rng;
  const bool stable = same(table, character_table(G, task)) && same(table, character_table(disguised(G, rng), task));
  const double classes = seconds_of([&] { conjugacy_classes(plain(), task); });
  const double whole = seconds_of([&] { character_table(plain(), task); });
  const auto permutation = [](const Permutation& g) { return g.to_string(); };
  const auto all = numbers_below(table.size());
  std::string maps = "[";
  for (const auto& [p, map] : table.power_maps())
    maps += fmt::format("{}[{},{}]", maps.size() > 1 ? "," : "", p,
                        list_of(map, [](std::uint32_t c) { return std::to_string(c + 1); }));
  const auto with = [&](auto text) { return list_of(all, text); };
  return fmt::format("Check(\"{}\",{},{},{:.9f},{:.9f},{},\n{},\n{},{},{}],{},\n{});\n", name, G.order().str(),
                     stable ? "true" : "false", classes, whole, list_of(generators, permutation),
                     with([&](std::size_t c) { return table.classes()[c].representative.to_string(); }),
                     with([&](std::size_t c) { return table.classes()[c].size.str(); }),
                     with([&](std::size_t c) { return std::to_string(table.classes()[c].element_order); }), maps,
                     with([&](std::size_t i) { return std::to_string(table.indicator(i)); }),
                     to_system(Format::gap, record(table)));
}

}  // namespace

int main(int argc, char** argv) {
  const Integer largest(argc > 1 ? argv[1] : "2000000");
  const double limit = argc > 2 ? std::stod(argv[2]) : 0;
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t tab = line.find('\t');
    try {
      std::cout << answer(line.substr(0, tab), line.substr(tab + 1), largest, limit) << std::flush;
    } catch (const Error& e) {
      std::cout << "# " << line.substr(0, tab) << ": " << e.what() << std::endl;
    }
  }
}
