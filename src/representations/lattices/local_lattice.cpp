// Lattices over completions of the integers of number fields.
#include "local_lattice.hpp"

#include <algorithm>
#include <utility>

#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/exact/prime_field.hpp"

namespace intertwine {

namespace {

using Places = std::vector<std::size_t>;

std::uint64_t word_power(std::uint64_t p, unsigned k) {
  std::uint64_t result = 1;
  for (; k > 0; --k) result *= p;
  return result;
}

std::uint64_t product_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t q) {
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % q);
}

/// A polynomial modulo a monic one, coefficients modulo q.
std::vector<std::uint64_t> remainder(std::vector<std::uint64_t> x, const std::vector<std::uint64_t>& monic,
                                     std::uint64_t q) {
  const std::size_t c = monic.size() - 1;
  for (std::size_t k = x.size(); k-- > c;)
    for (std::size_t l = 0; l < c; ++l) {
      std::uint64_t& at = x[k - c + l];
      at = (at + product_modulo(q - x[k], monic[l], q)) % q;
    }
  x.resize(c);
  return x;
}

/// A product of such polynomials.
std::vector<std::uint64_t> product_modulo(const std::vector<std::uint64_t>& x, const std::vector<std::uint64_t>& y,
                                          const std::vector<std::uint64_t>& monic, std::uint64_t q) {
  const std::size_t c = monic.size() - 1;
  std::vector<std::uint64_t> result(2 * c - 1);
  for (std::size_t i = 0; i < c; ++i)
    for (std::size_t j = 0; j < c; ++j) result[i + j] = (result[i + j] + product_modulo(x[i], y[j], q)) % q;
  return remainder(std::move(result), monic, q);
}

/// p/g(x) for polynomials over the integers at p modulo a monic one, which g^e is modulo p, as far as p^N.
std::vector<std::uint64_t> quotient_by(const std::vector<std::uint64_t>& g, const std::vector<std::uint64_t>& monic,
                                       std::uint64_t p, std::uint64_t q) {
  const std::size_t c = monic.size() - 1;
  IntegerMatrix shift(c, c), value(c, c);  // rows: x times 1, x, ...
  for (std::size_t i = 0; i < c; ++i)
    for (std::size_t j = 0; j < c; ++j) shift.set(i, j, i + 1 < c ? Integer(j == i + 1 ? 1 : 0) : -Integer(monic[j]));
  for (std::size_t l = g.size(); l-- > 0;) value = value * shift + Integer(g[l]) * IntegerMatrix::identity(c);
  const RationalMatrix inverted = Rational(p) * inverse(RationalMatrix(value));
  const std::uint64_t below = inverse_modulo(mpz_fdiv_ui(inverted.denominator().backend().data(), q), q);
  std::vector<std::uint64_t> result;
  for (std::size_t l = 0; l < c; ++l) {
    const Integer numerator = inverted.numerator()(0, l);
    result.push_back(product_modulo(mpz_fdiv_ui(numerator.backend().data(), q), below, q));
  }
  return result;
}

}  // namespace

LocalRing::LocalRing(const PrimeIdeal& P, const AbelianField& K, unsigned N)
    : ideal_(P),
      modulus_(word_power(P.p, N)),
      polynomial_(lifted_factor(K.minimal_polynomial(), P.p, P.polynomial, P.ramification, N)) {
  if (P.ramification == 1) return;
  quotient_ = quotient_by(P.polynomial, polynomial_, P.p, modulus_);
  std::vector<std::uint64_t> unit = quotient_;
  for (unsigned k = 1; k < P.ramification; ++k) unit = divided(std::move(unit));
  unit_ = residue(unit);
}

std::vector<std::uint64_t> LocalRing::divided(std::vector<std::uint64_t> x) const {
  x = product_modulo(x, quotient_, polynomial_, modulus_);
  for (std::uint64_t& c : x) c /= ideal_.p;
  return x;
}

