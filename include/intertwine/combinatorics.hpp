// Permutations, partitions, tableaux, symmetric functions.
#pragma once
#include "intertwine/combinatorics/moved_points.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/combinatorics/rsk.hpp"
#include "intertwine/combinatorics/schur_polynomial.hpp"
#include "intertwine/combinatorics/signed_permutation.hpp"
#include "intertwine/combinatorics/symmetric_algebra.hpp"
#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/combinatorics/symmetric_function_bases.hpp"
#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/combinatorics/tableau.hpp"
