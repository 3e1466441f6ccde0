// Reduction of semidefinite programs by symmetry.
#include "intertwine/sdp/symmetry_reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/first_rows.hpp"
#include "sdp/unit_blocks.hpp"

namespace intertwine::sdp {

namespace {

using Complex = std::complex<double>;

/// A dense square matrix of doubles, row-major.
struct Square {
  std::size_t n = 0;
  std::vector<Complex> entries;
  explicit Square(std::size_t size) : n(size), entries(size * size) {}
  Complex& operator()(std::size_t i, std::size_t j) { return entries[i * n + j]; }
  const Complex& operator()(std::size_t i, std::size_t j) const { return entries[i * n + j]; }
};

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

/// An entry (row, column, value) of L^{-1} (the matrix of an orbit of entries) in the basis of first rows.
struct BlockEntry {
  std::uint32_t row, col;
  Complex value;
};

/// One irreducible representation on the rows of a block.
struct Component {
  std::size_t block = 0;   ///< the first place in the reduced problem
  std::size_t copies = 0;  ///< m
  bool is_complex = false;
  double weight = 1;  ///< <A, X> is the sum of weight <block of A, Z> over all components
  Square L{0};        ///< of the Gram matrix of the first rows
  std::vector<std::vector<BlockEntry>> orbits;  ///< for every orbit of entries E: B with E X = X B
};

/// An orbit of blocks under the group, by its first block.
struct BlockOrbit {
  std::uint32_t size = 0;
  std::vector<std::uint32_t> units;
  std::vector<std::vector<SignedPoint>> images;   ///< of every unit: where the rows of the first one go
  std::shared_ptr<const OrbitalPattern> pattern;  ///< none for blocks of size 1
  std::vector<std::int64_t> orbit_sizes = {1};
  struct Coordinate {
    std::uint32_t number = 0;
    int sign = 0;  ///< 0: symmetric matrices vanish on the orbit
  };
  std::vector<Coordinate> coordinates = {{0, 1}};  ///< of every orbit of entries
  std::size_t first_coordinate = 0;
  std::vector<Component> components;

  /// Plus or minus an orbit of entries, from 1; 0 where invariant matrices vanish.
  std::int64_t label(std::uint32_t i, std::uint32_t j) const { return pattern ? pattern->label(i, j) : 1; }
};

}  // namespace

struct Reduction::Data {
  ReducedProblem problem;
  Integer order = 1;
  std::uint64_t before = 0, after = 0;
  std::vector<std::size_t> kept;
  std::vector<Block> blocks;  ///< before
  std::vector<BlockOrbit> orbits;
};

namespace {

struct RowPlace {
  std::uint32_t orbit = 0;
  SignedPoint local;  ///< the row of the first block that the group takes here, with the sign
};

std::vector<SignedPermutation> restricted_images(const std::vector<SignedPermutation>& images,
                                                 const BlockOrbit& orbit, std::span<const RowPlace> places,
                                                 bool fixed) {
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

/// Everything about the rows: orbits of blocks, their entries and components.
class RowAnalysis {
 public:
  RowAnalysis(const Problem& problem, const Representation& rows, const Task& task)
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

  std::vector<BlockOrbit> orbits;
  std::vector<RowPlace> places;
  std::vector<ReducedBlock> blocks;
  std::size_t coordinates = 0;
  std::uint64_t variables = 0;  ///< that the blocks hold

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
      for (std::uint32_t i = 0; i < orbit.size; ++i)
        orbit.images[0].push_back(SignedPoint(units_.first[start] + i));
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
          places[image[i].point()] = {static_cast<std::uint32_t>(orbits.size()),
                                      SignedPoint(i, image[i].negative())};
      orbits.push_back(std::move(orbit));
    }
  }

  void add_component(BlockOrbit& orbit, Component component, std::uint64_t degree, int indicator,
                     std::string name) {
    const std::uint64_t m = component.copies, h = m / 2;
    component.block = blocks.size();
    // A Hermitian number is real, and counts for its conjugate too; in a real form every eigenvalue is there twice, and of
    // quaternionic type twice in the Hermitian matrix already.
    component.is_complex = indicator != 1 && m > 1;
    const std::uint64_t weight = indicator == -1            ? degree / 2
                                 : indicator == 0 && m == 1 ? 2 * degree
                                                            : degree;
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
    if (fixed && !local.empty())
      return {monomial_representation(V_.group(), std::move(local), {}, task_), *table_};
    if (local.empty()) local.push_back(SignedPermutation::identity(orbit.size));
    Representation W = action_on_rows(local);
    CharacterTable table = character_table(W.group(), task_);
    return {std::move(W), std::move(table)};
  }

