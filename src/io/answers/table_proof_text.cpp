// Writes proofs of tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/io/records.hpp"
#include "intertwine/io/verify_table.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

OrderedJson proof_json(const BlockProof& proof) {
  const OrderedJson json = {{"group", proof.group},
                            {"order", proof.order ? OrderedJson(proof.order->str()) : OrderedJson()},
                            {"rep_in", proof.rep_in},
                            {"rep_out", proof.rep_out},
                            {"rows", proof.rows},
                            {"cols", proof.cols},
                            {"params", proof.params},
                            {"bias_params", proof.bias_params},
                            {"dimension", proof.dimension.str()},
                            {"bias_dimension", proof.bias_dimension.str()},
                            {"route", proof.route},
                            {"sha256", proof.sha256},
                            {"images", proof.images},
                            {"claims", proof.claims}};
  return json;
}

OrderedJson proof_json(const TableProof& proof) {
  if (proof.is_single()) return proof_json(proof.blocks.front().front());
  OrderedJson blocks = OrderedJson::array();
  for (const auto& row : proof.blocks) {
    blocks.push_back(OrderedJson::array());
    for (const BlockProof& block : row) {
      OrderedJson json = proof_json(block);
      json["multiplicity_in"] = block.multiplicity_in;
      json["multiplicity_out"] = block.multiplicity_out;
      blocks.back().push_back(std::move(json));
    }
  }
  const OrderedJson json = {{"dimension", proof.dimension.str()},
                            {"bias_dimension", proof.bias_dimension.str()},
                            {"sha256", proof.sha256},
                            {"blocks", blocks}};
  return json;
}

std::string proof_text(const BlockProof& proof) {
  const auto weights = counted(std::to_string(proof.params), "weight", "weights");
  const auto biases = counted(std::to_string(proof.bias_params), "bias", "biases");
  const bool repeated = proof.multiplicity_in != 1 || proof.multiplicity_out != 1;
  return fmt::format("  group        {}{}\n", proof.group, proof.order ? ", order " + proof.order->str() : "") +
         fmt::format("  layer        {} -> {}, {} x {}\n", proof.rep_in, proof.rep_out, proof.rows, proof.cols) +
         fmt::format("  parameters   {}, {}{}\n", weights, biases,
                     repeated ? fmt::format("; with multiplicities {} in and {} out: {} and {}", proof.multiplicity_in,
                                            proof.multiplicity_out, proof.dimension.str(), proof.bias_dimension.str())
                              : "") +
         "  equivariant  every entry checked under every generator\n" +
         fmt::format("  complete     {} and {} counted again ({})\n  sha256       {}\n", weights, biases, proof.route,
                     proof.sha256) +
         (proof.images ? "  proof        the images of the generators in the file are those of the group\n" : "") +
         (proof.claims.empty() ? ""
                               : fmt::format("  not checked  the writer's word: {}\n", fmt::join(proof.claims, "; ")));
}

std::string proof_text(const TableProof& proof) {
  if (proof.is_single()) return proof_text(proof.blocks.front().front());
  const BlockProof& first = proof.blocks.front().front();
  std::string text =
      fmt::format("  group        {}{}\n", first.group, first.order ? ", order " + first.order->str() : "");
  std::vector<std::string> routes, claims;
  bool images = true;
  for (const auto& row : proof.blocks)
    for (const BlockProof& block : row) {
      text += fmt::format("  block        {} -> {}, {} x {}, {} x {} channels: {}, {}\n", block.rep_in, block.rep_out,
                          block.rows, block.cols, block.multiplicity_out, block.multiplicity_in,
                          counted(std::to_string(block.params), "weight", "weights"),
                          counted(std::to_string(block.bias_params), "bias", "biases"));
      images &= block.images;
      for (const std::string& claim : block.claims)
        if (std::find(claims.begin(), claims.end(), claim) == claims.end()) claims.push_back(claim);
      if (std::find(routes.begin(), routes.end(), block.route) == routes.end()) routes.push_back(block.route);
    }
  return text +
         fmt::format("  parameters   {}, {}\n", counted(proof.dimension.str(), "weight", "weights"),
                     counted(proof.bias_dimension.str(), "bias", "biases")) +
         "  equivariant  every entry of every block checked under every generator\n" +
         fmt::format("  complete     the weights and biases of every block counted again ({})\n  sha256       {}\n",
                     fmt::join(routes, ", "), proof.sha256) +
         (images ? "  proof        the images of the generators in the file are those of the group\n" : "") +
         (claims.empty() ? "" : fmt::format("  not checked  the writer's word: {}\n", fmt::join(claims, "; ")));
}

}  // namespace

Record proof_record(Kept<BlockProof> proof) {
  return {.fields = at_once([=](const Task&) { return proof_json(*proof); }),
          .text = [=](unsigned, const Task&) { return proof_text(*proof); }};
}

Record proof_record(Kept<TableProof> proof) {
  return {.fields = at_once([=](const Task&) { return proof_json(*proof); }),
          .text = [=](unsigned, const Task&) { return proof_text(*proof); }};
}

}  // namespace intertwine
