#include "intertwine/tables/diagram_table.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "intertwine/error.hpp"
#include "support/dense_diagram.hpp"

using namespace intertwine;

namespace {

DiagramTable of(const char* out, const char* in, const char* group) {
  return diagram_table(out, in, {parse_diagram_group(group)});
}

/// The rank of the diagrams as matrices, modulo a prime.
std::size_t rank_of(const DiagramTable& table, const std::vector<std::uint64_t>& sizes) {
  constexpr std::int64_t p = 2147483629;
  std::vector<std::vector<std::int64_t>> rows;
  for (std::uint64_t d = 0; d < table.params; ++d) {
    const auto dense = dense_diagram(table, table.diagram(d), sizes);
    std::vector<std::int64_t> row(dense.begin(), dense.end());
    for (const auto& other : rows) {
      std::size_t lead = 0;
      while (other[lead] == 0) ++lead;
      const std::int64_t factor = row[lead];
      for (std::size_t k = lead; k < row.size(); ++k) row[k] = ((row[k] - factor * other[k]) % p + p) % p;
    }
    std::size_t lead = 0;
    while (lead < row.size() && row[lead] == 0) ++lead;
    if (lead == row.size()) continue;
    std::int64_t inverse = 1;
    for (std::int64_t base = (row[lead] % p + p) % p, e = p - 2; e > 0; e >>= 1, base = base * base % p)
      if (e & 1) inverse = inverse * base % p;
    for (auto& v : row) v = (v % p + p) % p * inverse % p;
    rows.push_back(std::move(row));
  }
  return rows.size();
}

}  // namespace

// OEIS A000110, A005046, A001147; (r+s)! of walled Brauer diagrams.
TEST_CASE("there are as many diagrams as known", "[tables][quick]") {
  const std::string axes = "aaaa";
  const std::vector<std::uint64_t> bell{1, 1, 2, 5, 15, 52, 203, 877, 4140},
      even{1, 0, 1, 0, 4, 0, 31, 0, 379}, pairs{1, 0, 1, 0, 3, 0, 15, 0, 105};
  for (std::size_t k = 0; k <= 4; ++k)
    for (std::size_t l = 0; l <= 4; ++l) {
      const std::string in = axes.substr(0, k), out = axes.substr(0, l);
      CHECK(diagram_table(out, in, {{}}).params == bell[k + l]);
      if (k + l == 0) continue;
      CHECK(of(out.c_str(), in.c_str(), "B(n)").params == even[k + l]);
      CHECK(of(out.c_str(), in.c_str(), "O(n)").params == pairs[k + l]);
      CHECK(of(out.c_str(), in.c_str(), "Sp(n)").params == pairs[k + l]);
    }
  CHECK(of("vv*", "vv*", "GL(n)").params == 2);
  CHECK(of("vvv*", "vvv*", "GL(n)").params == 6);
  CHECK(of("v", "vv", "GL(n)").params == 0);
  CHECK(of("v", "vv", "SO(3)").params == 1);
  CHECK(of("vvv", "vv", "SO(3)").params == 10);
  CHECK(of("v*", "vv", "SL(3)").params == 1);
  CHECK(of("vvv", "", "SL(3)").params == 1);
  CHECK(of("vvvvvv", "", "SL(3)").params == 10);  // 6!/(3!^2 2!)
  CHECK(of("av", "aav", "S(n)").params == 10);
  CHECK(diagram_table("ui", "ui").params == 4);
  CHECK(diagram_table("aa", "aa").bias_params == 2);
  // Blocks with an even number of signed axes: {12}{3}, {12}{34} and so on.
  CHECK(of("aa+", "a", "B(n)").params == 2);
  CHECK(of("a+a+", "a+", "B(n)").params == 5);
}

// SL(n): the first fundamental theorem [Weyl 1946]; dimensions are numbers of pairs of standard tableaux with at most n rows that differ by full columns.
TEST_CASE("diagrams span the equivariant maps of SL(n), and are dependent where Pluecker says so",
          "[tables][quick]") {
  CHECK(rank_of(of("vvvv", "", "SL(2)"), {2}) == 2);  // 3 products of two determinants, one relation: Catalan
  CHECK(rank_of(of("vvvvvv", "", "SL(2)"), {2}) == 5);  // 15
  CHECK(rank_of(of("vvvvvv", "", "SL(3)"), {3}) == 5);  // 10
  CHECK(rank_of(of("vv*", "vv*", "SL(2)"), {2}) == 2);
  CHECK(rank_of(of("v*", "vv", "SL(3)"), {3}) == 1);
  CHECK(rank_of(of("vvvv", "v", "SL(3)"), {3}) == 3);  // V^4 -> V: 4 diagrams, f^(2,1,1) = 3
}

TEST_CASE("tables of diagrams are checked", "[tables][quick]") {
  DiagramTable graphs = diagram_table("aa", "aa");
  CHECK_NOTHROW(require_consistent(graphs));
  CHECK(graphs.diagram(0)[3] == 0);
  const auto broken = [&](auto change) {
    DiagramTable table = graphs;
    change(table);
    CHECK_THROWS_AS(require_consistent(table), DomainError);
  };
  broken([](DiagramTable& t) { t.diagrams[0] = 1; });
  broken([](DiagramTable& t) { t.diagrams[3] = 7; });
  broken([](DiagramTable& t) { t.diagrams[3] = -1; });
  broken([](DiagramTable& t) { t.diagrams.pop_back(); });
  broken([](DiagramTable& t) { std::copy_n(t.diagrams.begin(), 4, t.diagrams.begin() + 4); });
  broken([](DiagramTable& t) { t.groups.clear(); });
  broken([](DiagramTable& t) { t.groups[0].series = DiagramGroup::Series::O; });
  broken([](DiagramTable& t) { t.channels.in = 0; });
  broken([](DiagramTable& t) { t.axes_in = "a*a"; });
  broken([](DiagramTable& t) { t.axes_in = "1a"; });
  broken([](DiagramTable& t) { t.axes_in = "*a"; });
  for (const char* text : {"", "S", "Q(n)", "S(", "S(x)", "S(0)", "O(n", "S(n)x", "O(99999999999999999999)"})
    CHECK_THROWS_AS(parse_diagram_group(text), DomainError);
  for (const auto& [axes, group] :
       {std::pair("v", "SO(n)"), {"v", "SL(n)"}, {"v", "Sp(3)"}, {"v", "SL(1)"}, {"v+", "O(n)"}}) {
    CAPTURE(axes, group);
    CHECK_THROWS_AS(of(axes, axes, group), DomainError);
  }
  CHECK_THROWS_AS(diagram_table("aaaaaaa", "aaaaaa"), LimitError);
  CHECK_THROWS_AS(diagram_table("aaaaaa", "aaaaa"), LimitError);
  CHECK(to_string(parse_diagram_group("SU(3)")) == "SU(3)");
  CHECK(to_string(parse_diagram_group("S(n)")) == "S(n)");
}
