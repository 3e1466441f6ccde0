// Classical groups and their products with finite ones: representations by exact matrices, equivariant bases, polynomial maps.
#pragma once
#include "intertwine/classical/compact_clebsch_gordan.hpp"
#include "intertwine/classical/continuous_decomposition.hpp"
#include "intertwine/classical/continuous_group.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/classical/continuous_polynomials.hpp"
#include "intertwine/classical/continuous_power.hpp"
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/classical/continuous_series.hpp"
#include "intertwine/classical/continuous_symmetrizer.hpp"
#include "intertwine/classical/linear_molecules.hpp"
#include "intertwine/classical/orthonormal_form.hpp"
#include "intertwine/classical/steerable_kernels.hpp"
