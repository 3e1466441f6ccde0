#include "intertwine/io/table_file.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "intertwine/error.hpp"
#include "intertwine/tables/sha256.hpp"
#include "io/tables.hpp"
#include "support/paths.hpp"

using namespace intertwine;
using namespace test_tables;

namespace {

struct Shape {
  std::uint64_t rows, cols, params, bias_params;
};

// Widths of one, two and four bytes, sizes that leave other arrays unaligned, tables without
// parameters.
const Shape shapes[] = {{1, 1, 0, 0},       {1, 1, 1, 1},         {7, 5, 3, 2},        {16, 16, 15, 1},
                        {3, 9, 27, 3},      {40, 33, 127, 7},     {40, 33, 128, 40},   {130, 3, 5, 130},
                        {200, 3, 300, 130}, {300, 110, 32767, 1}, {300, 110, 32768, 1}};

std::string with_extension(TableFormat format) {
  return format == TableFormat::safetensors ? "t.safetensors" : format == TableFormat::npz ? "t.npz" : "t.json";
}

std::string refusal(const std::filesystem::path& path) {
  try {
    read_table(path);
  } catch (const FileError& error) {
    return error.what();
  }
  return "accepted";
}

// The digest of a JSON table of one-byte codes with one-byte bias codes.
std::string digest_of_json(const nlohmann::json& table) {
  const auto sizes = table["weight.orbit_size"].get<std::vector<std::int64_t>>();
  const auto bias = table["bias.code"].get<std::vector<std::uint8_t>>();
  Sha256 sha256;
  sha256.add(std::as_bytes(std::span(sizes)));
  sha256.add(std::as_bytes(std::span(bias)));
  for (const auto& row : table["weight.code"]) {
    const auto codes = row.get<std::vector<std::uint8_t>>();
    sha256.add(std::as_bytes(std::span(codes)));
  }
  return sha256.hex();
}

std::string header_text(const std::string& bytes) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), 8);
  return bytes.substr(8, size);
}

// A safetensors file from a JSON header and a data section.
std::string container(const std::string& header, const std::string& data) {
  std::string out(8, '\0');
  const std::uint64_t size = header.size();
  std::memcpy(out.data(), &size, 8);
  return out + header + data;
}

}  // namespace

TEST_CASE("tables survive every format, with one digest", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  for (const auto& [rows, cols, params, bias_params] : shapes) {
    const WeightBlock table = random_table(rows, cols, params, bias_params, rng);
    CAPTURE(rows, cols, params, bias_params);
    std::string digest;
    for (const auto format : {TableFormat::safetensors, TableFormat::npz, TableFormat::json}) {
      const auto path = folder / with_extension(format);
      CAPTURE(path.string());
      const std::string written = write_table(path, table);
      REQUIRE(written.size() == 64);
      if (digest.empty()) digest = written;
      REQUIRE(written == digest);
      const WeightBlock again = read_table(path).block();
      REQUIRE(same(again, table));
      REQUIRE(intertwine::digest(again) == digest);
      REQUIRE(intertwine::digest(table) == digest);
      REQUIRE_NOTHROW(require_consistent(again));
      for (const auto& [key, value] : table.metadata) REQUIRE(again.metadata.at(key) == value);
      REQUIRE(again.metadata.at("order") == "by smallest row-major entry");
      REQUIRE(again.metadata.at("convention") == table_convention);
      const Codes codes = codes_of(table.weights);
      std::vector<std::int32_t> row(cols);
      for (std::uint64_t i = 0; i < rows; ++i) {
        again.weights.tied().codes->row(i, row);
        for (std::uint64_t j = 0; j < cols; ++j) REQUIRE(row[j] == code_at(codes, i * cols + j));
      }
      REQUIRE(same(read_numeric_table(path).block(), table));
      // What was read can be written again, and is the same file.
      const auto second = folder / ("again" + path.extension().string());
      REQUIRE(write_table(second, again) == digest);
      REQUIRE(read_file(second) == read_file(path));
    }
  }
}

