// Branching from GL(n) to classical and finite groups.
#include "intertwine/gl/branching.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "intertwine/combinatorics/schur_polynomial.hpp"
#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

/// The classical groups by what tells them apart in Littlewood's and King's rules.
struct Classical {
  bool orthogonal;
  std::int64_t n;
  const char* name() const { return orthogonal ? "O" : "Sp"; }
  /// Columns are reflected in half of this: column lengths mu'_j - j + 1 go to `mirror` minus themselves.
  std::int64_t mirror() const { return orthogonal ? n : n + 2; }
};

void require_group(const char* function, const Classical& G) {
  if (G.n < 1 || (!G.orthogonal && G.n % 2 != 0))
    throw DomainError(std::string(function) + ": there is no group " + G.name() + "(" + std::to_string(G.n) + ")");
}

/// +- the character with a standard label, or zero.
struct Label {
  int sign;
  Partition partition;
};

/// The universal character of mu at this n. Its columns a_j = mu'_j - j + 1 enter by a determinant that changes sign
/// when two are exchanged; reflecting one multiplies by det (orthogonal) or -1 (symplectic).
Label standard_label(const Partition& mu, const Classical& G) {
  std::vector<std::int64_t> a;
  const Partition columns = mu.conjugate();
  bool twisted = false;
  int sign = 1;
  for (int j = 0; j < columns.length(); ++j) {
    std::int64_t column = columns[j] - j;
    if (2 * column > G.mirror()) {
      column = G.mirror() - column;
      twisted = !twisted;
      if (!G.orthogonal) sign = -sign;
    } else if (!G.orthogonal && 2 * column == G.mirror()) {
      return {0, {}};
    }
    a.push_back(column);
  }
  for (std::size_t i = 1; i < a.size(); ++i)  // decreasing, by exchanges of neighbours
    for (std::size_t j = i; j > 0 && a[j - 1] < a[j]; --j) {
      std::swap(a[j - 1], a[j]);
      sign = -sign;
    }
  if (std::adjacent_find(a.begin(), a.end()) != a.end()) return {0, {}};
  for (std::size_t j = 0; j < a.size(); ++j) {
    a[j] += static_cast<std::int64_t>(j);
    if (a[j] < 0) return {0, {}};  // it equals a column of length 0 further right
  }
  if (G.orthogonal && twisted) {  // times det: the first column is replaced by its complement
    if (a.empty()) a.push_back(0);
    a[0] = G.n - a[0];
  }
  return {sign, Partition(std::vector<int>(a.begin(), a.end())).conjugate()};
}

/// All parts even (or all columns of even length), inside lambda.
std::vector<Partition> even_partitions_inside(const Partition& lambda, bool columns) {
  // The partitions of lambda halved, with every part (row) doubled.
  std::vector<int> halved;
  if (columns) {
    for (int i = 1; i < lambda.length(); i += 2) halved.push_back(lambda[i]);
  } else {
    for (const int part : lambda)
      if (part >= 2) halved.push_back(part / 2);
  }
  std::vector<Partition> result;
  for (const Partition& half : partitions_inside(Partition(halved))) {
    std::vector<int> parts;
    for (const int part : half) {
      parts.push_back(columns ? part : 2 * part);
      if (columns) parts.push_back(part);
    }
    result.emplace_back(parts);
  }
  return result;
}

void require_module(const char* function, const SchurSum& f) {
  for (const SchurTerm& term : f)
    if (term.coefficient < 0)
      throw DomainError(std::string(function) + ": the coefficient " + to_string(term.coefficient) + " of s" +
                        to_string(term.partition) + " is negative, so that there is no module");
}

/// El Samra and King's formula, a polynomial in n over the product of the hooks.
Integer dimension_by_hooks(const Partition& mu, const Classical& G) {
  const Partition columns = mu.conjugate();
  Integer above = 1, below = 1;
  for (int i = 0; i < mu.length(); ++i)
    for (int j = 0; j < mu[i]; ++j) {
      const bool rows = G.orthogonal ? i >= j : i > j;
      const std::int64_t base = G.n + (G.orthogonal ? 0 : 2);
      above *= rows ? base + mu[i] + mu[j] - i - j - 2 : base - columns[i] - columns[j] + i + j;
      below *= hook_length(mu, i, j);
    }
  return above / below;
}

