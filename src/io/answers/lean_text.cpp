// Writes character tables for Lean: the theorems are in character_table.lean, the numbers they are about are made here.
#include "intertwine/io/lean_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "io/answers/filled.hpp"
#include "io/answers/made_once.hpp"
#include "io/answers/system_values.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace embedded {
extern const std::string_view character_table_lean;
}

namespace {

constexpr std::size_t most_numbers = std::size_t{1} << 16;  ///< of points and generators, for all elements
constexpr std::size_t most_terms = 255;                     ///< `small` in character_table.lean bounds these two
constexpr std::int64_t most_coefficient = 65'535;

/// The elements in the order of their lists of images, how the generators move them, and their classes.
struct ListedGroup {
  std::vector<Permutation> elements;
  std::vector<Point> generators;         ///< numbers of elements
  std::vector<Permutation> times;        ///< for each generator s: k -> the number of g_k s
  std::vector<Permutation> conjugation;  ///< for each generator s: k -> the number of s^-1 g_k s
  std::vector<Point> representatives;
  std::vector<std::size_t> class_of;
  std::vector<Point> conjugators;  ///< x with x g = r x, r the representative of g

  ListedGroup(const CharacterTable& table, const Task& task);
  Point number(const Permutation& g) const {
    return static_cast<Point>(std::lower_bound(elements.begin(), elements.end(), g) - elements.begin());
  }
};

ListedGroup::ListedGroup(const CharacterTable& table, const Task& task) {
  const FiniteGroup& G = table.group();
  G.chain(task).for_each_element(
      [&](const Permutation& g) {
        elements.push_back(g);
        return true;
      },
      task);
  std::sort(elements.begin(), elements.end());
  const std::size_t n = elements.size();
  const auto moved = [&](const auto& by) {
    std::vector<Point> images(n);
    for (std::size_t k = 0; k < n; ++k) images[k] = number(by(elements[k]));
    return Permutation(std::move(images));
  };
  for (const Permutation& s : G.generators()) {
    task.poll();
    generators.push_back(number(s));
    times.push_back(moved([&](const Permutation& g) { return g * s; }));
    conjugation.push_back(moved([&, back = s.inverse()](const Permutation& g) { return back * g * s; }));
  }
  class_of.resize(n);
  conjugators.resize(n);
  for (std::size_t c = 0; c < table.size(); ++c) {
    task.poll();
    const Point representative = number(table.classes()[c].representative);
    representatives.push_back(representative);
    const OrbitTree tree = orbit_tree(representative, n, conjugation);
    for (const Point k : tree.points) {
      class_of[k] = c;
      // The identity is element 0. Where x k = r x, s moves k to j = s^-1 k s, and x s j = r x s.
      conjugators[k] = k == representative ? 0 : times[tree.generator[k]](conjugators[tree.parent[k]]);
    }
  }
}

[[noreturn]] void refuse_large_number() {
  throw LimitError(
      fmt::format("a number in the matrices is too large for Lean, which takes coefficients of at most {}; --proof "
                  "writes the table for other checkers",
                  most_coefficient));
}

/// Numbers of Q(zeta), zeta of an even order N, as lists of terms [c, e] for c zeta^e with natural c.
class LeanNumbers {
 public:
  explicit LeanNumbers(std::uint32_t n) : order_(n % 2 == 0 ? n : 2 * n), primes_(prime_divisors(order_)) {}

  std::uint32_t order() const { return order_; }
  const std::vector<std::uint64_t>& primes() const { return primes_; }
  /// The number times `scale`, which makes its coefficients integers.
  const std::string& operator()(const Cyclotomic& a, const Integer& scale) {
    if (scale != scale_) made_ = {};
    scale_ = scale;
    return made_(a, [&](const Cyclotomic& number) { return written(number); });
  }

 private:
  std::string written(const Cyclotomic& a) const {
    const std::uint32_t half = order_ / 2, step = order_ / a.conductor();
    std::vector<std::int64_t> sum(half);  // zeta^half = -1
    for (const auto& [e, c] : a.terms()) {
      const Integer scaled = numerator(Rational(c * scale_));
      if (abs(scaled) > most_coefficient) refuse_large_number();
      const std::uint32_t at = e * step;
      sum[at % half] += (at < half ? 1 : -1) * scaled.convert_to<std::int64_t>();
    }
    for (const std::uint64_t q : primes_)
      if (q > 2) shorten(sum, static_cast<std::uint32_t>(q));
    std::vector<std::string> terms;
    for (std::uint32_t e = 0; e < half; ++e) {
      if (std::abs(sum[e]) > most_coefficient) refuse_large_number();
      if (sum[e] != 0) terms.push_back(fmt::format("[{}, {}]", std::abs(sum[e]), sum[e] > 0 ? e : e + half));
    }
    if (terms.size() > most_terms) refuse_large_number();
    return fmt::format("[{}]", fmt::join(terms, ", "));
  }

