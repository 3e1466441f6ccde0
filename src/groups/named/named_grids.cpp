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
    if (h_ != w_) throw DomainError(fmt::format("{}: a quarter turn needs a square, h = w", name_));
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
  /// On a small grid symmetries with different linear parts can be the same permutation.
  FiniteGroup group(std::size_t least_side, bool only_translations) && {
    FiniteGroup::Coordinates coordinates = named::given_coordinates(2, linear_parts_);
    if (!only_translations && std::min(h_, w_) < least_side)
      coordinates = {
          0,
          {},
          fmt::format("the linear part of a symmetry of {} is not defined, since symmetries coincide on so "
                      "small a grid; both sides must be at least {}",
                      name_, least_side)};
    return FiniteGroup::built_as(structure_, h_ * w_, std::move(generators_))
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

FiniteGroup grid_group(std::string_view kind, std::size_t h, std::size_t w) {
  if (kind != "p1" && kind != "p2" && kind != "pm" && kind != "pmm" && kind != "p4" && kind != "p4m")
    throw DomainError(fmt::format("grid_group: '{}' is no known grid group; there are p1 p2 pm pmm p4 p4m",
                                  kind.substr(0, 40)));
  const bool square = kind == "p4" || kind == "p4m";
  Grid grid(h, w, structure::Grid{std::string(kind), h, w});
  if (square) grid.require_square();
  grid.add([=](std::size_t r, std::size_t c) { return Pixel{r, (c + 1) % w}; }, linear_part(1, 0, 0, 1));
  grid.add([=](std::size_t r, std::size_t c) { return Pixel{(r + 1) % h, c}; }, linear_part(1, 0, 0, 1));
  if (kind == "p2")
    grid.add(
        [=](std::size_t r, std::size_t c) {
          return Pixel{(h - r) % h, (w - c) % w};
        },
        linear_part(-1, 0, 0, -1));
  if (kind == "pm" || kind == "pmm")
    grid.add([=](std::size_t r, std::size_t c) { return Pixel{r, (w - c) % w}; }, linear_part(1, 0, 0, -1));
  if (kind == "pmm")
    grid.add([=](std::size_t r, std::size_t c) { return Pixel{(h - r) % h, c}; }, linear_part(-1, 0, 0, 1));
  if (square)
    grid.add([=](std::size_t r, std::size_t c) { return Pixel{c, (h - r) % h}; }, linear_part(0, 1, -1, 0));
  if (kind == "p4m")
    grid.add([](std::size_t r, std::size_t c) { return Pixel{c, r}; }, linear_part(0, 1, 1, 0));
  return std::move(grid).group(3, kind == "p1");
}

FiniteGroup pixel_group(std::string_view kind, std::size_t h, std::size_t w) {
  if (kind != "C1" && kind != "C2" && kind != "C4" && kind != "D1" && kind != "D2" && kind != "D4")
    throw DomainError(
        fmt::format("pixel_group: '{}' is no symmetry group of pictures; there are C1 C2 C4 D1 D2 D4",
                    kind.substr(0, 40)));
  const bool square = kind == "C4" || kind == "D4";
  Grid grid(h, w, structure::Pixels{std::string(kind), h, w});
  if (square) grid.require_square();
  if (kind == "C2")
    grid.add(
        [=](std::size_t r, std::size_t c) {
          return Pixel{h - 1 - r, w - 1 - c};
        },
        linear_part(-1, 0, 0, -1));
  if (square)
    grid.add([=](std::size_t r, std::size_t c) { return Pixel{c, h - 1 - r}; }, linear_part(0, 1, -1, 0));
  if (kind[0] == 'D')
    grid.add([=](std::size_t r, std::size_t c) { return Pixel{r, w - 1 - c}; }, linear_part(1, 0, 0, -1));
  if (kind == "D2")
    grid.add([=](std::size_t r, std::size_t c) { return Pixel{h - 1 - r, c}; }, linear_part(-1, 0, 0, 1));
  return std::move(grid).group(2, kind == "C1");
}

}  // namespace intertwine
