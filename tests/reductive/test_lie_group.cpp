#include "intertwine/reductive/lie_group.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/lie_expression.hpp"

using namespace intertwine;

TEST_CASE("classical groups: vector, adjoint and spinor representations have the dimensions they should",
          "[reductive][quick]") {
  for (int n = 2; n <= 12; ++n) {
    CAPTURE(n);
    CHECK(LieGroup::classical("SU", n).vector().dimension() == n);
    CHECK(LieGroup::classical("SU", n).adjoint().dimension() == n * n - 1);
    CHECK(LieGroup::classical("U", n).vector().dimension() == n);
    CHECK(LieGroup::classical("GL", n).adjoint().dimension() == n * n);
    CHECK(LieGroup::classical("SO", n).vector().dimension() == n);
    CHECK(LieGroup::classical("SO", n).adjoint().dimension() == n * (n - 1) / 2);
    if (n > 2) CHECK(LieGroup::classical("Spin", n).spinor().dimension() == Integer(1) << (n / 2));
    if (n % 2 == 0) CHECK(LieGroup::classical("Sp", n).vector().dimension() == n);
    if (n % 2 == 0) CHECK(LieGroup::classical("Sp", n).adjoint().dimension() == n * (n + 1) / 2);
  }
  // Lambda^2 of the vector representation of SO(n) is the Lie algebra, and Sym^2 that of Sp(n).
  for (int n = 3; n <= 9; ++n) {
    const LieGroup SO = LieGroup::classical("SO", n);
    CHECK(exterior_power(2, SO.vector()) == SO.adjoint());
  }
  const LieGroup Sp = LieGroup::classical("Sp", 6), U = LieGroup::classical("U", 3);
  CHECK(symmetric_power(2, Sp.vector()) == Sp.adjoint());
  CHECK(tensor_product(U.vector(), U.vector().dual()) == U.adjoint());
}

TEST_CASE("exceptional groups", "[reductive][quick]") {
  for (const auto& [letter, rank, vector, adjoint] :
       {std::tuple{'G', 2, 7, 14}, {'F', 4, 26, 52}, {'E', 6, 27, 78}, {'E', 7, 56, 133}, {'E', 8, 248, 248}}) {
    const LieGroup G(RootSystem(letter, rank));
    CHECK(G.name() == std::string(1, letter) + std::to_string(rank));
    CHECK(G.vector().dimension() == vector);
    CHECK(G.adjoint().dimension() == adjoint);
  }
  CHECK(LieGroup(RootSystem('A', 5)).name() == "Lie(A5)");
}

TEST_CASE("partitions of classical groups", "[reductive][quick]") {
  // Schur functors of C^n for GL(n); for the others the dimensions are those of Weyl's traceless tensors [Fulton & Harris 1991].
  for (const std::vector<int>& lambda : {std::vector<int>{2, 1}, {3}, {1, 1}, {2, 2, 1}}) {
    const LieGroup U = LieGroup::classical("U", 4), SU = LieGroup::classical("SU", 4);
    CHECK(U.irrep(U.weight_of_partition(lambda)) == schur_functor(Partition(lambda), U.vector()));
    CHECK(SU.irrep(SU.weight_of_partition(lambda)) == schur_functor(Partition(lambda), SU.vector()));
  }
  const LieGroup U2 = LieGroup::classical("U", 2);
  CHECK(U2.weight_of_partition({0, -1}) == U2.vector().dual().terms()[0].weight);
  CHECK(U2.weight_of_partition({-1, -1}) == Weight{0, -2});
  const LieGroup SO7 = LieGroup::classical("SO", 7), SO6 = LieGroup::classical("SO", 6),
                 Sp6 = LieGroup::classical("Sp", 6);
  CHECK(SO7.irrep(SO7.weight_of_partition({2})).dimension() == 27);
  CHECK(SO7.irrep(SO7.weight_of_partition({1, 1, 1})) == exterior_power(3, SO7.vector()));
  CHECK(Sp6.irrep(Sp6.weight_of_partition({1, 1})).dimension() == 14);
  CHECK(SO6.irrep(SO6.weight_of_partition({1, 1, 1})) + SO6.irrep(SO6.weight_of_partition({1, 1, -1})) ==
        exterior_power(3, SO6.vector()));
  CHECK(LieGroup::classical("SO", 3).weight_of_partition({4}) == Weight{8});
  CHECK(LieGroup::classical("SO", 4).weight_of_partition({2, -1}) == Weight{3, 1});
  CHECK(LieGroup::classical("SO", 2).weight_of_partition({-3}) == Weight{-3});
}

