// Character tables of point groups as chemists print them: classes of operations, species, functions that transform as these.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The rows of a table with Mulliken's names as real representations, a pair of conjugate rows together, in the order of printed
/// tables: gerade before ungerade and ' before '', then A, B, E, T, G, H, then the index; of double groups those of the
/// point group come before spinors, by their spin.
/// \throws DomainError unless the group is a named point group or the double group of one
std::vector<std::vector<std::size_t>> species_rows(const CharacterTable& table);
/// Mulliken's name of a species, without the numbers of conjugate rows.
MullikenLabel species_label(const CharacterTable& table, const std::vector<std::size_t>& rows);

/// A class of operations by what they do: "2C3", "C4³", "3σv", "2S6", "3C2''".
struct OperationLabel {
  enum class Kind { identity, rotation, reflection, inversion, improper };
  Kind kind = Kind::identity;
  Integer count = 1;                   ///< the size of the class
  std::uint64_t order = 1, power = 1;  ///< C3², S10³: turns by power / order
  char suffix = 0;                     ///< the suffix of σ: h, v, d
  unsigned primes = 0;
  std::string_view axes;   ///< "z" of C2(z), "xz" of σv(xz) where there are only such
  bool full_turn = false;  ///< of double groups: followed by the turn R by 2 pi, as C4R; with the identity R itself
  friend bool operator==(const OperationLabel&, const OperationLabel&) = default;
};
std::string to_string(const OperationLabel& label);

/// A polynomial in x, y, z, or a rotation Rx, Ry, Rz.
struct CartesianFunction {
  bool rotation = false;
  std::vector<std::pair<std::array<unsigned, 3>, Cyclotomic>> terms;  ///< exponents and their coefficients
};
/// Functions that span one copy of a species.
using FunctionSet = std::vector<CartesianFunction>;

struct PointGroupTable {
  struct Column {
    std::size_t number;  ///< the number of the class in `table`
    OperationLabel label;
  };
  struct Row {
    std::vector<std::size_t> rows;  ///< the rows of `table`: one, or two that are conjugate and added up here
    MullikenLabel label;
    std::vector<Cyclotomic> values;  ///< real, in the order of the columns
    std::vector<FunctionSet> linear, rotations, quadratic, cubic;
    std::string name() const { return to_string(RowLabel(label)); }
  };
  CharacterTable table;
  std::string schoenflies, hermann_mauguin;
  bool with_cubic = false;
  std::vector<Column> columns;
  std::vector<Row> rows;
};

/// The classes of a table of a named point group in the order of printed tables; of its double group each one or two
/// for a class there, C4 with the lift to SU(2) whose trace is not negative and then C4R. \throws DomainError for other
/// groups
std::vector<PointGroupTable::Column> printed_columns(const CharacterTable& table, const Task& task = {});

/// The table of a point group of any order: columns and rows in the order of printed tables [Cotton 1990, app. IIA; Atkins
/// et al. 2006]. Axes are those of cartesian_matrices (molecule.hpp). In Cnv, Dn and Dnh of even n, σv and C2' are those of the
/// plane xz and the axis x; in O and Oh, C2' are the half turns about diagonals.
///
/// The functions are found, not looked up: a polynomial belongs to a species if the span of its images under the group has the
/// character of copies of it, exactly. The functions that tables print are taken before other bases, where they fit.
/// Double groups have functions for the species of the point group, and none for spinors.
/// \param cubic  polynomials of degree 3 as well
/// \par Cost  O(classes) products of exact 3 x 3 matrices.
/// \throws DomainError unless G is a named point group or the double group of one
PointGroupTable point_group_table(const FiniteGroup& G, bool cubic = false, const Task& task = {});

}  // namespace intertwine
