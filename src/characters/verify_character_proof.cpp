// The proof of a character table, checked: what docs/formats.md says under "Characters".
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "intertwine/characters/character_proof.hpp"
#include "intertwine/combinatorics/flat_index.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

[[noreturn]] void refuse_table(const std::string& what) { throw VerificationError("verify: " + what); }

/// The listed class of any element.
class ClassOf {
 public:
  ClassOf(const FiniteGroup& G, const std::vector<ConjugacyClass>& listed, const Task& task)
      : classes_(conjugacy_classes(G, task)), number_(classes_.size(), listed.size()) {
    for (std::size_t k = 0; k < listed.size(); ++k) number_.at(classes_.index_of(listed[k].representative, task)) = k;
    if (listed.size() != number_.size() || std::ranges::count(number_, listed.size()) != 0)
      throw InternalError("verify: the classes that were proved are not those that were found");
  }
  std::size_t operator()(const Permutation& g) const { return number_[classes_.index_of_element(g)]; }

 private:
  ConjugacyClasses classes_;
  std::vector<std::size_t> number_;
};

class TableCheck {
 public:
  TableCheck(const CharacterClaim& claim, const Task& task)
      : claim_(claim), task_(task), chain_(verify(claim.group, task)), class_of_(chain_.group(), classes(), task) {}

  void run() {
    const std::size_t n = classes().size();
    if (claim_.rows.size() != n || claim_.combinations.size() != n || claim_.indicators.size() != n)
      refuse_table(fmt::format("there are not as many characters, combinations and indicators as classes, {}", n));
    for (std::size_t i = 0; i < n; ++i)
      if (claim_.rows[i].size() != n)
        refuse_table(fmt::format("row {} has not as many values as there are classes, {}", i, n));
    induce();
    std::vector<std::size_t> squares;
    for (const ConjugacyClass& c : classes()) squares.push_back(class_of_(c.representative.power(2)));
    for (std::size_t i = 0; i < n; ++i) {
      task_.progress("verifying characters", i, n);
      row(i, squares);
    }
    for (std::size_t i = 0; i < n; ++i)
      if (const auto [at, fresh] = first_.try_emplace(hash(claim_.rows[i]), i); !fresh)
        for (std::size_t j = at->second; j < i; ++j)
          if (claim_.rows[j] == claim_.rows[i]) refuse_table(fmt::format("row {} is there twice: it is row {}", i, j));
    power_maps();
  }

 private:
  const std::vector<ConjugacyClass>& classes() const { return claim_.group.classes; }
  static std::size_t hash(const std::vector<Cyclotomic>& row) {
    std::size_t h = 0;
    for (const Cyclotomic& value : row) h = h * 0x9e3779b97f4a7c15ULL + value.hash();
    return h;
  }

  /// Every linear character on all of G.
  void induce() {
    std::vector<std::vector<std::size_t>> own(claim_.subgroups.size());
    for (std::size_t k = 0; k < claim_.linear.size(); ++k) {
      const CharacterProof::Linear& lambda = claim_.linear[k];
      if (lambda.subgroup >= own.size())
        refuse_table(fmt::format("linear character {} is of a subgroup that is not there", k));
      if (lambda.exponents.size() != claim_.subgroups[lambda.subgroup].size())
        refuse_table(fmt::format("linear character {} has not as many values as its subgroup has generators", k));
      if (lambda.order == 0) refuse_table(fmt::format("linear character {} has values of order 0", k));
      own[lambda.subgroup].push_back(k);
    }
    induced_.resize(claim_.linear.size());
    for (std::size_t s = 0; s < own.size(); ++s) {
      task_.progress("listing subgroups", s, own.size());
      for (const Permutation& h : claim_.subgroups[s])
        if (h.degree() != claim_.group.degree || !chain_.factors(h))
          refuse_table(fmt::format("a generator of subgroup {} is no element of the group", s));
      if (!own[s].empty()) list_subgroup(s, own[s]);
    }
  }