SchurSum restrict_to_classical(const char* function, const SchurSum& f, const Classical& G, const Task& task) {
  require_group(function, G);
  require_module(function, f);
  std::vector<SchurTerm> terms;
  Integer expected = 0, found = 0;
  for (const SchurTerm& term : f) {
    if (term.partition.length() > G.n) continue;
    expected += term.coefficient * number_of_semistandard_tableaux(term.partition, static_cast<int>(G.n));
    for (const Partition& even : even_partitions_inside(term.partition, !G.orthogonal))
      for (const SchurTerm& part : skew_schur(term.partition, even, {}, task))
        if (Label label = standard_label(part.partition, G); label.sign != 0)
          terms.push_back({std::move(label.partition), label.sign * term.coefficient * part.coefficient});
  }
  SchurSum result(std::move(terms));
  for (const SchurTerm& term : result) {
    if (term.coefficient < 0) throw InternalError(std::string(function) + ": a multiplicity came out negative");
    found += term.coefficient * dimension_by_hooks(term.partition, G);
  }
  if (found != expected) throw InternalError(std::string(function) + ": the dimensions do not add up");
  return result;
}

void require_label(const Partition& mu, const Classical& G, bool standard) {
  if (!standard)
    throw DomainError(to_string(mu) + " labels no module of " + G.name() + "(" + std::to_string(G.n) + ")");
}

constexpr int max_characters = 33;

/// The restriction of f(C^m) to S_m by characters.
SchurSum restriction_by_characters(const SchurSum& f, int m, const Task& task) {
  const SymmetricGroupTable table = symmetric_group_character_table(m, task);
  int degree = 0;
  for (const SchurTerm& term : f) degree = std::max(degree, term.partition.weight());
  const Integer order = factorial(static_cast<unsigned long>(m));
  std::vector<Integer> values;  // times the sizes of the classes
  for (const Partition& rho : table.partitions) {
    std::vector<Rational> p;
    for (int k = 1; k <= degree; ++k) {
      long fixed = 0;  // points fixed by the k-th power
      for (const int part : rho) fixed += k % part == 0 ? part : 0;
      p.emplace_back(fixed);
    }
    Rational value = 0;
    for (const SchurTerm& term : f)
      if (term.partition.length() <= m)
        value += term.coefficient * schur_from_power_sums(term.partition, std::span<const Rational>(p), task);
    values.push_back(numerator(value) * (order / centralizer_order(rho)));
  }
  std::vector<SchurTerm> terms;
  for (std::size_t row = 0; row < table.partitions.size(); ++row) {
    task.poll();
    Integer sum = 0;
    for (std::size_t c = 0; c < values.size(); ++c)
      if (const std::int64_t chi = table(row, c); chi != 0 && values[c] != 0) sum += values[c] * chi;
    if (sum % order != 0 || sum < 0)
      throw InternalError("restrict_to_symmetric_group: a multiplicity is no natural number");
    if (sum != 0) terms.push_back({table.partitions[row], sum / order});
  }
  return SchurSum(std::move(terms));
}

}  // namespace

SchurSum restrict_to_orthogonal(const SchurSum& f, int n, const Task& task) {
  return restrict_to_classical("restrict_to_orthogonal", f, {true, n}, task);
}

SchurSum restrict_to_symplectic(const SchurSum& f, int n, const Task& task) {
  return restrict_to_classical("restrict_to_symplectic", f, {false, n}, task);
}

Integer dimension_of_orthogonal(const Partition& mu, int n) {
  const Classical G{true, n};
  require_group("dimension_of_orthogonal", G);
  const Partition columns = mu.conjugate();
  require_label(mu, G, columns[0] + columns[1] <= n);
  return dimension_by_hooks(mu, G);
}

Integer dimension_of_symplectic(const Partition& mu, int n) {
  const Classical G{false, n};
  require_group("dimension_of_symplectic", G);
  require_label(mu, G, 2 * mu.length() <= n);
  return dimension_by_hooks(mu, G);
}

