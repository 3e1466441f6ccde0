#include "intertwine/combinatorics/tableau.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "intertwine/combinatorics/rsk.hpp"
#include "intertwine/error.hpp"
#include "support/random.hpp"
#include "support/symmetric_functions.hpp"

using namespace intertwine;

using Rows = std::vector<std::vector<int>>;

TEST_CASE("standard tableaux: hook lengths, enumeration and ranks agree", "[combinatorics][quick]") {
  REQUIRE(number_of_standard_tableaux({4, 3, 2, 1}) == 768);
  for (int n = 0; n <= 7; ++n) {
    Integer squares = 0;
    for (const Partition& shape : partitions(n)) {
      const auto all = standard_tableaux(shape);
      REQUIRE(number_of_standard_tableaux(shape) == all.size());
      squares += number_of_standard_tableaux(shape) * number_of_standard_tableaux(shape);
      for (std::size_t k = 0; k < all.size(); ++k) {
        REQUIRE(all[k].is_standard());
        REQUIRE(all[k].shape() == shape);
        REQUIRE(rank_standard(all[k]) == k);
        REQUIRE(unrank_standard(shape, k) == all[k]);
      }
    }
    REQUIRE(squares == factorial(n));
  }
}

TEST_CASE("semistandard tableaux: hook contents, enumeration, ranks and Kostka numbers agree",
          "[combinatorics][quick]") {
  REQUIRE(number_of_semistandard_tableaux({2, 1}, 3) == 8);
  REQUIRE(kostka_number({3, 2, 1}, {1, 1, 1, 1, 1, 1}) == 16);
  REQUIRE(kostka_number({3, 2}, {2, 2, 1}) == 2);
  REQUIRE(kostka_number({2, 2}, {3, 1}) == 0);
  for (int n = 0; n <= 4; ++n)
    for (int weight = 0; weight <= 5; ++weight)
      for (const Partition& shape : partitions(weight)) {
        CAPTURE(to_string(shape), n);
        const auto all = semistandard_tableaux(shape, n);
        REQUIRE(number_of_semistandard_tableaux(shape, n) == all.size());
        for (std::size_t k = 0; k < all.size(); ++k) {
          REQUIRE(all[k].is_semistandard());
          REQUIRE(rank_semistandard(all[k], n) == k);
          REQUIRE(unrank_semistandard(shape, n, k) == all[k]);
        }
      }
  const auto some = semistandard_tableaux({3, 2}, std::vector<int>{1, 2, 2});
  REQUIRE(kostka_number({3, 2}, {1, 2, 2}) == some.size());
  for (const Tableau& T : some) REQUIRE(T.content(3) == std::vector<int>{1, 2, 2});
}

TEST_CASE("RSK and dual RSK are bijections with the right margins", "[combinatorics][quick]") {
  // The word 2 1 3 as a permutation matrix: Knuth's example in small.
  const TableauPair pair = rsk({{0, 1, 0}, {1, 0, 0}, {0, 0, 1}});
  REQUIRE(to_string(pair.insertion) == "1 3\n2");
  REQUIRE(to_string(pair.recording) == "1 3\n2");
  auto rng = test_rng();
  for (int trial = 0; trial < 100 * test_multiplier(); ++trial) {
    const int rows = 1 + static_cast<int>(rng.below(4)), cols = 1 + static_cast<int>(rng.below(4));
    ContingencyTable A(rows, std::vector<int>(cols)), B = A, transposed(cols, std::vector<int>(rows));
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) {
        A[i][j] = transposed[j][i] = static_cast<int>(rng.below(4));
        B[i][j] = static_cast<int>(rng.below(2));
      }
    const TableauPair image = rsk(A);
    REQUIRE(image.insertion.is_semistandard());
    REQUIRE(image.recording.is_semistandard());
    REQUIRE(rsk_inverse(image, rows, cols) == A);
    REQUIRE(rsk(transposed) == TableauPair{image.recording, image.insertion});
    const TableauPair dual = dual_rsk(B);
    REQUIRE(dual.insertion.transposed().is_semistandard());
    REQUIRE(dual.recording.is_semistandard());
    REQUIRE(dual_rsk_inverse(dual, rows, cols) == B);
    for (int i = 0; i < rows; ++i)
      REQUIRE(image.recording.content(rows)[i] == std::accumulate(A[i].begin(), A[i].end(), 0));
  }
}

