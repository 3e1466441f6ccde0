// Characters of reductive groups by highest weights.
#include "intertwine/reductive/weight_character.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/error.hpp"
#include "reductive/weight_product.hpp"

namespace intertwine {

namespace {

/// Larger weights first; equal ones added up.
std::vector<WeightTerm> in_order(std::vector<WeightTerm> terms) {
  std::sort(terms.begin(), terms.end(), [](const WeightTerm& a, const WeightTerm& b) { return a.weight > b.weight; });
  std::size_t out = 0;
  for (std::size_t k = 0; k < terms.size();) {
    WeightTerm term = std::move(terms[k]);
    for (++k; k < terms.size() && terms[k].weight == term.weight; ++k) term.coefficient += terms[k].coefficient;
    if (term.coefficient != 0) terms[out++] = std::move(term);
  }
  terms.resize(out);
  return terms;
}

std::vector<WeightTerm> checked(const RootSystem& type, std::vector<WeightTerm> terms) {
  for (const WeightTerm& term : terms) type.require_dominant(term.weight);
  return in_order(std::move(terms));
}

Integer coefficient_of(const std::vector<WeightTerm>& terms, const Weight& weight) {
  const auto found = std::lower_bound(terms.begin(), terms.end(), weight,
                                      [](const WeightTerm& term, const Weight& w) { return term.weight > w; });
  return found != terms.end() && found->weight == weight ? found->coefficient : Integer(0);
}

void require_same(const RootSystem& a, const RootSystem& b) {
  if (!(a == b))
    throw DomainError(fmt::format("characters of different groups, {} and {}, do not combine", a.name(), b.name()));
}

Integer sum_of_absolute_values(const std::vector<WeightTerm>& terms) {
  Integer sum = 0;
  for (const WeightTerm& term : terms) sum += abs(term.coefficient);
  return sum;
}

Integer largest_coefficient(const std::vector<WeightTerm>& terms) {
  Integer largest = 0;
  for (const WeightTerm& term : terms) largest = std::max(largest, Integer(abs(term.coefficient)));
  return largest;
}

/// Partitions of at most n + 1 rows stand for weights of A_n; full columns are dropped.
Partition partition_of(const Weight& labels) {
  std::vector<int> parts(labels.size());
  long long part = 0;
  for (std::size_t i = labels.size(); i-- > 0;) {
    part += labels[i];
    if (part > std::numeric_limits<int>::max())
      throw LimitError("the partition of " + to_string(labels) + " leaves 31 bits");
    parts[i] = static_cast<int>(part);
  }
  return Partition(parts);
}
Weight labels_of(const Partition& lambda, int n) {
  Weight labels(n);
  for (int i = 0; i < n; ++i) labels[i] = lambda[i] - lambda[i + 1];
  return labels;
}
SchurSum schur_sum_of(const LieCharacter& chi) {
  std::vector<SchurTerm> terms;
  for (const WeightTerm& term : chi) terms.push_back({partition_of(term.weight), term.coefficient});
  return SchurSum(std::move(terms));
}

/// The engine of schur_product keeps parts below this.
constexpr int max_littlewood_richardson_rank = 200, max_littlewood_richardson_part = 10'000;

bool fits_littlewood_richardson(const RootSystem& type, const LieCharacter& a, const LieCharacter& b) {
  if (type.factors().size() != 1 || type.torus_rank() > 0 || type.factors()[0].letter != 'A' ||
      type.rank() > max_littlewood_richardson_rank)
    return false;
  for (const LieCharacter* chi : {&a, &b})
    for (const WeightTerm& term : *chi)
      if (type.principal_label(term.weight) > max_littlewood_richardson_part) return false;
  return true;
}

/// Both of one simple type, or of a torus.
LieCharacter simple_product(const LieCharacter& a, const LieCharacter& b, const Task& task);

}  // namespace

LieCharacter::LieCharacter(RootSystem type, const Weight& highest) : LieCharacter(std::move(type), {{highest, 1}}) {}
LieCharacter::LieCharacter(RootSystem type, std::vector<WeightTerm> terms)
    : type_(std::move(type)), terms_(checked(type_, std::move(terms))) {}

Integer LieCharacter::multiplicity(const Weight& highest) const {
  type_.require_dominant(highest);
  return coefficient_of(terms_, highest);
}

Integer LieCharacter::dimension() const {
  Integer sum = 0;
  for (const WeightTerm& term : terms_) sum += term.coefficient * type_.dimension(term.weight);
  return sum;
}

bool LieCharacter::is_character() const {
  return std::all_of(terms_.begin(), terms_.end(), [](const WeightTerm& term) { return term.coefficient > 0; });
}

LieCharacter LieCharacter::dual() const {
  std::vector<WeightTerm> terms = terms_;
  for (WeightTerm& term : terms) term.weight = type_.dual(term.weight);
  return LieCharacter(type_, std::move(terms));
}

LieCharacter operator+(const LieCharacter& a, const LieCharacter& b) {
  require_same(a.type_, b.type_);
  std::vector<WeightTerm> terms = a.terms_;
  terms.insert(terms.end(), b.terms_.begin(), b.terms_.end());
  return LieCharacter(a.type_, std::move(terms));
}

LieCharacter operator-(const LieCharacter& a, const LieCharacter& b) { return a + Integer(-1) * b; }

LieCharacter operator*(const Integer& c, const LieCharacter& a) {
  std::vector<WeightTerm> terms = a.terms_;
  for (WeightTerm& term : terms) term.coefficient *= c;
  return LieCharacter(a.type_, std::move(terms));
}

DominantCharacter::DominantCharacter(RootSystem type, std::vector<WeightTerm> terms)
    : type_(std::move(type)), terms_(checked(type_, std::move(terms))) {}

Integer DominantCharacter::multiplicity(const Weight& weight) const {
  return coefficient_of(terms_, type_.dominant(weight));
}

Integer DominantCharacter::dimension() const {
  Integer sum = 0;
  for (const WeightTerm& term : terms_) sum += term.coefficient * type_.orbit_size(term.weight);
  return sum;
}

Integer DominantCharacter::number_of_weights() const {
  Integer sum = 0;
  for (const WeightTerm& term : terms_) sum += type_.orbit_size(term.weight);
  return sum;
}

DominantCharacter dominant_character(const LieCharacter& chi, const Task& task) {
  std::vector<WeightTerm> terms;
  for (const WeightTerm& part : chi)
    for (const WeightTerm& term : dominant_character(chi.type(), part.weight, task))
      terms.push_back({term.weight, part.coefficient * term.coefficient});
  return DominantCharacter(chi.type(), std::move(terms));
}

namespace {

/// The formula of Brauer and Klimyk adds every weight of one factor to every constituent of the other.
void require_feasible(const RootSystem& type, std::size_t constituents, const Integer& weights) {
  static const Integer most = 200'000'000'000;
  if (weights * Integer(constituents) > most)
    throw LimitError(
        fmt::format("a product of representations of {} takes the {} weights of one factor for each of {} "
                    "constituents of the other; at most {} steps are done",
                    type.name(), to_string(weights), constituents, to_string(most)));
}

Integer number_of_weights(const DominantCharacter& chi) {
  Integer sum = 0;
  for (const WeightTerm& term : chi) sum += chi.type().orbit_size(term.weight);
  return sum;
}

}  // namespace

LieCharacter tensor_product_by_weights(const LieCharacter& a, const DominantCharacter& b, const Task& task) {
  require_same(a.type(), b.type());
  Integer weights = 0;
  for (const WeightTerm& term : b) weights += abs(term.coefficient) * b.type().orbit_size(term.weight);
  require_feasible(a.type(), a.size(), number_of_weights(b));
  const Integer bound = weights * sum_of_absolute_values(a.terms());
  return LieCharacter(a.type(), detail::multiply_by_weights(a.type(), a.terms(), b.terms(), bound, task));
}

LieCharacter decompose(const DominantCharacter& chi, const Task& task) {
  return tensor_product_by_weights(LieCharacter(chi.type(), Weight(chi.type().rank(), 0)), chi, task);
}

namespace {

LieCharacter simple_product(const LieCharacter& a, const LieCharacter& b, const Task& task) {
  const RootSystem& type = a.type();
  if (fits_littlewood_richardson(type, a, b)) {
    const int n = type.rank();
    std::vector<WeightTerm> terms;
    for (const SchurTerm& term : schur_product(schur_sum_of(a), schur_sum_of(b), {n + 1}, task))
      terms.push_back({labels_of(term.partition, n), term.coefficient});
    return LieCharacter(type, std::move(terms));
  }
  std::vector<WeightTerm> terms;
  for (const WeightTerm& right : b) {
    const DominantCharacter weights = dominant_character(type, right.weight, task);
    require_feasible(type, a.size(), number_of_weights(weights));
    // L(lambda) (x) L(mu) contains L(nu) at most as often as nu - lambda is a weight of L(mu).
    const Integer bound = largest_coefficient(weights.terms()) * sum_of_absolute_values(a.terms());
    for (WeightTerm& term : detail::multiply_by_weights(type, a.terms(), weights.terms(), bound, task)) {
      term.coefficient *= right.coefficient;
      terms.push_back(std::move(term));
    }
  }
  return LieCharacter(type, std::move(terms));
}

/// The part of a weight that belongs to a factor; the factor after the last simple one is the torus.
LieCharacter factor_of(const RootSystem& type, std::size_t f, const Weight& weight) {
  if (f < type.factors().size()) {
    const auto first = weight.begin() + type.offset(f);
    return LieCharacter(RootSystem({type.factors()[f]}), Weight(first, first + type.factors()[f].rank));
  }
  return LieCharacter(RootSystem('T', type.torus_rank()),
                      Weight(weight.begin() + type.semisimple_rank(), weight.end()));
}

/// L(lambda) (x) L(mu) for a group that is a product: the factors one after the other.
void add_product_of_factors(const RootSystem& type, const WeightTerm& a, const WeightTerm& b,
                            std::vector<WeightTerm>& result, const Task& task) {
  std::vector<WeightTerm> terms{{Weight{}, a.coefficient * b.coefficient}};
  for (std::size_t f = 0; f <= type.factors().size(); ++f) {
    const LieCharacter product = simple_product(factor_of(type, f, a.weight), factor_of(type, f, b.weight), task);
    std::vector<WeightTerm> longer;
    for (const WeightTerm& term : terms)
      for (const WeightTerm& next : product) {
        longer.push_back({term.weight, term.coefficient * next.coefficient});
        longer.back().weight.insert(longer.back().weight.end(), next.weight.begin(), next.weight.end());
      }
    terms = std::move(longer);
  }
  result.insert(result.end(), terms.begin(), terms.end());
}

/// So few weights are multiplied one by one with all terms of the other factor at once.
constexpr int few_weights = 1'000;

}  // namespace

LieCharacter tensor_product(const LieCharacter& a, const LieCharacter& b, const Task& task) {
  require_same(a.type(), b.type());
  const RootSystem& type = a.type();
  const auto size = [&](const LieCharacter& chi) {
    Integer sum = 0;
    for (const WeightTerm& term : chi) sum += type.dimension(term.weight);
    return sum;
  };
  const Integer size_a = size(a), size_b = size(b);
  const LieCharacter &large = size_a < size_b ? b : a, &small = size_a < size_b ? a : b;
  if (std::min(size_a, size_b) <= few_weights)
    return tensor_product_by_weights(large, dominant_character(small, task), task);
  if (type.factors().size() == 1 && type.torus_rank() == 0) return simple_product(large, small, task);
  std::vector<WeightTerm> terms;
  for (const WeightTerm& left : large)
    for (const WeightTerm& right : small) add_product_of_factors(type, left, right, terms, task);
  return LieCharacter(type, std::move(terms));
}

DominantCharacter adams(const DominantCharacter& chi, int k) {
  if (k < 1) throw DomainError(fmt::format("an Adams operation psi^{} is asked for; k is at least 1", k));
  std::vector<WeightTerm> terms = chi.terms();
  for (WeightTerm& term : terms)
    for (int& label : term.weight)
      if (__builtin_mul_overflow(label, k, &label)) throw LimitError("a label leaves 31 bits under an Adams operation");
  return DominantCharacter(chi.type(), std::move(terms));
}

LieCharacter schur_functor(const Partition& functor, const LieCharacter& chi, const Task& task) {
  const RootSystem& type = chi.type();
  const DominantCharacter weights = dominant_character(chi, task);
  std::map<Partition, LieCharacter> known;
  known.emplace(Partition(), LieCharacter(type, Weight(type.rank(), 0)));
  for (const Partition& tau : partitions_inside(functor, 1'000'000)) {
    const int n = tau.weight();
    if (n == 0) continue;
    LieCharacter sum(type);
    for (int k = 1; k <= n; ++k) {
      LieCharacter ribbons(type);
      for (const Ribbon& ribbon : removable_ribbons(tau, k))
        ribbons = ribbons + Integer(ribbon.height % 2 == 0 ? 1 : -1) * known.at(ribbon.partition);
      if (ribbons.size() > 0) sum = sum + tensor_product_by_weights(ribbons, adams(weights, k), task);
    }
    std::vector<WeightTerm> terms = sum.terms();
    for (WeightTerm& term : terms) {
      if (term.coefficient % n != 0) throw InternalError("a coefficient of a Schur functor is no integer");
      term.coefficient /= n;
    }
    known.insert_or_assign(tau, LieCharacter(type, std::move(terms)));
  }
  return known.at(functor);
}

LieCharacter symmetric_power(int k, const LieCharacter& chi, const Task& task) {
  if (k < 0) throw DomainError(fmt::format("the symmetric power number {} is asked for; powers are from 0 on", k));
  return schur_functor(Partition(std::vector<int>{k}), chi, task);
}

LieCharacter exterior_power(int k, const LieCharacter& chi, const Task& task) {
  if (k < 0) throw DomainError(fmt::format("the exterior power number {} is asked for; powers are from 0 on", k));
  if (chi.is_character() && chi.dimension() < k) return LieCharacter(chi.type());
  return schur_functor(Partition(std::vector<int>(k, 1)), chi, task);
}

}  // namespace intertwine
