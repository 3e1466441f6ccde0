// The representations that a group gives: by expressions, images, constituents and labels, and its irreducible ones.
#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/order_proof.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "intertwine/representations/representation_proof.hpp"
#include "over.hpp"
#include "records.hpp"

namespace intertwine::python {

namespace {

using V_t = hom::Representation;

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

struct RepresentationTag {
  static constexpr auto name =
      nb::detail::const_name("str | collections.abc.Iterable[tuple[collections.abc.Sequence[int] | str, int]]");
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
  if (const auto centre = G.centre_of_linear_molecule()) {
    AxialCharacter sum(*centre);
    for (const auto& [name, multiplicity] : pairs_of<std::string>(terms))
      sum = sum + multiplicity * AxialCharacter::irrep(*centre, parse_axial_irrep(*centre, name));
    return {std::move(sum), "it was given by its constituents"};
  }
  const auto weights = G.reductive();
  if (!weights) throw DomainError("representations of " + G.name() + " are given by expressions, such as 'trivial'");
  LieCharacter sum(weights->type());
  for (const auto& [weight, multiplicity] : pairs_of<Weight>(terms)) sum = sum + multiplicity * weights->irrep(weight);
  return {G, std::move(sum), "it was given by its constituents"};
}

std::vector<Matrix> matrices_given(const nb::object& list) {
  std::vector<Matrix> given;
  for (const nb::handle item : nb::iter(list)) given.push_back(exact_matrix(item));
  return given;
}

/// A row, a dimension, a name, a highest weight or partition, or for a product a tuple of these.
using SimpleLabel = std::variant<std::int64_t, std::vector<std::int64_t>, std::string>;
using LabelLike = std::variant<std::int64_t, std::vector<std::int64_t>, std::string, std::vector<SimpleLabel>>;

V_t irreducible(const hom::Group& G, const LabelLike& label, const Task& task);

/// The external product of an irreducible representation of each factor.
V_t irreducible_of_product(const hom::Group& G, const std::vector<SimpleLabel>& labels, const Task& task) {
  const std::vector<hom::Group> factors = G.factors();
  if (G.as<ContinuousGroup>() == nullptr || labels.size() != factors.size())
    throw DomainError("irrep: a tuple has a label for each factor of a product of classical with finite groups, and " +
                      G.name() + " has " + std::to_string(factors.size()) +
                      (factors.size() == 1 ? " factor" : " factors"));
  std::string text;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const LabelLike label = std::visit([](const auto& own) -> LabelLike { return own; }, labels[k]);
    text += (k == 0 ? "" : " # ") + irreducible(factors[k], label, task).to_string();
  }
  return parse_representation(G, text, Form::matrices, task);
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
      throw DomainError("irrep " + std::to_string(*number) + " of " + std::to_string(table.size()) + " (0-based)");
    const std::size_t row = row_given(table, number != nullptr ? RowLike(*number) : RowLike(*name));
    return irreducible_representation(table, row, task).representation;
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
    return parse_representation(G, "irrep(" + text + ")", Form::matrices, task);
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
        return limits.run([&](const Task& task) { return parse_representation(G, expression, Form::matrices, task); });
      },
      nb::arg("expression"),
      R"(The representation that an expression names.

`known_representations()` and `known_continuous_representations()` list the names.

Parameters
----------
expression : str or list of pairs
    'perm', '16*perm + 4*sign', 'sym(2, std)', 'irrep(3)'; of SO(3) 'vector', '2*vector + harmonic(2)'. Over a product one
    operand for each factor: 'perm # vector'. Pairs (highest weight, multiplicity), or (name, multiplicity) for C∞v and D∞h,
    give a representation by its character.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
Representation
    by exact matrices, or by its character where it has none.

Raises
------
ParseError
    with the place in the text that is not understood.
DomainError
    for a question that this kind of group cannot answer; the sentence says why.

See Also
--------
Group.irrep : an irreducible representation by its name or number.

Examples
--------
>>> V = Group('S4').rep('perm + 2*sign')
>>> V.dimension
6)");
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
                                  own = generators ? matrices_given(generators->object) : std::vector<Matrix>();
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
            throw DomainError("matrix_rep: representations of " + G.name() + " are known by their characters only");
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
            list.push_back(R.representation);
          return list;
        });
      },
      R"(The irreducible representations over the complex numbers, by exact matrices.

