// A program of somebody else's, built against the installed package.
#include <intertwine/combinatorics/permutation.hpp>
#include <intertwine/error.hpp>
#include <intertwine/exact/integer.hpp>
#include <intertwine/version.hpp>
#include <iostream>
#include <string_view>

int main() {
  using namespace intertwine;
  const Permutation g = parse_permutation("(1,2,3)(4,5)");
  const bool version = std::string_view(INTERTWINE_VERSION) == EXPECTED_VERSION;
  bool refused = false;
  try {
    static_cast<void>(parse_permutation("(1,1)"));
  } catch (const ParseError& e) {  // exceptions cross the library's border as themselves
    refused = e.position() == 3;
  }
  const bool right = g.order() == 6 && g.power(7) == g && (g * g).to_string() == "(1,3,2)" &&
                     binomial(10, 5) == 252 && parse_rational("6/4") == Rational(3, 2);
  std::cout << "intertwine " << INTERTWINE_VERSION << ": the order of " << g.to_string() << " is "
            << g.order() << '\n';
  return version && refused && right ? 0 : 1;
}
