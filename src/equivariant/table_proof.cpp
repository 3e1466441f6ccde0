// Puts the images of generators and a prime into weight tables as a proof.
#include "intertwine/equivariant/table_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/exact/prime_field.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "sparse_rank.hpp"

namespace intertwine {

namespace {

using Matrices = GeneratorImages::Matrices;
using General = GeneratorImages::General;

std::int64_t proof_word(const Integer& x) {
  if (abs(x) > (Integer(1) << 62))
    throw LimitError(
        fmt::format("an image of a generator has the number {}, and proofs hold numbers up to 2^62", x.str()));
  return x.convert_to<std::int64_t>();
}

/// Collects the matrices of one side, an entry at a time.
class MatricesBuilder {
 public:
  explicit MatricesBuilder(std::size_t degree) : numerators_(degree) { out_.start.push_back(0); }

  /// \param value  coordinates over a common denominator; zeros are left out
  void add(std::uint64_t row, std::uint64_t col, const std::vector<Integer>& value, const Integer& denominator) {
    Integer common = denominator;
    bool zero = true;
    for (const Integer& x : value) {
      common = gcd(common, x);
      zero = zero && x == 0;
    }
    if (zero) return;
    out_.row.push_back(static_cast<std::int32_t>(row));
    out_.col.push_back(static_cast<std::int32_t>(col));
    out_.denominator.push_back(proof_word(denominator / common));
    for (std::size_t c = 0; c < value.size(); ++c) numerators_[c].push_back(proof_word(value[c] / common));
  }
  void add(const SignedPermutation& g) {
    std::vector<std::pair<Point, SignedPoint>> by_row(g.degree());
    for (Point j = 0; j < g.degree(); ++j) by_row[g(j).point()] = {j, g(j)};
    std::vector<Integer> value(numerators_.size(), 0);
    for (Point i = 0; i < g.degree(); ++i) {
      value[0] = by_row[i].second.sign();
      add(i, by_row[i].first, value, 1);
    }
    next();
  }
  void add(const FieldMatrix& A) {
    const RationalMatrix& parts = A.coefficients();
    std::vector<Integer> value(numerators_.size());
    for (std::size_t i = 0; i < A.rows(); ++i)
      for (std::size_t j = 0; j < A.cols(); ++j) {
        for (std::size_t c = 0; c < value.size(); ++c) value[c] = parts.numerator()(i, c * A.cols() + j);
        add(i, j, value, parts.denominator());
      }
    next();
  }
  /// \param coefficients  of the powers of the field's generator
  void add(std::span<const SparseMatrix> coefficients) {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Rational>> sum;
    for (std::size_t c = 0; c < coefficients.size(); ++c)
      for (const SparseMatrix::Entry& e : coefficients[c].entries()) {
        std::vector<Rational>& value = sum[{e.row, e.col}];
        value.resize(coefficients.size());
        value[c] = e.value;
      }
    for (const auto& [place, value] : sum) {
      Integer common = 1;
      for (const Rational& x : value) common = lcm(common, Integer(denominator(x)));
      std::vector<Integer> integers;
      for (const Rational& x : value) integers.emplace_back(numerator(x * Rational(common)));
      add(place.first, place.second, integers, common);
    }
    next();
  }
  Matrices build() {
    for (const auto& list : numerators_) out_.numerator.insert(out_.numerator.end(), list.begin(), list.end());
    return std::move(out_);
  }

 private:
  void next() { out_.start.push_back(static_cast<std::int64_t>(out_.row.size())); }

