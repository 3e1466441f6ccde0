// Proofs in table files: written, read, compared with the group; arrays of others beside them.
#include "intertwine/equivariant/table_proof.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/io/verify_table.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using test_tables::Folder;
using test_tables::same;
using General = GeneratorImages::General;
using Signed = GeneratorImages::Signed;

namespace {

WeightBlock proved_table(const std::string& group, const std::string& in, const std::string& out) {
  const hom::Group G = parse_group(group);
  return hom::equivariant_basis(parse_representation(G, in), parse_representation(G, out))
      .single()
      .table({.proof = true})
      .block();
}

std::string refusal(const std::filesystem::path& path) {
  try {
    read_table(path);
  } catch (const FileError& error) {
    return error.what();
  }
  return "accepted";
}

std::string false_claim(const WeightBlock& table) {
  try {
    verify(table);
  } catch (const VerificationError& error) {
    return error.what();
  }
  return "accepted";
}

/// The parts of a safetensors file: its header, and what follows.
struct Parts {
  nlohmann::ordered_json head;
  std::string data;
  explicit Parts(const std::string& bytes) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    head = nlohmann::ordered_json::parse(bytes.substr(8, length));
    data = bytes.substr(8 + length);
  }
  std::string file() const {
    const std::string text = head.dump();
    std::string out(8, '\0');
    const std::uint64_t length = text.size();
    std::memcpy(out.data(), &length, 8);
    return out + text + data;
  }
};

const struct {
  const char *group, *in, *out;
} cases[] = {{"S4", "perm^2", "perm"},
             {"D4", "perm * sign", "perm + sign"},
             {"C1", "3*perm", "perm"},
             {"S3", "perm", "sign"},
             {"S4", "standard", "perm"},
             {"S4", "standard", "standard^2"},
             {"A5", "irrep(2)", "irrep(2)^2"},
             {"O(3)", "vector^2", "vector"},
             {"S3 x SO(3)", "perm # vector", "perm # vector"}};

}  // namespace

TEST_CASE("proofs survive every format, and do not change the digest", "[io][quick]") {
  const Folder folder;
  for (const auto& [group, in, out] : cases) {
    CAPTURE(group, in, out);
    const WeightBlock table = proved_table(group, in, out);
    WeightBlock bare = table;
    bare.proof.reset();
    const std::string digest = write_table(folder / "bare.npz", bare);
    for (const char* name : {"t.safetensors", "t.npz", "t.json"}) {
      CAPTURE(name);
      REQUIRE(write_table(folder / name, table) == digest);
      const WeightBlock again = read_table(folder / name).block();
      REQUIRE(same(again, table));
      REQUIRE(again.proof == table.proof);
      REQUIRE_FALSE(again.metadata.contains("proof"));
      const BlockProof proof = verify(again);
      REQUIRE(proof.images);
      REQUIRE(proof.claims == std::vector<std::string>{"producer"});
      // Numeric layers read neither the proof nor what is wrong with it. Fields larger than Q in JSON take exact arithmetic.
      const bool exact_text =
          !table.is_tied() && table.weights.sparse().exact.degree > 1 && std::string(name) == "t.json";
      if (!exact_text) REQUIRE_FALSE(read_numeric_table(folder / name).block().proof);
    }
    REQUIRE_FALSE(verify(bare).images);
    REQUIRE_THROWS_WITH(write_table(folder / "t.hpp", table), Catch::Contains("C++ headers hold tied tables only"));
  }
}

TEST_CASE("the prime of a proof keeps the rank, and splits in the field", "[io][quick]") {
  for (const auto& [group, in, out] :
       {std::tuple("A5", "irrep(2)", "irrep(2)^2"), {"D7", "irrep(3)", "irrep(4)"}, {"SO(3)", "vector^2", "vector"}}) {
    CAPTURE(group);
    const WeightBlock table = proved_table(group, in, out);
    const auto& general = std::get<General>(table.proof->images);
    REQUIRE(is_prime(general.prime));
    REQUIRE((general.degree == 1) == (general.root == 0));
    // Any other number in its place is refused.
    for (const std::uint64_t prime : {general.prime + 2, std::uint64_t{9}, std::uint64_t{3}}) {
      WeightBlock other = table;
      std::get<General>(other.proof->images).prime = prime;
      std::get<General>(other.proof->images).root %= prime;
      if (prime == 3 && general.degree == 1) continue;  // it may well do for SO(3)
      REQUIRE_THAT(false_claim(other), Catch::Contains("the proof's prime"));
    }
    WeightBlock other = table;
    std::get<General>(other.proof->images).root += 1;
    REQUIRE_THAT(false_claim(other), Catch::Contains("root"));
  }
}

