// JSON from strangers: bounded in depth and size, without duplicate keys and NUL bytes, UTF-8 checked.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace intertwine {

struct JsonLimits {
  unsigned depth = 16;                            ///< nested arrays and objects
  std::uint64_t values = std::uint64_t{1} << 22;  ///< numbers, strings, arrays, objects and keys in all
  bool texts_of_decimals = false;  ///< a number that is no integer of 64 bits is its text, of the type binary
};

/// \param name  what messages call the text, for example a file name
/// \throws FileError  "NAME: not valid JSON at byte 17: ..." for text that is not one JSON document within
/// the limits.
nlohmann::json parse_strict_json(std::string_view text, const std::string& name, const JsonLimits& limits = {});

}  // namespace intertwine
