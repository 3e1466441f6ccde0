// Splits lattices of generalized characters into irreducible ones by their vectors of norm 1.
#include "character_lattice.hpp"

#include <cmath>

#include "intertwine/error.hpp"
#include "intertwine/exact/modular_matrix.hpp"

namespace intertwine {

namespace {

constexpr double delta = 0.9;
constexpr double nothing = 1e-7;  // orthogonal parts below this are rounding errors of dependent vectors

}  // namespace

void CharacterLattice::project(Vector& v) const {
  for (std::size_t i = 0; i < irreducibles_.size(); ++i)
    s_.subtract(v, s_.inner_with_dual(v, duals_[i]), irreducibles_[i]);
}

void CharacterLattice::found(Vector chi) {
  if (s_.field.symmetric(chi[0]) < 0)
    for (auto& x : chi) x = s_.field.negative(x);
  duals_.push_back(s_.dual(chi));
  irreducibles_.push_back(std::move(chi));
}

void CharacterLattice::add(Vector v) {
  task_.poll();
  project(v);
  const Vector dual = s_.dual(v);
  const std::int64_t norm = s_.inner_with_dual(v, dual);
  if (norm == 0) return;
  if (norm < 0) throw InternalError("character_table: a generalized character has a negative norm");
  std::vector<std::int64_t> products;
  for (const Vector& b : basis_) products.push_back(s_.inner_with_dual(b, dual));
  for (std::size_t i = 0; i < basis_.size(); ++i) gram_[i].push_back(products[i]);
  products.push_back(norm);
  gram_.push_back(std::move(products));
  basis_.push_back(std::move(v));
  r_.emplace_back();
  mu_.emplace_back();
  reduce(basis_.size() - 1);
  extract();
}

bool CharacterLattice::index_is_divisible_by(std::uint64_t p) const {
  if (irreducibles_.size() + basis_.size() < s_.size()) return true;
  ModularMatrix gram(p, basis_.size(), basis_.size());  // its determinant is the square of the index
  for (std::size_t i = 0; i < basis_.size(); ++i)
    for (std::size_t j = 0; j < basis_.size(); ++j) {
      const std::int64_t r = gram_[i][j] % static_cast<std::int64_t>(p);
      gram.set(i, j, r < 0 ? static_cast<std::uint64_t>(r) + p : static_cast<std::uint64_t>(r));
    }
  return gram.rank() < basis_.size();
}

void CharacterLattice::orthogonalize(std::size_t k) {
  r_[k].resize(basis_.size());
  mu_[k].resize(basis_.size());
  for (std::size_t j = 0; j <= k; ++j) {
    double x = static_cast<double>(gram_[k][j]);
    for (std::size_t i = 0; i < j; ++i) x -= mu_[j][i] * r_[k][i];
    r_[k][j] = x;
    if (j < k) mu_[k][j] = x / r_[j][j];
  }
}

void CharacterLattice::subtract_basis(std::size_t k, std::size_t j, std::int64_t q) {
  s_.subtract(basis_[k], q, basis_[j]);
  const std::int64_t mixed = gram_[k][j], square = gram_[j][j];
  const std::int64_t norm = gram_[k][k] - 2 * q * mixed + q * q * square;
  for (std::size_t i = 0; i < basis_.size(); ++i)
    if (i != k) gram_[i][k] = gram_[k][i] -= q * gram_[j][i];
  gram_[k][k] = norm;
}

void CharacterLattice::size_reduce(std::size_t k) {
  for (int pass = 0; pass < 50; ++pass) {
    orthogonalize(k);
    bool changed = false;
    for (std::size_t j = k; j-- > 0;) {
      const double q = std::nearbyint(mu_[k][j]);
      if (std::abs(mu_[k][j]) <= 0.51) continue;
      subtract_basis(k, j, static_cast<std::int64_t>(q));
      for (std::size_t i = 0; i < j; ++i) mu_[k][i] -= q * mu_[j][i];
      mu_[k][j] -= q;
      changed = true;
    }
    if (!changed) return;
  }
}

void CharacterLattice::swap_basis(std::size_t k) {
  std::swap(basis_[k], basis_[k - 1]);
  std::swap(gram_[k], gram_[k - 1]);
  for (auto& row : gram_) std::swap(row[k], row[k - 1]);
}

void CharacterLattice::erase_basis(std::size_t k) {
  const auto at = static_cast<std::ptrdiff_t>(k);
  basis_.erase(basis_.begin() + at);
  gram_.erase(gram_.begin() + at);
  for (auto& row : gram_) row.erase(row.begin() + at);
  r_.erase(r_.begin() + at);
  mu_.erase(mu_.begin() + at);
}

void CharacterLattice::reduce(std::size_t from) {
  for (std::size_t k = from; k < basis_.size();) {
    task_.poll();
    size_reduce(k);
    if (gram_[k][k] == 0) {
      erase_basis(k);
      continue;
    }
    if (k == 0) {
      ++k;
      continue;
    }
    const double m = mu_[k][k - 1], before = r_[k - 1][k - 1];
    if (r_[k][k] > nothing && r_[k][k] >= (delta - m * m) * before) {
      ++k;
      continue;
    }
    swap_basis(k);
    --k;
  }
}

/// Takes the vectors of norm 1 out and makes the rest orthogonal to them.
void CharacterLattice::extract() {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t k = 0; k < basis_.size();) {
      if (gram_[k][k] != 1) {
        ++k;
        continue;
      }
      Vector chi = basis_[k];
      const std::vector<std::int64_t> products = gram_[k];
      for (std::size_t i = 0; i < basis_.size(); ++i)
        if (i != k && products[i] != 0) subtract_basis(i, k, products[i]);
      erase_basis(k);
      found(std::move(chi));
      again = true;
    }
    if (again) reduce(0);
  }
}

}  // namespace intertwine
