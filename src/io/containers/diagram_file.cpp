// Files of tables of diagrams.
#include <fmt/format.h>

#include <array>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "io/containers/table_container.hpp"
#include "io/containers/text.hpp"
#include "io/containers/text_tables.hpp"

namespace intertwine {
namespace {

constexpr std::array<std::string_view, 3> diagram_arrays = {"diagram.weights", "diagram.bias", "diagram.maps"};

/// The meaning of theta beside the diagrams; with it the digest covers facts that only the metadata state: "vv* -> v;
/// GL(n); mean".
std::string maps_of(const DiagramTable& table) {
  std::string text = fmt::format("{} -> {};", table.axes_in, table.axes_out);
  for (const DiagramGroup& group : table.groups) text += " " + to_string(group);
  return text + (table.mean ? "; mean" : "; sum");
}

/// The arrays, with contents that point into the table and the text.
std::vector<PlannedArray> arrays_of(const DiagramTable& table, const std::string& maps) {
  std::uint64_t above = 0, all = 0;
  for (const DiagramAxis& axis : table.axes()) ++all, above += axis.output;
  return in_section_order({
      {diagram_arrays[0], Dtype::i32, {table.params, all}, std::as_bytes(std::span(table.diagrams))},
      {diagram_arrays[1], Dtype::i32, {table.bias_params, above}, std::as_bytes(std::span(table.bias_diagrams))},
      {diagram_arrays[2], Dtype::u8, {maps.size()}, std::as_bytes(std::span(maps))},
  });
}

}  // namespace

std::string digest(const DiagramTable& table) {
  const std::string maps = maps_of(table);
  Sha256 sha256;
  for (const PlannedArray& array : arrays_of(table, maps)) sha256.add(array.contents);
  return sha256.hex();
}

std::string write_diagrams(const std::filesystem::path& path, const DiagramTable& table, const Task& task) {
  const TableFormat format = table_format(path);
  if (format == TableFormat::cpp_header)
    throw DomainError(fmt::format("{}: C++ headers hold tied tables only; write diagrams as {}", shown_path(path),
                                  listed_extensions(TableContents::any)));
  require_consistent(table, task);
  for (const auto& [key, value] : table.metadata)
    if (!is_utf8(key) || !is_utf8(value))
      throw DomainError(
          fmt::format("the metadata \"{}\" is not UTF-8 text; table files hold nothing else", shown(key)));
  const std::string maps = maps_of(table);
  std::vector<PlannedArray> arrays = arrays_of(table, maps);
  if (format != TableFormat::json)
    return BinaryFile(path, format, file_metadata(table), std::move(arrays), task).finish();
  std::vector<std::pair<std::string, std::string>> lists;
  for (const PlannedArray& array : arrays)
    lists.emplace_back(std::string(array.name), json_list(array, array.contents));
  const std::string sha256 = digest(table);
  write_file(path, json_document(with_sha256(file_metadata(table), sha256), lists));
  return sha256;
}

std::string table_kind(const std::filesystem::path& path, const Task& task) {
  const Metadata metadata = open_container(path, {}, task).stored.metadata;
  const auto kind = metadata.find("intertwine.kind");
  return kind == metadata.end() ? "" : kind->second;
}

DiagramTable read_diagrams(const std::filesystem::path& path, const Task& task) {
  TableContainer container = open_container(path, diagram_arrays);
  const std::string name = container.source->name();
  try {
    DiagramTable table = diagrams_from_metadata(container.stored.metadata, name);
    const std::string maps = maps_of(table);
    std::vector<PlannedArray> wanted = arrays_of(table, maps);
    if (container.document) lay_out_document(container, wanted, {});
    std::vector<StoredArray> found;
    for (const PlannedArray& planned : wanted) found.push_back(require_array(container.stored, planned, name));
    checked_digest(*container.source, container.stored.metadata, found, {}, task);
    for (const StoredArray& array : found) {
      if (array.name == diagram_arrays[0]) table.diagrams = load_array<std::int32_t>(*container.source, array);
      if (array.name == diagram_arrays[1]) table.bias_diagrams = load_array<std::int32_t>(*container.source, array);
      if (array.name != diagram_arrays[2]) continue;
      const auto text = load_array<char>(*container.source, array);
      if (std::string(text.begin(), text.end()) != maps)
        throw FileError(fmt::format("{}: inconsistent: \"{}\" is not what the metadata say", name, array.name));
    }
    require_consistent(table, task);
    return table;
  } catch (const DomainError& error) {
    throw FileError(fmt::format("{}: inconsistent: {}", name, error.what()));
  }
}

}  // namespace intertwine
