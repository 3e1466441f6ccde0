// Continuous groups: root systems, weights, characters and their algebra, subgroups; and classical groups, their products with
// finite ones, representations by exact matrices and equivariant bases.
#pragma once
#include "intertwine/lie/axial_character.hpp"
#include "intertwine/lie/compact_clebsch_gordan.hpp"
#include "intertwine/lie/continuous_basis.hpp"
#include "intertwine/lie/continuous_group.hpp"
#include "intertwine/lie/continuous_polynomials.hpp"
#include "intertwine/lie/continuous_representation.hpp"
#include "intertwine/lie/continuous_series.hpp"
#include "intertwine/lie/continuous_symmetrizer.hpp"
#include "intertwine/lie/finite_embedding.hpp"
#include "intertwine/lie/lie_branching.hpp"
#include "intertwine/lie/lie_group.hpp"
#include "intertwine/lie/orthonormal_form.hpp"
#include "intertwine/lie/root_system.hpp"
#include "intertwine/lie/steerable_kernels.hpp"
#include "intertwine/lie/weight_character.hpp"
#include "intertwine/lie/wigner_symbols.hpp"
