// `run`: applies an exported layer to an array.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <type_traits>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/io/verify_table.hpp"
#include "intertwine/numeric/diagram_layer.hpp"
#include "intertwine/numeric/instruction_set.hpp"
#include "intertwine/numeric/layer.hpp"

namespace intertwine::app {

namespace {

struct RunOptions {
  std::string file, input, theta, bias, mode = "automatic";
  std::uint64_t size = 0;
};

using Sides = std::vector<std::uint64_t>;

template <class T>
std::vector<T> converted(const NpyArray& array) {
  return std::visit(
      [](const auto& items) {
        std::vector<T> out(items.size());
        std::transform(items.begin(), items.end(), out.begin(), [](auto v) { return static_cast<T>(v); });
        return out;
      },
      array.values);
}

// Reads an array of the given shape; sides of 1 at the end may be left out.
template <class T>
std::vector<T> read_parameters(const std::string& file, const Sides& shape, const Task& task) {
  const NpyArray array = read_npy(file, task);
  Sides given = array.shape, wanted = shape;
  while (given.size() < wanted.size()) given.push_back(1);
  if (given != wanted)
    throw DomainError(
        fmt::format("{} has the shape {}; this layer needs {}", file, shape_text(array.shape), shape_text(shape)));
  return converted<T>(array);
}

/// The shapes of the input and output of a layer beside channels, and the number of its parameters.
struct Shapes {
  Sides in, out;
  std::uint64_t params, bias_params;
  bool flat = false;  ///< several blocks have one list of all their parameters
};

// [..., in, N] becomes [..., out, M]; with one channel on both sides [..., N] becomes [..., M]. The batch is the rest.
std::uint64_t split_shape(const NpyArray& x, const std::string& file, Multiplicity channels, const Shapes& layer,
                          Sides& shape) {
  const bool plain = channels.in == 1 && channels.out == 1;
  Sides tail = layer.in;
  if (!plain) tail.insert(tail.begin(), channels.in);
  shape = x.shape;
  if (shape.size() < tail.size() || !std::equal(tail.rbegin(), tail.rend(), shape.rbegin()))
    throw DomainError(fmt::format("{} has the shape {}; this layer takes [...{}]", file, shape_text(x.shape),
                                  tail.empty() ? "" : fmt::format(", {}", fmt::join(tail, ", "))));
  shape.resize(shape.size() - tail.size());
  std::uint64_t batch = 1;
  for (const std::uint64_t side : shape) {
    // Sides multiply to the size of the array unless one is 0; then there is nothing to do, however large the others.
    if (side != 0 && batch > (std::uint64_t{1} << 40) / side)
      throw DomainError(fmt::format("{} has the shape {}, which is too large", file, shape_text(x.shape)));
    batch *= side;
  }
  if (!plain) shape.push_back(channels.out);
  shape.insert(shape.end(), layer.out.begin(), layer.out.end());
  return batch;
}

struct Applied {
  NpyArray y;
  std::uint64_t batch;
  LayerForm form;
  double seconds;
};

template <class T, class L, class Random>
Applied apply(const RunOptions& options, const L& empty, const Shapes& shapes, const Random& random, const NpyArray& x,
              const Context& context) {
  Sides shape;
  const std::uint64_t batch = split_shape(x, options.input, empty.channels(), shapes, shape);
  const std::uint64_t out = empty.channels().out, in = empty.channels().in;
  const auto theta =
      options.theta.empty()
          ? random()
          : read_parameters<T>(options.theta, shapes.flat ? Sides{shapes.params} : Sides{shapes.params, out, in},
                               context.task);
  const auto bias =
      options.bias.empty()
          ? std::vector<T>(shapes.bias_params * out, T{0})
          : read_parameters<T>(options.bias, shapes.flat ? Sides{shapes.bias_params} : Sides{shapes.bias_params, out},
                               context.task);
  const double needed = static_cast<double>(batch) * static_cast<double>(empty.outputs()) * sizeof(T);
  if (needed > 9e18) throw LimitError("the output is larger than memory can be");
  context.task.require_memory(static_cast<std::uint64_t>(needed), "the output");
  const auto layer = empty.with_parameters(theta, bias);
  context.task.poll();
  std::vector<T> y(batch * layer.outputs());
  const intertwine::LayerOptions how{parse_layer_mode(options.mode), context.threads, 1};
  layer.pick(batch, how);  // measures the machine, once
  const auto start = std::chrono::steady_clock::now();
  const LayerForm form = layer.forward(batch, converted<T>(x), y, how);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {NpyArray{shape, std::move(y)}, batch, form, seconds};
}

/// Gives a table of one size the isotypic form where the mode takes it, and only there.
void prepare(WeightBlock& table, const RunOptions& options, const Context& context) {
  if (options.size != 0) throw DomainError("--size is for layers of every size; this one has its own");
  if (options.mode == "isotypic" && !table.isotypic)
    table = with_isotypic_form(std::move(table), context.task);
  else if (options.mode != "isotypic" && options.mode != "fastest")
    table.isotypic.reset();  // the inverses of its matrices would be made for nothing
}

template <class T>
Applied apply(const RunOptions& options, WeightTable table, const NpyArray& x, const Context& context) {
  for (auto& row : table.blocks)
    for (WeightBlock& block : row) prepare(block, options, context);
  const Layer<T> empty(table, context.task);
  Shapes shapes{{empty.inputs()}, {empty.outputs()}, table.theta_size(), table.bias_size(), true};
  if (table.is_single()) {
    const WeightPattern &weights = table.block().weights, &bias = table.block().bias;
    shapes = {{weights.cols}, {weights.rows}, weights.params, bias.params};
  }
  return apply<T>(
      options, empty, shapes, [&] { return random_theta(empty, context.seed); }, x, context);
}

/// The sizes of all letters: those of their groups, what the axes of x have, and --size.
Sides sizes_of(const DiagramTable& table, const NpyArray& x, const RunOptions& options) {
  const std::vector<DiagramAxis> axes = table.axes();
  const auto inputs = static_cast<std::size_t>(
      std::count_if(axes.begin(), axes.end(), [](const DiagramAxis& axis) { return !axis.output; }));
  if (x.shape.size() < inputs)
    throw DomainError(fmt::format("{} has the shape {}; this layer takes an array with {} axes at the end for '{}'",
                                  options.input, shape_text(x.shape), inputs, table.axes_in));
  Sides sizes = sizes_at(table, options.size);
  bool asked = false;
  for (std::size_t letter = 0; letter < sizes.size(); ++letter) {
    if (table.groups[letter].size != 0) continue;
    const auto axis =
        std::find_if(axes.begin(), axes.end(), [&](const DiagramAxis& a) { return !a.output && a.letter == letter; });
    if (axis != axes.end()) {
      sizes[letter] = x.shape[x.shape.size() - static_cast<std::size_t>(axes.end() - axis)];
      continue;
    }
    asked = true;
    sizes[letter] = options.size;
    if (options.size == 0)
      throw DomainError(
          fmt::format("y has axes '{}' and x has none: say their size, --size N", table.letters()[letter]));
  }
  if (options.size != 0 && !asked)
    throw DomainError("--size is for axes of y that x has not; the sizes here are those of x");
  return sizes;
}

template <class T>
Applied apply(const RunOptions& options, const DiagramTable& table, const NpyArray& x, const Context& context) {
  const Sides sizes = sizes_of(table, x, options);
  Shapes shapes{{}, {}, table.params, table.bias_params};
  for (const DiagramAxis& axis : table.axes()) (axis.output ? shapes.out : shapes.in).push_back(sizes[axis.letter]);
  return apply<T>(
      options, DiagramLayer<T>(table, sizes), shapes, [&] { return random_theta<T>(table, sizes, context.seed); }, x,
      context);
}

void run(const RunOptions& options, Context& context) {
  context.require_text_or_json();
  for (const std::string& file : context.outputs)
    if (!file.ends_with(".npy")) throw DomainError("run writes one array, --output FILE.npy, not " + file);
  parse_layer_mode(options.mode);
  const NpyArray x = read_npy(options.input, context.task);
  const auto in_its_type = [&](auto table) {
    return x.dtype() == "float32" ? apply<float>(options, std::move(table), x, context)
                                  : apply<double>(options, std::move(table), x, context);
  };
  const Applied done = table_kind(options.file, context.task) == "diagram"
                           ? in_its_type(read_diagrams(options.file, context.task))
                           : in_its_type(read_table(options.file, context.task));
  for (const std::string& file : context.outputs) write_npy(file, done.y);
  context.finish_progress();
  if (context.silent()) return;
  if (context.json) {
    context.print(Document("run")
                      .add("file", options.file)
                      .add("output", context.outputs.empty() ? Json() : Json(context.outputs[0]))
                      .add("dtype", done.y.dtype())
                      .add("shape", done.y.shape)
                      .add("batch", done.batch)
                      .add("form", to_string(done.form))
                      .add("instruction_set", to_string(instruction_set()))
                      .add("random", options.theta.empty()));
    return;
  }
  context.out << fmt::format(
                     "{}: {} {}\n",
                     context.outputs.empty() ? "y, not written" : fmt::format("{}", fmt::join(context.outputs, ", ")),
                     done.y.dtype(), shape_text(done.y.shape))
              << fmt::format("  parameters  {}\n",
                             options.theta.empty() ? fmt::format("random, seed {}", context.seed) : options.theta)
              << fmt::format("  form        {} ({})\n", to_string(done.form), to_string(instruction_set()))
              << fmt::format("  time        {}\n", format_seconds(done.seconds));
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("run", "applies an exported layer to an array, with given or random parameters");
  const auto options = std::make_shared<RunOptions>();
  add_table_argument(*command, options->file);
  command
      ->add_option("--input,INPUT", options->input,
                   "the array x, .npy: [..., in, N] or, with one channel, [..., N]; of a layer for every "
                   "size [..., in, n, ..., n]; of blocks [..., N], their parts one after the other")
      ->required();
  add_value(*command, "--theta", "FILE", options->theta,
            "the weights, .npy: [P, out, in], of blocks all these one after the other (default: random, by --seed)");
  add_value(*command, "--bias", "FILE", options->bias, "the bias, .npy: [Q, out] (default: zero)");
  add_value(*command, "--mode", "MODE", options->mode, "automatic, fastest, dense, lookup, implicit, fft or isotypic")
      ->check(known_words({"automatic", "fastest", "dense", "lookup", "implicit", "fft", "isotypic"}));
  add_value(*command, "--size", "N", options->size, "of a layer for every size, the length of axes of y that x has not")
      ->check(whole_number(1));
  command->footer(
      "y = W x + b is computed in the type of x: float32, or float64 for anything else. --threads N uses N threads;\n"
      "the result has the same bits for any number of them and on every processor (modes fastest and fft "
      "excepted).\nThe mode isotypic takes the blocks that the file holds, or else decomposes the "
      "representations\nthat it names.\n"
      "Example:\n  intertwine tie S4 --in perm --out perm --output layer.safetensors\n"
      "  intertwine run layer.safetensors x.npy --output y.npy");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
