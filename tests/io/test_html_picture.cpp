#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "../../src/io/containers/text.hpp"
#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using namespace test_tables;
using nlohmann::json;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++out;
  return out;
}

json data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t start = page.find(begin);
  REQUIRE(start != std::string::npos);
  const std::string text = page.substr(start + begin.size(), page.find("</script>", start) - start - begin.size());
  return json::parse(text);
}

// Base64 and the integers in it, written apart from the library.
std::vector<std::uint64_t> numbers(const json& packed) {
  const std::string text = packed.at("data");
  std::vector<unsigned> bytes;
  REQUIRE(text.size() % 4 == 0);
  for (std::size_t k = 0; k < text.size(); k += 4) {
    unsigned word = 0, count = 3;
    for (std::size_t d = 0; d < 4; ++d) {
      const char c = text[k + d];
      if (c == '=') --count;
      const int digit = c == '='   ? 0
                        : c == '+' ? 62
                        : c == '/' ? 63
                        : c <= '9' ? c - '0' + 52
                        : c <= 'Z' ? c - 'A'
                                   : c - 'a' + 26;
      word = word * 64 + static_cast<unsigned>(digit);
    }
    for (unsigned b = 0; b < count; ++b) bytes.push_back(word >> (16 - 8 * b) & 255);
  }
  const std::size_t width = packed.at("bytes");
  REQUIRE(bytes.size() % width == 0);
  std::vector<std::uint64_t> out(bytes.size() / width, 0);
  for (std::size_t k = 0; k < bytes.size(); ++k) out[k / width] |= std::uint64_t{bytes[k]} << (8 * (k % width));
  return out;
}

struct Layer {
  Representation V, U;
  WeightBlock table;
};
Layer layer(const std::string& group, const std::string& in, const std::string& out) {
  const FiniteGroup G = parse_finite_group(group);
  const Representation V = parse_representation(G, in), U = parse_representation(G, out);
  return {V, U, hom::equivariant_basis(V, U).single().table().block()};
}

// What the page says of every entry of one part, against the group itself.
void check_part(const json& data, const json& part, const WeightPattern& pattern, const Representation& U,
                const Representation& V) {
  const FiniteGroup& G = V.group();
  const auto codes = numbers(part.at("codes")), steps = numbers(part.at("steps")), first = numbers(part.at("first")),
             sizes = numbers(part.at("sizes")), zero_first = numbers(part.at("zero_first")),
             zero_sizes = numbers(part.at("zero_sizes"));
  const auto element = numbers(part.at("elements").at("of"));
  std::vector<std::vector<std::uint64_t>> rows, cols;
  for (const json& each : data.at("back").at("rows")) rows.push_back(numbers(each));
  for (const json& each : data.at("back").at("cols")) cols.push_back(numbers(each));
  const Codes expected = codes_of(pattern);
  std::vector<std::uint64_t> counted(sizes.size(), 0), counted_zeros(zero_sizes.size(), 0);
  REQUIRE(codes.size() == pattern.rows * pattern.cols);
  for (std::uint64_t e = 0; e < codes.size(); ++e) {
    const auto code = static_cast<std::uint64_t>(code_at(expected, e));
    const bool zero = code == 0, minus = code > pattern.params;
    REQUIRE((zero ? codes[e] > 2 * pattern.params : codes[e] == code));
    const std::uint64_t orbit = zero ? codes[e] - 2 * pattern.params - 1 : (code - 1) % pattern.params;
    ++(zero ? counted_zeros : counted).at(orbit);
    const std::uint64_t root = (zero ? zero_first : first).at(orbit);
    // The walk of the page.
    Permutation g = Permutation::identity(G.degree());
    std::uint64_t at = e;
    while (steps[at] != 0) {
      const std::uint64_t step = steps[at] - 1;
      const json& letter = data.at("letters").at(step);
      REQUIRE(letter.at(0) == std::string(1, static_cast<char>('a' + step / 2)));
      const Permutation& x = G.generators()[step / 2];
      g = g * (letter.at(1) == 1 ? x : x.inverse());
      at = rows[step][at / pattern.cols] * pattern.cols + (pattern.cols == 1 ? 0 : cols[step][at % pattern.cols]);
    }
    REQUIRE(at == root);
    REQUIRE(parse_permutation(part.at("elements").at("text").at(element[e]).get<std::string>(), G.degree()) == g);
    const SignedPoint i = U.image(g)(static_cast<Point>(root / pattern.cols)),
                      j = pattern.cols == 1 ? SignedPoint(0) : V.image(g)(static_cast<Point>(root % pattern.cols));
    REQUIRE(i.point() * pattern.cols + j.point() == e);
    if (!zero) REQUIRE((i.negative() != j.negative()) == minus);
  }
  REQUIRE(counted == sizes);
  REQUIRE(counted_zeros == zero_sizes);
  REQUIRE(part.at("zero_why").size() == zero_sizes.size());
  for (std::size_t k = 0; k < zero_sizes.size(); ++k) {
    const std::string why = part.at("zero_why").at(k);
    const Permutation g = parse_permutation(why.substr(why.find(" = ") + 3), G.degree());
    const SignedPoint i = U.image(g)(static_cast<Point>(zero_first[k] / pattern.cols)),
                      j = pattern.cols == 1 ? SignedPoint(0)
                                            : V.image(g)(static_cast<Point>(zero_first[k] % pattern.cols));
    REQUIRE(i.point() * pattern.cols + j.point() == zero_first[k]);
    REQUIRE(i.negative() != j.negative());
  }
}

}  // namespace

