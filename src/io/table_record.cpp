#include "io/table_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/version.hpp"
#include "io/code_counter.hpp"
#include "io/text.hpp"

namespace intertwine {
namespace {

static_assert(std::endian::native == std::endian::little,
              "table files are written as the arrays lie in memory");

constexpr std::string_view prefix = "intertwine.";
constexpr std::uint64_t max_params = (std::uint64_t{1} << 30) - 1;  // so that 2P is an int32
constexpr std::uint64_t max_bytes = std::uint64_t{1} << 60;

// The keys that say what a TableHeader's own members say.
std::map<std::string, std::string> fixed_metadata(const TableHeader& header) {
  return {{"format", "tied-table"},
          {"version", "1"},
          {"kind", "signed-orbit"},
          {"rows", std::to_string(header.rows)},
          {"cols", std::to_string(header.cols)},
          {"params", std::to_string(header.params)},
          {"bias_params", std::to_string(header.bias_params)},
          {"multiplicity_in", std::to_string(header.multiplicity_in)},
          {"multiplicity_out", std::to_string(header.multiplicity_out)}};
}

// The keys that the format wants and that have one usual value.
const std::map<std::string, std::string>& usual_metadata() {
  static const std::map<std::string, std::string> usual = {
      {"convention",
       "y = W x, W row-major with one row an output and one column an input, W rho_in(g) = rho_out(g) W for "
       "all g, "
       "left actions, indices from 0"},
      {"field", "R"},
      {"order", "by smallest row-major entry"},
      {"sign_rule", "the smallest entry is +"},
      {"producer", "intertwine " INTERTWINE_VERSION}};
  return usual;
}

template <class Item>
std::span<const std::byte> bytes_of(const std::vector<Item>& items) {
  return std::as_bytes(std::span(items));
}

std::span<const std::byte> bytes_of(const Codes& codes) {
  return std::visit([](const auto& items) { return bytes_of(items); }, codes);
}

Dtype code_dtype(std::uint64_t params) { return code_bytes(params) == 1 ? Dtype::u8 : Dtype::i32; }

void require_consistent_bias(const TableHeader& header) {
  const bool narrow = std::holds_alternative<std::vector<std::uint8_t>>(header.bias_code);
  const auto length = std::visit([](const auto& codes) { return codes.size(); }, header.bias_code);
  if (length != header.rows)
    throw DomainError(
        fmt::format("the table has {} rows and {} bias codes; give one code a row", header.rows, length));
  if (narrow != (code_bytes(header.bias_params) == 1))
    throw DomainError(fmt::format("the bias codes of {} parameters must have {} byte(s) each",
                                  header.bias_params, code_bytes(header.bias_params)));
  CodeCounter counter(header.bias_params);
  if (const auto bad = counter.add(bytes_of(header.bias_code)))
    throw DomainError(fmt::format("the bias code {} is outside 0..{}", *bad, 2 * header.bias_params));
  const auto totals = counter.totals();
  for (std::size_t k = 0; k < totals.size(); ++k)
    if (totals[k] == 0)
      throw DomainError(fmt::format("the bias parameter {} occurs nowhere in the bias codes", k));
}

void require_consistent_metadata(const TableHeader& header) {
  const auto fixed = fixed_metadata(header);
  for (const auto& [key, value] : header.metadata) {
    if (!is_utf8(key) || !is_utf8(value))
      throw DomainError(
          fmt::format("the metadata \"{}\" is not UTF-8 text; table files hold nothing else", shown(key)));
    const auto found = fixed.find(key);
    if (key == "sha256" || (found != fixed.end() && found->second != value))
      throw DomainError(fmt::format("the metadata key \"{}\" is the file's own; leave it out", shown(key)));
  }
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

class Metadata {
 public:
  Metadata(const std::map<std::string, std::string>& entries, const std::string& name)
      : entries_(entries), name_(name) {}

  const std::string& at(std::string_view key) const {
    const auto found = entries_.find(std::string(prefix) + std::string(key));
    if (found == entries_.end())
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
  const std::map<std::string, std::string>& entries_;
  const std::string& name_;
};

}  // namespace

unsigned item_bytes(Dtype dtype) { return dtype == Dtype::u8 ? 1 : dtype == Dtype::i32 ? 4 : 8; }

std::string_view dtype_name(Dtype dtype) {
  return dtype == Dtype::u8 ? "U8" : dtype == Dtype::i32 ? "I32" : "I64";
}

std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? std::numeric_limits<std::uint64_t>::max() : out;
}

std::string unknown_sha256() { return std::string(64, '0'); }

std::vector<PlannedArray> planned_arrays(const TableHeader& header) {
  std::vector<PlannedArray> arrays = {
      {weight_code_name, code_dtype(header.params), {header.rows, header.cols}, 0, {}},
      {orbit_size_name, Dtype::i64, {header.params}, 0, bytes_of(header.orbit_size)},
      {bias_code_name, code_dtype(header.bias_params), {header.rows}, 0, bytes_of(header.bias_code)}};
  for (PlannedArray& array : arrays) {
    array.bytes = item_bytes(array.dtype);
    for (const std::uint64_t side : array.shape) array.bytes = saturated_product(array.bytes, side);
  }
  std::sort(arrays.begin(), arrays.end(), [](const PlannedArray& a, const PlannedArray& b) {
    if (item_bytes(a.dtype) != item_bytes(b.dtype)) return item_bytes(a.dtype) > item_bytes(b.dtype);
    return a.name < b.name;
  });
  return arrays;
}

void require_consistent(const TableHeader& header) {
  if (header.rows == 0 || header.cols == 0)
    throw DomainError("a table file needs at least one row and one column; there is nothing to write");
  if (header.multiplicity_in == 0 || header.multiplicity_out == 0)
    throw DomainError("the multiplicities of a table must be at least 1");
  if (header.params > max_params || header.bias_params > max_params)
    throw LimitError(fmt::format("a table file holds at most {} parameters, and this one has {}", max_params,
                                 std::max(header.params, header.bias_params)));
  const std::uint64_t entries = saturated_product(header.rows, header.cols);
  if (entries > max_bytes || header.rows > max_bytes)
    throw LimitError(
        fmt::format("a table of {} x {} entries is too large for a file", header.rows, header.cols));
  if (header.orbit_size.size() != header.params)
    throw DomainError(fmt::format("the table has {} parameters and {} orbit sizes; give one a parameter",
                                  header.params, header.orbit_size.size()));
  std::uint64_t left = entries;
  for (std::size_t k = 0; k < header.orbit_size.size(); ++k) {
    const std::int64_t size = header.orbit_size[k];
    if (size <= 0 || static_cast<std::uint64_t>(size) > left)
      throw DomainError(fmt::format("the orbit size {} of parameter {} does not fit a table of {} entries",
                                    size, k, entries));
    left -= static_cast<std::uint64_t>(size);
  }
  require_consistent_bias(header);
  require_consistent_metadata(header);
}

std::map<std::string, std::string> file_metadata(const TableHeader& header, const std::string& sha256) {
  std::map<std::string, std::string> out;
  const auto add = [&](const std::map<std::string, std::string>& entries) {
    for (const auto& [key, value] : entries)
      out.emplace(std::string(prefix) + key, value);  // the first one stays
  };
  add(fixed_metadata(header));
  add(header.metadata);
  add(usual_metadata());
  out[std::string(prefix) + "sha256"] = sha256;
  return out;
}

TableHeader header_from_metadata(const std::map<std::string, std::string>& metadata,
                                 const std::string& name) {
  const Metadata entries(metadata, name);
  if (entries.at("format") != "tied-table")
    throw FileError(
        fmt::format("{}: the format is \"{}\", not \"tied-table\"", name, shown(entries.at("format"))));
  const std::string& version = entries.at("version");
  if (version.substr(0, version.find('.')) != "1")
    throw FileError(
        fmt::format("{}: version {} of the table format; this program reads version 1, so use a newer one",
                    name, shown(version)));
  if (entries.at("kind") == "sparse-basis")
    throw FileError(fmt::format("{}: it holds a general sparse basis, which has no table of codes", name));
  if (entries.at("kind") != "signed-orbit")
    throw FileError(fmt::format("{}: unknown kind of table \"{}\"", name, shown(entries.at("kind"))));
  TableHeader header;
  header.rows = entries.number("rows", 1, max_bytes);
  header.cols = entries.number("cols", 1, max_bytes);
  header.params = entries.number("params", 0, max_params);
  header.bias_params = entries.number("bias_params", 0, max_params);
  header.multiplicity_in = entries.number("multiplicity_in", 1, max_bytes);
  header.multiplicity_out = entries.number("multiplicity_out", 1, max_bytes);
  const auto fixed = fixed_metadata(header);
  for (const auto& [key, value] : metadata) {
    if (!std::string_view(key).starts_with(prefix)) continue;
    const std::string bare = key.substr(prefix.size());
    if (bare != "sha256" && !fixed.contains(bare)) header.metadata.emplace(bare, value);
  }
  return header;
}

std::string stated_sha256(const std::map<std::string, std::string>& metadata, const std::string& name) {
  const std::string& text = Metadata(metadata, name).at("sha256");
  if (text.size() != 64 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw FileError(fmt::format("{}: sha256 is \"{}\", not 64 hexadecimal digits", name, shown(text)));
  return text;
}

}  // namespace intertwine
