// Point groups by their Schoenflies symbols.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>

#include "groups/named/golden_integer.hpp"
#include "groups/named/named_coordinates.hpp"
#include "groups/named/named_support.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace {

using named::GoldenInteger;
using named::permutation_by;
using Corner = std::array<GoldenInteger, 3>;
using Map = std::function<Corner(const Corner&)>;

constexpr GoldenInteger one{1, 0};
constexpr GoldenInteger phi{0, 1};

/// The maps on twice the unit vectors, where the icosahedral mirror needs no halves of odd numbers.
std::vector<FieldMatrix> in_coordinates(const std::vector<Map>& maps) {
  std::vector<FieldMatrix> matrices;
  const Cyclotomic half(Rational(1, 2));
  for (const Map& map : maps) {
    std::vector<Cyclotomic> entries(9);
    for (std::size_t j = 0; j < 3; ++j) {
      Corner vector;
      vector[j] = {2, 0};
      const Corner image = map(vector);
      for (std::size_t i = 0; i < 3; ++i) entries[3 * i + j] = half * image[i].to_cyclotomic();
    }
    matrices.emplace_back(3, 3, entries);
  }
  return matrices;
}

FiniteGroup on_corners(const std::vector<Corner>& corners, const std::vector<Map>& maps,
                       const structure::PointGroup& symbol) {
  std::vector<Permutation> generators;
  for (const Map& map : maps)
    generators.push_back(permutation_by(corners.size(), [&](std::size_t i) {
      const auto place = std::find(corners.begin(), corners.end(), map(corners[i]));
      if (place == corners.end()) throw InternalError("point_group: a symmetry leaves the set of points");
      return static_cast<std::size_t>(place - corners.begin());
    }));
  return FiniteGroup::built_as(symbol, corners.size(), std::move(generators))
      .with_coordinates({3, [maps] { return in_coordinates(maps); }, {}});
}

Corner cycle_axes(const Corner& v) { return {v[2], v[0], v[1]}; }
Corner mirror_x(const Corner& v) { return {-v[0], v[1], v[2]}; }
Corner mirror_y(const Corner& v) { return {v[0], -v[1], v[2]}; }
Corner mirror_z(const Corner& v) { return {v[0], v[1], -v[2]}; }
Corner half_turn_x(const Corner& v) { return {v[0], -v[1], -v[2]}; }
Corner half_turn_z(const Corner& v) { return {-v[0], -v[1], v[2]}; }
Corner quarter_turn_z(const Corner& v) { return {-v[1], v[0], v[2]}; }
Corner inversion(const Corner& v) { return {-v[0], -v[1], -v[2]}; }
Corner exchange_xy(const Corner& v) { return {v[1], v[0], v[2]}; }

/// The reflection in the plane perpendicular to r = (1/phi, phi, 1), |r|^2 = 4: v -> v - <v,r>/2 r. On the
/// corners of the icosahedron <v,r> is even in Z[phi].
Corner icosahedral_mirror(const Corner& v) {
  const Corner r{phi - one, phi, one};
  const GoldenInteger product = v[0] * r[0] + v[1] * r[1] + v[2] * r[2];
  if (product.a % 2 != 0 || product.b % 2 != 0)
    throw InternalError("point_group: the mirror is not one of the icosahedron");
  const GoldenInteger half{product.a / 2, product.b / 2};
  return {v[0] - half * r[0], v[1] - half * r[1], v[2] - half * r[2]};
}

std::vector<Corner> axis_ends() {
  std::vector<Corner> corners;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const std::int64_t sign : {1, -1}) {
      Corner v;
      v[axis] = {sign, 0};
      corners.push_back(v);
    }
  return corners;
}

/// (0, s, t phi), then its cyclic shifts (s, t phi, 0) and (t phi, 0, s).
std::vector<Corner> icosahedron() {
  std::vector<Corner> corners;
  for (const std::size_t zero : {0, 2, 1})
    for (const std::int64_t s : {1, -1})
      for (const std::int64_t t : {1, -1}) {
        Corner v;
        v[(zero + 1) % 3] = {s, 0};
        v[(zero + 2) % 3] = {0, t};
        corners.push_back(v);
      }
  return corners;
}

using Symbol = structure::PointGroup;

FiniteGroup polyhedral_group(const Symbol& symbol) {
  const std::vector<Corner> tetrahedron{{one, one, one}, {one, -one, -one}, {-one, one, -one}, {-one, -one, one}};
  std::vector<Map> maps{cycle_axes, half_turn_z};
  if (symbol.family == 'O') maps[1] = quarter_turn_z;
  if (symbol.family == 'I')
    maps.push_back([](const Corner& v) { return mirror_x(icosahedral_mirror(v)); });  // of order 5
  if (symbol.suffix == 'd') maps.push_back(exchange_xy);
  if (symbol.suffix == 'h') maps.push_back(inversion);
  const bool four = symbol.family == 'T' && symbol.suffix != 'h';
  return on_corners(four ? tetrahedron : symbol.family == 'I' ? icosahedron() : axis_ends(), maps, symbol);
}

