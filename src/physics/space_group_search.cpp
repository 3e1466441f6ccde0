// The space group of measured atoms, by spglib where it is installed. [Togo & Shinohara & Tanaka 2024]
#include <fmt/format.h>

#include <array>
#include <map>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/physics/crystal.hpp"
#include "physics/usual_setting.hpp"

#ifdef INTERTWINE_SPGLIB
#include <memory>

#include <spglib.h>
#endif

namespace intertwine {

#ifdef INTERTWINE_SPGLIB

namespace {

using Dataset = std::unique_ptr<SpglibDataset, void (*)(SpglibDataset*)>;

/// A structure as spglib takes it: edges as columns, kinds of atoms as numbers.
class SpglibInput {
 public:
  /// \param hand  -1 turns the edges round, so that a left-handed cell is read as a right-handed one
  SpglibInput(const CrystalStructure& crystal, double hand) : positions_(crystal.atoms.size()) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) lattice_[i][j] = hand * crystal.cell[j][i];
    std::map<std::string, int> kinds;
    for (std::size_t k = 0; k < crystal.atoms.size(); ++k) {
      for (std::size_t i = 0; i < 3; ++i) positions_[k][i] = hand * crystal.atoms[k].position[i];
      kinds_.push_back(kinds.emplace(crystal.atoms[k].element, static_cast<int>(kinds.size()) + 1).first->second);
    }
  }
  /// \param hall_number  spglib's number of the setting; 0: its choice
  Dataset search(int hall_number, double tolerance) const {
    return {spg_get_dataset_with_hall_number(
                const_cast<double(*)[3]>(lattice_), reinterpret_cast<double(*)[3]>(const_cast<Row*>(positions_.data())),
                const_cast<int*>(kinds_.data()), static_cast<int>(kinds_.size()), hall_number, tolerance),
            spg_free_dataset};
  }

 private:
  using Row = std::array<double, 3>;
  double lattice_[3][3];
  std::vector<Row> positions_;
  std::vector<int> kinds_;
};

}  // namespace

int usual_hall_number(unsigned number) {
  const SpaceGroup usual = SpaceGroup::numbered(number);
  constexpr int settings = 530;
  for (int k = 1; k <= settings; ++k) {
    const SpglibSpacegroupType type = spg_get_spacegroup_type(k);
    if (type.number != static_cast<int>(number)) continue;
    try {
      if (SpaceGroup::from_hall(type.hall_symbol) == usual) return k;
    } catch (const ParseError&) {  // releases of spglib differ in the spelling of some
    }
  }
  return 0;
}

bool has_space_group_search() { return true; }

SpaceGroupMatch find_space_group(const CrystalStructure& crystal, double tolerance) {
  require_crystal(crystal, tolerance);
  const double hand = cell_volume(crystal) < 0 ? -1 : 1;
  const SpglibInput input(crystal, hand);
  const auto refuse = [&] {
    return DomainError(
        fmt::format("spglib finds no space group of these atoms within the tolerance {:g}: {}; try another tolerance",
                    tolerance, spg_get_error_message(spg_get_error_code())),
        Remedy::tolerance);
  };
  Dataset found = input.search(0, tolerance);
  if (!found || found->spacegroup_number < 1) throw refuse();
  const auto number = static_cast<unsigned>(found->spacegroup_number);
  const int usual = usual_hall_number(number);
  if (usual != 0 && usual != found->hall_number) {
    found = input.search(usual, tolerance);
    if (!found || found->spacegroup_number != static_cast<int>(number)) throw refuse();
  }
  SpaceGroupMatch match;
  match.hall = usual != 0 ? SpaceGroup::numbered(number).hall() : found->hall_symbol;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) match.transformation[i][j] = hand * found->transformation_matrix[i][j];
    match.shift[i] = found->origin_shift[i];
  }
  for (std::size_t k = 0; k < crystal.atoms.size(); ++k) {
    const int letter = found->wyckoffs[k];
    match.wyckoff.push_back(static_cast<char>(letter < 26 ? 'a' + letter : 'A' + letter - 26));
    match.site_symmetry.emplace_back(found->site_symmetry_symbols[k]);
  }
  return match;
}

#else

bool has_space_group_search() { return false; }

SpaceGroupMatch find_space_group(const CrystalStructure& crystal, double tolerance) {
  require_crystal(crystal, tolerance);
  throw DomainError(
      "this build has no search for space groups; install spglib with its header (libsymspg-dev) and build "
      "again");
}

#endif

}  // namespace intertwine
