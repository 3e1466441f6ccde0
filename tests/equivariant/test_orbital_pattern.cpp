#include "intertwine/equivariant/orbital_pattern.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <thread>

#include "intertwine/error.hpp"
#include "laws/intertwiner.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

SignedPermutation random_signed(std::size_t degree, Rng& rng, bool signs) {
  std::vector<SignedPoint> images;
  const Permutation g = random_permutation(degree, rng);
  for (Point i = 0; i < degree; ++i) images.emplace_back(g(i), signs && rng.below(2) == 1);
  return SignedPermutation(images);
}

/// Generators of a group acting on rows and columns. Any lists of the same length are one (a quotient of the free group).
struct Pair {
  std::uint64_t m, n;
  std::vector<SignedPermutation> rows, cols;
};

/// Blocks that stay apart, a few generators, signs in one case of two: many orbits, vanishing ones among them.
Pair random_pair(Rng& rng) {
  const std::uint64_t limit = rng.below(10) == 0 ? 40 : 9;
  Pair pair{rng.below(limit), rng.below(limit), {}, {}};
  const bool signs = rng.below(2) == 1;
  const auto blocks = [&](std::uint64_t degree) {
    if (degree == 0) return SignedPermutation();
    // A power of a random element has small orbits.
    SignedPermutation g = random_signed(degree, rng, signs), power = g;
    for (std::uint64_t k = rng.below(4); k > 0; --k) power = power * g;
    return power;
  };
  for (std::uint64_t k = rng.below(4); k > 0; --k) {
    pair.rows.push_back(blocks(pair.m));
    pair.cols.push_back(blocks(pair.n));
  }
  return pair;
}

OrbitalPattern pattern(const Pair& pair, unsigned patience = 16) {
  return OrbitalPattern(pair.m, pair.n, pair.rows, pair.cols, 0, patience);
}

/// The definition: entries as vertices, generators as edges with signs; labels as the pattern numbers them.
struct Oracle {
  std::vector<std::int64_t> labels;
  std::vector<MatrixEntry> vanishing;
  std::uint64_t params = 0;
};

Oracle brute_force(const Pair& pair) {
  Oracle oracle;
  std::map<std::uint64_t, int> sign;
  oracle.labels.assign(pair.m * pair.n, 0);
  for (std::uint64_t start = 0; start < pair.m * pair.n; ++start) {
    if (sign.count(start) != 0) continue;
    std::vector<std::uint64_t> orbit{start};
    sign[start] = 1;
    bool vanishes = false;
    for (std::size_t head = 0; head < orbit.size(); ++head)
      for (std::size_t k = 0; k < pair.rows.size(); ++k) {
        const SignedPoint i = pair.rows[k](static_cast<Point>(orbit[head] / pair.n)),
                          j = pair.cols[k](static_cast<Point>(orbit[head] % pair.n));
        const std::uint64_t image = i.point() * pair.n + j.point();
        const int expected = sign[orbit[head]] * i.sign() * j.sign();
        const auto [at, fresh] = sign.try_emplace(image, expected);
        if (fresh) orbit.push_back(image);
        vanishes = vanishes || at->second != expected;
      }
    if (vanishes) {
      oracle.vanishing.push_back({start / pair.n, start % pair.n});
      continue;
    }
    ++oracle.params;
    for (const std::uint64_t place : orbit)
      oracle.labels[place] = sign[place] * static_cast<std::int64_t>(oracle.params);
  }
  return oracle;
}

class Table final : public CodeRows {
 public:
  Table(std::uint64_t rows, std::uint64_t cols, std::vector<std::int32_t> entries)
      : rows_(rows), cols_(cols), codes(std::move(entries)) {}
  std::uint64_t rows() const override { return rows_; }
  std::uint64_t cols() const override { return cols_; }
  void row(std::uint64_t i, std::span<std::int32_t> out) const override {
    std::copy_n(codes.begin() + static_cast<std::ptrdiff_t>(i * cols_), cols_, out.begin());
  }

 private:
  std::uint64_t rows_, cols_;

 public:
  std::vector<std::int32_t> codes;
};

Table table(const OrbitalPattern& p) {
  std::vector<std::int32_t> codes;
  std::visit([&](const auto& c) { codes.assign(c.begin(), c.end()); }, p.codes());
  return {p.rows(), p.cols(), codes};
}

SignedPermutation cycle(std::size_t n) {
  std::vector<SignedPoint> images;
  for (Point i = 0; i < n; ++i) images.emplace_back(static_cast<Point>((i + 1) % n));
  return SignedPermutation(images);
}

}  // namespace

