// Equivariant maps: Hom, its certified basis, the symmetrizer.
#include <nanobind/stl/tuple.h>

#include <mutex>

#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/equivariant/hom_basis.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/hom/equivariant_maps.hpp"
#include "intertwine/hom/series.hpp"
#include "intertwine/io/basis_elements.hpp"
#include "intertwine/io/basis_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/verify_table.hpp"
#include "intertwine/representations/actions.hpp"
#include "symmetrized.hpp"
#include "tables.hpp"

namespace intertwine::python {

namespace {

/// Hom_G(V, U) of finite or of classical groups. Everything found of it is kept, and shared by copies.
class Hom {
 public:
  Hom(hom::Representation V, hom::Representation U)
      : V_(std::move(V)), U_(std::move(U)), state_(std::make_shared<State>()) {
    if (!(V_.group() == U_.group()))
      throw DomainError("V >> U: the representations belong to different groups, " + V_.group().name() + " and " +
                        U_.group().name());
    V_.require_matrices("V >> U");
    U_.require_matrices("V >> U");
    if (!is_finite())
      static_cast<void>(common_scalars(*V_.as<ContinuousRepresentation>(), *U_.as<ContinuousRepresentation>()));
  }
  const hom::Representation& source() const { return V_; }
  const hom::Representation& target() const { return U_; }
  bool is_finite() const { return V_.as<Representation>() != nullptr; }

  /// The basis, part by part.
  hom::Basis basis(const Task& task) const {
    const std::lock_guard lock(state_->mutex);
    if (!state_->basis) state_->basis = hom::equivariant_basis(V_, U_, {}, task);
    return *state_->basis;
  }
  /// With one pattern for the whole of V and U.
  hom::Basis whole(const Task& task) const {
    const hom::Basis parts = basis(task);
    if (!parts.is_several()) return parts;
    const std::lock_guard lock(state_->mutex);
    if (!state_->whole) state_->whole = parts.single(task);
    return *state_->whole;
  }
  std::shared_ptr<const EquivariantProjection> projection(const Task& task) const {
    const std::lock_guard lock(state_->mutex);
    if (!state_->projection) state_->projection = hom::symmetrizer(V_, U_, task);
    return state_->projection;
  }
  friend bool operator==(const Hom& a, const Hom& b) { return a.V_ == b.V_ && a.U_ == b.U_; }

