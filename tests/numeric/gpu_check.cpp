// The CUDA kernels on a device against their emulation, bit by bit, and the products of cuBLAS against the emulation's to rounding.
// Exit status 77 without a device (a failure if the environment sets INTERTWINE_REQUIRE_GPU=1). With `--measure` it prints what
// each kernel reaches.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "intertwine/numeric/cuda_diagram_layer.hpp"
#include "laws/equivariant_layer.hpp"
#include "numeric/cuda/cublas.hpp"
#include "numeric/cuda/isotypic_emulation.hpp"
#include "numeric/gpu_support.hpp"
#include "numeric/irreducibles.hpp"
#include "numeric/patterns.hpp"

using namespace intertwine;
using namespace test_patterns;
using namespace test_gpu;
namespace cuda = numeric_detail::cuda;

namespace {

int wrong = 0;

void expect(bool right, const std::string& what) {
  if (right) return;
  ++wrong;
  fmt::print(stderr, "wrong: {}\n", what);
}

template <class T>
const char* name_of() {
  return std::is_same_v<T, float>    ? "float"
         : std::is_same_v<T, double> ? "double"
         : std::is_same_v<T, Bf16>   ? "bf16"
                                     : "fp16";
}

cuda::Shape shape_of(const TiedPattern& p, Multiplicity c) {
  return {p.rows(), p.cols(), p.params(), c.out, c.in, c.in * p.cols()};
}

template <class T>
std::vector<SumOf<T>> emulated_sums(const TiedPattern& pattern, Multiplicity c, const std::vector<T>& dW) {
  std::vector<SumOf<T>> out(pattern.params() * c.out * c.in);
  if (cuda::uses_bins(pattern.data()))
    cuda::emulate_bins(pattern.data(), shape_of(pattern, c), dW.data(), out.data());
  else
    cuda::emulate_tiles(pattern.data(), shape_of(pattern, c), dW.data(), out.data());
  return out;
}

template <class T>
void check_maps(const TiedPattern& pattern, Multiplicity c, const CudaPattern& device, std::string name, Rng& rng) {
  name += fmt::format(", {}", name_of<T>());
  const auto theta = random_numbers<T>(pattern.params() * c.out * c.in, rng);
  std::vector<T> W = reference_weights(pattern, c, theta);
  const CudaMemory there = on_device(theta), array(0, W.size() * sizeof(T));
  device.materialise<T>(at<T>(there), at<T>(array));
  expect(same_bits(from_device<T>(array, W.size()), W), name + ": materialise");
  const auto dW = random_numbers<T>(W.size(), rng);
  const auto expected = emulated_sums(pattern, c, dW);
  const CudaMemory gradient = on_device(dW), sums(0, expected.size() * sizeof(SumOf<T>));
  device.reduce<T>(at<T>(gradient), at<SumOf<T>>(sums));
  expect(same_bits(from_device<SumOf<T>>(sums, expected.size()), expected), name + ": reduce");
  // The same from an array that begins at an odd entry: no bit changes.
  std::vector<T> shifted(1);
  shifted.insert(shifted.end(), dW.begin(), dW.end());
  const CudaMemory odd = on_device(shifted);
  device.reduce<T>(at<T>(odd) + 1, at<SumOf<T>>(sums));
  expect(same_bits(from_device<SumOf<T>>(sums, expected.size()), expected), name + ": reduce, not aligned");
  device.materialise<T>(at<T>(there), at<T>(odd) + 1);
  std::copy(W.begin(), W.end(), shifted.begin() + 1);
  expect(same_bits(from_device<T>(odd, shifted.size()), shifted), name + ": materialise, not aligned");
  if (!cuda::uses_bins(pattern.data())) return;
  const std::uint64_t batch = 11;
  const auto x = random_numbers<T>(batch * c.in * pattern.cols(), rng);
  std::vector<T> y(batch * c.out * pattern.rows());
  cuda::emulate_lookup<SumOf<T>>(pattern.data(), shape_of(pattern, c), batch, theta.data(), x.data(), y.data());
  const CudaMemory input = on_device(x), output(0, y.size() * sizeof(T));
  device.apply<T>(batch, at<T>(there), at<T>(input), at<T>(output));
  expect(same_bits(from_device<T>(output, y.size()), y), name + ": apply");
}

// Many patterns at once, on a stream of their own: the bits of one by one. And NaN stays where it belongs.
void check_groups(Rng& rng) {
  std::vector<TiedPattern> patterns;
  std::vector<CudaPattern> there;
  std::vector<CudaMemory> theta, W, sums;
  std::vector<std::vector<float>> expected;
  std::vector<const CudaPattern*> list;
  std::vector<const float*> from, read;
  std::vector<float*> to, out;
  const Multiplicity c{1, 2};
  for (int twice = 0; twice < 2; ++twice)
    for (const Shape& shape : shapes()) {
      patterns.push_back(random_pattern(shape, Kind::dense, rng));
      there.emplace_back(patterns.back(), c);
      const auto numbers = random_numbers<float>(shape.params * 2, rng);
      theta.push_back(on_device(numbers));
      expected.push_back(reference_weights(patterns.back(), c, numbers));
      W.emplace_back(0, expected.back().size() * sizeof(float));
      sums.emplace_back(0, shape.params * 2 * sizeof(float));
    }
  for (std::size_t k = 0; k < there.size(); ++k) {
    list.push_back(&there[k]);
    from.push_back(at<float>(theta[k]));
    to.push_back(at<float>(W[k]));
    read.push_back(at<float>(W[k]));
    out.push_back(at<float>(sums[k]));
  }
  const CudaStream stream;
  materialise<float>(list, from, to, stream.get());
  reduce_gradient<float>(list, read, out, stream.get());
  stream.wait();
  for (std::size_t k = 0; k < there.size(); ++k) {
    expect(same_bits(from_device<float>(W[k], expected[k].size()), expected[k]),
           fmt::format("materialise in a group, {}", k));
    const auto right = emulated_sums(patterns[k], c, expected[k]);
    expect(same_bits(from_device<float>(sums[k], right.size()), right), fmt::format("reduce in a group, {}", k));
  }
  // NaN in one entry reaches its own parameter only.
  for (const std::uint64_t params : {5, 200}) {
    const TiedPattern pattern = random_pattern({64, 64, params}, Kind::dense, rng);
    const CudaPattern device(pattern, {1, 1});
    std::vector<float> dW(64 * 64, 1);
    dW[77] = std::numeric_limits<float>::quiet_NaN();
    const std::uint64_t code = pattern.code(77 / 64, 77 % 64);
    const CudaMemory array = on_device(dW), result(0, params * sizeof(float));
    device.reduce<float>(at<float>(array), at<float>(result));
    const auto got = from_device<float>(result, params);
    for (std::uint64_t k = 0; k < params; ++k)
      expect(std::isnan(got[k]) == (code != 0 && (code - 1) % params == k), "NaN in a reduction");
  }
}

// Errors are compared with the largest number: cuBLAS has an order of summation of its own.
template <class T, class U>
void expect_close(const std::vector<T>& got, const std::vector<U>& expected, double bound, const std::string& what) {
  double scale = 1, error = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const auto right = static_cast<double>(to_number(expected[k])), value = static_cast<double>(to_number(got[k]));
    scale = std::max(scale, std::abs(right));
    error = std::isfinite(value) ? std::max(error, std::abs(value - right)) : std::numeric_limits<double>::infinity();
    if (!std::isfinite(error)) break;
  }
  expect(error <= bound * scale, fmt::format("{}: off by {:.2g} of {:.2g}", what, error, scale));
}

