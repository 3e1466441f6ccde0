// Exact numbers.
#include <nanobind/stl/complex.h>

#include <cmath>
#include <limits>

#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/cyclotomic_inverse.hpp"
#include "intertwine/exact/exact_offer.hpp"
#include "intertwine/io/irrationalities.hpp"

namespace intertwine::python {

IrrationalNotation notation_named(const std::string& name) {
  if (name == "gap") return IrrationalNotation::gap;
  if (name == "square_roots") return IrrationalNotation::square_roots;
  if (name == "atlas") return IrrationalNotation::atlas;
  throw DomainError("notation is 'gap', 'square_roots' or 'atlas'");
}

namespace {

/// An attribute of a module, kept for the life of the process.
nb::handle kept(const char* module, const char* name) {
  return nb::object(nb::module_::import_(module).attr(name)).release();
}

nb::handle fraction_class() {
  static const nb::handle Fraction = kept("fractions", "Fraction");
  return Fraction;
}

Integer integer_of(nb::handle number) {
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow == 0) return Integer(small);
  const nb::object hex = nb::steal(PyNumber_ToBase(number.ptr(), 16));  // linear, and without Python's limit of digits
  if (!hex.is_valid()) throw nb::python_error();
  const auto digits = nb::cast<std::string>(hex);
  return digits[0] == '-' ? Integer(-Integer(digits.substr(1))) : Integer(digits);
}

}  // namespace

std::string python_type(nb::handle o) { return nb::cast<std::string>(nb::str(o.type().attr("__name__"))); }

nb::object to_python(const Integer& a) {
  if (a >= std::numeric_limits<long long>::min() && a <= std::numeric_limits<long long>::max())
    return nb::steal(PyLong_FromLongLong(static_cast<long long>(a)));
  if (a < 0) {  // not written in hexadecimal digits
    const nb::object size = to_python(Integer(-a));
    return nb::steal(PyNumber_Negative(size.ptr()));
  }
  const std::string hex = a.str(0, std::ios_base::hex);
  return nb::steal(PyLong_FromString(hex.c_str(), nullptr, 16));
}

nb::object to_python(const Rational& a) {
  const Integer p = numerator(a), q = denominator(a);
  if (q == 1) return to_python(p);
  return fraction_class()(to_python(p), to_python(q));
}

nb::object to_python(const Cyclotomic& a) {
  if (const std::int64_t* small = a.small_integer()) return nb::steal(PyLong_FromLongLong(*small));
  if (a.is_rational()) return to_python(a.to_rational());
  return nb::cast(a);
}

void forget_error() noexcept {
  const bool interrupted = PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) != 0;
  PyErr_Clear();
  if (interrupted) PyErr_SetInterrupt();
}

namespace {

/// integer_of what a call gave, if it gave something.
std::optional<Integer> integer_from(const nb::object& number) noexcept {
  try {
    if (number.is_valid()) return integer_of(number);
  } catch (nb::python_error& error) {
    error.restore();
  } catch (...) {  // no memory
    return std::nullopt;
  }
  forget_error();
  return std::nullopt;
}

}  // namespace

std::optional<Integer> as_integer(nb::handle o) noexcept {
  if (PyLong_Check(o.ptr())) return integer_from(nb::borrow(o));
  if (PyIndex_Check(o.ptr()) == 0) return std::nullopt;
  return integer_from(nb::steal(PyNumber_Index(o.ptr())));
}

std::optional<Rational> as_rational(nb::handle o) noexcept {
  if (const auto number = as_integer(o)) return Rational(*number);
  if (PyFloat_Check(o.ptr())) return std::nullopt;
  std::optional<Integer> parts[2];
  for (const int k : {0, 1}) {  // code of Python, which hasattr would call once more
    const nb::object part = nb::steal(PyObject_GetAttrString(o.ptr(), k == 0 ? "numerator" : "denominator"));
    if (part.is_valid())
      parts[k] = as_integer(part);
    else
      forget_error();
    if (!parts[k]) return std::nullopt;
  }
  if (*parts[1] == 0) return std::nullopt;
  return Rational(*parts[0], *parts[1]);
}

