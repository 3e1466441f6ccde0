// A sum of irreducible characters times weights: every e^mu moves L(lambda) to the chamber, with a sign.
#include <algorithm>
#include <functional>
#include <utility>

#include "intertwine/error.hpp"
#include "reductive/weight_lanes.hpp"
#include "reductive/weight_product.hpp"

namespace intertwine {

namespace {

using detail::NodeSet;
using detail::Reflections;
using detail::Word128;

/// Counts are integers modulo a power of two, or integers: the caller knows what the results are bounded by.
template <class Count>
Count to_count(const Integer& n) {
  if constexpr (std::is_same_v<Count, Integer>) {
    return n;
  } else {
    const Integer a = abs(n), mask = ~std::uint64_t{0};
    auto result = static_cast<Count>(static_cast<std::uint64_t>(Integer(a & mask)));
    if constexpr (sizeof(Count) > 8)
      result |= static_cast<Count>(static_cast<std::uint64_t>(Integer((a >> 64) & mask))) << 64;
    return n < 0 ? Count{0} - result : result;
  }
}
template <class Count>
Integer from_count(const Count& n) {
  if constexpr (std::is_same_v<Count, Integer>) {
    return n;
  } else {
    const bool negative = (n >> (8 * sizeof(Count) - 1)) != 0;
    const Count a = negative ? Count{0} - n : n;
    Integer result = static_cast<std::uint64_t>(a);
    if constexpr (sizeof(Count) > 8) result += Integer(static_cast<std::uint64_t>(a >> 64)) << 64;
    return negative ? Integer(-result) : result;
  }
}

/// A sum of weights, moved to a chamber and shifted by rho.
template <class L, class Count>
struct WeightCounts {
  KeyIndex<L> index;
  std::vector<Count> counts;
  void add(const L& v, const Count& count) {
    const std::uint32_t at = index.insert(v);
    if (at == counts.size())
      counts.push_back(count);
    else
      counts[at] += count;
  }
  static constexpr std::size_t bytes_per_term = KeyIndex<L>::bytes_per_key + sizeof(Count);
};

/// The Weyl group as a chain of parabolic subgroups, one node more at each level, so that the cosets are few.
template <class L>
class LeviChain {
 public:
  LeviChain(const RootSystem& R, const Reflections<L>& reflections) {
    NodeSet<L> nodes;
    std::vector<int> list;
    for (std::size_t f = 0; f < R.factors().size(); ++f) {
      const auto [letter, n] = R.factors()[f];
      const bool from_first = letter == 'A' || letter == 'E' || letter == 'G';
      for (int k = 0; k < n; ++k) {
        const int node = R.offset(f) + (from_first ? k : n - 1 - k);
        list.push_back(node);
        nodes.add(node);
        levels_.push_back({nodes, list, {}});
        fill_cosets(reflections, node, levels_.back());
      }
    }
  }
  std::size_t size() const { return levels_.size(); }
  const NodeSet<L>& nodes(std::size_t level) const { return levels_[level].nodes; }

  /// The labels of v in the nodes of a level.
  L part(std::size_t level, const L& v) const {
    L result;
    for (const int a : levels_[level].list) result.at[a] = v.at[a];
    return result;
  }
  /// The weights of the orbit of v under the group of a level that are dominant for the level below, each once.
  void images(std::size_t level, const L& v, KeyIndex<L>& result) const {
    const L fixed = v - part(level, v);
    for (const std::vector<L>& w : levels_[level].cosets) {
      L image = fixed;
      for (const int a : levels_[level].list)
        if (v.at[a] != 0)
          for (int k = 0; k < L::lanes; ++k)
            image.at[k] = static_cast<typename L::Scalar>(image.at[k] + v.at[a] * w[a].at[k]);
      result.insert(image);
    }
  }

