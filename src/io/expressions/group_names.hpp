// The names that group expressions know, and the nearest one to a misspelt one.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "intertwine/groups/finite_group.hpp"

namespace intertwine {

/// S, A, C, D, Q, Dic, B: names that an index completes.
bool is_indexed_family(std::string_view head);
/// GO, SO, Omega, PGO, PSO, POmega.
bool is_orthogonal_family(std::string_view word);
/// "SO(0,5,3)", "GO(1,4,3)": a finite group for SO(5,3) and O(4,3), which are continuous; empty if there is none.
std::string finite_orthogonal_name(std::string_view family, std::uint64_t n, std::uint64_t q);
/// M11, ..., Co3.
bool is_sporadic_name(std::string_view word);
/// T, Td, ..., Cs, Ci: point groups without an index.
bool is_polyhedral_or_small_point_group(std::string_view word);
/// Names that parameters in parentheses complete: the example to show, or empty if there is no such name.
std::string_view example_of_function(std::string_view word);
/// The families of two numbers, as PSL(2,7) and SmallGroup(24,3); null for other words.
using TwoParameters = FiniteGroup (*)(unsigned, unsigned, const Task&);
TwoParameters family_of_two_parameters(std::string_view word);

/// The family that a word of other systems names, "S" for "Sym" and "SymmetricGroup"; empty if it names none.
std::string_view family_of_alias(std::string_view word);
/// SD, Mod, He or F for a word that is completed by an order, "SD" for "QD" and "SemidihedralGroup"; empty for other words.
std::string_view family_by_order(std::string_view word);
/// The name here of one that other systems have: "Oh" for "m-3m" and "O_h", "p4m" for "p4mm"; the word itself otherwise.
std::string_view known_name_of(std::string_view word);
/// C₂³ as C2^3, and SL₂(3) as SL2(3); names of files stay as they are.
std::string with_plain_digits(std::string_view text);
/// The meaning of a name that is known, but not among the groups here, and its substitute; empty if it is not known.
/// `word` has the letters, digits and suffix of the name.
std::string foreign_name(std::string_view word);
/// The text to write for a space group by its short international name, "space(P2_1/c,2,2,2)"; empty for other words,
/// and for C2, the cyclic group.
std::string space_group_written(std::string_view name);
/// The message on E6(2), 2F4(2) and other groups of Lie type that are not here, if the text begins with one; else
/// empty.
std::string type_not_here(std::string_view text);
/// The texts to write for SO13, SO31, O13 and O31, which are read in two ways; empty for other words.
std::string two_readings(std::string_view name);
/// \throws ParseError for a continuous group and for one of every size, with what takes these.
void refuse_infinite_groups(std::string_view text, const Task& task);
/// The name to offer for an unknown one, for example "PSL(2,7)" for "PLS" and "S5" for "s5"; `whole` begins with
/// `letters` and then `digits`. Empty if nothing is near.
std::string nearest_known_name(std::string_view whole, std::string_view letters, std::string_view digits);

}  // namespace intertwine