TEST_CASE("the safetensors file is laid out as the format says", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  const WeightBlock table = random_table(20, 7, 130, 2, rng);
  const auto path = folder / "t.safetensors";
  const std::string digest = write_table(path, table);
  const std::string bytes = read_file(path);
  const auto head = nlohmann::json::parse(header_text(bytes));
  REQUIRE(header_text(bytes).size() % 8 == 0);
  REQUIRE(head.size() == 4);
  REQUIRE(head["weight.orbit_size"] == nlohmann::json{{"dtype", "I64"}, {"shape", {130}}, {"data_offsets", {0, 1040}}});
  REQUIRE(head["weight.code"] == nlohmann::json{{"dtype", "U16"}, {"shape", {20, 7}}, {"data_offsets", {1040, 1320}}});
  REQUIRE(head["bias.code"] == nlohmann::json{{"dtype", "U8"}, {"shape", {20}}, {"data_offsets", {1320, 1340}}});
  const auto& metadata = head["__metadata__"];
  for (const char* key :
       {"format", "version", "kind", "rows", "cols", "params", "bias_params", "multiplicity_in", "multiplicity_out",
        "convention", "group", "rep_in", "rep_out", "field", "order", "sign_rule", "producer", "sha256"})
    REQUIRE(metadata.contains(std::string("intertwine.") + key));
  REQUIRE(metadata["intertwine.version"] == "1.2");
  REQUIRE(metadata["intertwine.sha256"] == digest);
  std::uint16_t first = 0;
  std::memcpy(&first, bytes.data() + 8 + header_text(bytes).size() + 1040, 2);
  REQUIRE(first == code_at(codes_of(table.weights), 0));
}

TEST_CASE("codes have two bytes where these hold them, and the digest is that of four", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  const auto path = folder / "t.safetensors";
  const auto written = [&](std::uint64_t params) {
    write_table(path, random_table(300, 300, params, 1, rng));
    const auto head = nlohmann::json::parse(header_text(read_file(path)));
    return head["weight.code"]["dtype"].get<std::string>() + " " +
           head["__metadata__"]["intertwine.version"].get<std::string>();
  };
  REQUIRE(written(127) == "U8 1");
  REQUIRE(written(128) == "U16 1.2");
  REQUIRE(written(32767) == "U16 1.2");
  REQUIRE(written(32768) == "I32 1");
  // What version 1 wrote has I32; written again, it is shorter and has the same digest.
  for (const char* name : {"wide.safetensors", "wide.npz"}) {
    const std::filesystem::path old =
        std::filesystem::path(test_data()).parent_path() / "fuzz/corpus/table_file" / name;
    const WeightBlock table = read_table(old).block();
    const std::string digest = intertwine::digest(table);
    REQUIRE(write_table(folder / name, table) == digest);
    REQUIRE(std::filesystem::file_size(folder / name) < std::filesystem::file_size(old));
    REQUIRE(same(read_table(folder / name).block(), table));
    REQUIRE(intertwine::digest(read_table(folder / name)) == digest);
  }
  // Codes out of range, a type that the parameters do not have, and damage.
  const WeightBlock table = random_table(20, 7, 130, 2, rng);
  write_table(path, table);
  const std::string bytes = read_file(path);
  const std::size_t codes = 8 + header_text(bytes).size() + 1040;
  const auto changed = [&](auto change) {
    std::string other = bytes;
    change(other);
    write_file(folder / "other.safetensors", other);
    return refusal(folder / "other.safetensors");
  };
  REQUIRE(changed([](auto&) {}) == "accepted");
  REQUIRE_THAT(changed([&](auto& b) { b[codes] = b[codes + 1] = '\xff'; }),
               Catch::Contains("the weight code 65535 is outside 0..260"));
  REQUIRE_THAT(changed([&](auto& b) { std::swap(b[codes], b[codes + 2]), b[codes] ^= 1; }),
               Catch::Contains("damaged") || Catch::Contains("outside"));
  REQUIRE_THAT(changed([&](auto& b) { b.replace(b.find("U16"), 3, "I16"); }),
               Catch::Contains("\"weight.code\" is I16 [20, 7], and the metadata asks for I32 [20, 7]"));
  for (const char* params : {"030", "999"})  // U8, or fewer orbit sizes than parameters
    REQUIRE_THAT(changed([&](auto& b) { b.replace(b.find("params\":\"130") + 9, 3, params); }),
                 !Catch::Equals("accepted"));
}

