// Names the operations of point groups.
#include "physics/point_operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"

namespace intertwine {

namespace {

using Kind = OperationLabel::Kind;

/// The key that places a class among the columns: which half of the table, then rotations about the main axis, half
/// turns, mirrors, then how far it turns.
using Place = std::tuple<unsigned, unsigned, std::uint64_t>;

/// A turn by k / n of a full one, in lowest terms, followed by a reflection across its axis if it is improper.
OperationLabel turn(bool proper, std::uint64_t k, std::uint64_t n) {
  const std::uint64_t g = std::gcd(k, n);
  k /= g, n /= g;
  OperationLabel label;
  if (proper) {
    label.kind = n == 1 ? Kind::identity : Kind::rotation;
  } else if (n <= 2) {
    label.kind = n == 1 ? Kind::reflection : Kind::inversion;
    return label;
  } else {
    label.kind = Kind::improper;
    if (k % 2 == 0) k += n;  // S3^5: five times a third, and a reflection
  }
  label.order = n;
  label.power = n == 1 ? 1 : k;
  return label;
}

/// Groups with several axes of order 3 and more.
class Polyhedral {
 public:
  explicit Polyhedral(const structure::PointGroup& symbol) : symbol_(symbol) {}

  OperationLabel label(const FieldMatrix& R, std::uint64_t order, const Integer& count) const {
    const bool proper = determinant_in_space(R) == Cyclotomic(1);
    const Cyclotomic twice_cosine = R.trace() + Cyclotomic(proper ? -1 : 1);
    std::uint64_t k = 0;
    const auto n = static_cast<std::uint32_t>(order);
    const auto turned = [&](std::uint64_t by) {
      const Cyclotomic z = Cyclotomic::root_of_unity(n, static_cast<std::int64_t>(by));
      return z + z.conjugate() == twice_cosine;
    };
    while (!turned(k))
      if (2 * ++k > order) throw InternalError("point_group_table: an operation that is no turn");
    if (chiral() && 2 * k != 0 && 2 * k != n && turns_backwards(R)) k = n - k;
    OperationLabel label = turn(proper, k, n);
    label.count = count;
    const bool few = count == 3;  // half turns and mirrors of the axes of order 4
    if (label.kind == Kind::rotation && label.order == 2 && symbol_.family == 'O' && !few) label.primes = 1;
    if (label.kind == Kind::reflection && symbol_.family != 'I') label.suffix = few ? 'h' : 'd';
    return label;
  }

  /// Printed tables disagree on the polyhedral groups; this is the order of [Cotton 1990].
  Place place(OperationLabel label) const {
    label.count = 1;
    const std::string name = " " + to_string(label) + " ";
    const std::string family = std::string(1, symbol_.family) + (symbol_.suffix ? std::string(1, symbol_.suffix) : "");
    for (const auto& [group, order] : orders)
      if (family == group) return {0, 0, order.find(name)};
    throw InternalError("point_group_table: a group without an order of its operations");
  }

 private:
  static constexpr std::pair<const char*, std::string_view> orders[] = {{"T", " E C3 C3² C2 "},
                                                                        {"Td", " E C3 C2 S4 σd "},
                                                                        {"Th", " E C3 C3² C2 i S6 S6⁵ σh "},
                                                                        {"O", " E C4 C2 C3 C2' "},
                                                                        {"Oh", " E C3 C2' C4 C2 i S4 S6 σh σd "},
                                                                        {"I", " E C5 C5² C3 C2 "},
                                                                        {"Ih", " E C5 C5² C3 C2 i S10 S10³ S6 σ "}};

  /// In T and Th turns by thirds about a corner of the tetrahedron, seen from there, are in two classes.
  bool chiral() const { return symbol_.family == 'T' && symbol_.suffix != 'd'; }
  /// The axis, times the sine of the angle, has a positive product of coordinates towards the corners.
  static bool turns_backwards(const FieldMatrix& R) {
    const Cyclotomic product = (R(2, 1) - R(1, 2)) * (R(0, 2) - R(2, 0)) * (R(1, 0) - R(0, 1));
    return product.sign() < 0;
  }

