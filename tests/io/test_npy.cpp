// Arrays in .npy files: our own, NumPy's, and hostile ones.
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "intertwine/error.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/io/table_file.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using test_tables::Folder;

namespace {

std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string out = "\x93NUMPY";
  out += version;
  out += '\0';
  out += static_cast<char>(dictionary.size() & 0xFF);
  out += static_cast<char>(dictionary.size() >> 8);
  if (version > 1) out += std::string(2, '\0');
  return out + dictionary + data;
}

std::string dictionary(const std::string& descr, const std::string& shape, const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

int exit_of(const std::string& command) {
  const int status = std::system((command + " >/dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("arrays come back as they were written", "[io][quick]") {
  Folder folder;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const NpyArray arrays[] = {
      {{2, 3}, std::vector<double>{1, -2.5, 1e300, 0, -0.0, 5e-324}},
      {{4}, std::vector<float>{1, inf, -inf, nan}},
      {{}, std::vector<std::int64_t>{-7}},
      {{2, 0, 5}, std::vector<std::int32_t>{}},
      {{1, 1, 2}, std::vector<std::uint8_t>{0, 255}},
      {{3}, std::vector<std::int32_t>{-1, 0, 2147483647}},
  };
  for (const NpyArray& array : arrays) {
    write_npy(folder / "a.npy", array);
    const NpyArray back = read_npy(folder / "a.npy");
    REQUIRE(back.shape == array.shape);
    REQUIRE(back.dtype() == array.dtype());
    const auto before = to_doubles(array), after = to_doubles(back);
    REQUIRE(before.size() == after.size());
    for (std::size_t k = 0; k < before.size(); ++k) {
      const bool same = before[k] == after[k] || (std::isnan(before[k]) && std::isnan(after[k]));
      REQUIRE(same);
      REQUIRE(std::signbit(before[k]) == std::signbit(after[k]));
    }
  }
  REQUIRE(folder.entries() == 1);
}

TEST_CASE("Fortran order is turned into C order", "[io][quick]") {
  Folder folder;
  // The 2 x 3 array [[1,2,3],[4,5,6]] column by column.
  write_file(folder / "f.npy", npy(dictionary("|u1", "(2, 3)", "True"), "\1\4\2\5\3\6"));
  REQUIRE(std::get<std::vector<std::uint8_t>>(read_npy(folder / "f.npy").values) ==
          std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6});
  // Version 2.0 has a longer length field.
  write_file(folder / "v2.npy", npy(dictionary("|u1", "(2,)"), "ab", 2));
  REQUIRE(read_npy(folder / "v2.npy").size() == 2);
}

TEST_CASE("NumPy reads our arrays, and we read its", "[io][quick]") {
  const char* given = std::getenv("INTERTWINE_TEST_PYTHON");
  const std::string python = given ? given : "python3";
  if (exit_of(python + " -c 'import numpy'") != 0) {
    WARN("no numpy at hand: .npy files are not tried with it");
    return;
  }
  Folder folder;
  write_npy(folder / "a.npy", {{2, 2}, std::vector<float>{1, 2, 3, 4.5}});
  write_file(folder / "check.py",
             "import numpy, sys\n"
             "f = sys.argv[1]\n"
             "a = numpy.load(f + '/a.npy', allow_pickle=False)\n"
             "assert a.dtype == numpy.float32 and a.tolist() == [[1, 2], [3, 4.5]]\n"
             "b = numpy.arange(24.).reshape(2, 3, 4)\n"
             "numpy.save(f + '/c.npy', b)\n"
             "numpy.save(f + '/f.npy', numpy.asfortranarray(b))\n"
             "numpy.save(f + '/half.npy', b.astype(numpy.float16))\n"
             "numpy.save(f + '/big.npy', b.astype('>f8'))\n");
  REQUIRE(exit_of(python + " '" + (folder / "check.py").string() + "' '" + folder.path().string() + "'") == 0);
  for (const char* name : {"c.npy", "f.npy"}) {
    const NpyArray back = read_npy(folder / name);
    REQUIRE(back.shape == std::vector<std::uint64_t>{2, 3, 4});
    const auto values = to_doubles(back);
    for (std::size_t k = 0; k < 24; ++k) REQUIRE(values[k] == static_cast<double>(k));
  }
  for (const char* name : {"half.npy", "big.npy"})
    REQUIRE_THROWS_WITH(read_npy(folder / name), Catch::Contains("save it as float32"));
}

TEST_CASE("files that are no arrays are refused with the reason", "[io][quick]") {
  Folder folder;
  const auto refused = [&](const std::string& bytes, const std::string& reason) {
    write_file(folder / "x.npy", bytes);
    CAPTURE(reason);
    REQUIRE_THROWS_AS(read_npy(folder / "x.npy"), FileError);
    REQUIRE_THROWS_WITH(read_npy(folder / "x.npy"), Catch::Contains(reason));
  };
  const std::string good = npy(dictionary("<f4", "(2,)"), std::string(8, '\0'));
  write_file(folder / "x.npy", good);
  REQUIRE(read_npy(folder / "x.npy").size() == 2);
  refused("", "too short");
  refused("PK\3\4 not an array", "no NumPy array");
  refused(good.substr(0, good.size() - 1), "7 bytes");
  refused(good + "x", "9 bytes");
  refused(npy(dictionary("<f4", "(2,)"), "", 4), "unknown version");
  refused(npy(dictionary("|O", "(2,)"), std::string(16, '\0')), "type '|O'");
  refused(npy(dictionary("<f4", "(-2,)"), std::string(8, '\0')), "not understood");
  refused(npy("{'descr': '<f4'}", ""), "not understood");
  refused(npy(dictionary("<f4", "(4294967296, 4294967296, 4)"), ""), "0 bytes");
  refused(npy(dictionary("<f8", "(2305843009213693952,)"), ""), "0 bytes");
  refused(npy(dictionary("<f4", "(99999999999999999999,)"), ""), "not understood");
  refused(npy(dictionary("<f4", "(1,1,1,1,1,1,1,1,1)"), std::string(4, '\0')), "not understood");
  std::string lying = good;
  lying[8] = '\xff';
  lying[9] = '\xff';
  refused(lying, "too long");
  REQUIRE_THROWS_AS(read_npy(folder / "missing.npy"), FileError);
  REQUIRE_THROWS_AS(read_npy(folder.path()), FileError);
  REQUIRE_THROWS_AS(write_npy(folder / "y.npy", {{3}, std::vector<float>{1}}), DomainError);
  REQUIRE_THROWS_AS(write_npy(folder / "none" / "y.npy", {{1}, std::vector<float>{1}}), FileError);
  write_file(folder / "x.npy", good);
  REQUIRE_THROWS_AS(read_npy(folder / "x.npy", Task(4, 0, {})), LimitError);
}
