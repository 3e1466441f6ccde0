#include <catch2/catch.hpp>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "characters/table_data.hpp"
#include "characters/table_meaning.hpp"
#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

nlohmann::json reference(const std::string& file) {
  return nlohmann::json::parse(std::ifstream(test_data() + "/character_tables/" + file));
}

FiniteGroup group_of(const nlohmann::json& table) {
  std::vector<Permutation> generators;
  for (const auto& text : table["generators"])
    generators.push_back(parse_permutation(text.get<std::string>(), table["degree"]));
  return FiniteGroup(table["degree"], generators, table["name"]);
}

Cyclotomic value_of(const nlohmann::json& value) {
  std::vector<std::pair<std::int64_t, Rational>> terms;
  for (const auto& term : value["c"]) terms.emplace_back(term[1], parse_rational(term[0].get<std::string>()));
  return Cyclotomic::from_terms(value["n"], terms);
}

/// Equal to the reference when the columns correspond by the representatives and the rows are permuted.
void require_equal(const CharacterTable& table, const nlohmann::json& file) {
  const std::size_t n = table.size();
  REQUIRE(n == file["number_of_classes"]);
  std::vector<std::size_t> column(n);  // of a class of the file
  std::set<std::size_t> used;
  for (std::size_t c = 0; c < n; ++c) {
    std::vector<Point> images;
    for (const auto& x : file["class_representatives"][c]) images.push_back(x.get<Point>() - 1);
    column[c] = table.classes().index_of(Permutation(images));
    REQUIRE(used.insert(column[c]).second);
    REQUIRE(table.classes()[column[c]].size.str() == file["class_sizes"][c].get<std::string>());
    REQUIRE(table.classes()[column[c]].element_order == file["class_orders"][c]);
  }
  for (const auto& [p, map] : file["power_maps"].items())
    for (std::size_t c = 0; c < n; ++c)
      REQUIRE(table.power_maps().at(static_cast<std::uint32_t>(std::stoul(p)))[column[c]] ==
              column[map[c].get<std::size_t>() - 1]);
  std::map<std::vector<Cyclotomic>, int> expected;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Cyclotomic> row(n);
    for (std::size_t c = 0; c < n; ++c) row[column[c]] = value_of(file["irreducibles"][i][c]);
    expected[row] = file["frobenius_schur"][i];
  }
  REQUIRE(expected.size() == n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = expected.find(table.row(i));
    REQUIRE(at != expected.end());
    REQUIRE(table.indicator(i) == at->second);
  }
}

/// The whole table as text.
std::string content(const CharacterTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t c = 0; c < table.size(); ++c) text += to_string(table(i, c)) + " ";
    text += "\n";
  }
  for (std::size_t c = 0; c < table.size(); ++c) text += table.classes()[c].size.str() + " ";
  for (const auto& [p, map] : table.power_maps())
    for (const std::uint32_t c : map) text += std::to_string(c) + " ";
  return text;
}

/// The same group by other generators on renumbered points.
FiniteGroup disguised(const FiniteGroup& G, Rng& rng) {
  const Permutation x = random_permutation(G.degree(), rng);
  std::vector<Permutation> generators;
  for (int k = 0; k < 3; ++k) generators.push_back(x * G.random_element(rng) * x.inverse());
  for (const Permutation& g : G.generators()) {  // random elements may generate less
    const Permutation t = x * G.random_element(rng) * x.inverse();
    generators.push_back(t * (x * g * x.inverse()) * t.inverse());
    generators.push_back(x * g * x.inverse());
  }
  for (std::size_t k = generators.size(); k > 1; --k) std::swap(generators[k - 1], generators[rng.below(k)]);
  return FiniteGroup(G.degree(), generators);
}

}  // namespace

TEST_CASE("tables equal the reference tables", "[characters][quick]") {
  std::size_t count = 0;
  for (const auto& entry : reference("index.json")) {
    const auto file = reference(entry["file"]);
    CAPTURE(file["name"]);
    require_equal(character_table(group_of(file)), file);
    ++count;
  }
  REQUIRE(count == 76);
}

