// The metadata of table files.
#include "io/containers/table_metadata.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/version.hpp"
#include "io/containers/proof_metadata.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"

namespace intertwine {
namespace {

constexpr std::string_view key_prefix = "intertwine.";
constexpr std::uint64_t max_params = (std::uint64_t{1} << 30) - 1;  // so that 2P is an int32
constexpr std::uint64_t max_bytes = std::uint64_t{1} << 60;
constexpr std::string_view tied_kind = "signed-orbit", sparse_kind = "sparse-basis", diagram_kind = "diagram",
                           blocks_kind = "blocks";
constexpr std::uint64_t max_blocks = 256;  // so that the header of a file stays one that readers take

// The keys that say what sizes and kind say.
Metadata fixed_metadata(const WeightBlock& table) {
  return {{"format", "tied-table"},
          {"version", "1"},
          {"kind", std::string(table.is_tied() ? tied_kind : sparse_kind)},
          {"rows", std::to_string(table.weights.rows)},
          {"cols", std::to_string(table.weights.cols)},
          {"params", std::to_string(table.weights.params)},
          {"bias_params", std::to_string(table.bias.params)},
          {"multiplicity_in", std::to_string(table.channels.in)},
          {"multiplicity_out", std::to_string(table.channels.out)}};
}

// The fixed keys of a table of diagrams: version 1.1, which older readers refuse by its kind.
Metadata diagram_metadata(const DiagramTable& table) {
  std::vector<std::string> groups;
  for (const DiagramGroup& group : table.groups) groups.push_back(to_string(group));
  return {{"format", "tied-table"},
          {"version", "1.1"},
          {"kind", std::string(diagram_kind)},
          {"axes_out", table.axes_out},
          {"axes_in", table.axes_in},
          {"groups", fmt::format("{}", fmt::join(groups, " "))},
          {"reduction", table.mean ? "mean" : "sum"},
          {"params", std::to_string(table.params)},
          {"bias_params", std::to_string(table.bias_params)},
          {"multiplicity_in", std::to_string(table.channels.in)},
          {"multiplicity_out", std::to_string(table.channels.out)}};
}

// Whether the elements come in the order of their first entries.
bool in_order(const WeightPattern& pattern) {
  const SparseElements& s = pattern.sparse();
  for (std::uint64_t k = 0; k + 1 < pattern.params; ++k) {
    const auto a = static_cast<std::size_t>(s.start[k]), b = static_cast<std::size_t>(s.start[k + 1]);
    if (std::pair(s.row[a], s.col[a]) > std::pair(s.row[b], s.col[b])) return false;
  }
  return true;
}

// Whether their first entries are positive. The double nearest to a number that is not zero has its sign.
bool begins_positive(const WeightPattern& pattern) {
  const SparseElements& s = pattern.sparse();
  for (std::uint64_t k = 0; k < pattern.params; ++k)
    if (s.value[static_cast<std::size_t>(s.start[k])] < 0) return false;
  return true;
}

// The keys that the format wants, with their usual values where these hold.
Metadata usual_metadata(const WeightBlock& table) {
  Metadata usual = {{"convention", table_convention}, {"field", "R"}, {"producer", "intertwine " INTERTWINE_VERSION}};
  if (table.is_tied() || (in_order(table.weights) && in_order(table.bias)))
    usual["order"] = "by smallest row-major entry";
  if (table.is_tied() || (begins_positive(table.weights) && begins_positive(table.bias)))
    usual["sign_rule"] = "the smallest entry is +";
  return usual;
}

// A decimal number below 2^62 as this program writes it: digits alone, no leading zero.
std::optional<std::uint64_t> decimal(const std::string& text) {
  if (text.empty() || text.size() > 19 || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + static_cast<std::uint64_t>(c - '0');
  }
  if (value >= std::uint64_t{1} << 62) return std::nullopt;
  return value;
}

// No array has the length of the number of biases: codes of both signs read as well as those of twice as many parameters. So the
// certificate has to count the same. A sentence on what differs.
std::optional<std::string> difference_from_certificate(const WeightBlock& table, const std::string& file) {
  constexpr const char* count = "bias_character_dimension";
  const auto found = table.metadata.find("certificate");
  if (found == table.metadata.end() || found->second.find(count) == std::string::npos) return std::nullopt;
  const auto certificate = parse_strict_json(found->second, file + "the metadata entry intertwine.certificate");
  const std::string stated = std::to_string(table.bias.params);
  if (!certificate.is_object() || !certificate.contains(count)) return std::nullopt;
  const auto& counted = certificate[count];
  if (counted == stated || counted.dump() == stated) return std::nullopt;
  return fmt::format("bias_params is {}, and the certificate counts {} invariants", stated,
                     shown(certificate[count].dump()));
}

// The entries of a file's metadata, with errors that name the file.
class Entries {
 public:
  Entries(const Metadata& metadata, const std::string& name) : metadata_(metadata), name_(name) {}

