// Types that bindings of crystals share with those of the force constants of their supercells.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "intertwine/physics/crystal.hpp"
#include "intertwine/physics/crystal_modes.hpp"
#include "intertwine/physics/force_constants.hpp"
#include "intertwine/task.hpp"

namespace intertwine::python {

/// A crystal, its symmetry, and what that says of its modes. A value.
struct Crystal {
  CrystalSymmetry symmetry;
  CrystalModes modes;
};
/// A question about a crystal and the number that answers it; the constants themselves are found where they are asked
/// for.
struct AskedForceConstants {
  Crystal crystal;
  ForceConstantQuestion question;
  ForceConstantCount count;
  struct Found {
    std::mutex mutex;
    std::optional<ForceConstants> constants;
  };
  std::shared_ptr<Found> found = std::make_shared<Found>();

  ForceConstants constants(const Task& task) const {
    const std::lock_guard lock(found->mutex);
    if (!found->constants) found->constants = ForceConstants(crystal.symmetry, question, task);
    return *found->constants;
  }
};

struct CellTag {
  static constexpr auto name =
      nb::detail::const_name("tuple[tuple[tuple[float, ...], ...], tuple[tuple[float, ...], ...], tuple[str, ...]]");
};
/// (lattice vectors, coordinates, symbols)
nb::tuple cell_tuple(const CrystalStructure& crystal);

void bind_supercell_constants(nb::module_& m);  // supercell_constants.cpp: ForceConstants

}  // namespace intertwine::python
