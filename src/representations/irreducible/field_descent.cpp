// Brings representations down to smaller fields.
#include "field_descent.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "intertwine/characters/conjugates.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/norm_equation.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/representations/submodule.hpp"
#include "representations/expressions/node.hpp"
#include "representations/lattices/balanced_basis.hpp"
#include "representations/lattices/module_basis.hpp"
#include "seed_space.hpp"

namespace intertwine {

namespace {

/// A (columns over K) in the basis b_j e_i -> i r + j of K^n over F, b_j the powers of K's generator.
FieldMatrix restricted_columns(const FieldMatrix& A, const AbelianField& F) {
  const std::size_t r = A.field().degree() / F.degree();
  std::vector<std::size_t> first(A.cols());
  for (std::size_t j = 0; j < first.size(); ++j) first[j] = j * r;
  return restrict_scalars(A, F).select_cols(first);
}

/// The inverse of that.
FieldMatrix extended_columns(const FieldMatrix& C, const AbelianField& K) {
  const std::size_t r = K.degree() / C.field().degree(), n = C.rows() / r;
  FieldMatrix result(K, n, C.cols());
  Cyclotomic power = 1;
  for (std::size_t t = 0; t < r; ++t, power *= K.generator()) {
    std::vector<std::size_t> rows(n);
    for (std::size_t i = 0; i < n; ++i) rows[i] = i * r + t;
    result = result + (power * C.select_rows(rows)).over(K);
  }
  return result;
}

/// The columns as integral rows over Z, times a common denominator: coordinates at a^l in columns l n + i.
IntegerMatrix lattice_rows(const FieldMatrix& C) {
  const std::size_t n = C.rows(), m = C.field().degree(), count = C.cols();
  const IntegerMatrix& coefficients = C.coefficients().numerator();
  IntegerMatrix rows(count, m * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t l = 0; l < m; ++l)
      for (std::size_t j = 0; j < count; ++j)
        if (coefficients.sign(i, l * count + j) != 0) rows.set(j, l * n + i, coefficients(i, l * count + j));
  return rows;
}

/// A times the number of the field that makes it integral and short.
FieldMatrix shortest_multiple(const FieldMatrix& A, const Task& task) {
  const AbelianField& K = A.field();
  const std::size_t entries = A.rows() * A.cols(), m = K.degree();
  FieldMatrix line = A.reshape(entries, 1);
  std::vector<FieldMatrix> multiples;
  for (std::size_t t = 0; t < m; ++t, line = (K.generator() * line).over(K)) multiples.push_back(line);
  const IntegerMatrix reduced = lll(saturate(lattice_rows(horizontal_stack(multiples)), task), task);
  return columns_over(K, reduced.block(0, 0, 1, reduced.cols())).reshape(A.rows(), A.cols());
}

class Descent {
 public:
  Descent(const IrreducibleRepresentation& R, const AbelianField& K, const Task& task)
      : task_(task), V_(R.representation), seed_(R.seed), K_(K) {
    for (const Permutation& s : V_.group().generators()) matrices_.push_back(V_.field_matrix(s).over(K));
    words_ = spin_words(matrices_, seed_.vector, task);
    basis_ = spun(seed_.vector.over(K));
  }

  /// Down to E, which contains the character field; nothing if a norm equation was not solved.
  std::optional<FieldDescent> operator()(const AbelianField& E) const {
    FieldDescent result{K_, FieldMatrix::identity(K_, static_cast<std::size_t>(V_.dimension()))};
    while (result.field.degree() > E.degree()) {
      task_.poll();
      const auto fixing = automorphisms_over(result.field, E);
      const std::uint32_t k = of_prime_order(result.field, fixing);
      auto next = step(result, k);
      if (!next) return std::nullopt;
      result = std::move(*next);
    }
    return result;
  }

 private:
  FieldMatrix spun(const FieldMatrix& vector) const {
    return horizontal_stack(apply_words(
                                words_, vector,
                                [&](std::size_t s, const FieldMatrix& x) { return (matrices_[s] * x).over(K_); },
                                task_))
        .over(K_);
  }

  /// An automorphism of prime order among those given, not all trivial.
  static std::uint32_t of_prime_order(const AbelianField& L, const std::vector<std::uint32_t>& fixing) {
    const std::uint32_t n = L.conductor();
    const auto order = [&](std::uint64_t k) {
      std::uint64_t power = k;
      std::uint32_t e = 1;
      for (; L.generator().galois_conjugate(static_cast<std::int64_t>(power)) != L.generator(); power = power * k % n)
        ++e;
      return e;
    };
    const std::uint64_t k = fixing.at(1);
    const std::uint32_t e = order(k);
    return static_cast<std::uint32_t>(power_modulo(k, e / prime_divisors(e).front(), n));
  }

  /// k modulo the conductor of L as an exponent that is coprime to that of K.
  std::uint32_t on_whole_field(std::uint32_t k, const AbelianField& L) const {
    while (std::gcd(k, K_.conductor()) != 1) k += L.conductor();
    return k % std::max(K_.conductor(), 2u);
  }

