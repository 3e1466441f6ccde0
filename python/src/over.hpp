// The argument over='complex', 'real' or 'rational'.
#pragma once
#include <string>

#include "bindings.hpp"
#include "intertwine/error.hpp"
#include "intertwine/representations/decomposition.hpp"

namespace intertwine::python {

struct OverTag {
  static constexpr auto name = nb::detail::const_name("typing.Literal['complex', 'real', 'rational']");
};

inline BaseField base_field_of(const Typed<OverTag>& over) {
  if (!nb::isinstance<nb::str>(over.object)) throw DomainError("over is 'complex', 'real' or 'rational'");
  return base_field(nb::cast<std::string>(over.object));
}

}  // namespace intertwine::python