SchurSum restrict_to_symmetric_group(const SchurSum& f, int n, const Task& task) {
  if (n < 0)
    throw DomainError("restrict_to_symmetric_group: there is no symmetric group on " + std::to_string(n) + " points");
  require_module("restrict_to_symmetric_group", f);
  int degree = 0;
  for (const SchurTerm& term : f) degree = std::max(degree, term.partition.weight());
  if (std::min(n, degree) > max_characters)
    throw LimitError("restrict_to_symmetric_group: the degree " + std::to_string(degree) +
                     " and n = " + std::to_string(n) + " both exceed the limit of " + std::to_string(max_characters));
  if (n <= degree) return restriction_by_characters(f, n, task);
  SchurSum result;
  std::vector<SchurSum> exactly;  // exactly[i]: the vectors that involve the letters 1 ... i, all of them
  for (int i = 0; i <= degree; ++i) {
    SchurSum fewer;
    for (int j = 0; j < i; ++j)
      fewer = fewer + schur_product(exactly[static_cast<std::size_t>(j)], SchurSum(Partition{i - j}), {}, task);
    exactly.push_back(restriction_by_characters(f, i, task) - fewer);
    result = result + schur_product(exactly.back(), SchurSum(Partition{n - i}), {}, task);
  }
  return result;
}

Integer Branching::dimension() const { return number_of_semistandard_tableaux(functor, n); }

Branching branching(const Partition& functor, Branching::Kind kind, int n, const Task& task) {
  using Kind = Branching::Kind;
  if (kind == Kind::finite) throw DomainError("branch: a finite group needs its character");
  Branching result{kind, functor, n, {}, {}, {}};
  const SchurSum f(functor);
  for (const SchurTerm& term : kind == Kind::orthogonal   ? restrict_to_orthogonal(f, n, task)
                               : kind == Kind::symplectic ? restrict_to_symplectic(f, n, task)
                                                          : restrict_to_symmetric_group(f, n, task))
    result.constituents.push_back({term.partition,
                                   0,
                                   {},
                                   term.coefficient,
                                   kind == Kind::orthogonal   ? dimension_of_orthogonal(term.partition, n)
                                   : kind == Kind::symplectic ? dimension_of_symplectic(term.partition, n)
                                                              : number_of_standard_tableaux(term.partition)});
  return result;
}

Branching branching(const Partition& functor, const ClassFunction& chi) {
  const CharacterTable& table = chi.table();
  const auto all = multiplicities(schur_power(functor, chi));
  Branching result{Branching::Kind::finite, functor, chi.degree().to_integer().convert_to<int>(), {}, {}, {}};
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != 0) result.constituents.push_back({{}, i, table.name(i), all[i], table.degree(i)});
  return result;
}

void verify(const Branching& branching) {
  Integer total = 0;
  for (const auto& part : branching.constituents) total += part.multiplicity * part.dimension;
  if (total != branching.dimension())
    throw VerificationError("branch: the dimensions of the constituents add up to " + to_string(total) +
                            ", that of the functor is " + to_string(branching.dimension()));
}

ProductRestriction::ProductRestriction(ClassFunction left, ClassFunction right)
    : left_(std::move(left)), right_(std::move(right)) {
  static_cast<void>(multiplicities(left_));
  static_cast<void>(multiplicities(right_));
}

const std::vector<Integer>& ProductRestriction::restricted(bool to_left, const Partition& lambda,
                                                           const Task& task) const {
  Restrictions& known = to_left ? of_left_ : of_right_;
  const auto at = known.find(lambda);
  if (at != known.end()) return at->second;
  task.poll();
  return known.emplace(lambda, multiplicities(schur_power(lambda, to_left ? left_ : right_))).first->second;
}

std::vector<ProductConstituent> ProductRestriction::operator()(const std::vector<GlGlTerm>& terms,
                                                               const Task& task) const {
  std::map<std::pair<std::size_t, std::size_t>, Integer> sum;
  for (const GlGlTerm& term : terms) {
    const auto& left = restricted(true, term.left, task);
    const auto& right = restricted(false, term.right, task);
    for (std::size_t i = 0; i < left.size(); ++i)
      for (std::size_t j = 0; left[i] != 0 && j < right.size(); ++j)
        if (right[j] != 0) sum[{i, j}] += term.multiplicity * left[i] * right[j];
  }
  std::vector<ProductConstituent> result;
  for (const auto& [pair, multiplicity] : sum) result.push_back({pair.first, pair.second, multiplicity});
  return result;
}

