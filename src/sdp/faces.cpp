// Facial reduction by semidefinite constraints.
#include "sdp/faces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"

namespace intertwine::sdp {

namespace {

constexpr std::size_t most_face_rows = 400;
constexpr std::uint64_t most_exact_work = 200'000'000;

using RationalRow = std::vector<std::pair<std::uint32_t, Rational>>;

/// The exact basis of a component over Q by rows, and its Gram matrix; or that it is over a larger field.
struct ExactBasis {
  bool rational = true;
  std::vector<RationalRow> rows;
  std::vector<RationalRow> gram;
  std::vector<std::vector<std::pair<std::uint32_t, Cyclotomic>>> cyclotomic;
};

class FaceFinder {
 public:
  FaceFinder(const RowAnalysis& analysis, const Task& task) : analysis_(analysis), task_(task) {
    for (std::uint32_t k = 0; k < analysis.orbits.size(); ++k)
      for (const Component& c : analysis.orbits[k].components) place_[c.block] = {k, &c};
  }

  /// X^T A X on the face found so far, of every block where it is not zero; nothing where a block over a larger field
  /// is not.
  std::optional<std::map<std::size_t, ExactBlock>> on_face(const OrbitSums& sums) {
    std::map<std::uint32_t, std::map<std::size_t, Rational>> by_orbit;
    for (const auto& [at, value] : sums)
      by_orbit[at.first][at.second] = Rational(value / analysis_.orbits[at.first].orbit_sizes[at.second]);
    std::map<std::size_t, ExactBlock> found;
    for (const auto& [number, values] : by_orbit)
      for (const Component& c : analysis_.orbits[number].components) {
        task_.poll();
        ExactBlock S;
        if (!c.exact)
          S[{0, 0}] = values.begin()->second;
        else if (!exact_block(analysis_.orbits[number], c, values, S))
          return std::nullopt;
        S = restricted_block(c.block, S);
        if (!S.empty()) found.emplace(c.block, std::move(S));
      }
    return found;
  }

  /// Where all blocks are positive semidefinite up to one sign: makes the face smaller, and says so.
  std::optional<FaceStep> tighten(const std::map<std::size_t, ExactBlock>& blocks, std::size_t constraint) {
    if (blocks.empty()) return std::nullopt;
    int sign = 0;
    for (const auto& [block, S] : blocks)
      for (const auto& [at, value] : S)
        if (sign == 0 && at.first == at.second) sign = value > 0 ? 1 : -1;
    if (sign == 0) return std::nullopt;
    std::map<std::size_t, std::vector<RationalRow>> kernels;
    for (const auto& [block, S] : blocks) {
      auto kernel_of = semidefinite_kernel(S, size(block), sign);
      if (!kernel_of) return std::nullopt;
      kernels.emplace(block, std::move(*kernel_of));
    }
    FaceStep step{constraint, sign, {}};
    for (auto& [block, columns] : kernels) {
      step.blocks.push_back({block, analysis_.blocks[block].name, size(block), columns.size()});
      apply(block, columns);
    }
    return step;
  }

  std::map<std::size_t, FaceMap> maps() const {
    std::map<std::size_t, FaceMap> found;
    for (const auto& [block, columns] : columns_) found.emplace(block, map_of(*place_.at(block).second, columns));
    return found;
  }

 private:
  std::size_t size(std::size_t block) const {
    const auto at = columns_.find(block);
    return at != columns_.end() ? at->second.size() : place_.at(block).second->copies;
  }

