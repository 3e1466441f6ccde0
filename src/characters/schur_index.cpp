// Schur indices, from the table alone and from subgroups.
#include "intertwine/characters/schur_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>

#include "cyclotomic_sections.hpp"
#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/sylow.hpp"
#include "table_data.hpp"
#include "value_field.hpp"

namespace intertwine {

namespace {

constexpr unsigned most_elements = 200'000, most_images = 100'000'000;  // of hyperelementary subgroups
constexpr std::uint64_t largest_exponent = 2'000'000;

/// Is the q-part of the index at p equal to 1?
struct Question {
  std::uint32_t p, q;
};

/// A character with what is not yet known of it.
struct Row {
  std::size_t row;
  ValueField field;
  std::vector<Question> open;
  std::map<std::uint32_t, std::uint32_t> index;  ///< at finite primes, as far as it is known
  std::vector<PrimeField::Element> residues;     ///< the residues of the values, for the search in subgroups
  bool by_reciprocity = false;                   ///< the index at 2 follows from the others

  void settle(const Question& question, std::uint32_t part) {
    open.erase(std::find_if(open.begin(), open.end(),
                            [&](const Question& x) { return x.p == question.p && x.q == question.q; }));
    if (part == 1) return;
    auto& known = index[question.p];
    known = std::max(known, 1u) * part;
  }
};

/// The bounds of the index that the table alone decides. Multiplicities are found modulo a prime that is larger.
class TableBounds {
 public:
  TableBounds(const CharacterTable& table, const Task& task)
      : table_(table), task_(task), field_(prime_with_roots(1, Integer(1) << 60).value()) {
    const FiniteGroup& G = table.group();
    giant_ = G.chain(task).is_giant();
    for (const auto& [p, map] : table.power_maps()) primes_.push_back(p);
    const PrimeField::Element whole = field_.inverse(field_.from(G.order()));
    for (std::size_t c = 0; c < table.size(); ++c) {
      const ConjugacyClass& C = table.classes()[c];
      const std::size_t fixed = C.representative.number_of_fixed_points();
      weight_.push_back(field_.multiply(field_.from(C.size), whole));
      fixed_points_.push_back(field_.from(static_cast<std::int64_t>(fixed)));
    }
  }

  /// The character with the questions that are left; nothing if there are none.
  std::optional<Row> questions(std::size_t row) {
    const Integer degree = table_.degree(row);
    // Specht modules are rational, and a constituent of one of them for Alt(n) occurs once.
    if (degree == 1 || giant_) return std::nullopt;
    std::vector<Question> open;
    for (const std::uint32_t p : primes_) {
      if (prime_part(degree, p) == prime_part(table_.group().order(), p)) continue;
      for (const std::uint32_t q : primes_)
        if (degree % q == 0 && (p == 2 ? q == 2 : (p - 1) % q == 0)) open.push_back({p, q});
    }
    if (open.empty()) return std::nullopt;
    const std::vector<PrimeField::Element> means = rational_means(row);
    std::map<std::uint32_t, bool> settled;
    for (const Question& x : open)
      if (settled.count(x.q) == 0) settled[x.q] = is_prime_to_index(means, x.q);
    std::erase_if(open, [&](const Question& x) { return settled[x.q]; });
    if (open.empty()) return std::nullopt;
    Row result{row, ValueField(table_.row(row)), std::move(open), {}, {}, false};
    std::erase_if(result.open, [&](const Question& x) {
      return x.p == 2 ? result.field.has_local_roots_of_unity(4, 2) : !result.field.has_roots_of_unity(x.q);
    });
    if (result.open.empty()) return std::nullopt;
    return result;
  }

 private:
  /// The means of the conjugates of all values.
  std::vector<PrimeField::Element> rational_means(std::size_t row) const {
    std::vector<PrimeField::Element> result;
    for (std::size_t c = 0; c < table_.size(); ++c) {
      const Cyclotomic value = table_(row, c);
      if (const std::int64_t* small = value.small_integer()) {
        result.push_back(field_.from(*small));
        continue;
      }
      const Rational mean = value.trace() / totient(value.conductor());
      result.push_back(field_.multiply(field_.from(Integer(numerator(mean))),
                                       field_.inverse(field_.from(Integer(denominator(mean))))));
    }
    return result;
  }

