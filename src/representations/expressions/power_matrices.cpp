// Symmetric and exterior powers of matrices.
#include "intertwine/representations/power_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

/// The lists of every length up to k, weakly increasing (symmetric) or increasing, in lexicographic order, with the
/// rule by which a basis vector multiplies them.
class Lists {
 public:
  static constexpr std::uint32_t zero = ~std::uint32_t{0};

  explicit Lists(const PowerOfMatrices& power) : n_(power.n), symmetric_(power.symmetric), lengths_(power.k + 1) {
    constexpr std::uint64_t most_entries = std::uint64_t{1} << 29;
    std::uint64_t entries = 0;
    lengths_[0].last = {0};
    lengths_[0].parent = {0};
    for (unsigned j = 0; j < power.k; ++j) {
      entries += lengths_[j].last.size() * (n_ + 3);
      if (entries > most_entries)
        throw LimitError(
            fmt::format("the {}-th {} power of {} x {} matrices needs tables of more than {} entries; characters "
                        "can still be asked for",
                        power.k, symmetric_ ? "symmetric" : "exterior", n_, n_, most_entries));
      extend(j);
    }
    for (unsigned j = 0; j < power.k; ++j) fill_products(j);
  }

  std::size_t count(unsigned j) const { return lengths_[j].last.size(); }
  std::uint32_t last(unsigned j, std::uint32_t rank) const { return lengths_[j].last[rank]; }
  std::uint32_t parent(unsigned j, std::uint32_t rank) const { return lengths_[j].parent[rank]; }
  /// The list times e_v, as twice the rank among the lists of length j + 1 plus 1 for a minus sign, or zero.
  std::uint32_t product(unsigned j, std::uint32_t rank, std::size_t v) const {
    return lengths_[j].product[rank * n_ + v];
  }

 private:
  struct Length {
    std::vector<std::uint32_t> last, parent, first_child, product;
  };

  /// The lists with a common beginning are consecutive and come in the order of the beginnings.
  void extend(unsigned j) {
    Length& now = lengths_[j];
    Length& next = lengths_[j + 1];
    for (std::uint32_t r = 0; r < now.last.size(); ++r) {
      now.first_child.push_back(static_cast<std::uint32_t>(next.last.size()));
      for (auto v = static_cast<std::uint32_t>(least_child(j, r)); v < n_; ++v) {
        next.last.push_back(v);
        next.parent.push_back(r);
      }
      if (next.last.size() >= (std::uint64_t{1} << 31))
        throw LimitError("a symmetric or exterior power of matrices has more than 2^31 - 1 basis vectors");
    }
  }

  std::size_t least_child(unsigned j, std::uint32_t r) const {
    return j == 0 ? 0 : lengths_[j].last[r] + (symmetric_ ? 0U : 1U);
  }

  void fill_products(unsigned j) {
    Length& now = lengths_[j];
    now.product.resize(now.last.size() * n_);
    for (std::uint32_t r = 0; r < now.last.size(); ++r)
      for (std::size_t v = 0; v < n_; ++v) now.product[r * n_ + v] = product_of(j, r, v);
  }

  std::uint32_t appended(unsigned j, std::uint32_t r, std::size_t v) const {
    return 2 * static_cast<std::uint32_t>(lengths_[j].first_child[r] + v - least_child(j, r));
  }

  std::uint32_t product_of(unsigned j, std::uint32_t r, std::size_t v) const {
    if (v >= least_child(j, r)) return appended(j, r, v);
    // (P e_l) e_v = (P e_v) e_l up to sign, l >= v the last entry.
    const std::uint32_t l = last(j, r);
    if (!symmetric_ && l == v) return zero;
    const std::uint32_t below = product(j - 1, parent(j, r), v);
    if (below == zero) return zero;
    return appended(j, below >> 1, l) | ((below & 1) ^ (symmetric_ ? 0U : 1U));
  }

  std::size_t n_;
  bool symmetric_;
  std::vector<Length> lengths_;
};

struct Overflow {};

