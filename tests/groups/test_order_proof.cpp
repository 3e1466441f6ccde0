// Strong generators as words: the words make them, the base tells elements apart, and nothing is left over.
#include "intertwine/groups/order_proof.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"

using namespace intertwine;

namespace {

std::vector<Permutation> elements_of(const FiniteGroup& G, const OrderProof& proof) {
  std::vector<Permutation> elements = G.generators();
  for (const Word& word : proof.words) {
    Permutation product = Permutation::identity(G.degree());
    for (const std::int32_t x : word) {
      const auto k = static_cast<std::size_t>(std::abs(x)) - 1;
      REQUIRE(k < elements.size());
      product = product * (x > 0 ? elements[k] : elements[k].inverse());
    }
    elements.push_back(product);
  }
  return elements;
}

/// The product of the basic orbits of the strong generators.
Integer orbits(const std::vector<Permutation>& elements, const OrderProof& proof) {
  std::vector<Permutation> moving;
  for (const std::uint32_t s : proof.strong) moving.push_back(elements.at(s));
  Integer order = 1;
  for (const Point b : proof.base) {
    std::vector<Point> orbit{b};
    std::set<Point> seen{b};
    for (std::size_t i = 0; i < orbit.size(); ++i)
      for (const Permutation& s : moving)
        if (seen.insert(s(orbit[i])).second) orbit.push_back(s(orbit[i]));
    order *= orbit.size();
    std::erase_if(moving, [&](const Permutation& s) { return s(b) != b; });
  }
  for (const Permutation& s : moving) CHECK(s.is_identity());
  return order;
}

}  // namespace

TEST_CASE("the orbits of strong generators made by words have the order of the group", "[groups][quick]") {
  for (const char* name : {"C1", "C2", "C12", "D7", "S3", "S10", "A9", "M11", "M12", "M24", "C2 wr A5", "S4 x S5",
                           "SL(2,5)", "C3 wr C3", "Rubik(2)", "S3 wr S3", "S40"}) {
    INFO(name);
    const FiniteGroup G = parse_finite_group(name);
    const OrderProof proof = order_proof(G);
    const auto elements = elements_of(G, proof);
    CHECK(orbits(elements, proof) == G.order());
    for (std::uint32_t k = 0; k < G.generators().size(); ++k)
      CHECK(std::find(proof.strong.begin(), proof.strong.end(), k) != proof.strong.end());
    for (std::size_t k = 0; k < proof.base.size(); ++k) CHECK(proof.base[k] < G.degree());
    // Every word is needed: by a strong generator, or by a word behind it.
    std::set<std::size_t> needed(proof.strong.begin(), proof.strong.end());
    for (const Word& word : proof.words)
      for (const std::int32_t x : word) needed.insert(static_cast<std::size_t>(std::abs(x)) - 1);
    for (std::size_t k = G.generators().size(); k < elements.size(); ++k) CHECK(needed.contains(k));
    const OrderProof again = order_proof(G);
    CHECK(again.words == proof.words);
  }
}

TEST_CASE("an order proof can show that it is wrong", "[groups][quick]") {
  const FiniteGroup G = parse_finite_group("M11");
  OrderProof proof = order_proof(G);
  proof.strong.resize(G.generators().size());
  CHECK(orbits(elements_of(G, proof), proof) != G.order());
}

TEST_CASE("groups without generators, and of degree 0, have an empty proof", "[groups][quick]") {
  const OrderProof proof = order_proof(FiniteGroup(5, {}));
  CHECK(proof.base.empty());
  CHECK(proof.words.empty());
  CHECK(proof.strong.empty());
  CHECK(order_proof(FiniteGroup(3, {Permutation::identity(3)})).base.empty());
}

TEST_CASE("an order proof keeps to the limits of its task", "[groups][quick]") {
  CHECK_THROWS_AS(order_proof(parse_finite_group("S2000"), Task(1U << 22, 0, {})), LimitError);
}
