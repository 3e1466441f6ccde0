#include "intertwine/reductive/wigner_symbols.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <tuple>

#include "intertwine/error.hpp"
#include "support/random.hpp"
#include "support/root_sum.hpp"

using namespace intertwine;

namespace {

HalfInteger h(const char* text) { return parse_half_integer(text); }
SignedRoot root(const Rational& s) { return SignedRoot::of_signed_square(s); }
SignedRoot cg(const char* j1, const char* m1, const char* j2, const char* m2, const char* j, const char* m) {
  return clebsch_gordan(h(j1), h(m1), h(j2), h(m2), h(j), h(m));
}

using Places = std::map<std::tuple<int, int, int>, SignedRoot>;  // doubled m1, m2, m
Places places_of(const Coupling& c) {
  Places out;
  for (const auto& e : c.entries) out.emplace(std::tuple(e.m1.twice, e.m2.twice, e.m.twice), e.value);
  return out;
}

/// Rows of all couplings of j1 (x) j2 are orthonormal: sum over m1, m2.
bool rows_are_orthonormal(const std::vector<Coupling>& list) {
  for (const Coupling& a : list)
    for (const Coupling& b : list) {
      const Places left = places_of(a), right = places_of(b);
      for (int m = -a.j.twice; m <= a.j.twice; m += 2)
        for (int n = -b.j.twice; n <= b.j.twice; n += 2) {
          RootSum sum;
          for (const auto& [place, value] : left)
            if (std::get<2>(place) == m)
              if (const auto found = right.find({std::get<0>(place), std::get<1>(place), n}); found != right.end())
                sum += value * found->second;
          if (!(sum == SignedRoot(a.j == b.j && m == n ? 1 : 0))) return false;
        }
    }
  return true;
}

/// sqrt((j - m)(j + m + 1)), doubled arguments.
SignedRoot raising(int j, int m) { return root(Rational((j - m) * (j + m + 2), 4)); }

}  // namespace

// Condon & Shortley 1935, tables 1 to 4 of section 14; the same in the Review of Particle Physics, "Clebsch-Gordan coefficients".
TEST_CASE("Clebsch-Gordan coefficients are those of the printed tables", "[reductive][quick]") {
  CHECK(cg("1", "1", "1/2", "-1/2", "3/2", "1/2") == root(Rational(1, 3)));
  CHECK(cg("1", "0", "1/2", "1/2", "3/2", "1/2") == root(Rational(2, 3)));
  CHECK(cg("1", "1", "1/2", "-1/2", "1/2", "1/2") == root(Rational(2, 3)));
  CHECK(cg("1", "0", "1/2", "1/2", "1/2", "1/2") == root(Rational(-1, 3)));
  CHECK(cg("2", "2", "1", "0", "2", "2") == root(Rational(2, 3)));
  CHECK(cg("2", "1", "1", "1", "2", "2") == root(Rational(-1, 3)));
  CHECK(cg("2", "1", "1", "-1", "1", "0") == root(Rational(3, 10)));
  CHECK(cg("2", "0", "1", "0", "1", "0") == root(Rational(-2, 5)));
  CHECK(cg("3/2", "1/2", "1", "0", "1/2", "1/2") == root(Rational(-1, 3)));
  CHECK(cg("2", "1", "2", "-1", "0", "0") == root(Rational(-1, 5)));
  CHECK(cg("2", "1", "2", "-1", "4", "0") == root(Rational(8, 35)));
  CHECK(cg("2", "0", "2", "0", "2", "0") == root(Rational(-2, 7)));
  CHECK(cg("1", "0", "1", "0", "1", "0").is_zero());
  CHECK(cg("1", "1", "1", "1", "1", "1").is_zero());
  CHECK(cg("1", "0", "1", "0", "5", "0").is_zero());
}

