// Wallpaper groups on a torus of pixels, and the symmetries of a picture.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "groups/named/named_coordinates.hpp"
#include "groups/named/named_support.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace {

/// Pixels (row, column) -> row * width + column.
class Grid {
 public:
  /// \throws LimitError or DomainError, naming the group, unless the sides are usable.
  Grid(std::size_t h, std::size_t w, GroupStructure structure)
      : h_(h), w_(w), structure_(std::move(structure)), name_(to_string(structure_)) {
    if (h == 0 || w == 0) throw DomainError(fmt::format("{}: both sides must be at least 1", name_));
    named::require_size(name_, Integer(h) * Integer(w), 5);
  }
  void require_square() const {
    if (h_ != w_)
      throw DomainError(fmt::format("{}: a symmetry exchanges the axes, which needs a square, h = w", name_));
  }
  /// f(r, c) gives the new row and column.
  /// `linear` is its linear part on columns (row, column).
  template <class F>
  void add(F f, const IntegerMatrix& linear) {
    Permutation g = named::permutation_by(h_ * w_, [&](std::size_t i) {
      const auto [row, column] = f(i / w_, i % w_);
      return row * w_ + column;
    });
    if (g.is_identity() || std::find(generators_.begin(), generators_.end(), g) != generators_.end()) return;
    generators_.push_back(std::move(g));
    linear_parts_.push_back(linear);
  }
  /// On a small grid symmetries with different linear parts can be the same permutation. Elsewhere the order is that of the
  /// translations times that of the linear parts, for what has the linear part 1 is a translation.
  FiniteGroup group(std::size_t least_side, std::size_t translations, std::size_t linear_parts) && {
    FiniteGroup::Coordinates coordinates = named::given_coordinates(2, linear_parts_);
    const bool small = linear_parts > 1 && std::min(h_, w_) < least_side;
    if (small)
      coordinates = {0,
                     {},
                     fmt::format("the linear part of a symmetry of {} is not defined, since symmetries coincide on so "
                                 "small a grid; both sides must be at least {}",
                                 name_, least_side)};
    return FiniteGroup::built_as(structure_, h_ * w_, std::move(generators_),
                                 small ? Integer(0) : Integer(translations) * linear_parts)
        .with_coordinates(std::move(coordinates));
  }

 private:
  std::size_t h_;
  std::size_t w_;
  GroupStructure structure_;
  std::string name_;
  std::vector<Permutation> generators_;
  std::vector<IntegerMatrix> linear_parts_;
};

IntegerMatrix linear_part(long rr, long rc, long cr, long cc) { return {{rr, rc}, {cr, cc}}; }

using Pixel = std::pair<std::size_t, std::size_t>;

}  // namespace

namespace {

/// A symmetry of the plane on pixels: (r, c) to (rr r + rc c + tr, cr r + cc c + tc).
struct PixelMap {
  int rr, rc, cr, cc, tr, tc;
};

/// Generators beside the translations, which go by `rows` pixels down and by `columns` to the right. Where these are 2 the others contain
/// half of a translation: a glide, or a mirror between two pixels. The coordinates y and x of the International Tables are r and c in units
/// of these translations.
struct PlaneGroup {
  std::string_view name;
  std::size_t order;  ///< the order of the point group, the linear parts
  bool square;        ///< h = w
  std::size_t rows, columns;
  std::vector<PixelMap> maps;
};

const std::vector<PlaneGroup>& plane_groups() {
  constexpr PixelMap half_turn{-1, 0, 0, -1, 0, 0}, quarter_turn{0, 1, -1, 0, 0, 0}, mirror{1, 0, 0, -1, 0, 0},
      exchange{0, 1, 1, 0, 0, 0}, third_turn{0, -1, 1, -1, 0, 0}, sixth_turn{1, -1, 1, 0, 0, 0},
      other_exchange{0, -1, -1, 0, 0, 0};
  static const std::vector<PlaneGroup> groups{
      {"p1", 1, false, 1, 1, {}},
      {"p2", 2, false, 1, 1, {half_turn}},
      {"pm", 2, false, 1, 1, {mirror}},
      {"pg", 2, false, 2, 1, {{1, 0, 0, -1, 1, 0}}},
      {"cm", 2, true, 1, 1, {exchange}},
      {"pmm", 4, false, 1, 1, {mirror, {-1, 0, 0, 1, 0, 0}}},
      {"pmg", 4, false, 1, 2, {half_turn, {1, 0, 0, -1, 0, 1}}},
      {"pgg", 4, false, 2, 2, {half_turn, {1, 0, 0, -1, 1, 1}}},
      {"cmm", 4, true, 1, 1, {half_turn, exchange}},
      {"p4", 4, true, 1, 1, {quarter_turn}},
      {"p4m", 8, true, 1, 1, {quarter_turn, exchange}},
      {"p4g", 8, true, 2, 2, {quarter_turn, {1, 0, 0, -1, 1, 1}}},
      {"p3", 3, true, 1, 1, {third_turn}},
      {"p3m1", 6, true, 1, 1, {third_turn, other_exchange}},
      {"p31m", 6, true, 1, 1, {third_turn, exchange}},
      {"p6", 6, true, 1, 1, {sixth_turn}},
      {"p6m", 12, true, 1, 1, {sixth_turn, exchange}},
  };
  return groups;
}

std::size_t modulo_side(std::int64_t x, std::size_t side) {
  const auto n = static_cast<std::int64_t>(side);
  return static_cast<std::size_t>(((x % n) + n) % n);
}

}  // namespace

