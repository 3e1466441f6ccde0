// Symmetry-adapted bases by first rows.
#include "intertwine/representations/first_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/characters/conjugates.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_traces.hpp"
#include "intertwine/groups/random_words.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"
#include "intertwine/tables/data_section.hpp"
#include "representations/expressions/node.hpp"
#include "representations/irreducible/seed_space.hpp"
#include "representations/orbit_modules.hpp"
#include "representations/young_symmetrizer.hpp"

namespace intertwine {

namespace {

constexpr int most_words = 1000;             ///< elements of a stabilizer tried; each misses with small probability
constexpr std::size_t largest_kernel = 300;  ///< the degree up to which Specht modules are taken by matrices
constexpr int extra_elements = 6;            ///< words that make Schreier trees shallow

/// An element with its action on the basis vectors of a module.
struct ActingElement {
  Permutation element;
  SignedPermutation image;
  friend ActingElement operator*(const ActingElement& g, const ActingElement& h) {
    return {g.element * h.element, g.image * h.image};
  }
  ActingElement inverse() const { return {element.inverse(), image.inverse()}; }
};

/// A module whose basis vectors are one orbit up to signs: a Schreier tree from vector 0, and elements of its
/// stabilizer.
class OrbitSearch {
 public:
  OrbitSearch(const Representation& V, const Task& task) : degree_(V.group().degree()) {
    const std::vector<SignedPermutation> images = V.generator_images();
    std::vector<ActingElement> elements;
    for (std::size_t s = 0; s < images.size(); ++s) elements.push_back({V.group().generators()[s], images[s]});
    if (!elements.empty()) {
      words_.emplace(elements);
      for (int k = 0; k < extra_elements; ++k) elements.push_back(words_->next(rng_));
    }
    for (const ActingElement& g : elements) inverses_.push_back(g.inverse());
    step_.assign(V.dimension(), none);
    std::vector<std::uint32_t> orbit{0};
    step_[0] = root;
    for (std::size_t head = 0; head < orbit.size(); ++head) {
      task.poll();
      for (std::uint32_t s = 0; s < elements.size(); ++s) {
        const std::uint32_t q = elements[s].image(orbit[head]).point();
        if (step_[q] != none) continue;
        step_[q] = s;
        orbit.push_back(q);
      }
    }
    if (orbit.size() != V.dimension())
      throw InternalError("first_rows: the basis vectors of a module are several orbits");
  }

  /// A random element h with h e_0 = e_0 or -e_0, and the sign.
  std::pair<Permutation, int> stabilizing() {
    if (!words_) return {Permutation::identity(degree_), 1};
    ActingElement h = words_->next(rng_);
    for (std::uint32_t q = h.image(Point{0}).point(); q != 0; q = h.image(Point{0}).point())
      h = inverses_[step_[q]] * h;
    return {std::move(h.element), h.image(Point{0}).sign()};
  }

  /// For every point x, with g e_0 = sign e_x along the tree: sign R(g)^{-1} w, side by side.
  /// `inverse_matrices` are those of the elements of the tree.
  FieldMatrix carried(const std::vector<std::size_t>& points, const FieldMatrix& w,
                      const std::vector<FieldMatrix>& inverse_matrices, const Task& task) const {
    struct Walker {
      SignedPoint at;
      std::size_t number;
    };
    std::vector<Walker> walkers;
    for (std::size_t k = 0; k < points.size(); ++k) walkers.push_back({SignedPoint(static_cast<Point>(points[k])), k});
    std::vector<std::size_t> first(points.size(), 0);
    FieldMatrix vectors = w.select_cols(first);  // column i is that of walkers[i]
    std::vector<FieldMatrix> home;
    std::vector<std::size_t> arrived;
    while (!walkers.empty()) {
      task.poll();
      std::map<std::uint32_t, std::vector<std::size_t>> by_step;
      for (std::size_t i = 0; i < walkers.size(); ++i) by_step[step_[walkers[i].at.point()]].push_back(i);
      std::vector<FieldMatrix> parts;
      std::vector<Walker> left;
      for (const auto& [step, list] : by_step) {
        FieldMatrix chosen = vectors.select_cols(list);
        if (step == root) {
          home.push_back(std::move(chosen));
          for (const std::size_t i : list) arrived.push_back(2 * walkers[i].number + walkers[i].at.negative());
          continue;
        }
        parts.push_back(inverse_matrices[step].times(chosen, task));
        for (const std::size_t i : list) left.push_back({inverses_[step].image(walkers[i].at), walkers[i].number});
      }
      if (!parts.empty()) vectors = horizontal_stack(parts);
      walkers = std::move(left);
    }
    FieldMatrix all = horizontal_stack(home);
    const FieldMatrix both[] = {all, Cyclotomic(-1) * all};
    all = horizontal_stack(both);
    std::vector<std::size_t> order(points.size());
    for (std::size_t k = 0; k < arrived.size(); ++k)
      order[arrived[k] / 2] = k + (arrived[k] % 2 != 0 ? arrived.size() : 0);
    return all.select_cols(order);
  }

