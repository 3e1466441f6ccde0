#include "rational_restriction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "balanced_basis.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "module_basis.hpp"
#include "spherical_lattice.hpp"
#include "subgroup_candidates.hpp"

namespace intertwine {

namespace {

/// Rational at some elements, so that most subgroups are left before their classes are found?
bool may_be_rational(const CharacterTable& table, std::size_t row, const FiniteGroup& H, const Task& task) {
  const auto is_rational_at = [&](const Permutation& h) {
    return table(row, table.classes().index_of_element(h, task)).is_rational();
  };
  const auto& generators = H.generators();
  for (std::size_t i = 0; i < generators.size(); ++i)
    if (!is_rational_at(generators[i]) || !is_rational_at(generators[0] * generators[i])) return false;
  return true;
}

/// The values on these classes, if they are rational and the norm is 1.
std::optional<std::vector<Cyclotomic>> irreducible_restriction(const CharacterTable& table, std::size_t row,
                                                               const ConjugacyClasses& classes,
                                                               const Task& task) {
  std::vector<Cyclotomic> values;
  Rational sum = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    task.poll();
    values.push_back(table(row, table.classes().index_of_element(classes[c].representative, task)));
    if (!values.back().is_rational()) return std::nullopt;
    const Rational value = values.back().to_rational();
    sum += classes[c].size * value * value;
  }
  if (sum != classes.group().order()) return std::nullopt;
  return values;
}

/// A pair with values 1 and -1 for the restriction of the character.
std::optional<LinearPair> rational_pair(const CharacterTable& table, std::size_t row,
                                        const ConjugacyClasses& classes, const Task& task) {
  const CharacterTable own = character_table(classes, task);
  const auto values = irreducible_restriction(table, row, own.classes(), task);
  for (std::size_t i = 0; values && i < own.size(); ++i) {
    if (own.row(i) != *values) continue;
    if (own.indicator(i) == -1) return std::nullopt;
    auto found = multiplicity_one_pairs(GaloisTable(own), {i}, task);
    if (found[0].once && found[0].once->order <= 2) return std::move(found[0].once);
    return std::nullopt;
  }
  throw InternalError("rational_restriction: an irreducible character is no row of its table");
}

/// The vector that U moves by l, in coordinates over K without a common factor: at a coset those of its orbit times zeta^exponent, all 0 on most orbits
/// of some subgroups.
class MovedVector {
 public:
  MovedVector(const SphericalVector& v, const LinearPair& pair, const AbelianField& K, const Task& task)
      : M_(v.module()), order_(std::lcm(M_.order(), pair.order)), orbits_(orbits_of(pair, task)) {
    for (std::size_t k = 0; k < M_.size(); ++k) {
      task.poll();
      const std::vector<Cyclotomic> values = projected(v, k);
      if (std::all_of(values.begin(), values.end(), [](const Cyclotomic& a) { return a.is_zero(); }))
        continue;
      expand(values, K, task);
      return;
    }
    throw InternalError("rational_restriction: no image has a part that the subgroup moves by its character");
  }

  /// Of the image under h, at a coset.
  const std::vector<Integer>& moved_at(const Permutation& inverse_of_h, std::size_t place) const {
    const MonomialModule::Image image = M_.image(inverse_of_h, place);
    const std::uint32_t exponent =
        (orbits_.exponent[image.point] + order_ - image.exponent * (order_ / M_.order())) % order_;
    return coordinates_[begin_[orbits_.orbit[image.point]] + exponent];
  }

