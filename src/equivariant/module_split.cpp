// Splits rational modules into cyclic ones, irreducible ones where they are found.
#include "equivariant/module_split.hpp"

#include <algorithm>

#include "equivariant/hom_blocks.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/modular_matrix.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/random_words.hpp"
#include "intertwine/representations/submodule.hpp"

namespace intertwine {

namespace {

constexpr std::size_t max_first_generators = 5;  ///< 2^5 sign patterns of the whole group are walked through

/// A vector in a small eigenspace of a subgroup.
struct Seed {
  Eigenspace eigenspace;
  RationalMatrix vector;  ///< a column of V
};

/// The module that a seed generates inside V, with its place there.
struct Found {
  CyclicModule module;
  RationalMatrix embedding;  ///< dim V x dim module
  Module action;
};

Found generated_module(const Module& V, const Seed& seed, const Task& task) {
  for (std::size_t attempt = 0;; ++attempt) {
    const auto words = V.spin(seed.vector, word_prime(attempt), task);
    if (!words) continue;  // the prime divides a denominator, which few primes do
    RationalMatrix B = horizontal_stack(V.spun(*words, seed.vector, task));
    try {
      Module S(submodule(V.representation(), FieldMatrix(B), {}, task));
      return {{seed.eigenspace, *words, S.generator_matrices()}, std::move(B), std::move(S)};
    } catch (const DomainError&) {  // an unlucky prime made the span too small: the generators lead out of it
      if (attempt > 50) throw InternalError("spinning a vector fails modulo every prime");
    }
  }
}

class Splitter {
 public:
  Splitter(const Module& V, const Task& task, const SplitOptions& options)
      : options_(options),
        V_(V),
        dual_(dual(V.representation())),
        task_(task),
        random_(V.generators(), V.representation().group().degree()),
        rest_(IntegerMatrix::identity(V.dimension())) {}

  std::vector<ModulePart> run() {
    std::vector<ModulePart> parts;
    while (rest_.rows() > 0) {
      task_.progress("splitting the module", V_.dimension() - rest_.rows(), V_.dimension());
      parts.push_back(part(smallest_module()));
    }
    return parts;
  }

 private:
  /// The vectors of `space` (rows) that h takes to `sign` times themselves.
  IntegerMatrix fixed(const IntegerMatrix& space, const Permutation& h, int sign) const {
    if (space.rows() == 0) return space;
    const RationalMatrix columns = space.transpose();
    const RationalMatrix moved = V_.apply(h, columns);
    const RationalMatrix difference = sign > 0 ? moved - columns : moved + columns;
    if (difference.is_zero()) return space;
    return null_space(difference, task_) * space;
  }

  /// A pattern of signs for elements, and the dimension modulo a prime of the space of vectors of the rest that
  /// they take to these multiples of themselves.
  struct Candidate {
    Eigenspace eigenspace;
    std::size_t dimension;
  };

  /// The pattern with the smallest space that is not zero.
  std::optional<Candidate> smallest_eigenspace(const std::vector<Permutation>& elements) const {
    const RationalMatrix columns = RationalMatrix(rest_).transpose();
    for (std::size_t k = 0;; ++k) {             // few primes divide a denominator
      const std::uint64_t p = double_prime(k);  // only dimensions are wanted, and quickly
      const auto here = ModularMatrix::reduce(p, columns);
      // Coefficients (rows) of the vectors of each space on the basis of the rest.
      std::vector<std::pair<Eigenspace, ModularMatrix>> spaces;
      spaces.emplace_back(Eigenspace{}, ModularMatrix::identity(p, rest_.rows()));
      bool lucky = here.has_value();
      for (std::size_t e = 0; e < elements.size() && lucky; ++e) {
        task_.poll();
        const auto moved = ModularMatrix::reduce(p, V_.apply(elements[e], columns));
        lucky = moved.has_value();
        std::vector<std::pair<Eigenspace, ModularMatrix>> next;
        for (std::size_t i = 0; i < spaces.size() && lucky; ++i)
          for (const int sign : {1, -1}) {
            task_.poll();
            const ModularMatrix difference = sign > 0 ? *moved - *here : *moved + *here;
            const ModularMatrix fixed_part = (difference * spaces[i].second.transpose()).kernel(task_);
            if (fixed_part.rows() == 0) continue;
            Eigenspace F = spaces[i].first;
            F.elements.push_back(elements[e]);
            F.signs.push_back(sign);
            next.emplace_back(std::move(F), fixed_part * spaces[i].second);
          }
        spaces = std::move(next);
      }
      if (!lucky) continue;
      const auto least = std::min_element(
          spaces.begin(), spaces.end(), [](const auto& a, const auto& b) { return a.second.rows() < b.second.rows(); });
      if (least == spaces.end()) return std::nullopt;
      return Candidate{least->first, least->second.rows()};
    }
  }

