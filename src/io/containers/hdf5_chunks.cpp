#include "io/containers/hdf5_chunks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "intertwine/tables/data_section.hpp"
#include "io/containers/inflate.hpp"
#include "io/containers/text.hpp"

namespace intertwine {
namespace {

using Refuse = std::function<void(const std::string&)>;
constexpr std::uint64_t fletcher_bytes = 4;

std::uint64_t ceiling_quotient(std::uint64_t a, std::uint64_t b) { return a / b + (a % b == 0 ? 0 : 1); }

/// Sums of 16-bit words, high byte first, modulo 65535.
std::uint32_t fletcher32(std::span<const std::byte> data) {
  std::uint64_t first = 0, second = 0;
  for (std::size_t k = 0; k < data.size(); k += 2) {
    const auto high = std::to_integer<std::uint64_t>(data[k]);
    const auto low = k + 1 < data.size() ? std::to_integer<std::uint64_t>(data[k + 1]) : 0;
    first = (first + (high << 8U | low)) % 65535;
    second = (second + first) % 65535;
  }
  return static_cast<std::uint32_t>(second << 16U | first);
}

/// Byte b of every item lies in row b; what is left of no whole item is behind.
std::vector<std::byte> unshuffled(const std::vector<std::byte>& bytes, std::uint64_t item) {
  std::vector<std::byte> out(bytes.size());
  const std::size_t count = bytes.size() / item;
  for (std::size_t b = 0; b < item; ++b)
    for (std::size_t k = 0; k < count; ++k) out[k * item + b] = bytes[b * count + k];
  std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(count * item), bytes.end(),
            out.begin() + static_cast<std::ptrdiff_t>(count * item));
  return out;
}

void require_known(const std::vector<Hdf5Filter>& filters, const Refuse& refuse) {
  for (const Hdf5Filter& filter : filters)
    if (filter.id < Hdf5Filter::deflate || filter.id > Hdf5Filter::fletcher32)
      refuse(
          fmt::format("went through the filter {}{}, which is not read; write it with compression=\"gzip\"",
                      filter.id, filter.name.empty() ? "" : " (" + shown(filter.name) + ")"));
  if (filters.size() > 8) refuse("went through more filters than are read");
}

/// A chunk as it was before the filters, which are undone from the last to the first.
std::vector<std::byte> unfiltered(const ByteSource& source, const ChunkedArray& array, const Hdf5Chunk& chunk,
                                  const Refuse& refuse, const Task& task) {
  // Shuffled bytes are there twice.
  task.require_memory(2 * chunk.bytes, "a chunk of the table " + source.name());
  std::vector<std::byte> bytes(chunk.bytes);
  source.read(chunk.address, bytes);
  for (std::size_t k = array.filters.size(); k-- > 0;) {
    if ((chunk.skipped >> k & 1U) != 0) continue;
    switch (array.filters[k].id) {
      case Hdf5Filter::fletcher32: {
        if (bytes.size() < fletcher_bytes) refuse("is damaged: a chunk ends before its checksum");
        std::uint32_t stated = 0;
        for (std::size_t b = 0; b < fletcher_bytes; ++b)
          stated |= std::to_integer<std::uint32_t>(bytes[bytes.size() - fletcher_bytes + b]) << 8 * b;
        bytes.resize(bytes.size() - fletcher_bytes);
        if (fletcher32(bytes) != stated) refuse("is damaged: the checksum of a chunk is wrong");
        break;
      }
      case Hdf5Filter::shuffle:
        bytes = unshuffled(bytes, array.item);
        break;
      default: {
        // What deflate was given: the chunk, and the checksums of filters before it.
        std::uint64_t size = array.chunk_size();
        for (std::size_t earlier = 0; earlier < k; ++earlier)
          if (array.filters[earlier].id == Hdf5Filter::fletcher32 && (chunk.skipped >> earlier & 1U) == 0)
            size += fletcher_bytes;
        if (!can_inflate_to(bytes.size(), size)) refuse("states a size that a chunk cannot unpack to");
        task.require_memory(2 * size + bytes.size(), "a chunk of the table " + source.name());
        const MemorySource packed(source.name(), std::move(bytes));
        bytes = std::vector<std::byte>(size);
        if (!inflate_into(bytes, packed, 0, packed.size(), Deflate::zlib, task))
          refuse("is damaged: a chunk does not unpack to its size");
      }
    }
  }
  if (bytes.size() != array.chunk_size()) refuse("is damaged: a chunk has another size than its shape");
  return bytes;
}

/// Copies the part of a chunk that lies in the array, line by line along the last axis.
void place_chunk(std::span<std::byte> out, const ChunkedArray& array, std::uint64_t number,
                 const std::vector<std::byte>& bytes) {
  const std::size_t rank = array.shape.size();
  std::vector<std::uint64_t> corner(rank), part(rank), at(rank, 0);
  for (std::size_t k = rank; k-- > 0;) {
    const std::uint64_t across = ceiling_quotient(array.shape[k], array.chunk[k]);
    corner[k] = number % across * array.chunk[k];
    part[k] = std::min(array.chunk[k], array.shape[k] - corner[k]);
    number /= across;
  }
  for (;;) {
    std::uint64_t from = 0, to = 0;
    for (std::size_t k = 0; k < rank; ++k) {
      from = from * array.chunk[k] + at[k];
      to = to * array.shape[k] + corner[k] + at[k];
    }
    std::memcpy(out.data() + to * array.item, bytes.data() + from * array.item, part[rank - 1] * array.item);
    std::size_t k = rank - 1;
    while (k > 0 && ++at[k - 1] == part[k - 1]) at[--k] = 0;
    if (k == 0) return;
  }
}

void add_chunk(ChunkedArray& array, const Hdf5Chunk& chunk, const Refuse& refuse) {
  if (array.chunks.size() >= array.chunk_count()) refuse("has chunks that are there twice");
  array.chunks.push_back(chunk);
}

// III.A.1, nodes of chunks: before each child the bytes of its chunk, the filters that it skips, and where it begins.
void chunks_below(Hdf5File& file, std::uint64_t address, ChunkedArray& array, unsigned depth,
                  const Refuse& refuse) {
  constexpr unsigned max_depth = 8;
  if (depth > max_depth) file.refuse("damaged: the tree of chunks of an HDF5 array has no end");
  Hdf5Cursor head = file.at(address, 24);
  if (head.take(4) != "TREE" || head.number(1) != 1) refuse("is damaged: its chunks have no tree");
  const std::uint64_t level = head.number(1), used = head.number(2);
  const std::size_t rank = array.shape.size();
  Hdf5Cursor children = file.at(address + 24, used * (8 * rank + 24));
  for (std::uint64_t n = 0; n < used; ++n) {
    Hdf5Chunk chunk;
    chunk.bytes = children.number(4);
    chunk.skipped = children.number(4);
    for (std::size_t k = 0; k < rank; ++k) {
      const std::uint64_t begin = children.number(8);
      if (level == 0 && (begin % array.chunk[k] != 0 || begin >= array.shape[k]))
        refuse("is damaged: a chunk begins where none does");
      chunk.number = chunk.number * ceiling_quotient(array.shape[k], array.chunk[k]) + begin / array.chunk[k];
    }
    children.skip(8);  // within an item
    chunk.address = children.number(8);
    if (level == 0)
      add_chunk(array, chunk, refuse);
    else
      chunks_below(file, chunk.address, array, depth + 1, refuse);
  }
}

}  // namespace

