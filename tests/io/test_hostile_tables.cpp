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
  for (const char* name : {"t.safetensors", "t.npz", "t.json"}) {
    for (const auto& table :
         {random_table(9, 7, 4, 2, rng), random_table(12, 12, 130, 0, rng), random_sparse_table(6, 7, 9, 3, rng)}) {
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
          const WeightBlock read = read_table(path, Task(1U << 26, 0, {})).block();
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
      REQUIRE(refused > trials / 2);
    }
  }
}

TEST_CASE("a number of biases that is not that of the certificate is refused", "[io][quick]") {
  // Codes 1, ..., 8 are those of 8 biases, and as well those of 4 with both signs: no array tells these tables apart.
  auto rng = test_rng();
  Folder folder;
  WeightBlock table = random_table(8, 3, 2, 8, rng);
  table.bias = tied_pattern(8, 1, 8, std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8});
  const std::string certificate = R"({"bias_character_dimension":")";
  table.metadata["certificate"] = certificate + "8\"}";
  for (const char* name : {"t.safetensors", "t.npz", "t.json"}) {
    CAPTURE(name);
    write_table(folder / name, table);
    REQUIRE_NOTHROW(read_table(folder / name));
    std::string bytes = read_file(folder / name);
    const std::size_t at = bytes.find('8', bytes.find("intertwine.bias_params"));
    REQUIRE(at != std::string::npos);
    bytes[at] = '4';
    write_file(folder / name, bytes);
    // The metadata of NPZ have a checksum of their own.
    REQUIRE_THROWS_WITH(read_table(folder / name),
                        Catch::Contains(std::string(name) == "t.npz" ? "t.npz: damaged"
                                                                     : "bias_params is 4, and the certificate counts"));
  }
  // Nor is it written; without a certificate, or one that does not count, nothing is compared.
  table.metadata["certificate"] = certificate + "4\"}";
  REQUIRE_THROWS_AS(write_table(folder / "t.json", table), DomainError);
  for (const char* other : {R"({"route":"none"})", R"(["bias_character_dimension"])"}) {
    table.metadata["certificate"] = other;
    write_table(folder / "t.json", table);
    REQUIRE_NOTHROW(read_table(folder / "t.json"));
  }
}
