// Colours of parameters: told apart, and by distance where there is one.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "../../src/io/pictures/palette.hpp"
#include "../../src/io/pictures/parameter_colours.hpp"
#include "../../src/io/pictures/picture_source.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/kernel_sites.hpp"
#include "io/between.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using namespace test_tables;

TEST_CASE("the first colours differ, from each other and from white", "[io][quick]") {
  for (std::uint64_t a = 0; a < 40; ++a) {
    const Rgb first = parameter_colour(a);
    REQUIRE(first == parameter_colour(a));
    REQUIRE(int{first.red} + first.green + first.blue < 720);
    for (std::uint64_t b = 0; b < a; ++b) {
      const Rgb second = parameter_colour(b);
      const int distance =
          std::abs(first.red - second.red) + std::abs(first.green - second.green) + std::abs(first.blue - second.blue);
      CAPTURE(a, b);
      REQUIRE(distance >= 12);
      if (a < 12) REQUIRE(distance >= 40);
    }
  }
  REQUIRE(contrast({255, 230, 0}) == Rgb{0, 0, 0});
  REQUIRE(contrast({20, 40, 120}) == white);
}

namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

Vector operator*(const Matrix& m, const Vector& x) {
  Vector out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) out[i] += m[i][j] * x[j];
  return out;
}

// OKLab of a colour as `eye` changes linear light.
Vector seen(Rgb colour, const Matrix& eye) {
  const auto linear = [](std::uint8_t c) {
    const double x = c / 255.0;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  };
  Vector light = eye * Vector{linear(colour.red), linear(colour.green), linear(colour.blue)};
  for (double& x : light) x = std::clamp(x, 0.0, 1.0);
  Vector cones = Matrix{{{0.4122214708, 0.5363325363, 0.0514459929},
                         {0.2119034982, 0.6806995451, 0.1073969566},
                         {0.0883024619, 0.2817188376, 0.6299787005}}} *
                 light;
  for (double& x : cones) x = std::cbrt(x);
  return Matrix{{{0.2104542553, 0.7936177850, -0.0040720468},
                 {1.9779984951, -2.4285922050, 0.4505937099},
                 {0.0259040371, 0.7827717662, -0.8086757660}}} *
         cones;
}

// The least distance of the first colours as an eye sees them.
double least_distance(unsigned colours, const Matrix& eye, bool before = false) {
  double least = 9;
  for (unsigned a = 0; a < colours; ++a)
    for (unsigned b = 0; b < a; ++b) {
      const unsigned shift = before ? 36 : 0;  // the first of those that are only spread by hue and lightness
      const Vector x = seen(parameter_colour(a + shift), eye), y = seen(parameter_colour(b + shift), eye);
      least = std::min(least, std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]));
    }
  return least;
}

// As it is, and full dichromacy, Table 1 of [MachadoOliveiraFernandes2009].
const Matrix normal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
const Matrix protan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
const Matrix deutan{{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
const Matrix tritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
const std::array<Matrix, 4> eyes{normal, protan, deutan, tritan};

}  // namespace

TEST_CASE("the first colours differ for the colour-blind", "[io][quick]") {
  for (const Matrix& eye : eyes) {
    REQUIRE(least_distance(6, eye) > 0.15);
    REQUIRE(least_distance(12, eye) > 0.09);
    REQUIRE(least_distance(24, eye) > 0.05);
    REQUIRE(least_distance(36, eye) > 0.04);
  }
  REQUIRE(least_distance(12, deutan, true) < 0.09);  // the check can fail
}

TEST_CASE("colours of distances go from dark to light for every eye", "[io][quick]") {
  const auto apart = [](const Vector& x, const Vector& y) { return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]); };
  for (const Matrix& eye : eyes)
    for (const std::uint64_t levels : {3, 9, 15, 40}) {
      CAPTURE(levels);
      Vector last{};
      for (std::uint64_t k = 0; k < levels; ++k) {
        const Vector colour = seen(distance_colour(k, levels, 0, 1), eye);
        if (k > 0) REQUIRE(colour[0] > last[0]);
        if (k > 0) REQUIRE(apart(colour, last) > 0.3 / static_cast<double>(levels - 1));
        last = colour;
        if (k == 0 || k + 1 == levels || levels > 15) continue;
        // Shades of one distance are neighbours: in light between those of the distances before and behind. Numbers tell them
        // apart where hues do not.
        for (std::uint64_t place = 0; place < 4; ++place) {
          const Vector shade = seen(distance_colour(k, levels, place, 4), eye);
          REQUIRE(shade[0] > seen(distance_colour(k - 1, levels, 3, 4), eye)[0]);
          REQUIRE(shade[0] < seen(distance_colour(k + 1, levels, 0, 4), eye)[0]);
          if (place > 0 && &eye == &eyes[0])
            REQUIRE(apart(shade, seen(distance_colour(k, levels, place - 1, 4), eye)) > 0.015);
        }
      }
      // On white and on the dark ground of pages.
      REQUIRE(apart(last, seen(white, eye)) > 0.07);
      REQUIRE(apart(seen(distance_colour(0, levels, 0, 1), eye), seen(Rgb{0x1c, 0x1c, 0x20}, eye)) > 0.09);
    }
  // The check can fail: red and green of one lightness are in no order for all.
  REQUIRE((seen(Rgb{0xd0, 0x20, 0x20}, protan)[0] < seen(Rgb{0x20, 0x70, 0x20}, protan)[0]) !=
          (seen(Rgb{0xd0, 0x20, 0x20}, normal)[0] < seen(Rgb{0x20, 0x70, 0x20}, normal)[0]));
}

