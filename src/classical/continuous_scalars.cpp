// Real and complex coordinates: restriction of scalars of representations of SU(n) and U(n).
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "continuous_functors.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using Kind = ContinuousNode::Kind;

/// Nothing where one is real and the other complex.
std::optional<Scalars> joined(Scalars a, Scalars b) {
  if (a == Scalars::either || a == b) return b;
  return b == Scalars::either ? std::optional(a) : std::nullopt;
}

[[noreturn]] void mixed(const std::string& real, const std::string& complex) {
  throw DomainError(
      fmt::format("{} is real and {} is complex: write real({}) for the second, or both without real", real,
                  complex, complex));
}

/// The parts of a node are alike, since it was made of them.
Scalars scalars_of(const ContinuousNode& node) {
  if (!node.group.is_complex()) return Scalars::real;
  switch (node.kind) {
    case Kind::trivial:
      return Scalars::either;
    case Kind::real:
      return Scalars::real;
    case Kind::irrep:
      return node.number == real_form_number ? Scalars::real : Scalars::complex;
    case Kind::dual:
    case Kind::sym:
    case Kind::alt:
    case Kind::schur:
    case Kind::sum:
    case Kind::multiple:
    case Kind::product:
    case Kind::power:
    case Kind::external: {
      Scalars out = Scalars::either;
      for (const auto& part : node.parts)
        if (part->group.is_complex() && out == Scalars::either) out = scalars_of(*part);
      return out;
    }
    default:
      return Scalars::complex;
  }
}

}  // namespace

namespace {

AbelianField field_of_node(const ContinuousNode& node) {
  if (node.kind == Kind::given) return node.given->field;
  if (node.kind == Kind::finite) return node.finite->field();
  AbelianField K;
  for (const auto& part : node.parts) K = AbelianField::compositum(K, field_of_node(*part));
  if (node.kind != Kind::real || K.is_rational()) return K;
  // real and imaginary parts
  return AbelianField::compositum(K, AbelianField::cyclotomic(4)).real_subfield();
}

}  // namespace

AbelianField ContinuousRepresentation::field() const { return field_of_node(*node_); }

Scalars ContinuousRepresentation::scalars() const { return scalars_of(*node_); }

Scalars common_scalars(const ContinuousRepresentation& V, const ContinuousRepresentation& U) {
  const std::optional<Scalars> both = joined(V.scalars(), U.scalars());
  if (!both)
    V.scalars() == Scalars::real ? mixed(V.to_string(), U.to_string()) : mixed(U.to_string(), V.to_string());
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
  return ContinuousRepresentation(std::make_shared<const ContinuousNode>(
      ContinuousNode{Kind::real, V.group(), 2 * V.dimension(), {V.handle()}, 0, {}, {}, {}, {}, {}}));
}

/// real(V) over a product, in whose sums the trivial representation is a complex line as well.
ContinuousRepresentation real_product(const ContinuousRepresentation& V) {
  const ContinuousNode& node = V.node();
  if (!V.group().is_product() && V.scalars() == Scalars::complex) return real_node(V);
  if (node.kind == Kind::sum || node.kind == Kind::multiple)
    return *same_functor(
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
      throw DomainError(fmt::format(
          "real(V) over a product is for V by rational matrices, and {} is over {}: take real(W) # U, "
          "W being the representation of the finite factor",
          V.to_string(), K.to_string()));
    return complex ? real_product(V) : V;
  }
  if (V.scalars() != Scalars::complex) return V;
  return real_node(V);
}

}  // namespace intertwine
