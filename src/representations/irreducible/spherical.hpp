// The vector that generates an irreducible constituent of multiplicity one in a module induced from a linear character.
#pragma once
#include <vector>

#include "monomial_module.hpp"
#include "phase_orbits.hpp"

namespace intertwine {

/// The vectors of M that these elements multiply by zeta^steps[k], zeta of this order, a multiple of M.order().
PhaseOrbits phase_orbits(const MonomialModule& M, const std::vector<Permutation>& elements,
                         std::span<const std::uint32_t> steps, std::uint32_t order, const Task& task);

/// v = e_chi e_0 up to a factor, in M = Ind_H^G l with <chi|_H, l> = 1: the vector with h v = l(h) v, unique up to a
/// factor, in the constituent of character chi.
///
/// Its coordinate at t_i is 1/|H| sum_h conj(chi(t_i h)) l(h). It is computed once for every orbit of H on the cosets,
/// which determines it on the orbit: g v has the same coordinates in another order, times roots of unity.
///
/// The other way sums over whole conjugacy classes C: the conjugates of x in C under t_1, t_2, ... that take e_0 into
/// the orbit of e_i are counted with their roots of unity. As sum_C conj(chi(C)) C is central, nothing else is needed.
/// \par Cost  |H| identifications of classes for every orbit, or of cosets for every class [G : H], whichever is less.
class SphericalVector {
 public:
  SphericalVector(const MonomialModule& M, const GaloisTable& table, std::size_t row, const Task& task);

  /// Coordinates are codes: code = orbit * order + exponent stands for values()[orbit] zeta^exponent.
  using Codes = std::vector<std::uint32_t>;
  const std::vector<Cyclotomic>& values() const { return values_; }
  Cyclotomic value(std::uint32_t code) const;
  const Codes& codes() const { return codes_; }
  /// The codes of t_k v.
  Codes moved(std::size_t k) const;
  /// The code of x v at coset i, from x^-1.
  std::uint32_t code_moved_from(const Permutation& inverse, std::size_t i) const;
  const MonomialModule& module() const { return M_; }
  /// Is there a vector on the orbit of cosets that H moves by l?
  bool is_consistent(std::size_t orbit) const { return consistent_[orbit] != 0; }
  /// The vector with these values in place of values(), 0 on orbits that are not consistent.
  SphericalVector with_values(std::vector<Cyclotomic> values) const;

 private:
  MonomialModule M_;
  std::vector<Cyclotomic> values_;
  std::vector<char> consistent_;
  Codes codes_;
};

}  // namespace intertwine
