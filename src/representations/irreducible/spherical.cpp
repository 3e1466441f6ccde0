// Spherical vectors of induced modules.
#include "spherical.hpp"

#include <algorithm>

#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

PhaseOrbits phase_orbits(const MonomialModule& M, const std::vector<Permutation>& elements,
                         std::span<const std::uint32_t> steps, std::uint32_t order, const Task& task) {
  std::vector<std::vector<MonomialEntry>> images;
  for (const Permutation& x : elements) {
    task.poll();
    images.push_back(M.images(x));
    for (MonomialEntry& image : images.back()) image.exponent *= order / M.order();
  }
  return {images, steps, order, M.size()};
}

namespace {

/// 1/|H| sum over h of conj(chi(t h)) l(h).
Cyclotomic average(const MonomialModule& M, const CharacterTable& table, std::size_t row, const Permutation& t,
                   const Task& task) {
  const ConjugacyClasses& classes = table.classes();
  const std::uint32_t r = M.order();
  std::vector<std::int64_t> counts(classes.size() * r, 0);
  for (std::size_t k = 0; k < M.linear().size(); ++k) {
    const std::uint32_t exponent = M.exponent_at_coset(k);
    const Permutation g = t * M.linear().representative(k);
    M.linear().derived().chain(task).for_each_element(
        [&](const Permutation& d) {
          ++counts[classes.index_of_element(g * d) * r + exponent];
          return true;
        },
        task);
  }
  Cyclotomic sum;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    Cyclotomic factor;
    for (std::uint32_t x = 0; x < r; ++x)
      if (counts[c * r + x] != 0) factor += Cyclotomic(static_cast<long long>(counts[c * r + x])) * M.root(x);
    if (!factor.is_zero()) sum += table(row, c).conjugate() * factor;
  }
  return sum * Cyclotomic(Rational(1, M.subgroup().order()));
}

/// The orbits of H on the cosets, with the vectors that it moves by l.
PhaseOrbits suborbits(const MonomialModule& M, const Task& task) {
  std::vector<std::uint32_t> exponents;
  for (const Permutation& h : M.subgroup().generators()) exponents.push_back(M.exponent_at(h));
  return phase_orbits(M, M.subgroup().generators(), exponents, M.order(), task);
}

/// The coordinates at the first cosets of all orbits, from the images of e_0 under the conjugates of representatives.
std::vector<Cyclotomic> sums_over_classes(const MonomialModule& M, const CharacterTable& table, std::size_t row,
                                          const PhaseOrbits& orbits, const Task& task) {
  const std::size_t n = M.size();
  const std::uint32_t r = M.order();
  std::vector<Permutation> inverses;
  for (std::size_t i = 0; i < n; ++i) inverses.push_back(M.representative(i).inverse());
  std::vector<Cyclotomic> sums(orbits.start.size());
  for (std::size_t c = 0; c < table.size(); ++c) {
    const Cyclotomic factor = Cyclotomic(Rational(table.classes()[c].size, 1)) * table(row, c).conjugate();
    if (factor.is_zero()) continue;
    std::vector<std::int64_t> counts(orbits.start.size() * r, 0);
    for (std::size_t i = 0; i < n; ++i) {
      task.poll();
      const MonomialModule::Image image =
          M.image(inverses[i] * table.classes()[c].representative * M.representative(i), 0);
      ++counts[orbits.orbit[image.point] * r + (image.exponent + r - orbits.exponent[image.point]) % r];
    }
    for (std::size_t o = 0; o < sums.size(); ++o) {
      if (orbits.consistent[o] == 0) continue;
      Cyclotomic sum;
      for (std::uint32_t x = 0; x < r; ++x)
        if (counts[o * r + x] != 0) sum += Cyclotomic(static_cast<long long>(counts[o * r + x])) * M.root(x);
      if (!sum.is_zero()) sums[o] += factor * sum;
    }
  }
  for (std::size_t o = 0; o < sums.size(); ++o)
    sums[o] = sums[o] * Cyclotomic(Rational(1, table.group().order() * Integer(orbits.length[o])));
  return sums;
}

}  // namespace

SphericalVector::SphericalVector(const MonomialModule& M, const GaloisTable& table, std::size_t row, const Task& task)
    : M_(M) {
  const PhaseOrbits orbits = suborbits(M, task);
  const std::size_t count = orbits.start.size(),
                    used = static_cast<std::size_t>(std::ranges::count(orbits.consistent, 1));
  // On many points an element's class takes longer to be found than its image of a coset.
  constexpr std::size_t alike = 500;
  if (M.subgroup().order() * Integer(used * (1 + M.group().degree() / alike)) >
      Integer(M.size()) * Integer(table.table().size())) {
    values_ = sums_over_classes(M, table.table(), row, orbits, task);
  } else {
    for (std::size_t o = 0; o < count; ++o) {
      task.poll();
      values_.push_back(orbits.consistent[o] == 0
                            ? Cyclotomic()
                            : average(M, table.table(), row, M.representative(orbits.start[o]), task));
    }
  }
  for (std::size_t i = 0; i < M.size(); ++i) codes_.push_back(orbits.orbit[i] * M.order() + orbits.exponent[i]);
  consistent_ = orbits.consistent;
}

SphericalVector SphericalVector::with_values(std::vector<Cyclotomic> values) const {
  SphericalVector result = *this;
  result.values_ = std::move(values);
  return result;
}

Cyclotomic SphericalVector::value(std::uint32_t code) const {
  return values_[code / M_.order()] * M_.root(code % M_.order());
}

SphericalVector::Codes SphericalVector::moved(std::size_t k) const {
  const std::uint32_t r = M_.order();
  Codes result(codes_.size());
  const Permutation& t = M_.representative(k);
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    const MonomialModule::Image image = M_.image(t, i);
    result[image.point] = codes_[i] / r * r + (codes_[i] % r + image.exponent) % r;
  }
  return result;
}

// x^-1 e_i = zeta^k e_q says that x takes e_q to zeta^-k e_i.
std::uint32_t SphericalVector::code_moved_from(const Permutation& inverse, std::size_t i) const {
  const std::uint32_t r = M_.order();
  const MonomialModule::Image image = M_.image(inverse, i);
  const std::uint32_t code = codes_[image.point];
  return code / r * r + (code % r + r - image.exponent) % r;
}

}  // namespace intertwine
