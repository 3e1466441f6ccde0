// Answers as texts for LaTeX, spreadsheets, GAP and Sage, as the program writes them.
#pragma once
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "bindings.hpp"
#include "intertwine/io/kernel_picture.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/sheet.hpp"
#include "intertwine/io/systems_text.hpp"

namespace intertwine::python {

template <class T>
std::string in_system(const Limits& limits, Format system, const T& value) {
  return limits.run([&](const Task& task) {
    if constexpr (std::is_same_v<T, Matrix>)
      return to_system(system, value.to_field(task), task);
    else if constexpr (requires { to_system(system, value, task); })
      return to_system(system, value, task);
    else if constexpr (requires { to_system(system, value); })
      return to_system(system, value);
    else
      return to_system(system, record(value), task);
  });
}

/// to_gap, to_sage and to_magma of a value with to_system or a record, or of one kind of the values of a class; `what`
/// says what the expression is.
template <class Kind = void, class Class>
void bind_systems(nb::class_<Class>& c, const std::string& what) {
  using T = std::conditional_t<std::is_void_v<Kind>, Class, Kind>;
  constexpr auto bind = [](nb::class_<Class>& c, const char* name, auto f, const std::string& doc) {
    def_limited(c, name, f, doc.c_str());
  };
  bind(
      c, "to_gap", [](const Limits& limits, const T& value) { return in_system(limits, Format::gap, value); },
      what + " as an expression that GAP reads.");
  bind(
      c, "to_sage", [](const Limits& limits, const T& value) { return in_system(limits, Format::sage, value); },
      what + " as an expression that Sage reads, and Python after `from sage.all import *`.");
  bind(
      c, "to_magma", [](const Limits& limits, const T& value) { return in_system(limits, Format::magma, value); },
      what + " as an expression that Magma reads.");
}

/// The formats that are text.
inline const std::vector<Format>& text_formats() {
  static const std::vector<Format> formats{Format::text,  Format::json, Format::latex,    Format::gap,  Format::sage,
                                           Format::magma, Format::csv,  Format::markdown, Format::html, Format::lean};
  return formats;
}

/// to_format() of the record that `recorded`(object, task) gives.
template <auto recorded, class T>
void bind_format(nb::class_<T>& c) {
  def_limited(
      c, "to_format",
      [](const Limits& limits, const T& object, const std::string& format, unsigned width) {
        const Format wanted = parse_format(format, text_formats());
        return limits.run([&](const Task& task) { return in_format(recorded(object, task), wanted, width, task); });
      },
      nb::arg("format"), nb::arg("width") = 80,
      "The answer as the program writes it with --format: 'text', 'json', 'latex', 'gap', 'sage', 'magma', "
      "'csv', 'markdown', 'html' or 'lean'. Lines of text have at most `width` columns.");
}
/// The value itself is the answer.
template <class T>
void bind_own_format(nb::class_<T>& c) {
  bind_format<[](const T& value, const Task&) { return record(value); }>(c);
}

/// to_latex, to_csv, to_gap and to_sage of the record that `recorded`(object, task) gives.
template <auto recorded, class T>
void bind_element_forms(nb::class_<T>& c) {
  def_limited(
      c, "to_latex",
      [](const Limits& limits, const T& object) {
        return limits.run([&](const Task& task) { return to_latex(recorded(object, task), task); });
      },
      "Displayed formulas, for \\input at the place of a paragraph.");
  def_limited(
      c, "to_csv",
      [](const Limits& limits, const T& object) {
        return limits.run([&](const Task& task) { return in_format(recorded(object, task), Format::csv, 0, task); });
      },
      "A line for every entry that is not 0, places from 1, below a line of titles.");
  def_limited(
      c, "to_gap",
      [](const Limits& limits, const T& object) {
        return limits.run([&](const Task& task) { return to_system(Format::gap, recorded(object, task), task); });
      },
      "An expression that GAP reads.");
  def_limited(
      c, "to_sage",
      [](const Limits& limits, const T& object) {
        return limits.run([&](const Task& task) { return to_system(Format::sage, recorded(object, task), task); });
      },
      "An expression that Sage reads, and Python after `from sage.all import *`.");
}

/// picture() of what `drawn`(object, task) gives, a KernelPicture.
template <auto drawn, class T>
void bind_kernel_picture(nb::class_<T>& c) {
  def_limited(
      c, "picture",
      [](const Limits& limits, const T& object, const std::optional<Path>& path) -> std::string {
        return limits.run([&](const Task& task) -> std::string {
          const KernelPicture picture = drawn(object, task);
          if (!path) return svg_picture(picture.table, picture.text, task);
          write_picture(path->value, picture.table, picture.text, task);
          return path->value.string();
        });
      },
      nb::arg("path") = nb::none(),
      "The kernels as a picture: SVG text, or a file .svg, .png or .html, whose name is given back. Those on "
      "R^n "
      "are stamps.");
}

}  // namespace intertwine::python
