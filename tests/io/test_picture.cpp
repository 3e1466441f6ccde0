#include "intertwine/io/picture.hpp"

#include <png.h>

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "../../src/io/containers/text.hpp"
#include "../../src/io/pictures/letters.hpp"
#include "../../src/io/pictures/palette.hpp"
#include "../../src/io/pictures/png_picture.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/kernel_picture.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/actions.hpp"
#include "io/between.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using namespace test_tables;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++out;
  return out;
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
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
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

TEST_CASE("kernels are drawn without a bias, which they do not have", "[io][quick]") {
  const FiniteGroup G = parse_finite_group("S4");
  const Representation V = natural_permutation_representation(G);
  const KernelPicture picture = kernel_picture(mackey_basis(G, G, G, V, V));
  const std::string svg = svg_picture(picture.table, picture.text);
  REQUIRE(is_well_formed(svg));
  REQUIRE(count_of(svg, ">b</text>") == 0);
  REQUIRE(count_of(svg, "class=\"bias\"") == 0);
  PictureText both = picture.text;
  both.bias = true;
  const std::string beside = svg_picture(picture.table, both);
  REQUIRE(count_of(beside, ">b</text>") == 1);
  REQUIRE(html_picture(picture.table, picture.text).find("\"alone\":true") != std::string::npos);
  REQUIRE(html_picture(picture.table, both).find("\"alone\":true") == std::string::npos);
}

TEST_CASE("kernels over a real number field are drawn by their exact values", "[io][quick]") {
  const OrthogonalAction action = parse_orthogonal_action("R^2 : D3");
  const auto drawn = [&](const char* in, const char* out, unsigned most) {
    const PointKernels kernels = point_kernels(action, parse_representation(action.group(), in),
                                               parse_representation(action.group(), out), most);
    return std::pair(kernels, kernel_picture(kernels, 1).table);
  };
  const auto [kernels, table] = drawn("cartesian", "coordinates", 1);
  REQUIRE(kernels.params() == 2);
  const SparseElements& elements = table.weights.sparse();
  REQUIRE(elements.exact.field == "Q(sqrt(3))");
  REQUIRE(elements.start.size() == 3);
  REQUIRE(is_well_formed(svg_picture(table, kernel_picture(kernels, 1).text)));
  // The stamps of the first kernel, of degree 0, are constant: five points, two rows and two columns of 3 x 3.
  const auto& part = kernels.degrees.front();
  REQUIRE(part.degree == 0);
  std::map<std::uint64_t, std::vector<double>> stamps;
  for (std::int64_t e = 0; e < elements.start[1]; ++e)
    stamps[static_cast<std::uint64_t>(elements.row[e] / 3 * 2 + elements.col[e] / 3)].push_back(elements.value[e]);
  REQUIRE(stamps.size() == part.kernels.nonzeros());
  for (std::uint64_t e = 0; e < part.kernels.nonzeros(); ++e) {
    const auto& stamp = stamps.at(part.kernels.col()[e]);
    REQUIRE(stamp.size() == 5);
    for (const double value : stamp) REQUIRE(value == Approx(part.kernels.value(e).to_complex().real()));
  }
  const Representation one = trivial_representation(action.group());
  REQUIRE_THROWS_AS(kernel_picture(point_kernels(action, one, one, 30), 4), LimitError);  // 4^30 at (4, 0)
}

TEST_CASE("letters are those of DejaVu Sans", "[io][quick]") {
  // Advances of the font: 1303 for a digit, 1767 for M, 2048 to the em; 1425 and 2038 in bold.
  REQUIRE(text_width("0", 2048) == Approx(1303));
  REQUIRE(text_width("M", 2048) == Approx(1767));
  REQUIRE(text_width("0M", 2048, true) == Approx(1425 + 2038));
  REQUIRE(text_width("θ0 × 16", 12) == Approx(12 * text_width("θ0 × 16", 1)));
  std::set<std::string> seen;
  const auto pixels = [](std::string_view letter) {
    const std::vector<Shape> shapes = letter_shapes(letter, 24, false);
    REQUIRE(shapes.size() == 1);
    const Coverage cover = coverage_of(shapes[0]);
    return std::string(cover.share.begin(), cover.share.end());
  };
  for (char c = 33; c < 127; ++c) REQUIRE(seen.insert(pixels(std::string_view(&c, 1))).second);
  for (const std::string_view c : {"θ", "→", "⊗", "⊕", "−", "×", "…"}) REQUIRE(seen.insert(pixels(c)).second);
  // What the font lacks is a box, and so are bytes that are no text.
  REQUIRE(seen.insert(pixels("字")).second);
  REQUIRE(pixels("字") == pixels("語"));
  REQUIRE(letter_shapes(" ", 24, false).empty());
  REQUIRE(coverage_of({}).share.empty());
  // The area of a square, and of its part in each pixel.
  const Coverage square = coverage_of({{0.5, 0, 0, 0, ShapePoint::begin}, {2.5, 0}, {2.5, 1}, {0.5, 1}});
  REQUIRE(std::vector(square.share.begin(), square.share.begin() + 3) == std::vector<std::uint8_t>{128, 255, 128});
}

