// Zip archives, read strictly.
#include "io/containers/zip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <set>
#include <string_view>

#include "intertwine/error.hpp"
#include "io/containers/inflate.hpp"
#include "io/containers/text.hpp"

namespace intertwine {
namespace {

constexpr std::uint32_t local_signature = 0x04034b50, central_signature = 0x02014b50, end_signature = 0x06054b50,
                        end64_signature = 0x06064b50, locator_signature = 0x07064b50;
constexpr std::uint64_t local_bytes = 30, end_bytes = 22, end64_bytes = 56, locator_bytes = 20;
constexpr std::uint64_t narrow_limit = 0xFFFFFFFF;  // the value that says "see the zip64 field"
constexpr std::uint64_t max_directory = 1U << 20;   // a table has four entries
constexpr std::uint64_t deflated = 8;               // the method
constexpr std::uint16_t zip64_id = 1, utf8_flag = 1U << 11, first_of_1980 = 0x21;

std::string number(std::uint64_t value, unsigned bytes) {
  std::string out;
  for (unsigned k = 0; k < bytes; ++k) out += static_cast<char>((value >> (8 * k)) & 0xFF);
  return out;
}

std::string narrow(std::uint64_t value, bool wide) { return number(wide ? narrow_limit : value, 4); }

// Reads little-endian fields of a structure that was taken from the file, and never beyond it.
class Fields {
 public:
  Fields(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}
  std::uint64_t next(unsigned bytes) {
    const std::string_view part = take(bytes);
    std::uint64_t out = 0;
    for (unsigned k = 0; k < bytes; ++k) out |= std::uint64_t{static_cast<unsigned char>(part[k])} << (8 * k);
    return out;
  }
  std::uint32_t next32() { return static_cast<std::uint32_t>(next(4)); }
  std::string_view take(std::uint64_t bytes) {
    if (bytes > bytes_.size()) throw FileError(fmt::format("{}: a structure of the zip file is truncated", file_));
    const std::string_view out = bytes_.substr(0, bytes);
    bytes_.remove_prefix(bytes);
    return out;
  }
  bool empty() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
  const std::string& file_;
};

// The fields that a local header and a directory entry have in common.
struct EntryFields {
  std::uint64_t flags = 0, method = 0, compressed = 0, uncompressed = 0, name_bytes = 0, extra_bytes = 0;
  std::uint32_t crc = 0;
};

EntryFields common_fields(Fields& fields) {
  EntryFields out;
  fields.take(2);  // version needed
  out.flags = fields.next(2);
  out.method = fields.next(2);
  fields.take(4);  // time and date
  out.crc = fields.next32();
  out.compressed = fields.next(4);
  out.uncompressed = fields.next(4);
  out.name_bytes = fields.next(2);
  out.extra_bytes = fields.next(2);
  return out;
}

// Replaces the values that say so by those of the zip64 extra field, which are in this order and only there
// if needed.
void widen(std::string_view extra, std::initializer_list<std::uint64_t*> values, const std::string& file) {
  Fields fields(extra, file);
  while (!fields.empty()) {
    const std::uint64_t id = fields.next(2);
    const std::uint64_t size = fields.next(2);
    Fields body(fields.take(size), file);
    if (id != zip64_id) continue;
    for (std::uint64_t* value : values)
      if (*value == narrow_limit) *value = body.next(8);
    return;
  }
}

struct Directory {
  std::uint64_t offset = 0, bytes = 0, entries = 0;
};

// Takes the directory's place from the zip64 end record, if there is one before `end`; returns where the
// directory ends.
std::uint64_t widen_directory(const ByteSource& source, std::uint64_t end, Directory& directory) {
  const std::string& name = source.name();
  if (end < locator_bytes) return end;
  const std::string locator = source.text(end - locator_bytes, locator_bytes);
  Fields wide(locator, name);
  if (wide.next32() != locator_signature) return end;
  wide.take(4);  // disk
  const std::uint64_t where = wide.next(8);
  if (where > end - locator_bytes || end - locator_bytes - where != end64_bytes)
    throw FileError(fmt::format("{}: its zip64 end record is not where it should be", name));
  const std::string bytes = source.text(where, end64_bytes);
  Fields record(bytes, name);
  if (record.next32() != end64_signature || record.next(8) != end64_bytes - 12)
    throw FileError(fmt::format("{}: its zip64 end record is damaged", name));
  record.take(20);  // versions, disks, entries on this disk
  directory.entries = record.next(8);
  directory.bytes = record.next(8);
  directory.offset = record.next(8);
  return where;
}

// The place where the end record begins. It is the last one, as Python's zipfile takes it, and its comment reaches to
// the end of the file: otherwise another reader could find another directory in the comment.
std::uint64_t find_end_record(const ByteSource& source) {
  const std::uint64_t tail_bytes = std::min<std::uint64_t>(source.size(), end_bytes + 0xFFFF);
  const std::string tail = source.text(source.size() - tail_bytes, tail_bytes);
  const std::string signature = number(end_signature, 4);
  const std::size_t at = tail.rfind(signature);
  if (at != std::string::npos && tail.size() - at >= end_bytes) {
    Fields fields(std::string_view(tail).substr(at + end_bytes - 2), source.name());
    if (fields.next(2) == tail.size() - at - end_bytes) return source.size() - tail_bytes + at;
  }
  throw FileError(
      fmt::format("{}: the end of the zip file is missing: it is truncated, or bytes follow it", source.name()));
}

Directory find_directory(const ByteSource& source) {
  const std::string& name = source.name();
  const std::uint64_t at = find_end_record(source);
  const std::string bytes = source.text(at, end_bytes);
  Fields fields(bytes, name);
  fields.take(4);
  const std::uint64_t disks = fields.next(4);
  const std::uint64_t entries_here = fields.next(2);
  Directory out;
  out.entries = fields.next(2);
  out.bytes = fields.next(4);
  out.offset = fields.next(4);
  const std::uint64_t end = widen_directory(source, at, out);
  if (disks != 0 || (entries_here != out.entries && entries_here != 0xFFFF))
    throw FileError(fmt::format("{}: zip files of several parts are not read", name));
  if (out.bytes > end || out.offset != end - out.bytes)
    throw FileError(fmt::format("{}: its zip directory is not where it should be", name));
  if (out.bytes > max_directory)
    throw FileError(fmt::format("{}: its zip directory takes {} bytes, which no table needs", name, out.bytes));
  return out;
}

void require_plain(const EntryFields& fields, std::string_view entry, const std::string& file) {
  if (fields.method != 0 && fields.method != deflated)
    throw FileError(
        fmt::format("{}: the entry \"{}\" is compressed by method {}, which is not read; save it with numpy.savez or "
                    "savez_compressed",
                    file, shown(entry), fields.method));
  if ((fields.flags & ~std::uint64_t{utf8_flag}) != 0)
    throw FileError(
        fmt::format("{}: the entry \"{}\" is encrypted or was streamed, which is not read", file, shown(entry)));
  if (fields.method == 0 && fields.compressed != fields.uncompressed)
    throw FileError(fmt::format("{}: the entry \"{}\" states two different sizes", file, shown(entry)));
}

// The entry of the directory, checked against the local header in front of its contents; `end` is where that
// must begin and is moved behind the contents.
ZipMember parse_entry(const ByteSource& source, Fields& directory, std::uint64_t& end, std::uint64_t limit) {
  const std::string& file = source.name();
  if (directory.next32() != central_signature) throw FileError(fmt::format("{}: its zip directory is damaged", file));
  directory.take(2);
  EntryFields central = common_fields(directory);
  const std::uint64_t comment_bytes = directory.next(2);
  directory.take(8);  // disk, attributes
  std::uint64_t offset = directory.next(4);
  ZipMember member;
  member.name = directory.take(central.name_bytes);
  widen(directory.take(central.extra_bytes), {&central.uncompressed, &central.compressed, &offset}, file);
  directory.take(comment_bytes);
  require_plain(central, member.name, file);
  if (offset != end)
    throw FileError(fmt::format("{}: the entry \"{}\" overlaps another one or leaves a gap", file, shown(member.name)));
  const std::string head = source.text(offset, local_bytes);
  Fields fields(head, file);
  const bool signed_here = fields.next32() == local_signature;
  EntryFields local = common_fields(fields);
  const std::string rest = source.text(offset + local_bytes, local.name_bytes + local.extra_bytes);
  widen(std::string_view(rest).substr(local.name_bytes), {&local.uncompressed, &local.compressed}, file);
  if (!signed_here || std::string_view(rest).substr(0, local.name_bytes) != member.name ||
      local.method != central.method || local.flags != central.flags || local.crc != central.crc ||
      local.compressed != central.compressed || local.uncompressed != central.uncompressed)
    throw FileError(
        fmt::format("{}: the header of the entry \"{}\" disagrees with the zip directory", file, shown(member.name)));
  member.offset = offset + local_bytes + rest.size();
  member.bytes = central.uncompressed;
  member.stored_bytes = central.compressed;
  member.compressed = central.method != 0;
  member.crc = central.crc;
  if (member.offset > limit || member.stored_bytes > limit - member.offset)
    throw FileError(fmt::format("{}: the entry \"{}\" reaches beyond its place in the file", file, shown(member.name)));
  end = member.offset + member.stored_bytes;
  return member;
}

}  // namespace

ZipLayout::ZipLayout(std::vector<ZipEntry> entries, bool force_zip64)
    : entries_(std::move(entries)), force_zip64_(force_zip64) {
  std::uint64_t offset = 0;
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    header_offset_.push_back(offset);
    offset += local_header(k, 0).size();
    contents_offset_.push_back(offset);
    offset += entries_[k].bytes;
  }
  directory_offset_ = offset;
  size_ = offset + directory(std::vector<std::uint32_t>(entries_.size())).size();
}

