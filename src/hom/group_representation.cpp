// The algebra of representations of every kind.
#include "intertwine/hom/group_representation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <type_traits>

#include "intertwine/classical/continuous_decomposition.hpp"
#include "intertwine/classical/linear_molecules.hpp"
#include "intertwine/equivariant/difference.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/schur_representation.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/kernel_sites.hpp"
#include "same_group.hpp"

namespace intertwine::hom {

namespace {

/// "irrep([1,1]) + 2*irrep([0,0])".
template <class Terms, class Label>
std::string sum_of_irreps(const Terms& terms, Label label) {
  std::string text;
  for (const auto& [irrep, coefficient] : terms) {
    const bool minus = coefficient < 0;
    const Integer size = minus ? Integer(-coefficient) : coefficient;
    text += text.empty() ? minus ? "-" : "" : minus ? " - " : " + ";
    if (size != 1) text += size.str() + "*";
    text += "irrep(" + label(irrep) + ")";
  }
  return text.empty() ? "0*trivial" : text;
}

/// Highest weights of a product by the list of all factors: labels, then charges.
Weight joined_weight(const LieGroup& G, const std::vector<FactorIrrep>& factors) {
  Weight labels, charges;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const std::vector<int>& own = factors[k].label;
    const auto torus = static_cast<std::ptrdiff_t>(G.factors()[k].type().torus_rank());
    labels.insert(labels.end(), own.begin(), own.end() - torus);
    charges.insert(charges.end(), own.end() - torus, own.end());
  }
  labels.insert(labels.end(), charges.begin(), charges.end());
  return labels;
}

/// The kind of the answer, where both sides are of this kind, by `by_matrices` or `by_characters`; with matrices that
/// are too large by characters, where there are highest weights or species.
template <class Matrices, class Characters>
Representation either(const Representation& V, const Representation& W, const Task& task, Matrices by_matrices,
                      Characters by_characters) {
  require_same_group(V, W);
  const bool has_species = V.group().centre_of_linear_molecule().has_value();
  const auto characters = [&](const std::string& reason) {
    if (has_species) return Representation(by_characters(axial_character(V, task), axial_character(W, task)), reason);
    return Representation(V.group(), by_characters(character(V, task), character(W, task)), reason);
  };
  if (const auto* a = V.as<intertwine::Representation>()) return by_matrices(*a, *W.as<intertwine::Representation>());
  if (V.has_matrices() && W.has_matrices()) try {
      return by_matrices(*V.as<ContinuousRepresentation>(), *W.as<ContinuousRepresentation>());
    } catch (const LimitError& e) {
      if (!has_species && !V.group().reductive()) throw;
      return characters(e.what());
    }
  return characters(V.has_matrices() ? W.reason() : V.reason());
}

template <class Matrices, class Characters>
Representation of_one(const Representation& V, const Task& task, Matrices by_matrices, Characters by_characters) {
  return either(
      V, V, task, [&](const auto& a, const auto&) { return by_matrices(a); },
      [&](const auto& a, const auto&) { return by_characters(a); });
}

std::uint64_t copies(const Integer& k) {
  if (k < 0 || k > std::numeric_limits<std::uint64_t>::max())
    throw DomainError(fmt::format("k copies of a representation: k is a whole number from 0 to {}, not {}",
                                  std::numeric_limits<std::uint64_t>::max(), k.str()));
  return static_cast<std::uint64_t>(k);
}

unsigned exponent(std::uint64_t k) {
  if (k > std::numeric_limits<unsigned>::max())
    throw DomainError(fmt::format("the tensor power V ** k: k is a whole number from 0 to {}, not {}",
                                  std::numeric_limits<unsigned>::max(), k));
  return static_cast<unsigned>(k);
}

int degree(unsigned k) {
  if (k > static_cast<unsigned>(std::numeric_limits<int>::max()))
    throw LimitError(fmt::format("sym and alt of characters have degrees up to {}", std::numeric_limits<int>::max()));
  return static_cast<int>(k);
}

}  // namespace

