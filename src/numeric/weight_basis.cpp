#include "intertwine/numeric/weight_basis.hpp"

#include "intertwine/error.hpp"

namespace intertwine {

const TiedPattern& WeightBasis::tied() const {
  if (!is_tied()) throw DomainError("these weights are a general sparse basis; only tied entries have codes");
  return std::get<TiedPattern>(basis_);
}

const SparseBasis& WeightBasis::sparse() const {
  if (is_tied()) throw DomainError("these weights are tied entries, not a general sparse basis");
  return std::get<SparseBasis>(basis_);
}

std::uint64_t WeightBasis::rows() const {
  return visit([](const auto& b) { return b.rows(); });
}
std::uint64_t WeightBasis::cols() const {
  return visit([](const auto& b) { return b.cols(); });
}
std::uint64_t WeightBasis::params() const {
  return visit([](const auto& b) { return b.params(); });
}

std::vector<double> WeightBasis::squared_norms() const {
  if (!is_tied()) return {sparse().squared_norms().begin(), sparse().squared_norms().end()};
  return {tied().orbit_size().begin(), tied().orbit_size().end()};
}

}  // namespace intertwine
