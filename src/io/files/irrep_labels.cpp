// Finds the labels of representations in the tables of the package irreptables.
#include "intertwine/io/irrep_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/physics/molecule.hpp"
#include "intertwine/physics/space.hpp"
#include "io/containers/text.hpp"
#include "io/expressions/atom_words.hpp"

namespace intertwine {

namespace {

using LabelNumber = std::complex<double>;
using Spinor = std::array<LabelNumber, 4>;  // a 2 x 2 matrix, row by row
using IntegerRotation = std::array<std::array<int, 3>, 3>;

/// x -> W x + t.
struct TableOperation {
  IntegerRotation W;
  Vector3 t;
};

struct LabelTable {
  struct Point {
    Vector3 place;
    std::vector<std::size_t> chosen;  ///< numbers of operations
    std::vector<std::pair<std::string, std::vector<LabelNumber>>> irreps;
  };
  std::vector<TableOperation> operations;
  std::vector<Spinor> lifts;  ///< with spinors
  std::vector<Point> points;
};

/// Reads a table line by line.
class LabelTableReader {
 public:
  LabelTableReader(std::string_view text, std::string name, bool spinors)
      : name_(std::move(name)), rest_(text), spinors_(spinors) {}

  LabelTable read() {
    while (!at_end() && trimmed_line() != "symmetries=") next();
    if (at_end()) refuse("there is no line symmetries=");
    next();
    for (; !at_end() && !trimmed_line().empty(); next()) add_operation(words_of_line(trimmed_line()));
    for (; !at_end(); next()) {
      const std::string_view line = trimmed_line();
      if (line.starts_with("kpoint"))
        add_point(line);
      else if (!line.empty())
        add_irrep(words_of_line(line));
    }
    return std::move(table_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw FileError(fmt::format("{}: line {}: {}", name_, line_, why));
  }
  bool at_end() const { return rest_.empty(); }
  std::string_view trimmed_line() const {
    std::string_view line = rest_.substr(0, rest_.find('\n'));
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) line.remove_suffix(1);
    return line;
  }
  void next() {
    rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size() - 1) + 1);
    ++line_;
  }
  double number(std::string_view word) const {
    const auto value = decimal_number(word);
    if (!value || std::abs(*value) > 1e6) refuse(fmt::format("'{}' is no number of a table", shown(word, 20)));
    return *value;
  }

  void add_operation(const std::vector<std::string_view>& words) {
    if (words.size() < (spinors_ ? 20 : 12)) refuse("an operation has too few numbers");
    TableOperation g;
    for (std::size_t k = 0; k < 9; ++k) g.W[k / 3][k % 3] = static_cast<int>(std::lround(number(words[k])));
    for (std::size_t i = 0; i < 3; ++i) g.t[i] = number(words[9 + i]);
    table_.operations.push_back(g);
    if (!spinors_) return;
    Spinor lift;
    for (std::size_t k = 0; k < 4; ++k)
      lift[k] = std::polar(1.0, std::numbers::pi * number(words[16 + k])) * number(words[12 + k]);
    table_.lifts.push_back(lift);
  }
  /// "kpoint  A : 0.5 0.0 0.5  : 1 2".
  void add_point(std::string_view line) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string_view::npos) refuse("a wave vector is written 'kpoint NAME : x y z : numbers'");
    LabelTable::Point point;
    const auto place = words_of_line(line.substr(first + 1, second - first - 1));
    if (place.size() != 3) refuse("a wave vector has three coordinates");
    for (std::size_t i = 0; i < 3; ++i) point.place[i] = number(place[i]);
    for (const std::string_view word : words_of_line(line.substr(second + 1))) {
      const double k = number(word);
      if (k < 1 || k > static_cast<double>(table_.operations.size()))
        refuse(fmt::format("there is no operation {}", shown(word, 20)));
      point.chosen.push_back(static_cast<std::size_t>(k) - 1);
    }
    table_.points.push_back(std::move(point));
  }
  /// "X1 2   2.0 0.0   0.0 0.5": sizes, then angles in units of pi where some are not 0.
  void add_irrep(const std::vector<std::string_view>& words) {
    if (table_.points.empty()) refuse("a representation stands before the first wave vector");
    auto& [place, chosen, irreps] = table_.points.back();
    const std::size_t n = chosen.size();
    if (words.size() != 2 + n && words.size() != 2 + 2 * n)
      refuse(fmt::format("a representation has {} characters", n));
    std::vector<LabelNumber> values;
    for (std::size_t g = 0; g < n; ++g) {
      const double angle = words.size() == 2 + n ? 0 : number(words[2 + n + g]);
      values.push_back(std::polar(1.0, std::numbers::pi * angle) * number(words[2 + g]));
    }
    irreps.emplace_back(words[0], std::move(values));
  }

  std::string name_;
  std::string_view rest_;
  bool spinors_;
  std::size_t line_ = 1;
  LabelTable table_;
};

