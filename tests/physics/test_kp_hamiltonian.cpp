#include "intertwine/physics/kp_hamiltonian.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

using Vector = std::array<Rational, 3>;

FieldMatrix adjoint(const FieldMatrix& A) { return A.conjugate().transpose(); }

/// exp(-2 pi i k.t) of the translation from h to g, which have one matrix.
Cyclotomic translation_factor(const Vector& k, const SpaceOperation& g, const SpaceOperation& h) {
  Rational phase = 0;
  for (std::size_t i = 0; i < 3; ++i) phase += k[i] * (g.w[i] - h.w[i]) / 12;
  return Cyclotomic::root_of_unity(denominator(phase).convert_to<std::uint32_t>(),
                                   -Integer(numerator(phase) % denominator(phase)).convert_to<std::int64_t>());
}

/// Are the matrices unitary, multiplied as the operations are, with translations as phases? With spin up to
/// signs, which the characters fix.
void check_matrices(const LittleGroup& little, std::size_t level, const LevelMatrices& matrices) {
  const auto& irreps = little.corepresentations[level].irreps;
  const std::size_t n = little.corepresentations[level].degree;
  const FieldMatrix one = FieldMatrix::identity(AbelianField(), n);
  std::vector<std::pair<SpaceOperation, FieldMatrix>> all;
  for (std::size_t g = 0; g < little.operations.size(); ++g) {
    Cyclotomic character;
    for (const std::size_t r : irreps) character += little.irreps[r].characters[g];
    CHECK(matrices.operations[g].trace() == character);
    all.emplace_back(little.operations[g], matrices.operations[g]);
  }
  for (std::size_t a = 0; a < little.antiunitary.size(); ++a)
    all.emplace_back(little.antiunitary[a], matrices.antiunitary[a]);
  REQUIRE(all.size() == matrices.operations.size() + matrices.antiunitary.size());
  const std::size_t linear = little.operations.size();
  for (std::size_t g = 0; g < all.size(); ++g) {
    CHECK(adjoint(all[g].second) * all[g].second == one);
    for (std::size_t h = g % 3; h < all.size(); h += 3) {
      const bool reversed = g >= linear, reverses = reversed != (h >= linear);
      const SpaceOperation gh = all[g].first * all[h].first;
      const auto begin = all.begin() + (reverses ? static_cast<long>(linear) : 0);
      const auto found = std::find_if(begin, all.end(), [&](const auto& o) { return o.first.W == gh.W; });
      REQUIRE(found != all.end());
      const FieldMatrix product = all[g].second * (reversed ? all[h].second.conjugate() : all[h].second);
      const FieldMatrix wanted = translation_factor(little.k, gh, found->first) * found->second;
      CHECK((product == wanted || (little.spin == SpinKind::half && product == Cyclotomic(-1) * wanted)));
    }
  }
}

FieldMatrix value_at(const KpTerm& term, std::size_t n, const std::array<Cyclotomic, 3>& q) {
  FieldMatrix sum(AbelianField(), n, n);
  for (const auto& [exponents, matrix] : term.monomials) {
    Cyclotomic x = 1;
    for (std::size_t i = 0; i < 3; ++i) x *= q[i].power(exponents[i]);
    sum = sum + x * matrix;
  }
  return sum;
}

/// q with W q' = q: q W^-1 for rows, from the fact that W has finite order.
std::array<Cyclotomic, 3> moved(const std::array<Cyclotomic, 3>& q, const SpaceOperation& g, int sign) {
  SpaceOperation inverse = g, next = g;
  const std::array<std::array<int, 3>, 3> unit{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  while (next.W != unit) {
    inverse = next;
    next = next * g;
  }
  if (g.W == unit) inverse.W = unit;
  std::array<Cyclotomic, 3> result;
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 3; ++i) result[j] += Cyclotomic(sign * inverse.W[i][j]) * q[i];
  return result;
}

void check_terms(const LittleGroup& little, std::size_t level, unsigned order, const LevelMatrices& matrices) {
  const std::vector<KpTerm> terms = kp_terms(little, level, order);
  CHECK(terms.size() == kp_dimensions(little, order)[level]);
  const std::array<Cyclotomic, 3> q{Cyclotomic(2), Cyclotomic(Rational(-3, 5)), Cyclotomic(7)};
  const std::size_t n = little.corepresentations[level].degree;
  for (const KpTerm& term : terms) {
    const FieldMatrix H = value_at(term, n, q);
    CHECK(H == adjoint(H));
    for (std::size_t g = 0; g < little.operations.size(); ++g) {
      const FieldMatrix& D = matrices.operations[g];
      CHECK(value_at(term, n, moved(q, little.operations[g], 1)) == D * H * adjoint(D));
    }
    for (std::size_t a = 0; a < little.antiunitary.size(); ++a) {
      const FieldMatrix& U = matrices.antiunitary[a];
      CHECK(value_at(term, n, moved(q, little.antiunitary[a], -1)) == U * H.conjugate() * adjoint(U));
    }
  }
}

