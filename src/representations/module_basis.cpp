#include "module_basis.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "euclidean_reduction.hpp"
#include "exact/field_coordinates.hpp"
#include "exact/gram_reduction.hpp"
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

namespace {

/// Chooses vectors, given by their coordinates in the basis of the lattice, whose multiples by a basis of the integers of K are part
/// of a basis at all small primes.
class ModuleSearch {
 public:
  using Vector = std::vector<std::int32_t>;  ///< coordinates, small

  /// \param integers  the multiplications by a basis of the integers on the lattice
  ModuleSearch(const std::vector<IntegerMatrix>& integers, const std::vector<std::uint32_t>& primes)
      : size_(integers[0].rows()), degree_(integers.size()) {
    fields_.reserve(primes.size());  // the spans refer to them
    for (const std::uint32_t p : primes) {
      spans_.emplace_back(fields_.emplace_back(p), size_);
      auto& reduced = multiplications_.emplace_back();
      for (const IntegerMatrix& multiplication : integers)
        for (std::size_t i = 0; i < size_; ++i)
          for (std::size_t j = 0; j < size_; ++j)
            reduced.push_back(
                static_cast<std::uint32_t>(mpz_fdiv_ui(multiplication(i, j).backend().data(), p)));
    }
  }

  /// Takes basis vectors of the lattice until there are `count`.
  void take_basis_vectors(std::vector<Vector>& chosen, std::size_t count, const Task& task) {
    for (std::size_t i = 0; i < size_ && chosen.size() < count; ++i) {
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
    for (std::size_t l = 0; l < degree_; ++l) {
      std::vector<std::uint64_t> sum(size_, 0);  // sums of products of residues do not fit 32 bits
      for (std::size_t i = 0; i < size_; ++i)
        if (x[i] != 0)
          for (std::size_t j = 0; j < size_; ++j)
            sum[j] += std::uint64_t{x[i]} * multiplications_[k][(l * size_ + i) * size_ + j];
      std::vector<std::uint32_t> multiple;
      for (const std::uint64_t c : sum) multiple.push_back(static_cast<std::uint32_t>(c % p));
      if (!spans_[k].insert(multiple)) return false;
    }
    return true;
  }

  std::size_t size_, degree_;
  std::vector<GaloisField> fields_;
  std::vector<IncrementalEchelon<GaloisField>> spans_;
  std::vector<std::vector<std::uint32_t>> multiplications_;  ///< one after the other, for every prime
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
IntegerMatrix independent_vectors(const std::vector<IntegerMatrix>& integers, std::size_t count,
                                  const Task& task) {
  std::vector<ModuleSearch::Vector> chosen;
  ModuleSearch search(integers, {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47});
  search.take_basis_vectors(chosen, count, task);
  if (chosen.size() < count) {
    constexpr std::uint32_t word = 65521;  // independent modulo this prime: independent
    ModuleSearch more(integers, {word});
    for (const auto& v : chosen) more.accept(v);
    more.take_basis_vectors(chosen, count, task);
  }
  return as_rows(chosen, integers[0].rows());
}

/// The coordinates at 1, a, a^2, ... of a basis of the integers of K, as rows: of 1, a, a^2, ... themselves where these are one.
RationalMatrix basis_of_integers(const AbelianField& K, const Task& task) {
  const AbelianField whole = AbelianField::cyclotomic(K.conductor());
  std::vector<Rational> entries;
  Cyclotomic power = 1;
  for (std::size_t l = 0; l < K.degree(); ++l, power *= K.generator())
    for (const Rational& c : whole.coordinates(power)) entries.push_back(c);
  // The integers of Q(zeta) are Z[zeta], those of K what of it lies in K.
  const RationalMatrix powers(K.degree(), whole.degree(), entries);
  const auto X =
      solve(powers.transpose(), RationalMatrix(saturate(powers.numerator(), task).transpose()), task);
  if (!X) throw InternalError("module_basis: integers of K outside of K");
  return X->is_integral() ? RationalMatrix::identity(K.degree()) : X->transpose();
}

/// The multiplications by these integers, given the one by a.
std::vector<IntegerMatrix> multiplications(const RationalMatrix& integers,
                                           const IntegerMatrix& by_generator) {
  const std::size_t r = by_generator.rows();
  std::vector<IntegerMatrix> powers{IntegerMatrix::identity(r)}, result;
  while (powers.size() < integers.cols()) powers.push_back(powers.back() * by_generator);
  for (std::size_t j = 0; j < integers.rows(); ++j) {
    IntegerMatrix sum(r, r);
    for (std::size_t l = 0; l < powers.size(); ++l)
      if (integers.numerator().sign(j, l) != 0) sum = sum + integers.numerator()(j, l) * powers[l];
    result.push_back(exact_quotient(sum, integers.denominator()));
  }
  return result;
}

/// A multiple of the lattice that these rows generate over the integers of K.
IntegerMatrix closed(const IntegerMatrix& rows, const RationalMatrix& integers, const AbelianField& K) {
  if (integers.denominator() == 1) return rows;
  std::vector<IntegerMatrix> powers{rows}, parts;
  while (powers.size() < K.degree()) powers.push_back(times_generator(powers.back(), K));
  for (std::size_t j = 0; j < integers.rows(); ++j) {
    IntegerMatrix sum(rows.rows(), rows.cols());
    for (std::size_t l = 0; l < powers.size(); ++l) sum = sum + integers.numerator()(j, l) * powers[l];
    parts.push_back(std::move(sum));
  }
  const IntegerMatrix all = vertical_stack(parts);
  return lll(exact_quotient(all, all.content()));
}

/// The inner products of the rows as vectors over K: traces to Q of the Hermitian ones. Multiplication by a number and by its conjugate are
/// adjoint, so that the form tells the size under all embeddings, which coordinates do not.
IntegerMatrix trace_form(const IntegerMatrix& rows, const AbelianField& K) {
  const std::size_t m = K.degree(), n = rows.cols() / m;
  const auto product = [&](std::size_t k, std::size_t l) {
    const Cyclotomic number = K.generator().power(k) * K.generator().power(l).conjugate();
    Cyclotomic sum;
    for (const std::uint32_t g : K.automorphisms()) sum += number.galois_conjugate(g);
    return boost::multiprecision::numerator(sum.to_rational());
  };
  std::vector<IntegerMatrix> parts;
  for (std::size_t l = 0; l < m; ++l) {
    IntegerMatrix sum(rows.rows(), n);
    for (std::size_t k = 0; k < m; ++k) sum = sum + product(k, l) * rows.block(0, k * n, rows.rows(), n);
    parts.push_back(std::move(sum));
  }
  return horizontal_stack(parts) * rows.transpose();
}

/// A basis over the integers of K where the field has degree 3 or more: all vectors but the last are short ones, and the last is looked for
/// in the quotient.
std::optional<IntegerMatrix> completed_basis(const IntegerMatrix& rows, const AbelianField& K,
                                             const Task& task) {
  const RationalMatrix integers = basis_of_integers(K, task);
  IntegerMatrix lattice = closed(rows, integers, K);
  lattice = gram_reduction(trace_form(lattice, K)) * lattice;
  const IntegerMatrix gram = trace_form(lattice, K);
  const auto by_generator = multiplication_matrix(lattice, K, task);
  if (!by_generator) return std::nullopt;
  const auto actions = multiplications(integers, *by_generator);
  const IntegerMatrix chosen = independent_vectors(actions, lattice.rows() / K.degree() - 1, task);
  const auto last = completing_vector(chosen, actions, *by_generator, gram, K, task);
  if (!last) return std::nullopt;
  const IntegerMatrix parts[] = {chosen, *last};
  return vertical_stack(parts) * lattice;
}

/// Do the vectors and their multiples by a quadratic number a, in coordinates of the lattice, generate it?
bool is_basis(const IntegerMatrix& vectors, const IntegerMatrix& by_generator) {
  const IntegerMatrix parts[] = {vectors, vectors * by_generator};
  return abs(determinant(RationalMatrix(vertical_stack(parts)))) == 1;
}

}  // namespace

IntegerMatrix module_basis(const IntegerMatrix& unsorted, const AbelianField& K, const Task& task) {
  const std::size_t m = K.degree();
  if (m == 1 || unsorted.rows() == 0) return unsorted;
  if (m > 2)
    if (const auto basis = completed_basis(unsorted, K, task)) return *basis;
  const IntegerMatrix lattice = sorted(unsorted);
  if (const auto multiplication = multiplication_matrix(lattice, K, task)) {
    const auto powers = multiplications(RationalMatrix::identity(m), *multiplication);
    const IntegerMatrix chosen = independent_vectors(powers, lattice.rows() / m, task);
    if (chosen.rows() * m == lattice.rows()) {
      const IntegerMatrix enlarged = enlarged_to_basis(chosen, *multiplication, K, task);
      if (m == 2 && !(enlarged == chosen && is_basis(chosen, *multiplication)))
        if (auto basis = euclidean_basis(lattice, K, task); basis && basis->rows() == chosen.rows())
          return std::move(*basis);
      return enlarged * lattice;
    }
  }
  std::vector<std::size_t> pivots;
  const auto reduced = columns_over(K, lattice).reduce(K.split_prime(0), 0);
  if (!reduced) throw InternalError("module_basis: an integral matrix has no residues");
  reduced->echelon(&pivots);
  return lattice.select_rows(pivots);
}

}  // namespace intertwine
