// Young symmetrizers of the first standard tableau.
#include "representations/young_symmetrizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/random.hpp"
#include "representations/expressions/node.hpp"

namespace intertwine {

namespace {

Permutation swap_of(std::size_t degree, Point a, Point b) {
  std::vector<Point> images(degree);
  std::iota(images.begin(), images.end(), Point{0});
  std::swap(images[a], images[b]);
  return Permutation::unchecked(std::move(images));
}

/// T with i and i + 1 exchanged.
Tableau exchanged(const Tableau& T, int i) {
  std::vector<std::vector<int>> rows = T.rows();
  for (auto& row : rows)
    for (int& entry : row)
      if (entry == i || entry == i + 1) entry = 2 * i + 1 - entry;
  return Tableau(std::move(rows));
}

/// The rows of the entries 0, 1, ...
std::vector<std::size_t> rows_of_entries(const Tableau& T, std::size_t degree) {
  std::vector<std::size_t> row(degree);
  for (std::size_t r = 0; r < T.rows().size(); ++r)
    for (const int entry : T.rows()[r]) row[static_cast<std::size_t>(entry)] = r;
  return row;
}

}  // namespace

FieldMatrix VectorAction::operator()(const Permutation& g, const FieldMatrix& X) const {
  return V.node().apply(dual ? g.inverse() : g, X.over(AbelianField::compositum(X.field(), V.field())), dual);
}

YoungSymmetrizer::YoungSymmetrizer(const Partition& shape) : degree_(static_cast<std::size_t>(shape.weight())) {
  const std::vector<Tableau> tableaux = standard_tableaux(shape);
  for (const auto& row : tableaux.front().rows()) {
    rows_.emplace_back(row.begin(), row.end());
    columns_.resize(std::max(columns_.size(), row.size()));
    for (std::size_t j = 0; j < row.size(); ++j) columns_[j].push_back(static_cast<Point>(row[j]));
  }
  for (Point i = 0; i + 1 < degree_; ++i) transpositions_.push_back(swap_of(degree_, i, static_cast<Point>(i + 1)));
  // Every standard tableau but the first has an i above i + 1, not in one column; exchanged they give an earlier one.
  words_ = {{0}, {0}};
  for (std::size_t t = 1; t < tableaux.size(); ++t) {
    const std::vector<std::size_t> row = rows_of_entries(tableaux[t], degree_);
    for (std::size_t i = 0; words_.size() == t; ++i) {
      if (i + 1 >= degree_) throw InternalError("YoungSymmetrizer: a standard tableau has none before it");
      if (row[i] >= row[i + 1]) continue;
      const Tableau earlier = exchanged(tableaux[t], static_cast<int>(i));
      if (!earlier.is_standard()) continue;
      words_.parent.push_back(static_cast<std::size_t>(rank_standard(earlier)));
      words_.generator.push_back(i);
    }
  }
}

FieldMatrix YoungSymmetrizer::operator()(const VectorAction& act, const FieldMatrix& X, const Task& task) const {
  return act.dual ? sum(rows_, false, act, sum(columns_, true, act, X, task), task)
                  : sum(columns_, true, act, sum(rows_, false, act, X, task), task);
}

// The sum over the symmetric group on p_0, ..., p_k is that over the one without p_k, times 1 + (p_0 p_k) + ....
FieldMatrix YoungSymmetrizer::sum(const std::vector<std::vector<Point>>& parts, bool signs, const VectorAction& act,
                                  FieldMatrix X, const Task& task) const {
  for (const std::vector<Point>& part : parts)
    for (std::size_t k = 1; k < part.size(); ++k) {
      FieldMatrix moved = act(swap_of(degree_, part[0], part[k]), X);
      for (std::size_t i = 1; i < k; ++i) {
        task.poll();
        moved = moved + act(swap_of(degree_, part[i], part[k]), X);
      }
      X = signs ? X - moved : X + moved;
    }
  return X;
}

FieldMatrix symmetrized(const YoungSymmetrizer& symmetrizer, const VectorAction& act, std::size_t m, const Task& task) {
  Rng rng(11);  // the space does not depend on it
  const std::size_t n = act.V.dimension();
  for (std::size_t count = m + 1; count <= 64 * (m + 1); count *= 2) {
    IntegerMatrix vectors(n, count);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < count; ++j) vectors.set(i, j, static_cast<long>(rng.below(5)) - 2);
    const FieldMatrix image = symmetrizer(act, RationalMatrix(std::move(vectors)), task);
    FieldMatrix basis = reduced_echelon(image.transpose(), task).matrix;
    if (basis.rows() == m) return basis.transpose();
  }
  throw InternalError(fmt::format("YoungSymmetrizer: the image has not dimension {}", m));
}

}  // namespace intertwine