TEST_CASE("every method gives the reference tables", "[characters][quick]") {
  for (const char* name : {"C12", "S4", "A5", "D8", "Q16", "SL_2_5", "GL_2_3", "F21", "3_1plus2_plus", "PSL_2_11", "S6",
                           "AGL_1_9", "S3wrS3", "W_F4", "C2xC2xC3xC9", "M11"}) {
    const auto file = reference(std::string(name) + ".json");
    CAPTURE(name);
    const FiniteGroup G = group_of(file);
    const auto a = character_table_by_class_matrices(G), b = character_table_by_induction(G);
    require_equal(a, file);
    require_equal(b, file);
    REQUIRE(content(a) == content(b));
    REQUIRE(content(a) == content(character_table(G)));
  }
}

TEST_CASE("the order of a table does not depend on generators", "[characters][quick]") {
  auto rng = test_rng();
  for (const char* name : {"C12", "D8", "Q8", "2_1plus4_plus", "SL_2_7", "PSL_2_13", "SmallGroup_81_7", "AGL_1_8", "S5",
                           "SmallGroup_48_33", "A7", "GL_2_4", "p4m_torus8", "C2xC2xC3xC9", "PSU_3_3"}) {
    const FiniteGroup G = group_of(reference(std::string(name) + ".json"));
    const std::string expected = content(character_table(G));
    for (int trial = 0; trial < 2; ++trial) {
      CAPTURE(name, trial);
      REQUIRE(content(character_table(disguised(G, rng))) == expected);
    }
  }
  // Elements that powers do not tell apart, of which automorphisms that fix another element exchange some only.
  for (const std::vector<std::size_t>& orders :
       {std::vector<std::size_t>{8, 4}, {4, 2}, {16, 4}, {8, 4, 2}, {9, 3, 2}, {27, 9}, {4, 4, 2}}) {
    std::vector<FiniteGroup> factors;
    for (const std::size_t order : orders) factors.push_back(cyclic_group(order));
    const FiniteGroup G = direct_product(factors);
    const std::string expected = content(character_table(G));
    for (int trial = 0; trial < 4; ++trial) {
      CAPTURE(G.name(), trial);
      REQUIRE(content(character_table(disguised(G, rng))) == expected);
    }
  }
}

namespace {

/// Other generators of the same set of permutations.
FiniteGroup regenerated(const FiniteGroup& G, Rng& rng) {
  std::vector<Permutation> generators;
  do generators.push_back(G.random_element(rng));
  while (FiniteGroup(G.degree(), generators).order() != G.order());
  return FiniteGroup(G.degree(), generators);
}

}  // namespace

TEST_CASE("the order of classes and rows depends on the set of permutations alone", "[characters][quick]") {
  const auto group = [](const char* text, std::size_t degree) {
    return FiniteGroup(degree, {parse_permutation(text, degree)});
  };
  REQUIRE(table_meaning(character_table(group("(1,2,3)", 3))) == table_meaning(character_table(group("(1,3,2)", 3))));
  const Permutation turn = parse_permutation("(1,2,3,4)", 6), both = parse_permutation("(1,2,3,4)(5,6)", 6),
                    swap = parse_permutation("(5,6)", 6);
  REQUIRE(table_meaning(character_table(FiniteGroup(6, {turn, swap}))) ==
          table_meaning(character_table(FiniteGroup(6, {both, swap}))));
  auto rng = test_rng();
  for (const FiniteGroup& G :
       {dihedral_group(5), dihedral_group(12), dicyclic_group(4), cyclic_group(15), alternating_group(7),
        projective_special_linear_group(2, 13), affine_general_linear_group(1, 11), sporadic_group("M11"),
        direct_product({cyclic_group(4), cyclic_group(4), cyclic_group(2)}),
        direct_product({symmetric_group(3), cyclic_group(3)}), wreath_product(cyclic_group(3), symmetric_group(3)),
        wreath_product(cyclic_group(3), cyclic_group(3)), special_linear_group(2, 5), weyl_group('D', 4)}) {
    CAPTURE(G.name());
    const std::string expected = table_meaning(character_table(G));
    const CharacterTable others[] = {character_table_by_class_matrices(G), character_table_by_induction(G),
                                     character_table(regenerated(G, rng)), character_table(regenerated(G, rng))};
    for (const CharacterTable& other : others) REQUIRE(table_meaning(other) == expected);
    std::string monomial = expected;
    try {
      monomial = table_meaning(character_table_by_monomial_representations(G));
    } catch (const DomainError&) {  // not supersolvable
    }
    REQUIRE(monomial == expected);
  }
}