void add_product(std::int64_t& sum, std::int64_t a, std::int64_t b, bool negative) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || (negative && product == INT64_MIN) ||
      __builtin_add_overflow(sum, negative ? -product : product, &sum))
    throw Overflow();
}
void add_product(Integer& sum, const Integer& a, const Integer& b, bool negative) {
  if (negative)
    sum -= a * b;
  else
    sum += a * b;
}
void add_product(Cyclotomic& sum, const Cyclotomic& a, const Cyclotomic& b, bool negative) {
  sum += negative ? -(a * b) : a * b;
}
bool is_zero(std::int64_t x) { return x == 0; }
bool is_zero(const Integer& x) { return x == 0; }
bool is_zero(const Cyclotomic& x) { return x.is_zero(); }
void assign(IntegerMatrix& M, std::size_t i, std::size_t j, std::int64_t value) {
  M.set(i, j, static_cast<long>(value));
}
void assign(IntegerMatrix& M, std::size_t i, std::size_t j, const Integer& value) { M.set(i, j, value); }

std::optional<std::int64_t> to_scalar(const Integer& x, std::int64_t /*as*/) {
  if (x > INT64_MAX || x < -Integer(INT64_MAX)) return std::nullopt;
  return static_cast<std::int64_t>(x);
}
std::optional<Integer> to_scalar(const Integer& x, const Integer& /*as*/) { return x; }

template <class Scalar>
struct Term {
  std::uint32_t place;
  Scalar value;
};
/// A column: its entries that are not 0.
template <class Scalar>
using Form = std::vector<Term<Scalar>>;

template <class Scalar>
std::vector<Form<Scalar>> columns_of(const IntegerMatrix& A) {
  std::vector<Form<Scalar>> forms(A.cols());
  for (std::size_t j = 0; j < A.cols(); ++j)
    for (std::size_t i = 0; i < A.rows(); ++i) {
      if (A.sign(i, j) == 0) continue;
      const auto value = to_scalar(A(i, j), Scalar());
      if (!value) throw Overflow();
      forms[j].push_back({static_cast<std::uint32_t>(i), *value});
    }
  return forms;
}

std::vector<Form<Cyclotomic>> columns_of(const FieldMatrix& A) {
  std::vector<Form<Cyclotomic>> forms(A.cols());
  for (std::size_t j = 0; j < A.cols(); ++j)
    for (std::size_t i = 0; i < A.rows(); ++i)
      if (Cyclotomic value = A(i, j); !value.is_zero())
        forms[j].push_back({static_cast<std::uint32_t>(i), std::move(value)});
  return forms;
}

/// Products of columns of a matrix.
template <class Scalar>
class Columns {
 public:
  Columns(const Lists& lists, unsigned k, std::vector<Form<Scalar>> columns)
      : lists_(lists), k_(k), forms_(std::move(columns)), products_(k + 1), chain_(k + 1, none) {
    products_[0] = {{0, Scalar(1)}};
  }

  /// Columns first, ..., first + width - 1.
  IntegerMatrix block(std::size_t first, std::size_t width) {
    IntegerMatrix M(lists_.count(k_), width);
    for (std::size_t c = 0; c < width; ++c)
      for (const Term<Scalar>& term : column(static_cast<std::uint32_t>(first + c)))
        assign(M, term.place, c, term.value);
    return M;
  }

