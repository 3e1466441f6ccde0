#include <catch2/catch.hpp>
#include <map>

#include "groups/reference_groups.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// Sizes add up, orders and centralizers fit, representatives are identified, the identity is first.
void check_laws(const ConjugacyClasses& classes) {
  const FiniteGroup& G = classes.group();
  CAPTURE(G.name());
  Integer sum = 0;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    sum += classes[k].size;
    REQUIRE(classes[k].size * classes[k].centralizer_order == G.order());
    REQUIRE(classes[k].representative.order() == classes[k].element_order);
    REQUIRE(classes.index_of(classes[k].representative) == k);
    if (k > 0) REQUIRE(classes[k - 1].element_order <= classes[k].element_order);
  }
  REQUIRE(sum == G.order());
  REQUIRE(classes[0].representative.is_identity());
  // Orders and sizes tell most powers; the class of an element knows nothing of that.
  std::vector<std::uint32_t> reversed(classes.size());
  for (std::size_t c = 0; c < reversed.size(); ++c) reversed[c] = static_cast<std::uint32_t>(reversed.size() - 1 - c);
  const ConjugacyClasses other = classes.reordered(reversed);
  for (const Integer& k : {Integer(2), Integer(3), Integer(5), Integer(-1), Integer(-6), Integer(0), Integer(7) << 70U})
    for (const ConjugacyClasses& numbered : {classes, other}) {
      const auto map = numbered.power_map(k);
      for (std::size_t c = 0; c < numbered.size(); ++c) {
        CAPTURE(k, c);
        REQUIRE(map[c] == numbered.index_of(numbered[c].representative.power(k)));
      }
    }
}

/// (element order, size) of every class, sorted.
std::vector<std::pair<std::uint64_t, Integer>> signature(const ConjugacyClasses& classes) {
  std::vector<std::pair<std::uint64_t, Integer>> result;
  for (std::size_t k = 0; k < classes.size(); ++k) result.emplace_back(classes[k].element_order, classes[k].size);
  std::sort(result.begin(), result.end());
  return result;
}

/// G on its own elements, from the left.
FiniteGroup on_itself(const FiniteGroup& G) {
  std::map<Permutation, Point> number;
  G.chain().for_each_element([&](const Permutation& g) {
    number.emplace(g, static_cast<Point>(number.size()));
    return true;
  });
  std::vector<Permutation> generators;
  for (const Permutation& s : G.generators()) {
    std::vector<Point> images(number.size());
    for (const auto& [g, x] : number) images[x] = number.at(s * g);
    generators.emplace_back(images);
  }
  return FiniteGroup(number.size(), generators);
}

}  // namespace

TEST_CASE("regular groups have the classes of their other actions", "[groups][quick]") {
  const auto kinds = [](const ConjugacyClasses& classes) {
    std::vector<std::pair<std::uint64_t, Integer>> list;
    for (std::size_t k = 0; k < classes.size(); ++k) list.emplace_back(classes[k].element_order, classes[k].size);
    std::ranges::sort(list);
    return list;
  };
  for (const FiniteGroup& G : {symmetric_group(4), alternating_group(5), dicyclic_group(3), cyclic_group(6),
                               general_linear_group(2, 3), grid_group("p4", 3, 3)}) {
    const FiniteGroup regular = on_itself(G);
    CAPTURE(G.name());
    const ConjugacyClasses classes = conjugacy_classes_by_orbits(regular);
    check_laws(classes);
    REQUIRE(kinds(classes) == kinds(conjugacy_classes(G)));
    const LeastConjugates least(regular);
    for (std::size_t c = 0; c < classes.size(); ++c)
      REQUIRE(least(classes[c]) == least.by_orbit(classes[c].representative));
  }
  // Regular on an orbit that point 0 is not in.
  const FiniteGroup moved(7, {parse_permutation("(2,3,4)(5,6,7)", 7)});
  check_laws(conjugacy_classes_by_orbits(moved));
  CHECK_THROWS_AS(conjugacy_classes_by_orbits(on_itself(symmetric_group(6)), Task(1000, 0, {})), LimitError);
}

