// Classes by random elements, invariants and searches for conjugating elements.
#include <algorithm>
#include <deque>
#include <numeric>
#include <unordered_map>

#include "class_state.hpp"
#include "conjugacy_search.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/random_words.hpp"

namespace intertwine {

namespace {

/// The classes of the generators of one cyclic group share a search: h is conjugate to g^k exactly when h^l is
/// conjugate to g, where k l = 1 modulo the order.
struct Family {
  std::unique_ptr<const ConjugacySearch> search;
  std::uint64_t order = 1;
  ConjugacySearch::Centralizer centralizer;
  std::optional<RandomWords<std::vector<Point>>> words;  ///< random words of the centralizer
};

struct RandomState final : ConjugacyClasses::State {
  RandomState(const FiniteGroup& G, const Task& task) : State(G), colours(G, PointColours::Pairs::all, task) {}

  struct Candidate {
    std::uint32_t number;
    std::uint32_t family;
    std::uint64_t exponent;  ///< l: the class is that of the elements whose l-th power is conjugate to the family's
  };

  /// The class of g if `all` classes with its invariant are known, or if a search finds it. A class with its invariant that a
  /// search of so many choices does not tell from that of g is taken for it: exact without bounds.
  std::optional<std::uint32_t> find(const Permutation& g, bool all, std::uint64_t choices, const Task& task) const {
    const auto own = colours(g.images());
    const auto at = candidates.find(colours.invariant(own));
    if (at == candidates.end()) return std::nullopt;
    const auto& list = at->second;
    for (std::size_t k = 0; k < list.size(); ++k) {
      const Candidate& c = list[k];
      if ((all && k + 1 == list.size()) || choices == 0) return c.number;
      const ConjugacySearch& search = *families[c.family].search;
      if (g == search.element() && c.exponent == 1) return c.number;
      const auto same = c.exponent == 1 ? search.is_conjugate(g, own, choices, task)
                                        : is_conjugate_to_power(search, g, c, choices, task);
      if (same.value_or(true)) return c.number;
    }
    return std::nullopt;
  }

  std::optional<bool> is_conjugate_to_power(const ConjugacySearch& search, const Permutation& g, const Candidate& c,
                                            std::uint64_t choices, const Task& task) const {
    const Permutation h = g.power(c.exponent);
    const auto own = colours(h.images());
    if (colours.invariant(own) != colours.invariant(search.colours())) return false;
    return search.is_conjugate(h, own, choices, task);
  }

  std::uint32_t identify(const Permutation& g, const Task& task) const override {
    const auto at = by_cycles.find(cycle_invariant(g));
    if (at != by_cycles.end() && at->second != several) return at->second;
    return find(g, true, unbounded, task).value_or(0);
  }

  std::size_t number_told_by_search() const override {
    std::size_t sum = 0;
    for (const auto& [invariant, list] : candidates)
      if (list.size() > 1) sum += list.size();
    return sum;
  }

  /// The multiset of the cycle lengths as a number.
  static std::uint64_t cycle_invariant(const Permutation& g) {
    thread_local std::vector<char> seen;
    seen.assign(g.degree(), 0);
    std::uint64_t sum = 0;
    for (Point start = 0; start < g.degree(); ++start) {
      if (seen[start]) continue;
      std::uint64_t length = 0;
      for (Point x = start; !seen[x]; x = g(x)) seen[x] = 1, ++length;
      std::uint64_t h = (length + 1) * 0x9e3779b97f4a7c15ULL;
      h = (h ^ (h >> 31)) * 0xd6e8feb86659fd93ULL;
      sum += h ^ (h >> 29);
    }
    return sum;
  }

  /// Remembers the classes that are told from all others by their cycle lengths.
  void note_cycles() {
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const auto [at, fresh] =
          by_cycles.try_emplace(cycle_invariant(classes[c].representative), static_cast<std::uint32_t>(c));
      if (!fresh) at->second = several;
    }
  }

  static constexpr std::uint64_t unbounded = ~std::uint64_t{0};
  static constexpr std::uint32_t several = 0xffffffff;
  std::unordered_map<std::uint64_t, std::uint32_t> by_cycles;

  PointColours colours;
  std::unordered_map<std::uint64_t, std::vector<Candidate>> candidates;
  std::vector<Family> families;
};

class Discovery {
 public:
  Discovery(RandomState& state, std::size_t limit, const Task& task)
      : s_(state), limit_(limit), task_(task), order_(state.group.order(task)) {}

  /// False if there are more classes than the limit.
  bool run() {
    Rng rng(fixed_seed);
    examine(Permutation::identity(s_.group.degree()));
    auto words = random_images<Point>(s_.group.degree(), s_.group.generators());
    std::uint32_t at = 0;
    while (sum_ < order_) {
      if (quiet_ > 100 + 4 * s_.classes.size()) {
        quiet_ = 0;
        choices_ = choices_ == 0 ? 256 : choices_ < RandomState::unbounded / 4 ? 4 * choices_ : RandomState::unbounded;
      }
      if (s_.classes.size() > limit_) return false;
      task_.progress("conjugacy classes", s_.classes.size(), 0);
      examine(Permutation::unchecked(words.next(rng)));
      for (int k = 0; k < 3 && sum_ < order_; ++k) {  // the Burnside process
        const std::uint32_t family = family_of_[at];
        auto& walk = s_.families[family].words;
        if (!walk) walk.emplace(random_images<Point>(s_.group.degree(), s_.families[family].centralizer.generators));
        at = examine(Permutation::unchecked(walk->next(rng)));
      }
    }
    return true;
  }

