// Representations as values with an algebra.
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <span>

#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/hom/constituents.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/basis_layout.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/tables/data_section.hpp"
#include "layers.hpp"
#include "over.hpp"
#include "records.hpp"
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
      [](const V_t& V, const V_t& W) {
        return made([&](const Task& task) { return hom::difference(V, W, task); });
      },
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
      [](const V_t& V, const Integer& k) {
        return made([&](const Task& task) { return hom::multiple(k, V, task); });
      },
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
      "The k-th symmetric power, on the monomials in lexicographic order; for tensors see coordinates.");
  def_limited(
      c, "alt",
      [](const Limits& limits, const V_t& V, unsigned k) {
        return limits.run([&](const Task& task) { return hom::alt(k, V, task); });
      },
      nb::arg("k"), "The k-th exterior power, in lexicographic order.");
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
      nb::arg("group"), "The induced representation of a group that contains this one.");
  c.def("real", &hom::real,
        "The representation over the real numbers, of twice the dimension if it was not real: of a finite "
        "group over the real subfield "
        "of its field, of SU(n) and U(n) for layers with real inputs and weights, where basis vectors 2k and "
        "2k + 1 are e_k and i e_k.");
  c.def(
      "rational", [](const Representation& V) { return restriction_of_scalars(V, AbelianField()); },
      "The representation over the rational numbers, of [field : Q] times the dimension.");
}

/// Where the summands of V lie, copies one by one: sums within multiples are taken apart.
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
      found.append(nb::make_tuple(
          nb::slice(static_cast<Py_ssize_t>(at), static_cast<Py_ssize_t>(at + W.dimension())), W));
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
    for (const auto& [multiplicity, part] : V.as<Representation>()->summands())
      list.emplace_back(multiplicity, part);
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
    list.push_back(K.is_rational()
                       ? Matrix(std::move(coefficients[g]))
                       : Matrix(combined(std::span(coefficients).subspan(g, K.degree()), K, task)));
  return list;
}

struct ImageTag {
  static constexpr auto name = nb::detail::const_name("typing.Any");
};

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
        V.require_matrices("field");
        const auto* W = V.as<Representation>();
        return W != nullptr ? W->field().to_string() : V.as<ContinuousRepresentation>()->field().to_string();
      },
      "The field of the matrices: 'Q', 'Q(sqrt(5))', ...; of classical groups that of the matrices of "
      "generators.");
  c.def_prop_ro("expression", &V_t::to_string,
                "Text that Group.rep reads back, but for differences with negative multiplicities.");
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
  c.def("summands", &summands_of,
        "The representation as a sum of multiples, (multiplicity, representation).");
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
      [](const Limits& limits, const V_t& V, Typed<ImageTag> g) {
        return Typed<ImageTag>{image_of(limits, V, g.object)};
      },
      nb::arg("element"),
      "The matrix of an element of the group: an exact Matrix for finite groups, otherwise an array in "
      "double precision, complex where "
      "is_complex.");
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
      "The character, on the classes of the group's character table.");
}

struct RepresentationTag {
  static constexpr auto name = nb::detail::const_name(
      "str | collections.abc.Iterable[tuple[collections.abc.Sequence[int] | str, int]]");
};

/// The pairs of a list. \throws DomainError for other lists
template <class Name>
std::vector<std::pair<Name, Integer>> pairs_of(const nb::object& terms) {
  std::vector<std::pair<Name, Integer>> list;
  for (const nb::handle term : nb::iter(terms)) {
    std::pair<Name, Integer> pair;
    if (!nb::try_cast(term, pair))
      throw DomainError(
          "rep takes an expression such as 'perm', or a list of pairs of a highest weight, or of a name for "
          "C∞v and D∞h, "
          "and a multiplicity; this is no such pair: " +
          nb::cast<std::string>(nb::repr(term)));
    list.push_back(std::move(pair));
  }
  return list;
}

/// The representation with these constituents, by its character.
V_t of_terms(const hom::Group& G, const nb::object& terms) {
  if (!nb::isinstance<nb::iterable>(terms))
    throw nb::type_error(
        "rep takes an expression such as 'perm', or a list of pairs of a highest weight and a multiplicity");
  if (const auto* axial = G.as<hom::AxialGroup>()) {
    AxialCharacter sum(axial->centre);
    for (const auto& [name, multiplicity] : pairs_of<std::string>(terms))
      sum = sum + multiplicity * AxialCharacter::irrep(axial->centre, parse_axial_irrep(axial->centre, name));
    return sum;
  }
  const auto weights = G.reductive();
  if (!weights)
    throw DomainError("representations of " + G.name() + " are given by expressions, such as 'trivial'");
  LieCharacter sum(weights->type());
  for (const auto& [weight, multiplicity] : pairs_of<Weight>(terms))
    sum = sum + multiplicity * weights->irrep(weight);
  return {G, std::move(sum), "it was given by its constituents"};
}

