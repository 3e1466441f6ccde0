// Young's seminormal and orthogonal forms.
#include "intertwine/representations/young_forms.hpp"

#include <fmt/format.h>

#include <map>

#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

/// The action of a transposition on one tableau.
struct Move {
  int distance;        ///< r
  std::size_t target;  ///< the number of T', or of T where that is not standard
};

/// Row and column of every entry.
std::vector<std::pair<int, int>> places_of(const Tableau& T, std::size_t n) {
  std::vector<std::pair<int, int>> places(n);
  for (std::size_t i = 0; i < T.rows().size(); ++i)
    for (std::size_t j = 0; j < T.rows()[i].size(); ++j)
      places[static_cast<std::size_t>(T.rows()[i][j])] = {static_cast<int>(i), static_cast<int>(j)};
  return places;
}

/// moves[i][T] for (i, i+1).
std::vector<std::vector<Move>> moves_of(const Partition& shape, const Task& task) {
  constexpr unsigned most_tableaux = 4096;
  const Integer count = number_of_standard_tableaux(shape);
  if (count > most_tableaux)
    throw LimitError(fmt::format("young forms: {} has {} standard tableaux, more than {}", to_string(shape),
                                 count.str(), most_tableaux));
  const auto n = static_cast<std::size_t>(shape.weight());
  using Places = std::vector<std::pair<int, int>>;
  std::vector<Places> tableaux;
  std::map<Places, std::size_t> numbers;
  for (std::size_t k = 0; k < count; ++k) {
    task.poll();
    tableaux.push_back(places_of(unrank_standard(shape, Integer(k)), n));
    numbers.emplace(tableaux.back(), k);
  }
  std::vector<std::vector<Move>> moves(n < 2 ? 0 : n - 1);
  for (std::size_t i = 0; i < moves.size(); ++i)
    for (std::size_t k = 0; k < tableaux.size(); ++k) {
      Places swapped = tableaux[k];
      const auto [row, col] = swapped[i];
      const auto [next_row, next_col] = swapped[i + 1];
      std::swap(swapped[i], swapped[i + 1]);
      const bool standard = row != next_row && col != next_col;
      moves[i].push_back({(next_col - next_row) - (col - row), standard ? numbers.at(swapped) : k});
    }
  return moves;
}

}  // namespace

std::vector<RationalMatrix> young_seminormal_form(const Partition& shape, const Task& task) {
  std::vector<RationalMatrix> result;
  for (const std::vector<Move>& moves : moves_of(shape, task)) {
    task.poll();
    const std::size_t d = moves.size();
    std::vector<Rational> entries(d * d);
    for (std::size_t k = 0; k < d; ++k) {
      const Move& move = moves[k];
      const Rational inverse = Rational(1) / move.distance;
      entries[k * d + k] = inverse;
      if (move.target != k) entries[move.target * d + k] = move.distance < 0 ? Rational(1) : 1 - inverse * inverse;
    }
    result.emplace_back(d, d, entries);
  }
  return result;
}

std::vector<YoungOrthogonalMatrix> young_orthogonal_form(const Partition& shape, const Task& task) {
  std::vector<YoungOrthogonalMatrix> result;
  for (const std::vector<Move>& moves : moves_of(shape, task)) {
    task.poll();
    YoungOrthogonalMatrix& A = result.emplace_back();
    for (std::size_t k = 0; k < moves.size(); ++k) {
      const Rational inverse = Rational(1) / moves[k].distance;
      A.diagonal.push_back(inverse);
      if (moves[k].target != k) A.roots.push_back({k, moves[k].target, 1 - inverse * inverse});
    }
  }
  return result;
}

}  // namespace intertwine