  /// A vector of the space in a small eigenspace of elements of the Hecke algebra e G e, e the projection on
  /// the space of vectors of these signs. \p space has rows.
  Seed refine(const Eigenspace& E, IntegerMatrix space) {
    // The operators live on the whole eigenspace within the rest of V; L pairs with it.
    if (space.rows() > 1 && space.rows() <= 60) {
      const IntegerMatrix L = eigenspace_lattice(dual_, E, task_);
      const RationalMatrix F = RationalMatrix(space).transpose();
      const RationalMatrix pairing = RationalMatrix(L) * F;
      IntegerMatrix kept = IntegerMatrix::identity(space.rows());
      for (int attempt = 0; attempt < 3 && kept.rows() > 1; ++attempt) {
        const Permutation g = random_.next();
        const RationalMatrix moved = RationalMatrix(L) * (V_.apply(g, F) + V_.apply(g.inverse(), F));
        const auto T = linear_solve(pairing, moved, task_);
        if (!T) throw InternalError("refine: the projection on an eigenspace does not exist");
        IntegerMatrix least = kept;
        for (const auto& [f, multiplicity] : irreducible_factors(characteristic_polynomial(*T, task_))) {
          const IntegerMatrix kernel_of_f = null_space(evaluate(f, *T), task_);
          const IntegerMatrix common = intersection(kept, kernel_of_f);
          if (common.rows() > 0 && common.rows() < least.rows()) least = common;
        }
        kept = least;
      }
      space = kept * space;
    }
    if (space.rows() > 1 && space.rows() <= 60) space = lll(saturate(space, task_));
    return {E, first_row(space)};
  }

  /// The first row of A as a column.
  static RationalMatrix first_row(const IntegerMatrix& A) {
    return RationalMatrix(A.block(0, 0, 1, A.cols())).transpose();
  }

  /// The common span of two spaces of rows.
  IntegerMatrix intersection(const IntegerMatrix& A, const IntegerMatrix& B) const {
    const std::vector<IntegerMatrix> both{A, B};
    const IntegerMatrix relations = null_space(RationalMatrix(vertical_stack(both)).transpose(), task_);
    if (relations.rows() == 0) return IntegerMatrix(0, A.cols());
    return relations.block(0, 0, relations.rows(), A.rows()) * A;
  }

  /// A cyclic submodule of the rest of V: irreducible if the search finds one. Subgroups are looked at modulo a
  /// prime; those that fix the fewest vectors are tried exactly.
  Found smallest_module() {
    std::vector<Candidate> candidates;
    std::size_t least = rest_.rows() + 1;
    for (int attempt = 0, idle = 0; attempt < options_.patience && idle < 4; ++attempt) {
      auto candidate = smallest_eigenspace(next_subgroup());
      if (!candidate) continue;
      idle = candidate->dimension < least ? 0 : idle + 1;
      least = std::min(least, candidate->dimension);
      candidates.push_back(std::move(*candidate));
      if (least == 1) break;
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.dimension < b.dimension; });
    std::optional<Found> best;
    int built = 0;
    for (const Candidate& candidate : candidates) {
      const Eigenspace& E = candidate.eigenspace;
      IntegerMatrix space = rest_;
      for (std::size_t i = 0; i < E.elements.size(); ++i) space = fixed(space, E.elements[i], E.signs[i]);
      if (space.rows() == 0 || (best && space.rows() >= best->module.dimension())) continue;
      const Seed seed = refine(E, space);
      if (best && spun_dimension(seed.vector) >= best->module.dimension()) continue;
      best = generated_module(V_, seed, task_);
      // One vector only: it lies in one constituent, which the group algebra over any field splits no further.
      if (space.rows() == 1 || split_by_endomorphisms(*best) || ++built == 3) break;
    }
    if (!best) {  // no subgroup with signs was met: any vector will do
      best = generated_module(V_, {{}, first_row(rest_)}, task_);
      split_by_endomorphisms(*best);
    }
    return std::move(*best);
  }

