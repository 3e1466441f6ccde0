#include "monomial_module.hpp"

namespace intertwine {

MonomialModule::MonomialModule(const FiniteGroup& G, const LinearPair& pair, const Task& task)
    : G_(G),
      pair_(std::make_shared<const LinearPair>(pair)),
      cosets_(std::make_shared<const CosetSpace>(G, pair.subgroup(), task)) {}

Cyclotomic MonomialModule::root(std::uint32_t exponent) const {
  return Cyclotomic::root_of_unity(order(), exponent);
}

MonomialModule::Image MonomialModule::image(const Permutation& g, std::size_t i) const {
  const Permutation moved = g * cosets_->representative(i);
  const Point j = cosets_->coset_of(moved);
  return {j, order() == 1 ? 0 : exponent_at(cosets_->representative(j).inverse() * moved)};
}

std::vector<MonomialModule::Image> MonomialModule::images(const Permutation& g) const {
  std::vector<Image> result;
  result.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) result.push_back(image(g, i));
  return result;
}

MonomialModule MonomialModule::galois_conjugate(std::uint32_t k) const {
  MonomialModule result = *this;
  result.twist_ = static_cast<std::uint32_t>(std::uint64_t{twist_} * k % order());
  return result;
}

}  // namespace intertwine
