#include "intertwine/io/verify_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "intertwine/equivariant/equivariant_basis.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine {

namespace {

using Metadata = std::map<std::string, std::string>;

const std::string& at(const Metadata& entries, const std::string& key) {
  const auto found = entries.find(key);
  if (found == entries.end())
    throw FileError("the table has no metadata entry intertwine." + key + ", which verification needs");
  return found->second;
}

/// The group of the file: its generators are what counts. The expression is used when it gives the very same
/// generators, because some representations (external products, named subgroups) refer to its structure.
FiniteGroup read_group(const std::string& text, std::string& order, const Task& task) {
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
  const std::uint64_t count = json["generators"].size();
  if (degree > max_named_degree || count > max_named_entries / std::max<std::uint64_t>(degree, 1))
    throw bad(fmt::format("has {} generators of degree {}, more than groups here may have", count, degree));
  task.require_memory(count * degree * sizeof(Point), "the group of the table");
  std::vector<Permutation> generators;
  for (const auto& g : json["generators"]) {
    if (!g.is_string()) throw bad("has a generator that is not a string of cycles");
    try {
      generators.push_back(parse_permutation(g.get<std::string>(), degree));
    } catch (const ParseError& error) {
      throw bad(fmt::format("has a generator that cannot be read: {}", error.what()));
    }
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

Representation read_representation(const FiniteGroup& G, const Metadata& entries, const std::string& key,
                                   const Task& task) {
  const std::string& text = at(entries, key);
  const auto bad = [&](const std::string& what) {
    return FileError("the metadata entry intertwine." + key + " " + what);
  };
  if (text.find('@') != std::string::npos)
    throw bad("refers to another file; a table is verified from itself alone");
  try {
    return parse_representation(G, text, {}, task);
  } catch (const ParseError& error) {
    throw bad(fmt::format("cannot be read: {}", error.what()));
  } catch (const DomainError& error) {
    throw bad(fmt::format("is no representation of the group: {}", error.what()));
  }
}

/// What the file says of itself beyond its numbers; a reader relies on it.
void check_statements(const Metadata& entries, const Integer& dimension, const Integer& bias_dimension) {
  const auto states = [&](const std::string& key, const std::string& expected) {
    const auto found = entries.find(key);
    if (found != entries.end() && found->second != expected)
      throw VerificationError(
          fmt::format("intertwine.{} says \"{}\", but what holds is \"{}\"", key, found->second, expected));
  };
  states("convention", table_convention);
  states("order", "by smallest row-major entry");
  states("sign_rule", "the smallest entry is +");
  const auto found = entries.find("certificate");
  if (found == entries.end()) return;
  const auto certificate = nlohmann::json::parse(found->second, nullptr, false);
  if (!certificate.is_object())
    throw FileError("the metadata entry intertwine.certificate is not a JSON object");
  const auto counts = [&](const char* key, const Integer& expected) {
    if (certificate.contains(key) && certificate[key] != expected.str())
      throw VerificationError(fmt::format("the certificate states {} {}, but it is {}", key,
                                          certificate[key].dump(), expected.str()));
  };
  counts("character_dimension", dimension);
  counts("bias_character_dimension", bias_dimension);
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
  if (next != static_cast<std::int64_t>(params) + 1)
    throw VerificationError(
        fmt::format("{} {} parameters are stated, but only {} occur", params, what, next - 1));
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

template <class Header>
TableClaim read_claim(const Header& header, const Task& task) {
  return read_table_claim(header.metadata, header.rows, header.cols, task);
}

/// The dimensions counted again, and all that is proved by then.
template <class Header>
TableProof complete(const Header& header, const TableClaim& claim, const std::string& sha256,
                    const Task& task) {
  const Representation trivial = trivial_representation(claim.group);
  const CountedDimension weights = hom_dimension(claim.in, claim.out, task),
                         invariants = hom_dimension(trivial, claim.out, task);
  if (weights.dimension != header.params)
    throw VerificationError(
        fmt::format("the table has {} parameters, but dim Hom is {} ({}): it is not complete", header.params,
                    weights.dimension.str(), weights.route));
  if (invariants.dimension != header.bias_params)
    throw VerificationError(
        fmt::format("the bias has {} parameters, but the invariants have dimension {} ({})",
                    header.bias_params, invariants.dimension.str(), invariants.route));
  check_statements(header.metadata, weights.dimension, invariants.dimension);
  return {claim.group.name(),
          claim.group.order(),
          claim.in.to_string(),
          claim.out.to_string(),
          header.rows,
          header.cols,
          header.params,
          header.bias_params,
          header.multiplicity_in,
          header.multiplicity_out,
          weights.dimension * header.multiplicity_in * header.multiplicity_out,
          invariants.dimension * header.multiplicity_out,
          weights.route,
          sha256};
}

/// Sparse matrices of a table: elements start[k] ... start[k+1] of entries (row, col, value).
struct SparseElements {
  const std::vector<std::int64_t>& start;
  const std::vector<std::int32_t>& row;
  const std::vector<std::int32_t>* col;  ///< none: one column
  const AbelianField& field;
  const IntegerMatrix& value;
  const char* what;

  std::size_t count() const { return start.size() - 1; }
  std::uint64_t place(std::size_t e, std::uint64_t cols) const {
    return static_cast<std::uint64_t>(row[e]) * cols +
           (col == nullptr ? 0 : static_cast<std::uint64_t>((*col)[e]));
  }
};

/// Every element commutes with every generator; each is primitive with first entry +, and they are independent and
/// in order.
void check_elements(const SparseElements& basis, const Representation& in, const Representation& out,
                    const Task& task) {
  const std::uint64_t m = out.dimension(), n = in.dimension();
  std::vector<IntertwinerSpace::Element> elements;
  for (std::size_t k = 0; k < basis.count(); ++k) {
    const auto first = static_cast<std::size_t>(basis.start[k]),
               last = static_cast<std::size_t>(basis.start[k + 1]);
    IntertwinerSpace::Element element{{}, basis.value.block(0, first, basis.value.rows(), last - first)};
    for (std::size_t e = first; e < last; ++e) element.place.push_back(basis.place(e, n));
    elements.push_back(std::move(element));
  }
  const auto unsorted = [&](std::size_t k) {
    return VerificationError(fmt::format(
        "the elements of the {} are not primitive and sorted by their smallest entries, which must be "
        "+: see element {} (0-based)",
        basis.what, k));
  };
  const auto canonical = [&] {
    try {
      return IntertwinerSpace(m, n, elements, basis.field);
    } catch (const DomainError&) {
      throw unsorted(0);
    }
  }();
  for (std::size_t k = 0; k < elements.size(); ++k)
    if (canonical.element(k).place != elements[k].place || !(canonical.element(k).value == elements[k].value))
      throw unsorted(k);
  if (const auto k = first_that_does_not_commute(canonical, in, out, task))
    throw VerificationError(
        fmt::format("element {} (0-based) of the {} does not commute with every generator", *k, basis.what));
  if (!are_independent(canonical, task))
    throw VerificationError(fmt::format("the elements of the {} are linearly dependent", basis.what));
}

}  // namespace

TableClaim read_table_claim(const std::map<std::string, std::string>& metadata, std::uint64_t rows,
                            std::uint64_t cols, const Task& task) {
  std::string stated_order;
  const FiniteGroup G = read_group(at(metadata, "group"), stated_order, task);
  const Integer& order = G.chain(task).order();
  if (order.str() != stated_order)
    throw VerificationError(
        fmt::format("the file states the group order {}, but its generators generate a group of order {}",
                    stated_order, order.str()));
  TableClaim claim{G, read_representation(G, metadata, "rep_in", task),
                   read_representation(G, metadata, "rep_out", task)};
  if (claim.in.dimension() != cols || claim.out.dimension() != rows)
    throw VerificationError(
        fmt::format("the representations have dimensions {} -> {}, but the table is {} x {}",
                    claim.in.dimension(), claim.out.dimension(), rows, cols));
  return claim;
}

TableProof verify_table(const TableFile& file, const Task& task) {
  const TableHeader& header = file.header();
  const TableClaim claim = read_claim(header, task);
  if (!claim.in.is_monomial() || !claim.out.is_monomial())
    throw VerificationError(
        "the representations are not both monomial, so their basis has no table of codes");
  const Representation trivial = trivial_representation(claim.group);
  const BiasRows bias(header.bias_code);
  check_commutes(file, header.params, claim.group, claim.out, claim.in, "weights", task);
  check_commutes(bias, header.bias_params, claim.group, claim.out, trivial, "bias entries", task);
  check_numbering(file, header.params, "weight", task);
  check_numbering(bias, header.bias_params, "bias", task);
  return complete(header, claim, file.sha256(), task);
}

TableProof verify_table(const SparseTable& table, const std::string& sha256, const Task& task) {
  const TableClaim claim = read_claim(table, task);
  check_elements({table.start, table.row, &table.col, table.field, table.value, "weights"}, claim.in,
                 claim.out, task);
  check_elements({table.bias_start, table.bias_row, nullptr, table.field, table.bias_value, "bias"},
                 trivial_representation(claim.group), claim.out, task);
  return complete(table, claim, sha256, task);
}

}  // namespace intertwine
