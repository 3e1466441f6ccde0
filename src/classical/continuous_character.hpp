// Characters of representations of products of classical and finite groups, from their expressions alone: they know nothing of matrices, terms or
// weight vectors.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "continuous_node.hpp"
#include "intertwine/classical/continuous_group.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine::laurent {

using Weight = std::vector<int>;
/// sum of coefficient times x^weight.
using Laurent = std::map<Weight, Integer>;

/// An eigenvalue on the defining module: a sign and a monomial.
struct Eigenvalue {
  int sign;
  Weight weight;
};

/// A component of the complexified group: the eigenvalues of its torus on the defining module, and the group whose
/// measure it has.
struct Component {
  enum class Type { A, B, C, D } type;
  std::size_t rank;
  bool modulo_all_ones = false;  ///< SL: the weight (1, ..., 1) is zero
  std::vector<Eigenvalue> eigenvalues;
  std::size_t index = 0;  ///< 1 for the component that is not that of 1
  bool signs = true;      ///< with the signs of components; or eigenvalues of the torus alone
  int unit = 1;           ///< the unit of a coordinate of a weight: 2 for Spin(n), where it may be a half
};

std::vector<Component> components_of(const ClassicalGroup& G);

/// Twice half the sum of the positive roots.
Weight twice_rho(const Component& component);
/// The irreducible constituents of a symmetric Laurent polynomial, by 2 (lambda + rho): sum over weights of their coefficient times the sign of the
/// reflection that makes weight + rho dominant. For cosets they may be negative.
Laurent constituents(const Laurent& character, const Component& component);

/// A sum of external products: for each factor a finite representation or the constituents on each component.
struct CharacterTerm {
  struct Piece {
    std::optional<Representation> finite;
    std::vector<Laurent> characters;
  };
  std::vector<Piece> pieces;
  Integer multiplicity = 1;
};

class TermCharacters {
 public:
  /// \param signs  false: of the tori of the components alone, as subgroups of the identity's component
  explicit TermCharacters(const ContinuousGroup& G, const Task& task, bool signs = true);

  /// For every factor its components; none of a finite one.
  const std::vector<std::vector<Component>>& components() const { return components_; }
  std::vector<CharacterTerm> of(const ContinuousNode& node);
  /// The number of invariants of V* (x) U.
  Integer pairing(const CharacterTerm& V, const CharacterTerm& U);
  std::set<std::string> routes{"weyl-characters"};

 private:
  CharacterTerm::Piece piece(const ContinuousNode& node, std::size_t f);
  CharacterTerm unit(const ContinuousGroup& G) const;
  std::vector<CharacterTerm> products(const std::vector<CharacterTerm>& a, const std::vector<CharacterTerm>& b);
  Integer finite(const Representation& A, const Representation& B);
  Integer classical(std::size_t f, const CharacterTerm::Piece& a, const CharacterTerm::Piece& b) const;

  const Task& task_;
  std::vector<std::vector<Component>> components_;
  std::map<std::pair<std::string, std::string>, Integer> finite_;
};

}  // namespace intertwine::laurent
