// Hom between tensor products of modules of one classical group, through weight spaces and highest-weight vectors.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "continuous_node.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/exact/field_matrix.hpp"

namespace intertwine {

/// Matrices over a field, their entries as IntertwinerSpace has them.
struct FieldElements {
  AbelianField field;
  std::vector<IntertwinerSpace::Element> elements;
};
/// The rows of a matrix, independent, or others with more zeros that span the same space, where that is not too large.
FieldElements sparse_elements(const FieldMatrix& rows, const Task& task);

/// Finds bases of Hom(V, U) modulo primes and lifts them to the field of V and U. The result is a candidate: that it
/// commutes, is independent and complete is for the caller to prove. Keeps what it finds for equal modules.
class ClassicalHom {
 public:
  explicit ClassicalHom(const ClassicalGroup& G);
  ~ClassicalHom();
  ClassicalHom(const ClassicalHom&) = delete;
  ClassicalHom& operator=(const ClassicalHom&) = delete;

  /// \throws LimitError for weight spaces above max_weight_space, or through `task`
  const FieldElements& operator()(const ContinuousPiece& V, const ContinuousPiece& U, const Task& task);

  /// The largest weight space whose highest-weight vectors are looked for by dense elimination: 1 GiB.
  static constexpr std::uint64_t max_weight_space = 11'000;

 private:
  struct ModularGroup;
  /// A prime with all embeddings of a field, and the group under each.
  struct Reduction {
    AbelianField::SplitPrime prime;
    std::vector<ModularGroup*> groups;
  };
  Reduction reduction(const AbelianField& K, std::size_t k);
  FieldElements find(const ContinuousPiece& V, const ContinuousPiece& U, const Task& task);
  ClassicalGroup G_;
  std::map<std::uint32_t, AbelianField> cyclotomic_;  ///< by the order of the root
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::unique_ptr<ModularGroup>>
      modular_;  ///< by the prime and the root
  std::map<std::pair<std::string, std::string>, FieldElements> found_;
};

}  // namespace intertwine
