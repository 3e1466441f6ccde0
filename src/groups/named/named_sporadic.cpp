// Sporadic simple groups in their smallest permutation actions.
#include "groups/named/named_sporadic_generators.hpp"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "groups/named/named_sporadic_large.hpp"
#include "groups/named/named_support.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace {

using named::permutation_by;

std::size_t power_mod(std::size_t x, unsigned exponent, std::size_t p) {
  std::size_t result = 1;
  for (unsigned i = 0; i < exponent; ++i) result = result * x % p;
  return result;
}

/// x -> f(x) on the residues modulo p, fixing infinity = p where `line` has it.
template <class F>
Permutation on_residues(std::size_t p, bool line, F f) {
  return permutation_by(line ? p + 1 : p, [&](std::size_t x) { return x == p ? p : f(x); });
}
Permutation shift(std::size_t p, bool line) {
  return on_residues(p, line, [p](std::size_t x) { return (x + 1) % p; });
}
/// x -> -1/x on the projective line over GF(p).
Permutation negative_inverse(std::size_t p) {
  return permutation_by(p + 1, [p](std::size_t x) {
    if (x == p) return std::size_t{0};
    if (x == 0) return p;
    return p - power_mod(x, static_cast<unsigned>(p - 2), p);
  });
}

/// x -> 4x^2 - 3x^7 modulo 11. With x -> x + 1 it generates M11, with x -> -1/x also M12 [Conway & Sloane,
/// ch. 10].
Permutation delta_11(bool line) {
  return on_residues(11, line, [](std::size_t x) { return (4 * x * x + 8 * power_mod(x, 7, 11)) % 11; });
}

/// x -> x^3/9 for squares x, 9x^3 for the others, modulo 23. With x -> x + 1 it generates M23, with x -> -1/x
/// also M24 [Conway & Sloane 1999, ch. 10]. 1/9 = 18.
Permutation delta_23(bool line) {
  return on_residues(23, line, [](std::size_t x) {
    const bool square = power_mod(x, 11, 23) <= 1;
    return power_mod(x, 3, 23) * (square ? 18 : 9) % 23;
  });
}

FiniteGroup from_cycles(std::string_view name, std::size_t degree, std::span<const char* const> cycles) {
  std::vector<Permutation> generators;
  for (const char* text : cycles) generators.push_back(parse_permutation(text, degree));
  return FiniteGroup::built_as(structure::Sporadic{std::string(name)}, degree, std::move(generators));
}

}  // namespace

FiniteGroup mathieu_10_group() {
  return FiniteGroup::with_known_order(
      10, {parse_permutation("(1,9,6,7,5)(2,10,3,8,4)", 10), parse_permutation("(1,10,7,8)(2,9,4,6)", 10)}, "M10", 720);
}

FiniteGroup sporadic_group(std::string_view name, const Task& task) {
  const auto built = [&](std::size_t degree, std::vector<Permutation> generators) {
    return FiniteGroup::built_as(structure::Sporadic{std::string(name)}, degree, std::move(generators));
  };
  if (name == "M11") return built(11, {shift(11, false), delta_11(false)});
  if (name == "M12") return built(12, {shift(11, true), negative_inverse(11), delta_11(true)});
  if (name == "M23") return built(23, {shift(23, false), delta_23(false)});
  if (name == "M24") return built(24, {shift(23, true), negative_inverse(23), delta_23(true)});
  if (name == "M22") return from_cycles(name, 22, named::m22_generators);
  if (name == "J1") return from_cycles(name, 266, named::j1_generators);
  if (name == "J2") return from_cycles(name, 100, named::j2_generators);
  if (name == "J3") return built(6156, named::janko_3_generators(task));
  if (name == "HS") return from_cycles(name, 100, named::hs_generators);
  if (name == "McL") return from_cycles(name, 275, named::mcl_generators);
  if (name == "Co3") return from_cycles(name, 276, named::co3_generators);
  if (name == "Co2") return built(2300, named::conway_2_generators());
  if (name == "Suz") return built(1782, named::suzuki_chain_generators(name, task));
  if (name == "He") return built(2058, named::binary_matrix_generators(name));
  if (name == "Fi22") return built(3510, named::binary_matrix_generators(name));
  if (name == "Ru") return built(4060, named::binary_matrix_generators(name));
  throw DomainError(
      fmt::format("sporadic_group: no group '{}'; there are M11 M12 M22 M23 M24 J1 J2 J3 HS McL Co3 Co2 Suz He Fi22 Ru",
                  name.substr(0, 40)));
}

}  // namespace intertwine
