// The layers of a table of diagrams, at every size and at one: the processor and devices begin here.
#pragma once
#include <memory>

#include "numeric/diagram_products.hpp"

namespace intertwine::numeric_detail {

/// A diagram as two sides; the t-th kept block of the target is the from[t]-th of the source.
struct SplitDiagram {
  DiagramSide target, source;
  std::vector<std::size_t> from;
  std::vector<std::size_t> summed;  ///< the letters of the blocks that are summed over, with repetitions
};

/// axes: of the table, or of its output only, for words of a bias.
SplitDiagram split(const DiagramTable& table, std::span<const DiagramAxis> axes, std::span<const std::int32_t> word);

/// The diagrams at every size.
struct DiagramPlan {
  DiagramTable table;
  std::vector<DiagramAxis> axes;
  std::vector<SplitDiagram> diagrams, bias;
  /// \throws DomainError as DiagramLayer
  explicit DiagramPlan(DiagramTable of);
};

/// And at one size.
struct SizedDiagrams {
  std::shared_ptr<const DiagramPlan> plan;
  std::vector<std::uint64_t> sizes;
  SideAxes inputs, outputs;
  /// \throws as DiagramLayer
  SizedDiagrams(std::shared_ptr<const DiagramPlan> of, std::vector<std::uint64_t> lengths);
  Multiplicity channels() const { return plan->table.channels; }
  /// The factor of the parameter of a diagram: sums are means.
  double factor(const SplitDiagram& diagram) const;
};

}  // namespace intertwine::numeric_detail
