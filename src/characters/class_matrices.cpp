// Dixon's method with Schneider's economy: eigenvectors of class matrices.
//
// For a class C and a character chi, sum over y in C of rho(y z) has trace omega_chi(C) chi(z). So the class function
// chi is an eigenvector of the matrix that takes f to z -> sum over y in C of f(y z). A space of class functions in
// reduced echelon form is determined by the entries at its pivots, so that only z from the pivot classes matter.
#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/groups/element_lists.hpp"
#include "table_data.hpp"

namespace intertwine {

namespace {

using Element = PrimeField::Element;
using Vector = ModularCharacters::Vector;

/// A space of class functions; in reduced echelon form where columns of a class matrix are picked by its pivots.
using Space = IncrementalEchelon<PrimeField>;

class Eigenspaces {
 public:
  /// A: k x k by rows, diagonalizable over the field.
  Eigenspaces(const PrimeField& field, const std::vector<Vector>& A, Rng& rng) : f_(field), A_(A), k_(A.size()) {
    std::size_t found = 0;
    while (found < k_) found += trial(rng);
    for (Space& space : spaces_) space.reduce_rows();
  }
  /// Bases of the left eigenspaces v A = lambda v.
  const std::vector<Space>& spaces() const { return spaces_; }

 private:
  /// A random vector is a sum of eigenvectors, one for every root of its minimal polynomial m, the one for lambda a
  /// multiple of (m / (x - lambda))(A) applied to it. Returns the number of new independent eigenvectors.
  std::size_t trial(Rng& rng) {
    std::vector<Vector> krylov;
    Vector v(k_);
    for (Element& x : v) x = f_.from(static_cast<std::int64_t>(rng() >> 2));
    const Vector m = minimal_polynomial(v, krylov);
    if (m.size() < 2) return 0;
    std::size_t added = 0;
    for (const Element lambda : roots(f_, m)) {
      Vector quotient(m.size() - 1);  // m / (x - lambda) by Horner's rule
      for (std::size_t i = m.size() - 1; i-- > 0;)
        quotient[i] = i + 2 == m.size() ? m.back() : f_.add(m[i + 1], f_.multiply(lambda, quotient[i + 1]));
      Vector w(k_, 0);
      for (std::size_t i = 0; i < quotient.size(); ++i)
        for (std::size_t j = 0; j < k_; ++j) w[j] = f_.add(w[j], f_.multiply(quotient[i], krylov[i][j]));
      std::size_t at = 0;
      while (at < values_.size() && values_[at] != lambda) ++at;
      if (at == values_.size()) values_.push_back(lambda), spaces_.emplace_back(f_, k_);
      added += spaces_[at].insert(std::move(w));
    }
    return added;
  }

  Vector times_matrix(const Vector& v) const {
    Vector result(k_, 0);
    for (std::size_t i = 0; i < k_; ++i) {
      if (v[i] == 0) continue;
      for (std::size_t j = 0; j < k_; ++j)
        if (A_[i][j] != 0) result[j] = f_.add(result[j], f_.multiply(v[i], A_[i][j]));
    }
    return result;
  }

  /// The minimal polynomial of v; krylov receives v, v A, v A^2, ... as long as they are independent.
  Vector minimal_polynomial(Vector v, std::vector<Vector>& krylov) const {
    Space span(f_, k_);
    for (;;) {
      Vector row = v;
      row.resize(k_ + krylov.size() + 1, 0);  // behind the vector its coordinates at v, v A, ...
      row.back() = f_.one();
      const std::size_t pivot = span.reduce(row);
      if (pivot == k_) return {row.begin() + static_cast<std::ptrdiff_t>(k_), row.end()};
      span.append(std::move(row), pivot);
      krylov.push_back(v);
      v = times_matrix(v);
    }
  }

  const PrimeField& f_;
  const std::vector<Vector>& A_;
  std::size_t k_;
  std::vector<Element> values_;
  std::vector<Space> spaces_;
};

class Splitter {
 public:
  Splitter(const ModularCharacters& space, const Task& task)
      : s_(space), task_(task), regular_(RegularAction::of(space.classes.group(), task)) {
    if (!regular_) return;
    class_of_.resize(regular_->order());
    std::vector<bool> known(regular_->order(), false);
    for (std::size_t k = 0; k < s_.size(); ++k) {
      members_.push_back(regular_->conjugates(regular_->rank(s_.classes[k].representative), known, task));
      for (const std::uint32_t x : members_.back()) class_of_[x] = static_cast<std::uint32_t>(k);
    }
  }

