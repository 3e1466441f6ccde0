#include "numeric/cost_model.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>

#include "numeric/product.hpp"

namespace intertwine::numeric_detail {
namespace {

using kernels::panel;

// Seconds of one call: the best of a few repetitions that take about a millisecond each.
template <class Body>
double seconds_of(const Body& body) {
  using Clock = std::chrono::steady_clock;
  body();
  std::uint64_t calls = 1;
  double best = 1e9;
  for (int trial = 0; trial < 5; ++trial) {
    const auto start = Clock::now();
    for (std::uint64_t c = 0; c < calls; ++c) body();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::min(best, seconds / static_cast<double>(calls));
    if (seconds < 5e-4) {
      calls *= 1 + static_cast<std::uint64_t>(5e-4 / (seconds + 1e-8));
      --trial;
    }
  }
  return best;
}

template <class T>
MachineRates measure() {
  MachineRates rates;
  const auto& kernel = kernels::arithmetic<T>();
  constexpr std::size_t depth = 1024 / sizeof(T);
  Buffer<T> a(depth * 16), b(depth * panel), c(16 * panel);
  std::fill(a.data(), a.data() + a.size(), T{1});
  std::fill(b.data(), b.data() + b.size(), T{0});
  const double product = seconds_of(
      [&] { kernel.multiply(depth, a.data(), b.data(), c.data(), panel, kernel.height, panel, false); });
  rates.flops = 2.0 * static_cast<double>(depth * kernel.height * panel) / product;
  const std::size_t large = last_level_cache();
  Buffer<std::byte> from(large), to(large);
  std::memset(from.data(), 1, large);
  rates.bytes =
      2.0 * static_cast<double>(large) / seconds_of([&] { std::memcpy(to.data(), from.data(), large); });
  std::vector<std::uint8_t> codes(depth * panel, 1);
  Buffer<T> table(256);
  std::fill(table.data(), table.data() + 256, T{1});
  rates.expanded = static_cast<double>(codes.size()) / seconds_of([&] {
                     kernel.expand(codes.data(), codes.size(), 1, codes.size(), table.data(), 31, b.data(),
                                   codes.size(), false);
                   });
  rates.looked_up = rates.expanded;
  if (kernel.lookup != nullptr) {
    codes.assign(4 * depth * panel, 1);
    const double call = seconds_of([&] {
      kernel.lookup({codes.data(), 4, depth, 1, table.data(), 256, kernel.lookup_entries, a.data(), depth, 1,
                     c.data(), 4 * panel, 4 * panel});
    });
    rates.looked_up = static_cast<double>(codes.size()) / call;
  }
  const double sum = seconds_of([&] {
    for (std::size_t k = 0; k < b.size() / 64; ++k)
      for (std::size_t l = 0; l < 64; ++l) c[l] += b[64 * k + l];
  });
  rates.added = static_cast<double>(b.size()) / sum;
  return rates;
}

}  // namespace

template <class T>
double expected_seconds(LayerForm form, const ProductSize& size, double uses) {
  const MachineRates& rates = machine_rates<T>();
  const double M = static_cast<double>(size.rows), N = static_cast<double>(size.cols);
  const double P = static_cast<double>(size.params), batch = static_cast<double>(size.batch);
  const double out = static_cast<double>(size.channels.out), in = static_cast<double>(size.channels.in);
  const double weights = M * N * out * in, item = sizeof(T);
  const double product = 2 * batch * weights / rates.flops;
  const double cache = static_cast<double>(last_level_cache());
  const double read = rates.bytes * (weights * item <= cache / 32 ? 4 : weights * item <= cache / 2 ? 2 : 1);
  constexpr double call = 1e-6;
  switch (form) {
    case LayerForm::dense: {
      const double make = size.materialised ? 0 : weights / rates.expanded + weights * item / rates.bytes;
      return call + std::max(product, weights * item / read) + make / std::max(1.0, uses);
    }
    case LayerForm::lookup: {
      if (!size.in_registers) return call + product + weights / rates.expanded;
      const double rows = 8;  // that share a look-up
      const double passes = std::max(1.0, batch / rows);
      return call +
             std::max(weights * passes / rates.looked_up + std::max(0.0, product - weights * 2 / rates.flops),
                      M * N * size.code_bytes / rates.bytes);
    }
    default: {
      const double sums = M * N * batch * in / rates.added + batch * in * (N + M * P) / rates.added;
      const double wasted =
          static_cast<double>(ceil_div(size.channels.out, panel) * panel) / std::max(1.0, out);
      return call + sums + M * 2e-7 + P * in * out * 1e-9 +
             2 * batch * M * P * in * out * wasted / rates.flops;
    }
  }
}

template double expected_seconds<float>(LayerForm, const ProductSize&, double);
template double expected_seconds<double>(LayerForm, const ProductSize&, double);

}  // namespace intertwine::numeric_detail

namespace intertwine {

template <class T>
const MachineRates& machine_rates() {
  static std::mutex guard;
  static std::map<InstructionSet, MachineRates> known;
  const std::lock_guard lock(guard);
  const auto [found, fresh] = known.try_emplace(instruction_set());
  if (fresh) found->second = numeric_detail::measure<T>();
  return found->second;
}

template const MachineRates& machine_rates<float>();
template const MachineRates& machine_rates<double>();

}  // namespace intertwine