TEST_CASE("linear groups of dimension 2 by formula", "[characters][quick]") {
  auto rng = test_rng();
  for (const FiniteGroup& G :
       {general_linear_group(2, 7), general_linear_group(2, 8), special_linear_group(2, 9), special_linear_group(2, 11),
        special_linear_group(2, 13), projective_general_linear_group(2, 9), projective_general_linear_group(2, 11),
        projective_special_linear_group(2, 8), projective_special_linear_group(2, 16),
        projective_special_linear_group(2, 11), projective_special_linear_group(2, 13),
        projective_special_linear_group(2, 25), projective_special_linear_group(2, 27)}) {
    CAPTURE(G.name());
    REQUIRE(class_formula(G));
    const CharacterTable table = character_table(G);
    REQUIRE(class_formula(G)->count == table.size());
    const std::string expected = table_meaning(table);
    REQUIRE(table_meaning(character_table_by_class_matrices(G)) == expected);
    REQUIRE(table_meaning(character_table(conjugacy_classes_by_orbits(G))) == expected);
    REQUIRE(table_meaning(character_table(regenerated(G, rng))) == expected);
    const FiniteGroup renamed = disguised(G, rng);  // a projective line is found on points of any names
    const bool line = G.structure().as<structure::Linear>()->family[0] == 'P';
    REQUIRE(class_formula(renamed).has_value() == line);
    verify(conjugacy_classes(renamed));
    verify(character_table(renamed));
  }
  // 2-transitive of the same order on as many points, but no PGL(2, 9): M10, with elements of order 8 that are no matrices.
  std::vector<Permutation> on_ten;
  const FiniteGroup on_eleven = stabilizer(sporadic_group("M11"), 10);
  for (const Permutation& g : on_eleven.generators())
    on_ten.emplace_back(std::vector<Point>(g.images().begin(), g.images().end() - 1));
  const FiniteGroup M10(10, on_ten);
  REQUIRE(M10.order() == 720);
  REQUIRE_FALSE(class_formula(M10));
}

// [Suzuki 1962]; degrees and values of Sz(8) as in the ATLAS of Finite Groups.
TEST_CASE("Suzuki's groups by formula", "[characters][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = suzuki_group(8);
  REQUIRE(class_formula(G)->count == 11);
  const CharacterTable table = character_table(G);
  verify(table.classes());
  verify(table);
  const std::vector<long> degrees{1, 14, 14, 35, 35, 35, 64, 65, 65, 65, 91};
  for (std::size_t i = 0; i < degrees.size(); ++i) CHECK(table.degree(i) == degrees[i]);
  const std::vector<std::string> names{"1a", "2a", "4a", "4b", "5a", "7a", "7b", "7c", "13a", "13b", "13c"};
  CHECK(table.class_names() == names);
  CHECK(table(1, 1) == Cyclotomic(-2));
  CHECK(table(1, 2) * table(1, 2) == Cyclotomic(-4));
  CHECK(table(3, 1) == Cyclotomic(3));
  CHECK(table(10, 1) == Cyclotomic(-5));
  const std::string expected = table_meaning(table);
  REQUIRE(table_meaning(character_table_by_class_matrices(G)) == expected);
  REQUIRE(table_meaning(character_table_by_induction(G)) == expected);
  REQUIRE(table_meaning(character_table(conjugacy_classes_by_random_search(G))) == expected);
  REQUIRE(table_meaning(character_table(regenerated(G, rng))) == expected);
  for (int trial = 0; trial < 5; ++trial) {
    const FiniteGroup renamed = disguised(G, rng);
    REQUIRE(class_formula(renamed)->count == 11);
    REQUIRE(content(character_table(renamed)) == content(table));
  }
  // The same order on as many points, but C13 x AGL(1,8) x C5 x C2^3; and one point more.
  const FiniteGroup other = direct_product({cyclic_group(13), affine_general_linear_group(1, 8), cyclic_group(5),
                                            cyclic_group(2), cyclic_group(2), cyclic_group(2)});
  const auto on_more_points = [](const FiniteGroup& H, Point degree) {
    std::vector<Permutation> generators;
    for (const Permutation& g : H.generators()) {
      std::vector<Point> images(g.images().begin(), g.images().end());
      while (images.size() < degree) images.push_back(static_cast<Point>(images.size()));
      generators.emplace_back(std::move(images));
    }
    return FiniteGroup(degree, generators);
  };
  REQUIRE(on_more_points(other, 65).order() == G.order());
  REQUIRE(class_formula(on_more_points(other, 65))->count == 13 * 8 * 5 * 8);
  REQUIRE(content(character_table(on_more_points(G, 66))) == content(table));
}

