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

/// Is k W - sign k in the reciprocal lattice?
bool keeps(const std::vector<std::array<int, 3>>& centring, const WaveVector& k, const SpaceOperation& g,
           int sign) {
  WaveVector change = k;
  for (std::size_t j = 0; j < 3; ++j) {
    change[j] = -sign * k[j];
    for (std::size_t i = 0; i < 3; ++i) change[j] += k[i] * g.W[i][j];
    if (!is_whole(change[j])) return false;
  }
  return std::ranges::all_of(centring, [&](const auto& t) { return is_whole(phase_of(change, t)); });
}

/// An operation of the little group: the listed one of this number times exp(-2 pi i phase), with lifts' signs in the
/// phase.
struct Product {
  std::size_t number;
  Rational phase;
};

/// Operations modulo translations, and their products.
class CoGroup {
 public:
  CoGroup(const WaveVector& k, std::vector<SpaceOperation> operations, const SpinLifts* lifts,
          const Task& task)
      : k_(k), operations_(std::move(operations)), lifts_(lifts) {
    for (const SpaceOperation& g : operations_) {
      task.poll();
      products_.emplace_back();
      for (const SpaceOperation& h : operations_) products_.back().push_back(product(g, h));
    }
  }

  std::size_t size() const { return operations_.size(); }
  const std::vector<SpaceOperation>& operations() const { return operations_; }
  const Product& operator()(std::size_t g, std::size_t h) const { return products_[g][h]; }

  /// g h, which is in the little group, though g and h may be antiunitary without their time reversal.
  Product product(const SpaceOperation& g, const SpaceOperation& h) const {
    const SpaceOperation gh = g * h;
    const auto found = std::ranges::find(operations_, gh.W, &SpaceOperation::W);
    if (found == operations_.end()) throw InternalError("little_group: a product of operations is none");
    return {static_cast<std::size_t>(found - operations_.begin()),
            phase_of(k_, difference(gh, *found)) + sign(g, h)};
  }

  /// a^-1 g a for an antiunitary operation a, as its listed one and the phase of its conjugate in the
  /// co-representation.
  Product conjugate(const SpaceOperation& g, const SpaceOperation& a) const {
    const SpaceOperation ga = g * a;
    for (std::size_t o = 0; o < size(); ++o) {
      const SpaceOperation ao = a * operations_[o];
      // g a = t a o, and a^-1 t a is a translation that time reversal turns back: its phase is that of t
      if (ao.W == ga.W) return {o, phase_of(k_, difference(ga, ao)) + sign(g, a) + sign(a, operations_[o])};
    }
    throw InternalError("little_group: an antiunitary operation takes the little group elsewhere");
  }

 private:
  static std::array<int, 3> difference(const SpaceOperation& g, const SpaceOperation& h) {
    return {g.w[0] - h.w[0], g.w[1] - h.w[1], g.w[2] - h.w[2]};
  }
  Rational sign(const SpaceOperation& g, const SpaceOperation& h) const {
    return lifts_ != nullptr && lifts_->changes_sign(g, h) ? Rational(1, 2) : Rational(0);
  }

  WaveVector k_;
  std::vector<SpaceOperation> operations_;
  const SpinLifts* lifts_;
  std::vector<std::vector<Product>> products_;
};

/// exp(-2 pi i phase)
Cyclotomic root_of(const Rational& phase) {
  const Integer n = denominator(phase), e = numerator(phase) % n;
  return Cyclotomic::root_of_unity(n.convert_to<std::uint32_t>(), -e.convert_to<std::int64_t>());
}

/// Representations of a co-group with its products, by the central extension by the roots of unity that occur.
std::vector<LittleGroup::Irrep> small_representations(const CoGroup& co, const Task& task) {
  const std::size_t n = co.size();
  Integer roots = 1;  // exp(-2 pi i / roots) generates those that occur
  for (std::size_t g = 0; g < n; ++g)
    for (std::size_t h = 0; h < n; ++h) roots = lcm(roots, denominator(co(g, h).phase));
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
      const auto& [gh, phase] = co(g, h);
      const std::size_t shift = exponent(phase);
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
    for (const std::size_t c : classes) irrep.characters.push_back(table(r, c));
    squares += std::size_t{irrep.degree} * irrep.degree;
    irreps.push_back(std::move(irrep));
  }
  if (squares != n)
    throw InternalError("little_group: the squares of the degrees do not add up to the operations");
  return irreps;
}