  Matrices out_;
  std::vector<std::vector<std::int64_t>> numerators_;
};

std::vector<std::int32_t> signed_images(const Representation& V) {
  std::vector<std::int32_t> out;
  for (const SignedPermutation& g : V.generator_images())
    for (const SignedPoint x : g.images()) out.push_back(x.sign() * (static_cast<std::int32_t>(x.point()) + 1));
  return out;
}

Matrices matrices_of(const Representation& V, const AbelianField& F, const Task& task) {
  MatricesBuilder builder(F.degree());
  if (V.is_monomial()) {
    for (const SignedPermutation& g : V.generator_images()) builder.add(g);
    return builder.build();
  }
  const std::uint64_t n = V.dimension();
  task.require_memory(40 * n * n * F.degree(), "the matrices of a generator");
  for (const Permutation& g : V.group().generators()) {
    task.poll();
    builder.add(V.field_matrix(g).over(F));
  }
  return builder.build();
}

/// The field of the table's elements.
AbelianField field_of(const WeightBlock& table) {
  const ExactValues& exact = table.weights.sparse().exact;
  return exact.degree == 1 ? AbelianField() : intertwine::field_of(exact);
}

GeneratorImages images_of(const WeightBlock& table, const Representation& V, const Representation& U,
                          const Task& task) {
  GeneratorImages proof;
  for (const Permutation& g : V.group().generators()) proof.generators.push_back(g.to_string());
  if (table.is_tied()) {
    proof.images = GeneratorImages::Signed{signed_images(U), signed_images(V)};
    return proof;
  }
  const AbelianField F = field_of(table);
  General& general = proof.images.emplace<General>();
  general.row = matrices_of(U, F, task);
  general.column = matrices_of(V, F, task);
  general.degree = F.degree();
  return proof;
}

GeneratorImages images_of(const MatrixGenerators& generators) {
  GeneratorImages proof{generators.names, General{}};
  auto& general = std::get<General>(proof.images);
  const std::size_t f = generators.field.degree();
  MatricesBuilder row(f), column(f);
  for (std::size_t g = 0; g < generators.names.size(); ++g) {
    row.add(std::span(generators.row).subspan(g * f, f));
    column.add(std::span(generators.column).subspan(g * f, f));
  }
  general.degree = f;
  general.row = row.build();
  general.column = column.build();
  if (std::find(generators.algebra.begin(), generators.algebra.end(), true) != generators.algebra.end())
    general.algebra = generators.algebra;
  return proof;
}

/// The images of a proof and of elements modulo its prime.
class ModularProof {
 public:
  ModularProof(const General& general, const Task& task)
      : general_(general), task_(task), field_(general.prime), root_(field_.from(Integer(general.root))) {}

  bool divides_a_denominator() const {
    const auto divides = [&](std::int64_t d) { return static_cast<std::uint64_t>(d) % general_.prime == 0; };
    return std::any_of(general_.row.denominator.begin(), general_.row.denominator.end(), divides) ||
           std::any_of(general_.column.denominator.begin(), general_.column.denominator.end(), divides);
  }

  bool elements_are_independent(const WeightPattern& pattern) const {
    const SparseElements& s = pattern.sparse();
    const IntegerMatrix coordinates = coordinates_of(s);
    SparseRank rank(field_);
    for (std::uint64_t k = 0; k < pattern.params; ++k) {
      task_.poll();
      SparseRank::Row row;
      for (auto e = static_cast<std::size_t>(s.start[k]); e < static_cast<std::size_t>(s.start[k + 1]); ++e) {
        PrimeField::Element x = 0;
        for (std::size_t c = coordinates.rows(); c-- > 0;)
          x = field_.add(field_.multiply(x, root_), field_.from(coordinates(c, e)));
        if (x != 0)
          row.emplace(static_cast<std::uint64_t>(s.row[e]) * pattern.cols + static_cast<std::uint64_t>(s.col[e]), x);
      }
      if (!rank.insert(std::move(row))) return false;
    }
    return true;
  }

