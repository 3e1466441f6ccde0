// A basis of weights of either kind, as layers take it: tied entries or general sparse elements.
#pragma once
#include <variant>

#include "intertwine/numeric/sparse_basis.hpp"
#include "intertwine/numeric/tied_pattern.hpp"

namespace intertwine {

/// W = sum_k theta_k B_k. Immutable, cheap to copy, safe to use from many threads.
class WeightBasis {
 public:
  WeightBasis(TiedPattern pattern) : basis_(std::move(pattern)) {}  // NOLINT(google-explicit-constructor)
  WeightBasis(SparseBasis basis) : basis_(std::move(basis)) {}      // NOLINT(google-explicit-constructor)

  bool is_tied() const { return std::holds_alternative<TiedPattern>(basis_); }
  /// \throws DomainError if it is of the other kind.
  const TiedPattern& tied() const;
  const SparseBasis& sparse() const;

  std::uint64_t rows() const;
  std::uint64_t cols() const;
  std::uint64_t params() const;
  /// [P]: the sums of the squares of the entries; for tied entries the orbit sizes.
  std::vector<double> squared_norms() const;

  /// Calls f with the TiedPattern or the SparseBasis.
  template <class F>
  decltype(auto) visit(const F& f) const {
    return std::visit(f, basis_);
  }

 private:
  std::variant<TiedPattern, SparseBasis> basis_;
};

/// The functions of both kinds, in one call.
template <class T>
void materialise(const WeightBasis& basis, Multiplicity channels, std::span<const T> theta, std::span<T> W,
                 std::uint64_t row_stride = 0, unsigned threads = 1) {
  basis.visit([&](const auto& b) { materialise<T>(b, channels, theta, W, row_stride, threads); });
}
template <class T>
void reduce(const WeightBasis& basis, Multiplicity channels, std::span<const T> dW,
            std::span<SumOf<T>> dtheta, std::uint64_t row_stride = 0, unsigned threads = 1) {
  basis.visit([&](const auto& b) { reduce<T>(b, channels, dW, dtheta, row_stride, threads); });
}
inline std::vector<double> initial_variance(const WeightBasis& basis, Multiplicity channels, double gain = 1,
                                            InitialVariance kind = InitialVariance::by_orbit) {
  return basis.visit([&](const auto& b) { return initial_variance(b, channels, gain, kind); });
}
template <class T>
Projection project(const WeightBasis& basis, Multiplicity channels, std::span<const T> W,
                   unsigned threads = 1) {
  return basis.visit([&](const auto& b) { return project<T>(b, channels, W, threads); });
}

}  // namespace intertwine