/// The only term of first order is linear with H^2 = c q.G q for a metric in which q is Cartesian.
bool is_cone(const KpTerm& term, const std::vector<std::size_t>& directions) {
  const std::size_t n = term.monomials.front().second.rows();
  for (std::size_t trial = 0; trial < 3; ++trial) {
    std::array<Cyclotomic, 3> q{};
    Cyclotomic square;
    for (const std::size_t i : directions) {
      q[i] = Cyclotomic(static_cast<long>(1 + trial * (i + 2) % 5));
      square += q[i] * q[i];
    }
    const FieldMatrix H = value_at(term, n, q), H2 = H * H;
    if (H.is_zero() || H2(0, 0).is_zero() || H2 != H2(0, 0) * FieldMatrix::identity(AbelianField(), n)) return false;
    std::array<Cyclotomic, 3> first{};
    first[directions.front()] = 1;
    const FieldMatrix F = value_at(term, n, first);
    if (H2(0, 0) != square * (F * F)(0, 0)) return false;
  }
  return true;
}

const std::array<Cyclotomic, 9>& hexagonal_edges() {
  static const std::array<Cyclotomic, 9> edges{1, 0, 0, parse_cyclotomic("-1/2"), parse_cyclotomic("sqrt(3)/2"), 0,
                                               0, 0, 1};
  return edges;
}

}  // namespace

TEST_CASE("levels have unitary matrices that multiply as operations do", "[physics][quick]") {
  auto random = test_rng();
  const std::array<Rational, 5> values{0, Rational(1, 2), Rational(1, 3), Rational(1, 4), Rational(2, 5)};
  for (unsigned trial = 0; trial < 16; ++trial) {
    const unsigned number = 1 + static_cast<unsigned>(random.below(230));
    Vector k;
    for (Rational& x : k) x = values[random.below(trial % 2 == 0 ? 2 : 5)];
    const SpinKind spin = trial % 4 < 2 ? SpinKind::none : SpinKind::half;
    CAPTURE(number, k[0].str(), k[1].str(), k[2].str(), spin == SpinKind::half);
    const LittleGroup little = little_group(SpaceGroup::numbered(number), k, spin);
    for (std::size_t level = 0; level < little.corepresentations.size(); ++level)
      check_matrices(little, level, level_matrices(little, level));
  }
}

TEST_CASE("terms of k.p Hamiltonians are covariant", "[physics][quick]") {
  auto random = test_rng();
  for (unsigned trial = 0; trial < 8; ++trial) {
    const unsigned number = 1 + static_cast<unsigned>(random.below(230));
    Vector k;
    for (Rational& x : k) x = Rational(static_cast<long>(random.below(2)), 2);
    const SpinKind spin = trial % 2 == 0 ? SpinKind::none : SpinKind::half;
    CAPTURE(number, k[0].str(), k[1].str(), k[2].str(), spin == SpinKind::half);
    const LittleGroup little = little_group(SpaceGroup::numbered(number), k, spin);
    const std::size_t level = random.below(little.corepresentations.size());
    const LevelMatrices matrices = level_matrices(little, level);
    for (unsigned order = 0; order <= 2; ++order) check_terms(little, level, order, matrices);
  }
}

TEST_CASE("k.p Hamiltonians of known crystals", "[physics][quick]") {
  const Rational third(1, 3);
  const FieldMatrix axes(3, 3, hexagonal_edges());
  // Graphene at K: sigma.k across the axis, up to a basis [Wallace 1947].
  const LittleGroup K = little_group(SpaceGroup::numbered(191), {third, third, 0});
  std::size_t cones = 0;
  for (std::size_t level = 0; level < K.corepresentations.size(); ++level) {
    const auto terms = kp_terms(K, level, 1, axes);
    if (K.corepresentations[level].degree == 2) {
      REQUIRE(terms.size() == 1);
      CHECK(is_cone(terms[0], {0, 1}));
      ++cones;
    } else {
      CHECK(terms.empty());
    }
  }
  CHECK(cones == 2);
  // Silicon at Gamma: L, M and N on threefold levels [Dresselhaus & Kip & Kittel 1955], three of Luttinger on G8.
  const LittleGroup silicon = little_group(SpaceGroup::numbered(227), {0, 0, 0});
  for (std::size_t level = 0; level < silicon.corepresentations.size(); ++level) {
    const unsigned degree = silicon.corepresentations[level].degree;
    CHECK(kp_terms(silicon, level, 0).size() == 1);
    CHECK(kp_terms(silicon, level, 1).empty());
    CHECK(kp_terms(silicon, level, 2).size() == degree);  // 1, 2 and 3 of them
  }
  const LittleGroup spinors = little_group(SpaceGroup::numbered(227), {0, 0, 0}, SpinKind::half);
  CHECK(spinors.corepresentations[5].degree == 4);
  CHECK(kp_terms(spinors, 5, 2).size() == 3);
  // Without an inversion a spinor at Gamma is a Weyl point: q.sigma in P2_13 [Bradlyn et al. 2016].
  const LittleGroup chiral = little_group(SpaceGroup::numbered(198), {0, 0, 0}, SpinKind::half);
  REQUIRE(chiral.corepresentations[0].degree == 2);
  const auto weyl = kp_terms(chiral, 0, 1);
  REQUIRE(weyl.size() == 1);
  CHECK(is_cone(weyl[0], {0, 1, 2}));
  CHECK_THROWS_AS(kp_terms(chiral, 9, 1), DomainError);
  CHECK_THROWS_AS(kp_terms(chiral, 0, 21), LimitError);
  CHECK_THROWS_AS(kp_terms(chiral, 0, 1, FieldMatrix(AbelianField(), 3, 3)), DomainError);
  CHECK_THROWS_AS(kp_terms(chiral, 0, 1, FieldMatrix::identity(AbelianField(), 2)), DomainError);
}
