// Bases adapted to a subgroup, for large constituents.
#include "adapted_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/element_lists.hpp"
#include "representations/lattices/balanced_basis.hpp"
#include "representations/lattices/module_basis.hpp"
#include "spherical_lattice.hpp"

namespace intertwine {

namespace {

/// A vector of M that U moves by l, in coordinates over K without a common factor: at a coset those of its orbit times zeta^exponent.
struct MovedVector {
  std::vector<std::size_t> begin;                 ///< the beginnings of orbits in `coordinates`, the 0 first
  std::vector<std::vector<Integer>> coordinates;  ///< at begin + exponent
};

/// The vectors of the constituent that U moves by l.
class MovedVectors {
 public:
  MovedVectors(const SphericalVector& v, const LinearPair& pair, const AbelianField& K, const Task& task)
      : v_(v), field_(K), order_(std::lcm(v.module().order(), pair.order)), orbits_(orbits_of(pair, task)) {}

  using Values = std::vector<Cyclotomic>;  ///< on the orbits
  std::size_t module_size() const { return v_.module().size(); }

  /// The projection of t_k v on them and on the constituent of H.
  Values projection(std::size_t k, const FiniteGroup& H, const std::vector<AdaptedConstituent::Factor>& factors,
                    const Task& task) {
    Values values = projected(k);
    for (const AdaptedConstituent::Factor& factor : factors) {
      if (is_zero(values)) break;
      values = without(values, H, factor, task);
    }
    return values;
  }
  /// Short vectors of the lattice that these and their multiples generate.
  std::vector<MovedVector> short_vectors(const std::vector<Values>& generators, const Task& task) const {
    const std::size_t m = field_.degree(), n = orbits_.start.size();
    task.require_memory((generators.size() + 1) * m * n * m * 2 * (sizeof(Rational) + 16), "vectors of a subgroup");
    std::vector<std::vector<Rational>> coordinates;
    for (const Values& generator : generators) {
      auto& row = coordinates.emplace_back(n * m);
      for (std::size_t o = 0; o < n; ++o) {
        if (generator[o].is_zero()) continue;
        const std::vector<Rational> parts = field_.coordinates(generator[o]);
        for (std::size_t l = 0; l < m; ++l) row[l * n + o] = parts[l];
      }
    }
    const auto integral = without_common_factor(coordinates, task);
    IntegerMatrix rows(integral.size(), n * m);
    // Lengths are those in M, of which an orbit is a part; what multiplies an orbit commutes with K.
    const auto weight = [&](std::size_t o) { return std::lround(std::sqrt(static_cast<double>(orbits_.length[o]))); };
    for (std::size_t i = 0; i < integral.size(); ++i)
      for (std::size_t k = 0; k < n * m; ++k)
        if (integral[i][k] != 0) rows.set(i, k, integral[i][k] * weight(k % n));
    const IntegerMatrix lattice = times_powers(rows, field_);
    const IntegerMatrix reduced = lll(lattice, task);
    std::vector<MovedVector> result;
    for (std::size_t i = 0; i < reduced.rows(); ++i) {
      Values values(n);
      for (std::size_t o = 0; o < n; ++o) {
        std::vector<Rational> parts(m);
        for (std::size_t l = 0; l < m; ++l) parts[l] = Rational(reduced(i, l * n + o), weight(o));
        values[o] = field_.element(parts);
      }
      result.push_back(expanded(values, task));
    }
    return result;
  }
  /// Nothing more will be projected.
  void forget_suborbits() { suborbits_.clear(); }
  static bool is_zero(const Values& values) {
    return std::ranges::all_of(values, [](const Cyclotomic& a) { return a.is_zero(); });
  }
  /// The place of the coordinate at a coset of the images of all these vectors under h: the orbit and the exponent.
  MonomialEntry place_of(const Permutation& inverse_of_h, std::size_t coset) const {
    const MonomialModule::Image image = v_.module().image(inverse_of_h, coset);
    return {orbits_.orbit[image.point], exponent_of(image)};
  }

