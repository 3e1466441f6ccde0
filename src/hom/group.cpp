// The answers that groups of every kind give alike.
#include "intertwine/hom/group.hpp"

#include <algorithm>

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/classical/linear_molecules.hpp"
#include "intertwine/error.hpp"
#include "overloaded.hpp"

namespace intertwine::hom {

namespace {

using Family = ClassicalGroup::Family;

/// The classical group of the same name, if there is one; its rank may be beyond what matrices are made for.
std::optional<ClassicalGroup> classical(const LieGroup& G) {
  if (G.degree() < 1 || static_cast<unsigned>(G.degree()) > ClassicalGroup::max_dimension) return std::nullopt;
  for (const Family family : {Family::SO, Family::SL, Family::GL, Family::Sp, Family::SU, Family::U, Family::Spin}) {
    if (family == Family::Spin && G.degree() < 3) continue;
    if (family == Family::Sp && G.degree() % 2 != 0) continue;
    const ClassicalGroup found(family, static_cast<unsigned>(G.degree()));
    if (lie_group_of(found) == G) return found;
  }
  return std::nullopt;
}

/// The factors of a product; a factor itself has none.
std::vector<LieGroup> factors_of(const LieGroup& G) {
  return G.factors().empty() ? std::vector<LieGroup>{G} : G.factors();
}

Group::Kind kind_of(const LieGroup& G) {
  std::vector<ContinuousGroup::Factor> factors;
  for (const LieGroup& factor : factors_of(G)) {
    const auto found = classical(factor);
    if (!found || factors.size() == 16) return G;
    factors.emplace_back(*found);
  }
  return ContinuousGroup(std::move(factors));
}

bool is_finite_factor(const ContinuousGroup::Factor& factor) {
  const auto* classical = std::get_if<ClassicalGroup>(&factor);
  return classical == nullptr || classical->lie_algebra().empty();
}

}  // namespace

Group::Group(const LieGroup& G) : kind_(kind_of(G)) {}

std::string Group::name() const {
  return std::visit([](const auto& G) -> std::string { return G.name(); }, kind_);
}

std::optional<std::uint64_t> Group::degree() const {
  const auto* G = as<FiniteGroup>();
  return G == nullptr ? std::nullopt : std::optional<std::uint64_t>(G->degree());
}

bool Group::is_finite() const {
  return std::visit(
      Overloaded{[](const FiniteGroup&) { return true; },
                 [](const ContinuousGroup& G) { return std::ranges::all_of(G.factors(), is_finite_factor); },
                 [](const LieGroup& G) { return G.type().rank() == 0; }},
      kind_);
}

std::optional<Integer> Group::order(const Task& task) const {
  if (const auto* G = as<FiniteGroup>()) return G->order(task);
  if (!is_finite()) return std::nullopt;
  Integer order = 1;
  if (const auto* G = as<ContinuousGroup>())
    for (const auto& factor : G->factors()) {
      const auto* finite = std::get_if<FiniteGroup>(&factor);
      order *= finite != nullptr ? finite->order(task)
                                 : Integer(1) << std::get<ClassicalGroup>(factor).component_generators().size();
    }
  return order;
}

std::vector<Group> Group::factors() const {
  return std::visit(Overloaded{[](const FiniteGroup& G) {
                                 std::vector<Group> list;
                                 for (const auto& factor : G.direct_factors()) list.emplace_back(factor.group);
                                 if (list.empty()) list.emplace_back(G);
                                 return list;
                               },
                               [](const ContinuousGroup& G) {
                                 std::vector<Group> list;
                                 for (const auto& factor : G.factors()) {
                                   const auto* finite = std::get_if<FiniteGroup>(&factor);
                                   if (finite != nullptr) list.emplace_back(*finite);
                                   if (finite == nullptr) list.emplace_back(ContinuousGroup({factor}));
                                 }
                                 return list;
                               },
                               [](const LieGroup& G) {
                                 std::vector<Group> list;
                                 for (const LieGroup& factor : factors_of(G)) list.emplace_back(factor);
                                 return list;
                               }},
                    kind_);
}

std::optional<LieGroup> Group::reductive() const {
  if (const auto* G = as<LieGroup>()) return *G;
  const auto* G = as<ContinuousGroup>();
  if (G == nullptr) return std::nullopt;
  std::vector<LieGroup> factors;
  for (const auto& factor : G->factors()) {
    const auto* classical = std::get_if<ClassicalGroup>(&factor);
    const bool named =
        classical != nullptr && classical->family() != Family::O && classical->positive() == classical->dimension();
    if (!named) return std::nullopt;
    factors.push_back(lie_group_of(*classical));
  }
  return LieGroup::product(factors);
}

std::optional<bool> Group::centre_of_linear_molecule() const {
  const auto* G = as<ContinuousGroup>();
  return G == nullptr ? std::nullopt : intertwine::centre_of_linear_molecule(*G);
}

Group direct_product(const std::vector<Group>& factors) {
  if (factors.size() == 1) return factors.front();
  std::vector<FiniteGroup> finite;
  std::vector<ContinuousGroup::Factor> classical;
  std::vector<LieGroup> reductive;
  for (const Group& G : factors) {
    if (const auto* H = G.as<FiniteGroup>()) finite.push_back(*H), classical.emplace_back(*H);
    if (const auto* H = G.as<ContinuousGroup>())
      classical.insert(classical.end(), H->factors().begin(), H->factors().end());
    if (const auto weights = G.reductive()) reductive.push_back(*weights);
  }
  if (!factors.empty() && finite.size() == factors.size()) return intertwine::direct_product(finite);
  const bool all_reductive = !factors.empty() && reductive.size() == factors.size();
  const bool has_molecule =
      std::ranges::any_of(factors, [](const Group& G) { return G.centre_of_linear_molecule().has_value(); });
  const bool all_classical =
      !has_molecule && std::ranges::none_of(factors, [](const Group& G) { return G.as<LieGroup>() != nullptr; });
  if (all_reductive) return LieGroup::product(reductive);  // classical again where all factors are, and not too many
  if (all_classical) return ContinuousGroup(std::move(classical));
  std::string names;
  for (const Group& G : factors) names += (names.empty() ? "" : " and ") + G.name();
  throw DomainError(
      "direct products are of finite and classical groups, such as S3 and SO(3), or of reductive ones, such "
      "as "
      "SU(2) and E6, and not of " +
      names + (has_molecule ? "; in products C∞v is O(2), and D∞h is O(2) x Ci" : ""));
}

}  // namespace intertwine::hom
