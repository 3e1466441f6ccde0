// Attention over positions and a group, beside its definition in long doubles.
#include "intertwine/numeric/attention.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "intertwine/error.hpp"
#include "numeric/patterns.hpp"
#include "support/random.hpp"

using namespace intertwine;
using namespace test_patterns;

namespace {

using Numbers = std::vector<std::int64_t>;

/// An n x n grid, every site with a neighbourhood of k x k; sites outside are keys -1 or left out. Rows see random entries, or -1.
struct Grid {
  Numbers first{0}, key, code, query_of, difference, element;
  AttentionPattern pattern;

  Grid(Rng& random, std::int64_t n, std::int64_t k, std::int64_t elements, std::int64_t rows, bool hidden,
       bool listed) {
    const std::int64_t reach = k / 2, differences = k * k;
    for (std::int64_t site = 0; site < n * n; ++site) {
      for (std::int64_t d = 0; d < differences; ++d) {
        const std::int64_t y = site / n + d / k - reach, x = site % n + d % k - reach;
        const bool outside = y < 0 || x < 0 || y >= n || x >= n;
        if (outside && !listed) continue;
        key.push_back(outside ? -1 : y * n + x);
        code.push_back(d);
      }
      first.push_back(static_cast<std::int64_t>(key.size()));
    }
    const auto below = [&](std::int64_t bound) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
    };
    for (std::int64_t r = 0; r < rows; ++r) {
      query_of.push_back(rows == elements ? r : below(elements));
      for (std::int64_t d = 0; d < differences; ++d)
        difference.push_back(hidden && d != differences / 2 && below(4) == 0 ? -1 : below(differences) * elements);
      for (std::int64_t g = 0; g < elements; ++g) element.push_back((g + r) % elements);
    }
    const auto count = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
    pattern = {
        count(n * n), count(rows), count(elements), count(differences), count(differences * elements), first, key, code,
        query_of,     difference,  element};
  }
  Grid(const Grid&) = delete;
};

template <class T>
std::vector<T> gaussian(Rng& random, std::uint64_t count) {
  std::normal_distribution<double> normal;
  std::vector<T> out(count);
  for (T& x : out) x = static_cast<T>(normal(random));
  return out;
}

template <class T>
struct Problem {
  std::vector<T> q, k, v, e, d_o;
  AttentionSizes sizes;
  Problem(Rng& random, const AttentionPattern& p, const AttentionSizes& s, double scale = 1)
      : q(gaussian<T>(random, s.batch * p.positions * p.elements * s.heads * s.width)),
        k(gaussian<T>(random, q.size())),
        v(gaussian<T>(random, s.batch * p.positions * p.elements * s.heads * s.value_width)),
        e(gaussian<T>(random, s.heads * p.entries * s.width)),
        d_o(gaussian<T>(random, s.batch * p.positions * p.rows * s.heads * s.value_width)),
        sizes(s) {
    for (T& x : q) x *= static_cast<T>(scale);
  }
  AttentionInput<T> input() const { return {q, k, v, e}; }
};

/// o, then the gradients of q, k, v and e.
template <class T>
std::array<std::vector<T>, 5> solved(const AttentionPattern& p, const Problem<T>& x, unsigned threads = 1) {
  std::vector<T> sums(2 * x.sizes.batch * p.positions * p.rows * x.sizes.heads);
  std::array<std::vector<T>, 5> out{std::vector<T>(x.d_o.size()), std::vector<T>(x.q.size()),
                                    std::vector<T>(x.k.size()), std::vector<T>(x.v.size()), std::vector<T>(x.e.size())};
  attention<T>(p, x.sizes, x.input(), {out[0], sums}, threads);
  attention_gradients<T>(p, x.sizes, x.input(), {out[0], sums}, x.d_o, {out[1], out[2], out[3], out[4]}, threads);
  return out;
}

/// A sum, and the sum of its terms' sizes, which bounds the rounding: where terms cancel the sum itself does not.
struct Sum {
  long double value = 0, size = 0;
  void operator+=(const Sum& term) {
    value += term.value;
    size += term.size;
  }
  void operator+=(long double term) { *this += Sum{term, std::abs(term)}; }
  Sum operator*(long double factor) const { return {value * factor, size * std::abs(factor)}; }
};

