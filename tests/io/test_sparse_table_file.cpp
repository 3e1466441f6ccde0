#include "intertwine/io/table_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "../../src/io/containers/npz.hpp"
#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/error.hpp"
#include "intertwine/tables/sha256.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using namespace test_tables;

namespace {

const char* const file_names[] = {"t.safetensors", "t.npz", "t.json"};

template <class Item>
std::string bytes_of(const std::vector<Item>& items) {
  return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item)};
}

std::string sha256_of(const std::string& bytes) {
  Sha256 sha256;
  sha256.add(std::as_bytes(std::span(bytes)));
  return sha256.hex();
}

std::string refusal(const std::filesystem::path& path) {
  try {
    read_table(path);
  } catch (const FileError& error) {
    const std::string what = error.what();
    REQUIRE(what.find('\n') == std::string::npos);
    REQUIRE(what.find(path.filename().string()) != std::string::npos);
    return what;
  }
  return "accepted";
}

void set_value(WeightPattern& pattern, std::size_t e, const Integer& value) {
  IntegerMatrix values = coordinates_of(pattern.sparse());
  values.set(0, e, value);
  set_exact_values(sparse(pattern), {}, values);
}

// The arrays of small_sparse_table() as a file holds them, free to be changed, and a safetensors file of them
// with the right digest.
struct RawFile {
  std::vector<std::int64_t> ptr = {0, 2, 4}, bias_ptr = {0, 2};
  std::vector<std::int32_t> row = {0, 1, 0, 1}, col = {0, 2, 1, 0}, bias_row = {0, 1};
  std::vector<double> val = {2, -3, 1, 5}, bias_val = {1, -1};
  std::map<std::string, std::string> metadata = {{"format", "tied-table"},
                                                 {"version", "1"},
                                                 {"kind", "sparse-basis"},
                                                 {"rows", "2"},
                                                 {"cols", "3"},
                                                 {"params", "2"},
                                                 {"bias_params", "1"},
                                                 {"multiplicity_in", "4"},
                                                 {"multiplicity_out", "1"}};

  std::string section() const {
    return bytes_of(bias_ptr) + bytes_of(ptr) + bytes_of(bias_val) + bytes_of(val) + bytes_of(bias_row) +
           bytes_of(col) + bytes_of(row);
  }
  nlohmann::ordered_json header() const {
    nlohmann::ordered_json head;
    for (const auto& [key, value] : metadata) head["__metadata__"]["intertwine." + key] = value;
    head["__metadata__"]["intertwine.sha256"] = sha256_of(section());
    std::size_t offset = 0;
    const auto add = [&](const char* name, const char* dtype, std::size_t count, std::size_t item) {
      head[name] = {{"dtype", dtype}, {"shape", {count}}, {"data_offsets", {offset, offset + count * item}}};
      offset += count * item;
    };
    add("bias.basis_ptr", "I64", bias_ptr.size(), 8);
    add("weight.basis_ptr", "I64", ptr.size(), 8);
    add("bias.basis_val", "F64", bias_val.size(), 8);
    add("weight.basis_val", "F64", val.size(), 8);
    add("bias.basis_row", "I32", bias_row.size(), 4);
    add("weight.basis_col", "I32", col.size(), 4);
    add("weight.basis_row", "I32", row.size(), 4);
    return head;
  }
  static std::string container(const std::string& header, const std::string& data) {
    return bytes_of(std::vector<std::uint64_t>{header.size()}) + header + data;
  }
  std::string file() const { return container(header().dump(), section()); }
};

}  // namespace

