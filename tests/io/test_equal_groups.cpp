// Equal representations have equal matrices: over pairs of all named groups of order at most 100 that permute their points alike.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/representation.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

constexpr int largest_order = 100;

/// Families with one and with two parameters, and groups by name alone.
std::vector<std::string> names() {
  std::vector<std::string> out = {"T",
                                  "Td",
                                  "Th",
                                  "O",
                                  "Oh",
                                  "I",
                                  "Q8",
                                  "SL(2,3)",
                                  "GL(2,3)",
                                  "PSL(2,7)",
                                  "AGL(1,5)",
                                  "B1",
                                  "B2",
                                  "B3",
                                  "A3",
                                  "A4",
                                  "A5",
                                  "S1",
                                  "S2",
                                  "S3",
                                  "S4",
                                  "W(A1)",
                                  "Cs",
                                  "Ci",
                                  "W(A2)",
                                  "W(A3)",
                                  "W(B2)",
                                  "W(B3)",
                                  "W(G2)",
                                  "W(H3)",
                                  "2T",
                                  "2O",
                                  "He3",
                                  "SD16",
                                  "C7:C3",
                                  "space(P2_1/c,1,1,1)",
                                  "space(Pmm2,1,1,1)",
                                  "space(P222,1,1,1)",
                                  "space(P-1,2,1,1)",
                                  "layer(p2/m11,1,1)",
                                  "C2 x C2",
                                  "C2 x D1",
                                  "D1 x C2",
                                  "Cs x C2",
                                  "S2 wr S2",
                                  "C2 wr C2",
                                  "D1 wr C2",
                                  "double(C2)",
                                  "double(D2)"};
  const auto family = [&](const std::string& before, const std::string& after, int from, int to) {
    const int step = test_multiplier() > 1 ? 1 : 29;  // all of the large ones only where more trials are asked for
    for (int n = from; n <= to; n += n < 16 ? 1 : step) out.push_back(before + std::to_string(n) + after);
  };
  family("C", "", 1, 100);
  family("D", "", 1, 50);
  family("Dic", "", 1, 25);
  for (const char* family_name : {"C", "D"}) family(std::string("point(") + family_name, ")", 1, 12);
  for (const char* suffix : {"v", "h"}) family("C", suffix, 2, 12);
  for (const char* suffix : {"h", "d"}) family("D", suffix, 2, 12);
  family("point(S", ")", 2, 12);
  for (int h = 1; h <= 4; ++h)
    for (int w = 1; w <= 4; ++w) {
      const std::string size = "(" + std::to_string(h) + "," + std::to_string(w) + ")";
      for (const char* grid : {"p1", "p2", "pm", "pg", "cm", "pmm", "p4", "p4m", "p3", "p6", "p6m"})
        out.push_back(grid + size);
      for (const char* kind : {"C1", "C2", "C4", "D1", "D2", "D4"})
        out.push_back("pixels(" + std::string(kind) + "," + size.substr(1));
    }
  return out;
}

/// Groups on the same points with the same generators; each also by its generators alone.
std::map<std::vector<std::vector<Point>>, std::vector<FiniteGroup>> alike() {
  std::map<std::vector<std::vector<Point>>, std::vector<FiniteGroup>> out;
  for (const std::string& name : names()) {
    std::optional<FiniteGroup> G;
    try {
      G = parse_finite_group(name);
    } catch (const Error&) {
      continue;  // p4m(2,3) is no group; the list is longer than what there is
    }
    if (G->order() > largest_order) continue;
    std::vector<std::vector<Point>> key{{static_cast<Point>(G->degree())}};
    for (const Permutation& g : G->generators()) key.emplace_back(g.images().begin(), g.images().end());
    auto& list = out[key];
    if (list.empty()) list.push_back(FiniteGroup(G->degree(), G->generators()));
    list.push_back(*G);
  }
  return out;
}

const std::vector<std::string> texts = {"perm",
                                        "perm^2",
                                        "V",
                                        "std",
                                        "sign",
                                        "coordinates",
                                        "cartesian",
                                        "kernel(3,3)",
                                        "kernel(3)",
                                        "harmonic(1)",
                                        "harmonic(2)",
                                        "vector",
                                        "axial",
                                        "det",
                                        "irrep(2)",
                                        "irrep(3)",
                                        "irrep(4)",
                                        "irrep(5)",
                                        "irrep(A2)",
                                        "irrep(B1)",
                                        "irrep(E)",
                                        "irrep([2])",
                                        "sym(2, V)",
                                        "dual(coordinates)",
                                        "2*coordinates + perm",
                                        "T(1)",
                                        "restricted(<>, coordinates)",
                                        "pseudoscalar"};

std::optional<Representation> reading(const FiniteGroup& G, const std::string& text) {
  try {
    return parse_representation(G, text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("equal representations have equal matrices", "[io]") {
  std::size_t same = 0, different = 0;
  for (const auto& [key, groups] : alike())
    for (const std::string& text : texts) {
      std::vector<std::pair<Representation, std::vector<FieldMatrix>>> read;
      for (const FiniteGroup& G : groups)
        if (const auto V = reading(G, text); V && V->dimension() <= 64) {
          read.push_back({*V, {}});
          for (const Permutation& g : G.generators()) read.back().second.push_back(V->field_matrix(g));
        }
      for (std::size_t a = 0; a < read.size(); ++a)
        for (std::size_t b = a + 1; b < read.size(); ++b) {
          const auto& [V, matrices] = read[a];
          const auto& [U, others] = read[b];
          const bool equal = V == U;
          if (equal != (U == V)) FAIL(text << " of " << V.group().name() << " and " << U.group().name());
          ++(equal ? same : different);
          if (equal && matrices != others) FAIL(text << " of " << V.group().name() << " and " << U.group().name());
        }
    }
  CHECK(same > 100);
  CHECK(different > 1000);
}

TEST_CASE("groups that act differently are different", "[io][quick]") {
  const auto differ = [](const char* a, const char* b) {
    const FiniteGroup G = parse_finite_group(a), H = parse_finite_group(b);
    CHECK(G.generators() == H.generators());
    return !(G == H);
  };
  CHECK(differ("C2", "D1"));
  CHECK(differ("C4v", "D2d"));
  CHECK(differ("C6v", "D3d"));
  CHECK(differ("D2", "p1(2,2)"));
  CHECK(parse_finite_group("C4v") == parse_finite_group("C4v"));
  CHECK(parse_finite_group("C4v") == parse_finite_group("point(C4v)"));
  CHECK(parse_finite_group("C2 x D1") == parse_finite_group("C2 x D1"));
  CHECK(differ("C2 x D1", "C2 x C2"));
  CHECK_THROWS_WITH(
      parse_representation(parse_finite_group("C2"), "perm") + parse_representation(parse_finite_group("D1"), "perm"),
      Catch::Contains("C2") && Catch::Contains("D1"));
}
