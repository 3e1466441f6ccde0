#include "intertwine/representations/clebsch_gordan.hpp"

#include <fmt/format.h>

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

/// T_a^* F T_b = c H: the number c, H(0, 0) being 1.
Cyclotomic product_of_copies(const FieldMatrix& A, const FieldMatrix& form, const FieldMatrix& B) {
  const FieldMatrix column = B.block(0, 0, B.rows(), 1);
  return (adjoint(A.block(0, 0, A.rows(), 1)) * (form * column))(0, 0);
}

/// The rows a d + b and b d + a of T exchanged: v (x) w -> w (x) v.
FieldMatrix swapped(const FieldMatrix& T, std::size_t d) {
  std::vector<std::size_t> rows;
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b < d; ++b) rows.push_back(b * d + a);
  return T.select_rows(rows);
}

/// The copies that the columns of the inclusion hold, orthogonal to each other: Gram and Schmidt without normalizing. Of a square the
/// symmetric ones come first, which are orthogonal to the others as the exchange of the factors is an isometry.
void orthogonalize(TensorConstituent& part, const FieldMatrix& inclusion, const FieldMatrix& form,
                   bool square, std::size_t degree) {
  const std::size_t d = part.irreducible.representation.dimension(), copies = inclusion.cols() / d;
  for (const int symmetry : square ? std::vector<int>{1, -1} : std::vector<int>{0})
    for (std::size_t a = 0; a < copies; ++a) {
      FieldMatrix T = inclusion.block(0, a * d, inclusion.rows(), d);
      if (square) T = T + Cyclotomic(symmetry) * swapped(T, degree);
      for (std::size_t b = 0; b < part.maps.size(); ++b)
        if (part.symmetries[b] == symmetry)
          T = T - product_of_copies(part.maps[b], form, T) / part.norms[b] * part.maps[b];
      if (T.is_zero()) continue;
      part.maps.push_back(primitive(T));
      part.norms.push_back(product_of_copies(part.maps.back(), form, part.maps.back()));
      part.symmetries.push_back(symmetry);
    }
  if (part.maps.size() != copies) throw InternalError("the symmetric and the alternating copies are not all");
}

void require_row(const CharacterTable& table, std::size_t row) {
  if (row >= table.size())
    throw DomainError(fmt::format("{} has {} irreducible characters; there is no row {} (0-based)",
                                  table.group().name(), table.size(), row));
}

}  // namespace

FieldMatrix invariant_form(const IrreducibleRepresentation& R, const Task& task) {
  const Representation& V = R.representation;
  const std::vector<FieldMatrix> images = matrices_of_generators(V);
  bool unitary = true;
  std::vector<FieldMatrix> dual_images;
  for (const FieldMatrix& A : images) {
    const FieldMatrix inverse_adjoint = inverse(adjoint(A), task);
    unitary = unitary && inverse_adjoint == A;
    dual_images.push_back(inverse_adjoint);
  }
  if (unitary) return FieldMatrix::identity(AbelianField(), V.dimension());
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
                    right_form = i == j ? left_form : invariant_form(right, task),
                    form = kronecker_product(left_form, right_form);
  const Representation product = left.representation * right.representation;
  FiniteClebschGordan answer{table, std::move(left), std::move(right), left_form, right_form, {}};
  std::string names;
  for (const Constituent& found : decompose(product, table, BaseField::complex, task)) {
    const std::size_t row = found.irreps.front();
    names += (names.empty() ? "" : ", ") + table.name(row);
    if (only && row != *only) continue;
    TensorConstituent part{irreducible_representation(table, row, task), {}, {}, {}, {}};
    part.form = invariant_form(part.irreducible, task);
    const auto multiplicity = static_cast<std::size_t>(found.multiplicity);
    orthogonalize(part, isotypic_maps(product, part.irreducible, multiplicity, task).inclusion, form, i == j,
                  answer.left_form.rows());
    answer.constituents.push_back(std::move(part));
  }
  if (answer.constituents.empty())
    throw DomainError(fmt::format("{} is not in {} (x) {}, which holds {}", table.name(*only), table.name(i),
                                  table.name(j), names));
  verify(answer, task);
  return answer;
}

void verify(const FiniteClebschGordan& answer, const Task& task) {
  const auto failed = [](const std::string& claim) {
    throw VerificationError("Clebsch-Gordan coefficients: " + claim);
  };
  const auto left = matrices_of_generators(answer.left.representation),
             right = matrices_of_generators(answer.right.representation);
  const auto require_fixed = [&](const FieldMatrix& H, const std::vector<FieldMatrix>& images) {
    if (!(adjoint(H) == H)) failed("a form is not Hermitian");
    for (const FieldMatrix& A : images)
      if (!(adjoint(A) * (H * A) == H)) failed("a form is not fixed by a generator");
  };
  require_fixed(answer.left_form, left);
  require_fixed(answer.right_form, right);
  const FieldMatrix form = kronecker_product(answer.left_form, answer.right_form);
  for (const TensorConstituent& part : answer.constituents) {
    const std::string& name = answer.table.name(part.irreducible.row);
    const auto images = matrices_of_generators(part.irreducible.representation);
    require_fixed(part.form, images);
    for (std::size_t a = 0; a < part.maps.size(); ++a) {
      task.poll();
      for (std::size_t g = 0; g < images.size(); ++g)
        if (!(kronecker_product(left[g], right[g]) * part.maps[a] == part.maps[a] * images[g]))
          failed(fmt::format("map {} (0-based) to {} does not commute with generator {}", a, name, g));
      if (part.norms[a].sign() <= 0) failed(fmt::format("the norm of map {} to {} is not positive", a, name));
      if (part.symmetries[a] != 0 &&
          !(swapped(part.maps[a], answer.left_form.rows()) == Cyclotomic(part.symmetries[a]) * part.maps[a]))
        failed(fmt::format("map {} to {} is neither symmetric nor alternating as stated", a, name));
      const FieldMatrix image = form * part.maps[a];
      for (std::size_t b = 0; b <= a; ++b)
        if (!(adjoint(part.maps[b]) * image == (a == b ? part.norms[a] : Cyclotomic()) * part.form))
          failed(fmt::format("maps {} and {} to {} are not orthogonal with the norms stated", b, a, name));
    }
  }
}

}  // namespace intertwine
