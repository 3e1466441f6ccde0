// The least list of images in a conjugacy class, position by position: h(0), then h(1), ... of h = y^-1 g y over all y in G.
#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "conjugacy_search.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/element_lists.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

/// The pointwise stabilizer of a sequence of points: level `level` of a chain. Stabilizers of longer sequences are
/// kept, since the searches for the elements of one group begin alike.
class Stabilizer {
 public:
  Stabilizer(StabilizerChain chain, std::size_t level)
      : chain_(std::move(chain)),
        level_(level),
        minima_(orbit_minima(chain_.degree(), chain_.stabilizer_generators(level))) {}

  /// The least point of the orbit of x.
  Point least(Point x) const { return minima_[x]; }
  bool fixes(Point x) {
    if (size_.empty()) {
      size_.assign(minima_.size(), 0);
      for (const Point m : minima_) ++size_[m];
    }
    return size_[minima_[x]] == 1;
  }
  bool is_trivial() const { return level_ >= chain_.length(); }
  /// The stabilizer of one more point, which this one moves.
  Stabilizer& fixing(Point x, const Task& task) {
    std::unique_ptr<Stabilizer>& next = next_[x];
    if (!next) {
      if (chain_.base_point(level_) == x) {
        next = std::make_unique<Stabilizer>(chain_, level_ + 1);
      } else {
        Integer order = 1;
        for (std::size_t l = level_; l < chain_.length(); ++l) order *= chain_.orbit(l).size();
        const Point base[] = {x};
        next = std::make_unique<Stabilizer>(
            StabilizerChain::with_known_order(chain_.degree(), chain_.stabilizer_generators(level_), order, base, task),
            1);
      }
    }
    return *next;
  }
  /// The last fixed point's orbit before it was fixed, and an element that takes that point to x.
  std::span<const Point> last_orbit() const { return chain_.orbit(level_ - 1); }
  Permutation last_to(Point x) const { return chain_.transversal(level_ - 1, x); }

 private:
  StabilizerChain chain_;
  std::size_t level_;
  std::vector<Point> minima_, size_;
  std::map<Point, std::unique_ptr<Stabilizer>> next_;
};

/// Elements y with the same images of the points fixed so far, and what commutes with g and fixes these images: it takes
/// one choice of further images to another one with the same conjugates.
struct Choice {
  Permutation y;
  std::vector<Permutation> symmetries;
  Integer order;  ///< the order of the group of the symmetries
};

Choice extended(const Choice& choice, Permutation y, Point image, const Task& task) {
  if (choice.order == 1) return {std::move(y), {}, 1};
  const Point base[] = {image};
  const auto chain = StabilizerChain::with_known_order(y.degree(), choice.symmetries, choice.order, base, task);
  return {std::move(y), chain.stabilizer_generators(1), choice.order / chain.orbit(0).size()};
}

}  // namespace

struct LeastConjugates::State {
  explicit State(FiniteGroup G) : group(std::move(G)) {}
  FiniteGroup group;
  std::mutex mutex;
  std::optional<Stabilizer> root;
  std::optional<PointColours> colours;
  std::optional<RegularAction> regular;

  /// Are elements told apart by the image of point 0 alone?
  bool is_regular(const Task& task) const {
    const StabilizerChain& chain = group.chain(task);
    return chain.length() == 1 && chain.base_point(0) == 0;
  }
  Permutation by_image_of_first(const Permutation& g, const Task& task) {
    const std::lock_guard lock(mutex);
    if (!regular) regular = RegularAction::of(group, task);
    const StabilizerChain& chain = group.chain(task);
    std::vector<bool> known(regular->order(), false);
    Point least = g(0);
    for (const std::uint32_t x : regular->conjugates(regular->rank(g), known, task))
      least = std::min(least, chain.orbit(0)[x]);
    return chain.transversal(0, least);
  }
};

LeastConjugates::LeastConjugates(const FiniteGroup& G) : state_(std::make_shared<State>(G)) {}

Permutation LeastConjugates::by_orbit(const Permutation& g, const Task& task) const {
  const FlatIndex<Point> all = class_elements(state_->group, g, task);
  std::span<const Point> least = all[0];
  for (std::size_t i = 1; i < all.size(); ++i)
    if (std::ranges::lexicographical_compare(all[i], least)) least = all[i];
  return Permutation::unchecked({least.begin(), least.end()});
}

Permutation LeastConjugates::by_search(const Permutation& g, const Task& task) const {
  const std::lock_guard lock(state_->mutex);
  const FiniteGroup& G = state_->group;
  if (!state_->root) state_->root.emplace(G.chain(task), 0);
  if (!state_->colours) state_->colours.emplace(G);
  Stabilizer* fixed = &*state_->root;
  const auto n = static_cast<Point>(g.degree());
  FiniteGroup commuting = centralizer(G, *state_->colours, g, task);
  std::vector<Choice> choices;
  choices.push_back({Permutation::identity(n), commuting.generators(), commuting.order()});
  for (Point i = 0; i < n && !(choices.size() == 1 && fixed->is_trivial()); ++i) {
    task.poll();
    // All images of i that differ up to symmetries, unless the points so far determine it.
    std::vector<Choice> kept;
    Point best = n;
    Stabilizer& here = fixed->fixes(i) ? *fixed : fixed->fixing(i, task);
    const auto offer = [&](const Choice& choice, const Permutation& y) {
      const Point value = here.least(y.inverse()(g(y(i))));
      if (value > best) return;
      if (value < best) kept.clear();
      best = value;
      task.require_memory((kept.size() + 1) * n * sizeof(Point), "the least element of a class");
      kept.push_back(&here == fixed ? Choice{y, choice.symmetries, choice.order} : extended(choice, y, y(i), task));
    };
    for (const Choice& choice : choices) {
      if (&here == fixed) {
        offer(choice, choice.y);
        continue;
      }
      const std::vector<Point> like = orbit_minima(n, choice.symmetries);
      std::set<Point> tried;
      for (const Point x : here.last_orbit())
        if (tried.insert(like[choice.y(x)]).second) offer(choice, choice.y * here.last_to(x));
    }
    // h(i) = best: y takes it to g(y(i)), which the symmetries fix with y(i).
    fixed = &here;
    if (!fixed->fixes(best)) {
      Stabilizer& next = fixed->fixing(best, task);
      for (Choice& choice : kept) choice.y = choice.y * next.last_to(choice.y.inverse()(g(choice.y(i))));
      fixed = &next;
    }
    choices = std::move(kept);
  }
  const Permutation& y = choices[0].y;
  return y.inverse() * g * y;
}

Permutation LeastConjugates::operator()(const ConjugacyClass& c, const Task& task) const {
  constexpr unsigned long few_elements = 64, few_images = 5000;
  if (c.size == 1) return c.representative;
  if (state_->is_regular(task)) return state_->by_image_of_first(c.representative, task);
  return c.size <= few_elements || c.size * state_->group.degree() <= few_images ? by_orbit(c.representative, task)
                                                                                 : by_search(c.representative, task);
}

}  // namespace intertwine
