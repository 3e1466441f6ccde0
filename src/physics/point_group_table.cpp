// Character tables of point groups as chemists print them, with functions.
#include "intertwine/physics/point_group_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <tuple>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/combinatorics/exponents.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "intertwine/representations/power_matrices.hpp"
#include "physics/point_operations.hpp"

namespace intertwine {

namespace {

using Exponents = std::array<unsigned, 3>;
using Coefficients = std::vector<Cyclotomic>;  ///< the coefficients of a polynomial, monomial by monomial

std::vector<Exponents> monomials_in_space(unsigned degree) {
  std::vector<Exponents> list;
  for (const auto& powers : exponents_of(3, degree)) list.push_back({powers[0], powers[1], powers[2]});
  return list;
}

/// The functions that tables print, in the order in which they are taken where they fit.
using Candidate = std::vector<std::pair<Exponents, Cyclotomic>>;
const std::vector<Candidate>& printed_functions(unsigned degree) {
  static const std::vector<Candidate> linear{{{{1, 0, 0}, 1}}, {{{0, 1, 0}, 1}}, {{{0, 0, 1}, 1}}};
  static const std::vector<Candidate> quadratic{{{{2, 0, 0}, 1}},
                                                {{{0, 2, 0}, 1}},
                                                {{{2, 0, 0}, 1}, {{0, 2, 0}, 1}},
                                                {{{0, 0, 2}, 1}},
                                                {{{2, 0, 0}, 1}, {{0, 2, 0}, 1}, {{0, 0, 2}, 1}},
                                                {{{0, 0, 2}, 2}, {{2, 0, 0}, -1}, {{0, 2, 0}, -1}},
                                                {{{2, 0, 0}, 1}, {{0, 2, 0}, -1}},
                                                {{{1, 1, 0}, 1}},
                                                {{{1, 0, 1}, 1}},
                                                {{{0, 1, 1}, 1}}};
  static const std::vector<Candidate> cubic{{{{3, 0, 0}, 1}},
                                            {{{0, 3, 0}, 1}},
                                            {{{0, 0, 3}, 1}},
                                            {{{1, 2, 0}, 1}},
                                            {{{2, 1, 0}, 1}},
                                            {{{1, 0, 2}, 1}},
                                            {{{0, 1, 2}, 1}},
                                            {{{2, 0, 1}, 1}},
                                            {{{0, 2, 1}, 1}},
                                            {{{1, 1, 1}, 1}},
                                            {{{1, 2, 0}, 1}, {{1, 0, 2}, 1}},
                                            {{{2, 1, 0}, 1}, {{0, 1, 2}, 1}},
                                            {{{2, 0, 1}, 1}, {{0, 2, 1}, 1}},
                                            {{{1, 0, 2}, 1}, {{1, 2, 0}, -1}},
                                            {{{2, 1, 0}, 1}, {{0, 1, 2}, -1}},
                                            {{{2, 0, 1}, 1}, {{0, 2, 1}, -1}},
                                            {{{3, 0, 0}, 1}, {{1, 2, 0}, 1}},
                                            {{{2, 1, 0}, 1}, {{0, 3, 0}, 1}},
                                            {{{3, 0, 0}, 1}, {{1, 2, 0}, -3}},
                                            {{{2, 1, 0}, 3}, {{0, 3, 0}, -1}},
                                            {{{3, 0, 0}, 1}, {{1, 2, 0}, 1}, {{1, 0, 2}, 1}},
                                            {{{2, 1, 0}, 1}, {{0, 3, 0}, 1}, {{0, 1, 2}, 1}},
                                            {{{2, 0, 1}, 1}, {{0, 2, 1}, 1}, {{0, 0, 3}, 1}}};
  return degree == 1 ? linear : degree == 2 ? quadratic : cubic;
}

/// Polynomials of one degree, or rotations, under the group.
class Functions {
 public:
  Functions(unsigned degree, bool rotations, const CharacterTable& table, const std::vector<FieldMatrix>& classes,
            const std::vector<FieldMatrix>& generators, const Task& task)
      : rotations_(rotations), degree_(degree), monomials_(monomials_in_space(degree)), table_(table), task_(task) {
    for (const FieldMatrix& R : classes) classes_.push_back(moved(R));
    for (const FieldMatrix& R : generators) generators_.push_back(moved(R));
    for (const Candidate& candidate : printed_functions(degree)) {
      Coefficients f(monomials_.size());
      for (const auto& [exponents, c] : candidate) f[place(exponents)] = c;
      printed_.emplace_back(candidate, std::move(f));
    }
  }

