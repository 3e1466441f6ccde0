// Automorphism groups of graphs and matrices.
#include <nanobind/ndarray.h>

#include "bindings.hpp"
#include "intertwine/equivariant/automorphism_group.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/io/group_expression.hpp"

namespace intertwine::python {

namespace {

struct GraphTag {
  static constexpr auto name = nb::detail::const_name("typing.Any");
};

using LabelMatrix = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Colours = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// \param lists  (points, directed, edges, colours), as graph_labels returns them
LabelledGraph graph_of(const nb::object& lists) {
  LabelledGraph graph{nb::cast<std::size_t>(lists[0]), nb::cast<bool>(lists[1]), {}, {}};
  const auto edges = nb::cast<LabelMatrix>(nb::object(lists[2]));
  for (std::size_t k = 0; k < edges.shape(0); ++k)
    graph.edges.push_back({edges(k, 0), edges(k, 1), edges(k, 2)});
  const auto colours = nb::cast<Colours>(lists[3]);
  graph.colours.assign(colours.data(), colours.data() + colours.size());
  return graph;
}

}  // namespace

void bind_automorphisms(nb::class_<FiniteGroup>& c) {
  def_limited_static(
      c, "automorphisms",
      [](const Limits& limits, Typed<GraphTag> graph, std::optional<std::string> colour,
         std::optional<std::string> weight) {
        const nb::object found =
            nb::module_::import_("intertwine._gates").attr("graph_labels")(graph.object, colour, weight);
        std::variant<LabelMatrix, LabelledGraph> given;
        if (nb::isinstance<nb::tuple>(found))
          given = graph_of(found);
        else
          given = nb::cast<LabelMatrix>(found);
        return limits.run(
            [&](const Task& task) {  // the array is let go of after it, with the interpreter's lock
              const auto* table = std::get_if<LabelMatrix>(&given);
              const FiniteGroup G = automorphism_group(
                  table ? LabelledGraph::from_labels(table->shape(0), {table->data(), table->size()}, task)
                        : std::move(std::get<LabelledGraph>(given)),
                  task);
              return FiniteGroup::with_known_order(G.degree(), G.generators(),
                                                   explicit_group_expression(G.degree(), G.generators()),
                                                   G.order());
            });
      },
      nb::arg("graph"), nb::arg("colour") = nb::none(), nb::arg("weight") = nb::none(),
      "The automorphisms of a graph of NetworkX (directed or not; points in the order of list(graph)), or "
      "all permutations of\n"
      "rows and columns together that keep a square matrix of NumPy or SciPy (equal entries are equal "
      "labels). `colour` and `weight` name\n"
      "attributes of nodes and edges that must be kept. Files: Group('aut(@graph.g6)').\n\n"
      ">>> Group.automorphisms([[0, 1, 1], [1, 0, 0], [1, 0, 0]])\n"
      "Group('<(2,3)>')");
}

}  // namespace intertwine::python
