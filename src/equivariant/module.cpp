// Rational representations with the matrices that algorithms ask for again and again.
#include "equivariant/module.hpp"

namespace intertwine {

namespace {

/// Larger matrices are applied factor by factor instead of being kept.
constexpr std::size_t max_kept_dimension = 600;

}  // namespace

RationalMatrix Module::apply(const Permutation& g, const RationalMatrix& X) const {
  // A matrix times a matrix beats the walk through the expression unless the walk is sparse.
  if (dimension() > max_kept_dimension || V_.is_monomial() || 2 * X.cols() >= dimension()) return V_.apply(g, X);
  return matrix(g) * X;
}

const RationalMatrix& Module::matrix(const Permutation& g) const {
  const auto [at, fresh] = matrices_.try_emplace(g);
  if (fresh) at->second = V_.matrix(g);
  return at->second;
}

const std::vector<ModularMatrix>* Module::modular_generators(std::uint64_t p) const {
  if (prime_ != p) {
    prime_ = p;
    modular_.clear();
    for (const Permutation& g : generators()) {
      auto image = ModularMatrix::reduce(p, matrix(g));
      if (!image) break;
      modular_.push_back(std::move(*image));
    }
  }
  return modular_.size() == generators().size() ? &modular_ : nullptr;
}

std::optional<SpinWords> Module::spin(const RationalMatrix& seed, std::uint64_t p, const Task& task) const {
  const auto start = ModularMatrix::reduce(p, seed);
  const std::vector<ModularMatrix>* images = modular_generators(p);
  return start && images != nullptr ? intertwine::spin(*images, *start, task) : std::nullopt;
}

std::vector<RationalMatrix> Module::spun(const SpinWords& words, const RationalMatrix& seeds, const Task& task) const {
  return apply_words(
      words, seeds, [&](std::size_t k, const RationalMatrix& X) { return apply(generators()[k], X); }, task);
}

}  // namespace intertwine