LocalRing::Matrix LocalRing::identity(std::size_t n) const {
  Matrix result(size(), ModularMatrix(modulus_, n, n));
  result[0] = ModularMatrix::identity(modulus_, n);
  return result;
}

LocalRing::Matrix LocalRing::times_generator(Matrix A) const {
  const ModularMatrix high = A.back();
  for (std::size_t l = size(); l-- > 1;) A[l] = A[l - 1] - polynomial_[l] * high;
  A[0] = (polynomial_[0] == 0 ? 0 : modulus_ - polynomial_[0]) * high;
  return A;
}

LocalRing::Matrix LocalRing::image(const FieldMatrix& A, unsigned k) const {
  const IntegerMatrix& numerator = A.coefficients().numerator();
  Integer below = A.coefficients().denominator();
  for (; below % ideal_.p == 0; below /= ideal_.p) --k;
  const std::uint64_t factor = product_modulo(inverse_modulo(mpz_fdiv_ui(below.backend().data(), modulus_), modulus_),
                                              word_power(ideal_.p, k), modulus_);
  Matrix result(size(), ModularMatrix(modulus_, A.rows(), A.cols()));
  for (std::size_t l = A.field().degree(); l-- > 0;) {  // Horner's rule
    result = times_generator(std::move(result));
    result[0] = result[0] + factor * ModularMatrix(modulus_, numerator.block(0, l * A.cols(), A.rows(), A.cols()));
  }
  return result;
}

LocalRing::Matrix LocalRing::product(const Matrix& A, const Matrix& B) const {
  const std::size_t c = size();
  Matrix result(2 * c - 1, ModularMatrix(modulus_, A[0].rows(), B[0].cols()));
  for (std::size_t i = 0; i < c; ++i)
    for (std::size_t j = 0; j < c; ++j) result[i + j] = result[i + j] + A[i] * B[j];
  for (std::size_t k = result.size(); k-- > c;)
    for (std::size_t l = 0; l < c; ++l) result[k - c + l] = result[k - c + l] - polynomial_[l] * result[k];
  result.resize(c, result[0]);
  return result;
}

LocalRing::Matrix LocalRing::times_power(Matrix A, unsigned k) const {
  for (; k > 0; --k) {
    if (ideal_.ramification == 1) {
      for (ModularMatrix& part : A) part = ideal_.p * part;
      continue;
    }
    Matrix sum = A;  // g is monic
    for (std::size_t l = ideal_.degree(); l-- > 0;) {
      sum = times_generator(std::move(sum));
      for (std::size_t i = 0; i < size(); ++i) sum[i] = sum[i] + ideal_.polynomial[l] * A[i];
    }
    A = std::move(sum);
  }
  return A;
}

std::vector<std::uint64_t> LocalRing::residue(const std::vector<std::uint64_t>& x) const {
  std::vector<std::uint64_t> rest;
  for (const std::uint64_t c : x) rest.push_back(c % ideal_.p);
  return remainder(std::move(rest), ideal_.polynomial, ideal_.p);
}

std::optional<LocalRing::Leading> LocalRing::leading(std::vector<std::uint64_t> x) const {
  const auto is_zero = [](std::uint64_t c) { return c == 0; };
  if (std::ranges::all_of(x, is_zero)) return std::nullopt;
  Leading result{0, {}};
  unsigned powers_of_p = 0;
  for (; std::ranges::all_of(x, [&](std::uint64_t c) { return c % ideal_.p == 0; }); ++powers_of_p)
    for (std::uint64_t& c : x) c /= ideal_.p;
  result.valuation = powers_of_p * ideal_.ramification;
  for (result.residue = residue(x); std::ranges::all_of(result.residue, is_zero); result.residue = residue(x)) {
    x = divided(std::move(x));  // only where P is ramified
    ++result.valuation;
  }
  if (ideal_.ramification > 1)
    for (; powers_of_p > 0; --powers_of_p)
      result.residue = product_modulo(result.residue, unit_, ideal_.polynomial, ideal_.p);
  return result;
}

