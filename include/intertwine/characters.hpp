// Character tables and class functions.
#pragma once
#include "intertwine/characters/character_details.hpp"
#include "intertwine/characters/character_proof.hpp"
#include "intertwine/characters/character_table.hpp"
#include "intertwine/characters/class_function.hpp"
#include "intertwine/characters/class_report.hpp"
#include "intertwine/characters/row_label.hpp"
#include "intertwine/characters/schur_index.hpp"
