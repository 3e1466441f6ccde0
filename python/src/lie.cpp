// Reductive groups and their representations, by characters.
#include <nanobind/operators.h>
#include <nanobind/stl/pair.h>

#include <functional>

#include <limits>

#include "bindings.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/io/lie_text.hpp"
#include "intertwine/reductive/finite_embedding.hpp"
#include "intertwine/reductive/lie_branching.hpp"

namespace intertwine::python {

namespace {

using Terms = std::vector<std::pair<Weight, Integer>>;

/// A character and the group whose it is: characters alone know only the type.
struct LieRepresentation {
  LieGroup group;
  LieCharacter chi;
  friend bool operator==(const LieRepresentation&, const LieRepresentation&) = default;
  LieRepresentation with(LieCharacter other) const { return {group, std::move(other)}; }
};

void require_same_group(const LieRepresentation& a, const LieRepresentation& b) {
  if (!(a.group == b.group))
    throw DomainError("representations of " + a.group.name() + " and " + b.group.name() + " do not combine");
}

Terms weight_terms(const std::vector<WeightTerm>& list) {
  Terms result;
  for (const WeightTerm& term : list) result.emplace_back(term.weight, term.coefficient);
  return result;
}

LieRepresentation of_terms(const LieGroup& G, const Terms& terms) {
  LieCharacter sum(G.type());
  for (const auto& [weight, multiplicity] : terms) sum = sum + multiplicity * G.irrep(weight);
  return {G, std::move(sum)};
}

LieRepresentation restricted(const Limits& limits, const LieRepresentation& V, const LieGroup& to,
                             const std::optional<LieRepresentation>& vector, bool principal,
                             const std::optional<std::vector<std::vector<int>>>& matrix, bool maximal) {
  if (vector.has_value() + principal + matrix.has_value() + maximal > 1)
    throw DomainError(
        "restrict: vector, principal, matrix and maximal say each how the subgroup is embedded; give one of "
        "them");
  return limits.run([&](const Task& task) {
    const LieRestriction f = matrix      ? restriction_by_matrix(V.group, to, *matrix, task)
                             : vector    ? restriction_by_vector(V.group, to, vector->chi, task)
                             : principal ? restriction_to_principal(V.group, to)
                             : maximal   ? restriction_to_irregular(V.group, to, task)
                                         : usual_restriction(V.group, to, task);
    return LieRepresentation{to, restrict(V.chi, f, task)};
  });
}

ClassFunction restricted_to_finite(const Limits& limits, const LieRepresentation& V, const FiniteGroup& to,
                                   const std::optional<ClassFunction>& vector) {
  if (vector && !(vector->table().group() == to))
    throw DomainError("restrict: vector is a character of " + vector->table().group().name() + ", not of " +
                      to.name());
  return limits.run([&](const Task& task) {
    const FiniteEmbedding f = vector ? FiniteEmbedding(V.group, {*vector}, task)
                                     : usual_embedding(V.group, table_of(to, task), task);
    return f.restrict(V.chi, task);
  });
}

LieDecomposition decomposition_of(const LieRepresentation& V) { return {V.group, "representation", V.chi}; }

void bind_lie_group(nb::module_& m) {
  nb::class_<LieGroup> c(m, "LieGroup", nb::is_final(),
                         "A reductive group by its name: LieGroup('SU(3)'), 'E8', 'Lie(A2 x T1)', 'SO(5) x "
                         "U(1)'. Weights are Dynkin "
                         "labels in Bourbaki's order, then charges.");
  c.def(
      "__init__", [](LieGroup* self, const std::string& name) { new (self) LieGroup(parse_lie_group(name)); },
      nb::arg("name"));
  c.def_prop_ro(
      "name", [](const LieGroup& G) { return G.name(); }, "The name, which gives the group back.");
  c.def_prop_ro(
      "type", [](const LieGroup& G) { return G.type().name(); }, "The type, 'A2 x T1'.");
  c.def_prop_ro(
      "order",
      [](const LieGroup& G) -> nb::object {
        return G.type().rank() == 0 ? nb::object(nb::int_(1))
                                    : nb::object(nb::float_(std::numeric_limits<double>::infinity()));
      },
      nb::sig("def order(self) -> int | float"),
      "The number of elements: math.inf, or 1 for the group of rank 0.");
  c.def_prop_ro(
      "is_finite", [](const LieGroup& G) { return G.type().rank() == 0; }, "Has it finitely many elements?");
  c.def_prop_ro(
      "rank", [](const LieGroup& G) { return G.type().rank(); },
      "The number of labels and charges of a weight.");
  c.def(
      "irrep",
      [](const LieGroup& G, const Weight& highest) {
        return LieRepresentation{G, G.irrep(highest)};
      },
      nb::arg("highest"), "The irreducible representation of this highest weight.");
  def_limited(
      c, "rep",
      [](const Limits& limits, const LieGroup& G, const std::string& text) {
        return limits.run([&](const Task& task) {
          return LieRepresentation{G, parse_lie_representation(G, text, task)};
        });
      },
      nb::arg("text"),
      "A representation by an expression: 'vector', 'adjoint', '2*irrep([1,1]) + sym(3, vector)'.");
  bind_value<LieGroup>(c, [](const LieGroup& G) { return std::hash<std::string>()(G.name()); });
  c.def(
      "__reduce__", [](const LieGroup& G) { return reduced(nb::type<LieGroup>(), G.name()); },
      nb::sig(reduce_signature));
  c.def("__str__", [](const LieGroup& G) { return G.name(); });
  c.def("__repr__", [](const LieGroup& G) { return "LieGroup('" + G.name() + "')"; });
}

void bind_lie_operators(nb::class_<LieRepresentation>& c) {
  c.def(
      "__add__",
      [](const LieRepresentation& a, const LieRepresentation& b) {
        require_same_group(a, b);
        return a.with(a.chi + b.chi);
      },
      nb::is_operator());
  c.def(
      "__sub__",
      [](const LieRepresentation& a, const LieRepresentation& b) {
        require_same_group(a, b);
        return a.with(a.chi - b.chi);
      },
      nb::is_operator(), "A virtual representation.");
  c.def(
      "__mul__",
      [](const LieRepresentation& a, const LieRepresentation& b) {
        require_same_group(a, b);
        return a.with(Limits().run([&](const Task& task) { return tensor_product(a.chi, b.chi, task); }));
      },
      nb::is_operator(), "The tensor product.");
  c.def(
      "__rmul__", [](const LieRepresentation& a, const Integer& n) { return a.with(n * a.chi); },
      nb::is_operator());
  c.def(
      "__pow__",
      [](const LieRepresentation& a, unsigned k) {
        LieCharacter result = a.group.trivial();
        for (unsigned i = 0; i < k; ++i)
          result = Limits().run([&](const Task& task) { return tensor_product(result, a.chi, task); });
        return a.with(std::move(result));
      },
      nb::is_operator(), "The tensor power.");
}

}  // namespace

void bind_lie(nb::module_& m) {
  bind_lie_group(m);
  nb::class_<LieRepresentation> c(
      m, "LieRepresentation", nb::is_final(),
      "A representation of a reductive group by its constituents: (highest weight, multiplicity) of each.");
  c.def(
      "__init__",
      [](LieRepresentation* self, const LieGroup& G, const Terms& terms) {
        new (self) LieRepresentation(of_terms(G, terms));
      },
      nb::arg("group"), nb::arg("constituents"));
  c.def_ro("group", &LieRepresentation::group, "The group.");
  c.def_prop_ro(
      "dimension", [](const LieRepresentation& V) { return V.chi.dimension(); }, "The dimension, exactly.");
  c.def_prop_ro(
      "T", [](const LieRepresentation& V) { return V.with(V.chi.dual()); }, "The dual.");
  c.def(
      "decompose", [](const LieRepresentation& V) { return weight_terms(V.chi.terms()); },
      "(highest weight, multiplicity) of each constituent, larger weights first.");
  def_limited(
      c, "weights",
      [](const Limits& limits, const LieRepresentation& V) {
        return weight_terms(
            limits.run([&](const Task& task) { return dominant_character(V.chi, task); }).terms());
      },
      "(dominant weight, multiplicity): the other weights are in their orbits under the Weyl group.");
  const auto power = [&c](const char* name, auto f, const char* doc) {
    def_limited(c, name, f, nb::arg("k"), doc);
  };
  power(
      "sym",
      [](const Limits& limits, const LieRepresentation& V, int k) {
        return V.with(limits.run([&](const Task& task) { return symmetric_power(k, V.chi, task); }));
      },
      "The symmetric power.");
  power(
      "alt",
      [](const Limits& limits, const LieRepresentation& V, int k) {
        return V.with(limits.run([&](const Task& task) { return exterior_power(k, V.chi, task); }));
      },
      "The exterior power.");
  def_limited(
      c, "schur",
      [](const Limits& limits, const LieRepresentation& V, PartitionLike functor) {
        const Partition lambda = functor.value();
        return V.with(limits.run([&](const Task& task) { return schur_functor(lambda, V.chi, task); }));
      },
      nb::arg("functor"), "The Schur functor of a partition.");
  def_limited(c, "restrict", restricted, nb::arg("to"), nb::arg("vector") = nb::none(),
              nb::arg("principal") = false, nb::arg("matrix") = nb::none(), nb::arg("maximal") = false,
              "The restriction to a subgroup, embedded as usual; or so that the vector representation "
              "becomes `vector`; as the principal "
              "SL(2); or by a matrix that takes weights to weights, a row for each label of the subgroup; or "
              "as the maximal "
              "subgroup of smaller rank of F4, E6, E7 or E8.");
  def_limited(
      c, "restrict", restricted_to_finite, nb::arg("to"), nb::arg("vector") = nb::none(),
      "The character of a finite subgroup: that in which the vector representation becomes `vector`, or "
      "that by the group's "
      "coordinates, its first irreducible representation that fits, or its points.");
  bind_lie_operators(c);
  bind_value<LieRepresentation>(c, [](const LieRepresentation& V) {
    std::size_t h = std::hash<std::string>()(V.group.name());
    for (const WeightTerm& term : V.chi)
      h = 31 * h + std::hash<std::string>()(to_string(term.weight) + term.coefficient.str());
    return h;
  });
  c.def(
      "__reduce__",
      [](const LieRepresentation& V) {
        return reduced(nb::type<LieRepresentation>(), V.group, weight_terms(V.chi.terms()));
      },
      nb::sig(reduce_signature));
  c.def(
      "to_json", [](const LieRepresentation& V) { return to_json(decomposition_of(V)); }, "A JSON object.");
  c.def("__str__", [](const LieRepresentation& V) { return to_text(decomposition_of(V)); });
  c.def("__repr__", [](const LieRepresentation& V) {
    return "LieRepresentation(LieGroup('" + V.group.name() + "'), " +
           nb::cast<std::string>(nb::repr(nb::cast(weight_terms(V.chi.terms())))) + ")";
  });
}

}  // namespace intertwine::python
