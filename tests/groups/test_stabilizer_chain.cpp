#include "intertwine/groups/stabilizer_chain.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "../../src/groups/chain/chain_verify.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "reference_groups.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

Integer power(unsigned base, unsigned exponent) { return boost::multiprecision::pow(Integer(base), exponent); }

/// What every chain promises, whatever the group.
void require_chain_laws(const StabilizerChain& chain, std::span<const Permutation> generators, Rng& rng) {
  Integer product = 1;
  for (std::size_t level = 0; level < chain.length(); ++level) {
    const auto orbit = chain.orbit(level);
    REQUIRE(orbit.size() > 0);
    REQUIRE(orbit.front() == chain.base_point(level));
    REQUIRE(std::set<Point>(orbit.begin(), orbit.end()).size() == orbit.size());
    product *= orbit.size();
    for (const Point x : {orbit.front(), orbit[rng.below(orbit.size())], orbit.back()}) {
      const Permutation u = chain.transversal(level, x);
      REQUIRE(u(chain.base_point(level)) == x);
      for (std::size_t k = 0; k < level; ++k) REQUIRE(u(chain.base_point(k)) == chain.base_point(k));
      REQUIRE(chain.contains(u));
    }
    for (const Permutation& g : chain.stabilizer_generators(level))
      for (std::size_t k = 0; k < level; ++k) REQUIRE(g(chain.base_point(k)) == chain.base_point(k));
  }
  REQUIRE(chain.stabilizer_generators(chain.length()).empty());
  REQUIRE(product == chain.order());
  for (const Permutation& g : generators) {
    REQUIRE(chain.contains(g));
    REQUIRE(chain.sift(g).is_identity());
  }
  REQUIRE(chain.rank(Permutation::identity(chain.degree())) == 0);
  REQUIRE(chain.unrank(0).is_identity());
  for (int trial = 0; trial < 3; ++trial) {
    const Permutation g = chain.random_element(rng), h = chain.random_element(rng);
    REQUIRE(chain.contains(g * h.inverse()));
    const Integer rank = chain.rank(g);
    REQUIRE(rank >= 0);
    REQUIRE(rank < chain.order());
    REQUIRE(chain.unrank(rank) == g);
  }
  REQUIRE(chain.rank(chain.unrank(chain.order() - 1)) == chain.order() - 1);
}

/// The group as a set, by closing it under the generators.
std::set<Permutation> elements_by_closure(std::size_t degree, const std::vector<Permutation>& generators,
                                          std::size_t limit) {
  std::set<Permutation> all{Permutation::identity(degree)};
  std::vector<Permutation> queue{Permutation::identity(degree)};
  while (!queue.empty() && all.size() <= limit) {
    const Permutation g = queue.back();
    queue.pop_back();
    for (const Permutation& s : generators)
      if (all.insert(s * g).second) queue.push_back(s * g);
  }
  return all;
}

}  // namespace

TEST_CASE("orders of the reference groups are those of GAP", "[groups][quick]") {
  auto rng = test_rng();
  for (const ReferenceGroup& reference : reference_groups()) {
    CAPTURE(reference.group.name());
    const StabilizerChain& chain = reference.group.chain();
    REQUIRE(chain.order() == reference.order());
    require_chain_laws(chain, reference.group.generators(), rng);
  }
}

TEST_CASE("membership in the reference groups is that of GAP", "[groups][quick]") {
  for (const ReferenceGroup& reference : reference_groups()) {
    CAPTURE(reference.group.name());
    const std::size_t n = reference.group.degree();
    for (const auto& text : reference.facts.at("inside"))
      REQUIRE(reference.group.contains(parse_permutation(text.get<std::string>(), n)));
    for (const auto& text : reference.facts.at("outside")) {
      const Permutation g = parse_permutation(text.get<std::string>(), n);
      REQUIRE_FALSE(reference.group.contains(g));
      REQUIRE_FALSE(reference.group.chain().sift(g).is_identity());
      REQUIRE_THROWS_AS(reference.group.chain().rank(g), DomainError);
    }
  }
}

