#include "equivariant/isotypic_homs.hpp"

#include <algorithm>
#include <numeric>

#include "intertwine/error.hpp"
#include "representations/conjugates.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t max_sparsified = 3'000'000;  ///< coordinates of a basis that is made sparse

/// Entries in row-major order as one row.
FieldMatrix flattened(const FieldMatrix& W) { return W.reshape(1, W.rows() * W.cols()); }

/// The coordinates of the rows of A, all in one row each: the lattice that they generate over Z[a].
IntegerMatrix coordinate_lattice(const FieldMatrix& A) {
  const AbelianField& F = A.field();
  std::vector<IntegerMatrix> rows;
  Cyclotomic power = 1;
  for (std::size_t i = 0; i < F.degree(); ++i, power *= F.generator())
    rows.push_back((power * A).over(F).coefficients().numerator());
  return vertical_stack(rows);
}

/// Independent rows of short coordinates that span what the rows of A span over F.
FieldMatrix sparsified(const FieldMatrix& A, const Task& task) {
  const AbelianField& F = A.field();
  const FieldMatrix echelon = reduced_echelon(A, task).matrix.over(F);
  if (echelon.rows() * F.degree() * echelon.cols() * F.degree() > max_sparsified) return echelon;
  IntegerMatrix lattice = sparsify(coordinate_lattice(echelon), task);
  std::vector<std::size_t> order(lattice.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::pair<std::size_t, Integer>> cost;
  for (std::size_t i = 0; i < lattice.rows(); ++i) {
    const IntegerMatrix row = lattice.block(i, 0, 1, lattice.cols());
    cost.emplace_back(row.nonzeros(), row.height());
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return cost[a] < cost[b]; });
  // The pivots of the transposed matrix are the first independent rows, cheapest first.
  const FieldMatrix candidates(F, RationalMatrix(lattice.select_rows(order)), A.cols());
  return candidates.select_rows(reduced_echelon(candidates.transpose(), task).pivots);
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

std::vector<FieldMatrix> isotypic_homs(const Representation& V, const Representation& U,
                                       const AbelianField& F, IrreducibleCache& irreducibles,
                                       const Task& task) {
  const std::size_t m = U.dimension(), n = V.dimension();
  if (m == 0 || n == 0) return {};
  const CharacterTable& table = irreducibles.table(task);
  const auto in = multiplicities(character_of(V, table, task)),
             out = multiplicities(character_of(U, table, task));
  std::vector<FieldMatrix> elements;
  std::vector<char> done(table.size(), 0);
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (in[i] == 0 || out[i] == 0 || done[i] != 0) continue;
    const IrreducibleRepresentation& R = irreducibles.representation(i, task);
    const auto a_count = static_cast<std::size_t>(in[i]), b_count = static_cast<std::size_t>(out[i]);
    const IsotypicMaps from = isotypic_maps(V, R, a_count, task), to = isotypic_maps(U, R, b_count, task);
    const AbelianField L =
        AbelianField::compositum(F, AbelianField::compositum(from.projection.field(), to.inclusion.field()));
    const auto galois = automorphisms_over(L, F);
    const auto rows = conjugate_rows(table, i, galois);
    for (const std::size_t row : rows) done[row] = 1;
    const std::size_t d = R.representation.dimension();
    task.require_memory(100 * a_count * b_count * galois.size() * m * n * F.degree(), "the basis of a block");
    std::vector<FieldMatrix> found;
    for (std::size_t b = 0; b < b_count; ++b)
      for (std::size_t a = 0; a < a_count; ++a) {
        task.poll();
        FieldMatrix W = (to.inclusion.block(0, b * d, m, d) * from.projection.block(a * d, 0, d, n)).over(L);
        for (std::size_t k = 0; k < galois.size(); ++k) {
          if (k > 0) W = (L.generator() * W).over(L);
          FieldMatrix trace(L, m, n);
          for (const std::uint32_t sigma : galois) trace = trace + W.galois_conjugate(sigma).over(L);
          found.push_back(flattened(trace.over(F)));
        }
      }
    // Where conjugates of R are isomorphic to R there are more traces than maps.
    const FieldMatrix all = vertical_stack(found);
    if (rows.size() == galois.size()) {
      elements.push_back(all);
    } else {
      elements.push_back(all.select_rows(reduced_echelon(all.transpose(), task).pivots));
    }
  }
  if (elements.empty()) return {};
  const FieldMatrix basis = sparsified(vertical_stack(elements), task);
  std::vector<FieldMatrix> result;
  for (std::size_t k = 0; k < basis.rows(); ++k) {
    const FieldMatrix row = basis.block(k, 0, 1, m * n);
    result.push_back(FieldMatrix(F, RationalMatrix(row.coefficients().numerator()), m * n).reshape(m, n));
  }
  return result;
}

}  // namespace intertwine
