#include "intertwine/equivariant/hom_dimension.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "equivariant/group_elements.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

void require_same_group(const Representation& V, const Representation& U) {
  if (!(V.group() == U.group()))
    throw DomainError("hom_dimension: the representations belong to different groups, " + V.group().name() +
                      " and " + U.group().name());
}

/// 1/|G| sum of conj(chi_V) chi_U: the sum over the elements for which `add` is called.
class CharacterSum {
 public:
  CharacterSum(const Representation& V, const Representation& U) : V_(V), U_(U) {}
  /// The term of `count` elements with the same values as g.
  void add(const Permutation& g, const Integer& count) {
    const Cyclotomic a = V_.character(g);
    if (a.is_zero()) return;
    const Cyclotomic b = U_.character(g);
    const std::int64_t *x = a.small_integer(), *y = b.small_integer();
    std::int64_t product = 0;
    if (x != nullptr && y != nullptr && !__builtin_mul_overflow(*x, *y, &product))
      integer_ += product * count;
    else
      rest_ += a.conjugate() * b * Cyclotomic(count);
  }
  Integer total() const { return integer_ + rest_.to_integer(); }

 private:
  const Representation &V_, &U_;
  Integer integer_ = 0;
  Cyclotomic rest_ = 0;
};

Integer exact_quotient(const Integer& sum, const Integer& order) {
  if (sum % order != 0)
    throw InternalError("hom_dimension: the sum of characters is not divisible by the order of the group");
  return sum / order;
}

/// Calls f(parts) for every partition of n, parts weakly decreasing.
void for_each_partition(Point n, const std::function<void(const std::vector<Point>&)>& f) {
  std::vector<Point> parts{n};
  for (;;) {
    f(parts);
    std::size_t ones = 0;
    while (!parts.empty() && parts.back() == 1) {
      parts.pop_back();
      ++ones;
    }
    if (parts.empty()) return;
    auto rest = static_cast<Point>(ones + 1);
    const Point part = --parts.back();
    while (rest > 0) {
      parts.push_back(std::min(part, rest));
      rest -= parts.back();
    }
  }
}

Permutation of_cycle_type(const std::vector<Point>& parts, Point n) {
  std::vector<Point> images(n);
  Point start = 0;
  for (const Point length : parts) {
    for (Point i = 0; i < length; ++i) images[start + i] = start + (i + 1) % length;
    start += length;
  }
  return Permutation::unchecked(std::move(images));
}

/// The number of elements of Sym(n) that commute with an element of this cycle type.
Integer centralizer_order(const std::vector<Point>& parts) {
  Integer order = 1;
  for (std::size_t i = 0; i < parts.size();) {
    std::size_t j = i;
    while (j < parts.size() && parts[j] == parts[i]) ++j;
    order *= pow(Integer(parts[i]), static_cast<unsigned>(j - i)) * factorial(j - i);
    i = j;
  }
  return order;
}

/// The orbits of signed permutations on a basis, by walking: for every vector the first vector of its orbit, and its sign
/// relative to that on the walk that reached it.
class WalkedOrbits {
 public:
  WalkedOrbits(std::uint64_t dimension, const std::vector<SignedPermutation>& images,
               const std::vector<bool>& negative_at_point, std::size_t count)
      : first_(dimension, none), negative_(dimension, 0) {
    std::vector<Point> stack;
    for (Point start = 0; start < dimension; ++start) {
      if (first_[start] != none) continue;
      first_[start] = start;
      stack.push_back(start);
      while (!stack.empty()) {
        const Point x = stack.back();
        stack.pop_back();
        for (std::size_t k = 0; k < count; ++k) {
          const SignedPoint y = images[k](x);
          if (first_[y.point()] != none) continue;
          first_[y.point()] = start;
          negative_[y.point()] = (negative_[x] != 0) != (y.negative() != negative_at_point[k]) ? 1 : 0;
          stack.push_back(y.point());
        }
      }
    }
    survives_.assign(dimension, 1);
  }