TEST_CASE("which weights a quotient has", "[reductive][quick]") {
  const LieGroup SO5 = LieGroup::classical("SO", 5), SO8 = LieGroup::classical("SO", 8),
                 U3 = LieGroup::classical("U", 3);
  CHECK_THROWS_WITH(SO5.irrep({0, 1}), Catch::Contains("[0,1] is no weight of SO(5): it is one of Spin(5) only"));
  CHECK_NOTHROW(SO5.irrep({1, 2}));
  CHECK_THROWS_AS(SO8.irrep({0, 0, 1, 0}), DomainError);
  CHECK_NOTHROW(SO8.irrep({0, 0, 1, 1}));
  CHECK_THROWS_WITH(U3.irrep({1, 0, 0}), Catch::Contains("charge"));
  CHECK_NOTHROW(U3.irrep({1, 0, 4}));
  CHECK_THROWS_WITH(U3.irrep({1, 0}), Catch::Contains("2 Dynkin labels, then 1 charge"));
  const LieGroup G = LieGroup::product({U3, SO5, LieGroup::classical("U", 1)});
  CHECK(G.name() == "U(3) x SO(5) x U(1)");
  CHECK(G.type().name() == "A2 x B2 x T2");
  CHECK_NOTHROW(G.irrep({1, 0, 1, 0, 1, 5}));
  CHECK_THROWS_WITH(G.irrep({1, 0, 0, 1, 1, 5}), Catch::Contains("SO(5)"));
  CHECK_THROWS_WITH(G.irrep({1, 0, 1, 0, 5, 1}), Catch::Contains("U(3)"));
}

