// Finds character tables: chooses the method, orders the rows and proves the result.
#include "intertwine/characters/character_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "intertwine/characters/monomial_representations.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/element_lists.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "table_data.hpp"

namespace intertwine {

CharacterTable::CharacterTable(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
const ConjugacyClasses& CharacterTable::classes() const { return data_->classes; }
Cyclotomic CharacterTable::operator()(std::size_t row, std::size_t column) const {
  return data_->pool[data_->values[row * size() + column]];
}
std::vector<Cyclotomic> CharacterTable::row(std::size_t row) const {
  std::vector<Cyclotomic> result;
  for (std::size_t c = 0; c < size(); ++c) result.push_back((*this)(row, c));
  return result;
}
int CharacterTable::indicator(std::size_t row) const { return data_->indicators[row]; }
const RowLabel& CharacterTable::label(std::size_t row) const { return data_->labels[row]; }
const std::map<std::uint32_t, std::vector<std::uint32_t>>& CharacterTable::power_maps() const {
  return data_->power_maps;
}

std::vector<std::string> CharacterTable::class_names() const {
  std::vector<std::string> names;
  std::uint64_t order = 0;
  std::size_t count = 0;
  for (std::size_t c = 0; c < size(); ++c) {
    count = classes()[c].element_order == order ? count + 1 : 0;
    order = classes()[c].element_order;
    std::string letters;
    for (std::size_t k = count + 1; k > 0; k = (k - 1) / 26)
      letters.insert(letters.begin(), static_cast<char>('a' + (k - 1) % 26));
    names.push_back(std::to_string(order) + letters);
  }
  return names;
}

namespace {

using PowerMaps = std::map<std::uint32_t, std::vector<std::uint32_t>>;

/// The least common multiple of the element orders.
std::uint64_t exponent_of(const ConjugacyClasses& classes) {
  std::uint64_t e = 1;
  for (std::size_t c = 0; c < classes.size(); ++c) e = std::lcm(e, classes[c].element_order);
  return e;
}

/// (1/|G|) sum of chi(g^2) for all rows: 1, 0 or -1. The sum is a rational integer, at most |G| chi(1) in size (the
/// Galois group permutes the classes, as the verification of the table checks), and known by residues modulo primes with
/// a product of more than 2 |G| (chi(1) + 1).
class Indicators {
 public:
  Indicators(const CharacterTable::Data& data, const std::vector<std::uint32_t>& squares) : n_(squares.size()) {
    const Integer& order = data.classes.group().order();
    std::vector<Integer> weight(n_);
    for (std::size_t c = 0; c < n_; ++c) weight[squares[c]] += data.classes[c].size;
    for (std::size_t c = 0; c < n_; ++c)
      if (weight[c] != 0) squares_.push_back(c);
    Integer degree = 1;
    for (std::size_t i = 0; i < n_; ++i) degree = std::max(degree, data.pool[data.values[i * n_]].to_integer());
    std::uint64_t conductor = 1;
    for (const Cyclotomic& a : data.pool) conductor = std::lcm(conductor, std::uint64_t{a.conductor()});
    const Integer bound = 2 * order * (degree + 1);
    Integer least = std::min(bound, Integer(1) << 60), product = 1;
    while (product <= bound) {
      const PrimeField f(splitting_prime(conductor, least));
      fields_.push_back({f, residues(f, data.pool, conductor), {}, f.from(order)});
      for (const std::size_t c : squares_) fields_.back().weights.push_back(f.from(weight[c]));
      product *= f.p();
      least = Integer(f.p()) + 1;
    }
  }

  int operator()(const std::uint32_t* row) const {
    std::optional<int> result;
    for (const auto& [f, values, weights, order] : fields_) {
      PrimeField::Element sum = 0;
      for (std::size_t k = 0; k < squares_.size(); ++k)
        sum = f.add(sum, f.multiply(weights[k], values[row[squares_[k]]]));
      const int here = sum == 0 ? 0 : sum == order ? 1 : -1;
      if ((here < 0 && sum != f.negative(order)) || (result && *result != here))
        throw InternalError("character_table: an indicator is none of 1, 0, -1");
      result = here;
    }
    return *result;
  }

 private:
  struct Field {
    PrimeField f;
    std::vector<PrimeField::Element> values, weights;
    PrimeField::Element order;
  };
  std::size_t n_;
  std::vector<std::size_t> squares_;  ///< classes of squares
  std::vector<Field> fields_;
};

/// The signs of halves of characters of Alt(n) are relative to the order of the two columns where they differ: the
/// difference there is the square root of an integer, positive or positive times i for the half called + minus the other.
void sign_halves(CharacterTable::Data& data) {
  const std::size_t n = data.classes.size();
  std::map<Partition, std::size_t> first;
  for (std::size_t i = 0; i < n; ++i) {
    auto* label = std::get_if<HalfShapeLabel>(&data.labels[i]);
    if (!label) continue;
    const auto [other, fresh] = first.emplace(label->shape, i);
    if (fresh) continue;
    const std::uint32_t *a = &data.values[other->second * n], *b = &data.values[i * n];
    const auto c = static_cast<std::size_t>(std::mismatch(a, a + n, b).first - a);
    const Cyclotomic root = data.pool[a[c]] - data.pool[b[c]];
    const Cyclotomic real = (root * root).sign() > 0 ? root : root * Cyclotomic::root_of_unity(4, -1);
    label->sign = real.sign() > 0 ? -1 : 1;
    std::get<HalfShapeLabel>(data.labels[other->second]).sign = -label->sign;
  }
}

/// Rows of Sym(1) and Sym(2), which are too small to be told from other groups by their elements.
std::vector<RowLabel> small_symmetric_labels(const FiniteGroup& G) {
  const auto* symmetric = G.structure().as<structure::Symmetric>();
  if (!symmetric || symmetric->n == 0 || symmetric->n > 2) return {};
  if (symmetric->n == 1) return {ShapeLabel{{1}}};
  return {ShapeLabel{{2}}, ShapeLabel{{1, 1}}};
}

/// Sorts rows and columns, fills in what follows from the values.
CharacterTable finished(const ConjugacyClasses& found, RawTable raw, const Task& task) {
  const std::size_t n = found.size();
  if (raw.values.size() != n * n)
    throw InternalError(fmt::format("character_table: {} characters for {} classes", raw.values.size() / n, n));
  PowerMaps maps;
  for (const std::uint64_t prime : prime_divisors(exponent_of(found))) {
    const auto p = static_cast<std::uint32_t>(prime);
    maps.emplace(p, found.power_map(p, task));
  }
  const auto columns = canonical_columns(found, maps, raw, task);
  std::vector<std::uint32_t> place(n);
  for (std::size_t c = 0; c < n; ++c) place[columns[c]] = static_cast<std::uint32_t>(c);
  auto data =
      std::make_shared<CharacterTable::Data>(CharacterTable::Data{found.reordered(columns), {}, {}, {}, {}, {}});
  for (const auto& [p, map] : maps) {
    auto& target = data->power_maps[p];
    for (std::size_t c = 0; c < n; ++c) target.push_back(place[map[columns[c]]]);
  }
  // The pool in increasing order, so that values compare as numbers.
  std::vector<std::uint32_t> order(raw.pool.size()), number(raw.pool.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return raw.pool[a] < raw.pool[b]; });
  for (std::size_t k = 0; k < order.size(); ++k) {
    number[order[k]] = static_cast<std::uint32_t>(k);
    data->pool.push_back(raw.pool[order[k]]);
  }
  std::vector<std::uint32_t> values(n * n), rows(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < n; ++c) values[i * n + c] = number[raw.values[i * n + columns[c]]];
  std::iota(rows.begin(), rows.end(), 0U);
  const Cyclotomic one = 1;
  std::vector<char> is_one, is_trivial(n);
  for (const Cyclotomic& a : data->pool) is_one.push_back(a == one);
  for (std::uint32_t i = 0; i < n; ++i)
    is_trivial[i] = std::all_of(&values[i * n], &values[i * n] + n, [&](std::uint32_t v) { return is_one[v]; });
  std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (is_trivial[a] != is_trivial[b]) return is_trivial[a] > is_trivial[b];
    return std::lexicographical_compare(&values[a * n], &values[a * n] + n, &values[b * n], &values[b * n] + n);
  });
  data->values.resize(n * n);
  for (std::size_t i = 0; i < n; ++i)
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(rows[i] * n), n,
                data->values.begin() + static_cast<std::ptrdiff_t>(i * n));
  std::vector<std::uint32_t> squares;
  if (const auto at = data->power_maps.find(2); at != data->power_maps.end()) squares = at->second;
  if (squares.empty()) squares = data->classes.power_map(2, task);
  const Indicators indicator(*data, squares);
  data->indicators.resize(n);
  task.share(n, 1 + (std::size_t{1} << 14U) / n, [&](std::uint64_t first, std::uint64_t last) {
    for (std::size_t i = first; i < last; ++i) data->indicators[i] = indicator(&data->values[i * n]);
  });
  for (std::size_t i = 0; i < n; ++i) {
    data->labels.push_back(raw.labels.empty() ? NumberLabel{i + 1} : raw.labels[rows[i]]);
  }
  sign_halves(*data);
  for (auto& labels : {mulliken_labels(*data, task), small_symmetric_labels(found.group())})
    if (!labels.empty()) data->labels = labels;
  verify_values(*data, task);
  return CharacterTable(std::move(data));
}