TEST_CASE("a page knows every entry's orbit and the element that leads there", "[io][quick]") {
  for (const auto& [group, in, out] : {std::tuple("S4", "perm^2", "perm^2"),
                                       {"p4m(4,4)", "perm", "perm"},
                                       {"B3", "perm", "alt(2, perm) + sign"},
                                       {"C2 x C2", "rep([[-2,-1,3],[1,2,-3]]) + sign", "perm"}}) {
    CAPTURE(group, in, out);
    const Layer made = layer(group, in, out);
    const json data = data_of(html_picture(made.table, picture_text(made.table)));
    REQUIRE(data.at("tied") == true);
    check_part(data, data.at("weights"), made.table.weights, made.U, made.V);
    check_part(data, data.at("bias"), made.table.bias, made.U, made.V);
    REQUIRE(data.at("rows").at("labels").size() == made.table.weights.rows);
    REQUIRE(data.at("cols").at("labels").at(1) == made.V.basis_label(1));
  }
}

TEST_CASE("a small page in full", "[io][quick]") {
  const Layer made = layer("S3", "perm", "2*perm + sign");
  const json data = data_of(html_picture(made.table, picture_text(made.table)));
  REQUIRE(data.at("title") == "S3: perm → 2*perm + sign");
  REQUIRE(
      data.at("rows").at("blocks") ==
      json::parse(
          R"([{"name":"perm","start":0,"size":3},{"name":"perm","start":3,"size":3},{"name":"sign","start":6,"size":1}])"));
  REQUIRE(data.at("cols").at("blocks") == json::parse(R"([{"name":"perm","start":0,"size":3}])"));
  REQUIRE(data.at("stamps").empty());
  REQUIRE(data.at("letters") == json::parse(R"([["a",1],["a",-1],["b",1],["b",-1]])"));
  const json& W = data.at("weights");
  REQUIRE(numbers(W.at("codes")) ==
          std::vector<std::uint64_t>{1, 2, 2, 2, 1, 2, 2, 2, 1, 3, 4, 4, 4, 3, 4, 4, 4, 3, 9, 9, 9});
  REQUIRE(numbers(W.at("sizes")) == std::vector<std::uint64_t>{3, 6, 3, 6});
  REQUIRE(numbers(W.at("first")) == std::vector<std::uint64_t>{0, 1, 9, 10});
  REQUIRE(W.at("zeros") == 3);
  REQUIRE(numbers(W.at("zero_first")) == std::vector<std::uint64_t>{18});
  REQUIRE(W.at("zero_why").at(0).get<std::string>().ends_with("= (2,3)"));
  REQUIRE(data.at("bias").at("colour_start") == 4);
  REQUIRE(data.at("palette").size() == 6);
  REQUIRE(data.at("facts").at(0) == json::parse(R"(["group","S3, order 6"])"));
  REQUIRE(data.at("facts").at(1) == json::parse(R"~(["a","(1,2,3)"])~"));
  REQUIRE(data.at("facts").back().at(1) == digest(made.table));
}

