// Names of the irreducible representations of point groups. [Mulliken 1955; Altmann & Herzig 1994]
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "table_data.hpp"

namespace intertwine {

namespace {

/// Reads the characters of a table at elements given as permutations.
class PointGroupNames {
 public:
  PointGroupNames(const CharacterTable::Data& data, const structure::PointGroup& symbol)
      : data_(data), n_(data.classes.size()), symbol_(symbol), g_(data.classes.group().generators()) {}

  std::vector<RowLabel> labels() const {
    const char family = symbol_.family;
    if (family == 'T' || family == 'O' || family == 'I')
      return of_rows([&](std::size_t row) { return polyhedral(row); });
    if (symbol_.n == 0)  // one mirror, or the inversion
      return of_rows([&](std::size_t row) {
        const bool even = is_one(row, g_[0]);
        MullikenLabel label;
        if (symbol_.suffix == 's') label.primes = even ? 1 : 2;
        if (symbol_.suffix == 'i') label.parity = even ? 'g' : 'u';
        return label;
      });
    if (family == 'D' && symbol_.n == 2 && symbol_.suffix != 'd')
      return of_rows([&](std::size_t row) { return three_axes(row); });
    const Axial a = axial();
    return of_rows([&](std::size_t row) { return axial_label(row, a); });
  }

 private:
  const Cyclotomic& value(std::size_t row, const Permutation& g) const {
    return data_.pool[data_.values[row * n_ + data_.classes.index_of_element(g)]];
  }
  long degree(std::size_t row) const { return value(row, identity()).to_integer().convert_to<long>(); }
  Permutation identity() const { return Permutation::identity(data_.classes.group().degree()); }
  bool is_one(std::size_t row, const Permutation& g) const { return value(row, g) == Cyclotomic(1); }

  template <class F>
  std::vector<RowLabel> of_rows(F label) const {
    std::vector<RowLabel> result;
    for (std::size_t row = 0; row < n_; ++row) result.emplace_back(label(row));
    return result;
  }

  MullikenLabel polyhedral(std::size_t row) const {
    MullikenLabel label = symbol_.family == 'I'                            ? icosahedral(row)
                          : symbol_.family == 'T' && symbol_.suffix != 'd' ? tetrahedral(row)
                                                                           : cubic(row);
    if (symbol_.suffix == 'h') label.parity = value(row, g_.back()) == value(row, identity()) ? 'g' : 'u';
    return label;
  }

  static MullikenLabel called(char letter, std::uint64_t index = 0, unsigned member = 0) {
    MullikenLabel label;
    label.letter = letter;
    label.index = index;
    label.member = member;
    return label;
  }

  /// The two complex conjugate rows called E get the numbers 1 and 2, the one with exp(2 pi i / 3) first.
  MullikenLabel tetrahedral(std::size_t row) const {
    if (degree(row) == 3) return called('T');
    const Cyclotomic& turn = value(row, g_[0]);
    if (turn == Cyclotomic(1)) return called('A');
    return called('E', 0, turn == Cyclotomic::root_of_unity(3) ? 1 : 2);
  }

  /// By the quarter turn, in Td the improper one: trace 1 for A1 and T1.
  MullikenLabel cubic(std::size_t row) const {
    const long d = degree(row);
    if (d == 2) return called('E');
    const bool improper_turns = symbol_.suffix == 'd';
    std::size_t improper = 0;  // the class of quarter turns with a reflection, the only one of order 4 in Td
    while (improper_turns && data_.classes[improper].element_order != 4) ++improper;
    const Permutation& quarter = improper_turns ? data_.classes[improper].representative : g_[1];
    return called(d == 1 ? 'A' : 'T', is_one(row, quarter) ? 1 : 2);
  }

  /// T1 turns vectors: on the third generator, of order 5, it has the trace of the coordinates, on which proper rotations of T1g
  /// and T1u agree. Exchanging T1 and T2 is an automorphism of the table.
  MullikenLabel icosahedral(std::size_t row) const {
    const long d = degree(row);
    if (d != 3) return called(d == 1 ? 'A' : d == 4 ? 'G' : 'H');
    const bool vectors = value(row, g_[2]) == data_.classes.group().coordinates().matrices()[2].trace();
    return called('T', vectors ? 1 : 2);
  }

