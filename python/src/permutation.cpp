// Permutations of Python: how they are read, and their class.
#include "permutation.hpp"

#include "intertwine/error.hpp"

namespace intertwine::python {

namespace {

Permutation permutation_of(nb::handle o, std::size_t degree) {
  if (nb::isinstance<Permutation>(o)) return *nb::inst_ptr<Permutation>(o);
  if (nb::isinstance<nb::str>(o)) return parse_permutation(nb::cast<std::string>(o), degree);
  const std::string what =
      "a permutation is a Permutation, a text of cycles such as '(1,2,3)' (1-based) or the list of its "
      "images (0-based); this is a ";
  if (nb::hasattr(o, "ndim") && nb::cast<std::size_t>(o.attr("ndim")) != 1)
    throw DomainError(what + "array of " + std::to_string(nb::cast<std::size_t>(o.attr("ndim"))) + " dimensions");
  if (nb::hasattr(o, "array_form")) return permutation_of(nb::object(o.attr("array_form")), degree);  // SymPy
  const nb::object list = nb::hasattr(o, "tolist") ? nb::object(o.attr("tolist")()) : nb::borrow(o);
  if (!nb::isinstance<nb::sequence>(list)) throw DomainError(what + nb::cast<std::string>(o.type().attr("__name__")));
  std::vector<Point> images;
  for (const nb::handle item : nb::iter(list)) {
    const auto image = as_integer(item);
    if (!image || *image < 0 || *image > max_degree)
      throw DomainError("image " + std::to_string(images.size()) + " (0-based) of the permutation is " +
                        nb::cast<std::string>(nb::repr(item)) + ", and not a point from 0 on");
    images.push_back(static_cast<Point>(*image));
  }
  return Permutation(std::move(images));
}

}  // namespace

Permutation PermutationLike::by_itself() const { return permutation_of(object, 0); }

Permutation PermutationLike::on(std::size_t degree) const {
  if (degree > max_degree)
    throw DomainError("a permutation of " + std::to_string(degree) + " points is too large; there are at most " +
                      std::to_string(max_degree));
  Permutation g = permutation_of(object, degree);
  if (g.degree() > degree)
    throw DomainError("the permutation " + g.to_string() + " permutes " + std::to_string(g.degree()) + " points, not " +
                      std::to_string(degree));
  return g.degree() == degree ? g : on_points(g, degree);
}

std::size_t hash_of(const Permutation& g) {
  Hasher hasher;
  hasher.add(g.degree());
  for (const Point x : g.images()) hasher.add(x);
  return hasher.value();
}

namespace {

nb::tuple images_of(const Permutation& g) {
  nb::list images;
  for (const Point x : g.images()) images.append(x);
  return nb::tuple(images);
}

}  // namespace

std::vector<Permutation> permutations_of(const nb::object& list, std::size_t degree) {
  std::vector<Permutation> result;
  if (nb::isinstance<nb::str>(list) || !nb::isinstance<nb::iterable>(list))
    throw DomainError("generators are a list of permutations, as ['(1,2,3)', '(1,2)']; write one as a list, too");
  for (const nb::handle item : nb::iter(list)) {
    const PermutationLike like{nb::borrow(item)};
    result.push_back(degree == 0 ? like.by_itself() : like.on(degree));
  }
  return result;
}

void bind_permutation(nb::module_& m) {
  nb::class_<Permutation> c(m, "Permutation", nb::is_final(),
                            R"(A permutation of the points 0, ..., degree-1, immutable.

The product is that of functions: (g * h)(i) = g(h(i)).

Parameters
----------
permutation : str or Sequence[int]
    cycles, which are 1-based as in the papers, or images, which are 0-based.
degree : int, optional
    how many points there are; by default up to the largest one that is named.

Raises
------
ParseError
    for cycles that cannot be read, with the position.
DomainError
    for images that are no permutation, and for points beyond the degree.

Examples
--------
>>> from intertwine import Permutation
>>> g = Permutation('(1,2,3)(4,5)')
>>> g.images, g.order, g == Permutation([1, 2, 0, 4, 3])
((1, 2, 0, 4, 3), 6, True)
)");
  c.def(
      "__init__",
      [](Permutation* self, const PermutationLike& g, std::optional<std::size_t> degree) {
        new (self) Permutation(degree ? g.on(*degree) : g.by_itself());
      },
      nb::arg("permutation"), nb::arg("degree") = nb::none());
  c.def_prop_ro("degree", &Permutation::degree, "The number of points.");
  c.def_prop_ro("images", &images_of, nb::sig("def images(self) -> tuple[int, ...]"),
                "The images of 0, 1, ..., degree-1.");
  c.def_prop_ro("order", &Permutation::order, "The least k > 0 with g ** k = 1.");
  c.def_prop_ro("sign", &Permutation::sign, "1 for even permutations, -1 for odd ones.");
  c.def_prop_ro("is_identity", &Permutation::is_identity, "Does it fix every point?");
  c.def_prop_ro(
      "cycle_type",
      [](const Permutation& g) {
        nb::list lengths;
        for (const Point x : g.cycle_type()) lengths.append(x);
        return nb::tuple(lengths);
      },
      nb::sig("def cycle_type(self) -> tuple[int, ...]"),
      "The lengths of all cycles, fixed points included, weakly decreasing.");
  c.def("inverse", &Permutation::inverse, "The inverse; also g ** -1.");
  c.def(
      "__call__",
      [](const Permutation& g, std::int64_t point) {
        return g(
            static_cast<Point>(index_below(point < 0 ? static_cast<std::int64_t>(g.degree()) : point, g.degree())));
      },
      nb::arg("point"), "The image of a point (0-based).");
  c.def(
      "__mul__", [](const Permutation& g, const Permutation& h) { return g * h; }, nb::is_operator(), nb::arg("other"));
  c.def(
      "__pow__", [](const Permutation& g, const Integer& k) { return g.power(k); }, nb::is_operator(), nb::arg("k"));
  c.def("__len__", &Permutation::degree);
  bind_value<Permutation>(c, [](const Permutation& g) { return hash_of(g); });
  c.def(
      "__lt__", [](const Permutation& g, const Permutation& h) { return g < h; }, nb::is_operator(), nb::arg("other"));
  c.def("__str__", &Permutation::to_string);
  c.def("__repr__", [](const Permutation& g) {
    return "Permutation(" + quoted(g.to_string()) + ", " + std::to_string(g.degree()) + ")";
  });
  def_python(c, "to_sympy", "intertwine._gates", "permutation_to_sympy", "def to_sympy(self) -> typing.Any",
             "The permutation in SymPy.");
  c.def(
      "__reduce__", [](const Permutation& g) { return reduced(nb::type<Permutation>(), images_of(g)); },
      nb::sig(reduce_signature));
}

}  // namespace intertwine::python
