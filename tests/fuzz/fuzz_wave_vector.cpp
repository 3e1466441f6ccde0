// Wave vectors and names of magnetic space groups as text: vectors that are read come back when written, and the
// operations of a magnetic group are a group.
// covers: src/io/answers/little_group_text.cpp src/physics/magnetic_symbols.cpp
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/little_group_text.hpp"
#include "intertwine/physics/magnetic_space_group.hpp"
#include "numbers_in_text.hpp"

using namespace intertwine;

static bool has_small_numbers(const std::string& text) {
  for (const std::uint64_t k : numbers_in(text))
    if (k > 5000) return false;
  return true;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (size > 128 || !has_small_numbers(text)) return 0;
  try {
    const auto k = parse_wave_vector(text);
    if (parse_wave_vector(k[0].str() + "," + k[1].str() + "," + k[2].str()) != k) std::abort();
  } catch (const Error&) {
  }
  try {
    const MagneticSpaceGroup group = MagneticSpaceGroup::named(text);
    const std::size_t linear = group.operations().size(), reversing = group.antiunitary().size();
    if (linear == 0 || linear > 48 || (reversing != 0 && reversing != linear) || group.type() > 4) std::abort();
    std::vector<MagneticOperation> all;
    for (const SpaceOperation& g : group.operations()) all.push_back({g, false});
    for (const SpaceOperation& g : group.antiunitary()) all.push_back({g, true});
    for (const auto& t : group.centring()) all.push_back({{group.operations()[0].W, t}, false});
    if (MagneticSpaceGroup(all) != group) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
