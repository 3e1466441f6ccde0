#include "stabilizer_vectors.hpp"

#include <algorithm>
#include <unordered_map>

#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

/// An element and its matrix.
struct Pair {
  Permutation element;
  RationalMatrix matrix;
};

Pair operator*(const Pair& a, const Pair& b) { return {a.element * b.element, a.matrix * b.matrix}; }

/// Random products of pairs, by product replacement.
class RandomPairs {
 public:
  explicit RandomPairs(std::vector<Pair> generators) : slots_(std::move(generators)) {
    const std::size_t given = slots_.size();
    for (std::size_t k = 0; slots_.size() < std::max<std::size_t>(given + 2, 5); ++k)
      slots_.push_back(slots_[k % given]);
    for (std::size_t k = 0; k < 4 * slots_.size(); ++k) static_cast<void>(next());
  }
  const Pair& next() {
    const std::size_t n = slots_.size(), i = rng_.below(n), j = (i + 1 + rng_.below(n - 1)) % n;
    slots_[i] = rng_.below(2) == 0 ? slots_[i] * slots_[j] : slots_[j] * slots_[i];
    return slots_[i];
  }

 private:
  std::vector<Pair> slots_;
  Rng rng_;
};

/// Some elements of the stabilizer of x: quotients of two random elements that take x to the same point.
std::vector<Pair> stabilizing(const std::vector<Pair>& generators, Point x, std::size_t attempts,
                              const Task& task) {
  constexpr std::size_t enough = 5;
  RandomPairs random(generators);
  std::unordered_map<Point, Pair> reached;
  std::vector<Pair> found;
  for (std::size_t k = 0; k < attempts && found.size() < enough; ++k) {
    task.poll();
    const Pair g = random.next();
    const auto [place, fresh] = reached.try_emplace(g.element(x), g);
    if (fresh) continue;
    Pair h{place->second.element.inverse() * g.element, RationalMatrix()};
    if (h.element.is_identity()) continue;
    h.matrix = inverse(place->second.matrix, task) * g.matrix;
    found.push_back(std::move(h));
  }
  return found;
}

std::size_t bits(const RationalMatrix& A) {
  const Integer height = A.numerator().height();
  return height == 0 ? 0 : msb(height) + 1;
}

}  // namespace

IntegerMatrix vectors_fixed_by_stabilizers(const FiniteGroup& G, const std::vector<RationalMatrix>& images,
                                           const Task& task) {
  const std::size_t d = images[0].rows();
  constexpr std::uint64_t work = 20'000'000;
  constexpr std::size_t most_vectors_a_level = 6, most_levels = 10;
  const auto attempts = static_cast<std::size_t>(std::min<std::uint64_t>(work / (d * d * d + 1), 400));
  std::vector<IntegerMatrix> found;
  std::vector<Pair> pairs;
  for (std::size_t k = 0; k < images.size(); ++k) pairs.push_back({G.generators()[k], images[k]});
  // The elements of a finite group have entries of bounded size; in an infinite one they grow with the words.
  std::size_t most_bits = 256;
  for (const RationalMatrix& A : images) most_bits = std::max(most_bits, 8 * bits(A));
  const auto is_large = [&](const Pair& p) { return bits(p.matrix) > most_bits; };
  const StabilizerChain& chain = G.chain(task);
  const RationalMatrix one = RationalMatrix::identity(d);
  for (std::size_t level = 0; level < std::min(chain.length(), most_levels) && attempts >= 10; ++level) {
    if (chain.orbit(level).size() == 1) continue;
    pairs = stabilizing(pairs, chain.base_point(level), attempts, task);
    if (pairs.empty() || std::any_of(pairs.begin(), pairs.end(), is_large)) break;
    std::vector<RationalMatrix> equations;
    for (const Pair& p : pairs) equations.push_back(p.matrix - one);
    const IntegerMatrix fixed = kernel(vertical_stack(equations), task);
    if (fixed.rows() > 0) found.push_back(fixed.block(0, 0, std::min(fixed.rows(), most_vectors_a_level), d));
  }
  return found.empty() ? IntegerMatrix(0, d) : vertical_stack(found);
}

}  // namespace intertwine
