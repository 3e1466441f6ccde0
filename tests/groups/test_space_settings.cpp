// Hermann-Mauguin symbols of space groups, against the tables of gemmi and spglib (tests/data/space_settings).
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "intertwine/error.hpp"
#include "intertwine/groups/space_groups.hpp"
#include "support/paths.hpp"

using namespace intertwine;

namespace {

std::vector<std::vector<std::string>> rows_of(const std::string& file) {
  std::ifstream in(test_data() + "/space_settings/" + file);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> row(1);
    for (const char c : line) {
      if (c == '|')
        row.emplace_back();
      else
        row.back() += c;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// "-x+y,z+1/2,x" as W and w.
SpaceOperation triplet(const std::string& text) {
  SpaceOperation g{{}, {}};
  std::size_t row = 0;
  int sign = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ',') {
      ++row;
      sign = 1;
    } else if (c == '-' || c == '+') {
      sign = c == '-' ? -1 : 1;
    } else if (c >= 'x' && c <= 'z') {
      g.W[row][static_cast<std::size_t>(c - 'x')] += sign;
    } else {
      g.w[row] += sign * 12 * (c - '0') / (text[i + 2] - '0');
      i += 2;
    }
  }
  return g;
}

bool is_translation(const SpaceGroup& G, const std::array<int, 3>& w) {
  return std::ranges::any_of(G.centring(), [&](const std::array<int, 3>& t) {
    return (w[0] - t[0]) % 12 == 0 && (w[1] - t[1]) % 12 == 0 && (w[2] - t[2]) % 12 == 0;
  });
}

std::string refusal_of_name(const std::string& name) {
  try {
    const SpaceGroup group = SpaceGroup::named(name);
    return "read as " + group.hall();
  } catch (const Error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("Hall symbols of all listed settings are read as gemmi reads them", "[groups][quick]") {
  const auto rows = rows_of("operations.txt");
  REQUIRE(rows.size() == 560);
  for (const auto& row : rows) {
    const SpaceGroup G = SpaceGroup::from_hall(row.at(0));
    CAPTURE(row[0]);
    std::istringstream words(row.at(1));
    std::size_t count = 0;
    for (std::string word; words >> word; ++count) {
      const SpaceOperation g = triplet(word);
      CHECK(std::ranges::any_of(G.operations(), [&](const SpaceOperation& h) {
        return g.W == h.W && is_translation(G, {g.w[0] - h.w[0], g.w[1] - h.w[1], g.w[2] - h.w[2]});
      }));
    }
    CHECK(count == G.operations().size());
  }
}

TEST_CASE("names of CIF files and of spglib are the groups and settings of these tables", "[groups][quick]") {
  const auto rows = rows_of("names.txt");
  REQUIRE(rows.size() > 1000);
  for (const auto& row : rows) {
    const std::string& name = row.at(0);
    CAPTURE(name);
    const SpaceGroup expected = SpaceGroup::from_hall(row.at(2));
    CHECK(SpaceGroup::named(name) == expected);
    CHECK(space_group_number(name) == static_cast<unsigned>(std::stoul(row.at(1))));
    CHECK(listed_setting(expected)->number == static_cast<unsigned>(std::stoul(row.at(1))));
    // Without blanks it is no Hall symbol, and is the same name.
    std::string squeezed(name);
    std::erase(squeezed, ' ');
    CHECK(SpaceGroup::named(squeezed) == expected);
    CHECK(SpaceGroup::named("hm:" + name) == expected);
    CHECK(SpaceGroup::named("hall:" + row[2]) == expected);
    // What is printed for it is read again.
    CHECK(SpaceGroup::named(readable_hall(expected)) == expected);
    CHECK(SpaceGroup::named(listed_setting(expected)->name) == expected);
  }
}

TEST_CASE("no text is read as one of two groups without a word", "[groups][quick]") {
  // Every Hall symbol of the table, as it stands and with its blanks elsewhere: it is read as Hall's, or as a
  // Hermann-Mauguin symbol that a table prints so, or it is refused.
  std::set<std::string> printed;
  for (const auto& row : rows_of("names.txt")) printed.insert(row[0]);
  std::size_t refused = 0, read = 0;
  for (const auto& row : rows_of("operations.txt")) {
    const SpaceGroup hall = SpaceGroup::from_hall(row[0]);
    CAPTURE(row[0]);
    try {
      const SpaceGroup found = SpaceGroup::named(row[0]);
      CHECK(found == hall);
      ++read;
    } catch (const DomainError& e) {
      CHECK(std::string(e.what()).find("hall:" + row[0]) != std::string::npos);
      CHECK(std::string(e.what()).find("hm:" + row[0]) != std::string::npos);
      ++refused;
    }
    std::string squeezed = row[0];
    std::erase(squeezed, ' ');
    std::set<std::string> spaced;
    for (std::size_t i = 1; i < squeezed.size(); ++i)
      for (std::size_t j = i; j < squeezed.size(); ++j) {
        std::string text = squeezed;
        if (j > i) text.insert(j, " ");
        spaced.insert(text.insert(i, " "));
      }
    for (const std::string& text : spaced) {
      if (printed.contains(text) || text[text[0] == '-' ? 2 : 1] != ' ') continue;  // Hall's symbols have a blank there
      std::optional<SpaceGroup> by_name, by_hall;
      try {
        by_name = SpaceGroup::named("hm:" + text);
      } catch (const Error&) {
      }
      try {
        by_hall = SpaceGroup::named("hall:" + text);
      } catch (const Error&) {
      }
      if (!by_name || !by_hall || *by_name == *by_hall) continue;
      CAPTURE(text);
      CHECK(refusal_of_name(text).find("is the Hermann-Mauguin symbol of") != std::string::npos);
    }
  }
  CHECK(read > 520);
  CHECK(refused >= 5);
  CHECK(refusal_of_name("P 3 2") ==
        "'P 3 2' is the Hermann-Mauguin symbol of P 32 (number 145) and a Hall symbol of P 3 1 2 (number "
        "149); write "
        "'hm:P 3 2' for the one or 'hall:P 3 2' for the other");
}

TEST_CASE("space groups as people write them", "[groups][quick]") {
  const auto hall = [](const char* name) { return SpaceGroup::named(name).hall(); };
  // Hall's notation reads the first three otherwise.
  CHECK(hall("P 31 2 1") == "P 31 2\"");
  CHECK(hall("P 3 2 1") == "P 3 2\"");
  CHECK(hall("P 1 21 1") == "P 2yb");
  CHECK(hall("P 21/c") == "-P 2ybc");
  CHECK(hall("P21/n") == "-P 2yn");
  CHECK(hall("Pbnm") == "-P 2c 2ab");
  CHECK(hall("I2/a") == "-I 2ya");
  CHECK(hall("Fd3m") == "-F 4vw 2vw 3");
  CHECK(hall("P 63/m m c") == "-P 6c 2c");
  CHECK(hall("P2(1)2(1)2(1)") == "P 2ac 2ab");
  CHECK(hall("P 21/C") == "-P 2ybc");
  CHECK(hall("B2/b") == "-B 2b");
  for (const char* one : {"F d -3 m:1", "Fd-3m:1", "Fd3m :1", "F d -3 m S", "227:1"})
    CHECK(hall(one) == "F 4d 2 3 -1d");
  for (const char* one : {"R -3 m", "R-3m:H", "R -3 m H", "R -3 m HR", "166", "166:h", "R -3 2/m"})
    CHECK(hall(one) == "-R 3 2\"");
  for (const char* one : {"R -3 m:R", "R-3m:r", "R -3 m RS", "166:R"}) CHECK(hall(one) == "-P 3* 2");
  for (const char* one : {"H 3 2", "R 3 2", "R32:H"}) CHECK(hall(one) == "R 3 2\"");
  CHECK(hall("62:cab") == "-P 2c 2ab");
  CHECK(hall("Cmme") == hall("C m m a"));
  CHECK(hall("C m m b") == "-C 2a 2a");
  CHECK(listed_setting(SpaceGroup::from_hall("P 4 2 -1ab"))->name == "P 4/n b m:1");
  CHECK(!listed_setting(SpaceGroup::from_hall("P 2 (0 1 0)")));
  CHECK(!listed_setting(SpaceGroup::layer(1)));
  CHECK(readable_hall(SpaceGroup::from_hall("P 2")) == "hall:P 2");

  CHECK(refusal_of_name("Aemm") == "'Aemm' may be A b m m (number 67) or A c m m (number 67); write one of these");
  CHECK(refusal_of_name("F d -3 m:3").find("no choice '3'") != std::string::npos);
  CHECK(refusal_of_name("P n m a:1").find("no choice '1'") != std::string::npos);
  CHECK(refusal_of_name("14:x").find("there are 14:b1, 14:b2") != std::string::npos);
  CHECK(refusal_of_name("1:2").find("it has no choice") != std::string::npos);
  CHECK(refusal_of_name("C 2 = P 1 2 1").find("two space groups") != std::string::npos);
  for (const char* wrong :
       {"Qm-3m", "=", ":1", "hm:", "hm:P 2y", "P21/q", "pm-3m", " ", "P", "hall:P 21/c", "227:", "999:1"})
    CHECK(refusal_of_name(wrong).find("read as") == std::string::npos);
}
