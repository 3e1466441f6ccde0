// Numeric layers.
#pragma once
#include "intertwine/numeric/bf16.hpp"
#include "intertwine/numeric/cuda.hpp"
#include "intertwine/numeric/cuda_isotypic.hpp"
#include "intertwine/numeric/cuda_layer.hpp"
#include "intertwine/numeric/equivariant_linear.hpp"
#include "intertwine/numeric/half.hpp"
#include "intertwine/numeric/instruction_set.hpp"
#include "intertwine/numeric/isotypic.hpp"
#include "intertwine/numeric/machine_rates.hpp"
#include "intertwine/numeric/sparse_basis.hpp"
#include "intertwine/numeric/tied_pattern.hpp"
#include "intertwine/numeric/weight_basis.hpp"
