// Searches for conjugating elements and centralizers by backtracking.
#include "conjugacy_search.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <unordered_map>

#include "intertwine/groups/random_words.hpp"

namespace intertwine {

namespace {

constexpr std::size_t few_points = 1024;   // beyond it colours are refined, and orbits of pairs not listed
constexpr std::size_t orbital_steps = 12;  // pairs (x, g^k x) up to this k
constexpr std::size_t kept_images = std::size_t{1} << 22;  // of all transversals together

std::uint64_t mixed(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15ULL;
  h ^= h >> 32;
  return h * 0xd6e8feb86659fd93ULL;
}

/// The number of the orbit of every pair, or nothing if there are only the trivial ones.
std::vector<std::uint16_t> pair_orbits(const FiniteGroup& G) {
  const std::size_t n = G.degree();
  constexpr std::uint16_t unknown = 0xffff;
  std::vector<std::uint16_t> orbit(n * n, unknown);
  std::vector<std::uint32_t> queue;
  std::uint16_t count = 0;
  for (std::size_t start = 0; start < n * n; ++start) {
    if (orbit[start] != unknown) continue;
    if (count == unknown - 1) return {};
    orbit[start] = count;
    queue.assign(1, static_cast<std::uint32_t>(start));
    while (!queue.empty()) {
      const std::size_t pair = queue.back();
      queue.pop_back();
      for (const Permutation& s : G.generators()) {
        const std::size_t next = s(static_cast<Point>(pair / n)) * n + s(static_cast<Point>(pair % n));
        if (orbit[next] != unknown) continue;
        orbit[next] = count;
        queue.push_back(static_cast<std::uint32_t>(next));
      }
    }
    ++count;
  }
  if (count <= 2) return {};
  return orbit;
}

}  // namespace

PointColours::PointColours(const FiniteGroup& G, Pairs pairs, const Task& task)
    : degree_(G.degree()), orbit_(orbit_minima(G.degree(), G.generators())) {
  constexpr std::size_t most_steps = 64'000'000;
  if (pairs == Pairs::none) return;
  if (degree_ > few_points) {
    if (pairs == Pairs::all) rooted_ = rooted_pairs(G, orbit_, task);
  } else if (degree_ * degree_ * G.generators().size() <= most_steps) {
    orbital_ = pair_orbits(G);
  }
}

std::optional<PointColours::RootedPairs> PointColours::rooted_pairs(const FiniteGroup& G, std::span<const Point> orbits,
                                                                    const Task& task) {
  constexpr std::size_t enough = 8;  // random elements beside the generators make the tree low
  std::vector<std::size_t> size(orbits.size(), 0);
  for (const Point x : orbits) ++size[x];
  const std::array<Point, 1> root{static_cast<Point>(std::ranges::max_element(size) - size.begin())};
  const StabilizerChain chain =
      StabilizerChain::with_known_order(G.degree(), G.generators(), G.order(task), root, task);
  RootedPairs result;
  result.orbit = orbit_minima(G.degree(), chain.stabilizer_generators(1));
  std::size_t count = 0;
  for (Point x = 0; x < G.degree(); ++x) count += result.orbit[x] == x;
  if (count <= 2) return std::nullopt;  // they tell nothing
  std::vector<Permutation> steps = G.generators();
  for (RandomElements random(G.generators(), G.degree());
       steps.size() < enough || steps.size() < G.generators().size() + 4;)
    steps.push_back(random.next());
  result.tree = orbit_tree(root[0], G.degree(), steps);
  for (const Permutation& s : steps) result.inverses.push_back(s.inverse());
  return result;
}

std::vector<std::uint64_t> PointColours::operator()(std::span<const Point> g) const {
  std::vector<std::uint64_t> colour(degree_);
  std::vector<char> seen(degree_, 0);
  std::vector<Point> cycle;
  for (Point start = 0; start < degree_; ++start) {
    if (seen[start]) continue;
    cycle.clear();
    for (Point x = start; !seen[x]; x = g[x]) seen[x] = 1, cycle.push_back(x);
    const std::size_t length = cycle.size();
    const std::size_t steps = has_pairs() ? std::min(length - 1, orbital_steps) : 0;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < length; ++i) {
      std::uint64_t h = mixed(length, orbit_[cycle[i]]);
      for (std::size_t k = 1, j = i; k <= steps; ++k) {
        j = j + 1 == length ? 0 : j + 1;
        h = mixed(h, pair(cycle[i], cycle[j]));
      }
      colour[cycle[i]] = h;
      sum += h;
    }
    for (const Point x : cycle) colour[x] = mixed(colour[x], sum);
  }
  if (rooted_) refine(colour);
  return colour;
}

