// Modules of one classical group modulo a prime, in coordinates of weight vectors.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "continuous_node.hpp"
#include "intertwine/exact/modular_matrix.hpp"

namespace intertwine {

/// The root vectors of the simple roots and a basis of the torus, on the defining module modulo p. p is 1 modulo 4, so that the
/// definite orthogonal groups split: with i^2 = -1 the vectors e_1 +- i e_2, ... are isotropic.
struct ModularRoots {
  ModularRoots(const ClassicalGroup& G, const ModularOperations& field);
  ModularRoots(const ClassicalGroup& G, std::uint64_t p) : ModularRoots(G, ModularOperations{PrimeField(p)}) {}
  ModularOperations field;
  std::vector<EntryList<PrimeField::Element>> raising, lowering;  ///< one for each simple root
  std::vector<EntryList<PrimeField::Element>> torus;              ///< with integral eigenvalues
  /// A weight (w_k), the eigenvalues of the torus, is dominant where all sums coroots[a][k] w_k are at least 0.
  std::vector<std::vector<int>> coroots;
};

/// A module that is no tensor product: change of basis to weight vectors, and the root vectors there.
struct WeightLeaf {
  using Element = PrimeField::Element;
  using Lists = std::vector<std::vector<std::pair<std::uint32_t, Element>>>;
  /// \throws DomainError for given matrices of the Lie algebra under which the torus has no integral weights
  WeightLeaf(const ContinuousNode& node, const ModularRoots& roots, const Task& task);
  std::size_t size;
  std::vector<std::vector<int>> weight;  ///< the weight of each weight vector
  Lists basis;                           ///< row i of P: rational coordinates = P weight coordinates
  Lists dual_basis;                      ///< row i of the transpose of P^{-1}
  /// For each simple root, [j] the entries (i, value) of column j (or of row j, where it is transposed).
  std::vector<Lists> raising, raising_transposed, lowering, lowering_transposed;
};

/// A tensor product of leaves.
class WeightModule {
 public:
  using Element = PrimeField::Element;
  using Vector = std::vector<Element>;
  WeightModule(std::vector<const WeightLeaf*> leaves, const ModularRoots& roots);

  std::size_t size() const { return size_; }
  /// The basis vectors of each weight; equal weights have equal keys, the sum of weights that of keys (modulo 2^64; a collision
  /// would be found out by the exact checks).
  const std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>& spaces() const { return spaces_; }
  bool is_dominant(std::uint32_t index) const;
  enum class Root { raising, raising_transposed, lowering, lowering_transposed };
  Vector apply(Root kind, std::size_t root, const Vector& x) const;
  /// The vectors of a weight space that all simple root vectors of this kind send to 0: rows over the places of the space.
  ModularMatrix killed(Root kind, const std::vector<std::uint32_t>& space, const Task& task) const;
  /// The vector (or covector) in rational coordinates.
  Vector to_rational(Vector x) const { return change(std::move(x), &WeightLeaf::basis); }
  Vector covector_to_rational(Vector x) const { return change(std::move(x), &WeightLeaf::dual_basis); }

 private:
  const std::vector<WeightLeaf::Lists>& lists(const WeightLeaf& leaf, Root kind) const;
  Vector change(Vector x, WeightLeaf::Lists WeightLeaf::*rows) const;
  /// f(index, value) for the entries of root vector number `root` at basis vector j.
  template <class F>
  void for_image(Root kind, std::size_t root, std::uint32_t j, F f) const;
  std::vector<const WeightLeaf*> leaves_;
  std::vector<std::size_t> stride_;
  std::size_t size_;
  const ModularRoots& roots_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> spaces_;
};

}  // namespace intertwine
