// Weight tables as .npz files.
#include "io/containers/npz.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <set>

#include "intertwine/error.hpp"
#include "io/containers/npy_header.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"
#include "io/containers/zip.hpp"

namespace intertwine {
namespace {

using nlohmann::json;

constexpr std::uint64_t max_metadata_bytes = 100'000'000;

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t joined_checksum(std::uint32_t first, std::uint32_t second, std::uint64_t second_bytes) {
  return static_cast<std::uint32_t>(crc32_combine(first, second, static_cast<z_off_t>(second_bytes)));
}

std::string metadata_entry(const Metadata& metadata) {
  const std::string text = json(metadata).dump();
  return npy_header(fmt::format("|S{}", text.size()), {}) + text;
}

// The array of one zip entry: its place, its type as safetensors spells it ("S17" stays as it is), its shape.
StoredArray parse_npy(const ByteSource& source, const ZipMember& member) {
  const auto refuse = [&](const std::string& why) {
    throw FileError(fmt::format("{}: the entry \"{}\" {}", source.name(), shown(member.name), why));
  };
  const NpyStart start = parse_npy_start(source, member.offset, member.bytes, refuse);
  if (start.header.fortran_order) refuse("is stored by columns (Fortran order); save it in C order");

  StoredArray array;
  array.name = member.name.substr(0, member.name.size() - 4);
  const auto known = dtype_of_descr(start.header.descr);
  array.dtype = known ? dtype_name(*known) : std::string_view(start.header.descr);
  array.shape = start.header.shape;
  array.offset = member.offset + start.text.size();
  array.bytes = member.bytes - start.text.size();
  array.has_crc = true;
  array.entry_crc = member.crc;
  array.prefix_crc = checksum(start.text);
  return array;
}

Metadata parse_metadata(const ByteSource& source, const StoredArray& array) {
  const std::string& name = source.name();
  if (array.bytes > max_metadata_bytes || !array.shape.empty() || array.dtype != fmt::format("|S{}", array.bytes))
    throw FileError(fmt::format("{}: metadata is not one string of bytes (a 0-d array of type S)", name));
  const std::string text = source.text(array.offset, array.bytes);
  if (joined_checksum(array.prefix_crc, checksum(text), array.bytes) != array.entry_crc)
    throw FileError(fmt::format("{}: damaged: the checksum of metadata is wrong", name));
  const json entries = parse_strict_json(text, name, {2, std::uint64_t{1} << 16});
  if (!entries.is_object()) throw FileError(fmt::format("{}: metadata is no JSON object", name));
  Metadata out;
  for (const auto& [key, value] : entries.items()) {
    if (!value.is_string()) throw FileError(fmt::format("{}: the metadata \"{}\" is no string", name, shown(key)));
    out.emplace(key, value.get<std::string>());
  }
  return out;
}

/// To NumPy the entries "x" and "x.npy" are one array, and it takes the first.
void require_different_arrays(const std::vector<ZipMember>& members, const std::string& file) {
  std::set<std::string_view> names;
  for (const ZipMember& member : members) names.insert(member.name);
  for (const ZipMember& member : members)
    if (names.contains(member.name + ".npy"))
      throw FileError(fmt::format("{}: the entries \"{}\" and \"{}.npy\" are one array to NumPy", file,
                                  shown(member.name), shown(member.name)));
}

}  // namespace

FileLayout npz_layout(const Metadata& metadata, const std::vector<PlannedArray>& arrays, bool force_zip64) {
  const std::uint64_t metadata_bytes = metadata_entry(metadata).size();
  if (metadata_bytes > max_metadata_bytes)
    throw LimitError(fmt::format("the metadata of the table takes {} bytes, and NPZ files hold at most {}; shorten it",
                                 metadata_bytes, max_metadata_bytes));
  std::vector<ZipEntry> entries = {{"metadata.npy", metadata_bytes}};
  std::vector<std::string> heads;
  for (const PlannedArray& array : arrays) {
    heads.push_back(npy_header(std::string(npy_descr(array.dtype)), array.shape));
    entries.push_back({fmt::format("{}.npy", array.name), heads.back().size() + array.bytes});
  }
  const ZipLayout zip(std::move(entries), force_zip64);
  FileLayout layout;
  layout.size = zip.size();
  layout.needs_crc = true;
  for (std::size_t k = 0; k < arrays.size(); ++k)
    layout.array_offset.push_back(zip.contents_offset(k + 1) + heads[k].size());
  layout.pieces = [arrays, heads, zip](const Metadata& digested, std::span<const std::uint32_t> array_crcs) {
    const std::string text = metadata_entry(digested);
    std::vector<std::uint32_t> crcs = {checksum(text)};
    std::vector<FilePiece> pieces = {{0, zip.local_header(0, crcs[0]) + text}};
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      crcs.push_back(joined_checksum(checksum(heads[k]), array_crcs[k], arrays[k].bytes));
      pieces.push_back({zip.header_offset(k + 1), zip.local_header(k + 1, crcs.back()) + heads[k]});
    }
    pieces.push_back({zip.directory_offset(), zip.directory(crcs)});
    return pieces;
  };
  return layout;
}

bool is_zip(std::string_view first_bytes) {
  return first_bytes.starts_with("PK\x03\x04") || first_bytes.starts_with("PK\x05\x06");
}

StoredTable parse_npz(const ByteSource& source, std::span<const std::string_view> names) {
  StoredTable table;
  const std::vector<ZipMember> members = parse_zip(source);
  require_different_arrays(members, source.name());
  const auto metadata = std::find_if(members.begin(), members.end(),
                                     [](const ZipMember& member) { return member.name == "metadata.npy"; });
  if (metadata == members.end())
    throw FileError(fmt::format("{}: it has no entry \"metadata\", so it is no table", source.name()));
  table.metadata = parse_metadata(source, parse_npy(source, *metadata));
  const auto kind = table.metadata.find("intertwine.kind");
  const bool blocks = kind != table.metadata.end() && kind->second == "blocks";
  for (const ZipMember& member : members) {
    const std::string_view name = member.name, within = name.substr(blocks ? array_names::block_of(name).size() : 0);
    if (std::any_of(names.begin(), names.end(), [&](std::string_view wanted) {
          return within.size() == wanted.size() + 4 && within.starts_with(wanted) && within.ends_with(".npy");
        }))
      table.arrays.push_back(parse_npy(source, member));
  }
  std::sort(table.arrays.begin(), table.arrays.end(), [](const StoredArray& a, const StoredArray& b) {
    return earlier_in_section(a.dtype, a.name, b.dtype, b.name);
  });
  return table;
}

}  // namespace intertwine
