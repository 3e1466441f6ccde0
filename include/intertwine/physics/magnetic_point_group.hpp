// The 122 magnetic point groups by their symbols: point groups some of whose operations reverse time. [Litvin 2013]
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/groups/finite_group.hpp"

namespace intertwine {

/// A crystallographic point group by its international symbol (4mm, -42m, 32); nothing for other texts.
std::optional<FiniteGroup> crystal_class(std::string_view symbol);

struct MagneticPointGroup;
/// A crystallographic point group in axes that its symbol says, other than those of Nye's tables or these with a 1 where
/// nothing stands: 31m, 3m1, 312, 321, -31m, -3m1; 112, 121, 211, 11m, 1m1, m11, 112/m, 12/m1, 2/m11; 2mm, m2m, -4m2 and -62m. The
/// directions are x3, x1, x2 in trigonal, and otherwise those of magnetic_point_group. Nothing for other texts.
std::optional<MagneticPointGroup> class_with_axes(std::string_view symbol);

struct MagneticPointGroup {
  struct Operation {
    FieldMatrix matrix;  ///< 3 x 3, in Nye's axes
    bool reverses_time;
  };
  std::string symbol;  ///< the symbol as it was given
  /// The group of the operations without time reversal; of a symbol without 1' or primes all of it.
  FiniteGroup group;
  bool grey = false;                  ///< time reversal itself is there: 4/mmm1'
  std::vector<Operation> generators;  ///< one for each letter of the symbol, and 1' of a grey group
};

/// Reads a symbol: a prime behind what reverses time, 4'/mm'm, -3'm', m'm'm', or 1' at the end of a grey group, 4/mmm1' (1' alone is 11'), or neither. The
/// positions have their usual directions: x3, x1, [110] for 4..; x3, x1, x2 for 6..; x3, x1 for 3..; x1, x2, x3 for three of 2 and m;
/// x3, [111], [110] for cubic ones; x2 for 2, m and 2/m. So -4m2, -62m, 2mm and m2m are read as well, m3 and m3m as m-3 and m-3m.
/// \throws ParseError for what is no such symbol; DomainError if its primes contradict one another, as those of 3'
MagneticPointGroup magnetic_point_group(std::string_view symbol);

}  // namespace intertwine
