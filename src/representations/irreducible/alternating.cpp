// Irreducible representations of alternating groups.
#include "alternating.hpp"

#include <fmt/format.h>

#include <numeric>

#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "intertwine/representations/submodule.hpp"
#include "representations/expressions/specht_action.hpp"
#include "representations/lattices/balanced_basis.hpp"

namespace intertwine {

namespace {

Permutation transposition(std::size_t n, int a, int b) {
  std::vector<Point> images(n);
  std::iota(images.begin(), images.end(), Point{0});
  std::swap(images[static_cast<std::size_t>(a)], images[static_cast<std::size_t>(b)]);
  return Permutation::unchecked(std::move(images));
}

/// Generators of the even elements of the column stabilizer of T.
std::vector<Permutation> even_column_stabilizer(const Tableau& T, std::size_t n) {
  std::vector<Permutation> odd, even;
  for (std::size_t i = 1; i < T.rows().size(); ++i)
    for (std::size_t j = 0; j < T.rows()[i].size(); ++j)
      odd.push_back(transposition(n, T.rows()[i - 1][j], T.rows()[i][j]));
  for (std::size_t k = 1; k < odd.size(); ++k) even.push_back(odd[0] * odd[k]);
  return even;
}

/// The sum of the images of x under the column stabilizer of T: for every column the product over its entries of the
/// identity and the transpositions with the entries before.
RationalMatrix column_sum(const Representation& V, const Tableau& T, RationalMatrix x) {
  const std::size_t n = V.group().degree();
  const Tableau columns = T.transposed();
  for (const auto& column : columns.rows())
    for (std::size_t k = 1; k < column.size(); ++k) {
      RationalMatrix sum = x;
      for (std::size_t l = 0; l < k; ++l) sum = sum + V.apply(transposition(n, column[l], column[k]), x);
      x = std::move(sum);
    }
  return x;
}

/// The vector that the column stabilizer of the first tableau fixes, primitive.
RationalMatrix fixed_vector(const Representation& V, const Tableau& T) {
  const auto d = static_cast<std::size_t>(V.dimension());
  for (std::size_t k = d; k-- > 0;) {
    const RationalMatrix u = column_sum(V, T, unit_vector(d, k));
    if (!u.is_zero()) return RationalMatrix(exact_quotient(u.numerator(), u.numerator().content()));
  }
  throw InternalError("irreducible_representation: the column stabilizer fixes no vector of a Specht module");
}

/// Sends every standard polytabloid g e to sgn(g) g u: commutes with even permutations, anticommutes with odd ones.
RationalMatrix associator(const Representation& V, const Partition& shape, const Task& task) {
  const std::size_t n = V.group().degree();
  const Tableau first = unrank_standard(shape, 0);
  const RationalMatrix u = fixed_vector(V, first);
  std::vector<RationalMatrix> columns;
  for (const Tableau& T : standard_tableaux(shape)) {
    task.poll();
    std::vector<Point> images(n);
    for (std::size_t i = 0; i < T.rows().size(); ++i)
      for (std::size_t j = 0; j < T.rows()[i].size(); ++j)
        images[static_cast<std::size_t>(first.rows()[i][j])] = static_cast<Point>(T.rows()[i][j]);
    const Permutation g = Permutation::unchecked(std::move(images));
    const RationalMatrix image = V.apply(g, u);
    columns.push_back(g.sign() < 0 ? Rational(-1) * image : image);
  }
  return horizontal_stack(columns);
}

/// Half of the Specht module of a partition that is its own conjugate.
IrreducibleRepresentation half(const CharacterTable& table, std::size_t row, const Partition& shape, const Task& task) {
  const FiniteGroup& G = table.group();
  const std::size_t n = G.degree();
  const Representation V = specht_module(symmetric_group(n), shape, task);
  build_specht_matrices(V, task);
  const RationalMatrix J = associator(V, shape, task);
  // On a class where the halves differ, the character is (chi + root) / 2, and the trace of g on the eigenspace of J
  // for the eigenvalue z is (chi + trace(J g) / z) / 2. So z = trace(J g) / root.
  std::size_t c = 0;
  const auto difference = [&](std::size_t k) {
    return Cyclotomic(2) * table(row, k) - V.character(table.classes()[k].representative);
  };
  while (c < table.size() && difference(c).is_zero()) ++c;
  if (c == table.size()) throw InternalError("irreducible_representation: two characters of Alt(n) agree");
  const Cyclotomic root = difference(c);
  const RationalMatrix moved = V.apply(table.classes()[c].representative, J);
  Rational trace = 0;
  for (std::size_t i = 0; i < J.rows(); ++i) trace += moved(i, i);
  const Cyclotomic eigenvalue = Cyclotomic(trace) * root.inverse();
  const AbelianField K = AbelianField::generated_by(std::vector<Cyclotomic>{root});
  const FieldMatrix onto = FieldMatrix(J).over(K) + (eigenvalue * FieldMatrix::identity(K, J.rows())).over(K);

  std::vector<std::size_t> pivots;
  if (const auto reduced = onto.reduce(K.split_prime(0), 0)) reduced->echelon(&pivots);
  if (2 * pivots.size() != J.rows())
    throw InternalError("irreducible_representation: half a Specht module has another dimension");
  const FieldMatrix C = balanced_basis(onto.select_cols(pivots).over(K), K, task);
  const Representation restricted = specht_module(G, shape, task);
  build_specht_matrices(restricted, task);
  IrreducibleRepresentation R{
      row, named_irreducible(submodule(restricted, C, {}, task), table, row), {}, "half of a Specht module", true};
  R.seed.generators = even_column_stabilizer(unrank_standard(shape, 0), n);
  R.seed.values.assign(R.seed.generators.size(), Cyclotomic(1));
  const auto w = linear_solve(C, onto.block(0, 0, J.rows(), 1), task);
  if (!w) throw InternalError("irreducible_representation: the seed lies outside half a Specht module");
  R.seed.vector = w->over(K);
  return R;
}

}  // namespace

bool is_natural_alternating(const CharacterTable& table) {
  const std::size_t n = table.group().degree();
  return n >= 3 && n < 1000 && std::holds_alternative<ShapeLabel>(table.label(0)) &&
         2 * table.group().order() == factorial(static_cast<unsigned long>(n));
}

IrreducibleRepresentation alternating_irreducible(const CharacterTable& table, std::size_t row, const Task& task) {
  const FiniteGroup& G = table.group();
  if (const auto* label = std::get_if<HalfShapeLabel>(&table.label(row))) return half(table, row, label->shape, task);
  Partition shape = std::get<ShapeLabel>(table.label(row)).shape;
  if (shape.dominates(shape.conjugate())) shape = shape.conjugate();
  const Representation V = specht_module(G, shape, task);
  IrreducibleRepresentation R{row, named_irreducible(V, table, row), {}, "Young's natural form", true};
  R.seed.generators = even_column_stabilizer(unrank_standard(shape, 0), G.degree());
  R.seed.values.assign(R.seed.generators.size(), Cyclotomic(1));
  require_seeds(V.dimension(), G, task);
  R.seed.vector = FieldMatrix(unit_vector(static_cast<std::size_t>(V.dimension()), 0));
  return R;
}

}  // namespace intertwine