TEST_CASE("the chain of a few random permutations has their closure as its elements", "[groups][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    const std::size_t n = rng.below(8);
    std::vector<Permutation> generators;
    for (std::size_t k = rng.below(4); k > 0; --k)
      generators.push_back(random_permutation(n, rng).power(Integer(1 + rng.below(4))));
    CAPTURE(trial, n, generators.size());
    const StabilizerChain chain(n, generators);
    const std::set<Permutation> all = elements_by_closure(n, generators, 5040);
    REQUIRE(chain.order() == all.size());
    require_chain_laws(chain, generators, rng);
    for (int probe = 0; probe < 20; ++probe) {
      const Permutation g = random_permutation(n, rng);
      REQUIRE(chain.contains(g) == (all.count(g) == 1));
    }
    Integer expected_rank = 0;
    std::set<Permutation> visited;
    chain.for_each_element([&](const Permutation& g) {
      REQUIRE(chain.rank(g) == expected_rank);
      REQUIRE(chain.unrank(expected_rank) == g);
      ++expected_rank;
      visited.insert(g);
      return true;
    });
    REQUIRE(visited == all);
  }
}

TEST_CASE("enumeration stops when it is told to, and when the task is cancelled", "[groups][quick]") {
  const FiniteGroup G = make::symmetric(9);
  int count = 0;
  G.chain().for_each_element([&](const Permutation&) { return ++count < 100; });
  REQUIRE(count == 100);
  const Task task(0, 0, {});
  task.cancel();
  REQUIRE_THROWS_AS(G.chain().for_each_element([](const Permutation&) { return true; }, task), Interrupted);
}

TEST_CASE("along a deep tree an element costs a product, with room for some of them or for none", "[groups][quick]") {
  // One long cycle beside another: every orbit's tree is a path. By walks from the root alone 3000 elements take 10^10 images.
  std::vector<Point> images(3007);
  for (Point i = 0; i < images.size(); ++i) images[i] = i < 3000 ? (i + 1) % 3000 : 3000 + (i - 2999) % 7;
  const std::vector<Permutation> generators = {Permutation(std::move(images))};
  const FiniteGroup G(3007, generators);
  const StabilizerChain& chain = G.chain();
  REQUIRE(chain.order() == 21000);
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 22}) {
    const Task task(memory, 0, {});
    std::size_t rank = 0;
    chain.for_each_element(
        [&](const Permutation& g) {
          if (rank % 500 == 0) REQUIRE(chain.rank(g) == rank);
          return ++rank < 3000;
        },
        task);
    REQUIRE(rank == 3000);
  }
}

TEST_CASE("random elements of small groups are uniform", "[groups][quick]") {
  // Chi-square with a fixed seed; the bound is the mean plus about 5 standard deviations.
  Rng rng(20240607);
  for (const char* name : {"S4", "D6", "Q8", "SL(2,3)", "F21", "PSL(2,7)"}) {
    CAPTURE(name);
    const StabilizerChain& chain = reference_group(name).group.chain();
    const auto order = static_cast<std::size_t>(chain.order());
    const std::size_t samples = 100 * order;
    std::vector<double> count(order, 0);
    for (std::size_t k = 0; k < samples; ++k) ++count[static_cast<std::size_t>(chain.rank(chain.random_element(rng)))];
    double chi_square = 0;
    for (const double c : count) chi_square += (c - 100) * (c - 100) / 100;
    const double freedom = static_cast<double>(order) - 1;
    REQUIRE(chi_square < freedom + 5 * std::sqrt(2 * freedom));
    REQUIRE(chi_square > freedom - 5 * std::sqrt(2 * freedom));
  }
}

