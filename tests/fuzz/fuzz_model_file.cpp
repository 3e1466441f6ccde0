// Hostile semidefinite programs in CBF, and behind a byte that is { in MOF. The readers may refuse with an Error of the
// library; what they accept is written in both formats and read back.
// covers: src/io/files/cbf_file.cpp src/io/files/mof_file.cpp src/io/files/model_rows.cpp src/io/files/model_file.cpp
#include <cstddef>
#include <cstdint>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/model_file.hpp"
#include "intertwine/task.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace intertwine;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Task task(std::uint64_t{256} << 20, 0, {});
  try {
    const sdp::Model model = text.starts_with('{') ? parse_mof(text, "input", task) : parse_cbf(text, "input", task);
    if (model.problem.rows() > 1000 || model.problem.variables() > 10'000) return 0;
    for (const ModelFormat format : {ModelFormat::cbf, ModelFormat::mof}) {
      const std::string written = to_model_text(model.problem, model.maximize, model.constant, format);
      const sdp::Model again = format == ModelFormat::mof ? parse_mof(written, "again") : parse_cbf(written, "again");
      if (again.problem.variables() != model.problem.variables() || again.maximize != model.maximize) __builtin_trap();
    }
  } catch (const Error&) {
  }
  return 0;
}
