// Products of matrices on a device.
#include "numeric/cuda_products.hpp"

#include <fmt/format.h>

#include "numeric/tables.hpp"

namespace intertwine {

namespace cuda = numeric_detail::cuda;
using cuda::check;

namespace {

constexpr std::uint64_t workspace_bytes = std::uint64_t{32} << 20;  // what NVIDIA recommends from Hopper on

void checked(cuda::CublasStatus status, const char* doing) {
  if (status != cuda::cublas_success)
    throw InternalError(fmt::format("cuBLAS: {} failed: {}", doing, cuda::to_string(status)));
}

int narrow(std::uint64_t size) {
  if (size > 0x7fffffffU)
    throw DomainError(fmt::format("a matrix product on the GPU has a side of {}; cuBLAS takes up to 2^31 - 1", size));
  return static_cast<int>(size);
}

cuda::CublasOperation operation(bool transpose) { return transpose ? cuda::cublas_op_t : cuda::cublas_op_n; }

template <class T>
cuda::CublasCompute compute_type(bool tf32) {
  if (std::is_same_v<T, double>) return cuda::cublas_compute_64f;
  return std::is_same_v<T, float> && tf32 ? cuda::cublas_compute_32f_fast_tf32 : cuda::cublas_compute_32f;
}

}  // namespace

CudaProducts::State::State(int device_, CudaProductOptions options_)
    : device(device_),
      options(options_),
      library(cuda::cublas()),
      workspace(device_, workspace_bytes),
      grouped(options_.grouped && library.gemm_grouped != nullptr),
      order(device_) {
  check(cuda::use_device(device), "choosing the device");
  checked(library.create(&handle), "starting");
  checked(library.version(handle, &version), "asking for the version");
  checked(library.set_math_mode(handle, cuda::cublas_default_math | cuda::cublas_disallow_reduced_precision_reduction),
          "choosing exact sums");
}

CudaProducts::State::~State() {
  if (handle != nullptr && cuda::use_device(device) == nullptr) library.destroy(handle);
}

void CudaProducts::State::bind(void* to) {
  check(cuda::use_device(device), "choosing the device");
  if (bound && stream == to) return;
  bound = false;
  checked(library.set_stream(handle, to), "choosing a stream");
  // A new stream takes the working memory away.
  checked(library.set_workspace(handle, workspace.data(), workspace.bytes()), "handing over memory");
  stream = to;
  bound = true;
}

CudaProducts::CudaProducts(int device, CudaProductOptions options) {
  cuda::require_device(device);
  state_ = std::make_shared<State>(device, options);
}

bool CudaProducts::available() { return cuda::find_cublas() != nullptr; }
int CudaProducts::device() const { return state_->device; }
CudaProductOptions CudaProducts::options() const { return state_->options; }
bool CudaProducts::grouped() const { return state_->grouped; }

std::string CudaProducts::library() const {
  const int v = state_->version;  // 12.5.1 is 120501
  return fmt::format("{} {}.{}.{}", state_->library.path, v / 10000, v / 100 % 100, v % 100);
}

template <class T>
void CudaProducts::multiply(std::uint64_t batch, std::uint64_t rows, std::uint64_t cols, const T* W, const T* x, T* y,
                            void* stream) const {
  numeric_detail::checked_product({batch, rows, sizeof(T)}, "the products");
  if (cols == 0) return check(cuda::set_zero(device(), stream, y, batch * rows * sizeof(T)), "clearing an array");
  const cuda::Gemm g = cuda::row_major_forward(batch, rows, cols);
  state_->order.run(stream, [&] { cuda::queue_product(*state_, stream, g, W, x, y); });
}

template void CudaProducts::multiply<float>(std::uint64_t, std::uint64_t, std::uint64_t, const float*, const float*,
                                            float*, void*) const;
template void CudaProducts::multiply<double>(std::uint64_t, std::uint64_t, std::uint64_t, const double*, const double*,
                                             double*, void*) const;
template void CudaProducts::multiply<Bf16>(std::uint64_t, std::uint64_t, std::uint64_t, const Bf16*, const Bf16*, Bf16*,
                                           void*) const;
template void CudaProducts::multiply<Half>(std::uint64_t, std::uint64_t, std::uint64_t, const Half*, const Half*, Half*,
                                           void*) const;

namespace numeric_detail::cuda {

template <class T, class Out>
void queue_product(CudaProducts::State& products, void* stream, const Gemm& g, const T* a, const T* b, Out* c) {
  if (g.m == 0 || g.n == 0 || g.count == 0) return;
  using Scale = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const Scale one = 1, old = g.accumulate ? Scale{1} : Scale{0};
  const CublasCompute compute = compute_type<T>(products.options.tf32);
  const CublasOperation op_a = operation(g.transpose_a), op_b = operation(g.transpose_b);
  const int m = narrow(g.m), n = narrow(g.n), k = narrow(g.k);
  const int lda = narrow(g.a.ld), ldb = narrow(g.b.ld), ldc = narrow(g.c.ld);
  products.bind(stream);
  if (g.count == 1)
    return checked(products.library.gemm(products.handle, op_a, op_b, m, n, k, &one, a + g.a.offset, data_type<T>, lda,
                                         b + g.b.offset, data_type<T>, ldb, &old, c + g.c.offset, data_type<Out>, ldc,
                                         compute, cublas_gemm_default),
                   "a matrix product");
  checked(
      products.library.gemm_strided(products.handle, op_a, op_b, m, n, k, &one, a + g.a.offset, data_type<T>, lda,
                                    static_cast<long long>(g.a.stride), b + g.b.offset, data_type<T>, ldb,
                                    static_cast<long long>(g.b.stride), &old, c + g.c.offset, data_type<Out>, ldc,
                                    static_cast<long long>(g.c.stride), narrow(g.count), compute, cublas_gemm_default),
      "a row of matrix products");
}

template <class T>
ProductPointers product_pointers(int device, std::span<const Gemm> products, const T* a, const T* b, T* c) {
  std::vector<const T*> all_a, all_b;
  std::vector<T*> all_c;
  for (const Gemm& g : products)
    for (std::uint64_t p = 0; p < g.count; ++p) {
      all_a.push_back(a + g.a.offset + p * g.a.stride);
      all_b.push_back(b + g.b.offset + p * g.b.stride);
      all_c.push_back(c + g.c.offset + p * g.c.stride);
    }
  return {
      {products.begin(), products.end()}, uploaded(device, all_a), uploaded(device, all_b), uploaded(device, all_c)};
}

bool can_be_grouped(std::span<const Gemm> products, std::size_t bytes) {
  if (bytes >= 4) return true;
  for (const Gemm& g : products)
    for (const Operand* x : {&g.a, &g.b, &g.c})
      if (x->offset * bytes % 16 != 0 || x->ld * bytes % 16 != 0 || (g.count > 1 && x->stride * bytes % 16 != 0))
        return false;
  return true;
}

template <class T>
bool queue_grouped(CudaProducts::State& products, void* stream, const ProductPointers& pointers,
                   std::uint64_t columns) {
  using Scale = std::conditional_t<std::is_same_v<T, double>, double, float>;
  std::vector<CublasOperation> op_a, op_b;
  std::vector<int> m, n, k, lda, ldb, ldc, size;
  for (const Gemm& g : pointers.sizes) {
    op_a.push_back(operation(g.transpose_a));
    op_b.push_back(operation(g.transpose_b));
    m.push_back(narrow(g.m));
    n.push_back(narrow(columns));
    k.push_back(narrow(g.k));
    lda.push_back(narrow(g.a.ld));
    ldb.push_back(narrow(g.b.ld));
    ldc.push_back(narrow(g.c.ld));
    size.push_back(narrow(g.count));
  }
  const std::vector<Scale> ones(size.size(), Scale{1}), zeros(size.size(), Scale{0});
  products.bind(stream);
  const CublasStatus status = products.library.gemm_grouped(
      products.handle, op_a.data(), op_b.data(), m.data(), n.data(), k.data(), ones.data(),
      as<const void* const>(pointers.a), data_type<T>, lda.data(), as<const void* const>(pointers.b), data_type<T>,
      ldb.data(), zeros.data(), as<void* const>(pointers.c), data_type<T>, ldc.data(), narrow(size.size()), size.data(),
      compute_type<T>(products.options.tf32));
  if (status == cublas_not_supported || status == cublas_invalid_value || status == cublas_arch_mismatch) return false;
  checked(status, "a group of matrix products");
  return true;
}

#define INTERTWINE_FOR(T)                                                                              \
  template void queue_product<T, T>(CudaProducts::State&, void*, const Gemm&, const T*, const T*, T*); \
  template ProductPointers product_pointers<T>(int, std::span<const Gemm>, const T*, const T*, T*);    \
  template bool queue_grouped<T>(CudaProducts::State&, void*, const ProductPointers&, std::uint64_t);
INTERTWINE_FOR(float)
INTERTWINE_FOR(double)
INTERTWINE_FOR(Bf16)
INTERTWINE_FOR(Half)
#undef INTERTWINE_FOR
template void queue_product<Bf16, float>(CudaProducts::State&, void*, const Gemm&, const Bf16*, const Bf16*, float*);
template void queue_product<Half, float>(CudaProducts::State&, void*, const Gemm&, const Half*, const Half*, float*);

}  // namespace numeric_detail::cuda
}  // namespace intertwine
