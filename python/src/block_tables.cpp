// Tables of blocks: features of several multiplicities.
#include <fmt/format.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "intertwine/io/basis_text.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/numeric/block_layer.hpp"
#include "tables.hpp"

namespace intertwine::python {

Blocks::Blocks(const BlockTable& table) {
  for (const auto& row : table.blocks) {
    tables_.emplace_back();
    for (const WeightTable& block : row) tables_.back().emplace_back(block);
  }
}

BlockTable Blocks::snapshot() const {
  BlockTable table;
  for (const auto& row : tables_) {
    table.blocks.emplace_back();
    for (const Table& block : row) table.blocks.back().push_back(block.snapshot());
  }
  return table;
}

template <>
inline constexpr auto members<BlockProof> =
    std::tuple(&BlockProof::blocks, &BlockProof::dimension, &BlockProof::bias_dimension, &BlockProof::sha256);

std::string Blocks::sha256(const Task& task) const {
  std::vector<std::string> digests;
  for (const auto& row : tables_)
    for (const Table& block : row) digests.push_back(block.sha256(task));
  return digest(snapshot(), digests);
}

namespace {

std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> parts(
    const std::vector<FeaturePart>& list) {
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> out;
  for (const FeaturePart& part : list) out.emplace_back(part.channels, part.dimension, part.start);
  return out;
}

std::string sha256_of(const Blocks& t) {
  return Limits().run([&](const Task& task) { return t.sha256(task); });
}

void bind_proof(nb::module_& m, nb::class_<Blocks>& c) {
  nb::class_<BlockProof> p(m, "BlockProof", nb::is_final(),
                           "What was proved again of a table of blocks. All of it holds.");
  p.def_ro("blocks", &BlockProof::blocks, "The proof of each block, [part of y][part of x].");
  p.def_prop_ro(
      "dimension", [](const BlockProof& p) { return p.dimension; }, "dim Hom(V, U) of the whole layer.");
  p.def_prop_ro(
      "bias_dimension", [](const BlockProof& p) { return p.bias_dimension; },
      "dim of the invariants of U, the whole of it.");
  p.def_ro("sha256", &BlockProof::sha256, "The digest of the table.");
  p.def(
      "to_json", [](const BlockProof& p) { return proof_json(p); }, "A JSON object.");
  p.def("__str__", [](const BlockProof& p) { return proof_text(p); });
  p.def("__repr__", [](const BlockProof& p) {
    return fmt::format("<BlockProof of {} x {} blocks: {} weights, {} biases>", p.blocks.size(),
                       p.blocks.front().size(), p.dimension.str(), p.bias_dimension.str());
  });
  bind_record<BlockProof>(p);
  def_limited(
      c, "verify",
      [](const Limits& limits, const Blocks& t) {
        return limits.run([&](const Task& task) { return verify(t.snapshot(), task); });
      },
      "Proves every block again from itself alone; VerificationError names the first claim that fails.");
}

}  // namespace

void bind_block_tables(nb::module_& m) {
  nb::class_<Blocks> c(
      m, "BlockTable", nb::is_final(),
      "The tables of a layer between features of several multiplicities, 16*perm + 33*trivial: "
      "one for each pair of parts.\n"
      "x and y are the parts one after the other, each [channels, dimension]; "
      "intertwine.nn.Linear is the layer.");
  c.def_prop_ro(
      "blocks", &Blocks::tables,
      "The tables, [part of y][part of x]; each has the biases of its part of y, those of the first "
      "count.");
  c.def_prop_ro(
      "inputs", [](const Blocks& t) { return parts(t.snapshot().inputs()); },
      "(channels, dimension, start) of every part of x.");
  c.def_prop_ro(
      "outputs", [](const Blocks& t) { return parts(t.snapshot().outputs()); }, "The same of y.");
  c.def_prop_ro(
      "theta_size", [](const Blocks& t) { return t.snapshot().theta_size(); },
      "How many numbers theta has: for every block [params, out, in], one after the other.");
  c.def_prop_ro(
      "bias_size", [](const Blocks& t) { return t.snapshot().bias_size(); },
      "The same of the bias: [bias_params, out] for every part of y.");
  c.def(
      "initial_variance", [](const Blocks& t, double gain) { return initial_variance(t.snapshot(), gain); },
      nb::arg("gain") = 1.0,
      "The variance of every number of theta to begin with: intertwine.nn.Linear.reset_parameters says "
      "which.");
  c.def_prop_ro("sha256", &sha256_of, "The digest that a file of it states.");
  def_limited(
      c, "save",
      [](const Limits& limits, const Blocks& t, Path path) {
        return limits.run([&](const Task& task) { return write_blocks(path.value, t.snapshot(), task); });
      },
      nb::arg("path"), "Writes .safetensors, .npz, .h5 or .json, atomically; gives the sha256.");
  bind_proof(m, c);
  c.def(
      "__eq__", [](const Blocks& a, const Blocks& b) { return sha256_of(a) == sha256_of(b); },
      nb::is_operator(), nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__",
        [](const Blocks& t) { return static_cast<Py_hash_t>(std::hash<std::string>()(sha256_of(t))); });
  c.def("__repr__", [](const Blocks& t) {
    return fmt::format("<BlockTable of {} x {} blocks, {} weights, {} biases>", t.tables().size(),
                       t.tables().front().size(), t.snapshot().theta_size(), t.snapshot().bias_size());
  });
  bind_copies<Blocks>(c);
  c.def("__getstate__", [](const Blocks& t) { return t.tables(); });
  c.def(
      "__setstate__",
      [](Blocks& t, const std::vector<std::vector<Table>>& state) {
        const Blocks made(state);
        require_fitting(made.snapshot());
        new (&t) Blocks(made);
      },
      nb::arg("state"));
  m.def("load_blocks", limited(+[](const Limits& limits, Path path) {
          return limits.run([&](const Task& task) { return Blocks(read_blocks(path.value, task)); });
        }),
        nb::arg("path"), nb::kw_only(), nb::arg("memory") = nb::none(), nb::arg("seconds") = nb::none(),
        nb::arg("progress") = nb::none(), nb::arg("threads") = nb::none(),
        "Reads a table of blocks: safetensors, NPZ or JSON. Everything in the file is checked, and its "
        "digest.");
}

}  // namespace intertwine::python
