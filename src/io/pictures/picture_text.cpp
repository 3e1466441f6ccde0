// Text for XML and HTML.
#include "io/pictures/picture_text.hpp"

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

}  // namespace intertwine