namespace {

ParameterColours colours_of(const WeightBlock& table) { return parameter_colours(table, picture_source(table), {}); }

WeightBlock table_of(const char* group, const char* in, const char* out) {
  const FiniteGroup G = parse_finite_group(group);
  return hom::equivariant_basis(parse_representation(G, in), parse_representation(G, out)).single().table().block();
}

// The least square of a distance on a torus of these sides, by trying the images of a step; axes at 120 degrees or at 90.
std::int64_t square_on_torus(std::int64_t a, std::int64_t b, std::int64_t h, std::int64_t w, bool hexagons) {
  std::int64_t least = 1 << 30;
  for (std::int64_t p = -3; p <= 3; ++p)
    for (std::int64_t q = -3; q <= 3; ++q) {
      const std::int64_t x = a + p * h, y = b + q * w;
      least = std::min(least, x * x + y * y - (hexagons ? x * y : 0));
    }
  return least;
}

}  // namespace

TEST_CASE("parameters of translation groups are ordered by distance", "[io][quick]") {
  const auto check = [](const char* name, const char* in, const char* out, std::int64_t h, std::int64_t w,
                        bool hexagons, std::uint64_t levels) {
    CAPTURE(name, in, out);
    const WeightBlock table = table_of(name, in, out);
    const ParameterColours colours = colours_of(table);
    REQUIRE(colours.meaning.find("distance between the sites") != std::string_view::npos);
    REQUIRE(std::set(colours.order.begin(), colours.order.end()).size() == table.weights.params);
    std::map<std::uint64_t, std::int64_t> distance;
    const Codes codes = codes_of(table.weights);
    for (std::uint64_t i = 0; i < table.weights.rows; ++i)
      for (std::uint64_t j = 0; j < table.weights.cols; ++j) {
        const auto s = static_cast<std::int64_t>(i) % (h * w), t = static_cast<std::int64_t>(j) % (h * w);
        const std::int64_t square = square_on_torus(t / w - s / w, t % w - s % w, h, w, hexagons);
        const CodeMeaning meaning = meaning_of(code_at(codes, i * table.weights.cols + j), table.weights.params);
        if (!meaning.zero) REQUIRE(distance.emplace(meaning.parameter, square).first->second == square);
      }
    std::set<std::int64_t> squares;
    for (std::size_t n = 0; n < colours.order.size(); ++n) {
      squares.insert(distance.at(colours.order[n]));
      if (n > 0) REQUIRE(distance.at(colours.order[n - 1]) <= distance.at(colours.order[n]));
      if (n > 0 && distance.at(colours.order[n - 1]) < distance.at(colours.order[n]))
        REQUIRE(seen(colours(colours.order[n - 1]), normal)[0] < seen(colours(colours.order[n]), normal)[0]);
    }
    REQUIRE(squares.size() == levels);
  };
  // The numbers x^2 + y^2 with 0 <= x, y <= 4 are 15, with x, y <= 3 ten.
  check("p4m(8,8)", "perm", "perm", 8, 8, false, 15);
  check("p1(6,6)", "perm", "perm", 6, 6, false, 10);
  check("pmm(4,6)", "perm", "perm", 4, 6, false, 9);
  check("p1(12,12)", "perm", "perm", 12, 12, false, 27);  // more parameters than one byte holds codes for
  check("p4m(8,8)", "perm + perm", "perm", 8, 8, false, 15);
  check("C12", "perm", "perm", 1, 12, false, 7);
  check("D9", "perm", "perm", 1, 9, false, 5);
  // 0, 1, 3, 4, 7, 9, 12: hexagonal distances at most half a side of a torus of 6.
  check("p6m(6,6)", "perm", "perm", 6, 6, true, 7);
  check("p3(6,6)", "perm", "perm", 6, 6, true, 7);
  // Vectors at the pixels: two rows and two columns at each.
  const WeightBlock vectors = table_of("p4m(6,6)", "perm*vector", "perm*vector");
  REQUIRE(colours_of(vectors).order.size() == vectors.weights.params);
  for (const auto& [group, in, out] : {std::tuple("S16", "perm", "perm"),
                                       {"S4", "perm^2", "perm"},
                                       {"S3", "perm", "perm"},
                                       {"C2", "regular", "regular"},
                                       {"C1", "5*perm", "perm"},
                                       {"p4m(8,8)", "perm", "trivial"},
                                       {"p4m(8,8)", "perm + trivial", "perm"},
                                       {"A5", "perm^2", "perm^2"}}) {
    CAPTURE(group, in);
    const WeightBlock table = table_of(group, in, out);
    const ParameterColours colours = colours_of(table);
    REQUIRE(colours.order.empty());
    REQUIRE(colours.meaning.empty());
    for (std::uint64_t k = 0; k < table.weights.params + table.bias.params; ++k)
      REQUIRE(colours(k) == parameter_colour(k));
  }
  // One code that is not that of the others moved: no torus.
  WeightBlock broken = table_of("C12", "perm", "perm");
  std::vector<std::uint8_t> codes;
  const Codes was = codes_of(broken.weights);
  for (std::uint64_t k = 0; k < 144; ++k) codes.push_back(static_cast<std::uint8_t>(code_at(was, k)));
  std::swap(codes[142], codes[143]);
  tied(broken.weights).codes = code_rows(12, 12, codes);
  REQUIRE(colours_of(broken).order.empty());
}

