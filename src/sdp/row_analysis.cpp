// Orbits of blocks and of entries, and the irreducible representations on the rows of a problem.
#include "sdp/row_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/representations/actions.hpp"
#include "sdp/spherical_rows.hpp"
#include "sdp/unit_blocks.hpp"

namespace intertwine::sdp {

namespace {

std::vector<SignedPermutation> restricted_images(const std::vector<SignedPermutation>& images, const BlockOrbit& orbit,
                                                 std::span<const RowPlace> places, bool fixed) {
  std::vector<SignedPermutation> list;
  std::set<std::vector<SignedPoint>> seen;
  for (std::size_t k = 0; k < orbit.units.size(); ++k)
    for (const SignedPermutation& g : images) {
      std::vector<SignedPoint> local;
      for (const SignedPoint x : orbit.images[k]) {
        const SignedPoint y = g(x);
        const SignedPoint back = places[y.point()].local;  // the row of the first block
        local.push_back(back.flipped(y.negative()));
      }
      // Where the group fixes the block, the list has one entry for every generator of the group.
      if (fixed || seen.insert(local).second) list.push_back(SignedPermutation(std::move(local)));
    }
  return list;
}

class RowAnalyser : RowAnalysis {
 public:
  RowAnalyser(const Problem& problem, const Representation& rows, const Task& task)
      : units_(problem.blocks()), V_(rows), images_(rows.generator_images()), task_(task) {
    find_orbits();
    for (BlockOrbit& orbit : orbits) {
      orbit.first_coordinate = coordinates;
      if (orbit.size == 1)
        analyse_point(orbit);
      else
        analyse_block(orbit);
    }
  }

  RowAnalysis take() { return std::move(*this); }

 private:
  void find_orbits() {
    places.resize(units_.of_row.size());
    std::vector<char> seen(units_.first.size(), 0);
    for (std::uint32_t start = 0; start < units_.first.size(); ++start) {
      if (seen[start] != 0) continue;
      seen[start] = 1;
      BlockOrbit orbit;
      orbit.size = units_.size[start];
      orbit.units = {start};
      orbit.images.emplace_back();
      for (std::uint32_t i = 0; i < orbit.size; ++i) orbit.images[0].push_back(SignedPoint(units_.first[start] + i));
      for (std::size_t head = 0; head < orbit.units.size(); ++head)
        for (const SignedPermutation& g : images_) {
          const std::uint32_t to = units_.of_row[g(orbit.images[head][0]).point()];
          if (seen[to] != 0) continue;
          seen[to] = 1;
          orbit.units.push_back(to);
          std::vector<SignedPoint> moved;
          for (const SignedPoint x : orbit.images[head]) moved.push_back(g(x));
          orbit.images.push_back(std::move(moved));
        }
      for (const auto& image : orbit.images)
        for (std::uint32_t i = 0; i < orbit.size; ++i)
          places[image[i].point()] = {static_cast<std::uint32_t>(orbits.size()), SignedPoint(i, image[i].negative())};
      orbits.push_back(std::move(orbit));
    }
  }

  void add_component(BlockOrbit& orbit, Component component, std::uint64_t degree, int indicator, std::string name) {
    const std::uint64_t m = component.copies, h = m / 2;
    component.block = blocks.size();
    // A Hermitian number is real, and counts for its conjugate too; in a real form every eigenvalue is there twice,
    // and of
    // quaternionic type twice in the Hermitian matrix already.
    component.is_complex = indicator != 1 && m > 1;
    const std::uint64_t weight = indicator == -1 ? degree / 2 : indicator == 0 && m == 1 ? 2 * degree : degree;
    component.weight = static_cast<double>(weight);
    variables += indicator == 1 ? m * (m + 1) / 2 : indicator == 0 ? m * m : h * (2 * h - 1);
    const char* type = indicator == 1 ? "real" : indicator == 0 ? "complex" : "quaternionic";
    blocks.push_back({component.is_complex ? 2 * m : m, type, weight * orbit.units.size(), std::move(name)});
    orbit.components.push_back(std::move(component));
  }

