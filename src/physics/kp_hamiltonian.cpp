// Terms of k.p Hamiltonians: Hermitian matrices times monomials, averaged over the operations at a wave vector.
#include "intertwine/physics/kp_hamiltonian.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "physics/level_forms.hpp"

namespace intertwine {

namespace {

using Exponents = KpTerm::Exponents;
using LinearForms = std::array<std::array<Cyclotomic, 3>, 3>;  // row j: what stands for variable j
using CyclotomicPolynomial = std::map<Exponents, Cyclotomic, std::greater<>>;

/// For IncrementalEchelon.
struct CyclotomicField {
  using Element = Cyclotomic;
  static Cyclotomic add(const Cyclotomic& a, const Cyclotomic& b) { return a + b; }
  static Cyclotomic negative(const Cyclotomic& a) { return -a; }
  static Cyclotomic multiply(const Cyclotomic& a, const Cyclotomic& b) { return a * b; }
  static Cyclotomic inverse(const Cyclotomic& a) { return a.inverse(); }
};

std::vector<Exponents> monomials_of(unsigned order) {
  std::vector<Exponents> list;
  for (unsigned a = order + 1; a-- > 0;)
    for (unsigned b = order - a + 1; b-- > 0;) list.push_back({a, b, order - a - b});
  return list;
}

/// The monomial with linear forms for its variables.
CyclotomicPolynomial substituted(const Exponents& monomial, const LinearForms& forms) {
  CyclotomicPolynomial result{{Exponents{}, 1}};
  for (std::size_t j = 0; j < 3; ++j)
    for (unsigned e = 0; e < monomial[j]; ++e) {
      CyclotomicPolynomial next;
      for (const auto& [exponents, x] : result)
        for (std::size_t i = 0; i < 3; ++i) {
          if (forms[j][i].is_zero()) continue;
          Exponents raised = exponents;
          ++raised[i];
          next[raised] += x * forms[j][i];
        }
      result = std::move(next);
    }
  return result;
}

/// An operation on matrices of polynomials: a matrix, and for every monomial what it becomes.
struct KpOperation {
  const CyclotomicMatrix* matrix;
  bool reverses;
  std::vector<std::vector<std::pair<std::size_t, Cyclotomic>>> moved;
};

class KpAverages {
 public:
  KpAverages(const LittleGroup& little, const LevelForms& forms, unsigned order)
      : monomials_(monomials_of(order)), size_(forms.operations.front().n) {
    for (std::size_t g = 0; g < forms.operations.size(); ++g) add(little.operations[g], forms.operations[g], false);
    for (std::size_t a = 0; a < forms.antiunitary.size(); ++a) add(little.antiunitary[a], forms.antiunitary[a], true);
  }

  const std::vector<Exponents>& monomials() const { return monomials_; }
  std::size_t size() const { return size_; }

  /// The sum over all operations of the images of z E_ij + conj(z) E_ji times a monomial, as one list of entries,
  /// monomial by monomial.
  std::vector<Cyclotomic> average(std::size_t monomial, std::size_t i, std::size_t j, const Cyclotomic& z,
                                  const Task& task) const {
    const std::size_t n = size_;
    std::vector<Cyclotomic> sum(monomials_.size() * n * n);
    for (const KpOperation& g : operations_) {
      task.poll();
      const CyclotomicMatrix& D = *g.matrix;
      const Cyclotomic here = g.reverses ? z.conjugate() : z;
      for (std::size_t r = 0; r < n; ++r) {
        if (D(r, i).is_zero()) continue;
        const Cyclotomic left = here * D(r, i);
        for (std::size_t s = 0; s < n; ++s) {
          if (D(s, j).is_zero()) continue;
          const Cyclotomic x = left * D(s, j).conjugate(), y = x.conjugate();
          for (const auto& [to, coefficient] : g.moved[monomial]) {
            sum[(to * n + r) * n + s] += coefficient * x;
            sum[(to * n + s) * n + r] += coefficient * y;
          }
        }
      }
    }
    return sum;
  }

 private:
  void add(const SpaceOperation& g, const CyclotomicMatrix& matrix, bool reverses) {
    // The image of H is D H(g^-1 q) D^-1, and g^-1 q = q W, or -q W.
    LinearForms forms;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) forms[j][i] = reverses ? -g.W[i][j] : g.W[i][j];
    KpOperation operation{&matrix, reverses, {}};
    for (const Exponents& monomial : monomials_) {
      operation.moved.emplace_back();
      for (const auto& [exponents, x] : substituted(monomial, forms))
        if (!x.is_zero())
          operation.moved.back().emplace_back(
              static_cast<std::size_t>(std::ranges::find(monomials_, exponents) - monomials_.begin()), x);
    }
    operations_.push_back(std::move(operation));
  }

