// Weight tables in JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "intertwine/error.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"
#include "io/containers/text_tables.hpp"

namespace intertwine {
namespace {

using nlohmann::json;

template <class Item>
std::string list(const std::byte* bytes, std::uint64_t count) {
  std::vector<Item> items(count);
  if (count != 0) std::memcpy(items.data(), bytes, count * sizeof(Item));
  return fmt::format("[{}]", fmt::join(items, ","));
}

std::string list(Dtype dtype, const std::byte* bytes, std::uint64_t count) {
  switch (dtype) {
    case Dtype::u8:
      return list<std::uint8_t>(bytes, count);
    case Dtype::u16:
      return list<std::uint16_t>(bytes, count);
    case Dtype::i32:
      return list<std::int32_t>(bytes, count);
    case Dtype::i64:
      return list<std::int64_t>(bytes, count);
    case Dtype::f64:
    case Dtype::c128:  // of no table
      break;
  }
  std::string out;
  for (std::uint64_t k = 0; k < count; ++k) {
    double item = 0;
    std::memcpy(&item, bytes + k * sizeof(item), sizeof(item));
    // An integer -0 would lose its sign.
    out += (k == 0 ? "" : ",") + (item == 0 && std::signbit(item) ? "-0.0" : fmt::format("{}", item));
  }
  return "[" + out + "]";
}

std::uint64_t largest(Dtype dtype) {
  return dtype == Dtype::u8    ? 255
         : dtype == Dtype::u16 ? 65535
         : dtype == Dtype::i32 ? std::numeric_limits<std::int32_t>::max()
                               : std::numeric_limits<std::int64_t>::max();
}

void append(std::vector<std::byte>& out, const void* item, unsigned bytes) {
  const auto* first = static_cast<const std::byte*>(item);
  out.insert(out.end(), first, first + bytes);
}

// Appends the numbers of one JSON list to `out` in the width of the array's type.
void read_numbers(const json& items, std::uint64_t length, const PlannedArray& array, const std::string& file,
                  std::vector<std::byte>& out) {
  if (!items.is_array() || items.size() != length)
    throw FileError(
        fmt::format("{}: \"{}\" is not a list of {} numbers where one is needed", file, array.name, length));
  if (array.dtype == Dtype::f64) {
    for (const json& item : items) {
      if (!item.is_number())
        throw FileError(fmt::format("{}: \"{}\" holds something else than numbers", file, array.name));
      const double value = item.get<double>();
      append(out, &value, sizeof(value));
    }
    return;
  }
  const std::uint64_t most = largest(array.dtype);
  const bool is_signed = array_names::is_proof(array.name) || array.name.starts_with("diagram.");
  for (const json& item : items) {
    if (is_signed && item.is_number_integer() && !item.is_number_unsigned()) {
      const auto value = item.get<std::int64_t>();
      if (value < -static_cast<std::int64_t>(most))
        throw FileError(fmt::format("{}: \"{}\" holds a number below -{}", file, array.name, most));
      append(out, &value, item_bytes(array.dtype));
      continue;
    }
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() > most)
      throw FileError(
          fmt::format("{}: \"{}\" holds something else than whole numbers up to {}", file, array.name, most));
    const std::uint64_t value = item.get<std::uint64_t>();
    append(out, &value, item_bytes(array.dtype));
  }
}

const json& member(const json& document, std::string_view array, const std::string& file) {
  const auto found = document.find(array);
  if (found == document.end()) throw FileError(fmt::format("{}: \"{}\" is missing", file, array));
  return *found;
}

}  // namespace

std::string json_list(const PlannedArray& array, std::span<const std::byte> bytes) {
  if (array.shape.size() == 1) return list(array.dtype, bytes.data(), array.shape[0]);
  if (array.shape[0] == 0) return "[]";
  const std::uint64_t row_bytes = array.shape[1] * item_bytes(array.dtype);
  std::string out;
  for (std::uint64_t i = 0; i < array.shape[0]; ++i)
    out += (i == 0 ? "[\n" : ",\n") + list(array.dtype, bytes.data() + i * row_bytes, array.shape[1]);
  return out + "\n]";
}

std::string json_document(const Metadata& metadata, std::span<const std::pair<std::string, std::string>> arrays) {
  std::string out = "{\n\"metadata\": " + json(metadata).dump(1);
  for (const auto& [name, text] : arrays) out += fmt::format(",\n\"{}\": {}", name, text);
  return out + "\n}\n";
}

json parse_json_document(std::string_view text, const std::string& name) {
  // Arrays of others may be deeper than those of tables.
  json document = parse_strict_json(text, name, {16, 8 * max_json_entries});
  if (!document.is_object() || !document.contains("metadata") || !document["metadata"].is_object())
    throw FileError(fmt::format("{}: it has no object \"metadata\", so it is no table", name));
  return document;
}

Metadata metadata_of(const json& document, const std::string& name) {
  Metadata out;
  for (const auto& [key, value] : document["metadata"].items()) {
    if (!value.is_string()) throw FileError(fmt::format("{}: the metadata \"{}\" is no string", name, shown(key)));
    out.emplace(key, value.get<std::string>());
  }
  return out;
}

const json& json_list_of(const json& document, std::string_view array, const std::string& name) {
  const json& items = member(document, array, name);
  if (!items.is_array() || items.size() > max_json_entries)
    throw FileError(fmt::format("{}: \"{}\" is not a list of at most {} entries", name, array, max_json_entries));
  return items;
}

void read_json_list(const json& document, const PlannedArray& array, const std::string& name,
                    std::vector<std::byte>& out) {
  const json& items = member(document, array.name, name);
  if (array.shape.size() == 1) return read_numbers(items, array.shape[0], array, name, out);
  if (!items.is_array() || items.size() != array.shape[0])
    throw FileError(fmt::format("{}: \"{}\" is not a list of {} rows", name, array.name, array.shape[0]));
  for (const json& row : items) read_numbers(row, array.shape[1], array, name, out);
}

}  // namespace intertwine
