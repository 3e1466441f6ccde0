// Representations restricted to subgroups of every kind, and how a subgroup is said to lie in its group.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "intertwine/hom/constituents.hpp"
#include "intertwine/reductive/finite_embedding.hpp"
#include "intertwine/reductive/lie_branching.hpp"

namespace intertwine::hom {

/// How a subgroup lies in a group that has highest weights; as it usually lies if nothing is said.
struct EmbeddingChoice {
  /// The representation of the subgroup that the vector representation becomes, by its character.
  std::optional<LieCharacter> vector = std::nullopt;
  /// A row for each label of the subgroup, which takes weights to weights.
  std::optional<std::vector<std::vector<int>>> matrix = std::nullopt;
  bool principal = false;  ///< the principal SL(2)
  bool maximal = false;    ///< the maximal subgroup of smaller rank
};
/// \throws DomainError if more than one way is chosen; what the functions of lie_branching.hpp throw
LieRestriction lie_restriction(const LieGroup& from, const LieGroup& to, const EmbeddingChoice& choice = {},
                               const Task& task = {});
/// \param vectors  what the vector representation of each factor becomes; none: as the group usually lies
/// \throws as FiniteEmbedding and usual_embedding
FiniteEmbedding finite_embedding(const LieGroup& from, const CharacterTable& to,
                                 const std::vector<ClassFunction>& vectors = {}, const Task& task = {});

/// A representation of a group restricted to a subgroup.
struct Restriction {
  std::string from;  ///< the name of the group
  std::string rep;   ///< the representation as it was asked for
  std::string how;   ///< how the subgroup lies there, "vector = harmonic(2)"; empty where there is one way
  Decomposition result;
  /// Between groups that have highest weights the matrix that takes weights to weights, and the representation as a
  /// sum of irreducible ones of the group.
  struct Weights {
    LieRestriction along;
    Decomposition whole;
  };
  std::optional<Weights> weights = std::nullopt;
};
/// \throws as restrict of lie_branching.hpp
Restriction restriction(const LieCharacter& chi, const LieRestriction& along, std::string rep, const Task& task = {});
/// \param f  the restriction of a representation `rep` of the group called `from`
Restriction restriction(const ClassFunction& f, std::string from, std::string how, std::string rep);

}  // namespace intertwine::hom
