// Hom between tensor products of modules of one classical group, through weight spaces and highest-weight vectors.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "continuous_node.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"

namespace intertwine {

/// Finds bases of Hom(V, U) modulo primes and lifts them to the rational numbers. What it returns is a candidate: that it
/// commutes, is independent and complete is for the caller to prove. Keeps what it finds for equal modules.
class ClassicalHom {
 public:
  using Elements = std::vector<IntertwinerSpace::Element>;
  explicit ClassicalHom(const ClassicalGroup& G);
  ~ClassicalHom();
  ClassicalHom(const ClassicalHom&) = delete;
  ClassicalHom& operator=(const ClassicalHom&) = delete;

  /// \throws LimitError for weight spaces above max_weight_space, or through `task`
  const Elements& operator()(const ContinuousPiece& V, const ContinuousPiece& U, const Task& task);

  /// The largest weight space whose highest-weight vectors are looked for by dense elimination: 1 GiB.
  static constexpr std::uint64_t max_weight_space = 11'000;

 private:
  struct ModularGroup;
  ModularGroup& modular(std::size_t k);
  Elements find(const ContinuousPiece& V, const ContinuousPiece& U, const Task& task);
  ClassicalGroup G_;
  std::vector<std::unique_ptr<ModularGroup>> modular_;
  std::size_t next_prime_ = 0;
  std::map<std::pair<std::string, std::string>, Elements> found_;
};

}  // namespace intertwine