// Varshalovich et al. 1988, tables 8.2 and 9.1; Edmonds 1957, table 2.
TEST_CASE("3j and 6j symbols are those of the printed tables", "[reductive][quick]") {
  const auto three = [](const char* a, const char* b, const char* c, const char* p, const char* q, const char* r) {
    return wigner_3j(h(a), h(b), h(c), h(p), h(q), h(r));
  };
  CHECK(three("1", "1", "1", "1", "-1", "0") == root(Rational(1, 6)));
  CHECK(three("2", "2", "2", "0", "0", "0") == root(Rational(-2, 35)));
  CHECK(three("4", "4", "4", "0", "0", "0") == root(Rational(18, 1001)));
  CHECK(three("1/2", "1/2", "1", "1/2", "1/2", "-1") == root(Rational(1, 3)) * SignedRoot(-1));
  CHECK(three("1/2", "1/2", "0", "1/2", "-1/2", "0") == root(Rational(1, 2)));
  const auto six = [](const char* a, const char* b, const char* c, const char* d, const char* e, const char* f) {
    return wigner_6j(h(a), h(b), h(c), h(d), h(e), h(f));
  };
  CHECK(six("1", "1", "1", "1", "1", "1") == SignedRoot(Rational(1, 6)));
  CHECK(six("2", "2", "2", "2", "2", "2") == SignedRoot(Rational(-3, 70)));
  CHECK(six("1/2", "1/2", "1", "1/2", "1/2", "0") == SignedRoot(Rational(1, 2)));
  CHECK(six("1/2", "1/2", "1", "1/2", "1/2", "1") == SignedRoot(Rational(1, 6)));
  CHECK(six("1", "1", "5", "1", "1", "1").is_zero());
}

TEST_CASE("coefficients obey the recursion of J+, which knows nothing of Racah's sum", "[reductive][quick]") {
  for (const auto& [j1, j2] : {std::pair(3, 4), std::pair(4, 4), std::pair(1, 5), std::pair(6, 2)})
    for (int j = std::abs(j1 - j2); j <= j1 + j2; j += 2) {
      Places places = places_of(coupling({j1}, {j2}, {j}));
      for (int m = -j; m < j; m += 2)
        for (int m1 = -j1; m1 <= j1; m1 += 2) {
          const int m2 = m + 2 - m1;
          if (std::abs(m2) > j2) continue;
          RootSum sum;  // <m1 m2| J+ |j m>
          if (m1 > -j1) sum += raising(j1, m1 - 2) * places[{m1 - 2, m2, m}];
          if (m2 > -j2) sum += raising(j2, m2 - 2) * places[{m1, m2 - 2, m}];
          CHECK(sum == raising(j, m) * places[{m1, m2, m + 2}]);
        }
      CHECK(places[{j1, j - j1, j}].sign() == 1);  // Condon and Shortley
    }
}

TEST_CASE("rows are orthonormal, in complex and in real bases", "[reductive][quick]") {
  CHECK(rows_are_orthonormal(couplings({3}, {4})));
  CHECK(rows_are_orthonormal(couplings({5}, {2})));
  CHECK(rows_are_orthonormal(couplings({4}, {6}, CouplingBasis::real)));
  CHECK(rows_are_orthonormal(couplings({4}, {4}, CouplingBasis::real)));
  auto broken = couplings({4}, {2}, CouplingBasis::real);
  broken[1].entries[3].value = -broken[1].entries[3].value;
  CHECK_FALSE(rows_are_orthonormal(broken));
}

TEST_CASE("real coefficients of small degree are the products of vectors", "[reductive][quick]") {
  // the basis of l = 1 is y, z, x: a cyclic order, so that the vector product has the same signs as in x, y, z
  const Places cross = places_of(coupling({2}, {2}, {2}, CouplingBasis::real));
  CHECK(cross.size() == 6);
  for (const auto& [place, value] : cross) {
    const auto [a, b, c] = place;
    const int turn = ((b - a) / 2 + 3) % 3;  // 1 for the even permutations
    CHECK(value.square() == Rational(1, 2));
    CHECK(value.sign() * cross.at({-2, 0, 2}).sign() == (turn == 1 ? 1 : -1));
    CHECK(a + b + c == 0);
  }
  const Places dot = places_of(coupling({2}, {2}, {0}, CouplingBasis::real));
  CHECK(dot.size() == 3);
  for (const auto& [place, value] : dot) {
    CHECK(std::get<0>(place) == std::get<1>(place));
    CHECK(value == dot.begin()->second);
    CHECK(value.square() == Rational(1, 3));
  }
}