TEST_CASE("larger groups of Suzuki's", "[characters][slow][.]") {
  auto rng = test_rng();
  const FiniteGroup G = suzuki_group(32);
  const CharacterTable table = character_table(G);
  verify(table.classes());
  const std::string expected = table_meaning(table);
  REQUIRE(table_meaning(character_table_by_induction(G)) == expected);
  REQUIRE(table_meaning(character_table(conjugacy_classes_by_random_search(G))) == expected);
  REQUIRE(table_meaning(character_table(regenerated(G, rng))) == expected);
  REQUIRE(content(character_table(disguised(G, rng))) == content(table));
  REQUIRE(character_table(suzuki_group(128)).size() == 131);
}

TEST_CASE("all methods call the rows the same", "[characters][quick]") {
  for (const FiniteGroup& G : {symmetric_group(5), alternating_group(6), alternating_group(4), hyperoctahedral_group(3),
                               wreath_product(symmetric_group(3), symmetric_group(3)), weyl_group('D', 4),
                               point_group("Td"), point_group("C3"), dihedral_group(6)}) {
    CAPTURE(G.name());
    const CharacterTable a = character_table(G), b = character_table_by_class_matrices(G);
    for (std::size_t i = 0; i < a.size(); ++i) REQUIRE(a.label(i) == b.label(i));
  }
}

// ATLAS of Finite Groups: degrees of the irreducible characters.
TEST_CASE("degrees of sporadic groups", "[characters][quick]") {
  const auto [name, degrees] = GENERATE(table<std::string, std::vector<long>>({
      {"M12", {1, 11, 11, 16, 16, 45, 54, 55, 55, 55, 66, 99, 120, 144, 176}},
      {"M22", {1, 21, 45, 45, 55, 99, 154, 210, 231, 280, 280, 385}},
      {"M24", {1,    23,   45,   45,   231,  231,  252,  253,  483,  770,  770,  990,  990,
               1035, 1035, 1035, 1265, 1771, 2024, 2277, 3312, 3520, 5313, 5544, 5796, 10395}},
      {"J1", {1, 56, 56, 76, 76, 77, 77, 77, 120, 120, 120, 133, 133, 133, 209}},
  }));
  const auto table = character_table(sporadic_group(name));
  REQUIRE(table.size() == degrees.size());
  for (std::size_t i = 0; i < degrees.size(); ++i) CHECK(table.degree(i) == degrees[i]);
}

// The number of classes is the coefficient of t^3 in the product of (1 + t^i)^4 / (1 - 3 t^i) over all i > 0. The class
// of transvections alone does not separate the characters, and the next classes are large. The first
// degrees are those of the Weil representations, (3^3 - 1)/2 and (3^3 + 1)/2.
TEST_CASE("a small class of a large group", "[characters][slow][.]") {
  const CharacterTable table = character_table(symplectic_group(6, 3));
  REQUIRE(table.size() == 141);
  std::vector<Integer> degrees;
  for (std::size_t i = 0; i < table.size(); ++i) degrees.push_back(table(i, 0).to_integer());
  CHECK(std::vector<Integer>(degrees.begin(), degrees.begin() + 5) == std::vector<Integer>{1, 13, 13, 14, 14});
  Integer sum = 0;
  for (const Integer& d : degrees) sum += d * d;
  CHECK(sum == table.classes().group().order());
}

TEST_CASE("products have the products of the characters", "[characters][quick]") {
  const FiniteGroup G = direct_product({symmetric_group(3), cyclic_group(3)});
  const FiniteGroup same(G.degree(), G.generators());  // not known to be a product
  REQUIRE(content(character_table(G)) == content(character_table(same)));
  REQUIRE(character_table(G).size() == 9);
}

