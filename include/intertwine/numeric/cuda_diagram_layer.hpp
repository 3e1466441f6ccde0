// The layers of tables of diagrams (diagram_layer.hpp) on NVIDIA GPUs: the same names and shapes, arrays on the device.
// Streams, threads and graphs as in cuda.hpp.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "intertwine/numeric/cuda_layer.hpp"
#include "intertwine/numeric/diagram_layer.hpp"

namespace intertwine {

/// T is float or double. Sums along axes are made in double and rounded once; channels are mixed by products of cuBLAS, summed in T. Working memory, some
/// copies of input and output for the largest batch so far, is taken when it is first needed (before a graph is captured: CudaGraph does the work once; after a larger batch, graphs are
/// captured anew). Not copyable; parameters belong to the layer and are set anew after each step.
template <class T>
class CudaDiagramLayer {
 public:
  using Number = T;
  using Options = CudaLayerOptions;
  using Input = const T*;
  using Output = T*;
  using Gradient = T*;

  /// Parameters are zero until they are set. \throws DomainError as DiagramLayer, and for a size of 0; LimitError for more than 14 axes on a side, or if
  /// memory is short.
  CudaDiagramLayer(DiagramTable table, std::vector<std::uint64_t> sizes, CudaProducts products);
  ~CudaDiagramLayer();
  CudaDiagramLayer(CudaDiagramLayer&&) noexcept;
  CudaDiagramLayer& operator=(CudaDiagramLayer&&) noexcept;

  /// theta [P, out, in] and bias [Q, out] (nullptr: zero) on the device; they are copied.
  void set_parameters(const T* theta, const T* bias, void* stream = nullptr);

  Multiplicity channels() const;
  std::uint64_t inputs() const;   ///< in times the entries of one input
  std::uint64_t outputs() const;  ///< out times those of an output
  std::vector<LayerForm> forms() const { return {LayerForm::diagram}; }
  /// \throws DomainError if another form is forced
  LayerForm pick(std::uint64_t batch, const CudaLayerOptions& options = {}) const;
  /// From the operations of the mixing, the bytes that are moved and the launches. \throws DomainError for another form
  double expected_seconds(LayerForm form, std::uint64_t batch, const CudaLayerOptions& options = {}) const;

  /// \throws DomainError if another form is forced; LimitError if memory is short
  LayerForm forward(std::uint64_t batch, const T* x, T* y, const CudaLayerOptions& options = {},
                    void* stream = nullptr) const;
  /// Gradients for dy, of which each may be nullptr. \throws as forward
  LayerForm backward(std::uint64_t batch, const T* x, const T* dy, T* dx, T* dtheta, T* dbias,
                     const CudaLayerOptions& options = {}, void* stream = nullptr) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

static_assert(EquivariantLayer<CudaDiagramLayer<float>>);

}  // namespace intertwine
