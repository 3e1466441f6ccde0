// Classes as the orbits of conjugation on the numbered elements of a group.
#include "class_state.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/element_lists.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

/// Ranks of elements from the images of the base points alone.
class Ranking {
 public:
  Ranking(const StabilizerChain& chain, const Task& task) : n_(chain.degree()) {
    for (std::size_t l = 0; l < chain.length(); ++l) {
      Level level;
      level.base = chain.base_point(l);
      level.position.assign(n_, 0);
      const auto orbit = chain.orbit(l);
      level.size = orbit.size();
      for (std::size_t i = 0; i < orbit.size(); ++i) {
        task.poll();
        level.position[orbit[i]] = static_cast<std::uint32_t>(i);
        const Permutation u = chain.transversal(l, orbit[i]).inverse();
        level.inverse.insert(level.inverse.end(), u.images().begin(), u.images().end());
      }
      levels_.push_back(std::move(level));
    }
  }

  std::size_t length() const { return levels_.size(); }
  Point base(std::size_t l) const { return levels_[l].base; }
  /// Number of images kept; checked against memory before.
  static std::uint64_t images(const StabilizerChain& chain) {
    std::uint64_t sum = 0;
    for (std::size_t l = 0; l < chain.length(); ++l) sum += chain.orbit(l).size();
    return sum * chain.degree();
  }

  /// base_images is overwritten.
  std::size_t rank(Point* base_images) const {
    std::size_t result = 0;
    const std::size_t depth = levels_.size();
    for (std::size_t l = 0; l < depth; ++l) {
      const Level& level = levels_[l];
      const std::size_t at = level.position[base_images[l]];
      result = result * level.size + at;
      if (at == 0) continue;
      const Point* u = level.inverse.data() + at * n_;
      for (std::size_t m = l + 1; m < depth; ++m) base_images[m] = u[base_images[m]];
    }
    return result;
  }

 private:
  struct Level {
    Point base = 0;
    std::size_t size = 0;
    std::vector<std::uint32_t> position;
    std::vector<Point> inverse;
  };
  std::size_t n_;
  std::vector<Level> levels_;
};

struct OrbitState final : ConjugacyClasses::State {
  OrbitState(const FiniteGroup& G, const Task& task) : State(G), ranking(G.chain(task), task) {}

  template <class T>
  void enumerate(const Task& task) {
    const StabilizerChain& chain = group.chain(task);
    const std::size_t n = group.degree(), order = chain.order().convert_to<std::size_t>();
    std::vector<T> elements;
    elements.reserve(order * n);
    chain.for_each_element(
        [&](const Permutation& g) {
          for (const Point x : g.images()) elements.push_back(static_cast<T>(x));
          return true;
        },
        task);
    class_of.assign(order, unknown);
    std::vector<Permutation> inverses;
    for (const Permutation& s : group.generators()) inverses.push_back(s.inverse());
    std::vector<std::uint32_t> queue;
    std::vector<Point> images(ranking.length());
    for (std::size_t start = 0; start < order; ++start) {
      if (class_of[start] != unknown) continue;
      task.poll();
      const auto number = static_cast<std::uint32_t>(classes.size());
      queue.assign(1, static_cast<std::uint32_t>(start));
      class_of[start] = number;
      for (std::size_t at = 0; at < queue.size(); ++at) {
        const T* x = elements.data() + queue[at] * n;
        for (std::size_t k = 0; k < inverses.size(); ++k) {
          const Permutation& s = group.generators()[k];
          for (std::size_t l = 0; l < images.size(); ++l) images[l] = s(x[inverses[k](ranking.base(l))]);
          const std::size_t next = ranking.rank(images.data());
          if (class_of[next] != unknown) continue;
          class_of[next] = number;
          queue.push_back(static_cast<std::uint32_t>(next));
        }
      }
      const T* x = elements.data() + start * n;
      Permutation g = Permutation::unchecked(std::vector<Point>(x, x + n));
      const Integer size = queue.size();
      const auto element_order = g.order().convert_to<std::uint64_t>();
      classes.push_back({std::move(g), size, element_order, chain.order() / size});
    }
  }