  const ExactBasis& basis(const BlockOrbit& orbit, const Component& c) {
    const auto [at, is_new] = bases_.try_emplace(c.block);
    ExactBasis& found = at->second;
    if (!is_new) return found;
    const SparseColumns& X = c.exact->basis;
    found.rational = c.exact->indicator == 1;
    for (const Cyclotomic& value : X.value) found.rational = found.rational && value.is_rational();
    if (!found.rational) {
      found.cyclotomic.resize(orbit.size);
      for (std::uint32_t a = 0; a < c.copies; ++a)
        for (std::uint64_t e = X.starts[a]; e < X.starts[a + 1]; ++e)
          found.cyclotomic[X.row[e]].emplace_back(a, X.value[e]);
      return found;
    }
    found.rows.resize(orbit.size);
    for (std::uint32_t a = 0; a < c.copies; ++a)
      for (std::uint64_t e = X.starts[a]; e < X.starts[a + 1]; ++e)
        found.rows[X.row[e]].emplace_back(a, X.value[e].to_rational());
    std::vector<std::map<std::uint32_t, Rational>> gram(c.copies);
    for (const RationalRow& row : found.rows)
      for (const auto& [a, x] : row)
        for (const auto& [b, y] : row) gram[a][b] += x * y;
    for (const auto& row : gram) {
      RationalRow& out = found.gram.emplace_back();
      for (const auto& [b, y] : row)
        if (y != 0) out.emplace_back(b, y);
    }
    return found;
  }

  /// S = G B with A X = X B: row a of B is that of A X at the pivot of column a.
  bool exact_block(const BlockOrbit& orbit, const Component& c, const std::map<std::size_t, Rational>& values,
                   ExactBlock& S) {
    const ExactBasis& X = basis(orbit, c);
    for (std::uint32_t a = 0; a < c.copies; ++a) {
      const std::uint32_t pivot = c.exact->pivots[a];
      std::map<std::uint32_t, Rational> row;
      std::map<std::uint32_t, Cyclotomic> other;
      for (std::uint32_t j = 0; j < orbit.size; ++j) {
        if (X.rational ? X.rows[j].empty() : X.cyclotomic[j].empty()) continue;
        const std::int64_t label = orbit.label(pivot, j);
        const auto at = values.find(static_cast<std::size_t>(std::abs(label) - 1));
        if (label == 0 || at == values.end()) continue;
        const Rational factor = label > 0 ? at->second : Rational(-at->second);
        if (X.rational)
          for (const auto& [b, x] : X.rows[j]) row[b] += factor * x;
        else
          for (const auto& [b, x] : X.cyclotomic[j]) other[b] += Cyclotomic(factor) * x;
      }
      for (const auto& [b, x] : other)
        if (!x.is_zero()) return false;
      if (row.empty()) continue;
      const Rational scale = X.rows[pivot].front().second;
      for (const auto& [i, g] : X.gram[a])  // G is symmetric
        for (const auto& [b, x] : row)
          if (x != 0) S[{i, b}] += g * x / scale;
    }
    std::erase_if(S, [](const auto& entry) { return entry.second == 0; });
    return true;
  }

  /// K^T S K for the columns K of the face.
  ExactBlock restricted_block(std::size_t block, const ExactBlock& S) const {
    const auto at = columns_.find(block);
    if (at == columns_.end()) return S;
    std::vector<RationalRow> rows(place_.at(block).second->copies);
    for (std::uint32_t k = 0; k < at->second.size(); ++k)
      for (const auto& [a, x] : at->second[k]) rows[a].emplace_back(k, x);
    ExactBlock out;
    for (const auto& [place, value] : S)
      for (const auto& [i, x] : rows[place.first])
        for (const auto& [j, y] : rows[place.second]) out[{i, j}] += x * value * y;
    std::erase_if(out, [](const auto& entry) { return entry.second == 0; });
    return out;
  }