TEST_CASE("rows may come in any order, small and large", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  for (const auto format : {TableFormat::safetensors, TableFormat::npz, TableFormat::json}) {
    const std::uint64_t rows = 2000, cols = 20;
    WeightBlock table = random_table(rows, cols, 9, 3, rng);
    std::vector<std::uint64_t> order(rows);
    std::iota(order.begin(), order.end(), 0);
    // Runs of neighbours in random order, so that gathering is begun and broken off.
    for (std::uint64_t k = rows / 50; k > 1; --k) {
      const std::uint64_t other = rng.below(k);
      std::swap_ranges(order.begin() + static_cast<std::ptrdiff_t>((k - 1) * 50),
                       order.begin() + static_cast<std::ptrdiff_t>(k * 50),
                       order.begin() + static_cast<std::ptrdiff_t>(other * 50));
    }
    const auto path = folder / with_extension(format);
    const std::string digest = write_table(path, table);
    tied(table.weights).codes = std::make_shared<Rows>(table.weights, order);
    REQUIRE(write_table(path, table) == digest);
    REQUIRE(intertwine::digest(table) == digest);
    REQUIRE(same(read_table(path).block(), table));
  }
  // Rows above the size of the buffer.
  WeightBlock wide = random_table(3, 400'000, 200, 0, rng);
  const std::string digest = write_table(folder / "wide.safetensors", wide);
  tied(wide.weights).codes = std::make_shared<Rows>(wide.weights, std::vector<std::uint64_t>{2, 0, 1});
  for (const char* name : {"wide.safetensors", "wide.npz"}) {
    REQUIRE(write_table(folder / name, wide) == digest);
    REQUIRE(same(read_table(folder / name).block(), wide));
  }
}

TEST_CASE("a writer refuses what a reader would refuse", "[io][quick]") {
  Folder folder;
  const WeightBlock good = diagonal_table(4);
  const auto reason = [&](auto change) -> std::string {
    std::string out = "accepted";
    for (const char* name : {"t.safetensors", "t.npz", "t.json", "t.hpp"}) {
      WeightBlock table = good;
      change(table);
      try {
        write_table(folder / name, table);
        std::filesystem::remove(folder / name);
      } catch (const DomainError& error) {
        out = error.what();
      }
    }
    REQUIRE(folder.entries() == 0);
    return out;
  };
  const auto with_rows = [&](std::vector<std::uint64_t> order, std::size_t cut = 0) {
    return reason([&](WeightBlock& t) {
      const auto rows = std::make_shared<Rows>(t.weights, order);
      rows->cut = cut;
      tied(t.weights).codes = rows;
    });
  };
  REQUIRE(reason([](auto&) {}) == "accepted");
  REQUIRE(with_rows({3, 0, 2, 1}) == "accepted");
  REQUIRE_THAT(with_rows({0, 1, 2}), Catch::Contains("3 of 4 rows"));
  REQUIRE_THAT(with_rows({0, 1, 1, 2}), Catch::Contains("row 1 came twice"));
  REQUIRE_THAT(with_rows({0, 1, 2, 7}), Catch::Contains("row 7 of a table of 4 rows"));
  REQUIRE_THAT(with_rows({0, 1, 2, 3}, 1), Catch::Contains("row 0 has 3 bytes of codes, not 4"));
  // Codes and sizes that do not fit, in memory and handed out.
  for (const bool streamed : {false, true}) {
    const auto with_codes = [&](const std::vector<std::uint8_t>& codes) {
      return reason([&](WeightBlock& t) {
        const std::vector<std::int64_t> sizes = t.weights.tied().orbit_size;
        WeightPattern other{4, 4, 2, TiedEntries{sizes, code_rows(4, 4, codes)}};
        if (streamed) tied(other).codes = std::make_shared<Rows>(other, std::vector<std::uint64_t>{0, 1, 2, 3});
        t.weights = other;
      });
    };
    std::vector<std::uint8_t> codes = std::get<0>(codes_of(good.weights));
    codes[7] = 5;
    REQUIRE_THAT(with_codes(codes), Catch::Contains("code 5"));
    codes[7] = 1;
    REQUIRE_THAT(with_codes(codes), Catch::Contains("parameter 0 occurs 5 times"));
  }
  REQUIRE_THAT(reason([](auto& t) { tied(t.weights).orbit_size = {4}; }), Catch::Contains("1 orbit sizes"));
  REQUIRE_THAT(reason([](auto& t) { tied(t.weights).orbit_size = {4, 13}; }), Catch::Contains("orbit size 13"));
  REQUIRE_THAT(reason([](auto& t) { tied(t.weights).codes = nullptr; }), Catch::Contains("weight codes"));
  REQUIRE_THAT(reason([](auto& t) { tied(t.bias).codes = code_rows(4, 1, std::vector<std::uint8_t>(4, 0)); }),
               Catch::Contains("bias parameter 0 occurs 0 times"));
  REQUIRE_THAT(reason([](auto& t) { tied(t.bias).codes = code_rows(4, 1, std::vector<std::int32_t>(4, 1)); }),
               Catch::Contains("1 byte(s)"));
  REQUIRE_THAT(reason([](auto& t) { tied(t.bias).codes = code_rows(3, 1, std::vector<std::uint8_t>(3, 1)); }),
               Catch::Contains("bias codes 3 x 1"));
  REQUIRE_THAT(reason([](auto& t) { t.bias.rows = 3; }), Catch::Contains("this one is 3 x 1"));
  REQUIRE_THAT(reason([](auto& t) { t.bias.entries = SparseElements{}; }), Catch::Contains("same kind"));
  REQUIRE_THAT(reason([](auto& t) { t.metadata["rows"] = "5"; }), Catch::Contains("the file's own"));
  REQUIRE_THAT(reason([](auto& t) { t.metadata["group"] = "\xff"; }), Catch::Contains("UTF-8"));
  REQUIRE_THAT(reason([](auto& t) { t.weights.rows = 0; }), Catch::Contains("nothing to write"));
  REQUIRE_THAT(reason([](auto& t) { t.channels.in = 0; }), Catch::Contains("multiplicities"));
  WeightBlock huge = good;
  huge.weights.rows = huge.bias.rows = huge.weights.cols = std::uint64_t{1} << 40;
  REQUIRE_THROWS_AS(write_table(folder / "t.npz", huge), LimitError);
  REQUIRE(folder.entries() == 0);
}

TEST_CASE("formats go by the extension, and text forms have a limit", "[io][quick]") {
  REQUIRE(table_format("a/b.safetensors") == TableFormat::safetensors);
  REQUIRE(table_format("b.npz") == TableFormat::npz);
  REQUIRE(table_format("b.json") == TableFormat::json);
  REQUIRE(table_format("b.hpp") == TableFormat::cpp_header);
  REQUIRE(table_format("b.h") == TableFormat::cpp_header);
  REQUIRE_THROWS_WITH(table_format("b.pt"), Catch::Contains(".safetensors"));
  Folder folder;
  const WeightBlock big = diagonal_table(1025);
  REQUIRE_THROWS_AS(write_table(folder / "t.json", big), LimitError);
  REQUIRE(folder.entries() == 0);
}

TEST_CASE("an unfinished or interrupted file leaves nothing, and keeps what was there", "[io][quick]") {
  Folder folder;
  const WeightBlock table = diagonal_table(64);
  const auto path = folder / "t.safetensors";
  write_file(path, "old");
  std::uint64_t calls = 0;
  Task* running = nullptr;
  Task task(0, 0, [&](std::string_view, std::uint64_t, std::uint64_t) {
    ++calls;
    running->cancel();
  });
  running = &task;
  REQUIRE_THROWS_AS(write_table(path, table, task), Interrupted);
  REQUIRE(calls > 0);
  REQUIRE(folder.entries() == 1);
  REQUIRE(read_file(path) == "old");
  // A signal that ends the process without unwinding: the handler removes what is unfinished.
  class Signalled : public Rows {
   public:
    Signalled(const WeightPattern& pattern, const Folder& folder) : Rows(pattern, {}), folder_(folder) {}
    void for_each_row(unsigned, const RowSink&, const Task&) const override {
      REQUIRE(folder_.entries() <= 2);  // one where the file has no name yet
      discard_unfinished_files();
      REQUIRE(folder_.entries() == 1);
    }

   private:
    const Folder& folder_;
  };
  WeightBlock signalled = table;
  tied(signalled.weights).codes = std::make_shared<Signalled>(table.weights, folder);
  REQUIRE_THROWS_AS(write_table(path, signalled), DomainError);
  write_table(path, table);
  REQUIRE(folder.entries() == 1);
  REQUIRE(read_table(path).block().weights.rows == 64);
}

TEST_CASE("write errors name the file and the reason", "[io][quick]") {
  Folder folder;
  const WeightBlock table = diagonal_table(8);
  REQUIRE_THROWS_WITH(write_table(folder / "none/t.npz", table),
                      Catch::Contains("t.npz") && Catch::Contains("No such file"));
  std::filesystem::create_directory(folder / "d.json");
  REQUIRE_THROWS_WITH(write_table(folder / "d.json", table), Catch::Contains("Is a directory"));
  REQUIRE_THROWS_WITH(write_file("/dev/null", "x"), Catch::Contains("not a regular file"));
  REQUIRE_THROWS_AS(write_file("", "x"), FileError);
  REQUIRE_THROWS_WITH(write_file(folder.path().string() + "/", "x"), Catch::Contains("Is a directory"));
  if (::geteuid() != 0) {
    std::filesystem::create_directory(folder / "locked");
    ::chmod((folder / "locked").c_str(), 0555);
    REQUIRE_THROWS_WITH(write_table(folder / "locked/t.npz", table), Catch::Contains("Permission denied"));
  } else {
    WARN("running as root: a folder without write permission cannot be tried");
  }
  // Links are followed: the file they point at is replaced, the link stays.
  write_file(folder / "real.txt", "1");
  std::filesystem::create_symlink("real.txt", folder / "link.txt");
  write_file(folder / "link.txt", "2");
  REQUIRE(std::filesystem::is_symlink(folder / "link.txt"));
  REQUIRE(read_file(folder / "real.txt") == "2");
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  REQUIRE_THROWS_AS(write_file(folder / "dangling", "x"), FileError);
}

TEST_CASE("a full disk leaves nothing", "[io][quick]") {
  Folder folder;
  const WeightBlock table = diagonal_table(700);
  for (const char* name : {"t.safetensors", "t.npz", "t.json"}) {
    CAPTURE(name);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{100'000, 100'000};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      int status = 1;
      try {
        write_table(folder / name, table);
      } catch (const FileError& error) {
        const std::string what = error.what();
        status = what.find(name) != std::string::npos && what.find("File too large") != std::string::npos ? 0 : 2;
      } catch (...) {
        status = 3;
      }
      ::_exit(status);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) == 0);
    REQUIRE(folder.entries() == 0);
  }
}

