// Restriction of representations of reductive groups to reductive subgroups.
//
// A homomorphism H -> G that sends a maximal torus to a maximal torus is known, for characters, by what it does to weights: a
// matrix that takes weights of G to weights of H.
#pragma once
#include <string>
#include <vector>

#include "intertwine/reductive/lie_group.hpp"

namespace intertwine {

/// A homomorphism from `to` into `from`, by the matrix that restricts weights: a column for each label and charge of `from`, a row for each
/// of `to`; entries are divided by `denominator` (weights of U(n) that are not one of SU(n) x U(1) do not occur, so that
/// the image of a weight is integral).
struct LieRestriction {
  LieGroup from, to;
  std::vector<std::vector<int>> matrix;
  int denominator = 1;
  std::string how;  ///< for people: "vector = 3 + 2", "nodes 0, 8, 7, ... of the extended diagram"
  /// Other embeddings that people may mean, in the same words, where the usual one was taken: irreducible vectors,
  /// the principal SL(2), the maximal subgroup of smaller rank.
  std::vector<std::string> others = {};
};

/// A matrix that is given. The weights of the vector (for exceptional groups: the smallest) representation of each simple factor of `from`
/// have to go to weights that are symmetric under the Weyl group of `to`, and charges to charges.
/// \throws DomainError for a wrong shape, or if they are not.
LieRestriction restriction_by_matrix(const LieGroup& from, const LieGroup& to, std::vector<std::vector<int>> matrix,
                                     const Task& task = {});
/// The subgroup by which C^n, the vector representation of a classical group, becomes `vector`. Two embeddings into
/// SO(2k) may be conjugate in O(2k): one of them is taken. \throws DomainError unless `from` is classical (or of type A
/// to D) of that dimension, and unless `vector` has determinant 1 for SU(n), is orthogonal for SO(n) and Spin(n),
/// symplectic for Sp(n).
LieRestriction restriction_by_vector(const LieGroup& from, const LieGroup& to, const LieCharacter& vector,
                                     const Task& task = {});
/// A subgroup whose simple roots are nodes of the extended Dynkin diagram [Borel & de Siebenthal 1949]: Levi subgroups, with their
/// centre where `to` has a torus of that rank (charges by primitive cocharacters), and regular maximal ones such as D8
/// in E8. The first of several, by numbers of nodes, is taken; node 0 is minus the highest root. \throws DomainError if
/// there is none.
LieRestriction restriction_to_regular(const LieGroup& from, const LieGroup& to);
/// The fixed points of an automorphism of the diagram: D_n to B_(n-1), A_(2n-1) to C_n, E6 to F4, D4 to G2. \throws DomainError
LieRestriction restriction_by_folding(const LieGroup& from, const LieGroup& to);
/// The principal SL(2) [Kostant 1959], `to` being of type A1. \throws DomainError
LieRestriction restriction_to_principal(const LieGroup& from, const LieGroup& to);
/// A homomorphism into a simple group under which the adjoint representation becomes the given one, up to inner automorphisms: images of the simple roots are found whose sums are
/// the weights of that representation, exactly, with their multiplicities, so that the matrix is integral and the smallest representation restricts to a character.
/// This determines the homomorphism where there is one; that there is one is for the caller to know. \throws DomainError if no matrix does
/// \par Cost  a search among the nodes of the diagram with the least weight that is no sum yet: nothing for E8
LieRestriction restriction_by_adjoint(const LieGroup& from, const LieGroup& to, const LieCharacter& adjoint,
                                      const Task& task = {});
/// The maximal connected subgroups of F4, E6, E7 and E8 of smaller rank other than A1 and what diagrams are folded to, in any order of their factors: G2 x F4 and B2 in E8, G2 x C3 in E7,
/// A2 x G2, C4 and G2 in E6, A1 x G2 in F4 and so on. \throws DomainError for others, naming those that there are
/// \par Source  that they exist, and what the adjoint representation becomes, is [Dynkin 1952] and [McKay & Patera 1981]; the matrix is restriction_by_adjoint's
LieRestriction restriction_to_irregular(const LieGroup& from, const LieGroup& to, const Task& task = {});
/// The usual one: the same group; for classical groups by the vector representation, which becomes the sum or the product of the vector
/// representations of the factors of `to`, or the sum and its dual, the rest trivial; by folding; a regular subgroup; or a maximal one of smaller rank, in this order.
/// Its `others` are filled. \throws DomainError if none of these exists.
LieRestriction usual_restriction(const LieGroup& from, const LieGroup& to, const Task& task = {});

/// The restriction of a character. \par Cost  one walk to the dominant chamber of `to` for each weight.
/// \throws DomainError unless chi belongs to `from`, and if the weights are no character of `to`: negative multiplicities, or
/// dimensions that do not add up.
LieCharacter restrict(const LieCharacter& chi, const LieRestriction& restriction, const Task& task = {});

}  // namespace intertwine