TEST_CASE("ranks of large groups", "[groups][quick]") {
  auto rng = test_rng();
  for (const char* name : {"M24", "W(E8)", "Rubik3x3x3", "Syl2(S16)", "S5wrS4", "Co3"}) {
    CAPTURE(name);
    const StabilizerChain& chain = reference_group(name).group.chain();
    for (int trial = 0; trial < 20; ++trial) {
      Integer rank = 0;
      for (int word = 0; word < 3; ++word) rank = rank * power(2, 62) + Integer(rng() >> 2);
      rank %= chain.order();
      const Permutation g = chain.unrank(rank);
      REQUIRE(chain.contains(g));
      REQUIRE(chain.rank(g) == rank);
    }
    REQUIRE_THROWS_AS(chain.unrank(chain.order()), DomainError);
    REQUIRE_THROWS_AS(chain.unrank(-1), DomainError);
  }
}

TEST_CASE("no points, one point, no generators, the identity", "[groups][quick]") {
  auto rng = test_rng();
  for (const std::size_t n : {0, 1, 2, 7}) {
    CAPTURE(n);
    for (const auto& generators : {std::vector<Permutation>{}, std::vector<Permutation>(3, Permutation::identity(n))}) {
      const StabilizerChain chain(n, generators);
      REQUIRE(chain.degree() == n);
      REQUIRE(chain.order() == 1);
      require_chain_laws(chain, generators, rng);
      int count = 0;
      chain.for_each_element([&](const Permutation& g) {
        REQUIRE(g.is_identity());
        return ++count > 0;
      });
      REQUIRE(count == 1);
      if (n >= 2) REQUIRE_FALSE(chain.contains(make::cycle(n, {0, 1})));
      REQUIRE_FALSE(chain.contains(Permutation::identity(n + 1)));
    }
  }
}

TEST_CASE("a prescribed base comes first and in order", "[groups][quick]") {
  auto rng = test_rng();
  for (const char* name : {"M12", "S3wrS4", "C5wrC5", "PSL(3,3)", "Rubik2x2x2", "p4m_torus8"}) {
    CAPTURE(name);
    const ReferenceGroup& reference = reference_group(name);
    const std::size_t n = reference.group.degree();
    for (int trial = 0; trial < 4; ++trial) {
      std::vector<Point> base;
      const Permutation shuffle = random_permutation(n, rng);
      for (Point k = 0; k < rng.below(n + 1); ++k) base.push_back(shuffle(k));
      CAPTURE(base);
      const StabilizerChain chain(n, reference.group.generators(), base);
      REQUIRE(chain.length() >= base.size());
      for (std::size_t k = 0; k < base.size(); ++k) REQUIRE(chain.base_point(k) == base[k]);
      REQUIRE(chain.order() == reference.order());
      require_chain_laws(chain, reference.group.generators(), rng);
      const auto known = StabilizerChain::with_known_order(n, reference.group.generators(), reference.order(), base);
      REQUIRE(known.order() == reference.order());
      for (std::size_t k = 0; k < base.size(); ++k) REQUIRE(known.orbit(k).size() == chain.orbit(k).size());
    }
  }
  const std::vector<Permutation> generators{make::cycle(5, {0, 1})};
  REQUIRE_THROWS_AS(StabilizerChain(5, generators, std::vector<Point>{5}), DomainError);
}

TEST_CASE("a base of fixed and repeated points is kept", "[groups][quick]") {
  auto rng = test_rng();
  const std::vector<Permutation> generators{make::cycle(9, {0, 1, 2}), make::cycle(9, {4, 5})};
  const std::vector<Point> base{8, 4, 3, 5, 0};
  const StabilizerChain chain(9, generators, base);
  REQUIRE(chain.order() == 6);
  std::vector<std::size_t> sizes;
  for (std::size_t level = 0; level < 5; ++level) sizes.push_back(chain.orbit(level).size());
  REQUIRE(sizes == std::vector<std::size_t>{1, 2, 1, 1, 3});
  require_chain_laws(chain, generators, rng);
}

