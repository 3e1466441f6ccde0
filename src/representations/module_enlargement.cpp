#include "module_enlargement.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "exact/gram_reduction.hpp"
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

/// The rows x Omega for all of these.
IntegerMatrix multiples_by(const std::vector<IntegerMatrix>& integers, const IntegerMatrix& x) {
  std::vector<IntegerMatrix> parts;
  for (const IntegerMatrix& Omega : integers) parts.push_back(x * Omega);
  return vertical_stack(parts);
}

/// The shortest small combination x (a row) of a basis of an ideal that generates it: |det| of its multiples by the integers is 1. What the norm is
/// up to sign is looked up modulo a split prime, where it is the product of m linear forms.
class GeneratorSearch {
 public:
  /// \param integers  the multiplications on the ideal, in its basis; `by_generator` the one by a
  GeneratorSearch(const std::vector<IntegerMatrix>& integers, const IntegerMatrix& by_generator,
                  const AbelianField& K)
      : integers_(integers), m_(integers.size()), prime_(K.split_prime(0)), field_(prime_.p) {
    for (const std::uint64_t root : prime_.roots) {
      const IntegerMatrix shifted = by_generator - Integer(root) * IntegerMatrix::identity(m_);
      const ModularMatrix eigenvector = ModularMatrix(prime_.p, shifted).kernel();
      forms_.push_back(field_.column(eigenvector.transpose(), 0));
    }
    IntegerMatrix first(1, m_);
    first.set(0, 0, 1L);
    unit_ = product(std::vector<long>(1, 1));
    unit_ = field_.multiply(unit_, field_.inverse(field_.from(norm(first))));
  }

  std::optional<IntegerMatrix> shortest(const IntegerMatrix& gram, const Task& task) const {
    constexpr std::size_t most = 400'000;
    long reach = 0;
    while (reach < 8 && power(2 * reach + 3) <= most) ++reach;
    std::optional<IntegerMatrix> best;
    Integer least;
    if (reach == 0) return best;
    const PrimeField::Element opposite = field_.negative(unit_);
    std::vector<long> c(m_, -reach);
    for (std::size_t count = power(2 * reach + 1) / 2; count > 0; --count) {  // one of x and -x
      if (count % 4096 == 0) task.poll();
      if (const auto value = product(c); value == unit_ || value == opposite) {
        IntegerMatrix x(1, m_);
        for (std::size_t i = 0; i < m_; ++i) x.set(0, i, c[i]);
        const Integer length = (x * gram * x.transpose())(0, 0);
        if ((!best || length < least) && abs(norm(x)) == 1) {
          best = x;
          least = length;
        }
      }
      std::size_t k = 0;
      while (c[k] == reach) c[k++] = -reach;
      ++c[k];
    }
    return best;
  }

 private:
  std::size_t power(long base) const {
    std::size_t result = 1;
    for (std::size_t i = 0; i < m_ && result < std::size_t{1} << 32; ++i)
      result *= static_cast<std::size_t>(base);
    return result;
  }
  Integer norm(const IntegerMatrix& x) const {
    return boost::multiprecision::numerator(determinant(RationalMatrix(multiples_by(integers_, x))));
  }
  PrimeField::Element product(const std::vector<long>& c) const {
    PrimeField::Element result = field_.one();
    for (const auto& form : forms_) {
      PrimeField::Element sum = 0;
      for (std::size_t i = 0; i < c.size(); ++i)
        sum = field_.add(sum, field_.multiply(field_.from(c[i]), form[i]));
      result = field_.multiply(result, sum);
    }
    return result;
  }

  const std::vector<IntegerMatrix>& integers_;
  std::size_t m_;
  AbelianField::SplitPrime prime_;
  PrimeField field_;
  std::vector<std::vector<PrimeField::Element>> forms_;
  PrimeField::Element unit_;  ///< the product where the norm is 1
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

std::optional<IntegerMatrix> completing_vector(const IntegerMatrix& vectors,
                                               const std::vector<IntegerMatrix>& integers,
                                               const IntegerMatrix& by_generator, const IntegerMatrix& gram,
                                               const AbelianField& K, const Task& task) {
  const std::size_t r = gram.rows(), m = integers.size();
  if ((vectors.rows() + 1) * m != r) return std::nullopt;
  // x -> x Q is the map onto the quotient Z^m.
  const IntegerMatrix Q =
      vectors.rows() == 0 ? IntegerMatrix::identity(r)
                          : kernel_lattice(RationalMatrix(multiples_by(integers, vectors)), task).transpose();
  task.poll();
  // In a form that weighs the quotient heavily enough, the last m vectors of a reduced basis are short preimages of a basis of the quotient.
  IntegerMatrix lifts;
  for (unsigned weight = 12; weight <= 36; weight += 24) {
    task.poll();
    const Integer heavy = (gram.height() + 1) << weight;
    lifts = gram_reduction(gram + heavy * (Q * Q.transpose())).block(r - m, 0, m, r);
    if (abs(determinant(RationalMatrix(lifts * Q))) == 1) break;
  }
  const RationalMatrix images(lifts * Q);
  if (abs(determinant(images)) != 1) return std::nullopt;
  task.poll();
  // A multiple of the form on the quotient in which length is the distance from the kernel.
  const RationalMatrix distance =
      inverse(RationalMatrix(Q.transpose()) * inverse(RationalMatrix(gram), task) * RationalMatrix(Q), task);
  const IntegerMatrix form = (images * distance * images.transpose()).numerator(), U = gram_reduction(form);
  lifts = U * lifts;
  const RationalMatrix back = inverse(RationalMatrix(lifts * Q), task);
  const auto on_quotient = [&](const IntegerMatrix& action) {
    return (RationalMatrix(lifts * action * Q) * back).numerator();
  };
  std::vector<IntegerMatrix> quotients;
  for (const IntegerMatrix& Omega : integers) quotients.push_back(on_quotient(Omega));
  const auto x =
      GeneratorSearch(quotients, on_quotient(by_generator), K).shortest(U * form * U.transpose(), task);
  if (!x) return std::nullopt;
  return *x * lifts;
}

}  // namespace intertwine
