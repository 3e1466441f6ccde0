// Writes tables of diagrams.
#include "intertwine/io/diagram_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "intertwine/io/containers.hpp"
#include "intertwine/io/records.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

std::string index_name(std::size_t k) {
  constexpr std::string_view names = "ijklmpqrstuvw";
  return k < names.size() ? std::string(1, names[k]) : fmt::format("i{}", k - names.size() + 1);
}

std::string entry_text(const char* name, const std::vector<std::string>& indices) {
  return indices.empty() ? name : fmt::format("{}[{}]", name, fmt::join(indices, ","));
}

/// "2, n, n" of one side: its channels, and its axes.
std::string shape_of(const DiagramTable& table, bool output) {
  const std::string letters = table.letters();
  std::string text = std::to_string(output ? table.channels.out : table.channels.in);
  for (const DiagramAxis& axis : table.axes()) {
    if (axis.output != output) continue;
    const DiagramGroup& group = table.groups[axis.letter];
    text += ", " + (group.size != 0       ? std::to_string(group.size)
                    : letters.size() == 1 ? std::string("n")
                                          : fmt::format("n_{}", letters[axis.letter]));
  }
  return text;
}

OrderedJson lists_of(std::span<const std::int32_t> words, std::uint64_t count) {
  OrderedJson lists = OrderedJson::array();
  const std::size_t length = count == 0 ? 0 : words.size() / count;
  for (std::uint64_t p = 0; p < count; ++p) {
    const auto word = words.subspan(p * length, length);
    lists.push_back(std::vector<std::int32_t>(word.begin(), word.end()));
  }
  return lists;
}

}  // namespace

