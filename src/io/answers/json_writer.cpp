// Writes JSON piece by piece.
#include "intertwine/io/json_writer.hpp"

#include "intertwine/error.hpp"
#include "io/answers/json_values.hpp"

namespace intertwine {

/// The comma after the item before, and a line for the next one.
void JsonWriter::begin_item() {
  Level& level = levels_.back();
  piece_ += level.empty ? "\n" : ",\n";
  piece_.append(2 * levels_.size(), ' ');
  level.empty = false;
}

void JsonWriter::begin_value() {
  piece_.clear();
  if (!levels_.empty() && levels_.back().end == '}') {
    if (!named_) throw InternalError("JsonWriter: a value in an object without a key");
    named_ = false;
  } else if (!levels_.empty()) {
    begin_item();
  }
}

JsonWriter& JsonWriter::open(char bracket) {
  begin_value();
  piece_ += bracket;
  levels_.push_back({bracket == '{' ? '}' : ']', true});
  out_ << piece_;
  return *this;
}

JsonWriter& JsonWriter::close() {
  if (levels_.empty() || named_) throw InternalError("JsonWriter: nothing to close");
  const Level level = levels_.back();
  levels_.pop_back();
  piece_.assign(level.empty ? "" : "\n");
  if (!level.empty) piece_.append(2 * levels_.size(), ' ');
  piece_ += level.end;
  out_ << piece_;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  if (levels_.empty() || levels_.back().end != '}' || named_)
    throw InternalError("JsonWriter: a key outside an object");
  piece_.clear();
  begin_item();
  piece_ += json_text(OrderedJson(name), -1) + ": ";
  named_ = true;
  out_ << piece_;
  return *this;
}

/// The lines, with the blanks of so many levels before all but the first.
JsonWriter& JsonWriter::finish(std::string_view lines, std::size_t level) {
  for (;;) {
    const std::size_t end = lines.find('\n');  // none of these is inside a string: JSON escapes them
    piece_ += lines.substr(0, end);
    if (end == std::string_view::npos) break;
    piece_ += '\n';
    piece_.append(2 * level, ' ');
    lines.remove_prefix(end + 1);
  }
  out_ << piece_;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view json) {
  begin_value();
  return finish(json, levels_.size());
}

JsonWriter& JsonWriter::members(std::string_view object) {
  if (object == "{}") return *this;
  if (levels_.empty() || levels_.back().end != '}' || named_ || !object.starts_with("{\n  ") ||
      !object.ends_with("\n}"))
    throw InternalError("JsonWriter: members that are not those of an object");
  piece_.clear();
  begin_item();
  return finish(object.substr(4, object.size() - 6),
                levels_.size() - 1);  // they bring the blanks of one level
}

}  // namespace intertwine