  std::uint32_t identify(const Permutation& g, const Task&) const override {
    Point small[32];
    std::vector<Point> large;
    Point* images = small;
    if (ranking.length() > std::size(small)) large.resize(ranking.length()), images = large.data();
    for (std::size_t l = 0; l < ranking.length(); ++l) images[l] = g(ranking.base(l));
    return class_of[ranking.rank(images)];
  }

  static constexpr std::uint32_t unknown = 0xffffffff;
  Ranking ranking;
  std::vector<std::uint32_t> class_of;  ///< by rank
};

/// The classes of a group that is regular on an orbit: its elements are numbered by the points of the orbit.
struct RegularState final : ConjugacyClasses::State {
  RegularState(const FiniteGroup& G, RegularAction regular, const Task& task)
      : State(G), action(std::move(regular)), class_of(action.order()) {
    std::vector<bool> known(action.order(), false);
    std::vector<std::uint32_t> first(action.order(), none);  // the classes that begin with an element
    for (std::size_t start = 0; start < known.size(); ++start) {
      if (known[start]) continue;
      const auto ranks = action.conjugates(static_cast<std::uint32_t>(start), known, task);
      const auto number = static_cast<std::uint32_t>(classes.size());
      for (const std::uint32_t x : ranks) class_of[x] = number;
      task.require_memory((number + 1) * group.degree() * sizeof(Point), "the conjugacy classes");
      Permutation g = element(static_cast<std::uint32_t>(start), first, task);
      first[start] = number;
      const auto element_order = g.order().convert_to<std::uint64_t>();
      classes.push_back({std::move(g), ranks.size(), element_order, group.order() / ranks.size()});
    }
  }

  std::uint32_t identify(const Permutation& g, const Task&) const override { return class_of[action.rank(g)]; }

  /// Generators times the nearest representative on the way to the identity: a few products, where the way itself may
  /// be as long as a cycle.
  Permutation element(std::uint32_t x, const std::vector<std::uint32_t>& first, const Task& task) const {
    std::vector<std::uint32_t> way;
    for (; first[x] == none && !action.is_identity(x); x = action.step(x).parent)
      way.push_back(action.step(x).generator);
    Permutation g = first[x] == none ? Permutation::identity(group.degree()) : classes[first[x]].representative;
    for (std::size_t k = way.size(); k-- > 0;) {
      task.poll();
      g = group.generators()[way[k]] * g;
    }
    return g;
  }

  static constexpr std::uint32_t none = 0xffffffff;
  RegularAction action;
  std::vector<std::uint32_t> class_of;  ///< by rank
};

}  // namespace

ClassState classes_by_orbits(const FiniteGroup& G, const Task& task) {
  const StabilizerChain& chain = G.chain(task);
  if (chain.order() >= Integer(OrbitState::unknown))
    throw LimitError("conjugacy_classes_by_orbits: the group has " + chain.order().str() +
                     " elements, more than can be listed; use the random search");
  if (auto regular = RegularAction::of(G, task)) return std::make_shared<RegularState>(G, std::move(*regular), task);
  const auto order = chain.order().convert_to<std::uint64_t>();
  const std::uint64_t width = G.degree() <= 256 ? 1 : G.degree() <= 65536 ? 2 : 4;
  task.require_memory(order * (width * G.degree() + 8) + 4 * Ranking::images(chain), "the elements of the group");
  auto state = std::make_shared<OrbitState>(G, task);
  if (width == 1)
    state->enumerate<std::uint8_t>(task);
  else if (width == 2)
    state->enumerate<std::uint16_t>(task);
  else
    state->enumerate<std::uint32_t>(task);
  return state;
}

}  // namespace intertwine
