// Extends irreducible representations from point stabilizers.
#include "extended_irreducible.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/prime_field.hpp"
#include "intertwine/exact/prime_images.hpp"
#include "intertwine/exact/spinning.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/random.hpp"
#include "representations/expressions/node.hpp"
#include "representations/lattices/integral_form.hpp"

namespace intertwine {

namespace {

/// The classes of H if the row is irreducible on it.
std::optional<ConjugacyClasses> classes_if_irreducible(const FiniteGroup& H, const CharacterTable& table,
                                                       std::size_t row, const Task& task) {
  const Integer degree = table.degree(row);
  if (H.order(task) < degree * degree) return std::nullopt;
  const ConjugacyClasses classes = conjugacy_classes(H, task);
  const std::vector<std::uint32_t> into = fusion(classes, table.classes(), task);
  Cyclotomic norm;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const Cyclotomic& value = table(row, into[c]);
    norm += Cyclotomic(Rational(classes[c].size, H.order())) * value * value.conjugate();
  }
  if (norm != 1) return std::nullopt;
  return classes;
}

struct Plan {
  Point point;
  FiniteGroup stabilizer;    ///< H, of the point
  ConjugacyClasses classes;  ///< the classes of H
  Permutation t;             ///< with chi(t) != 0
  FiniteGroup pair;          ///< D, of the point and its image under t
};

/// Some t, one for every orbit of H on the images of the point.
std::optional<Plan> plan_at(Point x, const CharacterTable& table, std::size_t row, const Task& task) {
  const FiniteGroup& G = table.group();
  const FiniteGroup H = stabilizer(G, x, task);
  const auto classes = classes_if_irreducible(H, table, row, task);
  if (!classes) return std::nullopt;
  const StabilizerChain chain =
      StabilizerChain::with_known_order(G.degree(), G.generators(), G.order(), std::span<const Point>(&x, 1), task);
  std::vector<char> is_image(G.degree(), 0);
  for (const Point y : chain.orbit(0)) is_image[y] = 1;
  Rng rng(1);
  for (const auto& suborbit : orbits(G.degree(), H.generators())) {
    const Point y = suborbit[0];
    if (y == x || is_image[y] == 0) continue;
    const FiniteGroup D = stabilizer(H, y, task);
    if (!classes_if_irreducible(D, table, row, task)) continue;
    Permutation t = chain.transversal(0, y);
    std::vector<Permutation> generators = H.generators();
    generators.push_back(t);
    // Every other t that takes x to the suborbit generates the same group together with H.
    if (!generates(G, generators, task)) continue;
    // The values of chi on t H are not all 0: chi is irreducible on H, so that the mean of their norms is 1.
    while (table(row, table.classes().index_of_element(t, task)).is_zero()) {
      task.poll();
      t = t * H.random_element(rng);
    }
    return Plan{x, H, *classes, std::move(t), D};
  }
  return std::nullopt;
}

std::optional<Plan> find_plan(const CharacterTable& table, std::size_t row, const Task& task) {
  for (const auto& orbit : orbits(table.group().degree(), table.group().generators()))
    if (orbit.size() > 1)
      if (auto plan = plan_at(orbit[0], table, row, task)) return plan;
  return std::nullopt;
}

/// A few random elements that generate the group.
std::vector<Permutation> few_generators(const FiniteGroup& D, const Task& task) {
  constexpr int most_trials = 20;
  Rng rng(2);
  for (std::size_t count = 2;; ++count)
    for (int trial = 0; trial < most_trials; ++trial) {
      task.poll();
      std::vector<Permutation> generators;
      for (std::size_t k = 0; k < count; ++k) generators.push_back(D.random_element(rng));
      if (generates(D, generators, task)) return generators;
    }
}

/// One random combination in both lists: of the matrices, a product of two and one of so many. Without the last all
/// combinations may be self-adjoint for one alternating form, and then no eigenvalue is single.
std::pair<ModularMatrix, ModularMatrix> random_word(const std::vector<ModularMatrix>& A,
                                                    const std::vector<ModularMatrix>& B, std::size_t length, Rng& rng) {
  const std::uint64_t p = A[0].prime();
  std::pair product{A[0], B[0]};
  for (std::size_t step = 1; step < length; ++step) {
    const std::size_t k = rng.below(A.size());
    product = {product.first * A[k], product.second * B[k]};
  }
  std::uint64_t c = rng.below(p), d = rng.below(p);
  std::pair word{c * (A[0] * A[1]) + d * product.first, c * (B[0] * B[1]) + d * product.second};
  for (std::size_t i = 0; i < A.size(); ++i) {
    c = rng.below(p);
    word = {word.first + c * A[i], word.second + c * B[i]};
  }
  return word;
}

ModularMatrix eigenvectors(const ModularMatrix& M, std::uint64_t value) {
  return (M - value * ModularMatrix::identity(M.prime(), M.rows())).kernel().transpose();
}

/// For irreducible matrices A and B modulo p with the same traces: a vector that some word of A has as its only eigenvector, and the one of the
/// same word of B; nothing if none was found.
std::optional<std::pair<ModularMatrix, ModularMatrix>> matching_vectors(const std::vector<ModularMatrix>& A,
                                                                        const std::vector<ModularMatrix>& B,
                                                                        const Task& task) {
  constexpr std::size_t most_words = 20;
  Rng rng(3);
  for (std::size_t trial = 0; trial < most_words; ++trial) {
    task.poll();
    const auto [left, right] = random_word(A, B, 3 + trial, rng);
    for (const std::uint64_t value : modular_roots(left.prime(), left.minimal_polynomial())) {
      task.poll();
      std::pair vectors{eigenvectors(left, value), eigenvectors(right, value)};
      if (vectors.first.cols() == 1 && vectors.second.cols() == 1) return vectors;
    }
  }
  return std::nullopt;
}

/// X with X B[i] = A[i] X over the field of the trace, with this trace, which is not 0. There must be one; A and B are irreducible, so that
/// nearly every prime serves: after most_failures that do not nothing is found.
class Intertwiner {
 public:
  Intertwiner(const std::vector<FieldMatrix>& A, const std::vector<FieldMatrix>& B, const Cyclotomic& trace,
              const AbelianField& L, const Task& task)
      : left_(A), right_(B), trace_(FieldMatrix(1, 1, std::vector{trace}).over(L)), field_(L), task_(task) {}