TEST_CASE("symbols are the coefficients in symmetric form", "[reductive][quick]") {
  for (const auto& e : coupling({3}, {4}, {5}, CouplingBasis::complex, CouplingForm::symbols).entries)
    CHECK(e.value == wigner_3j({3}, {4}, {5}, e.m1, e.m2, e.m));
  // an even permutation of the columns changes nothing, an odd one the sign by (-1)^(j1+j2+j3) [Edmonds 1957, 3.7.4]
  for (const CouplingBasis basis : {CouplingBasis::complex, CouplingBasis::real}) {
    const Places abc = places_of(coupling({4}, {6}, {6}, basis, CouplingForm::symbols)),
                 bca = places_of(coupling({6}, {6}, {4}, basis, CouplingForm::symbols));
    CHECK(abc.size() == bca.size());
    for (const auto& [place, value] : abc)
      CHECK(bca.at({std::get<1>(place), std::get<2>(place), std::get<0>(place)}) == value);
  }
  RootSum norm;
  for (const auto& e : coupling({4}, {6}, {8}, CouplingBasis::real, CouplingForm::symbols).entries)
    norm += e.value * e.value;
  CHECK(norm == SignedRoot(1));
}

// Edmonds 1957, 6.2.9: sum over x of (2x+1)(2f+1) {a b x; c d f} {a b x; c d g} = delta_fg.
TEST_CASE("6j symbols are orthogonal", "[reductive][quick]") {
  const int a = 3, b = 4, c = 5, d = 2;
  for (int f = 1; f <= 5; f += 2)
    for (int g = 1; g <= 5; g += 2) {
      RootSum sum;
      for (int x = 1; x <= 7; x += 2)
        sum += wigner_6j({a}, {b}, {x}, {c}, {d}, {f}) * wigner_6j({a}, {b}, {x}, {c}, {d}, {g}) *
               SignedRoot((x + 1) * (f + 1));
      CHECK(sum == SignedRoot(f == g ? 1 : 0));
    }
}

TEST_CASE("large spins are exact", "[reductive][quick]") {
  RootSum norm;
  for (int m = -120; m <= 120; m += 2) {
    const SignedRoot c = clebsch_gordan({120}, {m}, {120}, {-m}, {140}, {0});
    norm += c * c;
  }
  CHECK(norm == SignedRoot(1));
}

TEST_CASE("spins are read and bad ones refused", "[reductive][quick]") {
  CHECK(to_string(h("3/2")) == "3/2");
  CHECK(h("2.5").twice == 5);
  CHECK(h("-1.5").twice == -3);
  CHECK(h("-0.5").twice == -1);
  CHECK(h("4/2").twice == 4);
  for (const char* text : {"", "x", "1/3", "1e3", "0.25", "--1", "-.5", "1/0", "1.5.5"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_half_integer(text), DomainError);
  }
  CHECK_THROWS_AS(parse_half_integer("1001"), LimitError);
  CHECK_THROWS_AS(parse_half_integer("99999999999999999999.5"), DomainError);
  CHECK_THROWS_WITH(coupling({2}, {2}, {6}), "3 is not in 1 (x) 1, which holds 0 to 2");
  CHECK_THROWS_WITH(coupling({1}, {2}, {1}, CouplingBasis::real),
                    Catch::Contains("real harmonics exist for integers, not for j = 1/2"));
  CHECK_THROWS_AS(coupling({-2}, {2}, {2}), DomainError);
  CHECK_THROWS_WITH(cg("1", "1/2", "1", "0", "1", "0"), Catch::Contains("m = 1/2 does not belong to j = 1"));
  CHECK_THROWS_AS(couplings({2 * max_spin}, {2}), LimitError);
}

