// Numeric layers.
#pragma once
#include "intertwine/numeric/bf16.hpp"
#include "intertwine/numeric/cuda.hpp"
#include "intertwine/numeric/cuda_isotypic.hpp"
#include "intertwine/numeric/cuda_layer.hpp"
#include "intertwine/numeric/equivariant_layer.hpp"
#include "intertwine/numeric/half.hpp"
#include "intertwine/numeric/instruction_set.hpp"
#include "intertwine/numeric/isotypic.hpp"
#include "intertwine/numeric/layer.hpp"
#include "intertwine/numeric/machine_rates.hpp"
#include "intertwine/numeric/prepared_pattern.hpp"
