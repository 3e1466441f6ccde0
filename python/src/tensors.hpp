// Coordinates of tensors in symmetric and exterior powers, of finite and of continuous groups alike.
#pragma once
#include "bindings.hpp"
#include "intertwine/classical/continuous_power.hpp"
#include "intertwine/representations/power.hpp"

namespace intertwine::python {

inline void bind_tensors(nb::class_<hom::Representation>& c) {
  using V_t = hom::Representation;
  c.def_prop_ro(
      "power",
      [](const V_t& V) -> nb::object {
        const auto found = [](const auto& W) -> nb::object {
          const auto power = power_of(W);
          if (!power) return nb::none();
          return nb::make_tuple(power->base, power->exponent, power->symmetric ? "sym" : "alt");
        };
        if (const auto* W = V.as<Representation>()) return found(*W);
        if (const auto* W = V.as<ContinuousRepresentation>()) return found(*W);
        return nb::none();
      },
      nb::sig("def power(self) -> tuple[typing.Any, int, str] | None"),
      "(W, k, 'sym') if this was written as sym(k, W), (W, k, 'alt') of alt(k, W), otherwise None; sym(1, W) "
      "is W.");
  c.def(
      "coordinates",
      [](nb::handle self, const nb::object& tensor, const std::string& form) {
        return nb::object(nb::module_::import_("intertwine._tensors").attr("coordinates")(self, tensor, form));
      },
      nb::arg("tensor"), nb::arg("form") = "full",
      nb::sig("def coordinates(self, tensor: typing.Any, form: str = 'full') -> typing.Any"),
      "Coordinates [..., dimension] of symmetric tensors [..., n, ..., n] in sym(k, W), k axes of n = "
      "W.dimension, or "
      "of antisymmetric ones in alt(k, W).\n"
      "V.matrix(g) moves them as g moves the tensor. A component with different indices counts once for "
      "every order "
      "of these in sym: T_ij + T_ji for i < j; the components themselves are no coordinates.\n"
      "form, of sym(2, W) with n = 3: 'voigt' for vectors xx, yy, zz, yz, xz, xy of components, as of "
      "stress, "
      "'strain' for those with the last three doubled, 'mandel' for these times sqrt(2).\n"
      "Lists, NumPy arrays, and tensors of PyTorch; exact for whole numbers and fractions. DomainError if a "
      "tensor is "
      "not symmetric, or not antisymmetric.");
  c.def(
      "tensor",
      [](nb::handle self, const nb::object& coordinates, const std::string& form) {
        return nb::object(nb::module_::import_("intertwine._tensors").attr("tensor")(self, coordinates, form));
      },
      nb::arg("coordinates"), nb::arg("form") = "full",
      nb::sig("def tensor(self, coordinates: typing.Any, form: str = 'full') -> typing.Any"),
      "The tensors [..., n, ..., n] with these coordinates [..., dimension]: what coordinates() undoes, in "
      "the same "
      "forms. Whole numbers and fractions give whole numbers and fractions.");
}

}  // namespace intertwine::python
