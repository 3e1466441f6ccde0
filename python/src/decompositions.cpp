// Representations as sums of irreducible ones.
#include <nanobind/stl/tuple.h>

#include <complex>
#include <map>

#include "arrays.hpp"
#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/characters/schur_index.hpp"
#include "intertwine/error.hpp"
#include "intertwine/hom/constituents.hpp"
#include "intertwine/io/decomposition_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/representations/first_rows.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"
#include "over.hpp"
#include "records.hpp"

namespace intertwine::python {

/// The label of a constituent over one factor.
struct Label {
  FactorIrrep::Kind kind;
  std::vector<int> numbers;
  std::size_t row;
  std::string name;
};
struct ConstituentValue {
  std::vector<Label> labels;
  std::vector<std::size_t> irreps;  ///< of finite groups
  Integer degree, multiplicity;
  int indicator;
  std::string name;
  SchurIndex index;  ///< of finite groups
};

template <>
inline constexpr auto members<LocalIndex> = std::tuple(&LocalIndex::prime, &LocalIndex::index);
template <>
inline constexpr auto members<SchurIndex> =
    std::tuple(&SchurIndex::index, &SchurIndex::real, &SchurIndex::finite, &SchurIndex::undecided);
template <>
inline constexpr auto members<Label> = std::tuple(&Label::kind, &Label::numbers, &Label::row, &Label::name);
template <>
inline constexpr auto members<ConstituentValue> = std::tuple(
    &ConstituentValue::labels, &ConstituentValue::irreps, &ConstituentValue::degree, &ConstituentValue::multiplicity,
    &ConstituentValue::indicator, &ConstituentValue::name, &ConstituentValue::index);
template <>
inline constexpr auto members<IsotypicComponent> = std::tuple(
    &IsotypicComponent::irreps, &IsotypicComponent::field, &IsotypicComponent::matrices, &IsotypicComponent::degree,
    &IsotypicComponent::multiplicity, &IsotypicComponent::inclusion, &IsotypicComponent::projection);
template <>
inline constexpr auto members<SparseColumns> = std::tuple(
    &SparseColumns::field, &SparseColumns::rows, &SparseColumns::starts, &SparseColumns::row, &SparseColumns::value);
template <>
inline constexpr auto members<FirstRows> = std::tuple(&FirstRows::irreps, &FirstRows::degree, &FirstRows::multiplicity,
                                                      &FirstRows::indicator, &FirstRows::basis, &FirstRows::pivots);

namespace {

using Kind = FactorIrrep::Kind;

struct DecompositionValue {
  hom::Representation of;
  hom::Decomposition found;
  BaseField over;
};

struct FirstTag {
  static constexpr auto name = nb::detail::const_name("typing.Literal['first']");
};
struct IndexArrayTag {
  static constexpr auto name = nb::detail::const_name("numpy.typing.NDArray[numpy.int64]");
};
struct NumberArrayTag {
  static constexpr auto name =
      nb::detail::const_name("numpy.typing.NDArray[numpy.float64] | numpy.typing.NDArray[numpy.complex128]");
};

struct WantedTag {
  static constexpr auto name = nb::detail::const_name("int | str | collections.abc.Sequence[int]");
};

nb::object label_of(const Label& label) {
  if (label.kind == Kind::row) return nb::int_(label.row);
  if (label.kind == Kind::species) return nb::cast(label.name);
  nb::list numbers;
  for (const int x : label.numbers) numbers.append(x);
  return nb::tuple(numbers);
}

nb::object label_of(const ConstituentValue& c) {
  if (c.labels.size() == 1) return label_of(c.labels.front());
  nb::list labels;
  for (const Label& label : c.labels) labels.append(label_of(label));
  return nb::tuple(labels);
}

ConstituentValue value_of(const DecompositionValue& d, std::size_t k) {
  const hom::Constituent& part = d.found.constituents[k];
  ConstituentValue c{{}, {}, part.degree, part.multiplicity, part.indicator, part.name, {}};
  for (const FactorIrrep& irrep : part.factors) c.labels.push_back({irrep.kind, irrep.label, irrep.row, irrep.name});
  if (d.found.finite) {
    c.irreps = d.found.finite->constituents[k].irreps;
    c.index = d.found.finite->constituents[k].index;
  }
  return c;
}

std::vector<ConstituentValue> values_of(const DecompositionValue& d) {
  std::vector<ConstituentValue> list;
  for (std::size_t k = 0; k < d.found.constituents.size(); ++k) list.push_back(value_of(d, k));
  return list;
}

std::string over_text(BaseField over) { return over == BaseField::complex ? "" : "over=" + quoted(to_string(over)); }

/// Lists within lists as tuples.
nb::object in_tuples(const nb::object& label) {
  if (!nb::isinstance<nb::list>(label) && !nb::isinstance<nb::tuple>(label)) return label;
  nb::list parts;
  for (const nb::handle part : nb::iter(label)) parts.append(in_tuples(nb::borrow(part)));
  return nb::tuple(parts);
}

/// How often the constituent with this label or name occurs.
Integer multiplicity_of(const DecompositionValue& d, const nb::object& wanted) {
  const bool number = as_integer(wanted).has_value() && !nb::isinstance<nb::bool_>(wanted);
  const bool by_name = nb::isinstance<nb::str>(wanted);
  if (d.found.finite) {
    RowLike row_like;
    if ((!number && !by_name) || !nb::try_cast(wanted, row_like))
      throw DomainError("multiplicity takes the place of a row of the character table, from 0, or its name, not " +
                        nb::cast<std::string>(nb::repr(wanted)));
    const std::size_t row = row_given(d.found.finite->table, row_like);
    for (const Constituent& c : d.found.finite->constituents)
      for (const std::size_t r : c.irreps)
        if (r == row) return c.multiplicity;
    return 0;
  }
  if (!by_name && !nb::isinstance<nb::list>(wanted) && !nb::isinstance<nb::tuple>(wanted))
    throw DomainError("multiplicity takes a name, such as '8', or a label, such as (1, 1), not " +
                      nb::cast<std::string>(nb::repr(wanted)));
  std::string name = by_name ? nb::cast<std::string>(wanted) : "";
  if (const auto centre = d.of.group().centre_of_linear_molecule(); centre && by_name)
    name = to_string(parse_axial_irrep(*centre, name));
  const nb::object label = by_name ? nb::object() : in_tuples(wanted);
  Integer sum = 0;
  for (const ConstituentValue& c : values_of(d))
    if (by_name ? c.name == name : label_of(c).equal(label)) sum += c.multiplicity;
  return sum;
}

void bind_constituent(nb::module_& m) {
  nb::class_<ConstituentValue> k(m, "Constituent", nb::is_final(), "An irreducible constituent of a representation.");
  k.def_prop_ro(
      "label", [](const ConstituentValue& c) { return Typed<AnyTag>{label_of(c)}; },
      "What names it: the row of the character table for finite groups (of those that are one over the field "
      "the least), the highest "
      "weight as a tuple, Weyl's partition for O(n) and O(p,q), the name for C∞v and D∞h; over a product a "
      "tuple of one label for each "
      "factor.");
  k.def_prop_ro(
      "name", [](const ConstituentValue& c) { return c.name; },
      "Its name, as `intertwine decompose` prints it: '[3,1]', '10*', 'harmonic(2)*det', 'E # 5'.");
  k.def_prop_ro(
      "irreps",
      [](const ConstituentValue& c) {
        if (c.irreps.empty())
          throw NoSuchProperty("irreps are the rows of a character table, of finite groups; " + c.name +
                               " is named by its label");
        return c.irreps;
      },
      "Of finite groups the rows of the table: one, or those conjugate over the field, the least first.");
  k.def_prop_ro(
      "degree", [](const ConstituentValue& c) { return c.degree; }, "Its dimension over the field.");
  k.def_prop_ro(
      "multiplicity", [](const ConstituentValue& c) { return c.multiplicity; }, "How often it occurs.");
  k.def_ro("indicator", &ConstituentValue::indicator,
           "The indicator of Frobenius and Schur over the complex numbers: 1 real, 0 complex, -1 quaternionic.");
  k.def_prop_ro(
      "index", [](const ConstituentValue& c) { return c.index.index; },
      "The Schur index over the field; 1 over the complex numbers.");
  k.def_prop_ro(
      "division_dimension",
      [](const ConstituentValue& c) {
        return Integer(c.index.index) * c.index.index * std::max<std::size_t>(1, c.irreps.size());
      },
      "The dimension over the field of its endomorphisms, a division algebra: index^2 over its centre, which "
      "has degree "
      "len(irreps).");
  k.def("__repr__", [](const ConstituentValue& c) {
    std::string rows;
    for (const std::size_t row : c.irreps) rows += (rows.empty() ? "" : ", ") + std::to_string(row);
    return "<Constituent " + c.multiplicity.str() + " x " + (c.irreps.empty() ? c.name : "irreps [" + rows + "]") +
           ", degree " + c.degree.str() + ">";
  });
  bind_record<ConstituentValue>(k);
}

void bind_sequence(nb::class_<DecompositionValue>& d) {
  d.def("__len__", [](const DecompositionValue& d) { return d.found.constituents.size(); });
  d.def(
      "__getitem__",
      [](const DecompositionValue& d, std::int64_t i) {
        return value_of(d, index_below(i, d.found.constituents.size()));
      },
      nb::arg("index"));
  d.def(
      "__iter__", [](const DecompositionValue& d) { return nb::iter(nb::cast(values_of(d))); },
      nb::sig("def __iter__(self) -> collections.abc.Iterator[Constituent]"));
  d.def(
      "multiplicity",
      [](const DecompositionValue& d, const Typed<WantedTag>& irrep) { return multiplicity_of(d, irrep.object); },
      nb::arg("irrep"),
      "How often a constituent occurs, by its label or name, of finite groups by the place of a row "
      "(0-based) or its name; 0 if it does "
      "not.");
  d.def(
      "names",
      [](const DecompositionValue& d) {
        std::vector<std::string> names;
        for (const hom::Constituent& c : d.found.constituents) names.push_back(c.name);
        return names;
      },
      "The names of the constituents.");
}

void bind_decomposition(nb::module_& m, nb::class_<hom::Representation>& V) {
  nb::class_<DecompositionValue> d(m, "Decomposition", nb::is_final(),
                                   "A representation as a sum of irreducible ones: a sequence of "
                                   "Constituent. print() shows it in lines for people.");
  d.def_prop_ro(
      "representation", [](const DecompositionValue& d) { return d.of; }, "What was decomposed.");
  d.def_prop_ro(
      "over", [](const DecompositionValue& d) { return to_string(d.over); }, "\"complex\", \"real\" or \"rational\".");
  d.def_prop_ro(
      "table",
      [](const DecompositionValue& d) {
        if (!d.found.finite)
          throw NoSuchProperty("character tables are of finite groups, and " + d.of.group().name() +
                               " has infinitely many irreducible representations");
        return d.found.finite->table;
      },
      "Of finite groups the character table whose rows the constituents name.");
  bind_sequence(d);
  d.def(
      "to_json", [](const DecompositionValue& d) { return to_json(record(d.found)); }, "A JSON object.");
  bind_format<[](const DecompositionValue& d, const Task&) { return record(d.found); }>(d);
  d.def(
      "to_markdown", [](const DecompositionValue& d) { return in_format(record(d.found), Format::markdown); },
      "The decomposition in Markdown.");
  def_python(d, "to_dataframe", "intertwine._gates", "decomposition_to_dataframe",
             "def to_dataframe(self) -> typing.Any", "The decomposition as a DataFrame of pandas.");
  def_python(d, "_repr_html_", "intertwine._notebook", "decomposition", "def _repr_html_(self) -> str",
             "For notebooks.");
  d.def("__str__", [](const DecompositionValue& d) { return to_text(record(d.found)); });
  d.def("__repr__", [](const DecompositionValue& d) {
    return representation_text(d.of) + ".decompose(" + over_text(d.over) + ")";
  });
  d.def(
      "__eq__",
      [](const DecompositionValue& a, const DecompositionValue& b) { return a.of == b.of && a.over == b.over; },
      nb::is_operator(), nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  d.def("__hash__", [](const DecompositionValue& d) {
    return static_cast<Py_hash_t>(Hasher().add(hash_of(d.of)).add(to_string(d.over)).value());
  });
  d.def(
      "__reduce__",
      [](const DecompositionValue& d) { return reduced_by_method(nb::cast(d.of), "decompose", to_string(d.over)); },
      nb::sig(reduce_signature));
  def_limited(
      V, "decompose",
      [](const Limits& limits, const hom::Representation& V, Typed<OverTag> over) {
        const BaseField field = base_field_of(over);
        return limits.run([&](const Task& task) {
          std::optional<CharacterTable> table;
          if (const auto* G = V.group().as<FiniteGroup>()) table = table_of(*G, task);
          return DecompositionValue{V, hom::decompose(V, field, task, table), field};
        });
      },
      nb::arg("over") = "complex",
      R"(The irreducible constituents with their multiplicities.

Of a finite group they are found by its character table, of other groups over the complex numbers by characters. Groups with
very many classes, such as Rubik(3), have no table in any time: ask for V >> V, whose dimension is the sum of the squares.

Parameters
----------
over : {'complex', 'real', 'rational'}
    the field. Over the real and the rational numbers constituents have types and indices.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
Decomposition
    its constituents have `label`, `name`, `degree`, `multiplicity` and `indicator`.

Raises
------
DomainError
    for a question that this kind of group cannot answer; the sentence says why.
LimitError
    where memory or time would be more than allowed.

See Also
--------
Representation.isotypic : the changes of basis as well.

Examples
--------
>>> [(c.name, c.multiplicity) for c in Group('S3').rep('perm^2').decompose()]
[('[3]', 2), ('[1,1,1]', 1), ('[2,1]', 3)])");
}

void bind_isotypic(nb::module_& m, nb::class_<hom::Representation>& V) {
  nb::class_<IsotypicComponent> k(m, "IsotypicComponent", nb::is_final(),
                                  "All copies of one irreducible representation R in V: rho(g) @ inclusion = "
                                  "inclusion @ (R(g) on every copy).");
  k.def_prop_ro(
      "irreps", [](const IsotypicComponent& c) { return c.irreps; }, "The rows of the character table.");
  k.def_ro("degree", &IsotypicComponent::degree, "The dimension of R.");
  k.def_ro("multiplicity", &IsotypicComponent::multiplicity, "How many copies there are.");
  k.def_prop_ro(
      "field", [](const IsotypicComponent& c) { return c.field.to_string(); }, "The field of the matrices.");
  k.def_prop_ro(
      "inclusion", [](const IsotypicComponent& c) { return Matrix(c.inclusion); },
      "dim V x (multiplicity * degree): the copies side by side.");
  k.def_prop_ro(
      "projection", [](const IsotypicComponent& c) { return Matrix(c.projection); },
      "(multiplicity * degree) x dim V; projection @ inclusion = 1.");
  k.def_prop_ro(
      "matrices",
      [](const IsotypicComponent& c) {
        std::vector<Matrix> list;
        for (const FieldMatrix& A : c.matrices) list.emplace_back(A);
        return list;
      },
      "R of the generators of the group, in their order.");
  k.def("__repr__", [](const IsotypicComponent& c) {
    return "<IsotypicComponent " + std::to_string(c.multiplicity) + " x degree " + std::to_string(c.degree) + " over " +
           c.field.to_string() + ">";
  });
  bind_record<IsotypicComponent>(k);
  def_limited(
      V, "isotypic",
      [](const Limits& limits, const Representation& V, Typed<OverTag> over) {
        const BaseField field = base_field_of(over);
        return limits.run(
            [&](const Task& task) { return isotypic_decomposition(V, table_of(V.group(), task), field, task); });
      },
      nb::arg("over") = "complex",
      "The isotypic components with their changes of basis, exact and verified: the inclusions side by side "
      "are a\n"
      "regular matrix, and the projections on top of each other its inverse.");
}

template <class Number>
Typed<IndexArrayTag> index_array(const std::vector<Number>& numbers) {
  return {owned_array<std::int64_t>(std::vector<std::int64_t>(numbers.begin(), numbers.end()), {numbers.size()})};
}

Typed<NumberArrayTag> doubles_of_columns(const SparseColumns& X) {
  const std::size_t count = X.value.size();
  if (X.field.is_real()) {
    std::vector<double> numbers;
    for (const Cyclotomic& a : X.value) numbers.push_back(a.to_complex().real());
    return {owned_array<double>(std::move(numbers), {count})};
  }
  std::vector<std::complex<double>> numbers;
  for (const Cyclotomic& a : X.value) numbers.push_back(a.to_complex());
  return {owned_array<std::complex<double>>(std::move(numbers), {count})};
}

void bind_sparse_columns(nb::module_& m) {
  nb::class_<SparseColumns> k(m, "SparseColumns", nb::is_final(),
                              "A sparse exact matrix by columns. scipy.sparse.csc_matrix((X.data, X.indices, "
                              "X.indptr), X.shape) is the "
                              "same in doubles.");
  k.def_prop_ro(
      "shape", [](const SparseColumns& X) { return std::pair(X.rows, X.columns()); }, "(rows, columns).");
  k.def_prop_ro(
      "nnz", [](const SparseColumns& X) { return X.row.size(); }, "How many entries are not 0.");
  k.def_prop_ro(
      "indptr", [](const SparseColumns& X) { return index_array(X.starts); },
      "int64 [columns + 1]: column k has the entries indptr[k], ..., indptr[k + 1] - 1.");
  k.def_prop_ro(
      "indices", [](const SparseColumns& X) { return index_array(X.row); }, "int64 [nnz]: the rows, from 0.");
  k.def_prop_ro("data", &doubles_of_columns,
                "float64 [nnz], complex128 where the field is not real: each the double nearest to the entry.");
  k.def_prop_ro(
      "values",
      [](const SparseColumns& X) {
        std::vector<Exact> list;
        for (const Cyclotomic& a : X.value) list.push_back(Exact{a});
        return list;
      },
      "The entries themselves.");
  k.def_prop_ro(
      "field", [](const SparseColumns& X) { return X.field.to_string(); }, "The field of the entries.");
  def_limited(
      k, "matrix",
      [](const Limits& limits, const SparseColumns& X) {
        return limits.run([&](const Task& task) { return Matrix(X.matrix(task)); });
      },
      "The same as a Matrix.");
  k.def("__repr__", [](const SparseColumns& X) {
    return "<SparseColumns " + std::to_string(X.rows) + " x " + std::to_string(X.columns()) + " over " +
           X.field.to_string() + ", " + std::to_string(X.row.size()) + " entries>";
  });
  bind_record<SparseColumns>(k);
}

void bind_first_rows(nb::module_& m, nb::class_<hom::Representation>& V) {
  nb::class_<FirstRows> k(
      m, "FirstRows", nb::is_final(),
      "One vector for every copy of one irreducible representation R in V, the images of one vector of R. An "
      "equivariant matrix E has E @ basis = basis @ B, and the eigenvalues of B are eigenvalues of E, each "
      "as "
      "often as R has dimensions.");
  k.def_prop_ro(
      "irreps", [](const FirstRows& c) { return c.irreps; }, "The rows of the character table.");
  k.def_ro("degree", &FirstRows::degree, "The dimension of R.");
  k.def_ro("multiplicity", &FirstRows::multiplicity, "How many copies there are.");
  k.def_ro("indicator", &FirstRows::indicator,
           "The indicator of Frobenius and Schur over the complex numbers: 1 real, 0 complex, -1 quaternionic.");
  k.def_prop_ro(
      "basis", [](const FirstRows& c) -> const SparseColumns& { return c.basis; }, nb::rv_policy::reference_internal,
      "dim V rows; a column for every copy, over the real numbers two where R is of complex type and four "
      "where it "
      "is quaternionic.");
  k.def_prop_ro(
      "pivots", [](const FirstRows& c) { return c.pivots; },
      "Over the complex numbers a row for every column, in which it has the only entry of the basis; none "
      "over the "
      "real ones.");
  k.def("__repr__", [](const FirstRows& c) {
    return "<FirstRows " + std::to_string(c.multiplicity) + " x degree " + std::to_string(c.degree) + " over " +
           c.basis.field.to_string() + ">";
  });
  bind_record<FirstRows>(k);
  V.def("isotypic",
        limited(+[](const Limits& limits, const Representation& V, Typed<OverTag> over, Typed<FirstTag> rows) {
          const BaseField field = base_field_of(over);
          if (!nb::isinstance<nb::str>(rows.object) || nb::cast<std::string>(rows.object) != "first")
            throw DomainError("rows is 'first', one vector a copy; without rows the components have all of them");
          return limits.run([&](const Task& task) { return first_rows(V, table_of(V.group(), task), field, task); });
        }),
        nb::arg("over") = "complex", nb::kw_only(), nb::arg("rows"), nb::arg("memory") = nb::none(),
        nb::arg("seconds") = nb::none(), nb::arg("progress") = nb::none(), nb::arg("threads") = nb::none(),
        "With rows=\"first\" one vector for every copy, sparse and exact: what block-diagonalizes matrices, "
        "without\n"
        "the other rows of the irreducible representations. There is no bound on the dimension of V.");
}

}  // namespace

void bind_decompositions(nb::module_& m) {
  auto V = class_of<hom::Representation>();
  bind_constituent(m);
  bind_decomposition(m, V);
  bind_isotypic(m, V);
  bind_sparse_columns(m);
  bind_first_rows(m, V);
}

}  // namespace intertwine::python
