// The order of columns as a function of the group as a set of permutations: colours of rows and columns refine each other;
// columns that stay equal are told apart one after the other, trying what each choice leads to; where choices lead to the
// same, the class with the least list of images comes first.
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <tuple>

#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/class_colours.hpp"
#include "table_data.hpp"

namespace intertwine {

using class_colours::Colours;

namespace {

std::uint64_t mixed(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15ULL;
  return h ^ (h >> 31);
}

class Refinement {
 public:
  Refinement(const ConjugacyClasses& classes, const std::map<std::uint32_t, Colours>& maps, const RawTable& table,
             const Task& task)
      : n_(classes.size()),
        classes_(classes),
        maps_(maps),
        table_(table),
        task_(task),
        conjugates_(classes.group()),
        least_(n_) {
    homocyclic_ = classes.group().order() == n_ && sylow_subgroups_are_homocyclic();
    rows_.assign(n_, 0);
    columns_ = class_colours::ranked_by(n_, [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(classes[a].element_order, classes[a].size) < std::tie(classes[b].element_order, classes[b].size);
    });
  }

  /// The columns in order.
  Colours run() {
    columns_ = class_colours::refined_by_powers(std::move(columns_), power_maps(), task_);
    if (!discrete()) {
      number_values();
      refine(true);
      if (!discrete() && !homocyclic_) galois_ = galois_permutations();
      while (!discrete()) individualize();
    }
    Colours order(n_);
    for (std::size_t c = 0; c < n_; ++c) order[columns_[c]] = static_cast<std::uint32_t>(c);
    return order;
  }

 private:
  /// Is every Sylow subgroup of the abelian group a power of one cyclic group? Then an element is a p-th power if and
  /// only if its order allows it, so that powers show all that automorphisms that fix what was singled out keep (an
  /// isomorphism of subgroups that keeps heights extends [Kaplansky 1969]); in C8 x C4 they do not show that a product
  /// is a square.
  bool sylow_subgroups_are_homocyclic() const {
    for (const auto& [p, map] : maps_) {
      // The Sylow subgroup has exponent p^e, socle p^r, and order p^(e r) if it is homocyclic.
      std::uint64_t exponent = 1, socle = 1, size = 1;
      for (std::size_t c = 0; c < n_; ++c) {
        socle += classes_[c].element_order == p ? 1 : 0;
        while (classes_[c].element_order % (exponent * p) == 0) exponent *= p;
      }
      for (std::uint64_t e = exponent; e > 1; e /= p) size *= socle;
      if (n_ % size != 0 || (n_ / size) % p == 0) return false;
    }
    return true;
  }

  bool discrete() const { return class_colours::cells(columns_) == n_; }

  /// How generators of the Galois group permute the columns: x goes to the class of x^k. With the rows moved back these are automorphisms of the table
  /// and of its power maps, which need not be searched for.
  std::vector<Colours> galois_permutations() const {
    std::uint64_t conductor = 1;
    for (const Cyclotomic& a : table_.pool) conductor = std::lcm(conductor, std::uint64_t{a.conductor()});
    std::vector<std::uint32_t> numbers(sorted_.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> columns = hashed_columns(numbers);
    std::ranges::sort(columns);
    std::vector<Colours> result;
    for (const std::uint64_t k : unit_generators(conductor)) {
      task_.poll();
      std::vector<std::uint32_t> images;
      for (const std::uint32_t v : sorted_) {
        const Cyclotomic image = table_.pool[v].galois_conjugate(static_cast<std::int64_t>(k));
        const auto at = std::ranges::lower_bound(sorted_, image, std::less(),
                                                 [&](std::uint32_t a) -> const Cyclotomic& { return table_.pool[a]; });
        if (at == sorted_.end() || table_.pool[*at] != image) break;
        images.push_back(static_cast<std::uint32_t>(at - sorted_.begin()));
      }
      if (images.size() < sorted_.size()) continue;
      Colours to;
      for (const auto& [hash, c] : hashed_columns(images)) {
        const auto at = std::ranges::lower_bound(columns, std::pair(hash, 0U));
        if (at == columns.end() || at->first != hash || !is_image(c, at->second, images)) break;
        to.push_back(at->second);
      }
      if (to.size() == n_) result.push_back(std::move(to));
    }
    return result;
  }

  /// A hash of every column, with the number of the value v replaced by images[v].
  std::vector<std::pair<std::uint64_t, std::uint32_t>> hashed_columns(const std::vector<std::uint32_t>& images) const {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> result(n_);
    for (std::size_t c = 0; c < n_; ++c) result[c].second = static_cast<std::uint32_t>(c);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t c = 0; c < n_; ++c) result[c].first = mixed(result[c].first, 1 + images[value_[i * n_ + c]]);
    return result;
  }

  bool is_image(std::uint32_t c, std::uint32_t d, const std::vector<std::uint32_t>& images) const {
    for (std::size_t i = 0; i < n_; ++i)
      if (images[value_[i * n_ + c]] != value_[i * n_ + d]) return false;
    return true;
  }

