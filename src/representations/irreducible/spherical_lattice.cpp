// The lattice that images of a spherical vector generate.
#include "spherical_lattice.hpp"

namespace intertwine {

std::vector<std::vector<Integer>> without_common_factor(const std::vector<std::vector<Rational>>& lists,
                                                        const Task& task) {
  std::vector<std::vector<Integer>> result;
  Integer denominator = 1, content = 0;
  for (const auto& list : lists)
    for (const Rational& x : list) denominator = lcm(denominator, boost::multiprecision::denominator(x));
  for (const auto& list : lists) {
    task.poll();
    auto& integral = result.emplace_back();
    for (const Rational& x : list) {
      integral.push_back(boost::multiprecision::numerator(x * denominator));
      content = gcd(content, integral.back());
    }
  }
  for (auto& list : result)
    for (Integer& x : list) x /= content;
  return result;
}

CodeTable::CodeTable(const SphericalVector& v, const AbelianField& K) : K_(K) {
  const std::size_t codes = v.values().size() * v.module().order();
  std::vector<std::vector<Rational>> rational;
  for (std::uint32_t code = 0; code < codes; ++code) rational.push_back(K.coordinates(v.value(code)));
  values_ = without_common_factor(rational, {});
}

void CodeTable::multiply_by_generator() {
  const std::vector<Integer>& relation = K_.minimal_polynomial();
  for (auto& list : values_) {
    const Integer top = list.back();
    for (std::size_t l = list.size(); l-- > 1;) list[l] = list[l - 1] - top * relation[l];
    list[0] = -top * relation[0];
  }
}

std::vector<std::uint64_t> CodeTable::reduced(const AbelianField::SplitPrime& prime) const {
  std::vector<std::uint64_t> result;
  for (const auto& list : values_) {
    Integer sum = 0;
    for (std::size_t l = list.size(); l-- > 0;) sum = (sum * prime.roots[0] + list[l]) % prime.p;
    result.push_back((sum < 0 ? Integer(sum + prime.p) : sum).convert_to<std::uint64_t>());
  }
  return result;
}

IntegerMatrix lattice_rows(const std::vector<SphericalVector::Codes>& images, CodeTable table, std::size_t m) {
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

}  // namespace intertwine
