// Hostile files of groups and representations.
//
// The first byte of an input says what reads the rest: 'g' a group, other bytes a representation of S3. The readers may
// refuse with an Error of the library; what they accept must survive its text.
// covers: src/io/expressions/group_file.cpp src/io/expressions/gap_generators.cpp src/io/expressions/representation_file.cpp src/io/expressions/exact_entries.cpp src/io/containers/strict_json.cpp
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "memory_file.hpp"
#include "numbers_in_text.hpp"

namespace {

using namespace intertwine;

/// Matrices over large cyclotomic fields are left out: what is honestly computed there, over Q, has hundreds of rows.
bool is_modest(std::string_view text) {
  if (text.find("cyclotomic") == text.npos && text.find("E(") == text.npos) return true;
  std::uint64_t conductor = 1;
  for (const std::uint64_t n : numbers_in(text)) {
    if (n > 200) return false;
    if ((conductor = std::lcm(conductor, std::max<std::uint64_t>(n, 1))) > 200) return false;
  }
  return true;
}

void check(const FiniteGroup& G, const Task& task) {
  if (G.degree() > 10'000) return;
  if (G.generators().size() == 1 && G.generators().front().is_identity()) return;  // its text is that of no generators
  // A name has the permutations and not the matrices of the file, which are coordinates of the group that is read.
  const FiniteGroup again = parse_finite_group(G.name(), task);
  require(permute_alike(again, G) && (G.coordinates().matrices || again == G), "a group survives its name");
}

void check(const Representation& V, const Task& task) {
  if (V.dimension() > 1000) return;
  const Representation again = parse_representation(V.group(), V.to_string(TextForm::checked), task);
  require(again.dimension() == V.dimension() && again.to_string() == V.to_string(),
          "a representation survives its text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || !is_modest({reinterpret_cast<const char*>(data), size})) return 0;
  const MemoryFile file(data + 1, size - 1);
  const Task task(std::uint64_t{256} << 20, 10, {});
  const std::string name = "@" + file.path().string();
  try {
    if (data[0] == 'g')
      check(parse_finite_group(name, task), task);
    else
      check(parse_representation(symmetric_group(3), "rep(" + name + ")", task), task);
  } catch (const InternalError&) {
    throw;
  } catch (const Error& e) {
    require(e.what()[0] != '\0', "an error says something");
  }
  return 0;
}
