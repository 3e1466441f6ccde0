// Magnetic point groups by their symbols.
#include "intertwine/physics/magnetic_point_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace {

constexpr std::string_view crystal_classes[] = {
    "C1", "Ci", "C2",  "Cs",  "C2h", "D2",  "C2v", "D2h", "C4",  "S4",  "C4h", "D4", "C4v", "D2d", "D4h", "C3",
    "S6", "D3", "C3v", "D3d", "C6",  "C3h", "C6h", "D6",  "C6v", "D3h", "D6h", "T",  "Th",  "O",   "Td",  "Oh"};

/// The elements at one position of a symbol: an axis of order n, -n with an inversion, 0 for a mirror, and a mirror
/// across an axis.
struct Position {
  int n = 0;
  bool primed = false, has_mirror = false, mirror_primed = false;
};

[[noreturn]] void refuse_symbol(std::string_view symbol, std::size_t at) {
  throw ParseError(
      "expected the symbol of a magnetic point group, for example 4'/mm'm, -3'm', m'm'm' or, with time "
      "reversal itself, 4/mmm1'",
      std::string(symbol), at);
}

std::vector<Position> positions_of(std::string_view text, std::string_view symbol) {
  std::vector<Position> list;
  std::size_t at = 0;
  const auto taken = [&](char c) { return at < text.size() && text[at] == c ? (++at, true) : false; };
  while (at < text.size()) {
    Position p;
    const bool inverse = taken('-');
    if (!inverse && taken('m')) {
      p.n = 0;
    } else if (at < text.size() && std::string_view("12346").find(text[at]) != std::string_view::npos) {
      p.n = (text[at++] - '0') * (inverse ? -1 : 1);
    } else {
      refuse_symbol(symbol, at);
    }
    p.primed = taken('\'');
    if (p.n > 1 && taken('/')) {
      if (!taken('m')) refuse_symbol(symbol, at);
      p.has_mirror = true;
      p.mirror_primed = taken('\'');
    }
    list.push_back(p);
  }
  return list;
}

using Direction = std::array<int, 3>;
constexpr Direction x1{1, 0, 0}, x2{0, 1, 0}, x3{0, 0, 1}, diagonal{1, 1, 0}, space_diagonal{1, 1, 1};

/// The directions of the positions.
std::vector<Direction> directions_of(const std::vector<Position>& list) {
  const int first = std::abs(list[0].n);
  if (list.size() == 1) return {first == 2 || (first == 0) ? x2 : x3};
  if (list.size() > 1 && std::abs(list[1].n) == 3) return {x3, space_diagonal, diagonal};
  if (first == 4) return {x3, x1, diagonal};
  if (first == 3 || first == 6) return {x3, x1, x2};
  return {x1, x2, x3};
}

/// The turn by 2 pi / n: every one that a symbol has.
FieldMatrix turn(const Direction& axis, int n) {
  if (axis == space_diagonal) return RationalMatrix(IntegerMatrix{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}});
  if (axis == diagonal) return RationalMatrix(IntegerMatrix{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}});
  if (axis == x1) return RationalMatrix(IntegerMatrix{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}});
  if (axis == x2) return RationalMatrix(IntegerMatrix{{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}});
  const auto m = static_cast<std::uint32_t>(n);
  const Cyclotomic z = Cyclotomic::root_of_unity(m), half(Rational(1, 2));
  const Cyclotomic cosine = (z + z.conjugate()) * half,
                   sine = (z - z.conjugate()) * half * -Cyclotomic::root_of_unity(4), zero, one(1);
  const std::array<Cyclotomic, 9> entries{cosine, -sine, zero, sine, cosine, zero, zero, zero, one};
  return {3, 3, entries};
}

FieldMatrix inverted(const FieldMatrix& R) { return Cyclotomic(-1) * R; }

/// An axis of this order, with an inversion where it is negative; a mirror where it is 0.
FieldMatrix operation(const Direction& axis, int n) {
  if (n == 0) return inverted(turn(axis, 2));
  if (std::abs(n) == 1)
    return n == 1 ? FieldMatrix::identity(AbelianField(), 3) : inverted(FieldMatrix::identity(AbelianField(), 3));
  return n > 0 ? turn(axis, n) : inverted(turn(axis, -n));
}

/// Whether no operation both reverses time and does not.
bool are_compatible(const std::vector<MagneticPointGroup::Operation>& generators) {
  std::vector<MagneticPointGroup::Operation> all{{FieldMatrix::identity(AbelianField(), 3), false}};
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const auto& g : generators) {
      const FieldMatrix product = g.matrix * all[k].matrix;
      const bool reverses = g.reverses_time != all[k].reverses_time;
      const auto known = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.matrix == product; });
      if (known == all.end())
        all.push_back({product, reverses});
      else if (known->reverses_time != reverses)
        return false;
    }
  return true;
}

