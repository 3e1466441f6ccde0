// Finds invariant lattices beside a given one.
#include "neighbour_lattice.hpp"

#include <algorithm>
#include <utility>

#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/random.hpp"

namespace intertwine {

namespace {

/// The vectors of residues, and the matrices on them.
class ResidueModule {
 public:
  ResidueModule(const std::vector<FieldMatrix>& A, const PrimeIdeal& P, const Task& task)
      : p_(P.p), size_(A[0].rows()), task_(task) {
    task.require_memory(sizeof(std::uint64_t) * size_ * size_ * (6 * A.size() + 12), "a lattice beside another");
    const std::uint64_t a = (p_ - P.polynomial[0]) % p_;
    for (const FieldMatrix& M : A) {
      const ModularMatrix parts = *ModularMatrix::reduce(p_, M.coefficients());
      ModularMatrix sum(p_, size_, size_);
      for (std::size_t l = M.field().degree(); l-- > 0;)  // Horner's rule
        sum = a * sum + parts.block(0, l * size_, size_, size_);
      transposed_.push_back(sum.transpose());
      matrices_.push_back(std::move(sum));
    }
  }

  /// A basis, as rows, of a space that is kept, neither 0 nor all, of a wanted dimension. Nothing if there is none or none is found.
  std::optional<ModularMatrix> subspace(const std::function<bool(std::size_t)>& is_wanted) {
    const auto is_offered = [&](std::size_t d) { return 0 < d && d < size_ && is_wanted(d); };
    for (std::size_t kernels = 0; kernels < most_kernels;) {
      const ModularMatrix word = random_word();
      for (std::uint64_t c = 0; c < std::min<std::uint64_t>(p_, most_shifts); ++c, ++kernels) {
        task_.progress("lattices beside another", kernels, most_kernels);
        const ModularMatrix singular = word + c * ModularMatrix::identity(p_, size_);
        const ModularMatrix zeros = singular.kernel(task_);
        if (zeros.rows() == 0) continue;
        ModularMatrix W = spun(nonzero(zeros), matrices_);
        if (is_offered(W.rows())) return W;
        const ModularMatrix dual = spun(nonzero(singular.transpose().kernel(task_)), transposed_);
        if (is_offered(size_ - dual.rows())) return dual.kernel(task_);
        // A space that is kept holds the zeros of a word, or its annihilator those of the transposed one.
        if (zeros.rows() == 1 && W.rows() == size_ && dual.rows() == size_) return std::nullopt;
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t most_kernels = 64;
  static constexpr std::uint64_t most_shifts = 16;

  /// A sum of some products.
  ModularMatrix random_word() {
    std::vector<ModularMatrix> pool = matrices_;
    ModularMatrix sum(p_, size_, size_);
    for (const ModularMatrix& M : matrices_) sum = sum + rng_.below(p_) * M;
    for (int products = 0; products < 4; ++products) {
      task_.poll();
      pool.push_back(pool[rng_.below(pool.size())] * pool[rng_.below(pool.size())]);
      sum = sum + (1 + rng_.below(p_ - 1)) * pool.back();
    }
    return sum;
  }
  /// A random vector, not 0, of the space of these rows.
  ModularMatrix nonzero(const ModularMatrix& rows) {
    ModularMatrix factors = ModularMatrix::random(p_, 1, rows.rows(), rng_);
    if (std::ranges::all_of(factors.row(0), [](std::uint64_t x) { return x == 0; })) factors.set(0, 0, 1);
    return factors * rows;
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
  std::size_t size_;
  const Task& task_;
  Rng rng_{fixed_seed};
  std::vector<ModularMatrix> matrices_, transposed_;
};

/// Pi^-1 W
LocalLattice lattice_of(const ModularMatrix& W, const PrimeIdeal& P, const AbelianField& K,
                        const std::vector<std::size_t>& sequence, const Task& task) {
  const std::size_t n = sequence.size();
  std::vector<std::size_t> pivots;
  const ModularMatrix reduced = W.select_cols(sequence).echelon(&pivots, task);
  LocalLattice result{LocalRing(P, K, P.ramification > 1 ? 2 : 1), std::vector<unsigned>(n), {}, true};
  result.vectors = result.ring.identity(n);
  const std::vector<std::size_t> others = complement_of(pivots, n);
  for (std::size_t k = 0; k < pivots.size(); ++k) {
    result.levels[sequence[pivots[k]]] = 1;
    for (const std::size_t j : others) result.vectors[0].set(sequence[j], sequence[pivots[k]], reduced(k, j));
  }
  return result;
}

}  // namespace

std::optional<LocalLattice> neighbour_lattice(const std::vector<FieldMatrix>& A, const PrimeIdeal& P,
                                              const AbelianField& K, const std::vector<std::size_t>& sequence,
                                              const std::function<bool(std::size_t)>& is_wanted, const Task& task) {
  const auto has_denominator = [&](const FieldMatrix& M) { return M.coefficients().denominator() % P.p == 0; };
  if (P.degree() > 1 || std::ranges::any_of(A, has_denominator)) return std::nullopt;
  const std::optional<ModularMatrix> W = ResidueModule(A, P, task).subspace(is_wanted);
  if (!W) return std::nullopt;
  return lattice_of(*W, P, K, sequence, task);
}

}  // namespace intertwine
