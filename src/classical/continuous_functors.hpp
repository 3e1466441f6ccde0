// A representation put together as another one is, of other parts.
#pragma once
#include <optional>
#include <vector>

#include "continuous_node.hpp"
#include "intertwine/classical/continuous_representation.hpp"

namespace intertwine {

/// The dual, power, functor, multiple, sum or product that `node` is, of part(0), part(1), ... in the place of its own parts;
/// nothing where it is none of them.
template <class Part>
std::optional<ContinuousRepresentation> same_functor(const ContinuousNode& node, const Part& part,
                                                     const Task& task) {
  using Kind = ContinuousNode::Kind;
  switch (node.kind) {
    case Kind::dual:
      return dual(part(0));
    case Kind::sym:
      return sym(static_cast<unsigned>(node.number), part(0));
    case Kind::alt:
      return alt(static_cast<unsigned>(node.number), part(0));
    case Kind::schur:
      return schur_power(node.shape, part(0), task);
    case Kind::real: {
      const ContinuousRepresentation V = part(0);
      return V.scalars() == Scalars::complex ? restriction_of_scalars(V) : 2 * V;
    }
    case Kind::multiple:
      return node.number * part(0);
    case Kind::power:
      return tensor_power(part(0), static_cast<unsigned>(node.number));
    case Kind::sum:
    case Kind::product: {
      ContinuousRepresentation out = part(0);
      for (std::size_t k = 1; k < node.parts.size(); ++k)
        out = node.kind == Kind::sum ? out + part(k) : out * part(k);
      return out;
    }
    default:
      return std::nullopt;
  }
}

/// An external product whose last factor alone is complex, with f(that) in its place: what makes pairs of coordinates there makes pairs of neighbours in the
/// product. Nothing where it is none.
template <class F>
std::optional<ContinuousRepresentation> in_last_factor(const ContinuousRepresentation& V, const F& f) {
  if (V.node().kind != ContinuousNode::Kind::external) return std::nullopt;
  std::vector<ContinuousRepresentation> parts;
  for (const auto& part : V.node().parts) {
    if (!parts.empty() && parts.back().group().is_complex()) return std::nullopt;
    parts.emplace_back(part);
  }
  parts.back() = f(parts.back());
  return external_product(V.group(), parts);
}

}  // namespace intertwine
