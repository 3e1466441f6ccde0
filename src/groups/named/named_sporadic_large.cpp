// Constructs sporadic groups on thousands of points.
#include "groups/named/named_sporadic_large.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <span>
#include <string>

#include "groups/named/named_sporadic_matrices.hpp"
#include "intertwine/combinatorics/flat_index.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/presentation.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine::named {

namespace {

/// The orbit of a list under maps, which must have the size stated, and the maps as permutations of it.
template <class T>
struct OrbitOfLists {
  using List = std::vector<T>;
  using Map = std::function<List(std::span<const T>)>;

  OrbitOfLists(const List& start, std::span<const Map> maps, std::size_t size) : lists(start.size()) {
    images.resize(maps.size());
    lists.insert(start);
    for (std::size_t i = 0; i < lists.size() && lists.size() <= size; ++i)
      for (std::size_t k = 0; k < maps.size(); ++k) {
        const List image = maps[k](lists[i]);
        images[k].push_back(lists.insert(image));
      }
    if (lists.size() != size) throw InternalError("sporadic_group: an orbit of vectors has the wrong size");
  }

  FlatIndex<T> lists;
  std::vector<std::vector<Point>> images;
};

using CodeWord = std::uint32_t;  ///< a word of length 24

/// The extended Golay code that M24 = sporadic_group("M24") preserves: an octad's images span it.
std::vector<CodeWord> golay_code(const FiniteGroup& M24) {
  std::vector<CodeWord> basis, orbit{0b1010010011111};  // {0, 1, 2, 3, 4, 7, 10, 12}
  std::set<CodeWord> seen(orbit.begin(), orbit.end());
  for (std::size_t i = 0; i < orbit.size(); ++i) {
    CodeWord rest = orbit[i];
    for (const CodeWord b : basis) rest = std::min(rest, rest ^ b);
    if (rest != 0) basis.push_back(rest);
    for (const Permutation& g : M24.generators()) {
      CodeWord image = 0;
      for (Point x = 0; x < 24; ++x)
        if (orbit[i] >> x & 1) image |= CodeWord{1} << g(x);
      if (seen.insert(image).second) orbit.push_back(image);
    }
  }
  if (basis.size() != 12 || orbit.size() != 759) throw InternalError("sporadic_group: this is no Golay code");
  return orbit;
}

using LatticeVector = std::vector<std::int8_t>;
using LatticeMap = OrbitOfLists<std::int8_t>::Map;

LatticeMap sign_change(CodeWord C) {
  return [C](std::span<const std::int8_t> x) {
    LatticeVector y(x.begin(), x.end());
    for (std::size_t i = 0; i < y.size(); ++i)
      if (C >> i & 1) y[i] = static_cast<std::int8_t>(-y[i]);
    return y;
  };
}

LatticeMap coordinate_permutation(const Permutation& g) {
  return [g](std::span<const std::int8_t> x) {
    LatticeVector y(x.size());
    for (Point i = 0; i < g.degree(); ++i) y[g(i)] = x[i];
    return y;
  };
}

/// Conway's element xi_T: half the sum over its tetrad of a sextet is taken from every coordinate, then the signs of the
/// tetrad T are changed.
LatticeMap conway_element(std::vector<CodeWord> sextet, CodeWord T) {
  return [sextet = std::move(sextet), change = sign_change(T)](std::span<const std::int8_t> x) {
    LatticeVector y(x.begin(), x.end());
    for (const CodeWord tetrad : sextet) {
      int sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (tetrad >> i & 1) sum += x[i];
      for (std::size_t i = 0; i < x.size(); ++i)
        if (tetrad >> i & 1) y[i] = static_cast<std::int8_t>(x[i] - sum / 2);
    }
    return change(y);
  };
}

/// The first two of the elements that generate M22 = <all of them>; all of them if no two do.
std::vector<Permutation> two_generators(const std::vector<Permutation>& all) {
  const Integer order = FiniteGroup(24, all).order();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (FiniteGroup(24, {all[i], all[j]}).order() == order) return {all[i], all[j]};
  return all;
}

}  // namespace

