// The deterministic proof of stabilizer chains, given chains that are incomplete on purpose.
#include <catch2/catch.hpp>
#include <set>

#include "groups/chain/chain_verify.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// The order by listing all elements.
std::size_t order_by_closure(std::size_t degree, const std::vector<Permutation>& generators) {
  std::set<Permutation> seen{Permutation::identity(degree)};
  std::vector<Permutation> queue(seen.begin(), seen.end());
  for (std::size_t head = 0; head < queue.size(); ++head)
    for (const Permutation& g : generators) {
      Permutation next = g * queue[head];
      if (seen.insert(next).second) queue.push_back(std::move(next));
    }
  return queue.size();
}

/// Products of disjoint small cycles and powers of random elements: groups that are not all symmetric.
Permutation random_generator(std::size_t degree, Rng& rng) {
  const Permutation g = random_permutation(degree, rng);
  switch (rng.below(4)) {
    case 0:
      return g;
    case 1:
      return g.power(2);
    case 2:
      return g.power(3);
    default:
      return g.power(g.order() / (g.order() % 2 == 0 ? 2 : 1));
  }
}

}  // namespace

TEST_CASE("no incomplete chain passes the proof, and its failures complete it", "[groups][quick]") {
  auto rng = test_rng();
  int incomplete = 0, proper = 0;
  for (int trial = 0; trial < 400 * test_multiplier(); ++trial) {
    const std::size_t degree = 1 + rng.below(7);
    std::vector<Permutation> generators;
    for (std::uint64_t k = rng.below(4); k > 0; --k) generators.push_back(random_generator(degree, rng));
    std::vector<Point> base;
    for (std::uint64_t k = rng.below(4); k > 0; --k) base.push_back(static_cast<Point>(rng.below(degree)));
    const std::size_t order = order_by_closure(degree, generators);
    proper += order < 5040 && order > 7 ? 1 : 0;
    // No random phase at all: the generators are inserted, the rest is left to the proof.
    ChainBuilder<std::uint16_t> builder(degree, generators, base, {});
    builder.randomize(0, 0, rng);
    CAPTURE(trial, degree, generators.size(), base, order);
    for (;;) {
      REQUIRE(builder.order() <= order);
      const bool complete = builder.order() == order;
      incomplete += complete ? 0 : 1;
      // (A complete chain may still be told to add a generator, one that fails to be proved redundant.)
      if (verify_chain(builder)) {
        REQUIRE(complete);
        break;
      }
    }
    // The chain knows its members.
    for (int k = 0; k < 5; ++k) {
      const Permutation g = random_permutation(degree, rng);
      std::vector<std::uint16_t> images(g.images().begin(), g.images().end());
      const bool member = builder.sift_in_place(images, 0) == builder.levels().size() && builder.is_identity(images);
      std::vector<Permutation> more = generators;
      more.push_back(g);
      REQUIRE(member == (order_by_closure(degree, more) == order));
    }
    REQUIRE(StabilizerChain(degree, generators, base).order() == order);
    REQUIRE(order_upper_bound(degree, generators) >= order);
  }
  REQUIRE(incomplete > 50);
  REQUIRE(proper > 50);
}

TEST_CASE("giants are recognized by Jordan's criterion only if they are giants", "[groups][quick]") {
  auto rng = test_rng();
  int giants = 0;
  for (int trial = 0; trial < 200 * test_multiplier(); ++trial) {
    const std::size_t degree = 8 + rng.below(8);
    const std::vector<Permutation> generators{random_generator(degree, rng), random_generator(degree, rng)};
    const int kind = recognize_giant(degree, generators, rng);
    if (kind == 0) continue;
    ++giants;
    // The general way, without recognition.
    ChainBuilder<std::uint16_t> builder(degree, generators, {}, {});
    builder.randomize(6, 0, rng);
    while (!verify_chain(builder)) builder.randomize(2, 0, rng);
    CAPTURE(trial, degree, kind);
    REQUIRE(builder.order() * (kind == 2 ? 1 : 2) == factorial(degree));
  }
  REQUIRE(giants > 10);
}