  const structure::PointGroup& symbol_;
};

/// Groups that leave the axis z where it is.
class Axial {
 public:
  Axial(const structure::PointGroup& symbol, const std::vector<FieldMatrix>& matrices) : symbol_(symbol) {
    steps_ = static_cast<std::uint32_t>(2 * std::max<std::uint64_t>(symbol.n, 1) * (symbol.suffix == 'd' ? 2 : 1));
    for (std::uint32_t k = 0; k < steps_; ++k) angles_.emplace(Cyclotomic::root_of_unity(steps_, k), k);
    for (const FieldMatrix& R : matrices) {
      const bool minus = R(2, 2) == Cyclotomic(-1);
      inversion_ = inversion_ || (minus && R(0, 0) == Cyclotomic(-1) && R(1, 1) == Cyclotomic(-1));
      mirror_ = mirror_ || (minus && R(0, 0) == Cyclotomic(1) && R(1, 1) == Cyclotomic(1));
    }
  }

  PointGroupTable::Column column(std::size_t number, const FieldMatrix& R, const Integer& count, Place& place) const {
    const bool up = R(2, 2) == Cyclotomic(1);
    const bool turns = R(1, 0) == -R(0, 1) && R(0, 0) == R(1, 1);  // in the plane; otherwise it reflects
    const bool proper = up == turns;
    const bool second = !proper && (inversion_ || mirror_);
    // How far the product with the inversion or the mirror turns, or where a reflection in the plane takes x.
    std::uint64_t k = angles_.at(R(0, 0) + Cyclotomic::root_of_unity(4) * R(1, 0));
    OperationLabel label;
    if (turns) {
      const auto folded = [&](std::uint64_t angle) {
        angle %= steps_;
        return reflects() ? std::min(angle, (steps_ - angle) % steps_) : angle;
      };
      // The label has the least of the odd and even powers that name an improper turn and its inverse.
      label = turn(proper, k, steps_);
      if (reflects())
        if (const OperationLabel inverse = turn(proper, steps_ - k, steps_); inverse.power < label.power)
          label = inverse;
      place = {second, 0, folded(k + (second && inversion_ ? steps_ / 2 : 0))};
      if (label.kind == Kind::reflection) label.suffix = 'h';
    } else {
      label = across(proper, is_first(k));
      if (second && inversion_) k = (k + steps_ / 2) % steps_;          // in the order of the half turns
      const bool y_before_x = symbol_.family == 'D' && symbol_.n == 2;  // as B2 before B3
      place = {second, proper || second ? 1 : 2, is_first(k) == y_before_x ? 1 : 0};
    }
    if (symbol_.family == 'D' && symbol_.n == 2 && symbol_.suffix != 'd') name_by_axes(label, R);
    label.count = count;
    return {number, label};
  }

 private:
  bool reflects() const { return symbol_.family == 'D' || symbol_.suffix == 'v'; }
  /// Half turns about axes in the plane, and mirrors through the main axis.
  OperationLabel across(bool proper, bool first) const {
    OperationLabel label;
    const std::uint64_t n = symbol_.n;
    if (proper) {
      label.kind = Kind::rotation;
      label.order = 2;
      if (n % 2 == 0) label.primes = first ? 1 : 2;
      return label;
    }
    label.kind = Kind::reflection;
    label.suffix = symbol_.suffix == 'd' || (n % 2 == 0 && !first) ? 'd' : 'v';
    if (n == 2 && symbol_.suffix == 'v') {
      label.suffix = 'v';
      label.primes = first ? 0 : 1;
      label.axes = first ? "xz" : "yz";
    }
    return label;
  }
  /// Is a reflection of the plane that takes x to the angle k / steps in the class of the axis x? Those at even multiples of
  /// 2 pi / n are, of which there are n/2.
  bool is_first(std::uint64_t k) const {
    return symbol_.n % 2 != 0 || symbol_.suffix == 'd' || k * (symbol_.n / 2) % steps_ == 0;
  }
  static void name_by_axes(OperationLabel& label, const FieldMatrix& R) {
    const auto stays = [&](std::size_t i) { return R(i, i) == Cyclotomic(1); };
    constexpr std::string_view lines[] = {"x", "y", "z"}, planes[] = {"yz", "xz", "xy"};
    if (label.kind != Kind::rotation && label.kind != Kind::reflection) return;
    const bool line = label.kind == Kind::rotation;
    for (std::size_t i = 0; i < 3; ++i)
      if (stays(i) == line) label.axes = line ? lines[i] : planes[i];
    label.primes = 0;
    label.suffix = 0;
  }

  const structure::PointGroup& symbol_;
  std::uint32_t steps_ = 2;
  std::unordered_map<Cyclotomic, std::uint64_t> angles_;
  bool inversion_ = false, mirror_ = false;
};

std::string superscript(std::uint64_t k) {
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(k)) text += digits[c - '0'];
  return text;
}

}  // namespace

