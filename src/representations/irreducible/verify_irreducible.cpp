// The proof that matrices are an irreducible representation with a given character, from the matrices of the generators.
#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "representations/expressions/node.hpp"
#include "seed_space.hpp"

namespace intertwine {

namespace {

[[noreturn]] void fail(const std::string& what) { throw VerificationError("verify: " + what); }

/// The images of the generators as a representation of its own, which is proved to be a homomorphism; V where that was done, as in files.
Representation proved_homomorphism(const Representation& V, const Task& task) {
  const FiniteGroup& G = V.group();
  if (V.node().is_proved()) return V;
  if (G.generators().empty()) return V.dimension() * trivial_representation(G);
  std::vector<FieldMatrix> images;
  for (const Permutation& s : G.generators()) images.push_back(V.field_matrix(s));
  try {
    return matrix_representation(G, images, {}, task);
  } catch (const DomainError& broken) {
    fail(broken.what());
  }
}

/// <chi, chi> |G|.
Cyclotomic norm(const CharacterTable& table, std::size_t row) {
  Cyclotomic sum;
  for (std::size_t c = 0; c < table.size(); ++c)
    sum += Cyclotomic(Rational(table.classes()[c].size)) * table(row, c) * table(row, c).conjugate();
  return sum;
}

void verify_seed(const Representation& V, const MultiplicityOneSeed& seed, const Task& task) {
  if (seed.generators.size() != seed.values.size() || seed.vector.rows() != V.dimension() || seed.vector.cols() != 1 ||
      seed.vector.is_zero())
    fail("the seed is no vector of the representation with a value for every generator of its subgroup");
  for (std::size_t k = 0; k < seed.generators.size(); ++k)
    if (!(V.apply(seed.generators[k], seed.vector) == seed.values[k] * seed.vector))
      fail(fmt::format("generator {} of the subgroup does not multiply the seed by the stated value", k + 1));
  const AbelianField L = AbelianField::compositum(V.field(), AbelianField::generated_by(seed.values));
  const std::size_t found = left_eigenvectors(V, seed.generators, seed.values, L, task).rows();
  if (found != 1) fail(fmt::format("the subgroup multiplies a space of dimension {} as the seed, not 1", found));
}

}  // namespace

void verify(const IrreducibleRepresentation& R, const CharacterTable& table, const Task& task) {
  if (!(R.representation.group() == table.group()))
    throw DomainError("verify: the representation belongs to " + R.representation.group().name() + ", the table to " +
                      table.group().name());
  if (R.row >= table.size()) fail(fmt::format("there is no character {}", R.row));
  if (Integer(R.representation.dimension()) != table.degree(R.row))
    fail(fmt::format("the dimension {} is not the degree of character {}", R.representation.dimension(), R.row));
  const Representation V = proved_homomorphism(R.representation, task);
  task.share(table.size(), 1, [&](std::uint64_t first, std::uint64_t last) {
    for (std::size_t c = first; c < last; ++c) {
      task.progress("verifying traces", c, table.size());
      const Permutation& g = table.classes()[c].representative;
      if (V.character(g) != table(R.row, c) || R.representation.character(g) != table(R.row, c))
        fail(fmt::format("the trace at class {} is not the value of character {}", c, R.row));
      if (!(R.representation.field_matrix(g) == V.field_matrix(g)))
        fail(fmt::format("the matrix at class {} is not that of a word in the generators", c));
    }
  });
  if (norm(table, R.row) != Cyclotomic(Rational(table.group().order())))
    fail(fmt::format("the character {} is not irreducible", R.row));
  if (R.over_character_field &&
      R.representation.field().degree() != AbelianField::generated_by(table.row(R.row)).degree())
    fail("the field is larger than that of the character");
  verify_seed(V, R.seed, task);
}

void verify(const IrreducibleForms& forms, const Task& task) {
  for (const auto& [complex, form] : forms.entries) {
    if (forms.over == BaseField::complex) {
      verify(complex, forms.table, task);
      continue;
    }
    const Representation V = proved_homomorphism(form.representation, task);
    const AbelianField K = V.field();
    if (forms.over == BaseField::real ? !K.is_real() : !K.is_rational())
      fail(fmt::format("{} is no field of {} numbers", K.to_string(), to_string(forms.over)));
    const auto parts = decompose(V, forms.table, forms.over, task);
    if (parts.size() != 1 || parts[0].multiplicity != 1 || parts[0].irreps != form.rows ||
        parts[0].index.index != form.multiplicity)
      fail(fmt::format("the matrices of character {} are not one irreducible representation of the rows stated",
                       complex.row));
  }
}

}  // namespace intertwine
