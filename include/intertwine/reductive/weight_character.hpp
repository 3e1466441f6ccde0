// Characters of reductive groups: as sums of irreducible ones and as weights, products, Schur functors, decomposition.
//
// Everything is exact. Work is done in machine words where bounds that are known beforehand allow it, and with big integers
// otherwise. L(lambda) is the irreducible representation of highest weight lambda.
#pragma once
#include <cstddef>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/reductive/root_system.hpp"

namespace intertwine {

/// coefficient * L(weight), or coefficient * (every weight of the orbit of `weight`).
struct WeightTerm {
  Weight weight;
  Integer coefficient;
  friend bool operator==(const WeightTerm&, const WeightTerm&) = default;
};

/// A virtual character: an integral combination of irreducible characters. Terms by weight, the larger first in
/// lexicographic order, each weight once, no zero coefficient.
class LieCharacter {
 public:
  /// Zero.
  explicit LieCharacter(RootSystem type) : type_(std::move(type)) {}
  /// L(highest). \throws DomainError unless it is a dominant weight.
  LieCharacter(RootSystem type, const Weight& highest);
  /// Terms in any order; equal weights are added up. \throws DomainError unless all are dominant weights.
  LieCharacter(RootSystem type, std::vector<WeightTerm> terms);

  const RootSystem& type() const { return type_; }
  const std::vector<WeightTerm>& terms() const { return terms_; }
  std::size_t size() const { return terms_.size(); }
  auto begin() const { return terms_.begin(); }
  auto end() const { return terms_.end(); }
  /// How often L(highest) occurs.
  Integer multiplicity(const Weight& highest) const;
  /// The sum of coefficient * dimension. Cost: Weyl's formula for each term.
  Integer dimension() const;
  /// No coefficient is negative.
  bool is_character() const;
  LieCharacter dual() const;

  /// \throws DomainError for characters of different groups (also below).
  friend LieCharacter operator+(const LieCharacter& a, const LieCharacter& b);
  friend LieCharacter operator-(const LieCharacter& a, const LieCharacter& b);
  friend LieCharacter operator*(const Integer& c, const LieCharacter& a);
  friend bool operator==(const LieCharacter&, const LieCharacter&) = default;

 private:
  RootSystem type_;
  std::vector<WeightTerm> terms_;
};

/// The weights of a virtual character: of each orbit the dominant weight with its multiplicity. Order as LieCharacter.
class DominantCharacter {
 public:
  explicit DominantCharacter(RootSystem type) : type_(std::move(type)) {}
  /// Terms in any order; equal weights are added up. \throws DomainError unless all are dominant weights.
  DominantCharacter(RootSystem type, std::vector<WeightTerm> terms);

  const RootSystem& type() const { return type_; }
  const std::vector<WeightTerm>& terms() const { return terms_; }
  std::size_t size() const { return terms_.size(); }
  auto begin() const { return terms_.begin(); }
  auto end() const { return terms_.end(); }
  /// The multiplicity of any weight. \throws DomainError unless it is a weight.
  Integer multiplicity(const Weight& weight) const;
  /// The number of weights, multiplicities counted, and of different weights.
  Integer dimension() const;
  Integer number_of_weights() const;
  friend bool operator==(const DominantCharacter&, const DominantCharacter&) = default;

 private:
  RootSystem type_;
  std::vector<WeightTerm> terms_;
};

/// The multiplicities of the dominant weights of L(highest).
///
/// \par Method  Freudenthal's recursion, the positive roots taken in orbits of the weight's stabilizer; for A1 its one string.
/// \par Cost    (dominant weights) * (orbits of roots) * (length of the strings) reflections to the dominant chamber.
/// \throws DomainError unless the weight is dominant; LimitError for memory, or labels beyond 28 bits.
/// \par Source  [Freudenthal 1954]; [Moody & Patera 1982]
DominantCharacter dominant_character(const RootSystem& type, const Weight& highest, const Task& task = {});
/// The dominant character of a sum of irreducible ones.
DominantCharacter dominant_character(const LieCharacter& chi, const Task& task = {});

/// The irreducible constituents of a virtual character, by its weights.
/// \par Method  chi times the Weyl denominator: every weight mu gives the sign of the element that makes mu + rho dominant.
/// \par Cost    one walk to the dominant chamber for each weight, orbits along chains of Levi subgroups if they are long.
LieCharacter decompose(const DominantCharacter& chi, const Task& task = {});

/// The tensor product.
///
/// \par Method  type A: Littlewood-Richardson (combinatorics); otherwise tensor_product_by_weights, each simple factor by
///              itself.
LieCharacter tensor_product(const LieCharacter& a, const LieCharacter& b, const Task& task = {});
/// a times a character given by its weights. The weights mu of each orbit of b are met one after the other, never held, and
/// L(lambda) (x) e^mu gives +-L(nu) with nu + rho in the orbit of lambda + mu + rho.
///
/// \par Method  long orbits are split along a chain of Levi subgroups: what a weight of the smaller group gives does not
///              depend on its charge, and is computed once.
/// \par Source  [Brauer 1937]; [Klimyk 1967]
LieCharacter tensor_product_by_weights(const LieCharacter& a, const DominantCharacter& b, const Task& task = {});

/// The Adams operation psi^k: every weight multiplied by k. \throws DomainError if k < 1; LimitError if a label leaves 31 bits.
DominantCharacter adams(const DominantCharacter& chi, int k);
/// S_functor(V), where V has the character chi (virtual ones too).
///
/// \par Method  n s_tau = sum over the ribbons R of tau with k cells of (-1)^height p_k s_(tau - R), p_k = psi^k chi, for
///              all tau inside; division by n is checked.
/// \throws LimitError for memory.
/// \par Source  [Macdonald 1995, I.8]
LieCharacter schur_functor(const Partition& functor, const LieCharacter& chi, const Task& task = {});
LieCharacter symmetric_power(int k, const LieCharacter& chi, const Task& task = {});
LieCharacter exterior_power(int k, const LieCharacter& chi, const Task& task = {});

}  // namespace intertwine