TEST_CASE("names and small cases", "[characters][quick]") {
  const auto trivial = character_table(FiniteGroup(1, {}));
  REQUIRE(trivial.size() == 1);
  REQUIRE(trivial(0, 0) == Cyclotomic(1));
  REQUIRE(trivial.indicator(0) == 1);
  const auto table = character_table(symmetric_group(4));
  std::set<std::string> names;
  for (std::size_t i = 0; i < 5; ++i) names.insert(table.name(i));
  CHECK(names == std::set<std::string>{"[4]", "[3,1]", "[2,2]", "[2,1,1]", "[1,1,1,1]"});
  CHECK(table.name(0) == "[4]");
  CHECK(table.class_names() == std::vector<std::string>{"1a", "2a", "2b", "3a", "4a"});
  const auto q8 = character_table(dicyclic_group(2));
  // Sym(1) and Sym(2) by what they were built as: the same permutations have numbers elsewhere.
  const auto s2 = character_table(symmetric_group(2)), c2 = character_table(cyclic_group(2));
  CHECK((s2.name(0) == "[2]" && s2.name(1) == "[1,1]" && s2(1, 1) == Cyclotomic(-1)));
  CHECK(character_table(symmetric_group(1)).name(0) == "[1]");
  CHECK((c2.name(0) == "X.1" && c2.name(1) == "X.2"));
  CHECK(character_table_by_class_matrices(symmetric_group(2)).name(1) == "[1,1]");
  CHECK(q8.indicator(4) == -1);
  CHECK(q8.degree(4) == 2);
}

TEST_CASE("tables of alternating groups by formula and by class matrices", "[characters][quick]") {
  for (std::size_t n = 4; n <= 8; ++n)
    REQUIRE(content(character_table(alternating_group(n))) ==
            content(character_table_by_class_matrices(alternating_group(n))));
}

TEST_CASE("tables by formula equal those by class matrices", "[characters][quick]") {
  auto rng = test_rng();
  const std::vector<FiniteGroup> groups{
      wreath_product(symmetric_group(3), symmetric_group(3)),
      wreath_product(cyclic_group(2), symmetric_group(4)),
      wreath_product(dihedral_group(4), symmetric_group(2)),
      wreath_product(symmetric_group(4), symmetric_group(2)),
      wreath_product(cyclic_group(3), symmetric_group(3)),
      wreath_product(cyclic_group(3), cyclic_group(3)),
      wreath_product(dicyclic_group(2), cyclic_group(3)),
      wreath_product(cyclic_group(2), cyclic_group(5)),
      wreath_product_in_product_action(symmetric_group(3), symmetric_group(2)),
      wreath_product(FiniteGroup(5, {parse_permutation("(1,2)", 5), parse_permutation("(3,4,5)", 5)}),
                     symmetric_group(2)),
      hyperoctahedral_group(2),
      hyperoctahedral_group(4),
      weyl_group('A', 4),
      weyl_group('B', 3),
      weyl_group('C', 4),
      weyl_group('D', 3),
      weyl_group('D', 4),
      weyl_group('D', 5),
      direct_product({wreath_product(symmetric_group(3), symmetric_group(2)), dihedral_group(7)}),
  };
  for (const FiniteGroup& G : groups) {
    CAPTURE(G.name());
    const CharacterTable table = character_table(G);
    REQUIRE(class_formula(G).value().count == table.size());
    REQUIRE(content(table) == content(character_table_by_class_matrices(FiniteGroup(G.degree(), G.generators()))));
    REQUIRE(content(table) == content(character_table(disguised(G, rng))));
    for (std::size_t c = 0; c < table.size(); ++c) {
      const auto& one = table.classes()[c];
      const Permutation x = G.random_element(rng);
      REQUIRE(table.classes().index_of(x * one.representative * x.inverse()) == c);
      REQUIRE(one.representative.order() == one.element_order);
    }
  }
}