std::uint64_t ChunkedArray::chunk_count() const {
  std::uint64_t count = 1;
  for (std::size_t k = 0; k < shape.size(); ++k)
    count = saturated_product(count, ceiling_quotient(shape[k], chunk[k]));
  return count;
}

std::uint64_t ChunkedArray::chunk_size() const {
  std::uint64_t size = item;
  for (const std::uint64_t side : chunk) size = saturated_product(size, side);
  return size;
}

void chunks_of_tree(Hdf5File& file, std::uint64_t address, ChunkedArray& array, const Refuse& refuse) {
  chunks_below(file, address, array, 0, refuse);
}

// VII.C: the chunks in their order, in pages if there are many.
void chunks_of_fixed_array(Hdf5File& file, std::uint64_t address, ChunkedArray& array, const Refuse& refuse) {
  constexpr const char* no_index = "damaged: an HDF5 array has no index of chunks";
  Hdf5Cursor head = file.named("FAHD", address, 28, no_index);
  if (head.number(1) != 0) file.refuse(no_index);
  const bool filtered = head.number(1) == 1;
  const std::uint64_t width = head.number(1), page_bits = head.number(1), count = head.number(8),
                      block = head.number(8);
  if (width < (filtered ? 13 : 8) || width > (filtered ? 20 : 8) || page_bits > 31 ||
      count > file.source().size())
    file.refuse("damaged: an HDF5 array has an index of chunks that cannot be");
  if (block == Hdf5File::nowhere) return;
  file.named("FADB", block, 14, no_index);
  const std::uint64_t page = std::uint64_t{1} << page_bits,
                      pages = count > page ? (count + page - 1) / page : 0;
  std::uint64_t place = block + 14;
  // Which pages were ever written, a bit for each, the highest first; then a checksum.
  const std::string written(pages == 0 ? "" : file.at(place, (pages + 7) / 8).take((pages + 7) / 8));
  if (pages > 0) place += written.size() + 4;
  for (std::uint64_t k = 0, n_page = 0; k < count; ++n_page) {
    const std::uint64_t here = pages == 0 ? count : std::min(page, count - k);
    if (pages > 0 && (static_cast<unsigned char>(written[n_page / 8]) >> (7 - n_page % 8) & 1U) == 0)
      refuse("has chunks that were never written");
    Hdf5Cursor part = file.at(place, here * width);
    for (std::uint64_t n = 0; n < here; ++n, ++k) {
      Hdf5Chunk chunk{k, part.number(8), array.chunk_size(), ~std::uint64_t{0}};
      if (filtered) {
        chunk.bytes = part.number(static_cast<unsigned>(width - 12));
        chunk.skipped = part.number(4);
      }
      if (chunk.address != Hdf5File::nowhere) add_chunk(array, chunk, refuse);
    }
    place += here * width + 4;
  }
}

