// Chief series with cyclic factors.
#include "intertwine/groups/supersolvable_series.hpp"

#include <algorithm>

#include "groups/classes/class_state.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

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
  static Permutation commutator(const Permutation& v, const Permutation& s) { return v * s * (s * v).inverse(); }
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
        if (contains_image([&](Point x) { return s(v(back(powers(x, -static_cast<std::int64_t>(l))))); })) return true;
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
  for (std::size_t i = 0; i < series.length(); ++i) order *= series.prime(i);
  if (order != G.order()) throw InternalError("chief series: the factors do not multiply to the order");
  return series;
}

}  // namespace intertwine
