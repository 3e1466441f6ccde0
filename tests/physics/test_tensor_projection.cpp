#include "intertwine/physics/tensor_projection.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

TensorForm form_of(const char* property, const char* symbol) {
  const auto with_axes = class_with_axes(symbol);
  return with_axes ? tensor_form(tensor_property(property), *with_axes)
                   : tensor_form(tensor_property(property), *crystal_class(symbol));
}

std::vector<double> random_matrix(const TensorForm& form, Rng& random) {
  std::vector<double> numbers(form.property.rows * form.property.cols);
  for (double& x : numbers) x = static_cast<double>(random.below(2001)) / 1000 - 1;
  return numbers;
}

}  // namespace

TEST_CASE("the nearest elastic constants of a cubic crystal are means", "[physics][quick]") {
  std::vector<double> c(36, 0);
  const double diagonal[] = {10, 11, 12, 3, 4, 5};
  for (std::size_t i = 0; i < 6; ++i) c[7 * i] = diagonal[i];
  c[1] = c[6] = 6, c[2] = c[12] = 7, c[8] = c[13] = 8;
  c[3] = c[18] = 0.5;
  const TensorProjection p = project_tensor(form_of("elastic", "m-3m"), c);
  REQUIRE(p.constants.size() == 3);
  CHECK(p.constants[0] == Approx(11));
  CHECK(p.constants[1] == Approx(7));
  CHECK(p.constants[2] == Approx(4));
  // Squares: 2 of c11, 4 of c12 (2 for two orders), 4 of c44 times 2, and c14 is 1123, 1132, 2311, 3211.
  CHECK(p.lost == Approx(std::sqrt(2.0 + 2 * 2.0 + 4 * 2.0 + 4 * 0.25)));
}

TEST_CASE("projections are projections, across what is left, and leave allowed tensors", "[physics][quick]") {
  auto random = test_rng();
  for (const char* property : {"elastic", "compliance", "piezoelectric", "shg", "dielectric", "piezomagnetic"})
    for (const char* symbol : {"3m", "32", "-42m", "4", "mm2", "2", "6", "23", "-62m", "31m"}) {
      CAPTURE(property, symbol);
      const TensorForm form = form_of(property, symbol);
      const std::vector<double> given = random_matrix(form, random);
      const TensorProjection p = project_tensor(form, given), again = project_tensor(form, p.nearest);
      CHECK(again.lost < 1e-9);
      for (std::size_t k = 0; k < p.constants.size(); ++k)
        CHECK(again.constants[k] == Approx(p.constants[k]).margin(1e-9));
      CHECK(p.size * p.size == Approx(p.lost * p.lost + again.size * again.size));
      CHECK(p.size >= p.lost);
    }
}

TEST_CASE("symbols with other axes have the forms of turned tensors", "[physics][quick]") {
  // A quarter turn about x3 takes 31m to 3m1, -62m to -6m2 and -4m2 is -42m turned by 45 degrees.
  for (const auto& [symbol, usual] :
       {std::pair{"3m1", "3m"}, {"321", "32"}, {"-3m1", "-3m"}, {"121", "2"}, {"1m1", "m"}, {"12/m1", "2/m"}})
    for (const char* property : {"piezoelectric", "elastic", "pyroelectric", "conductivity"}) {
      CAPTURE(symbol, property);
      const TensorForm form = form_of(property, symbol), other = form_of(property, usual);
      CHECK(form.independent == other.independent);
      CHECK(form.coefficients == other.coefficients);
    }
  for (const auto& [symbol, usual] : {std::pair{"31m", "3m"},
                                      {"312", "32"},
                                      {"-31m", "-3m"},
                                      {"-62m", "-6m2"},
                                      {"-4m2", "-42m"},
                                      {"m2m", "mm2"},
                                      {"112", "2"},
                                      {"11m", "m"},
                                      {"112/m", "2/m"},
                                      {"2/m11", "2/m"}}) {
    CAPTURE(symbol);
    for (const char* property : {"piezoelectric", "elastic", "pyroelectric"})
      CHECK(form_of(property, symbol).independent.size() == form_of(property, usual).independent.size());
  }
  // Nye 1957: in 31m (a mirror across x2) d11 is free and d22 is 0; in 3m1 the other way round.
  CHECK(form_of("piezoelectric", "31m").entry(1, 1) == "0");
  CHECK(form_of("piezoelectric", "31m").entry(0, 0) == "d11");
  CHECK(form_of("piezoelectric", "3m1").entry(0, 0) == "0");
  CHECK(form_of("elastic", "-31m").entry(0, 3) == "0");
  CHECK(form_of("pyroelectric", "m2m").entry(0, 1) == "p2");
  CHECK(form_of("pyroelectric", "112").entry(0, 2) == "p3");
  CHECK_FALSE(class_with_axes("33m"));
  CHECK_FALSE(class_with_axes("3m"));
}

