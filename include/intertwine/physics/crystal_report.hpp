// Answers about a crystal and about a wave vector.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/physics/crystal.hpp"
#include "intertwine/physics/crystal_modes.hpp"
#include "intertwine/physics/force_constants.hpp"
#include "intertwine/physics/kp_hamiltonian.hpp"
#include "intertwine/physics/little_group.hpp"
#include "intertwine/physics/magnetic_structure.hpp"

namespace intertwine {

/// The answers to the questions about a wave vector.
struct WaveVectorReport {
  LittleGroup at;
  std::vector<std::string> labels = {};  ///< of the irreps at k, by cdml_labels; empty if none were asked for
  std::optional<LittleGroup> line = {};  ///< along a direction
  /// [level][order, from 0]; empty if none were asked for.
  std::vector<std::vector<std::vector<KpTerm>>> kp = {};
  std::string name = {};                  ///< the magnetic group as it was asked for
  std::optional<MagneticKind> kind = {};  ///< its names in tables, where spglib has them
};

/// The answers of `intertwine crystal`.
struct CrystalReport {
  std::string name;
  CrystalSymmetry symmetry;
  CrystalModes modes;
  std::optional<std::pair<ForceConstantQuestion, ForceConstantCount>> force_constants = {};
  std::optional<WaveVectorReport> at_k = {};
  std::optional<MagneticSymmetry> magnetic = {};
};

}  // namespace intertwine