/// Types of the representations, and the co-representations.
void reverse_time(LittleGroup& little, const CoGroup& co) {
  const std::size_t n = co.size(), count = little.irreps.size();
  if (little.antiunitary.empty()) {
    for (std::size_t r = 0; r < count; ++r)
      little.corepresentations.push_back({{r}, little.irreps[r].degree});
    return;
  }
  std::vector<Product> squares, conjugates;
  for (const SpaceOperation& a : little.antiunitary) {
    squares.push_back(co.product(a, a));
    if (little.spin == SpinKind::half)
      squares.back().phase += Rational(1, 2);  // time reversal has the square -1
  }
  for (const SpaceOperation& g : co.operations())
    conjugates.push_back(co.conjugate(g, little.antiunitary.front()));
  const auto partner_of = [&](std::size_t r) {
    std::vector<Cyclotomic> values;
    for (const auto& [number, phase] : conjugates)
      values.push_back(root_of(phase) * little.irreps[r].characters[number].conjugate());
    for (std::size_t s = 0; s < count; ++s)
      if (little.irreps[s].characters == values) return s;
    throw InternalError("little_group: the conjugate of a representation is none");
  };
  for (std::size_t r = 0; r < count; ++r) {
    LittleGroup::Irrep& irrep = little.irreps[r];
    Cyclotomic sum;
    for (const auto& [number, phase] : squares) sum += root_of(phase) * irrep.characters[number];
    const Cyclotomic order = static_cast<long>(n);
    if (sum != order && sum != -order && !sum.is_zero())
      throw InternalError(
          "little_group: squares of antiunitary operations have no sum of characters of three");
    irrep.type = sum == order ? WignerType::a : sum.is_zero() ? WignerType::c : WignerType::b;
    const std::size_t other = partner_of(r);
    if ((other == r) != (irrep.type != WignerType::c))
      throw InternalError("little_group: a representation and its conjugate do not fit its type");
    if (other < r) continue;
    const bool doubled = irrep.type != WignerType::a;
    little.corepresentations.push_back(
        {doubled ? std::vector{r, other} : std::vector{r}, (doubled ? 2 : 1) * irrep.degree});
  }
}

/// Is d W = sign d?
bool keeps_direction(const WaveVector& d, const SpaceOperation& g, int sign) {
  for (std::size_t j = 0; j < 3; ++j) {
    Rational change = -sign * d[j];
    for (std::size_t i = 0; i < 3; ++i) change += d[i] * g.W[i][j];
    if (change != 0) return false;
  }
  return true;
}

/// The operations that reverse time beside those of the group.
const std::vector<SpaceOperation>& reversing(const LittleGroup& little) {
  const auto* magnetic = std::get_if<MagneticSpaceGroup>(&little.group);
  return magnetic != nullptr ? magnetic->antiunitary() : little.group_operations();
}

std::optional<SpinLifts> lifts_of(const LittleGroup& little) {
  if (little.spin == SpinKind::none) return {};
  std::vector<SpaceOperation> all = little.group_operations();
  const auto& others = reversing(little);
  all.insert(all.end(), others.begin(), others.end());
  return SpinLifts(all);
}

/// Finds everything of a little group whose question is stated.
LittleGroup answered(LittleGroup little, const Task& task) {
  const auto& centring = std::visit(
      [](const auto& g) -> const auto& { return g.centring(); }, little.group);
  const auto stays = [&](const SpaceOperation& g, int sign) {
    return keeps(centring, little.k, g, sign) &&
           (!little.direction || keeps_direction(*little.direction, g, sign));
  };
  for (const SpaceOperation& g : little.group_operations())
    if (stays(g, 1)) little.operations.push_back(g);
  for (const SpaceOperation& g : reversing(little))
    if (stays(g, -1)) little.antiunitary.push_back(g);
  little.star = little.group_operations().size() / little.operations.size();
  const std::optional<SpinLifts> lifts = lifts_of(little);
  if (lifts)
    for (const SpaceOperation& g : little.operations) little.rotations.push_back(lifts->rotation(g));
  const CoGroup co(little.k, little.operations, lifts ? &*lifts : nullptr, task);
  little.irreps = small_representations(co, task);
  reverse_time(little, co);
  return little;
}