/// Coordinates are those of Conway & Sloane times the square root of 8: vectors of type 2 have norm 32. The stabilizer
/// of v = 4 e_23 - 4 e_22 contains M22, the signs of an octad that has neither, and xi_T for a sextet that has both in
/// another tetrad. Points are the pairs {w, v - w} of vectors of type 2.
std::vector<Permutation> conway_2_generators() {
  const FiniteGroup M24 = sporadic_group("M24");
  const std::vector<CodeWord> octads = golay_code(M24);
  constexpr CodeWord two = 3U << 22, tetrad = two | 3U;
  std::vector<LatticeMap> maps;
  const std::array<Point, 2> base{23, 22};
  for (const Permutation& g : two_generators(StabilizerChain(24, M24.generators(), base).stabilizer_generators(2)))
    maps.push_back(coordinate_permutation(g));
  maps.push_back(sign_change(*std::ranges::find_if(octads, [](CodeWord C) { return (C & two) == 0; })));
  std::vector<CodeWord> sextet{tetrad};
  for (const CodeWord C : octads)
    if ((C & tetrad) == tetrad) sextet.push_back(C & ~tetrad);
  maps.push_back(conway_element(sextet, sextet.back()));

  constexpr std::size_t pairs = 2300;
  LatticeVector v(24, 0), w(24, 0);
  v[23] = 4, v[22] = -4, w[23] = 4, w[0] = 4;
  const OrbitOfLists<std::int8_t> orbit(w, maps, 2 * pairs);
  std::vector<Point> number(2 * pairs, FlatIndex<std::int8_t>::none), first;
  for (Point i = 0; i < 2 * pairs; ++i) {
    LatticeVector other = v;
    for (std::size_t x = 0; x < other.size(); ++x) other[x] = static_cast<std::int8_t>(v[x] - orbit.lists[i][x]);
    const Point j = orbit.lists.find(other);
    if (j == FlatIndex<std::int8_t>::none) throw InternalError("sporadic_group: v - w is not in the orbit of w");
    if (j < i) continue;
    number[i] = number[j] = static_cast<Point>(first.size());
    first.push_back(i);
  }
  std::vector<Permutation> result;
  for (const auto& images : orbit.images) {
    std::vector<Point> on_pairs;
    for (const Point i : first) on_pairs.push_back(number[images[i]]);
    result.push_back(Permutation::unchecked(std::move(on_pairs)));
  }
  return result;
}

namespace {

/// Capitals are inverses.
Word word_of_letters(std::string_view letters, unsigned times = 1) {
  Word result;
  for (; times > 0; --times)
    for (const char x : letters) result.push_back(x >= 'a' ? x - 'a' + 1 : -(x - 'A' + 1));
  return result;
}

}  // namespace

