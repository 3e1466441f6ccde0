// The base and the kind of a symmetric or exterior power: its vectors are tensors.
#pragma once
#include <optional>

#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// sym(exponent, base) or alt(exponent, base).
template <class AnyRepresentation>
struct PowerOf {
  AnyRepresentation base;
  unsigned exponent;
  bool symmetric;
};
/// Nothing if V is written in another way; sym(1, V) is V.
///
/// The coordinates of a symmetric tensor T on the monomials e_{i1} ... e_{ik}, i1 <= ... <= ik, are its components times
/// the number of different orders of their indices, so that T_ij counts twice for i < j; those of an antisymmetric one
/// are its components.
std::optional<PowerOf<Representation>> power_of(const Representation& V);

}  // namespace intertwine