  const std::vector<ActingElement>& inverses() const { return inverses_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint32_t root = none - 1;

  std::size_t degree_;
  std::vector<ActingElement> inverses_;  ///< of the elements of the tree
  std::optional<RandomWords<ActingElement>> words_;
  std::vector<std::uint32_t> step_;  ///< the last element on the way from vector 0
  Rng rng_{47};
};

/// Equal entries of the image of a vector, up to powers of a root of unity: the points of a module in classes.
struct EntryClasses {
  std::vector<std::uint32_t> of_point;  ///< the class of every point; none: the entry is 0
  std::vector<std::size_t> first;       ///< the first point of every class
  FieldMatrix vectors;                  ///< dim R x classes: the entry of class c under a form f is f vectors(., c)
  std::uint32_t order = 1;              ///< of the root of unity
  std::vector<std::uint32_t> exponent;  ///< of every point; empty: all are 0
  static constexpr std::uint32_t none = ~std::uint32_t{0};
};

/// The classes for the seed of R, or for a vector over the field M of R that its traces give where the seed is
/// over a larger one.
EntryClasses entry_classes(const Representation& V, const IrreducibleRepresentation& R, const OrbitSearch& search,
                           const std::vector<FieldMatrix>& inverse_matrices, const Task& task) {
  const AbelianField M = R.representation.field();
  const AbelianField L = AbelianField::compositum(
      M, AbelianField::compositum(R.seed.vector.field(), AbelianField::generated_by(R.seed.values)));
  const auto [order, orbits] = seed_orbits(V, R.seed.generators, R.seed.values, false);
  std::vector<std::size_t> starts;
  std::vector<std::uint32_t> number(orbits.start.size(), EntryClasses::none);
  for (std::size_t o = 0; o < orbits.start.size(); ++o)
    if (orbits.consistent[o] != 0) {
      number[o] = static_cast<std::uint32_t>(starts.size());
      starts.push_back(orbits.start[o]);
    }
  EntryClasses classes;
  classes.of_point.assign(V.dimension(), EntryClasses::none);
  for (std::size_t i = 0; i < V.dimension(); ++i) classes.of_point[i] = number[orbits.orbit[i]];
  if (starts.empty()) return classes;
  const FieldMatrix carried = search.carried(starts, R.seed.vector.over(L), inverse_matrices, task).over(L);
  if (L == M) {
    classes.first = std::move(starts);
    classes.vectors = carried;
    classes.order = order;
    classes.exponent = orbits.exponent;
    return classes;
  }
  // Traces to M take different powers of the root of unity to different numbers: one class for each.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> pairs;
  std::vector<FieldMatrix> columns;
  for (std::size_t i = 0; i < V.dimension(); ++i) {
    if (classes.of_point[i] == EntryClasses::none) continue;
    const std::uint32_t orbit = classes.of_point[i];
    const auto [place, is_new] =
        pairs.try_emplace({orbit, orbits.exponent[i]}, static_cast<std::uint32_t>(classes.first.size()));
    classes.of_point[i] = place->second;
    if (!is_new) continue;
    classes.first.push_back(i);
    columns.push_back(Cyclotomic::root_of_unity(order, orbits.exponent[i]) *
                      carried.block(0, orbit, carried.rows(), 1));
  }
  // All of them take one multiple, whose trace does not vanish at w.
  const std::vector<FieldMatrix> at_seed = traces_of_multiples(R.seed.vector.over(L), M);
  std::size_t multiple = 0;
  while (at_seed.at(multiple).is_zero()) ++multiple;
  classes.vectors = traces_of_multiples(horizontal_stack(columns).over(L), M)[multiple];
  return classes;
}

/// The linear forms on R that the stabilizers of the first vectors of all kinds of modules multiply by signs,
/// rows over R's field.
std::vector<FieldMatrix> stabilized_forms(const OrbitModules& parts, std::vector<OrbitSearch>& searches,
                                          const IrreducibleRepresentation& R, std::size_t m, const Task& task) {
  const AbelianField& M = R.representation.field();
  const std::size_t d = R.representation.dimension();
  std::vector<FieldMatrix> forms(searches.size(), FieldMatrix::identity(M, d));
  const auto total = [&] {
    std::size_t sum = 0;
    for (std::size_t k = 0; k < forms.size(); ++k) sum += parts.count(k) * forms[k].rows();
    return sum;
  };
  for (int tried = 0; total() > m; ++tried) {
    task.poll();
    if (tried == most_words) throw InternalError("first_rows: the forms that a stabilizer keeps were not found");
    for (std::size_t k = 0; k < forms.size(); ++k) {
      FieldMatrix& F = forms[k];
      if (F.rows() == 0) continue;
      const auto [h, sign] = searches[k].stabilizing();
      const FieldMatrix columns = F.transpose();
      const FieldMatrix moved = R.representation.node().apply(h, columns, true);
      F = null_space(moved - Cyclotomic(sign) * columns, task).over(M) * F;
    }
  }
  if (total() != m) throw InternalError(fmt::format("first_rows: {} forms where characters say {}", total(), m));
  return forms;
}

/// Rows of a module's part of the columns, which are the same in every module of the kind.
struct ModuleRows {
  EntryClasses classes;
  FieldMatrix entries;              ///< copies x classes, in reduced echelon form, integral and primitive
  std::vector<std::size_t> pivots;  ///< classes
};

/// Reduced echelon form with the rows made primitive.
FieldEchelon primitive_echelon(const FieldMatrix& A, const Task& task) {
  FieldEchelon echelon = reduced_echelon(A, task);
  std::vector<FieldMatrix> rows;
  for (std::size_t a = 0; a < echelon.matrix.rows(); ++a) {
    const std::size_t list[] = {a};
    const FieldMatrix row = echelon.matrix.select_rows(list);
    rows.push_back(Cyclotomic(row.coefficients().denominator()) * row);
  }
  if (!rows.empty()) echelon.matrix = vertical_stack(rows).over(A.field());
  return echelon;
}

class ColumnWriter {
 public:
  explicit ColumnWriter(SparseColumns& to) : to_(to) {}
  void entry(std::uint32_t row, Cyclotomic value) { column_.emplace_back(row, std::move(value)); }
  void end_column() {
    std::sort(column_.begin(), column_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [row, value] : column_) {
      to_.row.push_back(row);
      to_.value.push_back(std::move(value));
    }
    to_.starts.push_back(to_.row.size());
    column_.clear();
  }

