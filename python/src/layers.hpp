// The questions of representations about layers for PyTorch. Python answers them and imports intertwine.nn on demand.
#pragma once
#include "bindings.hpp"

namespace intertwine::python {

template <class V>
void bind_allowed_activations(nb::class_<V>& c) {
  c.def(
      "allowed_activations",
      [](nb::handle_t<V> self) {
        return nb::module_::import_("intertwine.nn.activation").attr("allowed_activations")(self);
      },
      nb::sig("def allowed_activations(self) -> dict[str, _ActivationRule]"),
      "Which activations commute with the group on fields of this type, and why: what "
      "intertwine.nn.allowed_activations says.\n"
      "Needs PyTorch.");
}

/// A method that a function of intertwine._elements answers, which is given the object and what the caller gives.
template <class C, class... Names>
void bind_elements(nb::class_<C>& c, const char* name, const char* signature, const char* documentation,
                   Names... names) {
  c.def(
      name,
      [name](nb::handle_t<C> self, nb::handle given) {
        return nb::module_::import_("intertwine._elements").attr(name)(self, given);
      },
      names..., nb::sig(signature), documentation);
}

}  // namespace intertwine::python
