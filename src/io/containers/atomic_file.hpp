// A file that appears whole or not at all.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace intertwine {

/// A file without a name beside `target`, put in its place by commit(): whatever ends the process before, even SIGKILL, nothing
/// is left. Where the file system has no such files (O_TMPFILE), a temporary one that is renamed: destroyed before that it is
/// removed, and it is known to discard_unfinished_files(), for handlers of signals that end the process without unwinding.
/// A file that is replaced keeps its mode.
/// Every failure of the system is a FileError that names the target and the reason.
class AtomicFile {
 public:
  /// Creates the temporary file. Symbolic links are followed, so that the file they point at is replaced, not
  /// the link.
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Asks for room for `bytes` bytes in all now, so that what does not fit is known before the work is done, and nothing is written
  /// of it: DiskBound and the free space of the file system are asked, and then the file system for the room itself. Those that cannot promise it
  /// are believed to have it. \throws LimitError
  void reserve(std::uint64_t bytes);
  /// Bytes beyond those reserved ask for their room likewise. Such files, once they are large, leave the last hundredth
  /// of the disk to others.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  void write_at(std::uint64_t offset, std::string_view bytes) { write_at(offset, std::as_bytes(std::span(bytes))); }
  /// Fills `bytes` from what was written. \throws FileError if there is less.
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const;
  /// Cuts or extends the file to `bytes`, flushes it to the disk and puts it in place.
  void commit(std::uint64_t bytes);

 private:
  [[noreturn]] void fail(std::string_view doing, int error) const;
  void discard() noexcept;
  void require_room(std::uint64_t bytes, bool stated);
  std::string own_path() const;
  void give_name();

  std::filesystem::path target_;  // after symbolic links
  std::string shown_;             // as the caller named it
  std::string temporary_;         // empty: it has no name yet
  int descriptor_ = -1;
  std::uint64_t asked_ = 0;  // bytes that there is room for
  int slot_ = -1;            // in the register of unfinished files
};

}  // namespace intertwine