  /// The sum of zeta^e over a coset of the roots of order q is 0: a multiple of it leaves out as many terms as can be.
  void shorten(std::vector<std::int64_t>& sum, std::uint32_t q) const {
    const std::uint32_t half = order_ / 2, step = order_ / q;
    std::vector<std::int64_t> coset(q);
    for (std::uint32_t start = 0; start < half / q; ++start) {
      const auto place = [&](std::uint32_t j) { return (start + j * step) % half; };
      const auto sign = [&](std::uint32_t j) { return (start + j * step) / half % 2 == 0 ? 1 : -1; };
      for (std::uint32_t j = 0; j < q; ++j) coset[j] = sign(j) * sum[place(j)];
      const auto frequency = [&](std::int64_t c) { return std::count(coset.begin(), coset.end(), c); };
      std::int64_t best = 0;
      for (const std::int64_t c : coset)
        if (frequency(c) > frequency(best)) best = c;
      for (std::uint32_t j = 0; best != 0 && j < q; ++j) sum[place(j)] -= sign(j) * best;
    }
  }

  std::uint32_t order_;
  std::vector<std::uint64_t> primes_;
  Integer scale_ = 1;
  MadeOnce<std::string> made_;
};

/// The text as it may stand in a comment of Lean: signs that end a comment or begin one are broken, and bytes that are
/// no printable ASCII become question marks.
std::string in_comment(const std::string& text) {
  std::string safe = shown(text, 400);
  for (std::size_t i = 1; i < safe.size(); ++i)
    if ((safe[i - 1] == '-' && safe[i] == '/') || (safe[i - 1] == '/' && safe[i] == '-')) safe.insert(i, " ");
  return safe;
}

template <class List>
std::string numbers(const List& list) {
  return fmt::format("[{}]", fmt::join(list, ", "));
}

std::string definition(std::string_view name, std::string_view type, const std::string& value) {
  return fmt::format("def {} : {} := {}\n", name, type, value);
}

template <class List, class Row>
std::string rows_of(std::string_view name, std::string_view type, const List& list, Row row) {
  return definition(name, type, fmt::format("[\n  {}]", list_of(list, ",\n  ", row)));
}

constexpr std::string_view list_type = "List Nat", table_type = "List (List Nat)",
                           row_type = "List (List (List (List Nat)))",
                           matrix_type = "List (List (List (List (List Nat))))";

std::string group_data(const ListedGroup& listed, const FiniteGroup& G) {
  std::vector<Point> places(listed.elements.size());
  std::iota(places.begin(), places.end(), Point{0});
  const OrbitTree tree = orbit_tree(0, places.size(), listed.times);
  std::vector<std::size_t> distances(places.size());
  for (const Point k : tree.points)
    if (k != 0) distances[k] = distances[tree.parent[k]] + 1;
  const auto images = [](const std::vector<Permutation>& by) {
    return [&by](Point k) {
      return "[" + list_of(by, ", ", [k](const Permutation& p) { return std::to_string(p(k)); }) + "]";
    };
  };
  const std::string cycles = list_of(G.generators(), ", ", [](const Permutation& g) { return g.to_string(); });
  std::string text =
      rows_of("elements", table_type, listed.elements, [](const Permutation& g) { return numbers(g.images()); });
  text += fmt::format("\n/-- Numbers of elements{}{}. -/\n", cycles.empty() ? "" : ": ", cycles);
  text += definition("generators", list_type, numbers(listed.generators));
  text += "\n/-- Row k: the numbers of the products of element k and the generators. -/\n";
  text += rows_of("times", table_type, places, images(listed.times));
  text += "\n/-- [p, s]: the element is p times the generator s. -/\n";
  text += rows_of("parents", table_type, places, [&](Point k) {
    return numbers(
        std::array{k == 0 ? Point{0} : tree.parent[k], k == 0 ? Point{0} : static_cast<Point>(tree.generator[k])});
  });
  text += "\n" + definition("distances", list_type, numbers(distances));
  text += "\n" + definition("representatives", list_type, numbers(listed.representatives));
  text += "\n" + definition("class_of", list_type, numbers(listed.class_of));
  text += "\n/-- x with x g = r x, r the representative of g. -/\n";
  text += definition("conjugators", list_type, numbers(listed.conjugators));
  text += "\n/-- Row k: s^-1 g s for element k, g, and the generators s. -/\n";
  return text + rows_of("conjugates", table_type, places, images(listed.conjugation));
}

/// The matrices of representation i, with the theorem that they are one.
std::string representation_data(std::size_t i, const Representation& V, const std::string& name,
                                const ListedGroup& listed, LeanNumbers& number, const Task& task) {
  std::vector<std::vector<Cyclotomic>> matrices;
  Integer divisor = 1;
  const std::size_t d = V.dimension();
  for (const Permutation& g : listed.elements) {
    task.poll();
    const FieldMatrix A = V.field_matrix(g);
    auto& entries = matrices.emplace_back();
    for (std::size_t j = 0; j < d * d; ++j) {
      entries.push_back(A(j / d, j % d));
      for (const auto& [e, c] : entries.back().terms()) divisor = lcm(divisor, denominator(c));
    }
  }
  if (divisor > most_coefficient) refuse_large_number();
  std::string text = fmt::format("/-- The row {}. -/\n", in_comment(name));
  text += definition(fmt::format("divisor_{}", i), "Nat", divisor.str());
  text += "\n" + rows_of(fmt::format("matrices_{}", i), matrix_type, matrices, [&](const auto& entries) {
            task.poll();
            std::string rows;
            for (std::size_t j = 0; j < d * d; ++j) {
              rows += j % d != 0 ? ", " : j == 0 ? "[" : "], [";
              rows += number(entries[j], divisor);
            }
            return fmt::format("[{}]]", rows);
          });
  return text + fmt::format(
                    "\ntheorem representation_{0} :\n"
                    "    Eq (represents divisor_{0} {1} matrices_{0} (item List.nil characters {0})) "
                    "Bool.true :=\n  Eq.refl Bool.true\n\n",
                    i, d);
}

std::string character_data(const CharacterTable& table, LeanNumbers& number) {
  std::vector<std::vector<Cyclotomic>> rows;
  for (std::size_t i = 0; i < table.size(); ++i) rows.push_back(table.row(i));
  std::string text = definition("order_of_root", "Nat", std::to_string(number.order())) + "\n";
  text += definition("primes", list_type, numbers(number.primes())) + "\n/-- Row i, class by class. -/\n";
  return text + rows_of("characters", row_type, rows, [&](const std::vector<Cyclotomic>& row) {
           return "[" + list_of(row, ", ", [&](const Cyclotomic& a) { return number(a, 1); }) + "]";
         });
}

/// All rows by matrices, or what is missing.
void require_whole(const IrreducibleForms& forms) {
  if (forms.over != BaseField::complex)
    throw DomainError("a table for Lean has representations over the complex numbers; leave out --over");
  for (const auto& [row, reason] : forms.missing)
    throw DomainError(
        fmt::format("a table for Lean has matrices for every row, and {} has none: {}", forms.table.name(row), reason));
  if (forms.entries.size() != forms.table.size())
    throw DomainError(fmt::format("a table for Lean has all {} rows, and not {}; leave out --index", forms.table.size(),
                                  forms.entries.size()));
}

/// All entries of the matrices, and with them all values, are in the field of the roots of this order.
std::uint32_t order_of_roots(const IrreducibleForms& forms, const Task& task) {
  std::uint32_t n = 1;
  for (const auto& [complex, form] : forms.entries)
    for (const Permutation& s : forms.table.group().generators()) {
      task.poll();
      n = std::lcm(n, conductor_of(form.representation.field_matrix(s)));
    }
  return n;
}

}  // namespace