TEST_CASE("contingency tables are counted by pairs of semistandard tableaux", "[combinatorics][quick]") {
  REQUIRE(number_of_contingency_tables({2, 2, 2, 2}, {2, 2, 2, 2}) == 282);
  REQUIRE(number_of_contingency_tables({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}) == 120);
  const std::vector<int> r{3, 2, 2}, c{4, 1, 2};
  Integer pairs = 0;
  for (const Partition& shape : partitions(7)) pairs += kostka_number(shape, r) * kostka_number(shape, c);
  const auto tables = contingency_tables(r, c);
  REQUIRE(pairs == tables.size());
  REQUIRE(number_of_contingency_tables(r, c) == pairs);
  REQUIRE(std::is_sorted(tables.rbegin(), tables.rend()));
  REQUIRE(std::adjacent_find(tables.begin(), tables.end()) == tables.end());
  REQUIRE_THROWS_AS(
      number_of_contingency_tables(std::vector<int>(8, 40), std::vector<int>(8, 40), Task(Task().memory(), 0.05, {})),
      LimitError);
  REQUIRE_THROWS_AS(
      number_of_contingency_tables(std::vector<int>(8, 40), std::vector<int>(8, 40), Task(1 << 20, 60, {})),
      LimitError);
  REQUIRE(contingency_tables({}, {}).size() == 1);
  REQUIRE(contingency_tables({0}, {0, 0}).size() == 1);
}

TEST_CASE("tableaux that are none are refused", "[combinatorics][quick]") {
  REQUIRE_THROWS_AS(Tableau(Rows{{0}, {1, 2}}), DomainError);
  REQUIRE_THROWS_AS(Tableau(Rows{{-1}}), DomainError);
  REQUIRE_FALSE(Tableau(Rows{{0, 1}, {0}}).is_semistandard());
  REQUIRE_FALSE(Tableau(Rows{{0, 0}}).is_standard());
  REQUIRE_THROWS_AS(rank_standard(Tableau(Rows{{0, 0}})), DomainError);
  REQUIRE_THROWS_AS(rank_semistandard(Tableau(Rows{{0, 3}}), 3), DomainError);
  REQUIRE_THROWS_AS(unrank_standard({2, 1}, 2), DomainError);
  REQUIRE_THROWS_AS(unrank_semistandard({2, 1}, 3, -1), DomainError);
  REQUIRE_THROWS_AS(standard_tableaux({8, 7, 6, 5}), LimitError);
  REQUIRE_THROWS_AS(semistandard_tableaux({20, 10, 5}, 8), LimitError);
  const Task stopped(0, 0, {});
  stopped.cancel();
  REQUIRE_THROWS_AS(standard_tableaux({2, 1}, 10, stopped), Interrupted);
  REQUIRE_THROWS_AS(semistandard_tableaux({2, 1}, 3, 10, stopped), Interrupted);
  REQUIRE_THROWS_AS(kostka_number({2}, {3, -1}), DomainError);
  REQUIRE_THROWS_AS(kostka_number({3, 2}, {2, 2, 1}, stopped), Interrupted);
  REQUIRE_THROWS_AS(kostka_number({3, 2}, {2, 2, 1}, Task(100, 0, {})), LimitError);
  REQUIRE_THROWS_AS(rsk({{1, 2}, {1}}), DomainError);
  REQUIRE_THROWS_AS(rsk({{-1}}), DomainError);
  REQUIRE_THROWS_AS(dual_rsk({{2}}), DomainError);
  REQUIRE_THROWS_AS(rsk_inverse({Tableau(Rows{{0}}), Tableau(Rows{{0, 0}})}, 2, 2), DomainError);
  REQUIRE_THROWS_AS(contingency_tables({1}, {2}), DomainError);
}

TEST_CASE("tableaux over very many letters", "[combinatorics][tableau]") {
  // Letters that do not occur cost nothing: 2^31 - 1 letters are ranked as three are.
  const int most = 2147483647;
  const Task brief(1U << 20, 5, {});
  const Tableau T(Rows{{0, 1}, {2}});
  const Integer all = number_of_semistandard_tableaux({2, 1}, most);
  REQUIRE(all == Integer(most) * (Integer(most) * most - 1) / 3);
  const Integer rank = rank_semistandard(T, most, brief);
  REQUIRE(rank == all - number_of_semistandard_tableaux({2, 1}, 3) + rank_semistandard(T, 3));
  REQUIRE(unrank_semistandard({2, 1}, most, rank, brief) == T);
  const Tableau far(Rows{{0, most - 1}, {7}});
  REQUIRE(unrank_semistandard({2, 1}, most, rank_semistandard(far, most, brief), brief) == far);
  REQUIRE_THROWS_AS(T.content(most, brief), LimitError);
  REQUIRE_THROWS_AS(T.content(-1), DomainError);
  REQUIRE(T.content(4, brief) == std::vector<int>{1, 1, 1, 0});
  const auto boxes = semistandard_tableaux({1}, 300'000);  // one call for each letter overflowed the stack
  REQUIRE(boxes.size() == 300'000);
  REQUIRE(boxes.front() == Tableau(Rows{{299'999}}));
  REQUIRE(boxes.back() == Tableau(Rows{{0}}));
}