  /// X over L with R X = X s(R) for R in the form over L, short.
  FieldMatrix intertwiner(const FieldDescent& form, std::uint32_t k) const {
    std::vector<Cyclotomic> values = seed_.values;
    for (Cyclotomic& x : values) x = x.galois_conjugate(k);
    const FieldMatrix image = right_eigenvectors(V_, seed_.generators, values, K_, task_);
    if (image.cols() != 1) throw InternalError("field descent: the conjugate of a seed is not single");
    const FieldMatrix conjugate = basis_.galois_conjugate(k).over(K_);
    FieldMatrix X = (spun(image) * inverse(conjugate, task_)).over(K_);
    for (const FieldMatrix& A : matrices_)
      if (!(A * X == X * A.galois_conjugate(k))) throw InternalError("field descent: a conjugate is not isomorphic");
    X = inverse(form.columns, task_) * X * form.columns.galois_conjugate(k);
    std::size_t j = 0;
    while (X(0, j).is_zero()) ++j;
    return shortest_multiple((X(0, j).inverse() * X).over(form.field), task_);
  }

  /// The smallest lattice with this one in it that the group and the generator of F map to themselves, up to a factor.
  IntegerMatrix kept_by_group(IntegerMatrix lattice, const FieldDescent& form, const AbelianField& F) const {
    const FieldMatrix back = inverse(form.columns, task_);
    std::vector<FieldMatrix> maps;
    for (const FieldMatrix& A : matrices_)
      maps.push_back(restrict_scalars((back * A * form.columns).over(form.field), F));
    if (!F.is_rational()) maps.push_back(F.generator() * FieldMatrix::identity(F, maps.at(0).rows()));
    for (std::size_t kept = 0, at = 0; kept < maps.size(); at = (at + 1) % maps.size()) {
      task_.poll();
      const FieldMatrix vectors = columns_over(F, lattice), images = (maps[at] * vectors).over(F);
      const RationalMatrix rows(lattice_rows(images), images.coefficients().denominator());
      const auto coordinates = linear_solve(RationalMatrix(lattice.transpose()), rows.transpose(), task_);
      if (!coordinates) throw InternalError("field descent: the fixed vectors are not kept");
      ++kept;
      if (coordinates->is_integral()) continue;
      kept = 0;
      const std::vector<FieldMatrix> both{vectors, images};
      const IntegerMatrix larger = lattice_rows(horizontal_stack(both).over(F));
      lattice = lll(exact_quotient(larger, larger.content()));
    }
    return lattice;
  }

  /// From L to the field that zeta -> zeta^k, of prime order, fixes.
  std::optional<FieldDescent> step(const FieldDescent& form, std::uint32_t on_form) const {
    const AbelianField& L = form.field;
    const std::uint32_t k = on_whole_field(on_form, L);
    const AbelianField F = fixed_field(L, on_form);
    const std::size_t l = L.degree() / F.degree(), d = form.columns.rows();
    FieldMatrix X = intertwiner(form, k);
    FieldMatrix product = X;
    for (std::size_t i = 1; i < l; ++i) product = (X * product.galois_conjugate(k)).over(L);
    const Cyclotomic c = product(0, 0);
    if (!(product == c * FieldMatrix::identity(L, d)))
      throw InternalError("field descent: a product of conjugates is no number");
    const auto a = solve_norm_equation(L, on_form, c, task_);
    if (!a) return std::nullopt;
    X = (a->inverse() * X).over(L);
    std::vector<FieldMatrix> traces;  // of all integral vectors
    Cyclotomic power = 1;
    for (std::size_t t = 0; t < L.degree(); ++t, power *= L.generator()) {
      FieldMatrix moved = (power * FieldMatrix::identity(L, d)).over(L), sum = moved;
      for (std::size_t i = 1; i < l; ++i) {
        moved = (X * moved.galois_conjugate(k)).over(L);
        sum = sum + moved;
      }
      traces.push_back(sum);
    }
    const IntegerMatrix lattice =
        kept_by_group(lll(lattice_rows(restricted_columns(horizontal_stack(traces).over(L), F))), form, F);
    if (lattice.rows() != d * F.degree())
      throw InternalError("field descent: the fixed vectors have the wrong dimension");
    const FieldMatrix C = balanced_basis(columns_over(F, module_basis(lattice, F, task_)), F, task_);
    return FieldDescent{F, (form.columns * extended_columns(C.over(F), L)).over(K_)};
  }

