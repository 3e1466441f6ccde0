// Reductive groups by the names that people use, and which weights they have.
//
// SU(n), SL(n), Spin(n), Sp(2n) and the exceptional groups are simply connected: every list of Dynkin labels is a weight.
// U(n) and GL(n) have n - 1 labels and a charge, the degree of the polynomial representation (the sum of the partition), which
// is congruent to sum of i a_i modulo n. SO(n) has those weights of Spin(n) that descend. A compact group and its complex form
// have the same representations; the names are kept for people.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/reductive/weight_character.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

class LieGroup {
 public:
  /// "SU", "SL", "U", "GL", "SO", "Spin" or "Sp" with n as in SU(n); Sp(n) acts on C^n, n even.
  /// \throws DomainError unless there is such a group with n large enough; LimitError for ranks beyond RootSystem::max_rank.
  static LieGroup classical(std::string_view family, int n);
  /// The simply connected group of a type, times its torus: Lie(A2 x T1). E8 and Lie(E8) are the same group.
  explicit LieGroup(RootSystem type);
  /// The labels of all factors one after the other, then all charges. \throws DomainError if there is no factor.
  static LieGroup product(const std::vector<LieGroup>& factors);

  /// "SU(3)", "Lie(A2 x T1)", "E8", "SU(3) x SU(2) x U(1)".
  const std::string& name() const { return name_; }
  const RootSystem& type() const { return type_; }
  /// The groups of a product, or this group alone.
  const std::vector<LieGroup>& factors() const { return factors_; }
  /// For classical groups the n of the name, 0 for others; and the family's name, "" for others.
  int degree() const { return n_; }
  const std::string& family() const { return family_; }

  /// \throws DomainError unless it is a weight of the right length that this group has; the sentence says which condition it
  /// breaks.
  void require_weight(const Weight& weight) const;
  /// L(highest). \throws DomainError as require_weight, or unless it is dominant.
  LieCharacter irrep(const Weight& highest) const;
  /// The weight that a partition stands for, a list of weakly decreasing numbers: for SU(n) and SL(n) at most n rows, for U(n)
  /// and GL(n) also negative ones, for SO(n), Spin(n) and Sp(n) at most n/2 rows, the last one negative for SO(n) and Spin(n), n even,
  /// if it is to be. \throws DomainError for other lists, and for groups without partitions.
  Weight weight_of_partition(const std::vector<int>& partition) const;
  /// The partition of a weight, with all its rows; nothing for half-integral weights of Spin(n). \throws DomainError as require_weight, and for groups without partitions.
  std::optional<std::vector<int>> partition_of_weight(const Weight& weight) const;

  LieCharacter trivial() const;
  /// The representation on C^n that a classical group is named for; of an exceptional group the smallest faithful one: 7, 26, 27, 56
  /// and 248. \throws DomainError for products and tori of more than one dimension.
  LieCharacter vector() const;
  /// The Lie algebra.
  LieCharacter adjoint() const;
  /// The sum of the half-spinors, or the spinor, of Spin(n), of SU(2), which is Spin(3), and of types B and D. \throws DomainError for other groups.
  LieCharacter spinor() const;

  friend bool operator==(const LieGroup& a, const LieGroup& b) { return a.name_ == b.name_; }

 private:
  LieGroup(std::string name, RootSystem type) : name_(std::move(name)), type_(std::move(type)) {}
  /// sum of coefficients * labels = 0 modulo `modulus`.
  struct Congruence {
    Congruence(std::vector<int> c, int m, std::string why)
        : coefficients(std::move(c)), modulus(m), reason(std::move(why)) {}
    std::vector<int> coefficients;
    int modulus;
    std::string reason;
  };
  std::string name_, family_;
  int n_ = 0;
  RootSystem type_;
  std::vector<Congruence> congruences_;
  std::vector<LieGroup> factors_;  ///< empty while a factor is built; see factors()
};

/// The number of dimensions of L(weight), and * for the dual of a representation that comes first: of a representation and its
/// dual the one with the lexicographically larger weight has none. Different representations may have the same name.
std::string dimension_name(const RootSystem& type, const Weight& weight);
/// The name of L(weight) as physicists write it: dimension_name, and for products those of the factors, with the
/// charges of factors U(1) below: (27, 3), (3, 2*)_1, 16_-3, (3, 2)_(1, -2). Different representations may have the
/// same name.
std::string irrep_name(const LieGroup& G, const Weight& weight);
/// The weight that irrep_name calls by these numbers, each with * if it is dual, and charges.
/// \throws DomainError unless there is one number for every factor that is no U(1), and one charge for each of these,
/// and as weight_of_dimension for each factor.
Weight weight_of_dimensions(const LieGroup& G, const std::vector<std::pair<std::uint64_t, bool>>& dimensions,
                            const std::vector<int>& charges, const Task& task = {});
/// The weight that dimension_name calls by this number, and * if it is `dual`. \throws DomainError if there is none, or more than one, which it lists, and
/// for groups with a torus, where there are infinitely many.
/// \par Cost  a dimension for every irreducible representation that is not larger.
Weight weight_of_dimension(const LieGroup& G, std::uint64_t dimension, bool dual, const Task& task = {});

}  // namespace intertwine