void require_same_group(const Representation& V, const Representation& W) {
  if (!(V.group() == W.group()))
    throw DomainError(
        fmt::format("the representations belong to different groups, {} and {}", V.group().name(), W.group().name()));
}

Representation::Representation(intertwine::Representation V) : group_(V.group()), kind_(std::move(V)) {}
Representation::Representation(ContinuousRepresentation V) : group_(V.group()), kind_(std::move(V)) {}
Representation::Representation(AxialCharacter V, std::string reason)
    : group_(linear_molecule_group(V.has_centre())), kind_(std::move(V)), reason_(std::move(reason)) {}
Representation::Representation(Group G, LieCharacter V, std::string reason)
    : group_(std::move(G)), kind_(std::move(V)), reason_(std::move(reason)) {
  const auto weights = group_.reductive();
  if (!weights || !(weights->type() == std::get<LieCharacter>(kind_).type()))
    throw DomainError(fmt::format("{} has no representations by highest weights of this type", group_.name()));
  for (const WeightTerm& term : std::get<LieCharacter>(kind_)) weights->require_weight(term.weight);
}

void Representation::require_matrices(const std::string& what) const {
  if (has_matrices()) return;
  if (!reason_.empty())
    throw DomainError(fmt::format("{}: {}; without matrices the representation of {} is known by its character only",
                                  what, reason_, group_.name()));
  throw DomainError(fmt::format("{}: representations of {} are known by their characters only", what, group_.name()));
}

Integer Representation::dimension() const {
  return std::visit([](const auto& V) -> Integer { return Integer(V.dimension()); }, kind_);
}

std::string Representation::to_string() const {
  if (const auto* V = as<intertwine::Representation>()) return V->to_string();
  if (const auto* V = as<ContinuousRepresentation>()) return V->to_string();
  if (const auto* V = as<AxialCharacter>())
    return sum_of_irreps(V->terms(), [](const AxialIrrep& irrep) { return intertwine::to_string(irrep); });
  return sum_of_irreps(as<LieCharacter>()->terms(),
                       [](const Weight& weight) { return fmt::format("[{}]", fmt::join(weight, ",")); });
}

bool Representation::is_complex() const {
  if (const auto* V = as<intertwine::Representation>()) return !V->field().is_real();
  const auto* V = as<ContinuousRepresentation>();
  return V == nullptr || V->scalars() == Scalars::complex;
}

LieCharacter character(const Representation& V, const Task& task) {
  if (const auto* chi = V.as<LieCharacter>()) return *chi;
  const auto G = V.group().reductive();
  const auto* R = V.as<ContinuousRepresentation>();
  if (!G || R == nullptr)
    throw DomainError(
        fmt::format("{} has no highest weights; the groups that have are connected, such as SU(3), "
                    "G2 and SU(2) x E6",
                    V.group().name()));
  std::vector<WeightTerm> terms;
  for (const ContinuousConstituent& part : decompose(*R, task))
    terms.push_back({joined_weight(*G, part.factors), part.multiplicity});
  return {G->type(), std::move(terms)};
}

AxialCharacter axial_character(const Representation& V, const Task& task) {
  if (const auto* chi = V.as<AxialCharacter>()) return *chi;
  if (const auto* R = V.as<ContinuousRepresentation>()) return axial_character(*R, task);
  throw DomainError(V.group().name() + " is none of the groups of linear molecules, C∞v and D∞h");
}

Representation natural_representation(const Group& G) {
  if (const auto* H = G.as<FiniteGroup>()) return natural_permutation_representation(*H);
  if (const auto* H = G.as<ContinuousGroup>()) return intertwine::natural_representation(*H);
  return {G, G.as<LieGroup>()->vector()};
}

Representation trivial_representation(const Group& G) {
  if (const auto* H = G.as<FiniteGroup>()) return intertwine::trivial_representation(*H);
  if (const auto* H = G.as<ContinuousGroup>()) return intertwine::trivial_representation(*H);
  return {G, G.as<LieGroup>()->trivial()};
}

