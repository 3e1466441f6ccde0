// The parts of answers for GAP, Sage and Magma: numbers, matrices, polynomials, and what they refer to.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/io/format.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

struct Automorphisms;
struct IrreducibleForms;

template <class List, class F>
std::string list_of(const List& list, std::string_view separator, F text) {
  std::string result;
  bool first = true;
  for (const auto& item : list) {
    if (!first) result += separator;
    first = false;
    result += text(item);
  }
  return result;
}

/// In quotation marks, with backslashes before these and before backslashes.
std::string quoted_words(const std::string& text);

/// The least common multiple of the conductors of the entries.
std::uint32_t conductor_of(const FieldMatrix& A);

/// Would every entry be a long sum of roots of unity, as the generator sqrt(-23) of a field is? In the matrices of
/// large representations the generator then has a name, and entries are coordinates at its powers.
bool has_long_entries(const Representation& V);

/// In GAP E(n)^k, in Sage E(n, k), in Magma a power of one root z of order n, which all conductors divide.
std::string system_number(Format system, const Cyclotomic& a, std::uint32_t n);
/// GAP: a list of lists; Sage: a matrix over Q where this is enough; Magma: one over K.
/// \param generator  a name for the generator of the field of A, in Sage and Magma; empty: entries are sums of roots
///                   of unity
std::string system_matrix(Format system, const FieldMatrix& A, std::uint32_t n, const Task& task = {},
                          std::string_view generator = {});
/// The matrix of rows that are text, "[1, 2], [3, 4]"; whether all entries are rational matters to Sage alone.
std::string system_matrix(Format system, const std::string& rows, bool rational);
/// The expression with what it uses: Sage's E, Magma's z and its field K.
std::string with_roots(Format system, const std::string& expression, std::uint32_t n);
/// The names of numbers in an expression, which are no E, z, K or G.
using NamedNumbers = std::vector<std::pair<std::string, Cyclotomic>>;
std::string with_roots(Format system, const std::string& expression, const NamedNumbers& names, std::uint32_t n);

/// The term c x^a as (c, a).
using SystemTerm = std::pair<Cyclotomic, Monomial>;
/// A polynomial in the variables of with_variables, constants too, if there are any.
std::string system_polynomial(Format system, std::span<const SystemTerm> terms, std::uint64_t variables,
                              std::uint32_t n);
/// The expression with its polynomial ring, and as with_roots: GAP: the list x of the indeterminates 1, 2, ...; Sage:
/// the ring P and its generators x; Magma: the ring P.
std::string with_variables(Format system, const std::string& expression, std::uint64_t variables, std::uint32_t n);

/// The group of automorphisms, as to_system(FiniteGroup) has groups. \throws InternalError unless it is a system, as
/// below
std::string system_of(Format system, const Automorphisms& found);
/// In Sage a list of pairs of a name and the matrices of the generators, in Magma of G-modules.
std::string system_of(Format system, const IrreducibleForms& forms, const Task& task);

}  // namespace intertwine
