// Integral matrices for representations over number fields.
#include "integral_form.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "field_ideals.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "local_lattice.hpp"
#include "module_basis.hpp"
#include "neighbour_lattice.hpp"

namespace intertwine {

namespace {

/// Columns in groups: those of one, as a row, are multiplied by a matrix, the same for many groups.
class GroupedChange {
 public:
  using Groups = std::vector<std::vector<std::size_t>>;  ///< disjoint, of one size

  explicit GroupedChange(std::size_t n) : rest_(n) { std::iota(rest_.begin(), rest_.end(), std::size_t{0}); }
  void add(const FieldMatrix& M, const Groups& groups, const Task& task) {
    if (groups.empty()) return;
    Part part{M, inverse(M, task), std::vector<std::vector<std::size_t>>(M.rows())};
    for (const auto& group : groups)
      for (std::size_t i = 0; i < group.size(); ++i) part.places[i].push_back(group[i]);
    for (auto& places : part.places) {
      std::ranges::sort(places);
      std::erase_if(rest_, [&](std::size_t j) { return std::ranges::binary_search(places, j); });
    }
    parts_.push_back(std::move(part));
  }
  /// A P
  FieldMatrix after(const FieldMatrix& A) const { return times(A, &Part::matrix); }
  /// P^-1 A
  FieldMatrix before(const FieldMatrix& A) const {
    return parts_.empty() ? A : times(A.transpose(), &Part::transposed_inverse).transpose();
  }

 private:
  struct Part {
    Part(const FieldMatrix& M, const FieldMatrix& inverse, std::vector<std::vector<std::size_t>> all)
        : matrix(M), transposed_inverse(inverse.transpose()), places(std::move(all)) {}
    FieldMatrix matrix, transposed_inverse;
    std::vector<std::vector<std::size_t>> places;  ///< i: of the i-th columns of all groups
  };

  FieldMatrix times(const FieldMatrix& A, FieldMatrix Part::*factor) const {
    if (parts_.empty()) return A;
    std::vector<FieldMatrix> columns;
    std::vector<std::size_t> place(A.cols());
    std::size_t count = 0;
    const auto append = [&](FieldMatrix block, const std::vector<std::size_t>& at) {
      columns.push_back(std::move(block));
      for (const std::size_t j : at) place[j] = count++;
    };
    for (const Part& part : parts_) {
      std::vector<FieldMatrix> old;
      for (const auto& at : part.places) old.push_back(A.select_cols(at));
      for (std::size_t j = 0; j < old.size(); ++j) {
        FieldMatrix sum = (part.*factor)(0, j) * old[0];
        for (std::size_t i = 1; i < old.size(); ++i) sum = sum + (part.*factor)(i, j) * old[i];
        append(std::move(sum), part.places[j]);
      }
    }
    append(A.select_cols(rest_), rest_);
    return horizontal_stack(columns).select_cols(place);
  }

  std::vector<Part> parts_;
  std::vector<std::size_t> rest_;
};

FieldMatrix scalar(const Cyclotomic& c, const AbelianField& K) { return FieldMatrix(1, 1, std::vector{c}).over(K); }

/// Short numbers of an ideal J for residues modulo a power of a prime ideal P, which does not divide it.
class ShortLifts {
 public:
  /// \param both     the product of J and the power of P
  /// \param number   of J, rational and prime to p
  /// \param modulus  a power of p that the power of P divides
  ShortLifts(const IntegerMatrix& both, const Integer& number, std::uint64_t modulus)
      : size_(both.rows()), modulus_(modulus) {
    const RationalMatrix inverted = inverse(RationalMatrix(both));
    denominator_ = inverted.denominator();
    twice_ = 2 * denominator_;
    unit_ = number * Integer(inverse_modulo(static_cast<std::uint64_t>(number % modulus), modulus));
    for (std::size_t k = 0; k < size_; ++k)
      for (std::size_t l = 0; l < size_; ++l) {
        basis_.push_back(both(l, k));
        scaled_.push_back(2 * unit_ * inverted.numerator()(l, k));
      }
  }
  /// The coordinates, given those of the residue at 1, a, ...
  const std::vector<Integer>& operator()(std::vector<std::uint64_t> residue) {
    constexpr std::size_t most = 1 << 16;
    for (std::uint64_t& c : residue) c %= modulus_;
    if (const auto at = known_.find(residue); at != known_.end()) return at->second;
    if (known_.size() == most) known_.clear();
    std::vector<Integer> x = lift(residue);
    return known_.emplace(std::move(residue), std::move(x)).first->second;
  }

