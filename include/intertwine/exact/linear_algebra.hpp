// Exact linear algebra over Q by word-size primes, Chinese remainders and rational reconstruction. Every answer
// is verified against the input before it is returned; primes only cost time.
#pragma once
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "intertwine/exact/matrix.hpp"
#include "intertwine/exact/modular_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The rank over Q: proved from below by a prime, from above by an exact kernel unless it is full.
std::size_t matrix_rank(const RationalMatrix& A, const Task& task = {});

/// The reduced row echelon form without its zero rows, and its pivot columns.
struct Echelon {
  RationalMatrix matrix;
  std::vector<std::size_t> pivots;
};
Echelon reduced_echelon(const RationalMatrix& A, const Task& task = {});
/// 0 to n - 1 without the chosen ones, which ascend: the free columns of an echelon form, by its pivots.
std::vector<std::size_t> complement_of(const std::vector<std::size_t>& chosen, std::size_t n);

/// A basis of {x : A x = 0}: its ROWS are the kernel vectors with one free variable 1 and the others 0,
/// scaled to primitive integers. Verified: A x = 0 exactly and the number is cols - rank.
IntegerMatrix null_space(const RationalMatrix& A, const Task& task = {});

/// A solution X of A X = B, the unique one when A has full column rank, otherwise with zeros in the rows that are no
/// pivot columns of A; nothing if there is none (proved). Chinese remainders, or Dixon's p-adic lifting when B is
/// narrow.
std::optional<RationalMatrix> linear_solve(const RationalMatrix& A, const RationalMatrix& B, const Task& task = {});
/// \throws DomainError if A is not square, or singular (proved).
RationalMatrix inverse(const RationalMatrix& A, const Task& task = {});
Rational determinant(const RationalMatrix& A);

/// A polynomial over Q: coefficients, constant term first, no leading zero; the zero polynomial is empty.
using Polynomial = std::vector<Rational>;
/// det(x - A), monic. \throws DomainError unless A is square (also below).
Polynomial characteristic_polynomial(const RationalMatrix& A, const Task& task = {});
/// The monic polynomial of least degree with f(A) = 0, verified by evaluation.
Polynomial minimal_polynomial(const RationalMatrix& A, const Task& task = {});
/// f(A), with about 2 sqrt(deg f) products of matrices [Paterson & Stockmeyer 1973].
RationalMatrix evaluate(const Polynomial& f, const RationalMatrix& A);
/// The irreducible monic factors over Q with multiplicities, by degree, then by coefficients. The constant is
/// dropped. \throws DomainError if f = 0.
std::vector<std::pair<Polynomial, unsigned>> irreducible_factors(const Polynomial& f);

/// The rows of a basis of the lattice that the rows of A generate, zero rows dropped, LLL-reduced (delta 0.99) as far
/// as floating point numbers tell, which choose the steps. [Lenstra, Lenstra & Lovasz 1982; Koy & Schnorr 2001] Up to
/// rank 64, and where numbers are large, by FLINT, which is not interrupted.
IntegerMatrix lll(const IntegerMatrix& A, const Task& task = {});
/// LLL where only inner products are known: T with determinant 1 or -1 such that the rows of T B are LLL-reduced
/// (delta 0.99), B being any rows whose inner products in some positive definite form are `gram`.
IntegerMatrix gram_reduction(IntegerMatrix gram);
/// A basis (rows) of the lattice (Q-span of the rows of A) intersected with Z^n. The rows of A need not be
/// independent. The index comes from gcds of minors, and a Howell form modulo it enlarges the lattice: nothing larger
/// than r x (r + 24) is eliminated, r being the rank.
IntegerMatrix saturate(const IntegerMatrix& A, const Task& task = {});
/// A basis (rows) of {x in Z^n : A x = 0}, LLL-reduced.
IntegerMatrix kernel_lattice(const RationalMatrix& A, const Task& task = {});
/// Rows that span the same Q-space, each primitive with first non-zero entry positive, chosen to have many
/// zeros and small entries: from an LLL-reduced basis, a reduced echelon basis and exchanges between them. The
/// rows are independent and sorted by the place of their first non-zero entry, then lexicographically.
/// Deterministic. The cheapest independent rows of all these bases are taken, a row costing 1 and the number of its
/// bits for every nonzero entry; so the total cost is at most that of the echelon basis. \throws DomainError if the
/// rows of A are dependent; LimitError through `task`.
/// \par Cost   r rows, n columns: seconds at r = 1500, n = 10^4. The lattice basis is left out above r = 160, the
/// echelon bases above r^2 n = 2 10^9; exchanges look at 10^9 entries at most.
IntegerMatrix sparsify(const IntegerMatrix& A, const Task& task = {});

}  // namespace intertwine