using Method = void (*)(const ModularCharacters&, const Task&, ModularTable&);

using Rows = std::vector<std::vector<Cyclotomic>>;

Rows rows_of(const RawTable& raw, std::size_t classes) {
  Rows rows;
  for (std::size_t at = 0; at < raw.values.size(); at += classes) {
    rows.emplace_back();
    for (std::size_t c = 0; c < classes; ++c) rows.back().push_back(raw.pool[raw.values[at + c]]);
  }
  const std::vector<Cyclotomic> trivial(classes, Cyclotomic(1));
  std::sort(rows.begin(), rows.end(),
            [&](const auto& a, const auto& b) { return (a == trivial) != (b == trivial) ? a == trivial : a < b; });
  return rows;
}

/// The rows found before a limit stopped the work go to `found`, if it is given.
CharacterTable modular_table(const ConjugacyClasses& classes, Method method, const Integer& least, const Task& task,
                             Rows* found = nullptr) {
  const PowerTable powers(classes);
  const ModularCharacters space(classes, powers, least);
  ModularTable rows;
  constexpr std::size_t many_classes = 24;  // for fewer the class matrices are faster than G'
  try {
    if (method != irreducibles_by_induction && classes.size() > many_classes) rows = linear_characters(space, task);
    method(space, task, rows);
  } catch (const LimitError&) {
    if (found) *found = rows_of(lifted(space, rows), classes.size());
    throw;
  }
  return finished(classes, lifted(space, rows), task);
}

