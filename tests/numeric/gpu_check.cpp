// The CUDA kernels on a device against their emulation, bit by bit. Exit status 77 without a device (a failure if the
// environment sets INTERTWINE_REQUIRE_GPU=1). With `--measure` it prints what each kernel reaches.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

#include "intertwine/numeric/cuda.hpp"
#include "numeric/cuda/emulation.hpp"
#include "numeric/cuda/launch.hpp"
#include "numeric/patterns.hpp"

using namespace intertwine;
using namespace test_patterns;
namespace cuda = numeric_detail::cuda;

namespace {

template <class T>
CudaMemory on_device(const std::vector<T>& values) {
  CudaMemory memory(0, values.size() * sizeof(T));
  memory.upload(std::as_bytes(std::span(values)));
  return memory;
}

template <class T>
std::vector<T> from_device(const CudaMemory& memory, std::size_t count) {
  std::vector<T> out(count);
  memory.download(std::as_writable_bytes(std::span(out)));
  return out;
}

template <class T>
auto words(T* p) {
  if constexpr (std::is_same_v<std::remove_const_t<T>, Bf16>)
    return reinterpret_cast<std::conditional_t<std::is_const_v<T>, const std::uint16_t, std::uint16_t>*>(p);
  else
    return p;
}

int wrong = 0;

void expect(bool right, const std::string& what) {
  if (right) return;
  ++wrong;
  fmt::print(stderr, "wrong: {}\n", what);
}

template <class T>
void check_maps(const TiedPattern& pattern, Multiplicity c, const CudaPattern& device,
                const std::string& name, Rng& rng) {
  const cuda::Shape shape{pattern.rows(), pattern.cols(), pattern.params(),
                          c.out,          c.in,           c.in * pattern.cols()};
  const auto theta = random_numbers<T>(pattern.params() * c.out * c.in, rng);
  std::vector<T> W = reference_weights(pattern, c, theta);
  const CudaMemory there = on_device(theta), array(0, W.size() * sizeof(T));
  device.materialise<T>(static_cast<const T*>(there.data()), static_cast<T*>(array.data()));
  expect(same_bits(from_device<T>(array, W.size()), W), name + ": materialise");
  const auto dW = random_numbers<T>(W.size(), rng);
  std::vector<SumOf<T>> expected(theta.size());
  if (cuda::uses_bins(pattern.data()))
    cuda::emulate_bins(pattern.data(), shape, words(dW.data()), expected.data());
  else
    cuda::emulate_segments(pattern.data(), shape, words(dW.data()), expected.data());
  const CudaMemory gradient = on_device(dW), sums(0, expected.size() * sizeof(SumOf<T>));
  device.reduce<T>(static_cast<const T*>(gradient.data()), static_cast<SumOf<T>*>(sums.data()));
  expect(same_bits(from_device<SumOf<T>>(sums, expected.size()), expected), name + ": reduce");
  if constexpr (!std::is_same_v<T, Bf16>)
    if (cuda::uses_bins(pattern.data())) {
      const std::uint64_t batch = 11;
      const auto x = random_numbers<T>(batch * c.in * pattern.cols(), rng);
      std::vector<T> y(batch * c.out * pattern.rows());
      cuda::emulate_lookup(pattern.data(), shape, batch, theta.data(), x.data(), y.data());
      const CudaMemory input = on_device(x), output(0, y.size() * sizeof(T));
      device.apply<T>(batch, static_cast<const T*>(there.data()), static_cast<const T*>(input.data()),
                      static_cast<T*>(output.data()));
      expect(same_bits(from_device<T>(output, y.size()), y), name + ": apply");
    }
}

template <class Body>
double seconds_of(const Body& body) {
  body();
  cuda_synchronise(0);
  std::vector<double> times;
  for (int trial = 0; trial < 9; ++trial) {
    constexpr int calls = 50;
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; ++k) body();
    cuda_synchronise(0);
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls);
  }
  std::nth_element(times.begin(), times.begin() + 4, times.end());
  return times[4];
}

void measure(Rng& rng) {
  fmt::print("{}, float32; GB/s of W or dW (read or written once), medians\n", cuda_device_name(0));
  fmt::print("{:>6} {:>7} {:>10} {:>12} {:>10} {:>14}\n", "side", "params", "copy", "materialise", "reduce",
             "apply, batch 1");
  for (const std::uint64_t n : {1024, 2048, 4096, 8192})
    for (const std::uint64_t params : {2, 15, 127, 2000}) {
      const TiedPattern pattern = random_pattern({n, n, params}, Kind::dense, rng);
      const CudaPattern device(pattern, {1, 1});
      const double bytes = static_cast<double>(n * n * sizeof(float));
      const CudaMemory W(0, n * n * sizeof(float)), other(0, n * n * sizeof(float));
      const CudaMemory theta = on_device(random_numbers<float>(params, rng)),
                       x = on_device(random_numbers<float>(n, rng));
      const CudaMemory y(0, n * sizeof(float)), sums(0, params * sizeof(float));
      const auto at = [](const CudaMemory& m) { return static_cast<float*>(m.data()); };
      const double copy = seconds_of(
          [&] { cuda::copy_on_device(0, nullptr, other.data(), W.data(), n * n * sizeof(float)); });
      const double gather = seconds_of([&] { device.materialise<float>(at(theta), at(W)); });
      const double reduction = seconds_of([&] { device.reduce<float>(at(W), at(sums)); });
      const bool looked_up = cuda::uses_bins(pattern.data());
      const double product =
          looked_up ? seconds_of([&] { device.apply<float>(1, at(theta), at(x), at(y)); }) : 0;
      fmt::print("{:>6} {:>7} {:>10.0f} {:>12.0f} {:>10.0f} {:>14}\n", n, params, 2 * bytes / copy / 1e9,
                 bytes / gather / 1e9, bytes / reduction / 1e9,
                 looked_up ? fmt::format("{:.1f} us", product * 1e6) : std::string("-"));
    }
}

}  // namespace

int main(int argc, char** argv) {
  if (cuda_devices() == 0) {
    const char* required = std::getenv("INTERTWINE_REQUIRE_GPU");
    const bool failure = required != nullptr && std::string(required) == "1";
    fmt::print(
        stderr, "{}: {}\n", failure ? "failed" : "skipped",
        built_with_cuda() ? "no CUDA device, or no driver" : "built without CUDA (-DINTERTWINE_CUDA=ON)");
    return failure ? 1 : 77;
  }
  Rng rng(20240607);
  for (const Shape& shape : shapes())
    for (const Kind kind : {Kind::dense, Kind::none})
      for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
        const TiedPattern pattern = random_pattern(shape, kind, rng);
        const std::string name = fmt::format("{} x {}, {} parameters, {} x {} channels", shape.rows,
                                             shape.cols, shape.params, c.out, c.in);
        const CudaPattern device(pattern, c);
        check_maps<float>(pattern, c, device, name + ", float", rng);
        check_maps<double>(pattern, c, device, name + ", double", rng);
        check_maps<Bf16>(pattern, c, device, name + ", bfloat16", rng);
      }
  fmt::print("{}: {} wrong\n", cuda_device_name(0), wrong);
  if (wrong == 0 && argc > 1 && std::strcmp(argv[1], "--measure") == 0) measure(rng);
  return wrong == 0 ? 0 : 1;
}