  /// Characters are added to the result as they are found, so that they stay when a limit stops the work. Classes
  /// whose matrix would take more products of elements than `most` together with those before end it: false.
  bool run(Space start, ModularTable& result, const Integer& most = -1) {
    Integer products = 0;
    std::vector<Space> spaces;
    keep(std::move(start), spaces, result);
    std::vector<std::size_t> order(s_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return s_.classes[a].size < s_.classes[b].size; });
    for (const std::size_t j : order) {
      if (j == 0) continue;
      if (spaces.empty()) break;
      if (most >= 0) {
        for (const Space& space : spaces) products += s_.classes[j].size * space.rank();
        if (products > most) return false;
      }
      find_columns(j, spaces);
      std::vector<std::vector<Space>> parts(spaces.size());
      task_.share(spaces.size(), 1, [&](std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t k = first; k < last; ++k) {
          task_.poll();
          parts[k] = split(spaces[k]);
        }
      });
      std::vector<Space> next;
      for (auto& of_space : parts)
        for (Space& part : of_space) keep(std::move(part), next, result);
      spaces = std::move(next);
    }
    if (!spaces.empty()) throw InternalError("character_table: the class matrices do not separate the characters");
    return true;
  }

 private:
  using Column = std::vector<std::pair<std::uint32_t, Element>>;

  /// The columns of the matrix of class j at the pivots of the spaces.
  void find_columns(std::size_t j, const std::vector<Space>& spaces) {
    std::vector<std::size_t> wanted;
    for (const Space& space : spaces) wanted.insert(wanted.end(), space.pivots().begin(), space.pivots().end());
    std::ranges::sort(wanted);
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    columns_.assign(s_.size(), {});
    if (regular_) {
      for (const std::size_t l : wanted) columns_[l] = regular_column(j, l);
      return;
    }
    const FlatIndex<Point> elements = class_elements(s_.classes.group(), s_.classes[j].representative, task_);
    task_.share(wanted.size(), 1, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t k = first; k < last; ++k) columns_[wanted[k]] = column(elements, wanted[k]);
    });
  }

  Column column_of_counts(const std::vector<std::int64_t>& count) const {
    Column result;
    for (std::size_t k = 0; k < count.size(); ++k)
      if (count[k] != 0) result.emplace_back(static_cast<std::uint32_t>(k), s_.field.from(count[k]));
    return result;
  }

  /// column() in a group whose elements are points.
  Column regular_column(std::size_t j, std::size_t l) const {
    task_.poll();
    const auto times_z = regular_->right_translation(regular_->rank(s_.classes[l].representative));
    std::vector<std::int64_t> count(s_.size(), 0);
    for (const std::uint32_t y : members_[j]) ++count[class_of_[times_z[y]]];
    return column_of_counts(count);
  }

  /// How often y z lies in every class, y in a class, z the representative of class l.
  Column column(const FlatIndex<Point>& elements, std::size_t l) const {
    std::vector<std::int64_t> count(s_.size(), 0);
    std::mutex adding;
    const Permutation& z = s_.classes[l].representative;
    task_.share(elements.size(), 1024, [&](std::uint64_t first, std::uint64_t last) {
      std::vector<std::int64_t> part(s_.size(), 0);
      for (std::uint64_t i = first; i < last; ++i) {
        task_.poll();
        const std::span<const Point> y = elements[i];
        std::vector<Point> images(y.size());
        for (std::size_t x = 0; x < images.size(); ++x) images[x] = y[z(static_cast<Point>(x))];
        ++part[s_.classes.index_of_element(Permutation::unchecked(std::move(images)))];
      }
      const std::lock_guard lock(adding);
      for (std::size_t k = 0; k < part.size(); ++k) count[k] += part[k];
    });
    return column_of_counts(count);
  }

  std::vector<Space> split(Space& space) const {
    const PrimeField& f = s_.field;
    const std::size_t k = space.rank();
    const auto& rows = space.rows();
    std::vector<Vector> A(k, Vector(k, 0));
    for (std::size_t m = 0; m < k; ++m)
      for (const auto& [c, n] : columns_[space.pivots()[m]])
        for (std::size_t i = 0; i < k; ++i)
          if (rows[i][c] != 0) A[i][m] = f.add(A[i][m], f.multiply(rows[i][c], n));
    bool scalar = true;
    for (std::size_t i = 0; i < k && scalar; ++i)
      for (std::size_t m = 0; m < k && scalar; ++m) scalar = A[i][m] == (i == m ? A[0][0] : 0);
    std::vector<Space> result;
    if (scalar) {
      result.push_back(std::move(space));
      return result;
    }
    Rng rng;
    const Eigenspaces eigenspaces(f, A, rng);
    for (const Space& part : eigenspaces.spaces()) {
      Space lifted(f, s_.size());
      for (const Vector& v : part.rows()) {
        Vector row(s_.size(), 0);
        for (std::size_t i = 0; i < k; ++i)
          if (v[i] != 0)
            for (std::size_t c = 0; c < row.size(); ++c) row[c] = f.add(row[c], f.multiply(v[i], rows[i][c]));
        lifted.insert(std::move(row));
      }
      lifted.reduce_rows();
      result.push_back(std::move(lifted));
    }
    return result;
  }

  /// Lines become characters: for f = c chi, <f, f> = c^2 and f(1)^2 / c^2 = chi(1)^2 <= |G| < p.
  void keep(Space space, std::vector<Space>& spaces, ModularTable& result) {
    if (space.rank() == 0) return;
    if (space.rank() > 1) {
      spaces.push_back(std::move(space));
      return;
    }
    const PrimeField& f = s_.field;
    Vector v = space.rows()[0];
    const Vector dual = s_.dual(v);
    Element norm = 0;
    for (std::size_t c = 0; c < v.size(); ++c) norm = f.add(norm, f.multiply(v[c], dual[c]));
    const std::uint64_t square = f.residue(f.multiply(f.multiply(v[0], v[0]), f.inverse(norm)));
    const Integer degree = sqrt(Integer(square));
    if (degree * degree != square || degree == 0)
      throw InternalError("character_table: the degree of a character is no integer");
    const Element scale = f.multiply(f.from(degree), f.inverse(v[0]));
    for (Element& x : v) x = f.multiply(x, scale);
    result.push_back(std::move(v));
  }

  const ModularCharacters& s_;
  const Task& task_;
  std::optional<RegularAction> regular_;             ///< where elements are points
  std::vector<std::uint32_t> class_of_;              ///< then by rank
  std::vector<std::vector<std::uint32_t>> members_;  ///< then by class
  std::vector<Column> columns_;                      ///< the columns of the matrix in use, those that count
};