  /// The equations A_U W = W A_V leave as many solutions as the pattern has elements. \param one_column  the bias: A_V is 1, or 0 for
  /// generators of a Lie algebra
  bool has_rank(const WeightPattern& pattern, bool one_column) const {
    const std::uint64_t m = pattern.rows, n = pattern.cols, wanted = m * n - pattern.params;
    SparseRank rank(field_);
    std::vector<std::pair<std::size_t, SparseRank::Row>> equations;
    for (std::size_t g = 0; g + 1 < general_.row.start.size(); ++g) {
      const bool algebra = !general_.algebra.empty() && general_.algebra[g];
      const auto left = lines(general_.row, g, m, false);
      const auto right = one_column ? Lines{{{0, algebra ? 0 : field_.one()}}} : lines(general_.column, g, n, true);
      for (std::uint64_t i = 0; i < m; ++i) {
        task_.poll();
        task_.require_memory(rank.rank() * 256 + equations.size() * 256, "the equations of a proof");
        for (std::uint64_t j = 0; j < n; ++j) {
          SparseRank::Row equation;
          const auto add = [&](std::uint64_t place, PrimeField::Element x) {
            const auto [at, fresh] = equation.try_emplace(place, 0);
            at->second = field_.add(at->second, x);
            if (at->second == 0) equation.erase(at);
          };
          for (const auto& [k, x] : left[i]) add(k * n + j, x);
          for (const auto& [k, x] : right[j]) add(i * n + k, field_.negative(x));
          if (!equation.empty()) equations.emplace_back(equation.size(), std::move(equation));
        }
      }
    }
    // Short equations first: they fill in least.
    std::stable_sort(equations.begin(), equations.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [size, equation] : equations) {
      if (rank.rank() == wanted) break;
      task_.progress("the rank of the equations of commutation", rank.rank(), wanted);
      rank.insert(std::move(equation));
    }
    return rank.rank() == wanted;
  }

 private:
  using Lines = std::vector<std::vector<std::pair<std::uint64_t, PrimeField::Element>>>;

  /// The rows (or columns) of generator g.
  Lines lines(const Matrices& part, std::size_t g, std::uint64_t size, bool columns) const {
    Lines out(size);
    for (auto e = static_cast<std::size_t>(part.start[g]); e < static_cast<std::size_t>(part.start[g + 1]); ++e) {
      PrimeField::Element x = 0;
      for (std::size_t c = general_.degree; c-- > 0;)
        x = field_.add(field_.multiply(x, root_), field_.from(part.numerator[c * part.row.size() + e]));
      x = field_.multiply(x, field_.inverse(field_.from(part.denominator[e])));
      const auto row = static_cast<std::size_t>(part.row[e]), col = static_cast<std::size_t>(part.col[e]);
      if (x != 0) out[columns ? col : row].emplace_back(columns ? row : col, x);
    }
    return out;
  }