  std::size_t spun_dimension(const RationalMatrix& seed) const {
    for (std::size_t k = 0;; ++k)
      if (const auto words = V_.spin(seed, word_prime(k), task_)) return words->size();
  }

  /// The whole group first, then subgroups generated by one to three random elements.
  std::vector<Permutation> next_subgroup() {
    const std::size_t turn = turn_++;
    if (turn == 0 || whole_group_pays_) {
      whole_group_pays_ = false;
      if (V_.generators().size() <= max_first_generators) return V_.generators();
    }
    std::vector<Permutation> elements;
    const std::size_t count = 1 + turn % 3;
    while (elements.size() < count) {
      Permutation g = random_.next();
      // A power of prime order generates a small group with large fixed spaces; alternate.
      if (turn % 2 == 0 && !g.is_identity())
        g = g.power(g.order() / prime_divisors(g.order().convert_to<std::uint64_t>())[0]);
      elements.push_back(std::move(g));
    }
    return elements;
  }

  /// Replaces `found` by proper submodules as long as its endomorphisms show some. True if it is then known
  /// to be irreducible: its endomorphism ring is a field.
  bool split_by_endomorphisms(Found& found) {
    for (;;) {
      const auto End = homomorphisms(found.module, found.action, task_);
      if (End.size() == 1) return true;
      bool smaller = false;
      for (int attempt = 0; attempt < options_.endomorphisms_tried && !smaller; ++attempt) {
        RationalMatrix phi(found.module.dimension(), found.module.dimension());
        for (const RationalMatrix& e : End) phi = phi + small_number() * e;
        const auto factors = irreducible_factors(minimal_polynomial(phi, task_));
        if (factors.size() == 1 && factors.front().second == 1) {
          if (factors.front().first.size() == End.size() + 1) return true;
          continue;
        }
        const IntegerMatrix inside = least_kernel(factors, phi);
        smaller = shrink(found, inside);
      }
      if (!smaller) return false;
    }
  }

  /// -3 ... 3.
  Rational small_number() { return static_cast<long>(random_.rng().below(7)) - 3; }

  IntegerMatrix least_kernel(const std::vector<std::pair<Polynomial, unsigned>>& factors,
                             const RationalMatrix& phi) const {
    IntegerMatrix least = IntegerMatrix::identity(phi.rows());
    for (const auto& [f, multiplicity] : factors) {
      IntegerMatrix space = null_space(evaluate(f, phi), task_);
      if (space.rows() > 0 && space.rows() < least.rows()) least = std::move(space);
    }
    return least;
  }

  /// Goes over to the submodule generated by a vector of `inside` (rows, on the basis of `found`, a
  /// submodule) in found's own eigenspace. False if it is not smaller.
  bool shrink(Found& found, const IntegerMatrix& inside) {
    if (inside.rows() == found.module.dimension()) return false;
    IntegerMatrix space = (RationalMatrix(inside) * found.embedding.transpose()).numerator();
    const Eigenspace& E = found.module.eigenspace;
    for (std::size_t i = 0; i < E.elements.size(); ++i) space = fixed(space, E.elements[i], E.signs[i]);
    if (space.rows() == 0) return false;
    Found smaller = generated_module(V_, refine(E, space), task_);
    if (smaller.module.dimension() >= found.module.dimension()) return false;
    found = std::move(smaller);
    return true;
  }