std::filesystem::path label_table_in(const std::filesystem::path& folder, unsigned number, bool spinors) {
  const std::string name = fmt::format("irreps-SG={}-{}.dat", number, spinors ? "spin" : "scal");
  std::error_code status;
  for (std::filesystem::recursive_directory_iterator at(folder, status), end; !status && at != end;
       at.increment(status))
    if (at->path().filename() == name) return at->path();
  throw FileError(
      fmt::format("{} has no file {}; labels are in the folder of the Python package irreptables (pip "
                  "install irreptables)",
                  shown_path(folder), name));
}

Vector3 rotated_place(const IntegerRotation& W, const Vector3& x) {
  Vector3 y{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) y[i] += W[i][j] * x[j];
  return y;
}
IntegerRotation label_product(const IntegerRotation& A, const IntegerRotation& B) {
  IntegerRotation C{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) C[i][j] += A[i][k] * B[k][j];
  return C;
}
Matrix3 in_doubles(const IntegerRotation& W) {
  Matrix3 A{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) A[i][j] = W[i][j];
  return A;
}
/// The inverse, which is integral as well.
IntegerRotation integral_inverse(const IntegerRotation& W) {
  const Matrix3 A = space::inverse(in_doubles(W));
  IntegerRotation B;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) B[i][j] = static_cast<int>(std::lround(A[i][j]));
  return B;
}
TableOperation in_edges_of_cell(const SpaceOperation& g) {
  return {g.W, {g.w[0] / 12.0, g.w[1] / 12.0, g.w[2] / 12.0}};
}

bool nearly_whole(double x) { return std::abs(x - std::round(x)) < 1e-3; }

/// A shift s of the origin in 24ths with t = w + (W - 1) s modulo translations for all operations.
Vector3 origin_of_table(const SpaceGroup& group, const LabelTable& table) {
  struct Condition {
    IntegerRotation moved;  // W - 1
    std::array<int, 3> wanted;
  };
  std::vector<Condition> conditions;
  for (const SpaceOperation& g : group.operations()) {
    const auto known = std::ranges::find_if(table.operations, [&](const TableOperation& h) { return h.W == g.W; });
    if (known == table.operations.end() || table.operations.size() != group.operations().size())
      throw DomainError("labels: the axes of this setting are not those of the usual one, in which the tables are");
    Condition c{g.W, {}};
    for (std::size_t i = 0; i < 3; ++i) {
      --c.moved[i][i];
      c.wanted[i] = static_cast<int>(std::lround(24 * known->t[i])) - 2 * g.w[i];
    }
    conditions.push_back(c);
  }
  const auto fits = [&](const Condition& c, const std::array<int, 3>& s) {
    return std::ranges::any_of(group.centring(), [&](const std::array<int, 3>& lattice) {
      for (std::size_t i = 0; i < 3; ++i) {
        int left = -c.wanted[i] - 2 * lattice[i];
        for (std::size_t j = 0; j < 3; ++j) left += c.moved[i][j] * s[j];
        if (left % 24 != 0) return false;
      }
      return true;
    });
  };
  for (int x = 0; x < 24; ++x)
    for (int y = 0; y < 24; ++y)
      for (int z = 0; z < 24; ++z) {
        const std::array<int, 3> s{x, y, z};
        if (std::ranges::all_of(conditions, [&](const Condition& c) { return fits(c, s); }))
          return {x / 24.0, y / 24.0, z / 24.0};
      }
  throw DomainError("labels: no shift of the origin takes this setting to the one of the tables");
}

/// cos(angle/2) - i sin(angle/2) n.sigma by the unit quaternion.
Spinor spinor_of_quaternion(const std::array<double, 4>& q) {
  return {LabelNumber(q[0], -q[3]), LabelNumber(-q[2], -q[1]), LabelNumber(q[2], -q[1]), LabelNumber(q[0], q[3])};
}
Spinor label_product(const Spinor& A, const Spinor& B) {
  return {A[0] * B[0] + A[1] * B[2], A[0] * B[1] + A[1] * B[3], A[2] * B[0] + A[3] * B[2], A[2] * B[1] + A[3] * B[3]};
}
Spinor spinor_adjoint(const Spinor& A) { return {std::conj(A[0]), std::conj(A[2]), std::conj(A[1]), std::conj(A[3])}; }
LabelNumber spinor_trace(const Spinor& A) { return A[0] + A[3]; }