TEST_CASE("the grids of a page", "[io][quick]") {
  const json grid = data_of(html_picture(layer("p4m(8,8)", "perm", "perm").table));
  REQUIRE(grid.at("stamps") == json::parse(R"([{"name":"perm","start":0,"rows":8,"cols":8}])"));
  const json tensor = data_of(html_picture(layer("S3", "sign + tuples(3)", "perm").table));
  REQUIRE(tensor.at("stamps").size() == 3);
  REQUIRE(tensor.at("stamps").at(2) == json::parse(R"({"name":"tuples(3) [2]","start":19,"rows":3,"cols":3})"));
  WeightBlock kernel = layer("D4", "2*regular * kernel(3,3)", "regular").table;
  kernel.metadata["kernel"] = "[3,3]";
  const json sites = data_of(html_picture(kernel));
  REQUIRE(sites.at("stamps").size() == kernel.weights.cols / 9);
  REQUIRE(sites.at("stamps").at(1) == json::parse(R"({"name":"input 1","start":9,"rows":3,"cols":3})"));
  for (const char* wrong : {"[3,5]", "[]", "[0,3]", "3", "[3,-3]", "[3.5]", "[99999999999,99999999999]", "[3,3"}) {
    CAPTURE(wrong);
    kernel.metadata["kernel"] = wrong;
    REQUIRE_THROWS_AS(html_picture(kernel), FileError);
  }
}

TEST_CASE("a page of a table that names no group", "[io][quick]") {
  WeightBlock table = diagonal_table(5);
  const json data = data_of(html_picture(table));
  REQUIRE(data.at("title") == "weight-tying table");
  REQUIRE(!data.contains("letters"));
  REQUIRE(!data.at("weights").contains("steps"));
  REQUIRE(!data.at("rows").contains("labels"));
  REQUIRE(numbers(data.at("weights").at("codes")).at(1) == 2);
  REQUIRE(numbers(data.at("weights").at("first")) == std::vector<std::uint64_t>{0, 1});
  auto rng = test_rng();
  for (const std::uint64_t params : {1, 130, 20000}) {  // codes of one, two and four bytes
    WeightBlock many = random_table(300, 200, params, 2, rng);
    many.metadata.clear();
    const json page = data_of(html_picture(many));
    const Codes codes = codes_of(many.weights);
    const auto shown = numbers(page.at("weights").at("codes"));
    REQUIRE(page.at("weights").at("codes").at("bytes") == (params == 1 ? 1 : 2));
    for (std::uint64_t e = 0; e < shown.size(); ++e) REQUIRE(shown[e] == static_cast<std::uint64_t>(code_at(codes, e)));
  }
}

TEST_CASE("a page does not believe what a table says of itself", "[io][quick]") {
  const Layer made = layer("S4", "perm", "perm");
  WeightBlock lying = made.table;
  Codes codes = codes_of(lying.weights);
  std::swap(std::get<0>(codes)[1], std::get<0>(codes)[5]);
  lying.weights = tied_pattern(4, 4, 2, codes);
  REQUIRE_THROWS_WITH(html_picture(lying), Catch::Contains("entry (0, 1) (0-based) has the code 1, and its orbit 2"));
  WeightBlock broken = made.table;
  broken.metadata["group"] = "{";
  REQUIRE_THROWS_AS(html_picture(broken), FileError);
  WeightBlock larger = made.table;
  larger.metadata["rep_in"] = "perm^2";
  REQUIRE_THROWS_AS(html_picture(larger), VerificationError);
  WeightBlock unknown = made.table;
  unknown.metadata.erase("rep_out");
  REQUIRE(!data_of(html_picture(unknown)).contains("letters"));
  WeightBlock wrong = made.table;
  wrong.weights.cols = 5;
  REQUIRE_THROWS_AS(html_picture(wrong), DomainError);
}

TEST_CASE("a page of sparse elements", "[io][quick]") {
  WeightBlock table = small_sparse_table();
  table.metadata.clear();
  const json data = data_of(html_picture(table));
  const json& W = data.at("weights");
  REQUIRE(data.at("tied") == false);
  REQUIRE(numbers(W.at("start")) == std::vector<std::uint64_t>{0, 2, 4});
  REQUIRE(numbers(W.at("entry")) == std::vector<std::uint64_t>{0, 5, 1, 3});
  std::vector<std::string> values;
  for (const std::uint64_t v : numbers(W.at("value"))) values.push_back(W.at("values").at(v));
  REQUIRE(values == std::vector<std::string>{"2", "-3", "1", "5"});
  REQUIRE(W.at("zeros") == 2);
  // Values over a larger field stay exact.
  const Layer golden = layer("A5", "irrep(2)", "irrep(2)*irrep(2)");
  const std::string page = html_picture(golden.table, picture_text(golden.table));
  REQUIRE(page.find("E(5)") != std::string::npos);
  REQUIRE(data_of(page).at("rows").at("labels").size() == 9);
}