  const General& general_;
  const Task& task_;
  PrimeField field_;
  PrimeField::Element root_;
};

/// The fault of the prime; empty if it has none. \param order of a finite group: a prime that does not divide it needs
/// no look at the rank; 0 for other groups
std::string fault_of_prime(const General& general, const WeightBlock& table, const Integer& order, const Task& task) {
  const AbelianField F = field_of(table);
  if (!is_prime(general.prime) || general.prime == 2) return "is no odd prime";
  if (!F.is_rational()) {
    Integer value = 0;
    const auto& polynomial = F.minimal_polynomial();
    for (std::size_t c = polynomial.size(); c-- > 0;)
      value = (value * Integer(general.root) + polynomial[c]) % Integer(general.prime);
    if (value != 0) return fmt::format("has not the root {} that the proof states", general.root);
  } else if (general.root != 0) {
    return "comes with a root, which the rational numbers do not need";
  }
  const ModularProof proof(general, task);
  if (proof.divides_a_denominator()) return "divides a denominator";
  for (const WeightPattern* pattern : {&table.weights, &table.bias}) {
    const bool bias = pattern == &table.bias;
    const char* what = bias ? "bias" : "weights";
    if (!proof.elements_are_independent(*pattern)) return fmt::format("makes elements of the {} dependent", what);
    if ((order == 0 || order % general.prime == 0) && !proof.has_rank(*pattern, bias))
      return fmt::format("leaves more solutions than the {} have elements", what);
  }
  return {};
}

/// The least prime from 2^30 on that will do.
void choose_prime(General& general, const WeightBlock& table, const Integer& order, const Task& task) {
  const AbelianField F = field_of(table);
  constexpr int most_primes = 100;  // each is unlucky only if it divides one of a few numbers
  Integer least = Integer(1) << 30;
  for (int k = 0; k < most_primes; ++k) {
    const auto prime = prime_with_roots(F.conductor(), least);
    if (!prime) break;
    general.prime = *prime;
    general.root = 0;
    if (!F.is_rational()) {
      std::vector<std::uint64_t> polynomial;
      for (const Integer& c : F.minimal_polynomial())
        polynomial.push_back(
            Integer((c % Integer(*prime) + Integer(*prime)) % Integer(*prime)).convert_to<std::uint64_t>());
      general.root = modular_roots(*prime, polynomial).at(0);
    }
    if ((order == 0 || order % *prime != 0) && fault_of_prime(general, table, order, task).empty()) return;
    least = Integer(*prime) + 1;
  }
  throw InternalError("with_proof: no prime was found that leaves the equations of commutation their rank");
}

void require_sides(const WeightBlock& table, std::uint64_t rows, std::uint64_t cols) {
  if (table.weights.rows != rows || table.weights.cols != cols)
    throw DomainError(fmt::format("a table of {} x {} entries is not one of representations of dimensions {} -> {}",
                                  table.weights.rows, table.weights.cols, cols, rows));
}

WeightBlock completed(WeightBlock table, GeneratorImages images, const Integer& order, const Task& task) {
  if (auto* general = std::get_if<General>(&images.images)) choose_prime(*general, table, order, task);
  table.proof = std::move(images);
  return table;
}

void require_same(const WeightBlock& table, GeneratorImages expected, const Integer& order, const Task& task) {
  if (!table.proof) throw DomainError("the table has no proof");
  const GeneratorImages& stated = *table.proof;
  if (stated.generators != expected.generators)
    throw VerificationError("the generators that the proof names are not those of the group");
  const auto fail = [](const char* side) {
    throw VerificationError(
        fmt::format("the proof's images of the generators on {} are not those of the representation", side));
  };
  if (stated.images.index() != expected.images.index()) fail("rows and columns");
  if (const auto* images = std::get_if<GeneratorImages::Signed>(&stated.images)) {
    const auto& wanted = std::get<GeneratorImages::Signed>(expected.images);
    if (images->row != wanted.row) fail("rows");
    if (images->column != wanted.column) fail("columns");
    return;
  }
  const auto& general = std::get<General>(stated.images);
  const auto& wanted = std::get<General>(expected.images);
  if (general.row != wanted.row) fail("rows");
  if (general.column != wanted.column) fail("columns");
  if (general.algebra != wanted.algebra)
    throw VerificationError(
        "the proof takes generators of the group for ones of its Lie algebra, or the other way round");
  if (const std::string fault = fault_of_prime(general, table, order, task); !fault.empty())
    throw VerificationError(fmt::format("the proof's prime {} {}", general.prime, fault));
}

}  // namespace

WeightBlock with_proof(WeightBlock table, const Representation& V, const Representation& U, const Task& task) {
  require_sides(table, U.dimension(), V.dimension());
  GeneratorImages images = images_of(table, V, U, task);
  const Integer order = table.is_tied() ? Integer(0) : V.group().chain(task).order();
  return completed(std::move(table), std::move(images), order, task);
}

WeightBlock with_proof(WeightBlock table, const MatrixGenerators& generators, const Task& task) {
  GeneratorImages images = images_of(generators);
  return completed(std::move(table), std::move(images), 0, task);
}

void verify_proof(const WeightBlock& table, const Representation& V, const Representation& U, const Task& task) {
  require_sides(table, U.dimension(), V.dimension());
  require_same(table, images_of(table, V, U, task), table.is_tied() ? Integer(0) : V.group().chain(task).order(), task);
}

void verify_proof(const WeightBlock& table, const MatrixGenerators& generators, const Task& task) {
  require_same(table, images_of(generators), 0, task);
}

}  // namespace intertwine
