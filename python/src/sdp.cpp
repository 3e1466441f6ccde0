// Semidefinite programs: Problem, its reduction by a group, and files of SDPA, CBF and MOF.
#include "intertwine/sdp/semidefinite_problem.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <optional>
#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/graph_file.hpp"
#include "intertwine/io/model_file.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/sdpa_file.hpp"
#include "intertwine/sdp/graph_bounds.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"
#include "records.hpp"

namespace intertwine::python {

namespace {

/// A reduction, and the problem before it, whose blocks give the shapes of what is lifted.
struct ReductionOf {
  sdp::Problem before;
  Representation rows;  ///< the group that acts on them
  sdp::Reduction reduction;
  sdp::ReduceOptions options = {};
};

struct ProblemMatrixTag {
  static constexpr auto name = nb::detail::const_name("typing.Any");
};
struct ProblemMatricesTag {
  static constexpr auto name = nb::detail::const_name("collections.abc.Iterable[typing.Any]");
};
struct NumbersOfProblemTag {
  static constexpr auto name = nb::detail::const_name("collections.abc.Iterable[int | float | fractions.Fraction]");
};
struct BlockArraysTag {
  static constexpr auto name = nb::detail::const_name("collections.abc.Sequence[numpy.typing.ArrayLike]");
};
struct ModelPartsTag {
  static constexpr auto name =
      nb::detail::const_name("tuple[Problem, bool, fractions.Fraction, dict[str, typing.Any]]");
};
struct GraphPartsTag {
  static constexpr auto name = nb::detail::const_name("tuple[int, list[tuple[int, int]], list[str]]");
};
struct CvxpyTag {
  static constexpr auto name = nb::detail::const_name("typing.Any");
};

using EntryList = std::vector<std::tuple<std::uint32_t, std::uint32_t, Rational>>;

sdp::SymmetricMatrix matrix_of(const EntryList& entries) {
  sdp::SymmetricMatrix matrix;
  matrix.reserve(entries.size());
  for (const auto& [row, col, value] : entries) matrix.push_back({row, col, value});
  return matrix;
}

/// All matrices and numbers as intertwine._semidefinite reads them.
sdp::Problem problem_of(nb::handle C, nb::handle A, nb::handle b,
                        const std::optional<std::vector<std::int64_t>>& blocks) {
  const nb::object read = nb::module_::import_("intertwine._semidefinite").attr("problem_data")(C, A, b, blocks);
  std::vector<sdp::Block> sizes;
  for (const std::int64_t size : nb::cast<std::vector<std::int64_t>>(nb::object(read[0])))
    sizes.push_back({static_cast<std::uint32_t>(size < 0 ? -size : size), size < 0});
  std::vector<sdp::SymmetricMatrix> matrices;
  for (const nb::handle entries : nb::cast<nb::list>(nb::object(read[2])))
    matrices.push_back(matrix_of(nb::cast<EntryList>(entries)));
  return sdp::Problem(std::move(sizes), matrix_of(nb::cast<EntryList>(nb::object(read[1]))), std::move(matrices),
                      nb::cast<std::vector<Rational>>(nb::object(read[3])));
}

Matrix full_matrix(const sdp::SymmetricMatrix& entries, std::uint32_t rows) {
  std::vector<SparseMatrix::Entry> both;
  for (const sdp::SymmetricEntry& e : entries) {
    both.push_back({e.row, e.col, e.value});
    if (e.row != e.col) both.push_back({e.col, e.row, e.value});
  }
  return Matrix(SparseMatrix(rows, rows, std::move(both)));
}

std::vector<std::int64_t> block_sizes(const sdp::Problem& problem) {
  std::vector<std::int64_t> sizes;
  for (const sdp::Block& block : problem.blocks())
    sizes.push_back(block.diagonal ? -static_cast<std::int64_t>(block.size) : std::int64_t{block.size});
  return sizes;
}

/// The reduced problem as its file has it: doubles, each the decimal of 17 digits.
sdp::Problem reduced_problem(const Limits& limits, const ReductionOf& r) {
  return limits.run([&](const Task& task) { return sdp::to_problem(r.reduction.problem(), task); });
}

std::vector<Typed<DoubleArrayTag>> lifted(const ReductionOf& r, Typed<BlockArraysTag> values) {
  const auto& blocks = r.reduction.problem().blocks;
  if (!nb::hasattr(values.object, "__len__"))
    throw DomainError("lift takes a list of arrays, one for each block of the reduced problem");
  const std::size_t given = nb::len(values.object);
  if (given != blocks.size())
    throw DomainError("lift takes one array for each of the " + std::to_string(blocks.size()) +
                      " blocks of the reduced problem, and there are " + std::to_string(given));
  const nb::module_ numpy = nb::module_::import_("numpy");
  std::vector<std::vector<double>> Z;
  for (std::size_t k = 0; k < given; ++k) {
    const std::size_t size = blocks[k].size;
    const std::string what = "numbers of block " + std::to_string(k);
    const nb::object value(values.object[k]);
    // A block of size 1 may be its number.
    const nb::object shaped =
        size == 1 && nb::cast<int>(numpy.attr("ndim")(value)) == 0 ? numpy.attr("atleast_2d")(value) : value;
    const FlatDoubles array = doubles_of(shaped, {size, size}, what.c_str());
    Z.emplace_back(array.data(), array.data() + array.size());
  }
  std::vector<std::vector<double>> X = r.reduction.lift(Z);
  std::vector<Typed<DoubleArrayTag>> arrays;
  for (std::size_t k = 0; k < X.size(); ++k) {
    const std::size_t size = r.before.blocks()[k].size;
    arrays.push_back({r.before.blocks()[k].diagonal ? owned_array<double>(std::move(X[k]), {size})
                                                    : owned_array<double>(std::move(X[k]), {size, size})});
  }
  return arrays;
}

void bind_problem(nb::module_& m) {
  nb::class_<sdp::Problem> c(
      m, "Problem", nb::is_final(),
      R"(A semidefinite program with exact data: minimize ⟨C, X⟩ subject to ⟨A_i, X⟩ = b_i for all i, X ⪰ 0.

X is symmetric and block diagonal, and ⟨A, X⟩ is the trace of A X, the sum of A[i, j] X[i, j] over all i and j.

Parameters
----------
C : array or Matrix
    The objective, a symmetric matrix [n, n]: an array of NumPy, a sparse one of SciPy, a Matrix, or a list of rows of exact numbers.
    A float is the decimal that Python prints for it, as in files: 0.1 is 1/10.
A : list of such matrices
    The constraints, each [n, n].
b : list of numbers
    One for each constraint.
blocks : list of int, optional
    The sizes of the blocks of X, which sum to n; -k is a diagonal block of k rows. One block [n] otherwise.

Raises
------
DomainError
    for a matrix that is not symmetric, has another size or an entry outside of the blocks, and for numbers that are not finite.

Examples
--------
>>> from intertwine.sdp import Problem, reduce
>>> problem = Problem(C=[[2, 1], [1, 2]], A=[[[1, 0], [0, 1]]], b=[1])
>>> problem
<Problem of 2 rows, 3 variables, 1 constraint>
>>> reduce(problem).blocks
[ReducedBlock(size=1, type='real', multiplicity=1), ReducedBlock(size=1, type='real', multiplicity=1)])");
  c.def(
      "__init__",
      [](sdp::Problem* self, const Typed<ProblemMatrixTag>& C, const Typed<ProblemMatricesTag>& A,
         const Typed<NumbersOfProblemTag>& b, const std::optional<std::vector<std::int64_t>>& blocks) {
        new (self) sdp::Problem(problem_of(C.object, A.object, b.object, blocks));
      },
      nb::arg("C"), nb::arg("A"), nb::arg("b"), nb::arg("blocks") = nb::none());
  def_limited_static(
      c, "read",
      [](const Limits& limits, const Path& path) {
        return limits.run([&](const Task& task) { return read_sdpa(path.value, task); });
      },
      nb::arg("path"),
      "Reads a file in the sparse format of SDPA, .dat-s: its matrix 0 is -C, matrix i is A_i. FileError "
      "names "
      "the line.");
  c.def(
      "write",
      [](const sdp::Problem& problem, const Path& path) {
        const nb::gil_scoped_release unlocked;
        write_file(path.value, to_sdpa(problem, "minimize <C, X>: matrix 0 is -C"));
      },
      nb::arg("path"), "Writes a file that `read` reads, in the sparse format of SDPA, with numbers of 17 digits.");
  c.def_prop_ro("blocks", &block_sizes, "The sizes of the blocks of X; -k is a diagonal block of k rows.");
  c.def_prop_ro(
      "rows", [](const sdp::Problem& p) { return p.rows(); }, "The rows of all blocks together.");
  c.def_prop_ro(
      "variables", [](const sdp::Problem& p) { return p.variables(); }, "How many numbers a symmetric X is made of.");
  c.def_prop_ro(
      "C", [](const sdp::Problem& p) { return full_matrix(p.objective(), p.rows()); },
      "The objective, exactly: a sparse Matrix [rows, rows].");
  c.def_prop_ro(
      "A",
      [](const sdp::Problem& p) {
        std::vector<Matrix> list;
        for (const sdp::SymmetricMatrix& A : p.constraints()) list.push_back(full_matrix(A, p.rows()));
        return list;
      },
      "The matrices of the constraints, exactly.");
  c.def_prop_ro(
      "b", [](const sdp::Problem& p) { return p.right_sides(); }, "The right sides of the constraints, exactly.");
  def_limited(
      c, "symmetries",
      [](const Limits& limits, const sdp::Problem& problem) {
        return limits.run([&](const Task& task) { return hom::Representation(sdp::symmetries(problem, task)); });
      },
      "All permutations of rows, within and between blocks, that fix C and permute the constraints: a "
      "representation of the group on the rows.\n\n"
      ">>> from intertwine.sdp import theta\n"
      ">>> theta([(0, 1), (1, 2), (2, 3), (3, 0)]).before.symmetries().group.order\n"
      "8");
  def_python(c, "to_cvxpy", "intertwine._semidefinite", "to_cvxpy", "def to_cvxpy(self) -> typing.Any",
             "The same as a cvxpy.Problem: a variable for each block, a diagonal one nonnegative, in the order of "
             "`blocks`. DomainError where cvxpy is not installed.");
  c.def(
      "__eq__", [](const sdp::Problem& a, const sdp::Problem& b) { return a == b; }, nb::is_operator(),
      nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [](const sdp::Problem& p) {
    Hasher hash;
    for (const Rational& b : p.right_sides()) hash.add(b.str());
    for (const sdp::SymmetricEntry& e : p.objective()) hash.add(e.row).add(e.col).add(e.value.str());
    return static_cast<Py_hash_t>(hash.add(p.rows()).value());
  });
  bind_copies<sdp::Problem>(c);
  c.def(
      "__reduce__",
      [](nb::handle self) {
        return reduced(nb::type<sdp::Problem>(), self.attr("C"), self.attr("A"), self.attr("b"), self.attr("blocks"));
      },
      nb::sig(reduce_signature));
  c.def("__repr__", [](const sdp::Problem& p) {
    const std::size_t count = p.constraints().size();
    return "<Problem of " + std::to_string(p.rows()) + " rows, " + std::to_string(p.variables()) + " variables, " +
           std::to_string(count) + (count == 1 ? " constraint>" : " constraints>");
  });
}

}  // namespace

template <>
inline constexpr auto members<sdp::ReducedBlock> = std::tuple(
    &sdp::ReducedBlock::size, &sdp::ReducedBlock::type, &sdp::ReducedBlock::multiplicity, &sdp::ReducedBlock::name);

void bind_sdp(nb::module_& m) {
  bind_problem(m);
  nb::class_<sdp::ReducedBlock> k(m, "ReducedBlock", nb::is_final(),
                                  "A block of a reduced problem: that of one irreducible representation.");
  k.def_prop_ro(
      "size", [](const sdp::ReducedBlock& x) { return x.size; },
      "The rows of the real symmetric matrix; the real form of a Hermitian one is of twice the size.");
  k.def_prop_ro(
      "type", [](const sdp::ReducedBlock& x) { return x.type; }, "'real', 'complex' or 'quaternionic'.");
  k.def_prop_ro(
      "multiplicity", [](const sdp::ReducedBlock& x) { return x.multiplicity; },
      "How often each of its eigenvalues is one of X.");
  k.def_prop_ro(
      "name", [](const sdp::ReducedBlock& x) { return x.name; }, "The name of the irreducible representation.");
  k.def("__repr__", [](const sdp::ReducedBlock& x) {
    return "ReducedBlock(size=" + std::to_string(x.size) + ", type='" + x.type +
           "', multiplicity=" + std::to_string(x.multiplicity) + ")";
  });
  bind_record<sdp::ReducedBlock>(k);

  nb::class_<ReductionOf> c(m, "Reduction", nb::is_final(),
                            "A problem reduced by a group that fixes it; reduce() gives it.");
  c.def_prop_ro(
      "before", [](const ReductionOf& r) { return r.before; }, "The problem that was reduced.");
  prop_limited(c, "problem", reduced_problem,
               "The reduced problem, with the same optimum; its numbers are doubles, each the decimal of 17 digits.");
  c.def_prop_ro(
      "blocks", [](const ReductionOf& r) { return r.reduction.problem().blocks; },
      "One for each irreducible representation that occurs in the rows.");
  c.def_prop_ro(
      "group_order", [](const ReductionOf& r) { return r.reduction.group_order(); },
      "The number of elements of the group.");
  c.def_prop_ro(
      "variables_before", [](const ReductionOf& r) { return r.reduction.variables_before(); },
      "How many numbers a symmetric X is made of.");
  c.def_prop_ro(
      "variables_after", [](const ReductionOf& r) { return r.reduction.variables_after(); },
      "How many numbers an invariant X is made of.");
  c.def_prop_ro(
      "kept", [](const ReductionOf& r) { return r.reduction.kept(); },
      "Which constraints are left, as indices into those before; the others follow from these.");
  c.def_prop_ro(
      "images", [](const ReductionOf& r) { return r.options.images; },
      "Whether every constraint of `before` stands for all of its images under the group, and C for its "
      "mean.");
  c.def_prop_ro(
      "faces",
      [](const ReductionOf& r) {
        nb::list steps;
        for (const sdp::FaceStep& step : r.reduction.faces()) {
          nb::list blocks;
          for (const sdp::FaceStep::Rows& block : step.blocks)
            blocks.append(nb::make_tuple(block.name, block.before, block.after));
          nb::dict found;
          found["constraint"] = step.constraint;
          found["sign"] = step.sign;
          found["blocks"] = blocks;
          steps.append(found);
        }
        return steps;
      },
      nb::sig("def faces(self) -> list[dict[str, typing.Any]]"),
      "The constraints ⟨A, X⟩ = 0 that made blocks smaller: `constraint`, an index into those before, "
      "`sign`, which "
      "times the mean of A is positive semidefinite, exactly, and `blocks`, (name, rows before, rows "
      "after).");
  c.def("lift", lifted, nb::arg("values"),
        R"(The invariant solution of the problem before that a solution of the reduced problem stands for.

Parameters
----------
values : list of arrays
    A symmetric array [size, size] for each of `blocks`; a number where the size is 1.

Returns
-------
list of arrays
    An array [k, k] for each block of the problem before, for a diagonal one [k].

Raises
------
DomainError
    for arrays of other shapes, or another number of them.

Examples
--------
>>> from intertwine.sdp import Problem, reduce
>>> reduction = reduce(Problem(C=[[2, 1], [1, 2]], A=[[[1, 0], [0, 1]]], b=[1]))
>>> reduction.lift([1, 0])[0].round(9).tolist()
[[0.5, 0.5], [0.5, 0.5]])");
  c.def_prop_ro(
      "rows", [](const ReductionOf& r) { return hom::Representation(r.rows); },
      "The representation of the group on the rows of the problem before.");
  c.def(
      "lift_dual",
      [](nb::handle self, const Typed<NumbersOfProblemTag>& y) {
        return nb::object(nb::module_::import_("intertwine._dual_certificates").attr("lift_dual")(self, y.object));
      },
      nb::arg("y"),
      nb::sig(
          R"(def lift_dual(self, y: collections.abc.Iterable[int | float | fractions.Fraction]) -> list[fractions.Fraction])"),
      R"(The invariant dual solution of the problem before: a multiplier for each of its constraints, exactly.

With y of the reduced problem, C - Σ y_k A_k has a positive semidefinite mean over the group. The lifted multipliers
give this mean. A float is the decimal that Python prints for it.

Parameters
----------
y : list of numbers
    One for each constraint of the reduced problem, which are those in `kept`.

Returns
-------
list of Fraction
    One for each constraint of `before`, with the same sum of b_i y_i.

Raises
------
DomainError
    for another number of multipliers, or what is no number; for a reduction with faces, or of images.

Examples
--------
>>> from intertwine.sdp import Problem, reduce
>>> reduction = reduce(Problem([[2, 1], [1, 2]], [[[1, 0], [0, 0]], [[0, 0], [0, 1]]], [1, 1]))
>>> reduction.kept, reduction.lift_dual([2])
([0], [Fraction(1, 1), Fraction(1, 1)]))");
  c.def(
      "certificate",
      [](nb::handle self, const nb::object& y) {
        return nb::object(nb::module_::import_("intertwine._dual_certificates").attr("dual_certificate")(self, y));
      },
      nb::arg("y") = nb::none(),
      nb::sig(
          R"(def certificate(self, y: collections.abc.Iterable[int | float | fractions.Fraction] | None = None) -> typing.Any)"),
      R"(An exact lower bound of the optimum: rational multipliers y for which C - Σ y_i A_i is positive semidefinite.

Every feasible X has ⟨C, X⟩ >= Σ b_i y_i then. The matrix is checked exactly, of the problem before, whose floats are
the decimals that Python prints for them.

Parameters
----------
y : list of numbers, optional
    Multipliers of the reduced problem, one for each of its constraints. Without them cvxpy solves the dual problem.

Returns
-------
Certificate
    Its `bound` is a rational number at most the optimum.

Raises
------
DomainError
    where cvxpy is not installed, where the solver finds no optimum, and where no rational multipliers near those found
    have a positive semidefinite matrix.

Examples
--------
>>> from intertwine.sdp import theta
>>> theta([(0, 1), (1, 2), (2, 0)]).certificate([-1, -1]).bound
Fraction(-1, 1))");
  c.def("__str__", [](const ReductionOf& r) { return to_text(record(r.reduction)); });
  c.def("__repr__", [](const ReductionOf& r) {
    return "<Reduction by a group of order " + to_string(r.reduction.group_order()) + ", " +
           std::to_string(r.reduction.variables_before()) + " variables become " +
           std::to_string(r.reduction.variables_after()) + ">";
  });
  const auto question = [](const ReductionOf& r) {
    return nb::make_tuple(r.before, hom::Representation(r.rows), r.options.images, r.options.faces);
  };
  bind_by<ReductionOf>(c, question);
  c.def(
      "__reduce__",
      [question](const ReductionOf& r) {
        return nb::make_tuple(nb::module_::import_("intertwine._gates").attr("reduce_problem"), question(r));
      },
      nb::sig(reduce_signature));

  def_limited(
      m, "poll_limits", [](const Limits& limits) { limits.run([](const Task& task) { task.poll(); }); },
      "Raises LimitError, or KeyboardInterrupt, where the limits in force say so: for loops in Python.");
  def_limited(
      m, "read_graph",
      [](const Limits& limits, const Path& path) {
        const GraphFile file = limits.run([&](const Task& task) { return read_plain_graph(path.value, task); });
        nb::list edges;
        for (const LabelledGraph::Edge& e : file.graph.edges) edges.append(nb::make_tuple(e.from, e.to));
        return Typed<GraphPartsTag>{nb::make_tuple(file.graph.vertices, edges, file.labels)};
      },
      nb::arg("path"), "The number of vertices of a graph in a file, its edges, and the names of its vertices.");
  def_limited(
      m, "graph_theta",
      [](const Limits& limits, std::uint32_t vertices,
         const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges, const std::optional<Representation>& group,
         const std::string& variant) {
        LabelledGraph graph;
        graph.vertices = vertices;
        for (const auto& [from, to] : edges) graph.edges.push_back({from, to, 0});
        return limits.run([&](const Task& task) {
          const sdp::ThetaVariant of = sdp::theta_variant(variant);
          sdp::ThetaProblem theta =
              sdp::theta_problem(graph, group ? *group : sdp::vertex_symmetries(graph, task), of, task);
          sdp::Reduction reduction = sdp::reduce(theta.problem, theta.rows, task);
          return ReductionOf{std::move(theta.problem), std::move(theta.rows), std::move(reduction), {}};
        });
      },
      nb::arg("vertices"), nb::arg("edges"), nb::arg("group") = nb::none(), nb::arg("variant") = "lovasz",
      "The problem of the theta of a graph, reduced by a group of its automorphisms, or by all of them.");
  def_limited(
      m, "read_model",
      [](const Limits& limits, const Path& path) {
        const sdp::Model model = limits.run([&](const Task& task) { return read_model(path.value, task); });
        nb::dict places;
        for (const sdp::ModelVariable& variable : model.variables) {
          EntryList entries;
          for (const sdp::SymmetricEntry& e : variable.places) entries.emplace_back(e.row, e.col, e.value);
          places[variable.name.c_str()] = variable.is_matrix ? nb::cast(variable.first_row) : nb::cast(entries);
        }
        return Typed<ModelPartsTag>{nb::make_tuple(model.problem, model.maximize, model.constant, places)};
      },
      nb::arg("path"),
      "The problem of a model in a file, whether it maximizes, its constant, and the places of its "
      "variables.");
  def_limited(
      m, "write_model",
      [](const Limits& limits, const sdp::Problem& problem, const Path& path, bool maximize, const Rational& constant) {
        limits.run([&](const Task& task) {
          write_file(path.value, to_model_text(problem, maximize, constant, model_format(path.value), task));
        });
      },
      nb::arg("problem"), nb::arg("path"), nb::arg("maximize"), nb::arg("constant"),
      "Writes a problem in the format that the name of the file says.");
  def_limited(
      m, "reduce_problem",
      [](const Limits& limits, const sdp::Problem& problem, const std::optional<Representation>& rows, bool images,
         bool faces) {
        return limits.run([&](const Task& task) {
          const Representation V = rows ? *rows : sdp::symmetries(problem, task);
          const sdp::ReduceOptions options{images, faces};
          return ReductionOf{problem, V, sdp::reduce(problem, V, task, options), options};
        });
      },
      nb::arg("problem"), nb::arg("rows") = nb::none(), nb::arg("images") = false, nb::arg("faces") = true,
      "The problem reduced by the group that acts on its rows, or by all of its symmetries.");
}

}  // namespace intertwine::python
