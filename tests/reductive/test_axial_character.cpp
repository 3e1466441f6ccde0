#include "intertwine/reductive/axial_character.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "intertwine/error.hpp"
#include "intertwine/hom/constituents.hpp"
#include "intertwine/io/decomposition_text.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/io/records.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// An element: a turn by an angle, or a mirror, times the inversion or not.
struct Element {
  double angle;
  bool mirror, inversion;
  Element power(int k) const { return {mirror ? 0 : k * angle, mirror && k % 2 != 0, inversion && k % 2 != 0}; }
};
double value(const AxialCharacter& chi, const Element& g) {
  double sum = 0;
  for (const auto& [irrep, multiplicity] : chi.terms()) {
    double x = irrep.lambda > 0          ? (g.mirror ? 0 : 2 * std::cos(irrep.lambda * g.angle))
               : g.mirror && irrep.minus ? -1
                                         : 1;
    if (g.inversion && irrep.parity < 0) x = -x;
    sum += x * multiplicity.convert_to<double>();
  }
  return sum;
}
std::vector<Element> elements(bool centre) {
  std::vector<Element> all;
  for (const bool inversion : {false, true})
    for (const Element& g : {Element{0, false, false}, {0.7, false, false}, {2.1, false, false}, {0, true, false}})
      if (!inversion || centre) all.push_back({g.angle, g.mirror, inversion});
  return all;
}

AxialCharacter rep(bool centre, const std::string& text, bool of_orthogonal = false) {
  return parse_axial_representation(centre, text, of_orthogonal);
}
std::string axial_sum(bool centre, const std::string& text) {
  const std::string all = to_text(record(hom::decompose(rep(centre, text))));
  const std::size_t from = all.find('\n') + 1;
  return all.substr(from, all.find('\n', from) - from);
}

}  // namespace

TEST_CASE("products of the states of linear molecules", "[reductive][quick]") {
  // As in every table of direct products. [Herzberg 1945]
  CHECK(axial_sum(false, "irrep(Π)^2") == "Σ+ + Σ- + Δ");
  CHECK(axial_sum(false, "irrep(Π) * irrep(Δ)") == "Π + Φ");
  CHECK(axial_sum(false, "irrep(Sigma-) * irrep(Sigma-)") == "Σ+");
  CHECK(axial_sum(true, "irrep(Πu)^2") == "Σg+ + Σg- + Δg");
  CHECK(axial_sum(true, "sym(2, irrep(Πu))") == "Σg+ + Δg");  // the states of two vibrational quanta
  CHECK(axial_sum(true, "alt(2, irrep(Pi_g))") == "Σg-");     // the triplet of O2
  CHECK(axial_sum(true, "irrep(Πu) * irrep(Σg-)") == "Πu");
  CHECK(axial_sum(true, "vector") == "Σu+ + Πu");
  CHECK(axial_sum(true, "alt(2, vector)") == "Σg- + Πg");
  CHECK(axial_sum(true, "harmonic(5)") == "Σu+ + Πu + Δu + Φu + Γu + E5u");
  CHECK(axial_sum(true, "0*irrep(Πu)") == "0");
  CHECK(rep(true, "parity") == rep(true, "alt(3, vector)"));
}

