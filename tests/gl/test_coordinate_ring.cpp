#include "intertwine/gl/coordinate_ring.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "intertwine/combinatorics/rsk.hpp"
#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

Bitableau random_product(Rng& rng, MatrixSize size, int degree) {
  const auto subset = [&](int n, int k) {
    std::vector<int> all(n);
    std::iota(all.begin(), all.end(), 0);
    for (int i = 0; i < k; ++i) std::swap(all[i], all[i + static_cast<int>(rng.below(n - i))]);
    all.resize(k);
    std::sort(all.begin(), all.end());
    return all;
  };
  std::vector<MatrixMinor> minors;
  for (int left = degree; left > 0;) {
    const int k = 1 + static_cast<int>(rng.below(std::min({left, size.rows, size.cols})));
    minors.push_back({subset(size.rows, k), subset(size.cols, k)});
    left -= k;
  }
  return Bitableau(std::move(minors));
}

/// The rank modulo a prime, by elimination on the coefficient matrix; a lower bound for the rational rank.
std::size_t rank_modulo_prime(const std::vector<MatrixPolynomial>& polynomials) {
  constexpr std::int64_t p = 2147483647;
  std::vector<std::map<MatrixPolynomial::Exponents, std::int64_t>> rows;
  for (const MatrixPolynomial& f : polynomials) {
    std::map<MatrixPolynomial::Exponents, std::int64_t> row;
    for (const auto& [monomial, c] : f.terms) {
      const std::int64_t value = static_cast<std::int64_t>(c % p);
      if (value != 0) row[monomial] = value;
    }
    rows.push_back(std::move(row));
  }
  std::map<MatrixPolynomial::Exponents, std::map<MatrixPolynomial::Exponents, std::int64_t>> pivots;
  for (auto& row : rows) {
    while (!row.empty()) {
      const auto pivot = pivots.find(row.begin()->first);
      if (pivot == pivots.end()) {
        std::int64_t inverse = 1;
        for (std::int64_t e = p - 2, a = ((row.begin()->second % p) + p) % p; e > 0; e >>= 1, a = a * a % p)
          if (e & 1) inverse = inverse * a % p;
        for (auto& [monomial, c] : row) c = c * inverse % p;
        pivots.emplace(row.begin()->first, row);
        break;
      }
      const std::int64_t factor = row.begin()->second;
      for (const auto& [monomial, c] : pivot->second) {
        auto& entry = row[monomial];
        entry = (entry - factor * c) % p;
        if (entry == 0) row.erase(monomial);
      }
    }
  }
  return pivots.size();
}

}  // namespace

TEST_CASE("bitableaux are read and written", "[gl][quick]") {
  const MatrixSize size{3, 4};
  const Bitableau b = parse_bitableau(" [2|2] [1, 2|1,3]", size);
  REQUIRE(to_string(b) == "[1,2|1,3][2|2]");
  REQUIRE(b.shape() == Partition{2, 1});
  REQUIRE(b.degree() == 3);
  REQUIRE(b.is_standard());
  REQUIRE_FALSE(parse_bitableau("[1|2][2|1]", size).is_standard());
  REQUIRE(to_string(parse_bitableau("1", size)) == "1");
  REQUIRE(to_string(expand(parse_bitableau("[1,2|1,3]", size), size)) == "x[1,1]*x[2,3] - x[1,3]*x[2,1]");
  for (const char* bad : {"", "[", "[1|", "[1|2", "[1|2]]", "[1,2|1]", "[2,1|1,2]", "[0|1]", "[4|1]", "[1|5]",
                          "[1,1|1,2]", "[|]", "[1|1]x", "[99999999999|1]", "2", "[1 2|1 2]"}) {
    CAPTURE(bad);
    REQUIRE_THROWS_AS(parse_bitableau(bad, size), ParseError);
  }
  REQUIRE_THROWS_AS(Bitableau({{{0}, {0, 1}}}), DomainError);
  REQUIRE_THROWS_AS(Bitableau({{{1, 0}, {0, 1}}}), DomainError);
  REQUIRE_THROWS_AS(expand(parse_bitableau("[3|4]", size), {2, 2}), DomainError);
}

