// How many classes there are, and what they are, without listing them.
#include <fmt/format.h>

#include <map>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/group_form.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

constexpr std::size_t largest_partition = 1'000'000;

/// Partitions of n into different odd parts, as many as partitions equal to their conjugates.
Integer number_of_self_conjugate_partitions(int n, const Task& task) {
  std::vector<Integer> count(static_cast<std::size_t>(n) + 1);
  count[0] = 1;
  for (int part = 1; part <= n; part += 2, task.poll())
    for (int m = n; m >= part; --m) count[static_cast<std::size_t>(m)] += count[static_cast<std::size_t>(m - part)];
  return count[static_cast<std::size_t>(n)];
}

/// The coefficient of t^n in prod (1 - t^i)^-colours: n a(n) = colours * sum of sigma(j) a(n - j).
Integer number_of_multipartitions(std::size_t n, const Integer& colours, const Task& task) {
  std::vector<Integer> sigma(n + 1), count(n + 1);
  for (std::size_t d = 1; d <= n; ++d)
    for (std::size_t m = d; m <= n; m += d) sigma[m] += d;
  count[0] = 1;
  for (std::size_t m = 1; m <= n; ++m) {
    task.progress("counting classes", m, n);
    Integer sum = 0;
    for (std::size_t j = 1; j <= m; ++j) sum += sigma[j] * count[m - j];
    count[m] = sum * colours / Integer(m);
  }
  return count[n];
}

Integer power(const Integer& base, std::size_t exponent) {
  Integer result;
  mpz_pow_ui(result.backend().data(), base.backend().data(), exponent);
  return result;
}

std::string shown(const std::string& name) { return name.size() > 40 ? name.substr(0, 37) + "..." : name; }

ClassFormula of_product(const ProductForm& form, const Task& task) {
  ClassFormula result{1, {}};
  std::vector<std::pair<std::string, Integer>> kinds;
  std::map<std::string, std::size_t> times;
  for (const auto& part : form.parts) {
    const Integer count = number_of_conjugacy_classes(part.group, task);
    result.count *= count;
    if (times[part.group.name()]++ == 0) kinds.emplace_back(part.group.name(), count);
  }
  std::string product, factors;
  for (const auto& [name, count] : kinds) {
    const std::size_t m = times[name];
    product += (product.empty() ? "" : " * ") + count.str() + (m > 1 ? "^" + std::to_string(m) : "");
    factors += (factors.empty() ? "" : ", ") +
               (m > 1 ? fmt::format("{} factors {}", m, shown(name)) : "the factor " + shown(name));
  }
  result.description = fmt::format("{} = {}: tuples of classes of {}", product, result.count.str(),
                                   kinds.size() == 1 && form.parts.size() > 1 ? "the " + factors : factors);
  return result;
}

ClassFormula of_wreath(const WreathForm& form, const Task& task) {
  const Integer k = number_of_conjugacy_classes(form.base, task);
  const std::size_t n = form.blocks;
  if (form.top == WreathForm::Top::symmetric)
    return {number_of_multipartitions(n, k, task),
            fmt::format("a partition for each of the {} classes of {}, of total weight {}: the lengths of the cycles "
                        "on the {} blocks, sorted by the class of the product along the cycle",
                        k.str(), shown(form.base.name()), n, n)};
  const Integer tuples = power(k, n) - k;
  return {tuples / Integer(n) + k * Integer(n),
          fmt::format("tuples of {} of the {} classes of {} up to rotation, each constant tuple {} times", n, k.str(),
                      shown(form.base.name()), n)};
}

}  // namespace

std::optional<ClassFormula> class_formula(const FiniteGroup& G, const Task& task) {
  const GroupForm form = group_form(G, task);
  const int n = static_cast<int>(G.degree());
  const bool countable = G.degree() <= largest_partition;
  if (std::holds_alternative<SymmetricForm>(form) && countable)
    return ClassFormula{number_of_partitions(n), fmt::format("the cycle types, partitions of {}", n)};
  if (std::holds_alternative<AlternatingForm>(form) && countable && n <= 20'000) {
    const Integer own = number_of_self_conjugate_partitions(n, task);
    return ClassFormula{(number_of_partitions(n) + own * 3) / 2,
                        fmt::format("the even cycle types, partitions of {}; those with different odd parts are two "
                                    "classes each",
                                    n)};
  }
  if (const auto* product = std::get_if<ProductForm>(&form)) return of_product(*product, task);
  if (const auto* wreath = std::get_if<WreathForm>(&form)) return of_wreath(*wreath, task);
  if (std::holds_alternative<EvenSignedForm>(form)) {
    const int axes = n / 2;
    Integer count = number_of_multipartitions(static_cast<std::size_t>(axes), 2, task);
    if (axes % 2 == 0) count += number_of_partitions(axes / 2) * 3;
    return ClassFormula{count / 2,
                        fmt::format("pairs of partitions of total weight {}, an even number of parts in the second: "
                                    "the positive and the negative cycles; those with only even positive cycles are "
                                    "two classes each",
                                    axes)};
  }
  if (const auto* dihedral = std::get_if<DihedralForm>(&form))
    return ClassFormula{Integer(dihedral->n / 2 + (dihedral->n % 2 == 0 ? 3 : 2)),
                        fmt::format("the elements of a cyclic subgroup of order {} up to inversion, and {} outside it",
                                    dihedral->n, dihedral->n % 2 == 0 ? "two classes" : "one class")};
  if (const auto* linear = std::get_if<LinearForm>(&form))
    return ClassFormula{
        Integer(linear->number_of_classes()),
        fmt::format("the {} of {}2 x 2 matrices over GF({}){}",
                    linear->projective() ? "eigenvalues up to a factor" : "eigenvalues",
                    linear->special() ? "determinant 1 " : "", linear->q(),
                    linear->special() && linear->q() % 2 == 1 ? "; transvections are two classes" : "")};
  if (const auto* suzuki = std::get_if<SuzukiForm>(&form))
    return ClassFormula{
        Integer(suzuki->number_of_classes()),
        fmt::format("the eigenvalues of 4 x 4 matrices over GF({0}) in Sz({0}); elements of order 2 are one "
                    "class, those of order 4 two",
                    suzuki->q())};
  if (std::holds_alternative<ModelForm>(form)) return class_formula(*G.model(), task);
  if (is_abelian(G, task)) return ClassFormula{G.order(task), "the elements of an abelian group"};
  return std::nullopt;
}

Integer number_of_conjugacy_classes(const FiniteGroup& G, const Task& task) {
  if (const auto formula = class_formula(G, task)) return formula->count;
  return conjugacy_classes(G, task).size();
}

}  // namespace intertwine
