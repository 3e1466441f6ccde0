// Proofs of group orders by words.
#include "intertwine/groups/order_proof.hpp"

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

/// Elements with the words that made them, and the basic orbits of those that were chosen for strong.
class TracedChain {
 public:
  TracedChain(const FiniteGroup& G, const Task& task) : G_(G), task_(task) {
    const StabilizerChain& chain = G.chain(task);
    for (std::size_t k = 0; k < chain.length(); ++k) {
      if (chain.orbit(k).size() == 1) continue;  // a point that the base need not have
      levels_.push_back({chain.base_point(k), {}, std::vector<std::int64_t>(G.degree(), none), {}});
      levels_.back().orbit.push_back(levels_.back().base);
    }
    for (const Permutation& g : G.generators()) elements_.push_back(g);
    for (std::size_t k = 0; k < elements_.size(); ++k) make_strong(k);
  }

  Integer order() const {
    Integer product = 1;
    for (const Level& level : levels_) product *= level.orbit.size();
    return product;
  }

  /// A product of elements before it; its number.
  std::size_t add(Permutation g, Word word) {
    task_.require_memory(elements_.size() * G_.degree() * sizeof(Point), "words for strong generators");
    elements_.push_back(std::move(g));
    words_.push_back(std::move(word));
    return elements_.size() - 1;
  }
  std::size_t product(std::size_t a, std::size_t b) { return add(elements_[a] * elements_[b], {letter(a), letter(b)}); }

  /// Divides element k by elements of the transversals; what is left and moves a base point out of its orbit becomes strong.
  void sift(std::size_t k) {
    Permutation g = elements_[k];
    Word inverses;  // in the order in which they are multiplied from the left
    for (const Level& level : levels_) {
      Point y = g(level.base);
      if (y != level.base && level.from[y] == none) {
        Word word(inverses.rbegin(), inverses.rend());
        word.push_back(letter(k));
        make_strong(word.size() == 1 ? k : add(std::move(g), std::move(word)));
        return;
      }
      while (y != level.base) {
        const auto s = static_cast<std::size_t>(level.from[y]);
        const Permutation inverse = elements_[s].inverse();
        inverses.push_back(-letter(s));
        y = inverse(y);
        g = inverse * g;
      }
    }
  }

  /// The words that strong generators need, renumbered.
  OrderProof proof() const {
    const std::size_t given = G_.generators().size();
    std::vector<char> needed(elements_.size(), 0);
    for (const std::size_t s : strong_) needed[s] = 1;
    for (std::size_t k = elements_.size(); k-- > given;)
      if (needed[k] != 0)
        for (const std::int32_t x : words_[k - given]) needed[static_cast<std::size_t>(std::abs(x)) - 1] = 1;
    OrderProof result;
    std::vector<std::size_t> number(elements_.size());
    for (std::size_t k = 0; k < given; ++k) number[k] = k;
    for (std::size_t k = given; k < elements_.size(); ++k) {
      if (needed[k] == 0) continue;
      number[k] = given + result.words.size();
      Word word;
      for (const std::int32_t x : words_[k - given]) {
        const std::int32_t y = letter(number[static_cast<std::size_t>(std::abs(x)) - 1]);
        word.push_back(x < 0 ? -y : y);
      }
      result.words.push_back(std::move(word));
    }
    for (const Level& level : levels_) result.base.push_back(level.base);
    for (const std::size_t s : strong_) result.strong.push_back(static_cast<std::uint32_t>(number[s]));
    return result;
  }

 private:
  static constexpr std::int64_t none = -1;
  struct Level {
    Point base;
    std::vector<std::size_t> strong;
    std::vector<std::int64_t> from;  ///< the strong generator that led to a point of the orbit
    std::vector<Point> orbit;
  };
  static std::int32_t letter(std::size_t k) { return static_cast<std::int32_t>(k + 1); }

  void make_strong(std::size_t k) {
    strong_.push_back(k);
    for (Level& level : levels_) {
      level.strong.push_back(k);
      close(level);
      if (elements_[k](level.base) != level.base) return;
    }
  }

  void close(Level& level) {
    for (std::size_t i = 0; i < level.orbit.size(); ++i)
      for (const std::size_t s : level.strong) {
        const Point y = elements_[s](level.orbit[i]);
        if (y == level.base || level.from[y] != none) continue;
        level.from[y] = static_cast<std::int64_t>(s);
        level.orbit.push_back(y);
      }
    task_.poll();
  }

  const FiniteGroup& G_;
  const Task& task_;
  std::vector<Level> levels_;
  std::vector<Permutation> elements_;
  std::vector<Word> words_;  ///< the words of the elements behind the generators
  std::vector<std::size_t> strong_;
};

}  // namespace

OrderProof order_proof(const FiniteGroup& G, const Task& task) {
  TracedChain chain(G, task);
  Rng rng(20);
  std::vector<std::size_t> slots;
  constexpr std::size_t least_slots = 8;
  for (std::size_t k = 0; k < std::max(least_slots, G.generators().size()) && !G.generators().empty(); ++k)
    slots.push_back(k % G.generators().size());
  std::size_t random = 0, steps = 0;
  while (chain.order() < G.order()) {
    task.progress("strong generators", steps, 0);
    const std::size_t i = rng() % slots.size(), j = (i + 1 + rng() % (slots.size() - 1)) % slots.size();
    slots[i] = (rng() & 1U) != 0 ? chain.product(slots[i], slots[j]) : chain.product(slots[j], slots[i]);
    random = steps == 0 ? slots[i] : chain.product(random, slots[i]);
    if (++steps > 2 * slots.size()) chain.sift(random);
  }
  if (chain.order() != G.order()) throw InternalError("order_proof: the basic orbits are larger than |G| allows");
  return chain.proof();
}

}  // namespace intertwine