namespace {

using LorentzPlaces = std::map<std::array<int, 6>, SignedRoot>;  // doubled alpha1, beta1, alpha2, beta2, alpha, beta
LorentzPlaces places_of(const LorentzCoupling& c) {
  LorentzPlaces out;
  for (const auto& a : c.first.entries)
    for (const auto& b : c.second.entries)
      out.emplace(std::array{a.m1.twice, b.m1.twice, a.m2.twice, b.m2.twice, a.m.twice, b.m.twice}, a.value * b.value);
  return out;
}

/// T (X (x) 1 + 1 (x) X) = X T for X = A_+ (copy 0) or B_+ (copy 1), at every place, exactly.
bool commutes_with_raising(const LorentzCoupling& c, std::size_t copy) {
  const LorentzPlaces T = places_of(c);
  const std::array<int, 3> j{copy == 0 ? c.left().a.twice : c.left().b.twice,
                             copy == 0 ? c.right().a.twice : c.right().b.twice,
                             copy == 0 ? c.constituent().a.twice : c.constituent().b.twice};
  std::map<std::array<int, 6>, RootSum> difference;
  for (const auto& [place, value] : T) {
    for (const std::size_t factor : {std::size_t{0}, std::size_t{1}}) {  // (T X)(.., m - 1, ..) has T(.., m, ..)
      auto lower = place;
      const int m = lower[2 * factor + copy] -= 2;
      if (m >= -j[factor]) difference[lower] += value * raising(j[factor], m);
    }
    auto higher = place;
    const int m = place[4 + copy];
    higher[4 + copy] += 2;
    if (m < j[2]) difference[higher] += -(value * raising(j[2], m));
  }
  for (const auto& [place, sum] : difference)
    if (!(sum == SignedRoot(0))) return false;
  return true;
}

}  // namespace

TEST_CASE("couplings of the Lorentz group commute with it, and hold everything", "[reductive][quick]") {
  for (const auto& [left, right] : {std::pair("(1/2,1/2)", "(1/2,1/2)"),
                                    {"(1/2,0)", "(0,1/2)"},
                                    {"(1,1/2)", "(3/2,1)"},
                                    {"(1,1)", "(1/2,1/2)"},
                                    {"(0,0)", "(2,1)"}}) {
    const LorentzSpin V = parse_lorentz_spin(left), W = parse_lorentz_spin(right);
    const auto dimension = [](const LorentzSpin& s) { return (s.a.twice + 1) * (s.b.twice + 1); };
    int total = 0;
    for (const LorentzCoupling& c : lorentz_couplings(V, W)) {
      CHECK((c.left() == V && c.right() == W));
      total += dimension(c.constituent());
      CHECK(commutes_with_raising(c, 0));
      CHECK(commutes_with_raising(c, 1));
    }
    CHECK(total == dimension(V) * dimension(W));
  }
  LorentzCoupling wrong = lorentz_couplings(parse_lorentz_spin("(1/2,1/2)"), parse_lorentz_spin("(1/2,1/2)"))[1];
  wrong.first.entries[0].value = -wrong.first.entries[0].value;
  CHECK(!(commutes_with_raising(wrong, 0) && commutes_with_raising(wrong, 1)));
}

