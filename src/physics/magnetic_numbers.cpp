// Magnetic space groups by numbers, from the database of spglib where it is installed. [Togo & Shinohara & Tanaka 2024]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/space_groups.hpp"
#include "intertwine/physics/magnetic_space_group.hpp"
#include "intertwine/physics/magnetic_structure.hpp"
#include "intertwine/physics/space.hpp"
#include "physics/og_symbols.hpp"
#include "physics/usual_setting.hpp"

#ifdef INTERTWINE_SPGLIB
#include <spglib.h>
#endif

namespace intertwine {

#ifdef INTERTWINE_SPGLIB

namespace {

constexpr int magnetic_groups = 1651;

/// The UNI number of a BNS, OG or UNI number; 0 for others.
int uni_number(std::string_view number) {
  int uni = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), uni);
  if (error == std::errc{} && end == number.data() + number.size()) return uni >= 1 && uni <= magnetic_groups ? uni : 0;
  const auto is = [&](const char* name) {
    std::string_view known(name);
    while (known.ends_with(' ')) known.remove_suffix(1);
    return known == number;
  };
  for (uni = 1; uni <= magnetic_groups; ++uni) {
    const SpglibMagneticSpacegroupType type = spg_get_magnetic_spacegroup_type(uni);
    if (is(type.bns_number) || is(type.og_number)) return uni;
  }
  return 0;
}

}  // namespace

bool has_magnetic_numbers() { return true; }

MagneticSpaceGroup magnetic_group_numbered(std::string_view number, const Task& task) {
  const int uni = uni_number(number);
  if (uni == 0)
    throw DomainError(
        fmt::format("MagneticSpaceGroup: '{}' is no number of a magnetic space group; give a BNS number such "
                    "as 62.448, an OG number "
                    "such as 62.8.509, or a UNI number from 1 to {}",
                    number.substr(0, 40), magnetic_groups));
  // The setting is that of all operations, or of those that do not reverse time if a translation does.
  unsigned setting = 0;
  const SpglibMagneticSpacegroupType type = spg_get_magnetic_spacegroup_type(uni);
  const std::string_view bns(type.bns_number);
  std::from_chars(bns.data(), bns.data() + bns.find('.'), setting);
  constexpr int most = 384;
  int rotations[most][3][3];
  double translations[most][3];
  int reversals[most];
  const int count =
      spg_get_magnetic_symmetry_from_database(rotations, translations, reversals, uni, usual_hall_number(setting));
  std::vector<MagneticOperation> operations;
  for (int k = 0; k < count; ++k) {
    MagneticOperation g{{}, reversals[k] != 0};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) g.operation.W[i][j] = rotations[k][i][j];
      const double twelfths = 12 * translations[k][i];
      g.operation.w[i] = static_cast<int>(std::lround(twelfths));
      if (std::abs(twelfths - g.operation.w[i]) > 1e-6)
        throw DomainError(
            fmt::format("MagneticSpaceGroup: spglib has a translation of group {} that is not in twelfths", uni));
    }
    operations.push_back(g);
  }
  if (operations.empty())
    throw DomainError(fmt::format("MagneticSpaceGroup: spglib has no operations of group {}", uni));
  return MagneticSpaceGroup(operations, task);
}

namespace {

using space::dot;

/// Edges that are short, so that spglib finds the kind of the lattice: U with U cell as the edges, U unimodular.
std::array<std::array<int, 3>, 3> short_edges(const Matrix3& cell) {
  std::array<std::array<int, 3>, 3> U{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Matrix3 edges = cell;
  constexpr int most_rounds = 100;
  bool changed = true;
  for (int round = 0; changed && round < most_rounds; ++round) {
    changed = false;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        if (i == j) continue;
        const double ratio = dot(edges[i], edges[j]) / dot(edges[j], edges[j]);
        const int q = static_cast<int>(std::lround(ratio * (1 - 1e-9)));
        if (q == 0) continue;
        changed = true;
        for (std::size_t k = 0; k < 3; ++k) edges[i][k] -= q * edges[j][k], U[i][k] -= q * U[j][k];
      }
  }
  return U;
}

/// The inverse of a unimodular matrix.
std::array<std::array<int, 3>, 3> unimodular_inverse(const std::array<std::array<int, 3>, 3>& U) {
  std::array<std::array<int, 3>, 3> inverse{};
  int determinant = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      inverse[i][j] = U[a][c] * U[b][d] - U[a][d] * U[b][c];
    }
  for (std::size_t j = 0; j < 3; ++j) determinant += U[0][j] * inverse[j][0];
  for (auto& row : inverse)
    for (int& x : row) x *= determinant;
  return inverse;
}

