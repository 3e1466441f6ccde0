// Symmetric functions in the classical bases, and the changes between them.
#pragma once
#include <map>
#include <string>

#include "intertwine/combinatorics/symmetric_function.hpp"

namespace intertwine {

/// The forgotten functions are the images of the monomial ones under omega_involution.
enum class SymmetricBasis { schur, power, homogeneous, elementary, monomial, forgotten };

/// A rational combination of one basis, each partition once, no zero coefficients.
struct SymmetricFunction {
  SymmetricBasis basis = SymmetricBasis::schur;
  std::map<Partition, Rational> terms;
  /// The product with g, in the basis of this function. Cost: nothing but the merging of parts where both are in p, h
  /// or e; otherwise Littlewood-Richardson.
  /// \throws as in_basis; LimitError for degrees above 1000 in other bases than these, and as add_multiple
  SymmetricFunction times(const SymmetricFunction& g, const Task& task = {}) const;
  /// The k-th power, in the basis of this function. \throws as times
  SymmetricFunction power(unsigned k, const Task& task = {}) const;
  friend bool operator==(const SymmetricFunction&, const SymmetricFunction&) = default;
};

/// b_lambda of this basis.
SymmetricFunction basis_element(SymmetricBasis basis, const Partition& lambda);
SymmetricFunction to_symmetric_function(const SchurSum& f);
/// \throws DomainError if f is not an integral combination of Schur functions after the change of basis.
SchurSum to_schur_sum(const SymmetricFunction& f, const Task& task = {});

/// f in another basis, through the Schur basis: h and e by Pieri and Jacobi-Trudi, p by Murnaghan-Nakayama, m
/// and f by Kostka numbers.
/// \par Cost  to p and to or from m and f: p(n) values for each partition of n that occurs; else a few products for each
///            term. \throws LimitError for degree above 60 where p, m or f is involved.
/// \par Source  [Macdonald 1995, I.6]
/// \par Example  in_basis(basis_element(SymmetricBasis::power, {2}), SymmetricBasis::schur) = s[2] - s[1,1]
SymmetricFunction in_basis(const SymmetricFunction& f, SymmetricBasis basis, const Task& task = {});

/// f as a character of GL(n): in the Schur basis, without partitions of more than n rows. \throws as in_basis.
SymmetricFunction as_character_of_gl(const SymmetricFunction& f, int n, const Task& task = {});
/// f(1, ..., 1), n times: the dimension of the GL(n) module with this character. \throws DomainError if n < 0; as in_basis.
Rational dimension(const SymmetricFunction& f, int n, const Task& task = {});

/// The basis of a letter s, p, h, e, m or f. \throws DomainError for another.
SymmetricBasis symmetric_basis(char letter);
char letter_of(SymmetricBasis basis);
/// "p[2,1] - 1/3*p[3]"; "0" for zero. Letters s, p, h, e, m, f.
std::string to_string(const SymmetricFunction& f);
/// "p_{2,1} - \\frac{1}{3} p_{3}".
std::string to_latex(const SymmetricFunction& f);

}  // namespace intertwine