TEST_CASE("patterns agree with union-find over all entries", "[equivariant][quick]") {
  auto rng = test_rng();
  std::size_t vanishing = 0, zero_size = 0, no_generators = 0;
  for (int trial = 0; trial < 2000 * test_multiplier(); ++trial) {
    const Pair pair = random_pair(rng);
    const OrbitalPattern p = pattern(pair);
    const Oracle oracle = brute_force(pair);
    CAPTURE(trial, pair.m, pair.n, pair.rows.size());
    REQUIRE(p.params() == oracle.params);
    REQUIRE(laws::labels(p) == oracle.labels);
    REQUIRE(p.vanishing_orbits() == oracle.vanishing);
    REQUIRE(laws::broken_rows(p) == "");
    REQUIRE(laws::broken_order(p) == "");
    REQUIRE(p.check());
    REQUIRE(OrbitalPattern::commutes(*p.view(), p.params(), pair.rows, pair.cols));
    vanishing += p.vanishing_orbits().size();
    zero_size += pair.m * pair.n == 0 ? 1 : 0;
    no_generators += pair.rows.empty() ? 1 : 0;
  }
  REQUIRE(vanishing > 0);
  REQUIRE(zero_size > 0);
  REQUIRE(no_generators > 0);
}

TEST_CASE("a known group order changes nothing, even a wrong one is found out", "[equivariant][quick]") {
  // C4 on itself: stabilizers are trivial and need no work.
  const OrbitalPattern regular(4, 4, {cycle(4)}, {cycle(4)}, 4);
  REQUIRE(regular.params() == 4);
  REQUIRE(regular.check());
  REQUIRE(laws::labels(regular) == laws::labels(OrbitalPattern(4, 4, {cycle(4)}, {cycle(4)})));
  // S3 has order 6; the lie 3 makes the stabilizers look trivial.
  const SignedPermutation swap(std::vector<SignedPoint>{SignedPoint(1), SignedPoint(0), SignedPoint(2)});
  const OrbitalPattern lied_to(3, 3, {cycle(3), swap}, {cycle(3), swap}, 3);
  REQUIRE(lied_to.params() == 3);
  REQUIRE_FALSE(lied_to.check());
}

TEST_CASE("impatient patterns are too fine, and check() finds it", "[equivariant][quick]") {
  auto rng = test_rng();
  int incomplete = 0, incomplete_vanishing = 0;
  for (int trial = 0; trial < 2000 * test_multiplier(); ++trial) {
    const Pair pair = random_pair(rng);
    const Oracle oracle = brute_force(pair);
    for (const unsigned patience : {0U, 1U}) {
      const OrbitalPattern p = pattern(pair, patience);
      CAPTURE(trial, patience, pair.m, pair.n);
      REQUIRE(laws::broken_rows(p) == "");
      REQUIRE(laws::broken_order(p) == "");
      const bool complete = laws::labels(p) == oracle.labels && p.vanishing_orbits() == oracle.vanishing;
      REQUIRE(p.params() >= oracle.params);
      REQUIRE(p.check() == complete);
      incomplete += complete ? 0 : 1;
      incomplete_vanishing += !complete && laws::labels(p) == oracle.labels ? 1 : 0;
    }
  }
  REQUIRE(incomplete > 50);
  REQUIRE(incomplete_vanishing > 0);
}

TEST_CASE("check() tells apart vanishing classes that belong together", "[equivariant][quick]") {
  // One row that g1 negates: each of the four columns vanishes. g2 joins all columns.
  const SignedPermutation minus(std::vector<SignedPoint>{SignedPoint(0, true)}), plus = SignedPermutation::identity(1);
  const OrbitalPattern whole(1, 4, {minus, plus}, {SignedPermutation::identity(4), cycle(4)});
  REQUIRE(whole.params() == 0);
  REQUIRE(whole.vanishing_orbits() == std::vector<MatrixEntry>{{0, 0}});
  REQUIRE(whole.check());
  const OrbitalPattern apart(1, 4, {minus}, {SignedPermutation::identity(4)});
  REQUIRE(apart.vanishing_orbits() == std::vector<MatrixEntry>{{0, 0}, {0, 1}, {0, 2}, {0, 3}});
  REQUIRE(apart.check());
}

