// Facial reduction: a constraint <A, X> = 0 whose mean over the group is semidefinite holds X in a face [Borwein &
// Wolkowicz 1981].
// On every block X lives on the kernel of A there, exactly, and a block where A is definite is zero.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"
#include "intertwine/task.hpp"
#include "sdp/row_analysis.hpp"

namespace intertwine::sdp {

/// A block Z = P W P^T, P with orthonormal columns.
struct FaceMap {
  std::size_t rows = 0, columns = 0;
  std::vector<double> P;  ///< row-major
};

/// An exact symmetric matrix by its entries that are not zero.
using ExactBlock = std::map<std::pair<std::uint32_t, std::uint32_t>, Rational>;

struct FoundFaces {
  std::vector<FaceStep> steps;
  std::map<std::size_t, FaceMap> maps;  ///< of the blocks that became smaller
  /// The constraints that are left, as numbers of the list that was given, and what is said of each on the face,
  /// exactly; nothing where
  /// this is not known.
  std::vector<std::size_t> left;
  std::vector<std::optional<std::map<std::size_t, ExactBlock>>> forms;
};

/// \param sums     of the constraints, their means; \param b  right sides; \param problem  the same constraints in
/// doubles
/// \param numbers  the constraints before, for the steps
FoundFaces find_faces(const RowAnalysis& analysis, const std::vector<const OrbitSums*>& sums,
                      const std::vector<std::size_t>& numbers, const ReducedProblem& problem, const Task& task);

/// P^T A P on the blocks that became smaller; entries that rounding leaves of zeros are dropped.
std::vector<NumericEntry> restricted(const std::vector<NumericEntry>& A, const std::vector<ReducedBlock>& blocks,
                                     const std::map<std::size_t, FaceMap>& maps);

}  // namespace intertwine::sdp
