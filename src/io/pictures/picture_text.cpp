#include "io/pictures/picture_text.hpp"

#include <fmt/format.h>

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

std::string svg_text(double x, double y, std::string_view attributes, std::string_view text) {
  return fmt::format("<text x=\"{:.6g}\" y=\"{:.6g}\"{}>{}</text>\n", x, y, attributes, escaped_markup(text));
}

// Where the reader's screen is dark: paper, letters, lines and zeros. Colours of parameters stay, and so do the numbers on them.
constexpr std::string_view dark_style =
    "<style>@media (prefers-color-scheme: dark) {\n"
    ".paper, .zero, .code-0 { fill: #1c1c20 }\n"
    "text { fill: #dcdce2 } .number text { fill: inherit }\n"
    ".weight, .bias, .stamp { stroke: #4a4a52 }\n"
    ".blocks { stroke: #dcdce2 } rect.vector { fill: #2c2c32 }\n"
    "}</style>\n";

std::string svg_document(double width, double height, std::string_view title, std::string_view body) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "width=\"{0:.6g}\" height=\"{1:.6g}\" "
      "viewBox=\"0 0 {0:.6g} {1:.6g}\" font-family=\"Helvetica, Arial, sans-serif\">\n<title>{2}</title>\n{4}"
      "<rect class=\"paper\" width=\"{0:.6g}\" height=\"{1:.6g}\" fill=\"#ffffff\"/>\n{3}</svg>\n",
      width, height, escaped_markup(title), body, dark_style);
}

}  // namespace intertwine