TEST_CASE("standard bitableaux are a basis: counts, and contents by contingency tables", "[gl][quick]") {
  for (const MatrixSize size : {MatrixSize{2, 3}, MatrixSize{3, 2}, MatrixSize{3, 3}, MatrixSize{1, 4}})
    for (int d = 0; d <= 4; ++d) {
      const auto all = standard_bitableaux(d, size);
      REQUIRE(binomial(static_cast<unsigned long>(size.rows * size.cols + d - 1), d) == all.size());
      REQUIRE(std::all_of(all.begin(), all.end(), [](const Bitableau& b) { return b.is_standard(); }));
      auto sorted = all;
      std::sort(sorted.begin(), sorted.end());
      REQUIRE(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    }
  REQUIRE(standard_bitableaux({2, 2, 2, 2}, {2, 2, 2, 2}).size() == 282);
  std::vector<MatrixPolynomial> expanded;
  for (const Bitableau& b : standard_bitableaux({1, 2, 1}, {2, 1, 1})) expanded.push_back(expand(b, {3, 3}));
  REQUIRE(rank_modulo_prime(expanded) == contingency_tables({1, 2, 1}, {2, 1, 1}).size());
  REQUIRE(rank_modulo_prime(expanded) == expanded.size());
}

TEST_CASE("straightening: the known example, and every answer equals its expansion", "[gl][quick]") {
  const auto terms = straighten(parse_bitableau("[1|2][2|1]", {2, 2}), {2, 2});
  REQUIRE(terms.size() == 2);
  REQUIRE(to_string(terms[0].bitableau) == "[1|1][2|2]");
  REQUIRE(terms[0].coefficient == 1);
  REQUIRE(to_string(terms[1].bitableau) == "[1,2|1,2]");
  REQUIRE(terms[1].coefficient == -1);
  auto rng = test_rng();
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    const MatrixSize size{1 + static_cast<int>(rng.below(4)), 1 + static_cast<int>(rng.below(4))};
    const Bitableau b = random_product(rng, size, static_cast<int>(rng.below(7)));
    CAPTURE(to_string(b), size.rows, size.cols);
    const auto answer = straighten(b, size);
    REQUIRE(expand(answer, size) == expand(b, size));
    const Partition sizes = b.shape().conjugate();
    for (const BitableauTerm& term : answer) {
      REQUIRE(term.bitableau.is_standard());
      REQUIRE(term.bitableau.shape().conjugate().dominates(sizes));
    }
    if (b.is_standard()) REQUIRE(answer == std::vector<BitableauTerm>{{1, b}});
  }
}

TEST_CASE("all products of three 2-minors with full content straighten to their expansion", "[gl][slow][.]") {
  const MatrixSize size{4, 4};
  std::vector<MatrixMinor> minors;
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b)
      for (int c = 0; c < 4; ++c)
        for (int d = c + 1; d < 4; ++d) minors.push_back({{a, b}, {c, d}});
  for (std::size_t i = 0; i < minors.size(); ++i)
    for (std::size_t j = i; j < minors.size(); ++j)
      for (std::size_t k = j; k < minors.size(); k += 3) {
        const Bitableau b({minors[i], minors[j], minors[k]});
        REQUIRE(expand(straighten(b, size), size) == expand(b, size));
      }
}

TEST_CASE("a polynomial goes to bitableaux and back", "[gl][quick]") {
  auto rng = test_rng();
  const MatrixSize size{3, 3};
  for (int trial = 0; trial < 10 * test_multiplier(); ++trial) {
    MatrixPolynomial f{size, {}};
    for (int k = 0; k < 3; ++k)
      f = f + Integer(static_cast<long>(rng.below(9)) - 4) *
                  expand(random_product(rng, size, static_cast<int>(rng.below(5))), size);
    REQUIRE(expand(to_bitableaux(f), size) == f);
  }
}

TEST_CASE("filtration: pieces add up and steps are ideals", "[gl][quick]") {
  const MatrixSize size{3, 4};
  for (int d = 0; d <= 6; ++d) {
    Integer total = 0;
    for (const FiltrationPiece& piece : filtration_pieces(d, size)) total += piece.dimension;
    REQUIRE(total == binomial(static_cast<unsigned long>(11 + d), d));
  }
  REQUIRE(filtration_pieces(3, size)[1] == FiltrationPiece{{2, 1}, 8, 20, 160});
  // The whole piece of degree 3 is A_{>= [3]}; the 3-minors alone are A_{>= [1,1,1]}.
  REQUIRE(filtration_dimension({3}, size) == binomial(14, 3));
  REQUIRE(filtration_dimension({1, 1, 1}, size) == 4);
  REQUIRE_THROWS_AS(filtration_pieces(-1, size), DomainError);
  REQUIRE_THROWS_AS(filtration_pieces(1, {-1, 2}), DomainError);
}

