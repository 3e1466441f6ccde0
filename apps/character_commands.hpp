// What the commands on classes and characters share.
#pragma once
#include "context.hpp"
#include "intertwine/characters/character_table.hpp"
#include "intertwine/characters/schur_index.hpp"
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

/// {"index", "real", "finite": {"2": 2, ...}, "undecided": {"3": bound, ...}}, the latter only if there are some.
Json to_json(const SchurIndex& index);
/// "1", "2 (at 2, 3)", "2 (at inf, 3)".
std::string to_text(const SchurIndex& index);

/// Rows of cells as aligned columns, the first one to the left, the others to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

/// CLI11 takes -3 for a huge number, and gives bounds in digits that nobody reads.
CLI::Validator whole_number(unsigned least);

/// The row of irreducible character number k, from 1. \throws DomainError
std::size_t irreducible_row(const CharacterTable& table, std::size_t k);

/// The table of the group, with the shape people call it by.
CharacterTable table_of(const FiniteGroup& G, const Context& context);

/// What `chartable --details` says of an irreducible character.
struct CharacterDetails {
  std::string field;                          ///< that of the values
  std::vector<std::uint32_t> kernel, centre;  ///< as classes
  Integer kernel_order, centre_order;
  std::size_t determinant;          ///< a row
  std::vector<std::size_t> family;  ///< the rows conjugate to it, itself among them
  SchurIndex index;                 ///< over Q
};
std::vector<CharacterDetails> details_of(const CharacterTable& table, const Task& task);
Json to_json(const std::vector<CharacterDetails>& details);
std::string to_text(const CharacterTable& table, const std::vector<CharacterDetails>& details);

/// The group of an expression, on the points of G or fewer. \throws DomainError unless it is in G, naming the generator
/// that is not.
FiniteGroup subgroup_of(const FiniteGroup& G, const std::string& expression, const Task& task);

/// The characters of a subgroup beside those of the group.
struct SubgroupTable {
  CharacterTable table;
  std::vector<std::uint32_t> fusion;
  std::vector<std::vector<Integer>> multiplicities;  ///< restriction_multiplicities
};
SubgroupTable subgroup_table(const CharacterTable& G, const std::string& expression, const Task& task);
/// \param table_of_it  the answer of chartable for the subgroup
/// \param order        of the whole group
Json to_json(const SubgroupTable& subgroup, const Json& table_of_it, const Integer& order);
std::string to_text(const CharacterTable& G, const SubgroupTable& subgroup, unsigned width);

}  // namespace intertwine::app