namespace {

/// The text to write for a float, as Python takes it: 1, Fraction(1, 3), 'sqrt(3)/2', Fraction('1e-20').
std::string offer_for(nb::handle number, const nb::object& as_float) {
  std::string text = nb::cast<std::string>(nb::str(number));
  if (leading_decimal(text) != std::optional<std::string_view>(text)) text = nb::cast<std::string>(nb::repr(as_float));
  const std::string offer = exact_offer(text);
  constexpr std::size_t longest = 24;
  if (offer.find('(') != std::string::npos) return "'" + offer + "'";
  if (offer.size() > longest) return "Fraction('" + text + "')";
  const std::size_t slash = offer.find('/');
  return slash == std::string::npos ? offer
                                    : "Fraction(" + offer.substr(0, slash) + ", " + offer.substr(slash + 1) + ")";
}

/// Texts without products, roots and angles are read in less time than it takes to ask what limits there are.
bool is_brief(std::string_view text) {
  constexpr std::size_t longest = 200;
  if (text.size() > longest) return false;
  for (std::size_t at = text.find('('); at != std::string_view::npos; at = text.find('(', at + 1))
    if (at == 0 || text[at - 1] != 'E') return false;
  return true;
}

Cyclotomic number_of_text(const std::string& text) {
  if (is_brief(text)) return parse_cyclotomic(text);
  return Limits().run([&](const Task& task) { return parse_cyclotomic(text, task); });
}

}  // namespace

Cyclotomic exact_number(nb::handle o) {
  if (nb::isinstance<Cyclotomic>(o)) return *nb::inst_ptr<Cyclotomic>(o);
  if (nb::isinstance<nb::str>(o)) return number_of_text(nb::cast<std::string>(o));
  if (const auto number = as_rational(o)) return Cyclotomic(*number);
  const auto gate = [o](const char* name) {
    return nb::object(nb::module_::import_("intertwine._numbers").attr(name)(o));
  };
  if (nb::hasattr(o, "free_symbols") && nb::hasattr(o, "func")) {  // SymPy
    const nb::object number = gate("number_from_sympy");
    if (!number.is_none()) return exact_number(number);
  }
  const nb::object as_float =
      nb::hasattr(o, "__float__") && !nb::hasattr(o, "__len__") ? nb::steal(PyNumber_Float(o.ptr())) : nb::object();
  if (!as_float.is_valid()) forget_error();
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  const std::string shown = nb::cast<std::string>(nb::repr(o));
  if (as_float.is_valid() && std::isfinite(PyFloat_AsDouble(as_float.ptr())))
    throw DomainError("the number " + shown + " is of the type " + python_type(o) +
                      ", and only exact ones are taken here; write " + offer_for(o, as_float) + " if that is meant");
  throw DomainError(shown.substr(0, 60) +
                    " is no exact number: take an int, a Fraction, a Cyclotomic or a text such as '1/2' or 'sqrt(2)'");
}

namespace {

struct NumberTag {
  static constexpr auto name = nb::detail::const_name("int | str | fractions.Fraction | Cyclotomic");
};
struct NotationTag {
  static constexpr auto name = nb::detail::const_name("typing.Literal['gap', 'square_roots', 'atlas']");
};

IrrationalNotation notation_of(const Typed<NotationTag>& notation) {
  return notation_named(nb::isinstance<nb::str>(notation.object) ? nb::cast<std::string>(notation.object)
                                                                 : std::string());
}
template <class Class, class F>
void bind_operator(Class& c, const char* name, const char* reflected, F f) {
  c.def(
      name, [f](const Cyclotomic& a, const Exact& b) { return Exact{f(a, b.value)}; }, nb::is_operator(),
      nb::arg("other"));
  c.def(
      reflected, [f](const Cyclotomic& a, const Exact& b) { return Exact{f(b.value, a)}; }, nb::is_operator(),
      nb::arg("other"));
}

}  // namespace

