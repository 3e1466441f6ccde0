#include "module_basis.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "intertwine/error.hpp"

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

/// Independent vectors modulo a small prime.
class SmallSpan {
 public:
  explicit SmallSpan(std::uint32_t p) : p_(p) {}
  std::uint32_t prime() const { return p_; }
  std::size_t size() const { return rows_.size(); }
  void truncate(std::size_t size) { rows_.resize(size), pivots_.resize(size); }
  /// False, and nothing changes, if v depends on the vectors before.
  bool insert(std::vector<std::uint32_t> v) {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const std::uint32_t c = v[pivots_[k]];
      if (c == 0) continue;
      for (std::size_t j = 0; j < v.size(); ++j) v[j] = (v[j] + (p_ - c) * rows_[k][j]) % p_;
    }
    const auto at = std::find_if(v.begin(), v.end(), [](std::uint32_t x) { return x != 0; });
    if (at == v.end()) return false;
    std::uint32_t inverse = 1;
    while (inverse * *at % p_ != 1) ++inverse;
    pivots_.push_back(static_cast<std::size_t>(at - v.begin()));
    for (std::uint32_t& x : v) x = x * inverse % p_;
    rows_.push_back(std::move(v));
    return true;
  }

 private:
  std::uint32_t p_;
  std::vector<std::vector<std::uint32_t>> rows_;
  std::vector<std::size_t> pivots_;
};

/// Chooses vectors, given by their coordinates in the basis of the lattice, whose multiples by powers of a are part of
/// a basis at all small primes.
class ModuleSearch {
 public:
  using Vector = std::vector<std::int32_t>;  ///< coordinates, small

  ModuleSearch(const IntegerMatrix& multiplication, std::size_t degree)
      : size_(multiplication.rows()), degree_(degree) {
    for (const std::uint32_t p : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47}) {
      spans_.emplace_back(p);
      auto& reduced = multiplication_.emplace_back();
      for (std::size_t i = 0; i < size_; ++i)
        for (std::size_t j = 0; j < size_; ++j)
          reduced.push_back(
              static_cast<std::uint32_t>(mpz_fdiv_ui(multiplication(i, j).backend().data(), p)));
    }
  }

  /// All but one vector are chosen.
  bool nearly_complete() const { return spans_[0].size() + degree_ == size_; }
  bool accept(const Vector& v) {
    const std::size_t before = spans_[0].size();
    for (std::size_t k = 0; k < spans_.size(); ++k)
      if (!insert_multiples(k, v)) {
        for (std::size_t i = 0; i <= k; ++i) spans_[i].truncate(before);
        return false;
      }
    return true;
  }

 private:
  bool insert_multiples(std::size_t k, const Vector& v) {
    const std::uint32_t p = spans_[k].prime();
    std::vector<std::uint32_t> x;
    for (const std::int32_t c : v)
      x.push_back(static_cast<std::uint32_t>((c % static_cast<int>(p) + static_cast<int>(p))) % p);
    for (std::size_t l = 0;; ++l) {
      if (!spans_[k].insert(x)) return false;
      if (l + 1 == degree_) return true;
      std::vector<std::uint32_t> next(size_, 0);
      for (std::size_t i = 0; i < size_; ++i)
        if (x[i] != 0)
          for (std::size_t j = 0; j < size_; ++j) next[j] += x[i] * multiplication_[k][i * size_ + j];
      for (std::uint32_t& c : next) c %= p;
      x = std::move(next);
    }
  }

  std::size_t size_, degree_;
  std::vector<SmallSpan> spans_;
  std::vector<std::vector<std::uint32_t>> multiplication_;  ///< by a, for every prime
};

/// The last vector: modulo the span of the others the lattice has rank m, and c completes a basis exactly if c, a c,
/// ..., a^(m-1) c have determinant 1 or -1 there.
class LastVector {
 public:
  LastVector(const IntegerMatrix& chosen, const IntegerMatrix& multiplication, std::size_t degree,
             const Task& task)
      : p_(word_prime(0)), m_(degree) {
    std::vector<IntegerMatrix> parts;
    IntegerMatrix multiples = chosen;
    for (std::size_t l = 0; l < m_; ++l, multiples = multiples * multiplication) parts.push_back(multiples);
    const IntegerMatrix quotient = kernel_lattice(vertical_stack(parts), task).transpose();
    IntegerMatrix image = quotient;
    for (std::size_t l = 0; l < m_; ++l, image = multiplication * image) images_.emplace_back(p_, image);
  }

