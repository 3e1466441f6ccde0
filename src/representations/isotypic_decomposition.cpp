// The isotypic components of a representation and their projections.
#include "intertwine/representations/isotypic_decomposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "intertwine/characters/conjugates.hpp"
#include "intertwine/characters/schur_index.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_traces.hpp"
#include "intertwine/groups/random_words.hpp"
#include "representations/expressions/node.hpp"
#include "representations/irreducible/seed_space.hpp"
#include "representations/orbit_modules.hpp"
#include "representations/young_symmetrizer.hpp"

namespace intertwine {

namespace {

constexpr std::size_t max_reduced = 60;             ///< vectors that lattice reduction shortens
constexpr std::uint64_t largest_decomposed = 6000;  ///< the largest dimension that is decomposed explicitly
constexpr int max_elements = 1000;                  ///< group elements tried; each misses with small probability

/// The generators, then random words in them: from a fixed seed, so that bases do not depend on the run.
class ElementSource {
 public:
  explicit ElementSource(const FiniteGroup& G) : G_(G), words_(G.generators(), G.degree(), 31) {}
  Permutation next() { return count_ < G_.generators().size() ? G_.generators()[count_++] : words_.next(); }

 private:
  const FiniteGroup& G_;
  RandomElements words_;
  std::size_t count_ = 0;
};

/// The seed of R and the linear form of the same kind.
struct SeedPair {
  FieldMatrix vector, form;  ///< d x 1 and 1 x d
  Cyclotomic product;        ///< form vector, not 0
};

SeedPair seed_pair(const IrreducibleRepresentation& R, const AbelianField& L, const Task& task) {
  const FieldMatrix form = left_eigenvectors(R.representation, R.seed.generators, R.seed.values, L, task);
  const FieldMatrix vector = R.seed.vector.over(L);
  if (form.rows() != 1) throw InternalError("isotypic_maps: the seed of an irreducible representation is not single");
  const Cyclotomic product = (form * vector)(0, 0);
  if (product.is_zero()) throw InternalError("isotypic_maps: the seed of an irreducible representation vanishes");
  return {vector, form, product};
}

/// Vectors over Q are replaced by a short basis of the integral ones.
FieldMatrix shortened(const FieldMatrix& columns, const Task& task) {
  if (!columns.field().is_rational() || columns.cols() == 0 || columns.cols() > max_reduced) return columns;
  const IntegerMatrix rows = columns.to_rational().transpose().numerator();
  return FieldMatrix(RationalMatrix(lll(saturate(rows, task), task).transpose()));
}

/// The images of the seed (dim V x m) and the linear forms of the same kind (m x dim V) with product 1 for all of V's
/// copies of R.
struct SeedImages {
  FieldMatrix right, left;
};

/// The seed's images in one module, as far as they are known: vectors in coordinates on `right`, forms on `left`.
struct SeedSearch {
  SeedSearch(const Representation& V_, const IrreducibleRepresentation& R, const AbelianField& L, const Task& task)
      : V(V_),
        right(right_eigenvectors(V, R.seed.generators, R.seed.values, L, task)),
        left(left_eigenvectors(V, R.seed.generators, R.seed.values, L, task)) {
    const std::size_t r = right.cols();
    if (left.rows() != r) throw InternalError("isotypic_maps: a subgroup keeps vectors and forms that do not pair");
    task.require_memory(40 * L.degree() * r * (3 * r + V.dimension()), "the images of a seed");
    X = Y = FieldMatrix::identity(L, r);
  }

  /// Leaves those on which e_l g e_l acts by phi.
  void narrow(const Permutation& g, const Cyclotomic& phi, bool vectors, bool forms, const Task& task) {
    const std::size_t r = right.cols();
    vectors = vectors && X.cols() > 0;
    forms = forms && Y.rows() > 0;
    if (!vectors && !forms) return;
    if (pairing.rows() != r) pairing = inverse(left * right, task).over(left.field());
    const FieldMatrix middle = left * V.apply(g, right);
    const FieldMatrix scalar = phi * FieldMatrix::identity(left.field(), r);
    if (vectors) X = X * null_space((pairing * middle - scalar) * X, task).transpose();
    if (forms) Y = null_space((Y * (middle * pairing - scalar)).transpose(), task) * Y;
  }