  std::vector<Exponents> monomials_;
  std::size_t size_;
  std::vector<KpOperation> operations_;
};

/// Multiplies by a real number, so that the first entry is rational or i times it, if it is real or imaginary, and all
/// coefficients are integers without a common factor.
void make_primitive(std::vector<Cyclotomic>& entries) {
  const auto first = std::ranges::find_if(entries, [](const Cyclotomic& x) { return !x.is_zero(); });
  if (first == entries.end()) return;
  const Cyclotomic i = Cyclotomic::root_of_unity(4);
  Cyclotomic scale = 1;
  if (first->is_real())
    scale = first->inverse();
  else if ((*first * i).is_real())
    scale = (*first * -i).inverse();
  for (Cyclotomic& x : entries) x *= scale;
  Integer common = 0, denominators = 1;
  for (const Cyclotomic& x : entries)
    for (const auto& [exponent, coefficient] : x.terms()) {
      common = gcd(common, numerator(coefficient));
      denominators = lcm(denominators, denominator(coefficient));
    }
  const Cyclotomic whole(Rational(denominators, common));
  for (Cyclotomic& x : entries) x *= whole;
}

LinearForms axes_forms(const FieldMatrix& axes) {
  if (axes.rows() != 3 || axes.cols() != 3)
    throw DomainError("axes: the edges of the cell are the rows of a 3 x 3 matrix, and this one is " +
                      std::to_string(axes.rows()) + " x " + std::to_string(axes.cols()));
  LinearForms forms;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      forms[i][j] = axes(i, j);
      if (!forms[i][j].is_real())
        throw DomainError("axes: the edges of the cell have real coordinates, and entry " + std::to_string(i + 1) +
                          ", " + std::to_string(j + 1) + " is not real");
    }
  if (matrix_rank(axes) != 3) throw DomainError("axes: the edges of the cell are independent, and these are not");
  return forms;
}

/// Polynomials with other variables.
std::vector<Cyclotomic> in_axes(const std::vector<Cyclotomic>& entries, const std::vector<Exponents>& monomials,
                                std::size_t size, const LinearForms& forms) {
  std::vector<Cyclotomic> result(entries.size());
  const std::size_t square = size * size;
  for (std::size_t k = 0; k < monomials.size(); ++k)
    for (const auto& [exponents, x] : substituted(monomials[k], forms)) {
      const auto to = static_cast<std::size_t>(std::ranges::find(monomials, exponents) - monomials.begin());
      for (std::size_t e = 0; e < square; ++e)
        if (!entries[k * square + e].is_zero()) result[to * square + e] += x * entries[k * square + e];
    }
  return result;
}

}  // namespace

std::vector<KpTerm> kp_terms(const LittleGroup& little, std::size_t level, unsigned order,
                             const std::optional<FieldMatrix>& axes, const Task& task) {
  constexpr unsigned most = 20;
  if (order > most)
    throw LimitError("terms of order " + std::to_string(order) + " of k.p Hamiltonians are not found; the limit is " +
                     std::to_string(most));
  std::optional<LinearForms> variables;
  if (axes) variables = axes_forms(*axes);
  const LevelForms forms = level_forms(little, level, task);
  const std::size_t wanted = kp_dimensions(little, order, task)[level];
  const KpAverages averages(little, forms, order);
  const std::size_t n = averages.size(), count = averages.monomials().size();
  const CyclotomicField field;
  IncrementalEchelon<CyclotomicField> found(field, count * n * n);
  std::vector<KpTerm> terms;
  const auto consider = [&](std::size_t monomial, std::size_t i, std::size_t j, const Cyclotomic& z) {
    if (terms.size() == wanted) return;
    std::vector<Cyclotomic> sum = averages.average(monomial, i, j, z, task);
    if (!found.insert(sum)) return;
    if (variables) sum = in_axes(sum, averages.monomials(), n, *variables);
    make_primitive(sum);
    KpTerm term;
    for (std::size_t m = 0; m < count; ++m) {
      const std::span<const Cyclotomic> block(sum.data() + m * n * n, n * n);
      if (std::ranges::any_of(block, [](const Cyclotomic& x) { return !x.is_zero(); }))
        term.monomials.emplace_back(averages.monomials()[m], FieldMatrix(n, n, block));
    }
    terms.push_back(std::move(term));
  };
  const Cyclotomic imaginary = Cyclotomic::root_of_unity(4);
  for (std::size_t m = 0; m < count; ++m)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i; j < n; ++j) {
        consider(m, i, j, 1);
        if (i != j) consider(m, i, j, imaginary);
      }
  if (terms.size() != wanted)
    throw InternalError("kp_terms: there are " + std::to_string(terms.size()) + " terms, and characters count " +
                        std::to_string(wanted));
  return terms;
}

}  // namespace intertwine
