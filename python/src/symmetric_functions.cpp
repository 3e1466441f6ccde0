// Symmetric functions, one at a time and as a ring; characters of the symmetric groups.
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <limits>

#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/combinatorics/schur_polynomial.hpp"
#include "intertwine/combinatorics/symmetric_algebra.hpp"
#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/symmetric_expression.hpp"

namespace intertwine::python {

namespace {

/// s, p, h, e, m or f.
struct Basis {
  SymmetricBasis value;
  friend bool operator==(const Basis&, const Basis&) = default;
};

struct BasisTag {
  static constexpr auto name = nb::detail::const_name("SymmetricBasis | str");
};
SymmetricBasis basis_of(const Typed<BasisTag>& basis) {
  if (nb::isinstance<Basis>(basis.object)) return nb::inst_ptr<Basis>(basis.object)->value;
  const std::string name = nb::isinstance<nb::str>(basis.object) ? nb::cast<std::string>(basis.object) : std::string();
  if (name.size() != 1)
    throw DomainError("a basis is one of s, p, h, e, m and f, not " + nb::cast<std::string>(nb::repr(basis.object)));
  return symmetric_basis(name[0]);
}

struct IndexTag {
  static constexpr auto name = nb::detail::const_name("int | Partition | collections.abc.Sequence[int]");
};
struct ExpressionTag {
  static constexpr auto name = nb::detail::const_name("str | Partition | collections.abc.Sequence[int]");
};

void bind_basis(nb::module_& m) {
  nb::class_<Basis> c(m, "SymmetricBasis", nb::is_final(),
                      "A basis of the symmetric functions: s (Schur), p (power sums), h (complete), e "
                      "(elementary), m (monomial), f\n"
                      "(forgotten, the omega of m). s[2, 1] is an element, also s([2, 1]); s('h[2][s[1,1]]') "
                      "reads an expression.");
  c.def(
      "__init__", [](Basis* self, const std::string& letter) { new (self) Basis{basis_of({nb::str(letter.c_str())})}; },
      nb::arg("letter"));
  c.def(
      "__getitem__",
      [](const Basis& b, const Typed<IndexTag>& index) {
        if (const auto part = as_integer(index.object)) {
          if (*part < 0 || *part > std::numeric_limits<int>::max())
            throw DomainError("a part of a partition is no " + part->str());
          return basis_element(b.value, Partition({static_cast<int>(*part)}));
        }
        return basis_element(b.value, PartitionLike{index.object}.value());
      },
      nb::arg("partition"), "An element of the basis: s[3], s[2, 1], s[()].");
  // Python would go through s[0], s[1], ... without end.
  for (const char* const question : {"__iter__", "__contains__"}) c.attr(question) = nb::none();
  def_limited(
      c, "__call__",
      [](const Limits& limits, const Basis& b, Typed<ExpressionTag> what) {
        if (!nb::isinstance<nb::str>(what.object)) return basis_element(b.value, PartitionLike{what.object}.value());
        const auto text = nb::cast<std::string>(what.object);
        return limits.run(
            [&](const Task& task) { return in_basis(parse_symmetric_function(text, task), b.value, task); });
      },
      nb::arg("what"),
      "An element of the basis: s([2, 1]); or what an expression names, in this basis: s('(p[1]^2 + "
      "p[2])/2').");
  bind_value<Basis>(c, [](const Basis& b) { return static_cast<std::size_t>(b.value); });
  c.def("__repr__", [](const Basis& b) { return std::string{letter_of(b.value)}; });
  c.def(
      "__reduce__", [](const Basis& b) { return reduced(nb::type<Basis>(), std::string{letter_of(b.value)}); },
      nb::sig(reduce_signature));
  for (const char* const letter : {"s", "p", "h", "e", "m", "f"}) m.attr(letter) = Basis{symmetric_basis(letter[0])};
}

/// "s[2, 1] - 2*s[3]/3", which Python evaluates.
std::string function_text(const SymmetricFunction& f) {
  const char letter = letter_of(f.basis);
  std::string text;
  for (const auto& [lambda, c] : f.terms) {
    const Integer p = numerator(c), q = denominator(c);
    text += c < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + ");
    if (abs(p) != 1) text += Integer(abs(p)).str() + "*";
    text += lambda.empty() ? std::string{letter} + "[()]" : letter + to_string(lambda);
    if (q != 1) text += "/" + q.str();
  }
  return text.empty() ? std::string("0*") + letter + "[()]" : text;
}

template <class Work>
auto worked(Work work) {
  return Limits().run([&](const Task& task) { return work(task); });
}

SymmetricFunction constant(const SymmetricFunction& like, const Rational& c) {
  return multiple(c, basis_element(like.basis, {}));
}

SymmetricFunction sum(const SymmetricFunction& a, const Rational& c, const SymmetricFunction& b) {
  return worked([&](const Task& task) {
    SymmetricFunction result = a;
    add_multiple(result, c, b, task);
    return result;
  });
}

void bind_operators(nb::class_<SymmetricFunction>& c) {
  using F = SymmetricFunction;
  c.def(
      "__add__", [](const F& a, const F& b) { return sum(a, 1, b); }, nb::is_operator(), nb::arg("other"));
  c.def(
      "__add__", [](const F& a, const Rational& b) { return sum(a, 1, constant(a, b)); }, nb::is_operator(),
      nb::arg("other"));
  c.def(
      "__radd__", [](const F& a, const Rational& b) { return sum(a, 1, constant(a, b)); }, nb::is_operator(),
      nb::arg("other"));
  c.def(
      "__sub__", [](const F& a, const F& b) { return sum(a, -1, b); }, nb::is_operator(), nb::arg("other"));
  c.def(
      "__sub__", [](const F& a, const Rational& b) { return sum(a, -1, constant(a, b)); }, nb::is_operator(),
      nb::arg("other"));
  c.def(
      "__rsub__", [](const F& a, const Rational& b) { return sum(constant(a, b), -1, a); }, nb::is_operator(),
      nb::arg("other"));
  c.def("__neg__", [](const F& a) { return multiple(-1, a); });
  c.def(
      "__mul__", [](const F& a, const F& b) { return worked([&](const Task& task) { return a.times(b, task); }); },
      nb::is_operator(), nb::arg("other"));
  c.def(
      "__mul__", [](const F& a, const Rational& b) { return multiple(b, a); }, nb::is_operator(), nb::arg("other"));
  c.def(
      "__rmul__", [](const F& a, const Rational& b) { return multiple(b, a); }, nb::is_operator(), nb::arg("other"));
  c.def(
      "__truediv__",
      [](const F& a, const Rational& b) {
        if (b == 0) throw DomainError("a symmetric function is divided by zero");
        return multiple(1 / b, a);
      },
      nb::is_operator(), nb::arg("number"));
  c.def(
      "__pow__", [](const F& a, unsigned k) { return worked([&](const Task& task) { return a.power(k, task); }); },
      nb::is_operator(), nb::arg("k"));
  c.def(
      "__eq__",
      [](const F& a, const F& b) { return worked([&](const Task& task) { return same_function(a, b, task); }); },
      nb::is_operator(), nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [](const F& f) {  // the same in every basis
    Hasher hasher;
    for (const auto& [degree, c] : squarefree_coefficients(f))
      hasher.add(static_cast<std::size_t>(degree)).add(Cyclotomic(c).hash());
    return static_cast<Py_hash_t>(hasher.value());
  });
  bind_copies<F>(c);
  c.def("__bool__", [](const F& f) { return !f.terms.empty(); });
  c.def("__len__", [](const F& f) { return f.terms.size(); });
}

std::vector<std::pair<Partition, Rational>> terms_of(const SymmetricFunction& f) {
  return {f.terms.begin(), f.terms.end()};
}

struct FunctionTermsTag {
  static constexpr auto name = nb::detail::const_name(
      "collections.abc.Iterable[tuple[Partition | collections.abc.Sequence[int], int | "
      "fractions.Fraction]]");
};

void bind_terms(nb::class_<SymmetricFunction>& c) {
  using F = SymmetricFunction;
  c.def(
      "__init__",
      [](F* self, const Typed<BasisTag>& basis, const Typed<FunctionTermsTag>& terms) {
        F f{basis_of(basis), {}};
        for (const nb::handle term : nb::iter(terms.object))
          add_multiple(f, exact_number(nb::object(term[1])).to_rational(),
                       basis_element(f.basis, PartitionLike{nb::object(term[0])}.value()));
        new (self) F(std::move(f));
      },
      nb::arg("basis"), nb::arg("terms"));
  c.def_prop_ro(
      "basis", [](const F& f) { return Basis{f.basis}; }, "The basis that it is written in.");
  c.def("terms", &terms_of, "Its terms (partition, coefficient), in the order of partitions.");
  c.def(
      "__iter__", [](const F& f) { return nb::iter(nb::cast(terms_of(f))); },
      nb::sig("def __iter__(self) -> collections.abc.Iterator[tuple[Partition, int | fractions.Fraction]]"));
  c.def(
      "coefficient",
      [](const F& f, const PartitionLike& partition) {
        const auto at = f.terms.find(partition.value());
        return at == f.terms.end() ? Rational(0) : at->second;
      },
      nb::arg("partition"), "The coefficient of an element of its basis.");
  c.def_prop_ro(
      "degree", [](const F& f) { return degree(f); }, "The largest weight of a term.");
  c.def("__str__", [](const F& f) { return to_string(f); });
  c.def("__repr__", &function_text);
  c.def(
      "to_latex", [](const F& f) { return to_latex(f); }, "The sum in LaTeX.");
  c.def(
      "_repr_latex_", [](const F& f) { return "$" + to_latex(f) + "$"; }, "For notebooks.");
  bind_systems(c, "The sum, in GAP a list of pairs of a partition and its coefficient,");
  c.def(
      "__reduce__", [](const F& f) { return reduced(nb::type<F>(), std::string{letter_of(f.basis)}, terms_of(f)); },
      nb::sig(reduce_signature));
}

struct ExpansionTag {
  static constexpr auto name = nb::detail::const_name("dict[tuple[int, ...], int | fractions.Fraction]");
};
struct IntegersTag {
  static constexpr auto name = nb::detail::const_name("numpy.typing.NDArray[numpy.int64]");
};
struct VariablesTag {
  static constexpr auto name =
      nb::detail::const_name("collections.abc.Iterable[int | str | fractions.Fraction | Cyclotomic]");
};

void bind_algebra(nb::class_<SymmetricFunction>& c) {
  using F = SymmetricFunction;
  def_limited(
      c, "to",
      [](const Limits& limits, const F& f, Typed<BasisTag> basis) {
        const SymmetricBasis to = basis_of(basis);
        return limits.run([&](const Task& task) { return in_basis(f, to, task); });
      },
      nb::arg("basis"), "The same function in another basis.");
  def_limited(
      c, "__call__",
      [](const Limits& limits, const F& f, const F& g) {
        return limits.run([&](const Task& task) { return plethysm(f, g, task); });
      },
      nb::arg("g"), "The plethysm f[g] (composition of functors), in Schur functions.");
  c.def(
      "omega", [](const F& f) { return omega_involution(f); },
      "The involution that exchanges s and its conjugates, h and e, m and f.");
  def_limited(
      c, "scalar",
      [](const Limits& limits, const F& f, const F& g) {
        return limits.run([&](const Task& task) { return scalar_product(f, g, task); });
      },
      nb::arg("g"), "Hall's scalar product, for which the Schur functions are orthonormal.");
  def_limited(
      c, "skew",
      [](const Limits& limits, const F& f, const F& g) {
        return limits.run([&](const Task& task) { return skew(f, g, task); });
      },
      nb::arg("g"),
      "What is adjoint to multiplication by g: s[3, 2].skew(s[1]) is the skew Schur function, in Schur "
      "functions.");
  def_limited(
      c, "coproduct",
      [](const Limits& limits, const F& f) {
        std::vector<std::tuple<Partition, Partition, Rational>> list;
        for (auto& t : limits.run([&](const Task& task) { return coproduct(f, task); }).terms)
          list.emplace_back(t.left, t.right, t.coefficient);
        return list;
      },
      "f of two sets of variables: (left, right, coefficient) of products of Schur functions.");
  def_limited(
      c, "kronecker",
      [](const Limits& limits, const F& f, const F& g) {
        return limits.run([&](const Task& task) { return kronecker_product(f, g, task); });
      },
      nb::arg("g"), "The product of characters of symmetric groups, degree by degree.");
  def_limited(
      c, "dimension",
      [](const Limits& limits, const F& f, int n) {
        return limits.run([&](const Task& task) { return dimension(f, n, task); });
      },
      nb::arg("n"), "f(1, ..., 1), n times: the dimension of the GL(n) module with this character.");
  def_limited(
      c, "rows",
      [](const Limits& limits, const F& f, int n) {
        return limits.run([&](const Task& task) { return as_character_of_gl(f, n, task); });
      },
      nb::arg("n"), "As a character of GL(n): in Schur functions, those of more than n rows left out.");
  def_limited(
      c, "evaluate",
      [](const Limits& limits, const F& f, Typed<VariablesTag> x) {
        std::vector<Cyclotomic> numbers;
        for (const nb::handle item : nb::iter(x.object)) numbers.push_back(exact_number(item));
        return limits.run([&](const Task& task) { return Exact{evaluate(f, numbers, task)}; });
      },
      nb::arg("x"), "f(x_1, ..., x_n), all other variables 0.");
  def_limited(
      c, "expand",
      [](const Limits& limits, const F& f, int n) {
        const auto polynomial = limits.run([&](const Task& task) { return in_variables(f, n, task); });
        nb::dict result;
        for (const auto& [exponents, a] : polynomial) result[nb::tuple(nb::cast(exponents))] = to_python(a);
        return Typed<ExpansionTag>{result};
      },
      nb::arg("n"), "The polynomial in n variables: exponents to coefficients.");
  c.def(
      "to_sympy",
      [](nb::handle f, int n) {
        return nb::object(nb::module_::import_("intertwine._gates").attr("symmetric_function_to_sympy")(f, n));
      },
      nb::arg("n"), nb::sig("def to_sympy(self, n: int) -> typing.Any"), "The polynomial in x1, ..., xn in SymPy.");
}

// --- Schur functions one at a time -------------------------------------------------------------------------------------------

PartitionBox box_of(std::optional<int> rows, std::optional<int> cols) { return {bound_of(rows), bound_of(cols)}; }

void bind_schur(nb::module_& m) {
  def_limited(
      m, "schur_product",
      [](const Limits& limits, PartitionLike a, PartitionLike b, std::optional<int> rows, std::optional<int> cols) {
        const Partition lambda = a.value(), mu = b.value();
        return limits.run([&](const Task& task) {
          return to_symmetric_function(schur_product(lambda, mu, box_of(rows, cols), task));
        });
      },
      nb::arg("lam"), nb::arg("mu"), nb::arg("rows") = nb::none(), nb::arg("cols") = nb::none(),
      "s[lam] * s[mu] by Littlewood-Richardson; with rows or cols only partitions in that box.");
  def_limited(
      m, "skew_schur",
      [](const Limits& limits, PartitionLike a, PartitionLike b, std::optional<int> rows, std::optional<int> cols) {
        const Partition outer = a.value(), inner = b.value();
        return limits.run([&](const Task& task) {
          return to_symmetric_function(skew_schur(outer, inner, box_of(rows, cols), task));
        });
      },
      nb::arg("outer"), nb::arg("inner"), nb::arg("rows") = nb::none(), nb::arg("cols") = nb::none(),
      "The skew Schur function of outer/inner; zero unless inner is contained in outer.");
  def_limited(
      m, "plethysm",
      [](const Limits& limits, PartitionLike a, PartitionLike b, std::optional<int> rows, std::optional<int> cols) {
        const Partition outer = a.value(), inner = b.value();
        return limits.run(
            [&](const Task& task) { return to_symmetric_function(plethysm(outer, inner, box_of(rows, cols), task)); });
      },
      nb::arg("outer"), nb::arg("inner"), nb::arg("rows") = nb::none(), nb::arg("cols") = nb::none(),
      R"(The plethysm s[outer](s[inner]) in Schur functions.

Parameters
----------
outer, inner : Partition or sequence of int
    the partitions.
rows, cols : int, optional
    only partitions in that box are found, which costs less.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
SymmetricFunction
    the sum of Schur functions.

Raises
------
LimitError
    where memory or time would be more than allowed.

Examples
--------
>>> print(plethysm([2], [2]))
s[4] + s[2,2])");
  def_limited(
      m, "lr",
      [](const Limits& limits, PartitionLike a, PartitionLike b) {
        const Partition lambda = a.value(), mu = b.value();
        return limits.run([&](const Task& task) { return to_symmetric_function(schur_product(lambda, mu, {}, task)); });
      },
      nb::arg("lam"), nb::arg("mu"), "The product s[lam] * s[mu].");
  def_limited(
      m, "lr",
      [](const Limits& limits, PartitionLike a, PartitionLike b, PartitionLike c) {
        const Partition nu = a.value(), lambda = b.value(), mu = c.value();
        return limits.run([&](const Task& task) { return littlewood_richardson(nu, lambda, mu, task); });
      },
      nb::arg("nu"), nb::arg("lam"), nb::arg("mu"),
      "The Littlewood-Richardson coefficient: that of s[nu] in s[lam] * s[mu]. nu comes first; in the shell "
      "it "
      "is the last, lr LAMBDA MU NU.");
  def_limited(
      m, "kronecker_coefficient",
      [](const Limits& limits, PartitionLike a, PartitionLike b, PartitionLike c) {
        const Partition lambda = a.value(), mu = b.value(), nu = c.value();
        return limits.run([&](const Task& task) { return kronecker_coefficient(lambda, mu, nu, task); });
      },
      nb::arg("lam"), nb::arg("mu"), nb::arg("nu"),
      "That of s[nu] in the Kronecker product of s[lam] and s[mu]; symmetric in its arguments.");
  def_limited(
      m, "schur_coproduct",
      [](const Limits& limits, PartitionLike a) {
        const Partition nu = a.value();
        std::vector<std::tuple<Partition, Partition, Integer>> list;
        for (auto& t : limits.run([&](const Task& task) { return schur_coproduct(nu, task); }))
          list.emplace_back(t.left, t.right, t.coefficient);
        return list;
      },
      nb::arg("nu"), "s[nu] of two sets of variables: (left, right, coefficient).");
  def_limited(
      m, "fusion_product",
      [](const Limits& limits, PartitionLike a, PartitionLike b, int n, int level) {
        const Partition lambda = a.value(), mu = b.value();
        return limits.run(
            [&](const Task& task) { return to_symmetric_function(fusion_product(lambda, mu, n, level, task)); });
      },
      nb::arg("lam"), nb::arg("mu"), nb::arg("n"), nb::arg("level"), "The fusion product of this level for SU(n).");
  def_limited(
      m, "quantum_product",
      [](const Limits& limits, PartitionLike a, PartitionLike b, int rows, int cols) {
        const Partition lambda = a.value(), mu = b.value();
        std::vector<std::tuple<Partition, int, Integer>> list;
        for (auto& t : limits.run([&](const Task& task) { return quantum_product(lambda, mu, rows, cols, task); }))
          list.emplace_back(t.partition, t.degree, t.coefficient);
        return list;
      },
      nb::arg("lam"), nb::arg("mu"), nb::arg("rows"), nb::arg("cols"),
      "The product of Schubert classes in the quantum cohomology of a Grassmannian: (partition, power of q, "
      "coefficient).");
  def_limited(
      m, "schur_at_eigenvalues",
      [](const Limits& limits, PartitionLike partition, Typed<MatrixTag> matrix) {
        const Partition lambda = partition.value();
        const RationalMatrix A = exact_matrix(matrix.object).to_field().to_rational();
        return limits.run([&](const Task& task) { return schur_at_eigenvalues(lambda, A, task); });
      },
      nb::arg("partition"), nb::arg("matrix"),
      "s[partition] of the eigenvalues of a rational matrix, which is the trace of its Schur functor.");
  def_limited(
      m, "symmetric_group_character_table",
      [](const Limits& limits, int n) {
        auto table = std::make_unique<SymmetricGroupTable>(
            limits.run([&](const Task& task) { return symmetric_group_character_table(n, task); }));
        const std::vector<Partition> list = table->partitions;
        const std::int64_t* first = table->values.data();
        const nb::capsule owner(table.release(), [](void* p) noexcept { delete static_cast<SymmetricGroupTable*>(p); });
        using Array = nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<2>, nb::c_contig>;
        return std::pair(list, Typed<IntegersTag>{nb::cast(Array(first, {list.size(), list.size()}, owner))});
      },
      nb::arg("n"),
      "The partitions of n, and the character table of the symmetric group: row i the character, column j "
      "the cycle type of that number.");
}

}  // namespace

void bind_symmetric_functions(nb::module_& m) {
  nb::class_<SymmetricFunction> f(m, "SymmetricFunction", nb::is_final(),
                                  "A symmetric function over the rational numbers, written in one basis: "
                                  "s[2, 1] + h[3] / 2. f + g, f * g, f ** k, f(g)\n"
                                  "(plethysm); the answer is in the basis of f. Equal means the same "
                                  "function, in whatever bases: h[2] == s[2].\n"
                                  "Iteration gives the terms (partition, coefficient).");
  bind_basis(m);
  bind_operators(f);
  bind_terms(f);
  bind_algebra(f);
  bind_schur(m);
}

}  // namespace intertwine::python