  const std::string& at(std::string_view key) const {
    const auto found = metadata_.find(std::string(key_prefix) + std::string(key));
    if (found == metadata_.end())
      throw FileError(fmt::format("{}: the metadata lacks the key \"{}{}\", so this is no table of intertwine", name_,
                                  key_prefix, key));
    return found->second;
  }

  std::uint64_t number(std::string_view key, std::uint64_t least, std::uint64_t most) const {
    const std::string& text = at(key);
    const auto value = decimal(text);
    if (!value || *value < least || *value > most)
      throw FileError(
          fmt::format("{}: {} is \"{}\", not a number from {} to {}", name_, key, shown(text), least, most));
    return *value;
  }

  /// The kind of a file whose format and version are known.
  const std::string& kind() const {
    if (at("format") != "tied-table")
      throw FileError(fmt::format("{}: the format is \"{}\", not \"tied-table\"", name_, shown(at("format"))));
    const std::string& version = at("version");
    if (version.substr(0, version.find('.')) != "1")
      throw FileError(
          fmt::format("{}: version {} of the table format; this program reads version 1, so use a newer one", name_,
                      shown(version)));
    return at("kind");
  }

  /// The other metadata of the file, beside its own keys, without the prefix.
  Metadata others(const Metadata& own) const {
    Metadata out;
    for (const auto& [key, value] : metadata_)
      if (key.starts_with(key_prefix) && key != std::string(key_prefix) + "sha256" &&
          !own.contains(key.substr(key_prefix.size())))
        out.emplace(key.substr(key_prefix.size()), value);
    return out;
  }

