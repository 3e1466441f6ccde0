// Continuous groups, their representations and the equivariant maps between them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <span>

#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/classical/continuous_basis.hpp"
#include "intertwine/classical/continuous_decomposition.hpp"
#include "intertwine/classical/continuous_power.hpp"
#include "intertwine/classical/continuous_symmetrizer.hpp"
#include "intertwine/equivariant/equivariant_basis.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/basis_elements.hpp"
#include "intertwine/io/basis_text.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/continuous_text.hpp"
#include "layers.hpp"
#include "symmetrized.hpp"
#include "tables.hpp"
#include "tensors.hpp"

namespace intertwine::python {

namespace {

/// The classical factors without a Lie algebra, O(1), SO(1), SU(1) and SL(1), are their components alone.
bool is_finite(const ContinuousGroup& G) {
  return std::ranges::all_of(G.factors(), [](const auto& factor) {
    const auto* classical = std::get_if<ClassicalGroup>(&factor);
    return classical == nullptr || classical->lie_algebra().empty();
  });
}

std::optional<Integer> order_if_finite(const ContinuousGroup& G, const Task& task) {
  if (!is_finite(G)) return std::nullopt;
  Integer order = 1;
  for (const auto& factor : G.factors())
    if (const auto* finite = std::get_if<FiniteGroup>(&factor))
      order *= finite->order(task);
    else
      order *= Integer(1) << std::get<ClassicalGroup>(factor).component_generators().size();
  return order;
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

std::string continuous_group_text(const ContinuousGroup& G) {
  return "ContinuousGroup(" + quoted(G.name()) + ")";
}
std::string representation_text(const ContinuousRepresentation& V) {
  return continuous_group_text(V.group()) + ".rep(" + quoted(V.to_string()) + ")";
}

std::vector<FieldMatrix> field_matrices(nb::handle matrices) {
  std::vector<FieldMatrix> list;
  for (const nb::handle item : nb::iter(matrices)) list.push_back(exact_matrix(item).to_field());
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

/// Hom(V, U). The certified basis is kept, and shared by copies.
class ContinuousHom {
 public:
  ContinuousHom(ContinuousRepresentation V, ContinuousRepresentation U)
      : V_(std::move(V)), U_(std::move(U)), state_(std::make_shared<State>()) {
    if (!(V_.group() == U_.group()))
      throw DomainError("V >> U: the representations belong to different groups, " + V_.group().name() +
                        " and " + U_.group().name());
    static_cast<void>(common_scalars(V_, U_));
  }
  const ContinuousRepresentation& source() const { return V_; }
  const ContinuousRepresentation& target() const { return U_; }
  const ContinuousBasis& basis(const Task& task) const {
    const std::lock_guard lock(state_->mutex);
    if (!state_->basis) state_->basis = continuous_basis(V_, U_, task);
    return *state_->basis;
  }
  std::shared_ptr<const EquivariantProjection> projection(const Task& task) const {
    const std::lock_guard lock(state_->mutex);
    if (!state_->projection) state_->projection = std::make_shared<ContinuousSymmetrizer>(V_, U_, task);
    return state_->projection;
  }
  ContinuousBlocks single(const Task& task) const { return {V_, U_, {{basis(task)}}}; }
  friend bool operator==(const ContinuousHom& a, const ContinuousHom& b) {
    return a.V_ == b.V_ && a.U_ == b.U_;
  }

 private:
  struct State {
    std::mutex mutex;
    std::optional<ContinuousBasis> basis;
    std::shared_ptr<const EquivariantProjection> projection;
  };
  ContinuousRepresentation V_, U_;
  std::shared_ptr<State> state_;
};

void bind_continuous_group(nb::module_& m) {
  nb::class_<ContinuousGroup> c(
      m, "ContinuousGroup", nb::is_final(),
      "A classical group, or a product of such with finite groups: ContinuousGroup('O(3)'), "
      "ContinuousGroup('S5 x O(3)').\n\n"
      "SO(n), O(n), SO+(p,q), O(p,q), SL(n), GL(n), Sp(2n), and SU(n), U(n), whose representations are "
      "complex; "
      "known_continuous_groups()\n"
      "lists the names. Given exactly by the generators of Lie algebras, components and finite factors.");
  c.def(
      "__init__",
      [](ContinuousGroup* self, const std::string& group) {
        new (self) ContinuousGroup(
            Limits().run([&](const Task& task) { return parse_continuous_group(group, task); }));
      },
      nb::arg("group"));
  c.def_prop_ro("name", &ContinuousGroup::name, "The expression that names it.");
  c.def_prop_ro(
      "is_complex", nb::overload_cast<>(&ContinuousGroup::is_complex, nb::const_),
      "Are its representations complex (SU(n), U(n))? Their equivariant maps still have a rational basis.");
  c.def_prop_ro(
      "factors",
      [](const ContinuousGroup& G) {
        std::vector<std::variant<FiniteGroup, ContinuousGroup>> list;
        for (const auto& factor : G.factors()) {
          if (const auto* const H = std::get_if<FiniteGroup>(&factor))
            list.emplace_back(*H);
          else
            list.emplace_back(ContinuousGroup({factor}));
        }
        return list;
      },
      "The groups that it is the product of, in their order: finite ones and classical ones; itself alone "
      "where "
      "there is one.");
  c.def_prop_ro(
      "order",
      [](const ContinuousGroup& G) -> nb::object {
        const auto found = Limits().run([&](const Task& task) { return order_if_finite(G, task); });
        return found ? nb::cast(*found) : nb::object(nb::float_(std::numeric_limits<double>::infinity()));
      },
      nb::sig("def order(self) -> int | float"),
      "The number of elements: math.inf, or an int where all factors are finite, as in O(1) x S3.");
  c.def_prop_ro("is_finite", &is_finite, "Has it finitely many elements?");
  c.def_prop_ro("generator_names", &ContinuousGroup::generator_names,
                "What each of ContinuousRepresentation.generator_matrices() is the matrix of.");
  def_limited(
      c, "rep",
      [](const Limits& limits, const ContinuousGroup& G, std::string expression) {
        return limits.run(
            [&](const Task& task) { return parse_continuous_representation(G, expression, task); });
      },
      nb::arg("expression"),
      "The representation that an expression names: 'vector', '2*vector + harmonic(2)', 'sym(2, "
      "vector)*vector'; over a product\n"
      "one operand for each factor, 'perm # vector'; known_continuous_representations() lists them.");
  def_limited(
      c, "irrep",
      [](const Limits& limits, const ContinuousGroup& G,
         const std::variant<std::int64_t, std::vector<std::int64_t>, std::string>& label) {
        const auto* name = std::get_if<std::string>(&label);
        const auto* weight = std::get_if<std::vector<std::int64_t>>(&label);
        const std::string text = name     ? *name
                                 : weight ? fmt::format("[{}]", fmt::join(*weight, ","))
                                          : std::to_string(std::get<std::int64_t>(label));
        if (text.find_first_of("()") != std::string::npos)
          throw DomainError("'" + text + "' is no label of an irreducible representation of " + G.name());
        return limits.run([&](const Task& task) {
          return parse_continuous_representation(G, "irrep(" + text + ")", task);
        });
      },
      nb::arg("label"),
      "An irreducible representation: by its highest weight, G.irrep([1, 1]), by its dimension, G.irrep(8), "
      "or "
      "as in expressions,\nG.irrep('10*'), G.irrep('[2,1] as partition').");
  def_limited(
      c, "matrix_rep",
      [](const Limits& limits, const ContinuousGroup& G, Typed<MatricesTag> images,
         std::optional<Typed<MatricesTag>> generators) {
        const std::vector<FieldMatrix> list = field_matrices(images.object);
        const auto own = generators ? field_matrices(generators->object) : std::vector<FieldMatrix>();
        return limits.run([&](const Task& task) {
          return generators ? matrix_representation(G, own, list, task)
                            : matrix_representation(G, list, task);
        });
      },
      nb::arg("images"), nb::arg("generators") = nb::none(),
      "The representation of a classical group with these matrices of its generators, in the order of "
      "generator_names; DomainError\n"
      "names a bracket that they do not respect. Entries are exact numbers, 'sqrt(3)/2' and 'E(4)' too.\n"
      "generators: other elements of the Lie algebra, or of its complex span, that the first images are of: "
      "matrices on the defining module\n"
      "such as those of Pauli and Gell-Mann; the images of components come behind.");
  bind_elements(
      c, "random_element", "def random_element(self, seed: int | None = None) -> _ContinuousElement",
      "A random element; the same seed gives the same one. Uniform by Haar's measure if the group is "
      "compact, and if its finite factors have at most 20000 elements.\n"
      "Of a factor that is not compact it is exp(X) exp(Y), with X and Y of norm at most 1/2 in the "
      "defining module.",
      nb::arg("seed") = nb::none());
  bind_elements(c, "element", "def element(self, word: Iterable[tuple[int, float]]) -> _ContinuousElement",
                "The product of exp(t X_k), or of powers x_k ** t of components and of elements of finite "
                "factors, for the pairs (k, t) in their order;\n"
                "k is a place in generator_names, from 0.",
                nb::arg("word"));
  bind_value<ContinuousGroup>(c, [](const ContinuousGroup& G) { return Hasher().add(G.name()).value(); });
  c.def("__str__", &ContinuousGroup::name);
  c.def("__repr__", [](const ContinuousGroup& G) { return continuous_group_text(G); });
  c.def(
      "__reduce__", [](const ContinuousGroup& G) { return reduced(nb::type<ContinuousGroup>(), G.name()); },
      nb::sig(reduce_signature));
}

void bind_continuous_representation(nb::module_& m) {
  using V_t = ContinuousRepresentation;
  nb::class_<V_t> c(m, "ContinuousRepresentation", nb::is_final(),
                    "A representation of a continuous group, by exact matrices of its generators: V + W, V * "
                    "W, 3 * V, V ** 2, V.T, "
                    "V.sym(k),\n"
                    "V.alt(k), V.schur([2, 1]), and V >> U for the equivariant maps. Equal means written the "
                    "same over the same group.");
  c.def_prop_ro("group", &V_t::group, "The group.");
  c.def_prop_ro("dimension", &V_t::dimension, "The number of basis vectors, multiplicities counted.");
  c.def_prop_ro(
      "field", [](const V_t& V) { return V.field().to_string(); },
      "The field of the generators' matrices: 'Q', unless matrices were given over a larger one.");
  c.def_prop_ro("expression", &V_t::to_string, "Text that ContinuousGroup.rep reads back.");
  def_limited(
      c, "generator_matrices",
      [](const Limits& limits, const V_t& V) {
        return limits.run([&](const Task& task) {
          std::vector<Matrix> list;
          const AbelianField K = V.field();
          std::vector<SparseMatrix> coefficients = V.generator_coefficients(K, task);
          for (std::size_t g = 0; g < coefficients.size(); g += K.degree())
            list.push_back(K.is_rational()
                               ? Matrix(std::move(coefficients[g]))
                               : Matrix(combined(std::span(coefficients).subspan(g, K.degree()), K, task)));
          return list;
        });
      },
      "The exact matrices of the generators of Lie algebras, components and finite factors, in the order of "
      "group.generator_names.\n"
      "W is equivariant if and only if it commutes with all of them.");
  c.def(
      "__add__", [](const V_t& V, const V_t& W) { return V + W; }, nb::is_operator(), nb::arg("other"),
      "The direct sum.");
  c.def(
      "__mul__", [](const V_t& V, const V_t& W) { return V * W; }, nb::is_operator(), nb::arg("other"),
      "The tensor product.");
  c.def(
      "__rmul__", [](const V_t& V, std::uint64_t k) { return k * V; }, nb::is_operator(), nb::arg("k"),
      "The sum of k copies, kept as a multiplicity.");
  c.def(
      "__pow__", [](const V_t& V, unsigned k) { return tensor_power(V, k); }, nb::is_operator(), nb::arg("k"),
      "The k-th tensor power.");
  bind_allowed_activations(c);
  bind_elements(c, "matrix", "def matrix(self, g: _ContinuousElement) -> numpy.typing.NDArray[Any]",
                "The matrix of an element of the group in double precision, complex where is_complex.",
                nb::arg("g"));
  c.def_prop_ro(
      "T", [](const V_t& V) { return dual(V); }, "The dual representation.");
  c.def(
      "real", [](const V_t& V) { return restriction_of_scalars(V); },
      "The representation over the real numbers, of twice the dimension: of SU(n) and U(n), for layers with "
      "real inputs and weights.\n"
      "Basis vectors 2k and 2k + 1 are e_k and i e_k; what is real already is returned as it is.");
  def_limited(
      c, "real_form",
      [](const Limits& limits, const V_t& V) {
        return limits.run([&](const Task& task) { return real_form(V, task); });
      },
      "The real representation of the same dimension that an irreducible one of SU(n) or U(n) with indicator "
      "+ has: V.real() is twice that.\n"
      "DomainError if there is none.");
  c.def_prop_ro(
      "is_complex", [](const V_t& V) { return V.scalars() == Scalars::complex; },
      "Are its coordinates complex numbers? Those of SU(n) and U(n) are, but for V.real() and the trivial "
      "one.");
  c.def(
      "slices",
      [](const V_t& V) {
        nb::list found;
        std::uint64_t at = 0;
        add_slices(V, at, found);
        return found;
      },
      nb::sig("def slices(self) -> list[tuple[slice, ContinuousRepresentation]]"),
      "Where the summands lie in the coordinates, (slice, representation), copies one by one: those of "
      "2*vector + "
      "trivial are [0:3], [3:6] and [6:7] for SO(3).");
  bind_tensors(c);
  c.def(
      "sym", [](const V_t& V, unsigned k) { return sym(k, V); }, nb::arg("k"),
      "The k-th symmetric power, on the monomials in lexicographic order. Components of a tensor are no "
      "coordinates "
      "there: see coordinates.");
  c.def(
      "alt", [](const V_t& V, unsigned k) { return alt(k, V); }, nb::arg("k"),
      "The k-th exterior power, in lexicographic order.");
  def_limited(
      c, "schur",
      [](const Limits& limits, const V_t& V, PartitionLike partition) {
        const Partition shape = partition.value();
        return limits.run([&](const Task& task) { return schur_power(shape, V, task); });
      },
      nb::arg("partition"), "The Schur functor of a partition such as [2, 1].");
  def_limited(
      c, "decompose",
      [](const Limits& limits, const V_t& V) {
        return limits.run([&](const Task& task) {
          std::vector<std::pair<std::string, Integer>> list;
          for (const ContinuousConstituent& part : decompose(V, task).constituents)
            list.emplace_back(constituent_name(part), part.multiplicity);
          return list;
        });
      },
      "The irreducible constituents over the complex numbers, the largest first: (name, multiplicity), names "
      "as "
      "`intertwine decompose` prints them.");
  bind_value<V_t>(c, [](const V_t& V) { return Hasher().add(V.group().name()).add(V.to_string()).value(); });
  c.def("__str__", &V_t::to_string);
  c.def("__repr__", [](const V_t& V) { return representation_text(V); });
  c.def(
      "__reduce__", [](const V_t& V) { return reduced_by_method(nb::cast(V.group()), "rep", V.to_string()); },
      nb::sig(reduce_signature));
}

void bind_continuous_hom(nb::module_& m) {
  nb::class_<ContinuousHom> c(
      m, "ContinuousHom", nb::is_final(),
      "The equivariant linear maps V >> U between representations of a continuous group: matrices W of dim U "
      "rows and dim V columns.\n"
      "The certified basis is computed when something of it is asked for first, and kept.");
  c.def_prop_ro("source", &ContinuousHom::source, "V: inputs, columns.");
  c.def_prop_ro("target", &ContinuousHom::target, "U: outputs, rows.");
  c.def_prop_ro(
      "shape",
      [](const ContinuousHom& hom) { return std::pair(hom.target().dimension(), hom.source().dimension()); },
      "(dim U, dim V): the shape of W.");
  prop_limited(
      c, "dimension",
      [](const Limits& limits, const ContinuousHom& hom) {
        return limits.run([&](const Task& task) { return hom.basis(task).dimension(); });
      },
      "The dimension of Hom, multiplicities counted: that of the certified basis.");
  prop_limited(
      c, "real_dimension",
      [](const Limits& limits, const ContinuousHom& hom) {
        return limits.run([&](const Task& task) {
          return continuous_basis(restriction_of_scalars(hom.source()), restriction_of_scalars(hom.target()),
                                  task)
              .dimension();
        });
      },
      "The dimension of V.real() >> U.real(): of all maps that are linear over the real numbers. For real "
      "matrices it is `dimension`.");
  prop_limited(
      c, "params",
      [](const Limits& limits, const ContinuousHom& hom) {
        return limits.run([&](const Task& task) { return hom.basis(task).weights.params(); });
      },
      "The number of elements: multiplicities in front of V and U are channels.");
  c.def_prop_ro(
      "bias",
      [](const ContinuousHom& hom) {
        return ContinuousHom(trivial_representation(hom.source().group()), hom.target());
      },
      "The invariants of U, as the maps trivial >> U: matrices of one column.");
  def_limited(
      c, "basis",
      [](const Limits& limits, const ContinuousHom& hom) {
        return limits.run([&](const Task& task) { return elements_of(hom.basis(task).weights, task); });
      },
      "The basis: exact integral matrices, complete and in canonical order; for 3 * V1 >> 2 * U1 that of V1 "
      ">> U1.");
  def_limited(
      c, "certificate",
      [](const Limits& limits, const ContinuousHom& hom) {
        return limits.run([&](const Task& task) {
          const ContinuousCertificate& found = hom.basis(task).certificate;
          return Certificate{found.weights.dimension, found.bias.dimension, true, true, true,
                             found.weights.route,     found.bias.route};
        });
      },
      "What is proved of the basis, and how.");
  def_limited(
      c, "verify",
      [](const Limits& limits, const ContinuousHom& hom) {
        limits.run([&](const Task& task) { verify(hom.basis(task), task); });
      },
      "Proves the basis again from its elements alone; VerificationError names what fails.");
  def_limited(
      c, "describe",
      [](const Limits& limits, const ContinuousHom& hom) {
        return limits.run([&](const Task& task) {
          return to_text(hom.single(task),
                         {hom.source().group().name(), hom.source().to_string(), hom.target().to_string()});
        });
      },
      "The basis in lines for people: sizes, dimension, what is proved.");
  bind_element_forms<[](const ContinuousHom& hom, const Task& task) {
    return basis_elements(hom.basis(task), task);
  }>(c);
  def_limited(
      c, "to_json",
      [](const Limits& limits, const ContinuousHom& hom) {
        return limits.run([&](const Task& task) { return to_json(hom.single(task)); });
      },
      "Sizes, dimensions and the certificate as a JSON object.");
  def_limited(
      c, "table",
      [](const Limits& limits, const ContinuousHom& hom, bool proof) {
        return limits.run(
            [&](const Task& task) { return Table(hom.basis(task).table({.proof = proof}, task)); });
      },
      nb::arg("proof") = false,
      "The weight table for numeric layers, of sparse elements.\n"
      "proof: with the matrices of the generators, from which others prove it complete "
      "(checkers/check_table.py).");
  def_limited(
      c, "blocks",
      [](const Limits& limits, const ContinuousHom& hom, bool proof) {
        return limits.run([&](const Task& task) {
          return Blocks(continuous_blocks(hom.source(), hom.target(), task).table({.proof = proof}, task));
        });
      },
      nb::arg("proof") = false,
      "The tables of all pairs of parts of V and U, where table() repeats its pattern for every copy, as in "
      "16*trivial + 8*vector:\n"
      "parts are the summands in their order, neighbours of multiplicity 1 together. proof: as of table().");
  bind_projection(c);
  bind_value<ContinuousHom>(c, [](const ContinuousHom& h) {
    return Hasher()
        .add(h.source().group().name())
        .add(h.source().to_string())
        .add(h.target().to_string())
        .value();
  });
  c.def("__repr__", [](const ContinuousHom& h) {
    return representation_text(h.source()) + " >> " + representation_text(h.target());
  });
  c.def(
      "__reduce__",
      [](const ContinuousHom& h) {
        return reduced(nb::module_::import_("operator").attr("rshift"), h.source(), h.target());
      },
      nb::sig(reduce_signature));
  auto V = class_of<ContinuousRepresentation>();
  V.def(
      "__rshift__",
      [](const ContinuousRepresentation& V, const ContinuousRepresentation& U) {
        return ContinuousHom(V, U);
      },
      nb::is_operator(), nb::arg("target"), "The equivariant maps from this representation to another one.");
  V.def(
      "commutant", [](const ContinuousRepresentation& V) { return ContinuousHom(V, V); },
      "V >> V: the matrices that commute with the representation.");
}

}  // namespace

void bind_continuous(nb::module_& m) {
  bind_continuous_group(m);
  bind_continuous_representation(m);
  bind_continuous_hom(m);
  m.def("known_continuous_groups", &known_continuous_groups,
        "The names of continuous groups that expressions know.");
  m.def("known_continuous_representations", &known_continuous_representations,
        "The names of representations of continuous groups that expressions know.");
}

}  // namespace intertwine::python
