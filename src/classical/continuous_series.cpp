// Molien series of continuous groups.
#include "intertwine/classical/continuous_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>

#include "intertwine/characters/hilbert_series.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "torus_cosets.hpp"

namespace intertwine {

namespace {

using laurent::Coset;
using SeriesWeight = laurent::Weight;
using SeriesCoefficients = std::vector<Integer>;
__extension__ typedef __int128 Wide;
using PackedWeight = std::int64_t;

/// prod (1 - zeta t) over the primitive n-th roots of unity: 1 - t, and Phi_n for n > 1.
SeriesCoefficients cyclotomic_factor(std::uint64_t n) {
  // prod (1 - t^d)^moebius(n / d) as a power series up to its degree.
  SeriesCoefficients f(totient(n) + 1, 0);
  f[0] = 1;
  for (const std::uint64_t d : divisors(n)) {
    const int power = moebius(n / d);
    if (power > 0)
      for (std::size_t k = f.size(); k-- > d;) f[k] -= f[k - d];
    else if (power < 0)
      for (std::size_t k = d; k < f.size(); ++k) f[k] += f[k - d];
  }
  return f;
}

// --- The coefficients --------------------------------------------------------------------------------------------------------

/// Weights as numbers, sums of weights as sums of numbers.
struct Packing {
  PackedWeight base = 1;
  Packing(const Coset& coset, std::size_t count) {
    std::int64_t most = 0;
    for (const auto& [root, copies] : coset.roots)
      for (const int x : root.second) most = std::max<std::int64_t>(most, x < 0 ? -std::int64_t{x} : x);
    const Integer digits = 2 * Integer(most) * count + 1;
    if (pow(digits, static_cast<unsigned>(coset.rank)) >= Integer(1) << 62)
      throw LimitError(fmt::format("the weights of Sym^{} are too many for a torus of rank {}; ask for lower degrees",
                                   count == 0 ? 0 : count - 1, coset.rank));
    largest = most * static_cast<std::int64_t>(count);
    if (coset.rank > 0) base = digits.convert_to<PackedWeight>();
  }
  PackedWeight operator()(const SeriesWeight& weight) const {
    PackedWeight key = 0;
    for (const int x : weight) key = key * base + x;
    return key;
  }
  SeriesWeight weight(PackedWeight key, std::size_t rank) const {
    SeriesWeight out(rank, 0);
    for (std::size_t k = rank; k-- > 0;) {
      PackedWeight digit = key % base;
      if (2 * digit > base) digit -= base;
      if (2 * digit < -base) digit += base;
      out[k] = static_cast<int>(digit);
      key = (key - digit) / base;
    }
    return out;
  }
  bool fits(const SeriesWeight& weight) const {
    return std::ranges::all_of(weight, [&](int x) { return x <= largest && -x <= largest; });
  }
  std::int64_t largest = 0;
};

template <class T>
using WeightRow = std::vector<std::pair<PackedWeight, T>>;

/// a - c x^shift b; what is in `room` is lost.
template <class T>
void subtract(WeightRow<T>& a, const T& c, const WeightRow<T>& b, PackedWeight shift, WeightRow<T>& room) {
  room.clear();
  room.reserve(a.size() + b.size());
  auto x = a.begin();
  for (const auto& [key, value] : b) {
    const PackedWeight at = key + shift;
    while (x != a.end() && x->first < at) room.push_back(std::move(*x++));
    T next = -(c * value);
    if (x != a.end() && x->first == at) next += x++->second;
    if (next != 0) room.emplace_back(at, std::move(next));
  }
  while (x != a.end()) room.push_back(std::move(*x++));
  std::swap(a, room);
}

Integer integer_of(const Integer& a) { return a; }
Integer integer_of(std::int64_t a) { return a; }
Integer integer_of(Wide a) {
  const bool negative = a < 0;
  __extension__ const auto size = static_cast<unsigned __int128>(negative ? -a : a);
  const Integer out =
      (Integer(static_cast<std::uint64_t>(size >> 64)) << 64) + Integer(static_cast<std::uint64_t>(size));
  return negative ? Integer(-out) : out;
}

template <class T>
void add_coefficients(const Coset& coset, std::vector<Integer>& sum, const Task& task) {
  const std::size_t count = sum.size();
  const Packing packed(coset, count);
  std::vector<WeightRow<T>> rows(count);
  rows[0] = {{0, T(1)}};
  // The roots of weight 0 come first, while the rows are short.
  std::vector<std::pair<std::pair<std::uint64_t, SeriesWeight>, std::uint64_t>> roots(coset.roots.begin(),
                                                                                      coset.roots.end());
  std::ranges::stable_sort(roots, {}, [&](const auto& root) { return packed(root.first.second) != 0; });
  WeightRow<T> room;
  for (const auto& [root, copies] : roots) {
    const SeriesCoefficients exact = cyclotomic_factor(root.first);
    std::vector<T> factor;
    for (const Integer& c : exact) factor.push_back(static_cast<T>(c.convert_to<std::int64_t>()));
    const PackedWeight weight = packed(root.second);
    for (std::uint64_t copy = 0; copy < copies; ++copy) {
      std::size_t entries = 0;
      for (std::size_t d = 1; d < count; ++d) {
        task.poll();
        for (std::size_t k = 1; k < factor.size() && k <= d; ++k)
          if (factor[k] != 0) subtract(rows[d], factor[k], rows[d - k], static_cast<PackedWeight>(k) * weight, room);
        entries += rows[d].size();
        task.require_memory(2 * entries * (sizeof(std::pair<PackedWeight, T>) + (std::is_same_v<T, Integer> ? 32 : 0)),
                            "the weights of symmetric powers");
      }
    }
  }
  if (!coset.targets) {
    for (std::size_t d = 0; d < count; ++d)
      for (const auto& [key, value] : rows[d]) {
        task.poll();
        sum[d] += coset.elements * coset.target(packed.weight(key, coset.rank)) * integer_of(value);
      }
    return;
  }
  for (const auto& [weight, value] : *coset.targets) {
    if (!packed.fits(weight)) continue;
    const PackedWeight key = packed(weight);
    for (std::size_t d = 0; d < count; ++d) {
      const auto at = std::ranges::lower_bound(rows[d], key, {}, [](const auto& entry) { return entry.first; });
      if (at != rows[d].end() && at->first == key) sum[d] += coset.elements * value * integer_of(at->second);
    }
  }
}

std::uint64_t dimension_of(const Coset& coset) {
  std::uint64_t sum = 0;
  for (const auto& [root, copies] : coset.roots) sum += totient(root.first) * copies;
  return sum;
}

/// Every number on the way is at most a coefficient of (1 - t)^-dimension times the coefficients of a cyclotomic polynomial.
void add_coset(const Coset& coset, std::vector<Integer>& sum, const Task& task) {
  if (sum.empty() || (coset.targets && coset.targets->empty())) return;
  constexpr unsigned slack = 28;
  const std::uint64_t dimension = dimension_of(coset);
  const std::size_t bits =
      msb(binomial(dimension + sum.size(), std::min<std::uint64_t>(dimension, sum.size()))) + 1 + slack;
  if (bits < 63)
    add_coefficients<std::int64_t>(coset, sum, task);
  else if (bits < 127)
    add_coefficients<Wide>(coset, sum, task);
  else
    add_coefficients<Integer>(coset, sum, task);
}

// --- The closed form ---------------------------------------------------------------------------------------------------------

/// Cyclotomic polynomials whose product is a denominator, and the degree of the series as a rational function, at most.
struct Denominator {
  hilbert::CyclotomicFactors factors;
  std::int64_t degree = -1;
  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const auto& [n, times] : factors) sum += totient(n) * static_cast<std::uint64_t>(times);
    return sum;
  }
};
constexpr std::size_t most_subsets = 20'000;
/// The most coefficients of weights that are computed for a closed form: some seconds.
constexpr std::uint64_t most_work = 400'000'000;

