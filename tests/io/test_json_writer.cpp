#include "intertwine/io/json_writer.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "io/tables.hpp"
#include "support/random.hpp"

using namespace intertwine;
using Json = nlohmann::ordered_json;

namespace {

Json random_json(Rng& rng, unsigned depth) {
  switch (rng.below(depth == 0 ? 3 : 5)) {
    case 0:
      return rng.below(1000);
    case 1:
      return "line\nbreak, \"quote\", {brace} " + std::to_string(rng.below(10));
    case 2:
      return nullptr;
    case 3: {
      Json list = Json::array();
      for (std::uint64_t k = rng.below(4); k > 0; --k) list.push_back(random_json(rng, depth - 1));
      return list;
    }
    default: {
      Json object = Json::object();
      for (std::uint64_t k = rng.below(4); k > 0; --k)
        object["\"key\" " + std::to_string(k)] = random_json(rng, depth - 1);
      return object;
    }
  }
}

/// A value piece by piece, parts of it as text.
void write_piecewise(JsonWriter& out, const Json& value, Rng& rng) {
  if (!value.is_structured() || rng.below(4) == 0) {
    out.value(value.dump(2));
  } else if (value.is_array()) {
    out.open_list();
    for (const Json& item : value) write_piecewise(out, item, rng);
    out.close();
  } else if (rng.below(2) == 0) {
    out.open_object().members(value.dump(2)).close();
  } else {
    out.open_object();
    for (const auto& [key, item] : value.items()) write_piecewise(out.key(key), item, rng);
    out.close();
  }
}

}  // namespace

TEST_CASE("JSON written piece by piece has the bytes of JSON written whole", "[io][quick]") {
  Rng rng = test_rng();
  for (int trial = 0; trial < 300 * test_multiplier(); ++trial) {
    const Json value = random_json(rng, 4);
    std::ostringstream text;
    JsonWriter out(text);
    write_piecewise(out, value, rng);
    REQUIRE(text.str() == value.dump(2));
  }
}

TEST_CASE("what is no JSON is not written", "[io][quick]") {
  std::ostringstream text;
  JsonWriter out(text);
  REQUIRE_THROWS_AS(out.close(), InternalError);
  out.open_object();
  REQUIRE_THROWS_AS(out.value("1"), InternalError);
  REQUIRE_THROWS_AS(out.members("[\n  1\n]"), InternalError);
  out.key("a");
  REQUIRE_THROWS_AS(out.key("b"), InternalError);
  REQUIRE_THROWS_AS(out.close(), InternalError);
  out.open_list();
  REQUIRE_THROWS_AS(out.key("b"), InternalError);
  out.close().close();
  REQUIRE(text.str() == "{\n  \"a\": []\n}");
}

TEST_CASE("a file is written from a stream, whole or not at all", "[io][quick]") {
  const test_tables::Folder folder;
  const std::filesystem::path path = folder.path() / "numbers.txt";
  std::string expected;
  for (int k = 0; k < 50'000; ++k) expected += std::to_string(k) + "\n";  // more than one block
  write_file(path, [](std::ostream& out) {
    for (int k = 0; k < 50'000; ++k) out << k << '\n';
  });
  REQUIRE(read_file(path) == expected);
  REQUIRE_THROWS_AS(write_file(path,
                               [](std::ostream& out) {
                                 out << std::string(100'000, 'x');
                                 throw std::runtime_error("midway");
                               }),
                    std::runtime_error);
  REQUIRE(read_file(path) == expected);
  REQUIRE_THROWS_AS(write_file(folder.path() / "none" / "a.txt", [](std::ostream& out) { out << 1; }), FileError);
}
