// Hostile weight-table files: safetensors, NPZ and JSON, told apart by the reader itself.
//
// An input is the whole file. The reader may refuse it with a FileError (or a LimitError for its size); what it
// accepts must be consistent: codes in range, as many as the header says.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/table_file.hpp"

namespace {

using namespace intertwine;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

/// A file without a place on a disk.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : descriptor_(memfd_create("table", 0)) {
    require(descriptor_ >= 0, "memfd_create");
    while (size > 0) {
      const ssize_t written = write(descriptor_, data, size);
      require(written > 0, "write");
      data += written;
      size -= static_cast<std::size_t>(written);
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

void check(const TableFile& file) {
  const TableHeader& header = file.header();
  require(file.rows() == header.rows && file.cols() == header.cols, "the shape is the header's");
  require(header.orbit_size.size() == header.params, "one orbit size a parameter");
  require(file.sha256().size() == 64, "a sha256 has 64 digits");
  std::visit(
      [&](const auto& codes) {
        require(codes.size() == header.rows, "one bias code a row");
        for (const auto code : codes)
          require(static_cast<std::int64_t>(code) >= 0 &&
                      static_cast<std::uint64_t>(code) <= 2 * header.bias_params,
                  "bias codes are in range");
      },
      header.bias_code);
  if (header.cols > (1U << 20) || header.rows > (1U << 20)) return;
  std::vector<std::int32_t> row(header.cols);
  for (std::uint64_t i = 0; i < header.rows; ++i) {
    file.row(i, row);
    for (const std::int32_t code : row)
      require(code >= 0 && static_cast<std::uint64_t>(code) <= 2 * header.params,
              "weight codes are in range");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file(data, size);
  try {
    check(*TableFile::open(file.path(), Task(std::uint64_t{256} << 20, 10, {})));
  } catch (const FileError& e) {
    require(e.what()[0] != '\0', "an error says something");
  } catch (const LimitError& e) {
    require(e.what()[0] != '\0', "an error says something");
  }
  return 0;
}
