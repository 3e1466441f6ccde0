// Real and complex coordinates: restriction of scalars of representations of SU(n) and U(n).
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "continuous_functors.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using Node = ContinuousNode;

/// Nothing where one is real and the other complex.
std::optional<Scalars> joined(Scalars a, Scalars b) {
  if (a == Scalars::either || a == b) return b;
  return b == Scalars::either ? std::optional(a) : std::nullopt;
}

[[noreturn]] void mixed(const std::string& real, const std::string& complex) {
  throw DomainError(fmt::format("{} is real and {} is complex: write real({}) for the second, or both without real",
                                real, complex, complex));
}

/// The parts of a node are alike, since it was made of them.
Scalars scalars_of(const Node& node) {
  if (!node.group.is_complex() || node.is<Node::Real>()) return Scalars::real;
  if (node.is<Node::Trivial>()) return Scalars::either;
  if (node.parts.empty()) return Scalars::complex;
  for (const auto& part : node.parts) {
    if (!part->group.is_complex()) continue;
    if (const Scalars own = scalars_of(*part); own != Scalars::either) return own;
  }
  return Scalars::either;
}

AbelianField field_of(const Node& node) {
  if (const auto* given = node.as<Node::Given>()) return given->matrices->field;
  if (const auto* finite = node.as<Node::Finite>()) return finite->V.field();
  AbelianField K;
  for (const auto& part : node.parts) K = AbelianField::compositum(K, field_of(*part));
  if (!node.is<Node::Real>() || K.is_rational()) return K;
  // real and imaginary parts
  return AbelianField::compositum(K, AbelianField::cyclotomic(4)).real_subfield();
}

}  // namespace

AbelianField ContinuousRepresentation::field() const { return field_of(*node_); }

Scalars ContinuousRepresentation::scalars() const { return scalars_of(*node_); }

Scalars common_scalars(const ContinuousRepresentation& V, const ContinuousRepresentation& U) {
  const std::optional<Scalars> both = joined(V.scalars(), U.scalars());
  if (!both) V.scalars() == Scalars::real ? mixed(V.to_string(), U.to_string()) : mixed(U.to_string(), V.to_string());
  return *both == Scalars::either ? Scalars::complex : *both;
}

void require_one_kind_of_scalars(const std::vector<ContinuousRepresentation>& V) {
  const ContinuousRepresentation *real = nullptr, *complex = nullptr;
  for (const ContinuousRepresentation& part : V) {
    if (!part.group().is_complex()) continue;
    if (part.scalars() == Scalars::real) real = &part;
    if (part.scalars() == Scalars::complex) complex = &part;
  }
  if (real != nullptr && complex != nullptr) mixed(real->to_string(), complex->to_string());
}

namespace {

ContinuousRepresentation real_node(const ContinuousRepresentation& V) {
  constexpr std::uint64_t largest = std::numeric_limits<std::int32_t>::max();
  if (V.dimension() > largest / 2)
    throw LimitError(fmt::format("real({}) has more than {} dimensions", V.to_string(), largest));
  return made({Node::Real{}, V.group(), 2 * V.dimension(), {V.handle()}});
}

/// real(V) over a product, in whose sums the trivial representation is a complex line as well.
ContinuousRepresentation real_product(const ContinuousRepresentation& V) {
  const ContinuousNode& node = V.node();
  if (!V.group().is_product() && V.scalars() == Scalars::complex) return real_node(V);
  if (node.is<Node::Sum>() || node.is<Node::Multiple>())
    return *same_functor<ContinuousRepresentation>(
        node, [&](std::size_t k) { return real_product(ContinuousRepresentation(node.parts[k])); }, {});
  if (const auto product = in_last_factor(V, real_product)) return *product;
  if (V.scalars() != Scalars::complex) {  // a summand that is real as well; by itself real(V) would be V
    const ContinuousRepresentation pair = 2 * trivial_representation(V.group());
    return V.dimension() == 1 ? 2 * V : V * pair;
  }
  return real_node(V);
}

}  // namespace

ContinuousRepresentation restriction_of_scalars(const ContinuousRepresentation& V) {
  if (V.group().is_product()) {
    const AbelianField K = V.field();
    const bool complex = V.scalars() == Scalars::complex;
    if (complex ? !K.is_rational() : K != K.real_subfield())
      throw DomainError(
          fmt::format("real(V) over a product is for V by rational matrices, and {} is over {}: take real(W) # U, "
                      "W being the representation of the finite factor",
                      V.to_string(), K.to_string()));
    return complex ? real_product(V) : V;
  }
  if (V.scalars() != Scalars::complex) return V;
  return real_node(V);
}

}  // namespace intertwine
