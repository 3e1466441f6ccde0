// The writers of records.
#include "intertwine/io/record.hpp"

#include <sstream>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/systems_text.hpp"

namespace intertwine {

namespace {

[[noreturn]] void refuse_format(Format format) {
  if (format == Format::lean)
    throw DomainError("lean is for character tables and all irreducible representations of small groups");
  throw DomainError(to_string(format) + " is for answers that are tables, and this is none: take text or json");
}

Sheets sheets_of_record(const Record& record, Format format, const Task& task) {
  if (!record.sheets) refuse_format(format);
  return record.sheets(task);
}

}  // namespace

std::string to_text(const Record& record, unsigned width, const Task& task) {
  if (!record.text) refuse_format(Format::text);
  return record.text(width, task);
}

std::string to_latex(const Record& record, const Task& task) {
  return record.latex ? record.latex(task) : to_latex(sheets_of_record(record, Format::latex, task));
}

std::string to_system(Format system, const Record& record, const Task& task) {
  return record.expression ? record.expression(system, task)
                           : to_system(system, sheets_of_record(record, system, task));
}

void write(std::ostream& out, const Record& record, Format format, unsigned width, const Task& task) {
  if (format == Format::json) {
    if (!record.fields) refuse_format(format);
    const JsonPiece members = record.fields(task);
    JsonWriter json(out);
    json.open_object();
    members(json);
    json.close();
  } else if (format == Format::csv && record.csv) {
    record.csv(out, task);
  } else {
    out << in_format(record, format, width, task);
  }
}

std::string in_format(const Record& record, Format format, unsigned width, const Task& task) {
  if (format == Format::json || (format == Format::csv && record.csv)) {
    std::ostringstream out;
    write(out, record, format, width, task);
    return std::move(out).str();
  }
  if (format == Format::text) return to_text(record, width, task);
  if (format == Format::latex) return to_latex(record, task);
  if (format == Format::lean) {
    if (!record.lean) refuse_format(format);
    return record.lean(task);
  }
  if (is_system(format)) return statement(format, to_system(format, record, task));
  if (!is_of_arrays(format)) return to_format(sheets_of_record(record, format, task), format);
  if (!record.arrays) refuse_format(format);
  return to_bytes(record.arrays(task), format, task);
}

std::string to_json(const Record& record, const Task& task) { return in_format(record, Format::json, 0, task); }

}  // namespace intertwine
