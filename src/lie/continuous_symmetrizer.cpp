#include "intertwine/lie/continuous_symmetrizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/lie/continuous_basis.hpp"

namespace intertwine {

namespace {

struct Term {
  std::uint32_t row, col;
  Rational exact;
  double rounded;
};

/// Bases of Hom(V, U) and Hom(U, V) for a part of V and one of U, and the inverse of their Gram matrix.
struct DualBases {
  std::vector<std::vector<Term>> elements, dual;
  RationalMatrix inverse;
  std::vector<double> rounded_inverse;  ///< row-major

  DualBases(const IntertwinerSpace& B, const IntertwinerSpace& D, const Task& task)
      : elements(terms_of(B)), dual(terms_of(D)) {
    const std::size_t n = elements.size();
    if (dual.size() != n)
      throw InternalError("ContinuousSymmetrizer: Hom(V, U) and Hom(U, V) have different dimensions");
    task.require_memory(std::uint64_t{n} * n * 128, "the Gram matrix of a basis and its dual one");
    std::unordered_map<std::uint64_t, std::vector<std::pair<std::size_t, const Rational*>>> at;
    for (std::size_t l = 0; l < n; ++l)
      for (const Term& t : dual[l]) at[place(t.col, t.row)].emplace_back(l, &t.exact);
    std::vector<Rational> gram(n * n);
    for (std::size_t k = 0; k < n; ++k) {
      task.poll();
      for (const Term& t : elements[k])
        if (const auto found = at.find(place(t.row, t.col)); found != at.end())
          for (const auto& [l, value] : found->second) gram[l * n + k] += *value * t.exact;
    }
    inverse = intertwine::inverse(RationalMatrix(n, n, gram), task);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t l = 0; l < n; ++l) rounded_inverse.push_back(static_cast<double>(inverse(k, l)));
  }

 private:
  static std::uint64_t place(std::uint64_t row, std::uint64_t col) { return row << 32 | col; }
  static std::vector<std::vector<Term>> terms_of(const IntertwinerSpace& space) {
    std::vector<std::vector<Term>> list(space.params());
    for (std::uint64_t k = 0; k < space.params(); ++k)
      for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e) {
        const Rational value = space.value(e).to_rational();
        list[k].push_back({space.row()[e], space.col()[e], value, static_cast<double>(value)});
      }
    return list;
  }
};

/// A part of V or U: where it begins, how often it is there, its dimension.
struct Place {
  std::uint64_t first, copies, dimension;
};

std::vector<Place> places_of(const ContinuousRepresentation& V) {
  std::vector<Place> list;
  std::uint64_t first = 0;
  for (const auto& [copies, part] : V.parts()) {
    list.push_back({first, copies, part.dimension()});
    first += copies * part.dimension();
  }
  return list;
}

std::vector<std::vector<SparseMatrix::Entry>> rows_of(const SparseMatrix& A) {
  std::vector<std::vector<SparseMatrix::Entry>> rows(A.rows());
  for (const auto& e : A.entries()) rows[e.row].push_back(e);
  return rows;
}

/// Entry by entry the difference A W - W B, given to `see`; W is asked by (i, j).
template <class Number, class Entry, class See>
void for_each_difference(const SparseMatrix& A, const SparseMatrix& B, const Entry& W, const See& see,
                         const Task& task = {}) {
  const auto left = rows_of(A), right = rows_of(B.transpose());
  const auto number = [](const Rational& a) { return static_cast<Number>(a); };
  for (std::size_t i = 0; i < left.size(); ++i)
    for (std::size_t j = 0; j < right.size(); ++j) {
      task.poll();
      Number sum(0);
      for (const auto& e : left[i]) sum += number(e.value) * W(e.col, j);
      for (const auto& e : right[j]) sum -= W(i, e.col) * number(e.value);
      if (!see(sum)) return;
    }
}

}  // namespace

struct ContinuousSymmetrizer::State {
  ContinuousRepresentation V, U;
  MatrixGenerators generators;
  std::vector<Place> rows, cols;
  std::vector<std::vector<DualBases>> blocks;  ///< [part of U][part of V]

  void require_size(std::uint64_t m, std::uint64_t n) const {
    if (m != U.dimension() || n != V.dimension())
      throw DomainError(fmt::format("S(W) takes matrices of {} x {} entries, not {} x {}", U.dimension(),
                                    V.dimension(), m, n));
  }

  /// S(W): see ContinuousSymmetrizer. `entry` is W by (i, j), `add` gets (i, j, what is to be added).
  template <class Number, class Entry, class Value, class Inverse, class Add>
  void project(const Entry& entry, const Value& value, const Inverse& inverse, const Add& add,
               const Task& task) const {
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t b = 0; b < cols.size(); ++b) {
        const DualBases& block = blocks[a][b];
        const std::size_t n = block.elements.size();
        for (std::uint64_t o = 0; o < rows[a].copies; ++o)
          for (std::uint64_t i = 0; i < cols[b].copies; ++i) {
            task.poll();
            const std::uint64_t row = rows[a].first + o * rows[a].dimension,
                                col = cols[b].first + i * cols[b].dimension;
            std::vector<Number> traces(n, Number(0));
            for (std::size_t l = 0; l < n; ++l)
              for (const Term& t : block.dual[l]) traces[l] += value(t) * entry(row + t.col, col + t.row);
            for (std::size_t k = 0; k < n; ++k) {
              Number c(0);
              for (std::size_t l = 0; l < n; ++l) c += inverse(block, k, l) * traces[l];
              for (const Term& t : block.elements[k]) add(row + t.row, col + t.col, value(t) * c);
            }
          }
      }
  }
};

