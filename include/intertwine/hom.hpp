// One road for every group: groups, representations and their decompositions, whatever the kind.
#pragma once
#include "intertwine/hom/constituents.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/hom/equivariant_maps.hpp"
#include "intertwine/hom/group.hpp"
#include "intertwine/hom/group_representation.hpp"
#include "intertwine/hom/restriction.hpp"
#include "intertwine/hom/series.hpp"
