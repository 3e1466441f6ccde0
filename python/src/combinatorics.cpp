// Partitions and tableaux.
#include <nanobind/stl/tuple.h>

#include <limits>

#include "bindings.hpp"
#include "intertwine/combinatorics/rsk.hpp"
#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"

namespace intertwine::python {

/// A long list for Python: Ctrl-C is obeyed while it is handed over.
template <class T>
struct Listed {
  std::vector<T> list;
};

}  // namespace intertwine::python

namespace nanobind::detail {

template <class T>
struct type_caster<intertwine::python::Listed<T>> {
  static constexpr auto Name = const_name("list[") + make_caster<T>::Name + const_name("]");
  template <typename>
  using Cast = intertwine::python::Listed<T>;
  static handle from_cpp(intertwine::python::Listed<T>&& given, rv_policy, cleanup_list* cleanup) noexcept {
    constexpr std::size_t between = 4096;
    object out = steal(PyList_New(static_cast<Py_ssize_t>(given.list.size())));
    for (std::size_t k = 0; out.is_valid() && k < given.list.size(); ++k) {
      if (k % between == 0 && PyErr_CheckSignals() != 0) return {};
      const handle item = make_caster<T>::from_cpp(std::move(given.list[k]), rv_policy::move, cleanup);
      if (!item.is_valid()) return {};
      PyList_SetItem(out.ptr(), static_cast<Py_ssize_t>(k), item.ptr());
    }
    return out.release();
  }
};

}  // namespace nanobind::detail

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

int bound_of(const std::optional<int>& bound) { return bound.value_or(std::numeric_limits<int>::max()); }

namespace {

/// make() under limits; as many numbers as one of them has at most are asked for `count` times first.
template <class Make>
auto listed(const Limits& limits, const Integer& count, std::uint64_t numbers, const char* what, Make make) {
  using List = std::invoke_result_t<Make, const Task&>;
  return Listed<typename List::value_type>{limits.run([&](const Task& task) {
    const Integer bytes = count * (sizeof(typename List::value_type) + numbers * sizeof(int));
    task.require_memory(bytes > std::numeric_limits<std::uint64_t>::max() ? std::numeric_limits<std::uint64_t>::max()
                                                                          : static_cast<std::uint64_t>(bytes),
                        what);
    return make(task);
  })};
}

// --- Partitions --------------------------------------------------------------------------------------------------------------

nb::tuple parts_of(const Partition& lambda) { return nb::tuple(nb::cast(lambda.parts())); }

std::vector<std::pair<Partition, int>> pairs_of(const std::vector<Ribbon>& ribbons) {
  std::vector<std::pair<Partition, int>> list;
  for (const Ribbon& r : ribbons) list.emplace_back(r.partition, r.height);
  return list;
}

/// Binds the methods of a tuple.
void bind_sequence(nb::class_<Partition>& c) {
  c.def(
      "__init__", [](Partition* self, const PartitionLike& parts) { new (self) Partition(parts.value()); },
      nb::arg("parts") = nb::make_tuple());
  c.def("__len__", &Partition::length);
  c.def(
      "__getitem__", [](const Partition& p, std::int64_t i) { return p.parts()[index_below(i, p.parts().size())]; },
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
      "__lt__", [](const Partition& a, const Partition& b) { return a < b; }, nb::is_operator(), nb::arg("other"));
  c.def(
      "__le__", [](const Partition& a, const Partition& b) { return a <= b; }, nb::is_operator(), nb::arg("other"));
  c.def(
      "__gt__", [](const Partition& a, const Partition& b) { return a > b; }, nb::is_operator(), nb::arg("other"));
  c.def(
      "__ge__", [](const Partition& a, const Partition& b) { return a >= b; }, nb::is_operator(), nb::arg("other"));
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
      "hook", [](const Partition& p, int i, int j) { return hook_length(p, i, j); }, nb::arg("i"), nb::arg("j"),
      "Arm + leg + 1 of the cell in row i, column j (0-based).");
  c.def(
      "centralizer_order", [](const Partition& p) { return centralizer_order(p); },
      "The order of the centralizer of a permutation of this cycle type.");
  def_limited(
      c, "removable_ribbons",
      [](const Limits& limits, const Partition& p, int k) {
        return pairs_of(limits.run([&](const Task& task) { return removable_ribbons(p, k, task); }));
      },
      nb::arg("k"),
      "The ribbons of k cells that can be taken away, top row first: what is left, and the rows that it "
      "meets minus one.");
  def_limited(
      c, "addable_ribbons",
      [](const Limits& limits, const Partition& p, int k) {
        return pairs_of(limits.run([&](const Task& task) { return addable_ribbons(p, k, task); }));
      },
      nb::arg("k"),
      "The ribbons of k cells that can be added, top row first: the larger partition, and the rows that it "
      "meets minus one.");
  def_limited(
      c, "core",
      [](const Limits& limits, const Partition& p, int k) {
        return limits.run([&](const Task& task) { return k_core(p, k, task); });
      },
      nb::arg("k"), "What is left when no ribbon of k cells can be taken away any more.");
  def_limited(
      c, "quotient",
      [](const Limits& limits, const Partition& p, int k) {
        return limits.run([&](const Task& task) { return k_quotient(p, k, task); });
      },
      nb::arg("k"), "The k-quotient: k partitions.");
  def_limited_static(
      c, "from_core_and_quotient",
      [](const Limits& limits, const PartitionLike& core, const std::vector<PartitionLike>& quotient) {
        std::vector<Partition> list;
        for (const auto& p : quotient) list.push_back(p.value());
        return limits.run([&](const Task& task) { return from_core_and_quotient(core.value(), list, task); });
      },
      nb::arg("core"), nb::arg("quotient"), "The partition with this core and quotient.");
}

