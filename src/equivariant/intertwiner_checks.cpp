// The two proofs that a space of intertwiners takes beside the count: every element commutes, and they are independent.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <span>

#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/prime_field.hpp"
#include "intertwine/representations/block_action.hpp"
#include "intertwine/representations/representation_node.hpp"
#include "sparse_rank.hpp"

namespace intertwine {

namespace {

/// rho(g) as lists of the entries of its rows, or of its columns, all over one denominator. Nothing dense is made where the group permutes basis vectors or blocks of
/// them.
class RowLists {
 public:
  RowLists(const Representation& V, const Permutation& g, bool columns, const Task& task) : rows_(V.dimension()) {
    if (const auto blocks = V.node().blocks(); blocks && !V.is_monomial())
      add_blocks(*blocks, g, columns, task);
    else if (V.is_monomial())
      add_image(V.image(g), columns);
    else
      add_dense(V, g, columns, task);
  }
  const Integer& denominator() const { return denominator_; }
  Integer height() const {
    Integer most = 0;
    for (const auto& row : rows_)
      for (const auto& [j, a] : row) most = std::max(most, Integer(abs(a)));
    return most;
  }
  const std::vector<std::pair<std::uint64_t, Integer>>& row(std::size_t i) const { return rows_[i]; }
  std::size_t entries() const {
    std::size_t sum = 0;
    for (const auto& row : rows_) sum += row.size();
    return sum;
  }

 private:
  void add(std::uint64_t i, std::uint64_t j, const Integer& value, bool columns) {
    rows_[columns ? j : i].emplace_back(columns ? i : j, value);
  }
  void add_image(const SignedPermutation& image, bool columns) {
    for (Point j = 0; j < rows_.size(); ++j) add(image(j).point(), j, Integer(image(j).sign()), columns);
  }
  void add_blocks(const BlockAction& blocks, const Permutation& g, bool columns, const Task& task) {
    const auto move = blocks.at(g);
    std::vector<BlockAction::Move> moves;
    std::uint64_t entries = 0;
    for (std::uint64_t x = 0; x < blocks.size(); ++x) {
      task.poll();
      const std::uint64_t size = blocks.places(x).size();
      entries += size * size;
      task.require_memory(64 * entries, "the matrices of a generator");
      moves.push_back(move(x));
      denominator_ = lcm(denominator_, moves.back().matrix.denominator());
    }
    for (std::uint64_t x = 0; x < blocks.size(); ++x) {
      const auto from = blocks.places(x), to = blocks.places(moves[x].block);
      const RationalMatrix& M = moves[x].matrix;
      const Integer factor = denominator_ / M.denominator();
      for (std::size_t i = 0; i < to.size(); ++i)
        for (std::size_t j = 0; j < from.size(); ++j)
          if (M.numerator().sign(i, j) != 0) add(to[i], from[j], factor * M.numerator()(i, j), columns);
    }
  }
  void add_dense(const Representation& V, const Permutation& g, bool columns, const Task& task) {
    task.require_memory(40 * V.dimension() * V.dimension(), "the matrices of a generator");
    const RationalMatrix A = V.matrix(g);
    denominator_ = A.denominator();
    for (std::size_t i = 0; i < A.rows(); ++i)
      for (std::size_t j = 0; j < A.cols(); ++j)
        if (A.numerator().sign(i, j) != 0) add(i, j, A.numerator()(i, j), columns);
  }

  Integer denominator_ = 1;
  std::vector<std::vector<std::pair<std::uint64_t, Integer>>> rows_;
};

/// One generator on both sides: does an element commute with it?
class CommutationCheck {
 public:
  CommutationCheck(const Representation& V, const Representation& U, const Permutation& g, const Task& task)
      : V_(V),
        U_(U),
        g_(g),
        task_(task),
        m_(U.dimension()),
        n_(V.dimension()),
        right_rows_(V, g, false, task),
        left_columns_(U, g, true, task) {
    const Integer &p = left_columns_.denominator(), &q = right_rows_.denominator();
    bound_ = Integer(m_) * left_columns_.height() * q + Integer(n_) * right_rows_.height() * p + 1;
    if (bound_ >= (Integer(1) << 62)) return;
    left_words_ = words(left_columns_, m_, q);
    right_words_ = words(right_rows_, n_, p);
  }

  /// Would dense products cost less for elements with this many entries?
  bool prefers_dense(std::uint64_t entries) const {
    const std::uint64_t met = right_rows_.entries() / std::max<std::uint64_t>(n_, 1) +
                              left_columns_.entries() / std::max<std::uint64_t>(m_, 1);
    return 40 * entries * met > m_ * n_ * (m_ + n_) / 8;
  }

