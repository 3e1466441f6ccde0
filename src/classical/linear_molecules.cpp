// C∞v and D∞h as names of O(2) and O(2) x Ci.
#include "intertwine/classical/linear_molecules.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classical/continuous_node.hpp"
#include "intertwine/classical/continuous_decomposition.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine {

namespace {

constexpr std::string_view axial_names[] = {"C∞v", "D∞h"};

const FiniteGroup& inversion_group() {
  static const FiniteGroup group = point_group("Ci");
  return group;
}

/// V of O(2), times a row of Ci where there is a centre, as a representation of C∞v or D∞h with a name.
ContinuousRepresentation axial(bool centre, const ContinuousRepresentation& V, int parity, std::string name) {
  const ContinuousGroup G = linear_molecule_group(centre);
  if (!centre) return renamed(V, G, std::move(name));
  const Representation sign =
      parity > 0 ? trivial_representation(inversion_group()) : sign_representation(inversion_group());
  return renamed(external_product(G, {V, finite_representation(sign)}), G, std::move(name));
}

int parity_of(bool centre, bool even) { return !centre ? 0 : even ? 1 : -1; }

}  // namespace

ContinuousGroup linear_molecule_group(bool centre) {
  std::vector<ContinuousGroup::Factor> factors{ClassicalGroup(ClassicalGroup::Family::O, 2)};
  if (centre) factors.emplace_back(inversion_group());
  return ContinuousGroup(std::move(factors)).with_name(std::string(axial_names[centre]));
}

std::optional<bool> centre_of_linear_molecule(const ContinuousGroup& G) {
  for (const bool centre : {false, true})
    if (G.name() == axial_names[centre]) return centre;
  return std::nullopt;
}

ContinuousRepresentation axial_irrep(bool centre, const AxialIrrep& irrep) {
  static_cast<void>(AxialCharacter::irrep(centre, irrep));  // refuses what the group does not have
  const ContinuousGroup O2({ClassicalGroup(ClassicalGroup::Family::O, 2)});
  const ContinuousRepresentation V = irrep.lambda == 1 ? natural_representation(O2)
                                     : irrep.lambda > 1
                                         ? harmonic_representation(O2, static_cast<unsigned>(irrep.lambda))
                                     : irrep.minus ? determinant_representation(O2)
                                                   : trivial_representation(O2);
  return axial(centre, V, irrep.parity, "irrep(" + to_string(irrep) + ")");
}

ContinuousRepresentation axial_harmonic(bool centre, unsigned l) {
  const int parity = parity_of(centre, l % 2 == 0);
  ContinuousRepresentation sum = axial_irrep(centre, {parity, static_cast<int>(l), false});
  for (int m = static_cast<int>(l) - 1; m >= 0; --m) sum = sum + axial_irrep(centre, {parity, m, false});
  return renamed(sum, sum.group(), l == 1 ? "vector" : "harmonic(" + std::to_string(l) + ")");
}

ContinuousRepresentation axial_parity(bool centre) {
  const ContinuousRepresentation V = axial_irrep(centre, {parity_of(centre, false), 0, true});
  return renamed(V, V.group(), "parity");
}

AxialCharacter axial_character(const ContinuousRepresentation& V, const Task& task) {
  const auto centre = centre_of_linear_molecule(V.group());
  if (!centre) throw DomainError(V.group().name() + " is none of the groups of linear molecules, C∞v and D∞h");
  AxialCharacter sum(*centre);
  for (const ContinuousConstituent& part : decompose(V, task)) {
    const std::vector<int>& label = part.factors[0].label;  // [], [1,1] or [Λ]
    const bool minus = label.size() == 2;
    const int parity = !*centre ? 0 : part.factors[1].row == 0 ? 1 : -1;
    sum = sum +
          part.multiplicity * AxialCharacter::irrep(*centre, {parity, minus || label.empty() ? 0 : label[0], minus});
  }
  return sum;
}

}  // namespace intertwine
