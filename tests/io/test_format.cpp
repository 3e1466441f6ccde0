#include "intertwine/io/format.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"

using namespace intertwine;

TEST_CASE("formats are chosen by name and by extension", "[io][quick]") {
  for (const Format format : {Format::text, Format::json, Format::latex, Format::gap, Format::csv})
    REQUIRE(parse_format(to_string(format), {format}) == format);
  REQUIRE(format_of_file("a/b.tex", {Format::text, Format::latex}, "lr") == Format::latex);
  REQUIRE(format_of_file("x.g", {Format::gap}, "chartable") == Format::gap);
  REQUIRE_THROWS_WITH(format_of_file("a.png", {Format::json, Format::text, Format::latex}, "lr"),
                      "lr writes .txt, .json and .tex files, not a.png");
  REQUIRE_THROWS_WITH(format_of_file("a", {Format::json}, "polynomials"),
                      "polynomials writes .json files, not a");
  REQUIRE_THROWS_WITH(parse_format("gap", {Format::text, Format::latex}),
                      "--format takes text or latex, not gap");
  REQUIRE_THROWS_AS(parse_format("", {Format::text}), DomainError);
}