template <class T>
double bound_of() {
  return std::is_same_v<T, double> ? 1e-12 : std::is_same_v<T, float> ? 1e-4 : std::is_same_v<T, Half> ? 0.01 : 0.08;
}

IsotypicDecomposition random_decomposition(const std::vector<IsotypicBlock>& blocks, Rng& rng) {
  const auto matrix = [&](bool out) {
    std::uint64_t n = 0;
    for (const IsotypicBlock& b : blocks) n += (out ? b.copies_out : b.copies_in) * b.degree;
    std::vector<double> entries = random_numbers<double>(n * n, rng);
    for (std::uint64_t i = 0; i < n; ++i) entries[i * n + i] += 3 * std::sqrt(static_cast<double>(n));
    return entries;
  };
  const std::vector<double> out = matrix(true), in = matrix(false);
  return IsotypicDecomposition({blocks, out, in});
}

template <class T>
void check_isotypic(const CudaProducts& products, const std::vector<IsotypicBlock>& blocks, Multiplicity c, Rng& rng) {
  const IsotypicDecomposition d = random_decomposition(blocks, rng);
  const std::uint64_t batch = 12;
  const auto theta = random_numbers<T>(d.params() * c.out * c.in, rng);
  const auto x = random_numbers<T>(batch * c.in * d.cols(), rng), dy = random_numbers<T>(batch * c.out * d.rows(), rng);
  cuda::IsotypicEmulation<T, SumOf<T>> emulation(d, c, batch);
  const auto y = emulation.forward(theta, x);
  const auto [dx, dtheta] = emulation.backward(x, dy);
  const CudaMemory t = on_device(theta), from = on_device(x), gradient = on_device(dy), to(0, y.size() * sizeof(T)),
                   back(0, dx.size() * sizeof(T)), sums(0, dtheta.size() * sizeof(SumOf<T>));
  for (const std::uint64_t most : {5, 12, 100}) {  // in three pieces, in one, and with room to spare
    const std::string name = fmt::format("isotypic, {} blocks, {} x {} channels, {}, pieces of {}", blocks.size(),
                                         c.out, c.in, name_of<T>(), most);
    const CudaIsotypic<T> layer(d, c, most, products);
    const CudaStream stream;
    cuda_synchronise(0);
    layer.set_parameters(at<T>(t), stream.get());
    layer.forward(batch, at<T>(from), at<T>(to), stream.get());
    layer.backward(batch, at<T>(from), at<T>(gradient), at<T>(back), at<SumOf<T>>(sums), stream.get());
    stream.wait();
    expect_close(from_device<T>(to, y.size()), y, bound_of<T>(), name + ": forward");
    expect_close(from_device<T>(back, dx.size()), dx, bound_of<T>(), name + ": dx");
    expect_close(from_device<SumOf<T>>(sums, dtheta.size()), dtheta, bound_of<T>(), name + ": dtheta");
  }
}

