// The reference groups (tests/data/groups.json) with what GAP says of them (tests/data/group_structure.json).
#pragma once
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "support/paths.hpp"

struct ReferenceGroup {
  intertwine::FiniteGroup group;
  nlohmann::json facts;

  intertwine::Integer order() const { return integer("order"); }
  intertwine::Integer integer(const char* key) const { return intertwine::Integer(facts.at(key).get<std::string>()); }
};

inline const std::vector<ReferenceGroup>& reference_groups() {
  static const std::vector<ReferenceGroup> all = [] {
    const std::string folder = test_data() + "/";
    const auto groups = nlohmann::json::parse(std::ifstream(folder + "groups.json"));
    const auto structure = nlohmann::json::parse(std::ifstream(folder + "group_structure.json")).at("groups");
    std::vector<ReferenceGroup> result;
    for (std::size_t k = 0; k < groups.size(); ++k) {
      const auto degree = groups[k].at("degree").get<std::size_t>();
      std::vector<intertwine::Permutation> generators;
      for (const auto& text : groups[k].at("generators"))
        generators.push_back(intertwine::parse_permutation(text.get<std::string>(), degree));
      const auto name = groups[k].at("name").get<std::string>();
      if (structure.at(k).at("name") != name) throw std::runtime_error("the reference files disagree at " + name);
      result.push_back({intertwine::FiniteGroup(degree, std::move(generators), name), structure[k]});
    }
    return result;
  }();
  return all;
}

inline const ReferenceGroup& reference_group(const std::string& name) {
  for (const ReferenceGroup& reference : reference_groups())
    if (reference.group.name() == name) return reference;
  throw std::runtime_error("no reference group is called " + name);
}

/// Small constructions by hand, so that these tests depend on nothing but permutations.
namespace make {

inline intertwine::Permutation cycle(std::size_t degree, const std::vector<intertwine::Point>& points) {
  std::vector<intertwine::Point> images(degree);
  for (std::size_t i = 0; i < degree; ++i) images[i] = static_cast<intertwine::Point>(i);
  for (std::size_t i = 0; i < points.size(); ++i) images[points[i]] = points[(i + 1) % points.size()];
  return intertwine::Permutation(std::move(images));
}

inline std::vector<intertwine::Point> range(std::size_t from, std::size_t to) {
  std::vector<intertwine::Point> points;
  for (; from < to; ++from) points.push_back(static_cast<intertwine::Point>(from));
  return points;
}

inline intertwine::FiniteGroup symmetric(std::size_t n) {
  std::vector<intertwine::Permutation> generators;
  if (n > 1) generators = {cycle(n, range(0, n)), cycle(n, {0, 1})};
  return intertwine::FiniteGroup(n, generators, "S" + std::to_string(n));
}

inline intertwine::FiniteGroup alternating(std::size_t n) {
  std::vector<intertwine::Permutation> generators;
  for (intertwine::Point k = 2; k < n; ++k) generators.push_back(cycle(n, {0, 1, k}));
  return intertwine::FiniteGroup(n, generators, "A" + std::to_string(n));
}

/// G wr H on copies of G's points, point i of copy b being b * degree(G) + i.
inline intertwine::FiniteGroup wreath(const intertwine::FiniteGroup& G, const intertwine::FiniteGroup& H) {
  const std::size_t m = G.degree(), k = H.degree(), n = m * k;
  std::vector<intertwine::Permutation> generators;
  for (const auto& g : G.generators())
    for (std::size_t copy = 0; copy < k; ++copy) {
      std::vector<intertwine::Point> images = range(0, n);
      for (std::size_t i = 0; i < m; ++i)
        images[copy * m + i] = static_cast<intertwine::Point>(copy * m + g(static_cast<intertwine::Point>(i)));
      generators.emplace_back(std::move(images));
    }
  for (const auto& h : H.generators()) {
    std::vector<intertwine::Point> images(n);
    for (std::size_t x = 0; x < n; ++x)
      images[x] = static_cast<intertwine::Point>(h(static_cast<intertwine::Point>(x / m)) * m + x % m);
    generators.emplace_back(std::move(images));
  }
  return intertwine::FiniteGroup(n, generators, G.name() + " wr " + H.name());
}

}  // namespace make
