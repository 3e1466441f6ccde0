#include "equivariant/module_action.hpp"

#include "intertwine/exact/linear_algebra.hpp"

namespace intertwine {

namespace {

/// Larger matrices are applied factor by factor instead of being kept.
constexpr std::size_t max_kept_dimension = 600;

}  // namespace

const RationalMatrix& ModuleAction::matrix(const Permutation& g) const {
  const auto [at, fresh] = matrices_.try_emplace(g);
  if (fresh) at->second = apply(g, RationalMatrix::identity(dimension_));
  return at->second;
}

const std::vector<ModularMatrix>* ModuleAction::modular_generators(std::uint64_t p) const {
  if (prime_ != p) {
    prime_ = p;
    modular_.clear();
    for (const Permutation& g : generators_) {
      auto image = ModularMatrix::reduce(p, matrix(g));
      if (!image) break;
      modular_.push_back(std::move(*image));
    }
  }
  return modular_.size() == generators_.size() ? &modular_ : nullptr;
}

RepresentationAction::RepresentationAction(Representation V)
    : ModuleAction(V.dimension(), V.group().generators()), V_(std::move(V)) {}

RationalMatrix RepresentationAction::apply(const Permutation& g, const RationalMatrix& X) const {
  // A matrix times a matrix beats the walk through the expression unless the walk is sparse.
  if (dimension() > max_kept_dimension || V_.is_monomial() || 2 * X.cols() >= dimension())
    return V_.apply(g, X);
  return matrix(g) * X;
}

SubmoduleAction::SubmoduleAction(const ModuleAction& parent, RationalMatrix B,
                                 std::vector<std::size_t> pivots)
    : ModuleAction(B.cols(), parent.generators()),
      parent_(parent),
      B_(std::move(B)),
      inverse_(inverse(B_.select_rows(pivots))),
      pivots_(std::move(pivots)) {}

RationalMatrix SubmoduleAction::apply(const Permutation& g, const RationalMatrix& X) const {
  return coordinates(parent_.apply(g, B_ * X));
}

}  // namespace intertwine
