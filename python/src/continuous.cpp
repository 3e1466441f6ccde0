// The methods of groups and representations that classical groups and their products with finite ones add.
#include "bindings.hpp"
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/io/continuous_expression.hpp"

namespace intertwine::python {

void bind_continuous(nb::module_& m) {
  auto group = class_of<hom::Group>();
  group.def_prop_ro(
      "is_complex", [](const ContinuousGroup& G) { return G.is_complex(); },
      "Are the representations of a classical group complex (SU(n), U(n))? Their equivariant maps still have "
      "a rational basis.");
  group.def_prop_ro(
      "generator_names", [](const ContinuousGroup& G) { return G.generator_names(); },
      "What each of Representation.generator_matrices() is the matrix of, for classical groups and their "
      "products.");
  auto V = class_of<hom::Representation>();
  def_limited(
      V, "real_form",
      [](const Limits& limits, const ContinuousRepresentation& V) {
        return limits.run([&](const Task& task) { return real_form(V, task); });
      },
      "The real representation of the same dimension that an irreducible one of SU(n) or U(n) with indicator "
      "+ has: V.real() is twice that.\n"
      "DomainError if there is none.");
  m.def("known_continuous_groups", &known_continuous_groups, "The names of continuous groups that expressions know.");
  m.def("known_continuous_representations", &known_continuous_representations,
        "The names of representations of continuous groups that expressions know.");
}

}  // namespace intertwine::python
