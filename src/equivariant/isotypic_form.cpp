// The isotypic form of layers over the real numbers.
#include "intertwine/equivariant/isotypic_form.hpp"

#include <cmath>
#include <complex>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"

namespace intertwine {

namespace {

/// J z = B conj(z) on C^d commutes with the group, and J^2 = -s for a real s > 0.
struct QuaternionicStructure {
  FieldMatrix B;
  double root;              ///< the root of s: J / root squares to -1
  FieldMatrix coordinates;  ///< z -> (x_0, y_0, x_1, y_1, ...) for z = sum x_k e_k + y_k J e_k, e_k some unit vectors
};

/// The first numbers i for which the unit vectors e_i and their images J e_i, column i of A, are a basis. A space that J maps
/// to itself and that does not contain e_i is independent of both e_i and J e_i, since J^2 < 0 and J is antilinear.
std::vector<std::size_t> quaternionic_basis(const FieldMatrix& A, const Task& task) {
  const std::size_t n = A.rows();
  std::vector<std::size_t> order, chosen;
  for (std::size_t i = 0; i < n; ++i) order.insert(order.end(), {i, n + i});
  const FieldMatrix both[] = {FieldMatrix::identity(A.field(), n), A};
  const auto pivots = reduced_echelon(horizontal_stack(both).select_cols(order), task).pivots;
  for (const std::size_t p : pivots)
    if (p % 2 == 0) chosen.push_back(p / 2);
  if (pivots.size() != n || 2 * chosen.size() != n)
    throw InternalError("isotypic_form: a quaternionic space has no basis");
  return chosen;
}

/// The projection to a copy after the conjugate of the inclusion of the first one maps R's conjugate to R: B where it is not 0.
QuaternionicStructure quaternionic_structure(const IsotypicMaps& maps, std::size_t d, const Task& task) {
  const FieldMatrix all = maps.projection * maps.inclusion.block(0, 0, maps.inclusion.rows(), d).conjugate();
  FieldMatrix B = all.block(0, 0, d, d);
  for (std::size_t k = d; B.is_zero() && k < all.rows(); k += d) B = all.block(k, 0, d, d);
  const FieldMatrix square = B * B.conjugate();
  const Cyclotomic s = -square(0, 0);
  if (!(square == -s * FieldMatrix::identity(AbelianField(), d)) || s.sign() <= 0)
    throw InternalError("isotypic_form: a quaternionic constituent has no structure");
  std::vector<std::size_t> columns;
  for (const std::size_t i : quaternionic_basis(B, task)) columns.insert(columns.end(), {i, d + i});
  const FieldMatrix both[] = {FieldMatrix::identity(B.field(), d), B};
  FieldMatrix coordinates = inverse(horizontal_stack(both).select_cols(columns), task);
  return {std::move(B), std::sqrt(s.to_complex().real()), std::move(coordinates)};
}

/// Copies over C such that these and what J makes of them are independent: half of them.
std::vector<std::size_t> quaternionic_copies(const IsotypicMaps& maps, const FieldMatrix& B, const Task& task) {
  const std::size_t d = B.rows(), m = maps.projection.rows() / d;
  if (m == 0) return {};
  // J after the projection to copy a is B conj(P_a), as a linear map of real vectors, and sum_b c_ab P_b with
  // B conj(P_a) I_b = c_ab 1; one entry of that is enough.
  std::vector<FieldMatrix> rows;
  std::vector<std::size_t> firsts;
  for (std::size_t a = 0; a < m; ++a) {
    rows.push_back(B.block(0, 0, 1, d) * maps.projection.block(a * d, 0, d, maps.projection.cols()).conjugate());
    firsts.push_back(a * d);
  }
  return quaternionic_basis((vertical_stack(rows) * maps.inclusion.select_cols(firsts)).transpose(), task);
}

/// The real or the imaginary parts of a row, times a factor.
void append_row(std::vector<double>& T, const std::vector<std::complex<double>>& row, bool imaginary,
                double factor = 1) {
  for (const auto& x : row) T.push_back(factor * (imaginary ? x.imag() : x.real()));
}

std::vector<std::complex<double>> rounded_row(const FieldMatrix& A, std::size_t i) {
  std::vector<std::complex<double>> out;
  for (std::size_t j = 0; j < A.cols(); ++j) out.push_back(A(i, j).to_complex());
  return out;
}

/// The rows of T for the copies of a constituent; how many copies over R there are.
std::size_t append_copies(std::vector<double>& T, const IsotypicMaps& maps, int indicator, std::size_t d,
                          const std::optional<QuaternionicStructure>& structure, const Task& task) {
  const FieldMatrix& projection = maps.projection;
  if (indicator != -1) {
    for (std::size_t i = 0; i < projection.rows(); ++i) {
      const auto row = rounded_row(projection, i);
      append_row(T, row, false);
      if (indicator == 0) append_row(T, row, true);
    }
    return projection.rows() / d;
  }
  const auto copies = quaternionic_copies(maps, structure->B, task);
  for (const std::size_t a : copies) {
    const FieldMatrix numbers = structure->coordinates * projection.block(a * d, 0, d, projection.cols());
    for (std::size_t q = 0; q < d; q += 2) {
      // The quaternion x + j y: complex numbers and J then multiply from the right.
      const auto x = rounded_row(numbers, q), y = rounded_row(numbers, q + 1);
      append_row(T, x, false);
      append_row(T, x, true);
      append_row(T, y, false, structure->root);
      append_row(T, y, true, -structure->root);
    }
  }
  return copies.size();
}

}  // namespace

IsotypicBlocks isotypic_form(const Representation& V, const Representation& U, const CharacterTable& table,
                             const Task& task) {
  if (!V.field().is_real() || !U.field().is_real())
    throw DomainError("isotypic_form: " + (V.field().is_real() ? U : V).to_string() +
                      " is not over a real field; take its real form: real(R)");
  const auto in = multiplicities(character_of(V, table, task)), out = multiplicities(character_of(U, table, task));
  task.require_memory(64 * (V.dimension() * V.dimension() + U.dimension() * U.dimension()), "the changes of basis");
  IsotypicBlocks form;
  std::vector<char> done(table.size(), 0);
  for (std::size_t i = 0; i < table.size(); ++i) {
    if ((in[i] == 0 && out[i] == 0) || done[i] != 0) continue;
    if (table.indicator(i) == 0) {
      const ClassFunction bar = ClassFunction::irreducible(table, i).conjugate();
      for (std::size_t k = i; k < table.size(); ++k)
        if (table.row(k) == bar.values()) done[k] = 1;
    }
    const IrreducibleRepresentation R = irreducible_representation(table, i, task);
    const int indicator = table.indicator(i);
    if (indicator == 1 && !R.representation.field().is_real())
      throw LimitError("isotypic_form: " + table.name(i) + " is of real type, but known over " +
                       R.representation.field().to_string() + " only");
    const std::size_t d = R.representation.dimension();
    const IsotypicMaps source = isotypic_maps(V, R, static_cast<std::size_t>(in[i]), task),
                       target = isotypic_maps(U, R, static_cast<std::size_t>(out[i]), task);
    std::optional<QuaternionicStructure> structure;
    if (indicator == -1) structure = quaternionic_structure(in[i] != 0 ? source : target, d, task);
    IsotypicBlocks::Block block{indicator == 1 ? 1U : indicator == 0 ? 2U : 4U, indicator == 1 ? d : 2 * d, 0, 0};
    block.copies_in = append_copies(form.T_in, source, indicator, d, structure, task);
    block.copies_out = append_copies(form.T_out, target, indicator, d, structure, task);
    form.blocks.push_back(block);
  }
  if (form.T_in.size() != V.dimension() * V.dimension() || form.T_out.size() != U.dimension() * U.dimension())
    throw InternalError("isotypic_form: the constituents do not add up");
  return form;
}

}  // namespace intertwine
