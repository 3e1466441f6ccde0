#include "layer.hpp"

#include <chrono>
#include <optional>

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
  options.in = "perm";
  command
      .add_option("GROUP", options.group,
                  "a group expression, for example S5, 'p4m(8,8)', 'C2 x S3', @group.json; `intertwine group "
                  "--help` lists them")
      ->type_name("")
      ->required();
  command.add_option("--in,--rep,IN", options.in, "the input representation")
      ->check(expression())
      ->capture_default_str();
  command.add_option("--out,OUT", options.out, "the output representation (default: that of --in)")
      ->check(expression());
}

void complete(LayerOptions& options) {
  if (options.out.empty()) options.out = options.in;
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

}  // namespace intertwine::app
