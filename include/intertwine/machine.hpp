// The free memory and disk of the machine: the bounds of work that states none, and those of the files that it writes.
#pragma once
#include <cstdint>
#include <string_view>

namespace intertwine {

/// Bytes of memory that programs can still have: what the system calls available, and no more than the control group of the process has
/// left (a container's). 0 where the system does not say. Some tens of microseconds.
std::uint64_t free_memory() noexcept;
/// Three quarters of that: the bound of work for which none is stated. 0 for none.
std::uint64_t default_memory() noexcept;

/// Bounds what the files that this thread writes take together, while it lives. Bounds nest, and the tightest one holds.
class DiskBound {
 public:
  explicit DiskBound(std::uint64_t bytes);
  ~DiskBound();
  DiskBound(const DiskBound&) = delete;
  DiskBound& operator=(const DiskBound&) = delete;

  /// Asked by whatever writes a file, before it does. \param what  the name of the file
  /// \throws LimitError naming the size, the file and --max-disk where these bytes and those before exceed a bound
  static void take(std::uint64_t bytes, std::string_view what);

 private:
  std::uint64_t bytes_, taken_ = 0;
  DiskBound* outer_;
};

}  // namespace intertwine
