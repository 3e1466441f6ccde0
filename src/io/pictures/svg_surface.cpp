// Draws on an SVG document.
#include "io/pictures/svg_surface.hpp"

#include <fmt/format.h>

#include "io/pictures/letters.hpp"
#include "io/pictures/picture_text.hpp"

namespace intertwine {
namespace {

// The style on a dark screen: paper, letters, lines and zeros change. Colours of parameters stay, and so do the numbers
// on them.
constexpr std::string_view dark_style =
    "<style>@media (prefers-color-scheme: dark) {\n"
    ".paper, .zero, .code-0 { fill: #1c1c20 }\n"
    "text { fill: #dcdce2 } .number text { fill: inherit }\n"
    ".weight, .bias, .stamp { stroke: #4a4a52 }\n"
    ".blocks { stroke: #dcdce2 } rect.vector { fill: #2c2c32 }\n"
    "}</style>\n";

std::string name_attribute(const Style& style) {
  return style.name.empty() ? "" : fmt::format(" class=\"{}\"", style.name);
}

std::string attributes(const Style& style) {
  std::string out;
  if (style.font_size != 0) out += fmt::format(" font-size=\"{:.3g}\"", style.font_size);
  if (style.bold) out += " font-weight=\"bold\"";
  if (style.fill) out += fmt::format(" fill=\"{}\"", hex_colour(*style.fill));
  if (style.stroke) out += fmt::format(" stroke=\"{}\"", hex_colour(*style.stroke));
  if (style.stroke_width != 0) out += fmt::format(" stroke-width=\"{:.3g}\"", style.stroke_width);
  if (!style.dashes.empty()) out += fmt::format(" stroke-dasharray=\"{}\"", style.dashes);
  if (style.anchor)
    out += fmt::format(" text-anchor=\"{}\"", *style.anchor == Anchor::middle ? "middle"
                                              : *style.anchor == Anchor::end  ? "end"
                                                                              : "start");
  return out;
}

}  // namespace

void SvgSurface::open(const Style& style) {
  body_ += fmt::format("<g{}{}>\n", name_attribute(style), attributes(style));
}

void SvgSurface::rect(const Box& box, const Style& style, double radius) {
  if (radius != 0 && box.width == 2 * radius && box.height == 2 * radius)
    body_ += fmt::format("<circle{} cx=\"{:.6g}\" cy=\"{:.6g}\" r=\"{:.3g}\"{}/>\n", name_attribute(style),
                         box.left + radius, box.top + radius, radius, attributes(style));
  else
    body_ += fmt::format("<rect{} x=\"{:.6g}\" y=\"{:.6g}\" width=\"{:.6g}\" height=\"{:.6g}\"{}{}/>\n",
                         name_attribute(style), box.left, box.top, box.width, box.height,
                         radius == 0 ? "" : fmt::format(" rx=\"{:.3g}\"", radius), attributes(style));
}

void SvgSurface::text(double x, double y, std::string_view text, const Style& style, double degrees) {
  body_ += fmt::format("<text{} x=\"{:.6g}\" y=\"{:.6g}\"{}{}>{}</text>\n", name_attribute(style), x, y,
                       degrees == 0 ? "" : fmt::format(" transform=\"rotate({} {:.6g} {:.6g})\"", degrees, x, y),
                       attributes(style), escaped_markup(text));
}

void SvgSurface::path(std::string_view data, const Style& style) {
  body_ += fmt::format("<path{} d=\"{}\"{}{}/>\n", name_attribute(style), data, attributes(style),
                       style.fill ? "" : " fill=\"none\"");
}

std::string SvgSurface::document(double width, double height, std::string_view title) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "width=\"{0:.6g}\" height=\"{1:.6g}\" viewBox=\"0 0 {0:.6g} {1:.6g}\" font-family=\"{5}\">\n"
      "<title>{2}</title>\n{4}"
      "<rect class=\"paper\" width=\"{0:.6g}\" height=\"{1:.6g}\" fill=\"#ffffff\"/>\n{3}</svg>\n",
      width, height, escaped_markup(title), body_, dark_style, font_family);
}

}  // namespace intertwine
