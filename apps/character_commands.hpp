// What the commands on classes and characters share.
#pragma once
#include "context.hpp"
#include "intertwine/characters/character_table.hpp"
#include "intertwine/exact/field_matrix.hpp"

namespace intertwine::app {

void add_classes(CLI::App& app, Context& context);
void add_chartable(CLI::App& app, Context& context);
void add_decompose(CLI::App& app, Context& context);
void add_molien(CLI::App& app, Context& context);
void add_irreps(CLI::App& app, Context& context);

/// A list of {"representative", "size", "element_order", "centralizer_order"}.
Json to_json(const std::vector<ConjugacyClass>& classes);
/// A plain string if rational, else {"n": N, "c": [[coefficient, exponent], ...]}.
Json to_json(const Cyclotomic& a);
/// A list of rows of such numbers.
Json to_json(const FieldMatrix& A);

/// Rows of cells as aligned columns, the first one to the left, the others to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

/// The row of irreducible character number k, from 1. \throws DomainError
std::size_t irreducible_row(const CharacterTable& table, std::size_t k);

/// The table of the group, with the shape people call it by.
CharacterTable table_of(const FiniteGroup& G, const Context& context);

}  // namespace intertwine::app
