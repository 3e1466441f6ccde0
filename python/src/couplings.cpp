// Clebsch-Gordan coefficients, of SU(2), SO(3) and finite groups; orthonormal bases; steerable kernels.
#include <nanobind/stl/tuple.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/classical/compact_clebsch_gordan.hpp"
#include "intertwine/classical/orthonormal_form.hpp"
#include "intertwine/classical/steerable_kernels.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/signed_root.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/kernels_file.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/reductive/wigner_symbols.hpp"
#include "records.hpp"

namespace intertwine::python {

template <>
inline constexpr auto members<HalfInteger> = std::tuple(&HalfInteger::twice);
template <>
inline constexpr auto members<Coupling::Entry> =
    std::tuple(&Coupling::Entry::m1, &Coupling::Entry::m2, &Coupling::Entry::m, &Coupling::Entry::value);
template <>
inline constexpr auto members<Coupling> =
    std::tuple(&Coupling::j1, &Coupling::j2, &Coupling::j, &Coupling::basis, &Coupling::form, &Coupling::entries);
template <>
inline constexpr auto members<OrthogonalCopies> = std::tuple(&OrthogonalCopies::form, &OrthogonalCopies::maps,
                                                             &OrthogonalCopies::norms, &OrthogonalCopies::symmetries);
template <>
inline constexpr auto members<OrthonormalForm> = std::tuple(&OrthonormalForm::columns, &OrthonormalForm::norms);

namespace {

struct SpinTag {
  static constexpr auto name = nb::detail::const_name("int | fractions.Fraction | float | str");
};
/// A float counts too where it is half of an integer: then it is exact.
HalfInteger spin_of(const Typed<SpinTag>& given) {
  const nb::object& j = given.object;
  if (PyFloat_Check(j.ptr())) return parse_half_integer(nb::cast<std::string>(j.attr("__format__")(".17g")));
  const std::string shown = nb::cast<std::string>(nb::str(j)).substr(0, 60);
  if (nb::isinstance<nb::str>(j) || as_rational(j)) return parse_half_integer(shown);
  throw DomainError(shown + " is no spin; give an integer or half of one, such as 2 or Fraction(3, 2)");
}
Rational number_of(HalfInteger j) { return {j.twice, 2}; }

void bind_signed_root(nb::module_& m) {
  nb::class_<SignedRoot> c(m, "SignedRoot", nb::is_final(),
                           "A real number whose square is rational, sign * sqrt(square), exactly. float(a) "
                           "is the nearest double.");
  c.def(
      "__init__", [](SignedRoot* self, const Rational& value) { new (self) SignedRoot(value); }, nb::arg("value"));
  c.def_static(
      "of_square", [](const Rational& s) { return SignedRoot::of_signed_square(s); }, nb::arg("signed_square"),
      "sign(s) sqrt(|s|) for a rational s.");
  c.def_prop_ro("sign", &SignedRoot::sign, "-1, 0 or 1.");
  c.def_prop_ro("square", &SignedRoot::square, "The square.");
  c.def("__float__", &SignedRoot::to_double);
  c.def("__neg__", [](const SignedRoot& a) { return -a; });
  c.def("__bool__", [](const SignedRoot& a) { return !a.is_zero(); });
  c.def(
      "__mul__", [](const SignedRoot& a, const SignedRoot& b) { return a * b; }, nb::is_operator(), nb::arg("other"));
  c.def(
      "__truediv__", [](const SignedRoot& a, const SignedRoot& b) { return a / b; }, nb::is_operator(),
      nb::arg("other"));
  bind_value<SignedRoot>(c, [](const SignedRoot& a) { return Hasher().add(to_string(a.signed_square())).value(); });
  c.def("__str__", [](const SignedRoot& a) { return to_string(a); });
  c.def("__repr__", [](const SignedRoot& a) { return "SignedRoot(" + to_string(a) + ")"; });
  c.def(
      "__reduce__",
      [](const SignedRoot& a) { return reduced_by_method(nb::type<SignedRoot>(), "of_square", a.signed_square()); },
      nb::sig(reduce_signature));
}

void bind_coupling(nb::module_& m) {
  nb::class_<Coupling> c(m, "Coupling", nb::is_final(),
                         "The Clebsch-Gordan coefficients of j1 (x) j2 -> j that are not 0, or the 3j symbols.");
  c.def_prop_ro(
      "j1", [](const Coupling& c) { return number_of(c.j1); }, "The first factor.");
  c.def_prop_ro(
      "j2", [](const Coupling& c) { return number_of(c.j2); }, "The second factor.");
  c.def_prop_ro(
      "j", [](const Coupling& c) { return number_of(c.j); }, "The constituent.");
  c.def_prop_ro(
      "basis", [](const Coupling& c) { return c.basis == CouplingBasis::complex ? "complex" : "real"; },
      "\"complex\" or \"real\".");
  c.def_prop_ro(
      "entries",
      [](const Coupling& c) {
        std::vector<std::tuple<Rational, Rational, Rational, SignedRoot>> list;
        for (const auto& e : c.entries) list.emplace_back(number_of(e.m1), number_of(e.m2), number_of(e.m), e.value);
        return list;
      },
      "(m1, m2, m, value), by m, m1 and m2.");
  c.def(
      "array",
      [](const Coupling& c) {
        const std::size_t a = c.j1.twice + 1UL, b = c.j2.twice + 1UL, d = c.j.twice + 1UL;
        std::vector<double> numbers(a * b * d);
        for (const auto& e : c.entries)
          numbers[(Coupling::index(c.j1, e.m1) * b + Coupling::index(c.j2, e.m2)) * d + Coupling::index(c.j, e.m)] =
              e.value.to_double();
        return Typed<DoubleArrayTag>{owned_array<double>(std::move(numbers), {a, b, d})};
      },
      "The doubles nearest to all coefficients, of shape (2 j1 + 1, 2 j2 + 1, 2 j + 1), m = -j, ..., j.");
  c.def("__len__", [](const Coupling& c) { return c.entries.size(); });
  c.def("__repr__", [](const Coupling& c) {
    return "<Coupling " + to_string(c.j1) + " (x) " + to_string(c.j2) + " -> " + to_string(c.j) + ">";
  });
  bind_record<Coupling>(c);
}

std::vector<Coupling> spin_couplings(const Limits& limits, const std::string& group, const Typed<SpinTag>& left,
                                     const Typed<SpinTag>& right, const std::optional<Typed<SpinTag>>& index,
                                     const std::string& basis, bool symbols) {
  const std::string name = parse_group(group).name();
  if (name != "SU(2)" && name != "SO(3)")
    throw DomainError("clebsch_gordan is for 'SU(2)' and 'SO(3)', not for '" + group +
                      "'; finite groups have Group.clebsch_gordan");
  if (basis != "complex" && basis != "real")
    throw DomainError("basis is \"complex\" or \"real\", not \"" + basis + "\"");
  const auto spin = [&](const Typed<SpinTag>& j) {
    const HalfInteger s = spin_of(j);
    if (name == "SO(3)" && !s.is_integer())
      throw DomainError("SO(3) has the representations l = 0, 1, 2, ..., not " + to_string(s));
    return s;
  };
  const HalfInteger j1 = spin(left), j2 = spin(right);
  const std::optional<HalfInteger> only = index ? std::optional(spin(*index)) : std::nullopt;
  const CouplingBasis kind = basis == "real" ? CouplingBasis::real : CouplingBasis::complex;
  const CouplingForm form = symbols ? CouplingForm::symbols : CouplingForm::coefficients;
  return limits.run([&](const Task& task) {
    return only ? std::vector<Coupling>{coupling(j1, j2, *only, kind, form, task)}
                : couplings(j1, j2, kind, form, task);
  });
}

void bind_spins(nb::module_& m) {
  def_limited(m, "clebsch_gordan", spin_couplings, nb::arg("group"), nb::arg("left"), nb::arg("right"),
              nb::arg("index") = nb::none(), nb::arg("basis") = "complex", nb::arg("symbols") = false,
              R"(The exact Clebsch-Gordan coefficients <j1 m1 j2 m2|j m> of SU(2) or SO(3).

Parameters
----------
group : {'SU(2)', 'SO(3)'}
    the group.
left, right : int, Fraction or str
    j1 and j2; '3/2' is text for a half-integer.
index : int, Fraction or str, optional
    one j alone; by default all from |j1 - j2| to j1 + j2.
basis : {'complex', 'real'}
    |j m> with the phases of Condon and Shortley; or real spherical harmonics, m = -l, ..., l, as in e3nn.
symbols : bool
    Wigner's 3j symbols instead; with basis='real' the array is e3nn's wigner_3j.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
list of Coupling
    one for every j.

Raises
------
DomainError
    for spins that do not meet, or are no half-integers.

See Also
--------
wigner_3j, wigner_6j : single symbols.)");
  m.def(
      "wigner_3j",
      [](const Typed<SpinTag>& j1, const Typed<SpinTag>& j2, const Typed<SpinTag>& j3, const Typed<SpinTag>& m1,
         const Typed<SpinTag>& m2, const Typed<SpinTag>& m3) {
        return wigner_3j(spin_of(j1), spin_of(j2), spin_of(j3), spin_of(m1), spin_of(m2), spin_of(m3));
      },
      nb::arg("j1"), nb::arg("j2"), nb::arg("j3"), nb::arg("m1"), nb::arg("m2"), nb::arg("m3"),
      R"(Wigner's 3j symbol, exactly.

Parameters
----------
j1, j2, j3, m1, m2, m3 : int, Fraction or str
    spins and their components; '3/2' is text for a half-integer.

Returns
-------
SignedRoot
    a rational number's square root with its sign.

Raises
------
DomainError
    for numbers that are no half-integers.

See Also
--------
wigner_6j : the 6j symbol.

Examples
--------
>>> wigner_3j(1, 1, 2, 0, 0, 0)
SignedRoot(sqrt(2/15)))");
  m.def(
      "wigner_6j",
      [](const Typed<SpinTag>& j1, const Typed<SpinTag>& j2, const Typed<SpinTag>& j3, const Typed<SpinTag>& j4,
         const Typed<SpinTag>& j5, const Typed<SpinTag>& j6) {
        return wigner_6j(spin_of(j1), spin_of(j2), spin_of(j3), spin_of(j4), spin_of(j5), spin_of(j6));
      },
      nb::arg("j1"), nb::arg("j2"), nb::arg("j3"), nb::arg("j4"), nb::arg("j5"), nb::arg("j6"),
      "Wigner's 6j symbol {j1 j2 j3; j4 j5 j6}, exactly.");
}

std::vector<Matrix> matrices_of(const std::vector<FieldMatrix>& list) {
  std::vector<Matrix> out;
  for (const FieldMatrix& A : list) out.emplace_back(A);
  return out;
}

void bind_finite(nb::module_& m) {
  nb::class_<OrthogonalCopies> o(
      m, "OrthogonalCopies",
      "The copies of an irreducible representation U in a product V (x) W, orthogonal to each other.");
  o.def_prop_ro(
      "form", [](const OrthogonalCopies& c) { return Matrix(c.form); },
      "The Hermitian form that U leaves fixed; the identity where its matrices are unitary.");
  o.def_prop_ro(
      "maps", [](const OrthogonalCopies& c) { return matrices_of(c.maps); },
      "One T for each copy: (V (x) W)(g) T = T U(g).");
  o.def_prop_ro(
      "norms",
      [](const OrthogonalCopies& c) {
        nb::list list;
        for (const Cyclotomic& a : c.norms) list.append(to_python(a));
        return list;
      },
      nb::sig("def norms(self, /) -> list[int | fractions.Fraction | Cyclotomic]"),
      "T / sqrt(norm) is an isometry; different copies are orthogonal.");
  o.def_prop_ro(
      "symmetries", [](const OrthogonalCopies& c) { return c.symmetries; },
      "For V = W: 1 for copies in the symmetric square, -1 for those in the alternating one; otherwise 0.");
  o.def("__len__", [](const OrthogonalCopies& c) { return c.maps.size(); });
  o.def("__repr__", [](const OrthogonalCopies& c) {
    return "<OrthogonalCopies " + std::to_string(c.maps.size()) + " of dimension " + std::to_string(c.form.rows()) +
           ">";
  });
  bind_record<OrthogonalCopies>(o);

  nb::class_<TensorConstituent, OrthogonalCopies> k(m, "TensorConstituent", nb::is_final(),
                                                    "The copies of one irreducible representation R_k in R_i (x) R_j.");
  k.def_prop_ro(
      "irrep", [](const TensorConstituent& c) { return c.irreducible.row; }, "The row k of the character table.");
  k.def("__repr__", [](const TensorConstituent& c) {
    return "<TensorConstituent " + std::to_string(c.maps.size()) + " x irrep " + std::to_string(c.irreducible.row) +
           ">";
  });
  const auto state = [](const TensorConstituent& c) {
    return nb::make_tuple(Written<OrthogonalCopies>::to(c), c.irreducible.representation.group(), c.irreducible.row);
  };
  bind_by<TensorConstituent>(k, state);
  k.def("__getstate__", state, nb::sig("def __getstate__(self) -> tuple[object, ...]"));
  k.def(
      "__setstate__",
      [](TensorConstituent& self, const nb::tuple& state) {
        if (state.size() != 3) throw nb::cast_error();
        auto copies = Written<OrthogonalCopies>::from(state[0]);
        const auto G = nb::cast<FiniteGroup>(state[1]);
        const auto row = nb::cast<std::size_t>(state[2]);
        IrreducibleRepresentation R =
            Limits().run([&](const Task& task) { return irreducible_representation(table_of(G, task), row, task); });
        new (&self) TensorConstituent(std::move(copies), std::move(R));
      },
      nb::arg("state"), nb::sig("def __setstate__(self, state: tuple[object, ...]) -> None"));

  nb::class_<FiniteClebschGordan> c(
      m, "ClebschGordan", nb::is_final(),
      "A product R_i (x) R_j of irreducible representations of a finite group and its constituents.");
  c.def_prop_ro(
      "constituents", [](const FiniteClebschGordan& a) { return a.constituents; },
      "A TensorConstituent for each row of the character table that occurs.");
  c.def_prop_ro(
      "left_form", [](const FiniteClebschGordan& a) { return Matrix(a.left_form); }, "The form that R_i leaves fixed.");
  c.def_prop_ro(
      "right_form", [](const FiniteClebschGordan& a) { return Matrix(a.right_form); },
      "The form that R_j leaves fixed.");
  def_limited(
      c, "verify",
      [](const Limits& limits, const FiniteClebschGordan& a) {
        limits.run([&](const Task& task) { verify(a, task); });
      },
      "Proves the maps again from themselves; VerificationError names what fails.");
  c.def(
      "to_json", [](const FiniteClebschGordan& a) { return to_json(record(a)); }, "Everything as a JSON object.");
  bind_own_format(c);
  c.def(
      "describe", [](const FiniteClebschGordan& a) { return to_text(record(a)); }, "The maps in lines for people.");
  const auto question = [](const FiniteClebschGordan& a) {
    const nb::object only = a.constituents.size() == 1 ? nb::cast(a.constituents.front().irreducible.row) : nb::none();
    return nb::make_tuple(a.table.group(), a.left.row, a.right.row, only);
  };
  bind_by<FiniteClebschGordan>(c, question);
  c.def("__repr__", [question](const FiniteClebschGordan& a) {
    const nb::tuple asked = question(a);
    const bool all = asked[3].is_none();
    const nb::object rows = all ? nb::make_tuple(asked[1], asked[2]) : nb::make_tuple(asked[1], asked[2], asked[3]);
    return group_text(a.table.group()) + ".clebsch_gordan" + nb::cast<std::string>(nb::repr(rows));
  });
  c.def(
      "__reduce__",
      [question](const FiniteClebschGordan& a) {
        const nb::tuple asked = question(a);
        return reduced_by_method(asked[0], "clebsch_gordan", asked[1], asked[2], asked[3]);
      },
      nb::sig(reduce_signature));

  auto group = class_of<hom::Group>();
  def_limited(
      group, "clebsch_gordan",
      [](const Limits& limits, const FiniteGroup& G, std::size_t left, std::size_t right,
         std::optional<std::size_t> index) {
        return limits.run(
            [&](const Task& task) { return clebsch_gordan(table_of(G, task), left, right, index, task); });
      },
      nb::arg("left"), nb::arg("right"), nb::arg("index") = nb::none(),
      "The irreducible representations inside the product of those of two rows of the character table "
      "(0-based), by exact maps that\n"
      "are orthogonal to each other; with index only those of one row.");
}

void bind_compact() {
  auto V = class_of<hom::Representation>();
  def_limited(
      V, "clebsch_gordan",
      [](const Limits& limits, const ContinuousRepresentation& R, const ContinuousRepresentation& W,
         const ContinuousRepresentation& U) {
        return limits.run([&](const Task& task) -> OrthogonalCopies {
          return clebsch_gordan(R, W, std::vector<ContinuousRepresentation>{U}, task).constituents.front();
        });
      },
      nb::arg("other"), nb::arg("constituent"),
      "The copies of an irreducible representation in this one times another, by exact maps that are "
      "orthogonal to each other, for\n"
      "SU(n), U(n), SO(n), O(n) and Sp(2n). All three are irreducible; DomainError if it does not occur.");
}

void bind_orthonormal(nb::module_& m) {
  nb::class_<OrthonormalForm> c(
      m, "OrthonormalForm", nb::is_final(),
      "An orthonormal basis of a representation of SO(n) or O(n): the columns f_k / sqrt(norms[k]) of T; "
      "T^-1 rho(g) T is orthogonal.");
  c.def_prop_ro(
      "columns", [](const OrthonormalForm& f) { return Matrix(FieldMatrix(f.columns)); }, "The rational vectors f_k.");
  c.def_prop_ro(
      "norms", [](const OrthonormalForm& f) { return f.norms; }, "The squares of their lengths.");
  c.def(
      "entry",
      [](const OrthonormalForm& f, std::int64_t i, std::int64_t k) {
        return f.entry(index_below(i, f.norms.size()), index_below(k, f.norms.size()));
      },
      nb::arg("i"), nb::arg("k"), "An entry of T, exactly.");
  c.def(
      "array",
      [](const OrthonormalForm& f) {
        const std::size_t n = f.norms.size();
        std::vector<double> numbers(n * n);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t k = 0; k < n; ++k)
            if (f.columns.numerator().sign(i, k) != 0) numbers[i * n + k] = f.entry(i, k).to_double();
        return Typed<DoubleArrayTag>{owned_array<double>(std::move(numbers), {n, n})};
      },
      "T, by the doubles nearest to its entries.");
  c.def("__repr__", [](const OrthonormalForm& f) {
    return "<OrthonormalForm of dimension " + std::to_string(f.norms.size()) + ">";
  });
  bind_record<OrthonormalForm>(c);
  auto V = class_of<hom::Representation>();
  def_limited(
      V, "orthonormal_form",
      [](const Limits& limits, const ContinuousRepresentation& R, const std::string& axis) {
        if (axis != "y" && axis != "z") throw DomainError("axis is \"z\", or \"y\" as in e3nn, not \"" + axis + "\"");
        return limits.run(
            [&](const Task& task) { return orthonormal_form(R, axis == "y" ? PolarAxis::y : PolarAxis::z, task); });
      },
      nb::arg("axis") = "z",
      "An orthonormal basis, exact under square roots, for SO(n) and O(n): of harmonic(l) real spherical "
      "harmonics for m = -l, ..., l,\n"
      "their polar axis z, or y as in e3nn.");
}

/// Binds the common part of kernels on R^n, under any group.
template <class S>
void bind_space_kernels(nb::class_<S>& c) {
  c.def_prop_ro(
      "group", [](const S& s) { return s.group.name(); }, "The expression of the group.");
  c.def_prop_ro(
      "space_dimension", [](const S& s) { return s.group.dimension(); }, "n.");
  c.def_prop_ro(
      "source", [](const S& s) { return s.source; }, "V, without multiplicities in front: inputs, columns.");
  c.def_prop_ro(
      "target", [](const S& s) { return s.target; }, "U, without multiplicities in front: outputs, rows.");
  c.def_prop_ro("params", &S::params, "The number of kernels; multiplicities in front of V and U are channels.");
  c.def_prop_ro("dimension", &S::dimension, "The number with multiplicities counted.");
  c.def_prop_ro(
      "degrees",
      [](const S& s) {
        std::vector<unsigned> list;
        for (const auto& part : s.degrees) list.insert(list.end(), part.params(), part.degree);
        return list;
      },
      "The degree L of every kernel.");
  c.def(
      "terms",
      [](const S& s, std::int64_t k) {
        std::size_t number = index_below(k, s.params());
        std::vector<std::tuple<std::vector<unsigned>, std::uint64_t, std::uint64_t, Exact>> list;
        const std::uint64_t n = s.source.dimension();
        for (const auto& part : s.degrees) {
          if (number >= part.params()) {
            number -= part.params();
            continue;
          }
          part.each_term(number, [&](std::uint64_t monomial, std::uint64_t entry, const Cyclotomic& value) {
            list.emplace_back(part.monomials[monomial], entry / n, entry % n, Exact{value});
          });
          break;
        }
        return list;
      },
      nb::arg("k"), "Kernel k as (exponents, row, column, coefficient): the polynomial in entry (row, column).");
  def_limited(
      c, "verify", [](const Limits& limits, const S& s) { limits.run([&](const Task& task) { verify(s, task); }); },
      "Proves the kernels again from their polynomials; VerificationError names what fails.");
  c.def(
      "to_json", [](const S& s) { return to_json(record(s)); }, "Everything as a JSON object.");
  bind_own_format(c);
  bind_kernel_picture<[](const S& s, const Task& task) { return kernel_picture(s, 4, task); }>(c);
  bind_element_forms<[](const S& s, const Task&) { return record(s); }>(c);
  c.def(
      "describe", [](const S& s, bool elements) { return to_text(record(s, {.elements = elements})); },
      nb::arg("elements") = false, "The basis in lines for people, with elements=True the polynomials as well.");
  c.def("__len__", &S::params);
}

/// "3*(V)": what was asked for.
template <class Number>
std::string copies_of(const Number& k, const std::string& text) {
  return k == 1 ? text : Integer(k).str() + "*(" + text + ")";
}

/// repr, == and pickling by what was asked for.
template <class S, class Question>
void bind_question(nb::class_<S>& c, const char* function, Question question) {
  bind_by<S>(c, question);
  c.def("__repr__",
        [question, function](const S& s) { return function + nb::cast<std::string>(nb::repr(question(s))); });
  c.def(
      "__reduce__",
      [question, function](const S& s) {
        return nb::make_tuple(nb::module_::import_("intertwine._gates").attr(function), question(s));
      },
      nb::sig(reduce_signature));
}

void bind_steerable(nb::module_& m) {
  using S = SteerableKernels;
  nb::class_<S> c(m, "SteerableKernels", nb::is_final(),
                  "The exact basis of the kernels kappa(h x) = rho_out(h) kappa(x) rho_in(h)^-1 on R^n: "
                  "harmonic polynomials.");
  bind_space_kernels(c);
  c.def_prop_ro(
      "stabilizer", [](const S& s) { return s.stabilizer; },
      "The stabilizer of a point of the sphere, over which Hom has the same dimension.");
  bind_question(c, "steerable_kernels", [](const S& s) {
    return nb::make_tuple(s.group.name(), copies_of(s.channels.in, s.source.to_string()),
                          copies_of(s.channels.out, s.target.to_string()));
  });
  def_limited(
      m, "steerable_kernels",
      [](const Limits& limits, const std::string& group, const std::string& source, const std::string& target) {
        return limits.run([&](const Task& task) {
          const EuclideanGroup G = parse_euclidean_group(group, task);
          return steerable_kernels(G, parse_representation(G.point_group(), source, task),
                                   parse_representation(G.point_group(), target, task), task);
        });
      },
      nb::arg("group"), nb::arg("source"), nb::arg("target"),
      "The exact steerable kernels of 'SE(3)', 'E(2)', 'S5 x SE(3)', ... between fields of two types, "
      "representations of SO(n) or O(n)\n"
      "(of 'ISpin(n)' those of Spin(n), such as 'spinor')\n"
      "such as 'vector + 2*harmonic(2)'. steerable_kernel_basis() evaluates and samples them.");
}

void bind_point_kernels(nb::module_& m) {
  using S = PointKernels;
  nb::class_<S> c(m, "PointKernels", nb::is_final(),
                  "The exact basis of the kernels kappa(g x) = rho_out(g) kappa(x) rho_in(g)^-1 on R^n under a finite "
                  "group, up to some degree:\nharmonic polynomials.");
  bind_space_kernels(c);
  c.def_prop_ro(
      "up_to_degree", [](const S& s) { return s.most; }, "The largest degree that was asked for.");
  bind_question(c, "point_kernels", [](const S& s) {
    return nb::make_tuple(s.group.name(), copies_of(s.channels.in, s.source.to_string(TextForm::checked)),
                          copies_of(s.channels.out, s.target.to_string(TextForm::checked)), s.most);
  });
  def_limited(
      m, "point_kernels",
      [](const Limits& limits, const std::string& group, const std::string& source, const std::string& target,
         unsigned degree) {
        return limits.run([&](const Task& task) {
          const OrthogonalAction G = parse_orthogonal_action(group, task);
          return point_kernels(G, parse_representation(G.group(), source, task),
                               parse_representation(G.group(), target, task), degree, task);
        });
      },
      nb::arg("group"), nb::arg("source"), nb::arg("target"), nb::arg("degree") = 4,
      "The exact kernels of 'R^2 : C4', 'R^3 : Oh', 'R^3 : S4 by sign*std', ... between fields of two types, "
      "representations of the finite group,\n"
      "by harmonic polynomials up to a degree; their number is counted again by characters. "
      "steerable_kernel_basis() evaluates and samples them.");
}

}  // namespace

void bind_couplings(nb::module_& m) {
  bind_signed_root(m);
  bind_coupling(m);
  bind_spins(m);
  bind_finite(m);
  bind_compact();
  bind_orthonormal(m);
  bind_steerable(m);
  bind_point_kernels(m);
}

}  // namespace intertwine::python
