// Tables on their way: classes with all their powers, characters modulo p, and the finished data.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/exact/prime_field.hpp"

namespace intertwine {

/// The classes of all powers of the representatives.
struct PowerTable {
  explicit PowerTable(const ConjugacyClasses& classes);
  /// The class of g^k, g the representative of class c; k is reduced modulo its order.
  std::uint32_t operator()(std::size_t c, std::uint64_t k) const { return of[c][k % of[c].size()]; }
  std::uint32_t inverse(std::size_t c) const { return of[c].size() == 1 ? 0 : of[c].back(); }
  std::vector<std::vector<std::uint32_t>> of;  ///< of[c][k] for k below the element order
  std::uint64_t exponent = 1;
};

/// A prime p >= least that is 1 mod `conductor`. \throws LimitError if it would leave 62 bits.
std::uint64_t splitting_prime(std::uint64_t conductor, const Integer& least);

/// The powers of an element z of order e in a prime field, e | p - 1: all of them where e is small, otherwise from two tables of some sqrt(e) elements
/// (for the exponent of S20, 232792560, a list would take 1.7 GiB).
class RootTable {
 public:
  using Element = PrimeField::Element;

  RootTable(const PrimeField& field, std::uint64_t e);
  /// z^k for k < e.
  Element operator[](std::uint64_t k) const {
    if (k < low_.size()) return low_[k];
    return field_.multiply(low_[k & (low_.size() - 1)], high_[k >> bits_]);
  }

 private:
  PrimeField field_;
  unsigned bits_ = 0;
  std::vector<Element> low_,
      high_;  ///< z^k for k below 2^bits, and the powers of z^(2^bits); low alone where that is all
};

/// The image modulo p of a cyclotomic integer of conductor n, where root(k) is that of zeta_n^k.
template <class Root>
PrimeField::Element residue(const PrimeField& f, const Cyclotomic& a, const Root& root) {
  if (const std::int64_t* small = a.small_integer()) return f.from(*small);
  PrimeField::Element sum = 0;
  if (const auto small = a.small_terms()) {
    for (std::size_t i = 0; i < small->exponents.size(); ++i)
      sum = f.add(sum, f.multiply(f.from(small->coefficients[i]), root(small->exponents[i])));
  } else {
    for (const auto& [e, c] : a.terms()) sum = f.add(sum, f.multiply(f.from(Integer(numerator(c))), root(e)));
  }
  return sum;
}

/// Class functions with values in a prime field that has the e-th roots of unity, e the exponent of G.
class ModularCharacters {
 public:
  using Element = PrimeField::Element;
  using Vector = std::vector<Element>;

  /// `least` is a lower bound for the prime.
  ModularCharacters(const ConjugacyClasses& classes, const PowerTable& powers, const Integer& least);

  const ConjugacyClasses& classes;
  const PowerTable& powers;
  PrimeField field;
  RootTable zeta;  ///< zeta[k] = z^k, z of order e, k < e
  Vector weight;   ///< |C| / |G|
  Element root(std::uint64_t n, std::uint64_t k) const { return zeta[powers.exponent / n * (k % n)]; }
  /// The residue of an algebraic integer whose conductor divides the exponent.
  Element residue(const Cyclotomic& a) const {
    return intertwine::residue(field, a, [&](std::uint64_t k) { return root(a.conductor(), k); });
  }

  std::size_t size() const { return weight.size(); }
  /// <a, b> as an integer, exact if it is below p/2 in size.
  std::int64_t inner(const Vector& a, const Vector& b) const;
  /// Weights times b on inverse classes: inner(a, b) = sum of a[c] dual(b)[c].
  Vector dual(const Vector& b) const;
  std::int64_t inner_with_dual(const Vector& a, const Vector& dual_b) const;
  /// a -= q b
  void subtract(Vector& a, std::int64_t q, const Vector& b) const;
};

/// Algebraic integers of the field of roots of unity of order `conductor` modulo p = 1 mod conductor.
std::vector<PrimeField::Element> residues(const PrimeField& field, std::span<const Cyclotomic> numbers,
                                          std::uint64_t conductor);

/// All irreducible characters modulo p, in any order.
using ModularTable = std::vector<ModularCharacters::Vector>;
/// The irreducible characters of degree 1.
ModularTable linear_characters(const ModularCharacters& space, const Task& task);
/// These add the irreducible characters to `known` as they are found, so that these stay when a limit stops the work:
/// those orthogonal to what is known already.
void irreducibles_by_class_matrices(const ModularCharacters& space, const Task& task, ModularTable& known);
void irreducibles_by_induction(const ModularCharacters& space, const Task& task, ModularTable& known);
/// Class matrices as long as few products of elements are enough, and induction then.
void irreducibles_by_small_classes(const ModularCharacters& space, const Task& task, ModularTable& known);

/// A table with its rows and columns in any order. Values are numbers of `pool`.
struct RawTable {
  std::vector<Cyclotomic> pool;
  std::vector<std::uint32_t> values;  ///< values[row * size + column]
  std::vector<RowLabel> labels;       ///< the labels of rows; empty if there are none
};

RawTable lifted(const ModularCharacters& space, const ModularTable& rows);

/// Families by formula; nothing if G is none of them.
std::optional<RawTable> table_by_formula(const ConjugacyClasses& classes, const Task& task);

/// From monomial representations; nothing if G is not supersolvable. \throws LimitError
std::optional<RawTable> supersolvable_table(const ConjugacyClasses& classes, const Task& task);

/// False only for groups that are not supersolvable, as their classes tell, or of more than 2^31 elements.
bool may_be_supersolvable(const ConjugacyClasses& classes);

/// Mulliken's symbols of the rows, in their order, for the named point groups, and the names of the rows of their double groups; empty for other groups.
std::vector<RowLabel> mulliken_labels(const CharacterTable::Data& data, const Task& task);

/// The order of columns that DESIGN asks for.
std::vector<std::uint32_t> canonical_columns(
    const ConjugacyClasses& classes, const std::map<std::uint32_t, std::vector<std::uint32_t>>& power_maps,
    const RawTable& table, const Task& task);

struct CharacterTable::Data {
  ConjugacyClasses classes;
  std::map<std::uint32_t, std::vector<std::uint32_t>> power_maps;
  std::vector<Cyclotomic> pool;  ///< different values, increasing
  std::vector<std::uint32_t> values;
  std::vector<int> indicators;
  std::vector<RowLabel> labels;
};

/// Checks the values as `verify` promises; every table passes it before it is returned.
void verify_values(const CharacterTable::Data& data, const Task& task);

}  // namespace intertwine
