#include "intertwine/hom/restriction.hpp"

#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/decomposition_text.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/restriction_question.hpp"

using namespace intertwine;

namespace {

RestrictionAnswer asked(const char* from, const char* to, const char* rep) {
  return answer_restriction({.functor = "", .from = from, .to = {to, rep, ""}, .vector = "", .embeddings = {}});
}

Integer dimension_of(const hom::Restriction& r) {
  Integer sum = 0;
  for (const hom::Constituent& part : r.result.constituents) sum += part.multiplicity * part.degree;
  return sum;
}

}  // namespace

TEST_CASE("restrictions of every kind of subgroup add up to the dimension", "[hom][quick]") {
  for (const auto& [from, to, rep, dimension] :
       std::vector<std::tuple<const char*, const char*, const char*, int>>{{"SU(3)", "SO(3)", "adjoint", 8},
                                                                           {"E8", "Lie(D8)", "adjoint", 248},
                                                                           {"SO(3)", "O", "harmonic(4)", 9},
                                                                           {"O(3)", "Oh", "harmonic(3)", 7},
                                                                           {"O(3)", "D∞h", "harmonic(5)", 11},
                                                                           {"SU(3)", "PSL(2,7)", "irrep([2,2])", 27}}) {
    CAPTURE(from, to, rep);
    const RestrictionAnswer found = asked(from, to, rep);
    const auto* r = std::get_if<hom::Restriction>(&found);
    REQUIRE(r != nullptr);
    CHECK(r->from == from);
    CHECK(r->result.dimension == dimension);
    CHECK(dimension_of(*r) == dimension);
    CHECK(r->weights.has_value() == r->result.group.reductive().has_value());
  }
}

TEST_CASE("restrictions are written as equations in LaTeX, whatever the subgroup", "[hom][quick]") {
  const auto latex = [](const char* from, const char* to, const char* rep) {
    return to_latex(record(std::get<hom::Restriction>(asked(from, to, rep))));
  };
  CHECK(latex("SU(3)", "SO(3)", "vector") == "\\[\n\\mathbf{3} \\downarrow SO(3) = \\mathbf{3}\n\\]\n");
  CHECK(latex("O(3)", "D∞h", "vector") ==
        "\\[\n\\text{vector} \\downarrow \\text{D$\\infty$h} = \\Sigma_{u}^{+} + \\Pi_{u}\n\\]\n");
}

TEST_CASE("a subgroup lies in its group in one way at a time", "[hom][quick]") {
  const LieGroup G = parse_lie_group("SU(3)"), H = parse_lie_group("SU(2)");
  CHECK(hom::lie_restriction(G, H, {.principal = true}).matrix == std::vector<std::vector<int>>{{2, 2}});
  CHECK(hom::lie_restriction(G, H, {.vector = parse_lie_representation(H, "vector + trivial")}).matrix ==
        std::vector<std::vector<int>>{{1, 1}});
  CHECK_THROWS_WITH(hom::lie_restriction(G, H, {.principal = true, .maximal = true}),
                    Catch::Contains("give one of them"));
}

TEST_CASE("words of a restriction find their place", "[hom][quick]") {
  RestrictionQuestion question{.functor = "7", .from = "", .to = {"SO(7)", "", ""}, .vector = "", .embeddings = {}};
  place_words(question, "G2");
  CHECK(question.from == "SO(7)");
  CHECK(question.to.group == "G2");
  CHECK(question.to.rep == "7");
  RestrictionQuestion partition{.functor = "[2,1]", .from = "", .to = {"S4", "", ""}, .vector = "", .embeddings = {}};
  place_words(partition, "perm");
  CHECK(partition.from.empty());
  CHECK(partition.to.rep == "perm");
  RestrictionQuestion special{
      .functor = "[1]", .from = "GL (4)", .to = {"U(3) x U1", "", ""}, .vector = "", .embeddings = {}};
  make_special(special);
  CHECK(special.from == "SL (4)");
  CHECK(special.to.group == "SU(3) x SU1");
  CHECK_THROWS_WITH(make_special(special), Catch::Contains("neither group"));
}
