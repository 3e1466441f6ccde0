// Restrictions of representations to subgroups, asked in words: the one place that tells which kinds are meant.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "intertwine/gl/branching.hpp"
#include "intertwine/hom/restriction.hpp"
#include "intertwine/physics/correlation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A finite group that acts on a space, as people write it.
struct FiniteSide {
  std::string group, rep;
  std::string irrep;  ///< a number from 1 or a name of a row of its table, in place of `rep`; empty: not given
};
/// The character of its representation: of `irrep`, or of `rep`, by default `coordinates` where the group has them over
/// Q and `perm` otherwise.
struct SideCharacter {
  ClassFunction character;
  std::string rep;  ///< the expression that was taken
};
/// \throws DomainError if both are given, and if no row is called so; what parse_representation throws
SideCharacter parse_side(const FiniteSide& side, const Task& task = {});

/// A representation of a group, and a subgroup.
struct RestrictionQuestion {
  std::string functor;  ///< a partition, for the Schur functor of GL(n); empty: `to.rep` is of `from`
  std::string from;     ///< the group; empty: the GL(n) that the subgroup acts for
  FiniteSide to;        ///< the subgroup, and how it acts where there is a functor
  /// How the subgroup lies in the group, as EmbeddingChoice says it.
  std::optional<std::vector<std::vector<int>>> matrix = std::nullopt;
  std::string vector;
  bool principal = false, maximal = false;
  std::vector<std::string> embeddings;  ///< what the vector representations become on a finite subgroup

  bool of_reductive() const { return matrix || !vector.empty() || principal || maximal; }
};
/// Words in the order GROUP SUBGROUP REP, or LAMBDA GROUP REP. `7` and `[1,0]` read like partitions, but after two
/// groups with continuous parts they are representations.
/// \param subgroup  the last group, or a representation after a partition and a group
/// \throws DomainError if a group or a representation is given twice
void place_words(RestrictionQuestion& question, const std::string& subgroup);
/// GL(n) and U(n) become SL(n) and SU(n), whose partitions have no full columns. \throws DomainError if there are none
void make_special(RestrictionQuestion& question);

/// Spin(n) in place of every SO(n) in a group, "Spin(10) x U(1)" for "SO(10) x U(1)"; nothing if it has none.
std::optional<hom::Group> with_spinors(const hom::Group& group, const Task& task = {});

/// A representation restricted, a Schur functor restricted from GL(n), or species of point groups.
using RestrictionAnswer = std::variant<hom::Restriction, Branching, CorrelationReport>;
/// \throws DomainError if the question has no answer, saying what is missing; what the readers and restrictions throw
RestrictionAnswer answer_restriction(const RestrictionQuestion& question, const Task& task = {});

}  // namespace intertwine
