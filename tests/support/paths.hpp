// Where the tests find their data.
#pragma once
#include <string>

/// The folder tests/data, without a stroke at its end.
std::string test_data();
/// The root of the project.
std::string project_folder();