 private:
  std::vector<Integer> lift(const std::vector<std::uint64_t>& residue) const {
    std::vector<Integer> nearest(size_), result(size_);
    for (std::size_t k = 0; k < size_; ++k) {
      Integer sum = denominator_;
      for (std::size_t l = 0; l < residue.size(); ++l)
        mpz_addmul_ui(sum.backend().data(), scaled_[k * size_ + l].backend().data(), residue[l]);
      mpz_fdiv_q(nearest[k].backend().data(), sum.backend().data(), twice_.backend().data());
    }
    for (std::size_t l = 0; l < size_; ++l) {
      if (l < residue.size()) result[l] = unit_ * residue[l];
      for (std::size_t k = 0; k < size_; ++k)
        mpz_submul(result[l].backend().data(), nearest[k].backend().data(), basis_[l * size_ + k].backend().data());
    }
    return result;
  }

  std::size_t size_;
  std::uint64_t modulus_;
  std::vector<Integer> basis_;   ///< entry (k, l) at l * size_ + k
  std::vector<Integer> scaled_;  ///< twice the unit times the numerator of the inverse, (l, k) at k * size_ + l
  Integer denominator_, twice_, unit_;
  std::map<std::vector<std::uint64_t>, std::vector<Integer>> known_;
};

/// A prime ideal Q of degree 1 whose power `order` is principal.
struct Auxiliary {
  PrimeIdeal ideal;
  unsigned order;
  Cyclotomic generator;               ///< the generator of that power
  std::vector<IntegerMatrix> powers;  ///< below it
};

/// A prime ideal P at which matrices may have denominators, and a generator of P Q^excess.
struct Place {
  PrimeIdeal ideal;
  std::optional<Cyclotomic> generator;
  unsigned excess = 0;
};

/// The largest order of an ideal in the class group that is tried.
constexpr unsigned most_order = 100;

/// Q with its powers, if one of the first few is principal.
std::optional<Auxiliary> auxiliary_at(const PrimeIdeal& Q, const AbelianField& K, const Task& task) {
  Auxiliary result{Q, 1, {}, {IntegerMatrix::identity(K.degree())}};
  for (IntegerMatrix power = Q.basis; result.order < most_order; ++result.order) {
    task.poll();
    if (const auto x = principal_generator(power, K, task)) {
      result.generator = *x;
      return result;
    }
    result.powers.push_back(power);
    power = ideal_product(power, Q.basis, K);
  }
  return std::nullopt;
}

/// The least s for which P Q^s is principal, and a generator.
bool find_generator(Place& place, const Auxiliary& Q, const AbelianField& K, const Task& task) {
  for (unsigned s = 1; s < Q.order; ++s) {
    task.poll();
    place.generator = principal_generator(ideal_product(place.ideal.basis, Q.powers[s], K), K, task);
    place.excess = s;
    if (place.generator) return true;
  }
  return false;
}

/// The prime ideals at which these matrices have denominators.
std::vector<Place> places_of(const std::vector<FieldMatrix>& A, Integer denominator, const AbelianField& K,
                             const Task& task) {
  std::vector<Place> places;
  while (denominator > 1) {
    const auto p = find_prime_divisor(denominator);
    if (!p) break;
    denominator /= prime_part(denominator, *p);
    for (PrimeIdeal& P : prime_ideals(*p, K)) {
      task.poll();
      if (std::ranges::any_of(A, [&](const FieldMatrix& M) { return has_pole(M, P); }))
        places.push_back({std::move(P), std::nullopt});
    }
  }
  return places;
}

/// Gives the places generators; Q, prime to the denominator, is the first that serves all that are not principal, or one that serves the most.
std::optional<Auxiliary> find_generators(std::vector<Place>& places, const Integer& denominator, const AbelianField& K,
                                         const Task& task) {
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < places.size(); ++k) {
    task.poll();
    places[k].generator = principal_generator(places[k].ideal.basis, K, task);
    if (!places[k].generator) open.push_back(k);
  }
  // A trial costs some milliseconds over quadratic fields, and soon much more over larger ones.
  const std::size_t most_trials = K.degree() < 10 ? std::size_t{2048} >> K.degree() : 1;
  std::optional<Auxiliary> best;
  std::vector<Place> served = places;
  std::size_t most_served = 0, trials = 0;
  for (std::uint64_t q = 2; most_served < open.size() && trials < most_trials; ++q) {
    if (!is_prime(q) || denominator % q == 0) continue;
    for (const PrimeIdeal& Q : prime_ideals(q, K)) {
      if (Q.degree() != 1 || Q.ramification != 1) continue;
      const auto found = auxiliary_at(Q, K, task);
      trials += found ? found->order * (1 + open.size()) : most_order;
      if (!found) continue;
      std::vector<Place> trial = places;
      const auto count = static_cast<std::size_t>(
          std::ranges::count_if(open, [&](std::size_t k) { return find_generator(trial[k], *found, K, task); }));
      if (count <= most_served) continue;
      most_served = count;
      best = found;
      served = std::move(trial);
    }
  }
  places = std::move(served);
  return best;
}

Integer common_denominator(const std::vector<FieldMatrix>& A) {
  Integer result = 1;
  for (const FieldMatrix& M : A) result = lcm(result, M.coefficients().denominator());
  return result;
}

/// The lattice: the sum of Q^n_i e_i for the columns e_i of a matrix P.
class Lattice {
 public:
  Lattice(std::vector<FieldMatrix> A, const AbelianField& K, const Task& task)
      : field_(K), task_(task), form_{std::move(A), {}}, exponents_(form_.matrices[0].rows()) {
    form_.change = FieldMatrix::identity(K, exponents_.size());
    const Integer denominator = common_denominator(form_.matrices);
    if (denominator == 1 || basis_of_integers(K, task) != RationalMatrix::identity(K.degree())) return;
    places_ = places_of(form_.matrices, denominator, K, task);
    auxiliary_ = find_generators(places_, denominator, K, task);
  }