/// The eigenvalues with one weight: how often 1, -1 and how many others; the orders' least common multiple.
struct AtWeight {
  std::uint64_t plus = 0, minus = 0, all = 0, order = 1;
};

class Rays {
 public:
  Rays(const Coset& coset, const Task& task) : coset_(coset), task_(task) {
    std::map<SeriesWeight, AtWeight> at;
    for (const auto& [root, copies] : coset.roots) {
      AtWeight& here = at[root.second];
      here.all += totient(root.first) * copies;
      if (root.first == 1) here.plus += copies;
      if (root.first == 2) here.minus += copies;
      here.order = std::lcm(here.order, root.first);
    }
    for (auto& [weight, here] : at) weights_.push_back(weight), at_.push_back(here);
    IntegerMatrix all(coset.rank, weights_.size());
    for (std::size_t j = 0; j < weights_.size(); ++j)
      for (std::size_t i = 0; i < coset.rank; ++i) all.set(i, j, static_cast<long>(weights_[j][i]));
    columns_ = std::move(all);
    rank_ = weights_.empty() || coset.rank == 0 ? 0 : matrix_rank(columns_, task);
  }

  /// Adds what this coset has. \return false if there are too many subsets
  bool add_to(Denominator& sum) {
    Integer subsets = 0;
    for (std::size_t k = 1; k <= rank_ + 1; ++k) subsets += binomial(weights_.size(), k);
    if (subsets > Integer(most_subsets) || !coset_.targets) return false;
    const std::vector<SeriesWeight> targets = targets_in_span();
    if (targets.empty()) return true;
    hilbert::CyclotomicFactors own;
    std::vector<std::size_t> chosen;
    const std::function<void(std::size_t)> extend = [&](std::size_t first) {
      for (std::size_t j = first; j < weights_.size(); ++j) {
        task_.poll();
        chosen.push_back(j);
        const RationalMatrix A = columns_.select_cols(chosen);
        const IntegerMatrix K = coset_.rank == 0 ? IntegerMatrix::identity(chosen.size()) : null_space(A, task_);
        if (K.rows() == 1) add_ray(K, chosen, own);
        if (K.rows() == 0 && chosen.size() == rank_) add_basis(A, targets, sum);
        if (K.rows() == 0 && chosen.size() <= rank_) extend(j + 1);
        chosen.pop_back();
      }
    };
    extend(0);
    if (rank_ == 0) sum.degree = std::max<std::int64_t>(sum.degree, 0);
    const auto most = static_cast<std::int64_t>(dimension_of(coset_) - rank_);
    for (const auto& [n, times] : own) {
      auto& needed = sum.factors[n];
      needed = std::max(needed, std::min(times, most));
    }
    return true;
  }