/// Traces on symmetric powers of three-dimensional space, from the traces of powers of a matrix: h_n = sum p_k h_(n-k)
/// / n.
Rational symmetric_trace(const SpaceOperation& g, int sign, unsigned order) {
  std::vector<Rational> h{1}, p;
  auto power = g.W;
  for (unsigned k = 1; k <= order; ++k) {
    if (k > 1) power = (SpaceOperation{power, {}} * SpaceOperation{g.W, {}}).W;
    p.emplace_back((sign < 0 && k % 2 == 1 ? -1 : 1) * (power[0][0] + power[1][1] + power[2][2]));
    Rational sum = 0;
    for (unsigned j = 1; j <= k; ++j) sum += p[j - 1] * h[k - j];
    h.push_back(sum / k);
  }
  return h.back();
}

}  // namespace

std::string_view to_text(WignerType type) {
  constexpr std::string_view letters = "abcx";
  return letters.substr(static_cast<std::size_t>(type), 1);
}

const std::vector<SpaceOperation>& LittleGroup::group_operations() const {
  return std::visit([](const auto& g) -> const std::vector<SpaceOperation>& { return g.operations(); },
                    group);
}

LittleGroup little_group(const SpaceGroup& group, const WaveVector& k, SpinKind spin, const Task& task) {
  if (group.kind() != "space")
    throw DomainError("little_group: wave vectors are of space groups here, not of rods and layers");
  return answered({group, k, spin, {}, {}, {}, {}, 0, {}, {}}, task);
}

LittleGroup little_group(const MagneticSpaceGroup& group, const WaveVector& k, SpinKind spin,
                         const Task& task) {
  return answered({group, k, spin, {}, {}, {}, {}, 0, {}, {}}, task);
}

LittleGroup little_group_along(const LittleGroup& at, const WaveVector& direction, const Task& task) {
  if (at.direction) throw DomainError("a line begins at a wave vector, and this is a line already");
  if (direction == WaveVector{}) throw DomainError("the direction of a line is not (0, 0, 0)");
  return answered({at.group, at.k, at.spin, direction, {}, {}, {}, 0, {}, {}}, task);
}

std::vector<std::vector<unsigned>> compatibility(const LittleGroup& at, const LittleGroup& line) {
  if (at.direction || !line.direction || at.group != line.group || at.k != line.k || at.spin != line.spin)
    throw DomainError("compatibility: this is no line from this wave vector; little_group_along makes one");
  std::vector<std::size_t> places;
  for (const SpaceOperation& g : line.operations)
    places.push_back(static_cast<std::size_t>(std::ranges::find(at.operations, g) - at.operations.begin()));
  std::vector<std::vector<unsigned>> table;
  for (const auto& whole : at.irreps) {
    table.emplace_back();
    for (const auto& part : line.irreps) {
      Cyclotomic sum;
      for (std::size_t g = 0; g < places.size(); ++g)
        sum += whole.characters[places[g]] * part.characters[g].conjugate();
      sum = sum * Cyclotomic(Rational(1, static_cast<long>(places.size())));
      table.back().push_back(sum.to_integer().convert_to<unsigned>());
    }
  }
  return table;
}

std::vector<std::uint64_t> kp_dimensions(const LittleGroup& little, unsigned order, const Task& task) {
  constexpr unsigned most = 100;
  if (order > most)
    throw LimitError("terms of order " + std::to_string(order) + " are not counted; the limit is " +
                     std::to_string(most));
  const std::optional<SpinLifts> lifts = lifts_of(little);
  const CoGroup co(little.k, little.operations, lifts ? &*lifts : nullptr, task);
  std::vector<std::uint64_t> dimensions;
  for (const auto& level : little.corepresentations) {
    const auto character = [&](std::size_t g) {
      Cyclotomic sum;
      for (const std::size_t r : level.irreps) sum += little.irreps[r].characters[g];
      return sum;
    };
    Cyclotomic sum;
    for (std::size_t g = 0; g < co.size(); ++g) {
      const Cyclotomic x = character(g);
      sum += Cyclotomic(symmetric_trace(co.operations()[g], 1, order)) * x * x.conjugate();
    }
    for (const SpaceOperation& a : little.antiunitary) {
      Product square = co.product(a, a);
      if (little.spin == SpinKind::half) square.phase += Rational(1, 2);
      sum += Cyclotomic(symmetric_trace(a, -1, order)) * root_of(square.phase) * character(square.number);
    }
    const auto count = static_cast<long>(co.size() + little.antiunitary.size());
    dimensions.push_back((sum * Cyclotomic(Rational(1, count))).to_integer().convert_to<std::uint64_t>());
  }
  return dimensions;
}

}  // namespace intertwine
