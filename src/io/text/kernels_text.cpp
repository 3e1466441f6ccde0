#include "intertwine/io/kernels_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/containers/text.hpp"
#include "io/text/json_values.hpp"

namespace intertwine {

namespace {

std::string side(const Representation& V) {
  return fmt::format("{} of {}, dimension {}", shortened(V.to_string()), shortened(V.group().name()),
                     V.dimension());
}

OrderedJson side_json(const Representation& V) {
  return {{"subgroup", V.group().name()},
          {"order", json_value(V.group().order())},
          {"rep", V.to_string(TextForm::checked)},
          {"dimension", V.dimension()}};
}

}  // namespace

std::string to_json(const KernelSpace& kernels) {
  OrderedJson json;
  json["group"] = kernels.group().name();
  json["from"] = side_json(kernels.source());
  json["to"] = side_json(kernels.target());
  json["dimension"] = kernels.dimension();
  json["certificate"] = {{"mackey_dimension", kernels.dimension()},
                         {"character_dimension", json_value(kernels.character_dimension())},
                         {"route", kernels.route()}};
  json["convention"] = "kappa(h g k) = rho(h) kappa(g) sigma(k)";
  json["field"] = kernels.field().to_string();
  OrderedJson blocks = OrderedJson::array();
  std::uint64_t number = 0;
  for (const KernelBlock& block : kernels.blocks()) {
    OrderedJson values = OrderedJson::array();
    for (std::uint64_t k = 0; k < block.values.params(); ++k)
      values.push_back(json_value(kernels.value(number++, block.representative)));
    blocks.push_back({{"representative", json_value(block.representative)},
                      {"size", json_value(block.size)},
                      {"stabilizer_order", json_value(block.stabilizer.order())},
                      {"stabilizer", json_value(block.stabilizer.generators())},
                      {"kernels", block.values.params()},
                      {"values", std::move(values)}});
  }
  json["double_cosets"] = std::move(blocks);
  return json.dump(2);
}

std::string to_text(const KernelSpace& kernels, bool elements, std::string_view time) {
  std::string text =
      fmt::format("{}: kernels kappa(h g k) = rho(h) kappa(g) sigma(k)\n", shortened(kernels.group().name()));
  text += "  from sigma   " + side(kernels.source()) + "\n  to rho       " + side(kernels.target()) + "\n";
  text += fmt::format("  dimension    {}: by double cosets {}, by induced characters {} ({})\n",
                      kernels.dimension(), kernels.dimension(), kernels.character_dimension().str(),
                      kernels.route());
  if (!kernels.field().is_rational()) text += "  field        " + kernels.field().to_string() + "\n";
  if (!time.empty()) text += fmt::format("  time         {}\n", time);
  const auto cycles = [](const KernelBlock& block) { return shortened(block.representative.to_string()); };
  std::size_t width = 1;
  for (const KernelBlock& block : kernels.blocks()) width = std::max(width, cycles(block).size());
  text += fmt::format("double cosets {}\n  {:<{}}  {:>10}  {:>10}  {:>7}\n", kernels.blocks().size(), "g",
                      width, "size", "stabilizer", "kernels");
  std::uint64_t number = 0;
  for (const KernelBlock& block : kernels.blocks()) {
    text += fmt::format("  {:<{}}  {:>10}  {:>10}  {:>7}\n", cycles(block), width, block.size.str(),
                        block.stabilizer.order().str(), block.values.params());
    if (!elements) continue;
    for (std::uint64_t k = 0; k < block.values.params(); ++k) {
      const std::string value = kernels.value(number, block.representative).to_string();
      text += fmt::format("    kappa{}(g) = {}\n", ++number, value);
    }
  }
  return text;
}

}  // namespace intertwine
