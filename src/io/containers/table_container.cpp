// The common part of binary table files: reading and digests.
#include "io/containers/table_container.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <utility>

#include "intertwine/error.hpp"
#include "io/containers/table_formats.hpp"
#include "io/containers/text.hpp"
#include "io/containers/text_tables.hpp"

namespace intertwine {
namespace {

std::uint32_t crc_of(std::uint32_t before, std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

std::string file_bytes(TableFormat format, const Metadata& metadata, const std::vector<PlannedArray>& arrays) {
  const FileLayout layout = row_of(format).layout(metadata, arrays);
  std::string bytes(layout.size, '\0');
  const auto put = [&](std::uint64_t offset, std::string_view part) {
    std::copy(part.begin(), part.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  };
  std::vector<std::uint32_t> crcs;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const std::span<const std::byte> contents = arrays[k].contents;
    crcs.push_back(layout.needs_crc ? crc_of(static_cast<std::uint32_t>(crc32_z(0, nullptr, 0)), contents) : 0);
    put(layout.array_offset[k], {reinterpret_cast<const char*>(contents.data()), contents.size()});
  }
  for (const FilePiece& piece : layout.pieces(metadata, crcs)) put(piece.offset, piece.bytes);
  return bytes;
}

TableContainer open_container(const std::filesystem::path& path, std::span<const std::string_view> names,
                              const Task& task) {
  TableContainer out;
  out.source = std::make_unique<FileSource>(path);
  const ByteSource& source = *out.source;
  const std::string& name = source.name();
  const std::string first = source.text(0, std::min<std::uint64_t>(source.size(), 64));
  for (const TableFormatRow& row : table_format_rows())
    if (row.begins != nullptr && row.begins(first)) {
      row.read(out, names, task);
      return out;
    }
  if (first.starts_with("\x89HDF\r\n"))
    throw FileError(
        fmt::format("{}: HDF5 is not read here; write {}, or use Python with h5py: "
                    "intertwine.load_table(\"t.h5\")",
                    name, listed_extensions(TableContents::any)));
  const std::size_t start = first.find_first_not_of(" \t\r\n");
  if (start == std::string::npos || first[start] != '{')
    throw FileError(fmt::format("{}: neither safetensors, NPZ nor JSON, so it is no table file{}", name,
                                first.starts_with("//") ? " (C++ headers are for compilers, and are not read)" : ""));
  if (source.size() > max_json_bytes)
    throw FileError(fmt::format("{}: JSON tables of more than {} are not read", name, format_bytes(max_json_bytes)));
  out.document = std::make_unique<nlohmann::json>(parse_json_document(source.text(0, source.size()), name));
  out.stored.metadata = metadata_of(*out.document, name);
  return out;
}

void lay_out_document(TableContainer& container, std::span<const PlannedArray> arrays,
                      std::span<const PlannedArray> proof) {
  const std::string name = container.source->name();
  std::vector<std::byte> data;
  const auto lay_out = [&](const PlannedArray& planned) {
    StoredArray array;
    array.name = planned.name;
    array.dtype = dtype_name(planned.dtype);
    array.shape = planned.shape;
    array.offset = data.size();
    read_json_list(*container.document, planned, name, data);
    array.bytes = data.size() - array.offset;
    container.stored.arrays.push_back(std::move(array));
  };
  for (const PlannedArray& planned : arrays) lay_out(planned);
  for (const PlannedArray& planned : proof) lay_out(planned);
  container.source = std::make_unique<MemorySource>(name, std::move(data));
  container.document.reset();
}

bool shorten_codes(std::vector<PlannedArray>& arrays, std::uint64_t params) {
  for (PlannedArray& array : arrays)
    if (array.name == array_names::weight_code && array.dtype == Dtype::i32 && fit_two_bytes(params)) {
      array.dtype = Dtype::u16;
      array.bytes /= 2;
      array.contents = {};
      return true;
    }
  return false;
}

std::vector<std::int32_t> widened(std::span<const std::byte> codes) {
  std::vector<std::uint16_t> narrow(codes.size() / 2);
  std::copy(codes.begin(), codes.end(), std::as_writable_bytes(std::span(narrow)).begin());
  return {narrow.begin(), narrow.end()};
}

std::string digest_of(const ByteSource& source, std::span<const StoredArray> arrays, const ContentsSink& sink,
                      const Task& task) {
  Sha256 sha256;
  std::vector<std::byte> buffer(chunk_bytes);
  std::uint64_t total = 0, passed = 0;
  for (const StoredArray& array : arrays) total += array.bytes;
  for (const StoredArray& array : arrays) {
    std::uint32_t crc = array.prefix_crc;
    for (std::uint64_t done = 0; done < array.bytes;) {
      const std::uint64_t count = std::min(chunk_bytes, array.bytes - done);
      const std::span<std::byte> part(buffer.data(), count);
      source.read(array.offset + done, part);
      if (array.has_crc) crc = crc_of(crc, part);
      std::vector<std::int32_t> wide;
      if (array.dtype == dtype_name(Dtype::u16)) wide = widened(part);
      const std::span<const std::byte> digested = wide.empty() ? part : std::as_bytes(std::span(wide));
      sha256.add(digested);
      if (sink) sink(array, digested);
      done += count;
      passed += count;
      task.progress("checking the table", passed, total);
    }
    if (array.has_crc && crc != array.entry_crc)
      throw FileError(fmt::format("{}: damaged: the checksum of \"{}\" is wrong", source.name(), shown(array.name)));
  }
  return sha256.hex();
}

std::string checked_digest(const ByteSource& source, const Metadata& metadata, std::span<const StoredArray> arrays,
                           const ContentsSink& sink, const Task& task) {
  const std::string stated = stated_sha256(metadata, source.name());
  if (digest_of(source, arrays, sink, task) != stated)
    throw FileError(fmt::format("{}: damaged: its data do not have the sha256 that it states", source.name()));
  return stated;
}

BinaryFile::BinaryFile(const std::filesystem::path& path, TableFormat format, const Metadata& metadata,
                       std::vector<PlannedArray> arrays, const Task& task)
    : metadata_(metadata),
      arrays_(std::move(arrays)),
      layout_(row_of(format).layout(metadata, arrays_)),
      task_(task),
      file_(path) {
  file_.reserve(layout_.size);
}

std::uint64_t BinaryFile::offset_of(std::string_view array) const {
  for (std::size_t k = 0; k < arrays_.size(); ++k)
    if (arrays_[k].name == array) return layout_.array_offset[k];
  throw InternalError(fmt::format("BinaryFile: there is no array {}", array));
}

std::string BinaryFile::finish(const std::function<std::string(const std::map<std::string, std::string>&)>& whole) {
  std::map<std::string, Sha256> sections;
  std::vector<std::uint32_t> crcs;
  for (std::size_t k = 0; k < arrays_.size(); ++k) {
    const PlannedArray& array = arrays_[k];
    Sha256& sha256 = sections[std::string(array_names::block_of(array.name))];
    if (array.contents.size() != array.bytes) {
      crcs.push_back(add_written(array, layout_.array_offset[k], sha256));
      continue;
    }
    std::uint32_t crc = 0;
    task_.share(3, array.bytes < chunk_bytes ? 3 : 1, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t step = first; step < last; ++step) {
        if (step == 0) sha256.add(array_names::is_proof(array.name) ? std::span<const std::byte>() : array.contents);
        if (step == 1) file_.write_at(layout_.array_offset[k], array.contents);
        if (step == 2) crc = checksum(0, array.contents);
      }
    });
    crcs.push_back(crc);
  }
  std::map<std::string, std::string> digests;
  for (auto& [prefix, sha256] : sections) digests[prefix] = sha256.hex();
  for (const auto& [prefix, sha256] : digests) metadata_[block_key(prefix, "intertwine.sha256")] = sha256;
  const std::string digest = whole ? whole(digests) : digests.at("");
  metadata_ = with_sha256(std::move(metadata_), digest);
  for (const FilePiece& piece : layout_.pieces(metadata_, crcs)) file_.write_at(piece.offset, piece.bytes);
  task_.poll();
  file_.commit(layout_.size);
  return digest;
}

std::uint32_t BinaryFile::checksum(std::uint32_t before, std::span<const std::byte> bytes) const {
  return layout_.needs_crc ? crc_of(before, bytes) : 0;
}

// Reads what was written back from the file: the digest is of what is stored.
std::uint32_t BinaryFile::add_written(const PlannedArray& array, std::uint64_t offset, Sha256& sha256) const {
  const std::uint64_t bytes = array.bytes;
  std::vector<std::byte> buffer(std::min(chunk_bytes, bytes));
  std::uint32_t crc = checksum(0, {});
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t count = std::min<std::uint64_t>(buffer.size(), bytes - done);
    const std::span<std::byte> part(buffer.data(), count);
    file_.read_at(offset + done, part);
    // Codes of two bytes are digested as four, a few at a time, so that they stay in the nearest cache.
    constexpr std::size_t few = 8192;
    if (array.dtype != Dtype::u16) sha256.add(part);
    for (std::size_t k = 0; k < count && array.dtype == Dtype::u16; k += few)
      sha256.add(std::as_bytes(std::span<const std::int32_t>(widened(part.subspan(k, std::min(few, count - k))))));
    crc = checksum(crc, part);
    done += count;
    task_.progress("hashing the table", done, bytes);
  }
  return crc;
}

}  // namespace intertwine