/// Matrices on spinors in the Cartesian axes of a table.
class TableSpinors {
 public:
  TableSpinors(const SpaceGroup& group, const LabelTable& table) {
    using namespace space;
    const Matrix3 generic{{{10, 0.7, 0.3}, {0.7, 11, 0.9}, {0.3, 0.9, 13}}};
    Matrix3 metric{};
    for (const SpaceOperation& g : group.operations()) {
      const Matrix3 W = in_doubles(g.W), image = space::transpose(W) * generic * W;
      for (std::size_t i = 0; i < 3; ++i) metric[i] = metric[i] + image[i];
    }
    const Matrix3 edges = space::cell_of_metric(metric);
    // In the tables of hexagonal cells a is along y, and c against z.
    const Matrix3 exchange{{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}};
    for (const Matrix3& frame : {edges, edges * exchange}) {
      to_axes_ = space::transpose(frame);
      bool fits = true;
      for (std::size_t k = 0; fits && k < table.operations.size(); ++k) {
        const LabelNumber trace =
            spinor_trace(label_product(spinor_adjoint(table.lifts[k]), matrix(table.operations[k].W)));
        fits = std::abs(std::abs(trace) - 2) < 1e-3;
      }
      if (fits) return;
    }
    throw DomainError("labels: the Cartesian axes of the table of spinors are none of those that are known");
  }

  /// One of the two lifts of a rotation: the largest column of 4 q q^T is its quaternion [Rodrigues].
  Spinor matrix(const IntegerRotation& W) const {
    using namespace space;
    Matrix3 R = to_axes_ * in_doubles(W) * space::inverse(to_axes_);
    if (space::determinant(R) < 0) R = space::negative(R);
    const double trace = space::trace(R);
    std::array<std::array<double, 4>, 4> square;
    square[0][0] = 1 + trace;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      square[i + 1][i + 1] = 1 + 2 * R[i][i] - trace;
      square[0][i + 1] = square[i + 1][0] = R[k][j] - R[j][k];
      square[i + 1][j + 1] = square[j + 1][i + 1] = R[i][j] + R[j][i];
    }
    std::size_t largest = 0;
    for (std::size_t i = 1; i < 4; ++i)
      if (square[i][i] > square[largest][largest]) largest = i;
    std::array<double, 4> q;
    for (std::size_t i = 0; i < 4; ++i) q[i] = square[i][largest] / (2 * std::sqrt(square[largest][largest]));
    return spinor_of_quaternion(q);
  }
  /// exp(-i pi/n axis.sigma), as rotations of a LittleGroup are.
  Spinor of_turn(const SpinRotation& r) const {
    if (r.order == 1) return spinor_of_quaternion({1, 0, 0, 0});
    using namespace space;
    const Vector3 axis = unit(to_axes_ * Vector3{1.0 * r.axis[0], 1.0 * r.axis[1], 1.0 * r.axis[2]});
    const double angle = std::numbers::pi / r.order, s = std::sin(angle);
    return spinor_of_quaternion({std::cos(angle), s * axis[0], s * axis[1], s * axis[2]});
  }

 private:
  Matrix3 to_axes_;
};

/// Compares the representations of a little group with those of the wave vectors of a table.
class LabelSearch {
 public:
  LabelSearch(const LittleGroup& little, const SpaceGroup& group, const LabelTable& table)
      : little_(little), group_(group), table_(table), shift_(origin_of_table(group, table)) {
    for (const SpaceOperation& g : little.operations) inside_.push_back(in_edges_of_cell(g));
    for (std::size_t i = 0; i < 3; ++i) k_[i] = little.k[i].convert_to<double>();
    for (const auto& irrep : little.irreps) {
      characters_.emplace_back();
      for (const Cyclotomic& x : irrep.characters) characters_.back().push_back(x.to_complex());
    }
    if (little.spin != SpinKind::half) return;
    spinors_.emplace(group, table);
    for (const SpinRotation& r : little.rotations) turns_.push_back(spinors_->of_turn(r));
  }

  std::vector<std::string> labels() const {
    const std::string place = fmt::format("({}, {}, {})", little_.k[0].str(), little_.k[1].str(), little_.k[2].str());
    // At some P the tables have translations as exp(2 pi i k.t), so their representations are those of -k.
    bool unfit = false;
    for (const LabelTable::Point& point : table_.points)
      for (const double sign : {1.0, -1.0})
        for (const SpaceOperation& g : group_.operations()) {
          const Vector3 at{sign * point.place[0], sign * point.place[1], sign * point.place[2]};
          if (!takes_to(g.W, at)) continue;
          const auto found = compared(point, at, in_edges_of_cell(g));
          if (found) return *found;
          unfit = true;
          break;
        }
    if (unfit)
      throw DomainError(
          fmt::format("labels: at {} the tables of irreptables have translations as exp(2 pi i k.t), which is a "
                      "representation of -k: ask for the labels there",
                      place));
    throw DomainError(fmt::format(
        "labels: irreptables lists the wave vectors of highest symmetry, and {} is in none of their stars", place));
  }