TEST_CASE("long titles are broken into lines", "[io][quick]") {
  const std::string text = "perm^2 + perm + trivial of S5";
  for (const double width : {60.0, 100.0, 1000.0}) {
    const auto lines = wrapped_text(text, 12, false, width);
    std::string all;
    for (const std::string& line : lines) {
      REQUIRE((text_width(line, 12) <= width || line.ends_with(" …")));
      all += (all.empty() ? "" : " ") + line;
    }
    if (width > 60) REQUIRE(all == text);
  }
  REQUIRE(wrapped_text(std::string(500, 'x'), 12, false, 100).size() == 3);
  REQUIRE(wrapped_text(std::string(500, 'x'), 12, false, 100).back().ends_with("…"));
  REQUIRE(wrapped_text("ab", 12, false, 1) == std::vector<std::string>{"a", "b"});
  REQUIRE(wrapped_text("", 12, false, 100).empty());
}

TEST_CASE("an SVG picture has a square an entry, by colour of the parameter", "[io][quick]") {
  auto rng = test_rng();
  for (const std::uint64_t params : {1, 3, 60}) {
    WeightBlock table = random_table(12, 10, params, 2, rng);
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
      const auto k = static_cast<std::uint64_t>(code == 0 ? 0 : (code - 1) % static_cast<std::int32_t>(params));
      if (code != 0) REQUIRE(fill == hex_colour(parameter_colour(k)));
    }
    // Squares of 28 pixels have room for the number of the parameter, with its sign.
    REQUIRE(count_of(weight, "<text ") == 120 - (expected.contains(0) ? expected.at(0) : 0));
    REQUIRE(count_of(weight, ">−") == negative);
    REQUIRE(count_of(weight, "class=\"minus\"") == 0);
    const std::string bias = between(svg, "<g class=\"bias\"", "<g class=\"legend\"");
    REQUIRE(count_of(bias, "<rect ") == 12);
    const std::string legend = between(svg, "<g class=\"legend\"", "</svg>");
    REQUIRE(count_of(legend, "<rect ") == std::min<std::size_t>(40, params + 2 + (expected.count(0) != 0 ? 1 : 0)));
    REQUIRE(legend.find(">θ0 × " + std::to_string(table.weights.tied().orbit_size[0]) + "<") != std::string::npos);
    REQUIRE((legend.find(" more<") != std::string::npos) == (params == 60));
  }
}

TEST_CASE("an SVG picture shows a row on the grid of its inputs", "[io][quick]") {
  const FiniteGroup G = grid_group("p4m", 8, 8);
  const Representation V = natural_permutation_representation(G);
  const WeightBlock table = hom::equivariant_basis(V, V).single().table().block();
  const std::string svg = svg_picture(table, picture_text(table));
  REQUIRE(is_well_formed(svg));
  const std::string stamp = svg.substr(svg.find("<g class=\"stamp\""));
  REQUIRE(count_of(stamp, "<rect ") == 64);
  REQUIRE(stamp.find(">row 36 of W on 8 × 8<") != std::string::npos);
  // Around the pixel in the middle: four neighbours, four diagonal ones.
  REQUIRE(count_of(between(stamp, "<g class=\"code-1\"", "</g>"), "<rect ") == 1);
  REQUIRE(count_of(between(stamp, "<g class=\"code-2\"", "</g>"), "<rect ") == 4);
  REQUIRE(svg.find("class=\"stamp\"") == svg.rfind("class=\"stamp\""));
  // Below a flat table lie all of its stamps.
  const Representation W = tensor_power(natural_permutation_representation(symmetric_group(3)), 3);
  const WeightBlock flat = hom::equivariant_basis(W, trivial_representation(W.group())).single().table().block();
  const std::string planes = svg_picture(flat);
  REQUIRE(count_of(planes, "class=\"stamp\"") == 3);
  REQUIRE(planes.find(">row 0 of W on 3 × 3, perm^3 [2]<") != std::string::npos);
  REQUIRE(planes.find(" more<") == std::string::npos);
  // A kernel: a line of stamps for each output, one for each input.
  WeightBlock kernel = diagonal_table(18);
  kernel.metadata["kernel"] = "[3,3]";
  const std::string grid = svg_picture(kernel);
  REQUIRE(count_of(grid, "<g class=\"stamp\"") == 16);
  REQUIRE(grid.find(">7, 1<") != std::string::npos);
  REQUIRE(grid.find(">and 20 more<") != std::string::npos);
  REQUIRE(svg_picture(diagonal_table(4)).find("class=\"stamp\"") == std::string::npos);
}

