// Products of operations modulo translations, and the characters of their projective representations.
#include "physics/co_group.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

Rational phase_in_twelfths(const std::array<Rational, 3>& k, const std::array<int, 3>& t) {
  return (k[0] * t[0] + k[1] * t[1] + k[2] * t[2]) / 12;
}

std::array<int, 3> translation_between(const SpaceOperation& g, const SpaceOperation& h) {
  return {g.w[0] - h.w[0], g.w[1] - h.w[1], g.w[2] - h.w[2]};
}

}  // namespace

CoGroup::CoGroup(const std::array<Rational, 3>& k, std::vector<SpaceOperation> operations, const SpinLifts* lifts,
                 const Task& task)
    : k_(k), operations_(std::move(operations)), lifts_(lifts) {
  for (const SpaceOperation& g : operations_) {
    task.poll();
    products_.emplace_back();
    for (const SpaceOperation& h : operations_) products_.back().push_back(product(g, h));
  }
}

Rational CoGroup::phase(std::size_t g) const { return phase_in_twelfths(k_, operations_[g].w); }

CoGroup CoGroup::subgroup(const std::vector<std::size_t>& numbers, const Task& task) const {
  std::vector<SpaceOperation> some;
  for (const std::size_t g : numbers) some.push_back(operations_[g]);
  return {k_, std::move(some), lifts_, task};
}

CoGroup::Product CoGroup::product_among(const std::vector<SpaceOperation>& list, const SpaceOperation& g,
                                        const SpaceOperation& h) const {
  const SpaceOperation gh = g * h;
  const auto found = std::ranges::find(list, gh.W, &SpaceOperation::W);
  if (found == list.end()) throw InternalError("little_group: a product of operations is none");
  return {static_cast<std::size_t>(found - list.begin()),
          phase_in_twelfths(k_, translation_between(gh, *found)) + sign(g, h)};
}

CoGroup::Product CoGroup::conjugate(const SpaceOperation& g, const SpaceOperation& a) const {
  const SpaceOperation ga = g * a;
  for (std::size_t o = 0; o < size(); ++o) {
    const SpaceOperation ao = a * operations_[o];
    // g a = t a o, and a^-1 t a is a translation that time reversal turns back: its phase is that of t
    if (ao.W == ga.W)
      return {o, phase_in_twelfths(k_, translation_between(ga, ao)) + sign(g, a) + sign(a, operations_[o])};
  }
  throw InternalError("little_group: an antiunitary operation takes the little group elsewhere");
}

Cyclotomic phase_root(const Rational& phase) {
  const Integer n = denominator(phase), e = numerator(phase) % n;
  return Cyclotomic::root_of_unity(n.convert_to<std::uint32_t>(), -e.convert_to<std::int64_t>());
}

/// Representations of a co-group with its products, by the central extension by the roots of unity that occur.
std::vector<LittleGroup::Irrep> small_representations(const CoGroup& co, const Task& task) {
  const std::size_t n = co.size();
  // With exp(-2 pi i k.w) of x -> W x + w taken out, what remains has phases K.w, K in the reciprocal lattice: they are
  // twelfths for any k. [Bradley & Cracknell 1972] Where the phases of k have small denominators nothing is taken out.
  std::vector<Rational> taken_out(n);
  const auto phase_at = [&](std::size_t g, std::size_t h) {
    return co(g, h).phase - taken_out[g] - taken_out[h] + taken_out[co(g, h).number];
  };
  const auto order_of_roots = [&] {
    Integer order = 1;  // exp(-2 pi i / order) generates those that occur
    for (std::size_t g = 0; g < n; ++g)
      for (std::size_t h = 0; h < n; ++h) order = lcm(order, denominator(phase_at(g, h)));
    return order;
  };
  constexpr int small = 24;
  Integer roots = order_of_roots();
  if (roots > small) {
    for (std::size_t g = 0; g < n; ++g) {
      taken_out[g] = co.phase(g);
      if (denominator(taken_out[g]) > Cyclotomic::max_conductor)
        throw LimitError("the roots of unity at this wave vector are of order " + denominator(taken_out[g]).str() +
                         "; the limit is " + std::to_string(Cyclotomic::max_conductor));
    }
    roots = order_of_roots();
    if (roots > small) throw InternalError("little_group: phases of reciprocal vectors are no twelfths");
  }
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
      const std::size_t gh = co(g, h).number, shift = exponent(phase_at(g, h));
      for (std::size_t e = 0; e < m; ++e) image[h * m + e] = static_cast<Point>(gh * m + (e + shift) % m);
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
  std::vector<std::size_t> classes;
  for (const Permutation& image : images) classes.push_back(table.classes().index_of(image));
  const std::size_t central = table.classes().index_of(centre);
  const Cyclotomic root = Cyclotomic::root_of_unity(static_cast<std::uint32_t>(m), -1);
  std::vector<LittleGroup::Irrep> irreps;
  std::size_t squares = 0;
  for (std::size_t r = 0; r < table.size(); ++r) {
    task.poll();
    if (m > 1 && table(r, central) != table(r, 0) * root) continue;
    LittleGroup::Irrep irrep{table.degree(r).convert_to<unsigned>(), {}, WignerType::x};
    for (std::size_t g = 0; g < n; ++g) irrep.characters.push_back(phase_root(taken_out[g]) * table(r, classes[g]));
    squares += std::size_t{irrep.degree} * irrep.degree;
    irreps.push_back(std::move(irrep));
  }
  if (squares != n) throw InternalError("little_group: the squares of the degrees do not add up to the operations");
  return irreps;
}

}  // namespace intertwine
