// Groups of grids and pictures, against counts by hand, neighbours, and space groups by Hall's symbols.
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/space_groups.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "intertwine/error.hpp"
#include "intertwine/groups/orbits.hpp"

using namespace intertwine;

TEST_CASE("the orders of grid groups, of pictures and of families by formula are those of their generators",
          "[groups][quick]") {
  const auto by_generators = [](const FiniteGroup& G) { return FiniteGroup(G.degree(), G.generators()).order(); };
  for (const char* kind : {"p1", "p2", "pm", "pg", "cm", "pmm", "pmg", "pgg", "cmm", "p4", "p4m", "p4g", "p3", "p3m1",
                           "p31m", "p6", "p6m"})
    for (const auto& [h, w] : std::vector<std::pair<std::size_t, std::size_t>>{
             {1, 1}, {2, 2}, {2, 4}, {3, 3}, {4, 4}, {6, 6}, {4, 6}, {6, 4}, {3, 5}, {12, 12}}) {
      INFO(kind << " " << h << " " << w);
      std::optional<FiniteGroup> G;
      try {
        G = grid_group(kind, h, w);
      } catch (const DomainError&) {
        continue;  // not square, or odd
      }
      CHECK(G->order() == by_generators(*G));
    }
  for (const char* kind : {"C1", "C2", "C4", "D1", "D2", "D4"})
    for (const auto& [h, w] :
         std::vector<std::pair<std::size_t, std::size_t>>{{1, 1}, {2, 2}, {3, 3}, {1, 2}, {2, 1}, {2, 3}, {4, 3}}) {
      if (h != w && kind[1] == '4') continue;
      INFO(kind << " " << h << " " << w);
      const FiniteGroup G = pixel_group(kind, h, w);
      CHECK(G.order() == by_generators(G));
    }
  for (std::size_t n = 1; n <= 6; ++n)
    for (const FiniteGroup& G : {cyclic_group(n), dihedral_group(n), dicyclic_group(n + 1), hyperoctahedral_group(n)})
      CHECK(G.order() == by_generators(G));
}

TEST_CASE("grid groups have the right orders and respect the torus", "[groups][quick]") {
  const std::map<std::string, std::size_t> point_orders{{"p1", 1},  {"p2", 2}, {"pm", 2},
                                                        {"pmm", 4}, {"p4", 4}, {"p4m", 8}};
  for (const auto& [name, order] : point_orders)
    for (std::size_t h = 3; h <= 6; ++h)
      for (std::size_t w = 3; w <= 6; ++w) {
        if (name[1] == '4' && h != w) {
          REQUIRE_THROWS_AS(grid_group(name, h, w), DomainError);
          continue;
        }
        CAPTURE(name, h, w);
        const FiniteGroup G = grid_group(name, h, w);
        REQUIRE(G.order() == order * h * w);
        REQUIRE(orbits(G.degree(), G.generators()).size() == 1);
        const auto neighbours = [&](std::size_t a, std::size_t b) {
          const std::size_t r = (a / w + h - b / w) % h, c = (a % w + w - b % w) % w;
          return std::min(r, h - r) + std::min(c, w - c) == 1;
        };
        for (const Permutation& g : G.generators())
          for (Point a = 0; a < h * w; ++a)
            for (Point b = 0; b < a; ++b)
              if (neighbours(a, b) != neighbours(g(a), g(b))) FAIL("a symmetry breaks the grid");
      }
  REQUIRE(grid_group("p4m", 1, 1).order() == 1);
  REQUIRE(grid_group("p1", 1, 5).order() == 5);
  REQUIRE(grid_group("p2", 2, 2).order() == 4);  // the half turn is the identity modulo 2
  REQUIRE_THROWS_AS(grid_group("p5", 3, 3), DomainError);
  REQUIRE_THROWS_AS(grid_group("p1", 0, 3), DomainError);
  REQUIRE_THROWS_AS(grid_group("p1", 100'000, 100'000), LimitError);
}

