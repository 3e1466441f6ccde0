// Tensor properties: TensorForm, and TensorProjection of computed or measured ones.
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>

#include <map>
#include <variant>

#include "arrays.hpp"
#include "bindings.hpp"
#include "component_forms.hpp"
#include "forms.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/tensor_axes.hpp"
#include "intertwine/io/tensor_text.hpp"
#include "intertwine/physics/raman_tensors.hpp"
#include "intertwine/physics/tensor_projection.hpp"
#include "intertwine/physics/tensor_properties.hpp"
#include "modes.hpp"
#include "records.hpp"

namespace intertwine::python {

namespace {

struct TensorAxesTag {
  static constexpr auto name = nb::detail::const_name(
      "str | Matrix | collections.abc.Sequence[collections.abc.Sequence[int | str | fractions.Fraction | "
      "Cyclotomic]]");
};

TensorAxes axes_of_text(const std::string& text) {
  return Limits().run([&](const Task& task) { return parse_tensor_axes(text, task); });
}

/// Axes that are given in words or by their directions.
TensorAxes axes_in_python(nb::handle axes) {
  if (nb::isinstance<nb::str>(axes)) return axes_of_text(nb::cast<std::string>(axes));
  const FieldMatrix rows = exact_matrix(axes).to_field();
  if (rows.rows() != 3 || rows.cols() != 3)
    throw DomainError("axes: three directions of three numbers say them, and this is a matrix of " +
                      std::to_string(rows.rows()) + " x " + std::to_string(rows.cols()));
  std::string text;
  for (std::size_t k = 0; k < 9; ++k) text += (k > 0 ? "," : "") + to_string(rows(k / 3, k % 3));
  return axes_of_text(text);
}

FieldMatrix exact_axes(nb::handle axes) {
  const TensorAxes found = axes_in_python(axes);
  if (!found.exact) throw DomainError("axes: " + found.inexact);
  return *found.exact;
}

void bind_tensor(nb::module_& m) {
  using T = const TensorForm&;
  nb::class_<TensorForm> c(m, "TensorForm", nb::is_final(),
                           "Which components of a tensor property a point group leaves free, exactly, in "
                           "Voigt's notation.");
  c.def_prop_ro(
      "name", [](T t) { return std::string(t.property.name); }, "\"elastic\".");
  c.def_prop_ro(
      "meaning", [](T t) { return std::string(t.property.meaning); }, "\"stress by strain\".");
  c.def_prop_ro(
      "group", [](T t) { return t.group; }, "The point group.");
  c.def_prop_ro(
      "shape", [](T t) { return std::pair(t.property.rows, t.property.cols); }, "Of the matrix.");
  c.def_prop_ro(
      "independent", [](T t) { return t.independent; }, "The free components (row, column), 0-based.");
  c.def_prop_ro(
      "coefficients", [](T t) { return Matrix(t.coefficients); },
      "(rows cols) x independent: component row cols + column of the matrix by the free ones.");
  c.def_prop_ro(
      "entries", [](T t) { return entries_of(t); }, "The matrix as text: \"c11\", \"(c11 - c12)/2\", \"0\".");
  bind_format<[](T t, const Task&) {
    return record(TensorReport{t, t.magnetic.empty() ? t.group.name() : t.magnetic, {}});
  }>(c);
  def_limited(
      c, "in_axes",
      [](const Limits& limits, T t, const Typed<TensorAxesTag>& axes) {
        const FieldMatrix rows = exact_axes(axes.object);
        return limits.run([&](const Task& task) { return entries_of(in_axes(t, rows, task), task); });
      },
      nb::arg("axes"),
      "The matrix in other axes as text, by the same constants: entries of a rotated crystal. axes: the "
      "directions "
      "of the new axes in\n"
      "those of the form, [[1, 1, 0], [-1, 1, 0], [0, 0, 1]], of any lengths, as exact numbers; or text: "
      "'zxz "
      "30,45,60', Euler's angles\n"
      "in degrees, 'zyz 30,45,60', or 'turn 45 about 1,1,1'.\n\n"
      ">>> from intertwine.chem import tensor_form\n"
      ">>> tensor_form('dielectric', 'C4').in_axes('turn 90 about 1,0,0')\n"
      "[['e11', '0', '0'], ['0', 'e33', '0'], ['0', '0', 'e11']]");
  c.def("__repr__", [](T t) {
    return "<TensorForm " + std::string(t.property.name) + " of " + (t.magnetic.empty() ? t.group.name() : t.magnetic) +
           ", " + std::to_string(t.independent.size()) + " components>";
  });
  const auto question = [](T t) {
    return t.magnetic.empty() ? nb::make_tuple(std::string(t.property.name), t.group)
                              : nb::make_tuple(std::string(t.property.name), t.magnetic);
  };
  bind_by<TensorForm>(c, question);
  c.def(
      "__reduce__",
      [question](T t) {
        return nb::make_tuple(nb::module_::import_("intertwine._gates").attr("tensor_form"), question(t));
      },
      nb::sig(reduce_signature));
  def_limited(
      m, "tensor_form",
      [](const Limits& limits, const std::string& name, const std::variant<std::string, FiniteGroup>& group) {
        return limits.run([&](const Task& task) {
          const auto* text = std::get_if<std::string>(&group);
          return text != nullptr ? tensor_report(name, *text, task).form
                                 : tensor_form(tensor_property(name), std::get<FiniteGroup>(group), task);
        });
      },
      nb::arg("property"), nb::arg("group"),
      R"(The form of a tensor property in crystals of a point group.

Axes are as in Nye's tables.

Parameters
----------
property : str
    'elastic', 'piezoelectric', 'dielectric' and others; a wrong name lists them.
group : str or Group
    a point group, or a magnetic one: "-3'm".
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
TensorForm
    how many constants there are, and which components they are.

Raises
------
DomainError
    for another property, or a group that is no point group.

Examples
--------
>>> len(tensor_form('elastic', 'Oh').independent)
3)");
}

struct ConstantsTag {
  static constexpr auto name = nb::detail::const_name("dict[str, float]");
};

/// A class of Python's own.
struct ProjectedTensor {
  TensorProjection projection;
};

void bind_raman_tensors(nb::module_& m) {
  def_limited(
      m, "raman_tensors",
      [](const Limits& limits, const std::variant<std::string, FiniteGroup>& group) {
        const auto species = limits.run([&](const Task& task) {
          const auto* text = std::get_if<std::string>(&group);
          return text != nullptr ? raman_report(*text, task).species
                                 : raman_tensors(std::get<FiniteGroup>(group), task);
        });
        using Matrix = std::vector<std::vector<std::string>>;
        nb::typed<nb::dict, nb::str, std::vector<Matrix>> tensors;
        for (const RamanSpecies& s : species) {
          std::vector<Matrix> partners(s.form.rows / 3);
          for (std::size_t i = 0; i < s.form.rows; ++i)
            partners[i / 3].push_back({s.form.entry(i, 0), s.form.entry(i, 1), s.form.entry(i, 2)});
          tensors[nb::str(s.name.c_str())] = partners;
        }
        return tensors;
      },
      nb::arg("group"),
      R"(The Raman tensors of a point group: the change of the polarizability by a normal mode of each species.

Parameters
----------
group : str or Group
    a point group by its Schoenflies or international symbol.

Returns
-------
dict of str to list
    for every Raman active species the symmetric 3 x 3 matrices of its partners, entries as text with constants a, b,
    c, ... that no two species share. Axes are those of the species' names, z the main one. Partners are x, y and z
    where these belong to the species, else products of them.

Raises
------
DomainError
    unless it is a point group with an end and without time reversal.

Examples
--------
>>> from intertwine.chem import raman_tensors
>>> raman_tensors('Td')['T2'][2]
[['0', 'c', '0'], ['c', '0', '0'], ['0', '0', '0']]

See Also
--------
tensor_form : properties of one form.
)");
}

void bind_tensor_projection(nb::module_& m) {
  using P = const ProjectedTensor&;
  nb::class_<ProjectedTensor> c(m, "TensorProjection", nb::is_final(),
                                "The allowed tensor that is nearest to a given one: see project_tensor.");
  const auto matrix = [](const TensorProjection& p, const std::vector<double>& numbers) {
    return Typed<DoubleArrayTag>{owned_array<const double>(numbers, {p.form.property.rows, p.form.property.cols})};
  };
  c.def_prop_ro(
      "form", [](P p) { return p.projection.form; }, "Which components are free: TensorForm.");
  c.def_prop_ro(
      "given", [matrix](P p) { return matrix(p.projection, p.projection.given); }, "The tensor that was given.");
  c.def_prop_ro(
      "nearest", [matrix](P p) { return matrix(p.projection, p.projection.nearest); },
      "The nearest allowed one, in the same notation.");
  c.def_prop_ro(
      "constants",
      [](P p) {
        nb::dict values;
        const TensorForm& form = p.projection.form;
        for (std::size_t k = 0; k < form.independent.size(); ++k)
          values[form.component(form.independent[k].first, form.independent[k].second).c_str()] =
              p.projection.constants[k];
        return Typed<ConstantsTag>{values};
      },
      "The values of the free components by their names: {\"c11\": 165.7, ...}.");
  c.def_prop_ro(
      "axes", [](P p) { return p.projection.axes; },
      "The directions of the axes of given and nearest in those of the form, as they were given; None if "
      "they are these.");
  c.def_prop_ro(
      "size", [](P p) { return p.projection.size; },
      "The norm of the given tensor, the root of the sum of squares of all its components.");
  c.def_prop_ro(
      "lost", [](P p) { return p.projection.lost; }, "That of the difference of given and nearest.");
  c.def("__repr__", [](P p) {
    return "<TensorProjection " + std::string(p.projection.form.property.name) + ", " +
           std::to_string(p.projection.constants.size()) + " constants>";
  });
  const auto question = [](P p) {
    const TensorForm& t = p.projection.form;
    const nb::object group = t.magnetic.empty() ? nb::cast(t.group) : nb::cast(t.magnetic);
    nb::list rows;
    for (std::size_t i = 0; i < t.property.rows; ++i) {
      nb::list row;
      for (std::size_t j = 0; j < t.property.cols; ++j) row.append(p.projection.given[i * t.property.cols + j]);
      rows.append(nb::tuple(row));
    }
    nb::object axes = nb::none();
    if (p.projection.axes) {
      nb::list directions;
      for (const Vector3& d : *p.projection.axes) directions.append(nb::make_tuple(d[0], d[1], d[2]));
      axes = nb::tuple(directions);
    }
    return nb::make_tuple(std::string(t.property.name), group, nb::tuple(rows), axes);
  };
  bind_by<ProjectedTensor>(c, question);
  c.def(
      "__reduce__",
      [question](P p) {
        return nb::make_tuple(nb::module_::import_("intertwine._gates").attr("project_tensor"), question(p));
      },
      nb::sig(reduce_signature));
  def_limited(
      m, "project_tensor",
      [](const Limits& limits, const std::string& name, const std::variant<std::string, FiniteGroup>& group,
         const Typed<ArrayLikeTag>& array, const std::optional<std::variant<std::string, Matrix3>>& axes) {
        const TensorProperty& property = tensor_property(name);
        const FlatDoubles given = property.rows == 1
                                      ? doubles_of(array.object, {property.cols}, "components of the tensor")
                                      : doubles_of(array.object, {property.rows, property.cols},
                                                   "components of the tensor in Voigt's notation");
        const std::vector<double> numbers(given.data(), given.data() + given.size());
        std::optional<Matrix3> directions;
        if (axes) {
          const auto* words = std::get_if<std::string>(&*axes);
          directions = words != nullptr ? axes_of_text(*words).directions : std::get<Matrix3>(*axes);
        }
        return limits.run([&](const Task& task) {
          const auto* text = std::get_if<std::string>(&group);
          return ProjectedTensor{project_tensor(text != nullptr
                                                    ? tensor_report(name, *text, task).form
                                                    : tensor_form(property, std::get<FiniteGroup>(group), task),
                                                numbers, directions)};
        });
      },
      nb::arg("property"), nb::arg("group"), nb::arg("array"), nb::arg("axes") = nb::none(),
      "The tensor that a point group allows and that is nearest to a computed or measured one: "
      "TensorProjection.\n"
      "array: the matrix of tensor_form, in Voigt's notation (11, 22, 33, 23, 13, 12) and in its axes: [6, "
      "6] of elastic,\n"
      "[3, 6] of piezoelectric, [3] of pyroelectric. Nearest in the sum of squares of all components, in "
      "which those of\n"
      "23 and 32 both count; so it is the mean over the group. axes: the directions of the axes of the array "
      "in those of tensor_form,\n"
      "[[1, 1, 0], [-1, 1, 0], [0, 0, 1]], of any lengths, or text as TensorForm.in_axes reads it; given and "
      "nearest are in them, the constants are "
      "not.\n\n"
      ">>> from intertwine.chem import project_tensor\n"
      ">>> p = project_tensor(\"dielectric\", \"C4\", [[2, 0.25, 0], [0.25, 2.5, 0], [0, 0, 3]])\n"
      ">>> {name: round(x, 9) for name, x in p.constants.items()}, round(p.lost, 9)\n"
      "({'e11': 2.25, 'e33': 3.0}, 0.5)");
}

}  // namespace

void bind_tensor_forms(nb::module_& m) {
  bind_tensor(m);
  bind_raman_tensors(m);
  bind_tensor_projection(m);
}

}  // namespace intertwine::python