  /// A basis of the kernel of sign S by columns, if sign S is positive semidefinite: elimination on the diagonal.
  std::optional<std::vector<RationalRow>> semidefinite_kernel(const ExactBlock& S, std::size_t n, int sign) const {
    std::vector<std::uint32_t> support;
    for (const auto& [at, value] : S)
      if (support.empty() || support.back() != at.first) support.push_back(at.first);
    const std::size_t s = support.size();
    if (s > most_face_rows) return std::nullopt;
    std::map<std::uint32_t, std::size_t> place;
    for (std::size_t k = 0; k < s; ++k) place[support[k]] = k;
    std::vector<Rational> M(s * s);
    for (const auto& [at, value] : S) M[place[at.first] * s + place[at.second]] = sign > 0 ? value : Rational(-value);
    const std::vector<Rational> whole = M;
    std::vector<std::size_t> left(s);
    for (std::size_t k = 0; k < s; ++k) left[k] = k;
    while (!left.empty()) {
      task_.poll();
      const auto pivot = std::find_if(left.begin(), left.end(), [&](std::size_t k) { return M[k * s + k] != 0; });
      if (pivot == left.end()) {
        for (const std::size_t i : left)
          for (const std::size_t j : left)
            if (M[i * s + j] != 0) return std::nullopt;
        break;
      }
      const std::size_t p = *pivot;
      if (M[p * s + p] < 0) return std::nullopt;
      left.erase(pivot);
      for (const std::size_t i : left) {
        if (M[i * s + p] == 0) continue;
        const Rational factor = M[i * s + p] / M[p * s + p];
        for (const std::size_t j : left) M[i * s + j] -= factor * M[p * s + j];
      }
    }
    std::vector<RationalRow> columns;
    for (std::uint32_t k = 0; k < n; ++k)
      if (!place.contains(k)) columns.push_back({{k, 1}});
    const IntegerMatrix null = null_space(RationalMatrix(s, s, whole), task_);
    for (std::size_t k = 0; k < null.rows(); ++k) {
      RationalRow column;
      for (std::size_t i = 0; i < s; ++i)
        if (null(k, i) != 0) column.emplace_back(support[i], Rational(null(k, i)));
      columns.push_back(std::move(column));
    }
    return columns;
  }

  /// The columns of the face become those times the given ones.
  void apply(std::size_t block, std::vector<RationalRow>& by) {
    const auto at = columns_.find(block);
    if (at == columns_.end()) {
      columns_.emplace(block, std::move(by));
      return;
    }
    std::vector<RationalRow> product;
    for (const RationalRow& column : by) {
      std::map<std::uint32_t, Rational> sum;
      for (const auto& [k, x] : column)
        for (const auto& [a, y] : at->second[k]) sum[a] += x * y;
      RationalRow& out = product.emplace_back();
      for (const auto& [a, x] : sum)
        if (x != 0) out.emplace_back(a, x);
    }
    at->second = std::move(product);
  }

  /// P = L^T K L'^{-T}, where L' L'^T = K^T L L^T K.
  static FaceMap map_of(const Component& c, const std::vector<RationalRow>& columns) {
    const std::size_t m = c.copies, n = columns.size();
    FaceMap map{m, n, std::vector<double>(m * n, 0)};
    for (std::size_t k = 0; k < n; ++k)
      for (const auto& [a, x] : columns[k])
        for (std::size_t i = 0; i <= a; ++i) map.P[i * n + k] += c.L(a, i).real() * x.convert_to<double>();
    Square G(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t r = 0; r < m; ++r) G(i, j) += map.P[r * n + i] * map.P[r * n + j];
    const Square L = cholesky(G);
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t j = 0; j < n; ++j) {
        double sum = map.P[r * n + j];
        for (std::size_t k = 0; k < j; ++k) sum -= map.P[r * n + k] * L(j, k).real();
        map.P[r * n + j] = sum / L(j, j).real();
      }
    return map;
  }

