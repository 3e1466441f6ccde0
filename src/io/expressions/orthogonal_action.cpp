// R^n : G, a finite group that turns R^n: "R^2 : C4", "R^3 : Oh", "R^3 : S4 by sign*std".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "io/expressions/group_factors.hpp"

namespace intertwine {

namespace {

/// R^n and what stands behind the colon; nothing for other texts.
struct SpaceText {
  unsigned n;
  Excerpt group;
  std::optional<Excerpt> action;
};

std::optional<SpaceText> space_text(std::string_view text) {
  Excerpt rest = trimmed({text, 0});
  const auto drop = [&](std::string_view prefix) {
    if (!rest.text.starts_with(prefix)) return false;
    rest = trimmed({rest.text.substr(prefix.size()), rest.start + prefix.size()});
    return true;
  };
  if (!drop("R") && !drop("\xe2\x84\x9d")) return std::nullopt;  // the letter with a double line
  unsigned n = 0;
  if (drop("\xc2\xb2")) {
    n = 2;
  } else if (drop("\xc2\xb3")) {
    n = 3;
  } else {
    drop("^");
    const char* end = rest.text.data() + rest.text.size();
    const auto [stop, status] = std::from_chars(rest.text.data(), end, n);
    if (status != std::errc()) return std::nullopt;
    const auto read = static_cast<std::size_t>(stop - rest.text.data());
    rest = trimmed({rest.text.substr(read), rest.start + read});
  }
  if (!drop(":") && !drop("\xe2\x8b\x8a")) return std::nullopt;  // the sign of semidirect products
  const auto parts = split(rest, [](std::string_view all, std::size_t i) -> std::size_t {
    return all.substr(i).starts_with(" by ") ? 4 : 0;
  });
  SpaceText found{n, parts.front(), {}};
  if (parts.size() > 1) {
    const std::size_t start = parts[1].start;
    found.action = Excerpt{text.substr(start, rest.start + rest.text.size() - start), start};
  }
  return found;
}

/// The point groups in space that have the names C<n> and D<n> of G.
FiniteGroup in_space(const FiniteGroup& G) {
  if (const auto* cyclic = G.structure().as<structure::Cyclic>()) return point_group(fmt::format("C{}", cyclic->n));
  if (const auto* dihedral = G.structure().as<structure::Dihedral>())
    return point_group(fmt::format("D{}", dihedral->n));
  return G;
}

/// Cn and Cnv as the groups of the n-gon that they are in the plane across their axis; Cs is the mirror.
FiniteGroup in_plane(const FiniteGroup& G) {
  const auto* symbol = G.structure().as<structure::PointGroup>();
  if (symbol == nullptr) return G;
  if (symbol->family == 'C' && symbol->suffix == 's') return dihedral_group(1);
  if (symbol->family == 'C' && symbol->n > 0 && symbol->suffix == 'v') return dihedral_group(symbol->n);
  if (symbol->family == 'C' && symbol->n > 0 && symbol->suffix == 0) return cyclic_group(symbol->n);
  throw DomainError(fmt::format(
      "{0} turns space, and is no group of the plane: these are C<n> and D<n>, the symmetries of the n-gon; "
      "write R^3 : {0}",
      G.name()));
}

/// C<n> and D<n> for n <= 2 with their coordinates in the plane; from n = 3 on they have them.
FiniteGroup with_planar_coordinates(const FiniteGroup& G) {
  const auto* cyclic = G.structure().as<structure::Cyclic>();
  const auto* dihedral = G.structure().as<structure::Dihedral>();
  if ((cyclic == nullptr || cyclic->n > 2) && (dihedral == nullptr || dihedral->n > 2)) return G;
  const auto diagonal = [](long x, long y) { return FieldMatrix(RationalMatrix(IntegerMatrix({{x, 0}, {0, y}}))); };
  std::vector<FieldMatrix> images;
  const std::size_t turns = G.generators().size() - (dihedral != nullptr ? 1 : 0);
  for (std::size_t k = 0; k < turns; ++k) images.push_back(diagonal(-1, -1));
  if (dihedral != nullptr) images.push_back(diagonal(1, -1));
  return G.with_coordinates({2, [images] { return images; }, {}});
}

/// V in an orthonormal frame where its own basis is none.
Representation by_orthogonal_matrices(const Representation& V, const Task& task) {
  for (const Permutation& g : V.group().generators()) {
    const FieldMatrix M = V.field_matrix(g);
    if (!(M.transpose() * M == FieldMatrix::identity(M.field(), V.dimension()))) return in_orthonormal_frame(V, task);
  }
  return V;
}

}  // namespace

bool names_orthogonal_action(std::string_view text) { return space_text(text).has_value(); }

OrthogonalAction parse_orthogonal_action(std::string_view text, const Task& task) {
  const auto found = space_text(text);
  if (!found)
    throw ParseError("a group that turns space is written R^n : G, as in R^2 : C4 or R^3 : Oh", std::string(text), 0);
  if (found->n < 2 || found->n > max_harmonic_variables)
    throw ParseError(fmt::format("kernels with angles are on R^n for n from 2 to {}", max_harmonic_variables),
                     std::string(text), 0);
  if (names_continuous_group(found->group.text))
    throw ParseError(
        "the group that turns R^n is finite here; with all rotations and translations R^n has SE(n), with "
        "reflections "
        "E(n)",
        std::string(text), found->group.start);
  FiniteGroup G = within(text, found->group, [&] { return parse_finite_group(found->group.text, task); });
  if (found->action) {
    Representation A = within(text, *found->action, [&] { return parse_representation(G, found->action->text, task); });
    if (A.dimension() != found->n)
      throw ParseError(
          fmt::format("this representation has dimension {}, and R^{} was to be turned", A.dimension(), found->n),
          std::string(text), found->action->start);
    const std::string name = fmt::format("R^{} : {} by {}", found->n, G.name(), A.to_string(TextForm::checked));
    return OrthogonalAction(A.field().is_real() ? by_orthogonal_matrices(A, task) : A, name);
  }
  G = found->n == 2 ? with_planar_coordinates(in_plane(G)) : found->n == 3 ? in_space(G) : G;
  Representation A = cartesian_representation(G, task);
  if (A.dimension() != found->n)
    throw DomainError(
        fmt::format("{0} has {1} coordinates and turns R^{1}; where it turns R^{2}, say by which matrices, as in "
                    "'R^{2} : {0} by V'",
                    G.name(), A.dimension(), found->n));
  const std::string name = fmt::format("R^{} : {}", found->n, G.name());
  return OrthogonalAction(std::move(A), name);
}

}  // namespace intertwine
