// Sym^k and Lambda^k.
#include <fmt/format.h>

#include <algorithm>

#include "combinations.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/power.hpp"
#include "intertwine/representations/power_matrices.hpp"
#include "node.hpp"

namespace intertwine {

namespace {

Integer quotient(const Integer& a, unsigned m) { return a / m; }
Cyclotomic quotient(const Cyclotomic& a, unsigned m) { return a * Cyclotomic(Rational(1, m)); }

/// k h_k = sum p_i h_{k-i} for k = 1, 2, ...; p[0] is not used.
template <class Number>
Number newton(const std::vector<Number>& p) {
  std::vector<Number> value(p.size());
  value[0] = 1;
  for (unsigned m = 1; m < p.size(); ++m) {
    Number sum = 0;
    for (unsigned i = 1; i <= m; ++i) sum += p[i] * value[m - i];
    value[m] = quotient(sum, m);
  }
  return value.back();
}

/// h_k (symmetric) or e_k (alternating) from the power sums p_i = chi(g^i): Newton's identities
/// k h_k = sum p_i h_{k-i} and k e_k = sum (-1)^{i-1} p_i e_{k-i}. O(k^2) products.
Cyclotomic character_by_newton(const Representation& V, unsigned k, bool symmetric, const Permutation& g) {
  std::vector<Cyclotomic> p(k + 1);
  Permutation power = g;
  bool integral = true;
  for (unsigned i = 1; i <= k; ++i) {
    p[i] = V.node().character(power);
    if (!symmetric && i % 2 == 0) p[i] = -p[i];
    integral = integral && p[i].is_integer();
    if (i < k) power = power * g;
  }
  if (!integral) return newton(p);
  std::vector<Integer> integers;
  for (const Cyclotomic& x : p) integers.push_back(x.to_integer());
  return newton(integers);
}

/// The coefficient of t^k in 1 / det(1 - t rho) or det(1 + t rho), as a product over the cycles of rho: a
/// cycle of length l and sign s has det(1 - t c) = 1 - s t^l and det(1 + t c) = 1 - s (-t)^l. O(k) additions
/// a cycle.
Integer character_by_cycles(const SignedPermutation& image, std::uint64_t k, bool symmetric) {
  std::vector<Integer> series(k + 1);
  series[0] = 1;
  std::vector<char> seen(image.degree(), 0);
  for (Point start = 0; start < image.degree(); ++start) {
    if (seen[start]) continue;
    std::size_t length = 0;
    bool negative = false;
    for (Point x = start; !seen[x]; ++length) {
      seen[x] = 1;
      negative = negative != image(x).negative();
      x = image(x).point();
    }
    if (length > k) continue;
    if (symmetric) {
      for (std::size_t i = length; i <= k; ++i)
        series[i] = negative ? Integer(series[i] - series[i - length]) : Integer(series[i] + series[i - length]);
    } else {
      const bool minus = negative != (length % 2 == 0);
      for (std::size_t i = k; i >= length; --i)
        series[i] = minus ? Integer(series[i] - series[i - length]) : Integer(series[i] + series[i - length]);
    }
  }
  return series[k];
}

/// det rho(g), +1 or -1, from the character alone: -1 to the multiplicity of the eigenvalue -1, which is the mean of
/// chi(g^i) (-1)^i over the powers of g.
int determinant_by_character(const Representation& V, const Permutation& g) {
  const auto order = static_cast<std::uint64_t>(g.order());
  if (order % 2 == 1) return 1;
  Cyclotomic sum;
  Permutation power = Permutation::identity(g.degree());
  for (std::uint64_t i = 0; i < order; ++i, power = power * g)
    sum += i % 2 == 0 ? V.node().character(power) : -V.node().character(power);
  return Integer(sum.to_integer() / order) % 2 == 0 ? 1 : -1;
}

/// h_k for k >= n from e_1, ..., e_n: h_k = sum (-1)^{i-1} e_i h_{k-i}. O(k n) products; n is small here.
Cyclotomic complete_by_elementary(const Representation& V, std::uint64_t k, const Permutation& g) {
  const auto n = static_cast<unsigned>(V.dimension());
  std::vector<Cyclotomic> e(n + 1);
  for (unsigned i = 1; i <= n; ++i) e[i] = character_by_newton(V, i, false, g);
  std::vector<Cyclotomic> h(n);  // h_m at m mod n
  h[0] = 1;
  for (std::uint64_t m = 1; m <= k; ++m) {
    Cyclotomic sum;
    for (unsigned i = 1; i <= n && i <= m; ++i) {
      const Cyclotomic term = e[i] * h[(m - i) % n];
      sum += i % 2 == 1 ? term : -term;
    }
    h[m % n] = sum;
  }
  return h[k % n];
}

/// Sym^k and Lambda^k of what acts by general matrices, where Newton's identities for k alone would be long.
Cyclotomic character_of_large_power(const Representation& V, unsigned k, bool symmetric, const Permutation& g) {
  const std::uint64_t n = V.dimension();
  if (symmetric && n == 1) return V.node().character(g).power(k);
  if (symmetric) return complete_by_elementary(V, k, g);
  // e_k = det e_{n-k} at the inverse, where a rational character has the same value.
  if (g.order() > n || !V.field().is_rational()) return character_by_newton(V, k, false, g);
  return Cyclotomic(determinant_by_character(V, g)) * character_by_newton(V, static_cast<unsigned>(n - k), false, g);
}

/// Lists in the tensor power: the places of all tuples that become a list when sorted, the sorted one first.
class TuplePlaces {
 public:
  TuplePlaces(std::uint64_t n, unsigned k, bool symmetric, std::uint64_t lists) : tuples_(1) {
    for (unsigned j = 0; j < k; ++j) tuples_ *= n;
    for (std::uint64_t r = 0; r < lists; ++r) {
      auto list = combination_of_rank(n, k, symmetric ? Combination::symmetric : Combination::alternating, r);
      auto& places = places_.emplace_back();
      do {
        std::uint64_t place = 0;
        bool negative = false;
        for (unsigned i = 0; i < k; ++i) {
          place = place * n + list[i];
          for (unsigned j = 0; !symmetric && j < i; ++j) negative = negative != (list[j] > list[i]);
        }
        places.push_back({place, negative});
      } while (std::next_permutation(list.begin(), list.end()));
    }
  }

