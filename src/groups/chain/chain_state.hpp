// The two ways a stabilizer chain is held: explicit levels (chain_builder.hpp) and the symmetric and
// alternating groups of all points, whose transversals are transpositions and 3-cycles written down when
// asked for.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

struct StabilizerChain::State {
  virtual ~State() = default;
  std::size_t degree = 0;
  Integer order = 1;
  bool giant = false;

  virtual std::size_t length() const = 0;
  virtual Point base_point(std::size_t level) const = 0;
  virtual std::span<const Point> orbit(std::size_t level) const = 0;
  /// Position of x in orbit(level), or -1.
  virtual std::int64_t position(std::size_t level, Point x) const = 0;
  virtual Permutation transversal(std::size_t level, Point x) const = 0;
  /// The transversal elements of many points one after the other: where the orbits' trees are deep it keeps products,
  /// at most so many bytes.
  virtual std::function<Permutation(std::size_t level, Point x)> transversals(
      [[maybe_unused]] std::size_t bytes) const {
    return [this](std::size_t level, Point x) { return transversal(level, x); };
  }
  virtual std::vector<Permutation> stabilizer_generators(std::size_t level) const = 0;
  /// Divides g by transversal elements; reports the orbit position used at every level passed.
  virtual std::vector<Point> sift(std::vector<Point> g, std::vector<std::size_t>* positions) const = 0;
  /// u_0 u_1 ... u_{k-1} for the transversal elements at the given orbit positions.
  virtual std::vector<Point> product(std::span<const std::size_t> positions) const = 0;
};

/// Sym(n) or Alt(n) on all points, in O(n) memory. `first` lists the points the base begins with.
std::shared_ptr<const StabilizerChain::State> giant_chain_state(std::size_t degree, bool symmetric,
                                                                std::span<const Point> first);

/// Sym(n) or Alt(n), n >= 8, proved by Jordan's criterion: the group is transitive and a random word has a
/// cycle of prime length p with n/2 < p < n - 2 [Seress 2003, 10.2]. Never wrong; may miss a giant (the
/// caller then goes the general way). Returns 0 (not recognized), 1 (alternating) or 2 (symmetric).
int recognize_giant(std::size_t degree, std::span<const Permutation> generators, Rng& rng, const Task& task = {});

/// A number that |G| cannot exceed: the product over the orbits of (m!)^k (k blocks of size m) times the bound for the
/// action on the blocks, or of n! (n!/2 for even generators) where no blocks are found; 1 for points or blocks that an
/// earlier orbit is seen to map to. Meets the order exactly for products of wreath products of symmetric groups, which then
/// need no other proof.
Integer order_upper_bound(std::size_t degree, std::span<const Permutation> generators);

/// |G| where G acts on its longest orbit O as Alt(O) or Sym(O), |O| >= 8, and the other points it moves are fewer than |O|:
/// |Alt(O)| times the order of the action on those points and on the two signs of O. Returns 0 if G is not recognized as
/// such. The kernel of that action is Alt(O): a group of fewer points has no section Alt(O), so that by Goursat's lemma
/// the elements fixing the other points still act on O as Alt(O) at least.
Integer order_with_giant_orbit(std::size_t degree, std::span<const Permutation> generators, Rng& rng);

}  // namespace intertwine
