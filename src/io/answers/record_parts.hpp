// The parts of records, as the sources that make them have them.
#pragma once
#include <functional>
#include <type_traits>
#include <utility>

#include "intertwine/io/record.hpp"
#include "io/answers/json_values.hpp"

namespace intertwine {

/// Fields that are made at once, before the first is written.
template <class Make>
std::function<JsonPiece(const Task&)> at_once(Make make) {
  static_assert(std::is_same_v<std::invoke_result_t<Make, const Task&>, OrderedJson>);
  return [make = std::move(make)](const Task& task) -> JsonPiece {
    return [object = json_text(make(task))](JsonWriter& json) { json.members(object); };
  };
}

/// Fields of which a piece is held at a time.
inline std::function<JsonPiece(const Task&)> piecewise(JsonPiece members) {
  return [members = std::move(members)](const Task&) { return members; };
}

}  // namespace intertwine
