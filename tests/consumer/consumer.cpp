// A program of somebody else's, built against the installed package.
#include <intertwine/intertwine.hpp>
#include <iostream>
#include <string_view>

int main() {
  using namespace intertwine;
  const Permutation g = parse_permutation("(1,2,3)(4,5)");
  const FiniteGroup mathieu_11(
      11, {parse_permutation("(1,2,3,4,5,6,7,8,9,10,11)"), parse_permutation("(3,7,11,8)(4,10,5,6)", 11)});
  const bool version = std::string_view(INTERTWINE_VERSION) == EXPECTED_VERSION;
  bool refused = false;
  try {
    static_cast<void>(parse_permutation("(1,1)"));
  } catch (const ParseError& e) {  // exceptions cross the library's border as themselves
    refused = e.position() == 3;
  }
  const bool right = g.order() == 6 && g.power(7) == g && (g * g).to_string() == "(1,3,2)" && binomial(10, 5) == 252 &&
                     parse_rational("6/4") == Rational(3, 2) && mathieu_11.order() == 7920 &&
                     !mathieu_11.contains(parse_permutation("(1,2)", 11));
  const hom::Group S4 = parse_group("S4");  // as the README shows it
  const auto V = parse_representation(S4, "64*perm^2"), U = parse_representation(S4, "128*perm^2");
  const auto basis = hom::equivariant_basis(V, U);
  const bool counted = basis.params() == 15 && basis.dimension() == 15 * 64 * 128;
  const auto corners = parse_representation(parse_finite_group("D4"), "perm");  // what docs/ship.md ships
  for (const char* path : {"corners.hpp", "corners.safetensors"})
    write_table(path, hom::equivariant_basis(corners, corners).table());
  std::cout << "intertwine " << INTERTWINE_VERSION << ": the order of M11 is " << mathieu_11.order() << '\n';
  return version && refused && right && counted ? 0 : 1;
}