 private:
  const Metadata& metadata_;
  const std::string& name_;
};

}  // namespace

void require_writable_metadata(const WeightBlock& table) {
  const Metadata fixed = fixed_metadata(table);
  for (const auto& [key, value] : table.metadata) {
    if (!is_utf8(key) || !is_utf8(value))
      throw DomainError(
          fmt::format("the metadata \"{}\" is not UTF-8 text; table files hold nothing else", shown(key)));
    const auto found = fixed.find(key);
    if (key == "sha256" || key == "proof" || (found != fixed.end() && found->second != value))
      throw DomainError(fmt::format("the metadata key \"{}\" is the file's own; leave it out", shown(key)));
  }
  if (const auto difference = difference_from_certificate(table, "")) throw DomainError(*difference);
}

Metadata file_metadata(const WeightBlock& table) {
  const Metadata fixed = fixed_metadata(table), usual = usual_metadata(table);
  Metadata field;
  if (!table.is_tied() && table.weights.sparse().exact.degree != 1) {
    field["field"] = table.weights.sparse().exact.field;
    field["field_generator"] = table.weights.sparse().exact.generator;
  }
  Metadata out;
  if (table.proof) out.emplace(std::string(key_prefix) + "proof", proof_metadata(*table.proof));
  for (const Metadata* entries : std::initializer_list<const Metadata*>{&fixed, &field, &table.metadata, &usual})
    for (const auto& [key, value] : *entries) out.emplace(std::string(key_prefix) + key, value);  // the first one stays
  return with_sha256(std::move(out), unknown_sha256);
}

Metadata with_sha256(Metadata file_metadata, const std::string& sha256) {
  file_metadata[std::string(key_prefix) + "sha256"] = sha256;
  return file_metadata;
}

WeightBlock table_from_metadata(const Metadata& metadata, const std::string& name) {
  const Entries entries(metadata, name);
  WeightBlock table;
  const std::string& kind = entries.kind();
  if (kind == sparse_kind)
    table.weights.entries = table.bias.entries = SparseElements{};
  else if (kind == diagram_kind)
    throw FileError(
        fmt::format("{}: a table of diagrams, which is for every size; it is read by read_diagrams, in "
                    "Python load_diagrams",
                    name));
  else if (kind == blocks_kind)
    throw FileError(fmt::format("{}: a block that consists of blocks", name));
  else if (kind != tied_kind)
    throw FileError(fmt::format("{}: unknown kind of table \"{}\"", name, shown(kind)));
  table.weights.rows = table.bias.rows = entries.number("rows", 1, max_bytes);
  table.weights.cols = entries.number("cols", 1, max_bytes);
  table.bias.cols = 1;
  table.weights.params = entries.number("params", 0, max_params);
  table.bias.params = entries.number("bias_params", 0, max_params);
  table.channels.in = entries.number("multiplicity_in", 1, max_bytes);
  table.channels.out = entries.number("multiplicity_out", 1, max_bytes);
  const Metadata fixed = fixed_metadata(table);
  table.metadata = entries.others(fixed);
  if (const auto difference = difference_from_certificate(table, name + ": "))
    throw FileError(fmt::format("{}: inconsistent: {}", name, *difference));
  if (const auto proof = table.metadata.extract("proof")) table.proof = parse_proof_metadata(proof.mapped(), name);
  return table;
}

Metadata file_metadata(const DiagramTable& table) {
  Metadata out;
  for (const Metadata& entries :
       {diagram_metadata(table), table.metadata, Metadata{{"producer", "intertwine " INTERTWINE_VERSION}}})
    for (const auto& [key, value] : entries) out.emplace(std::string(key_prefix) + key, value);  // the first one stays
  return with_sha256(std::move(out), unknown_sha256);
}

DiagramTable diagrams_from_metadata(const Metadata& metadata, const std::string& name) {
  const Entries entries(metadata, name);
  if (const std::string& kind = entries.kind(); kind != diagram_kind)
    throw FileError(fmt::format("{}: a table of the kind \"{}\", not of diagrams", name, shown(kind)));
  DiagramTable table{
      entries.at("axes_out"), entries.at("axes_in"), {}, entries.at("reduction") == "mean", {}, 0, 0, {}, {}, {}};
  if (!table.mean && entries.at("reduction") != "sum")
    throw FileError(fmt::format("{}: the reduction is \"{}\", not mean or sum", name, shown(entries.at("reduction"))));
  const std::string& groups = entries.at("groups");
  for (std::size_t at = 0; at < groups.size();) {
    const std::size_t end = std::min(groups.find(' ', at), groups.size());
    table.groups.push_back(parse_diagram_group(std::string_view(groups).substr(at, end - at)));
    at = end + 1;
  }
  table.params = entries.number("params", 0, max_params);
  table.bias_params = entries.number("bias_params", 0, max_params);
  table.channels = {entries.number("multiplicity_out", 1, max_bytes), entries.number("multiplicity_in", 1, max_bytes)};
  table.metadata = entries.others(diagram_metadata(table));
  return table;
}

Metadata blocks_metadata(std::uint64_t parts_out, std::uint64_t parts_in) {
  if (parts_out > max_blocks / parts_in)
    throw LimitError(
        fmt::format("a file holds at most {} blocks, and {} parts to {} make more; put summands of the same "
                    "multiplicity beside one another, or write the single table",
                    max_blocks, parts_in, parts_out),
        Remedy::single_table);
  const Metadata own = {{"format", "tied-table"},
                        {"version", "1.3"},
                        {"kind", std::string(blocks_kind)},
                        {"parts_out", std::to_string(parts_out)},
                        {"parts_in", std::to_string(parts_in)},
                        {"producer", "intertwine " INTERTWINE_VERSION}};
  Metadata out;
  for (const auto& [key, value] : own) out.emplace(std::string(key_prefix) + key, value);
  return with_sha256(std::move(out), unknown_sha256);
}

std::string block_key(const std::string& block, std::string_view key) {
  return std::string(key_prefix) + block + std::string(key.substr(std::min(key.size(), key_prefix.size())));
}

bool states_blocks(const Metadata& metadata) {
  const auto kind = metadata.find(std::string(key_prefix) + "kind");
  return kind != metadata.end() && kind->second == blocks_kind;
}

std::pair<std::uint64_t, std::uint64_t> parts_from_metadata(const Metadata& metadata, const std::string& name) {
  const Entries entries(metadata, name);
  entries.kind();  // checks the format and its version
  const std::uint64_t out = entries.number("parts_out", 1, max_blocks);
  return {out, entries.number("parts_in", 1, max_blocks / out)};
}

std::string stated_sha256(const Metadata& metadata, const std::string& name) {
  const std::string& text = Entries(metadata, name).at("sha256");
  if (text.size() != 64 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw FileError(fmt::format("{}: sha256 is \"{}\", not 64 hexadecimal digits", name, shown(text)));
  return text;
}

const StoredArray& require_array(const StoredTable& stored, const PlannedArray& planned, const std::string& name) {
  for (const StoredArray& array : stored.arrays) {
    if (array.name != planned.name) continue;
    if (array.dtype != dtype_name(planned.dtype) || array.shape != planned.shape || array.bytes != planned.bytes)
      throw FileError(fmt::format("{}: \"{}\" is {} [{}], and the metadata asks for {} [{}]", name, planned.name,
                                  shown(array.dtype), fmt::join(array.shape, ", "), dtype_name(planned.dtype),
                                  fmt::join(planned.shape, ", ")));
    return array;
  }
  throw FileError(fmt::format("{}: the array \"{}\" is missing", name, planned.name));
}

}  // namespace intertwine
