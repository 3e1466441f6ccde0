// The weight table: one value between theory and layers.
#pragma once
#include "intertwine/tables/code_counter.hpp"
#include "intertwine/tables/data_section.hpp"
#include "intertwine/tables/diagram_table.hpp"
#include "intertwine/tables/sha256.hpp"
#include "intertwine/tables/weight_block.hpp"
#include "intertwine/tables/weight_table.hpp"