void append_chunks(std::vector<std::byte>& out, const ByteSource& source, const ChunkedArray& array,
                   const Refuse& refuse, const Task& task) {
  require_known(array.filters, refuse);
  std::vector<Hdf5Chunk> chunks = array.chunks;
  std::sort(chunks.begin(), chunks.end(),
            [](const Hdf5Chunk& a, const Hdf5Chunk& b) { return a.number < b.number; });
  std::uint64_t stored = 0;
  for (std::size_t k = 0; k < chunks.size(); ++k) {
    const auto& [number, address, bytes, skipped] = chunks[k];
    if (address > source.size() || bytes > source.size() - address)
      refuse("reaches beyond the end of the file, which may be truncated");
    if (number != k) refuse("has chunks that are there twice, or were never written");
    stored += bytes;
    if (stored > source.size()) refuse("is damaged: its chunks overlap");
  }
  if (chunks.size() != array.chunk_count()) refuse("has chunks that were never written");
  std::uint64_t size = array.item;
  for (const std::uint64_t side : array.shape) size = saturated_product(size, side);
  if (!can_inflate_to(stored, size)) refuse("states a size that its chunks cannot unpack to");
  // While `out` grows, what was there before is there twice.
  const std::uint64_t before = out.size();
  task.require_memory(2 * before + size, "the unpacked table " + source.name());
  out.resize(before + size);
  for (const Hdf5Chunk& chunk : chunks) {
    task.poll();
    place_chunk(std::span(out).subspan(before), array, chunk.number,
                unfiltered(source, array, chunk, refuse, task));
  }
}

}  // namespace intertwine