/// A layer of the device, for the laws.
template <class L>
struct OnDevice {
  using T = typename L::Number;
  L& layer;
  std::uint64_t theta, bias;

  std::uint64_t params() const { return theta; }
  std::uint64_t biases() const { return bias; }
  std::uint64_t inputs() const { return layer.inputs(); }
  std::uint64_t outputs() const { return layer.outputs(); }
  std::vector<LayerForm> forms() const { return layer.forms(); }
  void set(const laws::Parameters& p) const {
    const CudaMemory t = on_device(laws::stored<T>(p.theta)), b = on_device(laws::stored<T>(p.bias));
    layer.set_parameters(at<T>(t), at<T>(b));
    cuda_synchronise(0);
  }
  laws::Numbers forward(const laws::Parameters& p, std::uint64_t batch, const laws::Numbers& x, LayerMode mode,
                        unsigned) const {
    set(p);
    const CudaMemory from = on_device(laws::stored<T>(x)), to(0, batch * outputs() * sizeof(T));
    layer.forward(batch, at<T>(from), at<T>(to), {mode, 1});
    cuda_synchronise(0);
    return laws::widened(from_device<T>(to, batch * outputs()));
  }
  laws::Gradients backward(const laws::Parameters& p, std::uint64_t batch, const laws::Numbers& x,
                           const laws::Numbers& dy, LayerMode mode, unsigned, laws::Wanted wanted) const {
    set(p);
    const CudaMemory from = on_device(laws::stored<T>(x)), gradient = on_device(laws::stored<T>(dy)),
                     back(0, x.size() * sizeof(T)), sums(0, theta * sizeof(SumOf<T>)),
                     bias_sums(0, bias * sizeof(SumOf<T>));
    layer.backward(batch, at<T>(from), at<T>(gradient), wanted.dx ? at<T>(back) : nullptr,
                   wanted.dtheta ? at<SumOf<T>>(sums) : nullptr, wanted.dbias ? at<SumOf<T>>(bias_sums) : nullptr,
                   {mode, 1});
    cuda_synchronise(0);
    return {laws::widened(from_device<T>(back, x.size())), laws::widened(from_device<SumOf<T>>(sums, theta)),
            laws::widened(from_device<SumOf<T>>(bias_sums, bias))};
  }
};

