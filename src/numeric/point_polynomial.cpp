// Polynomials of points. Points of one kind share their coefficients, sums of weights times the table; a share of the
// work is some of these points and as many channels as a vector has.
#include "intertwine/numeric/point_polynomial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "intertwine/error.hpp"
#include "numeric/kernels.hpp"
#include "numeric/parallel.hpp"
#include "numeric/tables.hpp"

namespace intertwine {

using namespace numeric_detail;

namespace {

constexpr std::uint64_t most_polynomial_parts = std::uint64_t{1} << 24;
constexpr std::uint64_t points_of_a_share = 512;

using Monomial = std::vector<std::uint64_t>;  // variables, sorted
using Weights = std::vector<std::pair<std::uint64_t, double>>;

/// A monomial in the tree: children have one more variable, none before the last.
struct MonomialPlace {
  std::map<std::uint32_t, MonomialPlace> children;
  std::map<std::uint32_t, Weights> entries;  // by output

  void add(const Monomial& monomial, std::uint32_t output, const Weights& weights) {
    MonomialPlace* at = this;
    for (const std::uint64_t v : monomial) at = &at->children[static_cast<std::uint32_t>(v)];
    at->entries[output] = weights;
  }
};

template <class T>
struct CoefficientLists {
  std::vector<std::uint32_t> first{0};
  std::vector<kernels::EdgeTerm<T>> terms;

  explicit CoefficientLists(const std::vector<Weights>& lists = {}) {
    for (const Weights& list : lists) {
      for (const auto& [from, value] : list) terms.push_back({static_cast<std::uint32_t>(from), static_cast<T>(value)});
      first.push_back(static_cast<std::uint32_t>(terms.size()));
    }
  }
  kernels::EdgeLists<T> view() const { return {first.size() - 1, first.data(), terms.data()}; }
};

struct TreeProgram {
  std::vector<kernels::PolynomialStep> steps;
  std::vector<kernels::PolynomialLeaf> leaves;
  std::vector<std::uint32_t> outputs, closed;
  std::vector<Weights> entries;
  std::size_t levels = 0;
  CoefficientLists<float> coefficients_f32, back_f32;
  CoefficientLists<double> coefficients_f64, back_f64;

  template <class T>
  kernels::PolynomialProgram<T> view() const {
    const auto of = [&](const auto& coefficients, const auto& back) {
      return kernels::PolynomialProgram<T>{steps.size(),   levels,        steps.data(),        leaves.data(),
                                           outputs.data(), closed.data(), coefficients.view(), back.view()};
    };
    if constexpr (sizeof(T) == 4)
      return of(coefficients_f32, back_f32);
    else
      return of(coefficients_f64, back_f64);
  }

  /// The step of a place: its own entries, then those of the children without children.
  kernels::PolynomialStep step_of(const MonomialPlace& place, std::uint32_t level, std::uint32_t variable) {
    levels = std::max<std::size_t>(levels, level);
    kernels::PolynomialStep step = {level, variable, add_entries(place), 0, 0, false, false};
    for (const auto& [v, child] : place.children)
      if (child.children.empty()) {
        leaves.push_back({v, add_entries(child)});
        ++step.leaves;
      } else {
        step.inner = true;
      }
    return step;
  }

  void children_first(const MonomialPlace& place, std::uint32_t level, std::uint32_t variable, bool first) {
    bool first_child = true;
    for (const auto& [v, child] : place.children)
      if (!child.children.empty()) {
        children_first(child, level + 1, v, first_child);
        first_child = false;
      }
    steps.push_back(step_of(place, level, variable));
    steps.back().first = first;
  }

  void parents_first(const MonomialPlace& place, std::uint32_t level, std::uint32_t variable) {
    steps.push_back(step_of(place, level, variable));
    for (const auto& [v, child] : place.children)
      if (!child.children.empty()) parents_first(child, level + 1, v);
    if (level > 0) {
      ++steps.back().closes;
      closed.push_back(variable);
    }
  }

  void finish(std::uint64_t weights) {
    std::vector<Weights> back(weights);
    for (std::size_t e = 0; e < entries.size(); ++e)
      for (const auto& [weight, value] : entries[e]) back[weight].emplace_back(e, value);
    coefficients_f32 = CoefficientLists<float>(entries);
    coefficients_f64 = CoefficientLists<double>(entries);
    back_f32 = CoefficientLists<float>(back);
    back_f64 = CoefficientLists<double>(back);
  }

 private:
  std::uint32_t add_entries(const MonomialPlace& place) {
    for (const auto& [output, weights] : place.entries) {
      outputs.push_back(output);
      entries.push_back(weights);
    }
    return static_cast<std::uint32_t>(place.entries.size());
  }
};

void require_polynomial_numbers(std::uint64_t length, std::uint64_t wanted, const char* name) {
  if (length != wanted)
    throw DomainError(fmt::format("point polynomial: {} has {} numbers, and its shape has {}", name, length, wanted));
}

/// Points sorted by kind, and the parts of them that are done together.
struct PointShares {
  struct Share {
    std::uint64_t kind, first, last;
  };
  std::vector<std::uint64_t> points;
  std::vector<Share> shares;