  IntegralForm integral() && {
    for (const Place& place : places_)
      if (place.generator) extend(place);
    if (auxiliary_ && common_denominator(form_.matrices) > 1) {
      if (!principal_shift(0)) move_beside();
      make_free();
    }
    return std::move(form_);
  }

 private:
  using Places = std::vector<std::size_t>;

  /// The vectors by the ratio of their length to that of the dual ones, the longest first, as columns and rows of the matrices tell.
  Places by_length() const {
    const std::size_t n = exponents_.size(), m = field_.degree();
    const Integer below = common_denominator(form_.matrices);
    std::vector<Integer> columns(n, 1), rows(n, 1);
    for (const FieldMatrix& M : form_.matrices) {
      task_.poll();
      const IntegerMatrix& N = M.coefficients().numerator();
      const Integer factor = below / M.coefficients().denominator(), square = factor * factor;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m * n; ++j) {
          if (N.sign(i, j) == 0) continue;
          const Integer x = N(i, j), weight = square * x * x;
          columns[j % n] += weight;
          rows[i] += weight;
        }
    }
    for (std::size_t j = 0; j < n; ++j) columns[j] *= norm_of_power(2 * exponents_[j]);
    Places result(n);
    std::iota(result.begin(), result.end(), std::size_t{0});
    std::ranges::stable_sort(result,
                             [&](std::size_t i, std::size_t j) { return columns[i] * rows[j] > columns[j] * rows[i]; });
    return result;
  }

  Places where(const std::vector<unsigned>& levels, unsigned least, unsigned most) const {
    Places result;
    for (std::size_t j = 0; j < levels.size(); ++j)
      if (least <= levels[j] && levels[j] <= most) result.push_back(j);
    return result;
  }

  /// The vectors of one level: the e_j become e_j + sum of x_fj e_f.
  struct Level {
    Places own, lower;
    FieldMatrix sums;
  };