TEST_CASE("sparse bases survive every format, with one digest", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  const std::uint64_t shapes[][4] = {{1, 1, 0, 0}, {1, 1, 1, 1}, {2, 3, 0, 2}, {5, 7, 4, 0}, {40, 30, 200, 30}};
  for (const auto& [rows, cols, params, bias_params] : shapes) {
    const WeightBlock table = random_sparse_table(rows, cols, params, bias_params, rng);
    CAPTURE(rows, cols, params, bias_params);
    std::string digest;
    for (const char* name : file_names) {
      CAPTURE(name);
      const std::string written = write_table(folder / name, table);
      REQUIRE(written.size() == 64);
      if (digest.empty()) digest = written;
      REQUIRE(written == digest);
      const WeightBlock again = read_table(folder / name).block();
      REQUIRE(intertwine::digest(again) == digest);
      REQUIRE(same(again, table));
      REQUIRE(same(read_numeric_table(folder / name).block(), table));
      REQUIRE(again.metadata.at("rep_in") == "std");
      REQUIRE(again.metadata.at("field") == "R");
      REQUIRE(again.metadata.contains("convention"));
      // What was read can be written again, and is the same file.
      const auto second = folder / ("again" + std::filesystem::path(name).extension().string());
      REQUIRE(write_table(second, again) == digest);
      REQUIRE(read_file(second) == read_file(folder / name));
    }
  }
}

TEST_CASE("sparse bases lie in the file as the format says", "[io][quick]") {
  Folder folder;
  const WeightBlock table = small_sparse_table();
  RawFile raw;
  const std::string digest = write_table(folder / "t.safetensors", table);
  REQUIRE(digest == sha256_of(raw.section()));
  const std::string bytes = read_file(folder / "t.safetensors");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  REQUIRE(bytes.substr(8 + length) == raw.section());
  REQUIRE(length % 8 == 0);
  auto head = nlohmann::json::parse(bytes.substr(8, length));
  auto metadata = head["__metadata__"];
  auto expected = nlohmann::json(raw.header());
  for (const auto& [key, value] : expected["__metadata__"].items()) REQUIRE(metadata[key] == value);
  head.erase("__metadata__");
  expected.erase("__metadata__");
  REQUIRE(head == expected);
  REQUIRE(metadata["intertwine.order"] == "by smallest row-major entry");
  REQUIRE(metadata["intertwine.rep_out"] == "std ⊗ sign");
  // The bias begins with 1 and the weights with 2 and 1; with a negative one the rule is not stated.
  REQUIRE(metadata["intertwine.sign_rule"] == "the smallest entry is +");
  WeightBlock other = table;
  sparse(other.weights).value = {-2, 3, 1, 5};
  std::swap(sparse(other.weights).col[0],
            sparse(other.weights).col[2]);  // the first element begins behind the second
  write_table(folder / "other.safetensors", other);
  const WeightBlock again = read_table(folder / "other.safetensors").block();
  REQUIRE_FALSE(again.metadata.contains("sign_rule"));
  REQUIRE_FALSE(again.metadata.contains("order"));

  // A file made by hand is read, and so is one with keys and arrays of other writers.
  write_file(folder / "raw.safetensors", raw.file());
  REQUIRE(same(read_table(folder / "raw.safetensors").block(), table));
  REQUIRE(intertwine::digest(read_table(folder / "raw.safetensors")) == digest);
  auto more = raw.header();
  more["extra"] = {{"dtype", "U8"}, {"shape", {3}}, {"data_offsets", {raw.section().size(), raw.section().size() + 3}}};
  more["__metadata__"]["intertwine.new_key"] = "1";
  write_file(folder / "raw.safetensors", RawFile::container(more.dump(), raw.section() + "abc"));
  REQUIRE(same(read_table(folder / "raw.safetensors").block(), table));
}

TEST_CASE("the NPZ form of a sparse basis has NumPy's types", "[io][quick]") {
  Folder folder;
  write_table(folder / "t.npz", small_sparse_table());
  const std::string bytes = read_file(folder / "t.npz");
  const auto view = std::as_bytes(std::span(bytes));
  const StoredTable stored =
      parse_npz(MemorySource("t.npz", std::vector<std::byte>(view.begin(), view.end())), array_names::all);
  std::string section;
  for (const StoredArray& array : stored.arrays) {
    const std::string before = bytes.substr(array.offset - 128, 128);
    const char* descr = array.dtype == "F64" ? "'<f8'" : array.dtype == "I64" ? "'<i8'" : "'<i4'";
    REQUIRE(before.find(descr) != std::string::npos);
    section += bytes.substr(array.offset, array.bytes);
  }
  REQUIRE(stored.arrays.size() == 7);
  REQUIRE(section == RawFile().section());
}

