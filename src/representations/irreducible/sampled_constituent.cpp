// Constituents of induced modules by sampled coordinates.
#include "sampled_constituent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_set>

#include "adapted_basis.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/prime_field.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/random.hpp"
#include "representations/expressions/node.hpp"
#include "representations/lattices/balanced_basis.hpp"
#include "representations/lattices/integral_form.hpp"
#include "representations/lattices/module_basis.hpp"
#include "spherical_lattice.hpp"

namespace intertwine {

namespace {

/// Different numbers below n, in the order in which they are drawn, as many as are asked for.
class Sample {
 public:
  explicit Sample(std::size_t n) : n_(n) {}
  const std::vector<std::size_t>& first(std::size_t count) {
    while (list_.size() < std::min(n_, count))
      if (const std::size_t x = rng_.below(n_); taken_.insert(x).second) list_.push_back(x);
    return list_;
  }

 private:
  std::size_t n_;
  Rng rng_{1};
  std::unordered_set<std::size_t> taken_;
  std::vector<std::size_t> list_;
};

}  // namespace

struct SampledConstituent::Data {
  SphericalVector vector;
  CodeTable values;
  AbelianField field;
  std::vector<std::size_t> sources;  ///< the cosets t of the chosen images t v, of all for an adapted basis
  std::vector<std::size_t> places;   ///< the cosets whose coordinates are looked at
  FieldMatrix left;                  ///< C at the places, inverse; C itself for an adapted basis
  FieldMatrix right;                 ///< C = U right, U the chosen images or the adapted basis; empty where C = U
  std::optional<AdaptedBasis> adapted;
  std::vector<FieldMatrix> generators;  ///< the matrices of the generators of the group, if they are known

  Data(const SphericalVector& v, const AbelianField& K) : vector(v), values(v, K), field(K) {}