TEST_CASE("a page needs nothing beside it and lets nothing in", "[io][quick]") {
  const Layer made = layer("S3", "perm", "perm");
  const std::string evil =
      "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>{{data}}{{nothing}}\xff\x01";
  PictureText text{evil, evil, evil, evil};
  const std::string page = html_picture(made.table, text);
  REQUIRE(count_of(page, "<script") == 2);
  REQUIRE(count_of(page, "</script") == 2);
  REQUIRE(count_of(page, "<img") == 0);
  REQUIRE(count_of(page, "<!--") == 0);
  REQUIRE(count_of(page, "id=\"data\"") == 1);
  const json data = data_of(page);
  REQUIRE(data.at("title").get<std::string>().starts_with("</script><script>alert(1)"));
  REQUIRE(page.find("<h1 id=\"title\">&lt;/script&gt;") != std::string::npos);
  for (const char* outside : {"http:", "https:", "src=", "href=", "url(", "@import", "fetch(", "import("})
    REQUIRE(count_of(html_picture(made.table), outside) == 0);
  WeightBlock named = diagonal_table(3);
  named.metadata = {{"rep_in", evil}, {"rep_out", evil}};
  const std::string other = html_picture(named, picture_text(named));
  REQUIRE(count_of(other, "<script") == 2);
  REQUIRE(shortened("abcdefgh", 8) == "abcdefgh");
  REQUIRE(shortened("abcdefghi", 8) == "abcde...");
  REQUIRE(shortened("abcd\xC3\xA9\xC3\xA9\xC3\xA9", 8) == "abcd...");
}

TEST_CASE("pages have a limit", "[io][quick]") {
  auto rng = test_rng();
  WeightBlock wide = random_table(1, 16385, 3, 1, rng);
  wide.metadata.clear();
  REQUIRE_THROWS_WITH(html_picture(wide), Catch::Contains("16384 rows or columns") && Catch::Contains("write a .png"));
  WeightBlock large = diagonal_table(2049);
  REQUIRE_THROWS_AS(html_picture(large), LimitError);
  REQUIRE_THROWS_AS(html_picture(layer("S5", "perm^3", "perm^3").table, {}, Task(1000, 0, {})), LimitError);
  const Task stopped(0, 0, {});
  stopped.cancel();
  REQUIRE_THROWS_AS(html_picture(diagonal_table(9), {}, stopped), Interrupted);
}

TEST_CASE("pictures are written by their extension, whole or not at all", "[io][quick]") {
  Folder folder;
  const FiniteGroup G = parse_finite_group("S3");
  const Representation V = parse_representation(G, "perm");
  const hom::Basis basis = hom::equivariant_basis(V, V);
  const WeightBlock table = basis.table().block();
  write_picture(folder / "a.html", basis);
  write_picture(folder / "b.html", table);
  REQUIRE(read_file(folder / "a.html") == html_picture(table, picture_text(table)));
  REQUIRE(read_file(folder / "a.html") == read_file(folder / "b.html"));
  REQUIRE(folder.entries() == 2);
  REQUIRE(is_picture("x.html"));
  for (const char* name : {"c.htm", "c.HTML", "c", "c.html.gz"}) {
    REQUIRE(!is_picture(name));
    REQUIRE_THROWS_WITH(write_picture(folder / name, table), Catch::Contains("use .svg, .png or .html"));
  }
  REQUIRE_THROWS_AS(write_picture(folder / "none/c.html", table), FileError);
  WeightBlock wrong = diagonal_table(2049);
  REQUIRE_THROWS_AS(write_picture(folder / "c.html", wrong), LimitError);
  REQUIRE(folder.entries() == 2);
  // What is read from a file is shown as it was written.
  write_table(folder / "t.safetensors", table);
  write_picture(folder / "c.html", read_table(folder / "t.safetensors").block());
  REQUIRE(read_file(folder / "c.html") == read_file(folder / "a.html"));
}