std::vector<Matrix> matrices_given(const nb::object& list) {
  std::vector<Matrix> given;
  for (const nb::handle item : nb::iter(list)) given.push_back(exact_matrix(item));
  return given;
}

/// A row, a dimension, a name, a highest weight or partition, or for a product a tuple of these.
using SimpleLabel = std::variant<std::int64_t, std::vector<std::int64_t>, std::string>;
using LabelLike =
    std::variant<std::int64_t, std::vector<std::int64_t>, std::string, std::vector<SimpleLabel>>;

V_t irreducible(const hom::Group& G, const LabelLike& label, const Task& task);

/// The external product of an irreducible representation of each factor.
V_t irreducible_of_product(const hom::Group& G, const std::vector<SimpleLabel>& labels, const Task& task) {
  const std::vector<hom::Group> factors = G.factors();
  if (G.as<ContinuousGroup>() == nullptr || labels.size() != factors.size())
    throw DomainError(
        "irrep: a tuple has a label for each factor of a product of classical with finite groups, and " +
        G.name() + " has " + std::to_string(factors.size()) + (factors.size() == 1 ? " factor" : " factors"));
  std::string text;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const LabelLike label = std::visit([](const auto& own) -> LabelLike { return own; }, labels[k]);
    text += (k == 0 ? "" : " # ") + irreducible(factors[k], label, task).to_string();
  }
  return parse_any_representation(G, text, Form::matrices, task);
}

V_t irreducible(const hom::Group& G, const LabelLike& label, const Task& task) {
  if (const auto* labels = std::get_if<std::vector<SimpleLabel>>(&label))
    return irreducible_of_product(G, *labels, task);
  const auto* name = std::get_if<std::string>(&label);
  const auto* weight = std::get_if<std::vector<std::int64_t>>(&label);
  const auto* number = std::get_if<std::int64_t>(&label);
  if (const auto* H = G.as<FiniteGroup>()) {
    const CharacterTable table = table_of(*H, task);
    if (weight != nullptr)
      throw DomainError("irrep: irreducible representations of " + G.name() +
                        " are rows of its character table, by number or name");
    if (number != nullptr && (*number < 0 || static_cast<std::size_t>(*number) >= table.size()))
      throw DomainError("irrep " + std::to_string(*number) + " of " + std::to_string(table.size()) +
                        " (0-based)");
    const std::size_t row = row_given(table, number != nullptr ? RowLike(*number) : RowLike(*name));
    return named_irreducible(irreducible_representation(table, row, task).representation, table, row);
  }
  std::string text = number != nullptr ? std::to_string(*number) : name != nullptr ? *name : "[";
  if (weight != nullptr) {
    for (const std::int64_t x : *weight) text += (text.size() > 1 ? "," : "") + std::to_string(x);
    text += "]";
    if (!G.reductive() && G.as<ContinuousGroup>() != nullptr) text += " as partition";  // as of O(n)
  }
  if (text.find_first_of("()") != std::string::npos)
    throw DomainError("'" + text + "' is no label of an irreducible representation of " + G.name());
  try {
    return parse_any_representation(G, "irrep(" + text + ")", Form::matrices, task);
  } catch (const ParseError& e) {
    if (name != nullptr) throw;
    throw DomainError(e.what());  // nobody typed that text
  }
}