  const Form<Scalar>& column(std::uint32_t rank) {
    reach(rank);
    return products_[k_];
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// products_[j] becomes the product for the first j entries of the list of this rank; what the previous list had in
  /// common with it is kept.
  void reach(std::uint32_t rank) {
    std::vector<std::uint32_t> path(k_ + 1);
    path[k_] = rank;
    for (unsigned j = k_; j > 0; --j) path[j - 1] = lists_.parent(j, path[j]);
    bool same = true;
    for (unsigned j = 1; j <= k_; ++j) {
      same = same && chain_[j] == path[j];
      if (same) continue;
      products_[j] = times(j - 1, products_[j - 1], forms_[lists_.last(j, path[j])]);
      chain_[j] = path[j];
    }
  }

  Form<Scalar> times(unsigned j, const Form<Scalar>& product, const Form<Scalar>& form) {
    sums_.resize(std::max(sums_.size(), lists_.count(j + 1)));
    touched_.clear();
    for (const Term<Scalar>& term : product)
      for (const Term<Scalar>& entry : form) {
        const std::uint32_t code = lists_.product(j, term.place, entry.place);
        if (code == Lists::zero) continue;
        Scalar& sum = sums_[code >> 1];
        if (is_zero(sum)) touched_.push_back(code >> 1);
        add_product(sum, term.value, entry.value, (code & 1) != 0);
      }
    Form<Scalar> result;
    for (const std::uint32_t place : touched_) {
      if (is_zero(sums_[place])) continue;  // cancelled, or listed twice
      result.push_back({place, sums_[place]});
      sums_[place] = 0;
    }
    return result;
  }

  const Lists& lists_;
  unsigned k_;
  std::vector<Form<Scalar>> forms_;     ///< the columns of A
  std::vector<Form<Scalar>> products_;  ///< by length
  std::vector<std::uint32_t> chain_;
  std::vector<Scalar> sums_;
  std::vector<std::uint32_t> touched_;
};

/// use(first, columns) for blocks of columns of the power of the numerator of A.
template <class Scalar, class Use>
void for_each_block(const Lists& lists, unsigned k, const IntegerMatrix& A, Use use) {
  constexpr std::size_t entries_at_once = 1U << 22;
  const std::size_t dimension = lists.count(k);
  const std::size_t width = std::max<std::size_t>(16, entries_at_once / std::max<std::size_t>(dimension, 1));
  Columns<Scalar> columns(lists, k, columns_of<Scalar>(A));
  for (std::size_t first = 0; first < dimension; first += width)
    use(first, columns.block(first, std::min(width, dimension - first)));
}

/// result = f(for_each_block) in 64 bits if that does not overflow, otherwise with integers of any size.
template <class F>
auto in_either_arithmetic(F f) {
  try {
    return f(std::int64_t());
  } catch (const Overflow&) {
    return f(Integer());
  }
}

}  // namespace

RationalMatrix power_matrix(const PowerOfMatrices& power, const RationalMatrix& A) {
  const Lists lists(power);
  IntegerMatrix numerator = in_either_arithmetic([&](auto scalar) {
    std::vector<IntegerMatrix> blocks;
    for_each_block<decltype(scalar)>(lists, power.k, A.numerator(),
                                     [&](std::size_t, IntegerMatrix block) { blocks.push_back(std::move(block)); });
    return horizontal_stack(blocks);
  });
  return {std::move(numerator), pow(A.denominator(), power.k)};
}

FieldMatrix power_matrix(const PowerOfMatrices& power, const FieldMatrix& A) {
  const Lists lists(power);
  const AbelianField& K = A.field();
  const std::size_t n = lists.count(power.k), width = K.degree() * n;
  if (n > (std::size_t{1} << 29) / std::max<std::size_t>(width, 1))
    throw LimitError(fmt::format("the {0} x {0} matrix over {1} has more than 2^29 coordinates", n, K.to_string()));
  std::vector<Rational> coefficients(n * width);
  Columns<Cyclotomic> columns(lists, power.k, columns_of(A));
  for (std::uint32_t j = 0; j < n; ++j)
    for (const Term<Cyclotomic>& term : columns.column(j)) {
      std::vector<Rational> at = K.coordinates(term.value);
      for (std::size_t t = 0; t < at.size(); ++t) coefficients[term.place * width + t * n + j] = std::move(at[t]);
    }
  return {K, RationalMatrix(n, width, coefficients), n};
}

RationalMatrix apply_power(const PowerOfMatrices& power, const RationalMatrix& A, const RationalMatrix& X,
                           bool transposed) {
  const Lists lists(power);
  const IntegerMatrix& Y = X.numerator();
  IntegerMatrix numerator = in_either_arithmetic([&](auto scalar) {
    IntegerMatrix sum(transposed ? 0 : lists.count(power.k), transposed ? 0 : Y.cols());
    std::vector<IntegerMatrix> parts;
    for_each_block<decltype(scalar)>(lists, power.k, A.numerator(), [&](std::size_t first, const IntegerMatrix& block) {
      if (transposed)
        parts.push_back(block.transpose() * Y);
      else
        sum = sum + block * Y.block(first, 0, block.cols(), Y.cols());
    });
    return transposed ? vertical_stack(parts) : std::move(sum);
  });
  return {std::move(numerator), pow(A.denominator(), power.k) * X.denominator()};
}

}  // namespace intertwine
