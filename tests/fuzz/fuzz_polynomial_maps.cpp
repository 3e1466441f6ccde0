// JSON files of polynomial maps. What is read is well-formed and comes back when written; verify() proves or refuses it.
// The group and the representations are of a short list: others would only test what fuzz_expressions does.
// covers: src/io/answers/polynomial_maps_text.cpp src/equivariant/polynomial_map_checks.cpp
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/polynomial_maps_text.hpp"
#include "intertwine/io/records.hpp"

using namespace intertwine;

namespace {

/// Is the value of the key absent, no string, or one that is known to be small?
bool is_small(const nlohmann::json& document, const char* key) {
  static const std::array<std::string, 9> known = {"S3",   "D5",          "C3",       "perm", "trivial",
                                                   "sign", "coordinates", "irrep(2)", "@x"};
  if (!document.contains(key) || !document[key].is_string()) return true;
  return std::find(known.begin(), known.end(), document[key].get<std::string>()) != known.end();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_object())
    for (const char* key : {"group", "in", "out"})
      if (!is_small(document, key)) return 0;
  const Task task(std::uint64_t{256} << 20, 5.0, {});
  try {
    std::visit(
        [&](const auto& F) {
          require_well_formed(F);
          const auto again =
              std::get<std::decay_t<decltype(F)>>(parse_polynomial_maps(to_json(record(F)), "written", task));
          if (again.monomials != F.monomials || again.maps != F.maps || again.degree != F.degree) std::abort();
          if (F.degree <= 6) verify(F, task);
        },
        parse_polynomial_maps(text, "input", task));
  } catch (const Error&) {
  }
  return 0;
}
