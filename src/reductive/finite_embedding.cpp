// Characters of Lie groups restricted to finite subgroups.
#include "intertwine/reductive/finite_embedding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "intertwine/gl/branching.hpp"
#include "intertwine/reductive/classical_form.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "reductive/weight_lanes.hpp"

namespace intertwine {

namespace {

std::string named_sum(const ClassFunction& f) {
  SumText sum;
  const std::vector<Integer> parts = multiplicities(f);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i] != 0) sum.add(Cyclotomic(parts[i]), f.table().name(i));
  return sum.str();
}

/// The eigenvalues of an element of this order: counts[k] of exp(2 pi i k / order).
struct Spectrum {
  std::uint32_t order;
  std::vector<std::uint32_t> counts;
  std::uint32_t minus_ones() const { return order % 2 == 0 ? counts[order / 2] : 0; }
};

/// The eigenvalues on every class: 1/m sum over j of f(g^j) zeta_m^-jk.
std::vector<Spectrum> spectra(const ClassFunction& f, const Task& task) {
  std::vector<ClassFunction> powers{f.adams(0)};
  std::vector<Spectrum> result;
  for (std::size_t c = 0; c < f.values().size(); ++c) {
    const auto m = static_cast<std::uint32_t>(f.table().classes()[c].element_order);
    while (powers.size() < m) powers.push_back(f.adams(static_cast<long>(powers.size())));
    Spectrum found{m, std::vector<std::uint32_t>(m)};
    for (std::uint32_t k = 0; k < m; ++k) {
      task.poll();
      Cyclotomic sum = 0;
      for (std::uint32_t j = 0; j < m; ++j)
        if (!powers[j][c].is_zero())
          sum += powers[j][c] * Cyclotomic::root_of_unity(m, -static_cast<std::int64_t>(j) * k);
      found.counts[k] = static_cast<std::uint32_t>((sum * Cyclotomic(Rational(1, m))).to_integer());
    }
    result.push_back(std::move(found));
  }
  return result;
}

/// A form of this sign (1 symmetric, -1 antisymmetric), invariant and not degenerate.
bool has_form(const ClassFunction& f, int sign) {
  const std::vector<Integer> parts = multiplicities(f);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == 0) continue;
    const int indicator = f.table().indicator(i);
    if (indicator == -sign && parts[i] % 2 != 0) return false;
  }
  return f == f.conjugate();
}

bool has_determinant_one(const std::vector<Spectrum>& spectra) {
  return std::all_of(spectra.begin(), spectra.end(), [](const Spectrum& s) {
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < s.order; ++k) sum = (sum + std::uint64_t{k} * s.counts[k]) % s.order;
    return sum == 0;
  });
}

/// Why C^n of a group of this letter, see Classical, cannot become f; empty if it can.
std::string embedding_obstacle(char letter, int n, const ClassFunction& f, const std::vector<Spectrum>& spectra) {
  if (f.degree() != Cyclotomic(n)) return fmt::format("it has dimension {}, not {}", to_string(f.degree()), n);
  if ((letter == 'B' || letter == 'D' || letter == 'O') && !has_form(f, 1)) return "it is not orthogonal";
  if (letter == 'C' && !has_form(f, -1)) return "it is not symplectic";
  if ((letter == 'A' || letter == 'B' || letter == 'D') && !has_determinant_one(spectra))
    return "its determinant is not 1";
  return {};
}

/// The letter of a classical group. \throws DomainError unless its finite subgroups are known by their vectors
char letter_of(const LieGroup& group) {
  const ClassicalForm form = classical_form(group);
  if (group.family() == "SO") return group.degree() % 2 == 0 ? 'D' : 'B';
  if (form.n > 0 && form.letter != 'B' && form.letter != 'D') return form.letter;
  throw DomainError(fmt::format(
      "a finite subgroup of {} is not known by what the vector representation becomes; those of SU(n), U(n), "
      "SO(n), "
      "Sp(n) and their products are{}",
      group.name(), group.family() == "Spin" ? ", and Spin(3) is SU(2), Spin(5) is Sp(4), Spin(6) is SU(4)" : ""));
}
/// n of C^n.
int dimension_of_vector(const LieGroup& group) {
  return group.family().empty() ? classical_form(group).n : group.degree();
}