  /// Parts of the lattice are taken as long as what is left has smaller denominators.
  void extend(const Place& place) {
    for (Integer last = 0;;) {
      auto found = local_lattice(form_.matrices, place.ideal, field_, by_length(), task_);
      if (!found) return;
      const bool is_last = found->is_complete;
      extend(place, std::move(*found));
      const Integer next = prime_part(common_denominator(form_.matrices), place.ideal.p);
      if (is_last || (last != 0 && next >= last)) return;
      last = next;
    }
  }
  /// Changes to the basis of vectors (e_j + sum of x_fj e_f)/pi^k_j times a power of the generator of the principal power of Q.
  void extend(const Place& place, LocalLattice found) {
    const unsigned most = std::ranges::max(found.levels);
    std::vector<Level> levels;
    std::map<std::pair<unsigned, unsigned>, ShortLifts> lifts;
    for (unsigned level = most; level > 0; --level) levels.push_back(lifted(found, level, place.ideal, lifts));
    const GroupedChange scaling = divide(found.levels, place);
    for (FieldMatrix& M : form_.matrices)
      M = scaling.before(rows_changed(scaling.after(columns_changed(M, levels)), levels));
    form_.change = scaling.after(columns_changed(form_.change, levels));
  }
  FieldMatrix columns_changed(FieldMatrix M, const std::vector<Level>& levels) const {
    for (const Level& level : levels) {
      const FieldMatrix rest = M.select_cols(level.lower);
      M = replaced_columns(M, level.own, M.select_cols(level.own) + rest.times(level.sums, task_));
    }
    return M;
  }
  FieldMatrix rows_changed(FieldMatrix M, const std::vector<Level>& levels) const {
    for (const Level& level : levels)
      M = replaced_rows(M, level.lower, M.select_rows(level.lower) - level.sums.times(M.select_rows(level.own), task_));
    return M;
  }
  /// The places of the other rows or columns and, in their place among all, of these after them.
  static std::pair<Places, Places> around(std::size_t n, const Places& at) {
    Places others = complement_of(at, n), place(n);
    for (std::size_t k = 0; k < others.size(); ++k) place[others[k]] = k;
    for (std::size_t k = 0; k < at.size(); ++k) place[at[k]] = others.size() + k;
    return {std::move(others), std::move(place)};
  }
  static FieldMatrix replaced_columns(const FieldMatrix& M, const Places& at, FieldMatrix columns) {
    const auto [others, place] = around(M.cols(), at);
    const FieldMatrix parts[] = {M.select_cols(others), std::move(columns)};
    return horizontal_stack(parts).select_cols(place);
  }
  static FieldMatrix replaced_rows(const FieldMatrix& M, const Places& at, FieldMatrix rows) {
    const auto [others, place] = around(M.rows(), at);
    const FieldMatrix parts[] = {M.select_rows(others), std::move(rows)};
    return vertical_stack(parts).select_rows(place);
  }

