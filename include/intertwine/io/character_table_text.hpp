// Classes and character tables as text for people, JSON, LaTeX, GAP and CSV.
#pragma once
#include <ostream>
#include <string>

#include "intertwine/characters/character_details.hpp"
#include "intertwine/characters/class_report.hpp"
#include "intertwine/io/irrationalities.hpp"
#include "intertwine/io/json_writer.hpp"

namespace intertwine {

/// Like GAP's Display: centralizer orders in factored form, class names, power maps, characters; irrational values as
/// letters with a legend below (short ones in the notation of the ATLAS stand in the table), 0 as a dot. Broken into blocks of columns that fit the width; a width of 0: never broken.
std::string to_text(const CharacterTable& table, unsigned width = 80,
                    IrrationalNotation notation = IrrationalNotation::gap, const Task& task = {});
/// Displayed arrays [latex.hpp] with class names, class sizes and characters; long irrational values are letters explained below.
std::string to_latex(const CharacterTable& table, IrrationalNotation notation = IrrationalNotation::gap,
                     const Task& task = {});
/// A GAP expression for the table, with power maps, as the `irr` of a table record: `ConvertToCharacterTable(rec(...))`.
std::string to_gap(const CharacterTable& table, const Task& task = {});
/// A line with the names of the classes, then one for every character: its name and its values as GAP writes them.
std::string to_csv(const CharacterTable& table, const Task& task = {});
/// Writes the lines of to_csv one by one.
void write_csv(std::ostream& out, const CharacterTable& table, const Task& task = {});

/// "1", "2 (at 2, 3)", "2 (at inf, 3)".
std::string to_text(const SchurIndex& index);
/// "dim 4, 24 over Q"; "dim 4" where the centre is Q; "undecided".
std::string to_text(const std::optional<DivisionAlgebra>& algebra);

/// The table with what was asked for beside it, and, unless the width is 0, a line on the group above. One that is not complete: its classes and the characters that are known.
std::string to_text(const CharacterTableReport& report, unsigned width = 80,
                    IrrationalNotation notation = IrrationalNotation::gap, const Task& task = {});
/// A JSON object.
std::string to_json(const CharacterTableReport& report);
/// Its members, of which a row of the table is held at a time.
void write_json(JsonWriter& json, const CharacterTableReport& report);

/// How many classes there are, then a line for each: number, order, size, order of the centralizer, representative (cut at
/// 100 letters); the same for the subgroup.
std::string to_text(const ClassReport& report);
/// A JSON object. \throws LimitError if the task does not allow the memory.
std::string to_json(const ClassReport& report, const Task& task = {});
/// Its members, of which a class is held at a time.
void write_json(JsonWriter& json, const ClassReport& report);

}  // namespace intertwine
