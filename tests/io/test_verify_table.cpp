#include "intertwine/io/verify_table.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "intertwine/equivariant/equivariant_basis.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "io/tables.hpp"
#include "support/representations.hpp"

using namespace intertwine;
using test_tables::Folder;

namespace {

TiedTable table_of(const EquivariantBasis& basis) { return {basis.table_header(), basis.pattern().codes()}; }

TiedTable table_of(const std::string& group, const std::string& in, const std::string& out) {
  const FiniteGroup G = parse_group(group);
  return table_of(equivariant_basis(parse_representation(G, in), parse_representation(G, out), {},
                                    {.single_pattern = true}));
}

std::vector<std::int32_t> wide(const Codes& codes) {
  return std::visit([](const auto& c) { return std::vector<std::int32_t>(c.begin(), c.end()); }, codes);
}

Codes narrow(const std::vector<std::int32_t>& codes, std::uint64_t params) {
  if (code_bytes(params) == 4) return codes;
  return std::vector<std::uint8_t>(codes.begin(), codes.end());
}

/// The same table with other weights; the header's sizes follow, so that the file itself is consistent.
void set_weights(TiedTable& table, const std::vector<std::int32_t>& codes, std::uint64_t params) {
  table.header.params = params;
  table.header.orbit_size.assign(params, 0);
  for (const std::int32_t code : codes)
    if (code != 0) ++table.header.orbit_size.at((static_cast<std::uint64_t>(code) - 1) % params);
  table.weight_code = narrow(codes, params);
}

/// Relabels: f maps labels 0, +-1, +-2, ... to such.
void relabel(TiedTable& table, std::uint64_t params, const std::function<std::int32_t(std::int32_t)>& f) {
  const auto old = static_cast<std::int32_t>(table.header.params), fresh = static_cast<std::int32_t>(params);
  auto codes = wide(table.weight_code);
  for (std::int32_t& code : codes) {
    const std::int32_t label = f(code > old ? old - code : code);
    code = label < 0 ? fresh - label : label;
  }
  set_weights(table, codes, params);
}

TableProof verified(const TiedTable& table, const Folder& folder, const std::string& name = "t.safetensors") {
  write_table(folder / name, table);
  const auto file = TableFile::open(folder / name);
  return verify_table(*file);
}

/// A table that no reader looked at.
class MemoryTable final : public TableFile {
 public:
  explicit MemoryTable(const TiedTable& table) : table_(table), rows_(table) {}
  std::uint64_t rows() const override { return rows_.rows(); }
  std::uint64_t cols() const override { return rows_.cols(); }
  void row(std::uint64_t i, std::span<std::int32_t> out) const override { rows_.row(i, out); }
  const TableHeader& header() const override { return table_.header; }
  const std::string& sha256() const override { return sha256_; }
  void codes(std::uint64_t, std::uint64_t, std::span<std::byte>) const override {
    throw FileError("there is no file");
  }

 private:
  const TiedTable& table_;
  test_tables::Rows rows_;
  std::string sha256_;
};

using Json = nlohmann::ordered_json;

void edit(TiedTable& table, const std::string& key, const std::function<void(Json&)>& change) {
  auto json = Json::parse(table.header.metadata.at(key));
  change(json);
  table.header.metadata[key] = json.dump();
}

}  // namespace

TEST_CASE("tables of every format are proved again", "[io][quick]") {
  const Folder folder;
  const struct {
    const char *group, *in, *out;
  } cases[] = {{"S5", "perm", "perm"},
               {"D4", "64*perm", "128*perm + 64*sign"},
               {"C300", "perm", "perm"},
               {"S4", "perm^2", "alt(2, perm)"},
               {"S3", "perm", "sign"},
               {"C1", "3*perm", "perm"},
               {"C2 x S3", "perm", "perm"},
               {"p4m(3,3)", "perm", "perm"},
               {"S9", "subsets(2)", "perm * sign"},
               {"M11", "perm", "subsets(2)"},
               {"pixels(C1,4,5)", "perm", "perm"},
               {"C2 x C3", "perm # perm", "perm # trivial"}};
  for (const auto& [group, in, out] : cases) {
    const TiedTable table = table_of(group, in, out);
    std::string digest;
    for (const char* name : {"t.safetensors", "t.npz", "t.json"}) {
      CAPTURE(group, in, out, name);
      const TableProof proof = verified(table, folder, name);
      const FiniteGroup G = parse_group(group);
      REQUIRE(proof.order == G.order());
      REQUIRE(proof.params == table.header.params);
      REQUIRE(proof.bias_params == table.header.bias_params);
      REQUIRE(proof.rows == table.header.rows);
      REQUIRE(proof.cols == table.header.cols);
      REQUIRE(proof.dimension == Integer(proof.params) * proof.multiplicity_in * proof.multiplicity_out);
      REQUIRE(proof.bias_dimension == Integer(proof.bias_params) * proof.multiplicity_out);
      REQUIRE((digest.empty() || digest == proof.sha256));
      digest = proof.sha256;
    }
  }
}

