// The recognised forms of a group, for formulas of its classes and characters.
#pragma once
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/linear_form.hpp"
#include "intertwine/groups/suzuki_form.hpp"

namespace intertwine {

struct SymmetricForm {};    ///< Sym(n) on all its points, n >= 3
struct AlternatingForm {};  ///< Alt(n) on all its points, n >= 4

/// A direct product whose factors act on disjoint sets of points.
struct ProductForm {
  struct Part {
    FiniteGroup group;
    std::vector<Point> points;  ///< the points of G, by the points of `group`
  };
  std::vector<Part> parts;
  std::vector<Point> place;  ///< the place of every point of G in its part
  /// The action of an element of G in a part.
  Permutation component(const Permutation& g, std::size_t part) const;
};

/// base wr Sym(blocks), or base wr C_p for p blocks permuted cyclically.
struct WreathForm {
  enum class Top { symmetric, cyclic };
  FiniteGroup base;
  std::size_t blocks;
  Top top;
  std::vector<Point> points;  ///< points[b * degree(base) + i] is point i of block b
  std::vector<Point> place;   ///< the inverse of `points`

  std::size_t width() const { return base.degree(); }
  /// The block that g takes block b to.
  std::size_t image_of_block(const Permutation& g, std::size_t b) const {
    return place[g(points[b * width()])] / width();
  }
  /// The action of g on block b, both blocks read by the numbers of their points.
  Permutation component(const Permutation& g, std::size_t b) const;
  /// A cycle of g on the blocks, and the product of the components along it: an element of the base up to conjugacy.
  struct Cycle {
    std::size_t length;
    Permutation product;
  };
  std::vector<Cycle> cycles(const Permutation& g) const;
  /// The element that moves the cycle of blocks b, b + 1, ..., b + length - 1, with this product, and nothing else,
  /// put into the images of an element under construction.
  void put_cycle(std::vector<Point>& images, std::size_t b, std::size_t length, const Permutation& product) const;
};

/// The signed permutations of n >= 2 axes with an even number of signs, points i and i + n the ends of axis i: W(D_n).
struct EvenSignedForm {
  /// Lengths of the cycles of axes; a cycle is positive when the product of its signs is. Signed permutations with
  /// equal types are conjugate by a signed permutation. If there are only positive cycles of even lengths, what takes
  /// the permutation of axes with these cycles to the element has either always an even number of signs, or always an
  /// odd one (`second`), and there are two classes.
  struct Type {
    Partition positive, negative;
    bool splits, second;
  };
  static Type type(const Permutation& g);
};

/// A cyclic normal subgroup \<a> of order n >= 3, n != 4, and index 2, and an element x outside that inverts a:
/// dihedral (x^2 = 1) and dicyclic groups (x^2 = a^(n/2)).
struct DihedralForm {
  Permutation a, x;
  std::uint64_t n;
  bool dicyclic;

  /// g = a^exponent, or g = x a^exponent for reflections.
  struct Place {
    bool reflection;
    std::uint64_t exponent;
  };
  Place place(const Permutation& g) const;
  /// Cycles of a whose lengths have the least common multiple n, as lists of points.
  std::vector<std::vector<Point>> cycles;
  std::vector<std::uint32_t> position;  ///< the positions of the points of these cycles
  Permutation inverse;                  ///< the inverse of x
  Point probe;                          ///< a^2 moves it
};

/// The group has a model (FiniteGroup::model).
struct ModelForm {};

using GroupForm = std::variant<std::monostate, SymmetricForm, AlternatingForm, ProductForm, WreathForm, EvenSignedForm,
                               DihedralForm, LinearForm, SuzukiForm, ModelForm>;

/// By how G was built; dihedral and dicyclic groups by the commutators of their generators, one of which does not
/// commute with what lies outside the cyclic subgroup; linear groups of dimension 2 by LinearForm::of, Sz(q) by
/// SuzukiForm::of; otherwise, above a small order, by its orbits and blocks: a group whose order is that of the
/// product of its constituents is this product, and one whose order is that of the wreath product of what its blocks
/// show is this wreath product, since it embeds into it.
GroupForm group_form(const FiniteGroup& G, const Task& task);

/// A dihedral or dicyclic group, or nothing.
std::optional<DihedralForm> dihedral_form(const FiniteGroup& G, const Task& task);

/// Elements of a group with a model to the corresponding elements of the model and back.
class ModelMap {
 public:
  explicit ModelMap(const FiniteGroup& G, const Task& task = {});
  Permutation to_model(const Permutation& g) const;
  Permutation from_model(const Permutation& g) const;

 private:
  Permutation moved(const StabilizerChain& chain, const Permutation& g, std::size_t from, std::size_t to,
                    std::size_t degree) const;
  std::size_t degree_, model_degree_;
  /// The chains of the action on both sets of points.
  std::shared_ptr<const StabilizerChain> chain_, model_chain_;
};

}  // namespace intertwine
