// Partitions and tableaux, symmetric functions, characters of the symmetric groups.
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <limits>

#include "bindings.hpp"
#include "intertwine/combinatorics/rsk.hpp"
#include "intertwine/combinatorics/schur_polynomial.hpp"
#include "intertwine/combinatorics/symmetric_algebra.hpp"
#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/symmetric_expression.hpp"

namespace intertwine::python {

Partition PartitionLike::value() const {
  if (nb::isinstance<Partition>(object)) return *nb::inst_ptr<Partition>(object);
  std::vector<int> parts;
  if (!nb::isinstance<nb::str>(object) && nb::try_cast(object, parts)) return Partition(std::move(parts));
  throw DomainError("a partition is a list of whole numbers such as [2, 1], not " +
                    nb::cast<std::string>(nb::repr(object)).substr(0, 60));
}

std::string partition_text(const Partition& lambda) {
  std::string parts;
  for (const int part : lambda) parts += (parts.empty() ? "" : ", ") + std::to_string(part);
  return "Partition([" + parts + "])";
}

namespace {

// --- Partitions --------------------------------------------------------------------------------------------------------------

nb::tuple parts_of(const Partition& lambda) { return nb::tuple(nb::cast(lambda.parts())); }

std::vector<std::pair<Partition, int>> pairs_of(const std::vector<Ribbon>& ribbons) {
  std::vector<std::pair<Partition, int>> list;
  for (const Ribbon& r : ribbons) list.emplace_back(r.partition, r.height);
  return list;
}

/// What a tuple can do.
void bind_sequence(nb::class_<Partition>& c) {
  c.def(
      "__init__", [](Partition* self, const PartitionLike& parts) { new (self) Partition(parts.value()); },
      nb::arg("parts") = nb::make_tuple());
  c.def("__len__", &Partition::length);
  c.def(
      "__getitem__",
      [](const Partition& p, std::int64_t i) { return p.parts()[index_below(i, p.parts().size())]; },
      nb::arg("index"));
  c.def(
      "__iter__", [](const Partition& p) { return nb::iter(parts_of(p)); },
      nb::sig("def __iter__(self) -> collections.abc.Iterator[int]"));
  c.def(
      "__eq__",
      [](const Partition& a, nb::handle b) {
        if (nb::isinstance<Partition>(b)) return a == *nb::inst_ptr<Partition>(b);
        return nb::isinstance<nb::tuple>(b) && parts_of(a).equal(b);
      },
      nb::is_operator(), nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [](const Partition& p) { return nb::hash(parts_of(p)); });
  c.def(
      "__lt__", [](const Partition& a, const Partition& b) { return a < b; }, nb::is_operator(),
      nb::arg("other"));
  c.def(
      "__le__", [](const Partition& a, const Partition& b) { return a <= b; }, nb::is_operator(),
      nb::arg("other"));
  c.def(
      "__gt__", [](const Partition& a, const Partition& b) { return a > b; }, nb::is_operator(),
      nb::arg("other"));
  c.def(
      "__ge__", [](const Partition& a, const Partition& b) { return a >= b; }, nb::is_operator(),
      nb::arg("other"));
  bind_copies<Partition>(c);
  c.def("__str__", [](const Partition& p) { return to_string(p); });
  c.def("__repr__", &partition_text);
  c.def(
      "_repr_latex_", [](const Partition& p) { return "$(" + to_latex(p) + ")$"; }, "For notebooks.");
  c.def(
      "__reduce__", [](const Partition& p) { return reduced(nb::type<Partition>(), p.parts()); },
      nb::sig(reduce_signature));
}

void bind_diagram(nb::class_<Partition>& c) {
  c.def_prop_ro("weight", &Partition::weight, "The sum of the parts.");
  c.def("conjugate", &Partition::conjugate, "The diagram reflected in its diagonal.");
  c.def(
      "contains", [](const Partition& p, const PartitionLike& inner) { return p.contains(inner.value()); },
      nb::arg("inner"), "Does the diagram contain that of `inner`?");
  c.def(
      "dominates", [](const Partition& p, const PartitionLike& other) { return p.dominates(other.value()); },
      nb::arg("other"), "The dominance order: same weight, and every partial sum at least that of `other`.");
  c.def_prop_ro("durfee", &Partition::durfee, "The side of the largest square in the diagram.");
  c.def(
      "hooks", [](const Partition& p) { return hook_lengths(p); }, "All hook lengths, row by row.");
  c.def(
      "hook", [](const Partition& p, int i, int j) { return hook_length(p, i, j); }, nb::arg("i"),
      nb::arg("j"), "Arm + leg + 1 of the cell in row i, column j (0-based).");
  c.def(
      "centralizer_order", [](const Partition& p) { return centralizer_order(p); },
      "The order of the centralizer of a permutation of this cycle type.");
  c.def(
      "removable_ribbons", [](const Partition& p, int k) { return pairs_of(removable_ribbons(p, k)); },
      nb::arg("k"),
      "The ribbons of k cells that can be taken away, top row first: what is left, and the rows that it "
      "meets minus one.");
  c.def(
      "addable_ribbons", [](const Partition& p, int k) { return pairs_of(addable_ribbons(p, k)); },
      nb::arg("k"),
      "The ribbons of k cells that can be added, top row first: the larger partition, and the rows that it "
      "meets minus one.");
  c.def(
      "core", [](const Partition& p, int k) { return k_core(p, k); }, nb::arg("k"),
      "What is left when no ribbon of k cells can be taken away any more.");
  c.def(
      "quotient", [](const Partition& p, int k) { return k_quotient(p, k); }, nb::arg("k"),
      "The k-quotient: k partitions.");
  c.def_static(
      "from_core_and_quotient",
      [](const PartitionLike& core, const std::vector<PartitionLike>& quotient) {
        std::vector<Partition> list;
        for (const auto& p : quotient) list.push_back(p.value());
        return from_core_and_quotient(core.value(), list);
      },
      nb::arg("core"), nb::arg("quotient"), "The partition with this core and quotient.");
}

void bind_counts(nb::class_<Partition>& c) {
  c.def(
      "dimension", [](const Partition& p, int n) { return number_of_semistandard_tableaux(p, n); },
      nb::arg("n"), "The dimension of the Schur functor of C^n: the number of semistandard tableaux.");
  c.def_prop_ro(
      "degree", [](const Partition& p) { return number_of_standard_tableaux(p); },
      "The degree of the character of the symmetric group: the number of standard tableaux.");
  def_limited(
      c, "character",
      [](const Limits& limits, const Partition& p, PartitionLike cycle_type) {
        const Partition type = cycle_type.value();
        return limits.run([&](const Task& task) { return symmetric_group_character(p, type, task); });
      },
      nb::arg("cycle_type"), "The character of the symmetric group at permutations of this cycle type.");
  def_limited(
      c, "kostka",
      [](const Limits& limits, const Partition& p, std::vector<int> content) {
        return limits.run([&](const Task&) { return kostka_number(p, content); });
      },
      nb::arg("content"), "The number of semistandard tableaux with content[i] entries i.");
  def_limited(
      c, "standard_tableaux",
      [](const Limits& limits, const Partition& p, std::size_t max_count) {
        return limits.run([&](const Task&) { return standard_tableaux(p, max_count); });
      },
      nb::arg("max_count") = 10'000'000,
      "All standard tableaux, by the row of the largest entry, then of the next, ...; LimitError if there "
      "are more.");
  def_limited(
      c, "semistandard_tableaux",
      [](const Limits& limits, const Partition& p, std::variant<int, std::vector<int>> n,
         std::size_t max_count) {
        return limits.run([&](const Task&) {
          return std::visit([&](const auto& x) { return semistandard_tableaux(p, x, max_count); }, n);
        });
      },
      nb::arg("n"), nb::arg("max_count") = 10'000'000,
      "All semistandard tableaux with entries 0 ... n-1, or, for a list, with n[i] entries i; LimitError if "
      "there are more.");
}

int bound_of(const std::optional<int>& bound) { return bound.value_or(std::numeric_limits<int>::max()); }

void bind_partitions(nb::module_& m, nb::class_<Partition>& c) {
  bind_sequence(c);
  bind_diagram(c);
  bind_counts(c);
  def_limited(
      m, "partitions",
      [](const Limits& limits, int n, std::optional<int> max_length, std::optional<int> max_part,
         int min_length, std::size_t max_count) {
        const PartitionBounds bounds{bound_of(max_length), bound_of(max_part), min_length};
        return limits.run([&](const Task&) { return partitions(n, bounds, max_count); });
      },
      nb::arg("n"), nb::arg("max_length") = nb::none(), nb::arg("max_part") = nb::none(),
      nb::arg("min_length") = 0, nb::arg("max_count") = 20'000'000,
      "All partitions of n, [n] first and [1, ..., 1] last; LimitError if there are more than max_count.");
  m.def(
      "number_of_partitions",
      [](int n, std::optional<int> max_length, std::optional<int> max_part, int min_length) {
        const nb::gil_scoped_release unlocked;
        if (!max_length && !max_part && min_length == 0) return number_of_partitions(n);
        return number_of_partitions(n, {bound_of(max_length), bound_of(max_part), min_length});
      },
      nb::arg("n"), nb::arg("max_length") = nb::none(), nb::arg("max_part") = nb::none(),
      nb::arg("min_length") = 0, "The number of partitions of n within these bounds.");
  m.def(
      "partitions_in_box",
      [](int rows, int cols, std::size_t max_count) { return partitions_in_box(rows, cols, max_count); },
      nb::arg("rows"), nb::arg("cols"), nb::arg("max_count") = 20'000'000,
      "All partitions of any weight whose diagram fits in a box, by weight.");
  m.def(
      "partitions_inside",
      [](const PartitionLike& outer, std::size_t max_count) {
        return partitions_inside(outer.value(), max_count);
      },
      nb::arg("outer"), nb::arg("max_count") = 20'000'000, "All partitions contained in `outer`, by weight.");
}

// --- Tableaux ----------------------------------------------------------------------------------------------------------------

using Rows = std::vector<std::vector<int>>;

void bind_tableaux(nb::module_& m, nb::class_<Tableau>& c) {
  c.def(
      "__init__", [](Tableau* self, Rows rows) { new (self) Tableau(std::move(rows)); }, nb::arg("rows"));
  c.def_prop_ro("rows", &Tableau::rows, "The rows from top to bottom, entries 0-based.");
  c.def_prop_ro("shape", &Tableau::shape, "The lengths of the rows.");
  c.def("content", &Tableau::content, nb::arg("n"), "How often each of 0, ..., n-1 occurs.");
  c.def_prop_ro("is_standard", &Tableau::is_standard,
                "Rows and columns strictly increasing, every number once?");
  c.def_prop_ro("is_semistandard", &Tableau::is_semistandard, "Rows weakly and columns strictly increasing?");
  c.def_prop_ro("T", &Tableau::transposed, "The tableau reflected in its diagonal.");
  c.def(
      "rank",
      [](const Tableau& t, std::optional<int> n) { return n ? rank_semistandard(t, *n) : rank_standard(t); },
      nb::arg("n") = nb::none(),
      "The position among the standard tableaux of this shape, or among the semistandard ones with entries "
      "below n.");
  c.def_static(
      "unrank",
      [](const PartitionLike& shape, const Integer& rank, std::optional<int> n) {
        return n ? unrank_semistandard(shape.value(), *n, rank) : unrank_standard(shape.value(), rank);
      },
      nb::arg("shape"), nb::arg("rank"), nb::arg("n") = nb::none(),
      "The tableau at this position, without enumeration.");
  c.def(
      "__lt__", [](const Tableau& a, const Tableau& b) { return a < b; }, nb::is_operator(),
      nb::arg("other"));
  bind_value<Tableau>(c, [](const Tableau& t) {
    Hasher hasher;
    for (const auto& row : t.rows()) {
      hasher.add(row.size());
      for (const int entry : row) hasher.add(static_cast<std::size_t>(entry));
    }
    return hasher.value();
  });
  c.def("__str__", [](const Tableau& t) { return to_string(t); });
  c.def("__repr__", [](const Tableau& t) {
    return "Tableau(" + nb::cast<std::string>(nb::repr(nb::cast(t.rows()))) + ")";
  });
  def_python(c, "_repr_html_", "intertwine._notebook", "tableau", "def _repr_html_(self) -> str",
             "For notebooks.");
  c.def(
      "__reduce__", [](const Tableau& t) { return reduced(nb::type<Tableau>(), t.rows()); },
      nb::sig(reduce_signature));
  const auto pair = [](TableauPair pair) {
    return std::pair(std::move(pair.insertion), std::move(pair.recording));
  };
  m.def(
      "rsk", [pair](const Rows& matrix) { return pair(rsk(matrix)); }, nb::arg("matrix"),
      "The Robinson-Schensted-Knuth correspondence: a matrix of integers >= 0 to (P, Q), P of column and Q "
      "of row numbers.");
  m.def(
      "rsk_inverse",
      [](const Tableau& P, const Tableau& Q, int rows, int cols) {
        return rsk_inverse({P, Q}, rows, cols);
      },
      nb::arg("P"), nb::arg("Q"), nb::arg("rows"), nb::arg("cols"), "The matrix with this pair.");
  m.def(
      "dual_rsk", [pair](const Rows& matrix) { return pair(dual_rsk(matrix)); }, nb::arg("matrix"),
      "Dual RSK: a matrix of 0 and 1 to (P, Q), P transposed semistandard, Q semistandard.");
  m.def(
      "dual_rsk_inverse",
      [](const Tableau& P, const Tableau& Q, int rows, int cols) {
        return dual_rsk_inverse({P, Q}, rows, cols);
      },
      nb::arg("P"), nb::arg("Q"), nb::arg("rows"), nb::arg("cols"), "The matrix with this pair.");
  m.def(
      "contingency_tables",
      [](const std::vector<int>& row_sums, const std::vector<int>& column_sums, std::size_t max_count) {
        return contingency_tables(row_sums, column_sums, max_count);
      },
      nb::arg("row_sums"), nb::arg("column_sums"), nb::arg("max_count") = 10'000'000,
      "All matrices of integers >= 0 with these sums, lexicographically decreasing.");
  m.def("number_of_contingency_tables", &number_of_contingency_tables, nb::arg("row_sums"),
        nb::arg("column_sums"), "Their number, without listing them.");
}

// --- Symmetric functions -----------------------------------------------------------------------------------------------------

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
  const std::string name =
      nb::isinstance<nb::str>(basis.object) ? nb::cast<std::string>(basis.object) : std::string();
  if (name.size() != 1)
    throw DomainError("a basis is one of s, p, h, e, m and f, not " +
                      nb::cast<std::string>(nb::repr(basis.object)));
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
      "__init__",
      [](Basis* self, const std::string& letter) { new (self) Basis{basis_of({nb::str(letter.c_str())})}; },
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
  def_limited(
      c, "__call__",
      [](const Limits& limits, const Basis& b, Typed<ExpressionTag> what) {
        if (!nb::isinstance<nb::str>(what.object))
          return basis_element(b.value, PartitionLike{what.object}.value());
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
      "__reduce__",
      [](const Basis& b) { return reduced(nb::type<Basis>(), std::string{letter_of(b.value)}); },
      nb::sig(reduce_signature));
  for (const char* const letter : {"s", "p", "h", "e", "m", "f"})
    m.attr(letter) = Basis{symmetric_basis(letter[0])};
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
      "__mul__",
      [](const F& a, const F& b) { return worked([&](const Task& task) { return product(a, b, task); }); },
      nb::is_operator(), nb::arg("other"));
  c.def(
      "__mul__", [](const F& a, const Rational& b) { return multiple(b, a); }, nb::is_operator(),
      nb::arg("other"));
  c.def(
      "__rmul__", [](const F& a, const Rational& b) { return multiple(b, a); }, nb::is_operator(),
      nb::arg("other"));
  c.def(
      "__truediv__",
      [](const F& a, const Rational& b) {
        if (b == 0) throw DomainError("a symmetric function is divided by zero");
        return multiple(1 / b, a);
      },
      nb::is_operator(), nb::arg("number"));
  c.def(
      "__pow__",
      [](const F& a, unsigned k) { return worked([&](const Task& task) { return power(a, k, task); }); },
      nb::is_operator(), nb::arg("k"));
  c.def(
      "__eq__",
      [](const F& a, const F& b) {
        return worked([&](const Task& task) { return same_function(a, b, task); });
      },
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

struct TermsTag {
  static constexpr auto name = nb::detail::const_name(
      "collections.abc.Iterable[tuple[Partition | collections.abc.Sequence[int], int | "
      "fractions.Fraction]]");
};

void bind_terms(nb::class_<SymmetricFunction>& c) {
  using F = SymmetricFunction;
  c.def(
      "__init__",
      [](F* self, const Typed<BasisTag>& basis, const Typed<TermsTag>& terms) {
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
  c.def(
      "__reduce__",
      [](const F& f) { return reduced(nb::type<F>(), std::string{letter_of(f.basis)}, terms_of(f)); },
      nb::sig(reduce_signature));
}

struct ExpansionTag {
  static constexpr auto name = nb::detail::const_name("dict[tuple[int, ...], int | fractions.Fraction]");
};
struct IntegersTag {
  static constexpr auto name = nb::detail::const_name("numpy.typing.NDArray[numpy.int64]");
};
struct NumbersTag {
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
      [](const Limits& limits, const F& f, Typed<NumbersTag> x) {
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
        return nb::object(
            nb::module_::import_("intertwine._gates").attr("symmetric_function_to_sympy")(f, n));
      },
      nb::arg("n"), nb::sig("def to_sympy(self, n: int) -> typing.Any"),
      "The polynomial in x1, ..., xn in SymPy.");
}

// --- Schur functions one at a time -------------------------------------------------------------------------------------------

PartitionBox box_of(std::optional<int> rows, std::optional<int> cols) {
  return {bound_of(rows), bound_of(cols)};
}

void bind_schur(nb::module_& m) {
  def_limited(
      m, "schur_product",
      [](const Limits& limits, PartitionLike a, PartitionLike b, std::optional<int> rows,
         std::optional<int> cols) {
        const Partition lambda = a.value(), mu = b.value();
        return limits.run([&](const Task& task) {
          return to_symmetric_function(schur_product(lambda, mu, box_of(rows, cols), task));
        });
      },
      nb::arg("lam"), nb::arg("mu"), nb::arg("rows") = nb::none(), nb::arg("cols") = nb::none(),
      "s[lam] * s[mu] by Littlewood-Richardson; with rows or cols only partitions in that box.");
  def_limited(
      m, "skew_schur",
      [](const Limits& limits, PartitionLike a, PartitionLike b, std::optional<int> rows,
         std::optional<int> cols) {
        const Partition outer = a.value(), inner = b.value();
        return limits.run([&](const Task& task) {
          return to_symmetric_function(skew_schur(outer, inner, box_of(rows, cols), task));
        });
      },
      nb::arg("outer"), nb::arg("inner"), nb::arg("rows") = nb::none(), nb::arg("cols") = nb::none(),
      "The skew Schur function of outer/inner; zero unless inner is contained in outer.");
  def_limited(
      m, "plethysm",
      [](const Limits& limits, PartitionLike a, PartitionLike b, std::optional<int> rows,
         std::optional<int> cols) {
        const Partition outer = a.value(), inner = b.value();
        return limits.run([&](const Task& task) {
          return to_symmetric_function(plethysm(outer, inner, box_of(rows, cols), task));
        });
      },
      nb::arg("outer"), nb::arg("inner"), nb::arg("rows") = nb::none(), nb::arg("cols") = nb::none(),
      "s[outer](s[inner]); with rows or cols only partitions in that box, which costs less.");
  def_limited(
      m, "lr",
      [](const Limits& limits, PartitionLike a, PartitionLike b, PartitionLike c) {
        const Partition nu = a.value(), lambda = b.value(), mu = c.value();
        return limits.run([&](const Task& task) { return littlewood_richardson(nu, lambda, mu, task); });
      },
      nb::arg("nu"), nb::arg("lam"), nb::arg("mu"),
      "The Littlewood-Richardson coefficient: that of s[nu] in s[lam] * s[mu].");
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
        return limits.run([&](const Task& task) {
          return to_symmetric_function(fusion_product(lambda, mu, n, level, task));
        });
      },
      nb::arg("lam"), nb::arg("mu"), nb::arg("n"), nb::arg("level"),
      "The fusion product of this level for SU(n).");
  def_limited(
      m, "quantum_product",
      [](const Limits& limits, PartitionLike a, PartitionLike b, int rows, int cols) {
        const Partition lambda = a.value(), mu = b.value();
        std::vector<std::tuple<Partition, int, Integer>> list;
        for (auto& t :
             limits.run([&](const Task& task) { return quantum_product(lambda, mu, rows, cols, task); }))
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
        const nb::capsule owner(table.release(),
                                [](void* p) noexcept { delete static_cast<SymmetricGroupTable*>(p); });
        using Array = nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<2>, nb::c_contig>;
        return std::pair(list, Typed<IntegersTag>{nb::cast(Array(first, {list.size(), list.size()}, owner))});
      },
      nb::arg("n"),
      "The partitions of n, and the character table of the symmetric group: row i the character, column j "
      "the cycle type of that number.");
}

}  // namespace

void bind_combinatorics(nb::module_& m) {
  nb::class_<Partition> partition(m, "Partition", nb::is_final(),
                                  "A partition, [3, 1, 1]: a sequence of its parts, equal to the tuple of "
                                  "them. Functions take lists and tuples for it.\n"
                                  "Partitions are ordered by weight, then [n] first and [1, ..., 1] last.");
  nb::class_<Tableau> tableau(m, "Tableau", nb::is_final(),
                              "A filling of a diagram with integers >= 0: its rows from top to bottom, "
                              "entries 0-based; text has them 1-based.");
  bind_partitions(m, partition);
  bind_tableaux(m, tableau);
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