  void analyse_point(BlockOrbit& orbit) {
    Component one;
    one.copies = 1;
    one.L = Square(1);
    one.L(0, 0) = 1;
    one.orbits = {{{0, 0, 1}}};
    ++coordinates;
    add_component(orbit, std::move(one), 1, 1, "variable");
  }

  /// The stabilizer of the first block of an orbit on its rows, with its table.
  std::pair<Representation, CharacterTable> acting(const BlockOrbit& orbit) {
    const bool fixed = orbit.units.size() == 1;
    if (fixed && !table_) table_ = character_table(V_.group(), task_);
    if (fixed && orbit.size == units_.of_row.size()) return {V_, *table_};
    std::vector<SignedPermutation> local = restricted_images(images_, orbit, places, fixed);
    // A group without generators acts by no images, which would not say on how many rows.
    if (fixed && !local.empty()) return {monomial_representation(V_.group(), std::move(local), {}, task_), *table_};
    if (local.empty()) local.push_back(SignedPermutation::identity(orbit.size));
    Representation W = action_on_rows(local);
    CharacterTable table = character_table(W.group(), task_);
    return {std::move(W), std::move(table)};
  }

  void analyse_block(BlockOrbit& orbit) {
    const auto [W, table] = acting(orbit);
    const std::vector<SignedPermutation> images = W.generator_images();
    auto pattern =
        std::make_shared<OrbitalPattern>(orbit.size, orbit.size, images, images, W.group().order(task_), 16U, task_);
    if (!pattern->check(task_)) throw InternalError("sdp: orbits of entries are not whole");
    orbit.pattern = pattern;
    orbit.orbit_sizes = pattern->orbit_size(task_);
    number_coordinates(orbit);
    auto spherical = spherical_rows(W, table, *pattern, task_);
    std::vector<FirstRows> all = spherical ? *std::move(spherical) : first_rows(W, table, BaseField::complex, task_);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const FirstRows& part = all[k];
      if (part.indicator == 0 && !is_first_of_pair(table, all, k)) continue;
      if (part.indicator == 1 && !part.basis.field.is_real())
        throw LimitError("sdp: " + table.name(part.irreps[0]) + " is known over " + part.basis.field.to_string() +
                         " only, not over a real field");
      // What the later ones ask of it stays: its rows of the table and its indicator.
      FirstRows mine{part.irreps, part.degree, part.multiplicity, part.indicator, std::move(all[k].basis), part.pivots};
      add_component(orbit, component_of(orbit, std::move(mine)), part.degree, part.indicator,
                    table.name(part.irreps[0]));
    }
  }

  /// The first one of two conjugate rows stands for both.
  static bool is_first_of_pair(const CharacterTable& table, const std::vector<FirstRows>& all, std::size_t k) {
    for (std::size_t j = 0; j < k; ++j) {
      bool conjugate = all[j].indicator == 0;
      for (std::size_t c = 0; c < table.size() && conjugate; ++c)
        conjugate = table(all[j].irreps[0], c) == table(all[k].irreps[0], c).conjugate();
      if (conjugate) return false;
    }
    return true;
  }

  /// X_ij = X_ji joins an orbit with that of the transposed entries.
  void number_coordinates(BlockOrbit& orbit) {
    const std::vector<MatrixEntry> smallest = orbit.pattern->smallest_entries();
    orbit.coordinates.assign(smallest.size(), {});
    std::vector<char> done(smallest.size(), 0);
    for (std::size_t o = 0; o < smallest.size(); ++o) {
      if (done[o] != 0) continue;
      const std::int64_t label = orbit.pattern->label(smallest[o].col, smallest[o].row);
      if (label == 0) throw InternalError("sdp: a transposed orbit of entries vanishes");
      const auto other = static_cast<std::size_t>(std::abs(label) - 1);
      done[o] = done[other] = 1;
      const int sign = label > 0 ? 1 : -1;
      if (other == o && sign < 0) continue;
      const auto number = static_cast<std::uint32_t>(coordinates++);
      orbit.coordinates[o] = {number, 1};
      orbit.coordinates[other] = {number, sign};
    }
  }