/// Involutions a, b, c, ... along a line whose products of neighbours have order 3, but (cd)^8 = 1, with a = (cd)^4 and
/// (bcde)^8 = 1: a, ..., e generate U3(3):2, with f it is J2:2, with g G2(4):2, with h 3.Suz:2, each the stabilizer of a
/// point of the next one [Conway et al. 1985]. a, b, c lie in the simple group, the others do not.
std::vector<Permutation> suzuki_chain_generators(std::string_view name, const Task& task) {
  const bool Suz = name == "Suz";
  const std::string_view letters = Suz ? "abcdefgh" : "abcdefg";
  Presentation P;
  std::vector<Word> subgroup;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    P.generators.emplace_back(1, letters[i]);
    P.relators.push_back(word_of_letters(letters.substr(i, 1), 2));
    for (std::size_t j = i + 1; j < letters.size(); ++j)
      P.relators.push_back(word_of_letters(std::string{letters[i], letters[j]}, j > i + 1           ? 2
                                                                                : letters[i] == 'c' ? 8
                                                                                                    : 3));
    if (i + 1 < letters.size()) subgroup.push_back(word_of_letters(letters.substr(i, 1)));
  }
  P.relators.push_back(word_of_letters("acdcdcdcd"));
  P.relators.push_back(word_of_letters("bcde", 8));
  if (Suz) subgroup.push_back(word_of_letters("gecfdhcbd", 13));  // generates the normal subgroup of order 3
  const CosetTable table = enumerate_cosets(P, subgroup, 1U << 20, task);
  std::vector<Permutation> result;
  for (const std::string_view word :
       Suz ? std::array<std::string_view, 2>{"ef", "bcdegh"} : std::array<std::string_view, 2>{"a", "bcdefg"}) {
    Permutation g = Permutation::identity(table.cosets);
    for (const char x : word)  // the left action: (x y) c = x (y c)
      g = g * Permutation::unchecked(table.actions[static_cast<std::size_t>(x - 'a')]).inverse();
    result.push_back(std::move(g));
  }
  return result;
}

/// The first two words generate PSL(2,16), of index 12312; the third takes it to the other coset that it leaves where it is, and into its normalizer PSL(2,16):2.
std::vector<Permutation> janko_3_generators(const Task& task) {
  Presentation P{{"a", "b"}, {}};
  for (const auto& [letters, times] : {std::pair{"a", 2U},
                                       {"b", 3U},
                                       {"ab", 19U},
                                       {"aBab", 9U},
                                       {"ababababababaBaBaBaBaB", 2U},
                                       {"ababaBababaBabaBaBabaB", 2U},
                                       {"abababaBabaBabaBabababaBabaBabaBabaBaBabaBabaBabaB", 1U},
                                       {"ababababaBabaB", 4U}})
    P.relators.push_back(word_of_letters(letters, times));
  const std::vector<Word> subgroup{word_of_letters("a"), word_of_letters("abaBaB"),
                                   word_of_letters("BaBababababaBaBabababababaBabab")};
  std::vector<Permutation> result;
  for (const std::vector<Point>& action : enumerate_cosets(P, subgroup, 1U << 20, task).actions)
    result.push_back(Permutation::unchecked(action));
  return result;
}

std::vector<Permutation> binary_matrix_generators(std::string_view name) {
  struct Entry {
    std::string_view name;
    std::size_t dimension, points;
    std::span<const char* const> matrices;
  };
  const Entry entries[] = {
      {"He", 51, 2058, he_matrices}, {"Ru", 28, 4060, ru_matrices}, {"Fi22", 78, 3510, fi22_matrices}};
  const Entry& group = *std::ranges::find(entries, name, &Entry::name);
  const std::size_t digits = (group.dimension + 3) / 4;
  using Row = std::vector<std::uint8_t>;  // a hexadecimal digit each
  std::vector<OrbitOfLists<std::uint8_t>::Map> maps;
  for (const std::string_view text : group.matrices) {
    std::vector<Row> rows(group.dimension);
    for (std::size_t k = 0; k < text.size(); ++k)
      rows.at(k / digits).push_back(static_cast<std::uint8_t>(text[k] >= 'a' ? text[k] - 'a' + 10 : text[k] - '0'));
    maps.emplace_back([rows = std::move(rows), digits](std::span<const std::uint8_t> x) {
      Row y(digits, 0);
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (x[i / 4] >> (3 - i % 4) & 1)
          for (std::size_t k = 0; k < digits; ++k) y[k] ^= rows[i][k];
      return y;
    });
  }
  Row start(digits, 0);
  start[0] = 8;
  std::vector<Permutation> result;
  for (auto& images : OrbitOfLists<std::uint8_t>(start, maps, group.points).images)
    result.push_back(Permutation::unchecked(std::move(images)));
  return result;
}

}  // namespace intertwine::named
