// Orthonormal bases and invariant forms.
#include "intertwine/representations/orthonormal_basis.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "intertwine/characters/conjugates.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/clebsch_gordan.hpp"

namespace intertwine {

namespace {

FieldMatrix adjoint_of(const FieldMatrix& A) { return A.conjugate().transpose(); }

FieldMatrix diagonal_of(const std::vector<Cyclotomic>& numbers) {
  const std::size_t n = numbers.size();
  std::vector<Cyclotomic> entries(n * n);
  for (std::size_t i = 0; i < n; ++i) entries[i * n + i] = numbers[i];
  return {n, n, entries};
}

std::vector<Cyclotomic> inverses_of(const std::vector<Cyclotomic>& numbers) {
  std::vector<Cyclotomic> out;
  for (const Cyclotomic& a : numbers) out.push_back(a.inverse());
  return out;
}

std::vector<FieldMatrix> generator_images(const Representation& V) {
  std::vector<FieldMatrix> images;
  for (const Permutation& g : V.group().generators()) images.push_back(V.field_matrix(g));
  return images;
}

/// Columns and norms of a form that is Hermitian.
struct Orthogonalized {
  FieldMatrix columns;
  std::vector<Cyclotomic> norms;
};

/// The first half, then what is left of the second half across it.
Orthogonalized orthogonalized(const FieldMatrix& H, const Task& task) {
  task.poll();
  const std::size_t n = H.rows(), a = n / 2, b = n - a;
  if (n == 0) return {H, {}};
  if (n == 1) {
    const Cyclotomic norm = H(0, 0);
    if (norm.sign() <= 0) throw DomainError("orthonormal_basis: the form is not positive definite");
    return {FieldMatrix::identity(AbelianField(), 1), {norm}};
  }
  const FieldMatrix B = H.block(0, a, a, b);
  Orthogonalized first = orthogonalized(H.block(0, 0, a, a), task);
  const FieldMatrix X = first.columns * (diagonal_of(inverses_of(first.norms)) * (adjoint_of(first.columns) * B));
  Orthogonalized second = orthogonalized(H.block(a, a, b, b) - adjoint_of(B) * X, task);
  const FieldMatrix above[] = {first.columns, Cyclotomic(-1) * (X * second.columns)};
  const FieldMatrix below[] = {FieldMatrix(AbelianField(), b, a), second.columns};
  const FieldMatrix rows[] = {horizontal_stack(above), horizontal_stack(below)};
  first.norms.insert(first.norms.end(), second.norms.begin(), second.norms.end());
  return {vertical_stack(rows), std::move(first.norms)};
}

/// Vectors times a form, which is the identity more often than not.
class FormProduct {
 public:
  explicit FormProduct(const FieldMatrix& H) : H_(H), one_(H == FieldMatrix::identity(AbelianField(), H.rows())) {}
  bool is_one() const { return one_; }
  FieldMatrix operator()(const FieldMatrix& X) const { return one_ ? X : H_ * X; }

