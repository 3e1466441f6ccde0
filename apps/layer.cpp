#include "layer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <chrono>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/kernel_sites.hpp"

namespace intertwine::app {

namespace {

constexpr std::size_t shown_reasons = 3;

/// Names of groups and representations given by lists can be as long as their files.
std::string shortened(const std::string& name) {
  constexpr std::size_t most = 60;
  return name.size() <= most ? name : name.substr(0, most - 3) + "...";
}

/// "entry (2, (1,2)): (1,2) fixes it and changes its sign" for the first orbits without a parameter.
std::vector<std::string> vanishing_reasons(const EquivariantBasis::Block& block, const Task& task) {
  std::vector<std::string> reasons;
  for (const MatrixEntry& entry : block.weights.pattern().vanishing_orbits()) {
    if (reasons.size() == shown_reasons) break;
    const auto g = vanishing_witness(block.weights.source(), block.weights.target(), entry, task);
    if (!g) throw InternalError("an orbit was taken to vanish, but no element negates its entry");
    reasons.push_back(fmt::format("entry ({}, {}): {} fixes it and changes its sign",
                                  block.weights.target().basis_label(entry.row),
                                  block.weights.source().basis_label(entry.col), shortened(g->to_string())));
  }
  return reasons;
}

std::string arrow(const Representation& source, const Representation& target) {
  return shortened(source.to_string()) + " -> " + shortened(target.to_string());
}

std::string block_line(const EquivariantBasis::Block& block, bool several) {
  const HomBasis& elements = block.weights;
  std::string text =
      several ? "  block        " + arrow(elements.source(), elements.target()) + ": " : "  matrix       ";
  text += fmt::format("{} x {} entries, {}", elements.rows(), elements.cols(),
                      counted(std::to_string(elements.params()), "parameter", "parameters"));
  if (block.channels != Multiplicity{})
    text += fmt::format(", each a {} x {} block of free scalars", block.channels.out, block.channels.in);
  text += '\n';
  if (!elements.is_tied() && elements.params() > 0) {
    const IntertwinerSpace& space = elements.space();
    const std::string what = space.field().is_rational()
                                 ? "integral matrices, entries"
                                 : "matrices over " + space.field().to_string() + ", coordinates";
    text += fmt::format("  elements     {} up to {}, {:.1f} % of them not 0\n", what, space.height().str(),
                        100 * space.density());
  }
  return text;
}

std::string vanishing_lines(const EquivariantBasis::Block& block, bool several, const Task& task) {
  const std::size_t count = block.weights.is_tied() ? block.weights.pattern().vanishing_orbits().size() : 0;
  if (count == 0) return {};
  std::string text = fmt::format(
      "  vanishing    {} of entries{} {} no parameter:\n", counted(std::to_string(count), "orbit", "orbits"),
      several ? " of " + arrow(block.weights.source(), block.weights.target()) : "",
      count == 1 ? "carries" : "carry");
  for (const std::string& reason : vanishing_reasons(block, task)) text += "               " + reason + "\n";
  if (count > shown_reasons) text += fmt::format("               and {} more\n", count - shown_reasons);
  return text;
}

/// What is proved of one Hom.
Json certificate_json(const HomCertificate& c) {
  return {{"dimension", c.dimension.str()},
          {"route", c.route},
          {"commutation", to_string(c.commutation)},
          {"independence", to_string(c.independence)}};
}

/// Why all elements commute, and for how many of the bases of weights and biases, if not for all.
std::vector<std::string> reasons_of_commutation(const EquivariantBasis& basis) {
  constexpr std::string_view reasons[] = {
      "every entry checked under every generator",
      "by the count (the table is too large to check every entry here)",
      "every element is put together from smaller maps that were checked"};
  std::array<std::size_t, std::size(reasons)> times{};
  for (const auto& block : basis.blocks())
    ++times[static_cast<std::size_t>(block.weights.certificate().commutation)];
  for (const auto& block : basis.bias_blocks())
    ++times[static_cast<std::size_t>(block.bias.certificate().commutation)];
  const std::size_t all = basis.blocks().size() + basis.bias_blocks().size();
  std::vector<std::string> out;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (times[k] != 0)
      out.push_back(times[k] == all ? std::string(reasons[k])
                                    : fmt::format("{} of {} bases: {}", times[k], all, reasons[k]));
  if (out.empty()) out.emplace_back(reasons[0]);
  return out;
}

/// V * sites, the multiplicities of V kept as such.
Representation at_sites(const Representation& V, const Representation& sites) {
  std::optional<Representation> sum;
  for (const auto& [multiplicity, part] : V.summands()) {
    const Representation term = multiplicity * (part * sites);
    sum = sum ? *sum + term : term;
  }
  return sum ? *sum : V * sites;
}

}  // namespace

void add_layer_options(CLI::App& command, LayerOptions& options) {
  options.in = options.out = "perm";
  command
      .add_option("GROUP", options.group,
                  "a group expression, for example S5, 'p4m(8,8)', 'C2 x S3', @group.json; `intertwine group "
                  "--help` lists them")
      ->type_name("")
      ->required();
  command.add_option("--in", options.in, "the input representation")->type_name("R")->capture_default_str();
  command.add_option("--out", options.out, "the output representation")
      ->type_name("R")
      ->capture_default_str();
}

Layer make_layer(const LayerOptions& options, const Context& context, bool single_pattern,
                 std::span<const std::uint64_t> kernel) {
  const auto start = std::chrono::steady_clock::now();
  const FiniteGroup G = parse_group(options.group, {}, context.task);
  Representation V = parse_representation(G, options.in, {}, context.task);
  if (!kernel.empty()) V = at_sites(V, kernel_sites(G, kernel, context.task));
  const Representation U = parse_representation(G, options.out, {}, context.task);
  EquivariantBasis basis = equivariant_basis(V, U, context.task, {.single_pattern = single_pattern});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {options, std::move(basis), seconds};
}

void describe(const Layer& layer, Json& json) {
  const EquivariantBasis& basis = layer.basis;
  const FiniteGroup& G = basis.source().group();
  std::uint64_t rows = 0, cols = 0;
  for (const auto& block : basis.bias_blocks()) rows += block.bias.rows();
  for (const auto& block : basis.blocks())
    if (&block.weights.target().node() == &basis.blocks().front().weights.target().node())
      cols += block.weights.cols();
  json["group"] = G.name();
  json["order"] = G.order().str();
  json["rep_in"] = basis.source().to_string();
  json["rep_out"] = basis.target().to_string();
  json["rows"] = rows;
  json["cols"] = cols;
  json["dimension"] = basis.dimension().str();
  json["params"] = basis.params();
  json["bias_dimension"] = basis.bias_dimension().str();
  json["bias_params"] = basis.bias_params();
  json["kind"] = basis.is_tied() ? "signed-orbit" : "sparse-basis";
  json["field"] = basis.field().to_string();
  Json blocks = Json::array();
  std::uint64_t vanishing = 0;
  for (const auto& block : basis.blocks()) {
    const HomBasis& weights = block.weights;
    if (weights.is_tied()) vanishing += weights.pattern().vanishing_orbits().size();
    blocks.push_back({{"rep_in", weights.source().to_string()},
                      {"rep_out", weights.target().to_string()},
                      {"multiplicity_in", block.channels.in},
                      {"multiplicity_out", block.channels.out},
                      {"params", weights.params()},
                      {"certificate", certificate_json(weights.certificate())},
                      {"bias_certificate", certificate_json(block.bias.certificate())}});
    if (weights.is_tied()) continue;
    blocks.back()["height"] = weights.space().height().str();
    blocks.back()["density"] = weights.space().density();
  }
  json["blocks"] = std::move(blocks);
  json["vanishing_orbits"] = vanishing;
  const Certificate& c = basis.certificate();
  json["certificate"] = {{"character_dimension", c.character_dimension.str()},
                         {"bias_character_dimension", c.bias_character_dimension.str()},
                         {"commutes", c.commutes},
                         {"every_entry_checked", c.every_entry_checked},
                         {"independent", c.independent},
                         {"route", c.route},
                         {"bias_route", c.bias_route}};
  json["seconds"] = layer.seconds;
}

std::string describe(const Layer& layer, const Context& context) {
  const EquivariantBasis& basis = layer.basis;
  const FiniteGroup& G = basis.source().group();
  const Certificate& c = basis.certificate();
  const bool several = basis.blocks().size() > 1;
  const auto layer_of = [](const Integer& weights, const Integer& biases) {
    return counted(weights.str(), "weight", "weights") + ", " + counted(biases.str(), "bias", "biases");
  };
  std::string text = fmt::format("{}: Hom({}, {})\n", shortened(layer.asked.group), shortened(layer.asked.in),
                                 shortened(layer.asked.out));
  text += fmt::format("  group        order {}, degree {}, {}\n", G.order().str(), G.degree(),
                      counted(std::to_string(G.generators().size()), "generator", "generators"));
  for (const auto& b : basis.blocks()) text += block_line(b, several);
  text += "  dimension    " + layer_of(basis.dimension(), basis.bias_dimension()) + "\n";
  const bool repeated =
      c.character_dimension != basis.dimension() || c.bias_character_dimension != basis.bias_dimension();
  text += fmt::format("  complete     {}: <chi_in, chi_out> = {} and {}{}, counted independently ({}{})\n",
                      c.independent ? "yes" : "if independent (not checked: too many entries)",
                      c.character_dimension.str(),
                      counted(c.bias_character_dimension.str(), "invariant", "invariants"),
                      repeated ? " without multiplicities" : "", c.route,
                      c.bias_route == c.route ? "" : "; the invariants: " + c.bias_route);
  text += fmt::format("  equivariant  yes: {}\n", fmt::join(reasons_of_commutation(basis), "; "));
  for (const auto& b : basis.blocks()) text += vanishing_lines(b, several, context.task);
  text += "  time         " + format_seconds(layer.seconds) + "\n";
  return text;
}

void require_drawable(const std::string& file, const Layer& layer) {
  if (layer.basis.is_tied() || std::filesystem::path(file).extension() == ".html") return;
  throw DomainError(
      fmt::format("the picture {} shows tied entries, and the basis of {} -> {} is not one of tied entries; "
                  "write a .html, which "
                  "shows every basis",
                  file, shortened(layer.asked.in), shortened(layer.asked.out)));
}

PictureText caption(const Layer& layer, const WeightTable& table) {
  const std::string in = shortened(layer.asked.in), out = shortened(layer.asked.out);
  return {fmt::format("{}: {} → {}", shortened(layer.asked.group), in, out),
          picture_text(table).subtitle + ", complete", in, out};
}

}  // namespace intertwine::app