// Layers of diagrams: the laws, and the processor's; sizes with sums by threads and by warps.
template <class T>
void check_diagrams(const CudaProducts& products, Rng& rng) {
  struct Case {
    const char *out, *in, *group;
    std::uint64_t size;
  };
  for (const Case& c : {Case{"aa", "aa", "S(n)", 7},
                        {"aa", "aa", "S(n)", 150},
                        {"aaa", "a", "S(n)", 5},
                        {"aa", "aa", "Sp(n)", 6},
                        {"a", "a*a*", "SL(3)", 3}}) {
    const DiagramTable table = diagram_table(c.out, c.in, {parse_diagram_group(c.group)}, true, {2, 3});
    const DiagramLayer<T> reference(table, {c.size});
    CudaDiagramLayer<T> layer(table, {c.size}, products);
    const OnDevice<CudaDiagramLayer<T>> device{layer, reference.theta().size(), reference.bias_parameters().size()};
    const std::string name =
        fmt::format("diagrams of {}, {} from {}, size {}, {}", c.group, c.out, c.in, c.size, name_of<T>());
    const double bound = 4 * bound_of<T>();
    laws::check_layer(device, bound, rng,
                      [&](bool right, const std::string& law) { expect(right, name + ": " + law); });
    const auto numbers = [&](std::uint64_t count) { return random_numbers<double>(count, rng); };
    const laws::Parameters p{numbers(device.params()), numbers(device.biases())};
    const laws::Numbers x = numbers(2 * device.inputs()), dy = numbers(2 * device.outputs());
    const laws::OnProcessor<DiagramLayer<T>> processor{reference};
    const LayerMode mode = LayerMode::diagram;
    expect(laws::off(device.forward(p, 2, x, mode, 1), processor.forward(p, 2, x, mode, 1)) <= bound, name + ": y");
    const laws::Gradients got = device.backward(p, 2, x, dy, mode, 1, {}),
                          right = processor.backward(p, 2, x, dy, mode, 1, {});
    expect(laws::off(got.dx, right.dx) <= bound, name + ": dx");
    expect(laws::off(got.dtheta, right.dtheta) <= bound, name + ": dtheta");
    expect(laws::off(got.dbias, right.dbias) <= bound, name + ": dbias");
  }
}

