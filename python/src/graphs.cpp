// Automorphism groups of graphs and matrices.
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>

#include <map>

#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/groups/automorphism_group.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/io/graph_file.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/records.hpp"
#include "records.hpp"

namespace intertwine::python {

namespace {

struct GraphTag {
  static constexpr auto name = nb::detail::const_name("typing.Any");
};

using LabelMatrix = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Colours = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// \param lists  (points, directed, edges, colours), as graph_labels returns them, and names of the points
GraphFile graph_of(const nb::object& lists) {
  LabelledGraph graph{nb::cast<std::size_t>(lists[0]), nb::cast<bool>(lists[1]), {}, {}};
  const auto edges = nb::cast<LabelMatrix>(nb::object(lists[2]));
  for (std::size_t k = 0; k < edges.shape(0); ++k) graph.edges.push_back({edges(k, 0), edges(k, 1), edges(k, 2)});
  const auto colours = nb::cast<Colours>(lists[3]);
  graph.colours.assign(colours.data(), colours.data() + colours.size());
  const std::size_t points = graph.vertices;
  return {std::move(graph), points,
          nb::len(lists) > 4 ? nb::cast<std::vector<std::string>>(lists[4]) : std::vector<std::string>()};
}

/// The automorphisms of a graph as graph_labels reads it: a table of labels, lists, or the name of a file.
Automorphisms automorphisms_of(const Limits& limits, Typed<GraphTag> graph, std::optional<std::string> colour,
                               std::optional<std::string> weight) {
  const nb::object found = nb::module_::import_("intertwine._gates").attr("graph_labels")(graph.object, colour, weight);
  std::variant<LabelMatrix, GraphFile, Path> given;
  if (nb::isinstance<nb::tuple>(found))
    given = graph_of(found);
  else if (nb::isinstance<nb::str>(found))
    given = nb::cast<Path>(found);
  else
    given = nb::cast<LabelMatrix>(found);
  return limits.run([&](const Task& task) {  // the array is let go of after it, with the interpreter's lock
    if (const auto* file = std::get_if<Path>(&given)) {
      return file_automorphisms(read_graph_file(file->value, task), task);
    }
    if (const auto* table = std::get_if<LabelMatrix>(&given))
      return automorphisms(LabelledGraph::from_labels(table->shape(0), {table->data(), table->size()}, task), task);
    return file_automorphisms(std::get<GraphFile>(given), task);
  });
}

FiniteGroup group_of_sparse(const Limits& limits, const Automorphisms& found) {
  return limits.run([&](const Task& task) {
    const FiniteGroup G = found.group({}, Automorphisms::most_images, task);
    return FiniteGroup::with_known_order(G.degree(), G.generators(),
                                         explicit_group_expression(G.degree(), G.generators()), G.order());
  });
}

}  // namespace

template <>
inline constexpr auto members<Automorphisms> =
    std::tuple(&Automorphisms::degree, &Automorphisms::generators, &Automorphisms::order, &Automorphisms::labels);

void bind_automorphisms(nb::module_& m) {
  auto group = class_of<hom::Group>();
  def_limited_static(
      group, "automorphisms",
      [](const Limits& limits, Typed<GraphTag> graph, std::optional<std::string> colour,
         std::optional<std::string> weight) {
        return group_of_sparse(limits, automorphisms_of(limits, graph, colour, weight));
      },
      nb::arg("graph"), nb::arg("colour") = nb::none(), nb::arg("weight") = nb::none(),
      "The automorphisms of a graph as a group; see automorphisms(), which takes graphs of any size.\n\n"
      ">>> Group.automorphisms([[0, 1, 1], [1, 0, 0], [1, 0, 0]])\n"
      "Group('<(2,3)>')");

  nb::class_<Automorphisms> c(
      m, "Automorphisms", nb::is_final(),
      "The automorphisms of a graph, by generators that take the memory of the points that they move.");
  c.def_prop_ro(
      "degree", [](const Automorphisms& a) { return a.degree; }, "The number of points.");
  c.def_prop_ro(
      "order", [](const Automorphisms& a) { return a.order; }, "How many there are, proved.");
  c.def_prop_ro(
      "generators",
      [](const Automorphisms& a) {
        std::vector<std::map<Point, Point>> generators;
        for (const MovedPoints& g : a.generators) generators.emplace_back(g.begin(), g.end());
        return generators;
      },
      "Of each the points that it moves and their images.");
  c.def_prop_ro(
      "orbits", [](const Automorphisms& a) { return a.orbits(); }, "Lists of points, ascending, by their first ones.");
  c.def_prop_ro(
      "labels",
      [](const Automorphisms& a) {
        nb::list labels;
        const bool numbers = a.labels_are_numbers();
        for (const std::string& label : a.labels)
          labels.append(numbers ? nb::object(nb::int_(std::stoull(label))) : nb::object(nb::str(label.c_str())));
        if (a.labels.empty())
          for (std::size_t k = 0; k < a.degree; ++k) labels.append(k);
        return labels;
      },
      nb::sig("def labels(self) -> list[int] | list[str]"),
      "What a file calls the points: the numbers or names of the vertices of a list of edges, ascending, or "
      "the ids of node-link JSON; otherwise 0, 1, ....");
  def_limited(c, "group", group_of_sparse,
              "The same as a Group, whose generators take the memory of all points each; LimitError above 10^8 "
              "images in all.");
  c.def(
      "to_json", [](const Automorphisms& a) { return to_json(record(a)); },
      "As `intertwine automorphisms --json` has it: a file for Group('@aut.json') too.");
  bind_systems(c, "The group");
  bind_own_format(c);
  c.def("__str__", [](const Automorphisms& a) { return to_text(record(a)); });
  c.def("__repr__", [](const Automorphisms& a) {
    return "<Automorphisms of " + std::to_string(a.degree) + " points, " + std::to_string(a.generators.size()) +
           " generators>";
  });
  bind_record<Automorphisms>(c);

  def_limited(m, "automorphisms", automorphisms_of, nb::arg("graph"), nb::arg("colour") = nb::none(),
              nb::arg("weight") = nb::none(),
              R"(The automorphisms of a graph, or of a square matrix.

Parameters
----------
graph : graph, array or str
    A graph of NetworkX, directed or not, its points in the order of list(graph). A square matrix of NumPy or SciPy: all
    permutations of rows and columns together that keep it, equal entries being equal labels. Or the name of a file: .g6, .s6,
    .edges, .edgelist, .col, .json, .gml, .graphml, .mtx, .npy. Points of a list of edges are the numbers or names that occur, see `labels`.
colour, weight : str, optional
    names of attributes of nodes and of edges that are kept.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
Automorphisms
    `order`, `orbits` and `generators`, each as the points that it moves.

Raises
------
DomainError
    for a matrix that is not square, or numbers that are not finite.
FileError
    for a file that cannot be read.

See Also
--------
Group.automorphisms : the same as a group.

Examples
--------
>>> found = automorphisms([[0, 1, 1], [1, 0, 0], [1, 0, 0]])
>>> found.order, found.orbits, found.generators
(2, [[0], [1, 2]], [{1: 2, 2: 1}]))");
}

}  // namespace intertwine::python