  /// All projections of the rest of V on copies of the module, and the rest without these copies.
  ModulePart part(Found found) {
    ModulePart result{found.module, {}};
    const std::size_t d = found.module.dimension();
    whole_group_pays_ = d == 1;
    if (d == V_.dimension()) {  // V itself, on another basis
      result.projections.push_back(inverse(found.embedding, task_));
      rest_ = IntegerMatrix(0, d);
      return result;
    }
    const Module dual_module(dual(found.action.representation()));
    // Hom(V, S) = Hom(S*, V*) transposed.
    CyclicModule S = cyclic_dual(found, dual_module);
    std::vector<RationalMatrix> homs;
    for (const RationalMatrix& hom : homomorphisms(S, dual_, task_))
      homs.push_back(inverse(dual_basis_).transpose() * hom.transpose());
    const RationalMatrix rest_columns = RationalMatrix(rest_).transpose();
    std::vector<RationalMatrix> chosen_on_rest;
    const auto try_projection = [&](const RationalMatrix& projection) {
      std::vector<RationalMatrix> next = chosen_on_rest;
      next.push_back(projection * rest_columns);
      if (next.back().is_zero() || modular_rank(next) < d * next.size()) return;
      chosen_on_rest = std::move(next);
      result.projections.push_back(projection);
    };
    for (const RationalMatrix& hom : homs) try_projection(hom);
    // A reducible module may need a mixture of homomorphisms none of which is onto.
    for (int attempt = 0; result.projections.empty() && attempt < 100; ++attempt) {
      RationalMatrix mixture(d, V_.dimension());
      for (const RationalMatrix& hom : homs) mixture = mixture + small_number() * hom;
      try_projection(mixture);
    }
    if (result.projections.empty()) throw InternalError("split: no projection on a submodule was found");
    for (std::size_t k = 0; k < V_.generators().size(); ++k)
      for (const RationalMatrix& a : result.projections)
        if (!(dual_.apply(V_.generators()[k].inverse(), a.transpose()).transpose() == found.module.matrices[k] * a))
          throw InternalError("split: a projection does not commute");
    rest_ = null_space(vertical_stack(chosen_on_rest), task_) * rest_;
    if (rest_.rows() > 0 && rest_.rows() <= 60) rest_ = lll(saturate(rest_, task_));
    return result;
  }

  /// The dual module as a cyclic one, on words applied to a vector of the same signs; dual_basis_ receives the
  /// spun vectors as columns.
  CyclicModule cyclic_dual(const Found& found, const Module& dual_module) {
    const IntegerMatrix candidates = eigenspace_lattice(dual_module, found.module.eigenspace, task_);
    const std::size_t d = found.module.dimension();
    for (int attempt = 0; attempt < 100; ++attempt) {
      IntegerMatrix weights(1, candidates.rows());
      for (std::size_t i = 0; i < candidates.rows(); ++i)
        weights.set(0, i, attempt == 0 ? Integer(i == 0 ? 1 : 0) : numerator(small_number()));
      const RationalMatrix seed = RationalMatrix(weights * candidates).transpose();
      if (seed.is_zero()) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto words = dual_module.spin(seed, word_prime(k), task_);
        if (!words || words->size() != d) continue;
        CyclicModule S;
        S.eigenspace = found.module.eigenspace;
        S.words = *words;
        dual_basis_ = horizontal_stack(dual_module.spun(*words, seed, task_));
        const RationalMatrix basis_inverse = inverse(dual_basis_);
        for (const Permutation& g : V_.generators())
          S.matrices.push_back(basis_inverse * (dual_module.matrix(g) * dual_basis_));
        return S;
      }
    }
    throw InternalError("split: the dual of a cyclic module was not found to be cyclic");
  }

  const SplitOptions& options_;
  const Module& V_;
  Module dual_;
  const Task& task_;
  RandomElements random_;
  IntegerMatrix rest_;  ///< rows: a basis of what is not split off yet
  RationalMatrix dual_basis_;
  std::size_t turn_ = 0;
  bool whole_group_pays_ = true;
};

}  // namespace

std::vector<ModulePart> split(const Module& V, const Task& task, const SplitOptions& options) {
  // The rest of V and its columns, what an element makes of them, and the same modulo a prime.
  const std::uint64_t n = V.dimension();
  task.require_memory(64 * n * n, "the vectors of the module that is split");
  return Splitter(V, task, options).run();
}

