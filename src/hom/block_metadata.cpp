// The metadata of weight tables: the group, the representations, the certificate.
#include "block_metadata.hpp"

#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/version.hpp"

namespace intertwine::hom {

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

std::string finite_group_json(const FiniteGroup& G) {
  std::string generators;
  for (const Permutation& g : G.generators()) generators += (generators.empty() ? "" : ",") + quoted(g.to_string());
  return fmt::format(R"({{"expression":{},"degree":{},"order":"{}","generators":[{}]}})", quoted(G.name()), G.degree(),
                     G.order().str(), generators);
}

std::string continuous_group_json(const ContinuousGroup& G, Scalars scalars, const Task& task) {
  const bool complex = G.is_complex() && scalars != Scalars::real;
  const ContinuousRepresentation natural = intertwine::natural_representation(G, !complex);
  const auto names = G.generator_names();
  const auto matrices = natural.generator_matrices(task);
  std::string generators;
  for (std::size_t g = 0; g < matrices.size(); ++g) {
    std::string entries;
    for (const auto& e : matrices[g].entries())
      entries += fmt::format("{}[{},{},\"{}\"]", entries.empty() ? "" : ",", e.row, e.col, to_string(e.value));
    generators += fmt::format("{}{{\"name\":{},\"entries\":[{}]}}", g == 0 ? "" : ",", quoted(names[g]), entries);
  }
  return fmt::format(
      R"({{"expression":{},"continuous":true,"scalars":"{}","natural":{},"dimension":{},"generators":[{}]}})",
      quoted(G.name()), complex ? "complex" : "real", quoted(natural.to_string()), natural.dimension(), generators);
}

// The route of the bias is named where it is another one.
std::string certificate_json(const HomCertificate& weights, const HomCertificate& bias) {
  const bool independent =
      weights.independence != Independence::unchecked && bias.independence != Independence::unchecked;
  return fmt::format(R"({{"character_dimension":"{}","bias_character_dimension":"{}","commutes":true,"independent":{},)"
                     R"("route":"{}"{}}})",
                     weights.dimension.str(), bias.dimension.str(), independent, weights.route,
                     bias.route == weights.route ? "" : fmt::format(R"(,"bias_route":"{}")", bias.route));
}

}  // namespace

std::string group_json(const Group& G, Scalars scalars, const Task& task) {
  if (const auto* finite = G.as<FiniteGroup>()) return finite_group_json(*finite);
  if (const auto* classical = G.as<ContinuousGroup>()) return continuous_group_json(*classical, scalars, task);
  throw DomainError(G.name() + " has no tables: its representations are known by their characters only");
}

std::map<std::string, std::string> block_metadata(const Basis::Block& block, const Task& task) {
  const auto text = [](const Representation& V) {
    const auto* finite = V.as<intertwine::Representation>();
    return finite != nullptr ? finite->to_string(TextForm::checked) : V.to_string();
  };
  const auto *V = block.source.as<ContinuousRepresentation>(), *U = block.target.as<ContinuousRepresentation>();
  const Scalars scalars = V != nullptr ? common_scalars(*V, *U) : Scalars::complex;
  return {{"convention", table_convention},
          {"group", group_json(block.source.group(), scalars, task)},
          {"rep_in", text(block.source)},
          {"rep_out", text(block.target)},
          {"field", block.field().to_string()},
          {"order", "by smallest row-major entry"},
          {"sign_rule", "the smallest entry is +"},
          {"certificate", certificate_json(block.weights.certificate(), block.bias.certificate())},
          {"producer", "intertwine " INTERTWINE_VERSION}};
}

}  // namespace intertwine::hom
