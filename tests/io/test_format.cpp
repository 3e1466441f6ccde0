#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/io/format.hpp"

using namespace intertwine;

TEST_CASE("formats by name and by extension", "[io][quick]") {
  const std::vector<Format> all = {Format::text, Format::json,  Format::latex, Format::gap,
                                   Format::sage, Format::magma, Format::csv,   Format::markdown,
                                   Format::html, Format::npy,   Format::lean};
  for (const Format format : all) REQUIRE(parse_format(to_string(format), all) == format);
  REQUIRE(format_of_file("a.b/t.json") == Format::json);
  REQUIRE(format_of_file("t.tex") == Format::latex);
  REQUIRE(format_of_file("t.g") == Format::gap);
  REQUIRE(format_of_file("t.gap") == Format::gap);
  REQUIRE(format_of_file("t.sage") == Format::sage);
  REQUIRE(format_of_file("t.m") == Format::magma);
  REQUIRE(format_of_file("t.magma") == Format::magma);
  REQUIRE(format_of_file("t.md") == Format::markdown);
  REQUIRE(format_of_file("t.html") == Format::html);
  REQUIRE(format_of_file("t.x.csv") == Format::csv);
  REQUIRE(format_of_file("t.npy") == Format::npy);
  REQUIRE(format_of_file("t.txt") == Format::text);
  REQUIRE(format_of_file("t.lean") == Format::lean);
}

TEST_CASE("a format that does not fit is refused with those that do", "[io][quick]") {
  const auto refused = [](const char* file, const std::vector<Format>& allowed, const char* says) {
    REQUIRE_THROWS_AS(format_of_file(file, allowed, "group"), DomainError);
    REQUIRE_THROWS_WITH(format_of_file(file, allowed, "group"), says);
  };
  refused("t.png", {Format::text, Format::json}, "group writes .txt and .json files, not t.png");
  refused("t.tex", {Format::json}, "group writes .json files, not t.tex");
  refused("json", {Format::json, Format::gap}, "group writes .json, .g and .gap files, not json");
  refused("t.JSON", {Format::json}, "group writes .json files, not t.JSON");
  REQUIRE_THROWS_WITH(parse_format("gap", {Format::text, Format::json}), "the format is text or json, not gap");
  REQUIRE_THROWS_WITH(parse_format("pdf", {Format::text, Format::gap, Format::csv}),
                      "the format is text, gap or csv, not pdf");
}