TEST_CASE("least conjugates by orbit, by search and by all elements", "[groups][quick]") {
  for (const FiniteGroup& G :
       {symmetric_group(5), alternating_group(6), dihedral_group(9), sporadic_group("M11"), dicyclic_group(3),
        projective_special_linear_group(2, 11), hyperoctahedral_group(3), general_linear_group(2, 3),
        wreath_product(cyclic_group(3), symmetric_group(3)), direct_product({symmetric_group(4), cyclic_group(4)}),
        direct_product({dihedral_group(4), alternating_group(4)}), grid_group("p4", 3, 3)}) {
    CAPTURE(G.name());
    const ConjugacyClasses classes = conjugacy_classes(G);
    std::vector<Permutation> least(classes.size());
    G.chain().for_each_element([&](const Permutation& g) {
      Permutation& known = least[classes.index_of_element(g)];
      if (known.degree() == 0 || g < known) known = g;
      return true;
    });
    const LeastConjugates conjugates(G);
    for (std::size_t c = 0; c < classes.size(); ++c) {
      REQUIRE(conjugates.by_orbit(classes[c].representative) == least[c]);
      REQUIRE(conjugates.by_search(classes[c].representative) == least[c]);
      REQUIRE(conjugates(classes[c]) == least[c]);
    }
  }
}

TEST_CASE("least conjugates in large groups", "[groups][quick]") {
  // Fixed points first, then cycles of consecutive points in increasing length.
  const FiniteGroup S20 = symmetric_group(20);
  const LeastConjugates in_symmetric(S20);
  auto rng = test_rng();
  for (int trial = 0; trial < 5; ++trial) {
    const Permutation g = random_permutation(20, rng);
    std::vector<Point> lengths = g.cycle_type(), images;
    std::reverse(lengths.begin(), lengths.end());
    for (const Point length : lengths)
      for (Point i = 0, first = static_cast<Point>(images.size()); i < length; ++i)
        images.push_back(first + (i + 1) % length);
    REQUIRE(in_symmetric.by_search(g) == Permutation(images));
  }
  // The same for all conjugates, in groups with classes of millions of elements.
  for (const FiniteGroup& G : {sporadic_group("M24"), alternating_group(16), rubik_group(3), sporadic_group("J2"),
                               wreath_product(symmetric_group(5), symmetric_group(4)),
                               direct_product({symmetric_group(12), cyclic_group(3)})}) {
    CAPTURE(G.name());
    const LeastConjugates least(G);
    for (int trial = 0; trial < 3; ++trial) {
      const Permutation g = G.random_element(rng), x = G.random_element(rng);
      const Permutation found = least.by_search(g);
      REQUIRE(found == least.by_search(x * g * x.inverse()));
      REQUIRE(conjugating_element(G, g, found));
      REQUIRE_FALSE(x * g * x.inverse() < found);
    }
  }
}

// Numbers of classes from the ATLAS of Finite Groups and Carter, Conjugacy classes in the Weyl group (1972).
TEST_CASE("numbers of classes of known groups", "[groups][quick]") {
  const auto [G, count] = GENERATE(table<FiniteGroup, std::size_t>({
      {symmetric_group(1), 1},
      {symmetric_group(3), 3},
      {symmetric_group(10), 42},
      {alternating_group(5), 5},
      {alternating_group(10), 24},
      {cyclic_group(12), 12},
      {dihedral_group(8), 7},
      {dicyclic_group(2), 5},
      {sporadic_group("M11"), 10},
      {sporadic_group("M12"), 15},
      {sporadic_group("M22"), 12},
      {sporadic_group("M24"), 26},
      {sporadic_group("J1"), 15},
      {sporadic_group("J2"), 21},
      {sporadic_group("HS"), 24},
      {weyl_group('E', 6), 25},
      {weyl_group('E', 7), 60},
      {weyl_group('F', 4), 25},
      {hyperoctahedral_group(5), 36},
      {direct_product({symmetric_group(4), alternating_group(5)}), 25},
      {projective_special_linear_group(3, 5), 30},
  }));
  const auto classes = conjugacy_classes(G);
  REQUIRE(classes.size() == count);
  check_laws(classes);
  REQUIRE(number_of_conjugacy_classes(G) == count);
}

TEST_CASE("classes of large groups from any generators", "[groups][slow][.]") {
  Rng rng(5);
  for (const auto& [name, count] : std::vector<std::pair<const char*, std::size_t>>{
           {"HS", 24}, {"McL", 24}, {"Co3", 42}, {"He", 33}, {"Ru", 36}, {"Suz", 43}, {"Co2", 60}}) {
    const FiniteGroup G = sporadic_group(name);
    const auto expected = signature(conjugacy_classes(G));
    REQUIRE(expected.size() == count);
    const Permutation names = random_permutation(G.degree(), rng);
    std::vector<Permutation> words;
    for (int k = 0; k < 3; ++k) words.push_back(names * G.random_element(rng) * names.inverse());
    const auto classes = conjugacy_classes(FiniteGroup(G.degree(), words));
    REQUIRE(signature(classes) == expected);
    check_laws(classes);
  }
}

