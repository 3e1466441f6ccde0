// Orbits of vectors under matrices.
#include "intertwine/groups/vector_orbits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "intertwine/combinatorics/flat_index.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/random.hpp"

namespace intertwine {

namespace {

/// The field over which the span of the orbits is found.
constexpr PrimeField span_field((std::uint64_t{1} << 61) - 1);

struct Overflow {};

/// One sparse integer matrix, by rows.
template <class Scalar>
struct SparseRows {
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<Scalar> value;
  Scalar height = 0;
};

bool fits(const Integer& x) { return x <= std::numeric_limits<std::int64_t>::max() / 2 && x >= -(Integer(1) << 61); }

template <class Scalar>
Scalar to_scalar(const Integer& x) {
  if constexpr (std::is_same_v<Scalar, std::int64_t>) {
    if (!fits(x)) throw Overflow();
    return static_cast<std::int64_t>(x);
  } else {
    return x;
  }
}

template <class Scalar>
SparseRows<Scalar> sparse_rows(const IntegerMatrix& A) {
  SparseRows<Scalar> result;
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.cols(); ++j) {
      if (A.sign(i, j) == 0) continue;
      const Integer entry = A(i, j);
      result.column.push_back(static_cast<std::uint32_t>(j));
      result.value.push_back(to_scalar<Scalar>(entry));
      result.height = std::max(result.height, to_scalar<Scalar>(abs(entry)));
    }
    result.start.push_back(result.column.size());
  }
  return result;
}

std::int64_t magnitude(std::int64_t x) { return x < 0 ? -x : x; }

template <class Scalar>
void multiply(const SparseRows<Scalar>& A, const Scalar* v, std::size_t d, Scalar* out) {
  if constexpr (std::is_same_v<Scalar, std::int64_t>) {
    std::int64_t height = 0;
    for (std::size_t j = 0; j < d; ++j) height = std::max(height, magnitude(v[j]));
    const Wide bound = static_cast<Wide>(height) * static_cast<Wide>(A.height);
    if (bound > (std::uint64_t{1} << 61) / d) throw Overflow();
  }
  for (std::size_t i = 0; i < d; ++i) {
    Scalar sum = 0;
    for (std::size_t k = A.start[i]; k < A.start[i + 1]; ++k) sum += A.value[k] * v[A.column[k]];
    out[i] = std::move(sum);
  }
}

std::int64_t gcd_of(std::int64_t a, std::int64_t b) { return std::gcd(a, b); }
Integer gcd_of(const Integer& a, const Integer& b) { return gcd(a, b); }

/// Divides by the content and returns it.
template <class Scalar>
Scalar make_primitive(Scalar* v, std::size_t d) {
  Scalar content = 0;
  for (std::size_t j = 0; j < d && content != 1; ++j) content = gcd_of(content, v[j]);
  if (content > 1)
    for (std::size_t j = 0; j < d; ++j) v[j] /= content;
  return content;
}

}  // namespace

/// One orbit in one arithmetic.
template <class Scalar>
class OrbitSearch::Builder {
 public:
  Builder(const OrbitSearch& search, const std::vector<Integer>& start) : s_(search), d_(search.dimension_), rows_(d_) {
    for (const IntegerMatrix& A : s_.numerators_) matrices_.push_back(sparse_rows<Scalar>(A));
    std::vector<Scalar> first;
    for (const Integer& x : start) first.push_back(to_scalar<Scalar>(x));
    rows_.insert(first);
    scales_ = {1};
    scale_ = {0};
    images_.resize(matrices_.size());
  }

  Growth run(std::uint64_t limit) {
    std::vector<Scalar> image(d_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i % 1024 == 0) s_.task_.poll();
      for (std::size_t k = 0; k < matrices_.size(); ++k) {
        multiply(matrices_[k], rows_[i].data(), d_, image.data());
        std::uint32_t scale = scale_[i];
        if (!s_.unimodular_[k])
          scale = scaled(scale, Rational(Integer(make_primitive(image.data(), d_)), s_.denominators_[k]));
        Point place = rows_.find(image);
        if (place == FlatIndex<Scalar>::none) {
          if (rows_.size() >= limit) return Growth::over_limit;
          s_.task_.require_memory((rows_.size() + 1) * (2 * d_ * sizeof(Scalar) + 32 + 8 * matrices_.size()),
                                  "the orbits of vectors");
          place = rows_.insert(image);
          scale_.push_back(scale);
        } else if (scale_[place] != scale) {
          return Growth::inconsistent;
        }
        images_[k].push_back(place);
      }
    }
    return Growth::complete;
  }

  void move_to(Orbit& orbit) {
    orbit.size = rows_.size();
    if constexpr (std::is_same_v<Scalar, std::int64_t>)
      orbit.small = std::move(rows_).lists();
    else
      orbit.rows = std::move(rows_).lists();
    orbit.scale = std::move(scale_);
    orbit.scales = std::move(scales_);
    orbit.images = std::move(images_);
  }

 private:
  /// The number of the scale times the factor.
  std::uint32_t scaled(std::uint32_t scale, const Rational& factor) {
    if (factor == 1) return scale;
    const Rational product = scales_[scale] * factor;
    const auto place = std::find(scales_.begin(), scales_.end(), product);
    if (place == scales_.end()) scales_.push_back(product);
    return static_cast<std::uint32_t>(std::find(scales_.begin(), scales_.end(), product) - scales_.begin());
  }

  const OrbitSearch& s_;
  std::size_t d_;
  std::vector<SparseRows<Scalar>> matrices_;
  FlatIndex<Scalar> rows_;
  std::vector<std::uint32_t> scale_;
  std::vector<Rational> scales_;
  std::vector<std::vector<Point>> images_;
};