 private:
  /// Is k V - place in the reciprocal lattice?
  bool takes_to(const IntegerRotation& V, const Vector3& place) const {
    Vector3 change{};
    for (std::size_t j = 0; j < 3; ++j) {
      change[j] = -place[j];
      for (std::size_t i = 0; i < 3; ++i) change[j] += k_[i] * V[i][j];
      if (!nearly_whole(change[j])) return false;
    }
    return std::ranges::all_of(group_.centring(), [&](const std::array<int, 3>& t) {
      return nearly_whole((change[0] * t[0] + change[1] * t[1] + change[2] * t[2]) / 12);
    });
  }
  /// The translation of an operation about the origin of the table.
  Vector3 moved(const TableOperation& g) const {
    using namespace space;
    return g.t + rotated_place(g.W, shift_) - shift_;
  }
  /// The labels if the operation h takes the table's representations to these, one to one.
  std::optional<std::vector<std::string>> compared(const LabelTable::Point& point, const Vector3& place,
                                                   const TableOperation& h) const {
    using namespace space;
    if (point.irreps.size() != characters_.size()) return std::nullopt;
    const IntegerRotation back = integral_inverse(h.W);
    const Vector3 v = moved(h);
    std::optional<Spinor> change;
    if (spinors_) change = spinors_->matrix(h.W);
    std::vector<std::pair<std::size_t, LabelNumber>> columns;
    for (std::size_t g = 0; g < inside_.size(); ++g) {
      // h^-1 g h is a translation times an operation of the table.
      const TableOperation& o = inside_[g];
      const IntegerRotation R = label_product(label_product(back, o.W), h.W);
      const Vector3 r = rotated_place(back, rotated_place(o.W, v) + moved(o) - v);
      const auto at = std::ranges::find_if(point.chosen, [&](std::size_t c) { return table_.operations[c].W == R; });
      if (at == point.chosen.end()) return std::nullopt;
      const double turns = dot(place, r - table_.operations[*at].t);
      LabelNumber phase = std::polar(1.0, -2 * std::numbers::pi * turns);
      if (change) {  // the lift of g goes to that of the table, or to minus that
        const Spinor lift = label_product(label_product(spinor_adjoint(*change), turns_[g]), *change);
        phase *= std::round(spinor_trace(label_product(spinor_adjoint(table_.lifts[*at]), lift)).real() / 2);
      }
      columns.emplace_back(static_cast<std::size_t>(at - point.chosen.begin()), phase);
    }
    std::vector<std::string> labels;
    std::vector<bool> used(point.irreps.size(), false);
    for (const std::vector<LabelNumber>& row : characters_) {
      std::optional<std::size_t> match;
      for (std::size_t r = 0; r < point.irreps.size(); ++r) {
        bool equal = true;
        for (std::size_t g = 0; equal && g < columns.size(); ++g)
          equal = std::abs(point.irreps[r].second[columns[g].first] * columns[g].second - row[g]) < 1e-2;
        if (!equal) continue;
        if (match) return std::nullopt;
        match = r;
      }
      if (!match || used[*match]) return std::nullopt;
      used[*match] = true;
      labels.push_back(point.irreps[*match].first);
    }
    return labels;
  }

  const LittleGroup& little_;
  const SpaceGroup& group_;
  const LabelTable& table_;
  Vector3 shift_, k_{};
  std::vector<TableOperation> inside_;
  std::vector<std::vector<LabelNumber>> characters_;
  std::optional<TableSpinors> spinors_;
  std::vector<Spinor> turns_;
};

const SpaceGroup& labelled_group(const LittleGroup& little) {
  const auto* group = std::get_if<SpaceGroup>(&little.group);
  if (group == nullptr || little.direction)
    throw DomainError("labels: those of space groups at wave vectors are known, without lines and magnetic order");
  return *group;
}

}  // namespace

std::vector<std::string> cdml_labels_by(const LittleGroup& little, std::string_view table, const std::string& name) {
  const LabelTable read = LabelTableReader(table, name, little.spin == SpinKind::half).read();
  return LabelSearch(little, labelled_group(little), read).labels();
}

std::vector<std::string> cdml_labels(const LittleGroup& little, const std::filesystem::path& folder) {
  const auto setting = listed_setting(labelled_group(little));
  if (!setting)
    throw DomainError("labels: this setting of the space group is in no table, and its number is not known");
  const std::filesystem::path path = label_table_in(folder, setting->number, little.spin == SpinKind::half);
  return cdml_labels_by(little, read_file(path, 16U << 20), path.filename().string());
}

}  // namespace intertwine
