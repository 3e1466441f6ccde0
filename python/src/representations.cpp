// Representations as values with an algebra, their decompositions.
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <limits>

#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/characters/schur_index.hpp"
#include "intertwine/equivariant/difference.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/gl/schur_representation.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/io/answer_sheets.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/basis_layout.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/tables/data_section.hpp"
#include "layers.hpp"
#include "over.hpp"
#include "records.hpp"
#include "tensors.hpp"

namespace intertwine::python {

template <>
inline constexpr auto members<LocalIndex> = std::tuple(&LocalIndex::prime, &LocalIndex::index);
template <>
inline constexpr auto members<SchurIndex> =
    std::tuple(&SchurIndex::index, &SchurIndex::real, &SchurIndex::finite, &SchurIndex::undecided);
template <>
inline constexpr auto members<Constituent> =
    std::tuple(&Constituent::irreps, &Constituent::degree, &Constituent::multiplicity, &Constituent::index);
template <>
inline constexpr auto members<IsotypicComponent> =
    std::tuple(&IsotypicComponent::irreps, &IsotypicComponent::field, &IsotypicComponent::matrices,
               &IsotypicComponent::degree, &IsotypicComponent::multiplicity, &IsotypicComponent::inclusion,
               &IsotypicComponent::projection);

namespace {

Matrix matrix_of(const Representation& V, const Permutation& g, const Task& task) {
  task.poll();
  // The limbs of an entry in every row, or the coefficients of all entries.
  const std::uint64_t row = V.is_monomial() ? 128 : saturated_product(V.dimension(), 16 * V.field().degree());
  task.require_memory(saturated_product(V.dimension(), row), "a matrix of " + V.to_string());
  if (!V.is_monomial()) return Matrix(V.field_matrix(g));
  const SignedPermutation image = V.image(g);
  std::vector<SparseMatrix::Entry> entries;
  entries.reserve(image.degree());
  for (Point i = 0; i < image.degree(); ++i) entries.push_back({image(i).point(), i, image(i).sign()});
  return Matrix(SparseMatrix(image.degree(), image.degree(), std::move(entries)));
}

std::string representation_text(const Representation& V) {
  return group_text(V.group()) + ".rep(" + quoted(V.to_string()) + ")";
}

Representation signed_representation(const FiniteGroup& G, const nb::object& images, std::size_t degree,
                                     const Limits& limits) {
  std::vector<SignedPermutation> list;
  for (const nb::handle item : nb::iter(images)) {
    const PermutationLike like{nb::borrow(item)};
    list.emplace_back(degree == 0 ? like.by_itself() : like.on(degree));
  }
  if (list.empty() && G.generators().empty())
    return degree * trivial_representation(G);  // no image says how large it is
  return limits.run([&](const Task& task) { return monomial_representation(G, list, {}, task); });
}

/// \throws DomainError naming what takes a k from 0 on
template <class Count>
Count as_count(const Integer& k, const char* what) {
  if (k < 0 || k > std::numeric_limits<Count>::max())
    throw DomainError(std::string(what) + ": k is a whole number from 0 to " +
                      std::to_string(std::numeric_limits<Count>::max()) + ", not " + k.str());
  return static_cast<Count>(k);
}

void bind_algebra(nb::class_<Representation>& c) {
  c.def(
      "__add__", [](const Representation& V, const Representation& W) { return V + W; }, nb::is_operator(),
      nb::arg("other"), "The direct sum.");
  c.def(
      "__sub__",
      [](const Representation& V, const Representation& W) {
        return Limits().run([&](const Task& task) { return difference(V, W, task); });
      },
      nb::is_operator(), nb::arg("other"),
      "V - W where that is a representation: the kernel of an equivariant map onto W. DomainError names what "
      "W has more often than V.");
  c.def(
      "__mul__", [](const Representation& V, const Representation& W) { return V * W; }, nb::is_operator(),
      nb::arg("other"), "The tensor product.");
  c.def(
      "__rmul__",
      [](const Representation& V, const Integer& k) {
        return as_count<std::uint64_t>(k, "k copies of a representation") * V;
      },
      nb::is_operator(), nb::arg("k"), "The sum of k copies, kept as a multiplicity.");
  c.def(
      "__pow__",
      [](const Representation& V, const Integer& k) {
        return tensor_power(V, as_count<unsigned>(k, "the tensor power V ** k"));
      },
      nb::is_operator(), nb::arg("k"), "The k-th tensor power.");
  c.def_prop_ro(
      "T", [](const Representation& V) { return dual(V); }, "The dual representation.");
  bind_tensors(c);
  c.def(
      "sym", [](const Representation& V, unsigned k) { return sym(k, V); }, nb::arg("k"),
      "The k-th symmetric power, on the monomials in lexicographic order; for tensors see coordinates.");
  c.def(
      "alt", [](const Representation& V, unsigned k) { return alt(k, V); }, nb::arg("k"),
      "The k-th exterior power, in lexicographic order.");
  def_limited(
      c, "schur",
      [](const Limits& limits, const Representation& V, PartitionLike partition) {
        const Partition shape = partition.value();
        return limits.run([&](const Task&) { return schur_power(shape, V); });
      },
      nb::arg("partition"),
      "The Schur functor of a partition such as [2, 1]: [d] is the symmetric, [1, ..., 1] the exterior "
      "power.");
  c.def(
      "restrict",
      [](const Representation& V, const FiniteGroup& H) {
        return Limits().run([&](const Task&) { return restriction(V, H); });
      },
      nb::arg("subgroup"), "The representation of a subgroup.");
  def_limited(
      c, "induce",
      [](const Limits& limits, const Representation& V, const FiniteGroup& G) {
        return limits.run([&](const Task& task) { return induction(V, G, task); });
      },
      nb::arg("group"), "The induced representation of a group that contains this one.");
  c.def(
      "real", [](const Representation& V) { return restriction_of_scalars(V, V.field().real_subfield()); },
      "The representation over the real subfield of its field, of twice the dimension if it was not real.");
  c.def(
      "rational", [](const Representation& V) { return restriction_of_scalars(V, AbelianField()); },
      "The representation over the rational numbers, of [field : Q] times the dimension.");
}

void bind_questions(nb::class_<Representation>& c) {
  c.def_prop_ro("group", &Representation::group, "The group.");
  c.def_prop_ro("dimension", &Representation::dimension,
                "The number of basis vectors, multiplicities counted.");
  c.def_prop_ro(
      "field", [](const Representation& V) { return V.field().to_string(); },
      "The field of the matrices: \"Q\", \"Q(sqrt(5))\", ...");
  c.def_prop_ro(
      "expression", [](const Representation& V) { return V.to_string(); }, "Text that Group.rep reads back.");
  c.def_prop_ro("is_permutation", &Representation::is_permutation,
                "Does every element permute the basis vectors?");
  c.def_prop_ro("is_monomial", &Representation::is_monomial,
                "Does every element permute the basis vectors up to signs?");
  c.def(
      "summands",
      [](const Representation& V) {
        std::vector<std::pair<std::uint64_t, Representation>> list;
        for (const auto& [multiplicity, part] : V.summands()) list.emplace_back(multiplicity, part);
        return list;
      },
      "The representation as a sum of multiples, (multiplicity, representation).");
  c.def(
      "slices",
      [](const Representation& V) {
        nb::list found;
        for (const BasisBlock& block : basis_layout(V)) {
          const std::uint64_t end = block.start + block.representation.dimension();
          found.append(
              nb::make_tuple(nb::slice(static_cast<Py_ssize_t>(block.start), static_cast<Py_ssize_t>(end)),
                             block.representation));
        }
        return found;
      },
      nb::sig("def slices(self) -> list[tuple[slice, Representation]]"),
      "Where the summands lie in the coordinates, (slice, representation), copies one by one: those of "
      "2*perm + sign "
      "are [0:3], [3:6] and [6:7] for S3.");
  c.def(
      "basis_label",
      [](const Representation& V, std::int64_t i) { return V.basis_label(index_below(i, V.dimension())); },
      nb::arg("index"), "Basis vector `index` (0-based) as people write it, 1-based.");
  def_limited(
      c, "matrix",
      [](const Limits& limits, const Representation& V, PermutationLike g) {
        const Permutation element = g.on(V.group().degree());
        return limits.run([&](const Task& task) {
          if (!V.group().chain(task).contains(element))
            throw DomainError("the permutation " + element.to_string() + " is no element of " +
                              V.group().name());
          return matrix_of(V, element, task);
        });
      },
      nb::arg("element"), "The matrix of an element of the group, exact.");
  def_limited(
      c, "generator_matrices",
      [](const Limits& limits, const Representation& V) {
        return limits.run([&](const Task& task) {
          std::vector<Matrix> images;
          for (const Permutation& g : V.group().generators()) images.push_back(matrix_of(V, g, task));
          return images;
        });
      },
      "The matrices of the generators of the group, in their order, exact.");
  def_limited(
      c, "is_irreducible",
      [](const Limits& limits, const Representation& V) {
        return limits.run([&](const Task& task) {
          const ClassFunction chi = character_of(V, table_of(V.group(), task), task);
          return inner_product(chi, chi) == Cyclotomic(1);
        });
      },
      "Is it irreducible over the complex numbers? By the norm of its character.");
  c.def(
      "trace",
      [](const Representation& V, const PermutationLike& g) {
        const Permutation element = g.on(V.group().degree());
        return Exact{Limits().run([&](const Task&) { return V.character(element); })};
      },
      nb::arg("element"), "The trace of the matrix of an element, without the matrix.");
  bind_systems(
      c,
      "The representation, in GAP a homomorphism into matrices, in Sage the list of the matrices of "
      "the generators, in Magma a G-module, with the matrices transposed, since all three act on rows,");
  def_limited(
      c, "to_latex",
      [](const Limits& limits, const Representation& V) {
        return limits.run([&](const Task& task) { return to_latex(V, task); });
      },
      "The matrices of the generators as a displayed formula in LaTeX.");
  def_limited(
      c, "picture",
      [](const Limits& limits, const Representation& V, std::optional<Path> path) -> std::string {
        return limits.run([&](const Task& task) -> std::string {
          if (!path) return arc_picture(V);
          write_picture(path->value, V, task);
          return path->value.string();
        });
      },
      nb::arg("path") = nb::none(),
      "How the generators move the basis, up to signs: a strip of arcs for each, one colour a cycle. An SVG "
      "document as text, or the file `path`\n"
      "(.svg or .png), whose name is given back. DomainError unless the representation is monomial, "
      "LimitError above 400 basis vectors.");
  def_limited(
      c, "character",
      [](const Limits& limits, const Representation& V) {
        return limits.run([&](const Task& task) { return character_of(V, table_of(V.group(), task), task); });
      },
      "The character, on the classes of the group's character table.");
}

struct DecompositionValue {
  Representation representation;
  Decomposition found;
};

std::string over_text(BaseField over) {
  return over == BaseField::complex ? "" : "over=" + quoted(to_string(over));
}

void bind_decomposition(nb::module_& m, nb::class_<Representation>& V) {
  nb::class_<Constituent> k(m, "Constituent", nb::is_final(),
                            "An irreducible constituent of a representation.");
  k.def_prop_ro(
      "irreps", [](const Constituent& c) { return c.irreps; },
      "The rows of the character table: one, or those conjugate over the field, the least first.");
  k.def_prop_ro(
      "degree", [](const Constituent& c) { return c.degree; }, "Its dimension over the field.");
  k.def_prop_ro(
      "multiplicity", [](const Constituent& c) { return c.multiplicity; }, "How often it occurs.");
  k.def_prop_ro(
      "index", [](const Constituent& c) { return c.index.index; },
      "The Schur index over the field; 1 over the complex numbers.");
  k.def_prop_ro(
      "division_dimension",
      [](const Constituent& c) { return Integer(c.index.index) * c.index.index * c.irreps.size(); },
      "The dimension over the field of its endomorphisms, a division algebra: index^2 over its centre, which "
      "has degree "
      "len(irreps).");
  k.def("__repr__", [](const Constituent& c) {
    std::string rows;
    for (const std::size_t row : c.irreps) rows += (rows.empty() ? "" : ", ") + std::to_string(row);
    return "<Constituent " + c.multiplicity.str() + " x irreps [" + rows + "], degree " + c.degree.str() +
           ">";
  });
  bind_record<Constituent>(k);

  nb::class_<DecompositionValue> d(m, "Decomposition", nb::is_final(),
                                   "A representation as a sum of irreducible ones: a sequence of "
                                   "Constituent. print() shows it in lines for people.");
  d.def_prop_ro(
      "representation", [](const DecompositionValue& d) { return d.representation; }, "What was decomposed.");
  d.def_prop_ro(
      "over", [](const DecompositionValue& d) { return to_string(d.found.over); },
      "\"complex\", \"real\" or \"rational\".");
  d.def_prop_ro(
      "table", [](const DecompositionValue& d) { return d.found.table; },
      "The character table whose rows the constituents name.");
  d.def("__len__", [](const DecompositionValue& d) { return d.found.constituents.size(); });
  d.def(
      "__getitem__",
      [](const DecompositionValue& d, std::int64_t i) {
        return d.found.constituents[index_below(i, d.found.constituents.size())];
      },
      nb::arg("index"));
  d.def(
      "__iter__", [](const DecompositionValue& d) { return nb::iter(nb::cast(d.found.constituents)); },
      nb::sig("def __iter__(self) -> collections.abc.Iterator[Constituent]"));
  d.def(
      "multiplicity",
      [](const DecompositionValue& d, const RowLike& row) -> Integer {
        const std::size_t wanted = row_given(d.found.table, row);
        for (const Constituent& c : d.found.constituents)
          for (const std::size_t r : c.irreps)
            if (r == wanted) return c.multiplicity;
        return 0;
      },
      nb::arg("irrep"),
      "How often the constituent with this row of the table occurs, by place (0-based) or name; 0 if it does "
      "not.");
  d.def(
      "names",
      [](const DecompositionValue& d) {
        std::vector<std::string> names;
        for (const Constituent& c : d.found.constituents) names.push_back(row_names(d.found.table, c.irreps));
        return names;
      },
      "The names of the constituents.");
  d.def(
      "to_json", [](const DecompositionValue& d) { return to_json(d.found); }, "A JSON object.");
  d.def(
      "to_markdown", [](const DecompositionValue& d) { return to_markdown({to_sheet(d.found)}); },
      "The decomposition in Markdown.");
  def_python(d, "to_dataframe", "intertwine._gates", "decomposition_to_dataframe",
             "def to_dataframe(self) -> typing.Any", "The decomposition as a DataFrame of pandas.");
  def_python(d, "_repr_html_", "intertwine._notebook", "decomposition", "def _repr_html_(self) -> str",
             "For notebooks.");
  d.def("__str__", [](const DecompositionValue& d) { return to_text(d.found, false); });
  d.def("__repr__", [](const DecompositionValue& d) {
    return representation_text(d.representation) + ".decompose(" + over_text(d.found.over) + ")";
  });
  d.def(
      "__eq__",
      [](const DecompositionValue& a, const DecompositionValue& b) {
        return a.representation == b.representation && a.found.over == b.found.over;
      },
      nb::is_operator(), nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  d.def("__hash__", [](const DecompositionValue& d) {
    return static_cast<Py_hash_t>(Hasher()
                                      .add(hash_of(d.representation.group()))
                                      .add(d.representation.to_string())
                                      .add(to_string(d.found.over))
                                      .value());
  });
  d.def(
      "__reduce__",
      [](const DecompositionValue& d) {
        return reduced_by_method(nb::cast(d.representation), "decompose", to_string(d.found.over));
      },
      nb::sig(reduce_signature));
  def_limited(
      V, "decompose",
      [](const Limits& limits, const Representation& V, Typed<OverTag> over) {
        const BaseField field = base_field_of(over);
        return limits.run([&](const Task& task) {
          const CharacterTable table = table_of(V.group(), task);
          return DecompositionValue{
              V, {V.to_string(), V.dimension(), table, field, decompose(V, table, field, task), {}}};
        });
      },
      nb::arg("over") = "complex",
      "The multiplicities of the irreducible constituents, by the character table of the group: of groups "
      "with very many classes, such "
      "as\nRubik(3), which have none in any time, ask V >> V, whose dimension is the sum of their squares, "
      "or give seconds=.");
}

void bind_isotypic(nb::module_& m, nb::class_<Representation>& V) {
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
    return "<IsotypicComponent " + std::to_string(c.multiplicity) + " x degree " + std::to_string(c.degree) +
           " over " + c.field.to_string() + ">";
  });
  bind_record<IsotypicComponent>(k);
  def_limited(
      V, "isotypic",
      [](const Limits& limits, const Representation& V, Typed<OverTag> over) {
        const BaseField field = base_field_of(over);
        return limits.run([&](const Task& task) {
          return isotypic_decomposition(V, table_of(V.group(), task), field, task);
        });
      },
      nb::arg("over") = "complex",
      "The isotypic components with their changes of basis, exact and verified: the inclusions side by side "
      "are a\n"
      "regular matrix, and the projections on top of each other its inverse.");
}

void bind_group_methods() {
  auto group = class_of<FiniteGroup>();
  def_limited(
      group, "rep",
      [](const Limits& limits, const FiniteGroup& G, std::string expression) {
        return limits.run([&](const Task& task) { return parse_representation(G, expression, task); });
      },
      nb::arg("expression"),
      "The representation that an expression names: 'perm', '16*perm + 4*sign', 'perm^2', 'sym(2, std)', "
      "'irrep(3)', ...;\n"
      "known_representations() lists them.");
  def_limited(
      group, "permutation_rep",
      [](const Limits& limits, const FiniteGroup& G, Typed<PermutationsTag> images, std::size_t degree) {
        return signed_representation(G, images.object, degree, limits);
      },
      nb::arg("images"), nb::arg("degree") = 0,
      "The permutation representation with these images of the generators, checked to be a homomorphism;\n"
      "DomainError names a relation of the generators a, b, c, ... that they break.");
  def_limited(
      group, "matrix_rep",
      [](const Limits& limits, const FiniteGroup& G, Typed<MatricesTag> images) {
        std::vector<Matrix> given;
        for (const nb::handle item : nb::iter(images.object)) given.push_back(exact_matrix(item));
        return limits.run([&](const Task& task) {
          std::vector<FieldMatrix> list;
          for (const Matrix& A : given) list.push_back(A.to_field(task));
          return matrix_representation(G, std::move(list), {}, task);
        });
      },
      nb::arg("images"),
      "The representation with these matrices of the generators, checked to be a homomorphism;\n"
      "DomainError names a relation of the generators a, b, c, ... that they break.");
  def_limited(
      group, "irreps",
      [](const Limits& limits, const FiniteGroup& G) {
        return limits.run([&](const Task& task) {
          const CharacterTable table = table_of(G, task);
          std::vector<Representation> list;
          for (const IrreducibleRepresentation& R : irreducible_representations(table, task))
            list.push_back(named_irreducible(R.representation, table, R.row));
          return list;
        });
      },
      "The irreducible representations over the complex numbers by exact matrices, verified, in the order of "
      "the character table.");
  def_limited(
      group, "irrep",
      [](const Limits& limits, const FiniteGroup& G, const RowLike& index) {
        return limits.run([&](const Task& task) {
          const CharacterTable table = table_of(G, task);
          const auto* place = std::get_if<std::int64_t>(&index);
          if (place && (*place < 0 || static_cast<std::size_t>(*place) >= table.size()))
            throw DomainError("irrep " + std::to_string(*place) + " of " + std::to_string(table.size()) +
                              " (0-based)");
          const std::size_t row = row_given(table, index);
          return named_irreducible(irreducible_representation(table, row, task).representation, table, row);
        });
      },
      nb::arg("index"),
      "The irreducible representation of one row of the character table (0-based; in expressions irrep(k) "
      "counts from 1), or by its name there: G.irrep('[3,1]'), G.irrep('T1u').");
}

void bind_forms(nb::module_& m) {
  nb::class_<IrreducibleForms> c(
      m, "IrreducibleForms", nb::is_final(),
      "Irreducible representations over one field by matrices, in the order of the "
      "character table; len() is their number.");
  c.def_prop_ro(
      "group", [](const IrreducibleForms& f) { return f.table.group(); }, "The group.");
  c.def_prop_ro(
      "over", [](const IrreducibleForms& f) { return std::string(to_string(f.over)); },
      "\"complex\", \"real\" or \"rational\".");
  c.def_prop_ro(
      "representations",
      [](const IrreducibleForms& f) {
        std::vector<Representation> list;
        for (const auto& entry : f.entries) list.push_back(entry.form.representation);
        return list;
      },
      "The representations.");
  c.def_prop_ro(
      "rows",
      [](const IrreducibleForms& f) {
        std::vector<std::vector<std::size_t>> list;
        for (const auto& entry : f.entries) list.push_back(entry.form.rows);
        return list;
      },
      "For each the rows of the character table that it is made of over the complex numbers.");
  c.def_prop_ro(
      "multiplicities",
      [](const IrreducibleForms& f) {
        std::vector<std::size_t> list;
        for (const auto& entry : f.entries) list.push_back(entry.form.multiplicity);
        return list;
      },
      "For each how often every one of these rows is in it: their Schur index.");
  c.def_prop_ro(
      "missing",
      [](const IrreducibleForms& f) {
        std::vector<std::pair<std::size_t, std::string>> list;
        for (const auto& [row, reason] : f.missing) list.emplace_back(row, reason);
        return list;
      },
      "The rows that belong to none of them, because no matrices were found, each with the reason.");
  c.def("__len__", [](const IrreducibleForms& f) { return f.entries.size(); });
  def_limited(
      c, "to_json",
      [](const Limits& limits, const IrreducibleForms& f, bool proof) {
        return limits.run([&](const Task& task) {
          if (!proof) return to_json(f);
          if (f.over != BaseField::complex)
            throw DomainError(
                "to_json: a proof is of representations over the complex numbers, not over the " +
                to_string(f.over) + " ones");
          return to_json(ProvedForms{f, order_proof(f.table.group(), task)});
        });
      },
      nb::arg("proof") = false,
      "A JSON object, which verify() proves again from its file; with `proof` also what "
      "checkers/check_characters.py proves it from.");
  bind_systems(
      c,
      "The representations, in GAP a list of homomorphisms, in Sage of pairs of a name and the matrices "
      "of the generators, in Magma of G-modules,");
  c.def(
      "to_latex", [](const IrreducibleForms& f) { return to_latex(f); }, "A displayed formula for each.");
  def_limited(
      c, "verify",
      [](const Limits& limits, const IrreducibleForms& f) {
        limits.run([&](const Task& task) { verify(f, task); });
      },
      "Proves every matrix again; VerificationError names the first claim that fails.");
  bind_by<IrreducibleForms>(c, [](const IrreducibleForms& f) { return nb::make_tuple(to_json(f)); });
  c.def("__str__", [](const IrreducibleForms& f) { return to_text(f); });
  c.def("__repr__", [](const IrreducibleForms& f) {
    return "<IrreducibleForms of " + group_text(f.table.group()) + " over the " + to_string(f.over) +
           " numbers, " + std::to_string(f.entries.size()) + " representations>";
  });
  auto group = class_of<FiniteGroup>();
  def_limited(
      group, "irreducible_forms",
      [](const Limits& limits, const FiniteGroup& G, Typed<OverTag> over) {
        const BaseField field = base_field_of(over);
        return limits.run(
            [&](const Task& task) { return irreducible_forms(table_of(G, task), field, task); });
      },
      nb::arg("over") = "complex",
      "The irreducible representations over the complex, real or rational numbers with what proves them.");
}

}  // namespace

