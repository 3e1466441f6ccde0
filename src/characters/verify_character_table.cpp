// The check that every table passes before it is returned.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>

#include "gram.hpp"
#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "table_data.hpp"

namespace intertwine {

namespace {

using Element = PrimeField::Element;

/// Rows found by their numbers.
class RowIndex {
 public:
  RowIndex(std::span<const std::uint32_t> values, std::size_t n) : values_(values), n_(n) {
    rows_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) rows_.emplace_back(hash(values.data() + i * n), i);
    std::sort(rows_.begin(), rows_.end());
  }
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t find(const std::uint32_t* row) const {
    const std::uint64_t h = hash(row);
    for (auto at = std::lower_bound(rows_.begin(), rows_.end(), std::pair(h, std::size_t{0}));
         at != rows_.end() && at->first == h; ++at)
      if (std::equal(row, row + n_, values_.data() + at->second * n_)) return at->second;
    return none;
  }

 private:
  std::uint64_t hash(const std::uint32_t* row) const {
    std::uint64_t h = 0;
    for (std::size_t c = 0; c < n_; ++c)
      h += (std::uint64_t{row[c]} + 1) * ((2 * c + 1) * 0x9e3779b97f4a7c15ULL ^ c << 40);
    return h;
  }
  std::span<const std::uint32_t> values_;
  std::size_t n_;
  std::vector<std::pair<std::uint64_t, std::size_t>> rows_;  ///< hashes and numbers, in order
};

/// Orbits of rows under multiplication by linear characters, and the cosets of what these have for a common kernel.
struct Twists {
  std::vector<std::size_t> rows;                 ///< one of every orbit
  std::vector<std::uint32_t> length;             ///< the lengths of these orbits
  std::vector<std::vector<std::size_t>> cosets;  ///< the cosets of classes, by decreasing centralizer orders
};

class Check {
 public:
  Check(const ConjugacyClasses& classes, std::span<const Cyclotomic> pool, std::span<const std::uint32_t> values,
        const Task& task)
      : classes_(classes), task_(task), n_(classes.size()) {
    std::vector<std::uint32_t> number;
    for (const Cyclotomic& value : pool) {
      const auto [at, fresh] = number_.try_emplace(value, static_cast<std::uint32_t>(pool_.size()));
      if (fresh) {
        pool_.push_back(value);
        conductor_ = std::lcm(conductor_, std::uint64_t{value.conductor()});
        rational_ = rational_ && value.small_integer();
      }
      number.push_back(at->second);
    }
    values_.reserve(values.size());
    for (const std::uint32_t v : values) values_.push_back(number[v]);
    for (std::size_t c = 0; c < n_; ++c) exponent_ = std::lcm(exponent_, classes_[c].element_order);
    inverse_ = classes_.power_map(-1, task_);
    for (std::size_t c = 0; c < n_; ++c) centralizer_.push_back(classes_[c].centralizer_order);
  }

  void run() {
    integrality();
    const RowIndex index(values_, n_);
    for (std::size_t i = 0; i < n_; ++i)
      if (const std::size_t j = index.find(&values_[i * n_]); j != i)
        throw VerificationError(fmt::format("verify: rows {} and {} are equal", i, j));
    galois_action(index);
    if (rational_)
      rational_columns(index);
    else
      modular_columns();
  }

 private:
  void integrality() const {
    for (const Cyclotomic& a : pool_) {
      if (a.small_integer()) continue;
      if (!a.small_terms() &&
          std::ranges::any_of(a.terms(), [](const auto& term) { return denominator(term.second) != 1; }))
        throw VerificationError("verify: " + to_string(a) + " is no algebraic integer");
      if (exponent_ % a.conductor() != 0)
        throw VerificationError("verify: " + to_string(a) + " has a conductor that does not divide the exponent");
    }
  }

  /// Numbers worth handing to another thread, where each takes a pass over a row or a column.
  std::uint64_t grain() const { return 1 + (std::uint64_t{1} << 16U) / n_; }