AtKernelSites at_kernel_sites(const Representation& V, std::vector<std::uint64_t> sizes, const Task& task) {
  const auto* R = V.as<intertwine::Representation>();
  if (R == nullptr)
    throw DomainError("kernels on a grid are of finite groups, which " + V.group().name() +
                      " is not; steerable kernels are of SE(n) and E(n)");
  sizes = kernel_extents(R->group(), std::move(sizes));
  const intertwine::Representation cells = kernel_sites(R->group(), sizes, task);
  std::optional<intertwine::Representation> at_cells;
  for (const auto& [multiplicity, part] : R->summands()) {
    const intertwine::Representation term = multiplicity * (part * cells);
    at_cells = at_cells ? *at_cells + term : term;
  }
  return {at_cells ? *at_cells : *R * cells, std::move(sizes)};
}

Representation sum(const Representation& V, const Representation& W, const Task& task) {
  return either(
      V, W, task, [](const auto& a, const auto& b) -> Representation { return a + b; },
      [](const auto& a, const auto& b) { return a + b; });
}

Representation difference(const Representation& V, const Representation& W, const Task& task) {
  require_same_group(V, W);
  if (const auto* a = V.as<intertwine::Representation>())
    return intertwine::difference(*a, *W.as<intertwine::Representation>(), task);
  const std::string reason = "it is a difference, and these are differences of characters";
  if (V.group().centre_of_linear_molecule())
    return {axial_character(V, task) + Integer(-1) * axial_character(W, task), reason};
  return {V.group(), character(V, task) - character(W, task), reason};
}

Representation tensor_product(const Representation& V, const Representation& W, const Task& task) {
  return either(
      V, W, task, [](const auto& a, const auto& b) -> Representation { return a * b; },
      [&](const auto& a, const auto& b) { return intertwine::tensor_product(a, b, task); });
}

Representation multiple(const Integer& k, const Representation& V, const Task& task) {
  return of_one(
      V, task, [&](const auto& a) -> Representation { return copies(k) * a; }, [&](const auto& a) { return k * a; });
}

Representation tensor_power(const Representation& V, std::uint64_t k, const Task& task) {
  const auto power = [&](const auto& chi, auto product) {
    for (std::uint64_t i = 0; i < k; ++i) product = intertwine::tensor_product(product, chi, task);
    return product;
  };
  return of_one(
      V, task, [&](const auto& a) -> Representation { return intertwine::tensor_power(a, exponent(k)); },
      [&](const auto& a) {
        if constexpr (std::is_same_v<decltype(a), const AxialCharacter&>)
          return power(a, AxialCharacter::trivial(a.has_centre()));
        else
          return power(a, V.group().reductive()->trivial());
      });
}

Representation dual(const Representation& V) {
  if (const auto* a = V.as<intertwine::Representation>()) return intertwine::dual(*a);
  if (const auto* a = V.as<ContinuousRepresentation>()) return intertwine::dual(*a);
  if (V.as<AxialCharacter>() != nullptr) return V;
  return {V.group(), V.as<LieCharacter>()->dual(), V.reason()};
}

Representation sym(unsigned k, const Representation& V, const Task& task) {
  return of_one(
      V, task, [&](const auto& a) -> Representation { return intertwine::sym(k, a); },
      [&](const auto& a) { return symmetric_power(degree(k), a, task); });
}

Representation alt(unsigned k, const Representation& V, const Task& task) {
  return of_one(
      V, task, [&](const auto& a) -> Representation { return intertwine::alt(k, a); },
      [&](const auto& a) { return exterior_power(degree(k), a, task); });
}

Representation schur_power(const Partition& shape, const Representation& V, const Task& task) {
  return of_one(
      V, task,
      [&](const auto& a) -> Representation {
        if constexpr (requires { intertwine::schur_power(shape, a, task); })
          return intertwine::schur_power(shape, a, task);
        else
          return intertwine::schur_power(shape, a);
      },
      [&](const auto& a) { return schur_functor(shape, a, task); });
}

Representation real(const Representation& V) {
  V.require_matrices("real");
  if (const auto* a = V.as<intertwine::Representation>()) return restriction_of_scalars(*a, a->field().real_subfield());
  return restriction_of_scalars(*V.as<ContinuousRepresentation>());
}

}  // namespace intertwine::hom