const Integer large_prime = Integer(1) << 60;

/// p > |G| makes squares of degrees known, and p > 2 sqrt|G| multiplicities.
Integer small_prime(const FiniteGroup& G) { return G.order() + 5; }

/// Lattice reduction takes time of a high power of the number of classes; where there are many, there is often a small
/// class (of reflections or the like) whose matrix is soon known.
bool class_matrices_are_cheap(const ConjugacyClasses& classes) {
  constexpr std::size_t many_classes = 64, cheap_products = 2'000'000, cheap_images = 500'000'000;
  if (classes.size() <= many_classes) return false;
  Integer least = classes.group().order();
  for (std::size_t c = 1; c < classes.size(); ++c)
    if (classes[c].size > 1) least = std::min(least, classes[c].size);
  const Integer products = least * classes.size();
  return products <= cheap_products && products * classes.group().degree() <= cheap_images;
}

/// A class matrix needs the classes of very many products.
bool searches_tell_classes(const ConjugacyClasses& classes) {
  return 3 * classes.number_told_by_search() > classes.size();
}

/// For the smallest groups class matrices are faster than a chief series, even more so where there is none.
bool monomial_representations_are_fast(const ConjugacyClasses& classes) {
  constexpr unsigned small_order = 128, smallest_order = 16;
  const Integer& order = classes.group().order();
  return order >= smallest_order && (order >= small_order || mpz_popcount(order.backend().data()) == 1) &&
         may_be_supersolvable(classes);
}

