// Files of blocks: they come back from every form, and damaged ones are refused in words.
#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/answer_file.hpp"
#include "intertwine/io/basis_text.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using test_tables::Folder;
using test_tables::same;

namespace {

WeightTable blocks_of(const std::string& group, const std::string& in, const std::string& out, bool proof = false) {
  const FiniteGroup G = parse_finite_group(group);
  return hom::equivariant_basis(parse_representation(G, in), parse_representation(G, out)).table({.proof = proof});
}

WeightTable continuous_blocks_of(const std::string& group, const std::string& in, const std::string& out) {
  const ContinuousGroup G = parse_continuous_group(group);
  return hom::equivariant_basis(parse_representation(G, in), parse_representation(G, out)).table({.proof = true});
}

template <class Error>
std::string message(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("blocks come back from every form, with one digest", "[io]") {
  Folder folder;
  // Tied and sparse blocks beside one another; codes of two bytes; a field larger than Q; a pair without parameters.
  for (const WeightTable& table : {blocks_of("S5", "16*perm + 33*trivial", "8*perm"),
                                   blocks_of("S4", "2*perm + std + 3*sign", "perm + 2*std", true),
                                   blocks_of("C12", "regular^2 + 2*trivial", "regular + 2*sign", true),
                                   blocks_of("A5", "2*irrep(2) + 3*trivial", "irrep(2) + 4*perm"),
                                   continuous_blocks_of("O(3)", "16*trivial + 8*vector", "4*vector + det"),
                                   continuous_blocks_of("S3 x SO(3)", "2*(perm # vector) + trivial # trivial",
                                                        "perm # vector + 3*(perm # trivial)")}) {
    std::string sha256;
    for (const char* name : {"t.safetensors", "t.npz", "t.json"}) {
      CAPTURE(name);
      const auto path = folder / name;
      const std::string written = write_table(path, table);
      if (sha256.empty()) sha256 = written;
      REQUIRE(written == sha256);
      REQUIRE(digest(table) == sha256);
      REQUIRE(table_kind(path) == "blocks");
      const WeightTable again = read_table(path);
      REQUIRE(again.inputs() == table.inputs());
      REQUIRE(again.outputs() == table.outputs());
      for (std::size_t i = 0; i < table.blocks.size(); ++i)
        for (std::size_t j = 0; j < table.blocks[i].size(); ++j) {
          REQUIRE(same(again.blocks[i][j], table.blocks[i][j]));
          REQUIRE(digest(again.blocks[i][j]) == digest(table.blocks[i][j]));
          REQUIRE(again.blocks[i][j].proof == table.blocks[i][j].proof);
          REQUIRE(again.blocks[i][j].metadata.at("group") == table.blocks[i][j].metadata.at("group"));
        }
      const auto second = folder / ("again" + path.extension().string());
      REQUIRE(write_table(second, again) == sha256);
      REQUIRE(read_file(second) == read_file(path));
      const TableProof proof = std::get<TableProof>(verify_file(path));
      REQUIRE(proof.sha256 == sha256);
      REQUIRE(proof.dimension == Integer(table.theta_size()));
      REQUIRE(proof.bias_dimension == Integer(table.bias_size()));
      REQUIRE(contains(to_text(proof_record(proof)), sha256));
      REQUIRE(nlohmann::json::parse(to_json(proof_record(proof)))["sha256"] == sha256);
      // One pattern is asked for of several blocks.
      REQUIRE(
          contains(message<DomainError>([&] { read_table(path).block(); }), "blocks, and what is asked for takes one"));
      if (path.extension() != ".json") REQUIRE(read_numeric_table(path).theta_size() == table.theta_size());
    }
  }
}

TEST_CASE("blocks that do not fit each other are not written", "[io][quick]") {
  Folder folder;
  const WeightTable good = blocks_of("S4", "2*perm + 3*trivial", "perm + 2*std");
  const auto refused = [&](const std::function<void(WeightTable&)>& change) {
    WeightTable table = good;
    change(table);
    return message<DomainError>([&] { write_table(folder / "t.npz", table); });
  };
  REQUIRE(contains(refused([](WeightTable& t) { t.blocks.clear(); }), "at least one"));
  REQUIRE(contains(refused([](WeightTable& t) { t.blocks[1].pop_back(); }), "has 1 blocks"));
  REQUIRE(contains(refused([](WeightTable& t) { t.blocks[1][0].channels.in = 5; }), "another number of channels"));
  REQUIRE(contains(refused([](WeightTable& t) {
                     std::swap(t.blocks[0], t.blocks[1]);
                     t.blocks[1].swap(t.blocks[0]);
                     std::swap(t.blocks[1][0], t.blocks[1][1]);
                   }),
                   "another number of"));
  REQUIRE(contains(refused([](WeightTable& t) { t.blocks[0][1].metadata["group"] = "S4"; }), "another group"));
  REQUIRE(contains(refused([](WeightTable& t) { t.blocks[1][1].metadata["rep_in"] = "sign"; }), "another rep_in"));
  REQUIRE(contains(message<DomainError>([&] { write_table(folder / "t.hpp", good); }), "single table"));
  try {
    write_table(folder / "t.hpp", good);
  } catch (const DomainError& error) {
    REQUIRE(error.remedy() == Remedy::single_table);
  }
  REQUIRE(folder.entries() == 0);
}

TEST_CASE("as many blocks as a file holds are read again", "[io]") {
  Folder folder;
  const auto parts = [](int count) {
    std::string text = "std";
    for (int k = 1; k < count; ++k) text += k % 2 == 1 ? " + 2*std" : " + std";
    return text;
  };
  // Sparse elements with proofs have the most arrays.
  const WeightTable most = blocks_of("S3", parts(16), parts(16), true);
  REQUIRE(most.theta_size() == 24 * 24);
  for (const char* name : {"t.safetensors", "t.npz", "t.json"}) {
    write_table(folder / name, most);
    REQUIRE(digest(read_table(folder / name)) == digest(most));
  }
  const WeightTable more = blocks_of("S3", parts(17), parts(16));
  REQUIRE(contains(message<LimitError>([&] { write_table(folder / "more.npz", more); }), "at most 256 blocks"));
  try {
    write_table(folder / "more.npz", more);
  } catch (const LimitError& error) {
    REQUIRE(error.remedy() == Remedy::single_table);
  }
}

TEST_CASE("damaged files of blocks are refused in words", "[io]") {
  Folder folder;
  const auto path = folder / "t.json";
  const WeightTable table = blocks_of("S4", "2*perm + 3*trivial", "perm");
  write_table(path, table);
  const auto good = nlohmann::json::parse(read_file(path));
  const auto refused = [&](const std::function<void(nlohmann::json&)>& change) {
    nlohmann::json document = good;
    change(document);
    write_file(path, document.dump());
    return message<FileError>([&] { read_table(path); });
  };
  const std::string key = "intertwine.", block = "intertwine.block.0.1.";
  using Json = nlohmann::json;
  REQUIRE(refused([](Json&) {}) == "accepted");
  REQUIRE(
      contains(refused([](Json& d) { d.erase("block.0.1.weight.code"); }), "block.0.1: \"weight.code\" is missing"));
  REQUIRE(contains(refused([&](Json& d) { d["metadata"].erase(block + "rows"); }), "block.0.1: the metadata lacks"));
  REQUIRE(contains(refused([&](Json& d) { d["metadata"][key + "parts_in"] = "3"; }), "block.0.2: the metadata lacks"));
  REQUIRE(contains(refused([&](Json& d) { d["metadata"][key + "parts_in"] = "1"; }), "beyond its parts"));
  REQUIRE(contains(refused([&](Json& d) { d["metadata"][key + "parts_out"] = "0"; }), "not a number from 1"));
  REQUIRE(contains(refused([&](Json& d) { d["metadata"][key + "parts_out"] = "99999"; }), "not a number from 1"));
  REQUIRE(contains(refused([&](Json& d) { d["metadata"][block + "multiplicity_in"] = "4"; }), "damaged"));
  REQUIRE(contains(refused([&](Json& d) { d["metadata"][block + "multiplicity_out"] = "4"; }), "inconsistent"));
  REQUIRE(contains(refused([&](Json& d) { d["metadata"][block + "kind"] = "blocks"; }),
                   "block.0.1: a block that consists of blocks"));
  REQUIRE(contains(refused([&](Json& d) { d["metadata"][key + "version"] = "2.0"; }), "version 2.0"));
  REQUIRE(contains(refused([&](Json& d) { d["metadata"][key + "kind"] = "diagram"; }), "read by read_diagrams"));
  REQUIRE(contains(refused([&](Json& d) { d["block.0.1.weight.code"][0][0] = 0; }), "block.0.1"));
  REQUIRE(
      contains(refused([&](Json& d) { std::swap(d["block.0.0.weight.code"][0][0], d["block.0.0.weight.code"][0][1]); }),
               "block.0.0: damaged"));
  for (const char* name : {"t.safetensors", "t.npz"}) {
    write_table(folder / name, table);
    const std::string bytes = read_file(folder / name);
    for (std::size_t cut = 1; cut < bytes.size(); cut += 397) {
      write_file(folder / name, bytes.substr(0, cut));
      REQUIRE(message<FileError>([&] { read_table(folder / name); }) != "accepted");
    }
    std::string flipped = bytes;
    const std::size_t at = bytes.size() - (std::string(name) == "t.npz" ? 700 : 3);
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    write_file(folder / name, flipped);
    REQUIRE(message<FileError>([&] { read_table(folder / name); }) != "accepted");
  }
}

TEST_CASE("false claims of a block are found by verify", "[io][quick]") {
  Folder folder;
  const auto path = folder / "t.npz";
  const auto verified = [&](const std::function<void(WeightTable&)>& change) {
    WeightTable table = blocks_of("S4", "2*perm + 3*trivial", "perm");
    change(table);
    write_table(path, table);
    return message<VerificationError>([&] { verify_file(path); });
  };
  REQUIRE(verified([](WeightTable&) {}) == "accepted");
  // An entry of its own parameter, which does not commute.
  const std::string moved = verified([](WeightTable& t) {
    t.blocks[0][0].weights =
        test_tables::tied_pattern(4, 4, 2, std::vector<std::uint8_t>{2, 1, 2, 2, 1, 1, 2, 2, 2, 2, 1, 2, 2, 2, 2, 1});
  });
  REQUIRE(contains(moved, "t.npz: block (0, 0): "));
  // A block that is proved, but of other representations than those beside it would not fit; one parameter less is a false count.
  const std::string fewer = verified([](WeightTable& t) {
    t.blocks[0][0].weights = test_tables::tied_pattern(4, 4, 1, std::vector<std::uint8_t>(16, 1));
  });
  REQUIRE(contains(fewer, "block (0, 0): "));
}
