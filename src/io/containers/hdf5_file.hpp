// Pieces of an HDF5 file, which is hostile: nothing beyond its end, and an end to all structures.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "byte_source.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

/// Numbers and texts of a piece of the file, one after the other; what is not there is an error.
class Hdf5Cursor {
 public:
  Hdf5Cursor(std::string text, const std::string& file) : text_(std::move(text)), file_(file) {}
  std::uint64_t number(unsigned bytes) {
    const std::string_view part = take(bytes);
    std::uint64_t value = 0;
    for (unsigned k = bytes; k-- > 0;) value = value << 8U | static_cast<unsigned char>(part[k]);
    return value;
  }
  std::string_view take(std::uint64_t bytes) {
    if (bytes > rest())
      throw FileError(fmt::format("{}: damaged: a structure of HDF5 ends before it is whole", file_));
    const std::string_view part = std::string_view(text_).substr(at_, bytes);
    at_ += bytes;
    return part;
  }
  void skip(std::uint64_t bytes) { take(bytes); }
  /// To the next multiple of 8.
  void align() { skip(std::min<std::uint64_t>((8 - at_ % 8) % 8, rest())); }
  std::uint64_t at() const { return at_; }
  std::uint64_t rest() const { return text_.size() - at_; }

 private:
  std::string text_;
  std::string file_;
  std::uint64_t at_ = 0;
};

class Hdf5File {
 public:
  static constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();

  explicit Hdf5File(const ByteSource& source) : source_(source) {}
  const ByteSource& source() const { return source_; }
  [[noreturn]] void refuse(const std::string& why) const {
    throw FileError(fmt::format("{}: {}", source_.name(), why));
  }
  /// One more of what a reader keeps: structures, messages, records. \throws FileError for so many that they go around in a circle
  void count() {
    if (++structures_ > max_structures) refuse("damaged: its structures of HDF5 have no end");
  }
  /// A structure. \throws FileError beyond the end of the file, or where so many are looked at that they go around in a circle
  Hdf5Cursor at(std::uint64_t offset, std::uint64_t bytes) {
    count();
    if (offset > source_.size() || bytes > source_.size() - offset)
      refuse("damaged: a structure of HDF5 lies beyond the end of the file, which may be truncated");
    read_bytes_ += bytes;
    if (read_bytes_ > max_bytes + source_.size())
      refuse("damaged: its structures of HDF5 lie in one another");
    return {source_.text(offset, bytes), source_.name()};
  }
  /// One that begins with its name, behind it. \throws FileError, `why`, where it has another one
  Hdf5Cursor named(std::string_view name, std::uint64_t offset, std::uint64_t bytes, const char* why) {
    Hdf5Cursor found = at(offset, bytes);
    if (found.take(name.size()) != name) refuse(why);
    return found;
  }

 private:
  static constexpr std::size_t max_structures = 1U << 20U;
  static constexpr std::uint64_t max_bytes = 100'000'000;

  const ByteSource& source_;
  std::uint64_t read_bytes_ = 0;
  std::size_t structures_ = 0;
};

}  // namespace intertwine
