// Writes the metadata of weight tables.
#include "layer_metadata.hpp"

#include <fmt/format.h>

#include "intertwine/version.hpp"

namespace intertwine {
namespace {

// A JSON string. That it is UTF-8 is checked by what writes the table.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const std::size_t named = std::string_view("\b\t\n\f\r\"\\").find(c);
    if (named != std::string_view::npos)
      out += std::string{'\\', "btnfr\"\\"[named]};
    else if (c >= 0 && c < 32)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string group_json(const FiniteGroup& G) {
  std::string generators;
  for (const Permutation& g : G.generators())
    generators += (generators.empty() ? "" : ",") + quoted(g.to_string());
  return fmt::format(R"({{"expression":{},"degree":{},"order":"{}","generators":[{}]}})", quoted(G.name()),
                     G.degree(), G.order().str(), generators);
}

// The route of the bias is named where it is another one.
std::string certificate_json(const HomCertificate& weights, const HomCertificate& bias) {
  const bool independent =
      weights.independence != Independence::unchecked && bias.independence != Independence::unchecked;
  return fmt::format(
      R"({{"character_dimension":"{}","bias_character_dimension":"{}","commutes":true,"independent":{},)"
      R"("route":"{}"{}}})",
      weights.dimension.str(), bias.dimension.str(), independent, weights.route,
      bias.route == weights.route ? "" : fmt::format(R"(,"bias_route":"{}")", bias.route));
}

}  // namespace

std::map<std::string, std::string> table_metadata(const HomBasis& weights, const HomBasis& bias,
                                                  const AbelianField& field) {
  return {{"convention", table_convention},
          {"group", group_json(weights.source().group())},
          {"rep_in", weights.source().to_string(TextForm::checked)},
          {"rep_out", weights.target().to_string(TextForm::checked)},
          {"field", field.to_string()},
          {"order", "by smallest row-major entry"},
          {"sign_rule", "the smallest entry is +"},
          {"certificate", certificate_json(weights.certificate(), bias.certificate())},
          {"producer", "intertwine " INTERTWINE_VERSION}};
}

}  // namespace intertwine
