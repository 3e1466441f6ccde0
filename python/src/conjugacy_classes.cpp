// The conjugacy classes of finite groups.
#include "intertwine/groups/conjugacy_classes.hpp"
#include "bindings.hpp"
#include "intertwine/characters/class_report.hpp"
#include "intertwine/error.hpp"
#include "records.hpp"

namespace intertwine::python {

template <>
inline constexpr auto members<ConjugacyClass> =
    std::tuple(&ConjugacyClass::representative, &ConjugacyClass::size, &ConjugacyClass::element_order,
               &ConjugacyClass::centralizer_order);

namespace {

void bind_classes(nb::module_& m) {
  nb::class_<ConjugacyClass> k(m, "ConjugacyClass", nb::is_final(), "A conjugacy class.");
  k.def_ro("representative", &ConjugacyClass::representative, "One of its elements.");
  k.def_prop_ro(
      "size", [](const ConjugacyClass& c) { return c.size; }, "The number of its elements.");
  k.def_ro("element_order", &ConjugacyClass::element_order, "The order of its elements.");
  k.def_prop_ro(
      "centralizer_order", [](const ConjugacyClass& c) { return c.centralizer_order; },
      "The number of elements that commute with one of its elements.");
  k.def("__repr__", [](const ConjugacyClass& c) {
    return "<ConjugacyClass of " + c.representative.to_string() + ", " + c.size.str() + " elements of order " +
           std::to_string(c.element_order) + ">";
  });
  bind_record<ConjugacyClass>(k);
  nb::class_<ConjugacyClasses> c(m, "ConjugacyClasses", nb::is_final(),
                                 "All conjugacy classes of a group, the identity first: a sequence of "
                                 "ConjugacyClass, in the order of the character table.");
  c.def_prop_ro("group", &ConjugacyClasses::group, "The group.");
  c.def("__len__", &ConjugacyClasses::size);
  c.def(
      "__getitem__",
      [](const ConjugacyClasses& classes, std::int64_t i) { return classes[index_below(i, classes.size())]; },
      nb::arg("index"));
  c.def(
      "__iter__",
      [](const ConjugacyClasses& classes) {
        nb::list list;
        for (std::size_t i = 0; i < classes.size(); ++i) list.append(classes[i]);
        return nb::iter(list);
      },
      nb::sig("def __iter__(self) -> collections.abc.Iterator[ConjugacyClass]"));
  def_limited(
      c, "index",
      [](const Limits& limits, const ConjugacyClasses& classes, PermutationLike g) {
        const Permutation element = g.on(classes.group().degree());
        return limits.run([&](const Task& task) { return classes.index_of(element, task); });
      },
      nb::arg("element"), "The number of the class of an element (0-based).");
  def_limited(
      c, "power_map",
      [](const Limits& limits, const ConjugacyClasses& classes, Integer k) {
        return limits.run([&](const Task& task) { return classes.power_map(k, task); });
      },
      nb::arg("k"), "For every class the number of the class of the k-th powers; k may be negative.");
  def_limited(
      c, "verify",
      [](const Limits& limits, const ConjugacyClasses& classes) {
        limits.run([&](const Task& task) { verify(classes, task); });
      },
      "Proves again that these are the classes; VerificationError names what fails.");
  c.def("__repr__", [](const ConjugacyClasses& classes) { return group_text(classes.group()) + ".classes()"; });
  c.def(
      "__reduce__",
      [](const ConjugacyClasses& classes) { return reduced_by_method(nb::cast(classes.group()), "classes"); },
      nb::sig(reduce_signature));
  c.def(
      "__eq__", [](const ConjugacyClasses& a, const ConjugacyClasses& b) { return a.group() == b.group(); },
      nb::is_operator(), nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [](const ConjugacyClasses& a) { return static_cast<Py_hash_t>(hash_of(a.group())); });
}

}  // namespace

void bind_conjugacy_classes(nb::module_& m) {
  bind_classes(m);
  auto c = class_of<hom::Group>();
  def_limited(
      c, "classes",
      [](const Limits& limits, const FiniteGroup& G) {
        return limits.run([&](const Task& task) {
          const ClassReport report = class_report(G, {}, task);
          if (!report.known.classes)
            throw LimitError(report.formula
                                 ? report.formula->count.str() +
                                       " conjugacy classes are too many to list: " + report.formula->description
                                 : report.known.reason);
          return *report.known.classes;
        });
      },
      "The conjugacy classes, proved, in the order of the character table. LimitError if they are too many "
      "to list.");
  def_limited(
      c, "number_of_classes",
      [](const Limits& limits, const FiniteGroup& G) {
        return limits.run([&](const Task& task) { return number_of_conjugacy_classes(G, task); });
      },
      "How many conjugacy classes there are, by a formula where there is one.");
}

}  // namespace intertwine::python
