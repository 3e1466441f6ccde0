// Semidefinite programs with symmetry.
#pragma once
#include "intertwine/sdp/graph_bounds.hpp"
#include "intertwine/sdp/model.hpp"
#include "intertwine/sdp/semidefinite_problem.hpp"
#include "intertwine/sdp/solution.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"
