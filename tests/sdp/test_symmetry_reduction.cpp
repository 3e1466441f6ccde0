// Reduction of semidefinite programs: spectra of the blocks are those of the matrix, values do not change, and a
// group that
// does not fix the problem is refused.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"
#include "support/random.hpp"
#include "support/representations.hpp"

using namespace intertwine;
using sdp::SymmetricEntry;

namespace {

using Dense = std::vector<double>;

Dense times(const Dense& A, const Dense& B, std::size_t n) {
  Dense C(n * n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) C[i * n + j] += A[i * n + k] * B[k * n + j];
  return C;
}

double trace_of(const Dense& A, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += A[i * n + i];
  return sum;
}

/// A random symmetric matrix that the group keeps: sums over orbits of entries, by walking along them.
sdp::SymmetricMatrix random_invariant(const Representation& V, Rng& rng) {
  const auto n = static_cast<std::uint32_t>(V.dimension());
  const auto images = V.generator_images();
  std::vector<int> state(std::size_t{n} * n, 0);  // 0: not seen, otherwise the sign
  sdp::SymmetricMatrix A;
  for (std::uint32_t first = 0; first < n * n; ++first) {
    if (state[first] != 0) continue;
    std::vector<std::uint32_t> orbit{first};
    state[first] = 1;
    bool vanishes = false;
    const auto reach = [&](std::uint32_t place, int sign) {
      if (state[place] == 0) {
        state[place] = sign;
        orbit.push_back(place);
      }
      vanishes = vanishes || state[place] != sign;
    };
    for (std::size_t k = 0; k < orbit.size(); ++k) {
      const std::uint32_t i = orbit[k] / n, j = orbit[k] % n;
      const int sign = state[orbit[k]];
      reach(j * n + i, sign);
      for (const SignedPermutation& g : images)
        reach(g(i).point() * n + g(j).point(), sign * g(i).sign() * g(j).sign());
    }
    const int value = static_cast<int>(rng.below(19)) - 9;
    if (vanishes || value == 0) continue;
    for (const std::uint32_t place : orbit)
      if (place / n <= place % n) A.push_back({place / n, place % n, Rational(value * state[place])});
  }
  return A;
}

Dense dense(const sdp::SymmetricMatrix& A, std::size_t n) {
  Dense D(n * n, 0);
  for (const SymmetricEntry& e : A) D[e.row * n + e.col] = D[e.col * n + e.row] = e.value.convert_to<double>();
  return D;
}

/// The blocks of C without their weights.
std::vector<Dense> blocks_of(const sdp::ReducedProblem& problem) {
  std::vector<Dense> list;
  for (const sdp::ReducedBlock& block : problem.blocks) list.emplace_back(block.size * block.size, 0);
  for (const sdp::NumericEntry& e : problem.C) {
    const sdp::ReducedBlock& block = problem.blocks[e.block];
    list[e.block][e.row * block.size + e.col] = list[e.block][e.col * block.size + e.row] =
        e.value / static_cast<double>(block.multiplicity);
  }
  return list;
}

void require_same_spectrum(const sdp::Reduction& reduction, const Dense& C, std::size_t n) {
  const sdp::ReducedProblem& problem = reduction.problem();
  const std::vector<Dense> blocks = blocks_of(problem);
  Dense power = C;
  std::vector<Dense> powers = blocks;
  double scale = 1;
  for (int k = 1; k <= 6; ++k) {
    double sum = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b)
      sum += static_cast<double>(problem.blocks[b].multiplicity) * trace_of(powers[b], problem.blocks[b].size);
    for (const double x : power) scale = std::max(scale, std::abs(x));
    REQUIRE(std::abs(sum - trace_of(power, n)) < 1e-9 * scale * static_cast<double>(n));
    power = times(power, C, n);
    for (std::size_t b = 0; b < blocks.size(); ++b) powers[b] = times(powers[b], blocks[b], problem.blocks[b].size);
  }
}

/// The invariant matrix C, as blocks, is lifted to itself.
void require_lifted(const sdp::Reduction& reduction, const Dense& C) {
  const Dense lifted = reduction.lift(blocks_of(reduction.problem())).at(0);
  double largest = 1, difference = 0;
  for (std::size_t i = 0; i < C.size(); ++i) {
    largest = std::max(largest, std::abs(C[i]));
    difference = std::max(difference, std::abs(C[i] - lifted[i]));
  }
  REQUIRE(difference < 1e-11 * largest);
}

sdp::SymmetricMatrix identity(std::uint32_t n) {
  sdp::SymmetricMatrix I;
  for (std::uint32_t i = 0; i < n; ++i) I.push_back({i, i, 1});
  return I;
}

}  // namespace