  void galois_action(const RowIndex& index) const {
    for (std::uint64_t k : unit_generators(conductor_)) {
      while (std::gcd(k, exponent_) != 1) k += conductor_;  // a unit modulo the exponent with the same action
      const std::vector<std::uint32_t> map = classes_.power_map(Integer(k), task_);
      std::vector<std::uint32_t> image(pool_.size());
      task_.share(pool_.size(), 64, [&](std::uint64_t first, std::uint64_t last) {
        for (std::size_t v = first; v < last; ++v) {
          if (pool_[v].is_rational()) {
            image[v] = static_cast<std::uint32_t>(v);
            continue;
          }
          const auto at = number_.find(pool_[v].galois_conjugate(static_cast<std::int64_t>(k)));
          image[v] = at == number_.end() ? 0xffffffffU : at->second;
        }
      });
      task_.share(n_, grain(), [&](std::uint64_t first, std::uint64_t last) {
        std::vector<std::uint32_t> row(n_);
        for (std::size_t i = first; i < last; ++i) {
          task_.poll();
          for (std::size_t c = 0; c < n_; ++c) {
            row[c] = image[values_[i * n_ + c]];
            if (values_[i * n_ + map[c]] != row[c])
              throw VerificationError(
                  fmt::format("verify: row {} breaks the Galois action at class {} and exponent {}", i, c, k));
          }
          if (index.find(row.data()) == RowIndex::none)
            throw VerificationError(fmt::format("verify: a Galois conjugate of row {} is missing", i));
        }
      });
    }
  }

  [[noreturn]] static void not_orthogonal(std::size_t c, std::size_t d) {
    throw VerificationError(fmt::format("verify: columns {} and {} are not orthogonal", c, d));
  }
  [[noreturn]] static void wrong_norm(std::size_t c) {
    throw VerificationError(fmt::format("verify: the norm of column {} is not the order of the centralizer", c));
  }

  /// Is the residue of an inner product modulo m enough? 2 sqrt(z_c z_d) < m.
  bool decided(std::size_t c, std::size_t d, const Integer& m) const {
    constexpr unsigned long half = 1UL << 31U;
    if (centralizer_[c] < half && centralizer_[d] < half) {  // nearly always: squares fit a word
      if (m >= 2 * half) return true;
      const auto word = [](const Integer& a) { return mpz_get_ui(a.backend().data()); };
      return 4 * word(centralizer_[c]) * word(centralizer_[d]) < word(m) * word(m);
    }
    return 4 * centralizer_[c] * centralizer_[d] < m * m;
  }

  /// permutation(row) gives for a linear character the permutation of all rows by it, empty if it does not permute them.
  template <class Permuted>
  Twists twists(const std::vector<std::size_t>& linear, const Permuted& permuted) const {
    std::vector<std::size_t> orbit(n_), coset(n_, 0);
    std::iota(orbit.begin(), orbit.end(), std::size_t{0});
    const auto root = [&](std::size_t i) {
      while (orbit[i] != i) i = orbit[i] = orbit[orbit[i]];
      return i;
    };
    std::vector<std::uint32_t> value;  // of lambda on every coset
    for (const std::size_t lambda : linear) {
      value.assign(n_, 0xffffffffU);
      const bool refines = [&] {
        for (std::size_t c = 0; c < n_; ++c) {
          const std::uint32_t v = values_[lambda * n_ + c];
          if (value[coset[c]] == 0xffffffffU) value[coset[c]] = v;
          if (value[coset[c]] != v) return true;
        }
        return false;
      }();
      if (!refines) continue;
      std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> parts;
      std::vector<std::size_t> finer;
      for (std::size_t c = 0; c < n_; ++c)
        finer.push_back(parts.try_emplace({coset[c], values_[lambda * n_ + c]}, parts.size()).first->second);
      const std::vector<std::size_t> rows = permuted(lambda);
      if (rows.empty()) continue;
      coset = std::move(finer);
      for (std::size_t i = 0; i < n_; ++i) {
        const std::size_t a = root(i), b = root(rows[i]);
        orbit[std::max(a, b)] = std::min(a, b);
      }
    }
    Twists result;
    std::vector<std::uint32_t> length(n_, 0);
    for (std::size_t i = 0; i < n_; ++i) ++length[root(i)];
    for (std::size_t i = 0; i < n_; ++i)
      if (length[i] > 0) result.rows.push_back(i), result.length.push_back(length[i]);
    result.cosets.resize(*std::max_element(coset.begin(), coset.end()) + 1);
    for (std::size_t c = 0; c < n_; ++c) result.cosets[coset[c]].push_back(c);
    for (auto& list : result.cosets)
      std::stable_sort(list.begin(), list.end(),
                       [&](std::size_t c, std::size_t d) { return centralizer_[c] > centralizer_[d]; });
    return result;
  }