template <class T>
std::array<std::vector<Sum>, 5> by_definition(const AttentionPattern& p, const Problem<T>& x) {
  const AttentionSizes& s = x.sizes;
  const auto wide = [](const std::vector<T>& v) { return std::vector<long double>(v.begin(), v.end()); };
  const auto q = wide(x.q), k = wide(x.k), v = wide(x.v), e = wide(x.e), g = wide(x.d_o);
  std::array<std::vector<Sum>, 5> out;
  for (std::size_t a = 0; a < 5; ++a) out[a].resize((std::array{g.size(), q.size(), k.size(), v.size(), e.size()})[a]);
  auto& [o, dq, dk, dv, de] = out;
  const std::uint64_t D = s.width, W = s.value_width;
  for (std::uint64_t at = 0; at < s.batch * s.heads * p.positions * p.rows; ++at) {
    const std::uint64_t r = at % p.rows, i = at / p.rows % p.positions, h = at / p.rows / p.positions % s.heads,
                        b = at / p.rows / p.positions / s.heads;
    const std::uint64_t query =
        ((b * p.positions + i) * p.elements + static_cast<std::uint64_t>(p.query_of[r])) * s.heads + h;
    const std::uint64_t row = ((b * p.positions + i) * p.rows + r) * s.heads + h;
    std::vector<std::array<std::uint64_t, 2>> seen;
    std::vector<long double> score;
    for (auto pair = static_cast<std::uint64_t>(p.first[i]); pair < static_cast<std::uint64_t>(p.first[i + 1]); ++pair)
      for (std::uint64_t y = 0; y < p.elements; ++y) {
        const std::int64_t d = p.difference[r * p.differences + static_cast<std::uint64_t>(p.code[pair])];
        if (p.key[pair] < 0 || d < 0) continue;
        const std::uint64_t key =
            ((b * p.positions + static_cast<std::uint64_t>(p.key[pair])) * p.elements + y) * s.heads + h;
        const std::uint64_t entry = h * p.entries + static_cast<std::uint64_t>(d + p.element[r * p.elements + y]);
        long double sum = 0;
        for (std::uint64_t c = 0; c < D; ++c) sum += q[query * D + c] * (k[key * D + c] + e[entry * D + c]);
        seen.push_back({key, entry});
        score.push_back(sum);
      }
    if (score.empty()) continue;
    const long double most = *std::max_element(score.begin(), score.end());
    long double total = 0;
    Sum mean;
    for (long double& z : score) total += z = std::exp(z - most);
    for (std::size_t n = 0; n < score.size(); ++n)
      for (std::uint64_t c = 0; c < W; ++c) o[row * W + c] += score[n] / total * v[seen[n][0] * W + c];
    for (std::uint64_t c = 0; c < W; ++c) mean += o[row * W + c] * g[row * W + c];
    for (std::size_t n = 0; n < score.size(); ++n) {
      const auto [key, entry] = seen[n];
      const long double weight = score[n] / total;
      Sum slope{-mean.value, mean.size};
      for (std::uint64_t c = 0; c < W; ++c) {
        slope += g[row * W + c] * v[key * W + c];
        dv[key * W + c] += weight * g[row * W + c];
      }
      for (std::uint64_t c = 0; c < D; ++c) {
        dq[query * D + c] += slope * weight * (k[key * D + c] + e[entry * D + c]);
        dk[key * D + c] += slope * weight * q[query * D + c];
        de[entry * D + c] += slope * weight * q[query * D + c];
      }
    }
  }
  return out;
}

template <class T>
void require_near(const AttentionPattern& p, const Problem<T>& x, long double rounding = 100) {
  const auto found = solved(p, x);
  const auto wanted = by_definition(p, x);
  for (std::size_t a = 0; a < 5; ++a) {
    long double worst = 0, size = 1;
    for (std::size_t n = 0; n < wanted[a].size(); ++n) {
      worst = std::max(worst, std::abs(wanted[a][n].value - static_cast<long double>(found[a][n])));
      size = std::max(size, wanted[a][n].size);
    }
    INFO(a);
    REQUIRE(worst <= rounding * std::numeric_limits<T>::epsilon() * size);
  }
}

}  // namespace

