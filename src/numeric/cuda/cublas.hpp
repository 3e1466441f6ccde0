// cuBLAS, found at run time: the few entry points that are used, declared here because neither its headers nor its library need
// be there when this is built. Names, arguments and values are those of cublas_api.h, unchanged from version 11 to 13.
#pragma once
#include <cstddef>
#include <string>

namespace intertwine::numeric_detail::cuda {

enum CublasStatus : int {
  cublas_success = 0,
  cublas_invalid_value = 7,
  cublas_arch_mismatch = 8,
  cublas_not_supported = 15
};
enum CublasOperation : int { cublas_op_n = 0, cublas_op_t = 1 };
enum CublasCompute : int { cublas_compute_32f = 68, cublas_compute_64f = 70, cublas_compute_32f_fast_tf32 = 77 };
enum CublasMath : int { cublas_default_math = 0, cublas_disallow_reduced_precision_reduction = 16 };
enum CudaDataType : int { cuda_r_32f = 0, cuda_r_64f = 1, cuda_r_16f = 2, cuda_r_16bf = 14 };
inline constexpr int cublas_gemm_default = -1;

struct Cublas {
  std::string path;
  CublasStatus (*create)(void** handle) = nullptr;
  CublasStatus (*destroy)(void* handle) = nullptr;
  CublasStatus (*version)(void* handle, int* version) = nullptr;
  CublasStatus (*set_stream)(void* handle, void* stream) = nullptr;
  CublasStatus (*set_math_mode)(void* handle, int mode) = nullptr;
  CublasStatus (*set_workspace)(void* handle, void* memory, std::size_t bytes) = nullptr;
  CublasStatus (*gemm)(void* handle, CublasOperation transpose_a, CublasOperation transpose_b, int m, int n, int k,
                       const void* alpha, const void* A, CudaDataType a_type, int lda, const void* B,
                       CudaDataType b_type, int ldb, const void* beta, void* C, CudaDataType c_type, int ldc,
                       CublasCompute compute, int algorithm) = nullptr;
  CublasStatus (*gemm_strided)(void* handle, CublasOperation transpose_a, CublasOperation transpose_b, int m, int n,
                               int k, const void* alpha, const void* A, CudaDataType a_type, int lda,
                               long long a_stride, const void* B, CudaDataType b_type, int ldb, long long b_stride,
                               const void* beta, void* C, CudaDataType c_type, int ldc, long long c_stride, int count,
                               CublasCompute compute, int algorithm) = nullptr;
  /// From version 12.5 on, else nullptr. The arrays of pointers are on the device, all others on the host.
  CublasStatus (*gemm_grouped)(void* handle, const CublasOperation transpose_a[], const CublasOperation transpose_b[],
                               const int m[], const int n[], const int k[], const void* alpha, const void* const A[],
                               CudaDataType a_type, const int lda[], const void* const B[], CudaDataType b_type,
                               const int ldb[], const void* beta, void* const C[], CudaDataType c_type, const int ldc[],
                               int groups, const int size[], CublasCompute compute) = nullptr;
};

/// The library that INTERTWINE_CUBLAS names, else libcublas.so.13, .12, .so where the loader looks, else that of
/// /usr/local/cuda. nullptr, and why, if there is none; looked for once a process.
const Cublas* find_cublas(std::string* why = nullptr);
/// \throws DomainError saying what to do if there is none
const Cublas& cublas();
/// "invalid value" and the like.
std::string to_string(CublasStatus status);

}  // namespace intertwine::numeric_detail::cuda