TEST_CASE("the associated graded product is commutative and keeps shapes", "[gl][quick]") {
  const MatrixSize size{3, 3};
  const auto some = standard_bitableaux(2, size);
  auto rng = test_rng();
  for (int trial = 0; trial < 20 * test_multiplier(); ++trial) {
    const Bitableau &a = some[rng.below(some.size())], &b = some[rng.below(some.size())];
    const auto product = graded_product(a, b, size);
    REQUIRE(product == graded_product(b, a, size));
    REQUIRE_FALSE(product.empty());
    std::vector<int> parts;
    for (int i = 0; i < 3; ++i) parts.push_back(a.shape()[i] + b.shape()[i]);
    for (const BitableauTerm& term : product) REQUIRE(term.bitableau.shape() == Partition(parts));
  }
  REQUIRE_THROWS_AS(graded_product(parse_bitableau("[1|2][2|1]", size), {}, size), DomainError);
}

TEST_CASE("the graded product of minors is their product one after another", "[gl][quick]") {
  const MatrixSize size{3, 4};
  auto rng = test_rng();
  for (int trial = 0; trial < 20 * test_multiplier(); ++trial) {
    const Bitableau product = random_product(rng, size, 4);
    std::vector<BitableauTerm> expected{{1, {}}};
    for (const MatrixMinor& minor : product.minors()) {
      std::map<Bitableau, Integer> sum;
      for (const BitableauTerm& term : expected)
        for (const BitableauTerm& next : graded_product(term.bitableau, Bitableau({minor}), size))
          sum[next.bitableau] += term.coefficient * next.coefficient;
      expected.clear();
      for (const auto& [bitableau, c] : sum)
        if (c != 0) expected.push_back({c, bitableau});
    }
    CAPTURE(to_string(product));
    REQUIRE(graded_product(product, size) == expected);
    Straightening answer = straightening_of({-1, product}, size, true);
    verify(answer);
    answer.terms.front().coefficient += 1;
    REQUIRE_THROWS_AS(verify(answer), VerificationError);
  }
}

TEST_CASE("products of minors with rows and columns in any order", "[gl][quick]") {
  const MatrixSize size{3, 3};
  const auto parsed = [&](const char* text) { return parse_product_of_minors(text, size); };
  REQUIRE(parsed("[2,1|1,2][1|2]") == BitableauTerm{-1, parse_bitableau("[1,2|1,2][1|2]", size)});
  REQUIRE(parsed("[2,1|2,1]") == BitableauTerm{1, parse_bitableau("[1,2|1,2]", size)});
  REQUIRE(parsed("[3,1,2|1,2,3]") == BitableauTerm{1, parse_bitableau("[1,2,3|1,2,3]", size)});
  REQUIRE(parsed("[1|1][3,1|1,2]").coefficient == -1);
  REQUIRE(parsed("[1|1][1,2|3,3]") == BitableauTerm{0, {}});
  REQUIRE(parsed("1") == BitableauTerm{1, {}});
  REQUIRE_THROWS_AS(parsed("[2,1|1]"), ParseError);
  REQUIRE_THROWS_AS(product_of_minors({{{0, 1}, {0}}}), DomainError);
  REQUIRE_THROWS_AS(product_of_minors({{{-1}, {0}}}), DomainError);
  REQUIRE_THROWS_AS(straightening_of({2, {}}, size), DomainError);
  // The rows of a generic matrix in another order: the sign of the determinant.
  for (const char* text : {"[2,3|3,1][1|2]", "[3,2,1|1,3,2][2,1|1,3]"}) {
    Straightening answer = straightening_of(parsed(text), size);
    verify(answer);
    answer.sign = -answer.sign;
    REQUIRE_THROWS_AS(verify(answer), VerificationError);
  }
  REQUIRE(straightening_of(parsed("[2,2|1,2]"), size).terms.empty());
}

