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

}  // namespace intertwine::python