/// "P 42/m n m" as "P" and "4_2/mnm", whose primes are asked of every letter in turn; "P 1 21/c 1" as "P" and "2_1/c".
std::string letters_of(std::string_view name, unsigned number) {
  std::string result;
  std::string_view rest = name.substr(0, name.find(':'));
  for (std::size_t word = 0; !rest.empty(); ++word) {
    const std::string_view part = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    if (word > 0 && number >= 3 && number <= 15 && part == "1") continue;
    for (std::size_t k = 0; k < part.size(); ++k) {
      const bool screw = k > 0 && part[k] >= '1' && part[k] <= '5' && part[k - 1] >= '2' && part[k - 1] <= '6';
      result += std::string(screw ? "_" : "") + part[k];
    }
  }
  return result;
}

/// Is this the end of a letter that may have a prime: 4_2, -3, m?
bool ends_letter(std::string_view symbol, std::size_t k) {
  const char c = symbol[k];
  return k > 0 && c != '/' && c != '-' && c != '_' && (k + 1 == symbol.size() || symbol[k + 1] != '_');
}

std::optional<MagneticSpaceGroup> named_or_nothing(const std::string& symbol, const Task& task) {
  try {
    return MagneticSpaceGroup::named(symbol, task);
  } catch (const DomainError&) {
    return {};
  }
}

/// The symbol with primes that is the group of spglib's database. Where edges may be exchanged, in 16 and in groups of
/// the class mm2, tables have the primes on first letters.
std::string primed_symbol(const std::string& plain, unsigned number, unsigned uni, const Task& task) {
  const bool any_edges = number == 16 || (number >= 25 && number <= 46);
  const MagneticSpaceGroup listed = magnetic_group_numbered(std::to_string(uni), task);
  std::vector<std::size_t> ends;
  for (std::size_t k = 1; k < plain.size(); ++k)
    if (ends_letter(plain, k)) ends.push_back(k);
  for (std::size_t mask = (std::size_t{1} << ends.size()) - 1; mask > 0; --mask) {
    task.poll();
    std::string symbol;
    for (std::size_t k = 0; k < plain.size(); ++k) {
      symbol += plain[k];
      for (std::size_t e = 0; e < ends.size(); ++e)
        if (ends[e] == k && (mask >> (ends.size() - 1 - e) & 1) != 0) symbol += '\'';
    }
    const auto group = named_or_nothing(symbol, task);
    if (group && group->type() == 3 && (any_edges ? magnetic_number(*group) == uni : *group == listed)) return symbol;
  }
  return "";
}

/// P_c4/mnc: the letter of the translation that reverses time.
std::string translated_symbol(const std::string& plain, unsigned number, unsigned uni, const Task& task) {
  // The translations of these three differ in the database of spglib 2.0.
  for (const auto& [known, symbol] : {std::pair{282U, "C_ccc2"}, {283U, "C_acc2"}, {284U, "C_Acc2"}})
    if (known == uni) return symbol;
  const MagneticSpaceGroup group = magnetic_group_numbered(std::to_string(uni), task);
  // The letters S and I stand for translations that have other letters in other lattices.
  const std::string_view letters = number <= 2 || plain[0] == 'F' ? "S" : plain[0] == 'R' ? "I" : "abcABCI";
  for (const char kind : letters) {
    const std::string symbol = plain.substr(0, 1) + "_" + kind + plain.substr(1);
    if (named_or_nothing(symbol, task) == group) return symbol;
  }
  return "";
}

/// Are the translations one, but for a translation of the cell?
bool same_shift(const Vector3& w, const Vector3& other) {
  constexpr double far = 1e-3;
  for (std::size_t i = 0; i < 3; ++i)
    if (std::abs(w[i] - other[i] - std::round(w[i] - other[i])) > far) return false;
  return true;
}

/// Each operation once modulo the translations of the cell, if they are a group; otherwise none.
std::vector<CellOperation> group_of_cell(std::span<const CellOperation> operations) {
  using Turn = std::pair<std::array<std::array<int, 3>, 3>, bool>;
  std::map<Turn, std::vector<Vector3>> shifts;
  std::vector<CellOperation> distinct;
  for (const CellOperation& g : operations) {
    auto& found = shifts[{g.W, g.reverses_time}];
    if (std::ranges::any_of(found, [&](const Vector3& w) { return same_shift(w, g.w); })) continue;
    found.push_back(g.w);
    distinct.push_back(g);
  }
  for (const CellOperation& g : distinct)
    for (const CellOperation& h : distinct) {
      Turn turn{{}, g.reverses_time != h.reverses_time};
      Vector3 shift = g.w;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
          shift[i] += g.W[i][k] * h.w[k];
          for (std::size_t j = 0; j < 3; ++j) turn.first[i][j] += g.W[i][k] * h.W[k][j];
        }
      const auto found = shifts.find(turn);
      if (found == shifts.end() ||
          std::ranges::none_of(found->second, [&](const Vector3& w) { return same_shift(w, shift); }))
        return {};
    }
  return distinct;
}

}  // namespace