TEST_CASE("tensors of another shape are refused", "[physics][quick]") {
  const TensorForm form = form_of("elastic", "m-3m");
  CHECK_THROWS_AS(project_tensor(form, std::vector<double>(35)), DomainError);
  std::vector<double> numbers(36, 1);
  numbers[7] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(project_tensor(form, numbers), "component c22 of the tensor is no finite number");
}

TEST_CASE("forms in other axes are those of turned crystals", "[physics][quick]") {
  const auto number = [](int p, int q) { return Cyclotomic(Rational(p, q)); };
  const FieldMatrix axes(3, 3,
                         std::vector<Cyclotomic>{number(2, 3), number(1, 3), number(2, 3), number(-2, 3), number(2, 3),
                                                 number(1, 3), number(-1, 3), number(-2, 3), number(2, 3)});
  const Matrix3 directions{Vector3{2, 1, 2}, Vector3{-2, 2, 1}, Vector3{-1, -2, 2}};
  Rng random = test_rng();
  for (const char* property : {"dielectric", "piezoelectric", "elastic", "compliance", "gyration",
                               "third-order-elastic", "chi3", "pyroelectric"})
    for (const char* symbol : {"1", "3", "-42m", "m-3m", "-62m"}) {
      CAPTURE(property, symbol);
      const TensorForm form = form_of(property, symbol), turned = in_axes(form, axes);
      // Constants are found again from the components in the new axes, and nothing is lost.
      std::vector<double> constants, components(form.rows * form.cols, 0);
      for (std::size_t k = 0; k < form.independent.size(); ++k)
        constants.push_back(static_cast<double>(random.below(2001)) / 1000 - 1);
      for (std::size_t at = 0; at < components.size(); ++at)
        for (std::size_t k = 0; k < constants.size(); ++k)
          components[at] += turned.coefficients(at, k).to_complex().real() * constants[k];
      const TensorProjection found = project_tensor(form, components, directions);
      CHECK(found.lost < 1e-12);
      for (std::size_t k = 0; k < constants.size(); ++k) CHECK(std::abs(found.constants[k] - constants[k]) < 1e-12);
      CHECK(in_axes(turned, axes.transpose()).coefficients == form.coefficients);
    }
  const TensorForm cubic = form_of("elastic", "m-3m");
  CHECK_THROWS_WITH(in_axes(cubic, Cyclotomic(2) * axes), Catch::Contains("right-handed axes of length 1"));
  CHECK_THROWS_AS(in_axes(cubic, Cyclotomic(-1) * axes), DomainError);
  CHECK_THROWS_AS(in_axes(cubic, FieldMatrix(RationalMatrix::identity(2))), DomainError);
}

TEST_CASE("tensors in rotated axes have the same constants", "[physics][quick]") {
  auto random = test_rng();
  const Matrix3 axes{Vector3{2, 1, 2}, Vector3{-2, 2, 1}, Vector3{-1, -2, 2}};
  for (const auto& [name, group] : {std::pair{"elastic", "-3m"},
                                    {"compliance", "4/m"},
                                    {"piezoelectric", "32"},
                                    {"dielectric", "2"},
                                    {"pyroelectric", "4mm"},
                                    {"gyration", "-42m"}}) {
    CAPTURE(name, group);
    const TensorForm form = form_of(name, group);
    std::vector<double> given(form.rows * form.cols);
    for (double& x : given) x = static_cast<double>(random.below(2001)) / 1000 - 1;
    if (form.property.symmetric)
      for (std::size_t i = 0; i < form.rows; ++i)
        for (std::size_t j = 0; j < i; ++j) given[i * form.cols + j] = given[j * form.cols + i];
    const TensorProjection plain = project_tensor(form, given);
    // The nearest tensor of any axes is allowed, and seen from them again it loses nothing.
    const TensorProjection turned = project_tensor(form, given, axes);
    CHECK(turned.size == Approx(plain.size));
    CHECK(turned.given == given);
    const TensorProjection again = project_tensor(form, turned.nearest, axes);
    CHECK(again.lost < 1e-12);
    for (std::size_t k = 0; k < turned.constants.size(); ++k)
      CHECK(again.constants[k] == Approx(turned.constants[k]).margin(1e-12));
  }
  const TensorForm form = form_of("pyroelectric", "4mm");
  CHECK(project_tensor(form, std::vector<double>{1, 0, 0}, axes).constants[0] == Approx(2.0 / 3));
  CHECK_THROWS_AS(project_tensor(form, std::vector<double>{1, 0, 0}, Matrix3{}), DomainError);
}