void require_fits_lean(const FiniteGroup& G, const Task& task) {
  const Integer& order = G.order(task);
  if (order > most_elements_in_lean)
    throw LimitError(fmt::format(
        "tables are written for Lean of groups of at most {} elements, and {} has {}; --proof writes larger "
        "ones for other checkers",
        most_elements_in_lean, shortened(G.name()), order.str()));
  if (order * (G.degree() + G.generators().size()) > most_numbers)
    throw LimitError(
        fmt::format("a table for Lean lists all elements, which is too much for {} points and {} generators; give the "
                    "group on fewer points",
                    G.degree(), G.generators().size()));
}

std::string to_lean(const IrreducibleForms& forms, const Task& task) {
  require_whole(forms);
  const CharacterTable& table = forms.table;
  const FiniteGroup& G = table.group();
  require_fits_lean(G, task);
  const ListedGroup listed(table, task);
  // Sums of squares of degrees are orders of groups: so many entries, of some hundred bytes where they are long.
  task.require_memory(512 * listed.elements.size() * listed.elements.size(), "the table for Lean");
  LeanNumbers number(order_of_roots(forms, task));
  const std::string title = fmt::format("The character table of {}, proved by its irreducible representations.",
                                        in_comment(title_name(G.name())));
  const std::string data = group_data(listed, G) + "\n" + character_data(table, number);
  std::string representations;
  for (std::size_t i = 0; i < forms.entries.size(); ++i)
    representations +=
        representation_data(i, forms.entries[i].form.representation, table.name(i), listed, number, task);
  return filled(embedded::character_table_lean,
                {{"title", title}, {"data", data}, {"representations", representations}});
}

std::string to_lean(const CharacterTable& table, const Task& task) {
  require_fits_lean(table.group(), task);
  return to_lean(irreducible_forms(table, BaseField::complex, task), task);
}

}  // namespace intertwine
