// The names of group families, and hints for names that are known elsewhere.
#include "io/expressions/group_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/space_groups.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/edit_distance.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/reductive/axial_character.hpp"
#include "io/containers/text.hpp"
#include "io/expressions/word_list.hpp"

namespace intertwine {

namespace {

constexpr std::array<std::string_view, 7> indexed_families{"S", "A", "C", "D", "Q", "Dic", "B"};
constexpr std::array<std::string_view, 16> sporadic{"M11", "M12", "M22", "M23", "M24", "J1", "J2", "J3",
                                                    "HS",  "McL", "Co3", "Co2", "Suz", "He", "Ru", "Fi22"};
constexpr std::array<std::string_view, 9> point_groups{"T", "Td", "Th", "O", "Oh", "I", "Ih", "Cs", "Ci"};

/// make: where two numbers in parentheses are all that the family takes.
struct Function {
  std::string_view word, example;
  TwoParameters make = nullptr;
};
constexpr Function functions[] = {
    {"PSL", "PSL(2,7)", projective_special_linear_group},
    {"PGL", "PGL(2,7)", projective_general_linear_group},
    {"SL", "SL(2,3)", special_linear_group},
    {"GL", "GL(2,3)", general_linear_group},
    {"AGL", "AGL(1,5)", affine_general_linear_group},
    {"ASL", "ASL(2,3)", affine_special_linear_group},
    {"GammaL", "GammaL(2,4)", semilinear_group},
    {"PGammaL", "PGammaL(2,8)", projective_semilinear_group},
    {"PSigmaL", "PSigmaL(2,9)", projective_special_semilinear_group},
    {"AGammaL", "AGammaL(1,8)", affine_semilinear_group},
    {"Sp", "Sp(4,3)", symplectic_group},
    {"PSp", "PSp(4,3)", projective_symplectic_group},
    {"GU", "GU(3,2)", general_unitary_group},
    {"SU", "SU(3,3)", special_unitary_group},
    {"PGU", "PGU(3,2)", projective_general_unitary_group},
    {"PSU", "PSU(3,3)", projective_special_unitary_group},
    {"GO", "GO+(4,3)"},
    {"SO", "SO(1,4,3)"},
    {"Omega", "Omega(5,3)"},
    {"PGO", "PGO-(4,3)"},
    {"PSO", "PSO(5,3)"},
    {"POmega", "POmega-(6,2)"},
    {"Sz", "Sz(8)"},
    {"G2", "G2(3)"},
    {"3D4", "3D4(2)"},
    {"Ree", "Ree(27)"},
    {"W", "W(E6)"},
    {"point", "point(D3)"},
    {"double", "double(Oh)"},
    {"p4m", "p4m(8,8)"},
    {"p4", "p4(8,8)"},
    {"p1", "p1(8,8)"},
    {"p2", "p2(8,8)"},
    {"pm", "pm(8,8)"},
    {"pmm", "pmm(8,8)"},
    {"pg", "pg(8,8)"},
    {"cm", "cm(8,8)"},
    {"pmg", "pmg(8,8)"},
    {"pgg", "pgg(8,8)"},
    {"cmm", "cmm(8,8)"},
    {"p4g", "p4g(8,8)"},
    {"p3", "p3(6,6)"},
    {"p3m1", "p3m1(6,6)"},
    {"p31m", "p31m(6,6)"},
    {"p6", "p6(6,6)"},
    {"p6m", "p6m(6,6)"},
    {"space", "space(225,2,2,2)"},
    {"rod", "rod(p4_2/mmc,3)"},
    {"layer", "layer(p4/nmm,2,2)"},
    {"young", "young([3,2])"},
    {"pixels", "pixels(D4,8,8)"},
    {"Rubik", "Rubik(3)"},
    {"product_action", "product_action(S5 wr S2)"},
    {"aut", "aut(@graph.g6)"},
    {"Hol", "Hol(C7)"},
    {"SmallGroup", "SmallGroup(24,3)", [](unsigned order, unsigned k, const Task&) { return small_group(order, k); }},
    {"TransitiveGroup", "TransitiveGroup(8,12)",
     [](unsigned degree, unsigned k, const Task&) { return transitive_group(degree, k); }},
    {"PrimitiveGroup", "PrimitiveGroup(11,6)",
     [](unsigned degree, unsigned k, const Task&) { return primitive_group(degree, k); }},
    {"Group", "Group((1,2,3),(1,2))"}};

/// Names that other systems use, also with "Group" behind, and the family that they mean.
constexpr std::string_view aliases =
    "S_=S symmetric=S alternating=A cyclic=C A_=A C_=C D_=D Z_=C Sym=S Symmetric=S Alt=A Alternating=A Z=C "
    "Cyc=C Cyclic=C Dicyclic=Dic Quaternion=Q Q_=Q Dic_=Dic B_=B Hyperoctahedral=B hyperoctahedral=B "
    "symmetric_group=S alternating_group=A cyclic_group=C dihedral=D dicyclic=Dic quaternion=Q";

/// International symbols of point groups where no other group has them, and other spellings.
constexpr std::string_view spellings =
    "2T=SL(2,3) 2O=SmallGroup(48,28) 2I=SL(2,5) 2.A4=SL(2,3) 2.S4=SmallGroup(48,28) 2.A5=SL(2,5) "
    "2.A6=SL(2,9) BinaryTetrahedral=SL(2,3) BinaryOctahedral=SmallGroup(48,28) BinaryIcosahedral=SL(2,5) "
    "ΓL=GammaL PΓL=PGammaL AΓL=AGammaL m-3m=Oh WeylGroup=W Weyl=W CoxeterGroup=W PermutationGroup=Group "
    "RubiksCube=Rubik(3) RubikCube=Rubik(3) RubiksCubeGroup=Rubik(3) "
    "PocketCube=Rubik(2) m3m=Oh -43m=Td 432=O m-3=Th m3=Th "
    "23=T 4/mmm=D4h 6/mmm=D6h mmm=D2h -3m=D3d -42m=D2d -6m2=D3h 4mm=C4v 6mm=C6v 3m=C3v mm2=C2v 2/m=C2h "
    "4/m=C4h 6/m=C6h -6=C3h -1=Ci -4=point(S4) -3=point(S6) 222=point(D2) 32=point(D3) 422=point(D4) "
    "622=point(D6) O_h=Oh T_d=Td T_h=Th I_h=Ih C_s=Cs C_i=Ci C3i=point(S6) p4mm=p4m p2mm=pmm p1m1=pm p211=p2 "
    "GeneralLinearGroup=GL SpecialLinearGroup=SL ProjectiveGeneralLinearGroup=PGL "
    "ProjectiveSpecialLinearGroup=PSL "
    "SymplecticGroup=Sp ProjectiveSymplecticGroup=PSp GeneralUnitaryGroup=GU SpecialUnitaryGroup=SU "
    "ProjectiveGeneralUnitaryGroup=PGU ProjectiveSpecialUnitaryGroup=PSU SuzukiGroup=Sz ReeGroup=Ree "
    "Aut=aut AutomorphismGroup=aut Automorphisms=aut Holomorph=Hol p1g1=pg c1m1=cm p2mg=pmg p2gg=pgg "
    "c2mm=cmm p4gm=p4g p6mm=p6m";

/// A thing that is known by a name elsewhere and is not here, or has another name.
struct Foreign {
  std::string_view names, what;
};
constexpr Foreign foreign[] = {
    {"E6 E7 E8 F4", "is a type of Lie algebra; its finite group, the Weyl group, is W({})"},
    {"G2", "is a type of Lie algebra, with the Weyl group W(G2), and a family of groups of Lie type, as G2(3)"},
    {"R",
     "is ATLAS for a Ree group, written Ree(27); R^n : G, a finite group that turns space as in R^3 : Oh, is "
     "for "
     "`kernels` alone"},
    {"E SE SE2 SE3 E2 E3 ISpin ISO",
     "is a continuous group, and a group here is finite: p4m(8,8) has the motions of a torus; `kernels` "
     "takes SE(3), E(2) and ISpin(3), for convolutions on R^n"},
    {"Spin Pin SL2R Lorentz Poincare",
     "is a continuous group, and a group here is finite: C<n> and D<n> turn and reflect a plane, T, O, I, "
     "Td, Oh and Ih act in space, p4m(8,8) has shifts as well"},
    {"C∞ D∞ C∞h",
     "is written by what it is: C∞ is SO(2), D∞ is O(2), and C∞h is SO(2) x Ci; C∞v and D∞h are known by "
     "their names"},
    {"USp", "is the compact symplectic group, written Sp(2n), as Sp(4): `decompose`, `basis` and others take it"},
    {"Kh K", "is a continuous group, all rotations of a sphere; the largest finite ones are Ih and Oh"},
    {"L L2 L3", "is ATLAS for a projective special linear group, written L2(7) or PSL(2,7)"},
    {"U U3 U4", "is ATLAS for a projective special unitary group, written U3(3) or PSU(3,3), and U(n) is continuous"},
    {"O4 O5 O6 O7 O8 O9 O10", "is ATLAS for a simple orthogonal group, written O7(3), O8+(2) or POmega+(8,2)"},
    {"J4 Co1 Fi23 Fi24 ON Ly HN B2M Monster Baby BabyMonster M",
     "is a sporadic group that is not here; those that are: M11 M12 M22 M23 M24 J1 J2 J3 HS McL Co3 Co2 Suz "
     "He "
     "Ru Fi22"},
    {"V4 K4 Klein V_4 KleinFourGroup KleinFour Klein4",
     "is Klein's four-group: C2 x C2, or on four points <(1,2)(3,4),(1,3)(2,4)>"},
    {"H3 H4", "is a type of reflection groups, written W({})"},
    {"Lie",
     "is for reductive groups by their types, which are infinite: `decompose` and `branch` take Lie(E8), and "
     "finite groups of a type are W(E8) and, as G2(3), those of Lie type"},
    {"AbelianGroup Abelian AbelianInvariants", "is written as a product of cyclic groups, as in C2 x C4"},
    {"Extraspecial", "groups are written 2^(1+4)+ and 3^(1+2)-"},
    {"DirectProduct direct_product", "is written with x between the groups, as in S3 x C2"},
    {"WreathProduct wreath_product", "is written with wr, as in S3 wr S2"},
    {"Mathieu MathieuGroup", "groups are written M11, M12, M22, M23 and M24"},
    {"Trivial trivial TrivialGroup", "is the group C1"},
    {"Translation Translations translations Torus", "groups of a torus of 8 x 8 pixels are p1(8,8)"},
    {"rot2dOnR2 flipRot2dOnR2 trivialOnR2 rot3dOnR3 flipRot3dOnR3 octaOnR3 icoOnR3",
     "is of escnn: N rotations of the plane are C<n> here, with reflections D<n>, and all of them SO(2) and "
     "O(2); in space SO(3), O(3), O and I"},
    {"cubic hexagonal tetragonal trigonal rhombohedral orthorhombic monoclinic triclinic",
     "is a crystal system, of several point groups: name one, as m-3m, 6/mmm, 4/mmm, -3m, mmm, 2/m or -1"},
    {"F", "is a Frobenius group, as F20, or a free group, which is infinite"},
    {"M16", "is the modular group for some, written Mod16; Mathieu groups are M11, M12, M22, M23 and M24"},
    {"Pm Fm Im Fd Pa Ia Pn",
     "begins a space group, which is infinite: space(Pm-3m,2,2,2) has periodic boundaries after 2 cells; its "
     "point group acts in space, as Oh does for Pm-3m"},
    {"Z", "is the cyclic group C<n>, as in C6"},
    {"Braid Free BS", "is infinite or not here; a group here is finite, as S5 or <(1,2,3),(1,2)>"}};

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

bool is_orthogonal_family(std::string_view word) { return is_listed("GO SO Omega PGO PSO POmega", word); }
bool is_indexed_family(std::string_view head) { return contains(indexed_families, head); }
bool is_sporadic_name(std::string_view word) { return contains(sporadic, word); }
bool is_polyhedral_or_small_point_group(std::string_view word) { return contains(point_groups, word); }

std::string_view example_of_function(std::string_view word) {
  for (const Function& function : functions)
    if (function.word == word) return function.example;
  return {};
}

TwoParameters family_of_two_parameters(std::string_view word) {
  const auto* found = std::ranges::find(functions, word, &Function::word);
  return found == std::end(functions) ? nullptr : found->make;
}

std::string_view family_of_alias(std::string_view word) {
  if (word.ends_with("Group") && word != "Group") word.remove_suffix(5);
  return meaning_of(aliases, word);
}

std::string_view family_by_order(std::string_view word) {
  if (word.ends_with("Group")) word.remove_suffix(5);
  return meaning_of(
      "SD=SD QD=SD Semidihedral=SD SemiDihedral=SD Quasidihedral=SD QuasiDihedral=SD Mod=Mod Modular=Mod "
      "He=He "
      "Heisenberg=He F=F F_=F Frob=F Frobenius=F",
      word);
}

std::string_view known_name_of(std::string_view word) {
  const std::string_view name = meaning_of(spellings, word);
  return name.empty() ? word : name;
}

std::string with_plain_digits(std::string_view text) {
  constexpr std::string_view above[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  constexpr std::string_view below[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
  std::string plain;
  if (text.find('@') != std::string_view::npos) return std::string(text);
  bool raised = false;
  while (!text.empty()) {
    const auto is_next = [&](std::string_view sign) { return text.starts_with(sign); };
    const auto up = std::ranges::find_if(above, is_next), down = std::ranges::find_if(below, is_next);
    const bool superscript = up != std::end(above);
    if (superscript && !raised) plain += '^';
    raised = superscript;
    std::size_t length = 1;
    if (superscript || down != std::end(below)) {
      plain += static_cast<char>('0' + (superscript ? up - std::begin(above) : down - std::begin(below)));
      length = superscript ? up->size() : down->size();
    } else {
      plain += text[0];
    }
    text.remove_prefix(length);
  }
  return plain;
}

std::string foreign_name(std::string_view word) {
  for (const Foreign& entry : foreign)
    if (is_listed(entry.names, word)) {
      std::string text = std::string(word) + " " + std::string(entry.what);
      if (const std::size_t place = text.find("{}"); place != std::string::npos) text.replace(place, 2, word);
      return text;
    }
  return {};
}

std::vector<std::string> group_name_examples() {
  std::vector<std::string> examples = {"S4", "S5", "A4", "A5", "C4", "C6", "D4", "D6", "Q8", "Dic3", "B3"};
  for (const std::string_view name : sporadic) examples.emplace_back(name);
  for (const std::string_view name : point_groups) examples.emplace_back(name);
  for (const char* name : {"C2v", "C3v", "C4v", "C2h", "D2d", "D3d", "D2h", "D3h", "D4h", "D6h"})
    examples.emplace_back(name);
  for (const Function& function : functions) examples.emplace_back(function.example);
  return examples;
}

std::string space_group_written(std::string_view name) {
  if (name.empty() || std::string_view("PIFCRA").find(name[0]) == std::string_view::npos) return {};
  // C2, A4 and F20 are finite groups; of a letter and digits only the usual names are those of space groups, as P2.
  const bool digits = name.find_first_not_of("0123456789_", 1) == std::string_view::npos;
  if (name[0] == 'C' && digits) return {};
  try {
    const unsigned number = space_group_number(name);
    std::string usual(space_group_name(number));
    if (name.find('_') == std::string_view::npos) std::erase(usual, '_');
    if (digits && name != usual) return {};
    const std::string points = point_group_symbol(SpaceGroup::numbered(number));
    const bool shared = points.find_first_not_of("CDS0123456789") == std::string::npos;  // C2 is cyclic as well
    std::string plane(name);
    plane[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(plane[0])));
    const std::string_view example = example_of_function(plane);
    return fmt::format(
        "{0} is a space group, which is infinite: space({0},2,2,2) has periodic boundaries after 2 cells "
        "along "
        "each axis; its point group is {1}{2}",
        name, shared ? "point(" + points + ")" : points,
        example.empty() ? "" : fmt::format("; the plane group {} is {}", plane, example));
  } catch (const Error&) {
    return {};
  }
}

std::string type_not_here(std::string_view text) {
  const std::string_view type = text.substr(0, text.find('('));
  const bool twisted = is_listed("2E6 2F4", type);
  if (type.size() == text.size() || (!twisted && !is_listed("E6 E7 E8 F4", type))) return {};
  return fmt::format(
      "{}(q) is a {}group of Lie type that is not here; those that are: G2(q), 3D4(2), Sz(q), Ree(27) and "
      "the "
      "classical ones, as PSL(3,2), PSU(3,3) and POmega+(8,2){}",
      type, twisted ? "twisted " : "", twisted ? "" : fmt::format("; the Weyl group of {0} is W({0})", type));
}

std::string nearest_known_name(std::string_view whole, std::string_view letters, std::string_view digits) {
  constexpr std::size_t longest = 24;  // of an unknown name, as far as it is compared
  const std::string head(letters.substr(0, longest));
  const std::string index = digits.empty() || digits.size() > 9 ? "5" : std::string(digits);
  const std::string word(whole.substr(0, longest));
  std::string best;
  std::size_t least = ~std::size_t{0};
  // One letter may have the wrong case, two to five letters one wrong letter, more letters two: SO is not O, E8 is not
  // S8.
  const auto near = [](std::string_view given, std::string_view key) {
    const std::size_t length = std::min(given.size(), key.size());
    return length == 1 ? (given.size() == 2 && given[1] == 'n' ? 2U : 1U) : length < 3 ? 1U : length < 6 ? 2U : 4U;
  };
  const auto offer = [&](std::string_view given, std::string_view key, std::string shown) {
    const std::size_t distance = edit_distance(given, key);
    if (distance >= least || distance > near(given, key)) return;
    least = distance;
    best = std::move(shown);
  };
  const auto completed = [&](std::string_view family) {
    return std::string(family) + (family == "Q" && digits.empty() ? "8" : index);
  };
  for (const std::string_view name : sporadic) offer(word, name, std::string(name));
  for (const std::string_view name : point_groups) offer(word, name, std::string(name));
  for (const Function& function : functions) offer(word, function.word, std::string(function.example));
  for (const std::string_view family : indexed_families) offer(head, family, completed(family));
  for (const std::string_view pair : words_of(aliases))
    offer(head, pair.substr(0, pair.find('=')), completed(pair.substr(pair.find('=') + 1)));
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
         "GO(n,q), GO+(n,q), GO-(n,q)    orthogonal, n odd or even, on singular vectors or points of "
         "GF(q)^n, as GO(0,5,3), "
         "GO(1,4,3)\n"
         "SO Omega PGO PSO POmega        the same; SO(1,4,3) and SO(0,5,3) always with the sign, SO(5,3) is "
         "continuous\n"
         "Sz(q)                          Suzuki's, on q^2 + 1 points: Sz(8)\n"
         "L2(7), U3(3), S4(3), O7(3), O8+(2)  the ATLAS's names of PSL(2,7), PSU(3,3), PSp(4,3), "
         "POmega(7,3), "
         "POmega+(8,2)\n"
         "M11 M12 M22 M23 M24            Mathieu groups; M10 is the stabilizer of a point in M11\n"
         "AbelianGroup([2,4])            and other functions of GAP: DihedralGroup(8) is D4, of order 8\n"
         "J1 J2 HS McL Co3               more sporadic groups\n"
         "Co2 Suz He Ru Fi22 J3          those on 1782 to 6156 points\n"
         "G2(q)                          of Lie type, on (q^6-1)/(q-1) points, G2(4) on 416\n"
         "3D4(2), Ree(27)                on 819 and 19684 points; 2G2(27) and 2B2(8) are Ree(27) and Sz(8)\n"
         "SmallGroup(24,3)               all groups of order at most 511 but 256 and 384, as GAP numbers "
         "them\n"
         "TransitiveGroup(8,12)          all transitive groups of degree at most 15, as GAP numbers them\n"
         "PrimitiveGroup(11,6)           all primitive groups of degree at most 127, as GAP numbers them\n"
         "W(E8)                          Weyl groups on their roots: A B C D<n>, E6 E7 E8, F4, G2, H3, H4\n"
         "T Td Th O Oh I Ih Cs Ci        point groups\n"
         "C<n>v C<n>h D<n>d D<n>h        axial point groups: C3v, D6h\n"
         "point(C3), point(D3), point(S4)  those whose symbols alone name other groups\n"
         "p1(h,w) p2 pm pg cm pmm pmg pgg cmm p4 p4m p4g  plane groups on the h x w torus of pixels\n"
         "p3(n,n) p3m1 p31m p6 p6m       the hexagonal ones\n"
         "space(225,2,2,2)               a space group on 2 x 2 x 2 cells, by number, as P 31 2 1 or as \"-F "
         "4 "
         "2 3\"\n"
         "space(225,2,2,2; 0,0,1/2)      the same on the orbit of a position\n"
         "rod(p4_2/mmc,3), layer(p4/nmm,2,2)  the 75 rod groups on 3 cells along c, the 80 layer groups on 2 "
         "x 2\n"
         "young([3,2])                   the permutations within 3 and within 2 points\n"
         "pixels(D4,h,w)                 symmetries of a picture, without translations: C1 C2 C4 D1 D2 D4\n"
         "Rubik(2), Rubik(3)             the cube groups on 24 and 48 facelets\n"
         "G x H                          direct product; binds weaker than wr\n"
         "G^n                            direct product of n factors G; binds stronger than wr\n"
         "G wr H                         wreath product, imprimitive, on copies of the points of G\n"
         "product_action(G wr H)         wreath product on functions, in product action\n"
         "C7:C3(2)                       semidirect product, a generator of C3 takes x to x^2\n"
         "C7:C3, C2^3:C7, C2^3:PSL(3,2)  the one that is not direct, where there is one only; binds stronger "
         "than x and wr\n"
         "C4 o D4                        central product, the largest central subgroups identified\n"
         "2^(1+4)+, 3^(1+2)-, He3        extraspecial groups, also 2^{1+4}_+; He<p> is p^(1+2)+\n"
         "SD16, Mod16                    semidihedral and modular, C8:C2(3) and C8:C2(5); QD16 and M4(2)\n"
         "F5, F20, F21                   Frobenius groups: AGL(1,5) of order 20, by q or by the order\n"
         "Aut(Q8), Hol(C7)               automorphisms of a group, and the group with them\n"
         "2T 2O 2I, 2.A5, 2.L2(7)        double covers: SL(2,3), SmallGroup(48,28), SL(2,5), SL(2,7)\n"
         "2.A7 3.A6 3.A7 6.A6 6.A7 2.M12 2.J2  covers of these groups\n"
         "2.S5+, 2.S5-                   double covers of S4 to S7, by the order over a transposition: 2 or "
         "4\n"
         "double(Oh), 2.Oh               double groups of point groups, with spinors E1/2, E5/2, F3/2\n"
         "<(1,2,3,4,5),(1,2)>            generators in cycles; <(1,2)(7)> acts on 7 points\n"
         "Group((1,2,3),(1,2))           the same as GAP writes it\n"
         "<a,b | a^2, b^3, (a*b)^7>      generators and relations, where the enumeration of cosets closes\n"
         "aut(@graph.g6)                 automorphisms of a graph, hypergraph or matrix: .g6 .s6 .json "
         ".edges .col "
         ".npy\n"
         "aut(@m.npy, rows)              of a matrix with any sides: its rows and columns are permuted "
         "apart\n"
         "aut(@m.npy, rows, signs)       and may change their signs\n"
         "@file.json                     {\"degree\": 5, \"generators\": [\"(1,2,3,4,5)\", [1,0,2,3,4]]}\n"
         "                               or matrices: {\"field\": \"Q\", \"generators\": "
         "[[[\"0\",\"-1\"],[\"1\",\"0\"]]]}\n";
}

std::string two_readings(std::string_view name) {
  if (!is_listed("SO13 SO31 O13 O31", name)) return {};
  const std::string_view family = name.substr(0, name.size() - 2), numbers = name.substr(name.size() - 2);
  return fmt::format(
      "{0} may be {1}({2}), of {2} axes, or {1}({3},{4}), of space and time; write {1}({2}), or "
      "{5}({3},{4}){6}",
      name, family, numbers, numbers[0], numbers[1], family == "SO" ? "SO+" : "O",
      family == "SO" ? " for its component of 1" : "");
}

std::string finite_orthogonal_name(std::string_view family, std::uint64_t n, std::uint64_t q) {
  if (n < 2 || !prime_power(q)) return {};
  return fmt::format("{}({},{},{})", family, n % 2 == 0 ? 1 : 0, n, q);
}

namespace {

/// ", such as GL(3,3)" for "GL(3)", which is continuous, GO(1,4,3) for "O(4,3)" and D6h for D∞h; empty for products and
/// where there is none.
std::string finite_namesake(std::string_view name) {
  if (names_axial_group(name)) return axial_group_has_centre(name) ? ", such as D6h" : ", such as C6v";
  const std::size_t opened = name.find('(');
  const std::string_view family = name.substr(0, opened);
  if (opened == std::string_view::npos || !name.ends_with(')') || name.find(' ') != std::string_view::npos) return {};
  const std::string_view numbers = name.substr(opened + 1, name.size() - opened - 2);
  if (family == "O" || family == "SO" || family == "SO+") {
    const std::size_t comma = numbers.find(',');
    if (comma == std::string_view::npos) return {};  // who writes O(3) means rotations, not a field
    const std::uint64_t n = std::stoul(std::string(numbers.substr(0, comma)));
    const std::uint64_t q = std::stoul(std::string(numbers.substr(comma + 1)));
    const std::string finite = finite_orthogonal_name(family == "O" ? "GO" : "SO", n, q);
    return finite.empty() ? finite : ", such as " + finite;
  }
  const std::string_view finite = family == "U" ? "PSU" : family;  // U3(3) in the ATLAS
  return is_listed("SL GL Sp SU PSU", finite) ? fmt::format(", such as {}({},3)", finite, numbers) : "";
}

}  // namespace

void refuse_infinite_groups(std::string_view text, const Task& task) {
  if (names_every_size(text))
    throw ParseError(
        fmt::format("{} is a group for every n, and this needs one size; tie makes its layers", shown(text, 40)),
        std::string(text), 0);
  if (names_continuous_group(text)) {
    const ContinuousGroup G = parse_continuous_group(text, task);
    throw ParseError(
        fmt::format("{0} is a continuous group, and this needs a finite one{1}; {2} take continuous groups, "
                    "for example intertwine basis '{0}' '{3}'",
                    G.name(), finite_namesake(G.name()), continuous_commands(), natural_representation(G).to_string()),
        std::string(text), 0);
  }
}

}  // namespace intertwine
