#include "intertwine/tables/diagram_table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <tuple>

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
  const std::vector<std::uint64_t> bell{1, 1, 2, 5, 15, 52, 203, 877, 4140}, even{1, 0, 1, 0, 4, 0, 31, 0, 379},
      pairs{1, 0, 1, 0, 3, 0, 15, 0, 105};
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
TEST_CASE("diagrams span the equivariant maps of SL(n), and are dependent where Pluecker says so", "[tables][quick]") {
  CHECK(rank_of(of("vvvv", "", "SL(2)"), {2}) == 2);    // 3 products of two determinants, one relation: Catalan
  CHECK(rank_of(of("vvvvvv", "", "SL(2)"), {2}) == 5);  // 15
  CHECK(rank_of(of("vvvvvv", "", "SL(3)"), {3}) == 5);  // 10
  CHECK(rank_of(of("vv*", "vv*", "SL(2)"), {2}) == 2);
  CHECK(rank_of(of("v*", "vv", "SL(3)"), {3}) == 1);
  CHECK(rank_of(of("vvvv", "v", "SL(3)"), {3}) == 3);  // V^4 -> V: 4 diagrams, f^(2,1,1) = 3
}

// Every numbering of blocks, looked at by what a diagram is.
TEST_CASE("diagrams are all words that are ones", "[tables][quick]") {
  for (const auto& [axes, name] : {std::pair("aaaaaa", "S(n)"),
                                   {"aa+aaa+a", "B(n)"},
                                   {"aaaaaa", "O(n)"},
                                   {"aaaaaa", "Sp(n)"},
                                   {"aa*aa*", "GL(n)"},
                                   {"aaa*a*a*a*", "U(n)"},
                                   {"aaaaa", "SO(3)"},
                                   {"aaaaaa", "SO(2)"},
                                   {"aaaaaa", "SL(2)"},
                                   {"aaaa*a", "SL(3)"},
                                   {"a*a*aa*", "SU(2)"},
                                   {"aaa", "GL(n)"},
                                   {"aaa", "O(n)"},
                                   {"aaa", "B(n)"},
                                   {"aaaaa", "SL(3)"}}) {
    CAPTURE(axes, name);
    const DiagramTable table = diagram_table(axes, "", {parse_diagram_group(name)});
    const DiagramGroup group = table.groups[0];
    const auto marks = table.axes();
    const auto is_one = [&](const std::vector<std::int32_t>& word) {
      std::map<std::int32_t, std::pair<int, int>> blocks;  // unmarked and marked axes
      for (std::size_t a = 0; a < word.size(); ++a) {
        auto& [plain, marked] = blocks[word[a]];
        ++(marks[a].marked ? marked : plain);
      }
      int vectors = 0, duals = 0, determinants = 0;
      for (const auto& [block, counts] : blocks) {
        const auto [plain, marked] = counts;
        if (block < 0) {
          if (static_cast<std::uint64_t>(plain + marked) != group.size || (group.has_duals() && plain * marked > 0))
            return false;
          ++determinants, ++(plain > 0 ? vectors : duals);
        } else if (group.has_pairs()) {
          if (group.has_duals() ? plain != 1 || marked != 1 : plain != 2) return false;
        } else if (group.series == DiagramGroup::Series::B && plain % 2 != 0) {
          return false;
        }
      }
      return group.has_duals() ? vectors * duals == 0 : determinants <= 1;
    };
    std::vector<std::vector<std::int32_t>> words{{}};
    for (std::size_t a = 0; a < marks.size(); ++a) {
      std::vector<std::vector<std::int32_t>> longer;
      for (const auto& word : words) {
        std::int32_t first = 0, last = -1;
        for (const std::int32_t block : word) first = std::min(first, block), last = std::max(last, block);
        for (std::int32_t block = group.has_determinant() ? first - 1 : 0; block <= last + 1; ++block) {
          longer.push_back(word);
          longer.back().push_back(block);
        }
      }
      words = std::move(longer);
    }
    std::vector<std::int32_t> expected;
    for (const auto& word : words)
      if (is_one(word)) expected.insert(expected.end(), word.begin(), word.end());
    CHECK(table.diagrams == expected);
  }
}

// O(n): 1, 0, 1, 0, 3, ...; invariants of SO(3): Riordan numbers, OEIS A005043; of SL(2): Catalan numbers.
TEST_CASE("dimensions by characters are known ones, and the ranks of the diagrams", "[tables][quick]") {
  const auto dimension = [](const char* out, const char* in, const char* group, std::uint64_t n) {
    const DiagramTable table = of(out, in, group);
    return dimensions(table, sizes_at(table, n)).weights;
  };
  const std::string axes = "aaaaaaaa";
  const std::vector<std::uint64_t> riordan{1, 0, 1, 1, 3, 6, 15, 36, 91}, catalan{1, 1, 2, 5, 14};
  for (std::size_t m = 0; m < riordan.size(); ++m)
    CHECK(dimension("", axes.substr(0, m).c_str(), "SO(3)", 1) == riordan[m]);
  for (std::size_t r = 0; r < catalan.size(); ++r) {
    CHECK(dimension(axes.substr(0, r).c_str(), axes.substr(0, r).c_str(), "GL(n)", 2) == catalan[r]);
    CHECK(dimension("", axes.substr(0, 2 * r).c_str(), "Sp(n)", 2) == catalan[r]);
    CHECK(dimension("", axes.substr(0, 2 * r).c_str(), "SL(2)", 1) == catalan[r]);
  }
  CHECK(dimension("aa", "aa", "S(n)", 3) == 14);
  CHECK(dimension("aaa", "aaa", "O(n)", 2) == 10);
  for (const auto& [out, in, group] : {std::tuple("aa", "aa", "S(n)"),
                                       {"aa", "a", "S(n)"},
                                       {"aa", "aa", "B(n)"},
                                       {"aa+", "aa+", "B(n)"},
                                       {"aaa", "a", "O(n)"},
                                       {"aaa", "aaa", "O(n)"},
                                       {"aa", "aa", "Sp(n)"},
                                       {"aa*", "aa*", "GL(n)"},
                                       {"aa", "aa", "SO(2)"},
                                       {"aa", "aaa", "SO(3)"},
                                       {"a*", "aa", "SL(3)"},
                                       {"aa*", "aa*", "SL(2)"}}) {
    const DiagramTable table = of(out, in, group);
    for (std::uint64_t n = 1; n <= 3; ++n) {
      const auto sizes = sizes_at(table, n);
      CAPTURE(out, in, group, sizes);
      CHECK(dimensions(table, sizes).weights == rank_of(table, sizes));
    }
  }
  CHECK_THROWS_AS(dimensions(of("a", "a", "O(3)"), std::vector<std::uint64_t>{2}), DomainError);
  CHECK_THROWS_AS(dimensions(of("a", "a", "O(n)"), std::vector<std::uint64_t>{2, 2}), DomainError);
}

