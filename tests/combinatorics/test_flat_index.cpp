#include "intertwine/combinatorics/flat_index.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "support/random.hpp"

using namespace intertwine;

namespace {

struct NumberKey {
  std::uint64_t number;
  std::size_t hash() const { return number % 7; }  // keys meet in the table
  friend bool operator==(const NumberKey&, const NumberKey&) = default;
};

}  // namespace

TEST_CASE("lists and keys are numbered as they come, and found again", "[combinatorics][quick]") {
  Rng rng = test_rng();
  FlatIndex<Point> lists(3);
  KeyIndex<NumberKey> keys;
  std::map<std::vector<Point>, Point> number_of_list;
  std::map<std::uint64_t, std::uint32_t> number_of_key;
  CHECK(keys.find({1}) == KeyIndex<NumberKey>::none);
  for (int trial = 0; trial < 500 * test_multiplier(); ++trial) {
    const std::vector<Point> list = {Point(rng.below(6)), Point(rng.below(6)), Point(rng.below(6))};
    const Point known = static_cast<Point>(number_of_list.size());
    REQUIRE(lists.insert(list) == number_of_list.try_emplace(list, known).first->second);
    const NumberKey key{rng.below(200)};
    const auto next = static_cast<std::uint32_t>(number_of_key.size());
    REQUIRE(keys.insert(key) == number_of_key.try_emplace(key.number, next).first->second);
  }
  REQUIRE(lists.size() == number_of_list.size());
  for (const auto& [list, number] : number_of_list) REQUIRE(lists.find(list) == number);
  REQUIRE(keys.size() == number_of_key.size());
  for (const auto& [number, place] : number_of_key) REQUIRE(keys[place] == NumberKey{number});
  CHECK(lists.find(std::vector<Point>{6, 6, 6}) == FlatIndex<Point>::none);
  const FlatIndex<Point> sorted = lists.sorted();
  Point place = 0;
  for (const auto& [list, number] : number_of_list) REQUIRE(sorted.find(list) == place++);
  lists.truncate(1);
  CHECK(lists.size() == 1);
  CHECK(lists.find(sorted[0]) == (std::ranges::equal(lists[0], sorted[0]) ? 0 : FlatIndex<Point>::none));
}