/// sigma with sigma + dual = f, where there is one: half of the constituents.
std::optional<ClassFunction> half_of(const ClassFunction& f) {
  const CharacterTable& table = f.table();
  std::vector<Integer> parts = multiplicities(f);
  ClassFunction half = ClassFunction::constant(table, 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == 0) continue;
    const ClassFunction chi = ClassFunction::irreducible(table, i);
    if (table.indicator(i) != 0) {
      if (parts[i] % 2 != 0) return {};
      half = half + Cyclotomic(Integer(parts[i] / 2)) * chi;
    } else {
      half = half + Cyclotomic(parts[i]) * chi;
      const ClassFunction bar = chi.conjugate();
      for (std::size_t j = i + 1; j < parts.size(); ++j)
        if (ClassFunction::irreducible(table, j) == bar) parts[j] = 0;
    }
  }
  return half;
}

/// All eigenvalues.
TorusElement all_of(const Spectrum& s) {
  TorusElement result{s.order, {}};
  for (std::uint32_t k = 0; k < s.order; ++k) result.exponents.insert(result.exponents.end(), s.counts[k], k);
  return result;
}
/// One of each pair of eigenvalues x, 1/x; one of 1 and of -1 that has no partner is left out.
TorusElement one_of_each_pair(const Spectrum& s) {
  TorusElement result{s.order, {}};
  for (std::uint32_t k = 0; 2 * k <= s.order; ++k)
    result.exponents.insert(result.exponents.end(), k == 0 || 2 * k == s.order ? s.counts[k] / 2 : s.counts[k], k);
  return result;
}

/// sum over the weights mu of chi of exp(2 pi i <mu, t>), for every t.
template <class Coordinates>
std::vector<Cyclotomic> values_at(const LieCharacter& chi, const Coordinates& coordinates,
                                  const std::vector<TorusElement>& elements, const Task& task) {
  const RootSystem& G = chi.type();
  const DominantCharacter weights = dominant_character(chi, task);
  Integer label = 0;
  for (const WeightTerm& term : weights) label = std::max(label, detail::largest_label(G, term.weight));
  std::vector<std::vector<Integer>> counts;
  for (const TorusElement& t : elements) counts.emplace_back(t.order);
  std::vector<std::int64_t> coordinate(coordinates.size());
  detail::with_lanes(G.rank(), label, [&](auto lanes) {
    using L = decltype(lanes);
    const detail::Reflections<L> reflections(G);
    std::vector<L> stack;
    for (const WeightTerm& term : weights)
      reflections.for_orbit(detail::to_lanes<L>(term.weight), reflections.all(), stack, [&](const L& mu) {
        task.poll();
        for (std::size_t i = 0; i < coordinates.size(); ++i) {
          std::int64_t sum = 0;
          for (int j = 0; j < G.rank(); ++j) sum += std::int64_t{coordinates[i].row[j]} * mu.at[j];
          if (sum % coordinates[i].denominator != 0)
            throw DomainError(fmt::format("{} is no weight of the group that its vectors stand for",
                                          to_string(detail::to_weight(mu, G.rank()))));
          coordinate[i] = sum / coordinates[i].denominator;
        }
        for (std::size_t c = 0; c < elements.size(); ++c) {
          const auto m = static_cast<std::int64_t>(elements[c].order);
          std::int64_t sum = 0;
          for (std::size_t i = 0; i < coordinate.size(); ++i)
            sum = (sum + coordinate[i] % m * elements[c].exponents[i]) % m;
          counts[c][static_cast<std::size_t>(sum < 0 ? sum + m : sum)] += term.coefficient;
        }
      });
  });
  std::vector<Cyclotomic> result;
  for (std::size_t c = 0; c < elements.size(); ++c) {
    std::vector<std::pair<std::int64_t, Rational>> terms;
    for (std::size_t k = 0; k < counts[c].size(); ++k)
      if (counts[c][k] != 0) terms.emplace_back(static_cast<std::int64_t>(k), Rational(counts[c][k]));
    result.push_back(Cyclotomic::from_terms(elements[c].order, terms));
  }
  return result;
}

