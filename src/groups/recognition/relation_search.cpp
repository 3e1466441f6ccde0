// Searches for relations that images of generators break.
#include "relation_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "intertwine/combinatorics/flat_index.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/modular_matrix.hpp"
#include "intertwine/groups/homomorphism.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/words.hpp"

namespace intertwine {

namespace {

Word power(const Word& a, int k) {
  Word result;
  for (int i = 0; i < k; ++i) result = words::product(std::move(result), a);
  return result;
}

/// u w u^{-1} = 1 says the same as w = 1.
Word cyclically_reduced(const Word& word) {
  std::size_t cut = 0;
  while (2 * cut + 1 < word.size() && word[cut] == -word[word.size() - 1 - cut]) ++cut;
  return Word(word.begin() + static_cast<std::ptrdiff_t>(cut), word.end() - static_cast<std::ptrdiff_t>(cut));
}

struct PointsHash {
  std::size_t operator()(const std::vector<Point>& points) const { return hash_of(std::span<const Point>(points)); }
};

/// (g, rho(g)) with rho(g) modulo a prime. A relation that fails modulo the prime fails.
struct MatrixPair {
  Permutation element;
  ModularMatrix matrix;

  MatrixPair inverse() const { return {element.inverse(), *matrix.inverse()}; }
  MatrixPair power(Integer n) const {
    MatrixPair result{element.power(n), ModularMatrix::identity(matrix.prime(), matrix.rows())};
    for (ModularMatrix square = matrix; n != 0; n /= 2, square = square * square)
      if (n % 2 != 0) result.matrix = result.matrix * square;
    return result;
  }
  bool is_identity() const {
    return element.is_identity() && matrix == ModularMatrix::identity(matrix.prime(), matrix.rows());
  }
  friend MatrixPair operator*(const MatrixPair& a, const MatrixPair& b) {
    return {a.element * b.element, a.matrix * b.matrix};
  }
  friend bool operator==(const MatrixPair&, const MatrixPair&) = default;
};

/// These functions tell the search all that it needs of either kind of pair.
Permutation identity_like(const Permutation& pair) { return Permutation::identity(pair.degree()); }
MatrixPair identity_like(const MatrixPair& pair) {
  return {Permutation::identity(pair.element.degree()),
          ModularMatrix::identity(pair.matrix.prime(), pair.matrix.rows())};
}
std::uint64_t cost_of(const Permutation& pair) { return pair.degree(); }
std::uint64_t cost_of(const MatrixPair& pair) {
  const std::uint64_t d = pair.matrix.rows();
  return pair.element.degree() + d * d * (d / 8 + 1);
}
Point image_of(const Permutation& pair, Point x) { return pair(x); }
Point image_of(const MatrixPair& pair, Point x) { return pair.element(x); }
std::span<const Point> all_images(const Permutation& pair) { return pair.images(); }
std::span<const Point> all_images(const MatrixPair& pair) { return pair.element.images(); }

template <class Pair>
class RelationSearch {
 public:
  RelationSearch(const FiniteGroup& G, std::span<const Pair> pairs, const Task& task)
      : G_(G), pairs_(pairs), task_(task) {
    for (const Pair& p : pairs_) inverses_.push_back(p.inverse());
  }

  bool orders_and_commutators() {
    const auto count = static_cast<std::int32_t>(pairs_.size());
    for (std::int32_t a = 1; a <= count; ++a)
      if (try_power({a})) return true;
    // Quadratic in the generators, hence bounded: thousands of pairs at small degrees, a few at large ones.
    constexpr std::uint64_t budget_points = 1U << 24;
    std::uint64_t spent = 0;
    for (std::int32_t b = 2; b <= count; ++b)
      for (std::int32_t a = 1; a < b; ++a) {
        task_.poll();
        if (try_power({a, b}) || try_power({a, -b}) || try_power({a, b, -a, -b})) return true;
        spent += 3 * cost_of(pairs_[0]);
        if (spent > budget_points) return false;
      }
    return false;
  }