/// How a point lies to the points of the rarest colours, among them often all fixed points: on many points a search that finds
/// nothing costs far more than this.
void PointColours::refine(std::vector<std::uint64_t>& colour) const {
  constexpr std::size_t enough = 32, steps = std::size_t{1} << 22;
  const std::size_t most = std::clamp<std::size_t>(steps / degree_, 1, 256);
  std::map<std::uint64_t, std::vector<Point>> points;
  for (Point x = 0; x < degree_; ++x) points[colour[x]].push_back(x);
  std::vector<std::pair<std::size_t, std::uint64_t>> order;
  for (const auto& [c, list] : points) order.emplace_back(list.size(), c);
  std::ranges::sort(order);
  std::vector<std::uint64_t> sum(degree_, 0);
  std::size_t used = 0;
  for (const auto& [size, c] : order) {
    if (used >= enough || used + size > most) break;
    used += size;
    for (const Point y : points[c])
      for (Point x = 0; x < degree_; ++x) sum[x] += mixed(c, pair(y, x));
  }
  for (std::size_t x = 0; x < degree_; ++x) colour[x] = mixed(colour[x], sum[x]);
}

std::uint64_t PointColours::invariant(std::span<const std::uint64_t> colours) const {
  std::uint64_t sum = 0;
  for (const std::uint64_t c : colours) sum += mixed(c, 1);
  return sum;
}

ConjugacySearch::ConjugacySearch(const FiniteGroup& G, const PointColours& colours, const Permutation& g,
                                 const Task& task, Use use)
    : g_(g), colours_(colours(g.images())) {
  const StabilizerChain& chain = G.chain(task);
  const auto base = adapted_base(3 * chain.length() + 8);
  chain_ = std::make_shared<const StabilizerChain>(StabilizerChain::with_known_order(
      G.degree(), G.generators().size() <= 8 ? G.generators() : chain.strong_generators(), chain.order(), base, task));
  const std::size_t n = G.degree();
  std::size_t images = 0;
  std::vector<std::int32_t> level_of(n, -1);  // of a base point
  std::size_t last = chain_->length();
  while (last > 0 && chain_->orbit(last - 1).size() == 1) --last;
  for (std::size_t l = 0; l < last; ++l) bytes_ += chain_->orbit(l).size() * sizeof(Point);
  bytes_ += last * n * sizeof(std::int32_t);
  require_memory(2 * (last + 1) * n * sizeof(Point), task);  // at once what a walk takes
  for (std::size_t l = 0; l < last; ++l) {
    Level level;
    level.base = chain_->base_point(l);
    level.orbit.assign(chain_->orbit(l).begin(), chain_->orbit(l).end());
    level.position.assign(n, -1);
    for (std::size_t i = 0; i < level.orbit.size(); ++i) level.position[level.orbit[i]] = static_cast<std::int32_t>(i);
    images += level.orbit.size() * n;
    level_of[level.base] = static_cast<std::int32_t>(l);
    levels_.push_back(std::move(level));
  }
  const Permutation inverse = g.inverse();
  for (std::size_t l = 0; l < last; ++l) {
    const std::int32_t source = level_of[inverse(levels_[l].base)];
    if (source >= 0 && source < static_cast<std::int32_t>(l)) levels_[l].source = source;
  }
  if (use == Use::once || images > kept_images) return;
  for (std::size_t l = 0; l < last; ++l) {
    Level& level = levels_[l];
    if (level.orbit.size() == 1) continue;
    level.transversal.reserve(level.orbit.size() * n);
    for (const Point x : level.orbit) {
      const Permutation u = chain_->transversal(l, x);
      level.transversal.insert(level.transversal.end(), u.images().begin(), u.images().end());
    }
  }
}