/// The groups whose main axis has order at most 2, on the ends of the three axes.
FiniteGroup small_axial_group(const Symbol& symbol) {
  const std::string text = symbol.symbol();
  std::vector<Map> maps;
  if (text == "Cs") maps = {mirror_z};
  if (text == "Ci") maps = {inversion};
  if (text == "C2") maps = {half_turn_z};
  if (text == "C2v") maps = {mirror_x, mirror_y};
  if (text == "C2h") maps = {half_turn_z, mirror_z};
  if (text == "D2") maps = {half_turn_z, half_turn_x};
  if (text == "D2h") maps = {mirror_x, mirror_y, mirror_z};
  return on_corners(axis_ends(), maps, symbol);
}

/// Synonyms lead to one symbol.
Symbol canonical_symbol(const Symbol& s) {
  if (s.family == 'S' && s.n == 2) return {'C', 0, 'i'};
  if (s.family == 'S' && s.n % 2 == 1) return canonical_symbol({'C', s.n, 'h'});
  if (s.family == 'C' && s.n == 1 && s.suffix != 0) return {'C', 0, 's'};
  if (s.family == 'D' && s.n == 1) return {'C', 2, s.suffix == 0 ? char{0} : s.suffix == 'h' ? 'v' : 'h'};
  return s;
}

/// C, D or S, the order of the axis, and v, h, d or nothing.
std::optional<Symbol> axial_symbol(std::string_view text) {
  if (text.size() < 2 || std::string_view("CDS").find(text[0]) == std::string_view::npos) return std::nullopt;
  Symbol symbol{text[0], 0, 0};
  const char* end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data() + 1, end, symbol.n);
  if (status != std::errc() || symbol.n == 0 || text[1] == '0' || end - rest > 1) return std::nullopt;
  if (rest != end) symbol.suffix = *rest;
  const std::string_view suffixes = symbol.family == 'C' ? "vh" : symbol.family == 'D' ? "hd" : "";
  if (symbol.suffix != 0 && suffixes.find(symbol.suffix) == std::string_view::npos) return std::nullopt;
  return symbol;
}

/// The generators of axial_group on coordinates.
std::vector<named::AxialMap> axial_kinds(const Symbol& symbol, bool antiprism) {
  std::vector<named::AxialMap> maps{{true, false, antiprism}};
  if (symbol.suffix == 'v' || symbol.suffix == 'd') maps.push_back({false, true, false});
  if (symbol.family == 'D' && symbol.suffix != 'd') maps.push_back({false, true, true});
  if (symbol.suffix == 'h') maps.push_back({false, false, true});
  return maps;
}

/// Main axis of order at least 3, or an antiprism: the points are the corners of a polygon, bipyramid or
/// antiprism.
FiniteGroup axial_group(const Symbol& symbol) {
  const bool antiprism = symbol.family == 'S' || symbol.suffix == 'd';
  const bool flips = !antiprism && (symbol.family == 'D' || symbol.suffix == 'h');
  const Integer corners = symbol.suffix == 'd' ? Integer(symbol.n) * 2 : Integer(symbol.n);
  named::require_size(to_string(GroupStructure(symbol)), corners + (flips ? 2 : 0), 3);
  const auto n = static_cast<std::size_t>(corners);
  const std::size_t degree = n + (flips ? 2 : 0);
  // The ends n and n + 1 of the axis are exchanged where `flip` says so.
  const auto turn = [&](bool reverse, std::size_t by, bool flip) {
    return permutation_by(degree, [&](std::size_t i) {
      if (i >= n) return flip ? 2 * n + 1 - i : i;
      return ((reverse ? n - i : i) + by) % n;
    });
  };
  std::vector<Permutation> generators{turn(false, 1, false)};
  if (symbol.suffix == 'v' || symbol.suffix == 'd') generators.push_back(turn(true, 0, false));
  if (symbol.family == 'D' && symbol.suffix != 'd') generators.push_back(turn(true, 0, true));
  if (symbol.suffix == 'h') generators.push_back(turn(false, 0, true));
  return FiniteGroup::built_as(symbol, degree, std::move(generators))
      .with_coordinates(named::axial_coordinates(n, axial_kinds(symbol, antiprism)));
}

}  // namespace

FiniteGroup point_group(std::string_view schoenflies) {
  constexpr std::array<std::string_view, 7> polyhedral{"T", "Td", "Th", "O", "Oh", "I", "Ih"};
  if (std::find(polyhedral.begin(), polyhedral.end(), schoenflies) != polyhedral.end())
    return polyhedral_group({schoenflies[0], 0, schoenflies.size() > 1 ? schoenflies[1] : char{0}});
  if (schoenflies == "Cs" || schoenflies == "Ci") return small_axial_group({'C', 0, schoenflies[1]});
  const auto given = axial_symbol(schoenflies);
  if (!given)
    throw DomainError(
        fmt::format("point_group: '{}' is no Schoenflies symbol; there are T Td Th O Oh I Ih Cs Ci, and Cn "
                    "Cnv Cnh Sn Dn Dnd Dnh like C3v",
                    schoenflies.substr(0, 40)));
  const Symbol symbol = canonical_symbol(*given);
  return symbol.n <= 2 && symbol.suffix != 'd' ? small_axial_group(symbol) : axial_group(symbol);
}

}  // namespace intertwine
