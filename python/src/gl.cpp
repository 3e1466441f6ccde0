// Schur functors of matrices, decompositions under GL x GL and SL, branching.
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/combinatorics/symmetric_function_bases.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/branching.hpp"
#include "intertwine/gl/cauchy.hpp"
#include "intertwine/gl/schur_functor.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/representation.hpp"
#include "records.hpp"

namespace intertwine::python {

template <>
inline constexpr auto members<Branching::Constituent> =
    std::tuple(&Branching::Constituent::label, &Branching::Constituent::row, &Branching::Constituent::name,
               &Branching::Constituent::multiplicity, &Branching::Constituent::dimension);
template <>
inline constexpr auto members<Branching> = std::tuple(&Branching::kind, &Branching::functor, &Branching::n,
                                                      &Branching::constituents, &Branching::group, &Branching::rep);
template <>
inline constexpr auto members<GlGlTerm> = std::tuple(&GlGlTerm::left, &GlGlTerm::right, &GlGlTerm::multiplicity);
template <>
inline constexpr auto members<ProductConstituent> =
    std::tuple(&ProductConstituent::left, &ProductConstituent::right, &ProductConstituent::multiplicity);
template <>
inline constexpr auto members<HomFunctor::Pair> =
    std::tuple(&HomFunctor::Pair::left, &HomFunctor::Pair::right, &HomFunctor::Pair::multiplicities);
template <>
inline constexpr auto members<HomFunctor> = std::tuple(
    &HomFunctor::functor, &HomFunctor::rows, &HomFunctor::cols, &HomFunctor::terms, &HomFunctor::restriction,
    &HomFunctor::constituents, &HomFunctor::by_term, &HomFunctor::pair, &HomFunctor::left_rep, &HomFunctor::right_rep);
/// By its two characters.
template <>
struct Written<ProductRestriction> {
  static nb::object to(const ProductRestriction& r) { return nb::make_tuple(r.left(), r.right()); }
  static ProductRestriction from(nb::handle o) {
    const auto state = nb::cast<nb::tuple>(o);
    return {nb::cast<ClassFunction>(state[0]), nb::cast<ClassFunction>(state[1])};
  }
};

namespace {

// --- Schur functors of matrices ----------------------------------------------------------------------------------------------

struct AnyMatrixTag {
  static constexpr auto name = nb::detail::const_name("Matrix | numpy.typing.NDArray[typing.Any]");
};

using Array = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;

/// S(A) in double precision, A an array of floats.
nb::object rounded_image(const Limits& limits, const SchurFunctor& S, nb::handle o) {
  const nb::object array = nb::module_::import_("numpy").attr("ascontiguousarray")(o, nb::arg("dtype") = "float64");
  Array A;
  if (!nb::try_cast(array, A)) throw DomainError("a Schur functor takes a matrix, an array of two dimensions");
  const std::size_t rows = A.shape(0), cols = A.shape(1);
  auto image = std::make_unique<std::vector<double>>(limits.run([&](const Task& task) {
    return S({A.data(), rows * cols}, rows, cols, task);
  }));
  const std::size_t height = static_cast<std::size_t>(S.dimension(static_cast<int>(rows))),
                    width = static_cast<std::size_t>(S.dimension(static_cast<int>(cols)));
  double* const first = image->data();
  const nb::capsule owner(image.release(), [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::cast(Array(first, {height, width}, owner));
}

Matrix exact_image(const Limits& limits, const SchurFunctor& S, const Matrix& A) {
  return limits.run([&](const Task& task) {
    const FieldMatrix B = A.to_field();
    if (B.is_rational()) return Matrix(FieldMatrix(S(B.to_rational(), task)));
    std::vector<Cyclotomic> entries;
    for (std::size_t i = 0; i < B.rows(); ++i)
      for (std::size_t j = 0; j < B.cols(); ++j) entries.push_back(B(i, j));
    const auto image = S(std::span<const Cyclotomic>(entries), B.rows(), B.cols(), task);
    return Matrix(FieldMatrix(static_cast<std::size_t>(S.dimension(static_cast<int>(B.rows()))),
                              static_cast<std::size_t>(S.dimension(static_cast<int>(B.cols()))), image));
  });
}

bool holds_floats(nb::handle o) {
  return nb::hasattr(o, "dtype") && nb::cast<std::string>(nb::str(nb::object(o.attr("dtype").attr("kind")))) == "f";
}

void bind_functor(nb::module_& m) {
  nb::class_<SchurFunctor> c(m, "SchurFunctor", nb::is_final(),
                             "The Schur functor of a partition, in the basis of semistandard tableaux: "
                             "SchurFunctor([2])(A) is Sym^2(A) on monomials,\n"
                             "SchurFunctor([1, 1])(A) the 2 x 2 minors. S(A @ B) == S(A) @ S(B).");
  c.def(
      "__init__", [](SchurFunctor* self, const PartitionLike& shape) { new (self) SchurFunctor(shape.value()); },
      nb::arg("shape"));
  c.def_prop_ro(
      "shape", [](const SchurFunctor& S) { return S.shape(); }, "The partition.");
  c.def("dimension", &SchurFunctor::dimension, nb::arg("n"), "The dimension of the functor of an n-dimensional space.");
  def_limited(
      c, "basis",
      [](const Limits& limits, const SchurFunctor& S, int n) {
        return limits.run([&](const Task&) { return S.basis(n); });
      },
      nb::arg("n"), "The tableaux that number the basis, lexicographic by rows.");
  def_limited(
      c, "weights",
      [](const Limits& limits, const SchurFunctor& S, int n) {
        return limits.run([&](const Task&) { return S.weights(n); });
      },
      nb::arg("n"), "For every basis vector how often each of 0 ... n-1 occurs in its tableau.");
  def_limited(
      c, "__call__",
      [](const Limits& limits, const SchurFunctor& S, Typed<MatrixTag> matrix) {
        if (holds_floats(matrix.object)) return Typed<AnyMatrixTag>{rounded_image(limits, S, matrix.object)};
        return Typed<AnyMatrixTag>{nb::cast(exact_image(limits, S, exact_matrix(matrix.object)))};
      },
      nb::arg("matrix"), "The matrix of the functor, exact; for an array of floats an array of floats.");
  c.def(
      "__eq__", [](const SchurFunctor& a, const SchurFunctor& b) { return a.shape() == b.shape(); }, nb::is_operator(),
      nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [](const SchurFunctor& S) {
    return static_cast<Py_hash_t>(Hasher().add(std::hash<Partition>()(S.shape())).value());
  });
  bind_copies<SchurFunctor>(c);
  c.def("__repr__", [](const SchurFunctor& S) {
    return "SchurFunctor(" + nb::cast<std::string>(nb::repr(nb::cast(S.shape().parts()))) + ")";
  });
  c.def(
      "__reduce__", [](const SchurFunctor& S) { return reduced(nb::type<SchurFunctor>(), S.shape()); },
      nb::sig(reduce_signature));
}

// --- Decompositions ----------------------------------------------------------------------------------------------------------

using Pairs = std::vector<std::tuple<Partition, Partition, Integer>>;
using Labels = std::vector<std::pair<std::vector<int>, Integer>>;

Pairs pairs_of(const std::vector<GlGlTerm>& terms) {
  Pairs list;
  for (const GlGlTerm& t : terms) list.emplace_back(t.left, t.right, t.multiplicity);
  return list;
}

Labels labels_of(const std::vector<SlTerm>& terms) {
  Labels list;
  for (const SlTerm& t : terms) list.emplace_back(t.labels, t.multiplicity);
  return list;
}

void bind_cauchy(nb::module_& m) {
  def_limited(
      m, "cauchy_decomposition",
      [](const Limits& limits, int d, int rows, int cols) {
        return pairs_of(limits.run([&](const Task& task) { return cauchy_decomposition(d, rows, cols, task); }));
      },
      nb::arg("d"), nb::arg("m"), nb::arg("n"), "Sym^d(C^m (x) C^n) under GL(m) x GL(n): (left, right, multiplicity).");
  def_limited(
      m, "dual_cauchy_decomposition",
      [](const Limits& limits, int d, int rows, int cols) {
        return pairs_of(limits.run([&](const Task& task) { return dual_cauchy_decomposition(d, rows, cols, task); }));
      },
      nb::arg("d"), nb::arg("m"), nb::arg("n"),
      "The d-th exterior power of C^m (x) C^n under GL(m) x GL(n): (left, right, multiplicity).");
  def_limited(
      m, "schur_functor_decomposition",
      [](const Limits& limits, PartitionLike partition, int rows, int cols) {
        const Partition nu = partition.value();
        return pairs_of(
            limits.run([&](const Task& task) { return schur_functor_decomposition(nu, rows, cols, task); }));
      },
      nb::arg("partition"), nb::arg("m"), nb::arg("n"),
      "A Schur functor of C^m (x) C^n under GL(m) x GL(n): (left, right, multiplicity).");
  def_limited(
      m, "symmetric_power_of_triple",
      [](const Limits& limits, int d, int a, int b, int c) {
        std::vector<std::tuple<Partition, Partition, Partition, Integer>> list;
        for (const GlTripleTerm& t :
             limits.run([&](const Task& task) { return symmetric_power_of_triple(d, a, b, c, task); }))
          list.emplace_back(t.first, t.second, t.third, t.multiplicity);
        return list;
      },
      nb::arg("d"), nb::arg("a"), nb::arg("b"), nb::arg("c"),
      "Sym^d(C^a (x) C^b (x) C^c) under GL(a) x GL(b) x GL(c): three partitions and their multiplicity.");
  def_limited(
      m, "tensor_with_dual",
      [](const Limits& limits, PartitionLike a, PartitionLike b, int n) {
        const Partition lambda = a.value(), mu = b.value();
        Labels list;
        for (const GlWeightTerm& t :
             limits.run([&](const Task& task) { return tensor_with_dual(lambda, mu, n, task); }))
          list.emplace_back(t.weight, t.multiplicity);
        return list;
      },
      nb::arg("lam"), nb::arg("mu"), nb::arg("n"),
      "The functor lam of V = C^n times the functor mu of V*: (highest weight of GL(n), multiplicity).");
  m.def("dimension_of_weight", &dimension_of_weight, nb::arg("weight"),
        "The dimension of the module of GL(n) with this highest weight, n decreasing integers.");
  def_limited(
      m, "restrict_to_sl",
      [](const Limits& limits, const SymmetricFunction& f, int n) {
        return labels_of(limits.run([&](const Task& task) { return restrict_to_sl(to_schur_sum(f, task), n, task); }));
      },
      nb::arg("f"), nb::arg("n"), "A character of GL(n) restricted to SL(n): (Dynkin labels, multiplicity).");
  def_limited(
      m, "symmetric_power_of_adjoint",
      [](const Limits& limits, int d, int n) {
        return labels_of(limits.run([&](const Task& task) { return symmetric_power_of_adjoint(d, n, task); }));
      },
      nb::arg("d"), nb::arg("n"), "Sym^d of the adjoint module of SL(n): (Dynkin labels, multiplicity).");
  def_limited(
      m, "exterior_power_of_adjoint",
      [](const Limits& limits, int d, int n) {
        return labels_of(limits.run([&](const Task& task) { return exterior_power_of_adjoint(d, n, task); }));
      },
      nb::arg("d"), nb::arg("n"),
      "The d-th exterior power of the adjoint module of SL(n): (Dynkin labels, multiplicity).");
}

// --- Branching ---------------------------------------------------------------------------------------------------------------

/// How a finite group acts: the character, and what people write for it.
struct Action {
  ClassFunction character;
  std::string rep;
};

Action action_of(const Representation& V, const Task& task) {
  return {character_of(V, table_of(V.group(), task), task), V.to_string()};
}
Action action_of(const ClassFunction& chi, const Task&) { return {chi, ""}; }

struct KindTag {
  static constexpr auto name = nb::detail::const_name("typing.Literal['orthogonal', 'symplectic', 'symmetric']");
};

struct ClassicalSubgroup {
  const char *name, *letter;
  Branching::Kind kind;
};
constexpr ClassicalSubgroup classical_subgroups[] = {{"orthogonal", "O", Branching::Kind::orthogonal},
                                                     {"symplectic", "Sp", Branching::Kind::symplectic},
                                                     {"symmetric", "S", Branching::Kind::symmetric}};

Branching classical_branching(const Limits& limits, PartitionLike functor, Typed<KindTag> to, int n) {
  const std::string name = nb::isinstance<nb::str>(to.object) ? nb::cast<std::string>(to.object) : std::string();
  const Partition lambda = functor.value();
  for (const auto& [known, letter, kind] : classical_subgroups)
    if (name == known) {
      Branching found = limits.run([&, which = kind](const Task& task) {
        Branching restricted = branching(lambda, which, n, task);
        verify(restricted);
        return restricted;
      });
      found.group = std::string(letter) + "(" + std::to_string(n) + ")";
      if (kind == Branching::Kind::symmetric) found.rep = "perm";
      return found;
    }
  throw DomainError("branch: to is 'orthogonal', 'symplectic' or 'symmetric', or how a finite group acts");
}

template <class How>
Branching finite_branching(const Limits& limits, PartitionLike functor, const How& how) {
  const Partition lambda = functor.value();
  return limits.run([&](const Task& task) {
    Action action = action_of(how, task);
    Branching found = branching(lambda, action.character);
    found.group = action.character.table().group().name();
    found.rep = std::move(action.rep);
    verify(found);
    return found;
  });
}

struct ConstituentsTag {
  static constexpr auto name = nb::detail::const_name("list[tuple[Partition | int, int]]");
};

void bind_branching(nb::module_& m) {
  nb::class_<Branching> c(m, "Branching", nb::is_final(),
                          "A Schur functor of C^n as a representation of a subgroup of GL(n): see branch().");
  c.def_ro("functor", &Branching::functor, "The partition of the functor.");
  c.def_ro("n", &Branching::n, "The dimension of the space.");
  c.def_ro("group", &Branching::group, "The subgroup, as people write it.");
  c.def_prop_ro(
      "dimension", [](const Branching& b) { return b.dimension(); }, "The dimension of the functor of C^n.");
  c.def_prop_ro(
      "constituents",
      [](const Branching& b) {
        nb::list list;
        for (const auto& part : b.constituents) {
          const nb::object label = b.kind == Branching::Kind::finite ? nb::cast(part.row) : nb::cast(part.label);
          list.append(nb::make_tuple(label, part.multiplicity));
        }
        return Typed<ConstituentsTag>{list};
      },
      "(label, multiplicity): partitions label the modules of O(n), Sp(n) and S_n, for finite groups the "
      "rows of the character table (0-based).");
  c.def_prop_ro(
      "dimensions",
      [](const Branching& b) {
        std::vector<Integer> list;
        for (const auto& part : b.constituents) list.push_back(part.dimension);
        return list;
      },
      "The dimensions of the irreducible modules that occur.");
  c.def(
      "names",
      [](const Branching& b) {
        std::vector<std::string> list;
        for (const auto& part : b.constituents)
          list.push_back(b.kind == Branching::Kind::finite ? part.name : to_string(part.label));
        return list;
      },
      "Their names.");
  c.def(
      "to_json", [](const Branching& b) { return to_json(record(b)); }, "A JSON object.");
  c.def(
      "to_latex", [](const Branching& b) { return to_latex(record(b)); }, "A displayed formula in LaTeX, \\[ ... \\].");
  c.def(
      "_repr_latex_", [](const Branching& b) { return notebook_displays(to_latex(record(b))); }, "For notebooks.");
  bind_own_format(c);
  bind_record<Branching>(c);
  c.def("__str__", [](const Branching& b) { return to_text(record(b)); });
  c.def("__repr__", [](const Branching& b) {
    for (const auto& [name, letter, kind] : classical_subgroups)  // how a finite group acts is not kept
      if (b.kind == kind)
        return "branch" + nb::cast<std::string>(nb::repr(nb::make_tuple(nb::cast(b.functor.parts()), name, b.n)));
    return "<Branching of " + partition_text(b.functor) + " from GL(" + std::to_string(b.n) + ") to " + b.group + ", " +
           std::to_string(b.constituents.size()) + " constituents>";
  });
  def_limited(m, "branch", classical_branching, nb::arg("functor"), nb::arg("to"), nb::arg("n"),
              "A Schur functor of C^n under O(n), Sp(n) or the permutation matrices; dimensions are checked. For a "
              "finite group `to` is how it acts on C^n.");
  def_limited(m, "branch", finite_branching<Representation>, nb::arg("functor"), nb::arg("to"),
              "A Schur functor of C^n under a finite group that acts on C^n by a representation.");
  def_limited(m, "branch", finite_branching<ClassFunction>, nb::arg("functor"), nb::arg("to"),
              "A Schur functor of C^n under a finite group that acts on C^n with this character.");
  const auto restriction_to = [&m](const char* name, auto f, const char* doc) {
    def_limited(m, name, f, nb::arg("f"), nb::arg("n"), doc);
  };
  restriction_to(
      "restrict_to_orthogonal",
      [](const Limits& limits, const SymmetricFunction& f, int n) {
        return limits.run([&](const Task& task) {
          return to_symmetric_function(restrict_to_orthogonal(to_schur_sum(f, task), n, task));
        });
      },
      "A character of GL(n) restricted to O(n), s[mu] standing for the module with the label mu.");
  restriction_to(
      "restrict_to_symplectic",
      [](const Limits& limits, const SymmetricFunction& f, int n) {
        return limits.run([&](const Task& task) {
          return to_symmetric_function(restrict_to_symplectic(to_schur_sum(f, task), n, task));
        });
      },
      "A character of GL(n) restricted to Sp(n), n even, s[mu] standing for the module with the label mu.");
  restriction_to(
      "restrict_to_symmetric_group",
      [](const Limits& limits, const SymmetricFunction& f, int n) {
        return limits.run([&](const Task& task) {
          return to_symmetric_function(restrict_to_symmetric_group(to_schur_sum(f, task), n, task));
        });
      },
      "A character of GL(n) restricted to the permutation matrices, in Specht modules.");
  m.def(
      "dimension_of_orthogonal", [](const PartitionLike& mu, int n) { return dimension_of_orthogonal(mu.value(), n); },
      nb::arg("mu"), nb::arg("n"), "The dimension of the module of O(n) with this label.");
  m.def(
      "dimension_of_symplectic", [](const PartitionLike& mu, int n) { return dimension_of_symplectic(mu.value(), n); },
      nb::arg("mu"), nb::arg("n"), "The dimension of the module of Sp(n) with this label.");
}

// --- Functors of Hom(V, W) ---------------------------------------------------------------------------------------------------

using Constituents = std::vector<std::tuple<std::size_t, std::size_t, Integer>>;

Constituents triples_of(const std::vector<ProductConstituent>& list) {
  Constituents triples;
  for (const ProductConstituent& c : list) triples.emplace_back(c.left, c.right, c.multiplicity);
  return triples;
}

void bind_hom_functor(nb::module_& m) {
  nb::class_<HomFunctor> c(m, "HomFunctor", nb::is_final(),
                           "A Schur functor of Hom(V, W) under GL(W) x GL(V), and under finite groups that "
                           "act on W and V: see functor_of_hom().");
  c.def_ro("functor", &HomFunctor::functor, "The partition of the functor.");
  c.def_prop_ro(
      "shape", [](const HomFunctor& f) { return std::pair(f.rows, f.cols); }, "(dim W, dim V).");
  c.def_prop_ro(
      "terms", [](const HomFunctor& f) { return pairs_of(f.terms); }, "(functor of W, functor of V*, multiplicity).");
  c.def_prop_ro(
      "dimension", [](const HomFunctor& f) { return dimension(f.terms, f.rows, f.cols); },
      "The dimension of the whole.");
  c.def_prop_ro(
      "constituents", [](const HomFunctor& f) { return triples_of(f.constituents); },
      "What the finite groups see: (row of the table of the left group, row of the right one, "
      "multiplicity).");
  c.def_prop_ro(
      "by_term",
      [](const HomFunctor& f) {
        std::vector<Constituents> list;
        for (const auto& part : f.by_term) list.push_back(triples_of(part));
        return list;
      },
      "The same for every term, if asked for.");
  c.def_prop_ro(
      "pair_multiplicities",
      [](const HomFunctor& f) -> std::optional<std::vector<Integer>> {
        if (!f.pair) return std::nullopt;
        return f.pair->multiplicities;
      },
      "How often the pair that was asked for occurs in each term.");
  def_limited(
      c, "verify",
      [](const Limits& limits, const HomFunctor& f) { limits.run([&](const Task& task) { verify(f, task); }); },
      "Compares dimensions, and multiplicities with sums over pairs of classes; VerificationError names what "
      "fails.");
  def_limited(
      c, "to_json",
      [](const Limits& limits, const HomFunctor& f) {
        return limits.run([&](const Task& task) { return to_json(record(f), task); });
      },
      "A JSON object.");
  c.def(
      "to_latex", [](const HomFunctor& f) { return to_latex(record(f)); },
      "A displayed formula in LaTeX, \\[ ... \\].");
  c.def(
      "_repr_latex_", [](const HomFunctor& f) { return notebook_displays(to_latex(record(f))); }, "For notebooks.");
  bind_own_format(c);
  c.def("__str__", [](const HomFunctor& f) { return to_text(record(f)); });
  c.def("__repr__", [](const HomFunctor& f) {
    return "<HomFunctor " + partition_text(f.functor) + " of Hom(C^" + std::to_string(f.cols) + ", C^" +
           std::to_string(f.rows) + "), " + std::to_string(f.terms.size()) + " terms>";
  });
  bind_record<HomFunctor>(c);
  def_limited(
      m, "functor_of_hom",
      [](const Limits& limits, PartitionLike functor, int rows, int cols) {
        const Partition nu = functor.value();
        return limits.run([&](const Task& task) { return functor_of_hom(nu, rows, cols, task); });
      },
      nb::arg("functor"), nb::arg("rows"), nb::arg("cols"),
      "A Schur functor of Hom(V, W), dim W = rows and dim V = cols, under GL(W) x GL(V); or of "
      "representations W and V of\n"
      "finite groups, also under these.");
  def_limited(
      m, "functor_of_hom",
      [](const Limits& limits, PartitionLike functor, const Representation& W, const Representation& V, bool by_term,
         std::optional<std::pair<std::size_t, std::size_t>> pair) {
        const Partition nu = functor.value();
        return limits.run([&](const Task& task) {
          const Action left = action_of(W, task), right = action_of(V, task);
          HomFunctor found = functor_of_hom(nu, left.character, right.character, {by_term, pair}, task);
          found.left_rep = left.rep;
          found.right_rep = right.rep;
          return found;
        });
      },
      nb::arg("functor"), nb::arg("W"), nb::arg("V"), nb::arg("by_term") = false, nb::arg("pair") = nb::none(),
      "The same for representations of finite groups; with by_term also the restriction of every term, with "
      "pair (rows of the\n"
      "tables) how often these two irreducible characters occur in each.");
}

}  // namespace

void bind_gl(nb::module_& m) {
  bind_functor(m);
  bind_cauchy(m);
  bind_branching(m);
  bind_hom_functor(m);
}

}  // namespace intertwine::python
