// Character tables by formula: symmetric, alternating and abelian groups, direct products, models.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "intertwine/characters/monomial_representations.hpp"
#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/square_root.hpp"
#include "intertwine/groups/group_form.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "table_writer.hpp"

namespace intertwine {

namespace {

Partition cycle_partition(const Permutation& g) {
  const auto type = g.cycle_type();
  return Partition(std::vector<int>(type.begin(), type.end()));
}

std::unordered_map<Partition, std::size_t> numbers_of(const std::vector<Partition>& list) {
  std::unordered_map<Partition, std::size_t> number;
  for (std::size_t k = 0; k < list.size(); ++k) number.emplace(list[k], k);
  return number;
}

RawTable symmetric_table(const ConjugacyClasses& classes, const Task& task) {
  const auto table = symmetric_group_character_table(static_cast<int>(classes.group().degree()), task);
  const auto number = numbers_of(table.partitions);
  RawTableWriter writer(classes.size(), task);
  std::vector<std::size_t> column;
  for (std::size_t c = 0; c < classes.size(); ++c)
    column.push_back(number.at(cycle_partition(classes[c].representative)));
  for (std::size_t row = 0; row < classes.size(); ++row) {
    task.poll();
    for (std::size_t c = 0; c < classes.size(); ++c) writer.set(row, c, writer.pool()(table(row, column[c])));
  }
  for (const Partition& lambda : table.partitions) writer.label(ShapeLabel{lambda});
  return std::move(writer).table();
}

/// chi^lambda and chi^lambda' restrict to the same irreducible character of Alt(n); for lambda = lambda' the
/// restriction is the sum of two, different only on the two classes whose cycle lengths are the hooks h of the
/// diagonal: there they are (e +- sqrt(e prod h)) / 2, e = (-1)^((n - d) / 2) for d hooks. [James & Kerber 1981, 2.5.13]
RawTable alternating_table(const ConjugacyClasses& classes, const Task& task) {
  const auto table = symmetric_group_character_table(static_cast<int>(classes.group().degree()), task);
  const auto number = numbers_of(table.partitions);
  RawTableWriter writer(classes.size(), task);
  std::vector<Partition> types;
  for (std::size_t c = 0; c < classes.size(); ++c) types.push_back(cycle_partition(classes[c].representative));
  std::size_t row = 0;
  for (std::size_t k = 0; k < table.partitions.size(); ++k) {
    const Partition& lambda = table.partitions[k];
    const Partition conjugate = lambda.conjugate();
    if (number.at(conjugate) < k) continue;
    if (conjugate != lambda) {
      for (std::size_t c = 0; c < classes.size(); ++c) writer.set(row, c, writer.pool()(table(k, number.at(types[c]))));
      writer.label(ShapeLabel{lambda});
      ++row;
      continue;
    }
    std::vector<int> hooks;
    std::int64_t product = 1;
    for (int i = 0; i < lambda.durfee(); ++i) {
      hooks.push_back(hook_length(lambda, i, i));
      if (__builtin_mul_overflow(product, hooks.back(), &product))
        throw LimitError("character_table: a square root in the table of the alternating group is too large");
    }
    const Partition type{std::vector<int>(hooks)};
    const std::int64_t e = (lambda.weight() - type.length()) / 2 % 2 == 0 ? 1 : -1;
    const Cyclotomic root = square_root(e * product), half = Rational(1, 2);
    bool first = true;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (types[c] != type) {
        const Cyclotomic value = half * Cyclotomic(static_cast<long>(table(k, number.at(types[c]))));
        writer.set(row, c, value);
        writer.set(row + 1, c, value);
        continue;
      }
      const Cyclotomic a = half * (Cyclotomic(static_cast<long>(e)) + root),
                       b = half * (Cyclotomic(static_cast<long>(e)) - root);
      writer.set(row, c, first ? a : b);
      writer.set(row + 1, c, first ? b : a);
      first = false;
    }
    for (const int sign : {1, -1}) writer.label(HalfShapeLabel{lambda, sign});
    row += 2;
  }
  return std::move(writer).table();
}

/// Generator by generator: if g^m is the first power of g in the group H of the generators before, a character of H
/// extends to <H, g> in m ways, by the m-th roots of its value on g^m.
RawTable abelian_table(const ConjugacyClasses& classes, const Task& task) {
  const std::size_t n = classes.size();  // = |G|
  std::uint64_t e = 1;
  for (std::size_t c = 0; c < n; ++c) e = std::lcm(e, classes[c].element_order);
  if (e > Cyclotomic::max_conductor)
    throw LimitError("character_table: the exponent of the abelian group is too large");
  std::vector<Permutation> elements{Permutation::identity(classes.group().degree())};
  std::vector<std::int64_t> place(n, -1);  // of a class among the elements
  place[classes.index_of_element(elements[0])] = 0;
  std::vector<std::vector<std::uint64_t>> characters{{0}};  // exponents of zeta_e on the elements
  for (const Permutation& g : classes.group().generators()) {
    const std::size_t before = elements.size();
    std::vector<Permutation> cosets{elements[0]};
    Permutation x = g;
    while (place[classes.index_of_element(x)] < 0 ||
           static_cast<std::size_t>(place[classes.index_of_element(x)]) >= before) {
      cosets.push_back(x);
      for (std::size_t i = 0; i < before; ++i) {
        elements.push_back(x * elements[i]);
        place[classes.index_of_element(elements.back())] = static_cast<std::int64_t>(elements.size()) - 1;
      }
      x = x * g;
    }
    const std::size_t m = cosets.size(), closing = static_cast<std::size_t>(place[classes.index_of_element(x)]);
    task.require_memory(n * characters.size() * m * sizeof(std::uint64_t), "the characters of the abelian group");
    std::vector<std::vector<std::uint64_t>> next;
    for (const auto& chi : characters)
      for (std::size_t root = 0; root < m; ++root) {
        task.poll();
        // The exponent s of chi(g): m s = chi(g^m) modulo e. The solutions are those modulo e / m, and m divides e.
        const std::uint64_t s = chi[closing] / m + root * (e / m);
        std::vector<std::uint64_t> values;
        for (std::size_t k = 0; k < m; ++k)
          for (std::size_t i = 0; i < before; ++i) values.push_back((chi[i] + k * s) % e);
        next.push_back(std::move(values));
      }
    characters = std::move(next);
  }
  std::vector<Cyclotomic> root;
  for (std::uint64_t k = 0; k < e; ++k)
    root.push_back(Cyclotomic::root_of_unity(static_cast<std::uint32_t>(e), static_cast<std::int64_t>(k)));
  RawTable table;
  table.pool = std::move(root);
  table.values.resize(n * n);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t c = 0; c < n; ++c)
      table.values[row * n + c] = static_cast<std::uint32_t>(characters[row][static_cast<std::size_t>(place[c])]);
  return table;
}

