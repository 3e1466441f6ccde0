// Polynomials of points, beside their definition in long doubles.
#include "intertwine/numeric/point_polynomial.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/numeric/instruction_set.hpp"
#include "numeric/patterns.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// Monomials of the degrees 0 to 4, unsorted, with factors of others among them; some components have no term.
struct RandomPolynomial {
  PolynomialSizes sizes{6, 5, 7};
  std::vector<std::vector<std::uint64_t>> monomials{{}};
  std::vector<PointTerm> terms;

  explicit RandomPolynomial(Rng& random) {
    for (std::uint64_t degree = 1; degree <= 4; ++degree)
      for (std::uint64_t k = 0; k < 4 * degree; ++k) {
        monomials.emplace_back();
        for (std::uint64_t d = 0; d < degree; ++d) monomials.back().push_back(random() % sizes.in);
        std::vector<std::uint64_t> sorted = monomials.back();
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t other = 0; other + 1 < monomials.size(); ++other) {
          std::vector<std::uint64_t> before = monomials[other];
          std::sort(before.begin(), before.end());
          if (before == sorted) {
            monomials.pop_back();
            break;
          }
        }
      }
    for (std::uint64_t m = 0; m < monomials.size(); ++m)
      for (std::uint64_t w = 0; w < sizes.weights; ++w)
        for (std::uint64_t o = 0; o + 1 < sizes.out; ++o)
          if (random() % 6 == 0) terms.push_back({w, o, m, static_cast<double>(random() % 2001) / 1000 - 1});
  }
};

template <class T>
std::vector<T> numbers(Rng& random, std::uint64_t count) {
  std::vector<T> list(count);
  for (T& x : list) x = static_cast<T>(static_cast<double>(random() % 20001) / 10000 - 1);
  return list;
}

template <class T>
struct Values {
  std::vector<T> x, w;
  PolynomialOperands<T> view() const { return {x, w}; }
};

/// Values and gradients, by the number of directions.
template <class T>
struct All {
  std::vector<std::vector<T>> value, x, w;
  bool operator==(const All&) const = default;
};

template <class T>
struct Question {
  std::vector<std::int64_t> kinds;
  std::uint64_t kind_count, channels;
  Values<T> at;
  std::vector<Values<T>> directions;
  std::vector<T> g;

  Question(Rng& random, const RandomPolynomial& p, std::uint64_t points, std::uint64_t kind_number, std::uint64_t C)
      : kind_count(kind_number), channels(C) {
    for (std::uint64_t n = 0; n < points; ++n)  // no point is of the last kind
      kinds.push_back(static_cast<std::int64_t>(random() % std::max<std::uint64_t>(1, kind_count - 1)));
    const auto some = [&] {
      return Values<T>{numbers<T>(random, points * p.sizes.in * C),
                       numbers<T>(random, kind_count * p.sizes.weights * C)};
    };
    at = some();
    directions = {some(), some()};
    g = numbers<T>(random, points * p.sizes.out * C);
  }

  All<T> answer(const PointPolynomial& p, unsigned threads) const {
    All<T> all;
    std::vector<PolynomialOperands<T>> moves;
    for (std::size_t m = 0; m <= directions.size(); ++m) {
      if (m > 0) moves.push_back(directions[m - 1].view());
      const auto fresh = [](std::size_t n) { return std::vector<T>(n, static_cast<T>(std::nan(""))); };
      all.value.push_back(fresh(g.size()));
      all.x.push_back(fresh(at.x.size()));
      all.w.push_back(fresh(at.w.size()));
      p.value<T>({kind_count, kinds}, channels, at.view(), moves, all.value[m], threads);
      p.gradients<T>({kind_count, kinds}, channels, at.view(), g, moves, {all.x[m], all.w[m]}, threads);
    }
    return all;
  }
};

/// By the definition, term by term: the derivative of a product along directions replaces a factor by each of them.
struct Defined {
  std::vector<long double> value, x, w;

  template <class T>
  Defined(const RandomPolynomial& p, const Question<T>& q, std::size_t moves)
      : value(q.g.size()), x(q.at.x.size()), w(q.at.w.size()) {
    const std::uint64_t C = q.channels;
    for (std::size_t n = 0; n < q.kinds.size(); ++n)
      for (const PointTerm& t : p.terms)
        for (std::uint64_t c = 0; c < C; ++c) {
          const std::size_t out = (n * p.sizes.out + t.out) * C + c;
          // The factors: the weight and the variables, and of each its values along the directions.
          std::vector<std::size_t> places{(static_cast<std::size_t>(q.kinds[n]) * p.sizes.weights + t.weight) * C + c};
          for (const std::uint64_t v : p.monomials[t.monomial]) places.push_back((n * p.sizes.in + v) * C + c);
          const auto factor = [&](std::size_t k, std::size_t direction) -> long double {
            const Values<T>& from = direction == 0 ? q.at : q.directions[direction - 1];
            return k == 0 ? from.w[places[0]] : from.x[places[k]];
          };
          // `left_out` is a factor without value, or none.
          const auto product = [&](std::size_t left_out) {
            long double sum = 0;
            std::vector<std::size_t> chosen(moves, 0);  // the factor that each direction moves
            const std::size_t count = places.size();
            for (;;) {
              bool good = true;
              for (std::size_t a = 0; a < moves; ++a) {
                good = good && chosen[a] != left_out;
                for (std::size_t b = 0; b < a; ++b) good = good && chosen[a] != chosen[b];
              }
              if (good) {
                long double one = t.value;
                for (std::size_t k = 0; k < count; ++k) {
                  if (k == left_out) continue;
                  std::size_t direction = 0;
                  for (std::size_t a = 0; a < moves; ++a)
                    if (chosen[a] == k) direction = a + 1;
                  one *= factor(k, direction);
                }
                sum += one;
              }
              std::size_t a = 0;
              while (a < moves && ++chosen[a] == count) chosen[a++] = 0;
              if (a == moves) return sum;
            }
          };
          value[out] += product(places.size());
          w[places[0]] += q.g[out] * product(0);
          for (std::size_t k = 1; k < places.size(); ++k) x[places[k]] += q.g[out] * product(k);
        }
  }
};