namespace {

Places of_level(const std::vector<unsigned>& levels, const Places& among, unsigned level) {
  Places result;
  for (const std::size_t j : among)
    if (levels[j] == level) result.push_back(j);
  return result;
}

/// The lattice at one precision.
class Enlargement {
 public:
  Enlargement(const std::vector<FieldMatrix>& A, unsigned largest, const PrimeIdeal& P, const AbelianField& K,
              const Places& sequence, unsigned N, const Task& task)
      : ideal_(P),
        task_(task),
        sequence_(sequence),
        n_(A[0].rows()),
        pole_(largest * P.ramification),
        lattice_{LocalRing(P, K, N), std::vector<unsigned>(n_), {}, true} {
    const std::size_t c = ring().size(), f = P.degree();
    task.require_memory(sizeof(std::uint64_t) * n_ * n_ * (c * (3 * A.size() + 2) + 2 * f * f * A.size()),
                        "a lattice at a prime");
    lattice_.vectors = ring().identity(n_);
    for (const FieldMatrix& M : A) matrices_.push_back(ring().image(M, largest));
    largest_level_ = (N - largest - (P.ramification - 1)) * P.ramification;  // what leading() divides by loses digits
  }
  LocalLattice lattice() && {
    for (std::uint64_t step = 0; enlarge(); ++step) {
      task_.progress("integral bases", step, 0);
      lattice_.is_complete = std::ranges::max(lattice_.levels) <= largest_level_;
      if (!lattice_.is_complete) break;
    }
    return std::move(lattice_);
  }

 private:
  const LocalRing& ring() const { return lattice_.ring; }

  /// The residues of Pi^e A, for the largest e > 0 for which some are not 0, of the matrices that have any: rows for the columns of A and their
  /// multiples, entry sequence[j] at j f, ..., j f + f - 1. Nothing if all is integral.
  std::optional<ModularMatrix> leading_columns(const Places& sequence) const {
    const std::size_t f = ideal_.degree(), c = ring().size();
    unsigned largest = 0;
    std::vector<std::uint64_t> powers{1};  // of p
    while (powers.back() != ring().modulus()) powers.push_back(powers.back() * ideal_.p);
    std::vector<ModularMatrix> parts;
    for (const LocalRing::Matrix& M : matrices_) {
      ModularMatrix part(ideal_.p, n_ * f, n_ * f);
      unsigned own = 0;
      std::vector<std::uint64_t> x(c);
      for (std::size_t i = 0; i < n_; ++i) {
        task_.poll();
        const std::size_t row = sequence[i];
        for (std::size_t j = 0; j < n_; ++j) {
          const unsigned plus = pole_ + lattice_.levels[j], needed = std::max({largest, own, 1U});
          if (plus < lattice_.levels[row] + needed) continue;
          // Most numbers are divided too often by p.
          const unsigned most = plus - lattice_.levels[row] - needed;
          const std::uint64_t power = powers[std::min<std::size_t>(most / ideal_.ramification + 1, powers.size() - 1)];
          bool is_divisible = true;
          for (std::size_t l = 0; l < c; ++l) {
            x[l] = M[l](row, j);
            is_divisible = is_divisible && x[l] % power == 0;
          }
          if (is_divisible) continue;
          const auto found = ring().leading(x);
          const unsigned minus = found->valuation + lattice_.levels[row];
          if (plus < minus + needed) continue;
          if (plus - minus > own) {
            part = ModularMatrix(ideal_.p, n_ * f, n_ * f);
            own = plus - minus;
          }
          for (std::size_t l = 0; l < f; ++l) part.set(j, i * f + l, found->residue[l]);
        }
      }
      if (own < std::max(largest, 1U)) continue;
      if (own > largest) parts.clear();
      largest = own;
      parts.push_back(std::move(part));
    }
    if (largest == 0) return std::nullopt;
    for (ModularMatrix& part : parts) add_multiples(part);
    return vertical_stack(parts);
  }
  /// Rows i n + j: row j times a^i.
  void add_multiples(ModularMatrix& rows) const {
    const std::size_t f = ideal_.degree();
    const std::uint64_t p = ideal_.p;
    for (std::size_t i = 1; i < f; ++i)
      for (std::size_t j = 0; j < n_; ++j)
        for (std::size_t k = 0; k < n_; ++k) {
          const auto from = rows.row((i - 1) * n_ + j).subspan(k * f, f);
          const auto to = rows.row(i * n_ + j).subspan(k * f, f);
          for (std::size_t l = 0; l < f; ++l)
            to[l] = ((l > 0 ? from[l - 1] : 0) + product_modulo(p - from[f - 1], ideal_.polynomial[l], p)) % p;
        }
  }