 private:
  struct State {
    std::mutex mutex;
    std::optional<hom::Basis> basis, whole;
    std::shared_ptr<const EquivariantProjection> projection;
  };
  hom::Representation V_, U_;
  std::shared_ptr<State> state_;
};

/// The answer of `f` to the basis, under limits.
template <class F>
auto said(const Limits& limits, const Hom& hom, F f) {
  return limits.run([&](const Task& task) { return f(hom.basis(task), task); });
}

Integer real_dimension(const Hom& hom, const Task& task) {
  return hom::hom_dimension(hom::real(hom.source()), hom::real(hom.target()), task);
}

/// The elements of the only block.
std::vector<Matrix> elements_of(const hom::Basis& basis, const Task& task) {
  std::vector<Matrix> list;
  if (basis.is_empty()) return list;
  const hom::Basis::Block& block = basis.blocks().front();
  if (!basis.field().is_rational()) return python::elements_of(block.weights.over(block.field(), task), task);
  for (SparseMatrix& element : block.weights.elements(task)) list.emplace_back(std::move(element));
  return list;
}

void bind_certificate(nb::module_& m) {
  nb::class_<hom::Certificate> c(m, "Certificate", nb::is_final(),
                                 "What is proved of a basis of Hom(V, U) and of the invariant bias, and how.");
  c.def(
      "__init__",
      [](hom::Certificate* self, Integer dimension, Integer bias_dimension, bool commutes, bool every_entry_checked,
         bool independent, std::string route, std::string bias_route) {
        new (self) hom::Certificate{
            std::move(dimension), std::move(bias_dimension), commutes, every_entry_checked, independent,
            std::move(route),     std::move(bias_route)};
      },
      nb::kw_only(), nb::arg("character_dimension"), nb::arg("bias_character_dimension"), nb::arg("commutes"),
      nb::arg("every_entry_checked"), nb::arg("independent"), nb::arg("route"), nb::arg("bias_route"));
  c.def_prop_ro(
      "character_dimension", [](const hom::Certificate& c) { return c.character_dimension; },
      "dim Hom of the site patterns, counted by `route`, which knows nothing of the basis; there are as many "
      "elements.");
  c.def_prop_ro(
      "bias_character_dimension", [](const hom::Certificate& c) { return c.bias_character_dimension; },
      "The same for the bias.");
  c.def_ro("commutes", &hom::Certificate::commutes, "Every element commutes with the group.");
  c.def_ro("every_entry_checked", &hom::Certificate::every_entry_checked,
           "This was checked entry by entry; otherwise it follows from the count or the factors.");
  c.def_ro("independent", &hom::Certificate::independent,
           "The elements are independent; False only where they were too large to look.");
  c.def_ro("route", &hom::Certificate::route, "How the dimension was counted.");
  c.def_ro("bias_route", &hom::Certificate::bias_route, "How that of the bias was counted.");
  const auto text = [](const hom::Certificate& c) {
    const auto word = [](bool b) { return b ? "True" : "False"; };
    return "Certificate(character_dimension=" + c.character_dimension.str() +
           ", bias_character_dimension=" + c.bias_character_dimension.str() + ", commutes=" + word(c.commutes) +
           ", every_entry_checked=" + word(c.every_entry_checked) + ", independent=" + word(c.independent) +
           ", route=" + quoted(c.route) + ", bias_route=" + quoted(c.bias_route) + ")";
  };
  c.def("__repr__", text);
  def_python(c, "_repr_html_", "intertwine._notebook", "certificate", "def _repr_html_(self) -> str", "For notebooks.");
  c.def(
      "__eq__", [text](const hom::Certificate& a, const hom::Certificate& b) { return text(a) == text(b); },
      nb::is_operator(), nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__",
        [text](const hom::Certificate& a) { return static_cast<Py_hash_t>(std::hash<std::string>()(text(a))); });
  c.def("__getstate__", [](const hom::Certificate& c) {
    return std::make_tuple(c.character_dimension, c.bias_character_dimension, c.commutes, c.every_entry_checked,
                           c.independent, c.route, c.bias_route);
  });
  c.def(
      "__setstate__",
      [](hom::Certificate& c, const std::tuple<Integer, Integer, bool, bool, bool, std::string, std::string>& state) {
        const auto& [dimension, bias, commutes, every, independent, route, bias_route] = state;
        new (&c) hom::Certificate{dimension, bias, commutes, every, independent, route, bias_route};
      },
      nb::arg("state"));
}

void bind_sizes(nb::class_<Hom>& c) {
  c.def_prop_ro("source", &Hom::source, "V: inputs, columns.");
  c.def_prop_ro("target", &Hom::target, "U: outputs, rows.");
  c.def_prop_ro(
      "shape", [](const Hom& hom) { return std::pair(hom.target().dimension(), hom.source().dimension()); },
      "(dim U, dim V): the shape of W.");
  prop_limited(
      c, "dimension",
      [](const Limits& limits, const Hom& hom) {
        return said(limits, hom, [](const hom::Basis& basis, const Task&) { return basis.dimension(); });
      },
      "The dimension of Hom, multiplicities counted: that of the certified basis.");
  prop_limited(
      c, "real_dimension",
      [](const Limits& limits, const Hom& hom) {
        return limits.run([&](const Task& task) { return real_dimension(hom, task); });
      },
      "The dimension of V.real() >> U.real(): of all maps that are linear over the real numbers; of finite "
      "groups counted without a "
      "basis. For real matrices\n"
      "it is `dimension`; for an irreducible V over its real field V >> V has 1, 2 or 4: real, complex or "
      "quaternionic type.");
  prop_limited(
      c, "params",
      [](const Limits& limits, const Hom& hom) {
        return said(limits, hom, [](const hom::Basis& basis, const Task&) { return basis.params(); });
      },
      "Parameters of the site patterns: each stands for a block of free scalars, one for every pair of "
      "copies.");
  prop_limited(
      c, "is_tied",
      [](const Limits& limits, const Hom& hom) {
        return said(limits, hom, [](const hom::Basis& basis, const Task&) { return basis.is_tied(); });
      },
      "Is every entry of W zero or plus or minus one parameter? So it is between permutation and signed "
      "representations of finite groups.");
  c.def_prop_ro(
      "bias", [](const Hom& hom) { return Hom(hom::trivial_representation(hom.source().group()), hom.target()); },
      "The invariants of U, as the maps trivial >> U: matrices of one column.");
}

void bind_hom(nb::class_<Hom>& c) {
  def_limited(
      c, "basis",
      [](const Limits& limits, const Hom& hom) {
        return limits.run([&](const Task& task) { return elements_of(hom.whole(task), task); });
      },
      R"(The basis, exact, complete and in canonical order.

Where V and U are multiples (3 * V1, 2 * U1), the matrices are those of V1 >> U1, and W has 2 x 3 blocks of them.

Parameters
----------
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
list of Matrix
    [dim U, dim V] each, one for every parameter of the pattern.

Raises
------
LimitError
    where memory or time would be more than allowed.

See Also
--------
Hom.table : the same for numeric layers.

Examples
--------
>>> V = Group('S3').rep('perm')
>>> for B in (V >> V).basis():
...     print(B.tolist())
[[1, 0, 0], [0, 1, 0], [0, 0, 1]]
[[0, 1, 1], [1, 0, 1], [1, 1, 0]])");
  def_limited(
      c, "certificate",
      [](const Limits& limits, const Hom& hom) {
        return said(limits, hom, [](const hom::Basis& basis, const Task&) { return basis.certificate(); });
      },
      R"(What is proved about the basis, and by which route.

Commutation is checked for every entry under every generator, independence by ranks, and the number is counted again by
characters or orbits.

Parameters
----------
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
Certificate
    `character_dimension`, `commutes`, `independent`, `route` and others.

Raises
------
LimitError
    where memory or time would be more than allowed.

See Also
--------
verify : proves a file again.

Examples
--------
>>> V = Group('S4').rep('perm^2')
>>> (V >> V).certificate().character_dimension
15)");
  def_limited(
      c, "verify",
      [](const Limits& limits, const Hom& hom) {
        said(limits, hom, [](const hom::Basis& basis, const Task& task) { verify(basis, task); });
      },
      "Proves the basis again from its elements alone; VerificationError names what fails.");
  def_limited(
      c, "describe",
      [](const Limits& limits, const Hom& hom) {
        const BasisNames names{hom.source().group().name(), hom.source().to_string(), hom.target().to_string()};
        return said(limits, hom, [&](const hom::Basis& basis, const Task& task) {
          return to_text(record(basis, {.names = names}), 80, task);
        });
      },
      "The basis in lines for people: sizes, dimension, what is proved, why entries are zero.");
  def_limited(
      c, "to_json",
      [](const Limits& limits, const Hom& hom) {
        return said(limits, hom,
                    [](const hom::Basis& basis, const Task& task) { return to_json(record(basis), task); });
      },
      "Sizes, dimensions and certificates of all blocks as a JSON object.");
  def_limited(
      c, "table",
      [](const Limits& limits, const Hom& hom, bool isotypic, bool proof, bool single) {
        if (isotypic && !hom.is_finite())
          throw DomainError("table: the isotypic form is of finite groups; leave out isotypic=True");
        return limits.run([&](const Task& task) {
          WeightTable table = (single ? hom.whole(task) : hom.basis(task)).table({.proof = proof}, task);
          if (isotypic)
            for (auto& row : table.blocks)
              for (WeightBlock& block : row) block = with_isotypic_form(std::move(block), task);
          return Table(std::move(table));
        });
      },
      nb::arg("isotypic") = false, nb::arg("proof") = false, nb::arg("single") = false,
      R"(The weight table for numeric layers.

It holds tied codes or sparse elements, of classical groups always the latter. Codes are made when they are asked for or saved.
Where multiplicities differ, as in 16*perm + 33*trivial, it has a block for each pair of parts. Parts are the summands in their
order, neighbours of the same multiplicity together, of classical groups those of multiplicity 1.

Parameters
----------
isotypic : bool
    with the changes of coordinates in which W is block diagonal.
proof : bool
    with the images of the generators, from which others prove the table complete (`checkers/check_table.py`).
single : bool
    one block also where multiplicities differ, whose pattern is repeated for the copies.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
Table
    y = W x + b with W = sum of theta_k B_k.

Raises
------
LimitError
    where memory or time would be more than allowed.

See Also
--------
Table.blocks : the table of each pair of parts, where multiplicities differ.
load_table : reads it again.

Examples
--------
>>> V = Group('S4').rep('perm')
>>> table = (V >> V).table()
>>> table.rows, table.cols, table.params
(4, 4, 2))");
}

/// The element that shows why an entry vanishes.
std::optional<Permutation> witness(const Limits& limits, const Hom& hom, std::uint64_t row, std::uint64_t col) {
  if (!hom.is_finite()) throw DomainError("why_zero: witnesses are permutations, of finite groups");
  const Representation &V = *hom.source().as<Representation>(), &U = *hom.target().as<Representation>();
  if (row >= U.dimension() || col >= V.dimension())
    throw DomainError("the entry (" + std::to_string(row) + ", " + std::to_string(col) + ") lies outside of " +
                      std::to_string(U.dimension()) + " x " + std::to_string(V.dimension()) + " (0-based)");
  return limits.run([&](const Task& task) { return vanishing_witness(V, U, {row, col}, task); });
}

void bind_weights(nb::class_<Hom>& c) {
  bind_projection(c);
  bind_element_forms<[](const Hom& hom, const Task& task) { return record(basis_elements(hom.whole(task), task)); }>(c);
  def_limited(
      c, "why_zero",
      [](const Limits& limits, const Hom& hom, std::uint64_t row, std::uint64_t col) {
        return witness(limits, hom, row, col);
      },
      nb::arg("row"), nb::arg("col"),
      "An element of the group that fixes entry (row, col) and negates it, so that the entry is zero in "
      "every equivariant\n"
      "matrix; None if there is none. 0-based; V and U permute their bases up to signs.");
}

}  // namespace

void bind_equivariant(nb::module_& m) {
  bind_certificate(m);
  nb::class_<Hom> c(
      m, "Hom", nb::is_final(),
      R"(The equivariant linear maps V >> U: matrices W of dim U rows and dim V columns with W rho_V(g) = rho_U(g) W.

`V >> U` makes it; it is not called. The certified basis is computed when something of it is asked for first, and kept.

See Also
--------
hom_dimension : the number of parameters alone.
Table : which entries of W share a parameter.

Examples
--------
>>> from intertwine import Group
>>> V = Group("S4").rep("perm^2")
>>> hom = V >> V
>>> hom.dimension, hom.bias.dimension, hom.table().params
(15, 2, 15)
)");
  bind_value<Hom>(c,
                  [](const Hom& h) { return Hasher().add(hash_of(h.source())).add(h.target().to_string()).value(); });
  def_python(c, "_repr_html_", "intertwine._notebook", "hom", "def _repr_html_(self) -> str", "For notebooks.");
  c.def("__repr__",
        [](const Hom& h) { return representation_text(h.source()) + " >> " + representation_text(h.target()); });
  c.def(
      "__reduce__",
      [](const Hom& h) { return reduced(nb::module_::import_("operator").attr("rshift"), h.source(), h.target()); },
      nb::sig(reduce_signature));
  auto V = class_of<hom::Representation>();
  V.def(
      "__rshift__", [](const hom::Representation& V, const hom::Representation& U) { return Hom(V, U); },
      nb::is_operator(), nb::arg("target"), "The equivariant maps from this representation to another one.");
  V.def(
      "commutant", [](const hom::Representation& V) { return Hom(V, V); },
      "V >> V: the matrices that commute with the representation. Its real_dimension for an irreducible one "
      "over the real numbers is 1, 2 or 4.");
  bind_sizes(c);
  bind_hom(c);
  bind_weights(c);
  def_limited(
      m, "hom_dimension",
      [](const Limits& limits, const hom::Representation& V, const hom::Representation& U) {
        return limits.run([&](const Task& task) { return hom::hom_dimension(V, U, task); });
      },
      nb::arg("source"), nb::arg("target"),
      R"(The dimension of Hom(V, U), without a basis.

It is counted by characters, or by orbits where both permute a basis.

Parameters
----------
source, target : Representation
    V and U, of one group.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
int
    how many parameters an equivariant matrix has.

Raises
------
DomainError
    for a question that this kind of group cannot answer; the sentence says why.
LimitError
    where memory or time would be more than allowed.

See Also
--------
Hom : the maps themselves.

Examples
--------
>>> V = Group('S10').rep('perm^3')
>>> hom_dimension(V, V)
203)");
}

}  // namespace intertwine::python
