// Finds vectors that generate one of the two copies of a module in an induced one.
#include "half_spherical.hpp"

#include <algorithm>
#include <numeric>

#include "intertwine/exact/linear_algebra.hpp"

namespace intertwine {

namespace {

/// Coordinates on the orbits of H, one for each.
using Values = std::vector<Cyclotomic>;
/// The matrix of a quadratic form over the integers.
using FormMatrix = std::vector<std::vector<std::int64_t>>;

/// The vectors of e_chi M that H moves by l.
class SphericalAlgebra {
 public:
  SphericalAlgebra(const SphericalVector& whole, std::size_t degree, const AbelianField& K, const Task& task)
      : whole_(whole), K_(K), task_(task), scale_(Rational(whole.module().size(), degree)) {
    const std::uint32_t r = whole.module().order();
    members_.resize(whole.values().size());
    for (std::size_t i = 0; i < whole.codes().size(); ++i) members_[whole.codes()[i] / r].push_back(i);
    for (const auto& orbit : members_)
      opposite_.push_back(whole.code_moved_from(whole.module().representative(orbit[0]).inverse(), 0));
  }

  /// A basis over the rational numbers of short vectors.
  std::vector<Values> basis() const {
    std::vector<std::size_t> by_length(members_.size());
    std::iota(by_length.begin(), by_length.end(), std::size_t{0});
    std::stable_sort(by_length.begin(), by_length.end(),
                     [&](std::size_t a, std::size_t b) { return members_[a].size() < members_[b].size(); });
    std::vector<Values> found;
    IntegerMatrix lattice;
    for (const std::size_t o : by_length) {
      task_.poll();
      if (!whole_.is_consistent(o)) continue;
      found.push_back(projected(o));
      IntegerMatrix next = integral(found);
      const std::size_t more = matrix_rank(RationalMatrix(next), task_);
      if (more < found.size() * K_.degree()) {
        found.pop_back();
        continue;
      }
      lattice = std::move(next);
      if (found.size() == 4) break;
    }
    const IntegerMatrix reduced = lll(saturate(lattice, task_), task_);
    std::vector<Values> result;
    for (std::size_t i = 0; i < reduced.rows(); ++i) result.push_back(values(reduced, i));
    return result;
  }
  /// tr(s) tr(t) - tr(s t)
  Cyclotomic form(const Values& s, const Values& t) const {
    Cyclotomic sum;
    for (std::size_t o = 0; o < members_.size(); ++o) {
      if (t[o].is_zero()) continue;
      sum += Cyclotomic(static_cast<long long>(members_[o].size())) * at(t, whole_.codes()[members_[o][0]]) *
             at(s, opposite_[o]);
    }
    const std::uint32_t first = whole_.codes()[0];
    return scale_ * (scale_ * at(s, first) * at(t, first) - sum);
  }
  /// The sum of the squares of all coordinates.
  Rational length(const Values& s) const {
    Rational sum = 0;
    for (std::size_t o = 0; o < members_.size(); ++o)
      for (const Rational& x : K_.coordinates(s[o])) sum += Rational(members_[o].size()) * x * x;
    return sum;
  }

 private:
  Cyclotomic at(const Values& x, std::uint32_t code) const {
    const std::uint32_t r = whole_.module().order();
    return x[code / r] * whole_.module().root(code % r);
  }
  /// e_chi of the vector on orbit o, which is consistent, that H moves by l.
  Values projected(std::size_t o) const {
    const MonomialModule& M = whole_.module();
    const std::uint32_t r = M.order();
    Values result(members_.size());
    std::vector<Permutation> back;
    for (const std::size_t j : members_[o]) back.push_back(M.representative(j).inverse());
    for (std::size_t target = 0; target < members_.size(); ++target) {
      task_.poll();
      std::vector<long long> counts(members_.size() * r, 0);
      for (std::size_t j = 0; j < back.size(); ++j) {
        const std::uint32_t code = whole_.code_moved_from(back[j], members_[target][0]);
        const std::uint32_t phase = whole_.codes()[members_[o][j]] % r;
        ++counts[code / r * r + (code + phase) % r];
      }
      for (std::uint32_t code = 0; code < counts.size(); ++code)
        if (counts[code] != 0) result[target] += Cyclotomic(counts[code]) * whole_.value(code);
    }
    return result;
  }
  /// Rows of integral coordinates of multiples of the vectors times powers of the generator of K.
  IntegerMatrix integral(const std::vector<Values>& vectors) const {
    std::vector<std::vector<Rational>> rows;
    for (Values x : vectors)
      for (std::size_t l = 0; l < K_.degree(); ++l) {
        auto& row = rows.emplace_back();
        for (Cyclotomic& value : x) {
          for (const Rational& c : K_.coordinates(value)) row.push_back(c);
          value *= K_.generator();
        }
      }
    IntegerMatrix result(rows.size(), rows.at(0).size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Integer denominator = 1;
      for (const Rational& x : rows[i]) denominator = lcm(denominator, boost::multiprecision::denominator(x));
      for (std::size_t j = 0; j < rows[i].size(); ++j)
        if (rows[i][j] != 0) result.set(i, j, boost::multiprecision::numerator(rows[i][j] * denominator));
    }
    return result;
  }
  Values values(const IntegerMatrix& rows, std::size_t i) const {
    const std::size_t m = K_.degree();
    Values result;
    for (std::size_t o = 0; o < members_.size(); ++o) {
      std::vector<Rational> coordinates;
      for (std::size_t l = 0; l < m; ++l) coordinates.emplace_back(rows(i, o * m + l));
      result.push_back(K_.element(coordinates));
    }
    return result;
  }

