// Permutations of Python: lists of them, and their class.
#pragma once
#include <vector>

#include "bindings.hpp"

namespace intertwine::python {

/// \param degree  the points of all of them; 0: of each as many as it names. \throws DomainError for what is no list of
/// permutations
std::vector<Permutation> permutations_of(const nb::object& list, std::size_t degree);

void bind_permutation(nb::module_& m);

}  // namespace intertwine::python
