#include "layer.hpp"

#include <chrono>
#include <optional>

#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/kernel_sites.hpp"

namespace intertwine::app {

namespace {

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
                  "a group expression, for example S5, 'p4m(8,8)', 'C2 x S3', @group.json (`intertwine group "
                  "--help` lists them), or a continuous group such as 'O(3)', 'S5 x O(3)'")
      ->type_name("")
      ->required();
  const auto add = [&](const char* name, std::string& text, bool& given, const char* help) {
    command.add_option(name, text, help)
        ->type_name("R")
        ->capture_default_str()
        ->each([&given](const std::string&) { given = true; });
  };
  add("--in", options.in, options.in_given, "the input representation");
  add("--out", options.out, options.out_given, "the output representation");
}

std::string continuous_groups_help() {
  return "Continuous groups, alone or in products with one another and with finite groups:\n" +
         indented(known_continuous_groups()) +
         "\nTheir representations (over products `V # W`, one for each factor; left out, the natural "
         "one):\n" +
         indented(known_continuous_representations());
}

TimedBasis make_layer(const LayerOptions& options, const Context& context, bool single_pattern,
                      std::span<const std::uint64_t> kernel) {
  const auto start = std::chrono::steady_clock::now();
  const FiniteGroup G = parse_group(options.group, {}, context.task);
  Representation V = parse_representation(G, options.in, {}, context.task);
  if (!kernel.empty()) V = at_sites(V, kernel_sites(G, kernel, context.task));
  const Representation U = parse_representation(G, options.out, {}, context.task);
  EquivariantBasis basis = equivariant_basis(V, U, context.task, {.single_pattern = single_pattern});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {std::move(basis), seconds};
}

TimedContinuousBasis make_continuous_layer(const LayerOptions& options, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const ContinuousGroup G = parse_continuous_group(options.group, {}, context.task);
  const auto read = [&](const std::string& text, bool given) {
    return given ? parse_continuous_representation(G, text, {}, context.task) : natural_representation(G);
  };
  const ContinuousRepresentation V = read(options.in, options.in_given),
                                 U = read(options.out, options.out_given);
  BasisNames names = options;
  if (!options.in_given) names.in = V.to_string();
  if (!options.out_given) names.out = U.to_string();
  ContinuousBasis basis = continuous_basis(V, U, context.task);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {std::move(basis), std::move(names), seconds};
}

}  // namespace intertwine::app
