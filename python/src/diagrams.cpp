// Tables of diagrams: layers for every size.
#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/diagram_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/numeric/diagram_layer.hpp"
#include "tables.hpp"

namespace intertwine::python {

namespace {

using Groups = std::variant<std::string, std::map<std::string, std::string>>;
using Sizes = std::variant<std::monostate, std::uint64_t, std::map<std::string, std::uint64_t>>;

std::vector<DiagramGroup> groups_of(const Groups& given, const std::string& letters) {
  if (const auto* one = std::get_if<std::string>(&given)) return {letters.size(), parse_diagram_group(*one)};
  const auto& by_letter = std::get<std::map<std::string, std::string>>(given);
  std::vector<DiagramGroup> groups(letters.size());
  for (const auto& [letter, group] : by_letter) {
    const std::size_t at = letter.size() == 1 ? letters.find(letter) : std::string::npos;
    if (at == std::string::npos)
      throw DomainError("there is no axis '" + letter + "' to act on; the letters are '" + letters + "'");
    groups[at] = parse_diagram_group(group);
  }
  return groups;
}

std::vector<std::uint64_t> sizes_of(const DiagramTable& t, const Sizes& given) {
  const std::string letters = t.letters();
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    std::uint64_t size = t.groups[i].size;
    if (const auto* n = std::get_if<std::uint64_t>(&given); n != nullptr && size == 0) size = *n;
    if (const auto* by_letter = std::get_if<std::map<std::string, std::uint64_t>>(&given))
      if (const auto found = by_letter->find(std::string(1, letters[i])); found != by_letter->end())
        size = found->second;
    if (size == 0) throw DomainError(std::string("say the size of the axes '") + letters[i] + "', from 1 on");
    sizes.push_back(size);
  }
  return sizes;
}

nb::object words(const DiagramTable& t, bool bias) {
  std::size_t axes = 0;
  for (const DiagramAxis& axis : t.axes()) axes += !bias || axis.output;
  return owned_array<const std::int32_t>(bias ? t.bias_diagrams : t.diagrams, {bias ? t.bias_params : t.params, axes});
}

std::string table_repr(const DiagramTable& t) {
  return fmt::format("<DiagramTable '{}' -> '{}', {}, {} diagrams, {} of the bias>", t.axes_in, t.axes_out,
                     groups_text(t), t.params, t.bias_params);
}

void bind_table(nb::class_<DiagramTable>& c) {
  c.def_ro("axes_in", &DiagramTable::axes_in, "A letter for every axis of x, with * or + behind it: 'aa', 'vv*'.");
  c.def_ro("axes_out", &DiagramTable::axes_out, "The same for y.");
  c.def_prop_ro(
      "groups",
      [](const DiagramTable& t) {
        std::map<std::string, std::string> groups;
        for (std::size_t i = 0; i < t.groups.size(); ++i)
          groups[std::string(1, t.letters()[i])] = to_string(t.groups[i]);
        return groups;
      },
      "Of every letter the group: {'a': 'S(n)'}.");
  c.def_prop_ro(
      "reduction", [](const DiagramTable& t) { return t.mean ? "mean" : "sum"; },
      "'mean' or 'sum': whether sums are divided by the numbers of their points.");
  c.def_prop_ro(
      "channels", [](const DiagramTable& t) { return std::pair(t.channels.out, t.channels.in); },
      "(out, in): theta is [params, out, in].");
  c.def_ro("params", &DiagramTable::params, "How many diagrams there are.");
  c.def_ro("bias_params", &DiagramTable::bias_params, "How many of the bias.");
  c.def_prop_ro(
      "diagrams", [](const DiagramTable& t) { return words(t, false); },
      nb::sig("def diagrams(self) -> numpy.typing.NDArray[numpy.int32]"),
      "[params, axes] for every diagram the number of the block of each axis, those of y first; blocks of "
      "every letter are counted from "
      "0,\nthose of the determinant are -1, -2, ...");
  c.def_prop_ro(
      "bias_diagrams", [](const DiagramTable& t) { return words(t, true); },
      nb::sig("def bias_diagrams(self) -> numpy.typing.NDArray[numpy.int32]"),
      "[bias_params, axes of y] the same for the bias.");
  c.def_prop_ro(
      "sha256", [](const DiagramTable& t) { return digest(t); }, "The digest that a file of it states.");
  c.def(
      "select",
      [](const DiagramTable& t, const std::vector<std::uint64_t>& weights, const std::vector<std::uint64_t>& biases) {
        return selected_diagrams(t, weights, biases);
      },
      nb::arg("weights"), nb::arg("biases"), "The table of some of its diagrams, by their places, in this order.");
  def_limited(
      c, "dimension",
      [](const Limits& limits, const DiagramTable& t, const Sizes& n) {
        return limits.run([&](const Task& task) {
          const DiagramDimensions found = dimensions(t, sizes_of(t, n), task);
          return std::pair(found.weights, found.bias);
        });
      },
      nb::arg("n") = nb::none(),
      "How many independent equivariant maps, and invariants of the output, there are at size n (by letter, "
      "a dict), by characters and without "
      "any diagram.");
  c.def(
      "initial_variance",
      [](const DiagramTable& t, std::uint64_t n, double gain) { return initial_variance(t, sizes_at(t, n), gain); },
      nb::arg("n") = 1, nb::arg("gain") = 1.0,
      "The variance of every theta[p] to begin with, at size n (n + 1 where only even sizes are): "
      "intertwine.nn.Tensors.reset_parameters says "
      "which.");
  def_limited(
      c, "verify",
      [](const Limits& limits, const DiagramTable& t) {
        return limits.run([&](const Task& task) { return verify(t, task); });
      },
      "Lists the diagrams again and compares how many there are with the characters at growing n; "
      "VerificationError where both differ.");
  def_limited(
      c, "save",
      [](const Limits& limits, const DiagramTable& t, Path path) {
        return limits.run([&](const Task& task) { return write_diagrams(path.value, t, task); });
      },
      nb::arg("path"), "Writes .safetensors, .npz, .h5 or .json, atomically; gives the sha256.");
  c.def(
      "__eq__",
      [](const DiagramTable& a, const DiagramTable& b) { return a.channels == b.channels && digest(a) == digest(b); },
      nb::is_operator(), nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [](const DiagramTable& t) { return static_cast<Py_hash_t>(std::hash<std::string>()(digest(t))); });
  c.def("__str__", [](const DiagramTable& t) { return to_text(record(t)); });
  c.def("__repr__", &table_repr);
  bind_copies<DiagramTable>(c);
  using State = std::tuple<std::string, std::string, std::vector<std::string>, bool, std::uint64_t, std::uint64_t,
                           std::uint64_t, std::uint64_t, std::vector<std::int32_t>, std::vector<std::int32_t>>;
  c.def("__getstate__", [](const DiagramTable& t) -> State {
    std::vector<std::string> groups;
    for (const DiagramGroup& group : t.groups) groups.push_back(to_string(group));
    return {t.axes_out,    t.axes_in, groups,        t.mean,     t.channels.out,
            t.channels.in, t.params,  t.bias_params, t.diagrams, t.bias_diagrams};
  });
  c.def(
      "__setstate__",
      [](DiagramTable& t, const State& state) {
        const auto& [out, in, names, mean, channels_out, channels_in, params, bias_params, words, bias] = state;
        std::vector<DiagramGroup> groups;
        for (const std::string& name : names) groups.push_back(parse_diagram_group(name));
        DiagramTable made{out, in, groups, mean, {}, params, bias_params, words, bias, {}};
        made.channels.out = channels_out, made.channels.in = channels_in;
        require_consistent(made);
        new (&t) DiagramTable(std::move(made));
      },
      nb::arg("state"));
}

}  // namespace

