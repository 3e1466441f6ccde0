// Files that appear whole or not at all.
#include "io/containers/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <random>
#include <system_error>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/machine.hpp"
#include "intertwine/task.hpp"
#include "io/containers/text.hpp"

namespace intertwine {
namespace {

// The paths of the temporary files that exist now, in memory that a signal handler may read at any time:
// slots are never freed, and a path is complete before its slot is marked as live.
enum SlotState : int { slot_free, slot_busy, slot_live };

struct Slot {
  std::atomic<int> state{slot_free};
  char path[4096];
};

std::array<Slot, 16> unfinished;

int register_unfinished(const std::string& path) {
  if (path.size() >= sizeof(Slot::path)) return -1;
  for (std::size_t k = 0; k < unfinished.size(); ++k) {
    int expected = slot_free;
    if (!unfinished[k].state.compare_exchange_strong(expected, slot_busy)) continue;
    std::memcpy(unfinished[k].path, path.c_str(), path.size() + 1);
    unfinished[k].state.store(slot_live);
    return static_cast<int>(k);
  }
  return -1;  // unwinding still removes the file
}

void unregister(int slot) {
  if (slot >= 0) unfinished[static_cast<std::size_t>(slot)].state.store(slot_free);
}

std::string random_name() {
  static thread_local std::random_device device;
  return fmt::format(".intertwine-{:08x}{:08x}.part", device(), device());
}

constexpr std::uint64_t max_offset = std::uint64_t{1} << 62, growing_freely = std::uint64_t{32} << 20U;

}  // namespace

void discard_unfinished_files() noexcept {
  for (Slot& slot : unfinished)
    if (slot.state.load() == slot_live) ::unlink(slot.path);
}

AtomicFile::AtomicFile(const std::filesystem::path& target) : target_(target), shown_(shown_path(target)) {
  if (target.empty()) throw FileError("cannot write to a file without a name: give a path");
  struct stat status {};
  if (::lstat(target.c_str(), &status) == 0) {
    if (S_ISLNK(status.st_mode)) {
      std::error_code code;
      target_ = std::filesystem::canonical(target, code);
      if (code) fail("follow the symbolic link", code.value());
      if (::stat(target_.c_str(), &status) != 0) fail("write", errno);
    }
    if (S_ISDIR(status.st_mode)) fail("write", EISDIR);
    if (!S_ISREG(status.st_mode))
      throw FileError(fmt::format("cannot write {}: it exists and is not a regular file; name another file", shown_));
  }
  const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
  if (!target_.has_filename()) fail("write", EISDIR);
#ifdef __linux__
  // A file without a name needs nobody to remove it, whatever ends the process. It gets one through /proc.
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ >= 0 && ::access(own_path().c_str(), F_OK) != 0) {
    ::close(descriptor_);
    descriptor_ = -1;
  }
  if (descriptor_ >= 0) return;
#endif
  for (int attempt = 0; attempt < 16; ++attempt) {
    temporary_ = (folder / random_name()).string();
    // Before the file is there, so that no signal finds it unknown. The random name is nobody else's.
    slot_ = register_unfinished(temporary_);
    descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    const int error = errno;
    if (descriptor_ >= 0) return;
    unregister(slot_);
    slot_ = -1;
    if (error != EEXIST && error != EINTR) fail("create", error);
  }
  fail("create", EEXIST);
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() noexcept {
  if (descriptor_ < 0) return;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  ::close(descriptor_);
  descriptor_ = -1;
  unregister(slot_);
}

void AtomicFile::fail(std::string_view doing, int error) const {
  throw FileError(fmt::format("cannot {} {}: {}", doing, shown_, std::generic_category().message(error)));
}

/// Is there room for so many bytes in all? \param stated  that is what the file will have; otherwise it grows, who knows how far
void AtomicFile::require_room(std::uint64_t bytes, bool stated) {
  const std::uint64_t more = bytes - asked_;
  DiskBound::take(more, shown_);
  struct statvfs disk {};
  if (::fstatvfs(descriptor_, &disk) == 0 && disk.f_blocks != 0) {
    const std::uint64_t block = disk.f_frsize, free = ::geteuid() == 0 ? disk.f_bfree : disk.f_bavail;
    const std::uint64_t left = stated || bytes < growing_freely ? 0 : disk.f_blocks / 100;
    const std::uint64_t usable = free - std::min(free, left);
    if (more / block > usable)
      throw LimitError(
          fmt::format("{} for {} are more than the {} that its file system has free{}; free some, "
                      "or name a file on another one",
                      format_bytes(bytes), shown_, format_bytes((usable + asked_ / block) * block),
                      left == 0 ? "" : " beside a hundredth of it that is left to others"));
  }
  asked_ = bytes;
}

void AtomicFile::reserve(std::uint64_t bytes) {
  if (bytes > max_offset) fail("write", EFBIG);
  if (bytes > asked_) require_room(bytes, true);
#ifdef __linux__
  if (bytes < growing_freely) return;  // soon known
  int result = 0;
  do {
    result = ::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes));
  } while (result != 0 && errno == EINTR);
  if (result != 0 && (errno == ENOSPC || errno == EFBIG || errno == EDQUOT || errno == EIO)) fail("write", errno);
#else
  static_cast<void>(bytes);
#endif
}

void AtomicFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (offset > max_offset || bytes.size() > max_offset) fail("write", EFBIG);
  if (offset + bytes.size() > asked_) require_room(offset + bytes.size(), false);
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", errno);
    if (written == 0) fail("write", ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

void AtomicFile::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("read back", got < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
}

std::string AtomicFile::own_path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

/// A link cannot replace a file, a renamed file can: so it has a name of its own for a moment.
void AtomicFile::give_name() {
  if (!temporary_.empty()) return;
  const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
  for (int attempt = 0; attempt < 16; ++attempt) {
    const std::string name = (folder / random_name()).string();
    slot_ = register_unfinished(name);
    if (::linkat(AT_FDCWD, own_path().c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = name;
      return;
    }
    const int error = errno;
    unregister(slot_);
    slot_ = -1;
    if (error != EEXIST) fail("put in place", error);
  }
  fail("put in place", EEXIST);
}

void AtomicFile::commit(std::uint64_t bytes) {
  if (bytes > max_offset) fail("write", EFBIG);
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) fail("write", errno);
  while (::fsync(descriptor_) != 0) {
    if (errno == EINVAL || errno == ENOTSUP) break;  // file systems without fsync
    if (errno != EINTR) fail("flush", errno);
  }
  struct stat before {};
  if (::stat(target_.c_str(), &before) == 0)  // a file that is replaced keeps who may read it
    static_cast<void>(::fchmod(descriptor_, before.st_mode & 07777));
  give_name();
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("put in place", errno);
  // From here on the file is in place: the temporary name is gone, and nothing below may report a failure.
  unregister(slot_);
  ::close(descriptor_);
  descriptor_ = -1;
  const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
  const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  static_cast<void>(::fsync(directory));  // makes the rename itself durable, where the file system can
  ::close(directory);
}

}  // namespace intertwine
