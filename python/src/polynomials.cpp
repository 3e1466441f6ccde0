// Equivariant polynomial maps.
#include <nanobind/ndarray.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/tuple.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "intertwine/classical/continuous_polynomials.hpp"
#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/polynomial_maps_text.hpp"
#include "intertwine/io/records.hpp"
#include "polynomial_maps.hpp"

namespace intertwine::python {

namespace {

struct VectorTag {
  static constexpr auto name = nb::detail::const_name(
      "collections.abc.Sequence[int | str | fractions.Fraction | Cyclotomic] | "
      "numpy.typing.NDArray[typing.Any]");
};
struct ValuesTag {
  static constexpr auto name = nb::detail::const_name("typing.Any");
};
struct MapTermsTag {
  static constexpr auto name =
      nb::detail::const_name("list[list[tuple[int, int, int | fractions.Fraction | Cyclotomic]]]");
};
struct ArraysTag {
  static constexpr auto name = nb::detail::const_name("dict[str, numpy.typing.NDArray[typing.Any]]");
};

bool is_inexact_array(nb::handle o) {
  if (!nb::hasattr(o, "dtype")) return false;
  const auto kind = nb::cast<std::string>(nb::str(nb::object(o.attr("dtype").attr("kind"))));
  return kind == "f" || kind == "c";
}

/// The values of all maps at one exact vector.
nb::list values_at(const PolynomialBasis& F, nb::handle x) {
  std::vector<Cyclotomic> vector;
  const nb::object numbers = nb::hasattr(x, "tolist") ? nb::object(x.attr("tolist")()) : nb::borrow(x);
  for (const nb::handle item : nb::iter(numbers)) vector.push_back(exact_number(item));
  const auto values = Limits().run([&](const Task& task) {
    std::vector<std::vector<Cyclotomic>> list;
    for (std::size_t k = 0; k < F.maps.size(); ++k) {
      task.poll();
      list.push_back(F(k, std::span<const Cyclotomic>(vector)));
    }
    return list;
  });
  nb::list result;
  for (const auto& value : values) {
    nb::list row;
    for (const Cyclotomic& a : value) row.append(to_python(a));
    result.append(row);
  }
  return result;
}

/// One that Python cannot change.
template <class Number>
nb::object constant_array(std::vector<Number> list, std::initializer_list<std::size_t> shape) {
  return owned_array<const Number>(std::move(list), shape);
}

/// The terms as arrays, the variables of a monomial repeated as often as they occur in it.
nb::dict arrays_of(const PolynomialBasis& F) {
  std::vector<std::int64_t> map, output, monomial, variables;
  std::vector<double> real;
  std::vector<std::complex<double>> complex;
  bool is_real = true;
  for (const auto& terms : F.maps)
    for (const PolynomialTerm& term : terms) is_real = is_real && term.coefficient.is_real();
  for (std::size_t k = 0; k < F.maps.size(); ++k)
    for (const PolynomialTerm& term : F.maps[k]) {
      map.push_back(static_cast<std::int64_t>(k));
      output.push_back(static_cast<std::int64_t>(term.output));
      monomial.push_back(term.monomial);
      const std::complex<double> a = term.coefficient.to_complex();
      if (is_real)
        real.push_back(a.real());
      else
        complex.push_back(a);
    }
  for (const Monomial& m : F.monomials)
    for (const auto& [variable, exponent] : m) variables.insert(variables.end(), exponent, variable);
  const std::size_t n = map.size();
  nb::dict arrays;
  arrays["map"] = constant_array(std::move(map), {n});
  arrays["output"] = constant_array(std::move(output), {n});
  arrays["monomial"] = constant_array(std::move(monomial), {n});
  arrays["coefficient"] = is_real ? constant_array(std::move(real), {n}) : constant_array(std::move(complex), {n});
  arrays["variables"] = constant_array(std::move(variables), {F.monomials.size(), F.degree});
  return arrays;
}

using F = PolynomialMapsOfAnyKind;

template <class Work>
auto of_kind(const F& f, Work work) {
  return std::visit(work, f.kind());
}
std::string latex_of(const F& f) {
  return of_kind(f, [](const auto& maps) { return to_latex(record(maps)); });
}

void bind_questions(nb::class_<F>& c) {
  c.def_prop_ro("source", &F::source, "V.");
  c.def_prop_ro("target", &F::target, "W.");
  c.def_prop_ro(
      "degree", [](const F& f) { return f.basis().degree; }, "The degree of all coordinates.");
  c.def_prop_ro(
      "dimension", [](const F& f) { return f.basis().maps.size(); }, "The number of maps: all that there are.");
  c.def("__len__", [](const F& f) { return f.basis().maps.size(); });
  c.def_prop_ro(
      "route", [](const F& f) { return f.basis().route; }, "How they were counted by characters.");
  c.def_prop_ro(
      "field", [](const F& f) { return f.basis().field.to_string(); },
      "The field of the coefficients, which are integers of it.");
  c.def_prop_ro(
      "monomials", [](const F& f) { return f.basis().monomials; },
      "The monomials that occur: lists of (variable, exponent), 0-based.");
  c.def_prop_ro(
      "maps",
      [](const F& f) {
        nb::list maps;
        for (const auto& terms : f.basis().maps) {
          nb::list map;
          for (const PolynomialTerm& t : terms)
            map.append(nb::make_tuple(t.output, t.monomial, to_python(t.coefficient)));
          maps.append(map);
        }
        return Typed<MapTermsTag>{maps};
      },
      "For every map its terms (output, number of the monomial, coefficient).");
  c.def(
      "coordinate",
      [](const F& f, std::int64_t map, std::int64_t output) {
        return f.basis().coordinate(index_below(map, f.basis().maps.size()), index_below(output, f.basis().outputs));
      },
      nb::arg("map"), nb::arg("output"), "A coordinate of a map (0-based) as text, variables x1, x2, ... (1-based).");
  c.def(
      "__call__",
      [](nb::handle self, const Typed<VectorTag>& x) {
        if (is_inexact_array(x.object))
          return Typed<ValuesTag>{nb::module_::import_("intertwine._gates").attr("polynomial_values")(self, x.object)};
        return Typed<ValuesTag>{values_at(nb::inst_ptr<F>(self)->basis(), x.object)};
      },
      nb::arg("x"),
      "The values of all maps: lists of exact numbers at an exact vector; at arrays of floats of the shape "
      "[..., dim V] an array\n"
      "[..., maps, dim W].",
      nb::sig("def __call__(self, x: collections.abc.Sequence[int | str | fractions.Fraction | Cyclotomic] | "
              "numpy.typing.NDArray[typing.Any]) -> typing.Any"));
  c.def(
      "to_arrays", [](const F& f) { return Typed<ArraysTag>{arrays_of(f.basis())}; },
      "The terms of all maps in order as arrays, for other libraries: map, output, monomial, coefficient "
      "(rounded); and\n"
      "variables, [monomials, degree], those of every monomial, repeated as often as they occur.");
}

void bind_texts(nb::class_<F>& c) {
  def_python(c, "to_sympy", "intertwine._gates", "polynomial_maps_to_sympy", "def to_sympy(self) -> list[typing.Any]",
             "The maps as columns of polynomials in x1, x2, ...");
  c.def(
      "to_json", [](const F& f) { return of_kind(f, [](const auto& maps) { return to_json(record(maps)); }); },
      "A JSON object, which verify() proves again from its file and from_json() reads.");
  def_limited_static(
      c, "from_json",
      [](const Limits& limits, std::string text) {
        return limits.run([&](const Task& task) { return F(parse_polynomial_maps(text, "the text", task)); });
      },
      nb::arg("text"), "Reads what to_json() writes; verify() proves that it is true.");
  c.def(
      "to_latex", [](const F& f) { return latex_of(f); }, "A displayed formula for every map.");
  c.def(
      "to_gap",
      [](const F& f) { return of_kind(f, [](const auto& maps) { return to_system(Format::gap, record(maps)); }); },
      "An expression that GAP reads: a list of polynomials for every map.");
  c.def(
      "to_sage",
      [](const F& f) { return of_kind(f, [](const auto& maps) { return to_system(Format::sage, record(maps)); }); },
      "The same for Sage, and Python after `from sage.all import *`.");
  c.def(
      "_repr_latex_",
      [](const F& f) -> std::optional<std::string> {
        if (f.basis().terms() > 500) return std::nullopt;
        return notebook_displays(latex_of(f));
      },
      "For notebooks, up to 500 terms.");
  c.def("__str__", [](const F& f) { return of_kind(f, [](const auto& maps) { return to_text(record(maps)); }); });
  c.def("__repr__", [](const F& f) {
    return "polynomial_maps(" + representation_text(f.source()) + ", " + representation_text(f.target()) + ", " +
           std::to_string(f.basis().degree) + ")";
  });
  def_limited(
      c, "verify",
      [](const Limits& limits, const F& f) {
        limits.run([&](const Task& task) { of_kind(f, [&](const auto& maps) { verify(maps, task); }); });
      },
      "Proves again that the maps are equivariant, multiplied out, independent, and as many as there are; "
      "VerificationError\n"
      "names the first claim that fails.");
}

void bind_maps(nb::module_& m, const char* name, const char* text) {
  nb::class_<F> c(m, name, nb::is_final(), text);
  bind_questions(c);
  bind_texts(c);
  c.def(
      "__eq__",
      [](const F& a, const F& b) {
        return a.source() == b.source() && a.target() == b.target() && a.basis().degree == b.basis().degree &&
               a.basis().monomials == b.basis().monomials && a.basis().maps == b.basis().maps;
      },
      nb::is_operator(), nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [](const F& f) {
    return static_cast<Py_hash_t>(
        Hasher().add(hash_of(f.source())).add(f.target().to_string()).add(f.basis().degree).value());
  });
  bind_copies<F>(c);
  c.def(
      "__reduce__",
      [](const F& f) {
        return nb::make_tuple(nb::module_::import_("intertwine._gates").attr("polynomial_maps"),
                              nb::make_tuple(f.source(), f.target(), f.basis().degree));
      },
      nb::sig(reduce_signature));
}

F maps_between(const Limits& limits, const hom::Representation& V, const hom::Representation& U, unsigned degree) {
  return limits.run([&](const Task& task) { return F(hom::polynomial_maps(V, U, degree, task)); });
}

}  // namespace

void bind_polynomials(nb::module_& m) {
  bind_maps(m, "PolynomialMaps",
            "A basis of the homogeneous polynomial maps F: V -> W of one degree with F(rho(g) x) = rho(g) "
            "F(x), exact: see polynomial_maps().");
  def_limited(m, "polynomial_maps", maps_between, nb::arg("V"), nb::arg("U"), nb::arg("degree"),
              R"(The equivariant polynomial maps V -> U of one degree, for finite and classical groups.

Parameters
----------
V, U : Representation
    of one group.
degree : int
    0 are the invariant vectors of U, 1 is V >> U.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
PolynomialMaps
    a certified basis, its coefficients exact.

Raises
------
DomainError
    for a question that this kind of group cannot answer; the sentence says why.
LimitError
    where memory or time would be more than allowed.

See Also
--------
molien_series : their numbers alone.

Examples
--------
>>> V = Group('S3').rep('perm')
>>> polynomial_maps(V, Group('S3').rep('trivial'), 2).dimension
2)");
}

}  // namespace intertwine::python
