#include "io/expressions/group_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <vector>

#include "intertwine/io/edit_distance.hpp"
#include "intertwine/io/group_expression.hpp"

namespace intertwine {

namespace {

constexpr std::array<std::string_view, 7> indexed{"S", "A", "C", "D", "Q", "Dic", "B"};
constexpr std::array<std::string_view, 10> sporadic{"M11", "M12", "M22", "M23", "M24",
                                                    "J1",  "J2",  "HS",  "McL", "Co3"};
constexpr std::array<std::string_view, 9> point_groups{"T", "Td", "Th", "O", "Oh", "I", "Ih", "Cs", "Ci"};

struct Function {
  std::string_view word, example;
};
constexpr std::array<Function, 31> functions{{{"PSL", "PSL(2,7)"},
                                              {"PGL", "PGL(2,7)"},
                                              {"SL", "SL(2,3)"},
                                              {"GL", "GL(2,3)"},
                                              {"AGL", "AGL(1,5)"},
                                              {"ASL", "ASL(2,3)"},
                                              {"GammaL", "GammaL(2,4)"},
                                              {"PGammaL", "PGammaL(2,8)"},
                                              {"PSigmaL", "PSigmaL(2,9)"},
                                              {"AGammaL", "AGammaL(1,8)"},
                                              {"Sp", "Sp(4,3)"},
                                              {"PSp", "PSp(4,3)"},
                                              {"GU", "GU(3,2)"},
                                              {"SU", "SU(3,3)"},
                                              {"PGU", "PGU(3,2)"},
                                              {"PSU", "PSU(3,3)"},
                                              {"Sz", "Sz(8)"},
                                              {"W", "W(E6)"},
                                              {"point", "point(D3)"},
                                              {"p4m", "p4m(8,8)"},
                                              {"p4", "p4(8,8)"},
                                              {"p1", "p1(8,8)"},
                                              {"p2", "p2(8,8)"},
                                              {"pm", "pm(8,8)"},
                                              {"pmm", "pmm(8,8)"},
                                              {"pixels", "pixels(D4,8,8)"},
                                              {"Rubik", "Rubik(3)"},
                                              {"product_action", "product_action(S5 wr S2)"},
                                              {"aut", "aut(@graph.g6)"},
                                              {"SmallGroup", "SmallGroup(24,3)"},
                                              {"Group", "Group((1,2,3),(1,2))"}}};

/// Names that other systems use, also with "Group" behind, and the family that they mean.
struct Alias {
  std::string_view word, name;
};
constexpr std::array<Alias, 9> aliases{{{"Sym", "S"},
                                        {"Symmetric", "S"},
                                        {"Alt", "A"},
                                        {"Alternating", "A"},
                                        {"Z", "C"},
                                        {"Cyc", "C"},
                                        {"Cyclic", "C"},
                                        {"Dicyclic", "Dic"},
                                        {"Quaternion", "Q"}}};

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

bool is_indexed_family(std::string_view head) { return contains(indexed, head); }
bool is_sporadic_name(std::string_view word) { return contains(sporadic, word); }
bool is_polyhedral_or_small_point_group(std::string_view word) { return contains(point_groups, word); }

std::string_view example_of_function(std::string_view word) {
  for (const Function& function : functions)
    if (function.word == word) return function.example;
  return {};
}

std::string_view family_of_alias(std::string_view word) {
  if (word.ends_with("Group") && word != "Group") word.remove_suffix(5);
  for (const Alias& alias : aliases)
    if (alias.word == word) return alias.name;
  return {};
}

std::string nearest_known_name(std::string_view whole, std::string_view letters, std::string_view digits) {
  constexpr std::size_t longest = 24;  // of an unknown name, as far as it is compared
  const std::string head(letters.substr(0, longest));
  const std::string index = digits.empty() || digits.size() > 9 ? "5" : std::string(digits);
  const std::string word(whole.substr(0, longest));
  std::string best;
  std::size_t least = ~std::size_t{0};
  const auto offer = [&](std::string_view given, std::string_view key, std::string shown) {
    const std::size_t distance = edit_distance(given, key);
    if (distance >= least) return;
    least = distance;
    best = std::move(shown);
  };
  const auto completed = [&](std::string_view family) {
    return std::string(family) + (family == "Q" && digits.empty() ? "8" : index);
  };
  for (const std::string_view name : sporadic) offer(word, name, std::string(name));
  for (const std::string_view name : point_groups) offer(word, name, std::string(name));
  for (const Function& function : functions) offer(word, function.word, std::string(function.example));
  for (const std::string_view family : indexed) offer(head, family, completed(family));
  for (const Alias& alias : aliases) offer(head, alias.word, completed(alias.name));
  return best;
}

std::string known_groups() {
  return "S<n>, A<n>, C<n>               symmetric, alternating, cyclic: S5, A5, C12\n"
         "D<n>                           dihedral, of order 2n: D4 has order 8\n"
         "Q<4n>, Dic<n>                  quaternion and dicyclic, of order 4n: Q8, Q16, Dic3\n"
         "B<n>                           signed permutations of n axes\n"
         "GL(n,q), SL(n,q)               on the non-zero vectors of GF(q)^n\n"
         "PGL(n,q), PSL(n,q)             on the points of projective space\n"
         "AGL(n,q), ASL(n,q)             on all vectors of GF(q)^n\n"
         "GammaL PGammaL AGammaL PSigmaL  the same with the automorphisms of the field: PGammaL(2,8)\n"
         "Sp(n,q), PSp(n,q)              symplectic, on non-zero vectors and on points of GF(q)^n\n"
         "GU SU PGU PSU(n,q)             unitary, on isotropic vectors and points of GF(q^2)^n\n"
         "Sz(q)                          Suzuki's, on q^2 + 1 points: Sz(8)\n"
         "L2(7), U3(3)                   the ATLAS's names of PSL(2,7) and PSU(3,3)\n"
         "M11 M12 M22 M23 M24            Mathieu groups\n"
         "J1 J2 HS McL Co3               more sporadic groups\n"
         "SmallGroup(24,3)               all groups of order at most 127, as GAP numbers them\n"
         "W(E8)                          Weyl groups on their roots: A B C D<n>, E6 E7 E8, F4, G2, H3, H4\n"
         "T Td Th O Oh I Ih Cs Ci        point groups\n"
         "C<n>v C<n>h D<n>d D<n>h        axial point groups: C3v, D6h\n"
         "point(C3), point(D3), point(S4)  those whose symbols alone name other groups\n"
         "p1(h,w) p2 pm pmm p4 p4m       with the translations of the h x w torus\n"
         "pixels(D4,h,w)                 symmetries of a picture, without translations: C1 C2 C4 D1 D2 D4\n"
         "Rubik(2), Rubik(3)             the cube groups on 24 and 48 facelets\n"
         "G x H                          direct product; binds weaker than wr\n"
         "G^n                            direct product of n factors G; binds stronger than wr\n"
         "G wr H                         wreath product, imprimitive, on copies of the points of G\n"
         "product_action(G wr H)         wreath product on functions, in product action\n"
         "<(1,2,3,4,5),(1,2)>            generators in cycles; <(1,2)(7)> acts on 7 points\n"
         "Group((1,2,3),(1,2))           the same as GAP writes it\n"
         "<a,b | a^2, b^3, (a*b)^7>      generators and relations, where the enumeration of cosets closes\n"
         "aut(@graph.g6)                 automorphisms of a graph or matrix: .g6 .json .edges .col .npy\n"
         "@file.json                     {\"degree\": 5, \"generators\": [\"(1,2,3,4,5)\", [1,0,2,3,4]]}\n"
         "                               or matrices: {\"field\": \"Q\", \"generators\": "
         "[[[\"0\",\"-1\"],[\"1\",\"0\"]]]}\n";
}

}  // namespace intertwine