TEST_CASE("inconsistent safetensors files are refused with the reason", "[io][quick]") {
  Folder folder;
  const auto path = folder / "t.safetensors";
  write_table(path, diagonal_table(4));
  const std::string good = read_file(path);
  const auto head = nlohmann::json::parse(header_text(good));
  const std::string data = good.substr(8 + header_text(good).size());
  const auto reason = [&](const std::string& bytes) {
    write_file(path, bytes);
    const std::string out = refusal(path);
    REQUIRE((out == "accepted" || out.find("t.safetensors") != std::string::npos));
    return out;
  };
  const auto with = [&](auto change) {
    auto altered = head;
    change(altered);
    return reason(container(altered.dump(), data));
  };
  const auto with_metadata = [&](const char* key, const char* value) {
    return with([&](auto& h) { h["__metadata__"][std::string("intertwine.") + key] = value; });
  };
  REQUIRE_THAT(with_metadata("version", "2"), Catch::Contains("version 2"));
  REQUIRE_THAT(with_metadata("version", "11"), Catch::Contains("version 11"));
  REQUIRE_THAT(with_metadata("kind", "sparse-basis"), Catch::Contains("\"weight.basis_row\" is missing"));
  REQUIRE_THAT(with_metadata("format", "other"), Catch::Contains("tied-table"));
  REQUIRE_THAT(with_metadata("rows", "5"), Catch::Contains("asks for"));
  REQUIRE_THAT(with_metadata("rows", "-4"), Catch::Contains("not a number"));
  REQUIRE_THAT(with_metadata("rows", "18446744073709551620"), Catch::Contains("not a number"));
  REQUIRE_THAT(with_metadata("rows", "1152921504606846976"), Catch::Contains("asks for"));
  REQUIRE_THAT(with_metadata("params", "3"), Catch::Contains("asks for"));
  REQUIRE_THAT(with_metadata("sha256", "no"), Catch::Contains("hexadecimal"));
  REQUIRE_THAT(with_metadata("sha256", std::string(64, 'a').c_str()), Catch::Contains("damaged"));
  REQUIRE_THAT(with([](auto& h) { h["__metadata__"].erase("intertwine.sha256"); }), Catch::Contains("lacks the key"));
  REQUIRE_THAT(with([](auto& h) { h["__metadata__"]["x"] = 1; }), Catch::Contains("no string"));
  REQUIRE_THAT(with([](auto& h) { h.erase("__metadata__"); }), Catch::Contains("lacks the key"));
  REQUIRE_THAT(with([](auto& h) { h.erase("bias.code"); }), Catch::Contains("leaves a gap"));
  REQUIRE_THAT(with([](auto& h) { h.erase("weight.code"); }), Catch::Contains("bytes follow"));
  REQUIRE_THAT(with([](auto& h) { h["weight.code"]["dtype"] = "I8"; }), Catch::Contains("asks for"));
  REQUIRE_THAT(with([](auto& h) { h["weight.code"]["shape"] = {4, 5}; }), Catch::Contains("do not fit its shape"));
  REQUIRE_THAT(with([](auto& h) { h["weight.code"]["shape"] = {4, -4}; }), Catch::Contains("whole numbers"));
  REQUIRE_THAT(with([](auto& h) { h["weight.code"]["shape"] = {2, 8}; }), Catch::Contains("asks for"));
  REQUIRE_THAT(with([](auto& h) { h["bias.code"]["data_offsets"] = {15, 19}; }), Catch::Contains("overlaps"));
  REQUIRE_THAT(with([](auto& h) { h["bias.code"]["data_offsets"] = {17, 99}; }), Catch::Contains("truncated"));
  REQUIRE_THAT(with([](auto& h) { h["bias.code"]["data_offsets"] = {9, 4}; }), Catch::Contains("truncated"));
  REQUIRE_THAT(with([](auto& h) { h["weight.code"] = 3; }), Catch::Contains("lacks dtype"));
  REQUIRE_THAT(reason(good + "x"), Catch::Contains("follow the last array"));
  REQUIRE_THAT(reason(good.substr(0, good.size() - 1)), Catch::Contains("truncated"));
  REQUIRE_THAT(reason(good.substr(0, 100)), Catch::Contains("truncated"));
  REQUIRE_THAT(reason(good.substr(0, 5)), Catch::Contains("no table file"));
  REQUIRE_THAT(reason(""), Catch::Contains("no table file"));
  REQUIRE_THAT(reason("// header"), Catch::Contains("for compilers"));
  REQUIRE_THAT(reason(container("{\"a\":1,\"a\":2}", "")), Catch::Contains("twice"));
  REQUIRE_THAT(reason(container("{\"a\":" + std::string(100'000, '['), "")), Catch::Contains("deeper"));
  REQUIRE_THAT(reason(container("{\"\xff\":1}", "")), Catch::Contains("not valid JSON"));
  REQUIRE_THAT(reason(container("{}  x", "")), Catch::Contains("not valid JSON"));
  // Unknown keys and arrays are ignored: only the digest has to fit.
  auto more = head;
  more["__metadata__"]["format"] = "pt";
  more["__metadata__"]["intertwine.new_key"] = "1";
  REQUIRE(reason(container(more.dump(), data)) == "accepted");
}

TEST_CASE("JSON tables are read strictly", "[io][quick]") {
  Folder folder;
  const auto path = folder / "t.json";
  write_table(path, diagonal_table(3));
  const auto good = nlohmann::json::parse(read_file(path));
  const auto reason = [&](auto change, bool right_digest = false) {
    auto altered = good;
    change(altered);
    if (right_digest) altered["metadata"]["intertwine.sha256"] = digest_of_json(altered);
    write_file(path, altered.dump());
    return refusal(path);
  };
  REQUIRE(reason([](auto&) {}) == "accepted");
  REQUIRE(reason([](auto&) {}, true) == "accepted");
  REQUIRE_THAT(reason([](auto& t) { t["weight.code"][0][0] = 256; }), Catch::Contains("up to 255"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.code"][0][0] = -1; }), Catch::Contains("whole numbers"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.code"][0][0] = 1.0; }), Catch::Contains("whole numbers"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.code"][1] = {1, 2}; }), Catch::Contains("list of 3"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.code"].erase(1); }), Catch::Contains("3 rows"));
  REQUIRE_THAT(reason([](auto& t) { t.erase("bias.code"); }), Catch::Contains("missing"));
  REQUIRE_THAT(reason([](auto& t) { t.erase("metadata"); }), Catch::Contains("metadata"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.code"][0][0] = 2; }), Catch::Contains("sha256"));
  // The digest fits, the contents do not fit each other.
  REQUIRE_THAT(reason([](auto& t) { t["weight.code"][0][0] = 9; }, true), Catch::Contains("outside 0..4"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.code"][0][0] = 2; }, true),
               Catch::Contains("parameter 0 occurs 2 times"));
  REQUIRE_THAT(reason(
                   [](auto& t) {
                     t["weight.orbit_size"] = {4, 5};
                   },
                   true),
               Catch::Contains("parameter 0 occurs 3 times"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.orbit_size"] = {0, 9}; }, true), Catch::Contains("orbit size 0"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.orbit_size"] = {3, 7}; }, true), Catch::Contains("orbit size 7"));
  REQUIRE_THAT(reason([](auto& t) { t["bias.code"][0] = 3; }, true), Catch::Contains("code 3 is outside 0..2"));
  REQUIRE_THAT(reason([](auto& t) { t["bias.code"] = {0, 0, 0}; }, true), Catch::Contains("occurs nowhere"));
  REQUIRE(reason([](auto& t) { t["weight.code"][0][0] = 3; }, true) == "accepted");  // -theta_0 instead of +theta_0
}

TEST_CASE("a file cut short while it is open gives an error", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  const auto path = folder / "t.safetensors";
  const WeightBlock table = random_table(64, 64, 200, 1, rng);
  write_table(path, table);
  const WeightBlock read = read_table(path).block();
  const CodeRows& file = *read.weights.tied().codes;
  std::vector<std::int32_t> row(64);
  file.row(63, row);
  REQUIRE(codes_of(read.weights) == codes_of(table.weights));
  REQUIRE_THROWS_AS(file.row(64, row), DomainError);
  REQUIRE_THROWS_AS(file.row(0, std::span(row).first(63)), DomainError);
  const auto size = std::filesystem::file_size(path);
  {
    std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(size - 64 - 4));  // the last code of the last row, before the bias
    stream.write("\xff\xff\xff\x7f", 4);
  }
  REQUIRE_THROWS_WITH(file.row(63, row), Catch::Contains("changed"));
  REQUIRE_THROWS_WITH(codes_of(read.weights), Catch::Contains("changed"));
  std::filesystem::resize_file(path, size / 2);
  REQUIRE_THROWS_WITH(file.row(63, row), Catch::Contains("cut short"));
  file.row(0, row);
}

TEST_CASE("what is no file is not read", "[io][quick]") {
  Folder folder;
  REQUIRE_THROWS_WITH(read_table(folder / "none"), Catch::Contains("No such file"));
  REQUIRE_THROWS_WITH(read_table(folder.path()), Catch::Contains("Is a directory"));
  REQUIRE_THROWS_WITH(read_file(folder.path()), Catch::Contains("Is a directory"));
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  REQUIRE_THROWS_WITH(read_table(folder / "pipe"), Catch::Contains("not a regular file"));
  write_file(folder / "text", std::string(1000, 'x'));
  REQUIRE(read_file(folder / "text", 1000).size() == 1000);
  REQUIRE_THROWS_WITH(read_file(folder / "text", 999), Catch::Contains("999 bytes"));
}

TEST_CASE("memory limits are obeyed", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  const auto path = folder / "t.safetensors";
  write_table(path, random_table(300, 300, 40'000, 1, rng));
  REQUIRE_THROWS_AS(read_table(path, Task(100'000, 0, {})), LimitError);
  REQUIRE_NOTHROW(read_table(path, Task(2'000'000, 0, {})));
  write_table(path, diagonal_table(1000));
  const WeightBlock table = read_table(path, Task(500'000, 0, {})).block();
  REQUIRE_THROWS_AS(all_codes(*table.weights.tied().codes, 2, Task(500'000, 0, {})), LimitError);
}