// Numbers of classes by formulas in the literature: pairs of partitions for W(B_n), half of them and 3/2 of the
// partitions of n/2 for W(D_n) [Geck & Pfeiffer 2000, 5.6.2], [James & Kerber 1981, 4.2.9] for wreath products.
TEST_CASE("numbers of classes without listing", "[characters][quick]") {
  const std::vector<FiniteGroup> factors(20, symmetric_group(4));
  const auto power = class_formula(direct_product(factors));
  REQUIRE(power);
  CHECK(power->count == Integer("95367431640625"));
  CHECK(power->description == "5^20 = 95367431640625: tuples of classes of the 20 factors S4");
  const auto wreath = class_formula(wreath_product(symmetric_group(20), symmetric_group(5)));
  REQUIRE(wreath);
  std::vector<Integer> series{1, 0, 0, 0, 0, 0};  // the product of 1 / (1 - t^i)^627, i = 1..5
  for (int i = 1; i <= 5; ++i)
    for (int k = 0; k < 627; ++k)
      for (int m = i; m <= 5; ++m) series[m] += series[m - i];
  CHECK(wreath->count == series[5]);
  CHECK(number_of_conjugacy_classes(hyperoctahedral_group(6)) == 65);
  CHECK(number_of_conjugacy_classes(weyl_group('D', 6)) == 37);
  CHECK(number_of_conjugacy_classes(weyl_group('D', 7)) == 55);
  CHECK(number_of_conjugacy_classes(alternating_group(12)) == 43);
  CHECK(number_of_conjugacy_classes(wreath_product(cyclic_group(5), cyclic_group(5))) == 649);
  CHECK_FALSE(class_formula(sporadic_group("M11")));
  CHECK_THROWS_AS(conjugacy_classes(direct_product(factors)), LimitError);
}

TEST_CASE("groups are recognised however they are given", "[characters][quick]") {
  auto rng = test_rng();
  const FiniteGroup product = disguised(direct_product({symmetric_group(5), alternating_group(5)}), rng);
  CHECK(class_formula(product).value().count == 35);
  CHECK(class_formula(disguised(wreath_product(alternating_group(4), cyclic_group(3)), rng)).value().count == 32);
  // The same order as A4 x A5 and two orbits, but not a product: the points of the second are glued to the first.
  const FiniteGroup A5 = alternating_group(5);
  std::vector<Permutation> glued;
  for (const Permutation& g : A5.generators()) {
    std::vector<Point> images(10);
    for (Point i = 0; i < 5; ++i) images[i] = g(i), images[i + 5] = static_cast<Point>(5 + g(i));
    glued.emplace_back(images);
  }
  CHECK(character_table(FiniteGroup(10, glued)).size() == 5);
  // Index 2 in S4 wr S3, with the same blocks.
  const FiniteGroup whole = wreath_product(symmetric_group(4), symmetric_group(3));
  const FiniteGroup half = derived_subgroup(whole);
  REQUIRE_FALSE(class_formula(half));
}

TEST_CASE("Mulliken's names", "[characters][quick]") {
  const auto names = [](const char* symbol) {
    const auto table = character_table(point_group(symbol));
    std::vector<std::string> list;
    for (std::size_t i = 0; i < table.size(); ++i) list.push_back(table.name(i));
    CHECK(list[0][0] == 'A');
    std::sort(list.begin(), list.end());
    CHECK(std::adjacent_find(list.begin(), list.end()) == list.end());
    return list;
  };
  using Names = std::vector<std::string>;
  CHECK(names("Td") == Names{"A1", "A2", "E", "T1", "T2"});
  CHECK(names("Oh") == Names{"A1g", "A1u", "A2g", "A2u", "Eg", "Eu", "T1g", "T1u", "T2g", "T2u"});
  CHECK(names("Ih") == Names{"Ag", "Au", "Gg", "Gu", "Hg", "Hu", "T1g", "T1u", "T2g", "T2u"});
  CHECK(names("Th") == Names{"1Eg", "1Eu", "2Eg", "2Eu", "Ag", "Au", "Tg", "Tu"});
  CHECK(names("C3v") == Names{"A1", "A2", "E"});
  CHECK(names("C6v") == Names{"A1", "A2", "B1", "B2", "E1", "E2"});
  CHECK(names("D3h") == Names{"A1'", "A1''", "A2'", "A2''", "E'", "E''"});
  CHECK(names("D3d") == Names{"A1g", "A1u", "A2g", "A2u", "Eg", "Eu"});
  CHECK(names("D2d") == Names{"A1", "A2", "B1", "B2", "E"});
  CHECK(names("D2h") == Names{"Ag", "Au", "B1g", "B1u", "B2g", "B2u", "B3g", "B3u"});
  CHECK(names("C2h") == Names{"Ag", "Au", "Bg", "Bu"});
  CHECK(names("S4") == Names{"1E", "2E", "A", "B"});
  CHECK(names("C3") == Names{"1E", "2E", "A"});
  // The vectors of space are T1u for O_h, with trace 1 of a quarter turn, and T2 for T_d: found in perm.
  const FiniteGroup Oh = point_group("Oh"), Td = point_group("Td");
  for (const auto& [G, name] : {std::pair(Oh, "T1u"), std::pair(Td, "T2")}) {
    const auto table = character_table(G);
    std::size_t row = 0;
    while (table.name(row) != name) ++row;
    Cyclotomic sum = 0;
    for (std::size_t c = 0; c < table.size(); ++c)
      sum += Cyclotomic(table.classes()[c].size) * table(row, c) *
             Cyclotomic(static_cast<long>(table.classes()[c].representative.number_of_fixed_points()));
    CHECK(sum == Cyclotomic(G.order()));
  }
  CHECK(character_table(dihedral_group(6)).name(0) == "X.1");
}