TEST_CASE("highest-weight vectors and bases of isotypic pieces", "[gl][quick]") {
  REQUIRE(to_string(highest_weight_vector({3, 1}, {2, 2})) == "[1,2|1,2][1|1][1|1]");
  REQUIRE_THROWS_AS(highest_weight_vector({1, 1, 1}, {2, 3}), DomainError);
  for (const MatrixSize size : {MatrixSize{2, 3}, MatrixSize{3, 3}})
    for (int d = 0; d <= (size.rows == 2 ? 5 : 3); ++d) {
      // The bases of all pieces of one degree together are a basis of that degree.
      std::vector<MatrixPolynomial> all;
      for (const FiltrationPiece& piece : filtration_pieces(d, size)) {
        auto basis = isotypic_basis(piece.shape, size);
        REQUIRE(piece.dimension == basis.size());
        std::move(basis.begin(), basis.end(), std::back_inserter(all));
      }
      CAPTURE(size.rows, size.cols, d);
      REQUIRE(rank_modulo_prime(all) == all.size());
      REQUIRE(binomial(static_cast<unsigned long>(size.rows * size.cols + d - 1), d) == all.size());
    }
}

TEST_CASE("straightening refuses what does not fit", "[gl][quick]") {
  REQUIRE_THROWS_AS(straighten(parse_bitableau("[3|3]", {3, 3}), {2, 3}), DomainError);
  REQUIRE_THROWS_AS(straighten({}, {40, 40}), LimitError);
  REQUIRE_THROWS_AS(standard_bitableaux(10, {5, 5}, 1000), LimitError);
  REQUIRE(straighten({}, {2, 2}) == std::vector<BitableauTerm>{{1, Bitableau()}});
}

TEST_CASE("a straightening that is wrong is found out", "[gl][quick]") {
  const MatrixSize size{3, 3};
  const Bitableau product = parse_bitableau("[1,2|2,3][3|1][2|2]", size);
  const Straightening answer{size, product, straighten(product, size)};
  REQUIRE_NOTHROW(verify(answer));
  Straightening wrong = answer;
  wrong.terms[0].coefficient += 1;
  REQUIRE_THROWS_AS(verify(wrong), VerificationError);
  wrong = answer;
  wrong.terms.pop_back();
  REQUIRE_THROWS_AS(verify(wrong), VerificationError);
  REQUIRE_THROWS_AS(verify(Straightening{size, product, {{1, product}}}),
                    VerificationError);  // equal, not standard
}

TEST_CASE("a degree of the coordinate ring lists what is asked", "[gl][quick]") {
  const MatrixSize size{2, 3};
  const CoordinateRingDegree plain = coordinate_ring_degree(3, size);
  REQUIRE(plain.dimension == 56);
  REQUIRE(hilbert_function(size, 3) == std::vector<Integer>{1, 6, 21, 56});
  REQUIRE(hilbert_function({0, 3}, 2) == std::vector<Integer>{1, 0, 0});
  REQUIRE_FALSE(plain.pieces[0].standard_bitableaux);
  for (const auto& piece : coordinate_ring_degree(3, size, {true, true, true}).pieces) {
    REQUIRE(piece.dimension == piece.standard_bitableaux->size());
    REQUIRE(piece.dimension == piece.isotypic_basis->size());
    REQUIRE(piece.highest_weight_vector->shape() == piece.shape);
  }
}

TEST_CASE("standard bitableaux and products written out stop at the task's limits", "[gl][quick]") {
  const std::vector<int> twos(6, 2);
  const MatrixSize size{3, 3};
  CHECK_THROWS_AS(standard_bitableaux(twos, twos, 1'000'000, Task(0, 1e-3, {})), LimitError);
  CHECK_THROWS_WITH(standard_bitableaux(twos, twos, 1'000'000, Task(1U << 20, 0, {})),
                    Catch::Contains("the standard bitableaux"));
  CHECK_THROWS_AS(standard_bitableaux(4, size, 1'000'000, Task(1U << 10, 0, {})), LimitError);
  CHECK_THROWS_AS(standard_bitableaux({2, 1}, size, 1'000'000, Task(1U << 10, 0, {})), LimitError);
  CHECK(standard_bitableaux({2, 1}, size, 1'000'000, Task(1U << 20, 60, {})).size() == 64);
  CHECK_THROWS_AS(coordinate_ring_degree(40, {50, 50}, {}, Task(0, 1e-3, {})), LimitError);
  // 8! times 7! terms before merging.
  const Bitableau large = parse_bitableau("[1,2,3,4,5,6,7,8|1,2,3,4,5,6,7,8][1,2,3,4,5,6,7|2,3,4,5,6,7,8]", {8, 8});
  CHECK_THROWS_AS(expand(large, {8, 8}, Task(0, 0.05, {})), LimitError);
  CHECK_THROWS_AS(expand(large, {8, 8}, Task(1U << 20, 0, {})), LimitError);
}