  std::uint64_t largest_coordinate() const {
    std::uint64_t most = 0;
    for (const SeriesWeight& w : weights_)
      for (const int x : w) most = std::max<std::uint64_t>(most, static_cast<std::uint64_t>(x < 0 ? -x : x));
    return most;
  }

 private:
  std::vector<SeriesWeight> targets_in_span() const {
    std::vector<SeriesWeight> out;
    for (const auto& [weight, value] : *coset_.targets) {
      IntegerMatrix more(coset_.rank, weights_.size() + 1);
      for (std::size_t i = 0; i < coset_.rank; ++i) {
        for (std::size_t j = 0; j < weights_.size(); ++j) more.set(i, j, static_cast<long>(weights_[j][i]));
        more.set(i, weights_.size(), static_cast<long>(weight[i]));
      }
      if (rank_ == coset_.rank || matrix_rank(more, task_) == rank_) out.push_back(weight);
    }
    return out;
  }

  /// 1 / (1 - sigma t^k) for every choice among equal weights; sigma is the product of the eigenvalues, k their number.
  void add_ray(const IntegerMatrix& K, const std::vector<std::size_t>& chosen, hilbert::CyclotomicFactors& own) const {
    const int sign = K.sign(0, 0);
    Integer length = 0, all = 1, difference = 1;
    bool signs = true;
    std::uint64_t order = 1;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (K.sign(0, i) != sign || sign == 0) return;
      const Integer n = abs(K(0, i));
      const AtWeight& here = at_[chosen[i]];
      length += n;
      all *= here.all;
      difference *= Integer(here.plus) + (n % 2 == 0 ? Integer(here.minus) : -Integer(here.minus));
      signs = signs && here.plus + here.minus == here.all;
      order = std::lcm(order, here.order);
    }
    const auto k = length.convert_to<std::uint64_t>();
    const auto add = [&](std::uint64_t n, const Integer& times) {
      const Integer sum = Integer(own[n]) + times;
      own[n] = sum > Integer(1) << 40 ? std::int64_t{1} << 40 : sum.convert_to<std::int64_t>();
    };
    if (!signs) {
      for (const std::uint64_t n : divisors(k * order)) add(n, all);
      return;
    }
    for (const std::uint64_t n : divisors(2 * k)) add(n, k % n == 0 ? (all + difference) / 2 : (all - difference) / 2);
  }

  /// With c = sum lambda_i w_i the weights w_i of a basis, (c, k) is on one side of the hyperplane through the (w_i, 1) from k = sum lambda_i on.
  void add_basis(const RationalMatrix& A, const std::vector<SeriesWeight>& targets, Denominator& sum) const {
    IntegerMatrix ones(A.cols(), 1);
    for (std::size_t i = 0; i < A.cols(); ++i) ones.set(i, 0, 1L);
    const auto u = linear_solve(A.transpose(), ones, task_);
    if (!u) throw InternalError("independent weights have no dual ones");
    for (const SeriesWeight& c : targets) {
      Rational height = 0;
      for (std::size_t i = 0; i < c.size(); ++i) height += (*u)(i, 0) * c[i];
      const Integer above = numerator(height) / denominator(height);  // towards 0: enough, the degree is at least -1
      if (height >= 0) sum.degree = std::max(sum.degree, above.convert_to<std::int64_t>());
    }
  }

  const Coset& coset_;
  const Task& task_;
  std::vector<SeriesWeight> weights_;
  std::vector<AtWeight> at_;
  IntegerMatrix columns_;
  std::size_t rank_ = 0;
};