  std::vector<std::size_t> linear_rows() const {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < n_; ++i)
      if (pool_[values_[i * n_]] == Cyclotomic(1)) rows.push_back(i);
    return rows;
  }

  /// The inner products in one coset by words; visited if they are not decided by fewer bits.
  template <class Word, class Entry>
  GramProblem<Word> problem(const Twists& t, const std::vector<std::size_t>& coset, const Entry& entry) const {
    GramProblem<Word> g{t.rows.size(),
                        coset.size(),
                        (coset.size() + gram_width - 1) / gram_width * gram_width,
                        {},
                        {},
                        [m = coset.size()](std::size_t) { return m; }};
    task_.require_memory(g.rows * (g.columns + g.stride) * sizeof(Word), "the check of the character table");
    g.a.resize(g.rows * g.columns);
    g.b.assign(g.rows * g.stride, 0);
    task_.share(g.rows, grain(), [&](std::uint64_t first, std::uint64_t last) {
      for (std::size_t i = first; i < last; ++i)
        for (std::size_t c = 0; c < g.columns; ++c) {
          g.a[c * g.rows + i] = entry(values_[t.rows[i] * n_ + coset[c]], 1);
          g.b[i * g.stride + c] = entry(values_[t.rows[i] * n_ + inverse_[coset[c]]], t.length[i]);
        }
    });
    return g;
  }

  /// For every class of the coset the number of those before it in decreasing order of centralizers, and on to where a
  /// residue modulo m decides.
  std::vector<std::size_t> undecided(const std::vector<std::size_t>& coset, const Integer& m) const {
    std::vector<std::size_t> end(coset.size());
    std::size_t d = coset.size();
    for (std::size_t c = 0; c < coset.size(); ++c) {
      while (d > 0 && decided(coset[c], coset[d - 1], m)) --d;
      end[c] = d;
    }
    return end;
  }

  // Rational integers: words modulo 2^32 and 2^64, and primes for the few pairs with larger centralizers.

  void rational_columns(const RowIndex& index) const {
    rational_norms();
    const auto permuted = [&](std::size_t lambda) { return permuted_by_signs(lambda, index); };
    const Twists t = twists(linear_rows(), permuted);
    const auto integer = [&](std::uint32_t v) { return static_cast<std::uint64_t>(*pool_[v].small_integer()); };
    for (const auto& coset : t.cosets) {
      {
        const auto g = problem<std::uint32_t>(t, coset, [&](std::uint32_t v, std::uint32_t length) {
          return static_cast<std::uint32_t>(integer(v) * length);
        });
        gram(g, task_, [&](std::size_t c, std::size_t first, std::size_t count, const std::uint32_t* sums) {
          require_zeros(coset, c, first, count, coset.size(), sums);
        });
      }
      const auto end = undecided(coset, Integer(1) << 32);
      if (end[0] < 2) continue;
      auto g =
          problem<std::uint64_t>(t, coset, [&](std::uint32_t v, std::uint32_t length) { return integer(v) * length; });
      g.last = [&](std::size_t c) { return end[c]; };
      gram(g, task_, [&](std::size_t c, std::size_t first, std::size_t count, const std::uint64_t* sums) {
        require_zeros(coset, c, first, count, end[c], sums);
      });
    }
    Integer known = Integer(1) << 64, least = Integer(1) << 60;
    while (!all_decided(t, known)) {
      const PrimeField f(splitting_prime(conductor_, least));
      large_prime_columns(f, residues_of_pool(f), t, known);
      known *= f.p();
      least = Integer(f.p()) + 1;
    }
  }