  /// Adds the functions of every species to its row.
  void add(std::vector<PointGroupTable::Row>& rows, std::vector<FunctionSet> PointGroupTable::Row::*list) const {
    std::vector<Coefficients> found;
    std::vector<std::size_t> missing = copies(rows);
    const auto take = [&](const FieldMatrix& span) {
      const ClassFunction content = character_of(span);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        if (missing[r] == 0 || !is_one(content, rows[r].rows)) continue;
        std::vector<Coefficients> more = found;
        for (std::size_t i = 0; i < span.rows(); ++i) more.push_back(row_of(span, i));
        if (matrix_rank(matrix_of(more), task_) != more.size()) return;
        found = std::move(more);
        --missing[r];
        (rows[r].*list).push_back(functions_of(span));
        return;
      }
    };
    for (const auto& [candidate, f] : printed_) take(span_of({f}));
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (missing[r] != 0) take_rest(rows[r], missing[r], found, rows[r].*list);
  }

 private:
  FieldMatrix moved(const FieldMatrix& R) const {
    const FieldMatrix M = power_matrix({3, degree_, true}, R);
    return rotations_ && determinant_in_space(R) == Cyclotomic(-1) ? Cyclotomic(-1) * M : M;
  }
  /// How often every species occurs in all functions. Species of small index hold the functions of small degree: they
  /// come first, and nothing is left for most of a large group.
  std::vector<std::size_t> copies(const std::vector<PointGroupTable::Row>& rows) const {
    std::vector<std::size_t> result(rows.size()), order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rows[a].label.index < rows[b].label.index; });
    const ClassFunction all = character_of(span_of(identity_rows()));
    Integer left = monomials_.size();
    for (const std::size_t r : order) {
      if (left == 0) break;
      const Cyclotomic count = inner_product(all, ClassFunction::irreducible(table_, rows[r].rows.front()));
      result[r] = numerator(count.to_rational()).convert_to<std::size_t>();
      for (const std::size_t row : rows[r].rows) left -= table_.degree(row) * result[r];
    }
    return result;
  }
  std::size_t place(const Exponents& exponents) const {
    return static_cast<std::size_t>(std::find(monomials_.begin(), monomials_.end(), exponents) - monomials_.begin());
  }
  static Coefficients row_of(const FieldMatrix& A, std::size_t i) {
    Coefficients row;
    for (std::size_t j = 0; j < A.cols(); ++j) row.push_back(A(i, j));
    return row;
  }
  FieldMatrix matrix_of(const std::vector<Coefficients>& rows) const {
    Coefficients entries;
    for (const Coefficients& row : rows) entries.insert(entries.end(), row.begin(), row.end());
    return {rows.size(), monomials_.size(), entries};
  }
  std::vector<Coefficients> identity_rows() const {
    std::vector<Coefficients> rows(monomials_.size(), Coefficients(monomials_.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i][i] = 1;
    return rows;
  }
  /// The span of the images of these functions under the group, in echelon form.
  FieldMatrix span_of(const std::vector<Coefficients>& functions) const {
    FieldMatrix span = reduced_echelon(matrix_of(functions), task_).matrix;
    for (;;) {
      std::vector<FieldMatrix> parts{span};
      for (const FieldMatrix& g : generators_) parts.push_back(span * g.transpose());
      const FieldEchelon larger = reduced_echelon(vertical_stack(parts), task_);
      std::vector<std::size_t> nonzero(larger.pivots.size());
      for (std::size_t i = 0; i < nonzero.size(); ++i) nonzero[i] = i;
      if (nonzero.size() == span.rows()) return larger.matrix.select_rows(nonzero);
      span = larger.matrix.select_rows(nonzero);
    }
  }
  /// The character of the group on a span in echelon form: the coordinates of an image are its entries at the pivots.
  ClassFunction character_of(const FieldMatrix& span) const {
    std::vector<std::size_t> pivots;
    for (std::size_t i = 0; i < span.rows(); ++i) {
      std::size_t j = 0;
      while (span(i, j).is_zero()) ++j;
      pivots.push_back(j);
    }
    Coefficients values;
    for (const FieldMatrix& g : classes_) {
      Cyclotomic trace;
      for (std::size_t i = 0; i < span.rows(); ++i)
        for (std::size_t j = 0; j < span.cols(); ++j)
          if (const Cyclotomic b = span(i, j); !b.is_zero()) trace += g(pivots[i], j) * b;
      values.push_back(std::move(trace));
    }
    return {table_, std::move(values)};
  }
  /// Is it the character of one copy of this species?
  bool is_one(const ClassFunction& content, const std::vector<std::size_t>& rows) const {
    Integer degree = 0;
    for (const std::size_t row : rows) degree += table_.degree(row);
    return content.degree() == Cyclotomic(degree) && std::all_of(rows.begin(), rows.end(), [&](std::size_t row) {
             return inner_product(content, ClassFunction::irreducible(table_, row)) == Cyclotomic(1);
           });
  }
  CartesianFunction function(const Coefficients& f) const {
    CartesianFunction result{rotations_, {}};
    for (std::size_t j = 0; j < f.size(); ++j)
      if (!f[j].is_zero()) result.terms.emplace_back(monomials_[j], f[j]);
    return result;
  }
  /// A basis of the span, of functions that tables print as far as there are some in it.
  FunctionSet functions_of(const FieldMatrix& span) const {
    FunctionSet set;
    std::vector<Coefficients> chosen;
    const auto choose = [&](const Coefficients& f) {
      if (set.size() == span.rows()) return false;
      chosen.push_back(f);
      if (matrix_rank(matrix_of(chosen), task_) == chosen.size()) return true;
      chosen.pop_back();
      return false;
    };
    for (const auto& [candidate, f] : printed_) {
      const FieldMatrix both[] = {span, matrix_of({f})};
      if (matrix_rank(vertical_stack(both), task_) == span.rows() && choose(f)) set.push_back({rotations_, candidate});
    }
    for (std::size_t i = 0; i < span.rows(); ++i)
      if (const Coefficients f = row_of(span, i); choose(f)) set.push_back(function(f));
    return set;
  }

  /// The projection of all functions to a species, by the sum of its characters over all elements; what is found is taken out.
  void take_rest(const PointGroupTable::Row& row, std::size_t missing, std::vector<Coefficients>& found,
                 std::vector<FunctionSet>& list) const {
    const FiniteGroup& G = table_.group();
    FieldMatrix projector(AbelianField(), monomials_.size(), monomials_.size());
    std::vector<std::pair<Permutation, FieldMatrix>> all{
        {Permutation::identity(G.degree()), FieldMatrix::identity(AbelianField(), monomials_.size())}};
    std::set<Permutation> seen{all.front().first};
    for (std::size_t k = 0; k < all.size(); ++k) {
      task_.poll();
      Cyclotomic value;
      for (const std::size_t r : row.rows) value += table_(r, table_.classes().index_of_element(all[k].first));
      projector = projector + value.conjugate() * all[k].second;
      for (std::size_t s = 0; s < generators_.size(); ++s) {
        Permutation g = G.generators()[s] * all[k].first;
        if (seen.insert(g).second) all.emplace_back(std::move(g), generators_[s] * all[k].second);
      }
    }
    const FieldMatrix images = projector.transpose();
    for (std::size_t i = 0; i < images.rows() && missing > 0; ++i) {
      const Coefficients f = row_of(images, i);
      if (std::all_of(f.begin(), f.end(), [](const Cyclotomic& c) { return c.is_zero(); })) continue;
      const FieldMatrix span = span_of({f});
      if (!is_one(character_of(span), row.rows)) continue;
      std::vector<Coefficients> more = found;
      for (std::size_t k = 0; k < span.rows(); ++k) more.push_back(row_of(span, k));
      if (matrix_rank(matrix_of(more), task_) != more.size()) continue;
      found = std::move(more);
      list.push_back(functions_of(span));
      --missing;
    }
    if (missing > 0) throw InternalError("point_group_table: functions of " + row.name() + " were not separated");
  }

  bool rotations_;
  unsigned degree_;
  std::vector<Exponents> monomials_;
  const CharacterTable& table_;
  std::vector<FieldMatrix> classes_, generators_;  // how they move the monomials: columns are images
  std::vector<std::pair<Candidate, Coefficients>> printed_;
  const Task& task_;
};