TEST_CASE("names by dimension", "[reductive][quick]") {
  const RootSystem A2('A', 2);
  CHECK(dimension_name(A2, {3, 0}) == "10");
  CHECK(dimension_name(A2, {0, 3}) == "10*");
  CHECK(dimension_name(A2, {1, 1}) == "8");
  CHECK(dimension_name(RootSystem('E', 6), {0, 0, 0, 0, 0, 1}) == "27*");
  const LieGroup SU3 = LieGroup::classical("SU", 3);
  CHECK(weight_of_dimension(SU3, 10, true) == Weight{0, 3});
  CHECK(weight_of_dimension(SU3, 27, false) == Weight{2, 2});
  CHECK(weight_of_dimension(LieGroup::classical("SU", 2), 100, false) == Weight{99});
  CHECK(weight_of_dimension(LieGroup(RootSystem('E', 8)), 3875, false) == Weight{1, 0, 0, 0, 0, 0, 0, 0});
  CHECK(weight_of_dimension(LieGroup::classical("Spin", 7), 8, false) == Weight{0, 0, 1});
  CHECK_THROWS_WITH(weight_of_dimension(LieGroup::classical("SO", 7), 8, false), Catch::Contains("has no"));
  CHECK_THROWS_WITH(weight_of_dimension(SU3, 15, false),
                    Catch::Equals("SU(3) has 2 irreducible representations 15: irrep([4,0]), irrep([2,1])") ||
                        Catch::Equals("SU(3) has 2 irreducible representations 15: irrep([2,1]), irrep([4,0])"));
  CHECK_THROWS_WITH(weight_of_dimension(LieGroup(parse_root_system("A1 x A1 x A1")), 99'991, false),
                    Catch::Contains("has 3 irreducible"));  // a prime
  CHECK_THROWS_WITH(weight_of_dimension(SU3, 9, false), Catch::Contains("no irreducible representation 9"));
  CHECK_THROWS_WITH(weight_of_dimension(SU3, 8, true), Catch::Contains("representation 8*"));
  CHECK_THROWS_WITH(weight_of_dimension(LieGroup::classical("U", 2), 2, false), Catch::Contains("infinitely many"));
  for (int a = 0; a < 4; ++a)  // every name that belongs to one weight only leads back to it
    for (int b = 0; b < 4; ++b) {
      const std::string name = dimension_name(A2, {a, b});
      Weight found;
      try {
        found = weight_of_dimension(SU3, std::stoull(name), name.back() == '*');
      } catch (const DomainError& e) {
        CHECK(std::string(e.what()).find(fmt::format("irrep([{},{}])", a, b)) != std::string::npos);
        continue;
      }
      CHECK(found == Weight{a, b});
    }
}

TEST_CASE("groups of one element are groups", "[reductive][quick]") {
  for (const char* name : {"SU(1)", "SL(1)", "SO(1)"}) {
    const LieGroup G = parse_lie_group(name);
    INFO(name);
    CHECK(G.type().rank() == 0);
    CHECK(parse_lie_representation(G, "2*vector^3 + irrep([])") == Integer(3) * G.trivial());
    CHECK(G.adjoint().dimension() == 0);
    CHECK(G.weight_of_partition({}).empty());
    CHECK_THROWS_AS(parse_lie_representation(G, "irrep([1])"), ParseError);
  }
}

TEST_CASE("groups and representations that do not exist are refused", "[reductive][quick]") {
  CHECK_THROWS_WITH(LieGroup::classical("Sp", 5), Catch::Contains("n is even"));
  CHECK_THROWS_WITH(LieGroup::classical("SU", 0), Catch::Contains("n is at least 1"));
  CHECK_THROWS_WITH(LieGroup::classical("Spin", 2), Catch::Contains("n is at least 3"));
  CHECK_THROWS_WITH(LieGroup::classical("PU", 3), Catch::Contains("no family PU"));
  CHECK_THROWS_AS(LieGroup::classical("SU", 258), LimitError);
  CHECK_THROWS_AS(LieGroup::classical("SO", 1'000'000), LimitError);
  CHECK_THROWS_AS(LieGroup::product({}), DomainError);
  CHECK_THROWS_WITH(LieGroup::classical("SO", 7).spinor(), Catch::Contains("take Spin(7)"));
  CHECK(LieGroup::classical("SU", 2).spinor() == LieGroup::classical("SU", 2).vector());
  CHECK_THROWS_AS(LieGroup::classical("SU", 3).spinor(), DomainError);
  CHECK_THROWS_AS(LieGroup(parse_root_system("A2 x A1")).vector(), DomainError);
  CHECK_THROWS_WITH(LieGroup(RootSystem('E', 8)).weight_of_partition({1}),
                    Catch::Contains("not labelled by partitions"));
  const LieGroup SU3 = LieGroup::classical("SU", 3), SO6 = LieGroup::classical("SO", 6),
                 U3 = LieGroup::classical("U", 3);
  CHECK_THROWS_WITH(SU3.weight_of_partition({1, 2}), Catch::Contains("its parts increase"));
  CHECK_THROWS_WITH(SU3.weight_of_partition({1, 1, 1, 1}), Catch::Contains("at most 3"));
  CHECK_THROWS_AS(SU3.weight_of_partition({1, 0, -1}), DomainError);
  CHECK_THROWS_AS(SO6.weight_of_partition({1, 0, -1}), DomainError);
  CHECK_THROWS_WITH(U3.weight_of_partition({-1}), Catch::Contains("give all 3"));
  CHECK_THROWS_AS(U3.weight_of_partition({2'000'000}), LimitError);
}