  const RowAnalysis& analysis_;
  const Task& task_;
  std::map<std::size_t, std::pair<std::uint32_t, const Component*>> place_;  // of every block
  std::map<std::size_t, ExactBasis> bases_;
  std::map<std::size_t, std::vector<RationalRow>> columns_;  // K of the blocks that became smaller
};

/// May a matrix be semidefinite, up to its sign? Its 2 x 2 minors say no for most.
bool may_be_semidefinite(const std::vector<NumericEntry>& A) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> diagonal;
  double largest = 0, least = 0, most = 0;
  for (const NumericEntry& e : A) {
    largest = std::max(largest, std::abs(e.value));
    if (e.row != e.col) continue;
    diagonal[{e.block, e.row}] = e.value;
    least = std::min(least, e.value);
    most = std::max(most, e.value);
  }
  const double noise = 1e-9 * largest;
  if (largest == 0 || (least < -noise && most > noise)) return false;
  return std::ranges::all_of(A, [&](const NumericEntry& e) {
    if (e.row == e.col || std::abs(e.value) <= noise) return true;
    const auto i = diagonal.find({e.block, e.row}), j = diagonal.find({e.block, e.col});
    return i != diagonal.end() && j != diagonal.end() &&
           e.value * e.value <= i->second * j->second * (1 + 1e-6) + noise * noise;
  });
}

}  // namespace

std::vector<NumericEntry> restricted(const std::vector<NumericEntry>& A, const std::vector<ReducedBlock>& blocks,
                                     const std::map<std::size_t, FaceMap>& maps) {
  std::vector<NumericEntry> out;
  for (std::size_t first = 0; first < A.size();) {
    std::size_t end = first;
    while (end < A.size() && A[end].block == A[first].block) ++end;
    const std::uint32_t block = A[first].block;
    const auto map = maps.find(block);
    if (map == maps.end()) {
      out.insert(out.end(), A.begin() + static_cast<std::ptrdiff_t>(first),
                 A.begin() + static_cast<std::ptrdiff_t>(end));
      first = end;
      continue;
    }
    const std::size_t m = blocks[block].size, n = map->second.columns;
    std::vector<double> half(m * n, 0);
    double largest = 0;
    for (; first < end; ++first) {
      const NumericEntry& e = A[first];
      largest = std::max(largest, std::abs(e.value));
      for (std::size_t k = 0; k < n; ++k) {
        half[e.row * n + k] += e.value * map->second.P[e.col * n + k];
        if (e.row != e.col) half[e.col * n + k] += e.value * map->second.P[e.row * n + k];
      }
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i; j < n; ++j) {
        double sum = 0;
        for (std::size_t r = 0; r < m; ++r) sum += map->second.P[r * n + i] * half[r * n + j];
        if (std::abs(sum) > 1e-13 * static_cast<double>(m) * largest)
          out.push_back({block, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), sum});
      }
  }
  return out;
}

FoundFaces find_faces(const RowAnalysis& analysis, const std::vector<const OrbitSums*>& sums,
                      const std::vector<std::size_t>& numbers, const ReducedProblem& problem, const Task& task) {
  FoundFaces found;
  FaceFinder finder(analysis, task);
  std::vector<std::vector<NumericEntry>> current = problem.A;
  std::set<std::size_t> used;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      if (problem.b[k] != 0 || used.contains(k) || !may_be_semidefinite(current[k])) continue;
      const auto blocks = finder.on_face(*sums[k]);
      if (!blocks) continue;
      auto step = finder.tighten(*blocks, numbers[k]);
      if (!step) continue;
      found.steps.push_back(std::move(*step));
      used.insert(k);
      again = true;
    }
    if (!again) break;
    found.maps = finder.maps();
    for (std::size_t k = 0; k < sums.size(); ++k) current[k] = restricted(problem.A[k], problem.blocks, found.maps);
  }
  if (found.steps.empty()) return found;
  std::uint64_t rows = 0;
  for (const BlockOrbit& orbit : analysis.orbits) rows += orbit.size;
  const bool exactly = rows * rows * sums.size() <= most_exact_work;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    if (used.contains(k)) continue;
    task.poll();
    auto form = exactly || current[k].empty() ? finder.on_face(*sums[k]) : std::nullopt;
    if (form && form->empty() && problem.b[k] == 0) continue;
    found.left.push_back(k);
    found.forms.push_back(std::move(form));
  }
  return found;
}

}  // namespace intertwine::sdp