void ConjugacySearch::require_memory(std::uint64_t more, const Task& task) const {
  task.require_memory(bytes_ + more, "the search for conjugating elements");
}

/// Cycles whose colour few other cycles have come first, long ones before short ones: they leave few choices and
/// force many images.
std::vector<Point> ConjugacySearch::adapted_base(std::size_t length) const {
  const std::size_t n = g_.degree();
  std::unordered_map<std::uint64_t, std::size_t> points_of;  // of a colour
  for (const std::uint64_t c : colours_) ++points_of[c];
  struct Cycle {
    std::size_t choices, length;
    Point first;
  };
  std::vector<Cycle> cycles;
  std::vector<char> seen(n, 0);
  for (Point start = 0; start < n; ++start) {
    if (seen[start]) continue;
    std::size_t size = 0, choices = n;
    Point first = start;
    for (Point x = start; !seen[x]; x = g_(x)) {
      seen[x] = 1;
      ++size;
      if (points_of[colours_[x]] < choices) choices = points_of[colours_[x]], first = x;
    }
    cycles.push_back({choices, size, first});
  }
  std::stable_sort(cycles.begin(), cycles.end(), [](const Cycle& a, const Cycle& b) {
    return a.choices * b.length != b.choices * a.length ? a.choices * b.length < b.choices * a.length
                                                        : a.length > b.length;
  });
  std::vector<Point> base;
  for (const Cycle& cycle : cycles) {
    Point x = cycle.first;
    for (std::size_t k = 0; k < cycle.length; ++k, x = g_(x)) {
      if (base.size() == length) return base;
      base.push_back(x);
    }
  }
  return base;
}

namespace {

/// Colours of the points of h: as before, with the orbits, and along the cycles. False, without the last, if those have
/// another sum than is `wanted`; the sum.
bool refine_along(std::span<const Point> h, const std::uint64_t* before, const Point* orbit, const Point* to_orbit,
                  const std::uint64_t* wanted, std::uint64_t& total, std::uint64_t* colour) {
  const std::size_t n = h.size();
  thread_local std::vector<std::uint64_t> own;
  thread_local std::vector<char> seen;
  own.resize(n);
  seen.assign(n, 0);
  total = 0;
  for (std::size_t z = 0; z < n; ++z) total += own[z] = mixed(before[z], 1 + orbit[to_orbit ? to_orbit[z] : z]);
  if (wanted && total != *wanted) return false;
  for (std::size_t start = 0; start < n; ++start) {
    if (seen[start]) continue;
    std::uint64_t sum = 0;
    for (std::size_t z = start; !seen[z]; z = h[z]) seen[z] = 1, sum += mixed(own[z], 3);
    std::size_t z = start;
    do {
      colour[z] = mixed(mixed(own[z], own[h[z]]), sum);
      z = h[z];
    } while (z != start);
  }
  return true;
}

std::uint64_t sum_of(const std::uint64_t* colours, std::size_t n) {
  std::uint64_t sum = 0;
  for (std::size_t z = 0; z < n; ++z) sum += mixed(colours[z], 1);
  return sum;
}

}  // namespace

