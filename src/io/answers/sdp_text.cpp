// Writes reductions of semidefinite programs, and solutions lifted from them.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "intertwine/io/records.hpp"
#include "intertwine/sdp/solution.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"
#include "io/answers/record_parts.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace sdp {

namespace {

std::string text_of(const Reduction& reduction) {
  const ReducedProblem& problem = reduction.problem();
  std::string text = fmt::format(
      "a group of order {} fixes the problem: {} variables become {}, {} constraints are left\n",
      to_string(reduction.group_order()), reduction.variables_before(), reduction.variables_after(), problem.A.size());
  Cells rows{{"block", "size", "type", "multiplicity", "irrep"}};
  for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
    const ReducedBlock& block = problem.blocks[k];
    rows.push_back({std::to_string(k + 1), std::to_string(block.size), block.type, std::to_string(block.multiplicity),
                    block.name});
  }
  text += aligned(rows);
  for (const FaceStep& step : reduction.faces()) {
    std::uint64_t before = 0, after = 0;
    for (const FaceStep::Rows& block : step.blocks) before += block.before, after += block.after;
    text += fmt::format("constraint {} (from 1) is semidefinite: {} rows of blocks become {}\n", step.constraint + 1,
                        before, after);
  }
  return text;
}

void write_fields(JsonWriter& json, const Reduction& reduction) {
  const ReducedProblem& problem = reduction.problem();
  write_member(json, "group_order", to_string(reduction.group_order()));
  json.key("blocks");
  write_list(json, problem.blocks, [](const ReducedBlock& block) {
    return OrderedJson{
        {"size", block.size}, {"type", block.type}, {"multiplicity", block.multiplicity}, {"name", block.name}};
  });
  write_member(json, "variables_before", reduction.variables_before());
  write_member(json, "variables_after", reduction.variables_after());
  write_member(json, "constraints", problem.A.size());
  json.key("faces");
  write_list(json, reduction.faces(), [](const FaceStep& step) {
    OrderedJson blocks = OrderedJson::array();
    for (const FaceStep::Rows& block : step.blocks)
      blocks.push_back({{"name", block.name}, {"before", block.before}, {"after", block.after}});
    return OrderedJson{{"constraint", step.constraint}, {"sign", step.sign}, {"blocks", blocks}};
  });
}

AnswerArrays arrays_of(const Reduction& reduction, const Task& task) {
  const ReducedProblem& problem = reduction.problem();
  using Whole = std::vector<std::int64_t>;
  Whole sizes, kept, matrix, block, row, col;
  std::vector<double> b, value;
  for (const ReducedBlock& of : problem.blocks) sizes.push_back(static_cast<std::int64_t>(of.size));
  for (const std::size_t k : reduction.kept()) kept.push_back(static_cast<std::int64_t>(k));
  for (const Rational& x : problem.b) b.push_back(x.convert_to<double>());
  const auto add = [&](std::int64_t number, const std::vector<NumericEntry>& entries) {
    task.poll();
    for (const NumericEntry& e : entries) {
      matrix.push_back(number);
      block.push_back(e.block);
      row.push_back(e.row);
      col.push_back(e.col);
      value.push_back(e.value);
    }
  };
  add(0, problem.C);
  for (std::size_t k = 0; k < problem.A.size(); ++k) add(static_cast<std::int64_t>(k + 1), problem.A[k]);
  AnswerArrays answer;
  const auto put = [&](const char* name, auto values) {
    const std::uint64_t count = values.size();
    answer.arrays.push_back({name, {count}, std::move(values)});
  };
  put("sizes", std::move(sizes));
  put("b", std::move(b));
  put("matrix", std::move(matrix));
  put("block", std::move(block));
  put("row", std::move(row));
  put("col", std::move(col));
  put("value", std::move(value));
  put("kept", std::move(kept));
  answer.metadata["convention"] =
      "minimize <C, Z> subject to <A_k, Z> = b_k, Z positive semidefinite; matrix 0 is C, matrix k is A_k";
  answer.several = "and a reduced problem has eight";
  return answer;
}

std::string text_of(const Solution& solution) {
  std::uint64_t rows = 0;
  for (const Block& block : solution.blocks) rows += block.size;
  std::string text =
      fmt::format("a solution of the problem before, with {} rows: the objective is {:.9g}\n", rows, solution.value);
  if (solution.worst && solution.violation >= 1e-12)
    text += fmt::format("constraint {} (from 1) is off most, by {:.2g}\n", *solution.worst + 1, solution.violation);
  else
    text += "no constraint is off by 1e-12 or more\n";
  return text;
}

void write_fields(JsonWriter& json, const NamedSolution& answer) {
  const auto& [model, solution] = answer;
  write_member(json, "value", solution.value);
  write_member(json, "violation", solution.violation);
  json.key("variables").open_list();
  for (std::size_t k = 0; k < model.variables.size(); ++k)
    if (!model.variables[k].is_matrix)
      json.value(json_text(OrderedJson{{"name", model.variables[k].name}, {"value", solution.variables[k]}}));
  json.close();
  json.key("solution").open_list();
  for (std::size_t k = 0; k < solution.blocks.size(); ++k) {
    const std::vector<double>& X = solution.X[k];
    if (solution.blocks[k].diagonal) {
      json.value(json_text(OrderedJson(X)));
      continue;
    }
    const auto n = static_cast<std::ptrdiff_t>(solution.blocks[k].size);
    json.open_list();
    for (std::ptrdiff_t i = 0; i < n; ++i)
      json.value(json_text(OrderedJson(std::vector<double>(X.begin() + i * n, X.begin() + (i + 1) * n))));
    json.close();
  }
  json.close();
}

AnswerArrays arrays_of(const Solution& solution, const Task& task) {
  AnswerArrays answer;
  for (std::size_t k = 0; k < solution.blocks.size(); ++k) {
    task.poll();
    const std::uint64_t n = solution.blocks[k].size;
    std::vector<std::uint64_t> shape{n};
    if (!solution.blocks[k].diagonal) shape.push_back(n);
    answer.arrays.push_back({fmt::format("block.{}", k + 1), std::move(shape), solution.X[k]});
  }
  answer.arrays.push_back({"value", {1}, std::vector<double>{solution.value}});
  answer.arrays.push_back({"violation", {1}, std::vector<double>{solution.violation}});
  answer.metadata["convention"] = "X of the problem before: block.k is its block k, of a diagonal one the diagonal";
  answer.several = "and a solution has one for each block";
  return answer;
}

}  // namespace

}  // namespace sdp

Record record(Kept<sdp::Reduction> reduction) {
  return {.fields = piecewise([=](JsonWriter& json) { sdp::write_fields(json, *reduction); }),
          .text = [=](unsigned, const Task&) { return sdp::text_of(*reduction); },
          .arrays = [=](const Task& task) { return sdp::arrays_of(*reduction, task); }};
}

Record record(Kept<sdp::NamedSolution> answer) {
  return {.fields = piecewise([=](JsonWriter& json) { sdp::write_fields(json, *answer); }),
          .text = [=](unsigned, const Task&) { return sdp::text_of(answer->solution); },
          .arrays = [=](const Task& task) { return sdp::arrays_of(answer->solution, task); }};
}

}  // namespace intertwine
