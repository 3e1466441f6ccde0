// The words of help and completion about continuous and reductive groups.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/lie_expression.hpp"

namespace intertwine {

std::vector<std::string> names_of_continuous_commands() {
  return {"basis",   "tie",        "decompose",   "branch", "clebsch-gordan",
          "kernels", "symmetrize", "polynomials", "molien", "verify"};
}

std::string continuous_commands() {
  const std::vector<std::string> names = names_of_continuous_commands();
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

namespace {

struct ContinuousForm {
  std::string_view name, meaning, example;
};
constexpr ContinuousForm continuous_forms[] = {
    {"SO(n)", "rotations of R^n; SO3 is SO(3)", "SO(3)"},
    {"O(n)", "rotations and reflections of R^n", "O(3)"},
    {"SO+(p,q)", "the component of 1 of O(p,q); SO+(1,3): the proper Lorentz group, time first", "SO+(1,3)"},
    {"O(p,q)", "isometries of a form with p times + and then q times -", "O(1,3)"},
    {"SL(n), GL(n)", "matrices of determinant 1, and all invertible ones, on R^n", "SL(2)"},
    {"Sp(2n)", "isometries of an alternating form on R^2n", "Sp(4)"},
    {"SU(n), U(n)", "unitary matrices, on C^n", "SU(2)"},
    {"Spin(n)", "the double cover of SO(n), with spinors", "Spin(3)"},
    {"S5 x O(3)", "products with one another and with finite groups", "S5 x O(3)"},
    {"SE(n), E(n), ISpin(n)", "these with the translations of R^n, for kernels alone", "SE(3)"},
    {"R^2 : C4, R^3 : Oh", "finite groups that turn R^n, for kernels alone", "R^3 : Oh"}};

}  // namespace

std::string meanings_of_continuous_groups() {
  std::string text;
  for (const ContinuousForm& form : continuous_forms) text += fmt::format("{:<31}{}\n", form.name, form.meaning);
  return text;
}

std::vector<std::string> continuous_group_examples() {
  std::vector<std::string> examples;
  for (const ContinuousForm& form : continuous_forms) examples.emplace_back(form.example);
  return examples;
}

std::string known_continuous_groups() {
  return "SO(<n>)\nO(<n>)\nSO+(<p>,<q>)\nO(<p>,<q>)\nSL(<n>)\nGL(<n>)\nSp(<2n>)\nSU(<n>)\nU(<n>)\nSpin(<n>)"
         "\nS5 x O(3)";
}

std::string known_continuous_representations() {
  return "trivial\nvector\nadjoint\ndet\nparity\nharmonic(l)\nspinor\nspinor(+)\nspinor(-)\ndual(V)\nreal(V)"
         "\nrealform(V)\nsym(k, "
         "V)\nalt(k, V)\nschur([2,1], V)\nirrep([1,0])\nirrep([2,1] as "
         "partition)\nirrep(8)\nrep(@file.json)\n16x1o + 8x2e\nV + W\nV * "
         "W\nV^k\nk*V\nperm # vector";
}

std::string known_lie_groups() {
  return "SU(n) SL(n) U(n) GL(n)         on C^n; SL(n,q) with a prime power q is finite\n"
         "SO(n), Spin(n)                 the rotations of n axes and their double cover\n"
         "Sp(n)                          on C^n, n even\n"
         "G2 F4 E6 E7 E8                 the exceptional groups, simply connected\n"
         "Lie(A5), Lie(A2 x A1 x T1)     by type: the simply connected group, times a torus\n"
         "SU(3) x SU(2) x U(1)           products: Dynkin labels first, then charges\n";
}

std::string known_lie_representations() {
  return "irrep([1,1])                   highest weight in fundamental weights, Bourbaki's order, then "
         "charges\n"
         "irrep([2,1] as partition)      of SU SL U GL SO Spin Sp\n"
         "irrep(8), irrep(10*)           by the dimension, where there is one; 10bar is 10*\n"
         "8, 10bar, 3*3bar, 8^2          the same; of two numbers the first is a multiplicity, as in 2*8, "
         "unless it\n"
         "                               is a dimension as well; 1/2, 3/2, ... of SU(2) by the spin\n"
         "trivial, vector, adjoint       C^n (of G2 F4 E6 E7 E8: 7 26 27 56 248), the Lie algebra\n"
         "harmonic(l)                    harmonic polynomials of degree l, of SO(n) and Spin(n)\n"
         "spinor, spinor(+), spinor(-)   of SU(2), Spin(n) and the types B and D; spinor is both halves "
         "where there are two\n"
         "dual(R), sym(k, R), alt(k, R)  dual, symmetric and exterior powers\n"
         "schur([2,1], R)                Schur functors\n"
         "real(R)                        R over the real numbers: R and its conjugate, unless R has real "
         "matrices\n"
         "R + S, R * S, R^k, 3*R         sum, tensor product and power, multiple\n";
}

}  // namespace intertwine