  /// False if all matrices are integral.
  bool enlarge() {
    std::vector<unsigned>& levels = lattice_.levels;
    const std::size_t f = ideal_.degree();
    Places sequence = sequence_, free, pivots;
    std::ranges::stable_sort(sequence, [&](std::size_t i, std::size_t j) { return levels[i] > levels[j]; });
    const auto rows = leading_columns(sequence);
    if (!rows) return false;
    const ModularMatrix W = rows->echelon(&pivots, task_);
    // A space over the residue field has the pivots of its echelon form over that, each f times.
    for (std::size_t k = 0; k < pivots.size(); k += f) pivots[k / f] = pivots[k] / f;
    pivots.resize(pivots.size() / f);
    const Places free_columns = complement_of(pivots, n_);
    for (const std::size_t j : free_columns) free.push_back(sequence[j]);
    for (std::size_t& j : pivots) j = sequence[j];
    LocalRing::Matrix sums(ring().size(), ModularMatrix(ring().modulus(), free.size(), pivots.size()));
    for (std::size_t l = 0; l < f; ++l)
      for (std::size_t i = 0; i < free.size(); ++i)
        for (std::size_t k = 0; k < pivots.size(); ++k) sums[l].set(i, k, W(k * f, free_columns[i] * f + l));
    add_columns(free, pivots, times_differences(std::move(sums), free, pivots));
    for (const std::size_t j : pivots) ++levels[j];
    // A vector that was above one at a pivot may be of its level now, and has no coordinate there any more.
    for (unsigned level = 1; level <= std::ranges::max(levels); ++level) {
      const Places raised = of_level(levels, pivots, level), others = of_level(levels, free, level);
      if (raised.empty() || others.empty()) continue;
      LocalRing::Matrix minus = negative(block(lattice_.vectors, raised, others));
      add_columns(raised, others, minus);
    }
    return true;
  }

  /// Entry (i, k) times Pi to the difference of the levels.
  LocalRing::Matrix times_differences(LocalRing::Matrix x, const Places& free, const Places& pivots) const {
    const std::vector<unsigned>& levels = lattice_.levels;
    const unsigned most = std::ranges::max(levels);
    LocalRing::Matrix result = x;
    for (unsigned power = 1; power <= most; ++power) {
      x = ring().times_power(std::move(x), 1);
      for (std::size_t l = 0; l < x.size(); ++l)
        for (std::size_t i = 0; i < free.size(); ++i)
          for (std::size_t k = 0; k < pivots.size(); ++k)
            if (levels[pivots[k]] == levels[free[i]] + power) result[l].set(i, k, x[l](i, k));
    }
    return result;
  }
  static LocalRing::Matrix block(const LocalRing::Matrix& A, const Places& rows, const Places& cols) {
    LocalRing::Matrix result;
    for (const ModularMatrix& part : A) result.push_back(part.select_rows(rows).select_cols(cols));
    return result;
  }
  static LocalRing::Matrix negative(LocalRing::Matrix A) {
    for (ModularMatrix& part : A) part = (part.prime() - 1) * part;
    return A;
  }