  /// Does a rational representation contain the character a number of times that q does not divide? Those tried are the powers
  /// of the group's own permutation representation, and those induced from the trivial ones of cyclic subgroups.
  bool is_prime_to_index(const std::vector<PrimeField::Element>& means, std::uint32_t q) {
    std::vector<PrimeField::Element> product = weight_;
    const std::uint64_t degree = table_.group().degree();
    std::uint64_t dimension = degree;
    for (int k = 0; k < 4 && dimension <= field_.p() / degree; ++k, dimension *= degree) {
      PrimeField::Element sum = 0;
      for (std::size_t c = 0; c < means.size(); ++c) {
        product[c] = field_.multiply(product[c], fixed_points_[c]);
        sum = field_.add(sum, field_.multiply(product[c], means[c]));
      }
      if (field_.residue(sum) % q != 0) return true;
    }
    if (cyclic_.empty()) find_cyclic();
    for (const auto& cyclic : cyclic_) {
      task_.poll();
      PrimeField::Element sum = 0;
      for (const auto& [c, coefficient] : cyclic) sum = field_.add(sum, field_.multiply(means[c], coefficient));
      if (field_.residue(sum) % q != 0) return true;
    }
    return false;
  }

  /// For g in every class, of order n: the classes of the g^d, d | n, with phi(n / d) / n, so that sums of means are the
  /// multiplicities of the trivial character of <g>.
  void find_cyclic() {
    for (std::size_t c = 0; c < table_.size(); ++c) {
      const std::uint64_t n = table_.classes()[c].element_order;
      const PrimeField::Element part = field_.inverse(field_.from(static_cast<std::int64_t>(n)));
      auto& terms = cyclic_.emplace_back();
      for (const std::uint64_t d : divisors(n)) {
        std::size_t power = c;
        for (std::uint64_t rest = d; const std::uint32_t p : primes_)
          for (; rest % p == 0; rest /= p) power = table_.power_maps().at(p)[power];
        terms.emplace_back(power, field_.multiply(part, field_.from(static_cast<std::int64_t>(totient(n / d)))));
      }
    }
  }

  const CharacterTable& table_;
  const Task& task_;
  PrimeField field_;
  bool giant_ = false;
  std::vector<std::uint32_t> primes_;
  std::vector<PrimeField::Element> weight_, fixed_points_;
  std::vector<std::vector<std::pair<std::size_t, PrimeField::Element>>> cyclic_;
};

/// Answers the other questions in subgroups.
class SubgroupSearch {
 public:
  SubgroupSearch(const CharacterTable& table, std::vector<Row>& rows, const Task& task)
      : table_(table),
        rows_(rows),
        task_(task),
        powers_(table.classes()),
        field_(splitting_prime(powers_.exponent, 2 * table.degree(table.size() - 1) + 2)),
        root_(powers_.exponent == 1 ? field_.one() : field_.root_of_unity(powers_.exponent)) {
    for (Row& row : rows) row.residues = residues(field_, table.row(row.row), powers_.exponent);
  }

  void run() {
    for (Row& row : rows_)
      for (const Question& x : std::vector(row.open))
        if (settled_by_cyclic(row, x)) row.settle(x, 1);
    std::set<std::uint32_t> primes;
    for (const Row& row : rows_)
      for (const Question& x : row.open) primes.insert(x.q);
    for (const std::uint32_t q : primes) search(q);
  }

 private:
  PrimeField::Element root(std::uint64_t n, std::uint64_t k) const {
    return field_.power(root_, powers_.exponent / n * (k % n));
  }

  /// sum over k of sums[k] zeta_n^(-jk) / size, a multiplicity.
  std::uint64_t multiplicity(const std::vector<PrimeField::Element>& sums, std::uint64_t j, std::uint64_t size) const {
    const std::uint64_t n = sums.size();
    const PrimeField::Element step = root(n, n - j % n);
    PrimeField::Element sum = 0, power = field_.one();
    for (std::uint64_t k = 0; k < n; ++k, power = field_.multiply(power, step))
      sum = field_.add(sum, field_.multiply(sums[k], power));
    return field_.residue(field_.multiply(sum, field_.inverse(field_.from(static_cast<std::int64_t>(size)))));
  }

  /// A cyclic subgroup with a linear character l: index 1 over Q_p(chi, l) if q does not divide its multiplicity.
  bool settled_by_cyclic(const Row& row, const Question& x) const {
    const bool rational = row.field.conductor() == 1;
    std::map<std::uint64_t, bool> good;  // is the degree of Q_p(chi, zeta_d) over Q_p(chi) prime to q?
    for (std::size_t c = 0; c < table_.size(); ++c) {
      task_.poll();
      const std::uint64_t n = powers_.of[c].size();
      std::vector<PrimeField::Element> sums;
      for (const std::uint32_t power : powers_.of[c]) sums.push_back(row.residues[power]);
      for (std::uint64_t j = 1; j < n; ++j) {
        if (rational && n % j != 0) continue;  // conjugate to one that is tried
        const std::uint64_t d = n / std::gcd(n, j);
        const auto known = good.find(d);
        const bool prime_to_q = known != good.end()
                                    ? known->second
                                    : (good[d] = local_extension_degree(row.field, root_field(d), x.p) % x.q != 0);
        if (prime_to_q && multiplicity(sums, j, n) % x.q != 0) return true;
      }
    }
    return false;
  }

