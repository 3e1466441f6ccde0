// Schur indices: known values, the reference list, laws, and the local indices of cyclotomic algebras against each other.
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "characters/cyclotomic_sections.hpp"
#include "characters/value_field.hpp"
#include "intertwine/characters/class_function.hpp"
#include "intertwine/characters/schur_index.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/sylow.hpp"
#include "support/groups.hpp"
#include "support/paths.hpp"

using namespace intertwine;

namespace {

/// [dimension, multiplicity, index] of every irreducible representation over Q in the regular one.
using Constituents = std::multiset<std::vector<long>>;

Constituents rational_constituents(const CharacterTable& table) {
  const auto families = galois_families(table);
  const std::vector<SchurIndex> indices = schur_indices(table);
  Constituents result;
  for (std::size_t i = 0; i < table.size(); ++i) {
    REQUIRE(indices[i].undecided.empty());
    REQUIRE(indices[i] == indices[families[i]]);
    if (families[i] != i) continue;
    const long degree = static_cast<long>(table.degree(i)), m = indices[i].index;
    REQUIRE(degree % m == 0);
    const long conjugates = std::count(families.begin(), families.end(), i);
    result.insert({degree * m * conjugates, degree / m, m});
  }
  return result;
}

FiniteGroup c7_c9() {
  return test_groups::group(16, {"(1,2,3,4,5,6,7)", "(2,3,5)(4,7,6)(8,9,10,11,12,13,14,15,16)"});
}

FiniteGroup c5_c8() { return test_groups::group(13, {"(1,2,3,4,5)", "(2,3,5,4)(6,7,8,9,10,11,12,13)"}); }

}  // namespace

TEST_CASE("Schur indices agree with the reference list", "[characters][slow][.]") {
  const auto list = nlohmann::json::parse(std::ifstream(test_data() + "/rational_wedderburn.json"));
  REQUIRE(list.size() == 146);
  for (const auto& entry : list) {
    std::vector<Permutation> generators;
    for (const auto& images : entry["generators"])
      generators.emplace_back(images.get<std::vector<Point>>());
    CAPTURE(entry["small_group"].dump());
    Constituents expected;
    for (const auto& part : entry["rational_constituents_of_regular"])
      expected.insert({part["dimension"].get<long>(), part["multiplicity"].get<long>(),
                       part["schur_index"].get<long>()});
    CHECK(rational_constituents(character_table(
              FiniteGroup(entry["degree"].get<std::size_t>(), std::move(generators)))) == expected);
  }
}

TEST_CASE("x", "[x][.]") {
  for (const auto& G : {direct_product({dicyclic_group(2), cyclic_group(7)}), c7_c9(), c5_c8(),
                        direct_product({dicyclic_group(2), dicyclic_group(3)})}) {
    for (const auto& x : rational_constituents(character_table(G)))
      std::cout << x[0] << " x " << x[1] << " index " << x[2] << "; ";
    std::cout << "\n";
  }
}

TEST_CASE("invariants of cyclotomic algebras add up to 0", "[characters][quick]") {
  std::size_t count = 0, at_two = 0;
  for (const auto& G : {direct_product({dicyclic_group(2), cyclic_group(7)}), c7_c9(), c5_c8(), 
                        direct_product({dicyclic_group(2), dicyclic_group(3)}), dicyclic_group(15), special_linear_group(2,3),
    affine_general_linear_group(1,13), direct_product({dicyclic_group(2), affine_general_linear_group(1,5)}),
    direct_product({dicyclic_group(4), affine_general_linear_group(1,5)}),
    direct_product({dicyclic_group(7), affine_general_linear_group(1,5)}),
    direct_product({affine_general_linear_group(1,9), dicyclic_group(5)})}) {
    CAPTURE(G.name());
    const ConjugacyClasses classes = conjugacy_classes(G);
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const Permutation& g = classes[c].representative;
      if (classes[c].element_order % 2 == 0) continue;
      std::vector<Permutation> generators = sylow_subgroup(normalizer_of_cyclic(G, g), 2).generators();
      generators.push_back(g);
      const ElementList H(FiniteGroup(G.degree(), generators), {});
      for_each_cyclotomic_section(H, H.number(g), 2, [&](const CyclotomicSection& section) {
        const CyclotomicAlgebra& A = section.algebra;
        const ValueField F(A.n, A.galois);
        if (F.has_roots_of_unity(4)) return true;
        std::size_t halves = real_index(A) == 2 ? F.degree() : 0;
        for (std::uint32_t p : {2u, 3u, 5u, 7u, 11u, 13u}) {
          CHECK(primes_above(A, p) == F.primes_above(p));
          const std::uint32_t m = local_index(A, p);
          if (m == 2) halves += primes_above(A, p), at_two += p == 2;
        }
        ++count;
        CHECK(halves % 2 == 0);
        return true;
      }, {});
    }
  }
  CHECK(count > 10);
  CHECK(at_two > 3);
  std::cout << count << " " << at_two << "\n";
}