 private:
  std::uint32_t exponent_of(const MonomialModule::Image& image) const {
    return (orbits_.exponent[image.point] + order_ - image.exponent * (order_ / v_.module().order())) % order_;
  }
  PhaseOrbits orbits_of(const LinearPair& pair, const Task& task) const {
    std::vector<std::uint32_t> steps;
    for (const Permutation& x : pair.subgroup().generators())
      steps.push_back(pair.exponent_at(x) * (order_ / pair.order));
    return phase_orbits(v_.module(), pair.subgroup().generators(), steps, order_, task);
  }
  Cyclotomic sum(const std::map<std::pair<std::uint32_t, std::uint32_t>, long long>& counts, const auto& value) const {
    Cyclotomic result;
    for (const auto& [key, number] : counts)
      result += Cyclotomic(number) * value(key.first) * Cyclotomic::root_of_unity(order_, key.second);
    return result;
  }
  /// The values on the orbits of the projection of t_k v: means.
  Values projected(std::size_t k) const {
    const SphericalVector::Codes codes = v_.moved(k);
    std::vector<std::map<std::pair<std::uint32_t, std::uint32_t>, long long>> counts(orbits_.start.size());
    for (std::size_t i = 0; i < codes.size(); ++i)
      if (orbits_.consistent[orbits_.orbit[i]] != 0)
        ++counts[orbits_.orbit[i]][{codes[i], (order_ - orbits_.exponent[i]) % order_}];
    Values result;
    for (std::size_t o = 0; o < counts.size(); ++o)
      result.push_back(sum(counts[o], [&](std::uint32_t code) { return v_.value(code); }) *
                       Cyclotomic(Rational(1, orbits_.length[o])));
    return result;
  }

  /// Row o: how often the elements of a class take the first coset of orbit o back to cosets of an orbit, with their roots of unity.
  using Suborbits = std::vector<std::map<std::pair<std::uint32_t, std::uint32_t>, long long>>;
  const Suborbits& suborbits(const FiniteGroup& H, const Permutation& representative, const Task& task) {
    const auto [at, is_new] = suborbits_.try_emplace(representative);
    if (!is_new) return at->second;
    Suborbits& rows = at->second;
    rows.resize(orbits_.start.size());
    const FlatIndex<Point> elements = class_elements(H, representative, task);
    constexpr std::uint64_t bytes_of_node = 64;
    task.require_memory(
        bytes_of_node * rows.size() * std::min<std::uint64_t>(elements.size(), std::uint64_t{order_} * rows.size()),
        "the suborbits of a subgroup");
    for (std::size_t e = 0; e < elements.size(); ++e) {
      const Permutation back = Permutation::unchecked({elements[e].begin(), elements[e].end()}).inverse();
      for (std::size_t o = 0; o < rows.size(); ++o) {
        if (o % 1024 == 0) task.poll();
        if (orbits_.consistent[o] == 0) continue;
        const MonomialModule::Image image = v_.module().image(back, orbits_.start[o]);
        if (orbits_.consistent[orbits_.orbit[image.point]] != 0)
          ++rows[o][{orbits_.orbit[image.point], exponent_of(image)}];
      }
    }
    return rows;
  }
  Values without(const Values& values, const FiniteGroup& H, const AdaptedConstituent::Factor& factor,
                 const Task& task) {
    const Suborbits& rows = suborbits(H, factor.representative, task);
    Values result;
    for (std::size_t o = 0; o < values.size(); ++o) {
      task.poll();
      result.push_back(sum(rows[o], [&](std::uint32_t orbit) -> const Cyclotomic& { return values[orbit]; }) -
                       factor.value * values[o]);
    }
    return result;
  }
  MovedVector expanded(const Values& values, const Task& task) const {
    MovedVector result;
    std::vector<std::vector<Rational>> all(order_, std::vector<Rational>(field_.degree()));  // of 0
    for (const Cyclotomic& value : values) {
      task.poll();
      result.begin.push_back(value.is_zero() ? 0 : all.size());
      if (value.is_zero()) continue;
      task.require_memory((all.size() + order_) * 2 * field_.degree() * (sizeof(Rational) + 16),
                          "the values of a vector");
      for (std::uint32_t x = 0; x < order_; ++x)
        all.push_back(field_.coordinates(value * Cyclotomic::root_of_unity(order_, x)));
    }
    result.coordinates = without_common_factor(all, task);
    return result;
  }