  std::optional<FieldMatrix> matrix() const {
    FieldLift lift(field_);
    std::optional<FieldMatrix> result;
    std::size_t failures = 0;
    take_prime_images(
        [&](std::size_t k) {
          return std::pair{prime(k), images_modulo(prime(k))};
        },
        [&](const auto& next) {
          if (next.second.empty()) return ++failures == most_failures;
          lift.add(next.first, next.second);
          const auto X = lift.candidate();
          if (X && is_right(*X)) result = X;
          return result.has_value();
        },
        task_);
    return result;
  }

 private:
  static constexpr std::size_t most_failures = 20;

  std::size_t dimension() const { return left_[0].rows(); }
  AbelianField::SplitPrime prime(std::size_t k) const {
    return elimination_prime(field_, k, dimension(), 2 * dimension());
  }
  /// The residues of the A and of the B, by embedding; empty if the prime divides a denominator.
  using Residues = std::vector<std::vector<ModularMatrix>>;
  std::pair<Residues, Residues> residues(const AbelianField::SplitPrime& prime) const {
    std::pair<Residues, Residues> result;
    result.first.resize(prime.roots.size());
    result.second.resize(prime.roots.size());
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const auto A = left_[i].reduce(prime), B = right_[i].reduce(prime);
      if (!A || !B) return {};
      for (std::size_t e = 0; e < prime.roots.size(); ++e) {
        result.first[e].push_back((*A)[e]);
        result.second[e].push_back((*B)[e]);
      }
    }
    return result;
  }
  /// X under every embedding; empty if the prime does not serve.
  std::vector<ModularMatrix> images_modulo(const AbelianField::SplitPrime& prime) const {
    const auto [A, B] = residues(prime);
    const auto traces = trace_.reduce(prime);
    const PrimeField field(prime.p);
    const auto word = [](std::uint64_t residue) { return static_cast<std::int64_t>(residue); };
    std::vector<ModularMatrix> result;
    for (std::size_t e = 0; traces && e < A.size(); ++e) {
      const auto X = up_to_a_factor(A[e], B[e]);
      PrimeField::Element sum = 0;
      for (std::size_t i = 0; X && i < dimension(); ++i) sum = field.add(sum, field.from(word((*X)(i, i))));
      if (sum == 0) return {};
      const auto factor = field.multiply(field.from(word((*traces)[e](0, 0))), field.inverse(sum));
      result.push_back(field.residue(factor) * *X);
    }
    return result;
  }
  /// It takes a basis of words on one of two matching vectors to the same words on the other.
  std::optional<ModularMatrix> up_to_a_factor(const std::vector<ModularMatrix>& A,
                                              const std::vector<ModularMatrix>& B) const {
    const auto seeds = matching_vectors(A, B, task_);
    if (!seeds) return std::nullopt;
    const auto words = spin(B, seeds->second, task_);
    if (!words || words->size() != dimension()) return std::nullopt;
    const auto vectors = [&](const std::vector<ModularMatrix>& matrices, const ModularMatrix& seed) {
      return horizontal_stack(apply_words(
          *words, seed, [&](std::size_t k, const ModularMatrix& X) { return matrices[k] * X; }, task_));
    };
    const auto inverse = vectors(B, seeds->second).inverse(task_);
    if (!inverse) return std::nullopt;
    return vectors(A, seeds->first) * *inverse;
  }
  bool is_right(const FieldMatrix& X) const {
    if (!(X.trace() == trace_(0, 0))) return false;
    for (std::size_t i = 0; i < left_.size(); ++i)
      if (!(X.times(right_[i], task_) == left_[i].times(X, task_))) return false;
    return true;
  }

