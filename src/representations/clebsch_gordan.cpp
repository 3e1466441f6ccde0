// Clebsch-Gordan coefficients of finite groups.
#include "intertwine/representations/clebsch_gordan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"
#include "intertwine/representations/matrix_representations.hpp"

namespace intertwine {

namespace {

std::vector<FieldMatrix> matrices_of_generators(const Representation& V) {
  std::vector<FieldMatrix> images;
  for (const Permutation& g : V.group().generators()) images.push_back(V.field_matrix(g));
  return images;
}

FieldMatrix adjoint(const FieldMatrix& A) { return A.conjugate().transpose(); }

/// The multiple whose coordinates are integers without a common factor.
FieldMatrix primitive(const FieldMatrix& A) {
  const RationalMatrix& c = A.coefficients();
  return Cyclotomic(Rational(c.denominator(), c.numerator().content())) * A;
}

/// Row (a, b) of T becomes row (b, a): v (x) w -> w (x) v.
FieldMatrix swapped(const FieldMatrix& T, std::size_t left, std::size_t right) {
  std::vector<std::size_t> rows;
  for (std::size_t b = 0; b < right; ++b)
    for (std::size_t a = 0; a < left; ++a) rows.push_back(a * right + b);
  return T.select_rows(rows);
}

/// A^* F B = c H for two copies: the number c, H(0, 0) being 1.
class CopyProduct {
 public:
  CopyProduct(const FieldMatrix& left_form, const FieldMatrix& right_form) : left_(left_form), right_(right_form) {}
  Cyclotomic operator()(const FieldMatrix& A, const FieldMatrix& B) const {
    const FieldMatrix image = tensor_apply(left_, right_, B.block(0, 0, B.rows(), 1));
    return (adjoint(A.block(0, 0, A.rows(), 1)) * image)(0, 0);
  }

