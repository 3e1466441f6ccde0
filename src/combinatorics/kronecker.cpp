// Kronecker products of Schur functions, by characters modulo primes.
#include <algorithm>
#include <map>
#include <numeric>

#include "combinatorics/ribbon_table.hpp"
#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/prime_field.hpp"

namespace intertwine {

namespace {

using detail::RibbonTable;

void require_same_weight(const Partition& lambda, const Partition& mu, const char* function) {
  if (lambda.weight() != mu.weight())
    throw DomainError(std::string(function) + ": " + to_string(lambda) + " and " + to_string(mu) +
                      " have different weights");
}

/// Walks over all cycle types, parts decreasing, with the restrictions of several characters to what is left;
/// collects sum over rho of (product of the characters)(rho) / z_rho * p_rho modulo a prime, expanded in
/// Schur functions.
class ClassWalk {
 public:
  ClassWalk(const RibbonTable& ribbons, std::uint64_t prime, const Task& task)
      : ribbons_(ribbons), field_(prime), task_(task) {
    for (int k = 0; k <= ribbons.weight(); ++k)
      inverse_.push_back(k == 0 ? 0 : field_.inverse(field_.from(std::int64_t{k})));
  }

  using Vector = std::vector<PrimeField::Element>;

  /// Residues.
  std::vector<std::uint64_t> product(const std::vector<Partition>& factors) {
    std::vector<Vector> start;
    for (const Partition& lambda : factors) {
      start.emplace_back(ribbons_.partitions_of(lambda.weight()).size());
      start.back()[ribbons_.number(lambda)] = field_.one();
    }
    Vector result = walk(start, ribbons_.weight(), ribbons_.weight(), 0, field_.one());
    for (PrimeField::Element& x : result) x = field_.residue(x);
    return result;
  }

 private:
  /// `left` points are not yet in cycles; the last cycle had length `last` and came `run` times; `weight` is
  /// 1/z so far.
  Vector walk(const std::vector<Vector>& restricted, int left, int last, int run, PrimeField::Element weight) {
    if (left == 0) {
      for (const Vector& value : restricted) weight = field_.multiply(weight, value[0]);
      return {weight};
    }
    task_.poll();
    Vector sum(ribbons_.partitions_of(left).size());
    std::vector<Vector> next(restricted.size());
    for (int k = std::min(left, last); k > 0; --k) {
      bool zero = false;
      for (std::size_t f = 0; f < restricted.size() && !zero; ++f) {
        next[f].assign(ribbons_.partitions_of(left - k).size(), 0);
        ribbons_.for_each(left, k, [&](std::uint32_t from, RibbonTable::Move move) {
          accumulate(next[f][move.to], restricted[f][from], move.sign);
        });
        zero = std::all_of(next[f].begin(), next[f].end(), [](PrimeField::Element a) { return a == 0; });
      }
      if (zero) continue;
      const int times = k == last && run > 0 ? run + 1 : 1;
      const Vector inner =
          walk(next, left - k, k, times, field_.multiply(weight, field_.multiply(inverse_[k], inverse_[times])));
      ribbons_.for_each(left, k, [&](std::uint32_t from, RibbonTable::Move move) {
        accumulate(sum[from], inner[move.to], move.sign);
      });
    }
    return sum;
  }

  void accumulate(PrimeField::Element& sum, PrimeField::Element a, int sign) const {
    sum = sign > 0 ? field_.add(sum, a) : field_.subtract(sum, a);
  }

  const RibbonTable& ribbons_;
  PrimeField field_;
  const Task& task_;
  std::vector<PrimeField::Element> inverse_;
};

/// Non-negative numbers at most `bound` from their residues.
std::vector<Integer> by_residues(const Integer& bound,
                                 const std::function<std::vector<std::uint64_t>(std::uint64_t)>& residues) {
  std::vector<Integer> values;
  Integer modulus = 1;
  constexpr std::size_t most_primes = 8;
  for (std::size_t k = 0; k < most_primes; ++k) {
    const std::uint64_t prime = word_prime(k);
    const std::vector<std::uint64_t> r = residues(prime);
    if (values.empty()) values.resize(r.size());
    const PrimeField field(prime);
    const PrimeField::Element inverse = field.inverse(field.from(modulus));
    for (std::size_t i = 0; i < r.size(); ++i) {
      const PrimeField::Element change = field.subtract(field.from(Integer(r[i])), field.from(values[i]));
      values[i] += modulus * field.residue(field.multiply(change, inverse));
    }
    modulus *= prime;
    if (modulus > bound) return values;
  }
  throw LimitError("a Kronecker coefficient may exceed " + to_string(modulus) +
                   "; the characters of S_n are too large for this method");
}

}  // namespace

SchurSum kronecker_product_by_characters(const Partition& lambda, const Partition& mu, const Task& task) {
  require_same_weight(lambda, mu, "kronecker_product");
  const RibbonTable ribbons(lambda.weight(), task);
  const Integer bound = std::min(number_of_standard_tableaux(lambda), number_of_standard_tableaux(mu));
  const auto values = by_residues(bound, [&](std::uint64_t prime) {
    return ClassWalk(ribbons, prime, task).product({lambda, mu});
  });
  std::vector<SchurTerm> terms;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != 0) terms.push_back({ribbons.partitions_of(lambda.weight())[i], values[i]});
  return SchurSum(std::move(terms));
}

Integer kronecker_coefficient_by_characters(const Partition& lambda, const Partition& mu, const Partition& nu,
                                            const Task& task) {
  if (lambda.weight() != mu.weight() || mu.weight() != nu.weight()) return 0;
  return kronecker_product_by_characters(lambda, mu, task).coefficient(nu);
}

SchurSum kronecker_product(const Partition& lambda, const Partition& mu, const Task& task) {
  require_same_weight(lambda, mu, "kronecker_product");
  const int n = lambda.weight();
  // chi^lambda chi^mu = chi^lambda' chi^mu': take the side on which a factor has fewest rows.
  const int rows = std::min(lambda.length(), mu.length()), columns = std::min(lambda[0], mu[0]);
  const int fewest = std::min(rows, columns);
  if (n <= 16 || (fewest > 2 && n <= 36) || (fewest > 3 && n <= RibbonTable::max_weight))
    return kronecker_product_by_characters(lambda, mu, task);
  return rows <= columns ? kronecker_product_by_determinant(lambda, mu, task)
                         : kronecker_product_by_determinant(lambda.conjugate(), mu.conjugate(), task);
}

}  // namespace intertwine
