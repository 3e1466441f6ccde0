// Specht modules of the symmetric groups, restricted to permutation groups.
#include <fmt/format.h>

#include <limits>
#include <map>
#include <mutex>

#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "node.hpp"
#include "specht_action.hpp"

namespace intertwine {

namespace {

/// The limit of memory alone: a value outlives the work that it was made in, its time and its host.
Task lasting(const Task& task) {
  return {task.memory() == std::numeric_limits<std::uint64_t>::max() ? 0 : task.memory(), 0, {}};
}

/// The matrices of the adjacent transpositions are built when they are first needed: characters do without.
class Specht final : public RepresentationNode {
 public:
  Specht(const FiniteGroup& G, const Partition& shape, std::uint64_t dimension, const Task& task)
      : RepresentationNode(G, dimension), shape_(shape), task_(lasting(task)) {}

  bool is_permutation() const override { return false; }
  bool is_monomial() const override { return false; }
  Cyclotomic character(const Permutation& g) const override {
    const std::vector<Point> cycles = g.cycle_type();
    const Partition type(std::vector<int>(cycles.begin(), cycles.end()));
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = characters_.find(type); known != characters_.end()) return known->second;
    }
    const Integer value = symmetric_group_character(shape_, type, task_);
    constexpr std::size_t most_remembered = 100'000;
    const std::lock_guard lock(mutex_);
    if (characters_.size() < most_remembered) characters_.emplace(type, value);
    return value;
  }
  void build(const Task& task) const {
    const std::lock_guard lock(building_);
    if (!action_) action_ = std::make_unique<const SpechtAction>(shape_, task);
  }
  void write_image(const Permutation&, std::span<SignedPoint>) const override { refuse_image(*this); }
  std::string text(TextForm) const override { return fmt::format("specht({})", fmt::join(shape_.parts(), ",")); }
  std::string label(std::uint64_t i) const override {
    const Tableau T = unrank_standard(shape_, Integer(i));
    std::string text;
    for (const auto& row : T.rows()) {
      text += text.empty() ? "{" : "|";
      for (std::size_t j = 0; j < row.size(); ++j) text += (j == 0 ? "" : ",") + std::to_string(row[j] + 1);
    }
    return text + "}";
  }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return action().apply(g, X.coefficients(), transposed);
  }
  const SpechtAction& action() const {
    build(task_);
    return *action_;
  }

  Partition shape_;
  Task task_;
  mutable std::mutex mutex_, building_;
  mutable std::map<Partition, Integer> characters_;
  mutable std::unique_ptr<const SpechtAction> action_;
};

}  // namespace

void build_specht_matrices(const Representation& V, const Task& task) {
  if (const auto* specht = dynamic_cast<const Specht*>(&V.node())) specht->build(task);
}

RationalMatrix unit_vector(std::size_t d, std::size_t k) {
  IntegerMatrix e(d, 1);
  e.set(k, 0, 1L);
  return RationalMatrix(std::move(e));
}

void require_seeds(const Integer& degrees, const FiniteGroup& G, const Task& task) {
  constexpr unsigned bytes_of_entry = 16;  // a number, and where its row is
  const Integer bytes = degrees * bytes_of_entry, most = std::numeric_limits<std::uint64_t>::max();
  task.require_memory((bytes < most ? bytes : most).convert_to<std::uint64_t>(),
                      "the seeds of the irreducible representations of " + G.name());
}

Representation specht_module(const FiniteGroup& G, const Partition& shape, const Task& task) {
  if (static_cast<std::size_t>(shape.weight()) != G.degree())
    throw DomainError(fmt::format("specht: {} is a partition of {}, but {} permutes {} points", to_string(shape),
                                  shape.weight(), G.name(), G.degree()));
  if (shape.length() <= 1) return trivial_representation(G);
  if (shape[0] == 1) return sign_representation(G);
  const std::uint64_t dimension = checked_dimension(number_of_standard_tableaux(shape), "specht");
  return Representation(std::make_shared<Specht>(G, shape, dimension, task));
}

}  // namespace intertwine