  explicit PointShares(const PointKinds& kinds) : points(kinds.of_point.size()) {
    std::vector<std::uint64_t> first(kinds.count + 1, 0);
    for (const std::int64_t k : kinds.of_point) {
      if (k < 0 || static_cast<std::uint64_t>(k) >= kinds.count)
        throw DomainError(
            fmt::format("point polynomial: a point has the kind {}, and they go from 0 to {} - 1", k, kinds.count));
      ++first[static_cast<std::uint64_t>(k) + 1];
    }
    for (std::uint64_t k = 0; k < kinds.count; ++k) first[k + 1] += first[k];
    for (std::uint64_t k = 0; k < kinds.count; ++k)
      for (std::uint64_t n = first[k]; n < first[k + 1]; n += points_of_a_share)
        shares.push_back({k, n, std::min(n + points_of_a_share, first[k + 1])});
    std::vector<std::uint64_t> next(first.begin(), first.end() - 1);
    for (std::uint64_t n = 0; n < points.size(); ++n) points[next[static_cast<std::uint64_t>(kinds.of_point[n])]++] = n;
  }
};

template <class T>
struct PolynomialCall {
  std::uint64_t channels;
  const PolynomialOperands<T>& at;
  std::span<const PolynomialOperands<T>> directions;
  std::span<const T> g = {};
  std::span<T> value = {}, d_x = {}, d_w = {};
};

template <class T>
void run_polynomial(const TreeProgram& program, const PolynomialSizes& sizes, const PointShares& shares,
                    const PolynomialCall<T>& call, const std::uint64_t vector,
                    void (*kernel)(const kernels::PolynomialBlock<T>&), unsigned threads) {
  const std::uint64_t C = call.channels, pieces = (C + vector - 1) / vector, count = shares.shares.size() * pieces;
  // PointShares of one kind have gradients of their own, which are added up in order.
  std::vector<T> d_w(call.d_w.empty() ? 0 : count * sizes.weights * vector);
  kernels::PolynomialBlock<T> block = {};
  block.program = program.view<T>();
  block.in = sizes.in;
  block.out = sizes.out;
  block.weights = sizes.weights;
  block.channels = C;
  parallel_for(threads, count, [&](std::uint64_t k) {
    const PointShares::Share& share = shares.shares[k / pieces];
    const std::uint64_t c = k % pieces * vector;
    kernels::PolynomialBlock<T> b = block;
    b.width = std::min(vector, C - c);
    b.points = shares.points.data() + share.first;
    b.count = share.last - share.first;
    const auto from_channel = [&](auto s) { return s.empty() ? nullptr : s.data() + c; };
    const auto operand = [&](std::size_t m, const PolynomialOperands<T>& from) {
      b.x[m] = from_channel(from.x);
      b.w[m] = from_channel(from.w.subspan(share.kind * sizes.weights * C));
    };
    operand(0, call.at);
    for (std::size_t m = 0; m < call.directions.size(); ++m) operand(1 + m, call.directions[m]);
    b.g = from_channel(call.g);
    b.value = from_channel(call.value);
    b.d_x = from_channel(call.d_x);
    b.d_w = d_w.empty() ? nullptr : d_w.data() + k * sizes.weights * vector;
    Buffer<T> scratch(vector *
                      kernels::polynomial_scratch(program.entries.size(), sizes.in, sizes.out, program.levels));
    b.scratch = scratch.data();
    kernel(b);
  });
  std::fill(call.d_w.begin(), call.d_w.end(), T{});
  for (std::uint64_t k = 0; k < count && !d_w.empty(); ++k) {
    const std::uint64_t c = k % pieces * vector, width = std::min(vector, C - c);
    for (std::uint64_t w = 0; w < sizes.weights; ++w) {
      T* to = call.d_w.data() + (shares.shares[k / pieces].kind * sizes.weights + w) * C + c;
      const T* from = d_w.data() + k * sizes.weights * vector + w * width;
      for (std::uint64_t l = 0; l < width; ++l) to[l] += from[l];
    }
  }
}

}  // namespace

struct PointPolynomial::Data {
  PolynomialSizes sizes;
  TreeProgram values, gradients;