TEST_CASE("an SVG picture has signs where there is no room for numbers", "[io][quick]") {
  auto rng = test_rng();
  WeightBlock table = random_table(40, 50, 3, 0, rng);
  table.metadata.clear();
  const std::string weight = between(svg_picture(table), "<g class=\"weight\"", "<g class=\"bias\"");
  const Codes codes = codes_of(table.weights);
  std::size_t negative = 0;
  for (std::uint64_t k = 0; k < 2000; ++k) negative += code_at(codes, k) > 3 ? 1 : 0;
  REQUIRE(count_of(weight, "M") == negative);  // one stroke a minus sign
  REQUIRE(count_of(weight, "<text ") == 0);
}

TEST_CASE("blocks of an SVG picture are named", "[io][quick]") {
  const FiniteGroup G = parse_finite_group("S5");
  const auto picture = [&](const char* in, const char* out) {
    const WeightBlock table =
        hom::equivariant_basis(parse_representation(G, in), parse_representation(G, out)).single().table().block();
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
  const WeightBlock table = diagonal_table(257);
  REQUIRE_THROWS_AS(svg_picture(table), LimitError);
  const WeightBlock largest = diagonal_table(256);
  const std::string svg = svg_picture(largest);
  REQUIRE(count_of(between(svg, "<g class=\"weight\"", "<g class=\"bias\""), "<rect ") == 65536);
  WeightBlock wrong = diagonal_table(5);
  wrong.weights.cols = 6;
  REQUIRE_THROWS_AS(svg_picture(wrong), DomainError);
  WeightBlock broken = diagonal_table(4);
  tied(broken.weights).codes = code_rows(4, 4, std::vector<std::uint8_t>(16, 9));
  REQUIRE_THROWS_AS(svg_picture(broken), DomainError);
  REQUIRE_THROWS_AS(terminal_picture(small_sparse_table()), DomainError);
}

namespace {

/// The pixel at which a box begins.
std::array<std::uint64_t, 2> pixel_of(const Box& box) {
  return {static_cast<std::uint64_t>(std::lround(2 * box.left)), static_cast<std::uint64_t>(std::lround(2 * box.top))};
}

Rgb plain_colour(const CodeMeaning& meaning, std::uint64_t first = 0) {
  return meaning.zero ? white : parameter_colour(first + meaning.parameter);
}

}  // namespace

TEST_CASE("a PNG picture shows every entry in the colour of its parameter", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  const auto path = folder / "t.png";
  for (const auto& [rows, cols] :
       {std::pair<std::uint64_t, std::uint64_t>{1, 1}, {9, 14}, {3, 120}, {300, 4}, {250, 250}}) {
    WeightBlock table = random_table(rows, cols, rows * cols > 20 ? 12 : 1, 1, rng);
    table.metadata.clear();
    const Codes codes = codes_of(table.weights);
    const PictureText text{"perm -> perm", "a subtitle"};
    write_png_picture(path, table, text);
    const Image image = read_png(path);
    const PictureGrid grid = png_grid(table.weights, 2048);
    const TableDrawing drawing(table, text, grid, {});
    const auto width = static_cast<std::uint64_t>(2 * grid.cell_width),
               height = static_cast<std::uint64_t>(2 * grid.cell_height);
    CAPTURE(rows, cols, width, height);
    REQUIRE(grid.rows == rows);
    REQUIRE(grid.cols == cols);
    REQUIRE(grid.squares == (rows < 200 && cols < 200));
    REQUIRE(image.width == std::ceil(2 * drawing.width()));
    REQUIRE(image.height == std::ceil(2 * drawing.height()));
    REQUIRE(image.at(0, 0) == white);
    const auto [left, top] = pixel_of(drawing.matrix());
    const auto [bias_left, bias_top] = pixel_of(drawing.bias());
    const std::uint64_t in = grid.squares ? 2 : 0;  // beside the lines
    for (std::uint64_t i = 0; i < rows; ++i) {
      const std::uint64_t y = top + i * height;
      for (std::uint64_t j = 0; j < cols; ++j) {
        const CodeMeaning meaning = meaning_of(code_at(codes, i * cols + j), table.weights.params);
        const std::uint64_t x = left + j * width;
        const Rgb plain = plain_colour(meaning);
        REQUIRE(image.at(x + in, y + in) == (meaning.minus && !grid.squares ? darker(plain) : plain));
        std::size_t others = 0;
        for (std::uint64_t dy = in; dy < height - in; ++dy)
          for (std::uint64_t dx = in; dx < width - in; ++dx)
            others += image.at(x + dx, y + dy) != image.at(x + in, y + in) ? 1 : 0;
        // Numbers, or signs where they have no room.
        REQUIRE((others > 0) == (grid.squares && (width >= 40 ? !meaning.zero : meaning.minus)));
      }
      const CodeMeaning bias = meaning_of(bias_code_at(table, i), table.bias.params);
      const Rgb plain = plain_colour(bias, table.weights.params);
      REQUIRE(image.at(bias_left + in, y + in) == (bias.minus && !grid.squares ? darker(plain) : plain));
    }
    // Title, labels and legend have been drawn outside of the matrix.
    std::size_t dark = 0;
    for (unsigned y = 0; y < top; ++y)
      for (unsigned x = 0; x < image.width; ++x) dark += image.at(x, y) != white ? 1 : 0;
    REQUIRE(dark > 500);
  }
  WeightBlock table = random_table(300, 300, 3, 1, rng);
  table.metadata.clear();
  REQUIRE_THROWS_AS(write_png_picture(path, table, {}, 2048, Task(100'000, 0, {})), LimitError);
  Task stopped;
  stopped = Task(0, 0, {}, [] { return true; });
  REQUIRE_THROWS_AS(write_png_picture(folder / "new.png", table, {}, 2048, stopped), Interrupted);
  REQUIRE(folder.entries() == 1);
}

TEST_CASE("a PNG is the picture of the SVG at two pixels a unit", "[io][quick]") {
  Folder folder;
  const auto same = [&](const WeightBlock& table, const PictureText& text) {
    const std::string svg = svg_picture(table, text);
    write_png_picture(folder / "t.png", table, text);
    const Image image = read_png(folder / "t.png");
    REQUIRE(image.width == 2 * std::stoul(between(svg, "width=\"", "\"")));
    REQUIRE(image.height == std::ceil(2 * std::stod(between(svg, "height=\"", "\""))));
    return svg;
  };
  const FiniteGroup G = parse_finite_group("S4");
  for (const char* V : {"perm", "perm^2", "perm + sign*perm", "perm^2 + trivial"}) {
    const Representation W = parse_representation(G, V);
    const WeightBlock table = hom::equivariant_basis(W, W).single().table().block();
    same(table, picture_text(table));
  }
  WeightBlock kernel = diagonal_table(18);
  kernel.metadata["kernel"] = "[3,3]";
  same(kernel, {"kernels", ""});
  same(small_sparse_table(), {});
}

TEST_CASE("sparse elements are heat maps with signs", "[io][quick]") {
  // 2 at (0,0) and -3 at (1,2) of one parameter, 1 at (0,1) and 5 at (1,0) of the other.
  WeightBlock table = small_sparse_table();
  table.metadata.clear();
  const std::string svg = svg_picture(table);
  REQUIRE(is_well_formed(svg));
  const std::string weight = between(svg, "<g class=\"weight\"", "<g class=\"bias\"");
  REQUIRE(count_of(weight, "<rect ") == 6);
  for (const char* number : {">2<", ">−3<", ">1<", ">5<"}) REQUIRE(count_of(weight, number) == 1);
  REQUIRE(between(weight, "<g class=\"code-3\" fill=\"", "\"") == hex_colour(parameter_colour(0)));  // -3, the largest
  REQUIRE(between(weight, "<g class=\"code-1\" fill=\"", "\"") != hex_colour(parameter_colour(0)));
  REQUIRE(svg.find(">0 × 2<") != std::string::npos);
  REQUIRE(svg.find(">θ1 × 2<") != std::string::npos);
  REQUIRE(svg.find("sums") == std::string::npos);
  REQUIRE(svg.find("class=\"stamp\"") == std::string::npos);
  // Where elements meet, they are drawn one by one.
  sparse(table.weights).col = {0, 2, 0, 2};
  sparse(table.weights).value[1] = -1e9;
  set_integers(sparse(table.weights), std::vector<std::string>{"2", "-1" + std::string(400, '0'), "1", "5"});
  const std::string meeting = svg_picture(table);
  REQUIRE(is_well_formed(meeting));
  REQUIRE(count_of(meeting, "<g class=\"stamp\"") == 2);
  REQUIRE(meeting.find(">sums × 2<") != std::string::npos);
  REQUIRE(meeting.find(">0 × 4<") != std::string::npos);
  REQUIRE(meeting.find("grey entries are sums") != std::string::npos);
  REQUIRE(meeting.find("inf") == std::string::npos);
  REQUIRE(meeting.find("nan") == std::string::npos);
  // A large one, in pixels: (i, i) has the value i + 1 or its negative.
  Folder folder;
  SparseElements diagonal{{0, 3000}, {}, {}, {}, {}};
  for (std::int32_t i = 0; i < 3000; ++i) {
    diagonal.row.push_back(i);
    diagonal.col.push_back(i);
    diagonal.value.push_back(i % 2 == 0 ? i + 1 : -i - 1);
  }
  table.weights = {3000, 3000, 1, diagonal};
  table.bias = {3000, 1, 0, SparseElements{{0}, {}, {}, {}, {}}};
  REQUIRE_THROWS_AS(svg_picture(table), LimitError);
  write_png_picture(folder / "t.png", table, {}, 1000);
  const Image image = read_png(folder / "t.png");
  const auto [left, top] = pixel_of(TableDrawing(table, {}, png_grid(table.weights, 1000), {}).matrix());
  REQUIRE(image.at(left + 500, top + 600) == white);
  REQUIRE(image.at(left + 999, top + 999).red < image.at(left, top).red);
  sparse(table.weights).row[7] = 3000;
  REQUIRE_THROWS_AS(write_png_picture(folder / "t.png", table), DomainError);
}

TEST_CASE("a large table is made smaller as light is, without patterns that it has not", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  WeightBlock table = random_table(500, 333, 7, 0, rng);
  table.metadata.clear();
  write_png_picture(folder / "t.png", table, {}, 100);
  const Image image = read_png(folder / "t.png");
  const auto [left, top] = pixel_of(TableDrawing(table, {}, png_grid(table.weights, 100), {}).matrix());
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
      REQUIRE(std::abs(image.at(left + c, top + r).red - std::sqrt(red / entries)) <= 1);
    }
  // Rows may come in any order, here at first one of every line of cells: the same picture, with the sums of all lines at a time.
  std::vector<std::uint64_t> order(500);
  for (std::uint64_t i = 0; i < 500; ++i) order[i] = 5 * (i % 100) + i / 100;
  WeightBlock scattered = table;
  tied(scattered.weights).codes = std::make_shared<Rows>(table.weights, order);
  const auto drawn = [&](const WeightBlock& of, const Task& task) {
    write_png_picture(folder / "t.png", of, {}, 100, task);
    return read_file(folder / "t.png");
  };
  REQUIRE(drawn(scattered, {}) == drawn(table, {}));
  const Task little(200'000, 0, {});
  const PictureGrid small = png_grid(table.weights, 100);
  REQUIRE_NOTHROW(TableDrawing(table, {}, small, little));
  REQUIRE_THROWS_AS(TableDrawing(scattered, {}, small, little), LimitError);
  // Stripes of one pixel: every second column would be one colour or the other, their mean is neither.
  WeightBlock stripes = random_table(300, 300, 2, 0, rng);
  stripes.metadata.clear();
  std::vector<std::uint8_t> striped(300 * 300);
  for (std::size_t k = 0; k < striped.size(); ++k) striped[k] = static_cast<std::uint8_t>(1 + k % 2);
  tied(stripes.weights).codes = code_rows(300, 300, striped);
  write_png_picture(folder / "t.png", stripes, {}, 150);
  const Image mean = read_png(folder / "t.png");
  const auto [stripes_left, stripes_top] =
      pixel_of(TableDrawing(stripes, {}, png_grid(stripes.weights, 150), {}).matrix());
  std::set<std::array<int, 3>> seen;
  for (unsigned r = 0; r < 150; ++r)
    for (unsigned c = 0; c < 150; ++c) {
      const Rgb p = mean.at(stripes_left + c, stripes_top + r);
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
  WeightBlock table = diagonal_table(3);
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
  for (const auto& [rows, cols] :
       {std::pair<std::uint64_t, std::uint64_t>{1, 1}, {30, 38}, {30, 39}, {30, 76}, {30, 77}, {500, 3}, {400, 900}})
    for (const bool colour : {false, true})
      for (const unsigned width : {20U, 80U, 133U}) {
        const std::uint64_t params = std::min<std::uint64_t>(40, rows * cols);
        const WeightBlock table = random_table(rows, cols, params, 1, rng);
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
