// Answers by highest weights: the type of a group, weights of representations, restrictions to subgroups.
#include <nanobind/stl/pair.h>

#include "bindings.hpp"
#include "intertwine/classical/continuous_decomposition.hpp"
#include "intertwine/error.hpp"
#include "intertwine/reductive/finite_embedding.hpp"
#include "intertwine/reductive/lie_branching.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine::python {

namespace {

using Terms = std::vector<std::pair<Weight, Integer>>;

LieGroup weights_of(const hom::Group& G, const char* what) {
  const auto found = G.reductive();
  if (!found)
    throw DomainError(
        std::string(what) +
        " is of groups that have highest weights, such as SU(3), G2 and SU(2) x E6, and not of " + G.name());
  return *found;
}

/// How a subgroup lies in the group.
struct Embedding {
  const std::optional<std::variant<hom::Representation, ClassFunction>>& vector;
  bool principal;
  const std::optional<std::vector<std::vector<int>>>& matrix;
  bool maximal;
};

hom::Representation restricted(const hom::Representation& V, const hom::Group& to, const Embedding& how,
                               const Task& task) {
  const hom::Representation* vector = nullptr;
  if (how.vector && !(vector = std::get_if<hom::Representation>(&*how.vector)))
    throw DomainError("restrict: vector is a representation of " + to.name() + ", not a class function");
  if (vector != nullptr && !(vector->group() == to))
    throw DomainError("restrict: vector is a representation of " + vector->group().name() + ", not of " +
                      to.name());
  const auto* along = vector != nullptr ? vector->as<ContinuousRepresentation>() : nullptr;
  const auto* whole = V.as<ContinuousRepresentation>();
  if (!to.reductive() && along != nullptr) V.require_matrices("restrict");
  if (!to.reductive() && along != nullptr && whole != nullptr) return restricted_along(*whole, *along, task);
  const LieGroup from = weights_of(V.group(), "restrict"), H = weights_of(to, "restrict");
  const LieRestriction f = how.matrix ? restriction_by_matrix(from, H, *how.matrix, task)
                           : vector != nullptr
                               ? restriction_by_vector(from, H, hom::character(*vector, task), task)
                           : how.principal ? restriction_to_principal(from, H)
                           : how.maximal   ? restriction_to_irregular(from, H, task)
                                           : usual_restriction(from, H, task);
  return {to, restrict(hom::character(V, task), f, task), "it is a restriction of characters"};
}

ClassFunction restricted_to_finite(const hom::Representation& V, const FiniteGroup& to, const Embedding& how,
                                   const Task& task) {
  if (how.principal || how.matrix || how.maximal)
    throw DomainError(
        "restrict: principal, matrix and maximal are for reductive subgroups; how the finite group " +
        to.name() + " acts is said by vector, a character of it");
  const LieGroup from = weights_of(V.group(), "restrict");
  std::optional<ClassFunction> vector;
  if (how.vector) {
    if (const auto* f = std::get_if<ClassFunction>(&*how.vector)) vector = *f;
    if (const auto* W = std::get_if<hom::Representation>(&*how.vector))
      if (const auto* R = W->as<Representation>())
        vector = character_of(*R, table_of(R->group(), task), task);
    if (!vector || !(vector->table().group() == to))
      throw DomainError("restrict: vector is a character of " +
                        (vector ? vector->table().group().name() : std::string("another kind of group")) +
                        ", not of " + to.name());
  }
  const FiniteEmbedding f =
      vector ? FiniteEmbedding(from, {*vector}, task) : usual_embedding(from, table_of(to, task), task);
  return f.restrict(hom::character(V, task), task);
}

nb::object restricted_in_python(const Limits& limits, const hom::Representation& V, const hom::Group& to,
                                const Embedding& how) {
  const bool embedded = how.vector || how.principal || how.matrix || how.maximal;
  if (how.vector.has_value() + how.principal + how.matrix.has_value() + how.maximal > 1)
    throw DomainError(
        "restrict: vector, principal, matrix and maximal say each how the subgroup is embedded; give one of "
        "them");
  const auto* H = to.as<FiniteGroup>();
  if (const auto* W = V.as<Representation>()) {
    if (H == nullptr || embedded)
      throw DomainError("restrict: a representation of the finite group " + V.group().name() +
                        " is restricted to its subgroups, by V.restrict(H)");
    return nb::cast(limits.run([&](const Task&) { return restriction(*W, *H); }));
  }
  if (H == nullptr)
    return nb::cast(limits.run([&](const Task& task) { return restricted(V, to, how, task); }));
  return nb::cast(limits.run([&](const Task& task) { return restricted_to_finite(V, *H, how, task); }));
}

Terms weight_terms(const std::vector<WeightTerm>& list) {
  Terms result;
  for (const WeightTerm& term : list) result.emplace_back(term.weight, term.coefficient);
  return result;
}

}  // namespace

void bind_lie() {
  auto group = class_of<hom::Group>();
  group.def_prop_ro(
      "type", [](const hom::Group& G) { return weights_of(G, "type").type().name(); },
      "The type of a group that has highest weights, 'A2 x T1'. Weights are Dynkin labels in Bourbaki's "
      "order, factor by factor, then "
      "charges.");
  group.def_prop_ro(
      "rank", [](const hom::Group& G) { return weights_of(G, "rank").type().rank(); },
      "The number of labels and charges of a weight.");
  auto c = class_of<hom::Representation>();
  def_limited(
      c, "weights",
      [](const Limits& limits, const hom::Representation& V) {
        return weight_terms(
            limits.run([&](const Task& task) { return dominant_character(hom::character(V, task), task); })
                .terms());
      },
      "(dominant weight, multiplicity) for groups that have highest weights: the other weights are in their "
      "orbits under the Weyl group.");
  def_limited(
      c, "restrict",
      [](const Limits& limits, const hom::Representation& V, const hom::Group& to,
         const std::optional<std::variant<hom::Representation, ClassFunction>>& vector, bool principal,
         const std::optional<std::vector<std::vector<int>>>& matrix, bool maximal) {
        return Typed<AnyTag>{restricted_in_python(limits, V, to, {vector, principal, matrix, maximal})};
      },
      nb::arg("subgroup"), nb::arg("vector") = nb::none(), nb::arg("principal") = false,
      nb::arg("matrix") = nb::none(), nb::arg("maximal") = false,
      "The restriction to a subgroup. Of a finite group a representation of a group of some of its "
      "elements.\n"
      "Of groups that have highest weights, to such a group: embedded as usual; or so that the vector "
      "representation becomes `vector`; "
      "as the principal SL(2); or by a matrix that takes weights to weights, a row for each label of the "
      "subgroup; or as the maximal "
      "subgroup of smaller rank of F4, E6, E7 or E8.\n"
      "Of SU(n), SL(n), U(n) and GL(n) also to O(n), SO+(p,q) and products with finite groups, by `vector`.\n"
      "To a finite group, a ClassFunction: that in which the vector representation becomes `vector`, or that "
      "by the group's "
      "coordinates, its first irreducible representation that fits, or its points.");
}

}  // namespace intertwine::python