  /// Columns e_j become e_j + sum x_fj e_f, for the vectors and for the matrices.
  void add_columns(const Places& from, const Places& to, const LocalRing::Matrix& x) {
    add_to_columns(lattice_.vectors, from, to, x);
    const LocalRing::Matrix minus = negative(x);
    for (LocalRing::Matrix& M : matrices_) {
      task_.poll();
      add_to_columns(M, from, to, x);
      LocalRing::Matrix rows;
      for (const ModularMatrix& part : M) rows.push_back(part.select_rows(to));
      rows = ring().product(minus, rows);
      for (std::size_t l = 0; l < rows.size(); ++l)
        for (std::size_t i = 0; i < from.size(); ++i) add(rows[l].row(i), M[l].row(from[i]));
    }
  }
  void add_to_columns(LocalRing::Matrix& M, const Places& from, const Places& to, const LocalRing::Matrix& x) const {
    LocalRing::Matrix columns;
    for (const ModularMatrix& part : M) columns.push_back(part.select_cols(from));
    columns = ring().product(columns, x);
    const std::uint64_t q = ring().modulus();
    for (std::size_t l = 0; l < columns.size(); ++l)
      for (std::size_t i = 0; i < n_; ++i) {
        const auto row = M[l].row(i);
        for (std::size_t k = 0; k < to.size(); ++k) row[to[k]] = (row[to[k]] + columns[l](i, k)) % q;
      }
  }
  void add(std::span<const std::uint64_t> x, std::span<std::uint64_t> to) const {
    for (std::size_t j = 0; j < x.size(); ++j) to[j] = (to[j] + x[j]) % ring().modulus();
  }

  const PrimeIdeal& ideal_;
  const Task& task_;
  Places sequence_;
  std::size_t n_;
  unsigned pole_;  ///< matrices_ are Pi^pole_ A, up to units
  unsigned largest_level_ = 0;
  LocalLattice lattice_;
  std::vector<LocalRing::Matrix> matrices_;
};

/// The exponent of p in the denominator.
unsigned exponent_of(std::uint64_t p, const FieldMatrix& A) {
  unsigned exponent = 0;
  for (Integer rest = A.coefficients().denominator(); rest % p == 0; rest /= p) ++exponent;
  return exponent;
}

/// The largest N for which p^N is below the bound.
unsigned digits_below(std::uint64_t bound, std::uint64_t p) {
  unsigned N = 0;
  for (std::uint64_t q = 1; q < bound / p; q *= p) ++N;
  return N;
}

constexpr std::uint64_t longest = std::uint64_t{1} << 62;

}  // namespace

bool has_pole(const FieldMatrix& A, const PrimeIdeal& P) {
  const unsigned k = exponent_of(P.p, A);
  if (k == 0) return false;
  if (digits_below(longest, P.p) < k + 1) return true;  // or maybe not
  const std::uint64_t power = word_power(P.p, k);
  const auto is_multiple = [&](std::uint64_t x) { return x % power == 0; };
  for (const ModularMatrix& part : LocalRing(P, A.field(), k + 1).image(A, k))
    for (std::size_t i = 0; i < part.rows(); ++i)
      if (!std::ranges::all_of(part.row(i), is_multiple)) return true;
  return false;
}

std::optional<LocalLattice> local_lattice(const std::vector<FieldMatrix>& A, const PrimeIdeal& P, const AbelianField& K,
                                          const std::vector<std::size_t>& sequence, const Task& task) {
  unsigned largest = 0;
  for (const FieldMatrix& M : A) largest = std::max(largest, exponent_of(P.p, M));
  constexpr std::uint64_t fast = std::uint64_t{1} << 23;
  std::optional<LocalLattice> found;
  for (const std::uint64_t bound : {fast, longest}) {
    const unsigned N = digits_below(bound, P.p);
    if (N < largest + P.ramification) continue;
    found = Enlargement(A, largest, P, K, sequence, N, task).lattice();
    if (found->is_complete) break;
  }
  return found;
}

}  // namespace intertwine