bool ZipLayout::wide(std::size_t k) const {
  return force_zip64_ || entries_[k].bytes >= narrow_limit || header_offset_[k] >= narrow_limit;
}

std::string ZipLayout::local_header(std::size_t k, std::uint32_t crc) const {
  const ZipEntry& entry = entries_[k];
  const bool extra = wide(k);
  std::string out = number(local_signature, 4) + number(extra ? 45 : 20, 2) + number(0, 2) + number(0, 2);
  out += number(0, 2) + number(first_of_1980, 2) + number(crc, 4);
  out += narrow(entry.bytes, extra) + narrow(entry.bytes, extra);
  out += number(entry.name.size(), 2) + number(extra ? 20 : 0, 2) + entry.name;
  if (extra) out += number(zip64_id, 2) + number(16, 2) + number(entry.bytes, 8) + number(entry.bytes, 8);
  return out;
}

std::string ZipLayout::directory(const std::vector<std::uint32_t>& crcs) const {
  std::string out;
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const ZipEntry& entry = entries_[k];
    const bool extra = wide(k);
    out += number(central_signature, 4) + number((3U << 8) | 45U, 2) + number(extra ? 45 : 20, 2) + number(0, 4);
    out += number(0, 2) + number(first_of_1980, 2) + number(crcs[k], 4);
    out += narrow(entry.bytes, extra) + narrow(entry.bytes, extra);
    out += number(entry.name.size(), 2) + number(extra ? 28 : 0, 2) + number(0, 6);
    out += number(std::uint64_t{0100644} << 16, 4) + narrow(header_offset_[k], extra) + entry.name;
    if (extra)
      out += number(zip64_id, 2) + number(24, 2) + number(entry.bytes, 8) + number(entry.bytes, 8) +
             number(header_offset_[k], 8);
  }
  const std::uint64_t bytes = out.size();
  const bool extra = force_zip64_ || directory_offset_ >= narrow_limit;
  if (extra) {
    out += number(end64_signature, 4) + number(end64_bytes - 12, 8) + number((3U << 8) | 45U, 2) + number(45, 2);
    out += number(0, 8) + number(entries_.size(), 8) + number(entries_.size(), 8) + number(bytes, 8);
    out += number(directory_offset_, 8);
    out += number(locator_signature, 4) + number(0, 4) + number(directory_offset_ + bytes, 8) + number(1, 4);
  }
  out += number(end_signature, 4) + number(0, 4) + number(entries_.size(), 2) + number(entries_.size(), 2);
  out += number(bytes, 4) + narrow(directory_offset_, extra) + number(0, 2);
  return out;
}

