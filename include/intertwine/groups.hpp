// Finite groups: generators, chains, classes, subgroups, named families.
#pragma once
#include "intertwine/groups/blocks.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/group_report.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/homomorphism.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/groups/sylow.hpp"
