// Patterns on a device.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/numeric/cuda.hpp"
#include "numeric/cuda/device.hpp"
#include "numeric/cuda/plan_tables.hpp"
#include "numeric/tables.hpp"

namespace intertwine {

namespace cuda = numeric_detail::cuda;
using cuda::as;
using cuda::check;
using cuda::require_device;
using cuda::uploaded;
using numeric_detail::checked_product;

bool built_with_cuda() { return cuda::built(); }
int cuda_devices() { return cuda::device_count(); }

std::string cuda_device_name(int device) {
  require_device(device);
  char name[256] = {};
  check(cuda::device_name(device, name, sizeof name), "asking for the name of the device");
  return name;
}

void cuda_synchronise(int device) {
  require_device(device);
  check(cuda::synchronise(device), "the work on the device");
}

CudaMemory::CudaMemory(int device, std::uint64_t bytes) : device_(device), bytes_(bytes) {
  require_device(device);
  if (const char* error = cuda::allocate(device, &data_, bytes))
    throw LimitError(fmt::format("CUDA: {} bytes cannot be had on device {}: {}", bytes, device, error));
}

CudaMemory::~CudaMemory() {
  if (data_ != nullptr) cuda::release(device_, data_);
}

CudaMemory::CudaMemory(CudaMemory&& other) noexcept
    : device_(other.device_), data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

CudaMemory& CudaMemory::operator=(CudaMemory&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void CudaMemory::upload(std::span<const std::byte> bytes) const {
  if (bytes.size() > bytes_) throw DomainError(fmt::format("{} bytes do not fit {}", bytes.size(), bytes_));
  check(cuda::copy_to_device(device_, data_, bytes.data(), bytes.size()), "copying to the device");
}

void CudaMemory::download(std::span<std::byte> bytes) const {
  if (bytes.size() > bytes_) throw DomainError(fmt::format("{} bytes are asked for of {}", bytes.size(), bytes_));
  check(cuda::copy_from_device(device_, bytes.data(), data_, bytes.size()), "copying from the device");
}

struct CudaPattern::State {
  numeric_detail::TiedPattern pattern;
  cuda::Shape shape;
  int device;
  unsigned code_width;
  bool bins;
  cuda::GatherPlan gather;
  cuda::BinsPlan plan{};
  std::uint64_t pieces = 0, slots = 0;  ///< the pieces and slots of a pair
  CudaMemory codes;
  CudaMemory tall, places, runs, run_ptr, slot_ptr;  ///< the arrays for the way of reducing and the look-up
  CudaMemory reduction;                              ///< partial sums, in double at most
  /// The memory of look-up products; made when it is first needed.
  std::optional<CudaMemory> product;
  cuda::WorkOrder order;

  State(const numeric_detail::TiedPattern& pattern_, const cuda::Shape& shape_, int device_)
      : pattern(pattern_),
        shape(shape_),
        device(device_),
        code_width(std::visit([](const auto& c) { return static_cast<unsigned>(sizeof(c[0])); }, pattern.data().codes)),
        bins(cuda::uses_bins(pattern.data())),
        gather(cuda::gather_plan(shape)),
        codes(std::visit([&](const auto& c) { return uploaded(device, c); }, pattern.data().codes)),
        tall(device, 0),
        places(device, 0),
        runs(device, 0),
        run_ptr(device, 0),
        slot_ptr(device, 0),
        reduction(device, 0),
        order(device) {}

  template <class T>
  cuda::GatherItem gather_item(const T* theta, T* W) const {
    return {shape, gather, codes.data(), theta, W, 0, code_width, shape.in_fours() && cuda::aligned_for_fours(W)};
  }
  template <class T>
  cuda::ReduceItem reduce_item(const T* dW, SumOf<T>* dtheta) const {
    return {shape,
            plan,
            bins ? as<const cuda::u8>(codes) : nullptr,
            as<const cuda::u16>(places),
            as<const cuda::Run>(runs),
            as<const cuda::u32>(run_ptr),
            as<const cuda::u32>(slot_ptr),
            pieces,
            slots,
            dW,
            reduction.data(),
            dtheta,
            0,
            shape.in_fours() && cuda::aligned_for_fours(dW)};
  }
};

CudaPattern::CudaPattern(const PreparedPattern& prepared, Multiplicity channels, int device) {
  const numeric_detail::TiedPattern& pattern = prepared.tied();
  require_device(device);
  const auto& data = pattern.data();
  const std::uint64_t cols = checked_product({channels.in, data.cols}, "a row of weights");
  checked_product({cols, channels.out, data.rows, 8}, "the array of weights");
  if (data.rows * data.cols >= cuda::most_entries)
    throw LimitError(
        fmt::format("the CUDA kernels take tables of fewer than 2^31 entries; this one has {}", data.rows * data.cols));
  const cuda::Shape shape{data.rows, data.cols, data.params, channels.out, channels.in, cols};
  state_ = std::make_unique<State>(pattern, shape, device);
  State& s = *state_;
  if (shape.pairs() == 0) return;
  if (s.bins) {
    s.plan = cuda::bins_plan(shape);
    s.pieces = s.plan.pieces;
    s.slots = s.pieces * data.params;
    s.tall = uploaded(device, cuda::tall_codes(data));
    s.reduction = CudaMemory(device, checked_product({s.slots, shape.pairs(), 8}, "the partial sums"));
    return;
  }
  const cuda::TileTables tables = cuda::tile_tables(data);
  s.pieces = tables.tiles();
  s.slots = tables.slots();
  s.places = uploaded(device, tables.places);
  s.runs = uploaded(device, tables.runs);
  s.run_ptr = uploaded(device, tables.run_ptr);
  s.slot_ptr = uploaded(device, tables.slot_ptr);
  s.reduction = CudaMemory(device, checked_product({s.slots, shape.pairs(), 8}, "the partial sums"));
}

CudaPattern::~CudaPattern() = default;
CudaPattern::CudaPattern(CudaPattern&&) noexcept = default;
CudaPattern& CudaPattern::operator=(CudaPattern&&) noexcept = default;
int CudaPattern::device() const { return state_->device; }

template <class T>
void CudaPattern::materialise(const T* theta, T* W, void* stream) const {
  cuda::GatherItem item = state_->gather_item(theta, W);
  check(cuda::launch_gather<T>(state_->device, stream, &item, 1), "materialise");
}

template <class T>
void CudaPattern::reduce(const T* dW, SumOf<T>* dtheta, void* stream) const {
  cuda::ReduceItem item = state_->reduce_item(dW, dtheta);
  if (item.shape.pairs() == 0) return;
  state_->order.run(stream,
                    [&] { check(cuda::launch_reduce<T, SumOf<T>>(state_->device, stream, &item, 1), "reduce"); });
}

template <class T>
void CudaPattern::apply(std::uint64_t batch, const T* theta, const T* x, T* y, void* stream) const {
  State& s = *state_;
  if (!s.bins)
    throw DomainError(fmt::format(
        "the product on the GPU looks up at most 127 parameters, not {}; materialise and multiply", s.shape.params));
  const std::uint64_t inputs = s.shape.in * s.shape.cols, outputs = s.shape.out * s.shape.rows;
  s.order.run(stream, [&] {
    if (!s.product)
      s.product.emplace(s.device, checked_product({s.shape.in, cuda::product_pieces(s.shape.cols), cuda::most_batch,
                                                   outputs, sizeof(double)},
                                                  "the partial sums"));
    for (std::uint64_t b = 0; b < batch; b += cuda::most_batch)
      check(cuda::launch_lookup(s.device, stream, s.shape, std::min<std::uint64_t>(cuda::most_batch, batch - b),
                                as<const cuda::u8>(s.tall), theta, x + b * inputs, as<SumOf<T>>(*s.product),
                                y + b * outputs),
            "apply");
  });
}

namespace {

// The device of all patterns of a list.
int device_of(std::span<const CudaPattern* const> patterns, std::size_t first, std::size_t second) {
  if (first != patterns.size() || second != patterns.size())
    throw DomainError(fmt::format("{} patterns with {} and {} arrays", patterns.size(), first, second));
  for (const CudaPattern* pattern : patterns)
    if (pattern->device() != patterns[0]->device()) throw DomainError("patterns of one launch are on one device");
  return patterns.empty() ? 0 : patterns[0]->device();
}

}  // namespace

template <class T>
void materialise(std::span<const CudaPattern* const> patterns, std::span<const T* const> theta, std::span<T* const> W,
                 void* stream) {
  const int device = device_of(patterns, theta.size(), W.size());
  std::vector<cuda::GatherItem> items;
  for (std::size_t k = 0; k < patterns.size(); ++k) items.push_back(patterns[k]->state().gather_item(theta[k], W[k]));
  if (items.empty()) return;
  check(cuda::launch_gather<T>(device, stream, items.data(), items.size()), "materialise");
}

template <class T>
void reduce_gradient(std::span<const CudaPattern* const> patterns, std::span<const T* const> dW,
                     std::span<SumOf<T>* const> dtheta, void* stream) {
  const int device = device_of(patterns, dW.size(), dtheta.size());
  std::vector<const CudaPattern*> once(patterns.begin(), patterns.end());
  std::sort(once.begin(), once.end());
  if (std::adjacent_find(once.begin(), once.end()) != once.end())
    throw DomainError("reduce: a pattern is there twice; its working memory serves one array at a time");
  std::vector<cuda::ReduceItem> items;
  std::vector<cuda::WorkOrder*> orders;
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    if (patterns[k]->state().shape.pairs() == 0) continue;
    items.push_back(patterns[k]->state().reduce_item(dW[k], dtheta[k]));
    orders.push_back(&patterns[k]->state().order);
  }
  if (items.empty()) return;
  cuda::WorkOrder::run_all(std::move(orders), stream, [&] {
    check(cuda::launch_reduce<T, SumOf<T>>(device, stream, items.data(), items.size()), "reduce");
  });
}

#define INTERTWINE_FOR(T)                                                                                           \
  template void CudaPattern::materialise<T>(const T*, T*, void*) const;                                             \
  template void CudaPattern::reduce<T>(const T*, SumOf<T>*, void*) const;                                           \
  template void CudaPattern::apply<T>(std::uint64_t, const T*, const T*, T*, void*) const;                          \
  template void materialise<T>(std::span<const CudaPattern* const>, std::span<const T* const>, std::span<T* const>, \
                               void*);                                                                              \
  template void reduce_gradient<T>(std::span<const CudaPattern* const>, std::span<const T* const>,                  \
                                   std::span<SumOf<T>* const>, void*);
INTERTWINE_FOR(float)
INTERTWINE_FOR(double)
INTERTWINE_FOR(Bf16)
INTERTWINE_FOR(Half)
#undef INTERTWINE_FOR

}  // namespace intertwine
