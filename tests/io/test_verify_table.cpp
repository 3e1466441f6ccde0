#include "intertwine/io/verify_table.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "io/tables.hpp"
#include "support/representations.hpp"

using namespace intertwine;
using test_tables::codes_of;
using test_tables::Folder;
using test_tables::same;

namespace {

WeightBlock table_of(const std::string& group, const std::string& in, const std::string& out) {
  const FiniteGroup G = parse_finite_group(group);
  return hom::equivariant_basis(parse_representation(G, in), parse_representation(G, out)).single().table().block();
}

std::vector<std::int32_t> wide(const Codes& codes) {
  return std::visit([](const auto& c) { return std::vector<std::int32_t>(c.begin(), c.end()); }, codes);
}

Codes narrow(const std::vector<std::int32_t>& codes, std::uint64_t params) {
  if (code_bytes(params) == 4) return codes;
  return std::vector<std::uint8_t>(codes.begin(), codes.end());
}

/// The same table with other weights; the sizes follow, so that the table itself is consistent.
void set_weights(WeightBlock& table, const std::vector<std::int32_t>& codes, std::uint64_t params) {
  table.weights = test_tables::tied_pattern(table.weights.rows, table.weights.cols, params, narrow(codes, params));
}
void set_bias(WeightBlock& table, const std::vector<std::int32_t>& codes, std::uint64_t params) {
  table.bias = test_tables::tied_pattern(table.bias.rows, 1, params, narrow(codes, params));
}

/// Relabels: f maps labels 0, +-1, +-2, ... to such.
void relabel(WeightBlock& table, std::uint64_t params, const std::function<std::int32_t(std::int32_t)>& f) {
  const auto old = static_cast<std::int32_t>(table.weights.params), fresh = static_cast<std::int32_t>(params);
  auto codes = wide(codes_of(table.weights));
  for (std::int32_t& code : codes) {
    const std::int32_t label = f(code > old ? old - code : code);
    code = label < 0 ? fresh - label : label;
  }
  set_weights(table, codes, params);
}

BlockProof verified(const WeightBlock& table, const Folder& folder, const std::string& name = "t.safetensors") {
  write_table(folder / name, table);
  return verify(read_table(folder / name).block());
}

using Json = nlohmann::ordered_json;

void edit(WeightBlock& table, const std::string& key, const std::function<void(Json&)>& change) {
  auto json = Json::parse(table.metadata.at(key));
  change(json);
  table.metadata[key] = json.dump();
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
    const WeightBlock table = table_of(group, in, out);
    std::string digest;
    for (const char* name : {"t.safetensors", "t.npz", "t.json"}) {
      CAPTURE(group, in, out, name);
      const BlockProof proof = verified(table, folder, name);
      const FiniteGroup G = parse_finite_group(group);
      REQUIRE(proof.order == G.order());
      REQUIRE(proof.params == table.weights.params);
      REQUIRE(proof.bias_params == table.bias.params);
      REQUIRE(proof.rows == table.weights.rows);
      REQUIRE(proof.cols == table.weights.cols);
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
    const auto basis = hom::equivariant_basis(V, U);
    CAPTURE(trial, G.name(), V.to_string(), U.to_string());
    const BlockProof proof = verified(basis.single().table().block(), folder);
    REQUIRE(proof.dimension == basis.dimension());
    REQUIRE(proof.bias_dimension == basis.bias_dimension());
  }
}

TEST_CASE("where matrices of other rows or versions are meant, the refusal says so", "[io][quick]") {
  const auto refusal = [](const char* group, const char* in, const char* other, const char* out) {
    WeightBlock table = table_of(group, in, out);
    verify(table);
    table.metadata["rep_in"] = table_of(group, other, other).metadata.at("rep_in");
    try {
      verify(table);
    } catch (const VerificationError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto unfit = Catch::Contains("does not commute with every generator");
  const auto version = Catch::Contains("a file of another version may stand on others");
  CHECK_THAT(refusal("A5", "irrep(2)", "irrep(3)", "irrep(5) + irrep(2)^2"), unfit && version);
  CHECK_THAT(refusal("S4", "std", "std * sign", "std"), unfit && !version);
}

TEST_CASE("weights that were tampered with are refused", "[io][quick]") {
  const Folder folder;
  // S4 on pairs: 15 parameters.
  const WeightBlock good = table_of("S4", "perm^2", "perm^2");
  REQUIRE(verified(good, folder).params == 15);
  const auto refuse = [&](const std::function<void(WeightBlock&)>& change, const std::string& reason) {
    WeightBlock table = good;
    change(table);
    CAPTURE(reason);
    write_table(folder / "bad.npz", table);
    const WeightBlock read = read_table(folder / "bad.npz").block();
    REQUIRE_THROWS_AS(verify(read), VerificationError);
    REQUIRE_THROWS_WITH(verify(read), Catch::Contains(reason));
  };
  for (const std::size_t at : {std::size_t{0}, std::size_t{100}, std::size_t{255}})
    for (const std::int32_t code : {0, 3, 17})
      refuse(
          [&](WeightBlock& table) {
            auto codes = wide(codes_of(table.weights));
            codes[at] = codes[at] == code ? code + 1 : code;
            set_weights(table, codes, 15);
          },
          "do not commute");
  refuse([](WeightBlock& t) { relabel(t, 15, [](auto l) { return l == 2 ? 3 : l == 3 ? 2 : l; }); }, "not numbered");
  refuse([](WeightBlock& t) { relabel(t, 15, [](auto l) { return l == 15 ? -15 : l; }); }, "not numbered");
  refuse([](WeightBlock& t) { relabel(t, 15, [](auto l) { return -l; }); }, "not numbered");
  refuse([](WeightBlock& t) { relabel(t, 14, [](auto l) { return l == 15 ? 14 : l; }); }, "not complete");
  refuse([](WeightBlock& t) { relabel(t, 14, [](auto l) { return l == 15 ? 0 : l; }); }, "not complete");
  // Bias: one invariant on the diagonal pairs, one off it.
  const auto with_bias = [&](std::uint64_t params, auto change) {
    return [=](WeightBlock& t) {
      auto codes = wide(codes_of(t.bias));
      for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = change(i, codes[i]);
      set_bias(t, codes, params);
    };
  };
  refuse(with_bias(2, [](std::size_t i, std::int32_t code) { return i == 3 ? 1 : code; }), "bias");
  refuse(with_bias(2, [](std::size_t, std::int32_t code) { return code == 0 ? 0 : 3 - code; }), "bias");
  // One that contradicts the certificate is not written.
  const auto joined = with_bias(1, [](std::size_t, std::int32_t) { return 1; });
  WeightBlock table = good;
  joined(table);
  REQUIRE_THROWS_AS(write_table(folder / "bad.npz", table), DomainError);
  refuse(
      [&](WeightBlock& t) {
        joined(t);
        edit(t, "certificate", [](Json& j) { j.erase("bias_character_dimension"); });
      },
      "invariants");
}

TEST_CASE("claims that were tampered with are refused", "[io][quick]") {
  const Folder folder;
  const WeightBlock good = table_of("D6", "perm", "perm + sign");
  REQUIRE(verified(good, folder).order == 12);
  const auto broken = [&](const std::function<void(WeightBlock&)>& change) {
    WeightBlock table = good;
    change(table);
    write_table(folder / "bad.safetensors", table);
    return read_table(folder / "bad.safetensors").block();
  };
  const auto group = [](const std::function<void(Json&)>& change) {
    return [change](WeightBlock& table) { edit(table, "group", change); };
  };
  const auto metadata = [](const std::string& key, const std::string& value) {
    return [=](WeightBlock& table) { table.metadata[key] = value; };
  };

  // False claims.
  REQUIRE_THROWS_AS(verify(broken(group([](Json& j) { j["order"] = "24"; }))), VerificationError);
  REQUIRE_THROWS_AS(verify(broken(group([](Json& j) {
                      j["generators"] = {"(1,2,3,4,5,6)", "(1,2)"};
                      j["order"] = "720";
                    }))),
                    VerificationError);
  REQUIRE_THROWS_AS(verify(broken(group([](Json& j) {
                      j["generators"] = {"(1,2,3,4,5,6)"};
                      j["order"] = "6";
                      j["expression"] = "C6";
                    }))),
                    VerificationError);
  for (const char* key : {"rep_in", "rep_out"})
    for (const char* value : {"perm + perm", "trivial", "0*perm"})
      REQUIRE_THROWS_AS(verify(broken(metadata(key, value))), VerificationError);
  REQUIRE_THROWS_AS(verify(broken(metadata("rep_out", "perm + trivial"))), VerificationError);
  REQUIRE_THROWS_AS(verify(broken(metadata("convention", "y = x W"))), VerificationError);
  REQUIRE_THROWS_AS(verify(broken(metadata("order", "any"))), VerificationError);
  REQUIRE_THROWS_AS(verify(broken(metadata("sign_rule", "the largest entry is +"))), VerificationError);
  for (const Json& value : {Json("7"), Json(4), Json()}) {
    const auto certificate = [&](const char* key) {
      return [&value, key](WeightBlock& t) { edit(t, "certificate", [&](Json& j) { j[key] = value; }); };
    };
    REQUIRE_THROWS_AS(verify(broken(certificate("character_dimension"))), VerificationError);
    WeightBlock table = good;
    certificate("bias_character_dimension")(table);
    REQUIRE_THROWS_AS(verify(table), VerificationError);
    REQUIRE_THROWS_AS(write_table(folder / "bad.safetensors", table), DomainError);
  }

  REQUIRE_THROWS_AS(verify(broken(group([](Json& j) { j["expression"] = "M24"; }))), VerificationError);

  // The generators count, a name that says nothing does not.
  REQUIRE(verify(broken(group([](Json& j) { j["expression"] = "no such group"; }))).order == 12);
  REQUIRE(verify(broken(group([](Json& j) { j["expression"] = "@/etc/hostname"; }))).order == 12);

  // Metadata that cannot be read.
  for (const char* key : {"group", "rep_in", "rep_out"})
    REQUIRE_THROWS_AS(verify(broken([&](WeightBlock& t) { t.metadata.erase(key); })), FileError);
  for (
      const char* text :
      {"", "12", "[1]", "{", R"x({"order": "12"})x", R"x({"degree": -6, "generators": [], "order": "12"})x",
       R"x({"degree": 6, "generators": "(1,2)", "order": "12"})x", R"x({"degree": 6, "generators": [], "order": 12})x",
       R"x({"degree": 6, "generators": [7], "order": "12"})x",
       R"x({"degree": 6, "generators": ["(1,2"], "order": "12"})x",
       R"x({"degree": 6, "generators": ["(1,7)"], "order": "12"})x",
       R"x({"degree": 18446744073709551615, "generators": [], "order": "1"})x",
       R"x({"degree": 10000000, "generators": ["()","()","()","()","()","()","()","()","()","()","()"], "order": "1"})x"}) {
    CAPTURE(text);
    REQUIRE_THROWS_AS(verify(broken(metadata("group", text))), FileError);
  }
  for (const char* text :
       {"", "perm +", "nonsense", "rep(@/etc/hostname)", "rep([[2,1]])", "rep([[1,1,3,4,5,6,7],[1,2,3,4,5,6,7]])"}) {
    CAPTURE(text);
    REQUIRE_THROWS_AS(verify(broken(metadata("rep_out", text))), FileError);
  }
  REQUIRE_THROWS_AS(verify(broken(metadata("certificate", "yes"))), FileError);
  // Limits.
  REQUIRE_THROWS_AS(verify(broken(metadata("rep_in", "perm^40"))), LimitError);
  Task cancelled(0, 0, {});
  cancelled.cancel();
  REQUIRE_THROWS_AS(verify(broken([](WeightBlock&) {}), cancelled), Interrupted);
}

TEST_CASE("a stated parameter that does not occur is refused", "[io][quick]") {
  // Readers refuse such files before; verification does not rely on it.
  WeightBlock table = table_of("S3", "perm", "perm + trivial");
  relabel(table, 4, [](auto label) { return label; });
  REQUIRE(table.weights.tied().orbit_size.back() == 0);
  REQUIRE_THROWS_AS(verify(table), VerificationError);
  REQUIRE_THROWS_WITH(verify(table), Catch::Contains("occur"));
}

TEST_CASE("a table without the optional statements is proved", "[io][quick]") {
  const Folder folder;
  WeightBlock table = table_of("S4", "perm", "perm + sign");
  for (const char* key : {"convention", "order", "sign_rule", "field", "producer", "certificate"})
    table.metadata.erase(key);
  REQUIRE(verified(table, folder).order == 24);
  WeightBlock sparse = table_of("S4", "std", "std + sign");
  sparse.metadata.erase("convention");
  REQUIRE(verified(sparse, folder).order == 24);
}

TEST_CASE("metadata in JSON are read strictly", "[io][quick]") {
  const WeightBlock good = table_of("S3", "perm", "perm");
  const auto reason = [&](const std::string& key, const std::string& text) -> std::string {
    WeightBlock table = good;
    table.metadata[key] = text;
    try {
      verify(table);
    } catch (const FileError& error) {
      return error.what();
    }
    return "accepted";
  };
  for (const char* key : {"group", "certificate"}) {
    CAPTURE(key);
    const std::string text = good.metadata.at(key);
    REQUIRE(reason(key, text) == "accepted");
    REQUIRE_THAT(reason(key, text + std::string(1, '\0')), Catch::Contains("not valid JSON"));
    REQUIRE_THAT(reason(key, text + std::string("\0 more", 6)), Catch::Contains("not valid JSON"));
    REQUIRE_THAT(reason(key, "{\"order\": \"6\", " + text.substr(1)),
                 key == std::string("group") ? Catch::Contains("\"order\" occurs twice") : Catch::Contains("accepted"));
    REQUIRE_THAT(reason(key, std::string(100, '[')), Catch::Contains("deeper"));
  }
  REQUIRE_THAT(reason("certificate", "{\"route\": \"a\", " + good.metadata.at("certificate").substr(1)),
               Catch::Contains("\"route\" occurs twice"));
}

TEST_CASE("the isotypic form of a layer is kept in its file", "[io][quick]") {
  const Folder folder;
  for (const auto& [group, in, out] : {std::array{"S4", "perm^2", "perm"}, std::array{"C4", "perm", "2*perm"},
                                       std::array{"Q8", "regular", "regular"}, std::array{"S4", "std", "std + sign"}}) {
    CAPTURE(group, in, out);
    const WeightBlock plain = table_of(group, in, out), table = with_isotypic_form(plain);
    REQUIRE(table.isotypic);
    REQUIRE_NOTHROW(require_consistent(table));
    std::string digest;
    for (const char* name : {"t.safetensors", "t.npz", "t.json"}) {
      CAPTURE(name);
      const std::string written = write_table(folder / name, table);
      REQUIRE((digest.empty() || digest == written));
      digest = written;
      for (const WeightBlock& read : {read_table(folder / name).block(), read_numeric_table(folder / name).block()}) {
        REQUIRE(same(read, table));
        REQUIRE(read.isotypic);
        REQUIRE(read.isotypic->blocks == table.isotypic->blocks);
        REQUIRE(read.isotypic->T_out == table.isotypic->T_out);
        REQUIRE(read.isotypic->T_in == table.isotypic->T_in);
        REQUIRE(intertwine::digest(read) == digest);
      }
      REQUIRE(verify(read_table(folder / name).block()).sha256 == digest);
    }
    REQUIRE(digest != intertwine::digest(plain));
    REQUIRE_THROWS_WITH(write_table(folder / "t.hpp", table),
                        Catch::Contains(table.is_tied() ? "isotypic form" : "sparse basis"));
  }
  // What does not fit the table is neither written nor read.
  const WeightBlock good = with_isotypic_form(table_of("S3", "perm", "perm"));
  const auto reason = [&](const std::function<void(IsotypicBlocks&)>& change) -> std::string {
    WeightBlock table = good;
    change(*table.isotypic);
    try {
      require_consistent(table);
    } catch (const DomainError& error) {
      return error.what();
    }
    return "accepted";
  };
  REQUIRE(reason([](auto&) {}) == "accepted");
  REQUIRE_THAT(reason([](auto& f) { f.blocks.clear(); }), Catch::Contains("no blocks"));
  REQUIRE_THAT(reason([](auto& f) { f.blocks[0].division = 3; }), Catch::Contains("dimension 3"));
  REQUIRE_THAT(reason([](auto& f) { f.blocks[0].copies_out = 2; }), Catch::Contains("4 x 3 entries"));
  REQUIRE_THAT(reason([](auto& f) { f.blocks[0].copies_in = ~std::uint64_t{0}; }), Catch::Contains("entries"));
  REQUIRE_THAT(reason([](auto& f) { f.blocks.push_back({1, 5, 0, 0}); }), Catch::Contains("without copies"));
  REQUIRE_THAT(reason([](auto& f) { f.T_out.pop_back(); }), Catch::Contains("changes of basis"));
  REQUIRE_THAT(reason([](auto& f) { f.T_in[0] = std::nan(""); }), Catch::Contains("not finite"));
}

TEST_CASE("every sentence of the metadata is checked, or reported as the writer's word", "[io][quick]") {
  const WeightBlock good = table_of("S4", "perm^2", "perm");
  const auto claims = [&](const std::function<void(WeightBlock&)>& change) {
    WeightBlock table = good;
    change(table);
    return verify(table).claims;
  };
  const auto refused = [&](WeightBlock table, const std::function<void(WeightBlock&)>& change) {
    change(table);
    try {
      verify(table);
    } catch (const VerificationError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  using List = std::vector<std::string>;
  REQUIRE(claims([](auto&) {}) == List{"producer"});
  // Names of groups: unknown ones are reported, those of another group refused, other generators of the same group are fine.
  const auto named = [](const std::string& name) {
    return [name](WeightBlock& table) { edit(table, "group", [&](Json& group) { group["expression"] = name; }); };
  };
  REQUIRE_THAT(claims(named("Monster")).front(), Catch::Contains("group.expression \"Monster\""));
  REQUIRE_THAT(claims(named("@group.json")).front(), Catch::Contains("refers to a file"));
  REQUIRE_THAT(claims(named("O")).front(), Catch::Contains("of an isomorphic group"));
  for (const auto* other : {"D12", "C24", "SL(2,3)", "S3 x C4"}) {
    CAPTURE(other);
    REQUIRE_THAT(refused(good, named(other)), Catch::Contains("another group of the same order, 24"));
  }
  REQUIRE(claims(named("<(1,2),(1,2,3,4)>")) == List{"producer"});
  REQUIRE_THAT(refused(good, named("M11")), Catch::Contains("order 7920, but its generators generate one of order 24"));
  REQUIRE_THAT(refused(good, named("S5")), Catch::Contains("calls its group S5"));
  REQUIRE(claims([](auto& t) { edit(t, "group", [](Json& group) { group["discovered"] = "1832"; }); }).front() ==
          "group.discovered");
  // The field, the certificate.
  REQUIRE_THAT(refused(good, [](auto& t) { t.metadata["field"] = "Q(sqrt(2))"; }), Catch::Contains("intertwine.field"));
  REQUIRE_THAT(refused(good, [](auto& t) { edit(t, "certificate", [](Json& c) { c["commutes"] = false; }); }),
               Catch::Contains("commutes"));
  REQUIRE(claims([](auto& t) { edit(t, "certificate", [](Json& c) { c["route"] = "a dream"; }); }).back() ==
          "certificate.route");
  REQUIRE(claims([](auto& t) { t.metadata["author"] = "me"; }) == List{"author", "producer"});
  // Kernels: the group moves the sites as it says.
  WeightBlock kernel = [&] {
    const FiniteGroup G = parse_finite_group("D4");
    const Representation V = parse_representation(G, "regular*kernel(3,3)"), U = parse_representation(G, "regular");
    return hom::equivariant_basis(V, U).single().table().block();
  }();
  const auto sizes = [](const std::string& text) {
    return [text](WeightBlock& table) { table.metadata["kernel"] = text; };
  };
  REQUIRE(refused(kernel, sizes("[3,3]")) == "accepted");
  for (const auto* text :
       {"[9,1]", "[3]", "[5,5]", "[2,3,3]", "[]", "[0,3]", "3", "[3,-3]", "[\"3\"]", "[4294967296,4294967296]"}) {
    CAPTURE(text);
    REQUIRE_THAT(refused(kernel, sizes(text)), Catch::Contains("intertwine.kernel"));
  }
  REQUIRE_THAT(refused(good, sizes("[4,4]")), Catch::Contains("intertwine.kernel"));
  WeightBlock matrices = [&] {
    const FiniteGroup G = parse_finite_group("D4");
    const Representation V = parse_representation(G, "coordinates*kernel(3,3)"), U = parse_representation(G, "perm");
    return hom::equivariant_basis(V, U).single().table().block();
  }();
  REQUIRE(refused(matrices, sizes("[3,3]")) == "accepted");
  REQUIRE_THAT(refused(matrices, sizes("[2,3,3]")), Catch::Contains("intertwine.kernel"));
}
