#include "support/paths.hpp"

std::string test_data() { return INTERTWINE_SOURCE_DIR "/tests/data"; }
std::string project_folder() { return INTERTWINE_SOURCE_DIR; }