  const std::vector<FieldMatrix>&left_, &right_;
  FieldMatrix trace_;
  AbelianField field_;
  const Task& task_;
};

/// Words h_1 t h_2 t ... for all elements, in a basis in which the generators have integral matrices, if one is found.
class ExtendedMatrices final : public MatrixNode {
 public:
  ExtendedMatrices(const FiniteGroup& G, Representation V, const Plan& plan, FieldMatrix T, const Task& task)
      : MatrixNode(G, V.dimension(), 1, T.field()),
        V_(std::move(V)),
        point_(plan.point),
        letters_(plan.stabilizer.generators()),
        T_(std::move(T)) {
    letters_.push_back(plan.t);
    find_steps();
    std::vector<FieldMatrix> images;
    for (const Permutation& s : G.generators()) {
      task.poll();
      images.push_back(word(s).over(field()));
    }
    IntegralForm form = integral_form(images, field(), task);
    if (form.matrices != images) {
      change_ = std::move(form.change);
      inverse_ = inverse(change_, task);
    }
    images_ = std::move(form.matrices);
  }

  Cyclotomic character(const Permutation& g) const override { return word(g).trace(); }
  /// A vector of V in the basis.
  FieldMatrix coordinates(const FieldMatrix& v) const { return inverse_.rows() == 0 ? v : inverse_ * v; }
  std::string text(TextForm) const override { return matrices_text(images_); }

 private:
  /// Finds the step to every image of the point from one that is reached before it: under H as far as that goes, then
  /// under t.
  void find_steps() {
    constexpr std::size_t none = ~std::size_t{0};
    steps_.assign(group().degree(), none);
    steps_[point_] = 0;
    std::vector<Point> reached{point_};
    for (std::size_t closed = 0, moved = 0; closed < reached.size();) {
      for (; closed < reached.size(); ++closed)
        for (std::size_t k = 0; k + 1 < letters_.size(); ++k) reach(letters_[k](reached[closed]), k, reached);
      for (const std::size_t end = reached.size(); moved < end; ++moved)
        reach(letters_.back()(reached[moved]), letters_.size() - 1, reached);
    }
  }
  void reach(Point y, std::size_t step, std::vector<Point>& reached) {
    if (steps_[y] != ~std::size_t{0}) return;
    steps_[y] = step;
    reached.push_back(y);
  }

