// Conjugacy classes of permutation groups, with proof, and the class of any element.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "intertwine/groups/finite_group.hpp"

namespace intertwine {

struct ConjugacyClass {
  Permutation representative;
  Integer size;
  std::uint64_t element_order;
  Integer centralizer_order;
};

/// All conjugacy classes of a group in a fixed order. An immutable value, safe to read from many threads.
///
/// Class 0 is the identity. The order is by element order, then size, then what the power maps tell apart (the
/// colours of repeated refinement by the classes of p-th powers and p-th roots). Classes that even these leave equal
/// are told apart by the character table (see CharacterTable::classes), which is a function of the group; here they
/// come as they were found.
class ConjugacyClasses {
 public:
  struct State;
  explicit ConjugacyClasses(std::shared_ptr<const State> state, const Task& task = {});

  const FiniteGroup& group() const;
  std::size_t size() const { return order_->size(); }
  /// Class k < size(), unchecked.
  const ConjugacyClass& operator[](std::size_t k) const;
  /// The number of the class of g. \throws DomainError if g is no element of the group.
  std::size_t index_of(const Permutation& g, const Task& task = {}) const;
  /// The number of the class of g, which must be an element; anything may come out for others.
  std::size_t index_of_element(const Permutation& g, const Task& task = {}) const;
  /// How many classes are told from others only by a search for a conjugating element: for these index_of is slow.
  std::size_t number_told_by_search() const;
  /// Was it found out, when the classes were looked for, that the group has none of the forms for which there are formulas?
  bool is_without_form() const;
  /// For every class the class of the k-th powers; k may be negative.
  std::vector<std::uint32_t> power_map(const Integer& k, const Task& task = {}) const;
  /// These classes renumbered: new number k is old number order[k]. `order` must be a permutation.
  ConjugacyClasses reordered(std::span<const std::uint32_t> order) const;

