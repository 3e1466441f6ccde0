// One text, one representation: the grammar of characters and the grammar of matrices agree wherever both read it.
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/classical/continuous_decomposition.hpp"
#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

const std::vector<std::string> atoms_of_connected = {"trivial",
                                                     "vector",
                                                     "adjoint",
                                                     "harmonic(0)",
                                                     "harmonic(1)",
                                                     "harmonic(2)",
                                                     "harmonic(3)",
                                                     "spinor",
                                                     "spinor(+)",
                                                     "spinor(-)",
                                                     "irrep([1])",
                                                     "irrep([2])",
                                                     "irrep([-1])",
                                                     "irrep([1,0])",
                                                     "irrep([0,1])",
                                                     "irrep([1,1])",
                                                     "irrep([2,0])",
                                                     "irrep([1] as partition)",
                                                     "irrep([2,1] as partition)",
                                                     "irrep([1,-1] as partition)",
                                                     "irrep([1,1] as partition)",
                                                     "irrep([0,0,1])",
                                                     "irrep(3)",
                                                     "irrep(4)",
                                                     "irrep(6*)",
                                                     "1"};
const std::vector<std::string> atoms_of_orthogonal = {"trivial",
                                                      "vector",
                                                      "adjoint",
                                                      "det",
                                                      "parity",
                                                      "harmonic(0)",
                                                      "harmonic(1)",
                                                      "harmonic(2)",
                                                      "harmonic(3)",
                                                      "irrep([2] as partition)",
                                                      "irrep([1,1] as partition)",
                                                      "irrep([2,1] as partition)",
                                                      "irrep([1,1,1] as partition)"};

/// An expression by chance: atoms, some of no real type, and what is made of them.
std::string expression(Rng& rng, const std::vector<std::string>& atoms, unsigned depth) {
  const auto inner = [&] { return expression(rng, atoms, depth - 1); };
  if (depth == 0 || rng.below(3) == 0) return atoms[rng.below(atoms.size())];
  switch (rng.below(9)) {
    case 0:
      return inner() + " + " + inner();
    case 1:
      return "(" + inner() + ")*(" + inner() + ")";
    case 2:
      return "dual(" + inner() + ")";
    case 3:
      return "sym(2, " + inner() + ")";
    case 4:
      return "alt(2, " + inner() + ")";
    case 5:
      return "2*(" + inner() + ")";
    case 6:
      return "schur([2,1], " + inner() + ")";
    case 7:
      return "(" + inner() + ")^" + std::to_string(rng.below(3));
    default:
      return "real(" + inner() + ")";
  }
}

template <class F>
auto read(F&& f) -> std::optional<decltype(f())> {
  try {
    return f();
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The constituents by matrices, as a character.
LieCharacter character_of(const ContinuousRepresentation& V, const LieGroup& G) {
  LieCharacter sum = Integer(0) * G.trivial();
  for (const auto& part : decompose(V)) sum = sum + part.multiplicity * G.irrep(part.factors.at(0).label);
  return sum;
}

}  // namespace

TEST_CASE("what decompose reads and what basis reads is one representation", "[io]") {
  Rng rng = test_rng();
  std::size_t both = 0, one = 0;
  for (const char* name :
       {"SO(2)", "SO(3)", "SO(4)", "SO(5)", "SO(6)", "Spin(3)", "Spin(4)", "Spin(5)", "Spin(6)", "Spin(7)",
        "SU(2)", "SU(3)", "U(1)",  "U(2)",  "SL(2)", "SL(3)",   "GL(1)",   "GL(2)",   "Sp(2)",   "Sp(4)"}) {
    const LieGroup lie = parse_lie_group(name);
    const ContinuousGroup G = parse_continuous_group(name);
    for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
      const std::string text = expression(rng, atoms_of_connected, 2);
      INFO(text << " of " << name);
      const auto chi = read([&] { return parse_lie_representation(lie, text); });
      if (!chi || chi->dimension() > 200) continue;
      const auto V = read([&] { return parse_representation(G, text); });
      if (!V) {
        ++one;
        continue;
      }
      ++both;
      REQUIRE(Integer(V->dimension()) == chi->dimension());
      CHECK(character_of(*V, lie) == *chi);
      CHECK(parse_representation(G, V->to_string()) == *V);
      const ContinuousRepresentation U = natural_representation(G);
      if (V->dimension() <= 40 && V->scalars() != Scalars::real && U.scalars() == Scalars::complex)
        CHECK(Integer(hom::equivariant_basis(U, *V).dimension()) == chi->multiplicity(lie.vector().terms()[0].weight));
    }
  }
  CHECK(both > one / 2);
  CHECK(both > 300);
}