  /// Values become numbers that do not depend on the order of the pool.
  void number_values() {
    sorted_.resize(table_.pool.size());
    std::iota(sorted_.begin(), sorted_.end(), 0U);
    std::sort(sorted_.begin(), sorted_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return table_.pool[a] < table_.pool[b]; });
    std::vector<std::uint32_t> number(sorted_.size());
    for (std::size_t k = 0; k < sorted_.size(); ++k) number[sorted_[k]] = static_cast<std::uint32_t>(k);
    value_.reserve(table_.values.size());
    for (const std::uint32_t v : table_.values) value_.push_back(number[v]);
  }

  /// power_step by hashes, where the order does not matter so long as it is a function of the table.
  void hashed_power_step() {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> key(n_);
    for (std::size_t c = 0; c < n_; ++c) key[c].first = columns_[c];
    std::uint64_t salt = 17;
    for (const auto& [p, map] : maps_) {
      for (std::size_t c = 0; c < n_; ++c) {
        key[c].second += mixed(mixed(columns_[map[c]] + 1, salt), 3);
        key[map[c]].second += mixed(mixed(columns_[c] + 1, salt), 5);
      }
      salt += 2;
    }
    columns_ = class_colours::ranked(key);
    note(key);
  }

  /// Rows by the values in every colour of columns and the other way round, until nothing changes. After the first time
  /// only what got a new colour matters: the rest of a cell is what the cell had before without it.
  void refine(bool first = false) {
    Colours old_rows(n_, none), old_columns(n_, none);
    if (!first) old_rows = rows_, old_columns = settled_columns_;
    for (;;) {
      task_.poll();
      const Colours before_rows = rows_, before_columns = columns_;
      step(rows_, columns_, old_columns, 1, n_, 7);
      old_columns = before_columns;
      step(columns_, rows_, old_rows, n_, 1, 11);
      old_rows = rows_;
      if (columns_ != before_columns) hashed_power_step();
      if (columns_ == before_columns && rows_ == before_rows) break;
    }
    settled_columns_ = columns_;
  }

  /// Refines `colours` by the values at those of the other side with another colour than before.
  void step(Colours& colours, const Colours& other, const Colours& before, std::size_t other_step, std::size_t own_step,
            std::uint64_t salt) {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> key(n_);
    for (std::size_t i = 0; i < n_; ++i) key[i].first = colours[i];
    bool any = false;
    if (other_step == 1) {  // rows, each read along its columns
      Colours changed;
      for (std::size_t c = 0; c < n_; ++c)
        if (other[c] != before[c]) changed.push_back(static_cast<std::uint32_t>(c));
      any = !changed.empty();
      for (std::size_t i = 0; any && i < n_; ++i)
        for (const std::uint32_t c : changed)
          key[i].second += mixed(mixed(value_[i * own_step + c], 1 + other[c]), salt);
    } else {
      for (std::size_t i = 0; i < n_; ++i) {
        if (other[i] == before[i]) continue;
        any = true;
        for (std::size_t c = 0; c < n_; ++c)
          key[c].second += mixed(mixed(value_[i * other_step + c], 1 + other[i]), salt);
      }
    }
    if (!any) return;
    colours = class_colours::ranked(key);
    note(key);
  }

  struct State {
    Colours rows, columns, settled;
  };
  State state() const { return {rows_, columns_, settled_columns_}; }
  void restore(const State& s) { rows_ = s.rows, columns_ = s.columns, settled_columns_ = s.settled; }

  std::uint32_t first_cell() const {
    Colours count(n_ + 1, 0);
    for (const std::uint32_t c : columns_) ++count[c];
    std::uint32_t colour = 0;
    while (count[colour] <= 1) ++colour;
    return colour;
  }

  /// The keys met on the way go into the trace, a function of the table and of the columns singled out.
  void note(const std::vector<std::pair<std::uint32_t, std::uint64_t>>& keys) {
    std::uint64_t sum = 0;
    for (const auto& [colour, hash] : keys) sum += mixed(mixed(hash, 1 + colour), 13);
    trace_ = mixed(trace_ ^ sum, 19);
  }

  /// Column c becomes the first of its cell.
  std::vector<std::reference_wrapper<const Colours>> power_maps() const {  // the views of clang 15 do not take maps
    std::vector<std::reference_wrapper<const Colours>> maps;
    for (const auto& [p, map] : maps_) maps.emplace_back(map);
    return maps;
  }

  void single_out(std::size_t c) {
    const std::uint32_t colour = columns_[c];
    for (std::size_t d = 0; d < n_; ++d)
      if (d != c && columns_[d] == colour) ++columns_[d];
    columns_ = class_colours::power_step(columns_, power_maps(),
                                         task_);  // the least power-map signature first, as far as powers decide
    refine();
  }

