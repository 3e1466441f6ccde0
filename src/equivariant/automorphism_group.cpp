#include "intertwine/equivariant/automorphism_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "intertwine/equivariant/closure.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

/// The labels as a table of codes, those of the diagonal after all others.
class LabelRows : public CodeRows {
 public:
  LabelRows(std::size_t n, std::span<const std::uint32_t> labels) : n_(n), labels_(labels) {
    for (std::size_t i = 0, most = 4 * n; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) (i == j ? loops_ : edges_).push_back(labels[i * n + j]);
      if (edges_.size() < most) continue;
      settle(edges_);  // mostly few labels, many times
      most = std::max(4 * n, 2 * edges_.size());
    }
    settle(edges_);
    settle(loops_);
  }
  std::uint64_t rows() const override { return n_; }
  std::uint64_t cols() const override { return n_; }
  std::uint64_t params() const { return edges_.size() + loops_.size(); }
  void row(std::uint64_t i, std::span<std::int32_t> out) const override {
    const auto code = [](const std::vector<std::uint32_t>& known, std::uint32_t label) {
      return 1 + static_cast<std::int32_t>(std::ranges::lower_bound(known, label) - known.begin());
    };
    for (std::size_t j = 0; j < n_; ++j)
      out[j] = j == i ? code(loops_, labels_[i * n_ + j]) + static_cast<std::int32_t>(edges_.size())
                      : code(edges_, labels_[i * n_ + j]);
  }

 private:
  static void settle(std::vector<std::uint32_t>& labels) {
    std::ranges::sort(labels);
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  }

  std::size_t n_;
  std::span<const std::uint32_t> labels_;
  std::vector<std::uint32_t> edges_, loops_;
};

}  // namespace

FiniteGroup automorphism_group(std::size_t n, std::span<const std::uint32_t> labels, const Task& task) {
  if (n == 0) throw DomainError("a graph without vertices has no group here: give at least one vertex");
  if (labels.size() != n * n)
    throw DomainError(
        fmt::format("{} labels are not those of {} vertices: give all n x n of them", labels.size(), n));
  const LabelRows rows(n, labels);
  ClosureOptions options;
  options.max_entries = std::numeric_limits<std::uint32_t>::max();
  task.require_memory(8 * n * n, "the search for the automorphisms");
  const auto pairs = table_closure(rows, rows.params(), options, task);
  task.poll();
  if (!pairs)
    throw LimitError(fmt::format(
        "the automorphisms of {} vertices were not found within {} nodes of the search and the limits of "
        "this run; allow more time or memory, or tell vertices apart by colours",
        n, options.max_nodes));
  std::vector<Permutation> generators;
  for (const Permutation& pair : pairs->group.generators()) {
    std::vector<Point> images(n);
    for (std::size_t i = 0; i < n; ++i) images[i] = pair(static_cast<Point>(i));
    generators.emplace_back(std::move(images));
  }
  return FiniteGroup::with_known_order(n, std::move(generators), "automorphisms", pairs->order);
}

}  // namespace intertwine