  /// Relations like (a^i b)^n, [a^i, b]^n and [b, a^i b a^-i]^n, in which Coxeter-like presentations are
  /// written.
  bool powers_of_two_generators() {
    constexpr int highest = 64;
    const auto some = std::min<std::int32_t>(static_cast<std::int32_t>(pairs_.size()), 6);
    for (int i = 2; i <= highest; ++i)
      for (std::int32_t a = 1; a <= some; ++a)
        for (std::int32_t b = 1; b <= some; ++b) {
          if (a == b) continue;
          task_.poll();
          const Word ai = power({a}, i);
          const Word conjugate = words::product(words::product(ai, {b}), words::inverse(ai));
          if (try_power(words::product(ai, {b})) || try_power(words::product(conjugate, {-b})) ||
              try_power(words::product({b}, conjugate)) ||
              try_power(
                  words::product(words::product({b}, conjugate), words::product({-b}, words::inverse(conjugate)))))
            return true;
        }
    return false;
  }

  /// All elements of the group of pairs by word length: powers of each, and two words for one element of G.
  /// Ends when the group is exhausted or the budget is; an exhausted group has shown a relation.
  bool breadth_first() {
    constexpr std::uint64_t budget_points = 1U << 25;
    constexpr std::size_t most = 20000;
    std::vector<std::pair<Word, Pair>> found = {{Word{}, identity_like(pairs_[0])}};
    std::unordered_map<std::vector<Point>, std::size_t, PointsHash> seen = {{on_points(found[0].second), 0}};
    for (std::size_t next = 0; next < found.size(); ++next) {
      task_.poll();
      for (std::int32_t k = 1; k <= static_cast<std::int32_t>(pairs_.size()); ++k)
        for (const std::int32_t letter : {k, -k}) {
          if (!found[next].first.empty() && found[next].first.back() == -letter) continue;
          Word word = found[next].first;
          words::append(word, letter);
          Pair element = found[next].second * pair(letter);
          const auto [place, fresh] = seen.try_emplace(on_points(element), found.size());
          if (!fresh) {
            if (found[place->second].second == element) continue;
            return accept(words::product(std::move(word), words::inverse(found[place->second].first)), 1);
          }
          if (try_power(word)) return true;
          if (found.size() >= most || (found.size() + 1) * cost_of(element) > budget_points) return false;
          found.emplace_back(std::move(word), std::move(element));
        }
    }
    return false;
  }

  /// Random words, sifted through a table of coset representatives that are words themselves, shorter ones
  /// replacing longer ones [Minkwitz 1998]. A word that comes out is a relation of G; since the kernel of the
  /// projection to G is not trivial, one that fails for the images comes with probability 1. Words above a
  /// length are given up, and the length grows with the attempts.
  void random_words() {
    const StabilizerChain& chain = G_.chain(task_);
    Table table(chain.length());
    for (std::size_t l = 0; l < chain.length(); ++l) {
      table[l].resize(G_.degree());
      table[l][chain.base_point(l)] = {Word{}, identity_like(pairs_[0]), true};
    }
    Rng rng(fixed_seed);
    for (std::uint64_t attempt = 0;; ++attempt) {
      task_.poll();
      const std::uint64_t longest = 1000 + attempt;
      Word word;
      for (std::uint64_t i = 0, length = 1 + rng.below(4 + attempt % 60); i < length; ++i) {
        const auto letter = static_cast<std::int32_t>(1 + rng.below(pairs_.size()));
        words::append(word, rng.below(2) == 0 ? letter : -letter);
      }
      if (!word.empty() && (try_power(word) || sift(chain, table, std::move(word), longest))) return;
    }
  }

  /// Powers of random words, for a while.
  bool powers_of_random_words() {
    constexpr std::uint64_t budget = 1U << 24;
    Rng rng(fixed_seed);
    for (std::uint64_t spent = 0, trial = 0; trial < 64 && spent < budget; ++trial) {
      task_.poll();
      Word word;
      for (std::uint64_t i = 0, length = 3 + trial / 4; i < length; ++i) {
        const auto letter = static_cast<std::int32_t>(1 + rng.below(pairs_.size()));
        words::append(word, rng.below(2) == 0 ? letter : -letter);
      }
      spent += 2 * word.size() * cost_of(pairs_[0]);
      if (!word.empty() && try_power(word)) return true;
    }
    return false;
  }

  const std::string& answer() const { return answer_; }

 private:
  struct Entry {
    Word word;
    std::optional<Pair> pair;
    bool known = false;
  };
  using Table = std::vector<std::vector<Entry>>;

  const Pair& pair(std::int32_t letter) const {
    return letter > 0 ? pairs_[static_cast<std::size_t>(letter - 1)] : inverses_[static_cast<std::size_t>(-letter - 1)];
  }
  Pair evaluate(const Word& word) const {
    Pair result = identity_like(pairs_[0]);
    for (const std::int32_t letter : word) result = result * pair(letter);
    return result;
  }
  std::vector<Point> on_points(const Pair& p) const {
    const std::span<const Point> images = all_images(p).first(G_.degree());
    return {images.begin(), images.end()};
  }

