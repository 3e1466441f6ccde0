// The multiplicities of the dominant weights of an irreducible representation.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "intertwine/error.hpp"
#include "intertwine/reductive/weight_character.hpp"
#include "reductive/weight_lanes.hpp"

namespace intertwine {

namespace {

using detail::NodeSet;
using detail::Reflections;

/// A multiplicity left the words that the recursion works in.
struct WordTooShort {};

__extension__ typedef __int128 Signed128;

/// Sums of coefficient * multiplicity: multiplicities stay below 2^96, the coefficients of one sum add up to less than 2^30.
struct WideWords {
  using Count = Signed128;
  static void check(const Count& m) {
    if (m >> 96 != 0) throw WordTooShort{};
  }
  static Integer to_integer(const Count& m) {
    Integer high = static_cast<std::uint64_t>(m >> 64);
    return (high << 64) + static_cast<std::uint64_t>(m);
  }
};
struct BigIntegers {
  using Count = Integer;
  static void check(const Count&) {}
  static Integer to_integer(const Count& m) { return m; }
};

constexpr std::size_t most_dominant_weights = std::size_t{1} << 24;

LimitError too_many_weights(const Weight& highest, const RootSystem& R) {
  return LimitError(
      fmt::format("irrep({}) of {} has more than {} dominant weights, the most whose multiplicities are computed",
                  to_string(highest), R.name(), most_dominant_weights));
}

/// Dominant weights that are smaller in every label are below the highest one if the difference is in the root lattice. Where even these are so many, there are far more in all, and
/// they need not be counted one after the other.
void require_few_weights(const RootSystem& R, const Weight& highest) {
  constexpr int most_in_box = 1 << 17;
  Integer box = 1;
  for (int i = 0; i < R.semisimple_rank(); ++i) box *= Integer(highest[i]) + 1;
  Integer index = 1;  // of the root lattice in that of weights
  for (const auto& [letter, n] : R.factors())
    index *= letter == 'A' ? n + 1 : letter == 'D' ? 4 : letter == 'B' || letter == 'C' ? 2 : letter == 'E' ? 9 - n : 1;
  if (box / index > most_in_box) throw too_many_weights(highest, R);
}

template <class L, class Arithmetic>
class Freudenthal {
 public:
  using Count = typename Arithmetic::Count;

  Freudenthal(const RootSystem& R, const Weight& highest, const Task& task)
      : R_(R), task_(task), reflections_(R), highest_(detail::to_lanes<L>(highest)) {
    const auto& roots = R.positive_roots();
    for (const auto& root : roots) {
      labels_.push_back(detail::to_lanes<L>(R.weight_of(root)));
      heights_.push_back(std::accumulate(root.begin(), root.end(), 0));
      const std::vector<int> check = R.coroot(root);
      half_norms_.push_back(0);  // (root, root) / 2 = root_i half_norm_i / check_i
      for (int i = 0; i < R.semisimple_rank(); ++i)
        if (root[i] != 0) half_norms_.back() = root[i] * R.half_norm(i) / check[i];
    }
    std::map<std::vector<int>, std::uint32_t> number;
    for (std::uint32_t r = 0; r < roots.size(); ++r) number[roots[r]] = r;
    for (int i = 0; i < R.semisimple_rank(); ++i) {
      moved_.emplace_back();
      for (std::uint32_t r = 0; r < roots.size(); ++r) {
        if (labels_[r].at[i] == 0) {
          moved_.back().push_back(r);
          continue;
        }
        std::vector<int> image = roots[r];
        image[i] -= labels_[r].at[i];
        const auto found = number.find(image);
        moved_.back().push_back(found == number.end() ? r : found->second);  // only alpha_i becomes negative
      }
    }
  }

  std::vector<WeightTerm> run() {
    find_weights();
    std::vector<std::uint32_t> order(index_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return depth_[a] < depth_[b]; });
    count_.resize(index_.size());
    count_[0] = 1;
    for (const std::uint32_t at : order) {
      task_.poll();
      if (at != 0) count_[at] = multiplicity(at);
    }
    std::vector<WeightTerm> terms;
    for (std::size_t k = 0; k < count_.size(); ++k)
      terms.push_back({detail::to_weight(index_[k], R_.rank()), Arithmetic::to_integer(count_[k])});
    return terms;
  }

 private:
  /// All dominant weights below the highest one: a step down in the order of dominance is a positive root [Stembridge 1998].
  void find_weights() {
    const std::size_t n = R_.semisimple_rank();
    index_.insert(highest_);
    depth_.push_back(0);
    difference_.assign(n, 0);
    for (std::size_t k = 0; k < index_.size(); ++k) {
      task_.poll();
      if (index_.size() > most_dominant_weights) throw too_many_weights(detail::to_weight(highest_, R_.rank()), R_);
      for (std::size_t r = 0; r < labels_.size(); ++r) {
        const L below = L(index_[k]) -= labels_[r];
        if (reflections_.all().first_negative(below) >= 0) continue;
        if (index_.insert(below) < depth_.size()) continue;
        depth_.push_back(depth_[k] + heights_[r]);
        for (std::size_t i = 0; i < n; ++i) difference_.push_back(difference_[k * n + i] + R_.positive_roots()[r][i]);
      }
      if ((k & (k - 1)) == 0)
        task_.require_memory(index_.size() * (KeyIndex<L>::bytes_per_key + sizeof(Count) + 4 * (n + 1)),
                             "the dominant weights");
    }
  }