  Component component_of(const BlockOrbit& orbit, FirstRows found) {
    const auto exact = std::make_shared<const FirstRows>(std::move(found));
    const FirstRows& part = *exact;
    const SparseColumns& X = part.basis;
    const std::size_t m = X.columns();
    std::vector<std::vector<std::pair<std::uint32_t, Complex>>> by_row(orbit.size);
    for (std::uint32_t a = 0; a < m; ++a)
      for (std::uint64_t e = X.starts[a]; e < X.starts[a + 1]; ++e)
        by_row[X.row[e]].emplace_back(a, X.value[e].to_complex());
    Component component;
    component.copies = m;
    component.exact = exact;
    Square G(m);
    for (const auto& row : by_row)
      for (const auto& [a, x] : row)
        for (const auto& [b, y] : row) G(a, b) += std::conj(x) * y;
    component.L = cholesky(G);
    component.orbits.resize(orbit.orbit_sizes.size());
    for (std::uint32_t a = 0; a < m; ++a) {
      task_.poll();
      const std::uint32_t pivot = part.pivots[a];
      if (by_row[pivot].size() != 1) throw InternalError("sdp: a pivot is not alone in its row");
      const Complex scale = by_row[pivot].front().second;
      std::map<std::pair<std::size_t, std::uint32_t>, Complex> sums;  // by orbit and column
      for (std::uint32_t j = 0; j < orbit.size; ++j) {
        if (by_row[j].empty()) continue;
        const std::int64_t label = orbit.label(pivot, j);
        if (label == 0) continue;
        for (const auto& [b, x] : by_row[j])
          sums[{static_cast<std::size_t>(std::abs(label) - 1), b}] += label > 0 ? x : -x;
      }
      for (auto& [at, value] : sums)
        if (std::abs(value /= scale) > 1e-13) component.orbits[at.first].push_back({a, at.second, value});
    }
    return component;
  }

  UnitBlocks units_;
  const Representation& V_;
  std::vector<SignedPermutation> images_;
  const Task& task_;
  std::optional<CharacterTable> table_;
};

}  // namespace

/// L with G = L L^*.
Square cholesky(const Square& G) {
  Square L(G.n);
  for (std::size_t j = 0; j < G.n; ++j)
    for (std::size_t i = j; i < G.n; ++i) {
      Complex sum = G(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= L(i, k) * std::conj(L(j, k));
      if (i == j && !(sum.real() > 0)) throw InternalError("sdp: vectors of a block are dependent");
      L(i, j) = i == j ? Complex(std::sqrt(sum.real())) : sum / L(j, j);
    }
  return L;
}

RowAnalysis analysed_rows(const Problem& problem, const Representation& rows, const Task& task) {
  return RowAnalyser(problem, rows, task).take();
}

OrbitSums orbit_sums(const SymmetricMatrix& A, const RowAnalysis& analysis) {
  OrbitSums sums;
  for (const SymmetricEntry& e : A) {
    const RowPlace &r = analysis.places[e.row], &c = analysis.places[e.col];
    const BlockOrbit& orbit = analysis.orbits[r.orbit];
    const auto add = [&](SignedPoint i, SignedPoint j) {
      const std::int64_t label = orbit.label(i.point(), j.point());
      if (label == 0) return;
      const bool negative = (i.negative() != j.negative()) != (label < 0);
      sums[{r.orbit, static_cast<std::size_t>(std::abs(label) - 1)}] += negative ? Rational(-e.value) : e.value;
    };
    add(r.local, c.local);
    if (e.row != e.col) add(c.local, r.local);
  }
  std::erase_if(sums, [](const auto& sum) { return sum.second == 0; });
  return sums;
}

}  // namespace intertwine::sdp