/// The characters of degree 2 are induced from those of <a>. Characters of degree 1 take a to 1 or -1 and x to a square
/// root of the value at x^2 = 1 or a^(n/2).
RawTable dihedral_table(const ConjugacyClasses& classes, const DihedralForm& form, const Task& task) {
  if (form.n > Cyclotomic::max_conductor)
    throw LimitError("character_table: the cyclic subgroup of the dihedral group is too large");
  const auto n = static_cast<std::uint32_t>(form.n);
  RawTableWriter writer(classes.size(), task);
  std::vector<DihedralForm::Place> places;
  for (std::size_t c = 0; c < classes.size(); ++c) places.push_back(form.place(classes[c].representative));
  std::size_t row = 0;
  for (const bool alternating : {false, true}) {  // a -> -1
    if (alternating && n % 2 != 0) break;
    const Cyclotomic root = alternating && form.dicyclic && n % 4 == 2 ? Cyclotomic::root_of_unity(4) : 1;
    for (const Cyclotomic& at_x : {root, -root}) {
      for (std::size_t c = 0; c < places.size(); ++c) {
        const auto [reflection, k] = places[c];
        const Cyclotomic value = reflection ? at_x : 1;
        writer.set(row, c, alternating && k % 2 == 1 ? -value : value);
      }
      ++row;
    }
  }
  std::vector<ValuePool::Number> cosines;  // zeta_n^j + zeta_n^-j
  for (std::uint32_t j = 0; j <= n / 2; ++j)
    cosines.push_back(writer.pool()(Cyclotomic::root_of_unity(n, j) + Cyclotomic::root_of_unity(n, n - j)));
  for (std::uint64_t h = 1; 2 * h < n; ++h, ++row) {
    task.poll();
    for (std::size_t c = 0; c < places.size(); ++c) {
      if (places[c].reflection) continue;
      const std::uint64_t j = h * places[c].exponent % n;
      writer.set(row, c, cosines[std::min(j, n - j)]);
    }
  }
  return std::move(writer).table();
}

