// Bytes at an offset, from a file or from memory: what a table is read from.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace intertwine {

/// The bytes of a file that are read at a time where all of it is looked at.
constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 20;

/// Immutable as far as the program is concerned; safe to read from many threads.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  /// The file's name as messages show it.
  virtual const std::string& name() const = 0;
  /// Fills `out` from `offset`. \throws FileError if it cannot, also when the file has become shorter
  /// meanwhile.
  virtual void read(std::uint64_t offset, std::span<std::byte> out) const = 0;

  /// The bytes [offset, offset + count) as a string.
  std::string text(std::uint64_t offset, std::uint64_t count) const;
};

/// A regular file, read with pread: a file that is cut short while it is read gives an error, never a signal.
class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path);
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::uint64_t size() const override { return size_; }
  const std::string& name() const override { return name_; }
  void read(std::uint64_t offset, std::span<std::byte> out) const override;

 private:
  std::string name_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string name, std::vector<std::byte> bytes) : name_(std::move(name)), bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  const std::string& name() const override { return name_; }
  void read(std::uint64_t offset, std::span<std::byte> out) const override;

 private:
  std::string name_;
  std::vector<std::byte> bytes_;
};

}  // namespace intertwine