std::vector<Integer> ProductRestriction::multiplicities_of(std::size_t i, std::size_t j,
                                                           const std::vector<GlGlTerm>& terms, const Task& task) const {
  if (i >= left_.table().size() || j >= right_.table().size())
    throw DomainError("ProductRestriction: the tables have " + std::to_string(left_.table().size()) + " and " +
                      std::to_string(right_.table().size()) + " characters; there are no numbers " + std::to_string(i) +
                      " and " + std::to_string(j));
  std::vector<Integer> result;
  for (const GlGlTerm& term : terms)
    result.push_back(term.multiplicity * restricted(true, term.left, task)[i] * restricted(false, term.right, task)[j]);
  return result;
}

Integer product_multiplicity_by_classes(const Partition& nu, const ClassFunction& left, const ClassFunction& right,
                                        std::size_t i, std::size_t j, const Task& task) {
  if (nu.weight() > 200)
    throw LimitError("product_multiplicity_by_classes: the weight " + std::to_string(nu.weight()) +
                     " exceeds the limit of 200");
  std::vector<ClassFunction> left_powers, right_powers;
  for (int k = 1; k <= nu.weight(); ++k) {
    left_powers.push_back(left.adams(k));
    right_powers.push_back(right.adams(k));
  }
  const CharacterTable &G = left.table(), &H = right.table();
  Cyclotomic sum = 0;
  for (std::size_t c = 0; c < G.size(); ++c)
    for (std::size_t d = 0; d < H.size(); ++d) {
      const Cyclotomic chi = (G(i, c) * H(j, d)).conjugate();
      if (chi.is_zero()) continue;
      std::vector<Cyclotomic> p;
      for (std::size_t k = 0; k < left_powers.size(); ++k) p.push_back(left_powers[k][c] * right_powers[k][d]);
      sum += Cyclotomic(G.classes()[c].size * H.classes()[d].size) * chi *
             schur_from_power_sums(nu, std::span<const Cyclotomic>(p), task);
    }
  const Cyclotomic result = sum * Cyclotomic(Rational(1, G.group().order() * H.group().order()));
  if (!result.is_integer()) throw InternalError("product_multiplicity_by_classes: a multiplicity is no integer");
  return result.to_integer();
}

HomFunctor functor_of_hom(const Partition& functor, int rows, int cols, const Task& task) {
  HomFunctor result;
  result.functor = functor;
  result.rows = rows;
  result.cols = cols;
  result.terms = schur_functor_decomposition(functor, rows, cols, task);
  return result;
}

HomFunctor functor_of_hom(const Partition& functor, const ClassFunction& of_W, const ClassFunction& of_V,
                          const HomFunctorOptions& options, const Task& task) {
  const auto degree = [](const ClassFunction& chi) { return chi.degree().to_integer().convert_to<int>(); };
  const ProductRestriction restriction(of_W, of_V.conjugate());
  HomFunctor result = functor_of_hom(functor, degree(of_W), degree(of_V), task);
  result.constituents = restriction(result.terms, task);
  if (options.by_term)
    for (const GlGlTerm& term : result.terms) result.by_term.push_back(restriction({term}, task));
  if (options.pair) {
    const auto [i, j] = *options.pair;
    result.pair = HomFunctor::Pair{i, j, restriction.multiplicities_of(i, j, result.terms, task)};
  }
  result.restriction = restriction;
  return result;
}

void verify(const HomFunctor& answer, const Task& task) {
  if (!answer.restriction) return;
  const ClassFunction &left = answer.restriction->left(), &right = answer.restriction->right();
  const CharacterTable &G = left.table(), &H = right.table();
  Integer total = 0, of_pair = 0;
  for (const ProductConstituent& part : answer.constituents) {
    total += part.multiplicity * G.degree(part.left) * H.degree(part.right);
    if (answer.pair && part.left == answer.pair->left && part.right == answer.pair->right) of_pair = part.multiplicity;
    if (product_multiplicity_by_classes(answer.functor, left, right, part.left, part.right, task) != part.multiplicity)
      throw VerificationError("cauchy: the multiplicity of " + G.name(part.left) + " (x) " + H.name(part.right) +
                              " is not that of the characters");
  }
  if (total != dimension(answer.terms, answer.rows, answer.cols))
    throw VerificationError("cauchy: the dimensions of the constituents do not add up");
  if (!answer.pair) return;
  for (const Integer& multiplicity : answer.pair->multiplicities) of_pair -= multiplicity;
  if (of_pair != 0) throw VerificationError("cauchy: the terms of the pair do not add up to its multiplicity");
}

}  // namespace intertwine
