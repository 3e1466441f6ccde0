// Molien series.
#include "bindings.hpp"
#include "intertwine/characters/class_function.hpp"
#include "intertwine/hom/series.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "records.hpp"

namespace intertwine::python {

template <>
inline constexpr auto members<MolienSeries> =
    std::tuple(&MolienSeries::coefficients, &MolienSeries::degrees, &MolienSeries::numerator);

void bind_molien(nb::module_& m) {
  nb::class_<MolienSeries> c(
      m, "MolienSeries", nb::is_final(),
      "How many polynomial maps there are in every degree: coefficients, and numerator / "
      "prod (1 - t**d) over the degrees d where the closed form is proved.");
  c.def_ro("coefficients", &MolienSeries::coefficients, "Of t**0, t**1, ...");
  c.def_ro("degrees", &MolienSeries::degrees, "Of the factors 1 - t**d of the denominator.");
  c.def_ro("numerator", &MolienSeries::numerator,
           "Its coefficients of t**0, t**1, ...; empty where there is no closed form, or 0.");
  bind_record<MolienSeries>(c);
  c.def("__str__", [](const MolienSeries& s) { return to_text(s); });
  c.def("__repr__", [](const MolienSeries& s) {
    return "<MolienSeries " + nb::cast<std::string>(nb::repr(nb::cast(s.coefficients))) + ">";
  });
  def_limited(
      m, "molien_series",
      [](const Limits& limits, const hom::Representation& V, const std::optional<hom::Representation>& W,
         std::size_t degree) {
        return limits.run([&](const Task& task) { return hom::molien_series(V, W, degree + 1, task); });
      },
      nb::arg("V"), nb::arg("W") = nb::none(), nb::arg("degree") = 12,
      "dim Hom(Sym^k V, W) for k = 0, ..., degree: how many homogeneous polynomial maps F: V -> W have F(g "
      "x) = g F(x); "
      "invariants where W is not given.\n"
      "By characters: Molien's and Weyl's formula. The closed form is there for finite groups, and where the "
      "torus of a classical group "
      "and V are small.\n\n"
      ">>> print(molien_series(Group('S3').rep('perm'), degree=6))\n"
      "  1 1 2 3 4 5 7\n"
      "  = (1) / ((1 - t)(1 - t^2)(1 - t^3))\n"
      "<BLANKLINE>");
}

}  // namespace intertwine::python
