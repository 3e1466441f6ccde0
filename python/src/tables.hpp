// The table as Python holds it: shared by copies, its codes made at most once.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "intertwine/io/verify_table.hpp"
#include "intertwine/tables/weight_table.hpp"
#include "records.hpp"

namespace nanobind {
class module_;
template <class T, class... Extra>
class class_;
}  // namespace nanobind

namespace intertwine::python {

class Table;

void bind_diagrams(nanobind::module_& m);  // diagrams.cpp: DiagramTable, DiagramProof, diagrams, load_diagrams
void bind_table_pickle(nanobind::class_<Table>& c);  // table_pickle.cpp: what pickle and copy take
void bind_table_proofs(nanobind::module_& m,
                       nanobind::class_<Table>& c);  // table_proofs.cpp: BlockProof, TableProof, Table.verify

/// A table of one block, or of several, which are such tables of one block.
class Table {
 public:
  explicit Table(WeightBlock block) : state_(std::make_shared<State>()) { state_->block = std::move(block); }
  explicit Table(WeightTable table);
  /// \throws DomainError as require_fitting
  explicit Table(std::vector<std::vector<Table>> blocks);

  bool is_single() const { return state_->blocks.empty(); }
  /// The only block, whose codes may change from rows on demand to rows in memory, and nothing else. \throws DomainError for several
  const WeightBlock& block() const;
  /// [part of y][part of x]
  std::vector<std::vector<Table>> blocks() const;
  /// The codes of the weights and bias of the only block in memory, made when they are asked for first. \throws DomainError unless tied
  const Codes& weight_codes(const Task& task) const { return in_memory(&WeightBlock::weights, task); }
  const Codes& bias_codes(const Task& task) const { return in_memory(&WeightBlock::bias, task); }
  const std::string& sha256(const Task& task) const;
  /// A copy of the value whose codes are those that are there now; for work beside other threads.
  WeightTable snapshot() const;
  WeightBlock block_snapshot() const { return block(), snapshot().block(); }
  friend bool operator==(const Table& a, const Table& b);

 private:
  struct State {
    WeightBlock block;
    std::vector<std::vector<Table>> blocks;  ///< none if there is one block
    std::string sha256;
    std::mutex mutex;
  };
  const Codes& in_memory(WeightPattern WeightBlock::*family, const Task& task) const;
  std::shared_ptr<State> state_;
};

template <>
inline constexpr auto members<BlockProof> =
    std::tuple(&BlockProof::group, &BlockProof::order, &BlockProof::rep_in, &BlockProof::rep_out, &BlockProof::rows,
               &BlockProof::cols, &BlockProof::params, &BlockProof::bias_params, &BlockProof::multiplicity_in,
               &BlockProof::multiplicity_out, &BlockProof::dimension, &BlockProof::bias_dimension, &BlockProof::route,
               &BlockProof::sha256, &BlockProof::images, &BlockProof::claims);
template <>
inline constexpr auto members<TableProof> =
    std::tuple(&TableProof::blocks, &TableProof::dimension, &TableProof::bias_dimension, &TableProof::sha256);

}  // namespace intertwine::python
