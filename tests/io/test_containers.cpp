// The containers against programs that others wrote: NumPy, the safetensors package, the C++ compiler.
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>

#include "../../src/io/containers/atomic_file.hpp"
#include "../../src/io/containers/npz.hpp"
#include "../../src/io/containers/text.hpp"
#include "../../src/io/containers/text_tables.hpp"
#include "../../src/io/containers/zip.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/table_file.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using namespace test_tables;

namespace {

bool runs(const std::string& command) {
  const int status = std::system((command + " >/dev/null 2>&1").c_str());
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// INTERTWINE_TEST_PYTHON names an interpreter that has the packages, when python3 has not.
std::string python() {
  const char* given = std::getenv("INTERTWINE_TEST_PYTHON");
  return given ? given : "python3";
}

// The codes as a Python literal, to compare with what Python read.
std::string python_list(const WeightBlock& table) {
  std::string out = "[";
  const Codes codes = codes_of(table.weights);
  for (std::uint64_t k = 0; k < table.weights.rows * table.weights.cols; ++k)
    out += std::to_string(code_at(codes, k)) + ",";
  return out + "]";
}

}  // namespace

TEST_CASE("UTF-8 is told from what is not", "[io][quick]") {
  for (const char* good : {"", "abc", "θ₀ → ρ ⊗ σ", "\xEF\xBF\xBD", "\xF4\x8F\xBF\xBF"}) REQUIRE(is_utf8(good));
  for (const char* bad : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                          "\xF8\x88\x80\x80\x80", "a\xE2\x82"})
    REQUIRE_FALSE(is_utf8(bad));
  REQUIRE(shown(std::string_view("a\nb\xff")) == "a?b?");
}

TEST_CASE("names of files become names of namespaces", "[io][quick]") {
  REQUIRE(identifier_for("s4_table") == "s4_table");
  REQUIRE(identifier_for("S4 -> perm^2") == "S4_perm_2");
  REQUIRE(identifier_for("3x3") == "table_3x3");
  REQUIRE(identifier_for("__a__b__") == "a_b");
  REQUIRE(identifier_for("class") == "class_table");
  REQUIRE(identifier_for("linux") == "linux_table");
  REQUIRE(identifier_for("ä") == "table");
}

TEST_CASE("the C++ header compiles alone and holds the table", "[io][quick]") {
  const char* named = std::getenv("CXX");
  const std::string compiler = named ? named : "c++";
  if (!runs(compiler + " --version")) {
    WARN("no C++ compiler at hand: the header is not compiled");
    return;
  }
  auto rng = test_rng();
  Folder folder;
  WeightBlock table = random_table(9, 11, 5, 0, rng);
  table.metadata["group"] = "quote \" backslash \\ ?\?/ newline \n theta θ9";
  const std::string digest = write_table(folder / "my table-1.hpp", table);
  std::string sum;
  for (std::uint64_t k = 0; k < 99; ++k) sum += std::to_string(code_at(codes_of(table.weights), k)) + ",";
  write_file(folder / "use.cpp",
             "#include \"my table-1.hpp\"\n#include \"my table-1.hpp\"\n"
             "namespace t = intertwine_tables::my_table_1;\n"
             "constexpr int expected[] = {" +
                 sum +
                 "};\n"
                 "constexpr bool equal() { for (int k = 0; k < 99; ++k) if (t::weight_code[k] != "
                 "expected[k]) return false; return true; }\n"
                 "static_assert(equal() && t::rows == 9 && t::cols == 11 && t::params == 5 && t::bias_params "
                 "== 0);\n"
                 "static_assert(t::orbit_size.size() == 5 && t::bias_code.size() == 9);\n"
                 "constexpr std::string_view of(std::string_view key) { for (const auto& e : t::metadata) if "
                 "(e[0] == key) return e[1]; return {}; }\n"
                 "static_assert(of(\"intertwine.sha256\") == \"" +
                 digest +
                 "\");\n"
                 "static_assert(of(\"intertwine.group\") == \"quote \\\" backslash \\\\ ?\\?/ newline \\n "
                 "theta \\316\\2709\");\n");
  REQUIRE(runs(compiler + " -std=c++17 -Wall -Wextra -pedantic -Werror -fsyntax-only '" +
               (folder / "use.cpp").string() + "'"));
  // Tables without parameters have arrays without entries.
  WeightBlock empty = random_table(2, 2, 0, 0, rng);
  write_table(folder / "empty.h", empty);
  write_file(folder / "use.cpp",
             "#include \"empty.h\"\nstatic_assert(intertwine_tables::empty::orbit_size.empty());\n");
  REQUIRE(runs(compiler + " -std=c++17 -Wall -Wextra -pedantic -Werror -fsyntax-only '" +
               (folder / "use.cpp").string() + "'"));
  REQUIRE_THROWS_WITH(read_table(folder / "empty.h"), Catch::Contains("for compilers"));
}