TEST_CASE("a proof of other images than the group's is a false claim", "[io][quick]") {
  const WeightBlock tied = proved_table("S4", "perm^2", "perm");
  const auto with = [](WeightBlock table, auto change) {
    change(*table.proof);
    return false_claim(table);
  };
  REQUIRE(false_claim(tied) == "accepted");
  REQUIRE_THAT(
      with(tied, [](auto& p) { std::swap(std::get<Signed>(p.images).row[0], std::get<Signed>(p.images).row[1]); }),
      Catch::Contains("on rows are not those"));
  REQUIRE_THAT(with(tied, [](auto& p) { std::get<Signed>(p.images).column[3] *= -1; }),
               Catch::Contains("on columns are not those"));
  REQUIRE_THAT(with(tied, [](auto& p) { p.generators[0] = "(1,2,4)"; }), Catch::Contains("names are not those"));
  const WeightBlock sparse = proved_table("S4", "standard", "perm");
  REQUIRE(false_claim(sparse) == "accepted");
  REQUIRE_THAT(with(sparse, [](auto& p) { std::get<General>(p.images).column.numerator[0] += 1; }),
               Catch::Contains("on columns"));
  REQUIRE_THAT(with(sparse,
                    [](auto& p) {
                      std::get<General>(p.images).algebra = {true, false};
                    }),
               Catch::Contains("Lie algebra"));
  const WeightBlock lie = proved_table("O(3)", "vector", "vector");
  REQUIRE_THAT(with(lie, [](auto& p) { std::get<General>(p.images).algebra.clear(); }), Catch::Contains("Lie algebra"));
}

TEST_CASE("arrays of others leave a table what it is, in every form", "[io][quick]") {
  const Folder folder;
  for (const bool proof : {false, true}) {
    WeightBlock table = proved_table("S4", "perm", "perm");
    if (!proof) table.proof.reset();
    const std::string digest = write_table(folder / "t.safetensors", table);
    // Before and behind the table's arrays, of types that tables do not have, in another order.
    Parts parts(read_file(folder / "t.safetensors"));
    for (auto& [name, entry] : parts.head.items())
      if (name != "__metadata__")
        for (auto& end : entry["data_offsets"]) end = end.get<std::uint64_t>() + 6;
    const std::size_t size = parts.data.size() + 6;
    parts.data = "abcdef" + parts.data + "0123456789abcdef";
    parts.head["my.weights"] = {{"dtype", "BF16"}, {"shape", {3}}, {"data_offsets", {0, 6}}};
    parts.head["zz"] = {{"dtype", "F8_E8M0"}, {"shape", {4, 4}}, {"data_offsets", {size, size + 16}}};
    write_file(folder / "t.safetensors", parts.file());
    REQUIRE(same(read_table(folder / "t.safetensors").block(), table));
    REQUIRE(verify(read_table(folder / "t.safetensors").block()).sha256 == digest);
    // Its own arrays are still seen.
    parts.data[6 + 8] ^= 1;
    write_file(folder / "t.safetensors", parts.file());
    REQUIRE_THAT(refusal(folder / "t.safetensors"), Catch::Contains("damaged"));

    write_table(folder / "t.json", table);
    auto document = nlohmann::ordered_json::parse(read_file(folder / "t.json"));
    document["my.weights"] = {0.5, "x", {{{{{1, nullptr}}}}}};
    write_file(folder / "t.json", document.dump());
    REQUIRE(same(read_table(folder / "t.json").block(), table));

    write_table(folder / "t.npz", table);
    const std::string script =
        "import numpy\n"
        "z = dict(numpy.load('" +
        (folder / "t.npz").string() +
        "'))\n"
        "z['my.weights'] = numpy.ones((3, 4), dtype='<f2', order='F')\n"
        "numpy.savez('" +
        (folder / "u.npz").string() + "', **z)\n";
    write_file(folder / "add.py", script);
    if (std::system("python3 -c 'import numpy' 2>/dev/null") != 0) continue;
    REQUIRE(std::system(("python3 " + (folder / "add.py").string()).c_str()) == 0);
    REQUIRE(same(read_table(folder / "u.npz").block(), table));
  }
}