 private:
  const FieldMatrix &left_, &right_;
};

void require_row(const CharacterTable& table, std::size_t row) {
  if (row >= table.size())
    throw DomainError(fmt::format("{} has {} irreducible characters; there is no row {} (0-based)",
                                  table.group().name(), table.size(), row));
}

[[noreturn]] void coupling_failed(const std::string& claim) {
  throw VerificationError("Clebsch-Gordan coefficients: " + claim);
}

}  // namespace

FieldMatrix tensor_apply(const FieldMatrix& A, const FieldMatrix& B, const FieldMatrix& T) {
  const std::size_t a = A.cols(), b = B.cols(), c = T.cols();
  if (a * b != T.rows())
    throw DomainError(
        fmt::format("a tensor product of matrices with {} and {} columns is applied to {} rows", a, b, T.rows()));
  const FieldMatrix first = (A * T.reshape(a, b * c)).reshape(A.rows() * b, c),
                    second = (B * swapped(first, A.rows(), b).reshape(b, A.rows() * c)).reshape(B.rows() * A.rows(), c);
  return swapped(second, B.rows(), A.rows());
}

OrthogonalCopies orthogonal_copies(const std::vector<FieldMatrix>& copies, const FieldMatrix& left_form,
                                   const FieldMatrix& right_form, FieldMatrix form, bool square) {
  OrthogonalCopies out{std::move(form), {}, {}, {}};
  const CopyProduct product(left_form, right_form);
  const std::size_t d = left_form.rows();
  // The exchange of the factors is an isometry: symmetric copies are orthogonal to the alternating ones.
  for (const int symmetry : square ? std::vector<int>{1, -1} : std::vector<int>{0})
    for (const FieldMatrix& copy : copies) {
      FieldMatrix T = square ? copy + Cyclotomic(symmetry) * swapped(copy, d, d) : copy;
      for (std::size_t b = 0; b < out.maps.size(); ++b)
        if (out.symmetries[b] == symmetry) T = T - product(out.maps[b], T) / out.norms[b] * out.maps[b];
      if (T.is_zero()) continue;
      out.maps.push_back(primitive(T));
      out.norms.push_back(product(out.maps.back(), out.maps.back()));
      out.symmetries.push_back(symmetry);
    }
  if (out.maps.size() != copies.size())
    throw InternalError("copies in a product are dependent, or the symmetric and the alternating ones are not all");
  return out;
}

void verify(const OrthogonalCopies& copies, const FieldMatrix& left_form, const FieldMatrix& right_form,
            const std::string& what, const Task& task) {
  const std::size_t d = left_form.rows();
  for (std::size_t a = 0; a < copies.maps.size(); ++a) {
    task.poll();
    if (copies.norms[a].sign() <= 0) coupling_failed(fmt::format("the norm of map {} to {} is not positive", a, what));
    if (copies.symmetries[a] != 0 &&
        !(swapped(copies.maps[a], d, d) == Cyclotomic(copies.symmetries[a]) * copies.maps[a]))
      coupling_failed(fmt::format("map {} to {} is neither symmetric nor alternating as stated", a, what));
    const FieldMatrix image = tensor_apply(left_form, right_form, copies.maps[a]);
    for (std::size_t b = 0; b <= a; ++b)
      if (!(adjoint(copies.maps[b]) * image == (a == b ? copies.norms[a] : Cyclotomic()) * copies.form))
        coupling_failed(fmt::format("maps {} and {} to {} are not orthogonal with the norms stated", b, a, what));
  }
}

namespace {

constexpr std::size_t most_rows_of_form_equations = 6;

/// The solutions H of A^* H A = H for all of these matrices, which are irreducible: one up to a factor.
FieldMatrix form_by_equations(const std::vector<FieldMatrix>& images, const AbelianField& field, const Task& task) {
  const std::size_t d = images.front().rows();
  std::vector<FieldMatrix> equations;
  for (const FieldMatrix& A : images) {
    const FieldMatrix star = adjoint(A);
    std::vector<Cyclotomic> entries(d * d * d * d);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        for (std::size_t k = 0; k < d; ++k)
          for (std::size_t l = 0; l < d; ++l)
            entries[(i * d + j) * d * d + k * d + l] = star(i, k) * A(l, j) - Cyclotomic(i == k && j == l ? 1 : 0);
    equations.push_back(FieldMatrix(d * d, d * d, entries));
  }
  const FieldMatrix solutions = null_space(vertical_stack(equations), task);
  if (solutions.rows() != 1)
    throw InternalError("invariant_form: an irreducible representation has another number of forms than one");
  std::vector<Cyclotomic> H(d * d);
  for (std::size_t k = 0; k < d * d; ++k) H[k] = solutions(0, k);
  return FieldMatrix(d, d, H).over(field);
}

}  // namespace

FieldMatrix invariant_form(const IrreducibleRepresentation& R, const Task& task) {
  const Representation& V = R.representation;
  const std::vector<FieldMatrix> images = matrices_of_generators(V);
  const FieldMatrix one = FieldMatrix::identity(AbelianField(), V.dimension());
  if (std::all_of(images.begin(), images.end(), [&](const FieldMatrix& A) { return adjoint(A) * A == one; }))
    return one;
  if (V.dimension() <= most_rows_of_form_equations) {
    const FieldMatrix H = form_by_equations(images, V.field(), task);
    return H(0, 0).inverse() * H;
  }
  std::vector<FieldMatrix> dual_images;
  for (const FieldMatrix& A : images) dual_images.push_back(inverse(adjoint(A), task));
  // A map from R to the conjugate of its dual is a form that is fixed; there is one up to a factor.
  const Representation conjugate_dual =
      V.field().is_rational() ? dual(V) : matrix_representation(V.group(), dual_images, {}, task);
  const FieldMatrix H = isotypic_maps(conjugate_dual, R, 1, task).inclusion;
  return H(0, 0).inverse() * H;
}

FiniteClebschGordan clebsch_gordan(const CharacterTable& table, std::size_t i, std::size_t j,
                                   std::optional<std::size_t> only, const Task& task) {
  require_row(table, i);
  require_row(table, j);
  if (only) require_row(table, *only);
  IrreducibleRepresentation left = irreducible_representation(table, i, task),
                            right = i == j ? left : irreducible_representation(table, j, task);
  const FieldMatrix left_form = invariant_form(left, task),
                    right_form = i == j ? left_form : invariant_form(right, task);
  const Representation product = left.representation * right.representation;
  FiniteClebschGordan answer{table, std::move(left), std::move(right), left_form, right_form, {}};
  std::string names;
  for (const Constituent& found : decompose(product, table, BaseField::complex, task)) {
    const std::size_t row = found.irreps.front();
    names += (names.empty() ? "" : ", ") + table.name(row);
    if (only && row != *only) continue;
    IrreducibleRepresentation R = irreducible_representation(table, row, task);
    const FieldMatrix inclusion =
        isotypic_maps(product, R, static_cast<std::size_t>(found.multiplicity), task).inclusion;
    const std::size_t d = R.representation.dimension();
    std::vector<FieldMatrix> copies;
    for (std::size_t a = 0; a < inclusion.cols(); a += d) copies.push_back(inclusion.block(0, a, inclusion.rows(), d));
    FieldMatrix own_form = invariant_form(R, task);
    answer.constituents.emplace_back(orthogonal_copies(copies, left_form, right_form, std::move(own_form), i == j),
                                     std::move(R));
  }
  if (answer.constituents.empty())
    throw DomainError(
        fmt::format("{} is not in {} (x) {}, which holds {}", table.name(*only), table.name(i), table.name(j), names));
  verify(answer, task);
  return answer;
}

void verify(const FiniteClebschGordan& answer, const Task& task) {
  const auto left = matrices_of_generators(answer.left.representation),
             right = matrices_of_generators(answer.right.representation);
  const auto require_fixed = [&](const FieldMatrix& H, const std::vector<FieldMatrix>& images) {
    if (!(adjoint(H) == H)) coupling_failed("a form is not Hermitian");
    for (const FieldMatrix& A : images)
      if (!(adjoint(A) * (H * A) == H)) coupling_failed("a form is not fixed by a generator");
  };
  require_fixed(answer.left_form, left);
  require_fixed(answer.right_form, right);
  for (const TensorConstituent& part : answer.constituents) {
    const std::string& name = answer.table.name(part.irreducible.row);
    const auto images = matrices_of_generators(part.irreducible.representation);
    require_fixed(part.form, images);
    for (std::size_t a = 0; a < part.maps.size(); ++a)
      for (std::size_t g = 0; g < images.size(); ++g)
        if (!(tensor_apply(left[g], right[g], part.maps[a]) == part.maps[a] * images[g]))
          coupling_failed(fmt::format("map {} (0-based) to {} does not commute with generator {}", a, name, g));
    verify(part, answer.left_form, answer.right_form, name, task);
  }
}

}  // namespace intertwine