TEST_CASE("what is known when a limit stops a table", "[characters][quick]") {
  const auto whole = partial_character_table(sporadic_group("M11"), {});
  REQUIRE(whole.table);
  CHECK(whole.reason.empty());
  CHECK(whole.classes->size() == 10);
  // The clock runs out at some point of the work; whatever is there must be right.
  const CharacterTable full = character_table(sporadic_group("M12"));
  std::set<std::vector<Cyclotomic>> rows;
  for (std::size_t i = 0; i < full.size(); ++i) {
    auto row = full.row(i);
    std::sort(row.begin(), row.end());
    rows.insert(row);
  }
  for (const double seconds : {1e-9, 0.0005, 0.001, 0.002, 0.004}) {
    const auto some = partial_character_table(sporadic_group("M12"), Task(0, seconds, {}));
    if (some.table) continue;
    CHECK_FALSE(some.reason.empty());
    if (!some.classes) {
      Integer sum = 0;
      for (const auto& c : some.found_classes) sum += c.size;
      CHECK(sum < full.group().order());
      CHECK(some.characters.empty());
    }
    for (auto row : some.characters) {
      std::sort(row.begin(), row.end());
      CHECK(rows.contains(row));
    }
  }
}

TEST_CASE("tables of wreath products with a thousand classes", "[characters][slow][.]") {
  // W(D_6) and W(D_8) have the classes that split; the squares of the degrees and the powers are checked by class
  // matrices for the first, by the verification of every table for the others.
  REQUIRE(content(character_table(weyl_group('D', 6))) ==
          content(character_table_by_class_matrices(FiniteGroup(60, weyl_group('D', 6).generators()))));
  REQUIRE(character_table(weyl_group('D', 8)).size() == 100);
  REQUIRE(character_table(wreath_product(symmetric_group(5), symmetric_group(4))).size() == 490);
  const FiniteGroup P = wreath_product(wreath_product(cyclic_group(3), cyclic_group(3)), cyclic_group(3));
  REQUIRE(character_table(P).size() == 1683);
}

TEST_CASE("limits stop a table", "[characters][quick]") {
  CHECK_THROWS_AS(character_table(sporadic_group("M24"), Task(0, 1e-9, {})), LimitError);
  CHECK_THROWS_AS(character_table(symmetric_group(34), Task(1 << 20, 0, {})), LimitError);
}

namespace {

/// A copy of the table with other values, and whatever else is changed.
CharacterTable tampered(const CharacterTable& table,
                        const std::map<std::pair<std::size_t, std::size_t>, Cyclotomic>& changes,
                        const std::function<void(CharacterTable::Data&)>& change = {}) {
  auto data =
      std::make_shared<CharacterTable::Data>(CharacterTable::Data{table.classes(), table.power_maps(), {}, {}, {}, {}});
  for (std::size_t i = 0; i < table.size(); ++i) {
    data->indicators.push_back(table.indicator(i));
    data->labels.push_back(table.label(i));
    for (std::size_t c = 0; c < table.size(); ++c) {
      const auto at = changes.find({i, c});
      data->values.push_back(static_cast<std::uint32_t>(data->pool.size()));
      data->pool.push_back(at == changes.end() ? table(i, c) : at->second);
    }
  }
  if (change) change(*data);
  return CharacterTable(std::move(data));
}

}  // namespace

