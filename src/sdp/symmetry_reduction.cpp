// Reduction of semidefinite programs by symmetry.
#include "intertwine/sdp/symmetry_reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "sdp/faces.hpp"
#include "sdp/row_analysis.hpp"
#include "sdp/unit_blocks.hpp"

namespace intertwine::sdp {

struct Reduction::Data {
  ReducedProblem problem;
  Integer order = 1;
  std::uint64_t before = 0, after = 0;
  std::vector<std::size_t> kept;
  std::vector<Block> blocks;  ///< before
  std::vector<BlockOrbit> orbits;
  std::vector<FaceStep> faces;
  std::map<std::size_t, FaceMap> maps;  ///< of the blocks that became smaller
  std::vector<std::optional<std::size_t>>
      place;  ///< of every block its number in the problem; nothing where it is zero
};

namespace {

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
std::vector<std::size_t> independent(const std::vector<Form>& forms, const std::vector<Rational>& b, const Task& task) {
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
  if (m == 1) return B;
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
      of(i, j) = c.is_complex ? Complex(Z[i * n + j] + Z[(m + i) * n + m + j], Z[(m + i) * n + j] - Z[i * n + m + j])
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

const std::vector<FaceStep>& Reduction::faces() const { return data_->faces; }

namespace {

/// Every block with the rows that it had before faces made it smaller: P W P^T.
std::vector<double> whole_block(const FaceMap& map, const std::vector<double>& W) {
  const std::size_t m = map.rows, n = map.columns;
  std::vector<double> half(m * n, 0), out(m * m, 0);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) half[i * n + j] += map.P[i * n + k] * W[k * n + j];
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t k = 0; k < n; ++k) out[i * m + j] += half[i * n + k] * map.P[j * n + k];
  return out;
}

}  // namespace

std::vector<std::vector<double>> Reduction::lift(const std::vector<std::vector<double>>& Z) const {
  const std::vector<ReducedBlock>& blocks = data_->problem.blocks;
  if (Z.size() != blocks.size())
    throw DomainError(fmt::format("lift takes a matrix for each of the {} blocks, not {}", blocks.size(), Z.size()));
  for (std::size_t k = 0; k < blocks.size(); ++k)
    if (Z[k].size() != blocks[k].size * blocks[k].size)
      throw DomainError(fmt::format("lift: block {} (from 0) is {} x {}", k, blocks[k].size, blocks[k].size));
  const auto block_of = [&](std::size_t number) {
    const auto map = data_->maps.find(number);
    if (map == data_->maps.end()) return Z[data_->place[number].value()];
    return whole_block(map->second, data_->place[number] ? Z[*data_->place[number]] : std::vector<double>());
  };
  const UnitBlocks units(data_->blocks);
  std::vector<std::vector<double>> of_unit(units.first.size());
  for (const BlockOrbit& orbit : data_->orbits) {
    std::vector<double> x(orbit.orbit_sizes.size(), 0);
    for (const Component& c : orbit.components) {
      const Square Y = conjugated(c, block_of(c.block));
      for (std::size_t o = 0; o < x.size(); ++o)
        for (const BlockEntry& e : c.orbits[o])
          x[o] += c.weight * (std::conj(e.value) * Y(e.row, e.col)).real() / static_cast<double>(orbit.orbit_sizes[o]);
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

namespace {

/// Leaves out blocks that are zero, and constraints that follow on the face.
void take_faces(Reduction::Data& data, const RowAnalysis& analysis, const std::vector<OrbitSums>& sums,
                const Task& task) {
  std::vector<const OrbitSums*> kept;
  for (const std::size_t k : data.kept) kept.push_back(&sums[k]);
  FoundFaces found = find_faces(analysis, kept, data.kept, data.problem, task);
  if (found.steps.empty()) return;
  ReducedProblem& problem = data.problem;
  std::vector<std::size_t> left(found.left.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  if (std::ranges::all_of(found.forms, [](const auto& form) { return form.has_value(); })) {
    std::map<std::tuple<std::size_t, std::uint32_t, std::uint32_t>, std::size_t> entry;
    std::vector<Form> forms;
    std::vector<Rational> b;
    for (std::size_t i = 0; i < left.size(); ++i) {
      Form& form = forms.emplace_back();
      for (const auto& [block, S] : *found.forms[i])
        for (const auto& [at, value] : S)
          if (at.first <= at.second)
            form.emplace(entry.try_emplace({block, at.first, at.second}, entry.size()).first->second, value);
      b.push_back(problem.b[found.left[i]]);
    }
    left = independent(forms, b, task);
  }
  std::uint64_t lost = 0;
  const std::vector<ReducedBlock> before = problem.blocks;
  std::vector<ReducedBlock> blocks;
  for (std::size_t k = 0; k < before.size(); ++k) {
    data.place[k] = blocks.size();
    const auto map = found.maps.find(k);
    const std::size_t size = map == found.maps.end() ? before[k].size : map->second.columns;
    lost += (before[k].size * (before[k].size + 1) - size * (size + 1)) / 2;
    if (size == 0)
      data.place[k].reset();
    else
      blocks.push_back({size, before[k].type, before[k].multiplicity, before[k].name});
  }
  const auto on_face = [&](const std::vector<NumericEntry>& A) {
    std::vector<NumericEntry> entries = restricted(A, before, found.maps);
    for (NumericEntry& e : entries) e.block = static_cast<std::uint32_t>(data.place[e.block].value());
    return entries;
  };
  ReducedProblem smaller{std::move(blocks), on_face(problem.C), {}, {}};
  std::vector<std::size_t> numbers;
  for (const std::size_t i : left) {
    const std::size_t k = found.left[i];
    smaller.A.push_back(on_face(problem.A[k]));
    smaller.b.push_back(problem.b[k]);
    numbers.push_back(data.kept[k]);
  }
  data.problem = std::move(smaller);
  data.kept = std::move(numbers);
  data.after -= lost;
  data.faces = std::move(found.steps);
  data.maps = std::move(found.maps);
}

}  // namespace

Reduction reduce(const Problem& problem, const Representation& rows, const Task& task, const ReduceOptions& options) {
  if (options.images)
    require_blocks_fixed(problem, rows);
  else
    require_fixed(problem, rows, task);
  RowAnalysis analysis = analysed_rows(problem, rows, task);
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
  for (std::size_t k = 0; k < analysis.blocks.size(); ++k) data->place.emplace_back(k);
  if (options.faces) take_faces(*data, analysis, sums, task);
  for (BlockOrbit& orbit : analysis.orbits)
    for (Component& c : orbit.components) c.exact.reset();
  data->orbits = std::move(analysis.orbits);
  return Reduction(std::move(data));
}

}  // namespace intertwine::sdp