 private:
  const FieldMatrix& H_;
  bool one_;
};

FieldMatrix scaled_to_one(const FieldMatrix& H) { return H(0, 0).inverse() * H; }

/// "-1/2+E(3)" in brackets before a star.
std::string as_factor(const Cyclotomic& c) {
  const std::string text = to_string(c);
  return text.find_first_of("+-", 1) == std::string::npos ? text : "(" + text + ")";
}

std::string as_decimals(std::complex<double> z) {
  const auto rounded = [](double x) { return std::abs(x) < 5e-13 ? 0.0 : x; };
  const double re = rounded(z.real()), im = rounded(z.imag());
  if (im == 0) return fmt::format("{:.6g}", re);
  return re == 0 ? fmt::format("{:.6g}i", im) : fmt::format("{:.6g}{:+.6g}i", re, im);
}

[[noreturn]] void orthonormality_fails(const std::string& claim) {
  throw VerificationError("orthonormal basis: " + claim);
}

}  // namespace

FieldMatrix invariant_hermitian_form(const Representation& V, const Task& task) {
  const std::size_t n = V.dimension();
  const FieldMatrix one = FieldMatrix::identity(AbelianField(), n);
  if (V.is_monomial()) return one;
  const std::vector<FieldMatrix> images = generator_images(V);
  bool unitary = true;
  for (const FieldMatrix& A : images) unitary = unitary && adjoint_of(A) * A == one;
  if (unitary) return one;
  const StabilizerChain& chain = V.group().chain(task);
  FieldMatrix H = one;
  for (std::size_t level = 0; level < chain.length(); ++level) {
    FieldMatrix sum(V.field(), n, n);
    std::size_t done = 0;
    for (const Point x : chain.orbit(level)) {
      task.progress("invariant form", done++, chain.orbit(level).size());
      const FieldMatrix A = V.field_matrix(chain.transversal(level, x));
      sum = sum + adjoint_of(A) * (H * A);
    }
    H = scaled_to_one(sum);
  }
  return H;
}

FieldMatrix invariant_form(const IrreducibleForm& form, const IrreducibleRepresentation& R, const Task& task) {
  const FieldMatrix H = invariant_form(R, task);
  const AbelianField &F = form.representation.field(), &K = R.representation.field();
  const std::size_t d = R.representation.dimension(), n = form.representation.dimension(), r = n / d;
  if (r == 1) return H;
  std::vector<Cyclotomic> powers{1};
  while (powers.size() < r) powers.push_back(powers.back() * K.generator());
  const auto automorphisms = automorphisms_over(K, F);
  const FieldMatrix G = H.over(K);
  std::vector<Cyclotomic> entries(n * n);
  for (std::size_t j = 0; j < r; ++j)
    for (std::size_t l = 0; l < r; ++l) {
      const FieldMatrix part = (powers[j].conjugate() * powers[l]) * G;
      FieldMatrix trace(K, d, d);
      for (const std::uint32_t k : automorphisms) trace = trace + part.galois_conjugate(k);
      for (std::size_t i = 0; i < d; ++i)
        for (std::size_t k = 0; k < d; ++k) entries[(i * r + j) * n + k * r + l] = trace(i, k);
    }
  return scaled_to_one(FieldMatrix(n, n, entries));
}

std::complex<double> RootMatrix::operator()(std::size_t i, std::size_t k) const {
  return matrix(i, k).to_complex() * std::sqrt(row_norms[i].to_complex().real() / col_norms[k].to_complex().real());
}

std::optional<SignedRoot> RootMatrix::signed_root(std::size_t i, std::size_t k) const {
  const Cyclotomic c = matrix(i, k);
  if (c.is_zero()) return SignedRoot();
  const Cyclotomic quotient = row_norms[i] / col_norms[k];
  if (!c.is_rational() || !quotient.is_rational()) return std::nullopt;
  return SignedRoot(c.to_rational()) * SignedRoot::of_signed_square(quotient.to_rational());
}

std::string RootMatrix::entry(std::size_t i, std::size_t k) const {
  const Cyclotomic c = matrix(i, k);
  if (c.is_zero()) return "0";
  const Cyclotomic quotient = row_norms[i] == col_norms[k] ? Cyclotomic(1) : row_norms[i] / col_norms[k];
  if (!quotient.is_rational()) return as_decimals((*this)(i, k));
  const SignedRoot root = SignedRoot::of_signed_square(quotient.to_rational());
  if (c.is_rational()) return to_string(SignedRoot(c.to_rational()) * root);
  if (const auto rational = root.to_rational()) return to_string(c * Cyclotomic(*rational));
  return as_factor(c) + "*" + to_string(root);
}

RootMatrix OrthonormalBasis::vectors() const {
  return {columns, std::vector<Cyclotomic>(norms.size(), Cyclotomic(1)), norms};
}

RootMatrix OrthonormalBasis::matrix(const FieldMatrix& A) const {
  // columns^-1 = diag(norms)^-1 columns^* H.
  return {diagonal_of(inverses_of(norms)) * (adjoint_of(columns) * (form * (A * columns))), norms, norms};
}

OrthonormalBasis orthonormal_basis(const FieldMatrix& form, const Task& task) {
  if (form.rows() != form.cols() || !(adjoint_of(form) == form))
    throw DomainError("orthonormal_basis: the form is not Hermitian");
  Orthogonalized found = orthogonalized(form, task);
  return {form, std::move(found.columns), std::move(found.norms)};
}

void verify(const OrthonormalBasis& basis, const std::vector<FieldMatrix>& images, const Task& task) {
  const FieldMatrix& H = basis.form;
  if (basis.columns.rows() != H.rows() || basis.columns.cols() != H.rows() || basis.norms.size() != H.rows())
    orthonormality_fails("the vectors are not as many as the form has rows");
  for (const Cyclotomic& norm : basis.norms)
    if (!norm.is_real() || norm.sign() <= 0) orthonormality_fails("a norm is not positive");
  if (!(adjoint_of(basis.columns) * (H * basis.columns) == diagonal_of(basis.norms)))
    orthonormality_fails("the vectors are not orthogonal with the norms stated");
  for (const FieldMatrix& A : images) {
    task.poll();
    if (!(adjoint_of(A) * (H * A) == H)) orthonormality_fails("the form is not fixed by a generator");
  }
}

OrthonormalForms orthonormal_forms(IrreducibleForms forms, const Task& task) {
  std::vector<OrthonormalBasis> bases;
  for (const auto& [complex, form] : forms.entries) {
    task.progress("orthonormal bases", bases.size(), forms.entries.size());
    bases.push_back(orthonormal_basis(invariant_form(form, complex, task), task));
    verify(bases.back(), generator_images(form.representation), task);
  }
  return {std::move(forms), std::move(bases)};
}

RootMatrix OrthonormalComponent::basis() const {
  return {vectors, std::vector<Cyclotomic>(vectors.rows(), Cyclotomic(1)), norms};
}

namespace {

/// Copies T_1, T_2, ... of a representation made orthogonal to each other: T_b - T_a (T_a^* H T_a)^-1 T_a^* H T_b commutes as T_b does.
std::vector<FieldMatrix> orthogonal_to_each_other(const IsotypicComponent& part, const FormProduct& H,
                                                  const Task& task) {
  const std::size_t n = part.inclusion.rows(), d = part.degree;
  std::vector<FieldMatrix> copies, duals;  // duals: (T^* H T)^-1 T^* H
  for (std::size_t b = 0; b < part.multiplicity; ++b) {
    task.poll();
    FieldMatrix T = part.inclusion.block(0, b * d, n, d);
    for (std::size_t a = 0; a < copies.size(); ++a) T = T - copies[a] * (duals[a] * T);
    const FieldMatrix dual = adjoint_of(H(T));
    duals.push_back(inverse(dual * T, task) * dual);
    copies.push_back(std::move(T));
  }
  return copies;
}

OrthonormalComponent orthonormal_component(const IsotypicComponent& part, const FormProduct& H, const Task& task) {
  const std::vector<FieldMatrix> copies = orthogonal_to_each_other(part, H, task);
  const FieldMatrix own = scaled_to_one(adjoint_of(copies[0]) * H(copies[0]));
  const OrthonormalBasis basis = orthonormal_basis(own, task);
  OrthonormalComponent out;
  std::vector<FieldMatrix> vectors;
  for (const FieldMatrix& T : copies) {
    const FieldMatrix gram = adjoint_of(T) * H(T);
    const Cyclotomic size = gram(0, 0);
    if (!(gram == size * own))
      throw InternalError("orthonormal_decomposition: the forms of two copies are not proportional");
    vectors.push_back(T * basis.columns);
    for (const Cyclotomic& norm : basis.norms) out.norms.push_back(size * norm);
  }
  out.vectors = horizontal_stack(vectors);
  for (const FieldMatrix& A : part.matrices) out.matrices.push_back(basis.matrix(A));
  return out;
}

/// The generators act on every copy by the matrices.
void require_action(const OrthonormalComponent& part, const Representation& V, const Task& task) {
  for (std::size_t g = 0; g < part.matrices.size(); ++g) {
    task.poll();
    const RootMatrix& R = part.matrices[g];
    const std::size_t d = R.row_norms.size();
    const FieldMatrix moved = V.apply(V.group().generators()[g], part.vectors);
    for (std::size_t a = 0; a < part.norms.size(); a += d) {
      // The roots cancel: the norms of a copy are those of the matrices times one number.
      if (!(moved.block(0, a, moved.rows(), d) == part.vectors.block(0, a, moved.rows(), d) * R.matrix))
        orthonormality_fails(fmt::format("generator {} (0-based) does not act on a copy as stated", g));
      for (std::size_t k = 0; k < d; ++k)
        if (!(part.norms[a + k] * R.row_norms[0] == part.norms[a] * R.row_norms[k]) ||
            !(R.row_norms[k] == R.col_norms[k]))
          orthonormality_fails("the norms of a copy are not those of its matrices");
    }
  }
}

}  // namespace

OrthonormalDecomposition orthonormal_decomposition(const Representation& V,
                                                   const std::vector<IsotypicComponent>& components, BaseField over,
                                                   const Task& task) {
  if (over == BaseField::rational)
    throw DomainError(
        "orthonormal bases have square roots in them, and are over the real or the complex numbers: "
        "decompose over one of these",
        Remedy::field);
  OrthonormalDecomposition out{invariant_hermitian_form(V, task), {}};
  const FormProduct H(out.form);
  for (const IsotypicComponent& part : components) {
    task.progress("orthonormal bases of components", out.components.size(), components.size());
    out.components.push_back(orthonormal_component(part, H, task));
  }
  verify(out, V, task);
  return out;
}

void verify(const OrthonormalDecomposition& found, const Representation& V, const Task& task) {
  const FormProduct H(found.form);
  const std::size_t n = V.dimension();
  if (!(V.is_monomial() && H.is_one()))  // signed permutations are orthogonal
    for (const FieldMatrix& A : generator_images(V))
      if (!(adjoint_of(A) * H(A) == found.form)) orthonormality_fails("the form is not fixed by a generator");
  std::vector<FieldMatrix> all;
  for (const OrthonormalComponent& part : found.components) all.push_back(part.vectors);
  const FieldMatrix dual = adjoint_of(horizontal_stack(all));
  std::size_t first = 0;
  for (const OrthonormalComponent& part : found.components) {
    task.poll();
    const std::size_t width = part.norms.size();
    for (const Cyclotomic& norm : part.norms)
      if (!norm.is_real() || norm.sign() <= 0) orthonormality_fails("a norm is not positive");
    const FieldMatrix gram = dual * H(part.vectors);
    const std::size_t after = first + width;
    if (part.vectors.cols() != width || !gram.block(0, 0, first, width).is_zero() ||
        !(gram.block(first, 0, width, width) == diagonal_of(part.norms)) ||
        !gram.block(after, 0, gram.rows() - after, width).is_zero())
      orthonormality_fails("the vectors are not orthogonal with the norms stated");
    require_action(part, V, task);
    first = after;
  }
  if (first != n) orthonormality_fails("the vectors are not as many as the dimension");
}

}  // namespace intertwine
