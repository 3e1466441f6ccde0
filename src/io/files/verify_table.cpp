// Proves the claims of weight tables again.
#include "intertwine/io/verify_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/equivariant/isotypic_form.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/equivariant/table_proof.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/kernel_sites.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"
#include "io/files/named_group.hpp"

namespace intertwine {

namespace {

using Metadata = std::map<std::string, std::string>;

const std::string& at(const Metadata& entries, const std::string& key) {
  const auto found = entries.find(key);
  if (found == entries.end())
    throw FileError("the table has no metadata entry intertwine." + key + ", which verification needs");
  return found->second;
}

/// The group of the file: its generators are what counts.
FiniteGroup read_group(const std::string& text, std::string& order, std::vector<std::string>& claims,
                       const Task& task) {
  const auto document = parse_strict_json(text, "the metadata entry intertwine.group");
  const auto bad = [](const std::string& what) { return FileError("the metadata entry intertwine.group " + what); };
  if (!document.is_object()) throw bad("is not a JSON object");
  if (!document.contains("degree") || !document["degree"].is_number_unsigned()) throw bad("has no degree");
  if (!document.contains("generators") || !document["generators"].is_array()) throw bad("has no list of generators");
  if (!document.contains("order") || !document["order"].is_string()) throw bad("has no order");
  order = document["order"].get<std::string>();
  const auto degree = document["degree"].get<std::uint64_t>();
  const std::uint64_t count = document["generators"].size();
  if (degree > max_named_degree || count > max_named_entries / std::max<std::uint64_t>(degree, 1))
    throw bad(fmt::format("has {} generators of degree {}, more than groups here may have", count, degree));
  task.require_memory(count * degree * sizeof(Point), "the group of the table");
  std::vector<Permutation> generators;
  for (const auto& g : document["generators"]) {
    if (!g.is_string()) throw bad("has a generator that is not a string of cycles");
    try {
      generators.push_back(parse_permutation(g.get<std::string>(), degree));
    } catch (const ParseError& error) {
      throw bad(fmt::format("has a generator that cannot be read: {}", error.what()));
    }
  }
  for (const auto& [key, value] : document.items())
    if (key != "degree" && key != "generators" && key != "order" && (key != "expression" || !value.is_string()))
      claims.push_back("group." + shown(key));
  FiniteGroup G(degree, std::move(generators));
  if (!document.contains("expression") || !document["expression"].is_string()) return G;
  return named_group(std::move(G), "group.expression", document["expression"].get<std::string>(), claims, task);
}

/// The representation of an entry. parse: (text) -> the representation.
template <class Parse>
auto read_representation(const Metadata& entries, const std::string& key, const Parse& parse) {
  const std::string& text = at(entries, key);
  const auto bad = [&](const std::string& what) {
    return FileError("the metadata entry intertwine." + key + " " + what);
  };
  if (text.find('@') != std::string::npos) throw bad("refers to another file; a table is verified from itself alone");
  try {
    return parse(text);
  } catch (const ParseError& error) {
    throw bad(fmt::format("cannot be read: {}", error.what()));
  } catch (const DomainError& error) {
    throw bad(fmt::format("is no representation of the group: {}", error.what()));
  }
}

Representation read_representation(const FiniteGroup& G, const Metadata& entries, const std::string& key,
                                   const Task& task) {
  return read_representation(entries, key,
                             [&](const std::string& text) { return parse_representation(G, text, task); });
}

/// The keys whose values are checked, here or elsewhere.
constexpr std::string_view checked_keys[] = {"convention", "order",   "sign_rule", "certificate", "group",
                                             "rep_in",     "rep_out", "field",     "kernel",      "field_generator"};

/// Checks the statements of the file beyond its numbers, on which a reader relies. Keys that nothing checks are added
/// to `claims`.
void check_statements(const Metadata& entries, const AbelianField& field, const CountedDimension& weights,
                      const CountedDimension& bias, std::vector<std::string>& claims) {
  for (const auto& [key, value] : entries)
    if (std::find(std::begin(checked_keys), std::end(checked_keys), key) == std::end(checked_keys))
      claims.push_back(shown(key));
  const auto states = [&](const std::string& key, const std::string& expected) {
    const auto found = entries.find(key);
    if (found != entries.end() && found->second != expected)
      throw VerificationError(
          fmt::format("intertwine.{} says \"{}\", but what holds is \"{}\"", key, found->second, expected));
  };
  states("convention", table_convention);
  states("order", "by smallest row-major entry");
  states("sign_rule", "the smallest entry is +");
  if (entries.contains("field") && entries.at("field") != "R") states("field", field.to_string());
  const auto found = entries.find("certificate");
  if (found == entries.end()) return;
  const auto certificate = parse_strict_json(found->second, "the metadata entry intertwine.certificate");
  if (!certificate.is_object()) throw FileError("the metadata entry intertwine.certificate is not a JSON object");
  const auto counts = [&](const char* key, const Integer& expected) {
    if (certificate.contains(key) && certificate[key] != expected.str())
      throw VerificationError(
          fmt::format("the certificate states {} {}, but it is {}", key, certificate[key].dump(), expected.str()));
  };
  counts("character_dimension", weights.dimension);
  counts("bias_character_dimension", bias.dimension);
  const auto holds = [&](const char* key, const char* what) {
    if (certificate.contains(key) && certificate[key] != true)
      throw VerificationError(
          fmt::format("the certificate states {} {}, but {}", key, shown(certificate[key].dump()), what));
  };
  holds("commutes", "every element commutes");
  holds("independent", "the elements are independent");
  for (const auto& [key, value] : certificate.items()) {
    const bool checked = key == "character_dimension" || key == "bias_character_dimension" || key == "commutes" ||
                         key == "independent" || (key == "route" && value == weights.route) ||
                         (key == "bias_route" && value == bias.route);
    if (!checked) claims.push_back("certificate." + shown(key));
  }
}

/// The sizes of a convolution kernel: they are those of a grid on which the group acts, and the columns are (input, site).
void check_kernel(const WeightBlock& table, const TableClaim& claim, const Task& task) {
  const auto found = table.metadata.find("kernel");
  if (found == table.metadata.end()) return;
  const auto fail = [&](const std::string& why) {
    throw VerificationError(fmt::format("intertwine.kernel says {}, but {}", shown(found->second), why));
  };
  const auto document = parse_strict_json(found->second, "the metadata entry intertwine.kernel");
  std::vector<std::uint64_t> sizes;
  std::uint64_t sites = 1;
  if (!document.is_array() || document.empty()) fail("it is a list of sizes");
  for (const auto& size : document) {
    if (!size.is_number_unsigned() || size == 0) fail("sizes are whole numbers from 1 on");
    sizes.push_back(size.get<std::uint64_t>());
    if (__builtin_mul_overflow(sites, sizes.back(), &sites) || sites > table.weights.cols) sites = 0;
    if (sites == 0 || table.weights.cols % sites != 0)
      fail(fmt::format("the table has {} columns, which are no multiple of so many sites", table.weights.cols));
  }
  const Representation grid = [&] {
    try {
      return kernel_sites(claim.group, sizes, task);
    } catch (const DomainError& error) {
      fail(error.what());
      throw;
    }
  }();
  const auto moves = grid.generator_images();
  const auto require_site = [&](std::size_t g, std::uint64_t to, std::uint64_t from) {
    if (moves[g](static_cast<Point>(from % sites)).point() != to % sites)
      fail(fmt::format("generator {} moves column {} to another site than it would",
                       claim.group.generators()[g].to_string(), from));
  };
  if (claim.in.is_monomial()) {
    const auto images = claim.in.generator_images();
    for (std::size_t g = 0; g < moves.size(); ++g)
      for (std::uint64_t j = 0; j < table.weights.cols; ++j)
        require_site(g, images[g](static_cast<Point>(j)).point(), j);
    return;
  }
  for (std::size_t g = 0; g < moves.size(); ++g) {
    task.poll();
    const FieldMatrix A = claim.in.field_matrix(claim.group.generators()[g]);
    const std::size_t n = A.cols();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < A.coefficients().cols(); ++j)
        if (A.coefficients().numerator().sign(i, j) != 0) require_site(g, i, j % n);
  }
}

/// Parameters numbered by their smallest entries, which are +.
void check_numbering(const CodeRows& rows, std::uint64_t params, const char* what, const Task& task) {
  std::vector<std::int32_t> row(rows.cols());
  std::int64_t next = 1;
  for (std::uint64_t i = 0; i < rows.rows(); ++i) {
    if (i % 64 == 0) task.progress("checking the order", i, rows.rows());
    rows.row(i, row);
    for (std::uint64_t j = 0; j < row.size(); ++j) {
      const std::int64_t code = row[j];
      const std::int64_t k = code > static_cast<std::int64_t>(params) ? code - static_cast<std::int64_t>(params) : code;
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
    throw VerificationError(fmt::format("{} {} parameters are stated, but only {} occur", params, what, next - 1));
}

void check_commutes(const CodeRows& rows, std::uint64_t params, const FiniteGroup& G, const Representation& out,
                    const Representation& in, const char* what, const Task& task) {
  MatrixEntry entry{};
  std::size_t generator = 0;
  if (!OrbitalPattern::commutes(rows, params, out.generator_images(), in.generator_images(), task, &entry, &generator))
    throw VerificationError(
        fmt::format("the {} do not commute with the generator {}: entry ({}, {}) (0-based) and its image "
                    "carry different codes",
                    what, G.generators()[generator].to_string(), entry.row, entry.col));
}

/// The names of the group and the representations in the proof.
struct ProofNames {
  std::string group;
  std::optional<Integer> order;
  std::string in, out;
  AbelianField field;
  std::vector<std::string> claims;
};

/// The dimensions counted again are those of the table; all that is proved by then.
BlockProof complete(const WeightBlock& table, ProofNames names, const CountedDimension& weights,
                    const CountedDimension& invariants, const Task& task) {
  if (weights.dimension != table.weights.params)
    throw VerificationError(fmt::format("the table has {} parameters, but dim Hom is {} ({}): it is not complete",
                                        table.weights.params, weights.dimension.str(), weights.route));
  if (invariants.dimension != table.bias.params)
    throw VerificationError(fmt::format("the bias has {} parameters, but the invariants have dimension {} ({})",
                                        table.bias.params, invariants.dimension.str(), invariants.route));
  check_statements(table.metadata, names.field, weights, invariants, names.claims);
  if (table.isotypic) names.claims.emplace_back("the isotypic form: its numbers are rounded");
  return {std::move(names.group),
          std::move(names.order),
          std::move(names.in),
          std::move(names.out),
          table.weights.rows,
          table.weights.cols,
          table.weights.params,
          table.bias.params,
          table.channels.in,
          table.channels.out,
          weights.dimension * table.channels.in * table.channels.out,
          invariants.dimension * table.channels.out,
          weights.route,
          digest(table, task),
          table.proof.has_value(),
          std::move(names.claims)};
}

BlockProof complete(const WeightBlock& table, const TableClaim& claim, const Task& task) {
  const Representation trivial = trivial_representation(claim.group);
  return complete(table,
                  {claim.group.name(), claim.group.order(), claim.in.to_string(), claim.out.to_string(),
                   AbelianField::compositum(claim.in.field(), claim.out.field()), claim.claims},
                  hom_dimension(claim.in, claim.out, task), hom_dimension(trivial, claim.out, task), task);
}

/// Every element commutes with every generator; each is primitive with first entry +, and they are independent and
/// in order. The representations are of a finite or of a continuous group.
template <class Module>
void check_elements(const WeightPattern& pattern, const Module& in, const Module& out, const char* what,
                    const Task& task) {
  const SparseElements& basis = pattern.sparse();
  const AbelianField field = field_of(basis.exact);
  std::vector<IntertwinerSpace::Element> elements;
  for (std::uint64_t k = 0; k < pattern.params; ++k) {
    const auto first = static_cast<std::size_t>(basis.start[k]), last = static_cast<std::size_t>(basis.start[k + 1]);
    IntertwinerSpace::Element element{{}, coordinates_of(basis, first, last - first)};
    for (std::size_t e = first; e < last; ++e)
      element.place.push_back(static_cast<std::uint64_t>(basis.row[e]) * pattern.cols +
                              static_cast<std::uint64_t>(basis.col[e]));
    elements.push_back(std::move(element));
  }
  const auto unsorted = [&](std::size_t k) {
    return VerificationError(
        fmt::format("the elements of the {} are not primitive and sorted by their smallest entries, which must be "
                    "+: see element {} (0-based)",
                    what, k));
  };
  const auto canonical = [&] {
    try {
      return IntertwinerSpace(pattern.rows, pattern.cols, elements, field);
    } catch (const DomainError&) {
      throw unsorted(0);
    }
  }();
  for (std::size_t k = 0; k < elements.size(); ++k)
    if (canonical.element(k).place != elements[k].place || !(canonical.element(k).value == elements[k].value))
      throw unsorted(k);
  if (const auto k = first_that_does_not_commute(canonical, in, out, task)) {
    const bool chosen = (in.to_string() + out.to_string()).find("irrep(") != std::string::npos;
    throw VerificationError(
        fmt::format("element {} (0-based) of the {} does not commute with every generator{}", *k, what,
                    chosen ? " (irrep(k) in the matrices that this version of Intertwine finds; a file of "
                             "another version may stand on others, and has them if it has a proof)"
                           : ""));
  }
  if (!are_independent(canonical, task))
    throw VerificationError(fmt::format("the elements of the {} are linearly dependent", what));
}

/// The JSON of the entry "group" if it is that of a continuous group.
std::optional<nlohmann::json> continuous_group_entry(const WeightBlock& table) {
  const auto entry = table.metadata.find("group");
  if (entry == table.metadata.end()) return std::nullopt;
  auto document = parse_strict_json(entry->second, "the metadata entry intertwine.group");
  if (!document.is_object() || !document.contains("continuous") || document["continuous"] != true) return std::nullopt;
  return document;
}

ContinuousRepresentation read_continuous_representation(const ContinuousGroup& G, const Metadata& entries,
                                                        const std::string& key, const Task& task) {
  return read_representation(entries, key,
                             [&](const std::string& text) { return parse_stored_representation(G, text, task); });
}

/// The expression names the group; the matrices of its generators in the file are those that the expression stands for.
ContinuousGroup read_continuous_group(const nlohmann::json& document, const Task& task) {
  const auto bad = [](const std::string& what) { return FileError("the metadata entry intertwine.group " + what); };
  if (!document.contains("expression") || !document["expression"].is_string()) throw bad("has no expression");
  const auto expression = document["expression"].get<std::string>();
  if (expression.find('@') != std::string::npos)
    throw bad("refers to another file; a table is verified from itself alone");
  const ContinuousGroup G = [&] {
    try {
      return parse_continuous_group(expression, task);
    } catch (const ParseError& error) {
      throw bad(fmt::format("cannot be read: {}", error.what()));
    } catch (const DomainError& error) {
      throw bad(fmt::format("is no group: {}", error.what()));
    }
  }();
  const bool real = document.contains("scalars") && document["scalars"] == "real";
  if (document != parse_strict_json(hom::group_json(G, real ? Scalars::real : Scalars::complex, task), "the group"))
    throw VerificationError(
        fmt::format("the generators in the file are not those of {} on its natural representation", expression));
  return G;
}

BlockProof verify_continuous(const WeightBlock& table, const nlohmann::json& document, const Task& task) {
  const ContinuousGroup G = read_continuous_group(document, task);
  const ContinuousRepresentation in = read_continuous_representation(G, table.metadata, "rep_in", task),
                                 out = read_continuous_representation(G, table.metadata, "rep_out", task),
                                 trivial = trivial_representation(G);
  if (const bool real = common_scalars(in, out) == Scalars::real; real != (document["scalars"] == "real"))
    throw VerificationError(fmt::format("the representations are {}, but the file says scalars: {}",
                                        real ? "real" : "complex", document["scalars"].get<std::string>()));
  if (in.dimension() != table.weights.cols || out.dimension() != table.weights.rows)
    throw VerificationError(fmt::format("the representations have dimensions {} -> {}, but the table is {} x {}",
                                        in.dimension(), out.dimension(), table.weights.rows, table.weights.cols));
  if (table.is_tied() || table.weights.is_tied() || table.bias.is_tied())
    throw VerificationError("the table of a continuous group has sparse elements, not codes");
  check_elements(table.weights, in, out, "weights", task);
  check_elements(table.bias, trivial, out, "bias", task);
  if (table.metadata.contains("kernel"))
    throw VerificationError("intertwine.kernel is for finite groups: a continuous one has no grid");
  if (table.proof) verify_proof(table, matrix_generators(in, out, task), task);
  return complete(
      table,
      {G.name(), std::nullopt, in.to_string(), out.to_string(), AbelianField::compositum(in.field(), out.field()), {}},
      continuous_hom_dimension(in, out, task), continuous_hom_dimension(trivial, out, task), task);
}

}  // namespace

TableClaim read_table_claim(const WeightBlock& table, const Task& task) {
  if (continuous_group_entry(table))
    throw DomainError("the table belongs to a continuous group; this is for tables of finite groups");
  std::string stated_order;
  std::vector<std::string> claims;
  const FiniteGroup G = read_group(at(table.metadata, "group"), stated_order, claims, task);
  const Integer& order = G.chain(task).order();
  if (order.str() != stated_order)
    throw VerificationError(
        fmt::format("the file states the group order {}, but its generators generate a group of order {}", stated_order,
                    order.str()));
  TableClaim claim{G, read_representation(G, table.metadata, "rep_in", task),
                   read_representation(G, table.metadata, "rep_out", task), std::move(claims)};
  if (claim.in.dimension() != table.weights.cols || claim.out.dimension() != table.weights.rows)
    throw VerificationError(fmt::format("the representations have dimensions {} -> {}, but the table is {} x {}",
                                        claim.in.dimension(), claim.out.dimension(), table.weights.rows,
                                        table.weights.cols));
  return claim;
}

BlockProof verify(const WeightBlock& table, const Task& task) {
  if (const auto document = continuous_group_entry(table)) return verify_continuous(table, *document, task);
  const TableClaim claim = read_table_claim(table, task);
  const Representation trivial = trivial_representation(claim.group);
  check_kernel(table, claim, task);
  if (table.proof) verify_proof(table, claim.in, claim.out, task);
  if (!table.is_tied()) {
    check_elements(table.weights, claim.in, claim.out, "weights", task);
    check_elements(table.bias, trivial, claim.out, "bias", task);
    return complete(table, claim, task);
  }
  if (!claim.in.is_monomial() || !claim.out.is_monomial())
    throw VerificationError("the representations are not both monomial, so their basis has no table of codes");
  const CodeRows &weights = *table.weights.tied().codes, &bias = *table.bias.tied().codes;
  check_commutes(weights, table.weights.params, claim.group, claim.out, claim.in, "weights", task);
  check_commutes(bias, table.bias.params, claim.group, claim.out, trivial, "bias entries", task);
  check_numbering(weights, table.weights.params, "weight", task);
  check_numbering(bias, table.bias.params, "bias", task);
  return complete(table, claim, task);
}

TableProof verify(const WeightTable& table, const Task& task) {
  require_fitting(table);
  TableProof all;
  std::vector<std::string> digests;
  for (std::size_t i = 0; i < table.blocks.size(); ++i) {
    all.blocks.emplace_back();
    for (std::size_t j = 0; j < table.blocks[i].size(); ++j) {
      const auto named = [&](const Error& e) {
        return table.is_single() ? std::string(e.what()) : fmt::format("block ({}, {}): {}", i, j, e.what());
      };
      try {
        all.blocks.back().push_back(verify(table.blocks[i][j], task));
      } catch (const VerificationError& error) {
        throw VerificationError(named(error));
      } catch (const FileError& error) {
        throw FileError(named(error));
      }
      const BlockProof& proof = all.blocks.back().back();
      all.dimension += proof.dimension;
      if (j == 0) all.bias_dimension += proof.bias_dimension;
      digests.push_back(proof.sha256);
    }
  }
  all.sha256 = digest(table, digests);
  return all;
}

WeightBlock with_isotypic_form(WeightBlock table, const Task& task) {
  const TableClaim claim = read_table_claim(table, task);
  table.isotypic = isotypic_form(claim.in, claim.out, character_table(claim.group, task), task);
  return table;
}

}  // namespace intertwine