void require_faithful(const std::vector<ClassFunction>& vectors, const std::string& group) {
  std::vector<std::uint32_t> kernel = kernel_classes(vectors[0]);
  for (const ClassFunction& f : vectors) {
    const std::vector<std::uint32_t> other = kernel_classes(f);
    std::vector<std::uint32_t> both;
    std::set_intersection(kernel.begin(), kernel.end(), other.begin(), other.end(), std::back_inserter(both));
    kernel = std::move(both);
  }
  if (kernel.size() == 1) return;
  const auto& c = vectors[0].table().classes()[kernel[1]];
  throw DomainError(fmt::format("{} does not embed into {} by {}: it is not faithful, {} acts as the identity",
                                vectors[0].table().group().name(), group, named_sum(vectors[0]),
                                c.representative.to_string()));
}

}  // namespace

FiniteEmbedding::FiniteEmbedding(LieGroup from, std::vector<ClassFunction> vectors, const Task& task)
    : from_(std::move(from)), vectors_(std::move(vectors)) {
  const auto& factors = from_.factors();
  if (vectors_.size() != factors.size())
    throw DomainError(fmt::format("{} has {} factor{}: give as many representations of the finite group, not {}",
                                  from_.name(), factors.size(), factors.size() == 1 ? "" : "s", vectors_.size()));
  for (const ClassFunction& f : vectors_)
    if (!(f.table().group() == table().group()))
      throw DomainError("the representations of the factors are of different groups");
  elements_.resize(table().size());
  for (std::size_t c = 0; c < table().size(); ++c)
    elements_[c].order = static_cast<std::uint32_t>(table().classes()[c].element_order);
  const int rank = from_.type().rank();
  int label = 0, charge = from_.type().semisimple_rank();
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const LieGroup& factor = factors[k];
    const char letter = letter_of(factor);
    const ClassFunction& f = vectors_[k];
    multiplicities(f);  // it is a character
    const int n = dimension_of_vector(factor);
    const std::vector<Spectrum> spectrum = spectra(f, task);
    if (const std::string why = embedding_obstacle(letter, n, f, spectrum); !why.empty())
      throw DomainError(
          fmt::format("{} does not embed into {} by {}: {}", table().group().name(), factor.name(), named_sum(f), why));
    const RootSystem& type = factor.type();
    int denominator = 1;
    const bool circle = letter == 'D' && n == 2;
    const auto rows =
        circle ? std::vector<std::vector<int>>{{1}} : coordinate_rows({letter, n}, type.rank(), denominator);
    for (const std::vector<int>& row : rows) {
      Coordinate placed{std::vector<int>(rank, 0), denominator};
      std::copy_n(row.begin(), type.semisimple_rank(), placed.row.begin() + label);
      std::copy(row.begin() + type.semisimple_rank(), row.end(), placed.row.begin() + charge);
      coordinates_.push_back(std::move(placed));
    }
    const std::optional<ClassFunction> half = letter == 'D' ? half_of(f) : std::nullopt;
    const std::vector<Spectrum> halves = half ? spectra(*half, task) : std::vector<Spectrum>{};
    bool seen = true;
    for (std::size_t c = 0; c < spectrum.size(); ++c) {
      const Spectrum& s = spectrum[c];
      const TorusElement part = letter == 'A' || letter == 'G' ? all_of(s)
                                : half                         ? all_of(halves[c])
                                                               : one_of_each_pair(s);
      elements_[c].exponents.insert(elements_[c].exponents.end(), part.exponents.begin(), part.exponents.end());
      seen = seen && (half || s.counts[0] > 0 || s.minus_ones() > 0);
    }
    if (letter == 'D' && !seen)
      unseen_.push_back({circle ? charge : label + type.semisimple_rank() - 2, circle, factor.name()});
    label += type.semisimple_rank();
    charge += type.torus_rank();
  }
  require_faithful(vectors_, from_.name());
}

std::string FiniteEmbedding::how() const {
  std::string text;
  for (const ClassFunction& f : vectors_) text += (text.empty() ? "vector = " : ", ") + named_sum(f);
  return text;
}