auto place_in_tables(const MullikenLabel& label) {
  const std::string letters = "ABETGH";
  return std::tuple(label.twice_spin != 0, label.parity == 'u' ? 1 : 0, label.primes, label.twice_spin,
                    letters.find(label.letter), label.index, label.member);
}

const MullikenLabel& label_of(const CharacterTable& table, std::size_t row) {
  const auto* label = std::get_if<MullikenLabel>(&table.label(row));
  if (!label) throw DomainError(table.group().name() + " is no point group; name one by Schoenflies, as C3v, D6h, Td");
  return *label;
}

}  // namespace

std::vector<std::vector<std::size_t>> species_rows(const CharacterTable& table) {
  std::vector<std::size_t> rows(table.size());
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = row;
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return place_in_tables(label_of(table, a)) < place_in_tables(label_of(table, b));
  });
  std::vector<std::vector<std::size_t>> species;
  for (const std::size_t row : rows)
    if (label_of(table, row).member == 2)  // the conjugate of the row before
      species.back().push_back(row);
    else
      species.push_back({row});
  return species;
}

MullikenLabel species_label(const CharacterTable& table, const std::vector<std::size_t>& rows) {
  MullikenLabel label = label_of(table, rows.front());
  label.member = 0;
  return label;
}

namespace {

const structure::PointGroup& require_point_group(const FiniteGroup& G) {
  const auto* symbol = G.structure().as<structure::PointGroup>();
  if (!symbol)
    throw DomainError(G.name() + " is no point group; name one by Schoenflies, as C3v, D6h, Td; " +
                      "point(S4), point(D3) and point(C2) are those of these names");
  return *symbol;
}

/// The species of a table with their characters, without functions.
std::vector<PointGroupTable::Row> rows_of(const CharacterTable& table,
                                          const std::vector<PointGroupTable::Column>& columns) {
  std::vector<PointGroupTable::Row> result;
  for (std::vector<std::size_t>& rows : species_rows(table)) {
    PointGroupTable::Row row{std::move(rows), {}, {}, {}, {}, {}, {}};
    row.label = species_label(table, row.rows);
    for (const auto& column : columns) {
      Cyclotomic value;
      for (const std::size_t r : row.rows) value += table(r, column.number);
      row.values.push_back(std::move(value));
    }
    result.push_back(std::move(row));
  }
  return result;
}

/// The table of a double group, with the functions of the point group.
PointGroupTable double_group_table(const FiniteGroup& G, const structure::PointGroup& symbol, bool cubic,
                                   const Task& task) {
  PointGroupTable result = point_group_table(point_group(symbol.symbol()), cubic, task);
  const CharacterTable table = character_table(G, task);
  result.columns = double_columns(table, result.table, result.columns, task);
  std::vector<PointGroupTable::Row> rows = rows_of(table, result.columns);
  for (PointGroupTable::Row& row : rows)
    for (PointGroupTable::Row& known : result.rows)
      if (known.label == row.label) {
        row.linear = std::move(known.linear);
        row.rotations = std::move(known.rotations);
        row.quadratic = std::move(known.quadratic);
        row.cubic = std::move(known.cubic);
      }
  result.rows = std::move(rows);
  result.table = table;
  result.schoenflies = G.name();
  return result;
}

}  // namespace

