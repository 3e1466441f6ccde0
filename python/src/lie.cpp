// Answers by highest weights: the type of a group, weights of representations, restrictions to subgroups.
#include <nanobind/stl/pair.h>

#include "bindings.hpp"
#include "intertwine/classical/continuous_decomposition.hpp"
#include "intertwine/error.hpp"
#include "intertwine/hom/restriction.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/restriction_question.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine::python {

namespace {

using Terms = std::vector<std::pair<Weight, Integer>>;

LieGroup weights_of(const hom::Group& G, const char* what) {
  const auto found = G.reductive();
  if (!found)
    throw DomainError(std::string(what) +
                      " is of groups that have highest weights, such as SU(3), G2 and SU(2) x E6, and not of " +
                      G.name());
  return *found;
}

using Vector = std::optional<std::variant<hom::Representation, ClassFunction>>;

/// `vector` as a representation of the subgroup, or null.
const hom::Representation* vector_of(const Vector& vector, const hom::Group& to) {
  if (!vector) return nullptr;
  const auto* V = std::get_if<hom::Representation>(&*vector);
  if (V == nullptr)
    throw DomainError("restrict: vector is a representation of " + to.name() + ", not a class function");
  if (!(V->group() == to))
    throw DomainError("restrict: vector is a representation of " + V->group().name() + ", not of " + to.name());
  return V;
}

hom::Representation restricted(const hom::Representation& V, const hom::Group& to, const Vector& given,
                               hom::EmbeddingChoice choice, const Task& task) {
  const hom::Representation* vector = vector_of(given, to);
  const auto* along = vector != nullptr ? vector->as<ContinuousRepresentation>() : nullptr;
  const auto* whole = V.as<ContinuousRepresentation>();
  if (!to.reductive() && along != nullptr) V.require_matrices("restrict");
  if (!to.reductive() && along != nullptr && whole != nullptr) return restricted_along(*whole, *along, task);
  const LieGroup from = weights_of(V.group(), "restrict"), H = weights_of(to, "restrict");
  if (vector != nullptr) choice.vector = hom::character(*vector, task);
  return {to, restrict(hom::character(V, task), hom::lie_restriction(from, H, choice, task), task),
          "it is a restriction of characters"};
}

/// Spin(n) stands for SO(n) in the subgroup where spinors occur, as in the program.
hom::Representation restricted_or_covered(const hom::Representation& V, const hom::Group& to, const Vector& given,
                                          const hom::EmbeddingChoice& choice, const Task& task) {
  try {
    return restricted(V, to, given, choice, task);
  } catch (const DomainError&) {
    const std::optional<hom::Group> covered = given ? std::nullopt : with_spinors(to, task);
    if (!covered) throw;
    try {
      return restricted(V, *covered, given, choice, task);
    } catch (const DomainError&) {  // the first sentence names the group that was asked for
    }
    throw;
  }
}

/// A subgroup that is given by its name or as a value.
hom::Group subgroup_of(const Limits& limits, const std::variant<std::string, hom::Group>& to) {
  if (const auto* G = std::get_if<hom::Group>(&to)) return *G;
  return limits.run([&](const Task& task) { return parse_group(std::get<std::string>(to), task); });
}

/// `vector` as a character of the finite subgroup, or nothing.
std::vector<ClassFunction> vectors_of(const Vector& vector, const FiniteGroup& to, const Task& task) {
  if (!vector) return {};
  std::optional<ClassFunction> found;
  if (const auto* f = std::get_if<ClassFunction>(&*vector)) found = *f;
  if (const auto* W = std::get_if<hom::Representation>(&*vector))
    if (const auto* R = W->as<Representation>()) found = character_of(*R, table_of(R->group(), task), task);
  if (!found || !(found->table().group() == to))
    throw DomainError("restrict: vector is a character of " +
                      (found ? found->table().group().name() : std::string("another kind of group")) + ", not of " +
                      to.name());
  return {*found};
}

ClassFunction restricted_to_finite(const hom::Representation& V, const FiniteGroup& to, const Vector& vector,
                                   const hom::EmbeddingChoice& choice, const Task& task) {
  if (choice.principal || choice.matrix || choice.maximal)
    throw DomainError("restrict: principal, matrix and maximal are for reductive subgroups; how the finite group " +
                      to.name() + " acts is said by vector, a character of it");
  const LieGroup from = weights_of(V.group(), "restrict");
  return hom::finite_embedding(from, table_of(to, task), vectors_of(vector, to, task), task)
      .restrict(hom::character(V, task), task);
}

nb::object restricted_in_python(const Limits& limits, const hom::Representation& V, const hom::Group& to,
                                const Vector& vector, const hom::EmbeddingChoice& choice) {
  const int ways = vector.has_value() + choice.principal + choice.matrix.has_value() + choice.maximal;
  if (ways > 1)
    throw DomainError(
        "restrict: vector, principal, matrix and maximal say each how the subgroup is embedded; give one of "
        "them");
  const auto* H = to.as<FiniteGroup>();
  if (const auto* W = V.as<Representation>()) {
    if (H == nullptr || ways > 0)
      throw DomainError("restrict: a representation of the finite group " + V.group().name() +
                        " is restricted to its subgroups, by V.restrict(H)");
    return nb::cast(limits.run([&](const Task&) { return restriction(*W, *H); }));
  }
  if (H == nullptr)
    return nb::cast(limits.run([&](const Task& task) { return restricted_or_covered(V, to, vector, choice, task); }));
  return nb::cast(limits.run([&](const Task& task) { return restricted_to_finite(V, *H, vector, choice, task); }));
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
      "type", [](const hom::Group& G) { return property_of([&] { return weights_of(G, "type").type().name(); }); },
      "The type of a group that has highest weights, 'A2 x T1'. Weights are Dynkin labels in Bourbaki's "
      "order, factor by factor, then "
      "charges.");
  group.def_prop_ro(
      "rank", [](const hom::Group& G) { return property_of([&] { return weights_of(G, "rank").type().rank(); }); },
      "The number of labels and charges of a weight.");
  auto c = class_of<hom::Representation>();
  def_limited(
      c, "weights",
      [](const Limits& limits, const hom::Representation& V) {
        return weight_terms(
            limits.run([&](const Task& task) { return dominant_character(hom::character(V, task), task); }).terms());
      },
      "(dominant weight, multiplicity) for groups that have highest weights: the other weights are in their "
      "orbits under the Weyl group.");
  def_limited(
      c, "restrict",
      [](const Limits& limits, const hom::Representation& V, const std::variant<std::string, hom::Group>& to,
         const Vector& vector, bool principal, const std::optional<std::vector<std::vector<int>>>& matrix,
         bool maximal) {
        return Typed<AnyTag>{
            restricted_in_python(limits, V, subgroup_of(limits, to), vector, {{}, matrix, principal, maximal})};
      },
      nb::arg("subgroup"), nb::arg("vector") = nb::none(), nb::arg("principal") = false, nb::arg("matrix") = nb::none(),
      nb::arg("maximal") = false,
      "The restriction to a subgroup, a Group or its name. Of a finite group a representation of a group of "
      "some of its "
      "elements.\n"
      "Of groups that have highest weights, to such a group: embedded as usual; or so that the vector "
      "representation becomes `vector`; "
      "as the principal SL(2); or by a matrix that takes weights to weights, a row for each label of the "
      "subgroup; or as the maximal "
      "subgroup of smaller rank of F4, E6, E7 or E8. Where spinors occur, Spin(n) stands for SO(n) in the "
      "subgroup, "
      "and the group of the\n"
      "answer says so.\n"
      "Of SU(n), SL(n), U(n) and GL(n) also to O(n), SO+(p,q) and products with finite groups, by `vector`.\n"
      "To a finite group, a ClassFunction: that in which the vector representation becomes `vector`, or that "
      "by the group's "
      "coordinates, its first irreducible representation that fits, or its points.");
}

}  // namespace intertwine::python