/// f divided by a monic polynomial up to sign, if that divides it.
bool divide(SeriesCoefficients& f, const SeriesCoefficients& by) {
  if (f.size() < by.size()) return false;
  SeriesCoefficients rest = f, quotient(f.size() - by.size() + 1, 0);
  for (std::size_t k = quotient.size(); k-- > 0;) {
    quotient[k] = rest[k + by.size() - 1] * by.back();  // by.back() is 1 or -1
    for (std::size_t i = 0; i < by.size(); ++i) rest[k + i] -= quotient[k] * by[i];
  }
  if (std::ranges::any_of(rest, [](const Integer& c) { return c != 0; })) return false;
  f = std::move(quotient);
  return true;
}

/// a / prod (1 - zeta t), to the degree that a has room for.
void divide_series(SeriesCoefficients& a, const hilbert::CyclotomicFactors& factors, const Task& task) {
  for (const auto& [n, times] : factors) {
    const SeriesCoefficients f = cyclotomic_factor(n);
    for (std::int64_t k = 0; k < times; ++k)
      for (std::size_t d = 1; d < a.size(); ++d, task.poll())
        for (std::size_t i = 1; i < f.size() && i <= d; ++i) a[d] -= f[i] * a[d - i];
  }
}

/// The closed form of a series with this denominator, and so its first `count` coefficients, from enough of them and `checks` beyond.
void close(MolienSeries& series, const Denominator& bound, std::size_t count, std::size_t checks, const Task& task) {
  constexpr std::uint64_t most = 100'000;
  SeriesCoefficients above = series.coefficients;
  for (const auto& [n, times] : bound.factors) {
    const SeriesCoefficients f = cyclotomic_factor(n);
    for (std::int64_t k = 0; k < times; ++k)
      for (std::size_t d = above.size(); d-- > 0; task.poll())
        for (std::size_t i = 1; i < f.size() && i <= d; ++i) above[d] += f[i] * above[d - i];
  }
  while (!above.empty() && above.back() == 0) above.pop_back();
  if (above.size() + checks > series.coefficients.size())
    throw InternalError("a Hilbert series is not the rational function that it was proved to be");
  series.coefficients.assign(count, 0);
  if (above.empty()) return;
  hilbert::CyclotomicFactors need;
  for (const auto& [n, times] : bound.factors) {
    const SeriesCoefficients f = cyclotomic_factor(n);
    std::int64_t left = times;
    while (left > 0 && divide(above, f)) --left;
    if (left > 0) need[n] = left;
  }
  std::int64_t degree = static_cast<std::int64_t>(above.size()) - 1;
  for (const auto& [n, times] : need) degree -= static_cast<std::int64_t>(totient(n)) * times;
  const std::uint64_t poles = need.contains(1) ? static_cast<std::uint64_t>(need.at(1)) : 0;
  std::vector<std::uint64_t> degrees = hilbert::common_denominator(need);
  const std::uint64_t sum = std::accumulate(degrees.begin(), degrees.end(), std::uint64_t{0});
  const std::int64_t wanted =
      static_cast<std::int64_t>(std::max(sum <= most ? sum : 0, poles * hilbert::largest_parameter_tried(poles))) +
      degree + 1;
  SeriesCoefficients more = std::move(above);
  more.resize(std::max({more.size(), count, static_cast<std::size_t>(std::max<std::int64_t>(wanted, 0))}));
  divide_series(more, need, task);
  std::copy_n(more.begin(), count, series.coefficients.begin());
  if (auto better = hilbert::parameter_degrees(need, more, poles, degree); !better.empty())
    degrees = std::move(better);
  else if (sum > most)
    return;
  series.numerator = hilbert::numerator_of(more, degrees, degree);
  series.degrees = std::move(degrees);
}

