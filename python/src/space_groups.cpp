// Space, rod and layer groups.
#include "intertwine/groups/space_groups.hpp"
#include "bindings.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "little_groups.hpp"

namespace intertwine::python {

nb::tuple in_edges(const std::array<int, 3>& twelfths) {
  const auto edge = [&](std::size_t i) { return to_python(Rational(twelfths[i], 12)); };
  return nb::make_tuple(edge(0), edge(1), edge(2));
}

namespace {

struct NumberOrName {
  static constexpr auto name = nb::detail::const_name("int | str");
};

struct TranslationsTag {
  static constexpr auto name = nb::detail::const_name(
      "list[tuple[int | fractions.Fraction, int | fractions.Fraction, int | fractions.Fraction]]");
};

/// \param expected  "a space group is a number ..."
std::string number_or_name(nb::handle o, const char* expected) {
  if (nb::isinstance<nb::str>(o)) return nb::cast<std::string>(o);
  if (const auto number = as_integer(o)) return to_string(*number);
  throw DomainError(std::string(expected) + "; this is a " + nb::cast<std::string>(o.type().attr("__name__")));
}

std::optional<std::string> name_in_tables(const SpaceGroup& G) {
  if (const auto usual = name_of_setting(G)) return std::string(*usual);
  const auto setting = listed_setting(G);
  return setting ? std::optional(setting->name) : std::nullopt;
}

/// SpaceGroup(227), SpaceGroup('F 4d 2 3 -1d'), SpaceGroup.rod(41).
std::string text_of(const SpaceGroup& G) {
  const auto number = number_of_setting(G);
  const std::string kind(G.kind());
  return "SpaceGroup" + (kind == "space" ? "" : "." + kind) + "(" +
         (number ? std::to_string(*number) : quoted(readable_hall(G))) + ")";
}

FiniteGroup with_cells(const SpaceGroup& G, const std::array<std::size_t, 3>& cells,
                       const std::vector<Rational>& position) {
  const auto number = number_of_setting(G);
  const std::string group =
      std::string(G.kind()) + "(" + (number ? std::to_string(*number) : "\"" + readable_hall(G) + "\"");
  return crystal_group(G, cells, position, crystal_name(group, cells, position));
}

nb::tuple reduced_crystal(const SpaceGroup& G) {
  if (G.kind() == "space") return reduced(nb::type<SpaceGroup>(), "hall:" + G.hall());
  return reduced_by_method(nb::type<SpaceGroup>(), std::string(G.kind()).c_str(), number_of_setting(G).value());
}

}  // namespace

void bind_space_groups(nb::module_& m) {
  bind_little_groups(m);
  nb::class_<SpaceGroup> c(m, "SpaceGroup", nb::is_final(),
                           R"(A space group in one setting.

SpaceGroup.layer and SpaceGroup.rod are groups of slabs and wires. Blanks and underscores in symbols do not matter.
Without a choice the origin is at a centre and axes are hexagonal.

Parameters
----------
group : int or str
    a number from 1 to 230 for the usual setting; a Hermann-Mauguin symbol as in CIF files, full or short, such as
    'P 31 2 1', 'P21/n', 'Pbnm', 'F d -3 m:1' and 'R 3:R'; a number and a choice, '227:1'; or Hall's symbol,
    '-F 4vw 2vw 3'.

Raises
------
DomainError
    for what is none of these, and for a symbol of both kinds that means different groups: 'hm:P 2' and 'hall:P 2' say
    which is meant.

See Also
--------
intertwine.chem.Crystal : a structure from a file, and its group.
intertwine.chem.MagneticSpaceGroup : groups with time reversal.

Examples
--------
>>> from intertwine import SpaceGroup
>>> SpaceGroup("Fd-3m").number, SpaceGroup(152).hall, SpaceGroup("P 31 2 1").point_group
(227, 'P 31 2"', Group('point(D3)'))
)");
  c.def(
      "__init__",
      [](SpaceGroup* self, const Typed<NumberOrName>& group) {
        new (self) SpaceGroup(SpaceGroup::named(
            number_or_name(group.object,
                           "a space group is a number from 1 to 230, a Hermann-Mauguin symbol such as "
                           "'Fd-3m' or 'P 31 2 1', or Hall's symbol such as '-F 4vw 2vw 3'")));
      },
      nb::arg("group"));
  c.def_static(
      "layer",
      [](const Typed<NumberOrName>& group) {
        return SpaceGroup::layer(std::string_view(number_or_name(
            group.object, "a layer group is a number from 1 to 80 or a short international name such as 'p4/nmm'")));
      },
      nb::arg("group"),
      "The layer group of a number or short international name, with translations along a and b alone.\n\n"
      ">>> SpaceGroup.layer('p4/nmm').group(2, 2).order\n"
      "64");
  c.def_static(
      "rod",
      [](const Typed<NumberOrName>& group) {
        return SpaceGroup::rod(std::string_view(number_or_name(
            group.object, "a rod group is a number from 1 to 75 or a short international name such as 'p4_2/mmc'")));
      },
      nb::arg("group"),
      "The rod group of a number or short international name, with translations along c alone.\n\n"
      ">>> SpaceGroup.rod('p4_2/mmc').group(c=3).order\n"
      "48");
  c.def_prop_ro(
      "periodic", [](const SpaceGroup& G) { return std::tuple(G.periodic()[0], G.periodic()[1], G.periodic()[2]); },
      "Are there translations along a, b and c?");
  c.def_prop_ro(
      "number",
      [](const SpaceGroup& G) {
        const auto setting = listed_setting(G);
        return setting ? std::optional(setting->number) : number_of_setting(G);
      },
      "Its number in the International Tables, among those of its kind; None if this is a setting of a space "
      "group that tables do not list.");
  c.def_prop_ro("name", &name_in_tables,
                "Its short international name if this is its usual setting, 'P2_1/c', otherwise the name of the "
                "setting as CIF files write it, 'P 1 21/n 1', or None if tables do not list it.");
  c.def_prop_ro(
      "setting",
      [](const SpaceGroup& G) {
        const auto setting = listed_setting(G);
        return setting ? std::optional(setting->name) : std::nullopt;
      },
      "The name of its setting as CIF files write it, 'F d -3 m:2'; None for layers, rods and settings that "
      "tables do not list.");
  c.def_prop_ro(
      "hall", [](const SpaceGroup& G) { return G.hall(); },
      "Hall's symbol; of a layer or a rod that of the space group that it makes with translations across.");
  c.def_prop_ro(
      "point_group", [](const SpaceGroup& G) { return point_group(point_group_symbol(G)); },
      "The point group by its Schoenflies symbol, as a group.");
  c.def_prop_ro(
      "operations", [](const SpaceGroup& G) { return Typed<OperationsTag>{operations_list(G.operations())}; },
      "(W, w) for every element of the point group, the identity first: x -> W x + w in edges of the cell, "
      "up to translations.");
  c.def_prop_ro(
      "centring",
      [](const SpaceGroup& G) {
        nb::list out;
        for (const auto& t : G.centring()) out.append(in_edges(t));
        return Typed<TranslationsTag>{std::move(out)};
      },
      "The translations within a cell, in edges of the cell, 0 first.");
  def_limited(
      c, "group",
      [](const Limits& limits, const SpaceGroup& G, std::size_t a, std::size_t b, std::size_t c_,
         const std::vector<Rational>& position) {
        return limits.run([&](const Task&) { return with_cells(G, {a, b, c_}, position); });
      },
      nb::arg("a") = std::size_t{0}, nb::arg("b") = std::size_t{0}, nb::arg("c") = std::size_t{0},
      nb::arg("position") = std::vector<Rational>{},
      "The group on a torus of a x b x c cells: on the orbit of a position, three numbers in edges of the "
      "cell, or regularly. Of a layer a and b are given, group(2, 2), of a rod c, group(c=3).");
  def_limited(
      c, "irreps_at",
      [](const Limits& limits, const SpaceGroup& G, const Typed<WaveVectorLikeTag>& k, bool spinors) {
        const std::array<Rational, 3> at = wave_vector(k.object);
        return limits.run(
            [&](const Task& task) { return little_group(G, at, spinors ? SpinKind::half : SpinKind::none, task); });
      },
      nb::arg("k"), nb::arg("spinors") = false,
      "The irreducible representations of the little group of a wave vector, three rational numbers in the "
      "basis dual to\n"
      "the edges of the cell: LittleGroup. Projective ones where they have to be, in nonsymmorphic groups at "
      "the border\n"
      "of the zone. With spinors, those of the double group, in which a turn by 360 degrees is -1.\n\n"
      ">>> from intertwine import SpaceGroup\n"
      ">>> SpaceGroup('P 21/c').irreps_at(['1/2', 0, 0]).dimensions\n"
      "[1, 1, 1, 1]\n"
      ">>> SpaceGroup('P 21/c').irreps_at([0, '1/2', 0]).dimensions\n"
      "[2]\n"
      ">>> SpaceGroup('P 21 3').irreps_at(['1/2', '1/2', '1/2'], spinors=True).degeneracies\n"
      "[2, 2, 6]");
  bind_value<SpaceGroup>(c, [](const SpaceGroup& G) {
    Hasher hash;  // settings that are equal may have other symbols
    return hash.add(G.operations().size()).add(G.centring().size()).add(G.kind() == "space").value();
  });
  c.def("__reduce__", &reduced_crystal, nb::sig(reduce_signature));
  c.def("__str__", [](const SpaceGroup& G) {
    const auto name = name_in_tables(G);
    return name ? *name : G.hall();
  });
  c.def("__repr__", [](const SpaceGroup& G) { return text_of(G); });
}

}  // namespace intertwine::python