TEST_CASE("a proof that is none is refused in words", "[io][quick]") {
  const Folder folder;
  const auto path = folder / "t.json";
  const auto reason = [&](const WeightBlock& table, auto change) {
    write_table(path, table);
    auto document = nlohmann::json::parse(read_file(path));
    auto proof = nlohmann::json::parse(document["metadata"]["intertwine.proof"].get<std::string>());
    change(document, proof);
    document["metadata"]["intertwine.proof"] = proof.is_string() ? proof.get<std::string>() : proof.dump();
    write_file(path, document.dump());
    return refusal(path);
  };
  const WeightBlock tied = proved_table("S3", "perm", "perm");
  REQUIRE(reason(tied, [](auto&, auto&) {}) == "accepted");
  REQUIRE_THAT(reason(tied, [](auto&, auto& p) { p = "{"; }), Catch::Contains("intertwine.proof"));
  REQUIRE_THAT(reason(tied, [](auto&, auto& p) { p = {1}; }), Catch::Contains("no JSON object"));
  REQUIRE_THAT(reason(tied, [](auto&, auto& p) { p["form"] = "a poem"; }), Catch::Contains("neither"));
  REQUIRE_THAT(reason(tied, [](auto&, auto& p) { p["form"] = "matrices"; }), Catch::Contains("prime"));
  REQUIRE_THAT(reason(tied, [](auto&, auto& p) { p.erase("generators"); }), Catch::Contains("list of generators"));
  REQUIRE_THAT(reason(tied, [](auto&, auto& p) { p["generators"] = {1, 2}; }), Catch::Contains("no texts"));
  REQUIRE_THAT(reason(tied, [](auto&, auto& p) { p["generators"].erase(0); }),
               Catch::Contains("list of 1 rows") || Catch::Contains("1 rows"));
  REQUIRE_THAT(reason(tied, [](auto& d, auto&) { d.erase("proof.row_images"); }), Catch::Contains("missing"));
  REQUIRE_THAT(reason(tied, [](auto& d, auto&) { d["proof.row_images"][0][0] = 0; }),
               Catch::Contains("no signed permutation"));
  REQUIRE_THAT(reason(tied, [](auto& d, auto&) { d["proof.row_images"][0][0] = 4; }),
               Catch::Contains("no signed permutation"));
  REQUIRE_THAT(reason(tied, [](auto& d, auto&) { d["proof.row_images"][0][0] = -2147483648; }),
               Catch::Contains("below"));
  REQUIRE_THAT(reason(tied, [](auto& d, auto&) { d["proof.row_images"][0][1] = d["proof.row_images"][0][0]; }),
               Catch::Contains("no signed permutation"));
  const WeightBlock sparse = proved_table("S3", "standard", "perm");
  REQUIRE(reason(sparse, [](auto&, auto&) {}) == "accepted");
  REQUIRE_THAT(reason(sparse, [](auto&, auto& p) { p["form"] = "signed-permutations"; }), Catch::Contains("missing"));
  REQUIRE_THAT(reason(sparse, [](auto&, auto& p) { p["prime"] = "x"; }), Catch::Contains("no prime in decimal"));
  REQUIRE_THAT(reason(sparse, [](auto&, auto& p) { p["prime"] = "8"; }), Catch::Contains("odd prime"));
  REQUIRE_THAT(reason(sparse, [](auto&, auto& p) { p["generator_kinds"] = {"group"}; }), Catch::Contains("kinds"));
  REQUIRE_THAT(reason(sparse,
                      [](auto&, auto& p) {
                        p["generator_kinds"] = {"group", "loop"};
                      }),
               Catch::Contains("neither group nor algebra"));
  REQUIRE_THAT(reason(sparse, [](auto& d, auto&) { d["proof.row_ptr"][0] = 1; }), Catch::Contains("pointers"));
  REQUIRE_THAT(reason(sparse, [](auto& d, auto&) { d["proof.row_row"][0] = 3; }), Catch::Contains("outside"));
  REQUIRE_THAT(reason(sparse, [](auto& d, auto&) { d["proof.row_col"][0] = -1; }), Catch::Contains("outside"));
  REQUIRE_THAT(reason(sparse, [](auto& d, auto&) { d["proof.row_denominator"][0] = 0; }),
               Catch::Contains("denominator"));
  REQUIRE_THAT(reason(sparse, [](auto& d, auto&) { d["proof.row_numerator"][0][0] = 0; }),
               Catch::Contains("no number but 0"));
  REQUIRE_THAT(reason(sparse, [](auto& d, auto&) { d["proof.row_numerator"] = nlohmann::json::array(); }),
               Catch::Contains("0 rows"));
  // In binary form lengths are checked before memory is taken.
  write_table(folder / "t.safetensors", sparse);
  Parts parts(read_file(folder / "t.safetensors"));
  parts.head["proof.row_row"]["dtype"] = "strange";
  parts.head["proof.row_row"]["shape"] = {std::uint64_t{1} << 60};
  write_file(folder / "t.safetensors", parts.file());
  REQUIRE_THAT(refusal(folder / "t.safetensors"), Catch::Contains("no list of I32"));
}
