// Bases of Hom from the isotypic parts of both representations.
#include <algorithm>
#include <iterator>

#include "equivariant/hom_blocks.hpp"
#include "intertwine/characters/conjugates.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/field_traces.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t max_sparsified = 3'000'000;  ///< coordinates of a basis that is made sparse

/// Entries in row-major order as one row.
FieldMatrix flattened(const FieldMatrix& W) { return W.reshape(1, W.rows() * W.cols()); }

/// The reduced echelon basis of the row space, made sparse where it is not too large.
FieldMatrix sparsified(FieldMatrix A, const Task& task) {
  const AbelianField F = A.field();
  FieldMatrix echelon = reduced_echelon(A, task).matrix;
  if (echelon.field() != F) echelon = echelon.over(F);
  A = FieldMatrix();
  const std::size_t f = F.degree();
  return echelon.rows() * f * echelon.cols() * f > max_sparsified ? echelon : sparsify(echelon, task);
}

}  // namespace

const CharacterTable& IrreducibleCache::table(const Task& task) {
  if (!table_) table_ = character_table(group_, task);
  return *table_;
}

const IrreducibleRepresentation& IrreducibleCache::representation(std::size_t row, const Task& task) {
  const auto at = representations_.find(row);
  if (at != representations_.end()) return at->second;
  return representations_.emplace(row, irreducible_representation(table(task), row, task)).first->second;
}

IntertwinerSpace isotypic_basis(const Representation& V, const Representation& U, const AbelianField& F,
                                IrreducibleCache& irreducibles, const Task& task) {
  const std::size_t m = U.dimension(), n = V.dimension();
  if (m == 0 || n == 0) return {m, n, {}, F};
  const CharacterTable& table = irreducibles.table(task);
  const auto in = multiplicities(character_of(V, table, task)), out = multiplicities(character_of(U, table, task));
  std::vector<FieldMatrix> elements;
  std::vector<char> done(table.size(), 0);
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (in[i] == 0 || out[i] == 0 || done[i] != 0) continue;
    const IrreducibleRepresentation& R = irreducibles.representation(i, task);
    const auto a_count = static_cast<std::size_t>(in[i]), b_count = static_cast<std::size_t>(out[i]);
    const FieldMatrix from = projections(V, R, a_count, task), to = embeddings(U, R, b_count, task);
    const AbelianField L = AbelianField::compositum(F, AbelianField::compositum(from.field(), to.field()));
    const auto galois = automorphisms_over(L, F);
    const auto rows = conjugate_rows(table, i, galois);
    for (const std::size_t row : rows) done[row] = 1;
    const std::size_t d = R.representation.dimension();
    task.require_memory(100 * a_count * b_count * galois.size() * m * n * F.degree(), "the basis of a block");
    std::vector<FieldMatrix> found;
    for (std::size_t b = 0; b < b_count; ++b)
      for (std::size_t a = 0; a < a_count; ++a) {
        task.poll();
        FieldMatrix W = to.block(0, b * d, m, d) * from.block(a * d, 0, d, n);
        if (W.field() != L) W = W.over(L);
        for (const FieldMatrix& trace : traces_of_multiples(W, F)) found.push_back(flattened(trace));
      }
    // If conjugates of R are isomorphic to R, there are more traces than maps.
    if (rows.size() != galois.size()) {
      const FieldMatrix all = vertical_stack(found);
      found = {all.select_rows(reduced_echelon(all.transpose(), task).pivots)};
    }
    std::ranges::move(found, std::back_inserter(elements));
  }
  if (elements.empty()) return {m, n, {}, F};
  FieldMatrix all = vertical_stack(elements);
  elements.clear();
  const FieldMatrix basis = sparsified(std::move(all), task);
  std::vector<IntertwinerSpace::Element> result;
  for (std::size_t k = 0; k < basis.rows(); ++k)
    result.push_back(IntertwinerSpace::Element::of(basis.block(k, 0, 1, m * n)));
  return {m, n, std::move(result), F};
}

IntertwinerSpace equivariant_basis_by_isotypic(const Representation& V, const Representation& U, const Task& task) {
  require_one_group(V, U, "equivariant_basis_by_isotypic");
  IrreducibleCache irreducibles(V.group());
  return isotypic_basis(V, U, AbelianField::compositum(V.field(), U.field()), irreducibles, task);
}

}  // namespace intertwine