void bind_group_methods() {
  auto group = class_of<hom::Group>();
  def_limited(
      group, "rep",
      [](const Limits& limits, const hom::Group& G, Typed<RepresentationTag> what) {
        if (!nb::isinstance<nb::str>(what.object)) return of_terms(G, what.object);
        const auto expression = nb::cast<std::string>(what.object);
        return limits.run(
            [&](const Task& task) { return parse_any_representation(G, expression, Form::matrices, task); });
      },
      nb::arg("expression"),
      "The representation that an expression names: 'perm', '16*perm + 4*sign', 'sym(2, std)', 'irrep(3)'; "
      "of SO(3) 'vector', "
      "'2*vector + harmonic(2)'; over a product one operand for each factor, 'perm # vector'. "
      "known_representations() and "
      "known_continuous_representations() list the names.\n"
      "A list of pairs (highest weight, multiplicity), or (name, multiplicity) for C∞v and D∞h, gives a "
      "representation by its character.");
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
      [](const Limits& limits, const hom::Group& G, Typed<MatricesTag> images,
         std::optional<Typed<MatricesTag>> generators) -> V_t {
        const std::vector<Matrix> given = matrices_given(images.object),
                                  own =
                                      generators ? matrices_given(generators->object) : std::vector<Matrix>();
        return limits.run([&](const Task& task) -> V_t {
          const auto fields = [&](const std::vector<Matrix>& list) {
            std::vector<FieldMatrix> found;
            for (const Matrix& A : list) found.push_back(A.to_field(task));
            return found;
          };
          if (const auto* H = G.as<ContinuousGroup>())
            return generators ? matrix_representation(*H, fields(own), fields(given), task)
                              : matrix_representation(*H, fields(given), task);
          const auto* H = G.as<FiniteGroup>();
          if (H == nullptr)
            throw DomainError("matrix_rep: representations of " + G.name() +
                              " are known by their characters only");
          if (generators) throw DomainError("matrix_rep: generators= is for classical groups");
          return matrix_representation(*H, fields(given), {}, task);
        });
      },
      nb::arg("images"), nb::arg("generators") = nb::none(),
      "The representation with these matrices of the generators, checked to be a homomorphism; DomainError "
      "names a relation of the "
      "generators a, b, c, ... that they break.\n"
      "Of a classical group in the order of generator_names; DomainError names a bracket that they do not "
      "respect. Entries are exact "
      "numbers, 'sqrt(3)/2' and 'E(4)' too.\n"
      "generators: other elements of the Lie algebra, or of its complex span, that the first images are of: "
      "matrices on the defining "
      "module\n"
      "such as those of Pauli and Gell-Mann; the images of components come behind.");
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
      [](const Limits& limits, const hom::Group& G, const LabelLike& label) -> V_t {
        return limits.run([&](const Task& task) { return irreducible(G, label, task); });
      },
      nb::arg("label"),
      "An irreducible representation. Of a finite group that of a row of the character table (0-based; in "
      "expressions irrep(k) "
      "counts from 1), or by its name there: G.irrep('[3,1]'), G.irrep('T1u').\n"
      "Of others by its highest weight, G.irrep([1, 1]), by its dimension, G.irrep(8), or as in expressions, "
      "G.irrep('10*'), "
      "G.irrep('[2,1] as partition'). A list is a partition for O(n) and O(p,q). Of a product of classical "
      "with finite groups by a tuple of a "
      "label for each factor.");
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
  auto group = class_of<hom::Group>();
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

nb::object constituents_of(const hom::Representation& V) {
  nb::list list;
  if (const auto* chi = V.as<AxialCharacter>())
    for (const auto& [irrep, multiplicity] : chi->terms())
      list.append(nb::make_tuple(to_string(irrep), multiplicity));
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
                    "A representation of a group: V + W, V * W (tensor product), 3 * V, V ** 2, V.T (dual), "
                    "V.sym(k), V.alt(k),\n"
                    "V.schur([2, 1]), V.restrict(H), V.induce(G), and V >> U for the equivariant maps. "
                    "rho(gh) = rho(g) rho(h);\n"
                    "a permutation representation has rho(g) e_i = e_g(i). Equal means written the same over "
                    "the same group, or, where "
                    "only characters are known, with the same character.");
  bind_questions(c);
  bind_algebra(c);
  bind_value<V_t>(c, [](const V_t& V) { return hash_of(V); });
  c.def("__str__", &V_t::to_string);
  c.def("__repr__", &representation_text);
  c.def(
      "__reduce__",
      [](const V_t& V) {
        const nb::object G = nb::cast(V.group());
        if (const auto* W = V.as<Representation>())
          return reduced_by_method(G, "rep", W->to_string(TextForm::checked));
        return V.has_matrices() ? reduced_by_method(G, "rep", V.to_string())
                                : reduced_by_method(G, "rep", constituents_of(V));
      },
      nb::sig(reduce_signature));
  bind_allowed_activations(c);
  bind_forms(m);
  bind_group_methods();
  m.def("known_representations", &known_representations,
        "The names of representations that expressions know.");
}

}  // namespace intertwine::python