 private:
  struct Level {
    NodeSet<L> nodes;
    std::vector<int> list;
    std::vector<std::vector<L>> cosets;  ///< w(omega_a) for the shortest elements w of W_below \ W
  };
  /// w^-1 omega_node runs through an orbit as w does through the cosets; w s_i follows w where that weight has a positive label i.
  static void fill_cosets(const Reflections<L>& reflections, int node, Level& level) {
    KeyIndex<L> orbit;
    L start;
    start.at[node] = 1;
    orbit.insert(start);
    std::vector<L> identity(reflections.nodes());
    for (int a = 0; a < reflections.nodes(); ++a) identity[a].at[a] = 1;
    level.cosets.push_back(identity);
    for (std::size_t k = 0; k < orbit.size(); ++k)
      for (const int i : level.list) {
        L u = orbit[k];
        if (u.at[i] <= 0) continue;
        reflections.reflect(u, i);
        if (orbit.insert(u) < level.cosets.size()) continue;
        std::vector<L> w = level.cosets[k];
        L moved = w[i];
        for (int b = 0; b < reflections.nodes(); ++b)
          moved.subtract(reflections.simple_root(i).at[b], level.cosets[k][b]);
        w[i] = moved;
        level.cosets.push_back(std::move(w));
      }
  }
  std::vector<Level> levels_;
};

template <class L, class Count>
class WeightProduct {
 public:
  using Sum = std::vector<std::pair<L, Count>>;

  WeightProduct(const RootSystem& R, const Task& task)
      : R_(R), task_(task), reflections_(R), rho_(detail::rho_lanes<L>(R)) {}

  std::vector<WeightTerm> run(const std::vector<WeightTerm>& a, const std::vector<WeightTerm>& b, bool chain) {
    const Sum left = lanes_of(a), right = lanes_of(b);
    if (chain)
      by_chain(left, right);
    else
      by_orbits(left, right);
    std::vector<WeightTerm> terms;
    for (std::size_t k = 0; k < result_.counts.size(); ++k)
      if (result_.counts[k] != 0)
        terms.push_back({detail::to_weight(result_.index[k] - rho_, R_.rank()), from_count(result_.counts[k])});
    return terms;
  }

 private:
  static Sum lanes_of(const std::vector<WeightTerm>& terms) {
    Sum result;
    for (const WeightTerm& term : terms)
      result.emplace_back(detail::to_lanes<L>(term.weight), to_count<Count>(term.coefficient));
    return result;
  }
  void add_folded(L v, const Count& count, const NodeSet<L>& nodes, WeightCounts<L, Count>& sum) const {
    const int sign = reflections_.fold(v, nodes);
    if (sign != 0) sum.add(v, sign > 0 ? count : Count(Count{0} - count));
  }
  void require(std::size_t bytes) const { task_.require_memory(bytes, "the weights of a tensor product"); }

  void by_orbits(const Sum& left, const Sum& right) {
    std::vector<L> stack;
    std::size_t checked = 1 << 16;
    for (const auto& term : right)
      reflections_.for_orbit(term.first, reflections_.all(), stack, [&](const L& mu) {
        task_.poll();
        for (const auto& [lambda, a] : left)
          add_folded(lambda + mu + rho_, Count(a * term.second), reflections_.all(), result_);
        if (result_.counts.size() > checked) {
          require(2 * result_.counts.size() * WeightCounts<L, Count>::bytes_per_term);
          checked = 2 * checked;
        }
      });
  }

  void by_chain(const Sum& left, const Sum& right) {
    const LeviChain<L> chain(R_, reflections_);
    const std::size_t top = chain.size() - 1;
    // Each weight without its charge is a part; its shifts are the charges with which it comes.
    KeyIndex<L> parts;
    std::vector<Sum> shifts;
    for (const auto& [v, b] : right) {
      task_.poll();
      KeyIndex<L> images;
      chain.images(top, v, images);
      for (std::size_t k = 0; k < images.size(); ++k) {
        const L part = chain.part(top - 1, images[k]);
        const std::uint32_t at = parts.insert(part);
        if (at == shifts.size()) shifts.emplace_back();
        shifts[at].emplace_back(images[k] - part, b);
      }
    }
    for (const auto& [lambda, a] : left) {
      known_.assign(top, {});
      held_ = 0;
      WeightCounts<L, Count> sum;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        const Sum of_part = moved(chain, top - 1, parts[p], lambda + rho_);
        for (const auto& [shift, b] : shifts[p]) {
          task_.poll();
          for (const auto& [v, count] : of_part) sum.add(v + shift, Count(count * b));
        }
        require(2 * sum.counts.size() * WeightCounts<L, Count>::bytes_per_term + held_);
      }
      for (std::size_t k = 0; k < sum.counts.size(); ++k) {
        task_.poll();
        if (sum.counts[k] != 0) add_folded(sum.index[k], Count(sum.counts[k] * a), reflections_.all(), result_);
      }
    }
  }

