// Which method finds the maps between two summands, and the whole basis from these.
#include "intertwine/equivariant/basis_methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "equivariant/hom_blocks.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/representation_node.hpp"

namespace intertwine {

namespace {

/// Dimension from which isotypic components are faster than splitting into modules, where they are easy to have.
constexpr std::uint64_t least_isotypic = 100;

/// All irreducible representations of a symmetric group are at hand over Q, each with a seed.
bool has_specht_modules(const FiniteGroup& G, const Task& task) {
  return G.degree() <= 33 && G.chain(task).is_giant() && G.order() == factorial(G.degree());
}

BasisMethod method_over(const AbelianField& F, const Representation& V, const Representation& U, const Task& task) {
  if (!F.is_rational()) return BasisMethod::isotypic;
  if (V.is_monomial() && U.is_monomial()) return BasisMethod::orbitals;
  if (has_blocks(V, U, task)) return BasisMethod::induction;
  if (std::min(V.dimension(), U.dimension()) >= least_isotypic && has_specht_modules(V.group(), task))
    return BasisMethod::isotypic;
  return BasisMethod::splitting;
}

/// Hom(V, U) over F for V and U that are neither sums nor multiples.
IntertwinerSpace block_basis(const Representation& V, const Representation& U, const AbelianField& F,
                             IrreducibleCache& irreducibles, const Task& task, const IntertwinerOptions& options) {
  if (V.dimension() == 0 || U.dimension() == 0) return {U.dimension(), V.dimension(), {}, F};
  switch (method_over(F, V, U, task)) {
    case BasisMethod::orbitals:
      return IntertwinerSpace(equivariant_basis_by_orbitals(V, U, task), task);
    case BasisMethod::induction:
      return equivariant_basis_by_induction(V, U, task, options);
    case BasisMethod::isotypic:
      return isotypic_basis(V, U, F, irreducibles, task);
    default:
      return equivariant_basis_by_splitting(V, U, task, options);
  }
}

/// The summands of V one by one with their places, and the number of each among the different ones.
struct Summands {
  explicit Summands(const Representation& V) {
    V.node().append_places(0, placed);
    for (const auto& summand : placed) {
      std::size_t number = 0;
      while (number < different.size() && &different[number].node() != &summand.representation.node()) ++number;
      if (number == different.size()) different.push_back(summand.representation);
      numbers.push_back(number);
    }
  }
  std::vector<RepresentationNode::PlacedSummand> placed;
  std::vector<std::size_t> numbers;
  std::vector<Representation> different;
};

}  // namespace

void require_one_group(const Representation& V, const Representation& U, const char* operation) {
  if (!(V.group() == U.group()))
    throw DomainError(fmt::format("{}: the input representation belongs to {}, the output one to {}", operation,
                                  V.group().name(), U.group().name()));
}

IntertwinerSpace::Element IntertwinerSpace::Element::of(const FieldMatrix& W) {
  // [A_0 | A_1 | ...] as rows of coordinates, each of all entries in row-major order.
  const IntegerMatrix& all = W.coefficients().numerator();
  const std::size_t width = W.rows() * W.cols(), f = W.field().degree();
  std::vector<IntegerMatrix> flat;
  for (std::size_t c = 0; c < f; ++c) flat.push_back(all.block(0, c * W.cols(), W.rows(), W.cols()).reshape(1, width));
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < width; ++i)
    if (std::any_of(flat.begin(), flat.end(), [&](const IntegerMatrix& row) { return row.sign(0, i) != 0; }))
      places.push_back(i);
  return {{places.begin(), places.end()}, vertical_stack(flat).select_cols(places)};
}

BasisMethod basis_method(const Representation& V, const Representation& U, const Task& task) {
  require_one_group(V, U, "basis_method");
  return method_over(AbelianField::compositum(V.field(), U.field()), V, U, task);
}

OrbitalPattern equivariant_basis_by_orbitals(const Representation& V, const Representation& U, const Task& task) {
  require_one_group(V, U, "equivariant_basis_by_orbitals");
  for (const Representation* W : {&V, &U})
    if (!W->is_monomial())
      throw DomainError("equivariant_basis_by_orbitals: " + W->to_string() +
                        " is given by matrices and permutes no basis");
  // The random part of the construction can only leave classes apart that belong together; more patience joins them.
  for (unsigned patience = 16; patience <= 10'000; patience *= 8) {
    OrbitalPattern pattern(U.dimension(), V.dimension(), U.generator_images(), V.generator_images(), V.group().order(),
                           patience, task);
    if (pattern.check(task)) return pattern;
  }
  throw InternalError("equivariant_basis_by_orbitals: an orbital pattern does not commute");
}

IntertwinerSpace intertwiner_space(const Representation& V, const Representation& U, const Task& task,
                                   const IntertwinerOptions& options) {
  require_one_group(V, U, "intertwiner_space");
  const std::uint64_t m = U.dimension(), n = V.dimension();
  if (m > max_degree || n > max_degree)
    throw LimitError(fmt::format("intertwiner_space: {} x {} matrices have sides above 2^31 - 1", m, n));
  const AbelianField F = AbelianField::compositum(V.field(), U.field());
  IrreducibleCache irreducibles(V.group());
  const Summands in(V), out(U);
  std::map<std::pair<std::size_t, std::size_t>, std::vector<IntertwinerSpace::Element>> solved;
  std::vector<IntertwinerSpace::Element> elements;
  for (std::size_t t = 0; t < out.placed.size(); ++t)
    for (std::size_t s = 0; s < in.placed.size(); ++s) {
      const auto& [row_offset, B] = out.placed[t];
      const auto& [col_offset, A] = in.placed[s];
      if (A.dimension() == n && B.dimension() == m) return block_basis(A, B, F, irreducibles, task, options);
      const auto [at, fresh] = solved.try_emplace({out.numbers[t], in.numbers[s]});
      if (fresh) at->second = block_basis(A, B, F, irreducibles, task, options).elements();
      for (IntertwinerSpace::Element element : at->second) {
        for (std::uint64_t& place : element.place)
          place = (row_offset + place / A.dimension()) * n + col_offset + place % A.dimension();
        elements.push_back(std::move(element));
      }
    }
  return {m, n, std::move(elements), F};
}

}  // namespace intertwine
