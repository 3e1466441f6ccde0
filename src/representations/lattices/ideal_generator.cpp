// Searches for generators of principal ideals.
#include "ideal_generator.hpp"

#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/prime_field.hpp"

namespace intertwine {

namespace {

/// The rows x Omega for all of these.
IntegerMatrix multiples_by(const std::vector<IntegerMatrix>& integers, const IntegerMatrix& x) {
  std::vector<IntegerMatrix> parts;
  for (const IntegerMatrix& Omega : integers) parts.push_back(x * Omega);
  return vertical_stack(parts);
}

/// Small combinations x (rows) of a basis of an ideal: their norms over that of the ideal are |det| of their multiples
/// by the integers. The norm up to sign is looked up modulo a split prime, where it is the product of m linear forms.
class GeneratorSearch {
 public:
  /// \param integers  the multiplications on the ideal, in its basis; `by_generator` the one by a
  GeneratorSearch(const std::vector<IntegerMatrix>& integers, const IntegerMatrix& by_generator, const AbelianField& K)
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

  /// The shortest of norm 1 or -1.
  std::optional<IntegerMatrix> generator(const IntegerMatrix& gram, const Task& task) const {
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

  /// The shortest of least norm among the basis vectors and combinations of two.
  IntegerMatrix least(const IntegerMatrix& gram, const Task& task) const {
    std::optional<IntegerMatrix> best;
    std::pair<Integer, Integer> key;
    for (std::size_t i = 0; i < m_; ++i)
      for (std::size_t j = i; j < m_; ++j)
        for (long c = -2; c <= 2; ++c)
          for (long a = 1; a <= 2; ++a) {
            if (j == i ? c != 0 || a != 1 : c == 0) continue;
            task.poll();
            IntegerMatrix x(1, m_);
            x.set(0, j, c);
            x.set(0, i, a);
            const std::pair<Integer, Integer> next{abs(norm(x)), (x * gram * x.transpose())(0, 0)};
            if (best && next >= key) continue;
            best = x;
            key = next;
          }
    return *best;
  }

 private:
  std::size_t power(long base) const {
    std::size_t result = 1;
    for (std::size_t i = 0; i < m_ && result < std::size_t{1} << 32; ++i) result *= static_cast<std::size_t>(base);
    return result;
  }
  Integer norm(const IntegerMatrix& x) const {
    return boost::multiprecision::numerator(determinant(RationalMatrix(multiples_by(integers_, x))));
  }
  PrimeField::Element product(const std::vector<long>& c) const {
    PrimeField::Element result = field_.one();
    for (const auto& form : forms_) {
      PrimeField::Element sum = 0;
      for (std::size_t i = 0; i < c.size(); ++i) sum = field_.add(sum, field_.multiply(field_.from(c[i]), form[i]));
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

IntegerMatrix ideal_generator(const std::vector<IntegerMatrix>& integers, const IntegerMatrix& by_generator,
                              const IntegerMatrix& form, const AbelianField& K, const Task& task) {
  const GeneratorSearch search(integers, by_generator, K);
  auto x = search.generator(form, task);
  return x ? std::move(*x) : search.least(form, task);
}

}  // namespace intertwine
