// What the tests of representations in expressions and files share.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "intertwine/io/representation_expression.hpp"

namespace test_io {

using intertwine::FiniteGroup;
using intertwine::Representation;

inline bool same(const Representation& V, const Representation& W) {
  return V.group() == W.group() && V.dimension() == W.dimension() &&
         V.generator_images() == W.generator_images();
}

/// A file in a folder of its own that goes away.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& contents)
      : folder_(std::filesystem::temp_directory_path() / ("intertwine_rep_" + std::to_string(std::rand()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "r(1).json") << contents;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

inline Representation from_file(const FiniteGroup& G, const std::string& contents) {
  const TemporaryFile file(contents);
  return intertwine::parse_representation(G, "rep(@\"r(1).json\")", file.folder());
}

}  // namespace test_io