const std::vector<ConjugacySearch::Refined>& ConjugacySearch::refined(const Task& task) const {
  std::call_once(refined_once_, [&] {  // again if a limit ends it
    const std::size_t n = g_.degree();
    // Beside the walk that asks for them.
    require_memory(levels_.size() * n * (sizeof(std::uint64_t) + 3 * sizeof(Point)), task);
    std::vector<Refined> result(levels_.size());
    const std::vector<std::uint64_t>* before = &colours_;
    for (std::size_t l = 1; l < levels_.size(); ++l) {
      if (levels_[l].source >= 0) continue;
      task.poll();
      Refined& here = result[l];
      here.orbit = orbit_minima(n, chain_->stabilizer_generators(l));
      here.colours.resize(n);
      refine_along(g_.images(), before->data(), here.orbit.data(), nullptr, nullptr, here.sum, here.colours.data());
      here.invariant = sum_of(here.colours.data(), n);
      before = &here.colours;
    }
    refined_ = std::move(result);
  });
  return refined_;
}

const std::vector<ConjugacySearch::LevelTree>& ConjugacySearch::trees(const Task& task) const {
  std::call_once(trees_once_, [&] {  // again if a limit ends it
    const std::size_t n = g_.degree();
    std::vector<LevelTree> result(levels_.size());
    std::uint64_t bytes = 0;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      if (levels_[l].orbit.size() == 1) continue;
      task.poll();
      const auto generators = chain_->stabilizer_generators(l);
      bytes += (generators.size() + 2) * n * sizeof(Point);
      require_memory(bytes, task);
      result[l].tree = orbit_tree(levels_[l].base, n, generators);
      for (const Permutation& s : generators) result[l].inverses.push_back(s.inverse());
    }
    trees_ = std::move(result);
  });
  return trees_;
}

/// One depth-first search; holds the partial products x = u_0 u_1 ... u_{l-1} and their inverses.
class ConjugacySearch::Walk {
 public:
  Walk(const ConjugacySearch& search, std::span<const Point> h, std::span<const std::uint64_t> colours,
       const Task& task)
      : s_(search), h_(h), colours_(colours), task_(task), n_(h.size()) {
    const std::size_t depth = s_.levels_.size() + 1;
    s_.require_memory(2 * depth * n_ * sizeof(Point), task);
    product_.resize(depth * n_);
    inverse_.resize(depth * n_);
    valid_.resize(depth, 0);
    reset(0);
  }

  /// x := 1 with the first `level` base points mapped to themselves.
  void reset(std::size_t level) {
    std::iota(product(level), product(level) + n_, Point{0});
    std::iota(inverse(level), inverse(level) + n_, Point{0});
    identity_ = level;
  }

  /// Multiplies by the transversal element of this orbit position.
  void step(std::size_t l, std::size_t position) {
    const Level& level = s_.levels_[l];
    const Point* x = product(l);
    Point *y = product(l + 1), *z = inverse(l + 1);
    if (level.orbit.size() == 1) {
      std::copy(x, x + n_, y);
      std::copy(inverse(l), inverse(l) + n_, z);
      return;
    }
    Permutation made;
    const Point* u = nullptr;
    if (level.transversal.empty()) {
      task_.poll();
      made = s_.chain_->transversal(l, level.orbit[position]);
      u = made.images().data();
    } else {
      u = level.transversal.data() + position * n_;
    }
    for (std::size_t i = 0; i < n_; ++i) y[i] = x[u[i]];
    for (std::size_t i = 0; i < n_; ++i) z[y[i]] = static_cast<Point>(i);
  }

  /// Completes x from this level on; true if one was found.
  bool extend(std::size_t l) {
    for (; l < s_.levels_.size(); ++l) {
      const Level& level = s_.levels_[l];
      if (level.source < 0) break;
      const Point from = s_.levels_[static_cast<std::size_t>(level.source)].base;
      const Point image = h_[product(l)[from]];
      const std::int32_t position = level.position[inverse(l)[image]];
      if (position < 0) return false;
      step(l, static_cast<std::size_t>(position));
    }
    if (l == s_.levels_.size()) return is_solution();
    task_.poll();
    const Level& level = s_.levels_[l];
    std::uint64_t wanted = s_.colours_[level.base];
    const std::uint64_t* colours = colours_.data();
    valid_[l] = 0;
    if (choices_ > patience && l > 0) {
      if (!refine(l)) return false;
      wanted = s_.refined(task_)[l].colours[level.base];
      colours = refined_colours(l);
    }
    for (std::size_t i = 0; i < level.orbit.size(); ++i) {
      if (colours[product(l)[level.orbit[i]]] != wanted) continue;
      if (++choices_ > most_choices_) return false;
      if (extend_by(l, i)) return true;
    }
    return false;
  }