  /// A root of each orbit under the stabilizer of mu, up to sign, and the number of positive roots there.
  using RootOrbits = std::vector<std::pair<std::uint32_t, int>>;
  const RootOrbits& root_orbits(const L& mu) {
    std::vector<bool> fixing(R_.semisimple_rank());
    for (std::size_t i = 0; i < fixing.size(); ++i) fixing[i] = mu.at[i] == 0;
    const auto [place, is_new] = orbits_.try_emplace(fixing);
    if (!is_new) return place->second;
    std::vector<bool> met(labels_.size());
    std::vector<std::uint32_t> orbit;
    for (std::uint32_t r = static_cast<std::uint32_t>(met.size()); r-- > 0;) {  // highest first
      if (met[r]) continue;
      orbit.assign(1, r);
      met[r] = true;
      for (std::size_t k = 0; k < orbit.size(); ++k)
        for (std::size_t i = 0; i < fixing.size(); ++i)
          if (const std::uint32_t image = moved_[i][orbit[k]]; fixing[i] && !met[image]) {
            met[image] = true;
            orbit.push_back(image);
          }
      place->second.emplace_back(r, static_cast<int>(orbit.size()));
    }
    return place->second;
  }

  /// Freudenthal: m(mu) = 2 sum_{alpha > 0, k > 0} (mu + k alpha, alpha) m(mu + k alpha) / (|highest + rho|^2 - |mu + rho|^2).
  Count multiplicity(std::uint32_t at) {
    const L mu = index_[at];
    Count sum = 0;
    for (const auto& [r, size] : root_orbits(mu)) {
      const auto& root = R_.positive_roots()[r];
      std::int64_t pairing = 0;  // (mu, alpha)
      for (int i = 0; i < R_.semisimple_rank(); ++i)
        pairing += static_cast<std::int64_t>(mu.at[i]) * root[i] * R_.half_norm(i);
      Count string = 0;
      L v = mu, alpha = labels_[r];  // both are moved to the chamber, so that the next step starts near it
      for (;;) {
        v += alpha;
        for (int i; (i = reflections_.all().first_negative(v)) >= 0;) {
          reflections_.reflect(v, i);
          reflections_.reflect(alpha, i);
        }
        const std::uint32_t found = index_.find(v);
        if (found == KeyIndex<L>::none) break;
        pairing += 2 * half_norms_[r];
        string += count_[found] * pairing;
      }
      sum += string * size;
    }
    const Count below = norm_difference(at);
    const Count result = 2 * sum / below;
    if (result * below != 2 * sum) throw InternalError("a multiplicity in Freudenthal's recursion is no integer");
    Arithmetic::check(result);
    return result;
  }

  /// (highest - mu, highest + mu + 2 rho): the coordinates of the difference in simple roots times labels.
  Count norm_difference(std::uint32_t at) const {
    const int n = R_.semisimple_rank();
    Count total = 0;
    for (int j = 0; j < n; ++j)
      total += Count(std::int64_t{difference_[at * n + j]} * R_.half_norm(j)) *
               (std::int64_t{highest_.at[j]} + index_[at].at[j] + 2);
    return total;
  }

  const RootSystem& R_;
  const Task& task_;
  Reflections<L> reflections_;
  L highest_;
  std::vector<L> labels_;                          // of the positive roots
  std::vector<int> heights_, half_norms_;          // and their heights, and (root, root) / 2
  std::vector<std::vector<std::uint32_t>> moved_;  // [i][r]: the number of s_i(root r), up to sign
  KeyIndex<L> index_;
  std::vector<int> depth_,
      difference_;  // of each weight: highest_ - weight in simple roots, and the sum of that
  std::vector<Count> count_;
  std::map<std::vector<bool>, RootOrbits> orbits_;
};

}  // namespace

DominantCharacter dominant_character(const RootSystem& type, const Weight& highest, const Task& task) {
  type.require_dominant(highest);
  if (type.semisimple_rank() == 1) {  // one string, every weight once
    const auto count = static_cast<std::size_t>(highest[0]) / 2 + 1;
    task.require_memory(count * (sizeof(WeightTerm) + 64), "the weights of a representation");
    std::vector<WeightTerm> terms;
    terms.reserve(count);
    for (Weight weight = highest; weight[0] >= 0; weight[0] -= 2) {
      task.poll();
      terms.push_back({weight, 1});
    }
    return DominantCharacter(type, std::move(terms));
  }
  require_few_weights(type, highest);
  const Integer bound = detail::largest_label(type, highest) + 4;
  std::vector<WeightTerm> terms = detail::with_lanes(type.rank(), bound, [&](auto lanes) {
    using L = decltype(lanes);
    // The coefficients of one sum: a pairing of at most 3 times the bound for each root and each step of its string.
    const Integer coefficients = Integer(type.positive_roots().size()) * bound * bound * 4;
    if (coefficients < (Integer(1) << 30)) {
      try {
        return Freudenthal<L, WideWords>(type, highest, task).run();
      } catch (const WordTooShort&) {
      }
    }
    return Freudenthal<L, BigIntegers>(type, highest, task).run();
  });
  return DominantCharacter(type, std::move(terms));
}

}  // namespace intertwine