  /// False if g joins two of the orbits. Notes the orbits in which a walk comes back with a minus sign.
  bool respects(const SignedPermutation& g, bool negative_at_point) {
    for (Point x = 0; x < first_.size(); ++x) {
      const SignedPoint y = g(x);
      if (first_[y.point()] != first_[x]) return false;
      const bool expected = (negative_[x] != 0) != (y.negative() != negative_at_point);
      if (expected != (negative_[y.point()] != 0)) survives_[first_[x]] = 0;
    }
    return true;
  }

  std::uint64_t surviving() const {
    std::uint64_t count = 0;
    for (Point x = 0; x < first_.size(); ++x) count += first_[x] == x && survives_[x] != 0 ? 1 : 0;
    return count;
  }

 private:
  static constexpr Point none = ~Point{0};
  std::vector<Point> first_;
  std::vector<std::uint8_t> negative_, survives_;
};

/// Columns of B that survive as parameters in the row of a point of A whose stabilizer is generated by elements with
/// these images, with these signs at the point: orbits in which no walk comes back with a minus sign. A few of the
/// generators nearly always have the same orbits as all of them; whether they do is looked up in one pass for each.
std::uint64_t surviving_orbits(std::uint64_t dimension, const std::vector<SignedPermutation>& images,
                               const std::vector<bool>& negative_at_point) {
  for (std::size_t count = std::min<std::size_t>(images.size(), 4);;
       count = std::min(2 * count, images.size())) {
    WalkedOrbits orbits(dimension, images, negative_at_point, count);
    bool all = true;
    for (std::size_t k = 0; k < images.size() && all; ++k)
      all = orbits.respects(images[k], negative_at_point[k]);
    if (all) return orbits.surviving();
  }
}

/// The orbits of a group on a basis, as breadth-first trees below their least vectors.
struct Forest {
  explicit Forest(const Representation& V) {
    if (V.dimension() > max_degree)
      throw LimitError(
          fmt::format("hom_dimension: the dimension {} of {} exceeds 2^31 - 1; decompose it first",
                      V.dimension(), V.to_string()));
    const auto images = V.generator_images();
    parent.assign(V.dimension(), none);
    generator.assign(V.dimension(), 0);
    std::vector<Point> queue;
    for (Point start = 0; start < parent.size(); ++start) {
      if (parent[start] != none) continue;
      parent[start] = start;
      queue.assign(1, start);
      for (std::size_t head = 0; head < queue.size(); ++head)
        for (std::size_t k = 0; k < images.size(); ++k) {
          const Point y = images[k](queue[head]).point();
          if (parent[y] != none) continue;
          parent[y] = queue[head];
          generator[y] = static_cast<std::uint32_t>(k);
          queue.push_back(y);
        }
      roots.push_back(start);
      lengths.push_back(queue.size());
    }
  }

  /// An element of G that takes the root of its tree to x.
  Permutation transversal(Point x, const FiniteGroup& G) const {
    Permutation t = Permutation::identity(G.degree());
    for (; parent[x] != x; x = parent[x]) t = t * G.generators()[generator[x]];
    return t;
  }

  static constexpr Point none = ~Point{0};
  std::vector<Point> parent;
  std::vector<std::uint32_t> generator;
  std::vector<Point> roots;
  std::vector<std::size_t> lengths;  ///< by root
};

}  // namespace

Integer hom_dimension_by_elements(const Representation& V, const Representation& U, const Task& task) {
  require_same_group(V, U);
  CharacterSum sum(V, U);
  V.group().chain(task).for_each_element(
      [&](const Permutation& g) {
        sum.add(g, 1);
        return true;
      },
      task);
  return exact_quotient(sum.total(), V.group().order());
}

