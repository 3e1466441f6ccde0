// Chief series with cyclic factors.
#include "supersolvable_series.hpp"

#include <algorithm>

#include "groups/classes/class_state.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"

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

SupersolvableSeries::SupersolvableSeries(const FiniteGroup& G, const Task& task) {
  const StabilizerChain& chain = G.chain(task);
  const std::size_t steps = mpz_sizeinbase(chain.order().backend().data(), 2);
  task.require_memory((steps + chain.length()) * G.degree() * 4 * sizeof(Point), "a chief series");
  for (std::size_t l = 0; l < chain.length(); ++l) {
    base_.push_back(chain.base_point(l));
    Level level;
    level.orbit.push_back(base_.back());
    level.position.assign(G.degree(), -1);
    level.position[base_.back()] = 0;
    levels_.push_back(std::move(level));
  }
}

bool SupersolvableSeries::factorize(std::span<Point> images, Word& word) const {
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

SupersolvableSeries::Word SupersolvableSeries::word(const Permutation& g) const {
  std::vector<Point> images;
  for (const Point b : base_) images.push_back(g(b));
  Word result;
  if (!factorize(images, result))
    throw InternalError("an element lies outside the chief series of its group");
  return result;
}

std::size_t SupersolvableSeries::depth(const Word& word) {
  std::size_t result = 0;
  for (const Letter& x : word) result = std::max<std::size_t>(result, x.generator + 1);
  return result;
}

void SupersolvableSeries::extend(Permutation g, std::uint32_t p) {
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    Level& level = levels_[l];
    const std::int32_t position = level.position[g(level.orbit[0])];
    if (position < 0) {
      const std::size_t before = level.orbit.size();
      level.letters.push_back(static_cast<std::uint32_t>(generators_.size()));
      for (std::size_t k = before; k < before * p; ++k) {
        const Point x = g(level.orbit[k - before]);
        if (level.position[x] >= 0)
          throw InternalError("chief series: an orbit does not grow by the prime factor");
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
  throw InternalError("chief series: an element lies in the subgroup it should extend");
}

/// One step after the other.
class SeriesSearch {
 public:
  SeriesSearch(const FiniteGroup& G, const Task& task)
      : G_(G),
        task_(task),
        series_(G, task),
        most_steps_(mpz_sizeinbase(G.order().backend().data(), 2) + 1),
        prime_power_(small_prime_divisors(G.order()).size() == 1),
        images_(series_.base().size()) {}

  /// False if G is not supersolvable.
  bool run() {
    if (!prime_power_ && G_.order() > 1) {
      const FiniteGroup derived = derived_subgroup(G_, task_);
      if (derived.order(task_) == G_.order()) return false;
      centralizing_ = derived.generators();
    }
    for (const Permutation& g : G_.generators())
      while (!contains(g)) {
        task_.poll();
        Permutation v = g;
        if (!(prime_power_ ? make_central(v) : make_fixed(v))) return false;
        const std::uint32_t p = to_prime_order(v);
        if (!prime_power_)
          for (const Permutation& s : G_.generators())
            if (!make_eigenvector(v, s, p)) return false;
        series_.extend(std::move(v), p);
      }
    require_normal();
    return true;
  }
  SupersolvableSeries take() && { return std::move(series_); }

 private:
  /// Is the element with these images of points in the part of the series that is known?
  template <class Image>
  bool contains_image(Image image) {
    for (std::size_t l = 0; l < images_.size(); ++l) images_[l] = image(series_.base()[l]);
    return series_.factorize(images_, word_);
  }
  bool contains(const Permutation& g) {
    return contains_image([&](Point x) { return g(x); });
  }
  static Permutation commutator(const Permutation& v, const Permutation& s) {
    return v * s * (s * v).inverse();
  }
  /// Replaces v by commutators outside N with elements of the list while there are any. False if there is no end: the steps
  /// lead down the lower central series.
  bool descend(Permutation& v, const std::vector<Permutation>& list) {
    for (std::size_t steps = 0; steps <= most_steps_; ++steps) {
      bool moved = false;
      for (const Permutation& s : list) {
        Permutation next = commutator(v, s);
        if (contains(next)) continue;
        v = std::move(next);
        moved = true;
        break;
      }
      if (!moved) return true;
    }
    return false;
  }
  bool make_central(Permutation& v) { return descend(v, G_.generators()); }

  /// v becomes central modulo N, or an element of G' that G' centralizes modulo N.
  bool make_fixed(Permutation& v) {
    if (!descend(v, centralizing_)) return false;
    for (const Permutation& s : G_.generators()) {
      Permutation next = commutator(v, s);
      if (contains(next)) continue;
      v = std::move(next);
      return descend(v, centralizing_);
    }
    return true;
  }

  /// Replaces v by a power that has prime order modulo N.
  std::uint32_t to_prime_order(Permutation& v) {
    std::uint64_t order = v.order().convert_to<std::uint64_t>();
    for (std::uint32_t p = 2; order > 1; ++p)
      for (; order % p == 0; order /= p) {
        Permutation next = v.power(p);
        if (contains(next)) return p;
        v = std::move(next);
      }
    throw InternalError("chief series: an element has no prime order");
  }

  /// Replaces v by a product of conjugates that s takes to a power modulo N; v = v_1 + v_2 + ... in additive notation, and
  /// (s - l) for all l in turn.
  bool make_eigenvector(Permutation& v, const Permutation& s, std::uint32_t p) {
    const Permutation back = s.inverse();
    for (std::size_t pass = 0; pass <= most_steps_; ++pass) {
      const CyclePowers powers(v);
      for (std::uint32_t l = 1; l < p; ++l) {
        if (l % 256 == 0) task_.poll();
        if (contains_image([&](Point x) { return s(v(back(powers(x, -static_cast<std::int64_t>(l))))); }))
          return true;
      }
      for (std::uint32_t l = 1; l < p; ++l) {
        task_.poll();
        Permutation next = s * v * back * v.power(-Integer(l));
        if (contains(next)) return true;  // an eigenvector by now
        v = std::move(next);
      }
    }
    return false;
  }

  void require_normal() {
    for (std::size_t i = 0; i < series_.length(); ++i)
      for (const Permutation& s : G_.generators())
        if (const Permutation& h = series_.generator(i);
            !contains(s * h * s.inverse()) || SupersolvableSeries::depth(word_) > i + 1)
          throw InternalError("chief series: a subgroup is not normal");
  }

  const FiniteGroup& G_;
  const Task& task_;
  SupersolvableSeries series_;
  std::size_t most_steps_;
  bool prime_power_;
  std::vector<Permutation> centralizing_;  ///< generators of G'
  std::vector<Point> images_;
  SupersolvableSeries::Word word_;
};

std::optional<SupersolvableSeries> SupersolvableSeries::find(const FiniteGroup& G, const Task& task) {
  SeriesSearch search(G, task);
  if (!search.run()) return std::nullopt;
  SupersolvableSeries series = std::move(search).take();
  Integer order = 1;
  for (const std::uint32_t p : series.primes_) order *= p;
  if (order != G.order()) throw InternalError("chief series: the factors do not multiply to the order");
  return series;
}

}  // namespace intertwine
