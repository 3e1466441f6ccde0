// Measures the processor and predicts the time of products.
#include "numeric/cost_model.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iterator>
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

// Each measures one rate, from the numbers that a call handles.
template <class T>
double measure_flops() {
  const auto& kernel = kernels::arithmetic<T>();
  constexpr std::size_t depth = 1024 / sizeof(T);
  Buffer<T> a(depth * 16), b(depth * panel), c(16 * panel);
  std::fill(a.data(), a.data() + a.size(), T{1});
  std::fill(b.data(), b.data() + b.size(), T{0});
  return 2.0 * static_cast<double>(depth * kernel.height * panel) /
         seconds_of([&] { kernel.multiply(depth, a.data(), b.data(), c.data(), panel, kernel.height, panel, false); });
}

double measure_bytes() {
  const std::size_t large = last_level_cache();
  Buffer<std::byte> from(large), to(large);
  std::memset(from.data(), 1, large);
  return 2.0 * static_cast<double>(large) / seconds_of([&] { std::memcpy(to.data(), from.data(), large); });
}

template <class T>
double measure_expanded(unsigned entries) {
  std::vector<std::uint8_t> codes(1024 / sizeof(T) * panel, 1);
  Buffer<T> table(256), out(codes.size());
  std::fill(table.data(), table.data() + 256, T{1});
  return static_cast<double>(codes.size()) / seconds_of([&] {
           kernels::arithmetic<T>().expand(codes.data(), codes.size(), 1, codes.size(), table.data(), entries,
                                           out.data(), codes.size(), false);
         });
}

template <class T>
double measure_expanded_wide() {
  std::vector<std::uint16_t> codes(1024 / sizeof(T) * panel);
  for (std::size_t k = 0; k < codes.size(); ++k) codes[k] = static_cast<std::uint16_t>(k * 37 % 256);
  Buffer<T> table(256), out(codes.size());
  std::fill(table.data(), table.data() + 256, T{1});
  return static_cast<double>(codes.size()) / seconds_of([&] {
           kernels::arithmetic<T>().expand_wide(codes.data(), codes.size(), 1, codes.size(), table.data(), out.data(),
                                                codes.size());
         });
}

template <class T>
double measure_looked_up() {
  const auto& kernel = kernels::arithmetic<T>();
  if (kernel.lookup == nullptr) return measure_expanded<T>(31);
  constexpr std::size_t depth = 1024 / sizeof(T);
  const std::vector<std::uint8_t> codes(4 * depth * panel, 1);
  Buffer<T> table(256), x(depth), y(4 * panel);
  std::fill(table.data(), table.data() + 256, T{1});
  std::fill(x.data(), x.data() + depth, T{1});
  return static_cast<double>(codes.size()) / seconds_of([&] {
           kernel.lookup({codes.data(), 4, depth, 1, table.data(), 256, kernel.lookup_entries, x.data(), depth, 1,
                          y.data(), 4 * panel, 4 * panel});
         });
}

// Sums of a few rows of 256 numbers, from the second-level cache.
template <class T>
double measure_added() {
  constexpr std::size_t width = 256, rows = 512, each = 8;
  std::vector<std::uint32_t> places(rows);
  for (std::size_t j = 0; j < rows; ++j) places[j] = static_cast<std::uint32_t>(j * 37 % rows);
  Buffer<T> x(rows * width), sum(width);
  std::fill(x.data(), x.data() + x.size(), T{0});
  return static_cast<double>(rows * width) / seconds_of([&] {
           for (std::size_t j = 0; j < rows; j += each)
             kernels::arithmetic<T>().orbit_sums(places.data() + j, each, x.data(), width, width, nullptr, false,
                                                 sum.data());
         });
}

struct MeasuredRate {
  double MachineRates::*rate;
  double (*measure)();
};
template <class T>
constexpr MeasuredRate measured_rates[] = {{&MachineRates::flops, measure_flops<T>},
                                           {&MachineRates::bytes, measure_bytes},
                                           {&MachineRates::expanded, [] { return measure_expanded<T>(31); }},
                                           {&MachineRates::expanded_bytes, [] { return measure_expanded<T>(255); }},
                                           {&MachineRates::expanded_wide, measure_expanded_wide<T>},
                                           {&MachineRates::looked_up, measure_looked_up<T>},
                                           {&MachineRates::added, measure_added<T>}};

}  // namespace