  void analyse_block(BlockOrbit& orbit) {
    const auto [W, table] = acting(orbit);
    const std::vector<SignedPermutation> images = W.generator_images();
    auto pattern = std::make_shared<OrbitalPattern>(orbit.size, orbit.size, images, images,
                                                    W.group().order(task_), 16U, task_);
    if (!pattern->check(task_)) throw InternalError("sdp: orbits of entries are not whole");
    orbit.pattern = pattern;
    orbit.orbit_sizes = pattern->orbit_size(task_);
    number_coordinates(orbit);
    const std::vector<FirstRows> all = first_rows(W, table, BaseField::complex, task_);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const FirstRows& part = all[k];
      if (part.indicator == 0 && !is_first_of_pair(table, all, k)) continue;
      if (part.indicator == 1 && !part.basis.field.is_real())
        throw LimitError("sdp: " + table.name(part.irreps[0]) + " is known over " +
                         part.basis.field.to_string() + " only, not over a real field");
      add_component(orbit, component_of(orbit, part), part.degree, part.indicator,
                    table.name(part.irreps[0]));
    }
  }

  /// The first one of two conjugate rows stands for both.
  static bool is_first_of_pair(const CharacterTable& table, const std::vector<FirstRows>& all,
                               std::size_t k) {
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

  Component component_of(const BlockOrbit& orbit, const FirstRows& part) {
    const SparseColumns& X = part.basis;
    const std::size_t m = X.columns();
    std::vector<std::vector<std::pair<std::uint32_t, Complex>>> by_row(orbit.size);
    for (std::uint32_t a = 0; a < m; ++a)
      for (std::uint64_t e = X.starts[a]; e < X.starts[a + 1]; ++e)
        by_row[X.row[e]].emplace_back(a, X.value[e].to_complex());
    Component component;
    component.copies = m;
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
          sums[{static_cast<std::size_t>(std::abs(label) - 1), b}] += (label > 0 ? x : -x) / scale;
      }
      for (const auto& [at, value] : sums)
        if (std::abs(value) > 1e-13) component.orbits[at.first].push_back({a, at.second, value});
    }
    return component;
  }

  UnitBlocks units_;
  const Representation& V_;
  std::vector<SignedPermutation> images_;
  const Task& task_;
  std::optional<CharacterTable> table_;
};

/// The mean of a matrix over the group: the sums of its entries over the orbits, of every orbit of blocks.
using OrbitSums = std::map<std::pair<std::uint32_t, std::size_t>, Rational>;

OrbitSums orbit_sums(const SymmetricMatrix& A, const RowAnalysis& analysis) {
  OrbitSums sums;
  for (const SymmetricEntry& e : A) {
    const RowPlace &r = analysis.places[e.row], &c = analysis.places[e.col];
    const BlockOrbit& orbit = analysis.orbits[r.orbit];
    const auto add = [&](SignedPoint i, SignedPoint j) {
      const std::int64_t label = orbit.label(i.point(), j.point());
      if (label == 0) return;
      const bool negative = (i.negative() != j.negative()) != (label < 0);
      sums[{r.orbit, static_cast<std::size_t>(std::abs(label) - 1)}] +=
          negative ? Rational(-e.value) : e.value;
    };
    add(r.local, c.local);
    if (e.row != e.col) add(c.local, r.local);
  }
  std::erase_if(sums, [](const auto& sum) { return sum.second == 0; });
  return sums;
}

/// The linear form on invariant symmetric matrices by coordinates.
using Form = std::map<std::size_t, Rational>;
Form form_of(const OrbitSums& sums, const RowAnalysis& analysis) {
  Form form;
  for (const auto& [at, value] : sums) {
    const BlockOrbit::Coordinate c = analysis.orbits[at.first].coordinates[at.second];
    const std::size_t number =
        analysis.orbits[at.first].pattern ? c.number : analysis.orbits[at.first].first_coordinate;
    if (c.sign != 0) form[number] += c.sign > 0 ? value : Rational(-value);
  }
  std::erase_if(form, [](const auto& term) { return term.second == 0; });
  return form;
}