 private:
  std::shared_ptr<const State> state_;
  std::shared_ptr<const std::vector<std::uint32_t>> order_, place_;  // to and from the numbers of the state
  struct Powers;
  std::shared_ptr<const Powers> powers_;  // what is known of power maps
};

/// The conjugacy classes of G.
///
/// \par Method   Those of class_formula by formula. Groups of at most 20,000 elements by
///               orbits on the elements, numbered by the chain. Larger solvable groups by lifting through the
///               layers V of a normal series: the classes above that of g are the orbits of its centralizer on
///               V/[V, g], where it acts by affine maps. Others by random elements: powers of random elements
///               of G and of centralizers of elements already found (the Burnside process, whose limit visits all
///               classes equally often) are compared by invariants, until the sizes of the classes found add up to
///               |G|. Where they do not and nothing new turns up, elements with equal invariants are compared by
///               searches for a conjugating element, with more choices every time.
/// \par Proof    Lifting computes all orbits with their stabilizers, and the sizes add up to |G|. In the random search
///               classes are different because invariants differ or an exhaustive search found no conjugating
///               element. The centralizer orders are exact: every level of the search multiplies by the length of an
///               orbit whose points are reached by elements found and whose other candidates are excluded by
///               exhaustive search. Different classes of exact sizes that add up to |G| are all classes.
/// \throws LimitError if there are too many classes to list, or by the task's limits.
/// \par Source   [Butler 1994; Hulpke 2000; Jerrum 1993 for the Burnside process; Mecky & Neubueser 1989 for lifting]
ConjugacyClasses conjugacy_classes(const FiniteGroup& G, const Task& task = {});
ConjugacyClasses conjugacy_classes_by_orbits(const FiniteGroup& G, const Task& task = {});
/// \throws DomainError if G is not solvable, LimitError if a layer of the normal series has more than 2^24 elements.
ConjugacyClasses conjugacy_classes_by_lifting(const FiniteGroup& G, const Task& task = {});
ConjugacyClasses conjugacy_classes_by_random_search(const FiniteGroup& G, const Task& task = {});

/// The classes found when a limit of the task stops the work.
struct PartialConjugacyClasses {
  std::optional<ConjugacyClasses> classes;  ///< all, if no limit was reached
  std::vector<ConjugacyClass> found;        ///< otherwise those found so far, sizes and centralizers proved
  std::string reason;                       ///< which limit
};
/// conjugacy_classes(G, task) where a limit is no error. The random search finds classes one by one, the other methods
/// all or none.
PartialConjugacyClasses partial_conjugacy_classes(const FiniteGroup& G, const Task& task);

/// How many classes there are and what they are, in words, where a formula says so without listing them.
struct ClassFormula {
  Integer count;
  std::string description;  ///< "5^20 = 95367431640625: tuples of classes of the 20 factors S4"
};
/// For Sym(n), Alt(n), W(D_n), abelian, dihedral and dicyclic groups, GL(2, q), SL(2, q), PGL(2, q), PSL(2, q), Sz(q), direct products, and wreath products with Sym(n) or with C_p on p points
/// on top; nothing for others. Groups of order above 500 are recognised as products and wreath products by their orbits
/// and blocks, however they are given.
std::optional<ClassFormula> class_formula(const FiniteGroup& G, const Task& task = {});

/// The number of conjugacy classes: by class_formula where there is one, otherwise by listing them.
Integer number_of_conjugacy_classes(const FiniteGroup& G, const Task& task = {});

/// C_G(g), exact, for an element or any other permutation g of G's points.
/// \par Method  backtrack search over the images of base points adapted to the cycles of g.
/// \throws DomainError if g has another degree.
FiniteGroup centralizer(const FiniteGroup& G, const Permutation& g, const Task& task = {});

/// The centralizers of many elements of one group: what all searches need of the group is made once. A value; copies
/// share it.
class Centralizers {
 public:
  explicit Centralizers(FiniteGroup G);
  /// C_G(g). \throws DomainError if g has another degree.
  FiniteGroup operator()(const Permutation& g, const Task& task = {}) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// x in G with x g x^{-1} = h; nothing if there is none. \throws DomainError for other degrees.
/// \par Method  of Sym(n) and Alt(n) from the cycles; otherwise a search as for the centralizer.
std::optional<Permutation> conjugating_element(const FiniteGroup& G, const Permutation& g, const Permutation& h,
                                               const Task& task = {});

/// The least lists of images among the elements of conjugacy classes of one group: functions of the group as a set of
/// permutations and of the class, whatever generators, representatives and methods. They settle what nothing else does.
/// Copies share what they have found.
class LeastConjugates {
 public:
  explicit LeastConjugates(const FiniteGroup& G);
  /// By orbit if the elements of the class are a few dozen or have at most some thousand images in all, otherwise by search.
  Permutation operator()(const ConjugacyClass& c, const Task& task = {}) const;
  /// All conjugates of an element g of the group. O(|class| log |class|) products for every generator.
  Permutation by_orbit(const Permutation& g, const Task& task = {}) const;
  /// The images of y^-1 g y, one point after the other, for all y in G at once, as cosets of stabilizers of points; only
  /// those with the least images so far stay, one for every orbit of the centralizer of g.
  /// \par Cost  the centralizer of g, a chain for every base point met, a product for each coset that stays and each image.
  Permutation by_search(const Permutation& g, const Task& task = {}) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Proves that these are the conjugacy classes of G, the identity first, from the list alone: the representatives lie in
/// G and have the stated orders; the centralizers, searched for again, have the stated orders, and these times the sizes
/// are |G|; no two representatives are conjugate (different cycles, different sizes, or no conjugating element); the
/// sizes add up to |G|, so that none is missing.
/// \throws VerificationError naming the first class that fails.
/// \par Cost  a search for the centralizer of every representative outside the centre, and one for a conjugating element
///            for every pair of classes of one size with cycles of the same lengths.
void verify(const FiniteGroup& G, std::span<const ConjugacyClass> classes, const Task& task = {});
/// Verifies the classes, and that index_of finds every class by its representative.
void verify(const ConjugacyClasses& classes, const Task& task = {});

}  // namespace intertwine
