// Vibrations of molecules, their activity and force constants.
#include "intertwine/physics/molecular_motions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/physics/point_group_table.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "physics/species_content.hpp"

namespace intertwine {

namespace {

/// The names of linear molecules and of atoms for those of the groups that stand for theirs. [Herzberg 1945]
std::string species_name(const MolecularSymmetry& m, const MullikenLabel& label) {
  const std::string text = to_string(RowLabel(label));
  if (m.kind == MoleculeKind::nonlinear) return text;
  const std::string parity = label.parity == 0 ? "" : std::string(1, label.parity);
  if (m.kind == MoleculeKind::atom) {
    return text == "T1u" ? "Pu" : "";  // the only one that occurs
  }
  constexpr const char* letters[] = {"Σ", "Π", "Δ", "Φ"};
  // The index tells mirrors in C8v, half turns in D8h, which are inversion times mirrors; + and - always tell mirrors.
  if (label.letter == 'A') return letters[0] + parity + ((label.index == 1) == (label.parity != 'u') ? "+" : "-");
  if (label.letter == 'E') return letters[label.index] + parity;
  return {};  // B1 and B2 of C8v: what turns four times as fast, which vectors do not reach
}

}  // namespace

std::vector<Species> named_species(const CharacterTable& table) {
  std::vector<Species> species;
  for (std::vector<std::size_t>& rows : species_rows(table)) {
    std::string name = to_string(RowLabel(species_label(table, rows)));
    const auto degree = rows.size() * table.degree(rows.front()).convert_to<std::uint64_t>();
    species.push_back({std::move(rows), std::move(name), degree, 0, 0, 0, 0, false, false, false});
  }
  return species;
}

std::vector<Integer> species_content(const ClassFunction& f, const std::vector<Species>& species) {
  const std::vector<Integer> all = multiplicities(f);
  std::vector<Integer> result;
  for (const Species& s : species) result.push_back(all[s.rows.front()]);
  return result;
}

MolecularMotions molecular_motions(const MolecularSymmetry& m, const Task& task) {
  const CharacterTable table = character_table(m.group, task);
  const ClassFunction vectors = character_of(coordinate_representation(m.group), table, task);
  const ClassFunction axial = exterior_power(2, vectors),
                      atoms = character_of(m.atom_representation(task), table, task);
  MolecularMotions motions{table, named_species(table), 0, 0};
  auto& species = motions.species;
  for (Species& s : species) s.name = species_name(m, species_label(table, s.rows));
  const auto total = species_content(atoms * vectors, species), moved = species_content(vectors, species),
             turned = species_content(axial, species), second = species_content(symmetric_power(2, vectors), species),
             third = species_content(symmetric_power(3, vectors), species);
  Integer dimension = 0;
  for (std::size_t k = 0; k < species.size(); ++k) {
    Species& s = species[k];
    s.total = total[k].convert_to<std::uint64_t>();
    s.translations = moved[k].convert_to<std::uint64_t>();
    // A line is not moved by turns about itself, which are a species of degree 1; nor an atom by any.
    const bool turns = m.kind == MoleculeKind::nonlinear || (m.kind == MoleculeKind::linear && s.degree == 2);
    s.rotations = turns ? turned[k].convert_to<std::uint64_t>() : 0;
    if (s.total < s.translations + s.rotations)
      throw InternalError("molecular_motions: more motions of the whole than there are in " + s.name);
    s.vibrations = s.total - s.translations - s.rotations;
    s.infrared = moved[k] != 0;
    s.raman = second[k] != 0;
    s.hyper_raman = third[k] != 0;
    dimension += Integer(s.total) * s.degree;
    // Invariant quadratic forms on m copies: symmetric m x m matrices, Hermitian ones of a conjugate pair.
    const auto forms = [&](std::uint64_t n) { return s.rows.size() == 2 ? Integer(n) * n : Integer(n) * (n + 1) / 2; };
    motions.force_constants += forms(s.total);
    motions.internal_force_constants += forms(s.vibrations);
  }
  if (dimension != 3 * m.atoms.size()) throw InternalError("molecular_motions: the species do not add up to 3N");
  if (m.kind != MoleculeKind::nonlinear)
    std::erase_if(species, [](const Species& s) { return s.total == 0 && s.rotations == 0; });
  return motions;
}

namespace {

/// The equations that a block B of the pair (i, j) satisfies: R B R^T = B where an operation fixes both atoms, R B^T
/// R^T = B where it exchanges them; and B^T = B if they are one.
ComponentForm block_form(const MolecularSymmetry& m, const Representation& vectors, Point i, Point j,
                         const Task& task) {
  static const std::vector<std::string> names{"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};
  const FieldMatrix one = RationalMatrix::identity(9), swap = matrix_transposition(3);
  std::vector<FieldMatrix> equations;
  if (i == j) equations.push_back(one - swap);
  for (const auto& g : m.operations) {
    const Point k = g.atoms(i), l = g.atoms(j);
    if (std::min(k, l) != i || std::max(k, l) != j || g.element.is_identity()) continue;
    const FieldMatrix R = vectors.field_matrix(g.element), action = kronecker_product(R, R);
    equations.push_back((k == i ? action : action * swap) - one);
  }
  static const ComponentForm free = component_form(3, 3, names, {});  // of most pairs of a large molecule
  return equations.empty() ? free : component_form(3, 3, names, equations, task);
}

}  // namespace

std::vector<ForceConstantBlock> force_constant_blocks(const MolecularSymmetry& m, const Task& task) {
  const std::size_t n = m.atoms.size();
  // There are at least so many orbits, of some hundred bytes each.
  task.require_memory(n * n / 8 + 1024 * (n * (n + 1) / 2 / m.operations.size() + n), "the pairs of atoms");
  const Representation vectors = cartesian_representation(m.group, task);
  std::vector<bool> seen(n * n, false);
  std::vector<ForceConstantBlock> blocks;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i; j < n; ++j) {
      if (seen[i * n + j]) continue;
      task.poll();
      ForceConstantBlock block{i, j, 0, block_form(m, vectors, i, j, task)};
      for (const auto& g : m.operations) {
        const auto [first, second] = std::minmax({g.atoms(i), g.atoms(j)});
        if (seen[first * n + second]) continue;
        seen[first * n + second] = true;
        ++block.pairs;
      }
      blocks.push_back(std::move(block));
    }
  return blocks;
}

}  // namespace intertwine
