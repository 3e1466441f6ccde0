// Damaged files: whatever is done to a valid one, the reader accepts it or refuses it in words.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/io/table_file.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using namespace test_tables;

namespace {

// One to three random changes: a bit, a byte, a run overwritten, inserted, removed, doubled, or the end cut
// off.
std::string damaged(std::string bytes, Rng& rng) {
  const std::uint64_t changes = 1 + rng.below(3);
  for (std::uint64_t c = 0; c < changes && !bytes.empty(); ++c) {
    const std::size_t at = rng.below(bytes.size());
    const std::size_t run = 1 + rng.below(8);
    switch (rng.below(8)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << rng.below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(rng.below(256));
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.insert(at, std::string(run, static_cast<char>(rng.below(256))));
        break;
      case 4:
        bytes.erase(at, run);
        break;
      case 5:
        bytes.insert(at, bytes.substr(at, 1 + rng.below(200)));
        break;
      case 6:
        bytes[at] = "0123456789{}[]\",:-"[rng.below(18)];
        break;
      default:
        for (std::size_t k = at; k < std::min(at + run, bytes.size()); ++k) bytes[k] = '\xff';
    }
  }
  return bytes;
}

}  // namespace

TEST_CASE("damaged files are refused in words, never otherwise", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  const auto path = folder / "fuzz";
  for (const char* name : {"t.safetensors", "t.npz", "t.json", "t.h5"}) {
    for (const auto& table : {random_table(9, 7, 4, 2, rng), random_table(12, 12, 130, 0, rng),
                              random_sparse_table(6, 7, 9, 3, rng)}) {
      write_table(folder / name, table);
      const std::string good = read_file(folder / name);
      int refused = 0;
      const int trials = 400 * test_multiplier();
      for (int trial = 0; trial < trials; ++trial) {
        const std::string bytes = damaged(good, rng);
        {
          // Not write_file(): a flush to the disk each time would take longer than the test.
          std::filesystem::remove(path);
          std::FILE* stream = std::fopen(path.c_str(), "wb");
          REQUIRE(stream != nullptr);
          REQUIRE(std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size());
          REQUIRE(std::fclose(stream) == 0);
        }
        try {
          const WeightTable read = read_table(path, Task(1U << 26, 0, {}));
          // Accepted: then all of it is sound, for example because only a metadata string changed.
          require_consistent(read);
        } catch (const FileError& error) {
          ++refused;
          const std::string what = error.what();
          if (what.find("fuzz") == std::string::npos || what.find('\n') != std::string::npos) FAIL(what);
        } catch (const LimitError&) {
          ++refused;
        }
      }
      CAPTURE(name);
      // HDF5 has much room that says nothing.
      REQUIRE(refused > trials / (std::string_view(name) == "t.h5" ? 8 : 2));
    }
  }
}
