// Class functions: characters, generalized characters and what can be done with them.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/combinatorics/partition.hpp"

namespace intertwine {

/// A function on the conjugacy classes of a group, in the order of a character table. A value.
/// Operations on functions of different tables throw DomainError.
class ClassFunction {
 public:
  /// \throws DomainError unless there is one value for every class.
  ClassFunction(CharacterTable table, std::vector<Cyclotomic> values);
  static ClassFunction irreducible(const CharacterTable& table, std::size_t row);
  static ClassFunction constant(const CharacterTable& table, const Cyclotomic& value);

  const CharacterTable& table() const { return table_; }
  const Cyclotomic& operator[](std::size_t c) const { return values_[c]; }
  const std::vector<Cyclotomic>& values() const { return values_; }
  const Cyclotomic& degree() const { return values_[0]; }

  ClassFunction conjugate() const;
  /// g -> f(g^k), the k-th Adams operation; k may be negative.
  ClassFunction adams(long k) const;

  friend ClassFunction operator+(const ClassFunction& a, const ClassFunction& b);
  friend ClassFunction operator-(const ClassFunction& a, const ClassFunction& b);
  /// The product of values: the character of the tensor product.
  friend ClassFunction operator*(const ClassFunction& a, const ClassFunction& b);
  friend ClassFunction operator*(const Cyclotomic& c, const ClassFunction& a);
  friend bool operator==(const ClassFunction& a, const ClassFunction& b);

 private:
  CharacterTable table_;
  std::vector<Cyclotomic> values_;
};

/// <a, b> = 1/|G| sum a(g) conj(b(g)).
Cyclotomic inner_product(const ClassFunction& a, const ClassFunction& b);
/// <f, chi_i> for every irreducible character, in the order of the table.
std::vector<Cyclotomic> coordinates(const ClassFunction& f);
/// The multiplicities of the irreducible characters. \throws DomainError unless f is a character (all coordinates are
/// non-negative integers), naming one that is not.
std::vector<Integer> multiplicities(const ClassFunction& f);

/// The characters of Sym^k, Lambda^k and S_lambda of a representation with character f, from f(g), f(g^2), ...: the
/// restriction of these functors of GL(n) to the group. [Macdonald 1995, I.2 and I.3] \throws LimitError if the weight
/// exceeds 200.
ClassFunction symmetric_power(unsigned k, const ClassFunction& f);
ClassFunction exterior_power(unsigned k, const ClassFunction& f);
ClassFunction schur_power(const Partition& lambda, const ClassFunction& f);
/// The determinant of a representation with character f, of any degree. On an element of order m with the eigenvalue
/// zeta_m^k a_k times it is zeta_m^e, e = sum k a_k, which the values of f on the powers give linearly.
/// \throws DomainError unless the degree is a non-negative integer, or if f is no generalized character.
ClassFunction determinant(const ClassFunction& f, const Task& task = {});

/// For every class of H the class of G that contains it, H <= G. A group on fewer points than G fixes the others.
/// \throws DomainError if H is no subgroup of G, naming a generator that is not in G.
std::vector<std::uint32_t> fusion(const ConjugacyClasses& H, const ConjugacyClasses& G, const Task& task = {});
inline std::vector<std::uint32_t> fusion(const CharacterTable& H, const CharacterTable& G, const Task& task = {}) {
  return fusion(H.classes(), G.classes(), task);
}
/// <chi restricted to H, psi> for every irreducible character chi of G (rows) and psi of H (columns): a row says what chi
/// restricts to and, by Frobenius reciprocity, a column what psi induces. \throws DomainError as fusion.
std::vector<std::vector<Integer>> restriction_multiplicities(const CharacterTable& G, const CharacterTable& H,
                                                             const Task& task = {});
/// f restricted to the subgroup of another table. \throws DomainError if it is no subgroup.
ClassFunction restriction(const ClassFunction& f, const CharacterTable& H);
/// f induced to the group of another table. \throws DomainError unless f's group is a subgroup.
ClassFunction induction(const ClassFunction& f, const CharacterTable& G);

/// f on the group Q of its table, pulled back along the homomorphism from the group of G onto Q that takes generator k to
/// images[k]. \throws DomainError if the images are not as many as the generators, generate another group than Q, or are
/// those of no homomorphism, naming a relation that they break.
ClassFunction inflation(const ClassFunction& f, const CharacterTable& G, const std::vector<Permutation>& images,
                        const Task& task = {});
/// f on factor `factor` of a direct product, pulled back along the projection. \throws DomainError unless the group of G
/// was made by direct_product and f's group is this factor.
ClassFunction inflation(const ClassFunction& f, const CharacterTable& G, std::size_t factor);

/// The kernel and the centre of a character, as classes: |f(g)| = f(1) on the centre.
std::vector<std::uint32_t> kernel_classes(const ClassFunction& f);
std::vector<std::uint32_t> centre_classes(const ClassFunction& f);

/// The rows of a table in families of algebraic conjugates: for every row the least row that the Galois group takes it to.
/// \par Method  generators of the Galois group act as power maps of the classes.
std::vector<std::size_t> galois_families(const CharacterTable& table, const Task& task = {});

/// sum over k of <Sym^k f, psi> t^k, f the character of V: how often psi occurs among the homogeneous polynomials of
/// degree k on V* (psi trivial: the invariants; psi another irreducible character: the equivariants).
struct MolienSeries {
  std::vector<Integer> coefficients;  ///< the coefficients of t^0, t^1, ...
  /// The series is numerator / prod (1 - t^d); as many d as the dimension where small ones are found.
  std::vector<std::uint64_t> degrees;
  std::vector<Integer> numerator;  ///< coefficients of t^0, t^1, ...; empty if too long
};
/// \param count  number of coefficients wanted, at most 100,000
/// \throws DomainError unless f and psi are characters of the same table; LimitError.
MolienSeries molien_series(const ClassFunction& f, const ClassFunction& psi, std::size_t count, const Task& task = {});

}  // namespace intertwine
