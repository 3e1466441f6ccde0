// Products on a device, from the descriptions of numeric/cuda/products.hpp.
#pragma once
#include <span>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/numeric/cuda_isotypic.hpp"
#include "numeric/cuda/cublas.hpp"
#include "numeric/cuda/device.hpp"
#include "numeric/cuda/products.hpp"

namespace intertwine {

struct CudaProducts::State {
  int device;
  CudaProductOptions options;
  const numeric_detail::cuda::Cublas& library;
  void* handle = nullptr;
  int version = 0;
  CudaMemory workspace;
  bool grouped = false;
  bool bound = false;      ///< to `stream`
  void* stream = nullptr;  ///< the stream that the library queues on
  numeric_detail::cuda::WorkOrder order;

  State(int device_, CudaProductOptions options_);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  /// The library works on this stream from now on. Within order.run().
  void bind(void* to);
};

namespace numeric_detail::cuda {

template <class T>
inline constexpr CudaDataType data_type = std::is_same_v<T, float>    ? cuda_r_32f
                                          : std::is_same_v<T, double> ? cuda_r_64f
                                          : std::is_same_v<T, Half>   ? cuda_r_16f
                                                                      : cuda_r_16bf;

/// C = op(A) op(B); a, b and c are where the arrays begin. Out is T, or the type of its sums. Within order.run() of the products.
template <class T, class Out>
void queue_product(CudaProducts::State& products, void* stream, const Gemm& g, const T* a, const T* b, Out* c);

/// The addresses, on the device, of the matrices of products of several sizes.
struct ProductPointers {
  std::vector<Gemm> sizes;
  CudaMemory a, b, c;
};
template <class T>
ProductPointers product_pointers(int device, std::span<const Gemm> products, const T* a, const T* b, T* c);
/// Can these arrays go into one call? (16-bit numbers must begin at multiples of 16 bytes.)
bool can_be_grouped(std::span<const Gemm> products, std::size_t bytes);
/// All of them in one call, with n columns each in the place of their own. False if the library does not do it: nothing was queued.
template <class T>
bool queue_grouped(CudaProducts::State& products, void* stream, const ProductPointers& pointers, std::uint64_t n);

}  // namespace numeric_detail::cuda
}  // namespace intertwine
