// Names of the irreducible representations of point groups. [Mulliken 1955; Altmann & Herzig 1994]
#include <optional>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
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

/// Rows of double groups. Those that do not change under the turn by 2 pi are called as in the point group; the others by the least spin j in which they
/// occur: E1/2, F3/2, E5/2 of O. A and E, E and F, ... are rows of degree 1 and 2, ... and pairs of conjugate ones of half that degree.
class DoubleGroupNames {
 public:
  DoubleGroupNames(const CharacterTable::Data& data, const structure::DoubleGroup& group)
      : data_(data), n_(data.classes.size()), lifts_(*group.lifts), base_(point_group(group.base.symbol())) {
    for (std::size_t c = 0; c < n_; ++c) {
      const Point lift = data.classes[c].representative(0);
      elements_.push_back(lift / 2);
      halves_.push_back(lift % 2 == 0 ? lifts_.traces[lift / 2] : -lifts_.traces[lift / 2]);
    }
    turn_ = class_of_lift(1);
  }

  std::vector<RowLabel> labels(const Task& task) const {
    const CharacterTable table = character_table(base_, task);
    std::vector<RowLabel> result;
    for (std::size_t row = 0; row < n_; ++row)
      result.push_back(at(row, turn_) == at(row, 0) ? single_valued(row, table) : RowLabel(spinor(row, task)));
    return result;
  }

 private:
  const Cyclotomic& at(std::size_t row, std::size_t c) const { return data_.pool[data_.values[row * n_ + c]]; }
  /// The class of the element that takes the first point to this one.
  std::size_t class_of_lift(Point point) const {
    for (std::size_t c = 0; c < n_; ++c) {
      const Permutation& g = data_.classes[c].representative;
      if (data_.classes[c].size == 1 && g(0) == point) return c;
    }
    throw InternalError("character_table: a central element of a double group is in no class");
  }

  RowLabel single_valued(std::size_t row, const CharacterTable& table) const {
    for (std::size_t other = 0; other < table.size(); ++other) {
      bool same = true;
      for (std::size_t c = 0; c < n_ && same; ++c) {
        const Permutation& g = lifts_.elements[elements_[c]];
        same = at(row, c) == table(other, table.classes().index_of_element(g));
      }
      if (same) return table.label(other);
    }
    throw InternalError("character_table: a row of a double group is missing from the point group");
  }

  MullikenLabel spinor(std::size_t row, const Task& task) const {
    MullikenLabel label;
    const auto inversion = centre_inversion();
    const bool odd = inversion && at(row, *inversion) != at(row, 0);
    if (inversion) label.parity = odd ? 'u' : 'g';
    std::vector<Cyclotomic> before(n_, Cyclotomic(1)), spin = halves_;  // of spin j - 1/2 and j
    for (label.twice_spin = 1;; label.twice_spin += 2) {
      task.poll();
      if (label.twice_spin > 4 * lifts_.elements.size())
        throw InternalError("character_table: a row of a double group occurs in no spin");
      Cyclotomic sum;
      for (std::size_t c = 0; c < n_; ++c) {
        const int sign = odd ? lifts_.determinants[elements_[c]] : 1;
        sum += Cyclotomic(Rational(data_.classes[c].size * sign)) * at(row, c).conjugate() * spin[c];
      }
      if (sum != 0) break;
      for (int half = 0; half < 2; ++half)
        for (std::size_t c = 0; c < n_; ++c) {
          const Cyclotomic next = halves_[c] * spin[c] - before[c];
          before[c] = std::exchange(spin[c], next);
        }
    }
    label.member = member(row);
    long degree = at(row, 0).to_integer().convert_to<long>() * (label.member == 0 ? 1 : 2);
    label.letter = degree == 1 ? 'A' : degree == 2 ? 'E' : degree == 4 ? 'F' : 'I';
    return label;
  }

  /// 0 for rows with real values; of two conjugate ones 1 for the one whose first value that is not real lies in the upper half-plane.
  unsigned member(std::size_t row) const {
    for (std::size_t c = 0; c < n_; ++c) {
      const Cyclotomic twice = Cyclotomic::root_of_unity(4, -1) * (at(row, c) - at(row, c).conjugate());
      if (twice != 0) return twice.sign() > 0 ? 1 : 2;
    }
    return 0;
  }

  /// The class of (-1, 1) where the point group has an inversion: of determinant -1 over the rotation by 0.
  std::optional<std::size_t> centre_inversion() const {
    for (std::size_t k = 0; k < lifts_.elements.size(); ++k)
      if (lifts_.determinants[k] < 0 && lifts_.traces[k] == Cyclotomic(2))
        return class_of_lift(static_cast<Point>(2 * k));
    return std::nullopt;
  }

  const CharacterTable::Data& data_;
  std::size_t n_, turn_ = 0;
  const structure::DoubleGroup::Lifts& lifts_;
  FiniteGroup base_;
  std::vector<std::size_t> elements_;  ///< the elements of the point group, one for each class
  std::vector<Cyclotomic> halves_;     ///< the character of spin 1/2
};

}  // namespace

std::vector<RowLabel> mulliken_labels(const CharacterTable::Data& data, const Task& task) {
  const GroupStructure& structure = data.classes.group().structure();
  if (const auto* symbol = structure.as<structure::PointGroup>()) return PointGroupNames(data, *symbol).labels();
  if (const auto* group = structure.as<structure::DoubleGroup>()) return DoubleGroupNames(data, *group).labels(task);
  return {};
}

}  // namespace intertwine
