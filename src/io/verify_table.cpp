#include "intertwine/io/verify_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine {

namespace {

const std::string& metadata(const TableHeader& header, const std::string& key) {
  const auto at = header.metadata.find(key);
  if (at == header.metadata.end())
    throw FileError("the table has no metadata entry intertwine." + key + ", which verification needs");
  return at->second;
}

/// The group of the file: its generators are what counts. The expression is used when it gives the very same
/// generators, because some representations (external products, named subgroups) refer to its structure.
FiniteGroup read_group(const std::string& text, std::string& order) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  const auto bad = [](const std::string& what) {
    return FileError("the metadata entry intertwine.group " + what);
  };
  if (!json.is_object()) throw bad("is not a JSON object");
  if (!json.contains("degree") || !json["degree"].is_number_unsigned()) throw bad("has no degree");
  if (!json.contains("generators") || !json["generators"].is_array()) throw bad("has no list of generators");
  if (!json.contains("order") || !json["order"].is_string()) throw bad("has no order");
  order = json["order"].get<std::string>();
  const auto degree = json["degree"].get<std::uint64_t>();
  // Every point of a sensible group is moved by a generator whose cycles are written in this text.
  if (degree > max_degree || degree > 2 * text.size() + 1024)
    throw bad(fmt::format("has the degree {}, more than its generators can move", degree));
  std::vector<Permutation> generators;
  for (const auto& g : json["generators"]) {
    if (!g.is_string()) throw bad("has a generator that is not a string of cycles");
    generators.push_back(parse_permutation(g.get<std::string>(), degree));
  }
  if (json.contains("expression") && json["expression"].is_string()) {
    const auto expression = json["expression"].get<std::string>();
    if (expression.find('@') == std::string::npos) {
      try {
        FiniteGroup named = parse_group(expression);
        if (named.degree() == degree && named.generators() == generators) return named;
      } catch (const Error&) {  // a name of another version: the generators decide
      }
    }
  }
  return FiniteGroup(degree, std::move(generators));
}

class BiasRows final : public CodeRows {
 public:
  explicit BiasRows(const Codes& codes) : codes_(codes) {}
  std::uint64_t rows() const override {
    return std::visit([](const auto& c) { return c.size(); }, codes_);
  }
  std::uint64_t cols() const override { return 1; }
  void row(std::uint64_t i, std::span<std::int32_t> out) const override {
    out[0] = std::visit([&](const auto& c) { return static_cast<std::int32_t>(c[i]); }, codes_);
  }

 private:
  const Codes& codes_;
};

/// Parameters numbered by their smallest entries, which are +.
void check_numbering(const CodeRows& rows, std::uint64_t params, const char* what, const Task& task) {
  std::vector<std::int32_t> row(rows.cols());
  std::int64_t next = 1;
  for (std::uint64_t i = 0; i < rows.rows(); ++i) {
    if (i % 64 == 0) task.progress("checking the order", i, rows.rows());
    rows.row(i, row);
    for (std::uint64_t j = 0; j < row.size(); ++j) {
      const std::int64_t code = row[j];
      const std::int64_t k =
          code > static_cast<std::int64_t>(params) ? code - static_cast<std::int64_t>(params) : code;
      if (k < next) continue;
      if (k > next || code != k)
        throw VerificationError(
            fmt::format("the {} parameters are not numbered by their smallest entries, which must be +: see "
                        "row {}, column {} (0-based)",
                        what, i, j));
      ++next;
    }
  }
}

void check_commutes(const CodeRows& rows, std::uint64_t params, const FiniteGroup& G,
                    const Representation& out, const Representation& in, const char* what, const Task& task) {
  MatrixEntry entry{};
  std::size_t generator = 0;
  if (!OrbitalPattern::commutes(rows, params, out.generator_images(), in.generator_images(), task, &entry,
                                &generator))
    throw VerificationError(
        fmt::format("the {} do not commute with the generator {}: entry ({}, {}) (0-based) and its image "
                    "carry different codes",
                    what, G.generators()[generator].to_string(), entry.row, entry.col));
}

}  // namespace

TableProof verify_table(const TableFile& file, const Task& task) {
  const TableHeader& header = file.header();
  std::string stated_order;
  const FiniteGroup G = read_group(metadata(header, "group"), stated_order);
  const Integer& order = G.chain(task).order();
  if (order.str() != stated_order)
    throw VerificationError(
        fmt::format("the file states the group order {}, but its generators generate a group of order {}",
                    stated_order, order.str()));
  const Representation in = parse_representation(G, metadata(header, "rep_in"), {}, task);
  const Representation out = parse_representation(G, metadata(header, "rep_out"), {}, task);
  if (in.dimension() != header.cols || out.dimension() != header.rows)
    throw VerificationError(
        fmt::format("the representations have dimensions {} -> {}, but the table is {} x {}", in.dimension(),
                    out.dimension(), header.rows, header.cols));
  const Representation trivial = trivial_representation(G);
  const BiasRows bias(header.bias_code);
  check_commutes(file, header.params, G, out, in, "weights", task);
  check_commutes(bias, header.bias_params, G, out, trivial, "bias entries", task);
  check_numbering(file, header.params, "weight", task);
  check_numbering(bias, header.bias_params, "bias", task);
  const CountedDimension weights = hom_dimension(in, out, task),
                         invariants = hom_dimension(trivial, out, task);
  if (weights.dimension != header.params)
    throw VerificationError(
        fmt::format("the table has {} parameters, but dim Hom is {} ({}): it is not complete", header.params,
                    weights.dimension.str(), weights.route));
  if (invariants.dimension != header.bias_params)
    throw VerificationError(
        fmt::format("the bias has {} parameters, but the invariants have dimension {} ({})",
                    header.bias_params, invariants.dimension.str(), invariants.route));
  return {G.name(),
          order,
          in.to_string(),
          out.to_string(),
          header.rows,
          header.cols,
          header.params,
          header.bias_params,
          header.multiplicity_in,
          header.multiplicity_out,
          weights.dimension * header.multiplicity_in * header.multiplicity_out,
          invariants.dimension * header.multiplicity_out,
          weights.route,
          file.sha256()};
}

}  // namespace intertwine