void bind_diagrams(nb::module_& m) {
  nb::class_<DiagramTable> c(m, "DiagramTable", nb::is_final(),
                             "The equivariant linear maps between tensors for every size of a group at once: "
                             "diagrams, each with a parameter. intertwine.nn.Tensors is the "
                             "layer.");
  bind_table(c);
  nb::class_<DiagramProof> p(m, "DiagramProof", nb::is_final(),
                             "What verify() proved of a table of diagrams. All of it holds.");
  p.def_ro("table", &DiagramProof::table, "The table.");
  p.def_prop_ro("complete", &DiagramProof::is_complete, "Are its diagrams all that there are?");
  p.def_prop_ro(
      "dimensions",
      [](const DiagramProof& p) {
        std::vector<std::tuple<std::vector<std::uint64_t>, std::uint64_t, std::uint64_t>> out;
        for (const auto& [sizes, found] : p.dimensions) out.emplace_back(sizes, found.weights, found.bias);
        return out;
      },
      "(sizes of the letters, maps, biases) for n = 1, 2, ... until all diagrams are independent.");
  p.def(
      "to_json", [](const DiagramProof& p) { return to_json(proof_record(p)); }, "A JSON object.");
  p.def("__str__", [](const DiagramProof& p) { return to_text(proof_record(p)); });
  p.def("__repr__", [](const DiagramProof& p) {
    return fmt::format("<DiagramProof of {} diagrams, of {}>", p.table.params, p.diagrams);
  });
  bind_by<DiagramProof>(p, [](const DiagramProof& p) { return nb::make_tuple(p.table); });
  p.def(
      "__reduce__", [](const DiagramProof& p) { return reduced_by_method(nb::cast(p.table), "verify"); },
      nb::sig(reduce_signature));
  m.def("diagrams",
        limited(+[](const Limits& limits, const Groups& group, const std::string& axes_in, const std::string& axes_out,
                    std::uint64_t in_channels, std::uint64_t out_channels, const std::string& reduction) {
          if (reduction != "mean" && reduction != "sum")
            throw DomainError("the reduction " + quoted(reduction) + " is not known; reductions are mean, sum");
          DiagramTable words;
          words.axes_in = axes_in, words.axes_out = axes_out;
          return limits.run([&](const Task& task) {
            return diagram_table(axes_out, axes_in, groups_of(group, words.letters()), reduction == "mean",
                                 {out_channels, in_channels}, task);
          });
        }),
        nb::arg("group"), nb::arg("axes_in"), nb::arg("axes_out"), nb::arg("in_channels") = 1,
        nb::arg("out_channels") = 1, nb::arg("reduction") = "mean", nb::kw_only(), nb::arg("memory") = nb::none(),
        nb::arg("seconds") = nb::none(), nb::arg("progress") = nb::none(), nb::arg("threads") = nb::none(),
        "All diagrams from axes to axes, for every n: diagrams('S(n)', 'aa', 'a'). group: one for all letters "
        "or a dict by letter, 'S(n)', 'B(n)', "
        "'O(n)',\n'Sp(n)', 'GL(n)', 'U(n)', or of one size, 'O(3)', 'SO(3)', 'SL(3)', 'SU(3)'. A star marks a "
        "dual axis, a plus one of B(n) without signs.");
  m.def("load_diagrams", limited(+[](const Limits& limits, Path path) {
          return limits.run([&](const Task& task) { return read_diagrams(path.value, task); });
        }),
        nb::arg("path"), nb::kw_only(), nb::arg("memory") = nb::none(), nb::arg("seconds") = nb::none(),
        nb::arg("progress") = nb::none(), nb::arg("threads") = nb::none(),
        "Reads a table of diagrams: safetensors, NPZ or JSON. Everything in the file is checked, and its "
        "digest.");
}

}  // namespace intertwine::python
