// Small representations from the character table of a central extension of the little co-group.
#include "intertwine/physics/little_group.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "intertwine/error.hpp"
#include "physics/co_group.hpp"

namespace intertwine {

namespace {

using WaveVector = std::array<Rational, 3>;

/// k.t for a translation in twelfths.
Rational phase_of(const WaveVector& k, const std::array<int, 3>& t) {
  return (k[0] * t[0] + k[1] * t[1] + k[2] * t[2]) / 12;
}
bool is_whole(const Rational& x) { return denominator(x) == 1; }

/// Is k W - sign k in the reciprocal lattice?
bool keeps(const std::vector<std::array<int, 3>>& centring, const WaveVector& k, const SpaceOperation& g, int sign) {
  WaveVector change = k;
  for (std::size_t j = 0; j < 3; ++j) {
    change[j] = -sign * k[j];
    for (std::size_t i = 0; i < 3; ++i) change[j] += k[i] * g.W[i][j];
    if (!is_whole(change[j])) return false;
  }
  return std::ranges::all_of(centring, [&](const auto& t) { return is_whole(phase_of(change, t)); });
}

/// Types of the representations, and the co-representations.
void reverse_time(LittleGroup& little, const CoGroup& co) {
  const std::size_t n = co.size(), count = little.irreps.size();
  if (little.antiunitary.empty()) {
    for (std::size_t r = 0; r < count; ++r) little.corepresentations.push_back({{r}, little.irreps[r].degree});
    return;
  }
  std::vector<CoGroup::Product> squares, conjugates;
  for (const SpaceOperation& a : little.antiunitary) {
    squares.push_back(co.product(a, a));
    if (little.spin == SpinKind::half) squares.back().phase += Rational(1, 2);  // time reversal has the square -1
  }
  for (const SpaceOperation& g : co.operations()) conjugates.push_back(co.conjugate(g, little.antiunitary.front()));
  const auto partner_of = [&](std::size_t r) {
    std::vector<Cyclotomic> values;
    for (const auto& [number, phase] : conjugates)
      values.push_back(phase_root(phase) * little.irreps[r].characters[number].conjugate());
    for (std::size_t s = 0; s < count; ++s)
      if (little.irreps[s].characters == values) return s;
    throw InternalError("little_group: the conjugate of a representation is none");
  };
  for (std::size_t r = 0; r < count; ++r) {
    LittleGroup::Irrep& irrep = little.irreps[r];
    Cyclotomic sum;
    for (const auto& [number, phase] : squares) sum += phase_root(phase) * irrep.characters[number];
    const Cyclotomic order = static_cast<long>(n);
    if (sum != order && sum != -order && !sum.is_zero())
      throw InternalError("little_group: squares of antiunitary operations have no sum of characters of three");
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

/// Finds everything of a little group whose question is stated.
LittleGroup answered(LittleGroup little, const Task& task) {
  const auto& centring = std::visit(
      [](const auto& g) -> const auto& { return g.centring(); }, little.group);
  const auto stays = [&](const SpaceOperation& g, int sign) {
    return keeps(centring, little.k, g, sign) && (!little.direction || keeps_direction(*little.direction, g, sign));
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

std::optional<SpinLifts> lifts_of(const LittleGroup& little) {
  if (little.spin == SpinKind::none) return {};
  std::vector<SpaceOperation> all = little.group_operations();
  const auto& others = reversing(little);
  all.insert(all.end(), others.begin(), others.end());
  return SpinLifts(all);
}

std::string_view to_text(WignerType type) {
  constexpr std::string_view letters = "abcx";
  return letters.substr(static_cast<std::size_t>(type), 1);
}

const std::vector<SpaceOperation>& LittleGroup::group_operations() const {
  return std::visit([](const auto& g) -> const std::vector<SpaceOperation>& { return g.operations(); }, group);
}

LittleGroup little_group(const SpaceGroup& group, const WaveVector& k, SpinKind spin, const Task& task) {
  if (group.kind() != "space")
    throw DomainError("little_group: wave vectors are of space groups here, not of rods and layers");
  return answered({group, k, spin, {}, {}, {}, {}, 0, {}, {}}, task);
}

LittleGroup little_group(const MagneticSpaceGroup& group, const WaveVector& k, SpinKind spin, const Task& task) {
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
      CoGroup::Product square = co.product(a, a);
      if (little.spin == SpinKind::half) square.phase += Rational(1, 2);
      sum += Cyclotomic(symmetric_trace(a, -1, order)) * phase_root(square.phase) * character(square.number);
    }
    const auto count = static_cast<long>(co.size() + little.antiunitary.size());
    dimensions.push_back((sum * Cyclotomic(Rational(1, count))).to_integer().convert_to<std::uint64_t>());
  }
  return dimensions;
}

}  // namespace intertwine