  /// Rows of lists at their tuples: at the sorted one alone, or with their signs at all.
  FieldMatrix expanded(const FieldMatrix& X, bool all) const {
    const IntegerMatrix& from = X.coefficients().numerator();
    IntegerMatrix to(tuples_, from.cols());
    for (std::size_t r = 0; r < places_.size(); ++r)
      for (std::size_t c = 0; c < from.cols(); ++c) {
        if (from.sign(r, c) == 0) continue;
        const Integer x = from(r, c);
        for (const auto& [place, negative] : of_list(r, all)) to.set(place, c, negative ? Integer(-x) : x);
      }
    return {X.field(), RationalMatrix(std::move(to), X.coefficients().denominator()), X.cols()};
  }
  /// The transposed maps.
  FieldMatrix collected(const FieldMatrix& X, bool all) const {
    const IntegerMatrix& from = X.coefficients().numerator();
    IntegerMatrix to(places_.size(), from.cols());
    for (std::size_t r = 0; r < places_.size(); ++r)
      for (std::size_t c = 0; c < from.cols(); ++c) {
        Integer sum = 0;
        for (const auto& [place, negative] : of_list(r, all))
          sum += negative ? Integer(-from(place, c)) : from(place, c);
        to.set(r, c, sum);
      }
    return {X.field(), RationalMatrix(std::move(to), X.coefficients().denominator()), X.cols()};
  }

 private:
  struct Place {
    std::uint64_t tuple;
    bool negative;
  };
  std::span<const Place> of_list(std::size_t r, bool all) const {
    return std::span(places_[r]).first(all ? places_[r].size() : 1);
  }

  std::uint64_t tuples_;
  std::vector<std::vector<Place>> places_;
};

class Symmetrization final : public RepresentationNode {
 public:
  Symmetrization(unsigned k, const Representation& V, bool symmetric, std::uint64_t dimension)
      : RepresentationNode(V.group(), dimension, V.node().depth() + 1, V.field()),
        V_(V),
        k_(k),
        symmetric_(symmetric) {}

