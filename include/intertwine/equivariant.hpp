// Equivariant maps: bases, certificates, symmetrizers, polynomial maps.
#pragma once
#include "intertwine/equivariant/automorphism_group.hpp"
#include "intertwine/equivariant/basis_methods.hpp"
#include "intertwine/equivariant/closure.hpp"
#include "intertwine/equivariant/entry_orbits.hpp"
#include "intertwine/equivariant/equivariant_basis.hpp"
#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/equivariant/isotypic_form.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/equivariant/symmetrizer.hpp"