  /// On to one colour for every column, taking the first of a cell each time.
  void descend() {
    while (!discrete()) {
      const std::uint32_t colour = first_cell();
      single_out(static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), colour) - columns_.begin()));
    }
  }

  /// The permutation of columns that takes one discrete colouring to the other, if it and that of the rows with the same
  /// colours are an automorphism of the table and of its power maps.
  std::optional<Colours> automorphism(const State& from, const State& to) const {
    Colours column(n_), row(n_), of_colour(n_, none);
    for (std::size_t c = 0; c < n_; ++c) of_colour[to.columns[c]] = static_cast<std::uint32_t>(c);
    for (std::size_t c = 0; c < n_; ++c)
      if ((column[c] = of_colour[from.columns[c]]) == none) return std::nullopt;
    of_colour.assign(n_, none);
    for (std::size_t i = 0; i < n_; ++i) of_colour[to.rows[i]] = static_cast<std::uint32_t>(i);
    for (std::size_t i = 0; i < n_; ++i)
      if ((row[i] = of_colour[from.rows[i]]) == none) return std::nullopt;
    for (const auto& [p, map] : maps_)
      for (std::size_t c = 0; c < n_; ++c)
        if (column[map[c]] != map[column[c]]) return std::nullopt;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t c = 0; c < n_; ++c)
        if (value_[i * n_ + c] != value_[row[i] * n_ + column[c]]) return std::nullopt;
    return column;
  }

  /// The least list of images in the class of a column.
  const Permutation& least(std::size_t c) {
    if (least_[c].degree() == 0) least_[c] = conjugates_(classes_[c], task_);
    return least_[c];
  }

  /// Singles out a column of the first cell that is not alone: the one that leads to the least trace, of several the one
  /// with the least list of images. Columns that automorphisms (found where two choices lead to the same picture) take to
  /// one that was tried have its trace; they fix what was singled out before.
  void individualize() {
    const std::uint32_t colour = first_cell();
    const State start = state();
    std::vector<std::size_t> cell, orbit(n_);
    for (std::size_t c = 0; c < n_; ++c)
      if (start.columns[c] == colour) cell.push_back(c);
    std::iota(orbit.begin(), orbit.end(), std::size_t{0});
    const auto root = [&](std::size_t c) {
      while (orbit[c] != c) c = orbit[c] = orbit[orbit[c]];
      return c;
    };
    const auto join = [&](const Colours& moved) {
      for (std::size_t d = 0; d < n_; ++d) orbit[root(d)] = root(moved[d]);
    };
    for (const Colours& moved : galois_) {
      bool keeps = true;  // what was singled out, and so all colours
      for (std::size_t c = 0; c < n_ && keeps; ++c) keeps = start.columns[c] == start.columns[moved[c]];
      if (keeps) join(moved);
    }
    struct Tried {
      std::size_t column;
      std::uint64_t trace;
      State settled, leaf;
    };
    std::vector<Tried> tried;
    std::uint64_t best = ~std::uint64_t{0};
    for (const std::size_t c : cell) {
      if (homocyclic_ && c != cell[0]) break;  // elements that look alike are images under automorphisms
      const bool known =
          std::any_of(tried.begin(), tried.end(), [&](const Tried& t) { return root(t.column) == root(c); });
      if (known) continue;
      restore(start);
      trace_ = 0;
      single_out(c);
      Tried now{c, trace_, state(), {}};
      best = std::min(best, now.trace);
      bool same = false;
      for (Tried& t : tried) {
        if (t.trace != now.trace) continue;
        for (Tried* x : {&t, &now}) {
          if (!x->leaf.columns.empty()) continue;
          restore(x->settled);
          descend();
          x->leaf = state();
        }
        const auto moved = automorphism(t.leaf, now.leaf);
        if (!moved) continue;
        join(*moved);
        same = true;
        break;
      }
      if (!same) tried.push_back(std::move(now));
    }
    std::size_t chosen = n_;
    for (const std::size_t c : cell) {
      const bool leads_to_best = homocyclic_ || std::any_of(tried.begin(), tried.end(), [&](const Tried& t) {
                                   return t.trace == best && root(t.column) == root(c);
                                 });
      if (leads_to_best && (chosen == n_ || least(c) < least(chosen))) chosen = c;
    }
    const auto settled = std::find_if(tried.begin(), tried.end(), [&](const Tried& t) { return t.column == chosen; });
    restore(settled != tried.end() ? settled->settled : start);
    if (settled == tried.end()) single_out(chosen);
  }

  static constexpr std::uint32_t none = 0xffffffff;
  std::size_t n_;
  bool homocyclic_ = false;
  const ConjugacyClasses& classes_;
  const std::map<std::uint32_t, Colours>& maps_;
  const RawTable& table_;
  const Task& task_;
  std::vector<std::uint32_t> sorted_;  ///< the numbers of the pool in increasing order
  std::vector<std::uint32_t> value_;   ///< the table, as places in that order
  std::vector<Colours> galois_;
  Colours rows_, columns_;
  std::uint64_t trace_ = 0;
  Colours settled_columns_;  ///< as refine left them
  LeastConjugates conjugates_;
  std::vector<Permutation> least_;  ///< the least elements of the classes; without points where unknown
};

}  // namespace

std::vector<std::uint32_t> canonical_columns(const ConjugacyClasses& classes,
                                             const std::map<std::uint32_t, std::vector<std::uint32_t>>& power_maps,
                                             const RawTable& table, const Task& task) {
  return Refinement(classes, power_maps, table, task).run();
}

}  // namespace intertwine