TEST_CASE("tables of random representations are proved again", "[io][quick]") {
  auto rng = test_rng();
  const Folder folder;
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    const Representation V = test_representations::random_representation(G, rng, 20),
                         U = test_representations::random_representation(G, rng, 20);
    if (V.dimension() * U.dimension() == 0) continue;
    const auto basis = equivariant_basis(V, U, {}, {.single_pattern = true});
    CAPTURE(trial, G.name(), V.to_string(), U.to_string());
    const TableProof proof = verified(table_of(basis), folder);
    REQUIRE(proof.dimension == basis.dimension());
    REQUIRE(proof.bias_dimension == basis.bias_dimension());
  }
}

TEST_CASE("weights that were tampered with are refused", "[io][quick]") {
  const Folder folder;
  // S4 on pairs: 15 parameters.
  const TiedTable good = table_of("S4", "perm^2", "perm^2");
  REQUIRE(verified(good, folder).params == 15);
  const auto refuse = [&](const std::function<void(TiedTable&)>& change, const std::string& reason) {
    TiedTable table = good;
    change(table);
    CAPTURE(reason);
    write_table(folder / "bad.npz", table);
    const auto file = TableFile::open(folder / "bad.npz");
    REQUIRE_THROWS_AS(verify_table(*file), VerificationError);
    REQUIRE_THROWS_WITH(verify_table(*file), Catch::Contains(reason));
  };
  for (const std::size_t at : {std::size_t{0}, std::size_t{100}, std::size_t{255}})
    for (const std::int32_t code : {0, 3, 17})
      refuse(
          [&](TiedTable& table) {
            auto codes = wide(table.weight_code);
            codes[at] = codes[at] == code ? code + 1 : code;
            set_weights(table, codes, 15);
          },
          "do not commute");
  refuse([](TiedTable& t) { relabel(t, 15, [](auto l) { return l == 2   ? 3
                                                               : l == 3 ? 2
                                                                        : l; }); },
         "not numbered");
  refuse([](TiedTable& t) { relabel(t, 15, [](auto l) { return l == 15 ? -15 : l; }); }, "not numbered");
  refuse([](TiedTable& t) { relabel(t, 15, [](auto l) { return -l; }); }, "not numbered");
  refuse([](TiedTable& t) { relabel(t, 14, [](auto l) { return l == 15 ? 14 : l; }); }, "not complete");
  refuse([](TiedTable& t) { relabel(t, 14, [](auto l) { return l == 15 ? 0 : l; }); }, "not complete");
  // Bias: one invariant on the diagonal pairs, one off it.
  refuse([](TiedTable& t) { std::get<0>(t.header.bias_code)[3] = 1; }, "bias");
  refuse(
      [](TiedTable& t) {
        for (auto& code : std::get<0>(t.header.bias_code))
          code = code == 0 ? 0 : static_cast<std::uint8_t>(3 - code);
      },
      "bias");
  refuse(
      [](TiedTable& t) {
        t.header.bias_params = 1;
        for (auto& code : std::get<0>(t.header.bias_code)) code = 1;
      },
      "invariants");
}

