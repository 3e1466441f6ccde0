#include "constituent_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "balanced_basis.hpp"
#include "intertwine/error.hpp"
#include "module_basis.hpp"

namespace intertwine {

namespace {

/// The numbers that occur as coordinates, as integral coordinates over K without a common factor.
class CodeTable {
 public:
  CodeTable(const SphericalVector& v, const AbelianField& K) : K_(K) {
    const std::size_t codes = v.values().size() * v.module().order();
    std::vector<std::vector<Rational>> rational;
    Integer denominator = 1, content = 0;
    for (std::uint32_t code = 0; code < codes; ++code) {
      rational.push_back(K.coordinates(v.value(code)));
      for (const Rational& x : rational.back())
        denominator = lcm(denominator, boost::multiprecision::denominator(x));
    }
    for (const auto& list : rational) {
      auto& integral = values_.emplace_back();
      for (const Rational& x : list) {
        integral.push_back(boost::multiprecision::numerator(x * denominator));
        content = gcd(content, integral.back());
      }
    }
    for (auto& list : values_)
      for (Integer& x : list) x /= content;
  }

  const std::vector<Integer>& operator[](std::uint32_t code) const { return values_[code]; }
  std::size_t size() const { return values_.size(); }
  /// Every number times a.
  void multiply_by_generator() {
    const std::vector<Integer>& relation = K_.minimal_polynomial();
    for (auto& list : values_) {
      const Integer top = list.back();
      for (std::size_t l = list.size(); l-- > 1;) list[l] = list[l - 1] - top * relation[l];
      list[0] = -top * relation[0];
    }
  }
  std::vector<std::uint64_t> reduced(const AbelianField::SplitPrime& prime) const {
    std::vector<std::uint64_t> result;
    for (const auto& list : values_) {
      Integer sum = 0;
      for (std::size_t l = list.size(); l-- > 0;) sum = (sum * prime.roots[0] + list[l]) % prime.p;
      result.push_back((sum < 0 ? Integer(sum + prime.p) : sum).convert_to<std::uint64_t>());
    }
    return result;
  }

 private:
  const AbelianField& K_;
  std::vector<std::vector<Integer>> values_;
};

/// The codes of d images of v that are independent over K.
std::vector<SphericalVector::Codes> independent_images(const SphericalVector& v, std::size_t d,
                                                       const CodeTable& table,
                                                       const AbelianField::SplitPrime& prime,
                                                       const Task& task) {
  const std::size_t n = v.module().size();
  const std::vector<std::uint64_t> residues = table.reduced(prime);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Rng rng(1);
  for (std::size_t k = 1; k + 1 < n; ++k) std::swap(order[k], order[k + rng.below(n - k)]);
  for (std::size_t count = std::min(n, d + 16);; count = std::min(n, 2 * count)) {
    std::vector<SphericalVector::Codes> images;
    ModularMatrix columns(prime.p, n, count);
    for (std::size_t k = 0; k < count; ++k) {
      task.poll();
      images.push_back(v.moved(order[k]));
      for (std::size_t i = 0; i < n; ++i) columns.set(i, k, residues[images[k][i]]);
    }
    std::vector<std::size_t> pivots;
    columns.echelon(&pivots);
    if (pivots.size() >= d || count == n) {
      if (pivots.size() != d)
        throw InternalError(fmt::format(
            "constituent_basis: the images of the seed have rank {} instead of {}", pivots.size(), d));
      std::vector<SphericalVector::Codes> result;
      for (const std::size_t k : pivots) result.push_back(std::move(images[k]));
      return result;
    }
  }
}

/// Rows a^j x for the images x, the coordinates at a^l in columns l n, ..., l n + n - 1.
IntegerMatrix lattice_rows(const std::vector<SphericalVector::Codes>& images, CodeTable table,
                           std::size_t m) {
  const std::size_t d = images.size(), n = images.at(0).size();
  IntegerMatrix rows(d * m, n * m);
  for (std::size_t j = 0; j < m; ++j, table.multiply_by_generator())
    for (std::size_t k = 0; k < d; ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t l = 0; l < m; ++l) {
          const Integer& x = table[images[k][i]][l];
          if (x != 0) rows.set(j * d + k, l * n + i, x);
        }
  return rows;
}

}  // namespace

// The images of the seed are multiples of the projections of the basis vectors of M, which span the dual of the lattice of
// integral vectors in the constituent. Matrices in dual bases are transposed inverses of each other, so either lattice
// serves; reduction is much faster on the images, and the entries are smaller (M12, degree 176: 11 against 8862). Where
// there are too many images, d of them lead to the integral vectors.
FieldMatrix constituent_basis(const SphericalVector& v, std::size_t d, const AbelianField& K,
                              const Task& task) {
  constexpr std::size_t largest_rank = 200, most_rows = 1100, most_entries = 600'000;
  const std::size_t n = v.module().size(), m = K.degree();
  const CodeTable table(v, K);
  IntegerMatrix lattice;
  if (m == 1 ? n * d <= most_entries : n * m <= most_rows) {
    std::vector<SphericalVector::Codes> images;
    for (std::size_t k = 0; k < n; ++k) {
      task.poll();
      images.push_back(v.moved(k));
    }
    lattice = lll(lattice_rows(images, table, m));
  } else {
    const auto images = independent_images(v, d, table, K.split_prime(0), task);
    const IntegerMatrix rows = lattice_rows(images, table, m);
    if (d * m > largest_rank) return columns_over(K, m == 1 ? lll(rows) : rows.block(0, 0, d, n * m));
    const IntegerMatrix saturated = saturate(rows, task);
    task.poll();
    lattice = lll(saturated);
  }
  task.poll();  // lattice reduction itself is not interrupted
  if (lattice.rows() != d * m)
    throw InternalError(fmt::format("constituent_basis: the images of the seed have rank {} instead of {}",
                                    lattice.rows(), d * m));
  return balanced_basis(columns_over(K, module_basis(lattice, K, task)), K, task);
}

}  // namespace intertwine