void bind_counts(nb::class_<Partition>& c) {
  c.def(
      "dimension", [](const Partition& p, int n) { return number_of_semistandard_tableaux(p, n); }, nb::arg("n"),
      "The dimension of the Schur functor of C^n: the number of semistandard tableaux.");
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
        return limits.run([&](const Task& task) { return kostka_number(p, content, task); });
      },
      nb::arg("content"), "The number of semistandard tableaux with content[i] entries i.");
  def_limited(
      c, "standard_tableaux",
      [](const Limits& limits, const Partition& p, std::size_t max_count) {
        return listed(limits, std::min(number_of_standard_tableaux(p), Integer(max_count)),
                      static_cast<std::uint64_t>(p.weight()), "the tableaux",
                      [&](const Task& task) { return standard_tableaux(p, max_count, task); });
      },
      nb::arg("max_count") = 10'000'000,
      "All standard tableaux, by the row of the largest entry, then of the next, ...; LimitError if there "
      "are more.");
  def_limited(
      c, "semistandard_tableaux",
      [](const Limits& limits, const Partition& p, std::variant<int, std::vector<int>> n, std::size_t max_count) {
        const auto* const entries = std::get_if<int>(&n);
        const Integer count = entries != nullptr ? number_of_semistandard_tableaux(p, *entries)
                                                 : kostka_number(p, std::get<std::vector<int>>(n));
        return listed(limits, std::min(count, Integer(max_count)), static_cast<std::uint64_t>(p.weight()),
                      "the tableaux", [&](const Task& task) {
                        return std::visit([&](const auto& x) { return semistandard_tableaux(p, x, max_count, task); },
                                          n);
                      });
      },
      nb::arg("n"), nb::arg("max_count") = 10'000'000,
      "All semistandard tableaux with entries 0 ... n-1, or, for a list, with n[i] entries i; LimitError if "
      "there are more.");
}

