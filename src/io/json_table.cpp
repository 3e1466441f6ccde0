#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <limits>

#include "intertwine/error.hpp"
#include "io/strict_json.hpp"
#include "io/text.hpp"
#include "io/text_tables.hpp"

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
  if (dtype == Dtype::u8) return list<std::uint8_t>(bytes, count);
  return dtype == Dtype::i32 ? list<std::int32_t>(bytes, count) : list<std::int64_t>(bytes, count);
}

// Appends the integers of a JSON list to `out` in the width of `dtype`.
class ListReader {
 public:
  ListReader(std::vector<std::byte>& out, Dtype dtype, std::string_view array, const std::string& file)
      : out_(out), dtype_(dtype), array_(array), file_(file) {}

  void read(const json& items, std::uint64_t length) {
    if (!items.is_array() || items.size() != length)
      throw FileError(
          fmt::format("{}: \"{}\" is not a list of {} numbers where one is needed", file_, array_, length));
    const std::uint64_t most = dtype_ == Dtype::u8    ? 255
                               : dtype_ == Dtype::i32 ? std::numeric_limits<std::int32_t>::max()
                                                      : std::numeric_limits<std::int64_t>::max();
    for (const json& item : items) {
      if (!item.is_number_unsigned() || item.get<std::uint64_t>() > most)
        throw FileError(
            fmt::format("{}: \"{}\" holds something else than whole numbers up to {}", file_, array_, most));
      const std::uint64_t value = item.get<std::uint64_t>();
      const auto* bytes = reinterpret_cast<const std::byte*>(&value);
      out_.insert(out_.end(), bytes, bytes + item_bytes(dtype_));
    }
  }

 private:
  std::vector<std::byte>& out_;
  Dtype dtype_;
  std::string_view array_;
  const std::string& file_;
};

}  // namespace

std::string json_table(const TableHeader& header, std::span<const std::byte> weight,
                       const std::string& sha256) {
  std::string out = "{\n\"metadata\": " + json(file_metadata(header, sha256)).dump(1);
  for (const PlannedArray& array : planned_arrays(header)) {
    out += fmt::format(",\n\"{}\": ", array.name);
    if (array.name != weight_code_name) {
      out += list(array.dtype, array.contents.data(), array.shape[0]);
      continue;
    }
    const std::uint64_t row_bytes = header.cols * item_bytes(array.dtype);
    for (std::uint64_t i = 0; i < header.rows; ++i)
      out += (i == 0 ? "[\n" : ",\n") + list(array.dtype, weight.data() + i * row_bytes, header.cols);
    out += "\n]";
  }
  return out + "\n}\n";
}

JsonTable parse_json_table(std::string_view text, const std::string& name) {
  const json document = parse_strict_json(text, name, {3, 4 * max_json_entries});
  if (!document.is_object() || !document.contains("metadata") || !document["metadata"].is_object())
    throw FileError(fmt::format("{}: it has no object \"metadata\", so it is no table", name));
  JsonTable out;
  for (const auto& [key, value] : document["metadata"].items()) {
    if (!value.is_string())
      throw FileError(fmt::format("{}: the metadata \"{}\" is no string", name, shown(key)));
    out.table.metadata.emplace(key, value.get<std::string>());
  }
  const TableHeader header = header_from_metadata(out.table.metadata, name);
  if (saturated_product(header.rows, header.cols) > max_json_entries)
    throw FileError(fmt::format("{}: JSON tables have at most {} entries", name, max_json_entries));
  for (const PlannedArray& planned : planned_arrays(header)) {
    if (!document.contains(planned.name))
      throw FileError(fmt::format("{}: \"{}\" is missing", name, planned.name));
    const json& items = document[std::string(planned.name)];
    StoredArray array;
    array.name = planned.name;
    array.dtype = dtype_name(planned.dtype);
    array.shape = planned.shape;
    array.offset = out.data.size();
    ListReader reader(out.data, planned.dtype, planned.name, name);
    if (planned.shape.size() == 1) {
      reader.read(items, planned.shape[0]);
    } else {
      if (!items.is_array() || items.size() != header.rows)
        throw FileError(fmt::format("{}: \"{}\" is not a list of {} rows", name, planned.name, header.rows));
      for (const json& row : items) reader.read(row, header.cols);
    }
    array.bytes = out.data.size() - array.offset;
    out.table.arrays.push_back(std::move(array));
  }
  return out;
}

}  // namespace intertwine