TEST_CASE("commutes rejects tampered tables and names an entry", "[equivariant][quick]") {
  auto rng = test_rng();
  int rejected = 0;
  for (int trial = 0; trial < 1000 * test_multiplier(); ++trial) {
    const Pair pair = random_pair(rng);
    const OrbitalPattern p = pattern(pair);
    if (pair.m * pair.n == 0) continue;
    Table t = table(p);
    const std::size_t at = rng.below(t.codes.size());
    const auto old = t.codes[at];
    t.codes[at] = static_cast<std::int32_t>(rng.below(2 * p.params() + 1));
    if (t.codes[at] == old) continue;
    MatrixEntry witness{~0ULL, ~0ULL};
    std::size_t generator = 99;
    // Right exactly when the whole orbit of the entry is the entry, and no sign stands against the code.
    const bool equivariant = OrbitalPattern::commutes(t, p.params(), pair.rows, pair.cols, {}, &witness, &generator);
    const auto label = [&](std::uint64_t i, std::uint64_t j) {
      return laws::label_of(t.codes[i * p.cols() + j], p.params());
    };
    bool expected = true;
    for (std::size_t k = 0; k < pair.rows.size(); ++k)
      for (Point i = 0; i < pair.m; ++i)
        for (Point j = 0; j < pair.n; ++j) {
          const SignedPoint a = pair.rows[k](i), b = pair.cols[k](j);
          expected = expected && label(a.point(), b.point()) == a.sign() * b.sign() * label(i, j);
        }
    CAPTURE(trial, at);
    REQUIRE(equivariant == expected);
    if (equivariant) continue;
    ++rejected;
    REQUIRE(generator < pair.rows.size());
    const SignedPoint a = pair.rows[generator](static_cast<Point>(witness.row)),
                      b = pair.cols[generator](static_cast<Point>(witness.col));
    REQUIRE(label(a.point(), b.point()) != a.sign() * b.sign() * label(witness.row, witness.col));
  }
  REQUIRE(rejected > 50);
}

TEST_CASE("wide tables: I32 codes, streaming, several threads", "[equivariant][quick]") {
  // C300 on 300 points: 300 parameters. C7 x signs on 7 x 300 with gcd 1: one orbit in each row.
  std::vector<SignedPoint> images;
  for (Point i = 0; i < 300; ++i) images.emplace_back(static_cast<Point>((i + 1) % 300), i == 0);
  const SignedPermutation twisted(images);  // its 300th power is -1
  const OrbitalPattern p(300, 300, {cycle(300)}, {cycle(300)});
  REQUIRE(p.params() == 300);
  REQUIRE(laws::broken_rows(p) == "");
  REQUIRE(laws::broken_order(p) == "");
  REQUIRE(p.check());
  const OrbitalPattern q(300, 300, {twisted}, {twisted});
  REQUIRE(q.params() == 300);
  REQUIRE(laws::broken_rows(q) == "");
  REQUIRE(q.check());
  const OrbitalPattern nothing(300, 300, {cycle(300)}, {twisted});
  REQUIRE(nothing.params() == 0);
  REQUIRE(nothing.vanishing_orbits().size() == 300);
  REQUIRE(nothing.check());
  const Codes expected = q.codes();
  std::vector<Codes> seen(4);
  std::vector<std::thread> threads;
  for (auto& codes : seen) threads.emplace_back([&codes, &q] { codes = q.codes(); });
  for (auto& thread : threads) thread.join();
  for (const auto& codes : seen) REQUIRE(codes == expected);
}

TEST_CASE("rows come in order where they fit into memory, along the trees otherwise", "[equivariant][quick]") {
  auto rng = test_rng();
  const std::uint64_t n = 300;
  const Pair pair{n,
                  n,
                  {random_signed(n, rng, true), random_signed(n, rng, false)},
                  {random_signed(n, rng, true), random_signed(n, rng, false)}};
  const OrbitalPattern rows = pattern(pair);
  const auto codes = [&](const Task& task, std::vector<std::uint64_t>& order) {
    std::vector<std::byte> all(n * n * code_bytes(rows.params()));
    rows.for_each_row(
        code_bytes(rows.params()),
        [&](std::uint64_t row, std::span<const std::byte> part) {
          order.push_back(row);
          std::copy(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(row * part.size()));
        },
        task);
    return all;
  };
  std::vector<std::uint64_t> ordered, along;
  REQUIRE(codes({}, ordered) == codes(Task(4 * n, 0, {}), along));
  REQUIRE((ordered.size() == n && along.size() == n));
  REQUIRE(std::is_sorted(ordered.begin(), ordered.end()));
  REQUIRE_FALSE(std::is_sorted(along.begin(), along.end()));
}

TEST_CASE("rows of two bytes are those of four where their codes fit", "[equivariant][quick]") {
  const std::uint64_t n = 200;
  const OrbitalPattern p(n, n, {cycle(n)}, {cycle(n)}), one(100, 100, {cycle(100)}, {cycle(100)});
  REQUIRE(code_bytes(p.params()) == 4);
  std::vector<std::int32_t> four(n * n), two(n * n);
  p.for_each_row(4, [&](std::uint64_t row, std::span<const std::byte> part) {
    REQUIRE(part.size() == 4 * n);
    std::memcpy(&four[row * n], part.data(), part.size());
  });
  for (const Task& task : {Task(), Task(4 * n, 0, {})}) {  // in memory and along the trees
    std::ranges::fill(two, -1);
    p.for_each_row(
        2,
        [&](std::uint64_t row, std::span<const std::byte> part) {
          REQUIRE(part.size() == 2 * n);
          std::vector<std::uint16_t> codes(n);
          std::memcpy(codes.data(), part.data(), part.size());
          std::ranges::copy(codes, two.begin() + static_cast<std::ptrdiff_t>(row * n));
        },
        task);
    REQUIRE(two == four);
  }
  const auto none = [](std::uint64_t, std::span<const std::byte>) {};
  REQUIRE_THROWS_AS(p.for_each_row(1, none), DomainError);
  REQUIRE_THROWS_AS(one.for_each_row(2, none), DomainError);
}