  static ValueField root_field(std::uint64_t d) {
    const std::uint32_t identity = 1;
    return {static_cast<std::uint32_t>(d), {&identity, 1}};
  }

  bool done(std::uint32_t q) const {
    return std::none_of(rows_.begin(), rows_.end(), [&](const Row& row) {
      return std::any_of(row.open.begin(), row.open.end(), [&](const Question& x) { return x.q == q; });
    });
  }

  /// One class of every cyclic subgroup of order prime to q, small centralizers first.
  std::vector<std::size_t> cyclic_classes(std::uint32_t q) const {
    std::vector<std::size_t> result;
    std::vector<char> seen(table_.size(), 0);
    for (std::size_t c = 0; c < table_.size(); ++c) {
      const std::uint64_t n = powers_.of[c].size();
      if (n % q == 0 || seen[c] != 0) continue;
      for (std::uint64_t k = 0; k < n; ++k)
        if (std::gcd(k, n) == 1) seen[powers_.of[c][k]] = 1;
      result.push_back(c);
    }
    std::stable_sort(result.begin(), result.end(), [&](std::size_t a, std::size_t b) {
      return table_.classes()[a].centralizer_order < table_.classes()[b].centralizer_order;
    });
    return result;
  }

  void search(std::uint32_t q) {
    bool complete = true;
    for (const std::size_t c : cyclic_classes(q)) {
      if (done(q)) return;
      complete = search_at(c, q) && complete;
    }
    if (complete && !done(q))
      throw InternalError("schur_index: no hyperelementary subgroup tells the index; there is one by a theorem");
  }

  /// In <g> times a Sylow q-subgroup of its normalizer, g in class c; false if that is too large.
  bool search_at(std::size_t c, std::uint32_t q) {
    const FiniteGroup& G = table_.group();
    const Permutation& g = table_.classes()[c].representative;
    std::vector<std::uint64_t> fused;
    for (std::uint64_t k = 1; k < powers_.of[c].size(); ++k)
      if (powers_.of[c][k] == c) fused.push_back(k);
    const FiniteGroup N = c == 0 ? G : normalizer_of_cyclic(G, g, fused, task_);
    const Integer order = prime_part(N.order(task_), q) * table_.classes()[c].element_order;
    if (order > most_elements || order * G.degree() > most_images) return false;
    std::vector<Permutation> generators = sylow_subgroup(N, q, task_).generators();
    generators.push_back(g);
    const ElementList H(FiniteGroup(G.degree(), std::move(generators)), task_);
    std::vector<std::uint32_t> classes(H.size());
    for (std::uint32_t x = 0; x < H.size(); ++x) {
      task_.poll();
      classes[x] = static_cast<std::uint32_t>(table_.classes().index_of_element(H[x]));
    }
    for_each_cyclotomic_section(
        H, H.number(g), q,
        [&](const CyclotomicSection& section) {
          for (Row& row : rows_)
            for (const Question& x : std::vector(row.open))
              if (x.q == q) answer(row, x, section, classes);
          return !done(q);
        },
        task_);
    return true;
  }

  void answer(Row& row, const Question& x, const CyclotomicSection& section,
              const std::vector<std::uint32_t>& classes) const {
    const CyclotomicAlgebra& A = section.algebra;
    std::vector<PrimeField::Element> sums(A.n, 0);
    for (const auto& [element, k] : section.elements) sums[k] = field_.add(sums[k], row.residues[classes[element]]);
    bool odd = false;  // some conjugate of the section's character occurs a number of times prime to q
    for (std::uint32_t j = 0; j < A.n && !odd; ++j)
      odd = std::gcd(j, A.n) == 1 && multiplicity(sums, j, section.elements.size()) % x.q != 0;
    if (!odd) return;
    const ValueField F(A.n, A.galois);
    if (local_extension_degree(row.field, F, x.p) % x.q == 0) return;
    const auto extension = static_cast<std::uint32_t>(local_extension_degree(F, row.field, x.p));
    const std::uint32_t index = local_index(A, x.p);
    row.settle(x, prime_part(index / std::gcd(index, extension), x.q));
  }