  /// Completes x from the free level l on, where it takes this orbit position; true if one was found.
  bool extend_by(std::size_t l, std::size_t position) {
    if (!fits(l, position)) return false;
    step(l, position);
    return extend(l + 1);
  }

  void bound(std::uint64_t choices) { most_choices_ = choices; }
  bool is_out_of_bounds() const { return choices_ > most_choices_; }

  /// The colours of g, refined once the search has taken long.
  const std::uint64_t* own_colours(std::size_t l) const {
    return l > 0 && choices_ > patience ? s_.refined(task_)[l].colours.data() : s_.colours_.data();
  }

  Permutation solution() {
    return Permutation::unchecked({product(s_.levels_.size()), product(s_.levels_.size()) + n_});
  }

 private:
  Point* product(std::size_t l) { return product_.data() + l * n_; }
  Point* inverse(std::size_t l) { return inverse_.data() + l * n_; }

  /// Up to level `identity_` all is as for g.
  const std::uint64_t* refined_colours(std::size_t l) {
    if (l == 0) return colours_.data();
    return l <= identity_ ? s_.refined(task_)[l].colours.data() : refined_.data() + l * n_;
  }

  /// Whether the images that this choice forces lie in the orbits of their levels, up to the next free one. On many
  /// points a look at these images along trees costs far less than the products of a step.
  bool fits(std::size_t l, std::size_t position) {
    const auto& levels = s_.levels_;
    if (n_ <= few_points || levels[l].orbit.size() == 1 || !levels[l].transversal.empty()) return true;
    std::size_t end = l + 1;
    while (end < levels.size() && levels[end].source >= 0) ++end;
    if (end == l + 1) return true;
    const auto& trees = s_.trees(task_);
    images_.assign(1, product(l)[levels[l].orbit[position]]);
    divided_.assign(1, levels[l].orbit[position]);
    for (std::size_t j = l + 1; j < end; ++j) {
      const auto source = static_cast<std::size_t>(levels[j].source);
      images_.push_back(h_[source < l ? product(l)[levels[source].base] : images_[source - l]]);
      Point y = inverse(l)[images_.back()];
      for (std::size_t k = l; k < j; ++k)
        if (levels[k].orbit.size() > 1) y = trees[k].divided(y, divided_[k - l]);
      if (levels[j].position[y] < 0) return false;
      divided_.push_back(y);
    }
    return true;
  }

  /// The refined colours of h at this free level and those before; false if they do not fit to those of g.
  bool refine(std::size_t last) {
    if (refined_.empty()) {
      s_.require_memory((s_.levels_.size() + 1) * n_ * (2 * sizeof(std::uint64_t) + 3 * sizeof(Point)), task_);
      refined_.resize((s_.levels_.size() + 1) * n_);
    }
    const auto& own = s_.refined(task_);
    std::size_t before = 0;
    for (std::size_t l = 1; l <= last; ++l) {
      if (s_.levels_[l].source >= 0) continue;
      if (l > identity_ && !valid_[l]) {
        std::uint64_t* here = refined_.data() + l * n_;
        std::uint64_t sum = 0;
        if (!refine_along(h_, refined_colours(before), own[l].orbit.data(), inverse(l), &own[l].sum, sum, here) ||
            sum_of(here, n_) != own[l].invariant)
          return false;
        valid_[l] = 1;
      }
      before = l;
    }
    return true;
  }

  bool is_solution() {
    const Point* x = product(s_.levels_.size());
    const auto g = s_.g_.images();
    for (std::size_t i = 0; i < n_; ++i)
      if (x[g[i]] != h_[x[i]]) return false;
    return true;
  }