template <class T>
double product_seconds(std::uint64_t rows, std::uint64_t outputs, std::uint64_t inputs) {
  ProductSize size;
  size.rows = ceil_div(outputs, panel) * panel;  // panels are filled up
  size.cols = inputs;
  size.batch = rows;
  size.code_bytes = 1;
  size.materialised = true;
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
  const auto rate = [](double MachineRates::*which) { return machine_rate<T>(which); };
  const double flops = rate(&MachineRates::flops);
  const double M = static_cast<double>(size.rows), N = static_cast<double>(size.cols);
  const double batch = static_cast<double>(size.batch);
  const double out = static_cast<double>(size.channels.out), in = static_cast<double>(size.channels.in);
  const double weights = M * N * out * in, item = sizeof(T);
  const double product = 2 * effective_rows<T>(size.batch) * weights / flops;
  const double cache = static_cast<double>(last_level_cache());
  const bool close = weights * item <= cache / 32;  // to the processor: in its second-level cache
  const auto expanded = [&] {
    return size.code_bytes == 0  ? 5e8
           : size.strided        ? 2.5e9
           : size.code_bytes > 1 ? rate(&MachineRates::expanded_wide)
           : size.entries <= 32  ? rate(&MachineRates::expanded)
                                 : rate(&MachineRates::expanded_bytes);
  };
  const double copied = batch * N * in / 4e9;  // x, put in order
  constexpr double allocation = 1e-7;
  const bool by_blocks = form == LayerForm::lookup ? !size.in_registers : size.streamed;
  if (form != LayerForm::implicit && by_blocks)
    // Codes are put in order, at most about 1e10 a second, and looked up.
    return allocation + copied + 1.1 * product + weights * (1.4 / expanded() + 1e-10);
  switch (form) {
    case LayerForm::dense: {
      const double bytes = rate(&MachineRates::bytes);
      const double read = bytes * (close ? 3 : weights * item <= cache / 2 ? 2 : 1);
      const double make = size.materialised ? 0 : weights / expanded() + weights * item / bytes;
      // Weights are fetched anew for every 240 rows, and from further away less of that hides behind the product.
      const double fetch = weights * item / read * (close ? 1 : std::ceil(batch / 240));
      const double busy = (close ? 1.1 : 1.25) * product;
      const double work = close ? std::max(busy, fetch) : std::max(busy, fetch) + 0.5 * std::min(busy, fetch);
      return allocation + copied + work + make / std::max(1.0, uses);
    }
    case LayerForm::lookup: {
      const double bytes = rate(&MachineRates::bytes);
      if (size.entries > 32)
        return allocation + std::max({product, 1.2 * weights / rate(&MachineRates::expanded_bytes), M * N / bytes});
      constexpr double rows = 8;  // that share a look-up
      return std::max({1.05 * 2 * batch * weights / flops,
                       weights * std::max(1.0, batch / rows) / rate(&MachineRates::looked_up),
                       M * N * size.code_bytes / bytes});
    }
    default: {
      constexpr double entry = 1.5e-9;  // to find its place
      const double filled = static_cast<double>(ceil_div(size.channels.out, panel) * panel);
      const double sums = M * size.additions * batch * in / rate(&MachineRates::added) + M * N * entry;
      const double moved = batch * (in * N + filled * M) * 1e-9 + static_cast<double>(size.params) * in * out * 1e-9;
      const double products = 2 * effective_rows<T>(size.batch) * M * size.occurring * in * filled / flops;
      return allocation + sums + moved + 1.2 * products + M * size.occurring * 1e-8;
    }
  }
}

template <class T>
double gradient_seconds(const ProductSize& size, std::string_view reduction) {
  const double entries = static_cast<double>(size.rows) * static_cast<double>(size.cols) *
                         static_cast<double>(size.channels.out) * static_cast<double>(size.channels.in);
  const double product = 2 * static_cast<double>(size.batch) * entries / machine_rate<T>(&MachineRates::flops);
  const double each = reduction == "bins"     ? 3e-11 + 1.7e-11 * static_cast<double>(size.params)
                      : reduction == "runs"   ? 1.2e-10
                      : reduction == "tables" ? 3e-10
                                              : 1e-9;
  return 1e-6 + 1.3 * product + entries * (each + 1e-10);
}

template double gradient_seconds<float>(const ProductSize&, std::string_view);
template double gradient_seconds<double>(const ProductSize&, std::string_view);
template double product_seconds<float>(std::uint64_t, std::uint64_t, std::uint64_t);
template double product_seconds<double>(std::uint64_t, std::uint64_t, std::uint64_t);
template double expected_seconds<float>(LayerForm, const ProductSize&, double);
template double expected_seconds<double>(LayerForm, const ProductSize&, double);

}  // namespace intertwine::numeric_detail

namespace intertwine {

template <class T>
double machine_rate(double MachineRates::*rate) {
  constexpr std::size_t levels = 3;
  static std::mutex guard;
  static std::atomic<double> known[levels][std::size(numeric_detail::measured_rates<T>)];
  std::size_t which = 0;
  while (numeric_detail::measured_rates<T>[which].rate != rate) ++which;
  std::atomic<double>& value = known[static_cast<std::size_t>(instruction_set())][which];
  if (const double there = value.load(std::memory_order_relaxed); there != 0) return there;
  const std::lock_guard lock(guard);
  if (value == 0) value = numeric_detail::measured_rates<T>[which].measure();
  return value;
}

template <class T>
MachineRates machine_rates() {
  MachineRates out;
  for (const auto& [which, measure] : numeric_detail::measured_rates<T>) out.*which = machine_rate<T>(which);
  return out;
}

template double machine_rate<float>(double MachineRates::*);
template double machine_rate<double>(double MachineRates::*);
template MachineRates machine_rates<float>();
template MachineRates machine_rates<double>();

}  // namespace intertwine