namespace {

/// Hom(V, U) by splitting V. The elements are products b a of verified intertwiners a: V -> S, b: S -> U;
/// they are independent because the a are the rows of a regular matrix and the b of each S are independent.
std::vector<RationalMatrix> products_through_parts(const Representation& V, const Representation& U, const Task& task) {
  const Module source(V), target(U);
  std::vector<RationalMatrix> elements, all_projections;
  for (const ModulePart& part : split(source, task)) {
    const std::vector<RationalMatrix> homs = homomorphisms(part.module, target, task);
    std::vector<RationalMatrix> rows;
    for (const RationalMatrix& b : homs) rows.push_back(b.reshape(1, b.rows() * b.cols()));
    if (!rows.empty() && modular_rank(rows) != rows.size())
      throw InternalError("equivariant_basis_by_splitting: homomorphisms are dependent modulo a prime");
    task.require_memory(16 * homs.size() * part.projections.size() * V.dimension() * U.dimension(),
                        "the basis of a block");
    for (const RationalMatrix& a : part.projections) {
      all_projections.push_back(a);
      for (const RationalMatrix& b : homs) {
        task.poll();
        elements.push_back(b * a);
      }
    }
  }
  if (modular_rank(all_projections) != V.dimension())
    throw InternalError("equivariant_basis_by_splitting: the parts of a module do not make the whole");
  return elements;
}

/// Elements of the same space that are sparser and smaller, found on the places where some element is not zero.
std::vector<IntertwinerSpace::Element> sparsified(const std::vector<IntertwinerSpace::Element>& elements,
                                                  const Task& task) {
  constexpr std::size_t max_lattice = 150;  // elements; sparsify reduces lattices up to a little more
  std::vector<std::uint64_t> support;
  for (const auto& element : elements) support.insert(support.end(), element.place.begin(), element.place.end());
  std::sort(support.begin(), support.end());
  support.erase(std::unique(support.begin(), support.end()), support.end());
  IntegerMatrix all(elements.size(), support.size());
  for (std::size_t k = 0; k < elements.size(); ++k)
    for (std::size_t e = 0; e < elements[k].place.size(); ++e) {
      const auto at = std::lower_bound(support.begin(), support.end(), elements[k].place[e]);
      all.set(k, static_cast<std::size_t>(at - support.begin()), elements[k].value(0, e));
    }
  // From the echelon basis, so that the answer is a function of the space, not of the way to it; but where there are
  // too many elements for lattice reduction, from the short ones at hand.
  const FieldMatrix reduced =
      sparsify(all.rows() <= max_lattice ? reduced_echelon(all, task).matrix : RationalMatrix(std::move(all)), task);
  std::vector<IntertwinerSpace::Element> result;
  for (std::size_t k = 0; k < reduced.rows(); ++k) {
    result.push_back(IntertwinerSpace::Element::of(reduced.block(k, 0, 1, reduced.cols())));
    for (std::uint64_t& place : result.back().place) place = support[place];
  }
  return result;
}

}  // namespace

IntertwinerSpace equivariant_basis_by_splitting(const Representation& V, const Representation& U, const Task& task,
                                                const IntertwinerOptions& options) {
  require_one_group(V, U, "equivariant_basis_by_splitting");
  for (const Representation* W : {&V, &U})
    if (!W->field().is_rational())
      throw DomainError("equivariant_basis_by_splitting: " + W->to_string() + " is over " + W->field().to_string() +
                        ", not over Q; its maps are found by isotypic components");
  const std::uint64_t m = U.dimension(), n = V.dimension();
  std::vector<IntertwinerSpace::Element> elements;
  if (m == 0 || n == 0) return {m, n, {}};
  const bool split_source = n <= m;
  for (const RationalMatrix& W :
       split_source ? products_through_parts(V, U, task) : products_through_parts(dual(U), dual(V), task))
    elements.push_back(IntertwinerSpace::Element::of(split_source ? W : W.transpose()));
  const bool sparse = !elements.empty() && elements.size() <= options.max_sparsified / (m * n);
  IntertwinerSpace space(m, n, sparse ? sparsified(elements, task) : std::move(elements));
  if (sparse && first_that_does_not_commute(space, V, U, task))
    throw InternalError("equivariant_basis_by_splitting: a sparsified element does not commute");
  return space;
}

}  // namespace intertwine
