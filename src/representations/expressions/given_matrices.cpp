// Representations known by the matrices of the generators.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/homomorphism.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/vector_orbits.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "node.hpp"
#include "stabilizer_vectors.hpp"

namespace intertwine {

namespace {

std::vector<SignedPermutation> signed_actions(const std::vector<Permutation>& actions) {
  std::vector<SignedPermutation> images;
  for (const Permutation& g : actions) images.emplace_back(g);
  return images;
}

/// G permutes vectors that span the space. With the chosen basis vectors as the columns of B and their images under
/// g as those of B', rho(g) = B' B^{-1}.
class GivenMatrices final : public MatrixNode {
 public:
  /// \param vectors  the permuted ones, as rows; \param basis  the numbers of some that are a basis.
  GivenMatrices(const FiniteGroup& G, std::vector<FieldMatrix> images, const std::vector<Permutation>& actions,
                FieldMatrix vectors, std::vector<std::size_t> basis, std::string text, const Task& task)
      : MatrixNode(G, images.at(0).rows(), 1, images.at(0).field()),
        map_(G, signed_actions(actions), task),
        vectors_(std::move(vectors)),
        basis_(std::move(basis)),
        inverse_(inverse(vectors_.select_rows(basis_).transpose(), task)),
        text_(std::move(text)) {
    images_ = std::move(images);
  }

  bool is_proved() const override { return true; }
  /// The trace of B' B^{-1}.
  Cyclotomic character(const Permutation& g) const override {
    const std::size_t entries = dimension() * dimension();
    return (moved_basis(g).reshape(1, entries) * inverse_.reshape(entries, 1))(0, 0);
  }
  std::string text(TextForm) const override { return text_.empty() ? matrices_text(images_) : text_; }

 private:
  FieldMatrix matrix(const Permutation& g) const override { return moved_basis(g).transpose() * inverse_; }
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return transposed ? inverse_.transpose() * (moved_basis(g) * X) : moved_basis(g).transpose() * (inverse_ * X);
  }
  /// The rows are the images of the basis vectors.
  FieldMatrix moved_basis(const Permutation& g) const {
    const SignedPermutation image = map_(g);
    std::vector<std::size_t> rows;
    for (const std::size_t i : basis_) rows.push_back(image(static_cast<Point>(i)).point());
    return vectors_.select_rows(rows);
  }

