// One group element on Hom(V, U): W -> rho_U(g) W rho_V(g)^{-1}, exactly and in double precision.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// Matrices that can be added up.
struct ExactSum {
  FieldMatrix value;
  ExactSum& operator+=(const ExactSum& other) {
    value = value + other.value;
    return *this;
  }
};

struct RealSum {
  std::vector<double> values;  ///< row-major
  RealSum& operator+=(const RealSum& other) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] += other.values[k];
    return *this;
  }
};

class ExactAction {
 public:
  /// \param K  contains the fields of V and U; for W over K nothing has to be taken from one field to another.
  ExactAction(const Representation& V, const Representation& U, const Permutation& g, const AbelianField& K);
  FieldMatrix operator()(const FieldMatrix& W) const;

 private:
  /// Left multiplication by rho(g), or right multiplication by rho(g)^{-1}.
  struct Side {
    /// Monomial: row (column) j of the result is number source[j] of W, or of -W after it.
    std::vector<std::size_t> source;
    bool negates = false;
    std::optional<FieldMatrix> matrix;  ///< otherwise
  };
  static Side monomial_side(const Representation& V, const Permutation& g);
  static Side matrix_side(const Representation& V, const Permutation& g, const AbelianField& K);

  Side left_, right_;
};

class RealAction {
 public:
  /// \throws DomainError unless V and U are over real fields.
  RealAction(const Representation& V, const Representation& U, const Permutation& g, const Task& task = {});
  /// W and the result are row-major. Every row is found in the same way, whatever the threads.
  std::vector<double> operator()(const std::vector<double>& W, const Task& task = {}) const;
  std::uint64_t bytes() const { return left_.bytes() + right_.bytes(); }

 private:
  /// A square matrix by its nonzero entries, row by row.
  struct Sparse {
    std::vector<std::size_t> begin{0};
    std::vector<std::uint32_t> col;
    std::vector<double> value;
    std::size_t rows() const { return begin.size() - 1; }
    std::uint64_t bytes() const { return 8 * begin.size() + 12 * col.size(); }
  };
  static Sparse sparse(const Representation& V, const Permutation& g, const Task& task);

  Sparse left_, right_;  ///< rho_U(g), rho_V(g^{-1})
};

}  // namespace intertwine