std::vector<PointGroupTable::Column> printed_columns(const CharacterTable& table, const Task& task) {
  if (const auto* doubled = table.group().structure().as<structure::DoubleGroup>()) {
    const CharacterTable base = character_table(point_group(doubled->base.symbol()), task);
    return double_columns(table, base, printed_columns(base, task), task);
  }
  require_point_group(table.group());
  return operation_columns(table, class_matrices(table, task));
}

PointGroupTable point_group_table(const FiniteGroup& G, bool cubic, const Task& task) {
  if (const auto* doubled = G.structure().as<structure::DoubleGroup>())
    return double_group_table(G, doubled->base, cubic, task);
  const structure::PointGroup& symbol = require_point_group(G);
  const CharacterTable table = character_table(G, task);
  const std::vector<FieldMatrix> classes = class_matrices(table, task);
  const Representation vectors = cartesian_representation(G, task);
  std::vector<FieldMatrix> generators;
  for (const Permutation& g : G.generators()) generators.push_back(vectors.field_matrix(g));
  PointGroupTable result{table, symbol.symbol(), symbol.hermann_mauguin(), cubic, operation_columns(table, classes),
                         {}};
  result.rows = rows_of(table, result.columns);
  using Row = PointGroupTable::Row;
  Functions(1, false, table, classes, generators, task).add(result.rows, &Row::linear);
  Functions(1, true, table, classes, generators, task).add(result.rows, &Row::rotations);
  Functions(2, false, table, classes, generators, task).add(result.rows, &Row::quadratic);
  if (cubic) Functions(3, false, table, classes, generators, task).add(result.rows, &Row::cubic);
  return result;
}

}  // namespace intertwine