  SignedHomomorphism map_;
  FieldMatrix vectors_;
  std::vector<std::size_t> basis_;
  FieldMatrix inverse_;  ///< B^{-1}
  std::string text_;
};

void check_shapes(const FiniteGroup& G, const std::vector<FieldMatrix>& images) {
  if (images.size() != G.generators().size())
    throw DomainError(fmt::format("matrix_representation: {} matrices are given for the {} generators of {}",
                                  images.size(), G.generators().size(), G.name()));
  for (std::size_t k = 0; k < images.size(); ++k) {
    const FieldMatrix& A = images[k];
    if (A.rows() != A.cols())
      throw DomainError(fmt::format("matrix_representation: the matrix of generator {} is {} x {}, not square", k + 1,
                                    A.rows(), A.cols()));
    if (A.rows() != images[0].rows())
      throw DomainError(
          fmt::format("matrix_representation: the matrix of generator {} is {} x {}, that of generator "
                      "1 is {} x {}",
                      k + 1, A.rows(), A.rows(), images[0].rows(), images[0].rows()));
  }
}

void require_regular(const std::vector<FieldMatrix>& images, const Task& task) {
  for (std::size_t k = 0; k < images.size(); ++k)
    if (matrix_rank(images[k], task) != images[k].rows())
      throw DomainError(
          fmt::format("matrix_representation: the matrix of generator {} is singular; elements of a group "
                      "act by invertible ones",
                      k + 1));
}

/// The matrix as a signed permutation, if it is one.
std::optional<SignedPermutation> as_signed_permutation(const RationalMatrix& A) {
  if (!A.is_integral() || A.numerator().nonzeros() != A.rows()) return std::nullopt;
  std::vector<SignedPoint> points;
  std::vector<char> used(A.rows(), 0);
  for (std::size_t j = 0; j < A.cols(); ++j) {
    std::size_t i = 0;
    while (i < A.rows() && A.numerator().sign(i, j) == 0) ++i;
    if (i == A.rows() || used[i] != 0 || abs(A.numerator()(i, j)) != 1) return std::nullopt;
    used[i] = 1;
    points.emplace_back(static_cast<Point>(i), A.numerator().sign(i, j) < 0);
  }
  return SignedPermutation::unchecked(std::move(points));
}

std::optional<std::vector<SignedPermutation>> as_signed_permutations(const std::vector<FieldMatrix>& images) {
  std::vector<SignedPermutation> result;
  for (const FieldMatrix& A : images) {
    auto g = A.field().is_rational() ? as_signed_permutation(A.coefficients()) : std::nullopt;
    if (!g) return std::nullopt;
    result.push_back(std::move(*g));
  }
  return result;
}

/// Tries the cheapest orbits first: short orbits of the basis vectors, then vectors that smaller and smaller
/// stabilizers fix.
OrbitSearch::Outcome find_spanning_orbits(OrbitSearch& search, const FiniteGroup& G,
                                          const std::vector<RationalMatrix>& images, const Task& task) {
  constexpr std::uint64_t short_orbit = 32, longest_orbit = 20'000;
  const std::size_t d = images[0].rows();
  search.propose(IntegerMatrix::identity(d));
  OrbitSearch::Outcome outcome = search.attempt(short_orbit + 4 * d);
  StabilizerVectors stabilizers(G, images, task);
  while (outcome == OrbitSearch::Outcome::stopped && stabilizers.descend() && stabilizers.index() <= longest_orbit) {
    search.propose(stabilizers.vectors());
    outcome = search.attempt(static_cast<std::uint64_t>(stabilizers.index()));
  }
  if (outcome != OrbitSearch::Outcome::stopped) return outcome;
  search.propose(vectors_fixed_by_words(images, task));
  return search.run([] { return true; });
}

[[noreturn]] void refuse(const FiniteGroup& G, const std::string& relation) {
  throw DomainError(
      fmt::format("the matrices of the generators of {} do not extend to a representation: {} holds in the "
                  "group but not for "
                  "the matrices",
                  G.name(), relation));
}

constexpr std::size_t most_rows = 1U << 16, most_restricted_rows = 4096;

/// Orbits that span the space. \throws DomainError if the images are no homomorphism, as far as that shows here.
SpanningOrbits spanning_orbits(const FiniteGroup& G, const std::vector<RationalMatrix>& images, const Task& task) {
  if (images[0].rows() > most_rows)
    throw LimitError(fmt::format("matrix_representation: the dimension {} over Q exceeds 2^16", images[0].rows()));
  if (const auto relation = find_obvious_broken_relation(G, images, task)) refuse(G, *relation);
  OrbitSearch search(images, G.order(task), task);
  if (find_spanning_orbits(search, G, images, task) != OrbitSearch::Outcome::spanning)
    refuse(G, find_broken_relation(G, images, task));
  return search.result();
}

/// All over the smallest field that contains their entries.
std::vector<FieldMatrix> over_smallest_field(std::vector<FieldMatrix> images, const Task& task) {
  std::set<Cyclotomic> entries;
  for (const FieldMatrix& A : images)
    for (std::size_t i = 0; i < A.rows() && !A.field().is_rational(); ++i)
      for (std::size_t j = 0; j < A.cols(); ++j) {
        task.poll();
        if (Cyclotomic x = A(i, j); !x.is_rational()) entries.insert(std::move(x));
      }
  const AbelianField K = AbelianField::generated_by(std::vector(entries.begin(), entries.end()));
  for (FieldMatrix& A : images)
    if (!(A.field() == K)) A = A.over(K);
  return images;
}

/// For images over one field K, the smallest.
Representation from_images(const FiniteGroup& G, std::vector<FieldMatrix> images, std::string text, const Task& task) {
  check_shapes(G, images);
  if (images.empty() || images[0].rows() == 0) return 0 * trivial_representation(G);
  if (auto monomial = as_signed_permutations(images))
    return monomial_representation(G, std::move(*monomial), std::move(text), task);
  require_regular(images, task);
  const AbelianField K = images[0].field();
  const std::size_t d = images[0].rows(), m = K.degree();
  if (m > 1 && d > most_restricted_rows / m)
    throw LimitError(
        fmt::format("matrix_representation: the dimension {} over {}, of degree {}, exceeds the limit of {} over Q", d,
                    K.to_string(), m, most_restricted_rows));
  std::vector<RationalMatrix> restricted;
  for (const FieldMatrix& A : images)
    restricted.push_back(m == 1 ? A.to_rational() : restrict_scalars(A, {}).to_rational());
  SpanningOrbits orbits = spanning_orbits(G, restricted, task);
  if (m == 1)
    return Representation(std::make_shared<GivenMatrices>(G, std::move(images), orbits.actions,
                                                          std::move(orbits.vectors), std::move(orbits.basis),
                                                          std::move(text), task));
  // Place i m + t of a vector over Q is coefficient t of place i.
  const std::size_t count = orbits.vectors.rows();
  const FieldMatrix vectors = FieldMatrix(K, orbits.vectors.reshape(count * d, m), 1).reshape(count, d);
  // d of the m d vectors that are independent over Q are so over K.
  std::vector<std::size_t> basis;
  for (const std::size_t pivot : reduced_echelon(vectors.select_rows(orbits.basis).transpose(), task).pivots)
    basis.push_back(orbits.basis[pivot]);
  return Representation(std::make_shared<GivenMatrices>(G, std::move(images), orbits.actions, vectors, std::move(basis),
                                                        std::move(text), task));
}

}  // namespace

