#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/io/verify_table.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using test_tables::Folder;
using test_tables::same;

namespace {

WeightBlock continuous_table(const std::string& group, const std::string& in, const std::string& out) {
  const ContinuousGroup G = parse_continuous_group(group);
  return hom::equivariant_basis(parse_representation(G, in), parse_representation(G, out)).single().table().block();
}

using Json = nlohmann::ordered_json;

void edit_group(WeightBlock& table, const std::function<void(Json&)>& change) {
  auto json = Json::parse(table.metadata.at("group"));
  change(json);
  table.metadata["group"] = json.dump();
}

}  // namespace

TEST_CASE("tables of continuous groups are proved again from their files", "[io][quick]") {
  const Folder folder;
  const struct {
    const char *group, *in, *out;
  } cases[] = {{"SO(3)", "vector^2", "vector"},
               {"O(3)", "2*vector + harmonic(2)", "sym(2, vector)*vector"},
               {"O(1,3)", "16*vector", "8*vector^3"},
               {"SU(2)", "spinor^2", "spinor^2 + trivial"},
               {"SU(3)", "irrep([1,1])^2", "irrep(8)"},
               {"SO(4)", "2*irrep([2,-2] as partition)", "alt(2, vector)^2"},
               {"Sp(4)", "irrep([1,1])", "vector^3"},
               {"S5 x O(3)", "perm # vector", "4*(perm^2 # vector)"},
               {"S3 x O(3)", "sym(2, perm # vector)", "perm # harmonic(2)"},
               {"SU(3)", "real(vector)", "2*real(vector)"},
               {"S3 x SU(2)", "trivial", "sym(2, perm # real(vector))"}};
  for (const auto& c : cases)
    for (const char* name : {"t.safetensors", "t.npz", "t.json"}) {
      INFO(c.group << " " << name);
      const WeightBlock table = continuous_table(c.group, c.in, c.out);
      write_table(folder / name, table);
      const WeightBlock again = read_table(folder / name).block();
      CHECK(same(again, table));
      const BlockProof proof = verify(again);
      CHECK(proof.group == c.group);
      CHECK_FALSE(proof.order.has_value());
      CHECK(proof.params == table.weights.params);
      CHECK(proof.dimension == Integer(table.weights.params) * table.channels.in * table.channels.out);
    }
}

TEST_CASE("real weights of a complex group are not taken for complex ones", "[io][quick]") {
  const WeightBlock table = continuous_table("SU(3)", "real(vector)", "real(vector)");
  CHECK(Json::parse(table.metadata.at("group"))["scalars"] == "real");
  CHECK_NOTHROW(verify(table));
  const std::string complex = hom::group_json(parse_continuous_group("SU(3)"));
  WeightBlock other = table;
  other.metadata["group"] = complex;
  CHECK_THROWS_WITH(verify(other), Catch::Matchers::Contains("the representations are real"));
  other = table;
  other.metadata["rep_in"] = other.metadata["rep_out"] = "2*vector";
  CHECK_THROWS_AS(verify(other), VerificationError);
  other = continuous_table("SU(3)", "vector", "vector");
  CHECK(other.metadata.at("group") == complex);
}

TEST_CASE("claims of continuous tables that do not hold are refused", "[io][quick]") {
  const WeightBlock table = continuous_table("SO(3)", "vector^2", "vector^2");
  REQUIRE(table.weights.params == 3);
  CHECK_NOTHROW(verify(table));
  const auto refused = [&](const std::function<void(WeightBlock&)>& change) {
    WeightBlock broken = table;
    change(broken);
    CHECK_THROWS_AS(verify(broken), VerificationError);
  };
  // Another group, whose matrices are not those in the file; or whose matrices were changed with it.
  refused([](WeightBlock& t) { edit_group(t, [](Json& g) { g["expression"] = "O(3)"; }); });
  refused([](WeightBlock& t) { edit_group(t, [](Json& g) { g["generators"][0]["entries"][0][2] = "2"; }); });
  refused([](WeightBlock& t) { edit_group(t, [](Json& g) { g["generators"].erase(0); }); });
  refused([](WeightBlock& t) { t.metadata["group"] = hom::group_json(parse_continuous_group("SO(2)")); });
  refused([](WeightBlock& t) { t.metadata["group"] = hom::group_json(parse_continuous_group("SO+(1,2)")); });
  // Representations of another dimension, or of the same one.
  refused([](WeightBlock& t) { t.metadata["rep_in"] = "vector"; });
  refused([](WeightBlock& t) { t.metadata["rep_in"] = "3*vector"; });
  refused([](WeightBlock& t) { t.metadata["certificate"] = R"({"character_dimension":"4"})"; });
  refused([](WeightBlock& t) { t.metadata["convention"] = "rows are inputs"; });
  const auto elements = [](const WeightBlock& t) { return std::get<SparseElements>(t.weights.entries); };
  refused([&](WeightBlock& t) {  // a value
    SparseElements e = elements(t);
    e.value.back() += 1;
    t.weights.entries = e;
  });
  refused([&](WeightBlock& t) {  // an element left out
    SparseElements e = elements(t);
    e.start.pop_back();
    const auto size = static_cast<std::size_t>(e.start.back());
    e.row.resize(size), e.col.resize(size), e.value.resize(size);
    t.weights.entries = e;
    t.weights.params = 2;
  });
  const auto unreadable = [&](const std::function<void(WeightBlock&)>& change) {
    WeightBlock broken = table;
    change(broken);
    CHECK_THROWS_AS(verify(broken), FileError);
  };
  unreadable([](WeightBlock& t) { edit_group(t, [](Json& g) { g["expression"] = "SO(n)"; }); });
  unreadable([](WeightBlock& t) { edit_group(t, [](Json& g) { g["expression"] = "@g.json x SO(3)"; }); });
  unreadable([](WeightBlock& t) { edit_group(t, [](Json& g) { g.erase("expression"); }); });
  unreadable([](WeightBlock& t) { t.metadata["rep_out"] = "vektor^2"; });
  unreadable([](WeightBlock& t) { t.metadata.erase("rep_out"); });
  CHECK_THROWS_AS(read_table_claim(table), DomainError);
  CHECK_THROWS_AS(with_isotypic_form(table), DomainError);
}