Integer hom_dimension_by_cycle_types(const Representation& V, const Representation& U, const Task& task) {
  require_same_group(V, U);
  const FiniteGroup& G = V.group();
  const auto n = static_cast<Point>(G.degree());
  if (!G.chain(task).is_giant() || G.order() != factorial(n))
    throw DomainError("hom_dimension_by_cycle_types: " + G.name() +
                      " is not the symmetric group on all its points");
  const Integer order = factorial(n);
  CharacterSum sum(V, U);
  for_each_partition(n, [&](const std::vector<Point>& parts) {
    task.poll();
    sum.add(of_cycle_type(parts, n), order / centralizer_order(parts));
  });
  return exact_quotient(sum.total(), order);
}

Integer hom_dimension_by_classes(const Representation& V, const Representation& U, const Task& task) {
  require_same_group(V, U);
  const ConjugacyClasses classes = conjugacy_classes(V.group(), task);
  CharacterSum sum(V, U);
  for (std::size_t k = 0; k < classes.size(); ++k) {
    task.poll();
    sum.add(classes[k].representative, classes[k].size);
  }
  return exact_quotient(sum.total(), V.group().order());
}

Integer hom_dimension_by_stabilizers(const Representation& V, const Representation& U, const Task& task) {
  require_same_group(V, U);
  if (!V.is_monomial() || !U.is_monomial())
    throw DomainError("hom_dimension_by_stabilizers: " + (V.is_monomial() ? U : V).to_string() +
                      " is given by matrices and permutes no basis; count by classes");
  const FiniteGroup& G = V.group();
  const std::uint64_t dimension = std::min<std::uint64_t>(std::max(V.dimension(), U.dimension()), max_degree);
  task.require_memory(dimension * 8 * (G.generators().size() + 4), "the orbits of the basis vectors");
  const Forest of_V(V), of_U(U);
  // Hom(V, U) and Hom(U, V) have the same dimension: start from the side with fewer orbits.
  const bool from_V = of_V.roots.size() < of_U.roots.size();
  const Representation& A = from_V ? V : U;
  const Representation& B = from_V ? U : V;
  const Forest& forest = from_V ? of_V : of_U;

  Rng rng;
  Integer total = 0;
  for (std::size_t done = 0; done < forest.roots.size(); ++done) {
    task.progress("counting orbits", done, forest.roots.size());
    const Integer length(forest.lengths[done]);
    if (length == G.order()) {
      total += B.dimension();
      continue;
    }
    const Point r = forest.roots[done];
    std::vector<SignedPermutation> images;
    std::vector<bool> negative;
    const Integer order = G.order() / length;
    const auto random_element = [&] {
      task.poll();
      const Permutation g = G.random_element(rng);
      return forest.transversal(A.image(g)(r).point(), G).inverse() * g;
    };
    const auto use = [&](const Permutation& h) {
      task.require_memory((images.size() + 1) * B.dimension() * sizeof(SignedPoint),
                          "the generators of a stabilizer");
      negative.push_back(A.image(h)(r).negative());
      images.push_back(B.image(h));
    };
    for (const Permutation& h : proved_generators(G.degree(), order, random_element, rng, task)) use(h);
    total += surviving_orbits(B.dimension(), images, negative);
  }
  return total;
}

CountedDimension hom_dimension(const Representation& V, const Representation& U, const Task& task) {
  require_same_group(V, U);
  const FiniteGroup& G = V.group();
  const Integer& order = G.chain(task).order();
  if (G.chain().is_giant() && G.degree() <= 30 && order == factorial(G.degree()))  // at most 5604 characters
    return {hom_dimension_by_cycle_types(V, U, task), "burnside-cycle-types"};
  if (!V.is_monomial() || !U.is_monomial()) {
    // A character costs products of matrices; the classes of a small group cost as much as all its elements.
    if (order <= 2000) return {hom_dimension_by_elements(V, U, task), "burnside-elements"};
    return {hom_dimension_by_classes(V, U, task), "burnside-classes"};
  }
  // A character costs about the degree of the group; a stabilizer a few images of dimension dim V + dim U
  // each.
  if (order * Integer(G.degree()) <= 20'000'000)
    return {hom_dimension_by_elements(V, U, task), "burnside-elements"};
  return {hom_dimension_by_stabilizers(V, U, task), "stabilizer-chain"};
}

}  // namespace intertwine