  /// Decided modulo a large prime: c is certainly right if it is used and the determinant is not by chance 1.
  bool completes(const ModuleSearch::Vector& v) const {
    ModularMatrix A(p_, m_, m_);
    for (std::size_t l = 0; l < m_; ++l)
      for (std::size_t j = 0; j < m_; ++j) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < v.size(); ++i)
          if (v[i] != 0) {
            const std::uint64_t x = images_[l](i, j);
            for (std::int32_t k = 0; k < std::abs(v[i]); ++k) sum = (sum + (v[i] > 0 ? x : p_ - x)) % p_;
          }
        A.set(l, j, sum);
      }
    const std::uint64_t constant = A.characteristic_polynomial()[0];  // the determinant up to sign
    return constant == 1 || constant == p_ - 1;
  }

 private:
  std::uint64_t p_;
  std::size_t m_;
  std::vector<ModularMatrix> images_;
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

/// Sums and differences of two basis vectors, short ones first.
std::vector<ModuleSearch::Vector> pairs(const IntegerMatrix& lattice) {
  const std::size_t r = lattice.rows();
  const IntegerMatrix gram = gram_matrix(lattice);
  std::vector<std::pair<Integer, ModuleSearch::Vector>> list;
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = i + 1; j < r; ++j)
      for (const int sign : {1, -1}) {
        ModuleSearch::Vector v(r, 0);
        v[i] = 1;
        v[j] = sign;
        list.emplace_back(gram(i, i) + gram(j, j) + 2 * sign * gram(i, j), std::move(v));
      }
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ModuleSearch::Vector> result;
  for (auto& [length, v] : list) result.push_back(std::move(v));
  return result;
}

IntegerMatrix as_rows(const std::vector<ModuleSearch::Vector>& list, std::size_t size) {
  IntegerMatrix rows(list.size(), size);
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = 0; j < size; ++j) rows.set(i, j, static_cast<long>(list[i][j]));
  return rows;
}

/// Basis vectors, then sums and differences of two, then small random combinations.
class Pool {
 public:
  explicit Pool(const IntegerMatrix& lattice) : lattice_(lattice) {}
  /// Nothing after the last one.
  std::optional<ModuleSearch::Vector> next() {
    const std::size_t r = lattice_.rows();
    if (at_ < r) {
      ModuleSearch::Vector v(r, 0);
      v[at_++] = 1;
      return v;
    }
    if (at_ == r) pairs_ = pairs(lattice_);
    const std::size_t k = at_++ - r;
    if (k < pairs_.size()) return pairs_[k];
    constexpr std::size_t most_random = 20'000;
    if (k >= pairs_.size() + most_random) return std::nullopt;
    ModuleSearch::Vector v(r, 0);
    for (std::size_t terms = 3 + rng_.below(3); terms > 0; --terms)
      v[rng_.below(r)] += rng_.below(2) == 0 ? 1 : -1;
    return v;
  }

 private:
  const IntegerMatrix& lattice_;
  std::size_t at_ = 0;
  std::vector<ModuleSearch::Vector> pairs_;
  Rng rng_{1};
};

/// The coordinates of a module basis in the basis of the lattice; nothing where none was found.
std::optional<IntegerMatrix> search_module_basis(const IntegerMatrix& lattice,
                                                 const IntegerMatrix& multiplication, std::size_t degree,
                                                 const Task& task) {
  ModuleSearch search(multiplication, degree);
  std::vector<ModuleSearch::Vector> chosen;
  for (Pool pool(lattice); !search.nearly_complete();) {
    task.poll();
    auto v = pool.next();
    if (!v) return std::nullopt;
    if (search.accept(*v)) chosen.push_back(std::move(*v));
  }
  Pool pool(lattice);
  if (lattice.rows() == degree) {  // nothing is chosen yet
    return std::nullopt;
  }
  const LastVector last(as_rows(chosen, lattice.rows()), multiplication, degree, task);
  while (auto v = pool.next()) {
    task.poll();
    if (!last.completes(*v)) continue;
    chosen.push_back(std::move(*v));
    return as_rows(chosen, lattice.rows());
  }
  return std::nullopt;
}

}  // namespace

IntegerMatrix module_basis(const IntegerMatrix& unsorted, const AbelianField& K, const Task& task) {
  if (K.degree() == 1 || unsorted.rows() == 0) return unsorted;
  const IntegerMatrix lattice = sorted(unsorted);
  if (const auto multiplication = multiplication_matrix(lattice, K, task))
    if (const auto chosen = search_module_basis(lattice, *multiplication, K.degree(), task))
      return *chosen * lattice;
  std::vector<std::size_t> pivots;
  const auto reduced = columns_over(K, lattice).reduce(K.split_prime(0), 0);
  if (!reduced) throw InternalError("module_basis: an integral matrix has no residues");
  reduced->echelon(&pivots);
  return lattice.select_rows(pivots);
}

}  // namespace intertwine
