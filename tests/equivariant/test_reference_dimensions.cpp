// dim Hom as GAP counts it.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/paths.hpp"

using namespace intertwine;
using Json = nlohmann::json;

namespace {

Json reference() {
  std::ifstream file(test_data() + "/hom_dimensions.json");
  REQUIRE(file);
  return Json::parse(file)["entries"];
}

SignedPermutation from_image_list(const Json& images) {  // 1-based
  std::vector<SignedPoint> points;
  for (const Json& x : images) points.emplace_back(static_cast<Point>(x.get<std::uint64_t>() - 1), false);
  return SignedPermutation(std::move(points));
}

/// The reference acts on rows from the right, v -> v M, and products are carried out from left to right. On
/// columns that is M^T, and what is a product from left to right there is the reversed product here, so that
/// g -> M^T is a representation in our sense. Row i of M, column i of M^T, is the image of e_i.
/// Empty if M is no signed permutation matrix.
std::optional<SignedPermutation> from_matrix(const Json& rows) {
  std::vector<SignedPoint> points;
  for (const Json& row : rows) {
    std::optional<SignedPoint> image;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const int x = row[j].get<int>();
      if (x == 0) continue;
      if (image || (x != 1 && x != -1)) return std::nullopt;
      image = SignedPoint(static_cast<Point>(j), x < 0);
    }
    if (!image) return std::nullopt;
    points.push_back(*image);
  }
  return SignedPermutation(std::move(points));
}

RationalMatrix transposed(const Json& rows) {
  IntegerMatrix M(rows.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j) M.set(j, i, rows[i][j].get<long>());
  return M;
}

Representation representation(const FiniteGroup& G, const Json& json) {
  const std::string type = json["type"];
  if (type == "permutation" || type == "matrix") {
    std::vector<SignedPermutation> images;
    for (const Json& image : json["images"]) {
      const auto x = type == "matrix" ? from_matrix(image) : from_image_list(image);
      if (x) images.push_back(*x);
    }
    if (images.size() == json["images"].size()) return monomial_representation(G, std::move(images));
    std::vector<RationalMatrix> matrices;
    for (const Json& image : json["images"]) matrices.push_back(transposed(image));
    return matrix_representation(G, matrices);
  }
  if (type == "tensor") return representation(G, json["factors"][0]) * representation(G, json["factors"][1]);
  const Representation V = representation(G, json["of"]);
  const unsigned k = json["k"];
  if (type == "tensor_power") return tensor_power(V, k);
  if (type == "sym_power") return sym(k, V);
  if (type == "alt_power") return alt(k, V);
  REQUIRE(type == "copies");
  return k * V;
}

}  // namespace

TEST_CASE("dimensions of Hom agree with GAP's", "[equivariant][quick]") {
  std::size_t compared = 0, matrices = 0;
  for (const Json& entry : reference()) {
    CAPTURE(entry["id"].get<std::string>());
    std::vector<Permutation> generators;
    for (const Json& g : entry["generators"])
      generators.push_back(parse_permutation(g.get<std::string>(), entry["degree"].get<std::size_t>()));
    const FiniteGroup G(entry["degree"].get<std::size_t>(), generators);
    REQUIRE(G.order().str() == entry["group_order"].get<std::string>());
    const auto V = representation(G, entry["V"]), W = representation(G, entry["W"]);
    if (!V.is_monomial() || !W.is_monomial()) ++matrices;
    REQUIRE(std::to_string(V.dimension()) == entry["dim_V"].get<std::string>());
    REQUIRE(std::to_string(W.dimension()) == entry["dim_W"].get<std::string>());
    const hom::Basis basis = hom::equivariant_basis(V, W);
    REQUIRE(basis.dimension().str() == entry["dim_hom"].get<std::string>());
    REQUIRE(basis.certificate().every_entry_checked);
    // The other way round the dimension is the same, as the characters are rational.
    REQUIRE(hom::equivariant_basis(W, V).dimension() == basis.dimension());
    ++compared;
  }
  REQUIRE(compared == 29);
  REQUIRE(matrices == 1);  // the rotation of order 3 of the hexagonal lattice
}
