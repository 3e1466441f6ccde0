#include "io/table_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "intertwine/error.hpp"
#include "intertwine/version.hpp"
#include "io/text.hpp"

namespace intertwine {
namespace {

static_assert(std::endian::native == std::endian::little,
              "table files are written as the arrays lie in memory");

constexpr std::string_view prefix = "intertwine.";
constexpr std::uint64_t max_params = (std::uint64_t{1} << 30) - 1;  // so that 2P is an int32
constexpr std::uint64_t max_bytes = std::uint64_t{1} << 60;

struct DtypeSpelling {
  std::string_view name, descr;
  unsigned bytes;
};
constexpr std::array<DtypeSpelling, 4> dtypes = {
    {{"U8", "|u1", 1}, {"I32", "<i4", 4}, {"F64", "<f8", 8}, {"I64", "<i8", 8}}};

const DtypeSpelling& spelling(Dtype dtype) { return dtypes[static_cast<std::size_t>(dtype)]; }

// 1 + the place in `dtypes`, 0 for types that are not there.
std::size_t dtype_rank(std::string_view name) {
  const auto found =
      std::find_if(dtypes.begin(), dtypes.end(), [&](const DtypeSpelling& d) { return d.name == name; });
  return found == dtypes.end() ? 0 : 1 + static_cast<std::size_t>(found - dtypes.begin());
}

std::string_view kind_name(TableKind kind) {
  return kind == TableKind::signed_orbit ? "signed-orbit" : "sparse-basis";
}

// The keys that say what a frame says.
Metadata fixed_metadata(const TableFrame& frame) {
  return {{"format", "tied-table"},
          {"version", "1"},
          {"kind", std::string(kind_name(frame.kind))},
          {"rows", std::to_string(frame.rows)},
          {"cols", std::to_string(frame.cols)},
          {"params", std::to_string(frame.params)},
          {"bias_params", std::to_string(frame.bias_params)},
          {"multiplicity_in", std::to_string(frame.multiplicity_in)},
          {"multiplicity_out", std::to_string(frame.multiplicity_out)}};
}

// The keys that the format wants of every kind and that have one usual value.
const Metadata& usual_metadata() {
  static const Metadata usual = {
      {"convention",
       "y = W x, W row-major with one row an output and one column an input, W rho_in(g) = rho_out(g) W for "
       "all g, "
       "left actions, indices from 0"},
      {"field", "R"},
      {"producer", "intertwine " INTERTWINE_VERSION}};
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

// The entries of a file's metadata, with errors that name the file.
class Entries {
 public:
  Entries(const Metadata& metadata, const std::string& name) : metadata_(metadata), name_(name) {}

  const std::string& at(std::string_view key) const {
    const auto found = metadata_.find(std::string(prefix) + std::string(key));
    if (found == metadata_.end())
      throw FileError(fmt::format(
          "{}: the metadata lacks the key \"{}{}\", so this is no table of intertwine", name_, prefix, key));
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

 private:
  const Metadata& metadata_;
  const std::string& name_;
};

}  // namespace

unsigned item_bytes(Dtype dtype) { return spelling(dtype).bytes; }
std::string_view dtype_name(Dtype dtype) { return spelling(dtype).name; }
std::string_view npy_descr(Dtype dtype) { return spelling(dtype).descr; }

std::optional<Dtype> dtype_of_descr(std::string_view descr) {
  for (std::size_t k = 0; k < dtypes.size(); ++k)
    if (dtypes[k].descr == descr) return static_cast<Dtype>(k);
  return std::nullopt;
}

bool earlier_in_section(std::string_view dtype_a, std::string_view name_a, std::string_view dtype_b,
                        std::string_view name_b) {
  const std::size_t a = dtype_rank(dtype_a);
  const std::size_t b = dtype_rank(dtype_b);
  return a != b ? a > b : name_a < name_b;
}

std::vector<PlannedArray> in_section_order(std::vector<PlannedArray> arrays) {
  for (PlannedArray& array : arrays) {
    array.bytes = item_bytes(array.dtype);
    for (const std::uint64_t side : array.shape) array.bytes = saturated_product(array.bytes, side);
  }
  std::sort(arrays.begin(), arrays.end(), [](const PlannedArray& a, const PlannedArray& b) {
    return earlier_in_section(dtype_name(a.dtype), a.name, dtype_name(b.dtype), b.name);
  });
  return arrays;
}

void require_consistent_frame(const TableFrame& frame, const Metadata& metadata) {
  if (frame.rows == 0 || frame.cols == 0)
    throw DomainError("a table file needs at least one row and one column; there is nothing to write");
  if (frame.multiplicity_in == 0 || frame.multiplicity_out == 0)
    throw DomainError("the multiplicities of a table must be at least 1");
  if (frame.params > max_params || frame.bias_params > max_params)
    throw LimitError(fmt::format("a table file holds at most {} parameters, and this one has {}", max_params,
                                 std::max(frame.params, frame.bias_params)));
  if (saturated_product(frame.rows, frame.cols) > max_bytes)
    throw LimitError(
        fmt::format("a table of {} x {} entries is too large for a file", frame.rows, frame.cols));
  const Metadata fixed = fixed_metadata(frame);
  for (const auto& [key, value] : metadata) {
    if (!is_utf8(key) || !is_utf8(value))
      throw DomainError(
          fmt::format("the metadata \"{}\" is not UTF-8 text; table files hold nothing else", shown(key)));
    const auto found = fixed.find(key);
    if (key == "sha256" || (found != fixed.end() && found->second != value))
      throw DomainError(fmt::format("the metadata key \"{}\" is the file's own; leave it out", shown(key)));
  }
}

Metadata file_metadata(const TableFrame& frame, const Metadata& metadata, const Metadata& usual) {
  const Metadata fixed = fixed_metadata(frame);
  Metadata out;
  for (const Metadata* entries : {&fixed, &metadata, &usual, &usual_metadata()})
    for (const auto& [key, value] : *entries)
      out.emplace(std::string(prefix) + key, value);  // the first one stays
  return with_sha256(std::move(out), std::string(64, '0'));
}

Metadata with_sha256(Metadata file_metadata, const std::string& sha256) {
  file_metadata[std::string(prefix) + "sha256"] = sha256;
  return file_metadata;
}

TableFrame frame_from_metadata(const Metadata& metadata, const std::string& name) {
  const Entries entries(metadata, name);
  if (entries.at("format") != "tied-table")
    throw FileError(
        fmt::format("{}: the format is \"{}\", not \"tied-table\"", name, shown(entries.at("format"))));
  const std::string& version = entries.at("version");
  if (version.substr(0, version.find('.')) != "1")
    throw FileError(
        fmt::format("{}: version {} of the table format; this program reads version 1, so use a newer one",
                    name, shown(version)));
  TableFrame frame;
  const std::string& kind = entries.at("kind");
  if (kind == kind_name(TableKind::sparse_basis))
    frame.kind = TableKind::sparse_basis;
  else if (kind != kind_name(TableKind::signed_orbit))
    throw FileError(fmt::format("{}: unknown kind of table \"{}\"", name, shown(kind)));
  frame.rows = entries.number("rows", 1, max_bytes);
  frame.cols = entries.number("cols", 1, max_bytes);
  frame.params = entries.number("params", 0, max_params);
  frame.bias_params = entries.number("bias_params", 0, max_params);
  frame.multiplicity_in = entries.number("multiplicity_in", 1, max_bytes);
  frame.multiplicity_out = entries.number("multiplicity_out", 1, max_bytes);
  return frame;
}

Metadata free_metadata(const Metadata& metadata) {
  const Metadata fixed = fixed_metadata({});
  Metadata out;
  for (const auto& [key, value] : metadata) {
    if (!std::string_view(key).starts_with(prefix)) continue;
    const std::string bare = key.substr(prefix.size());
    if (bare != "sha256" && !fixed.contains(bare)) out.emplace(bare, value);
  }
  return out;
}

void require_kind(const TableFrame& frame, TableKind kind, const std::string& name) {
  if (frame.kind == kind) return;
  if (frame.kind == TableKind::sparse_basis)
    throw FileError(fmt::format(
        "{}: it holds a general sparse basis, which has no table of codes; read_sparse_table() reads it",
        name));
  throw FileError(fmt::format(
      "{}: it holds a table of codes, not a general sparse basis; read_table() and TableFile::open() read it",
      name));
}

std::string stated_sha256(const Metadata& metadata, const std::string& name) {
  const std::string& text = Entries(metadata, name).at("sha256");
  if (text.size() != 64 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw FileError(fmt::format("{}: sha256 is \"{}\", not 64 hexadecimal digits", name, shown(text)));
  return text;
}

const StoredArray& require_array(const StoredTable& stored, const PlannedArray& planned,
                                 const std::string& name) {
  for (const StoredArray& array : stored.arrays) {
    if (array.name != planned.name) continue;
    if (array.dtype != dtype_name(planned.dtype) || array.shape != planned.shape ||
        array.bytes != planned.bytes)
      throw FileError(fmt::format("{}: \"{}\" is {} [{}], and the metadata asks for {} [{}]", name,
                                  planned.name, shown(array.dtype), fmt::join(array.shape, ", "),
                                  dtype_name(planned.dtype), fmt::join(planned.shape, ", ")));
    return array;
  }
  throw FileError(fmt::format("{}: the array \"{}\" is missing", name, planned.name));
}

std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? std::numeric_limits<std::uint64_t>::max() : out;
}

}  // namespace intertwine
