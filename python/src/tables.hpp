// The table as Python holds it: shared by copies, its codes made at most once.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "intertwine/io/verify_table.hpp"
#include "intertwine/tables/block_table.hpp"
#include "records.hpp"

namespace nanobind {
class module_;
}

namespace intertwine::python {

void bind_diagrams(
    nanobind::module_& m);  // diagrams.cpp: DiagramTable, DiagramProof, diagrams, load_diagrams

void bind_block_tables(nanobind::module_& m);  // block_tables.cpp: BlockTable, BlockProof, load_blocks

class Table {
 public:
  explicit Table(WeightTable table) : state_(std::make_shared<State>()) { state_->table = std::move(table); }
  /// The codes of the weights may change from rows on demand to rows in memory, and nothing else.
  const WeightTable& table() const { return state_->table; }
  /// The codes of weights and bias in memory, made when they are asked for first. \throws DomainError unless tied
  const Codes& weight_codes(const Task& task) const { return in_memory(state_->table.weights, task); }
  const Codes& bias_codes(const Task& task) const { return in_memory(state_->table.bias, task); }
  const std::string& sha256(const Task& task) const;
  /// A copy of the value whose codes are those that are there now; for work beside other threads.
  WeightTable snapshot() const;
  friend bool operator==(const Table& a, const Table& b);

 private:
  struct State {
    WeightTable table;
    std::string sha256;
    std::mutex mutex;
  };
  const Codes& in_memory(WeightPattern& pattern, const Task& task) const;
  std::shared_ptr<State> state_;
};

/// A table of blocks, made of such tables.
class Blocks {
 public:
  explicit Blocks(const BlockTable& table);
  explicit Blocks(std::vector<std::vector<Table>> tables) : tables_(std::move(tables)) {}
  const std::vector<std::vector<Table>>& tables() const { return tables_; }
  BlockTable snapshot() const;
  std::string sha256(const Task& task) const;

 private:
  std::vector<std::vector<Table>> tables_;
};

template <>
inline constexpr auto members<TableProof> = std::tuple(
    &TableProof::group, &TableProof::order, &TableProof::rep_in, &TableProof::rep_out, &TableProof::rows,
    &TableProof::cols, &TableProof::params, &TableProof::bias_params, &TableProof::multiplicity_in,
    &TableProof::multiplicity_out, &TableProof::dimension, &TableProof::bias_dimension, &TableProof::route,
    &TableProof::sha256, &TableProof::images, &TableProof::claims);

}  // namespace intertwine::python
