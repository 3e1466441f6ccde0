// Names of groups from their construction.
#include "intertwine/groups/group_structure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "groups/named/named_support.hpp"

namespace intertwine {

std::string structure::PointGroup::symbol() const {
  std::string text(1, family);
  if (n != 0) text += std::to_string(n);
  if (suffix != 0) text += suffix;
  return text;
}

std::string structure::PointGroup::hermann_mauguin() const {
  if (family == 'T') return suffix == 0 ? "23" : suffix == 'd' ? "-43m" : "m-3";
  if (family == 'O') return suffix == 0 ? "432" : "m-3m";
  if (family == 'I') return suffix == 0 ? "532" : "m-3-5";
  if (n == 0) return suffix == 's' ? "m" : "-1";
  const std::string axis = std::to_string(n);
  const bool even = n % 2 == 0;
  // An axis with reflections in the plane across it, or with inversion: of n = 4k + 2 a rotation of order 2k + 1 remains.
  if (family == 'S') return "-" + (n % 4 == 0 ? axis : std::to_string(n / 2));
  if (family == 'C') {
    if (suffix == 0) return axis;
    if (suffix == 'v') return axis + (even ? "mm" : "m") == "2mm" ? "mm2" : axis + (even ? "mm" : "m");
    return even ? axis + "/m" : "-" + std::to_string(2 * n);
  }
  if (suffix == 0) return axis + (even ? "22" : "2");
  if (suffix == 'd') return even ? "-" + std::to_string(2 * n) + "2m" : "-" + axis + "m";
  return n == 2 ? "mmm" : even ? axis + "/mmm" : "-" + std::to_string(2 * n) + "m2";
}

namespace {

using namespace structure;

std::string text(const Generators& s) { return s.expression; }
std::string text(const Symmetric& s) { return fmt::format("S{}", s.n); }
std::string text(const Alternating& s) { return fmt::format("A{}", s.n); }
std::string text(const Cyclic& s) { return fmt::format("C{}", s.n); }
std::string text(const Dihedral& s) { return fmt::format("D{}", s.n); }
std::string text(const Dicyclic& s) {
  const bool quaternion = s.n >= 2 && (s.n & (s.n - 1)) == 0;
  return quaternion ? "Q" + to_string(Integer(s.n) * 4) : fmt::format("Dic{}", s.n);
}
std::string text(const SignedPermutations& s) { return fmt::format("B{}", s.n); }
/// SO(5,3) and SO+(4,3) are continuous; the finite groups have the sign of the form as GAP writes it.
std::string text(const Linear& s) {
  if (s.family.starts_with("SO"))
    return fmt::format("SO({},{},{})", s.family == "SO" ? 0 : s.family == "SO+" ? 1 : -1, s.n, s.q);
  return fmt::format("{}({},{})", s.family, s.n, s.q);
}
std::string text(const Sporadic& s) { return s.name; }
std::string text(const SmallGroup& s) { return fmt::format("SmallGroup({},{})", s.order, s.number); }
std::string text(const Weyl& s) { return fmt::format("W({}{})", s.type, s.rank); }
/// C3, D3 and S4 alone name other groups.
std::string text(const PointGroup& s) { return s.n != 0 && s.suffix == 0 ? "point(" + s.symbol() + ")" : s.symbol(); }
std::string text(const DoubleGroup& s) { return "double(" + s.base.symbol() + ")"; }
std::string text(const Grid& s) { return fmt::format("{}({},{})", s.kind, s.h, s.w); }
std::string text(const Pixels& s) { return fmt::format("pixels({},{},{})", s.kind, s.h, s.w); }
std::string text(const Rubik& s) { return fmt::format("Rubik({})", s.size); }

std::string text(const Product& s) {
  std::string name;
  for (std::size_t i = 0, run = 1; i < s.factors.size(); i += run) {
    const std::string& part = s.factors[i].group.name();
    for (run = 1; i + run < s.factors.size() && s.factors[i + run].group.name() == part;) ++run;
    if (run == 2) run = 1;  // C2 x C2 is as short as a power
    const bool bracket = part.find_first_of(run > 1 ? " ^:" : " ") != std::string::npos;
    name +=
        (name.empty() ? "" : " x ") + (bracket ? "(" + part + ")" : part) + (run > 1 ? fmt::format("^{}", run) : "");
  }
  return name.empty() ? "C1" : name;
}

/// The name of an operand of " wr ", in parentheses where the grammar needs them: `wr` binds tighter than `x` and
/// associates to the left.
std::string wreath_operand(const std::string& name, bool left) {
  int depth = 0;
  bool product = false;
  bool spaced = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '(') ++depth;
    if (name[i] == ')') --depth;
    if (depth != 0 || name[i] != ' ') continue;
    spaced = true;
    product = product || name.compare(i, 3, " x ") == 0;
  }
  return (left ? product : spaced) ? "(" + name + ")" : name;
}

std::string text(const Wreath& s) {
  return wreath_operand(s.base.name(), true) + " wr " + wreath_operand(s.top.name(), false);
}
std::string text(const ProductAction& s) { return "product_action(" + text(Wreath{s.base, s.top}) + ")"; }
std::string text(const Matrices& s) { return s.expression; }

}  // namespace

std::string to_string(const GroupStructure& structure) {
  return std::visit([](const auto& kind) { return text(kind); }, structure.value());
}

bool is_made_of_matrices(const FiniteGroup& G) {
  const auto factors = G.direct_factors();
  return G.structure().as<structure::Matrices>() != nullptr ||
         std::any_of(factors.begin(), factors.end(),
                     [](const FiniteGroup::Factor& factor) { return is_made_of_matrices(factor.group); });
}

}  // namespace intertwine
