// The answers that are tables, as sheets: what Markdown, HTML and CSV are written from.
#pragma once
#include "intertwine/characters/class_report.hpp"
#include "intertwine/combinatorics/symmetric_function_bases.hpp"
#include "intertwine/gl/branching.hpp"
#include "intertwine/groups/group_report.hpp"
#include "intertwine/io/crystal_file.hpp"
#include "intertwine/io/decomposition_text.hpp"
#include "intertwine/io/irrationalities.hpp"
#include "intertwine/io/lie_text.hpp"
#include "intertwine/io/little_group_text.hpp"
#include "intertwine/io/molecule_file.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/io/sheet.hpp"
#include "intertwine/io/tensor_text.hpp"

namespace intertwine {

/// A line for every property.
Sheet to_sheet(const GroupReport& report);
/// A line for every class: its number from 0, element order, size, order of the centralizer, representative.
/// \throws DomainError if they are too many to list.
Sheet to_sheet(const ClassReport& report);
/// Classes by their names as columns, irreducible characters as rows. Values are written out, without letters that stand for them.
Sheet to_sheet(const CharacterTable& table, IrrationalNotation notation = IrrationalNotation::gap,
               const Task& task = {});
/// A line for every constituent.
Sheet to_sheet(const Decomposition& d);
Sheet to_sheet(const LieWeights& d);
Sheet to_sheet(const Branching& branching);
/// Degrees and coefficients.
Sheet to_sheet(const MolienReport& report);
/// A line for every term.
Sheet to_sheet(const SymmetricFunction& f);
/// A line for every species.
Sheet to_sheet(const MoleculeReport& report);
/// A line for every species that occurs, with a column for every site.
Sheet to_sheet(const CrystalReport& report);
/// The species, and behind them what was asked at a wave vector.
Sheets to_sheets(const CrystalReport& report);
/// A line for every operation, a column for every representation: characters.
Sheet to_sheet(const LittleGroup& little);
/// Characters at k, then those of the line, how irreps split there, and the entries of k.p Hamiltonians.
Sheets to_sheets(const WaveVectorReport& report);
/// The matrix, its rows and columns numbered from 1.
Sheet to_sheet(const TensorReport& report);
Sheet to_sheet(const RamanReport& report);

}  // namespace intertwine
