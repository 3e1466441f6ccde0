#include "support/paths.hpp"

#include <regex>

std::string test_data() { return INTERTWINE_SOURCE_DIR "/tests/data"; }
std::string project_folder() { return INTERTWINE_SOURCE_DIR; }

std::string among_files(const std::string& expression, const std::filesystem::path& folder) {
  static const std::regex file("@\"([^\"]*)\"|@([\\w.-]+)");
  return std::regex_replace(expression, file, "@\"" + folder.string() + "/$1$2\"");
}
