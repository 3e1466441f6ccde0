#include "io/picture_text.hpp"

#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

std::string escaped_markup(std::string_view text) {
  std::string out;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t start = position;
    const char32_t point = next_code_point(text, position);
    const bool malformed = point == 0xFFFD || point == 0xFFFE || point == 0xFFFF;
    if (malformed || (point < 32 && point != '\t' && point != '\n'))
      out += "\xEF\xBF\xBD";
    else if (point == '&')
      out += "&amp;";
    else if (point == '<')
      out += "&lt;";
    else if (point == '>')
      out += "&gt;";
    else if (point == '"')
      out += "&quot;";
    else if (point == '\'')
      out += "&#39;";
    else
      out += text.substr(start, position - start);
  }
  return out;
}

std::vector<std::uint64_t> kernel_sizes_of(const std::string& text, std::uint64_t cols) {
  const auto json = parse_strict_json(text, "the metadata entry intertwine.kernel");
  std::vector<std::uint64_t> sizes;
  std::uint64_t sites = 1;
  bool right = json.is_array() && !json.empty();
  for (std::size_t k = 0; right && k < json.size(); ++k) {
    right = json[k].is_number_unsigned() && json[k] != 0 && json[k].get<std::uint64_t>() <= cols / sites;
    if (!right) break;
    sizes.push_back(json[k].get<std::uint64_t>());
    sites *= sizes.back();
  }
  if (!right || cols % sites != 0)
    throw FileError(fmt::format(
        "the metadata entry intertwine.kernel is \"{}\", not the sizes of a kernel that {} columns "
        "are made of, such as [3,3]",
        shown(text), cols));
  return sizes;
}

}  // namespace intertwine
