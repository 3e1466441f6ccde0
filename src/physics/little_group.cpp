// Small representations from the character table of a central extension of the little co-group.
#include "intertwine/physics/little_group.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using WaveVector = std::array<Rational, 3>;

/// k.t for a translation in twelfths.
Rational phase_of(const WaveVector& k, const std::array<int, 3>& t) {
  return (k[0] * t[0] + k[1] * t[1] + k[2] * t[2]) / 12;
}
bool is_whole(const Rational& x) { return denominator(x) == 1; }

/// Is k W - k in the reciprocal lattice?
bool keeps(const SpaceGroup& group, const WaveVector& k, const SpaceOperation& g) {
  WaveVector change = k;
  for (std::size_t j = 0; j < 3; ++j) {
    change[j] = -k[j];
    for (std::size_t i = 0; i < 3; ++i) change[j] += k[i] * g.W[i][j];
    if (!is_whole(change[j])) return false;
  }
  return std::ranges::all_of(group.centring(), [&](const auto& t) { return is_whole(phase_of(change, t)); });
}

/// Operations modulo translations with their products: number, and k.t for the translation t that is left.
struct CoGroup {
  std::vector<SpaceOperation> operations;
  std::vector<std::vector<std::pair<std::size_t, Rational>>> products;
};
CoGroup co_group(const SpaceGroup& group, const WaveVector& k) {
  CoGroup result;
  for (const SpaceOperation& g : group.operations())
    if (keeps(group, k, g)) result.operations.push_back(g);
  for (const SpaceOperation& g : result.operations) {
    result.products.emplace_back();
    for (const SpaceOperation& h : result.operations) {
      SpaceOperation gh{{}, g.w};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          gh.w[i] += g.W[i][j] * h.w[j];
          for (std::size_t r = 0; r < 3; ++r) gh.W[i][j] += g.W[i][r] * h.W[r][j];
        }
      const auto found =
          std::ranges::find_if(result.operations, [&](const SpaceOperation& o) { return o.W == gh.W; });
      if (found == result.operations.end())
        throw InternalError("little_group: a product of operations is none");
      std::array<int, 3> t{};
      for (std::size_t i = 0; i < 3; ++i) t[i] = gh.w[i] - found->w[i];
      const auto number = static_cast<std::size_t>(found - result.operations.begin());
      result.products.back().emplace_back(number, phase_of(k, t));
    }
  }
  return result;
}

}  // namespace

LittleGroup little_group(const SpaceGroup& group, const WaveVector& k, const Task& task) {
  if (group.kind() != "space")
    throw DomainError("little_group: wave vectors are of space groups here, not of rods and layers");
  const CoGroup co = co_group(group, k);
  const std::size_t n = co.operations.size();
  Integer roots = 1;  // exp(-2 pi i / roots) generates those that occur
  for (const auto& row : co.products)
    for (const auto& product : row) roots = lcm(roots, denominator(product.second));
  constexpr std::size_t most = 20'000;
  if (roots * n > most)
    throw LimitError("the roots of unity at this wave vector are of order " + roots.str() +
                     "; little groups are extended to 20,000 elements");
  const auto m = roots.convert_to<std::size_t>();
  // Element (g, e) of the extension is number g m + e; e stands for the translations with k.t = e / m.
  const auto exponent = [&](const Rational& phase) {
    const Integer e = numerator(phase * roots) % roots;
    return (e < 0 ? Integer(e + roots) : e).convert_to<std::size_t>();
  };
  std::vector<Permutation> images;
  for (std::size_t g = 0; g < n; ++g) {
    std::vector<Point> image(n * m);
    for (std::size_t h = 0; h < n; ++h) {
      const auto& [gh, phase] = co.products[g][h];
      for (std::size_t e = 0; e < m; ++e)
        image[h * m + e] = static_cast<Point>(gh * m + (e + exponent(phase)) % m);
    }
    images.emplace_back(std::move(image));
  }
  std::vector<Point> shifted(n * m);
  for (std::size_t h = 0; h < n; ++h)
    for (std::size_t e = 0; e < m; ++e) shifted[h * m + e] = static_cast<Point>(h * m + (e + 1) % m);
  const Permutation centre(std::move(shifted));
  std::vector<Permutation> generators = images;
  if (m > 1) generators.push_back(centre);
  const FiniteGroup extension(n * m, std::move(generators));
  const CharacterTable table = character_table(extension, task);
  LittleGroup result{group, k, co.operations, group.operations().size() / n, {}};
  std::vector<std::size_t> classes;
  for (const Permutation& image : images) classes.push_back(table.classes().index_of(image));
  const std::size_t central = table.classes().index_of(centre);
  const Cyclotomic root = Cyclotomic::root_of_unity(static_cast<std::uint32_t>(m), -1);
  std::size_t squares = 0;
  for (std::size_t r = 0; r < table.size(); ++r) {
    task.poll();
    if (m > 1 && table(r, central) != table(r, 0) * root) continue;
    LittleGroup::Irrep irrep{table.degree(r).convert_to<unsigned>(), {}};
    for (const std::size_t c : classes) irrep.characters.push_back(table(r, c));
    squares += std::size_t{irrep.degree} * irrep.degree;
    result.irreps.push_back(std::move(irrep));
  }
  if (squares != n)
    throw InternalError("little_group: the squares of the degrees do not add up to the operations");
  return result;
}

}  // namespace intertwine