std::string to_string(const OperationLabel& label) {
  std::string text = label.count == 1 ? "" : label.count.str();
  switch (label.kind) {
    case Kind::identity:
      return text + (label.full_turn ? "R" : "E");
    case Kind::inversion:
      return text + (label.full_turn ? "iR" : "i");
    case Kind::reflection:
      text += "σ";
      break;
    case Kind::rotation:
      text += "C" + std::to_string(label.order);
      break;
    case Kind::improper:
      text += "S" + std::to_string(label.order);
      break;
  }
  if (label.suffix != 0) text += label.suffix;
  if (label.power != 1) text += superscript(label.power);
  text += std::string(label.primes, '\'');
  if (label.full_turn) text += "R";
  return label.axes.empty() ? text : fmt::format("{}({})", text, label.axes);
}

Cyclotomic determinant_in_space(const FieldMatrix& R) {
  return R(0, 0) * (R(1, 1) * R(2, 2) - R(1, 2) * R(2, 1)) - R(0, 1) * (R(1, 0) * R(2, 2) - R(1, 2) * R(2, 0)) +
         R(0, 2) * (R(1, 0) * R(2, 1) - R(1, 1) * R(2, 0));
}

std::vector<FieldMatrix> class_matrices(const CharacterTable& table, const Task& task) {
  const Representation V = cartesian_representation(table.group(), task);
  std::vector<FieldMatrix> matrices;
  for (std::size_t c = 0; c < table.size(); ++c) {
    task.poll();
    matrices.push_back(V.field_matrix(table.classes()[c].representative));
  }
  return matrices;
}

std::vector<PointGroupTable::Column> operation_columns(const CharacterTable& table,
                                                       const std::vector<FieldMatrix>& matrices) {
  const auto& symbol = *table.group().structure().as<structure::PointGroup>();
  const bool several_axes = symbol.family == 'T' || symbol.family == 'O' || symbol.family == 'I';
  std::optional<Axial> axial;
  if (!several_axes) axial.emplace(symbol, matrices);
  std::vector<std::pair<Place, PointGroupTable::Column>> placed;
  for (std::size_t c = 0; c < table.size(); ++c) {
    const auto& known = table.classes()[c];
    Place place;
    if (several_axes) {
      const Polyhedral polyhedral(symbol);
      const OperationLabel label = polyhedral.label(matrices[c], known.element_order, known.size);
      placed.emplace_back(polyhedral.place(label), PointGroupTable::Column{c, label});
    } else {
      const auto column = axial->column(c, matrices[c], known.size, place);
      placed.emplace_back(place, column);
    }
  }
  std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<PointGroupTable::Column> columns;
  for (std::size_t k = 0; k < placed.size(); ++k) {
    if (k > 0 && placed[k].first == placed[k - 1].first)
      throw InternalError("point_group_table: two classes of operations have one place");
    columns.push_back(placed[k].second);
  }
  return columns;
}

std::vector<PointGroupTable::Column> double_columns(const CharacterTable& table, const CharacterTable& base,
                                                    const std::vector<PointGroupTable::Column>& columns,
                                                    const Task& task) {
  const auto& lifts = *table.group().structure().as<structure::DoubleGroup>()->lifts;
  // Elements are numbered by where they take the first point: 2 k and 2 k + 1 lie over element k of the point group.
  std::vector<std::size_t> classes(table.group().degree()), below(lifts.elements.size());
  table.group().chain(task).for_each_element(
      [&](const Permutation& g) {
        classes[g(0)] = table.classes().index_of(g, task);
        return true;
      },
      task);
  for (std::size_t k = 0; k < below.size(); ++k) below[k] = base.classes().index_of(lifts.elements[k], task);
  std::vector<PointGroupTable::Column> result;
  for (const PointGroupTable::Column& column : columns)
    for (const std::size_t lift : {0U, 1U})
      for (std::size_t k = 0; k < below.size(); ++k) {
        const std::size_t number = classes[2 * k + lift];
        const auto is_known = [&](const auto& other) { return other.number == number; };
        if (below[k] != column.number || std::ranges::any_of(result, is_known)) continue;
        OperationLabel label = column.label;
        label.count = table.classes()[number].size;
        label.full_turn = lift == 1;
        result.push_back({number, label});
      }
  return result;
}

}  // namespace intertwine
