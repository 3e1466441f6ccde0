// Bytes of files and of memory, read in place.
#include "io/containers/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ostream>
#include <streambuf>
#include <string_view>
#include <system_error>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/task.hpp"
#include "io/containers/atomic_file.hpp"
#include "io/containers/text.hpp"

namespace intertwine {
namespace {

[[noreturn]] void cannot_read(const std::string& name, int error) {
  throw FileError(fmt::format("cannot read {}: {}", name, std::generic_category().message(error)));
}

// One read or pread, repeated when a signal interrupts it.
template <class Read>
std::size_t once(const std::string& name, Read read) {
  for (;;) {
    const ssize_t got = read();
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) cannot_read(name, errno);
  }
}

}  // namespace

std::string ByteSource::text(std::uint64_t offset, std::uint64_t count) const {
  if (offset > size() || count > size() - offset) throw FileError(fmt::format("{}: it is truncated", name()));
  std::string out(count, '\0');
  read(offset, std::as_writable_bytes(std::span(out)));
  return out;
}

FileSource::FileSource(const std::filesystem::path& path) : name_(shown_path(path)) {
  // O_NONBLOCK: opening a pipe must not wait for its writer before it is refused.
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) cannot_read(name_, errno);
  struct stat status {};
  const int error = ::fstat(descriptor_, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
  if (error != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    if (error != 0) cannot_read(name_, error);
    throw FileError(fmt::format("cannot read {}: it is not a regular file", name_));
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

FileSource::~FileSource() { ::close(descriptor_); }

void FileSource::read(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset > size_ || out.size() > size_ - offset) throw FileError(fmt::format("{}: it is truncated", name_));
  while (!out.empty()) {
    const std::size_t got =
        once(name_, [&] { return ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset)); });
    if (got == 0) throw FileError(fmt::format("{}: it was cut short while it was read", name_));
    out = out.subspan(got);
    offset += got;
  }
}

void MemorySource::read(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset > bytes_.size() || out.size() > bytes_.size() - offset)
    throw FileError(fmt::format("{}: it is truncated", name_));
  if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
}

void write_file(const std::filesystem::path& path, std::string_view contents) {
  AtomicFile file(path);
  file.reserve(contents.size());
  file.write_at(0, contents);
  file.commit(contents.size());
}

namespace {

/// A stream buffer that writes to the file after every 64 KiB.
class AtomicFileBuffer : public std::streambuf {
 public:
  explicit AtomicFileBuffer(const std::filesystem::path& path) : file_(path), room_(std::size_t{64} << 10U) {
    setp(room_.data(), room_.data() + room_.size());
  }
  void commit() {
    drain();
    file_.commit(written_);
  }

 protected:
  int_type overflow(int_type c) override {
    drain();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }

 private:
  void drain() {
    const auto bytes = static_cast<std::size_t>(pptr() - pbase());
    file_.write_at(written_, std::string_view(pbase(), bytes));
    written_ += bytes;
    setp(room_.data(), room_.data() + room_.size());
  }

  AtomicFile file_;
  std::vector<char> room_;
  std::uint64_t written_ = 0;
};

}  // namespace

void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  AtomicFileBuffer buffer(path);
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);  // the error of the file system comes through
  write(out);
  buffer.commit();
}

std::string read_file(const std::filesystem::path& path, std::uint64_t limit) {
  const std::string name = shown_path(path);
  // O_NONBLOCK: a pipe that nobody writes to is empty, and does not keep us waiting.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) cannot_read(name, errno);
  struct Closer {
    int descriptor;
    ~Closer() { ::close(descriptor); }
  } closer{descriptor};
  // The size that the system states is not relied upon: pipes have none, and files may grow.
  std::string out;
  std::uint64_t used = 0;
  for (;;) {
    const std::uint64_t room = limit - used;
    const std::uint64_t ask = std::min<std::uint64_t>(room, std::max<std::uint64_t>(1U << 16, used)) + 1;
    out.resize(used + ask);
    const std::size_t got = once(name, [&] {
      const ssize_t result = ::read(descriptor, out.data() + used, ask);
      if (result < 0 && errno == EAGAIN) {  // its writer is still at work
        pollfd ready{descriptor, POLLIN, 0};
        ::poll(&ready, 1, -1);
        errno = EINTR;  // again
      }
      return result;
    });
    used += got;
    if (got == 0) break;
    if (used > limit)
      throw FileError(fmt::format("cannot read {}: it is larger than the limit of {}", name, format_bytes(limit)));
  }
  out.resize(used);
  return out;
}

}  // namespace intertwine