/// A table of so many rows is refused before the work.
void require_room(const Integer& classes, const Task& task) {
  const Integer bytes = classes * classes * Integer(sizeof(Cyclotomic));
  const Integer most = std::numeric_limits<std::uint64_t>::max();
  task.require_memory(bytes < most ? bytes.convert_to<std::uint64_t>() : most.convert_to<std::uint64_t>(),
                      fmt::format("the table of {} characters", classes.str()));
}

CharacterTable any_table(const ConjugacyClasses& classes, const Task& task, Rows* found) {
  constexpr unsigned small_order = 20'000, large_order = 5000;
  constexpr std::size_t few_classes = 20;
  require_room(classes.size(), task);
  if (auto table = table_by_formula(classes, task)) return finished(classes, std::move(*table), task);
  if (monomial_representations_are_fast(classes))
    if (auto table = supersolvable_table(classes, task)) return finished(classes, std::move(*table), task);
  // Few classes are large ones, and a class matrix takes longer than all characters from induced ones.
  const bool are_large = classes.group().order() > large_order && classes.size() <= few_classes;
  if (classes.group().order() <= small_order && !are_large)
    return modular_table(classes, irreducibles_by_class_matrices, small_prime(classes.group()), task, found);
  const bool by_matrices = class_matrices_are_cheap(classes);
  if (by_matrices && !searches_tell_classes(classes))
    return modular_table(classes, irreducibles_by_small_classes, large_prime, task, found);
  if (by_matrices && elements_can_be_listed(classes.group(), task))
    return modular_table(conjugacy_classes_by_orbits(classes.group(), task), irreducibles_by_class_matrices,
                         large_prime, task, found);
  return modular_table(classes, irreducibles_by_induction, large_prime, task, found);
}

/// A table by another method with the labels that a formula gives: the same ones for all methods.
CharacterTable labelled(const CharacterTable& table, const Task& task) {
  auto raw = table_by_formula(table.classes(), task);
  if (!raw || raw->labels.empty()) return table;
  CharacterTable formula = finished(table.classes(), std::move(*raw), task);
  for (std::size_t row = 0; row < table.size(); ++row)
    if (table.row(row) != formula.row(row))
      throw InternalError("character_table: two methods differ in row " + std::to_string(row + 1));
  return formula;
}

}  // namespace

CharacterTable character_table(const ConjugacyClasses& classes, const Task& task) {
  return any_table(classes, task, nullptr);
}

PartialCharacterTable partial_character_table(const FiniteGroup& G, const Task& task) {
  PartialCharacterTable result;
  PartialConjugacyClasses known = partial_conjugacy_classes(G, task);
  result.found_classes = std::move(known.found);
  result.reason = std::move(known.reason);
  result.classes = std::move(known.classes);
  if (!result.classes) return result;
  try {
    result.table = any_table(*result.classes, task, &result.characters);
    result.classes = result.table->classes();
    result.characters.clear();
  } catch (const LimitError& e) {
    result.reason = e.what();
  }
  return result;
}

CharacterTable character_table(const FiniteGroup& G, const Task& task) {
  constexpr unsigned long long many_elements = 1'000'000'000'000;  // the count is not worth it for smaller groups
  if (G.order(task) > many_elements)
    if (const auto formula = class_formula(G, task)) require_room(formula->count, task);
  return character_table(conjugacy_classes(G, task), task);
}

CharacterTable character_table_by_class_matrices(const FiniteGroup& G, const Task& task) {
  return labelled(modular_table(conjugacy_classes(G, task), irreducibles_by_class_matrices, small_prime(G), task),
                  task);
}

CharacterTable character_table_by_induction(const FiniteGroup& G, const Task& task) {
  return labelled(modular_table(conjugacy_classes(G, task), irreducibles_by_induction, large_prime, task), task);
}

CharacterTable character_table_by_monomial_representations(const FiniteGroup& G, const Task& task) {
  const ConjugacyClasses classes = conjugacy_classes(G, task);
  auto table = supersolvable_table(classes, task);
  if (!table)
    throw DomainError(fmt::format("character_table_by_monomial_representations: {} is not supersolvable; use "
                                  "character_table",
                                  G.name()),
                      Remedy::method);
  return labelled(finished(classes, std::move(*table), task), task);
}

}  // namespace intertwine