  bool is_permutation() const override {
    return dimension() == 0 || (symmetric_ && V_.is_permutation()) || generator_images_are_unsigned();
  }
  bool is_monomial() const override { return dimension() == 0 || V_.is_monomial(); }
  FieldMatrix dense(const Permutation& g) const override {
    if (is_monomial()) return RepresentationNode::dense(g);
    if (field().is_rational()) return power_matrix(power(), V_.matrix(g));
    const FieldMatrix A = V_.field_matrix(g);
    if (V_.dimension() != 1) return power_matrix(power(), A);
    return A(0, 0).power(k_) * FieldMatrix::identity(field(), 1);
  }
  Cyclotomic character(const Permutation& g) const override {
    if (dimension() == 0) return 0;
    // A dimension of 64 bits means that k, n or n - k is small; Lambda^k = det (x) (Lambda^{n-k})* serves the
    // last case.
    const std::uint64_t n = V_.dimension();
    if (symmetric_ ? k_ < n : 2 * std::uint64_t{k_} <= n) return character_by_newton(V_, k_, symmetric_, g);
    if (!V_.is_monomial()) return character_of_large_power(V_, k_, symmetric_, g);
    const SignedPermutation image = V_.image(g);
    if (symmetric_) return character_by_cycles(image, k_, true);
    return determinant(image.images()) * character_by_cycles(image, n - k_, false);
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    if (out.empty()) return;
    require_indexable(V_.dimension(), "image");
    std::vector<SignedPoint> image(V_.dimension());
    V_.node().write_image(g, image);
    if (symmetric_ && image.size() == 1)
      out[0] = SignedPoint(0, image[0].negative() && k_ % 2 == 1);
    else
      write_combination_images(image, k_, symmetric_ ? Combination::symmetric : Combination::alternating, out);
  }
  std::string text(TextForm form) const override {
    return fmt::format("{}({}, {})", symmetric_ ? "sym" : "alt", k_, V_.to_string(form));
  }
  std::string label(std::uint64_t i) const override {
    if (symmetric_ && V_.dimension() == 1) return fmt::format("{}**{}", V_.basis_label(0), k_);
    std::string text;
    for (const std::uint64_t v :
         combination_of_rank(V_.dimension(), k_, symmetric_ ? Combination::symmetric : Combination::alternating, i))
      text += (text.empty() ? "" : (symmetric_ ? "*" : "^")) + V_.basis_label(v);
    return text;
  }

  PowerOf<Representation> of() const { return {V_, k_, symmetric_}; }

 private:
  /// Powers of a line are given by a sign, k may be anything.
  PowerOfMatrices power() const {
    return {V_.dimension(), V_.dimension() == 1 && k_ > 2 ? 2 - k_ % 2 : k_, symmetric_};
  }
  /// Through V^(x k) where that is small, also beside the matrix of the power: k products with the matrix of V take the place of one with that of the power.
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    constexpr std::uint64_t most_entries = 1U << 24;
    const std::uint64_t n = V_.dimension();
    std::uint64_t tuples = 1;
    for (unsigned j = 0; n > 1 && j < k_ && tuples <= most_entries; ++j) tuples *= n;
    if (n > 1 && tuples * X.cols() * field().degree() <= most_entries &&
        tuples <= dimension() * dimension()) {  // else the power is so much smaller that its own matrix costs less
      const TuplePlaces places(n, k_, symmetric_, dimension());
      return places.collected(apply_factors(std::vector<Representation>(k_, V_), std::vector<Permutation>(k_, g),
                                            places.expanded(X, transposed), transposed),
                              !transposed);
    }
    if (!field().is_rational()) return RepresentationNode::apply_to(g, X, transposed);
    return apply_power(power(), V_.matrix(g), X.coefficients(), transposed);
  }

  Representation V_;
  unsigned k_;
  bool symmetric_;
};

}  // namespace

Representation sym(unsigned k, const Representation& V) {
  if (k == 0) return trivial_representation(V.group());
  if (k == 1) return V;
  const std::uint64_t n = V.dimension();
  if (n > ~std::uint64_t{0} - k)
    throw LimitError(fmt::format("sym: the dimension C({} + {}, {}) exceeds 2^64 - 1", n, k - 1, k));
  const std::uint64_t dimension = n == 0 ? 0 : checked_binomial(n + k - 1, k, fmt::format("sym({}, V)", k));
  return Representation(std::make_shared<Symmetrization>(k, V, true, dimension));
}

Representation alt(unsigned k, const Representation& V) {
  if (k == 0) return trivial_representation(V.group());
  if (k == 1) return V;
  const std::uint64_t dimension = checked_binomial(V.dimension(), k, fmt::format("alt({}, V)", k));
  return Representation(std::make_shared<Symmetrization>(k, V, false, dimension));
}

std::optional<PowerOf<Representation>> power_of(const Representation& V) {
  const auto* power = dynamic_cast<const Symmetrization*>(&V.node());
  if (power == nullptr) return {};
  return power->of();
}

}  // namespace intertwine
