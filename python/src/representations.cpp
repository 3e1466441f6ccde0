// Representations as values with an algebra.
#include <limits>
#include <span>

#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/hom/constituents.hpp"
#include "intertwine/io/o3_irreps.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/representations/basis_layout.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/tables/data_section.hpp"
#include "layers.hpp"
#include "tensors.hpp"

namespace intertwine::python {

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

/// A number of copies, an exponent or a degree. \throws DomainError naming what takes a k from 0 on
template <class Count>
Count as_count(const Integer& k, const char* what) {
  if (k < 0 || k > std::numeric_limits<Count>::max())
    throw DomainError(std::string(what) + ": k is a whole number from 0 to " +
                      std::to_string(std::numeric_limits<Count>::max()) + ", not " + k.str());
  return static_cast<Count>(k);
}

using V_t = hom::Representation;

template <class Work>
V_t made(Work work) {
  return Limits().run(work);
}

void bind_operators(nb::class_<V_t>& c) {
  c.def(
      "__add__",
      [](const V_t& V, const V_t& W) { return made([&](const Task& task) { return hom::sum(V, W, task); }); },
      nb::is_operator(), nb::arg("other"), "The direct sum.");
  c.def(
      "__sub__",
      [](const V_t& V, const V_t& W) { return made([&](const Task& task) { return hom::difference(V, W, task); }); },
      nb::is_operator(), nb::arg("other"),
      "V - W. Of a finite group, where that is a representation: the kernel of an equivariant map onto W; "
      "DomainError names what "
      "W has more often than V. Of groups that have highest weights the difference of the characters, a "
      "virtual representation.");
  c.def(
      "__mul__",
      [](const V_t& V, const V_t& W) {
        return made([&](const Task& task) { return hom::tensor_product(V, W, task); });
      },
      nb::is_operator(), nb::arg("other"), "The tensor product.");
  c.def(
      "__rmul__",
      [](const V_t& V, const Integer& k) { return made([&](const Task& task) { return hom::multiple(k, V, task); }); },
      nb::is_operator(), nb::arg("k"), "The sum of k copies, kept as a multiplicity.");
  c.def(
      "__pow__",
      [](const V_t& V, const Integer& k) {
        const auto exponent = as_count<std::uint32_t>(k, "the tensor power V ** k");
        return made([&](const Task& task) { return hom::tensor_power(V, exponent, task); });
      },
      nb::is_operator(), nb::arg("k"), "The k-th tensor power.");
  c.def_prop_ro("T", &hom::dual, "The dual representation.");
}

void bind_algebra(nb::class_<V_t>& c) {
  bind_operators(c);
  bind_tensors(c);
  def_limited(
      c, "sym",
      [](const Limits& limits, const V_t& V, unsigned k) {
        return limits.run([&](const Task& task) { return hom::sym(k, V, task); });
      },
      nb::arg("k"),
      R"(The k-th symmetric power, on the monomials in lexicographic order; for tensors see coordinates.

Parameters
----------
k : int
    the power; 0 gives the trivial representation.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
Representation
    of dimension C(d + k - 1, k) where this one has dimension d.

Raises
------
LimitError
    if the monomials are too many.

See Also
--------
Representation.alt : the exterior power.
Representation.schur : any Schur functor.

Examples
--------
>>> Group('S3').rep('perm').sym(2).dimension
6)");
  def_limited(
      c, "alt",
      [](const Limits& limits, const V_t& V, unsigned k) {
        return limits.run([&](const Task& task) { return hom::alt(k, V, task); });
      },
      nb::arg("k"),
      R"(The k-th exterior power, on the sets of k basis vectors in lexicographic order.

Parameters
----------
k : int
    the power; above the dimension it has dimension 0.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
Representation
    of dimension C(d, k) where this one has dimension d.

Raises
------
LimitError
    if the sets are too many.

See Also
--------
Representation.sym : the symmetric power.

Examples
--------
>>> Group('S4').rep('perm').alt(2).dimension
6)");
  def_limited(
      c, "schur",
      [](const Limits& limits, const V_t& V, PartitionLike partition) {
        const Partition shape = partition.value();
        return limits.run([&](const Task& task) { return hom::schur_power(shape, V, task); });
      },
      nb::arg("partition"),
      "The Schur functor of a partition such as [2, 1]: [d] is the symmetric, [1, ..., 1] the exterior "
      "power.");
  def_limited(
      c, "induce",
      [](const Limits& limits, const Representation& V, const FiniteGroup& G) {
        return limits.run([&](const Task& task) { return induction(V, G, task); });
      },
      nb::arg("group"),
      R"(The induced representation of a group that contains this one.

Parameters
----------
group : Group
    finite, on the same points, and every element of this representation's group is in it.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
Representation
    a block for each coset: the dimension times the index of the subgroup.

Raises
------
DomainError
    if this group is not contained in the other.
LimitError
    if the cosets are too many.

See Also
--------
Representation.restrict : to a subgroup.

Examples
--------
>>> G = Group('S4')
>>> V = G.stabilizer(3).rep('trivial')
>>> V.induce(G).dimension
4)");
  c.def("real", &hom::real,
        "The representation over the real numbers, of twice the dimension if it was not real: of a finite "
        "group over the real subfield "
        "of its field, of SU(n) and U(n) for layers with real inputs and weights, where basis vectors 2k and "
        "2k + 1 are e_k and i e_k.");
  c.def(
      "rational", [](const Representation& V) { return restriction_of_scalars(V, AbelianField()); },
      "The representation over the rational numbers, of [field : Q] times the dimension.");
}

/// Adds the places of the summands of V, copies one by one: sums within multiples are taken apart.
void add_slices(const ContinuousRepresentation& V, std::uint64_t& at, nb::list& found) {
  const auto summands = V.summands();
  const bool whole = summands.size() == 1 && summands.front().first == 1;
  for (const auto& [copies, W] : summands) {
    if (copies > 65536 || nb::len(found) > 65536)
      throw LimitError("slices: " + V.to_string() + " has more than 65536 summands");
    for (std::uint64_t k = 0; k < copies; ++k) {
      if (!whole) {
        add_slices(W, at, found);
        continue;
      }
      found.append(
          nb::make_tuple(nb::slice(static_cast<Py_ssize_t>(at), static_cast<Py_ssize_t>(at + W.dimension())), W));
      at += W.dimension();
    }
  }
}

nb::list slices_of(const V_t& V) {
  V.require_matrices("slices");
  nb::list found;
  if (const auto* W = V.as<ContinuousRepresentation>()) {
    std::uint64_t at = 0;
    add_slices(*W, at, found);
    return found;
  }
  for (const BasisBlock& block : basis_layout(*V.as<Representation>())) {
    const std::uint64_t end = block.start + block.representation.dimension();
    found.append(nb::make_tuple(nb::slice(static_cast<Py_ssize_t>(block.start), static_cast<Py_ssize_t>(end)),
                                block.representation));
  }
  return found;
}

std::vector<std::pair<std::uint64_t, V_t>> summands_of(const V_t& V) {
  V.require_matrices("summands");
  std::vector<std::pair<std::uint64_t, V_t>> list;
  if (const auto* W = V.as<ContinuousRepresentation>())
    for (const auto& [multiplicity, part] : W->summands()) list.emplace_back(multiplicity, part);
  else
    for (const auto& [multiplicity, part] : V.as<Representation>()->summands()) list.emplace_back(multiplicity, part);
  return list;
}

/// The sum of coefficients[t] a^t.
FieldMatrix combined(std::span<const SparseMatrix> coefficients, const AbelianField& K, const Task& task) {
  const std::size_t n = coefficients[0].rows();
  task.require_memory(std::uint64_t{n} * n * sizeof(Cyclotomic), "the matrix of a generator");
  std::vector<Cyclotomic> entries(n * n);
  for (std::size_t t = 0; t < coefficients.size(); ++t) {
    const Cyclotomic power = K.generator().power(static_cast<std::int64_t>(t));
    for (const auto& e : coefficients[t].entries()) entries[e.row * n + e.col] += Cyclotomic(e.value) * power;
  }
  return {n, n, entries};
}

std::vector<Matrix> generator_matrices_of(const V_t& V, const Task& task) {
  V.require_matrices("generator_matrices");
  std::vector<Matrix> list;
  if (const auto* W = V.as<Representation>()) {
    for (const Permutation& g : W->group().generators()) list.push_back(matrix_of(*W, g, task));
    return list;
  }
  const auto& W = *V.as<ContinuousRepresentation>();
  const AbelianField K = W.field();
  std::vector<SparseMatrix> coefficients = W.generator_coefficients(K, task);
  for (std::size_t g = 0; g < coefficients.size(); g += K.degree())
    list.push_back(K.is_rational() ? Matrix(std::move(coefficients[g]))
                                   : Matrix(combined(std::span(coefficients).subspan(g, K.degree()), K, task)));
  return list;
}

/// The matrix of an element: exact for finite groups, in floats for others.
nb::object image_of(const Limits& limits, const V_t& V, const nb::object& g) {
  V.require_matrices("matrix");
  const auto* W = V.as<Representation>();
  if (W == nullptr) return nb::module_::import_("intertwine._elements").attr("matrix")(V, g);
  const Permutation element = PermutationLike{g}.on(W->group().degree());
  return nb::cast(limits.run([&](const Task& task) {
    if (!W->group().chain(task).contains(element))
      throw DomainError("the permutation " + element.to_string() + " is no element of " + W->group().name());
    return matrix_of(*W, element, task);
  }));
}

void bind_questions(nb::class_<V_t>& c) {
  c.def_prop_ro("group", &V_t::group, "The group.");
  c.def_prop_ro("dimension", &V_t::dimension, "The number of basis vectors, multiplicities counted.");
  c.def_prop_ro(
      "field",
      [](const V_t& V) {
        property_of([&] { V.require_matrices("field"); });
        const auto* W = V.as<Representation>();
        return W != nullptr ? W->field().to_string() : V.as<ContinuousRepresentation>()->field().to_string();
      },
      "The field of the matrices: 'Q', 'Q(sqrt(5))', ...; of classical groups that of the matrices of "
      "generators.");
  c.def_prop_ro("expression", &V_t::to_string,
                "Text that Group.rep reads back, but for differences with negative multiplicities.");
  c.def_prop_ro(
      "irreps",
      [](const V_t& V) {
        if (const auto* W = V.as<ContinuousRepresentation>())
          return property_of([&] { return Limits().run([&](const Task& task) { return o3_irreps(*W, task); }); });
        throw NoSuchProperty("irreps writes representations of O(3) and SO(3) by matrices, and this is one of " +
                             V.group().name() + "; decompose() takes every group");
      },
      "A sum of irreducible representations of O(3) in e3nn's words, '32x0e+16x1o+8x2e', of SO(3) "
      "'32x0+16x1+8x2', as "
      "Group.rep reads them; DomainError for others. It names types in the order of the summands, and not "
      "the "
      "basis of each.");
  c.def_prop_ro("has_matrices", &V_t::has_matrices,
                "Is it given by matrices? Representations of exceptional groups and linear molecules, and "
                "those of classical groups that "
                "are too large, are given by their characters.");
  c.def_prop_ro("is_complex", &V_t::is_complex,
                "Are its coordinates complex numbers? Those of SU(n) and U(n) are, but for V.real() and the "
                "trivial one.");
  c.def_prop_ro(
      "is_permutation", [](const Representation& V) { return V.is_permutation(); },
      "Does every element permute the basis vectors?");
  c.def_prop_ro(
      "is_monomial", [](const Representation& V) { return V.is_monomial(); },
      "Does every element permute the basis vectors up to signs?");
  c.def("summands", &summands_of, "The representation as a sum of multiples, (multiplicity, representation).");
  c.def("slices", &slices_of, nb::sig("def slices(self) -> list[tuple[slice, Representation]]"),
        "Where the summands lie in the coordinates, (slice, representation), copies one by one: those of "
        "2*perm + sign are [0:3], [3:6] "
        "and [6:7] for S3.");
  c.def(
      "basis_label",
      [](const Representation& V, std::int64_t i) { return V.basis_label(index_below(i, V.dimension())); },
      nb::arg("index"), "Basis vector `index` (0-based) as people write it, 1-based.");
  def_limited(
      c, "matrix",
      [](const Limits& limits, const V_t& V, Typed<AnyTag> g) { return Typed<AnyTag>{image_of(limits, V, g.object)}; },
      nb::arg("element"),
      R"(The matrix of an element of the group.

Parameters
----------
element : Permutation, str, list or array
    as `Group.element` takes it: a permutation, its cycles as text, a list of images, a matrix of the defining module.

Returns
-------
Matrix or numpy.ndarray
    [dimension, dimension]: exact for finite groups, otherwise in double precision, complex where `is_complex`.

Raises
------
DomainError
    for what is no element of the group.

See Also
--------
Group.random_element : elements to try.

Examples
--------
>>> print(Group('S3').rep('perm').matrix('(1,2)'))
Matrix([[0, 1, 0], [1, 0, 0], [0, 0, 1]]))");
  def_limited(
      c, "generator_matrices",
      [](const Limits& limits, const V_t& V) {
        return limits.run([&](const Task& task) { return generator_matrices_of(V, task); });
      },
      "The exact matrices of the generators of the group, in their order; of Lie algebras, components and "
      "finite factors in the order of "
      "group.generator_names.\n"
      "W is equivariant if and only if it commutes with all of them.");
  def_limited(
      c, "is_irreducible",
      [](const Limits& limits, const V_t& V) {
        return limits.run([&](const Task& task) {
          if (const auto* W = V.as<Representation>()) {
            const ClassFunction chi = character_of(*W, table_of(W->group(), task), task);
            return inner_product(chi, chi) == Cyclotomic(1);
          }
          const auto parts = hom::decompose(V, BaseField::complex, task).constituents;
          return parts.size() == 1 && parts.front().multiplicity == 1;
        });
      },
      "Is it irreducible over the complex numbers? By its character.");
  c.def(
      "trace",
      [](const Representation& V, const PermutationLike& g) {
        const Permutation element = g.on(V.group().degree());
        return Exact{Limits().run([&](const Task&) { return V.character(element); })};
      },
      nb::arg("element"), "The trace of the matrix of an element, without the matrix.");
  bind_systems<Representation>(
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
      R"(The character, on the classes of the group's character table.

Parameters
----------
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
ClassFunction
    its values are the traces at the representatives of the classes.

Raises
------
LimitError
    if the classes or the character table would take too long.

See Also
--------
Representation.decompose : the multiplicities that follow from it.
Group.character_table : the irreducible characters.

Examples
--------
>>> chi = Group('S3').rep('perm').character()
>>> [int(chi[k]) for k in range(3)]
[3, 1, 0])");
}

}  // namespace