TEST_CASE("numbers of classes of large groups", "[groups][slow][.]") {
  for (const auto& [G, count] : std::vector<std::pair<FiniteGroup, std::size_t>>{{sporadic_group("McL"), 24},
                                                                                 {sporadic_group("Co3"), 42},
                                                                                 {weyl_group('E', 8), 112},
                                                                                 {rubik_group(2), 270}}) {
    const auto classes = conjugacy_classes(G);
    REQUIRE(classes.size() == count);
    check_laws(classes);
  }
}

// Ree(q) has q + 8 classes.
TEST_CASE("classes of Ree(27)", "[groups][slow][.]") {
  const auto classes = conjugacy_classes(ree_group(27));
  REQUIRE(classes.size() == 35);
  check_laws(classes);
}

TEST_CASE("orbits and random search find the same classes", "[groups][quick]") {
  auto rng = test_rng();
  for (const auto& G :
       {symmetric_group(5), alternating_group(6), dihedral_group(9), dicyclic_group(5), hyperoctahedral_group(4),
        wreath_product(cyclic_group(3), symmetric_group(3)), wreath_product(symmetric_group(4), cyclic_group(2)),
        special_linear_group(2, 5), general_linear_group(2, 3), affine_general_linear_group(1, 8),
        sporadic_group("M11"), grid_group("p4m", 4, 4), weyl_group('H', 3), FiniteGroup(3, {})}) {
    CAPTURE(G.name());
    const auto a = conjugacy_classes_by_orbits(G), b = conjugacy_classes_by_random_search(G);
    check_laws(a);
    check_laws(b);
    REQUIRE(signature(a) == signature(b));
    std::map<std::size_t, std::size_t> same;  // the two numberings correspond
    for (int trial = 0; trial < 200; ++trial) {
      const Permutation g = G.random_element(rng), x = G.random_element(rng);
      const std::size_t i = a.index_of(g), j = b.index_of(g);
      REQUIRE(same.emplace(i, j).first->second == j);
      REQUIRE(a.index_of(x * g * x.inverse()) == i);
      REQUIRE(b.index_of(x * g * x.inverse()) == j);
    }
    const auto squares = b.power_map(2);
    for (std::size_t k = 0; k < b.size(); ++k)
      REQUIRE(squares[k] == b.index_of(b[k].representative * b[k].representative));
  }
}

namespace {

/// Lifting against another method: the same classes, and one numbering of elements for the other.
void check_lifting(const ConjugacyClasses& expected, Rng& rng) {
  const FiniteGroup& G = expected.group();
  CAPTURE(G.name(), G.order());
  const ConjugacyClasses lifted = conjugacy_classes_by_lifting(G);
  check_laws(lifted);
  REQUIRE(signature(lifted) == signature(expected));
  REQUIRE(lifted.number_told_by_search() == 0);
  std::map<std::size_t, std::size_t> same, back;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const Permutation x = G.random_element(rng);
    const std::size_t at = lifted.index_of(x * expected[k].representative * x.inverse());
    REQUIRE(same.emplace(k, at).second);
    REQUIRE(back.emplace(at, k).second);
    REQUIRE(lifted[at].size == expected[k].size);
  }
  for (int trial = 0; trial < 30; ++trial) {
    const Permutation g = G.random_element(rng);
    REQUIRE(lifted.index_of(g) == same.at(expected.index_of(g)));
  }
}

}  // namespace

TEST_CASE("lifting finds the classes of solvable groups", "[groups][quick]") {
  auto rng = test_rng();
  std::size_t solvable = 0;
  for (const ReferenceGroup& reference : reference_groups()) {
    if (reference.order() > 3000) continue;
    if (!is_solvable(reference.group)) {
      CHECK_THROWS_AS(conjugacy_classes_by_lifting(reference.group), DomainError);
      continue;
    }
    ++solvable;
    check_lifting(conjugacy_classes_by_orbits(reference.group), rng);
  }
  CHECK(solvable > 50);
  check_lifting(conjugacy_classes_by_orbits(FiniteGroup(3, {})), rng);
  // Subgroups of every shape: a few elements of groups with many layers.
  for (const FiniteGroup& G :
       {wreath_product(symmetric_group(4), symmetric_group(3)), wreath_product(symmetric_group(3), cyclic_group(6)),
        affine_general_linear_group(2, 3), affine_general_linear_group(1, 64),
        direct_product({general_linear_group(2, 3), dihedral_group(12), dicyclic_group(6)}),
        wreath_product(cyclic_group(4), wreath_product(cyclic_group(2), cyclic_group(2)))})
    for (int trial = 0; trial < 8 * test_multiplier(); ++trial) {
      std::vector<Permutation> generators;
      for (int k = 0; k <= trial % 3; ++k) generators.push_back(G.random_element(rng));
      const FiniteGroup H(G.degree(), generators);
      if (H.order() <= 5000) check_lifting(conjugacy_classes_by_orbits(H), rng);
    }
}

