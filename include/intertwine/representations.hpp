// Representations as values with an algebra, irreducible matrices, decompositions.
#pragma once
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/basis_layout.hpp"
#include "intertwine/representations/clebsch_gordan.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"
#include "intertwine/representations/kernel_sites.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/representations/submodule.hpp"
#include "intertwine/representations/young_forms.hpp"
