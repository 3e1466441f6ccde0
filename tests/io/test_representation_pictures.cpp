// Pictures of representations: isotypic blocks, arcs.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/verify_table.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using namespace test_tables;

namespace {

using Matrix = std::vector<std::vector<double>>;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++out;
  return out;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out(a.size(), std::vector<double>(b[0].size(), 0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < b[0].size(); ++j) out[i][j] += a[i][k] * b[k][j];
  return out;
}

Matrix inverse(Matrix a) {
  const std::size_t n = a.size();
  Matrix out(n, std::vector<double>(n, 0));
  for (std::size_t i = 0; i < n; ++i) out[i][i] = 1;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r)
      if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
    REQUIRE(std::abs(a[pivot][c]) > 1e-9);
    std::swap(a[c], a[pivot]);
    std::swap(out[c], out[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      const double factor = (r == c ? a[c][c] - 1 : a[r][c]) / a[c][c];
      for (std::size_t j = 0; j < n; ++j) {
        a[r][j] -= factor * a[c][j];
        out[r][j] -= factor * out[c][j];
      }
    }
  }
  return out;
}

Matrix square(const std::vector<double>& list, std::size_t n) {
  Matrix out;
  for (std::size_t i = 0; i < n; ++i)
    out.emplace_back(list.begin() + static_cast<std::ptrdiff_t>(i * n),
                     list.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
  return out;
}

// W of random parameters, of a table of either kind.
Matrix random_weights(const WeightPattern& pattern, Rng& rng) {
  std::vector<double> theta;
  for (std::uint64_t k = 0; k < pattern.params; ++k) theta.push_back(static_cast<double>(rng.below(1000)) / 100 - 5);
  Matrix W(pattern.rows, std::vector<double>(pattern.cols, 0));
  if (pattern.is_tied()) {
    const Codes codes = codes_of(pattern);
    for (std::uint64_t e = 0; e < pattern.rows * pattern.cols; ++e) {
      const auto code = static_cast<std::uint64_t>(code_at(codes, e));
      if (code != 0)
        W[e / pattern.cols][e % pattern.cols] =
            code <= pattern.params ? theta[code - 1] : -theta[code - 1 - pattern.params];
    }
    return W;
  }
  const SparseElements& elements = pattern.sparse();
  for (std::uint64_t k = 0; k < pattern.params; ++k)
    for (auto e = elements.start[k]; e < elements.start[k + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      W[static_cast<std::size_t>(elements.row[at])][static_cast<std::size_t>(elements.col[at])] +=
          theta[k] * elements.value[at];
    }
  return W;
}

WeightBlock isotypic(const std::string& group, const std::string& in, const std::string& out) {
  const FiniteGroup G = parse_finite_group(group);
  return with_isotypic_form(
      hom::equivariant_basis(parse_representation(G, in), parse_representation(G, out)).single().table().block());
}

}  // namespace

TEST_CASE("W is tied in isotypic coordinates as the picture says", "[io][quick]") {
  auto rng = test_rng();
  // Real, complex and quaternionic representations, tied and sparse bases, different sides.
  for (const auto& [group, in, out] : {std::tuple("S4", "perm^2", "perm^2"),
                                       {"C5", "regular", "regular + perm"},
                                       {"Q8", "regular", "regular"},
                                       {"S5", "std*std", "perm + std"},
                                       {"C3", "perm", "sign"}}) {
    CAPTURE(group, in, out);
    const WeightBlock table = isotypic(group, in, out);
    const IsotypicPicture picture = isotypic_picture(table);
    const WeightPattern& pattern = picture.table.weights;
    require_consistent(picture.table);
    REQUIRE(pattern.params == table.weights.params);
    const Matrix W = random_weights(table.weights, rng);
    const Matrix blocks = product(square(table.isotypic->T_out, pattern.rows),
                                  product(W, inverse(square(table.isotypic->T_in, pattern.cols))));
    const Codes codes = codes_of(pattern);
    std::vector<std::optional<double>> theta(pattern.params);
    for (std::uint64_t e = 0; e < pattern.rows * pattern.cols; ++e) {
      const double value = blocks[e / pattern.cols][e % pattern.cols];
      const auto code = static_cast<std::uint64_t>(code_at(codes, e));
      CAPTURE(e / pattern.cols, e % pattern.cols, code, value);
      if (code == 0) {
        REQUIRE(std::abs(value) < 1e-8);
        continue;
      }
      const double signed_value = code > pattern.params ? -value : value;
      auto& expected = theta[(code - 1) % pattern.params];
      if (!expected) expected = signed_value;
      REQUIRE(std::abs(*expected - signed_value) < 1e-8);
    }
    const Matrix b = product(square(table.isotypic->T_out, pattern.rows), random_weights(table.bias, rng));
    for (std::uint64_t i = 0; i < pattern.rows; ++i)
      if (i >= table.bias.params) REQUIRE(std::abs(b[i][0]) < 1e-8);
  }
}

TEST_CASE("isotypic blocks are drawn with their names", "[io][quick]") {
  const WeightBlock table = isotypic("S4", "perm^2", "perm");
  const IsotypicPicture picture = isotypic_picture(table);
  std::vector<std::string> names;
  for (const PictureBlock& block : picture.text.input_blocks) names.push_back(block.name);
  // perm^2 = 2 trivial + E + 3 std + one more of degree 3; perm = trivial + std.
  REQUIRE(names ==
          std::vector<std::string>{"1 × 2 of degree 1", "0 × 1 of degree 2", "0 × 1 of degree 3", "1 × 3 of degree 3"});
  REQUIRE(picture.text.output_blocks.size() == 2);
  REQUIRE(picture.text.title == "S4: perm^2 → perm");
  const std::string svg = svg_picture(picture.table, picture.text);
  REQUIRE(count_of(svg, "<path class=\"blocks\"") == 1);
  REQUIRE(html_picture(picture.table, picture.text).find("1 × 3 of degree 3") != std::string::npos);

  REQUIRE_THROWS_WITH(isotypic_picture(diagonal_table(3)), Catch::Contains("no isotypic form"));
  for (const auto& change : std::vector<std::function<void(IsotypicBlocks::Block&)>>{
           [](auto& block) { block.copies_in = 7; }, [](auto& block) { block.division = 3; },
           [](auto& block) { block.division = 2; }}) {
    WeightBlock wrong = table;
    change(wrong.isotypic->blocks[0]);
    REQUIRE_THROWS_AS(isotypic_picture(wrong), DomainError);
  }
  WeightBlock biased = table;
  std::swap(biased.isotypic->blocks[0], biased.isotypic->blocks.back());
  REQUIRE_THROWS_WITH(isotypic_picture(biased), Catch::Contains("invariants"));
}

TEST_CASE("arcs show where generators take basis vectors", "[io][quick]") {
  const FiniteGroup G = parse_finite_group("S4");
  const std::string perm = arc_picture(parse_representation(G, "perm"));
  // (1,2,3,4) moves all four, (1,2) two of them.
  REQUIRE(count_of(perm, "<g class=\"generator\">") == 2);
  REQUIRE(count_of(perm, "<path class=\"plus\"") == 6);
  REQUIRE(count_of(perm, "<path class=\"minus\"") == 0);
  REQUIRE(count_of(perm, "<path class=\"head\"") == 6);
  REQUIRE(count_of(perm, "class=\"vector\"") == 8);
  REQUIRE(count_of(perm, ">(1,2,3,4)</text>") == 1);
  REQUIRE(count_of(perm, "class=\"border\"") == 0);
  // To the right above the line, to the left below it.
  REQUIRE(count_of(perm, "l-9 -4.5v9z") == 4);
  REQUIRE(count_of(perm, "l9 -4.5v9z") == 2);
  const std::string sum = arc_picture(parse_representation(G, "alt(2, perm) + sign"));
  // e_1^e_2 -> e_2^e_3 -> e_3^e_4 -> -e_1^e_4, ...: signs, a border, and a vector that goes to its negative.
  REQUIRE(count_of(sum, "<path class=\"minus\"") > 0);
  REQUIRE(count_of(sum, "class=\"border\"") == 1);
  REQUIRE(count_of(sum, ">−2:e</text>") == 2);
  REQUIRE(count_of(arc_picture(parse_representation(parse_finite_group("p4m(9,9)"), "perm")),
                   "<circle class=\"vector\"") == 4 * 81);
  REQUIRE(count_of(arc_picture(parse_representation(G, "0*perm")), "class=\"vector\"") == 0);
  REQUIRE(arc_picture(parse_representation(parse_finite_group("S1"), "perm")).ends_with("</svg>\n"));

  REQUIRE_THROWS_AS(arc_picture(parse_representation(parse_finite_group("S5"), "std")), DomainError);
  REQUIRE_THROWS_AS(arc_picture(parse_representation(parse_finite_group("S21"), "perm^2")), LimitError);
  Folder folder;
  write_picture(folder / "a.svg", parse_representation(G, "perm"));
  REQUIRE(read_file(folder / "a.svg") == perm);
  for (const auto& [group, V] : {std::pair("S4", "alt(2, perm) + sign"), {"p4m(9,9)", "perm"}, {"S4", "0*perm"}})
    write_picture(folder / "a.png", parse_representation(parse_finite_group(group), V));
  REQUIRE(read_file(folder / "a.png").starts_with("\x89PNG"));
  REQUIRE_THROWS_WITH(write_picture(folder / "a.html", parse_representation(G, "perm")),
                      Catch::Contains(".svg or .png"));
  REQUIRE(folder.entries() == 2);
}