TEST_CASE("lifting and random search find the same classes of larger groups", "[groups][slow][.]") {
  auto rng = test_rng();
  for (const FiniteGroup& G :
       {wreath_product(symmetric_group(3), cyclic_group(6)), wreath_product(cyclic_group(5), cyclic_group(4)),
        direct_product({affine_general_linear_group(1, 27), symmetric_group(4), dihedral_group(7)}),
        wreath_product(symmetric_group(4), cyclic_group(3)), affine_general_linear_group(1, 199)}) {
    check_lifting(conjugacy_classes_by_random_search(G), rng);
    REQUIRE_NOTHROW(verify(conjugacy_classes_by_lifting(G)));
  }
}

// Elements that move the blocks of K wr C_n by s have gcd(s, n) cycles of blocks, and the classes of K along them count
// up to rotation: for S3 wr C10 that is N(10) + 4 N(1) + 4 N(2) + N(5) with the necklaces of 1, 2, 5 and 10 beads in
// three colours.
TEST_CASE("classes of large solvable groups", "[groups][quick]") {
  const FiniteGroup G = wreath_product(symmetric_group(3), cyclic_group(10));
  const ConjugacyClasses classes = conjugacy_classes(G);
  REQUIRE(classes.size() == 5934 + 4 * 3 + 4 * 6 + 51);
  Integer sum = 0;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    sum += classes[k].size;
    REQUIRE(classes[k].representative.order() == classes[k].element_order);
    REQUIRE(classes.index_of(classes[k].representative) == k);
  }
  REQUIRE(sum == G.order());
  auto rng = test_rng();
  for (int trial = 0; trial < 20; ++trial) {
    const Permutation g = G.random_element(rng), x = G.random_element(rng);
    const std::size_t k = classes.index_of(g);
    REQUIRE(classes.index_of(x * g * x.inverse()) == k);
    REQUIRE(centralizer(G, g).order() == classes[k].centralizer_order);
    REQUIRE(conjugating_element(G, g, classes[k].representative));
  }
  // Limits: what is found so far is kept.
  const PartialConjugacyClasses partial = partial_conjugacy_classes(G, Task(1U << 20U, 0, {}));
  CHECK_FALSE(partial.classes);
  CHECK(partial.reason.find("conjugacy classes") != std::string::npos);
}

TEST_CASE("classes of the reference groups", "[groups][quick]") {
  for (const ReferenceGroup& reference : reference_groups())
    if (reference.order() <= 2000) check_laws(conjugacy_classes(reference.group));
}

TEST_CASE("centralizers agree with enumeration", "[groups][quick]") {
  auto rng = test_rng();
  for (const auto& G :
       {symmetric_group(6), alternating_group(7), hyperoctahedral_group(4), sporadic_group("M11"),
        wreath_product(symmetric_group(3), symmetric_group(3)), projective_general_linear_group(2, 7)}) {
    const Centralizers centralizers(G);
    for (int trial = 0; trial < 6 * test_multiplier(); ++trial) {
      const Permutation g = G.random_element(rng), t = G.random_element(rng);
      CAPTURE(G.name(), g.to_string());
      std::size_t commuting = 0;
      G.chain().for_each_element([&](const Permutation& x) {
        commuting += x * g == g * x;
        return true;
      });
      const FiniteGroup C = trial % 2 == 0 ? centralizer(G, g) : centralizers(g);
      REQUIRE(C.order() == commuting);
      for (const Permutation& c : C.generators()) REQUIRE((c * g == g * c && G.contains(c)));
      const auto x = conjugating_element(G, g, t * g * t.inverse());
      REQUIRE(x.has_value());
      REQUIRE(*x * g * x->inverse() == t * g * t.inverse());
      REQUIRE(G.contains(*x));
    }
  }
}

