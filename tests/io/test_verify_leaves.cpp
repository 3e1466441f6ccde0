// Every leaf of every kind of file that verify takes is checked, or named as the writer's word: a walk over all of them.
#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "intertwine/characters/character_details.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/answer_file.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/kernels_file.hpp"
#include "intertwine/io/polynomial_maps_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/representation_proof.hpp"
#include "tables.hpp"

using namespace intertwine;

namespace {

using Json = nlohmann::ordered_json;

std::string with_command(const char* command, const std::string& answer) {
  Json json{{"intertwine", "0.2.0"}, {"command", command}};
  json.update(Json::parse(answer));
  return json.dump();
}

std::string irreps(const char* group, BaseField over) {
  return with_command("irreps", to_json(record(irreducible_forms(character_table(parse_finite_group(group)), over))));
}

std::string table(const test_tables::Folder& folder, const char* group, const char* in, const char* out, bool proof) {
  const FiniteGroup G = parse_finite_group(group);
  write_table(folder / "t.json", hom::equivariant_basis(parse_representation(G, in), parse_representation(G, out))
                                     .single()
                                     .table({.proof = proof})
                                     .block());
  return read_file(folder / "t.json", 1 << 20);
}

/// The kinds of files, a small one of each.
std::vector<std::pair<std::string, std::string>> files(const test_tables::Folder& folder) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& [group, over] : {std::pair("S4", BaseField::complex), std::pair("Q8", BaseField::real),
                                    std::pair("C5", BaseField::rational), std::pair("A4", BaseField::real)})
    all.emplace_back(std::string("irreps ") + group, irreps(group, over));
  const CharacterTable s3 = character_table(parse_finite_group("S3"));
  all.emplace_back("orthonormal irreps",
                   with_command("irreps", to_json(record(orthonormal_forms(irreducible_forms(s3, BaseField::real))))));
  all.emplace_back(
      "irreps with a proof",
      with_command("irreps",
                   to_json(record(ProvedForms{irreducible_forms(s3, BaseField::complex), order_proof(s3.group())}))));
  CharacterTableReport report{s3.group(), {s3, s3.classes(), {}, {}, {}}, {}, {}, {}};
  report.proof = character_proof(s3);
  all.emplace_back("chartable", with_command("chartable", to_json(record(report))));
  const Representation V = parse_representation(s3.group(), "std"), P = parse_representation(s3.group(), "perm");
  all.emplace_back("polynomials", with_command("polynomials", to_json(record(polynomial_maps(V, P, 2)))));
  const ContinuousGroup O = parse_continuous_group("O(3)");
  const ContinuousRepresentation W = parse_representation(O, "vector");
  all.emplace_back("continuous polynomials", with_command("polynomials", to_json(record(polynomial_maps(W, W, 1)))));
  const OrthogonalAction C4 = parse_orthogonal_action("R^2 : C4");
  const Representation R = parse_representation(C4.group(), "cartesian");
  all.emplace_back("point kernels", with_command("kernels", to_json(record(point_kernels(C4, R, R, 2)))));
  const EuclideanGroup E = parse_euclidean_group("E(2)");
  const ContinuousRepresentation v = parse_representation(E.point_group(), "vector");
  all.emplace_back("steerable kernels", with_command("kernels", to_json(record(steerable_kernels(E, v, v)))));
  const FiniteGroup S4 = parse_finite_group("S4"), H = on_points_of(S4, parse_finite_group("S3"));
  const Representation rho = parse_representation(H, "irrep(3)");
  all.emplace_back("homogeneous kernels", with_command("kernels", to_json(record(mackey_basis(S4, H, H, rho, rho)))));
  all.emplace_back("tied table", table(folder, "S4", "perm^2", "perm", false));
  all.emplace_back("sparse table", table(folder, "A5", "irrep(2)", "irrep(2)*perm", true));
  write_table(folder / "b.json", hom::equivariant_basis(parse_representation(s3.group(), "2*perm + trivial"),
                                                        parse_representation(s3.group(), "perm"))
                                     .table({.proof = true}));
  all.emplace_back("blocks", read_file(folder / "b.json", 1 << 20));
  write_diagrams(folder / "d.json", diagram_table("a", "aa"));
  all.emplace_back("diagrams", read_file(folder / "d.json", 1 << 20));
  return all;
}

/// The places of leaves, and of lists; of long lists the first elements and the last. Texts of JSON are entered.
void each_place(const Json& value, const Json::json_pointer& at,
                const std::function<void(const Json::json_pointer&)>& visit) {
  if (!value.is_object()) visit(at);
  if (value.is_object())
    for (const auto& [key, member] : value.items()) each_place(member, at / key, visit);
  if (value.is_array())
    for (std::size_t k = 0; k < value.size(); ++k)
      if (k < 3 || k + 1 == value.size()) each_place(value[k], at / k, visit);
}

/// The places of objects that have keys; of long lists as above.
void each_object(const Json& value, const Json::json_pointer& at,
                 const std::function<void(const Json::json_pointer&)>& visit) {
  if (value.is_object()) {
    visit(at);
    for (const auto& [key, member] : value.items()) each_object(member, at / key, visit);
  }
  if (value.is_array())
    for (std::size_t k = 0; k < value.size(); ++k)
      if (k < 3 || k + 1 == value.size()) each_object(value[k], at / k, visit);
}

