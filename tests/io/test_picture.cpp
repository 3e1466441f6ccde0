#include "intertwine/io/picture.hpp"

#include <png.h>

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "../../src/io/containers/text.hpp"
#include "../../src/io/pictures/bitmap_font.hpp"
#include "../../src/io/pictures/palette.hpp"
#include "../../src/io/pictures/png_picture.hpp"
#include "intertwine/equivariant/equivariant_basis.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/actions.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using namespace test_tables;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++out;
  return out;
}

// The text between `begin` and the next `end`.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t start = text.find(begin);
  REQUIRE(start != std::string::npos);
  return text.substr(start + begin.size(), text.find(end, start + begin.size()) - start - begin.size());
}

// Every tag closed in the order of opening, no bare special character in the text: enough of XML for these
// documents.
bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] == '&' && xml.find(';', at) > at + 6) return false;
    if (xml[at] != '<') {
      ++at;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos || count_of(tag, "\"") % 2 != 0) return false;
    const std::string name = tag.substr(0, tag.find(' '));
    if (name[0] == '/') {
      if (open.empty() || open.back() != name.substr(1)) return false;
      open.pop_back();
    } else if (name[0] != '?' && tag.back() != '/') {
      open.push_back(name);
    }
    at = end + 1;
  }
  return open.empty();
}

struct Image {
  unsigned width = 0, height = 0;
  std::vector<Rgb> pixels;
  Rgb at(std::uint64_t x, std::uint64_t y) const { return pixels.at(y * width + x); }
};

Image read_png(const std::filesystem::path& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&image, path.c_str()) != 0);
  image.format = PNG_FORMAT_RGB;
  Image out{image.width, image.height, std::vector<Rgb>(std::size_t{image.width} * image.height)};
  REQUIRE(png_image_finish_read(&image, nullptr, out.pixels.data(), 0, nullptr) != 0);
  return out;
}

std::string without_colours(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b')
      at = text.find('m', at);
    else
      out += text[at];
  }
  return out;
}