  const SphericalVector& whole_;
  const AbelianField& K_;
  const Task& task_;
  Cyclotomic scale_;                               ///< the scale of traces: the index over the degree
  std::vector<std::vector<std::size_t>> members_;  ///< the members of the orbits
  std::vector<std::uint32_t> opposite_;            ///< [o]: the code at e_0 of t_j, j the first member
};

/// Integral vectors on which quadratic forms with these FormMatrix matrices are 0, with entries of absolute value at most `radius`, one of
/// them equal to it, the first entry that is not 0 positive.
class CommonZeros {
 public:
  explicit CommonZeros(std::vector<FormMatrix> forms) : forms_(std::move(forms)) {}

  std::vector<std::vector<std::int64_t>> of_height(std::int64_t radius, const Task& task) const {
    const std::size_t n = forms_.at(0).size();
    std::vector<std::vector<std::int64_t>> result;
    std::vector<std::int64_t> x(n, -radius);
    for (std::uint64_t step = 0;; ++step) {
      if (step % 4096 == 0) task.poll();
      const auto first = std::find_if(x.begin(), x.end(), [](std::int64_t v) { return v != 0; });
      const bool high = std::any_of(x.begin(), x.end(), [&](std::int64_t v) { return v == radius || v == -radius; });
      if (first != x.end() && *first > 0 && high && is_zero(x)) result.push_back(x);
      std::size_t at = n;
      while (at > 0 && x[at - 1] == radius) x[--at] = -radius;
      if (at == 0) return result;
      ++x[at - 1];
    }
  }

 private:
  bool is_zero(const std::vector<std::int64_t>& x) const {
    __extension__ using Wide = __int128;
    return std::all_of(forms_.begin(), forms_.end(), [&](const auto& B) {
      Wide sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i] == 0) continue;
        Wide row = 0;
        for (std::size_t j = 0; j < x.size(); ++j) row += static_cast<Wide>(B[i][j]) * x[j];
        sum += row * x[i];
      }
      return sum == 0;
    });
  }

  std::vector<FormMatrix> forms_;
};

}  // namespace

std::optional<SphericalVector> half_spherical(const SphericalVector& whole, std::size_t degree, const AbelianField& K,
                                              const Task& task) {
  const SphericalAlgebra algebra(whole, degree, K, task);
  const std::vector<Values> basis = algebra.basis();
  const std::size_t n = basis.size(), m = K.degree();
  constexpr std::size_t most_variables = 8;
  if (n != 4 * m || n > most_variables) return std::nullopt;
  std::vector<std::vector<std::vector<Rational>>> rational(m, {n, std::vector<Rational>(n)});  // like forms
  Integer denominator = 1, content = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const std::vector<Rational> x = K.coordinates(algebra.form(basis[i], basis[j]));
      for (std::size_t l = 0; l < m; ++l) {
        rational[l][i][j] = x[l];
        denominator = lcm(denominator, boost::multiprecision::denominator(x[l]));
      }
    }
  for (const auto& B : rational)
    for (const auto& row : B)
      for (const Rational& x : row) content = gcd(content, boost::multiprecision::numerator(x * denominator));
  std::vector<FormMatrix> forms(m, FormMatrix(n, std::vector<std::int64_t>(n)));
  for (std::size_t l = 0; l < m; ++l)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const Integer x = boost::multiprecision::numerator(rational[l][i][j] * denominator) / content;
        if (abs(x) > Integer(std::int64_t{1} << 60U)) return std::nullopt;
        forms[l][i][j] = x.convert_to<std::int64_t>();
      }
  const CommonZeros zeros(std::move(forms));
  const std::int64_t largest_radius = m == 1 ? 40 : 3;
  for (std::int64_t radius = 1; radius <= largest_radius; ++radius) {
    std::optional<Values> best;
    Rational shortest = 0;
    for (const auto& x : zeros.of_height(radius, task)) {
      Values sum(basis[0].size());
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t o = 0; o < sum.size(); ++o)
          if (x[i] != 0) sum[o] += Cyclotomic(static_cast<long long>(x[i])) * basis[i][o];
      const Rational length = algebra.length(sum);
      if (best && !(length < shortest)) continue;
      best = std::move(sum);
      shortest = length;
    }
    if (best) return whole.with_values(std::move(*best));
  }
  return std::nullopt;
}

}  // namespace intertwine
