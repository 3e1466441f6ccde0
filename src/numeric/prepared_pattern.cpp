// Patterns made ready for numbers.
#include "intertwine/numeric/prepared_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "intertwine/error.hpp"
#include "numeric/sparse_basis.hpp"
#include "numeric/tables.hpp"
#include "numeric/tied_pattern.hpp"

namespace intertwine {

using namespace numeric_detail;

namespace numeric_detail {

std::uint64_t checked_product(std::initializer_list<std::uint64_t> factors, const char* what) {
  std::uint64_t out = 1;
  for (const std::uint64_t factor : factors) {
    if (factor == 0) return 0;
    if (out > (std::uint64_t{1} << 62) / factor)
      throw DomainError(fmt::format("{} has more entries than memory can hold", what));
    out *= factor;
  }
  return out;
}

void check_array(const char* function, const char* name, std::uint64_t size, std::uint64_t batch, std::uint64_t each) {
  if (size != checked_product({batch, each}, name))
    throw DomainError(
        fmt::format("{}: {} has {} entries; a batch of {} needs {} x {}", function, name, size, batch, batch, each));
}

}  // namespace numeric_detail

struct PreparedPattern::Data {
  std::variant<TiedPattern, SparseBasis> kind;
};

namespace {

template <class F>
decltype(auto) visit(const PreparedPattern& pattern, const F& f) {
  return pattern.is_tied() ? f(pattern.tied()) : f(pattern.sparse());
}

TiedPattern tied_from(const WeightPattern& pattern, const Task& task) {
  const TiedEntries& entries = pattern.tied();
  if (!entries.codes || entries.codes->rows() != pattern.rows || entries.codes->cols() != pattern.cols)
    throw DomainError(
        fmt::format("PreparedPattern: the codes are not those of {} x {} entries", pattern.rows, pattern.cols));
  if (const Codes* there = entries.codes->in_memory())
    return TiedPattern(pattern.rows, pattern.cols, pattern.params, std::shared_ptr<const Codes>(entries.codes, there));
  return TiedPattern(pattern.rows, pattern.cols, pattern.params, *entries.codes, task);
}

SparseBasis sparse_from(const WeightPattern& pattern) {
  const SparseElements& elements = pattern.sparse();
  if (elements.start.size() != pattern.params + 1)
    throw DomainError(fmt::format("PreparedPattern: {} starts for {} elements", elements.start.size(), pattern.params));
  return SparseBasis(pattern.rows, pattern.cols, elements.start, elements.row, elements.col, elements.value);
}

// Makes stride the true stride.
template <class T>
void check_sizes(const char* function, const PreparedPattern& pattern, Multiplicity channels, std::uint64_t theta,
                 std::uint64_t array, std::uint64_t& stride) {
  const std::uint64_t cols = checked_product({channels.in, pattern.cols()}, "a row of weights");
  const std::uint64_t rows = checked_product({channels.out, pattern.rows()}, "a column of weights");
  const std::uint64_t parameters = checked_product({pattern.params(), channels.out, channels.in}, "theta");
  if (stride == 0) stride = cols;
  if (stride < cols)
    throw DomainError(fmt::format("{}: rows of {} entries cannot be {} apart", function, cols, stride));
  if (theta != parameters)
    throw DomainError(fmt::format("{}: theta has {} entries; [{}, {}, {}] needs {}", function, theta, pattern.params(),
                                  channels.out, channels.in, parameters));
  const std::uint64_t needed =
      rows == 0 || cols == 0 ? 0 : checked_product({rows, stride}, "the array of weights") - (stride - cols);
  checked_product({needed, sizeof(T)}, "the array of weights");
  if (array < needed)
    throw DomainError(fmt::format("{}: the array of weights has {} entries; [{}, {}, {}, {}] needs {}", function, array,
                                  channels.out, pattern.rows(), channels.in, pattern.cols(), needed));
}

// theta becomes the parameters of the nearest W from the sums over the entries.
void solve(const TiedPattern& pattern, std::vector<double>& theta, std::uint64_t pairs) {
  for (std::uint64_t k = 0; k < pattern.params(); ++k)
    for (std::uint64_t c = 0; c < pairs; ++c) {
      const std::int64_t size = pattern.orbit_size()[k];
      theta[k * pairs + c] = size == 0 ? 0 : theta[k * pairs + c] / static_cast<double>(size);
    }
}
void solve(const SparseBasis& basis, std::vector<double>& theta, std::uint64_t pairs) {
  basis.solve_gram(theta, pairs);
}

}  // namespace

PreparedPattern::PreparedPattern(const WeightPattern& pattern, const Task& task) {
  if (pattern.is_tied())
    data_ = std::make_shared<const Data>(Data{tied_from(pattern, task)});
  else
    data_ = std::make_shared<const Data>(Data{sparse_from(pattern)});
}
PreparedPattern::PreparedPattern(TiedPattern pattern) : data_(std::make_shared<const Data>(Data{std::move(pattern)})) {}
PreparedPattern::PreparedPattern(SparseBasis basis) : data_(std::make_shared<const Data>(Data{std::move(basis)})) {}

bool PreparedPattern::is_tied() const { return std::holds_alternative<TiedPattern>(data_->kind); }

const TiedPattern& PreparedPattern::tied() const {
  if (!is_tied()) throw DomainError("these weights are a general sparse basis; only tied entries have codes");
  return std::get<TiedPattern>(data_->kind);
}
const SparseBasis& PreparedPattern::sparse() const {
  if (is_tied()) throw DomainError("these weights are tied entries, not a general sparse basis");
  return std::get<SparseBasis>(data_->kind);
}

std::uint64_t PreparedPattern::rows() const {
  return visit(*this, [](const auto& b) { return b.rows(); });
}
std::uint64_t PreparedPattern::cols() const {
  return visit(*this, [](const auto& b) { return b.cols(); });
}
std::uint64_t PreparedPattern::params() const {
  return visit(*this, [](const auto& b) { return b.params(); });
}
std::uint64_t PreparedPattern::stored_bytes() const {
  return visit(*this, [](const auto& b) { return b.stored_bytes(); });
}
std::string PreparedPattern::reduction() const {
  return visit(*this, [](const auto& b) { return b.reduction(); });
}
std::vector<double> PreparedPattern::squared_norms() const {
  if (!is_tied()) return {sparse().squared_norms().begin(), sparse().squared_norms().end()};
  return {tied().orbit_size().begin(), tied().orbit_size().end()};
}

template <class T>
void materialise(const PreparedPattern& pattern, Multiplicity channels, std::span<const T> theta, std::span<T> W,
                 std::uint64_t row_stride, unsigned threads) {
  check_sizes<T>("materialise", pattern, channels, theta.size(), W.size(), row_stride);
  visit(pattern, [&](const auto& b) { write_weights<T>(b, channels, theta.data(), W.data(), row_stride, threads); });
}

template <class T>
void reduce_gradient(const PreparedPattern& pattern, Multiplicity channels, std::span<const T> dW,
                     std::span<SumOf<T>> dtheta, std::uint64_t row_stride, unsigned threads) {
  check_sizes<T>("reduce", pattern, channels, dtheta.size(), dW.size(), row_stride);
  visit(pattern, [&](const auto& b) { sum_gradients<T>(b, channels, dW.data(), dtheta.data(), row_stride, threads); });
}

std::vector<double> initial_variance(const PreparedPattern& pattern, Multiplicity channels, double gain,
                                     InitialVariance kind) {
  const std::vector<double> norms = pattern.squared_norms();
  std::vector<double> out(norms.size(), 0.0);
  double all = 0;
  std::uint64_t used = 0;
  for (const double norm : norms) {
    all += norm;
    used += norm > 0;
  }
  const double total = gain * gain * static_cast<double>(pattern.rows()) / static_cast<double>(channels.in);
  for (std::size_t k = 0; k < norms.size(); ++k) {
    if (norms[k] == 0 || channels.in == 0) continue;
    out[k] = kind == InitialVariance::uniform ? total / all : total / (static_cast<double>(used) * norms[k]);
  }
  return out;
}

template <class T>
Projection project_weights(const PreparedPattern& pattern, Multiplicity channels, std::span<const T> W,
                           unsigned threads) {
  const std::uint64_t pairs = checked_product({channels.out, channels.in}, "theta");
  std::vector<double> wide(W.size());
  std::transform(W.begin(), W.end(), wide.begin(), [](T x) { return static_cast<double>(to_number(x)); });
  Projection out;
  out.theta.resize(checked_product({pattern.params(), pairs}, "theta"));
  reduce_gradient<double>(pattern, channels, wide, out.theta, 0, threads);
  visit(pattern, [&](const auto& b) { solve(b, out.theta, pairs); });
  std::vector<double> nearest(W.size());
  materialise<double>(pattern, channels, out.theta, nearest, 0, threads);
  double residual = 0, norm = 0;
  for (std::size_t k = 0; k < wide.size(); ++k) {
    residual += (wide[k] - nearest[k]) * (wide[k] - nearest[k]);
    norm += wide[k] * wide[k];
  }
  out.residual = std::sqrt(residual);
  out.norm = std::sqrt(norm);
  return out;
}

#define INTERTWINE_FOR(T)                                                                                             \
  template void materialise<T>(const PreparedPattern&, Multiplicity, std::span<const T>, std::span<T>, std::uint64_t, \
                               unsigned);                                                                             \
  template void reduce_gradient<T>(const PreparedPattern&, Multiplicity, std::span<const T>, std::span<SumOf<T>>,     \
                                   std::uint64_t, unsigned);                                                          \
  template Projection project_weights<T>(const PreparedPattern&, Multiplicity, std::span<const T>, unsigned);
INTERTWINE_FOR(float)
INTERTWINE_FOR(double)
INTERTWINE_FOR(Bf16)
INTERTWINE_FOR(Half)
#undef INTERTWINE_FOR

}  // namespace intertwine
