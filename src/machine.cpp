// The free memory and disk of the machine.
#include "intertwine/machine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "intertwine/error.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

namespace {

thread_local DiskBound* innermost = nullptr;

/// The number after `label` in a small file of the system, or the one it begins with where there is no label; 0 if there is none.
std::uint64_t number_in(const char* file, const char* label) noexcept {
  const int descriptor = ::open(file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  char text[1024];
  const ssize_t size = ::read(descriptor, text, sizeof text - 1);
  ::close(descriptor);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* at = label == nullptr ? text : std::strstr(text, label);
  if (at == nullptr) return 0;
  if (label != nullptr) at += std::strlen(label);
  while (*at == ' ') ++at;
  std::uint64_t value = 0;
  for (; *at >= '0' && *at <= '9'; ++at) value = 10 * value + static_cast<std::uint64_t>(*at - '0');
  return value;
}

}  // namespace

std::uint64_t free_memory() noexcept {
  std::uint64_t free = number_in("/proc/meminfo", "MemAvailable:") << 10U;
  if (free == 0) {
    const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    if (pages > 0 && size > 0) free = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
  }
  // The file of the root of control groups does not exist, and that of a group without a bound says "max".
  const std::uint64_t most = number_in("/sys/fs/cgroup/memory.max", nullptr);
  if (most == 0) return free;
  const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current", nullptr),
                      cached = number_in("/sys/fs/cgroup/memory.stat", "inactive_file ");
  const std::uint64_t kept = used - std::min(used, cached);
  return std::max<std::uint64_t>(1, std::min(free, most - std::min(most, kept)));  // 0 would be no bound
}

std::uint64_t default_memory() noexcept { return free_memory() / 4 * 3; }

DiskBound::DiskBound(std::uint64_t bytes) : bytes_(bytes), outer_(innermost) { innermost = this; }
DiskBound::~DiskBound() { innermost = outer_; }

void DiskBound::take(std::uint64_t bytes, std::string_view what) {
  for (const DiskBound* bound = innermost; bound != nullptr; bound = bound->outer_)
    if (bytes > bound->bytes_ - std::min(bound->bytes_, bound->taken_))
      throw LimitError(
          fmt::format("{} for {}{} are more than the limit of {}", format_bytes(bytes), what,
                      bound->taken_ == 0 ? "" : fmt::format(", beside {} written,", format_bytes(bound->taken_)),
                      format_bytes(bound->bytes_)),
          Remedy::disk);
  for (DiskBound* bound = innermost; bound != nullptr; bound = bound->outer_) bound->taken_ += bytes;
}

}  // namespace intertwine