TEST_CASE("symmetric and alternating groups from random generators", "[groups][quick]") {
  auto rng = test_rng();
  for (const std::size_t n : {8, 9, 10, 11, 13, 16, 20, 23, 24, 31, 50, 64, 99, 100, 101, 150, 200}) {
    CAPTURE(n);
    std::vector<Permutation> odd, even;
    while (odd.size() < 3) odd.push_back(random_permutation(n, rng));
    odd.push_back(make::cycle(n, make::range(0, n)));
    odd.push_back(make::cycle(n, {0, 1}));
    while (even.size() < 3)
      if (Permutation g = random_permutation(n, rng); g.is_even()) even.push_back(std::move(g));
    even.push_back(make::cycle(n, make::range(0, n % 2 == 1 ? n : n - 1)));
    even.push_back(make::cycle(n, {0, 1, static_cast<Point>(n - 1)}));
    const StabilizerChain symmetric(n, odd), alternating(n, even);
    REQUIRE(symmetric.order() == factorial(n));
    REQUIRE(alternating.order() * 2 == factorial(n));
    REQUIRE(symmetric.is_giant());
    REQUIRE(alternating.is_giant());
    require_chain_laws(symmetric, odd, rng);
    require_chain_laws(alternating, even, rng);
    for (int trial = 0; trial < 10; ++trial) {
      const Permutation g = random_permutation(n, rng);
      REQUIRE(symmetric.contains(g));
      REQUIRE(alternating.contains(g) == g.is_even());
    }
    std::vector<Point> base{static_cast<Point>(n - 1), 3, 0};
    const StabilizerChain based(n, even, base);
    for (std::size_t k = 0; k < base.size(); ++k) REQUIRE(based.base_point(k) == base[k]);
    require_chain_laws(based, even, rng);
  }
}

TEST_CASE("primitive groups that are not giants are not taken for them", "[groups][quick]") {
  for (const char* name : {"M11", "M12", "M22", "M23", "M24", "PSL(3,4)", "AGL(4,2)", "PGammaL(2,8)", "J2", "HS"})
    REQUIRE_FALSE(reference_group(name).group.chain().is_giant());
}

TEST_CASE("giants small enough are enumerated in rank order", "[groups][quick]") {
  for (const FiniteGroup& G : {make::symmetric(8), make::alternating(8)}) {
    Integer rank = 0;
    std::set<Permutation> all;
    G.chain().for_each_element([&](const Permutation& g) {
      if (rank % 97 == 0) REQUIRE(G.chain().rank(g) == rank);
      ++rank;
      all.insert(g);
      return true;
    });
    REQUIRE(all.size() == G.order());
  }
}

TEST_CASE("many redundant generators", "[groups][quick]") {
  auto rng = test_rng();
  for (const char* name : {"D50", "C3wrS4", "M11", "Syl2(S8)"}) {
    CAPTURE(name);
    const ReferenceGroup& reference = reference_group(name);
    std::vector<Permutation> generators(40, Permutation::identity(reference.group.degree()));
    for (int k = 0; k < 150; ++k) generators.push_back(reference.group.random_element(rng));
    generators.insert(generators.end(), reference.group.generators().begin(), reference.group.generators().end());
    REQUIRE(StabilizerChain(reference.group.degree(), generators).order() == reference.order());
  }
}

TEST_CASE("abelian groups with many orbits", "[groups][quick]") {
  auto rng = test_rng();
  std::vector<Permutation> twos;
  for (Point k = 0; k < 20; ++k) twos.push_back(make::cycle(40, {2 * k, 2 * k + 1}));
  const StabilizerChain elementary(40, twos);
  REQUIRE(elementary.order() == power(2, 20));
  require_chain_laws(elementary, twos, rng);
  // The even half of it, from products of pairs.
  std::vector<Permutation> even;
  for (std::size_t k = 0; k + 1 < twos.size(); ++k) even.push_back(twos[k] * twos[k + 1]);
  REQUIRE(StabilizerChain(40, even).order() == power(2, 19));
  // One cycle of every prime length up to 29: cyclic of order the product of the primes.
  Integer order = 1;
  std::vector<Point> images = make::range(0, 129);
  std::size_t from = 0;
  for (const std::size_t p : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29}) {
    for (std::size_t i = 0; i < p; ++i) images[from + i] = static_cast<Point>(from + (i + 1) % p);
    from += p;
    order *= p;
  }
  REQUIRE(from == 129);
  const std::vector<Permutation> one{Permutation(images)};
  const StabilizerChain cyclic(129, one);
  REQUIRE(cyclic.order() == order);
  require_chain_laws(cyclic, one, rng);
  REQUIRE_FALSE(cyclic.contains(make::cycle(129, {2, 3})));
}

