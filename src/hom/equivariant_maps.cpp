// Bases, projections and polynomial maps, by what the kinds of groups have.
#include "intertwine/hom/equivariant_maps.hpp"

#include "intertwine/classical/continuous_symmetrizer.hpp"
#include "intertwine/error.hpp"
#include "same_group.hpp"

namespace intertwine::hom {

namespace {

/// f of both sides by matrices, whatever their kind.
template <class F>
auto with_matrices(const char* what, const Representation& V, const Representation& U, F f) {
  require_same_group(V, U);
  V.require_matrices(what);
  U.require_matrices(what);
  if (const auto* a = V.as<intertwine::Representation>()) return f(*a, *U.as<intertwine::Representation>());
  return f(*V.as<ContinuousRepresentation>(), *U.as<ContinuousRepresentation>());
}

bool is_one(const ContinuousBlocks& basis) {
  return basis.blocks.size() == 1 && basis.blocks.front().size() == 1;
}

}  // namespace

Integer Basis::dimension() const {
  return std::visit([](const auto& basis) { return basis.dimension(); }, kind_);
}

Integer Basis::bias_dimension() const {
  return std::visit([](const auto& basis) { return basis.bias_dimension(); }, kind_);
}

bool Basis::is_empty() const {
  return std::visit(
      [](const auto& basis) {
        if constexpr (requires { basis.source(); })
          return basis.source().dimension() == 0 || basis.target().dimension() == 0;
        else
          return basis.source.dimension() == 0 || basis.target.dimension() == 0;
      },
      kind_);
}

bool Basis::is_several() const {
  if (const auto* basis = as<EquivariantBasis>()) return basis->blocks().size() > 1;
  return !is_one(*as<ContinuousBlocks>());
}

bool Basis::is_tied() const {
  const auto* basis = as<EquivariantBasis>();
  return basis != nullptr && basis->is_tied();
}

Basis Basis::sites(const Task& task) const {
  if (const auto* basis = as<EquivariantBasis>()) return Basis(basis->sites(task));
  const auto& blocks = *as<ContinuousBlocks>();
  const ContinuousBasis found = blocks.sites(task);
  return Basis(ContinuousBlocks{found.source, found.target, {{found}}});
}

bool Basis::has_isotypic_form() const { return as<EquivariantBasis>() != nullptr; }

WeightTable Basis::table(const TableOptions& options, const Task& task) const {
  return std::visit([&](const auto& basis) { return basis.table(options, task); }, kind_);
}

Basis equivariant_basis(const Representation& V, const Representation& U, bool single_pattern,
                        const Task& task) {
  return with_matrices("equivariant maps", V, U, [&](const auto& a, const auto& b) {
    if constexpr (requires { a.parts(); }) {
      // A representation of dimension 0 has no parts, and the one pattern is the answer.
      if (single_pattern || a.dimension() == 0 || b.dimension() == 0)
        return Basis(ContinuousBlocks{a, b, {{continuous_basis(a, b, task)}}});
      return Basis(continuous_blocks(a, b, task));
    } else {
      return Basis(intertwine::equivariant_basis(a, b, task, {.single_pattern = single_pattern}));
    }
  });
}

std::optional<LargestGroup> largest_group(const Basis& basis, const WeightBlock& table, double seconds,
                                          const Task& task) {
  if (!basis.is_tied() || basis.is_several()) return std::nullopt;
  const HomBasis& weights = basis.as<EquivariantBasis>()->blocks().front().weights;
  return intertwine::largest_group(table.weights, weights.source(), weights.target(), seconds, task);
}

std::shared_ptr<const EquivariantProjection> symmetrizer(const Representation& V, const Representation& U,
                                                         const Task& task) {
  return with_matrices("symmetrize", V, U,
                       [&](const auto& a, const auto& b) -> std::shared_ptr<const EquivariantProjection> {
                         if constexpr (requires { a.parts(); })
                           return std::make_shared<ContinuousSymmetrizer>(a, b, task);
                         else
                           return std::make_shared<Symmetrizer>(a, b, task);
                       });
}

AnyPolynomials polynomial_maps(const Representation& V, const Representation& U, unsigned degree,
                               const Task& task) {
  return with_matrices("polynomial maps", V, U, [&](const auto& a, const auto& b) -> AnyPolynomials {
    return intertwine::polynomial_maps(a, b, degree, task);
  });
}

}  // namespace intertwine::hom
