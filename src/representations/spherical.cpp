#include "spherical.hpp"

#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

/// 1/|H| sum over h of conj(chi(t h)) l(h).
Cyclotomic average(const MonomialModule& M, const CharacterTable& table, std::size_t row,
                   const Permutation& t, const Task& task) {
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

}  // namespace

SphericalVector::SphericalVector(const MonomialModule& M, const GaloisTable& table, std::size_t row,
                                 const Task& task)
    : M_(M), codes_(M.size(), ~std::uint32_t{0}) {
  const std::uint32_t r = M.order();
  std::vector<std::vector<MonomialModule::Image>> images;
  std::vector<std::uint32_t> exponents;
  for (const Permutation& h : M.subgroup().generators()) {
    images.push_back(M.images(h));
    exponents.push_back(M.exponent_at(h));
  }
  std::vector<std::size_t> orbit;
  for (std::size_t start = 0; start < M.size(); ++start) {
    if (codes_[start] != ~std::uint32_t{0}) continue;
    task.poll();
    const auto first = static_cast<std::uint32_t>(values_.size()) * r;
    values_.push_back(average(M, table.table(), row, M.representative(start), task));
    codes_[start] = first;
    orbit.assign(1, start);
    for (std::size_t at = 0; at < orbit.size(); ++at)
      for (std::size_t k = 0; k < images.size(); ++k) {
        const MonomialModule::Image& image = images[k][orbit[at]];
        if (codes_[image.point] != ~std::uint32_t{0}) continue;
        codes_[image.point] = first + (codes_[orbit[at]] - first + image.exponent + r - exponents[k]) % r;
        orbit.push_back(image.point);
      }
  }
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

}  // namespace intertwine