TEST_CASE("representations of O(n) restricted to finite groups and to the axis are those of basis", "[io]") {
  Rng rng = test_rng();
  const OrthogonalEmbedding square = usual_orthogonal_embedding(2, character_table(parse_finite_group("D4"))),
                            cube = usual_orthogonal_embedding(3, character_table(parse_finite_group("Oh")));
  std::size_t both = 0;
  for (const OrthogonalEmbedding* f : {&square, &cube}) {
    const ContinuousGroup G = parse_continuous_group(f->n() == 2 ? "O(2)" : "O(3)");
    for (int trial = 0; trial < 150 * test_multiplier(); ++trial) {
      const std::string text = expression(rng, atoms_of_orthogonal, 2);
      INFO(text << " of " << G.name());
      const auto V = read([&] { return parse_representation(G, text); });
      if (!V || V->dimension() > 400) continue;
      if (const auto chi = read([&] { return parse_orthogonal_representation(*f, text); })) {
        ++both;
        CHECK((*chi)[0] == Cyclotomic(static_cast<long long>(V->dimension())));
      }
      if (f->n() == 3)
        if (const auto chi = read([&] { return parse_axial_representation(true, text, true); }))
          CHECK(chi->dimension() == Integer(V->dimension()));
    }
  }
  CHECK(both > 100);
}

TEST_CASE("texts that had two meanings", "[io][quick]") {
  const auto dimension = [](const char* group, const char* text) {
    return parse_lie_representation(parse_lie_group(group), text).dimension();
  };
  CHECK(dimension("SO(2)", "harmonic(2)") == 2);
  CHECK(dimension("SO(2)", "sym(2, harmonic(2))") == 3);
  CHECK(dimension("SO(2)", "dual(harmonic(3))") == 2);
  CHECK(dimension("SO(2)", "schur([2,1], sym(3, harmonic(3)))") == 20);
  CHECK(dimension("SO(2)", "harmonic(0)") == 1);
  CHECK(dimension("SO(2)", "irrep([3])") == 1);
  CHECK(dimension("SO(2)", "real(irrep([3]))") == 2);
  CHECK(dimension("Spin(3)", "spinor") == 2);
  CHECK(dimension("Spin(3)", "real(spinor)") == 4);
  CHECK(dimension("Spin(5)", "real(spinor)") == 8);
  CHECK(dimension("Spin(7)", "real(spinor)") == 8);
  CHECK(dimension("Spin(6)", "real(spinor)") == 8);
  CHECK(dimension("Spin(4)", "spinor(+)") == 2);
  CHECK(dimension("Spin(10)", "spinor(-)") == 16);
  CHECK(dimension("Spin(10)", "real(spinor(-))") == 32);
  const ContinuousRepresentation half = parse_representation(parse_continuous_group("Spin(6)"), "real(spinor(+))");
  CHECK(half.dimension() == 8);
  CHECK(dimension("Spin(6)", "real(spinor(+))") == 8);
  CHECK_THROWS_WITH(parse_representation(parse_continuous_group("Spin(6)"), "spinor(+)"),
                    Catch::Contains("spinor(+) of Spin(6) is C^4"));
  CHECK(dimension("SU(3)", "real(vector)") == 6);
  CHECK(dimension("SU(3)", "real(real(vector))") == 6);
  // Files keep the text that they were written with.
  CHECK(parse_stored_representation(parse_continuous_group("Spin(3)"), "spinor").dimension() == 4);
  CHECK(parse_stored_representation(parse_continuous_group("SO(2)"), "irrep([3])").dimension() == 2);
  CHECK_THROWS_WITH(parse_representation(parse_continuous_group("SO(2)"), "vector + irrep([3])"),
                    Catch::Contains("irrep([3]) of SO(2) is C^1") && Catch::Contains("real(irrep([3]))"));
}
