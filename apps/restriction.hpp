// A finite group that acts on a space, as the commands that restrict to it are told.
#pragma once
#include "context.hpp"
#include "intertwine/characters/class_function.hpp"

namespace intertwine::app {

struct FiniteSide {
  std::string group, rep;
  std::string irrep;  ///< a number from 1, or a name; empty: not given
};

/// The character of the side's representation: --irrep, or --rep, by default `coordinates` where the group has them
/// over Q and `perm` otherwise.
struct SideCharacter {
  ClassFunction character;
  std::string rep;  ///< the expression that was taken, as text
};
SideCharacter character_of(const FiniteSide& side, const Context& context);

/// \throws DomainError, saying that `what`, unless the character's degree is n.
void require_dimension(const SideCharacter& side, int n, const std::string& what);

}  // namespace intertwine::app