std::string groups_text(const DiagramTable& table) {
  const std::string letters = table.letters();
  if (letters.empty()) return "no group";
  if (letters.size() == 1) return to_string(table.groups[0]);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < letters.size(); ++i)
    parts.push_back(fmt::format("{} on {}", to_string(table.groups[i]), letters[i]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string diagram_text(const DiagramTable& table, std::span<const std::int32_t> word, bool bias) {
  const std::vector<DiagramAxis> axes = table.axes();
  struct Block {
    std::vector<std::size_t> members;
    bool above = false, below = false;
  };
  std::map<std::pair<std::size_t, std::int32_t>, Block> blocks;
  for (std::size_t a = 0; a < word.size(); ++a) {
    Block& block = blocks[{axes[a].letter, word[a]}];
    block.members.push_back(a);
    (axes[a].output ? block.above : block.below) = true;
  }
  std::vector<std::string> index(word.size()), factors;
  std::size_t used = 0;
  bool summed = false;
  for (std::size_t a = 0; a < word.size(); ++a) {
    if (!index[a].empty()) continue;
    const Block& block = blocks[{axes[a].letter, word[a]}];
    const bool form = table.groups[axes[a].letter].series == DiagramGroup::Series::Sp && !(block.above && block.below);
    summed = summed || (word[a] >= 0 && !block.above);
    std::vector<std::string> names;
    for (const std::size_t b : block.members) {
      if (names.empty() || form || word[a] < 0) names.push_back(index_name(used++));
      index[b] = names.back();
    }
    if (form || word[a] < 0) factors.push_back(entry_text(form ? "J" : "det", names));
  }
  const auto above =
      static_cast<std::ptrdiff_t>(std::count_if(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(word.size()),
                                                [](const DiagramAxis& axis) { return axis.output; }));
  if (!bias) factors.push_back(entry_text("x", {index.begin() + above, index.end()}));
  if (factors.empty()) factors.emplace_back("1");
  return fmt::format("{} = {}{}", entry_text("y", {index.begin(), index.begin() + above}),
                     summed ? table.mean ? "mean " : "sum " : "", fmt::join(factors, " "));
}

namespace {

std::string text_of(const DiagramTable& table) {
  constexpr std::uint64_t most_shown = 64;
  std::string text =
      fmt::format("  theta        [{}, {}, {}], bias [{}, {}]\n", table.params, table.channels.out, table.channels.in,
                  table.bias_params, table.channels.out) +
      fmt::format("  features     x [batch, {}], y [batch, {}]\n", shape_of(table, false), shape_of(table, true));
  for (std::uint64_t p = 0; p < std::min(table.params, most_shown); ++p)
    text += fmt::format("  {:<12} {}\n", fmt::format("theta[{}]", p), diagram_text(table, table.diagram(p)));
  if (table.params > most_shown) text += fmt::format("  and {} more, which --json lists\n", table.params - most_shown);
  for (std::uint64_t q = 0; q < std::min(table.bias_params, most_shown); ++q)
    text += fmt::format("  {:<12} {}\n", fmt::format("bias[{}]", q), diagram_text(table, table.bias_diagram(q), true));
  return text;
}

OrderedJson fields_of(const DiagramTable& table) {
  const OrderedJson json = {{"diagrams", lists_of(table.diagrams, table.params)},
                            {"bias_diagrams", lists_of(table.bias_diagrams, table.bias_params)}};
  return json;
}

std::string proof_text(const DiagramProof& proof) {
  const DiagramTable& table = proof.table;
  const auto of_all = [](std::uint64_t some, std::uint64_t all) {
    return some == all ? std::to_string(all) : fmt::format("{} of {}", some, all);
  };
  std::string text =
      fmt::format("  maps         {} -> {} over {}\n", table.axes_in.empty() ? "1" : table.axes_in,
                  table.axes_out.empty() ? "1" : table.axes_out, groups_text(table)) +
      fmt::format("  diagrams     {}, and {} of the bias{}\n", of_all(table.params, proof.diagrams),
                  of_all(table.bias_params, proof.bias_diagrams), proof.is_complete() ? ": all there are" : "");
  std::string claims;
  for (const std::string& claim : proof.claims)
    claims += (claims.empty() ? "  not checked  the writer's word: " : "; ") + shown(claim);
  if (!claims.empty()) claims += "\n";
  const auto free =
      std::find_if(table.groups.begin(), table.groups.end(), [](const DiagramGroup& g) { return g.size == 0; });
  if (free == table.groups.end()) {
    const DiagramDimensions& only = proof.dimensions.front().second;
    return text +
           fmt::format("  dimension    {}, and {} of the bias, counted by characters\n", only.weights, only.bias) +
           claims;
  }
  const auto place = static_cast<std::size_t>(free - table.groups.begin());
  std::vector<std::string> counts;
  for (const auto& [sizes, found] : proof.dimensions)
    counts.push_back(fmt::format("{} at n = {}", found.weights, sizes[place]));
  const DiagramDimensions& last = proof.dimensions.back().second;
  return text +
         fmt::format("  dimension    {}{}\n", fmt::join(counts, ", "),
                     last.weights != proof.diagrams || last.bias != proof.bias_diagrams ? ""
                     : proof.is_complete() ? ": from there on the diagrams are a basis"
                                           : ": from there on all diagrams are a basis, of which "
                                             "these are a part") +
         claims;
}

OrderedJson proof_json(const DiagramProof& proof) {
  const DiagramTable& table = proof.table;
  OrderedJson groups = OrderedJson::object(), dimensions = OrderedJson::array();
  for (std::size_t i = 0; i < table.groups.size(); ++i)
    groups[std::string(1, table.letters()[i])] = to_string(table.groups[i]);
  for (const auto& [sizes, found] : proof.dimensions)
    dimensions.push_back({{"sizes", sizes}, {"dimension", found.weights}, {"bias_dimension", found.bias}});
  OrderedJson json = {{"groups", groups},
                      {"axes_in", table.axes_in},
                      {"axes_out", table.axes_out},
                      {"reduction", table.mean ? "mean" : "sum"},
                      {"multiplicity_in", table.channels.in},
                      {"multiplicity_out", table.channels.out},
                      {"params", table.params},
                      {"bias_params", table.bias_params},
                      {"complete", proof.is_complete()},
                      {"dimensions", dimensions},
                      {"sha256", digest(table)}};
  if (!proof.claims.empty()) json["claims"] = proof.claims;
  return json;
}

}  // namespace

Record record(Kept<DiagramTable> table) {
  return {.fields = at_once([=](const Task&) { return fields_of(*table); }),
          .text = [=](unsigned, const Task&) { return text_of(*table); }};
}

Record proof_record(Kept<DiagramProof> proof) {
  return {.fields = at_once([=](const Task&) { return proof_json(*proof); }),
          .text = [=](unsigned, const Task&) { return proof_text(*proof); }};
}

}  // namespace intertwine
