// Continuous groups: classical groups, their products with finite ones, equivariant bases.
#pragma once
#include "intertwine/lie/continuous_basis.hpp"
#include "intertwine/lie/continuous_group.hpp"
#include "intertwine/lie/continuous_representation.hpp"