  template <class Word>
  static void require_zeros(const std::vector<std::size_t>& coset, std::size_t c, std::size_t first, std::size_t count,
                            std::size_t end, const Word* sums) {
    for (std::size_t j = c < first ? 0 : c + 1 - first; j < count && first + j < end; ++j)
      if (sums[j] != 0) not_orthogonal(coset[c], coset[first + j]);
  }

  void rational_norms() const {
    task_.share(n_, std::max<std::uint64_t>(16, grain()), [&](std::uint64_t first, std::uint64_t last) {
      std::vector<Integer> norm(last - first);
      std::vector<Wide> small(last - first);
      constexpr std::int64_t half_words = std::int64_t{1} << 50;  // 2^28 squares of these can be added
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t c = first; c < last; ++c) {
          const std::int64_t v = *pool_[values_[i * n_ + c]].small_integer();
          if (v > -half_words && v < half_words)
            small[c - first] += static_cast<Wide>(v < 0 ? -v : v) * static_cast<std::uint64_t>(v < 0 ? -v : v);
          else
            norm[c - first] += Integer(v) * v;
        }
      for (std::size_t c = first; c < last; ++c) {
        const Wide sum = small[c - first];
        norm[c - first] += (Integer(static_cast<std::uint64_t>(sum >> 64)) << 64) + static_cast<std::uint64_t>(sum);
        if (norm[c - first] != centralizer_[c]) wrong_norm(c);
      }
    });
  }

  /// The rows times a linear character with values 1 and -1.
  std::vector<std::size_t> permuted_by_signs(std::size_t lambda, const RowIndex& index) const {
    std::vector<std::uint32_t> negative(pool_.size(), 0xffffffffU), row(n_);
    for (std::size_t v = 0; v < pool_.size(); ++v)
      if (const auto at = number_.find(-pool_[v]); at != number_.end()) negative[v] = at->second;
    const Cyclotomic one(1), minus(-1);
    std::vector<char> turned;
    for (std::size_t c = 0; c < n_; ++c) {
      const Cyclotomic& value = pool_[values_[lambda * n_ + c]];
      if (value != one && value != minus) return {};
      turned.push_back(value == minus);
    }
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t c = 0; c < n_; ++c) row[c] = turned[c] ? negative[values_[i * n_ + c]] : values_[i * n_ + c];
      result.push_back(index.find(row.data()));
      if (result.back() == RowIndex::none) return {};
    }
    return result;
  }

  // Irrational numbers: residues modulo primes with roots of unity.

  void modular_columns() const {
    constexpr std::size_t few = 24;
    constexpr std::uint64_t small = std::uint64_t{1} << 26;
    Integer known = 1;
    if (n_ > few && conductor_ < small / 64) {
      const PrimeField f(splitting_prime(conductor_, Integer(small / 2)));
      if (f.p() < small) {
        small_prime_columns(f, twists_modulo(f));
        known = f.p();
      }
    }
    const Integer norms = bound_of_norms();
    Integer least = std::min(norms, Integer(1) << 60), product = 1;
    const Twists all = twists({}, [](std::size_t) { return std::vector<std::size_t>{}; });
    while (product <= norms || !all_decided(all, known)) {
      const PrimeField f(splitting_prime(conductor_, least));
      const std::vector<Element> residues = residues_of_pool(f);
      if (product <= norms) check_norms(f, residues);
      large_prime_columns(f, residues, all, known);
      product *= f.p();
      known *= f.p();
      least = Integer(f.p()) + 1;
    }
  }

  /// More than twice the largest sum of squares that the sizes of the values allow.
  Integer bound_of_norms() const {
    Integer largest = 0;
    for (const Cyclotomic& a : pool_) {
      Integer sum = 0;
      if (const auto small = a.small_terms())
        for (const std::int64_t c : small->coefficients) sum += std::abs(c);
      else
        for (const auto& [e, c] : a.terms()) sum += abs(Integer(numerator(c)));
      largest = std::max(largest, sum);
    }
    return 2 * (largest * largest * Integer(n_) + classes_.group().order());
  }

  void check_norms(const PrimeField& f, const std::vector<Element>& residues) const {
    task_.share(n_, std::max<std::uint64_t>(16, grain()), [&](std::uint64_t first, std::uint64_t last) {
      std::vector<Element> norm(last - first, 0);
      for (std::size_t i = 0; i < n_; ++i) {
        const std::uint32_t* row = values_.data() + i * n_;
        for (std::size_t c = first; c < last; ++c)
          norm[c - first] = f.add(norm[c - first], f.multiply(residues[row[c]], residues[row[inverse_[c]]]));
      }
      for (std::size_t c = first; c < last; ++c)
        if (norm[c - first] != f.from(centralizer_[c])) wrong_norm(c);
    });
  }

  /// Rows times linear characters modulo p. Roots of unity that are different stay so, which is what counts.
  Twists twists_modulo(const PrimeField& f) const {
    const auto pool = residues_of_pool(f);
    std::vector<std::uint32_t> residues(values_.size()), row(n_);
    for (std::size_t k = 0; k < values_.size(); ++k)
      residues[k] = static_cast<std::uint32_t>(f.residue(pool[values_[k]]));
    const RowIndex index(residues, n_);
    const std::uint64_t p = f.p();
    const auto permuted = [&](std::size_t lambda) {
      const std::uint32_t* factor = residues.data() + lambda * n_;
      std::vector<std::size_t> result;
      for (std::size_t c = 0; c < n_; ++c)
        if (std::uint64_t{factor[c]} * factor[inverse_[c]] % p != 1) return result;
      for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t c = 0; c < n_; ++c)
          row[c] = static_cast<std::uint32_t>(std::uint64_t{residues[i * n_ + c]} * factor[c] % p);
        result.push_back(index.find(row.data()));
        if (result.back() == RowIndex::none) return std::vector<std::size_t>{};
      }
      std::vector<char> hit(n_, 0);
      for (const std::size_t i : result) hit[i] = 1;
      if (std::count(hit.begin(), hit.end(), 0) != 0) result.clear();
      return result;
    };
    return twists(linear_rows(), permuted);
  }

  void small_prime_columns(const PrimeField& f, const Twists& t) const {
    const auto p = static_cast<std::uint32_t>(f.p());
    std::vector<std::uint32_t> residues;
    for (const Element x : residues_of_pool(f)) residues.push_back(static_cast<std::uint32_t>(f.residue(x)));
    for (const auto& coset : t.cosets) {
      const auto g = problem<std::uint32_t>(t, coset, [&](std::uint32_t v, std::uint32_t length) {
        return static_cast<std::uint32_t>(std::uint64_t{residues[v]} * length % p);
      });
      gram_modulo(g, p, task_, [&](std::size_t c, std::size_t first, std::size_t count, const std::uint64_t* sums) {
        for (std::size_t j = c < first ? 0 : c + 1 - first; j < count; ++j)
          if (sums[j] % p != 0) not_orthogonal(coset[c], coset[first + j]);
      });
    }
  }

  bool all_decided(const Twists& t, const Integer& known) const {
    for (const auto& coset : t.cosets)
      if (coset.size() > 1 && !decided(coset[0], coset[1], known)) return false;
    return true;
  }

  /// The pairs of columns of a coset that are not decided by what is known of them modulo `known`.
  void large_prime_columns(const PrimeField& f, const std::vector<Element>& residues, const Twists& t,
                           const Integer& known) const {
    for (const auto& coset : t.cosets) {
      const auto end = undecided(coset, known);
      std::size_t columns = 0;
      while (columns < coset.size() && end[columns] > columns + 1) ++columns;
      task_.share(columns, 1, [&](std::uint64_t first, std::uint64_t last) {
        std::vector<Element> sums;
        for (std::size_t c = first; c < last; ++c) {
          task_.poll();
          sums.assign(end[c], 0);
          for (std::size_t i = 0; i < t.rows.size(); ++i) {
            const std::uint32_t* row = values_.data() + t.rows[i] * n_;
            const Element x = f.multiply(residues[row[coset[c]]], f.from(std::int64_t{t.length[i]}));
            if (x == 0) continue;
            for (std::size_t d = c + 1; d < end[c]; ++d)
              sums[d] = f.add(sums[d], f.multiply(x, residues[row[inverse_[coset[d]]]]));
          }
          for (std::size_t d = c + 1; d < end[c]; ++d)
            if (sums[d] != 0) not_orthogonal(coset[c], coset[d]);
        }
      });
    }
  }

  std::vector<Element> residues_of_pool(const PrimeField& f) const { return residues(f, pool_, conductor_); }

  const ConjugacyClasses& classes_;
  const Task& task_;
  std::size_t n_;
  std::uint64_t exponent_ = 1;   ///< the exponent of the group
  std::uint64_t conductor_ = 1;  ///< the conductor of the field that the values generate
  bool rational_ = true;         ///< all values are integers that fit a word
  std::unordered_map<Cyclotomic, std::uint32_t> number_;
  std::vector<Cyclotomic> pool_;
  std::vector<std::uint32_t> values_, inverse_;
  std::vector<Integer> centralizer_;
};

}  // namespace