void bind_exact(nb::module_& m) {
  nb::class_<Cyclotomic> c(m, "Cyclotomic", nb::is_final(),
                           "A sum of roots of unity with rational coefficients, exact: "
                           "Cyclotomic('E(5)+E(5)^4'), E(n) = exp(2 pi i / n), as GAP\n"
                           "writes it. Arithmetic gives an int or a Fraction where the result is rational.");
  c.def(
      "__init__",
      [](Cyclotomic* self, const Typed<NumberTag>& number) { new (self) Cyclotomic(exact_number(number.object)); },
      nb::arg("number") = 0);
  c.def_prop_ro("conductor", &Cyclotomic::conductor, "The smallest n with the number in Q(E(n)).");
  c.def("terms", &Cyclotomic::terms,
        "Its terms (k, c), the number being the sum of c * E(n)^k, n the conductor, in the basis that GAP "
        "uses.");
  c.def_prop_ro("is_real", &Cyclotomic::is_real, "Is it its own complex conjugate?");
  c.def(
      "conjugate", [](const Cyclotomic& a) { return Exact{a.conjugate()}; }, "The complex conjugate.");
  c.def(
      "galois_conjugate", [](const Cyclotomic& a, std::int64_t k) { return Exact{a.galois_conjugate(k)}; },
      nb::arg("k"), "The image under E(n) -> E(n)^k, k coprime to the conductor.");
  c.def(
      "norm", [](const Cyclotomic& a) { return Limits().run([&](const Task& task) { return norm(a, task); }); },
      "The product of its images under the Galois group of Q(E(n)).");
  c.def("trace", &Cyclotomic::trace, "The sum of its images under the Galois group of Q(E(n)).");
  c.def(
      "to_latex", [](const Cyclotomic& a) { return to_latex(a); }, "The number in LaTeX.");
  c.def(
      "to_text",
      [](const Cyclotomic& a, const Typed<NotationTag>& notation) { return in_notation(a, notation_of(notation)); },
      nb::arg("notation") = "gap",
      "The number as text: \"gap\" E(5)+E(5)^4, \"square_roots\" (-1+ER(5))/2 where it is quadratic, "
      "\"atlas\" b5.");
  c.def(
      "_repr_latex_", [](const Cyclotomic& a) { return "$" + to_latex(a) + "$"; }, "For notebooks.");
  bind_systems(c, "The number");
  def_python(c, "to_sympy", "intertwine._gates", "cyclotomic_to_sympy", "def to_sympy(self) -> typing.Any",
             "The number in SymPy.");
  bind_operator(c, "__add__", "__radd__", [](const Cyclotomic& a, const Cyclotomic& b) { return a + b; });
  bind_operator(c, "__sub__", "__rsub__", [](const Cyclotomic& a, const Cyclotomic& b) { return a - b; });
  bind_operator(c, "__mul__", "__rmul__", [](const Cyclotomic& a, const Cyclotomic& b) { return a * b; });
  bind_operator(c, "__truediv__", "__rtruediv__", [](const Cyclotomic& a, const Cyclotomic& b) {
    return Limits().run([&](const Task& task) { return a * inverse(b, task); });
  });
  c.def("__neg__", [](const Cyclotomic& a) { return Exact{-a}; });
  c.def(
      "__pow__",
      [](const Cyclotomic& a, std::int64_t k) {
        return Exact{Limits().run([&](const Task& task) { return a.power(k, task); })};
      },
      nb::is_operator(), nb::arg("k"));
  c.def("__complex__", &Cyclotomic::to_complex);
  c.def("__float__", [](const Cyclotomic& a) {
    if (!a.is_real()) throw DomainError(to_string(a) + " is not real; take complex(...)");
    return a.to_complex().real();
  });
  c.def("__bool__", [](const Cyclotomic& a) { return !a.is_zero(); });
  c.def(
      "__eq__", [](const Cyclotomic& a, const Exact& b) { return a == b.value; }, nb::is_operator(), nb::arg("other"),
      nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [](const Cyclotomic& a) {
    return a.is_rational() ? nb::hash(to_python(a)) : static_cast<Py_hash_t>(a.hash());
  });
  bind_copies<Cyclotomic>(c);
  c.def("__str__", [](const Cyclotomic& a) { return to_string(a); });
  c.def("__repr__", [](const Cyclotomic& a) { return "Cyclotomic(" + quoted(to_string(a)) + ")"; });
  c.def(
      "__reduce__", [](const Cyclotomic& a) { return reduced(nb::type<Cyclotomic>(), to_string(a)); },
      nb::sig(reduce_signature));
  m.def(
      "E",
      [](const Integer& n, const Integer& k) {
        if (n < 1) throw DomainError("E(n) needs a positive n, not " + n.str());
        const auto order = static_cast<std::uint32_t>(std::min<Integer>(n, Cyclotomic::max_conductor + 1));
        return Exact{Cyclotomic::root_of_unity(order, static_cast<std::int64_t>(Integer(k % n)))};
      },
      nb::arg("n"), nb::arg("k") = 1, "The root of unity exp(2 pi i k / n), n up to 1,000,000.");
}

}  // namespace intertwine::python