ContinuousSymmetrizer::ContinuousSymmetrizer(const ContinuousRepresentation& V,
                                             const ContinuousRepresentation& U, const Task& task) {
  for (const ContinuousRepresentation* W : {&V, &U})
    if (const AbelianField K = W->field(); !K.is_rational())
      throw DomainError(fmt::format(
          "the average S(W) of continuous groups is for rational matrices; those of {} are over {}",
          W->to_string(), K.to_string()));
  const ContinuousBlocks there = continuous_blocks(V, U, task), back = continuous_blocks(U, V, task);
  State state{V, U, matrix_generators(V, U, task), places_of(U), places_of(V), {}};
  for (std::size_t a = 0; a < there.blocks.size(); ++a) {
    state.blocks.emplace_back();
    for (std::size_t b = 0; b < there.blocks[a].size(); ++b)
      state.blocks.back().emplace_back(there.blocks[a][b].weights, back.blocks[b][a].weights, task);
  }
  if (state.blocks.empty()) state.rows.clear();
  state_ = std::make_shared<const State>(std::move(state));
}

const ContinuousRepresentation& ContinuousSymmetrizer::source() const { return state_->V; }
const ContinuousRepresentation& ContinuousSymmetrizer::target() const { return state_->U; }
std::size_t ContinuousSymmetrizer::rows() const { return state_->U.dimension(); }
std::size_t ContinuousSymmetrizer::cols() const { return state_->V.dimension(); }
std::size_t ContinuousSymmetrizer::generators() const { return state_->generators.names.size(); }
std::string ContinuousSymmetrizer::method_text() const {
  return "dual bases of Hom(V, U) and Hom(U, V) under the trace";
}

RationalMatrix ContinuousSymmetrizer::operator()(const RationalMatrix& W, const Task& task) const {
  state_->require_size(W.rows(), W.cols());
  const std::size_t n = cols();
  task.require_memory(std::uint64_t{rows()} * n * 2 * sizeof(Rational), "the symmetrized matrix");
  std::vector<Rational> out(rows() * n);
  state_->project<Rational>(
      [&](std::uint64_t i, std::uint64_t j) { return W(i, j); },
      [](const Term& t) -> const Rational& { return t.exact; },
      [](const DualBases& block, std::size_t k, std::size_t l) { return block.inverse(k, l); },
      [&](std::uint64_t i, std::uint64_t j, const Rational& c) { out[i * n + j] += c; }, task);
  return {rows(), n, out};
}

void ContinuousSymmetrizer::apply(std::span<const double> W, std::span<double> out, const Task& task) const {
  const std::size_t n = cols();
  if (W.size() != rows() * n || out.size() != W.size())
    throw DomainError(
        fmt::format("S(W) takes matrices of {} x {} entries, not arrays of {}", rows(), n, W.size()));
  std::vector<double> sum(W.size(), 0.0);
  state_->project<double>([&](std::uint64_t i, std::uint64_t j) { return W[i * n + j]; },
                          [](const Term& t) { return t.rounded; },
                          [](const DualBases& block, std::size_t k, std::size_t l) {
                            return block.rounded_inverse[k * block.elements.size() + l];
                          },
                          [&](std::uint64_t i, std::uint64_t j, double c) { sum[i * n + j] += c; }, task);
  std::ranges::copy(sum, out.begin());
}

bool ContinuousSymmetrizer::is_equivariant(const RationalMatrix& W, std::size_t* generator,
                                           const Task& task) const {
  state_->require_size(W.rows(), W.cols());
  for (std::size_t g = 0; g < generators(); ++g) {
    bool same = true;
    for_each_difference<Rational>(
        state_->generators.row[g], state_->generators.column[g],
        [&](std::uint64_t i, std::uint64_t j) { return W(i, j); },
        [&](const Rational& difference) { return same = difference == 0; }, task);
    if (same) continue;
    if (generator != nullptr) *generator = g;
    return false;
  }
  return true;
}

double ContinuousSymmetrizer::defect(std::span<const double> W) const {
  state_->require_size(rows(), cols() == 0 ? 0 : W.size() / std::max<std::size_t>(rows(), 1));
  double largest = 0;
  for (std::size_t g = 0; g < generators(); ++g)
    for_each_difference<double>(
        state_->generators.row[g], state_->generators.column[g],
        [&](std::uint64_t i, std::uint64_t j) { return W[i * cols() + j]; },
        [&](double difference) {
          largest = std::max(largest, std::abs(difference));
          return true;
        });
  return largest;
}

}  // namespace intertwine
