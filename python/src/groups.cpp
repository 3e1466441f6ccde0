// Permutations, groups, conjugacy classes.
#include <algorithm>
#include <limits>

#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/blocks.hpp"
#include "intertwine/groups/group_report.hpp"
#include "intertwine/groups/identification.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/groups/sylow.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/systems_text.hpp"
#include "permutation.hpp"

namespace intertwine::python {

namespace {

std::vector<Permutation> on_common_points(std::vector<Permutation> generators, std::size_t& degree) {
  for (const Permutation& g : generators) degree = std::max(degree, g.degree());
  for (Permutation& g : generators)
    if (g.degree() != degree) g = on_points(g, degree);
  return generators;
}

struct ElementTag {
  static constexpr auto name = nb::detail::const_name(
      "int | Permutation | str | collections.abc.Iterable[int] | collections.abc.Iterable[tuple[int, "
      "float]] | Matrix | collections.abc.Sequence[collections.abc.Sequence[float]] | "
      "numpy.typing.NDArray[typing.Any]");
};
struct OrderTag {
  static constexpr auto name = nb::detail::const_name("int");
};
struct SeedTag {
  static constexpr auto name = nb::detail::const_name("int | None");
};
struct GroupTag {
  static constexpr auto name = nb::detail::const_name(
      "str | collections.abc.Iterable[Permutation | str | collections.abc.Sequence[int]] | "
      "SupportsGenerators");
};

hom::Group product_of(std::vector<hom::Group> factors) {
  const auto is_finite = [](const hom::Group& G) { return G.as<FiniteGroup>() != nullptr; };
  if (!std::ranges::all_of(factors, is_finite))
    for (hom::Group& factor : factors) factor = named_factor(factor);
  return hom::direct_product(factors);
}

/// \throws DomainError for what is no seed
std::optional<std::uint64_t> seed_of(const nb::object& seed) {
  if (seed.is_none()) return std::nullopt;
  const auto number = as_integer(seed);
  if (!number || *number < 0 || *number > std::numeric_limits<std::uint64_t>::max())
    throw DomainError("a seed is an integer from 0 to 2^64 - 1, not " + nb::cast<std::string>(nb::repr(seed)));
  return static_cast<std::uint64_t>(*number);
}

hom::Group group_of(const Limits& limits, const nb::object& what, std::optional<std::size_t> degree) {
  if (nb::isinstance<nb::str>(what)) {
    if (degree) throw DomainError("a group expression says its degree itself; leave out degree=");
    const auto text = nb::cast<std::string>(what);
    return limits.run([&](const Task& task) { return parse_group(text, task); });
  }
  if (nb::isinstance<hom::Group>(what)) {
    if (!degree) return *nb::inst_ptr<hom::Group>(what);
    const auto* G = nb::inst_ptr<hom::Group>(what)->as<FiniteGroup>();
    if (G == nullptr)
      throw DomainError("degree= is of groups of permutations, and " + nb::inst_ptr<hom::Group>(what)->name() +
                        " is none; leave it out");
    nb::list generators;
    for (const Permutation& g : G->generators()) generators.append(g);
    return group_of(limits, generators, degree);
  }
  if (nb::hasattr(what, "generators") && nb::hasattr(what, "degree"))  // SymPy
    return group_of(limits, nb::object(what.attr("generators")),
                    degree ? *degree : nb::cast<std::size_t>(what.attr("degree")));
  if (nb::hasattr(what, "adjacency"))  // NetworkX
    throw DomainError("a graph is no list of permutations; write Group.automorphisms(graph) for its symmetries");
  std::size_t points = degree.value_or(1);
  std::vector<Permutation> generators = permutations_of(what, 0);
  generators = on_common_points(std::move(generators), points);
  if (degree && points != *degree)
    throw DomainError("a generator permutes " + std::to_string(points) + " points, not " + std::to_string(*degree));
  return FiniteGroup(points, std::move(generators));
}

struct Elements {
  FiniteGroup group;
  Integer next = 0;
};

void bind_elements(nb::class_<hom::Group>& c, nb::module_& m) {
  nb::class_<Elements> e(m, "GroupIterator", nb::is_final(), "Runs through the elements of a group.");
  e.def(
      "__iter__", [](nb::handle self) { return nb::borrow(self); }, nb::sig("def __iter__(self) -> GroupIterator"));
  e.def("__next__", [](Elements& self) {
    const auto element = Limits().run([&](const Task& task) {
      const StabilizerChain& chain = self.group.chain(task);
      return self.next < chain.order() ? std::optional(chain.unrank(self.next++)) : std::nullopt;
    });
    if (!element) throw nb::stop_iteration();
    return *element;
  });
  c.def("__iter__", [](const FiniteGroup& G) { return Elements{G}; });
  c.def(
      "__contains__",
      [](const FiniteGroup& G, const PermutationLike& g) {
        const Permutation element = g.on(G.degree());
        return Limits().run([&](const Task& task) { return G.chain(task).contains(element); });
      },
      nb::arg("element"));
  def_limited(
      c, "index",
      [](const Limits& limits, const FiniteGroup& G, PermutationLike g) {
        const Permutation element = g.on(G.degree());
        return limits.run([&](const Task& task) { return G.chain(task).rank(element); });
      },
      nb::arg("element"), "The number of an element, 0 for the identity; DomainError if it is none.");
  def_limited(
      c, "element",
      [](const Limits& limits, const hom::Group& G, Typed<ElementTag> element, double tolerance) -> Typed<AnyTag> {
        const auto* H = G.as<FiniteGroup>();
        if (H == nullptr)
          return {nb::module_::import_("intertwine._elements").attr("element")(G, element.object, tolerance)};
        if (const auto index = as_integer(element.object))
          return {nb::cast(limits.run([&](const Task& task) { return H->chain(task).unrank(*index); }))};
        const Permutation g = PermutationLike{element.object}.on(H->degree());
        const bool belongs = limits.run([&](const Task& task) { return H->chain(task).contains(g); });
        if (!belongs) throw DomainError("the permutation " + g.to_string() + " is no element of " + H->name());
        return {nb::cast(g)};
      },
      nb::arg("element"), nb::arg("tolerance") = 1e-9,
      "An element. Of a finite group: that with this number, 0 <= number < order, or a permutation, its "
      "cycles as text or the list of "
      "its images.\n"
      "Of a classical group and its products: a list of pairs (k, t), for the product of exp(t X_k), or of "
      "powers x_k ** t of components "
      "and of elements of finite factors, in their order; k is a place in generator_names, from 0.\n"
      "Of a classical group alone also a matrix of vector, an array [n, n] or its rows from n = 3 on; its "
      "word "
      "is multiplied out, and DomainError says if that is further away than `tolerance` beside the largest "
      "entry.");
  def_limited(
      c, "random_element",
      [](const Limits& limits, const hom::Group& G, const Typed<SeedTag>& seed) -> Typed<AnyTag> {
        const auto* H = G.as<FiniteGroup>();
        if (H == nullptr) return {nb::module_::import_("intertwine._elements").attr("random_element")(G, seed.object)};
        const std::optional<std::uint64_t> start = seed_of(seed.object);
        return {nb::cast(limits.run([&](const Task& task) {
          Rng rng = start ? Rng(*start) : Rng();
          return H->chain(task).random_element(rng);
        }))};
      },
      nb::arg("seed") = nb::none(),
      "A random element; the same seed gives the same one. Uniform for finite groups, and by Haar's measure "
      "if the group is "
      "compact and its finite factors have at most 20000 elements.\n"
      "Of a factor that is not compact it is exp(X) exp(Y), with X and Y of norm at most 1/2 in the defining "
      "module.");
}

template <class F>
void prop_bool(nb::class_<hom::Group>& c, const char* name, F f, const char* doc) {
  c.def_prop_ro(
      name, [f](const FiniteGroup& G) { return Limits().run([&](const Task& task) { return f(G, task); }); }, doc);
}

void bind_structure(nb::class_<hom::Group>& c) {
  prop_bool(
      c, "is_abelian", [](const FiniteGroup& G, const Task& task) { return is_abelian(G, task); },
      "Do all elements commute?");
  prop_bool(
      c, "is_transitive", [](const FiniteGroup& G, const Task&) { return is_transitive(G); },
      "Is there one orbit of points?");
  prop_bool(
      c, "is_solvable", [](const FiniteGroup& G, const Task& task) { return is_solvable(G, task); }, "Is it solvable?");
  prop_bool(
      c, "is_perfect", [](const FiniteGroup& G, const Task& task) { return is_perfect(G, task); },
      "Is it its own derived subgroup?");
  prop_bool(
      c, "is_simple", [](const FiniteGroup& G, const Task& task) { return is_simple(G, task); },
      "Is it simple? None where this was not decided.");
  prop_bool(
      c, "exponent", [](const FiniteGroup& G, const Task& task) { return exponent(G, task); },
      "The least common multiple of the orders of its elements; None where it is not cheap.");
  def_limited(
      c, "describe",
      [](const Limits& limits, const FiniteGroup& G) {
        return limits.run([&](const Task& task) { return to_text(record(group_report(G, task)), 80, task); });
      },
      "What is found out about the group at once, in lines for people.");
  c.def(
      "orbits", [](const FiniteGroup& G) { return orbits(G.degree(), G.generators()); },
      "The orbits of points, each increasing.");
  c.def(
      "is_subgroup_of",
      [](const FiniteGroup& H, const FiniteGroup& G) {
        return Limits().run([&](const Task& task) { return is_subgroup(H, G, task); });
      },
      nb::arg("group"), "Are all its elements in the other group?");
}

void bind_subgroups(nb::class_<hom::Group>& c) {
  def_limited(
      c, "subgroup",
      [](const Limits& limits, const FiniteGroup& G, Typed<PermutationsTag> generators) {
        auto list = permutations_of(generators.object, G.degree());
        return limits.run([&](const Task& task) { return subgroup(G, std::move(list), {}, task); });
      },
      nb::arg("generators"),
      R"(The subgroup that elements generate.

Parameters
----------
generators : list of Permutation, str or list of int
    elements of this group: objects, texts of cycles, or lists of images.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
Group
    on the same points.

Raises
------
DomainError
    if one of them is not in this group.
ParseError
    with the place in a text that is no permutation.

See Also
--------
Group.stabilizer : the subgroup that fixes a point.

Examples
--------
>>> Group('S4').subgroup(['(1,2,3)']).order
3)");
  def_limited(
      c, "is_generated_by",
      [](const Limits& limits, const FiniteGroup& G, Typed<PermutationsTag> elements) {
        const auto list = permutations_of(elements.object, G.degree());
        return limits.run([&](const Task& task) { return generates(G, list, task); });
      },
      nb::arg("elements"), "Do these elements generate the group?");
  def_limited(
      c, "stabilizer",
      [](const Limits& limits, const FiniteGroup& G, Point point) {
        return limits.run([&](const Task& task) { return stabilizer(G, point, task); });
      },
      nb::arg("point"), R"(The elements that fix a point.

Parameters
----------
point : int
    the point, from 0.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
Group
    a subgroup on the same points.

Raises
------
DomainError
    for a point that there is not.

Examples
--------
>>> Group('S4').stabilizer(0).order
6)");
  def_limited(
      c, "pointwise_stabilizer",
      [](const Limits& limits, const FiniteGroup& G, std::vector<Point> points) {
        return limits.run([&](const Task& task) { return pointwise_stabilizer(G, points, task); });
      },
      nb::arg("points"), "The elements that fix every one of these points (0-based).");
  def_limited(
      c, "set_stabilizer",
      [](const Limits& limits, const FiniteGroup& G, std::vector<Point> points) {
        return limits.run([&](const Task& task) { return set_stabilizer(G, points, task); });
      },
      nb::arg("points"), "The elements that take the set of these points (0-based) to itself.");
  def_limited(
      c, "centre",
      [](const Limits& limits, const FiniteGroup& G) {
        return limits.run([&](const Task& task) { return centre(G, task); });
      },
      "The elements that commute with all.");
  def_limited(
      c, "derived_subgroup",
      [](const Limits& limits, const FiniteGroup& G) {
        return limits.run([&](const Task& task) { return derived_subgroup(G, task); });
      },
      "The subgroup that the commutators generate.");
  def_limited(
      c, "sylow_subgroup",
      [](const Limits& limits, const FiniteGroup& G, std::uint64_t p) {
        return limits.run([&](const Task& task) { return sylow_subgroup(G, p, task); });
      },
      nb::arg("p"), "A Sylow subgroup for the prime p.");
  def_limited(
      c, "normal_closure",
      [](const Limits& limits, const FiniteGroup& G, Typed<PermutationsTag> elements) {
        const auto list = permutations_of(elements.object, G.degree());
        return limits.run([&](const Task& task) { return normal_closure(G, list, task); });
      },
      nb::arg("elements"), "The smallest normal subgroup with these elements.");
  def_limited(
      c, "centralizer",
      [](const Limits& limits, const FiniteGroup& G, PermutationLike g) {
        const Permutation element = g.on(G.degree());
        return limits.run([&](const Task& task) { return centralizer(G, element, task); });
      },
      nb::arg("element"), "The elements that commute with a permutation of the points.");
  def_limited(
      c, "conjugating_element",
      [](const Limits& limits, const FiniteGroup& G, PermutationLike g, PermutationLike h) {
        const Permutation a = g.on(G.degree()), b = h.on(G.degree());
        return limits.run([&](const Task& task) { return conjugating_element(G, a, b, task); });
      },
      nb::arg("g"), nb::arg("h"), "An element x with x * g * x ** -1 = h; None if there is none.");
  c.def(
      "__mul__",
      [](const hom::Group& G, const hom::Group& H) {
        return Limits().run([&](const Task&) { return product_of({G, H}); });
      },
      nb::is_operator(), nb::arg("other"), "The direct product; of finite groups on the points of both.");
  c.def(
      "__pow__",
      [](const hom::Group& G, unsigned n) {
        if (n == 0) throw DomainError("G ** n is the direct product of n >= 1 factors");
        constexpr unsigned most = 10'000;  // as in expressions
        if (n > most) throw LimitError("a direct power may have at most " + std::to_string(most) + " factors");
        return Limits().run([&](const Task& task) {
          if (const auto* H = G.as<FiniteGroup>())
            task.require_memory(std::uint64_t{n} * n * H->degree() * H->generators().size() * sizeof(Point),
                                "the generators of G ** n");
          return hom::direct_product(std::vector<hom::Group>(n, G));
        });
      },
      nb::is_operator(), nb::arg("n"), "The direct product of n factors.");
  c.def(
      "wreath",
      [](const FiniteGroup& G, const FiniteGroup& H, bool product_action) {
        return product_action ? wreath_product_in_product_action(G, H) : wreath_product(G, H);
      },
      nb::arg("top"), nb::kw_only(), nb::arg("product_action") = false,
      "The wreath product: top permutes copies of the group, or the arguments of functions "
      "(product_action=True).");
}

}  // namespace

void bind_groups(nb::module_& m) {
  bind_permutation(m);
  nb::class_<hom::Group> c(m, "Group", nb::is_final(),
                           R"(A group of any kind: finite, continuous, of a crystal, or a product of these.

What a kind of group cannot answer, such as the classes of SO(3), is refused in a sentence; `kind` says which it is.

Parameters
----------
group : str or Sequence
    a name, such as 'S4', 'C2 x S3', 'p4m(8,8)', 'SO(3)', 'S5 x O(3)', 'SU(3)', 'E8' or 'D∞h'; a file, '@group.json'; or
    permutations that generate it, ['(1,2,3)', '(1,2)']. known_groups() and known_continuous_groups() list the names.
degree : int, optional
    how many points permutations act on, 0, ..., degree-1.
memory, seconds, progress, threads
    as of `intertwine.limits`.

Raises
------
ParseError
    for a name that cannot be read, with the position and a guess.
DomainError
    for generators that are no permutations, or go beyond the degree.
LimitError
    where memory or time would be more than allowed.

See Also
--------
Group.rep : a representation by its name.
automorphisms : the symmetries of a graph or a matrix.

Examples
--------
>>> from intertwine import Group
>>> Group("M24").order, Group(['(1,2,3)', '(1,2)']).order, Group('SO(3)').kind
(244823040, 6, 'classical')
)");
  c.def(
      "__init__",
      [](hom::Group* self, Typed<GroupTag> what, std::optional<std::size_t> degree, Typed<MemoryTag> memory,
         Typed<SecondsTag> seconds, Typed<ProgressTag> progress, Typed<ThreadsTag> threads) {
        new (self) hom::Group(group_of(Limits(memory, seconds, progress, threads), what.object, degree));
      },
      nb::arg("group"), nb::arg("degree") = nb::none(), nb::kw_only(), nb::arg("memory") = nb::none(),
      nb::arg("seconds") = nb::none(), nb::arg("progress") = nb::none(), nb::arg("threads") = nb::none());
  c.def_prop_ro(
      "kind",
      [](const hom::Group& G) {
        constexpr const char* kinds[] = {"finite", "classical", "reductive"};
        return std::string(kinds[G.kind().index()]);
      },
      "'finite'; 'classical' for classical groups and their products with finite ones, C∞v and D∞h among "
      "them, whose representations are by matrices; 'reductive' for others that have highest weights, such "
      "as "
      "E8, whose representations are by characters.");
  c.def_prop_ro("factors", &hom::Group::factors,
                "The groups that it is given as a product of, in their order; itself alone where it is no product.");
  c.def_static(
      "from_matrices",
      [](Typed<MatricesTag> matrices) {
        std::vector<FieldMatrix> generators;
        for (const nb::handle item : nb::iter(matrices.object)) generators.push_back(exact_matrix(item).to_field());
        return Limits().run([&](const Task& task) { return matrix_group(generators, {}, task); });
      },
      nb::arg("generators"),
      "The finite group that exact matrices generate, acting on vectors; rep('coordinates') is its natural "
      "module.\n"
      "DomainError with an element of infinite order if it is not finite.");
  c.def_static(
      "direct_product",
      [](const std::vector<hom::Group>& factors) {
        return Limits().run([&](const Task&) { return product_of(factors); });
      },
      nb::arg("factors"),
      "The direct product of a list of groups; finite ones act on the points of all, one after the other. G "
      "* H is that of "
      "two.\n\n"
      ">>> Group.direct_product([Group('S3'), Group('C2'), Group('C2')])\n"
      "Group('S3 x C2 x C2')");
  prop_limited(
      c, "order",
      [](const Limits& limits, const hom::Group& G) -> Typed<OrderTag> {
        const auto found = limits.run([&](const Task& task) { return G.order(task); });
        return {found ? to_python(*found) : nb::object(nb::float_(std::numeric_limits<double>::infinity()))};
      },
      "The number of elements, proved, or math.inf.");
  c.def_prop_ro("is_finite", &hom::Group::is_finite, "Has it finitely many elements?");
  def_limited(
      c, "small_group_id",
      [](const Limits& limits, const FiniteGroup& G) -> std::optional<std::pair<unsigned, unsigned>> {
        const auto found = limits.run([&](const Task& task) { return identify(G, task); });
        if (!found) return std::nullopt;
        return std::pair(found->order, found->number);
      },
      "(order, number) of the isomorphism type in GAP's library of small groups, proved; None above order "
      "127.\n\n"
      ">>> Group('S4').small_group_id()\n"
      "(24, 12)");
  c.def_prop_ro(
      "degree", [](const FiniteGroup& G) { return G.degree(); }, "The number of points.");
  c.def_prop_ro("name", &hom::Group::name, "How the group is called; for most an expression.");
  c.def_prop_ro(
      "generators",
      [](const FiniteGroup& G) {
        nb::list list;
        for (const Permutation& g : G.generators()) list.append(g);
        return nb::tuple(list);
      },
      nb::sig("def generators(self) -> tuple[Permutation, ...]"), "The generators.");
  c.def_prop_ro(
      "identity", [](const FiniteGroup& G) { return Permutation::identity(G.degree()); }, "The identity.");
  bind_elements(c, m);
  bind_structure(c);
  bind_subgroups(c);
  def_python(c, "to_sympy", "intertwine._gates", "group_to_sympy", "def to_sympy(self) -> typing.Any",
             "The group as a PermutationGroup of SymPy, on the points 0, ..., degree-1.");
  bind_systems<FiniteGroup>(c, "The group");
  bind_value<hom::Group>(c, [](const hom::Group& G) { return hash_of(G); });
  c.def("__str__", &hom::Group::name);
  c.def("__repr__", &group_text);
  c.def("__reduce__", &reduced_group, nb::sig(reduce_signature));
  m.def("known_groups", &known_groups, "The names of groups that expressions know, one family a line.");
}

}  // namespace intertwine::python
