// Cyclotomic algebras over abelian number fields, and their local indices.
#pragma once
#include <cstdint>
#include <vector>

namespace intertwine {

/// The crossed product of K = Q(zeta_n) with a group Gamma of automorphisms over F, the field that Gamma fixes: the sum of
/// the K u_j, j in Gamma, with u_j zeta = zeta^j u_j and u_j u_k = zeta^f(j,k) u_(jk), f(j,1) = f(1,j) = 0.
struct CyclotomicAlgebra {
  std::uint32_t n = 1;
  std::vector<std::uint32_t> galois;   ///< Gamma as a subgroup of (Z/n)^*, increasing; 0 is the identity for n = 1
  std::vector<std::uint32_t> cocycle;  ///< f(galois[a], galois[b]) = cocycle[a |Gamma| + b] modulo n

  std::size_t place(std::uint32_t j) const;  ///< the place of j in galois; galois.size() if it is not there
  std::uint32_t f(std::uint32_t j, std::uint32_t k) const { return cocycle[place(j) * galois.size() + place(k)]; }
};

/// The index of the algebra over the real completions of F: 1 or 2; 1 if F is not real. u^2 = +1 or -1 for complex
/// conjugation u decides.
std::uint32_t real_index(const CyclotomicAlgebra& A);

/// The order of the algebra in the Brauer group of a completion of F above p, the part that is prime to p if p is odd (an
/// index in the Schur group of a p-adic field divides p - 1, so that nothing is lost for algebras of characters).
///
/// \par Odd p   Let n' be the part of n prime to p, t generate the inertia group {j in Gamma: j = 1 mod n'}, of order e, and
///              r = p^f be the number of elements of the residue field of F. With u_t^e = zeta^s and u_g u_t u_g^-1 = u_t zeta^z
///              for some g in Gamma that is r modulo n', the index is the order of zeta'^(z + s (1 - r) / e), zeta' of order n'
///              (the exponents are taken modulo n', which changes zeta' to a power that generates as well).
///              This is Benard's theorem for a group with the cyclic normal Sylow subgroup <zeta^n'> and a complement U: the
///              index of a character is [Q_p(chi, phi) : Q_p(chi)] for the constituents phi of chi restricted to U; here phi is
///              induced from mu on <zeta', u_t>, mu(u_t)^e = zeta'^s, and Frobenius multiplies mu by that root of unity.
///              [Benard 1976]
/// \par p = 2   Let f be the component of the cocycle with values in the roots of unity of order 2^a, a >= 2; those of odd
///              order cannot contribute, since the index divides 2. Corestriction from F_2 to Q_2 keeps
///              invariants, so let F_2 = Q_2. Gamma = S x <phi> with S = (Z/2^a)^* acting on W = Q_2(zeta_(2^a)) and phi the
///              Frobenius automorphism of the unramified part. c_s = u_s u_phi u_s^-1 u_phi^-1 is a cocycle of S,
///              c_s = x / s(x) with x in W^*, and (x u_phi) commutes with W and all u_s: the algebra is (W / Q_2, S, f) times a
///              cyclic algebra of the unramified extension, with invariant v_2(x). As H^1(S, mu) has order 2 and x = 1 + i
///              represents the element that is not trivial, v_2(x) = 1/2 exactly if the class of c is not 0. The first factor
///              comes from a crossed product of Q(zeta_(2^a)) over Q, which is ramified at 2 and infinity only: its invariant
///              is 1/2 exactly if u^2 = -1 for u = u_(-1).
/// \par Cost    p odd: O(|Gamma|); p = 2: O(n).
/// \throws InternalError if p is odd and divides e.
std::uint32_t local_index(const CyclotomicAlgebra& A, std::uint32_t p);

/// How many primes of F lie above p.
std::uint32_t primes_above(const CyclotomicAlgebra& A, std::uint32_t p);

}  // namespace intertwine
