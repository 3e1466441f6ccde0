// Ideals and short numbers of number fields.
#include "field_ideals.hpp"

#include <utility>

#include "ideal_generator.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/prime_field.hpp"

namespace intertwine {

RationalMatrix basis_of_integers(const AbelianField& K, const Task& task) {
  const AbelianField whole = AbelianField::cyclotomic(K.conductor());
  std::vector<Rational> entries;
  Cyclotomic power = 1;
  for (std::size_t l = 0; l < K.degree(); ++l, power *= K.generator())
    for (const Rational& c : whole.coordinates(power)) entries.push_back(c);
  // The integers of Q(zeta) are Z[zeta], those of K what of it lies in K.
  const RationalMatrix powers(K.degree(), whole.degree(), entries);
  const auto X = linear_solve(powers.transpose(), RationalMatrix(saturate(powers.numerator(), task).transpose()), task);
  if (!X) throw InternalError("basis_of_integers: integers of K outside of K");
  return X->is_integral() ? RationalMatrix::identity(K.degree()) : X->transpose();
}

namespace {

/// The traces to Q of the Hermitian products. Multiplication by a number and by its conjugate are adjoint, so that the form tells the size
/// under all embeddings, which coordinates do not.
IntegerMatrix trace_form(const IntegerMatrix& rows, const AbelianField& K) {
  const std::size_t m = K.degree(), n = rows.cols() / m;
  const auto product = [&](std::size_t k, std::size_t l) {
    const Cyclotomic number = K.generator().power(k) * K.generator().power(l).conjugate();
    Cyclotomic sum;
    for (const std::uint32_t g : K.automorphisms()) sum += number.galois_conjugate(g);
    return boost::multiprecision::numerator(sum.to_rational());
  };
  std::vector<IntegerMatrix> parts;
  for (std::size_t l = 0; l < m; ++l) {
    IntegerMatrix sum(rows.rows(), n);
    for (std::size_t k = 0; k < m; ++k) sum = sum + product(k, l) * rows.block(0, k * n, rows.rows(), n);
    parts.push_back(std::move(sum));
  }
  return horizontal_stack(parts) * rows.transpose();
}

/// A basis that is short under all embeddings.
IntegerMatrix short_basis_of(const IntegerMatrix& generators, const AbelianField& K) {
  const IntegerMatrix basis = lll(generators);
  return gram_reduction(trace_form(basis, K)) * basis;
}

}  // namespace

IntegerMatrix inner_products(const IntegerMatrix& rows, const AbelianField& K) {
  return K.degree() == 2 && !K.is_real() ? rows * rows.transpose() : trace_form(rows, K);
}

IntegerMatrix ideal_product(const IntegerMatrix& I, const IntegerMatrix& J, const AbelianField& K) {
  const std::size_t m = K.degree();
  std::vector<IntegerMatrix> products;  // x J for the x of the basis of I
  const IntegerMatrix multiples = times_powers(J, K);
  for (std::size_t i = 0; i < m; ++i) {
    IntegerMatrix sum(m, m);
    for (std::size_t l = 0; l < m; ++l) sum = sum + I(i, l) * multiples.block(l * m, 0, m, m);
    products.push_back(std::move(sum));
  }
  return short_basis_of(vertical_stack(products), K);
}

std::optional<Cyclotomic> principal_generator(const IntegerMatrix& I, const AbelianField& K, const Task& task) {
  const std::size_t m = K.degree();
  const RationalMatrix on_basis = RationalMatrix(times_generator(I, K)) * inverse(RationalMatrix(I), task);
  std::vector<IntegerMatrix> powers{IntegerMatrix::identity(m)};
  while (powers.size() < m) powers.push_back(powers.back() * on_basis.numerator());
  const IntegerMatrix x = ideal_generator(powers, on_basis.numerator(), trace_form(I, K), K, task) * I;
  if (abs(determinant(times_powers(x, K))) != abs(determinant(I))) return std::nullopt;
  std::vector<Rational> coordinates;
  for (std::size_t l = 0; l < m; ++l) coordinates.emplace_back(x(0, l));
  return K.element(coordinates);
}

std::vector<PrimeIdeal> prime_ideals(std::uint64_t p, const AbelianField& K) {
  const std::size_t m = K.degree();
  std::vector<std::uint64_t> minimal;
  for (const Integer& c : K.minimal_polynomial()) minimal.push_back(mpz_fdiv_ui(c.backend().data(), p));
  std::vector<PrimeIdeal> result;
  for (auto& [polynomial, multiplicity] : modular_factors(p, minimal)) {  // [Dedekind 1878]
    IntegerMatrix of_polynomial(1, m), unit(1, m);
    for (std::size_t l = 0; l < m && l < polynomial.size(); ++l) of_polynomial.set(0, l, Integer(polynomial[l]));
    unit.set(0, 0, Integer(p));
    const std::size_t f = polynomial.size() - 1;
    IntegerMatrix generators = times_powers(unit, K);
    if (f < m) generators = vertical_stack(std::vector{generators, times_powers(of_polynomial, K)});
    result.push_back({p, std::move(polynomial), multiplicity, short_basis_of(generators, K)});
  }
  return result;
}

}  // namespace intertwine