  struct Known {
    KeyIndex<L> parts;
    std::vector<Sum> sums;
  };
  /// The orbit of v under the group of a level, each of its weights added to `start` and moved to that group's chamber. v has
  /// labels in the nodes of the level only.
  Sum moved(const LeviChain<L>& chain, std::size_t level, const L& v, const L& start) {
    WeightCounts<L, Count> sum;
    KeyIndex<L> images;
    chain.images(level, v, images);
    for (std::size_t k = 0; k < images.size(); ++k) {
      if (level == 0) {
        add_folded(images[k] + start, Count{1}, chain.nodes(0), sum);
        continue;
      }
      task_.poll();
      const L part = chain.part(level - 1, images[k]), shift = images[k] - part;
      for_moved(chain, level - 1, part, start,
                [&](const L& w, const Count& count) { add_folded(w + shift, count, chain.nodes(level), sum); });
    }
    Sum result;
    for (std::size_t k = 0; k < sum.counts.size(); ++k)
      if (sum.counts[k] != 0) result.emplace_back(sum.index[k], sum.counts[k]);
    return result;
  }
  /// The terms of moved(...), which are kept.
  template <class Visit>
  void for_moved(const LeviChain<L>& chain, std::size_t level, const L& v, const L& start, Visit&& visit) {
    std::uint32_t at = known_[level].parts.find(v);
    if (at == KeyIndex<L>::none) {
      Sum sum = moved(chain, level, v, start);
      at = known_[level].parts.insert(v);
      held_ += sum.size() * sizeof(sum[0]) + KeyIndex<L>::bytes_per_key;
      known_[level].sums.push_back(std::move(sum));
      require(held_);
    }
    for (const auto& [w, count] : known_[level].sums[at]) visit(w, count);
  }

  const RootSystem& R_;
  const Task& task_;
  Reflections<L> reflections_;
  L rho_;
  WeightCounts<L, Count> result_;
  std::vector<Known> known_;  // by level
  std::size_t held_ = 0;      // bytes
};

/// From here on a chain of subgroups pays; in larger ranks its matrices do not.
constexpr int long_orbits = 20'000, chain_max_rank = 32;

Weight rho_of(const RootSystem& R) {
  Weight rho(R.rank(), 0);
  std::fill_n(rho.begin(), R.semisimple_rank(), 1);
  return rho;
}

}  // namespace

std::vector<WeightTerm> detail::multiply_by_weights(const RootSystem& R, const std::vector<WeightTerm>& a,
                                                    const std::vector<WeightTerm>& b, const Integer& bound,
                                                    const Task& task) {
  Integer weights = 0, a_label = 0, b_label = 0;
  for (const WeightTerm& term : a) a_label = std::max(a_label, largest_label(R, term.weight));
  for (const WeightTerm& term : b) {
    weights += R.orbit_size(term.weight);
    b_label = std::max(b_label, largest_label(R, term.weight));
  }
  const bool chain = weights > long_orbits && R.semisimple_rank() > 1 && R.rank() <= chain_max_rank;
  // Parts of weights, without their charges, may have larger labels than any weight: by less than the Coxeter number.
  const Integer coxeter = largest_label(R, rho_of(R)) + 1;
  return with_lanes(R.rank(), (a_label + b_label + coxeter) * (chain ? coxeter : Integer(1)), [&](auto lanes) {
    using L = decltype(lanes);
    if (bound < Integer(1) << 63) return WeightProduct<L, std::uint64_t>(R, task).run(a, b, chain);
    if (bound < Integer(1) << 127) return WeightProduct<L, Word128>(R, task).run(a, b, chain);
    return WeightProduct<L, Integer>(R, task).run(a, b, chain);
  });
}

}  // namespace intertwine