TEST_CASE("claims that were tampered with are refused", "[io][quick]") {
  const Folder folder;
  const TiedTable good = table_of("D6", "perm", "perm + sign");
  REQUIRE(verified(good, folder).order == 12);
  const auto broken = [&](const std::function<void(TiedTable&)>& change) {
    TiedTable table = good;
    change(table);
    write_table(folder / "bad.safetensors", table);
    return TableFile::open(folder / "bad.safetensors");
  };
  const auto group = [](const std::function<void(Json&)>& change) {
    return [change](TiedTable& table) { edit(table, "group", change); };
  };
  const auto metadata = [](const std::string& key, const std::string& value) {
    return [=](TiedTable& table) { table.header.metadata[key] = value; };
  };

  // False claims.
  REQUIRE_THROWS_AS(verify_table(*broken(group([](Json& j) { j["order"] = "24"; }))), VerificationError);
  REQUIRE_THROWS_AS(verify_table(*broken(group([](Json& j) {
                      j["generators"] = {"(1,2,3,4,5,6)", "(1,2)"};
                      j["order"] = "720";
                    }))),
                    VerificationError);
  REQUIRE_THROWS_AS(verify_table(*broken(group([](Json& j) {
                      j["generators"] = {"(1,2,3,4,5,6)"};
                      j["order"] = "6";
                      j["expression"] = "C6";
                    }))),
                    VerificationError);
  for (const char* key : {"rep_in", "rep_out"})
    for (const char* value : {"perm + perm", "trivial", "0*perm"})
      REQUIRE_THROWS_AS(verify_table(*broken(metadata(key, value))), VerificationError);
  REQUIRE_THROWS_AS(verify_table(*broken(metadata("rep_out", "perm + trivial"))), VerificationError);
  REQUIRE_THROWS_AS(verify_table(*broken(metadata("convention", "y = x W"))), VerificationError);
  REQUIRE_THROWS_AS(verify_table(*broken(metadata("order", "any"))), VerificationError);
  REQUIRE_THROWS_AS(verify_table(*broken(metadata("sign_rule", "the largest entry is +"))),
                    VerificationError);
  for (const char* key : {"character_dimension", "bias_character_dimension"})
    for (const Json& value : {Json("7"), Json(4), Json()})
      REQUIRE_THROWS_AS(verify_table(*broken(
                            [&](TiedTable& t) { edit(t, "certificate", [&](Json& j) { j[key] = value; }); })),
                        VerificationError);

  // The generators count, the name does not.
  REQUIRE(verify_table(*broken(group([](Json& j) { j["expression"] = "M24"; }))).order == 12);
  REQUIRE(verify_table(*broken(group([](Json& j) { j["expression"] = "no such group"; }))).order == 12);
  REQUIRE(verify_table(*broken(group([](Json& j) { j["expression"] = "@/etc/hostname"; }))).order == 12);

  // Metadata that cannot be read.
  for (const char* key : {"group", "rep_in", "rep_out"})
    REQUIRE_THROWS_AS(verify_table(*broken([&](TiedTable& t) { t.header.metadata.erase(key); })), FileError);
  for (const char* text : {
         "",
         "12",
         "[1]",
         "{",
         R"({"order": "12"})",
         R"({"degree": -6, "generators": [], "order": "12"})",
         R"({"degree": 6, "generators": "(1,2)",
         "order" : "12"
       })", R"({"degree": 6, "generators": [], "order": 12})",
                           R"({"degree": 6, "generators": [7], "order": "12"})", R"({"degree": 6, "generators": ["(1,2"], "order": "12"})",
                           R"({"degree": 6, "generators": ["(1,7)"], "order": "12"
})",
                           R"({"degree": 18446744073709551615, "generators": [], "order": "1"})",
                           R"({"degree": 10000000, "generators": ["()","()","()","()","()","()","()","()","()","()","()"], "order": "1"
})"}) {
    CAPTURE(text);
REQUIRE_THROWS_AS(verify_table(*broken(metadata("group", text))), FileError);
}
for (const char* text : {"", "perm +", "nonsense", "rep(@/etc/hostname)", "rep([[2,1]])",
                         "rep([[1,1,3,4,5,6,7],[1,2,3,4,5,6,7]])"}) {
  CAPTURE(text);
  REQUIRE_THROWS_AS(verify_table(*broken(metadata("rep_out", text))), FileError);
}
REQUIRE_THROWS_AS(verify_table(*broken(metadata("certificate", "yes"))), FileError);
// Limits.
REQUIRE_THROWS_AS(verify_table(*broken(metadata("rep_in", "perm^40"))), LimitError);
Task cancelled(0, 0, {});
cancelled.cancel();
REQUIRE_THROWS_AS(verify_table(*broken([](TiedTable&) {}), cancelled), Interrupted);
}

TEST_CASE("a stated parameter that does not occur is refused", "[io][quick]") {
  // Readers refuse such files before; verification does not rely on it.
  TiedTable table = table_of("S3", "perm", "perm + trivial");
  relabel(table, 4, [](auto label) { return label; });
  REQUIRE(table.header.orbit_size.back() == 0);
  REQUIRE_THROWS_AS(verify_table(MemoryTable(table)), VerificationError);
  REQUIRE_THROWS_WITH(verify_table(MemoryTable(table)), Catch::Contains("occur"));
}
