// The groups that measured operations form.
#include "physics/operation_groups.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "intertwine/physics/space.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

using Element = std::pair<std::vector<std::uint32_t>, int>;

Element times(const Element& a, const Element& b) {
  Element c{std::vector<std::uint32_t>(a.first.size()), a.second * b.second};
  for (std::size_t i = 0; i < c.first.size(); ++i) c.first[i] = a.first[b.first[i]];
  return c;
}

/// All permutations of the points that keep their kinds, with both signs, that deviate by at most so much.
std::set<Element> all_operations(const PointSet& set, const std::vector<std::uint32_t>& kinds, double within) {
  std::vector<std::uint32_t> images(kinds.size());
  std::iota(images.begin(), images.end(), 0U);
  std::set<Element> found;
  do {
    bool keeps = true;
    for (std::size_t i = 0; i < kinds.size(); ++i) keeps = keeps && kinds[images[i]] == kinds[i];
    if (!keeps) continue;
    for (const int determinant : {1, -1})
      if (set.fitted(images, determinant).deviation <= within) found.emplace(images, determinant);
  } while (std::next_permutation(images.begin(), images.end()));
  return found;
}

/// The order of the largest group in a set of elements: those of rotations need two generators, and others one more.
std::size_t largest_order(const std::set<Element>& elements, const Element& identity) {
  const std::vector<Element> list(elements.begin(), elements.end());
  const auto order = [&](const std::vector<Element>& generators) -> std::size_t {
    std::set<Element> group{identity};
    std::vector<Element> queue{identity};
    for (std::size_t k = 0; k < queue.size(); ++k)
      for (const Element& g : generators) {
        Element p = times(g, queue[k]);
        if (!elements.contains(p)) return 1;
        if (group.insert(p).second) queue.push_back(std::move(p));
      }
    return group.size();
  };
  std::size_t best = 1;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = i; j < list.size(); ++j) {
      const std::size_t two = order({list[i], list[j]});
      best = std::max(best, two);
      if (two == 1) continue;
      for (std::size_t k = j + 1; k < list.size(); ++k) best = std::max(best, order({list[i], list[j], list[k]}));
    }
  return best;
}

}  // namespace

TEST_CASE("the largest group within a distance is that of a search of all subsets", "[physics][quick]") {
  Rng rng = test_rng();
  const auto uniform = [&] { return static_cast<double>(rng.below(2'000'001)) / 1e6 - 1; };
  std::size_t partial = 0;
  for (int trial = 0; trial < 150 * test_multiplier(); ++trial) {
    // Corners of a polyhedron off their places, by as much as matters.
    std::vector<Vector3> points;
    switch (trial % 4) {
      case 0:
        points = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
        break;
      case 1:
        points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}};
        break;
      case 2:
        points = {{1, 0, 0.3}, {-0.5, 0.866, 0.3}, {-0.5, -0.866, 0.3}, {0, 0, -0.9}, {0, 0, 0.4}};
        break;
      default:
        points = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
        break;
    }
    for (Vector3& p : points)
      for (double& x : p) x += 0.08 * uniform();
    std::vector<std::uint32_t> kinds(points.size(), 0);
    if (trial % 3 == 0) kinds.back() = 1;
    Vector3 centre{0, 0, 0};
    for (const Vector3& p : points)
      for (std::size_t k = 0; k < 3; ++k) centre[k] += p[k] / static_cast<double>(points.size());
    for (Vector3& p : points)
      for (std::size_t k = 0; k < 3; ++k) p[k] -= centre[k];
    const PointSet set(points, kinds, 0.05, 4, {});
    REQUIRE(set.widest() == Approx(0.2));
    Element identity{std::vector<std::uint32_t>(points.size()), 1};
    std::iota(identity.first.begin(), identity.first.end(), 0U);
    OperationGroups groups(set, set.widest(), {});
    const auto rungs = groups.ladder(0.001);
    CAPTURE(trial, rungs.size());
    double before = 1;
    for (const OperationGroup& rung : rungs) {
      CHECK(rung.deviation < before);
      before = rung.deviation;
      CHECK(rung.operations.front().images == identity.first);
      for (const PointOperation& g : rung.operations) CHECK(g.deviation <= rung.deviation);
    }
    CHECK(rungs.back().deviation <= 0.001);
    // At the widest distance, four times the tolerance, two points may be off by more than pairs are looked for.
    for (const double within : {0.04, 0.08, 0.12, 0.16}) {
      const std::set<Element> allowed = all_operations(set, kinds, within);
      const OperationGroup found = groups.largest(within);
      CAPTURE(within, allowed.size());
      CHECK(found.operations.size() == largest_order(allowed, identity));
      partial += found.operations.size() != allowed.size() ? 1 : 0;
      // The first rung within a distance is the largest group there is.
      const auto rung = std::ranges::find_if(rungs, [&](const auto& r) { return r.deviation <= within; });
      REQUIRE(rung != rungs.end());
      CHECK(rung->operations.size() == found.operations.size());
    }
  }
  CHECK(partial > 20);  // the operations were often no group together
}
