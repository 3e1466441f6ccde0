// Hostile files of graphs.
//
// The first byte of an input says how the rest is written: 'j' JSON, 'e' a list of edges, 'c' DIMACS, 'm' Matrix
// Market, 'n' an array, 's' sparse6, other bytes graph6. The reader may refuse with an Error of the library; what it
// accepts has a group that survives its name. covers: src/io/files/graph_file.cpp src/io/files/foreign_graph.cpp src/io/files/marked_graph.cpp
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "memory_file.hpp"

namespace {

using namespace intertwine;

/// A folder for one link, whose name says the format.
const std::filesystem::path& folder() {
  static const std::filesystem::path made = [] {
    std::string pattern = (std::filesystem::temp_directory_path() / "intertwine-fuzz-XXXXXX").string();
    require(::mkdtemp(pattern.data()) != nullptr, "there is a temporary folder");
    std::atexit([] {
      std::error_code ignored;
      std::filesystem::remove_all(folder(), ignored);
    });
    return std::filesystem::path(pattern);
  }();
  return made;
}

const char* extension(std::uint8_t first) {
  switch (first) {
    case 'j':
      return ".json";
    case 'e':
      return ".edges";
    case 'c':
      return ".col";
    case 'm':
      return ".mtx";
    case 'n':
      return ".npy";
    case 'l':
      return ".gml";
    case 'x':
      return ".graphml";
    case 's':
      return ".s6";
    default:
      return ".g6";
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const MemoryFile file(data + 1, size - 1);
  const std::filesystem::path link = folder() / ("graph" + std::string(extension(data[0])));
  std::filesystem::remove(link);
  std::filesystem::create_symlink(file.path(), link);
  const Task task(std::uint64_t{64} << 20, 10, {});
  try {
    const FiniteGroup G = parse_finite_group("aut(@" + link.string() + ")", task);
    if (G.degree() <= 1000)
      require(parse_finite_group(G.name(), task).order(task) == G.order(task), "a group survives its name");
  } catch (const InternalError&) {
    throw;
  } catch (const Error& e) {
    require(e.what()[0] != '\0', "an error says something");
  }
  return 0;
}