RawTable product_table(const ConjugacyClasses& classes, const ProductForm& form, const Task& task) {
  const std::size_t n = classes.size(), factors = form.parts.size();
  RawTableWriter writer(n, task);
  ValuePool& pool = writer.pool();
  std::vector<std::size_t> size;
  std::vector<std::vector<ValuePool::Number>> values;
  std::vector<std::vector<std::size_t>> parts(n);  // the classes of the components
  for (std::size_t f = 0; f < factors; ++f) {
    const CharacterTable table = character_table(form.parts[f].group, task);
    size.push_back(table.size());
    values.emplace_back();
    for (std::size_t i = 0; i < table.size(); ++i)
      for (std::size_t c = 0; c < table.size(); ++c) values.back().push_back(pool(table(i, c)));
    for (std::size_t c = 0; c < n; ++c)
      parts[c].push_back(table.classes().index_of_element(form.component(classes[c].representative, f)));
  }
  std::vector<std::size_t> at(factors);
  for (std::size_t row = 0; row < n; ++row) {
    task.poll();
    std::size_t rest = row;
    for (std::size_t f = factors; f-- > 0; rest /= size[f]) at[f] = rest % size[f];
    for (std::size_t c = 0; c < n; ++c) {
      ValuePool::Number value = ValuePool::one;
      for (std::size_t f = 0; f < factors && value != ValuePool::zero; ++f)
        value = pool.multiply(value, values[f][at[f] * size[f] + parts[c][f]]);
      writer.set(row, c, value);
    }
  }
  return std::move(writer).table();
}

RawTable table_by_model(const ConjugacyClasses& classes, const Task& task) {
  const FiniteGroup& G = classes.group();
  const ModelMap map(G, task);
  const CharacterTable model = character_table(*G.model(), task);
  RawTableWriter writer(classes.size(), task);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const std::size_t column = model.classes().index_of_element(map.to_model(classes[c].representative));
    for (std::size_t row = 0; row < model.size(); ++row) writer.set(row, c, model(row, column));
  }
  for (std::size_t row = 0; row < model.size(); ++row) writer.label(model.label(row));
  return std::move(writer).table();
}

}  // namespace

std::optional<RawTable> table_by_formula(const ConjugacyClasses& classes, const Task& task) {
  const FiniteGroup& G = classes.group();
  const GroupForm form = classes.is_without_form() ? GroupForm{} : group_form(G, task);
  if (std::holds_alternative<SymmetricForm>(form)) return symmetric_table(classes, task);
  if (std::holds_alternative<AlternatingForm>(form)) return alternating_table(classes, task);
  if (std::holds_alternative<EvenSignedForm>(form)) return even_signed_table(classes, task);
  if (std::holds_alternative<ModelForm>(form)) return table_by_model(classes, task);
  if (const auto* dihedral = std::get_if<DihedralForm>(&form)) return dihedral_table(classes, *dihedral, task);
  if (const auto* linear = std::get_if<LinearForm>(&form)) return linear_table(classes, *linear, task);
  if (const auto* suzuki = std::get_if<SuzukiForm>(&form)) return linear_table(classes, *suzuki, task);
  if (const auto* product = std::get_if<ProductForm>(&form)) return product_table(classes, *product, task);
  if (const auto* wreath = std::get_if<WreathForm>(&form)) {
    const bool metabelian = wreath->top == WreathForm::Top::cyclic && is_abelian(wreath->base);
    if (metabelian && may_be_supersolvable(classes))  // faster than a sum over rotations
      if (auto table = supersolvable_table(classes, task)) return table;
    return wreath_table(classes, *wreath, task);
  }
  if (G.order() == classes.size()) return abelian_table(classes, task);
  return std::nullopt;
}

}  // namespace intertwine
