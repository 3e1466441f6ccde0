// Schur functions: products (Littlewood-Richardson), skew expansions, coproducts, plethysm, Kronecker
// products.
//
// Multiplicities are big integers; the work is done in machine words with overflow detection and repeated
// with big integers only when a word does not suffice. Every function that may run long takes a Task and
// polls it.
#pragma once
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// coefficient * s_partition.
struct SchurTerm {
  Partition partition;
  Integer coefficient;
  friend bool operator==(const SchurTerm&, const SchurTerm&) = default;
};

/// An integral combination of Schur functions: terms in the order of Partition, each partition once, no zero
/// coefficient.
class SchurSum {
 public:
  /// Zero.
  SchurSum() = default;
  /// s_lambda.
  SchurSum(const Partition& lambda) : terms_{{lambda, 1}} {}
  /// Terms in any order; equal partitions are added up.
  explicit SchurSum(std::vector<SchurTerm> terms);

  const std::vector<SchurTerm>& terms() const { return terms_; }
  std::size_t size() const { return terms_.size(); }
  auto begin() const { return terms_.begin(); }
  auto end() const { return terms_.end(); }
  /// The coefficient of s_lambda. Cost: binary search.
  Integer coefficient(const Partition& lambda) const;

  friend SchurSum operator+(const SchurSum& a, const SchurSum& b);
  friend SchurSum operator-(const SchurSum& a, const SchurSum& b);
  friend SchurSum operator*(const Integer& c, const SchurSum& a);
  friend bool operator==(const SchurSum&, const SchurSum&) = default;

 private:
  std::vector<SchurTerm> terms_;
};

/// "s[3] + 2*s[2,1]"; "0" for zero.
std::string to_string(const SchurSum& f);
/// "s_{3} + 2 s_{2,1}".
std::string to_latex(const SchurSum& f);

/// Every s_lambda replaced by s_{lambda'} (the involution omega).
SchurSum omega_involution(const SchurSum& f);
/// The dimension of the GL(n) module with this character, sum c_lambda dim S_lambda(C^n). \throws DomainError
/// if n < 0.
Integer dimension(const SchurSum& f, int n);

/// Keep only partitions of at most `rows` rows and `cols` columns: everything else is set to zero, which is a
/// quotient ring.
struct PartitionBox {
  int rows = std::numeric_limits<int>::max();
  int cols = std::numeric_limits<int>::max();
};

/// s_lambda s_mu = sum c^nu_{lambda mu} s_nu.
///
/// \par Method   strip by strip with equal states merged (see src/combinatorics/strips.hpp), so that large coefficients
///               cost nothing extra; the factor and the orientation with the smallest estimate is taken.
/// \par Cost     proportional to the number of (intermediate shape, bound on the next strip) pairs. Memory
/// likewise. \throws DomainError if the box has a negative side; LimitError for memory, or shapes of more
/// than 1024 rows and columns.
/// \par Source  [Littlewood & Richardson 1934], in the form of [Stembridge 2002].
/// \par Example  schur_product({2,1}, {1}) = s[3,1] + s[2,2] + s[2,1,1]
SchurSum schur_product(const Partition& lambda, const Partition& mu, const PartitionBox& box = {},
                       const Task& task = {});
/// The product of sums; the factor with fewer terms is expanded term by term.
SchurSum schur_product(const SchurSum& f, const SchurSum& g, const PartitionBox& box = {}, const Task& task = {});
/// s_{outer/inner} = sum c^outer_{inner nu} s_nu; zero if inner is not contained in outer. Method and errors
/// as schur_product.
SchurSum skew_schur(const Partition& outer, const Partition& inner, const PartitionBox& box = {},
                    const Task& task = {});
/// The single coefficient c^nu_{lambda mu}: as the product, keeping only shapes that can still become nu.
Integer littlewood_richardson(const Partition& nu, const Partition& lambda, const Partition& mu, const Task& task = {});

/// coefficient * s_left (x) s_right.
struct SchurPair {
  Partition left, right;
  Integer coefficient;
  friend bool operator==(const SchurPair&, const SchurPair&) = default;
};
/// s_nu(x, y) = sum c^nu_{lambda mu} s_lambda(x) s_mu(y), sorted by left, then right.
/// \throws LimitError if nu contains more than 10^7 partitions.
std::vector<SchurPair> schur_coproduct(const Partition& nu, const Task& task = {});

/// The fusion product of level k for SU(n): partitions of at most n rows with lambda_1 - lambda_n <= k,
/// columns of length n kept. The ordinary product in n rows folded by the affine Weyl group [Kac; Walton
/// 1990]. \throws DomainError if n < 1, level < 0, or a factor has more than n rows or is not of this level.
SchurSum fusion_product(const Partition& lambda, const Partition& mu, int n, int level, const Task& task = {});

/// q^degree * coefficient * s_partition.
struct QuantumTerm {
  Partition partition;
  int degree = 0;
  Integer coefficient;
  friend bool operator==(const QuantumTerm&, const QuantumTerm&) = default;
};
/// "s[2] + 2*q^2*s[1]".
std::string to_string(const std::vector<QuantumTerm>& terms);
/// The product of Schubert classes in the small quantum cohomology of the Grassmannian of `rows`-planes in
/// C^(rows+cols), partitions in a rows x cols box: the ordinary product in `rows` rows with
/// (rows+cols)-ribbons taken away [Bertram, Ciocan-Fontanine & Fulton 1999]. Sorted by degree, then
/// partition. \throws DomainError if rows or cols < 1, or a factor does not fit in the box.
std::vector<QuantumTerm> quantum_product(const Partition& lambda, const Partition& mu, int rows, int cols,
                                         const Task& task = {});

/// f times p_k[s_mu] (every variable of s_mu raised to the k-th power).
/// \par Method   k-quotients carry the product by p_k[s_mu] to one by s_mu in k alphabets, which is strips
/// again. \throws DomainError if k < 1.
/// \par Source  [Littlewood 1950]; [Macdonald 1995, I.8].
SchurSum multiply_by_power_plethysm(const SchurSum& f, int k, const Partition& mu, const PartitionBox& box = {},
                                    const Task& task = {});

/// s_outer[s_inner]: the character of the Schur functor S_outer of the module S_inner(V).
///
/// \par Method   n s_tau[g] = sum_k p_k[g] sum_R (-1)^{height R} s_{tau - R}[g] over the k-ribbons R of tau, |tau| = n,
///               for all tau inside outer; exact division by n is checked. The conjugate is taken where inner is tall.
/// \par Cost     for each tau and k one multiplication by p_k[s_inner].
/// \throws LimitError for memory, or shapes of more than 1024 rows.
/// \par Example  plethysm({2}, {2}) = s[4] + s[2,2]
SchurSum plethysm(const Partition& outer, const Partition& inner, const PartitionBox& box = {}, const Task& task = {});

}  // namespace intertwine