/// Constraints that are independent, with their right sides; those that say 0 = 0 are left out.
std::vector<std::size_t> independent(const std::vector<Form>& forms, const std::vector<Rational>& b,
                                     const Task& task) {
  std::set<std::vector<std::pair<std::size_t, Rational>>> seen;
  std::vector<std::size_t> list;
  std::map<std::size_t, std::size_t> column;  // of coordinates that occur
  std::set<std::size_t> leads;
  bool echelon = true;
  for (std::size_t k = 0; k < forms.size(); ++k) {
    if (forms[k].empty() && b[k] == 0) continue;
    const Rational scale = forms[k].empty() ? b[k] : forms[k].begin()->second;
    std::vector<std::pair<std::size_t, Rational>> ray;
    for (const auto& [number, value] : forms[k]) ray.emplace_back(number, Rational(value / scale));
    ray.emplace_back(~std::size_t{0}, Rational(b[k] / scale));
    if (!seen.insert(std::move(ray)).second) continue;
    list.push_back(k);
    for (const auto& term : forms[k]) column.try_emplace(term.first, 0);
    echelon = leads.insert(forms[k].empty() ? ~std::size_t{0} : forms[k].begin()->first).second && echelon;
  }
  if (echelon) return list;  // different leading coordinates
  std::size_t width = 0;
  for (auto& [number, place] : column) place = width++;
  task.require_memory(64 * (width + 1) * list.size(), "the constraints of an invariant problem");
  std::vector<Rational> entries((width + 1) * list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (const auto& [number, value] : forms[list[i]]) entries[column[number] * list.size() + i] = value;
    entries[width * list.size() + i] = b[list[i]];
  }
  std::vector<std::size_t> kept;
  for (const std::size_t i : reduced_echelon(RationalMatrix(width + 1, list.size(), entries), task).pivots)
    kept.push_back(list[i]);
  return kept;
}

/// L^* B L^{-*}: an equivariant matrix in the orthonormal basis, from E X = X B.
Square orthonormal_block(const Square& B, const Square& L) {
  const std::size_t m = L.n;
  Square left(m), out(m);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = i; k < m; ++k) {
      const Complex factor = std::conj(L(k, i));
      for (std::size_t j = 0; j < m; ++j) left(i, j) += factor * B(k, j);
    }
  // out L^* = left, L^* upper triangular with entry (k, j) conj L(j, k).
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      Complex sum = left(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= out(i, k) * std::conj(L(j, k));
      out(i, j) = sum / L(j, j).real();
    }
  return out;
}

std::vector<NumericEntry> reduced_matrix(const OrbitSums& sums, const RowAnalysis& analysis) {
  std::vector<NumericEntry> entries;
  std::map<std::uint32_t, std::vector<std::pair<std::size_t, double>>> by_orbit;
  for (const auto& [at, value] : sums)
    by_orbit[at.first].emplace_back(
        at.second, Rational(value / analysis.orbits[at.first].orbit_sizes[at.second]).convert_to<double>());
  for (const auto& [number, terms] : by_orbit)
    for (const Component& c : analysis.orbits[number].components) {
      Square B(c.copies),
          sizes(c.copies);  // the sums, and those of absolute values: what cancels leaves noise of their size
      bool is_zero = true;
      for (const auto& [o, factor] : terms)
        for (const BlockEntry& e : c.orbits[o]) {
          B(e.row, e.col) += c.weight * factor * e.value;
          sizes(e.row, e.col) += std::abs(c.weight * factor * e.value);
          is_zero = false;
        }
      if (is_zero) continue;
      const Square H = orthonormal_block(B, c.L);
      double largest = 0;
      for (const Square* of : {&H, &std::as_const(sizes)})
        for (const Complex& x : of->entries) largest = std::max(largest, std::abs(x));
      const std::size_t m = c.copies;
      const auto put = [&](std::size_t i, std::size_t j, double value) {
        if (std::abs(value) > 1e-14 * static_cast<double>(m) * largest)
          entries.push_back({static_cast<std::uint32_t>(c.block), static_cast<std::uint32_t>(i),
                             static_cast<std::uint32_t>(j), value});
      };
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = i; j < m; ++j) put(i, j, (H(i, j) + std::conj(H(j, i))).real() / 2);
      if (!c.is_complex) continue;
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j) put(i, m + j, -(H(i, j) + std::conj(H(j, i))).imag() / 2);
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = i; j < m; ++j) put(m + i, m + j, (H(i, j) + std::conj(H(j, i))).real() / 2);
    }
  return entries;
}

/// L Z L^{-1} of a component, Z from its real form.
Square conjugated(const Component& c, const std::vector<double>& Z) {
  const std::size_t m = c.copies, n = c.is_complex ? 2 * m : m;
  Square of(m), left(m), out(m);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j)
      of(i, j) = c.is_complex
                     ? Complex(Z[i * n + j] + Z[(m + i) * n + m + j], Z[(m + i) * n + j] - Z[i * n + m + j])
                     : Complex(Z[i * n + j]);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = 0; k <= i; ++k)
      for (std::size_t j = 0; j < m; ++j) left(i, j) += c.L(i, k) * of(k, j);
  // out L = left, L lower triangular.
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = m; j-- > 0;) {
      Complex sum = left(i, j);
      for (std::size_t k = j + 1; k < m; ++k) sum -= out(i, k) * c.L(k, j);
      out(i, j) = sum / c.L(j, j).real();
    }
  return out;
}

}  // namespace

