// The named families, each as permutations with standard generators.
#pragma once
#include <cstddef>
#include <string_view>

#include "intertwine/groups/finite_group.hpp"

namespace intertwine {

FiniteGroup symmetric_group(std::size_t n);    ///< S_n: (1,...,n), (1,2)
FiniteGroup alternating_group(std::size_t n);  ///< A_n: two generators
FiniteGroup cyclic_group(std::size_t n);       ///< C_n: (1,...,n)
/// D_n, the symmetries of the n-gon, order 2n, on n points (on 4 points for n = 2, on 2 for n = 1).
FiniteGroup dihedral_group(std::size_t n);
/// Dic_n, order 4n, on its elements. Q_{4n} = Dic_n: Q8 = Dic_2, Q16 = Dic_4.
FiniteGroup dicyclic_group(std::size_t n);
/// B_n, signed permutations of n axes, order 2^n n!, on 2n points: i and i + n are the two directions of axis
/// i.
FiniteGroup hyperoctahedral_group(std::size_t n);
/// GL, SL on the non-zero vectors of GF(q)^n; PGL, PSL on the projective points; AGL, ASL on all vectors. q a
/// prime power. \throws DomainError if q is no prime power or n = 0, LimitError above max_degree points.
FiniteGroup general_linear_group(unsigned n, unsigned q);
FiniteGroup special_linear_group(unsigned n, unsigned q);
FiniteGroup projective_general_linear_group(unsigned n, unsigned q);
FiniteGroup projective_special_linear_group(unsigned n, unsigned q);
FiniteGroup affine_general_linear_group(unsigned n, unsigned q);
FiniteGroup affine_special_linear_group(unsigned n, unsigned q);
/// M11, M12, M22, M23, M24, J1, J2, HS, McL, Co3 in their smallest permutation actions. \throws DomainError
/// for another name.
FiniteGroup sporadic_group(std::string_view name);
/// The Weyl (Coxeter) group W(X_n) on its roots: A B C D E F G, and H3, H4. \throws DomainError if there is
/// none.
FiniteGroup weyl_group(char type, unsigned rank);
/// Point groups by their Schoenflies symbol: T Td Th O Oh I Ih, Cn Cnv Cnh Sn Dn Dnd Dnh as permutations that
/// carry the geometry faithfully (see docs/conventions.md for the points).
FiniteGroup point_group(std::string_view schoenflies);
/// Wallpaper groups on the h x w torus of pixels (row, column) -> row * w + column: p1 p2 pm p4 p4m. p4 and
/// p4m need h = w.
FiniteGroup grid_group(std::string_view name, std::size_t h, std::size_t w);
/// The 2x2x2 (24 facelets, six face turns) and 3x3x3 (48 facelets) cube groups.
FiniteGroup rubik_group(unsigned size);

/// G wr H, imprimitive: H's degree many copies of G's points; point i of copy b is b * degree(G) + i.
FiniteGroup wreath_product(const FiniteGroup& G, const FiniteGroup& H);
/// G wr H in the product action on functions from H's points to G's points (degree(G) ^ degree(H) points).
FiniteGroup wreath_product_in_product_action(const FiniteGroup& G, const FiniteGroup& H);

}  // namespace intertwine
