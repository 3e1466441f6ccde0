#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/numeric/cuda.hpp"
#include "numeric/cuda/launch.hpp"
#include "numeric/cuda/plan_tables.hpp"
#include "numeric/tables.hpp"

namespace intertwine {

namespace cuda = numeric_detail::cuda;
using numeric_detail::checked_product;

namespace {

void require_device(int device) {
  if (device >= 0 && device < cuda::device_count()) return;
  if (!cuda::built())
    throw DomainError("this build has no CUDA kernels; configure with -DINTERTWINE_CUDA=ON");
  throw DomainError(fmt::format("there is no CUDA device {}: {} found; is the driver installed?", device,
                                cuda::device_count()));
}

void check(const char* error, const char* doing) {
  if (error != nullptr) throw InternalError(fmt::format("CUDA: {} failed: {}", doing, error));
}

template <class Items>
CudaMemory uploaded(int device, const Items& items) {
  const auto bytes = std::as_bytes(std::span(items));
  CudaMemory memory(device, bytes.size());
  memory.upload(bytes);
  return memory;
}

template <class T>
T* as(const CudaMemory& memory) {
  return static_cast<T*>(memory.data());
}

// bfloat16 goes as words.
template <class T>
auto words(T* p) {
  if constexpr (std::is_same_v<std::remove_const_t<T>, Bf16>)
    return reinterpret_cast<std::conditional_t<std::is_const_v<T>, const std::uint16_t, std::uint16_t>*>(p);
  else
    return p;
}

}  // namespace

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
    : device_(other.device_),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

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
  if (bytes.size() > bytes_)
    throw DomainError(fmt::format("{} bytes are asked for of {}", bytes.size(), bytes_));
  check(cuda::copy_from_device(device_, bytes.data(), data_, bytes.size()), "copying from the device");
}

struct CudaPattern::State {
  TiedPattern pattern;
  cuda::Shape shape;
  int device;
  unsigned code_width;
  bool bins;
  std::uint64_t pieces = 0;
  CudaMemory codes;
  CudaMemory tall, entries, segments, piece_ptr;  ///< what the way of reducing and the look-up need
  CudaMemory reduction, product;                  ///< partial sums, in double at most
};

CudaPattern::CudaPattern(const TiedPattern& pattern, Multiplicity channels, int device) {
  require_device(device);
  const auto& data = pattern.data();
  const std::uint64_t cols = checked_product({channels.in, data.cols}, "a row of weights");
  checked_product({cols, channels.out, data.rows, 8}, "the array of weights");
  const cuda::Shape shape{data.rows, data.cols, data.params, channels.out, channels.in, cols};
  const std::uint64_t pairs = shape.pairs();
  const bool bins = cuda::uses_bins(data);
  const unsigned width =
      std::visit([](const auto& c) { return static_cast<unsigned>(sizeof(c[0])); }, data.codes);
  CudaMemory codes = std::visit([&](const auto& c) { return uploaded(device, c); }, data.codes);
  if (bins) {
    const std::uint64_t pieces = cuda::bins_plan(data.rows, data.cols, data.params).pieces;
    const std::uint64_t products =
        channels.in * cuda::product_pieces(data.cols) * cuda::most_batch * channels.out * data.rows;
    state_ = std::make_unique<State>(
        State{pattern, shape, device, width, bins, pieces, std::move(codes),
              uploaded(device, cuda::tall_codes(data)), CudaMemory(device, 0), CudaMemory(device, 0),
              CudaMemory(device, 0),
              CudaMemory(device, checked_product({pieces, pairs, data.params, 8}, "the partial sums")),
              CudaMemory(device, checked_product({products, 8}, "the partial sums"))});
    return;
  }
  const cuda::SegmentTables tables = cuda::segment_tables(data);
  state_ = std::make_unique<State>(State{
      pattern, shape, device, width, bins, tables.pieces.size(), std::move(codes), CudaMemory(device, 0),
      uploaded(device, tables.entries), uploaded(device, tables.pieces), uploaded(device, tables.piece_ptr),
      CudaMemory(device, checked_product({tables.pieces.size(), pairs, 8}, "the partial sums")),
      CudaMemory(device, 0)});
}

CudaPattern::~CudaPattern() = default;
CudaPattern::CudaPattern(CudaPattern&&) noexcept = default;
CudaPattern& CudaPattern::operator=(CudaPattern&&) noexcept = default;

template <class T>
void CudaPattern::materialise(const T* theta, T* W, void* stream) const {
  const State& s = *state_;
  const char* error = nullptr;
  if (s.code_width == 1)
    error =
        cuda::launch_gather(s.device, stream, s.shape, as<const cuda::u8>(s.codes), words(theta), words(W));
  else if (s.code_width == 2)
    error =
        cuda::launch_gather(s.device, stream, s.shape, as<const cuda::u16>(s.codes), words(theta), words(W));
  else
    error =
        cuda::launch_gather(s.device, stream, s.shape, as<const cuda::u32>(s.codes), words(theta), words(W));
  check(error, "materialise");
}

template <class T>
void CudaPattern::reduce(const T* dW, SumOf<T>* dtheta, void* stream) const {
  const State& s = *state_;
  using Sum = SumOf<T>;
  const char* error = s.bins ? cuda::launch_bins(s.device, stream, s.shape, as<const cuda::u8>(s.codes),
                                                 words(dW), as<Sum>(s.reduction), dtheta)
                             : cuda::launch_segments(
                                   s.device, stream, s.shape, as<const cuda::u32>(s.entries),
                                   as<const cuda::Segment>(s.segments), s.pieces,
                                   as<const cuda::u64>(s.piece_ptr), words(dW), as<Sum>(s.reduction), dtheta);
  check(error, "reduce");
}

template <class T>
void CudaPattern::apply(std::uint64_t batch, const T* theta, const T* x, T* y, void* stream) const {
  const State& s = *state_;
  if (!s.bins)
    throw DomainError(
        fmt::format("CudaPattern::apply looks up at most 127 parameters, not {}; materialise and multiply",
                    s.shape.params));
  const std::uint64_t inputs = s.shape.in * s.shape.cols, outputs = s.shape.out * s.shape.rows;
  for (std::uint64_t b = 0; b < batch; b += cuda::most_batch)
    check(cuda::launch_lookup(s.device, stream, s.shape, std::min<std::uint64_t>(cuda::most_batch, batch - b),
                              as<const cuda::u8>(s.tall), theta, x + b * inputs, as<T>(s.product),
                              y + b * outputs),
          "apply");
}

template void CudaPattern::materialise<float>(const float*, float*, void*) const;
template void CudaPattern::materialise<double>(const double*, double*, void*) const;
template void CudaPattern::materialise<Bf16>(const Bf16*, Bf16*, void*) const;
template void CudaPattern::reduce<float>(const float*, float*, void*) const;
template void CudaPattern::reduce<double>(const double*, double*, void*) const;
template void CudaPattern::reduce<Bf16>(const Bf16*, float*, void*) const;
template void CudaPattern::apply<float>(std::uint64_t, const float*, const float*, float*, void*) const;
template void CudaPattern::apply<double>(std::uint64_t, const double*, const double*, double*, void*) const;

}  // namespace intertwine
