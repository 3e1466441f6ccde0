// The symmetry of molecules: point groups of measured atoms, and what the groups say exactly of vibrations
// and force constants; crystals, their space groups, modes and force constants; tensor
// properties of crystals.
#pragma once
#include "intertwine/physics/component_form.hpp"
#include "intertwine/physics/correlation.hpp"
#include "intertwine/physics/crystal.hpp"
#include "intertwine/physics/crystal_modes.hpp"
#include "intertwine/physics/crystal_report.hpp"
#include "intertwine/physics/force_constants.hpp"
#include "intertwine/physics/kp_hamiltonian.hpp"
#include "intertwine/physics/little_group.hpp"
#include "intertwine/physics/magnetic_point_group.hpp"
#include "intertwine/physics/magnetic_space_group.hpp"
#include "intertwine/physics/magnetic_structure.hpp"
#include "intertwine/physics/molecular_motions.hpp"
#include "intertwine/physics/molecule.hpp"
#include "intertwine/physics/point_group_table.hpp"
#include "intertwine/physics/printed_classes.hpp"
#include "intertwine/physics/raman_tensors.hpp"
#include "intertwine/physics/space.hpp"
#include "intertwine/physics/spin_lifts.hpp"
#include "intertwine/physics/tensor_projection.hpp"
#include "intertwine/physics/tensor_properties.hpp"