TEST_CASE("attention and its gradients are what their definition says", "[numeric][quick]") {
  Rng random = test_rng();
  for (const auto& [n, k, elements, rows] :
       {std::array{4, 3, 4, 4}, {3, 3, 2, 4}, {5, 5, 1, 8}, {3, 5, 8, 8}, {1, 1, 3, 3}})
    for (const bool hidden : {false, true}) {
      const Grid grid(random, n, k, elements, rows, hidden, hidden != (n == 3));
      require_near(grid.pattern, Problem<float>(random, grid.pattern, {3, 2, 10, 10}));
      require_near(grid.pattern, Problem<double>(random, grid.pattern, {5, 1, 7, 16}));
      require_near(grid.pattern, Problem<double>(random, grid.pattern, {1, 3, 1, 3}));
    }
}

TEST_CASE("attention with more pairs than one tile of the encoding has", "[numeric][quick]") {
  Rng random = test_rng();
  const Grid grid(random, 7, 13, 16, 3, true, false);  // 49 neighbours x 16 elements
  require_near(grid.pattern, Problem<double>(random, grid.pattern, {2, 1, 4, 5}));
}

TEST_CASE("attention to scores of any size", "[numeric][quick]") {
  Rng random = test_rng();
  const Grid grid(random, 3, 3, 4, 4, false, true);
  require_near(grid.pattern, Problem<double>(random, grid.pattern, {2, 2, 6, 6}, 1e3), 1e5);
  Problem<float> far(random, grid.pattern, {1, 1, 4, 4}, 1e18);
  far.k.assign(far.k.size(), 1e18F);  // products near the largest float
  const auto found = solved(grid.pattern, far);
  REQUIRE(std::all_of(found[0].begin(), found[0].end(), [](float x) { return std::isfinite(x); }));
  far.q[0] = std::numeric_limits<float>::quiet_NaN();
  REQUIRE(std::isnan(solved(grid.pattern, far)[0][0]));
}

TEST_CASE("instruction sets and threads change no bit of attention", "[numeric][quick]") {
  Rng random = test_rng();
  const Grid grid(random, 4, 3, 4, 8, true, true);
  const Problem<float> single(random, grid.pattern, {6, 3, 10, 9});
  const Problem<double> twice(random, grid.pattern, {6, 3, 5, 9});
  std::vector<std::array<std::vector<float>, 5>> singles;
  std::vector<std::array<std::vector<double>, 5>> doubles;
  for (const InstructionSet level : levels()) {
    const Level forced(level);
    for (const unsigned threads : {1U, 3U}) {
      singles.push_back(solved(grid.pattern, single, threads));
      doubles.push_back(solved(grid.pattern, twice, threads));
    }
  }
  for (const auto& other : singles) REQUIRE(other == singles.front());
  for (const auto& other : doubles) REQUIRE(other == doubles.front());
}

TEST_CASE("a row that sees nothing gives 0, and gets no gradient", "[numeric][quick]") {
  Rng random = test_rng();
  Grid grid(random, 2, 3, 2, 2, false, true);
  std::fill_n(grid.difference.begin(), grid.pattern.differences, -1);
  const Problem<double> x(random, grid.pattern, {1, 1, 3, 3});
  const auto found = solved(grid.pattern, x);
  for (std::size_t c = 0; c < 3; ++c) REQUIRE((found[0][c] == 0 && found[1][c] == 0));
  require_near(grid.pattern, x);
}

TEST_CASE("attention refuses what does not fit", "[numeric][quick]") {
  Rng random = test_rng();
  const auto refused = [&](auto spoil, const char* words) {
    Grid grid(random, 2, 1, 2, 2, false, true);
    Problem<double> x(random, grid.pattern, {1, 1, 3, 3});
    spoil(grid, x);
    REQUIRE_THROWS_WITH(solved(grid.pattern, x), Catch::Contains(words));
    REQUIRE_THROWS_AS(solved(grid.pattern, x), DomainError);
  };
  refused([](Grid&, auto& x) { x.q.pop_back(); }, "q has 23 numbers, and its shape has 24");
  refused([](Grid& g, auto&) { g.key[1] = 4; }, "key has the number 4, and they go from -1 to 4 - 1");
  refused([](Grid& g, auto&) { g.code[1] = -1; }, "code has the number -1");
  refused([](Grid& g, auto&) { std::swap(g.first[1], g.first[2]); }, "first does not increase");
  refused([](Grid& g, auto&) { g.query_of[0] = 2; }, "query_of");
  refused([](Grid& g, auto&) { g.difference[0] = 1; }, "row 0 sees entry 2 of the encoding, which has 2");
  refused([](Grid& g, auto&) { g.element[0] = -1; }, "element");
}