  const CharacterTable& table_;
  std::vector<Row>& rows_;
  const Task& task_;
  PowerTable powers_;
  PrimeField field_;
  PrimeField::Element root_;
};

/// Is the sum of the 2-parts of the invariants 0, as far as they are known? They are 0 or 1/2 unless Q(chi) contains i.
bool invariants_cancel(const CharacterTable& table, const Row& row) {
  std::size_t halves = table.indicator(row.row) == -1 ? row.field.degree() : 0;
  for (const auto& [p, index] : row.index)
    if (index % 2 == 0) halves += row.field.primes_above(p);
  return halves % 2 == 0;
}

bool may_search(const CharacterTable& table) {
  Integer exponent = 1;
  for (std::size_t c = 0; c < table.size(); ++c) exponent = lcm(exponent, Integer(table.classes()[c].element_order));
  return exponent <= largest_exponent;
}

SchurIndex summary(const CharacterTable& table, std::size_t row) {
  SchurIndex result;
  result.real = table.indicator(row) == -1 ? 2 : 1;
  result.index = result.real;
  return result;
}

/// The index at 2 where the others tell, and the check where all are known by themselves.
void use_reciprocity(const CharacterTable& table, Row& row) {
  const bool others = std::all_of(row.open.begin(), row.open.end(), [](const Question& x) { return x.q != 2; });
  if (!others || row.field.has_roots_of_unity(4)) return;
  const bool cancel = invariants_cancel(table, row);
  if (row.by_reciprocity) {
    if (!cancel) row.index[2] = 2;
    row.by_reciprocity = false;
  } else if (!cancel) {
    throw InternalError("schur_index: the invariants of " + table.name(row.row) + " do not add up to 0");
  }
}

}  // namespace

std::vector<SchurIndex> schur_indices(const CharacterTable& table, std::span<const std::size_t> wanted,
                                      const Task& task) {
  TableBounds bounds(table, task);
  std::vector<Row> rows;
  for (const std::size_t row : std::set<std::size_t>(wanted.begin(), wanted.end())) {
    if (row >= table.size())
      throw DomainError(fmt::format("schur_index: row {} of a table with rows 0..{}", row, table.size() - 1));
    auto left = bounds.questions(row);
    if (!left) continue;
    // The sum of the invariants decides at 2 last.
    if (left->open.front().p == 2 && left->field.primes_above(2) % 2 != 0)
      left->open.erase(left->open.begin()), left->by_reciprocity = true;
    rows.push_back(std::move(*left));
  }
  const bool open = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.open.empty(); });
  if (open && may_search(table)) SubgroupSearch(table, rows, task).run();
  std::map<std::size_t, SchurIndex> known;
  for (Row& row : rows) {
    use_reciprocity(table, row);
    SchurIndex result = summary(table, row.row);
    for (const auto& [p, index] : row.index) {
      result.finite.push_back({p, index});
      result.index = std::lcm(result.index, index);
    }
    if (row.by_reciprocity) row.open.insert(row.open.begin(), {2, 2});
    for (const Question& x : row.open) {
      const auto part = static_cast<std::uint32_t>(
          prime_part(x.p == 2 ? 2u : std::gcd(x.p - 1, static_cast<std::uint32_t>(table.degree(row.row))), x.q));
      if (result.undecided.empty() || result.undecided.back().prime != x.p)
        result.undecided.push_back({x.p, row.index.count(x.p) != 0 ? row.index.at(x.p) : 1});
      result.undecided.back().index *= part;
    }
    known.emplace(row.row, std::move(result));
  }
  std::vector<SchurIndex> result;
  for (const std::size_t row : wanted) {
    const auto found = known.find(row);
    result.push_back(found != known.end() ? found->second : summary(table, row));
  }
  return result;
}

std::vector<SchurIndex> schur_indices(const CharacterTable& table, const Task& task) {
  // Algebraic conjugates have one index: their simple components over Q are one.
  const std::vector<std::size_t> family = galois_families(table, task);
  return schur_indices(table, family, task);
}

SchurIndex schur_index(const CharacterTable& table, std::size_t row, const Task& task) {
  return schur_indices(table, std::span(&row, 1), task).front();
}

SchurIndex schur_index_over(const AbelianField& K, const SchurIndex& over_q, const CharacterTable& table,
                            std::size_t row) {
  const ValueField values(table.row(row)), field(std::span(&K.generator(), 1));
  SchurIndex result;
  result.real = K.is_real() ? over_q.real : 1;
  result.index = result.real;
  for (const auto& [p, index] : over_q.finite) {
    const auto degree = static_cast<std::uint32_t>(local_extension_degree(values, field, p));
    const std::uint32_t over = index / std::gcd(index, degree);
    if (over > 1) result.finite.push_back({p, over});
    result.index = std::lcm(result.index, over);
  }
  result.undecided = over_q.undecided;
  return result;
}

std::optional<DivisionAlgebra> division_algebra(const SchurIndex& over_q, std::size_t conjugates) {
  if (!over_q.undecided.empty()) return std::nullopt;
  const Integer square = Integer(over_q.index) * over_q.index;
  return DivisionAlgebra{square, square * conjugates};
}

}  // namespace intertwine
