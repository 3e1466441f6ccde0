// Bases, over the integers of a field, of lattices that its generator maps to themselves.
#include "module_basis.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "field_ideals.hpp"
#include "ideal_generator.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "module_flag.hpp"

namespace intertwine {

FieldMatrix columns_over(const AbelianField& K, const IntegerMatrix& rows) {
  const std::size_t n = rows.cols() / K.degree();
  std::vector<RationalMatrix> parts;
  for (std::size_t l = 0; l < K.degree(); ++l) parts.emplace_back(rows.block(0, l * n, rows.rows(), n).transpose());
  return {K, horizontal_stack(parts), rows.rows()};
}

namespace {

/// a b_i in the basis of the b_j; nothing if some coordinate is no integer.
std::optional<IntegerMatrix> multiplication_matrix(const IntegerMatrix& lattice, const AbelianField& K,
                                                   const Task& task) {
  std::vector<std::size_t> pivots;
  ModularMatrix(word_prime(0), lattice).echelon(&pivots, task);
  if (pivots.size() != lattice.rows()) return std::nullopt;
  const auto X = linear_solve(lattice.select_cols(pivots).transpose(),
                              times_generator(lattice, K).select_cols(pivots).transpose(), task);
  if (!X || !X->is_integral()) return std::nullopt;
  return X->numerator().transpose();
}

/// The multiplications by these integers, given the one by a.
std::vector<IntegerMatrix> multiplications(const RationalMatrix& integers, const IntegerMatrix& by_generator,
                                           const Task& task) {
  const std::size_t r = by_generator.rows();
  std::vector<IntegerMatrix> powers{IntegerMatrix::identity(r)}, result;
  while (powers.size() < integers.cols()) powers.push_back(powers.back() * by_generator);
  for (std::size_t j = 0; j < integers.rows(); ++j) {
    task.poll();
    IntegerMatrix sum(r, r);
    for (std::size_t l = 0; l < powers.size(); ++l)
      if (integers.numerator().sign(j, l) != 0) sum = sum + integers.numerator()(j, l) * powers[l];
    result.push_back(exact_quotient(sum, integers.denominator()));
  }
  return result;
}

/// A multiple of the lattice that these rows generate over the integers of K.
IntegerMatrix closed(const IntegerMatrix& rows, const RationalMatrix& integers, const AbelianField& K) {
  if (integers.denominator() == 1) return rows;
  std::vector<IntegerMatrix> powers{rows}, parts;
  while (powers.size() < K.degree()) powers.push_back(times_generator(powers.back(), K));
  for (std::size_t j = 0; j < integers.rows(); ++j) {
    IntegerMatrix sum(rows.rows(), rows.cols());
    for (std::size_t l = 0; l < powers.size(); ++l) sum = sum + integers.numerator()(j, l) * powers[l];
    parts.push_back(std::move(sum));
  }
  const IntegerMatrix all = vertical_stack(parts);
  return lll(exact_quotient(all, all.content()));
}

/// Vectors of a flag: a basis over the integers where the module is free and all goes well, otherwise independent, and maybe fewer.
IntegerMatrix vectors_of_flag(const IntegerMatrix& rows, const AbelianField& K, const Task& task) {
  const RationalMatrix integers = basis_of_integers(K, task);
  IntegerMatrix lattice = closed(rows, integers, K);
  IntegerMatrix gram = inner_products(lattice, K);
  const std::uint64_t r = lattice.rows(), m = K.degree();
  const bool is_small =
      r <= (m == 2 ? 64 : 200);  // where the exact reduction of inner products, which nothing stops, is fast
  if (is_small) {
    const IntegerMatrix U = gram_reduction(gram);
    lattice = U * lattice;
    gram = U * gram * U.transpose();
  }
  task.require_memory(8 * r * r * (2 * m + 1), "the multiplications on a module");
  const auto by_generator = multiplication_matrix(lattice, K, task);
  if (!by_generator) return {0, rows.cols()};
  const ModuleFlag flag = module_flag(gram, multiplications(integers, *by_generator, task), task);
  if (flag.last.rows() == 0) return flag.vectors * lattice;
  const RationalMatrix generator = inverse(integers, task).block(1, 0, 1, m);
  IntegerMatrix on_quotient(m, m);
  for (std::size_t l = 0; l < m; ++l) on_quotient = on_quotient + generator.numerator()(0, l) * flag.actions[l];
  const IntegerMatrix parts[] = {flag.vectors,
                                 ideal_generator(flag.actions, on_quotient, flag.form, K, task) * flag.last};
  return vertical_stack(parts) * lattice;
}

/// The rows by length.
IntegerMatrix sorted(const IntegerMatrix& rows) {
  const IntegerMatrix gram = rows * rows.transpose();
  std::vector<std::pair<Integer, std::size_t>> lengths;
  for (std::size_t i = 0; i < rows.rows(); ++i) lengths.emplace_back(gram(i, i), i);
  std::sort(lengths.begin(), lengths.end());
  std::vector<std::size_t> order;
  for (const auto& [length, i] : lengths) order.push_back(i);
  return rows.select_rows(order);
}

}  // namespace

IntegerMatrix module_basis(const IntegerMatrix& lattice, const AbelianField& K, const Task& task) {
  if (K.degree() == 1 || lattice.rows() == 0) return lattice;
  const IntegerMatrix vectors = vectors_of_flag(lattice, K, task);
  if (vectors.rows() * K.degree() == lattice.rows()) return vectors;
  const IntegerMatrix parts[] = {vectors, sorted(lattice)}, all = vertical_stack(parts);
  std::vector<std::size_t> pivots;
  const auto reduced = columns_over(K, all).reduce(K.split_prime(0), 0);
  if (!reduced) throw InternalError("module_basis: an integral matrix has no residues");
  reduced->echelon(&pivots);
  return all.select_rows(pivots);
}

}  // namespace intertwine
