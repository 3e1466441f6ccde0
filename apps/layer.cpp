// The options, checks and answers that `basis` and `tie` have in common.
#include "layer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/systems_text.hpp"
#include "intertwine/representations/kernel_sites.hpp"

namespace intertwine::app {

void add_layer_options(CLI::App& command, LayerOptions& options) {
  options.in = "perm";
  add_argument(command, "GROUP", options.group,
               "a group expression, for example S5, 'p4m(8,8)', 'C2 x S3', @group.json (`intertwine group "
               "--help` lists them), or a continuous group such as 'O(3)', 'S5 x O(3)'");
  command
      .add_option("--in,--rep,IN", options.in,
                  "the input representation (of a continuous group the natural one if left out)")
      ->check(expression())
      ->capture_default_str()
      ->each([&options](const std::string&) { options.in_given = true; });
  command.add_option("--out,OUT", options.out, "the output representation (default: that of --in)")
      ->check(expression())
      ->each([&options](const std::string&) { options.out_given = true; });
}

void add_kernel_option(CLI::App& command, std::string& kernel) {
  command
      .add_option("--kernel", kernel,
                  "tie a convolution kernel of this size, one number for all axes: Hom(in * kernel(3,3), "
                  "out) over a point group (C4, D4, O, ...)")
      ->type_name("3x3");
}

void complete(LayerOptions& options) {
  if (options.out.empty()) options.out = options.in;
}

LayerFile layer_file(const std::string& file, const std::string& command, bool json_is_table) {
  refuse_hdf5_name(file);
  if (is_picture(file)) return LayerFile::picture;
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".json") return json_is_table ? LayerFile::table : LayerFile::answer;
  if (is_table_name(file)) return LayerFile::table;
  for (const FormatName& known : format_table())
    if (known.extension == extension && (known.format == Format::text || is_of_elements(known.format)))
      return LayerFile::answer;
  throw DomainError(
      fmt::format("{} writes tables (.safetensors, .npz, .hpp{}), answers (.txt, {}.tex, .csv, .md, .g, "
                  ".sage, .m) and pictures (.svg, .png, .html), not {}",
                  command, json_is_table ? ", .json" : "", json_is_table ? "" : ".json, ", file));
}

bool is_of_elements(Format format) {
  return is_system(format) || format == Format::latex || format == Format::csv || format == Format::markdown ||
         format == Format::npy;
}

BasisNames shown(const BasisNames& names, const Context& context) {
  const Streams& streams = context.streams;
  return {streams.shown(names.group), streams.shown(names.in), streams.shown(names.out)};
}

std::string continuous_groups_help() {
  return "Continuous groups, alone or in products with one another and with finite groups:\n" +
         indented(known_continuous_groups()) +
         "\nTheir representations (over products `V # W`, one for each factor; left out, the natural one):\n" +
         indented(known_continuous_representations());
}

namespace {

/// "3x3" as sizes.
std::vector<std::uint64_t> kernel_sizes(const std::string& text) {
  std::vector<std::uint64_t> sizes;
  std::uint64_t size = 0;
  bool digits = false;
  for (const char c : text + "x") {
    if (c >= '0' && c <= '9' && size < 100000) {
      size = 10 * size + static_cast<std::uint64_t>(c - '0');
      digits = true;
    } else if (c == 'x' && digits && size > 0) {
      sizes.push_back(std::exchange(size, 0));
      digits = false;
    } else {
      throw DomainError(
          fmt::format("--kernel takes sizes from 1 on such as 3x3 or 3x3x3, not '{}'", text.substr(0, 40)));
    }
  }
  return sizes;
}

}  // namespace

Sides parse_sides(const LayerOptions& options, const Task& task) {
  const hom::Group G = parse_group(options.group, task);
  const auto read = [&](const std::string& text) { return parse_representation(G, text, Form::only_matrices, task); };
  BasisNames names = options;
  if (!options.in_given) static_cast<void>(read("trivial"));  // a group without matrices is refused as such
  if (!options.in_given) names.in = hom::natural_representation(G).to_string();
  if (!options.out_given) names.out = names.in;
  const hom::Representation V = read(names.in), U = options.out_given ? read(names.out) : V;
  return {V, U, std::move(names)};
}

TimedBasis make_layer(const LayerOptions& options, const Context& context, bool single_pattern,
                      const std::string& kernel) {
  const auto start = std::chrono::steady_clock::now();
  auto [V, U, names] = parse_sides(options, context.task);
  std::vector<std::uint64_t> sizes;
  if (!kernel.empty()) {
    hom::AtKernelSites at_sites = hom::at_kernel_sites(V, kernel_sizes(kernel), context.task);
    V = std::move(at_sites.V);
    sizes = std::move(at_sites.sizes);
  }
  hom::Basis basis = hom::equivariant_basis(V, U, {.single_pattern = single_pattern}, context.task);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {std::move(basis), std::move(names), seconds, std::move(sizes)};
}

}  // namespace intertwine::app
