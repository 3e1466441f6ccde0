// Representations of the groups of linear molecules, by characters.
#include <nanobind/operators.h>

#include "bindings.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/io/lie_text.hpp"

namespace intertwine::python {

namespace {

using Terms = std::vector<std::pair<std::string, Integer>>;

Terms axial_terms(const AxialCharacter& V) {
  Terms terms;
  for (const auto& [irrep, multiplicity] : V.terms()) terms.emplace_back(to_string(irrep), multiplicity);
  return terms;
}

AxialCharacter of_terms(bool centre, const Terms& terms) {
  AxialCharacter sum(centre);
  for (const auto& [name, multiplicity] : terms)
    sum = sum + multiplicity * AxialCharacter::irrep(centre, parse_axial_irrep(centre, name));
  return sum;
}

AxialDecomposition decomposition_of(const AxialCharacter& V) { return {"", "representation", V}; }

std::string text_of(const AxialCharacter& V) {
  return "AxialRepresentation('" + V.group() + "', " +
         nb::cast<std::string>(nb::repr(nb::cast(axial_terms(V)))) + ")";
}

}  // namespace

void bind_axial(nb::module_& m) {
  nb::class_<AxialCharacter> c(
      m, "AxialRepresentation", nb::is_final(),
      "A representation of C∞v or D∞h, the groups of linear molecules, by its constituents: "
      "AxialRepresentation('D∞h', 'sym(2, vector)').\n"
      "Groups are also written Coov, Cinfv, Dooh, Dinfh; representations are vector, harmonic(l), parity, "
      "trivial, irrep(Πu)\n"
      "or irrep(Pi_u), and their sums, products, powers and functors, as in expressions.");
  c.def(
      "__init__",
      [](AxialCharacter* self, const std::string& group, const std::string& rep) {
        new (self) AxialCharacter(Limits().run([&](const Task& task) {
          return parse_axial_representation(axial_group_has_centre(group), rep, false, task);
        }));
      },
      nb::arg("group"), nb::arg("rep"));
  c.def(
      "__init__",
      [](AxialCharacter* self, const std::string& group, const Terms& constituents) {
        new (self) AxialCharacter(of_terms(axial_group_has_centre(group), constituents));
      },
      nb::arg("group"), nb::arg("constituents"));
  c.def_prop_ro("group", &AxialCharacter::group, "'C∞v' or 'D∞h'.");
  c.def_prop_ro("dimension", &AxialCharacter::dimension, "The dimension, exactly.");
  c.def("decompose", &axial_terms,
        "(name, multiplicity) of each constituent, g before u, then Σ+, Σ-, Π, Δ, ...\n\n"
        ">>> AxialRepresentation('Dooh', 'vector').decompose()\n"
        "[('Σu+', 1), ('Πu', 1)]");
  const auto power = [&c](const char* name, auto f, const char* doc) {
    def_limited(c, name, f, nb::arg("k"), doc);
  };
  power(
      "sym",
      [](const Limits& limits, const AxialCharacter& V, int k) {
        return limits.run([&](const Task& task) { return symmetric_power(k, V, task); });
      },
      "The symmetric power.");
  power(
      "alt",
      [](const Limits& limits, const AxialCharacter& V, int k) {
        return limits.run([&](const Task& task) { return exterior_power(k, V, task); });
      },
      "The exterior power.");
  def_limited(
      c, "schur",
      [](const Limits& limits, const AxialCharacter& V, PartitionLike functor) {
        const Partition lambda = functor.value();
        return limits.run([&](const Task& task) { return schur_functor(lambda, V, task); });
      },
      nb::arg("functor"), "The Schur functor of a partition.");
  c.def(
      "__add__", [](const AxialCharacter& a, const AxialCharacter& b) { return a + b; }, nb::is_operator());
  c.def(
      "__sub__", [](const AxialCharacter& a, const AxialCharacter& b) { return a + Integer(-1) * b; },
      nb::is_operator(), "A virtual representation.");
  c.def(
      "__mul__",
      [](const AxialCharacter& a, const AxialCharacter& b) {
        return Limits().run([&](const Task& task) { return tensor_product(a, b, task); });
      },
      nb::is_operator(), "The tensor product.");
  c.def(
      "__rmul__", [](const AxialCharacter& a, const Integer& n) { return n * a; }, nb::is_operator());
  c.def(
      "__pow__",
      [](const AxialCharacter& a, unsigned k) {
        return Limits().run([&](const Task& task) {
          AxialCharacter result = AxialCharacter::trivial(a.has_centre());
          for (unsigned i = 0; i < k; ++i) result = tensor_product(result, a, task);
          return result;
        });
      },
      nb::is_operator(), "The tensor power.");
  bind_value<AxialCharacter>(c, [](const AxialCharacter& V) { return std::hash<std::string>()(text_of(V)); });
  c.def(
      "__reduce__",
      [](const AxialCharacter& V) { return reduced(nb::type<AxialCharacter>(), V.group(), axial_terms(V)); },
      nb::sig(reduce_signature));
  c.def(
      "to_json", [](const AxialCharacter& V) { return to_json(decomposition_of(V)); }, "A JSON object.");
  c.def("__str__", [](const AxialCharacter& V) { return to_text(decomposition_of(V)); });
  c.def("__repr__", &text_of);
}

}  // namespace intertwine::python