  /// The codes of g t v at the places, for one source after the other.
  std::vector<SphericalVector::Codes> codes(const Permutation& g, std::span<const std::size_t> from,
                                            std::span<const std::size_t> at) const {
    std::vector<SphericalVector::Codes> result;
    for (const std::size_t j : from) {
      const Permutation back = (g * vector.module().representative(j)).inverse();
      auto& column = result.emplace_back();
      for (const std::size_t i : at) column.push_back(vector.code_moved_from(back, i));
    }
    return result;
  }
  /// Columns of codes as a matrix over K.
  FieldMatrix matrix(const std::vector<SphericalVector::Codes>& columns) const {
    const std::size_t m = field.degree(), count = columns.size();
    IntegerMatrix coefficients(columns.at(0).size(), count * m);
    for (std::size_t j = 0; j < count; ++j)
      for (std::size_t i = 0; i < columns[j].size(); ++i)
        for (std::size_t l = 0; l < m; ++l)
          if (const Integer& x = values[columns[j][i]][l]; x != 0) coefficients.set(i, l * count + j, x);
    return {field, RationalMatrix(std::move(coefficients)), count};
  }
  ModularMatrix residues(const std::vector<SphericalVector::Codes>& columns,
                         const AbelianField::SplitPrime& prime) const {
    const std::vector<std::uint64_t> numbers = values.reduced(prime);
    ModularMatrix result(prime.p, columns.at(0).size(), columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j)
      for (std::size_t i = 0; i < columns[j].size(); ++i) result.set(i, j, numbers[columns[j][i]]);
    return result;
  }
  /// The coordinates of columns given by their values at the places. Coordinates in adapted bases are short, the
  /// inverse of C is not.
  FieldMatrix coordinates(const FieldMatrix& at_places, const Task& task) const {
    if (!adapted) return left.over(AbelianField::compositum(field, at_places.field())) * at_places;
    auto result = linear_solve(left, at_places, task);
    if (!result) throw InternalError("sampled constituent: an image lies outside");
    return std::move(*result);
  }
  /// The images of the basis at the places.
  FieldMatrix images(const Permutation& g, const Task& task) const {
    FieldMatrix chosen = adapted ? adapted->images(g, places, task) : matrix(codes(g, sources, places));
    return right.rows() == 0 ? std::move(chosen) : chosen.times(right, task);
  }
  FieldMatrix matrix(const Permutation& g, const Task& task) const {
    const std::vector<Permutation>& known = vector.module().group().generators();
    for (std::size_t k = 0; k < generators.size(); ++k)
      if (known[k] == g) return generators[k];
    return coordinates(images(g, task), task);
  }
  void choose(const GaloisTable& table, std::size_t row, const Task& task);
  void choose_adapted(const GaloisTable& table, std::size_t row, std::span<const std::size_t> rows, const Task& task);
  void make_integral(const Task& task);
};

/// Changes a basis in which matrices have denominators to one of a lattice that the group maps to itself.
void SampledConstituent::Data::make_integral(const Task& task) {
  for (const Permutation& s : vector.module().group().generators()) generators.push_back(matrix(s, task).over(field));
  const auto is_integral = [](const FieldMatrix& M) { return M.coefficients().is_integral(); };
  if (std::ranges::all_of(generators, is_integral)) return;
  IntegralForm form = integral_form(std::move(generators), field, task);
  generators = std::move(form.matrices);
  right = right.rows() == 0 ? form.change : right.times(form.change, task);
  left = adapted ? left.times(form.change, task) : inverse(form.change, task).times(left, task);
}

/// A basis and the places among these, if there are any.
void SampledConstituent::Data::choose_adapted(const GaloisTable& table, std::size_t row,
                                              std::span<const std::size_t> rows, const Task& task) {
  try {
    adapted = AdaptedBasis::find(vector, table, row, field, rows, task);
  } catch (const LimitError&) {  // of a subgroup; the row is found without, in another basis
    task.poll();
  }
  if (!adapted) return;
  const Permutation one = Permutation::identity(vector.module().group().degree());
  const FieldMatrix C = adapted->images(one, rows, task);
  const std::vector<std::size_t> pivots = independent_columns(C.transpose());
  if (pivots.size() != table.table().degree(row)) return adapted.reset();
  sources.resize(vector.module().size());
  std::iota(sources.begin(), sources.end(), std::size_t{0});
  for (const std::size_t i : pivots) places.push_back(rows[i]);
  left = C.select_rows(pivots);
}

/// The images, the places and the basis.
void SampledConstituent::Data::choose(const GaloisTable& table, std::size_t row, const Task& task) {
  constexpr std::size_t most_generators = 300, least_adapted_rank = 200, largest_rank = 500;
  const auto d = table.table().degree(row).convert_to<std::size_t>();
  const std::size_t n = vector.module().size(), m = field.degree();
  const Permutation one = Permutation::identity(vector.module().group().degree());
  const AbelianField::SplitPrime prime = field.split_prime(0);
  Sample from(n), at(n);
  if (m == 1 ? d > most_generators : d * m > least_adapted_rank) {
    choose_adapted(table, row, at.first(2 * d + 64), task);
    if (adapted) return;
  }
  for (std::size_t k = 1;; k *= 2) {
    const auto& sample = from.first(k * (2 * d + 16));
    const auto& rows = at.first(k * (2 * d + 64));
    task.require_memory(sample.size() * rows.size() * (16 + 16 * m * m), "images of a spherical vector");
    task.poll();
    const auto columns = codes(one, sample, rows);
    const ModularMatrix U = residues(columns, prime);
    std::vector<std::size_t> chosen, pivots;
    U.echelon(&chosen, task);
    if (chosen.size() < d && sample.size() < n) continue;
    if (chosen.size() != d)
      throw InternalError(
          fmt::format("sampled constituent: the images of the seed have rank {} instead of {}", chosen.size(), d));
    std::vector<SphericalVector::Codes> independent;
    for (const std::size_t j : chosen) {
      sources.push_back(sample[j]);
      independent.push_back(columns[j]);
    }
    residues(independent, prime).transpose().echelon(&pivots, task);
    for (const std::size_t i : pivots) places.push_back(rows[i]);
    task.poll();
    if (d * m > largest_reduced_rank) {
      left = inverse(matrix(independent).select_rows(pivots), task);
      return;
    }
    // Over Q what d images span is good enough; over larger fields entries would grow beyond use, except where there is no other way.
    const bool all = d * m <= largest_rank && (m > 1 || d <= most_generators);
    const IntegerMatrix lattice = lll(lattice_rows(all ? columns : independent, values, m), task);
    if (lattice.rows() != d * m)
      throw InternalError(
          fmt::format("sampled constituent: the lattice has rank {} instead of {}", lattice.rows(), d * m));
    const FieldMatrix basis = balanced_basis(columns_over(field, module_basis(lattice, field, task)), field, task);
    const FieldMatrix C = basis.select_rows(pivots);
    right = inverse(matrix(independent).select_rows(pivots), task).times(C, task);
    left = inverse(C, task);
    return;
  }
}

SampledConstituent::SampledConstituent(const SphericalVector& v, const GaloisTable& table, std::size_t row,
                                       const AbelianField& K, const Task& task) {
  auto data = std::make_shared<Data>(v, K);
  data->choose(table, row, task);
  data->make_integral(task);
  data_ = std::move(data);
}

std::size_t SampledConstituent::dimension() const { return data_->left.cols(); }
const AbelianField& SampledConstituent::field() const { return data_->field; }

FieldMatrix SampledConstituent::matrix(const Permutation& g, const Task& task) const {
  const FieldMatrix R = data_->matrix(g, task);
  return automorphism_ == 1 ? R : R.galois_conjugate(automorphism_);
}

FieldMatrix SampledConstituent::seed(const Task& task) const {
  const std::size_t first = 0;  // the coset of 1
  const Permutation one = Permutation::identity(data_->vector.module().group().degree());
  const FieldMatrix w = data_->coordinates(data_->matrix(data_->codes(one, std::span(&first, 1), data_->places)), task);
  const IntegerMatrix& numerator = w.coefficients().numerator();
  const FieldMatrix seed(data_->field, exact_quotient(numerator, numerator.content()), 1);
  return automorphism_ == 1 ? seed : seed.galois_conjugate(automorphism_);
}

FieldMatrix SampledConstituent::seed(const LinearPair& pair, const Task& task) const {
  const LinearCharacters& linear = *pair.linear;
  const SphericalVector& v = data_->vector;
  if (automorphism_ != 1) throw InternalError("sampled constituent: seeds of others are those of the source");
  const std::uint32_t r = pair.order;
  const AbelianField L = AbelianField::compositum(data_->field, AbelianField::cyclotomic(r));
  for (const std::size_t source : data_->sources) {
    std::vector<std::map<std::pair<std::uint32_t, std::uint32_t>, long long>> counts(data_->places.size());
    for (std::size_t k = 0; k < linear.size(); ++k) {
      const Permutation g = linear.representative(k);
      const std::uint32_t inverse_exponent = (r - pair.exponents[k]) % r;
      linear.derived().chain(task).for_each_element(
          [&](const Permutation& d) {
            const Permutation back = (g * d * v.module().representative(source)).inverse();
            for (std::size_t i = 0; i < counts.size(); ++i)
              ++counts[i][{v.code_moved_from(back, data_->places[i]), inverse_exponent}];
            return true;
          },
          task);
    }
    std::vector<Cyclotomic> coordinates;
    for (const auto& at_place : counts) {
      Cyclotomic sum;
      for (const auto& [key, number] : at_place)
        sum += Cyclotomic(number) * v.value(key.first) * Cyclotomic::root_of_unity(r, key.second);
      coordinates.push_back(std::move(sum));
    }
    const FieldMatrix w = FieldMatrix(coordinates.size(), 1, coordinates).over(L);
    if (w.is_zero()) continue;
    const FieldMatrix inside = data_->coordinates(w, task).over(L);
    const IntegerMatrix& numerator = inside.coefficients().numerator();
    return {L, exact_quotient(numerator, numerator.content()), 1};
  }
  throw InternalError("sampled constituent: no image has a part that the subgroup moves by its character");
}

std::function<std::uint64_t(const Permutation&)> SampledConstituent::traces(const AbelianField::SplitPrime& prime,
                                                                            const Task& task) const {
  if (automorphism_ != 1) throw InternalError("sampled constituent: traces are those of the source");
  const auto residues_of = [prime](const FieldMatrix& A) {
    auto residues = A.reduce(prime, 0);
    if (!residues) throw InternalError("sampled constituent: the prime divides a denominator");
    return std::move(*residues);
  };
  // The trace of left C right is that of C (right left), where C has the images of the vectors that make the basis.
  ModularMatrix around = residues_of(data_->left);
  if (data_->adapted) {
    auto inverse = around.inverse(task);
    if (!inverse) throw InternalError("sampled constituent: the prime divides a determinant");
    around = std::move(*inverse);
  }
  if (data_->right.rows() != 0) around = residues_of(data_->right) * around;
  return [data = data_, prime, residues_of, task, around = std::move(around)](const Permutation& g) {
    const ModularMatrix C = data->adapted ? residues_of(data->adapted->images(g, data->places, task))
                                          : data->residues(data->codes(g, data->sources, data->places), prime);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < C.rows(); ++i)
      for (std::size_t j = 0; j < C.cols(); ++j)
        sum = static_cast<std::uint64_t>((static_cast<Wide>(C(i, j)) * around(j, i) + sum) % prime.p);
    return sum;
  };
}

