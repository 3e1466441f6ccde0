// `init`: random weights of an exported layer, of the variances that keep the variance of its outputs.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/numeric/diagram_layer.hpp"
#include "intertwine/numeric/layer.hpp"

namespace intertwine::app {

namespace {

struct InitOptions {
  std::string file, dtype = "float32";
  double gain = 1;
  std::uint64_t size = 0;
};

template <class T>
struct Initial {
  std::vector<T> theta;
  std::vector<double> variances;
  std::vector<std::uint64_t> shape;
};

template <class T>
Initial<T> initial(const InitOptions& options, const Context& context) {
  const std::string kind = table_kind(options.file, context.task);
  if (kind == "diagram") {
    const DiagramTable table = read_diagrams(options.file, context.task);
    const auto at = [&](std::uint64_t n) { return initial_variance(table, sizes_at(table, n), options.gain); };
    if (options.size == 0 && at(2) != at(4))
      throw DomainError(
          fmt::format("the variances of {} depend on the size of its input: say for which, --size N", options.file));
    const std::uint64_t n = std::max<std::uint64_t>(options.size, 1);
    return {random_theta<T>(table, sizes_at(table, n), context.seed),
            at(n),
            {table.params, table.channels.out, table.channels.in}};
  }
  if (options.size != 0) throw DomainError("--size is for layers of every size; this one has its own");
  const WeightTable table = read_table(options.file, context.task);
  const Layer<T> layer(table, context.task);
  if (!table.is_single())
    return {random_theta(layer, context.seed), initial_variance(table, options.gain), {table.theta_size()}};
  const auto [out, in] = layer.channels();
  const PreparedPattern& weights = layer.blocks().front().front().weights();
  return {random_theta(layer, context.seed),
          initial_variance(weights, layer.channels(), options.gain),
          {weights.params(), out, in}};
}

template <class T>
void run_in(const InitOptions& options, Context& context) {
  auto [theta, variances, shape] = initial<T>(options, context);
  for (T& x : theta) x *= static_cast<T>(options.gain);
  const NpyArray array{shape, std::move(theta)};
  for (const std::string& file : context.outputs) write_npy(file, array);
  context.finish_progress();
  if (context.silent()) return;
  if (context.json) {
    context.print(Document("init")
                      .add("file", options.file)
                      .add("output", context.outputs.empty() ? Json() : Json(context.outputs[0]))
                      .add("dtype", array.dtype())
                      .add("shape", array.shape)
                      .add("gain", options.gain)
                      .add("variances", variances));
    return;
  }
  context.out << fmt::format("{}: {} {}\n", context.outputs.empty() ? "theta, not written" : context.outputs[0],
                             array.dtype(), shape_text(array.shape))
              << fmt::format("  numbers     normal, independent, seed {}\n", context.seed);
  if (!variances.empty()) {
    const auto [least, most] = std::minmax_element(variances.begin(), variances.end());
    context.out << fmt::format("  variances   {:.6g} to {:.6g}, gain {}\n", *least, *most, options.gain);
  }
}

void run(const InitOptions& options, Context& context) {
  context.require_text_or_json();
  for (const std::string& file : context.outputs)
    if (!file.ends_with(".npy")) throw DomainError("init writes one array, --output FILE.npy, not " + file);
  options.dtype == "float32" ? run_in<float>(options, context) : run_in<double>(options, context);
}

}  // namespace

void add_init(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("init", "random weights of a layer that keep the variance of its outputs");
  const auto options = std::make_shared<InitOptions>();
  add_table_argument(*command, options->file);
  add_value(*command, "--gain", "G", options->gain, "outputs have the variance gain^2 where inputs have 1 (1)")
      ->check(CLI::Range(0.0, 1e6));
  add_value(*command, "--dtype", "TYPE", options->dtype, "float32 or float64 (float32)")
      ->check(CLI::IsMember({"float32", "float64"}));
  add_value(*command, "--size", "N", options->size, "of a layer for every size: where the variance of outputs is kept")
      ->check(whole_number(1));
  command->footer(
      "The numbers theta [P, out, in] are independent and normal, by --seed, of variances in closed form: "
      "gain^2 M / (in P |orbit_k|)\nfor M rows of entries that are tied; `run --theta` takes them, and takes "
      "the same ones by itself where none are given. Biases begin as zero.\nExamples:\n  intertwine init "
      "layer.safetensors --output theta.npy\n"
      "  intertwine init layer.safetensors --gain 1.414 --seed 7 --json");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