void verify_values(const CharacterTable::Data& data, const Task& task) {
  Check(data.classes, data.pool, data.values, task).run();
}

namespace {

/// The classes of the p-th powers of the representatives, which power_map may have kept from when the classes were ordered.
std::vector<std::uint32_t> powers_again(const ConjugacyClasses& classes, std::uint32_t p, const Task& task) {
  std::vector<std::uint32_t> map;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    task.poll();
    map.push_back(static_cast<std::uint32_t>(classes.index_of_element(classes[c].representative.power(p), task)));
  }
  return map;
}

void verify_power_maps(const CharacterTable& table, const Task& task) {
  const Integer& order = table.group().order();
  Integer rest = order;
  for (const auto& [p, map] : table.power_maps()) {
    task.poll();
    if (order % p != 0) throw VerificationError(fmt::format("verify: {} does not divide the order of the group", p));
    while (rest % p == 0) rest /= p;
    if (map != powers_again(table.classes(), p, task))
      throw VerificationError(fmt::format("verify: the power map for {} is wrong", p));
  }
  if (rest != 1) throw VerificationError("verify: the power map for a divisor of " + rest.str() + " is missing");
}

/// 1/|G| sum of chi(g^2).
void verify_indicators(const CharacterTable& table, const Task& task) {
  const ConjugacyClasses& classes = table.classes();
  const std::vector<std::uint32_t> squares = powers_again(classes, 2, task);
  task.share(table.size(), 1, [&](std::uint64_t first, std::uint64_t last) {
    for (std::size_t i = first; i < last; ++i) {
      task.poll();
      Cyclotomic sum;
      for (std::size_t c = 0; c < table.size(); ++c)
        sum += Cyclotomic(Rational(classes[c].size)) * table(i, squares[c]);
      if (sum != Cyclotomic(Rational(table.group().order() * table.indicator(i))))
        throw VerificationError(fmt::format("verify: the indicator of row {} is wrong", i));
    }
  });
}

}  // namespace

void verify(const CharacterTable& table, const Task& task) {
  verify_values(*table.data_, task);
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table.degree(i) <= 0 || table.group().order() % table.degree(i) != 0)
      throw VerificationError(fmt::format("verify: the degree of row {} does not divide the order of the group", i));
  verify_power_maps(table, task);
  verify_indicators(table, task);
}

}  // namespace intertwine