  /// Every form times every image is a multiple of form times seed; the forms are made dual to the images.
  SeedImages found(const SeedPair& seed, const AbelianField& L, const Task& task) const {
    if (X.cols() != Y.rows()) throw InternalError("isotypic_maps: a seed has not as many images as forms");
    if (X.cols() == 0) return {};
    const FieldMatrix images = shortened((right * X).over(L), task), forms = (Y * left).over(L);
    return {images.over(L), seed.product * (inverse(forms * images, task) * forms).over(L)};
  }

  const Representation& V;
  FieldMatrix right, left, pairing, X, Y;
};

/// The images of all kinds of modules at once, until there are no more than m images in V together.
std::vector<SeedImages> seed_images(const OrbitModules& parts, const IrreducibleRepresentation& R, const SeedPair& seed,
                                    std::size_t m, const AbelianField& L, const Task& task) {
  std::vector<SeedSearch> searches;
  for (const Representation& V : parts.kinds()) searches.emplace_back(V, R, L, task);
  const auto total = [&](const auto& of) {
    std::size_t sum = 0;
    for (std::size_t k = 0; k < searches.size(); ++k) sum += parts.count(k) * of(searches[k]);
    return sum;
  };
  const auto vectors = [&] { return total([](const SeedSearch& s) { return s.X.cols(); }); };
  const auto forms = [&] { return total([](const SeedSearch& s) { return s.Y.rows(); }); };
  if (vectors() < m) throw InternalError("isotypic_maps: a subgroup keeps too few vectors");
  ElementSource elements(R.representation.group());
  for (int tried = 0; vectors() > m || forms() > m; ++tried) {
    task.poll();
    if (tried == max_elements) throw InternalError("isotypic_maps: the images of a seed were not found");
    const Permutation g = elements.next();
    const Cyclotomic phi = (seed.form * R.representation.apply(g, seed.vector))(0, 0) * seed.product.inverse();
    const bool more_vectors = vectors() > m, more_forms = forms() > m;
    for (SeedSearch& search : searches) search.narrow(g, phi, more_vectors, more_forms, task);
  }
  if (vectors() != m || forms() != m)
    throw InternalError(
        fmt::format("isotypic_maps: {} and {} images of a seed where characters say {}", vectors(), forms(), m));
  std::vector<SeedImages> images;
  for (const SeedSearch& search : searches) images.push_back(search.found(seed, L, task));
  return images;
}

/// vectors[j] column a becomes column a d + j.
FieldMatrix by_copies(const std::vector<FieldMatrix>& vectors, std::size_t m) {
  const std::size_t d = vectors.size();
  std::vector<std::size_t> order(m * d);
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t j = 0; j < d; ++j) order[a * d + j] = j * m + a;
  return horizontal_stack(vectors).select_cols(order);
}

/// 1_m (x) A from the right (blocks of columns), without building it.
FieldMatrix times_copies(const FieldMatrix& C, const FieldMatrix& A, std::size_t m) {
  const std::size_t d = A.rows();
  std::vector<FieldMatrix> blocks;
  for (std::size_t a = 0; a < m; ++a) blocks.push_back(C.block(0, a * d, C.rows(), d));
  const FieldMatrix product = vertical_stack(blocks) * A;
  blocks.clear();
  for (std::size_t a = 0; a < m; ++a) blocks.push_back(product.block(a * C.rows(), 0, C.rows(), d));
  return horizontal_stack(blocks);
}

/// Y = [X_0 | X_1 | ...] of m blocks of width d, all times B^{-1} from the right.
FieldMatrix divided(const FieldMatrix& Y, const FieldMatrix& B, std::size_t m, const Task& task) {
  if (B == FieldMatrix::identity(Y.field(), B.rows())) return Y;
  return times_copies(Y, inverse(B, task), m);
}

/// The generator that an inclusion does not commute with, m copies of the representation with these images of the
/// generators being included; empty if there is none.
std::string broken_inclusion(const Representation& V, const FieldMatrix& inclusion,
                             const std::vector<FieldMatrix>& matrices, std::size_t m, const Task& task) {
  const auto& generators = V.group().generators();
  for (std::size_t s = 0; s < generators.size(); ++s) {
    task.poll();
    if (!(V.apply(generators[s], inclusion) == times_copies(inclusion, matrices[s], m)))
      return fmt::format("an inclusion does not commute with generator {}", s + 1);
  }
  return {};
}

std::string broken_projection(const Representation& V, const FieldMatrix& projection,
                              const std::vector<FieldMatrix>& matrices, std::size_t m, const Task& task) {
  const auto& generators = V.group().generators();
  const FieldMatrix forms = projection.transpose();
  for (std::size_t s = 0; s < generators.size(); ++s) {
    task.poll();
    // P rho(s) = (1 (x) R(s)) P, transposed.
    if (!(V.node().apply(generators[s], forms, true) == times_copies(forms, matrices[s].transpose(), m)))
      return fmt::format("a projection does not commute with generator {}", s + 1);
  }
  return {};
}

/// Which claim of IsotypicMaps is false; empty if all hold.
std::string broken_claim(const Representation& V, const FieldMatrix& inclusion, const FieldMatrix& projection,
                         const std::vector<FieldMatrix>& matrices, std::size_t m, const Task& task) {
  if (!(projection * inclusion == FieldMatrix::identity(AbelianField(), inclusion.cols())))
    return "the projection is no inverse of the inclusion";
  const std::string broken = broken_inclusion(V, inclusion, matrices, m, task);
  return broken.empty() ? broken_projection(V, projection, matrices, m, task) : broken;
}

std::vector<FieldMatrix> generator_matrices(const Representation& R) {
  std::vector<FieldMatrix> matrices;
  for (const Permutation& s : R.group().generators()) matrices.push_back(R.field_matrix(s));
  return matrices;
}

/// The maps over the field M of V and R together, a subfield of the one L in which the seed is found: traces of their
/// multiples are maps over M, of which as many are independent as there are copies.
IsotypicMaps over_field_of_both(const IsotypicMaps& maps, std::size_t m, const AbelianField& M, const Task& task) {
  const std::size_t d = maps.inclusion.cols() / m;
  const FieldMatrix all = horizontal_stack(traces_of_multiples(maps.inclusion, M));
  // A map that vanishes at one vector of R is 0: the first columns of the copies decide.
  std::vector<std::size_t> first(all.cols() / d), columns;
  for (std::size_t a = 0; a < first.size(); ++a) first[a] = a * d;
  for (const std::size_t a : reduced_echelon(all.select_cols(first), task).pivots)
    for (std::size_t i = 0; i < d; ++i) columns.push_back(a * d + i);
  const FieldMatrix inclusion = all.select_cols(columns);
  if (inclusion.cols() != m * d) throw InternalError("isotypic_maps: the traces of the maps are too few");
  return {inclusion, (inverse(maps.projection * inclusion, task) * maps.projection).over(M)};
}

/// The maps over F of an irreducible R of dimension d that is over L and has so many conjugates over F, from its maps over L.
IsotypicMaps over_subfield(const IsotypicMaps& maps, std::size_t d, std::size_t conjugates, const AbelianField& L,
                           const AbelianField& F, const Task& task) {
  const std::size_t m = maps.inclusion.cols() / d, n = maps.inclusion.rows();
  const std::size_t r = L.degree() / F.degree();
  if (r == 1) return maps;
  // Copy a of R gives the map K^d -> V, x -> trace(inclusion x), on the basis b_i e_j -> j r + i.
  const FieldMatrix inclusion = by_copies(traces_of_multiples(maps.inclusion, F), m * d);
  std::vector<std::size_t> first(n);
  for (std::size_t i = 0; i < n; ++i) first[i] = i * r;
  const FieldMatrix projection = restrict_scalars(maps.projection.over(L), F).select_cols(first);
  // If conjugates of R are isomorphic to it, the copies overlap: the independent ones are chosen.
  const std::size_t copies = m * conjugates / r;
  std::vector<std::size_t> chosen;
  const auto columns_of = [&](const std::vector<std::size_t>& list) {
    std::vector<std::size_t> places;
    for (const std::size_t a : list)
      for (std::size_t i = 0; i < d * r; ++i) places.push_back(a * d * r + i);
    return places;
  };
  for (std::size_t a = 0; a < m && chosen.size() < copies; ++a) {
    chosen.push_back(a);
    if (copies < m && matrix_rank(inclusion.select_cols(columns_of(chosen)), task) < chosen.size() * d * r)
      chosen.pop_back();
  }
  if (chosen.size() != copies)
    throw InternalError("isotypic_decomposition: the copies of a component over a subfield are too few");
  if (copies == m) return {inclusion, projection};
  // The rows of the projection that see the chosen copies, made dual to them.
  const FieldMatrix independent = inclusion.select_cols(columns_of(chosen)), seen = projection * independent;
  const std::vector<std::size_t> rows = reduced_echelon(seen.transpose(), task).pivots;
  return {independent, inverse(seen.select_rows(rows), task) * projection.select_rows(rows)};
}

/// The data from which the maps from R to V are found.
struct MapProblem {
  MapProblem(const Representation& V_, const IrreducibleRepresentation& R_, std::size_t m_, const Task& task)
      : V(V_), R(R_), m(m_), M(AbelianField::compositum(V.field(), R.representation.field())) {
    if (!(V.group() == R.representation.group()))
      throw DomainError("isotypic_maps: the representation belongs to " + V.group().name() +
                        ", the irreducible one to " + R.representation.group().name());
    L = AbelianField::compositum(
        M, AbelianField::compositum(R.seed.vector.field(), AbelianField::generated_by(R.seed.values)));
    task.require_memory(100 * L.degree() * m * R.representation.dimension() * V.dimension(),
                        "the isotypic component of an irreducible representation");
    if (m != 0) matrices = generator_matrices(R.representation);
  }
  const Representation& V;
  const IrreducibleRepresentation& R;
  std::size_t m;
  AbelianField M, L;                  ///< the fields of V and R together, and of the seed
  std::vector<FieldMatrix> matrices;  ///< the matrices of the generators in R
};

/// Words that take the seed of R, or its form, to a basis, and maps that are known by what they do to it.
class SpunMaps {
 public:
  SpunMaps(const MapProblem& at, const FieldMatrix& seed, bool dual, const Task& task)
      : at_(at), dual_(dual), matrices_(at.matrices) {
    for (FieldMatrix& A : matrices_)
      if (dual) A = A.transpose();
    words_ = spin_words(matrices_, seed, task);
    basis_ = horizontal_stack(apply_words(
        words_, seed, [&](std::size_t s, const FieldMatrix& x) { return matrices_[s] * x; }, task));
  }

