// Polycyclic series of permutation groups, with a chain of point stabilizers.
#include "intertwine/groups/polycyclic_series.hpp"

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

CyclePowers::CyclePowers(const Permutation& g) : cycle_(g.degree()), place_(g.degree()) {
  std::vector<char> seen(g.degree(), 0);
  points_.reserve(g.degree());
  for (Point start = 0; start < g.degree(); ++start) {
    if (seen[start]) continue;
    const std::size_t first = points_.size();
    for (Point x = start; !seen[x]; x = g(x)) {
      seen[x] = 1;
      cycle_[x] = static_cast<Point>(cycles_.size());
      place_[x] = static_cast<Point>(points_.size());
      points_.push_back(x);
    }
    cycles_.push_back({static_cast<std::int64_t>(first), static_cast<std::int64_t>(points_.size() - first)});
  }
}

PolycyclicSeries::PolycyclicSeries(const FiniteGroup& G, const Task& task) {
  const StabilizerChain& chain = G.chain(task);
  const std::size_t steps = mpz_sizeinbase(chain.order().backend().data(), 2);
  task.require_memory((steps + chain.length()) * G.degree() * 4 * sizeof(Point), "a polycyclic series");
  for (std::size_t l = 0; l < chain.length(); ++l) {
    base_.push_back(chain.base_point(l));
    Level level;
    level.orbit.push_back(base_.back());
    level.position.assign(G.degree(), -1);
    level.position[base_.back()] = 0;
    levels_.push_back(std::move(level));
  }
}

bool PolycyclicSeries::factorize(std::span<Point> images, Word& word) const {
  word.clear();
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Level& level = levels_[l];
    const std::int32_t position = level.position[images[l]];
    if (position < 0) return false;
    auto rest = static_cast<std::uint32_t>(position);
    if (rest == 0) continue;
    auto stride = static_cast<std::uint32_t>(level.orbit.size());
    for (std::size_t k = level.letters.size(); k-- > 0;) {
      const std::uint32_t generator = level.letters[k];
      stride /= primes_[generator];
      const std::uint32_t digit = rest / stride;
      rest %= stride;
      if (digit == 0) continue;
      word.push_back({generator, digit});
      for (std::size_t m = l + 1; m < levels_.size(); ++m)
        images[m] = powers_[generator](images[m], -static_cast<std::int64_t>(digit));
    }
  }
  return true;
}

PolycyclicSeries::Word PolycyclicSeries::word(const Permutation& g) const {
  std::vector<Point> images;
  for (const Point b : base_) images.push_back(g(b));
  Word result;
  if (!factorize(images, result)) throw InternalError("an element lies outside the polycyclic series of its group");
  return result;
}

bool PolycyclicSeries::contains(const Permutation& g) const {
  std::vector<Point> images;
  for (const Point b : base_) images.push_back(g(b));
  Word word;
  return factorize(images, word);
}

std::size_t PolycyclicSeries::depth(const Word& word) {
  std::size_t result = 0;
  for (const Letter& x : word) result = std::max<std::size_t>(result, x.generator + 1);
  return result;
}

void PolycyclicSeries::extend(Permutation g, std::uint32_t p) {
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    Level& level = levels_[l];
    const std::int32_t position = level.position[g(level.orbit[0])];
    if (position < 0) {
      const std::size_t before = level.orbit.size();
      level.letters.push_back(static_cast<std::uint32_t>(generators_.size()));
      for (std::size_t k = before; k < before * p; ++k) {
        const Point x = g(level.orbit[k - before]);
        if (level.position[x] >= 0)
          throw InternalError("polycyclic series: an orbit does not grow by the prime factor");
        level.position[x] = static_cast<std::int32_t>(k);
        level.orbit.push_back(x);
      }
      primes_.push_back(p);
      powers_.emplace_back(g);
      generators_.push_back(std::move(g));
      return;
    }
    auto rest = static_cast<std::uint32_t>(position);
    auto stride = static_cast<std::uint32_t>(level.orbit.size());
    for (std::size_t k = level.letters.size(); k-- > 0;) {  // the transversal element is divided out
      stride /= primes_[level.letters[k]];
      const std::uint32_t digit = rest / stride;
      rest %= stride;
      if (digit == 0) continue;
      std::vector<Point> images(g.images().begin(), g.images().end());
      for (Point& x : images) x = powers_[level.letters[k]](x, -static_cast<std::int64_t>(digit));
      g = Permutation::unchecked(std::move(images));
    }
  }
  throw InternalError("polycyclic series: an element lies in the subgroup it should extend");
}

}  // namespace intertwine