std::vector<ZipMember> parse_zip(const ByteSource& source) {
  const Directory where = find_directory(source);
  const std::string bytes = source.text(where.offset, where.bytes);
  Fields fields(bytes, source.name());
  std::vector<ZipMember> members;
  std::set<std::string> names;
  std::uint64_t end = 0;
  while (!fields.empty()) {
    members.push_back(parse_entry(source, fields, end, where.offset));
    if (!names.insert(members.back().name).second)
      throw FileError(fmt::format("{}: the entry \"{}\" occurs twice", source.name(), shown(members.back().name)));
  }
  if (members.size() != where.entries || end != where.offset)
    throw FileError(fmt::format("{}: its zip directory does not list every entry", source.name()));
  return members;
}

std::unique_ptr<ByteSource> unpacked_zip(const ByteSource& source, const Task& task) {
  const std::vector<ZipMember> members = parse_zip(source);
  if (std::none_of(members.begin(), members.end(), [](const ZipMember& m) { return m.compressed; })) return {};
  std::vector<ZipEntry> entries;
  std::vector<std::uint32_t> crcs;
  for (const ZipMember& member : members) {
    if (member.compressed && !can_inflate_to(member.stored_bytes, member.bytes))
      throw FileError(fmt::format("{}: the entry \"{}\" states a size that it cannot unpack to", source.name(),
                                  shown(member.name)));
    entries.push_back({member.name, member.bytes});
    crcs.push_back(member.crc);
  }
  const ZipLayout layout(std::move(entries));
  task.require_memory(layout.size(), "the unpacked table " + source.name());
  std::vector<std::byte> bytes(layout.size());
  const auto put = [&](std::uint64_t offset, const std::string& text) {
    std::memcpy(bytes.data() + offset, text.data(), text.size());
  };
  for (std::size_t k = 0; k < members.size(); ++k) {
    put(layout.header_offset(k), layout.local_header(k, crcs[k]));
    const std::span<std::byte> contents = std::span(bytes).subspan(layout.contents_offset(k), members[k].bytes);
    if (!members[k].compressed)
      source.read(members[k].offset, contents);
    else if (!inflate_into(contents, source, members[k].offset, members[k].stored_bytes, Deflate::raw, task))
      throw FileError(fmt::format("{}: the entry \"{}\" is damaged: it does not unpack to its stated size",
                                  source.name(), shown(members[k].name)));
  }
  put(layout.directory_offset(), layout.directory(crcs));
  return std::make_unique<MemorySource>(source.name(), std::move(bytes));
}

}  // namespace intertwine
