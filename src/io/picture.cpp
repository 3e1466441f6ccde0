#include "intertwine/io/picture.hpp"

#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "io/containers/strict_json.hpp"

namespace intertwine {
namespace {

// Names of groups and representations given by lists can be as long as their files.
std::string shortened(const std::string& name) {
  constexpr std::size_t most = 60;
  return name.size() <= most ? name : name.substr(0, most - 3) + "...";
}

}  // namespace

PictureText picture_text(const WeightTable& table) {
  const auto entry = [&](const char* key) {
    const auto found = table.metadata.find(key);
    return found == table.metadata.end() ? std::string() : found->second;
  };
  PictureText text;
  text.subtitle = fmt::format("{} × {}, {} {}", table.weights.rows, table.weights.cols, table.weights.params,
                              table.weights.params == 1 ? "parameter" : "parameters");
  if (entry("group").empty()) return text;
  const auto group = parse_strict_json(entry("group"), "the metadata entry intertwine.group");
  if (group.is_object() && group.contains("expression") && group["expression"].is_string())
    text.title = fmt::format("{}: {} → {}", shortened(group["expression"].get<std::string>()),
                             shortened(entry("rep_in")), shortened(entry("rep_out")));
  return text;
}

bool is_picture(const std::filesystem::path& path) {
  return path.extension() == ".svg" || path.extension() == ".png";
}

void write_picture(const std::filesystem::path& path, const WeightTable& table, const PictureText& text) {
  if (path.extension() == ".svg") return write_file(path, svg_picture(table, text));
  if (path.extension() == ".png") return write_png_picture(path, table, text);
  throw DomainError(fmt::format("the extension \"{}\" is not that of a picture: use .svg or .png",
                                path.extension().string()));
}

}  // namespace intertwine
