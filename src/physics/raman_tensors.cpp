// Finds the Raman tensors of point groups.
#include "intertwine/physics/raman_tensors.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "physics/species_content.hpp"

namespace intertwine {

namespace {

/// Functions of x, y, z that may be the partners of a mode: columns of coordinates, linear ones among x, y, z and
/// quadratic ones among the entries of a 3 x 3 matrix, of equal lengths and orthogonal.
struct PartnerFunctions {
  std::vector<std::string> names;
  FieldMatrix columns;
};

FieldMatrix columns_of(std::size_t rows, const std::vector<std::vector<Cyclotomic>>& functions) {
  std::vector<Cyclotomic> entries(rows * functions.size(), Cyclotomic(0));
  for (std::size_t k = 0; k < functions.size(); ++k)
    for (std::size_t i = 0; i < rows; ++i) entries[i * functions.size() + k] = functions[k][i];
  return {rows, functions.size(), entries};
}

/// In the order in which they are tried.
std::vector<PartnerFunctions> all_partner_functions() {
  const Cyclotomic one(1), zero(0), root = Cyclotomic::root_of_unity(12, 1) + Cyclotomic::root_of_unity(12, 11);
  const auto matrix = [&](std::vector<Cyclotomic> upper) {  // xx, xy, xz, yy, yz, zz
    return std::vector<Cyclotomic>{upper[0], upper[1], upper[2], upper[1], upper[3],
                                   upper[4], upper[2], upper[4], upper[5]};
  };
  const std::vector<Cyclotomic> x{one, zero, zero}, y{zero, one, zero}, z{zero, zero, one};
  // All have the length of 2z^2-x^2-y^2, so that matrices between them are orthogonal.
  const auto xy = matrix({zero, root, zero, zero, zero, zero}), xz = matrix({zero, zero, root, zero, zero, zero}),
             yz = matrix({zero, zero, zero, zero, root, zero}), u = matrix({-one, zero, zero, -one, zero, one + one}),
             v = matrix({root, zero, zero, -root, zero, zero});
  return {{{"x", "y", "z"}, columns_of(3, {x, y, z})},
          {{"x", "y"}, columns_of(3, {x, y})},
          {{"yz", "xz", "xy"}, columns_of(9, {yz, xz, xy})},
          {{"xz", "yz"}, columns_of(9, {xz, yz})},
          {{"x^2-y^2", "2xy"}, columns_of(9, {v, xy})},
          {{"2z^2-x^2-y^2", "sqrt(3)(x^2-y^2)"}, columns_of(9, {u, v})},
          {{"2z^2-x^2-y^2", "sqrt(3)(x^2-y^2)", "2sqrt(3)xy", "2sqrt(3)xz", "2sqrt(3)yz"},
           columns_of(9, {u, v, xy, xz, yz})}};
}

/// The action of an operation on the functions; nothing if it takes them elsewhere.
std::optional<FieldMatrix> action_on(const PartnerFunctions& functions, const FieldMatrix& R) {
  const FieldMatrix& F = functions.columns;
  const FieldMatrix moved = (F.rows() == 3 ? R : kronecker_product(R, R)) * F;
  const FieldMatrix D = inverse(F.transpose() * F) * F.transpose() * moved;
  if (F * D == moved) return D;
  return {};
}

std::string letter_of(std::size_t k) {
  return std::string(1, static_cast<char>('a' + k % 26)) + (k < 26 ? "" : std::to_string(k / 26));
}

}  // namespace

std::vector<RamanSpecies> raman_tensors(const FiniteGroup& G, const Task& task) {
  if (!G.structure().as<structure::PointGroup>())
    throw DomainError("raman_tensors: " + G.name() + " is no point group");
  const CharacterTable table = character_table(G, task);
  const Representation vectors = cartesian_representation(G, task);
  const ClassFunction second = symmetric_power(2, character_of(vectors, table, task));
  const std::vector<Species> species = named_species(table);
  const std::vector<Integer> content = species_content(second, species);
  const std::vector<PartnerFunctions> known = all_partner_functions();
  const FieldMatrix transposition(matrix_transposition(3)), all9(RationalMatrix::identity(9));
  std::vector<RamanSpecies> found;
  std::size_t letters = 0;
  for (std::size_t s = 0; s < species.size(); ++s) {
    if (content[s] == 0) continue;
    const std::size_t d = species[s].degree;
    const auto trace = [&](std::size_t c) {
      Cyclotomic sum(0);
      for (const std::size_t row : species[s].rows) sum = sum + table(row, c);
      return sum;
    };
    // The matrices of a species for an operation, and whether these functions are its partners.
    std::vector<FieldMatrix> D;
    const auto belong = [&](const PartnerFunctions& functions) {
      for (std::size_t c = 0; c < table.size(); ++c) {
        const auto A = action_on(functions, vectors.field_matrix(table.classes()[c].representative));
        if (!A) return false;
        Cyclotomic sum(0);
        for (std::size_t k = 0; k < d; ++k) sum = sum + (*A)(k, k);
        if (sum != trace(c)) return false;
      }
      D.clear();
      for (const Permutation& g : G.generators()) {
        auto A = action_on(functions, vectors.field_matrix(g));
        if (!A) return false;
        D.push_back(std::move(*A));
      }
      return true;
    };
    RamanSpecies one{species[s].name, {}, {}};
    if (d == 1) {
      for (const Permutation& g : G.generators()) {
        const std::vector<Cyclotomic> value{trace(table.classes().index_of(g))};
        D.emplace_back(1, 1, value);
      }
    } else {
      for (const PartnerFunctions& functions : known)
        if (functions.names.size() == d && belong(functions)) {
          one.partners = functions.names;
          break;
        }
      if (one.partners.empty())
        throw InternalError("raman_tensors: no functions are partners of " + one.name + " of " + G.name());
    }
    std::vector<FieldMatrix> equations;
    const FieldMatrix identity(RationalMatrix::identity(d));
    for (std::size_t k = 0; k < D.size(); ++k) {
      const FieldMatrix R = vectors.field_matrix(G.generators()[k]);
      equations.push_back(kronecker_product(D[k].transpose(), all9) -
                          kronecker_product(identity, kronecker_product(R, R)));
    }
    equations.push_back(kronecker_product(identity, all9 - transposition));
    one.form = component_form(3 * d, 3, std::vector<std::string>(9 * d), equations, task);
    if (one.form.independent.size() != content[s] * species[s].rows.size())
      throw InternalError("raman_tensors: the tensors of " + one.name + " are not as many as characters say");
    for (const auto& [i, j] : one.form.independent) one.form.names[i * 3 + j] = letter_of(letters++);
    found.push_back(std::move(one));
  }
  return found;
}

}  // namespace intertwine
