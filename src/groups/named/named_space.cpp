// Space, rod and layer groups from Hall's symbols, and crystals with periodic boundaries.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "groups/named/named_coordinates.hpp"
#include "groups/named/named_support.hpp"
#include "groups/named/subperiodic_symbols.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/space_groups.hpp"
#include "text_cursor.hpp"

namespace intertwine {

namespace {

using CellVector = std::array<int, 3>;
using CellMatrix = std::array<CellVector, 3>;

constexpr int twelfths = 12;
constexpr CellMatrix space_identity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

int modulo_cell(int x) { return ((x % twelfths) + twelfths) % twelfths; }

CellVector times(const CellMatrix& W, const CellVector& v) {
  CellVector result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i] += W[i][j] * v[j];
  return result;
}
CellMatrix times(const CellMatrix& A, const CellMatrix& B) {
  CellMatrix result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) result[i][j] += A[i][k] * B[k][j];
  return result;
}

}  // namespace

SpaceOperation operator*(const SpaceOperation& g, const SpaceOperation& h) {
  SpaceOperation gh{times(g.W, h.W), times(g.W, h.w)};
  for (std::size_t i = 0; i < 3; ++i) gh.w[i] += g.w[i];
  return gh;
}

namespace {

/// First b, then a; the translation modulo Z^3.
SpaceOperation times(const SpaceOperation& a, const SpaceOperation& b) {
  SpaceOperation result = a * b;
  for (int& x : result.w) x = modulo_cell(x);
  return result;
}

/// x, y, z to y, z, x: what turns a matrix for the axis z into one for x; and so on.
CellMatrix moved(const CellMatrix& W, std::size_t steps) {
  CellMatrix result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[(i + steps) % 3][(j + steps) % 3] = W[i][j];
  return result;
}

/// The rotation of this order about z, in the basis of the cell.
CellMatrix turn_about_z(int order) {
  switch (order) {
    case 2:
      return {{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};
    case 3:
      return {{{0, -1, 0}, {1, -1, 0}, {0, 0, 1}}};
    case 4:
      return {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
    case 6:
      return {{{1, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
    default:
      return space_identity;
  }
}

const std::map<char, std::vector<CellVector>>& centrings() {
  static const std::map<char, std::vector<CellVector>> table{
      {'P', {{0, 0, 0}}},
      {'A', {{0, 0, 0}, {0, 6, 6}}},
      {'B', {{0, 0, 0}, {6, 0, 6}}},
      {'C', {{0, 0, 0}, {6, 6, 0}}},
      {'I', {{0, 0, 0}, {6, 6, 6}}},
      {'F', {{0, 0, 0}, {0, 6, 6}, {6, 0, 6}, {6, 6, 0}}},
      {'R', {{0, 0, 0}, {8, 4, 4}, {4, 8, 8}}},
      {'S', {{0, 0, 0}, {4, 4, 8}, {8, 8, 4}}},
      {'T', {{0, 0, 0}, {4, 8, 4}, {8, 4, 8}}},
  };
  return table;
}

struct HallGroup {
  char lattice;
  std::vector<SpaceOperation> generators;
};

/// Reads a symbol token by token: what stands between blanks.
class HallReader : TextCursor {
 public:
  explicit HallReader(std::string_view text) : TextCursor(text) {}

  HallGroup read() {
    HallGroup result{};
    if (accept('-')) result.generators.push_back({turned(space_identity, true), {}});
    result.lattice = peek();
    if (!centrings().contains(result.lattice))
      fail("expected the letter of a lattice, P A B C I F R S or T, as in \"-F 4 2 3\"", at_);
    ++at_;
    int count = 0;
    while (!at_end() && !peek('(')) {
      if (++count > 4) fail("a Hall symbol has at most four generators", at_);
      result.generators.push_back(generator(count));
    }
    if (count == 0) fail("expected a rotation after the lattice, as in \"P 2y\"", at_);
    if (accept('(')) shift(result.generators);
    if (!at_end()) fail("did not expect more after the symbol", at_);
    return result;
  }

 private:
  static CellMatrix turned(CellMatrix W, bool improper) {
    if (improper)
      for (CellVector& row : W)
        for (int& entry : row) entry = -entry;
    return W;
  }
  char here() const { return at_ < text_.size() ? text_[at_] : ' '; }

  SpaceOperation generator(int count) {
    const bool improper = accept('-');
    const std::size_t start = at_;
    const int order = here() - '0';
    if (order < 1 || order > 6 || order == 5) fail("expected a rotation of order 1, 2, 3, 4 or 6", start);
    ++at_;
    // The axis: as it is written, or by its place.
    char axis = here();
    if (std::string_view("xyz'\"=*").find(axis) != std::string_view::npos)
      ++at_;
    else
      axis = count == 1                 ? 'z'
             : order == 2 && count == 2 ? (previous_order_ == 3 || previous_order_ == 6 ? '\'' : 'x')
             : order == 3 && count == 3 ? '*'
             : order == 1               ? 'z'
                                        : ' ';
    if (axis == '=') axis = '"';
    if (axis == ' ') fail("the axis of this rotation has to be written: x, y, z, ', \" or *", start);
    if (axis == '*' && order != 3) fail("the axis * is of rotations of order 3", start);
    if ((axis == '\'' || axis == '"') && order != 2) fail("the axes ' and \" are of rotations of order 2", start);
    SpaceOperation result{turned(rotation(order, axis), improper), {}};
    translate(result, order, axis);
    previous_order_ = order;
    if (axis >= 'x' && axis <= 'z') previous_axis_ = axis;
    return result;
  }

  CellMatrix rotation(int order, char axis) const {
    // About z these exchange a and b (with signs); about the axis before the other two.
    if (axis == '\'' || axis == '"') {
      const int s = axis == '"' ? 1 : -1;
      return moved({{{0, s, 0}, {s, 0, 0}, {0, 0, -1}}}, static_cast<std::size_t>(previous_axis_ - 'x' + 1) % 3);
    }
    if (axis == '*') return {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
    return moved(turn_about_z(order), static_cast<std::size_t>(axis - 'x' + 1) % 3);
  }

  void translate(SpaceOperation& g, int order, char axis) {
    for (; at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '('; ++at_) {
      const char c = text_[at_];
      CellVector t{};
      if (c >= '1' && c <= '5') {
        if (c - '0' >= order || axis < 'x' || axis > 'z')
          fail("a screw is smaller than the order of its rotation, about x, y or z", at_);
        t[static_cast<std::size_t>(axis - 'x')] = twelfths / order * (c - '0');
      } else if (c >= 'a' && c <= 'c') {
        t[static_cast<std::size_t>(c - 'a')] = 6;
      } else if (c >= 'u' && c <= 'w') {
        t[static_cast<std::size_t>(c - 'u')] = 3;
      } else if (c == 'n') {
        t = {6, 6, 6};
      } else if (c == 'd') {
        t = {3, 3, 3};
      } else {
        fail("expected translations a b c n u v w d, or a screw, after the axis", at_);
      }
      for (std::size_t i = 0; i < 3; ++i) g.w[i] = modulo_cell(g.w[i] + t[i]);
    }
  }

  /// (n1 n2 n3): the symmetries V g V^-1, V the translation by n / 12.
  void shift(std::vector<SpaceOperation>& generators) {
    CellVector v{};
    for (int& n : v) {
      const bool minus = accept('-');
      if (!peek_digit()) fail("an origin shift is three whole numbers, twelfths of the cell: (0 0 1)", at_);
      const auto value = number(99);
      if (!value) fail("the numbers of an origin shift are at most 99", at_);
      n = (minus ? -1 : 1) * static_cast<int>(*value);
    }
    expect(')', "expected ')' after the origin shift, three twelfths of the cell");
    for (SpaceOperation& g : generators) {
      const CellVector image = times(g.W, v);
      for (std::size_t i = 0; i < 3; ++i) g.w[i] = modulo_cell(g.w[i] + v[i] - image[i]);
    }
  }

  int previous_order_ = 0;
  char previous_axis_ = 'z';
};

/// The least translation of w + lattice.
CellVector reduced(const CellVector& w, const std::vector<CellVector>& centring) {
  CellVector best{};
  for (std::size_t k = 0; k < centring.size(); ++k) {
    CellVector candidate{};
    for (std::size_t i = 0; i < 3; ++i) candidate[i] = modulo_cell(w[i] + centring[k][i]);
    if (k == 0 || candidate < best) best = candidate;
  }
  return best;
}

constexpr std::size_t largest_point_group = 48;

}  // namespace

SpaceGroup SpaceGroup::from_hall(std::string_view symbol) {
  HallGroup hall = HallReader(symbol).read();
  SpaceGroup result;
  result.hall_ = symbol;
  result.centring_ = centrings().at(hall.lattice);
  result.generators_ = std::move(hall.generators);
  const auto refuse = [&](const std::string& why) { throw ParseError(why, std::string(symbol), 0); };
  const auto& T = result.centring_;
  for (const SpaceOperation& g : result.generators_)
    for (const CellVector& t : T)
      if (reduced(times(g.W, t), T) != CellVector{})
        refuse(fmt::format("the rotations of this symbol do not keep the lattice {}", hall.lattice));
  std::vector<SpaceOperation>& all = result.operations_;
  all = {{space_identity, {}}};
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const SpaceOperation& g : result.generators_) {
      SpaceOperation product = times(g, all[k]);
      product.w = reduced(product.w, T);
      const auto known = std::find_if(all.begin(), all.end(), [&](const auto& h) { return h.W == product.W; });
      if (known == all.end()) {
        if (all.size() == largest_point_group)
          refuse("the rotations of this symbol generate no point group of a lattice");
        all.push_back(std::move(product));
      } else if (known->w != product.w) {
        refuse(fmt::format("the symbol generates more translations than its lattice {} has", hall.lattice));
      }
    }
  return result;
}

namespace {

std::string plain_symbol(std::string_view text) {
  std::string result(text);
  std::erase(result, '_');
  std::erase(result, ' ');
  return result;
}

/// One of the three kinds of groups with a table.
struct Kind {
  std::string_view word;
  std::span<const named::SpaceSymbol> table;
  SpaceGroup (*numbered)(unsigned);
  std::string_view examples;

  [[noreturn]] void refuse(std::string_view number) const {
    throw DomainError(
        fmt::format("there is no {} group number {}; they are numbered from 1 to {}", word, number, table.size()));
  }
  const named::SpaceSymbol& symbol(unsigned number) const {
    if (number < 1 || number > table.size()) refuse(std::to_string(number));
    return table[number - 1];
  }
  unsigned number_of_name(std::string_view name) const {
    const std::string wanted = plain_symbol(name);
    for (unsigned k = 1; k <= table.size(); ++k)
      if (plain_symbol(table[k - 1].name) == wanted) return k;
    throw DomainError(fmt::format("'{}' is no short international name of a {} group, such as {}", name.substr(0, 40),
                                  word, examples));
  }
  /// "41" or a name.
  SpaceGroup operator()(std::string_view text) const {
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    if (digits.empty() || !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
      return numbered(number_of_name(text));
    if (digits.size() > 3 || digits != text) refuse(text.substr(0, 40));
    return numbered(static_cast<unsigned>(std::stoul(std::string(text))));
  }
};

constexpr Kind spaces{"space", named::space_symbols, SpaceGroup::numbered, "Fm-3m, P2_1/c or I4_1/amd"};
constexpr Kind rods{"rod", named::rod_symbols, SpaceGroup::rod, "p4_2/mmc, p3_112 or p2/c11"};
constexpr Kind layers{"layer", named::layer_symbols, SpaceGroup::layer, "p4/nmm, p2_1/b11 or c2/m11"};

const Kind& kind_of(const SpaceGroup& group) {
  const auto& along = group.periodic();
  return !along[2] ? layers : along[0] ? spaces : rods;
}

}  // namespace

std::string_view space_group_name(unsigned number) { return spaces.symbol(number).name; }
std::string_view rod_group_name(unsigned number) { return rods.symbol(number).name; }
std::string_view layer_group_name(unsigned number) { return layers.symbol(number).name; }
unsigned rod_group_number(std::string_view name) { return rods.number_of_name(name); }
unsigned layer_group_number(std::string_view name) { return layers.number_of_name(name); }

SpaceGroup SpaceGroup::numbered(unsigned number) { return from_hall(spaces.symbol(number).hall); }

SpaceGroup SpaceGroup::rod(unsigned number) {
  SpaceGroup result = from_hall(rods.symbol(number).hall);
  result.periodic_ = {false, false, true};
  return result;
}

SpaceGroup SpaceGroup::layer(unsigned number) {
  SpaceGroup result = from_hall(layers.symbol(number).hall);
  result.periodic_ = {true, true, false};
  return result;
}

SpaceGroup SpaceGroup::rod(std::string_view text) { return rods(text); }
SpaceGroup SpaceGroup::layer(std::string_view text) { return layers(text); }

std::string_view SpaceGroup::kind() const { return kind_of(*this).word; }

bool operator==(const SpaceGroup& a, const SpaceGroup& b) {
  const auto same = [](const auto& x, const auto& y) {
    return x.size() == y.size() &&
           std::ranges::all_of(x, [&](const auto& one) { return std::ranges::find(y, one) != y.end(); });
  };
  return a.periodic_ == b.periodic_ && same(a.centring_, b.centring_) && same(a.operations_, b.operations_);
}

std::optional<unsigned> number_of_setting(const SpaceGroup& group) {
  const Kind& kind = kind_of(group);
  for (unsigned number = 1; number <= kind.table.size(); ++number)
    if (kind.numbered(number) == group) return number;
  return std::nullopt;
}

std::optional<std::string_view> name_of_setting(const SpaceGroup& group) {
  const auto number = number_of_setting(group);
  return number ? std::optional(kind_of(group).symbol(*number).name) : std::nullopt;
}

std::string point_group_symbol(const SpaceGroup& group) { return point_group_symbol(group.operations()); }

std::string point_group_symbol(std::span<const SpaceOperation> operations) {
  // Turns, and turns times -1, by their orders: W or -W has trace 3, -1, 0, 1, 2 for 1, 2, 3, 4, 6.
  std::map<int, std::size_t> turns, improper;
  for (const SpaceOperation& g : operations) {
    const auto& W = g.W;
    const int sign = W[0][0] * (W[1][1] * W[2][2] - W[1][2] * W[2][1]) -
                     W[0][1] * (W[1][0] * W[2][2] - W[1][2] * W[2][0]) +
                     W[0][2] * (W[1][0] * W[2][1] - W[1][1] * W[2][0]);
    constexpr int order_of_trace[] = {2, 3, 4, 6, 1};
    const int order = order_of_trace[1 + sign * (W[0][0] + W[1][1] + W[2][2])];
    ++(sign > 0 ? turns : improper)[order];
  }
  std::size_t proper = 0;
  for (const auto& [order, count] : turns) proper += count;
  const auto n = static_cast<std::size_t>(turns.rbegin()->first);
  const bool cubic = turns[3] == 8, cyclic = proper == n, centre = improper[1] > 0;
  if (cubic) {
    if (improper.size() == 1 && !centre) return proper == 12 ? "T" : "O";  // the entry of the centre alone
    return proper == 24 ? "Oh" : centre ? "Th" : "Td";
  }
  const std::string axes = fmt::format("{}{}", cyclic ? 'C' : 'D', n);
  if (improper.size() == 1 && !centre) return axes;
  if (proper == 1) return centre ? "Ci" : "Cs";
  if (n == 3 && centre) return cyclic ? "S6" : "D3d";
  if (centre) return axes + "h";
  if (n == 2 && improper[4] > 0) return cyclic ? "S4" : "D2d";
  if (n == 3 && improper[6] > 0) return axes + "h";
  return axes + "v";
}

namespace {

using Place = std::array<std::int64_t, 3>;

/// Coordinates of a general position over 1009: no symmetry other than 1 takes it to itself modulo twelfths, since no combination of 13, 57
/// and 211 with coefficients up to 2 is divisible by 1009.
constexpr std::array<std::int64_t, 3> general_place{13, 57, 211};
constexpr std::int64_t general_denominator = 1009, largest_denominator = 10'000;

/// Symmetries as maps of places, in units of 1 / scale, modulo the torus.
class Torus {
 public:
  Torus(const std::array<std::size_t, 3>& cells, std::int64_t scale) : scale_(scale) {
    for (std::size_t i = 0; i < 3; ++i) size_[i] = static_cast<std::int64_t>(cells[i]) * scale;
  }
  Place image(const SpaceOperation& g, const Place& x) const {
    Place result{};
    for (std::size_t i = 0; i < 3; ++i) {
      std::int64_t sum = std::int64_t{g.w[i]} * (scale_ / twelfths);
      for (std::size_t j = 0; j < 3; ++j) sum += g.W[i][j] * x[j];
      result[i] = size_[i] == 0 ? sum : ((sum % size_[i]) + size_[i]) % size_[i];
    }
    return result;
  }

 private:
  std::int64_t scale_;
  Place size_{};
};

void require_torus(const SpaceGroup& group, const std::array<std::size_t, 3>& cells, const std::string& name) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (group.periodic()[i] && cells[i] == 0)
      throw DomainError(fmt::format("{}: there is at least one cell along edge {}", name, "abc"[i]));
    if (!group.periodic()[i] && cells[i] != 0)
      throw DomainError(fmt::format("{}: this group has no translations along edge {}, and takes 0 cells there, not {}",
                                    name, "abc"[i], cells[i]));
  }
  for (const SpaceOperation& g : group.operations())
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        if (g.W[i][j] != 0 && cells[i] != 0 && cells[j] % cells[i] != 0)
          throw DomainError(
              fmt::format("{}: symmetries take edge {} of the cell to edge {}, so that there are as many "
                          "cells along both, not {} and {}",
                          name, "abc"[j], "abc"[i], cells[j], cells[i]));
}

}  // namespace

std::string crystal_name(std::string_view group, const std::array<std::size_t, 3>& cells,
                         const std::vector<Rational>& position) {
  std::string name(group);
  for (const std::size_t n : cells)
    if (n != 0) name += fmt::format(",{}", n);
  for (std::size_t i = 0; i < position.size(); ++i) name += (i == 0 ? "; " : ",") + to_string(position[i]);
  return name + ")";
}

FiniteGroup crystal_group(const SpaceGroup& group, const std::array<std::size_t, 3>& cells,
                          const std::vector<Rational>& position, std::string name, const Task& task) {
  require_torus(group, cells, name);
  const bool general = position.empty();
  if (!general && position.size() != 3)
    throw DomainError(fmt::format("{}: a position has three coordinates, not {}", name, position.size()));
  Integer most(group.operations().size() * group.centring().size());
  for (const std::size_t n : cells)
    if (n != 0) most *= Integer(n);
  named::require_size(name, most, group.generators().size() + 5);
  std::int64_t scale = general ? twelfths * general_denominator : twelfths;
  Place start{};
  if (!general) {
    for (const Rational& x : position) {
      const Integer d = denominator(x);
      if (d > largest_denominator || abs(numerator(x)) > 1'000'000'000)
        throw LimitError(
            fmt::format("{}: a coordinate is a fraction with a denominator up to {}", name, largest_denominator));
      scale = std::lcm(scale, static_cast<std::int64_t>(d));
    }
    if (scale > largest_denominator * largest_denominator)
      throw LimitError(fmt::format("{}: the coordinates have no common denominator that is small enough", name));
  }
  for (std::size_t i = 0; i < 3; ++i)
    start[i] =
        general
            ? twelfths * general_place[i]
            : static_cast<std::int64_t>(Integer(numerator(position[i])) * scale / Integer(denominator(position[i])));
  const Torus torus(cells, scale);

  std::vector<SpaceOperation> maps = group.generators();
  for (std::size_t k = 1; k < group.centring().size(); ++k) maps.push_back({space_identity, group.centring()[k]});
  for (std::size_t i = 0; i < 3; ++i) {
    SpaceOperation step{space_identity, {}};
    step.w[i] = twelfths;
    if (cells[i] > 1) maps.push_back(step);
  }
  std::vector<Place> places{torus.image({space_identity, {}}, start)};
  std::map<Place, std::size_t> index{{places[0], 0}};
  constexpr std::uint64_t bytes_per_place =
      3 * sizeof(Place) + 64;  // in the list, which grows, and in a node of the map
  for (std::size_t k = 0; k < places.size(); ++k)
    for (const SpaceOperation& g : maps) {
      task.poll();
      if (places.size() % 4096 == 0) task.require_memory(places.size() * bytes_per_place, "the points of " + name);
      const Place image = torus.image(g, places[k]);
      if (index.emplace(image, places.size()).second) places.push_back(image);
    }
  std::size_t count = 0;  // in the order of coordinates
  for (auto& [place, number] : index) {
    places[count] = place;
    number = count++;
  }
  std::vector<Permutation> generators;
  std::vector<IntegerMatrix> linear;
  for (const SpaceOperation& g : maps) {
    Permutation image = named::permutation_by(count, [&](std::size_t k) {
      task.poll();
      return index.at(torus.image(g, places[k]));
    });
    if (image.is_identity() || std::find(generators.begin(), generators.end(), image) != generators.end()) continue;
    generators.push_back(std::move(image));
    const auto& W = g.W;
    linear.push_back({{W[0][0], W[0][1], W[0][2]}, {W[1][0], W[1][1], W[1][2]}, {W[2][0], W[2][1], W[2][2]}});
  }
  if (general)
    return FiniteGroup::with_known_order(count, std::move(generators), std::move(name), most)
        .with_coordinates(named::given_coordinates(3, linear));
  task.poll();
  FiniteGroup G(count, std::move(generators), std::move(name));
  FiniteGroup::Coordinates coordinates = named::given_coordinates(3, linear);
  if (G.order() != most)
    coordinates = {
        0,
        {},
        fmt::format("the linear part of a symmetry of {} is not defined, since different symmetries are the same "
                    "permutation of these positions; take more cells, or a general position",
                    G.name())};
  return G.with_coordinates(std::move(coordinates));
}

}  // namespace intertwine
