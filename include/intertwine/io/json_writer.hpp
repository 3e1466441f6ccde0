// JSON piece by piece, for answers too large to be held as text: two blanks a level, one member or item a line, as in all
// answers. A row of a matrix is one item.
#pragma once
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace intertwine {

/// JSON as text, for every answer and message: names of files and what users type may be no UTF-8, of which JSON is made, and
/// bytes that are none are U+FFFD in it. \tparam Json  nlohmann's values, which public headers do not include
/// \param indent  blanks a level; -1: on one line
template <class Json>
std::string json_text(const Json& value, int indent = 2) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// Writes to a stream what is said, in the order of the text. Only the levels that are open are kept.
class JsonWriter {
 public:
  /// The stream must outlive the writer, and keeps its state: who cares whether it took all asks it.
  explicit JsonWriter(std::ostream& out) : out_(out) {}

  JsonWriter& open_object() { return open('{'); }
  JsonWriter& open_list() { return open('['); }
  /// Ends the object or list that was opened last.
  JsonWriter& close();
  /// The name of the next value, inside an object.
  JsonWriter& key(std::string_view name);
  /// A value that is JSON already, on lines indented from 0, for example by to_json().
  JsonWriter& value(std::string_view json);
  /// All members of an object that is JSON already: "{", lines, "}".
  JsonWriter& members(std::string_view object);

 private:
  struct Level {
    char end;
    bool empty;
  };
  JsonWriter& open(char bracket);
  void begin_value();
  void begin_item();
  JsonWriter& finish(std::string_view lines, std::size_t level);

  std::ostream& out_;
  std::vector<Level> levels_;
  bool named_ = false;  // a key waits for its value
  std::string piece_;   // what goes to the stream at once
};

/// A part of a document that is written when its turn comes. All that can fail has been done before.
using JsonPiece = std::function<void(JsonWriter&)>;

}  // namespace intertwine
