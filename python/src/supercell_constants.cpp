// The force constants of supercells: ForceConstants.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <numeric>

#include "arrays.hpp"
#include "crystals.hpp"
#include "intertwine/error.hpp"
#include "records.hpp"

namespace intertwine::python {

namespace {

nb::object shaped_array(std::vector<double> numbers, const std::vector<std::size_t>& shape) {
  return nb::module_::import_("numpy").attr("reshape")(
      owned_array<double>(std::move(numbers), {static_cast<std::size_t>(std::accumulate(
                                                  shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()))}),
      nb::cast(shape));
}

/// [atoms of the cell][atoms of the supercell]^(n-1)[3]^n.
std::vector<std::size_t> shape_of(const AskedForceConstants& asked) {
  std::vector<std::size_t> shape{asked.crystal.symmetry.crystal.atoms.size()};
  shape.resize(asked.question.order, asked.count.atoms);
  shape.resize(2 * std::size_t{asked.question.order}, 3);
  return shape;
}

std::size_t dimension_of(const AskedForceConstants& asked) { return asked.count.dimension.convert_to<std::size_t>(); }

}  // namespace

void bind_supercell_constants(nb::module_& m) {
  using F = const AskedForceConstants&;
  using Numbers = Typed<ArrayLikeTag>;
  using Array = Typed<DoubleArrayTag>;
  nb::class_<AskedForceConstants> c(
      m, "ForceConstants", nb::is_final(),
      "The force constants of a supercell that symmetry and sum rules allow: see Crystal.force_constants.\n\n"
      "A constant of order n is a derivative d^n E / du ... du by Cartesian displacements, in the axes of "
      "the "
      "structure as it\n"
      "was given. Arrays of constants have the shape [P, N, ..., N, 3, ..., 3] with P atoms of the cell, the "
      "first "
      "images of\n"
      "which are the first index, and N atoms of the supercell. These are in phonopy's order: images of one "
      "atom "
      "behind one\n"
      "another, along the first edge first.");
  c.def_prop_ro(
      "order", [](F f) { return f.question.order; }, "2, 3 or 4.");
  c.def_prop_ro(
      "supercell",
      [](F f) { return std::tuple(f.question.supercell[0], f.question.supercell[1], f.question.supercell[2]); },
      "How many cells, as they were given, along their edges.");
  c.def_prop_ro(
      "cutoff", [](F f) { return f.question.cutoff; }, "Constants of atoms not closer than this are 0; or None.");
  c.def_prop_ro(
      "sum_rules", [](F f) { return f.question.sum_rules; }, "Does a translation of all atoms cost nothing?");
  c.def_prop_ro(
      "dimension", [](F f) { return dimension_of(f); }, "How many constants are free.");
  c.def_prop_ro(
      "tied_dimension", [](F f) { return f.count.tied.convert_to<std::size_t>(); },
      "How many would be free without sum rules.");
  c.def_prop_ro(
      "symmetries", [](F f) { return f.count.operations; }, "The order of the group of the supercell.");
  prop_limited(
      c, "structure",
      [](const Limits& limits, F f) {
        return Typed<CellTag>{cell_tuple(limits.run([&](const Task& task) { return f.constants(task).supercell(); }))};
      },
      "The supercell as (cell, positions, symbols).");
  prop_limited(
      c, "clusters",
      [](const Limits& limits, F f) {
        std::vector<std::tuple<std::vector<std::uint32_t>, std::uint64_t, std::uint64_t>> list;
        for (const ForceCluster& k : limits.run([&](const Task& task) { return f.constants(task); }).clusters())
          list.emplace_back(k.atoms, k.sets, k.constants);
        return list;
      },
      "For each kind of sets of atoms its first one, how many there are, and how many constants it has "
      "before sum "
      "rules.");
  def_limited(
      c, "constants",
      [](const Limits& limits, F f, const Numbers& parameters) {
        const FlatDoubles given = doubles_of(parameters.object, {dimension_of(f)}, "parameters");
        return Array{shaped_array(limits.run([&](const Task& task) {
          return f.constants(task).constants({given.data(), given.size()}, task);
        }),
                                  shape_of(f))};
      },
      nb::arg("parameters"), "The constants for parameters [dimension].");
  def_limited(
      c, "basis",
      [](const Limits& limits, F f) {
        auto shape = shape_of(f);
        auto numbers = limits.run([&](const Task& task) {
          const ForceConstants found = f.constants(task);
          std::vector<double> all, unit(found.dimension(), 0);
          for (double& x : unit) {
            x = 1;
            const auto one = found.constants(unit, task);
            task.require_memory(8 * one.size() * unit.size(), "a basis of force constants");
            all.insert(all.end(), one.begin(), one.end());
            x = 0;
          }
          return all;
        });
        shape.insert(shape.begin(), dimension_of(f));
        return Array{shaped_array(std::move(numbers), shape)};
      },
      "The constants of every parameter 1 and the others 0: [dimension, P, N, ..., 3, ..., 3].");
  def_limited(
      c, "forces",
      [](const Limits& limits, F f, const Numbers& displacements) {
        const std::size_t N = f.count.atoms;
        const FlatDoubles u = doubles_of(displacements.object, {N, 3}, "displacements");
        return Array{shaped_array(limits.run([&](const Task& task) {
          return f.constants(task).forces({u.data(), u.size()}, task);
        }),
                                  {N, 3, dimension_of(f)})};
      },
      nb::arg("displacements"),
      "The forces of every parameter 1 and the others 0 at displacements [N, 3]: [N, 3, dimension].");
  def_limited(
      c, "project",
      [](const Limits& limits, F f, const Numbers& constants) {
        const FlatDoubles given = doubles_of(constants.object, shape_of(f), "force constants");
        const std::size_t n = dimension_of(f);
        auto [gram, products] = limits.run([&](const Task& task) {
          const ForceConstants found = f.constants(task);
          return std::pair(found.gram(task), found.products({given.data(), given.size()}, task));
        });
        const nb::object parameters =
            nb::module_::import_("intertwine._force_constants")
                .attr("solved")(shaped_array(std::move(gram), {n, n}), shaped_array(std::move(products), {n}));
        const FlatDoubles x = nb::cast<FlatDoubles>(parameters);
        return Array{shaped_array(limits.run([&](const Task& task) {
          return f.constants(task).constants({x.data(), x.size()}, task);
        }),
                                  shape_of(f))};
      },
      nb::arg("constants"),
      "The allowed constants that are nearest to these, [P, N, ..., 3, ..., 3], in the sum of squares.");
  c.def(
      "fit",
      [](nb::handle self, const Numbers& displacements, const Numbers& forces) {
        const nb::object list =
            nb::module_::import_("intertwine._force_constants")
                .attr("fit_force_constants")(nb::make_tuple(self), displacements.object, forces.object);
        return Array{list[0]};
      },
      nb::arg("displacements"), nb::arg("forces"),
      "The constants that fit forces [S, N, 3] at displacements [S, N, 3] best, by least squares. See\n"
      "chem.fit_force_constants for several orders at once.");
  c.def("__repr__", [](F f) {
    return "<ForceConstants of order " + std::to_string(f.question.order) + ", " + std::to_string(f.count.atoms) +
           " atoms, " + f.count.dimension.str() + " free>";
  });
  const auto question = [](F f) {
    const auto& cells = f.question.supercell;
    return nb::make_tuple(nb::cast(f.crystal), f.question.order, nb::make_tuple(cells[0], cells[1], cells[2]),
                          nb::cast(f.question.cutoff), f.question.sum_rules);
  };
  bind_by<AskedForceConstants>(c, question);
  c.def(
      "__reduce__",
      [question](F f) {
        const nb::tuple asked = question(f);
        return reduced_by_method(asked[0], "force_constants", asked[1], asked[2], asked[3], asked[4]);
      },
      nb::sig(reduce_signature));
}

}  // namespace intertwine::python