 private:
  SparseColumns& to_;
  std::vector<std::pair<std::uint32_t, Cyclotomic>> column_;
};

/// The columns of one orbit.
void write_columns(FirstRows& to, const ModuleRows& part, const OrbitModules::Place& place, const Task& task) {
  const EntryClasses& classes = part.classes;
  const auto vector_at = [&](std::size_t i) {
    return place.vectors.empty() ? SignedPoint(static_cast<Point>(i)) : place.vectors[i];
  };
  ColumnWriter writer(to.basis);
  for (std::size_t a = 0; a < part.entries.rows(); ++a) {
    task.poll();
    std::vector<Cyclotomic> entries;
    for (std::size_t c = 0; c < part.entries.cols(); ++c) entries.push_back(part.entries(a, c));
    std::map<std::pair<std::uint32_t, std::uint32_t>, Cyclotomic> multiples;
    for (std::size_t i = 0; i < classes.of_point.size(); ++i) {
      const std::uint32_t c = classes.of_point[i];
      if (c == EntryClasses::none || entries[c].is_zero()) continue;
      Cyclotomic value = entries[c];
      if (!classes.exponent.empty() && classes.exponent[i] != 0) {
        const auto [known, is_new] = multiples.try_emplace({c, classes.exponent[i]});
        if (is_new) known->second = Cyclotomic::root_of_unity(classes.order, classes.exponent[i]) * value;
        value = known->second;
      }
      const SignedPoint x = vector_at(i);
      writer.entry(x.point(), x.negative() ? -value : value);
    }
    writer.end_column();
    to.pivots.push_back(vector_at(classes.first[part.pivots[a]]).point());
  }
}

/// First rows over the field of R, for a monomial V.
void find_monomial(FirstRows& to, const OrbitModules& parts, std::vector<OrbitSearch>& searches,
                   const IrreducibleRepresentation& R, const Task& task) {
  const std::vector<FieldMatrix> forms = stabilized_forms(parts, searches, R, to.multiplicity, task);
  std::map<std::size_t, ModuleRows> found;
  for (std::size_t k = 0; k < forms.size(); ++k) {
    if (forms[k].rows() == 0) continue;
    std::vector<FieldMatrix> matrices;
    for (const ActingElement& g : searches[k].inverses()) matrices.push_back(R.representation.field_matrix(g.element));
    ModuleRows part{entry_classes(parts.kinds()[k], R, searches[k], matrices, task), {}, {}};
    if (part.classes.first.empty()) throw InternalError("first_rows: a seed has no image in a module");
    FieldEchelon echelon = primitive_echelon(forms[k].times(part.classes.vectors, task).over(to.basis.field), task);
    if (echelon.matrix.rows() != forms[k].rows()) throw InternalError("first_rows: the images of a seed are dependent");
    part.entries = std::move(echelon.matrix);
    part.pivots = std::move(echelon.pivots);
    found.emplace(k, std::move(part));
  }
  std::uint64_t entries = 0;
  for (const auto& [k, part] : found) entries += parts.count(k) * part.entries.rows() * part.classes.of_point.size();
  task.require_memory(saturated_product(2 * sizeof(Cyclotomic), entries), "the first rows of a representation");
  for (const OrbitModules::Place& place : parts.places())
    if (const auto part = found.find(place.kind); part != found.end()) write_columns(to, part->second, place, task);
}

/// The columns that span what the rows of a matrix span.
void write_echelon(FirstRows& to, const FieldMatrix& rows, const Task& task) {
  const FieldEchelon echelon = primitive_echelon(rows.over(to.basis.field), task);
  ColumnWriter writer(to.basis);
  for (std::size_t a = 0; a < echelon.matrix.rows(); ++a) {
    for (std::size_t i = 0; i < echelon.matrix.cols(); ++i)
      if (Cyclotomic value = echelon.matrix(a, i); !value.is_zero())
        writer.entry(static_cast<std::uint32_t>(i), std::move(value));
    writer.end_column();
    to.pivots.push_back(static_cast<std::uint32_t>(echelon.pivots[a]));
  }
}

/// First rows of any V from its isotypic component.
void find_general(FirstRows& to, const Representation& V, const IrreducibleRepresentation& R, const Task& task) {
  const IsotypicMaps maps = isotypic_maps(V, R, to.multiplicity, task);
  std::vector<std::size_t> first;
  for (std::size_t a = 0; a < to.multiplicity; ++a) first.push_back(a * R.representation.dimension());
  write_echelon(to, maps.inclusion.select_cols(first).transpose(), task);
}

/// First rows of a Specht module of large dimension: the images of the first polytabloid. No matrix of that
/// dimension is made.
void find_specht(FirstRows& to, const Representation& V, const Partition& shape, const Task& task) {
  task.require_memory(saturated_product(64 * (to.multiplicity + 1), V.dimension()), "the image of a Young symmetrizer");
  const YoungSymmetrizer symmetrizer(shape);
  write_echelon(to, symmetrized(symmetrizer, {V, false}, to.multiplicity, task).transpose(), task);
}

/// The real and imaginary parts of all columns, the latter times a purely imaginary number of the field.
FirstRows real_parts(const FirstRows& X, const CharacterTable& table) {
  const SparseColumns& from = X.basis;
  const AbelianField F = from.field.real_subfield();
  FirstRows real;
  real.irreps = conjugate_rows(table, X.irreps[0], automorphisms_over(from.field, F));
  real.degree = 2 * X.degree;
  real.multiplicity = X.indicator == -1 ? X.multiplicity / 2 : X.multiplicity;
  real.indicator = X.indicator;
  real.basis.field = F;
  real.basis.rows = from.rows;
  const Cyclotomic imaginary = from.field.generator() - from.field.generator().conjugate();
  ColumnWriter writer(real.basis);
  for (const bool second : {false, true})
    for (std::size_t a = 0; a < from.columns(); ++a) {
      for (std::uint64_t e = from.starts[a]; e < from.starts[a + 1]; ++e) {
        const Cyclotomic conjugate = from.value[e].conjugate();
        Cyclotomic part = second ? (from.value[e] - conjugate) * imaginary : from.value[e] + conjugate;
        if (!part.is_zero()) writer.entry(from.row[e], std::move(part));
      }
      writer.end_column();
    }
  return real;
}

}  // namespace

FieldMatrix SparseColumns::matrix(const Task& task) const {
  task.require_memory(saturated_product(sizeof(Cyclotomic) + 16 * field.degree(), saturated_product(rows, columns())),
                      "a dense matrix of first rows");
  std::vector<Cyclotomic> entries(rows * columns());
  for (std::size_t a = 0; a < columns(); ++a)
    for (std::uint64_t e = starts[a]; e < starts[a + 1]; ++e) entries[row[e] * columns() + a] = value[e];
  return FieldMatrix(rows, columns(), entries).over(field);
}

std::vector<FirstRows> first_rows(const Representation& V, const CharacterTable& table, BaseField over,
                                  const Task& task) {
  if (over == BaseField::rational)
    throw DomainError("first rows are over the complex or the real numbers, not over the rational ones");
  if (over == BaseField::real && !V.field().is_real())
    throw DomainError("first_rows: the representation is over " + V.field().to_string() +
                      ", which is not real; take its real form or decompose over the complex numbers");
  const std::vector<Integer> all = multiplicities(character_of(V, table, task));
  const bool by_orbits = V.is_monomial() && V.dimension() <= max_degree;
  std::optional<OrbitModules> parts;
  std::vector<OrbitSearch> searches;
  if (by_orbits && V.dimension() > 0) {
    parts.emplace(V, task);
    for (const Representation& kind : parts->kinds()) searches.emplace_back(kind, task);
  }
  std::vector<FirstRows> components;
  std::vector<char> done(table.size(), 0);
  Integer dimension = 0;
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (all[row] == 0 || done[row] != 0) continue;
    task.progress("finding the first rows of irreducible representations", static_cast<std::uint64_t>(dimension),
                  V.dimension());
    const IrreducibleRepresentation R = irreducible_representation(table, row, task);
    FirstRows X;
    X.irreps = {row};
    X.degree = R.representation.dimension();
    X.multiplicity = static_cast<std::size_t>(all[row]);
    X.indicator = table.indicator(row);
    X.basis.field = AbelianField::compositum(V.field(), R.representation.field());
    X.basis.rows = V.dimension();
    if (R.shape && X.degree > largest_kernel)
      find_specht(X, V, *R.shape, task);
    else if (by_orbits)
      find_monomial(X, *parts, searches, R, task);
    else
      find_general(X, V, R, task);
    if (X.basis.columns() != X.multiplicity) throw InternalError("first_rows: columns are missing");
    if (over == BaseField::real && X.indicator != 1) X = real_parts(X, table);
    if (over == BaseField::real && !X.basis.field.is_real())
      throw LimitError("first_rows: " + table.name(row) + " is known over " + X.basis.field.to_string() +
                       " only, not over a real field; take it over the complex numbers");
    for (const std::size_t k : X.irreps) done[k] = 1;
    dimension += Integer(X.degree) * X.multiplicity;
    components.push_back(std::move(X));
  }
  if (dimension != V.dimension()) throw InternalError("first_rows: the dimensions of the components do not add up");
  return components;
}

SymmetryAdaptedBasis symmetry_adapted_basis(const Representation& V, const CharacterTable& table, BaseField over,
                                            const Task& task) {
  SymmetryAdaptedBasis basis{
      V.group().name(), V.to_string(), V.dimension(), over, {}, first_rows(V, table, over, task)};
  for (const FirstRows& part : basis.components) basis.names.push_back(row_names(table, part.irreps));
  return basis;
}

}  // namespace intertwine