TEST_CASE("blocks of random invariant matrices have their spectrum", "[sdp][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    const Representation V = test_representations::random_representation(G, rng, 24);
    if (!V.is_monomial() || V.dimension() == 0) continue;
    CAPTURE(trial, G.name(), V.to_string());
    const auto n = static_cast<std::uint32_t>(V.dimension());
    const sdp::SymmetricMatrix C = random_invariant(V, rng);
    const sdp::Problem problem({{n, false}}, C, {identity(n)}, {1});
    const sdp::Reduction reduction = reduce(problem, V);
    require_same_spectrum(reduction, dense(C, n), n);
    require_lifted(reduction, dense(C, n));
    REQUIRE(reduction.variables_after() <= reduction.variables_before());
  }
}

TEST_CASE("blocks of every type have the spectrum of the matrix", "[sdp][quick]") {
  auto rng = test_rng();
  for (const char* name : {"C7", "Q8", "C7:C3", "SL(2,3)", "A5", "C3 x S3"}) {
    CAPTURE(name);
    const FiniteGroup G = parse_finite_group(name);
    const Representation V = 2 * natural_permutation_representation(G);
    const auto n = static_cast<std::uint32_t>(V.dimension());
    const sdp::SymmetricMatrix C = random_invariant(V, rng);
    const sdp::Reduction reduction = reduce(sdp::Problem({{n, false}}, C, {identity(n)}, {1}), V);
    require_same_spectrum(reduction, dense(C, n), n);
    require_lifted(reduction, dense(C, n));
  }
}

TEST_CASE("theta of Petersen's graph has three variables", "[sdp][quick]") {
  // X_ij = 0 on edges, tr X = 1, maximize the sum of all entries: 4 [Lovasz 1979].
  const FiniteGroup G = symmetric_group(5);
  const Representation V = subset_action(G, 2);
  sdp::SymmetricMatrix C;
  std::vector<sdp::SymmetricMatrix> A{identity(10)};
  std::vector<Rational> b{1};
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < 5; ++i)
    for (int j = i + 1; j < 5; ++j) pairs.emplace_back(i, j);
  for (std::uint32_t r = 0; r < 10; ++r)
    for (std::uint32_t c = r; c < 10; ++c) {
      C.push_back({r, c, -1});
      const auto [i, j] = pairs[r];
      const auto [k, l] = pairs[c];
      if (i == k || i == l || j == k || j == l) continue;
      A.push_back({{r, c, 1}});
      b.emplace_back(0);
    }
  const sdp::Problem problem({{10, false}}, C, A, b);
  for (const Representation& rows : {V, sdp::symmetries(problem)}) {
    const sdp::Reduction reduction = reduce(problem, rows);
    REQUIRE(reduction.group_order() == 120);
    REQUIRE(reduction.variables_before() == 55);
    REQUIRE(reduction.variables_after() == 3);
    REQUIRE(reduction.kept() == std::vector<std::size_t>{0, 1});
    REQUIRE(reduction.problem().blocks.size() == 3);
    for (const sdp::ReducedBlock& block : reduction.problem().blocks) REQUIRE(block.size == 1);
    // The matrix of ones is 0 but for the trivial representation: what cancels leaves no entry.
    REQUIRE(reduction.problem().C.size() == 1);
    REQUIRE(reduction.problem().C[0].value == -10);
  }
}

TEST_CASE("blocks that the group permutes are one block with its stabilizer", "[sdp][quick]") {
  // Two blocks of size 2 with the same matrix, and two numbers; the group exchanges all.
  const sdp::Problem problem({{2, false}, {2, false}, {2, true}},
                             {{0, 0, 2}, {0, 1, 1}, {1, 1, 2}, {2, 2, 2}, {2, 3, 1}, {3, 3, 2}, {4, 4, 5}, {5, 5, 5}},
                             {{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}, {4, 4, 1}, {5, 5, 1}}}, {1});
  const Representation found = sdp::symmetries(problem);
  REQUIRE(found.group().order() == 16);
  const sdp::Reduction reduction = reduce(problem, found);
  REQUIRE(reduction.variables_before() == 8);
  REQUIRE(reduction.variables_after() == 3);
  std::vector<std::uint64_t> multiplicities;
  for (const sdp::ReducedBlock& block : reduction.problem().blocks) multiplicities.push_back(block.multiplicity);
  REQUIRE(multiplicities == std::vector<std::uint64_t>{2, 2, 2});
  const auto X = reduction.lift({{1.0}, {0.5}, {7.0}});
  REQUIRE(X[0] == X[1]);
  REQUIRE(X[0][0] == Approx(0.75));
  REQUIRE(std::abs(X[0][1]) == Approx(0.25));
  REQUIRE(X[2] == std::vector<double>{7, 7});
}