TEST_CASE("the JSON form of a sparse basis is exact", "[io][quick]") {
  Folder folder;
  WeightBlock table = small_sparse_table();
  write_table(folder / "t.json", table);
  const auto document = nlohmann::json::parse(read_file(folder / "t.json"));
  REQUIRE(document["weight.basis_val"] == nlohmann::json{"2", "-3", "1", "5"});
  REQUIRE(document["bias.basis_val"] == nlohmann::json{"1", "-1"});
  REQUIRE(document["weight.basis_ptr"] == nlohmann::json{0, 2, 4});
  REQUIRE(document["weight.basis_col"] == nlohmann::json{0, 2, 1, 0});
  REQUIRE(document.size() == 8);

  // Exact to 2^53 in binary files; above, JSON alone, and the digest runs over the decimal numbers.
  const Integer limit = Integer(1) << 53;
  for (const Integer& value : {Integer(limit), Integer(-limit)}) {
    set_value(table.weights, 1, value);
    std::string digest;
    for (const char* name : file_names) {
      const std::string written = write_table(folder / name, table);
      REQUIRE((digest.empty() || written == digest));
      digest = written;
      REQUIRE(same(read_table(folder / name).block(), table));
    }
  }
  const Integer huge("-123456789012345678901234567890123456789012345678901234567890");
  for (const Integer& value : {Integer(limit + 1), Integer(-limit - 1), huge}) {
    set_value(table.weights, 1, value);
    for (const char* name : {"u.safetensors", "u.npz"}) {
      REQUIRE_THROWS_AS(write_table(folder / name, table), LimitError);
      REQUIRE_THROWS_WITH(write_table(folder / name, table),
                          Catch::Contains("entry 1 of weight.basis_val") && Catch::Contains(".json"));
      REQUIRE_FALSE(std::filesystem::exists(folder / name));
    }
    const std::string digest = write_table(folder / "t.json", table);
    REQUIRE(same(read_table(folder / "t.json").block(), table));
    REQUIRE(same(read_numeric_table(folder / "t.json").block(), table));
    REQUIRE(intertwine::digest(read_table(folder / "t.json")) == digest);
    const RawFile raw;
    REQUIRE(digest ==
            sha256_of(bytes_of(raw.bias_ptr) + bytes_of(raw.ptr) + bytes_of(raw.bias_val) + "2\n" + value.str() +
                      "\n1\n5\n" + bytes_of(raw.bias_row) + bytes_of(raw.col) + bytes_of(raw.row)));
  }
  table = small_sparse_table();
  set_value(table.bias, 0, huge);
  REQUIRE_THROWS_WITH(write_table(folder / "u.npz", table), Catch::Contains("bias.basis_val"));
  write_table(folder / "t.json", table);
  REQUIRE(same(read_table(folder / "t.json").block(), table));
}

