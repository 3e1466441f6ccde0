// Magnetic space groups by numbers, from the database of spglib where it is installed. [Togo & Shinohara & Tanaka 2024]
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/physics/magnetic_space_group.hpp"
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
  if (error == std::errc{} && end == number.data() + number.size())
    return uni >= 1 && uni <= magnetic_groups ? uni : 0;
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
  const int count = spg_get_magnetic_symmetry_from_database(rotations, translations, reversals, uni,
                                                            usual_hall_number(setting));
  std::vector<MagneticOperation> operations;
  for (int k = 0; k < count; ++k) {
    MagneticOperation g{{}, reversals[k] != 0};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) g.operation.W[i][j] = rotations[k][i][j];
      const double twelfths = 12 * translations[k][i];
      g.operation.w[i] = static_cast<int>(std::lround(twelfths));
      if (std::abs(twelfths - g.operation.w[i]) > 1e-6)
        throw DomainError(fmt::format(
            "MagneticSpaceGroup: spglib has a translation of group {} that is not in twelfths", uni));
    }
    operations.push_back(g);
  }
  if (operations.empty())
    throw DomainError(fmt::format("MagneticSpaceGroup: spglib has no operations of group {}", uni));
  return MagneticSpaceGroup(operations, task);
}

#else

bool has_magnetic_numbers() { return false; }

MagneticSpaceGroup magnetic_group_numbered(std::string_view number, const Task&) {
  throw DomainError(fmt::format(
      "this build cannot look up the number {} of a magnetic space group; install spglib with its header "
      "(libsymspg-dev) and build again, or give a BNS symbol such as Pn'm'a or P_c4/mnc",
      number.substr(0, 40)));
}

#endif

}  // namespace intertwine
