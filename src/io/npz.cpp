#include "io/npz.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "intertwine/error.hpp"
#include "io/strict_json.hpp"
#include "io/text.hpp"
#include "io/zip.hpp"

namespace intertwine {
namespace {

using nlohmann::json;

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t max_metadata_bytes = 100'000'000;
constexpr std::uint64_t max_npy_header = 1U << 16;

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t joined_checksum(std::uint32_t first, std::uint32_t second, std::uint64_t second_bytes) {
  return static_cast<std::uint32_t>(crc32_combine(first, second, static_cast<z_off_t>(second_bytes)));
}

// Version 1.0 of the array header, padded so that the array begins at a multiple of 64 of the entry.
std::string npy_header(std::string_view descr, const std::vector<std::uint64_t>& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t bare = magic.size() + 4 + text.size() + 1;
  text.append((64 - bare % 64) % 64, ' ');
  text += '\n';
  std::string out(magic);
  out += std::string{'\1', '\0', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  return out + text;
}

std::string metadata_entry(const Metadata& metadata) {
  const std::string text = json(metadata).dump();
  return npy_header(fmt::format("|S{}", text.size()), {}) + text;
}

// The dictionary of an array header: a Python literal with three known keys. Nothing else is accepted.
class NpyHeader {
 public:
  std::string descr;
  bool fortran_order = true;
  std::vector<std::uint64_t> shape;

  static std::optional<NpyHeader> parse(std::string_view text) {
    NpyHeader out;
    out.rest_ = text;
    if (!out.dictionary() || out.seen_ != 7) return std::nullopt;
    return out;
  }

 private:
  bool dictionary() {
    if (!symbol('{')) return false;
    while (!symbol('}')) {
      const auto key = quoted();
      if (!key || !symbol(':') || !value(*key)) return false;
      if (!symbol(',')) {
        if (!symbol('}')) return false;
        break;
      }
    }
    skip_spaces();
    return rest_.empty();
  }

  bool value(const std::string& key) {
    const unsigned bit = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
    if (bit == 0 || (seen_ & bit) != 0) return false;
    seen_ |= bit;
    if (bit == 4) return tuple();
    if (bit == 2) {
      skip_spaces();
      fortran_order = rest_.starts_with("True");
      const std::size_t length = fortran_order ? 4 : 5;
      if (!fortran_order && !rest_.starts_with("False")) return false;
      rest_.remove_prefix(length);
      return true;
    }
    const auto text = quoted();
    if (text) descr = *text;
    return text.has_value();
  }

  bool tuple() {
    if (!symbol('(')) return false;
    while (!symbol(')')) {
      skip_spaces();
      std::uint64_t side = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), side);
      if (error != std::errc{} || shape.size() >= 8) return false;
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      shape.push_back(side);
      if (!symbol(',')) return symbol(')');
    }
    return true;
  }

