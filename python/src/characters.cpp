// Character tables and class functions.
#include <nanobind/stl/map.h>

#include <deque>
#include <mutex>

#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/characters/character_details.hpp"
#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/lean_text.hpp"
#include "intertwine/io/point_group_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/physics/printed_classes.hpp"

namespace intertwine::python {

CharacterTable table_of(const FiniteGroup& G, const Task& task) {
  constexpr std::size_t kept = 8;
  static std::mutex mutex;
  static auto& tables = *new std::deque<CharacterTable>();  // the last one asked for first; outlives the interpreter
  // The names of rows depend on what the group was built as, which its name says.
  const auto known = [&]() -> std::optional<CharacterTable> {
    const std::lock_guard lock(mutex);
    for (auto t = tables.begin(); t != tables.end(); ++t)
      if (t->group() == G && t->group().name() == G.name()) {
        const CharacterTable table = *t;
        tables.erase(t);
        tables.push_front(table);
        return table;
      }
    return std::nullopt;
  };
  if (const auto table = known()) return *table;
  const CharacterTable table = character_table(G, task);
  const std::lock_guard lock(mutex);
  tables.push_front(table);
  if (tables.size() > kept) tables.pop_back();
  return table;
}

namespace {

std::string table_text(const CharacterTable& table) { return group_text(table.group()) + ".character_table()"; }

nb::list exact_list(const std::vector<Cyclotomic>& values) {
  nb::list list;
  for (const Cyclotomic& value : values) list.append(to_python(value));
  return list;
}

ClassFunction row_of(const CharacterTable& table, const RowLike& row) {
  return ClassFunction::irreducible(table, row_given(table, row));
}

/// A table in a notation, by one writer of tables of point groups and one of all.
template <class Printed, class Plain>
void def_writer(nb::class_<CharacterTable>& c, const char* name, const char* doc, Printed, Plain) {
  def_limited(
      c, name,
      [](const Limits& limits, const CharacterTable& t, const std::string& notation) {
        return limits.run([&](const Task& task) -> std::string {  // the writers capture nothing
          if (notation == "schoenflies") return Printed{}(point_group_table(t.group(), false, task));
          return Plain{}(t, notation_named(notation), task);
        });
      },
      nb::arg("notation") = "gap", doc);
}

void bind_writers(nb::class_<CharacterTable>& c) {
  using T = CharacterTable;
  using P = PointGroupTable;
  using N = IrrationalNotation;
  using Q = const Task&;
  def_writer(
      c, "to_text",
      "The table as text; irrational values as GAP writes them (gap), with square_roots, or as the ATLAS "
      "does "
      "(atlas). For point "
      "groups, schoenflies is the table that chemists print: classes 2C3 and 3σv, species in Mulliken's "
      "order, and functions.",
      [](const P& p) { return to_text(record(p), 0); },
      [](const T& t, N n, Q q) { return to_text(record(t, n), 80, q); });
  def_writer(
      c, "to_latex", "The table as displayed formulas in LaTeX, in a notation as in to_text.",
      [](const P& p) { return to_latex(record(p)); }, [](const T& t, N n, Q q) { return to_latex(record(t, n), q); });
  def_writer(
      c, "to_markdown", "The table in Markdown, in a notation as in to_text.",
      [](const P& p) { return in_format(record(p), Format::markdown); },
      [](const T& t, N n, Q q) { return in_format(record(t, n), Format::markdown, 80, q); });
  def_writer(
      c, "to_html", "The table as a page in HTML that needs no other file, in a notation as in to_text.",
      [](const P& p) { return in_format(record(p), Format::html); },
      [](const T& t, N n, Q q) { return in_format(record(t, n), Format::html, 80, q); });
}

void bind_table(nb::class_<CharacterTable>& c) {
  c.def_prop_ro("group", &CharacterTable::group, "The group.");
  c.def_prop_ro("classes", &CharacterTable::classes, "Its conjugacy classes: the columns.");
  c.def("__len__", &CharacterTable::size);
  c.def(
      "__getitem__",
      [](const CharacterTable& t, std::pair<std::int64_t, std::int64_t> place) {
        return Exact{t(index_below(place.first, t.size()), index_below(place.second, t.size()))};
      },
      nb::arg("place"), "The value of character i on class j, table[i, j] (0-based).");
  c.def("__getitem__", &row_of, nb::arg("row"),
        "An irreducible character (0-based), table[0] the trivial one, or by its name, table['[3,1]'].");
  c.def(
      "__iter__",
      [](const CharacterTable& t) {
        nb::list rows;
        for (std::size_t i = 0; i < t.size(); ++i) rows.append(ClassFunction::irreducible(t, i));
        return nb::iter(rows);
      },
      nb::sig("def __iter__(self) -> collections.abc.Iterator[ClassFunction]"));
  c.def_prop_ro(
      "degrees",
      [](const CharacterTable& t) {
        std::vector<Integer> degrees;
        for (std::size_t i = 0; i < t.size(); ++i) degrees.push_back(t.degree(i));
        return degrees;
      },
      "The degrees of the irreducible characters.");
  c.def_prop_ro(
      "indicators",
      [](const CharacterTable& t) {
        std::vector<int> list;
        for (std::size_t i = 0; i < t.size(); ++i) list.push_back(t.indicator(i));
        return list;
      },
      "The Frobenius-Schur indicators: 1 real, 0 complex, -1 quaternionic.");
  c.def_prop_ro(
      "names",
      [](const CharacterTable& t) {
        std::vector<std::string> list;
        for (std::size_t i = 0; i < t.size(); ++i) list.push_back(t.name(i));
        return list;
      },
      "The names of the rows: partitions, Mulliken's symbols, or numbers.");
  c.def_prop_ro("class_names", &CharacterTable::class_names, "The names of the columns, \"1a\", \"2a\", \"2b\", ...");
  c.def_prop_ro("power_maps", &CharacterTable::power_maps,
                "For every prime p that divides the order the class of the p-th powers of every class.");
  bind_writers(c);
  bind_systems(c, "The table, of which Sage and Magma have the matrix of values,");
  def_limited(
      c, "to_csv",
      [](const Limits& limits, const CharacterTable& t) {
        return limits.run([&](const Task& task) { return in_format(record(t), Format::csv, 0, task); });
      },
      "The table as CSV, a line for every character.");
  def_limited(
      c, "to_lean",
      [](const Limits& limits, const CharacterTable& t) {
        return limits.run([&](const Task& task) { return to_lean(t, task); });
      },
      "A file for Lean 4 alone, whose kernel proves the table from the matrices of the representations; for "
      "groups of at most 120 elements.");
  def_limited(
      c, "to_json",
      [](const Limits& limits, const CharacterTable& t, bool proof) {
        return limits.run([&](const Task& task) {
          CharacterTableReport report{t.group(), {t, t.classes(), {}, {}, {}}, {}, {}, {}};
          if (proof) report.proof = character_proof(t, task);
          return to_json(record(report), task);
        });
      },
      nb::arg("proof") = false,
      "Classes and characters as a JSON object; with `proof` also what checkers/check_characters.py proves "
      "them from.");
  def_python(c, "to_dataframe", "intertwine._gates", "character_table_to_dataframe",
             "def to_dataframe(self) -> typing.Any", "The table as a DataFrame of pandas, of exact numbers.");
  def_python(c, "_repr_html_", "intertwine._notebook", "character_table", "def _repr_html_(self) -> str",
             "For notebooks.");
  c.def(
      "_repr_latex_", [](const CharacterTable& t) { return notebook_displays(to_latex(record(t))); }, "For notebooks.");
  def_limited(
      c, "verify",
      [](const Limits& limits, const CharacterTable& t) { limits.run([&](const Task& task) { verify(t, task); }); },
      "Checks orthogonality, power maps and indicators again; VerificationError names what fails.");
  c.def(
      "__eq__", [](const CharacterTable& a, const CharacterTable& b) { return a.group() == b.group(); },
      nb::is_operator(), nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [](const CharacterTable& t) { return static_cast<Py_hash_t>(hash_of(t.group())); });
  bind_copies<CharacterTable>(c);
  c.def("__str__", [](const CharacterTable& t) { return to_text(record(t)); });
  c.def("__repr__", &table_text);
  c.def(
      "__reduce__", [](const CharacterTable& t) { return reduced_by_method(nb::cast(t.group()), "character_table"); },
      nb::sig(reduce_signature));
}

void bind_algebra(nb::class_<ClassFunction>& c) {
  c.def(
      "__add__", [](const ClassFunction& a, const ClassFunction& b) { return a + b; }, nb::is_operator(),
      nb::arg("other"));
  c.def(
      "__sub__", [](const ClassFunction& a, const ClassFunction& b) { return a - b; }, nb::is_operator(),
      nb::arg("other"));
  c.def(
      "__mul__", [](const ClassFunction& a, const ClassFunction& b) { return a * b; }, nb::is_operator(),
      nb::arg("other"));
  c.def(
      "__rmul__", [](const ClassFunction& f, const Exact& a) { return a.value * f; }, nb::is_operator(),
      nb::arg("number"));
  c.def("conjugate", &ClassFunction::conjugate, "The complex conjugate.");
  c.def("adams", &ClassFunction::adams, nb::arg("k"), "g -> f(g^k), the k-th Adams operation; k may be negative.");
  c.def(
      "inner", [](const ClassFunction& a, const ClassFunction& b) { return Exact{inner_product(a, b)}; },
      nb::arg("other"), "The inner product, the mean of f(g) times the conjugate of other(g).");
  c.def(
      "coordinates", [](const ClassFunction& f) { return exact_list(coordinates(f)); },
      nb::sig("def coordinates(self) -> list[int | fractions.Fraction | Cyclotomic]"),
      "The inner products with the irreducible characters, in the order of the table.");
  c.def(
      "multiplicities", [](const ClassFunction& f) { return multiplicities(f); },
      "The multiplicities of the irreducible characters; DomainError if the function is no character.");
  c.def(
      "sym", [](const ClassFunction& f, unsigned k) { return symmetric_power(k, f); }, nb::arg("k"),
      "The character of the k-th symmetric power.");
  c.def(
      "alt", [](const ClassFunction& f, unsigned k) { return exterior_power(k, f); }, nb::arg("k"),
      "The character of the k-th exterior power.");
  c.def(
      "schur", [](const ClassFunction& f, const PartitionLike& partition) { return schur_power(partition.value(), f); },
      nb::arg("partition"), "The character of a Schur functor.");
  def_limited(
      c, "determinant",
      [](const Limits& limits, const ClassFunction& f) {
        return limits.run([&](const Task& task) { return determinant(f, task); });
      },
      "The determinant of a representation with this character.");
  def_limited(
      c, "restrict",
      [](const Limits& limits, const ClassFunction& f, const FiniteGroup& H) {
        return limits.run([&](const Task& task) { return restriction(f, table_of(H, task)); });
      },
      nb::arg("subgroup"), "The function on a subgroup.");
  def_limited(
      c, "induce",
      [](const Limits& limits, const ClassFunction& f, const FiniteGroup& G) {
        return limits.run([&](const Task& task) { return induction(f, table_of(G, task)); });
      },
      nb::arg("group"), "The induced function on a group that contains this one.");
  c.def(
      "kernel_classes", [](const ClassFunction& f) { return kernel_classes(f); },
      "The classes in the kernel of the character.");
  c.def(
      "centre_classes", [](const ClassFunction& f) { return centre_classes(f); },
      "The classes in the centre of the character.");
}

struct ValuesTag {
  static constexpr auto name = nb::detail::const_name(
      "collections.abc.Iterable[int | str | fractions.Fraction | Cyclotomic] | "
      "collections.abc.Mapping[str, int | str | fractions.Fraction | Cyclotomic]");
};

ClassFunction function_of_values(const CharacterTable& table, const nb::object& values,
                                 const std::optional<std::string>& order) {
  const bool by_name = nb::hasattr(values, "keys");  // what dict() takes for a mapping
  if (by_name) {
    if (order) throw DomainError("ClassFunction: values by the names of classes have no order");
    std::vector<std::pair<std::string, Cyclotomic>> named;
    for (const auto& [name, value] : nb::cast<nb::dict>(nb::module_::import_("builtins").attr("dict")(values))) {
      if (!nb::isinstance<nb::str>(name)) throw DomainError("ClassFunction: the names of classes are strings");
      named.emplace_back(nb::cast<std::string>(name), exact_number(value));
    }
    return Limits().run([&](const Task& task) { return class_function(table, named, task); });
  }
  std::vector<Cyclotomic> list;
  for (const nb::handle item : nb::iter(values)) list.push_back(exact_number(item));
  const auto given = order ? std::optional(class_order(*order)) : std::nullopt;
  return Limits().run([&](const Task& task) { return class_function(table, std::move(list), given, task); });
}

std::string function_text(const ClassFunction& f) {
  const auto all = coordinates(f);
  std::size_t row = all.size();
  bool irreducible = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].is_zero()) continue;
    irreducible = irreducible && row == all.size() && all[i] == Cyclotomic(1);
    row = i;
  }
  if (irreducible && row != all.size()) return table_text(f.table()) + "[" + std::to_string(row) + "]";
  std::string values;
  for (const Cyclotomic& a : f.values())
    values += (values.empty() ? "" : ", ") + (a.is_integer() ? to_string(a) : quoted(to_string(a)));
  return "ClassFunction(" + table_text(f.table()) + ", [" + values + "]" +
         (order_matters(f) ? ", order='classes'" : "") + ")";
}

