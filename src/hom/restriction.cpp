// Restrictions to subgroups, by what the kinds of groups know.
#include "intertwine/hom/restriction.hpp"

#include <utility>

#include "intertwine/error.hpp"

namespace intertwine::hom {

LieRestriction lie_restriction(const LieGroup& from, const LieGroup& to, const EmbeddingChoice& choice,
                               const Task& task) {
  if (choice.vector.has_value() + choice.matrix.has_value() + choice.principal + choice.maximal > 1)
    throw DomainError(
        "a matrix of weights, what the vector representation becomes, the principal and the maximal subgroup "
        "say each how the subgroup is embedded; give one of them");
  if (choice.matrix) return restriction_by_matrix(from, to, *choice.matrix, task);
  if (choice.vector) return restriction_by_vector(from, to, *choice.vector, task);
  if (choice.principal) return restriction_to_principal(from, to);
  if (choice.maximal) return restriction_to_irregular(from, to, task);
  return usual_restriction(from, to, task);
}

FiniteEmbedding finite_embedding(const LieGroup& from, const CharacterTable& to,
                                 const std::vector<ClassFunction>& vectors, const Task& task) {
  return vectors.empty() ? usual_embedding(from, to, task) : FiniteEmbedding(from, vectors, task);
}

Restriction restriction(const LieCharacter& chi, const LieRestriction& along, std::string rep, const Task& task) {
  Decomposition whole = decompose({along.from, chi}, BaseField::complex, task),
                parts = decompose({along.to, restrict(chi, along, task)}, BaseField::complex, task);
  return {along.from.name(), std::move(rep), along.how, std::move(parts),
          Restriction::Weights{along, std::move(whole)}};
}

Restriction restriction(const ClassFunction& f, std::string from, std::string how, std::string rep) {
  Decomposition parts = decompose(f, rep);
  return {std::move(from), std::move(rep), std::move(how), std::move(parts)};
}

}  // namespace intertwine::hom
