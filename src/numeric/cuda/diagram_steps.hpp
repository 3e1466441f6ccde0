// The layers of diagrams as steps on arrays: sums along axes, places, and matrix products. One list for the device and for the emulation.
#pragma once
#include <vector>

#include "numeric/cuda/bodies.hpp"
#include "numeric/cuda/products.hpp"
#include "numeric/diagram_plan.hpp"

namespace intertwine::numeric_detail::cuda {

/// Arrays of the caller and of the layer; those that a list works on besides follow. theta [P, out, in] has its factors already in products.
enum DiagramArray : unsigned {
  diagram_x,
  diagram_y,
  diagram_dx,
  diagram_dy,
  diagram_given,  ///< theta as it is set
  diagram_theta,  ///< times the factors
  diagram_bias,
  diagram_dtheta,
  diagram_dbias,
  diagram_scratch
};

struct DiagramStep {
  enum class Kind : u8 { clear, sum, gather, scatter, product } kind = Kind::clear;
  unsigned from = 0, to = 0;
  u64 from_offset = 0, to_offset = 0;
  AxisSum sum{};
  PlaceMap map{};
  unsigned table = 0;  ///< the table of places
  Gemm product;        ///< names its arrays itself
};

struct DiagramSteps {
  std::vector<u64> numbers;              ///< the numbers of every array
  std::vector<std::vector<u64>> tables;  ///< the tables of places
  std::vector<DiagramStep> steps;
};

/// \throws DomainError for a size of 0: products of devices have something to sum over.
void require_points(const SizedDiagrams& layer);
/// diagram_theta from diagram_given.
DiagramSteps diagram_parameters(const SizedDiagrams& layer);
DiagramSteps diagram_forward(const SizedDiagrams& layer, u64 batch);
DiagramSteps diagram_backward(const SizedDiagrams& layer, u64 batch, bool to_x, bool to_theta, bool to_bias);

/// `d` has clear(step), sum(step), gather(step), scatter(step), product(gemm).
template <class Do>
void run_steps(const DiagramSteps& list, const Do& d) {
  for (const DiagramStep& step : list.steps) switch (step.kind) {
      case DiagramStep::Kind::clear:
        d.clear(step);
        break;
      case DiagramStep::Kind::sum:
        d.sum(step);
        break;
      case DiagramStep::Kind::gather:
        d.gather(step);
        break;
      case DiagramStep::Kind::scatter:
        d.scatter(step);
        break;
      case DiagramStep::Kind::product:
        d.product(step.product);
        break;
    }
}

}  // namespace intertwine::numeric_detail::cuda
