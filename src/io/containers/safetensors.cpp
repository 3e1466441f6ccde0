// Weight tables as safetensors files.
#include "io/containers/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "intertwine/error.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"

namespace intertwine {
namespace {

using nlohmann::json;

constexpr std::uint64_t length_bytes = 8;
constexpr std::uint64_t max_header_bytes = 100'000'000;  // the limit of the safetensors library

std::string little_endian(std::uint64_t value, unsigned bytes) {
  std::string out;
  for (unsigned k = 0; k < bytes; ++k) out += static_cast<char>((value >> (8 * k)) & 0xFF);
  return out;
}

// The length, the header, and spaces so that the data section begins at a multiple of 8.
std::string file_head(const Metadata& metadata, const std::vector<PlannedArray>& arrays) {
  nlohmann::ordered_json head;
  head["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const PlannedArray& array : arrays) {
    head[std::string(array.name)] = {
        {"dtype", dtype_name(array.dtype)}, {"shape", array.shape}, {"data_offsets", {offset, offset + array.bytes}}};
    offset += array.bytes;
  }
  std::string text = head.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  return little_endian(text.size(), length_bytes) + text;
}

// Bytes of an item of every type that safetensors knows; arrays that are not read are sized by it.
std::optional<unsigned> known_item_bytes(const std::string& dtype) {
  static const std::map<std::string, unsigned> sizes = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"U16", 2}, {"I16", 2}, {"F16", 2},
      {"BF16", 2}, {"U32", 4}, {"I32", 4}, {"F32", 4},     {"U64", 8},     {"I64", 8}, {"F64", 8}};
  const auto found = sizes.find(dtype);
  if (found == sizes.end()) return std::nullopt;
  return found->second;
}

std::optional<std::vector<std::uint64_t>> whole_numbers(const json& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<std::uint64_t> out;
  for (const json& item : list) {
    if (!item.is_number_unsigned()) return std::nullopt;
    out.push_back(item.get<std::uint64_t>());
  }
  return out;
}

StoredArray parse_array(const std::string& name, const json& entry, std::uint64_t data_bytes, const std::string& file) {
  const auto refuse = [&](std::string_view why) {
    throw FileError(fmt::format("{}: the array \"{}\" {}", file, shown(name), why));
  };
  StoredArray array;
  array.name = name;
  if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() || !entry.contains("shape") ||
      !entry.contains("data_offsets"))
    refuse("lacks dtype, shape or data_offsets");
  array.dtype = entry["dtype"].get<std::string>();
  const auto shape = whole_numbers(entry["shape"]);
  const auto offsets = whole_numbers(entry["data_offsets"]);
  if (!shape || !offsets || offsets->size() != 2) refuse("has a shape or offsets that are not whole numbers");
  const std::uint64_t begin = (*offsets)[0];
  const std::uint64_t end = (*offsets)[1];
  if (begin > end || end > data_bytes) refuse("reaches beyond the end of the file, which may be truncated");
  array.shape = *shape;
  array.offset = begin;
  array.bytes = end - begin;
  if (const auto item = known_item_bytes(array.dtype)) {
    std::uint64_t bytes = *item;
    for (const std::uint64_t side : array.shape) bytes = side == 0 || bytes == 0 ? 0 : saturated_product(bytes, side);
    if (bytes != array.bytes) refuse("has offsets that do not fit its shape");
  }
  return array;
}

// Arrays in the order of their offsets, without holes, overlaps or bytes left over.
void require_tiling(std::vector<StoredArray>& arrays, std::uint64_t data_bytes, const std::string& file) {
  std::sort(arrays.begin(), arrays.end(), [](const StoredArray& a, const StoredArray& b) {
    return std::pair(a.offset, a.offset + a.bytes) < std::pair(b.offset, b.offset + b.bytes);
  });
  std::uint64_t end = 0;
  for (const StoredArray& array : arrays) {
    if (array.offset != end)
      throw FileError(fmt::format("{}: the array \"{}\" {}", file, shown(array.name),
                                  array.offset < end ? "overlaps another one" : "leaves a gap before it"));
    end += array.bytes;
  }
  if (end != data_bytes) throw FileError(fmt::format("{}: {} bytes follow the last array", file, data_bytes - end));
}

}  // namespace

FileLayout safetensors_layout(const Metadata& metadata, const std::vector<PlannedArray>& arrays) {
  const std::uint64_t head_bytes = file_head(metadata, arrays).size();
  if (head_bytes - length_bytes > max_header_bytes)
    throw LimitError(
        fmt::format("the metadata of the table takes {} bytes, and safetensors holds at most {}; shorten it",
                    head_bytes, max_header_bytes));
  FileLayout layout;
  layout.size = head_bytes;
  for (const PlannedArray& array : arrays) {
    layout.array_offset.push_back(layout.size);
    layout.size += array.bytes;
  }
  layout.pieces = [arrays](const Metadata& digested, std::span<const std::uint32_t>) {
    return std::vector<FilePiece>{{0, file_head(digested, arrays)}};
  };
  return layout;
}

bool is_safetensors(std::string_view first_bytes) {
  if (first_bytes.size() < 9) return false;
  return first_bytes.substr(4, 4) == std::string_view("\0\0\0\0", 4) && first_bytes[8] == '{';
}

StoredTable parse_safetensors(const ByteSource& source) {
  const std::string& name = source.name();
  const std::string stated = source.text(0, length_bytes);
  std::uint64_t header_bytes = 0;
  for (unsigned k = 0; k < length_bytes; ++k)
    header_bytes |= std::uint64_t{static_cast<unsigned char>(stated[k])} << (8 * k);
  if (header_bytes > source.size() - length_bytes)
    throw FileError(fmt::format("{}: its header ends beyond the end of the file, which may be truncated", name));
  if (header_bytes > max_header_bytes)
    throw FileError(
        fmt::format("{}: its header is larger than the {} bytes that safetensors allows", name, max_header_bytes));
  const std::uint64_t data_start = length_bytes + header_bytes;
  const std::uint64_t data_bytes = source.size() - data_start;
  const json head = parse_strict_json(source.text(length_bytes, header_bytes), name, {4, std::uint64_t{1} << 16});
  if (!head.is_object()) throw FileError(fmt::format("{}: its header is no JSON object", name));

  StoredTable table;
  for (const auto& [key, value] : head.items()) {
    if (key != "__metadata__") {
      table.arrays.push_back(parse_array(key, value, data_bytes, name));
      continue;
    }
    if (!value.is_object()) throw FileError(fmt::format("{}: __metadata__ is no JSON object", name));
    for (const auto& [entry, text] : value.items()) {
      if (!text.is_string()) throw FileError(fmt::format("{}: the metadata \"{}\" is no string", name, shown(entry)));
      table.metadata.emplace(entry, text.get<std::string>());
    }
  }
  require_tiling(table.arrays, data_bytes, name);
  for (StoredArray& array : table.arrays) array.offset += data_start;
  return table;
}

}  // namespace intertwine
