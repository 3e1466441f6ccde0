// The methods that tell a group apart in Python: its text, its hash and its pickle.
#include "bindings.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/io/group_expression.hpp"

namespace intertwine::python {

namespace {

/// The matrices that generate a group given by exact ones; none for other groups.
std::vector<FieldMatrix> matrices_of(const FiniteGroup& G) {
  const auto* given = G.structure().as<structure::Matrices>();
  return given != nullptr && !given->field.starts_with("GF") && G.coordinates().matrices ? G.coordinates().matrices()
                                                                                         : std::vector<FieldMatrix>();
}

std::string text_of(const FiniteGroup& G) {
  const std::string name = group_expression(G);
  if (!name.empty()) return "Group(" + quoted(name) + ")";
  std::string list;
  for (const FiniteGroup::Factor& factor : G.direct_factors())
    list += (list.empty() ? "" : ", ") + text_of(factor.group);
  if (!list.empty()) return "Group.direct_product([" + list + "])";
  for (const FieldMatrix& A : matrices_of(G))
    list += (list.empty() ? "" : ", ") + nb::cast<std::string>(nb::repr(nb::cast(Matrix(A))));
  if (!list.empty()) return "Group.from_matrices([" + list + "])";
  std::string generators;
  for (const Permutation& g : G.generators()) generators += (generators.empty() ? "" : ", ") + quoted(g.to_string());
  return "Group([" + generators + "], degree=" + std::to_string(G.degree()) + ")";
}

std::size_t hash_of_finite(const FiniteGroup& G) {
  Hasher hasher;
  hasher.add(G.degree());
  for (const Permutation& g : G.generators()) hasher.add(hash_of(g));
  for (const FiniteGroup::Factor& factor : G.direct_factors()) hasher.add(hash_of_finite(factor.group));
  return hasher.value();
}

nb::object reduced_finite(const FiniteGroup& G) {
  const std::string name = group_expression(G);
  if (!name.empty()) return reduced(nb::type<hom::Group>(), name);
  nb::list factors, matrices;
  for (const FiniteGroup::Factor& factor : G.direct_factors()) factors.append(factor.group);
  if (nb::len(factors) != 0) return reduced_by_method(nb::type<hom::Group>(), "direct_product", factors);
  for (const FieldMatrix& A : matrices_of(G)) matrices.append(Matrix(A));
  if (nb::len(matrices) != 0) return reduced_by_method(nb::type<hom::Group>(), "from_matrices", matrices);
  nb::list generators;
  for (const Permutation& g : G.generators()) generators.append(g);
  return reduced(nb::type<hom::Group>(), generators, G.degree());
}

}  // namespace

hom::Group named_factor(const hom::Group& G) {
  const auto* finite = G.as<FiniteGroup>();
  if (finite == nullptr || !group_expression(*finite).empty()) return G;
  if (finite->coordinates().matrices || !finite->direct_factors().empty())
    throw DomainError("a product with a classical group is known by its name, and " + finite->name() +
                      " has none that gives it back; take Group(G.generators), which forgets its matrices");
  const std::string name = explicit_group_expression(finite->degree(), finite->generators());
  return FiniteGroup(finite->degree(), {finite->generators().begin(), finite->generators().end()}, name);
}

std::string group_text(const hom::Group& G) {
  const auto* finite = G.as<FiniteGroup>();
  return finite != nullptr ? text_of(*finite) : "Group(" + quoted(G.name()) + ")";
}

std::size_t hash_of(const hom::Group& G) {
  const auto* finite = G.as<FiniteGroup>();
  if (finite != nullptr) return hash_of_finite(*finite);
  const auto* classical = G.as<ContinuousGroup>();
  if (classical == nullptr) return Hasher().add(G.name()).value();
  Hasher hasher;
  for (const auto& factor : classical->factors()) {
    const auto* permutations = std::get_if<FiniteGroup>(&factor);
    hasher.add(permutations != nullptr ? hash_of_finite(*permutations)
                                       : Hasher().add(std::get<ClassicalGroup>(factor).name()).value());
  }
  return hasher.value();
}

nb::object reduced_group(const hom::Group& G) {
  const auto* finite = G.as<FiniteGroup>();
  return finite != nullptr ? reduced_finite(*finite) : reduced(nb::type<hom::Group>(), G.name());
}

}  // namespace intertwine::python