OrbitSearch::OrbitSearch(const std::vector<RationalMatrix>& generators, const Integer& order_bound, const Task& task)
    : dimension_(generators.at(0).rows()), order_bound_(order_bound), task_(task), span_(span_field, dimension_) {
  for (const RationalMatrix& A : generators) {
    numerators_.push_back(A.numerator());
    denominators_.push_back(A.denominator());
    constexpr std::size_t worth_inverting = 100;
    unimodular_.push_back(A.is_integral() && dimension_ <= worth_inverting && inverse(A, task).is_integral());
  }
}

void OrbitSearch::propose(const IntegerMatrix& rows) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::vector<Integer> v;
    for (std::size_t j = 0; j < rows.cols(); ++j) v.push_back(rows(i, j));
    if (make_primitive(v.data(), v.size()) != 0) proposed_.push_back(std::move(v));
  }
}

OrbitSearch::Growth OrbitSearch::grow(const std::vector<Integer>& start, std::uint64_t limit, Orbit& orbit) const {
  const auto attempt = [&](auto scalar) {
    Builder<decltype(scalar)> builder(*this, start);
    const Growth growth = builder.run(limit);
    if (growth == Growth::complete) builder.move_to(orbit);
    return growth;
  };
  try {
    return attempt(std::int64_t());
  } catch (const Overflow&) {
    return attempt(Integer());
  }
}

std::vector<std::vector<Integer>> OrbitSearch::candidates() const {
  std::vector<std::vector<Integer>> list(proposed_.rbegin(), proposed_.rend());
  for (std::size_t j = 0; j < dimension_; ++j) {
    list.emplace_back(dimension_);
    list.back()[j] = 1;
  }
  return list;
}

/// One pass over the candidates; `stopped` if the orbits do not span yet.
OrbitSearch::Outcome OrbitSearch::round(const std::vector<std::vector<Integer>>& list, std::uint64_t limit,
                                        std::size_t failures_allowed) {
  std::size_t failures = 0;
  for (const std::vector<Integer>& v : list) {
    if (basis_.size() == dimension_) break;
    if (failures >= failures_allowed) break;
    if (in_span(v)) continue;
    std::uint64_t allowed = std::min(limit, most_vectors - std::min<std::uint64_t>(total_, most_vectors));
    const bool bounded_by_order = order_bound_ <= allowed;
    if (bounded_by_order) allowed = static_cast<std::uint64_t>(order_bound_);
    Orbit orbit;
    const Growth growth = grow(v, allowed, orbit);
    if (growth == Growth::inconsistent) return Outcome::inconsistent;
    if (growth == Growth::complete) {
      accept(std::move(orbit));
      continue;
    }
    if (bounded_by_order) return Outcome::too_long;
    ++failures;
  }
  return basis_.size() == dimension_ ? Outcome::spanning : Outcome::stopped;
}

OrbitSearch::Outcome OrbitSearch::attempt(std::uint64_t limit) {
  constexpr std::size_t failures_allowed = 3;
  const std::vector<std::vector<Integer>> fresh(proposed_.begin() + static_cast<std::ptrdiff_t>(attempted_),
                                                proposed_.end());
  attempted_ = proposed_.size();
  return round(fresh, limit, failures_allowed);
}

OrbitSearch::Outcome OrbitSearch::run(const std::function<bool()>& between_rounds) {
  const std::vector<std::vector<Integer>> list = candidates();
  // A failure costs as much as its limit: the longer the orbits, the fewer failures.
  std::size_t failures_allowed = 64;
  for (std::uint64_t limit = 32 + 4 * dimension_;; limit *= 8) {
    const bool last = limit >= most_vectors;
    const Outcome outcome = round(list, limit, last ? 1 : failures_allowed);
    if (outcome != Outcome::stopped) return outcome;
    if (!between_rounds()) return Outcome::stopped;
    if (last)
      throw LimitError(
          fmt::format("the orbits of vectors that span the space have more than {} elements, the largest "
                      "number that is tried",
                      most_vectors));
    failures_allowed = std::max<std::size_t>(failures_allowed / 2, 3);
  }
}

bool OrbitSearch::in_span(const std::vector<Integer>& v) const {
  std::vector<PrimeField::Element> residues;
  for (const Integer& x : v) residues.push_back(span_field.from(x));
  return span_.contains(std::move(residues));
}

