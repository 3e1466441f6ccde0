#include "numeric/cost_model.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>

#include "numeric/product.hpp"

namespace intertwine::numeric_detail {

std::uint64_t last_level_cache() {
  static const std::uint64_t bytes = [] {
    long found = -1;
#ifdef _SC_LEVEL3_CACHE_SIZE
    found = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    // Servers report the sum of many caches, of which one core gets a part.
    constexpr std::uint64_t most = std::uint64_t{32} << 20;
    return found > 0 ? std::min(static_cast<std::uint64_t>(found), most) : most;
  }();
  return bytes;
}

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
  const auto expanded = [&](unsigned entries) {
    return static_cast<double>(codes.size()) / seconds_of([&] {
             kernel.expand(codes.data(), codes.size(), 1, codes.size(), table.data(), entries, b.data(),
                           codes.size(), false);
           });
  };
  rates.expanded = expanded(31);
  rates.expanded_bytes = expanded(255);
  std::vector<std::uint16_t> wide(depth * panel);
  for (std::size_t k = 0; k < wide.size(); ++k) wide[k] = static_cast<std::uint16_t>(k * 37 % 256);
  rates.expanded_wide =
      static_cast<double>(wide.size()) / seconds_of([&] {
        kernel.expand_wide(wide.data(), wide.size(), 1, wide.size(), table.data(), b.data(), wide.size());
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
  // Sixteen numbers at once, to a few orbits in turn.
  std::vector<std::uint32_t> orbits(depth * panel / 16);
  for (std::size_t j = 0; j < orbits.size(); ++j) orbits[j] = static_cast<std::uint32_t>(1 + j % 8);
  Buffer<T> sums(8 * 16);
  std::fill(sums.data(), sums.data() + sums.size(), T{0});
  rates.added = static_cast<double>(depth * panel) / seconds_of([&] {
                  kernel.orbit_sums(orbits.data(), orbits.size(), 8, b.data(), 16, sums.data());
                });
  return rates;
}

}  // namespace

template <class T>
double product_seconds(std::uint64_t rows, std::uint64_t outputs, std::uint64_t inputs) {
  ProductSize size{outputs, inputs, 0, {1, 1}, rows, outputs * inputs, 1, false, false, true};
  // Panels are filled up, and tiles of rows too.
  size.rows = ceil_div(outputs, panel) * panel;
  return expected_seconds<T>(LayerForm::dense, size, 1);
}

namespace {

// Rows of x whose products take as long as those of the batch: one or two rows in a tile leave the processor waiting for its own
// sums, unless several panels are multiplied at once.
template <class T>
double effective_rows(std::uint64_t batch) {
  const auto& kernel = kernels::arithmetic<T>();
  const double waiting = kernel.few_rows == 0 ? 1 : 4;  // rows that fill a tile's chains
  const double last = static_cast<double>(batch % kernel.height);
  if (batch <= kernel.few_rows) return static_cast<double>(batch) + 0.5;
  return static_cast<double>(batch) - last + (last > 0 ? std::max(last, waiting) : 0);
}

}  // namespace

template <class T>
double expected_seconds(LayerForm form, const ProductSize& size, double uses) {
  const MachineRates& rates = machine_rates<T>();
  const double M = static_cast<double>(size.rows), N = static_cast<double>(size.cols);
  const double P = static_cast<double>(size.params), batch = static_cast<double>(size.batch);
  const double out = static_cast<double>(size.channels.out), in = static_cast<double>(size.channels.in);
  const double weights = M * N * out * in, item = sizeof(T);
  const double product = 2 * effective_rows<T>(size.batch) * weights / rates.flops;
  const double cache = static_cast<double>(last_level_cache());
  const bool close = weights * item <= cache / 32;  // to the processor: in its second-level cache
  const double read = rates.bytes * (close ? 3 : weights * item <= cache / 2 ? 2 : 1);
  const double expanded = size.code_bytes == 0               ? rates.bytes / (3 * item)
                          : size.strided                     ? 2.5e9
                          : size.code_bytes > 1              ? rates.expanded_wide
                          : table_entries(size.params) <= 32 ? rates.expanded
                                                             : rates.expanded_bytes;
  const double copied = batch * N * in / 4e9;  // x, put in order
  constexpr double allocation = 1e-7;
  switch (form) {
    case LayerForm::dense: {
      const double make = size.materialised ? 0 : weights / expanded + weights * item / rates.bytes;
      // Weights are fetched anew for every 240 rows, and from further away less of that hides behind the product.
      const double fetch = weights * item / read * (close ? 1 : std::ceil(batch / 240));
      const double busy = (close ? 1.1 : 1.25) * product;
      const double work = close ? std::max(busy, fetch) : std::max(busy, fetch) + 0.5 * std::min(busy, fetch);
      return allocation + copied + work + make / std::max(1.0, uses);
    }
    case LayerForm::lookup: {
      if (!size.in_registers) return allocation + copied + 1.1 * product + 1.4 * weights / expanded;
      if (table_entries(size.params) > 32)
        return allocation + std::max({product, 1.2 * weights / rates.expanded_bytes, M * N / rates.bytes});
      constexpr double rows = 8;  // that share a look-up
      return std::max({1.05 * 2 * batch * weights / rates.flops,
                       weights * std::max(1.0, batch / rows) / rates.looked_up,
                       M * N * size.code_bytes / rates.bytes});
    }
    default: {
      constexpr double entry = 1.5e-9;  // a short sum takes as long as a vector
      const double sums = static_cast<double>(size.entries) * batch * std::max(entry, in / rates.added);
      const double moved = (batch * in * (N + M * P) + P * in * out) * 1e-9;
      const double wasted =
          static_cast<double>(ceil_div(size.channels.out, panel) * panel) / std::max(1.0, out);
      return allocation + sums + moved + M * 2e-7 + 2.2 * batch * M * P * in * out * wasted / rates.flops;
    }
  }
}

template double product_seconds<float>(std::uint64_t, std::uint64_t, std::uint64_t);
template double product_seconds<double>(std::uint64_t, std::uint64_t, std::uint64_t);
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