TEST_CASE("the trivial group leaves a problem of several blocks as it is", "[sdp][quick]") {
  const sdp::Problem problem({{2, false}, {3, false}},
                             {{0, 0, 1}, {0, 1, 1}, {1, 1, 2}, {2, 2, 3}, {3, 3, 4}, {4, 4, 5}}, {}, {});
  const Representation found = sdp::symmetries(problem);
  REQUIRE(found.group().order() == 1);
  const sdp::Reduction reduction = reduce(problem, found);
  REQUIRE(reduction.variables_before() == 9);
  REQUIRE(reduction.variables_after() == 9);
  REQUIRE(reduction.problem().blocks.size() == 2);
}

TEST_CASE("a group that does not fix a problem is refused with the element and the constraint", "[sdp][quick]") {
  const FiniteGroup G = symmetric_group(3);
  const Representation V = natural_permutation_representation(G);
  const auto all = identity(3);
  using Catch::Matchers::Contains;
  REQUIRE_THROWS_WITH(reduce(sdp::Problem({{3, false}}, {{0, 0, 1}}, {all}, {1}), V),
                      Contains("generator 1") && Contains("changes the objective C in row 0 and column 0"));
  REQUIRE_THROWS_WITH(reduce(sdp::Problem({{3, false}}, all, {all, {{0, 1, 1}}}, {1, 0}), V),
                      Contains("takes constraint 2 (from 1) to none of the constraints"));
  REQUIRE_THROWS_WITH(reduce(sdp::Problem({{2, false}, {1, false}}, all, {all}, {1}), V), Contains("different blocks"));
  REQUIRE_THROWS_WITH(reduce(sdp::Problem({{4, false}}, identity(4), {}, {}), V), Contains("acts on 3 rows"));
  REQUIRE_THROWS_WITH(sdp::Problem({{2, true}}, {{0, 1, 1}}, {}, {}), Contains("different blocks"));
  REQUIRE_THROWS_WITH(sdp::Problem({{2, false}}, {}, {all}, {1}), Contains("constraint 1 (from 1)"));
  REQUIRE_THROWS_WITH(sdp::Problem({{2, false}}, {}, {}, {1}), Contains("a number b for every constraint"));
  // Multiples of constraints are the same constraint.
  REQUIRE(
      reduce(sdp::Problem({{3, false}}, all, {{{0, 0, 1}}, {{1, 1, 2}}, {{2, 2, 3}}}, {1, 2, 3}), V).kept().size() ==
      1);
}

namespace {

/// D - W for the absolute values W of an invariant matrix: positive semidefinite, with the kernel of what is constant
/// on components.
sdp::SymmetricMatrix laplacian(const sdp::SymmetricMatrix& A, std::uint32_t n) {
  std::vector<Rational> degree(n, 0);
  sdp::SymmetricMatrix L;
  for (const SymmetricEntry& e : A) {
    if (e.row == e.col) continue;
    L.push_back({e.row, e.col, Rational(-abs(e.value))});
    degree[e.row] += abs(e.value);
    degree[e.col] += abs(e.value);
  }
  for (std::uint32_t i = 0; i < n; ++i) L.push_back({i, i, degree[i]});
  return L;
}

std::vector<std::uint32_t> components_of(const sdp::SymmetricMatrix& A, std::uint32_t n) {
  std::vector<std::uint32_t> least(n);
  for (std::uint32_t i = 0; i < n; ++i) least[i] = i;
  for (std::uint32_t round = 0; round < n; ++round)
    for (const SymmetricEntry& e : A) least[e.row] = least[e.col] = std::min(least[e.row], least[e.col]);
  return least;
}

}  // namespace

