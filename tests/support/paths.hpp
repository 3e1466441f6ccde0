// Where the tests find their data.
#pragma once
#include <filesystem>
#include <string>

/// The folder tests/data, without a stroke at its end.
std::string test_data();
/// The root of the project.
std::string project_folder();
/// An expression whose files, "@name" and "@\"a name\"", lie in a folder.
std::string among_files(const std::string& expression, const std::filesystem::path& folder);
