// The labels of the rows of a character table, as data.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"

namespace intertwine {

/// The row is called by its place, k from 1: "X.3".
struct NumberLabel {
  std::size_t k;
  friend bool operator==(const NumberLabel&, const NumberLabel&) = default;
};

/// Sym(n), and rows of Alt(n) that are restrictions, of either of two conjugate partitions: "[3,1]".
struct ShapeLabel {
  Partition shape;
  friend bool operator==(const ShapeLabel&, const ShapeLabel&) = default;
};

/// One of the two halves of a restriction to Alt(n), shape its own conjugate: "[2,1]+" and "[2,1]-". With h the hook lengths of
/// the diagonal, + has (e + sqrt(e prod h)) / 2 on the first of the two columns where both differ.
struct HalfShapeLabel {
  Partition shape;
  int sign;
  friend bool operator==(const HalfShapeLabel&, const HalfShapeLabel&) = default;
};

/// G wr Sym(n): partitions of total weight n, each of an irreducible character of G by its row (from 0), without empty
/// ones: "([2,1],[1])" if G has two rows, "[2,1]_1 [1]_4" for more.
struct ShapesLabel {
  std::vector<std::pair<Partition, std::size_t>> parts;
  std::size_t rows;  ///< the number of rows of G, at least 2
  friend bool operator==(const ShapesLabel&, const ShapesLabel&) = default;
};

/// W(D_n): two partitions in either order, "{[2],[1]}"; equal ones belong to two rows, "{[2],[2]}+" and "{[2],[2]}-".
struct ShapePairLabel {
  Partition first, second;
  int sign;  ///< 1 or -1; 0 for different partitions
  friend bool operator==(const ShapePairLabel&, const ShapePairLabel&) = default;
};

/// Point groups: "A1g", "T2", "1E2", "B''"; their double groups also "E1/2", "F3/2u".
struct MullikenLabel {
  unsigned member = 0;  ///< the member of a pair of conjugate rows, 1 or 2; 0 for others
  char letter = 'A';
  std::uint64_t index = 0;  ///< 0: none
  char parity = 0;          ///< 'g', 'u' or 0
  unsigned primes = 0;
  unsigned twice_spin = 0;  ///< 2 j for rows of half-integral spin j, in the place of the index; 0 for others
  friend bool operator==(const MullikenLabel&, const MullikenLabel&) = default;
};

using RowLabel = std::variant<NumberLabel, ShapeLabel, HalfShapeLabel, ShapesLabel, ShapePairLabel, MullikenLabel>;

std::string to_string(const RowLabel& label);

}  // namespace intertwine