  /// Elements side by side in one product, below each other in the other.
  bool hold_densely(std::span<const IntertwinerSpace::Element> elements) {
    const std::size_t m = m_, n = n_, count = elements.size();
    if (!right_) {
      task_.require_memory(40 * (m_ * m_ + n_ * n_), "the matrices of a generator");
      right_ = V_.matrix(g_);
      left_ = U_.matrix(g_);
    }
    IntegerMatrix beside(m, n * count), below(m * count, n);
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t e = 0; e < elements[k].place.size(); ++e) {
        const std::size_t i = elements[k].place[e] / n, j = elements[k].place[e] % n;
        const Integer value = elements[k].value(0, e);
        beside.set(i, k * n + j, value);
        below.set(k * m + i, j, value);
      }
    const RationalMatrix after = *left_ * RationalMatrix(beside), before = RationalMatrix(below) * *right_;
    for (std::size_t k = 0; k < count; ++k)
      if (!(after.block(0, k * n, m, n) == before.block(k * m, 0, m, n))) return false;
    return true;
  }

  bool holds(const IntertwinerSpace::Element& W) {
    const std::uint64_t n = n_;
    if (prefers_dense(W.place.size())) return hold_densely({&W, 1});
    if (W.value.height() * bound_ < (Integer(1) << 62)) return holds_in_words(W);
    std::map<std::uint64_t, Integer> defect;
    for (std::size_t e = 0; e < W.place.size(); ++e) {
      const std::uint64_t i = W.place[e] / n, j = W.place[e] % n;
      const Integer w = W.value(0, e);
      for (const auto& [k, a] : left_columns_.row(i)) defect[k * n + j] += a * w * right_rows_.denominator();
      for (const auto& [k, b] : right_rows_.row(j)) defect[i * n + k] -= b * w * left_columns_.denominator();
    }
    for (const auto& [place, value] : defect)
      if (value != 0) return false;
    return true;
  }

 private:
  /// Decides the same question as holds(), for elements whose sums cannot leave 64 bits.
  bool holds_in_words(const IntertwinerSpace::Element& W) {
    const std::uint64_t n = n_;
    touched_.clear();
    const auto add = [&](std::uint64_t place, std::int64_t value) {
      if (defect_.empty()) defect_.assign(m_ * n, 0);
      touched_.push_back(place);
      defect_[place] += value;
    };
    for (std::size_t e = 0; e < W.place.size(); ++e) {
      const std::uint64_t i = W.place[e] / n, j = W.place[e] % n;
      const auto w = static_cast<std::int64_t>(W.value(0, e));
      for (const auto& [k, a] : left_words_[i]) add(k * n + j, a * w);
      for (const auto& [k, b] : right_words_[j]) add(i * n + k, -b * w);
    }
    bool zero = true;
    for (const std::uint64_t place : touched_) {
      zero = zero && defect_[place] == 0;
      defect_[place] = 0;
    }
    return zero;
  }

  using Words = std::vector<std::vector<std::pair<std::uint64_t, std::int64_t>>>;
  static Words words(const RowLists& lists, std::size_t count, const Integer& factor) {
    Words out(count);
    for (std::size_t i = 0; i < count; ++i)
      for (const auto& [k, a] : lists.row(i)) out[i].emplace_back(k, static_cast<std::int64_t>(Integer(a * factor)));
    return out;
  }

  const Representation &V_, &U_;
  const Permutation& g_;
  const Task& task_;
  std::uint64_t m_, n_;
  RowLists right_rows_, left_columns_;
  std::optional<RationalMatrix> right_, left_;  ///< where dense products are asked for
  /// A bound of the sum that meets at one place, for W of height 1.
  Integer bound_;
  Words left_words_, right_words_;    ///< each side times the denominator of the other
  std::vector<std::int64_t> defect_;  ///< all zero between calls
  std::vector<std::uint64_t> touched_;
};

/// Dense products of many elements at once; the first of a batch in which one does not commute.
std::optional<std::uint64_t> first_bad_batch(const IntertwinerSpace& space, CommutationCheck& check, const Task& task) {
  const std::uint64_t batch =
      std::clamp<std::uint64_t>(1'000'000 / std::max<std::uint64_t>(space.rows() * space.cols(), 1), 1, 256);
  for (std::uint64_t first = 0; first < space.params(); first += batch) {
    task.progress("checking that the elements commute", first, space.params());
    std::vector<IntertwinerSpace::Element> elements;
    for (std::uint64_t k = first; k < std::min(first + batch, space.params()); ++k)
      elements.push_back(space.element(k));
    if (!check.hold_densely(elements)) return first;
  }
  return std::nullopt;
}

/// Element k over its field.
FieldMatrix dense(const IntertwinerSpace& space, std::uint64_t k) {
  const AbelianField& F = space.field();
  IntegerMatrix coordinates(space.rows(), F.degree() * space.cols());
  for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e)
    for (std::size_t c = 0; c < F.degree(); ++c)
      coordinates.set(space.row()[e], c * space.cols() + space.col()[e], space.values()(c, e));
  return {F, RationalMatrix(std::move(coordinates)), space.cols()};
}

