#include "intertwine/representations/isotypic_decomposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "groups/chain/random_words.hpp"
#include "intertwine/characters/schur_index.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_traces.hpp"
#include "intertwine/random.hpp"
#include "representations/conjugates.hpp"
#include "representations/node.hpp"
#include "representations/seed_space.hpp"
#include "representations/young_symmetrizer.hpp"

namespace intertwine {

namespace {

constexpr std::size_t max_reduced = 60;             ///< vectors that lattice reduction shortens
constexpr std::uint64_t largest_decomposed = 6000;  ///< that is decomposed explicitly
constexpr int max_elements = 1000;  ///< group elements tried; each misses with small probability

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
  if (form.rows() != 1)
    throw InternalError("isotypic_maps: the seed of an irreducible representation is not single");
  const Cyclotomic product = (form * vector)(0, 0);
  if (product.is_zero())
    throw InternalError("isotypic_maps: the seed of an irreducible representation vanishes");
  return {vector, form, product};
}

/// Vectors over Q are replaced by a short basis of the integral ones.
FieldMatrix shortened(const FieldMatrix& columns, const Task& task) {
  if (!columns.field().is_rational() || columns.cols() == 0 || columns.cols() > max_reduced) return columns;
  const IntegerMatrix rows = columns.to_rational().transpose().numerator();
  return FieldMatrix(RationalMatrix(lll(saturate(rows, task)).transpose()));
}

/// The images of the seed (dim V x m) and the linear forms of the same kind (m x dim V) with product 1 for all of V's
/// copies of R.
struct SeedImages {
  FieldMatrix right, left;
};

SeedImages seed_images(const Representation& V, const IrreducibleRepresentation& R, const SeedPair& seed,
                       std::size_t m, const AbelianField& L, const Task& task) {
  const FieldMatrix right = right_eigenvectors(V, R.seed.generators, R.seed.values, L, task);
  const FieldMatrix left = left_eigenvectors(V, R.seed.generators, R.seed.values, L, task);
  const std::size_t r = right.cols();
  if (left.rows() != r || r < m) throw InternalError("isotypic_maps: a subgroup keeps too few vectors");
  task.require_memory(40 * L.degree() * r * (3 * r + V.dimension()), "the images of a seed");
  FieldMatrix X = FieldMatrix::identity(L, r), Y = X;  // coordinates: columns on `right`, rows on `left`
  ElementSource elements(V.group());
  const FieldMatrix pairing = r > m ? inverse(left * right, task).over(L) : FieldMatrix();
  for (int tried = 0; X.cols() > m || Y.rows() > m; ++tried) {
    task.poll();
    if (tried == max_elements) throw InternalError("isotypic_maps: the images of a seed were not found");
    const Permutation g = elements.next();
    const Cyclotomic phi =
        (seed.form * R.representation.apply(g, seed.vector))(0, 0) * seed.product.inverse();
    const FieldMatrix middle = left * V.apply(g, right);
    const FieldMatrix scalar = phi * FieldMatrix::identity(L, r);
    if (X.cols() > m) X = X * kernel((pairing * middle - scalar) * X, task).transpose();
    if (Y.rows() > m) Y = kernel((Y * (middle * pairing - scalar)).transpose(), task) * Y;
  }
  if (X.cols() != m || Y.rows() != m)
    throw InternalError(fmt::format("isotypic_maps: {} and {} images of a seed where characters say {}",
                                    X.cols(), Y.rows(), m));
  const FieldMatrix images = shortened((right * X).over(L), task), forms = (Y * left).over(L);
  // Every form times every image is a multiple of form times seed; the forms are made dual to the images.
  return {images.over(L), seed.product * (inverse(forms * images, task) * forms).over(L)};
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
IsotypicMaps over_field_of_both(const IsotypicMaps& maps, std::size_t m, const AbelianField& M,
                                const Task& task) {
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

/// The component over F of an irreducible R that is over L, from its maps over L.
IsotypicComponent over_subfield(const IsotypicMaps& maps, const std::vector<FieldMatrix>& matrices,
                                std::size_t m, std::vector<std::size_t> irreps, const AbelianField& L,
                                const AbelianField& F, const Task& task) {
  const std::size_t d = maps.inclusion.cols() / m, n = maps.inclusion.rows();
  const std::size_t r = L.degree() / F.degree();
  IsotypicComponent result{std::move(irreps), F, {}, d * r, 0, {}, {}};
  for (const FieldMatrix& A : matrices) result.matrices.push_back(restrict_scalars(A.over(L), F));
  // Copy a of R gives the map K^d -> V, x -> trace(inclusion x), on the basis b_i e_j -> j r + i.
  const FieldMatrix inclusion = by_copies(traces_of_multiples(maps.inclusion, F), m * d);
  std::vector<std::size_t> first(n);
  for (std::size_t i = 0; i < n; ++i) first[i] = i * r;
  const FieldMatrix projection = restrict_scalars(maps.projection.over(L), F).select_cols(first);
  // Where conjugates of R are isomorphic to it the copies overlap: as many as are independent.
  const std::size_t copies = m * result.irreps.size() / r;
  std::vector<std::size_t> chosen;
  const auto columns_of = [&](const std::vector<std::size_t>& list) {
    std::vector<std::size_t> places;
    for (const std::size_t a : list)
      for (std::size_t i = 0; i < d * r; ++i) places.push_back(a * d * r + i);
    return places;
  };
  for (std::size_t a = 0; a < m && chosen.size() < copies; ++a) {
    chosen.push_back(a);
    if (copies < m && rank(inclusion.select_cols(columns_of(chosen)), task) < chosen.size() * d * r)
      chosen.pop_back();
  }
  if (chosen.size() != copies)
    throw InternalError("isotypic_decomposition: the copies of a component over a subfield are too few");
  result.multiplicity = copies;
  result.inclusion = inclusion.select_cols(columns_of(chosen));
  if (copies == m) {
    result.projection = projection;
    return result;
  }
  // The rows of the projection that see the chosen copies, made dual to them.
  const FieldMatrix seen = projection * result.inclusion;
  const std::vector<std::size_t> rows = reduced_echelon(seen.transpose(), task).pivots;
  result.projection = inverse(seen.select_rows(rows), task) * projection.select_rows(rows);
  return result;
}

/// What the maps from R to V are found from.
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
  AbelianField M, L;                  ///< of V and R together, and of the seed
  std::vector<FieldMatrix> matrices;  ///< of the generators in R
};

FieldMatrix spun_inclusion(const MapProblem& at, const FieldMatrix& seed, const FieldMatrix& images,
                           const Task& task) {
  const auto& generators = at.V.group().generators();
  const SpinWords words = spin_words(at.matrices, seed, task);
  const auto inside = apply_words(
      words, seed, [&](std::size_t s, const FieldMatrix& x) { return at.matrices[s] * x; }, task);
  const auto outside = apply_words(
      words, images, [&](std::size_t s, const FieldMatrix& x) { return at.V.apply(generators[s], x); }, task);
  return divided(by_copies(outside, at.m), horizontal_stack(inside), at.m, task).over(at.L);
}

FieldMatrix spun_projection(const MapProblem& at, const FieldMatrix& seed, const FieldMatrix& forms,
                            const Task& task) {
  const auto& generators = at.V.group().generators();
  std::vector<FieldMatrix> transposed;
  for (const FieldMatrix& A : at.matrices) transposed.push_back(A.transpose());
  const SpinWords words = spin_words(transposed, seed.transpose(), task);
  const auto inside = apply_words(
      words, seed.transpose(), [&](std::size_t s, const FieldMatrix& x) { return transposed[s] * x; }, task);
  const auto outside = apply_words(
      words, forms.transpose(),
      [&](std::size_t s, const FieldMatrix& x) { return at.V.node().apply(generators[s], x, true); }, task);
  return divided(by_copies(outside, at.m), horizontal_stack(inside), at.m, task).transpose().over(at.L);
}

/// A basis of the image of Young's symmetrizer, whose dimension is m.
FieldMatrix symmetrized(const YoungSymmetrizer& symmetrizer, const VectorAction& act, std::size_t m,
                        const Task& task) {
  Rng rng(11);  // the space does not depend on it
  const std::size_t n = act.V.dimension();
  for (std::size_t count = m + 1; count <= 64 * (m + 1); count *= 2) {
    IntegerMatrix vectors(n, count);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < count; ++j) vectors.set(i, j, static_cast<long>(rng.below(5)) - 2);
    const FieldMatrix image = symmetrizer(act, RationalMatrix(std::move(vectors)), task);
    FieldMatrix basis = reduced_echelon(image.transpose(), task).matrix;
    if (basis.rows() == m) return basis.transpose();
  }
  throw InternalError(fmt::format("isotypic_maps: a symmetrizer has no image of dimension {}", m));
}

/// All maps from a Specht module to V, side by side, or those from its dual to the dual of V.
FieldMatrix young_maps(const MapProblem& at, bool dual, const Task& task) {
  const YoungSymmetrizer symmetrizer(*at.R.shape);
  const SpinWords& words = symmetrizer.words();
  const auto spun = [&](const VectorAction& act, const FieldMatrix& x) {
    return apply_words(
        words, x,
        [&](std::size_t k, const FieldMatrix& X) { return act(symmetrizer.transpositions()[k], X); }, task);
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

IsotypicMaps isotypic_maps(const Representation& V, const IrreducibleRepresentation& R,
                           std::size_t multiplicity, const Task& task) {
  const MapProblem at(V, R, multiplicity, task);
  const std::size_t m = multiplicity, n = V.dimension();
  if (m == 0) return {FieldMatrix(at.M, n, 0), FieldMatrix(at.M, 0, n)};
  const SeedPair seed = seed_pair(R, at.L, task);
  const SeedImages images = seed_images(V, R, seed, m, at.L, task);
  IsotypicMaps maps{spun_inclusion(at, seed.vector, images.right, task),
                    spun_projection(at, seed.form, images.left, task)};
  if (at.L.degree() > at.M.degree()) maps = over_field_of_both(maps, m, at.M, task);
  if (const std::string broken = broken_claim(V, maps.inclusion, maps.projection, at.matrices, m, task);
      !broken.empty())
    throw InternalError("isotypic_maps: " + broken);
  return maps;
}

FieldMatrix embeddings(const Representation& V, const IrreducibleRepresentation& R, std::size_t multiplicity,
                       const Task& task) {
  const MapProblem at(V, R, multiplicity, task);
  if (multiplicity == 0) return {at.M, V.dimension(), 0};
  if (at.L != at.M) return isotypic_maps(V, R, multiplicity, task).inclusion;
  FieldMatrix maps;
  if (R.shape) {
    maps = young_maps(at, false, task);
  } else {
    const SeedPair seed = seed_pair(R, at.L, task);
    maps = spun_inclusion(at, seed.vector, seed_images(V, R, seed, multiplicity, at.L, task).right, task);
  }
  if (const std::string broken = broken_inclusion(V, maps, at.matrices, multiplicity, task); !broken.empty())
    throw InternalError("embeddings: " + broken);
  return maps;
}

FieldMatrix projections(const Representation& V, const IrreducibleRepresentation& R, std::size_t multiplicity,
                        const Task& task) {
  const MapProblem at(V, R, multiplicity, task);
  if (multiplicity == 0) return {at.M, 0, V.dimension()};
  if (at.L != at.M) return isotypic_maps(V, R, multiplicity, task).projection;
  FieldMatrix maps;
  if (R.shape) {
    maps = young_maps(at, true, task).transpose();
  } else {
    const SeedPair seed = seed_pair(R, at.L, task);
    maps = spun_projection(at, seed.form, seed_images(V, R, seed, multiplicity, at.L, task).left, task);
  }
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
  std::vector<IsotypicComponent> components;
  std::vector<char> done(table.size(), 0);
  std::size_t dimension = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == 0 || done[i] != 0) continue;
    task.progress("splitting off isotypic components", dimension, V.dimension());
    const auto m = static_cast<std::size_t>(all[i]);
    const IrreducibleRepresentation R = irreducible_representation(table, i, task);
    const IsotypicMaps maps = isotypic_maps(V, R, m, task);
    const AbelianField L = maps.inclusion.field();
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
    IsotypicComponent component =
        over_subfield(maps, generator_matrices(R.representation), m, std::move(irreps), L, F, task);
    dimension += component.multiplicity * component.degree;
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
      const Cyclotomic trace =
          (part.projection.reshape(1, entries) * moved.transpose().reshape(entries, 1))(0, 0);
      Cyclotomic expected;
      for (const std::size_t row : part.irreps) expected += table(row, c);
      if (trace != copies * expected) agrees = false;
    }
  });
  return agrees;
}

}  // namespace

void verify(std::span<const IsotypicComponent> components, const Representation& V,
            const CharacterTable& table, const Task& task) {
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
    for (const FieldMatrix& A : part.matrices)
      fits = fits && A.rows() == part.degree && A.cols() == part.degree;
    if (!fits) fail("the matrices do not have the sizes that the degree and the multiplicity ask for");
    for (const std::size_t row : part.irreps) {
      if (row >= table.size() || seen[row] != 0) fail(fmt::format("character {} is no row of its own", row));
      seen[row] = 1;
    }
    const std::string broken =
        broken_claim(V, part.inclusion, part.projection, part.matrices, part.multiplicity, task);
    if (!broken.empty()) fail(broken);
    if (!has_character(part, V, table, task)) fail("the traces are not those of the stated characters");
    dimension += width;
  }
  if (dimension != V.dimension())
    throw VerificationError(
        fmt::format("verify: the components have dimension {} together, not {}", dimension, V.dimension()));
}

}  // namespace intertwine