  /// The maps from R to V that take the seed to these vectors, side by side.
  FieldMatrix operator()(const Representation& V, const FieldMatrix& images, const Task& task) const {
    const auto& generators = V.group().generators();
    const auto spun = apply_words(
        words_, images, [&](std::size_t s, const FieldMatrix& x) { return V.node().apply(generators[s], x, dual_); },
        task);
    return divided(by_copies(spun, images.cols()), basis_, images.cols(), task).over(at_.L);
  }

 private:
  const MapProblem& at_;
  bool dual_;
  std::vector<FieldMatrix> matrices_;
  SpinWords words_;
  FieldMatrix basis_;
};

IsotypicMaps no_maps(const Representation& V, const AbelianField& K) {
  return {FieldMatrix(K, V.dimension(), 0), FieldMatrix(K, 0, V.dimension())};
}

/// The maps between R and every kind of module that V is made of.
std::vector<IsotypicMaps> maps_of_parts(const MapProblem& at, const OrbitModules& parts, const Task& task) {
  const SeedPair seed = seed_pair(at.R, at.L, task);
  const std::vector<SeedImages> images = seed_images(parts, at.R, seed, at.m, at.L, task);
  const SpunMaps inclusions(at, seed.vector, false, task), projections(at, seed.form.transpose(), true, task);
  std::vector<IsotypicMaps> all;
  for (std::size_t k = 0; k < images.size(); ++k) {
    const Representation& V = parts.kinds()[k];
    const std::size_t m = images[k].right.cols();
    if (m == 0) {
      all.push_back(no_maps(V, at.M));
      continue;
    }
    IsotypicMaps maps{inclusions(V, images[k].right, task),
                      projections(V, images[k].left.transpose(), task).transpose()};
    if (at.L.degree() > at.M.degree()) maps = over_field_of_both(maps, m, at.M, task);
    if (const std::string broken = broken_claim(V, maps.inclusion, maps.projection, at.matrices, m, task);
        !broken.empty())
      throw InternalError("isotypic_maps: " + broken);
    all.push_back(std::move(maps));
  }
  return all;
}

/// Maps of V from those of its parts, which are over K.
IsotypicMaps together(const OrbitModules& parts, const std::vector<IsotypicMaps>& maps, const AbelianField& K) {
  std::vector<FieldMatrix> inclusions, projections;
  for (const IsotypicMaps& part : maps) {
    inclusions.push_back(part.inclusion);
    projections.push_back(part.projection.transpose());
  }
  return {parts.side_by_side(inclusions, K), parts.side_by_side(projections, K).transpose()};
}

/// All maps from a Specht module to V, side by side, or those from its dual to the dual of V.
FieldMatrix young_maps(const MapProblem& at, bool dual, const Task& task) {
  const YoungSymmetrizer symmetrizer(*at.R.shape);
  const SpinWords& words = symmetrizer.words();
  const auto spun = [&](const VectorAction& act, const FieldMatrix& x) {
    return apply_words(
        words, x, [&](std::size_t k, const FieldMatrix& X) { return act(symmetrizer.transpositions()[k], X); }, task);
  };
  const VectorAction inside{at.R.representation, dual}, outside{at.V, dual};
  const FieldMatrix maps = by_copies(spun(outside, symmetrized(symmetrizer, outside, at.m, task)), at.m);
  if (!dual) return maps;  // the words lead to the basis of polytabloids
  return divided(maps, horizontal_stack(spun(inside, symmetrized(symmetrizer, inside, 1, task))), at.m, task);
}

/// The Schur index over R or Q; 0 if it is not known.
std::size_t index_over(const CharacterTable& table, std::size_t row, BaseField over, const Task& task) {
  if (over == BaseField::real) return table.indicator(row) == -1 ? 2 : 1;
  const SchurIndex index = schur_index(table, row, task);
  return index.undecided.empty() ? index.index : 0;
}

}  // namespace

