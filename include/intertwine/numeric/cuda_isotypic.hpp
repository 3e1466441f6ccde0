// Matrix products of cuBLAS, and the isotypic form of layers on NVIDIA GPUs (isotypic.hpp says what that is).
//
// cuBLAS is looked for at run time (INTERTWINE_CUBLAS names another library than the loader finds); a build needs none of it.
// Streams, threads and graphs as in cuda.hpp.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "intertwine/numeric/cuda.hpp"
#include "intertwine/numeric/isotypic.hpp"

namespace intertwine {

struct CudaProductOptions {
  bool tf32 = false;    ///< products of float in TF32: ten bits of each factor
  bool grouped = true;  ///< products of several sizes in one call where the library can (12.5 and later)
};

/// cuBLAS on a device, with working memory of its own. Cheap to copy: copies share it, so that layers need it once. Products of
/// Bf16 and Half are summed in float, those of float in float (no TF32 unless asked for), those of double in double.
class CudaProducts {
 public:
  /// \throws DomainError if there is no such device, or no cuBLAS (it says what to do); LimitError if memory is short.
  explicit CudaProducts(int device = 0, CudaProductOptions options = {});
  /// Was cuBLAS found?
  static bool available();
  int device() const;
  CudaProductOptions options() const;
  /// The library that was loaded and its version, "libcublas.so.13 13.0.2".
  std::string library() const;
  /// Are products of several sizes done in one call? If not, each size has its own. (In a graph they always have.)
  bool grouped() const;

  /// y [batch, rows] = x [batch, cols] W^T, W [rows, cols], all row-major. T is float, double, Bf16 or Half.
  /// \throws DomainError for sizes beyond 2^31 - 1
  template <class T>
  void multiply(std::uint64_t batch, std::uint64_t rows, std::uint64_t cols, const T* W, const T* x, T* y,
                void* stream = nullptr) const;

  struct State;
  State& state() const { return *state_; }

 private:
  std::shared_ptr<State> state_;
};

/// The layer of IsotypicLinear on a device, without a bias; its parameters are those of the blocks, theta' [P', out, in], in T.
/// T is float, double, Bf16 or Half: what x, y and the changes of basis are stored in, between the products too. Equivariant
/// to rounding of T. Not copyable.
template <class T>
class CudaIsotypic {
 public:
  /// \param most_batch  rows that are worked on at once: working memory for these; larger batches go in pieces
  /// \throws DomainError for no channels or an empty batch, or for sizes beyond 2^31 - 1; LimitError if memory is short.
  CudaIsotypic(const IsotypicDecomposition& decomposition, Multiplicity channels, std::uint64_t most_batch,
               CudaProducts products);
  ~CudaIsotypic();
  CudaIsotypic(CudaIsotypic&&) noexcept;
  CudaIsotypic& operator=(CudaIsotypic&&) noexcept;

  std::uint64_t inputs() const;   ///< in N
  std::uint64_t outputs() const;  ///< out M
  std::uint64_t params() const;   ///< P' out in

  /// theta' on the device, which may change once this is done.
  void set_parameters(const T* theta, void* stream = nullptr) const;
  /// y [batch, out, M] of x [batch, in, N]
  void forward(std::uint64_t batch, const T* x, T* y, void* stream = nullptr) const;
  /// Gradients for dy; dx and dtheta may each be nullptr, x too if dtheta is.
  void backward(std::uint64_t batch, const T* x, const T* dy, T* dx, SumOf<T>* dtheta, void* stream = nullptr) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace intertwine
