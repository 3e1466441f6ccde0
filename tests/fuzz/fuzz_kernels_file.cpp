// JSON files of kernels on R^n and between homogeneous spaces. What is read comes back when written; verify() proves or refuses it. The group and the fields are of a short list:
// others would only test what fuzz_expressions does.
// covers: src/io/files/kernels_file.cpp src/equivariant/point_kernels.cpp src/equivariant/mackey_basis.cpp
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/kernels_file.hpp"
#include "intertwine/io/records.hpp"

using namespace intertwine;

namespace {

bool is_known(const nlohmann::json& value) {
  static const std::array<std::string, 13> known = {"SE(2)",   "E(2)",      "R^2 : D4", "R^2 : C3", "R^2 : C1",
                                                    "trivial", "cartesian", "vector",   "irrep(2)", "S4",
                                                    "S3",      "perm",      "A4"};
  return !value.is_string() || std::find(known.begin(), known.end(), value.get<std::string>()) != known.end();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_object()) {
    if (document.contains("group") && !is_known(document["group"])) return 0;
    for (const char* side : {"in", "out", "from", "to"})
      for (const char* name : {"rep", "subgroup"})
        if (document.contains(side) && document[side].is_object() && document[side].contains(name) &&
            !is_known(document[side][name]))
          return 0;
    if (document.contains("up_to_degree") && document["up_to_degree"].is_number_unsigned() &&
        document["up_to_degree"].get<std::uint64_t>() > 6)
      return 0;
  }
  const Task task(std::uint64_t{256} << 20, 5.0, {});
  try {
    std::visit(
        [&](const auto& kernels) {
          const std::string written = to_json(record(kernels));
          const auto again = parse_space_kernels(written, "written", task);
          if (to_json(record(std::get<std::decay_t<decltype(kernels)>>(again))) != written) std::abort();
          verify(kernels, task);
        },
        parse_space_kernels(text, "input", task));
  } catch (const Error&) {
  }
  return 0;
}
