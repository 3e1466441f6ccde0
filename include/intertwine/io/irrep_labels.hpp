// Labels of representations at wave vectors, by tables that others print.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/physics/little_group.hpp"

namespace intertwine {

/// The labels of Cracknell, Davies, Miller and Love of the irreducible representations of a little group: "X1", "GM4-",
/// of spinors "-GM8". The numbers are a convention of printed tables, which are read from the files
/// irreps-SG=N-scal.dat and irreps-SG=N-spin.dat of the package irreptables [Iraola 2022], somewhere in a folder.
/// \par Method  the tables have characters in decimals. An operation of the group takes k to a wave vector that is
///              listed, a shift of the origin takes the setting to theirs, and each irrep is the one row that has its
///              characters.
/// \throws DomainError for lines and magnetic groups, settings with other axes than the usual ones, and wave vectors
/// that are not listed; FileError for a folder without these tables, and for what is no such table, with the line
std::vector<std::string> cdml_labels(const LittleGroup& little, const std::filesystem::path& folder);
/// The labels by the text of one such file; errors say its name.
std::vector<std::string> cdml_labels_by(const LittleGroup& little, std::string_view table, const std::string& name);

}  // namespace intertwine