// A vector is the matrix t + x.sigma of SL(2,C) with rows alpha and columns beta, up to the form on spinors; its determinant is t^2 - x^2 - y^2 - z^2.
TEST_CASE("two vectors are coupled to a scalar by the metric", "[reductive][quick]") {
  const LorentzSpin vector = parse_lorentz_spin("vector");
  CHECK(vector == parse_lorentz_spin("(1/2,1/2)"));
  CHECK(parse_lorentz_spin("trivial") == parse_lorentz_spin("(0,0)"));
  const auto scalar = lorentz_couplings(vector, vector, parse_lorentz_spin("(0,0)"));
  REQUIRE(scalar.size() == 1);
  const LorentzPlaces T = places_of(scalar[0]);
  CHECK(T.size() == 4);
  for (const int a : {-1, 1})
    for (const int b : {-1, 1}) CHECK(T.at({a, b, -a, -b, 0, 0}) == root(Rational(a * b, 4)));
}

TEST_CASE("the Lorentz group has 1, 0, 1, 0, 4, 0, 25 invariants of vectors", "[reductive][quick]") {
  const LorentzSpin vector = parse_lorentz_spin("(1/2,1/2)");
  std::map<std::pair<int, int>, int> power{{{0, 0}, 1}};
  for (const int expected : {1, 0, 1, 0, 4, 0, 25}) {
    CHECK(power[{0, 0}] == expected);
    std::map<std::pair<int, int>, int> next;
    for (const auto& [s, count] : power)
      if (count != 0)
        for (const LorentzCoupling& c : lorentz_couplings({{s.first}, {s.second}}, vector))
          next[{c.constituent().a.twice, c.constituent().b.twice}] += count;
    power = std::move(next);
  }
}

TEST_CASE("what is no representation of the Lorentz group is refused", "[reductive][quick]") {
  for (const char* text : {"vectors", "(1/2", "(1/2,1/3)", "(-1,0)", "(1,0,0)", "(,)"})
    CHECK_THROWS_AS(parse_lorentz_spin(text), DomainError);
  CHECK_THROWS_AS(parse_lorentz_spin("(100000,0)"), LimitError);
  CHECK_THROWS_AS(
      lorentz_couplings(parse_lorentz_spin("(1,0)"), parse_lorentz_spin("(1,0)"), parse_lorentz_spin("(0,1)")),
      DomainError);
}

TEST_CASE("coefficients of two vectors are those of the table", "[reductive][quick]") {
  for (const CouplingBasis basis : {CouplingBasis::complex, CouplingBasis::real})
    for (const CouplingForm form : {CouplingForm::coefficients, CouplingForm::symbols})
      for (int j1 = 0; j1 <= 4; ++j1)
        for (int j2 = 0; j2 <= 4; ++j2) {
          if (basis == CouplingBasis::real && (j1 % 2 != 0 || j2 % 2 != 0)) continue;
          const std::vector<Coupling> tables = couplings({j1}, {j2}, basis, form);
          for (int m1 = -j1; m1 <= j1; m1 += 2)
            for (int m2 = -j2; m2 <= j2; m2 += 2) {
              const std::vector<Coupling> found = couplings({j1}, {j2}, basis, form, Projections{{m1}, {m2}});
              REQUIRE(found.size() == tables.size());
              for (std::size_t k = 0; k < found.size(); ++k) {
                std::vector<std::pair<HalfInteger, SignedRoot>> expected, entries;
                for (const Coupling::Entry& e : tables[k].entries)
                  if (e.m1 == HalfInteger{m1} && e.m2 == HalfInteger{m2}) expected.emplace_back(e.m, e.value);
                for (const Coupling::Entry& e : found[k].entries) entries.emplace_back(e.m, e.value);
                CHECK(entries == expected);
              }
            }
        }
  const Coupling one =
      coupling({400}, {400}, {200}, CouplingBasis::complex, CouplingForm::coefficients, Projections{{34}, {-10}});
  REQUIRE(one.entries.size() == 1);
  CHECK(one.entries[0].value == clebsch_gordan({400}, {34}, {400}, {-10}, {200}, {24}));
  for (const Projections& wrong : {Projections{{4}, {0}}, Projections{{1}, {0}}, Projections{{0}, {-4}}})
    CHECK_THROWS_AS(couplings({2}, {2}, CouplingBasis::complex, CouplingForm::coefficients, wrong), DomainError);
}