const ReducedProblem& Reduction::problem() const { return data_->problem; }
const Integer& Reduction::group_order() const { return data_->order; }
std::uint64_t Reduction::variables_before() const { return data_->before; }
std::uint64_t Reduction::variables_after() const { return data_->after; }
const std::vector<std::size_t>& Reduction::kept() const { return data_->kept; }

std::vector<std::vector<double>> Reduction::lift(const std::vector<std::vector<double>>& Z) const {
  const std::vector<ReducedBlock>& blocks = data_->problem.blocks;
  if (Z.size() != blocks.size())
    throw DomainError(
        fmt::format("lift takes a matrix for each of the {} blocks, not {}", blocks.size(), Z.size()));
  for (std::size_t k = 0; k < blocks.size(); ++k)
    if (Z[k].size() != blocks[k].size * blocks[k].size)
      throw DomainError(fmt::format("lift: block {} (from 0) is {} x {}", k, blocks[k].size, blocks[k].size));
  const UnitBlocks units(data_->blocks);
  std::vector<std::vector<double>> of_unit(units.first.size());
  for (const BlockOrbit& orbit : data_->orbits) {
    std::vector<double> x(orbit.orbit_sizes.size(), 0);
    for (const Component& c : orbit.components) {
      const Square Y = conjugated(c, Z[c.block]);
      for (std::size_t o = 0; o < x.size(); ++o)
        for (const BlockEntry& e : c.orbits[o])
          x[o] += c.weight * (std::conj(e.value) * Y(e.row, e.col)).real() /
                  static_cast<double>(orbit.orbit_sizes[o]);
    }
    const std::size_t n = orbit.size;
    for (std::size_t u = 0; u < orbit.units.size(); ++u) {
      std::vector<double>& X = of_unit[orbit.units[u]];
      X.assign(n * n, 0);
      const std::uint32_t first = units.first[orbit.units[u]];
      for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j) {
          const std::int64_t label = orbit.label(i, j);
          if (label == 0) continue;
          const SignedPoint r = orbit.images[u][i], s = orbit.images[u][j];
          const double value = x[static_cast<std::size_t>(std::abs(label) - 1)];
          X[(r.point() - first) * n + s.point() - first] =
              (r.negative() != s.negative()) != (label < 0) ? -value : value;
        }
    }
  }
  std::vector<std::vector<double>> out;
  std::size_t unit = 0;
  for (const Block& block : data_->blocks) {
    std::vector<double>& X = out.emplace_back();
    if (!block.diagonal) {
      if (block.size > 0) X = std::move(of_unit[unit++]);
      continue;
    }
    for (std::uint32_t i = 0; i < block.size; ++i) X.push_back(of_unit[unit++].at(0));
  }
  return out;
}

Reduction reduce(const Problem& problem, const Representation& rows, const Task& task) {
  require_fixed(problem, rows, task);
  RowAnalysis analysis(problem, rows, task);
  auto data = std::make_shared<Reduction::Data>();
  data->order = rows.group().order(task);
  data->before = problem.variables();
  data->after = analysis.variables;
  data->blocks = problem.blocks();
  if (analysis.coordinates != analysis.variables)
    throw InternalError(fmt::format("sdp: the blocks hold {} variables where orbits of entries are {}",
                                    analysis.variables, analysis.coordinates));
  std::uint64_t eigenvalues = 0;
  for (const ReducedBlock& block : analysis.blocks) eigenvalues += block.size * block.multiplicity;
  if (eigenvalues != problem.rows()) throw InternalError("sdp: the sizes of the blocks do not add up");
  std::vector<OrbitSums> sums;
  std::vector<Form> forms;
  for (const SymmetricMatrix& A : problem.constraints()) {
    task.poll();
    sums.push_back(orbit_sums(A, analysis));
    forms.push_back(form_of(sums.back(), analysis));
  }
  data->kept = independent(forms, problem.right_sides(), task);
  data->problem.blocks = analysis.blocks;
  data->problem.C = reduced_matrix(orbit_sums(problem.objective(), analysis), analysis);
  for (const std::size_t k : data->kept) {
    task.poll();
    data->problem.A.push_back(reduced_matrix(sums[k], analysis));
    data->problem.b.push_back(problem.right_sides()[k]);
  }
  data->orbits = std::move(analysis.orbits);
  return Reduction(std::move(data));
}

}  // namespace intertwine::sdp
