#include "intertwine/equivariant/hom_dimension.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "groups/chain_builder.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

void require_same_group(const Representation& V, const Representation& U) {
  if (!(V.group() == U.group()))
    throw DomainError("hom_dimension: the representations belong to different groups, " + V.group().name() +
                      " and " + U.group().name());
}

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

/// Columns of B that survive as parameters in the row of a point of A whose stabilizer acts by these images,
/// with these signs at the point: connected components in which no walk comes back with a minus sign.
std::uint64_t surviving_orbits(std::uint64_t dimension, const std::vector<SignedPermutation>& images,
                               const std::vector<bool>& negative_at_point) {
  std::vector<std::int8_t> sign(dimension, 0);
  std::vector<Point> stack;
  std::uint64_t count = 0;
  for (Point start = 0; start < dimension; ++start) {
    if (sign[start] != 0) continue;
    sign[start] = 1;
    stack.push_back(start);
    bool survives = true;
    while (!stack.empty()) {
      const Point x = stack.back();
      stack.pop_back();
      for (std::size_t k = 0; k < images.size(); ++k) {
        const SignedPoint y = images[k](x);
        const bool flip = y.negative() != negative_at_point[k];
        const auto expected = static_cast<std::int8_t>(flip ? -sign[x] : sign[x]);
        if (sign[y.point()] == 0) {
          sign[y.point()] = expected;
          stack.push_back(y.point());
        } else if (sign[y.point()] != expected) {
          survives = false;
        }
      }
    }
    count += survives ? 1 : 0;
  }
  return count;
}

/// An element of the group taking the root of a tree in another domain to x.
Permutation group_transversal(const OrbitTree& tree, Point x, const std::vector<Permutation>& generators,
                              std::size_t degree) {
  Permutation t = Permutation::identity(degree);
  while (tree.generator[x] != -1) {
    t = t * generators[static_cast<std::size_t>(tree.generator[x])];
    x = tree.parent[x];
  }
  return t;
}

}  // namespace

Integer hom_dimension_by_elements(const Representation& V, const Representation& U, const Task& task) {
  require_same_group(V, U);
  Integer sum = 0;
  V.group().chain(task).for_each_element(
      [&](const Permutation& g) {
        const Integer a = V.character(g);
        if (a != 0) sum += a * U.character(g);
        return true;
      },
      task);
  return exact_quotient(sum, V.group().order());
}

Integer hom_dimension_by_cycle_types(const Representation& V, const Representation& U, const Task& task) {
  require_same_group(V, U);
  const FiniteGroup& G = V.group();
  const auto n = static_cast<Point>(G.degree());
  if (!G.chain(task).is_giant() || G.order() != factorial(n))
    throw DomainError("hom_dimension_by_cycle_types: " + G.name() +
                      " is not the symmetric group on all its points");
  const Integer order = factorial(n);
  Integer sum = 0;
  for_each_partition(n, [&](const std::vector<Point>& parts) {
    task.poll();
    const Permutation g = of_cycle_type(parts, n);
    const Integer a = V.character(g);
    if (a != 0) sum += a * U.character(g) * (order / centralizer_order(parts));
  });
  return exact_quotient(sum, order);
}

Integer hom_dimension_by_stabilizers(const Representation& V, const Representation& U, const Task& task) {
  require_same_group(V, U);
  const FiniteGroup& G = V.group();
  std::vector<Permutation> points_of_V, points_of_U;
  for (const SignedPermutation& g : V.generator_images()) points_of_V.push_back(g.permutation());
  for (const SignedPermutation& g : U.generator_images()) points_of_U.push_back(g.permutation());
  const auto number_of_orbits = [](const Representation& A, const std::vector<Permutation>& points) {
    return orbits(A.dimension(), points).size();
  };
  // Hom(V, U) and Hom(U, V) have the same dimension: start from the side with fewer orbits.
  const bool from_V = number_of_orbits(V, points_of_V) < number_of_orbits(U, points_of_U);
  const Representation& A = from_V ? V : U;
  const Representation& B = from_V ? U : V;
  const std::vector<Permutation>& points = from_V ? points_of_V : points_of_U;

  Rng rng;
  Integer total = 0;
  const auto representatives = orbits(A.dimension(), points);
  for (std::size_t done = 0; done < representatives.size(); ++done) {
    task.progress("counting orbits", done, representatives.size());
    const Integer length(representatives[done].size());
    if (length == G.order()) {
      total += B.dimension();
      continue;
    }
    const Point r = representatives[done].front();
    const OrbitTree tree = orbit_tree(r, A.dimension(), points);
    std::vector<SignedPermutation> images;
    std::vector<bool> negative;
    ChainBuilder<Point> stabilizer(G.degree(), {}, {}, task);
    const Integer order = G.order() / length;
    while (stabilizer.order() < order) {
      task.poll();
      const Permutation g = G.random_element(rng);
      const Permutation h =
          group_transversal(tree, A.image(g)(r).point(), G.generators(), G.degree()).inverse() * g;
      if (!stabilizer.insert({h.images().begin(), h.images().end()})) continue;
      negative.push_back(A.image(h)(r).negative());
      images.push_back(B.image(h));
    }
    if (stabilizer.order() != order)
      throw InternalError("hom_dimension: a stabilizer is larger than |G| / |orbit|");
    total += surviving_orbits(B.dimension(), images, negative);
  }
  return total;
}

CountedDimension hom_dimension(const Representation& V, const Representation& U, const Task& task) {
  require_same_group(V, U);
  const FiniteGroup& G = V.group();
  const Integer& order = G.chain(task).order();
  // A character costs about the degree of the group; a stabilizer a few images of dimension dim V + dim U
  // each.
  if (order * Integer(G.degree()) <= 20'000'000)
    return {hom_dimension_by_elements(V, U, task), "burnside-elements"};
  if (G.chain().is_giant() && G.degree() <= 30 && order == factorial(G.degree()))
    return {hom_dimension_by_cycle_types(V, U, task), "burnside-cycle-types"};
  return {hom_dimension_by_stabilizers(V, U, task), "stabilizer-chain"};
}

}  // namespace intertwine