  const Task& task_;
  Representation V_;
  MultiplicityOneSeed seed_;
  AbelianField K_;
  std::vector<FieldMatrix> matrices_;
  SpinWords words_;
  FieldMatrix basis_;  ///< a basis of K^d: the words on the seed
};

/// The fields between F and K of this degree.
std::vector<AbelianField> fields_between(const AbelianField& F, const AbelianField& K, std::size_t degree) {
  std::vector<AbelianField> all{K}, result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const AbelianField L = all[i];
    if (L.degree() == degree) result.push_back(L);
    if (L.degree() <= degree) continue;
    for (const std::uint32_t k : automorphisms_over(L, F)) {
      AbelianField smaller = fixed_field(L, k);
      if (std::find(all.begin(), all.end(), smaller) == all.end()) all.push_back(std::move(smaller));
    }
  }
  return result;
}

/// The cyclic fields of degree m over Q and of this conductor. They are fixed by m-th powers.
std::vector<AbelianField> cyclic_fields(std::uint32_t n, std::uint32_t m) {
  AbelianField all = AbelianField::cyclotomic(n);
  for (const std::uint64_t g : unit_generators(n)) {
    const std::uint32_t conductor = all.conductor();
    all = fixed_field(all, static_cast<std::uint32_t>(power_modulo(g, m, conductor)));
  }
  std::vector<AbelianField> result;
  for (AbelianField& L : fields_between(AbelianField(), all, m)) {
    const auto& group = L.automorphisms();
    const bool cyclic =
        std::any_of(group.begin(), group.end(), [&](std::uint32_t k) { return fixed_field(L, k).is_rational(); });
    if (cyclic && L.conductor() == n) result.push_back(std::move(L));
  }
  return result;
}

bool is_real_character(const CharacterTable& table, std::size_t row) { return table.indicator(row) == 1; }

/// Fields of degree m over that of the character that split it, m its Schur index. K is the field of the matrices.
class SplittingFields {
 public:
  SplittingFields(const CharacterTable& table, std::size_t row, const SchurIndex& index)
      : table_(table), row_(row), index_(index), F_(AbelianField::generated_by(table.row(row))) {}

  std::vector<AbelianField> inside(const AbelianField& K) const {
    std::vector<AbelianField> result = fields_between(F_, K, F_.degree() * index_.index);
    std::erase_if(result, [&](const AbelianField& E) { return !splits(E); });
    return result;
  }
  /// Composita with cyclic fields, those that lie with K in the smallest cyclotomic fields first.
  std::vector<AbelianField> beside(const AbelianField& K, const Task& task) const {
    constexpr std::uint32_t largest_conductor = 240;
    constexpr std::size_t most = 8;
    std::vector<AbelianField> result;
    if (index_.index == 1) return result;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> conductors;
    for (std::uint32_t n = 3; n <= largest_conductor; ++n)
      if (n % 4 != 2 && totient(n) % index_.index == 0) conductors.emplace_back(std::lcm(n, K.conductor()), n);
    std::sort(conductors.begin(), conductors.end());
    for (const auto& [common, n] : conductors)
      for (const AbelianField& L : cyclic_fields(n, index_.index)) {
        task.poll();
        AbelianField E = AbelianField::compositum(F_, L);
        if (E.degree() == F_.degree() * index_.index && !K.contains(E) && splits(E)) result.push_back(std::move(E));
        if (result.size() == most) return result;
      }
    return result;
  }

 private:
  bool splits(const AbelianField& E) const {
    return (E.is_real() || !is_real_character(table_, row_)) && schur_index_over(E, index_, table_, row_).index == 1;
  }

  const CharacterTable& table_;
  std::size_t row_;
  const SchurIndex& index_;
  AbelianField F_;
};

}  // namespace

bool is_over_least_field(const IrreducibleRepresentation& R, const CharacterTable& table, const SchurIndex& index) {
  const AbelianField& K = R.representation.field();
  return K.degree() == AbelianField::generated_by(table.row(R.row)).degree() * index.index &&
         (K.is_real() || !is_real_character(table, R.row));
}

std::vector<AbelianField> least_fields(const CharacterTable& table, std::size_t row, const SchurIndex& index,
                                       const Task& task) {
  const SplittingFields fields(table, row, index);
  const AbelianField F = AbelianField::generated_by(table.row(row));
  return index.index == 1 ? fields.inside(F) : fields.beside(F, task);
}

std::optional<FieldDescent> descent_to_least_field(const IrreducibleRepresentation& R, const CharacterTable& table,
                                                   const SchurIndex& index, const Task& task) {
  const AbelianField& K = R.representation.field();
  const SplittingFields fields(table, R.row, index);
  const auto inside = fields.inside(K);
  if (!inside.empty()) {
    const Descent descent(R, K, task);
    for (const AbelianField& E : inside)
      if (auto found = descent(E)) return found;
  }
  for (const AbelianField& E : fields.beside(K, task))
    if (auto found = Descent(R, AbelianField::compositum(K, E), task)(E)) return found;
  return std::nullopt;
}

IrreducibleRepresentation descended(const IrreducibleRepresentation& R, const FieldDescent& descent,
                                    const CharacterTable& table, const Task& task) {
  const AbelianField& K = descent.columns.field();
  Representation V = R.representation;
  if (!(V.field() == K)) V = submodule(V, FieldMatrix::identity(K, descent.columns.rows()), {}, task);
  V = submodule(restriction_of_scalars(V, descent.field), restricted_columns(descent.columns, descent.field), {}, task);
  IrreducibleRepresentation result = R;
  result.representation = named_irreducible(V, table, R.row);
  result.seed.vector = (inverse(descent.columns, task) * R.seed.vector).over(K);
  result.over_character_field = descent.field.degree() == AbelianField::generated_by(table.row(R.row)).degree();
  return result;
}

}  // namespace intertwine