  /// Does w^n = 1 hold in G, n the order of w there, and fail for the images?
  bool try_power(const Word& word) {
    const Pair w = evaluate(word);
    const Integer n = Permutation::unchecked(on_points(w)).order();
    return !w.power(n).is_identity() && accept(word, n);
  }

  bool sift(const StabilizerChain& chain, Table& table, Word word, std::uint64_t longest) {
    Pair element = evaluate(word);
    for (std::size_t l = 0; l < table.size(); ++l) {
      Entry& entry = table[l][image_of(element, chain.base_point(l))];
      if (!entry.known) {
        entry = {std::move(word), std::move(element), true};
        return false;
      }
      if (word.size() < entry.word.size()) {
        std::swap(word, entry.word);
        std::swap(element, *entry.pair);
      }
      word = words::product(words::inverse(entry.word), word);
      element = entry.pair->inverse() * element;
      if (word.size() > longest) return false;
    }
    return !element.is_identity() && accept(std::move(word), 1);
  }

  /// Checks word^n = 1 on the generators and the opposite on the images, apart from how it was found; writes
  /// the answer.
  bool accept(Word word, const Integer& n) {
    word = cyclically_reduced(word);
    Permutation in_group = Permutation::identity(G_.degree());
    for (const std::int32_t letter : word) {
      const Permutation& g = G_.generators()[static_cast<std::size_t>(std::abs(letter) - 1)];
      in_group = in_group * (letter > 0 ? g : g.inverse());
    }
    if (!in_group.power(n).is_identity() || evaluate(word).power(n).is_identity())
      throw InternalError("broken_relation: the relation found is none");
    answer_ = relation_text(word, n);
    return true;
  }

  std::string relation_text(const Word& word, const Integer& n) const {
    const bool single = word.size() == 1 && word[0] > 0;
    std::string text = words::text(word, pairs_.size());
    if (n != 1) text = (single ? text : "(" + text + ")") + "^" + n.str();
    return text + " = 1";
  }

  const FiniteGroup& G_;
  std::span<const Pair> pairs_;
  const Task& task_;
  std::vector<Pair> inverses_;
  std::string answer_;
};

/// The pairs modulo a prime at which all matrices are defined and invertible.
std::vector<MatrixPair> modular_pairs(const FiniteGroup& G, std::span<const RationalMatrix> images) {
  Rng rng(fixed_seed);
  for (;;) {
    const std::uint64_t p = word_prime(rng.below(100));
    std::vector<MatrixPair> pairs;
    for (std::size_t k = 0; k < images.size(); ++k) {
      auto reduced = ModularMatrix::reduce(p, images[k]);
      if (!reduced || reduced->rank() != reduced->rows()) break;
      pairs.push_back({G.generators()[k], std::move(*reduced)});
    }
    if (pairs.size() == images.size()) return pairs;
  }
}

/// All the kinds of search, one after the other.
template <class Pair>
std::string find(RelationSearch<Pair> search) {
  if (!search.orders_and_commutators() && !search.breadth_first() && !search.powers_of_two_generators())
    search.random_words();
  return search.answer();
}

}  // namespace

std::string find_broken_relation(const FiniteGroup& G, std::span<const Permutation> pairs, const Task& task) {
  return find(RelationSearch<Permutation>(G, pairs, task));
}

std::optional<std::string> find_obvious_broken_relation(const FiniteGroup& G, std::span<const Permutation> pairs,
                                                        const Task& task) {
  RelationSearch<Permutation> search(G, pairs, task);
  if (search.orders_and_commutators()) return search.answer();
  return std::nullopt;
}

std::string find_broken_relation(const FiniteGroup& G, std::span<const RationalMatrix> images, const Task& task) {
  const std::vector<MatrixPair> pairs = modular_pairs(G, images);
  return find(RelationSearch<MatrixPair>(G, pairs, task));
}

std::optional<std::string> find_obvious_broken_relation(const FiniteGroup& G, std::span<const RationalMatrix> images,
                                                        const Task& task) {
  const std::vector<MatrixPair> pairs = modular_pairs(G, images);
  RelationSearch<MatrixPair> search(G, pairs, task);
  if (search.orders_and_commutators() || search.powers_of_random_words()) return search.answer();
  return std::nullopt;
}

}  // namespace intertwine