IsotypicMaps isotypic_maps(const Representation& V, const IrreducibleRepresentation& R, std::size_t multiplicity,
                           const Task& task) {
  const MapProblem at(V, R, multiplicity, task);
  if (multiplicity == 0) return no_maps(V, at.M);
  const OrbitModules parts(V, task);
  return together(parts, maps_of_parts(at, parts, task), at.M);
}

FieldMatrix embeddings(const Representation& V, const IrreducibleRepresentation& R, std::size_t multiplicity,
                       const Task& task) {
  const MapProblem at(V, R, multiplicity, task);
  if (!R.shape || at.L != at.M || multiplicity == 0) return isotypic_maps(V, R, multiplicity, task).inclusion;
  const FieldMatrix maps = young_maps(at, false, task);
  if (const std::string broken = broken_inclusion(V, maps, at.matrices, multiplicity, task); !broken.empty())
    throw InternalError("embeddings: " + broken);
  return maps;
}

FieldMatrix projections(const Representation& V, const IrreducibleRepresentation& R, std::size_t multiplicity,
                        const Task& task) {
  const MapProblem at(V, R, multiplicity, task);
  if (!R.shape || at.L != at.M || multiplicity == 0) return isotypic_maps(V, R, multiplicity, task).projection;
  const FieldMatrix maps = young_maps(at, true, task).transpose();
  if (const std::string broken = broken_projection(V, maps, at.matrices, multiplicity, task); !broken.empty())
    throw InternalError("projections: " + broken);
  return maps;
}

