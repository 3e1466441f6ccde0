// Norm equations in cyclic extensions of prime degree of abelian number fields.
#pragma once
#include <cstdint>
#include <optional>

#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The numbers of K that zeta -> zeta^k fixes. \throws DomainError unless k is coprime to the conductor.
AbelianField fixed_field(const AbelianField& K, std::uint32_t k);

/// A number r of F with r^l = x, l a prime; nothing if none was found, which is no proof that there is none.
///
/// \par Method  Modulo a power of a prime ideal of degree 1 the root is known; the number of F with this residue whose coordinates are
///              small is found by lattice reduction, and its power is compared with x.
std::optional<Cyclotomic> field_root(const AbelianField& F, std::uint32_t l, const Cyclotomic& x,
                                     const Task& task = {});

/// A number a of K with a s(a) ... s^(l-1)(a) = c, where s: zeta -> zeta^k is an automorphism of K of prime order l and c is not 0
/// and fixed by s: its norm to the field fixed by s is c. Nothing if none was found, which is no proof that there is none.
///
/// \par Method  Only powers c f^l, f in F, matter modulo norms. The l-th power residue symbols of small numbers of K, their norms
///              and c at many primes of degree 1 are vectors over the field with l elements; where that of c is a combination of
///              the others, c times a product of norms is with near certainty an l-th power, and its root is taken. Those
///              tried first are the relative norms of 1 - zeta^j and short sums of traces of roots of unity, those of small norm to Q
///              first: they generate the S-units for small S where such numbers do. [Adleman 1991 for the characters]
/// \par Proof   the norm of the result is computed and compared with c.
/// \par Cost    600 numbers at some 660 primes: below a second in degree 24
/// \throws DomainError unless k and c are as stated.
std::optional<Cyclotomic> solve_norm_equation(const AbelianField& K, std::uint32_t k, const Cyclotomic& c,
                                              const Task& task = {});

}  // namespace intertwine