They are verified, and in the order of the character table.

Parameters
----------
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
list of Representation
    one for each row of the character table.

Raises
------
DomainError
    for a question that this kind of group cannot answer; the sentence says why.
LimitError
    where memory or time would be more than allowed.

See Also
--------
Group.character_table : their characters, which cost much less.

Examples
--------
>>> [V.dimension for V in Group('A4').irreps()]
[1, 1, 1, 3])");
  def_limited(
      group, "irrep",
      [](const Limits& limits, const hom::Group& G, const LabelLike& label) -> V_t {
        return limits.run([&](const Task& task) { return irreducible(G, label, task); });
      },
      nb::arg("label"),
      R"(An irreducible representation.

Parameters
----------
label : int, str, sequence or tuple
    Of a finite group the row of the character table, from 0, or its name there: 'T1u', '[3,1]'. In expressions irrep(k) counts
    from 1. Of others its highest weight, its dimension, or text as in expressions: '10*', '[2,1] as partition'. A list is a
    partition for O(n) and O(p,q). Of a product a tuple with a label for each factor.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
Representation
    the irreducible representation.

Raises
------
DomainError
    where several have this dimension, or none has this name; those that there are, are named.

See Also
--------
Group.irreps : all of a finite group, by matrices.

Examples
--------
>>> Group('S4').irrep('[3,1]').dimension, Group('SU(3)').irrep([1, 1]).dimension
(3, 8))");
}

void bind_forms(nb::module_& m) {
  nb::class_<IrreducibleForms> c(m, "IrreducibleForms", nb::is_final(),
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
          if (!proof) return to_json(record(f), task);
          if (f.over != BaseField::complex)
            throw DomainError("to_json: a proof is of representations over the complex numbers, not over the " +
                              to_string(f.over) + " ones");
          return to_json(record(ProvedForms{f, order_proof(f.table.group(), task)}), task);
        });
      },
      nb::arg("proof") = false,
      "A JSON object, which verify() proves again from its file; with `proof` also what "
      "checkers/check_characters.py proves it from.");
  bind_systems(c,
               "The representations, in GAP a list of homomorphisms, in Sage of pairs of a name and the matrices "
               "of the generators, in Magma of G-modules,");
  c.def(
      "to_latex", [](const IrreducibleForms& f) { return to_latex(record(f)); }, "A displayed formula for each.");
  bind_own_format(c);
  def_limited(
      c, "verify",
      [](const Limits& limits, const IrreducibleForms& f) { limits.run([&](const Task& task) { verify(f, task); }); },
      "Proves every matrix again; VerificationError names the first claim that fails.");
  bind_by<IrreducibleForms>(c, [](const IrreducibleForms& f) { return nb::make_tuple(to_json(record(f))); });
  c.def("__str__", [](const IrreducibleForms& f) { return to_text(record(f), 0); });
  c.def("__repr__", [](const IrreducibleForms& f) {
    return "<IrreducibleForms of " + group_text(f.table.group()) + " over the " + to_string(f.over) + " numbers, " +
           std::to_string(f.entries.size()) + " representations>";
  });
  auto group = class_of<hom::Group>();
  def_limited(
      group, "irreducible_forms",
      [](const Limits& limits, const FiniteGroup& G, Typed<OverTag> over) {
        const BaseField field = base_field_of(over);
        return limits.run([&](const Task& task) { return irreducible_forms(table_of(G, task), field, task); });
      },
      nb::arg("over") = "complex",
      "The irreducible representations over the complex, real or rational numbers with what proves them.");
}

}  // namespace

void bind_group_representations(nb::module_& m) {
  bind_forms(m);
  bind_group_methods();
}

}  // namespace intertwine::python
