// A rational representation, and what the algorithms for modules ask it for again and again.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "intertwine/exact/spinning.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// A representation over Q with the matrices that were asked for. Not safe for several threads.
class Module {
 public:
  explicit Module(Representation V) : V_(std::move(V)) {}

  const Representation& representation() const { return V_; }
  std::size_t dimension() const { return static_cast<std::size_t>(V_.dimension()); }
  const std::vector<Permutation>& generators() const { return V_.group().generators(); }
  /// rho(g) X.
  RationalMatrix apply(const Permutation& g, const RationalMatrix& X) const;
  /// rho(g), kept for the next time.
  const RationalMatrix& matrix(const Permutation& g) const;
  std::vector<RationalMatrix> generator_matrices() const { return V_.generator_matrices(); }
  /// The words in the generators that take `seed` (a column) to a basis of the module it generates, found modulo p.
  /// Nothing if p is unlucky: it divides a denominator or the seed.
  std::optional<SpinWords> spin(const RationalMatrix& seed, std::uint64_t p, const Task& task) const;
  /// The vectors of words in the generators on all columns of `seeds`.
  std::vector<RationalMatrix> spun(const SpinWords& words, const RationalMatrix& seeds, const Task& task) const;

 private:
  /// rho(g) mod p for every generator; nothing if p divides a denominator. Kept for the last p.
  const std::vector<ModularMatrix>* modular_generators(std::uint64_t p) const;

  Representation V_;
  mutable std::map<Permutation, RationalMatrix> matrices_;
  mutable std::uint64_t prime_ = 0;
  mutable std::vector<ModularMatrix> modular_;
};

}  // namespace intertwine
