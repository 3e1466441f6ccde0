// Cyclic modules by spinning, and the homomorphisms from them.
#include "equivariant/module_homs.hpp"

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/random.hpp"

namespace intertwine {

namespace {

/// Lattice reduction costs more than it gives beyond this many vectors.
constexpr std::size_t max_reduced = 80;

/// Small random weights, by which many equations are added up to few.
RationalMatrix random_weights(std::size_t count, std::size_t dimension, Rng& rng) {
  IntegerMatrix weights(count, dimension);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < dimension; ++j) weights.set(i, j, static_cast<long>(rng.below(201)) - 100);
  return weights;
}

/// Column j of S as a d x 1 matrix.
RationalMatrix column(const RationalMatrix& S, std::size_t j) { return S.block(0, j, S.rows(), 1); }

/// The coefficients (rows) of those combinations of the seeds for which every relation of S holds, tested
/// through `weights`. \param spun  [j]: word j on all seeds.
IntegerMatrix admissible_seeds(const CyclicModule& S, const Module& U, const std::vector<RationalMatrix>& spun,
                               const RationalMatrix& weights, const Task& task) {
  const std::size_t d = S.dimension(), seeds = spun.front().cols(), w = weights.rows();
  const RationalMatrix all = horizontal_stack(spun);
  // One column for each word: the weighed vectors of all seeds below each other.
  const auto by_word = [&](const RationalMatrix& vectors) {
    const RationalMatrix weighed = weights * vectors;
    std::vector<RationalMatrix> columns;
    for (std::size_t j = 0; j < d; ++j) columns.push_back(weighed.block(0, j * seeds, w, seeds).reshape(w * seeds, 1));
    return horizontal_stack(columns);
  };
  const RationalMatrix weighed = by_word(all);
  std::vector<std::vector<bool>> in_tree(U.generators().size(), std::vector<bool>(d, false));
  for (std::size_t i = 1; i < d; ++i) in_tree[S.words.generator[i]][S.words.parent[i]] = true;
  std::vector<RationalMatrix> equations;
  for (std::size_t k = 0; k < U.generators().size(); ++k) {
    task.poll();
    const RationalMatrix defect = by_word(U.apply(U.generators()[k], all)) - weighed * S.matrices[k];
    for (std::size_t j = 0; j < d; ++j)
      if (!in_tree[k][j])  // a step of the tree holds by construction
        equations.push_back(defect.block(0, j, w * seeds, 1).reshape(w, seeds));
  }
  if (equations.empty()) return IntegerMatrix::identity(seeds);
  return null_space(vertical_stack(equations), task);
}

/// Are all of these maps from S to U? Each generator is applied to all of them at once.
bool commute(const std::vector<RationalMatrix>& homs, const CyclicModule& S, const Module& U, const Task& task) {
  if (homs.empty()) return true;
  const RationalMatrix side_by_side = horizontal_stack(homs), on_top = vertical_stack(homs);
  const std::size_t n = side_by_side.rows(), d = on_top.cols();
  for (std::size_t k = 0; k < U.generators().size(); ++k) {
    task.poll();
    const RationalMatrix moved = U.apply(U.generators()[k], side_by_side), inside = on_top * S.matrices[k];
    for (std::size_t i = 0; i < homs.size(); ++i)
      if (!(moved.block(0, i * d, n, d) == inside.block(i * n, 0, n, d))) return false;
  }
  return true;
}

}  // namespace

IntegerMatrix eigenspace_lattice(const Module& V, const Eigenspace& E, const Task& task) {
  const std::size_t n = V.dimension();
  task.require_memory(48 * std::uint64_t{n} * n,
                      "the vectors that a subgroup keeps");  // the space, its columns, their images
  if (E.elements.empty()) return IntegerMatrix::identity(n);
  // One element after the other, in the space that is left: small systems instead of one large one.
  IntegerMatrix space = IntegerMatrix::identity(n);
  for (std::size_t i = 0; i < E.elements.size() && space.rows() > 0; ++i) {
    task.poll();
    const RationalMatrix columns = space.transpose();
    const RationalMatrix moved = V.apply(E.elements[i], columns);
    const RationalMatrix difference = E.signs[i] > 0 ? moved - columns : moved + columns;
    if (difference.is_zero()) continue;
    space = null_space(difference, task) * space;
  }
  if (space.rows() == 0 || space.rows() == n) return space;
  return space.rows() <= max_reduced ? lll(saturate(space, task), task) : space;
}

std::size_t modular_rank(const std::vector<RationalMatrix>& parts) {
  const RationalMatrix A = vertical_stack(parts);
  for (std::size_t k = 0;; ++k)  // few primes divide a denominator
    if (const auto image = ModularMatrix::reduce(word_prime(k), A)) return image->rank();
}

std::vector<RationalMatrix> homomorphisms(const CyclicModule& S, const Module& U, const Task& task) {
  IntegerMatrix seeds = eigenspace_lattice(U, S.eigenspace, task);
  if (seeds.rows() == 0) return {};
  task.require_memory(16 * std::uint64_t{seeds.rows()} * U.dimension() * S.dimension(),
                      "the images of the basis of a module");
  Rng rng(1);  // the answer does not depend on it
  const std::size_t relations = std::max<std::size_t>(S.dimension() * U.generators().size(), 1);
  for (std::size_t extra = 8;; extra *= 4) {
    const std::vector<RationalMatrix> spun = U.spun(S.words, RationalMatrix(seeds).transpose(), task);
    const std::size_t weights = std::min(U.dimension(), (seeds.rows() + extra) / relations + 2);
    const IntegerMatrix admissible = admissible_seeds(
        S, U, spun,
        weights == U.dimension() ? RationalMatrix::identity(weights) : random_weights(weights, U.dimension(), rng),
        task);
    if (admissible.rows() == 0) return {};
    if (admissible.rows() < seeds.rows()) {
      seeds = admissible * seeds;
      if (seeds.rows() <= max_reduced) seeds = lll(saturate(seeds, task), task);
    }
    std::vector<RationalMatrix> homs;
    const std::vector<RationalMatrix> images =
        admissible.rows() == spun.front().cols() ? spun : U.spun(S.words, RationalMatrix(seeds).transpose(), task);
    for (std::size_t i = 0; i < seeds.rows(); ++i) {
      std::vector<RationalMatrix> columns;
      for (const RationalMatrix& T : images) columns.push_back(column(T, i));
      homs.push_back(horizontal_stack(columns));
    }
    // The weights can only let too much through, so that what commutes is all there is.
    if (commute(homs, S, U, task)) return homs;
    if (weights == U.dimension())
      throw InternalError("homomorphisms: a map that satisfies every relation does not commute");
  }
}

}  // namespace intertwine