nb::object constituents_of(const hom::Representation& V) {
  nb::list list;
  if (const auto* chi = V.as<AxialCharacter>())
    for (const auto& [irrep, multiplicity] : chi->terms()) list.append(nb::make_tuple(to_string(irrep), multiplicity));
  if (const auto* chi = V.as<LieCharacter>())
    for (const WeightTerm& term : *chi) list.append(nb::make_tuple(term.weight, term.coefficient));
  return list;
}

std::string representation_text(const hom::Representation& V) {
  const std::string what =
      V.has_matrices() ? quoted(V.to_string()) : nb::cast<std::string>(nb::repr(constituents_of(V)));
  return group_text(V.group()) + ".rep(" + what + ")";
}

std::size_t hash_of(const hom::Representation& V) {
  return Hasher().add(hash_of(V.group())).add(V.to_string()).value();
}

void bind_representations(nb::module_& m) {
  nb::class_<V_t> c(m, "Representation", nb::is_final(),
                    R"(A representation of a group: a matrix rho(g) for each element, with rho(gh) = rho(g) rho(h).

`G.rep(name)` makes one; it is not called. Representations have an algebra: V + W, V * W (tensor product), 3 * V,
V ** 2, V.T (dual), V.sym(k), V.alt(k), V.schur([2, 1]), V.restrict(H), V.induce(G), and V >> U for equivariant maps. A
permutation representation has rho(g) e_i = e_g(i). Equal means written the same over the same group, or, where only
characters are known, with the same character.

See Also
--------
Group.rep : a representation by its name.
Hom : the equivariant maps V >> U.

Examples
--------
>>> from intertwine import Group
>>> V = Group("S4").rep("perm")
>>> (V * V).dimension, V.sym(2).dimension, V.decompose().names()
(16, 10, ['[4]', '[3,1]'])
)");
  bind_questions(c);
  bind_algebra(c);
  bind_value<V_t>(c, [](const V_t& V) { return hash_of(V); });
  c.def("__str__", &V_t::to_string);
  c.def("__repr__", &representation_text);
  c.def(
      "__reduce__",
      [](const V_t& V) {
        const nb::object G = nb::cast(V.group());
        if (const auto* W = V.as<Representation>()) return reduced_by_method(G, "rep", W->to_string(TextForm::checked));
        return V.has_matrices() ? reduced_by_method(G, "rep", V.to_string())
                                : reduced_by_method(G, "rep", constituents_of(V));
      },
      nb::sig(reduce_signature));
  bind_allowed_activations(c);
  m.def("known_representations", &known_representations, "The names of representations that expressions know.");
}

}  // namespace intertwine::python
