// Reductive groups: root systems, weights, characters and their algebra, subgroups, Clebsch-Gordan coefficients of SU(2).
#pragma once
#include "intertwine/reductive/axial_character.hpp"
#include "intertwine/reductive/classical_form.hpp"
#include "intertwine/reductive/finite_embedding.hpp"
#include "intertwine/reductive/lie_branching.hpp"
#include "intertwine/reductive/lie_group.hpp"
#include "intertwine/reductive/lie_weights.hpp"
#include "intertwine/reductive/root_system.hpp"
#include "intertwine/reductive/weight_character.hpp"
#include "intertwine/reductive/wigner_symbols.hpp"