FiniteGroup grid_group(std::string_view kind, std::size_t h, std::size_t w) {
  const auto& groups = plane_groups();
  const auto known = std::ranges::find(groups, kind, &PlaneGroup::name);
  if (known == groups.end())
    throw DomainError(
        fmt::format("grid_group: '{}' is no plane group; there are p1 p2 pm pg cm pmm pmg pgg cmm p4 p4m p4g p3 "
                    "p3m1 p31m p6 p6m",
                    kind.substr(0, 40)));
  Grid grid(h, w, structure::Grid{std::string(kind), h, w});
  if (known->square) grid.require_square();
  if (h % known->rows != 0 || w % known->columns != 0)
    throw DomainError(
        fmt::format("{}({},{}): a glide goes by half of a translation, one pixel of two: {} has to be even", kind, h, w,
                    known->rows == 1      ? "w"
                    : known->columns == 1 ? "h"
                                          : "each side"));
  grid.add([=](std::size_t r, std::size_t c) { return Pixel{r, (c + known->columns) % w}; }, linear_part(1, 0, 0, 1));
  grid.add([=](std::size_t r, std::size_t c) { return Pixel{(r + known->rows) % h, c}; }, linear_part(1, 0, 0, 1));
  for (const PixelMap& m : known->maps)
    grid.add(
        [&](std::size_t r, std::size_t c) {
          const auto y = static_cast<std::int64_t>(r), x = static_cast<std::int64_t>(c);
          return Pixel{modulo_side(m.rr * y + m.rc * x + m.tr, h), modulo_side(m.cr * y + m.cc * x + m.tc, w)};
        },
        linear_part(m.rr, m.rc, m.cr, m.cc));
  return std::move(grid).group(3, h / known->rows * (w / known->columns), known->order);
}

FiniteGroup pixel_group(std::string_view kind, std::size_t h, std::size_t w) {
  if (kind != "C1" && kind != "C2" && kind != "C4" && kind != "D1" && kind != "D2" && kind != "D4")
    throw DomainError(fmt::format("pixel_group: '{}' is no symmetry group of pictures; there are C1 C2 C4 D1 D2 D4",
                                  kind.substr(0, 40)));
  const bool square = kind == "C4" || kind == "D4";
  Grid grid(h, w, structure::Pixels{std::string(kind), h, w});
  if (square) grid.require_square();
  if (kind == "C2")
    grid.add([=](std::size_t r, std::size_t c) { return Pixel{h - 1 - r, w - 1 - c}; }, linear_part(-1, 0, 0, -1));
  if (square) grid.add([=](std::size_t r, std::size_t c) { return Pixel{c, h - 1 - r}; }, linear_part(0, 1, -1, 0));
  if (kind[0] == 'D')
    grid.add([=](std::size_t r, std::size_t c) { return Pixel{r, w - 1 - c}; }, linear_part(1, 0, 0, -1));
  if (kind == "D2")
    grid.add([=](std::size_t r, std::size_t c) { return Pixel{h - 1 - r, c}; }, linear_part(-1, 0, 0, 1));
  return std::move(grid).group(2, 1, (kind[0] == 'D' ? 2 : 1) * static_cast<std::size_t>(kind[1] - '0'));
}

}  // namespace intertwine