/// The class functions orthogonal to the known characters.
Space unknown_part(const ModularCharacters& space, const Task& task, const ModularTable& known) {
  const PrimeField& f = space.field;
  Space start(f, space.size());
  task.require_memory(static_cast<std::uint64_t>(space.size()) * (space.size() - known.size()) * sizeof(Element),
                      "the class matrices");
  for (std::size_t c = 0; c < space.size() && start.rank() + known.size() < space.size(); ++c) {
    Vector unit(space.size(), 0);
    unit[c] = f.one();
    if (known.empty()) {
      start.append(std::move(unit), c);
      continue;
    }
    task.poll();
    for (const Vector& chi : known) {  // subtract <unit, chi> chi
      const Element q = f.negative(f.multiply(space.weight[c], chi[space.powers.inverse(c)]));
      for (std::size_t k = 0; k < unit.size(); ++k) unit[k] = f.add(unit[k], f.multiply(q, chi[k]));
    }
    start.insert(std::move(unit));
  }
  start.reduce_rows();
  return start;
}

}  // namespace

void irreducibles_by_class_matrices(const ModularCharacters& space, const Task& task, ModularTable& known) {
  Splitter(space, task).run(unknown_part(space, task, known), known);
}

void irreducibles_by_small_classes(const ModularCharacters& space, const Task& task, ModularTable& known) {
  constexpr std::size_t cheap_products = 2'000'000, cheap_images = 500'000'000;
  const std::size_t degree = std::max<std::size_t>(space.classes.group().degree(), 1);
  const Integer most = std::min(cheap_products, cheap_images / degree);
  if (!Splitter(space, task).run(unknown_part(space, task, known), known, most))
    irreducibles_by_induction(space, task, known);
}

}  // namespace intertwine