  SphericalVector v_;
  AbelianField field_;
  std::uint32_t order_;
  PhaseOrbits orbits_;
  std::map<Permutation, Suborbits> suborbits_;
};

}  // namespace

/// One constituent of H: vectors u_1, u_2, ..., each of which generates a copy, and a basis of each: the images under `elements` times `combinations`.
struct AdaptedPart {
  MovedVectors space;
  std::vector<MovedVector> vectors;
  std::vector<Permutation> elements;
  FieldMatrix combinations;  ///< over K

  /// For the images under g of those under the elements, at these cosets: one column for every element. The codes are
  /// the same for all vectors.
  std::vector<MonomialEntry> codes(const Permutation& g, std::span<const std::size_t> at, const Task& task) const {
    std::vector<MonomialEntry> result;
    result.reserve(elements.size() * at.size());
    for (const Permutation& h : elements) {
      task.poll();
      const Permutation back = (g * h).inverse();
      for (const std::size_t place : at) result.push_back(space.place_of(back, place));
    }
    return result;
  }
  FieldMatrix images(const MovedVector& u, std::span<const MonomialEntry> codes, const AbelianField& K) const {
    const std::size_t count = elements.size(), rows = codes.size() / count;
    IntegerMatrix coefficients(rows, count * K.degree());
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < rows; ++i) {
        const MonomialEntry& code = codes[k * rows + i];
        const std::vector<Integer>& value = u.coordinates[u.begin[code.point] + code.exponent];
        for (std::size_t l = 0; l < value.size(); ++l)
          if (value[l] != 0) coefficients.set(i, l * count + k, value[l]);
      }
    return {K, RationalMatrix(std::move(coefficients)), count};
  }
};

struct AdaptedBasis::Data {
  AbelianField field;
  std::vector<AdaptedPart> parts;
};

