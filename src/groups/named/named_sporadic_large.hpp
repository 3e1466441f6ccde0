// Sporadic groups on thousands of points, constructed when they are asked for.
#pragma once
#include <string_view>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/task.hpp"

namespace intertwine::named {

/// Co2 on 2300 points: pairs of vectors of the Leech lattice that add up to a vector of type 2.
std::vector<Permutation> conway_2_generators();

/// G2(4) on 416 points and Suz on 1782 from the chain of groups U3(3) < J2 < G2(4) < Suz.
std::vector<Permutation> suzuki_chain_generators(std::string_view name, const Task& task);

/// J3 on the 6156 cosets of PSL(2,16):2, by a presentation.
std::vector<Permutation> janko_3_generators(const Task& task);

/// He, Ru and Fi22 on 2058, 4060 and 3510 vectors over GF(2).
std::vector<Permutation> binary_matrix_generators(std::string_view name);

}  // namespace intertwine::named
