#include "neighbour_lattice.hpp"

#include <algorithm>
#include <utility>

#include "exact/row_reduction.hpp"
#include "intertwine/random.hpp"

namespace intertwine {

namespace {

/// The vectors over the residues modulo P, as those over Z/p, and the matrices on them. Coordinate j is at j f, ..., j f + f - 1.
class ResidueModule {
 public:
  ResidueModule(const std::vector<FieldMatrix>& A, const PrimeIdeal& P, const Task& task)
      : p_(P.p), degree_(P.degree()), size_(A[0].rows() * degree_), task_(task) {
    task.require_memory(sizeof(std::uint64_t) * size_ * size_ * (2 * A.size() + most_in_pool + 4),
                        "a lattice beside another");
    std::vector<ModularMatrix> powers{ModularMatrix::identity(p_, degree_)};  // of a
    ModularMatrix a(p_, degree_, degree_);
    for (std::size_t l = 0; l < degree_; ++l) {
      if (l > 0) a.set(l, l - 1, 1);
      a.set(l, degree_ - 1, (p_ - P.polynomial[l]) % p_);
    }
    while (powers.size() < A[0].field().degree()) powers.push_back(a * powers.back());
    for (const FieldMatrix& M : A) matrices_.push_back(image(M, powers));
    if (degree_ > 1) matrices_.push_back(image(ModularMatrix::identity(p_, A[0].rows()), a));
    for (const ModularMatrix& B : matrices_) transposed_.push_back(B.transpose());
  }

  /// Bases, as rows, of spaces that are kept, neither 0 nor all, from one word; nothing if it proves that there are none.
  std::optional<std::vector<ModularMatrix>> subspaces() {
    const ModularMatrix word = random_word();
    std::vector<ModularMatrix> result;
    for (std::uint64_t c = 0; c < std::min<std::uint64_t>(p_, most_eigenvalues); ++c) {
      const ModularMatrix singular = word + c * ModularMatrix::identity(p_, size_);
      const ModularMatrix zeros = singular.kernel(task_);
      if (zeros.rows() == 0) continue;
      const ModularMatrix W = spun(random_of(zeros), matrices_);
      const ModularMatrix annihilated = spun(random_of(singular.transpose().kernel(task_)), transposed_);
      if (W.rows() > 0 && W.rows() < size_) result.push_back(W);
      if (annihilated.rows() > 0 && annihilated.rows() < size_) result.push_back(annihilated.kernel(task_));
      // A space that is kept has such a vector, or its annihilator has.
      if (zeros.rows() == degree_ && W.rows() == size_ && annihilated.rows() == size_) return std::nullopt;
    }
    return result;
  }

 private:
  static constexpr std::size_t most_in_pool = 6;
  static constexpr std::uint64_t most_eigenvalues = 16;

  /// The Kronecker product.
  static ModularMatrix image(const ModularMatrix& M, const ModularMatrix& a) {
    const std::size_t f = a.rows();
    ModularMatrix result(M.prime(), M.rows() * f, M.cols() * f);
    for (std::size_t k = 0; k < f; ++k)
      for (std::size_t l = 0; l < f; ++l) {
        const ModularMatrix part = a(k, l) * M;
        for (std::size_t i = 0; i < M.rows(); ++i)
          for (std::size_t j = 0; j < M.cols(); ++j) result.set(i * f + k, j * f + l, part(i, j));
      }
    return result;
  }
  ModularMatrix image(const FieldMatrix& A, const std::vector<ModularMatrix>& powers) const {
    const std::size_t n = A.rows();
    const ModularMatrix parts = *ModularMatrix::reduce(p_, A.coefficients());
    ModularMatrix sum(p_, size_, size_);
    for (std::size_t l = 0; l < powers.size(); ++l) sum = sum + image(parts.block(0, l * n, n, n), powers[l]);
    return sum;
  }

  ModularMatrix random_of(const ModularMatrix& rows) {
    return ModularMatrix::random(p_, 1, rows.rows(), rng_) * rows;
  }
  ModularMatrix random_word() {
    std::vector<ModularMatrix> pool = matrices_;
    while (pool.size() < most_in_pool) {
      task_.poll();
      pool.push_back(pool[rng_.below(pool.size())] * pool[rng_.below(pool.size())]);
    }
    ModularMatrix sum = pool.back();
    for (const ModularMatrix& M : pool) sum = sum + rng_.below(p_) * M;
    return sum;
  }
  ModularMatrix spun(ModularMatrix rows, const std::vector<ModularMatrix>& matrices) const {
    for (std::size_t last = 0; rows.rows() != last && rows.rows() != size_;) {
      last = rows.rows();
      std::vector<ModularMatrix> parts{rows};
      for (const ModularMatrix& B : matrices) {
        task_.poll();
        parts.push_back((B * rows.transpose()).transpose());
      }
      rows = vertical_stack(parts).echelon(nullptr, task_);
    }
    return rows;
  }

  std::uint64_t p_;
  std::size_t degree_, size_;
  const Task& task_;
  Rng rng_{fixed_seed};
  std::vector<ModularMatrix> matrices_, transposed_;
};

/// Pi^-1 W
LocalLattice lattice_of(const ModularMatrix& W, const PrimeIdeal& P, const AbelianField& K,
                        const std::vector<std::size_t>& sequence, const Task& task) {
  const std::size_t n = sequence.size(), f = P.degree();
  std::vector<std::size_t> columns, pivots, own;
  for (const std::size_t j : sequence)
    for (std::size_t l = 0; l < f; ++l) columns.push_back(j * f + l);
  const ModularMatrix reduced = W.select_cols(columns).echelon(&pivots, task);
  // As over the residues modulo P, where the pivots are every f-th of these.
  for (std::size_t k = 0; k < pivots.size(); k += f) own.push_back(pivots[k] / f);
  LocalLattice result{LocalRing(P, K, P.ramification > 1 ? 2 : 1), std::vector<unsigned>(n), {}, true};
  result.vectors = result.ring.identity(n);
  const std::vector<std::size_t> others = complement(own, n);
  for (std::size_t k = 0; k < own.size(); ++k) {
    result.levels[sequence[own[k]]] = 1;
    for (const std::size_t j : others)
      for (std::size_t l = 0; l < f; ++l)
        result.vectors[l].set(sequence[j], sequence[own[k]], reduced(k * f, j * f + l));
  }
  return result;
}

}  // namespace

std::optional<LocalLattice> neighbour_lattice(const std::vector<FieldMatrix>& A, const PrimeIdeal& P,
                                              const AbelianField& K, const std::vector<std::size_t>& sequence,
                                              const std::function<bool(std::size_t)>& is_wanted,
                                              const Task& task) {
  const auto has_denominator = [&](const FieldMatrix& M) {
    return M.coefficients().denominator() % P.p == 0;
  };
  if (std::ranges::any_of(A, has_denominator)) return std::nullopt;
  const std::size_t f = P.degree();
  ResidueModule module(A, P, task);
  constexpr std::size_t most_words = 24;
  for (std::size_t word = 0; word < most_words; ++word) {
    task.progress("lattices beside another", word, most_words);
    const auto found = module.subspaces();
    if (!found) break;
    for (const ModularMatrix& W : *found)
      if (is_wanted(W.rows() / f)) return lattice_of(W, P, K, sequence, task);
  }
  return std::nullopt;
}

}  // namespace intertwine
