// The equivariant linear layer of layer.hpp on NVIDIA GPUs: the same names and shapes, arrays on the device.
//
// Forms: dense (W materialised, products of cuBLAS; gradients of W are summed in the type of sums, then reduced), lookup
// (forward, tables of at most 127 parameters, unless its partial sums would take a gigabyte), isotypic (once a decomposition
// was given). They differ in rounding, each gives the same bits in every run; isotypic is equivariant to rounding only and
// never chosen by LayerMode::automatic.
// Streams, threads and graphs as in cuda.hpp.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "intertwine/numeric/block_layer.hpp"
#include "intertwine/numeric/cuda_isotypic.hpp"

namespace intertwine {

/// How fast a device is at what layers are made of; a second.
struct CudaRates {
  double bytes = 0;           ///< read and written by a large copy
  double flops = 0;           ///< the operations a second of a large matrix product of the type
  double looked_up = 0;       ///< weights of a look-up product with one row of x
  double looked_up_rows = 0;  ///< weights times rows with eight rows
  double launch = 0;          ///< seconds from one small kernel to the next
};

/// Measured once a process for each device and T (float, double, Bf16, Half), in about a tenth of a second; the device should do
/// nothing else meanwhile. Not while a stream is captured.
template <class T>
const CudaRates& cuda_rates(const CudaProducts& products);

/// The sizes of a layer that the cost model needs.
struct CudaLayerSize {
  std::uint64_t rows = 0, cols = 0, params = 0;
  Multiplicity channels;
  std::uint64_t number_bytes = 4, code_bytes = 1;
};
/// Seconds of a forward product (and, spread over `uses`, of what theta changing costs) by rates alone, for the forms dense and
/// lookup. \throws DomainError for others
double cuda_expected_seconds(LayerForm form, const CudaLayerSize& size, std::uint64_t batch, double uses,
                             const CudaRates& rates);
/// Seconds of a forward product in the isotypic form of a decomposition.
double cuda_expected_seconds(const IsotypicDecomposition& decomposition, Multiplicity channels,
                             std::uint64_t number_bytes, std::uint64_t batch, const CudaRates& rates);

struct CudaLayerOptions {
  LayerMode mode = LayerMode::automatic;
  double uses = 1;  ///< how many products are expected before theta changes
};

/// T is float, double, Bf16 or Half. Not copyable; parameters belong to the layer and are set anew after each step.
template <class T>
class CudaLayer {
 public:
  using Number = T;
  using Options = CudaLayerOptions;
  using Input = const T*;
  using Output = T*;
  using Gradient = SumOf<T>*;

  /// The layer of a table of tied entries, with the isotypic form if the table has one. Parameters are zero until they are set.
  /// \throws DomainError as BlockLayer, or if the entries are not tied or there is no such device; LimitError if memory is short.
  CudaLayer(const WeightBlock& table, CudaProducts products);
  /// The layer of existing patterns. `bias` has one column and as many rows as `weights`. \throws DomainError if it has
  /// not
  CudaLayer(PreparedPattern weights, PreparedPattern bias, Multiplicity channels, CudaProducts products);
  ~CudaLayer();
  CudaLayer(CudaLayer&&) noexcept;
  CudaLayer& operator=(CudaLayer&&) noexcept;

  /// Adds the form isotypic. \throws as CudaIsotypic, or DomainError if the map is not of these weights.
  void add_decomposition(const IsotypicMap& map, std::uint64_t most_batch = 1024);

  /// theta [P, out, in] and bias [Q, out] (nullptr: zero) on the device; they are copied. In a graph: the arrays are read anew in
  /// every launch.
  void set_parameters(const T* theta, const T* bias, void* stream = nullptr);

  Multiplicity channels() const;
  std::uint64_t inputs() const;   ///< in N
  std::uint64_t outputs() const;  ///< out M
  /// The forms that this layer has, in the order of LayerForm.
  std::vector<LayerForm> forms() const;
  /// The form that options give, and what the model expects of one. Both measure the rates the first time.
  LayerForm pick(std::uint64_t batch, const CudaLayerOptions& options = {}) const;
  /// \throws DomainError if the layer has not got the form
  double expected_seconds(LayerForm form, std::uint64_t batch, const CudaLayerOptions& options = {}) const;

  /// y = W x + b, x [batch, in, N], y [batch, out, M]; returns the form that was queued.
  /// \throws DomainError if the layer has not got the form that is forced
  LayerForm forward(std::uint64_t batch, const T* x, T* y, const CudaLayerOptions& options = {},
                    void* stream = nullptr) const;
  /// Gradients for dy, of which each may be nullptr: dx, dtheta [P, out, in], dbias [Q, out]. lookup has no gradients of its own:
  /// they are computed in the form dense, which is what is then returned.
  LayerForm backward(std::uint64_t batch, const T* x, const T* dy, T* dx, SumOf<T>* dtheta, SumOf<T>* dbias,
                     const CudaLayerOptions& options = {}, void* stream = nullptr) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

static_assert(EquivariantLayer<CudaLayer<float>>);

}  // namespace intertwine