TEST_CASE("tables of diagrams are proved complete", "[tables][quick]") {
  const DiagramTable graphs = diagram_table("aa", "aa");
  const DiagramProof proof = verify(graphs);
  CHECK((proof.is_complete() && proof.dimensions.size() == 4));
  CHECK((proof.dimensions[2].second == DiagramDimensions{14, 2}));
  CHECK((proof.dimensions[3].second == DiagramDimensions{15, 2}));
  const std::vector<std::uint64_t> some{14, 2}, none;
  const DiagramTable two = selected_diagrams(graphs, some, none);
  CHECK((two.params == 2 && two.bias_params == 0));
  CHECK(std::ranges::equal(two.diagram(0), graphs.diagram(14)));
  CHECK_FALSE(verify(two).is_complete());
  CHECK_THROWS_WITH(selected_diagrams(graphs, std::vector<std::uint64_t>{15}, none), Catch::Contains("there are 15"));
  CHECK_THROWS_WITH(selected_diagrams(graphs, std::vector<std::uint64_t>{1, 1}, none), Catch::Contains("twice"));
  CHECK(verify(diagram_table("av", "av", {{}, parse_diagram_group("O(3)")})).dimensions.back().second.weights == 2);
  CHECK(verify(of("aaa", "aaa", "Sp(n)")).dimensions.back().first == std::vector<std::uint64_t>{6});
  CHECK(verify(of("vv", "v", "SO(3)")).dimensions.size() == 1);
  CHECK(verify(diagram_table("", "")).is_complete());
  // What is missing has to be said, and what is said has to hold.
  CHECK(selected_diagrams(graphs, std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14},
                          std::vector<std::uint64_t>{1, 0})
            .metadata.empty());
  DiagramTable bare = selected_diagrams(graphs, none, none);
  CHECK_FALSE(verify(bare).is_complete());
  bare.metadata.clear();
  CHECK_THROWS_WITH(verify(bare), Catch::Contains("the table has 0 of 15 diagrams and 0 of 2 of the bias"));
  CHECK_THROWS_AS(verify(bare), VerificationError);
  DiagramTable boastful = graphs;
  boastful.metadata["selection"] = diagram_selection;
  CHECK_THROWS_WITH(verify(boastful), Catch::Contains("but it has all"));
  boastful.metadata = {{"producer", "me"}, {"selection", "all"}};
  CHECK(verify(boastful).claims == std::vector<std::string>{"producer", "selection"});
  DiagramTable broken = graphs;
  broken.diagrams[0] = 1;
  CHECK_THROWS_AS(verify(broken), DomainError);
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
  for (const char* text :
       {"", "S", "Q(n)", "S(", "S(X)", "S(0)", "O(n", "S(n)x", "O(99999999999999999999)", "SO(n)", "Sp(3)", "SU1"})
    CHECK_THROWS_AS(parse_diagram_group(text), DomainError);
  CHECK(to_string(parse_diagram_group("B4")) == "B(4)");
  CHECK(to_string(parse_diagram_group("Sn")) == "S(n)");
  for (const auto& [axes, group] :
       {std::pair("v", "SO(n)"), {"v", "SL(n)"}, {"v", "Sp(3)"}, {"v", "SL(1)"}, {"v+", "O(n)"}}) {
    CAPTURE(axes, group);
    CHECK_THROWS_AS(of(axes, axes, group), DomainError);
  }
  CHECK_THROWS_AS(diagram_table("aaaaaaa", "aaaaaa"), LimitError);
  CHECK_THROWS_WITH(diagram_table("aaaaaa", "aaaaaa"),
                    Catch::Contains("there are 4213597 diagrams"));  // Bell number 12
  CHECK_THROWS_WITH(of("aaaaaaaaaaa", "aaaaaaaaaaa", "O(n)"), Catch::Contains("there are 13749310575 diagrams"));
  CHECK_THROWS_AS(of("aaaaaaaaa", "aaaaaaaaa", "SL(2)"), LimitError);
  CHECK_THROWS_AS(diagram_table(std::string(65, 'a'), "", {parse_diagram_group("GL(n)")}), LimitError);
  CHECK(of("aaaaaaa", "aaaaaaa", "GL(n)").params == 5040);
  CHECK(to_string(parse_diagram_group("SU(3)")) == "SU(3)");
  CHECK(to_string(parse_diagram_group("S(n)")) == "S(n)");
}