  const ConjugacySearch& s_;
  std::span<const Point> h_;
  std::span<const std::uint64_t> colours_;
  const Task& task_;
  static constexpr std::uint64_t patience = 2000;  // choices before colours are refined
  std::size_t n_, identity_ = 0;
  std::uint64_t choices_ = 0, most_choices_ = ~std::uint64_t{0};
  std::vector<Point> product_, inverse_;
  std::vector<std::uint64_t> refined_;  ///< by levels
  std::vector<char> valid_;             ///< for the images of the base points so far
  std::vector<Point> images_,
      divided_;  ///< what fits() looks at: images of base points, and as points of orbits
};

std::optional<Permutation> ConjugacySearch::conjugator(const Permutation& h, std::span<const std::uint64_t> colours,
                                                       const Task& task) const {
  Walk walk(*this, h.images(), colours, task);
  if (!walk.extend(0)) return std::nullopt;
  return walk.solution();
}

std::optional<bool> ConjugacySearch::is_conjugate(const Permutation& h, std::span<const std::uint64_t> colours,
                                                  std::uint64_t choices, const Task& task) const {
  Walk walk(*this, h.images(), colours, task);
  walk.bound(choices);
  if (walk.extend(0)) return true;
  if (walk.is_out_of_bounds()) return std::nullopt;
  return false;
}

namespace {

/// Orbits of a growing group of permutations, with a mark on some of them.
class GrowingOrbits {
 public:
  explicit GrowingOrbits(std::size_t n) : parent_(n), size_(n, 1), marked_(n, 0) {
    std::iota(parent_.begin(), parent_.end(), Point{0});
  }
  Point find(Point x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void join(const Permutation& g) {
    for (Point i = 0; i < parent_.size(); ++i) {
      Point a = find(i), b = find(g(i));
      if (a == b) continue;
      if (size_[a] < size_[b]) std::swap(a, b);
      parent_[b] = a;
      size_[a] += size_[b];
      marked_[a] |= marked_[b];
    }
  }
  void mark(Point x) { marked_[find(x)] = 1; }
  bool is_marked(Point x) { return marked_[find(x)] != 0; }
  std::size_t size(Point x) { return size_[find(x)]; }

 private:
  std::vector<Point> parent_;
  std::vector<std::size_t> size_;
  std::vector<char> marked_;
};

}  // namespace

/// Level by level from the bottom: the centralizer in the stabilizer of the first l base points is generated by the
/// one of l + 1 and one element for every new point of the orbit of base point l. If no element takes it to y, none
/// takes it to the image of y under a centralizing element either.
ConjugacySearch::Centralizer ConjugacySearch::centralizer(const Task& task) const {
  Centralizer result;
  Walk walk(*this, g_.images(), colours_, task);
  for (std::size_t l = levels_.size(); l-- > 0;) {
    const Level& level = levels_[l];
    if (level.source >= 0 || level.orbit.size() == 1) continue;  // commuting elements fix it with its source
    GrowingOrbits orbits(g_.degree());
    for (const Permutation& c : result.generators) orbits.join(c);
    const bool fixes_base = std::all_of(levels_.begin(), levels_.begin() + static_cast<std::ptrdiff_t>(l),
                                        [&](const Level& before) { return g_(before.base) == before.base; });
    if (fixes_base && g_(level.base) != level.base) {
      result.generators.push_back(g_);
      orbits.join(g_);
    }
    walk.reset(l);
    for (std::size_t i = 1; i < level.orbit.size(); ++i) {
      const Point y = level.orbit[i];
      const std::uint64_t* colours = walk.own_colours(l);
      if (colours[y] != colours[level.base] || orbits.find(y) == orbits.find(level.base) || orbits.is_marked(y))
        continue;
      if (walk.extend_by(l, i)) {
        result.generators.push_back(walk.solution());
        orbits.join(result.generators.back());
      } else {
        orbits.mark(y);
      }
    }
    result.order *= orbits.size(level.base);
  }
  return result;
}

}  // namespace intertwine