TEST_CASE("plane groups with glides, centred cells and hexagonal axes", "[groups][quick]") {
  const auto order = [](const char* name, std::size_t h, std::size_t w) { return grid_group(name, h, w).order(); };
  CHECK(order("pg", 4, 5) == 4 * 5);
  CHECK(order("pmg", 5, 4) == 2 * 5 * 4);
  CHECK(order("pgg", 4, 6) == 4 * 6);
  CHECK(order("p4g", 6, 6) == 2 * 36);
  CHECK(order("cm", 5, 5) == 2 * 25);
  CHECK(order("cmm", 5, 5) == 4 * 25);
  for (const auto& [name, point] :
       std::map<std::string, std::size_t>{{"p3", 3}, {"p3m1", 6}, {"p31m", 6}, {"p6", 6}, {"p6m", 12}}) {
    CHECK(grid_group(name, 4, 4).order() == point * 16);
    CHECK(grid_group(name, 5, 5).order() == point * 25);
    // The six neighbours of a pixel of a hexagonal grid stay neighbours.
    const FiniteGroup G = grid_group(name, 6, 6);
    const auto neighbours = [](std::size_t a, std::size_t b) {
      const std::size_t r = (a / 6 + 6 - b / 6) % 6, c = (a % 6 + 6 - b % 6) % 6;
      return std::set<std::pair<std::size_t, std::size_t>>{{1, 0}, {5, 0}, {0, 1}, {0, 5}, {1, 1}, {5, 5}}.contains(
          {r, c});
    };
    for (const Permutation& g : G.generators())
      for (Point a = 0; a < 36; ++a)
        for (Point b = 0; b < a; ++b)
          if (neighbours(a, b) != neighbours(g(a), g(b))) FAIL("a symmetry breaks the grid");
  }
  // With a third direction in which nothing moves each is a space group, which Hall's symbols make: the same classes. The axes x, y are c, r.
  const auto classes = [](const FiniteGroup& G) {
    const ConjugacyClasses C = conjugacy_classes(G);
    std::multiset<std::pair<std::uint64_t, Integer>> list;
    for (std::size_t c = 0; c < C.size(); ++c) list.emplace(C[c].element_order, C[c].size);
    return list;
  };
  struct Pair {
    const char *plane, *space;
    std::size_t h, w, a, b;
  };
  for (const auto& [plane, space, h, w, a, b] :
       {Pair{"pmg", "Pma2", 3, 8, 4, 3}, Pair{"pgg", "Pba2", 6, 8, 4, 3}, Pair{"p4g", "P4bm", 6, 6, 3, 3},
        Pair{"p4m", "P4mm", 3, 3, 3, 3}, Pair{"p3", "P3", 6, 6, 6, 6}, Pair{"p3m1", "P3m1", 6, 6, 6, 6},
        Pair{"p31m", "P31m", 6, 6, 6, 6}, Pair{"p6", "P6", 6, 6, 6, 6}, Pair{"p6m", "P6mm", 6, 6, 6, 6}}) {
    CAPTURE(plane, space);
    CHECK(classes(grid_group(plane, h, w)) ==
          classes(crystal_group(SpaceGroup::numbered(space_group_number(space)), {a, b, 1}, {}, "crystal")));
  }
  CHECK(classes(grid_group("pg", 6, 5)) ==
        classes(crystal_group(SpaceGroup::numbered(space_group_number("Pc")), {1, 5, 3}, {}, "crystal")));
  CHECK(classes(grid_group("p3m1", 6, 6)) != classes(grid_group("p31m", 6, 6)));
  CHECK(classes(grid_group("cm", 5, 5)) == classes(wreath_product(cyclic_group(5), symmetric_group(2))));
  CHECK_THROWS_AS(grid_group("pg", 3, 4), DomainError);
  CHECK_THROWS_AS(grid_group("pmg", 4, 3), DomainError);
  CHECK_THROWS_AS(grid_group("p4g", 3, 3), DomainError);
  CHECK_THROWS_AS(grid_group("cm", 3, 4), DomainError);
  CHECK_THROWS_AS(grid_group("p6m", 3, 4), DomainError);
}

TEST_CASE("picture groups are the symmetries of a rectangle without translations", "[groups][quick]") {
  const std::map<std::string, std::size_t> group_orders{{"C1", 1}, {"C2", 2}, {"D1", 2},
                                                        {"D2", 4}, {"C4", 4}, {"D4", 8}};
  for (const auto& [name, order] : group_orders)
    for (const std::size_t h : {2, 3, 4, 7})
      for (const std::size_t w : {2, 3, 4, 7}) {
        if (name[1] == '4' && h != w) {
          REQUIRE_THROWS_AS(pixel_group(name, h, w), DomainError);
          continue;
        }
        CAPTURE(name, h, w);
        const FiniteGroup G = pixel_group(name, h, w);
        REQUIRE(G.order() == order);
        for (const Permutation& g : G.generators())
          for (Point a = 0; a < h * w; ++a)
            for (Point b = 0; b < a; ++b) {
              const auto distance = [&](std::size_t x, std::size_t y) {
                return std::abs(static_cast<int>(x / w) - static_cast<int>(y / w)) +
                       std::abs(static_cast<int>(x % w) - static_cast<int>(y % w));
              };
              if (distance(a, b) != distance(g(a), g(b))) FAIL("a symmetry breaks the picture");
            }
      }
  // The quarter turn takes the top left corner to the top right one.
  REQUIRE(pixel_group("C4", 4, 4).generators()[0](0) == 3);
  REQUIRE(pixel_group("D1", 2, 3).generators()[0].to_string() == "(1,3)(4,6)");
  REQUIRE_THROWS_AS(pixel_group("D3", 3, 3), DomainError);
  REQUIRE_THROWS_AS(pixel_group("D4", 0, 0), DomainError);
}
