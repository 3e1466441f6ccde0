// Correlation tables of point groups: text, JSON, LaTeX and tables.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/io/sheet.hpp"
#include "intertwine/physics/correlation.hpp"

namespace intertwine {

/// A correlation table, or of it what one representation of the larger group becomes.
struct CorrelationReport {
  CorrelationTable table;
  /// The representation as it was asked for, and how often every species of the larger group is in it.
  std::optional<std::pair<std::string, std::vector<std::uint64_t>>> rep = {};
};

/// How often every species of a point group is in a representation of it: the name of a species, or an expression such as harmonic(2).
/// \throws as parse_representation; DomainError if it is not real
std::vector<std::uint64_t> species_of(const PointGroupTable& table, const std::string& rep,
                                      const Task& task = {});

/// A line for every species, a column for every setting: "A1 + E".
Sheet to_sheet(const CorrelationReport& report);
/// The class of the larger group for every class of the subgroup, in every setting, and the table below.
std::string to_text(const CorrelationReport& report, unsigned width = 80);
std::string to_latex(const CorrelationReport& report);
/// {"from", "to", "rep", "settings": [{"classes": {"C2": "C4²"}, "species": {"Eg": {"A1": 1, "B1": 1}}}]}; with a representation of it
/// alone.
std::string to_json(const CorrelationReport& report);

}  // namespace intertwine