TEST_CASE("elements that are not conjugate", "[groups][quick]") {
  const FiniteGroup A5 = alternating_group(5);
  const Permutation g = parse_permutation("(1,2,3,4,5)", 5);
  CHECK_FALSE(conjugating_element(A5, g, g.power(2)).has_value());
  CHECK(conjugating_element(A5, g, g.power(4)).has_value());
  CHECK(conjugating_element(symmetric_group(5), g, g.power(2)).has_value());
  CHECK_THROWS_AS(conjugating_element(A5, g, parse_permutation("(1,2)", 6)), DomainError);
  CHECK_THROWS_AS(centralizer(A5, parse_permutation("(1,2)", 6)), DomainError);
  CHECK_THROWS_AS(conjugacy_classes(A5).index_of(parse_permutation("(1,2)", 5)), DomainError);
}

// Against the elements one by one. Elements outside of Alt(n) are conjugated, too.
TEST_CASE("conjugating elements of symmetric and alternating groups", "[groups][quick]") {
  auto rng = test_rng();
  for (const std::size_t n : {3U, 4U, 5U, 6U})
    for (const bool even : {false, true}) {
      const FiniteGroup all = symmetric_group(n), G = even ? alternating_group(n) : all;
      std::size_t none = 0;
      for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
        const Permutation g = all.random_element(rng), t = all.random_element(rng);
        const Permutation h = trial % 4 == 0 ? t : t * g * t.inverse();
        CAPTURE(G.name(), g.to_string(), h.to_string());
        bool conjugate = false;
        G.chain().for_each_element([&](const Permutation& x) {
          conjugate = conjugate || x * g == h * x;
          return !conjugate;
        });
        const auto x = conjugating_element(G, g, h);
        REQUIRE(x.has_value() == conjugate);
        none += !conjugate;
        if (x) REQUIRE((*x * g == h * *x && G.contains(*x)));
      }
      REQUIRE(none > 0);
    }
}

TEST_CASE("conjugating elements on many points", "[groups][quick]") {
  const std::size_t n = 3000;
  const Permutation g = parse_permutation("(1,2)(3,4,5)", n), h = parse_permutation("(2999,3000)(1,3,2)", n);
  const auto x = conjugating_element(symmetric_group(n), g, h, Task(16U << 20, 0, {}));
  REQUIRE(x);
  CHECK(*x * g == h * *x);
  const auto y = conjugating_element(alternating_group(n), g, h, Task(16U << 20, 0, {}));
  REQUIRE(y);
  CHECK((*y * g == h * *y && y->is_even()));
  // The search of other groups asks for its levels and for what is on the way at once.
  const FiniteGroup G = direct_product({symmetric_group(300), symmetric_group(300)});
  const Permutation a = parse_permutation("(1,2)", 600), b = parse_permutation("(2,3)", 600);
  CHECK(conjugating_element(G, a, b).has_value());
  CHECK_THROWS_WITH(conjugating_element(G, a, b, Task(4U << 20, 0, {})),
                    Catch::Contains("search for conjugating elements"));
}

// In PSL(2,q) powers of a semisimple element are conjugate only to itself and its inverse, and it commutes with
// the torus around it alone.
TEST_CASE("powers of elements on more than a thousand points", "[groups][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = projective_special_linear_group(2, 1039);
  for (int trial = 0; trial < 3; ++trial) {
    Permutation g = G.random_element(rng);
    while (g.order() < 10 || g.order() == 1039) g = G.random_element(rng);
    const auto order = g.order().convert_to<std::uint64_t>();
    CAPTURE(order);
    CHECK(centralizer(G, g).order() == (520 % order == 0 ? 520 : 519));
    const Permutation t = G.random_element(rng);
    for (std::uint64_t k = 1; k < 6; ++k) {
      const Permutation h = t * g.power(k) * t.inverse();
      const auto x = conjugating_element(G, g, h);
      REQUIRE(x.has_value() == (k == 1));
      if (x) REQUIRE((*x * g == h * *x && G.contains(*x)));
      REQUIRE(conjugating_element(G, g.inverse(), h).has_value() == (k == 1));
    }
  }
}