TEST_CASE("a long orbit whose transversal is not kept as a whole", "[groups]") {
  // The Schreier tree of one cycle is a path; 8300 of its elements on 8300 points are more than a chain keeps.
  auto rng = test_rng();
  constexpr std::size_t n = 8300;
  const Permutation turn = make::cycle(n, make::range(0, n));
  std::vector<Point> mirrored(n);
  for (std::size_t i = 0; i < n; ++i) mirrored[i] = static_cast<Point>((n - i) % n);
  const Permutation mirror{mirrored};
  const std::vector<Permutation> one{turn}, two{turn, mirror};
  const StabilizerChain cyclic(n, one), dihedral(n, two);
  REQUIRE(cyclic.order() == n);
  REQUIRE(dihedral.order() == 2 * n);
  require_chain_laws(cyclic, one, rng);
  require_chain_laws(dihedral, two, rng);
  REQUIRE_FALSE(cyclic.contains(mirror));
  REQUIRE(dihedral.contains(mirror * turn * turn));
  REQUIRE_FALSE(dihedral.contains(make::cycle(n, {0, 1})));
}

TEST_CASE("intransitive subdirect products", "[groups][quick]") {
  auto rng = test_rng();
  // S_10 acting twice, once by its sign on two more points, once diagonally.
  const FiniteGroup S = make::symmetric(10);
  std::vector<Permutation> generators;
  for (const Permutation& g : S.generators()) {
    std::vector<Point> images = make::range(0, 22);
    for (Point x = 0; x < 10; ++x) {
      images[x] = g(x);
      images[10 + x] = 10 + g(x);
    }
    if (!g.is_even()) std::swap(images[20], images[21]);
    generators.emplace_back(std::move(images));
  }
  const StabilizerChain chain(22, generators);
  REQUIRE(chain.order() == factorial(10));
  require_chain_laws(chain, generators, rng);
  generators.push_back(make::cycle(22, {0, 1, 2}));
  REQUIRE(StabilizerChain(22, generators).order() == factorial(10) * factorial(10) / 2);
  generators.push_back(make::cycle(22, {0, 1}));
  REQUIRE(StabilizerChain(22, generators).order() == factorial(10) * factorial(10));
}

TEST_CASE("wreath products", "[groups][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = make::wreath(make::symmetric(20), make::symmetric(5));
  Integer order = factorial(5);
  for (int k = 0; k < 5; ++k) order *= factorial(20);
  REQUIRE(G.order() == order);
  require_chain_laws(G.chain(), G.generators(), rng);
  REQUIRE_FALSE(G.contains(make::cycle(100, {0, 20})));
  const FiniteGroup H = make::wreath(make::alternating(5), make::wreath(make::symmetric(3), make::alternating(4)));
  REQUIRE(H.order() == power(60, 12) * power(6, 4) * 12);
}

