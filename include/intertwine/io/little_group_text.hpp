// Wave vectors and k.p Hamiltonians as people write them.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/physics/kp_hamiltonian.hpp"
#include "intertwine/physics/little_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Three rational numbers, "1/2,0,0". \throws DomainError naming the coordinate that is none
std::array<Rational, 3> parse_wave_vector(std::string_view text, const Task& task = {});

/// The terms of all levels up to an order. \throws LimitError for orders above 20
std::vector<std::vector<std::vector<KpTerm>>> kp_of_levels(const LittleGroup& little, unsigned order,
                                                           const Task& task = {});
/// "q1^2 + (1+E(3)) q1 q2": an entry of a term's matrix.
std::string kp_entry(const KpTerm& term, std::size_t row, std::size_t column);

}  // namespace intertwine
