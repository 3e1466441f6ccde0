// Characters against dimensions of Hom that another system computed: <chi_V, chi_W> summed over all elements.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/paths.hpp"

using namespace intertwine;

namespace {

Representation read(const FiniteGroup& G, const nlohmann::json& text) {
  const std::string type = text.at("type");
  if (type == "tensor") return read(G, text.at("factors").at(0)) * read(G, text.at("factors").at(1));
  if (type == "tensor_power") return tensor_power(read(G, text.at("of")), text.at("k").get<unsigned>());
  if (type == "sym_power") return sym(text.at("k").get<unsigned>(), read(G, text.at("of")));
  if (type == "alt_power") return alt(text.at("k").get<unsigned>(), read(G, text.at("of")));
  if (type == "copies") return text.at("k").get<std::uint64_t>() * read(G, text.at("of"));
  if (type == "matrix") {
    // Stored as GAP has them, acting on rows from the right: the transposed matrices act on columns.
    std::vector<RationalMatrix> images;
    for (const auto& rows : text.at("images")) {
      IntegerMatrix A(rows.size(), rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows.size(); ++j) A.set(j, i, rows[i][j].get<long>());
      images.emplace_back(std::move(A));
    }
    return matrix_representation(G, images);
  }
  REQUIRE(type == "permutation");
  std::vector<SignedPermutation> images;
  for (const auto& list : text.at("images")) {
    std::vector<SignedPoint> image;
    for (const auto& x : list) image.emplace_back(x.get<Point>() - 1);
    images.emplace_back(image);
  }
  return monomial_representation(G, images);
}

}  // namespace

TEST_CASE("inner products of characters are the known dimensions of Hom", "[representations][quick]") {
  std::ifstream file(test_data() + "/hom_dimensions.json");
  const auto document = nlohmann::json::parse(file);
  REQUIRE(document.at("entries").size() == 29);
  for (const auto& entry : document.at("entries")) {
    CAPTURE(entry.at("id").get<std::string>());
    std::vector<Permutation> generators;
    for (const auto& text : entry.at("generators"))
      generators.push_back(parse_permutation(text.get<std::string>(), entry.at("degree").get<std::size_t>()));
    const FiniteGroup G(entry.at("degree").get<std::size_t>(), generators);
    REQUIRE(G.order() == Integer(entry.at("group_order").get<std::string>()));
    const Representation V = read(G, entry.at("V")), W = read(G, entry.at("W"));
    REQUIRE(std::to_string(V.dimension()) == entry.at("dim_V").get<std::string>());
    REQUIRE(std::to_string(W.dimension()) == entry.at("dim_W").get<std::string>());
    Integer sum = 0;
    G.chain().for_each_element([&](const Permutation& g) {
      sum += (V.character(g) * W.character(g)).to_integer();
      return true;
    });
    REQUIRE(sum == G.order() * Integer(entry.at("dim_hom").get<std::string>()));
  }
}