  /// Multiplies with generators until nothing new comes, the exponents of all characters of this subgroup along with the elements.
  void list_subgroup(std::size_t s, const std::vector<std::size_t>& own) {
    const std::vector<Permutation>& generators = claim_.subgroups[s];
    const auto exponent = [&](std::size_t i, std::size_t j) {
      return claim_.linear[own[i]].exponents[j] % claim_.linear[own[i]].order;
    };
    FlatIndex<Point> elements(claim_.group.degree);
    elements.insert(Permutation::identity(claim_.group.degree).images());
    std::vector<std::uint32_t> values(own.size(), 0);  // of element k from k |own|
    std::vector<Point> product(claim_.group.degree);
    for (std::size_t k = 0; k < elements.size(); ++k) {
      task_.poll();
      if (k % 256 == 0) task_.require_memory(2 * elements.bytes() + 8 * values.size(), "the elements of a subgroup");
      for (std::size_t j = 0; j < generators.size(); ++j) {
        for (std::size_t x = 0; x < product.size(); ++x) product[x] = elements[k][generators[j](static_cast<Point>(x))];
        const std::size_t before = elements.size(), at = elements.insert(product);
        for (std::size_t i = 0; i < own.size(); ++i) {
          const auto value = static_cast<std::uint32_t>((std::uint64_t{values[k * own.size() + i]} + exponent(i, j)) %
                                                        claim_.linear[own[i]].order);
          if (at == before) values.push_back(value);
          if (values[at * own.size() + i] != value)
            refuse_table(fmt::format(
                "the values of linear character {} at its generators are those of no linear character", own[i]));
        }
      }
    }
    std::vector<std::vector<std::size_t>> members(classes().size());
    for (std::size_t k = 0; k < elements.size(); ++k) {
      task_.poll();
      members[class_of_(Permutation::unchecked({elements[k].begin(), elements[k].end()}))].push_back(k);
    }
    for (std::size_t i = 0; i < own.size(); ++i) induced_[own[i]] = sums(own[i], members, values, i, own.size());
  }

  /// |C(g)| / |H| times the sum of the values at the elements of H conjugate to g.
  std::vector<Cyclotomic> sums(std::size_t k, const std::vector<std::vector<std::size_t>>& members,
                               const std::vector<std::uint32_t>& values, std::size_t i, std::size_t width) const {
    std::vector<Cyclotomic> result;
    const Integer order = values.size() / width;
    for (std::size_t c = 0; c < members.size(); ++c) {
      task_.poll();
      std::map<std::uint32_t, std::int64_t> met;
      for (const std::size_t e : members[c]) ++met[values[e * width + i]];
      const Rational factor(classes()[c].centralizer_order, order);
      std::vector<std::pair<std::int64_t, Rational>> terms;
      for (const auto& [exponent, times] : met) terms.emplace_back(exponent, factor * Integer(times));
      result.push_back(Cyclotomic::from_terms(claim_.linear[k].order, terms));
    }
    return result;
  }

  void row(std::size_t i, const std::vector<std::size_t>& squares) const {
    const std::vector<Cyclotomic>& values = claim_.rows[i];
    for (const auto& [k, c] : claim_.combinations[i])
      if (k >= induced_.size())
        refuse_table(fmt::format("the combination for row {} speaks of a linear character that is not there", i));
    std::vector<Cyclotomic> on_squares;
    for (std::size_t c = 0; c < values.size(); ++c) {
      task_.poll();
      Cyclotomic sum;
      for (const auto& [k, factor] : claim_.combinations[i])
        if (!induced_[k][c].is_zero()) sum += Cyclotomic(factor) * induced_[k][c];
      if (sum != values[c])
        refuse_table(fmt::format("row {} is not its combination of induced characters on class {}", i, c));
      on_squares.push_back(values[squares[c]]);
    }
    if (!has_norm_one(values, claim_.group))
      refuse_table(fmt::format("row {} has not the norm 1: it is not irreducible", i));
    if (values[0].to_rational() <= 0) refuse_table(fmt::format("row {} has the degree {}", i, to_string(values[0])));
    if (mean_value(on_squares, claim_.group) != Cyclotomic(claim_.indicators[i]))
      refuse_table(fmt::format("row {} has another indicator than {}", i, claim_.indicators[i]));
  }

  void power_maps() const {
    for (const auto& [p, images] : claim_.power_maps) {
      if (images.size() != classes().size())
        refuse_table(fmt::format("the power map for {} has not as many classes as the group", p));
      for (std::size_t c = 0; c < images.size(); ++c)
        if (class_of_(classes()[c].representative.power(p)) != images[c])
          refuse_table(fmt::format("the power map for {} is not that of class {}", p, c));
    }
  }

  const CharacterClaim& claim_;
  const Task& task_;
  ProvedChain chain_;
  ClassOf class_of_;
  std::vector<std::vector<Cyclotomic>> induced_;
  std::unordered_map<std::size_t, std::size_t> first_;  ///< the first row with a hash
};

}  // namespace

Cyclotomic mean_value(const std::vector<Cyclotomic>& values, const GroupClaim& group) {
  Cyclotomic sum;
  for (std::size_t c = 0; c < values.size(); ++c) sum += Cyclotomic(group.classes[c].size) * values[c];
  return sum * Cyclotomic(Rational(1, group.order));
}

bool has_norm_one(const std::vector<Cyclotomic>& values, const GroupClaim& group) {
  std::vector<Cyclotomic> squares;
  for (const Cyclotomic& value : values) squares.push_back(value * value.conjugate());
  return mean_value(squares, group) == Cyclotomic(1);
}

void verify(const CharacterClaim& claim, const Task& task) { TableCheck(claim, task).run(); }

}  // namespace intertwine
