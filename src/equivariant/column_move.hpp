// How one generator carries a row of codes to another row, as fast as its permutation of the columns allows.
#pragma once
#include <cstring>
#include <vector>

#include "intertwine/combinatorics/signed_permutation.hpp"

namespace intertwine {

/// How codes carry signs: codes below `zeros` are their own negatives, the next `params` are the parameters with +, the
/// `params` after them those with -. The codes of tables have zeros = 1.
template <class Code>
struct SignedCodes {
  Code zeros, params;

  Code negated(Code code) const {
    if (code < zeros) return code;
    return static_cast<Code>(code < zeros + params ? code + params : code - params);
  }
};

/// child[g c] = +-parent[c]. A permutation made of long runs c, c+1, ... -> d, d+1, ... (shifts of grids,
/// cycles on tuples) is copied run by run. Runs of one shift that are interrupted by single points are copied
/// as one, and the points set right afterwards. Any other permutation gathers entry by entry.
class ColumnMove {
 public:
  explicit ColumnMove(const SignedPermutation& g) {
    const auto n = static_cast<std::uint32_t>(g.degree());
    find_runs(g);
    if (runs_.size() * 6 > n) {
      runs_.clear();
      cost_ = 2 * std::uint64_t{n};
      gather(g);
      return;
    }
    bridge_gaps();
    find_patches(g);
    cost_ = 8 * runs_.size() + patches_.size() + n / 16;
  }

  /// An estimate to choose between generators by.
  std::uint64_t cost() const { return cost_; }

  /// Carries a row of g's degree to `child`, which must not overlap `parent`; `negate` changes all signs.
  template <class Code>
  void apply(const Code* parent, Code* child, bool negate, SignedCodes<Code> codes) const {
    if (source_.empty()) {
      for (const Run& run : runs_) {
        if (run.negative != negate)
          copy_negated(parent + run.from, child + run.to, run.length, codes);
        else
          copy(parent + run.from, child + run.to, run.length);
      }
      if (!negate && !signs_) {
        for (const Patch& patch : patches_) child[patch.to] = parent[patch.from];
      } else {
        for (const Patch& patch : patches_)
          child[patch.to] = patch.negative != negate ? codes.negated(parent[patch.from]) : parent[patch.from];
      }
      return;
    }
    const std::size_t n = source_.size();
    for (std::size_t c = 0; c < n; ++c) child[c] = parent[source_[c]];
    if (!signs_ && !negate) return;
    for (std::size_t c = 0; c < n; ++c)
      if ((signs_ && negative_[c] != 0) != negate) child[c] = codes.negated(child[c]);
  }

 private:
  struct Run {
    std::uint32_t from, to, length;
    bool negative;
  };
  struct Patch {
    std::uint32_t from, to;
    bool negative;
  };

  void find_runs(const SignedPermutation& g) {
    const auto n = static_cast<std::uint32_t>(g.degree());
    for (std::uint32_t c = 0; c < n;) {
      const SignedPoint image = g(c);
      std::uint32_t length = 1;
      while (c + length < n && g(c + length).code() == image.code() + 2 * length) ++length;
      runs_.push_back({c, image.point(), length, image.negative()});
      c += length;
    }
  }

  void gather(const SignedPermutation& g) {
    const auto n = static_cast<std::uint32_t>(g.degree());
    source_.resize(n);
    for (std::uint32_t c = 0; c < n; ++c) {
      source_[g(c).point()] = c;
      signs_ = signs_ || g(c).negative();
    }
    if (!signs_) return;
    negative_.resize(n);
    for (std::uint32_t c = 0; c < n; ++c) negative_[g(c).point()] = g(c).negative() ? 1 : 0;
  }

  /// Joins runs of the same shift and sign across gaps of at most two points.
  void bridge_gaps() {
    std::vector<Run> joined;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      const Run& run = runs_[k];
      for (const std::size_t back : {std::size_t{1}, std::size_t{2}}) {
        if (joined.size() < back) break;
        Run& before = joined[joined.size() - back];
        const std::uint32_t gap = run.from - (before.from + before.length);
        if (gap > 2 || run.length < 8 || before.length < 8) continue;
        if (run.negative != before.negative || run.to - run.from != before.to - before.from) continue;
        before.length = run.from + run.length - before.from;
        joined.resize(joined.size() - (back - 1));
        break;
      }
      if (joined.empty() || joined.back().from + joined.back().length <= run.from) joined.push_back(run);
    }
    runs_ = std::move(joined);
  }

  /// Finds the columns that the joined runs get wrong.
  void find_patches(const SignedPermutation& g) {
    const auto n = static_cast<std::uint32_t>(g.degree());
    std::vector<SignedPoint> written(n, SignedPoint(n));  // the source of every column, with its sign
    for (const Run& run : runs_)
      for (std::uint32_t i = 0; i < run.length; ++i) written[run.to + i] = SignedPoint(run.from + i, run.negative);
    for (std::uint32_t c = 0; c < n; ++c)
      if (written[g(c).point()] != SignedPoint(c, g(c).negative()))
        patches_.push_back({c, g(c).point(), g(c).negative()});
    for (const Patch& patch : patches_) signs_ = signs_ || patch.negative;
  }

  template <class Code>
  static void copy(const Code* from, Code* to, std::size_t length) {
    if (length * sizeof(Code) <= 16) {  // a call costs more than a few moves
      for (std::size_t i = 0; i < length; ++i) to[i] = from[i];
    } else {
      std::memcpy(to, from, length * sizeof(Code));
    }
  }

  template <class Code>
  static void copy_negated(const Code* from, Code* to, std::size_t length, SignedCodes<Code> codes) {
    for (std::size_t i = 0; i < length; ++i) to[i] = codes.negated(from[i]);
  }

  std::vector<Run> runs_;
  std::vector<Patch> patches_;
  std::vector<std::uint32_t> source_;
  std::vector<std::uint8_t> negative_;
  bool signs_ = false;
  std::uint64_t cost_ = 0;
};

}  // namespace intertwine
