// The metadata of the proof in a table file.
#include "io/containers/proof_metadata.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "io/containers/strict_json.hpp"

namespace intertwine {
namespace {

constexpr const char *signed_form = "signed-permutations", *matrix_form = "matrices";

}  // namespace

std::string proof_metadata(const GeneratorImages& proof) {
  nlohmann::ordered_json out;
  const auto* general = std::get_if<GeneratorImages::General>(&proof.images);
  out["form"] = general == nullptr ? signed_form : matrix_form;
  out["generators"] = proof.generators;
  if (general == nullptr) return out.dump();
  if (!general->algebra.empty()) {
    auto& stated = out["generator_kinds"] = nlohmann::ordered_json::array();
    for (const bool algebra : general->algebra) stated.push_back(algebra ? "algebra" : "group");
  }
  out["prime"] = std::to_string(general->prime);
  if (general->degree != 1) out["root"] = std::to_string(general->root);
  return out.dump();
}

GeneratorImages parse_proof_metadata(const std::string& text, const std::string& name) {
  const auto fail = [&](const std::string& what) {
    throw FileError(fmt::format("{}: the metadata entry intertwine.proof {}", name, what));
  };
  const auto document =
      parse_strict_json(text, name + ": the metadata entry intertwine.proof", {2, std::uint64_t{1} << 20});
  if (!document.is_object() || !document.contains("form") || !document["form"].is_string())
    fail("is no JSON object with a form");
  const auto texts = [&](const char* key) {
    std::vector<std::string> out;
    if (!document[key].is_array()) fail(fmt::format("has no list of {}", key));
    for (const auto& item : document[key]) {
      if (!item.is_string()) fail(fmt::format("has {} that are no texts", key));
      out.push_back(item.get<std::string>());
    }
    return out;
  };
  const auto number = [&](const char* key) {
    std::uint64_t value = 0;
    const auto found = document.find(key);
    const std::string digits = found != document.end() && found->is_string() ? found->get<std::string>() : "";
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size())
      fail(fmt::format("has no {} in decimal digits", key));
    return value;
  };
  if (!document.contains("generators")) fail("has no list of generators");
  GeneratorImages proof{texts("generators"), GeneratorImages::Signed{}};
  const auto form = document["form"].get<std::string>();
  if (form == signed_form) return proof;
  if (form != matrix_form) fail("has a form that is neither \"signed-permutations\" nor \"matrices\"");
  auto& general = proof.images.emplace<GeneratorImages::General>();
  if (document.contains("generator_kinds"))
    for (const std::string& kind : texts("generator_kinds")) {
      if (kind != "group" && kind != "algebra") fail("has a kind of generator that is neither group nor algebra");
      general.algebra.push_back(kind == "algebra");
    }
  general.prime = number("prime");
  if (document.contains("root")) general.root = number("root");
  return proof;
}

}  // namespace intertwine