/// The symbol without primes, as tables have it.
std::string usual_symbol(const std::vector<Position>& list) {
  std::string text;
  for (const Position& p : list) text += (p.n == 0 ? "m" : std::to_string(p.n)) + (p.has_mirror ? "/m" : "");
  constexpr std::pair<const char*, const char*> others[] = {{"-4m2", "-42m"}, {"-62m", "-6m2"}, {"2mm", "mm2"},
                                                            {"m2m", "mm2"},   {"m3", "m-3"},    {"m3m", "m-3m"}};
  for (const auto& [other, usual] : others)
    if (text == other) return usual;
  return text;
}

}  // namespace

std::optional<FiniteGroup> crystal_class(std::string_view symbol) {
  for (const std::string_view name : crystal_classes)
    if (const FiniteGroup G = point_group(name); symbol == G.structure().as<structure::PointGroup>()->hermann_mauguin())
      return G;
  return std::nullopt;
}

std::optional<MagneticPointGroup> class_with_axes(std::string_view symbol) {
  for (const std::string_view other : {"2mm", "m2m", "-4m2", "-62m"})
    if (symbol == other) return magnetic_point_group(symbol);
  struct AxesOfClass {
    std::string_view symbol, usual;
    std::array<int, 3> order;  // as in Position: 0 is a mirror, 1 nothing
    bool has_mirror;           // across the axis of order 2
  };
  constexpr AxesOfClass all[] = {
      {"31m", "3m", {3, 1, 0}, false},   {"3m1", "3m", {3, 0, 1}, false},    {"312", "32", {3, 1, 2}, false},
      {"321", "32", {3, 2, 1}, false},   {"-31m", "-3m", {-3, 1, 0}, false}, {"-3m1", "-3m", {-3, 0, 1}, false},
      {"112", "2", {1, 1, 2}, false},    {"121", "2", {1, 2, 1}, false},     {"211", "2", {2, 1, 1}, false},
      {"11m", "m", {1, 1, 0}, false},    {"1m1", "m", {1, 0, 1}, false},     {"m11", "m", {0, 1, 1}, false},
      {"112/m", "2/m", {1, 1, 2}, true}, {"12/m1", "2/m", {1, 2, 1}, true},  {"2/m11", "2/m", {2, 1, 1}, true}};
  for (const AxesOfClass& one : all) {
    if (symbol != one.symbol) continue;
    MagneticPointGroup out{std::string(symbol), *crystal_class(one.usual), false, {}};
    const bool trigonal = std::abs(one.order[0]) == 3;
    const std::array<Direction, 3> directions{trigonal ? x3 : x1, trigonal ? x1 : x2, trigonal ? x2 : x3};
    for (std::size_t k = 0; k < 3; ++k) {
      if (one.order[k] == 1) continue;
      out.generators.push_back({operation(directions[k], one.order[k]), false});
      if (one.has_mirror) out.generators.push_back({operation(directions[k], 0), false});
    }
    return out;
  }
  return std::nullopt;
}

MagneticPointGroup magnetic_point_group(std::string_view symbol) {
  std::string_view text = symbol;
  bool grey = false;
  if (text.ends_with("1'") && text != "-1'") {
    grey = true;
    text = text == "1'" ? "1" : text.substr(0, text.size() - 2);  // 1' is 11'
  }
  std::vector<Position> list = positions_of(text, symbol);
  const auto G = list.empty() ? std::nullopt : crystal_class(usual_symbol(list));
  if (!G) refuse_symbol(symbol, 0);
  const bool any = std::any_of(list.begin(), list.end(), [](const Position& p) { return p.primed || p.mirror_primed; });
  if (grey && any)
    throw DomainError(fmt::format(
        "{}: with 1' every operation is there with and without time reversal; leave out the other primes", symbol));
  // In cubic groups the inversion goes with the mirror, since half turns are products of commutators: m'-3m is m'-3'm.
  if (list.size() > 1 && list[0].n == 0 && std::abs(list[1].n) == 3) list[1].n = -3, list[1].primed |= list[0].primed;
  MagneticPointGroup out{std::string(symbol), *G, grey, {}};
  const std::vector<Direction> directions = directions_of(list);
  for (std::size_t k = 0; k < list.size(); ++k) {
    out.generators.push_back({operation(directions[k], list[k].n), list[k].primed});
    if (list[k].has_mirror) out.generators.push_back({operation(directions[k], 0), list[k].mirror_primed});
  }
  if (!are_compatible(out.generators))
    throw DomainError(
        fmt::format("{}: its primes contradict one another: some product of its operations would both "
                    "reverse time and not",
                    symbol));
  if (grey) out.generators.push_back({FieldMatrix::identity(AbelianField(), 3), true});
  return out;
}

}  // namespace intertwine