TEST_CASE("a writer of sparse bases refuses what a reader would refuse", "[io][quick]") {
  Folder folder;
  const WeightBlock good = small_sparse_table();
  const auto reason = [&](auto change) -> std::string {
    WeightBlock table = good;
    change(table);
    std::string out = "accepted";
    for (const char* name : file_names) {
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
  REQUIRE(reason([](auto&) {}) == "accepted");
  REQUIRE_THAT(reason([](auto& t) { sparse(t.weights).start = {0, 4}; }), Catch::Contains("2 elements and 2 starts"));
  REQUIRE_THAT(reason([](auto& t) { sparse(t.weights).start = {}; }), Catch::Contains("0 starts"));
  REQUIRE_THAT(reason([](auto& t) { sparse(t.weights).start = {0, 2, 5}; }), Catch::Contains("from 0 to 5"));
  REQUIRE_THAT(reason([](auto& t) { sparse(t.weights).start = {1, 2, 4}; }), Catch::Contains("from 1 to 4"));
  REQUIRE_THAT(reason([](auto& t) {
                 sparse(t.weights).start = {0, 4, 4};
               }),
               Catch::Contains("element 1 begins at entry 4"));
  REQUIRE_THAT(reason([](auto& t) {
                 sparse(t.weights).start = {0, 9, 4};
               }),
               Catch::Contains("element 1 begins at entry 9"));
  REQUIRE_THAT(reason([](auto& t) { sparse(t.weights).row[1] = 2; }), Catch::Contains("(2, 2), outside of 2 x 3"));
  REQUIRE_THAT(reason([](auto& t) { sparse(t.weights).col[1] = -1; }), Catch::Contains("(1, -1)"));
  REQUIRE_THAT(reason([](auto& t) { sparse(t.weights).col.pop_back(); }), Catch::Contains("4 rows, 3 columns"));
  REQUIRE_THAT(reason([](auto& t) {
                 sparse(t.weights).row = {1, 0, 0, 1};
               }),
               Catch::Contains("element 0 are not strictly"));
  REQUIRE_THAT(reason([](auto& t) { sparse(t.weights).row[3] = 0, sparse(t.weights).col[3] = 1; }),
               Catch::Contains("element 1 are not strictly"));
  REQUIRE_THAT(reason([](auto& t) { sparse(t.weights).value[2] = 0; }),
               Catch::Contains("element 1 has an entry of value 0"));
  REQUIRE_THAT(reason([](auto& t) { sparse(t.weights).value = {1, 2, 3}; }), Catch::Contains("4 columns and 3 values"));
  for (const double bad : {0.5, std::nan(""), std::ldexp(1, 53) + 2})
    REQUIRE_THAT(reason([&](auto& t) { sparse(t.weights).value[1] = bad; }), Catch::Contains("no integer up to 2^53"));
  REQUIRE_THAT(reason([](auto& t) {
                 sparse(t.weights).exact.coordinates = {2, -3, 1};
               }),
               Catch::Contains("3 coordinates"));
  REQUIRE_THAT(reason([](auto& t) {
                 sparse(t.weights).exact.coordinates = {2, -3, 1, 6};
               }),
               Catch::Contains("exact value 6 and the double 5"));
  REQUIRE_THAT(reason([](auto& t) { sparse(t.weights).exact.degree = 2; }), Catch::Contains("one field is needed"));
  REQUIRE_THAT(reason([](auto& t) { sparse(t.bias).row[1] = 2; }),
               Catch::Contains("bias element 0 has an entry at (2, 0)"));
  REQUIRE_THAT(reason([](auto& t) { sparse(t.bias).row[1] = 0; }), Catch::Contains("bias element 0 are not strictly"));
  REQUIRE_THAT(reason([](auto& t) { t.bias.params = 0; }), Catch::Contains("bias has 0 elements and 2 starts"));
  REQUIRE_THAT(reason([](auto& t) { t.weights.rows = 0; }), Catch::Contains("nothing to write"));
  REQUIRE_THAT(reason([](auto& t) { t.channels.out = 0; }), Catch::Contains("multiplicities"));
  REQUIRE_THAT(reason([](auto& t) { t.metadata["group"] = "\xff"; }), Catch::Contains("UTF-8"));
  REQUIRE_THAT(reason([](auto& t) { t.metadata["kind"] = "signed-orbit"; }), Catch::Contains("the file's own"));
  WeightBlock wide = good;
  wide.weights.cols = (std::uint64_t{1} << 31) + 1;
  REQUIRE_THROWS_AS(write_table(folder / "t.npz", wide), LimitError);
  REQUIRE_THROWS_WITH(write_table(folder / "t.hpp", good), Catch::Contains("t.hpp: C++ headers hold tied"));
  REQUIRE_THROWS_AS(write_table(folder / "t.pt", good), DomainError);
  REQUIRE_THROWS_AS(write_table(folder / "none/t.npz", good), FileError);
  // Limits of the text form.
  WeightBlock large;
  const std::uint64_t count = (std::uint64_t{1} << 20) + 1;
  large.bias = {1, 1, 0, SparseElements{{0}, {}, {}, {}, {}}};
  large.weights = {1, count, count, SparseElements{{0}, {}, {}, {}, {}}};
  for (std::uint64_t k = 0; k < count; ++k) {
    sparse(large.weights).row.push_back(0);
    sparse(large.weights).col.push_back(static_cast<std::int32_t>(k));
    sparse(large.weights).value.push_back(1);
    sparse(large.weights).start.push_back(static_cast<std::int64_t>(k + 1));
  }
  REQUIRE_THROWS_WITH(write_table(folder / "t.json", large), Catch::Contains("at most 1048576 entries"));
  WeightBlock digits = good;
  set_value(digits.weights, 0, Integer(std::string(100'001, '7')));
  REQUIRE_THROWS_WITH(write_table(folder / "t.json", digits), Catch::Contains("at most 100000 digits"));
  REQUIRE(folder.entries() == 0);
}

TEST_CASE("binary sparse bases are read as hostile", "[io][quick]") {
  Folder folder;
  const auto path = folder / "t.safetensors";
  const auto reason = [&](auto change) {
    RawFile raw;
    change(raw);
    write_file(path, raw.file());
    return refusal(path);
  };
  const auto with_header = [&](auto change) {
    const RawFile raw;
    auto head = raw.header();
    change(head);
    write_file(path, RawFile::container(head.dump(), raw.section()));
    return refusal(path);
  };
  const auto with_metadata = [&](const char* key, const char* value) {
    return reason([&](RawFile& f) { f.metadata[key] = value; });
  };
  REQUIRE(reason([](auto&) {}) == "accepted");
  // Values.
  REQUIRE(reason([](auto& f) { f.val[1] = std::ldexp(1, 53); }) == "accepted");
  for (const double bad :
       {std::nan(""), std::numeric_limits<double>::infinity(), 0.5, -1e-300, std::ldexp(1, 53) + 2, -1e300})
    REQUIRE_THAT(reason([&](auto& f) { f.val[1] = bad; }), Catch::Contains("not an integer up to 2^53"));
  REQUIRE_THAT(reason([](auto& f) { f.val[1] = 0; }), Catch::Contains("value 0"));
  REQUIRE_THAT(reason([](auto& f) { f.val[1] = -0.0; }), Catch::Contains("value 0"));
  REQUIRE_THAT(reason([](auto& f) { f.bias_val[1] = 0.25; }), Catch::Contains("bias.basis_val"));
  // Order and ranges.
  REQUIRE_THAT(reason([](auto& f) { f.ptr = {0, 0, 4}; }), Catch::Contains("begins at entry 0"));
  REQUIRE_THAT(reason([](auto& f) {
                 f.ptr = {0, std::numeric_limits<std::int64_t>::max(), 4};
               }),
               Catch::Contains("begins at entry 9223372036854775807"));
  REQUIRE_THAT(reason([](auto& f) { f.ptr = {0, -5, 4}; }), Catch::Contains("begins at entry 0"));
  REQUIRE_THAT(reason([](auto& f) { f.ptr = {0, 2, 400}; }), Catch::Contains("run from 0 to 400"));
  REQUIRE_THAT(reason([](auto& f) { f.ptr = {-1, 2, 4}; }), Catch::Contains("run from -1"));
  REQUIRE_THAT(reason([](auto& f) { f.row[0] = 1, f.col[0] = 2; }), Catch::Contains("strictly increasing"));
  REQUIRE_THAT(reason([](auto& f) { f.row[1] = 2; }), Catch::Contains("outside of 2 x 3"));
  REQUIRE_THAT(reason([](auto& f) { f.col[1] = 3; }), Catch::Contains("outside of 2 x 3"));
  REQUIRE_THAT(reason([](auto& f) { f.col[1] = std::numeric_limits<std::int32_t>::min(); }),
               Catch::Contains("outside"));
  REQUIRE_THAT(reason([](auto& f) { f.bias_row[1] = 2; }), Catch::Contains("outside of 2 x 1"));
  // Shapes that do not fit each other, types, arrays that are missing, claims beyond the file.
  REQUIRE_THAT(reason([](auto& f) { f.col.push_back(2); }),
               Catch::Contains("weight.basis_col") && Catch::Contains("asks for"));
  REQUIRE_THAT(reason([](auto& f) { f.val.push_back(2); }),
               Catch::Contains("weight.basis_val") && Catch::Contains("asks for"));
  REQUIRE_THAT(reason([](auto& f) { f.ptr.push_back(4); }),
               Catch::Contains("weight.basis_ptr") && Catch::Contains("asks for"));
  REQUIRE_THAT(with_header([](auto& h) { h["weight.basis_row"]["shape"] = {2, 2}; }), Catch::Contains("asks for"));
  REQUIRE_THAT(with_header([](auto& h) { h["weight.basis_val"]["dtype"] = "I64"; }), Catch::Contains("asks for"));
  REQUIRE_THAT(with_header([](auto& h) { h["weight.basis_row"]["shape"] = {std::uint64_t{1} << 40}; }),
               Catch::Contains("do not fit its shape"));
  REQUIRE_THAT(with_header([](auto& h) { h["weight.basis_row"]["data_offsets"][1] = std::uint64_t{1} << 62; }),
               Catch::Contains("truncated"));
  REQUIRE_THAT(with_header([](auto& h) {
                 auto moved = h["bias.basis_row"];
                 h.erase("bias.basis_row");
                 h["other"] = moved;
               }),
               Catch::Contains("\"bias.basis_row\" is missing"));
  REQUIRE_THAT(with_header([](auto& h) { h["__metadata__"]["intertwine.sha256"] = std::string(64, 'a'); }),
               Catch::Contains("damaged"));
  for (const char* key : {"params", "bias_params"}) {
    REQUIRE_THAT(with_metadata(key, "1073741823"), Catch::Contains("asks for"));
    REQUIRE_THAT(with_metadata(key, "1073741824"), Catch::Contains("not a number"));
    REQUIRE_THAT(with_metadata(key, "-1"), Catch::Contains("not a number"));
  }
  REQUIRE_THAT(with_metadata("rows", "1"), Catch::Contains("outside of 1 x 3"));
  REQUIRE_THAT(with_metadata("version", "2"), Catch::Contains("version 2"));
  REQUIRE_THAT(with_metadata("kind", "dense"), Catch::Contains("unknown kind"));
  REQUIRE_THAT(with_metadata("kind", "signed-orbit"), Catch::Contains("\"weight.orbit_size\" is missing"));
  RawFile far;
  far.metadata["cols"] = "1152921504606846976";
  write_file(path, far.file());
  REQUIRE_THROWS_AS(read_table(path), LimitError);
  write_file(path, RawFile().file());
  REQUIRE_THROWS_AS(read_table(path, Task(100, 0, {})), LimitError);
  REQUIRE_THAT(refusal(folder / "none"), Catch::Contains("No such file"));
}

TEST_CASE("JSON sparse bases are read strictly", "[io][quick]") {
  Folder folder;
  const auto path = folder / "t.json";
  const WeightBlock table = small_sparse_table();
  write_table(path, table);
  const auto good = nlohmann::json::parse(read_file(path));
  const auto reason = [&](auto change) {
    auto altered = good;
    change(altered);
    write_file(path, altered.dump());
    return refusal(path);
  };
  const auto with_value = [&](const nlohmann::json& value) {
    return reason([&](auto& t) { t["weight.basis_val"][1] = value; });
  };
  REQUIRE(reason([](auto&) {}) == "accepted");
  // Other spellings of the same number leave the digest as it is. Fractions take exact arithmetic.
  for (const char* text : {"-3", "-6/2", "-003", "-3/1"}) {
    REQUIRE(with_value(text) == "accepted");
    REQUIRE(same(read_table(path).block(), table));
    if (std::string_view(text).find('/') == std::string_view::npos)
      REQUIRE(same(read_numeric_table(path).block(), table));
    else
      REQUIRE_THROWS_WITH(read_numeric_table(path),
                          Catch::Contains("takes exact arithmetic") && Catch::Contains(".safetensors or .npz"));
  }
  REQUIRE_THAT(with_value("3"), Catch::Contains("sha256"));
  REQUIRE_THAT(with_value("1/2"), Catch::Contains("\"1/2\", which is no integer"));
  for (const char* text : {"", "x", "1e3", "1.0", " 1", "3/0", "-", "0x10"})
    REQUIRE_THAT(with_value(text), Catch::Contains("no number"));
  REQUIRE_THAT(with_value(-3), Catch::Contains("as strings"));
  REQUIRE_THAT(with_value(nullptr), Catch::Contains("as strings"));
  REQUIRE_THAT(with_value("0"), Catch::Contains("value 0"));
  REQUIRE_THAT(with_value(std::string(100'001, '1')), Catch::Contains("more than 100000 digits"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.basis_val"].erase(0); }), Catch::Contains("3 values"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.basis_val"] = "1"; }), Catch::Contains("not a list"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.basis_row"] = 3; }), Catch::Contains("not a list"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.basis_col"].erase(0); }), Catch::Contains("list of 4"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.basis_row"][0] = -1; }), Catch::Contains("whole numbers"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.basis_row"][0] = 4294967296; }), Catch::Contains("up to 2147483647"));
  REQUIRE_THAT(reason([](auto& t) { t["weight.basis_col"][2] = 2; }), Catch::Contains("sha256"));
  REQUIRE_THAT(reason([](auto& t) { t["metadata"]["intertwine.params"] = "1073741823"; }), Catch::Contains("list of"));
  for (const char* name : {"weight.basis_val", "weight.basis_ptr", "bias.basis_row", "metadata"})
    REQUIRE_THAT(reason([&](auto& t) { t.erase(name); }), Catch::Contains(name));
}

TEST_CASE("an interrupted sparse basis leaves nothing", "[io][quick]") {
  Folder folder;
  Task stopped(0, 0, {});
  stopped.cancel();
  for (const char* name : file_names)
    REQUIRE_THROWS_AS(write_table(folder / name, small_sparse_table(), stopped), Interrupted);
  REQUIRE(folder.entries() == 0);
  write_table(folder / "t.npz", small_sparse_table());
  REQUIRE_THROWS_AS(read_table(folder / "t.npz", stopped), Interrupted);
}

TEST_CASE("every damaged byte and every cut of a sparse basis is seen or harmless", "[io][quick]") {
  Folder folder;
  const WeightBlock table = small_sparse_table();
  for (const char* name : file_names) {
    CAPTURE(name);
    const auto path = folder / name;
    write_table(path, table);
    const std::string good = read_file(path);
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(descriptor >= 0);
    std::size_t refused = 0, accepted = 0;
    // True if the file was refused in words. What is accepted differs in metadata at most.
    const auto try_it = [&](std::size_t at) {
      try {
        if (!same_elements(read_table(path).block(), table)) FAIL("another table, changed at " << at);
        ++accepted;
        return false;
      } catch (const FileError&) {
        ++refused;
      } catch (const LimitError&) {
        ++refused;
      }
      return true;
    };
    const std::size_t section = good.size() - RawFile().section().size();
    for (std::size_t at = 0; at < good.size(); ++at) {
      for (const int change : {0x01, 0x10, 0x80, 0xFF}) {
        const char byte = static_cast<char>(good[at] ^ change);
        REQUIRE(::pwrite(descriptor, &byte, 1, static_cast<off_t>(at)) == 1);
        const bool seen = try_it(at);
        if (std::string_view(name) == "t.safetensors" && at >= section && !seen) FAIL("damage to the data unseen");
      }
      REQUIRE(::pwrite(descriptor, &good[at], 1, static_cast<off_t>(at)) == 1);
    }
    REQUIRE_FALSE(try_it(0));
    for (std::size_t size = good.size(); size-- > 0;) {
      REQUIRE(::ftruncate(descriptor, static_cast<off_t>(size)) == 0);
      // Without the last line feed a JSON document is still whole.
      if (!try_it(size) && !(std::string_view(name) == "t.json" && size + 1 == good.size()))
        FAIL("a cut unseen, at " << size);
    }
    ::close(descriptor);
    REQUIRE(refused > accepted);
  }
}