std::size_t letters_in(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("the first colours differ, from each other and from white", "[io][quick]") {
  for (std::uint64_t a = 0; a < 40; ++a) {
    const Rgb first = parameter_colour(a);
    REQUIRE(first == parameter_colour(a));
    REQUIRE(int{first.red} + first.green + first.blue < 720);
    for (std::uint64_t b = 0; b < a; ++b) {
      const Rgb second = parameter_colour(b);
      const int distance = std::abs(first.red - second.red) + std::abs(first.green - second.green) +
                           std::abs(first.blue - second.blue);
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

}  // namespace

TEST_CASE("the first colours differ for the colour-blind", "[io][quick]") {
  // Full dichromacy, Table 1 of [MachadoOliveiraFernandes2009].
  const Matrix normal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const Matrix protan{
      {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
  const Matrix deutan{
      {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
  const Matrix tritan{
      {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
  for (const Matrix& eye : {normal, protan, deutan, tritan}) {
    REQUIRE(least_distance(6, eye) > 0.15);
    REQUIRE(least_distance(12, eye) > 0.09);
    REQUIRE(least_distance(24, eye) > 0.05);
    REQUIRE(least_distance(36, eye) > 0.04);
  }
  REQUIRE(least_distance(12, deutan, true) < 0.09);  // the check can fail
}

TEST_CASE("the letters of captions differ", "[io][quick]") {
  std::set<Glyph> seen;
  for (char32_t c = 32; c < 127; ++c) {
    REQUIRE(seen.insert(glyph_of(c)).second);
    for (const std::uint8_t row : glyph_of(c)) REQUIRE(row < 32);
  }
  for (const char32_t c : {U'θ', U'→', U'⊗', U'⊕'}) REQUIRE(seen.insert(glyph_of(c)).second);
  REQUIRE(glyph_of(U'字') == glyph_of('?'));
}

TEST_CASE("an SVG picture has a square an entry, by colour of the parameter", "[io][quick]") {
  auto rng = test_rng();
  for (const std::uint64_t params : {1, 3, 60}) {
    WeightTable table = random_table(12, 10, params, 2, rng);
    table.metadata.clear();
    const std::string svg = svg_picture(table, {"a < b & \"c\" \x01", "perm ⊗ 'sign' \xff"});
    REQUIRE(is_well_formed(svg));
    REQUIRE(is_utf8(svg));
    REQUIRE(svg.find("a &lt; b &amp; &quot;c&quot; \xEF\xBF\xBD</text>") != std::string::npos);
    const Codes codes = codes_of(table.weights);
    std::map<std::int32_t, std::size_t> expected;
    std::size_t negative = 0;
    for (std::uint64_t k = 0; k < 120; ++k) ++expected[code_at(codes, k)];
    for (const auto& [code, count] : expected)
      if (static_cast<std::uint64_t>(code) > params) negative += count;
    std::string weight = between(svg, "<g class=\"weight\"", "<g class=\"bias\"");
    REQUIRE(count_of(weight, "<rect ") == 120);
    std::set<std::string> fills;
    for (const auto& [code, count] : expected) {
      const std::string group = between(weight, "<g class=\"code-" + std::to_string(code) + "\"", "</g>");
      REQUIRE(count_of(group, "<rect ") == count);
      const std::string fill = between(group, "fill=\"", "\"");
      REQUIRE((code == 0) == (fill == "#ffffff"));
      const auto k =
          static_cast<std::uint64_t>(code == 0 ? 0 : (code - 1) % static_cast<std::int32_t>(params));
      if (code != 0) REQUIRE(fill == hex_colour(parameter_colour(k)));
    }
    // Squares of 28 pixels have room for the number of the parameter, with its sign.
    REQUIRE(count_of(weight, "<text ") == 120 - (expected.contains(0) ? expected.at(0) : 0));
    REQUIRE(count_of(weight, ">−") == negative);
    REQUIRE(count_of(weight, "class=\"minus\"") == 0);
    const std::string bias = between(svg, "<g class=\"bias\"", "<g class=\"legend\"");
    REQUIRE(count_of(bias, "<rect ") == 12);
    const std::string legend = between(svg, "<g class=\"legend\"", "</svg>");
    REQUIRE(count_of(legend, "<rect ") ==
            std::min<std::size_t>(40, params + 2 + (expected.count(0) != 0 ? 1 : 0)));
    REQUIRE(legend.find(">θ0 × " + std::to_string(table.weights.tied().orbit_size[0]) + "<") !=
            std::string::npos);
    REQUIRE((legend.find(" more<") != std::string::npos) == (params == 60));
  }
}

TEST_CASE("an SVG picture shows a row on the grid of its inputs", "[io][quick]") {
  const FiniteGroup G = grid_group("p4m", 8, 8);
  const Representation V = natural_permutation_representation(G);
  const WeightTable table = equivariant_basis(V, V).table();
  const std::string svg = svg_picture(table, picture_text(table));
  REQUIRE(is_well_formed(svg));
  const std::string stamp = svg.substr(svg.find("<g class=\"stamp\""));
  REQUIRE(count_of(stamp, "<rect ") == 64);
  REQUIRE(stamp.find(">row 36 of W on 8 × 8<") != std::string::npos);
  // Around the pixel in the middle: four neighbours, four diagonal ones.
  REQUIRE(count_of(between(stamp, "<g class=\"code-1\"", "</g>"), "<rect ") == 1);
  REQUIRE(count_of(between(stamp, "<g class=\"code-2\"", "</g>"), "<rect ") == 4);
  REQUIRE(svg.find("class=\"stamp\"") == svg.rfind("class=\"stamp\""));
  // A flat table has room for one of its stamps.
  const Representation W = tensor_power(natural_permutation_representation(symmetric_group(3)), 3);
  const WeightTable flat = equivariant_basis(W, trivial_representation(W.group())).table();
  const std::string planes = svg_picture(flat);
  REQUIRE(count_of(planes, "class=\"stamp\"") == 1);
  REQUIRE(planes.find(">row 0 of W on 3 × 3, perm^3 [0]<") != std::string::npos);
  REQUIRE(planes.find(">and 2 more<") != std::string::npos);
  REQUIRE(svg_picture(diagonal_table(4)).find("class=\"stamp\"") == std::string::npos);
}

TEST_CASE("an SVG picture has signs where there is no room for numbers", "[io][quick]") {
  auto rng = test_rng();
  WeightTable table = random_table(40, 50, 3, 0, rng);
  table.metadata.clear();
  const std::string weight = between(svg_picture(table), "<g class=\"weight\"", "<g class=\"bias\"");
  const Codes codes = codes_of(table.weights);
  std::size_t negative = 0;
  for (std::uint64_t k = 0; k < 2000; ++k) negative += code_at(codes, k) > 3 ? 1 : 0;
  REQUIRE(count_of(weight, "M") == negative);  // one stroke a minus sign
  REQUIRE(count_of(weight, "<text ") == 0);
}

TEST_CASE("blocks of an SVG picture are named", "[io][quick]") {
  const FiniteGroup G = parse_group("S5");
  const auto picture = [&](const char* in, const char* out) {
    const WeightTable table =
        equivariant_basis(parse_representation(G, in), parse_representation(G, out)).table();
    const std::string svg = svg_picture(table, picture_text(table));
    REQUIRE(is_well_formed(svg));
    return svg.find("class=\"names\"") == std::string::npos ? std::string()
                                                            : between(svg, "<g class=\"names\"", "</g>");
  };
  const std::string wide = picture("perm + perm", "perm");
  REQUIRE(count_of(wide, ">perm</text>") == 2);
  REQUIRE(count_of(wide, "text-anchor=\"middle\"") == 2);
  // One column of 20 pixels is no room for "trivial".
  const std::string narrow = picture("perm + perm^2 + trivial", "perm + sign*perm");
  REQUIRE(count_of(narrow, "rotate(-30") == 3);
  REQUIRE(count_of(narrow, "text-anchor=\"end\"") == 2);
  REQUIRE(narrow.find(">sign*perm</text>") != std::string::npos);
  REQUIRE(picture("perm", "perm").empty());
}

TEST_CASE("SVG pictures have a limit", "[io][quick]") {
  const WeightTable table = diagonal_table(257);
  REQUIRE_THROWS_AS(svg_picture(table), LimitError);
  const WeightTable largest = diagonal_table(256);
  const std::string svg = svg_picture(largest);
  REQUIRE(count_of(between(svg, "<g class=\"weight\"", "<g class=\"bias\""), "<rect ") == 65536);
  WeightTable wrong = diagonal_table(5);
  wrong.weights.cols = 6;
  REQUIRE_THROWS_AS(svg_picture(wrong), DomainError);
  WeightTable broken = diagonal_table(4);
  tied(broken.weights).codes = code_rows(4, 4, std::vector<std::uint8_t>(16, 9));
  REQUIRE_THROWS_AS(svg_picture(broken), DomainError);
  REQUIRE_THROWS_WITH(svg_picture(small_sparse_table()), Catch::Contains("tied entries"));
}

TEST_CASE("a PNG picture shows every entry in the colour of its parameter", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  const auto path = folder / "t.png";
  for (const auto& [rows, cols] :
       {std::pair<std::uint64_t, std::uint64_t>{1, 1}, {9, 14}, {3, 200}, {300, 4}, {250, 250}}) {
    const WeightTable table = random_table(rows, cols, 1, 1, rng);
    WeightTable more = rows * cols > 20 ? random_table(rows, cols, 12, 1, rng) : table;
    more.metadata.clear();
    const Codes codes = codes_of(more.weights);
    const PictureText text{"perm -> perm", "a subtitle"};
    write_png_picture(path, more, text);
    const Image image = read_png(path);
    const PngGeometry geometry = png_geometry(more.weights, 2048);
    const PagePlaces places = page_places(more, text, 2048);
    CAPTURE(rows, cols, geometry.cell_width, geometry.cell_height);
    REQUIRE(geometry.rows == rows);
    REQUIRE(geometry.cols == cols);
    REQUIRE(image.at(0, 0) == white);
    for (std::uint64_t i = 0; i < rows; ++i) {
      const std::uint64_t y = places.matrix_top + i * geometry.cell_height;
      for (std::uint64_t j = 0; j < cols; ++j) {
        const CodeMeaning meaning = meaning_of(code_at(codes, i * cols + j), more.weights.params);
        const std::uint64_t x = places.matrix_left + j * geometry.cell_width;
        const Rgb plain = meaning.zero ? white : parameter_colour(meaning.parameter);
        REQUIRE(image.at(x, y) == (meaning.minus && !geometry.signs ? darker(plain) : plain));
        const unsigned line = geometry.grid ? 1 : 0;  // the sign is in the middle of what the grid leaves
        if (geometry.signs)
          REQUIRE(image.at(x + (geometry.cell_width - line) / 2, y + (geometry.cell_height - line) / 2) ==
                  (meaning.minus ? contrast(plain) : plain));
      }
      const CodeMeaning bias = meaning_of(bias_code_at(more, i), more.bias.params);
      const Rgb plain = bias.zero ? white : parameter_colour(more.weights.params + bias.parameter);
      REQUIRE(image.at(places.bias_left, y) == (bias.minus && !geometry.signs ? darker(plain) : plain));
    }
    // Title, labels and legend have been drawn outside of the matrix.
    std::size_t dark = 0;
    for (unsigned y = 0; y < places.matrix_top; ++y)
      for (unsigned x = 0; x < image.width; ++x) dark += image.at(x, y) != white ? 1 : 0;
    REQUIRE(dark > 500);
  }
}

TEST_CASE("a large table is made smaller as light is, without patterns that it has not", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  const WeightTable table = random_table(500, 333, 7, 0, rng);
  write_png_picture(folder / "t.png", table, {}, 100);
  const Image image = read_png(folder / "t.png");
  const PagePlaces places = page_places(table, {}, 100);
  const Codes codes = codes_of(table.weights);
  for (std::uint64_t r = 0; r < 100; ++r)
    for (std::uint64_t c = 0; c < 100; ++c) {
      double red = 0, entries = 0;
      for (std::uint64_t i = 5 * r; i < 5 * r + 5; ++i)
        for (std::uint64_t j = c * 333 / 100; j < (c + 1) * 333 / 100; ++j, ++entries) {
          const CodeMeaning meaning = meaning_of(code_at(codes, i * 333 + j), 7);
          const Rgb plain = meaning.zero ? white : parameter_colour(meaning.parameter);
          const double light = meaning.minus ? darker(plain).red : plain.red;
          red += light * light;
        }
      REQUIRE(std::abs(image.at(places.matrix_left + c, places.matrix_top + r).red -
                       std::sqrt(red / entries)) <= 1);
    }
  // Stripes of one pixel: every second column would be one colour or the other, their mean is neither.
  WeightTable stripes = random_table(300, 300, 2, 0, rng);
  std::vector<std::uint8_t> striped(300 * 300);
  for (std::size_t k = 0; k < striped.size(); ++k) striped[k] = static_cast<std::uint8_t>(1 + k % 2);
  tied(stripes.weights).codes = code_rows(300, 300, striped);
  write_png_picture(folder / "t.png", stripes, {}, 150);
  const Image mean = read_png(folder / "t.png");
  const PagePlaces at = page_places(stripes, {}, 150);
  std::set<std::array<int, 3>> seen;
  for (unsigned r = 0; r < 150; ++r)
    for (unsigned c = 0; c < 150; ++c) {
      const Rgb p = mean.at(at.matrix_left + c, at.matrix_top + r);
      seen.insert({p.red, p.green, p.blue});
    }
  REQUIRE(seen.size() == 1);
  REQUIRE_THROWS_AS(write_png_picture(folder / "t.png", table, {}, 0), DomainError);
  REQUIRE_THROWS_AS(write_png_picture(folder / "none/t.png", table), FileError);
  REQUIRE(folder.entries() == 1);
  const std::uint64_t huge = ~std::uint64_t{0} >> 2;
  REQUIRE(cell_centre(0, 2, huge) == huge / 4);
  REQUIRE(cell_centre(1, 2, huge) == huge / 4 * 3 + 2);
  for (std::uint64_t k = 0; k < 7; ++k) REQUIRE(cell_centre(k, 7, 7) == k);
}

TEST_CASE("the picture for a terminal", "[io][quick]") {
  WeightTable table = diagonal_table(3);
  table.weights = tied_pattern(3, 3, 2, std::vector<std::uint8_t>{1, 2, 0, 4, 1, 2, 0, 4, 1});
  REQUIRE(terminal_picture(table) ==
          "A B . | C\nb A B | C\n. b A | C\n"
          ". zero ×2  A θ0 ×3  B θ1 ×4  C b0 ×3\nlower case: minus\n");
  const std::string colour = terminal_picture(table, 80, true);
  REQUIRE(lines_of(without_colours(colour))[1] == "−" + std::string(9, ' '));
  REQUIRE(lines_of(without_colours(colour))[2] == "· −" + std::string(7, ' '));
}

TEST_CASE("the picture for a terminal keeps to its width", "[io][quick]") {
  auto rng = test_rng();
  for (const auto& [rows, cols] : {std::pair<std::uint64_t, std::uint64_t>{1, 1},
                                   {30, 38},
                                   {30, 39},
                                   {30, 76},
                                   {30, 77},
                                   {500, 3},
                                   {400, 900}})
    for (const bool colour : {false, true})
      for (const unsigned width : {20U, 80U, 133U}) {
        const std::uint64_t params = std::min<std::uint64_t>(40, rows * cols);
        const WeightTable table = random_table(rows, cols, params, 1, rng);
        const std::string text = terminal_picture(table, width, colour);
        CAPTURE(rows, cols, colour, width, text);
        std::size_t drawn = 0;
        for (const std::string& line : lines_of(without_colours(text))) {
          if (line.starts_with("sampled: ")) continue;  // says numbers of any length
          if (line.find("begin again") == std::string::npos) REQUIRE(letters_in(line) <= width + 2);
          ++drawn;
        }
        REQUIRE(drawn <= width + 6);
        const bool sampled = text.find("sampled: ") != std::string::npos;
        REQUIRE(sampled == (cols > width - 4 || rows > width));
      }
}
