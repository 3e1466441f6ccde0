// The plan of the layers of a table of diagrams.
#include "numeric/diagram_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"

namespace intertwine::numeric_detail {

using Form = SideBlock::Form;

SplitDiagram split(const DiagramTable& table, std::span<const DiagramAxis> axes, std::span<const std::int32_t> word) {
  SplitDiagram out;
  const auto above = static_cast<std::size_t>(
      std::count_if(axes.begin(), axes.end(), [](const DiagramAxis& axis) { return axis.output; }));
  using Label = std::pair<std::size_t, std::int32_t>;
  const auto side_of = [&](std::size_t first, std::size_t last, std::vector<Label>& labels) {
    Blocks blocks;
    for (std::size_t a = first; a < last; ++a) {
      const Label label{axes[a].letter, word[a]};
      const auto found = static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
      if (found == labels.size()) {
        labels.push_back(label);
        blocks.push_back({{}, label.first, label.second < 0 ? Form::determinant : Form::agree});
      }
      blocks[found].axes.push_back(a - first);
    }
    for (SideBlock& block : blocks)
      if (table.groups[block.letter].series == DiagramGroup::Series::Sp && block.axes.size() == 2)
        block.form = Form::symplectic;
    return blocks;
  };
  std::vector<Label> to, of;
  out.target.blocks = side_of(0, above, to);
  out.source.blocks = side_of(above, axes.size(), of);
  for (std::size_t s = 0; s < of.size(); ++s) {
    if (std::find(to.begin(), to.end(), of[s]) != to.end())
      out.source.kept.push_back(s);
    else if (of[s].second >= 0)
      out.summed.push_back(of[s].first);
  }
  for (std::size_t t = 0; t < to.size(); ++t) {
    const auto found = std::find(of.begin(), of.end(), to[t]);
    if (found == of.end()) continue;
    out.target.kept.push_back(t);
    const auto s = static_cast<std::size_t>(found - of.begin());
    out.from.push_back(static_cast<std::size_t>(std::find(out.source.kept.begin(), out.source.kept.end(), s) -
                                                out.source.kept.begin()));
  }
  return out;
}

DiagramPlan::DiagramPlan(DiagramTable of) : table(std::move(of)) {
  require_consistent(table);
  for (const DiagramGroup& group : table.groups)
    if (group.series == DiagramGroup::Series::U || group.series == DiagramGroup::Series::SU)
      throw DomainError(
          fmt::format("layers of {} have complex parameters, and these are real: take {}(n), which has the "
                      "same diagrams",
                      to_string(group), group.has_determinant() ? "SL" : "GL"));
  axes = table.axes();
  for (std::uint64_t p = 0; p < table.params; ++p) diagrams.push_back(split(table, axes, table.diagram(p)));
  const auto outputs = static_cast<std::size_t>(
      std::count_if(axes.begin(), axes.end(), [](const DiagramAxis& axis) { return axis.output; }));
  for (std::uint64_t q = 0; q < table.bias_params; ++q)
    bias.push_back(split(table, std::span<const DiagramAxis>(axes).first(outputs), table.bias_diagram(q)));
}

SizedDiagrams::SizedDiagrams(std::shared_ptr<const DiagramPlan> of, std::vector<std::uint64_t> lengths)
    : plan(std::move(of)), sizes(std::move(lengths)) {
  require_sizes(plan->table, sizes);
  outputs.output = true;
  for (const DiagramAxis& axis : plan->axes) (axis.output ? outputs : inputs).length.push_back(sizes[axis.letter]);
  for (const auto& [side, channels] :
       {std::pair(&inputs, plan->table.channels.in), {&outputs, plan->table.channels.out}}) {
    std::uint64_t entries = channels;
    for (const std::uint64_t n : side->length) entries = checked_product({entries, n}, "the layer of diagrams");
  }
}

double SizedDiagrams::factor(const SplitDiagram& diagram) const {
  double value = 1;
  if (plan->table.mean)
    for (const std::size_t letter : diagram.summed)
      if (sizes[letter] != 0) value /= static_cast<double>(sizes[letter]);
  return value;
}

}  // namespace intertwine::numeric_detail
