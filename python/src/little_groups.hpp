// Conversions that bindings of space groups and of representations at wave vectors share.
#pragma once
#include <array>
#include <vector>

#include "bindings.hpp"
#include "intertwine/physics/little_group.hpp"

namespace intertwine::python {

struct OperationsTag {
  static constexpr auto name = nb::detail::const_name(
      "list[tuple[tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]], "
      "tuple[int | fractions.Fraction, int | fractions.Fraction, int | fractions.Fraction]]]");
};
struct WaveVectorLikeTag {
  static constexpr auto name = nb::detail::const_name("collections.abc.Sequence[int | fractions.Fraction | str]");
};

/// Twelfths as fractions.
nb::tuple in_edges(const std::array<int, 3>& twelfths);
/// [(W, w), ...]
nb::list operations_list(const std::vector<SpaceOperation>& operations);
/// \throws DomainError for what is not three rational numbers
std::array<Rational, 3> wave_vector(nb::handle k);

void bind_little_groups(nb::module_& m);  // little_groups.cpp: LittleGroup, MagneticSpaceGroup

}  // namespace intertwine::python