TEST_CASE("some rows are carried down their paths or taken from all of them, whatever costs less",
          "[equivariant][quick]") {
  for (const std::uint64_t n : {100, 300}) {  // one byte a code, and four
    const OrbitalPattern p(n, n, {cycle(n)}, {cycle(n)});
    const auto rows = p.view();
    const auto taken = [&](const std::vector<std::uint64_t>& wanted, std::vector<std::uint64_t>& order) {
      std::map<std::uint64_t, std::vector<std::int32_t>> found;
      rows->for_rows(wanted, [&](std::uint64_t i, std::span<const std::int32_t> codes) {
        order.push_back(i);
        found[i].assign(codes.begin(), codes.end());
      });
      return found;
    };
    // A cycle has long paths: those of two rows have fewer steps than there are rows, those of every third one have more.
    std::vector<std::uint64_t> few{1, n - 1}, many, order;
    for (std::uint64_t i = 0; i < n; i += 3) many.push_back(i);
    for (const auto& wanted : {few, many}) {
      order.clear();
      const auto found = taken(wanted, order);
      REQUIRE(order.size() == wanted.size());
      REQUIRE(found.size() == wanted.size());
      for (const auto& [i, codes] : found) {
        REQUIRE(std::binary_search(wanted.begin(), wanted.end(), i));
        std::vector<std::int32_t> own(n);
        rows->row(i, own);
        REQUIRE(codes == own);
      }
    }
    REQUIRE(taken({}, order).empty());
    REQUIRE_THROWS_AS(taken({n}, order), DomainError);
    many.push_back(n);
    REQUIRE_THROWS_AS(taken(many, order), DomainError);
  }
}

TEST_CASE("patterns of bad input and beyond limits are refused", "[equivariant][quick]") {
  const auto two = SignedPermutation::identity(2), three = SignedPermutation::identity(3);
  REQUIRE_THROWS_AS(OrbitalPattern(2, 3, {two}, {}), DomainError);
  REQUIRE_THROWS_AS(OrbitalPattern(2, 3, {three}, {three}), DomainError);
  REQUIRE_THROWS_AS(OrbitalPattern(2, 3, {two}, {two}), DomainError);
  REQUIRE_THROWS_AS(OrbitalPattern(std::uint64_t{1} << 31, 1, {}, {}), LimitError);
  REQUIRE_THROWS_AS(OrbitalPattern(1, ~std::uint64_t{0}, {}, {}), LimitError);
  const Task small(1 << 20, 0, {});
  REQUIRE_THROWS_AS(OrbitalPattern(2'000'000'000, 2'000'000'000, {}, {}, 0, 16, small), LimitError);
  const OrbitalPattern p(1000, 1000, {cycle(1000)}, {cycle(1000)});
  REQUIRE_THROWS_AS(p.codes(small), LimitError);
  REQUIRE_THROWS_AS(p.check(small), LimitError);
  REQUIRE_THROWS_AS(p.label(1000, 0), DomainError);
  REQUIRE_THROWS_AS(p.label(0, 1000), DomainError);
  std::vector<std::byte> buffer(7);
  REQUIRE_THROWS_AS(p.fill(buffer), DomainError);
  std::vector<std::int32_t> row(1000), narrow(999);
  REQUIRE_THROWS_AS(p.view()->row(1000, row), DomainError);
  REQUIRE_THROWS_AS(p.view()->row(0, narrow), DomainError);
  const Task cancelled(0, 0, [](auto, auto, auto) {});
  cancelled.cancel();
  REQUIRE_THROWS_AS(p.check(cancelled), Interrupted);
  REQUIRE_THROWS_AS(p.codes(cancelled), Interrupted);
  const Table t(2, 2, {1, 2, 2, 1});
  const std::vector<SignedPermutation> good{two}, bad{three};
  REQUIRE_THROWS_AS(OrbitalPattern::commutes(t, 2, good, {}), DomainError);
  REQUIRE_THROWS_AS(OrbitalPattern::commutes(t, 2, good, bad), DomainError);
  REQUIRE_THROWS_AS(OrbitalPattern::commutes(t, std::uint64_t{1} << 30, good, good), DomainError);
  REQUIRE(OrbitalPattern::commutes(t, 2, good, good));
}