ClassFunction FiniteEmbedding::restrict(const LieCharacter& chi, const Task& task) const {
  if (!(chi.type() == from_.type()))
    throw DomainError(fmt::format("a character of {} is no character of {}", chi.type().name(), from_.name()));
  for (const Reflection& r : unseen_)
    for (const WeightTerm& term : chi) {
      Weight mirror = term.weight;
      if (r.charge)
        mirror[r.node] = -mirror[r.node];
      else
        std::swap(mirror[r.node], mirror[r.node + 1]);
      if (chi.multiplicity(mirror) != term.coefficient)
        throw DomainError(
            fmt::format("how {} lies in {} is known up to a reflection only, which takes {} to {}: restrict "
                        "the sum of both",
                        table().group().name(), r.group, to_string(term.weight), to_string(mirror)));
    }
  ClassFunction result(table(), values_at(chi, coordinates_, elements_, task));
  if (result.degree() != Cyclotomic(chi.dimension()))
    throw InternalError("the weights of a character are not as many as its dimension");
  if (chi.is_character()) multiplicities(result);
  return result;
}

namespace {

ClassFunction orthogonal_vector(ClassFunction f, const Task& task) {
  multiplicities(f);
  const int n = f.degree().to_integer() > 100'000 ? 100'000 : static_cast<int>(f.degree().to_integer());
  const std::string group = fmt::format("O({})", n);
  if (n < 1) throw DomainError("O(n) acts on at least one dimension");
  if (const std::string why = embedding_obstacle('O', n, f, spectra(f, task)); !why.empty())
    throw DomainError(
        fmt::format("{} does not embed into {} by {}: {}", f.table().group().name(), group, named_sum(f), why));
  require_faithful({f}, group);
  return f;
}

/// [mu] of O(n), at most n/2 rows, as a character of SO(n); and its values at some elements, coordinates in the basis of C^n.
struct PlainCoordinates {
  std::vector<int> row;
  int denominator;
};
std::vector<Cyclotomic> values_by_partition(const char* family, int n, std::vector<int> partition,
                                            const std::vector<TorusElement>& elements, const Task& task) {
  // SO(1) and Sp(0) are trivial.
  if (n < 2) return std::vector<Cyclotomic>(elements.size(), 1);
  const LieGroup G = LieGroup::classical(family, n);
  LieCharacter chi(G.type(), G.weight_of_partition(partition));
  if (*family == 'S' && family[1] == 'O' && n % 2 == 0 && static_cast<int>(partition.size()) == n / 2) {
    partition.back() = -partition.back();
    chi = chi + LieCharacter(G.type(), G.weight_of_partition(partition));
  }
  std::vector<PlainCoordinates> coordinates;
  int denominator = 1;
  if (n == 2 && family[1] == 'O')
    coordinates.push_back({{1}, 1});
  else
    for (auto& row : coordinate_rows(classical_form(G), G.type().rank(), denominator)) coordinates.push_back({row, 0});
  for (auto& c : coordinates) c.denominator = denominator;
  return values_at(chi, coordinates, elements, task);
}

}  // namespace

OrthogonalEmbedding::OrthogonalEmbedding(ClassFunction vector, const Task& task)
    : n_(0), vector_(orthogonal_vector(std::move(vector), task)), parity_(determinant(vector_, task)) {
  n_ = static_cast<int>(vector_.degree().to_integer());
}

std::string OrthogonalEmbedding::how() const { return "vector = " + named_sum(vector_); }

