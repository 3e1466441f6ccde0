// What the tests of representations in expressions and files share.
#pragma once
#include <filesystem>
#include <fstream>
#include <string>

#include "intertwine/io/representation_expression.hpp"
#include "support/paths.hpp"
#include "tables.hpp"

namespace test_io {

using intertwine::FiniteGroup;
using intertwine::Representation;

inline bool same(const Representation& V, const Representation& W) {
  return V.group() == W.group() && V.dimension() == W.dimension() && V.generator_images() == W.generator_images();
}

/// A file in a folder of its own that goes away.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& contents) { std::ofstream(folder_ / "r(1).json") << contents; }
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  test_tables::Folder folder_;
};

inline Representation from_file(const FiniteGroup& G, const std::string& contents) {
  const TemporaryFile file(contents);
  return intertwine::parse_representation(G, among_files("rep(@\"r(1).json\")", file.folder()));
}

}  // namespace test_io
