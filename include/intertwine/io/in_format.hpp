// An answer in the format that is asked for, by what it gives of itself: to_json or write_json, to_text, to_latex,
// to_arrays, to_lean, to_system, and to_sheet or to_sheets for the rest.
#pragma once
#include <sstream>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/answer_arrays.hpp"
#include "intertwine/io/format.hpp"
#include "intertwine/io/json_writer.hpp"
#include "intertwine/io/lean_text.hpp"
#include "intertwine/io/sheet.hpp"
#include "intertwine/io/systems_text.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Do the keys of the JSON object go to a stream, piece by piece?
template <class Found>
inline constexpr bool has_json_pieces =
    requires(JsonWriter & json, const Found& found) { write_json(json, found); };

/// The answer as JSON in one text.
template <class Found>
std::string json_of(const Found& found, const Task& task = {}) {
  if constexpr (has_json_pieces<Found>) {
    std::ostringstream out;
    JsonWriter json(out);
    json.open_object();
    write_json(json, found);
    json.close();
    return std::move(out).str();
  } else if constexpr (requires { to_json(found, task); }) {
    return to_json(found, task);
  } else {
    return to_json(found);
  }
}

/// The contents of a file in this format. JSON is one object; text breaks lines at `width` columns; npy and npz are
/// bytes.
/// \throws DomainError for tables of an answer that is none; LimitError through `task`, and what the writers refuse
template <class Found>
std::string in_format(const Found& found, Format format, unsigned width = 80, const Task& task = {}) {
  if (format == Format::json) return json_of(found, task);
  if (format == Format::text) {
    if constexpr (requires { to_text(found, width, task); })
      return to_text(found, width, task);
    else if constexpr (requires { to_text(found, width); })
      return to_text(found, width);
    else
      return to_text(found);
  }
  if constexpr (requires { to_latex(found); })
    if (format == Format::latex) return to_latex(found);
  if constexpr (requires { to_lean(found, task); })
    if (format == Format::lean) return to_lean(found, task);
  if (format == Format::lean)
    throw DomainError("lean is for character tables and all irreducible representations of small groups");
  if constexpr (requires { to_arrays(found, task); })
    if (is_of_arrays(format)) return to_bytes(to_arrays(found, task), format, task);
  if constexpr (requires { to_system(format, found, task); }) {
    if (is_system(format)) return statement(format, to_system(format, found, task));
  } else if constexpr (requires { to_system(format, found); }) {
    if (is_system(format)) return statement(format, to_system(format, found));
  }
  if constexpr (requires { to_sheets(found); })
    return to_format(to_sheets(found), format);
  else if constexpr (requires { to_sheet(found); })
    return to_format({to_sheet(found)}, format);
  else
    throw DomainError(to_string(format) +
                      " is for answers that are tables, and this is none: take text or json");
}

}  // namespace intertwine
