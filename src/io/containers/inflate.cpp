// Unpacks deflate.
#include "io/containers/inflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>

namespace intertwine {

bool inflate_into(std::span<std::byte> out, const ByteSource& source, std::uint64_t offset, std::uint64_t stored_bytes,
                  Deflate form, const Task& task) {
  z_stream stream{};
  if (inflateInit2(&stream, form == Deflate::raw ? -MAX_WBITS : MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closer(&stream, inflateEnd);
  std::vector<std::byte> piece(std::min(chunk_bytes, stored_bytes));
  std::uint64_t read = 0, written = 0;
  Bytef beyond = 0;  // zlib wants room where nothing is left to be written
  int status = Z_OK;
  while (status == Z_OK) {
    task.progress("unpacking the table", written, out.size());
    if (stream.avail_in == 0 && read < stored_bytes) {
      const std::uint64_t count = std::min<std::uint64_t>(chunk_bytes, stored_bytes - read);
      source.read(offset + read, std::span(piece).first(count));
      stream.next_in = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_in = static_cast<uInt>(count);
      read += count;
    }
    const std::uint64_t room = std::min<std::uint64_t>(chunk_bytes, out.size() - written);
    stream.next_out = room == 0 ? &beyond : reinterpret_cast<Bytef*>(out.data() + written);
    stream.avail_out = room == 0 ? 1 : static_cast<uInt>(room);
    const uInt before = stream.avail_out;
    status = inflate(&stream, Z_NO_FLUSH);
    const uInt got = before - stream.avail_out;
    if (room == 0 && got != 0) status = Z_DATA_ERROR;
    written += room == 0 ? 0 : got;
  }
  return status == Z_STREAM_END && written == out.size() && read == stored_bytes && stream.avail_in == 0;
}

}  // namespace intertwine