  std::optional<std::string> quoted() {
    skip_spaces();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return std::nullopt;
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string out(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    if (out.find('\\') != std::string::npos) return std::nullopt;
    return out;
  }

  bool symbol(char c) {
    skip_spaces();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void skip_spaces() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
  }

  std::string_view rest_;
  unsigned seen_ = 0;
};

// The array of one zip entry: its place, its type as safetensors spells it ("S17" stays as it is), its shape.
StoredArray parse_npy(const ByteSource& source, const ZipMember& member) {
  const auto refuse = [&](std::string_view why) {
    throw FileError(fmt::format("{}: the entry \"{}\" {}", source.name(), shown(member.name), why));
  };
  if (member.bytes < magic.size() + 4) refuse("is too short for an array");
  std::string head = source.text(member.offset, magic.size() + 4);
  if (!std::string_view(head).starts_with(magic)) refuse("is no NumPy array");
  const unsigned version = static_cast<unsigned char>(head[6]);
  if (version < 1 || version > 3) refuse("has an unknown version of the array header");
  if (version > 1) head = source.text(member.offset, std::min<std::uint64_t>(member.bytes, magic.size() + 6));
  std::uint64_t length = 0;
  for (std::size_t k = 8; k < head.size(); ++k)
    length |= std::uint64_t{static_cast<unsigned char>(head[k])} << (8 * (k - 8));
  if (length > max_npy_header || length > member.bytes - head.size())
    refuse("has an array header that is too long");
  head += source.text(member.offset + head.size(), length);
  const auto parsed = NpyHeader::parse(std::string_view(head).substr(head.size() - length));
  if (!parsed) refuse("has an array header that is not understood");
  if (parsed->fortran_order) refuse("is stored by columns (Fortran order); save it in C order");

  StoredArray array;
  array.name = member.name.substr(0, member.name.size() - 4);
  const auto known = dtype_of_descr(parsed->descr);
  array.dtype = known ? dtype_name(*known) : std::string_view(parsed->descr);
  array.shape = parsed->shape;
  array.offset = member.offset + head.size();
  array.bytes = member.bytes - head.size();
  array.has_crc = true;
  array.entry_crc = member.crc;
  array.prefix_crc = checksum(head);
  return array;
}

Metadata parse_metadata(const ByteSource& source, const StoredArray& array) {
  const std::string& name = source.name();
  if (array.bytes > max_metadata_bytes || !array.shape.empty() ||
      array.dtype != fmt::format("|S{}", array.bytes))
    throw FileError(fmt::format("{}: metadata is not one string of bytes (a 0-d array of type S)", name));
  const std::string text = source.text(array.offset, array.bytes);
  if (joined_checksum(array.prefix_crc, checksum(text), array.bytes) != array.entry_crc)
    throw FileError(fmt::format("{}: damaged: the checksum of metadata is wrong", name));
  const json entries = parse_strict_json(text, name, {2, std::uint64_t{1} << 16});
  if (!entries.is_object()) throw FileError(fmt::format("{}: metadata is no JSON object", name));
  Metadata out;
  for (const auto& [key, value] : entries.items()) {
    if (!value.is_string())
      throw FileError(fmt::format("{}: the metadata \"{}\" is no string", name, shown(key)));
    out.emplace(key, value.get<std::string>());
  }
  return out;
}

}  // namespace

FileLayout npz_layout(const Metadata& metadata, const std::vector<PlannedArray>& arrays, bool force_zip64) {
  const std::uint64_t metadata_bytes = metadata_entry(metadata).size();
  if (metadata_bytes > max_metadata_bytes)
    throw LimitError(
        fmt::format("the metadata of the table takes {} bytes, and NPZ files hold at most {}; shorten it",
                    metadata_bytes, max_metadata_bytes));
  std::vector<ZipEntry> entries = {{"metadata.npy", metadata_bytes}};
  std::vector<std::string> heads;
  for (const PlannedArray& array : arrays) {
    heads.push_back(npy_header(npy_descr(array.dtype), array.shape));
    entries.push_back({fmt::format("{}.npy", array.name), heads.back().size() + array.bytes});
  }
  const ZipLayout zip(std::move(entries), force_zip64);
  FileLayout layout;
  layout.size = zip.size();
  layout.needs_crc = true;
  for (std::size_t k = 0; k < arrays.size(); ++k)
    layout.array_offset.push_back(zip.contents_offset(k + 1) + heads[k].size());
  layout.pieces = [metadata, arrays, heads, zip](const std::string& sha256,
                                                 std::span<const std::uint32_t> array_crcs) {
    const std::string text = metadata_entry(with_sha256(metadata, sha256));
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
  bool has_metadata = false;
  for (const ZipMember& member : parse_zip(source)) {
    if (member.name == "metadata.npy") {
      table.metadata = parse_metadata(source, parse_npy(source, member));
      has_metadata = true;
    }
    for (const std::string_view name : names)
      if (member.name == fmt::format("{}.npy", name)) table.arrays.push_back(parse_npy(source, member));
  }
  if (!has_metadata)
    throw FileError(fmt::format("{}: it has no entry \"metadata\", so it is no table", source.name()));
  std::sort(table.arrays.begin(), table.arrays.end(), [](const StoredArray& a, const StoredArray& b) {
    return earlier_in_section(a.dtype, a.name, b.dtype, b.name);
  });
  return table;
}

}  // namespace intertwine