unsigned magnetic_number(const Matrix3& cell, std::span<const CellOperation> listed) {
  // spglib loses the memory of its answer, or stops the process, where it has other operations than these.
  const auto keeps = [&](const CellOperation& g) { return space::keeps_cell(g.W, cell); };
  if (!std::ranges::all_of(listed, keeps)) return 0;
  const std::vector<CellOperation> operations = group_of_cell(listed);
  if (operations.empty()) return 0;
  using Turn = int[3][3];
  using Shift = double[3];
  const auto U = short_edges(cell), inverse = unimodular_inverse(U);  // x = U^T x' in the new edges
  std::vector<std::array<int, 9>> turns;
  std::vector<Vector3> shifts;
  std::vector<int> reversals;
  for (const CellOperation& g : operations) {
    std::array<int, 9> turn{};
    Vector3 shift{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        shift[i] += inverse[j][i] * (g.w[j] - std::floor(g.w[j]));  // far translations lose their fractions
        for (std::size_t k = 0; k < 3; ++k)
          for (std::size_t l = 0; l < 3; ++l) turn[3 * i + j] += inverse[k][i] * g.W[k][l] * U[j][l];
      }
    turns.push_back(turn), shifts.push_back(shift), reversals.push_back(g.reverses_time ? 1 : 0);
  }
  double lattice[3][3] = {};  // edges as columns
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) lattice[k][i] += U[i][j] * cell[j][k];
  constexpr double tolerance = 1e-4;
  const SpglibMagneticSpacegroupType type = spg_get_magnetic_spacegroup_type_from_symmetry(
      reinterpret_cast<Turn*>(turns.data()), reinterpret_cast<Shift*>(shifts.data()), reversals.data(),
      static_cast<int>(turns.size()), lattice, tolerance);
  return type.uni_number >= 1 && type.uni_number <= magnetic_groups ? static_cast<unsigned>(type.uni_number) : 0;
}

unsigned magnetic_number(const MagneticSpaceGroup& group) {
  // The mean of a generic metric over the group.
  const Matrix3 generic{{{10, 0.7, 0.3}, {0.7, 11.3, 0.9}, {0.3, 0.9, 12.9}}};
  Matrix3 metric{};
  std::vector<CellOperation> operations;
  for (const bool reverses : {false, true})
    for (const SpaceOperation& g : reverses ? group.antiunitary() : group.operations()) {
      for (const auto& t : group.centring())
        operations.push_back({g.W, {(g.w[0] + t[0]) / 12.0, (g.w[1] + t[1]) / 12.0, (g.w[2] + t[2]) / 12.0}, reverses});
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t l = 0; l < 3; ++l) metric[i][j] += g.W[k][i] * generic[k][l] * g.W[l][j];
    }
  return magnetic_number(space::cell_of_metric(metric), operations);
}

MagneticKind magnetic_kind(unsigned uni, const Task& task) {
  if (uni < 1 || uni > static_cast<unsigned>(magnetic_groups))
    throw DomainError(fmt::format("there are {} magnetic space groups and no number {}", magnetic_groups, uni));
  const SpglibMagneticSpacegroupType type = spg_get_magnetic_spacegroup_type(static_cast<int>(uni));
  const auto trimmed = [](const char* text) {
    std::string result(text);
    while (result.ends_with(' ')) result.pop_back();
    return result;
  };
  MagneticKind kind{uni, static_cast<unsigned>(type.type), trimmed(type.bns_number), trimmed(type.og_number), "", ""};
  unsigned number = 0;
  std::from_chars(kind.bns_number.data(), kind.bns_number.data() + kind.bns_number.find('.'), number);
  const auto setting = listed_setting(SpaceGroup::numbered(number));
  if (!setting) throw InternalError("magnetic_kind: a usual setting is not listed");
  const std::string plain = letters_of(setting->name, number);
  kind.bns_symbol = kind.type == 1   ? plain
                    : kind.type == 2 ? plain + "1'"
                    : kind.type == 3 ? primed_symbol(plain, number, uni, task)
                                     : translated_symbol(plain, number, uni, task);
  kind.og_symbol = kind.type == 4 ? std::string(og_symbol(uni)) : kind.bns_symbol;
  return kind;
}

#else

unsigned magnetic_number(const Matrix3&, std::span<const CellOperation>) {
  throw DomainError(
      "this build cannot name magnetic space groups; install spglib with its header (libsymspg-dev) and "
      "build again");
}
unsigned magnetic_number(const MagneticSpaceGroup&) { return magnetic_number(Matrix3{}, {}); }
MagneticKind magnetic_kind(unsigned, const Task&) {
  magnetic_number(Matrix3{}, {});
  return {};
}

bool has_magnetic_numbers() { return false; }

MagneticSpaceGroup magnetic_group_numbered(std::string_view number, const Task&) {
  throw DomainError(
      fmt::format("this build cannot look up the number {} of a magnetic space group; install spglib with its header "
                  "(libsymspg-dev) and build again, or give a BNS symbol such as Pn'm'a or P_c4/mnc",
                  number.substr(0, 40)));
}

#endif

}  // namespace intertwine