/// Other values for one, each of its kind.
std::vector<Json> others(const Json& value) {
  std::vector<Json> found;
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    found = {text + "x", "", "S3", "A4", "C24", "1", "-1", "7"};
    try {
      Json inner = Json::parse(text);
      if (inner.is_structured())
        each_place(inner, Json::json_pointer(), [&](const Json::json_pointer& at) {
          for (const Json& other : others(inner[at])) {
            Json changed = inner;
            changed[at] = other;
            found.push_back(changed.dump());
          }
        });
      if (inner.is_object()) inner["another"] = "1", found.push_back(inner.dump());
    } catch (const Json::exception&) {  // a text
    }
  } else if (value.is_boolean()) {
    found = {!value.get<bool>()};
  } else if (value.is_number_integer()) {
    const auto n = value.get<std::int64_t>();
    found = {n + 1, n - 1, 0, -1, 1'000'000'007};
  } else if (value.is_number()) {
    found = {value.get<double>() + 1};
  } else if (value.is_array()) {
    Json less = value, more = value;
    if (!value.empty()) {
      less.erase(less.size() - 1);
      more.push_back(value.back());
      found = {less, more};
    } else {
      found = {Json::array({1})};
    }
  }
  std::erase(found, value);
  return found;
}

/// Another value there may say as much that is true: fewer representations, a multiple of a seed, generators of the same subgroup, another
/// base of a chain, channels, a minor version of the format.
bool says_as_much(const std::string& kind, const std::string& path) {
  static const std::set<std::string> places = {
      "irreps",
      "irreps.seed.vector",
      "proof.base",
      "proof.words",
      "proof.strong_generators",
      "proof.subgroups",
      "proof.linear_characters",
      "proof.linear_characters.order",
      "proof.linear_characters.exponents",
      "up_to_degree",
      "from.subgroup",
      "to.subgroup",
      "double_cosets.stabilizer",
      "multiplicity_in",
      "multiplicity_out",
      "version",
  };
  return places.contains(path) || (kind == "tied table" && path == "group") ||
         (kind == "blocks" && path == "rep_in");  // 1 is the trivial representation
}

/// Does a claim name this place, or what it lies in?
bool named(const std::string& kind, const std::vector<std::string>& claims, const Json::json_pointer& at) {
  std::string path = std::regex_replace(at.to_string(), std::regex("/[0-9]+(?=/|$)"), "");
  path = std::regex_replace(path, std::regex("^/"), "");
  path = std::regex_replace(path, std::regex("^metadata/intertwine\\."), "");
  path = std::regex_replace(path, std::regex("^block\\.[0-9]+\\.[0-9]+\\."), "");
  std::replace(path.begin(), path.end(), '/', '.');
  if (says_as_much(kind, path)) return true;
  for (const std::string& claim : claims) {
    const std::string key = claim.substr(0, claim.find(' '));
    if (path == key || path.starts_with(key + ".") || key.starts_with(path + ".")) return true;
  }
  return false;
}

std::vector<std::string> claims_of(const Proved& proved, std::vector<std::string> claims) {
  std::visit(
      [&](const auto& p) {
        if constexpr (requires { p.claims; }) claims.insert(claims.end(), p.claims.begin(), p.claims.end());
        if constexpr (std::is_same_v<std::decay_t<decltype(p)>, TableProof>)
          for (const auto& row : p.blocks)
            for (const BlockProof& block : row) claims.insert(claims.end(), block.claims.begin(), block.claims.end());
      },
      proved);
  return claims;
}

}  // namespace

TEST_CASE("every leaf of a file is checked, or named as the writer's word", "[io][quick]") {
  const test_tables::Folder folder;
  for (const auto& file : files(folder)) {
    const auto &kind = file.first, &text = file.second;
    CAPTURE(kind);
    const auto proved = [&](const Json& json) {
      write_file(folder / "x.json", json.dump());
      std::vector<std::string> claims;
      const Proved proof = verify_file(folder / "x.json", {}, &claims);
      return claims_of(proof, std::move(claims));
    };
    const Json good = Json::parse(text);
    REQUIRE_NOTHROW(proved(good));
    std::size_t refused = 0, word = 0;
    each_place(good, Json::json_pointer(), [&](const Json::json_pointer& at) {
      for (const Json& other : others(good[at])) {
        Json changed = good;
        changed[at] = other;
        try {
          const auto claims = proved(changed);
          const bool is_named = named(kind, claims, at);
          CAPTURE(at.to_string(), good[at].dump().substr(0, 100), other.dump().substr(0, 300), claims);
          CHECK(is_named);
          ++word;
        } catch (const VerificationError&) {
          ++refused;
        } catch (const FileError&) {
          ++refused;
        } catch (const LimitError&) {
          ++refused;
        }
      }
    });
    // A key more is refused, or named, wherever it is.
    each_object(good, Json::json_pointer(), [&](const Json::json_pointer& at) {
      if (at.empty() && good.contains("metadata")) return;  // an array of another writer
      const std::string key = at.to_string() == "/metadata" ? "intertwine.another" : "another";
      Json changed = good;
      changed[at][key] = "1";
      try {
        const auto claims = proved(changed);
        CAPTURE(at.to_string(), claims);
        CHECK(named(kind, claims, at / key));
      } catch (const VerificationError&) {
        ++refused;
      } catch (const FileError&) {
        ++refused;
      }
    });
    CHECK(refused > 20);
    CHECK(word > 0);
  }
}