 private:
  /// The class of g, which becomes known with all powers of g if it was not. At first a known class with the invariant of g is
  /// taken for its class: nearly always it is, and a class that is missed is missed in the sum of the sizes. When nothing
  /// new turns up any more, searches decide, with more choices every time.
  std::uint32_t examine(const Permutation& g) {
    ++quiet_;
    if (const auto known = s_.find(g, false, choices_, task_)) return *known;
    quiet_ = 0;
    const auto number = add_family(g);
    const auto order = s_.families.back().order;
    for (const std::uint64_t p : prime_divisors(order)) examine(g.power(p));
    return number;
  }

  std::uint32_t add_family(const Permutation& g) {
    Family family;
    family.order = g.order().convert_to<std::uint64_t>();
    family.search = std::make_unique<ConjugacySearch>(s_.group, s_.colours, g, task_);
    family.centralizer = family.search->centralizer(task_);
    const auto index = static_cast<std::uint32_t>(s_.families.size());
    s_.families.push_back(std::move(family));
    const auto number = static_cast<std::uint32_t>(s_.classes.size());
    add_class(g, index, 1);
    if (sum_ == order_) return number;  // and the other generators are conjugate to g
    const std::uint64_t order = s_.families[index].order;
    for (const std::uint64_t k : galois_representatives(g, index)) {
      std::uint64_t inverse = 1;  // k is invertible; its powers end at 1
      for (std::uint64_t x = k; x != 1; x = x * k % order) inverse = x;
      add_class(g.power(k), index, inverse);
    }
    return number;
  }

  void add_class(const Permutation& g, std::uint32_t family, std::uint64_t exponent) {
    task_.poll();
    task_.require_memory((s_.classes.size() + 1) * g.degree() * sizeof(Point), "the conjugacy classes");
    const Integer& c = s_.families[family].centralizer.order;
    const auto number = static_cast<std::uint32_t>(s_.classes.size());
    s_.candidates[s_.colours.invariant(s_.colours(g.images()))].push_back({number, family, exponent});
    s_.classes.push_back({g, order_ / c, s_.families[family].order, c});
    family_of_.push_back(family);
    sum_ += order_ / c;
  }

  /// Representatives k != 1 of the units modulo the order n of g up to the k with g^k conjugate to g: the classes of
  /// the other generators of the group that g generates.
  std::vector<std::uint64_t> galois_representatives(const Permutation& g, std::uint32_t family) const {
    const std::uint64_t n = s_.families[family].order;
    const ConjugacySearch& search = *s_.families[family].search;
    const std::uint64_t own = s_.colours.invariant(search.colours());
    std::vector<std::uint64_t> stabilizer{1}, result;
    std::vector<char> known(n, 0);
    known[1 % n] = 1;
    for (std::uint64_t k = 2; k < n; ++k) {
      if (known[k] || std::gcd(k, n) != 1) continue;
      task_.poll();
      const Permutation power = g.power(k);
      const auto colours = s_.colours(power.images());
      if (s_.colours.invariant(colours) == own && search.conjugator(power, colours, task_)) {
        // The new stabilizer is generated by the old one and k.
        std::vector<std::uint64_t> larger;
        std::uint64_t x = 1;
        do {
          for (const std::uint64_t s : stabilizer) larger.push_back(s * x % n);
          x = x * k % n;
        } while (std::find(stabilizer.begin(), stabilizer.end(), x) == stabilizer.end());
        stabilizer = std::move(larger);
        for (const std::uint64_t s : stabilizer) known[s] = 1;
        // Representatives may have become equivalent.
        std::vector<std::uint64_t> kept;
        for (const std::uint64_t r : result) {
          const bool old =
              std::any_of(kept.begin(), kept.end(), [&](std::uint64_t q) { return same_coset(stabilizer, q, r, n); });
          if (!old) kept.push_back(r);
        }
        result = std::move(kept);
      } else {
        result.push_back(k);
      }
      for (const std::uint64_t r : result)
        for (const std::uint64_t s : stabilizer) known[r * s % n] = 1;
    }
    return result;
  }

  static bool same_coset(const std::vector<std::uint64_t>& stabilizer, std::uint64_t q, std::uint64_t r,
                         std::uint64_t n) {
    return std::any_of(stabilizer.begin(), stabilizer.end(), [&](std::uint64_t s) { return q * s % n == r; });
  }

  RandomState& s_;
  std::size_t limit_;
  const Task& task_;
  std::uint64_t choices_ = 0;  ///< the choices of a search
  std::size_t quiet_ = 0;      ///< elements since the last new class
  Integer order_, sum_ = 0;
  std::vector<std::uint32_t> family_of_;  ///< the family of every class
};

}  // namespace

ClassState classes_by_random_search(const FiniteGroup& G, std::size_t limit, const Task& task,
                                    std::vector<ConjugacyClass>* found) {
  auto state = std::make_shared<RandomState>(G, task);
  try {
    if (!Discovery(*state, limit, task).run()) return nullptr;
  } catch (const LimitError&) {
    if (found) *found = state->classes;
    throw;
  }
  state->note_cycles();
  for (Family& family : state->families) {  // only the searches that tell classes apart are used from now on
    family.centralizer = {};
    family.words.reset();
  }
  std::vector<char> needed(state->families.size(), 0);
  for (const auto& [invariant, list] : state->candidates)
    if (list.size() > 1)
      for (const auto& c : list) needed[c.family] = 1;
  for (std::size_t k = 0; k < needed.size(); ++k)
    if (!needed[k]) state->families[k].search.reset();
  return state;
}

}  // namespace intertwine
