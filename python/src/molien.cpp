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
  nb::class_<MolienSeries> c(m, "MolienSeries", nb::is_final(),
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
      R"(How many equivariant polynomial maps there are in each degree.

The number in degree k is dim Hom(Sym^k V, W): homogeneous polynomial maps F: V -> W with F(g x) = g F(x). It is found by characters,
Molien's and Weyl's formula.

Parameters
----------
V : Representation
    the variables.
W : Representation, optional
    the values; the trivial representation where it is not given, so that invariants are counted.
degree : int
    the last degree.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
MolienSeries
    the numbers, and the closed form where the group is finite, or its torus and V are small.

Raises
------
LimitError
    where memory or time would be more than allowed.

See Also
--------
polynomial_maps : a basis of one degree.

Examples
--------
>>> print(molien_series(Group('S3').rep('perm'), degree=6))
  1 1 2 3 4 5 7
  = (1) / ((1 - t)(1 - t^2)(1 - t^3))
<BLANKLINE>)");
}

}  // namespace intertwine::python
