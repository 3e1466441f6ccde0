// Inverses and norms of cyclotomic numbers, under limits.
#pragma once
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// 1 / a, exactly.
///
/// Up to twelve different conjugates are multiplied. FLINT's extended gcd does the rest up to degree 48. Beyond that
/// the work is modulo primes p = 1 mod n. There a has phi(n) images; the product of those of its d different conjugates
/// is a norm N, and the images of N / a give its coefficients by an inverse Fourier transform. For an algebraic integer
/// a, N and the traces of N zeta^j / a have at most d/2 log2(m) + log2(phi(n)) + 1 bits, where m is the mean of |a|^2
/// over the conjugates: a geometric mean is at most the arithmetic one. So many bits of primes prove the answer.
/// \throws DomainError for 0; LimitError before more memory is taken than the task allows
/// \par Cost  O(n (p_1 + ... + p_k)) operations on words for every 57 of these bits, n being the product of the primes
/// p_1, ..., p_k; primes above 1024 take products of polynomials instead. The task is polled.
Cyclotomic inverse(const Cyclotomic& a, const Task& task);

/// The product of the phi(n) images of a under the Galois group of Q(zeta_n).
/// \par Cost  at most half that of the inverse, and the power where a has fewer conjugates.
Rational norm(const Cyclotomic& a, const Task& task);

}  // namespace intertwine