  /// D2 and D2h: B1, B2, B3 by the axis whose half turn stays: z, y, x.
  MullikenLabel three_axes(std::size_t row) const {
    const bool mirrors = symbol_.suffix == 'h';
    const Permutation z = mirrors ? g_[0] * g_[1] : g_[0], x = mirrors ? g_[1] * g_[2] : g_[1];
    const bool along_z = is_one(row, z), along_x = is_one(row, x);
    MullikenLabel label = along_z && along_x ? called('A') : called('B', along_z ? 1 : along_x ? 3 : 2);
    if (mirrors) label.parity = is_one(row, g_[0] * g_[1] * g_[2]) ? 'g' : 'u';
    return label;
  }

  // Axial groups: the powers of a main rotation r of order n, possibly s (a half turn or a mirror that inverts it), and
  // possibly an element c of order 2 that commutes with everything: the inversion, or the horizontal mirror, which is
  // told by primes.

  struct Axial {
    Permutation r;
    std::uint64_t n;
    std::optional<Permutation> s, c;
    bool primes = false;
  };

  Axial axial() const {
    const std::uint64_t n = symbol_.n;
    const char suffix = symbol_.suffix;
    if (n == 1) return {identity(), 1, {}, {}};
    if (n == 2 && suffix == 'v') return {g_[0] * g_[1], 2, g_[1], {}};
    Axial a{g_[0], n, {}, {}};
    if (symbol_.family == 'S' && n % 4 != 0) a = {g_[0].power(2), n / 2, {}, g_[0].power(n / 2)};
    if (suffix == 'd') {
      a.n = 2 * n;
      a.s = g_[0] * g_[1];  // a half turn
      if (n % 2 == 1) {
        const Permutation inversion = g_[0].power(n);
        a = {g_[0].power(2), n, inversion * g_[1], inversion};
      }
      return a;
    }
    if (suffix == 'v' || symbol_.family == 'D') a.s = g_[1];
    if (suffix == 'h') {
      const Permutation& mirror = g_.back();
      a.primes = n % 2 != 0;
      a.c = a.primes ? mirror : mirror * a.r.power(n / 2);
    }
    return a;
  }

  MullikenLabel axial_label(std::size_t row, const Axial& a) const {
    MullikenLabel label = main_part(row, a);
    if (!a.c) return label;
    const bool even = value(row, *a.c) == value(row, identity());
    if (a.primes)
      label.primes = even ? 1 : 2;
    else
      label.parity = even ? 'g' : 'u';
    return label;
  }

  MullikenLabel main_part(std::size_t row, const Axial& a) const {
    const Cyclotomic& turn = value(row, a.r);
    const bool linear = degree(row) == 1;
    if (linear && (turn == Cyclotomic(1) || turn == Cyclotomic(-1)))
      return called(turn == Cyclotomic(1) ? 'A' : 'B', !a.s ? 0 : is_one(row, *a.s) ? 1 : 2);
    const std::uint64_t kinds = (a.n - 1) / 2;
    const auto order = static_cast<std::uint32_t>(a.n);
    for (std::uint64_t k = 1; k <= kinds; ++k) {
      const Cyclotomic z = Cyclotomic::root_of_unity(order, static_cast<std::int64_t>(k));
      const std::uint64_t index = kinds == 1 ? 0 : k;
      if (!linear && turn == z + z.conjugate()) return called('E', index);
      if (linear && turn == z) return called('E', index, 1);
      if (linear && turn == z.conjugate()) return called('E', index, 2);
    }
    throw InternalError("character_table: a representation of a point group has no name");
  }

  const CharacterTable::Data& data_;
  std::size_t n_;
  structure::PointGroup symbol_;
  const std::vector<Permutation>& g_;
};

}  // namespace

std::vector<RowLabel> mulliken_labels(const CharacterTable::Data& data) {
  const auto* symbol = data.classes.group().structure().as<structure::PointGroup>();
  return symbol ? PointGroupNames(data, *symbol).labels() : std::vector<RowLabel>();
}

}  // namespace intertwine
