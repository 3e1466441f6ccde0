// Words on pictures.
#pragma once
#include <string>
#include <string_view>

namespace intertwine {

/// Text for XML and HTML: the five special characters escaped, and U+FFFD for what XML 1.0 does not allow.
std::string escaped_markup(std::string_view text);

/// A text element of SVG; `attributes` begins with a space, or is empty.
std::string svg_text(double x, double y, std::string_view attributes, std::string_view text);

/// An SVG document on white paper.
std::string svg_document(double width, double height, std::string_view title, std::string_view body);

}  // namespace intertwine