void require_group_of_series(const ContinuousRepresentation& V, const ContinuousRepresentation& W) {
  if (!(V.group() == W.group()))
    throw DomainError(
        fmt::format("the representations belong to different groups, {} and {}", V.group().name(), W.group().name()));
}

void require_count_of_series(std::size_t count) {
  constexpr std::size_t most = 100'000;
  if (count > most)
    throw LimitError(fmt::format("{} coefficients of a Molien series exceed the limit of {}", count, most));
}

std::vector<Integer> dimensions(const ContinuousRepresentation& V, const ContinuousRepresentation& W, std::size_t count,
                                const Task& task) {
  std::vector<Integer> sum(count, 0);
  const Integer all = laurent::for_each_coset(V, W, task, [&](const Coset& coset) { add_coset(coset, sum, task); });
  for (Integer& x : sum) {
    if (x % all != 0) throw InternalError("the mean of characters over components and classes is not integral");
    x /= all;
  }
  return sum;
}

}  // namespace

std::vector<Integer> polynomial_dimensions(const ContinuousRepresentation& V, const ContinuousRepresentation& W,
                                           std::size_t count, const Task& task) {
  require_group_of_series(V, W);
  require_count_of_series(count);
  return dimensions(V, W, count, task);
}

MolienSeries molien_series(const ContinuousRepresentation& V, const ContinuousRepresentation& W, std::size_t count,
                           const Task& task) {
  require_group_of_series(V, W);
  require_count_of_series(count);
  constexpr std::size_t checks = 3;
  Denominator bound;
  bool closed = true;
  std::vector<std::pair<std::size_t, std::pair<std::uint64_t, std::uint64_t>>> sizes;  // rank, coordinates, dimension
  laurent::for_each_coset(V, W, task, [&](const Coset& coset) {
    Rays rays(coset, task);
    closed = closed && rays.add_to(bound);
    sizes.push_back({coset.rank, {rays.largest_coordinate(), dimension_of(coset)}});
  });
  std::uint64_t needed = 0;
  if (closed) {
    needed = bound.total() + static_cast<std::uint64_t>(bound.degree + 1) + checks;
    Integer work = 0;
    for (const auto& [rank_, size] : sizes)
      work += pow(2 * Integer(size.first) * needed + 1, static_cast<unsigned>(rank_)) * size.second * needed;
    closed = work <= Integer(most_work);
  }
  MolienSeries result;
  result.coefficients = dimensions(V, W, closed ? needed : count, task);
  if (closed) close(result, bound, count, checks, task);
  return result;
}

}  // namespace intertwine