void bind_function(nb::class_<ClassFunction>& c) {
  c.def(
      "__init__",
      [](ClassFunction* self, const CharacterTable& table, Typed<ValuesTag> values,
         const std::optional<std::string>& order) {
        new (self) ClassFunction(function_of_values(table, values.object, order));
      },
      nb::arg("table"), nb::arg("values"), nb::arg("order") = nb::none(),
      "By the names of classes, {'E': 9, 'C2': -1, 'sv(xz)': 1, 'sv(yz)': 3} or {'1a': 9, ...}, or as a "
      "list. The "
      "columns of the table of a point group have another order than printed tables, so that a list of these "
      "says "
      "which is meant: order='printed' or order='classes'.");
  c.def_prop_ro("table", &ClassFunction::table, "The character table of the group.");
  c.def_prop_ro(
      "values", [](const ClassFunction& f) { return exact_list(f.values()); },
      nb::sig("def values(self) -> list[int | fractions.Fraction | Cyclotomic]"),
      "The values on the classes, in the order of the columns of the table.");
  c.def_prop_ro(
      "by_name",
      [](const ClassFunction& f) {
        const PrintedClasses printed = Limits().run([&](const Task& task) { return printed_classes(f.table(), task); });
        nb::dict out;
        for (std::size_t k = 0; k < printed.names.size(); ++k)
          out[nb::cast(printed.names[k])] = Exact{f[printed.numbers[k]]};
        return out;
      },
      nb::sig("def by_name(self) -> dict[str, int | fractions.Fraction | Cyclotomic]"),
      "The values by the names of classes, in the order of printed tables: E, C2, σv(xz), ... of point "
      "groups, 1a, 2a, "
      "... of others.");
  c.def_prop_ro(
      "degree", [](const ClassFunction& f) { return Exact{f.degree()}; }, "The value at the identity.");
  c.def(
      "__call__",
      [](const ClassFunction& f, const PermutationLike& g) {
        const auto& classes = f.table().classes();
        const Permutation element = g.on(classes.group().degree());
        return Exact{Limits().run([&](const Task& task) { return f[classes.index_of(element, task)]; })};
      },
      nb::arg("element"), "The value at an element of the group.");
  c.def("__len__", [](const ClassFunction& f) { return f.values().size(); });
  c.def(
      "__getitem__", [](const ClassFunction& f, std::int64_t i) { return Exact{f[index_below(i, f.values().size())]}; },
      nb::arg("index"), "The value on class i (0-based).");
  bind_algebra(c);
  c.def(
      "__eq__",
      [](const ClassFunction& a, const ClassFunction& b) {
        return a.table().group() == b.table().group() && a.values() == b.values();
      },
      nb::is_operator(), nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [](const ClassFunction& f) {
    Hasher hasher;
    hasher.add(hash_of(f.table().group()));
    for (const Cyclotomic& a : f.values()) hasher.add(a.hash());
    return static_cast<Py_hash_t>(hasher.value());
  });
  bind_copies<ClassFunction>(c);
  c.def("__repr__", &function_text);
  def_python(c, "_repr_html_", "intertwine._notebook", "class_function", "def _repr_html_(self) -> str",
             "For notebooks.");
  c.def(
      "__reduce__",
      [](const ClassFunction& f) {
        return reduced(nb::type<ClassFunction>(), f.table(), exact_list(f.values()), "classes");
      },
      nb::sig(reduce_signature));
}

}  // namespace