TEST_CASE("characters of linear groups, element by element", "[reductive][quick]") {
  for (const bool centre : {false, true}) {
    const AxialCharacter V = rep(centre,
                                 centre ? "harmonic(2) + 2*irrep(Σu-) + irrep(Φu)" : "harmonic(2) + 2*irrep(Σ-)"),
                         W = rep(centre, centre ? "vector + irrep(E7g)" : "vector + irrep(E7)");
    const AxialCharacter product = tensor_product(V, W);
    for (const Element& g : elements(centre)) {
      CHECK(value(product, g) == Approx(value(V, g) * value(W, g)).margin(1e-9));
      for (int k = 1; k <= 6; ++k) CHECK(value(V.adams(k), g) == Approx(value(V, g.power(k))).margin(1e-9));
      const double x = value(V, g), x2 = value(V, g.power(2)), x3 = value(V, g.power(3));
      CHECK(value(symmetric_power(3, V), g) == Approx((x * x * x + 3 * x * x2 + 2 * x3) / 6).margin(1e-8));
      CHECK(value(exterior_power(3, V), g) == Approx((x * x * x - 3 * x * x2 + 2 * x3) / 6).margin(1e-8));
      CHECK(value(schur_functor(Partition({2, 1}), V), g) == Approx((x * x * x - x3) / 3).margin(1e-8));
    }
    const int n = V.dimension().convert_to<int>();
    CHECK(exterior_power(n, V).dimension() == 1);
    CHECK(exterior_power(n + 1, V).terms().empty());
    CHECK(schur_functor(Partition({1, 1, 1}), V) == exterior_power(3, V));
    CHECK(schur_functor(Partition({4}), V) == symmetric_power(4, V));
    // Pieri's rule, by rows, by columns and from one to the other.
    for (const auto& [shape, larger] : std::vector<std::pair<Partition, std::vector<Partition>>>{
             {{2, 1}, {{3, 1}, {2, 2}, {2, 1, 1}}},
             {{2, 2, 1}, {{3, 2, 1}, {2, 2, 2}, {2, 2, 1, 1}}},
             {{1, 1, 1, 1, 1, 1, 1, 1}, {{2, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1}}}}) {
      AxialCharacter sum(centre);
      for (const Partition& mu : larger) sum = sum + schur_functor(mu, V);
      CHECK(tensor_product(schur_functor(shape, V), V) == sum);
    }
    // The coupling of angular momenta, restricted: l comes with the determinant where a + b - l is odd.
    for (int a = 0; a <= 3; ++a)
      for (int b = 0; b <= 3; ++b) {
        AxialCharacter sum(centre);
        for (int l = std::abs(a - b); l <= a + b; ++l) {
          const AxialCharacter H = AxialCharacter::harmonic(centre, l);
          sum = sum + ((a + b - l) % 2 == 0 ? H : tensor_product(H, AxialCharacter::parity(centre)));
        }
        CHECK(tensor_product(AxialCharacter::harmonic(centre, a), AxialCharacter::harmonic(centre, b)) == sum);
      }
  }
  CHECK(rep(true, "irrep([2,1] as partition)", true) == rep(true, "harmonic(2) * parity", true));
  CHECK(rep(true, "irrep([1,1] as partition)", true) == rep(true, "alt(2, vector)", true));
}

TEST_CASE("names of linear groups and of their representations", "[reductive][quick]") {
  for (const bool centre : {false, true})
    for (const int parity : centre ? std::vector<int>{1, -1} : std::vector<int>{0})
      for (int lambda = 0; lambda < 12; ++lambda)
        for (const bool minus : lambda == 0 ? std::vector<bool>{false, true} : std::vector<bool>{false}) {
          const AxialIrrep irrep{parity, lambda, minus};
          CHECK(parse_axial_irrep(centre, to_string(irrep)) == irrep);
        }
  CHECK(to_latex(parse_axial_irrep(true, "Sigma_g^+")) == "\\Sigma_{g}^{+}");
  CHECK(to_latex(parse_axial_irrep(false, "E5")) == "E_{5}");
  CHECK(parse_axial_irrep(true, "E1u") == parse_axial_irrep(true, "Πu"));
  for (const char* wrong : {"", "Π", "Σg", "Πg+", "Σgu+", "Πug", "E0g", "Eg", "E99999999g", "A1g", "Σg+-"})
    CHECK_THROWS_AS(parse_axial_irrep(true, wrong), DomainError);
  for (const char* wrong : {"Σ", "Πu", "Σg+", "Π+", "Δ-"})
    CHECK_THROWS_AS(parse_axial_irrep(false, wrong), DomainError);
  CHECK(names_axial_group("Coov"));
  CHECK(axial_group_has_centre("D∞h"));
  CHECK_FALSE(names_axial_group("C6v"));
  CHECK_THROWS_AS(axial_group_has_centre("D6h"), DomainError);
  for (const char* wrong :
       {"irrep(Πu", "irrep([1,1])", "spinor", "schur([15,15,15,15,15,15,15,15,15,15,15,15,15,15,15], vector)",
        "harmonic(99999)", "irrep([2,2] as partition)"})
    CHECK_THROWS_AS(rep(true, wrong), Error);
  // Labels stay numbers: these once went beyond the largest int.
  const AxialCharacter far = AxialCharacter::irrep(false, {0, AxialCharacter::max_lambda - 1, false});
  CHECK(tensor_product(far, rep(false, "irrep(Π)")).terms().size() == 2);
  CHECK_THROWS_AS(tensor_product(far, far), LimitError);
  CHECK_THROWS_AS(far.adams(2), LimitError);
  CHECK_THROWS_AS(rep(false, "irrep(E1000000)^1000 * irrep(Π)"), LimitError);
  CHECK_THROWS_AS(tensor_product(rep(true, "vector"), rep(false, "vector")), DomainError);
  CHECK_THROWS_AS(rep(true, "irrep([2,2] as partition)", true), Error);
}