// Every form of a layer against the processor's, at once and as a graph, and the laws of layers.
template <class T>
void check_layer(const CudaProducts& products, Rng& rng) {
  const std::uint64_t n = 24, batch = 9;
  const Multiplicity c{3, 2};
  const TiedPattern weights = circulant(n, 1, false, false, rng);
  const TiedPattern bias(n, 1, 1, std::vector<std::uint8_t>(n, 1));
  const auto theta = random_numbers<T>(weights.params() * 6, rng), biases = random_numbers<T>(c.out, rng);
  const auto x = random_numbers<T>(batch * c.in * n, rng), dy = random_numbers<T>(batch * c.out * n, rng);
  const auto wide = [](const std::vector<T>& from) {
    std::vector<double> out;
    for (const T v : from) out.push_back(static_cast<double>(to_number(v)));
    return out;
  };
  const auto reference = BlockLayer<double>(weights, bias, c).with_parameters(wide(theta), wide(biases));
  std::vector<double> y(dy.size()), dx(x.size()), dtheta(theta.size()), dbias(biases.size());
  reference.forward(batch, wide(x), y);
  reference.backward(batch, wide(x), wide(dy), dx, dtheta, dbias);
  const auto change = test_irreducibles::regular_cyclic_group(n);
  const IsotypicDecomposition decomposition({change.blocks, change.matrix, change.matrix});
  CudaLayer<T> layer(weights, bias, c, products);
  layer.add_decomposition(IsotypicMap(weights, decomposition), 16);
  const CudaMemory t = on_device(theta), b = on_device(biases), from = on_device(x), gradient = on_device(dy);
  const CudaMemory to(0, y.size() * sizeof(T)), back(0, dx.size() * sizeof(T)),
      sums(0, dtheta.size() * sizeof(SumOf<T>)), bias_sums(0, dbias.size() * sizeof(SumOf<T>));
  const double bound = 4 * bound_of<T>();
  laws::check_layer(
      OnDevice<CudaLayer<T>>{layer, theta.size(), biases.size()}, bound, rng,
      [](bool right, const std::string& law) { expect(right, fmt::format("layer, {}, {}", name_of<T>(), law)); });
  for (const LayerForm form : layer.forms()) {
    const CudaLayerOptions options{parse_layer_mode(to_string(form)), 1};
    const auto work = [&](void* stream) {
      layer.set_parameters(at<T>(t), at<T>(b), stream);
      layer.forward(batch, at<T>(from), at<T>(to), options, stream);
      layer.backward(batch, at<T>(from), at<T>(gradient), at<T>(back), at<SumOf<T>>(sums), at<SumOf<T>>(bias_sums),
                     options, stream);
    };
    const CudaStream stream;
    cuda_synchronise(0);
    for (const bool captured : {false, true}) {
      const std::string name =
          fmt::format("layer, {}, {}{}", to_string(form), name_of<T>(), captured ? ", as a graph" : "");
      if (captured) {
        const CudaGraph graph = CudaGraph::capture(stream, work);
        // Whatever was there before is overwritten.
        for (const CudaMemory* memory : {&to, &back, &sums, &bias_sums})
          memory->upload(std::vector<std::byte>(memory->bytes(), std::byte{0x7f}));
        cuda_synchronise(0);
        graph.launch(stream.get());
        graph.launch(stream.get());
        stream.wait();
      } else {
        work(stream.get());
        stream.wait();
      }
      expect_close(from_device<T>(to, y.size()), y, bound, name + ": forward");
      expect_close(from_device<T>(back, dx.size()), dx, bound, name + ": dx");
      expect_close(from_device<SumOf<T>>(sums, dtheta.size()), dtheta, bound, name + ": dtheta");
      expect_close(from_device<SumOf<T>>(bias_sums, dbias.size()), dbias, bound, name + ": dbias");
    }
  }
}

// One object on two streams in turn: events keep its working memory in order.
void check_streams(Rng& rng) {
  const TiedPattern pattern = random_pattern({512, 512, 100}, Kind::dense, rng);
  const CudaPattern device(pattern, {1, 1});
  std::vector<CudaMemory> arrays, sums;
  std::vector<std::vector<float>> expected;
  for (int k = 0; k < 8; ++k) {
    const auto dW = random_numbers<float>(512 * 512, rng);
    arrays.push_back(on_device(dW));
    sums.emplace_back(0, 100 * sizeof(float));
    expected.push_back(emulated_sums(pattern, {1, 1}, dW));
  }
  const CudaStream first, second;
  cuda_synchronise(0);
  for (int repeat = 0; repeat < 20; ++repeat)
    for (std::size_t k = 0; k < arrays.size(); ++k)
      device.reduce<float>(at<float>(arrays[k]), at<float>(sums[k]), k % 2 == 0 ? first.get() : second.get());
  cuda_synchronise(0);
  for (std::size_t k = 0; k < arrays.size(); ++k)
    expect(same_bits(from_device<float>(sums[k], 100), expected[k]), "reduce on two streams");
}

