// Root systems of reductive groups: simple types A to G, their products, and tori; weights and the Weyl group.
//
// A weight is a list of integers: the Dynkin labels <lambda, alpha_i^v> of each simple factor in turn, in the order of
// [Bourbaki 1968], planches I-IX, then one charge for each factor T1 of the torus. The group that a type stands for is the
// simply connected group times the torus, so that every list is a weight; quotients have fewer (lie_group.hpp).
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Dynkin labels, then charges.
using Weight = std::vector<int>;
/// "[1,0,2]".
std::string to_string(const Weight& weight);

/// 'A' ... 'G' and the rank, or 'T' and the dimension of a torus.
struct LieType {
  char letter;
  int rank;
  friend bool operator==(const LieType&, const LieType&) = default;
};

/// A product of simple types and a torus. A value: immutable, cheap to copy.
class RootSystem {
 public:
  /// The largest rank of all factors together.
  static constexpr int max_rank = 256;

  /// \param factors  in the order of the labels; tori anywhere, their charges come last. B1 and C1 are A1, D2 is A1 x A1, and
  /// D3 has node 1 in the middle.
  /// \throws DomainError for a type that does not exist: E5, F3, G1, D1; LimitError if the ranks exceed max_rank.
  explicit RootSystem(std::vector<LieType> factors);
  RootSystem(char letter, int rank) : RootSystem(std::vector<LieType>{{letter, rank}}) {}

  /// The simple factors, without the torus.
  const std::vector<LieType>& factors() const;
  /// The first node of a factor.
  int offset(std::size_t factor) const;
  /// The number of labels and charges: that of simple roots and the dimension of the torus.
  int rank() const;
  int semisimple_rank() const;
  int torus_rank() const { return rank() - semisimple_rank(); }
  /// "A2 x A1 x T1"; "T0" for the trivial group.
  const std::string& name() const;

  /// <alpha_i, alpha_j^v>, from 0. \throws DomainError unless both are nodes.
  int cartan(int i, int j) const;
  /// (alpha_i, alpha_i) / 2, the short roots of every factor having 1.
  int half_norm(int i) const;
  /// The positive roots as combinations of simple roots, by height, each a list of rank() numbers.
  const std::vector<std::vector<int>>& positive_roots() const;
  /// The coroot alpha^v of any root as a combination of simple coroots.
  std::vector<int> coroot(const std::vector<int>& root) const;
  /// A combination of simple roots as a weight.
  Weight weight_of(const std::vector<int>& roots) const;
  /// The highest roots, one for each simple factor, as weights.
  std::vector<Weight> highest_roots() const;

  /// \throws DomainError naming the length that is wanted, or the label that is negative.
  void require_weight(const Weight& weight) const;
  void require_dominant(const Weight& weight) const;
  bool is_dominant(const Weight& weight) const;

  /// s_i(weight). \throws DomainError
  Weight reflect(const Weight& weight, int i) const;
  /// The dominant weight of the orbit.
  Weight dominant(const Weight& weight) const;
  /// -w_0(weight) where w_0 is the longest element: the highest weight of the dual of L(weight) if it is dominant.
  Weight dual(const Weight& weight) const;
  /// The order of the Weyl group, and the number of weights in an orbit.
  Integer weyl_group_order() const;
  Integer orbit_size(const Weight& weight) const;
  /// The orbit of a weight, its dominant weight first. \throws LimitError if it has more than max_size weights.
  std::vector<Weight> orbit(const Weight& weight, std::size_t max_size = 10'000'000, const Task& task = {}) const;

  /// The dimension of the irreducible representation L(weight), by Weyl's formula. \throws DomainError unless it is dominant.
  Integer dimension(const Weight& weight) const;
  /// <weight, 2 rho^v>, the number that the principal SL(2) sees of a weight.
  Integer principal_label(const Weight& weight) const;
  /// The Frobenius-Schur indicator of L(weight): 0 unless it is self-dual, else the sign (-1)^<weight, 2 rho^v>.
  int indicator(const Weight& weight) const;

  friend bool operator==(const RootSystem& a, const RootSystem& b) { return a.name() == b.name(); }

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

/// Reads "E8", "A2 x A1 x T1"; spaces are free. \throws ParseError with the position; as the constructor.
RootSystem parse_root_system(const std::string& text);

}  // namespace intertwine
