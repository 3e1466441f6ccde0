#include "module_basis.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/finite_field.hpp"
#include "module_enlargement.hpp"

namespace intertwine {

FieldMatrix columns_over(const AbelianField& K, const IntegerMatrix& rows) {
  const std::size_t n = rows.cols() / K.degree();
  std::vector<RationalMatrix> parts;
  for (std::size_t l = 0; l < K.degree(); ++l)
    parts.emplace_back(rows.block(0, l * n, rows.rows(), n).transpose());
  return {K, horizontal_stack(parts), rows.rows()};
}

IntegerMatrix times_generator(const IntegerMatrix& rows, const AbelianField& K) {
  const std::size_t m = K.degree(), n = rows.cols() / m;
  const IntegerMatrix top = rows.block(0, (m - 1) * n, rows.rows(), n);
  std::vector<IntegerMatrix> parts;
  for (std::size_t l = 0; l < m; ++l) {
    IntegerMatrix part = Integer(-K.minimal_polynomial()[l]) * top;
    parts.push_back(l == 0 ? std::move(part) : part + rows.block(0, (l - 1) * n, rows.rows(), n));
  }
  return horizontal_stack(parts);
}

namespace {

/// Chooses vectors, given by their coordinates in the basis of the lattice, whose multiples by powers of a are part of
/// a basis at all small primes.
class ModuleSearch {
 public:
  using Vector = std::vector<std::int32_t>;  ///< coordinates, small

  ModuleSearch(const IntegerMatrix& multiplication, std::size_t degree,
               const std::vector<std::uint32_t>& primes)
      : size_(multiplication.rows()), degree_(degree) {
    fields_.reserve(primes.size());  // the spans refer to them
    for (const std::uint32_t p : primes) {
      spans_.emplace_back(fields_.emplace_back(p), size_);
      auto& reduced = multiplication_.emplace_back();
      for (std::size_t i = 0; i < size_; ++i)
        for (std::size_t j = 0; j < size_; ++j)
          reduced.push_back(
              static_cast<std::uint32_t>(mpz_fdiv_ui(multiplication(i, j).backend().data(), p)));
    }
  }

  bool complete() const { return spans_[0].rank() == size_; }
  /// Takes every basis vector of the lattice that can be taken.
  void take_basis_vectors(std::vector<Vector>& chosen, const Task& task) {
    for (std::size_t i = 0; i < size_ && !complete(); ++i) {
      task.poll();
      Vector v(size_, 0);
      v[i] = 1;
      if (accept(v)) chosen.push_back(std::move(v));
    }
  }
  bool accept(const Vector& v) {
    const std::size_t before = spans_[0].rank();
    for (std::size_t k = 0; k < spans_.size(); ++k)
      if (!insert_multiples(k, v)) {
        for (std::size_t i = 0; i <= k; ++i) spans_[i].truncate(before);
        return false;
      }
    return true;
  }

 private:
  bool insert_multiples(std::size_t k, const Vector& v) {
    const std::uint32_t p = fields_[k].size();
    std::vector<std::uint32_t> x;
    for (const std::int32_t c : v)
      x.push_back(static_cast<std::uint32_t>((c % static_cast<int>(p) + static_cast<int>(p))) % p);
    for (std::size_t l = 0;; ++l) {
      if (!spans_[k].insert(x)) return false;
      if (l + 1 == degree_) return true;
      std::vector<std::uint64_t> next(size_, 0);  // sums of products of residues do not fit 32 bits
      for (std::size_t i = 0; i < size_; ++i)
        if (x[i] != 0)
          for (std::size_t j = 0; j < size_; ++j)
            next[j] += std::uint64_t{x[i]} * multiplication_[k][i * size_ + j];
      for (std::size_t j = 0; j < size_; ++j) x[j] = static_cast<std::uint32_t>(next[j] % p);
    }
  }

  std::size_t size_, degree_;
  std::vector<GaloisField> fields_;
  std::vector<IncrementalEchelon<GaloisField>> spans_;
  std::vector<std::vector<std::uint32_t>> multiplication_;  ///< by a, for every prime
};

IntegerMatrix gram_matrix(const IntegerMatrix& rows) { return rows * rows.transpose(); }

/// The rows by length.
IntegerMatrix sorted(const IntegerMatrix& rows) {
  const IntegerMatrix gram = gram_matrix(rows);
  std::vector<std::pair<Integer, std::size_t>> lengths;
  for (std::size_t i = 0; i < rows.rows(); ++i) lengths.emplace_back(gram(i, i), i);
  std::sort(lengths.begin(), lengths.end());
  std::vector<std::size_t> order;
  for (const auto& [length, i] : lengths) order.push_back(i);
  return rows.select_rows(order);
}

/// a b_i in the basis of the b_j; nothing if some coordinate is no integer.
std::optional<IntegerMatrix> multiplication_matrix(const IntegerMatrix& lattice, const AbelianField& K,
                                                   const Task& task) {
  std::vector<std::size_t> pivots;
  ModularMatrix(word_prime(0), lattice).echelon(&pivots);
  if (pivots.size() != lattice.rows()) return std::nullopt;
  const auto X = solve(lattice.select_cols(pivots).transpose(),
                       times_generator(lattice, K).select_cols(pivots).transpose(), task);
  if (!X || !X->is_integral()) return std::nullopt;
  return X->numerator().transpose();
}

IntegerMatrix as_rows(const std::vector<ModuleSearch::Vector>& list, std::size_t size) {
  IntegerMatrix rows(list.size(), size);
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = 0; j < size; ++j) rows.set(i, j, static_cast<long>(list[i][j]));
  return rows;
}

/// Vectors that are independent over K and span a sublattice of small index, in coordinates of the lattice.
IntegerMatrix independent_vectors(const IntegerMatrix& multiplication, std::size_t degree, const Task& task) {
  const std::size_t r = multiplication.rows();
  std::vector<ModuleSearch::Vector> chosen;
  ModuleSearch search(multiplication, degree, {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47});
  search.take_basis_vectors(chosen, task);
  if (!search.complete()) {
    constexpr std::uint32_t word = 65521;  // independent modulo this prime: independent
    ModuleSearch more(multiplication, degree, {word});
    for (const auto& v : chosen) more.accept(v);
    more.take_basis_vectors(chosen, task);
  }
  return as_rows(chosen, r);
}

}  // namespace

IntegerMatrix module_basis(const IntegerMatrix& unsorted, const AbelianField& K, const Task& task) {
  if (K.degree() == 1 || unsorted.rows() == 0) return unsorted;
  const IntegerMatrix lattice = sorted(unsorted);
  if (const auto multiplication = multiplication_matrix(lattice, K, task)) {
    const IntegerMatrix chosen = independent_vectors(*multiplication, K.degree(), task);
    if (chosen.rows() * K.degree() == lattice.rows())
      return enlarged_to_basis(chosen, *multiplication, K, task) * lattice;
  }
  std::vector<std::size_t> pivots;
  const auto reduced = columns_over(K, lattice).reduce(K.split_prime(0), 0);
  if (!reduced) throw InternalError("module_basis: an integral matrix has no residues");
  reduced->echelon(&pivots);
  return lattice.select_rows(pivots);
}

}  // namespace intertwine
