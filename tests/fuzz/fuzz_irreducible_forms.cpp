// JSON files of irreducible representations. What is read can be written; verify() proves or refuses it.
// The group is of a short list: others would only test what fuzz_expressions does.
// covers: src/io/files/answer_file.cpp src/representations/irreducible/verify_irreducible.cpp
#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/answer_file.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_text.hpp"

using namespace intertwine;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::array<std::string, 5> known = {"S3", "D5", "C3", "Q8", "@x"};
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_object() && document.contains("group") && document["group"].is_string() &&
      std::find(known.begin(), known.end(), document["group"].get<std::string>()) == known.end())
    return 0;
  const Task task(std::uint64_t{256} << 20, 5.0, {});
  try {
    const IrreducibleForms forms = parse_irreducible_forms(text, "input", task);
    static_cast<void>(to_json(record(forms)));
    verify(forms, task);
  } catch (const Error&) {
  }
  return 0;
}