std::vector<IsotypicComponent> isotypic_decomposition(const Representation& V, const CharacterTable& table,
                                                      BaseField over, const Task& task) {
  if (over == BaseField::real && !V.field().is_real())
    throw DomainError("isotypic_decomposition: the representation is over " + V.field().to_string() +
                      ", which is not real; take its real form or decompose over the complex numbers");
  if (over == BaseField::rational && !V.field().is_rational())
    throw DomainError("isotypic_decomposition: the representation is over " + V.field().to_string() +
                      "; restrict its scalars to Q or decompose over the real or complex numbers");
  if (V.dimension() > largest_decomposed)
    throw LimitError(fmt::format(
        "isotypic_decomposition: a change of basis in dimension {} has {} entries; the largest dimension is "
        "{}. The multiplicities alone have no such limit",
        V.dimension(), (Integer(V.dimension()) * Integer(V.dimension())).str(), largest_decomposed));
  const std::vector<Integer> all = multiplicities(character_of(V, table, task));
  const OrbitModules parts(V, task);
  std::vector<IsotypicComponent> components;
  std::vector<char> done(table.size(), 0);
  std::size_t dimension = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == 0 || done[i] != 0) continue;
    task.progress("splitting off isotypic components", dimension, V.dimension());
    const IrreducibleRepresentation R = irreducible_representation(table, i, task);
    const MapProblem at(V, R, static_cast<std::size_t>(all[i]), task);
    const AbelianField& L = at.M;
    const AbelianField F = over == BaseField::complex ? L
                           : over == BaseField::real  ? L.real_subfield()
                                                      : AbelianField();
    const auto galois = automorphisms_over(L, F);
    std::vector<std::size_t> irreps = conjugate_rows(table, i, galois);
    for (const std::size_t row : irreps) done[row] = 1;
    // Restricting scalars gives what is irreducible over F if L has the degree over F(chi) that the Schur index says.
    if (irreps.size() != galois.size() && galois.size() != irreps.size() * index_over(table, i, over, task))
      throw LimitError("isotypic_decomposition: " + table.name(i) + " is known over " + L.to_string() +
                       " only, so that its form over " + F.to_string() +
                       " is not at hand; decompose over the complex numbers");
    std::vector<IsotypicMaps> maps = maps_of_parts(at, parts, task);
    for (std::size_t k = 0; k < maps.size(); ++k)
      maps[k] = maps[k].inclusion.cols() == 0
                    ? no_maps(parts.kinds()[k], F)
                    : over_subfield(maps[k], R.representation.dimension(), irreps.size(), L, F, task);
    IsotypicMaps whole = together(parts, maps, F);
    IsotypicComponent component{
        std::move(irreps),          F, {}, R.representation.dimension() * galois.size(), 0, std::move(whole.inclusion),
        std::move(whole.projection)};
    for (const FieldMatrix& A : at.matrices) component.matrices.push_back(restrict_scalars(A.over(L), F));
    component.multiplicity = component.inclusion.cols() / component.degree;
    dimension += component.inclusion.cols();
    components.push_back(std::move(component));
  }
  if (dimension != V.dimension())
    throw InternalError("isotypic_decomposition: the dimensions of the components do not add up");
  return components;
}

