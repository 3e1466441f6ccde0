// The surface on which pictures are drawn: an SVG document or pixels. Lengths are the pixels of CSS, y goes down.
#pragma once
#include <optional>
#include <string_view>

#include "palette.hpp"

namespace intertwine {

enum class Anchor { start, middle, end };

/// How something is drawn. Settings left out are those of the group around it, or else nothing is drawn; text is black.
struct Style {
  std::string_view name = {};  ///< the class in a document
  std::optional<Rgb> fill = {}, stroke = {};
  double stroke_width = 0, font_size = 0;
  std::optional<Anchor> anchor = {};
  bool bold = false;
  std::string_view dashes = {};  ///< the lengths of a dash and of what follows it, "5 4"
};

struct Box {
  double left = 0, top = 0, width = 0, height = 0;
};

class Surface {
 public:
  virtual ~Surface() = default;
  /// Begins a group: what is drawn until its close() has this style.
  virtual void open(const Style& style) = 0;
  virtual void close() = 0;
  virtual void rect(const Box& box, const Style& style = {}, double radius = 0) = 0;
  /// `y` is the base line; turned by `degrees`, clockwise, about (x, y).
  virtual void text(double x, double y, std::string_view text, const Style& style = {}, double degrees = 0) = 0;
  /// Path data of SVG with the commands M, V, h, l, v, z, and A for half an ellipse between points of one height. It is
  /// filled only where `style` itself says so.
  virtual void path(std::string_view data, const Style& style) = 0;
};

}  // namespace intertwine