template <class T>
void require_near(const std::vector<T>& found, const std::vector<long double>& wanted) {
  const double tolerance = sizeof(T) == 4 ? 1e-4 : 1e-12;
  REQUIRE(found.size() == wanted.size());
  double worst = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const double error = std::abs(static_cast<double>(found[k] - wanted[k]));
    worst = std::max(worst, std::isnan(error) ? INFINITY : error / (1 + std::abs(static_cast<double>(wanted[k]))));
  }
  REQUIRE(worst < tolerance);
}

template <class T>
void require_definition(Rng& random, std::uint64_t points, std::uint64_t C) {
  const RandomPolynomial table(random);
  const PointPolynomial polynomial(table.sizes, table.monomials, table.terms);
  const Question<T> question(random, table, points, 3, C);
  const All<T> found = question.answer(polynomial, 1);
  for (std::size_t moves = 0; moves <= 2; ++moves) {
    CAPTURE(moves, points, C, sizeof(T));
    const Defined wanted(table, question, moves);
    require_near(found.value[moves], wanted.value);
    require_near(found.x[moves], wanted.x);
    require_near(found.w[moves], wanted.w);
  }
}

template <class T>
void require_same_bits(Rng& random, std::uint64_t points, std::uint64_t C) {
  const RandomPolynomial table(random);
  const PointPolynomial polynomial(table.sizes, table.monomials, table.terms);
  const Question<T> question(random, table, points, 2, C);
  const All<T> wanted = question.answer(polynomial, 1);
  for (unsigned threads = 2; threads <= 3; ++threads) REQUIRE(question.answer(polynomial, threads) == wanted);
  for (const auto level : {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512}) {
    if (level > best_instruction_set()) continue;
    force_instruction_set(level);
    const bool same = question.answer(polynomial, 1) == wanted;
    force_instruction_set(std::nullopt);
    CAPTURE(to_string(level), C);
    REQUIRE(same);
  }
}

}  // namespace

TEST_CASE("polynomials of points and their derivatives are those of the definition", "[numeric][quick]") {
  Rng random = test_rng();
  for (const std::uint64_t C : {1, 2, 7, 16, 17, 33}) {
    require_definition<float>(random, 11, C);
    require_definition<double>(random, 5, C);
  }
}

TEST_CASE("threads and instruction sets change no bit of polynomials of points", "[numeric][quick]") {
  Rng random = test_rng();
  for (const std::uint64_t C : {3, 21}) {
    require_same_bits<float>(random, 600, C);  // more points of one kind than a share has
    require_same_bits<double>(random, 30, C);
  }
}

TEST_CASE("no points, channels or kinds of points give zeros", "[numeric][quick]") {
  Rng random = test_rng();
  const RandomPolynomial table(random);
  const PointPolynomial polynomial(table.sizes, table.monomials, table.terms);
  const All<double> none = Question<double>(random, table, 0, 3, 4).answer(polynomial, 2);
  REQUIRE(none.w[1] == std::vector<double>(3 * table.sizes.weights * 4));
  REQUIRE(Question<double>(random, table, 5, 3, 0).answer(polynomial, 1).value[0].empty());
  const PointPolynomial zero({2, 3, 1}, {}, {});
  const std::vector<double> x(2, 1.0), w(1, 1.0);
  std::vector<double> out(3, 7.0);
  const std::vector<std::int64_t> kind{0};
  zero.value<double>({1, kind}, 1, {x, w}, {}, out);
  REQUIRE(out == std::vector<double>(3));
}

TEST_CASE("tables and kinds of point polynomials that are none are refused", "[numeric][quick]") {
  using Catch::Contains;
  const std::vector<std::vector<std::uint64_t>> monomials{{1, 0}, {0, 1}}, far{{2}};
  const std::vector<PointTerm> one{{0, 1, 0, 2.0}}, outside{{1, 1, 0, 2.0}}, twice{{0, 1, 0, 2.0}, {0, 1, 1, 1.0}};
  REQUIRE_THROWS_WITH(PointPolynomial({2, 2, 1}, far, one), Contains("a monomial has the variable 2"));
  REQUIRE_THROWS_WITH(PointPolynomial({2, 2, 1}, monomials, outside), Contains("the term of weight 1"));
  REQUIRE_THROWS_WITH(PointPolynomial({2, 2, 1}, monomials, twice), Contains("is given twice"));
  const PointPolynomial p({2, 2, 1}, monomials, one);
  const std::vector<double> x{3, 5}, w{0.5};
  std::vector<double> out(2);
  const std::vector<std::int64_t> kind{0}, bad{1};
  p.value<double>({1, kind}, 1, {x, w}, {}, out);
  REQUIRE(out == std::vector<double>{0, 15});
  REQUIRE_THROWS_WITH(p.value<double>({1, bad}, 1, {x, w}, {}, out), Contains("a point has the kind 1"));
  REQUIRE_THROWS_WITH(p.value<double>({1, kind}, 2, {x, w}, {}, out), Contains("x has 2 numbers"));
  const std::vector<PolynomialOperands<double>> three(3, {x, w});
  REQUIRE_THROWS_WITH(p.value<double>({1, kind}, 1, {x, w}, three, out), Contains("at most 2 directions"));
}