namespace {

/// The traces of rho on an invariant subspace, at the classes of the table, are those of `copies` times the sum of rows.
bool has_character(const IsotypicComponent& part, const Representation& V, const CharacterTable& table,
                   const Task& task) {
  Integer degrees = 0;
  for (const std::size_t row : part.irreps) degrees += table.degree(row);
  const Integer dimension = Integer(part.degree) * part.multiplicity;
  if (dimension % degrees != 0) return false;
  const Cyclotomic copies(Integer(dimension / degrees));
  std::atomic<bool> agrees{true};
  task.share(table.size(), 1, [&](std::uint64_t first, std::uint64_t last) {
    for (std::size_t c = first; c < last && agrees; ++c) {
      task.poll();
      const FieldMatrix moved = V.apply(table.classes()[c].representative, part.inclusion);
      const std::size_t entries = moved.rows() * moved.cols();
      const Cyclotomic trace = (part.projection.reshape(1, entries) * moved.transpose().reshape(entries, 1))(0, 0);
      Cyclotomic expected;
      for (const std::size_t row : part.irreps) expected += table(row, c);
      if (trace != copies * expected) agrees = false;
    }
  });
  return agrees;
}

}  // namespace

void verify(std::span<const IsotypicComponent> components, const Representation& V, const CharacterTable& table,
            const Task& task) {
  if (!(V.group() == table.group()))
    throw DomainError("verify: the representation belongs to " + V.group().name() + ", the table to " +
                      table.group().name());
  std::size_t dimension = 0;
  std::vector<char> seen(table.size(), 0);
  for (std::size_t k = 0; k < components.size(); ++k) {
    const IsotypicComponent& part = components[k];
    const auto fail = [k](const std::string& what) {
      throw VerificationError(fmt::format("verify: component {}: {}", k, what));
    };
    const std::size_t width = part.degree * part.multiplicity;
    bool fits = width > 0 && part.inclusion.rows() == V.dimension() && part.inclusion.cols() == width &&
                part.projection.rows() == width && part.projection.cols() == V.dimension() &&
                part.matrices.size() == V.group().generators().size() && !part.irreps.empty();
    for (const FieldMatrix& A : part.matrices) fits = fits && A.rows() == part.degree && A.cols() == part.degree;
    if (!fits) fail("the matrices do not have the sizes that the degree and the multiplicity ask for");
    for (const std::size_t row : part.irreps) {
      if (row >= table.size() || seen[row] != 0) fail(fmt::format("character {} is no row of its own", row));
      seen[row] = 1;
    }
    const std::string broken = broken_claim(V, part.inclusion, part.projection, part.matrices, part.multiplicity, task);
    if (!broken.empty()) fail(broken);
    if (!has_character(part, V, table, task)) fail("the traces are not those of the stated characters");
    dimension += width;
  }
  if (dimension != V.dimension())
    throw VerificationError(
        fmt::format("verify: the components have dimension {} together, not {}", dimension, V.dimension()));
}

}  // namespace intertwine