ClassFunction OrthogonalEmbedding::irrep(const Partition& mu, const Task& task) const {
  const Partition columns = mu.conjugate();
  const int first = columns[0], second = columns[1];
  if (first + second > n_)
    throw DomainError(
        fmt::format("{} is no label of O({}): its first two columns have {} cells together, at most {} are "
                    "allowed",
                    to_string(mu), n_, first + second, n_));
  // [mu] is [nu] times the determinant, nu with n - first cells in its first column.
  std::vector<int> nu(mu.begin(), mu.end());
  const bool twisted = 2 * first > n_;
  if (twisted) nu.resize(static_cast<std::size_t>(n_ - first), 1);
  const int cells = std::accumulate(nu.begin(), nu.end(), 0);
  const bool odd = n_ % 2 != 0, self_associate = !odd && static_cast<int>(nu.size()) == n_ / 2;
  std::vector<std::size_t> proper, improper;
  std::vector<TorusElement> at_proper, at_improper;
  const std::vector<Spectrum> all = spectra(vector_, task);
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (parity_[c] == Cyclotomic(1)) {
      proper.push_back(c);
      at_proper.push_back(one_of_each_pair(all[c]));
      continue;
    }
    improper.push_back(c);
    TorusElement t = one_of_each_pair(all[c]);  // n even: without one eigenvalue 1 and one -1
    if (odd) {
      // -g is a rotation. Its order divides 2 m.
      Spectrum minus{2 * all[c].order, std::vector<std::uint32_t>(2 * all[c].order)};
      for (std::uint32_t k = 0; k < all[c].order; ++k)
        minus.counts[(2 * k + all[c].order) % minus.order] = all[c].counts[k];
      t = one_of_each_pair(minus);
    }
    at_improper.push_back(std::move(t));
  }
  std::vector<Cyclotomic> values(all.size());
  const auto place = [&](const std::vector<std::size_t>& classes, const std::vector<Cyclotomic>& found, int sign) {
    for (std::size_t k = 0; k < classes.size(); ++k) values[classes[k]] = Cyclotomic(sign) * found[k];
  };
  place(proper, values_by_partition("SO", n_, nu, at_proper, task), 1);
  if (!improper.empty() && !self_associate)
    place(improper, values_by_partition(odd ? "SO" : "Sp", odd ? n_ : n_ - 2, nu, at_improper, task),
          odd && cells % 2 != 0 ? -1 : 1);
  ClassFunction result(table(), std::move(values));
  if (twisted) result = result * parity_;
  if (result.degree() != Cyclotomic(dimension_of_orthogonal(mu, n_)))
    throw InternalError("a character of O(n) has another degree than its module");
  multiplicities(result);
  return result;
}

namespace {

ClassFunction usual_vector(const std::string& group, char letter, int n, const CharacterTable& table,
                           const Task& task) {
  const FiniteGroup& H = table.group();
  const auto fits = [&](const ClassFunction& f) {
    return f.degree() == Cyclotomic(n) && kernel_classes(f).size() == 1 &&
           embedding_obstacle(letter, n, f, spectra(f, task)).empty();
  };
  if (H.coordinates().matrices) {
    const ClassFunction f = character_of(coordinate_representation(H), table, task);
    if (fits(f)) return f;
    // Td is a group of rotations by another representation than its coordinates, which nobody means who does not say so.
    if (f.degree() == Cyclotomic(n) && kernel_classes(f).size() == 1)
      throw DomainError(fmt::format("{} does not embed into {} by its coordinates: {}{}; or say what the "
                                    "vector representation becomes",
                                    H.name(), group, embedding_obstacle(letter, n, f, spectra(f, task)),
                                    letter == 'B' || letter == 'D' ? fmt::format("; take O({})", n) : ""),
                        Remedy::embedding);
    if ((letter == 'B' || letter == 'D') && f.degree() == Cyclotomic(n - 1))
      if (const ClassFunction with_sign = f + determinant(f, task); fits(with_sign)) return with_sign;
  }
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table.degree(i) == n)
      if (const ClassFunction f = ClassFunction::irreducible(table, i); fits(f)) return f;
  if (H.degree() == static_cast<std::size_t>(n))
    if (const ClassFunction f = character_of(natural_permutation_representation(H), table, task); fits(f)) return f;
  throw DomainError(
      fmt::format("{} is not seen to lie in {}: neither its coordinates nor an irreducible representation of "
                  "dimension {} nor its points fit; say what the vector representation becomes",
                  H.name(), group, n),
      Remedy::embedding);
}

}  // namespace

FiniteEmbedding usual_embedding(const LieGroup& from, const CharacterTable& table, const Task& task) {
  if (from.factors().size() > 1)
    throw DomainError(fmt::format("{} has {} factors: say what the vector representation of each becomes", from.name(),
                                  from.factors().size()),
                      Remedy::embedding);
  const LieGroup& G = from.factors()[0];
  return {from, {usual_vector(G.name(), letter_of(G), dimension_of_vector(G), table, task)}, task};
}

OrthogonalEmbedding usual_orthogonal_embedding(int n, const CharacterTable& table, const Task& task) {
  return OrthogonalEmbedding(usual_vector(fmt::format("O({})", n), 'O', n, table, task), task);
}

}  // namespace intertwine