TEST_CASE("the legend of a translation group goes by distance in every picture", "[io][quick]") {
  const WeightBlock table = table_of("p1(4,4)", "perm", "perm");
  const ParameterColours colours = colours_of(table);
  const std::string svg = svg_picture(table, picture_text(table));
  const std::string legend = between(svg, "<g class=\"legend\"", "</svg>");
  std::size_t last = 0;
  for (const std::uint64_t k : colours.order) {
    const std::size_t at = legend.find(">θ" + std::to_string(k) + " × 16<");
    REQUIRE(at != std::string::npos);
    REQUIRE(at > last);
    REQUIRE(legend.substr(last, at - last).find(hex_colour(colours(k))) != std::string::npos);
    last = at;
  }
  REQUIRE(svg.find("dark is near.</text>") != std::string::npos);
  std::string order = "\"order\":[", palette = "\"palette\":[";
  for (const std::uint64_t k : colours.order) order += std::to_string(k) + ",";
  order.back() = ']';
  const std::string page = html_picture(table, picture_text(table));
  REQUIRE(page.find(order) != std::string::npos);
  const std::string list = between(page, palette, "]");
  last = 0;
  for (std::uint64_t k = 0; k < 17; ++k) {
    const std::size_t at = list.find("\"plain\":\"" + hex_colour(colours(k)), last);
    REQUIRE(at != std::string::npos);
    last = at + 1;
  }
  // A kernel: by the distance from its centre.
  const Representation square = kernel_sites(parse_finite_group("D4"), std::array<std::uint64_t, 2>{3, 3});
  WeightBlock kernel = hom::equivariant_basis(square, trivial_representation(square.group())).single().table().block();
  kernel.metadata["kernel"] = "[3,3]";
  const ParameterColours sites = colours_of(kernel);
  REQUIRE(sites.order == std::vector<std::uint64_t>{2, 1, 0});  // the centre, edges, corners
  REQUIRE(sites.meaning.find("centre of the kernel") != std::string_view::npos);
}
