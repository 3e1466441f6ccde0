// Reads and writes representations of O(3) and SO(3) in e3nn's words.
#include "intertwine/io/o3_irreps.hpp"

#include <fmt/format.h>

#include <variant>

#include "intertwine/classical/continuous_decomposition.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

/// Is it O(3) or SO(3), and which?
bool is_rotations(const ContinuousGroup& G, ClassicalGroup::Family family) {
  const auto* H = G.factors().size() == 1 ? std::get_if<ClassicalGroup>(&G.factors().front()) : nullptr;
  return H != nullptr && *H == ClassicalGroup(family, 3);
}

/// The degree and the parity of an irreducible representation: for O(3) Weyl's partition, whose first two columns have
/// at most three boxes, [l] or, times det, [l,1] and [1,1,1].
std::string name_of(const FactorIrrep& irrep) {
  if (irrep.kind == FactorIrrep::Kind::weight) return fmt::format("{}", irrep.label.front() / 2);
  const bool times_det = irrep.label.size() > 1;
  const int l = irrep.label.empty() || irrep.label.size() == 3 ? 0 : irrep.label.front();
  return fmt::format("{}{}", l, (l % 2 == 1) != times_det ? 'o' : 'e');
}

}  // namespace

ContinuousRepresentation o3_irreducible(const ContinuousGroup& G, unsigned degree, char parity) {
  const bool full = is_rotations(G, ClassicalGroup::Family::O);
  if (!full && !is_rotations(G, ClassicalGroup::Family::SO))
    throw DomainError(fmt::format("{0}{1} is a representation of O(3) or SO(3) by its degree, and the group is {2}",
                                  degree, parity == 0 ? "" : std::string(1, parity), G.name()));
  if (full && parity == 0)
    throw DomainError(
        fmt::format("over O(3) a degree has a parity: {0}e where -1 is 1, {0}o where it is -1; harmonic({0}) is {0}{1}",
                    degree, degree % 2 == 1 ? 'o' : 'e'));
  const ContinuousRepresentation V = degree == 0   ? trivial_representation(G)
                                     : degree == 1 ? natural_representation(G)
                                                   : harmonic_representation(G, degree);
  if (!full || (parity == 'o') == (degree % 2 == 1)) return V;
  return degree == 0 ? determinant_representation(G) : V * determinant_representation(G);
}

std::string o3_irreps(const ContinuousRepresentation& V, const Task& task) {
  const ContinuousGroup& G = V.group();
  if (!is_rotations(G, ClassicalGroup::Family::O) && !is_rotations(G, ClassicalGroup::Family::SO))
    throw DomainError(fmt::format(
        "irreps writes representations of O(3) and SO(3), and the group is {}; decompose() takes every group",
        G.name()));
  std::string text;
  for (const auto& [copies, W] : V.summands()) {
    const std::vector<ContinuousConstituent> parts = decompose(W, task);
    if (parts.size() != 1 || parts.front().multiplicity != 1)
      throw DomainError(
          fmt::format("irreps writes sums of irreducible representations, and the summand {} is not irreducible; "
                      "decompose() gives what it contains",
                      W.to_string()));
    text += fmt::format("{}{}x{}", text.empty() ? "" : "+", copies, name_of(parts.front().factors.front()));
  }
  return text;
}

}  // namespace intertwine