namespace {

/// The coordinates of the columns, a row for each: at a^l in columns l n, ..., l n + n - 1.
IntegerMatrix rows_of(const FieldMatrix& columns) {
  std::vector<IntegerMatrix> parts;
  for (std::size_t l = 0; l < columns.field().degree(); ++l)
    parts.push_back(
        columns.coefficients().numerator().block(0, l * columns.cols(), columns.rows(), columns.cols()).transpose());
  return horizontal_stack(parts);
}

/// A short basis of the lattice that images of a vector generate, over K or, which is better, over Q if that has the rank of the space over K.
FieldMatrix short_basis(const FieldMatrix& images, std::size_t degree, const AbelianField& K, const Task& task) {
  const IntegerMatrix rows = rows_of(images);
  IntegerMatrix reduced = lll(rows, task);
  if (reduced.rows() == degree) {
    const FieldMatrix basis = balanced_basis(columns_over(AbelianField(), reduced), AbelianField(), task);
    return columns_over(K, basis.coefficients().numerator().transpose());
  }
  reduced = lll(times_powers(rows, K), task);
  if (reduced.rows() != degree * K.degree())
    throw InternalError(
        fmt::format("adapted basis: the lattice has rank {} instead of {} x {}", reduced.rows(), degree, K.degree()));
  return balanced_basis(columns_over(K, module_basis(reduced, K, task)), K, task);
}

/// Images of the first vector under H, some of which are a basis, and the combinations of these that are a short one; false if the places do not tell
/// them apart.
bool choose_basis(AdaptedPart& part, const AdaptedConstituent& piece, const FiniteGroup& H, const AbelianField& K,
                  std::span<const std::size_t> places, const Task& task) {
  const CosetSpace cosets(H, piece.pair.subgroup(), task);
  for (std::size_t wanted = 2 * piece.degree + 16;; wanted *= 2) {
    const std::size_t count = std::min(wanted, cosets.size());
    task.require_memory(16 * count * places.size() * K.degree(), "images of a vector under a subgroup");
    part.elements.clear();
    // Neighbouring cosets are alike: every (size / count)-th one.
    for (std::size_t k = 0; k < count; ++k) part.elements.push_back(cosets.representative(k * cosets.size() / count));
    const FieldMatrix images =
        part.images(part.vectors[0], part.codes(Permutation::identity(H.degree()), places, task), K);
    task.poll();
    const std::vector<std::size_t> chosen = independent_columns(images);
    if (chosen.size() < piece.degree && count < cosets.size()) continue;
    if (chosen.size() != piece.degree) return false;
    const FieldMatrix basis = short_basis(images, piece.degree, K, task), independent = images.select_cols(chosen);
    const std::vector<std::size_t> pivots = independent_columns(independent.transpose());
    const auto combinations = linear_solve(independent.select_rows(pivots), basis.select_rows(pivots), task);
    if (!combinations) throw InternalError("adapted basis: the basis is no combination of the images");
    part.combinations = *combinations;
    std::vector<Permutation> elements;
    for (const std::size_t k : chosen) elements.push_back(part.elements[k]);
    part.elements = std::move(elements);
    return true;
  }
}

/// Short vectors that generate different copies, as many as there are; false if the places do not tell these apart.
bool choose_vectors(AdaptedPart& part, const AdaptedConstituent& piece, const FiniteGroup& H, const AbelianField& K,
                    std::span<const std::size_t> places, const Task& task) {
  const std::size_t cosets = part.space.module_size();
  std::vector<MovedVectors::Values> generators;
  for (std::size_t k = 0, wanted = piece.multiplicity == 1 ? 1 : 2 * piece.multiplicity + 2;; wanted *= 2) {
    for (; k < cosets && generators.size() < wanted; ++k) {
      task.poll();
      auto values = part.space.projection(k, H, piece.factors, task);
      if (!MovedVectors::is_zero(values)) generators.push_back(std::move(values));
    }
    std::vector<FieldMatrix> copies;
    std::vector<MonomialEntry> codes;  // at the places
    for (MovedVector& u : part.space.short_vectors(generators, task)) {
      task.poll();
      part.vectors.push_back(std::move(u));
      if (codes.empty()) {
        if (!choose_basis(part, piece, H, K, places, task)) return false;
        codes = part.codes(Permutation::identity(H.degree()), places, task);
      }
      copies.push_back(part.images(part.vectors.back(), codes, K));
      const FieldMatrix all = horizontal_stack(copies);
      if (independent_columns(all).size() < all.cols()) {
        copies.pop_back();
        part.vectors.pop_back();
      }
      if (part.vectors.size() == piece.multiplicity) return true;
    }
    if (k == cosets) return false;
    part.vectors.clear();
  }
}

}  // namespace

std::optional<AdaptedBasis> AdaptedBasis::find(const SphericalVector& v, const GaloisTable& table, std::size_t row,
                                               const AbelianField& K, std::span<const std::size_t> places,
                                               const Task& task) {
  constexpr std::size_t largest = 200;
  const auto H = AdaptedSubgroup::find(table, row, K, largest, task);
  if (!H) return std::nullopt;
  auto data = std::make_shared<Data>(Data{K, {}});
  for (const AdaptedConstituent& piece : H->constituents) {
    AdaptedPart part{MovedVectors(v, piece.pair, K, task), {}, {}, {}};
    if (!choose_vectors(part, piece, H->group, K, places, task)) return std::nullopt;
    part.space.forget_suborbits();
    data->parts.push_back(std::move(part));
  }
  return AdaptedBasis(std::move(data));
}

FieldMatrix AdaptedBasis::images(const Permutation& g, std::span<const std::size_t> at, const Task& task) const {
  std::vector<FieldMatrix> columns;
  for (const AdaptedPart& part : data_->parts) {
    const std::vector<MonomialEntry> codes = part.codes(g, at, task);
    for (const MovedVector& u : part.vectors)
      columns.push_back(part.images(u, codes, data_->field).times(part.combinations, task).over(data_->field));
  }
  return horizontal_stack(columns);
}

}  // namespace intertwine