 private:
  PhaseOrbits orbits_of(const LinearPair& pair, const Task& task) const {
    std::vector<std::uint32_t> steps;
    for (const Permutation& x : pair.subgroup().generators())
      steps.push_back(pair.exponent_at(x) * (order_ / pair.order));
    return phase_orbits(M_, pair.subgroup().generators(), steps, order_, task);
  }
  /// The values on the orbits of the projection of t_k v: means.
  std::vector<Cyclotomic> projected(const SphericalVector& v, std::size_t k) const {
    const SphericalVector::Codes codes = v.moved(k);
    std::vector<std::map<std::pair<std::uint32_t, std::uint32_t>, long long>> counts(orbits_.start.size());
    for (std::size_t i = 0; i < codes.size(); ++i)
      if (orbits_.consistent[orbits_.orbit[i]] != 0)
        ++counts[orbits_.orbit[i]][{codes[i], (order_ - orbits_.exponent[i]) % order_}];
    std::vector<Cyclotomic> result;
    for (std::size_t o = 0; o < counts.size(); ++o) {
      Cyclotomic& sum = result.emplace_back();
      for (const auto& [key, number] : counts[o])
        sum += Cyclotomic(number) * v.value(key.first) * Cyclotomic::root_of_unity(order_, key.second);
      sum *= Cyclotomic(Rational(1, orbits_.length[o]));
    }
    return result;
  }
  void expand(const std::vector<Cyclotomic>& values, const AbelianField& K, const Task& task) {
    std::vector<std::vector<Rational>> all(order_, std::vector<Rational>(K.degree()));  // of 0
    for (const Cyclotomic& value : values) {
      task.poll();
      begin_.push_back(value.is_zero() ? 0 : all.size());
      if (value.is_zero()) continue;
      task.require_memory((all.size() + order_) * 2 * K.degree() * (sizeof(Rational) + 16),
                          "the values of a vector");
      for (std::uint32_t x = 0; x < order_; ++x)
        all.push_back(K.coordinates(value * Cyclotomic::root_of_unity(order_, x)));
    }
    coordinates_ = without_common_factor(all, task);
  }

  const MonomialModule& M_;
  std::uint32_t order_;
  PhaseOrbits orbits_;
  std::vector<std::size_t> begin_;                 ///< of orbits in coordinates_
  std::vector<std::vector<Integer>> coordinates_;  ///< at begin + exponent
};

}  // namespace

std::optional<RationalRestriction> RationalRestriction::find(const GaloisTable& table, std::size_t row,
                                                             const Task& task) {
  constexpr int most_candidates = 60, most_failures = 2;
  const CharacterTable& G = table.table();
  const Integer degree = G.degree(row);
  SubgroupCandidates candidates(G.classes(), task);
  int failures = 0;
  for (int k = 0; k < most_candidates && failures < most_failures; ++k) {
    task.poll();
    const std::optional<FiniteGroup> H = candidates.next();
    if (!H) break;
    if (H->order() <= degree * degree || H->order() == G.group().order() ||
        !may_be_rational(G, row, *H, task))
      continue;
    const ConjugacyClasses classes = conjugacy_classes(*H, task);
    if (!irreducible_restriction(G, row, classes, task)) continue;
    if (auto pair = rational_pair(G, row, classes, task)) return RationalRestriction{*H, std::move(*pair)};
    ++failures;
  }
  return std::nullopt;
}

IntegerMatrix RationalRestriction::lattice(const SphericalVector& v, std::size_t d, const AbelianField& K,
                                           std::span<const std::size_t> places, const Task& task) const {
  const MovedVector u(v, pair, K, task);
  const CosetSpace cosets(subgroup, pair.subgroup(), task);
  const std::size_t n = places.size(), m = K.degree();
  for (std::size_t wanted = 2 * d + 16;; wanted *= 2) {
    const std::size_t count = std::min(wanted, cosets.size());
    task.require_memory(16 * count * n * m, "images of a vector under a subgroup");
    IntegerMatrix rows(count, n * m);
    for (std::size_t k = 0; k < count; ++k) {
      task.poll();
      // Neighbouring cosets are alike: every (size / count)-th one.
      const Permutation inverse = cosets.representative(k * cosets.size() / count).inverse();
      for (std::size_t i = 0; i < n; ++i) {
        const std::vector<Integer>& value = u.moved_at(inverse, places[i]);
        for (std::size_t l = 0; l < m; ++l)
          if (value[l] != 0) rows.set(k, l * n + i, value[l]);
      }
    }
    IntegerMatrix reduced = lll(rows, task);
    if (reduced.rows() == d)  // over Q, so that H keeps acting by rational matrices
      return balanced_basis(columns_over(AbelianField(), reduced), AbelianField(), task)
          .coefficients()
          .numerator()
          .transpose();
    if (reduced.rows() > d || count == cosets.size())
      throw InternalError(
          fmt::format("rational_restriction: the lattice has rank {} instead of {}", reduced.rows(), d));
  }
}

}  // namespace intertwine
