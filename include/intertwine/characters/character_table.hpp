// Ordinary character tables of finite groups.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "intertwine/characters/row_label.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"

namespace intertwine {

/// The character table of a group: rows are its irreducible characters, columns its conjugacy classes. An immutable
/// value, cheap to copy, safe to read from many threads.
///
/// Column 0 is the identity; the columns are ordered by element order, class size, power maps and, where these leave
/// classes equal, by the values of the characters; classes that an automorphism of the table exchanges by their least lists
/// of images (LeastConjugates). Row 0 is trivial, the others are ordered by degree, then by their values (in the order of
/// Cyclotomic, column by column). The order depends on the group as a set of permutations only, not on generators, the
/// method or the course of the computation.
class CharacterTable {
 public:
  struct Data;
  explicit CharacterTable(std::shared_ptr<const Data> data);

  /// The columns, in order.
  const ConjugacyClasses& classes() const;
  const FiniteGroup& group() const { return classes().group(); }
  /// The number of irreducible characters, and of classes.
  std::size_t size() const { return classes().size(); }
  /// The value of character `row` on class `column`, both below size(), unchecked.
  Cyclotomic operator()(std::size_t row, std::size_t column) const;
  std::vector<Cyclotomic> row(std::size_t row) const;
  Integer degree(std::size_t row) const { return (*this)(row, 0).to_integer(); }
  /// The Frobenius-Schur indicator: 1 for a character of a real representation, 0 for a complex, -1 for a
  /// quaternionic one.
  int indicator(std::size_t row) const;
  /// Partitions for symmetric, alternating and signed groups and wreath products with a symmetric group, whatever method
  /// made the table; Mulliken's symbols for the named point groups; otherwise numbers in the order of the rows.
  const RowLabel& label(std::size_t row) const;
  std::string name(std::size_t row) const { return to_string(label(row)); }
  /// For every prime p dividing |G| the class of the p-th powers of every class.
  const std::map<std::uint32_t, std::vector<std::uint32_t>>& power_maps() const;
  /// "1a", "2a", "2b", ...: the element order and letters for the classes of that order.
  std::vector<std::string> class_names() const;

  friend void verify(const CharacterTable& table, const Task& task);

 private:
  std::shared_ptr<const Data> data_;
};

/// The character table of G, verified (see verify) before it is returned.
///
/// \par Method   Sym(n), Alt(n), abelian, dihedral and dicyclic groups, direct and wreath products by formula; other
///               supersolvable groups, except the smallest, from monomial representations. Otherwise modulo a prime
///               p = 1 mod the exponent of G: up to 20,000 elements by class matrices, above by induction and lattice
///               reduction. The values are lifted by the discrete Fourier transform over the powers of every class.
/// \throws LimitError by the task's limits.
CharacterTable character_table(const FiniteGroup& G, const Task& task = {});
/// For classes already known; their order is changed as described above.
CharacterTable character_table(const ConjugacyClasses& classes, const Task& task = {});

/// The known part of a character table when a limit of the task stops the work.
struct PartialCharacterTable {
  std::optional<CharacterTable> table;        ///< complete and verified, if no limit was reached
  std::optional<ConjugacyClasses> classes;    ///< all classes, if they are known
  std::vector<ConjugacyClass> found_classes;  ///< otherwise those found so far, the identity first
  /// Irreducible characters found so far, on `classes`; nothing else verifies them than the method that found them.
  std::vector<std::vector<Cyclotomic>> characters;
  std::string reason;  ///< which limit, if there is no table
};
/// character_table(G, task) where a limit is no error.
PartialCharacterTable partial_character_table(const FiniteGroup& G, const Task& task);

/// Common eigenspaces of the class matrices modulo p > 2 sqrt|G|. A space of characters is kept in echelon form, so
/// that only the columns of its pivots are computed of any class matrix. [Dixon 1967; Schneider 1990]
/// \par Cost  |C| identifications of elements for every column of the matrix of a class C, and O(classes^3)
///            operations modulo p for every class used.
CharacterTable character_table_by_class_matrices(const FiniteGroup& G, const Task& task = {});
/// Generalized characters induced from cyclic and abelian subgroups and products of known characters span a lattice
/// in which reduction finds vectors of norm 1: irreducible characters up to sign. All inner products are integers
/// below p/2 in size, known exactly modulo p. Where the lattice stays too small, class matrices split what is left.
/// [Unger 2006]
CharacterTable character_table_by_induction(const FiniteGroup& G, const Task& task = {});

/// Supersolvable groups, p-groups among them: the traces of all irreducible representations, which are built along a chief
/// series with factors of prime order as monomial matrices, by extension where a representation is invariant and by
/// induction where it is not; only one of every orbit of G is built for the terms of the series.
/// [Conlon 1990; Baum & Clausen 1994]
/// \par Cost  O(sum of degrees * log^2 |G|) operations for the matrices; for the traces the sum of degrees times the number
///            of classes and a few products, less where characters agree on terms of the series.
/// \throws DomainError if G is not supersolvable (a normal series with factors of prime order, each term normal in G, does
///         not exist); LimitError for groups of more than 2^31 elements.
CharacterTable character_table_by_monomial_representations(const FiniteGroup& G, const Task& task = {});

/// Checks a table: values are algebraic integers; the Galois group acts on values as powers act on classes, and permutes
/// the rows; the columns are orthogonal and their norms are the orders of the centralizers, hence the rows are
/// orthonormal and the squares of the degrees add up to |G|. Inner products of columns are rational integers, since the
/// Galois group permutes the rows, and at most sqrt(z z') in size for centralizers of orders z and z', once the norms
/// are known: a residue modulo more than twice that decides. Multiplication by linear characters permutes the rows
/// (checked), so that classes in different cosets of G' are orthogonal, and for the others one row of every orbit stands
/// for all. So much is proved of every table before it is returned; here also that the degrees divide |G|, that there is
/// a power map for every prime divisor of |G|, equal to that of the classes, and that the indicators are the means of
/// chi(g^2). The classes are taken for true: verify(table.classes()) proves them.
/// \throws VerificationError naming the rows or columns that fail.
/// \par Cost  classes^3 / 2 |G:G'|^2 multiplications of 32-bit words where the cosets of G' have equally many classes,
///            more for pairs of classes with large centralizers.
void verify(const CharacterTable& table, const Task& task = {});

}  // namespace intertwine
