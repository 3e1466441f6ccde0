// Reductive groups: root systems, weights, characters and their algebra, subgroups.
#pragma once
#include "intertwine/lie/lie_branching.hpp"
#include "intertwine/lie/lie_group.hpp"
#include "intertwine/lie/root_system.hpp"
#include "intertwine/lie/weight_character.hpp"