void bind_representations(nb::module_& m) {
  nb::class_<Representation> c(m, "Representation", nb::is_final(),
                               "A representation of a group: V + W, V * W (tensor product), 3 * V, V ** 2, "
                               "V.T (dual), V.sym(k), V.alt(k),\n"
                               "V.schur([2, 1]), V.restrict(H), V.induce(G), and V >> U for the equivariant "
                               "maps. rho(gh) = rho(g) rho(h);\n"
                               "a permutation representation has rho(g) e_i = e_g(i). Equal means written "
                               "the same over the same group.");
  bind_questions(c);
  bind_algebra(c);
  bind_value<Representation>(
      c, [](const Representation& V) { return Hasher().add(hash_of(V.group())).add(V.to_string()).value(); });
  c.def("__str__", [](const Representation& V) { return V.to_string(); });
  c.def("__repr__", &representation_text);
  c.def(
      "__reduce__",
      [](const Representation& V) {
        return reduced_by_method(nb::cast(V.group()), "rep", V.to_string(TextForm::checked));
      },
      nb::sig(reduce_signature));
  bind_decomposition(m, c);
  bind_isotypic(m, c);
  bind_allowed_activations(c);
  bind_forms(m);
  bind_group_methods();
  m.def("known_representations", &known_representations,
        "The names of representations that expressions know.");
}

}  // namespace intertwine::python