TEST_CASE("subgroups generated by random elements of structured groups", "[groups][quick]") {
  auto rng = test_rng();
  for (const char* name : {"S5wrS4", "AGL(4,2)", "Syl2(S16)", "W(F4)", "Rubik2x2x2", "C4wrS4", "M12", "GL(2,7)"}) {
    const ReferenceGroup& reference = reference_group(name);
    for (int trial = 0; trial < 5 * test_multiplier(); ++trial) {
      CAPTURE(name, trial);
      std::vector<Permutation> generators;
      for (std::size_t k = 1 + rng.below(3); k > 0; --k) {
        const Permutation g = reference.group.random_element(rng);
        generators.push_back(g.power(Integer(1 + rng.below(6))));
      }
      const std::size_t n = reference.group.degree();
      const StabilizerChain chain(n, generators);
      require_chain_laws(chain, generators, rng);
      REQUIRE(reference.order() % chain.order() == 0);
      // Another base, other random choices, the same group.
      std::vector<Point> base{static_cast<Point>(rng.below(n)), static_cast<Point>(rng.below(n))};
      if (base[0] == base[1]) base.pop_back();
      std::vector<Permutation> again(generators.rbegin(), generators.rend());
      again.push_back(chain.random_element(rng));
      const StabilizerChain other(n, again, base);
      REQUIRE(other.order() == chain.order());
      for (const Permutation& g : other.strong_generators()) REQUIRE(chain.contains(g));
      for (int probe = 0; probe < 5; ++probe) {
        const Permutation g = reference.group.random_element(rng);
        REQUIRE(chain.contains(g) == other.contains(g));
      }
      const auto known = StabilizerChain::with_known_order(n, generators, chain.order());
      REQUIRE(known.order() == chain.order());
      for (const Permutation& g : chain.strong_generators()) REQUIRE(known.contains(g));
    }
  }
}

TEST_CASE("a stated order that the generators do not reach is an error", "[groups][quick]") {
  const FiniteGroup M = reference_group("M11").group;
  REQUIRE_THROWS_AS(StabilizerChain::with_known_order(11, M.generators(), 7920 * 2), InternalError);
  REQUIRE_THROWS_AS(StabilizerChain::with_known_order(11, M.generators(), 7920 + 1), InternalError);
  REQUIRE_THROWS_AS(StabilizerChain::with_known_order(11, M.generators(), 5), InternalError);
  const FiniteGroup S = make::symmetric(30);
  REQUIRE_THROWS_AS(StabilizerChain::with_known_order(30, S.generators(), factorial(30) / 2), InternalError);
  REQUIRE_THROWS_AS(StabilizerChain::with_known_order(3, {}, 2), InternalError);
}

TEST_CASE("chains refuse permutations of another degree and honour the task", "[groups][quick]") {
  const std::vector<Permutation> mixed{Permutation::identity(4), Permutation::identity(5)};
  REQUIRE_THROWS_AS(StabilizerChain(4, mixed), DomainError);
  const FiniteGroup G = reference_group("W(E6)").group;
  REQUIRE_FALSE(G.chain().contains(Permutation::identity(3)));
  REQUIRE_THROWS_AS(G.chain().rank(Permutation::identity(3)), DomainError);
  const Task task(0, 0, {});
  task.cancel();
  REQUIRE_THROWS_AS(StabilizerChain(G.degree(), G.generators(), {}, task), Interrupted);
}

// The proof alone has to find everything that is missing; the random phase only makes that rare.
TEST_CASE("the proof completes a chain that no random element has touched", "[groups][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 1500 * test_multiplier(); ++trial) {
    const std::size_t n = 4 + rng.below(9);
    std::vector<Permutation> generators;
    for (std::size_t k = 1 + rng.below(4); k > 0; --k) {
      if (rng.below(2) == 0)
        generators.push_back(random_permutation(n, rng).power(Integer(1 + rng.below(6))));
      else
        generators.push_back(
            make::cycle(n, {static_cast<Point>(rng.below(n / 2)), static_cast<Point>(n / 2 + rng.below(n / 2))}));
    }
    ChainBuilder<std::uint16_t> builder(n, generators, {}, {});
    for (const Permutation& g : generators) builder.insert({g.images().begin(), g.images().end()});
    while (!verify_chain(builder)) REQUIRE(builder.order() <= factorial(n));
    std::string text;
    for (const Permutation& g : generators) text += g.to_string() + " ";
    CAPTURE(text);
    REQUIRE(builder.order() == StabilizerChain(n, generators).order());
  }
}
