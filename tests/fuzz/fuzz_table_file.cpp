// Hostile weight-table files: safetensors, NPZ and JSON, told apart by the reader itself.
//
// An input is the whole file, of either kind. The readers may refuse it with a FileError (or a LimitError for its
// size); what they accept must be consistent: codes in range, as many as the header says; entries of a sparse basis
// in range and in order, none zero. A file that one reader accepts the other one refuses.
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/sparse_table_file.hpp"
#include "intertwine/io/table_file.hpp"
#include "memory_file.hpp"

namespace {

using namespace intertwine;

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

/// Elements of entries (row, col), strictly increasing, none empty; `col` is null for the bias.
void check_elements(const std::vector<std::int64_t>& start, const std::vector<std::int32_t>& row,
                    const std::vector<std::int32_t>* col, const IntegerMatrix& value, std::uint64_t elements,
                    std::uint64_t rows, std::uint64_t cols) {
  require(start.size() == elements + 1 && start.front() == 0, "one start an element, and the end");
  require(start.back() == static_cast<std::int64_t>(row.size()) && value.cols() == row.size() &&
              (col == nullptr || col->size() == row.size()),
          "as many rows, columns and values as entries");
  for (std::uint64_t k = 0; k < elements; ++k) {
    require(start[k] < start[k + 1], "no element is empty");
    std::int64_t before = -1;
    for (auto e = static_cast<std::size_t>(start[k]); e < static_cast<std::size_t>(start[k + 1]); ++e) {
      const std::int64_t i = row[e];
      const std::int64_t j = col == nullptr ? 0 : (*col)[e];
      require(
          i >= 0 && j >= 0 && static_cast<std::uint64_t>(i) < rows && static_cast<std::uint64_t>(j) < cols,
          "entries are in range");
      const std::int64_t place = i * static_cast<std::int64_t>(cols) + j;
      require(place > before, "entries are in row-major order");
      require(value.sign(0, e) != 0, "no entry is zero");
      before = place;
    }
  }
}

void check(const SparseTable& table) {
  check_elements(table.start, table.row, &table.col, table.value, table.params, table.rows, table.cols);
  check_elements(table.bias_start, table.bias_row, nullptr, table.bias_value, table.bias_params, table.rows,
                 1);
}

/// True if the work was done, false if it refused the file in words.
template <class Work>
bool accepts(const Work& work) {
  try {
    work();
    return true;
  } catch (const FileError& e) {
    require(e.what()[0] != '\0', "an error says something");
  } catch (const LimitError& e) {
    require(e.what()[0] != '\0', "an error says something");
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file(data, size);
  const Task task(std::uint64_t{256} << 20, 10, {});
  TableKind kind{};
  const bool known = accepts([&] { kind = table_kind(file.path()); });
  const bool tied = accepts([&] { check(*TableFile::open(file.path(), task)); });
  const bool sparse = accepts([&] { check(read_sparse_table(file.path(), nullptr, task)); });
  require(!tied || (known && kind == TableKind::signed_orbit), "codes are read of tied tables only");
  require(!sparse || (known && kind == TableKind::sparse_basis), "elements are read of sparse bases only");
  return 0;
}