void bind_partitions(nb::module_& m, nb::class_<Partition>& c) {
  bind_sequence(c);
  bind_diagram(c);
  bind_counts(c);
  def_limited(
      m, "partitions",
      [](const Limits& limits, int n, std::optional<int> max_length, std::optional<int> max_part, int min_length,
         std::size_t max_count) {
        const PartitionBounds bounds{bound_of(max_length), bound_of(max_part), min_length};
        const Integer all =
            n < 0 ? Integer(0) : limits.run([&](const Task& task) { return number_of_partitions(n, bounds, task); });
        const Integer count = std::min(all, Integer(max_count));
        return listed(limits, count, 1, "the partitions",
                      [&](const Task& task) { return partitions(n, bounds, max_count, task); });
      },
      nb::arg("n"), nb::arg("max_length") = nb::none(), nb::arg("max_part") = nb::none(), nb::arg("min_length") = 0,
      nb::arg("max_count") = 20'000'000,
      "All partitions of n, [n] first and [1, ..., 1] last; LimitError if there are more than max_count.");
  def_limited(
      m, "number_of_partitions",
      [](const Limits& limits, int n, std::optional<int> max_length, std::optional<int> max_part, int min_length) {
        return limits.run([&](const Task& task) {
          if (!max_length && !max_part && min_length == 0) return number_of_partitions(n);
          return number_of_partitions(n, {bound_of(max_length), bound_of(max_part), min_length}, task);
        });
      },
      nb::arg("n"), nb::arg("max_length") = nb::none(), nb::arg("max_part") = nb::none(), nb::arg("min_length") = 0,
      "The number of partitions of n within these bounds.");
  def_limited(
      m, "partitions_in_box",
      [](const Limits& limits, int rows, int cols, std::size_t max_count) {
        return listed(limits, 0, 0, "the partitions",
                      [&](const Task& task) { return partitions_in_box(rows, cols, max_count, task); });
      },
      nb::arg("rows"), nb::arg("cols"), nb::arg("max_count") = 20'000'000,
      "All partitions of any weight whose diagram fits in a box, by weight.");
  def_limited(
      m, "partitions_inside",
      [](const Limits& limits, PartitionLike outer, std::size_t max_count) {
        const Partition shape = outer.value();
        return listed(limits, 0, 0, "the partitions",
                      [&](const Task& task) { return partitions_inside(shape, max_count, task); });
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
  def_limited(
      c, "content",
      [](const Limits& limits, const Tableau& t, int n) {
        return limits.run([&](const Task& task) { return t.content(n, task); });
      },
      nb::arg("n"), "How often each of 0, ..., n-1 occurs.");
  c.def_prop_ro("is_standard", &Tableau::is_standard, "Rows and columns strictly increasing, every number once?");
  c.def_prop_ro("is_semistandard", &Tableau::is_semistandard, "Rows weakly and columns strictly increasing?");
  c.def_prop_ro("T", &Tableau::transposed, "The tableau reflected in its diagonal.");
  def_limited(
      c, "rank",
      [](const Limits& limits, const Tableau& t, std::optional<int> n) {
        return limits.run(
            [&](const Task& task) { return n ? rank_semistandard(t, *n, task) : rank_standard(t, task); });
      },
      nb::arg("n") = nb::none(),
      "The position among the standard tableaux of this shape, or among the semistandard ones with entries "
      "below n.");
  def_limited_static(
      c, "unrank",
      [](const Limits& limits, const PartitionLike& shape, const Integer& rank, std::optional<int> n) {
        return limits.run([&](const Task& task) {
          return n ? unrank_semistandard(shape.value(), *n, rank, task) : unrank_standard(shape.value(), rank, task);
        });
      },
      nb::arg("shape"), nb::arg("rank"), nb::arg("n") = nb::none(),
      "The tableau at this position, without enumeration.");
  c.def(
      "__lt__", [](const Tableau& a, const Tableau& b) { return a < b; }, nb::is_operator(), nb::arg("other"));
  bind_value<Tableau>(c, [](const Tableau& t) {
    Hasher hasher;
    for (const auto& row : t.rows()) {
      hasher.add(row.size());
      for (const int entry : row) hasher.add(static_cast<std::size_t>(entry));
    }
    return hasher.value();
  });
  c.def("__str__", [](const Tableau& t) { return to_string(t); });
  c.def("__repr__",
        [](const Tableau& t) { return "Tableau(" + nb::cast<std::string>(nb::repr(nb::cast(t.rows()))) + ")"; });
  def_python(c, "_repr_html_", "intertwine._notebook", "tableau", "def _repr_html_(self) -> str", "For notebooks.");
  c.def(
      "__reduce__", [](const Tableau& t) { return reduced(nb::type<Tableau>(), t.rows()); }, nb::sig(reduce_signature));
  const auto pair = [](TableauPair pair) { return std::pair(std::move(pair.insertion), std::move(pair.recording)); };
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
  def_limited(
      m, "contingency_tables",
      [](const Limits& limits, std::vector<int> row_sums, std::vector<int> column_sums, std::size_t max_count) {
        return Listed<ContingencyTable>{
            limits.run([&](const Task& task) { return contingency_tables(row_sums, column_sums, max_count, task); })};
      },
      nb::arg("row_sums"), nb::arg("column_sums"), nb::arg("max_count") = 10'000'000,
      "All matrices of integers >= 0 with these sums, lexicographically decreasing.");
  def_limited(
      m, "number_of_contingency_tables",
      [](const Limits& limits, std::vector<int> row_sums, std::vector<int> column_sums) {
        return limits.run([&](const Task& task) { return number_of_contingency_tables(row_sums, column_sums, task); });
      },
      nb::arg("row_sums"), nb::arg("column_sums"), "Their number, without listing them.");
}

}  // namespace

void bind_combinatorics(nb::module_& m) {
  nb::class_<Partition> partition(m, "Partition", nb::is_final(),
                                  R"(A partition, [3, 1, 1]: a sequence of its parts, equal to the tuple of them.

Functions take lists and tuples for it. Partitions are ordered by weight, then [n] first and [1, ..., 1] last.

Parameters
----------
parts : Sequence[int]
    falling positive numbers.

Raises
------
DomainError
    for parts that are negative or that rise.

See Also
--------
intertwine.sf.s : the Schur function of a partition.

Examples
--------
>>> from intertwine.sf import Partition
>>> Partition([3, 1, 1]).conjugate(), len(Partition([3, 1, 1]))
(Partition([3, 1, 1]), 3)
)");
  nb::class_<Tableau> tableau(m, "Tableau", nb::is_final(),
                              "A filling of a diagram with integers >= 0: its rows from top to bottom, "
                              "entries 0-based; text has them 1-based.");
  bind_partitions(m, partition);
  bind_tableaux(m, tableau);
}

}  // namespace intertwine::python