/// Dense products over the field.
std::optional<std::uint64_t> first_over_field(const IntertwinerSpace& space, const Representation& V,
                                              const Representation& U, const Task& task) {
  for (const Permutation& g : V.group().generators()) {
    const FieldMatrix right = V.field_matrix(g), left = U.field_matrix(g);
    std::atomic<std::uint64_t> bad{space.params()};  // those behind the first one need no look
    task.share(space.params(), 1, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t k = begin; k < end && k < bad; ++k) {
        task.poll();
        const FieldMatrix W = dense(space, k);
        if (left * W == W * right) continue;
        for (std::uint64_t least = bad; k < least && !bad.compare_exchange_weak(least, k);) {
        }
      }
    });
    if (bad < space.params()) return bad;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> first_that_does_not_commute(const IntertwinerSpace& space, const Representation& V,
                                                         const Representation& U, const Task& task) {
  const std::uint64_t m = U.dimension(), n = V.dimension();
  if (space.rows() != m || space.cols() != n)
    throw DomainError(fmt::format("the matrices are {} x {}, and the representations have dimensions {} -> {}",
                                  space.rows(), space.cols(), n, m));
  if (space.params() == 0) return std::nullopt;
  if (!space.field().is_rational() || !V.field().is_rational() || !U.field().is_rational()) {
    task.require_memory((40 * (m * m + n * n) + 8 * m * n) * space.field().degree(), "the matrices of a generator");
    return first_over_field(space, V, U, task);
  }
  task.require_memory(8 * m * n + 64 * (m + n), "the matrices of a generator");
  const auto& generators = V.group().generators();
  for (std::size_t g = 0; g < generators.size(); ++g) {
    CommutationCheck check(V, U, generators[g], task);
    if (check.prefers_dense(space.nonzeros() / space.params())) {
      const auto bad = first_bad_batch(space, check, task);
      if (!bad) continue;
    }
    for (std::uint64_t k = 0; k < space.params(); ++k) {
      task.progress("checking that the elements commute", g * space.params() + k, generators.size() * space.params());
      if (!check.holds(space.element(k))) return k;
    }
  }
  return std::nullopt;
}

bool are_independent(const IntertwinerSpace& space, const Task& task) {
  // The image modulo a prime under one embedding of the field: independent there, independent.
  const AbelianField& F = space.field();
  const AbelianField::SplitPrime prime =
      F.is_rational() ? AbelianField::SplitPrime{word_prime(0), {0}} : F.split_prime(0);
  const PrimeField field(prime.p);
  SparseRank rank(field);
  bool full = true;
  const auto image = [&](std::uint64_t e) {
    PrimeField::Element x = field.from(space.values()(F.degree() - 1, e));
    const PrimeField::Element root = field.from(Integer(prime.roots[0]));
    for (std::size_t c = F.degree() - 1; c-- > 0;)
      x = field.add(field.multiply(x, root), field.from(space.values()(c, e)));
    return x;
  };
  for (std::uint64_t k = 0; k < space.params() && full; ++k) {
    task.poll();
    SparseRank::Row row;
    for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e)
      if (const PrimeField::Element x = image(e); x != 0)
        row.emplace(std::uint64_t{space.row()[e]} * space.cols() + space.col()[e], x);
    full = rank.insert(std::move(row));
  }
  if (full) return true;
  // Dependent modulo a prime: perhaps an unlucky one.
  std::map<std::uint64_t, std::size_t> support;
  for (std::uint64_t e = 0; e < space.nonzeros(); ++e)
    support.emplace(std::uint64_t{space.row()[e]} * space.cols() + space.col()[e], 0);
  std::size_t next = 0;
  for (auto& [place, column] : support) column = next++;
  task.require_memory(16 * space.params() * support.size(), "the elements of a basis");
  IntegerMatrix all(space.params(), support.size() * F.degree());
  for (std::uint64_t k = 0; k < space.params(); ++k)
    for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e)
      for (std::size_t c = 0; c < F.degree(); ++c)
        all.set(k, c * support.size() + support.at(std::uint64_t{space.row()[e]} * space.cols() + space.col()[e]),
                space.values()(c, e));
  return matrix_rank(FieldMatrix(F, RationalMatrix(std::move(all)), support.size()), task) == space.params();
}

}  // namespace intertwine