/// Spins the first vector: the images of independent vectors span what the orbit spans.
void OrbitSearch::accept(Orbit orbit) {
  const auto try_row = [&](std::size_t i) {
    std::vector<PrimeField::Element> v;
    for (std::size_t j = 0; j < dimension_; ++j) v.push_back(span_field.from(orbit.entry(i * dimension_, j)));
    if (!span_.insert(std::move(v))) return false;
    basis_.push_back(total_ + i);
    return true;
  };
  std::vector<std::size_t> queue;
  if (try_row(0)) queue.push_back(0);
  for (std::size_t head = 0; head < queue.size() && basis_.size() < dimension_; ++head)
    for (const auto& images : orbit.images)
      if (basis_.size() < dimension_ && try_row(images[queue[head]])) queue.push_back(images[queue[head]]);
  total_ += orbit.size;
  orbits_.push_back(std::move(orbit));
}

SpanningOrbits OrbitSearch::result() const {
  SpanningOrbits result;
  Integer denominator = 1;
  for (const Orbit& orbit : orbits_)
    for (const Rational& scale : orbit.scales)
      denominator = lcm(denominator, boost::multiprecision::denominator(scale));
  IntegerMatrix rows(total_, dimension_);
  std::vector<std::vector<Point>> images(numerators_.size());
  std::size_t first = 0;
  for (const Orbit& orbit : orbits_) {
    std::vector<Integer> factors;
    for (const Rational& scale : orbit.scales) factors.push_back(numerator(Rational(scale * denominator)));
    for (std::size_t i = 0; i < orbit.size; ++i) {
      const Integer& factor = factors[orbit.scale[i]];
      for (std::size_t j = 0; j < dimension_; ++j) {
        const Integer x = orbit.entry(i * dimension_, j);
        if (x != 0) rows.set(first + i, j, factor == 1 ? x : Integer(x * factor));
      }
    }
    for (std::size_t k = 0; k < images.size(); ++k)
      for (const Point y : orbit.images[k]) images[k].push_back(static_cast<Point>(first + y));
    first += orbit.size;
  }
  result.vectors = RationalMatrix(std::move(rows), denominator);
  for (auto& list : images) result.actions.push_back(Permutation::unchecked(std::move(list)));
  result.basis = basis_;
  return result;
}

namespace {

/// Elements of the group: generators, products of two, and random words.
std::vector<RationalMatrix> some_elements(const std::vector<RationalMatrix>& generators, std::size_t most) {
  std::vector<RationalMatrix> elements = generators;
  for (std::size_t a = 0; a < generators.size(); ++a)
    for (std::size_t b = 0; b < a && elements.size() < most; ++b) elements.push_back(generators[a] * generators[b]);
  Rng rng(fixed_seed);
  while (generators.size() > 1 && elements.size() < most) {
    RationalMatrix product = elements[rng.below(elements.size())] * elements[rng.below(elements.size())];
    elements.push_back(product * generators[rng.below(generators.size())]);
  }
  if (elements.size() > most) elements.resize(most);
  return elements;
}

}  // namespace

IntegerMatrix vectors_fixed_by_words(const std::vector<RationalMatrix>& generators, const Task& task) {
  const std::size_t d = generators[0].rows();
  std::vector<IntegerMatrix> found;
  std::vector<RationalMatrix> equations;  // of larger fixed spaces
  if (d > 150) return IntegerMatrix(0, d);
  const RationalMatrix one = RationalMatrix::identity(d);
  const auto examine = [&](const RationalMatrix& equation, std::size_t nullity_bound) {
    const IntegerMatrix space = null_space(equation, task);
    if (space.rows() >= 1 && space.rows() <= nullity_bound) found.push_back(space);
    if (space.rows() > 1 && space.rows() < d) equations.push_back(equation);
  };
  // In a finite group entries are bounded, in an infinite one they grow with the words.
  Integer most_height = Integer(1) << 128;
  for (const RationalMatrix& A : generators)
    most_height = std::max(most_height, Integer(pow(A.numerator().height(), 8)));
  constexpr std::uint64_t work = 40'000'000;
  const auto most = static_cast<std::size_t>(std::clamp<std::uint64_t>(work / (d * d * d + 1), 4, 24));
  for (const RationalMatrix& A : some_elements(generators, most)) {
    RationalMatrix power = A;
    for (int e = 1; e <= 6 && !(power == one) && power.numerator().height() < most_height; ++e) {
      examine(power - one, 1);
      examine(power + one, 1);
      power = power * A;
    }
  }
  Rng rng(fixed_seed);
  for (std::size_t trial = 0; equations.size() > 1 && trial < 2 * most; ++trial) {
    const RationalMatrix both[] = {equations[rng.below(equations.size())], equations[rng.below(equations.size())]};
    const IntegerMatrix space = null_space(vertical_stack(both), task);
    if (space.rows() >= 1 && space.rows() <= 2) found.push_back(space);
  }
  return found.empty() ? IntegerMatrix(0, d) : vertical_stack(found);
}

}  // namespace intertwine
