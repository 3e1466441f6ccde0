// Group expressions: "S5", "C2 x C3 wr S4", "PSL(2,7)", "p4m(8,8)", "<(1,2,3),(1,2)>",
// "Group((1,2,3),(1,2))",
// "@file.json".
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The group an expression names. `x` binds weaker than `wr`, `wr` weaker than `^`; `x` and `wr` associate to the left;
/// parentheses group.
///
/// Names are those of known_groups(); the points they act on are documented with the functions of
/// named_groups.hpp. Spaces are free between tokens; `x` and `wr` need one before a small letter. Beyond
/// names:
/// - `G x H x K`: direct_product of all the factors, on the disjoint union of their points;
/// - `G^n`: the direct product of n >= 1 factors G;
/// - `G wr H`: the imprimitive wreath product; `product_action(G wr H)`: the same group on functions;
/// - `<(1,2,3,4,5),(1,2)>`: generators in 1-based cycles, kept as they are given; the degree is the largest
///   point named, so that a cycle of length one raises it: `<(1,2)(7)>` has degree 7;
/// - `<a,b | a^2, b^3, (a*b)^7>`: finitely_presented_group; equations `a*b = b*a`, powers `a^-1`, commutators `[a,b]` and
///   conjugates `a^b` as GAP reads them, and `ab` for `a*b` where all names have one letter;
/// - `Group((1,2,3),(1,2))`, `Group([(1,2,3),(1,2)])`: the same as GAP writes it. GAP multiplies from left to
///   right; which permutations belong to the group does not depend on that;
/// - `@file.json`, `@"a file.json"`: see below;
/// - `aut(@graph.g6)`: the automorphisms of the graph or the square matrix in a file (docs/formats.md); their name() is that
///   of their generators;
/// - `G : H` is refused, since it does not name the action, unless G or H is trivial.
///
/// The name() of the result is an expression that parses back to the same group.
///
/// A group file is `{"degree": 5, "generators": ["(1,2,3,4,5)", [1,0,2,3,4]]}`: strings are 1-based cycles,
/// arrays are 0-based images; other keys are ignored. Or it holds matrices, over Q or a finite field:
/// `{"field": "Q", "generators": [[["0","-1"],["1","0"]]]}`, `{"field": "GF(4)", "generators": [[[0,1],[1,1]]]}`;
/// the group is then that of rational_matrix_group or finite_field_matrix_group on its vectors.
///
/// \throws ParseError with the position of the trouble: an unknown name (the nearest known one is offered), a
///         bad parameter, `Dih(8)` (ambiguous: both readings are named), malformed cycles, unbalanced
///         brackets.
/// \param task       bounds the search for the orbits of matrix groups.
/// \throws FileError for an unreadable or malformed \@file.json, naming the file and the entry.
/// \throws LimitError for groups on more than max_named_degree points (named_groups.hpp), for files above 32
///         MiB and for expressions of more than 1000 operators.
/// \par Cost     O(degree * generators); no stabilizer chain is built. Matrix groups: the orbits of their vectors.
/// \par Example  parse_finite_group("S3 wr S2").degree();  // 6
FiniteGroup parse_finite_group(std::string_view text, const Task& task = {});

/// "<(1,2,3)(5),(1,2)>": an expression for the group with these generators on `degree` >= 1 points. Without
/// generators it is that of the identity.
/// \throws DomainError if degree is 0.
std::string explicit_group_expression(std::size_t degree, std::span<const Permutation> generators);

/// The name of G where parse_finite_group reads it back to an equal group with the same structure, by itself, without
/// files; otherwise empty: G is then known by its degree and its generators. \par Cost  parse_finite_group
std::string group_expression(const FiniteGroup& G);

/// Forms of names for --help: "S<n>", "PSL(n,q)", ..., one family a line.
std::string known_groups();
/// Groups to begin with, for the completion of shells: "S5", "M11", "PSL(2,7)", ...
std::vector<std::string> group_name_examples();

}  // namespace intertwine