SampledConstituent SampledConstituent::galois_conjugate(std::uint32_t k) const {
  SampledConstituent result = *this;
  const std::uint32_t N = std::max<std::uint32_t>(data_->field.conductor(), 1);
  result.automorphism_ = static_cast<std::uint32_t>(std::uint64_t{automorphism_} * (k % N) % N);
  if (N == 1) result.automorphism_ = 1;
  return result;
}

namespace {

class ConstituentMatrices final : public MatrixNode {
 public:
  ConstituentMatrices(SampledConstituent constituent, const FiniteGroup& G, const Task& task)
      : MatrixNode(G, constituent.dimension(), 1, constituent.field()), constituent_(std::move(constituent)) {
    for (const Permutation& s : G.generators()) images_.push_back(constituent_.matrix(s, task));
  }

  Cyclotomic character(const Permutation& g) const override { return dense(g).trace(); }
  std::string text(TextForm) const override { return matrices_text(images_); }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return transposed ? dense(g).transpose() * X : dense(g) * X;
  }

  FieldMatrix matrix(const Permutation& g) const override { return constituent_.matrix(g); }

  SampledConstituent constituent_;
};

}  // namespace

Representation SampledConstituent::representation(const Task& task) const {
  return Representation(std::make_shared<ConstituentMatrices>(*this, data_->vector.module().group(), task));
}

}  // namespace intertwine