TEST_CASE("a large C++ header is linked with its arrays", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  std::vector<std::string> compilers;
  for (const char* name : {"g++", "clang++", "clang++-15"})
    if (runs(std::string(name) + " --version")) compilers.push_back(name);
  if (compilers.empty()) WARN("no C++ compiler at hand: the header is not compiled");
  for (const std::uint64_t params : {std::uint64_t{100}, std::uint64_t{300}, std::uint64_t{40'000}}) {
    const WeightBlock table = random_table(1100, 1000, params, 3, rng);
    const std::string digest = write_table(folder / "big one.hpp", table);
    REQUIRE(folder.entries() == 3);
    REQUIRE(std::filesystem::file_size(folder / "big one.hpp") < 8192);
    REQUIRE(same(read_table(folder / "big one.hpp.safetensors").block(), table));
    std::uint64_t hash = 0;
    const Codes codes = codes_of(table.weights);
    for (std::uint64_t k = 0; k < 1'100'000; ++k) hash = 31 * hash + static_cast<std::uint64_t>(code_at(codes, k));
    write_file(folder / "use.cpp",
               "#include \"big one.hpp\"\nnamespace t = intertwine_tables::big_one;\n"
               "int main() {\n  std::uint64_t hash = 0, sizes = 0;\n"
               "  for (const auto code : t::weight_code) hash = 31 * hash + code;\n"
               "  for (const auto size : t::orbit_size) sizes += size;\n"
               "  return hash != " +
                   std::to_string(hash) + "u || sizes > t::rows * t::cols || t::orbit_size.size() != " +
                   std::to_string(params) + " || t::bias_code[0] > 6;\n}\n");
    for (const std::string& compiler : compilers) {
      CAPTURE(compiler, params);
      const std::string at = "'" + folder.path().string() + "/";
      REQUIRE(runs(compiler + " -c -I " + at + "' " + at + "big one.hpp.S' -o " + at + "big.o'"));
      REQUIRE(runs(compiler + " -std=c++17 -Wall -Wextra -pedantic -Werror " + at + "use.cpp' " + at + "big.o' -o " +
                   at + "use' && " + at + "use'"));
    }
    REQUIRE(read_table(folder / "big one.hpp.safetensors").block().weights.params == params);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) std::filesystem::remove(entry.path());
    REQUIRE(digest == intertwine::digest(table));
  }
  const WeightBlock table = random_table(1100, 1000, 300, 3, rng);
  for (const char* name : {"a\"b.hpp", "a\\b.h", "a\nb.hpp"})
    REQUIRE_THROWS_WITH(write_table(folder / name, table), Catch::Contains("an assembler includes"));
  REQUIRE(folder.entries() == 0);
}

TEST_CASE("NumPy reads our NPZ files, and we read its", "[io][quick]") {
  if (!runs(python() + " -c 'import numpy'")) {
    WARN("no numpy at hand: NPZ files are not tried with it");
    return;
  }
  auto rng = test_rng();
  Folder folder;
  for (const std::uint64_t params : {3, 130}) {
    const WeightBlock table = random_table(15, 12, params, 2, rng);
    const std::string digest = write_table(folder / "t.npz", table);
    write_file(folder / "check.py",
               "import json, sys, hashlib, numpy\n"
               "folder, digest = sys.argv[1:]\n"
               "z = numpy.load(folder + '/t.npz', allow_pickle=False)\n"
               "assert sorted(z) == ['bias.code', 'metadata', 'weight.code', 'weight.orbit_size'], list(z)\n"
               "m = json.loads(z['metadata'].item())\n"
               "assert m['intertwine.sha256'] == digest and m['intertwine.rep_out'] == 'perm ⊗ sign'\n"
               "w = z['weight.code']\n"
               "assert w.shape == (15, 12) and w.ravel().tolist() == " +
                   python_list(table) +
                   "\n"
                   "assert w.dtype == ('u2' if m['intertwine.params'] == '130' else 'u1')\n"
                   "a = {k: z[k].astype('<i4') if z[k].dtype == 'u2' else z[k] for k in z if k != 'metadata'}\n"
                   "order = sorted(a, key=lambda k: (-a[k].itemsize, k))\n"
                   "assert hashlib.sha256(b''.join(a[k].tobytes() for k in order)).hexdigest() == digest\n"
                   "numpy.savez(folder + '/second.npz', **dict(z))\n"
                   "numpy.savez_compressed(folder + '/packed.npz', **dict(z))\n"
                   "numpy.savez(folder + '/fortran.npz', **{**z, 'weight.code': numpy.asfortranarray(w)})\n");
    REQUIRE(runs(python() + " '" + (folder / "check.py").string() + "' '" + folder.path().string() + "' " + digest));
    REQUIRE(same(read_table(folder / "second.npz").block(), table));
    REQUIRE(intertwine::digest(read_table(folder / "second.npz")) == digest);
    REQUIRE(same(read_table(folder / "packed.npz").block(), table));
    REQUIRE_THROWS_AS(read_table(folder / "packed.npz", Task(100, 0, {})), LimitError);
    std::string packed = read_file(folder / "packed.npz");
    for (std::size_t at = 0; at < packed.size(); at += 7) {  // no byte may change unseen
      std::string damaged = packed;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
      write_file(folder / "damaged.npz", damaged);
      CAPTURE(at);
      std::optional<WeightBlock> found;  // dates and attributes say nothing: then it is the same table
      try {
        found = read_table(folder / "damaged.npz").block();
      } catch (const FileError&) {
      } catch (const LimitError&) {
      }
      if (found) REQUIRE(same(*found, table));
    }
    REQUIRE_THROWS_WITH(read_table(folder / "fortran.npz"), Catch::Contains("Fortran"));
  }
}

TEST_CASE("the safetensors package reads our files, and we read its", "[io][quick]") {
  if (!runs(python() + " -c 'import numpy, safetensors.numpy'")) {
    WARN("no safetensors package at hand (INTERTWINE_TEST_PYTHON): its reader is not tried");
    return;
  }
  auto rng = test_rng();
  Folder folder;
  for (const auto& [params, bias_params] : {std::pair<std::uint64_t, std::uint64_t>{3, 2}, {130, 2}, {0, 0}}) {
    const WeightBlock table = random_table(15, 12, params, bias_params, rng);
    const std::string digest = write_table(folder / "t.safetensors", table);
    write_file(folder / "check.py",
               "import sys, hashlib\nfrom safetensors import safe_open\nfrom safetensors.numpy import save_file\n"
               "folder, digest = sys.argv[1:]\n"
               "with safe_open(folder + '/t.safetensors', 'np') as f:\n"
               "    m = f.metadata()\n"
               "    t = {k: f.get_tensor(k) for k in f.keys()}\n"
               "assert m['intertwine.sha256'] == digest\n"
               "assert t['weight.code'].shape == (15, 12) and t['weight.code'].ravel().tolist() == " +
                   python_list(table) +
                   "\n"
                   "save_file(t, folder + '/second.safetensors', metadata=m)\n");
    REQUIRE(runs(python() + " '" + (folder / "check.py").string() + "' '" + folder.path().string() + "' " + digest));
    REQUIRE(same(read_table(folder / "second.safetensors").block(), table));
    REQUIRE(intertwine::digest(read_table(folder / "second.safetensors")) == digest);
  }
}

TEST_CASE("zip64 structures are written and read", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  const WeightBlock table = random_table(5, 6, 4, 1, rng);
  const auto path = folder / "t.npz";
  const std::string digest = write_table(path, table);
  const std::string narrow = read_file(path);
  // The same contents with the structures of files of 4 GiB: taken from the small file, put where they
  // belong.
  const auto arrays = planned_arrays(table, {});
  const FileLayout small = npz_layout(file_metadata(table), arrays);
  const FileLayout wide = npz_layout(file_metadata(table), arrays, true);
  REQUIRE(small.size == narrow.size());
  REQUIRE(wide.size > small.size);
  std::string bytes(wide.size, '\0');
  std::vector<std::uint32_t> crcs;
  const auto stored = parse_npz(MemorySource("narrow",
                                             [&] {
                                               const auto view = std::as_bytes(std::span(narrow));
                                               return std::vector<std::byte>(view.begin(), view.end());
                                             }()),
                                array_names::all);
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const std::string_view part = std::string_view(narrow).substr(stored.arrays[k].offset, arrays[k].bytes);
    bytes.replace(wide.array_offset[k], part.size(), part);
    std::uint32_t crc = 0xFFFFFFFF;  // CRC-32 bit by bit, as in the definition
    for (const char c : part) {
      crc ^= static_cast<unsigned char>(c);
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320U : 0);
    }
    crcs.push_back(~crc);
  }
  for (const FilePiece& piece : wide.pieces(with_sha256(file_metadata(table), digest), crcs))
    bytes.replace(piece.offset, piece.bytes.size(), piece.bytes);
  write_file(folder / "wide.npz", bytes);
  REQUIRE(same(read_table(folder / "wide.npz").block(), table));
  REQUIRE(intertwine::digest(read_table(folder / "wide.npz")) == digest);
  if (runs(python() + " -c 'import numpy'"))
    REQUIRE(runs(python() + " -c \"import numpy; assert numpy.load('" + (folder / "wide.npz").string() +
                 "')['weight.code'].shape == (5, 6)\""));
  // Lengths above 4 GiB lead to the wide structures by themselves.
  const ZipLayout big({{"a", 10}, {"b", std::uint64_t{5} << 30}, {"c", 7}});
  REQUIRE(big.local_header(0, 0).size() == 31);
  REQUIRE(big.local_header(1, 0).size() == 51);
  REQUIRE(big.local_header(2, 0).size() == 51);
  REQUIRE(big.contents_offset(2) == 31 + 10 + 51 + (std::uint64_t{5} << 30) + 51);
}