  static std::uint64_t numbers(std::uint64_t rows, std::uint64_t components, std::uint64_t channels) {
    return checked_product({rows, components, channels}, "numbers of a point polynomial");
  }
  template <class T>
  void check(const PointKinds& kinds, std::uint64_t channels, const PolynomialOperands<T>& at,
             std::span<const PolynomialOperands<T>> directions) const {
    if (directions.size() > most_directions)
      throw DomainError(fmt::format("a point polynomial moves along at most {} directions, not {}", most_directions,
                                    directions.size()));
    const auto one = [&](const PolynomialOperands<T>& given) {
      require_polynomial_numbers(given.x.size(), numbers(kinds.of_point.size(), sizes.in, channels), "x");
      require_polynomial_numbers(given.w.size(), numbers(kinds.count, sizes.weights, channels), "w");
    };
    one(at);
    std::for_each(directions.begin(), directions.end(), one);
  }
};

PointPolynomial::PointPolynomial(const PolynomialSizes& sizes, std::span<const Monomial> monomials,
                                 std::span<const PointTerm> terms) {
  if (std::max({sizes.in, sizes.out, sizes.weights, monomials.size(), terms.size()}) > most_polynomial_parts)
    throw DomainError(fmt::format("a point polynomial has at most {} components, weights, monomials and terms",
                                  most_polynomial_parts));
  std::vector<Monomial> sorted(monomials.begin(), monomials.end());
  for (Monomial& m : sorted) {
    std::sort(m.begin(), m.end());
    if (!m.empty() && m.back() >= sizes.in)
      throw DomainError(
          fmt::format("a monomial has the variable {}, and they go from 0 to {} - 1", m.back(), sizes.in));
  }
  std::map<std::pair<std::uint64_t, Monomial>, std::map<std::uint64_t, double>> entries;  // weights by place
  for (const PointTerm& t : terms) {
    if (t.weight >= sizes.weights || t.out >= sizes.out || t.monomial >= sorted.size())
      throw DomainError(fmt::format("the term of weight {}, component {} and monomial {} is none of {}, {} and {}",
                                    t.weight, t.out, t.monomial, sizes.weights, sizes.out, sorted.size()));
    if (!entries[{t.out, sorted[t.monomial]}].emplace(t.weight, t.value).second)
      throw DomainError(fmt::format("the term of weight {}, component {} and monomial {} is given twice", t.weight,
                                    t.out, t.monomial));
  }
  auto data = std::make_shared<Data>();
  data->sizes = sizes;
  MonomialPlace all;
  std::vector<MonomialPlace> of_output(sizes.out);
  for (const auto& [place, weights] : entries) {
    const Weights list(weights.begin(), weights.end());
    all.add(place.second, static_cast<std::uint32_t>(place.first), list);
    of_output[place.first].add(place.second, static_cast<std::uint32_t>(place.first), list);
  }
  for (std::uint32_t o = 0; o < sizes.out; ++o) data->values.children_first(of_output[o], 0, o, true);
  data->gradients.parents_first(all, 0, 0);
  data->values.finish(sizes.weights);
  data->gradients.finish(sizes.weights);
  data_ = std::move(data);
}

const PolynomialSizes& PointPolynomial::sizes() const { return data_->sizes; }

template <class T>
void PointPolynomial::value(const PointKinds& kinds, std::uint64_t channels, const PolynomialOperands<T>& at,
                            std::span<const PolynomialOperands<T>> directions, std::span<T> out,
                            unsigned threads) const {
  const Data& d = *data_;
  d.check(kinds, channels, at, directions);
  require_polynomial_numbers(out.size(), Data::numbers(kinds.of_point.size(), d.sizes.out, channels), "the polynomial");
  PolynomialCall<T> call{channels, at, directions};
  call.value = out;
  const auto& polynomials = kernels::arithmetic<T>().polynomials;
  if (out.empty()) return;
  run_polynomial(d.values, d.sizes, PointShares(kinds), call, polynomials.width, polynomials.values[directions.size()],
                 threads);
}

template <class T>
void PointPolynomial::gradients(const PointKinds& kinds, std::uint64_t channels, const PolynomialOperands<T>& at,
                                std::span<const T> g, std::span<const PolynomialOperands<T>> directions,
                                const PolynomialGradients<T>& gradients, unsigned threads) const {
  const Data& d = *data_;
  d.check(kinds, channels, at, directions);
  require_polynomial_numbers(g.size(), Data::numbers(kinds.of_point.size(), d.sizes.out, channels), "g");
  if (!gradients.x.empty()) require_polynomial_numbers(gradients.x.size(), at.x.size(), "the gradient of x");
  if (!gradients.w.empty()) require_polynomial_numbers(gradients.w.size(), at.w.size(), "the gradient of w");
  const PointShares shares(kinds);
  PolynomialCall<T> call{channels, at, directions, g};
  call.d_x = gradients.x;
  call.d_w = gradients.w;
  const auto& polynomials = kernels::arithmetic<T>().polynomials;
  run_polynomial(d.gradients, d.sizes, shares, call, polynomials.width, polynomials.gradients[directions.size()],
                 threads);
}

#define INTERTWINE_POINT_POLYNOMIAL(T)                                                                           \
  template void PointPolynomial::value<T>(const PointKinds&, std::uint64_t, const PolynomialOperands<T>&,        \
                                          std::span<const PolynomialOperands<T>>, std::span<T>, unsigned) const; \
  template void PointPolynomial::gradients<T>(const PointKinds&, std::uint64_t, const PolynomialOperands<T>&,    \
                                              std::span<const T>, std::span<const PolynomialOperands<T>>,        \
                                              const PolynomialGradients<T>&, unsigned) const;
INTERTWINE_POINT_POLYNOMIAL(float)
INTERTWINE_POINT_POLYNOMIAL(double)
#undef INTERTWINE_POINT_POLYNOMIAL

}  // namespace intertwine
