// Character tables and class functions.
#pragma once
#include "intertwine/characters/character_details.hpp"
#include "intertwine/characters/character_proof.hpp"
#include "intertwine/characters/character_table.hpp"
#include "intertwine/characters/class_function.hpp"
#include "intertwine/characters/class_report.hpp"
#include "intertwine/characters/conjugates.hpp"
#include "intertwine/characters/hilbert_series.hpp"
#include "intertwine/characters/linear_characters.hpp"
#include "intertwine/characters/modular_characters.hpp"
#include "intertwine/characters/monomial_representations.hpp"
#include "intertwine/characters/row_label.hpp"
#include "intertwine/characters/schur_index.hpp"