void bind_characters(nb::module_& m) {
  nb::class_<CharacterTable> table(m, "CharacterTable", nb::is_final(),
                                   "The character table of a group: rows are irreducible characters, columns "
                                   "conjugacy classes. len() is their number,\n"
                                   "iteration gives the rows, table[i, j] a value. The order is a function "
                                   "of the group; row 0 is trivial, column 0 the identity.\n"
                                   "print(table) shows it as GAP does.");
  nb::class_<ClassFunction> function(m, "ClassFunction", nb::is_final(),
                                     "A function on the conjugacy classes of a group, such as a character. f "
                                     "+ g, f - g, f * g (the character of the tensor product),\n"
                                     "2 * f; functions of different groups raise DomainError.");
  bind_table(table);
  bind_function(function);
  auto group = class_of<hom::Group>();
  def_limited(
      group, "character_table",
      [](const Limits& limits, const FiniteGroup& G) {
        return limits.run([&](const Task& task) { return table_of(G, task); });
      },
      R"(The character table.

It is verified before it is returned. The last few tables are kept.

Parameters
----------
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
CharacterTable
    rows are irreducible characters, columns the classes of `Group.classes`.

Raises
------
DomainError
    for a question that this kind of group cannot answer; the sentence says why.
LimitError
    where memory or time would be more than allowed.

Examples
--------
>>> len(Group('M11').character_table())
10)");
}

}  // namespace intertwine::python