  /// Short coefficients of the vectors of a level, in the powers of Q that the lattice has there. Vectors of lower
  /// levels are subtracted.
  Level lifted(LocalLattice& found, unsigned level, const PrimeIdeal& P,
               std::map<std::pair<unsigned, unsigned>, ShortLifts>& lifts) {
    const std::size_t m = field_.degree(), c = found.ring.size();
    Level result{where(found.levels, level, level), where(found.levels, 0, level - 1), {}};
    const Places& own = result.own;
    IntegerMatrix all(result.lower.size(), m * own.size());
    for (unsigned at = level; at-- > 0;) {
      task_.poll();
      const Places rows = where(found.levels, at, at);
      IntegerMatrix coefficients(rows.size(), m * own.size());
      std::vector<std::uint64_t> residue(c);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t place =
            static_cast<std::size_t>(std::ranges::lower_bound(result.lower, rows[i]) - result.lower.begin());
        for (std::size_t k = 0; k < own.size(); ++k) {
          for (std::size_t l = 0; l < c; ++l) residue[l] = found.vectors[l](rows[i], own[k]);
          if (std::ranges::all_of(residue, [](std::uint64_t x) { return x == 0; })) continue;
          const unsigned here = exponents_[rows[i]], there = exponents_[own[k]];
          const std::vector<Integer>& x = lifts_for(lifts, P, level - at, here > there ? here - there : 0)(residue);
          for (std::size_t l = 0; l < m; ++l)
            if (x[l] != 0) {
              coefficients.set(i, l * own.size() + k, x[l]);
              all.set(place, l * own.size() + k, x[l]);
            }
        }
      }
      if (at > 0 && !rows.empty())
        subtract(found, own, rows, where(found.levels, 0, at - 1),
                 {field_, RationalMatrix(std::move(coefficients)), own.size()});
    }
    result.sums = FieldMatrix(field_, RationalMatrix(std::move(all)), own.size());
    return result;
  }
  /// Subtracts from the vectors at `own` those at `others`, times the excess of their coordinates there, at the `rows`
  /// still looked at.
  static void subtract(LocalLattice& found, const Places& own, const Places& others, const Places& rows,
                       const FieldMatrix& wanted) {
    LocalRing::Matrix excess = found.ring.image(wanted, 0), columns;
    for (std::size_t l = 0; l < excess.size(); ++l) {
      excess[l] = found.vectors[l].select_rows(others).select_cols(own) - excess[l];
      columns.push_back(found.vectors[l].select_rows(rows).select_cols(others));
    }
    const LocalRing::Matrix product = found.ring.product(columns, excess);
    const std::uint64_t q = found.ring.modulus();
    for (std::size_t l = 0; l < product.size(); ++l)
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto row = found.vectors[l].row(rows[i]);
        for (std::size_t k = 0; k < own.size(); ++k) row[own[k]] = (row[own[k]] + (q - product[l](i, k))) % q;
      }
  }
  ShortLifts& lifts_for(std::map<std::pair<unsigned, unsigned>, ShortLifts>& lifts, const PrimeIdeal& P, unsigned power,
                        unsigned of_auxiliary) const {
    const auto at = lifts.find({power, of_auxiliary});
    if (at != lifts.end()) return at->second;
    IntegerMatrix both = P.basis;
    for (unsigned k = 1; k < power; ++k) both = ideal_product(both, P.basis, field_);
    if (of_auxiliary > 0) both = ideal_product(both, auxiliary_->powers[of_auxiliary], field_);
    std::uint64_t modulus = 1;
    for (unsigned k = 0; k < power; k += P.ramification) modulus *= P.p;
    return lifts.try_emplace({power, of_auxiliary}, both, norm_of_power(of_auxiliary), modulus).first->second;
  }
  Integer norm_of_power(unsigned power) const {
    return power == 0 ? Integer(1) : Integer(boost::multiprecision::pow(Integer(auxiliary_->ideal.p), power));
  }

  /// Vectors over the generator of P Q^s to their level, times that of the power of Q that is principal as often as this comes out.
  GroupedChange divide(const std::vector<unsigned>& levels, const Place& place) {
    std::map<std::pair<unsigned, unsigned>, GroupedChange::Groups> groups;
    for (std::size_t j = 0; j < levels.size(); ++j) {
      if (levels[j] == 0) continue;
      const unsigned order = auxiliary_ ? auxiliary_->order : 1, sum = exponents_[j] + place.excess * levels[j];
      exponents_[j] = sum % order;
      groups[{levels[j], sum / order}].push_back({j});
    }
    GroupedChange result(exponents_.size());
    for (const auto& [powers, all] : groups) {
      Cyclotomic c = place.generator->inverse().power(powers.first);
      if (auxiliary_) c *= auxiliary_->generator.power(powers.second);
      result.add(scalar(c, field_), all, task_);
    }
    return result;
  }

  void apply(const GroupedChange& change) {
    for (FieldMatrix& M : form_.matrices) {
      task_.poll();
      M = change.before(change.after(M));
    }
    form_.change = change.after(form_.change);
  }

  /// The power of Q after which the product of those of all vectors, and of `more` others, is principal; nothing if there is none.
  std::optional<unsigned> principal_shift(std::size_t more) const {
    const unsigned k = auxiliary_->order;
    const std::size_t sum = std::accumulate(exponents_.begin(), exponents_.end(), more);
    for (unsigned shift = 0; shift < k; ++shift)
      if ((sum + shift * exponents_.size()) % k == 0) return shift;
    return std::nullopt;
  }
  /// To another lattice that has a basis up to an ideal, if one is found between this and its product with the inverse of some P: of those where there
  /// were denominators, then of small ones. Not at the prime below Q, where the lattice is not that of the e_i.
  void move_beside() {
    const auto has_generator = [](const Place& place) { return place.generator.has_value(); };
    if (!std::ranges::all_of(places_, has_generator)) return;  // denominators remain anyway
    std::vector<Place> places = places_;
    for (const std::uint64_t p : {2, 3, 5, 7, 11, 13})
      for (PrimeIdeal& P : prime_ideals(p, field_))
        if (std::ranges::none_of(places_, [&](const Place& other) { return other.ideal.basis == P.basis; }))
          places.push_back({std::move(P), std::nullopt});
    for (Place& place : places) {
      if (place.ideal.p == auxiliary_->ideal.p) continue;
      if (!place.generator) find_generator(place, *auxiliary_, field_, task_);
      if (!place.generator || place.excess == 0) continue;
      const auto is_wanted = [&](std::size_t d) { return principal_shift(place.excess * d).has_value(); };
      std::size_t d = 1;
      while (d < exponents_.size() && !is_wanted(d)) ++d;
      if (d >= exponents_.size()) continue;
      std::optional<LocalLattice> found;
      try {
        found = neighbour_lattice(form_.matrices, place.ideal, field_, by_length(), is_wanted, task_);
      } catch (const LimitError&) {  // of memory; denominators are kept
        task_.poll();
      }
      if (found) return extend(place, std::move(*found));
    }
  }

  /// Combines vectors with powers of Q whose product is principal to a basis; those that are left, if any, keep their powers.
  void make_free() {
    const unsigned k = auxiliary_->order;
    scale();
    std::map<std::vector<unsigned>, GroupedChange::Groups> groups;
    std::vector<std::vector<std::size_t>> at(k);
    for (std::size_t j = 0; j < exponents_.size(); ++j) at[exponents_[j]].push_back(j);
    std::vector<std::size_t> group;
    unsigned sum = 0;
    const auto take = [&](unsigned power) {
      group.push_back(at[power].back());
      at[power].pop_back();
      sum = (sum + power) % k;
      if (sum != 0) return;
      std::vector<unsigned> powers;
      for (const std::size_t j : group) powers.push_back(exponents_[j]);
      groups[powers].push_back(std::move(group));
      group.clear();
    };
    for (unsigned power = 1; power < k; ++power)
      while (!at[power].empty() && !at[k - power].empty() && (2 * power != k || at[power].size() > 1)) {
        take(power);
        take(k - power);
      }
    for (unsigned power = 1; power < k; ++power)
      while (!at[power].empty()) take(power);
    GroupedChange change(exponents_.size());
    for (const auto& [powers, all] : groups)
      if (const auto M = free_basis(powers)) change.add(*M, all, task_);
    apply(change);
  }
  /// The lattice times the least power of Q after which the product of all is principal, if there is one.
  void scale() {
    const unsigned k = auxiliary_->order, shift = principal_shift(0).value_or(0);
    if (shift == 0) return;
    const std::size_t n = exponents_.size();
    GroupedChange::Groups wrapped;
    for (std::size_t j = 0; j < n; ++j)
      if ((exponents_[j] += shift) >= k) {
        exponents_[j] -= k;
        wrapped.push_back({j});
      }
    GroupedChange change(n);
    change.add(scalar(auxiliary_->generator, field_), wrapped, task_);
    apply(change);
  }
  /// Columns: a basis of the sum of these powers of Q.
  std::optional<FieldMatrix> free_basis(const std::vector<unsigned>& powers) const {
    const std::size_t m = field_.degree(), g = powers.size();
    IntegerMatrix rows(g * m, g * m);
    unsigned sum = 0;
    for (std::size_t i = 0; i < g; ++i) {
      sum += powers[i];
      const IntegerMatrix& basis = auxiliary_->powers[powers[i]];
      for (std::size_t b = 0; b < m; ++b)
        for (std::size_t l = 0; l < m; ++l) rows.set(i * m + b, l * g + i, basis(b, l));
    }
    const IntegerMatrix basis = module_basis(lll(rows, task_), field_, task_);
    if (basis.rows() != g || abs(determinant(times_powers(basis, field_))) != norm_of_power(sum)) return std::nullopt;
    return columns_over(field_, basis);
  }

  AbelianField field_;
  const Task& task_;
  IntegralForm form_;
  std::vector<unsigned> exponents_;  ///< n_i
  std::vector<Place> places_;
  std::optional<Auxiliary> auxiliary_;  ///< Q, if some P is not principal
};

}  // namespace

IntegralForm integral_form(std::vector<FieldMatrix> A, const AbelianField& K, const Task& task) {
  if (A.empty()) return {};
  IntegralForm form = Lattice(A, K, task).integral();
  // The denominators left at Q may exceed those of A.
  if (common_denominator(form.matrices) <= common_denominator(A)) return form;
  const std::size_t n = A[0].rows();
  return {std::move(A), FieldMatrix::identity(K, n)};
}

}  // namespace intertwine
