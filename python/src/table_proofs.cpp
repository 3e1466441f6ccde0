// The facts that are proved again of weight tables.
#include <fmt/format.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.hpp"
#include "intertwine/io/basis_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/verify_table.hpp"
#include "tables.hpp"

namespace intertwine::python {
namespace {

std::string block_repr(const BlockProof& p, const char* name) {
  return fmt::format("<{} of {} weights, {} biases: {}, {} -> {}>", name, p.params, p.bias_params, p.group, p.rep_in,
                     p.rep_out);
}

void bind_block_proof(nb::module_& m) {
  nb::class_<BlockProof> p(m, "BlockProof", nb::is_final(),
                           "What was proved again of a block of a table. All of it holds.");
  p.def_ro("group", &BlockProof::group, "Its expression or generators.");
  p.def_prop_ro(
      "order", [](const BlockProof& p) { return p.order; },
      "The order of the group that the generators generate; None for continuous groups.");
  p.def_ro("rep_in", &BlockProof::rep_in, "The representation of its part of x.");
  p.def_ro("rep_out", &BlockProof::rep_out, "The representation of its part of y.");
  p.def_ro("rows", &BlockProof::rows, "Outputs of the site pattern.");
  p.def_ro("cols", &BlockProof::cols, "Inputs of the site pattern.");
  p.def_ro("params", &BlockProof::params, "Weight parameters.");
  p.def_ro("bias_params", &BlockProof::bias_params, "Bias parameters.");
  p.def_prop_ro(
      "dimension", [](const BlockProof& p) { return p.dimension; }, "dim Hom of the parts, multiplicities counted.");
  p.def_prop_ro(
      "bias_dimension", [](const BlockProof& p) { return p.bias_dimension; },
      "The dimension of the invariants of its part of y, multiplicities counted.");
  p.def_ro("route", &BlockProof::route, "How the parameters were counted again.");
  p.def_ro("sha256", &BlockProof::sha256, "The digest of the block.");
  p.def_ro("images", &BlockProof::images,
           "Was there a proof in the file, and are its images of the generators those of the group?");
  p.def_ro("claims", &BlockProof::claims, "The statements of the metadata that nothing checks: the writer's word.");
  p.def(
      "to_json", [](const BlockProof& p) { return to_json(proof_record(p)); }, "A JSON object.");
  p.def("__str__", [](const BlockProof& p) { return to_text(proof_record(p)); });
  p.def("__repr__", [](const BlockProof& p) { return block_repr(p, "BlockProof"); });
  bind_record<BlockProof>(p);
}

/// The proof of the only block.
const BlockProof& only(const TableProof& p) {
  return property_of([&]() -> const BlockProof& {
    if (!p.is_single())
      throw DomainError(fmt::format("the table has {} x {} blocks, each with its proof in .blocks", p.blocks.size(),
                                    p.blocks.front().size()));
    return p.blocks.front().front();
  });
}

std::vector<std::string> claims_of(const TableProof& p) {
  std::vector<std::string> claims;
  for (const auto& row : p.blocks)
    for (const BlockProof& block : row)
      for (const std::string& claim : block.claims)
        if (std::find(claims.begin(), claims.end(), claim) == claims.end()) claims.push_back(claim);
  return claims;
}

bool has_images(const TableProof& p) {
  return std::all_of(p.blocks.begin(), p.blocks.end(), [](const auto& row) {
    return std::all_of(row.begin(), row.end(), [](const BlockProof& block) { return block.images; });
  });
}

/// A property that tables of one block alone have.
template <class Member>
void def_only(nb::class_<TableProof>& p, const char* name, Member member, const char* doc) {
  p.def_prop_ro(
      name, [member](const TableProof& proof) { return only(proof).*member; }, doc);
}

}  // namespace

void bind_table_proofs(nb::module_& m, nb::class_<Table>& c) {
  bind_block_proof(m);
  nb::class_<TableProof> p(m, "TableProof", nb::is_final(),
                           "What was proved again of a table, from the table alone. All of it holds.\n"
                           "A table of one block has the properties of that block's proof, too.");
  p.def_ro("blocks", &TableProof::blocks, "The proof of each block, [part of y][part of x].");
  p.def_prop_ro(
      "dimension", [](const TableProof& p) { return p.dimension; }, "dim Hom(V, U), multiplicities counted.");
  p.def_prop_ro(
      "bias_dimension", [](const TableProof& p) { return p.bias_dimension; },
      "dim of the invariants of U, multiplicities counted.");
  p.def_ro("sha256", &TableProof::sha256, "The digest of the table.");
  p.def_prop_ro(
      "group", [](const TableProof& p) { return p.blocks.front().front().group; },
      "The expression or the generators of the group.");
  p.def_prop_ro(
      "order", [](const TableProof& p) { return p.blocks.front().front().order; },
      "The order of the group that the generators generate; None for continuous groups.");
  p.def_prop_ro("images", &has_images,
                "Was there a proof in the file, and are its images of the generators those of the group?");
  p.def_prop_ro("claims", &claims_of, "The statements of the metadata that nothing checks: the writer's word.");
  def_only(p, "rep_in", &BlockProof::rep_in, "V. AttributeError for several blocks (also below).");
  def_only(p, "rep_out", &BlockProof::rep_out, "U.");
  def_only(p, "rows", &BlockProof::rows, "Outputs of the site pattern.");
  def_only(p, "cols", &BlockProof::cols, "Inputs of the site pattern.");
  def_only(p, "params", &BlockProof::params, "Weight parameters.");
  def_only(p, "bias_params", &BlockProof::bias_params, "Bias parameters.");
  def_only(p, "route", &BlockProof::route, "How the parameters were counted again.");
  p.def(
      "to_json", [](const TableProof& p) { return to_json(proof_record(p)); }, "A JSON object.");
  p.def("__str__", [](const TableProof& p) { return to_text(proof_record(p)); });
  p.def("__repr__", [](const TableProof& p) {
    if (p.is_single()) return block_repr(p.blocks.front().front(), "TableProof");
    return fmt::format("<TableProof of {} x {} blocks: {} weights, {} biases>", p.blocks.size(),
                       p.blocks.front().size(), p.dimension.str(), p.bias_dimension.str());
  });
  bind_record<TableProof>(p);
  def_python(p, "_repr_html_", "intertwine._notebook", "table_proof", "def _repr_html_(self) -> str", "For notebooks.");
  def_limited(
      c, "verify",
      [](const Limits& limits, const Table& t) {
        return limits.run([&](const Task& task) { return verify(t.snapshot(), task); });
      },
      "Proves the table again from itself alone; VerificationError names the first claim that fails.");
}

}  // namespace intertwine::python
