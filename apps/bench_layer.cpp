// `bench-layer`: every form of an exported layer, measured on this machine, beside the limits.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/io/verify_table.hpp"
#include "intertwine/numeric/block_layer.hpp"
#include "intertwine/numeric/instruction_set.hpp"
#include "intertwine/numeric/machine_rates.hpp"
#include "intertwine/random.hpp"

namespace intertwine::app {

namespace {

struct BenchOptions {
  std::string file;
  std::vector<std::uint64_t> batches = {1, 8, 64, 256};
  double seconds = 0.1;
  bool isotypic = false;
};

struct Row {
  std::string operation;
  std::uint64_t batch;  ///< 0: does not depend on it
  double seconds;
  double limit;  ///< seconds that the limit allows
  std::string limited_by;
  bool picked = false;
};

// The median of repetitions that fill `budget` seconds, at least three.
template <class Body>
double median_seconds(double budget, const Task& task, const Body& body) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  const auto start = Clock::now();
  body();
  while (times.size() < 3 || std::chrono::duration<double>(Clock::now() - start).count() < budget) {
    task.poll();
    const auto before = Clock::now();
    body();
    times.push_back(std::chrono::duration<double>(Clock::now() - before).count());
    if (times.size() == 10000) break;
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

std::vector<float> random_numbers(std::uint64_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> out(count);
  for (float& x : out) x = static_cast<float>(rng() >> 40) / 8388608.0F - 1.0F;
  return out;
}

// The seconds that a product in this form needs at least: its operations, and what it reads of the weights.
Row forward_row(const BlockLayer<float>& layer, LayerForm form, std::uint64_t batch, double seconds) {
  const MachineRates rates = machine_rates<float>();
  const double entries = static_cast<double>(layer.inputs()) * static_cast<double>(layer.outputs());
  const double bytes = form == LayerForm::dense ? 4 * entries
                       : form == LayerForm::lookup || form == LayerForm::implicit
                           ? static_cast<double>(layer.weights().stored_bytes())
                           : 0;
  const double copied = bytes / rates.bytes, product = layer.operations(form, batch) / rates.flops;
  return {fmt::format("forward, {}", to_string(form)), batch, seconds, std::max(copied, product),
          copied > product ? "copy" : "product"};
}

std::vector<Row> measure(const BlockLayer<float>& empty, const BenchOptions& options, const Context& context) {
  const PreparedPattern& weights = empty.weights();
  const Multiplicity channels = empty.channels();
  const std::uint64_t in = empty.inputs(), out = empty.outputs();
  const MachineRates rates = machine_rates<float>();
  const double entries = static_cast<double>(in) * static_cast<double>(out);
  const std::uint64_t largest = *std::max_element(options.batches.begin(), options.batches.end());
  if (entries > 1e15 || static_cast<double>(largest) * static_cast<double>(in + out) > 1e15)
    throw LimitError("the layer is larger than memory can be");
  context.task.require_memory(
      static_cast<std::uint64_t>(4 * (4 * entries + 2 * static_cast<double>(largest * (in + out)))),
      "the weights and their gradient");
  const auto theta = random_numbers(empty.theta().size(), 1);
  const auto layer = empty.with_parameters(theta);
  const std::vector<LayerForm> forms = layer.forms();
  std::vector<Row> rows;
  {
    std::vector<float> W(in * out), dtheta(theta.size());
    const double write = std::max(static_cast<double>(weights.stored_bytes()), 4 * entries);
    const auto run = [&](const std::string& name, double bytes, const auto& body) {
      rows.push_back({name, 0, median_seconds(options.seconds, context.task, body), bytes / rates.bytes, "copy"});
    };
    run("materialise", 2 * write, [&] { materialise<float>(weights, channels, theta, W, 0, context.threads); });
    run(fmt::format("reduce ({})", weights.reduction()), write,
        [&] { reduce_gradient<float>(weights, channels, W, dtheta, 0, context.threads); });
  }
  for (const std::uint64_t batch : options.batches) {
    const auto x = random_numbers(batch * in, 2);
    std::vector<float> y(batch * out);
    const LayerForm picked = layer.pick(batch, {LayerMode::fastest, context.threads, 1e9});
    for (const LayerForm form : forms) {
      context.task.progress("measuring", rows.size(), 2 + 2 * forms.size() * options.batches.size());
      const LayerMode mode = parse_layer_mode(to_string(form));
      const double seconds = median_seconds(options.seconds, context.task, [&] {
        layer.forward(batch, x, y, {mode, context.threads, 1});
      });
      rows.push_back(forward_row(layer, form, batch, seconds));
      rows.back().picked = form == picked;
    }
    std::vector<float> dx(batch * in), dtheta(theta.size());
    const LayerForm picked_back =
        layer.plan().pick(LayerProduct::apply_transposed, batch, {LayerMode::fastest, context.threads, 1});
    for (const LayerForm form : forms) {
      context.task.progress("measuring", rows.size(), 2 + 2 * forms.size() * options.batches.size());
      const LayerMode mode = parse_layer_mode(to_string(form));
      const double seconds = median_seconds(options.seconds, context.task, [&] {
        layer.backward(batch, x, y, dx, dtheta, {}, {mode, context.threads, 1});
      });
      rows.push_back({fmt::format("backward, {}", to_string(form)), batch, seconds,
                      2 * layer.operations(form, batch) / rates.flops, "product", form == picked_back});
    }
  }
  return rows;
}

void run(const BenchOptions& options, Context& context) {
  context.require_text_or_json();
  if (!context.outputs.empty())
    throw DomainError("bench-layer prints its figures and writes no file; --json > FILE keeps them");
  if (options.batches.empty() || *std::min_element(options.batches.begin(), options.batches.end()) == 0)
    throw DomainError("--batch takes numbers from 1 on");
  if (!(options.seconds > 0 && options.seconds <= 100))
    throw DomainError("--seconds takes a number above 0, at most 100");
  const std::string kind = table_kind(options.file, context.task);
  if (kind == "diagram")
    throw DomainError(options.file + " is a layer for every size, which has one form only: run says how long it takes");
  if (kind == "blocks")
    throw DomainError(options.file +
                      " has several blocks, each with its own form: bench-layer measures single tables (tie "
                      "--single), run says how long the blocks take");
  WeightBlock table = read_table(options.file, context.task).block();
  if (options.isotypic && !table.isotypic) table = with_isotypic_form(std::move(table), context.task);
  const BlockLayer<float> layer(table, context.task);
  const auto rows = measure(layer, options, context);
  const MachineRates rates = machine_rates<float>();
  context.finish_progress();
  if (context.json) {
    Json measurements = Json::array();
    for (const Row& row : rows)
      measurements.push_back({{"operation", row.operation},
                              {"batch", row.batch == 0 ? Json(nullptr) : Json(row.batch)},
                              {"seconds", row.seconds},
                              {"limit_seconds", row.limit},
                              {"limited_by", row.limited_by},
                              {"picked", row.picked}});
    context.print(Document("bench-layer")
                      .add("file", options.file)
                      .add("inputs", layer.inputs())
                      .add("outputs", layer.outputs())
                      .add("params", layer.weights().params())
                      .add("kind", layer.weights().is_tied() ? "signed-orbit" : "sparse-basis")
                      .add("instruction_set", to_string(instruction_set()))
                      .add("threads", context.threads)
                      .add("copy_bytes_per_second", rates.bytes)
                      .add("product_flops", rates.flops)
                      .add("measurements", measurements));
    return;
  }
  context.out << fmt::format("{}: {} -> {}, {}, float32\n", options.file, layer.inputs(), layer.outputs(),
                             layer.theta().size() == 1 ? "1 weight" : fmt::format("{} weights", layer.theta().size()))
              << fmt::format("  {}, {}; a copy moves {:.1f} GB/s, a product does {:.1f} GFLOP/s on one thread\n\n",
                             to_string(instruction_set()),
                             context.threads == 1 ? "1 thread" : fmt::format("{} threads", context.threads),
                             rates.bytes / 1e9, rates.flops / 1e9)
              << fmt::format("  {:<22} {:>6} {:>10} {:>10}  {}\n", "operation", "batch", "time", "limit", "limited by");
  for (const Row& row : rows)
    context.out << fmt::format("  {:<22} {:>6} {:>10} {:>10}  {}{}\n", row.operation,
                               row.batch == 0 ? "" : std::to_string(row.batch), format_seconds(row.seconds),
                               format_seconds(row.limit), row.limited_by, row.picked ? "  <- picked" : "");
}

}  // namespace

void add_bench_layer(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("bench-layer", "measures every form of an exported layer on this machine");
  const auto options = std::make_shared<BenchOptions>();
  add_table_argument(*command, options->file);
  add_value(*command, "--batch", "N ...", options->batches, "batch sizes (default: 1 8 64 256)");
  add_value(*command, "--seconds", "S", options->seconds, "time for each measurement (default: 0.1)");
  command->add_flag("--isotypic", options->isotypic,
                    "the isotypic form as well, from the group and the representations that the file names");
  command->footer(
      "Medians in float32 with random parameters. The limits are what a large copy and a product in cache "
      "reach on one thread,\nmeasured in the same run, for the operations of each form; data in cache can "
      "beat a copy. 'picked' is what\n"
      "--mode fastest would take. Backward is the gradients of x and of the parameters. General sparse\n"
      "bases have no look-up; fft is measured for tables that are the same along the translations of a torus.\n"
      "Example:\n  intertwine bench-layer layer.safetensors --batch 1 32");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
