// Names of the irreducible representations of point groups. [Mulliken 1955; Altmann & Herzig 1994]
#include <charconv>
#include <numeric>
#include <optional>
#include <set>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "table_data.hpp"

namespace intertwine {

namespace {

/// The symbol of a group made by point_group: its name, without "point(...)"; nothing for other groups.
std::optional<std::string> point_group_symbol(const FiniteGroup& G) {
  static const std::set<std::string> fixed{"T", "Td", "Th", "O", "Oh", "I", "Ih", "Cs", "Ci"};
  std::string symbol = G.name();
  const bool wrapped = symbol.starts_with("point(") && symbol.ends_with(")");
  if (wrapped) symbol = symbol.substr(6, symbol.size() - 7);
  if (symbol.empty() || symbol.size() > 12) return std::nullopt;
  const bool axial = (symbol[0] == 'C' || symbol[0] == 'D') && std::string("vhd").find(symbol.back()) < 3;
  if (!wrapped && !axial && !fixed.contains(symbol)) return std::nullopt;
  try {
    if (!(point_group(symbol) == G)) return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
  return symbol;
}

/// Reads the characters of a table at elements given as permutations.
class PointGroupNames {
 public:
  PointGroupNames(const CharacterTable::Data& data, std::string symbol)
      : data_(data),
        n_(data.classes.size()),
        symbol_(std::move(symbol)),
        g_(data.classes.group().generators()) {}

  std::vector<std::string> names() {
    const std::string_view s = symbol_;
    if (s == "T" || s == "Th" || s == "O" || s == "Oh" || s == "Td" || s == "I" || s == "Ih")
      return polyhedral();
    if (s == "Cs") return {"A'", "A''"};
    if (s == "Ci") return {"Ag", "Au"};
    return axial();
  }

 private:
  const Cyclotomic& value(std::size_t row, const Permutation& g) const {
    return data_.pool[data_.values[row * n_ + data_.classes.index_of_element(g)]];
  }
  long degree(std::size_t row) const { return value(row, identity()).to_integer().convert_to<long>(); }
  Permutation identity() const { return Permutation::identity(data_.classes.group().degree()); }
  bool is_one(std::size_t row, const Permutation& g) const { return value(row, g) == Cyclotomic(1); }

  std::vector<std::string> polyhedral() {
    const bool with_inversion = symbol_.ends_with("h");
    std::vector<std::string> result;
    for (std::size_t row = 0; row < n_; ++row) {
      std::string name = symbol_[0] == 'I'                      ? icosahedral(row)
                         : symbol_[0] == 'T' && symbol_ != "Td" ? tetrahedral(row)
                                                                : cubic(row);
      if (with_inversion) name += value(row, g_.back()) == value(row, identity()) ? "g" : "u";
      result.push_back(std::move(name));
    }
    return result;
  }

  /// The two complex conjugate rows called E get the numbers 1 and 2, the one with exp(2 pi i / 3) first.
  std::string tetrahedral(std::size_t row) const {
    if (degree(row) == 3) return "T";
    const Cyclotomic& turn = value(row, g_[0]);
    if (turn == Cyclotomic(1)) return "A";
    return turn == Cyclotomic::root_of_unity(3) ? "1E" : "2E";
  }

  /// By the quarter turn, in Td the improper one: trace 1 for A1 and T1.
  std::string cubic(std::size_t row) const {
    const long d = degree(row);
    if (d == 2) return "E";
    std::size_t improper = 0;  // the class of quarter turns with a reflection, the only one of order 4 in Td
    while (symbol_ == "Td" && data_.classes[improper].element_order != 4) ++improper;
    const Permutation& quarter = symbol_ == "Td" ? data_.classes[improper].representative : g_[1];
    return std::string(d == 1 ? "A" : "T") + (is_one(row, quarter) ? "1" : "2");
  }

  /// T1 is the row with (1+sqrt(5))/2 on the first class of order 5; exchanging T1 and T2 is an automorphism of the
  /// table.
  std::string icosahedral(std::size_t row) const {
    const long d = degree(row);
    if (d == 1) return "A";
    if (d != 3) return d == 4 ? "G" : "H";
    std::size_t c = 0;
    while (data_.classes[c].element_order != 5) ++c;
    return data_.pool[data_.values[row * n_ + c]].sign() > 0 ? "T1" : "T2";
  }

  // Axial groups: the powers of a main rotation r of order n, possibly s (a half turn or a mirror that inverts it), and
  // possibly an element c of order 2 that commutes with everything: the inversion or the horizontal mirror.

  struct Axial {
    Permutation r;
    std::uint64_t n;
    std::optional<Permutation> s, c;
    const char* plus = "";
    const char* minus = "";
  };

  std::vector<std::string> axial() {
    const char family = symbol_[0];
    const char suffix = std::string("vhd").find(symbol_.back()) < 3 ? symbol_.back() : '\0';
    std::uint64_t n = 0;
    std::from_chars(symbol_.data() + 1, symbol_.data() + symbol_.size(), n);
    if (n == 1 || (n == 2 && suffix != 'd')) return small(family, suffix, n);
    Axial a{g_[0], n, {}, {}};
    if (family == 'S') {
      if (n % 4 != 0) a = {g_[0].power(2), n / 2, {}, g_[0].power(n / 2), "g", "u"};
      return named(a);
    }
    if (suffix == 'd') {
      a.n = 2 * n;
      a.s = g_[0] * g_[1];  // a half turn
      if (n % 2 == 1) {
        const Permutation inversion = g_[0].power(n);
        a = {g_[0].power(2), n, inversion * g_[1], inversion, "g", "u"};
      }
      return named(a);
    }
    if (suffix == 'v' || family == 'D') a.s = g_[1];
    if (suffix == 'h') {
      const Permutation& mirror = g_.back();
      const bool even = n % 2 == 0;
      a.c = even ? mirror * a.r.power(n / 2) : mirror;
      a.plus = even ? "g" : "'";
      a.minus = even ? "u" : "''";
    }
    return named(a);
  }

  std::vector<std::string> small(char family, char suffix, std::uint64_t n) {
    if (n == 1) return {"A"};
    const auto pair = [&](const Permutation& r, std::optional<Permutation> s, std::optional<Permutation> c) {
      return named({r, 2, std::move(s), std::move(c), "g", "u"});
    };
    if (family == 'C' && suffix == 'v') return pair(g_[0] * g_[1], g_[1], {});
    if (family == 'C') return pair(g_[0], {}, suffix == 'h' ? std::optional(g_[0] * g_[1]) : std::nullopt);
    const bool mirrors = suffix == 'h';
    const Permutation z = mirrors ? g_[0] * g_[1] : g_[0], x = mirrors ? g_[1] * g_[2] : g_[1];
    std::vector<std::string> result;
    for (std::size_t row = 0; row < n_; ++row) {
      std::string name = is_one(row, z) && is_one(row, x) ? "A"
                         : is_one(row, z)                 ? "B1"
                         : is_one(row, x)                 ? "B3"
                                                          : "B2";
      if (mirrors) name += is_one(row, g_[0] * g_[1] * g_[2]) ? "g" : "u";
      result.push_back(std::move(name));
    }
    return result;
  }

  std::vector<std::string> named(const Axial& a) const {
    std::vector<std::string> result;
    for (std::size_t row = 0; row < n_; ++row) {
      std::string name = main_part(row, a);
      if (a.c) name += value(row, *a.c) == value(row, identity()) ? a.plus : a.minus;
      result.push_back(std::move(name));
    }
    return result;
  }

  std::string main_part(std::size_t row, const Axial& a) const {
    const Cyclotomic& turn = value(row, a.r);
    const bool linear = degree(row) == 1;
    if (linear && (turn == Cyclotomic(1) || turn == Cyclotomic(-1)))
      return (turn == Cyclotomic(1) ? "A" : "B") + std::string(!a.s ? "" : is_one(row, *a.s) ? "1" : "2");
    const std::uint64_t kinds = (a.n - 1) / 2;
    const auto order = static_cast<std::uint32_t>(a.n);
    for (std::uint64_t k = 1; k <= kinds; ++k) {
      const Cyclotomic z = Cyclotomic::root_of_unity(order, static_cast<std::int64_t>(k));
      const std::string name = kinds == 1 ? "E" : "E" + std::to_string(k);
      if (!linear && turn == z + z.conjugate()) return name;
      if (linear && turn == z) return "1" + name;
      if (linear && turn == z.conjugate()) return "2" + name;
    }
    throw InternalError("character_table: a representation of a point group has no name");
  }

  const CharacterTable::Data& data_;
  std::size_t n_;
  std::string symbol_;
  const std::vector<Permutation>& g_;
};

}  // namespace

std::vector<std::string> mulliken_names(const CharacterTable::Data& data) {
  const auto symbol = point_group_symbol(data.classes.group());
  if (!symbol) return {};
  return PointGroupNames(data, *symbol).names();
}

}  // namespace intertwine
