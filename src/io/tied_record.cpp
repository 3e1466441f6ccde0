#include "io/tied_record.hpp"

#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "io/code_counter.hpp"

namespace intertwine {
namespace {

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
  CodeCounter counter(header.bias_params, header.rows);
  if (const auto bad = counter.add(bytes_of(header.bias_code)))
    throw DomainError(fmt::format("the bias code {} is outside 0..{}", *bad, 2 * header.bias_params));
  for (std::uint64_t k = 0; k < header.bias_params; ++k)
    if (counter.total(k) == 0)
      throw DomainError(fmt::format("the bias parameter {} occurs nowhere in the bias codes", k));
}

}  // namespace

std::vector<PlannedArray> planned_arrays(const TableHeader& header) {
  return in_section_order(
      {{weight_code_name, code_dtype(header.params), {header.rows, header.cols}},
       {orbit_size_name, Dtype::i64, {header.params}, bytes_of(header.orbit_size)},
       {bias_code_name, code_dtype(header.bias_params), {header.rows}, bytes_of(header.bias_code)}});
}

void require_consistent(const TableHeader& header) {
  require_consistent_frame(frame_of(TableKind::signed_orbit, header), header.metadata);
  if (header.orbit_size.size() != header.params)
    throw DomainError(fmt::format("the table has {} parameters and {} orbit sizes; give one a parameter",
                                  header.params, header.orbit_size.size()));
  const std::uint64_t entries = header.rows * header.cols;
  std::uint64_t left = entries;
  for (std::size_t k = 0; k < header.orbit_size.size(); ++k) {
    const std::int64_t size = header.orbit_size[k];
    if (size <= 0 || static_cast<std::uint64_t>(size) > left)
      throw DomainError(fmt::format("the orbit size {} of parameter {} does not fit a table of {} entries",
                                    size, k, entries));
    left -= static_cast<std::uint64_t>(size);
  }
  require_consistent_bias(header);
}

Metadata file_metadata(const TableHeader& header) {
  return file_metadata(frame_of(TableKind::signed_orbit, header), header.metadata,
                       {{"order", "by smallest row-major entry"}, {"sign_rule", "the smallest entry is +"}});
}

TableHeader header_from_metadata(const Metadata& metadata, const std::string& name) {
  const TableFrame frame = frame_from_metadata(metadata, name);
  require_kind(frame, TableKind::signed_orbit, name);
  TableHeader header;
  set_frame(header, frame);
  header.metadata = free_metadata(metadata);
  return header;
}

}  // namespace intertwine