void check_products(Rng& rng) {
  if (!CudaProducts::available()) {
    std::string why;
    cuda::find_cublas(&why);
    fmt::print("cuBLAS: not here, so dense and isotypic layers are not checked; {}\n", why);
    const char* required = std::getenv("INTERTWINE_REQUIRE_GPU");
    expect(required == nullptr || std::string(required) != "1", "cuBLAS is missing");
    return;
  }
  const std::vector<std::vector<IsotypicBlock>> all = {{{1, 1, 1, 1}},
                                                       {{1, 3, 2, 4}, {2, 4, 1, 2}, {4, 8, 1, 2}},
                                                       {{1, 2, 0, 2}, {2, 2, 2, 2}, {1, 3, 2, 0}, {4, 4, 1, 1}}};
  for (const bool grouped : {true, false}) {
    const CudaProducts products(0, {false, grouped});
    for (const auto& blocks : all)
      for (const Multiplicity c : {Multiplicity{1, 1}, {2, 3}, {8, 8}}) {
        check_isotypic<float>(products, blocks, c, rng);
        check_isotypic<double>(products, blocks, c, rng);
        check_isotypic<Bf16>(products, blocks, c, rng);
        check_isotypic<Half>(products, blocks, c, rng);
      }
    check_layer<float>(products, rng);
    check_layer<double>(products, rng);
    check_layer<Bf16>(products, rng);
    check_layer<Half>(products, rng);
    check_diagrams<float>(products, rng);
    check_diagrams<double>(products, rng);
    fmt::print("{}, products of several sizes {}\n", products.library(),
               products.grouped() ? "in one call"
               : grouped          ? "one by one: the library does not group them"
                                  : "one by one");
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (cuda_devices() == 0) {
    const char* required = std::getenv("INTERTWINE_REQUIRE_GPU");
    const bool failure = required != nullptr && std::string(required) == "1";
    fmt::print(stderr, "{}: {}\n", failure ? "failed" : "skipped",
               built_with_cuda() ? "no CUDA device, or no driver" : "built without CUDA (-DINTERTWINE_CUDA=ON)");
    return failure ? 1 : 77;
  }
  Rng rng(20240607);
  std::vector<Shape> all = shapes();
  all.insert(all.end(),
             {{1024, 700, 2}, {1024, 704, 127}, {1000, 1000, 3000}, {2100, 2001, 300}, {1, 5000, 9}, {5000, 1, 9}});
  for (const Shape& shape : all)
    for (const Kind kind : {Kind::dense, Kind::none})
      for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
        const TiedPattern pattern = random_pattern(shape, kind, rng);
        const std::string name =
            fmt::format("{} x {}, {} parameters, {} x {} channels", shape.rows, shape.cols, shape.params, c.out, c.in);
        const CudaPattern device(pattern, c);
        check_maps<float>(pattern, c, device, name, rng);
        check_maps<double>(pattern, c, device, name, rng);
        check_maps<Bf16>(pattern, c, device, name, rng);
        check_maps<Half>(pattern, c, device, name, rng);
      }
  check_groups(rng);
  check_streams(rng);
  check_products(rng);
  fmt::print("{}: {} wrong\n", cuda_device_name(0), wrong);
  if (wrong == 0 && argc > 1 && std::strcmp(argv[1], "--measure") == 0) measure(rng);
  return wrong == 0 ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "failed: {}\n", e.what());
  return 1;
}
