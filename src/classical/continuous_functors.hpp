// A representation put together as another one is, of other parts.
#pragma once
#include <optional>
#include <vector>

#include "continuous_node.hpp"
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/gl/schur_representation.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine {

/// The dual, power, functor, multiple, sum or product that `node` is, of part(0), part(1), ... in the place of its own
/// parts; nothing where it is none of them.
template <class Value, class Part>
std::optional<Value> same_functor(const ContinuousNode& node, const Part& part, const Task& task) {
  if (node.is<ContinuousNode::Dual>()) return dual(part(0));
  if (const auto* multiple = node.as<ContinuousNode::Multiple>()) return multiple->times * part(0);
  if (const auto* power = node.as<ContinuousNode::Power>()) return tensor_power(part(0), power->exponent);
  if (const auto* functor = node.as<ContinuousNode::Functor>()) {
    if (functor->name == ContinuousNode::Functor::Name::sym) return sym(functor->degree(), part(0));
    if (functor->name == ContinuousNode::Functor::Name::alt) return alt(functor->degree(), part(0));
    if constexpr (std::is_same_v<Value, Representation>)
      return schur_power(functor->shape, part(0));
    else
      return schur_power(functor->shape, part(0), task);
  }
  if constexpr (std::is_same_v<Value, ContinuousRepresentation>)
    if (node.is<ContinuousNode::Real>()) {
      const Value V = part(0);
      return V.scalars() == Scalars::complex ? restriction_of_scalars(V) : 2 * V;
    }
  if (!node.is<ContinuousNode::Sum>() && !node.is<ContinuousNode::Product>()) return std::nullopt;
  Value out = part(0);
  for (std::size_t k = 1; k < node.parts.size(); ++k)
    out = node.is<ContinuousNode::Sum>() ? out + part(k) : out * part(k);
  return out;
}

/// An external product whose last factor alone is complex, with f(that) in its place: what makes pairs of coordinates
/// there makes pairs of neighbours in the product. Nothing where it is none.
template <class F>
std::optional<ContinuousRepresentation> in_last_factor(const ContinuousRepresentation& V, const F& f) {
  if (!V.node().is<ContinuousNode::External>()) return std::nullopt;
  std::vector<ContinuousRepresentation> parts;
  for (const auto& part : V.node().parts) {
    if (!parts.empty() && parts.back().group().is_complex()) return std::nullopt;
    parts.emplace_back(part);
  }
  parts.back() = f(parts.back());
  return external_product(V.group(), parts);
}

}  // namespace intertwine
