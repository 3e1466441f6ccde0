// Labels of representations by tables in the form of irreptables, made by hand for P-1 and P2.
#include "intertwine/io/irrep_labels.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "support/paths.hpp"

using namespace intertwine;
using Catch::Contains;

namespace {

const std::string inversion =
    "SG=2\nsymmetries=\n1 0 0 0 1 0 0 0 1 0 0 0\n-1 0 0 0 -1 0 0 0 -1 0 0 0\n\n"
    "kpoint GM : 0 0 0 : 1 2\nGM1+ 1 1.0 1.0\nGM1- 1 1.0 1.0 0.0 1.0\n\n"
    "kpoint Z : 0 0 0.5 : 1 2\nZ1+ 1 1.0 1.0\nZ1- 1 1.0 -1.0\n";

using Labels = std::vector<std::string>;

/// The label whose representation has the value 1 at the inversion through the origin of the setting.
std::string even_label(const LittleGroup& little, const std::string& table) {
  const Labels labels = cdml_labels_by(little, table, "table");
  for (std::size_t r = 0; r < labels.size(); ++r)
    if (little.irreps[r].characters[1] == Cyclotomic(1)) return labels[r];
  return {};
}

}  // namespace

TEST_CASE("labels are those of the rows with equal characters", "[irrep_labels][quick]") {
  const SpaceGroup group = SpaceGroup::numbered(2), moved = SpaceGroup::from_hall("-P 1 (0 0 3)");
  const std::array<Rational, 3> gamma{0, 0, 0}, Z{0, 0, Rational(1, 2)}, beyond{1, 0, Rational(-3, 2)};
  CHECK(even_label(little_group(group, gamma), inversion) == "GM1+");
  CHECK(even_label(little_group(group, Z), inversion) == "Z1+");
  CHECK(even_label(little_group(group, beyond), inversion) == "Z1+");
  // With the origin between two centres the listed inversion has a translation, and is that of the table moved.
  CHECK(moved.operations()[1].w[2] == 6);
  CHECK(even_label(little_group(moved, gamma), inversion) == "GM1+");
  CHECK(even_label(little_group(moved, Z), inversion) == "Z1+");
}

TEST_CASE("labels of spinors go by the lifts of the table", "[irrep_labels][quick]") {
  // P2: the lift of the half turn about b is -i sigma_y in the table, and the character -i of A3 is that of it.
  const std::string turn =
      "symmetries=\n1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 1 0 0 0 0\n-1 0 0 0 1 0 0 0 -1 0 0 0 0 1 1 0 0 1 0 0\n\n"
      "kpoint GM : 0 0 0 : 1 2\n-GM3 1 1 1 0 -0.5\n-GM4 1 1 1 0 0.5\n";
  const LittleGroup little = little_group(SpaceGroup::numbered(3), {0, 0, 0}, SpinKind::half);
  const Labels labels = cdml_labels_by(little, turn, "table");
  REQUIRE(labels.size() == 2);
  for (std::size_t r = 0; r < 2; ++r)
    CHECK(labels[r] == (little.irreps[r].characters[1] == Cyclotomic::root_of_unity(4, 3) ? "-GM3" : "-GM4"));
}

TEST_CASE("tables and wave vectors without labels are refused", "[irrep_labels][quick]") {
  const SpaceGroup group = SpaceGroup::numbered(2);
  const LittleGroup gamma = little_group(group, {0, 0, 0});
  const auto refused = [&](const LittleGroup& little, const std::string& table, const std::string& why) {
    CAPTURE(table);
    CHECK_THROWS_WITH(cdml_labels_by(little, table, "table"), Contains(why));
  };
  refused(little_group(group, {Rational(1, 2), 0, 0}), inversion, "(1/2, 0, 0) is in none of their stars");
  refused(little_group(SpaceGroup::numbered(3), {0, 0, 0}), inversion, "axes of this setting");
  refused(little_group_along(gamma, {1, 0, 0}), inversion, "without lines");
  refused(gamma, "SG=2\n", "table: line 2: there is no line symmetries=");
  refused(gamma, "symmetries=\n1 0 0\n", "table: line 2: an operation has too few numbers");
  refused(gamma, "symmetries=\n1 0 0 0 1 0 0 0 x 0 0 0\n", "'x' is no number of a table");
  refused(gamma, inversion + "kpoint A : 0 0 : 1\n", "line 13: a wave vector has three coordinates");
  refused(gamma, inversion + "kpoint A 0 0 0\n", "'kpoint NAME : x y z : numbers'");
  refused(gamma, inversion + "kpoint A : 0 0 0 : 3\n", "there is no operation 3");
  refused(gamma, inversion + "Z3 1 1.0\n", "a representation has 2 characters");
  refused(gamma, "symmetries=\n\nGM1 1 1.0\n", "before the first wave vector");
  CHECK_THROWS_WITH(cdml_labels(gamma, test_data() + "/crystals"),
                    Contains("has no file irreps-SG=2-scal.dat") && Contains("pip install irreptables"));
}
