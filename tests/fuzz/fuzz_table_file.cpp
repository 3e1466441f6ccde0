// Hostile weight-table files: safetensors, NPZ and JSON, told apart by the reader itself.
//
// An input is the whole file, of either kind. The readers may refuse it with a FileError (or a LimitError for its
// size); what they accept must be consistent: codes in range, as many as is stated; entries of a sparse basis
// in range and in order, none zero.
// covers: src/io/containers/read_table.cpp src/io/containers/safetensors.cpp src/io/containers/npz.cpp src/io/containers/zip.cpp src/io/containers/inflate.cpp src/io/containers/json_table.cpp src/io/containers/table_metadata.cpp src/io/containers/proof_metadata.cpp src/io/containers/table_container.cpp
#include <cmath>
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
#include "memory_file.hpp"

namespace {

using namespace intertwine;

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
  bool finite = true;
  const auto check_block = [&](const WeightBlock& table) {
    require_consistent(table, task);  // what it refuses is a fault: it is no FileError
    require(digest(table, task).size() == 64, "a sha256 has 64 digits");
    for (const WeightPattern* pattern : {&table.weights, &table.bias})
      if (!pattern->is_tied())
        for (const double value : pattern->sparse().value) finite = finite && std::isfinite(value);
  };
  const auto check = [&](const WeightTable& table) {
    require_fitting(table);
    require(digest(table, {}, task).size() == 64, "a sha256 has 64 digits");
    for (const auto& row : table.blocks)
      for (const WeightBlock& block : row) check_block(block);
  };
  accepts([&] { check(read_table(file.path(), task)); });
  finite = true;
  if (accepts([&] { check(read_numeric_table(file.path(), task)); })) require(finite, "layers have finite values");
  return 0;
}