TEST_CASE("the class of an element is looked for under the task's limits", "[groups][quick]") {
  const ConjugacyClasses classes = conjugacy_classes_by_random_search(affine_general_linear_group(2, 4));
  Task stopped(0, 0, {});
  stopped.cancel();
  CHECK(classes.power_map(1, {}).size() == classes.size());
  CHECK_THROWS_AS(classes.power_map(1, stopped), Interrupted);
  std::size_t searched = 0;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const Permutation t = classes.group().generators().front();
    std::size_t found = k;
    try {
      found = classes.index_of(t * classes[k].representative * t.inverse(), stopped);
    } catch (const Interrupted&) {
      ++searched;
    }
    CHECK(found == k);
  }
  CHECK(searched > 0);
  CHECK(searched < classes.size());
}

TEST_CASE("classes stop at the task's limits", "[groups][quick]") {
  Task task;
  task = Task(0, 1e-9, {});
  CHECK_THROWS_AS(conjugacy_classes(sporadic_group("M24"), task), LimitError);
  CHECK_THROWS_AS(conjugacy_classes(symmetric_group(100)), LimitError);
  CHECK(number_of_conjugacy_classes(symmetric_group(100)) == 190569292);
}

TEST_CASE("how many classes are told apart by searches", "[groups][quick]") {
  // Conjugate powers of one element have the same cycles, and searches alone tell them apart.
  const FiniteGroup G = affine_general_linear_group(2, 4);
  const auto by_search = conjugacy_classes_by_random_search(G);
  CHECK(by_search.number_told_by_search() > 0);
  CHECK(by_search.number_told_by_search() < by_search.size());
  CHECK(conjugacy_classes_by_orbits(G).number_told_by_search() == 0);
  CHECK(conjugacy_classes(symmetric_group(6)).number_told_by_search() == 0);
}

namespace {

std::vector<ConjugacyClass> list_of(const ConjugacyClasses& classes) {
  std::vector<ConjugacyClass> list;
  for (std::size_t k = 0; k < classes.size(); ++k) list.push_back(classes[k]);
  return list;
}

std::string refusal(const FiniteGroup& G, const std::vector<ConjugacyClass>& list) {
  try {
    verify(G, list);
  } catch (const VerificationError& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("classes are proved from their list alone", "[groups][quick]") {
  for (const FiniteGroup& G :
       {symmetric_group(5), alternating_group(6), dihedral_group(6), cyclic_group(12), sporadic_group("M11"),
        special_linear_group(2, 5), wreath_product(cyclic_group(3), symmetric_group(3)), FiniteGroup(3, {})}) {
    CAPTURE(G.name());
    REQUIRE_NOTHROW(verify(conjugacy_classes(G)));
  }
}

TEST_CASE("wrong lists of classes are refused", "[groups][quick]") {
  const FiniteGroup G = alternating_group(5);
  const std::vector<ConjugacyClass> right = list_of(conjugacy_classes(G));
  REQUIRE(right.size() == 5);
  REQUIRE(refusal(G, right).empty());
  auto wrong = right;  // the two classes of 5-cycles merged
  wrong.pop_back();
  wrong.back().size *= 2;
  wrong.back().centralizer_order = 60 / wrong.back().size;
  CHECK(refusal(G, wrong) ==
        "verify: class 3 has a size and a centralizer order whose product is not the order of the group");
  wrong.back().size = 20;  // which divides the order
  wrong.back().centralizer_order = 3;
  CHECK(refusal(G, wrong) == "verify: class 3 does not have the stated centralizer order");
  wrong = right;
  wrong.pop_back();
  CHECK(refusal(G, wrong) == "verify: the sizes of the 4 classes add up to 48, not to the order 60");
  wrong = right;  // one class of 5-cycles twice: its own inverse
  wrong[4].representative = right[3].representative.inverse();
  CHECK(refusal(G, wrong) == "verify: class 4 is class 3 again");
  wrong = right;
  std::swap(wrong[1].representative, wrong[2].representative);
  CHECK(refusal(G, wrong) == "verify: class 1 does not have the stated element order");
  wrong = right;
  wrong[1].representative = parse_permutation("(1,2)", 5);
  CHECK(refusal(G, wrong) == "verify: class 1 has a representative outside the group");
  wrong = right;
  std::swap(wrong[0], wrong[1]);
  CHECK(refusal(G, wrong) == "verify: class 0 is not that of the identity");
  CHECK(refusal(symmetric_group(5), right) ==
        "verify: class 0 has a size and a centralizer order whose product is not the order of the group");
}

TEST_CASE("telling the powers of one element apart asks for time", "[groups][quick]") {
  const FiniteGroup C = cyclic_group(30000);
  C.order();
  CHECK_THROWS_AS(conjugacy_classes(C, Task(0, 0.05, {})), LimitError);  // 8000 classes have order 30000
}
