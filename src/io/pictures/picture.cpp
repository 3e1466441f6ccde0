// Captions of pictures, and the choice of their format by the name of the file.
#include "intertwine/io/picture.hpp"

#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"

namespace intertwine {
namespace {

/// Metadata say irrep(5, [4,0,1,-1,-1]); for people it is irrep(5).
std::string for_people(std::string text) {
  for (std::size_t at = text.find("irrep("); at != std::string::npos; at = text.find("irrep(", at + 1)) {
    const std::size_t list = text.find_first_not_of("0123456789", at + 6), end = text.find(']', at);
    if (list != std::string::npos && end != std::string::npos && text.compare(list, 3, ", [") == 0)
      text.erase(list, end + 1 - list);
  }
  return text;
}

}  // namespace

PictureText picture_text(const WeightBlock& table) {
  const auto entry = [&](const char* key) {
    const auto found = table.metadata.find(key);
    return found == table.metadata.end() ? std::string() : found->second;
  };
  PictureText text;
  text.subtitle = fmt::format("{} × {}, {} {}", table.weights.rows, table.weights.cols, table.weights.params,
                              table.weights.params == 1 ? "parameter" : "parameters");
  text.input = shortened(for_people(entry("rep_in")));
  text.output = shortened(for_people(entry("rep_out")));
  if (entry("group").empty()) return text;
  const auto group = parse_strict_json(entry("group"), "the metadata entry intertwine.group");
  if (group.is_object() && group.contains("expression") && group["expression"].is_string())
    text.title = fmt::format("{}: {} → {}", shortened(group["expression"].get<std::string>()), text.input, text.output);
  return text;
}

bool is_picture(const std::filesystem::path& path) {
  return path.extension() == ".svg" || path.extension() == ".png" || path.extension() == ".html";
}

void write_picture(const std::filesystem::path& path, const WeightBlock& table, const PictureText& text,
                   const Task& task) {
  if (path.extension() == ".svg") return write_file(path, svg_picture(table, text, task));
  if (path.extension() == ".png") return write_png_picture(path, table, text, 2048, task);
  if (path.extension() == ".html") return write_file(path, html_picture(table, text, task));
  throw DomainError(
      fmt::format("the extension \"{}\" is not that of a picture: use .svg, .png or .html", path.extension().string()));
}

void write_picture(const std::filesystem::path& path, const hom::Basis& basis, const Task& task) {
  write_picture(path, basis.single(task).table({}, task).block(), task);
}

}  // namespace intertwine