Representation matrix_representation(const FiniteGroup& G, const std::vector<RationalMatrix>& images, std::string text,
                                     const Task& task) {
  return from_images(G, {images.begin(), images.end()}, std::move(text), task);
}

Representation matrix_representation(const FiniteGroup& G, std::vector<FieldMatrix> images, std::string text,
                                     const Task& task) {
  return from_images(G, over_smallest_field(std::move(images), task), std::move(text), task);
}

Representation coordinate_representation(const FiniteGroup& G) {
  const FiniteGroup::Coordinates& coordinates = G.coordinates();
  // C<n> turns the plane as in D<n>. It is not defined by that: what a group does by default stays its permutations.
  if (const auto* cyclic = G.structure().as<structure::Cyclic>(); cyclic && cyclic->n > 2 && !coordinates.matrices) {
    const FiniteGroup D = dihedral_group(cyclic->n);
    const FiniteGroup::Coordinates& plane = D.coordinates();
    if (!plane.matrices) throw DomainError("coordinates: " + plane.obstacle);
    return matrix_representation(G, std::vector{plane.matrices().front()}, "coordinates");
  }
  if (!coordinates.matrices)
    throw DomainError(
        "coordinates: " +
        (coordinates.obstacle.empty()
             ? fmt::format("{} is not defined by matrices; point groups, planar grids, Weyl groups, dihedral "
                           "and cyclic groups D<n> and C<n> from n = 3 on, signed permutations B<n> and "
                           "matrix groups are",
                           G.name())
             : coordinates.obstacle));
  if (G.generators().empty()) return coordinates.dimension * trivial_representation(G);
  return matrix_representation(G, coordinates.matrices(), is_made_of_matrices(G) ? "" : "coordinates");
}

}  // namespace intertwine