TEST_CASE("verification rejects wrong tables", "[characters][quick]") {
  const CharacterTable a5 = character_table(alternating_group(5));
  CHECK_NOTHROW(verify(tampered(a5, {})));
  CHECK_THROWS_AS(verify(tampered(a5, {{{3, 1}, a5(3, 1) + Cyclotomic(1)}})), VerificationError);
  CHECK_THROWS_AS(verify(tampered(a5, {{{3, 0}, Cyclotomic(5)}})), VerificationError);
  CHECK_THROWS_AS(verify(tampered(a5, {{{3, 1}, Cyclotomic(Rational(1, 2))}})), VerificationError);
  CHECK_THROWS_AS(verify(tampered(a5, {{{1, 3}, a5(1, 4)}})), VerificationError);  // breaks the Galois action
  CHECK_THROWS_AS(verify(tampered(a5, {{{1, 3}, a5(1, 4)}, {{1, 4}, a5(1, 3)}})),
                  VerificationError);  // a row twice
  CHECK_THROWS_AS(verify(tampered(a5, {{{1, 3}, parse_cyclotomic("E(7)")}})), VerificationError);
  const CharacterTable c4 = character_table(cyclic_group(4));
  std::map<std::pair<std::size_t, std::size_t>, Cyclotomic> swapped;  // i exchanged with -1 in all rows
  for (std::size_t i = 0; i < 4; ++i) swapped[{i, 1}] = c4(i, 2), swapped[{i, 2}] = c4(i, 1);
  CHECK_THROWS_AS(verify(tampered(c4, swapped)), VerificationError);
  const auto refusal = [](const CharacterTable& table, const auto& change) {
    try {
      verify(tampered(table, {}, change));
    } catch (const VerificationError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  using Data = CharacterTable::Data;
  CHECK(refusal(a5, [](Data& d) { d.power_maps.at(5)[4] = 3; }) == "verify: the power map for 5 is wrong");
  CHECK(refusal(a5, [](Data& d) { std::swap(d.power_maps.at(2)[3], d.power_maps.at(2)[4]); }) ==
        "verify: the power map for 2 is wrong");
  CHECK_THAT(refusal(a5, [](Data& d) { d.power_maps.erase(3); }), Catch::Contains("a divisor of 3 is missing"));
  CHECK(refusal(a5, [](Data& d) { d.power_maps[7] = d.power_maps.at(5); }) ==
        "verify: 7 does not divide the order of the group");
  CHECK(refusal(c4, [](Data& d) { d.indicators[1] = 1 - d.indicators[1]; }) ==
        "verify: the indicator of row 1 is wrong");
}

TEST_CASE("verification rejects wrong tables with many classes", "[characters][quick]") {
  // Above 64 classes words, twists by linear characters and bounds by centralizers come in.
  const CharacterTable rational = character_table(hyperoctahedral_group(7));
  const CharacterTable irrational = character_table(wreath_product(cyclic_group(3), symmetric_group(5)));
  REQUIRE(rational.size() > 64);
  REQUIRE(irrational.size() > 64);
  auto rng = test_rng();
  for (const CharacterTable& table : {rational, irrational}) {
    const std::size_t n = table.size();
    REQUIRE_NOTHROW(verify(tampered(table, {})));
    for (int trial = 0; trial < 10; ++trial) {
      const std::size_t i = rng.below(n), j = rng.below(n), c = rng.below(n), d = rng.below(n);
      REQUIRE_THROWS_AS(verify(tampered(table, {{{i, c}, table(i, c) + Cyclotomic(1)}})), VerificationError);
      if (table(i, c) != table(j, c))
        REQUIRE_THROWS_AS(verify(tampered(table, {{{i, c}, table(j, c)}, {{j, c}, table(i, c)}})), VerificationError);
      if (c != d && table.classes()[c].size != table.classes()[d].size) {
        std::map<std::pair<std::size_t, std::size_t>, Cyclotomic> columns;  // exchanged
        for (std::size_t k = 0; k < n; ++k) columns[{k, c}] = table(k, d), columns[{k, d}] = table(k, c);
        REQUIRE_THROWS_AS(verify(tampered(table, columns)), VerificationError);
      }
    }
  }
}
