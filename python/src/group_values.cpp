// The methods that tell a group apart in Python: its text, its hash and its pickle.
#include "bindings.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/io/group_expression.hpp"

namespace intertwine::python {

namespace {

/// The matrices that generate a group given by exact ones; none for other groups.
std::vector<FieldMatrix> matrices_of(const FiniteGroup& G) {
  const auto* given = G.structure().as<structure::Matrices>();
  return given != nullptr && !given->field.starts_with("GF") && G.coordinates().matrices
             ? G.coordinates().matrices()
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
  for (const Permutation& g : G.generators())
    generators += (generators.empty() ? "" : ", ") + quoted(g.to_string());
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

std::string group_text(const hom::Group& G) {
  const auto* finite = G.as<FiniteGroup>();
  return finite != nullptr ? text_of(*finite) : "Group(" + quoted(G.name()) + ")";
}

std::size_t hash_of(const hom::Group& G) {
  const auto* finite = G.as<FiniteGroup>();
  return finite != nullptr ? hash_of_finite(*finite) : Hasher().add(G.name()).value();
}

nb::object reduced_group(const hom::Group& G) {
  const auto* finite = G.as<FiniteGroup>();
  return finite != nullptr ? reduced_finite(*finite) : reduced(nb::type<hom::Group>(), G.name());
}

}  // namespace intertwine::python