TEST_CASE("a constraint that is semidefinite holds X in the face of its kernel", "[sdp][quick]") {
  auto rng = test_rng();
  std::size_t smaller = 0;
  for (const auto& [name, action] : std::vector<std::pair<const char*, const char*>>{{"S4", "subsets(2)"},
                                                                                     {"S4", "perm + perm"},
                                                                                     {"S3 x S3", "perm"},
                                                                                     {"C1", "5*trivial"},
                                                                                     {"S5", "subsets(2) + perm"},
                                                                                     {"C2 wr C2", "regular"}}) {
    const FiniteGroup G = parse_finite_group(name);
    const Representation V = parse_representation(G, action);
    const auto n = static_cast<std::uint32_t>(V.dimension());
    for (int trial = 0; trial < 5 * test_multiplier(); ++trial) {
      CAPTURE(name, action, trial);
      sdp::SymmetricMatrix W = random_invariant(V, rng);
      if (rng.below(2) == 0) std::erase_if(W, [](const SymmetricEntry& e) { return abs(e.value) > 3; });
      sdp::SymmetricMatrix L = laplacian(W, n);
      if (trial % 2 == 1)
        for (SymmetricEntry& e : L) e.value = -e.value;
      const sdp::Problem problem({{n, false}}, identity(n), {L, identity(n)}, {0, 1});
      const sdp::Reduction reduction = reduce(problem, V), whole = reduce(problem, V, {}, {false, false});
      REQUIRE(whole.faces().empty());
      const std::vector<std::uint32_t> component = components_of(W, n);
      std::uint64_t rows = 0, parts = 0;
      for (std::uint32_t i = 0; i < n; ++i) parts += component[i] == i ? 1 : 0;
      for (const sdp::ReducedBlock& block : reduction.problem().blocks) rows += block.size * block.multiplicity;
      REQUIRE(rows == parts);
      if (parts == n) continue;
      ++smaller;
      REQUIRE(reduction.faces().size() == 1);
      REQUIRE(reduction.faces()[0].constraint == 0);
      REQUIRE(reduction.faces()[0].sign == (trial % 2 == 1 ? -1 : 1));
      REQUIRE(reduction.kept() == std::vector<std::size_t>{1});
      REQUIRE(reduction.variables_after() < whole.variables_after());
      std::vector<Dense> Z;
      for (const sdp::ReducedBlock& block : reduction.problem().blocks) {
        Dense& one = Z.emplace_back(block.size * block.size, 0.5);
        for (std::size_t i = 0; i < block.size; ++i) one[i * block.size + i] = 2;
      }
      const Dense X = reduction.lift(Z).at(0);
      double trace = 0, stated = 0;
      for (const sdp::NumericEntry& e : reduction.problem().C) stated += e.value * (e.row == e.col ? 2 : 1);
      for (std::uint32_t i = 0; i < n; ++i) {
        trace += X[i * n + i];
        for (std::uint32_t j = 0; j < n; ++j) REQUIRE(std::abs(X[i * n + j] - X[component[i] * n + j]) < 1e-10);
      }
      REQUIRE(std::abs(trace - stated) < 1e-9);
    }
  }
  REQUIRE(smaller > 0);
}

TEST_CASE("what is not semidefinite, or has another right side, holds nothing", "[sdp][quick]") {
  const FiniteGroup G = parse_finite_group("S3");
  const Representation V = parse_representation(G, "perm");
  const sdp::SymmetricMatrix L = {{0, 0, 2}, {1, 1, 2}, {2, 2, 2}, {0, 1, -1}, {0, 2, -1}, {1, 2, -1}};
  REQUIRE(reduce(sdp::Problem({{3, false}}, {}, {L}, {1}), V).faces().empty());
  sdp::SymmetricMatrix indefinite = L;
  for (SymmetricEntry& e : indefinite)
    if (e.row == e.col) e.value = 1;
  REQUIRE(reduce(sdp::Problem({{3, false}}, {}, {indefinite}, {0}), V).faces().empty());
  // One face leads to the next: x = 0 where x + y + z = 0 is no sign, and then y + z = 0.
  const Representation one = parse_representation(parse_finite_group("C1"), "3*trivial");
  const sdp::Problem chain({{3, true}}, {}, {{{0, 0, -1}, {1, 1, 1}, {2, 2, 1}}, {{0, 0, 1}}}, {0, 0});
  const sdp::Reduction reduction = reduce(chain, one);
  REQUIRE(reduction.faces().size() == 2);
  REQUIRE(reduction.problem().blocks.empty());
  REQUIRE(reduction.lift({}).at(0) == Dense{0, 0, 0});
}

TEST_CASE("constraints stand for their images where that is asked for", "[sdp][quick]") {
  const FiniteGroup G = parse_finite_group("S5");
  const Representation V = parse_representation(G, "subsets(2)");
  // The sum over all entries is largest where one edge of Petersen's graph, and with it all, is 0.
  sdp::SymmetricMatrix C;
  for (std::uint32_t i = 0; i < 10; ++i)
    for (std::uint32_t j = i; j < 10; ++j) C.push_back({i, j, -1});
  const sdp::Problem problem({{10, false}}, C, {identity(10), {{0, 9, 1}}}, {1, 0});
  REQUIRE_THROWS_WITH(reduce(problem, V), Catch::Matchers::Contains("none of the constraints"));
  const sdp::Reduction reduction = reduce(problem, V, {}, {true, true});
  REQUIRE(reduction.variables_after() == 3);
  REQUIRE(reduction.kept() == std::vector<std::size_t>{0, 1});
}