  FieldMatrix matrix(const Permutation& g) const override {
    FieldMatrix W = word(g);
    return inverse_.rows() == 0 ? std::move(W) : inverse_ * W * change_;
  }
  /// In the basis of V.
  FieldMatrix word(const Permutation& g) const {
    std::optional<FieldMatrix> result;
    const auto append = [&](const FieldMatrix& M) { result = result ? *result * M : M; };
    Permutation rest = g, h = Permutation::identity(g.degree());
    while (rest(point_) != point_) {
      const std::size_t step = steps_[rest(point_)];
      rest = letters_[step].inverse() * rest;
      if (step + 1 < letters_.size()) {
        h = h * letters_[step];
        continue;
      }
      if (!h.is_identity()) append(V_.field_matrix(h));
      append(T_);
      h = Permutation::identity(g.degree());
    }
    h = h * rest;
    if (!result || !h.is_identity()) append(V_.field_matrix(h));
    return std::move(*result);
  }
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return transposed ? dense(g).transpose() * X : dense(g) * X;
  }

  Representation V_;  ///< a representation of H
  Point point_;
  std::vector<Permutation> letters_;  ///< generators of H, and t
  FieldMatrix T_;
  std::vector<std::size_t> steps_;
  FieldMatrix change_, inverse_;  ///< from the basis to that of V, and back; empty where they are the same
};

std::optional<IrreducibleRepresentation> found(const CharacterTable& table, std::size_t row, const Task& task) {
  const auto plan = find_plan(table, row, task);
  if (!plan) return std::nullopt;
  const CharacterTable own = character_table(plan->classes, task);
  const ClassFunction chi = restriction(ClassFunction::irreducible(table, row), own);
  std::size_t k = 0;
  while (k < own.size() && own.row(k) != chi.values()) ++k;
  if (k == own.size()) throw InternalError("extended_irreducible: the restriction is not in the table");
  const IrreducibleRepresentation of_stabilizer = irreducible_representation(own, k, task);
  const Representation& V = of_stabilizer.representation;
  const AbelianField characters = AbelianField::generated_by(table.row(row)),
                     L = AbelianField::compositum(V.field(), characters);
  std::vector<FieldMatrix> A, B;
  const Permutation back = plan->t.inverse();
  for (const Permutation& d : few_generators(plan->pair, task)) {
    task.poll();
    A.push_back(V.field_matrix(d).over(L));
    B.push_back(V.field_matrix(back * d * plan->t).over(L));
  }
  const Cyclotomic trace = table(row, table.classes().index_of_element(plan->t, task));
  auto T = Intertwiner(A, B, trace, L, task).matrix();
  if (!T) return std::nullopt;
  const auto matrices = std::make_shared<ExtendedMatrices>(table.group(), V, *plan, std::move(*T), task);
  MultiplicityOneSeed seed = of_stabilizer.seed;
  seed.vector = matrices->coordinates(seed.vector);
  return IrreducibleRepresentation{
      row, named_irreducible(Representation(matrices), table, row), std::move(seed),
      fmt::format("extended from the stabilizer of a point: {}", of_stabilizer.construction),
      L.degree() == characters.degree()};
}

}  // namespace

std::optional<IrreducibleRepresentation> extended_irreducible(const CharacterTable& table, std::size_t row,
                                                              const Task& task) {
  try {
    return found(table, row, task);
  } catch (const LimitError&) {  // of classes or matrices of the stabilizer; limits of the task are thrown again
    task.poll();
    return std::nullopt;
  }
}

}  // namespace intertwine
