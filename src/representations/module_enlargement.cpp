#include "module_enlargement.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/exact/prime_field.hpp"

namespace intertwine {

namespace {

using Coordinates = std::vector<Integer>;  ///< of a number at 1, a, ..., a^(m-1)

/// The matrix of x -> f(a) x on row vectors, a acting by A.
IntegerMatrix value_at(const Coordinates& f, const IntegerMatrix& A) {
  IntegerMatrix result(A.rows(), A.rows());
  for (std::size_t l = f.size(); l-- > 0;) result = result * A + f[l] * IntegerMatrix::identity(A.rows());
  return result;
}

/// The matrix of multiplication by a on coordinates (rows).
IntegerMatrix companion(const AbelianField& K) {
  const std::size_t m = K.degree();
  IntegerMatrix A(m, m);
  for (std::size_t l = 0; l + 1 < m; ++l) A.set(l, l + 1, 1L);
  for (std::size_t l = 0; l < m; ++l) A.set(m - 1, l, Integer(-K.minimal_polynomial()[l]));
  return A;
}

/// A number of norm p or -p in the ideal (p, a - root): among small combinations of a reduced basis of it.
std::optional<Coordinates> generator_of_prime(const AbelianField& K, std::uint64_t p, std::uint64_t root) {
  const std::size_t m = K.degree();
  if (m > 4) return std::nullopt;
  const IntegerMatrix A = companion(K);
  IntegerMatrix ideal(m, m);  // p, a - root, a (a - root), ...: rows
  ideal.set(0, 0, Integer(p));
  for (std::size_t l = 1; l < m; ++l) {
    ideal.set(l, l, 1L);
    ideal.set(l, l - 1, Integer(-Integer(root)));
  }
  ideal = lll(ideal);
  constexpr int reach = 3;
  std::vector<int> c(m, -reach);
  for (;;) {
    Coordinates x(m, 0);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j) x[j] += c[i] * ideal(i, j);
    if (abs(determinant(RationalMatrix(value_at(x, A)))) == Rational(Integer(p))) return x;
    std::size_t k = 0;
    while (k < m && c[k] == reach) c[k++] = -reach;
    if (k == m) return std::nullopt;
    ++c[k];
  }
}

class Enlargement {
 public:
  Enlargement(IntegerMatrix vectors, const IntegerMatrix& multiplication, const AbelianField& K)
      : vectors_(std::move(vectors)), multiplication_(multiplication), K_(K) {}

  const IntegerMatrix& vectors() const { return vectors_; }

  /// The vectors, then a times them, ...
  IntegerMatrix multiples() const {
    std::vector<IntegerMatrix> parts{vectors_};
    while (parts.size() < K_.degree()) parts.push_back(parts.back() * multiplication_);
    return vertical_stack(parts);
  }

  /// Over one prime ideal above p; false if none is of use.
  bool enlarge(std::uint64_t p) {
    std::vector<std::uint64_t> polynomial;
    for (const Integer& c : K_.minimal_polynomial()) polynomial.push_back(mpz_fdiv_ui(c.backend().data(), p));
    for (const std::uint64_t root : modular_roots(p, polynomial))
      if (const auto weights = dependency(p, root))
        if (const auto pi = generator_of_prime(K_, p, root)) {
          replace(p, *weights, *pi);
          return true;
        }
    return false;
  }

 private:
  /// Numbers l_j modulo p, not all 0, with sum l_j c_j in (pi) L, pi the prime over p with a = root modulo pi: that is,
  /// in p L + (a - root) L.
  std::optional<std::vector<std::uint64_t>> dependency(std::uint64_t p, std::uint64_t root) const {
    const std::size_t r = multiplication_.rows();
    const IntegerMatrix shifted = multiplication_ - Integer(root) * IntegerMatrix::identity(r);
    // Functionals on L / (pi) L are the kernel of the transposed action; c_j in the rows of their values.
    const ModularMatrix functionals = ModularMatrix(p, shifted).kernel();  // rows f with (a - root) e_i f = 0
    const ModularMatrix values = ModularMatrix(p, vectors_) * functionals.transpose();
    const ModularMatrix relations = values.transpose().kernel();
    if (relations.rows() == 0) return std::nullopt;
    const auto row = relations.row(0);
    return std::vector<std::uint64_t>(row.begin(), row.end());
  }

  static Coordinates integral(const std::vector<Rational>& list) {
    Coordinates result;
    for (const Rational& x : list) result.push_back(boost::multiprecision::numerator(x));
    return result;
  }

  /// c minus the multiple of pi nearest to it, coordinate by coordinate; quotient = p / pi.
  Coordinates reduce(const Integer& c, const Integer& p, const Cyclotomic& quotient,
                     const Cyclotomic& pi) const {
    std::vector<Rational> nearest;
    for (const Integer& x : integral(K_.coordinates(Cyclotomic(c) * quotient))) {
      Integer rounded;
      const Integer twice = 2 * x + p, divisor = 2 * p;
      mpz_fdiv_q(rounded.backend().data(), twice.backend().data(), divisor.backend().data());
      nearest.emplace_back(rounded);
    }
    return integral(K_.coordinates(Cyclotomic(c) - pi * K_.element(nearest)));
  }

  void replace(std::uint64_t p, const std::vector<std::uint64_t>& weights, const Coordinates& pi) {
    std::size_t target = 0;
    while (weights[target] == 0) ++target;
    Integer inverse;
    const Integer modulus(p), weight(weights[target]);
    mpz_invert(inverse.backend().data(), weight.backend().data(), modulus.backend().data());
    const Cyclotomic generator = K_.element(std::vector<Rational>(pi.begin(), pi.end()));
    const Cyclotomic quotient = Cyclotomic(modulus) / generator;
    IntegerMatrix combination(1, multiplication_.rows());
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const Integer c = Integer(weights[j]) * inverse % modulus;
      const Coordinates reduced =
          j == target ? integral(K_.coordinates(Cyclotomic(1))) : reduce(c, modulus, quotient, generator);
      for (std::size_t l = 0; l < reduced.size(); ++l) combination.set(0, l * weights.size() + j, reduced[l]);
    }
    const Coordinates cofactor = integral(K_.coordinates(quotient));
    const IntegerMatrix x =
        exact_quotient(combination * multiples() * value_at(cofactor, multiplication_), modulus);
    for (std::size_t j = 0; j < x.cols(); ++j) vectors_.set(target, j, x(0, j));
  }

  IntegerMatrix vectors_;
  const IntegerMatrix& multiplication_;
  const AbelianField& K_;
};

}  // namespace

IntegerMatrix enlarged_to_basis(IntegerMatrix vectors, const IntegerMatrix& multiplication,
                                const AbelianField& K, const Task& task) {
  Enlargement sublattice(std::move(vectors), multiplication, K);
  for (;;) {
    task.poll();
    const Rational index = determinant(RationalMatrix(sublattice.multiples()));
    const Integer size = abs(boost::multiprecision::numerator(index));
    if (size <= 1) break;
    const auto p = find_prime_divisor(size);
    if (!p || !sublattice.enlarge(*p)) break;
  }
  return sublattice.vectors();
}

}  // namespace intertwine
